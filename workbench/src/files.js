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

// One draft, the last state of the document that was not saved.
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
    this.input = make('input', { type: 'file', accept: '.xml,.xta,.ta,.tck,.q', hidden: true, onchange: async () => {
      const file = this.input.files[0];
      this.input.value = '';
      if (file) this.open_file(file, null);
    } });
    document.body.append(this.input);
    addEventListener('dragover', (e) => e.preventDefault());
    addEventListener('drop', async (e) => {
      e.preventDefault();
      const file = e.dataTransfer.files[0];
      if (file && (await this.may_leave())) this.open_file(file, null);
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
    if (await this.from_link()) return true;
    const draft = await stored('readonly', (s) => s.get('draft')).catch(() => null);
    if (draft && draft.text !== EMPTY) {
      const bar = make('div', { class: 'offer', role: 'alert' }, `Changes to ${draft.name} were not saved (${new Date(draft.at).toLocaleString()}). `,
        make('button', { class: 'primary', id: 'restore', onclick: () => { bar.remove(); const doc = new Document(draft.text, draft); doc.saved = draft.saved ?? ''; this.handle = null; this.app.open(doc); } }, 'Restore'),
        make('button', { onclick: () => { bar.remove(); this.forget_draft(); } }, 'Discard'));
      document.body.prepend(bar);
      this.offered = true;
    }
    return false;
  }
  async from_link() {
    const found = await from_fragment(location.hash).catch(() => null);
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
    if (this.offered && !this.doc.is_changed) return; // the draft that is offered stays
    if (!this.doc.is_changed) return this.forget_draft();
    const { name, text, encoding, saved } = this.doc;
    await stored('readwrite', (s) => s.put({ name, text, encoding, saved, at: Date.now() }, 'draft')).catch(() => {});
    this.offered = false;
    if (this.doc.text === text) this.is_safe = true;
  }
  forget_draft() {
    this.offered = false;
    return stored('readwrite', (s) => s.delete('draft')).catch(() => {});
  }

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
      const [handle] = await showOpenFilePicker({ types: [{ description: 'Models', accept: { 'application/xml': ['.xml'], 'text/plain': ['.xta', '.ta', '.tck'] } }] });
      this.open_file(await handle.getFile(), handle);
    } catch (error) {
      if (error.name !== 'AbortError') this.input.click();
    }
  }
  async open_file(file, handle) {
    const { text, encoding } = decode_bytes(new Uint8Array(await file.arrayBuffer()));
    await this.open_text(text, file.name, '', { handle, encoding });
  }

  // Any format: what is no XML is converted by the library and laid out.
  async open_text(text, name, queries = '', { handle = null, encoding = 'utf-8' } = {}) {
    if (/^\uFEFF?\s*</.test(text)) {
      this.handle = handle;
      this.app.open(new Document(text, { name, encoding }));
      if (this.doc.error) toast(`${name} is no XML: ${this.doc.error.message}`, 'bad');
      return true;
    }
    try {
      const language = /\.tck$/.test(name) || /^\s*(#.*\n\s*)*system:/.test(text) ? 'tchecker' : 'uppaal';
      await this.app.checker.request('tarn/read', { text, language });
      this.app.verifier.model_text = null;
      const xml = await this.app.checker.request('tarn/write', { format: 'xml' });
      this.handle = null;
      const doc = new Document(xml, { name: name.replace(/\.\w+$/, '.xml') });
      for (const t of doc.view.templates) doc.apply(edits.apply_layout(doc, doc.view.templates[t.index], layout_of(doc.view.templates[t.index])));
      for (const q of split_queries(queries)) doc.apply(edits.add_query(doc, q.formula, q.comment, q.expected));
      const opened = new Document(doc.text, { name: doc.name });
      this.app.open(opened);
      return true;
    } catch (error) {
      toast(`${name} cannot be read: ${error.message.split('\n')[0]}`, 'bad');
      return false;
    }
  }

  async save(as) {
    const bytes = encode_bytes(this.doc.text, this.doc.encoding);
    if (window.showSaveFilePicker && window.isSecureContext) {
      try {
        if (!this.handle || as) this.handle = await showSaveFilePicker({ suggestedName: this.doc.name, types: [{ description: 'UPPAAL XML', accept: { 'application/xml': ['.xml'] } }] });
        const out = await this.handle.createWritable();
        await out.write(bytes);
        await out.close();
        this.doc.name = this.handle.name;
        return this.saved();
      } catch (error) {
        if (error.name === 'AbortError') return;
        this.handle = null;
      }
    }
    this.download(this.doc.name, bytes, 'application/xml');
    this.saved();
  }
  saved() {
    this.doc.saved = this.doc.text;
    this.forget_draft();
    this.is_safe = true;
    this.app.show_title();
    toast(`Saved ${this.doc.name}.`);
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
    const box = view_box(shown), canvas = make('canvas', { width: Math.ceil(box.width * 2), height: Math.ceil(box.height * 2) });
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(url);
    this.download(`${stem}.png`, await new Promise((resolve) => { canvas.toBlob(resolve, 'image/png'); }), 'image/png');
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
