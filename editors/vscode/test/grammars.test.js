// The grammars with the engine that VS Code has for them, on the models of the tree and, where it is, the corpus: what is
// coloured as a comment is one, nothing else is, and every scope ends with its file.
const test = require("node:test");
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const root = path.join(__dirname, "..", "..", "..");
const wasm = fs.readFileSync(path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm"));
const scopes = { xta: "source.xta", ta: "source.xta", tck: "source.tck", q: "source.uppaal-query" };
const files = { "source.xta": "xta", "source.tck": "tck", "source.uppaal-query": "q" };

const registry = new textmate.Registry({
  onigLib: oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length)).then(() => ({
    createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
    createOnigString: (text) => new oniguruma.OnigString(text) })),
  loadGrammar: async (scope) => {
    const name = path.join(__dirname, "..", "syntaxes", `${files[scope]}.tmLanguage.json`);
    return textmate.parseRawGrammar(fs.readFileSync(name, "utf8"), name);
  } });

function models() {
  const shared = process.env.TARN_SHARED ?? path.join(root, "..", "shared");
  const folders = [path.join(root, "models"), path.join(root, "test", "run"), path.join(shared, "corpus")];
  return folders.filter((folder) => fs.existsSync(folder)).flatMap((folder) => fs.readdirSync(folder)
    .filter((name) => path.extname(name).slice(1) in scopes).map((name) => path.join(folder, name)));
}

// For each character, whether it belongs to a comment.
function comments(text, kind) {
  const found = new Uint8Array(text.length);
  for (let at = 0; at < text.length;) {
    let end = at;
    const is_line = text.lastIndexOf("\n", at - 1) + 1 + text.slice(text.lastIndexOf("\n", at - 1) + 1, at).search(/\S|$/) >= at;
    const until = (sign, from) => { const k = text.indexOf(sign, from); return k < 0 ? text.length : k; };
    if (kind === "tck" ? text[at] === "#" : text.startsWith("//", at)) end = until("\n", at);
    else if (kind === "q" && text[at] === "#" && is_line) end = until("\n", at);
    else if (kind !== "tck" && text.startsWith("/*", at)) end = Math.min(text.length, until("*/", at + 2) + 2);
    else if (kind === "xta" && text[at] === '"') { at = until('"', at + 1) + 1; continue; }
    found.fill(1, at, end);
    at = Math.max(end, at + 1);
  }
  return found;
}

test("comments are comments, and every scope ends", async () => {
  let count = 0;
  for (const file of models()) {
    const kind = path.extname(file).slice(1), grammar = await registry.loadGrammar(scopes[kind]);
    const text = fs.readFileSync(file, "utf8").replace(/\r\n?/g, "\n");
    const wanted = comments(text, kind === "ta" ? "xta" : kind);
    let state = textmate.INITIAL, at = 0;
    for (const line of text.split("\n")) {
      const result = grammar.tokenizeLine(line, state);
      assert.ok(!result.stoppedEarly, `${file}: ${line}`);
      for (const token of result.tokens)
        for (let i = token.startIndex; i < Math.min(token.endIndex, line.length); i++)
          if (/\S/.test(line[i]))
            assert.equal(token.scopes.some((scope) => scope.startsWith("comment")), wanted[at + i] === 1,
              `${file}:${text.slice(0, at).split("\n").length}:${i + 1}: ${line}`);
      state = result.ruleStack;
      at += line.length + 1;
    }
    assert.equal(state.depth, 1, `${file}: a scope does not end`);
    count++;
  }
  assert.ok(count > 20, `${count} files`);
});

test("words have their colours", async () => {
  const cases = [["xta", "process P() {", "process", "keyword.control"], ["xta", "int processes;", "processes", undefined],
    ["xta", "urgent broadcast chan c;", "chan", "storage.type"], ["tck", "edge:P:a:b:go{provided: x<1}", "provided", "entity.other.attribute-name"],
    ["tck", "event:edge1", "edge1", undefined], ["q", "E<> P.a and deadlock", "deadlock", "constant.language"],
    ["q", "p --> q", "-->", "keyword.control"], ["q", "A[] x < 3", "A[]", "keyword.control"]];
  for (const [kind, line, word, wanted] of cases) {
    const grammar = await registry.loadGrammar(scopes[kind]), at = line.indexOf(word);
    const token = grammar.tokenizeLine(line, textmate.INITIAL).tokens.find((one) => one.startIndex <= at && at < one.endIndex);
    assert.equal(token.scopes[1], wanted, line);
  }
});
