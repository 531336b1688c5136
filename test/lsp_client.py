"""A client of `tarn lsp`: every request on small documents, then random edits.

lsp_client.py TARN [--edits N] [--seed S] [FILE...]: prints one line for each test. After random
edits of a file, what the server says must be what a server says that has just opened the text.
"""
import json
import random
import re
import subprocess
import sys
import time


class Server:
    def __init__(self, tarn):
        self.process = subprocess.Popen([tarn, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.notes = []

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError("the server has ended")
            if line == b"\r\n":
                return json.loads(self.process.stdout.read(length))
            length = int(line.split(b":")[1])

    def request(self, method, **params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.number:
                return message
            self.notes.append(message)

    def ask(self, method, uri, **params):
        return self.request("textDocument/" + method, textDocument={"uri": uri}, **params).get("result")

    def note(self, method, **params):
        self.send({"method": method, "params": params})

    def open(self, uri, text):
        self.note("textDocument/didOpen", textDocument={"uri": uri, "languageId": "tarn", "version": 1, "text": text})

    def change(self, uri, *changes):
        self.note("textDocument/didChange", textDocument={"uri": uri, "version": 2}, contentChanges=list(changes))

    def diagnostics(self, uri):
        while True:
            for i, message in enumerate(self.notes):
                if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                    return self.notes.pop(i)["params"]["diagnostics"]
            self.notes.append(self.receive())

    def end(self):
        self.request("shutdown")
        self.note("exit")
        return self.process.wait(10)


failed = False


def check(name, condition, shown=""):
    global failed
    failed |= not condition
    print(f"ok lsp/{name}" if condition else f"FAIL lsp/{name}: {shown}")


MODEL = """// A lamp.
const int LIMIT = 5;
chan press;
clock x;
int[0,3] count;

int twice(int n) {
  return 2 * n;
}

process Lamp(const int delay) {
  state off, low, bright { x <= LIMIT };
  init off;
  trans off -> low { sync press?; assign x = 0, count = twice(1); },
        low -> bright { guard x < delay; sync press?; },
        bright -> off { guard x == LIMIT; };
}

process User() {
  state idle;
  init idle;
  trans idle -> idle { sync press!; };
}

L = Lamp(3);
system L, User;
"""


def position(text, word, offset=0):
    at = text.index(word) + offset
    return {"line": text.count("\n", 0, at), "character": at - (text.rfind("\n", 0, at) + 1)}


def applied(text, edits):
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(place):
        return starts[place["line"]] + place["character"]
    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        text = text[:offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]):]
    return text


def fixes(server, uri, text, diagnostics):
    """The text after all quick fixes for the diagnostics."""
    edits = []
    for found in diagnostics:
        for action in server.ask("codeAction", uri, range=found["range"], context={"diagnostics": [found]}):
            edits += [edit for edit in action["edit"]["changes"][uri] if edit not in edits]
    return applied(text, edits)


SLOW = """int[0,100000] a, b; clock x;
process P() { state s; init s; trans s -> s { guard a < 100000; assign a = a + 1; }, s -> s { guard b < 100000; assign b = b + 1; }; }
system P;
query { A[] a + b <= 200000 }
"""


# Names that are hidden: N@ stands for the name n and its definition N, "n" everywhere in the text.
HIDDEN = """int A@ = 1, B@[2];
typedef struct { int C@; } one_t;
typedef struct { int D@; one_t in; } two_t;
two_t pair[2];
int E@(int F@) {
  int G@ = A@;
  { int G@ = F@; G@ = 0; }
  for (H@ : int[0,1]) if (H@ > 0) G@ = H@; else G@ = 0;
  { int I@ = G@; G@ = I@; }
  return G@ + (sum (J@ : int[0,1]) J@) + F@;
}
process P(const int K@) {
  int L@;
  state M@, N@;
  init M@;
  trans M@ -> N@ { select O@ : int[0,1]; guard O@ > K@; },
        N@ -> M@ { guard K@ > L@ + pair[0].D@ + pair[1].in.C@ && forall (Q@ : int[0,1]) Q@ < 2; };
}
process W() {
  int m;
  state s;
  init s;
  trans s -> s { assign m = E@(1); };
}
S = P(1);
system S, W;
query { E<> S.M@ && S.L@ > 0 }
"""


def hidden(letters):
    """The text with the name n for these letters, and where each of them stands. G of the inner block is another one."""
    text, places, line, column = "", {}, 0, 0
    for part in re.split("([A-Z]@)", HIDDEN):
        if part.endswith("@"):
            inner = part[0] == "G" and line == 6
            places.setdefault("g" if inner else part[0], []).append((line, column))
            part = "n" if part[0] in letters else part[0].lower() + "_"
        text += part
        line, column = line + part.count("\n"), len(text) - (text.rfind("\n") + 1)
    return text, places


def renaming(server):
    # Not all at once: in one scope a name has one meaning.
    for letters in ("AG", "AH", "AI", "AJ", "AK", "AL", "AO", "AQ", "EM", "EN", "CD", "BK", "BO", "GJ", "LO", "LQ"):
        text, places = hidden(letters)
        uri = f"file:///tmp/{letters}.xta"
        server.open(uri, text)
        found = server.diagnostics(uri)
        wrong = []
        for letter, wanted in places.items():
            for at in wanted:
                result = server.ask("rename", uri, position={"line": at[0], "character": at[1]}, newName="other")
                edits = sorted((e["range"]["start"]["line"], e["range"]["start"]["character"])
                               for e in (result or {"changes": {uri: []}})["changes"][uri])
                if edits != wanted:
                    wrong.append((letter, at, edits, wanted))
        check(f"renames where {letters} have one name", not found and not wrong, (found, wrong))
        server.note("textDocument/didClose", textDocument={"uri": uri})
    # In TChecker's format an event, a variable, a process and a location may have one name.
    text = ("system:s\nevent:x\nclock:1:x\nint:1:0:3:0:n\nprocess:x\nprocess:P\nlocation:x:x{initial: : labels: x}\n"
            "location:P:x{initial:}\nedge:x:x:x:x{provided: x >= n : do: x = n}\nedge:P:x:x:x{}\nsync:x@x:P@x\n")
    uri = "file:///tmp/shared.tck"
    server.open(uri, text)
    server.diagnostics(uri)
    for name, where in (("event", [(1, 6), (8, 11), (9, 11), (10, 7), (10, 11)]), ("clock", [(2, 8), (8, 23), (8, 36)]),
                        ("process", [(4, 8), (6, 9), (8, 5), (10, 5)]), ("location of x", [(6, 11), (8, 7), (8, 9)]),
                        ("location of P", [(7, 11), (9, 7), (9, 9)]), ("variable", [(3, 12), (8, 28), (8, 40)])):
        wrong = []
        for at in where:
            result = server.ask("rename", uri, position={"line": at[0], "character": at[1]}, newName="other")
            edits = sorted((e["range"]["start"]["line"], e["range"]["start"]["character"])
                           for e in (result or {"changes": {uri: []}})["changes"][uri])
            wrong += [(at, edits)] if edits != where else []
        check(f"rename of a shared name: {name}", not wrong, wrong)
    server.note("textDocument/didClose", textDocument={"uri": uri})
    # A name that would hide another one, or be hidden.
    uri = "file:///tmp/clash.xta"
    text = "int a, b;\nprocess P() { int c; state s; init s; trans s -> s { guard a > c; }; }\nsystem P;\n"
    server.open(uri, text)
    server.diagnostics(uri)
    for old, new in (("c;", "a"), ("a,", "c"), ("b;", "a"), ("a,", "b"), ("s;", "a")):
        result = server.request("textDocument/rename", textDocument={"uri": uri}, position=position(text, old), newName=new)
        check(f"{old[0]} cannot be {new}", "already" in result.get("error", {}).get("message", ""), result)
    server.note("textDocument/didClose", textDocument={"uri": uri})
    # The reader of XML sees no carriage returns.
    uri = "file:///tmp/returns.xml"
    text = ("<nta><declaration>int a;\r\nconst int b = 1;\r\nint c = b;</declaration><template><name>P</name><declaration>clock x;\r\n"
            "int d;\r\nint bad = none;</declaration><location id=\"l\"/><init ref=\"l\"/></template><system>system P;</system></nta>")
    server.open(uri, text)
    found = server.diagnostics(uri)
    check("a mistake behind carriage returns", [d["range"]["start"] for d in found] == [position(text, "none")], found)
    result = server.ask("definition", uri, position=position(text, "b;</"))
    check("a definition behind carriage returns", result["range"]["start"] == position(text, "b = 1"), result)
    server.note("textDocument/didClose", textDocument={"uri": uri})


def fixing(server):
    uri = "file:///tmp/fixes.xta"
    good = ("chan go;\nclock x;\nint n;\nprocess P() {\n  state a { x <= 5 }, b;\n  init a;\n"
            "  trans a -> b { guard x == 3; sync go!; assign n = 1; };\n}\nsystem P;\n")
    bad = (good.replace("process", "Process").replace("x <= 5", "x =< 5").replace("x == 3", "x = 3")
           .replace("go!", "goo!").replace("clock x;", "clock x"))
    server.open(uri, bad)
    found = server.diagnostics(uri)
    check("five mistakes", len(found) == 5, found)
    check("their fixes", fixes(server, uri, bad, found) == good, fixes(server, uri, bad, found))
    text = good.replace("int n;", "int unused, n;\nclock y;").replace("n = 1", "n == 1, n = n + 1")
    server.change(uri, {"text": text})
    server.diagnostics(uri)
    server.note("textDocument/didSave", textDocument={"uri": uri})
    found = server.diagnostics(uri)
    check("lint", {d.get("code") for d in found} >= {"variable", "clock"}, found)
    result = fixes(server, uri, text, found)
    check("fixes of lint", "unused" not in result and "clock y" not in result and "n = 1, n" in result, result)
    result = server.request("workspace/executeCommand", command="tarn.lint", arguments=[uri])
    check("lint by command", result["result"] >= 3, result)
    server.note("textDocument/didClose", textDocument={"uri": uri})


def cancelling(server):
    uri = "file:///tmp/slow.xta"
    server.open(uri, SLOW)
    server.number += 1
    server.send({"id": server.number, "method": "workspace/executeCommand",
                 "params": {"command": "tarn.check", "arguments": [uri, 0], "workDoneToken": "t1"}})
    kinds = []
    while len(kinds) < 2:
        message = server.receive()
        if message.get("method") == "$/progress":
            kinds.append(message["params"]["value"]["kind"])
    began = time.monotonic()
    server.send({"method": "$/cancelRequest", "params": {"id": server.number}})
    while message.get("id") != server.number:
        message = server.receive()
        kinds += [message["params"]["value"]["kind"]] if message.get("method") == "$/progress" else []
    took = time.monotonic() - began
    check("cancel", message.get("error", {}).get("code") == -32800 and took < 2, (message, took))
    message = server.receive()
    kinds.append(message.get("params", {}).get("value", {}).get("kind"))
    check("progress", kinds[0] == "begin" and kinds[1] == "report" and kinds[-1] == "end", kinds)
    # A token of the server's own, cancelled by it; and a request that is cancelled before it begins.
    server.number += 2
    server.send({"id": server.number - 1, "method": "workspace/executeCommand",
                 "params": {"command": "tarn.check", "arguments": [uri, 0]}})
    server.send({"id": server.number, "method": "textDocument/hover",
                 "params": {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 5}}})
    server.send({"method": "$/cancelRequest", "params": {"id": server.number}})
    codes = []
    while len(codes) < 2:
        message = server.receive()
        if message.get("method") == "window/workDoneProgress/create":
            token = message["params"]["token"]
            server.send({"id": message["id"], "result": None})
        elif message.get("method") == "$/progress" and message["params"]["value"]["kind"] == "begin":
            server.send({"method": "window/workDoneProgress/cancel", "params": {"token": token}})
        elif "id" in message:
            codes.append(message.get("error", {}).get("code"))
    check("cancel by the token, and before the beginning", codes == [-32800, -32800], codes)
    server.note("textDocument/didClose", textDocument={"uri": uri})


def requests(tarn):
    server = Server(tarn)
    early = server.request("textDocument/hover")
    check("initialize comes first", early["error"]["code"] == -32002, early)
    capabilities = server.request("initialize", capabilities={"window": {"workDoneProgress": True}})
    capabilities = capabilities["result"]["capabilities"]
    check("initialize", capabilities["renameProvider"]["prepareProvider"])
    uri = "file:///tmp/lamp.xta"
    server.open(uri, MODEL)
    check("no diagnostics", server.diagnostics(uri) == [])
    broken = MODEL.replace("x < delay", "x = delay").replace("press!", "pres!").replace("twice(1)", "twise(1)")
    server.change(uri, {"text": broken})
    found = server.diagnostics(uri)
    check("three mistakes", len(found) == 3, found)
    server.change(uri, {"text": MODEL})
    server.diagnostics(uri)
    at = position(MODEL, "x <= LIMIT", 5)
    result = server.ask("definition", uri, position=at)
    check("definition", result["range"]["start"]["line"] == 1, result)
    result = server.ask("references", uri, position=at, context={"includeDeclaration": True})
    check("references", len(result) == 3, result)
    result = server.ask("documentHighlight", uri, position=at)
    check("highlights", len(result) == 3 and "uri" not in result[0], result)
    result = server.ask("hover", uri, position=position(MODEL, "count ="))
    check("hover, a range", "from 0 to 3" in result["contents"]["value"], result)
    result = server.ask("hover", uri, position=position(MODEL, "Lamp(const"))
    check("hover, a template", "`L`" in result["contents"]["value"], result)
    result = server.ask("hover", uri, position=position(MODEL, "guard x < delay"))
    check("hover, a guard", "x < 3" in result["contents"]["value"], result)
    labels = [item["label"] for item in server.ask("completion", uri, position=at)["items"]]
    check("completion", {"LIMIT", "delay", "bright", "press", "guard"} <= set(labels) and "n" not in labels, labels)
    result = server.ask("signatureHelp", uri, position=position(MODEL, "twice(1)", 6))
    check("signature", result["signatures"][0]["label"] == "int twice(int n)", result)
    result = server.ask("prepareRename", uri, position=position(MODEL, "press;"))
    check("prepare a rename", result["start"] == position(MODEL, "press;"), result)
    result = server.ask("rename", uri, position=position(MODEL, "press;"), newName="push")
    check("rename", len(result["changes"][uri]) == 4, result)
    result = server.request("textDocument/rename", textDocument={"uri": uri}, position=position(MODEL, "press;"),
                            newName="count")
    check("a rename that would clash", "already" in result["error"]["message"], result)
    result = server.request("textDocument/rename", textDocument={"uri": uri}, position=position(MODEL, "press;"),
                            newName="process")
    check("a rename to a word", "error" in result, result)
    check("formatting, nothing to do", server.ask("formatting", uri, options={}) == [])
    server.change(uri, {"range": {"start": position(MODEL, " = 5"), "end": position(MODEL, " = 5", 4)}, "text": "=5"})
    result = server.ask("formatting", uri, options={})
    check("formatting", applied(MODEL.replace(" = 5", "=5"), result) == MODEL, result)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 15}}
    result = server.ask("rangeFormatting", uri, range=whole, options={})
    check("formatting of a range", len(result) == 1 and result[0]["newText"] == " ", result)
    server.change(uri, {"text": MODEL})
    result = server.ask("foldingRange", uri)
    check("folding", {"startLine": 6, "endLine": 8} in result, result)
    result = server.ask("documentSymbol", uri)
    lamp = next(symbol for symbol in result if symbol["name"] == "Lamp")
    check("symbols", [child["name"] for child in lamp["children"]] == ["off", "low", "bright"], result)
    data = server.ask("semanticTokens/full", uri)["data"]
    check("semantic tokens", len(data) % 5 == 0 and data[:5] == [1, 0, 5, 0, 0], data[:20])

    queries = "file:///tmp/lamp.q"
    server.open(queries, "// EXPECT: T\nE<> L.bright\nA[] L.of imply x < 1\n")
    found = server.diagnostics(queries)
    check("a mistake in a query", len(found) == 1 and "did you mean `off`" in found[0]["message"], found)
    result = server.ask("codeLens", queries)
    check("lenses", [lens["command"]["title"] for lens in result[:3]] == ["check", "run", "show page"], result)
    labels = [item["label"] for item in server.ask("completion", queries, position={"line": 1, "character": 6})["items"]]
    check("members", "bright" in labels and "LIMIT" not in labels, labels)
    result = server.ask("definition", queries, position={"line": 1, "character": 7})
    check("definition from a query", result["uri"] == uri, result)
    result = server.request("workspace/executeCommand", command="tarn.check", arguments=[queries, 0])["result"]
    check("check", result["results"][0]["verdict"] == "satisfied", result)
    result = server.request("workspace/executeCommand", command="tarn.page", arguments=[queries, 0])["result"]
    check("page", "<html" in result, str(result)[:100])
    result = server.request("workspace/executeCommand", command="tarn.check", arguments=[queries, 9])
    check("no such query", "error" in result, result)

    xml = "file:///tmp/lamp.xml"
    text = ("<nta><declaration>clock x; int a;</declaration><template><name>T</name><location id='i0'><name>A</name>"
            "<label kind='invariant'>x &lt;= 3 &amp;&amp; y &lt; 2</label></location><init ref='i0'/></template>"
            "<system>system T;</system></nta>")
    server.open(xml, text)
    found = server.diagnostics(xml)
    check("a place in a label", len(found) == 1 and found[0]["range"]["start"]["character"] == text.index("y &lt;"), found)
    result = server.ask("definition", xml, position={"line": 0, "character": text.index("x &lt;")})
    check("definition in XML", result["range"]["start"]["character"] == text.index("x; int"), result)

    tck = "file:///tmp/lamp.tck"
    text = "system:s\nevent:e\nclock:1:x\nprocess:P\nlocation:P:a{initial:}\nedge:P:a:a:e{provided: x<1}\n"
    server.open(tck, text)
    check("TChecker's format", server.diagnostics(tck) == [])
    result = server.ask("references", tck, position=position(text, "a{initial"), context={"includeDeclaration": True})
    check("references in TChecker's format", len(result) == 3, result)
    result = server.ask("hover", tck, position=position(text, "x<1"))
    check("hover in TChecker's format", "clock:1:x" in result["contents"]["value"], result)

    fixing(server)
    renaming(server)
    cancelling(server)
    for name, message in (("no JSON", b"{"), ("no request", b"[1, 2]"), ("no method", b'{"id": 1, "method": "x"}')):
        server.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(message) + message)
        server.process.stdin.flush()
        answer = server.receive()
        while "method" in answer:  # the end of progress, diagnostics
            answer = server.receive()
        check(name, "error" in answer)
    check("not open", server.ask("hover", "file:///none", position={"line": 0, "character": 0}) is None)
    server.note("textDocument/didClose", textDocument={"uri": tck})
    check("the end", server.end() == 0)


def all_answers(server, uri, places):
    whole = [server.ask(m, uri) for m in ("documentSymbol", "foldingRange", "semanticTokens/full", "codeLens")]
    whole.append(server.ask("formatting", uri, options={}))
    whole.append(server.ask("diagnostic", uri))
    for place in places:
        for method in ("definition", "hover", "completion", "signatureHelp"):
            whole.append(server.ask(method, uri, position=place))
    return json.dumps(whole).replace(uri, "").replace(uri[7:], "")  # messages quote the path


PIECES = ["", "", " ", "\n", "{", "}", "(", ")", ";", ",", "x", "int ", "process P() {", "->", "<", "&lt;", "]]>", "//",
          "/*", "é", "\U0001f600", "state ", "trans ", "0", "'", '"', "<label kind='guard'>", "</label>", "#", ":", "edge:P:"]


def random_edits(tarn, files, edits, seed):
    """Edits of random pieces; now and then all answers are compared with those of a fresh server."""
    generator = random.Random(seed)
    done = 0
    for file in files:
        with open(file, encoding="utf-8", errors="replace", newline="") as stream:
            text = stream.read()[:20000]
        server = Server(tarn)
        server.request("initialize")
        uri = "file:///tmp/edited." + file.rsplit(".", 1)[-1]
        server.open(uri, text)
        count = max(1, edits // len(files))
        for edit in range(count):
            begin = generator.randrange(len(text) + 1)
            end = min(len(text), begin + generator.choice([0, 0, 1, 2, 10, 40]))
            piece = generator.choice(PIECES)
            lines = text[:end].split("\n")
            first = text[:begin].split("\n")
            spot = {"start": {"line": len(first) - 1, "character": len(first[-1].encode("utf-16-le")) // 2},
                    "end": {"line": len(lines) - 1, "character": len(lines[-1].encode("utf-16-le")) // 2}}
            text = text[:begin] + piece + text[end:]
            server.change(uri, {"range": spot, "text": piece})
            done += 1
            if edit % 10 == 9:
                server.ask("diagnostic", uri)
            if edit % 200 == 199 or edit == count - 1:
                fresh = Server(tarn)
                fresh.request("initialize")
                other = uri.replace("edited", "fresh_")
                fresh.open(other, text)
                place = [spot["start"], {"line": generator.randrange(len(lines)), "character": 5}]
                if all_answers(server, uri, place) != all_answers(fresh, other, place):
                    check(f"edits of {file}", False, f"a stale answer after edit {edit}, seed {seed}")
                    with open("/tmp/stale" + uri[-4:], "w", encoding="utf-8", newline="") as out:
                        out.write(text)
                    return
                fresh.end()
        if server.end() != 0:
            check(f"edits of {file}", False, "the server did not end well")
            return
    check(f"{done} random edits", True)


def latency(tarn, lines):
    """Changes in a model of so many lines: how long until the diagnostics are known."""
    edge = "  trans A -> B { guard x > 1 && v%d == 1; sync c!; assign v%d = 2; },\n"
    parts = ["clock x;\nchan c;\n"] + [f"int[0,3] v{i};\n" for i in range(200)]
    size = 200
    number = 0
    while size < lines:
        parts.append(f"process P{number}() {{\n  state A, B;\n  init A;\n")
        parts.append("".join(edge.replace("  trans", "  trans" if i == 0 else "       ") % (i, i) for i in range(195)))
        parts.append("        B -> A { sync c?; };\n}\n")
        size += 200
        number += 1
    parts.append("system " + ", ".join(f"P{i}" for i in range(number)) + ";\n")
    text = "".join(parts)
    server = Server(tarn)
    server.request("initialize")
    uri = "file:///tmp/large.xta"
    server.open(uri, text)
    server.ask("diagnostic", uri)
    times = []
    for i in range(40):
        at = {"line": 300 + i * 100, "character": 30}
        server.change(uri, {"range": {"start": at, "end": at}, "text": " "})
        began = time.monotonic()
        server.ask("diagnostic", uri)
        times.append(time.monotonic() - began)
    times.sort()
    server.end()
    print(f"{len(text.splitlines())} lines: median {times[20] * 1000:.0f} ms, 95 % within {times[37] * 1000:.0f} ms")
    return times[37]


def main():
    tarn, files, edits, seed, only = sys.argv[1], [], 0, 1, None
    arguments = sys.argv[2:]
    while arguments:
        word = arguments.pop(0)
        if word == "--edits":
            edits = int(arguments.pop(0))
        elif word == "--seed":
            seed = int(arguments.pop(0))
        elif word == "--latency":
            only = int(arguments.pop(0))
        else:
            files.append(word)
    if only:
        latency(tarn, only)
        return
    requests(tarn)
    if edits and files:
        random_edits(tarn, files, edits, seed)
    sys.exit(failed)


main()
