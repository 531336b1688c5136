"""A client of `tarn mcp`: every method and tool, limits, files outside of the folder, cancelling.

mcp_client.py TARN: prints one line for each test.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

failed = False


def check(name, condition, shown=""):
    global failed
    failed |= not condition
    print(f"ok mcp/{name}" if condition else f"FAIL mcp/{name}: {str(shown)[:600]}")


class Server:
    def __init__(self, tarn, *options):
        self.process = subprocess.Popen([tarn, "mcp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.notes = []

    def send(self, **message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self):
        line = self.process.stdout.readline()
        if not line:
            raise EOFError("the server has ended")
        return json.loads(line)

    def request(self, method, **params):
        self.number += 1
        self.send(id=self.number, method=method, params=params)
        while True:
            message = self.receive()
            if message.get("id") == self.number:
                return message
            self.notes.append(message)

    def call(self, tool, **arguments):
        return self.request("tools/call", name=tool, arguments=arguments)["result"]

    def end(self):
        self.process.stdin.close()
        return self.process.wait(10)


LAMP = """clock x;
process P() { state a { x <= 5 }, b; init a; trans a -> b { guard x >= 2; }; }
system P;
"""
SLOW = """int[0,100000] a, b; clock x;
process P() { state s; init s; trans s -> s { guard a < 100000; assign a = a + 1; }, s -> s { guard b < 100000; assign b = b + 1; }; }
system P;
"""


def tools(server):
    for wanted, given in (("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-06-18")):
        result = server.request("initialize", protocolVersion=wanted, capabilities={}, clientInfo={})["result"]
        check("version " + wanted, result["protocolVersion"] == given, result)
    server.send(method="notifications/initialized")
    check("ping", server.request("ping")["result"] == {})
    listed = server.request("tools/list")["result"]["tools"]
    check("tools/list", [t["name"] for t in listed] == ["check", "lint", "simulate", "explain", "format"] and
          all(t["outputSchema"]["type"] == "object" for t in listed), listed)
    resources = server.request("resources/list")["result"]["resources"]
    texts = [server.request("resources/read", uri=r["uri"])["result"]["contents"][0]["text"] for r in resources]
    check("resources", len(resources) >= 10 and all(len(t) > 20 for t in texts), resources)
    check("no resource named", server.request("resources/read")["error"]["code"] == -32602)
    check("a text that is too large", "8 MiB" in str(server.call("format", text="int a; " * 1300000)))
    check("no entities of files", "entities" in str(server.call("check", format="xml", text='<!DOCTYPE nta [<!ENTITY x SYSTEM '
          '"file:///etc/passwd">]><nta><declaration>&x;</declaration><system>system P;</system></nta>')))
    batch(server)
    check("no such resource", server.request("resources/read", uri="tarn://x")["error"]["code"] == -32002)
    check("no such tool", server.request("tools/call", name="shell")["error"]["code"] == -32602)
    check("no such method", server.request("nothing")["error"]["code"] == -32601)
    result = server.call("check", text=LAMP, queries=["E<> P.b", "A[] x <= 5"])["structuredContent"]
    check("check", [r["verdict"] for r in result["results"]] == ["satisfied", "not satisfied"], result)
    result = server.call("check", text=LAMP, queries=["E<> P.b"], trace=True)["structuredContent"]
    check("check with a run", result["results"][0]["trace"]["steps"], result)
    result = server.call("check", text=LAMP.replace("x >= 2", "y >= 2").replace("state a", "state a c"))
    found = result["structuredContent"]["mistakes"]
    check("mistakes with places", len(found) == 2 and all(m["line"] == 2 for m in found), result)
    result = server.call("check", text=LAMP, queries=["E<> P.c"])["structuredContent"]
    check("a mistake in a query", "has no location" in json.dumps(result["results"][0]), result)
    result = server.call("lint", text=LAMP.replace("clock x;", "clock x, y;"))["structuredContent"]
    check("lint", any(f["kind"] == "clock" for f in result["findings"]), result)
    result = server.call("simulate", text=LAMP, steps=3, seed=2)["structuredContent"]
    check("simulate", "P" in result["text"] and result == server.call("simulate", text=LAMP, steps=3, seed=2)[
        "structuredContent"], result)
    result = server.call("explain", text=LAMP, queries=["E<> P.b"])["structuredContent"]
    check("explain", "satisfied" in result["explanations"][0]["answer"] and result["explanations"][0]["plan"], result)
    result = server.call("format", text="clock    x ;\n" + LAMP)["structuredContent"]
    check("format", result["is_changed"] and result["text"].startswith("clock x;\n"), result)
    result = server.call("format", text="E<>   true\n", format="q")["structuredContent"]
    check("format queries", result["text"] == "E<> true\n", result)
    for name, arguments in (("no text", {}), ("both", {"text": "", "path": "x"}), ("a format", {"text": "", "format": "c"}),
                            ("queries", {"text": LAMP, "queries": "x"})):
        check("wrong arguments: " + name, server.call("check", **arguments)["isError"])


def batch(server):
    """Several messages as one, in the manner of 2025-03-26: one list of answers, none for notifications."""
    result = server.request("initialize", protocolVersion="2025-03-26", capabilities={}, clientInfo={})["result"]
    check("version 2025-03-26", result["protocolVersion"] == "2025-03-26", result)
    ping = {"jsonrpc": "2.0", "method": "ping"}
    server.process.stdin.write(json.dumps([{**ping, "id": "a"}, {"jsonrpc": "2.0", "method": "notifications/initialized"},
                                           {"id": 1}, {**ping, "id": "b"}]).encode() + b"\n")
    server.process.stdin.flush()
    answers = server.receive()
    check("a list of messages", [a.get("id") for a in answers] == ["a", None, "b"] and "error" in answers[1], answers)
    server.process.stdin.write(b"[]\n")
    server.process.stdin.flush()
    check("an empty list", server.receive()["error"]["code"] == -32600)


def files(server, root):
    result = server.call("check", path="lamp.xta")["structuredContent"]
    check("a file, and the queries beside it", [r["verdict"] for r in result["results"]] == ["satisfied"], result)
    check("a link inside", server.call("check", path="inside.xta")["structuredContent"]["results"])
    for name in ("../out.xta", "out.xta", "folder/out.xta", os.path.join(root, "lamp.xta"), "/etc/passwd", "none.xta",
                 "sub/../../out.xta", "sub", "pipe.xta", "proc.xta"):
        result = server.call("format", path=name)
        check("refused: " + os.path.basename(name), result["isError"], result)


def limits(server):
    began = time.monotonic()
    result = server.call("check", text=SLOW, queries=["A[] a + b <= 200000"], time_limit=0.3)["structuredContent"]
    check("a lower limit", result["results"][0]["verdict"] == "undecided" and time.monotonic() - began < 5, result)
    began = time.monotonic()
    result = server.call("check", text=SLOW, queries=["A[] a + b <= 200000"] * 3, time_limit=1e9)["structuredContent"]
    check("limits cannot be raised", {r["verdict"] for r in result["results"]} == {"undecided"} and
          time.monotonic() - began < 8, result)
    result = server.call("simulate", text=LAMP.replace("a -> b", "a -> a { assign x = 0; }, a -> b"), steps=1000)
    check("the size of an answer", "cut" in result["structuredContent"] or len(json.dumps(result)) < 20000, result)
    server.number += 1
    server.send(id=server.number, method="tools/call",
                params={"name": "check", "arguments": {"text": SLOW, "queries": ["A[] a + b <= 200000"]},
                        "_meta": {"progressToken": 7}})
    message = server.receive()
    check("progress", message["method"] == "notifications/progress" and message["params"]["progressToken"] == 7, message)
    server.send(method="notifications/cancelled", params={"requestId": server.number})
    began = time.monotonic()
    server.number += 1
    server.send(id=server.number, method="ping")
    ids = []
    while not ids:
        message = server.receive()
        ids += [message["id"]] if "id" in message else []
    check("cancel", ids == [server.number] and time.monotonic() - began < 1.5, ids)


def main():
    tarn = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        root = os.path.join(folder, "root")
        os.makedirs(os.path.join(root, "sub"))
        for name, text in (("root/lamp.xta", LAMP), ("root/lamp.q", "E<> P.b\n"), ("out.xta", LAMP)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        os.symlink("lamp.xta", os.path.join(root, "inside.xta"))
        os.symlink("../out.xta", os.path.join(root, "out.xta"))
        os.symlink("..", os.path.join(root, "folder"))
        os.symlink("/proc/self/root/etc/passwd", os.path.join(root, "proc.xta"))
        os.mkfifo(os.path.join(root, "pipe.xta"))
        server = Server(tarn, "--root", root, "--time-limit", "2", "--output-limit", "16")
        tools_server = Server(tarn)
        tools(tools_server)
        check("without a folder", tools_server.call("check", path="lamp.xta")["isError"])
        check("the end", tools_server.end() == 0)
        files(server, root)
        limits(server)
        check("the end, with a folder", server.end() == 0)
    sys.exit(failed)


main()
