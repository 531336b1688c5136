#!/usr/bin/env python3
"""A random network with stopped clocks, and a query in its first line: proof/test/rates.py SEED

It takes the place of test/fuzz/uppaal_print: PRINT=proof/test/rates.py proof/test/uppaal.sh FIRST COUNT.
Some rates are errors in some states: neither 0 nor 1, or two for one clock.
"""
import random
import sys

random.seed(int(sys.argv[1]))
pick = random.choice
CLOCKS = ["x", "y", "z", "c[0]", "c[1]"]
PLACES = 3


# In some networks only the query reads these clocks.
QUIET = pick([[], [], ["x", "c[0]", "c[1]"], ["x", "y", "c[0]", "c[1]"], ["y", "z"]])
READ = [x for x in CLOCKS if x not in QUIET]


def test(ops=("<=", "<", ">=", ">", "=="), clocks=READ):
    return f"{pick(clocks)} {pick(ops)} {pick([0, 1, 2, 3, 3, 4, 'n'])}"


def rate(p):
    wrong = random.random() < 0.04
    mine = ["x", "c[0]"] if p == 0 else ["y", "c[1]"] if p == 1 else ["z"]
    x = pick(CLOCKS if wrong else mine)
    if random.random() < 0.15:
        return "forall (i : int[0,1]) c[i]' == (i == n)" if not p else "z' == (n > 0)"
    return f"{x}' == {pick(['0', '0', '0', '1', 'b', '(n == 1)', '!b', 'n' if wrong else '0'])}"


def invariant(p):
    parts = []
    if random.random() < 0.6:
        parts.append(test(("<=", "<=", "<")))
    if random.random() < 0.55:
        parts.append(rate(p))
    if random.random() < 0.1:
        parts.append("n <= 2")
    random.shuffle(parts)
    return " { " + " && ".join(parts) + " }" if parts else ""


def edge(p):
    guards = [test() for _ in range(pick([0, 1, 1, 2]))]
    if random.random() < 0.2:
        guards.append(pick(["b", "n == 1", "n < 2"]))
    updates = [f"{x} = {pick([0, 0, 0, 1, 2])}" for x in CLOCKS if random.random() < 0.3]
    if random.random() < 0.3:
        updates.append(pick(["b = !b", "n = 1", "n = 0", "n = (n + 1) % 3", "b = true"]))
    sync = pick(["", "", "", " sync a!;" if p == 0 else " sync a?;", " sync w!;" if p == 1 else " sync w?;"])
    guard = f" guard {' && '.join(guards)};" if guards else ""
    update = f" assign {', '.join(updates)};" if updates else ""
    return f"l{random.randrange(PLACES)} -> l{random.randrange(PLACES)} {{{guard}{sync}{update} }}"


def process(p):
    places = ", ".join(f"l{k}{invariant(p)}" for k in range(PLACES))
    special = pick(["", "", "", " urgent l2;", " commit l2;"])
    edges = ",\n   ".join(edge(p) for _ in range(pick([3, 4, 5])))
    return f"process P{p}() {{\n state {places};{special}\n init l0;\n trans {edges};\n}}"


count = pick([1, 2, 2, 2, 3])
# In the invariant of the initial location nothing may be out of range at first: n and all clocks are 0.
places = [f"P{p}.l{random.randrange(PLACES)}" for p in range(count)]
goal = " && ".join(places[:pick([1, 2])] + [test(clocks=CLOCKS) for _ in range(pick([0, 1, 1, 2]))])
query = f"E<> {goal}" if random.random() < 0.7 else f"A[] not ({goal})"
print(f"// {query}")
print("clock x, y, z, c[2]; bool b; int[0,2] n; chan a; broadcast chan w;")
for p in range(count):
    print(process(p))
print(f"system {', '.join(f'P{p}' for p in range(count))};")
