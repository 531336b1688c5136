// The page in a browser: what takes longer. `make test-workbench` runs it. With PICTURES=write it
// makes the pictures of the guide and those that drawings are compared with.
import assert from 'node:assert';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ROOT, doc_text, large_fischer, launch, launch_profile, open_example, open_text, page_of, settled } from './browser.mjs';

const WRITES = process.env.PICTURES === 'write';
const GUIDE = `${ROOT}doc/guide/pictures/`, STORED = `${ROOT}workbench/test/pictures/`;
const DRAWN = ['train-gate', 'fischer', 'lamp', 'bridge', 'coffee', 'crossing', 'csma', 'alternating-bit', 'scheduler', 'fieldbus'];

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });
const done = async (page) => {
  assert.deepEqual(page.mistakes, []);
  await page.context().close();
};

// The share of pixels that differ clearly; letters may be drawn a little differently.
const differing = (page, a, b) => page.evaluate(async ([x, y]) => {
  const pixels = async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const p = await pixels(x), q = await pixels(y);
  if (p.width !== q.width || p.height !== q.height) return 1;
  let count = 0;
  for (let i = 0; i < p.data.length; i += 4) count += Math.abs(p.data[i] - q.data[i]) + Math.abs(p.data[i + 1] - q.data[i + 1]) + Math.abs(p.data[i + 2] - q.data[i + 2]) > 120 ? 1 : 0;
  return count / (p.width * p.height);
}, [a.toString('base64'), b.toString('base64')]);

test('ten models are drawn as on stored pictures', async () => {
  const page = await page_of(browser);
  mkdirSync(STORED, { recursive: true });
  for (const name of DRAWN) {
    await open_example(page, name);
    await page.evaluate(() => { document.activeElement.blur(); window.workbench.editor.canvas.fit(); });
    const picture = await page.locator('.canvas-host').screenshot(), file = `${STORED}${name}.png`;
    if (WRITES || !existsSync(file)) writeFileSync(file, picture);
    const share = await differing(page, picture, readFileSync(file));
    assert.ok(share < 0.01, `${name}: ${(100 * share).toFixed(2)} % of the pixels differ`);
  }
  await done(page);
});

test('engine and page are small enough', () => {
  const zipped = (name) => gzipSync(readFileSync(`${ROOT}build/workbench/${name}`), { level: 9 }).length;
  assert.ok(zipped('engine.wasm') <= 700000);
  assert.ok(zipped('workbench.html') <= 900000);
});

test('a check is cancelled, and the engine is ready again', async () => {
  const page = await page_of(browser);
  const text = readFileSync(`${ROOT}models/fischer.xta`, 'utf8');
  await page.evaluate((t) => window.workbench.files.open_text(t, 'large.xta', 'A[] not deadlock'), large_fischer(text));
  await settled(page);
  await page.click('#tab-verifier');
  await page.evaluate(() => { window.workbench.verifier.options.symmetry.input.value = 'off'; window.workbench.verifier.options['partial-order'].input.value = 'off'; });
  await page.click('#check-all');
  await page.waitForFunction(() => /states/.test(document.querySelector('.status').textContent));
  const ms = await page.evaluate(async () => {
    const w = window.workbench, began = performance.now();
    document.getElementById('cancel').click();
    await w.checker.start();
    return performance.now() - began;
  });
  console.log(`cancel to a ready engine: ${ms.toFixed(0)} ms`);
  await page.waitForSelector('[data-verdict="cancelled"]');
  assert.ok(ms < 3000);
  // The memory of the engine ends, and it goes on.
  await page.evaluate(() => { window.workbench.verifier.options['memory-limit'].input.value = '30'; });
  await page.click('#check-all');
  await page.waitForSelector('[data-verdict="undecided"]', { timeout: 120000 });
  assert.match(await page.textContent('.reason'), /memory limit/);
  await open_example(page, 'lamp');
  await page.click('#check-all');
  await page.waitForFunction(() => !window.workbench.verifier.busy && window.workbench.verifier.results.size > 0);
  assert.ok(await page.locator('[data-verdict="satisfied"]').count());
  await done(page);
});

test('a fault of the engine loses nothing', async () => {
  const page = await page_of(browser);
  await open_example(page, 'lamp');
  const text = await doc_text(page);
  await page.evaluate(() => window.workbench.reader.fail('planted'));
  await page.waitForSelector('#toast.shown');
  assert.match(await page.textContent('#toast'), /document is safe/);
  assert.equal(await doc_text(page), text);
  await page.keyboard.press('F5');
  await page.click('#tab-simulator');
  await page.waitForSelector('.choice');
  await done(page);
});

test('what was not saved is offered after the page was killed', async () => {
  const profile = await launch_profile();
  const context = await profile.open();
  const page = await context.newPage();
  await page.goto(`file://${ROOT}build/workbench/workbench.html`);
  await page.waitForFunction(() => document.body.classList.contains('ready'));
  await page.evaluate(() => window.workbench.doc.apply(window.workbench.doc.replace_text(window.workbench.doc.view.declaration, 0, 0, 'clock kept;\n')));
  await page.waitForFunction(() => window.workbench.files.is_safe);
  const text = await doc_text(page);
  const other = await context.newPage();
  await page.goto('chrome://crash').catch(() => {});
  await other.goto(`file://${ROOT}build/workbench/workbench.html`);
  await other.click('#restore');
  await other.waitForFunction(() => /clock kept/.test(window.workbench.doc.text));
  assert.equal(await doc_text(other), text);
  await context.close();
  profile.remove();
});

test('everything by keyboard alone', async () => {
  const page = await page_of(browser);
  await page.evaluate(() => window.workbench.editor.canvas.svg.focus());
  const press = async (...keys) => { for (const k of keys) await page.keyboard.press(k); };
  await press('Tab'); // the first location
  await press('l', 'l'); // another one beside it
  await press('Shift+Tab', 'e', 'Tab', 'Enter'); // an edge
  const t = await page.evaluate(() => { const { locations, edges } = window.workbench.doc.view.templates[0]; return [locations.length, edges.length, edges[0]?.source !== edges[0]?.target]; });
  assert.deepEqual(t, [2, 1, true]);
  await press('Enter'); // its properties
  await page.keyboard.press('Tab');
  await page.keyboard.type('1 == 1');
  await press('Escape', 'Control+z', 'Control+y');
  assert.match(await doc_text(page), /1 == 1/);
  await press('Control+Alt+3');
  assert.equal(await page.evaluate(() => window.workbench.view), 'verifier');
  await press('F1');
  await page.waitForSelector('dialog.help');
  await press('Escape');
  const names = await page.evaluate(() => [...document.querySelectorAll('button, select, input')].filter((n) => !n.hidden && !(n.getAttribute('aria-label') || n.title || n.textContent.trim() || n.closest('label'))).length);
  assert.equal(names, 0, 'every control has a name');
  await done(page);
});

test('symbolic simulation, import and export of runs, statistics', async () => {
  const page = await page_of(browser);
  await open_example(page, 'train-gate');
  await page.click('#tab-simulator');
  await page.selectOption('#mode', 'symbolic');
  await page.waitForFunction(() => window.workbench.simulator.state?.bounds);
  for (let i = 1; i <= 4; i++) {
    await page.click('.choice');
    await page.waitForFunction((n) => window.workbench.simulator.position === n, i);
  }
  assert.ok(await page.locator('.zone-plot .zone').count());
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#export-run')]);
  const run = readFileSync(await download.path(), 'utf8');
  await page.evaluate((t) => window.workbench.simulator.replay(t), run);
  await page.waitForFunction(() => window.workbench.simulator.steps.length === 5 && window.workbench.simulator.position === 0);
  await open_example(page, 'gate');
  await page.keyboard.press('F7');
  await page.waitForFunction(() => !window.workbench.verifier.busy && window.workbench.verifier.results.size === 4, null, { timeout: 120000 });
  assert.ok(await page.locator('.plot').count() >= 3);
  await done(page);
});

test('pictures of every view, for the guide', { skip: !WRITES }, async () => {
  const page = await page_of(browser, { deviceScaleFactor: 1 });
  const shot = (name) => page.screenshot({ path: `${GUIDE}workbench-${name}.png` });
  await open_example(page, 'train-gate');
  await page.evaluate(() => { window.workbench.editor.open({ kind: 'template', index: 1 }, true); window.workbench.editor.canvas.select(['e1']); });
  await shot('editor');
  await page.evaluate(() => { const w = window.workbench, t = w.doc.view.templates[1], l = t.edges[1].labels[0]; w.doc.apply(w.doc.set_text(l.node, 'x[i] <= limit')); w.editor.canvas.select([]); });
  await settled(page);
  await shot('mistake');
  await page.keyboard.press('Control+z');
  await page.evaluate(() => window.workbench.undo());
  await settled(page);
  await page.keyboard.press('F7');
  await page.waitForFunction(() => !window.workbench.verifier.busy && window.workbench.verifier.results.size === 5);
  await shot('verifier');
  await page.locator('text=Replay').last().click();
  await page.waitForFunction(() => window.workbench.simulator.steps.length > 2);
  await page.waitForFunction(() => window.workbench.simulator.position === 0);
  await page.keyboard.press('End');
  await page.waitForFunction(() => window.workbench.simulator.position === window.workbench.simulator.steps.length - 1);
  await page.waitForTimeout(6500); // the message goes
  await shot('simulator');
  await open_example(page, 'gate');
  await page.keyboard.press('F7');
  await page.waitForFunction(() => !window.workbench.verifier.busy && window.workbench.verifier.results.size === 4, null, { timeout: 120000 });
  await shot('statistics');
  await done(page);
  const dark = await page_of(browser, { scheme: 'dark' });
  await open_example(dark, 'train-gate');
  await dark.screenshot({ path: `${GUIDE}workbench-dark.png` });
  await done(dark);
});
export { open_text };
