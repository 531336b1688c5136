// The engine as WebAssembly answers as the library does: node --test workbench/test
import assert from 'node:assert';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const root = new URL('../../', import.meta.url).pathname;

test('reads, checks and simulates', async () => {
  const sent = [];
  const module = await createRequire(import.meta.url)(`${root}build/workbench/engine.js`)({
    wasmBinary: readFileSync(`${root}build/workbench/engine.wasm`),
    onmessage: (text) => sent.push(JSON.parse(text)),
  });
  assert.equal(module._shim_start(), 1);
  const call = (method, params) => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const size = module.lengthBytesUTF8(text) + 1;
    const at = module._malloc(size);
    module.stringToUTF8(text, at, size);
    module._shim_receive(at);
    module._free(at);
    return sent.filter((message) => message.id === 1).at(-1);
  };
  assert.match(call('tarn/step', {}).error.message, /no model/);
  const text = readFileSync(`${root}models/fischer.xta`, 'utf8');
  assert.equal(call('tarn/read', { text }).result.model.processes.length, 3);
  const checked = call('tarn/check', { query: 'E<> P1.cs', options: { trace: 'concrete' } });
  assert.equal(checked.result.results[0].verdict, 'satisfied');
  assert.deepEqual(call('tarn/simulate', {}).result.locations, [0, 0, 0]);
  assert.deepEqual(call('tarn/step', { choice: 0 }).result.locations, [1, 0, 0]);
});
