#!/usr/bin/env python3
"""Hostile certificates and runs end within the limits of `tarn certify`: test/hostile_evidence.py

Counts that are far too large, features that nobody knows, lists of millions of hints, conditions that have exponentially many
conjunctions or very many parts, deep JSON. Each must end with the status 0 to 3, without a crash, within
--time-limit 1 and some time for reading, and within --memory-limit 200. TARN names the command.
"""
import hashlib, json, os, random, resource, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARN = os.path.abspath(os.environ.get("TARN", ROOT + "/build/release/tarn"))
MOST = 4 if "asan" not in TARN else 40  # seconds of processor time
MODEL = """system:s
event:a
clock:1:x
clock:1:y
process:P
location:P:A{initial: : invariant: x<=2}
location:P:B{labels:goal}
edge:P:A:A:a{provided: x>=1 : do: x=0}
edge:P:A:B:a{provided: x>5}
"""
# Eight clocks, whose space can be cut into very many pieces.
MANY = """system:s
event:a
process:P
location:P:A{initial:}
""" + "".join("clock:1:x%d\n" % i for i in range(8))
REACH, LIVE = "E<> P.B", "A<> P.B"
count, failures = 0, []


def number(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def attempt(name, data, model="model.tck", memory=200):
    """With more memory a limit of time comes first."""
    global count
    with open("evidence", "wb") as file:
        file.write(data)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run([TARN, "certify", "--time-limit", "1", "--memory-limit", str(memory), model, "evidence"],
                              capture_output=True, timeout=120)
        status = done.returncode
    except subprocess.TimeoutExpired:
        status = None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    count += 1
    if status not in (0, 1, 2, 3) or spent > MOST:
        failures.append("%s: status %s after %.1f s" % (name, status, spent))


def hash_of(model):
    shown = subprocess.run([TARN, "show", model], capture_output=True).stdout
    return hashlib.sha256(shown.split(b"\n", 1)[1]).digest()


def head(features, query, slots=1, clocks=2, model="model.tck"):
    text = query.encode()
    return (b"tarn certificate 6\n" + number(features) + (HASH if model == "model.tck" else hash_of(model)) + number(1) + number(len(text)) + text + number(0) + number(slots) +
            number(clocks))


def entry(c):
    value = 2 * c + 1
    return number((2 * value if value >= 0 else -2 * value - 1) + 1)


def certificate(features, query, nodes, hints):
    """Equal nodes, each with so many hints, the last of which is the right one."""
    live = features & 2
    first = number(0) + number(2) + (number(0) + number(1) + number(1)) * 2 + (number(0) if features & 4 else b"")
    matrix = entry(0) * 2 + number(0) * 4
    mark = number(0) if live else b""
    out = head(features, query) + (number(1) + number(0) if live else b"") + number(1) + number(0) + number(0)
    out += number(1) + number(0) + (number(1) if live else b"") + number(nodes)
    successors = number(hints) + b"".join(number(0) + number(0 if i == hints - 1 else nodes - 1) for i in range(hints))
    for i in range(nodes):
        out += mark + (first if i == 0 else number(0)) + matrix + successors
    return out + number(0)


def counts():
    large = 1 << 62
    for features in list(range(40)) + [64, 128, 130, 256, 258, 384, 386, 390, 512, 1 << 31, large]:
        for tail in (number(large) * 20, number(1) * 200, number(0) * 100, b"\xff" * 50, number(1000000000) * 3):
            attempt("features %d" % features, head(features, LIVE if features & 2 else REACH) + tail)
    for n in (1 << 20, 1 << 31, (1 << 32) - 1, 1 << 40, large):
        attempt("hints", head(0, REACH) + number(n))
        attempt("groups", head(0, REACH) + number(0) + number(n))
        attempt("nodes", head(0, REACH) + number(0) + number(1) + number(0) + number(n))
        attempt("text", b"tarn certificate 6\n" + number(0) + HASH + number(1) + number(n))
        attempt("sections", head(0, REACH) + number(0) + number(0) + number(n))
        attempt("marks", head(2, LIVE) + number(n))
        attempt("sizes", head(0, REACH, n, n))


def lists():
    for nodes, hints in ((1000, 1000), (200, 20000), (1, 2000000), (30000, 30)):
        attempt("%d nodes" % nodes, certificate(0, REACH, nodes, hints))
        attempt("%d live nodes" % nodes, certificate(2, LIVE, nodes, hints))
        attempt("%d timed nodes" % nodes, certificate(130, "A<> P.B || x > 1 && x < 2 || y > 3", nodes, hints))


def conditions():
    gaps = " || ".join("(x > %d && x < %d && y - x < %d)" % (3 * i, 3 * i + 2, i) for i in range(200))
    steps = " || ".join("(x <= %d && y >= %d && x - y <= %d)" % (i, i * 7 % 50, i * 3 % 11) for i in range(40))
    many = " && ".join("(x < %d || y > %d)" % (i, i) for i in range(60))
    attempt("parts with gaps", certificate(134, "E[] " + gaps, 1, 1))
    attempt("steps of parts", certificate(134, "E[] " + steps, 1, 1))
    attempt("many conjunctions", certificate(0, "E<> " + many, 1, 1))
    attempt("many parts", certificate(130, "E[] " + many, 1, 1))
    for text in (many, "(" * 200000 + "P.B", " || ".join("(x < %d && y > %d)" % (i, i) for i in range(4000))):
        result = {"query": "E<> " + text, "verdict": "satisfied", "trace": {"kind": "concrete", "steps": [{}]}}
        attempt("a run for %s..." % text[:20], json.dumps({"results": [result]}).encode())


def pieces():
    """Parts of a condition, and what is left of a zone where nothing is deadlocked."""
    rng = random.Random(5)
    tests = lambda count: ["x%d %s %d" % (x, rng.choice("<>"), rng.randint(1, 40)) for x in rng.sample(range(1, 8), count)]
    with open("many.tck", "w") as file:
        file.write(MANY + "".join("edge:P:A:A:a{provided:%s}\n" % " && ".join(["x0 < 50"] + tests(6)) for _ in range(60)))
    query = "E[] " + " || ".join("(%s)" % " && ".join(tests(6)) for _ in range(100))
    attempt("parts of eight clocks", head(130, query, 1, 8, "many.tck") + number(1) + number(0) * 4, "many.tck", 2000)
    node = number(0) + number(0) + number(60) + number(0) * 120  # no clocks; all transitions lead to it
    attempt("pieces without a deadlock", head(0, "A[] not deadlock", 1, 8, "many.tck") + number(1) + number(0) * 2 + number(1) +
            number(0) + number(1) + node + number(0), "many.tck", 2000)


def texts():
    for deep in (1000, 100000, 3000000):
        for piece in (b"[", b'{"results":', b'{"results":['):
            attempt("%d of %s" % (deep, piece.decode()), piece * deep)
    attempt("many results", b'{"results":[' + b",".join([b'{"query":"E<> P.B","verdict":"satisfied","trace":{"steps":[]}}'] * 200000) + b"]}")


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    with open("model.tck", "w") as file:
        file.write(MODEL)
    HASH = hash_of("model.tck")
    counts()
    lists()
    conditions()
    pieces()
    texts()
for failure in failures:
    print("FAIL hostile evidence: " + failure)
if not failures:
    print("ok hostile evidence: %d files end within their limits" % count)
sys.exit(bool(failures))
