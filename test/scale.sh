#!/usr/bin/env bash
# Large clock constants: random networks, and the same with all clock constants multiplied, must
# have the same verdicts and counts, runs with multiplied times, and evidence that is accepted:
# test/scale.sh [NETWORKS]
set -u
cd "$(dirname "$0")/.." || exit 2
TARN=${TARN:-build/release/tarn}
command -v python3 >/dev/null || { echo 'skip scale: no python3'; exit 0; }
exec python3 - "$TARN" "${1:-60}" <<'PY'
import json, os, random, re, subprocess, sys, tempfile
from fractions import Fraction

tarn, count = sys.argv[1], int(sys.argv[2])
folder = tempfile.TemporaryDirectory()
factors = [67108879, 999999937, 10**10, 2**31, 6 * 1000003, 97 * 10**9]


def path(name):
    return os.path.join(folder.name, name)


def scaled(text, factor):
    """With every constant that a clock meets multiplied."""
    times = lambda number: str(int(number) * factor)
    text = re.sub(r"(\bx\d+(?:-x\d+)?)(<=|>=|==|<|>)(-?\d+)",
                  lambda m: m[1] + m[2] + times(m[3]), text)
    text = re.sub(r"(?<![\w.])(-?\d+)(<=|>=|==|<|>)(x\d+)",
                  lambda m: times(m[1]) + m[2] + m[3], text)
    text = re.sub(r"\b(x\d+=)(\d+)", lambda m: m[1] + times(m[2]), text)
    return re.sub(r"\b(x\d+=x\d+\+)(\d+)", lambda m: m[1] + times(m[2]), text)


def run(*words):
    done = subprocess.run([tarn, *words], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def check(model, query, proof, *options):
    status, out, err = run("check", "--quiet", "--json", "--trace", "concrete", "--prefer", "any",
                           "--time-limit", "20", *options, "--certificate", proof, "-q", query,
                           model)
    result = json.loads(out)["results"] if out else []
    return status, result[0] if result else None, err


failed = decided = runs = proofs = 0
for seed in range(1, count + 1):
    factor = factors[seed % len(factors)]
    chance = random.Random(seed)
    text = run("gen", "random", f"seed={seed}", f"processes={2 + seed % 2}", "bounds=0",
               "statements=0", f"diagonals={int(seed % 10 == 0)}")[1]
    query = f"E<> P0.l{chance.randrange(3)} && P1.l{chance.randrange(3)} && " \
            f"x{chance.randrange(2)}{chance.choice(['<=', '>', '=='])}{chance.randrange(5)}"
    small, large = path("small.tck"), path("large.tck")
    open(small, "w").write(text)
    open(large, "w").write(scaled(text, factor))
    options = [[], ["--engine", "local"], ["--abstraction", "extra-m"]][seed % 3]
    one = check(small, query, path("small.proof"), *options)
    two = check(large, scaled(query, factor), path("large.proof"), *options)
    what = f"seed {seed}, times {factor}, {query}"
    if one[0] == 3 and (two[0] == 3 or "outgrows" in two[2]):
        continue  # neither ends
    if one[0] != two[0]:
        failed += 1
        print(f"FAIL scale/verdict: {what}: {one[0]} and {two[0]}\n{two[2]}")
        continue
    if one[0] not in (0, 1):
        continue
    decided += 1
    for name in ("visited", "stored", "transitions"):
        if one[1]["stats"][name] != two[1]["stats"][name]:
            failed += 1
            print(f"FAIL scale/counts: {what}: {name}")
    if "trace" in one[1]:
        runs += 1
        times = [[Fraction(s["time"]) for s in r[1]["trace"]["steps"]] for r in (one, two)]
        if [t * factor for t in times[0]] != times[1]:
            failed += 1
            print(f"FAIL scale/times: {what}: {times}")
        open(path("run.json"), "w").write(json.dumps({"results": [two[1]]}))
        if run("certify", large, path("run.json"))[0] != 0:
            failed += 1
            print(f"FAIL scale/run: {what}: {run('certify', large, path('run.json'))}")
        steps = two[1]["trace"]["steps"]
        if len(steps) > 1 and Fraction(steps[-1]["time"]) > 0:  # a forged one is rejected
            steps[-1]["time"] = str(Fraction(steps[-1]["time"]) + 1)
            open(path("run.json"), "w").write(json.dumps({"results": [two[1]]}))
            if run("certify", large, path("run.json"))[0] == 0:
                failed += 1
                print(f"FAIL scale/forged: {what}")
    elif os.path.exists(path("large.proof")):
        proofs += 1
        if run("certify", large, path("large.proof"))[0] != 0:
            failed += 1
            print(f"FAIL scale/certificate: {what}: {run('certify', large, path('large.proof'))}")
        os.remove(path("large.proof"))
if decided < count // 2 or not runs or not proofs:
    failed += 1
    print(f"FAIL scale/few: {decided} of {count} decided, {runs} runs, {proofs} certificates")
if not failed:
    print(f"ok scale/networks: {count}, {decided} decided, {runs} runs, {proofs} certificates")
sys.exit(bool(failed))
PY
