// The engine in a worker. Messages are those of JSON-RPC 2.0, as texts; the first one from the page
// brings the module, or where it is. Ending the worker ends whatever it does.
/* global createEngine */
let engine = null;
const waiting = [];

function receive(text) {
  const size = engine.lengthBytesUTF8(text) + 1;
  const at = engine._malloc(size);
  if (!at) throw new Error('out of memory');
  engine.stringToUTF8(text, at, size);
  engine._shim_receive(at);
  engine._free(at);
}

// A fault of the engine: the page hears of it, and starts another worker.
function guarded(text) {
  try {
    receive(text);
  } catch (error) {
    postMessage(JSON.stringify({ jsonrpc: '2.0', method: 'tarn/fault', params: { message: String((error && error.message) || error) } }));
  }
}

async function compile({ packed, address }) {
  if (!packed) return WebAssembly.compileStreaming(fetch(address));
  const bytes = await fetch(`data:application/octet-stream;base64,${packed}`); // much quicker than atob
  const stream = bytes.body.pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compileStreaming(new Response(stream, { headers: { 'Content-Type': 'application/wasm' } }));
}

async function begin(module) {
  const created = await createEngine({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
      return {};
    },
    onmessage: (text) => postMessage(text),
    printErr: () => {},
  });
  created._shim_start();
  engine = created;
  postMessage(JSON.stringify({ jsonrpc: '2.0', method: 'tarn/ready', params: { heap: engine.HEAP8 ? engine.HEAP8.length : 0 } }));
  for (const text of waiting.splice(0)) guarded(text);
}

// The first message: the module, or where it is. Who compiles it gives it to the page.
onmessage = async ({ data }) => {
  if (data.module) begin(data.module);
  else if (data.address) {
    postMessage({ begun: true });
    try {
      const module = await compile(data);
      postMessage({ module });
      begin(module);
    } catch (error) {
      postMessage({ why: error.message });
    }
  } else if (!engine) waiting.push(data);
  else guarded(data);
};
