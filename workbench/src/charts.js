// Charts of a run: the time chart and the sequence chart are those of the page (src/output/run_charts.js).
import { axis_of, cut, escape_text as escape, point_at, sequence_chart, time_chart } from '../../src/output/run_charts.js';
import { tidy, ticks } from './plots.js';

export { sequence_chart };
const parts_of = (text) => {
  const [over, under] = String(text).split('/');
  return [Number(over), under ? Number(under) : 1];
};
export const value_of = (text) => {
  const [over, under] = parts_of(text);
  return over / under;
};

// Locations of the processes over time, and below them variables that change. net: { processes, variables, edges }, steps:
// [{ time, edges, locations, variables }], now: the present one.
export function draw_times(box, net, steps, now, go) {
  const times = steps.map((s) => value_of(s.time)), last = times.length - 1;
  const row = (name, value, text) => {
    const moves = [];
    steps.forEach((s, i) => { if (i && value(s) !== value(steps[i - 1])) moves.push(i); });
    return { name, moves, text: (i) => text(steps[i]), colour: (i) => Math.abs(value(steps[i])), title: (i, next) => `${name}: ${text(steps[i])}, from ${steps[i].time} to ${steps[Math.min(next, last)].time}` };
  };
  const rows = net.processes.map((p, k) => row(p.name, (s) => s.locations[k], (s) => p.locations[s.locations[k]].name));
  net.variables.forEach((name, v) => {
    if (steps.some((s) => s.variables[v] !== steps[0].variables[v])) rows.push(row(name, (s) => s.variables[v], (s) => String(s.variables[v])));
  });
  const axis = axis_of(steps.length, (i) => times[i], false, times[last] > 0);
  const arrows = (i) => ({ rows: steps[i].edges.map((id) => net.edges[id].process), title: steps[i].edges.map((id) => net.edges[id].event).join(', ') });
  box.textContent = '';
  const chart = time_chart(box, { rows, axis, steps: steps.length, view: [0, axis.total], unit: 1, number: (i) => i, arrows, go });
  chart.svg.classList.add('times');
  chart.svg.setAttribute('role', 'img');
  chart.svg.setAttribute('aria-label', 'locations and variables over time');
  point_at(chart, chart.x(axis.u[Math.min(now, last)]) + 0.5);
}

// A zone, read from its constraints: bounds[i][j] = { value, strict } of clock i - clock j; 0 is zero.
export function zone_bounds(names, zone) {
  const all = ['', ...names], n = all.length, index = new Map(all.map((name, i) => [name, i]));
  const bounds = all.map((_, i) => all.map((__, j) => (i === j || i === 0 ? { value: 0, strict: false } : { value: Infinity, strict: true })));
  const add = (i, j, value, strict) => {
    if (value < bounds[i][j].value || (value === bounds[i][j].value && strict)) bounds[i][j] = { value, strict };
  };
  const side = (text) => {
    const parts = text.split(/(?<=[\w\].)])\s*-\s*(?=[A-Za-z_(])/);
    if (/^[-\d/.]+$/.test(text)) return { at: [0, 0], value: value_of(text) };
    if (parts.length === 2 && index.has(parts[0]) && index.has(parts[1])) return { at: [index.get(parts[0]), index.get(parts[1])], value: 0 };
    const plus = /^(.*?)\s*([-+])\s*([\d/.]+)$/.exec(text);
    if (plus && index.has(plus[1])) return { at: [index.get(plus[1]), 0], value: Number(plus[2] + '1') * value_of(plus[3]) };
    return index.has(text) ? { at: [index.get(text), 0], value: 0 } : null;
  };
  for (const part of String(zone).split(/\s*&&\s*/)) {
    const pieces = part.split(/(<=|>=|==|<|>|=)/);
    for (let k = 1; k + 1 < pieces.length; k += 2) {
      let a = side(pieces[k - 1].trim()), b = side(pieces[k + 1].trim()), op = pieces[k];
      if (!a || !b) continue;
      if (op[0] === '>') [a, b, op] = [b, a, op.replace('>', '<')];
      // a op b, each a difference of clocks and a number, is a difference of two clocks.
      const plus = [a.at[0], b.at[1]].filter((c) => c), minus = [a.at[1], b.at[0]].filter((c) => c);
      for (const c of [...plus]) if (minus.includes(c)) { plus.splice(plus.indexOf(c), 1); minus.splice(minus.indexOf(c), 1); }
      if (plus.length > 1 || minus.length > 1) continue;
      const i = plus[0] || 0, j = minus[0] || 0, value = b.value - a.value;
      add(i, j, value, op === '<');
      if (op === '=' || op === '==') add(j, i, -value, false);
    }
  }
  for (let k = 0; k < n; k++) for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) {
    const value = bounds[i][k].value + bounds[k][j].value, strict = bounds[i][k].strict || bounds[k][j].strict;
    if (value < bounds[i][j].value || (value === bounds[i][j].value && strict && !bounds[i][j].strict)) bounds[i][j] = { value, strict };
  }
  return bounds;
}

// The zone over two clocks as a polygon, and the present point.
export function zone_plot(bounds, names, a, b, point) {
  const i = a + 1, j = b + 1, SIZE = 230, EDGE = 34;
  const finite = [bounds[i][0], bounds[j][0], bounds[0][i], bounds[0][j], bounds[i][j], bounds[j][i]].map((v) => Math.abs(v.value)).filter(Number.isFinite);
  const most = Math.max(1, ...finite, point ? point[0] : 0, point ? point[1] : 0) * 1.25, far = most * 2;
  let points = [[0, 0], [far, 0], [far, far], [0, far]];
  const limit = (p, q, c) => { if (Number.isFinite(c)) points = cut(points, p, q, c); };
  limit(1, 0, bounds[i][0].value);
  limit(-1, 0, bounds[0][i].value);
  limit(0, 1, bounds[j][0].value);
  limit(0, -1, bounds[0][j].value);
  limit(1, -1, bounds[i][j].value);
  limit(-1, 1, bounds[j][i].value);
  const x = (v) => (EDGE + (v / most) * (SIZE - EDGE - 8)).toFixed(1), y = (v) => (SIZE - EDGE - (v / most) * (SIZE - EDGE - 8)).toFixed(1);
  let text = `<clipPath id="zone-clip"><rect x="${EDGE}" y="8" width="${SIZE - EDGE}" height="${SIZE - EDGE - 8}"/></clipPath>`;
  for (const t of ticks(0, most, 5)) text += `<path class="tick" d="M${x(t)} 8V${SIZE - EDGE}M${EDGE} ${y(t)}H${SIZE}"/><text x="${x(t)}" y="${SIZE - EDGE + 14}" text-anchor="middle">${tidy(t)}</text><text x="${EDGE - 5}" y="${Number(y(t)) + 4}" text-anchor="end">${tidy(t)}</text>`;
  text += `<g clip-path="url(#zone-clip)"><path class="zone" d="M${points.map((z) => `${x(z[0])} ${y(z[1])}`).join('L')}Z"/>${point ? `<circle class="point" cx="${x(point[0])}" cy="${y(point[1])}" r="4"/>` : ''}</g>`;
  text += `<text x="${SIZE - 4}" y="${SIZE - 4}" text-anchor="end">${escape(names[a])}</text><text x="${EDGE + 4}" y="9">${escape(names[b])}</text>`;
  return `<svg class="zone-plot" viewBox="0 0 ${SIZE} ${SIZE}" width="${SIZE}" height="${SIZE}" role="img" aria-label="zone of ${escape(names[a])} and ${escape(names[b])}">${text}</svg>`;
}
