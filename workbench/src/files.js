// Files: open, save, autosave, links, pictures. Nothing leaves the machine.
import { Document, EMPTY, decode_bytes, encode_bytes, for_engine } from './document.js';
import * as edits from './edits.js';
import { layout_of, placed_view } from './layout.js';
import { standalone, view_box } from './draw.js';
import { has_server } from './engine.js';
import { from_fragment, to_fragment } from './share.js';
import { split_queries } from './queries.js';
import { ask, at, make, toast } from './dom.js';

const DATABASE = 'tarn-workbench', STORE = 'drafts';

// A page keeps the last state of its document under a key of its own, as long as it was not saved.
const OWN = `draft ${Date.now()} ${Math.random()}`, OFFERED = 3;

function database() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}
async function stored(mode, act) {
  const db = await database();
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(STORE, mode), request = act(transaction.objectStore(STORE));
    transaction.oncomplete = () => { db.close(); resolve(request.result); };
    transaction.onerror = () => { db.close(); reject(transaction.error); };
  });
}

const LARGEST = 8192; // pixels of a side of a picture
const is_queries = (file) => /\.q$/i.test(file.name);
const is_xml = (text) => /^\uFEFF?\s*</.test(text);

export class Files {
  constructor(app) {
    this.app = app;
    this.handle = null;
    this.is_safe = true;
    this.build();
  }
  get doc() { return this.app.doc; }

  build() {
    at('new').onclick = () => this.fresh();
    at('open').onclick = () => this.choose();
    at('save').onclick = () => this.save(false);
    at('more').onclick = () => this.menu();
    at('share').onclick = () => this.share();
    const list = this.examples();
    const select = at('examples');
    for (const e of list) select.append(make('option', { value: e.name }, e.title));
    select.onchange = async () => {
      const example = list.find((e) => e.name === select.value);
      select.value = '';
      if (example && (await this.may_leave())) this.open_text(example.text, `${example.name}.xta`, example.queries);
    };
    this.input = make('input', { type: 'file', accept: '.xml,.xta,.ta,.tck,.q', multiple: true, hidden: true, onchange: async () => {
      const files = [...this.input.files];
      this.input.value = '';
      this.open_files(files);
    } });
    document.body.append(this.input);
    addEventListener('dragover', (e) => e.preventDefault());
    addEventListener('drop', async (e) => {
      e.preventDefault();
      const files = [...e.dataTransfer.files];
      if (files.length && (files.every(is_queries) || (await this.may_leave()))) this.open_files(files);
    });
    addEventListener('hashchange', () => this.from_link());
  }
  examples() {
    const node = at('examples-data');
    return node ? JSON.parse(node.textContent) : [];
  }

  // What the page begins with: a model in the page, one in the link, or a draft that was not saved.
  async begin() {
    const inside = at('model-data');
    if (inside) {
      const { name, text, queries } = JSON.parse(inside.textContent); // their letters are the bytes of the files
      const decoded = (letters) => decode_bytes(Uint8Array.from(letters, (c) => c.charCodeAt(0)));
      const model = decoded(text);
      await this.open_text(model.text, decoded(name).text, decoded(queries).text, { encoding: model.encoding });
      return true;
    }
    return this.from_link();
  }

  // Offers what pages left behind that were not closed in good order. Those that are open hold a lock.
  async offer_drafts() {
    const { locks } = navigator;
    locks?.request(OWN, () => new Promise(() => {})).catch(() => {});
    const held = locks ? (await locks.query().catch(() => ({ held: [] }))).held.map((l) => l.name) : [];
    const keys = (await stored('readonly', (s) => s.getAllKeys()).catch(() => [])).filter((k) => k !== OWN && !held.includes(k));
    const drafts = await Promise.all(keys.map((key) => stored('readonly', (s) => s.get(key)).then((draft) => ({ key, draft }))));
    for (const { key, draft } of drafts.sort((a, b) => a.draft.at - b.draft.at).slice(-OFFERED)) this.offer(key, draft);
  }
  offer(key, draft) {
    const bar = make('div', { class: 'offer', role: 'alert' }, `Changes to ${draft.name} were not saved (${new Date(draft.at).toLocaleString()}). `,
      make('button', { class: 'primary restore', onclick: () => this.restore(key, draft, bar) }, 'Restore'),
      make('button', { onclick: () => { bar.remove(); this.forget_draft(key); } }, 'Discard'));
    document.body.prepend(bar);
  }
  async restore(key, draft, bar) {
    if (!(await this.may_leave())) return;
    bar.remove();
    const doc = new Document(draft.text, draft);
    doc.saved = draft.saved ?? '';
    this.handle = null;
    this.app.open(doc);
    await this.draft(); // ours, before the other one goes
    this.forget_draft(key);
  }
  async from_link() {
    const found = await from_fragment(location.hash).catch((error) => {
      toast(`The model in the link cannot be read: ${error instanceof DOMException || error instanceof SyntaxError || error instanceof TypeError ? 'the link is damaged, or cut' : error.message}.`, 'bad');
      return null;
    });
    if (!found) return false;
    if (this.app.doc.is_changed && !(await this.may_leave())) return false;
    this.app.open(new Document(found.text, { name: found.name, encoding: found.encoding }));
    return true;
  }

  changed() {
    clearTimeout(this.timer);
    this.is_safe = !this.doc.is_changed;
    this.timer = setTimeout(() => this.draft(), 400);
  }
  async draft() {
    if (!this.doc.is_changed) return this.forget_draft();
    const { name, text, encoding, saved } = this.doc;
    const is_kept = await stored('readwrite', (s) => s.put({ name, text, encoding, saved, at: Date.now() }, OWN)).then(() => true, () => false);
    if (is_kept && this.doc.text === text) this.is_safe = true;
  }
  forget_draft(key = OWN) { return stored('readwrite', (s) => s.delete(key)).catch(() => {}); }

  async may_leave() {
    if (!this.doc.is_changed) return true;
    return !!(await ask('Changes are not saved', [], { ok: 'Continue', text: `${this.doc.name} has changes that are not saved. Continue and lose them?` }));
  }
  async fresh() {
    if (!(await this.may_leave())) return;
    this.handle = null;
    this.app.open(new Document(EMPTY));
  }

  async choose() {
    if (!(await this.may_leave())) return;
    if (!window.showOpenFilePicker) return this.input.click();
    try {
      const handles = await showOpenFilePicker({ multiple: true, types: [{ description: 'Models and queries', accept: { 'application/xml': ['.xml'], 'text/plain': ['.xta', '.ta', '.tck', '.q'] } }] });
      const files = await Promise.all(handles.map((h) => h.getFile()));
      this.open_files(files, handles);
    } catch (error) {
      if (error.name !== 'AbortError') this.input.click();
    }
  }
  // A model, and queries, which belong to it or to the model that is open.
  async open_files(files, handles = []) {
    const model = files.findIndex((f) => !is_queries(f));
    if (model >= 0) await this.open_file(files[model], handles[model] || null);
    for (const f of files.filter(is_queries)) this.add_queries(await f.text(), f.name);
  }
  async open_file(file, handle) {
    const { text, encoding } = decode_bytes(new Uint8Array(await file.arrayBuffer()));
    await this.open_text(text, file.name, '', { handle, encoding });
  }

  // Any format: what is no XML is converted by the library and laid out.
  async open_text(text, name, queries = '', { handle = null, encoding = 'utf-8' } = {}) {
    const doc = await this.read(text, name, queries, encoding);
    if (!doc) return false;
    this.handle = is_xml(text) ? handle : null;
    this.app.open(doc);
    if (doc.error) toast(`${name} is no XML: ${doc.error.message}`, 'bad');
    return true;
  }
  async read(text, name, queries = '', encoding = 'utf-8') {
    if (is_xml(text)) return new Document(text, { name, encoding });
    try {
      const language = /\.tck$/.test(name) || /^\s*(#.*\n\s*)*system:/.test(text) ? 'tchecker' : 'uppaal';
      await this.app.checker.request('tarn/read', { text, language });
      this.app.verifier.model_text = null;
      const xml = await this.app.checker.request('tarn/write', { format: 'xml' });
      const doc = new Document(xml, { name: name.replace(/\.\w+$/, '.xml') });
      for (const t of doc.view.templates) doc.apply(edits.apply_layout(doc, doc.view.templates[t.index], layout_of(doc.view.templates[t.index])));
      for (const q of split_queries(queries)) doc.apply(edits.add_query(doc, q.formula, q.comment, q.expected));
      return new Document(doc.text, { name: doc.name });
    } catch (error) {
      toast(`${name} cannot be read: ${error.message.split('\n')[0]}`, 'bad');
      return null;
    }
  }
  // A file of queries: they come after those of the model.
  add_queries(text, name) {
    const list = split_queries(text), { app } = this, merge = `queries ${this.doc.version}`;
    if (!this.doc.view) return;
    for (const q of list) this.doc.apply(edits.add_query(this.doc, q.formula, q.comment, q.expected), { label: 'open queries', merge, before: app.context(), after: app.context() });
    app.show('verifier');
    toast(`${list.length} ${list.length === 1 ? 'query' : 'queries'} of ${name} added.`);
  }

  // Templates of another model.
  choose_template() {
    const input = make('input', { type: 'file', accept: '.xml,.xta,.ta,.tck', onchange: () => { if (input.files[0]) this.import_templates(input.files[0]); } });
    input.click();
  }
  async import_templates(file) {
    const { text } = decode_bytes(new Uint8Array(await file.arrayBuffer())), from = await this.read(text, file.name);
    if (!from) return;
    const all = from.view?.templates || [];
    if (!all.length) return toast(`${file.name} has no templates.`, 'bad');
    const chosen = all.length === 1 ? { 0: true } : await ask(`Templates of ${file.name}`, all.map((t) => ({ name: String(t.index), label: t.name, type: 'checkbox', value: true })), { ok: 'Import', text: 'Global declarations that they use are not imported.' });
    if (chosen) this.app.editor.import_templates(from, all.filter((t) => chosen[t.index]));
  }

  async save(as) {
    const { doc } = this, { text } = doc, bytes = encode_bytes(text, doc.encoding);
    if (window.showSaveFilePicker && window.isSecureContext) {
      try {
        if (!this.handle || as) this.handle = await showSaveFilePicker({ suggestedName: doc.name, types: [{ description: 'UPPAAL XML', accept: { 'application/xml': ['.xml'] } }] });
        const { handle } = this, out = await handle.createWritable();
        await out.write(bytes);
        await out.close();
        doc.name = handle.name;
        return this.saved(doc, text);
      } catch (error) {
        if (error.name === 'AbortError') return;
        this.handle = null;
      }
    }
    this.download(doc.name, bytes, 'application/xml');
    this.saved(doc, text);
  }
  // What was written; it may have changed meanwhile.
  saved(doc, text) {
    doc.saved = text;
    if (doc === this.doc) this.changed();
    this.app.show_title();
    toast(`Saved ${doc.name}.`);
  }
  download(name, data, type) {
    const link = make('a', { href: URL.createObjectURL(new Blob([data], { type })), download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  async menu() {
    const answer = await ask('Save as', [{ name: 'what', label: 'Format', value: 'xml', options: [
      { value: 'xml', label: 'UPPAAL XML (.xml)' }, { value: 'xta', label: 'UPPAAL text (.xta)' }, { value: 'tck', label: 'TChecker (.tck)' }, { value: 'q', label: 'Queries (.q)' },
      { value: 'svg', label: 'This drawing as SVG' }, { value: 'png', label: 'This drawing as PNG' }] }], { ok: 'Save' });
    if (!answer) return;
    const stem = this.doc.name.replace(/\.\w+$/, '');
    try {
      if (answer.what === 'xml') await this.save(true);
      else if (answer.what === 'q') this.download(`${stem}.q`, this.doc.view.queries.map((q) => `${q.note ? `/*\n${q.note}\n*/\n` : ''}${q.text}\n`).join('\n'), 'text/plain');
      else if (answer.what === 'svg' || answer.what === 'png') await this.picture(answer.what);
      else {
        await this.app.checker.request('tarn/read', { text: for_engine(this.doc.text) });
        this.app.verifier.model_text = null;
        this.download(`${stem}.${answer.what}`, await this.app.checker.request('tarn/write', { format: answer.what }), 'text/plain');
      }
    } catch (error) {
      toast(error.message, 'bad');
    }
  }
  async picture(kind) {
    const item = this.app.editor.item, t = this.doc.view.templates[item.kind === 'template' || item.kind === 'local' ? item.index : 0];
    if (!t) return;
    const shown = placed_view(t), text = standalone(shown), stem = t.name || 'template';
    if (kind === 'svg') return this.download(`${stem}.svg`, text, 'image/svg+xml');
    const image = new Image(), url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
    await new Promise((resolve, reject) => { image.onload = resolve; image.onerror = () => reject(new Error('the picture cannot be made')); image.src = url; });
    const box = view_box(shown), scale = Math.min(2, LARGEST / box.width, LARGEST / box.height), canvas = make('canvas', { width: Math.ceil(box.width * scale), height: Math.ceil(box.height * scale) });
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(url);
    const png = await new Promise((resolve) => { canvas.toBlob(resolve, 'image/png'); });
    if (!png) throw new Error('the picture cannot be made');
    this.download(`${stem}.png`, png, 'image/png');
  }

  async share() {
    const fragment = await to_fragment(this.doc.text, this.doc.name, this.doc.encoding);
    history.replaceState(null, '', fragment);
    if (has_server()) { // the address of this page is nobody else's business
      await ask('The model as the end of a link', [{ name: 'link', label: 'Link', value: fragment }], { text: 'Put this behind the address of any workbench, such as that of tarn’s site. This page’s own address is private: whoever has it can use your engine.' });
      return;
    }
    const link = location.href.replace(/#.*/, '') + fragment;
    try {
      await navigator.clipboard.writeText(link);
      toast(`The link has the whole model in it (${(link.length / 1000).toFixed(1)} kB) and is in the clipboard. Nothing was sent anywhere.`);
    } catch {
      await ask('Link with the model in it', [{ name: 'link', label: 'Link', value: link }], { text: 'Nothing is sent anywhere: the model is in the part after #.' });
    }
  }
}
