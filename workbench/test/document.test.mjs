// The document model: files stay as they are, and edits can be taken back. Pure modules, no browser.
import assert from 'node:assert';
import test from 'node:test';
import { Document, EMPTY, decode_bytes, encode_bytes, for_engine } from '../src/document.js';
import * as edits from '../src/edits.js';
import { node_at, path_of } from '../src/model.js';
import { Content, decode, parse } from '../src/xml.js';
import { layout_of } from '../src/layout.js';
import { edit, random_of } from './random_edits.mjs';
import { models } from './models.mjs';
import { moves_wrongly } from './moves.mjs';

test('a file is saved as it was opened', () => {
  for (const { name, bytes } of models()) {
    const { text, encoding } = decode_bytes(bytes);
    assert.deepEqual(Buffer.from(encode_bytes(text, encoding)), Buffer.from(bytes), name);
    assert.ok(new Document(text).view.templates.length > 0, name);
  }
});

test('bytes of other encodings come back', () => {
  for (const bytes of [[0xff, 0xfe, 60, 0, 97, 0], [0xfe, 0xff, 0, 60, 0xd8, 0], [60, 0, 97, 0], [0, 60, 0, 97], [60, 0xe4, 62], [0xef, 0xbb, 0xbf, 60, 97], Array.from({ length: 256 }, (_, i) => i)]) {
    const { text, encoding } = decode_bytes(Uint8Array.from(bytes));
    assert.deepEqual([...encode_bytes(text, encoding)], bytes);
  }
  // The file says which encoding it has. What that does not have is written as a reference.
  const letters = (text) => Uint8Array.from(text, (c) => c.charCodeAt(0));
  for (const [name, bytes, characters] of [['ISO-8859-1', '\xe4', 'ä'], ['ISO-8859-15', '\xa4', '€'], ['ISO-8859-5', '\xd0', 'а'], ['us-ascii', '', ''], ['utf-8', '\xc3\xa4', 'ä'], ['nonsense', '\xe4', 'ä']]) {
    const file = `<?xml version='1.0' encoding='${name}'?><nta>${bytes}</nta>`, { text, encoding } = decode_bytes(letters(file));
    assert.equal(text, file.replace(bytes, characters), name);
    assert.deepEqual(encode_bytes(text, encoding), letters(file), name);
    const doc = new Document(text, { encoding });
    doc.apply(edits.set_part(doc, doc.root, 'declaration', '// λ'));
    const again = new Document(decode_bytes(encode_bytes(doc.text, encoding)).text);
    assert.equal(again.content(again.view.declaration).text, '// λ', name);
    assert.equal(for_engine(text).length, text.length);
    assert.ok(!for_engine(text).includes('encoding'));
  }
});

test('edits over comments, CDATA sections and what would end one leave XML', () => {
  const of = (inside) => new Document(`<!DOCTYPE nta [<!-- > ] --><!ENTITY a "b">]><nta><system>${inside}</system></nta>`);
  for (const [inside, wanted, written] of [
    ['<![CDATA[x >= 1 && ]]>x &lt; <![CDATA[5]]>', 'x >= 1 && zz', '<![CDATA[x >= 1 && ]]>zz<![CDATA[]]>'],
    ['a<!-- kept -->b<![CDATA[c]]>d', 'aXd', 'a<!-- kept -->X<![CDATA[]]>d'],
    ['x>5', 'q[a[i]]>5', 'q[a[i]]&gt;5'],
    ['<![CDATA[x>5]]>', 'q[a[i]]>5', '<![CDATA[q[a[i]]]]><![CDATA[>5]]>'],
    ['a]]b>', 'a]]>', 'a]]&gt;'],
    ['', 'form\ffeed', 'formfeed'],
  ]) {
    const doc = of(inside), before = doc.text;
    doc.apply(doc.set_text(doc.view.system, wanted));
    assert.equal(doc.text, of(written).text);
    assert.equal(doc.content(doc.view.system).text, wanted.replace('\f', ''));
    doc.undo();
    assert.equal(doc.text, before);
  }
});

test('moving a location changes its own coordinates only', () => {
  for (const { name, bytes } of models()) {
    const doc = new Document(decode_bytes(bytes).text);
    for (const t of doc.view.templates)
      for (const l of t.locations.filter((c) => c.placed)) assert.equal(moves_wrongly(doc, t.index, l.index), null, `${name}: ${l.id}`);
  }
});

test('random edits, undone, give the bytes back, and redone the text', () => {
  for (const { name, bytes } of models()) {
    const doc = new Document(decode_bytes(bytes).text), random = random_of(name.length + bytes.length);
    for (let i = 0; i < 150; i++) edit(doc, random);
    assert.equal(doc.error, null, name);
    const after = doc.text;
    while (doc.undo());
    assert.deepEqual(Buffer.from(encode_bytes(doc.text, 'utf-8')), Buffer.from(bytes), name);
    while (doc.redo());
    assert.equal(doc.text, after, name);
  }
});

test('character data: entities, CDATA and line ends', () => {
  const text = '<a>x &lt; 3 &amp;&amp; y\r\n<![CDATA[z < 4]]>&#65;</a>';
  const content = new Content(text, parse(text));
  assert.equal(content.text, 'x < 3 && y\nz < 4A');
  assert.equal(text.slice(content.raw(2), content.raw(3, true)), '&lt;');
  assert.equal(content.decoded(content.raw(11)), 11);
  for (const [from, to, insert, want] of [[0, 1, 'q&', 'q& < 3 && y\nz < 4A'], [11, 12, '<b>]]>', 'x < 3 && y\n<b>]]> < 4A'], [17, 17, '!', 'x < 3 && y\nz < 4A!']]) {
    const doc = new Document(`<nta>${text.replaceAll('<a>', '<system>').replace('</a>', '</system>')}</nta>`);
    assert.ok(doc.apply(doc.replace_text(doc.view.system, from, to, insert)));
    assert.equal(doc.content(doc.view.system).text, want);
    doc.undo();
  }
  assert.equal(decode('&unknown; &#x41;'), '&unknown; A');
});

test('text of empty and absent elements', () => {
  const doc = new Document('<nta><declaration/><template><name>T</name></template></nta>');
  doc.apply(doc.set_text(doc.view.declaration, 'clock x;'));
  doc.apply(edits.set_part(doc, doc.view.templates[0].node, 'parameter', 'int i'));
  doc.apply(edits.set_part(doc, doc.root, 'system', 'system T;'));
  assert.equal(doc.content(doc.view.declaration).text, 'clock x;');
  assert.equal(doc.content(doc.view.templates[0].parameter).text, 'int i');
  assert.equal(doc.content(doc.view.system).text, 'system T;');
});

test('drawing: locations, edges, labels, deletion, copies', () => {
  const doc = new Document(EMPTY);
  const template = () => doc.view.templates[0];
  const { splices, id } = edits.add_location(doc, template(), 100, 50, { name: 'B' });
  doc.apply(splices);
  doc.apply(edits.add_edge(doc, template(), 'id0', id, [{ x: 50, y: 0 }]).splices);
  doc.apply(edits.set_label(doc, template(), template().edges[0], 'guard', 'x < 3'));
  doc.apply(edits.set_label(doc, template(), template().edges[0], 'select', 'i : int[0,1]'));
  assert.deepEqual(template().edges[0].labels.map((l) => [l.kind, l.text]), [['select', 'i : int[0,1]'], ['guard', 'x < 3']]);
  const clip = edits.copy(doc, template(), new Set(['l0', 'l1']));
  const pasted = edits.paste(doc, template(), clip, 10, 20);
  doc.apply(pasted.splices);
  assert.deepEqual(pasted.count, { l: 2, b: 0, e: 1 });
  assert.equal(template().locations.length, 4);
  assert.equal(template().edges[1].source, template().locations[2].id);
  assert.deepEqual([template().locations[3].x, template().locations[3].y], [110, 70]);
  doc.apply(edits.remove(doc, template(), new Set(['l1', 'e0t0'])));
  assert.equal(template().edges.length, 1);
  doc.apply(edits.remove(doc, template(), new Set(['l0'])));
  assert.equal(template().init, null);
  while (doc.undo());
  assert.equal(doc.text, EMPTY);
});

test('paths name elements', () => {
  const doc = new Document(EMPTY);
  const node = doc.view.templates[0].locations[0].node;
  assert.equal(path_of(node), '/nta/template[1]/location[1]');
  assert.equal(node_at(doc.root, '/nta/template[1]/location[1]'), node);
});

test('a layout places every location away from the others', () => {
  for (const { bytes } of models().slice(0, 6))
    for (const t of new Document(decode_bytes(bytes).text).view.templates) {
      const { places } = layout_of(t), points = t.locations.map((l) => places.get(l));
      for (const a of points) for (const b of points) assert.ok(a === b || Math.hypot(a.x - b.x, a.y - b.y) > 30);
    }
});

test('what is no XML is said with its place', () => {
  for (const text of ['', '<nta>', '<nta></nt>', '<a/><b/>', '<nta x=1/>', '<other/>', '<nta><!-- </nta>']) {
    const doc = new Document(text);
    assert.ok(doc.error, text);
    assert.ok(doc.error.at <= text.length);
  }
});

test('typing is one step of the history, other changes are not', () => {
  const doc = new Document(EMPTY);
  for (const letter of 'abc') doc.apply(doc.replace_text(doc.view.system, 0, 0, letter), { merge: 'system' });
  doc.apply(edits.set_part(doc, doc.root, 'declaration', 'clock y;'));
  assert.equal(doc.past.length, 2);
  doc.undo();
  doc.undo();
  assert.equal(doc.text, EMPTY);
  assert.equal(doc.is_changed, false);
});

test('templates of another document come after those that are there, with names and line ends of this one', () => {
  const doc = new Document('<nta>\r\n\t<declaration/>\r\n\t<template>\r\n\t\t<name>T</name>\r\n\t\t<location id="id0"/>\r\n\t</template>\r\n\t<system/>\r\n</nta>');
  const other = new Document('<nta>\n<template>\n <name x="1">T</name>\n <location id="id0"><name>A</name></location>\n <init ref="id0"/>\n <transition><source ref="id0"/><target ref="id0"/></transition>\n</template></nta>'), before = doc.text;
  doc.apply(edits.import_template(doc, other, other.view.templates[0]));
  assert.deepEqual(doc.view.templates.map((t) => [t.name, t.locations[0].id, t.edges.map((e) => e.source)]), [['T', 'id0', []], ['T2', 'id1', ['id1']]]);
  assert.doesNotMatch(doc.text, /[^\r]\n/);
  doc.undo();
  assert.equal(doc.text, before);
});
