// The drawing of a template that can be changed: tools, selection, dragging, zoom. All changes go to
// the document as splices; while something is dragged only the picture changes.
import * as edits from './edits.js';
import { drawing_parts, view_box } from './draw.js';
import { RADIUS, edge_points, label_place, labels_of } from './geometry.js';
import { layout_of, placed_view } from './layout.js';

const NS = 'http://www.w3.org/2000/svg';
const svg = (name, attributes = {}) => {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
};

export class Canvas {
  constructor(app, host) {
    this.app = app;
    this.selected = new Set();
    this.tool = 'select';
    this.grid = 8;
    this.snaps = true;
    this.zoom = 1;
    this.x = 0;
    this.y = 0;
    this.index = -1;
    this.views = new Map(); // where each template was looked at
    this.drag = null;
    this.pending = null; // an edge that is being drawn: { source, nails, at }
    this.svg = svg('svg', { class: 'canvas', tabindex: '0', role: 'application', 'aria-label': 'drawing of the template' });
    this.svg.innerHTML = '<defs><pattern id="grid" patternUnits="userSpaceOnUse"><path class="grid-line"/></pattern></defs><rect class="paper" x="-50000" y="-50000" width="100000" height="100000"/>';
    this.world = svg('g');
    this.paper = this.svg.querySelector('.paper');
    this.world.append(this.paper);
    this.things = svg('g');
    this.over = svg('g', { class: 'over' });
    this.world.append(this.things, this.over);
    this.svg.append(this.world);
    host.append(this.svg);
    this.svg.addEventListener('pointerdown', (e) => this.down(e));
    this.svg.addEventListener('pointermove', (e) => this.moved(e));
    this.svg.addEventListener('pointerup', (e) => this.up(e));
    this.svg.addEventListener('pointercancel', () => this.cancel());
    this.svg.addEventListener('dblclick', (e) => this.double(e));
    this.svg.addEventListener('contextmenu', (e) => this.context_menu(e));
    this.svg.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    this.svg.addEventListener('keydown', (e) => this.key(e));
    this.svg.addEventListener('focusin', (e) => this.focused(e));
    new ResizeObserver(() => this.place()).observe(this.svg);
  }

  get doc() { return this.app.doc; }
  // The template as it is drawn; null if there is none.
  get template() {
    const t = this.doc.view && this.doc.view.templates[this.index];
    if (!t) return null;
    if (this.shown_of !== t) {
      this.shown_of = t;
      this.shown = placed_view(t);
    }
    return this.shown;
  }
  get real() { return this.doc.view.templates[this.index]; }

  open(index, fit = false) {
    if (this.index !== index) {
      this.views.set(this.index, { zoom: this.zoom, x: this.x, y: this.y });
      this.index = index;
      this.selected = new Set();
      this.pending = null;
      const view = this.views.get(index);
      if (view && !fit) Object.assign(this, view);
      else fit = true;
    }
    this.render();
    if (fit) this.fit(0.55);
  }
  forget_views() {
    this.views.clear();
    this.index = -1;
  }

  // The whole drawing, or as much of it around its initial location as can be read. What is hidden waits until it is shown.
  fit(least = 0) {
    const t = this.template, box = this.svg.getBoundingClientRect();
    this.fits_later = !!t && !box.width && { least };
    if (!t || !box.width) return;
    const b = view_box(t, 30), begin = t.locations.find((l) => l.initial) || t.locations[0] || { x: b.x, y: b.y };
    this.zoom = Math.max(least, Math.min(1.6, box.width / b.width, box.height / b.height));
    const shift = (low, size, room, at) => (size * this.zoom <= room + 1 ? room / 2 - (low + size / 2) * this.zoom : Math.max(room - (low + size) * this.zoom, Math.min(-low * this.zoom, room / 2 - at * this.zoom)));
    this.x = shift(b.x, b.width, box.width, begin.x);
    this.y = shift(b.y, b.height, box.height, begin.y);
    this.place();
  }
  place() {
    if (this.fits_later && this.svg.getBoundingClientRect().width) return this.fit(this.fits_later.least);
    this.world.setAttribute('transform', `translate(${this.x} ${this.y}) scale(${this.zoom})`);
    const pattern = this.svg.querySelector('#grid'), step = this.grid * (this.zoom < 0.6 ? 4 : 2);
    pattern.setAttribute('width', step);
    pattern.setAttribute('height', step);
    pattern.firstChild.setAttribute('d', `M${step} 0H0V${step}`);
    this.svg.classList.toggle('with-grid', this.snaps && this.zoom > 0.35);
    this.app.zoomed?.(this.zoom);
  }
  zoom_by(factor, cx, cy) {
    const box = this.svg.getBoundingClientRect();
    cx ??= box.width / 2;
    cy ??= box.height / 2;
    const zoom = Math.min(6, Math.max(0.08, this.zoom * factor));
    this.x = cx - ((cx - this.x) * zoom) / this.zoom;
    this.y = cy - ((cy - this.y) * zoom) / this.zoom;
    this.zoom = zoom;
    this.place();
  }
  wheel(e) {
    e.preventDefault();
    const box = this.svg.getBoundingClientRect();
    if (e.shiftKey) {
      this.x -= e.deltaY || e.deltaX;
      this.place();
    } else this.zoom_by(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0015)), e.clientX - box.left, e.clientY - box.top);
  }
  point(e) {
    const box = this.svg.getBoundingClientRect();
    return { x: (e.clientX - box.left - this.x) / this.zoom, y: (e.clientY - box.top - this.y) / this.zoom };
  }
  on_screen(p) {
    const box = this.svg.getBoundingClientRect();
    return { x: p.x * this.zoom + this.x + box.left, y: p.y * this.zoom + this.y + box.top };
  }
  snap(n) { return this.snaps ? Math.round(n / this.grid) * this.grid : Math.round(n); }

  render(template = this.template) {
    const focus = document.activeElement && document.activeElement.closest && document.activeElement.closest('[data-key]');
    const focused = focus && this.svg.contains(focus) ? focus.dataset.key : null;
    this.update(template ? drawing_parts(template, { selected: this.selected, problems: this.app.problem_keys(this.index), interactive: true }) : []);
    if (focused) this.element(focused)?.focus({ preventScroll: true });
    this.render_over();
  }
  // Only elements that changed are made anew: most of a large drawing stays while something is dragged.
  update(parts) {
    const old = this.parts || [], nodes = this.things.children;
    if (old.length !== parts.length || nodes.length !== parts.length) this.things.innerHTML = parts.join('');
    else
      for (let i = 0; i < parts.length; i++) if (parts[i] !== old[i]) nodes[i].outerHTML = parts[i];
    this.parts = parts;
  }
  element(key) { return this.things.querySelector(`[data-key="${key}"]`); }

  render_over() {
    const t = this.template, parts = [];
    if (t && this.selected.size === 1 && this.tool === 'select') {
      const found = edits.resolve(t, [...this.selected][0]);
      if (found && found.type === 'edge') {
        const points = edge_points(t, found.object) || [];
        // Handles: between two points a new nail can be pulled out; the ends can be put elsewhere.
        points.slice(1).forEach((p, i) => parts.push(`<circle class="handle" data-handle="bend" data-at="${i}" cx="${(points[i].x + p.x) / 2}" cy="${(points[i].y + p.y) / 2}" r="4"><title>pull out a nail</title></circle>`));
        if (points.length) {
          const a = points[0], b = points[points.length - 1];
          parts.push(`<circle class="handle end" data-handle="source" cx="${a.x}" cy="${a.y}" r="5"/><circle class="handle end" data-handle="target" cx="${b.x}" cy="${b.y}" r="5"/>`);
        }
      }
    }
    if (this.pending) {
      const source = t.by_id.get(this.pending.source);
      if (source) parts.push(`<path class="pending" d="M${[source, ...this.pending.nails, this.pending.at].map((p) => `${p.x} ${p.y}`).join('L')}"/>`);
    }
    if (this.drag && this.drag.kind === 'band') {
      const { from, to } = this.drag;
      parts.push(`<rect class="band" x="${Math.min(from.x, to.x)}" y="${Math.min(from.y, to.y)}" width="${Math.abs(from.x - to.x)}" height="${Math.abs(from.y - to.y)}"/>`);
    }
    this.over.innerHTML = parts.join('');
  }

  select(keys, { quiet = false } = {}) {
    this.selected = new Set(keys);
    this.render();
    if (!quiet) this.app.selection_changed();
  }
  set_tool(tool) {
    this.tool = tool;
    this.pending = null;
    this.svg.dataset.tool = tool;
    this.render_over();
    this.app.tool_changed?.(tool);
  }

  // A change of the drawing. A template that was laid out gets its coordinates first.
  change(label, make_splices, after = null) {
    if (!this.real) return;
    const merge = `drawing ${this.doc.version}`, before = this.app.context();
    if (this.template.is_laid_out) this.doc.apply(edits.apply_layout(this.doc, this.real, layout_of(this.real)), { label, merge, before, after: before });
    const splices = make_splices(this.real);
    const context = { ...this.app.context(), selected: after ? [...after] : [...this.selected] };
    if (after) this.selected = new Set(after);
    this.doc.apply(splices, { label, merge, before, after: context, origin: this });
    if (after) this.select(after);
  }

  hit(e) {
    const found = e.target.closest && e.target.closest('[data-key]');
    return found && this.svg.contains(found) ? found.dataset.key : null;
  }
  end_at(e) {
    const key = this.hit(e), owner = key && edits.resolve(this.template, key);
    if (owner && (owner.type === 'location' || owner.type === 'branch')) return owner.object;
    const p = this.point(e);
    return [...this.template.locations, ...this.template.branches].find((l) => Math.hypot(l.x - p.x, l.y - p.y) < RADIUS + 3) || null;
  }

  down(e) {
    if (!this.template) return;
    const p = this.point(e);
    this.svg.focus({ preventScroll: true });
    if (e.button === 1 || (e.button === 0 && this.space)) {
      this.drag = { kind: 'pan', x: e.clientX - this.x, y: e.clientY - this.y, from: p, makes: e.button === 1, target: e.target };
      this.svg.setPointerCapture(e.pointerId);
      e.preventDefault();
      return;
    }
    if (e.button !== 0) return;
    if (this.tool === 'location' || this.tool === 'branch') return this.draw_node(p, e);
    if (this.tool === 'edge') return this.draw_edge(p, e);
    const handle = e.target.dataset && e.target.dataset.handle;
    if (handle) {
      this.drag = { kind: handle, at: Number(e.target.dataset.at), from: p, key: [...this.selected][0] };
      this.svg.setPointerCapture(e.pointerId);
      return;
    }
    const key = this.hit(e);
    const many = e.shiftKey || e.ctrlKey || e.metaKey;
    if (!key) {
      this.drag = { kind: 'band', from: p, to: p, kept: many ? new Set(this.selected) : new Set() };
      if (!many) this.select([]);
    } else {
      if (many) {
        const next = new Set(this.selected);
        if (!next.delete(key)) next.add(key);
        this.select(next);
      } else if (!this.selected.has(key)) this.select([key]);
      if (this.selected.has(key)) this.drag = { kind: 'move', from: p, dx: 0, dy: 0, key, was_selected: true };
    }
    this.svg.setPointerCapture(e.pointerId);
  }

  draw_node(p, e) {
    const x = this.snap(p.x), y = this.snap(p.y);
    const is_branch = this.tool === 'branch';
    const n = is_branch ? this.real.branches.length : this.real.locations.length;
    this.change(is_branch ? 'add a branch point' : 'add a location', (t) => (is_branch ? edits.add_branch : edits.add_location)(this.doc, t, x, y).splices, [`${is_branch ? 'b' : 'l'}${n}`]);
    if (!e.shiftKey && !this.app.keeps_tool()) this.set_tool('select');
  }
  draw_edge(p, e) {
    const end = this.end_at(e);
    if (!this.pending || this.pending.is_of_key) { // a click says itself where the edge begins
      if (!end) return;
      if (this.pending) this.app.say('');
      this.pending = { source: end.id, nails: [], at: p };
    } else if (end && (end.id !== this.pending.source || this.pending.nails.length || Math.hypot(p.x - this.pending.at.x, p.y - this.pending.at.y) < 40)) this.finish_edge(end.id);
    else if (!end) this.pending.nails.push({ x: this.snap(p.x), y: this.snap(p.y) });
    this.render_over();
  }
  finish_edge(target) {
    const { source, nails, is_of_key } = this.pending;
    this.pending = null;
    if (is_of_key) this.app.say('');
    this.change('add an edge', (t) => edits.add_edge(this.doc, t, source, target, nails).splices, [`e${this.real.edges.length}`]);
    if (!this.app.keeps_tool()) this.set_tool('select');
  }

  // A click of the middle button: a location on the paper, an edge from a location, a nail on an edge.
  make_at(p, e) {
    const key = this.hit(e), found = key && edits.resolve(this.template, key);
    if (this.pending || this.end_at(e)) {
      if (!this.pending) this.set_tool('edge');
      this.draw_edge(p, e);
    } else if (!found) this.draw_node(p, e);
    else if (found.type === 'edge') this.nail_at(key, p);
  }

  moved(e) {
    const p = this.point(e);
    if (this.pending && !this.drag) {
      this.pending.at = p;
      this.render_over();
      return;
    }
    const d = this.drag;
    if (!d) return;
    if (d.kind === 'pan') {
      if (!d.is_moved && Math.hypot(p.x - d.from.x, p.y - d.from.y) * this.zoom < 4) return;
      d.is_moved = true;
      this.x = e.clientX - d.x;
      this.y = e.clientY - d.y;
      this.place();
    } else if (d.kind === 'band') {
      d.to = p;
      this.select([...d.kept, ...this.inside(d.from, p)], { quiet: true });
    } else if (d.kind === 'move') this.drag_to(p);
    else if (d.kind === 'bend') this.preview_bend(p);
    else if (d.kind === 'source' || d.kind === 'target') {
      d.to = p;
      this.over.innerHTML = `<circle class="handle end" cx="${p.x}" cy="${p.y}" r="6"/>`;
    }
  }

  // By how much the selection moves: its first object comes to lie on the grid.
  drag_to(p) {
    const d = this.drag, t = this.template;
    let dx = p.x - d.from.x, dy = p.y - d.from.y;
    const anchor = edits.resolve(t, d.key);
    if (anchor && this.snaps) {
      const o = anchor.type === 'edge' ? { x: 0, y: 0 } : anchor.type === 'label' ? label_place(t, anchor.owner, anchor.object) : anchor.object;
      dx = this.snap(o.x + dx) - o.x;
      dy = this.snap(o.y + dy) - o.y;
    } else {
      dx = Math.round(dx);
      dy = Math.round(dy);
    }
    if (!d.started && Math.hypot(p.x - d.from.x, p.y - d.from.y) * this.zoom < 3) return;
    d.started = true;
    if (dx === d.dx && dy === d.dy) return;
    d.dx = dx;
    d.dy = dy;
    this.render(this.shifted(dx, dy));
  }

  // The template with the selection elsewhere, for the picture only.
  shifted(dx, dy) {
    const t = this.template, moving = edits.closure(t, this.selected);
    const at = (o) => (moving.has(o) && o.x !== null ? { ...o, x: o.x + dx, y: o.y + dy } : o);
    const label = (owner) => (l) => (moving.has(l) && l.x === null && this.selected.has(edits.label_key(owner, l)) ? { ...l, ...add(label_place(t, owner, l), dx, dy) } : at(l));
    const copy = { ...t, by_id: new Map() };
    copy.locations = t.locations.map((l) => ({ ...at(l), name: l.name && label(l)(l.name), labels: l.labels.map(label(l)) }));
    copy.branches = t.branches.map(at);
    for (const l of [...copy.locations, ...copy.branches]) copy.by_id.set(l.id, l);
    copy.edges = t.edges.map((e) => ({ ...e, nails: e.nails.map(at), labels: e.labels.map(label(e)) }));
    return copy;
  }
  preview_bend(p) {
    const d = this.drag, t = this.template, found = edits.resolve(t, d.key);
    d.to = { x: this.snap(p.x), y: this.snap(p.y) };
    const copy = { ...t, edges: t.edges.map((e) => (e === found.object ? { ...e, nails: [...e.nails.slice(0, d.at), { ...d.to, index: d.at }, ...e.nails.slice(d.at)] } : e)) };
    this.render(copy);
  }

  inside(a, b) {
    const t = this.template, keys = [];
    const within = (x, y) => x >= Math.min(a.x, b.x) && x <= Math.max(a.x, b.x) && y >= Math.min(a.y, b.y) && y <= Math.max(a.y, b.y);
    for (const l of [...t.locations, ...t.branches]) if (within(l.x, l.y)) keys.push(edits.key_of(l));
    for (const e of t.edges) {
      const points = edge_points(t, e);
      if (points && points.every((p) => within(p.x, p.y))) keys.push(edits.key_of(e));
    }
    return keys;
  }

  up(e) {
    const d = this.drag;
    this.drag = null;
    if (!d) return;
    const p = this.point(e);
    if (d.kind === 'pan') {
      if (d.makes && !d.is_moved) this.make_at(d.from, { target: d.target, clientX: e.clientX, clientY: e.clientY });
    } else if (d.kind === 'move' && d.started && (d.dx || d.dy)) this.change('move', (t) => edits.move(this.doc, t, this.selected, d.dx, d.dy));
    else if (d.kind === 'move' && d.started) this.render();
    else if (d.kind === 'bend' && d.to) this.change('add a nail', (t) => edits.add_nail(this.doc, edits.resolve(t, d.key).object, d.at, d.to.x, d.to.y));
    else if ((d.kind === 'source' || d.kind === 'target') && d.to) {
      const end = [...this.template.locations, ...this.template.branches].find((l) => Math.hypot(l.x - p.x, l.y - p.y) < RADIUS + 4);
      if (end) this.change(`move the ${d.kind}`, (t) => edits.set_end(this.doc, edits.resolve(t, d.key).object, d.kind, end.id));
      this.render();
    } else if (d.kind === 'band') {
      this.render_over();
      this.app.selection_changed();
    }
    this.render_over();
  }
  cancel() {
    this.drag = null;
    this.pending = null;
    this.render();
  }

  // The drawing is made anew by the first click, so the target of the event is no longer there.
  double(e) {
    const found = document.elementFromPoint(e.clientX, e.clientY)?.closest('[data-key]');
    const key = found && this.svg.contains(found) ? found.dataset.key : null;
    if (key) this.edit(key);
  }
  // Opens what a key names for editing: a label at its place, all else in the panel.
  edit(key) {
    const found = edits.resolve(this.template, key);
    if (!found) return;
    if (found.type === 'label') this.app.edit_label(this, found.owner, found.object.kind, this.on_screen(label_place(this.template, found.owner, found.object)));
    else this.app.edit_properties(found.type === 'nail' ? edits.key_of(found.owner) : key);
  }

  context_menu(e) {
    if (!this.template) return;
    e.preventDefault();
    if (this.pending) return this.cancel();
    const key = this.hit(e);
    if (key ? !this.selected.has(key) : !e.target.closest('[data-handle]')) this.select(key ? [key] : []);
    this.app.menu(this, key || [...this.selected][0] || null, this.point(e), e);
  }
  // Puts a nail where the line of an edge is nearest to a point.
  nail_at(key, p) {
    const edge = edits.resolve(this.template, key).owner, points = edge_points(this.template, edge) || [];
    const distances = points.slice(1).map((b, i) => distance(points[i], b, p));
    this.change('add a nail', (t) => edits.add_nail(this.doc, edits.resolve(t, key).owner, edge.nails.length ? distances.indexOf(Math.min(...distances)) : 0, this.snap(p.x), this.snap(p.y)));
  }

  focused(e) {
    const key = this.hit(e);
    if (key && !this.drag && !this.selected.has(key)) this.select([key]);
  }
  // All that can be selected, from left to right and top to bottom: for the keyboard.
  order() {
    const t = this.template;
    const places = [...t.locations, ...t.branches].map((l) => ({ key: edits.key_of(l), x: l.x, y: l.y }));
    for (const e of t.edges) {
      const points = edge_points(t, e);
      if (points) places.push({ key: edits.key_of(e), x: (points[0].x + points[points.length - 1].x) / 2, y: (points[0].y + points[points.length - 1].y) / 2 });
    }
    return places.sort((a, b) => a.y - b.y || a.x - b.x).map((p) => p.key);
  }
  // Selects the next thing with the keyboard, and shows it.
  step(by) {
    const order = this.order();
    if (!order.length) return;
    const at = order.indexOf([...this.selected][0]);
    const key = order[(at + by + order.length + (at < 0 && by < 0 ? 1 : 0)) % order.length];
    this.select([key]);
    this.reveal(key);
    this.element(key)?.focus({ preventScroll: true });
  }
  reveal(key) {
    const node = this.element(key);
    if (!node) return;
    const box = this.svg.getBoundingClientRect(), b = node.getBoundingClientRect();
    const dx = b.left < box.left + 10 ? box.left + 30 - b.left : b.right > box.right - 10 ? box.right - 30 - b.right : 0;
    const dy = b.top < box.top + 10 ? box.top + 30 - b.top : b.bottom > box.bottom - 10 ? box.bottom - 30 - b.bottom : 0;
    this.x += dx;
    this.y += dy;
    if (dx || dy) this.place();
  }

  select_all() {
    const t = this.template;
    if (t) this.select([...t.locations, ...t.branches, ...t.edges].map(edits.key_of));
  }
  remove() {
    if (this.selected.size) this.change('delete', (t) => edits.remove(this.doc, t, this.selected), []);
  }
  copy() { return this.template && this.selected.size ? edits.copy(this.doc, this.real, this.selected) : null; }
  // `at`: where the upper left corner of what is pasted comes to lie.
  paste_at(clip, at) {
    const corner = edits.corner_of(clip);
    return !!corner && this.paste(clip, this.snap(at.x) - corner.x, this.snap(at.y) - corner.y);
  }
  paste(clip, dx = 2 * this.grid, dy = 2 * this.grid, label = 'paste') {
    const t = this.real;
    const probe = t && edits.paste(this.doc, t, clip, dx, dy);
    if (!probe) return false;
    const { l, b, e } = probe.count, keys = [];
    for (let i = 0; i < l; i++) keys.push(`l${t.locations.length + i}`);
    for (let i = 0; i < b; i++) keys.push(`b${t.branches.length + i}`);
    for (let i = 0; i < e; i++) keys.push(`e${t.edges.length + i}`);
    this.change(label, (now) => edits.paste(this.doc, now, clip, dx, dy).splices, keys);
    return true;
  }
  duplicate() {
    const clip = this.copy();
    if (clip) this.paste(clip, 4 * this.grid, 4 * this.grid, 'duplicate');
  }
  nudge(dx, dy) {
    if (this.selected.size) this.change('move', (t) => edits.move(this.doc, t, this.selected, dx, dy));
  }
  align_to_grid() { this.change('align to the grid', (t) => edits.align_to_grid(this.doc, t, this.grid)); }
  arrange(how) { this.change('align', (t) => edits.align(this.doc, t, this.selected, how)); }
  lay_out() {
    if (!this.real) return;
    this.doc.apply(edits.apply_layout(this.doc, this.real, layout_of(this.real)), { label: 'lay out', before: this.app.context(), after: this.app.context() });
    this.fit();
  }

  key(e) {
    const mod = e.ctrlKey || e.metaKey;
    const step = e.altKey ? 1 : this.grid;
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const done = () => {
      e.preventDefault();
      e.stopPropagation();
    };
    if (e.key in moves && !mod) {
      const [dx, dy] = moves[e.key];
      if (this.selected.size) this.nudge(dx * step, dy * step);
      else {
        this.x -= dx * 40;
        this.y -= dy * 40;
        this.place();
      }
      done();
    } else if (e.key === 'Tab' && !mod && this.template) {
      const order = this.order(), at = order.indexOf([...this.selected][0]), next = at + (e.shiftKey ? -1 : 1);
      if (at < 0 ? e.shiftKey : next < 0 || next >= order.length) return this.select([]); // leaves the drawing
      if (!order.length) return;
      this.step(e.shiftKey ? -1 : 1);
      done();
    } else if (e.key === 'Escape') {
      this.pending = null;
      if (this.tool !== 'select') this.set_tool('select');
      else this.select([]);
      this.render();
      done();
    } else if ((e.key === 'Enter' || e.key === 'F2') && this.selected.size) {
      if (this.tool === 'edge') this.key_edge();
      else if (e.key === 'Enter' || !this.app.rename_location([...this.selected][0])) this.edit([...this.selected][0]);
      done();
    } else if ((e.key === 'Delete' || e.key === 'Backspace') && !mod) {
      this.remove();
      done();
    } else if (mod && e.key === 'a') {
      this.select_all();
      done();
    } else if (mod && e.key === 'd') {
      this.duplicate();
      done();
    } else if (!mod && !e.altKey) {
      const letter = e.key.toLowerCase();
      if (e.key === ' ') {
        this.space = true;
        addEventListener('keyup', () => { this.space = false; }, { once: true });
        done();
      } else if (letter === 'l' || letter === 'b') {
        if (this.tool === (letter === 'l' ? 'location' : 'branch')) this.key_node();
        else this.set_tool(letter === 'l' ? 'location' : 'branch');
        done();
      } else if (letter === 'e') {
        this.set_tool('edge');
        if (this.selected.size) this.key_edge();
        done();
      } else if (letter === 'v') {
        this.set_tool('select');
        done();
      } else if (letter === 'f') {
        this.fit();
        done();
      } else if (e.key === '+' || e.key === '=') {
        this.zoom_by(1.25);
        done();
      } else if (e.key === '-') {
        this.zoom_by(0.8);
        done();
      }
    }
  }
  // With the keyboard alone: L twice puts a location beside the selected one, E on a location begins
  // an edge, and Enter on another one (or the same) ends it.
  key_node() {
    const one = edits.resolve(this.template, [...this.selected][0] || '');
    const box = this.svg.getBoundingClientRect();
    let p = one && one.owner.x !== undefined ? { x: one.owner.x + 120, y: one.owner.y } : { x: (box.width / 2 - this.x) / this.zoom, y: (box.height / 2 - this.y) / this.zoom };
    while (this.template.locations.some((l) => Math.hypot(l.x - p.x, l.y - p.y) < 40)) p = { x: p.x, y: p.y + 80 };
    this.draw_node(p, {});
    this.reveal([...this.selected][0]);
  }
  key_edge() {
    const one = edits.resolve(this.template, [...this.selected][0] || '');
    if (!one || (one.type !== 'location' && one.type !== 'branch')) return;
    if (!this.pending) {
      this.pending = { source: one.object.id, nails: [], at: { x: one.object.x, y: one.object.y }, is_of_key: true };
      this.app.say('Choose the target with Tab, then press Enter.');
      this.render_over();
    } else this.finish_edge(one.object.id);
  }
}
// From a point to a line between two others.
function distance(a, b, p) {
  const dx = b.x - a.x, dy = b.y - a.y, t = Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(a.x + t * dx - p.x, a.y + t * dy - p.y);
}
const add = (p, dx, dy) => ({ x: p.x + dx, y: p.y + dy });
export { labels_of };
