// Models of strangers: whatever their texts have in them, no script of theirs runs in the page, nothing is loaded or sent,
// and the page goes on.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { after, before, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { FILE, ROOT, doc_text, launch, open_text, page_of, settled } from './browser.mjs';

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });

const ALL = [
  '<img src=x onerror="window.pwned=1">', '"><script>window.pwned=1</script>', "'><svg onload='window.pwned=1'>", '</script><script>window.pwned=1</script>',
  '</title></text></svg><iframe srcdoc="<script>parent.pwned=1</script>">', '" onmouseover="window.pwned=1" x="', 'javascript:window.pwned=1', '<!--<script>', ']]><img src=x onerror=window.pwned=1>', '${window.pwned=1}', '&lt;img src=x onerror=window.pwned=1&gt;', '<a href="javascript:window.pwned=1">x</a>',
];
const MARKUP = process.env.TARN_ALL ? ALL : [ALL[1], ALL[5], ALL[8]];
const escape = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

// A model that can be simulated, with the markup wherever the engine does not mind, or, if `everywhere`, in all texts.
function model(markup, everywhere) {
  const m = escape(markup), bad = everywhere ? m : '';
  return `<?xml version="1.0"?><nta><declaration>clock x; chan c; int n; /* ${m.replace(/\*\//g, '')} */ ${bad}</declaration>
<template><name>T${bad}</name><parameter>${bad}</parameter><declaration>// ${m}</declaration>
<location id="a" x="0" y="0" color="${m}"><name x="10" y="10">A${bad}</name><label kind="invariant" x="0" y="20">x &lt;= 5 ${bad}</label><label kind="comments" x="0" y="40">${m}</label></location>
<location id="${everywhere ? m : 'b'}" x="100" y="0"><name>B</name><label kind="${m}">${m}</label></location><init ref="a"/>
<transition color="${m}"><source ref="a"/><target ref="${everywhere ? m : 'b'}"/><label kind="guard">x &gt; 1 ${bad}</label><label kind="comments">${m}</label><label kind="assignment">n = 1 ${bad}</label></transition></template>
<system>system T;${bad}</system>
<queries><query><formula>E&lt;&gt; T.B ${bad}</formula><comment>${m}</comment><expect outcome="${m}" type="symbolic"/></query><query><formula>A[] ${m}</formula><comment>${m}</comment></query></queries></nta>`;
}

// What the policy of the page blocked would have run without it: that is a hole, too.
async function walk(page) {
  for (const view of ['editor', 'simulator', 'verifier']) {
    await page.click(`#tab-${view}`);
    await page.waitForTimeout(30);
  }
  await page.click('#check-all');
  await page.waitForFunction(() => !window.workbench.verifier.busy);
  for (const plan of await page.locator('.plan-box summary').all()) await plan.click();
  await page.click('#tab-simulator');
  await page.waitForFunction(() => window.workbench.simulator.state || window.workbench.simulator.failure);
  if (await page.locator('.choice').count()) {
    await page.click('.choice');
    await page.waitForFunction(() => window.workbench.simulator.position === 1);
    await page.click('[data-kind="time"]');
    await page.click('[data-kind="sequence"]');
    await page.click('#visited');
  }
  await page.click('#tab-editor');
  for (const problem of (await page.locator('.problem').all()).slice(0, 4)) if (await problem.isVisible()) await problem.click({ timeout: 2000 }).catch(() => {});
  await page.click('#tab-editor');
  const names = await page.evaluate(() => {
    const w = window.workbench, { editor } = w;
    if (!w.doc.view) return 0;
    editor.open({ kind: 'template', index: 0 });
    for (const key of ['l0', 'l1', 'e0', 'l0tname', 'e0t0']) editor.canvas.select([key]);
    editor.canvas.select_all();
    for (const kind of ['declaration', 'system']) editor.open({ kind });
    editor.open({ kind: 'local', index: 0 });
    editor.open({ kind: 'template', index: 0 });
    return w.doc.view.templates.length;
  });
  assert.equal(names, 1);
  await page.keyboard.press('Control+f');
  await page.keyboard.type('a');
  await page.keyboard.press('Escape');
  await page.locator('.canvas [data-key="l0"]').hover();
  await page.mouse.move(5, 5);
}
async function unharmed(page, what) {
  assert.equal(await page.evaluate(() => window.pwned), undefined, what);
  const foreign = await page.evaluate(() => [...document.querySelectorAll('img[src], iframe, object, embed, a[href], svg [onload], svg [onmouseover]')].map((n) => n.outerHTML));
  assert.deepEqual(foreign, [], what);
  assert.deepEqual(page.mistakes.filter((m) => !/^(Uncaught )?Error: the engine/.test(m)), [], what);
}

test('markup in the texts of a model is text: editor, simulator, verifier, pictures', { timeout: 300000 }, async () => {
  const page = await page_of(browser);
  for (const markup of MARKUP)
    for (const everywhere of [false, true]) {
      const text = model(markup, everywhere), what = `${markup} ${everywhere}`;
      await open_text(page, text, `${markup}.xml`);
      await walk(page);
      await unharmed(page, what);
      assert.equal(await doc_text(page), text, what);
      const svg = await page.evaluate(async () => {
        const { files } = window.workbench, kept = [], { download } = files;
        files.download = (name, data) => kept.push(data);
        await files.picture('svg');
        files.download = download;
        const parsed = new DOMParser().parseFromString(kept[0], 'image/svg+xml');
        return [...parsed.querySelectorAll('*')].filter((n) => !['svg', 'title', 'style', 'rect', 'g', 'path', 'circle', 'text', 'tspan'].includes(n.localName) || [...n.attributes].some((a) => /^on/.test(a.name))).map((n) => n.localName);
      });
      assert.deepEqual(svg, [], what);
    }
  await page.context().close();
});

test('a link of a stranger runs nothing, and one that is damaged or far too large is refused', async () => {
  const pack = (data) => `#model=${deflateRawSync(Buffer.from(data)).toString('base64url')}`;
  const markup = MARKUP[0];
  const good = pack(JSON.stringify({ name: markup, text: model(markup, true), encoding: markup }));
  const page = await page_of(browser, { url: `file://${FILE}${good}` });
  await walk(page);
  await unharmed(page, 'link');
  const damaged = ['#model=', '#model=%%%', `${good.slice(0, -20)}`, pack('nothing'), pack('{"text": 1}'), pack('null'), pack(JSON.stringify({ text: {}, name: [] })), '#model=__proto__', `#${markup}`];
  for (const hash of damaged) {
    const other = await page_of(browser, { url: `file://${FILE}${hash}` });
    await settled(other);
    assert.match(await doc_text(other), /Global declarations/, hash);
    if (hash.startsWith('#model=')) assert.match(await other.textContent('#toast'), /cannot be read/, hash);
    await unharmed(other, hash);
    await other.context().close();
  }
  const large = pack(`{"text":"${' '.repeat(200e6)}"}`); // 200 kB of link
  const other = await page_of(browser, { url: `file://${FILE}${large}` });
  assert.match(await other.textContent('#toast'), /too large/);
  await page.context().close();
  await other.context().close();
});

test('a page with a hostile model inside, and hostile runs', async () => {
  const folder = mkdtempSync(`${tmpdir()}/tarn-hostile-`);
  for (const [i, markup] of MARKUP.entries()) {
    writeFileSync(`${folder}/${i}.xml`, model(markup, i % 2 === 1));
    execFileSync(process.env.TARN || `${ROOT}build/release/tarn`, ['workbench', `${folder}/${i}.xml`], { cwd: folder, stdio: 'ignore' });
    const page = await page_of(browser, { url: `file://${folder}/${i}-workbench.html` });
    assert.equal(await doc_text(page), readFileSync(`${folder}/${i}.xml`, 'utf8'));
    await walk(page);
    const step = { time: markup, edges: [{ index: 0, process: markup, event: markup }], locations: { T: markup }, variables: { n: markup }, clocks: { x: markup }, zone: markup };
    const run = { version: markup, model: markup, results: [{ query: markup, verdict: markup, trace: { kind: markup, steps: [step, step] } }] };
    for (const text of [JSON.stringify(run), markup, '{}', 'null', '[]', JSON.stringify({ results: [{ trace: { kind: 'concrete', steps: [step] } }] }), '{"a":'.repeat(5000)]) {
      await page.evaluate((t) => window.workbench.simulator.replay(t), text);
      await unharmed(page, text.slice(0, 80));
    }
    await page.context().close();
  }
  rmSync(folder, { recursive: true });
});

test('the policy of the page: no script but its own, no address but its own', async () => {
  const page = await page_of(browser), asked = [];
  const server = createServer((request, answer) => { asked.push(request.url); answer.end(); });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  const ran = await page.evaluate(async (address) => {
    document.body.insertAdjacentHTML('beforeend', `<img src="${address}/x" onerror="window.pwned = 1"><a id="bad" href="javascript:window.pwned = 2">x</a>`);
    const script = document.createElement('script');
    script.textContent = 'window.pwned = 3';
    document.body.append(script);
    document.getElementById('bad').click();
    const results = await Promise.allSettled([fetch(address), new Promise((done, fail) => { const s = document.createElement('script'); s.src = `${address}/s.js`; s.onload = done; s.onerror = fail; document.body.append(s); })]);
    return [window.pwned, ...results.map((r) => r.status)];
  }, `http://127.0.0.1:${server.address().port}`);
  server.close();
  assert.deepEqual(ran, [undefined, 'rejected', 'rejected']);
  assert.deepEqual(asked, []);
  await page.context().close();
});

test('coordinates that are no places, and many elements, are drawn', async () => {
  const page = await page_of(browser);
  for (const x of ['1e999', '-1e999', '99999999999999999999', 'NaN', '', '0x10', '1.5.5']) {
    await open_text(page, `<nta><declaration/><template><name>T</name><location id="a" x="${x}" y="0"><name x="${x}" y="${x}">A</name></location><location id="b" x="5" y="${x}"/><init ref="a"/><transition><source ref="a"/><target ref="b"/><nail x="${x}" y="1"/></transition></template><system>system T;</system></nta>`);
    assert.doesNotMatch(await page.evaluate(() => document.querySelector('svg.canvas').innerHTML), /NaN|Infinity|undefined/, x);
    await page.click('[title^="Fit"]');
    await page.evaluate(() => window.workbench.files.picture('png').catch(() => {}));
  }
  assert.deepEqual(page.mistakes, []);
  await page.context().close();
});
