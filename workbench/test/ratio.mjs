// Processor time of the engine as WebAssembly against that of the program: node workbench/test/ratio.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { ROOT, node_engine } from './engine.mjs';

const tarn = process.env.TARN || `${ROOT}build/release/tarn`, folder = mkdtempSync(`${tmpdir()}/tarn-ratio-`);
for (const [family, size] of [['fischer', 11], ['csma', 12]]) {
  const text = execFileSync(tarn, ['gen', family, String(size)], { encoding: 'utf8' }), file = `${folder}/model.tck`;
  writeFileSync(file, text);
  const natively = () => JSON.parse(execFileSync(tarn, ['check', '--json', '--symmetry', 'off', file], { encoding: 'utf8' })).results[0].stats;
  const engine = await node_engine();
  const here = () => {
    const began = process.cpuUsage();
    engine.call('tarn/read', { text, language: 'tchecker' });
    const { visited } = engine.call('tarn/check', { options: { symmetry: 'off' } }).result.results[0].stats;
    return { visited, cpu_seconds: process.cpuUsage(began).user / 1e6 };
  };
  const [a, b, c, d] = [natively(), natively(), here(), here()];
  const native = Math.min(a.cpu_seconds, b.cpu_seconds), wasm = Math.min(c.cpu_seconds, d.cpu_seconds);
  console.log(`${family} ${size}: ${native.toFixed(2)} s natively, ${wasm.toFixed(2)} s as WebAssembly, ratio ${(wasm / native).toFixed(2)} (at most 2.5); ${a.visited === d.visited ? `${a.visited} states in both` : `${a.visited} and ${d.visited} states`}`);
}
rmSync(folder, { recursive: true });
