// --- the table of steps: only the rows in sight are in the document

function show_table() {
  const box = at("steps"), columns = shown_columns();
  box.textContent = "";
  let time = 4, name = 10;
  for (let i = 0; i < run.count; i++) {
    if (run.times) time = Math.max(time, run.time_text(i).length);
    if (i < run.steps) name = Math.max(name, run.names[i].length);
  }
  const widths = [Math.max(3, String(run.number(run.count)).length) + 1 + "ch", run.times ? time + 1 + "ch" : "0", `minmax(${Math.min(name, 44)}ch, 1fr)`, ...columns.map(c => c.width + 1 + "ch")];
  box.style.flexBasis = Math.min(380, (run.count + 2) * ROW) + "px";
  box.style.setProperty("--columns", widths.join(" "));
  const head = make(box, "div", { class: "row head", style: "grid-template-columns: var(--columns)" });
  ["#", run.times ? "time" : "", "transition", ...columns.map(c => c.name)].forEach(t => make(head, "span", { title: t }, t));
  const rows = make(box, "div", { class: "rows", style: `height: ${run.count * ROW}px` });
  rows.style.width = Math.max(head.offsetWidth, 1) + "px";
  head.style.minWidth = rows.style.minWidth = "100%";
  box.onscroll = () => fill_table(columns);
  fill_table(columns);
}
function fill_table(columns, everything) {
  const box = at("steps"), rows = box.querySelector(".rows");
  const from = everything ? 0 : Math.max(0, Math.floor(box.scrollTop / ROW) - 10);
  const to = everything ? run.count : Math.min(run.count, from + Math.ceil(box.clientHeight / ROW) + 20);
  rows.textContent = "";
  for (let i = from; i < to; i++) rows.appendChild(table_row(i, columns || shown_columns()));
}
function table_row(i, columns) {
  const classes = ["row"];
  if (i === now) classes.push("now");
  if (matches_set.has(i)) classes.push("found");
  if (run.loop !== undefined && i >= run.loop) classes.push("in-loop");
  const row = document.createElement("div");
  row.className = classes.join(" ");
  row.style.cssText = `top: ${i * ROW}px; grid-template-columns: var(--columns)`;
  row.dataset.step = i;
  const is_end = run.has_end && i === run.count - 1;
  make(row, "span", {}, is_end ? "end" : run.number(i));
  make(row, "span", {}, run.times ? run.time_text(i) : "");
  const name = is_end ? run.note : (run.left_out && i === run.head ? "(" + left_out_text() + ") " : "") + run.names[i], cell = make(row, "span", { title: name }, name);
  if (is_end) cell.className = run.is_bad ? "bad" : "good";
  for (const column of columns) {
    const value = column.value(i), changed = column.marks && i && column.value(i - 1) !== value;
    make(row, "span", changed ? { class: "changed" } : {}, value);
  }
  row.onclick = () => go(i);
  return row;
}
function scroll_table() {
  const box = at("steps"), top = now * ROW, room = box.clientHeight - 3 * ROW;
  if (top < box.scrollTop || top > box.scrollTop + room) box.scrollTop = Math.max(0, top - room / 2);
  fill_table();
}

// --- the present step: what was taken, what changed, what is enabled

function add_edge(box, id) {
  const e = net.edges[id], entry = make(box, "div", { class: "edge" });
  make(entry, "b", {}, edge_name(e));
  if (e.guard) make(entry, "div", { class: "guard" }, e.guard);
  if (e.is_sync) make(entry, "div", { class: "sync-name" }, e.event);
  if (e.update) make(entry, "div", { class: "update" }, e.update);
}
function interval(choice) { // [transition, low, high or null, 1: low is strict + 2: high is]
  const text = n => fraction(n, run.denominator), [, low, high, flags] = choice;
  if (high === null && !low && !flags) return "at any time";
  if (low === high && !low) return "at once";
  if (high === null) return (flags & 1 ? "after more than " : "after ") + text(low) + " or later";
  if (low === high) return "after " + text(low);
  return "after " + (flags & 1 ? "(" : "[") + text(low) + ", " + text(high) + (flags & 2 ? ")" : "]");
}
function show_now() {
  const box = at("now"), step = run.step_of(now), is_end = run.has_end && now === run.count - 1;
  box.textContent = "";
  make(box, "h2", {}, (is_end ? "The end" : "Step " + run.number(now)) + (run.times ? " at time " + run.time_text(now) : ""));
  const is_behind_gap = run.left_out && now === run.head; // the state before is not here
  if (now && run.times && !is_behind_gap) {
    const waited = run.time(now) - run.time(now - 1);
    if (waited) make(box, "div", { class: "soft" }, "after a delay of " + fraction(waited, run.denominator));
  }
  if (is_behind_gap) make(box, "div", { class: "soft" }, left_out_text() + " before this one");
  if (!is_end && now) run.edges[now].forEach(id => add_edge(box, id));
  if (!now) make(box, "div", {}, "The initial state.");
  const changes = !is_end && now && !is_behind_gap ? net.variables.map((v, k) => [v, run.variables[now - 1][k], run.variables[now][k]]).filter(c => c[1] !== c[2]) : [];
  if (changes.length) {
    make(box, "h3", {}, "Changed");
    changes.forEach(c => { const line = make(box, "div"); make(line, "code", {}, c[0] + ": " + c[1] + " \u2192 " + c[2]); });
  }
  if (now === run.count - 1) {
    if (run.loop !== undefined) make(box, "p", { class: "ending" }, "From here it goes on as after step " + run.loop_step + ", for ever.");
    else if (run.note) make(box, "p", { class: "ending " + (run.is_bad ? "bad" : run.is_neutral ? "" : "good") }, (run.times ? "At " + run.time_text(now) + ": " : "") + run.note + ".");
  }
  if (run.zone_texts) { make(box, "h3", {}, "Zone"); make(make(box, "div"), "code", {}, run.zone_texts[step]); }
  show_enabled(box, step, is_end);
}
function show_enabled(box, step, is_end) {
  const list = run.enabled && run.enabled[step];
  if (!run.enabled) return;
  if (!list) {
    make(box, "p", { class: "ending" }, "Enabled transitions are listed for the last part of this run only: it has very many.");
    return;
  }
  make(box, "h3", {}, list.length ? "Enabled in this state (" + list.length + ")" : "Nothing is enabled in this state");
  const next = !is_end && step + 1 < run.steps && !(run.left_out && step + 1 === run.head) ? run.edges[step + 1].join() : null, items = make(box, "ul");
  for (const choice of list) {
    const ids = run.transitions[choice[0]], taken = ids.join() === next;
    const item = make(items, "li", { class: taken ? "taken-next" : "", title: ids.map(id => net.edges[id].guard).filter(g => g).join(" && ") });
    make(item, "span", { class: "delay" }, interval(choice));
    make(item, "span", {}, (taken ? "\u25b6 " : "") + transition_name(ids));
  }
}

// --- a zone of two clocks: a square, larger than what is shown, cut by each constraint
//
// So a zone without an upper bound has no line where the drawing ends: it goes on there.

const FAR = 2; // times what is shown
function zone_plot(svg, box) { // what is outside of the box is not shown
  make(make(svg, "clipPath", { id: "shown" }), "rect", box);
  return make(svg, "g", { "clip-path": "url(#shown)" });
}
function most_shown() { // no clock of the run and no bound is beyond
  const values = run.clocks ? Array.from({ length: run.count }, (_, i) => Math.ceil(Math.max(...run.clocks_at(i)) / run.denominator)) : [];
  const bounds = run.zones.map(z => Math.max(...z.flat().map(b => b === null ? 0 : Math.abs(b >> 1))));
  return 2 + Math.max(1, ...values, ...bounds);
}
function show_interval(box, i, bound, most) { // one clock: a line of numbers
  const size = 340, left = 12, X = v => left + v / most * (size - 2 * left), svg = make(box, "svg", { viewBox: `0 0 ${size} 58` });
  const low = -bound(0, i), high = Math.min(bound(i, 0), FAR * most), step = Math.max(1, nice(most, 8));
  make(svg, "line", { x1: left, x2: size - left, y1: 20, y2: 20, class: "tick" });
  make(zone_plot(svg, { x: 0, y: 0, width: size, height: 30 }), "polygon", { id: "polygon", points: [[low, 14], [high, 14], [high, 26], [low, 26]].map(p => X(p[0]) + "," + p[1]).join(" "), "stroke-width": 1.5 });
  for (let v = 0; v <= most; v += step) make(svg, "text", { x: X(v), y: 41, class: "tick-name", "text-anchor": "middle" }, v);
  make(svg, "text", { x: size / 2, y: 55, class: "axis-name", "text-anchor": "middle" }, net.clocks[i - 1]);
  const value = run.clocks ? run.clocks_at(now)[i - 1] / run.denominator : Infinity;
  if (value < Infinity) make(svg, "circle", { cx: X(value), cy: 20, r: 4.5, class: "point" });
}
function show_zone() {
  const box = at("zone"), zones = run.zones;
  box.textContent = "";
  at("zones").style.display = zones && net.clocks.length ? "" : "none";
  if (!zones || !net.clocks.length) return;
  const i = Number(at("first").value), j = Number(at("second").value), zone = zones[run.step_of(now)];
  if (!run.most) run.most = most_shown();
  const most = run.most, bound = (a, b) => zone[a][b] === null ? 1e9 : zone[a][b] >> 1;
  if (i === j) return show_interval(box, i, bound, most);
  const far = FAR * most;
  let points = [[0, 0], [far, 0], [far, far], [0, far]];
  for (const [a, b, c] of [[1, 0, bound(i, 0)], [-1, 0, bound(0, i)], [0, 1, bound(j, 0)], [0, -1, bound(0, j)]]) points = cut(points, a, b, c);
  points = cut(cut(points, 1, -1, bound(i, j)), -1, 1, bound(j, i));
  const size = 340, left = 46, under = 40, top = 8, right = 12;
  const X = v => left + v / most * (size - left - right), Y = v => size - under - v / most * (size - under - top);
  const svg = make(box, "svg", { viewBox: `0 0 ${size} ${size}` });
  const step = Math.max(1, nice(most, 8));
  for (let v = 0; v <= most; v += step) {
    make(svg, "line", { x1: X(v), x2: X(v), y1: Y(0), y2: Y(most), class: "grid" });
    make(svg, "line", { x1: X(0), x2: X(most), y1: Y(v), y2: Y(v), class: "grid" });
    make(svg, "text", { x: X(v), y: size - under + 15, class: "tick-name", "text-anchor": "middle" }, v);
    make(svg, "text", { x: left - 6, y: Y(v) + 4, class: "tick-name", "text-anchor": "end" }, v);
  }
  make(svg, "text", { x: (left + size - right) / 2, y: size - 6, class: "axis-name", "text-anchor": "middle" }, net.clocks[i - 1]);
  make(svg, "text", { transform: `translate(12 ${(top + size - under) / 2}) rotate(-90)`, class: "axis-name", "text-anchor": "middle" }, net.clocks[j - 1]);
  const corners = new Set(points.map(p => p.map(v => v.toFixed(6)).join())).size;
  const plot = zone_plot(svg, { x: left - 3, y: top, width: size - left - right + 3, height: size - under - top + 3 });
  make(plot, "polygon", { id: "polygon", points: points.map(p => X(p[0]) + "," + Y(p[1])).join(" "), "stroke-width": corners < 3 ? 4 : 1.5, "stroke-linejoin": "round" });
  if (!run.clocks) return;
  const values = run.clocks_at(now).map(v => v / run.denominator);
  make(svg, "circle", { cx: X(values[i - 1]), cy: Y(values[j - 1]), r: 4.5, class: "point" });
}

// --- automata: all in one scale; drawings of idle processes go with their rows
//
// A drawing shows one process, or all instances of a template: then each location names those that are there.

const figures = [...document.querySelectorAll("#automata > figure")];
const shown_in = figure => net.processes.map((p, i) => i).filter(i => net.processes[i].drawing === Number(figure.dataset.drawing));
function frame_automata() {
  const drawings = figures.map(f => f.firstElementChild), points = svg => parseFloat(svg.getAttribute("width"));
  const room = at("automata").clientWidth, widest = Math.max(1, ...drawings.map(points));
  const scale = Math.min(1.15, Math.max(.85, room / widest));
  drawings.forEach(svg => {
    svg.style.width = points(svg) * scale + "px";
    svg.removeAttribute("height");
  });
}
// P(3) of the template P is 3.
const instance_name = p => { const { name, template } = net.processes[p]; return template && name.startsWith(template + "(") ? name.slice(template.length + 1, -1) : name; };
const location_marks = new Map(), edge_marks = new Map(); // what is drawn: the locations and edges that it stands for
function find_marks() {
  const add = (map, id, entry) => { const g = at(id); if (g) map.has(g) ? map.get(g).push(entry) : map.set(g, [entry]); };
  net.processes.forEach((p, i) => p.locations.forEach((l, k) => add(location_marks, "tarn-location" + (p.first + k), [i, k])));
  net.edges.forEach((e, id) => {
    if (!e.drawn) add(edge_marks, "tarn-edge" + id, id);
    else e.drawn.forEach(k => add(edge_marks, "tarn-edge" + net.processes[e.process].drawing + "-" + k, id));
  });
}
const who = new Map();
function name_instances(g, here) { // below a circle, beside a box
  if (who.has(g)) who.get(g).remove();
  const shape = g.querySelector("ellipse, path, polygon");
  if (!here.length || !shape) return;
  const box = shape.getBBox(), is_circle = shape.tagName === "ellipse", names = here.map(instance_name).join(", ");
  const text = make(g.parentNode, "text", { class: "who", x: box.x + (is_circle ? box.width / 2 : box.width + 4),
    y: is_circle ? box.y + box.height + 11 : box.y + box.height / 2 + 4, "text-anchor": is_circle ? "middle" : "start" }, names.length > 24 ? here.length + " processes" : names);
  make(text, "title", {}, here.map(p => net.processes[p].name).join(", "));
  who.set(g, text);
}
function show_automata() {
  figures.forEach(f => {
    f.style.display = run && !at("idle").checked && shown_in(f).every(p => run.is_idle[p]) ? "none" : "";
  });
  const step = run ? run.step_of(now) : -1, is_end = run && run.has_end && now === run.count - 1;
  for (const [g, places] of location_marks) {
    const here = places.filter(([p, l]) => run && run.locations[step][p] === l).map(([p]) => p);
    g.classList.toggle("here", here.length > 0);
    g.classList.toggle("visited", !!run && places.some(([p, l]) => run.first_location[p][l] <= step));
    if (places.length > 1) name_instances(g, here);
  }
  const firing = new Set(run && !is_end ? run.edges[step] : []);
  for (const [g, ids] of edge_marks) {
    g.classList.toggle("taken", !!run && ids.some(id => run.first_edge[id] <= step));
    g.classList.toggle("firing", ids.some(id => firing.has(id)));
  }
}

// --- find: transitions, locations that are entered, values that are set

let matches_set = new Set();
function find(text) {
  matches = [];
  const wanted = text.trim().toLowerCase();
  if (wanted && run) for (let i = 0; i < run.count; i++) {
    const parts = [i < run.steps ? run.names[i] : run.note];
    if (i < run.steps) net.processes.forEach((p, k) => {
      if (!i || run.locations[i][k] !== run.locations[i - 1][k]) parts.push(p.name + "." + location_name(k, run.locations[i][k]));
    });
    for (const c of run.columns) if (c.marks && (!i || c.value(i) !== c.value(i - 1))) parts.push(c.name + "=" + c.value(i), c.name + " = " + c.value(i));
    if (parts.some(t => t.toLowerCase().includes(wanted))) matches.push(i);
  }
  matches_set = new Set(matches);
  count_found(wanted);
}
function count_found(wanted) {
  const place = matches.indexOf(now);
  at("found").textContent = !wanted ? "" : matches.length ? (place < 0 ? matches.length + " steps" : place + 1 + " of " + matches.length) : "not found";
}
function next_match(back) {
  if (!matches.length) return;
  const after = back ? [...matches].reverse().find(i => i < now) : matches.find(i => i > now);
  go(after !== undefined ? after : back ? matches[matches.length - 1] : matches[0]);
}

// --- all of it

function show_run() {
  document.querySelectorAll(".run").forEach(s => { s.style.display = run ? "" : "none"; });
  if (!run) return;
  at("last").textContent = run.number(run.steps - 1);
  at("left-out").textContent = run.left_out ? "Steps " + run.head + " to " + (run.head + run.left_out - 1) + " are left out here: " + RUN_FILE + " has the whole run." : "";
  at("what").textContent = "Run";
  show_chart();
  show_table();
  show_position();
}
function show_position() {
  const is_end = run.has_end && now === run.count - 1;
  at("step").textContent = run.number(run.step_of(now));
  at("at-end").textContent = is_end ? ", the end" : "";
  at("where").title = rounds > 1 ? "round " + rounds + " of the part that repeats" : "";
  at("what").textContent = "Run" + (rounds > 1 ? ", round " + rounds : "");
  if (is_sequence() || follow()) show_chart(); else { draw_cursor(); if (at("brush").style.display !== "none") draw_overview(shown_rows()); }
  scroll_table();
  show_now();
  show_zone();
  show_automata();
  count_found(at("find").value.trim());
}
function go(position) {
  if (!run) return;
  if (run.loop !== undefined && position >= run.count && run.loop < run.count - 1) {
    position = run.loop + 1; // the last state is that of the step where the repeating part begins
    rounds++;
  } else if (position < now) rounds = 1;
  now = Math.min(Math.max(position, 0), run.count - 1);
  show_position();
}
function choose(i) {
  chosen = i;
  now = 0;
  rounds = 1;
  const r = data.results[chosen];
  run = open_run(r && r.run);
  if (run) {
    const idle = run.is_idle.filter(x => x).length, constant = run.columns.filter(c => c.is_constant).length;
    at("idle").checked = net.processes.length <= MANY_ROWS || idle === net.processes.length;
    at("constant").checked = run.columns.length <= MANY_COLUMNS;
    at("idle-label").style.display = idle && idle < net.processes.length ? "" : "none";
    at("constant-label").style.display = constant ? "" : "none";
    at("idle-count").textContent = "(" + idle + ")";
    at("constant-count").textContent = "(" + constant + ")";
    at("axis").value = run.takes_time ? "time" : "steps";
    at("axis").options[0].disabled = !run.times;
    find(at("find").value);
    first_view();
  }
  show_head();
  show_answers();
  show_stats();
  show_plan();
  show_run();
  show_automata();
}
function press(event) {
  if (!run) return;
  const is_typing = event.target && /^(SELECT|INPUT)$/.test(event.target.tagName || "");
  if (is_typing) {
    if (event.target === at("find") && event.key === "Enter") next_match(event.shiftKey);
    if (event.target === at("find") && event.key === "Escape") at("find").blur();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: run.count - 1, PageUp: now - 10, PageDown: now + 10 }[event.key];
  if (to !== undefined) go(event.key === "PageDown" ? Math.min(to, run.count - 1) : to);
  else if (event.key === "+") zoom(.5);
  else if (event.key === "-") zoom(2);
  else if (event.key === "0") set_view(0, run.axis.total);
  else if (event.key === "/") at("find").focus();
  else if (event.key === "n") next_match(false);
  else return;
  event.preventDefault();
}
function set_theme(is_dark) {
  document.documentElement.classList.toggle("dark", is_dark);
  if (run) show_chart();
}
function first_choice() { // a run that shows a failure, else a run, else a failure
  const is_failed = r => !is_good(r) && !r.title;
  const found = [r => is_failed(r) && r.run, r => r.run, is_failed].map(f => data.results.findIndex(f)).filter(i => i >= 0);
  return found.length ? found[0] : 0;
}
function start() {
  net.clocks.forEach((clock, i) => { for (const id of ["first", "second"]) make(at(id), "option", { value: i + 1 }, clock); });
  if (net.clocks.length > 1) at("second").value = 2; else at("second-clock").style.display = "none";
  const asked = window.matchMedia("(prefers-color-scheme: dark)");
  document.documentElement.classList.toggle("dark", asked.matches);
  asked.addEventListener("change", () => set_theme(asked.matches));
  at("theme").onclick = () => set_theme(!document.documentElement.classList.contains("dark"));
  for (const id of ["first", "second"]) at(id).onchange = show_zone;
  at("axis").onchange = () => { first_view(); follow(); show_chart(); };
  at("idle").onchange = () => { show_chart(); show_automata(); };
  at("constant").onchange = () => { show_table(); scroll_table(); };
  at("find").oninput = () => { find(at("find").value); show_chart(); fill_table(); };
  const buttons = { back: () => go(now - 1), forth: () => go(now + 1), "first-step": () => go(0), "last-step": () => go(run.count - 1),
    closer: () => zoom(.5), wider: () => zoom(2), all: () => set_view(0, run.axis.total) };
  for (const id in buttons) at(id).onclick = buttons[id];
  document.addEventListener("keydown", press);
  window.addEventListener("resize", () => { if (run) show_chart(); });
  let was_dark = false;
  window.addEventListener("beforeprint", () => {
    was_dark = document.documentElement.classList.contains("dark");
    document.documentElement.classList.remove("dark");
    if (run) fill_table(undefined, run.count < 2000);
  });
  window.addEventListener("afterprint", () => {
    document.documentElement.classList.toggle("dark", was_dark);
    if (run) fill_table();
  });
  watch_brush();
  find_marks();
  frame_automata();
  choose(first_choice());
  obey(decodeURIComponent(location.hash.slice(1)));
  document.documentElement.dataset.ready = Math.round(performance.now());
}
// FILE#3 opens at step 3. Tests use more: FILE#ArrowRight,End presses keys, FILE#answer=2,axis=steps,
// find=cs chooses, FILE#dark sets the theme.
function obey(words) {
  for (const word of words.split(",").filter(w => w)) {
    const [name, value] = word.split("=");
    if (/^\d+$/.test(word)) { if (run) go(run.position(Number(word))); }
    else if (word === "dark" || word === "light") set_theme(word === "dark");
    else if (word === "print") window.dispatchEvent(new Event("beforeprint"));
    else if (name === "answer") choose(Number(value) - 1);
    else if (name === "axis") { at("axis").value = value; at("axis").onchange(); }
    else if (name === "find") { at("find").value = value; at("find").oninput(); }
    else if (name === "idle") { at("idle").checked = value === "yes"; at("idle").onchange(); }
    else document.dispatchEvent(new KeyboardEvent("keydown", { key: word }));
  }
}
start();
