#!/bin/sh
# Tests the tools of bench/ at small sizes: test/bench.sh
#
# The command is $TARN, default build/release/tarn, MEASURE the program beside it. Times are not
# judged here, only that the tools run, count right, and notice what is wrong.
set -u
cd "$(dirname "$0")/.." || exit 2
TARN=${TARN:-build/release/tarn}
MEASURE=${MEASURE:-build/release/bench/measure}
export TARN MEASURE
unset PEER
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

# result NAME STATUS WANTED: shows what the tool said if it is not as wanted.
result() {
  if [ "$2" = "$3" ]; then
    echo "ok bench/$1"
  else
    failed=1
    echo "FAIL bench/$1: exit status $2, not $3"
    sed 's/^/    /' "$scratch/log"
  fi
}
# runs NAME WANTED COMMAND...
runs() {
  name=$1 wanted=$2
  shift 2
  "$@" >"$scratch/log" 2>&1
  result "$name" $? "$wanted"
}
# has NAME FILE TEXT...: whether the file has all of them
has() {
  name=$1 file=$2
  shift 2
  for text; do
    grep -qF -e "$text" "$file" && continue
    failed=1
    echo "FAIL bench/$name: no '$text' in it"
    return
  done
  echo "ok bench/$name"
}

# A chart: escaped texts, ticks at powers of ten, a mark per point, nothing where there is no data.
printf 'a < b\t1\t0.002\na < b\t10\t3\nc\t1\t-\nc\t5\t100\n# no\t1\t1\n' |
  bench/plot --title 'x & y' --x n --y s >"$scratch/chart.svg" 2>"$scratch/log"
result plot $? 0
has plot-text "$scratch/chart.svg" '<svg' 'x &amp; y' 'a &lt; b' '>0.01<' '>1<' '>100<' '</svg>'
points=$(grep -c '<circle' "$scratch/chart.svg")
[ "$points" = 3 ] # two, and the one of the legend
result plot-points $? 0
runs plot-empty 1 bench/plot </dev/null
runs plot-usage 2 bench/plot --tilt

runs uppaal 0 bench/uppaal --quick
has uppaal-rows "$scratch/log" 'million iterations a second' 'bytes per state in the passed list'
runs shares 0 bench/shares --quick
has shares-rows "$scratch/log" '7737 nodes visited, 26404 transitions' '2  parts ' '100  hash '
runs shares-usage 2 bench/shares --workers
runs shares-options 2 "$(dirname "$MEASURE")/replay" --workers 1 x.tck
runs scale 0 bench/scale --quick --out "$scratch/scale"
has scale-fit "$scratch/log" 'clocks, alu: nanoseconds per transition grow as n^' 'zones, local time:'
has scale-chart "$scratch/scale/zones-time.svg" 'extra-lu+' '</svg>'

some='^(fischer 7 |fischer 7$|a[123]$|parallel 6|vikings [23]|lcm 4|Figure 4)'
runs reproduce 0 bench/reproduce --only "$some" --out "$scratch/tables"
has reproduce-sum "$scratch/log" ' equal, ' '; 0 wrong'
has reproduce-md "$scratch/tables/tables.md" '| fischer 7 bfs ' '11951 = 11951' '170 > 87' '115 < 754'
has reproduce-html "$scratch/tables/tables.html" '<svg' 'class="better"' 'class="worse"' '</html>'
# Rows without their task graph are skipped, and say so.
runs reproduce-graphs 0 env GRAPHS=/nonexistent bench/reproduce --only "^T55 4" --out "$scratch/graphs" darts
has reproduce-graphs-text "$scratch/log" "skipped n/c 81062" "no such task graph at hand"
# What does not end in time is said with the limit that it reached, and a reason.
runs reproduce-limit 0 bench/reproduce --only '^(vikings 9|lcm 9)' --limit 2 --out "$scratch/limit" darts
has reproduce-limit-text "$scratch/log" '> 1 s [' 'does not end in time' '2 s and 6000 MiB each'
# A program with other counts is noticed.
cat >"$scratch/wrong" <<'END_OF_WRONG'
#!/bin/sh
"$REAL" "$@" | sed 's/: 7737,/: 7738,/g'
END_OF_WRONG
chmod +x "$scratch/wrong"
runs reproduce-wrong 1 env REAL="$TARN" TARN="$scratch/wrong" bench/reproduce \
  --only '^fischer 7 tw' --out "$scratch/wrong-tables" orders
has reproduce-wrong-text "$scratch/log" 'FAIL HT15 Table 1' '7738, printed 7737' '3 wrong'

# Seconds of the processor: sleep has none, a loop has those of the limit.
"$MEASURE" --cpu 1 /dev/null sleep 1.5 >"$scratch/log" 2>&1
has measure-sleep "$scratch/log" '0 0.0'
"$MEASURE" --cpu 1 /dev/null sh -c 'while :; do :; done' >"$scratch/log" 2>&1
has measure-limit "$scratch/log" 'limit '
runs run 0 bench/run --size small --runs 1 --cpu '^fischer 7' '^vikings'
has run-text "$scratch/log" 'fischer 7' 'vikings 10'
runs run-wrong 1 env REAL="$TARN" TARN="$scratch/wrong" bench/run --size small --runs 1 '^fischer 7'
has run-wrong-text "$scratch/log" 'FAIL: stored 7738, expected 7737'
if command -v valgrind >/dev/null; then
  runs speed 0 bench/run --table speed '^fischer-6' # the saved table has the same counts
else
  echo "skip bench/speed: no valgrind (tools/deps bench)"
fi
runs compact 0 env RUNS=1 bench/compare-compact 'corsso 3'
has compact-counts "$scratch/log" "$(printf 'corsso 3\t-a alu -o bfs\t8746\t')"
runs checkpoint-cost 0 bench/checkpoint-cost --every 0.01 'fischer 8'
has checkpoint-counts "$scratch/log" "$(printf 'fischer 8\t0.01\t25080\t')"
if command -v mpirun >/dev/null && [ -x build/mpi-release/tarn ]; then
  runs ranks 0 env TARN=build/mpi-release/tarn bench/ranks --runs 1 'fischer 6'
  has ranks-counts "$scratch/log" "$(printf 'fischer 6\t2378\t')"
else
  echo "skip bench/ranks: no mpirun, or not built (make MPI=1)"
fi
runs ranks-usage 2 bench/ranks --walks
runs families 0 bench/run --runs 1 --table families --limit 5 --out "$scratch/families" "^blowup"
has families-chart "$scratch/families/blowup-memory.svg" "MiB, resident" "tarn -a alu -o rank"
# The page says of every line why it ends.
runs families-limit 0 bench/run --runs 1 --table families --limit 1 --out "$scratch/families" '^corsso'
has families-page "$scratch/families/families.html" '<h2>corsso N</h2>' '<td>over 1 s' '<td>not run' \
  '<th>tarn -a extra-lu+ -o bfs' 'TChecker was not run'
# Models that compare clocks with each other: as many nodes as the saved table has.
diagonals() {
  for row in 'cex 2' 'fischer 5' 'shop 3'; do
    set -- $row
    saved=$(awk -v m="$1" -v n="$2" '$1 == m && $2 == n { print $3 }' bench/results/diagonals.tsv)
    found=$(bench/diagonals "$1" "$2" | "$TARN" check --order bfs --stats - 2>/dev/null | awk '$1 == "stored" { print $2 }')
    [ -n "$found" ] && [ "$found" = "$saved" ] || { echo "$row: $found nodes, not $saved"; return 1; }
  done
}
runs 'diagonals' 0 diagonals
exit $failed
