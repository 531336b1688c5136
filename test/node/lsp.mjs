// A client of `tarn lsp` made of the parts that VS Code's own client is made of: every request, then random
// edits, requests and cancellations of texts.
//
// node lsp.mjs TARN [--edits N] [--seed S] [FILE...]: prints one line for each test. After random edits, what
// the server says of the text must be what a server says that has just opened it. The client's copy of the text
// is kept by the library that language servers in JavaScript use, so positions mean what they mean there.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';
import * as lsp from 'vscode-languageserver-protocol/node.js';

const { Position, Range, Location, Hover, TextEdit, Diagnostic } = lsp;
let failed = false;

function check(name, good, shown) {
  failed ||= !good;
  console.log(good ? `ok node/${name}` : `FAIL node/${name}: ${JSON.stringify(shown)?.slice(0, 3000)}`);
}

class Server {
  constructor(tarn) {
    this.process = spawn(tarn, ['lsp'], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.errors = '';
    this.process.stderr.on('data', (data) => (this.errors += data));
    this.ended = new Promise((resolve) => this.process.on('exit', (code, signal) => resolve(signal ?? code)));
    this.connection = lsp.createProtocolConnection(
      new lsp.StreamMessageReader(this.process.stdout), new lsp.StreamMessageWriter(this.process.stdin),
      { error: (text) => (this.errors += text), warn: () => {}, info: () => {}, log: () => {} });
    this.published = new Map();
    this.progress = [];
    this.connection.onNotification(lsp.PublishDiagnosticsNotification.type, (params) => {
      this.published.set(params.uri, params);
      this.arrived?.(params);
    });
    this.connection.onRequest(lsp.WorkDoneProgressCreateRequest.type, ({ token }) => {
      this.connection.onProgress(lsp.WorkDoneProgress.type, token, (value) => this.progress.push(value.kind));
    });
    this.connection.listen();
  }

  async start() {
    const result = await this.ask(lsp.InitializeRequest.type, {
      processId: process.pid, rootUri: null, capabilities: { window: { workDoneProgress: true } } });
    await this.connection.sendNotification(lsp.InitializedNotification.type, {});
    return result.capabilities;
  }

  ask(type, params, token) { return this.connection.sendRequest(type, params, token); }

  tell(type, params) { return this.connection.sendNotification(type, params); }

  open(uri, text, version = 1) {
    return this.tell(lsp.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: 'tarn', version, text } });
  }

  change(uri, version, contentChanges) {
    return this.tell(lsp.DidChangeTextDocumentNotification.type, { textDocument: { uri, version }, contentChanges });
  }

  close(uri) { return this.tell(lsp.DidCloseTextDocumentNotification.type, { textDocument: { uri } }); }

  async published_of(uri, version) {
    for (;;) {
      const found = this.published.get(uri);
      if (found && found.version >= version) return found.diagnostics;
      await new Promise((resolve) => (this.arrived = resolve));
    }
  }

  memory() { // KiB of resident memory
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.process.pid}/status`, 'utf8'))[1]);
  }

  // The exit status, and what it wrote to standard error (the sanitizers write there).
  async end() {
    await this.ask(lsp.ShutdownRequest.type);
    await this.tell(lsp.ExitNotification.type);
    const status = await this.ended;
    this.connection.dispose();
    return { status, errors: this.errors };
  }
}

const MODEL = `chan press;
clock x;
const int LIMIT = 5;
int twice(int n) {
  return 2 * n;
}
int count;
process Lamp(const int delay) {
  state off, on { x <= LIMIT };
  init off;
  trans off -> on { guard x >= delay; sync press?; assign x = 0, count = twice(1); },
        on -> off { };
}
process User() {
  state idle;
  init idle;
  trans idle -> idle { sync press!; };
}
L = Lamp(2);
system L, User;
query { E<> L.on }
`;

const is_tokens = (data, text) => {
  const lines = text.split('\n');
  let line = 0, character = 0;
  for (let i = 0; i < data.length; i += 5) {
    line += data[i];
    character = data[i] ? data[i + 1] : character + data[i + 1];
    if (data[i] < 0 || data[i + 1] < 0 || data[i + 2] <= 0 || character + data[i + 2] > lines[line]?.length) return false;
  }
  return data.length % 5 === 0;
};

async function requests(tarn) {
  const server = new Server(tarn);
  const can = await server.start();
  const uri = 'file:///tmp/node%20lamp.xta';
  const document = TextDocument.create(uri, 'xta', 1, MODEL);
  const textDocument = { uri };
  const at = (words, offset = 0) => ({ textDocument, position: document.positionAt(MODEL.indexOf(words) + offset) });
  await server.open(uri, MODEL);
  check('no diagnostics', (await server.published_of(uri, 1)).length === 0);

  const wrong = MODEL.replace('x >= delay', 'x = delay').replace('press?', 'pres?').replace('return 2', 'retrun 2');
  await server.change(uri, 2, [{ text: wrong }]);
  const found = await server.published_of(uri, 2);
  check('three mistakes', found.length === 3 && found.every(Diagnostic.is), found);
  const pulled = await server.ask(lsp.DocumentDiagnosticRequest.type, { textDocument });
  check('diagnostics on request', JSON.stringify(pulled.items) === JSON.stringify(found), pulled);
  const actions = await server.ask(lsp.CodeActionRequest.type, { textDocument, range: found[0].range, context: { diagnostics: [found[0]] } });
  check('quick fixes', actions.length > 0 && actions.every(lsp.CodeAction.is), actions);
  await server.change(uri, 3, [{ text: MODEL }]);

  const definition = await server.ask(lsp.DefinitionRequest.type, at('press?'));
  check('definition', Location.is(definition) && definition.range.start.line === 0, definition);
  const references = await server.ask(lsp.ReferencesRequest.type, { ...at('press?'), context: { includeDeclaration: true } });
  check('references', references.length === 3 && references.every(Location.is), references);
  const highlights = await server.ask(lsp.DocumentHighlightRequest.type, at('press?'));
  check('highlights', highlights.length === 3 && highlights.every((one) => Range.is(one.range)), highlights);
  const hover = await server.ask(lsp.HoverRequest.type, at('LIMIT }'));
  check('hover', Hover.is(hover) && hover.contents.value.includes('5'), hover);
  const completion = await server.ask(lsp.CompletionRequest.type, at('twice(1)'));
  check('completion', completion.items.every((item) => item.label && item.kind >= 1 && item.kind <= 25) &&
    completion.items.some((item) => item.label === 'twice'), completion);
  const signature = await server.ask(lsp.SignatureHelpRequest.type, at('twice(1)', 6));
  check('signature help', signature.signatures[0].parameters.length === 1 &&
    signature.signatures[0].label === 'int twice(int n)', signature);
  const prepared = await server.ask(lsp.PrepareRenameRequest.type, at('press?'));
  check('prepare a rename', Range.is(prepared), prepared);
  check('nothing to rename', await server.ask(lsp.PrepareRenameRequest.type, at('process Lamp')) === null);
  const renamed = await server.ask(lsp.RenameRequest.type, { ...at('press?'), newName: 'push' });
  check('rename', lsp.WorkspaceEdit.is(renamed) &&
    TextDocument.applyEdits(document, renamed.changes[uri]) === MODEL.replaceAll('press', 'push'), renamed);
  for (const newName of ['count', 'process', '1a', '', 'a b', '\u00e9'])
    check(`no rename to '${newName}'`, (await server.ask(lsp.RenameRequest.type, { ...at('press?'), newName })
      .catch((error) => error.code)) === lsp.LSPErrorCodes.RequestFailed);
  const symbols = await server.ask(lsp.DocumentSymbolRequest.type, { textDocument });
  check('symbols', symbols.every((one) => Range.is(one.range) && Range.is(one.selectionRange)) && symbols.some((one) => one.name === 'Lamp'), symbols);
  const folds = await server.ask(lsp.FoldingRangeRequest.type, { textDocument });
  check('folding', folds.length === 3 && folds.every(lsp.FoldingRange.is), folds);
  const tokens = await server.ask(lsp.SemanticTokensRequest.type, { textDocument });
  check('semantic tokens', tokens.data.length > 100 && is_tokens(tokens.data, MODEL) &&
    tokens.data.every((value, i) => i % 5 !== 3 || value < can.semanticTokensProvider.legend.tokenTypes.length), tokens);
  const lenses = await server.ask(lsp.CodeLensRequest.type, { textDocument });
  check('code lenses', lenses.length === 3 && lenses.every(lsp.CodeLens.is), lenses);
  const options = { tabSize: 2, insertSpaces: true };
  await server.change(uri, 4, [{ range: Range.create(0, 4, 0, 5), text: '   ' }, { range: Range.create(1, 5, 1, 6), text: '  ' }]);
  const untidy = TextDocument.create(uri, 'xta', 4, MODEL.replace('chan press', 'chan   press').replace('clock x', 'clock  x'));
  const edits = await server.ask(lsp.DocumentFormattingRequest.type, { textDocument, options });
  check('formatting', edits.every(TextEdit.is) && TextDocument.applyEdits(untidy, edits) === MODEL, edits);
  const part = await server.ask(lsp.DocumentRangeFormattingRequest.type, { textDocument, range: Range.create(1, 0, 2, 0), options });
  check('formatting of a range', TextDocument.applyEdits(untidy, part) === MODEL.replace('chan press', 'chan   press'), part);
  for (const [what, good] of [['check', (a) => a.results[0].verdict === 'satisfied'], ['run', (a) => a.results[0].trace.steps.length > 0],
    ['page', (a) => a.includes('<html')]]) {
    const answer = await server.ask(lsp.ExecuteCommandRequest.type, { command: 'tarn.' + what, arguments: [uri, 0] });
    check(`command ${what}`, good(answer), answer);
  }
  check('command lint', typeof await server.ask(lsp.ExecuteCommandRequest.type, { command: 'tarn.lint', arguments: [uri] }) === 'number');
  check('no such command', (await server.ask(lsp.ExecuteCommandRequest.type, { command: 'tarn.none', arguments: [uri, 0] })
    .catch((error) => error.code)) === lsp.ErrorCodes.InvalidParams);
  check('no such method', (await server.ask('textDocument/moniker', at('x')).catch((error) => error.code)) === lsp.ErrorCodes.MethodNotFound);
  await server.tell(lsp.DidChangeConfigurationNotification.type, { settings: { tarn: { timeLimit: 30 } } });
  await server.tell('$/unknown', {});
  await cancelling(server);
  await server.close(uri);
  check('closed', await server.ask(lsp.HoverRequest.type, at('x')) === null && server.published.get(uri).diagnostics.length === 0);
  const { status, errors } = await server.end();
  check('the end', status === 0 && !errors, { status, errors });
}

// A long check is told of and cancelled.
async function cancelling(server) {
  const uri = 'file:///tmp/slow.xta';
  await server.open(uri, `int[0,100000] a, b; process P() { state s; init s;
    trans s -> s { guard a < 100000; assign a = a + 1; }, s -> s { guard b < 100000; assign b = b + 1; }; }
    system P; query { A[] a + b <= 200000 }`);
  const source = new lsp.CancellationTokenSource();
  const asked = server.ask(lsp.ExecuteCommandRequest.type, { command: 'tarn.check', arguments: [uri, 0] }, source.token)
    .catch((error) => error.code);
  while (!server.progress.includes('begin')) await new Promise((resolve) => setTimeout(resolve, 20));
  source.cancel();
  check('cancel', await asked === lsp.LSPErrorCodes.RequestCancelled);
  while (!server.progress.includes('end')) await new Promise((resolve) => setTimeout(resolve, 20));
  check('progress', server.progress[0] === 'begin' && server.progress.at(-1) === 'end', server.progress);
  await server.close(uri);
}

// Numbers that a seed determines (mulberry32).
function random_numbers(seed) {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
  };
}

const PIECES = ['', '', '', ' ', '\n', '\r\n', '\r', '{', '}', '(', ')', '[', ';', ',', '.', 'x', 'int ', 'chan c;', 'process P() {',
  '->', '<', '&lt;', '&amp;', '&', ']]>', '<![CDATA[', '//', '/*', '*/', '\u00e9', '\u{1f600}', '\u2028', 'state ', 'trans ', '0', "'", '"',
  '<label kind="guard">', '</label>', '<!--', '#', ':', 'edge:P:', 'E<> ', 'A[] ', '-->', '='];
const OPTIONS = { tabSize: 2, insertSpaces: true };

// A random request: its type and parameters.
function random_request(below, document) {
  const textDocument = { uri: document.uri };
  const place = () => document.positionAt(below(document.getText().length + 1));
  const whole = [lsp.DocumentSymbolRequest, lsp.FoldingRangeRequest, lsp.SemanticTokensRequest, lsp.CodeLensRequest,
    lsp.DocumentDiagnosticRequest];
  const placed = [lsp.DefinitionRequest, lsp.HoverRequest, lsp.CompletionRequest, lsp.SignatureHelpRequest,
    lsp.DocumentHighlightRequest, lsp.PrepareRenameRequest];
  const range = { start: place(), end: place() };
  const others = [
    [lsp.DocumentFormattingRequest, { textDocument, options: OPTIONS }],
    [lsp.DocumentRangeFormattingRequest, { textDocument, range, options: OPTIONS }],
    [lsp.CodeActionRequest, { textDocument, range, context: { diagnostics: [] } }],
    [lsp.ReferencesRequest, { textDocument, position: place(), context: { includeDeclaration: !below(2) } }],
    [lsp.RenameRequest, { textDocument, position: place(), newName: ['fresh', 'x', '1', 'state'][below(4)] }],
    [lsp.ExecuteCommandRequest, { command: 'tarn.lint', arguments: [document.uri] }],
  ];
  const number = below(whole.length + placed.length + others.length);
  if (number < whole.length) return [whole[number].type, { textDocument }];
  if (number < whole.length + placed.length) return [placed[number - whole.length].type, { textDocument, position: place() }];
  const [request, params] = others[number - whole.length - placed.length];
  return [request.type, params];
}

const ALLOWED = new Set([lsp.LSPErrorCodes.RequestCancelled, lsp.LSPErrorCodes.RequestFailed]);

// All that a server says of a text; places of positions are the client's.
async function everything(server, uri, places) {
  const textDocument = { uri };
  const range = { start: { line: 0, character: 0 }, end: places[0] };
  const asked = [
    server.ask(lsp.DocumentDiagnosticRequest.type, { textDocument }),
    ...[lsp.DocumentSymbolRequest, lsp.FoldingRangeRequest, lsp.SemanticTokensRequest, lsp.CodeLensRequest]
      .map((request) => server.ask(request.type, { textDocument })),
    server.ask(lsp.DocumentFormattingRequest.type, { textDocument, options: OPTIONS }),
    server.ask(lsp.CodeActionRequest.type, { textDocument, range, context: { diagnostics: [] } }),
    ...places.flatMap((position) => [lsp.DefinitionRequest, lsp.HoverRequest, lsp.CompletionRequest, lsp.SignatureHelpRequest,
      lsp.DocumentHighlightRequest, lsp.PrepareRenameRequest].map((request) => server.ask(request.type, { textDocument, position }))),
  ];
  return (await Promise.all(asked)).map((answer) => JSON.stringify(answer));
}

async function random_edits(tarn, files, edits, seed) {
  const server = new Server(tarn), fresh = new Server(tarn);
  await server.start();
  await fresh.start();
  const below = random_numbers(seed);
  const each = Math.max(1, Math.floor(edits / files.length));
  let done = 0, asked = 0, cancelled = 0, compared = 0, early = 0;
  for (const [number, file] of files.entries()) {
    const uri = pathToFileURL(file).href;
    let text = readFileSync(file, 'utf8').slice(0, 20000);
    if (number % 3 === 0) text = text.replace(/\r?\n/g, '\r\n');
    let document = TextDocument.create(uri, 'tarn', 1, text);
    await server.open(uri, text);
    const waits = [];
    for (let edit = 0; edit < each; edit++) {
      const changes = [];
      let version = document.version + 1;
      for (let k = below(10) ? 1 : 3; k > 0; k--) {
        const size = document.getText().length, begin = below(size + 1), end = Math.min(size, begin + [0, 0, 1, 2, 10, 40][below(6)]);
        const range = { start: document.positionAt(begin), end: document.positionAt(end) };
        // Half a character outside of the first plane cannot be sent: JSON has no bytes for it.
        const middle = (offset) => /[\ud800-\udbff]/.test(document.getText()[offset - 1] ?? '') && /[\udc00-\udfff]/.test(document.getText()[offset] ?? '');
        if (middle(begin) || middle(end)) continue;
        changes.push({ range, text: PIECES[below(PIECES.length)] });
        // The library's own update takes a "\n" behind a "\r" for another line.
        document = TextDocument.create(uri, 'tarn', version, TextDocument.applyEdits(document, [{ range, newText: changes.at(-1).text }]));
      }
      await server.change(uri, version, changes);
      done++;
      if (below(3) === 0) {
        const [type, params] = random_request(below, document), source = new lsp.CancellationTokenSource();
        asked++;
        waits.push(server.ask(type, params, source.token).then(() => null, (error) => {
          cancelled += error.code === lsp.LSPErrorCodes.RequestCancelled;
          if (!ALLOWED.has(error.code)) check(`a request of ${file}`, false, [seed, edit, String(error)]);
        }));
        if (below(3) === 0) source.cancel();
      }
      if (edit % 10 === 9 || edit === each - 1) {
        await Promise.all(waits.splice(0));
        const places = [0, 1].map(() => document.positionAt(below(document.getText().length + 1)));
        await fresh.open(uri, document.getText());
        const [one, other] = await Promise.all([everything(server, uri, places), everything(fresh, uri, places)]);
        await fresh.close(uri);
        const differs = one.findIndex((answer, i) => answer !== other[i]);
        compared++;
        if (differs >= 0) {
          let at = 0;
          while (one[differs][at] === other[differs][at]) at++;
          const shown = [one, other].map((answers) => answers[differs].slice(Math.max(0, at - 200), at + 300));
          check(`edits of ${file}`, false, [`a stale answer, seed ${seed}, edit ${edit}`, differs, ...shown, document.getText()]);
          return;
        }
      }
    }
    await server.close(uri);
    if (number === Math.floor(files.length / 2)) early = server.memory();
  }
  const late = server.memory();
  for (const one of [server, fresh]) {
    const { status, errors } = await one.end();
    if (status !== 0 || errors) check('the end after edits', false, { status, errors: errors.slice(-3000) });
  }
  // Documents are closed, so what a server keeps does not grow from one half of them to the other.
  if (!/asan/.test(tarn)) check('memory', late < early + 20000, { early, late });
  check(`${done} random edits of ${files.length} texts, seed ${seed}: ${asked} requests, ${cancelled} cancelled; ` +
    `${compared} times as after opening it anew; ${early} KiB after half of them, ${late} KiB at the end`, true);
}

const files = [], words = process.argv.slice(3);
let edits = 0, seed = 1;
while (words.length) {
  const word = words.shift();
  if (word === '--edits') edits = Number(words.shift());
  else if (word === '--seed') seed = Number(words.shift());
  else files.push(word);
}
await requests(process.argv[2]);
if (edits && files.length) await random_edits(process.argv[2], files, edits, seed);
process.exit(failed ? 1 : 0);
