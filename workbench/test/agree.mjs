// make agree-workbench: 1,000 random edits of each file, taken back, give its bytes back.
// node workbench/test/agree.mjs [FOLDER] [EDITS]
import { writeFileSync } from 'node:fs';
if (process.argv[2]) process.env.TARN_MODELS = process.argv[2];
const { models } = await import('./models.mjs');
const { edit, random_of } = await import('./random_edits.mjs');
const { Document, decode_bytes, encode_bytes } = await import('../src/document.js');

const EDITS = Number(process.argv[3] || 1000);
let made = 0, wrong = 0, files = 0;
for (const { name, bytes } of models()) {
  const { text, encoding } = decode_bytes(bytes), doc = new Document(text), random = random_of(++files);
  if (doc.error) {
    console.log(`FAIL ${name}: ${doc.error.message}`);
    wrong++;
    continue;
  }
  for (let i = 0; i < EDITS; i++) made += edit(doc, random) ? 1 : 0;
  const after = doc.text, broken = doc.error;
  while (doc.undo());
  const ok = !broken && Buffer.compare(Buffer.from(encode_bytes(doc.text, encoding)), Buffer.from(bytes)) === 0;
  while (doc.redo());
  if (!ok || doc.text !== after) {
    wrong++;
    console.log(`FAIL ${name}${broken ? `: ${broken.message}` : ''}`);
  }
}
const line = `${files} files, ${EDITS} edits each (${made} changed something), seeds 1 to ${files}: ${wrong} wrong`;
console.log(line);
if (process.argv[2] && !wrong) writeFileSync(new URL('../../test/fuzz/agree_workbench.txt', import.meta.url), `${line}\n`);
process.exitCode = wrong ? 1 : 0;
