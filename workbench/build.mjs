// Bundles the page: build/workbench/dist (a folder for a web server) and build/workbench/workbench.html (one
// file that works from disk). Run by `make workbench`, from the root of the tree, after the engine is built.
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

const OUT = 'build/workbench', DIST = `${OUT}/dist`;
const read = (path) => readFileSync(path, 'utf8');
mkdirSync(DIST, { recursive: true });

async function bundle(entry, format) {
  const result = await build({ entryPoints: [entry], bundle: true, minify: true, format, target: 'es2022', write: false, charset: 'utf8', legalComments: 'none' });
  return result.outputFiles[0].text;
}
const app = await bundle('workbench/src/app.js', 'iife');
const early = await bundle('workbench/src/early.js', 'iife');
const glue = await bundle('workbench/src/worker.js', 'iife');
const css = (await build({ entryPoints: ['workbench/src/style.css'], minify: true, write: false })).outputFiles[0].text;
const worker = `${read(`${OUT}/engine.js`)}\n${glue}`;
const wasm = readFileSync(`${OUT}/engine.wasm`);

// The examples: each model with its queries.
const queries_of = (path) => (existsSync(path) ? read(path) : '');
const examples_in = (folder, more) => readdirSync(folder).filter((n) => n.endsWith('.xta')).map((file) => {
  const name = file.replace(/\.xta$/, '');
  return { name, title: name.replace(/-/g, ' ') + more, text: read(`${folder}/${file}`), queries: queries_of(`${folder}/${name}.q`) };
});
const examples = [...examples_in('models', ''), ...examples_in('models/random', ' (random)')];

// A script element must not end inside of its text.
const inert = (text) => text.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');
const json = (value) => JSON.stringify(value).replace(/</g, '\\u003c');
const data = `<script type="application/json" id="examples-data">${json(examples)}</script>`;
// A replacement is a function: `$&` in a text means nothing then.
// The browser runs our scripts only, by their hashes, and sends nothing elsewhere: whatever a model has in its texts.
function policy(scripts, files = '') {
  const hashes = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');
  const content = `default-src 'none'; script-src ${hashes}${files} 'wasm-unsafe-eval'; style-src${files} 'unsafe-inline'; worker-src${files} blob:; img-src data: blob:; connect-src 'self' data: blob:; base-uri 'none'; form-action 'none'`;
  return `<meta http-equiv="Content-Security-Policy" content="${content}">`;
}
const page = (head, style, script) => read('workbench/src/index.html').replace('<!--policy-->', () => head).replace('<!--style-->', () => style).replace('<!--script-->', () => script);

writeFileSync(`${DIST}/index.html`, page(policy([inert(early)], " 'self'"), '<link rel="stylesheet" href="style.css">', `<script>${inert(early)}</script>\n${data}\n<script src="app.js" defer></script>`));
writeFileSync(`${DIST}/app.js`, app);
writeFileSync(`${DIST}/style.css`, css);
writeFileSync(`${DIST}/worker.js`, worker);
writeFileSync(`${DIST}/engine.wasm`, wasm);

// In the page the engine is packed, by zopfli (5 % smaller) where it is installed: tools/deps workbench.
function pack() {
  const from = `${OUT}/engine.wasm`, to = `${OUT}/engine.wasm.gz`;
  if (existsSync(to) && statSync(to).mtimeMs > statSync(from).mtimeMs) return readFileSync(to);
  try {
    execFileSync('zopfli', ['--i5', '-k', from]);
    return readFileSync(to);
  } catch {
    return gzipSync(wasm, { level: 9 });
  }
}
const packed = pack();
const whole = page(policy([inert(early), inert(app)]), `<style>${css}</style>`, `<script type="text/plain" id="worker-code">${inert(worker)}</script>
<script type="text/plain" id="engine-data">${packed.toString('base64')}</script>
<!--model-->${data}
<script type="text/plain" id="app-code">${inert(app)}</script>
<script>${inert(early)}</script>`);
writeFileSync(`${OUT}/workbench.html`, whole);

const size = (name, bytes, limit) => {
  const zipped = gzipSync(bytes, { level: 9 }).length;
  console.log(`  SIZE    ${name}: ${zipped.toLocaleString('en')} bytes gzipped${limit ? ` (at most ${limit.toLocaleString('en')})` : ''}`);
  if (limit && zipped > limit) console.error(`workbench: ${name} is too large; workbench/test/more.test.mjs fails`);
};
size('engine.wasm', wasm, 700000);
size('worker.js', Buffer.from(worker));
size('app.js', Buffer.from(app));
size('workbench.html', Buffer.from(whole), 900000);
