#!/usr/bin/env bash
# Engine wide: on random networks it makes the same searches as engine zones, node by node; and on
# the same networks with large constants that have no common divisor, too. Runs are checked, and
# forged ones are rejected: test/wide.sh [NETWORKS [FIRST]]
set -u
cd "$(dirname "$0")/.." || exit 2
TARN=${TARN:-build/release/tarn}
command -v python3 >/dev/null || { echo 'skip wide: no python3'; exit 0; }
exec python3 - "$TARN" "${1:-60}" "${2:-1}" <<'PY'
import json, os, random, re, subprocess, sys, tempfile
from fractions import Fraction

tarn, count, first = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
folder = tempfile.TemporaryDirectory()
small, large, proof = (os.path.join(folder.name, name) for name in ("s.tck", "l.tck", "run.json"))
factors = [67108879, 10**9 + 7, 2**31, 10**10, 2**41 + 9, 97 * 10**10]
counts = ("visited", "max_stored", "transitions", "covered", "mistakes")
failed = decided = ended = runs = wide = 0


def fail(what, why):
    global failed
    failed += 1
    print(f"FAIL wide/{what}: {why[:600]}")


def scaled(text, factor):
    """With every constant that a clock meets multiplied."""
    times = lambda number: str(int(number) * factor)
    text = re.sub(r"(\bx\d+(?:-x\d+)?)(<=|>=|==|<|>)(-?\d+)",
                  lambda m: m[1] + m[2] + times(m[3]), text)
    text = re.sub(r"(?<![\w.])(-?\d+)(<=|>=|==|<|>)(x\d+)",
                  lambda m: times(m[1]) + m[2] + m[3], text)
    text = re.sub(r"\b(x\d+=)(\d+)", lambda m: m[1] + times(m[2]), text)
    return re.sub(r"\b(x\d+=x\d+\+)(\d+)", lambda m: m[1] + times(m[2]), text)


def inert(factor):
    """A process that does nothing, with a constant that has no common divisor with the others."""
    return ("event:odd\nclock:1:odd\nprocess:Odd\nlocation:Odd:a{initial:}\nlocation:Odd:b{}\n"
            f"edge:Odd:b:a:odd{{provided: odd>={7 * factor + 1}}}\n")


def run(*words):
    done = subprocess.run([tarn, *words], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def check(model, query, *options):
    status, out, err = run("check", "--quiet", "--json", "--trace", "concrete", "--prefer", "any",
                           "--time-limit", "20", *options, "-q", query, model)
    result = json.loads(out)["results"] if out else []
    return status, result[0] if result else None, err


def same(what, kind, one, two):
    if one[0] == 3 and two[0] in (2, 3):
        return False  # neither ends
    if one[0] != two[0]:
        fail(kind, f"{what}: {one[0]} and {two[0]}: {one[2]}{two[2]}")
        return False
    if one[0] not in (0, 1):
        return False
    for name in counts:
        if one[1]["stats"][name] != two[1]["stats"][name]:
            fail(kind, f"{what}: {name} {one[1]['stats'][name]} and {two[1]['stats'][name]}")
    return True


for seed in range(first, first + count):
    chance = random.Random(seed)
    pick = chance.choice
    # What computes constants cannot be multiplied by rewriting the text. Without abstraction the
    # clock of the inert process would grow without end.
    is_scaled = seed % 2 == 0 and seed % 10 != 0
    values = ["bounds=0", "statements=0"] if is_scaled else \
             [f"bounds={seed % 3 % 2}", "copies=1", "shifts=1", "initials=1"]
    text = run("gen", "random", f"seed={seed}", f"processes={pick([1, 2, 3])}",
               f"clocks={pick([1, 2, 3, 5])}", f"diagonals={int(seed % 10 == 0)}", *values)[1]
    query = f"E<> P0.l{chance.randrange(3)} && x0{pick(['<=', '>', '=='])}{chance.randrange(5)}"
    # With bounds for the whole model the inert process would count.
    options = ["--bounds", "local" if is_scaled else pick(["local", "global"]),
               "--order", pick(["stages", "bfs", "dfs", "tw"]), "--abstraction",
               "none" if seed % 10 == 0 else
               pick(["alu", "alu", "am", "extra-lu+", "extra-lu", "extra-m+", "extra-m"])]
    what = f"seed {seed}, {' '.join(options)}, {query}"
    open(small, "w").write(text)
    one = check(small, query, "--engine", "zones", *options)
    decided += same(what, "small", one, check(small, query, "--engine", "wide", *options))
    if not is_scaled:
        continue
    factor = factors[seed // 2 % len(factors)]
    open(large, "w").write(scaled(text, factor) + inert(factor))
    two = check(large, scaled(query, factor), *options)
    if not same(f"{what}, times {factor}", "large", one, two):
        continue
    ended += 1
    wide += two[1]["engine"] == "wide"
    if "trace" not in two[1]:
        continue
    runs += 1
    open(proof, "w").write(json.dumps({"results": [two[1]]}))
    if run("certify", large, proof)[0] != 0:
        fail("run", f"{what}: {run('certify', large, proof)}")
    steps = two[1]["trace"]["steps"]
    if len(steps) > 1 and Fraction(steps[-1]["time"]) > 0:  # a forged one is rejected
        steps[-1]["time"] = str(Fraction(steps[-1]["time"]) + 1)
        open(proof, "w").write(json.dumps({"results": [two[1]]}))
        if run("certify", large, proof)[0] == 0:
            fail("forged", what)
if decided < count // 2 or wide != ended or wide < count // 6 or not runs:
    fail("few", f"{decided} of {count} decided, {ended} with large constants, {wide} by engine "
         f"wide, {runs} runs")
if not failed:
    print(f"ok wide/networks: {count}, {decided} decided by both, {wide} with large constants, "
          f"{runs} runs")
sys.exit(bool(failed))
PY
