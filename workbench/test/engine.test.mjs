// The engine as WebAssembly answers as the library does; mistakes are found in the very labels.
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { Document, decode_bytes } from '../src/document.js';
import { Language } from '../src/language.js';
import { path_of } from '../src/model.js';
import { split_queries } from '../src/queries.js';
import { ROOT, fischer_of, node_engine } from './engine.mjs';
import { models } from './models.mjs';
import { random_of } from './random_edits.mjs';

const tarn = process.env.TARN || `${ROOT}build/release/tarn`;

test('reads, checks and simulates', async () => {
  const engine = await node_engine();
  assert.match(engine.call('tarn/step', {}).error.message, /no model/);
  const text = readFileSync(`${ROOT}models/fischer.xta`, 'utf8');
  assert.equal(engine.call('tarn/read', { text }).result.model.processes.length, 3);
  const checked = engine.call('tarn/check', { query: 'E<> P1.cs', options: { trace: 'concrete' } });
  assert.equal(checked.result.results[0].verdict, 'satisfied');
  assert.deepEqual(engine.call('tarn/simulate', {}).result.locations, [0, 0, 0]);
  const stepped = engine.call('tarn/step', { choice: 0 }).result;
  assert.deepEqual(stepped.locations, [1, 0, 0]);
  assert.equal(stepped.taken.length, 1);
  const symbolic = engine.call('tarn/simulate', { mode: 'symbolic' }).result;
  assert.equal(symbolic.bounds.length, 4);
  assert.equal(engine.call('tarn/random', { count: 10, seed: 1 }).result.step, 10);
});

test('verdicts and counts are those of the program', { skip: !existsSync(tarn) }, async () => {
  const engine = await node_engine();
  let compared = 0;
  for (const file of readdirSync(`${ROOT}models`).filter((n) => n.endsWith('.xta'))) {
    const queries = `${ROOT}models/${file.replace(/xta$/, 'q')}`;
    if (!existsSync(queries)) continue;
    engine.call('tarn/read', { text: readFileSync(`${ROOT}models/${file}`, 'utf8') });
    for (const { formula } of split_queries(readFileSync(queries, 'utf8'))) {
      const mine = engine.call('tarn/check', { query: formula, options: {} }).result.results[0];
      const theirs = native(file, formula);
      assert.equal(mine.verdict, theirs.verdict, `${file}: ${formula}`);
      assert.equal(mine.stats.visited, theirs.stats.visited, `${file}: ${formula}`);
      compared++;
    }
  }
  assert.ok(compared > 30);
});
function native(file, query) {
  try {
    return JSON.parse(execFileSync(tarn, ['check', '--json', '-q', query, `${ROOT}models/${file}`], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })).results[0];
  } catch (error) {
    return JSON.parse(error.stdout).results[0]; // not satisfied: exit status 1
  }
}

test('planted mistakes mark the very label', async () => {
  const engine = await node_engine(), random = random_of(5);
  let planted = 0, wrong = 0;
  for (let round = 0; planted < 200 && round < 40; round++)
    for (const { name, bytes } of models()) {
      const doc = new Document(decode_bytes(bytes).text);
      const language = new Language(engine, () => doc);
      if ((await language.diagnostics()).some((p) => p.severity === 1)) continue; // it has mistakes of its own
      const labels = doc.view.templates.flatMap((t) => [...t.locations, ...t.edges].flatMap((o) => o.labels.filter((l) => ['guard', 'invariant', 'synchronisation', 'assignment'].includes(l.kind) && l.text.trim())));
      if (!labels.length) continue;
      const label = labels[random(labels.length)], path = path_of(label.node);
      const bad = { guard: 'nowhere > 1', invariant: 'nowhere <= 1', synchronisation: 'nowhere!', assignment: 'nowhere = 1' }[label.kind];
      doc.apply(doc.set_text(label.node, bad));
      const found = (await language.diagnostics()).filter((p) => p.severity === 1);
      planted++;
      if (!found.length || found.some((p) => p.place.path !== path)) {
        wrong++;
        console.log(`${name}: ${path}: ${found.map((p) => `${p.place.path} ${p.text}`).join('; ') || 'nothing'}`);
      }
      if (planted >= 200) break;
    }
  assert.equal(planted, 200);
  assert.equal(wrong, 0);
});

test('limits, errors and many checks in a row leave the engine usable, without growth', async () => {
  const engine = await node_engine();
  const text = readFileSync(`${ROOT}models/fischer.xta`, 'utf8');
  let bytes = 0;
  for (let i = 0; i < 100; i++) {
    assert.ok(engine.call('tarn/read', { text: text.replace('system', i % 3 ? 'system' : 'sistem') })[i % 3 ? 'result' : 'error']);
    if (i % 3) {
      const limited = engine.call('tarn/check', { query: 'A[] not deadlock', options: { 'memory-limit': '1', symmetry: 'off' } });
      assert.ok(limited.result.results[0].verdict);
      assert.equal(engine.call('tarn/check', { query: 'E<> P1.cs', options: {} }).result.results[0].verdict, 'satisfied');
    }
    if (i === 20) bytes = engine.bytes();
  }
  assert.equal(engine.bytes(), bytes);
});

test('the end of the heap is an answer, and the engine goes on', async () => {
  const engine = await node_engine(), { grow } = WebAssembly.Memory.prototype;
  const text = fischer_of(readFileSync(`${ROOT}models/fischer.xta`, 'utf8'), 11);
  for (let i = 0; i < 3; i++) {
    assert.ok(engine.call('tarn/read', { text }).result);
    WebAssembly.Memory.prototype.grow = () => { throw new RangeError('planted'); };
    const ended = engine.call('tarn/check', { query: 'A[] not deadlock', options: { symmetry: 'off', 'partial-order': 'off' } });
    WebAssembly.Memory.prototype.grow = grow;
    assert.equal(ended.result.results[0].verdict, 'undecided');
    assert.match(ended.result.results[0].reason, /memory/);
    assert.equal(engine.call('tarn/check', { query: 'E<> P1.cs', options: {} }).result.results[0].verdict, 'satisfied');
  }
});
