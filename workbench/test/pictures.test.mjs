// Drawings against stored pictures. With PICTURES=write it makes these, and the pictures of the guide.
import assert from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { ROOT, launch, open_example, page_of, settled } from './browser.mjs';

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
  for (const name of DRAWN) {
    await open_example(page, name);
    await page.evaluate(() => { document.activeElement.blur(); window.workbench.editor.canvas.fit(); });
    const picture = await page.locator('.canvas-host').screenshot(), file = `${STORED}${name}.png`;
    if (WRITES) writeFileSync(file, picture);
    const share = await differing(page, picture, readFileSync(file));
    assert.ok(share < 0.01, `${name}: ${(100 * share).toFixed(2)} % of the pixels differ`);
  }
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
