// The page that `tarn serve` serves, in a browser: its checks run in the server, or in the page if one wants that.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { ROOT, doc_text, launch, large_fischer, page_of, settled } from './browser.mjs';

const tarn = process.env.TARN || `${ROOT}build/release/tarn`;
let browser, served, url;
before(async () => {
  served = spawn(tarn, ['serve', '--port', '0', `${ROOT}models/fischer.xta`], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, TARN_WORKBENCH: `${ROOT}build/workbench/workbench.html` } });
  url = await new Promise((resolve) => { served.stdout.once('data', (d) => resolve(String(d).trim())); served.once('exit', () => resolve(null)); });
  browser = await launch();
});
after(async () => {
  served.kill();
  await browser.close();
});
const checks = () => readdirSync('/proc').filter((p) => /^\d+$/.test(p)).filter((p) => {
  try {
    return readFileSync(`/proc/${p}/stat`, 'utf8').split(') ')[1].split(' ')[1] === String(served.pid);
  } catch {
    return false;
  }
}).length;

test('the page of `tarn serve` checks in the server, cancels, and can check by itself', async (t) => {
  if (!url) return t.skip('tarn serve does not run here');
  const page = await page_of(browser, { url });
  await settled(page);
  assert.match(await doc_text(page), /Fischer/);
  await page.keyboard.press('F7');
  await page.waitForFunction(() => !window.workbench.verifier.busy && window.workbench.verifier.results.size > 1);
  assert.ok(await page.locator('[data-verdict="satisfied"]').count() > 0);
  assert.equal(checks(), 1, 'one engine');
  const { visited } = await page.evaluate(() => [...window.workbench.verifier.results.values()][0].result.stats);
  await page.selectOption('#where', 'page');
  await page.keyboard.press('F7');
  await page.waitForFunction(() => !window.workbench.verifier.busy && document.querySelector('.query:not(.busy)'));
  assert.equal((await page.evaluate(() => [...window.workbench.verifier.results.values()][0].result.stats)).visited, visited);
  await page.selectOption('#where', 'server');
  await page.evaluate((text) => window.workbench.files.open_text(text, 'large.xta', 'A[] not deadlock'), large_fischer(readFileSync(`${ROOT}models/fischer.xta`, 'utf8')));
  await settled(page);
  await page.click('#tab-verifier');
  await page.evaluate(() => { for (const name of ['symmetry', 'partial-order']) window.workbench.verifier.options[name].input.value = 'off'; window.workbench.verifier.options.threads.input.value = '2'; });
  await page.click('#check-all');
  await page.waitForFunction(() => /states/.test(document.querySelector('.status').textContent));
  await page.click('#cancel');
  await page.waitForSelector('[data-verdict="cancelled"]');
  const answer = await page.evaluate(() => window.workbench.checker.request('tarn/check', { query: 'E<> P1.cs', options: {} })); // the model is still read
  assert.equal(answer.results[0].verdict, 'satisfied');
  // The server goes: this is said, and nothing is lost.
  served.kill();
  await page.waitForSelector('#toast.shown');
  assert.match(await page.textContent('#toast'), /does not answer/);
  assert.match(await doc_text(page), /int\[0,12\]/);
  page.mistakes = page.mistakes.filter((m) => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|Failed to load resource|favicon/.test(m));
  assert.deepEqual(page.mistakes, []);
  await page.context().close();
  return undefined;
});
