// A layout for templates without coordinates: dagre, with the sizes of labels, its bends as nails.
import dagre from '@dagrejs/dagre';
import { LINE, labels_of, text_size } from './geometry.js';

export function layout_of(template) {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 55, ranksep: 45, edgesep: 30 });
  const shown = (o) => labels_of(o).filter((l) => l.text.trim());
  const box = (labels) => labels.map((l) => text_size(l.text)).reduce((a, b) => ({ width: Math.max(a.width, b.width), height: a.height + b.height }), { width: 0, height: 0 });
  const nodes = [...template.locations, ...template.branches];
  for (const n of nodes) {
    const size = box(shown(n));
    graph.setNode(n.id, { width: 40 + 2 * size.width, height: Math.max(34, size.height + 14) });
  }
  const edges = template.edges.filter((e) => template.by_id.has(e.source) && template.by_id.has(e.target));
  const place = (side) => {
    for (const e of edges) {
      const size = box(shown(e));
      graph.setEdge(e.source, e.target, { width: size.width + 12, height: size.height + 6, labelpos: side(e), labeloffset: 6 }, `e${e.index}`);
    }
    dagre.layout(graph);
  };
  place(() => 'r');
  // Labels of edges that bend to the left go to the left: on the right their own line would cross them.
  const left = new Set(edges.filter((e) => e.source !== e.target && bends_left(graph.node(e.source), graph.node(e.target), graph.edge(e.source, e.target, `e${e.index}`).points)));
  if (left.size) place((e) => (left.has(e) ? 'l' : 'r'));
  const places = new Map(), nails = new Map();
  for (const n of nodes) {
    const p = graph.node(n.id);
    places.set(n, { x: p.x, y: p.y });
    // Edges come and go above and below: names are beside. Loops are there: labels make room for them.
    const loops = edges.some((e) => e.source === n.id && e.target === n.id);
    let y = p.y + (loops ? 18 : n.name && n.name.text.trim() ? 8 : -6);
    for (const label of labels_of(n)) {
      if (label.kind === 'name') places.set(label, { x: p.x + (loops ? 14 : 19), y: p.y - (loops ? 30 : 7) });
      else {
        places.set(label, { x: p.x + 19, y });
        if (label.text.trim()) y += text_size(label.text).height;
      }
    }
  }
  for (const e of edges) {
    const q = graph.edge(e.source, e.target, `e${e.index}`);
    const source = graph.node(e.source), target = graph.node(e.target);
    const inner = q.points.slice(1, -1).filter((p) => e.source === e.target || away(source, target, p) > 4);
    const bends = thin(inner.map((p) => ({ x: p.x, y: p.y })), source, target);
    nails.set(e, e.source === e.target ? loop(source, q) : bends);
    let y = (q.y ?? (source.y + target.y) / 2) - (q.height ?? 0) / 2 + 3;
    const x = (q.x ?? (source.x + target.x) / 2) - (q.width ?? 0) / 2 + 6;
    for (const label of e.labels) {
      places.set(label, { x, y });
      if (label.text.trim()) y += text_size(label.text).height || LINE;
    }
  }
  return { places, nails };
}

const loop = (at, q) => [{ x: Math.max(at.x + 30, q.x - q.width / 2 - 4), y: at.y - 18 }, { x: Math.max(at.x + 30, q.x - q.width / 2 - 4), y: at.y + 18 }];
// Whether the middle of an edge lies clearly to the left of the line between its ends.
function bends_left(source, target, points) {
  const middle = points[points.length >> 1], span = target.y - source.y;
  const straight = span ? source.x + ((target.x - source.x) * (middle.y - source.y)) / span : (source.x + target.x) / 2;
  return middle.x < straight - 12;
}
// Distance of a point from the line between two others.
function away(a, b, p) {
  const dx = b.x - a.x, dy = b.y - a.y, d = Math.hypot(dx, dy);
  return d ? Math.abs((p.x - a.x) * dy - (p.y - a.y) * dx) / d : Math.hypot(p.x - a.x, p.y - a.y);
}
// Leaves out bends that are nearly on a line with their neighbours.
function thin(points, source, target) {
  const kept = [];
  let before = source;
  points.forEach((p, i) => {
    const next = points[i + 1] || target;
    if (away(before, next, p) > 3) {
      kept.push(p);
      before = p;
    }
  });
  return kept;
}

// The template with the places of a layout, without a change of the document.
export function placed_view(template) {
  if (template.placed) return template;
  const { places, nails } = layout_of(template);
  const moved = (o) => (places.has(o) ? { ...o, ...round(places.get(o)) } : o);
  const copy = { ...template, by_id: new Map(), is_laid_out: true };
  const with_labels = (o) => ({ ...moved(o), name: o.name && moved(o.name), labels: o.labels.map(moved) });
  copy.locations = template.locations.map(with_labels);
  copy.branches = template.branches.map(with_labels);
  for (const l of [...copy.locations, ...copy.branches]) copy.by_id.set(l.id, l);
  copy.edges = template.edges.map((e) => ({ ...e, labels: e.labels.map(moved), nails: (nails.get(e) || []).map((p, index) => ({ node: null, index, ...round(p) })) }));
  return copy;
}
const round = (p) => ({ x: Math.round(p.x), y: Math.round(p.y) });
