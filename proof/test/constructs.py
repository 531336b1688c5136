#!/usr/bin/env python3
"""Each construct of both languages in a model of its own: proof/test/constructs.py [NAME... | constructs | uppaal]

constructs.txt has the models, in sections. doc/notes/proof.md lists the sections with their places in Spec.v, in the guide and in
src/check; what it names must be there. For each query tarn must give the answer that the documents of UPPAAL, or of TChecker, ask for, and tarn certify and
tarn-proved must accept the evidence for it. Where a model has `{{bad||good}}`, the bad one is an error at run time: tarn must say so,
and both checkers must reject the certificate of the good one, under the hash of the bad one.
The models of test/uppaal are asked in the same way; there tarn-proved may say that something is not covered.
TARN and PROVED name the programs.
"""
import glob, hashlib, json, os, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TARN = os.path.abspath(os.environ.get("TARN", ROOT + "/build/release/tarn"))
PROVED = os.path.abspath(os.environ.get("PROVED", ROOT + "/build/proof/tarn-proved"))
ERROR = re.compile("does not fit|overflow|divided by zero|shifted by|out of the range|out of the bounds|negative value|below zero|becomes negative|rate of a clock|different rates|outside")
count = dict(models=0, evidence=0, errors=0, covered=0, open=0, wrong=0)


def run(command):
    done = subprocess.run(command, capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def complain(name, why):
    count["wrong"] += 1
    print("wrong: %s: %s" % (name, why), flush=True)


def read_cases(path):
    """Of `== NAME`, queries `T E<> p` or `F A[] p`, and the model; U: the proved checker does not cover the evidence."""
    cases = []
    for line in open(path).read().split("\n"):
        if line.startswith("## "):
            continue
        if line.startswith("== "):
            cases.append((line[3:].strip(), [], []))
        elif cases and re.match(r"[TFU]+ ", line) and not cases[-1][2]:
            cases[-1][1].append(tuple(line.split(" ", 1)))
        elif cases and (line or cases[-1][2]):
            cases[-1][2].append(line)
    return [(name, queries, "\n".join(text).rstrip() + "\n") for name, queries, text in cases]


def evidence(model, query, folder):
    """The verdict, and the file of a certificate or a run."""
    cert, file = folder + "/cert", folder + "/run"
    if os.path.exists(cert):
        os.remove(cert)
    _, out, err = run([TARN, "check", "--quiet", "--json", "--trace", "concrete", "--partial-order", "off", "--certificate", cert, "-q", query, model])
    try:
        result = json.loads(out)["results"][0]
    except (ValueError, KeyError, IndexError):
        return None, None, err.strip()
    if os.path.exists(cert) and os.path.getsize(cert):
        return result.get("verdict"), cert, err
    with open(file, "w") as f:
        json.dump({"results": [result]}, f)
    return result.get("verdict"), file if (result.get("trace") or {}).get("kind") == "concrete" else None, err or str(result.get("reason"))


def judge(name, model, query, file, may_be_open):
    status, out, _ = run([TARN, "certify", model, file])
    if status != 0:
        complain(name, "tarn certify rejects the evidence for %s: %s" % (query, out.strip()))
    status, out, err = run([PROVED, model, file])
    if status == 0:
        count["evidence"] += 1
    elif may_be_open and re.search("not cover|do not show", out + err):
        count["open"] += 1
    else:
        complain(name, "tarn-proved rejects the evidence for %s: %s" % (query, (out + err).strip()))


def number(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def under_hash(data, model):
    """The certificate, with the hash of this model."""
    _, shown, _ = run([TARN, "show", model])
    at = number(data, data.index(b"\n") + 1)[1]
    return data[:at] + hashlib.sha256(shown.split("\n", 1)[1].encode()).digest() + data[at + 32:]


def ending_of(text):
    return ".tck" if text.startswith("system:") else ".xta"


def fails(name, text, folder):
    ending = ending_of(text)
    bad, good = folder + "/bad" + ending, folder + "/good" + ending
    for path, side in ((bad, 1), (good, 2)):
        with open(path, "w") as f:
            f.write(re.sub(r"\{\{(.*?)\|\|(.*?)\}\}", lambda m: m[side], text, flags=re.S))
    verdict, file, said = evidence(bad, "A[] true", folder)
    if verdict not in (None, "refused", "undecided") or not ERROR.search(said):
        complain(name, "tarn finds no error: %s %s" % (verdict, said))
        return
    verdict, file, said = evidence(good, "A[] true", folder)
    if verdict != "satisfied" or file is None:
        complain(name, "there is no certificate without the error: %s" % said)
        return
    judge(name, good, "A[] true", file, False)
    with open(file, "rb") as f:
        data = under_hash(f.read(), bad)
    with open(folder + "/forged", "wb") as f:
        f.write(data)
    for program in ([TARN, "certify"], [PROVED]):
        status, out, err = run(program + [bad, folder + "/forged"])
        if status != 1:
            complain(name, "status %d of %s for a model with an error: %s" % (status, os.path.basename(program[0]), (out + err).strip()))
        elif "another model" in out + err or "hash" in out + err:
            complain(name, "%s looks at the hash only" % os.path.basename(program[0]))
    count["errors"] += 1


def one(name, queries, text, folder):
    model = folder + "/model" + ending_of(text)
    count["models"] += 1
    if "||" in text and re.search(r"\{\{.*?\|\|.*?\}\}", text, re.S):
        fails(name, text, folder)
        return
    with open(model, "w") as f:
        f.write(text)
    _, a, why = run([TARN, "show", model])
    _, b, err = run([PROVED, "--show", model])
    if a != b:
        complain(name, "it is read in another way: %s%s" % (why, err))
    for expected, query in queries:
        verdict, file, said = evidence(model, query, folder)
        if verdict != {"T": "satisfied", "F": "not satisfied"}[expected[0]]:
            complain(name, "%s: %s (%s)" % (query, verdict, said))
        elif file is None:
            complain(name, "%s has no evidence" % query)
        else:
            judge(name, model, query, file, "U" in expected)


def known(model, folder):
    """A model of test/uppaal: all its evidence."""
    status, _, err = run([PROVED, "--show", model])
    if status != 0:
        count["open"] += 1
        if "not covered" not in err:
            complain(model, err.strip())
        return
    for query in run([TARN, "show", "--queries", model])[1].splitlines():
        verdict, file, said = evidence(model, query, folder)
        if file:
            judge(os.path.basename(model), model, query, file, True)
            count["covered"] += 1


def table():
    """What the table in doc/notes/proof.md names."""
    def text_of(*paths):
        return "\n".join(open(p).read() for path in paths for p in glob.glob(ROOT + path))
    notes, guide = text_of("/doc/notes/proof.md"), re.sub(r"[`*\s]+", " ", text_of("/doc/guide/uppaal.md", "/doc/guide/queries.md", "/doc/guide/tchecker.md", "/src/output/help/language.txt"))
    spec, check = text_of("/proof/Spec.v", "/proof/RunSpec.v"), text_of("/src/check/*.c", "/src/check/trees/*.c")
    sections = re.findall(r"^## (.*)$", text_of("/proof/test/constructs.txt"), re.M)
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in notes.split("\n") if line.startswith("| ") and line.count(" | ") == 3]
    rows = [row for row in rows if row[0] in sections]
    for section in set(sections) - {row[0] for row in rows}:
        complain("doc/notes/proof.md", "it has no row for `%s`" % section)
    for section, places, sentence, own in rows:
        for name in re.findall(r"`(\w+)`", places):
            if not re.search(r"^(Definition|Fixpoint|with|Inductive|Record|\||) *%s\b|[;{(|=] *%s\b" % (name, name), spec, re.M):
                complain(section, "`%s` is not defined in Spec.v or RunSpec.v" % name)
        for name in re.findall(r"`(\w+)`", own):
            if not re.search(r"\b%s\(" % name, check):
                complain(section, "src/check has no `%s`" % name)
        for part in re.sub(r"[`*]", "", sentence).split(" ... "):
            if part.strip() not in guide:
                complain(section, "the guide does not say: %s" % part)


def main():
    table()
    wanted = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for name, queries, text in read_cases(ROOT + "/proof/test/constructs.txt"):
            if not wanted or name in wanted or "constructs" in wanted:
                one(name, queries, text, folder)
        for model in sorted(glob.glob(ROOT + "/test/uppaal/*.x*") + glob.glob(ROOT + "/test/uppaal/*.ta")):
            if not wanted or "uppaal" in wanted:
                known(model, folder)
    print("%d models of constructs, %d of them with an error at run time; evidence for %d queries is accepted by both, %d of them of "
          "test/uppaal; %d not covered; %d wrong" % (count["models"], count["errors"], count["evidence"], count["covered"], count["open"], count["wrong"]))
    return count["wrong"] > 0


sys.exit(main())
