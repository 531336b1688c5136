// A page of the workbench in Debian's Chromium, for tests.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { chromium } from 'playwright-core';
import { ROOT, fischer_of, large_fischer } from './engine.mjs';

export { ROOT, fischer_of, large_fischer };

export const FILE = `${ROOT}build/workbench/workbench.html`;
const EXECUTABLE = process.env.CHROMIUM || '/usr/bin/chromium';
export const has_browser = () => existsSync(EXECUTABLE);
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--force-color-profile=srgb', '--font-render-hinting=none'];

export async function launch() {
  return chromium.launch({ executablePath: EXECUTABLE, args: FLAGS });
}
// With a profile of its own, so that what is stored stays when it is closed.
export async function launch_profile() {
  const folder = mkdtempSync(`${tmpdir()}/tarn-workbench-`);
  const open = () => chromium.launchPersistentContext(folder, { executablePath: EXECUTABLE, args: FLAGS, viewport: { width: 1280, height: 800 } });
  return { open, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
export async function page_of(browser, { url = `file://${FILE}`, scheme = 'light', ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: scheme, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.mistakes = [];
  page.on('pageerror', (error) => page.mistakes.push(error.stack || String(error)));
  page.on('console', (message) => { if (message.type() === 'error') page.mistakes.push(message.text()); });
  await page.goto(url);
  await page.waitForFunction(() => document.body.classList.contains('ready'));
  return page;
}
export const open_example = async (page, name) => {
  await page.selectOption('#examples', name);
  await page.waitForFunction((n) => window.workbench.doc.name === `${n}.xml`, name);
  await settled(page);
};
export const open_text = async (page, text, name = 'model.xml') => {
  await page.evaluate(([t, n]) => window.workbench.files.open_text(t, n), [text, name]);
  await settled(page);
};
// The problems of the present text are known.
export const settled = (page) => page.waitForFunction(() => { const w = window.workbench; return w.diagnosed && w.diagnosed.version === w.doc.version && !w.checking; });
export const doc_text = (page) => page.evaluate(() => window.workbench.doc.text);
