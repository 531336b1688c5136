// Charts of a run: who synchronised with whom (sequence), and who was where when (time).
import { escape, short } from './dom.js';
import { tidy, ticks } from './plots.js';

const COLUMN = 165, ROW = 30, HEAD = 26;
export const value_of = (text) => {
  const [over, under] = String(text).split('/');
  return under ? Number(over) / Number(under) : Number(over);
};

// net: { processes, edges }, steps: [{ time, edges, locations }], now: the present step.
export function sequence_chart(net, steps, now, { from = 0, to = steps.length } = {}) {
  const x = (p) => 96 + p * COLUMN, y = (i) => HEAD + 20 + (i - from) * ROW;
  const width = x(net.processes.length - 1) + 70, height = y(to) + 6;
  let text = '';
  net.processes.forEach((p, i) => {
    text += `<path class="lifeline" d="M${x(i)} ${HEAD}V${height}"/><text class="who" x="${x(i)}" y="14" text-anchor="middle">${escape(short(p.name, 16))}<title>${escape(p.name)}</title></text>`;
  });
  const place = (p, l, at) => `<g class="place"><rect x="${x(p) - 44}" y="${at - 9}" width="88" height="17" rx="8"/><text x="${x(p)}" y="${at + 4}" text-anchor="middle">${escape(short(net.processes[p].locations[l].name, 13))}</text></g>`;
  for (let i = from; i < to; i++) {
    const s = steps[i], at = y(i);
    let row = '';
    if (i === from) net.processes.forEach((_, p) => { row += place(p, s.locations[p], at); });
    else {
      const edges = s.edges.map((id) => net.edges[id]), sender = edges.find((e) => /!$/.test(e.event)) || edges[0];
      for (const e of edges) {
        if (e !== sender) {
          const a = x(sender.process), b = x(e.process), tip = b > a ? -46 : 46;
          row += `<path class="message" d="M${a + (b > a ? 46 : -46)} ${at}H${b + tip}"/><path class="tip" d="M${b + tip} ${at}l${b > a ? -7 : 7} -4v8z"/>`;
        }
        row += place(e.process, s.locations[e.process], at);
      }
      if (edges.length) {
        const label = edges.length > 1 ? sender.event.replace(/[!?]$/, '') : edges[0].is_sync ? edges[0].event : '';
        const other = edges.find((e) => e !== sender), middle = other ? (x(sender.process) + x(other.process)) / 2 : x(sender.process) + 50;
        row += `<text class="event" x="${middle}" y="${at - 5}" text-anchor="${other ? 'middle' : 'start'}">${escape(label)}</text>`;
      }
    }
    text += `<g class="step${i === now ? ' now' : ''}" data-step="${i}"><rect class="stripe" x="0" y="${at - ROW / 2}" width="${width}" height="${ROW}"/><text class="when" x="4" y="${at + 4}">${escape(s.time ?? '')}</text>${row}</g>`;
  }
  return `<svg class="sequence" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="sequence chart of the run">${text}</svg>`;
}

// Locations of the processes over time, as bars; below them variables that change.
export function time_chart(net, steps, now, { width = 760 } = {}) {
  const times = steps.map((s) => value_of(s.time)), end = Math.max(...times, 0.001);
  const LEFT = 110, BAR = 24, x = (t) => LEFT + (t / end) * (width - LEFT - 14);
  const rows = net.processes.map((p, i) => ({ name: p.name, value: (s) => p.locations[s.locations[i]].name, key: (s) => s.locations[i] }));
  net.variables.forEach((name, v) => {
    if (steps.some((s) => s.variables[v] !== steps[0].variables[v])) rows.push({ name, value: (s) => String(s.variables[v]), key: (s) => s.variables[v] });
  });
  const height = rows.length * BAR + 24;
  let text = '';
  for (const t of ticks(0, end, 8)) text += `<path class="tick" d="M${x(t).toFixed(1)} 0V${height - 20}"/><text x="${x(t).toFixed(1)}" y="${height - 6}" text-anchor="middle">${tidy(t)}</text>`;
  rows.forEach((row, r) => {
    const top = r * BAR + 2;
    text += `<text class="who" x="${LEFT - 6}" y="${top + 15}" text-anchor="end">${escape(short(row.name, 14))}</text>`;
    let begin = 0;
    for (let i = 1; i <= steps.length; i++) {
      if (i < steps.length && row.key(steps[i]) === row.key(steps[begin])) continue;
      const a = x(times[begin]), b = i < steps.length ? x(times[i]) : width - 14, name = row.value(steps[begin]);
      text += `<g data-step="${begin}"><rect class="bar c${((row.key(steps[begin]) % 6) + 6) % 6}" x="${a.toFixed(1)}" y="${top}" width="${Math.max(1.5, b - a).toFixed(1)}" height="${BAR - 5}" rx="2"><title>${escape(name)}, from ${escape(steps[begin].time)}</title></rect>`;
      if (b - a > name.length * 6.4 + 4) text += `<text x="${(a + 4).toFixed(1)}" y="${top + 14}">${escape(name)}</text>`;
      text += '</g>';
      begin = i;
    }
  });
  text += `<path class="cursor" d="M${x(times[Math.min(now, times.length - 1)]).toFixed(1)} 0V${height - 20}"/>`;
  return `<svg class="times" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="locations over time">${text}</svg>`;
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
  const cut = (p, q, c) => {
    if (!Number.isFinite(c)) return;
    const inside = (z) => p * z[0] + q * z[1] <= c + 1e-9, next = [];
    points.forEach((z, k) => {
      const w = points[(k + 1) % points.length], u = p * z[0] + q * z[1] - c, v = p * w[0] + q * w[1] - c;
      if (inside(z)) next.push(z);
      if (inside(z) !== inside(w)) next.push([z[0] + ((w[0] - z[0]) * u) / (u - v), z[1] + ((w[1] - z[1]) * u) / (u - v)]);
    });
    points = next;
  };
  cut(1, 0, bounds[i][0].value);
  cut(-1, 0, bounds[0][i].value);
  cut(0, 1, bounds[j][0].value);
  cut(0, -1, bounds[0][j].value);
  cut(1, -1, bounds[i][j].value);
  cut(-1, 1, bounds[j][i].value);
  const x = (v) => (EDGE + (v / most) * (SIZE - EDGE - 8)).toFixed(1), y = (v) => (SIZE - EDGE - (v / most) * (SIZE - EDGE - 8)).toFixed(1);
  let text = `<clipPath id="zone-clip"><rect x="${EDGE}" y="0" width="${SIZE - EDGE}" height="${SIZE - EDGE}"/></clipPath>`;
  for (const t of ticks(0, most, 5)) text += `<path class="tick" d="M${x(t)} 8V${SIZE - EDGE}M${EDGE} ${y(t)}H${SIZE}"/><text x="${x(t)}" y="${SIZE - EDGE + 14}" text-anchor="middle">${tidy(t)}</text><text x="${EDGE - 5}" y="${Number(y(t)) + 4}" text-anchor="end">${tidy(t)}</text>`;
  text += `<g clip-path="url(#zone-clip)"><path class="zone" d="M${points.map((z) => `${x(z[0])} ${y(z[1])}`).join('L')}Z"/>${point ? `<circle class="point" cx="${x(point[0])}" cy="${y(point[1])}" r="4"/>` : ''}</g>`;
  text += `<text x="${SIZE - 4}" y="${SIZE - 4}" text-anchor="end">${escape(names[a])}</text><text x="${EDGE + 4}" y="9">${escape(names[b])}</text>`;
  return `<svg class="zone-plot" viewBox="0 0 ${SIZE} ${SIZE}" width="${SIZE}" height="${SIZE}" role="img" aria-label="zone of ${escape(names[a])} and ${escape(names[b])}">${text}</svg>`;
}
