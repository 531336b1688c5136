// Finds a text in all texts of the model: names, labels, declarations, queries.
import { place_of } from './language.js';
import { make, toast } from './dom.js';

const TEXTS = new Set(['name', 'label', 'parameter', 'declaration', 'instantiation', 'system', 'formula', 'comment']);
const MOST = 200; // are listed

// Where it is, in the order of the file; capitals count only if there are some in what is looked for.
export function find_in(doc, wanted, most = MOST) {
  const found = [], small = (text) => (text.toLowerCase().length === text.length ? text.toLowerCase() : text); // of the same length
  const fold = (text) => (/[A-Z]/.test(wanted) ? text : small(text));
  const walk = (node) => {
    if (TEXTS.has(node.name)) {
      const content = doc.content(node), text = fold(content.text);
      for (let from = text.indexOf(wanted); from >= 0 && found.length < most; from = text.indexOf(wanted, from + wanted.length)) {
        const line = content.text.slice(content.text.lastIndexOf('\n', from - 1) + 1, from + wanted.length + 60).split('\n')[0].trim();
        found.push({ node, place: most === MOST ? place_of(doc, content.raw(from)) : null, from, to: from + wanted.length, line });
      }
    }
    node.children.forEach(walk);
  };
  if (wanted && doc.root) walk(doc.root);
  return found;
}

// Puts another text in its place, everywhere; returns how often.
function replace_all(app, wanted, by) {
  const { doc } = app, found = find_in(doc, wanted, Infinity), before = app.context();
  doc.apply(found.flatMap((f) => doc.replace_text(f.node, f.from, f.to, by)), { label: 'replace', before, after: before });
  return found.length;
}

export function show_find(app) {
  const list = make('ul', { class: 'found', 'aria-label': 'found' }), count = make('span', { class: 'quiet', role: 'status' });
  const go = (match) => {
    dialog.close();
    app.go_to(match);
  };
  const input = make('input', { type: 'text', 'aria-label': 'text to find', spellcheck: 'false', value: app.find_text || '', oninput: () => show() });
  const show = () => {
    app.find_text = input.value;
    const found = find_in(app.doc, input.value);
    count.textContent = input.value ? `${found.length === MOST ? 'more than ' : ''}${found.length} found` : '';
    list.replaceChildren(...found.map((f) => make('li', {}, make('button', { class: 'problem', type: 'button', onclick: () => go(f) }, make('span', { class: 'where' }, f.place.words), make('code', {}, f.line)))));
  };
  const by = make('input', { type: 'text', 'aria-label': 'text to put there', spellcheck: 'false' });
  const replace = make('button', { type: 'button', onclick: () => {
    if (!input.value) return;
    const count = replace_all(app, input.value, by.value);
    show();
    toast(`${count} ${count === 1 ? 'place' : 'places'} changed.`);
  } }, 'Replace all');
  const dialog = make('dialog', { class: 'find', 'aria-label': 'find' }, make('form', { onsubmit: (e) => { e.preventDefault(); list.querySelector('button')?.click(); } }, make('label', { class: 'field' }, make('span', {}, 'Find in the model'), input)), make('div', { class: 'replace' }, make('label', { class: 'field' }, make('span', {}, 'Replace with'), by), replace), count, list);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('keydown', (e) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key], all = [input, ...list.querySelectorAll('button')];
    if (!by) return;
    e.preventDefault();
    all[all.indexOf(document.activeElement) + by]?.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  input.select();
  show();
}
