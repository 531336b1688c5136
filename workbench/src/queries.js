// A file of queries: one on each line, or over several with a backslash; comments before a query are its
// comment, and EXPECT:T or EXPECT:F in it is what is expected.
export function split_queries(text) {
  const list = [];
  let comment = [], formula = '';
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  for (let i = 0; i < lines.length; i++) {
    let line = lines[i].trim();
    if (line.startsWith('/*')) {
      let block = line.slice(2);
      while (!block.includes('*/') && i + 1 < lines.length) block += `\n${lines[++i]}`;
      comment.push(block.slice(0, block.indexOf('*/') < 0 ? undefined : block.indexOf('*/')).trim());
      line = block.includes('*/') ? block.slice(block.indexOf('*/') + 2).trim() : '';
    }
    if (line.startsWith('//')) {
      comment.push(line.slice(2).trim());
      continue;
    }
    line = line.replace(/\s\/\/.*$/, '');
    if (line.endsWith('\\')) {
      formula += `${line.slice(0, -1)}\n`;
      continue;
    }
    formula += line;
    if (formula.trim()) {
      const words = comment.join('\n'), expected = /\bEXPECT:([TF])\b/.exec(words);
      list.push({ formula: formula.trim(), comment: words.replace(/\s*\bEXPECT:[TF]\b/, ''), expected: expected ? (expected[1] === 'T' ? 'success' : 'failure') : '' });
      comment = [];
    }
    formula = '';
  }
  return list;
}
