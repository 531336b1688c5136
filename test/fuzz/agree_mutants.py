#!/usr/bin/env python3
"""Random networks: what `tarn mutate` calls equivalent, against a walk through the states.

test/fuzz/agree_mutants.py TARN COUNT [SEED]

The networks are those of agree_answers.py. Each mutant that can be read is read here, too, and
explored with all delays in steps of half a unit up to some time, with a clock that is never set. If
tarn says that it is equivalent, it reaches the same states at the same times as the model, in as
many transitions. A mutant that a query `E<>` of whole values kills reaches other states. The
operators one by one give as many mutants as all together."""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.argv, ARGUMENTS = sys.argv[:1] + ["", "0"], sys.argv[1:]
import agree_answers  # noqa: E402: its networks

TARN, COUNT = ARGUMENTS[0], int(ARGUMENTS[1])
SEED = int(ARGUMENTS[2]) if len(ARGUMENTS) > 2 else 1
OPERATORS = ["constant", "strict", "turn", "drop-reset", "add-reset", "edge", "target", "sync", "urgent", "committed"]
END, STEPS = 8, 5  # half units of time; transitions
COMPARE = {"<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__, "==": int.__eq__, "!=": int.__ne__}


def read(text):
    """The network of a text: for each process its invariants and edges."""
    processes = []
    for body in re.findall(r"process P\d\(\) \{(.*?)\n?\}\n(?=process|system|$)", text, re.S):
        head, _, tail = body.partition("trans ")
        places = {name: tests(condition) for name, condition in
                  re.findall(r"(l\d)(?: \{ (.*?) \})?(?=,|;)", head[head.index("state") + 5:head.index("init")])}
        edges = []
        for source, target, inner in re.findall(r"(l\d) -> (l\d) \{(.*?)\}", tail, re.S):
            parts = dict(re.findall(r"(guard|sync|assign) (.*?);", inner))
            sets = [tuple(re.split(r" = ", s.strip())) for s in parts.get("assign", "").split(",") if s.strip()]
            edges.append((source, target, tests(parts.get("guard", "")), parts.get("sync", ""), sets))
        processes.append((places, edges))
    assert len(processes) == 2, text
    return processes


def tests(condition):
    found = []
    for part in filter(None, re.split(r"&&", condition)):
        if part.strip() == "false":
            found.append(("n", "<", 0))
            continue
        name, relation, value = re.fullmatch(r"\s*(\w+) (\S+) (-?\d+)\s*", part).groups()
        found.append((name, relation, int(value)))
    return found


def hold(conditions, values):
    return all(COMPARE[r](values[name], value if name == "n" else 2 * value) for name, r, value in conditions)


def fits(processes, places, values):
    return all(hold(processes[p][0][places[p]], values) for p in range(2))


def fired(processes, state, parts):
    places, values = list(state[0]), dict(state[1])
    for p, edge in parts:
        places[p] = edge[1]
        for name, value in edge[4]:
            values[name] = int(value) if name == "n" else 2 * int(value)
        if not 0 <= values["n"] <= 2:
            return None
    return (tuple(places), tuple(sorted(values.items()))) if fits(processes, places, values) else None


def moves(processes, state):
    values = dict(state[1])
    able = [[e for e in processes[p][1] if e[0] == state[0][p] and hold(e[2], values)] for p in range(2)]
    for p in range(2):
        for e in able[p]:
            if not e[3]:
                yield [(p, e)]
    for p in range(2):
        for e in able[p]:
            for f in able[1 - p]:
                if e[3] == "c!" and f[3] == "c?":
                    yield [(p, e), (1 - p, f)]


def delays(processes, state):
    """The state after every delay, itself included."""
    while state:
        yield state
        values = {k: v if k == "n" else v + 1 for k, v in state[1]}
        state = (state[0], tuple(sorted(values.items()))) \
            if values["t"] <= END and fits(processes, state[0], values) else None


def layers(processes):
    """The states that are entered after 0, 1, ... transitions, and those in which time passed."""
    first = (("l0", "l0"), tuple(sorted({"n": 0, "x0": 0, "x1": 0, "t": 0}.items())))
    entered = {first} if fits(processes, first[0], dict(first[1])) else set()
    found = []
    for _ in range(STEPS):
        later = {d for state in entered for d in delays(processes, state)}
        found.append((frozenset(entered), frozenset(later)))
        entered = {s for d in later for parts in moves(processes, d) for s in [fired(processes, d, parts)] if s}
    return found


def run(*words):
    done = subprocess.run([TARN, *words], capture_output=True, text=True)
    assert done.returncode in (0, 1, 3), f"{words}: {done.returncode} {done.stderr}"
    return done.stdout


def check(processes, folder, rng, counts):
    path = os.path.join(folder, "model.xta")
    text = agree_answers.text(processes)
    with open(path, "w") as file:
        file.write(text)
    queries = [word for p in range(2) for word in ("-q", f"E<> P{p}.l1 && n == {rng.randrange(3)}")]
    found = json.loads(run("mutate", "--json", "--quiet", "--write", os.path.join(folder, "mutants"), *queries, path))
    operator = rng.choice(OPERATORS)
    one = json.loads(run("mutate", "--json", "--quiet", "--operators", operator, *queries, path))
    wanted = [(m["line"], m["column"], m["to"], m["status"]) for m in found["mutants"] if m["operator"] == operator]
    assert [(m["line"], m["column"], m["to"], m["status"]) for m in one["mutants"]] == wanted, operator
    original = layers(read(text))
    for mutant in found["mutants"]:
        if mutant["status"] == "unreadable":
            continue
        with open(mutant["file"]) as file:
            same = layers(read(file.read())) == original
        counts[mutant["status"], same] = counts.get((mutant["status"], same), 0) + 1
        assert same or mutant["status"] != "equivalent", mutant


def main():
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        for index in range(COUNT):
            rng = random.Random(SEED * 1000003 + index)
            processes = agree_answers.make(rng)
            try:
                check(processes, folder, rng, counts)
            except AssertionError as wrong:
                print(f"wrong: network {index} of seed {SEED}: {wrong}\n{agree_answers.text(processes)}")
                return 1
    said = ", ".join(f"{status} {'as' if same else 'unlike'} the model: {count}"
                     for (status, same), count in sorted(counts.items()))
    print(f"{COUNT} networks of seed {SEED}: {said}; 0 wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main())
