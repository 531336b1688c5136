# The marked cells (marks.awk) as a page: page=md or html. First the list of charts, table and name;
# out is their folder.
BEGIN {
  FS = "\t"
  html = page == "html"
  class["="] = "equal"; class["<"] = "better"; class[">"] = "worse"; class["n/c"] = "none"
  class["-"] = "new"
}
FILENAME == ARGV[1] { charts[$1] = charts[$1] " " $2; next }
{
  if (!($1 in rows)) { order[++tables] = $1; rows[$1] = 0; columns[$1] = 0 }
  if (!(($1, $2) in seen)) { seen[$1, $2] = 1; row[$1, ++rows[$1]] = $2 }
  if (!(($1, "c", $3) in seen)) { seen[$1, "c", $3] = 1; column[$1, ++columns[$1]] = $3 }
  # A time to compare with none printed, or a note that holds for all times, need no footnote.
  note = $15 == "other machine" ? "" : $15
  number = note == "" ? "" : footnote($1, note)
  if ($7 == "seconds" && $13 ~ /^[0-9]/) $13 = sprintf("%.3f", $13)
  cell[$1, $2, $3] = cell_text($13, $14, $10, number)
  kind[$1, $2, $3] = $16 != "" ? "wrong" : class[$14]
  if ($16 != "") cell[$1, $2, $3] = cell[$1, $2, $3] " WRONG"
}
function footnote(table, note) {
  if (!((table, note) in notes)) {
    notes[table, note] = ++count[table]
    note_text[table, count[table]] = note
  }
  return notes[table, note]
}
function escaped(text) {
  gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text)
  return text
}
function cell_text(ours, mark, printed, number,  t) {
  t = ours
  if (mark == "n/c") t = t " n/c " printed
  else if (mark != "-") t = t " " mark " " printed
  if (!html) return t (number == "" ? "" : " [" number "]")
  t = escaped(t)
  return t (number == "" ? "" : "<sup>" number "</sup>")
}
function chart(name,  line, file) {
  file = out "/" name ".svg"
  if (!html) { print "![" name "](" name ".svg)"; return }
  print "<figure>"
  while ((getline line <file) > 0) print line
  close(file)
  print "</figure>"
}
function md_table(table,  i, j, c, width, line) {
  for (j = 0; j <= columns[table]; j++) {
    width[j] = length(j ? column[table, j] : "model")
    for (i = 1; i <= rows[table]; i++) {
      c = j ? cell[table, row[table, i], column[table, j]] : row[table, i]
      if (length(c) > width[j]) width[j] = length(c)
    }
  }
  for (i = -1; i <= rows[table]; i++) {
    line = "|"
    for (j = 0; j <= columns[table]; j++) {
      c = i == -1 ? (j ? column[table, j] : "model") : i == 0 ? dashes(width[j]) : \
        j ? cell[table, row[table, i], column[table, j]] : row[table, i]
      line = line sprintf(j && i ? " %" width[j] "s |" : " %-" width[j] "s |", c)
    }
    print line
  }
}
function dashes(n,  t) { while (n-- > 0) t = t "-"; return t }
function html_table(table,  i, j, key) {
  print "<div class=\"wide\"><table><tr><th>model</th>"
  for (j = 1; j <= columns[table]; j++) print "<th>" escaped(column[table, j]) "</th>"
  print "</tr>"
  for (i = 1; i <= rows[table]; i++) {
    printf "<tr><td>%s</td>", escaped(row[table, i])
    for (j = 1; j <= columns[table]; j++) {
      key = table SUBSEP row[table, i] SUBSEP column[table, j]
      printf "<td class=\"%s\">%s</td>", kind[key], cell[key]
    }
    print "</tr>"
  }
  print "</table></div>"
}
function head() {
  if (!html) {
    print "# The papers' tables, and tarn's numbers\n\n" about "\n"
    print legend() "\n"
    return
  }
  print "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
  print "<title>The papers' tables, and tarn's numbers</title><style>"
  print "body{font:14px/1.45 sans-serif;margin:2em auto;max-width:1240px;padding:0 1em;color:#202020;background:#fff}"
  print "table{border-collapse:collapse;font-size:12.5px}td,th{border:1px solid #d0d0d0;padding:2px 7px;text-align:right;white-space:nowrap}"
  print "td:first-child,th:first-child{text-align:left}.wide{overflow-x:auto}"
  print ".equal{background:#e3f4e1}.better{background:#d9eaf9}.worse{background:#fde5cc}.none{background:#f1f1f1;color:#555}.wrong{background:#f7b5b5}"
  print "figure{display:inline-block;vertical-align:top;margin:6px;width:590px;max-width:100%}figure svg{width:100%;height:auto}"
  print "</style></head><body><h1>The papers' tables, and tarn's numbers</h1>"
  print "<p>" escaped(about) "</p><p>" code(escaped(legend())) "</p>"
  print "<p><span class=\"equal\">&nbsp;equal&nbsp;</span> <span class=\"better\">&nbsp;better&nbsp;</span>" \
    " <span class=\"worse\">&nbsp;worse&nbsp;</span> <span class=\"none\">&nbsp;not comparable&nbsp;</span>" \
    " <span class=\"wrong\">&nbsp;must be equal and is not&nbsp;</span></p>"
}
function code(text) {
  while (sub(/`/, "<code>", text)) sub(/`/, "</code>", text)
  return text
}
function legend() {
  return "A cell is our number, a mark and the printed number: `=` equal; `<` better, that is, fewer " \
    "nodes, or ended where the paper gave up (T.O., OOM, >300); `>` worse, more nodes; `n/c` not " \
    "comparable, for the reason in the note; times are not, since the machines differ. A number by itself has no " \
    "printed one. Charts show our numbers, and the printed ones where they differ; where a line ends, the " \
    "table says why."
}
END {
  head()
  for (t = 1; t <= tables; t++) {
    table = order[t]
    if (html) { print "<h2>" escaped(table) "</h2>"; html_table(table) }
    else { print "## " table "\n"; md_table(table); print "" }
    if (count[table]) print html ? "<ol>" : ""
    for (i = 1; i <= count[table]; i++)
      print html ? "<li>" escaped(note_text[table, i]) "</li>" : i ". " note_text[table, i]
    if (count[table]) print html ? "</ol>" : ""
    n = split(charts[table], names, " ")
    for (i = 1; i <= n; i++) chart(names[i])
    if (!html) print ""
  }
  if (html) print "</body></html>"
}
