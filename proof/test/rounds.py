#!/usr/bin/env python3
"""Infinite runs with a part that repeats at other times in each round: proof/test/rounds.py

First runs by hand, in quarters of a unit of time: those that can go on for ever must be accepted by both checkers, the others
rejected by both. Then what tarn writes for models in which delays must shrink, or clocks that are compared with each other grow:
both must accept it, and reject the same run for a query that has the opposite answer. tarn-proved says of which time diverges: of those
that tarn writes with --non-zeno, and never where it does not. TARN and PROVED name the programs.
"""
import json, os, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TARN = os.path.abspath(os.environ.get("TARN", ROOT + "/build/release/tarn"))
PROVED = os.path.abspath(os.environ.get("PROVED", ROOT + "/build/proof/tarn-proved"))
HEAD = "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\n"
WRONG = []


def judged(model, result, name, expected, diverges=None):
    with open("m.tck", "w") as file:
        file.write(model)
    with open("r.json", "w") as file:
        json.dump({"options": {"non-zeno": diverges is not None}, "results": [result]}, file)
    tarn = subprocess.run([TARN, "certify", "m.tck", "r.json"], capture_output=True, text=True)
    proved = subprocess.run([PROVED, "m.tck", "r.json"], capture_output=True, text=True)
    for said, accepts in (tarn, tarn.returncode == 0), (proved, proved.returncode == 0 and ": proved: " in proved.stdout):
        if accepts != expected or (not accepts and "rejected" not in said.stdout):
            WRONG.append(name)
            print("%s: should be %s: %s%s" % (name, "accepted" if expected else "rejected", said.stdout, said.stderr))
    if diverges is not None and diverges != ("by a run in which time diverges" in proved.stdout):
        WRONG.append(name)
        print("%s: whether time diverges: %s" % (name, proved.stdout))


def of_one(invariant, *edges):
    return HEAD + "location:P:A{initial: : invariant: %s}\n" % invariant + "".join("edge:P:A:A:a{%s}\n" % e for e in edges)


def quarters(z):
    return str(z // 4) if z % 4 == 0 else "%d/4" % z


def run(query, steps, loop, places=None, edges=None):
    """A run of P: the time and the clocks x and y after each step."""
    places, edges = places or ["A"] * len(steps), edges or [0] * (len(steps) - 1)
    out = []
    for k, (time, x, y) in enumerate(steps):
        step = {"time": quarters(time), "locations": {"P": places[k]}, "variables": {}, "clocks": {"x": quarters(x), "y": quarters(y)}}
        if k:
            step["edges"] = [{"process": "P", "source": places[k - 1], "target": places[k], "event": "a", "index": edges[k - 1]}]
        out.append(step)
    exists = query.startswith("E") or query.startswith("buchi")
    return {"query": query, "verdict": "satisfied" if exists else "not satisfied",
            "trace": {"kind": "concrete", "steps": out, "end_time": out[-1]["time"], "end_clocks": out[-1]["clocks"], "loop": {"from": loop, "times": "vary"}}}


UNIT, WHOLE = [(0, 0, 0), (4, 4, 0), (8, 8, 0)], [(0, 0, 0), (2, 2, 0), (4, 4, 0)]
HALVES, LATE = [(0, 0, 0), (2, 2, 0), (3, 3, 0)], [(0, 0, 0), (4, 4, 0), (4, 4, 0)]
RESET = "provided: y >= 1 : do: y = 0"
SHRINK = "provided: y > 0 : do: y = 0"
BY_HAND = [
    # Invariant, edge, run, where the part begins, whether it can go on for ever.
    ("x <= 5", RESET, UNIT, 0, False), ("x <= 5", RESET, UNIT, 1, False), ("y <= 5", RESET, UNIT, 1, True),
    ("x <= 5", "provided: y >= 1 : do: y = 0; x = 0", [(0, 0, 0), (4, 0, 0), (8, 0, 0)], 0, True),
    ("x <= 1", SHRINK, HALVES, 0, True), ("x <= 1", SHRINK, HALVES, 1, True), ("x <= 1", SHRINK, WHOLE, 0, True),
    ("x <= 1", "do: y = 0", LATE, 1, True), ("x < 1", SHRINK, WHOLE, 0, False), ("x < 1", SHRINK, HALVES, 0, True),
    # A clock that is lowered must not get below zero.
    ("x <= 3", "provided: x >= 3 : do: y = y + -1", [(0, 0, 0), (12, 12, 8), (12, 12, 4)], 1, False),
    ("y <= 3", "provided: y >= 1 : do: y = y + -1", [(0, 0, 0), (8, 8, 4), (8, 8, 0)], 1, True),
    ("y <= 1", "do: y = y + -1", [(0, 0, 0), (4, 4, 0), (8, 8, 0)], 1, True),
    # Differences of clocks that grow in each round.
    ("x >= 0", "provided: x - y < 10 && y > 0 : do: y = 0", [(0, 0, 0), (4, 4, 0), (8, 8, 0)], 1, True),
    ("x >= 0", "provided: x - y < 10 && y >= 1 : do: y = 0", [(0, 0, 0), (4, 4, 0), (8, 8, 0)], 1, False),
]
# Whether time diverges: if a clock is set to 0 in each round, to nothing else, and is at least 1 somewhere; if nothing bounds a delay; or if
# the times repeat.
AGAIN = [(0, 0, 0), (4, 4, 4), (4, 4, 4)]
DIVERGING = [
    ("y <= 5", RESET, UNIT, 1, True), ("x <= 5", "provided: y >= 1 : do: y = 0; x = 0", [(0, 0, 0), (4, 0, 0), (8, 0, 0)], 0, True),
    ("y <= 1", "do: y = y + -1", [(0, 0, 0), (4, 4, 0), (8, 8, 0)], 1, True),
    # The times that are shown are 0, others are possible.
    ("y <= 5", "do: y = 0", [(0, 0, 0), (0, 0, 0), (0, 0, 0)], 1, True), ("x <= 5", "do: y = 0", [(0, 0, 0), (0, 0, 0), (0, 0, 0)], 1, False),
    ("x >= 0", "provided: x >= 0", [(0, 0, 0), (0, 0, 0), (0, 0, 0)], 1, True), ("x <= 5", "provided: x >= 0", [(0, 0, 0), (0, 0, 0), (0, 0, 0)], 1, False),
    ("x <= 1", SHRINK, HALVES, 0, False), ("x <= 1", SHRINK, HALVES, 1, False), ("x <= 1", "provided: x >= 1", AGAIN, 1, False),
]
# y is at least 1 and set to 0 in each round, but it is also set to 1.
JUMPS = (HEAD + "location:P:A{initial: : invariant: x <= 1}\nlocation:P:B{invariant: x <= 1}\n"
         "edge:P:A:B:a{provided: y >= 1 : do: y = 0}\nedge:P:B:A:a{do: y = y + 1}\n")
URGENT = HEAD + "location:P:A{initial: : urgent:}\nedge:P:A:A:a{}\n"
BETWEEN = (HEAD + "location:P:A{initial: : invariant: x <= 6}\nlocation:P:B{invariant: x <= 6}\nlocation:P:C{}\n"
           "edge:P:A:B:a{provided: x <= 5}\nedge:P:B:A:a{}\nedge:P:A:C:a{provided: x >= 6}\n")
MARKED = HEAD + "location:P:A{initial: : invariant: x <= 1}\nedge:P:A:A:a{provided: y > 0 : do: y = 0}\n"
ASKED = [
    # Between A and B one can go until x = 5; at x = 6 there is no way but to C.
    ("x >= 6 --> P.C", BETWEEN, 24, False), ("x >= 5 --> P.C", BETWEEN, 20, True), ("x <= 0 --> P.C", BETWEEN, 24, True),
    ("x > 5 and x < 6 --> P.C", BETWEEN, 24, False),
    ("E[] x < 6", BETWEEN, 20, True), ("E[] x < 5", BETWEEN, 20, False), ("E[] (x <= 5 or P.C)", BETWEEN, 20, True),
    ("A<> x > 5", BETWEEN, 20, True), ("A<> x >= 5", BETWEEN, 20, False), ("E[] not P.B", BETWEEN, 20, False),
    ("buchi: P.B", BETWEEN, 20, True), ("buchi: P.C", BETWEEN, 20, False), ("buchi: P.B, P.A", BETWEEN, 20, True), ("buchi: P.B, P.C", BETWEEN, 20, False),
]
MODELS = {
    "shrink": of_one("x <= 1", SHRINK),
    "twice": HEAD + "clock:1:z\nlocation:P:A{initial: : invariant: x <= 1}\nlocation:P:B{invariant: x <= 1 && y <= 1}\n"
             "edge:P:A:B:a{provided: y > 0 : do: y = 0}\nedge:P:B:A:a{provided: z > 0 : do: z = 0}\n",
    "apart": of_one("x <= 10", "provided: y > 0 && x - y < 10 : do: y = 0"),
    "copied": HEAD + "clock:1:w\nlocation:P:A{initial: : invariant: w <= 100}\nlocation:P:B{invariant: y <= 2 && w <= 100}\n"
              "edge:P:A:B:a{provided: x - y < 50 && y > 0 && x > 2 : do: y = 0}\nedge:P:B:A:a{provided: y > 0 && x - y < 50 : do: y = x + 1}\n",
}
QUERIES = ["buchi: P.A", "E[] (x < 1 or y >= 0)", "E[] x < 1", "E[] x - y < 5", "x > 0 --> x > 1", "A<> x >= 1", "A<> y >= 1", "x > 0 --> y > 90", "E[] (x > 0 or y < 1)"]


def main():
    hand = written = varied = lies = 0
    for invariant, edge, steps, loop, expected in BY_HAND:
        judged(of_one(invariant, edge), run("E[] true", steps, loop), "%s; %s, from %d" % (invariant, edge, loop), expected)
        hand += 1
    for invariant, edge, steps, loop, expected in DIVERGING:
        judged(of_one(invariant, edge), run("E[] true", steps, loop), "%s; %s, from %d, diverges" % (invariant, edge, loop), True, expected)
        hand += 1
    judged(JUMPS, run("E[] true", [(0, 0, 0), (4, 4, 0), (4, 4, 4), (4, 4, 0)], 1, ["A", "B", "A", "B"], [0, 1, 0]), "a clock that jumps", True, False)
    judged(URGENT, run("E[] true", [(0, 0, 0), (0, 0, 0), (0, 0, 0)], 1), "an urgent location", True, False)
    hand += 2
    for query, model, end, expected in ASKED:
        judged(model, run(query, [(0, 0, 0), (0, 0, 0), (end, end, end)], 0, ["A", "B", "A"], [0, 1]), "%s, until %d" % (query, end), expected)
        hand += 1
    for name, model in sorted(MODELS.items()):
        with open("model.tck", "w") as file:
            file.write(model)
        answers, found = {}, []
        for query in QUERIES:
            for more in [], ["--non-zeno"]:
                done = subprocess.run([TARN, "check", "--json", "--trace", "concrete", "-q", query, "model.tck"] + more, capture_output=True, text=True)
                result = json.loads(done.stdout)["results"][0]
                if not more:
                    answers[query] = result["verdict"]
                trace = result.get("trace") or {}
                if trace.get("kind") == "concrete" and trace.get("loop"):
                    judged(model, result, "%s: %s" % (name, query), True, True if more else None)
                    found.append(result)
                    written += 1
                    varied += trace["loop"].get("times") == "vary"
        for result in found:
            for query, verdict in answers.items():
                exists = query.startswith("E") or query.startswith("buchi")
                if verdict == ("not satisfied" if exists else "satisfied"):
                    judged(model, dict(result, query=query, verdict="satisfied" if exists else "not satisfied"), "%s: the run of %s for %s" % (name, result["query"], query), False)
                    lies += 1
    if not varied or not lies:
        WRONG.append("tarn writes no such runs")
    print("rounds: %d runs by hand are judged as they should be, %d of tarn accepted (%d say that times vary), %d false claims rejected; %d wrong" %
          (hand, written, varied, lies, len(WRONG)))
    return 1 if WRONG else 0


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    sys.exit(main())
