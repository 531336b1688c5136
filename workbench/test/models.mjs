// The models that tests open: XML files of the tree, examples as XML, and those of the folder TARN_MODELS.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

const root = new URL('../../', import.meta.url).pathname;
const tarn = process.env.TARN || `${root}build/release/tarn`;

let list = null;
export function models() {
  if (list) return list;
  list = ['test/fuzz/seeds/all.xml', 'test/fuzz/seeds/old.xml', 'test/uppaal/template.xml', 'test/uppaal/utf16.xml']
    .map((name) => ({ name, bytes: readFileSync(root + name) }))
    .filter((m) => m.bytes[0] !== 0xff);
  if (existsSync(tarn))
    for (const name of readdirSync(`${root}models`).filter((n) => n.endsWith('.xta')))
      list.push({ name, bytes: execFileSync(tarn, ['convert', '--to', 'xml', `${root}models/${name}`]) });
  const more = process.env.TARN_MODELS;
  if (more) for (const name of readdirSync(more).filter((n) => n.endsWith('.xml'))) list.push({ name, bytes: readFileSync(`${more}/${name}`) });
  return list;
}
