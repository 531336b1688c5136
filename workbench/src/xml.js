// XML as it is written: a tree whose nodes are ranges of the text. Nothing is normalised, so edits
// can be splices of the text, and what they do not touch stays byte for byte.

export class XmlError extends Error {
  constructor(message, at) {
    super(message);
    this.at = at;
  }
}

const NAME = /[A-Za-z_:\u0080-\uffff][-.\w:\u0080-\uffff]*/y;
const SPACE = /\s*/y;

// The root element. A node is { name, start, open_end, close_start, end, attributes, children,
// parent }; its children are elements only, `texts` are the ranges of its character data.
export function parse(text) {
  let at = 0, root = null;
  const open = [];
  const match = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    return found && found[0];
  };
  const past = (ending, what) => {
    const found = text.indexOf(ending, at);
    if (found < 0) throw new XmlError(`${what} has no end`, at);
    return found + ending.length;
  };
  while (at < text.length) {
    const top = open[open.length - 1];
    if (text[at] !== '<') {
      let next = text.indexOf('<', at);
      if (next < 0) next = text.length;
      if (top) top.texts.push({ start: at, end: next, is_cdata: false });
      else if (/[^\s\ufeff]/.test(text.slice(at, next))) throw new XmlError('text outside of the root element', at);
      at = next;
    } else if (text.startsWith('<!--', at)) {
      at = past('-->', 'a comment');
    } else if (text.startsWith('<![CDATA[', at)) {
      const end = past(']]>', 'a CDATA section');
      if (!top) throw new XmlError('text outside of the root element', at);
      top.texts.push({ start: at + 9, end: end - 3, is_cdata: true });
      at = end;
    } else if (text.startsWith('<?', at)) {
      at = past('?>', 'an instruction');
    } else if (text.startsWith('<!', at)) {
      at = past_doctype(text, at);
    } else if (text[at + 1] === '/') {
      const start = at;
      at += 2;
      const name = match(NAME);
      match(SPACE);
      if (text[at] !== '>' || !top || top.name !== name)
        throw new XmlError(top ? `</${top.name}> is expected here` : 'an end tag without a start tag', start);
      at++;
      top.close_start = start;
      top.end = at;
      open.pop();
    } else {
      const node = { name: '', start: at, open_end: 0, close_start: 0, end: 0, attributes: {}, children: [], texts: [], parent: top || null };
      at++;
      node.name = match(NAME);
      if (!node.name) throw new XmlError('`<` begins no tag', node.start);
      for (;;) {
        match(SPACE);
        if (text[at] === '>' || text.startsWith('/>', at)) break;
        const from = at, name = match(NAME);
        if (!name) throw new XmlError(`<${node.name}> has no end`, node.start);
        match(SPACE);
        if (text[at] !== '=') throw new XmlError(`the attribute ${name} has no value`, from);
        at++;
        match(SPACE);
        const quote = text[at];
        if (quote !== '"' && quote !== "'") throw new XmlError(`the value of ${name} has no quotes`, at);
        at++;
        const start = at;
        at = past(quote, `the value of ${name}`);
        node.attributes[name] = { start, end: at - 1, from };
      }
      if (!top && root) throw new XmlError('a second root element', node.start);
      if (top) top.children.push(node);
      else root = node;
      if (text[at] === '>') {
        at++;
        node.open_end = at;
        open.push(node);
      } else {
        at += 2;
        node.open_end = node.close_start = node.end = at;
      }
    }
  }
  if (open.length) throw new XmlError(`<${open[open.length - 1].name}> is not closed`, open[open.length - 1].start);
  if (!root) throw new XmlError('there is no element', 0);
  return root;
}

function past_doctype(text, at) {
  let depth = 0, quote = '';
  for (let i = at + 2; i < text.length; i++) {
    const c = text[i], ending = text.startsWith('<!--', i) ? '-->' : text.startsWith('<?', i) ? '?>' : '';
    if (quote) quote = c === quote ? '' : quote;
    else if (ending) {
      i = text.indexOf(ending, i) + ending.length - 1;
      if (i < ending.length) break;
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '[') depth++;
    else if (c === ']') depth--;
    else if (c === '>' && depth <= 0) return i + 1;
  }
  throw new XmlError('the document type has no end', at);
}

export const is_empty_tag = (text, node) => node.close_start === node.open_end && text.startsWith('/>', node.open_end - 2);

const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const UNIT = /&(#x[0-9a-fA-F]+|#[0-9]+|[a-z]+);|\r\n?/g;

// Decodes the character data in ranges of the text. `shifts` lists where decoded and written
// positions drift apart: from `decoded` on, position p is written at p - decoded + raw.
function decode_ranges(text, ranges) {
  let decoded = '';
  const shifts = [];
  const mark = (raw, joined) => shifts.push({ decoded: decoded.length, raw, joined });
  for (const range of ranges) {
    mark(range.start, false);
    let at = range.start;
    const written = text.slice(range.start, range.end);
    for (const unit of written.matchAll(range.is_cdata ? /\r\n?/g : UNIT)) {
      const from = range.start + unit.index, entity = unit[1];
      decoded += text.slice(at, from);
      at = from + unit[0].length;
      if (!entity) decoded += '\n';
      else if (entity[0] === '#') {
        const code = entity[1] === 'x' ? parseInt(entity.slice(2), 16) : parseInt(entity.slice(1), 10);
        decoded += code <= 0x10ffff ? String.fromCodePoint(code) : unit[0];
      } else decoded += Object.hasOwn(ENTITIES, entity) ? ENTITIES[entity] : unit[0];
      mark(at, true);
    }
    decoded += text.slice(at, range.end);
  }
  return { text: decoded, shifts };
}

export const decode = (written) => decode_ranges(written, [{ start: 0, end: written.length }]).text;
export const attribute = (text, node, name) => {
  const found = node.attributes[name];
  return found ? decode(text.slice(found.start, found.end)) : undefined;
};

// What XML cannot have at all is left out: control characters, such as those of a text that was copied from elsewhere.
export const allowed = (plain) => plain.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '');
export function encode(plain, newline = '\n') {
  const escaped = allowed(plain).replace(/[&<>]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : '&gt;'));
  return newline === '\n' ? escaped : escaped.replace(/\n/g, newline);
}
export const encode_attribute = (plain) =>
  allowed(plain).replace(/[&<>"\n]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' })[c]);

// The character data of an element, decoded, with the way back to positions of the text.
export class Content {
  constructor(text, node) {
    this.node = node;
    const { text: decoded, shifts } = decode_ranges(text, node.texts);
    this.text = decoded;
    this.shifts = shifts.length ? shifts : [{ decoded: 0, raw: node.open_end }];
  }

  // `at_end`: of a position between two pieces, the end of the first one.
  raw(position, at_end = false) {
    let low = 0, high = this.shifts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.shifts[middle].decoded <= position) low = middle;
      else high = middle - 1;
    }
    while (at_end && low > 0 && this.shifts[low].decoded === position && !this.shifts[low].joined) low--;
    return this.shifts[low].raw + position - this.shifts[low].decoded;
  }

  // The nearest decoded position before a position of the text.
  decoded(raw) {
    let best = 0;
    for (let i = 0; i < this.shifts.length; i++) {
      const s = this.shifts[i];
      if (s.raw > raw) break;
      const limit = i + 1 < this.shifts.length ? this.shifts[i + 1].decoded : this.text.length;
      best = Math.min(limit, s.decoded + raw - s.raw);
    }
    return best;
  }
}
