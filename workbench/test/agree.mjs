// make agree-workbench: for each file, 1,000 random edits that are taken back give its bytes back; moving any one location
// changes its own coordinates only; and every message of the engine has a place that exists.
// node workbench/test/agree.mjs [FOLDER] [EDITS]
import { existsSync, writeFileSync } from 'node:fs';
if (process.argv[2]) process.env.TARN_MODELS = process.argv[2];
const { models } = await import('./models.mjs');
const { edit, random_of } = await import('./random_edits.mjs');
const { moves_wrongly } = await import('./moves.mjs');
const { ROOT, node_engine } = await import('./engine.mjs');
const { Document, decode_bytes, encode_bytes } = await import('../src/document.js');
const { Language } = await import('../src/language.js');
const { node_at } = await import('../src/model.js');

const EDITS = Number(process.argv[3] || 1000);
const engine = existsSync(`${ROOT}build/workbench/engine.wasm`) ? await node_engine() : null;
let made = 0, wrong = 0, files = 0, moved = 0, messages = 0;
const fail = (name, why) => {
  wrong++;
  console.log(`FAIL ${name}: ${why}`);
};

for (const { name, bytes } of models()) {
  const { text, encoding } = decode_bytes(bytes), doc = new Document(text), random = random_of(++files);
  if (doc.error) {
    fail(name, doc.error.message);
    continue;
  }
  for (let i = 0; i < EDITS; i++) made += edit(doc, random) ? 1 : 0;
  const after = doc.text, broken = doc.error;
  while (doc.undo());
  if (broken || Buffer.compare(Buffer.from(encode_bytes(doc.text, encoding)), Buffer.from(bytes)) !== 0) fail(name, broken ? broken.message : 'other bytes');
  while (doc.redo());
  if (doc.text !== after) fail(name, 'redone, it is another text');

  const plain = new Document(text);
  for (const template of plain.view.templates)
    for (const l of template.locations.filter((c) => c.placed)) {
      const why = moves_wrongly(plain, template.index, l.index);
      if (why) fail(name, `location ${template.index}/${l.index}: ${why}`);
      moved++;
    }

  if (!engine) continue;
  for (const mistake of [false, true]) { // as it is, and with a mistake at the end of the declarations
    const other = new Document(text);
    if (mistake && other.view.declaration) other.apply(other.replace_text(other.view.declaration, 0, 0, 'clock clock;\n'));
    for (const m of await new Language(engine, () => other).diagnostics()) {
      messages++;
      const node = node_at(other.root, m.place.path);
      // What is about the whole model has its first line as place.
      if (!node || node !== m.place.node || (node !== other.root && (m.start < node.start || m.end > node.end)) || m.start > m.end) fail(name, `a message without a place: ${m.place.path} ${m.text}`);
    }
  }
}
const line = `${files} files, ${EDITS} edits each (${made} changed something), seeds 1 to ${files}; ${moved} locations moved; ${messages} messages: ${wrong} wrong`;
console.log(line);
if (process.argv[2] && !wrong) writeFileSync(`${ROOT}test/fuzz/agree_workbench.txt`, `${line}\n`);
process.exitCode = wrong ? 1 : 0;
