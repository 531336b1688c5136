// A template as SVG. Everything that can be selected carries its key (edits.js) as data-key.
import { BRANCH_RADIUS, LINE, RADIUS, bounds_of, edge_points, label_place, labels_of, text_size } from './geometry.js';
import { key_of, label_key } from './edits.js';
import { escape } from './dom.js';

const fixed = (n) => Math.round(n * 10) / 10;
const list = (points) => points.map((p) => `${fixed(p.x)} ${fixed(p.y)}`).join('L');
const name_of = (l) => (l.type === 'branch' ? 'branch point' : (l.name && l.name.text.trim()) || l.id);

function arrow(points) {
  const b = points[points.length - 1], a = points[points.length - 2];
  const d = Math.hypot(b.x - a.x, b.y - a.y) || 1, ux = (b.x - a.x) / d, uy = (b.y - a.y) / d;
  const left = { x: b.x - 10 * ux - 4 * uy, y: b.y - 10 * uy + 4 * ux }, right = { x: b.x - 10 * ux + 4 * uy, y: b.y - 10 * uy - 4 * ux };
  return `M${list([b, left, right])}Z`;
}

// Colours come from files: only what is a colour is used.
const colour_of = (o) => (o.colour && /^#[0-9a-fA-F]{3,8}$|^[a-z]+$/.test(o.colour) ? o.colour : null);

// What the mouse is told of a mistake.
const tip = (problem) => (problem ? `<title>${escape(problem.text)}</title>` : '');

function draw_label(template, owner, label, options) {
  const written = label.text.replace(/\s+$/, '');
  if (!written) return '';
  const at = label_place(template, owner, label), key = label_key(owner, label);
  const problem = options.problems && options.problems.get(key);
  const classes = ['label', /^\w+$/.test(label.kind) ? label.kind : 'other']; // a file may have anything there
  if (options.selected && options.selected.has(key)) classes.push('selected');
  if (problem) classes.push(problem.severity === 1 ? 'wrong' : 'doubtful');
  const size = text_size(label.text);
  const lines = written.split('\n').map((line, i) => `<tspan x="${fixed(at.x)}" y="${fixed(at.y + 11 + i * LINE)}">${escape(line) || ' '}</tspan>`).join('');
  return `<g class="${classes.join(' ')}" data-key="${key}">${tip(problem)}` +
    `<rect class="box" x="${fixed(at.x - 2)}" y="${fixed(at.y - 1)}" width="${fixed(size.width + 2)}" height="${size.height + 2}" rx="2"/><text xml:space="preserve">${lines}</text></g>`;
}

function draw_location(template, l, options) {
  const key = key_of(l), fill = colour_of(l);
  const classes = ['location'];
  if (options.selected && options.selected.has(key)) classes.push('selected');
  if (options.current === l.index) classes.push('current');
  if (options.visited && options.visited.has(l.index)) classes.push('visited');
  const problem = options.problems && options.problems.get(key);
  if (problem) classes.push('wrong');
  const mark = l.committed ? 'C' : l.urgent ? 'U' : '';
  const words = `location ${name_of(l)}${l.initial ? ', initial' : ''}${l.committed ? ', committed' : l.urgent ? ', urgent' : ''}${options.current === l.index ? ', current' : ''}`;
  const focus = options.interactive ? ` tabindex="-1" role="button"` : ' role="img"';
  return `<g class="${classes.join(' ')}" data-key="${key}" transform="translate(${l.x} ${l.y})"${focus} aria-label="${escape(words)}">` +
    tip(problem) + (options.current === l.index ? `<circle class="ring" r="${RADIUS + 5}"/>` : '') +
    `<circle class="disc" r="${RADIUS}"${fill ? ` style="fill:${fill}"` : ''}/>` +
    (l.initial ? `<circle class="inner" r="${RADIUS - 4}"/>` : '') +
    (mark ? `<text class="mark" text-anchor="middle" y="4.5">${mark}</text>` : '') + '</g>';
}

function draw_edge(template, e, options) {
  const points = edge_points(template, e);
  if (!points) return '';
  const key = key_of(e), stroke = colour_of(e), d = `M${list(points)}`;
  const classes = ['edge'];
  if (!e.controllable) classes.push('uncontrollable');
  if (options.selected && options.selected.has(key)) classes.push('selected');
  if (options.lit && options.lit.has(e.index)) classes.push('lit');
  if (options.enabled && options.enabled.has(e.index)) classes.push('enabled');
  if (options.taken && options.taken.has(e.index)) classes.push('taken');
  const problem = options.problems && options.problems.get(key);
  if (problem) classes.push('wrong');
  const source = template.by_id.get(e.source), target = template.by_id.get(e.target);
  const words = `edge from ${name_of(source)} to ${name_of(target)}${e.labels.map((l) => (l.text.trim() ? `, ${l.kind} ${l.text.trim()}` : '')).join('')}`;
  const focus = options.interactive ? ' tabindex="-1" role="button"' : '';
  let text = `<g class="${classes.join(' ')}" data-key="${key}"${focus} aria-label="${escape(words)}"${stroke ? ` style="--line:${stroke}"` : ''}>${tip(problem)}` +
    (options.interactive ? `<path class="near" d="${d}"/>` : '') + `<path class="line" d="${d}"/><path class="arrow" d="${arrow(points)}"/>`;
  if (options.interactive)
    for (const n of e.nails) {
      const nail = `${key}n${n.index}`;
      text += `<rect class="nail${options.selected && options.selected.has(nail) ? ' selected' : ''}" data-key="${nail}" x="${n.x - 3}" y="${n.y - 3}" width="6" height="6"/>`;
    }
  return `${text}</g>`;
}

// The inside of a drawing, element by element. Options: selected (keys), problems (key -> problem), current (location),
// visited (locations), lit, enabled and taken (edges), interactive.
export function drawing_parts(template, options = {}) {
  const parts = [];
  for (const e of template.edges) parts.push(draw_edge(template, e, options));
  for (const b of template.branches) {
    const key = key_of(b);
    parts.push(`<g class="branch${options.selected && options.selected.has(key) ? ' selected' : ''}" data-key="${key}" transform="translate(${b.x} ${b.y})"${options.interactive ? ' tabindex="-1" role="button"' : ''} aria-label="branch point"><circle class="near" r="10"/><circle class="dot" r="${BRANCH_RADIUS}"/></g>`);
  }
  for (const l of template.locations) parts.push(draw_location(template, l, options));
  for (const o of [...template.locations, ...template.edges]) for (const label of labels_of(o)) parts.push(draw_label(template, o, label, options));
  return parts.filter(Boolean);
}
export const drawing = (template, options) => drawing_parts(template, options).join('');

export function view_box(template, margin = 14) {
  const b = bounds_of(template);
  return { x: b.left - margin, y: b.top - margin, width: b.right - b.left + 2 * margin, height: b.bottom - b.top + 2 * margin };
}

// A drawing for itself, with its own style: for export.
const STYLE = `text{font:12px "DejaVu Sans Mono",Menlo,Consolas,monospace;fill:#222}.disc{fill:#e8eefc;stroke:#2b3a67;stroke-width:1.4}.inner{fill:none;stroke:#2b3a67}
.mark{font-weight:bold}.line{fill:none;stroke:var(--line,#444);stroke-width:1.3}.arrow{fill:var(--line,#444)}.uncontrollable .line{stroke-dasharray:5 4}.box{fill:none}.near{fill:none}
.dot{fill:#444}.name text{fill:#8a1c1c;font-weight:bold}.invariant text{fill:#7a1fa2}.exponentialrate text{fill:#9c4a00}.guard text{fill:#1b6e2c}.synchronisation text{fill:#00738a}.assignment text{fill:#1d3fbf}.select text{fill:#7d6a00}.comments text{fill:#777;font-style:italic}.probability text{fill:#9c4a00}`;
export function standalone(template) {
  const box = view_box(template);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${fixed(box.x)} ${fixed(box.y)} ${fixed(box.width)} ${fixed(box.height)}" width="${Math.ceil(box.width)}" height="${Math.ceil(box.height)}"><title>${escape(template.name)}</title><style>${STYLE}</style><rect x="${fixed(box.x)}" y="${fixed(box.y)}" width="100%" height="100%" fill="#fff"/>${drawing(template)}</svg>\n`;
}
