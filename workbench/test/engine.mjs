// The engine in node, with the interface of src/engine.js: for tests without a browser.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

export const ROOT = new URL('../../', import.meta.url).pathname;

export async function node_engine() {
  const answers = new Map(), told = [];
  const module = await createRequire(import.meta.url)(`${ROOT}build/workbench/engine.js`)({
    wasmBinary: readFileSync(`${ROOT}build/workbench/engine.wasm`),
    onmessage: (text) => {
      const message = JSON.parse(text);
      if (message.id) answers.set(message.id, message);
      else told.push(message);
    },
  });
  if (!module._shim_start()) throw new Error('the engine does not start');
  const send = (message) => {
    const text = JSON.stringify(message), size = module.lengthBytesUTF8(text) + 1, at = module._malloc(size);
    module.stringToUTF8(text, at, size);
    module._shim_receive(at);
    module._free(at);
  };
  let next = 1;
  return {
    told,
    carrier: module,
    bytes: () => module.HEAP8.length,
    notify: (method, params) => send({ jsonrpc: '2.0', method, params }),
    call(method, params = {}) { return this.call_as({ jsonrpc: '2.0', id: next++, method, params }); },
    call_as(message) {
      send(message);
      const answer = answers.get(message.id);
      answers.delete(message.id);
      return answer;
    },
    async request(method, params) {
      const answer = this.call(method, params);
      if (answer.error) throw new Error(answer.error.message);
      return answer.result;
    },
  };
}

// Fischer's protocol with so many processes; twelve are more than a check without symmetry can do in a test.
export function fischer_of(text, count) {
  const names = Array.from({ length: count }, (_, i) => `P${i + 1}`);
  return text.replace(/int\[([01]),3\]/g, `int[$1,${count}]`).replace(/P1 = (\w+)\(1\);[\s\S]*?system [^;]*;/, (_, t) => `${names.map((n, i) => `${n} = ${t}(${i + 1});`).join('\n')}\nsystem ${names.join(', ')};`);
}
export const large_fischer = (text) => fischer_of(text, 12);
