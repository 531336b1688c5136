// Workers with the engine, which is compiled once. The first worker compiles it, as the page is busy with its own
// scripts meanwhile, and goes on as an engine; the page gives the module to the others. early.js has a copy of this
// module: what that one has begun is where the page's own copy finds it.
const shared = (globalThis.tarn_engine ??= { address: null, module: null, first: null, compiling: null });

const inside = (name) => document.getElementById(name)?.textContent; // in the page that is one file
function new_worker() {
  const code = inside('worker-code');
  return new Worker((shared.address ??= code ? URL.createObjectURL(new Blob([code], { type: 'text/javascript' })) : 'worker.js'));
}

// Begins the first worker, unless that was done; `begun` is called once its script runs, or cannot.
export function begin(begun = null) {
  if (shared.module) return;
  shared.begun = begun;
  const worker = new_worker();
  let take;
  const taken = new Promise((resolve) => { take = resolve; });
  shared.module = new Promise((resolve, reject) => {
    const lose = (why) => {
      reject(new Error(why));
      shared.begun?.();
      taken.then((on) => on.fail(`the engine cannot be loaded: ${why}`));
    };
    worker.onmessage = ({ data }) => {
      if (data.module) resolve(data.module);
      else if (data.why) lose(data.why);
      else if (data.begun) shared.begun?.();
      else taken.then((on) => on.receive(data));
    };
    worker.onerror = ({ message }) => lose(message || 'its worker cannot be started');
  });
  shared.first = { worker, take };
  shared.compiling = worker;
  const end = () => { shared.compiling = null; };
  shared.module.then(end, () => {
    end();
    shared.module = shared.first = null; // whoever wants an engine next tries again
  });
  worker.postMessage({ packed: inside('engine-data'), address: new URL('engine.wasm', document.baseURI).href });
}

// `on` has receive(message), for texts, and fail(why).
export function start_worker(on) {
  begin();
  const { first } = shared;
  shared.first = null;
  if (first) {
    first.take(on);
    return first.worker;
  }
  const worker = new_worker();
  worker.onmessage = ({ data }) => on.receive(data);
  worker.onerror = ({ message }) => on.fail(message || 'the engine has stopped');
  shared.module.then((module) => worker.postMessage({ module }), (error) => on.fail(`the engine cannot be loaded: ${error.message}`));
  return worker;
}

// The one that compiles goes on until others have what they wait for.
export function end_worker(worker) {
  const end = () => worker.terminate();
  if (worker === shared.compiling) shared.module.then(end, end);
  else end();
}
