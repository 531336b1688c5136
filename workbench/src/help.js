// Help: the keys, and a tour of five steps for the first visit.
import { at, make, recall, remember } from './dom.js';

const KEYS = [
  ['Drawing', [['V, L, E, B', 'select, location, edge, branch point'], ['double click, Enter', 'edit a label or the properties'], ['F2', 'rename with all uses: in any text, and a location'], ['Ctrl+A, C, X, V, D', 'select all, copy, cut, paste, duplicate'], ['Delete', 'delete'], ['right button', 'what can be done here'], ['arrows', 'move the selection by the grid; with Alt by 1'], ['Tab, Shift+Tab', 'next, previous location or edge'], ['L L', 'a location beside the selected one'], ['E, Tab …, Enter', 'an edge from the selected location'], ['+, −, F, wheel', 'zoom in, out, fit'], ['middle button', 'drag: pan; click: a location, an edge from a location, a nail on an edge'], ['Space and drag', 'pan'], ['Esc', 'leave a tool, a field, the selection']]],
  ['Everywhere', [['Ctrl+S', 'save'], ['Ctrl+O', 'open'], ['Ctrl+F', 'find in the whole model'], ['Ctrl+Z, Ctrl+Y', 'undo, redo: drawing and text in one history'], ['F1', 'this help'], ['F5', 'read the model again, show problems'], ['F7', 'check all queries'], ['Ctrl+Enter in a query', 'check this query'], ['Ctrl+Alt+1, 2, 3', 'editor, simulator, verifier']]],
  ['Edges', [['click source, clicks, click target', 'an edge with nails at the clicks between; the right button gives up'], ['drag the dot on an edge', 'pull out a nail'], ['drag an end of a selected edge', 'put it on another location']]],
  ['Simulator', [['1 … 9', 'take a transition'], ['Z, X, Enter', 'choose the one before, the next one, take it'], ['Q or ←, A or →', 'back, forward'], ['F or Home, L or End', 'first, last state of the run'], ['P', 'play the rest of the run'], ['R or Space', 'random run']]],
];

export function show_help(app) {
  const dialog = make('dialog', { class: 'help', 'aria-label': 'help' });
  dialog.append(make('h1', {}, 'tarn workbench'),
    make('p', {}, 'Draw networks of timed automata, simulate and verify them. Everything runs in this page; nothing is sent anywhere. Files are UPPAAL’s XML: what you do not change stays as it was, byte for byte.'),
    make('div', { class: 'help-columns' }, KEYS.map(([title, keys]) => make('section', {}, make('h2', {}, title), make('dl', {}, keys.map(([key, what]) => [make('dt', {}, make('kbd', {}, key)), make('dd', {}, what)]))))),
    make('h2', {}, 'Signs'), make('p', {}, 'A double circle is the initial location, C a committed one, U an urgent one. Dashed edges are uncontrollable. In the simulator a ring marks the present location, and thick edges can be taken.'),
    make('div', { class: 'buttons' }, make('button', { onclick: () => { dialog.close(); show_tour(app); } }, 'Tour'), make('button', { class: 'primary', onclick: () => dialog.close() }, 'Close')));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const TOUR = [
  ['#examples', 'Begin with an example', 'Choose one here, or open a file of your own: UPPAAL’s XML, .xta, or TChecker’s .tck.'],
  ['.tree', 'The parts of a model', 'Declarations, templates and the system. A template is drawn; the rest is text.'],
  ['.toolbar [data-tool="location"]', 'Draw', 'L draws locations, E edges. Double click edits. One undo takes back drawing and text.'],
  ['#tab-simulator', 'Simulate', 'Step through a run on the drawings, with exact times, or play random ones.'],
  ['#tab-verifier', 'Verify', 'Queries with their verdicts. A counterexample can be replayed in the simulator.'],
];
export const wants_tour = () => !recall('tour') && !at('model-data') && !location.hash && !navigator.webdriver;
export function show_tour(app, step = 0) {
  document.querySelector('.tour')?.remove();
  remember('tour', 'seen');
  if (step >= TOUR.length) return;
  app.show('editor');
  const [selector, title, text] = TOUR[step], target = document.querySelector(selector);
  const box = make('div', { class: 'tour', role: 'dialog', 'aria-label': title }, make('h2', {}, `${step + 1}/${TOUR.length}  ${title}`), make('p', {}, text),
    make('div', { class: 'buttons' }, make('button', { onclick: () => box.remove() }, 'Skip'), make('button', { class: 'primary', onclick: () => show_tour(app, step + 1) }, step + 1 < TOUR.length ? 'Next' : 'Done')));
  box.addEventListener('keydown', (e) => { if (e.key === 'Escape') box.remove(); });
  document.body.append(box);
  if (target) {
    const r = target.getBoundingClientRect();
    box.style.left = `${Math.min(innerWidth - 330, Math.max(8, r.left))}px`;
    box.style.top = `${Math.min(innerHeight - 180, r.bottom + 10 > innerHeight - 160 ? r.top + 20 : r.bottom + 10)}px`;
  }
  box.querySelector('.primary').focus();
}
