// The verifier: the queries of the document, their verdicts, and what can be done with the evidence.
import { for_engine } from './document.js';
import * as edits from './edits.js';
import { TextField } from './text.js';
import { estimate_charts } from './plots.js';
import { ServerCarrier, WorkerCarrier, has_server, placed } from './engine.js';
import { at, make, toast } from './dom.js';

const MARKS = { satisfied: '✔', 'not satisfied': '✖', estimated: '≈', undecided: '?', refused: '!', failed: '!', cancelled: '–' };
const OPTIONS = [
  ['time-limit', 'Time limit, seconds', '', 'none'],
  ['memory-limit', 'Memory limit, MB', '', 'none'],
  ['trace', 'Runs', 'concrete', ['concrete', 'none']],
  ['prefer', 'Preferred run', 'auto', ['auto', 'any', 'shortest', 'fastest']],
  ['engine', 'Engine', 'auto', ['auto', 'zones', 'points', 'local']],
  ['symmetry', 'Symmetry', 'auto', ['auto', 'off']],
  ['partial-order', 'Partial order', 'auto', ['auto', 'on', 'off']],
  ['order', 'Order', 'stages', ['stages', 'bfs', 'dfs']],
  ['abstraction', 'Abstraction', 'alu', ['alu', 'extra-lu+', 'extra-m+', 'extra-lu', 'extra-m']],
];
const STATISTICS = [
  ['alpha', 'Chance of a miss (α)', '', '0.05'],
  ['epsilon', 'Half width of intervals (ε)', '', '0.05'],
  ['beta', 'Chance of a false negative (β)', '', '0.05'],
  ['lower-delta', 'Below the bound (−δ)', '', '0.01'],
  ['upper-delta', 'Above the bound (+δ)', '', '0.01'],
  ['u0', 'Least ratio (u0)', '', '0.9'],
  ['u1', 'Largest ratio (u1)', '', '1.1'],
  ['stop', 'When to stop', 'uppaal', ['uppaal', 'runs', 'sequence', 'relative']],
  ['exact', 'Exact answers', 'auto', ['auto', 'off']],
  ['histogram-bar-width', 'Width of bars', '', 'automatic'],
  ['histogram-bar-count', 'Number of bars', '', 'automatic'],
  ['seed', 'Seed of random runs', '', '1'],
];
const SERVER_OPTIONS = [['threads', 'Threads', '', '1']]; // a page has one
export const number = (n) => (n === null || n === undefined ? '' : n.toLocaleString('en'));
export const seconds = (s) => (s < 0.001 ? `${(s * 1e6).toFixed(0)} µs` : s < 1 ? `${(s * 1000).toFixed(s < 0.01 ? 1 : 0)} ms` : `${s.toFixed(2)} s`);

export class Verifier {
  constructor(app) {
    this.app = app;
    this.rows = [];
    this.results = new Map(); // text of a query -> { result, of: text of the document without queries }
    this.build();
  }
  get doc() { return this.app.doc; }

  build() {
    this.list = make('div', { class: 'queries', role: 'list' });
    this.options = {};
    const field = ([name, title, value, choices]) => { // choices, or what an empty field means
      const input = Array.isArray(choices) ? make('select', {}, choices.map((c) => make('option', { value: c }, c))) : make('input', { type: 'text', inputmode: 'decimal', value, placeholder: choices, size: 8 });
      this.options[name] = { input, value };
      return make('label', { class: 'field' }, make('span', {}, title), input);
    };
    this.run_all = make('button', { class: 'primary', id: 'check-all', title: 'Check all queries (F7)', onclick: () => this.check_all() }, 'Check all');
    this.stop = make('button', { id: 'cancel', disabled: true, onclick: () => this.cancel() }, 'Cancel');
    this.where = make('select', { id: 'where', title: 'Where checks run: this computer’s tarn has threads and all of its memory', 'aria-label': 'where checks run', hidden: !has_server(), onchange: () => this.move() }, make('option', { value: 'server' }, 'on this computer'), make('option', { value: 'page' }, 'in this page'));
    if (has_server()) this.move();
    this.status = make('span', { class: 'status', role: 'status', 'aria-live': 'polite' });
    at('verifier').append(make('div', { class: 'toolbar' }, this.run_all, this.stop, make('button', { onclick: () => this.add() }, '+ Query'), this.where, this.status),
      make('details', { class: 'options' }, make('summary', {}, 'Options'), make('div', { class: 'option-grid' }, [...OPTIONS, ...(has_server() ? SERVER_OPTIONS : [])].map(field)),
        make('h2', {}, 'Statistical queries'), make('div', { class: 'option-grid' }, STATISTICS.map(field)), make('p', { class: 'quiet' }, 'A query’s plan, under “Plan”, says what these options change.')), this.list);
  }
  opened() {
    this.last = null;
    this.results.clear();
    this.model_text = null;
    this.rebuild();
  }
  shown() { this.refresh(); }

  move() {
    if (this.busy) this.cancel();
    this.app.checker.move(this.where.value === 'server' ? ServerCarrier : WorkerCarrier);
    for (const [name] of SERVER_OPTIONS) if (this.options[name]) this.options[name].input.disabled = this.where.value !== 'server';
  }
  given() {
    const given = {};
    for (const [name, { input, value }] of Object.entries(this.options)) if (!input.disabled && input.value.trim() && (input.value !== value || name === 'trace')) given[name] = input.value.trim();
    return given;
  }

  // The model without its queries: verdicts stay while only queries change.
  model() {
    const node = this.doc.view && this.doc.view.queries_node;
    return node ? this.doc.text.slice(0, node.start) + this.doc.text.slice(node.end) : this.doc.text;
  }

  rebuild() {
    for (const row of this.rows) row.drop();
    this.list.textContent = '';
    const view = this.doc.view;
    this.rows = view ? view.queries.map((q, i) => new Row(this, i)) : [];
    if (!this.rows.length) this.list.append(make('p', { class: 'empty' }, 'No queries yet. Add one, such as ', make('code', {}, 'A[] not deadlock'), ' or ', make('code', {}, 'E<> Process.location'), '.'));
    this.refresh();
  }
  changed(change) {
    const view = this.doc.view;
    if (!view) return;
    if (view.queries.length !== this.rows.length) this.rebuild();
    else {
      for (const row of this.rows) for (const f of row.fields) if (f !== change.origin) f.refresh();
      if (this.app.view === 'verifier') this.refresh();
    }
  }
  refresh() { for (const row of this.rows) row.show(); }
  show_problems() { for (const row of this.rows) row.fields.forEach((f) => f.show_problems(this.app.problems)); }
  focus(index, problem) { this.rows[index]?.fields[0].focus(problem?.from ?? 0, problem?.to ?? 0); }

  // A new query comes after the one that was edited last.
  add(formula = '') {
    const { queries } = this.doc.view, after = queries[this.last] || queries.at(-1), index = after ? after.index + 1 : 0;
    this.last = index;
    this.doc.apply(edits.add_query(this.doc, formula, '', '', after), { label: 'add a query', before: this.app.context(), after: this.app.context() });
    this.rows[index]?.fields[0].focus(0);
  }

  async load() {
    const text = this.model();
    if (this.model_text === text && this.app.checker.carrier && this.loaded_in === this.app.checker.carrier) return;
    this.model_text = null;
    await this.app.checker.request('tarn/read', { text: for_engine(text), options: {} });
    this.model_text = text;
    this.loaded_in = this.app.checker.carrier;
  }

  async check_all() { await this.check(this.rows.map((r) => r.index)); }
  async check(indexes) {
    if (this.busy) return;
    this.busy = true;
    this.is_cancelled = false;
    this.stop.disabled = false;
    this.run_all.disabled = true;
    const began = performance.now();
    let done = 0;
    const texts = indexes.map((i) => [i, this.doc.view.queries[i]?.text.trim()]).filter(([, t]) => t);
    for (const [index, text] of texts) {
      if (this.is_cancelled) break;
      const row = this.rows[index];
      this.current = { row, began: performance.now(), text };
      row?.busy(true);
      this.status.textContent = `${text.replace(/\s+/g, ' ').slice(0, 80)} …`;
      const of = this.model();
      try {
        await this.load();
        const answer = await this.app.checker.request('tarn/check', { query: text, options: this.given() });
        this.results.set(text, { result: answer.results[0], warnings: answer.warnings, answer, of, wall: (performance.now() - this.current.began) / 1000 });
        done++;
      } catch (error) {
        const verdict = this.is_cancelled ? 'cancelled' : 'failed', mistakes = this.model_text === null ? this.app.model_mistakes().length : 0;
        const reason = mistakes ? `The model cannot be read: the list below leads to its ${mistakes === 1 ? 'mistake' : 'mistakes'}.` : error.message.trim();
        this.results.set(text, { result: { verdict, reason: this.is_cancelled ? '' : reason }, of });
      }
      this.current = null;
      row?.busy(false);
      this.rows[index]?.show();
    }
    this.busy = false;
    this.stop.disabled = true;
    this.run_all.disabled = false;
    const verdicts = texts.map(([, t]) => this.results.get(t)?.result.verdict);
    const count = (v) => verdicts.filter((x) => x === v).length;
    const parts = ['satisfied', 'not satisfied', 'estimated', 'undecided', 'refused', 'failed'].filter(count).map((v) => `${count(v)} ${v}`);
    this.status.textContent = this.is_cancelled ? `Cancelled after ${done} of ${texts.length}.` : texts.length ? `${parts.join(', ')} in ${seconds((performance.now() - began) / 1000)}.` : 'There are no queries.';
    this.release_memory();
  }
  // A heap of WebAssembly never shrinks: a worker that has grown is ended. (A server goes on.)
  release_memory() {
    const bytes = Math.max(0, ...[...this.results.values()].map((r) => r.result.stats?.peak_bytes || 0));
    if (bytes > 3e8) this.app.checker.end();
  }
  cancel() {
    if (!this.busy) return;
    this.is_cancelled = true;
    this.app.checker.end('cancelled');
    this.app.checker.start();
  }
  notified(method, params) {
    if (method === 'tarn/progress' && this.current) {
      const s = (performance.now() - this.current.began) / 1000;
      this.status.textContent = `${this.current.text.replace(/\s+/g, ' ').slice(0, 60)}: ${number(params.visited)} states, ${(params.bytes / 1e6).toFixed(0)} MB, ${s.toFixed(1)} s`;
    } else if (method === 'tarn/fault') toast(`The engine has stopped (${params.message}). The document is safe; the next check starts it again.`, 'bad');
  }

  async plan(index, box) {
    const text = this.doc.view.queries[index].text.trim();
    try {
      await this.load();
      box.textContent = await this.app.checker.request('tarn/plan', { query: text, options: this.given() });
    } catch (error) {
      box.textContent = error.message;
    }
  }
}

class Row {
  constructor(verifier, index) {
    this.verifier = verifier;
    this.index = index;
    const { app } = verifier, doc = () => verifier.doc, query = () => doc().view?.queries[index];
    this.mark = make('span', { class: 'mark' });
    this.verdict = make('span', { class: 'verdict' });
    this.expected = make('select', { title: 'expected outcome', 'aria-label': 'expected outcome', onchange: () => this.expect(this.expected.value) }, [['', 'expected: –'], ['success', 'expected: satisfied'], ['failure', 'expected: not satisfied']].map(([v, t]) => make('option', { value: v }, t)));
    this.stats = make('span', { class: 'quiet numbers' });
    this.replay = make('button', { hidden: true, onclick: () => this.to_simulator() }, 'Replay');
    this.evidence = make('button', { hidden: true, title: 'the run as JSON, for tarn certify', onclick: () => this.download() }, 'Evidence');
    this.details = make('div', { class: 'details' });
    const plan_text = make('pre', { class: 'plan' });
    this.plan = make('details', { class: 'plan-box', ontoggle: () => this.plan.open && verifier.plan(index, plan_text) }, make('summary', {}, 'Plan'), plan_text);
    const formula = make('div', { class: 'formula' }), comment = make('div', { class: 'comment' });
    this.node = make('article', { class: 'query', role: 'listitem', 'aria-label': `query ${index + 1}` },
      make('div', { class: 'query-head' }, this.mark, formula,
        make('button', { title: 'Check this query (Ctrl+Enter in its formula)', 'aria-label': 'check', class: 'check-one', onclick: () => verifier.check([index]) }, 'Check'),
        make('button', { title: 'Delete this query', 'aria-label': 'delete query', onclick: () => this.remove() }, '×')),
      comment, make('div', { class: 'query-foot' }, this.verdict, this.expected, this.stats, this.replay, this.evidence, this.plan), this.details);
    this.node.addEventListener('focusin', () => { verifier.last = index; });
    verifier.list.append(this.node);
    const part = (name) => ({
      key: `query ${index} ${name}`, node: () => query()?.[name] || null,
      get: () => (query()?.[name] ? doc().content(query()[name]).text : ''),
      set: (text) => (query() ? edits.set_query(doc(), query(), name, text) : []),
    });
    this.fields = [
      new TextField(app, part('formula'), { parent: formula, label: `query ${index + 1}`, small: true, hint: 'A[] not deadlock', keys: [{ key: 'Mod-Enter', run: () => { verifier.check([index]); return true; } }] }),
      new TextField(app, part('comment'), { parent: comment, label: `comment of query ${index + 1}`, small: true, is_prose: true, hint: 'comment' }),
    ];
  }
  drop() { for (const f of this.fields) f.destroy(); }
  busy(is_busy) {
    this.node.classList.toggle('busy', is_busy);
    if (is_busy) {
      this.mark.textContent = '…';
      this.verdict.textContent = 'checking';
    }
  }
  remove() {
    const { doc, app } = this.verifier;
    doc.apply(doc.remove(doc.view.queries[this.index].node), { label: 'delete a query', before: app.context(), after: app.context() });
  }
  expect(value) {
    const { doc } = this.verifier, q = doc.view.queries[this.index];
    if (q.expect) doc.apply(value ? doc.set_attribute(q.expect, 'outcome', value) : doc.remove(q.expect), { label: 'expectation' });
    else if (value) doc.apply(doc.insert(q.node, q.comment || q.formula, `<expect outcome="${value}" type="symbolic"/>`), { label: 'expectation' });
  }

  get entry() {
    const q = this.verifier.doc.view?.queries[this.index];
    return q && this.verifier.results.get(q.text.trim());
  }
  show() {
    const entry = this.entry, q = this.verifier.doc.view?.queries[this.index];
    if (!q) return;
    const result = entry && entry.result, verdict = result ? result.verdict : '';
    const old = !!entry && entry.of !== this.verifier.model();
    this.node.classList.toggle('old', old);
    this.node.dataset.verdict = verdict;
    this.mark.textContent = MARKS[verdict] || '○';
    const met = q.expected && verdict && !old ? (q.expected === 'success' ? verdict === 'satisfied' : q.expected === 'failure' ? verdict === 'not satisfied' : null) : null;
    this.verdict.textContent = verdict ? verdict + (old ? ' (of an older model)' : '') + (met === false ? ', not as expected' : '') : 'not checked';
    this.node.classList.toggle('unexpected', met === false);
    this.expected.value = q.expected === 'success' || q.expected === 'failure' ? q.expected : '';
    const stats = result && result.stats;
    this.stats.textContent = stats ? [stats.visited ? `${number(stats.visited)} state${stats.visited === 1 ? '' : 's'}` : '', seconds(stats.seconds), stats.peak_bytes > 1e7 ? `${(stats.peak_bytes / 1e6).toFixed(0)} MB` : ''].filter(Boolean).join(' · ') : '';
    const has_run = !!(result && result.trace && result.trace.kind === 'concrete');
    this.replay.hidden = !has_run;
    this.evidence.hidden = !has_run;
    this.details.textContent = '';
    if (result && result.reason) this.details.append(make('pre', { class: 'reason' }, placed(result.reason)));
    if (result && result.ending) this.details.append(make('p', { class: 'quiet' }, `The run ends: ${result.ending}.`));
    if (result && result.value !== undefined) this.details.append(make('p', {}, `value ${result.value}`));
    for (const w of (entry && entry.warnings) || []) this.details.append(make('p', { class: 'warning' }, `▲ ${typeof w === 'string' ? w : w.text || w.message}`));
    if (result && result.estimate) this.details.append(estimate_charts(result));
    else if (result && !result.reason && /sup|inf|bounds/.test(q.text) && entry.answer?.text) this.details.append(make('pre', { class: 'reason' }, entry.answer.text));
  }
  evidence_text() { return JSON.stringify({ ...this.entry.answer, text: undefined }, null, 1); }
  to_simulator() {
    const { app } = this.verifier;
    app.show('simulator');
    app.simulator.replay(this.evidence_text(), true);
  }
  download() { this.verifier.app.files.download(`${this.verifier.doc.name.replace(/\.\w+$/, '')}-${this.index + 1}.run.json`, this.evidence_text(), 'application/json'); }
}
