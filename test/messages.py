"""Damaged messages and documents for `tarn lsp` and `tarn mcp`: messages.py TARN SECONDS [SEED]

Messages of both protocols are mutated: bytes, values, cut or repeated parts. The server must answer what is well formed
afterwards, and must end by itself without a report of the sanitizers. Prints how many messages there were.
"""
import json
import random
import subprocess
import sys
import time

TEXTS = [open(name, encoding="utf-8").read() for name in
         ("models/train-gate.xta", "models/fischer.tck", "models/csma.q", "test/uppaal/template.xml", "models/lamp.xta")]
METHODS = ["hover", "completion", "definition", "references", "rename", "prepareRename", "signatureHelp", "formatting",
           "rangeFormatting", "codeAction", "codeLens", "foldingRange", "semanticTokens/full", "documentSymbol",
           "documentHighlight", "diagnostic", "didSave", "didClose", "didOpen", "didChange"]
VALUES = [None, True, -1, 0, 2 ** 40, 1e300, "", "x", "\u0000", "é" * 50, [], {}, [[]], {"uri": 3}, "file:///a.xta"]


def place(r):
    return {"line": r.randrange(60), "character": r.randrange(60)}


def broken(r, text):
    for _ in range(r.randrange(6)):
        at = r.randrange(len(text) + 1)
        text = text[:at] + r.choice(["{", "}", ";", "(", "&", "<", "]]>", "\n", "process ", "=", "-> ", ""]) + \
            text[at + r.choice([0, 1, 5, 100]):]
    return text


def lsp(r, number):
    method = r.choice(METHODS)
    uri = "file:///a" + r.choice([".xta", ".tck", ".q", ".xml"])
    params = {"textDocument": {"uri": uri, "version": number, "text": broken(r, r.choice(TEXTS))}, "position": place(r),
              "range": {"start": place(r), "end": place(r)}, "newName": "n", "context": {},
              "contentChanges": [{"range": {"start": place(r), "end": place(r)}, "text": r.choice(["", "x", "}"])}]}
    message = {"jsonrpc": "2.0", "method": "textDocument/" + method, "params": params}
    if not method.startswith("did"):
        message["id"] = number
    return message


def mcp(r, number):
    arguments = {"text": broken(r, r.choice(TEXTS)), "time_limit": 0.05, "steps": 3}
    if r.random() < 0.3:
        arguments = {"path": r.choice(["lamp.xta", "../x", "/etc/passwd", "random", "none", "fischer.tck"]), "time_limit": 0.05}
    return {"jsonrpc": "2.0", "id": number, "method": r.choice(["tools/call"] * 6 + ["tools/list", "ping", "resources/read"]),
            "params": {"name": r.choice(["check", "lint", "simulate", "explain", "format"]), "arguments": arguments,
                       "uri": "tarn://guide/queries"}}


def mutated(r, message):
    spot = message
    while isinstance(spot, dict) and spot:
        key = r.choice(list(spot))
        if not isinstance(spot[key], dict) or r.random() < 0.3:
            spot[key] = r.choice(VALUES)
            break
        spot = spot[key]
    return message


def body(r, make, number):
    message = make(r, number)
    if r.random() < 0.3:
        message = mutated(r, message)
    text = json.dumps(message).encode()
    if r.random() < 0.1:
        at = r.randrange(len(text))
        text = text[:at] + bytes([r.randrange(256)]) + text[at + r.randrange(3):]
    return text.replace(b"\n", b" ")


def batch(tarn, r, is_mcp):
    command = [tarn, "mcp", "--root", "models", "--time-limit", "0.1"] if is_mcp else [tarn, "lsp"]
    texts = [json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}}).encode()]
    texts += [body(r, mcp if is_mcp else lsp, i) for i in range(1, 60)]
    last = json.dumps({"jsonrpc": "2.0", "id": "last", "method": "ping" if is_mcp else "shutdown"}).encode()
    texts += [last] if is_mcp else [last, b'{"jsonrpc":"2.0","method":"exit"}']
    data = b"".join(t + b"\n" if is_mcp else b"Content-Length: %d\r\n\r\n" % len(t) + t for t in texts)
    done = subprocess.run(command, input=data, capture_output=True, timeout=300, check=False)
    with open("build/messages.input", "wb") as file:  # of the batch that failed, if one does
        file.write(data)
    good = done.returncode == 0 and b'"last"' in done.stdout and b"Sanitizer" not in done.stderr
    return len(texts), good, done.stderr[-3000:].decode(errors="replace")


def main():
    tarn, seconds, seed = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    end, count = time.monotonic() + seconds, {True: 0, False: 0}
    r = random.Random(seed)
    while time.monotonic() < end:
        is_mcp = r.random() < 0.4
        sent, good, errors = batch(tarn, r, is_mcp)
        count[is_mcp] += sent
        if not good:
            print(f"FAIL messages: {'mcp' if is_mcp else 'lsp'}, seed {seed}, after {sum(count.values())}\n{errors}")
            sys.exit(1)
    print(f"ok messages: {count[False]} of LSP, {count[True]} of MCP, seed {seed}")


main()
