// The editor: the tree of the document, a drawing or a text, and the properties of what is selected.
import * as edits from './edits.js';
import { Canvas } from './canvas.js';
import { TextField } from './text.js';
import { ask, at, make, popup, recall, remember, short, toast } from './dom.js';

const counted = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;
const COLOURS = ['#ffffff', '#ffd6d6', '#ffe8c2', '#fff7b0', '#d5f5c9', '#c6f1ee', '#d3e3ff', '#e9d6ff', '#dddddd'];
const EDGE_COLOURS = ['#b3261e', '#c4620a', '#8a6d00', '#1a7a37', '#00758a', '#2b55c4', '#7a1fa2', '#5b6577']; // those of locations are too pale for lines
const TOOLS = [
  ['select', 'Select', 'V', 'M4 2l9 7-4 .6 2.4 4.6-1.7.9L7.300 10.400 4 13z'],
  ['location', 'Location', 'L', 'M8 3a5 5 0 100 10A5 5 0 008 3z'],
  ['edge', 'Edge', 'E', 'M2 12L11 5M11 5l-4 .4M11 5l-1.300 3.800'],
  ['branch', 'Branch', 'B', 'M8 6a2 2 0 100 4 2 2 0 000-4zM10 8l4-4M10 8l4 4M2 8h4'],
];
const EDGE_FIELDS = [['select', 'Select', 'i : int[0,3]'], ['guard', 'Guard', 'x >= 5 && n > 0'], ['synchronisation', 'Synchronisation', 'press!'], ['assignment', 'Update', 'x = 0, n++'], ['probability', 'Weight', '1'], ['comments', 'Comment', '']];
const SHOWN_LABELS = [['name', 'Names'], ['invariant', 'Invariants'], ['exponentialrate', 'Rates'], ['select', 'Selects'], ['guard', 'Guards'], ['synchronisation', 'Synchronisations'], ['assignment', 'Updates'], ['probability', 'Weights'], ['comments', 'Comments']];
const LOCATION_FIELDS = [['invariant', 'Invariant', 'x <= 10'], ['exponentialrate', 'Rate', ''], ['comments', 'Comment', '']];

export class Editor {
  constructor(app) {
    this.app = app;
    this.fields = [];
    this.item = { kind: 'template', index: 0 };
    this.build();
  }
  get doc() { return this.app.doc; }

  build() {
    const tools = TOOLS.map(([tool, name, key, path]) => {
      const button = make('button', { class: 'tool', 'data-tool': tool, title: `${name} (${key})`, 'aria-label': name, 'aria-pressed': 'false', onclick: () => { this.canvas.set_tool(tool); this.canvas.svg.focus(); } });
      button.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg><span>${name}</span>`;
      return button;
    });
    const action = (name, text, title, run) => make('button', { class: 'action', title, 'aria-label': title, 'data-action': name, onclick: run }, text);
    this.zoom_text = make('button', { class: 'action', title: 'Fit the drawing (F)', onclick: () => this.canvas.fit() }, '100 %');
    this.host = make('div', { class: 'canvas-host' });
    this.bar = make('div', { class: 'toolbar', role: 'toolbar', 'aria-label': 'drawing' }, tools, make('span', { class: 'gap' }),
      action('row', 'Row', 'Align in a row', () => this.canvas.arrange('row')), action('column', 'Column', 'Align in a column', () => this.canvas.arrange('column')),
      action('spread-x', '↔', 'Spread evenly from left to right', () => this.canvas.arrange('spread-x')), action('spread-y', '↕', 'Spread evenly from top to bottom', () => this.canvas.arrange('spread-y')),
      action('layout', 'Lay out', 'Lay out the whole template', () => this.canvas.lay_out()), make('span', { class: 'gap' }), action('view', 'View ▾', 'Grid, labels, tools', (e) => this.view_menu(e.currentTarget)),
      action('out', '−', 'Zoom out (-)', () => this.canvas.zoom_by(0.8)), this.zoom_text, action('in', '+', 'Zoom in (+)', () => this.canvas.zoom_by(1.25)));
    this.text_host = make('div', { class: 'text-host', hidden: true });
    this.tree = make('nav', { class: 'tree', 'aria-label': 'parts of the model' });
    this.panel = make('aside', { class: 'panel', 'aria-label': 'properties' });
    at('editor').append(this.tree, make('div', { class: 'middle' }, this.bar, this.host, this.text_host), this.panel);
    this.canvas = new Canvas(
      Object.assign(Object.create(this.app), {
        problem_keys: (index) => this.app.problem_keys(index),
        context: () => this.app.context(),
        selection_changed: () => this.show_properties(),
        edit_label: (canvas, owner, kind, place) => this.edit_label(owner, kind, place),
        menu: (canvas, key, place, e) => this.drawing_menu(key, place, e),
        rename_location: (key) => this.rename_location(key),
        edit_properties: (key) => { this.canvas.select([key]); this.focus_field(0); },
        zoomed: (zoom) => { this.zoom_text.textContent = `${Math.round(zoom * 100)} %`; },
        tool_changed: (tool) => this.bar.querySelectorAll('[data-tool]').forEach((b) => b.setAttribute('aria-pressed', String(b.dataset.tool === tool))),
        keeps_tool: () => this.keeps_tool,
        say: (text) => toast(text),
      }), this.host);
    Object.defineProperty(this.canvas.app, 'doc', { get: () => this.app.doc });
    this.canvas.set_tool('select');
  }

  // Another document.
  opened() {
    this.canvas.forget_views();
    this.panel_state = null;
    const view = this.doc.view;
    this.open(view && view.templates.length ? { kind: 'template', index: 0 } : { kind: 'declaration' });
  }

  open(item, fit = false) {
    this.close_label();
    const same = this.item && this.item.kind === item.kind && this.item.index === item.index;
    this.item = item;
    const is_drawing = item.kind === 'template';
    this.host.hidden = !is_drawing;
    this.bar.hidden = !is_drawing;
    this.text_host.hidden = is_drawing;
    if (is_drawing) {
      this.drop_text();
      this.canvas.open(item.index, fit);
    } else if (!same || !this.text) this.open_text(item);
    this.show_tree();
    this.show_properties();
  }

  drop_text() {
    if (this.text) this.text.destroy();
    this.text = null;
    this.text_host.textContent = '';
  }

  source_of(item) {
    const parent = () => (item.kind === 'local' ? this.doc.view.templates[item.index].node : this.doc.root);
    const name = item.kind === 'system' ? 'system' : item.kind === 'xml' ? null : 'declaration';
    if (item.kind === 'xml' || !this.doc.view)
      return { key: 'xml', node: () => null, get: () => this.doc.text.replace(/\r\n?/g, '\n'), set: (text) => [{ start: 0, end: this.doc.text.length, text: this.doc.newline === '\n' ? text : text.replace(/\n/g, '\r\n') }] };
    const node = () => (this.doc.view ? parent()?.children.find((c) => c.name === name) || null : null);
    return { key: `${item.kind} ${item.index ?? ''}`, node, get: () => (node() ? this.doc.content(node()).text : ''), set: (text) => edits.set_part(this.doc, parent(), name, text) };
  }
  open_text(item) {
    this.drop_text();
    const title = { declaration: 'Declarations of the model', local: `Declarations of ${this.doc.view?.templates[item.index]?.name}`, system: 'System: which processes there are', xml: 'The file' }[item.kind];
    this.text_host.append(make('h2', { class: 'text-title' }, title));
    this.text = new TextField(this.app, this.source_of(item), { parent: this.text_host, label: title });
    this.text.show_problems(this.app.problems);
  }

  show_tree() {
    const view = this.doc.view;
    this.tree.textContent = '';
    const entry = (item, text, level = 0, count = 0) => {
      const chosen = item.kind === this.item.kind && item.index === this.item.index;
      const row = make('button', { class: `entry level${level}`, title: text.length > 18 ? text : null, 'aria-current': chosen ? 'true' : null, onclick: () => this.open(item), onkeydown: (e) => this.tree_key(e) }, make('span', {}, short(text, 19)), count ? make('span', { class: 'badge', 'aria-label': `${count} problems` }, String(count)) : null);
      this.tree.append(row);
      return row;
    };
    if (!view) {
      entry({ kind: 'xml' }, 'The file', 0, 1);
      return;
    }
    const wrong = (test) => this.app.problems.filter((p) => p.severity === 1 && test(p.place)).length;
    entry({ kind: 'declaration' }, 'Declarations', 0, wrong((p) => !p.template && p.node?.name === 'declaration'));
    view.templates.forEach((t, index) => {
      const row = entry({ kind: 'template', index }, t.name || '(no name)', 0, wrong((p) => p.template?.index === index && p.node?.name !== 'declaration'));
      row.classList.add('template');
      row.addEventListener('dblclick', () => this.rename_template(index));
      entry({ kind: 'local', index }, 'declarations', 1, wrong((p) => p.template?.index === index && p.node?.name === 'declaration'));
    });
    entry({ kind: 'system' }, 'System', 0, wrong((p) => !p.template && p.node?.name === 'system'));
    this.tree.append(make('div', { class: 'tree-buttons' },
      make('button', { onclick: () => this.add_template(), title: 'Add a template' }, '+ Template'),
      make('button', { onclick: () => this.app.files.choose_template(), title: 'Import templates of another model' }, 'Import…'),
      this.item.kind === 'template' && view.templates[this.item.index] && [
        make('button', { onclick: () => this.copy_template(), title: 'Duplicate this template' }, 'Duplicate'),
        make('button', { onclick: () => this.remove_template(), title: 'Delete this template' }, 'Delete')]));
  }
  tree_key(e) {
    if (e.key === 'F2' && this.item.kind === 'template' && e.currentTarget.matches('.template')) {
      e.preventDefault();
      e.stopPropagation();
      this.rename_template(this.item.index);
      return;
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (!by) return;
    const rows = [...this.tree.querySelectorAll('.entry')], next = rows[rows.indexOf(e.currentTarget) + by];
    if (next) next.focus();
    e.preventDefault();
  }

  names() { return this.doc.view.templates.map((t) => t.name); }
  add_template() {
    const index = this.doc.view.templates.length;
    this.doc.apply(edits.add_template(this.doc, edits.fresh_name(this.names(), 'Template')), { label: 'add a template', before: this.app.context(), after: { item: { kind: 'template', index } } });
    this.open({ kind: 'template', index });
  }
  // Templates of another document, after those of this one.
  import_templates(from, templates) {
    const context = this.app.context(), merge = `import ${this.doc.version}`;
    for (const t of templates) {
      const index = this.doc.view.templates.length;
      this.doc.apply(edits.import_template(this.doc, from, t), { label: 'import templates', merge, before: context, after: { item: { kind: 'template', index } } });
      this.open({ kind: 'template', index });
    }
  }
  copy_template() {
    const t = this.doc.view.templates[this.item.index], index = t.index + 1;
    this.doc.apply(edits.copy_template(this.doc, t, edits.fresh_name(this.names(), t.name)), { label: 'duplicate a template', before: this.app.context(), after: { item: { kind: 'template', index } } });
    this.canvas.views.clear();
    this.open({ kind: 'template', index });
  }
  remove_template() {
    const t = this.doc.view.templates[this.item.index];
    this.doc.apply(this.doc.remove(t.node), { label: 'delete a template', before: this.app.context(), after: { item: { kind: 'declaration' } } });
    this.canvas.forget_views();
    this.open(this.doc.view.templates.length ? { kind: 'template', index: Math.max(0, t.index - 1) } : { kind: 'declaration' });
  }
  async rename_template(index) {
    const t = this.doc.view.templates[index];
    if (t && t.name_node) await this.app.rename(t.name_node, 0, t.name);
  }

  // Renames a location that has a name, with all its uses; false: it has none.
  rename_location(key) {
    const found = edits.resolve(this.canvas.real, key), name = found?.owner.type === 'location' && found.owner.name;
    if (!name || !name.text.trim()) return false;
    this.app.rename(name.node, name.text.search(/\S/), name.text.trim());
    return true;
  }

  get keeps_tool() { return this.kept ??= recall('keeps-tool') === 'yes'; }
  keep_tool(does) {
    this.kept = does;
    remember('keeps-tool', does ? 'yes' : 'no');
    if (at('keep-tool')) at('keep-tool').checked = does;
  }

  // What is drawn, and how.
  view_menu(button) {
    const { canvas } = this, { left, bottom } = button.getBoundingClientRect();
    const grid = (n, text) => ({ text, checked: n ? canvas.snaps && canvas.grid === n : !canvas.snaps, run: () => { canvas.snaps = n > 0; if (n) canvas.grid = n; canvas.place(); } });
    const labels = ([kind, text]) => { const sign = `without-${kind}`; return { text, checked: !canvas.svg.classList.contains(sign), run: () => canvas.svg.classList.toggle(sign) }; };
    popup([grid(8, 'Grid of 8'), grid(17, 'Grid of 17'), grid(4, 'Grid of 4'), grid(0, 'No grid'), { text: 'Align all to the grid', run: () => canvas.align_to_grid() }, null,
      ...SHOWN_LABELS.map(labels), null,
      { text: 'Keep the drawing tool', checked: this.keeps_tool, run: () => this.keep_tool(!this.keeps_tool) }], left, bottom + 2);
  }

  // What the right button offers at a place of the drawing.
  drawing_menu(key, place, { clientX, clientY }) {
    const { canvas } = this, found = key && edits.resolve(canvas.real, key), owner = found?.owner;
    const now = () => edits.resolve(canvas.real, key).owner;
    const draw = (tool) => () => { canvas.set_tool(tool); canvas.draw_node(place, {}); };
    const flag = (name) => ({ text: name, checked: owner[name], run: () => canvas.change(name, () => edits.set_flag(this.doc, now(), name, !owner[name])) });
    const one = { text: 'Delete', run: () => canvas.remove() };
    // The system's clipboard is for keys; menus have what was copied in this page.
    const over = (what) => () => { canvas.svg.focus(); document.execCommand(what); };
    const clip = [{ text: 'Cut', run: over('cut') }, { text: 'Copy', run: over('copy') }, { text: 'Duplicate', run: () => canvas.duplicate() }];
    const paste = this.app.clip ? [{ text: 'Paste here', run: () => canvas.paste_at(this.app.clip, place) }] : [];
    const items = !found ? [{ text: 'Location here', run: draw('location') }, { text: 'Branch point here', run: draw('branch') }, ...paste, null, { text: 'Select all', run: () => canvas.select_all() }, { text: 'Lay out', run: () => canvas.lay_out() }, { text: 'Fit the drawing', run: () => canvas.fit() }]
      : canvas.selected.size > 1 ? [...clip, null, { text: 'Align in a row', run: () => canvas.arrange('row') }, { text: 'Align in a column', run: () => canvas.arrange('column') }, null, one]
      : found.type === 'nail' ? [one]
      : found.type === 'label' ? [{ text: 'Edit', run: () => canvas.edit(key) }, ...(found.object.kind === 'name' ? [{ text: 'Rename with all uses', run: () => this.rename_location(key) }] : []), null, one]
      : owner.type === 'edge' ? [{ text: 'Edit', run: () => canvas.edit(key) }, { text: 'Nail here', run: () => canvas.nail_at(key, place) }, null, one]
      : [...(owner.type === 'location' ? [{ text: 'Edit', run: () => canvas.edit(key) }, ...(owner.name?.text.trim() ? [{ text: 'Rename with all uses', run: () => this.rename_location(key) }] : [])] : []),
        { text: 'Edge from here', run: () => { canvas.svg.focus(); canvas.set_tool('edge'); canvas.pending = { source: owner.id, nails: [], at: place }; } },
        ...(owner.type === 'location' ? [null, { text: 'initial', checked: owner.initial, run: () => canvas.change('initial', (t) => edits.set_initial(this.doc, t, now().id)) }, flag('urgent'), flag('committed')] : []),
        null, ...clip, one];
    popup(items, clientX, clientY);
  }

  // Properties of the selection.

  drop_fields() {
    for (const f of this.fields) f.destroy();
    this.fields = [];
    this.panel.textContent = '';
  }

  show_properties() {
    const t = this.item.kind === 'template' && this.doc.view ? this.doc.view.templates[this.item.index] : null;
    const keys = [...this.canvas.selected];
    const found = t && keys.length === 1 ? edits.resolve(t, keys[0]) : null;
    const owner = found && found.owner;
    const state = !t ? 'none' : owner ? `${t.index} ${edits.key_of(owner)} ${owner.id ?? owner.source + owner.target}` : `${t.index} ${keys.length} ${t.locations.length} ${t.edges.length}`;
    if (state === this.panel_state && this.fields.length) return this.update_properties(owner);
    this.panel_state = state;
    this.drop_fields();
    this.panel.hidden = !t;
    if (!t) return;
    if (keys.length > 1) this.panel.append(make('h2', {}, `${keys.length} things selected`), make('p', { class: 'quiet' }, 'Arrow keys move them, Delete deletes them, Ctrl+C copies them.'));
    else if (!owner) this.template_panel(t);
    else if (owner.type === 'location') this.location_panel(t.index, owner);
    else if (owner.type === 'edge') this.edge_panel(t.index, owner);
    else this.panel.append(make('h2', {}, 'Branch point'), make('p', { class: 'quiet' }, 'Edges that leave it carry weights.'));
    for (const f of this.fields) f.show_problems(this.app.problems);
  }

  field(title, source, hint, { on_blur = null, is_prose = false, is_line = false } = {}) {
    const box = make('div', { class: 'property' }, make('span', { class: 'caption' }, title));
    this.panel.append(box);
    const field = new TextField(this.app, source, { parent: box, label: title, hint, small: true, on_blur, is_prose: is_prose || is_line, keys: is_line ? [{ key: 'Enter', run: () => { this.app.leave_field(); return true; } }] : [] });
    this.fields.push(field);
    return field;
  }

  template_panel(t) {
    const now = () => this.doc.view && this.doc.view.templates[t.index];
    this.panel.append(make('h2', {}, 'Template'));
    const part = (name) => ({ key: `${name} of template ${t.index}`, node: () => now()?.node.children.find((c) => c.name === name) || null });
    const name = part('name'), parameter = part('parameter');
    this.field('Name', { ...name, get: () => (name.node() ? this.doc.content(name.node()).text : ''), set: (text) => (name.node() ? this.doc.set_text(name.node(), text) : []) }, 'Template', { is_line: true });
    this.field('Parameters', { ...parameter, get: () => (parameter.node() ? this.doc.content(parameter.node()).text : ''), set: (text) => edits.set_part(this.doc, now().node, 'parameter', text) }, 'const int id, int &shared');
    this.panel.append(make('p', { class: 'quiet' }, `${counted(t.locations.length, 'location')}, ${counted(t.edges.length, 'edge')}. F2 in a name renames it everywhere.`),
      make('label', { class: 'check' }, make('input', { type: 'checkbox', id: 'keep-tool', checked: this.keeps_tool, onchange: (e) => this.keep_tool(e.target.checked) }), ' keep the drawing tool after use'));
  }

  label_source(template, key, kind) {
    const now = () => {
      const t = this.doc.view && this.doc.view.templates[template];
      return t ? { t, owner: edits.resolve(t, key)?.owner } : {};
    };
    const label = () => {
      const { owner } = now();
      return owner ? (kind === 'name' ? owner.name : owner.labels.find((l) => l.kind === kind)) || null : null;
    };
    return {
      key: `label ${template} ${key} ${kind}`,
      node: () => label()?.node || null,
      get: () => label()?.text || '',
      // An empty label stays until the field is left, so that it keeps its place.
      set: (text) => {
        const { t, owner } = now();
        if (!owner) return [];
        if (label()) return this.doc.set_text(label().node, text);
        return kind === 'name' ? edits.set_name(this.doc, t, owner, text) : edits.set_label(this.doc, t, owner, kind, text);
      },
      clean: () => {
        if (this.doc.future.length) return; // what is undone can be redone
        const { owner } = now();
        if (owner && label() && !label().text) this.doc.apply(this.doc.remove(label().node), { label: 'typing', merge: `label ${template} ${key} ${kind}` });
      },
    };
  }
  label_field(template, key, kind, title, hint) {
    const source = this.label_source(template, key, kind);
    return this.field(title, source, hint, { on_blur: () => source.clean(), is_prose: kind === 'comments', is_line: kind === 'name' });
  }

  toggles(list) {
    const box = make('div', { class: 'toggles' });
    this.checks = {};
    for (const [name, title, checked, change] of list) {
      const input = make('input', { type: 'checkbox', checked, onchange: () => change(input.checked) });
      this.checks[name] = input;
      box.append(make('label', { class: 'check' }, input, ` ${title}`));
    }
    this.panel.append(box);
  }
  colours(owner_now, list = COLOURS) {
    const box = make('div', { class: 'swatches', role: 'group', 'aria-label': 'colour' });
    const set = (colour) => this.canvas.change('colour', () => edits.set_colour(this.doc, owner_now(), colour));
    box.append(make('button', { class: 'swatch none', title: 'no colour', 'aria-label': 'no colour', onclick: () => set(null) }, '×'));
    for (const c of list) {
      const b = make('button', { class: 'swatch', title: c, 'aria-label': `colour ${c}`, onclick: () => set(c) });
      b.style.background = c;
      box.append(b);
    }
    const own = make('input', { type: 'color', title: 'another colour', 'aria-label': 'another colour', onchange: () => set(own.value) });
    box.append(own);
    this.panel.append(make('div', { class: 'property' }, make('span', { class: 'caption' }, 'Colour'), box));
  }

  location_panel(template, l) {
    const key = edits.key_of(l), now = () => edits.resolve(this.doc.view.templates[template], key).owner;
    this.panel.append(make('h2', {}, 'Location'));
    this.label_field(template, key, 'name', 'Name', '');
    for (const [kind, title, hint] of LOCATION_FIELDS) this.label_field(template, key, kind, title, hint);
    const flag = (name) => (on) => this.canvas.change(name, () => edits.set_flag(this.doc, now(), name, on));
    this.toggles([
      ['initial', 'initial', l.initial, () => this.canvas.change('initial', (t) => edits.set_initial(this.doc, t, now().id))],
      ['urgent', 'urgent', l.urgent, flag('urgent')],
      ['committed', 'committed', l.committed, flag('committed')],
    ]);
    this.colours(now);
  }
  edge_panel(template, e) {
    const key = edits.key_of(e), now = () => edits.resolve(this.doc.view.templates[template], key).owner;
    const t = this.doc.view.templates[template];
    const from_branch = t.by_id.get(e.source)?.type === 'branch';
    const name = (id) => { const l = t.by_id.get(id); return (l && l.name && l.name.text.trim()) || id; };
    this.panel.append(make('h2', {}, 'Edge'), make('p', { class: 'quiet' }, `${name(e.source)} → ${name(e.target)}`));
    for (const [kind, title, hint] of EDGE_FIELDS) {
      if (kind === 'probability' && !from_branch && !e.labels.some((l) => l.kind === kind)) continue;
      this.label_field(template, key, kind, title, hint);
    }
    this.toggles([['controllable', 'controllable', e.controllable, (on) => this.canvas.change('controllable', () => this.doc.set_attribute(now().node, 'controllable', on ? null : 'false'))]]);
    this.colours(now, EDGE_COLOURS);
  }
  update_properties(owner) {
    for (const f of this.fields) f.refresh();
    if (owner && this.checks) for (const name of ['initial', 'urgent', 'committed', 'controllable']) if (this.checks[name]) this.checks[name].checked = owner[name];
  }
  focus_field(index) { this.fields[index]?.focus(0, Infinity); }

  // A label is edited where it is.
  edit_label(owner, kind, place) {
    this.close_label();
    const source = this.label_source(this.item.index, edits.key_of(owner), kind);
    this.canvas.select([edits.key_of(owner)]);
    const box = make('div', { class: 'inline-edit' });
    document.body.append(box);
    box.style.left = `${Math.max(4, Math.min(place.x - 6, innerWidth - 320))}px`;
    box.style.top = `${Math.max(4, Math.min(place.y - 6, innerHeight - 90))}px`;
    const field = new TextField(this.app, source, { parent: box, label: kind, small: true, is_prose: kind === 'comments', on_blur: () => setTimeout(() => this.inline && this.inline.field === field && this.close_label(), 0) });
    this.inline = { box, field, source };
    field.show_problems(this.app.problems);
    box.addEventListener('keydown', (e) => {
      if (e.key === 'Enter' && !e.shiftKey && !document.querySelector('.cm-tooltip-autocomplete')) {
        e.preventDefault();
        e.stopPropagation();
        this.close_label();
        this.canvas.svg.focus();
      }
    }, true);
    field.focus(0, Infinity);
  }
  close_label() {
    const inline = this.inline;
    this.inline = null;
    if (!inline) return;
    inline.source.clean();
    inline.field.destroy();
    inline.box.remove();
  }

  // The document has changed.
  changed(change) {
    const view = this.doc.view;
    if (!view) {
      this.item = { kind: 'xml' };
      this.open_text(this.item);
      this.show_tree();
      return;
    }
    const after = change.after;
    if ((change.kind === 'undo' || change.kind === 'redo') && after && after.item) {
      if (after.item.kind !== this.item.kind || after.item.index !== this.item.index) this.open(after.item);
      this.canvas.selected = new Set(after.selected || []);
    }
    if (this.item.kind === 'xml' || ((this.item.kind === 'template' || this.item.kind === 'local') && this.item.index >= view.templates.length))
      return this.open(this.item.kind === 'xml' && this.text ? this.item : { kind: view.templates.length ? 'template' : 'declaration', index: view.templates.length ? 0 : undefined });
    if (this.item.kind === 'template') {
      const t = view.templates[this.item.index];
      this.canvas.selected = new Set([...this.canvas.selected].filter((k) => edits.resolve(t, k)));
      this.canvas.render();
    } else if (this.text && change.origin !== this.text) this.text.refresh();
    if (change.origin === this.canvas || !(change.origin && this.fields.includes(change.origin))) {
      this.show_tree();
      this.show_properties();
    } else for (const f of this.fields) if (f !== change.origin) f.refresh();
    if (this.inline && change.origin !== this.inline.field) this.inline.field.refresh();
  }

  show_problems() {
    if (this.item.kind === 'template') this.canvas.render();
    this.show_tree();
    for (const f of [...this.fields, this.text, this.inline?.field]) if (f) f.show_problems(this.app.problems);
  }

  go_to(problem) {
    const { place } = problem;
    if (place.template) {
      const index = place.template.index;
      if (place.key) {
        this.open({ kind: 'template', index });
        const key = place.owner || place.key;
        this.canvas.select([key]);
        this.canvas.reveal(place.key);
        const at_field = this.fields.find((f) => { const n = f.source.node(); return n && place.node && n.start === place.node.start; });
        if (at_field) at_field.focus(problem.from, problem.to);
      } else if (place.node?.name === 'declaration') {
        this.open({ kind: 'local', index });
        this.text.focus(problem.from, problem.to);
      } else {
        this.open({ kind: 'template', index });
        this.canvas.select([]);
        this.fields[place.node?.name === 'parameter' ? 1 : 0]?.focus(problem.from, problem.to);
      }
      return;
    }
    this.open({ kind: !this.doc.view ? 'xml' : place.node?.name === 'system' ? 'system' : 'declaration' });
    this.text.focus(problem.from ?? problem.start, problem.to ?? problem.end);
  }
}
export { ask };
