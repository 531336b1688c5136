// The document: one text of XML and one history. Every change, of a drawing or of a text, is a
// list of splices; taking it back gives the bytes back.
import { Content, XmlError, allowed, encode, encode_attribute, is_empty_tag, parse } from './xml.js';
import { view_of } from './model.js';

const MERGE_MS = 1000;

export const EMPTY = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>
<nta>
	<declaration>// Global declarations: clocks, channels, constants, variables.
</declaration>
	<template>
		<name>Template</name>
		<location id="id0" x="0" y="0">
		</location>
		<init ref="id0"/>
	</template>
	<system>// Instances of templates.
Process = Template();
system Process;
</system>
	<queries>
	</queries>
</nta>
`;

// Encodings: decoding and encoding give a file's bytes back. An encoding with one byte for each character is a table of its
// 256 characters; null: it has no such table. What browsers call latin1 is another one.
const BYTES = Uint8Array.from({ length: 256 }, (_, i) => i);
const tables = new Map([['latin1', [...String.fromCharCode(...BYTES)]], ['us-ascii', [...String.fromCharCode(...BYTES.subarray(0, 128))]]]);
const SAME = { 'iso-8859-1': 'latin1', 'iso8859-1': 'latin1', iso_8859_1: 'latin1', 'latin-1': 'latin1', ascii: 'us-ascii' };
function table_of(label) {
  if (!tables.has(label)) {
    let characters = null;
    try {
      characters = [...new TextDecoder(label).decode(BYTES)];
    } catch { /* an unknown name */ }
    tables.set(label, characters?.length === 256 && new Set(characters).size === 256 ? characters : null);
  }
  return tables.get(label);
}
const DECLARATION = /^(\uFEFF?<\?xml\s[^>]*?)(\sencoding\s*=\s*(?:"([^"]*)"|'([^']*)'))/;
function declared(text) {
  const name = (DECLARATION.exec(text) || []).slice(3).find(Boolean)?.toLowerCase();
  return Object.hasOwn(SAME, name) ? SAME[name] : name;
}

// A decoder would replace half of a pair of surrogates.
function from_pairs(bytes, is_little) {
  const units = [];
  for (let i = 0; i < bytes.length; i += 2) units.push(String.fromCharCode(is_little ? bytes[i] | (bytes[i + 1] << 8) : (bytes[i] << 8) | bytes[i + 1]));
  return units.join('');
}
export function decode_bytes(bytes) {
  const is = (...first) => first.every((b, i) => b === bytes[i]);
  for (const [encoding, sign] of [['utf-16le', [0xff, 0xfe]], ['utf-16be', [0xfe, 0xff]], ['utf-16le', [60, 0]], ['utf-16be', [0, 60]]])
    if (is(...sign) && bytes.length % 2 === 0) return { text: from_pairs(bytes, encoding === 'utf-16le'), encoding };
  const plain = (label) => Array.from(bytes, (b) => table_of(label)[b]).join('');
  const name = declared(String.fromCharCode(...bytes.subarray(0, 200)));
  if (name && !/^utf-?8$/.test(name) && !is(0xef, 0xbb, 0xbf) && table_of(name) && bytes.every((b) => b < table_of(name).length)) return { text: plain(name), encoding: name };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    return { text: plain('latin1'), encoding: 'latin1' };
  }
}
// What an encoding does not have becomes a reference to a character.
export function encode_bytes(text, encoding) {
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    const bytes = new Uint8Array(text.length * 2), low = encoding === 'utf-16le' ? 0 : 1;
    for (let i = 0; i < text.length; i++) {
      bytes[2 * i + low] = text.charCodeAt(i) & 255;
      bytes[2 * i + 1 - low] = text.charCodeAt(i) >> 8;
    }
    return bytes;
  }
  const table = encoding === 'utf-8' ? null : table_of(encoding);
  if (!table) return new TextEncoder().encode(text);
  const byte_of = new Map(table.map((c, i) => [c, i])), bytes = [];
  for (const c of text) {
    if (byte_of.has(c)) bytes.push(byte_of.get(c));
    else for (const d of `&#${c.codePointAt(0)};`) bytes.push(d.charCodeAt(0));
  }
  return Uint8Array.from(bytes);
}
// For the engine, whose texts are UTF-8 whatever the file says; all positions stay.
export const for_engine = (text) => text.replace(DECLARATION, (_, head, encoding) => head + ' '.repeat(encoding.length));

// Splices in the order of the text, none over another; returns the new text and what undoes it.
export function splice(text, splices) {
  const sorted = splices.map((s, i) => [s, i]).sort((a, b) => a[0].start - b[0].start || a[0].end - b[0].end || a[1] - b[1]).map((p) => p[0]);
  const pieces = [], inverse = [];
  let at = 0, moved = 0;
  for (const s of sorted) {
    if (s.start < at) throw new RangeError('two changes of the same place');
    pieces.push(text.slice(at, s.start), s.text);
    const start = s.start + moved;
    inverse.push({ start, end: start + s.text.length, text: text.slice(s.start, s.end) });
    moved += s.text.length - (s.end - s.start);
    at = s.end;
  }
  pieces.push(text.slice(at));
  return { text: pieces.join(''), inverse };
}

export class Document {
  constructor(text = EMPTY, { name = 'model.xml', encoding = 'utf-8' } = {}) {
    this.name = name;
    this.encoding = encoding;
    this.text = text;
    this.saved = text;
    this.version = 0;
    this.past = [];
    this.future = [];
    this.listeners = [];
    this.newline = /\r\n/.test(text) ? '\r\n' : '\n';
    this.cache = null;
  }

  // The tree and the view of it, made when they are asked for. `error`: it is no XML.
  get parsed() {
    if (!this.cache) {
      try {
        const root = parse(this.text);
        if (root.name !== 'nta' && root.name !== 'project') throw new XmlError(`<${root.name}> is no model: <nta> is expected`, root.start);
        this.cache = { root, view: view_of(this.text, root), error: null };
      } catch (error) {
        if (!(error instanceof XmlError)) throw error;
        this.cache = { root: null, view: null, error };
      }
    }
    return this.cache;
  }
  get root() { return this.parsed.root; }
  get view() { return this.parsed.view; }
  get error() { return this.parsed.error; }
  get is_changed() { return this.text !== this.saved; }

  content(node) { return new Content(this.text, node); }

  listen(listener) { this.listeners.push(listener); }
  tell(change) {
    this.version++;
    this.cache = null;
    for (const listener of this.listeners) listener(change);
  }

  // Makes a change that is one step of the history. Steps with the same `merge` soon after each
  // other are one. `before` and `after` are what is selected, which undo and redo bring back.
  apply(splices, { label = 'edit', merge = null, before = null, after = null, origin = null } = {}) {
    const useful = splices.filter((s) => s.text !== this.text.slice(s.start, s.end));
    if (!useful.length) return false;
    const result = splice(this.text, useful);
    const last = this.past[this.past.length - 1], now = Date.now();
    const step = { label, merge, undo: [result.inverse], before, after, at: now };
    if (merge && last && last.merge === merge && now - last.at < MERGE_MS && !this.future.length) {
      last.undo.push(result.inverse);
      last.after = after;
      last.at = now;
    } else this.past.push(step);
    this.future = [];
    this.text = result.text;
    this.tell({ kind: 'edit', label, origin, after });
    return true;
  }

  take(from, to, kind) {
    const step = from.pop();
    if (!step) return null;
    const redo = [];
    for (const splices of step.undo.reverse()) {
      const result = splice(this.text, splices);
      this.text = result.text;
      redo.push(result.inverse);
    }
    to.push({ ...step, undo: redo, merge: null });
    this.tell({ kind, label: step.label, after: kind === 'undo' ? step.before : step.after });
    return step;
  }
  undo() { return this.take(this.past, this.future, 'undo'); }
  redo() { return this.take(this.future, this.past, 'redo'); }

  // Splices that others put together.

  set_attribute(node, name, value) {
    const found = node.attributes[name];
    if (value === null) {
      if (!found) return [];
      let start = found.from;
      while (/\s/.test(this.text[start - 1])) start--;
      return [{ start, end: found.end + 1, text: '' }];
    }
    const text = encode_attribute(String(value));
    if (found) return [{ start: found.start, end: found.end, text }];
    const at = node.start + 1 + node.name.length;
    return [{ start: at, end: at, text: ` ${name}="${text}"` }];
  }

  // A change of the character data of an element, in decoded positions.
  replace_text(node, from, to, insert) {
    const content = this.content(node);
    const escaped = encode(insert, this.newline);
    if (is_empty_tag(this.text, node))
      return [{ start: node.open_end - 2, end: node.open_end, text: `>${escaped}</${node.name}>` }];
    if (!node.texts.length) return [{ start: node.open_end, end: node.open_end, text: escaped }];
    const start = content.raw(from), end = from === to ? start : Math.max(start, content.raw(to, true));
    // Pieces of text are between comments and the marks of CDATA sections, which stay.
    const pieces = node.texts.filter((t) => t.start <= end && start <= t.end);
    return pieces.flatMap((piece, i) => {
      const a = Math.max(start, piece.start), b = Math.max(a, Math.min(end, piece.end));
      const text = i ? '' : piece.is_cdata ? allowed(insert) : escaped;
      const whole = this.text.slice(piece.start, a) + text + this.text.slice(b, piece.end);
      if (whole.includes(']]>')) // which ends a section, and may not be elsewhere
        return [{ start: piece.start, end: piece.end, text: whole.replaceAll(']]>', piece.is_cdata ? ']]]]><![CDATA[>' : ']]&gt;') }];
      return i && a === b ? [] : [{ start: a, end: b, text }];
    });
  }

  // The new text of an element: only what differs is replaced.
  set_text(node, text) {
    const old = this.content(node).text;
    if (old === text) return [];
    let head = 0, tail = 0;
    while (head < old.length && head < text.length && old[head] === text[head]) head++;
    while (tail < old.length - head && tail < text.length - head && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
    return this.replace_text(node, head, old.length - tail, text.slice(head, text.length - tail));
  }

  // Removes an element with the white space before it.
  remove(node) {
    let start = node.start;
    while (start > 0 && /[ \t]/.test(this.text[start - 1])) start--;
    if (this.text[start - 1] === '\n') start -= this.text[start - 2] === '\r' ? 2 : 1;
    else start = node.start;
    return [{ start, end: node.end, text: '' }];
  }

  indent(node) {
    const line = this.text.lastIndexOf('\n', node.start - 1) + 1;
    const blank = /^[ \t]*/.exec(this.text.slice(line, node.start))[0];
    return line + blank.length === node.start ? blank : null;
  }

  // Inserts a new child of `parent` after the sibling `after`, or first. `xml` has its own
  // newlines, and is indented by tabs from 0 on.
  insert(parent, after, xml) {
    const of_parent = this.indent(parent) ?? '';
    const sibling = after && this.indent(after);
    const blank = sibling ?? of_parent + '\t';
    const text = this.newline + xml.split('\n').map((line) => blank + line).join(this.newline);
    if (is_empty_tag(this.text, parent))
      return [{ start: parent.open_end - 2, end: parent.open_end, text: `>${text}${this.newline}${of_parent}</${parent.name}>` }];
    const at = after ? after.end : parent.open_end;
    const closes = !after && parent.close_start === parent.open_end ? this.newline + of_parent : '';
    return [{ start: at, end: at, text: text + closes }];
  }
}
