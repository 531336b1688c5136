// What the extension shows, and its grammars, without an editor: node --test
const test = require("node:test");
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { summary, page, quoted } = require("../dist/answers.js");

test("a summary has a line for each answer", () => {
  assert.equal(summary({ results: [{ query: "E<> P.b", verdict: "satisfied" },
    { query: "A[] x", verdict: "undecided", reason: "time limit" }] }),
  "E<> P.b: satisfied\nA[] x: undecided (time limit)");
  assert.equal(summary({ errors: [{ text: "a.xta:1:1: wrong" }] }), "a.xta:1:1: wrong");
  assert.equal(summary({}), "no answer");
});

test("a page is shown as it is, other answers as a text", () => {
  assert.equal(page("<!DOCTYPE html><html></html>"), "<!DOCTYPE html><html></html>");
  assert.match(page({ results: [{ query: "A[] x < 1", verdict: "satisfied" }] }), /x &lt; 1: satisfied/);
  assert.match(page(null), /no answer/);
});

test("words of a command line", () => {
  assert.equal(quoted("/a/b.xta"), "/a/b.xta");
  assert.equal(quoted("a b'c"), "'a b'\\''c'");
});

test("the grammars are regular expressions that match", () => {
  const folder = path.join(__dirname, "..", "syntaxes");
  const words = { "xta.tmLanguage.json": "process", "tck.tmLanguage.json": "edge:", "q.tmLanguage.json": "E<>" };
  for (const [name, word] of Object.entries(words)) {
    const grammar = JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));
    const patterns = grammar.patterns.map((one) => new RegExp(one.match ?? one.begin, "m"));
    assert.ok(patterns.some((one) => one.test(word)), name);
  }
});

test("the manifest names files that exist", () => {
  const root = path.join(__dirname, "..");
  const { contributes } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  for (const one of contributes.grammars) {
    const grammar = JSON.parse(fs.readFileSync(path.join(root, one.path), "utf8"));
    assert.equal(grammar.scopeName, one.scopeName);
  }
});
