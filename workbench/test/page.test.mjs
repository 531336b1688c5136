// The page in a browser: the slice that tools/test runs.
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import test, { after, before } from 'node:test';
import { ROOT, doc_text, launch, open_example, open_text, page_of, settled } from './browser.mjs';

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });

const fresh = async (options) => page_of(browser, options);
const done = async (page) => {
  assert.deepEqual(page.mistakes, []);
  await page.context().close();
};
// A place of the drawing on the screen.
const on_screen = (page, x, y) => page.evaluate(([px, py]) => window.workbench.editor.canvas.on_screen({ x: px, y: py }), [x, y]);
const template = (page, index = 0) => page.evaluate((i) => { const t = window.workbench.doc.view.templates[i]; return { locations: t.locations.map((l) => [l.id, l.x, l.y, l.name?.text]), edges: t.edges.map((e) => [e.source, e.target, e.nails.length, e.labels.map((l) => l.text)]) }; }, index);
const type_in = async (page, label, text) => {
  await page.locator(`.panel [aria-label="${label}"]`).click();
  await page.keyboard.type(text);
};
const saved_bytes = async (page) => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.evaluate(() => { window.showSaveFilePicker = undefined; window.workbench.files.save(false); })]);
  return readFileSync(await download.path());
};
const saved = async (page) => (await saved_bytes(page)).toString('utf8');

test('a model drawn from nothing by mouse and keyboard is verified, replayed, saved and opened again', async () => {
  const page = await fresh();
  await page.keyboard.press('Control+Alt+1');
  const at = async (x, y) => { const p = await on_screen(page, x, y); await page.mouse.click(p.x, p.y); };
  await page.evaluate(() => { const c = window.workbench.editor.canvas; c.zoom = 1; c.x = 300; c.y = 200; c.place(); });
  await page.click('[data-tool="location"]');
  await at(160, 80);
  await type_in(page, 'Name', 'Bad');
  await type_in(page, 'Invariant', 'x <= 10');
  await page.click('[data-tool="edge"]');
  await at(0, 0);
  await at(80, -24);
  await at(160, 80);
  await type_in(page, 'Guard', 'x >= 5');
  await type_in(page, 'Update', 'x = 0');
  await page.click('.entry:has-text("Declarations")');
  await page.click('.text-host .cm-content');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('clock x;');
  await settled(page);
  assert.equal(await page.textContent('#problem-count'), 'No problems');
  assert.deepEqual(await template(page), { locations: [['id0', 0, 0, undefined], ['id1', 160, 80, 'Bad']], edges: [['id0', 'id1', 1, ['x >= 5', 'x = 0']]] });
  await page.click('#tab-verifier');
  await page.click('text=+ Query');
  await page.keyboard.type('A[] not Process.Bad');
  await page.click('#check-all');
  await page.waitForSelector('[data-verdict="not satisfied"]');
  await page.click('text=Replay');
  await page.waitForSelector('.trace li:nth-child(2)');
  await page.click('#forward');
  await page.waitForSelector('.tile .here:has-text("Bad")');
  assert.equal(await page.textContent('.now-time b'), '5');
  const text = await saved(page);
  assert.equal(text, await doc_text(page));
  await open_text(page, text, 'again.xml');
  assert.equal((await template(page)).edges.length, 1);
  await done(page);
});

test('keys draw right after the page was opened; a click says where an edge begins', async () => {
  const page = await fresh();
  const at = async (x, y) => { const p = await on_screen(page, x, y); await page.mouse.click(p.x, p.y); };
  await page.keyboard.press('l');
  await at(160, 80);
  await page.keyboard.press('e'); // the new location is selected
  await at(0, 0);
  await at(160, 80);
  const { locations, edges } = await template(page);
  assert.equal(locations.length, 2);
  assert.deepEqual(edges.map((e) => e.slice(0, 3)), [['id0', 'id1', 0]]);
  await done(page);
});

test('a text fills its view, and a click below its end writes there', async () => {
  const page = await fresh();
  await page.click('.entry:has-text("Declarations")');
  const box = await page.locator('.text-host').boundingBox();
  await page.mouse.click(box.x + 200, box.y + box.height - 30);
  await page.keyboard.press('Control+End');
  await page.keyboard.type('clock y;');
  assert.match(await doc_text(page), /clock y;/);
  assert.ok((await page.locator('.text-host .cm-editor.cm-focused').boundingBox()).height > box.height / 2);
  await done(page);
});

test('dragging moves, one undo takes it back, and the file is as it was', async () => {
  const page = await fresh();
  await open_example(page, 'train-gate');
  const before_text = await doc_text(page), { locations } = await template(page);
  const [, x, y] = locations[0], from = await on_screen(page, x, y);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let i = 1; i <= 10; i++) await page.mouse.move(from.x + i * 6, from.y + i * 3);
  await page.mouse.up();
  const moved = (await template(page)).locations[0];
  assert.ok(moved[1] > x + 20 && moved[2] > y + 8, `${moved}`);
  assert.equal(moved[1] % 8, 0);
  await page.keyboard.press('Control+z');
  assert.equal(await doc_text(page), before_text);
  assert.equal(await page.evaluate(() => window.workbench.doc.is_changed), false);
  await page.keyboard.press('Control+y');
  assert.deepEqual((await template(page)).locations[0], moved);
  await done(page);
});

test('a label is edited where it is, and mistakes mark the very label of two parallel edges', async () => {
  const page = await fresh();
  await open_text(page, `<nta><declaration>clock x;</declaration><template><name>T</name><location id="a" x="0" y="0"/><location id="b" x="200" y="0"/><init ref="a"/>
<transition><source ref="a"/><target ref="b"/><label kind="guard" x="60" y="-60">x &gt; 1</label><nail x="100" y="-50"/></transition>
<transition><source ref="a"/><target ref="b"/><label kind="guard" x="60" y="40">x &gt; 2</label><nail x="100" y="50"/></transition></template><system>system T;</system></nta>`);
  await page.dblclick('.label.guard >> nth=1');
  await page.waitForSelector('.inline-edit');
  await page.keyboard.press('End');
  const began = Date.now();
  await page.keyboard.type(' && zz > 0');
  await page.waitForSelector('.label.wrong');
  const late = Date.now() - began;
  await page.keyboard.press('Enter');
  await settled(page);
  assert.equal(await page.getAttribute('.label.wrong', 'data-key'), 'e1t0');
  assert.equal(await page.locator('.label.wrong').count(), 1);
  assert.ok(late < 5000, `${late} ms`);
  await page.click('.problem');
  assert.equal(await page.evaluate(() => document.activeElement.closest('.property')?.querySelector('.caption').textContent), 'Guard');
  assert.match(await doc_text(page), /x &gt; 2 &amp;&amp; zz &gt; 0<\/label><nail x="100" y="50"/);
  for (let i = 0; i < 4; i++) await page.keyboard.press('Control+z');
  await settled(page);
  assert.equal(await page.locator('.label.wrong').count(), 0);
  await done(page);
});

test('copy, paste, duplicate, delete, align, rename with all uses', async () => {
  const page = await fresh();
  await open_example(page, 'lamp');
  const first = (await template(page)).locations.length;
  await page.click('.canvas', { position: { x: 5, y: 5 } });
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+d');
  const twice = await template(page);
  assert.equal(twice.locations.length, 2 * first);
  await page.keyboard.press('Delete');
  assert.equal((await template(page)).locations.length, first);
  await page.keyboard.press('Control+a');
  await page.click('[data-action="column"]');
  const { locations } = await template(page);
  assert.equal(new Set(locations.map((l) => l[1])).size, 1);
  await page.click('.entry:has-text("Declarations")');
  const at = await page.evaluate(() => window.workbench.editor.text.view.state.doc.toString().indexOf('press;'));
  await page.evaluate((p) => window.workbench.editor.text.focus(p), at);
  await page.keyboard.press('F2');
  await page.waitForSelector('dialog.ask');
  await page.keyboard.type('push');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /chan push;/.test(window.workbench.doc.text));
  assert.ok(!/\bpress[!?]/.test(await doc_text(page)));
  await settled(page);
  assert.equal(await page.textContent('#problem-count'), 'No problems');
  await done(page);
});

test('verdicts of an example are as it expects, and the simulator steps', async () => {
  const page = await fresh();
  await open_example(page, 'train-gate');
  await page.keyboard.press('F7');
  await page.waitForFunction(() => !window.workbench.verifier.busy && window.workbench.verifier.results.size === 5);
  assert.equal(await page.locator('.query.unexpected').count(), 0);
  assert.equal(await page.locator('[data-verdict="satisfied"]').count(), 4);
  await page.click('#tab-simulator');
  await page.waitForSelector('.choice');
  await page.keyboard.press('1');
  await page.waitForFunction(() => window.workbench.simulator.position === 1);
  assert.equal(await page.locator('.tile .location.current').count(), 4);
  await page.click('#many');
  await page.waitForFunction(() => window.workbench.simulator.position > 20);
  await page.click('[data-kind="time"]');
  assert.ok(await page.locator('.times .bar').count() > 4);
  await page.keyboard.press('Home');
  await page.waitForFunction(() => window.workbench.simulator.position === 0);
  await done(page);
});

test('the simulator takes one step after the other however fast the keys come; go to a step, export from within a run', async () => {
  const page = await fresh();
  await open_example(page, 'csma');
  await page.click('#tab-simulator');
  await page.waitForSelector('.choice');
  for (let i = 0; i < 15; i++) await page.keyboard.press('1');
  await page.waitForFunction(() => window.workbench.simulator.position === 15);
  const run = await page.evaluate(async () => {
    const s = window.workbench.simulator, { results } = await window.workbench.reader.request('tarn/run');
    return { shown: s.steps.map((step) => step.locations), made: results[0].trace.steps.map((step) => s.model.processes.map((p) => p.locations.findIndex((l) => l.name === step.locations[p.name]))) };
  });
  assert.deepEqual(run.shown, run.made);
  await page.fill('#step', '7');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.workbench.simulator.position === 7);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#export-run')]);
  assert.equal(JSON.parse(readFileSync(await download.path(), 'utf8')).results[0].trace.steps.length, 16);
  await page.click('#wait'); // nothing is chosen
  assert.match(await page.textContent('#toast'), /how long/);
  assert.equal(await page.evaluate(() => window.workbench.simulator.position), 7);
  await done(page);
});

test('the right button, labels beside their edge, find, and mistakes in the way of a simulation', async () => {
  const page = await fresh();
  const right = async (x, y) => { const p = await on_screen(page, x, y); await page.mouse.click(p.x, p.y, { button: 'right' }); };
  await right(160, 0);
  await page.click('.popup >> text=Location here');
  await type_in(page, 'Name', 'Goal');
  await right(160, 0);
  await page.click('.popup >> text=urgent');
  await right(0, 0);
  await page.click('.popup >> text=Edge from here');
  const goal = await on_screen(page, 160, 0);
  await page.mouse.click(goal.x, goal.y);
  await type_in(page, 'Guard', 'n > 0');
  await type_in(page, 'Synchronisation', 'go!');
  await type_in(page, 'Update', 'm = 1');
  const [edge, heights] = await page.evaluate(() => { const e = window.workbench.doc.view.templates[0].edges[0]; return [[e.source, e.target], e.labels.map((l) => [l.kind, l.y])]; });
  assert.deepEqual(edge, ['id0', 'id1']);
  assert.deepEqual(heights, [['guard', -35], ['synchronisation', -20], ['assignment', 5]]);
  await settled(page);
  await page.click('#tab-simulator');
  await page.click('.mistakes .problem:has-text("`go`")');
  assert.equal(await page.evaluate(() => document.activeElement.closest('.property')?.querySelector('.caption').textContent), 'Synchronisation');
  await page.keyboard.press('Control+f');
  await page.keyboard.type('goal');
  await page.waitForSelector('.found li:nth-child(1):has-text("location Goal, name")');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.closest('.property')?.querySelector('.caption').textContent), 'Name');
  await page.click('.canvas', { position: { x: 5, y: 5 } });
  await right(80, 0);
  await page.click('.popup >> text=Nail here');
  assert.deepEqual((await template(page)).edges.map((e) => e[2]), [1]);
  await done(page);
});

test('files of other encodings are read, checked and saved in these; `tarn workbench` puts any file into its page', async () => {
  const xml = (encoding) => `<?xml version="1.0" encoding="${encoding}"?>\n<nta><declaration>// ä</declaration><template><name>T</name><location id="a" x="0" y="0"/><init ref="a"/></template><system>system T;</system><queries><query><formula>A[] not deadlock</formula><comment/></query></queries></nta>`;
  const files = { 'utf-16': Buffer.from(`\ufeff${xml('utf-16')}`, 'utf16le'), 'ISO-8859-1': Buffer.from(xml('ISO-8859-1'), 'latin1') };
  const folder = mkdtempSync(`${tmpdir()}/tarn-page-`), page = await fresh();
  for (const [name, bytes] of Object.entries(files)) {
    await page.evaluate(([n, list]) => window.workbench.files.open_file(new File([Uint8Array.from(list)], `${n}.xml`), null), [name, [...bytes]]);
    await settled(page);
    assert.equal(await page.textContent('#problem-count'), 'No problems');
    await page.keyboard.press('F7');
    await page.waitForSelector('[data-verdict="not satisfied"]');
    await page.click('#tab-simulator');
    await page.waitForSelector('.tile');
    assert.deepEqual(await saved_bytes(page), bytes);
    writeFileSync(`${folder}/${name}.xml`, bytes);
    execFileSync(process.env.TARN || `${ROOT}build/release/tarn`, ['workbench', `${folder}/${name}.xml`], { cwd: folder, stdio: 'ignore' });
    const other = await fresh({ url: `file://${folder}/${name}-workbench.html` });
    assert.match(await doc_text(other), /ä/);
    assert.deepEqual(await saved_bytes(other), bytes);
    await done(other);
  }
  rmSync(folder, { recursive: true });
  await done(page);
});

test('a link has the model in it; dark mode follows the system', async () => {
  const page = await fresh({ scheme: 'dark' });
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await open_example(page, 'coffee');
  const text = await doc_text(page);
  await page.click('#share');
  await page.waitForFunction(() => location.hash.startsWith('#model='));
  const url = page.url();
  await done(page);
  const other = await fresh({ url });
  assert.equal(await doc_text(other), text);
  await done(other);
});
