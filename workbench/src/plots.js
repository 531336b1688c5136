// Plots as SVG: lines, steps, bars, bands. Used for statistical answers and for zones.
import { escape, make } from './dom.js';

const WIDTH = 420, HEIGHT = 170, LEFT = 52, BOTTOM = 26, TOP = 12, RIGHT = 12;
const SERIES = 6;

export const tidy = (n) => (Math.abs(n) >= 1e6 || (n !== 0 && Math.abs(n) < 1e-3) ? n.toExponential(2) : String(Number(n.toPrecision(5))));

export function ticks(low, high, count = 5) {
  const span = high - low || 1, rough = span / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => span / s <= count) || 10 * power;
  const list = [];
  for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + step * 1e-9; v += step) list.push(Number(v.toPrecision(12)));
  return list;
}

// series: [{ points: [[x, y]..], kind: 'line' | 'step' | 'bars', name, width }], options: x, y (titles), low, high
export function plot(series, { title = '', x_title = '', y_title = '', from_zero = false } = {}) {
  const xs = series.flatMap((s) => s.points.map((p) => p[0])), ys = series.flatMap((s) => s.points.map((p) => p[1]));
  if (!xs.length) return make('div');
  let x0 = Math.min(...xs), x1 = Math.max(...xs), y0 = Math.min(...ys, from_zero ? 0 : Infinity), y1 = Math.max(...ys);
  const bars = series.find((s) => s.kind === 'bars');
  if (bars) x1 += bars.width || 0;
  if (x1 <= x0) [x0, x1] = [x0 - 0.5, x1 + 0.5];
  if (y1 <= y0) [y0, y1] = [y0 - (from_zero ? 0 : 0.5), y1 + 0.5];
  const x = (v) => LEFT + ((v - x0) / (x1 - x0)) * (WIDTH - LEFT - RIGHT), y = (v) => HEIGHT - BOTTOM - ((v - y0) / (y1 - y0)) * (HEIGHT - BOTTOM - TOP);
  const at = (n) => n.toFixed(1);
  let text = '';
  for (const t of ticks(x0, x1)) text += `<path class="tick" d="M${at(x(t))} ${TOP}V${HEIGHT - BOTTOM}"/><text x="${at(x(t))}" y="${HEIGHT - BOTTOM + 13}" text-anchor="middle">${tidy(t)}</text>`;
  for (const t of ticks(y0, y1, 4)) text += `<path class="tick" d="M${LEFT} ${at(y(t))}H${WIDTH - RIGHT}"/><text x="${LEFT - 5}" y="${at(y(t) + 4)}" text-anchor="end">${tidy(t)}</text>`;
  series.forEach((s, i) => {
    const name = `<title>${escape(s.name || '')}</title>`;
    if (s.kind === 'bars') for (const [bx, by] of s.points) text += `<rect class="bar" x="${at(x(bx))}" y="${at(y(by))}" width="${at(Math.max(1, x(bx + (s.width || 1)) - x(bx) - 1))}" height="${at(y(y0) - y(by))}"><title>${tidy(bx)}: ${tidy(by)}</title></rect>`;
    else {
      let d = '';
      s.points.forEach(([px, py], k) => { d += !k ? `M${at(x(px))} ${at(y(py))}` : s.kind === 'step' ? `H${at(x(px))}V${at(y(py))}` : `L${at(x(px))} ${at(y(py))}`; });
      text += `<path class="series s${i % SERIES}${s.dashed ? ' dashed' : ''}" d="${d}">${name}</path>`;
    }
  });
  text += `<text x="${WIDTH - RIGHT}" y="${HEIGHT - 2}" text-anchor="end">${escape(x_title)}</text><text x="${LEFT}" y="${TOP - 3}">${escape(y_title)}</text>`;
  const figure = make('figure', { class: 'plot' }, make('figcaption', {}, title));
  figure.insertAdjacentHTML('beforeend', `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escape(title)}">${text}</svg>`);
  const named = series.filter((s) => s.name);
  if (named.length > 1 && named.length <= 8) figure.append(make('div', { class: 'legend' }, series.map((s, i) => s.name && make('span', { class: `key s${i % SERIES}` }, s.name))));
  return figure;
}

export function estimate_charts(result) {
  const e = result.estimate, box = make('div', { class: 'estimate' });
  const interval = e.lower !== undefined ? ` in [${tidy(e.lower)}, ${tidy(e.upper)}] with confidence ${tidy(e.confidence)}` : '';
  const runs = `${e.satisfied !== undefined && e.satisfied !== null ? `${e.satisfied} of ` : ''}${e.runs} runs (seed ${e.seed})`;
  if (e.value !== undefined && e.value !== null) box.append(make('p', {}, make('strong', {}, `≈ ${tidy(e.value)}`), `${interval}, from ${runs}`));
  else box.append(make('p', {}, `${e.runs} runs (seed ${e.seed})${e.outcome ? `: ${e.outcome}` : ''}`));
  if (e.sequence && e.sequence.lower !== undefined) box.append(make('p', { class: 'quiet' }, `At any time in [${tidy(e.sequence.lower)}, ${tidy(e.sequence.upper)}], however often it is looked at.`));
  const charts = make('div', { class: 'charts' });
  const d = e.distribution;
  if (d && d.shares && d.shares.length > 1 && d.least < d.largest) charts.append(plot([{ points: d.shares, kind: 'step', name: 'share' }], { title: 'Cumulative distribution', x_title: e.kind === 'probability' ? 'time' : 'value', from_zero: true }));
  if (d && d.histogram && d.histogram.bars.length > 1) charts.append(plot([{ points: d.histogram.bars.map((b, i) => [d.histogram.low + i * d.histogram.width, b]), kind: 'bars', width: d.histogram.width }], { title: 'Histogram', x_title: e.kind === 'probability' ? 'time' : 'value', y_title: 'runs', from_zero: true }));
  if (e.convergence && e.convergence.length > 1) {
    const row = (k) => e.convergence.map((c) => (Array.isArray(c) ? [c[0], c[k]] : [c.runs, c[['runs', 'value', 'lower', 'upper'][k]]])).filter((p) => p[1] !== undefined && p[1] !== null);
    const lines = [1, 2, 3].map((k) => ({ points: row(k), kind: 'line', name: ['', 'value', 'lower', 'upper'][k], dashed: k > 1 })).filter((s) => s.points.length);
    if (lines.length) charts.append(plot(lines, { title: 'Convergence', x_title: 'runs' }));
  }
  if (e.courses && e.courses.length)
    for (let k = 0; k < (e.expressions || ['']).length; k++) charts.append(plot(e.courses.slice(0, 60).map((c) => ({ points: c.points.map((p) => [p[0], p[k + 1]]), kind: 'line', name: e.courses.length <= 8 ? `run ${c.run}` : '' })), { title: e.expressions?.[k] || '', x_title: 'time' }));
  box.append(charts);
  return box;
}
