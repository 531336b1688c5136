// Charts of a run. The page of `tarn check --html` and the workbench share them: the page has this module inside of its
// script, the workbench imports it. A run has positions 0, 1, ...: its steps, and perhaps the instant at which it ends.
const SVG_NS = "http://www.w3.org/2000/svg";
export const COLOURS = ["#74c0fc", "#8ce99a", "#ffd43b", "#e599f7", "#ffa8a8", "#66d9e8", "#ffc078", "#b2f2bb", "#d0bfff", "#ced4da"];

export function draw(parent, name, attributes, text) {
  const node = document.createElementNS(parent.namespaceURI === SVG_NS || name === "svg" ? SVG_NS : parent.namespaceURI, name);
  for (const key in attributes || {}) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  parent.appendChild(node);
  return node;
}
export const escape_text = text => String(text).replace(/[&<>"]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
// A name in so many letters: names that are alike mostly differ at the end.
export const shortened = (text, size) => text.length > size ? text.slice(0, Math.ceil(size / 2) - 1) + "\u2026" + text.slice(text.length - Math.floor(size / 2)) : text;
export function nice(span, most) { // a round distance of ticks
  const raw = span / most, power = Math.pow(10, Math.floor(Math.log10(raw)));
  return [1, 2, 5, 10].map(m => m * power).find(s => s >= raw);
}
export function cut(points, a, b, c) { // what of a polygon has a x + b y <= c
  const inside = p => a * p[0] + b * p[1] <= c + 1e-9, result = [];
  points.forEach((p, i) => {
    const q = points[(i + 1) % points.length];
    if (inside(p)) result.push(p);
    if (inside(p) !== inside(q)) {
      const t = (c - a * p[0] - b * p[1]) / (a * (q[0] - p[0]) + b * (q[1] - p[1]));
      result.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]);
    }
  });
  return result;
}

// Where positions are on an axis of time, or of steps. In time, a state that lasts no time, or hardly any, still gets a
// width; what is so widened is shaded. `time(i)` is that of a position; `has_end`: the last one is the end.
export function axis_of(count, time, has_end, by_time) {
  const u = new Float64Array(count + 1), widened = new Uint8Array(count + 1);
  const all = by_time ? time(count - 1) : 0, least = by_time && all > 0 ? all / count * .5 : 1;
  for (let i = 0; i < count; i++) {
    const is_end = i === count - 1 && has_end, took = by_time && i < count - 1 ? time(i + 1) - time(i) : 0;
    const width = is_end ? least * .4 : by_time ? Math.max(took, least) : 1;
    widened[i] = by_time && took < least && !is_end ? 1 : 0;
    u[i + 1] = u[i] + width;
  }
  return { count, time, by_time, u, widened, total: u[count] };
}
export function position_at(axis, u) { // the last position that begins at u or before
  let low = 0, high = axis.count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (axis.u[middle] <= u) low = middle; else high = middle - 1;
  }
  return low;
}
function u_of_time(axis, t) {
  let low = 0, high = axis.count - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (axis.time(middle) >= t) high = middle; else low = middle + 1;
  }
  if (axis.time(low) <= t || !low) return axis.u[low];
  const before = axis.time(low - 1), span = axis.time(low) - before;
  return axis.u[low - 1] + (axis.u[low] - axis.u[low - 1]) * (t - before) / span;
}

// --- the time chart: a row of bars for each process or variable, over time or steps
//
// c.rows: { name, moves: positions at which the value changes, text(i), colour(i), title(i, next) }; c.axis; c.view: from, to on it;
// c.unit: of the times of the axis in one unit of time; c.number(i): of a step; c.arrows(i): { rows, title } or null; c.go(i).
// Perhaps c.loop: from where it repeats; c.gap: { at, text }; c.marks: positions; c.end: the class of the line at the end.

const BAR_TOP = 26, BAR_HEIGHT = 26, RIGHT = 14;

export function time_chart(box, c) {
  const { axis, view, rows } = c, width = Math.max(box.clientWidth, 300);
  const left = Math.min(width / 4, 18 + 7 * Math.max(4, ...rows.map(row => row.name.length))), inner = width - left - RIGHT;
  const x = u => left + (u - view[0]) / (view[1] - view[0]) * inner, bottom = BAR_TOP + rows.length * BAR_HEIGHT;
  const svg = draw(box, "svg", { viewBox: `0 0 ${width} ${bottom + 38}`, height: bottom + 38 });
  const marker = draw(draw(svg, "defs"), "marker", { id: "tip", orient: "auto", markerWidth: 7, markerHeight: 7, refX: 6, refY: 3 });
  draw(marker, "path", { d: "M0,0 L6,3 L0,6 z" });
  draw(draw(svg, "clipPath", { id: "inside" }), "rect", { x: left, y: 0, width: inner + RIGHT, height: bottom + 38 });
  const behind = draw(svg, "g"), plot = draw(svg, "g", { "clip-path": "url(#inside)" });
  const chart = { svg, left, right: RIGHT, inner, bottom, x, plot, behind, from: position_at(axis, view[0]), to: position_at(axis, view[1]) };
  draw_bands(chart, c);
  rows.forEach((row, r) => {
    const name = draw(svg, "text", { x: 4, y: BAR_TOP + r * BAR_HEIGHT + 17, class: "row-name" }, shortened(row.name, Math.floor((left - 8) / 6.6)));
    draw(name, "title", {}, row.name);
    draw_row(chart, c, row, BAR_TOP + r * BAR_HEIGHT);
  });
  draw_arrows(chart, c);
  draw_axis(chart, c);
  draw_marks(chart, c);
  draw(svg, "text", { x: left + inner, y: bottom + 34, class: "axis-name", "text-anchor": "end" }, axis.by_time ? "time" : "step");
  const end = axis.u[axis.count - 1];
  if (c.end && end <= view[1]) draw(plot, "line", { x1: x(end), x2: x(end), y1: BAR_TOP - 4, y2: bottom, class: c.end });
  draw(plot, "path", { id: "cursor-tip" });
  draw(plot, "line", { id: "cursor" });
  return chart;
}
export function point_at(chart, where) { // the cursor
  const line = chart.svg.querySelector("#cursor");
  for (const [key, value] of Object.entries({ x1: where, x2: where, y1: BAR_TOP - 6, y2: chart.bottom })) line.setAttribute(key, value);
  chart.svg.querySelector("#cursor-tip").setAttribute("d", `M${where - 5},${BAR_TOP - 12} h10 l-5,7 z`);
}
function draw_bands({ plot, x, from, to, left, bottom }, { axis, loop }) {
  for (let i = from; i <= to; i++) {
    if (!axis.widened[i]) continue;
    let j = i;
    while (j < to && axis.widened[j + 1]) j++;
    draw(plot, "rect", { x: x(axis.u[i]), width: x(axis.u[j + 1]) - x(axis.u[i]), y: BAR_TOP, height: bottom - BAR_TOP + 6, class: "widened" });
    i = j;
  }
  if (loop === undefined) return;
  const a = x(axis.u[loop]), b = x(axis.u[axis.count]);
  draw(plot, "rect", { x: a, width: b - a, y: 0, height: bottom, class: "looped" });
  draw(plot, "path", { d: `M${b},${BAR_TOP - 3} V${BAR_TOP - 9} H${a} V${BAR_TOP - 3} m-3,-5 l3,5 l3,-5`, class: "loop-line" });
  draw(plot, "text", { x: Math.max(a, left) + 6, y: BAR_TOP - 13, class: "loop-name" }, "\u21bb repeats for ever");
}
function draw_row({ plot, x, from, to, left }, { axis, steps, go }, row, y) {
  const { moves } = row;
  let k = 0, merged = null, drawn_to = -Infinity;
  for (let low = 0, high = moves.length; low < high;) { // the first move after `from`
    const middle = (low + high) >> 1;
    if (moves[middle] <= from) low = k = middle + 1; else high = middle;
  }
  for (let i = k ? moves[k - 1] : 0; i < steps && i <= to; i = k < moves.length ? moves[k] : steps, k++) {
    const next = k < moves.length ? moves[k] : axis.count, a = x(axis.u[i]), b = x(axis.u[next]), first = i;
    if (b - a < 2 && a - drawn_to < 2) { // too many to tell apart: one grey bar
      if (!merged) merged = draw(plot, "rect", { x: drawn_to, y: y + 3, height: BAR_HEIGHT - 6, width: 0, class: "bar merged" });
      merged.setAttribute("width", b - Number(merged.getAttribute("x")));
      drawn_to = b;
      continue;
    }
    merged = null;
    drawn_to = b;
    const bar = draw(plot, "rect", { x: a, y: y + 3, width: Math.max(b - a, 2), height: BAR_HEIGHT - 6, class: "bar", fill: COLOURS[row.colour(i) % COLOURS.length] });
    draw(bar, "title", {}, row.title(first, next));
    bar.onclick = () => go(first);
    const begin = Math.max(a, left) + 4, text = row.text(i);
    if (b - begin > 6.5 * text.length) draw(plot, "text", { x: begin, y: y + 17, class: "bar-name" }, text);
  }
}
function draw_arrows({ plot, x, from, to }, { axis, steps, arrows }) {
  if (!arrows || x(axis.u[to]) - x(axis.u[from]) < 8 * (to - from)) return; // too dense
  for (let i = Math.max(from, 1); i <= to && i < steps; i++) {
    const { rows, title } = arrows(i), middle = row => BAR_TOP + BAR_HEIGHT / 2 + BAR_HEIGHT * row;
    for (let k = 1; k < rows.length; k++) {
      const arrow = draw(plot, "line", { x1: x(axis.u[i]), x2: x(axis.u[i]), y1: middle(rows[k - 1]), y2: middle(rows[k]), "marker-end": "url(#tip)", class: "sync" });
      draw(arrow, "title", {}, title);
    }
  }
}
function draw_axis({ behind, x, bottom, left, inner }, { axis, steps, view, unit, number }) {
  const most = Math.max(2, Math.floor(inner / 70));
  const tick = (where, label) => {
    draw(behind, "line", { x1: where, x2: where, y1: BAR_TOP, y2: bottom + 4, class: "tick" });
    draw(behind, "text", { x: where, y: bottom + 16, class: "tick-name", "text-anchor": "middle" }, label);
  };
  if (!axis.by_time) {
    const step = Math.max(1, nice(view[1] - view[0], most));
    for (let i = Math.ceil(view[0] / step) * step; i < steps && i <= view[1]; i += step) tick(x(i), number(i));
    return;
  }
  const step = nice((view[1] - view[0]) / unit, most);
  let last = -Infinity;
  for (let k = 0; k * step * unit <= axis.time(axis.count - 1) + 1e-9; k++) {
    const where = x(u_of_time(axis, k * step * unit));
    if (where < left - 1 || where - last < 40) continue;
    if (where > left + inner + 1) break;
    tick(last = where, String(Number((k * step).toPrecision(9))));
  }
}
function draw_marks({ plot, x, from, to, bottom }, { axis, marks, gap }) {
  let last = -Infinity;
  for (const i of marks || []) {
    const where = x(axis.u[i]);
    if (i < from || i > to || where - last < 3) continue;
    draw(plot, "circle", { cx: last = where, cy: bottom + 4, r: 3, class: "mark" });
  }
  if (!gap) return;
  const where = x(axis.u[gap.at]);
  draw(plot, "line", { x1: where, x2: where, y1: BAR_TOP - 8, y2: bottom, class: "gap" });
  draw(plot, "text", { x: where, y: BAR_TOP - 12, class: "axis-name", "text-anchor": "middle" }, gap.text);
}

// --- the sequence chart: who synchronises with whom, a line for each step, as SVG text
//
// net: { processes, edges }; steps: { time, edges, locations }, `time` a text; now: the present one; from, to: those that are drawn.

const COLUMN = 165, LINE = 30, HEAD = 26;

export function sequence_chart(net, steps, now, from, to) {
  const x = p => 96 + p * COLUMN, y = i => HEAD + 20 + (i - from) * LINE;
  const width = x(net.processes.length - 1) + 70, height = y(to) + 6;
  let text = "";
  net.processes.forEach((p, i) => {
    text += `<path class="lifeline" d="M${x(i)} ${HEAD}V${height}"/><text class="who" x="${x(i)}" y="14" text-anchor="middle">${escape_text(shortened(p.name, 16))}<title>${escape_text(p.name)}</title></text>`;
  });
  const place = (p, l, at) => `<g class="place"><rect x="${x(p) - 44}" y="${at - 9}" width="88" height="17" rx="8"/><text x="${x(p)}" y="${at + 4}" text-anchor="middle">${escape_text(shortened(net.processes[p].locations[l].name, 13))}</text></g>`;
  for (let i = from; i < to; i++) {
    const s = steps[i], at = y(i), edges = s.edges.map(id => net.edges[id]), sender = edges.find(e => /!$/.test(e.event)) || edges[0];
    let row = i === from ? net.processes.map((_, p) => place(p, s.locations[p], at)).join("") : "";
    if (i !== from) for (const e of edges) {
      const a = x(sender.process), b = x(e.process), side = b > a ? 46 : -46;
      if (e !== sender) row += `<path class="message" d="M${a + side} ${at}H${b - side}"/><path class="tip" d="M${b - side} ${at}l${b > a ? -7 : 7} -4v8z"/>`;
      row += place(e.process, s.locations[e.process], at);
    }
    if (i !== from && edges.length) {
      const label = edges.length > 1 ? sender.event.replace(/[!?]$/, "") : edges[0].is_sync ? edges[0].event : "";
      const other = edges.find(e => e !== sender), middle = other ? (x(sender.process) + x(other.process)) / 2 : x(sender.process) + 50;
      row += `<text class="event" x="${middle}" y="${at - 5}" text-anchor="${other ? "middle" : "start"}">${escape_text(label)}</text>`;
    }
    text += `<g class="step${i === now ? " now" : ""}" data-step="${i}"><rect class="stripe" x="0" y="${at - LINE / 2}" width="${width}" height="${LINE}"/><text class="when" x="4" y="${at + 4}">${escape_text(s.time ?? "")}</text>${row}</g>`;
  }
  return `<svg class="sequence" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="sequence chart of the run">${text}</svg>`;
}
