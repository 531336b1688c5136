// The workbench: one document, three views of it, two engines.
import { Document, EMPTY, decode_bytes } from './document.js';
import { Editor } from './editor.js';
import { Engine } from './engine.js';
import { Language } from './language.js';
import { Simulator } from './simulator.js';
import { Verifier } from './verifier.js';
import { Files } from './files.js';
import { show_find } from './find.js';
import { show_help, show_tour, wants_tour } from './help.js';
import { ask, at, make, recall, remember, toast } from './dom.js';

const QUIET_MS = 120; // after the last key, before the model is read again

class App {
  constructor() {
    this.doc = new Document(EMPTY);
    this.problems = [];
    this.reader = new Engine((method, params) => this.notified(method, params));
    this.checker = new Engine((method, params) => this.verifier?.notified(method, params)); // the verifier may move it
    this.language = new Language(this.reader, () => this.doc);
    this.view = 'editor';
    this.editor = new Editor(this);
    this.simulator = new Simulator(this);
    this.verifier = new Verifier(this);
    this.files = new Files(this);
    this.problem_cache = new Map();
    this.listen();
    this.show_theme('auto'); // what is stored comes later: the first look into it takes long
  }

  // Documents.

  open(doc) {
    this.doc = doc;
    doc.listen((change) => this.changed(change));
    this.problems = [];
    this.problem_cache.clear();
    this.editor.opened();
    this.simulator.opened();
    this.verifier.opened();
    this.show_title();
    if (this.view !== 'editor') this.show(this.view);
    this.check_soon(0);
    this.files.changed();
  }
  changed(change) {
    this.problem_cache.clear();
    this.editor.changed(change);
    this.verifier.changed(change);
    this.simulator.changed();
    this.show_title();
    this.check_soon(QUIET_MS);
    this.files.changed();
  }
  show_title() {
    const mark = this.doc.is_changed ? ' •' : '';
    at('file-name').textContent = this.doc.name + mark;
    document.title = `${this.doc.name}${mark} – tarn workbench`;
    at('undo').disabled = !this.doc.past.length;
    at('redo').disabled = !this.doc.future.length;
    const last = this.doc.past.at(-1);
    at('undo').title = last ? `Undo: ${last.label} (Ctrl+Z)` : 'Undo (Ctrl+Z)';
  }
  context() { return { item: { ...this.editor.item }, selected: [...this.editor.canvas.selected] }; }
  undo() {
    if (this.doc.undo()) this.editor.show_properties();
  }
  redo() {
    if (this.doc.redo()) this.editor.show_properties();
  }
  leave_field() { this.editor.inline ? this.editor.close_label() : this.editor.canvas.svg.focus(); }

  // Mistakes.

  check_soon(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check_now(), delay);
  }
  async check_now() {
    if (this.checking) {
      this.check_again = true;
      return;
    }
    this.checking = true;
    const began = performance.now();
    try {
      const problems = await this.language.diagnostics();
      if (problems) this.show_problems(problems);
      this.diagnosed = { version: this.doc.version, ms: performance.now() - began };
    } catch (error) {
      this.show_problems([{ severity: 1, text: error.message, place: { words: 'engine' } }]);
    }
    this.checking = false;
    if (this.check_again) {
      this.check_again = false;
      this.check_soon(0);
    }
  }
  show_problems(problems) {
    this.problems = problems;
    this.problem_cache.clear();
    const list = at('problem-list');
    list.textContent = '';
    const errors = problems.filter((p) => p.severity === 1).length, others = problems.length - errors;
    at('problem-count').textContent = [[errors, 'error'], [others, 'warning']].filter(([n]) => n).map(([n, word]) => `${n} ${word}${n === 1 ? '' : 's'}`).join(', ') || 'No problems';
    at('problems').classList.toggle('has-errors', errors > 0);
    at('problems').classList.toggle('has-any', problems.length > 0);
    for (const p of problems.slice(0, 200)) list.append(this.problem_row(p));
    this.editor.show_problems();
    this.simulator.show_failure();
    this.verifier.show_problems();
  }
  problem_row(p) {
    return make('li', {}, make('button', { class: `problem severity${p.severity}`, onclick: () => this.go_to(p) }, make('span', { class: 'mark' }, p.severity === 1 ? '✖' : '▲'), make('span', { class: 'where' }, p.place.words), make('span', { class: 'what' }, p.text)));
  }
  // What keeps the model, queries aside, from being read.
  model_mistakes() { return this.problems.filter((p) => p.severity === 1 && (p.place.query === null || p.place.query === undefined)).slice(0, 20); }
  problem_keys(template) {
    let keys = this.problem_cache.get(template);
    if (!keys) {
      keys = new Map();
      for (const p of this.problems) if (p.place.template && p.place.template.index === template && p.place.key && !keys.has(p.place.key)) keys.set(p.place.key, p);
      this.problem_cache.set(template, keys);
    }
    return keys;
  }
  go_to(problem) {
    if (problem.place.query !== null && problem.place.query !== undefined) {
      this.show('verifier');
      this.verifier.focus(problem.place.query, problem);
    } else {
      this.show('editor');
      this.editor.go_to(problem);
    }
  }
  notified(method, params) {
    if (method === 'tarn/fault') {
      toast(`The engine has stopped (${params.message}). The document is safe; the engine starts again.`, 'bad');
      this.simulator.engine_lost();
    }
  }

  async rename(node, offset, old) {
    const answer = await ask(`Rename ${old}`, [{ name: 'name', label: 'New name', value: old }], { ok: 'Rename', text: 'All uses in the model and in the queries are renamed.' });
    if (!answer || answer.name === old) return;
    try {
      const splices = await this.language.rename(node, offset, answer.name);
      const before = this.context();
      if (this.doc.apply(splices, { label: `rename ${old}`, before, after: before })) toast(`Renamed ${splices.length} ${splices.length === 1 ? 'place' : 'places'}.`);
    } catch (error) {
      toast(error.message, 'bad');
    }
  }
  rename_at(field, position) {
    const node = field.source.node(), text = field.view.state.doc.toString();
    if (!node) return;
    let from = position, to = position;
    while (from > 0 && /\w/.test(text[from - 1])) from--;
    while (to < text.length && /\w/.test(text[to])) to++;
    if (from < to) this.rename(node, from, text.slice(from, to));
  }

  // Views.

  show(view) {
    this.view = view;
    for (const name of ['editor', 'simulator', 'verifier']) {
      at(name).hidden = name !== view;
      at(`tab-${name}`).setAttribute('aria-selected', String(name === view));
      at(`tab-${name}`).tabIndex = name === view ? 0 : -1;
    }
    at('problems').hidden = view === 'simulator';
    if (view === 'editor') this.editor.canvas.place();
    if (view === 'simulator') this.simulator.shown();
    if (view === 'verifier') this.verifier.shown();
  }
  theme(value) {
    remember('theme', value);
    this.show_theme(value);
  }
  show_theme(value) {
    document.documentElement.dataset.theme = value === 'auto' ? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light') : value;
    at('theme').setAttribute('aria-label', `colours: ${value}`);
    at('theme').title = `Colours: ${value}`;
    this.theme_value = value;
  }

  listen() {
    for (const name of ['editor', 'simulator', 'verifier']) at(`tab-${name}`).onclick = () => this.show(name);
    at('tabs').addEventListener('keydown', (e) => {
      const order = ['editor', 'simulator', 'verifier'], by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (!by) return;
      const next = order[(order.indexOf(this.view) + by + 3) % 3];
      this.show(next);
      at(`tab-${next}`).focus();
    });
    at('undo').onclick = () => this.undo();
    at('redo').onclick = () => this.redo();
    at('theme').onclick = () => this.theme({ auto: 'light', light: 'dark', dark: 'auto' }[this.theme_value]);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.show_theme(this.theme_value));
    at('help').onclick = () => show_help(this);
    at('problem-count').onclick = () => at('problems').classList.toggle('open');
    addEventListener('keydown', (e) => this.key(e));
    for (const name of ['copy', 'cut', 'paste']) document.addEventListener(name, (e) => this.clipboard(name, e));
    addEventListener('beforeunload', (e) => { if (this.doc.is_changed && !this.files.is_safe) e.preventDefault(); });
  }
  key(e) {
    const mod = e.ctrlKey || e.metaKey, typing = e.target.closest && e.target.closest('input:not([type="checkbox"]), textarea, select, .cm-editor, dialog');
    const run = (action) => {
      e.preventDefault();
      action();
    };
    if (mod && e.key === 's') run(() => this.files.save(e.shiftKey));
    else if (mod && e.key === 'o') run(() => this.files.choose());
    else if (mod && !e.shiftKey && e.key === 'f') run(() => show_find(this));
    else if (e.key === 'F1') run(() => show_help(this));
    else if (e.key === 'F5' && !mod) run(() => { this.check_now(); at('problems').classList.add('open'); });
    else if (e.key === 'F7') run(() => { this.show('verifier'); this.verifier.check_all(); });
    else if (mod && e.altKey && ['1', '2', '3'].includes(e.key)) run(() => this.show(['editor', 'simulator', 'verifier'][Number(e.key) - 1]));
    else if (!typing && mod && !e.shiftKey && e.key === 'z') run(() => this.undo());
    else if (!typing && mod && (e.key === 'y' || (e.shiftKey && e.key.toLowerCase() === 'z'))) run(() => this.redo());
    else if (!typing && this.view === 'simulator') this.simulator.key(e);
    else if (!typing && this.view === 'editor' && this.editor.item.kind === 'template') this.draw_key(e);
  }
  // Keys of the drawing work wherever nothing else wants them, such as right after the page was opened.
  draw_key(e) {
    const { canvas } = this.editor, is_letter = e.key.length === 1 && e.key !== ' ' && !e.ctrlKey && !e.metaKey;
    if (canvas.svg.contains(e.target) || ['Tab', 'Enter', ' '].includes(e.key) || !(is_letter || e.target === document.body)) return;
    canvas.svg.focus();
    canvas.key(e);
  }
  // Drawings go over the clipboard of the system as XML.
  clipboard(name, e) {
    if (this.view !== 'editor' || (e.target.closest && e.target.closest('input, textarea, .cm-editor, dialog')) || this.editor.item.kind !== 'template') return;
    const canvas = this.editor.canvas;
    if (name === 'paste') {
      if (canvas.paste(e.clipboardData.getData('text/plain'))) e.preventDefault();
      return;
    }
    const clip = canvas.copy();
    if (!clip) return;
    this.clip = clip;
    e.clipboardData.setData('text/plain', clip);
    e.preventDefault();
    if (name === 'cut') canvas.remove();
  }
}

async function start() {
  const app = new App();
  window.workbench = app;
  app.reader.start().then(() => { app.ready_ms = performance.now(); });
  const has_document = await app.files.begin();
  app.show_theme(recall('theme') || 'auto');
  if (!has_document) app.open(new Document(EMPTY));
  app.show('editor');
  app.editor.canvas.fit();
  document.body.classList.add('ready');
  app.files.offer_drafts();
  if (wants_tour()) show_tour(app);
}
export { decode_bytes };
start();
