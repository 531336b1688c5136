// The data are made by page.c. A position is a step of the run, or the instant after the last step at
// which the run ends, if time passes before it. `now` is the present position. Of a long run steps are
// left out, from the position `head` on: there positions and the numbers of steps differ.
const data = JSON.parse(document.getElementById("data").textContent);
const at = id => document.getElementById(id);
const MANY_ROWS = 12, MANY_COLUMNS = 8, LONG_RUN = 150, ROW = 24;
const net = data.net;
const RUN_FILE = decodeURIComponent(location.pathname.replace(/.*\//, "")) + ".run.json"; // beside the page, if steps are left out
let chosen = 0, now = 0, rounds = 1, run = null, view = [0, 1], matches = [];

const make = draw;
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

// --- the chart: locations over time or steps (run_charts.js), or who synchronises with whom

const MOST_LINES = 300; // of the sequence chart
let chart = null;

function lay_out() { run.axis = axis_of(run.count, run.time, run.has_end, at("axis").value === "time" && !!run.times); }
function process_row(p) {
  const { name, locations } = net.processes[p], where = i => run.locations[i][p];
  return { name, moves: run.moves[p], text: i => locations[where(i)].name, colour: where,
    title: (i, next) => name + "." + locations[where(i)].name + (run.times ? " from " + run.time_text(i) + " to " + run.time_text(Math.min(next, run.count - 1)) : " from step " + run.number(i)) };
}
const is_sequence = () => at("axis").value === "sequence";
function show_chart() {
  const box = at("gantt"), rows = shown_rows(), scroll = box.scrollTop;
  box.textContent = "";
  lay_out();
  if (is_sequence()) return show_sequence(box);
  chart = time_chart(box, { rows: rows.map(process_row), axis: run.axis, steps: run.steps, view, unit: run.denominator, number: run.number, go,
    arrows: i => ({ rows: run.edges[i].map(id => rows.indexOf(net.edges[id].process)), title: run.names[i] }), loop: run.loop, marks: matches,
    gap: run.left_out ? { at: run.head, text: left_out_text() } : null, end: run.has_end ? "end-line" + (run.is_bad ? "" : " holds") : "" });
  box.scrollTop = scroll;
  draw_cursor();
  draw_overview(rows);
}
function show_sequence(box) {
  chart = null;
  const from = Math.max(0, Math.min(now - MOST_LINES / 2, run.steps - MOST_LINES)), to = Math.min(run.steps, from + MOST_LINES);
  const steps = run.locations.map((locations, i) => ({ locations, edges: run.edges[i], time: run.times ? run.time_text(i) : run.number(i) }));
  box.innerHTML = sequence_chart(net, steps, run.step_of(now), from, to);
  box.querySelectorAll("[data-step]").forEach(g => { g.onclick = () => go(Number(g.dataset.step)); });
  const row = box.querySelector(".step.now");
  if (row) box.scrollTop = row.getBBox().y - box.clientHeight / 2;
  at("brush").style.display = "none";
  at("hint").textContent = to - from < run.steps ? "Steps " + from + " to " + (to - 1) + ": those around the present one." : "";
}
const left_out_text = () => run.left_out.toLocaleString("en") + " steps are left out";
function draw_cursor() { point_at(chart, chart.x(run.axis.u[now]) + (run.has_end && now === run.count - 1 ? 0 : .5)); }

// --- the brush: the whole run in small, and the window that the chart shows

function draw_overview(rows) {
  const brush = at("brush"), is_needed = run.count > LONG_RUN || view[1] - view[0] < run.axis.total * .999;
  brush.style.display = is_needed ? "" : "none";
  at("hint").textContent = is_needed ? "Drag in the strip to move or choose the window; Ctrl and the wheel zoom." :
    run.axis.widened.some(w => w) ? "Shaded: instants with several steps, or very short ones, are drawn wider than the scale." : "";
  if (!is_needed) return;
  const canvas = at("overview"), width = canvas.clientWidth || 300, height = 40, colour = getComputedStyle(document.documentElement);
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d"), each = height / Math.max(rows.length, 1);
  pen.fillStyle = colour.getPropertyValue("--paper");
  pen.fillRect(0, 0, width, height);
  const x = u => u / run.axis.total * width;
  rows.forEach((p, row) => {
    const moves = [0, ...run.moves[p]];
    let last = -1;
    moves.forEach((i, k) => {
      const a = Math.floor(x(run.axis.u[i])), b = x(run.axis.u[k + 1 < moves.length ? moves[k + 1] : run.count]);
      if (a === last && b - a < 1) return;
      last = a;
      pen.fillStyle = COLOURS[run.locations[run.step_of(i)][p] % COLOURS.length];
      pen.fillRect(a, row * each, Math.max(b - a, 1), Math.max(each - (each > 3 ? 1 : 0), .5));
    });
  });
  pen.fillStyle = colour.getPropertyValue("--now");
  let marked = -Infinity;
  for (const i of matches) if (x(run.axis.u[i]) - marked >= 4) pen.fillRect(marked = x(run.axis.u[i]), height - 3, 2, 3);
  pen.fillRect(x(run.axis.u[now]), 0, 1.5, height);
  at("window").style.left = x(view[0]) + "px";
  at("window").style.width = x(view[1] - view[0]) + "px";
}
function set_view(a, b) {
  const least = Math.min(run.axis.total, Math.max(run.axis.total / run.count * 4, run.axis.total * 1e-6));
  const width = Math.min(Math.max(b - a, least), run.axis.total);
  const begin = Math.min(Math.max(a, 0), run.axis.total - width);
  view = [begin, begin + width];
  show_chart();
}
function zoom(factor, middle) {
  if (middle === undefined) middle = Math.min(Math.max(run.axis.u[now], view[0]), view[1]);
  set_view(middle - (middle - view[0]) * factor, middle + (view[1] - middle) * factor);
}
function first_view() {
  lay_out();
  view = [0, run.axis.total];
  if (run.count > LONG_RUN) view = [0, Math.max(run.axis.u[Math.min(100, run.count)], run.axis.total * 1e-6)];
}
function follow() { // keeps the present position in the window
  const width = view[1] - view[0], u = run.axis.u[now];
  if (u >= view[0] && u <= view[1]) return false;
  view = [Math.min(Math.max(u - width / 4, 0), run.axis.total - width), 0];
  view[1] = view[0] + width;
  return true;
}
function watch_brush() {
  const brush = at("brush");
  let drag = null;
  brush.addEventListener("pointerdown", event => {
    const box = brush.getBoundingClientRect(), u = (event.clientX - box.left) / box.width * run.axis.total;
    const edge = 6 / box.width * run.axis.total, inside = u > view[0] + edge && u < view[1] - edge;
    drag = { u, view: [...view], kind: inside ? "move" : Math.abs(u - view[0]) <= edge ? "left" : Math.abs(u - view[1]) <= edge ? "right" : "new" };
    brush.setPointerCapture(event.pointerId);
  });
  brush.addEventListener("pointermove", event => {
    if (!drag) return;
    const box = brush.getBoundingClientRect(), u = (event.clientX - box.left) / box.width * run.axis.total, by = u - drag.u;
    if (drag.kind === "move") set_view(drag.view[0] + by, drag.view[1] + by);
    else if (drag.kind === "left") set_view(Math.min(drag.view[0] + by, drag.view[1]), drag.view[1]);
    else if (drag.kind === "right") set_view(drag.view[0], Math.max(drag.view[1] + by, drag.view[0]));
    else if (Math.abs(by) > 4 / box.width * run.axis.total) set_view(Math.min(drag.u, u), Math.max(drag.u, u));
    drag.moved = true;
  });
  brush.addEventListener("pointerup", () => {
    if (drag && !drag.moved) { const w = drag.view[1] - drag.view[0]; set_view(drag.u - w / 2, drag.u + w / 2); }
    drag = null;
  });
  at("gantt").addEventListener("wheel", event => {
    if (!event.ctrlKey || !chart) return;
    event.preventDefault();
    const box = chart.svg.getBoundingClientRect(), share = (event.clientX - box.left - chart.left) / (box.width - chart.left - chart.right);
    zoom(event.deltaY > 0 ? 1.25 : .8, view[0] + share * (view[1] - view[0]));
  }, { passive: false });
}
