// The engine in a worker. Messages are those of JSON-RPC 2.0, as texts; the first one from the page
// brings the module. Ending the worker ends whatever it does.
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

onmessage = async ({ data }) => {
  if (data.module) {
    const options = {
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(data.module, imports).then((instance) => done(instance.instance || instance, data.module));
        return {};
      },
      onmessage: (text) => postMessage(text),
      printErr: () => {},
    };
    const created = await createEngine(options);
    created._shim_start();
    engine = created;
    postMessage(JSON.stringify({ jsonrpc: '2.0', method: 'tarn/ready', params: { heap: engine.HEAP8 ? engine.HEAP8.length : 0 } }));
    for (const text of waiting.splice(0)) guarded(text);
  } else if (!engine) waiting.push(data);
  else guarded(data);
};
