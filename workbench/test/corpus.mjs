// Every query of a folder of models that the program decides in half a second has the same verdict and the same number
// of visited states in the engine as WebAssembly: node workbench/test/corpus.mjs FOLDER [SECONDS]
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { Document, decode_bytes } from '../src/document.js';
import { split_queries } from '../src/queries.js';
import { ROOT, node_engine } from './engine.mjs';

const [, , folder, limit = '0.5'] = process.argv;
const tarn = process.env.TARN || `${ROOT}build/release/tarn`;
const sums = { files: 0, same: 0, undecided: 0, refused: 0, slow: 0, wrong: 0 };
const OPTIONS = { 'time-limit': limit, 'memory-limit': '1500' };

function native(file, query) {
  const words = ['check', '--json', ...Object.entries(OPTIONS).flatMap(([name, value]) => [`--${name}`, value]), '-q', query, file];
  let text;
  try {
    text = execFileSync(tarn, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });
  } catch (error) {
    text = error.stdout;
  }
  try {
    return JSON.parse(text).results?.[0];
  } catch {
    return undefined;
  }
}
const said = ({ verdict, stats, values, estimate: e }) => JSON.stringify([verdict, stats?.visited, values ?? null, e ? [e.runs, e.satisfied, e.value] : null]);
process.setMaxListeners(0);

for (const name of readdirSync(folder).filter((n) => /\.(xml|xta|ta|tck)$/.test(n)).sort()) {
  const file = `${folder}/${name}`, { text } = decode_bytes(readFileSync(file)), beside = file.replace(/\.\w+$/, '.q');
  const language = name.endsWith('.tck') ? 'tchecker' : 'uppaal';
  const inside = name.endsWith('.xml') ? (new Document(text).view?.queries ?? []).map((q) => q.text) : [];
  const queries = [...new Set([...inside, ...(existsSync(beside) ? split_queries(readFileSync(beside, 'utf8')).map((q) => q.formula) : [])])].filter((q) => q.trim());
  let engine = null;
  sums.files++;
  for (const query of queries) {
    const theirs = native(file, query);
    if (!theirs || theirs.verdict === 'refused' || theirs.error) {
      sums.refused++;
      continue;
    }
    if (theirs.verdict === 'undecided') {
      sums.undecided++;
      continue;
    }
    if (!engine) {
      engine = await node_engine();
      const read = engine.call('tarn/read', { text, language });
      if (read.error) {
        sums.wrong++;
        console.log(`FAIL ${name}: ${read.error.message}`);
        break;
      }
    }
    // The page has as long as it needs: ten times the limit, twice the processor time and a busy machine.
    const answer = engine.call('tarn/check', { query, options: { ...OPTIONS, 'time-limit': String(20 * limit) } });
    const mine = answer.result?.results[0] ?? { verdict: answer.error.message };
    if (said(mine) === said(theirs)) sums.same++;
    else if (mine.verdict === 'undecided') {
      sums.slow++;
      console.log(`slow ${name}: ${query.trim()}: ${mine.reason}`);
    } else {
      sums.wrong++;
      console.log(`FAIL ${name}: ${query.trim()}: ${said(mine)}, natively ${said(theirs)}`);
    }
  }
}
console.log(`${sums.files} files: ${sums.same} queries with the same verdict and count, ${sums.wrong} wrong, ${sums.slow} undecided in the page only; not compared: ${sums.undecided} undecided natively in ${limit} s, ${sums.refused} refused`);
process.exitCode = sums.wrong ? 1 : 0;
