// The simulator: a run that the user makes step by step, on the drawings of the processes.
import { for_engine } from './document.js';
import { drawing, view_box } from './draw.js';
import { placed_view } from './layout.js';
import { draw_times, sequence_chart, value_of, zone_bounds, zone_plot } from './charts.js';
import { at, escape, make, popup, reveal, toast } from './dom.js';

const SHOWN_STEPS = 300, MANY_VALUES = 12, HEAD = 20;

export class Simulator {
  constructor(app) {
    this.app = app;
    this.model = null;
    this.state = null;
    this.steps = [];
    this.hidden = new Set();
    this.build();
  }
  get doc() { return this.app.doc; }
  get engine() { return this.app.reader; }

  build() {
    const button = (id, text, title, run) => make('button', { id, title, onclick: run }, text);
    this.choices = make('ul', { class: 'choices', 'aria-label': 'enabled transitions' });
    this.trace = make('ol', { class: 'trace', start: 0, 'aria-label': 'the run so far' });
    this.slider = make('input', { type: 'range', min: 0, max: 10, step: 0.5, value: 0, 'aria-label': 'delay', oninput: () => { this.delay.value = this.slider.value; this.show_choices(); } });
    this.delay = make('input', { type: 'text', size: 7, value: '', placeholder: 'earliest', title: 'Delay before the next transition, such as 3/2; empty: as early as possible', 'aria-label': 'exact delay', oninput: () => { this.slider.value = value_of(this.delay.value || '0'); this.show_choices(); } });
    this.mode = make('select', { id: 'mode', title: 'Concrete: exact times. Symbolic: zones, all delays at once.', 'aria-label': 'kind of simulation', onchange: () => this.restart() }, ['concrete', 'symbolic'].map((m) => make('option', { value: m }, m)));
    this.speed = make('input', { type: 'range', min: 1, max: 20, value: 4, title: 'steps in a second', 'aria-label': 'speed of random runs and replays' });
    this.play = button('play', '▶ Random', 'Random run (Space, R)', () => this.toggle_play());
    this.replayed = button('replay', '▷ Play', 'Go through the rest of the run (P)', () => this.toggle_replay());
    this.tiles = make('div', { class: 'tiles' });
    this.chart = make('div', { class: 'chart', tabindex: '0', 'aria-label': 'chart of the run' });
    this.chart_kind = 'sequence';
    const tab = (kind, name) => make('button', { class: 'chart-tab', 'data-kind': kind, 'aria-pressed': String(kind === this.chart_kind), onclick: () => { this.chart_kind = kind; for (const b of this.chart_tabs) b.setAttribute('aria-pressed', String(b.dataset.kind === kind)); this.show_chart(); } }, name);
    this.chart_tabs = [tab('sequence', 'Sequence chart'), tab('time', 'Time chart')];
    this.marks_visited = make('input', { type: 'checkbox', id: 'visited', onchange: () => this.state && this.show_tiles() });
    this.wanted = make('input', { type: 'text', class: 'wanted', placeholder: 'filter', 'aria-label': 'show only variables and clocks with these letters', spellcheck: 'false', oninput: () => this.state && this.show_values() });
    this.values = make('div', { class: 'values' });
    this.zone_box = make('div', { class: 'zone-box' });
    this.step = make('input', { type: 'number', id: 'step', min: 0, value: 0, title: 'Go to a step', 'aria-label': 'step', onchange: () => this.go(Math.round(Number(this.step.value))) });
    this.note = make('p', { class: 'note', role: 'status' });
    this.file = make('input', { type: 'file', accept: '.json', hidden: true, onchange: async () => { const f = this.file.files[0]; this.file.value = ''; if (f) this.replay(await f.text()); } });
    at('simulator').append(
      make('div', { class: 'sim-left' },
        make('div', { class: 'toolbar' }, button('restart', '⟲ Start', 'Start again (Home)', () => this.restart()), button('back', '◀', 'Back (←, Q)', () => this.move(-1)), this.step, button('forward', '▶', 'Forward (→, A)', () => this.move(1)), this.mode),
        make('h2', {}, 'Transitions'), make('div', { class: 'delay' }, make('span', {}, 'after'), this.slider, this.delay, button('wait', 'Wait', 'Let time pass without a transition', () => this.wait())), this.note, this.choices,
        make('h2', {}, 'Run'), make('div', { class: 'toolbar' }, this.play, this.replayed, this.speed, button('many', '×100', '100 random steps', () => this.random(100)), button('import-run', 'Import', 'Open a run (JSON)', () => this.file.click()), button('export-run', 'Export', 'Save this run (JSON)', () => this.export()), this.file),
        this.trace),
      make('div', { class: 'sim-middle' }, this.tiles, make('div', { class: 'chart-bar' }, this.chart_tabs, make('label', { class: 'check', title: 'Mark the locations and edges of the run so far' }, this.marks_visited, ' visited'), button('processes', 'Processes ▾', 'Which processes are shown', (e) => this.process_menu(e.currentTarget))), this.chart),
      make('div', { class: 'sim-right' }, make('h2', {}, 'Variables and clocks'), this.wanted, this.values, make('h2', {}, 'Zone'), this.zone_box));
    this.chart.addEventListener('click', (e) => {
      const step = e.target.closest('[data-step]');
      if (step) this.go(Number(step.dataset.step));
    });
  }

  opened() {
    this.stop_play();
    this.model = null;
    this.state = null;
    this.steps = [];
    this.hidden.clear();
  }
  changed() {
    if (!this.model) return;
    this.is_old = this.read_text !== this.doc.text;
    if (this.app.view === 'simulator') this.shown();
  }
  engine_lost() {
    this.stop_play();
    this.model = null;
  }
  shown() { return this.turn(() => this.read_again()); }
  async read_again() {
    if (this.read_text !== this.doc.text || !this.model || this.read_in !== this.engine.carrier) await this.begin();
  }

  async load() {
    const text = this.doc.text;
    if (this.model && this.read_text === text && this.read_in === this.engine.carrier) return;
    const answer = await this.engine.request('tarn/read', { text: for_engine(text) });
    this.model = answer.model;
    this.read_text = text;
    this.read_in = this.engine.carrier;
    this.find_drawings();
  }
  // Which template, location and edge of the drawings each process, location and edge is.
  find_drawings() {
    const templates = this.doc.view.templates.map(placed_view);
    const parse = (path) => /\/template\[(\d+)\]\/(\w+)\[(\d+)\]/.exec(path || '');
    this.drawn = this.model.processes.map((p) => {
      const places = p.locations.map((l) => parse(l.path));
      const index = places.find(Boolean)?.[1];
      return { template: index ? templates[index - 1] : null, locations: places.map((m) => (m && m[2] === 'location' ? m[3] - 1 : -1)) };
    });
    this.edge_places = this.model.edges.map((e) => (e.paths || []).map(parse).filter(Boolean).map((m) => m[3] - 1));
    this.clock_names = this.model.clocks;
    this.build_tiles();
  }

  get is_symbolic() { return this.mode.value === 'symbolic'; }
  // Requests go to the engine one after the other, however fast the keys come: each one begins in the state that the one
  // before it has left.
  turn(act) {
    const done = (this.turns || Promise.resolve()).then(act);
    this.turns = done.catch(() => {});
    return done;
  }
  restart() { return this.turn(() => this.begin()); }
  // `is_ours`: the run is the verifier's, for this model.
  async begin(run, is_ours = false) {
    this.stop_play();
    this.failure = this.fixed = null;
    try {
      await this.load();
      const state = await this.engine.request('tarn/simulate', { ...(typeof run === 'string' ? { run } : {}), ...(this.is_symbolic ? { mode: 'symbolic' } : {}) });
      this.steps = [];
      if (typeof run === 'string') await this.read_run(state);
      else {
        this.steps = [this.entry(state, [])];
        this.show(state);
      }
      this.is_old = false;
    } catch (error) {
      const why = error.message.split('\n')[0];
      if (is_ours && this.model && this.show_fixed(run, why)) return;
      if (typeof run === 'string' && this.model) {
        toast(`The run cannot be shown: ${why}`, 'bad');
        return this.begin();
      }
      this.state = null;
      this.steps = [];
      this.model = null;
      this.failure = error.message;
      this.wanted.hidden = true;
      for (const box of [this.choices, this.trace, this.chart, this.values, this.zone_box, this.note]) box.textContent = '';
      this.show_failure();
    }
  }
  // Why there is no simulation: the mistakes of the model, which lead to their places, or what the engine says.
  show_failure() {
    if (!this.failure) return;
    const mistakes = this.app.model_mistakes();
    this.tiles.textContent = '';
    this.tiles.append(make('div', { class: 'empty' }, make('p', {}, mistakes.length ? 'The model cannot be simulated yet:' : 'The model cannot be simulated:'),
      mistakes.length ? make('ul', { class: 'mistakes' }, mistakes.map((p) => this.app.problem_row(p))) : make('pre', { class: 'reason' }, this.failure)));
  }
  // A run of a model that the engine verifies, but does not simulate, is shown as the verifier found it.
  show_fixed(run, why) {
    const steps = this.steps_of(JSON.parse(run).results[0].trace);
    if (!steps.length || steps.some((s) => s.locations.includes(-1))) return false;
    this.steps = steps;
    this.fixed = { run, why };
    this.is_old = false;
    this.show(this.fixed_state(0));
    return true;
  }
  fixed_state(step) {
    const s = this.steps[step];
    return { ...s, step, clocks: Object.fromEntries(this.clock_names.map((c, i) => [c, s.clocks[i]])), choices: [], ending: `The run is shown as it was found. ${this.fixed.why}` };
  }
  replay(text, is_ours = false) {
    return this.turn(async () => {
      this.mode.value = 'concrete';
      await this.begin(text, is_ours);
      if (!this.state || this.steps.length < 2) return;
      await this.jump(0);
      toast(`A run of ${this.steps.length - 1} steps. → goes forward.`);
    });
  }

  entry(state, edges) { return { time: state.time ?? '', edges, locations: state.locations, variables: state.variables, clocks: this.clock_names.map((c) => state.clocks ? state.clocks[c] : undefined), zone: state.zone }; }
  // All steps of the run that the engine has.
  async read_run(state) {
    const end = state.known !== undefined && state.step !== state.known ? await this.engine.request('tarn/goto', { step: state.known }) : state;
    const run = await this.engine.request('tarn/run');
    this.steps = this.steps_of(run.results[0].trace);
    this.show(end);
  }
  steps_of(trace) {
    return trace.steps.map((s) => ({
      time: this.is_symbolic ? '' : s.time, edges: (s.edges || []).map((e) => e.index), locations: this.model.processes.map((p) => p.locations.findIndex((l) => l.name === s.locations[p.name])),
      variables: this.model.variables.map((v) => s.variables[v]), clocks: this.clock_names.map((c) => s.clocks && s.clocks[c]),
    }));
  }

  get position() { return this.state ? this.state.step : 0; }
  async act(method, params, on_done) {
    const { model } = this;
    if (!this.state) return;
    if (this.fixed) return toast(this.fixed.why, 'bad');
    try {
      const state = await this.engine.request(method, params);
      if (this.model !== model) return; // another document was opened
      on_done(state);
      this.show(state);
    } catch (error) {
      this.stop_play();
      toast(error.message.trim(), 'bad');
    }
  }
  // `seen`: the state whose choices the user saw; another one may have come since.
  take(index, seen = null) { return this.turn(() => (!seen || seen === this.state) && this.take_now(index)); }
  async take_now(index) {
    const choice = this.state?.choices[index], before = this.position;
    if (!choice) return;
    const text = this.delay.value.trim(), params = { choice: index };
    if (text && !this.is_symbolic) params.delay = text;
    const began = performance.now();
    await this.act('tarn/step', params, (state) => {
      this.steps.length = before + 1;
      this.steps.push(this.entry(state, choice.edges));
      this.delay.value = '';
    });
    this.step_ms = performance.now() - began;
  }
  wait() {
    const delay = this.delay.value.trim() || this.slider.value;
    if (delay === '0') return toast('Choose with the slider how long to wait, or write it as a number.');
    return this.turn(() => this.act('tarn/wait', { delay }, () => { this.delay.value = ''; }));
  }
  async jump(step) {
    if (!(step >= 0 && step < this.steps.length)) return;
    if (this.fixed) this.show(this.fixed_state(step));
    else await this.act('tarn/goto', { step }, () => {});
  }
  go(step) { return this.turn(() => this.jump(step)); }
  move(by) { return this.turn(() => this.jump(this.position + by)); }
  random(count) { return this.turn(() => this.random_now(count)); }
  async random_now(count) {
    if (!this.state) return;
    if (this.fixed) return this.stop_play();
    this.seed = (this.seed || Math.floor(Math.random() * 1e6)) + 1;
    const before = this.position, { model } = this;
    try {
      const state = await this.engine.request('tarn/random', { count, seed: this.seed });
      if (this.model !== model) return;
      if (count === 1 && state.step === before + 1 && state.taken) {
        this.steps.length = before + 1;
        this.steps.push(this.entry(state, state.taken));
        this.show(state);
      } else await this.read_run(state);
      if (state.step === before) this.stop_play();
    } catch (error) {
      this.stop_play();
      toast(error.message.trim(), 'bad');
    }
  }
  toggle_play() { this.run_on(this.play, () => this.random(1)); }
  toggle_replay() {
    this.run_on(this.replayed, async () => {
      await this.move(1);
      if (this.position >= this.steps.length - 1) this.stop_play();
    });
  }
  // Acts again and again, until the same button, or what happens, ends it.
  run_on(button, act) {
    const was = this.playing;
    this.stop_play();
    if (was === button || !this.state) return;
    this.playing = button;
    button.textContent = '❚❚ Stop';
    const next = async () => {
      if (this.playing !== button) return;
      await act();
      if (this.playing === button) this.timer = setTimeout(next, 1000 / Number(this.speed.value));
    };
    next();
  }
  stop_play() {
    this.playing = null;
    clearTimeout(this.timer);
    this.play.textContent = '▶ Random';
    this.replayed.textContent = '▷ Play';
  }
  export() { return this.turn(() => this.export_now()); }
  // The whole run, wherever in it the simulator is.
  async export_now() {
    if (!this.state) return;
    if (this.fixed) return this.save_run(this.fixed.run);
    const now = this.position, last = this.steps.length - 1;
    const to = async (step) => { if (now !== last) await this.engine.request('tarn/goto', { step }); };
    try {
      await to(last);
      const run = await this.engine.request('tarn/run');
      await to(now);
      this.save_run(JSON.stringify(run, null, 1));
    } catch (error) {
      toast(error.message.trim(), 'bad');
    }
  }

  save_run(text) { this.app.files.download(`${this.doc.name.replace(/\.\w+$/, '')}.run.json`, text, 'application/json'); }

  // What is seen.

  show(state) {
    this.state = state;
    this.show_choices();
    this.show_trace();
    this.show_values();
    this.show_tiles();
    this.show_chart();
  }

  transition_words(ids) {
    const { edges, processes } = this.model;
    const parts = ids.map((id) => { const e = edges[id], p = processes[e.process]; return `${p.name}: ${p.locations[e.source].name} → ${p.locations[e.target].name}`; });
    const first = edges[ids[0]];
    const event = first && first.is_sync ? first.event.replace(ids.length > 1 ? /[!?]$/ : /$^/, '') : '';
    return { event, parts };
  }
  interval_words(c) {
    if (c.low === undefined) return '';
    const open = c.low_strict ? '(' : '[', close = c.high_strict ? ')' : ']';
    if (c.high === undefined || c.high === null) return c.low === '0' && !c.low_strict ? 'any time' : `${c.low_strict ? 'after more than' : 'from'} ${c.low}`;
    return c.low === c.high ? (c.low === '0' ? 'now' : `at ${c.low}`) : `${open}${c.low}, ${c.high}${close}`;
  }
  // Whether the delay that is chosen lies in the interval of a choice.
  fits(c) {
    const text = this.delay.value.trim();
    if (!text || c.low === undefined) return true;
    const d = value_of(text), low = value_of(c.low), high = c.high === undefined || c.high === null ? Infinity : value_of(c.high);
    return (c.low_strict ? d > low : d >= low) && (c.high_strict ? d < high : d <= high);
  }
  show_choices() {
    const { state } = this, { choices } = state || { choices: [] };
    this.delay.closest('.delay').hidden = this.is_symbolic;
    const chosen = [...this.choices.querySelectorAll('.choice')].findIndex((c) => c.matches(':focus-visible')); // by keyboard
    this.choices.textContent = '';
    const ends = choices.flatMap((c) => [c.low, c.high]).filter((v) => v !== undefined && v !== null).map(value_of);
    const most = Math.max(1, ...ends) * (choices.some((c) => c.high === undefined || c.high === null) ? 1.5 : 1);
    this.slider.max = String(Math.ceil(most));
    this.slider.step = most > 20 ? '1' : '0.5';
    choices.forEach((c, i) => {
      const { event, parts } = this.transition_words(c.edges), fits = this.fits(c);
      this.choices.append(make('li', {}, make('button', { class: `choice${fits ? '' : ' unfit'}`, disabled: !fits, onclick: () => this.take(i, state), onpointerenter: () => this.light(c.edges), onpointerleave: () => this.light([]), onfocus: () => this.light(c.edges), onblur: () => this.light([]) },
        make('span', { class: 'choice-head' }, make('b', {}, event || 'internal'), make('span', { class: 'interval' }, this.interval_words(c))),
        parts.map((p) => make('span', { class: 'part' }, p)), c.guard ? make('span', { class: 'guard' }, c.guard) : null, c.update ? make('span', { class: 'update' }, c.update) : null)));
    });
    if (chosen >= 0) this.choose(Math.min(chosen, choices.length - 1));
    this.note.textContent = choices.length ? '' : this.state?.stuck || this.state?.ending || 'No transition is enabled from here, at any delay.';
  }
  choose(index) { this.choices.querySelectorAll('.choice')[index]?.focus(); }
  show_trace() {
    this.trace.textContent = '';
    const from = Math.max(0, Math.min(this.position - SHOWN_STEPS / 2, this.steps.length - SHOWN_STEPS)), to = Math.min(this.steps.length, from + SHOWN_STEPS);
    this.trace.start = from;
    for (let i = from; i < to; i++) {
      const s = this.steps[i], { event, parts } = i ? this.transition_words(s.edges) : { event: 'start', parts: [] };
      this.trace.append(make('li', { value: i }, make('button', { class: i === this.position ? 'now' : '', title: parts.join('\n') || null, 'aria-current': i === this.position ? 'step' : null, onclick: () => this.go(i) }, make('span', { class: 'when' }, s.time ?? ''), ` ${event || ''} `, make('span', { class: 'quiet' }, parts.join(', ')))));
    }
    reveal(this.trace, this.trace.querySelector('.now'));
    this.step.value = this.position;
    this.step.max = this.steps.length - 1;
    at('back').disabled = this.position <= 0;
    at('forward').disabled = this.position >= this.steps.length - 1;
  }
  show_values() {
    const s = this.state, before = this.steps[this.position - 1];
    const rows = this.model.variables.map((name, v) => [name, s.variables[v], before && before.variables[v] !== s.variables[v]]);
    const clocks = this.clock_names.map((name) => [name, s.clocks ? s.clocks[name] : '', false]);
    this.wanted.hidden = rows.length + clocks.length < MANY_VALUES;
    const letters = this.wanted.hidden ? '' : this.wanted.value.trim().toLowerCase(), is_wanted = ([name]) => name.toLowerCase().includes(letters);
    const table = (all, title, list = all.filter(is_wanted)) => list.length ? `<table><caption>${title}</caption>${list.map(([n, v, c]) => `<tr${c ? ' class="changed"' : ''}><th scope="row">${escape(n)}</th><td>${escape(v ?? '')}</td></tr>`).join('')}</table>` : '';
    this.values.innerHTML = `<p class="now-time">${s.time !== undefined && !this.is_symbolic ? `time <b>${escape(s.time)}</b>, ` : ''}step <b>${s.step}</b></p>${table(rows, 'Variables')}${this.is_symbolic ? '' : table(clocks, 'Clocks')}`;
    this.show_zone();
  }
  show_zone() {
    this.zone_box.textContent = '';
    const zone = this.state.zone;
    if (zone === undefined) return;
    this.zone_box.append(make('code', { class: 'zone-text' }, zone || 'all'));
    if (this.clock_names.length < 2) return;
    const options = (chosen) => this.clock_names.map((c, i) => make('option', { value: i, selected: i === chosen }, c));
    this.axes ??= [0, 1];
    this.axes = this.axes.map((a, i) => (a < this.clock_names.length ? a : i));
    const pick = (k) => make('select', { 'aria-label': k ? 'vertical clock' : 'horizontal clock', onchange: (e) => { this.axes[k] = Number(e.target.value); this.show_zone(); } }, options(this.axes[k]));
    const bounds = this.state.bounds ? this.state.bounds.map((row) => row.map((b) => (b ? { value: b[0], strict: b[1] } : { value: Infinity, strict: true }))) : zone_bounds(this.clock_names, zone);
    const point = this.state.clocks && !this.is_symbolic ? this.axes.map((a) => value_of(this.state.clocks[this.clock_names[a]])) : null;
    this.zone_box.append(make('div', { class: 'axes' }, pick(0), ' × ', pick(1)));
    if (this.axes[0] !== this.axes[1]) this.zone_box.insertAdjacentHTML('beforeend', zone_plot(bounds, this.clock_names, this.axes[0], this.axes[1], point));
  }

  process_menu(button) {
    if (!this.model) return;
    const { left, bottom } = button.getBoundingClientRect(), { hidden } = this, names = this.model.processes.map((p) => p.name);
    const change = (act) => () => {
      act();
      this.hide_tiles();
    };
    popup([{ text: 'All', run: change(() => hidden.clear()) }, { text: 'None', run: change(() => names.forEach((n) => hidden.add(n))) }, null,
      ...names.map((name) => ({ text: name, checked: !hidden.has(name), run: change(() => { if (!hidden.delete(name)) hidden.add(name); }) }))], left, bottom);
  }
  hide_tiles() { this.tile_list.forEach((t, p) => { t.tile.hidden = this.hidden.has(this.model.processes[p].name); }); }
  build_tiles() {
    this.tiles.textContent = '';
    this.tile_list = this.model.processes.map((p, i) => {
      const d = this.drawn[i];
      const body = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      const tile = make('section', { class: 'tile', 'aria-label': `process ${p.name}` }, make('h3', {}, make('span', { class: 'who', title: p.name }, p.name), p.template && p.template !== p.name ? make('span', { class: 'quiet', title: p.template }, p.template) : null, make('span', { class: 'here' }), make('button', { class: 'fold', title: 'hide or show', 'aria-label': `hide or show ${p.name}`, onclick: () => tile.classList.toggle('folded') }, '–')), body);
      if (d.template) {
        const b = view_box(d.template);
        body.setAttribute('viewBox', `${b.x} ${b.y} ${b.width} ${b.height}`);
        body.style.aspectRatio = `${b.width} / ${b.height}`;
        body.style.maxWidth = `${b.width * 1.1}px`;
        tile.style.setProperty('--natural', `${Math.min(440, Math.max(180, b.width * 0.6))}px`);
      }
      this.tiles.append(tile);
      return { tile, body, here: tile.querySelector('.here'), seen: '' };
    });
    this.hide_tiles();
  }
  // The locations and edges of each process's drawing that the run has come through.
  visited() {
    const all = this.model.processes.map(() => ({ locations: new Set(), edges: new Set() }));
    for (const s of this.steps.slice(0, this.position + 1)) {
      s.locations.forEach((l, p) => all[p].locations.add(this.drawn[p].locations[l]));
      for (const id of s.edges) for (const e of this.edge_places[id]) all[this.model.edges[id].process].edges.add(e);
    }
    return all;
  }
  show_tiles() {
    const enabled = this.model.processes.map(() => new Set());
    for (const c of this.state.choices) for (const id of c.edges) for (const e of this.edge_places[id]) enabled[this.model.edges[id].process].add(e);
    const visited = this.marks_visited.checked ? this.visited() : [];
    this.tile_list.forEach((t, p) => {
      const d = this.drawn[p], l = this.state.locations[p], been = visited[p], state = `${l} ${[...enabled[p]].join()} ${been ? `${[...been.locations].join()} ${[...been.edges].join()}` : ''}`;
      if (t.seen === state) return;
      t.seen = state;
      t.here.textContent = t.here.title = this.model.processes[p].locations[l]?.name || '';
      if (d.template) t.body.innerHTML = drawing(d.template, { current: d.locations[l], enabled: enabled[p], visited: been?.locations, taken: been?.edges });
    });
  }
  light(ids) {
    for (const node of this.tiles.querySelectorAll('.edge.lit')) node.classList.remove('lit');
    for (const id of ids) for (const e of this.edge_places[id]) this.tile_list[this.model.edges[id].process].body.querySelector(`[data-key="e${e}"]`)?.classList.add('lit');
  }
  show_chart() {
    if (!this.steps.length) return;
    const from = Math.max(0, Math.min(this.position - SHOWN_STEPS / 2, this.steps.length - SHOWN_STEPS)), to = Math.min(this.steps.length, from + SHOWN_STEPS);
    if (this.is_symbolic && this.chart_kind === 'time') {
      this.chart.textContent = 'Zones have no times: the time chart is of concrete runs.';
      return;
    }
    if (this.chart_kind === 'sequence') {
      this.chart.innerHTML = sequence_chart(this.model, this.steps, this.position, from, to);
      this.keep_names();
    } else draw_times(this.chart, this.model, this.steps.slice(0, 3000), this.position, (step) => this.go(step));
    reveal(this.chart, this.chart.querySelector('.step.now'), HEAD);
  }

  // The names of the processes stay above a sequence chart that is scrolled.
  keep_names() {
    const all = this.chart.firstChild, head = all.cloneNode(false), width = all.getAttribute('width');
    for (const [name, value] of Object.entries({ class: 'sequence head', height: HEAD, viewBox: `0 0 ${width} ${HEAD}`, 'aria-hidden': 'true' })) head.setAttribute(name, value);
    head.append(...[...all.querySelectorAll('.who')].map((w) => w.cloneNode(true)));
    this.chart.prepend(head);
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const all = [...this.choices.querySelectorAll('.choice')], here = all.indexOf(document.activeElement);
    const back = () => this.move(-1), forward = () => this.move(1), first = () => this.go(0), last = () => this.go(this.steps.length - 1);
    const run = {
      ArrowLeft: back, q: back, ArrowRight: forward, a: forward, Home: first, f: first, End: last, l: last, r: () => this.toggle_play(), p: () => this.toggle_replay(),
      z: () => this.choose(Math.max(0, here - 1)), x: () => this.choose(Math.min(all.length - 1, here + 1)),
    }[e.key];
    if (run) {
      e.preventDefault();
      run();
    } else if (e.key === ' ' && !e.target.closest('button, input')) {
      e.preventDefault();
      this.toggle_play();
    } else if (/^[1-9]$/.test(e.key) ) this.take(e.key - 1);
  }
}
