#!/usr/bin/env python3
"""Forged certificates of every kind must be rejected: test/fuzz/forge_kinds.py FIRST COUNT

The forger (test/fuzz/forger.c) forges what the engine of zones writes. Here certificates are made with random options: reduced by
symmetry and by partial order, of points, of local time, of hulls. Each seed makes a network and asks queries about states, deadlocks
and infinite runs. Where a run shows that the answer is yes, whose certificate would claim no, the certificate is taken from a network
that differs in a number, a relation or an edge, or from another query; it gets the hash and the query at hand, and some of its bytes
are changed. One that is accepted is false: it is printed and kept in --keep. The last line counts.
TARN, UPPAAL and COPIES name the programs; CERTIFY the checker, if it is another build: build/lowered/tarn writes points, hulls and
reduced sets for small networks, too. PROVED names tarn-proved, which is then asked about all of them, too.
"""
import argparse, collections, hashlib, json, os, random, re, subprocess, sys, tempfile
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import agree_evidence as agree

TARN = agree.TARN
CERTIFY = os.environ.get("CERTIFY", TARN)
PROVED = os.environ.get("PROVED")
RELATIVES, CHANGES = 6, 6
SPOT = r"(?<![\w\]])\d+(?!\w)|<=|>=|==|!=|<(?!=)|(?<![-=])>(?!=)"
FEATURES = {1: "renamed", 2: "endless", 4: "diagonals", 8: "points", 16: "reduced", 128: "timed", 256: "diverges", 512: "forgets", 1024: "sliced"}


def number(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if not byte & 128:
            return value, at


def encoded(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def hash_of(model):
    done = subprocess.run([TARN, "show", model], capture_output=True, timeout=60)
    return hashlib.sha256(done.stdout.split(b"\n", 1)[1]).digest()


def claim(data, own, query):
    """The certificate with this hash and query; where its body begins; its features."""
    at = data.index(b"\n") + 1
    features, at = number(data, at)
    kind, after = number(data, at + 32)
    size, text = number(data, after)
    start = data[:at] + own + data[at + 32:after] + encoded(len(query.encode())) + query.encode()
    return start + data[text + size:], len(start), features


def changed(data, body, rng):
    out = bytearray(data)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(body, len(out))
        which = rng.randrange(4)
        if which == 0:
            out[at] = rng.choice([0, 1, 2, 3, out[at] ^ 1, (out[at] + 1) & 255, (out[at] - 1) & 255])
        elif which == 1:
            out[at] = rng.randrange(128)
        elif which == 2 and len(out) > body + 9:
            size = rng.randint(1, 8)
            other = rng.randrange(body, len(out) - size)
            out[at:at + size] = out[other:other + size]
        else:
            out[at] ^= 2
    return bytes(out)


def alike(lines, i):
    """The lines of other copies of a process that stand where this one does: their names have another number."""
    bare = lambda line: re.sub(r"(?<=[A-Za-z_])\d+", "#", line)
    return [k for k, line in enumerate(lines) if k != i and bare(line) == bare(lines[i])]


def relative(ending, text, rng):
    """The network with another number or relation, or without an edge; half of the time in all copies of a process."""
    lines = text.split("\n")
    all_copies = rng.randrange(2)
    first = 1 if ending == ".xta" else 0
    for _ in range(20):
        i = rng.randrange(first, len(lines))
        line = lines[i]
        same = [i] + (alike(lines, i) if all_copies else [])
        if ending == ".tck" and line.startswith("edge:") and rng.randrange(3) == 0:
            return "\n".join(line for k, line in enumerate(lines) if k not in same)
        if not re.search("guard|invariant|provided|assign|do:|state|->", line):
            continue
        spots = list(re.finditer(SPOT, line))
        if not spots:
            continue
        which = rng.randrange(len(spots))
        old = spots[which][0]
        new = str(max(0, int(old) + rng.choice([-2, -1, 1, 2, 5]))) if old.isdigit() else rng.choice(["<", "<=", ">", ">=", "=="])
        for k in same if new != old else []:
            spot = list(re.finditer(SPOT, lines[k]))[which]
            lines[k] = lines[k][:spot.start()] + new + lines[k][spot.end():]
        if new != old:
            return "\n".join(lines)
    return None


def options(rng):
    chosen = []
    for option, values in (("--engine", ["local", "darts", "points"]), ("--symmetry", ["on", "off"]), ("--partial-order", ["on", "on", "off"]),
                           ("--abstraction", ["am", "extra-lu+", "closure"]), ("--bounds", ["global", "fly", "lazy"])):
        if rng.randrange(2 if option in ("--partial-order", "--symmetry") else 4) == 0:
            chosen += [option, rng.choice(values)]
    return chosen


def make(seed, rng):
    """A random network, or one of a family, with a network nearby and queries about the places of two processes."""
    if rng.randrange(3) == 0:
        return agree.make(seed, rng) + ([],)
    family = rng.choice(["fischer %d k=2", "fischer %d k=1", "lynch %d k=2", "csma %d lambda=8 sigma=2", "csma %d variant=relay lambda=8 sigma=2",
                         "fddi %d sa=2", "critical-region %d t=2", "philosophers %d timeout=1 meal=2", "parallel %d", "corsso %d", "poll %d",
                         "lcm %d", "vikings %d"])
    text = agree.run([TARN, "gen"] + (family % rng.randint(2, 4)).split())[1]
    for _ in range(rng.randint(0, 3)):
        text = relative(".tck", text, rng) or text
    places = re.findall(r"^location:(\w+):(\w+)", text, re.M)
    asked = []
    for _ in range(4):
        (p, a), (q, b) = rng.choice(places), rng.choice(places)
        asked.append("%s %s.%s && %s.%s" % (rng.choice(["E<>", "E<>", "E<> deadlock &&"]), p, a, q, b))
    return ".tck", text, asked + ["A[] not deadlock"]


def is_shown(model, query, run):
    """Whether a run contradicts the certificate that is to be forged; an accepted one."""
    status, out, err = agree.run([TARN, "check", "--json", "--trace", "concrete", "--time-limit", "2", "-q", query, model])
    if not (agree.answer(status, out).get("trace") or {}).get("kind") == "concrete":
        return False
    with open(run, "w") as file:
        file.write(out)
    return agree.run([TARN, "certify", model, run])[0] == 0


def proof(model, query, chosen, path):
    if os.path.exists(path):
        os.remove(path)
    agree.run([TARN, "check", "--quiet", "--time-limit", "2", "--certificate", path, "-q", query] + chosen + [model], 20)
    if not os.path.exists(path) or os.path.getsize(path) > 200000:
        return None
    with open(path, "rb") as file:
        return file.read()


def is_same_kind(a, b):
    """A certificate of one may be taken for the other: both about states, or both about infinite runs."""
    live = lambda q: bool(re.match(r"A<>|E\[\]|buchi", q) or "-->" in q)
    return live(a) == live(b)


def complain(seed, by, query, chosen, ending, text, forged, keep, counts):
    counts["accepted"] += 1
    print("seed %d: %s: -q '%s' %s" % (seed, by, query, " ".join(chosen)), flush=True)
    if keep:
        with open("%s/seed%d%s" % (keep, seed, ending), "w") as file:
            file.write(text)
        with open("%s/seed%d.proof" % (keep, seed), "wb") as file:
            file.write(forged)


def by_proved(model, forged, folder, counts):
    """Which of the certificates tarn-proved accepts."""
    names = []
    for i, (data, query, chosen) in enumerate(forged):
        names.append("%s/%d.forged" % (folder, i))
        with open(names[-1], "wb") as file:
            file.write(data)
    status, out, err = agree.run([PROVED, model] + names, 300)
    said = {}
    for line in out.splitlines():
        for word in (": proved: ", ": rejected: "):
            if word in line:
                said.setdefault(line.split(word)[0], word)
    counts["asked of tarn-proved"] += len(said)
    if said:
        counts["silent"] += len(names) - len(said)
    for name in names:
        os.remove(name)
    return [i for i, name in enumerate(names) if said.get(name) == ": proved: "]


def forge(seed, scratch, keep, counts):
    rng = random.Random(seed)
    ending, text, asked = make(seed, rng)
    model, other = scratch + "/model" + ending, scratch + "/other" + ending
    with open(model, "w") as file:
        file.write(text)
    own = hash_of(model)
    if not asked:
        asked = [q for q in agree.queries(ending, text, rng) if not re.match("sup|inf|bounds", q)]
    shown = [q for q in asked if is_shown(model, q, scratch + "/run.json")]
    all_forged = []
    for query in shown[:3]:
        found = []
        for _ in range(RELATIVES):
            chosen = options(rng)
            near = relative(ending, text, rng)
            if near:
                with open(other, "w") as file:
                    file.write(near)
                found.append((proof(other, query, chosen, scratch + "/proof"), chosen))
        for q in asked:
            if q not in shown and is_same_kind(q, query):
                chosen = options(rng)
                found.append((proof(model, q, chosen, scratch + "/proof"), chosen))
        for data, chosen in found:
            if not data:
                continue
            claimed, body, features = claim(data, own, query)
            for i in range(1 + CHANGES):
                forged = changed(claimed, body, rng) if i and body < len(claimed) else claimed
                with open(scratch + "/forged", "wb") as file:
                    file.write(forged)
                status, out, err = agree.run([CERTIFY, "certify", "--time-limit", "10", "--memory-limit", "2000", model, scratch + "/forged"])
                for bit, name in FEATURES.items():
                    counts[name] += bool(features & bit)
                counts["local"] += "local" in chosen
                counts["all"] += 1
                if status == 0 or status is None or status < 0:
                    complain(seed, "accepted" if status == 0 else "status %s" % status, query, chosen, ending, text, forged, keep, counts)
                all_forged.append((forged, query, chosen))
    if PROVED and all_forged:
        for i in by_proved(model, all_forged, scratch, counts):
            complain(seed, "accepted by tarn-proved", all_forged[i][1], all_forged[i][2], ending, text, all_forged[i][0], keep, counts)
    counts["shown"] += bool(shown)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    a = parser.parse_args()
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        for seed in range(a.first, a.first + a.count):
            forge(seed, scratch, a.keep, counts)
    print("%d networks from seed %d, %d of them with a run that contradicts: %d forged certificates (%s), %d accepted" % (
        a.count, a.first, counts["shown"], counts["all"],
        ", ".join("%s %d" % (name, counts[name]) for name in list(FEATURES.values()) + ["local"] + ["asked of tarn-proved", "silent"] * bool(PROVED)),
        counts["accepted"]))
    return counts["accepted"] > 0


if __name__ == "__main__":
    sys.exit(main())
