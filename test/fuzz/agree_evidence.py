#!/usr/bin/env python3
"""Random networks x kinds of queries x options: whether every verdict has evidence that is accepted.

test/fuzz/agree_evidence.py [--only KIND] [--keep DIR] FIRST COUNT

Each seed makes a network: in UPPAAL's language, of copies of one process, or of TChecker's language with differences of
clocks, without them, or with large constants. Some queries of every kind are asked with random options, once plainly and once with
--certificate and --trace concrete. Whatever is decided plainly must be decided with evidence, in the same way, and
`tarn certify` must accept that. Each failure is printed with the command; the last line counts. --keep keeps the models.
What the guide's page on evidence names as an exception is counted apart: meta variables that are read before they are written, deadlocks
that are not proved absent where clocks are compared, and clocks that grow without end where clocks are compared.
TARN, UPPAAL and COPIES name the programs.
"""
import argparse, collections, json, os, random, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TARN = os.environ.get("TARN", ROOT + "/build/release/tarn")
UPPAAL = os.environ.get("UPPAAL", ROOT + "/build/release/test/fuzz/uppaal_print")
COPIES = os.environ.get("COPIES", ROOT + "/build/release/test/fuzz/copies_print")
LIMIT = 2  # seconds of a search; one for evidence may take ten times as long
DECIDED = ("satisfied", "not satisfied")
EXCEPTIONS = ("cannot be proved absent",)


def run(command, limit=60):
    try:
        done = subprocess.run(command, capture_output=True, timeout=limit, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return None, "", "it took too long"


def random_tck(seed, rng):
    kind = rng.choice(["plain", "closed", "gaps", "large"])
    keys = ["seed=%d" % seed, "processes=%d" % rng.randint(1, 3), "clocks=%d" % rng.randint(1, 3),
            "locations=%d" % rng.randint(2, 4), "edges=%d" % rng.randint(3, 6), "ints=%d" % rng.randint(1, 2)]
    keys += {"plain": [], "closed": ["closed=1"], "gaps": ["diagonals=1"], "large": []}[kind]
    status, text, _ = run([TARN, "gen", "random"] + keys)
    if kind == "large":  # a constant that no common divisor makes small
        text = re.sub(r"^(edge:.*provided:.*?)(\bx\d)(<=|<|>=|>)(\d+)",
                      lambda m: "%s%s%s%d" % (m[1], m[2], m[3], 67108864 * (int(m[4]) + 1) + 1 + int(m[4])), text, count=0, flags=re.M)
    return text


def make(seed, rng):
    kind = rng.choice(["uppaal", "uppaal", "copies", "tck", "tck"])
    if kind == "tck":
        return ".tck", random_tck(seed, rng)
    return (".xta", run([UPPAAL, str(seed)])[1]) if kind == "uppaal" else (".tck", run([COPIES, str(seed)])[1])


def atoms(ending, text, rng):
    """Conditions on states, on clocks, and names of clocks and variables."""
    if ending == ".xta":
        found = text.split("\n")[0][3:]
        found = re.sub(r"^(E<>|A\[\])", "", found).strip()
        states = [part for part in found.split(" && ") if re.fullmatch(r"T\d(\(\d\))?\.l\d", part.strip())] + \
                 ["i >= %d" % rng.randint(0, 3), "j == %d" % rng.randint(0, 3), "b"]
        clocks = ["x[%d]" % i for i in range(int(re.search(r"clock x\[(\d)\]", text)[1]))]
        return states, clocks, ["i", "j"]
    processes = re.findall(r"^process:(\w+)", text, re.M)
    places = re.findall(r"^location:(\w+):(\w+)", text, re.M)
    clocks = [name if size == "1" else name + "[0]" for size, name in re.findall(r"^clock:(\d+):(\w+)", text, re.M)]
    ints = [name if size == "1" else name + "[0]" for size, name in re.findall(r"^int:(\d+):\S*?:(\w+)\s*$", text, re.M)]
    assert processes
    return ["%s.%s" % place for place in places], clocks, ints


def condition(states, clocks, ints, rng):
    parts = []
    for _ in range(rng.randint(1, 2)):
        which = rng.randrange(5)
        if which < 2 or not (ints if which == 2 else clocks):
            parts.append(rng.choice(states))
        elif which == 2:
            parts.append("%s %s %d" % (rng.choice(ints), rng.choice(["==", "<=", "!="]), rng.randint(0, 2)))
        elif which == 3 or len(clocks) < 2 or rng.randrange(3):
            parts.append("%s %s %d" % (rng.choice(clocks), rng.choice(["<", "<=", ">", ">="]), rng.randint(0, 3)))
        else:
            a, b = rng.sample(clocks, 2)
            parts.append("%s - %s %s %d" % (a, b, rng.choice(["<", "<=", ">", ">="]), rng.randint(-2, 2)))
    return rng.choice([" && ", " || "]).join(parts)


def queries(ending, text, rng):
    states, clocks, ints = atoms(ending, text, rng)

    def c():
        return condition(states, clocks, ints, rng)

    plain = rng.choice(states)
    values = clocks + ints
    forms = ["E<> (%s)" % c(), "A[] not (%s)" % c(), "E<> deadlock && (%s)" % c(), "A[] not deadlock",
             "A[] (deadlock imply (%s))" % c(), "E<> not deadlock && (%s)" % c(), "A<> (%s)" % c(), "E[] (%s)" % c(), "(%s) --> (%s)" % (c(), c()),
             "A<> " + plain, "E[] not " + plain, "%s --> %s" % (plain, rng.choice(states)), "buchi: %s" % plain,
             "buchi: %s, %s" % (plain, rng.choice(states)), "E[] true"]
    if values:
        forms += ["sup: %s" % rng.choice(values), "inf{%s}: %s" % (c(), rng.choice(values)),
                  "bounds{%s}: %s" % (c(), rng.choice(values)), "sup{%s}: %s" % (c(), rng.choice(values))]
    return rng.sample(forms, 6)


def options(rng):
    chosen = []
    for option, values in (("--engine", ["zones", "local", "darts", "points"]), ("--symmetry", ["off", "on"]),
                           ("--partial-order", ["off", "on"]), ("--abstraction", ["am", "extra-m", "extra-lu+", "closure"]),
                           ("--bounds", ["local", "global", "fly", "lazy"]), ("--order", ["bfs", "dfs", "hunt"]),
                           ("--threads", ["2"]), ("--non-zeno", [None]), ("--prefer", ["shortest", "fastest", "any"])):
        if rng.randrange(6) == 0:
            chosen += [option] + [v for v in [rng.choice(values)] if v]
    return chosen


def answer(status, out):
    try:
        return json.loads(out)["results"][0]
    except (ValueError, KeyError, IndexError):
        return {}


def reason(err):
    lines = [re.sub(r"^.*?(error|warning): ", "", line) for line in err.splitlines() if "error" in line or "warning" in line]
    return (lines or [err.strip() or "nothing is said"])[-1][:200]


def is_exception(failed, model, query, values, said):
    keeps_meta = "may be read before it is written" in said
    with open(model) as file:
        compares = re.search(r"\bx\S* ?- ?x", file.read() + query)
    return failed and failed.startswith("no evidence") and (keeps_meta or any(e in failed for e in EXCEPTIONS) or (
        compares and "without end" in (values or "")))


def check_one(model, query, chosen, scratch):
    """What failed, or None; and whether there was a verdict (2: one that the guide excepts)."""
    proof, trace = scratch + "/proof", scratch + "/run.json"
    for file in (proof, trace):
        if os.path.exists(file):
            os.remove(file)
    plain = [TARN, "check", "--json"] + chosen + ["-q", query, model]
    status, out, err = run(plain[:-1] + ["--time-limit", str(LIMIT), model])
    verdict = answer(status, out).get("verdict")
    if status is not None and status < 0:
        return "check crashed", True
    if verdict not in DECIDED and not (verdict or "").startswith("answered") and not answer(status, out).get("values"):
        return None, False
    status, again, err = run(plain[:-1] + ["--trace", "concrete", "--certificate", proof, "--time-limit", str(10 * LIMIT), model])
    result = answer(status, again)
    if not result:
        return "with evidence nothing is answered: " + reason(err), True
    if result.get("verdict") != verdict:
        return "with evidence the verdict is %s, not %s: %s" % (result.get("verdict"), verdict, reason(err)), True
    if os.path.exists(proof) and os.path.getsize(proof):
        kind, file = "certificate", proof
    elif (result.get("trace") or {}).get("kind") == "concrete":
        kind, file = "run", trace
        with open(trace, "w") as to:
            to.write(again)
    else:
        failed = "no evidence: " + reason("\n".join(e["text"] for e in json.loads(again).get("errors", [])) or err)
        return (None, 2) if is_exception(failed, model, query, result.get("values"), again) else (failed, True)
    status, out, err = run([TARN, "certify", model, file])
    if status != 0:
        return "the %s is rejected: %s" % (kind, reason(err) if err.strip() else out.strip().splitlines()[-1][:200]), True
    return None, True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--keep")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    a = parser.parse_args()
    decided, excepted, failures = 0, 0, collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        for seed in range(a.first, a.first + a.count):
            rng = random.Random(seed)
            ending, text = make(seed, rng)
            model = (a.keep or scratch) + "/seed%d%s" % (seed, ending)
            with open(model, "w") as file:
                file.write(text)
            for query in queries(ending, text, rng):
                chosen = options(rng)
                if a.only and a.only not in query:
                    continue
                failed, known = check_one(model, query, chosen, scratch)
                decided += known > 0
                excepted += known == 2
                if failed:
                    failures[re.sub(r"\d+", "N", failed)[:110]] += 1
                    print("seed %d: %s -q '%s': %s" % (seed, " ".join(chosen), query, failed), flush=True)
            if not a.keep:
                os.remove(model)
    for why, number in failures.most_common():
        print("%5d %s" % (number, why))
    print("%d networks from seed %d, %d verdicts, %d of them excepted by the guide, %d without accepted evidence" %
          (a.count, a.first, decided, excepted, sum(failures.values())))
    return failures.total() > 0


if __name__ == "__main__":
    sys.exit(main())
