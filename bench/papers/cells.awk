# The cells of the papers' tables, one on each line, from the files beside this one:
#   table row column family size series statistic model options printed rule reason
# separated by tabs. Family, size and series say where a chart has the number; the model is for
# `tarn gen`, the options for `tarn check`. Rules, what a number of ours must be:
#   =    as printed            ~N  N, though not as printed      <=N  at most N
#   ?    anything              x   it is not to be compared      t    a time: anything
BEGIN { FS = OFS = "\t" }
FNR == 1 { file = FILENAME; sub(/.*\//, "", file); sub(/\.tsv$/, "", file) }
/^#/ || /^$/ { next }
file == "orders" { orders(); next }
file == "nonconvex" { nonconvex(); next }
file == "local" { local_time(); next }
file == "darts" { darts(); next }
file == "lcm" { figure_1(); next }

function cell(column, series, statistic, options, printed, rule, reason) {
  print table, row, column, family, size, series, statistic, model, options, printed, rule, reason
}
# Family, size and the row's name from the arguments of gen: `csma 8 variant=relay`.
function name_of(arguments,  words) {
  model = arguments
  split(arguments, words, " ")
  family = words[1]
  size = words[2] ~ /^[0-9]+$/ ? words[2] : ""
  row = family (size == "" ? "" : " " size)
}

function orders(  i, names, options, printed, rule, parts, reason) {
  table = "HT15 Table 1: search orders"
  name_of($1)
  row = row " " $2
  if (quick && $8 == "large") return
  split("visited mistakes stored max_stored rank_visited", names, " ")
  options = "--abstraction extra-lu+ --bounds local --order " $2
  for (i = 1; i <= 5; i++) {
    printed = $(i + 2); rule = "="; reason = ""
    if (printed == "-") rule = "?"
    if (printed ~ /^<=/) {
      rule = printed; printed = "-"
    } else if (split(printed, parts, ":") == 2) {
      printed = parts[1]; rule = "~" parts[2]
      reason = "an independent implementation finds the same as tarn; no reading gives all that is printed"
    }
    if (family == "flexray") {
      rule = printed == "-" ? "?" : "x"
      reason = "the paper's model is lost; this one is of its kind"
    }
    if (i < 5 || $2 == "rank") cell(names[i], $2, names[i], options, printed, rule, reason)
  }
  cell("seconds", $2, "seconds", options, "-", "t", "")
}

function nonconvex(  reason, rule) {
  table = "HKSW11 Table 1: non-convex abstractions"
  name_of($2)
  rule = $6 == "<=" ? "<=" $4 : $6 == "-" ? "?" : $6
  if (family == "csma" && $1 == "fly") reason = "which waiting nodes cover others is left open in the paper: ours leaves fewer"
  if ($1 == "UPPAAL") reason = "UPPAAL's number depends on its order of transitions"
  cell($1 ": nodes", $1, "visited", $3, $4, rule, reason)
  cell($1 ": s", $1, "seconds", $3, $5, "t", "")
}

function local_time(  global, reason) {
  table = "GHSW19 Table 1: local time"
  name_of($1)
  if (row == "critical-region 5" && $1 !~ /variant/) row = "critical-region 5, orders' variant"
  if ($1 ~ /variant/) family = "critical-region, local"
  global = "--abstraction extra-lu+ --order bfs"
  reason = "UPPAAL's number depends on its order of transitions"
  if ($2 != "-") {
    cell("UPPAAL: visited", "UPPAAL", "visited", global, $2, $2 == "T.O." ? "?" : $2 == $5 ? "=" : "x", reason)
    cell("UPPAAL: stored", "UPPAAL", "stored", global, $3, $3 == "T.O." ? "?" : "=", "")
    cell("UPPAAL: s", "UPPAAL", "seconds", global, $4, "t", "")
  }
  cell("global: visited", "global", "visited", global, $5, $5 ~ /^[0-9]/ ? "=" : "?", "")
  cell("global: stored", "global", "stored", global, $6, $6 ~ /^[0-9]/ ? "=" : "?", "")
  cell("global: s", "global", "seconds", global, $7, "t", "")
  reason = family == "corsso" ? "later versions of TChecker find the same as tarn" : ""
  cell("local: visited", "local", "visited", "--engine local --order bfs", $8, "?", reason)
  cell("local: stored", "local", "stored", "--engine local --order bfs", $9, "<=" $11, reason)
  cell("local: s", "local", "seconds", "--engine local --order bfs", $10, "t", "")
}

# three("points", ...): discovered, stored and seconds; printed as DISCOVERED/STORED, OOM or -.
function three(series, options, printed, seconds, rule, counts, reason,  d, s, parts, wanted) {
  d = s = printed
  if (split(printed, parts, "/") == 2) { d = parts[1]; s = parts[2] }
  if (printed == "-" && seconds ~ /^>/) d = s = seconds
  if (split(counts, wanted, "/") == 2) {
    cell(series ": discovered", series, "discovered", options, d, rule wanted[1], reason)
    cell(series ": stored", series, "stored", options, s, rule wanted[2], reason)
  } else {
    cell(series ": discovered", series, "discovered", options, d, rule, reason)
    cell(series ": stored", series, "stored", options, s, rule, reason)
  }
  cell(series ": s", series, "seconds", options, printed == "OOM" ? "OOM" : seconds, "t", "")
}

function darts(  words, n, lost, odd) {
  table = "JLS12 Figures 5 to 8: time-darts"
  row = $1; model = $2
  n = split($1, words, /[ =]/)
  size = words[n]; family = words[1]
  if (family == "train") family = "train crossing"
  if (family == "fischer") family = "darts-fischer"
  lost = ""
  if (family ~ /train|fischer/) lost = "the translated net that the paper used is lost; this model is another"
  if (family == "T125") lost = "the printed counts are far below those of the graph of this number in the set"
  odd = "other sizes of this column are exact; why this one is not is unknown"
  if (lost != "") three("points", "--engine points --bounds global", $3, $4, $3 ~ /^[0-9]/ ? "x" : "?", "", lost)
  else three("points", "--engine points --bounds global", $3, $4, $7 == "=" ? "=" : $3 ~ /^[0-9]/ ? "x" : "?", "", odd)
  if (lost != "") three("darts", "--engine darts --bounds global", $5, $6, $5 ~ /^[0-9]/ ? "x" : "?", "", lost)
  else three("darts", "--engine darts --bounds global", $5, $6, $8 == "-" ? "?" : "~", $8, \
    "Algorithm 2 to the letter; no reading gives what is printed (doc/notes/darts.md)")
  if (lost != "") three("darts, local bounds", "--engine darts", $5, $6, $5 ~ /^[0-9]/ ? "x" : "?", "", lost)
  else three("darts, local bounds", "--engine darts", $5, $6, $9 == "-" ? "?" : "<=", $9,
    row == "T155 10" ? "printed as 241,44: perhaps a digit is missing" : "")
}

# Seconds to find the goal; the paper has them for points, in Python, and for UPPAAL.
function figure_1() {
  table = "JLS12 Figure 1: lcm, seconds to the goal"
  row = "lcm " $1; model = "lcm " $1; family = "lcm to the goal"; size = $1
  cell("points", "points", "seconds", "--engine points -l goal", $2, "t", "")
  cell("darts", "darts", "seconds", "--engine darts -l goal", "-", "t", "")
  cell("zones (UPPAAL)", "zones", "seconds", "--engine zones -l goal", $3, "t", "")
}

END {
  table = "JLS12 Figure 4: an execution"
  row = "Figure 4"; model = "darts-example"; family = size = ""
  if (figure_4) {
    cell("iterations", "", "visited", "--engine darts --bounds global", 7, "=", "")
    cell("darts", "", "stored", "--engine darts --bounds global", 6, "=", "")
  }
}
