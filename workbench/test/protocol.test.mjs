// One protocol, whoever carries it: the engine of the page, `tarn serve` and `tarn lsp` give the same answers to the
// same messages, and all of them are as doc/schemas/service-1.json says.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { ROOT, node_engine } from './engine.mjs';
import { METHODS, mistakes } from './schemas.mjs';

const tarn = process.env.TARN || `${ROOT}build/release/tarn`;
const text = readFileSync(`${ROOT}models/train-gate.xta`, 'utf8');

// Each carrier: call(message) gives its answer or null, `told` has what came unasked.

async function worker() {
  const engine = await node_engine();
  return { call: async (m) => (m.id ? engine.call_as(m) : (engine.notify(m.method, m.params), null)), told: engine.told, end() {} };
}

function lines_of(stream, take) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (data) => {
    const lines = (rest + data).split('\n');
    rest = lines.pop();
    lines.forEach(take);
  });
}

async function server() {
  const process = spawn(tarn, ['serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise((resolve, reject) => { lines_of(process.stdout, resolve); process.on('exit', () => reject(new Error('no server'))); });
  const told = [], stop = new AbortController();
  const engine = await new Promise((resolve) => {
    fetch(`${url}events`, { signal: stop.signal }).then(async ({ body }) => {
      let rest = '';
      for await (const chunk of body) {
        const parts = (rest + Buffer.from(chunk).toString()).split('\n\n');
        rest = parts.pop();
        for (const part of parts) {
          told.push(JSON.parse(part.replace(/^data: /, '')));
          if (told.length === 1) resolve(told[0].params.engine);
        }
      }
    }).catch(() => {});
  });
  return {
    told,
    async call(message) {
      const answer = await fetch(`${url}rpc/${engine}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(message) });
      return answer.status === 204 ? null : answer.json();
    },
    end() { stop.abort(); process.kill('SIGTERM'); },
  };
}

async function lsp() {
  const process = spawn(tarn, ['lsp'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const told = [], waiting = new Map();
  let buffer = Buffer.alloc(0);
  process.stdout.on('data', (data) => {
    buffer = Buffer.concat([buffer, data]);
    for (;;) {
      const head = /^Content-Length: (\d+)\r\n\r\n/.exec(buffer.subarray(0, 60).toString('latin1'));
      if (!head || buffer.length < head[0].length + Number(head[1])) return;
      const message = JSON.parse(buffer.subarray(head[0].length, head[0].length + Number(head[1])));
      buffer = buffer.subarray(head[0].length + Number(head[1]));
      if (message.method) told.push(message);
      else waiting.get(message.id)?.(message);
    }
  });
  const send = (message) => {
    const body = Buffer.from(JSON.stringify(message));
    process.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
  };
  const call = (message) => {
    send(message);
    return message.id === undefined ? Promise.resolve(null) : new Promise((resolve) => { waiting.set(message.id, resolve); });
  };
  await call({ jsonrpc: '2.0', id: 'begin', method: 'initialize', params: {} });
  return { call, told, end() { process.kill(); } };
}

// What differs from run to run, or by the machine: outside of a page, graphviz places what is written as XML.
function stable(value) {
  if (typeof value === 'string' && value.startsWith('<?xml')) return value.replace(/<nail[^>]*>| [xy]="-?\d+"|\s+/g, '');
  if (Array.isArray(value)) return value.map(stable);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !['seconds', 'cpu_seconds', 'peak_bytes', 'node_bytes', 'text', 'stored_bytes', 'time-limit', 'memory-limit'].includes(key)).map(([key, part]) => [key, stable(part)]));
}

const SCRIPT = [
  ['tarn/step', { choice: 0 }, 'error'], ['tarn/read', {}, 'error'], ['tarn/read', { text: 'system' }, 'error'], ['tarn/read', { text }],
  ['tarn/check', { query: 'A[] not deadlock', options: {} }], ['tarn/check', { query: 'E<> T1.cross', options: { trace: 'concrete', order: 'bfs' } }],
  ['tarn/check', { query: 'E<> nowhere', options: {} }], ['tarn/check', { query: 'A[] true', options: { certificate: '/tmp/x' } }, 'error'], ['tarn/check', { query: 'A[] true', options: { order: 'none' } }, 'error'],
  ['tarn/plan', { query: 'A[] not deadlock', options: {} }], ['tarn/lint', {}], ['tarn/write', { format: 'xml' }], ['tarn/write', { format: 'tck' }, 'error'], ['tarn/step', { choice: 0 }, 'error'],
  ['tarn/simulate', {}], ['tarn/step', { choice: 0, delay: '3/2' }], ['tarn/wait', { delay: '1/3' }], ['tarn/step', { choice: 99 }, 'error'], ['tarn/back', {}], ['tarn/random', { count: 10, seed: 3 }],
  ['tarn/goto', { step: 1 }], ['tarn/run', {}], ['tarn/simulate', { mode: 'symbolic' }], ['tarn/step', { choice: 1 }], ['tarn/run', {}], ['tarn/simulate', { run: 'x' }, 'error'], ['tarn/nothing', {}, 'error'],
  ['tarn/read', { text: 'process P() { state A; init A; } system P;' }], ['tarn/write', { format: 'tck' }], ['tarn/write', { format: 'xta' }],
  ['textDocument/diagnostic', { textDocument: { uri: 'file:///none.xml' } }],
];

async function play(carrier) {
  const answers = [];
  for (const [i, [method, params, wants]] of SCRIPT.entries()) {
    const answer = await carrier.call({ jsonrpc: '2.0', id: i + 1, method, params }), name = `${i + 1} ${method}`;
    assert.deepEqual(mistakes(answer, 'answer'), [], name);
    assert.equal(answer.id, i + 1);
    assert.equal('error' in answer, wants === 'error', `${name}: ${JSON.stringify(answer).slice(0, 300)}`);
    if (wants !== 'error' && method.startsWith('tarn/')) {
      assert.deepEqual(mistakes(params, method, 'params'), [], name);
      assert.deepEqual(mistakes(answer.result, method, 'result'), [], name);
    }
    answers.push(stable(answer));
  }
  assert.equal(await carrier.call({ jsonrpc: '2.0', method: 'textDocument/didOpen', params: { textDocument: { uri: 'file:///a.xta', languageId: 'tarn', version: 1, text: 'system' } } }), null);
  const found = await carrier.call({ jsonrpc: '2.0', id: 'd', method: 'textDocument/diagnostic', params: { textDocument: { uri: 'file:///a.xta' } } });
  answers.push(found.result);
  for (const message of carrier.told) {
    const kind = { 'tarn/ready': 'ready', 'tarn/progress': 'progress', 'tarn/fault': 'fault' }[message.method];
    if (kind) assert.deepEqual(mistakes(message, kind), []);
  }
  carrier.end();
  return answers;
}

const begin = { worker, 'tarn serve': server, 'tarn lsp': lsp };
const skip = !existsSync(tarn) || !existsSync(`${ROOT}build/workbench/engine.wasm`);
test('worker, `tarn serve` and `tarn lsp` answer the same', { skip }, async (t) => {
  assert.deepEqual(METHODS.filter((m) => !SCRIPT.some(([method]) => method === m)), [], 'every method is asked');
  const wanted = await play(await begin.worker());
  for (const name of ['tarn serve', 'tarn lsp']) {
    let carrier;
    try {
      carrier = await begin[name]();
    } catch (error) {
      t.diagnostic(`${name} was not compared: ${error.message}`);
      continue;
    }
    const found = await play(carrier);
    wanted.forEach((answer, i) => assert.deepEqual(found[i], answer, `${name}: ${SCRIPT[i]}`));
  }
});
