// What users of UPPAAL's editor look for, by mouse and keyboard.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FILE, doc_text, launch, launch_profile, open_example, open_text, page_of, settled } from './browser.mjs';

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });

const done = async (page) => {
  assert.deepEqual(page.mistakes, []);
  await page.context().close();
};
const on_screen = (page, x, y) => page.evaluate(([px, py]) => window.workbench.editor.canvas.on_screen({ x: px, y: py }), [x, y]);
const click = async (page, x, y, options) => { const p = await on_screen(page, x, y); await page.mouse.click(p.x, p.y, options); };
const template = (page) => page.evaluate(() => { const t = window.workbench.doc.view.templates[window.workbench.editor.item.index]; return { name: t.name, locations: t.locations.map((l) => [l.id, l.x, l.y]), edges: t.edges.map((e) => [e.source, e.target, e.nails.map((n) => [n.x, n.y])]) }; });
const file = (page, name, text) => page.evaluate(([n, t]) => window.workbench.files.open_files([new File([t], n)]), [name, text]);
const position = (page, n) => page.waitForFunction((wanted) => window.workbench.simulator.position === wanted, n);

test('a model that is opened while another view is shown is what that view shows, and is seen whole afterwards', { timeout: 120000 }, async () => {
  const page = await page_of(browser);
  await open_example(page, 'train-gate');
  await page.click('#tab-simulator');
  await page.waitForSelector('.tile h3:has-text("Gate")');
  await open_example(page, 'lamp');
  await page.waitForSelector('.tile h3:has-text("Lamp")');
  assert.equal(await page.locator('.tile h3:has-text("Gate")').count(), 0);
  await page.click('#tab-editor');
  const seen = await page.evaluate(() => { const box = document.querySelector('svg.canvas').getBoundingClientRect(); return [...document.querySelectorAll('svg.canvas .location')].every((n) => { const b = n.getBoundingClientRect(); return b.left > box.left && b.right < box.right && b.top > box.top && b.bottom < box.bottom; }); });
  assert.ok(seen);
  const many = Array.from({ length: 60 }, (_, i) => `<location id="l${i}" x="${i % 3}" y="${i * 90}"/>`).join('');
  await open_text(page, `<nta><declaration/><template><name>T</name>${many}<init ref="l30"/></template><system>system T;</system></nta>`);
  const view = await page.evaluate(() => { const c = window.workbench.editor.canvas, box = c.svg.getBoundingClientRect(), b = c.element('l30').getBoundingClientRect(); return [c.zoom, b.top > box.top && b.bottom < box.bottom]; });
  assert.ok(view[0] >= 0.5 && view[1], `${view}`); // large enough to be read, with the initial location
  await page.keyboard.press('f');
  assert.ok((await page.evaluate(() => window.workbench.editor.canvas.zoom)) < 0.2);
  await done(page);
});

test('a tool can be kept; the middle button draws, the right one gives up; menus cut, copy and paste', { timeout: 120000 }, async () => {
  const page = await page_of(browser);
  await page.evaluate(() => { const c = window.workbench.editor.canvas; c.zoom = 1; c.x = 200; c.y = 200; c.place(); });
  await page.check('#keep-tool');
  await page.keyboard.press('l');
  for (const x of [80, 160, 240]) await click(page, x, 0);
  assert.equal((await template(page)).locations.length, 4);
  await page.click('[data-action="view"]');
  await page.click('.popup >> text=Keep the drawing tool');
  await page.keyboard.press('v');
  await click(page, 80, 160, { button: 'middle' }); // a location
  await click(page, 80, 160, { button: 'middle' }); // an edge from it
  await click(page, 120, 80, { button: 'middle' }); // a nail
  await click(page, 80, 0, { button: 'middle' });
  let t = await template(page);
  assert.deepEqual([t.locations.length, t.edges], [5, [['id4', 'id1', [[120, 80]]]]]);
  await page.keyboard.press('v');
  await click(page, 100, 120, { button: 'middle' }); // a nail on the edge
  t = await template(page);
  assert.equal(t.edges[0][2].length, 2);
  const place = () => page.evaluate(() => window.workbench.editor.canvas.x), before = await place(), from = await on_screen(page, 300, 100);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down({ button: 'middle' });
  await page.mouse.move(from.x + 40, from.y, { steps: 4 });
  await page.mouse.up({ button: 'middle' });
  assert.equal((await place()) - before, 40);
  assert.equal((await template(page)).locations.length, 5);
  await page.keyboard.press('e');
  await page.keyboard.press('Escape');
  await page.click('[data-tool="edge"]');
  await click(page, 80, 0);
  await click(page, 120, 40);
  await click(page, 140, 60, { button: 'right' });
  assert.equal(await page.locator('.popup, .pending').count(), 0);
  await click(page, 240, 0);
  await click(page, 160, 0);
  assert.deepEqual((await template(page)).edges[1], ['id3', 'id2', []]);
  await page.keyboard.press('v');
  await click(page, 240, 0, { button: 'right' });
  await page.click('.popup >> text=Cut');
  assert.equal((await template(page)).locations.length, 4);
  await click(page, 320, 160, { button: 'right' });
  await page.click('.popup >> text=Paste here');
  assert.deepEqual((await template(page)).locations.at(-1).slice(1), [320, 160]);
  await done(page);
});

test('Escape leaves a field at once, but closes completions that are seen first', { timeout: 120000 }, async () => {
  const page = await page_of(browser);
  await open_example(page, 'lamp');
  await page.evaluate(() => window.workbench.editor.canvas.select(['e0']));
  const at_canvas = () => page.evaluate(() => document.activeElement.matches('svg.canvas'));
  await page.click('.panel [aria-label="Guard"]');
  await page.keyboard.type('2');
  await page.keyboard.press('Escape');
  assert.equal(await at_canvas(), true);
  await page.click('.panel [aria-label="Guard"]');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('La');
  await page.waitForSelector('.cm-tooltip-autocomplete');
  await page.waitForTimeout(100);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('.cm-tooltip-autocomplete'));
  assert.equal(await at_canvas(), false);
  await page.keyboard.press('Escape');
  assert.equal(await at_canvas(), true);
  await done(page);
});

test('where the browser keeps nothing, the page works all the same', { timeout: 120000 }, async () => {
  const context = await browser.newContext(), page = await context.newPage(), mistakes = [];
  page.on('pageerror', (error) => mistakes.push(String(error)));
  await page.addInitScript(() => {
    const refuse = () => { throw new DOMException('denied', 'SecurityError'); };
    for (const name of ['localStorage', 'indexedDB']) Object.defineProperty(window, name, { get: refuse });
    Object.defineProperty(navigator, 'locks', { value: undefined });
  });
  await page.goto(`file://${FILE}`);
  await page.waitForFunction(() => document.body.classList.contains('ready'));
  await open_example(page, 'lamp');
  await page.click('.canvas', { position: { x: 5, y: 5 } });
  await page.check('#keep-tool');
  await page.click('#theme');
  await page.keyboard.press('F7');
  await page.waitForFunction(() => !window.workbench.verifier.busy && window.workbench.verifier.results.size === 3);
  await page.click('#tab-editor');
  await page.focus('.entry.template');
  await page.keyboard.press('F2');
  await page.keyboard.type('Light');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /<name>Light<\/name>/.test(window.workbench.doc.text));
  await page.waitForTimeout(600);
  assert.equal(await page.evaluate(() => window.workbench.files.is_safe), false); // closing the page asks
  assert.deepEqual(mistakes, []);
  await context.close();
});

test('an undo that closes a field keeps what can be redone', { timeout: 120000 }, async () => {
  const page = await page_of(browser);
  await open_text(page, `<nta><declaration/><template><name>T</name><location id="a" x="0" y="0"/><location id="b" x="99" y="0"/><init ref="a"/><transition><source ref="a"/><target ref="b"/><label kind="guard" x="40" y="-20">1 &gt; 0</label></transition></template><system>system T;</system></nta>`);
  await page.evaluate(() => window.workbench.editor.canvas.select(['e0']));
  await page.click('.panel [aria-label="Guard"]');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete'); // the empty label stays until the field is left
  const [before, redone] = await page.evaluate(() => {
    const { doc, editor } = window.workbench, { node } = doc.view.templates[0].locations[0];
    doc.apply(doc.set_attribute(node, 'x', 8), { label: 'move', before: { item: editor.item, selected: ['l0'] }, after: { item: editor.item, selected: ['l0'] } });
    const { text } = doc;
    window.workbench.undo();
    window.workbench.redo();
    return [text, doc.text];
  });
  assert.equal(redone, before);
  await page.evaluate(() => { while (window.workbench.doc.past.length) window.workbench.undo(); });
  assert.match(await doc_text(page), /x="0" y="0".*1 &gt; 0/);
  await done(page);
});

test('labels can be hidden, and everything put on the grid', { timeout: 120000 }, async () => {
  const page = await page_of(browser);
  await open_text(page, `<nta><declaration>clock x;</declaration><template><name>T</name><location id="a" x="3" y="-5"><name x="-7" y="-40">A</name></location><location id="b" x="99" y="0"/><init ref="a"/><transition><source ref="a"/><target ref="b"/><label kind="guard" x="40" y="-20">x &gt; 1</label><nail x="50" y="31"/></transition></template><system>system T;</system></nta>`);
  const seen = () => page.evaluate(() => ['.label.name', '.label.guard'].map((s) => getComputedStyle(document.querySelector(`.canvas ${s}`)).display !== 'none'));
  assert.deepEqual(await seen(), [true, true]);
  await page.click('[data-action="view"]');
  await page.click('.popup >> text=Guards');
  assert.deepEqual(await seen(), [true, false]);
  await page.click('[data-action="view"]');
  await page.click('.popup >> text=Guards');
  await page.click('[data-action="view"]');
  await page.click('.popup >> text=Align all to the grid');
  assert.deepEqual(await template(page), { name: 'T', locations: [['a', 0, -8], ['b', 96, 0]], edges: [['a', 'b', [[48, 32]]]] });
  assert.match(await doc_text(page), /<name x="-10" y="-43">A/);
  await done(page);
});

test('templates of other models and files of queries are imported', { timeout: 120000 }, async () => {
  const page = await page_of(browser);
  const text = '<nta><declaration/><template><name>Template</name><location id="id0" x="0" y="0"/><init ref="id0"/></template>\n<template><name>Other</name><location id="id0" x="7" y="7"/><init ref="id0"/><transition><source ref="id0"/><target ref="id0"/></transition></template><system>system Template;</system></nta>';
  const importing = page.evaluate((t) => window.workbench.files.import_templates(new File([t], 'other.xml')), text);
  await page.click('dialog.ask button.primary');
  await importing;
  const { templates } = await page.evaluate(() => ({ templates: window.workbench.doc.view.templates.map((t) => [t.name, t.locations[0].id, t.edges.length]) }));
  assert.deepEqual(templates, [['Template', 'id0', 0], ['Template2', 'id1', 0], ['Other', 'id2', 1]]);
  await settled(page);
  assert.equal(await page.textContent('#problem-count'), 'No problems');
  await page.click('#undo');
  assert.equal(await page.evaluate(() => window.workbench.doc.view.templates.length), 1);
  await file(page, 'more.q', '// no end\nA[] not deadlock\n\nE<> Process._id0\n');
  assert.deepEqual(await page.evaluate(() => [window.workbench.view, window.workbench.doc.view.queries.map((q) => [q.text, q.note])]), ['verifier', [['A[] not deadlock', 'no end'], ['E<> Process._id0', '']]]);
  await done(page);
});

test('files are opened and saved in place where the browser allows it', { timeout: 120000 }, async () => {
  const page = await page_of(browser), xml = '<nta>\r\n<declaration>// ä</declaration><template><name>T</name><location id="a" x="0" y="0"/><init ref="a"/></template><system>system T;</system></nta>\r\n';
  await page.evaluate((text) => {
    window.kept = {};
    const handle = (name, content) => ({
      name, getFile: async () => new File([content], name),
      createWritable: async () => { const parts = []; return { write: async (bytes) => parts.push(bytes), close: async () => { window.kept[name] = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await new Blob(parts).arrayBuffer()); } }; },
    });
    window.offered = [handle('model.xml', text), handle('model.q', 'A[] not deadlock')];
    window.showOpenFilePicker = async () => window.offered;
    window.showSaveFilePicker = async ({ suggestedName }) => handle(suggestedName, '');
  }, xml);
  await page.click('#open');
  await page.waitForFunction(() => window.workbench.doc.view?.queries.length === 1);
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => window.kept['model.xml']);
  assert.equal(await page.evaluate(() => window.kept['model.xml']), await doc_text(page));
  assert.ok((await doc_text(page)).startsWith(xml.slice(0, 120)) && /not deadlock/.test(await doc_text(page)));
  assert.equal(await page.evaluate(() => window.workbench.doc.is_changed), false);
  await page.evaluate(async () => { // changed while it is written
    const { files, doc } = window.workbench, { createWritable } = files.handle;
    files.handle.createWritable = async () => {
      const out = await createWritable();
      return { write: out.write, close: async () => { doc.apply(doc.replace_text(doc.view.declaration, 0, 0, '// late\n')); await out.close(); } };
    };
    await files.save(false);
  });
  assert.doesNotMatch(await page.evaluate(() => window.kept['model.xml']), /\/\/ late/);
  assert.equal(await page.evaluate(() => window.workbench.doc.is_changed), true);
  await page.evaluate(() => { // saved where another program has the file open: it is downloaded
    window.workbench.files.handle.createWritable = async () => { throw new DOMException('locked', 'NoModificationAllowedError'); };
  });
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')]);
  assert.equal(download.suggestedFilename(), 'model.xml');
  await page.evaluate(() => { // what was converted is not written over its source
    const text = 'process P() { state A; init A; } system P;';
    window.offered = [{ name: 'p.xta', getFile: async () => new File([text], 'p.xta'), createWritable: async () => { throw new Error('written over'); } }];
  });
  await page.click('#open');
  await page.waitForFunction(() => window.workbench.doc.name === 'p.xml');
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => window.kept['p.xml']);
  await done(page);
});

test('a text is replaced everywhere, in one step', { timeout: 120000 }, async () => {
  const page = await page_of(browser);
  await open_example(page, 'lamp');
  const before = await doc_text(page);
  await page.keyboard.press('Control+f');
  await page.keyboard.type('Lamp');
  await page.fill('[aria-label="text to put there"]', 'Light & Co');
  await page.click('dialog.find >> text=Replace all');
  await page.keyboard.press('Escape');
  const after_text = await doc_text(page);
  assert.equal(after_text.match(/Light &amp; Co/g).length, before.match(/Lamp/g).length);
  assert.doesNotMatch(after_text, /Lamp/);
  await page.click('#undo');
  assert.equal(await doc_text(page), before);
  await done(page);
});

test("the simulator: UPPAAL's keys, a run that is played, what was visited, which processes and variables are shown", { timeout: 120000 }, async () => {
  const page = await page_of(browser);
  await open_example(page, 'train-gate');
  await page.click('#tab-simulator');
  await page.waitForSelector('.choice');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('x');
  await page.keyboard.press('x');
  const second = await page.evaluate(() => [...document.querySelectorAll('.choice')].indexOf(document.activeElement));
  assert.equal(second, 1);
  await page.keyboard.press('Enter');
  await position(page, 1);
  await page.waitForFunction(() => document.activeElement.matches('.choice'));
  await page.keyboard.press('z');
  await page.keyboard.press('Enter');
  await position(page, 2);
  await page.keyboard.press('q');
  await position(page, 1);
  await page.keyboard.press('a');
  await position(page, 2);
  await page.keyboard.press('f');
  await position(page, 0);
  await page.keyboard.press('l');
  await position(page, 2);
  await page.click('#many');
  await page.waitForFunction(() => window.workbench.simulator.steps.length > 20);
  const names = await page.evaluate(() => { const box = window.workbench.simulator.chart.getBoundingClientRect(); return [...document.querySelectorAll('.sequence.head .who')].map((w) => [w.firstChild.textContent, w.getBoundingClientRect().top >= box.top - 1]); });
  assert.deepEqual(names, ['Gate', 'T1', 'T2', 'T3'].map((n) => [n, true])); // though the chart is scrolled
  await page.keyboard.press('f');
  await position(page, 0);
  await page.evaluate(() => { window.workbench.simulator.speed.value = 20; document.activeElement.blur(); });
  await page.keyboard.press('p');
  await page.waitForFunction(() => window.workbench.simulator.position > 2);
  await page.keyboard.press('p');
  assert.equal(await page.evaluate(() => window.workbench.simulator.playing), null);
  await page.keyboard.press('l');
  assert.equal(await page.locator('.tile .visited').count(), 0);
  await page.check('#visited');
  assert.ok((await page.locator('.tile .location.visited').count()) > 4 && (await page.locator('.tile .edge.taken').count()) > 2);
  await page.click('#processes');
  await page.click('.popup >> text=T2');
  assert.deepEqual(await page.locator('.tile:visible h3 .who').allTextContents(), ['Gate', 'T1', 'T3']);
  await page.click('#processes');
  await page.click('.popup >> text=All');
  assert.equal(await page.locator('.tile:visible').count(), 4);
  await open_example(page, 'fieldbus');
  await page.waitForSelector('.values td');
  if (await page.locator('.wanted').isVisible()) {
    const all = await page.locator('.values tr').count();
    await page.fill('.wanted', 'x');
    assert.ok((await page.locator('.values tr').count()) < all);
  }
  await done(page);
});

test('a run of a model whose clocks stop is shown, though the model is not simulated', { timeout: 120000 }, async () => {
  const page = await page_of(browser);
  await open_text(page, `<nta><declaration>clock x, y; int n;</declaration><template><name>T</name><location id="a" x="0" y="0"><name>A</name><label kind="invariant">x &lt;= 2 &amp;&amp; y' == 0</label></location><location id="b" x="99" y="0"><name>B</name></location><init ref="a"/><transition><source ref="a"/><target ref="b"/><label kind="guard">x &gt;= 2 &amp;&amp; y &lt;= 0</label><label kind="assignment">n = 7</label></transition></template><system>system T;</system><queries><query><formula>A[] not T.B</formula><comment/></query></queries></nta>`);
  await page.keyboard.press('F7');
  await page.waitForSelector('[data-verdict="not satisfied"]');
  await page.click('.query button:has-text("Replay")');
  await page.waitForSelector('.tile .here:has-text("A")');
  assert.match(await page.textContent('.note'), /shown as it was found.*not simulated/);
  await page.click('#forward');
  await page.waitForSelector('.tile .here:has-text("B")');
  assert.deepEqual(await page.locator('.values td').allTextContents(), ['7', '2', '0']);
  await page.click('#many');
  await page.click('#wait');
  assert.equal(await page.evaluate(() => window.workbench.simulator.position), 1);
  await page.evaluate(() => window.workbench.simulator.replay('{"results": [{"trace": {"steps": []}}]}')); // a run of somebody else
  assert.match(await page.textContent('.tiles'), /not simulated/);
  await open_example(page, 'lamp');
  await page.evaluate(() => window.workbench.simulator.replay('{"results": [{"trace": {"steps": []}}]}'));
  assert.match(await page.textContent('#toast'), /cannot be shown/);
  await page.waitForSelector('.choice'); // the model is simulated
  await done(page);
});

test('the verifier: a query after the present one, Ctrl+Enter checks it, options of statistics reach the engine', { timeout: 120000 }, async () => {
  const page = await page_of(browser);
  await open_example(page, 'gate');
  await page.click('#tab-verifier');
  const queries = () => page.evaluate(() => window.workbench.doc.view.queries.map((q) => q.text));
  const before = await queries();
  await page.click('.query:nth-child(1) .formula .cm-content');
  await page.click('text=+ Query');
  await page.keyboard.type('Pr[<=100](<> Train(0).Cross)');
  assert.deepEqual(await queries(), [before[0], 'Pr[<=100](<> Train(0).Cross)', ...before.slice(1)]);
  const runs = async () => {
    await page.keyboard.press('Control+Enter');
    await page.waitForFunction(() => { const w = window.workbench.verifier; return !w.busy && w.rows[1].entry?.result.estimate; }, null, { timeout: 60000 });
    return page.evaluate(() => window.workbench.verifier.rows[1].entry.result.estimate.runs);
  };
  const few = await runs();
  await page.click('.options summary');
  await page.fill('.options label:has-text("Half width") input', '0.01');
  await page.evaluate(() => window.workbench.verifier.results.clear());
  await page.click('.query:nth-child(2) .formula .cm-content');
  const many = await runs();
  assert.ok(many > 2 * few, `${few} ${many}`);
  await page.click('#tab-editor');
  await page.click('.canvas', { position: { x: 5, y: 5 } });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter'); // the name of the location
  await page.keyboard.type('New');
  await page.keyboard.press('Enter');
  assert.match(await doc_text(page), /New<\/name>/);
  assert.equal(await page.evaluate(() => document.activeElement.matches('svg.canvas')), true);
  await done(page);
});

test('a link, a model in a page and another page of the workbench leave what was not saved alone', { timeout: 120000 }, async () => {
  const profile = await launch_profile(), context = await profile.open(), url = `file://${FILE}`;
  const open = async (hash = '') => {
    const page = await context.newPage();
    await page.goto(url + hash);
    await page.waitForFunction(() => document.body.classList.contains('ready'));
    return page;
  };
  const change = async (page, word) => {
    await page.evaluate((w) => window.workbench.doc.apply(window.workbench.doc.replace_text(window.workbench.doc.view.declaration, 0, 0, `clock ${w};\n`)), word);
    await page.waitForFunction(() => window.workbench.files.is_safe);
  };
  const first = await open();
  await change(first, 'one');
  await first.click('#share');
  await first.waitForFunction(() => location.hash.startsWith('#model='));
  const hash = await first.evaluate(() => location.hash);
  const second = await open();
  await second.waitForTimeout(300);
  assert.equal(await second.locator('.offer').count(), 0); // the first page is open
  await change(second, 'two');
  for (const page of [first, second]) await page.goto('chrome://crash').catch(() => {});
  const third = await open(hash);
  await third.waitForSelector('.offer:nth-of-type(2)');
  await third.waitForTimeout(700); // the time in which drafts are written
  await third.close();
  const fourth = await open();
  await fourth.waitForSelector('.offer');
  assert.equal(await fourth.locator('.offer').count(), 2);
  await fourth.click('.offer:has-text("model.xml") >> nth=0 >> text=Discard');
  await fourth.click('.offer .restore');
  await fourth.waitForFunction(() => /clock (one|two);/.test(window.workbench.doc.text));
  await fourth.goto('chrome://crash').catch(() => {});
  const last = await open();
  await last.waitForSelector('.offer');
  assert.equal(await last.locator('.offer').count(), 1);
  await last.click('.offer .restore');
  await last.waitForFunction(() => /clock (one|two);/.test(window.workbench.doc.text));
  await context.close();
  profile.remove();
});
