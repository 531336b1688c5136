// Random edits of all kinds, which the tests and `make agree-workbench` undo again.
import * as edits from '../src/edits.js';

// A generator with a seed (xorshift), so that failures can be repeated.
export function random_of(seed) {
  let s = (seed * 2654435761) >>> 0 || 1;
  return (n) => {
    s ^= s << 13;
    s >>>= 0;
    s ^= s >>> 17;
    s ^= s << 5;
    s >>>= 0;
    return s % n;
  };
}

const TEXTS = ['', 'x <= 3 && y > 2', 'a[i]!', 'x = 0,\ny = 1', 'i : int[0,3]', 'a & b < c > "d"', ']]>', 'ä €\n'];

// One edit; returns whether something changed.
export function edit(doc, random) {
  const pick = (list) => list[random(list.length)];
  const templates = doc.view.templates;
  const options = { label: 'random', merge: random(3) ? null : 'burst' };
  if (!templates.length) return doc.apply(edits.add_template(doc, 'Fresh'), options);
  const t = pick(templates);
  const objects = [...t.locations, ...t.branches, ...t.edges];
  const keys = new Set();
  for (let i = random(4); i >= 0 && objects.length; i--) {
    const o = pick(objects), key = edits.key_of(o);
    const parts = [key, ...(o.nails || []).map((_, n) => `${key}n${n}`), ...o.labels.map((_, n) => `${key}t${n}`)];
    keys.add(pick(parts));
  }
  const o = objects.length ? pick(objects) : null;
  const ends = [...t.locations, ...t.branches];
  const kinds = {
    move: () => edits.move(doc, t, keys, random(200) - 100, random(200) - 100),
    location: () => edits.add_location(doc, t, random(500), random(500), { name: random(2) ? 'L' + random(99) : '' }).splices,
    branch: () => edits.add_branch(doc, t, random(500), random(500)).splices,
    edge: () => (ends.length ? edits.add_edge(doc, t, pick(ends).id, pick(ends).id, random(2) ? [{ x: 1, y: -2 }] : []).splices : []),
    nail: () => (o && o.type === 'edge' ? edits.add_nail(doc, o, random(o.nails.length + 1), random(300), random(300)) : []),
    remove: () => (random(3) ? [] : edits.remove(doc, t, keys)),
    label: () => (!o || o.type === 'branch' ? [] : edits.set_label(doc, t, o, o.type === 'edge' ? pick(['select', 'guard', 'synchronisation', 'assignment', 'comments']) : pick(['invariant', 'comments']), pick(TEXTS))),
    name: () => (o && o.type === 'location' ? edits.set_name(doc, t, o, pick(TEXTS)) : []),
    flag: () => (o && o.type === 'location' ? edits.set_flag(doc, o, pick(['urgent', 'committed']), !!random(2)) : []),
    colour: () => (o ? edits.set_colour(doc, o, pick(['#ff0000', null, '#00ffff'])) : []),
    initial: () => (t.locations.length ? edits.set_initial(doc, t, pick(t.locations).id) : []),
    paste: () => {
      const clip = edits.copy(doc, t, keys);
      return clip ? edits.paste(doc, pick(templates), clip, 30, 30).splices : [];
    },
    template: () => (random(20) ? [] : pick([() => edits.add_template(doc, 'Fresh'), () => edits.copy_template(doc, t, 'Copied'), () => doc.remove(t.node)])()),
    part: () => edits.set_part(doc, pick([doc.root, t.node]), 'declaration', pick(TEXTS)),
    text: () => {
      const nodes = [doc.view.declaration, doc.view.system, t.declaration, ...doc.view.queries.map((q) => q.formula)].filter(Boolean);
      if (!nodes.length) return [];
      const node = pick(nodes), size = doc.content(node).text.length, from = random(size + 1), to = Math.min(size, from + random(6));
      return doc.replace_text(node, from, to, pick(TEXTS));
    },
    query: () => (random(4) ? [] : edits.add_query(doc, pick(TEXTS), pick(TEXTS))),
    grid: () => (random(8) ? [] : edits.align_to_grid(doc, t, pick([4, 8, 17]))),
    import: () => (random(20) ? [] : edits.import_template(doc, doc, t)),
    align: () => edits.align(doc, t, keys, pick(['row', 'column', 'spread-x', 'spread-y'])),
  };
  return doc.apply(kinds[pick(Object.keys(kinds))](), options);
}
