#!/usr/bin/env python3
"""Each rule of doc/notes/certificates.md, broken by hand: test/rules.py [PART...]

Certificates are written from the document alone, for small models of which the truth is plain. One that follows all rules is accepted by
`tarn certify` and by the proved checker, if it covers the feature; each of the others breaks one rule to claim something false, and
must be rejected by both, without a crash and within --time-limit 2 and --memory-limit 300. TARN and PROVED name the programs.
"""
import hashlib, json, os, resource, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARN = os.path.abspath(os.environ.get("TARN", ROOT + "/build/release/tarn"))
PROVED = os.path.abspath(os.environ.get("PROVED", ROOT + "/build/proof/tarn-proved"))
HAS_PROVED = os.path.exists(PROVED)
RENAMED, ENDLESS, DIAGONALS, POINTS, REDUCED, VALUES, MARKED, TIMED, DIVERGES, FORGETS, SLICED = (1 << i for i in range(11))
NONE, INF = "none", "inf"  # of bounds of clocks
HOP = (1 << 32) - 1
count, failures = 0, []


def number(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def signed(n):
    return number(2 * n if n >= 0 else -2 * n - 1)


def text(t):
    data = t if isinstance(t, bytes) else t.encode()
    return number(len(data)) + data


def many(items, form):
    return number(len(items)) + b"".join(map(form, items))


def gaps(items):
    out, last = number(len(items)), -1
    for item in items:
        out, last = out + number(item - last - 1), item
    return out


def le(c):
    return 2 * c + 1


def lt(c):
    return 2 * c


def entry(e):
    return number(0) if e is None else number((2 * e if e >= 0 else -2 * e - 1) + 1)


def bound(b):
    return number({NONE: 0, INF: 1}[b] if isinstance(b, str) else b + 2)


def hints(pairs, images=None):
    """(ordinal, node), or with renamings (ordinal, node, [[(id, to), ...] for each family])."""
    out, last = number(len(pairs)), -1
    for pair in pairs:
        out += number(pair[0] - last - 1) + number(pair[1])
        for image in pair[2] if len(pair) > 2 else []:
            out += number(len(image)) + b"".join(number(i) + number(j) for i, j in image)
        last = pair[0]
    return out


class Node:
    """clocks: {clock: (L, U)}; zone: rows with None for no bound, the diagonal left out by the writer."""

    def __init__(self, clocks, zone, hints=(), own=0, diagonals=(), reduced=None):
        self.clocks, self.zone, self.hints, self.own, self.diagonals, self.reduced = clocks, zone, list(hints), own, diagonals, reduced

    def bytes(self, features, index):
        out = number(self.own) if features & ENDLESS else b""
        out += number(index) + number(len(self.clocks))
        last = 0
        for clock, (low, high) in self.clocks.items():
            out += number(clock - last - 1) + bound(low) + bound(high)
            last = clock
        if features & DIAGONALS:
            out += many(self.diagonals, lambda d: number(d[0]) + number(d[1]) + number(2 * d[2] if d[2] >= 0 else -2 * d[2] - 1))
        out += b"".join(entry(e) for i, row in enumerate(self.zone) for j, e in enumerate(row) if i != j)
        if features & REDUCED:
            out += number(0) if self.reduced is None else b"".join(map(number, self.reduced[0])) + gaps(self.reduced[1])
        return out + hints(self.hints)


def one(low, high):
    """low <= x <= high, of one clock; None: no bound."""
    return [[le(0), le(-low)], [None if high is None else le(high), le(0)]]


class Model:
    def __init__(self, ending, body):
        self.path = "model%d%s" % (Model.made, ending)
        Model.made += 1
        with open(self.path, "w") as file:
            file.write(body)
        self.body = body
        shown = subprocess.run([TARN, "show", self.path], capture_output=True).stdout
        assert shown, body
        self.hash = hashlib.sha256(shown.split(b"\n", 1)[1]).digest()
        lines = shown.decode().split("\n")
        self.slots = sum(int(l.split(":")[1]) for l in lines if l.startswith("int:")) + sum(l.startswith("process:") for l in lines)
        self.clocks = sum(int(l.split(":")[1]) for l in lines if l.startswith("clock:"))

    made = 0


def certificate(model, query, initials, groups, features=0, kind=1, version=6, **other):
    """groups: (slots, nodes) or, with endless, (slots, mode, nodes)."""
    g = lambda name, default: other.get(name, default)
    out = g("magic", b"tarn certificate %d\n" % version)
    if version == 6:
        out += number(g("written", features)) + g("hash", model.hash)
    out += number(kind) + text(query) + text(g("origin", "by hand"))
    if features & VALUES:
        out += many(g("claims", []), lambda c: number(c[0]) + signed(c[1]) + signed(c[2]))
    if features & MARKED:
        out += number(g("process", 0))
    out += number(g("slots", model.slots)) + number(g("clocks", model.clocks))
    if features & FORGETS:
        out += b"".join(map(gaps, g("dead", [])))
    if features & SLICED:
        out += gaps(g("left_out", []))
    if features & RENAMED:
        out += g("families", b"")
    if features & ENDLESS:
        out += many(g("missing", [0]), number)
    out += hints(initials) + number(g("group_count", len(groups)))
    index = 0
    for group in groups:
        slots, nodes = group[0], group[-1]
        out += b"".join(map(signed, slots)) + (number(group[1]) if features & ENDLESS else b"") + number(g("node_count", len(nodes)))
        for node in nodes:
            out += node.bytes(features, index)
            index += 1
    if version == 6:
        out += many(g("sections", []), lambda s: number(s[0]) + text(s[1]))
    return out + g("tail", b"")


def ask(command, limit):
    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    try:
        done = subprocess.run(command, capture_output=True, timeout=limit, preexec_fn=limited)
        return done.returncode, (done.stdout + done.stderr).decode(errors="replace")
    except subprocess.TimeoutExpired:
        return None, "it took too long"


waiting = []  # of the proved checker, which gets the files of a model all at once


def judge(name, model, data, wanted=(False, False), more=(), is_long=False):
    """wanted: whether tarn certify and tarn-proved accept it; None: either. What is long may end at a limit of tarn-proved."""
    global count
    count += 1
    path = "evidence%d" % count
    with open(path, "wb") as file:
        file.write(data)
    limits = ["--time-limit", "2", "--memory-limit", "300"]
    if HAS_PROVED and is_long:
        status, said = ask([PROVED, *limits, model.path, path], 20)
        if status != 3 and ": proved: " not in said and ": rejected: " not in said:
            failures.append("%s: tarn-proved has status %s: %s" % (name, status, said))
    elif HAS_PROVED:
        waiting.append((name, model.path, path, wanted[1]))
    status, said = ask([TARN, "certify", *limits, *more, model.path, path], 20)
    if wanted[0] is not None and (status not in ((0,) if wanted[0] else (1, 2, 3))):
        failures.append("%s: tarn certify has status %s: %s" % (name, status, said))


def judge_proved():
    for path in sorted({w[1] for w in waiting}):
        asked = [w for w in waiting if w[1] == path]
        status, said = ask([PROVED, path] + [w[2] for w in asked], 100)
        found = {line.split(":")[0]: line for line in said.splitlines()}
        for name, _, file, wanted in asked:
            line = found.get(file, "nothing is said, status %s" % status)
            if wanted is not None and ((": proved: " if wanted else ": rejected: ") not in line or "the checker failed" in line):
                failures.append("%s: tarn-proved: %s" % (name, line))
    waiting.clear()


good = (True, True)

# --- States.


def states():
    m = Model(".xta", """clock x; int[0,2] n;
process P() { state A { x <= 2 }, B; init A;
  trans A -> A { guard x >= 1 && n < 1; assign x = 0, n = n + 1; },
        A -> B { guard n == 1 && x == 2; }; }
system P;
""")
    seen = {1: (2, 2)}
    free = {}
    everything = [[le(0)]]

    def all_of(query="E<> n == 2", change=None, **other):
        # Ordinals: 0 the loop of A, 1 the edge to B.
        nodes = [Node(dict(seen), one(0, 2), [(0, 1)]), Node(dict(seen), one(0, 2), [(1, 2)]), Node(free, everything)]
        groups = [[[0, 0], [nodes[0]]], [[1, 0], [nodes[1]]], [[1, 1], [nodes[2]]]]
        initials = [(0, 0)]
        if change:
            changed = change(nodes, groups, initials)
            groups = groups if changed is None else changed
        return certificate(m, query, initials, groups, **other)

    judge("the whole", m, all_of(), good)
    judge("the whole, other claim", m, all_of("A[] n < 2"), good)
    B = "E<> P.B"
    judge("the goal is met", m, all_of(B))
    judge("the goal is met, A[]", m, all_of("A[] not P.B"))
    judge("kind 2", m, all_of("P.B", kind=2))
    judge("kind 3", m, all_of(B, kind=3))

    def set_(f):
        def change(nodes, groups, initials):
            return f(nodes, groups, initials)
        return change

    def drop_b(nodes, groups, initials):
        groups.pop()
    judge("the group of the target is missing", m, all_of(B, drop_b))

    def drop_hint(nodes, groups, initials):
        drop_b(nodes, groups, initials)
        nodes[1].hints = []
    judge("a hint is missing", m, all_of(B, drop_hint))
    for where in (0, 1, 3, 99, 1 << 32, (1 << 32) + 1, 1 << 48, (1 << 62) + 1):
        def hint_to(nodes, groups, initials):
            drop_b(nodes, groups, initials)
            nodes[1].hints = [(1, where)]
        judge("the hint is %d" % where, m, all_of(B, hint_to))
    for ordinal in (0, 2, HOP, 1 << 40, 1 << 61):
        def other_ordinal(nodes, groups, initials):
            drop_b(nodes, groups, initials)
            nodes[1].hints = [(ordinal, 1)]
        judge("the ordinal is %d" % ordinal, m, all_of(B, other_ordinal))

    def twice(nodes, groups, initials):
        drop_b(nodes, groups, initials)
        nodes[1].hints = [(1, 0), (1 + (1 << 62) + (1 << 62), 1)]
    judge("ordinals that wrap around", m, all_of(B, twice))

    def without_second(nodes, groups, initials):
        nodes[0].hints = []
        return groups[:1]
    judge("a successor is missing", m, all_of(B, without_second))
    judge("no groups", m, all_of(B, lambda n, g, i: []))
    judge("no groups and no initial states", m, all_of(B, lambda n, g, i: (i.clear(), [])[1]))

    def no_initials(nodes, groups, initials):
        initials.clear()
        return [[[0, 0], []]]
    judge("an initial state without a node", m, all_of(B, no_initials))

    def other_initial(nodes, groups, initials):
        initials[:] = [(0, 0)]
        return [[[2, 1], [Node(free, everything)]]]
    judge("the initial node has another state", m, all_of("E<> P.A", other_initial))

    def initial_number(nodes, groups, initials):
        initials[:] = [(5, 0)]
    judge("another initial state", m, all_of("E<> n == 2", initial_number))

    def zone(where, *zones):
        def change(nodes, groups, initials):
            drop_b(nodes, groups, initials)
            nodes[1].hints = []
            nodes[where].zone = zones[0]
        return change
    judge("the initial zone lacks 0", m, all_of(B, zone(0, one(1, 2))))
    # x in [0,1] has the same delays, so the zone is no trick: what matters is that time passes.
    judge("the zone of the target is empty", m, all_of(B, zone(1, [[le(0), le(-3)], [le(2), le(0)]])))
    judge("the zone of the target is < 0", m, all_of(B, zone(1, [[le(0), le(0)], [lt(0), le(0)]])))
    judge("clocks are positive", m, all_of(B, zone(1, [[le(0), le(1)], [le(2), le(0)]])))
    judge("the zone of the target is above the invariant", m, all_of(B, zone(1, one(5, None))))
    judge("the zone of the target is above the invariant, bounded", m, all_of(B, zone(1, one(3, 4))))
    judge("the zone of the target lacks 0", m, all_of(B, zone(1, [[le(0), lt(0)], [le(2), le(0)]])))
    judge("a huge entry", m, all_of(B, zone(1, one(0, 1 << 45))))
    judge("a huge negative entry", m, all_of(B, zone(1, one(1 << 45, None))))
    judge("an entry of 2^62", m, all_of(B, zone(1, one(0, (1 << 60) + 5))))

    def bounds(where, low, high, the_zone=None):
        def change(nodes, groups, initials):
            drop_b(nodes, groups, initials)
            nodes[1].hints = []
            nodes[where].clocks[1] = (low, high)
            if the_zone:
                nodes[where].zone = the_zone
        return change
    for low, high in ((NONE, NONE), (0, 0), (1, 2), (2, 1), (2, 2), (NONE, INF), (INF, NONE), (INF, INF)):
        for z in (one(0, 2), one(0, 0), one(3, None), one(0, None)):
            judge("bounds %s %s" % (low, high), m, all_of(B, bounds(1, low, high, z)))
    for b in ((1 << 26), (1 << 26) + 1, 1 << 27, 1 << 40, 1 << 61):
        judge("a bound of %d" % b, m, all_of(B, bounds(1, b, b)))

    def unlisted(nodes, groups, initials):
        drop_b(nodes, groups, initials)
        nodes[1] = groups[1][1][0] = Node(free, everything)
    judge("a clock is not listed", m, all_of(B, unlisted))

    def loop_of_a(nodes, groups, initials):
        drop_b(nodes, groups, initials)
        groups[1][1] = []
    judge("a group without nodes", m, all_of(B, loop_of_a))

    def two_groups(nodes, groups, initials):
        # The first of them covers by name, the second would have to show the transition.
        return [groups[0], [[1, 0], [Node(dict(seen), one(2, 2), [])]], [[1, 0], [Node(dict(seen), one(0, 1), [])]]]
    judge("a state twice", m, all_of(B, two_groups))

    def nonsense(nodes, groups, initials):
        groups.append([[2, 0], [Node(dict(seen), one(0, 2), [])]])
    judge("a state too much", m, all_of("E<> n == 1 && P.B && n == 0", nonsense), (None, None))
    for slots in ([3, 0], [-1, 0], [0, 2], [0, -1], [0, 1 << 40], [1 << 31, 0]):
        def range_(nodes, groups, initials):
            groups.append([slots, [Node(free, everything)]])
        judge("a state out of range", m, all_of("E<> n == 2", range_))
    for slots in (0, 1, 3, 1 << 31, 1 << 61):
        judge("%d slots" % slots, m, all_of(slots=slots))
    for clocks in (0, 2, 1 << 31, 1 << 61):
        judge("%d clocks" % clocks, m, all_of(clocks=clocks))
    judge("another hash", m, all_of(hash=bytes(32)))
    judge("an older version", m, all_of(version=1), good)
    for version in range(1, 6):
        judge("a false claim of version %d" % version, m, all_of(B, drop_hint, version=version))
        if version > 1:
            judge("version %d without its feature" % version, m, all_of(version=version))
    for magic in (b"tarn certificate 6\r\n", b"tarn certificate 6 \n", b"\xef\xbb\xbftarn certificate 6\n", b"tarn certificate 7\n", b"tarn certificate 0\n",
                  b"tarn certificate 16\n", b"Tarn certificate 6\n", b"tarn certificate 6\0", b"tarn certificate \n", b"tarn certificate 6\n\n"):
        judge("first line %r" % magic, m, all_of(magic=magic))
    for feature in list(range(1, 512, 7)) + [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1 << 20, 1 << 32, 1 << 62]:
        judge("features %d" % feature, m, all_of(B, drop_hint, written=feature))
    whole = all_of()
    for size in range(0, len(whole), 5):
        judge("cut off at %d" % size, m, whole[:size])
    judge("bytes behind the end", m, whole + b"\0")
    judge("bytes before", m, b"\0" + whole)
    for tail in (b"\n", b"\r\n", b"\0" * 100):
        judge("behind the end", m, whole + tail)
    judge("unknown sections", m, all_of(sections=[(7, b"\0\xff"), (1, b"{")]), good)
    judge("sections without their text", m, whole[:-1] + number(1) + number(7) + number(50))
    judge("sections without end", m, whole[:-1] + number(1 << 60))
    for n in (1 << 20, 1000000000, 1 << 31, 1 << 32, 1 << 40, 1 << 62, (1 << 63) - 1):
        judge("%d groups" % n, m, all_of(group_count=n))
        judge("%d nodes" % n, m, all_of(node_count=n))
        judge("%d hints" % n, m, whole[:-1 - len(hints([(1, 2)]))] + number(n))
    judge("a long number", m, all_of()[:19] + b"\x80" * 9 + b"\0" + all_of()[20:], (None, None))
    judge("a very long number", m, all_of()[:19] + b"\x80" * 1000 + b"\0" + all_of()[20:])
    for query in (B + "\0 && n == 2", B + " // && n == 2", B + " /* && n == 2 */", B + "\n", B + "\r\n", "\n" + B, B + ";", "E<> P.B && true",
                  "E<> not not P.B", "A[] P.B imply false", "E<> P.B || n == 2", "E<> exists (i : int[0,0]) P.B", "", "E<>", "\0", "E<> " + "(" * 100000 + "P.B",
                  "E<> n == 2\n" + B, B + "\nE<> n == 2", "E<> (n == 2)\xff".encode("latin-1")):
        judge("query %r" % query[:30], m, all_of(query, drop_hint))
    judge("no query", m, all_of("", kind=0), good)
    judge("no query, a state is missing", m, all_of("", drop_hint, kind=0))
    judge("about another kind", m, all_of("A<> P.B", drop_hint))
    judge("about a value", m, all_of("sup: n", drop_hint))
    judge("about a deadlock", m, all_of("E<> deadlock"))  # in B nothing can happen
    judge("no deadlock", m, all_of("A[] not deadlock"))
    judge("without B no deadlock", m, all_of("A[] not deadlock", drop_hint))
    judge("states that are not deadlocked", m, all_of("E<> P.B && not deadlock"), (None, None))
    judge("probabilities", m, all_of("Pr[<=5](<> P.B)", drop_hint))
    return m, all_of, drop_hint


def constants():
    body = "const int N = %d; clock x; process P() { state A { x <= N }, B; init A; trans A -> B { guard x >= 2; }; } system P;\n"
    small, large = Model(".xta", body % 1), Model(".xta", body % 3)
    proof = lambda m, **other: certificate(m, "E<> P.B", [(0, 0)], [[[0], [Node({1: (2, 1)}, one(0, 1))]]], **other)
    judge("another constant", small, proof(small), good)
    judge("of the model with the other constant", large, proof(small))
    judge("with the hash of the other constant", large, proof(large))
    judge("older, without a hash", large, proof(large, version=1))
    judge("of a constant set by -D", large, proof(small), (None, False), more=["-D", "N=1"])
    judge("not of a constant set by -D", small, proof(small), (False, None), more=["-D", "N=3"])


def channels():
    # What a guard of a receiver that is false leaves possible; urgency that ends; priorities.
    m = Model(".xta", """broadcast chan a; urgent chan u; clock x, y; bool b, c;
process S() { state A, B; init A; trans A -> B { sync a!; }; }
process R() { state A, B; init A; trans A -> B { guard x >= 1; sync a?; assign b = true; }; }
system S, R;
""")
    far = {1: (1, 1)}
    none = {}

    def proof(query, first, second):
        return certificate(m, query, [(0, 0)], [
            [[0, 0, 0, 0], [Node(far, one(0, None), first)]], [[0, 0, 1, 0], [Node(far, one(0, None))]], [[1, 0, 1, 1], [Node(far, one(0, None))]]][:second])
    judge("broadcast", m, proof("E<> c", [(0, 1), (1, 2)], 3), (True, None))
    judge("broadcast without the receiver", m, proof("E<> b", [(0, 1)], 2))
    judge("broadcast without the sender alone", m, proof("E<> S.B && R.A", [(0, 1)], 1))
    p = Model(".xta", """urgent chan u; clock x; chan priority default < v; chan v;
process S() { state A, B, C; init A; trans A -> B { sync u!; }, A -> C { guard x >= 1; }; }
process R() { state A, B; init A; trans A -> B { sync u?; }; }
system S, R;
""")
    # Time stands still in (A, A): C is not reached.
    two = lambda query, hs, low=0: certificate(p, query, [(0, 0)], [[[0, 0], [Node({1: (1, 1)}, one(0, 0), hs)]], [[1, 1], [Node({}, [[le(0)]])]]])
    judge("urgent channels", p, two("E<> S.C", [(0, 1)]), (True, True))
    judge("urgent channels, the other way round", p, two("E<> S.B", [(0, 1)]))
    q = Model(".xta", """chan a, b; clock x; chan priority a < b;
process S() { state A, B, C; init A; trans A -> B { sync a!; }, A -> C { sync b!; }; }
process R() { state A, B; init A; trans A -> B { sync a?; }, A -> B { guard x >= 1; sync b?; }; }
system S, R;
""")
    third = lambda query, hs: certificate(q, query, [(0, 0)], [[[0, 0], [Node({1: (1, 1)}, one(0, None), hs)]], [[1, 1], [Node({}, [[le(0)]])]], [[2, 1], [Node({}, [[le(0)]])]]])
    judge("priorities, the lower one is left out", q, third("E<> S.B", [(1, 2)]))
    judge("priorities, the higher one is left out", q, third("E<> S.C", [(0, 1)]))


# --- Infinite runs.


def endless():
    loop = Model(".xta", """clock x;
process P() { state A { x <= 2 }, B; init A; trans A -> A { guard x >= 1; assign x = 0; }, A -> B { guard x >= 2; }; }
system P;
""")
    straight = Model(".xta", """clock x;
process P() { state A { x <= 2 }, B; init A; trans A -> B { guard x >= 1; }; }
system P;
""")
    idle = Model(".xta", "clock x; process P() { state A, B; init A; trans A -> B { guard x >= 1; }; } system P;\n")
    stuck = Model(".xta", "clock x; process P() { state A { x <= 2 }, B; init A; trans A -> B { guard x >= 1 && x < 1; }; } system P;\n")
    late = Model(".xta", "clock x; process P() { state A { x <= 2 }, B; init A; trans A -> B { guard x < 1; }; } system P;\n")
    seen = {1: (2, 2)}

    def proof(m, query, nodes, mode=1, missing=(0,), features=ENDLESS, initials=((0, 0),), **other):
        return certificate(m, query, list(initials), [[[0], mode, nodes]], features=features, missing=list(missing), **other)
    A = "A<> P.B"
    judge("A<> holds", straight, proof(straight, A, [Node(seen, one(0, 2))]), good)
    judge("E[] does not", straight, proof(straight, "E[] P.A", [Node(seen, one(0, 2))]), good)
    judge("a cycle of one number", loop, proof(loop, A, [Node(seen, one(0, 2), [(0, 0)])]))
    judge("a cycle without its step", loop, proof(loop, A, [Node(seen, one(0, 2))]))
    for missing in ((1,), (2,), (HOP,), (1 << 40,), (), (0, 0), (0,) * 1000):
        judge("marks %s" % str(missing[:3]), loop, proof(loop, A, [Node(seen, one(0, 2), [(0, 0)])], missing=missing))
    two = [Node(seen, one(0, 2), [(0, 1)], own=1), Node(seen, one(0, 2), [(0, 0)], own=0)]
    judge("numbers that grow", loop, proof(loop, A, two, missing=(0, 0)))
    two = [Node(seen, one(0, 2), [(0, 1)], own=0), Node(seen, one(0, 2), [(0, 0)], own=1)]
    judge("numbers that grow at first", loop, proof(loop, A, two, missing=(0, 0)))
    judge("a number that there is not", loop, proof(loop, A, [Node(seen, one(0, 2), [(0, 0)], own=7)]))
    judge("mode 0", loop, proof(loop, A, [Node(seen, one(0, 2), [(0, 0)])], mode=0))
    judge("mode 2", loop, proof(loop, A, [Node(seen, one(0, 2), [(0, 0)])], mode=2))
    judge("mode 0 of what holds", straight, proof(straight, A, [Node(seen, one(0, 2))], mode=0))
    judge("no initial node", loop, proof(loop, A, [Node(seen, one(0, 2), [(0, 0)])], initials=()))
    judge("time passes for ever", idle, proof(idle, A, [Node({1: (1, 1)}, one(0, None))]))
    judge("nothing can happen", stuck, proof(stuck, A, [Node({1: (2, 2)}, one(0, 2))]))
    judge("nothing can happen later", late, proof(late, A, [Node({1: (2, 2)}, one(0, 2))]))
    judge("nothing can happen, other bounds", late, proof(late, A, [Node({1: (0, 0)}, one(0, 2))]))
    judge("nothing can happen, no bounds", late, proof(late, A, [Node({}, [[le(0)]])]))
    judge("without the feature", loop, certificate(loop, A, [(0, 0)], [[[0], [Node(seen, one(0, 2), [(0, 0)])]]]))
    judge("the feature for states", loop, proof(loop, "E<> P.B", [Node(seen, one(0, 2), [(0, 0)])]))
    judge("a condition with clocks", loop, proof(loop, "A<> x > 2", [Node(seen, one(0, 2), [(0, 0)])]))
    judge("the condition begins elsewhere", loop, proof(loop, "E[] P.B", [], initials=()), (None, None))  # it is false: no run
    judge("buchi", loop, proof(loop, "buchi: P.A", [Node(seen, one(0, 2), [(0, 0)])], mode=0, missing=(1,)))
    judge("buchi, no transition", loop, proof(loop, "buchi: P.A", [Node(seen, one(0, 2), [(0, 0)])], mode=0, missing=(0,)))
    judge("buchi of B holds never", loop, certificate(
        loop, "buchi: P.B", [(0, 0)], [[[0], 0, [Node(seen, one(0, 2), [(0, 0), (1, 1)], own=0)]], [[1], 0, [Node({}, [[le(0)]])]]], features=ENDLESS, missing=[1]), (None, None))
    # p --> q
    leads = "P.A --> P.B"

    def hop(first, second, missing=(0, 0)):
        return certificate(loop, leads, [(0, 0)], [[[0], 0, [first]], [[0], 1, [second]], [[1], 0, [Node({}, [[le(0)]])]]], features=ENDLESS, missing=list(missing))
    judge("a hop is missing", loop, hop(Node(seen, one(0, 2), [(0, 0), (1, 2)]), Node(seen, one(0, 2), [(0, 1)])))
    judge("a hop to the same mode", loop, hop(Node(seen, one(0, 2), [(0, 0), (1, 2), (HOP, 0)]), Node(seen, one(0, 2), [(0, 1)])))
    judge("a hop to less", loop, hop(Node(seen, one(0, 2), [(0, 0), (1, 2), (HOP, 1)]), Node(seen, one(2, 2), [])))
    judge("a cycle after the hop", loop, hop(Node(seen, one(0, 2), [(0, 0), (1, 2), (HOP, 1)]), Node(seen, one(0, 2), [(0, 1)])))
    # Conditions with clocks.
    timed = ENDLESS | TIMED
    T = "A<> x > 1"
    fast = Model(".xta", "clock x; process P() { state A { x <= 2 }; init A; trans A -> A { assign x = 0; }; } system P;\n")
    part = {1: (2, 2)}
    in_part = [Node(part, one(0, 1), [(0, 0)])]
    judge("timed: a cycle", fast, proof(fast, T, in_part, features=timed), (False, False))
    for mode in (0, 1, 2, 3, 1 << 31, (1 << 32) - 1):
        for nodes in ([Node(part, one(0, 1), [])], [Node(part, one(0, 2), [(0, 0)])], [Node(part, one(2, 2), [(0, 0)])], [Node(part, one(0, 0), [(0, 0)])]):
            for features in (timed, timed | DIAGONALS):
                judge("timed: mode %d" % mode, fast, proof(fast, T, nodes, features=features, mode=mode), (False, False))
            judge("diverges: mode %d" % mode, fast, proof(fast, "A<> x > 3", nodes, features=timed | DIVERGES, mode=mode, clocks=2), (False, False))
    judge("diverges without timed", loop, proof(loop, A, [Node(seen, one(0, 2), [(0, 0)])], features=ENDLESS | DIVERGES, clocks=2))
    diverging(loop, idle, stuck)
    split = "A<> (x > 0 && x < 1) || x > 1"  # waits at 0 and at 1: holds where time passes, a run that stays at 0 breaks it
    for parts in range(1, 5):
        judge("timed: parts", fast, certificate(fast, split, [(0, 0)], [[[0], p + 1, [Node(part, one(p, p), [])]] for p in range(parts)], features=timed), (False, False))


def diverging(loop, idle, stuck):
    """Only runs count in which time diverges: clock 2 ticks."""
    features = ENDLESS | TIMED | DIVERGES
    E = "E[] P.A"
    body = "clock x; process P() { state A { %s }; init A; trans A -> A { %s }; } system P;\n"
    zeno, fast, short = (Model(".xta", body % parts) for parts in (("x <= 2", ""), ("x <= 2", "assign x = 0;"), ("x < 1", "assign x = 0;")))

    def proof(m, nodes, query=E, mode=1, missing=(1, 1, 1), clocks=2, features=features):
        return certificate(m, query, [(0, 0)], [[[0], mode, nodes]], features=features, missing=list(missing), clocks=clocks)

    # x <= 2 and z: z is x and below 1 before the first tick, then x - z is from 1 to 2, then x is 2 and z is 0.
    both = {1: (2, 2), 2: (1, 1)}
    first = lambda hs, own=2: Node(both, [[le(0), le(0), le(0)], [lt(1), le(0), le(0)], [lt(1), le(0), le(0)]], hs, own=own)
    second = lambda hs, own=1: Node(both, [[le(0), le(-1), le(0)], [le(2), le(0), le(2)], [le(1), le(-1), le(0)]], hs, own=own)
    third = lambda hs, own=0: Node(both, [[le(0), le(-2), le(0)], [le(2), le(0), le(2)], [le(0), le(-2), le(0)]], hs, own=own)
    nodes = [first([(0, 0), (1, 1)]), second([(0, 1), (1, 2)]), third([(0, 2)])]
    judge("diverges: two ticks at most", zeno, proof(zeno, nodes), good)
    judge("diverges: buchi", zeno, proof(zeno, nodes, "buchi: P.A", 0, (2, 2, 2)), good)
    judge("diverges: buchi, the label is missing", zeno, proof(zeno, nodes, "buchi: P.A", 0, (1, 1, 1)))
    judge("diverges: no tick is left", zeno, proof(zeno, [first([(0, 0), (1, 1)]), second([(0, 1), (1, 2)], own=0), third([(0, 2)])]))
    judge("diverges: a transition is missing", zeno, proof(zeno, nodes, missing=(0, 0, 0)))
    judge("diverges: another mark is missing", zeno, proof(zeno, nodes, missing=(2, 2, 2)))
    judge("diverges: the clock is not in the head", zeno, proof(zeno, nodes, clocks=1))
    judge("diverges: two clocks more", zeno, proof(zeno, nodes, clocks=3))
    judge("diverges: without the feature", zeno, proof(zeno, nodes, features=ENDLESS | TIMED))
    # z is set by a tick, and by nothing else.
    judge("diverges: a tick is no mark", fast, proof(fast, [Node({1: (2, 2)}, one(0, 2), [(0, 0)], own=0)]))
    judge("diverges: a tick is no mark of buchi", fast, proof(fast, [Node({1: (2, 2)}, one(0, 2), [(0, 0)], own=0)], "buchi: P.A", 0, (2,)))
    early = [[le(0), le(0), le(0)], [lt(1), le(0), le(0)], [lt(1), le(0), le(0)]]
    judge("diverges: what is no tick sets the clock", short, proof(short, [Node({1: (1, 1), 2: (1, 1)}, early, [(0, 0)], own=0)]))
    judge("diverges: the same without ticks", short, proof(short, [Node({1: (1, 1), 2: (1, 1)}, [[le(0)] * 3, [lt(1), le(0), le(0)], [lt(1), lt(1), le(0)]], [(0, 0)], own=0)]))
    # How a run ends.
    for name, m, expected in (("nothing can happen", stuck, good), ("time passes for ever", idle, (False, False))):
        judge("diverges: " + name, m, proof(m, [Node({1: (2, 2)}, one(0, 2 if m is stuck else None), own=0)], missing=(1,)), expected)
        judge(name, m, proof(m, [Node({1: (2, 2)}, one(0, 2 if m is stuck else None), own=0)], missing=(0,), clocks=1, features=ENDLESS | TIMED), (False, False))


# --- Points.


def points():
    m = Model(".tck", """system:s
event:a
clock:1:x
process:P
location:P:A{initial: : invariant: x<=2}
location:P:B{}
edge:P:A:A:a{provided: x>=1 : do: x=0}
edge:P:A:B:a{provided: x>=2}
""")

    def proof(query, listed, **other):
        """listed: (slots, limits, [(values, how many follow)])"""
        body = many(listed, lambda s: b"".join(map(signed, s[0])) + b"".join(map(number, s[1])) +
                    many(s[2], lambda c: b"".join(map(number, c[0])) + number(c[1])))
        return (b"tarn certificate 6\n" + number(POINTS) + m.hash + number(1) + text(query) + text("") + number(m.slots) + number(m.clocks) + body +
                number(0) + other.get("tail", b""))
    a, b = ([0], [3], [([0], 2)]), ([1], [0], [([0], 0)])
    judge("points", m, proof("E<> P.A && x >= 3", [a, b]), good)
    B = "E<> P.B"
    judge("points: the goal", m, proof(B, [a, b]))
    judge("points: a state is missing", m, proof(B, [a]))
    judge("points: a delay is missing", m, proof(B, [([0], [3], [([0], 1)])]))
    judge("points: an initial point is missing", m, proof(B, [([0], [3], [([1], 0)])]))
    judge("points: nothing", m, proof(B, []))
    judge("points: no chains", m, proof(B, [([0], [3], [])]))
    for limit in (0, 1, 2, 3):
        for chain in ([([0], 0)], [([0], limit)], [([limit], 0), ([0], 0)]):
            judge("points: limit %d" % limit, m, proof(B, [([0], [limit], chain)]))
    judge("points: a value above the limit", m, proof(B, [([0], [1], [([5], 0)])]))
    judge("points: a chain too long", m, proof(B, [([0], [3], [([0], 50)]), b]))
    judge("points: a chain without end", m, proof(B, [([0], [1 << 28], [([0], 1 << 28)]), b]))
    judge("points: a chain of 2^60", m, proof(B, [([0], [3], [([0], 1 << 60)])]))
    judge("points: a limit of 2^60", m, proof(B, [([0], [1 << 60], [([0], 0)])]))
    judge("points: a state twice", m, proof("E<> P.A && x >= 3", [a, a, b]))
    judge("points: about a deadlock", m, proof("A[] not deadlock", [a]))
    judge("points: about runs", m, proof("A<> P.B", [a]))
    judge("points: bytes behind", m, proof("E<> P.A && x >= 3", [a, b], tail=b"\0"))


# --- Values.


def values():
    m = Model(".xta", """clock x; int[0,5] n;
process P() { state A { x < 3 }; init A; trans A -> A { guard x >= 1 && n < 2; assign n = n + 1, x = 0; }; }
system P;
""")
    seen = {1: (3, 3)}
    zone = [[le(0), le(0)], [lt(3), le(0)]]
    groups = [[[i, 0], [Node(seen, zone, [(0, i + 1)] if i < 2 else [])]] for i in range(3)]

    def step(time, n, x, is_first=False):
        edges = {} if is_first else {"edges": [{"process": "P", "source": "A", "target": "A", "event": "tau", "index": 0}]}
        return {**edges, "time": time, "locations": {"P": "A"}, "variables": {"n": n}, "clocks": {"x": x}}

    def run(side, steps, end, x):
        return {"query": "", "verdict": "satisfied", "values": side, "trace": {
            "kind": "concrete", "steps": [step("0", 0, "0", True)] + [step(str(k), k, "0") for k in range(1, steps + 1)], "end_time": end, "end_clocks": {"x": x}}}
    at_two, near_three, low = run("0 high", 2, "2", "0"), run("0 high", 0, "5/2", "5/2"), run("0 low", 0, "0", "0")

    def proof(query, claims, results, sections=None, gs=groups, **other):
        data = json.dumps({"results": results}).replace('"query": ""', '"query": "%s"' % query)
        return certificate(m, query, [(0, 0)], gs, features=VALUES, claims=claims, sections=[(1, data)] if sections is None else sections, **other)
    N, X = "sup: n", "sup: x"
    judge("sup of n", m, proof(N, [(4, 0, 2)], [at_two]), good)
    judge("sup of x", m, proof(X, [(12, 0, 3)], [near_three]), good)
    judge("inf of n", m, proof("inf: n", [(1, 0, 0)], [low]), good)
    for claim in ((4, 0, 1), (4, 0, 3), (4, 0, 5), (12, 0, 3), (12, 0, 2), (16, 0, 0), (32, 0, 0), (0, 0, 0), (1, 2, 0), (5, 0, 2), (4, 1, 2), (36, 0, 2), (20, 0, 2), (8, 0, 3),
                  (64, 0, 2), (68, 0, 2), (4, 0, 1 << 33), (4, 0, (1 << 32) + 2), (4, 0, -(1 << 32) + 2), (4 + (1 << 32), 0, 2), (6, 0, 2), (2, 0, 0), (4, 0, 2 - (1 << 31))):
        for results in ([at_two], [near_three]):
            judge("sup of n, %s" % str(claim), m, proof(N, [claim], results))
    for claim in ((4, 0, 2), (12, 0, 2), (12, 0, 4), (4, 0, 4), (16, 0, 0), (32, 0, 0), (12, 0, 1 << 31)):
        for results in ([near_three], [at_two], [{**near_three, "values": "0 grows"}], [{**near_three, "values": "0 grows", "trace": {**near_three["trace"], "loop": {"from": 0}}}]):
            judge("sup of x, %s" % str(claim), m, proof(X, [claim], results))
    judge("sup of x, at most 3", m, proof(X, [(4, 0, 3)], [near_three]), (None, None))  # it is the least upper bound as well
    judge("no run", m, proof(N, [(4, 0, 2)], []))
    judge("no section", m, proof(N, [(4, 0, 2)], [], sections=[]))
    judge("another section", m, proof(N, [(4, 0, 2)], [], sections=[(2, json.dumps({"results": [at_two]}))]))
    judge("no claims", m, proof(N, [], [at_two]))
    judge("two claims", m, proof(N, [(4, 0, 2), (4, 0, 2)], [at_two]))
    judge("a run of the other side", m, proof(N, [(4, 0, 2)], [{**at_two, "values": "0 low"}]))
    judge("a run of another value", m, proof("sup: n, x", [(4, 0, 2), (12, 0, 3)], [at_two]))
    judge("a run that is too short", m, proof(N, [(4, 0, 2)], [run("0 high", 1, "1", "0")]))
    judge("a run that is not possible", m, proof(N, [(4, 0, 2)], [{**at_two, "trace": {**at_two["trace"], "steps": at_two["trace"]["steps"][:1] + at_two["trace"]["steps"][2:]}}]))
    judge("states are missing", m, proof(N, [(4, 0, 1)], [run("0 high", 1, "1", "0")], gs=[groups[0], [[1, 0], [Node(seen, zone, [])]]]))
    judge("states are missing, for inf", m, proof("inf{n == 2}: n", [(32, 0, 0)], [], gs=[groups[0], [[1, 0], [Node(seen, zone, [])]]]))
    judge("no state meets it", m, proof("inf{n == 2}: n", [(32, 0, 0)], []))
    judge("no state meets it, rightly", m, proof("inf{n == 3}: n", [(32, 0, 0)], []), good)
    judge("the query is about states", m, proof("E<> n == 2", [(4, 0, 2)], [at_two]))
    judge("the query is about deadlocks", m, proof("sup{deadlock}: n", [(4, 0, 1)], [run("0 high", 1, "1", "0")]))
    judge("the query is about deadlocks, none", m, proof("sup{deadlock}: n", [(32, 0, 0)], []))
    judge("with the feature endless", m, proof(N, [(4, 0, 2)], [at_two], written=VALUES | ENDLESS))
    twice = '{"results": [%s], "results": []}' % json.dumps(at_two)
    judge("a name twice", m, proof(N, [(4, 0, 1)], [], sections=[(1, twice)]))
    judge("sections that repeat", m, proof(N, [(4, 0, 1)], [], sections=[(1, json.dumps({"results": [at_two]}))] * 2))
    for data in ("", "[", "{", "null", "[]", '{"results": 5}', '{"results": [5]}', "[" * 100000, '{"results":' * 50000, '{"results": [%s]}' % ",".join(["{}"] * 100000)):
        judge("runs %s" % data[:20], m, proof(N, [(4, 0, 2)], [], sections=[(1, data)]))


# --- Symmetry.


def renamed():
    def model(more=""):
        return Model(".xta", """typedef int[0,1] id_t; int[0,2] n; clock x[2];
process P(const id_t i) { state A, B; init A; trans A -> B { guard x[i] >= 1%s; assign n = n + 1; }; }
system P;
""" % more)
    m, odd = model(), model(" + i")
    free = {}
    everything = [[le(0)]]

    def family(size=2, cyclic=0, processes=((0, 1),), clocks=((1, 2),), variables=(), events=(), vals=(), sorts=(0,), excluded=()):
        columns = lambda cs: number(len(cs)) + b"".join(number(v) for c in cs for v in c)
        return (number(size) + number(cyclic) + columns(processes) + columns(clocks) + columns(variables) +
                many(events, lambda e: number(e[0]) + number(e[1]) + b"".join(map(number, e[2]))) +
                many(vals, lambda v: number(v[0]) + b"".join(map(signed, v[1]))) + b"".join(map(number, sorts)) + many(excluded, number))

    def proof(the, query, families, groups=None, initials=None):
        swap = [[(0, 1), (1, 0)]]
        same = [[]]
        nodes = [Node(free, everything, [(0, 1, same), (1, 1, swap)]), Node(free, everything, [(0, 2, same), (1, 2, same)]), Node(free, everything, [])]
        listed = groups or [[[0, 0, 0], [nodes[0]]], [[1, 1, 0], [nodes[1]]], [[2, 1, 1], [nodes[2]]]]
        return certificate(the, query, initials or [(0, 0, same)], listed, features=RENAMED, families=families)
    both = number(1) + family()
    G = "E<> n == 1 && P(0).A && P(1).A"
    valid = "E<> n == 2 && exists (i : id_t) P(i).A"
    judge("copies", m, proof(m, "A[] n <= 2 && forall (i : id_t) (P(i).B imply n >= 1)", both), (True, None))
    one_sided = "E<> P(1).B && P(0).A"
    judge("the query tells them apart", m, proof(m, one_sided, both))
    judge("the network tells them apart", odd, proof(odd, "E<> n == 3", both), (False, False))
    # From (B, A) on P(1).B alone is never listed: only the renaming stands for it.
    for name, families in (("no processes", family(processes=())), ("no clocks", family(clocks=())), ("ids that repeat", family(processes=((0, 0),))),
                           ("clock 0 moves", family(clocks=((0, 1),))), ("clocks crossed", family(clocks=((2, 1),))), ("one id", family(size=1, processes=((0,),), clocks=((1,),))),
                           ("no ids", family(size=0, processes=(), clocks=())), ("rotated", family(cyclic=1)), ("a process that there is not", family(processes=((0, 7),))),
                           ("a sort that there is not", family(sorts=(5,))), ("all is excluded", family(excluded=(0, 1, 2, 3))), ("variables", family(variables=((0, 0),))),
                           ("values", family(vals=((1, (0, 1)),), sorts=(1,))), ("events", family(events=((1, 0, (0, 0)),)))):
        judge("families: %s" % name, m, proof(m, one_sided, number(1) + families))
        judge("families: %s, another query" % name, m, proof(m, "E<> P(1).B", number(1) + families))
    for n in (1 << 20, 1000000000, 1 << 40, 1 << 62):
        judge("%d families" % n, m, proof(m, one_sided, number(n) + family()))
        judge("%d ids" % n, m, proof(m, one_sided, number(1) + number(n) + family()[1:]))
        judge("%d columns" % n, m, proof(m, one_sided, number(1) + number(2) + number(0) + number(n)))
    judge("the family twice", m, proof(m, one_sided, number(2) + family() + family()))
    for image in ([(0, 1)], [(0, 1), (1, 1)], [(0, 0), (1, 0)], [(0, 1), (1, 0), (0, 0)], [(0, 2)], [(5, 0)], [(0, 1)] * 50):
        nodes = [Node(free, everything, [(0, 1, [[]]), (1, 1, [image])]), Node(free, everything, [(0, 2, [[]]), (1, 2, [[]])]), Node(free, everything, [])]
        judge("renaming %s" % image[:3], m, proof(m, "E<> n == 3", both, [[[0, 0, 0], [nodes[0]]], [[1, 1, 0], [nodes[1]]], [[2, 1, 1], [nodes[2]]]]))


# --- Reduced sets.


def reduced():
    m = Model(".xta", """clock x, y; bool b, c;
process P() { state A { x <= 2 }, B; init A; trans A -> B { assign b = true; }; }
process Q() { state A, B; init A; trans A -> B { assign c = true; }; }
system P, Q;
""")
    everything = [[le(0)]]
    for reason in ((1,), (2,), (3,), (4, 0, 1), (4, 1, 1), (4, 0, 2), (4, 7, 1), (4, 0, 0), (5,), (1 << 40,)):
        for kept in ([], [0], [1], [0, 1], [0, 5]):
            for query, hs in (("E<> c", [(0, 1)]), ("E<> Q.B && P.A", [(0, 1)]), ("E<> b", [(1, 2)]), ("E<> b || c", [])):
                groups = [[[0, 0, 0, 0], [Node({}, everything, hs, reduced=(reason, kept))]], [[1, 0, 1, 0], [Node({}, everything, [], reduced=(reason, kept))]],
                          [[0, 1, 0, 1], [Node({}, everything, [], reduced=(reason, kept))]]]
                judge("reduced, reason %s, %s, %s" % (str(reason), kept, query), m, certificate(m, query, [(0, 0)], groups, features=REDUCED))
    u = Model(".xta", """clock x; bool b, c;
process P() { state A, B; urgent A; init A; trans A -> B { guard b; }; }
process Q() { state A, B; init A; trans A -> B { assign b = true; }; }
system P, Q;
""")
    for kept in ([], [0], [1]):
        for query in ("E<> P.B", "E<> Q.B", "E<> b", "A[] not deadlock", "E<> Q.B && P.A"):
            groups = [[[0, 0, 0, 0], [Node({}, everything, [(0, 1)], reduced=((2,), kept))]], [[0, 0, 1, 0], [Node({}, everything, [])]]]
            judge("reduced, urgent, %s, %s" % (kept, query), u, certificate(u, query, [(0, 0)], groups, features=REDUCED))


# --- Dead variables.


def forgotten():
    everything = [[le(0)]]

    def model(edges, states="A, B, C, D", more="", other="", names="P"):
        return Model(".xta", """int[0,1] n, e; clock x; %s
process P() { state %s; init A; trans %s; }
%ssystem %s;
""" % (more, states, ", ".join(edges), other, names))

    def proof(m, query, dead, groups, features=FORGETS, **more):
        """groups: (slots, hints)."""
        listed = [(slots, [Node({}, everything, hints)]) for slots, hints in groups]
        return certificate(m, query, [(0, 0)], listed, features, dead=dead, **more)

    d = "int[0,1] d;"  # slots: n, e, d, then locations
    loop = ["A -> B { select k : int[0,1]; assign d = k; }", "B -> C { guard d == 0; }", "B -> D { guard d == 1; }", "C -> A { }"]
    m = model(loop, more=d)
    whole = [([0, 0, 0, 0], [(0, 1), (1, 2)]), ([0, 0, 0, 1], [(0, 3)]), ([0, 0, 1, 1], [(1, 4)]), ([0, 0, 0, 2], [(0, 0)]), ([0, 0, 0, 3], [])]
    judge("dead variables", m, proof(m, "E<> n == 1", [[2], [], [2], [2]], whole), (True, True))
    judge("reduced dead variables", m, proof(m, "E<> n == 1", [[2], [], [2], [2]], whole, FORGETS | REDUCED), (True, True))
    judge("a state that is not set back", m, proof(m, "E<> n == 1", [[2], [], [2], [2]], whole[:4] + [([0, 0, 1, 3], [])]))
    short = [([0, 0, 0, 0], [(0, 1), (1, 1)]), ([0, 0, 0, 1], [(0, 2)]), ([0, 0, 0, 2], [(0, 0)])]
    judge("a guard reads it", m, proof(m, "E<> P.D", [[2], [2], [2], [2]], short))
    for other in (RENAMED, ENDLESS, DIAGONALS, POINTS, VALUES, MARKED, SLICED, 2048):
        judge("dead variables with %d" % other, m, proof(m, "E<> n == 1", [[2], [], [2], [2]], whole, written=FORGETS | other))
    for slot in (3, 4, 1 << 20, 1 << 40, 1 << 62):
        judge("slot %d is dead" % slot, m, proof(m, "E<> P.D", [[slot], [], [2], [2]], whole[:4]))
    judge("a location is dead", m, proof(m, "E<> P.B", [[3], [3], [3], [3]], [([0, 0, 0, 0], [(0, 0), (1, 0)])]))

    line = lambda *hints: [([0, 0, 0, i], list(h)) for i, h in enumerate(hints)]

    def path(name, edge, more=d, query="E<> P.D", listed=(2,), wanted=(False, False), guard="d == 1", first="d = 1"):
        """A sets it, B forgets it, the edge from B goes to C, where it may matter."""
        it = model(["A -> B { assign %s; }" % first, "B -> C { %s }" % edge, "C -> D { guard %s; }" % guard], more=more)
        slots = [[0] * (it.slots - 1) + [i] for i in range(3)]
        groups = [(slots[0], [(0, 1)]), (slots[1], [(0, 2)]), (slots[2], [])]
        judge(name, it, proof(it, query, [[], list(listed), [], []], groups), wanted)

    path("an edge writes it", "assign d = 0;", wanted=(True, True))
    path("an edge does not write it", "")
    path("an edge writes another", "assign n = 0;")
    path("an update reads it", "assign e = d, d = 0;", guard="e == 1")
    path("an update reads it for itself", "assign d = d;")
    path("an update adds to it", "assign d += 0;")
    both = "void f() { if (n == 1) d = 0; else d = 0; }"
    path("both branches write it", "assign f();", more=d + both, wanted=(True, True))
    path("one branch writes it", "assign f();", more=d + "void f() { if (n == 1) d = 0; }")
    path("the other branch writes it", "assign f();", more=d + "void f() { if (n == 0) { } else d = 0; }")
    path("a loop writes it", "assign f();", more=d + "void f() { while (n == 1) d = 0; }")
    path("a function ends before it writes it", "assign f();", more=d + "void f() { if (n == 0) return; d = 0; }")
    path("a function reads it", "assign f();", more=d + "void f() { e = d; d = 0; }", guard="e == 1")
    path("a function reads it in an index", "assign f();", more="int[0,1] d; int[0,1] a[2]; void f() { a[d] = 1; d = 0; }", guard="a[1] == 1")
    path("a condition writes it", "assign e = (n == 1 && (d = 0) == 0) ? 1 : 0;", wanted=(False, None))
    path("a reference writes another", "assign f(n, d);", more=d + "void f(int[0,1] &a, int[0,1] &b) { a = 0; }")
    path("an element of an array", "assign d[1] = 0;", more="int[0,1] d[2];", listed=(3,), guard="d[1] == 1", first="d[1] = 1", wanted=(True, True))
    path("another element of an array", "assign d[0] = 0;", more="int[0,1] d[2];", listed=(3,), guard="d[1] == 1", first="d[1] = 1")
    path("some element of an array", "assign d[n] = 0;", more="int[0,1] d[2];", listed=(3,), guard="d[1] == 1", first="d[1] = 1")
    path("an element of a large array", "assign d[1] = 0;", more="int[0,1] d[70];", listed=(3,), guard="d[1] == 1", first="d[1] = 1", wanted=(False, True))
    path("a guard reads it, and the update writes it", "guard d == 1; assign d = 0;", query="E<> P.C")

    it = model(["A -> B { assign d = 1; }"], more=d)
    judge("the query reads it", it, proof(it, "E<> d == 1", [[2]] * 4, line([(0, 1)], [])))
    judge("the query A[] reads it", it, proof(it, "A[] d == 0", [[2]] * 4, line([(0, 1)], [])))
    judge("nothing reads it", it, proof(it, "E<> n == 1", [[2]] * 4, line([(0, 1)], [])), (True, True))
    judge("a query of deadlock reads it", it, proof(it, "A[] not (deadlock && d == 1)", [[2]] * 4, line([(0, 1)], [])))
    it = model(["A -> B { assign d = 1; }", "B -> C { guard x >= 1; assign d = 0; }"], "A, B { x <= d }, C, D", more=d)
    judge("an invariant reads it", it, proof(it, "E<> P.C", [[], [2], [], []], line([(0, 1)], [])))
    watcher = "process Q() { state a, b; init a; trans a -> b { guard d == 1; }; }\n"
    it = model(["A -> B { assign d = 1; }"], more=d, other=watcher, names="P, Q")
    judge("another process reads it", it, proof(it, "E<> Q.b", [[2], [2], [2], [2], [], []], [([0, 0, 0, 0, 0], [(0, 1)]), ([0, 0, 0, 1, 0], [])]))
    writer = "process Q() { state a, b; init a; trans a -> b { assign d = 1; }; }\n"
    it = model(["A -> B { assign d = 0; }", "B -> C { guard d == 1; }"], more=d, other=writer, names="P, Q")
    judge("another process writes it", it, proof(it, "E<> P.C", [[2], [], [2], [2], [2], [2]],
                                                [([0, 0, 0, 0, 0], [(0, 2), (1, 1)]), ([0, 0, 0, 0, 1], [(0, 3)]), ([0, 0, 0, 1, 0], [(1, 3)]), ([0, 0, 0, 1, 1], [])]))
    it = model(["A -> B { assign d[0] = 1; }", "B -> C { assign d[0] = 0; }"], more="int[0,1] d[2];")
    judge("a sum in the query reads it", it, proof(it, "E<> (sum (i : int[0,1]) d[i]) == 1", [[2]] * 4, [([0, 0, 0, 0, 0], [(0, 1)]), ([0, 0, 0, 0, 1], [(0, 2)]), ([0, 0, 0, 0, 2], [])]))
    for hook in ("before_update { e = e | d; }", "after_update { e = e | d; }"):
        it = model(["A -> B { assign d = 1; }", "B -> C { assign d = 0; }"], more=d + hook)
        judge("an update around each step reads it", it, proof(it, "E<> e == 1", [[], [2], [], []], line([(0, 1)], [(0, 2)], [])))
    many_slots, many_edges = 12800, 800  # a search of the list for each slot would take a minute
    it = Model(".tck", "system:s\nevent:a\n%sprocess:P\nlocation:P:A{initial:}\nlocation:P:B\n%s" % (
        "".join("int:64:0:1:0:a%d\n" % i for i in range(many_slots // 64)), "edge:P:A:A:a{}\n" * many_edges))
    loops = [([0] * it.slots, [(i, 0) for i in range(many_edges)])]
    judge("many dead variables", it, proof(it, "E<> P.B", [list(range(many_slots)), []], loops, kind=1), (True, None), is_long=True)


# --- The hash: models that differ in what their lines name only, and reach the same states.


def hashes():
    model = lambda body, more="": Model(".xta", "int[0,2] n;\n%s\nvoid f() { %s }\nprocess P() { state A; init A; trans A -> A { assign f(); }; }\nsystem P;\n" % (more, body))
    nested = "int g() { return %s; }"
    models = [model(body) for body in (
        "n = 1 - n;", "int[0,1] k = 1; n = k - n;", "int[0,2] k = 1; n = k - n;", "int[0,1] k = 0; n = 1 - n;",
        "for (i : int[0,0]) n = 1 - n;", "for (i : int[0,2]) n = 1 - n;", "int i; while (i < 1) { n = 1 - n; i++; }",
        "n = 1 - n; assert(n < 2);", "n = 1 - n; { int n = 1; n = n; }")]
    models += [model("n = g() - n;", nested % "1"), model("n = g() - n;", nested % "2 - 1 + 0 * n"), model("n = g() - n;", nested % "1 + n - n"),
               model("n = c[n] - n;", "const int c[2] = {1, 1};"), model("n = c[n] - n;", "const int[0,1] c[3] = {1, 1, 0};"),
               model("n = 1 - n;", "after_update { n = n }"), model("n = 1 - n;", "before_update { n = n }"), model("n = 1 - n;", "meta bool b;"),
               model("n = 1 - n;", "bool b;"), model("n = 1 - n;", "urgent chan c;"), model("n = 1 - n;", "chan c;")]
    wide = lambda m: [0] * (m.slots - 2)
    of = lambda m, **other: certificate(m, "E<> n == 2", [(0, 0)], [([0] + wide(m) + [0], [Node({}, [[le(0)]], [(0, 1)])]), ([1] + wide(m) + [0], [Node({}, [[le(0)]], [(0, 0)])])], **other)
    assert model("n=1 - n; /* set */").hash == models[0].hash
    for m in models:
        judge("its own hash", m, of(m), (True, True))
        for other in models:
            if other is not m:
                judge("the hash of another model", m, of(m, hash=other.hash))


# --- Slices.


def sliced():
    start = [[le(0), le(0), le(0)], [le(0), le(0), le(0)], [le(0), le(0), le(0)]]  # of x and y
    later = [[le(0), le(0), le(0)], [None, le(0), le(0)], [None, le(0), le(0)]]
    exact = {1: (INF, INF), 2: (INF, INF)}

    def model(*processes, more="", system=None):
        """Each process is states and edges; the last one, Q, is left out. Slots: n, q, k, then locations."""
        names = ["P%d" % i for i in range(len(processes) - 1)] + ["Q"]
        body = "".join("process %s() { state %s; %s }\n" % (name, places, ("trans %s;" % edges) if edges else "") for name, (places, edges) in zip(names, processes))
        return Model(".xta", "int[0,1] n, q, k; clock x, y; chan c; urgent chan u; broadcast chan b;\n%s\n%ssystem %s;\n" % (more, body, system or ", ".join(names)))

    def proof(m, query, groups, left_out=None, features=SLICED, **more):
        """groups: locations or slots, hints, and perhaps a zone of both clocks."""
        listed = []
        for places, hints, *zone in groups:
            slots = [0] * (m.slots - len(places)) + list(places)
            listed.append((slots, [Node(exact if zone else {}, zone[0] if zone else [[le(0)]], hints)]))
        last = m.slots - 4  # the process Q
        return certificate(m, query, [(0, 0)], listed, features, left_out=[last] if left_out is None else left_out, **more)

    def false(name, m, query, groups, **more):
        judge("slices: " + name, m, proof(m, query, groups, **more))

    two, go, sets = "A, B; init A", "A -> B { %s }", ("A, B; init A", "A -> B { assign q = 1; }")
    free = model((two, go % "guard n == 1;"), sets)
    still = [((0, 0), [])]
    judge("slices: nothing depends on it", free, proof(free, "E<> P0.B", still), (True, False))
    judge("slices: nothing depends on it, A[]", free, proof(free, "A[] not P0.B", still), (True, False))
    both = [((0, 0), [(0, 1)]), ((0, 1, 0, 0, 1), [])]
    judge("slices: nothing is left out", free, proof(free, "E<> n == 1", both, left_out=[]), (True, False))
    false("it has another state", free, "E<> Q.B", still)
    false("the query reads a variable", free, "E<> q == 1", still)
    false("the query reads a variable, A[]", free, "A[] q == 0", still)
    resets = model((two, ""), (two, "A -> A { assign y = 0; }"))
    for query in ("E<> x >= 2 && y < 1", "E<> P0.A && x - y >= 2", "A[] x < 2 or y >= 1"):
        false("the query reads a clock, %s" % query, resets, query, [((0, 0), [], later)])
    for left_out in ([], [0], [0, 1], [2], [1, 2], [1 << 20], [1 << 40]):
        false("%s are left out" % left_out, free, "E<> q == 1", still, left_out=left_out)
    for other in (RENAMED, ENDLESS, DIAGONALS, POINTS, REDUCED, VALUES, MARKED, TIMED, DIVERGES, FORGETS, 2048):
        false("with feature %d" % other, free, "E<> P0.B", still, written=SLICED | other)
    judge("slices: all states", free, certificate(free, "", [(0, 0)], [([0] * 5, [Node({}, [[le(0)]])])], SLICED, kind=0, left_out=[1]))
    whole = proof(free, "E<> P0.B", still)
    for size in range(whole.index(b"by hand"), len(whole)):
        judge("slices: cut off at %d" % size, free, whole[:size])

    false("a guard reads a variable", model((two, go % "guard q == 1;"), sets), "E<> P0.B", still)
    false("a guard reads a clock", model((two, go % "guard x >= 2 && y < 1;"), (two, go % "assign y = 0;")), "E<> P0.B", [((0, 0), [], later)])
    false("an invariant reads a variable", model(("A { x <= 1 + q }, B; init A", go % "guard x >= 2;"), sets), "E<> P0.B", [((0, 0), [], later)])
    false("an update reads a variable", model((two, "A -> A { assign f(); }"), sets, more="void f() { n = q; }"), "E<> n == 1", [((0, 0), [(0, 0)])])
    false("a clock is set to a variable", model(("A, B, C; init A", "A -> B { assign x = q; }, B -> C { guard x >= 1 && y < 1; }"), sets), "E<> P0.C",
          [((0, 0), [(0, 1)], later), ((1, 0), [], [[le(0)] * 3, [None, le(0), le(0)], [None, None, le(0)]])])
    idle = model((two, "A -> A { assign k = q, n = k; }"), sets)
    judge("slices: an idle update", idle, proof(idle, "E<> P0.B", [((0, 0), [(0, 0)])]), (True, False))
    false("an idle update reads a variable", idle, "E<> k == 1", [((0, 0), [(0, 0)])])
    false("and the next one what it writes", idle, "E<> n == 1", [((0, 0), [(0, 0)])])
    false("an idle update may fail", model((two, go % "assign k = q + 1;"), sets), "E<> n == 1", [((0, 0), [(0, 1)]), ((0, 0, 1, 1, 0), [])])
    local = Model(".tck", "system:s\nevent:a\nint:1:0:1:0:f\nint:1:0:1:0:n\nprocess:P\nlocation:P:A{initial:}\n"
                  "edge:P:A:A:a{do: local t; t = f; n = (if t == 1 then 1 else 0)}\nprocess:Q\nlocation:Q:A{initial:}\nedge:Q:A:A:a{do: f = 1}\n")
    false("a local variable", local, "E<> n == 1", [((0, 0), [(0, 0)])], left_out=[1])
    false("a process that is left out may fail", model((two, ""), (two, go % "assign q = 2 - n;")), "E<> P0.B", still)
    alive = model((two, "A -> A { }"), ("A, B; commit B; init A", go % ""))
    false("a deadlock", alive, "E<> deadlock", [((0, 0), [(0, 0)])])
    false("a deadlock, A[]", alive, "A[] not deadlock", [((0, 0), [(0, 0)])])
    false("priorities", model((two, go % "sync c?;"), (two, "A -> A { }"), (two, go % "sync c!;"), system="P0 < P1 < Q"), "E<> P0.B", [((0, 0, 0), [(0, 0)])])
    for hook in ("before_update { n = q; }", "after_update { n = q; }"):
        false(hook, model((two, "A -> A { }"), sets, more=hook), "E<> n == 1", [((0, 0), [(0, 0)])])
    false("stopped clocks", model((two, go % "guard x < 1 && y >= 2;"), ("A, B { x' == 0 }; init A", go % "")), "E<> P0.B", [((0, 0), [], later)])
    false("no initial state", model((two, ""), ("A { y >= 1 }; init A", "")), "E<> P0.B", still)

    for channel in "cu":
        for mine, other in ("?!", "!?"):
            false("a partner, %s%s" % (channel, mine), model((two, go % ("sync %s%s;" % (channel, mine))), (two, go % ("sync %s%s;" % (channel, other)))), "E<> P0.B", still)
    false("a sender of a broadcast", model((two, go % "sync b?;"), (two, go % "sync b!;")), "E<> P0.B", still)
    receiver = (two, go % "guard n == 0; sync b?; assign n = 1;")
    false("receivers of a broadcast go together", model(receiver, receiver, (two, go % "sync b!;")), "E<> P0.B && P1.B",
          [((0, 0, 0), [(0, 1), (1, 2)]), ((1, 0, 0, 1, 0, 0), []), ((1, 0, 0, 0, 1, 0), [])])
    busy, place = ("A; commit A; init A", "A -> A { }"), "A, B; commit A; init A"
    for mine, other in ("c?", "c!"), ("c!", "c?"), ("b?", "b!"), ("b!", "b?"):
        false("a committed partner, %s" % mine, model((two, go % ("sync %s;" % mine)), busy, (place, go % ("sync %s;" % other))), "E<> P0.B", [((0, 0, 0), [(0, 0)])])
    late = (two, go % "guard x >= 2;")
    for kind in "urgent", "commit":
        false("a location stops time, %s" % kind, model(late, ("A, B; %s A; init A" % kind, go % "")), "E<> P0.B", [((0, 0), [], start)])
    false("a committed location", model((two, go % ""), (place, go % "")), "E<> P0.B", still)
    false("an invariant", model(late, ("A { x <= 1 }, B; init A", go % "")), "E<> P0.B", [((0, 0), [], later)])
    false("an urgent channel stops time", model(("A, B, C; init A", "A -> C { sync u!; }, A -> B { guard x >= 2; }"), ("A, B; init A", "B -> A { sync u?; }")), "E<> P0.B",
          [((0, 0), [(0, 1)], start), ((2, 0), [])])


# --- Differences.


def diagonals():
    m = Model(".xta", """clock x, y;
process P() { state A, B; init A; trans A -> A { guard x >= 1; assign x = 0; }, A -> B { guard y - x >= 2 && x <= 1; }; }
system P;
""")
    z = lambda gap: [[le(0), le(0), le(0)], [None, le(0), le(0) if gap is None else gap[0]], [None, None if gap is None else gap[1], le(0)]]
    B = "E<> P.B"
    for bounds in (NONE, 0, 1, 2, 3, INF):
        for gap in (None, (le(0), le(0)), (le(0), le(1)), (le(0), lt(2)), (le(0), le(2))):
            for listed in ((), ((1, 2, le(-2)),), ((2, 1, lt(2)),), ((2, 1, le(2)),), ((1, 2, le(-2)), (2, 1, lt(2)))):
                node = Node({1: (bounds, bounds), 2: (bounds, bounds)}, z(gap), [(0, 0)], diagonals=listed)
                judge("differences %s %s" % (bounds, str(listed)), m, certificate(m, B, [(0, 0)], [[[0], [node]]], features=DIAGONALS))
                judge("no differences %s" % bounds, m, certificate(m, B, [(0, 0)], [[[0], [node]]]))
    for gap in ((0, 1, 1), (1, 1, 1), (1, 3, 1), (3, 1, 1), (1, 2, 1 << 50)):
        node = Node({1: (INF, INF), 2: (INF, INF)}, z(None), [(0, 0)], diagonals=(gap,))
        judge("a difference %s" % str(gap), m, certificate(m, B, [(0, 0)], [[[0], [node]]], features=DIAGONALS))


def rates():
    m = Model(".xta", """clock x, y;
process P() { state A { x' == 0 && y <= 3 }, B; init A; trans A -> B { guard x < 1 && y >= 2; }; }
system P;
""")
    B = "E<> P.B"
    square = lambda a, b: [[le(0), le(0), le(0)], [a, le(0), le(0)], [b, None if b is None else le(0), le(0)]]
    for bounds in (NONE, 0, 1, 2, 3, INF):
        for zone in (square(le(0), le(0)), square(le(3), le(3)), square(None, None)):
            node = Node({1: (bounds, bounds), 2: (bounds, bounds)}, zone)
            for features in (0, DIAGONALS):
                judge("a stopped clock, %s" % bounds, m, certificate(m, B, [(0, 0)], [[[0], [node]]], features=features))
    judge("stopped clocks and infinite runs", m, certificate(m, "A<> P.B", [(0, 0)], [[[0], 1, [Node({1: (3, 3), 2: (3, 3)}, square(le(3), le(3)))]]], features=ENDLESS))
    judge("stopped clocks and values", m, certificate(m, "sup: x", [(0, 0)], [[[0], [Node({1: (3, 3), 2: (3, 3)}, square(le(0), le(0)))]]], features=VALUES, claims=[(4, 0, 0)]))
    body = many([0], lambda s: signed(0) + number(4) + number(4) + number(1) + number(0) + number(0) + number(3))
    judge("stopped clocks and points", m, b"tarn certificate 6\n" + number(POINTS) + m.hash + number(1) + text(B) + text("") + number(1) + number(2) + body + number(0))


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    for part in (states, constants, channels, endless, points, values, renamed, reduced, forgotten, hashes, sliced, diagonals, rates):
        if part.__name__ in sys.argv[1:] or not sys.argv[1:]:
            part()
        judge_proved()
for failure in failures:
    print("FAIL rules of certificates: " + failure)
if not failures:
    print("ok rules of certificates: %d files, %s" % (count, "both checkers" if HAS_PROVED else "tarn certify only"))
sys.exit(bool(failures))
