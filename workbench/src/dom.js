// Small helpers for elements.
export const at = (id) => document.getElementById(id);

export function make(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'class') node.className = value;
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return node;
}
// What the browser keeps for the next time; where it may keep nothing, it does not.
export function recall(name) {
  try {
    return localStorage.getItem(`tarn-${name}`);
  } catch {
    return null;
  }
}
export function remember(name, value) {
  try {
    localStorage.setItem(`tarn-${name}`, value);
  } catch { /* it is not kept */ }
}
// Scrolls a box, and nothing around it, so that a part of it is seen below `head` pixels.
export function reveal(box, node, head = 0) {
  if (!node) return;
  const outer = box.getBoundingClientRect(), inner = node.getBoundingClientRect(), top = outer.top + head;
  if (inner.top < top) box.scrollTop -= top - inner.top;
  else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom;
}
export { escape_text as escape, shortened as short } from '../../src/output/run_charts.js';

// A message at the bottom that goes by itself, read out by screen readers; an empty one takes it back.
let timer = 0;
export function toast(text, kind = '') {
  const box = at('toast');
  if (!text) {
    box.className = '';
    return;
  }
  box.textContent = text;
  box.className = `shown ${kind}`;
  clearTimeout(timer);
  timer = setTimeout(() => { box.className = ''; }, 6000);
}

// A menu at a place of the screen: [{ text, run, checked }], null for a line between.
export function popup(items, x, y) {
  document.querySelector('.popup')?.remove();
  const close = () => { box.remove(); removeEventListener('pointerdown', away, true); };
  const away = (e) => { if (!box.contains(e.target)) close(); };
  const box = make('div', { class: 'popup', role: 'menu' }, items.map((item) => (item ? make('button', { role: item.checked === undefined ? 'menuitem' : 'menuitemcheckbox', 'aria-checked': item.checked === undefined ? null : String(item.checked), onclick: () => { close(); item.run(); } }, make('span', { class: 'tick-mark', 'aria-hidden': 'true' }, item.checked ? '✓' : ''), item.text) : make('hr'))));
  box.addEventListener('keydown', (e) => {
    const list = [...box.querySelectorAll('button')], by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (by) list[(list.indexOf(document.activeElement) + by + list.length) % list.length].focus();
    else if (e.key === 'Escape' || e.key === 'Tab') close();
    else return;
    e.preventDefault();
    e.stopPropagation();
  });
  box.addEventListener('contextmenu', (e) => e.preventDefault());
  document.body.append(box);
  box.style.left = `${Math.max(4, Math.min(x, innerWidth - box.offsetWidth - 4))}px`;
  box.style.top = `${Math.max(4, Math.min(y, innerHeight - box.offsetHeight - 4))}px`;
  addEventListener('pointerdown', away, true);
  box.querySelector('button').focus();
}

// A dialog with a form; resolves to the values of its fields, or null.
export function ask(title, fields, { ok = 'OK', text = '' } = {}) {
  return new Promise((resolve) => {
    const inputs = {};
    const rows = fields.map((f) => {
      const input = f.options
        ? make('select', { name: f.name }, f.options.map((o) => make('option', { value: o.value ?? o, selected: (o.value ?? o) === f.value }, o.label ?? o)))
        : make('input', { name: f.name, type: f.type || 'text', value: f.value ?? '', checked: f.type === 'checkbox' && f.value, spellcheck: 'false', autocomplete: 'off' });
      inputs[f.name] = input;
      return make('label', { class: 'field' }, make('span', {}, f.label), input);
    });
    const dialog = make('dialog', { class: 'ask' });
    const form = make('form', { method: 'dialog' }, make('h2', {}, title), text && make('p', {}, text), rows,
      make('div', { class: 'buttons' }, make('button', { type: 'button', onclick: () => dialog.close('') }, 'Cancel'), make('button', { value: 'ok', class: 'primary' }, ok)));
    dialog.append(form);
    document.body.append(dialog);
    dialog.addEventListener('close', () => {
      resolve(dialog.returnValue === 'ok' ? Object.fromEntries(Object.entries(inputs).map(([k, i]) => [k, i.type === 'checkbox' ? i.checked : i.value])) : null);
      dialog.remove();
    });
    dialog.showModal();
    const first = Object.values(inputs)[0];
    if (first && first.select) first.select();
  });
}
