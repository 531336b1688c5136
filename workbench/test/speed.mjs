// How long things take in the page: node workbench/test/speed.mjs [FOLDER of models]. Each line: elapsed, and the
// processor time of all processes of the browser, which is what counts on a busy machine; median of several.
import { readFileSync, readdirSync } from 'node:fs';
import { FILE, ROOT, fischer_of, launch, large_fischer, open_text, page_of, settled } from './browser.mjs';

process.setMaxListeners(50);
const browser = await launch();
const session = await browser.newBrowserCDPSession();
const processor = async () => (await session.send('SystemInfo.getProcessInfo')).processInfo.filter((p) => p.type !== 'browser').reduce((sum, p) => sum + p.cpuTime, 0) * 1000;
// That of the process of a page, with its workers, since it began.
const processor_of = async (page) => {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  return (await client.send('Performance.getMetrics')).metrics.find((m) => m.name === 'ProcessTime').value * 1000;
};
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const ms = (value, what) => (value === undefined ? ''.padStart(11 + what.length) : `${value.toFixed(1).padStart(7)} ms ${what}`);
const say = (what, limit, wall, used) => console.log(`${what.padEnd(48)} ${ms(wall, 'elapsed')} ${ms(used, 'of processor time')}   (at most ${limit})`);

async function start() {
  const ready = [], verdict = [], used = [], until_ready = [];
  for (let i = 0; i < 5; i++) {
    const context = await browser.newContext(), page = await context.newPage();
    await page.goto(`file://${FILE}`);
    await page.waitForFunction(() => window.workbench?.ready_ms);
    ready.push(await page.evaluate(() => window.workbench.ready_ms));
    until_ready.push(await processor_of(page));
    await page.evaluate((text) => window.workbench.files.open_text(text, 'train-gate.xta', 'A[] not deadlock'), readFileSync(`${ROOT}models/train-gate.xta`, 'utf8'));
    const began = await page.evaluate(() => performance.now());
    await page.evaluate(() => window.workbench.verifier.check_all());
    verdict.push(ready.at(-1) + (await page.evaluate(() => performance.now())) - began);
    used.push(await processor_of(page));
    await context.close();
  }
  say('engine ready', 300, median(ready), median(until_ready));
  say('first verdict of train-gate', 1500, median(verdict), median(used));
}

async function steps() {
  for (const mode of ['concrete', 'symbolic']) {
    const page = await page_of(browser);
    await open_text(page, fischer_of(readFileSync(`${ROOT}models/fischer.xta`, 'utf8'), 50), 'fischer-50.xta');
    await page.click('#tab-simulator');
    await page.waitForSelector('.choice');
    if (mode === 'symbolic') await page.selectOption('#mode', mode);
    await page.waitForFunction((symbolic) => !!window.workbench.simulator.state?.bounds === symbolic, mode === 'symbolic');
    const before = await processor();
    const times = await page.evaluate(async () => {
      const s = window.workbench.simulator, list = [];
      for (let i = 0; i < 20; i++) {
        await s.take(i % s.state.choices.length);
        list.push(s.step_ms);
        await new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); });
      }
      return list;
    });
    say(`a ${mode} step with 50 processes`, 50, median(times), ((await processor()) - before) / 20);
    await page.context().close();
  }
}

async function cancel() {
  const page = await page_of(browser), times = [];
  await page.evaluate((t) => window.workbench.files.open_text(t, 'large.xta', 'A[] not deadlock'), large_fischer(readFileSync(`${ROOT}models/fischer.xta`, 'utf8')));
  await settled(page);
  await page.click('#tab-verifier');
  await page.evaluate(() => { for (const name of ['symmetry', 'partial-order']) window.workbench.verifier.options[name].input.value = 'off'; });
  for (let i = 0; i < 5; i++) {
    await page.click('#check-all');
    await page.waitForFunction(() => /states/.test(document.querySelector('.status').textContent));
    times.push(await page.evaluate(async () => {
      const began = performance.now();
      document.getElementById('cancel').click();
      await window.workbench.checker.start();
      return performance.now() - began;
    }));
    await page.waitForFunction(() => !window.workbench.verifier.busy);
  }
  say('cancel to a ready engine', 200, median(times));
  await page.context().close();
}

// The largest template: most locations and edges.
function largest(folder) {
  let best = null;
  for (const name of readdirSync(folder).filter((n) => n.endsWith('.xml'))) {
    const text = readFileSync(`${folder}/${name}`, 'utf8');
    text.split('<template').slice(1).forEach((part, index) => {
      const size = part.split(/<location|<transition/).length;
      if (!best || size > best.size) best = { name, text, index, size };
    });
  }
  return best;
}
async function drag(folder) {
  const { name, text, index, size } = largest(folder), page = await page_of(browser);
  await open_text(page, text, name);
  await page.evaluate((i) => window.workbench.editor.open({ kind: 'template', index: i }, true), index);
  const from = await page.evaluate((i) => { const c = window.workbench.editor.canvas, l = window.workbench.doc.view.templates[i].locations[0]; return c.on_screen({ x: l.x, y: l.y }); }, index);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const script = async () => (await client.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value * 1000;
  const before = await script();
  for (let i = 1; i <= 60; i++) await page.mouse.move(from.x + i * 3, from.y + i * 2);
  const used = ((await script()) - before) / 60;
  await page.mouse.up();
  say(`a frame of dragging (${size} locations and edges)`, 8, undefined, used);
  await page.context().close();
}

async function mistakes(folder) {
  const late = [], used = [];
  const page = await page_of(browser);
  for (const name of readdirSync(folder).filter((n) => n.endsWith('.xml')).filter((_, i) => i % 4 === 0)) {
    await open_text(page, readFileSync(`${folder}/${name}`, 'utf8'), name);
    const before = await processor();
    const took = await page.evaluate(() => {
      const w = window.workbench, d = w.doc.view?.declaration;
      if (!d) return null;
      const began = performance.now();
      w.doc.apply(w.doc.replace_text(d, 0, 0, 'clock clock;\n'));
      return new Promise((done) => {
        const look = () => (w.diagnosed?.version === w.doc.version && !w.checking ? done(performance.now() - began) : setTimeout(look, 2));
        look();
      });
    });
    if (took !== null) {
      late.push(took);
      used.push((await processor()) - before);
    }
  }
  late.sort((a, b) => a - b);
  say(`errors after the last key, median of ${late.length} files`, 100, median(late) - 120, median(used));
  console.log(`  of these, with the pause of 120 ms: median ${median(late).toFixed(0)}, 95 % ${late[Math.floor(late.length * 0.95)].toFixed(0)}, worst ${late.at(-1).toFixed(0)} ms   (at most 500)`);
  await page.context().close();
}

await start();
await steps();
await cancel();
if (process.argv[2]) {
  await drag(process.argv[2]);
  await mistakes(process.argv[2]);
}
await browser.close();
