// Where things are: ends of edges on their locations, labels without coordinates, boxes.
export const RADIUS = 13, BRANCH_RADIUS = 5, LINE = 14, LETTER = 7.25;

const toward = (a, b, r) => {
  const dx = b.x - a.x, dy = b.y - a.y, d = Math.hypot(dx, dy) || 1;
  return { x: a.x + (dx * r) / d, y: a.y + (dy * r) / d };
};
const radius = (l) => (l.type === 'branch' ? BRANCH_RADIUS : RADIUS);

// Edges without nails between the same two ends, by these.
const twins_of = new WeakMap();
const pair = (e) => (e.source < e.target ? `${e.source} ${e.target}` : `${e.target} ${e.source}`);
function twins(template, edge) {
  let all = twins_of.get(template);
  if (!all) {
    twins_of.set(template, (all = new Map()));
    for (const e of template.edges) if (!e.nails.length) all.set(pair(e), [...(all.get(pair(e)) || []), e]);
  }
  return all.get(pair(edge)) || [];
}

// The points of an edge, from the rim of its source to the rim of its target; null if an end is
// missing. A loop without nails gets two.
export function edge_points(template, edge) {
  const source = template.by_id.get(edge.source), target = template.by_id.get(edge.target);
  if (!source || !target) return null;
  let middle = edge.nails;
  if (source === target && !middle.length) middle = [{ x: source.x - 26, y: source.y - 42 }, { x: source.x + 26, y: source.y - 42 }];
  else if (!middle.length) {
    // Parallel edges without nails would hide each other: all but the first are bent.
    const rank = twins(template, edge).indexOf(edge);
    if (rank > 0) {
      const a = edge.source < edge.target ? source : target, b = a === source ? target : source;
      const d = Math.hypot(b.x - a.x, b.y - a.y) || 1, side = (rank % 2 ? 1 : -1) * 24 * Math.ceil(rank / 2);
      middle = [{ x: (a.x + b.x) / 2 - ((b.y - a.y) / d) * side, y: (a.y + b.y) / 2 + ((b.x - a.x) / d) * side }];
    }
  }
  const points = [source, ...middle, target];
  return [toward(source, points[1], radius(source)), ...middle.map((p) => ({ x: p.x, y: p.y })), toward(target, points[points.length - 2], radius(target) + 1)];
}

// The middle of an edge; `flat`: the line there is rather level than steep.
export function middle_of(points) {
  const parts = points.slice(1).map((p, i) => ({ from: points[i], dx: p.x - points[i].x, dy: p.y - points[i].y, length: Math.hypot(p.x - points[i].x, p.y - points[i].y) }));
  let left = parts.reduce((sum, p) => sum + p.length, 0) / 2;
  for (const { from, dx, dy, length } of parts) {
    if (left <= length && length > 0) return { x: from.x + (left / length) * dx, y: from.y + (left / length) * dy, flat: Math.abs(dx) >= Math.abs(dy) };
    left -= length;
  }
  return { ...points[0], flat: false };
}

const lines_of = (text) => text.replace(/\s+$/, '').split('\n').length;

// What stands above the line of a level edge, from there upwards; all else is below.
const ABOVE = ['synchronisation', 'guard', 'select'];
export const rank_above = (template, owner, kind) => (owner.type === 'edge' && middle_of(edge_points(template, owner) || [{ x: 0, y: 0 }]).flat ? ABOVE.indexOf(kind) : -1);

// Where a label is drawn: its own coordinates, or a place beside its owner, below the labels before it.
export function label_place(template, owner, label) {
  if (label.x !== null && label.y !== null) return { x: label.x, y: label.y };
  if (owner.type === 'location') {
    if (label.kind === 'name') return { x: owner.x - 10, y: owner.y - 34 };
    let y = owner.y + 17;
    for (const other of owner.labels) {
      if (other === label) break;
      if (other.x === null && other.text.trim()) y += LINE * lines_of(other.text);
    }
    return { x: owner.x - 10, y };
  }
  const points = edge_points(template, owner);
  const at = points ? middle_of(points) : { x: 0, y: 0, flat: false };
  const others = owner.labels.filter((l) => l.x === null && l.text.trim()), height = (list) => list.reduce((sum, l) => sum + LINE * lines_of(l.text), 0);
  const before = (list) => list.slice(0, list.indexOf(label));
  const source = template.by_id.get(owner.source), is_left = owner.source === owner.target && source && at.x < source.x; // outside of a loop
  if (!at.flat) return { x: is_left ? at.x - 8 - Math.max(60, text_size(label.text).width) : at.x + 8, y: at.y - 6 + height(before(others)) };
  const x = at.x - Math.max(60, text_size(label.text).width) / 2, is_above = (l) => ABOVE.includes(l.kind), beside = others.filter((l) => is_above(l) === is_above(label));
  return { x, y: is_above(label) ? at.y - 6 - height(beside.slice(beside.indexOf(label))) : at.y + 5 + height(before(beside)) };
}

export function text_size(text) {
  const lines = text.replace(/\s+$/, '').split('\n');
  return { width: Math.max(...lines.map((l) => l.length)) * LETTER + 4, height: lines.length * LINE };
}

export function labels_of(object) {
  const all = object.type === 'location' && object.name ? [object.name, ...object.labels] : object.labels;
  return all || [];
}

// The box of a template, without a browser that measures text.
export function bounds_of(template) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  const add = (x, y, w = 0, h = 0) => {
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x + w);
    box.bottom = Math.max(box.bottom, y + h);
  };
  for (const l of [...template.locations, ...template.branches]) add(l.x - RADIUS, l.y - RADIUS, 2 * RADIUS, 2 * RADIUS);
  for (const e of template.edges) for (const p of edge_points(template, e) || []) add(p.x, p.y);
  for (const o of [...template.locations, ...template.edges])
    for (const label of labels_of(o)) {
      if (!label.text.trim()) continue;
      const at = label_place(template, o, label), size = text_size(label.text);
      add(at.x, at.y, size.width, size.height);
    }
  if (box.left > box.right) return { left: -100, top: -100, right: 100, bottom: 100 };
  return box;
}
