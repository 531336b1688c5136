// The page in a browser: what takes longer. `make test-workbench` runs it.
import assert from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import test, { after, before } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ROOT, doc_text, fischer_of, large_fischer, launch, launch_profile, open_example, open_text, page_of, settled } from './browser.mjs';

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });
const done = async (page) => {
  assert.deepEqual(page.mistakes, []);
  await page.context().close();
};

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

// The folder for a web server, of which some files are missing at first.
async function served(missing) {
  const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', wasm: 'application/wasm' };
  const server = createServer((request, response) => {
    const name = request.url.slice(1) || 'index.html', path = `${ROOT}build/workbench/dist/${name}`;
    const is_there = existsSync(path) && !missing.has(name);
    response.writeHead(is_there ? 200 : 404, { 'Content-Type': types[name.split('.').pop()] || 'text/plain' });
    response.end(is_there ? readFileSync(path) : '');
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  return { url: `http://127.0.0.1:${server.address().port}/`, end: () => { server.closeAllConnections(); server.close(); } };
}

test('a web server has the page, too; an engine that cannot be loaded is reported, and tried again', async () => {
  for (const name of ['engine.wasm', 'worker.js']) {
    const missing = new Set([name]), server = await served(missing);
    const page = await page_of(browser, { url: server.url });
    await page.waitForFunction(() => /cannot be loaded/.test(document.querySelector('.problem')?.textContent));
    missing.clear();
    await page.keyboard.press('F5');
    await page.waitForFunction(() => document.getElementById('problem-count').textContent === 'No problems');
    await open_example(page, 'lamp');
    await page.click('#tab-verifier');
    await page.click('#check-all');
    await page.waitForSelector('[data-verdict="satisfied"]');
    page.mistakes = page.mistakes.filter((m) => !/404|Uncaught/.test(m)); // those that were planted
    await done(page);
    server.end();
  }
});

test('an engine that ends while it is compiled for all keeps none from starting', async () => {
  const context = await browser.newContext(), page = await context.newPage();
  await page.addInitScript(() => {
    let app = null;
    Object.defineProperty(window, 'workbench', { get: () => app, set: (value) => { app = value; queueMicrotask(() => app.reader.close('planted')); } });
  });
  await page.goto(`file://${ROOT}build/workbench/workbench.html`);
  await page.waitForFunction(() => document.body.classList.contains('ready'));
  const verdict = await page.evaluate(async () => {
    const { checker } = window.workbench;
    await checker.request('tarn/read', { text: window.workbench.doc.text });
    return (await checker.request('tarn/check', { query: 'A[] not deadlock', options: {} })).results[0].verdict;
  });
  assert.equal(verdict, 'not satisfied');
  await settled(page);
  for (let i = 0; i < 50 && page.workers().length > 2; i++) await page.waitForTimeout(100);
  assert.ok(page.workers().length <= 2, `${page.workers().length} workers`);
  await context.close();
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

test('faults, limits and cancelled checks, 100 times, leave the page as it was', async () => {
  const page = await page_of(browser), client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  const memory = async () => {
    await client.send('HeapProfiler.collectGarbage');
    return (await client.send('Performance.getMetrics')).metrics.find((m) => m.name === 'JSHeapUsedSize').value;
  };
  await open_text(page, fischer_of(readFileSync(`${ROOT}models/fischer.xta`, 'utf8'), 9), 'fischer.xta');
  const text = await doc_text(page);
  let before = 0;
  for (let i = 0; i < 100; i++) {
    const answer = await page.evaluate(async (kind) => {
      const { checker, reader, language } = window.workbench, options = { symmetry: 'off', 'partial-order': 'off' };
      const ask = (method, params) => checker.request(method, params).catch((error) => error.message);
      if (kind === 0) { // an exception in the worker
        checker.start();
        checker.carrier.worker.postMessage(7);
        return ask('tarn/read', { text: 'x' });
      }
      if (kind === 1) { // both, while they work
        reader.start();
        reader.carrier.worker.postMessage({});
        return (await language.diagnostics().catch(() => [])).length;
      }
      await ask('tarn/read', { text: window.workbench.doc.text });
      if (kind === 2) return (await ask('tarn/check', { query: 'A[] not deadlock', options: { ...options, 'memory-limit': '10' } })).results[0].reason;
      const waiting = ask('tarn/check', { query: 'A[] not deadlock', options });
      setTimeout(() => checker.end('cancelled'), 20);
      return waiting;
    }, i % 4);
    if (i % 4 === 2) assert.match(answer, /memory/);
    if (i % 4 === 3) assert.equal(answer, 'cancelled');
    if (i === 19) before = await memory();
  }
  assert.equal(await page.evaluate(async () => { await window.workbench.check_now(); return window.workbench.problems.length; }), 0);
  for (let i = 0; i < 50 && page.workers().length > 2; i++) await page.waitForTimeout(100); // ended ones go a little later
  assert.ok(page.workers().length <= 2, `${page.workers().length} workers`);
  const grown = (await memory()) - before;
  assert.ok(grown < 2e6, `${grown} bytes more`);
  assert.equal(await doc_text(page), text);
  page.mistakes = page.mistakes.filter((m) => !/Uncaught/.test(m)); // those that were planted
  await done(page);
});

test('the help lists keys; in a narrow window everything is in reach', async () => {
  const page = await page_of(browser, { viewport: { width: 600, height: 700 } });
  await open_example(page, 'train-gate');
  await page.keyboard.press('F1');
  assert.doesNotMatch(await page.textContent('dialog.help'), /\[object/);
  assert.ok(await page.locator('dialog.help kbd').count() > 20);
  await page.keyboard.press('Escape');
  for (const view of ['verifier', 'simulator', 'editor']) {
    await page.click(`#tab-${view}`);
    const outside = await page.evaluate(() => [...document.querySelectorAll('header button, header select, .toolbar button')].filter((b) => b.offsetParent && (b.getBoundingClientRect().right > innerWidth || b.getBoundingClientRect().left < 0)).map((b) => b.textContent));
    assert.deepEqual(outside, [], view);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), view);
  }
  await done(page);
});

test('the tour of five steps comes once', async () => {
  const page = await page_of(browser);
  await page.keyboard.press('F1');
  await page.click('dialog.help >> text=Tour');
  for (let i = 1; i <= 5; i++) {
    assert.match(await page.textContent('.tour h2'), new RegExp(`^${i}/5`));
    const box = await page.locator('.tour').boundingBox();
    assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= 1280 && box.y + box.height <= 800);
    await page.keyboard.press('Enter');
  }
  assert.equal(await page.locator('.tour').count(), 0);
  assert.equal(await page.evaluate(() => localStorage.getItem('tarn-tour')), 'seen');
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
  await other.click('.restore');
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
