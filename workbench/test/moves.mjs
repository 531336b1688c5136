// Moves one location, and takes that back: why it is wrong, or null.
import * as edits from '../src/edits.js';

const bare = (text) => text.replace(/\b([xy])=("[^"]*"|'[^']*')/g, '$1');
export function moves_wrongly(doc, template, index) {
  const t = doc.view.templates[template], l = t.locations[index], before = doc.text, { start, end } = l.node;
  doc.apply(edits.move(doc, t, new Set([edits.key_of(l)]), 7, -5));
  const after = doc.text, last = after.length - (before.length - end), moved = doc.view.templates[template].locations[index];
  doc.undo();
  if (after.slice(0, start) !== before.slice(0, start) || after.slice(last) !== before.slice(end)) return 'something else changed';
  if (bare(after.slice(start, last)) !== bare(before.slice(start, end))) return 'more than coordinates changed';
  if (moved.x !== l.x + 7 || moved.y !== l.y - 5) return 'it is elsewhere';
  return doc.text === before ? null : 'it does not go back';
}
