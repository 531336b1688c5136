// What the engine's language service says of the document: mistakes with the very labels they are
// in, completions, hovers, renaming. Positions go between texts of elements and the file.
import { for_engine } from './document.js';
import { innermost, path_of } from './model.js';

const URI = 'file:///model.xml';

export class Lines {
  constructor(text) {
    this.text = text;
    this.starts = [0];
    for (const end of text.matchAll(/\r\n?|\n/g)) this.starts.push(end.index + end[0].length);
  }
  offset({ line, character }) {
    const start = this.starts[Math.min(line, this.starts.length - 1)];
    return Math.min(this.text.length, start + character);
  }
  position(offset) {
    let low = 0, high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: offset - this.starts[low] };
  }
}

const LABEL_NAMES = { synchronisation: 'synchronisation', assignment: 'update', exponentialrate: 'rate', comments: 'comment' };

// Where a position of the file is: the element with text around it, and in words.
export function place_of(doc, offset) {
  const view = doc.view, node = innermost(doc.root, offset);
  const chain = [];
  for (let n = node; n; n = n.parent) chain.unshift(n);
  const template = view.templates.find((t) => chain.includes(t.node)) || null;
  const place = { node, path: path_of(node), template, key: null, words: '' };
  if (!template) {
    const query = view.queries.find((q) => chain.includes(q.node));
    place.query = query ? query.index : null;
    place.words = query ? `query ${query.index + 1}` : { declaration: 'declarations', nta: 'model' }[node.name] || node.name;
    return place;
  }
  const name = (id) => {
    const l = template.by_id.get(id);
    return l ? (l.name && l.name.text.trim()) || l.id : '?';
  };
  const parts = [template.name || 'template'];
  for (const list of [template.locations, template.branches, template.edges])
    for (const o of list) {
      if (!chain.includes(o.node)) continue;
      const letter = { location: 'l', branch: 'b', edge: 'e' }[o.type];
      place.key = letter + o.index;
      parts.push(o.type === 'edge' ? `edge ${name(o.source)} → ${name(o.target)}` : o.type === 'location' ? `location ${name(o.id)}` : 'branch point');
      const label = o.labels.findIndex((l) => l.node === node);
      if (label >= 0) {
        place.owner = place.key;
        place.kind = o.labels[label].kind;
        place.key += `t${label}`;
        parts.push(LABEL_NAMES[place.kind] || place.kind);
      } else if (o.name && o.name.node === node) {
        place.owner = place.key;
        place.kind = 'name';
        place.key += 'tname';
        parts.push('name');
      }
    }
  if (!place.key) parts.push(node.name === 'declaration' ? 'declarations' : node.name === 'parameter' ? 'parameters' : node.name);
  place.words = parts.join(', ');
  return place;
}

export class Language {
  constructor(engine, doc_of) {
    this.engine = engine;
    this.doc_of = doc_of;
    this.sent = null;
  }

  // The service has the present text; returns its lines.
  sync() {
    const doc = this.doc_of();
    if (this.sent !== doc.text || this.worker !== this.engine.carrier) {
      this.engine.notify('textDocument/didOpen', { textDocument: { uri: URI, languageId: 'uppaal', version: doc.version, text: for_engine(doc.text) } });
      this.sent = doc.text;
      this.worker = this.engine.carrier;
      this.lines = new Lines(doc.text);
    }
    return this.lines;
  }

  async diagnostics() {
    const doc = this.doc_of();
    if (doc.error) return [{ severity: 1, text: `This is no XML: ${doc.error.message}.`, start: doc.error.at, end: doc.error.at, place: { words: 'file' } }];
    const lines = this.sync();
    const found = await this.engine.request('textDocument/diagnostic', { textDocument: { uri: URI } });
    if (lines.text !== doc.text) return null;
    const list = Array.isArray(found) ? found : (found && found.items) || [];
    return list.map((d) => {
      const start = lines.offset(d.range.start), end = Math.max(start, lines.offset(d.range.end));
      const place = place_of(doc, start);
      const content = doc.content(place.node);
      return { severity: d.severity, text: d.message.replace(/\/model\.xml:[\d:]* /g, ''), start, end, place, from: content.decoded(start), to: content.decoded(end) };
    });
  }

  at(node, offset) {
    const lines = this.sync();
    return { textDocument: { uri: URI }, position: lines.position(this.doc_of().content(node).raw(offset)) };
  }
  async completions(node, offset) {
    const found = await this.engine.request('textDocument/completion', this.at(node, offset));
    return Array.isArray(found) ? found : (found && found.items) || [];
  }
  async hover(node, offset) {
    const found = await this.engine.request('textDocument/hover', this.at(node, offset));
    return found && found.contents ? found.contents.value || String(found.contents) : null;
  }
  // Splices that rename what is at a place of an element's text, everywhere it is used.
  async rename(node, offset, name) {
    const lines = this.sync(), doc = this.doc_of();
    const edit = await this.engine.request('textDocument/rename', { ...this.at(node, offset), newName: name });
    if (doc.text !== lines.text || !edit) return [];
    const changes = (edit.changes && edit.changes[URI]) || (edit.documentChanges || []).flatMap((c) => c.edits);
    return changes.map((c) => ({ start: lines.offset(c.range.start), end: lines.offset(c.range.end), text: c.newText }));
  }
}
