// The compiled engine, once for all workers. The page that is one file has it inside, packed; there, this module runs by itself
// before the rest of the page is read, as compiling takes longest.
async function compiled() {
  const inside = document.getElementById('engine-data');
  if (!inside) return WebAssembly.compileStreaming(fetch('engine.wasm'));
  const packed = await fetch(`data:application/octet-stream;base64,${inside.textContent}`); // much quicker than atob
  const stream = packed.body.pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compileStreaming(new Response(stream, { headers: { 'Content-Type': 'application/wasm' } }));
}
export const engine_module = () => (globalThis.tarn_module ??= compiled());
engine_module();
