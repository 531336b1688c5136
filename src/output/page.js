"use strict";
// The data are made by page.c. A position is a step of the run, or the instant after the last step at
// which the run ends, if time passes before it. `now` is the present position. Of a long run steps are
// left out, from the position `head` on: there positions and the numbers of steps differ.
const data = JSON.parse(document.getElementById("data").textContent);
const at = id => document.getElementById(id);
const NS = "http://www.w3.org/2000/svg";
const COLOURS = ["#74c0fc", "#8ce99a", "#ffd43b", "#e599f7", "#ffa8a8", "#66d9e8", "#ffc078", "#b2f2bb", "#d0bfff", "#ced4da"];
const MANY_ROWS = 12, MANY_COLUMNS = 8, LONG_RUN = 150, ROW = 24;
const net = data.net;
const RUN_FILE = decodeURIComponent(location.pathname.replace(/.*\//, "")) + ".run.json"; // beside the page, if steps are left out
let chosen = 0, now = 0, rounds = 1, run = null, view = [0, 1], matches = [];

function make(parent, name, attributes, text) {
  const node = document.createElementNS(parent.namespaceURI === NS || name === "svg" ? NS : parent.namespaceURI, name);
  for (const key in attributes || {}) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  parent.appendChild(node);
  return node;
}
const divisor = (a, b) => b ? divisor(b, a % b) : Math.abs(a);
function fraction(over, under) { // as it is written: 3/2
  const d = divisor(over, under) || 1;
  return under / d === 1 ? String(over / d) : over / d + "/" + under / d;
}
const is_good = r => ["satisfied", "explored", "estimated"].includes(r.verdict);
const title_of = r => r.title || r.query || "all states";
const edge_name = e => net.processes[e.process].name + ": " + location_name(e.process, e.source) + " \u2192 " + location_name(e.process, e.target);
const location_name = (p, l) => net.processes[p].locations[l].name;
// The two sides of a channel, go! and go?, are one event.
const event_names = ids => { const names = [...new Set(ids.map(id => net.edges[id].event.replace(ids.length > 1 ? /[!?]$/ : "", "")))]; return names.join("/"); };
const transition_name = ids => ids.map(id => edge_name(net.edges[id])).join(", ") + " (" + event_names(ids) + ")";

// --- the run: what is computed once

function open_run(source) {
  if (!source) return null;
  const r = Object.assign({}, source), steps = r.locations.length;
  r.steps = steps;
  r.has_end = !!r.end && r.times && r.end.time > r.times[steps - 1];
  r.count = steps + (r.has_end ? 1 : 0);
  r.step_of = i => Math.min(i, steps - 1);
  r.number = i => i < r.head ? i : i + r.left_out;
  r.position = n => n < r.head ? n : Math.max(r.head, n - r.left_out);
  r.time = i => r.times ? (i < steps ? r.times[i] : r.end.time) : 0;
  r.time_text = i => fraction(r.time(i), r.denominator);
  r.clocks_at = i => i < steps ? r.clocks[i] : r.end.clocks;
  r.takes_time = !!r.times && r.time(r.count - 1) > 0;
  r.moves = net.processes.map(() => []); // by process: the positions at which an edge of it is taken
  const move = (p, i) => { if (r.moves[p][r.moves[p].length - 1] !== i) r.moves[p].push(i); };
  r.edges.forEach((ids, i) => {
    if (i && i === r.head) r.moves.forEach((_, p) => { if (r.locations[i][p] !== r.locations[i - 1][p]) move(p, i); });
    ids.forEach(id => move(net.edges[id].process, i));
  });
  r.is_idle = r.moves.map(list => !list.length);
  r.names = r.edges.map((ids, i) => i ? transition_name(ids) : "start");
  r.columns = columns_of(r);
  r.first_location = net.processes.map(p => p.locations.map(() => Infinity));
  r.first_edge = net.edges.map(() => Infinity);
  for (let i = 0; i < steps; i++) {
    for (let p = 0; p < net.processes.length; p++) {
      const l = r.locations[i][p];
      if (r.first_location[p][l] > i) r.first_location[p][l] = i;
    }
    for (const id of r.edges[i]) if (r.first_edge[id] > i) r.first_edge[id] = i;
  }
  return r;
}
function columns_of(r) {
  const columns = [];
  net.variables.forEach((name, v) => {
    const value = i => String(r.variables[r.step_of(i)][v]);
    columns.push({ name, value, is_constant: r.variables.every(row => row[v] === r.variables[0][v]), marks: true });
  });
  if (r.clocks) net.clocks.forEach((name, x) => {
    const value = i => fraction(r.clocks_at(i)[x], r.denominator);
    let is_constant = true; // one that is never reset shows nothing but the time
    for (let i = 0; i < r.count && is_constant; i++) is_constant = r.clocks_at(i)[x] === r.time(i);
    columns.push({ name, value, is_constant, marks: false });
  });
  columns.forEach(c => {
    c.width = c.name.length;
    for (let i = 0; i < r.count; i++) c.width = Math.max(c.width, c.value(i).length);
  });
  return columns;
}
const shown_columns = () => run.columns.filter(c => at("constant").checked || !c.is_constant);
const shown_rows = () => net.processes.map((p, i) => i).filter(p => at("idle").checked || !run.is_idle[p]);

// --- answers

function show_answers() {
  const table = at("answers");
  table.textContent = "";
  data.results.forEach((r, i) => {
    const row = make(table, "tr", { class: "result" + (i === chosen ? " chosen" : "") });
    make(row, "td", { class: "query" }, title_of(r));
    make(row, "td", { class: r.run && !r.query || r.verdict === "estimated" ? "" : is_good(r) ? "good" : "bad" },
      r.run && !r.query ? "" : r.verdict + (r.reason ? " (" + r.reason.split("\n")[0] + ")" : ""));
    const last = r.run && r.run.locations.length - 1, steps = r.run && last + r.run.left_out;
    const end = r.run && r.run.end ? r.run.end.time : r.run && r.run.times ? r.run.times[last] : 0;
    make(row, "td", {}, !r.run ? (r.has_run ? "a run: see " + RUN_FILE : r.estimate ? r.estimate.runs + " runs" : "no run") : "a run of " + steps + (steps === 1 ? " step" : " steps") +
      (r.run.times ? ", " + fraction(end, r.run.denominator) + " time units" : "") + (r.run.loop !== undefined ? ", then it repeats" : ""));
    row.onclick = () => choose(i);
  });
  const reason = (data.results[chosen] || {}).reason || ""; // of an error at run time: with the end of the run
  at("reason").textContent = reason.includes("\n") ? reason : "";
  at("results").style.display = data.results.length ? "" : "none";
}
function show_head() {
  const r = data.results[chosen];
  at("title").textContent = !r ? data.model : r.title ? r.title : data.model + ": " + title_of(r);
  const counts = {};
  data.results.forEach(x => { counts[x.verdict] = (counts[x.verdict] || 0) + 1; });
  const sum = data.results.length > 1 ? data.results.length + " answers: " + Object.entries(counts).map(e => e[1] + " " + e[0]).join(", ") : r && !r.title ? r.verdict : "";
  const constants = Object.entries(data.constants || {}).map(e => ", " + e[0] + " = " + e[1]).join("");
  at("subtitle").textContent = (sum ? sum + " \u00b7 " : "") + data.model + constants + " \u00b7 tarn " + data.tarn;
  document.title = at("title").textContent;
}
function show_stats() {
  const r = data.results[chosen] || {}, list = at("stats");
  list.textContent = "";
  for (const [name, value] of Object.entries(Object.assign({ symmetry: r.symmetry || null }, r.stats))) {
    if (value === null) continue;
    const box = make(list, "div");
    make(box, "dt", {}, name);
    make(box, "dd", {}, typeof value === "number" ? value.toLocaleString("en") : value);
  }
  at("costs").style.display = r.title ? "none" : "";
  at("options").textContent = Object.entries(data.options || {}).map(e => "--" + e.join(" ")).join("  ");
}

// What was planned and why, and the stages: those that were run with what came out, the others in grey.
function show_plan() {
  const r = data.results[chosen] || {}, plan = r.plan, table = at("stages");
  at("planned").style.display = plan ? "" : "none";
  table.textContent = "";
  if (!plan) return;
  at("plan").textContent = "engine " + plan.engine + ": " + plan.engine_why + " \u00b7 symmetry " + plan.symmetry + ": " + plan.symmetry_why +
    " \u00b7 partial order " + (plan.partial_order ? "on: " : "off: ") + plan.partial_order_why +
    " \u00b7 " + ["abstraction", "bounds", "order", "threads"].map(name => name + " " + plan[name]).join(", ");
  const add = (number, name, text, outcome, is_run) => {
    const row = make(table, "tr", is_run ? {} : { class: "skipped" });
    [number || "", name, text, outcome].forEach(cell => make(row, "td", {}, cell));
  };
  const counts = s => ["visited", "stored", "transitions"].filter(key => s[key]).map(key => key + " " + s[key].toLocaleString("en") + ", ").join("") +
    "seconds " + s.seconds.toFixed(3);
  r.stages.forEach(s => add(s.number, s.name, s.outcome, counts(s.stats), true));
  plan.stages.filter(s => !r.stages.some(done => done.number === s.number))
    .forEach(s => add(s.number, s.name + (s.when ? ", " + s.when : ""), s.purpose, "not run", false));
}

// --- the chart: locations over time or steps
//
// In time, a state that lasts no time, or hardly any, still gets a width; what is so widened is shaded.

function lay_out() {
  const by_time = at("axis").value === "time" && run.times;
  run.u = new Float64Array(run.count + 1);
  run.widened = new Uint8Array(run.count + 1);
  const total = by_time ? run.time(run.count - 1) : 0, least = by_time && total > 0 ? total / run.count * .5 : 1;
  for (let i = 0; i < run.count; i++) {
    const is_last = i === run.count - 1, took = by_time && !is_last ? run.time(i + 1) - run.time(i) : 0;
    const width = !by_time ? (is_last && run.has_end ? .4 : 1) : is_last && run.has_end ? least * .4 : Math.max(took, least);
    run.widened[i] = by_time && took < least && !(is_last && run.has_end) ? 1 : 0;
    run.u[i + 1] = run.u[i] + width;
  }
  run.total = run.u[run.count];
}
function position_at(u) { // the last position that begins at u or before
  let low = 0, high = run.count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (run.u[middle] <= u) low = middle; else high = middle - 1;
  }
  return low;
}
function u_of_time(t) { // t in units of the denominator
  let low = 0, high = run.count - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (run.time(middle) >= t) high = middle; else low = middle + 1;
  }
  if (run.time(low) <= t || !low) return run.u[low];
  const before = run.time(low - 1), span = run.time(low) - before;
  return run.u[low - 1] + (run.u[low] - run.u[low - 1]) * (t - before) / span;
}
function nice(span, most) { // a round distance of ticks
  const raw = span / most, power = Math.pow(10, Math.floor(Math.log10(raw)));
  return [1, 2, 5, 10].map(m => m * power).find(s => s >= raw);
}
const chart = { top: 26, height: 26, right: 14 };

function show_chart() {
  const box = at("gantt"), rows = shown_rows();
  const scroll = box.scrollTop;
  box.textContent = "";
  lay_out();
  const width = Math.max(box.clientWidth, 300), by_time = at("axis").value === "time" && run.times;
  const left = chart.left = Math.min(width / 4, 18 + 7 * Math.max(4, ...rows.map(p => net.processes[p].name.length)));
  const inner = width - left - chart.right, top = chart.top, height = chart.height;
  const x = chart.x = u => left + (u - view[0]) / (view[1] - view[0]) * inner;
  chart.bottom = top + rows.length * height;
  const svg = chart.svg = make(box, "svg", { viewBox: `0 0 ${width} ${chart.bottom + 38}`, height: chart.bottom + 38 });
  const marker = make(make(svg, "defs"), "marker", { id: "tip", orient: "auto", markerWidth: 7, markerHeight: 7, refX: 6, refY: 3 });
  make(marker, "path", { d: "M0,0 L6,3 L0,6 z" });
  make(make(svg, "clipPath", { id: "inside" }), "rect", { x: left, y: 0, width: inner + chart.right, height: chart.bottom + 38 });
  const axis = make(svg, "g"); // behind the bars
  const plot = make(svg, "g", { "clip-path": "url(#inside)" });
  const from = position_at(view[0]), to = position_at(view[1]);
  draw_bands(plot, from, to);
  rows.forEach((p, row) => {
    make(svg, "text", { x: 4, y: top + row * height + 17, class: "row-name" }, net.processes[p].name);
    draw_row(plot, p, top + row * height, from, to);
  });
  draw_syncs(plot, rows, from, to);
  draw_axis(axis, by_time, inner);
  draw_marks(plot, from, to);
  draw_gap(plot);
  make(svg, "text", { x: left + inner, y: chart.bottom + 34, class: "axis-name", "text-anchor": "end" }, by_time ? "time" : "step");
  if (run.has_end && run.u[run.count - 1] <= view[1])
    make(plot, "line", { x1: x(run.u[run.count - 1]), x2: x(run.u[run.count - 1]), y1: top - 4, y2: chart.bottom, class: "end-line" + (run.is_bad ? "" : " holds") });
  make(plot, "path", { id: "cursor-tip" });
  make(plot, "line", { id: "cursor" });
  box.scrollTop = scroll;
  draw_cursor();
  draw_overview(rows);
}
function draw_bands(plot, from, to) {
  const { x, top } = chart, height = chart.bottom - top;
  for (let i = from; i <= to; i++) {
    if (!run.widened[i]) continue;
    let j = i;
    while (j < to && run.widened[j + 1]) j++;
    make(plot, "rect", { x: x(run.u[i]), width: x(run.u[j + 1]) - x(run.u[i]), y: top, height: height + 6, class: "widened" });
    i = j;
  }
  if (run.loop === undefined) return;
  const a = x(run.u[run.loop]), b = x(run.u[run.count]);
  make(plot, "rect", { x: a, width: b - a, y: 0, height: chart.bottom, class: "looped" });
  make(plot, "path", { d: `M${b},${top - 3} V${top - 9} H${a} V${top - 3} m-3,-5 l3,5 l3,-5`, class: "loop-line" });
  make(plot, "text", { x: Math.max(a, chart.left) + 6, y: top - 13, class: "loop-name" }, "\u21bb repeats for ever");
}
function draw_row(plot, p, y, from, to) {
  const { x, height } = chart, moves = run.moves[p], process = net.processes[p];
  let k = 0, merged = null, drawn_to = -Infinity;
  for (let low = 0, high = moves.length; low < high;) { // the first move after `from`
    const middle = (low + high) >> 1;
    if (moves[middle] <= from) low = k = middle + 1; else high = middle;
  }
  for (let i = k ? moves[k - 1] : 0; i < run.steps && i <= to; i = k < moves.length ? moves[k] : run.steps, k++) {
    const next = k < moves.length ? moves[k] : run.count, where = run.locations[i][p];
    const a = x(run.u[i]), b = x(run.u[next]), first = i;
    if (b - a < 2 && a - drawn_to < 2) { // too many to tell apart: one grey bar
      if (!merged) merged = make(plot, "rect", { x: drawn_to, y: y + 3, height: height - 6, width: 0, class: "bar merged" });
      merged.setAttribute("width", b - Number(merged.getAttribute("x")));
      drawn_to = b;
      continue;
    }
    merged = null;
    drawn_to = b;
    const bar = make(plot, "rect", { x: a, y: y + 3, width: Math.max(b - a, 2), height: height - 6, class: "bar", fill: COLOURS[where % COLOURS.length] });
    const name = process.locations[where].name;
    make(bar, "title", {}, process.name + "." + name + (run.times ? " from " + run.time_text(first) + " to " + run.time_text(Math.min(next, run.count - 1)) : " from step " + run.number(first)));
    bar.onclick = () => go(first);
    const begin = Math.max(a, chart.left) + 4;
    if (b - begin > 6.5 * name.length) make(plot, "text", { x: begin, y: y + 17, class: "bar-name" }, name);
  }
}
function draw_syncs(plot, rows, from, to) {
  const { x, top, height } = chart;
  if (x(run.u[to]) - x(run.u[from]) < 4 * (to - from)) return; // too dense
  for (let i = Math.max(from, 1); i <= to && i < run.steps; i++) {
    const ids = run.edges[i];
    for (let k = 1; k < ids.length; k++) {
      const row = id => top + height / 2 + height * rows.indexOf(net.edges[id].process);
      const arrow = make(plot, "line", { x1: x(run.u[i]), x2: x(run.u[i]), y1: row(ids[k - 1]), y2: row(ids[k]), "marker-end": "url(#tip)", class: "sync" });
      make(arrow, "title", {}, run.names[i]);
    }
  }
}
function draw_axis(plot, by_time, inner) {
  const { x, bottom } = chart, most = Math.max(2, Math.floor(inner / 70));
  const tick = (where, label) => {
    make(plot, "line", { x1: where, x2: where, y1: chart.top, y2: bottom + 4, class: "tick" });
    make(plot, "text", { x: where, y: bottom + 16, class: "tick-name", "text-anchor": "middle" }, label);
  };
  if (!by_time) {
    const step = Math.max(1, nice(view[1] - view[0], most));
    for (let i = Math.ceil(view[0] / step) * step; i < run.steps && i <= view[1]; i += step) tick(x(i), run.number(i));
    return;
  }
  const d = run.denominator, step = nice((view[1] - view[0]) / d, most);
  let last = -Infinity;
  for (let k = 0; k * step * d <= run.time(run.count - 1) + 1e-9; k++) {
    const where = x(u_of_time(k * step * d));
    if (where < chart.left - 1 || where - last < 40) continue;
    if (where > chart.left + inner + 1) break;
    tick(last = where, String(Number((k * step).toPrecision(9))));
  }
}
function draw_marks(plot, from, to) {
  let last = -Infinity;
  for (const i of matches) {
    const where = chart.x(run.u[i]);
    if (i < from || i > to || where - last < 3) continue;
    make(plot, "circle", { cx: last = where, cy: chart.bottom + 4, r: 3, class: "mark" });
  }
}
function draw_gap(plot) { // where steps are left out
  if (!run.left_out) return;
  const where = chart.x(run.u[run.head]);
  make(plot, "line", { x1: where, x2: where, y1: chart.top - 8, y2: chart.bottom, class: "gap" });
  make(plot, "text", { x: where, y: chart.top - 12, class: "axis-name", "text-anchor": "middle" }, left_out_text());
}
const left_out_text = () => run.left_out.toLocaleString("en") + " steps are left out";
function draw_cursor() {
  const where = chart.x(run.u[now]) + (run.has_end && now === run.count - 1 ? 0 : .5), line = at("cursor");
  for (const [key, value] of Object.entries({ x1: where, x2: where, y1: chart.top - 6, y2: chart.bottom })) line.setAttribute(key, value);
  at("cursor-tip").setAttribute("d", `M${where - 5},${chart.top - 12} h10 l-5,7 z`);
}

// --- the brush: the whole run in small, and the window that the chart shows

function draw_overview(rows) {
  const brush = at("brush"), is_needed = run.count > LONG_RUN || view[1] - view[0] < run.total * .999;
  brush.style.display = is_needed ? "" : "none";
  at("hint").textContent = is_needed ? "Drag in the strip to move or choose the window; Ctrl and the wheel zoom." :
    run.widened.some(w => w) ? "Shaded: instants with several steps, or very short ones, are drawn wider than the scale." : "";
  if (!is_needed) return;
  const canvas = at("overview"), width = canvas.clientWidth || 300, height = 40, colour = getComputedStyle(document.documentElement);
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d"), each = height / Math.max(rows.length, 1);
  pen.fillStyle = colour.getPropertyValue("--paper");
  pen.fillRect(0, 0, width, height);
  const x = u => u / run.total * width;
  rows.forEach((p, row) => {
    const moves = [0, ...run.moves[p]];
    let last = -1;
    moves.forEach((i, k) => {
      const a = Math.floor(x(run.u[i])), b = x(run.u[k + 1 < moves.length ? moves[k + 1] : run.count]);
      if (a === last && b - a < 1) return;
      last = a;
      pen.fillStyle = COLOURS[run.locations[run.step_of(i)][p] % COLOURS.length];
      pen.fillRect(a, row * each, Math.max(b - a, 1), Math.max(each - (each > 3 ? 1 : 0), .5));
    });
  });
  pen.fillStyle = colour.getPropertyValue("--now");
  let marked = -Infinity;
  for (const i of matches) if (x(run.u[i]) - marked >= 4) pen.fillRect(marked = x(run.u[i]), height - 3, 2, 3);
  pen.fillRect(x(run.u[now]), 0, 1.5, height);
  at("window").style.left = x(view[0]) + "px";
  at("window").style.width = x(view[1] - view[0]) + "px";
}
function set_view(a, b) {
  const least = Math.min(run.total, Math.max(run.total / run.count * 4, run.total * 1e-6));
  const width = Math.min(Math.max(b - a, least), run.total);
  const begin = Math.min(Math.max(a, 0), run.total - width);
  view = [begin, begin + width];
  show_chart();
}
function zoom(factor, middle) {
  if (middle === undefined) middle = Math.min(Math.max(run.u[now], view[0]), view[1]);
  set_view(middle - (middle - view[0]) * factor, middle + (view[1] - middle) * factor);
}
function first_view() {
  lay_out();
  view = [0, run.total];
  if (run.count > LONG_RUN) view = [0, Math.max(run.u[Math.min(100, run.count)], run.total * 1e-6)];
}
function follow() { // keeps the present position in the window
  const width = view[1] - view[0], u = run.u[now];
  if (u >= view[0] && u <= view[1]) return false;
  view = [Math.min(Math.max(u - width / 4, 0), run.total - width), 0];
  view[1] = view[0] + width;
  return true;
}
function watch_brush() {
  const brush = at("brush");
  let drag = null;
  brush.addEventListener("pointerdown", event => {
    const box = brush.getBoundingClientRect(), u = (event.clientX - box.left) / box.width * run.total;
    const edge = 6 / box.width * run.total, inside = u > view[0] + edge && u < view[1] - edge;
    drag = { u, view: [...view], kind: inside ? "move" : Math.abs(u - view[0]) <= edge ? "left" : Math.abs(u - view[1]) <= edge ? "right" : "new" };
    brush.setPointerCapture(event.pointerId);
  });
  brush.addEventListener("pointermove", event => {
    if (!drag) return;
    const box = brush.getBoundingClientRect(), u = (event.clientX - box.left) / box.width * run.total, by = u - drag.u;
    if (drag.kind === "move") set_view(drag.view[0] + by, drag.view[1] + by);
    else if (drag.kind === "left") set_view(Math.min(drag.view[0] + by, drag.view[1]), drag.view[1]);
    else if (drag.kind === "right") set_view(drag.view[0], Math.max(drag.view[1] + by, drag.view[0]));
    else if (Math.abs(by) > 4 / box.width * run.total) set_view(Math.min(drag.u, u), Math.max(drag.u, u));
    drag.moved = true;
  });
  brush.addEventListener("pointerup", () => {
    if (drag && !drag.moved) { const w = drag.view[1] - drag.view[0]; set_view(drag.u - w / 2, drag.u + w / 2); }
    drag = null;
  });
  at("gantt").addEventListener("wheel", event => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const box = chart.svg.getBoundingClientRect(), share = (event.clientX - box.left - chart.left) / (box.width - chart.left - chart.right);
    zoom(event.deltaY > 0 ? 1.25 : .8, view[0] + share * (view[1] - view[0]));
  }, { passive: false });
}
