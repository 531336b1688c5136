// What the drawing shows of a document: templates with their locations, branch points and edges, as
// plain objects with the nodes of the XML that they come from.
import { Content, attribute } from './xml.js';

export const LOCATION_LABELS = ['invariant', 'exponentialrate', 'comments', 'testcodeEnter', 'testcodeExit'];
export const EDGE_LABELS = ['select', 'guard', 'synchronisation', 'assignment', 'probability', 'comments', 'testcode'];

const FAR = 1e6; // what is drawn farther away could not be seen beside the rest
const child = (node, name) => node.children.find((c) => c.name === name) || null;
const number = (text, node, name) => {
  const value = attribute(text, node, name);
  return value === undefined || !/^\s*[-+]?\d/.test(value) ? null : Math.trunc(Math.max(-FAR, Math.min(FAR, Number.parseFloat(value))));
};

export function view_of(text, root) {
  const content = (node) => (node ? new Content(text, node).text : '');
  const label = (node) => ({ node, kind: node.name === 'name' ? 'name' : attribute(text, node, 'kind') || '', text: content(node), x: number(text, node, 'x'), y: number(text, node, 'y') });
  const colour = (node) => attribute(text, node, 'color') || null;

  const location = (node, index, initial) => {
    const name = child(node, 'name'), x = number(text, node, 'x'), y = number(text, node, 'y');
    const id = attribute(text, node, 'id') || '';
    return {
      type: 'location', node, index, id, x: x ?? 0, y: y ?? 0, placed: x !== null && y !== null,
      name: name && label(name), labels: node.children.filter((c) => c.name === 'label').map(label),
      initial: id === initial, urgent: !!child(node, 'urgent'), committed: !!child(node, 'committed'), colour: colour(node),
    };
  };
  const branch = (node, index) => {
    const x = number(text, node, 'x'), y = number(text, node, 'y');
    return { type: 'branch', node, index, id: attribute(text, node, 'id') || '', x: x ?? 0, y: y ?? 0, placed: x !== null && y !== null, labels: [], colour: colour(node) };
  };
  const edge = (node, index) => {
    const end = (name) => {
      const c = child(node, name);
      return (c && attribute(text, c, 'ref')) || '';
    };
    return {
      type: 'edge', node, index, source: end('source'), target: end('target'), colour: colour(node),
      controllable: attribute(text, node, 'controllable') !== 'false',
      labels: node.children.filter((c) => c.name === 'label').map(label),
      nails: node.children.filter((c) => c.name === 'nail').map((n, i) => ({ node: n, index: i, x: number(text, n, 'x') ?? 0, y: number(text, n, 'y') ?? 0 })),
    };
  };
  const template = (node, index) => {
    const name = child(node, 'name'), init = child(node, 'init');
    const initial = init ? attribute(text, init, 'ref') : null;
    const of = (kind, make) => node.children.filter((c) => c.name === kind).map((c, i) => make(c, i, initial));
    const locations = of('location', location), branches = of('branchpoint', branch);
    const t = {
      node, index, name: content(name).trim(), name_node: name, parameter: child(node, 'parameter'),
      declaration: child(node, 'declaration'), init, locations, branches, edges: of('transition', edge), by_id: new Map(),
    };
    for (const l of [...locations, ...branches]) t.by_id.set(l.id, l);
    t.placed = [...locations, ...branches].every((l) => l.placed);
    return t;
  };
  const queries = child(root, 'queries');
  const query = (node, index) => {
    const formula = child(node, 'formula'), comment = child(node, 'comment'), expect = child(node, 'expect');
    return { node, index, formula, comment, expect, text: content(formula), note: content(comment), expected: expect && attribute(text, expect, 'outcome') };
  };
  return {
    declaration: child(root, 'declaration'), system: child(root, 'system'), instantiation: child(root, 'instantiation'), queries_node: queries,
    templates: root.children.filter((c) => c.name === 'template').map(template),
    queries: queries ? queries.children.filter((c) => c.name === 'query').map(query) : [],
  };
}

// /nta/template[1]/transition[3]/label[2]
export function path_of(node) {
  let path = '';
  for (let n = node; n; n = n.parent) {
    const same = n.parent ? n.parent.children.filter((c) => c.name === n.name) : [n];
    path = `/${n.name}${n.parent ? `[${same.indexOf(n) + 1}]` : ''}${path}`;
  }
  return path;
}
export function node_at(root, path) {
  const parts = path.split('/').slice(2);
  let node = root;
  for (const part of parts) {
    const [, name, index] = /^(.*?)(?:\[(\d+)\])?$/.exec(part);
    node = node && node.children.filter((c) => c.name === name)[Number(index || 1) - 1];
  }
  return node || null;
}
// The innermost element around a position of the text.
export function innermost(root, at) {
  let node = root;
  for (;;) {
    const next = node.children.find((c) => c.start <= at && at < c.end);
    if (!next) return node;
    node = next;
  }
}
