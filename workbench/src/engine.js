// The page's side of an engine: requests that are promises, over any carrier of texts.

export class EngineError extends Error {}

let module_bytes = null;

// The compiled module, once for all workers. The page that is one file has it inside, packed.
async function compiled() {
  const inside = document.getElementById('engine-data');
  if (!inside) return WebAssembly.compileStreaming(fetch('engine.wasm'));
  const packed = Uint8Array.from(atob(inside.textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}
export const engine_module = () => (module_bytes ??= compiled());

let worker_address = null;
function worker_url() {
  const inside = document.getElementById('worker-code');
  return (worker_address ??= inside ? URL.createObjectURL(new Blob([inside.textContent], { type: 'text/javascript' })) : 'worker.js');
}

export class Engine {
  // `notified` gets notifications: (method, params).
  constructor(notified = () => {}) {
    this.notified = notified;
    this.next = 1;
    this.calls = new Map();
    this.worker = null;
    this.ready = null;
  }

  start() {
    if (this.worker) return this.ready;
    const worker = new Worker(worker_url());
    this.worker = worker;
    this.ready = new Promise((resolve) => { this.is_ready = resolve; });
    worker.onmessage = ({ data }) => this.worker === worker && this.receive(JSON.parse(data));
    worker.onerror = (event) => this.worker === worker && this.fail(event.message || 'the engine has stopped');
    engine_module().then((module) => worker.postMessage({ module }), (error) => this.fail(`the engine cannot be loaded: ${error.message}`));
    return this.ready;
  }

  receive(message) {
    if (message.method === 'tarn/ready') this.is_ready();
    else if (message.method === 'tarn/fault') this.fail(message.params.message);
    else if (message.method) this.notified(message.method, message.params);
    else {
      const call = this.calls.get(message.id);
      this.calls.delete(message.id);
      if (!call) return;
      if (message.error) call.reject(new EngineError(message.error.message));
      else call.resolve(message.result);
    }
  }

  // A fault ends the worker; the next request starts another one.
  fail(why) {
    this.end(`the engine has stopped: ${why}`);
    this.notified('tarn/fault', { message: why });
  }

  end(why = 'cancelled') {
    if (this.worker) this.worker.terminate();
    this.worker = null;
    for (const call of this.calls.values()) call.reject(new EngineError(why));
    this.calls.clear();
  }

  request(method, params = {}) {
    this.start();
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.calls.set(id, { resolve, reject });
      this.worker.postMessage(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }
  notify(method, params = {}) {
    this.start();
    this.worker.postMessage(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }
}
