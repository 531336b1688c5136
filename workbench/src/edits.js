// What an editor does to a document, as splices. Things of a template are named by keys: l3 is its
// location 3, b0 its branch point 0, e2 its edge 2, e2n1 a nail of it, e2t0 and l3t0 labels, l3tname a name.
import { Document, splice } from './document.js';
import { attribute, encode, encode_attribute, parse } from './xml.js';
import { label_place, labels_of, rank_above } from './geometry.js';

export function resolve(template, key) {
  const [, kind, index, what, part] = /^([lbe])(\d+)(?:([nt])(\w+))?$/.exec(key) || [];
  const list = { l: template.locations, b: template.branches, e: template.edges }[kind];
  const owner = list && list[Number(index)];
  if (!owner) return null;
  if (!what) return { type: owner.type, owner, object: owner };
  if (what === 'n') return owner.nails && owner.nails[Number(part)] ? { type: 'nail', owner, object: owner.nails[Number(part)] } : null;
  const label = part === 'name' ? owner.name : owner.labels[Number(part)];
  return label ? { type: 'label', owner, object: label } : null;
}
export const key_of = (object) => ({ location: 'l', branch: 'b', edge: 'e' })[object.type] + object.index;
export const label_key = (owner, label) => `${key_of(owner)}t${label.kind === 'name' && owner.type === 'location' && label === owner.name ? 'name' : owner.labels.indexOf(label)}`;

// All that moves with the selection: a location takes its labels along. Edges between locations that
// move take their nails and labels along; the loops of a single location stay where they are.
export function closure(template, keys) {
  const moved = new Set();
  const add_labels = (o) => labels_of(o).forEach((l) => moved.add(l));
  const ends = new Set();
  for (const key of keys) {
    const found = resolve(template, key);
    if (!found) continue;
    if (found.type === 'edge') {
      found.object.nails.forEach((n) => moved.add(n));
      add_labels(found.object);
    } else {
      moved.add(found.object);
      if (found.type === 'location' || found.type === 'branch') {
        add_labels(found.object);
        ends.add(found.object.id);
      }
    }
  }
  for (const e of template.edges)
    if (ends.has(e.source) && ends.has(e.target) && ends.size > 1) {
      e.nails.forEach((n) => moved.add(n));
      add_labels(e);
    }
  return moved;
}

const place = (doc, object, x, y) => [...doc.set_attribute(object.node, 'x', Math.round(x)), ...doc.set_attribute(object.node, 'y', Math.round(y))];

export function move(doc, template, keys, dx, dy) {
  const splices = [];
  for (const object of closure(template, keys)) {
    if (object.x === null || object.y === null) {
      // A label without a place of its own follows its owner, unless it is moved by itself.
      const owner = keys.size === 1 || keys.length === 1 ? resolve(template, [...keys][0]) : null;
      if (!owner || owner.object !== object) continue;
      const at = label_place(template, owner.owner, object);
      splices.push(...place(doc, object, at.x + dx, at.y + dy));
    } else splices.push(...place(doc, object, object.x + dx, object.y + dy));
  }
  return merge_inserts(splices);
}

// Two attributes that are inserted at one place are one splice.
export function merge_inserts(splices) {
  const merged = [], at = new Map();
  for (const s of splices) {
    const same = s.start === s.end && at.get(s.start);
    if (same) same.text += s.text;
    else {
      const copy = { ...s };
      merged.push(copy);
      if (s.start === s.end) at.set(s.start, copy);
    }
  }
  return merged;
}

const last = (list) => list[list.length - 1];
const last_of = (node, ...names) => last(node.children.filter((c) => names.includes(c.name))) || null;

export function fresh_ids(doc, count) {
  const used = new Set(doc.view.templates.flatMap((t) => [...t.by_id.keys()])), ids = [];
  for (let n = 0; ids.length < count; n++) if (!used.has(`id${n}`)) ids.push(`id${n}`);
  return ids;
}

export function add_location(doc, template, x, y, { name = '', initial = false } = {}) {
  const [id] = fresh_ids(doc, 1);
  const named = name ? `\n\t<name x="${Math.round(x) - 10}" y="${Math.round(y) - 34}">${encode(name)}</name>` : '';
  const splices = doc.insert(template.node, last_of(template.node, 'name', 'parameter', 'declaration', 'location'), `<location id="${id}" x="${Math.round(x)}" y="${Math.round(y)}">${named}\n</location>`);
  if (initial || !template.init) splices.push(...set_initial(doc, template, id));
  return { splices: merge_inserts(splices), id };
}
export function add_branch(doc, template, x, y) {
  const [id] = fresh_ids(doc, 1);
  const splices = doc.insert(template.node, last_of(template.node, 'name', 'parameter', 'declaration', 'location', 'branchpoint'), `<branchpoint id="${id}" x="${Math.round(x)}" y="${Math.round(y)}">\n</branchpoint>`);
  return { splices, id };
}
const before_edges = (template) => last_of(template.node, 'name', 'parameter', 'declaration', 'location', 'branchpoint', 'init', 'transition');
export function add_edge(doc, template, source, target, nails = []) {
  const lines = nails.map((n) => `\n\t<nail x="${Math.round(n.x)}" y="${Math.round(n.y)}"/>`).join('');
  return { splices: doc.insert(template.node, before_edges(template), `<transition>\n\t<source ref="${encode_attribute(source)}"/>\n\t<target ref="${encode_attribute(target)}"/>${lines}\n</transition>`) };
}
export function add_nail(doc, edge, index, x, y) {
  const after = index > 0 ? edge.nails[index - 1].node : last_of(edge.node, 'source', 'target', 'label');
  return doc.insert(edge.node, after, `<nail x="${Math.round(x)}" y="${Math.round(y)}"/>`);
}
export const set_end = (doc, edge, which, id) => doc.set_attribute(edge.node.children.find((c) => c.name === which), 'ref', id);

export function set_initial(doc, template, id) {
  if (template.init) return doc.set_attribute(template.init, 'ref', id);
  return doc.insert(template.node, last_of(template.node, 'name', 'parameter', 'declaration', 'location', 'branchpoint'), `<init ref="${encode_attribute(id)}"/>`);
}
export function set_flag(doc, location, flag, on) {
  const found = location.node.children.find((c) => c.name === flag);
  if (on === !!found) return [];
  return found ? doc.remove(found) : doc.insert(location.node, last_of(location.node, 'name', 'label', 'urgent'), `<${flag}/>`);
}
export const set_colour = (doc, object, colour) => doc.set_attribute(object.node, 'color', colour);

export function set_name(doc, template, location, text) {
  if (!location.name) {
    if (!text) return [];
    return doc.insert(location.node, null, `<name x="${location.x - 10}" y="${location.y - 34}">${encode(text)}</name>`);
  }
  return text ? doc.set_text(location.name.node, text) : doc.remove(location.name.node);
}

const ORDER = ['select', 'guard', 'synchronisation', 'assignment', 'probability', 'testcode', 'comments'];
// Sets the label of a kind; an empty text removes it.
export function set_label(doc, template, owner, kind, text) {
  const label = owner.labels.find((l) => l.kind === kind);
  if (label) return text ? doc.set_text(label.node, text) : doc.remove(label.node);
  if (!text) return [];
  const ghost = { kind, text, x: null, y: null };
  const rank = ORDER.indexOf(kind);
  const before = owner.labels.filter((l) => ORDER.indexOf(l.kind) <= rank);
  const at = label_place(template, { ...owner, labels: [...owner.labels.filter((l) => l.x === null), ghost] }, ghost);
  let { x, y } = at;
  // Beside labels that are already there, away from the edge.
  const placed = owner.labels.filter((l) => l.x !== null && l.text.trim()), above = rank_above(template, owner, kind), away = above >= 0 ? -15 : 15;
  if (above > 0) y += above * away;
  while (placed.some((l) => Math.abs(l.y - y) < 12 && Math.abs(l.x - x) < 60)) y += away;
  const after = last(before)?.node || last_of(owner.node, 'name', 'source', 'target');
  return doc.insert(owner.node, after, `<label kind="${kind}" x="${Math.round(x)}" y="${Math.round(y)}">${encode(text, '\n')}</label>`);
}

// Removes what is selected; edges go with the locations at their ends.
export function remove(doc, template, keys) {
  const nodes = new Set(), ids = new Set();
  for (const key of keys) {
    const found = resolve(template, key);
    if (!found) continue;
    nodes.add(found.object.node);
    if (found.type === 'location' || found.type === 'branch') ids.add(found.object.id);
  }
  for (const e of template.edges) if (ids.has(e.source) || ids.has(e.target)) nodes.add(e.node);
  if (template.init && ids.has(attribute(doc.text, template.init, 'ref'))) nodes.add(template.init);
  const inside = (node) => {
    for (let p = node.parent; p; p = p.parent) if (nodes.has(p)) return true;
    return false;
  };
  return [...nodes].filter((n) => !inside(n)).flatMap((n) => doc.remove(n));
}

// What is selected as XML, to be pasted into any template: locations, and the edges between them.
export function copy(doc, template, keys) {
  const ids = new Set(), nodes = [];
  for (const key of keys) {
    const found = resolve(template, key);
    if (found && (found.type === 'location' || found.type === 'branch')) {
      ids.add(found.object.id);
      nodes.push(found.object.node);
    }
  }
  for (const e of template.edges) if (ids.has(e.source) && ids.has(e.target)) nodes.push(e.node);
  if (!ids.size) return null;
  return `<tarn-clip>${nodes.sort((a, b) => a.start - b.start).map((n) => dedent(doc.text.slice(n.start, n.end), doc.indent(n) || '')).join('\n')}</tarn-clip>`;
}
const dedent = (text, blank) => text.replace(/\r\n/g, '\n').split('\n').map((l) => (l.startsWith(blank) ? l.slice(blank.length) : l)).join('\n');

// The upper left corner of a copy; null: it is none.
export function corner_of(clip) {
  try {
    const root = parse(clip), ends = root.children.filter((c) => c.name === 'location' || c.name === 'branchpoint');
    if (root.name !== 'tarn-clip' || !ends.length) return null;
    const least = (name) => Math.min(...ends.map((n) => Number(attribute(clip, n, name)) || 0));
    return { x: least('x'), y: least('y') };
  } catch {
    return null;
  }
}

// The splices that paste a copy, moved by dx and dy, and how many of each kind it has.
export function paste(doc, template, clip, dx, dy) {
  let root;
  try {
    root = parse(clip);
  } catch {
    return null;
  }
  if (root.name !== 'tarn-clip') return null;
  const parts = root.children.filter((c) => ['location', 'branchpoint', 'transition'].includes(c.name));
  const ends = parts.filter((c) => c.name !== 'transition');
  const ids = fresh_ids(doc, ends.length), renamed = new Map(ends.map((n, i) => [attribute(clip, n, 'id'), ids[i]]));
  const helper = new Document(clip);
  const changes = [];
  const walk = (node) => {
    for (const name of ['id', 'ref']) {
      const value = attribute(clip, node, name);
      if (value !== undefined && renamed.has(value)) changes.push(...helper.set_attribute(node, name, renamed.get(value)));
    }
    for (const [name, by] of [['x', dx], ['y', dy]]) {
      const value = attribute(clip, node, name);
      if (Number.isFinite(Number(value))) changes.push(...helper.set_attribute(node, name, Math.round(Number(value) + by)));
    }
    node.children.forEach(walk);
  };
  parts.forEach(walk);
  const text = splice(clip, changes).text, again = parse(text);
  const splices = [], count = { l: 0, b: 0, e: 0 };
  for (const node of again.children) {
    const after = {
      location: () => last_of(template.node, 'name', 'parameter', 'declaration', 'location'),
      branchpoint: () => last_of(template.node, 'name', 'parameter', 'declaration', 'location', 'branchpoint'),
      transition: () => before_edges(template),
    }[node.name];
    if (!after) continue;
    count[{ location: 'l', branchpoint: 'b', transition: 'e' }[node.name]]++;
    splices.push(...doc.insert(template.node, after(), text.slice(node.start, node.end)));
  }
  // Of inserts at one place locations come first, as the format wants it.
  return { splices: merge_inserts(splices), count };
}

// Templates.

export function add_template(doc, name) {
  const [id] = fresh_ids(doc, 1);
  const after = last_of(doc.root, 'imports', 'declaration', 'template');
  return doc.insert(doc.root, after, `<template>\n\t<name>${encode(name)}</name>\n\t<declaration></declaration>\n\t<location id="${id}" x="0" y="0">\n\t</location>\n\t<init ref="${id}"/>\n</template>`);
}
// A copy of a template, perhaps of another document.
export function copy_template(doc, template, name, { from = doc, after = template.node } = {}) {
  const ids = [...template.by_id.keys()], fresh = fresh_ids(doc, ids.length), renamed = new Map(ids.map((id, i) => [id, fresh[i]]));
  const text = from.text.slice(template.node.start, template.node.end);
  const helper = new Document(text), root = parse(text), changes = [];
  const walk = (node) => {
    for (const attr of ['id', 'ref']) {
      const value = attribute(text, node, attr);
      if (renamed.has(value)) changes.push(...helper.set_attribute(node, attr, renamed.get(value)));
    }
    node.children.forEach(walk);
  };
  root.children.forEach(walk);
  const name_node = root.children.find((c) => c.name === 'name');
  if (name_node) changes.push(...helper.set_text(name_node, name));
  const copied = dedent(splice(text, changes).text, from.indent(template.node) || '');
  return doc.insert(doc.root, after, copied);
}
// Templates of another document, after those that are there.
export function import_template(doc, from, template) {
  const name = fresh_name(doc.view.templates.map((t) => t.name), template.name || 'Template');
  return copy_template(doc, template, name, { from, after: last_of(doc.root, 'imports', 'declaration', 'template') });
}
export function fresh_name(names, wanted) {
  const used = new Set(names);
  if (!used.has(wanted)) return wanted;
  const stem = wanted.replace(/\d+$/, '');
  for (let n = 2; ; n++) if (!used.has(stem + n)) return stem + n;
}

// The text of a part that may be absent: declaration, parameter, system.
export function set_part(doc, parent, name, text) {
  const found = parent.children.find((c) => c.name === name);
  if (found) return doc.set_text(found, text);
  if (!text) return [];
  const after = {
    parameter: () => last_of(parent, 'name'),
    declaration: () => (parent.name === 'nta' ? last_of(parent, 'imports') : last_of(parent, 'name', 'parameter')),
    system: () => last_of(parent, 'declaration', 'template', 'instantiation'),
  }[name]();
  return doc.insert(parent, after, `<${name}>${encode(text)}</${name}>`);
}

// Queries.

export function add_query(doc, formula = '', comment = '', expected = '', after = null) {
  const expect = expected ? `\n\t<expect outcome="${expected}" type="symbolic"/>` : '';
  const xml = `<query>\n\t<formula>${encode(formula)}</formula>\n\t<comment>${encode(comment)}</comment>${expect}\n</query>`;
  if (doc.view.queries_node) return doc.insert(doc.view.queries_node, after ? after.node : last(doc.view.queries)?.node || last_of(doc.view.queries_node, 'option'), xml);
  return doc.insert(doc.root, last(doc.root.children), `<queries>\n${xml.split('\n').map((l) => '\t' + l).join('\n')}\n</queries>`);
}
export function set_query(doc, query, part, text) {
  const node = query[part];
  if (node) return doc.set_text(node, text);
  return doc.insert(query.node, part === 'comment' ? query.formula : null, `<${part}>${encode(text)}</${part}>`);
}

// Coordinates of everything, as a layout gives them: { places: Map(object -> point), nails: Map(edge -> points) }.
export function apply_layout(doc, template, layout) {
  const splices = [];
  for (const [object, at] of layout.places) splices.push(...place(doc, object, at.x, at.y));
  for (const [edge, points] of layout.nails) {
    edge.nails.forEach((n) => splices.push(...doc.remove(n.node)));
    const after = last_of(edge.node, 'source', 'target', 'label');
    for (const p of points) splices.push(...doc.insert(edge.node, after, `<nail x="${Math.round(p.x)}" y="${Math.round(p.y)}"/>`));
  }
  return merge_inserts(splices);
}

// Puts all locations, branch points and nails on the grid; labels of locations go with them.
export function align_to_grid(doc, template, grid) {
  const by = (n) => Math.round(n / grid) * grid - n, splices = [];
  for (const l of [...template.locations, ...template.branches])
    if (by(l.x) || by(l.y)) splices.push(...place(doc, l, l.x + by(l.x), l.y + by(l.y)), ...labels_of(l).filter((o) => o.x !== null && o.y !== null).flatMap((o) => place(doc, o, o.x + by(l.x), o.y + by(l.y))));
  for (const e of template.edges) for (const n of e.nails) if (by(n.x) || by(n.y)) splices.push(...place(doc, n, n.x + by(n.x), n.y + by(n.y)));
  return merge_inserts(splices);
}

// Aligns the selected locations, or spreads them evenly.
export function align(doc, template, keys, how) {
  const list = [...keys].map((k) => resolve(template, k)).filter((f) => f && (f.type === 'location' || f.type === 'branch')).map((f) => f.object);
  if (list.length < 2) return [];
  const axis = how === 'column' || how === 'spread-x' ? 'x' : 'y';
  const sorted = [...list].sort((a, b) => a[axis] - b[axis]);
  const low = sorted[0][axis], high = last(sorted)[axis];
  const middle = Math.round(list.reduce((sum, l) => sum + l[axis], 0) / list.length);
  return merge_inserts(sorted.flatMap((l, i) => {
    const to = how.startsWith('spread') ? low + ((high - low) * i) / (sorted.length - 1) : middle;
    const by = Math.round(to) - l[axis];
    return by ? move(doc, template, new Set([key_of(l)]), axis === 'x' ? by : 0, axis === 'y' ? by : 0) : [];
  }));
}
