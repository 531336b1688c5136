#!/usr/bin/env python3
"""Random networks and all evidence about them: proof/test/evidence.py tck|gaps|uppaal FIRST COUNT [EACH]

For each seed a network, in the language of TChecker (gaps: one that compares clocks with each other) or of UPPAAL, and queries of every kind: E<>, A[], E[], A<>, -->,
buchi:, with deadlock, sup, inf and bounds. All that tarn writes must be accepted by `tarn certify`, and by tarn-proved
unless it says that something is not covered. Then, EACH times for each piece:
- a run or a certificate that is changed: what only tarn-proved accepts is counted, and wrong if what it claims was changed;
- false claims: evidence, changed or not, that is said to be about a query that has the opposite answer. Both must reject it.
With NON_ZENO=1 in queries about infinite runs only those count in which time diverges. tarn-proved must say so of each. A run in which
time does not diverge may be accepted, but not as one in which it does.
The last line is the sum. Files of what went wrong stay in WORK (default: build/proof/evidence). TARN, PROVED, FORGE and PRINT
name the programs.
"""
import json, os, random, re, shutil, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = {name: os.environ.get(name, ROOT + path) for name, path in {
    "TARN": "/build/release/tarn", "PROVED": "/build/proof/tarn-proved", "FORGE": "/build/proof/forge",
    "PRINT": "/build/release/test/fuzz/uppaal_print"}.items()}
NON_ZENO = os.environ.get("NON_ZENO") == "1"
ABOUT_RUNS = re.compile(r"A<>|E\[\]|buchi|.* --> ")
TARN, PROVED, FORGE, PRINT = (os.path.abspath(PROGRAM[n]) for n in ("TARN", "PROVED", "FORGE", "PRINT"))
OPEN = re.compile("not covered|not cover|not shown|do not show|not proved to be|are too large|too large|as it is written|more than one|"
                  "one side of a value|reads a meta variable|has no initial|no labels|a run without a query")
count = dict.fromkeys(["models", "refused", "certificates", "runs", "open", "rejected", "valid", "stricter", "looser", "lies", "wrong"], 0)


def run(command, limit=60):
    try:
        done = subprocess.run(command, capture_output=True, timeout=limit, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return None, "", "it took too long"


def complain(seed, model, why, *files):
    count["wrong"] += 1
    print("wrong: seed %d: %s" % (seed, why), flush=True)
    shutil.copy(model, "wrong-%d-%s" % (seed, os.path.basename(model)))
    for file in files:
        shutil.copy(file, "wrong-%d-%s" % (seed, os.path.basename(file)))


def by_tarn(model, files):
    """Which are accepted. tarn ends at a file that it cannot read; each has one piece of evidence."""
    accepted, left = set(), list(files)
    while left:
        _, out, _ = run([TARN, "certify", model] + left)
        lines = [line for line in out.splitlines() if re.search(" is (accepted|rejected)", line)]
        accepted.update(f for f, line in zip(left, lines) if " is accepted" in line)
        left = left[len(lines) + 1:]
    return accepted


def by_proved(model, files):
    _, out, _ = run([PROVED, model] + files, 300)
    said = {}
    for line in out.splitlines():
        for word in (": proved: ", ": rejected: "):
            if word in line:
                said.setdefault(line.split(word)[0], line)
                break
    return said


def claimed(said, file):
    return said.get(file, "").split(": proved: ")[-1].rsplit(" (", 1)[0]


def is_proved(said, file):
    return ": proved: " in said.get(file, "")


def is_false(said, file, text, in_tarn):
    """Whether a false claim of this query is accepted."""
    if NON_ZENO and ABOUT_RUNS.match(text) and file[:2] != "lc":
        return "time diverges" in said.get(file, "")
    return in_tarn or is_proved(said, file)


def queries(language, seed, model):
    pick = random.Random(seed)
    if language != "uppaal":
        processes = 1 + seed % 3
        p, l = "P%d" % (seed // 3 % processes), "l%d" % (seed // 5 % 3)
        o, k = "P%d" % (seed // 7 % processes), "l%d" % (seed // 11 % 3)
        f, g = "%s.%s" % (p, l), "%s.%s" % (o, k)
        clocks = re.findall(r"^clock:(\d+):(\w+)", open(model).read(), re.M)
        clocks = [name if size == "1" else name + "[0]" for size, name in clocks]
        clock, number = clocks[0], "v0"
        if language == "gaps" and len(clocks) > 1 and seed % 2:
            f = "%s && %s - %s %s %d" % (f, clocks[0], clocks[1], pick.choice(["<", "<=", ">", ">="]), pick.randrange(-3, 4))
    else:
        f = open(model).readline()[3:].strip()
        f = f[3:].strip() if f.startswith("E<>") else "true"
        g = f.split("&&")[0].strip()
        clock, number = pick.choice(["x[0]", "x[1]"]), pick.choice(["j", "i"])
    state = ["E<> %s", "A[] not (%s)", "E<> deadlock && (%s)", "A[] (deadlock imply not (%s))"]
    runs = ["A<> %s", "E[] not (%s)", "buchi: %s"]
    all_ = [q % f for q in state + runs] + ["A[] not deadlock", "E<> deadlock", "%s --> %s" % (g, f), "%s --> not (%s)" % (f, f), "E[] %s" % g,
            "A<> not (%s)" % g, "sup{%s}: %s" % (f, clock), "inf{%s}: %s" % (g, clock), "bounds: %s" % number]
    if language != "uppaal":
        last = processes - 1
        all_ += [q % (last, l) for q in ("E<> exists (i : int[0,%d]) P(i).%s", "A[] forall (i : int[0,%d]) not P(i).%s", "A<> exists (i : int[0,%d]) P(i).%s",
                                         "buchi: exists (i : int[0,%d]) P(i).%s")]
        all_ += ["A[] sum (i : int[0,%d]) P(i).%s <= %d" % (last, l, pick.randrange(3)), "%s --> exists (i : int[0,%d]) P(i).%s" % (f, last, k),
                 "E<> forall (i : int[0,%d]) forall (j : int[0,%d]) (P(i).%s && P(j).%s imply i %s j)" % (last, last, l, k, pick.choice(["==", "<", "!="]))]
    return all_


def answer_of(text, verdict):
    """Whether a run shows the query (True), or a certificate (False); None: it is about values."""
    if re.match("sup|inf|bounds", text):
        return None
    exists = re.match(r"E|buchi", text) is not None
    return (verdict == "satisfied") == exists


def digits(text, rng):
    places = [m.span() for m in re.finditer(r'"\d+(/\d+)?"', text)]
    if not places:
        return text
    a, b = rng.choice(places)
    old = text[a + 1:b - 1]
    top = int(old.split("/")[0])
    new = rng.choice([str(top + 1), str(max(0, top - 1)), "%d/2" % (2 * top + 1), str(top * 10 + 5), "0", str(1 << rng.choice([20, 31, 40, 62]))])
    return text[:a + 1] + new + text[b - 1:]


def changed(result, rng):
    """A run in which one thing is another one."""
    r = json.loads(json.dumps(result))
    trace, steps = r["trace"], r["trace"]["steps"]
    kind = rng.randrange(12)
    if kind < 3:
        r = json.loads(digits(json.dumps(r), rng))
    elif kind == 3 and len(steps) > 1:
        del steps[rng.randrange(1, len(steps))]
    elif kind == 4 and len(steps) > 1:
        steps.insert(rng.randrange(1, len(steps) + 1), json.loads(json.dumps(rng.choice(steps[1:]))))
    elif kind == 5 and trace.get("loop"):
        trace["loop"]["from"] = rng.choice([0, trace["loop"]["from"] + 1, max(0, trace["loop"]["from"] - 1), len(steps) - 1])
    elif kind == 6:
        if trace.get("loop"):
            del trace["loop"]
        else:
            trace["loop"] = {"from": rng.randrange(len(steps))}
    elif kind == 7 and trace.get("loop"):
        if trace["loop"].get("times"):
            del trace["loop"]["times"]
        else:
            trace["loop"]["times"] = "vary"
    elif kind == 8 and len(steps) > 1:
        edges = rng.choice(steps[1:])["edges"]
        if edges:
            rng.choice(edges)["index"] = rng.randrange(12)
    elif kind == 9:
        step = rng.choice(steps)
        name = rng.choice(list(step["variables"]) or [None])
        if name:
            step["variables"][name] += rng.choice([-1, 1])
    elif kind == 10 and len(steps) > 1:
        steps.pop()
    elif kind == 11:
        trace["end_time"] = str(rng.randrange(12))
        trace.pop("end_clocks", None)
    return r


def store(path, result):
    with open(path, "w") as file:
        json.dump({"options": {"non-zeno": NON_ZENO}, "results": [result]}, file)


def one(language, seed, each):
    rng = random.Random(seed * 7 + 1)
    for name in os.listdir("."):
        if not name.startswith("wrong"):
            os.remove(name)
    model = "model.xta" if language == "uppaal" else "model.tck"
    with open(model, "w") as file:
        command = [PRINT, str(seed)] if language == "uppaal" else [
            TARN, "gen", "random", "seed=%d" % seed, "processes=%d" % (1 + seed % 3),
            "locations=%d" % (2 + seed // 3 % 3), "edges=%d" % (3 + seed // 4 % 4), "ints=%d" % (1 + seed // 5 % 2)] + (
            ["clocks=%d" % (1 + seed // 2 % 3)] if language == "tck" else
            ["diagonals=1", "clocks=%d" % (2 + seed // 2 % 2), "drift=%d" % (seed % 4 == 0), "constant=%d" % (1 + seed % 4)])
        file.write(subprocess.run(command, capture_output=True).stdout.decode())
    status, _, err = run([PROVED, "--show", model])
    if status != 0:
        count["refused"] += 1
        return
    count["models"] += 1
    texts, answers, pieces, zeno = queries(language, seed, model), {}, [], []
    symmetry = ["--symmetry", "off"] if seed % 3 else []
    options = symmetry + (["--partial-order", "off"] if seed % 2 else []) + (["--non-zeno"] if NON_ZENO else [])
    for i, text in enumerate(texts):
        cert = "c%d" % i
        status, out, err = run([TARN, "check", "--quiet", "--json", "--trace", "concrete", "--time-limit", "3", "--certificate", cert] + options + ["-q", text, model], 20)
        try:
            result = json.loads(out)["results"][0]
        except (ValueError, KeyError, IndexError):
            continue
        if result.get("verdict") not in ("satisfied", "not satisfied") or status is None:
            continue
        answers[text] = answer_of(text, result["verdict"])
        if os.path.exists(cert) and os.path.getsize(cert):
            pieces.append((text, cert, None))
        elif (result.get("trace") or {}).get("kind") == "concrete":
            store("r%d" % i, result)
            pieces.append((text, "r%d" % i, result))
        if NON_ZENO and ABOUT_RUNS.match(text) and not answers[text]: # there may be another run
            _, out, _ = run([TARN, "check", "--quiet", "--json", "--trace", "concrete", "--time-limit", "3"] + options[:-1] + ["-q", text, model], 20)
            try:
                result = json.loads(out)["results"][0]
            except (ValueError, KeyError, IndexError):
                continue
            if (result.get("trace") or {}).get("kind") == "concrete":
                store("lz%d" % i, result)
                zeno.append((text, "lz%d" % i))
    files = [f for _, f, _ in pieces]
    if not files:
        return
    tarn, said = by_tarn(model, files), by_proved(model, files)
    good = []
    for text, file, result in pieces:
        if file not in tarn:
            if result is None or answers[text] is not None:
                complain(seed, model, "tarn rejects its own evidence for " + text, file)
        elif is_proved(said, file):
            count["runs" if result else "certificates"] += 1
            if NON_ZENO and result and ABOUT_RUNS.match(text) and "time diverges" not in said[file]:
                complain(seed, model, "time is not shown to diverge in the run of " + text, file)
            good.append((text, file, result))
        elif OPEN.search(said.get(file, "")):
            count["open"] += 1
            good.append((text, file, result))
        else:
            complain(seed, model, "the proved checker: %s (%s)" % (said.get(file, "nothing is said"), text), file)
    forged, lies, claims = [], zeno, {}
    for text, file, result in good:
        others = [q for q in answers if answers[q] is not None and answers[q] != (result is not None)]
        if result is None:
            run([FORGE, str(seed), str(each), file, "f" + file])
            new = [n for n in sorted(os.listdir(".")) if n.startswith("f" + file + "-")][:2 * each]
            forged += [(text, n) for n in new]
            claims.update((n, claimed(said, file)) for n in new if answers[text] is None) # what is claimed may be changed
            for other in rng.sample(others, min(2, len(others))):
                kind = ("5" if NON_ZENO and rng.randrange(2) else "3") if ABOUT_RUNS.match(other) else "1"
                prefix = "l%s-%d" % (file, texts.index(other))
                run([FORGE, str(seed), str((each + 1) // 2), file, prefix, kind, other])
                lies += [(other, n) for n in sorted(os.listdir(".")) if n.startswith(prefix + "-")]
        else:
            for i in range(each):
                name = "f%s-%d" % (file, i)
                store(name, changed(result, rng))
                forged.append((text, name))
                if others:
                    other, name = rng.choice(others), "l%s-%d" % (file, i)
                    lie = changed(result, rng) if rng.randrange(3) else dict(result)
                    lie["query"] = other
                    lie["verdict"] = "satisfied" if re.match("E|buchi", other) else "not satisfied"
                    store(name, lie)
                    lies.append((other, name))
    files = [n for _, n in forged + lies]
    tarn, said = by_tarn(model, files), by_proved(model, files)
    for text, name in forged:
        t, p = name in tarn, is_proved(said, name)
        if t and p:
            count["valid"] += 1
        elif p:
            count["looser"] += 1
            if name in claims and claimed(said, name) != claims[name]:
                complain(seed, model, "only tarn-proved accepts: " + said[name], name)
        elif t:
            count["stricter"] += 1
        else:
            count["rejected"] += 1
    for text, name in lies:
        if is_false(said, name, text, name in tarn):
            complain(seed, model, "a false claim is accepted (tarn %s, proved %s): %s" % (name in tarn, is_proved(said, name), text), name)
        count["lies"] += 1


def main():
    language, first, number = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    each = int(sys.argv[4]) if len(sys.argv) > 4 else 6
    work = os.environ.get("WORK", ROOT + "/build/proof/evidence")
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    for seed in range(first, first + number):
        one(language, seed, each)
    print("%s, seeds %d to %d: %d models, %d refused by name; %d certificates and %d runs accepted by both, %d not covered; changed: %d rejected by both, "
          "%d valid for both, %d for tarn only, %d for tarn-proved only; %d false claims rejected; %d wrong" %
          ((language + (" where time diverges" if NON_ZENO else ""), first, first + number - 1) + tuple(count[k] for k in ("models", "refused", "certificates", "runs", "open", "rejected", "valid",
                                                                             "stricter", "looser", "lies", "wrong"))))
    return count["wrong"] > 0


sys.exit(main())
