# Marks the cells of the papers' tables: answers first, then cells (cells.awk). Adds to each cell
#   our number, the mark (= < > n/c, or - where nothing is printed), a note, and whether it is wrong
BEGIN { FS = OFS = "\t" }
NR == FNR {
  key = $1 FS $2
  verdict[key] = $3
  for (i = 4; i <= NF; i++) {
    split($i, pair, "=")
    value[key, pair[1]] = pair[2]
  }
  next
}
{
  key = $8 FS $9
  printed = $10; rule = $11; note = ""; wrong = ""
  ended = verdict[key] ~ /explored|satisfied/
  ours = value[key, $7]
  if ($7 == "seconds" && ours != "") ours = sprintf("%.6f", ours)
  if (verdict[key] == "skipped") skipped()
  else if (verdict[key] == "undecided") undecided()
  else if (!ended || ours == "") { ours = "failed"; mark = "n/c"; wrong = verdict[key] }
  else compare()
  print $0, ours, mark, note, wrong
}

function is_count(text) { return text ~ /^[0-9.]+$/ }

function skipped() {
  ours = "skipped"
  mark = printed == "-" ? "-" : "n/c"
  note = "no such task graph at hand"
}

function undecided() {
  ours = "> " value[key, "limit"]
  mark = printed == "-" ? "-" : "n/c"
  if (is_count(printed) && rule != "t" && rule != "x") { mark = ">"; wrong = "undecided" }
  else if (rule ~ /^(<=|~|=)/) wrong = "undecided"
  else if (printed == "-") note = "does not end in time; the paper did not try, or does not say"
  else note = is_count(printed) ? "other machine" : "neither ends"
}

function compare() {
  if (printed == "-") mark = "-"
  else if (!is_count(printed) && printed !~ /^</) { mark = "<"; note = "ends, which it did not there" }
  else if (rule == "t") { mark = "n/c"; note = "other machine" }
  else if (rule == "x") { mark = "n/c"; note = $12 }
  else {
    mark = ours == printed ? "=" : ours + 0 < printed + 0 ? "<" : ">"
    if (mark != "=") note = $12
  }
  if (rule == "=" && ours != printed) wrong = ours ", printed " printed
  if (rule ~ /^~/ && ours != substr(rule, 2)) wrong = ours ", expected " substr(rule, 2)
  if (rule ~ /^<=/ && ours + 0 > substr(rule, 3) + 0) wrong = ours ", at most " substr(rule, 3)
}
