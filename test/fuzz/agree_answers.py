#!/usr/bin/env python3
"""Random networks: runs of --traces and suites of cover, against a walk through the states.

test/fuzz/agree_answers.py TARN COUNT [SEED]

Each network is explored here once more, by a plain search over whole clock values (the networks
have closed constraints, so whole values reach every discrete state and edge that can be reached).
Then: the edges that cover reports as covered are those that the walk takes, and no others; each
run of the suite and of --traces is accepted by certify; each run of --traces takes an edge that
those before it do not; if tarn says that there are no more, no walk to the goal takes another
edge. Thresholds of sweep are compared with all values."""
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

TARN, COUNT = sys.argv[1], int(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
TOP = 4  # clocks count up to here, above all constants


def make(rng):
    """Two processes with a clock each, one shared variable, and a channel."""
    processes = []
    for p in range(2):
        size = rng.randint(2, 3)
        places = [rng.choice([None, None, rng.randint(1, 3)]) for _ in range(size)]
        edges = []
        for _ in range(rng.randint(2, 4)):
            guard = rng.choice([None, (rng.choice(["<=", ">="]), rng.randint(0, 3), rng.randint(0, 1))])
            test = rng.choice([None, None, rng.randint(0, 2)])
            edges.append(dict(source=rng.randrange(size), target=rng.randrange(size), guard=guard, test=test,
                              reset=rng.random() < 0.5, put=rng.choice([None, None, 0, 1, 2]),
                              sync=rng.choice(["", "", "c"])))
        processes.append(dict(places=places, edges=edges))
    return processes


def text(processes, low=None):
    lines = ["clock x0, x1;", "int[0,2] n = 0;", "chan c;"]
    if low is not None:
        lines.insert(0, f"const int K = {low};")
    for p, process in enumerate(processes):
        lines.append(f"process P{p}() {{ state " + ", ".join(
            f"l{i}" + (f" {{ x{p} <= {b} }}" if b is not None else "") for i, b in enumerate(process["places"])) +
            "; init l0;")
        rows = []
        for e in process["edges"]:
            parts = []
            tests = []
            if e["guard"]:
                bound = "K" if low is not None and e is processes[0]["edges"][0] else e["guard"][1]
                tests.append(f"x{e['guard'][2]} {e['guard'][0]} {bound}")
            if e["test"] is not None:
                tests.append(f"n == {e['test']}")
            if tests:
                parts.append("guard " + " && ".join(tests) + ";")
            if e["sync"]:
                parts.append("sync c" + ("!" if p == 0 else "?") + ";")
            sets = ([f"x{p} = 0"] if e["reset"] else []) + ([f"n = {e['put']}"] if e["put"] is not None else [])
            if sets:
                parts.append("assign " + ", ".join(sets) + ";")
            rows.append(f"l{e['source']} -> l{e['target']} {{ {' '.join(parts)} }}")
        lines.append("trans " + ",\n".join(rows) + "; }")
    lines.append("system P0, P1;")
    return "\n".join(lines) + "\n"


def holds(e, clocks, n, bound):
    if e["test"] is not None and n != e["test"]:
        return False
    if not e["guard"]:
        return True
    value = clocks[e["guard"][2]]
    return value <= bound if e["guard"][0] == "<=" else value >= bound


def successors(processes, state, low):
    (a, b, n, x, y) = state
    places, clocks = (a, b), (x, y)

    def bound(e):
        return low if low is not None and e is processes[0]["edges"][0] else e["guard"][1] if e["guard"] else 0

    def fire(parts):
        at, now, value = list(places), list(clocks), n
        for p, e in parts:
            at[p] = e["target"]
            if e["reset"]:
                now[p] = 0
            if e["put"] is not None:
                value = e["put"]
        for p in range(2):
            limit = processes[p]["places"][at[p]]
            if limit is not None and now[p] > limit:
                return None
        return (at[0], at[1], value, now[0], now[1])

    enabled = [[(i, e) for i, e in enumerate(processes[p]["edges"])
                if e["source"] == places[p] and holds(e, clocks, n, bound(e))] for p in range(2)]
    for p in range(2):
        for i, e in enabled[p]:
            if not e["sync"]:
                yield [(p, i)], fire([(p, e)])
    for i, e in enabled[0]:
        for k, f in enabled[1]:
            if e["sync"] and f["sync"]:
                yield [(0, i), (1, k)], fire([(0, e), (1, f)])
    later = (a, b, n, min(x + 1, TOP), min(y + 1, TOP))
    if all(processes[p]["places"][places[p]] is None or (x, y)[p] + 1 <= processes[p]["places"][places[p]]
           for p in range(2)):
        yield [], later


def walk(processes, low=None):
    """All states and the transitions between them."""
    graph, waiting = {}, [(0, 0, 0, 0, 0)]
    while waiting:
        state = waiting.pop()
        if state in graph:
            continue
        graph[state] = [(edges, target) for edges, target in successors(processes, state, low) if target]
        waiting += [target for _, target in graph[state]]
    return graph


def run(*words):
    done = subprocess.run([TARN, *words], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise AssertionError(f"{words}: {done.returncode} {done.stderr}")
    return done.stdout


def number(processes, p, i):
    return i + (len(processes[0]["edges"]) if p else 0)


def check(processes, folder, rng):
    path = os.path.join(folder, "model.xta")
    with open(path, "w") as file:
        file.write(text(processes))
    graph = walk(processes)
    taken = {number(processes, p, i) for edges in graph.values() for parts, _ in edges for p, i in parts}
    suite = run("cover", "--quiet", "--json", path)
    suite_path = os.path.join(folder, "suite.json")
    with open(suite_path, "w") as file:
        file.write(suite)
    suite = json.loads(suite)
    covered = {item["index"] for item in suite["items"] if item["status"] == "covered"}
    assert covered == taken, (covered, taken)
    assert suite["undecided"] == 0
    if suite["results"]:
        run_ok = subprocess.run([TARN, "certify", "--quiet", path, suite_path], capture_output=True).returncode
        assert run_ok == 0, "the suite is rejected"
    # Runs to a goal.
    goal = rng.randrange(len(processes[0]["places"])), rng.randrange(3)
    query = f"E<> P0.l{goal[0]} && n == {goal[1]}"
    out = run("check", "--quiet", "--json", "--traces", "20", "-q", query, path)
    result = json.loads(out)["results"][0]
    reached = {s for s in graph if s[0] == goal[0] and s[2] == goal[1]}
    assert (result["verdict"] == "satisfied") == bool(reached), query
    if not reached:
        return
    traces_path = os.path.join(folder, "traces.json")
    with open(traces_path, "w") as file:
        file.write(out)
    if subprocess.run([TARN, "certify", "--quiet", path, traces_path], capture_output=True).returncode:
        raise AssertionError("a run is rejected")
    used = set()
    for trace in result["traces"]:
        edges = {e["index"] for s in trace["steps"] for e in s.get("edges", [])}
        assert edges - used or not used and not edges, "a run has nothing new"
        used |= edges
    before = {}
    for state, edges in graph.items():
        for _, target in edges:
            before.setdefault(target, []).append(state)
    useful, waiting = set(), list(reached)
    while waiting:
        state = waiting.pop()
        if state not in useful:
            useful.add(state)
            waiting += before.get(state, [])
    possible = {number(processes, p, i) for edges in graph.values() for parts, target in edges
                if target in useful for p, i in parts}
    assert "traces_end" in result and used == possible, (query, used, possible)


def check_threshold(processes, folder):
    first = processes[0]["edges"][0]
    if not first["guard"]:
        return False
    path = os.path.join(folder, "threshold.xta")
    with open(path, "w") as file:
        file.write(text(processes, 0))
    verdicts = []
    target = first["target"]
    query = f"E<> P0.l{target} && n == 1"
    for low in range(4):
        verdicts.append(any(s[0] == target and s[2] == 1 for s in walk(processes, low)))
    out = subprocess.run([TARN, "sweep", "--quiet", "--threshold", "K=0..3", "-q", query, path],
                         capture_output=True, text=True).stdout
    changes = [i for i in range(3) if verdicts[i] != verdicts[i + 1]]
    if not changes:
        assert "does not change" in out, out
    elif len(changes) > 1:
        assert "not monotone" in out, out
    elif verdicts[0]:
        assert f"largest K for which it holds is {changes[0]}," in out, (verdicts, out)
    else:
        assert f"it holds from K = {changes[0] + 1} on" in out, (verdicts, out)
    assert "REJECTED" not in out, out
    return True


def main():
    thresholds = 0
    with tempfile.TemporaryDirectory() as folder:
        for index in range(COUNT):
            rng = random.Random(SEED * 1000003 + index)
            processes = make(rng)
            try:
                check(processes, folder, rng)
                if index % 10 == 0:
                    thresholds += check_threshold(processes, folder)
            except AssertionError as wrong:
                print(f"wrong: network {index} of seed {SEED}: {wrong}\n{text(processes)}")
                return 1
    print(f"{COUNT} networks of seed {SEED}, {thresholds} thresholds: 0 wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main())
