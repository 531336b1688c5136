"""`tarn serve` against its clients: serve.py TARN [--requests N] [--fuzz SECONDS] [--seed S]

Prints one line for each test. With --fuzz, damaged requests and messages for so long instead.
"""
import http.client
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time

JSON = {"Content-Type": "application/json"}
LONG = {"symmetry": "off", "partial-order": "off", "trace": "none"}
SMALL = "process P() { state A, B; init A; trans A -> B { }; } system P;"


def fischer(n):
    """So many processes that a check without symmetry does not end."""
    text = open("models/fischer.xta", encoding="utf-8").read()
    text = re.sub(r"int\[([01]),3\]", rf"int[\1,{n}]", text)
    names = [f"P{i}" for i in range(1, n + 1)]
    made = "\n".join(f"{p} = \\1({i});" for i, p in enumerate(names, 1))
    return re.sub(r"P1 = (\w+)\(1\);.*?system [^;]*;", made + "\nsystem " + ", ".join(names) + ";", text, flags=re.S)


def children(pid):
    try:
        return [int(c) for c in open(f"/proc/{pid}/task/{pid}/children", encoding="ascii").read().split()]
    except FileNotFoundError:
        return []


def wait_for(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


class Server:
    def __init__(self, tarn, *options):
        self.process = subprocess.Popen([tarn, "serve", "--port", "0", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        url = self.process.stdout.readline().decode()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/\n", url)
        assert found, url
        self.port, self.token = int(found[1]), found[2]

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def ask(self, method, path, body=None, headers=None, host=None, connection=None):
        """Status and text."""
        c = connection or self.connect()
        c.putrequest(method, path, skip_host=True)
        c.putheader("Host", f"127.0.0.1:{self.port}" if host is None else host)
        for name, value in (headers or {}).items():
            c.putheader(name, value)
        if body is not None:
            c.putheader("Content-Length", str(len(body)))
        c.endheaders()
        try:
            if body:
                c.send(body)
        except (BrokenPipeError, ConnectionResetError):
            pass  # refused before it was read
        answer = c.getresponse()
        text = answer.read().decode(errors="replace")
        if not connection:
            c.close()
        return answer.status, text

    def path(self, rest=""):
        return f"/{self.token}/{rest}"

    def files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def memory(self):
        return int(re.search(r"VmRSS:\s*(\d+)", open(f"/proc/{self.process.pid}/status", encoding="ascii").read())[1])

    def end(self):
        """Whether it ends in good order, and nothing stays."""
        mine = children(self.process.pid)
        self.process.send_signal(signal.SIGTERM)
        try:
            said = self.process.communicate(timeout=60)[1].decode(errors="replace")
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "does not end"
        if self.process.returncode or "Sanitizer" in said:
            return f"status {self.process.returncode}: {said[-3000:]}"
        return "" if wait_for(lambda: not any(os.path.exists(f"/proc/{p}") for p in mine), 10) else "processes stay"


class Client:
    """An engine of the server: its stream, and messages to it."""

    def __init__(self, server):
        self.server, self.number, self.events = server, 0, []
        self.stream = socket.create_connection(("127.0.0.1", server.port))
        self.stream.sendall(f"GET {server.path('events')} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        self.ended = False
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()
        assert wait_for(lambda: self.events or self.ended), "no tarn/ready"
        self.engine = self.events[0]["params"]["engine"] if self.events else None
        self.connection = server.connect()

    def listen(self):
        data = b""
        while True:
            try:
                more = self.stream.recv(1 << 16)
            except OSError:
                more = b""
            if not more:
                self.ended = True
                return
            data += more
            *lines, data = data.split(b"\n")
            for line in lines:
                if line.startswith(b"data: "):
                    self.events.append(json.loads(line[6:]))

    def post(self, message, connection=None):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        return self.server.ask("POST", self.server.path(f"rpc/{self.engine}"), body, JSON, connection=connection or self.connection)

    def request(self, method, connection=None, **params):
        self.number += 1
        status, text = self.post({"id": self.number, "method": method, "params": params}, connection)
        return json.loads(text) if status == 200 else {"error": {"message": f"{status} {text}"}}

    def told(self, method):
        return [e for e in self.events if e.get("method") == method]

    def begin(self, query="A[] not deadlock", **options):
        """A check in a thread of its own: [answer] once it is there."""
        answer = []
        connection = self.server.connect()

        def ask():
            try:
                answer.append(self.request("tarn/check", connection, query=query, options={**LONG, **options}))
            except (OSError, http.client.HTTPException):
                pass  # we, or the server, have gone
        threading.Thread(target=ask, daemon=True).start()
        return answer, connection

    def close(self):
        self.stream.shutdown(socket.SHUT_RDWR)
        self.stream.close()
        self.connection.close()


failed = False


def said(name, good, why=""):
    global failed
    failed |= not good
    print(f"ok serve: {name}" if good else f"FAIL serve: {name}: {why}", flush=True)


def verdict(answer):
    return answer.get("result", {}).get("results", [{}])[0].get("verdict") or answer


def test_strangers(tarn):
    s = Server(tarn, "models/lamp.xta")
    c = Client(s)
    good = f"127.0.0.1:{s.port}"
    rpc, message = s.path(f"rpc/{c.engine}"), b'{"jsonrpc":"2.0","id":1,"method":"tarn/read","params":{}}'
    status, page = s.ask("GET", s.path())
    said("the page, with the model", status == 200 and ("model-data" in page or "comes without the page" in page), f"{status}")
    refused = [
        ("a wrong token", ("GET", f"/{'0' * 32}/"), {}, None, 403),
        ("no token", ("GET", "/"), {}, None, 403),
        ("a token that is cut", ("GET", f"/{s.token[:-1]}/"), {}, None, 403),
        ("a wrong Host", ("GET", s.path()), {}, "tarn.example.org", 403),
        ("a Host that begins as ours", ("GET", s.path()), {}, f"{good}.example.org", 403),
        ("a Host with a user", ("GET", s.path()), {}, f"user@{good}", 403),
        ("the address as a number", ("GET", s.path()), {}, f"2130706433:{s.port}", 403),
        ("the address of IPv6", ("GET", s.path()), {}, f"[::1]:{s.port}", 403),
        ("no Host", ("GET", s.path()), {}, "", 403),
        ("an origin that begins as ours", ("POST", rpc, message), {**JSON, "Origin": f"http://{good}.example.org"}, None, 403),
        ("an origin with a user", ("POST", rpc, message), {**JSON, "Origin": f"http://{good}@example.org"}, None, 403),
        ("a Host with another port", ("GET", s.path()), {}, "127.0.0.1:1", 403),
        ("another origin", ("POST", rpc, message), {**JSON, "Origin": "http://example.org"}, None, 403),
        ("the origin null", ("POST", rpc, message), {**JSON, "Origin": "null"}, None, 403),
        ("another port as origin", ("POST", rpc, message), {**JSON, "Origin": "http://127.0.0.1:1"}, None, 403),
        ("https as origin", ("POST", rpc, message), {**JSON, "Origin": f"https://{good}"}, None, 403),
        ("events for another origin", ("GET", s.path("events")), {"Origin": "http://example.org"}, None, 403),
        ("a form", ("POST", rpc, message), {"Content-Type": "text/plain"}, None, 415),
        ("a file", ("GET", s.path("../../etc/passwd")), {}, None, 404),
        ("a file of the tree", ("GET", s.path("models/lamp.xta")), {}, None, 404),
        ("another method", ("DELETE", rpc), {}, None, 405),
        ("an engine that is none", ("POST", s.path("rpc/999"), message), JSON, None, 404),
        ("an engine with a sign", ("POST", s.path(f"rpc/+{c.engine}"), message), JSON, None, 404),
        ("an engine with a blank", ("POST", s.path(f"rpc/%20{c.engine}"), message), JSON, None, 404),
        ("an engine without number", ("POST", s.path("rpc/"), message), JSON, None, 404)]
    for name, request, headers, host, wanted in refused:
        status, text = s.ask(*request, headers=headers, host=host)
        said(f"{name} is refused", status == wanted and "jsonrpc" not in text, f"{status} {text:.80}")
    for origin, host in ((f"http://{good}", None), (f"http://localhost:{s.port}", f"localhost:{s.port}")):
        status, text = s.ask("POST", rpc, message, {**JSON, "Origin": origin}, host)
        said(f"{origin.split(':')[1][2:]} is served", status == 200 and "`text` is missing" in text, f"{status} {text}")
    for options in ({"certificate": "/tmp/x"}, {"graph": "x.dot"}, {"disk": "/tmp"}, {"checkpoint": "/tmp"}, {"data": "/tmp"}):
        c.request("tarn/read", text=SMALL)
        answer = c.request("tarn/check", query="E<> P.B", options=options)
        said(f"the option {list(options)[0]} is refused", "name a file" in answer.get("error", {}).get("message", ""), answer)
    slow = [socket.create_connection(("127.0.0.1", s.port)) for _ in range(150)]
    for raw in slow:
        raw.sendall(f"POST {rpc} HTTP/1.1\r\nHost: {good}\r\nX: y".encode())
    began = time.monotonic()
    status, _ = s.ask("GET", s.path())
    said("connections that send nothing more are in nobody's way", status == 200 and "model" in c.request("tarn/read", text=SMALL).get("result", {}) and time.monotonic() - began < 10, status)
    slow[0].settimeout(60)
    said("and are closed", slow[0].recv(1) == b"", "still open")
    for raw in slow:
        raw.close()
    said("others stay open", "model" in c.request("tarn/read", text=SMALL).get("result", {}))
    c.close()
    said("it ends in good order", not (why := s.end()), why)


def test_ends(tarn):
    """It is ended while requests come."""
    for k in range(12):
        s = Server(tarn)
        clients = [Client(s) for _ in range(3)]
        stop = threading.Event()

        def ask(c):
            connection = s.connect()
            while not stop.is_set():
                try:
                    c.request("tarn/read", connection, text=SMALL)
                except (OSError, http.client.HTTPException):
                    return
        threads = [threading.Thread(target=ask, args=(c,), daemon=True) for c in clients for _ in range(3)]
        for t in threads:
            t.start()
        time.sleep(0.1 + k * 0.02)
        why = s.end()
        stop.set()
        if why:
            break
    said("it ends in good order under load", not why, why)


def test_checks(tarn):
    s = Server(tarn, "--jobs", "1", "--time-limit", "30")
    c, d = Client(s), Client(s)
    engine = children(s.process.pid)[0]  # of c, the first
    said("a model is read", "model" in c.request("tarn/read", text=fischer(14)).get("result", {}))
    said("a check answers", verdict(c.request("tarn/check", query="E<> P1.cs")) == "satisfied")
    told = len(c.told("tarn/progress"))
    answer, _ = c.begin()
    said("progress is told", wait_for(lambda: len(c.told("tarn/progress")) > told))
    d.request("tarn/read", text=SMALL)
    waiting, _ = d.begin("E<> P.B")
    time.sleep(0.3)
    said("a second check waits", not waiting and len(children(engine)) == 1)
    began = time.monotonic()
    c.post({"method": "$/cancelRequest", "params": {"id": c.number}}, s.connect())
    wait_for(lambda: answer)
    said("a check is cancelled", answer and answer[0].get("error", {}).get("code") == -32800, answer)
    said("and the second one goes on", wait_for(lambda: waiting) and verdict(waiting[0]) == "satisfied", waiting)
    said("the model is still there", verdict(c.request("tarn/check", query="E<> P1.cs")) == "satisfied")
    print(f"   cancelled after {1000 * (time.monotonic() - began):.0f} ms, with two more checks")
    first, _ = c.begin()
    wait_for(lambda: children(engine))
    second, _ = c.begin()
    third, connection = c.begin()
    time.sleep(0.3)
    numbers = [c.number - 2, c.number - 1]
    connection.sock.shutdown(socket.SHUT_RDWR)
    for number in reversed(numbers):
        c.post({"method": "$/cancelRequest", "params": {"id": number}}, s.connect())
        time.sleep(0.3)
    said("checks that wait for others of their page are cancelled, too", wait_for(lambda: first and second and not children(engine), 10) and second[0].get("error", {}).get("code") == -32800, f"{first} {second} {third}")
    answer, connection = c.begin()
    wait_for(lambda: children(engine))
    connection.sock.shutdown(socket.SHUT_RDWR)
    said("a check whose client goes ends", wait_for(lambda: not children(engine)))
    answer, _ = c.begin()
    wait_for(lambda: children(engine))
    os.kill(children(engine)[0], signal.SIGKILL)
    wait_for(lambda: answer)
    said("a killed check is reported", "Killed" in answer[0].get("error", {}).get("message", ""), answer)
    said("and the engine goes on", verdict(c.request("tarn/check", query="E<> P1.cs")) == "satisfied")
    answer, _ = c.begin()
    wait_for(lambda: children(engine))
    os.kill(engine, signal.SIGKILL)
    wait_for(lambda: answer and c.ended)
    said("a killed engine is reported", bool(c.told("tarn/fault")) and "engine has stopped" in answer[0].get("error", {}).get("message", ""), answer)
    said("its stream ends, and others go on", c.ended and verdict(d.request("tarn/check", query="E<> P.B")) == "satisfied")
    e = Client(s)
    e.request("tarn/read", text=fischer(14))
    e.begin()
    wait_for(lambda: any(children(p) for p in children(s.process.pid)))
    e.close()
    said("a page that is closed ends its check", wait_for(lambda: len(children(s.process.pid)) == 1 and not children(children(s.process.pid)[0])))
    answer, _ = d.begin("E<> P.B")
    said("and leaves room for others", wait_for(lambda: answer) and verdict(answer[0]) == "satisfied", answer)
    more = [Client(s) for _ in range(15)]
    status, _ = s.ask("GET", s.path("events"))
    said("there are at most 16 engines", status == 503, status)
    for m in more:
        m.close()
    said("which go with their pages", wait_for(lambda: len(children(s.process.pid)) == 1))
    answer, _ = d.begin("E<> P.B")
    why = s.end()
    said("it ends in good order", not why, why)


def test_limits(tarn):
    s = Server(tarn, "--time-limit", "1", "--memory-limit", "200", "--request-limit", "1")
    c = Client(s)
    c.request("tarn/read", text=fischer(14))
    for options in ({}, {"time-limit": "1000"}, {"time-limit": "0"}):
        began = time.monotonic()
        answer = verdict(c.request("tarn/check", query="A[] not deadlock", options={**LONG, **options}))
        said(f"a time limit of {options.get('time-limit', 'none')} is at most the server's", answer == "undecided" and time.monotonic() - began < 30, answer)
    status, text = s.ask("POST", s.path(f"rpc/{c.engine}"), b"x" * (1 << 20) + b"x", JSON)
    said("a message beyond the limit is refused", status == 413, f"{status} {text}")
    raw = socket.create_connection(("127.0.0.1", s.port))
    raw.sendall(f"POST {s.path(f'rpc/{c.engine}')} HTTP/1.1\r\nHost: 127.0.0.1:{s.port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
    try:
        for _ in range(300):
            raw.sendall(b"10000\r\n" + b"y" * 65536 + b"\r\n")
        raw.sendall(b"0\r\n\r\n")
    except (BrokenPipeError, ConnectionResetError):
        pass
    said("also in chunks", b" 413 " in raw.recv(400))
    said("and the engine goes on", verdict(c.request("tarn/check", query="E<> P1.cs")) == "satisfied")
    said("it ends in good order", not (why := s.end()), why)
    s = Server(tarn, "--request-limit", "128", "--memory-limit", "2000")
    c = Client(s)
    before = s.memory()
    answer = c.request("tarn/read", text="/*" + "x" * 100_000_000 + "*/" + SMALL)
    said("100 MB of text are read", "model" in answer.get("result", {}), str(answer)[:300])
    said("a check of it answers", verdict(c.request("tarn/check", query="E<> P.B")) == "satisfied")
    answer = c.request("tarn/read", text="x" * 100_000_000)
    said("100 MB of rubbish are refused", "error" in answer, str(answer)[:300])
    said("the server gives them back", s.memory() < before + 40_000 or "asan" in tarn, f"{before} {s.memory()} KiB")
    said("it ends in good order", not (why := s.end()), why)


def test_many(tarn, count):
    s = Server(tarn)
    c = Client(s)
    c.request("tarn/read", text=SMALL)
    files = memory = 0
    wrong = []
    began = time.monotonic()
    for i in range(count):
        if i == count // 10:
            files, memory = s.files(), s.memory()
        kind = i % 10
        if kind == 0:
            good = verdict(c.request("tarn/check", query="E<> P.B")) == "satisfied" if i % 50 == 0 else s.ask("GET", "/x")[0] == 403
        elif kind == 1:
            good = "error" in c.request("tarn/nothing")
        elif kind == 2:
            good = c.post({"method": "textDocument/didClose", "params": {}})[0] == 204
        else:
            good = "result" in c.request("tarn/simulate")
        if not good:
            wrong.append(i)
    ms = 1000 * (time.monotonic() - began) / count
    said(f"{count} requests are answered", not wrong, wrong[:5])
    said("without growth", s.files() <= files and s.memory() < memory + (4_000 if "asan" not in tarn else 100_000), f"files {files} {s.files()}, {memory} {s.memory()} KiB")
    print(f"   {ms:.2f} ms for each")
    c.close()
    said("it ends in good order", not (why := s.end()), why)


METHODS = ["read", "check", "plan", "lint", "write", "simulate", "step", "wait", "back", "goto", "random", "run", "nothing"]
VALUES = [None, True, -1, 0, 2 ** 40, 1e300, "", "x", "\u0000", "é" * 50, [], {}, [[]], "E<> P.B", "A[] not deadlock", "1/2", "xml", "symbolic"]
KEYS = ["text", "query", "options", "language", "choice", "delay", "step", "count", "seed", "format", "mode", "run", "textDocument", "position"]


def damaged_message(r, number):
    texts = [SMALL, open("models/lamp.xta", encoding="utf-8").read(), open("test/uppaal/template.xml", encoding="utf-8").read()]
    method = r.choice(METHODS)
    params = {"text": r.choice(texts), "query": "E<> P.B", "options": {"time-limit": "0.05"}, "choice": r.randrange(3), "count": r.randrange(9)}
    for _ in range(r.randrange(3)):
        params[r.choice(KEYS)] = r.choice(VALUES)
    if params.get("options") is not None and r.random() < 0.1:
        params["options"] = {r.choice(["seed", "engine", "threads", "certificate", "time-limit"]): r.choice(["1", "x", "", "0.1"])}
    message = {"jsonrpc": "2.0", "id": number, "method": "tarn/" + method, "params": params}
    if r.random() < 0.1:
        message[r.choice(list(message))] = r.choice(VALUES)
    if r.random() < 0.1:
        message = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number - r.randrange(4)}}
    text = json.dumps(message).encode()
    if r.random() < 0.15:
        at = r.randrange(len(text))
        text = text[:at] + bytes(r.randrange(256) for _ in range(r.randrange(3))) + text[at + r.randrange(9):]
    return text


def damaged_request(r, s, engine, body):
    path = r.choice([s.path(f"rpc/{engine}")] * 12 + [s.path(), s.path("events"), s.path("rpc/-1"), s.path("rpc/99999999999999999999"), "/" + "a" * r.randrange(20000), "//", s.path("%00")])
    method = r.choice(["POST"] * 12 + ["GET", "HEAD", "OPTIONS", "PUT", "\x01"])
    head = [f"Host: 127.0.0.1:{s.port}", "Content-Type: application/json", f"Content-Length: {len(body)}"]
    if r.random() < 0.1:
        head[r.randrange(3)] = r.choice(["Host: x", "Content-Length: -1", "Content-Length: 99999999999999999999", "Transfer-Encoding: chunked", "X: " + "y" * r.randrange(40000), "Origin: null", ""])
    data = f"{method} {path} HTTP/1.1\r\n".encode("latin-1") + "\r\n".join(head).encode() + b"\r\n\r\n" + body
    if r.random() < 0.1:
        at = r.randrange(len(data))
        data = data[:at] + bytes(r.randrange(256) for _ in range(r.randrange(9))) + data[at + r.randrange(30):]
    return data[:r.randrange(len(data))] if r.random() < 0.1 else data


def fuzz(tarn, seconds, seed):
    r = random.Random(seed)
    end, requests, servers, answered = time.monotonic() + seconds, 0, 0, 0
    while time.monotonic() < end:
        s = Server(tarn, "--time-limit", "1", "--memory-limit", "300", "--request-limit", "1")
        servers += 1
        clients = [Client(s) for _ in range(3)]
        for _ in range(300):
            if time.monotonic() > end:
                break
            if r.random() < 0.02:
                clients.pop(r.randrange(len(clients))).close()
                clients.append(Client(s))
            if r.random() < 0.01 and children(s.process.pid):
                try:
                    os.kill(r.choice(children(s.process.pid)), r.choice([signal.SIGKILL, signal.SIGTERM]))
                except ProcessLookupError:
                    pass
            c = r.choice(clients)
            requests += 1
            raw = socket.create_connection(("127.0.0.1", s.port))
            try:
                raw.sendall(damaged_request(r, s, c.engine, damaged_message(r, requests)))
                raw.settimeout(r.choice([0.01] * 4 + [0.1] * 3 + [1]))
                answered += bool(raw.recv(1 << 16))
            except OSError:
                pass
            raw.close()
        last = Client(s)
        last.request("tarn/read", text=SMALL)
        good = verdict(last.request("tarn/check", query="E<> P.B"))
        why = s.end()
        if good != "satisfied" or why:
            said("fuzz", False, f"seed {seed}, after {requests} requests: {good} {why}")
            return
    said(f"fuzz: {requests} damaged requests to {servers} servers, {answered} answered, seed {seed}", True)


def main():
    tarn = sys.argv[1]
    options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
    if "--fuzz" in options:
        fuzz(tarn, float(options["--fuzz"]), int(options.get("--seed", 1)))
    else:
        test_strangers(tarn)
        test_ends(tarn)
        test_checks(tarn)
        test_limits(tarn)
        test_many(tarn, int(options.get("--requests", 10000)))
    sys.exit(failed)


main()
