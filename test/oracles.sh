#!/bin/sh
# Statistical queries with exact answers: test/oracles.sh [RUNS [SEED]]
#
# The models of test/statistics with their table (the .xml is what `tarn convert` makes of them) and,
# where it is, the folder ../shared/smc (or the one that TARN_SHARED names), in both formats. A probability or mean may be off by 3.5 standard
# deviations; then it is tried with three other seeds, all of which must pass. Integrated values may be
# off by 0.002. Refusals must be refusals. The full number of runs is 25000 (`make oracles`).
set -u
runs=${1:-1000}
seed=${2:-1}
root=$(cd "$(dirname "$0")/.." && pwd)
TARN=${TARN:-$root/build/release/tarn}
case $TARN in /*) ;; *) TARN=$PWD/$TARN ;; esac
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
epsilon=$(awk -v n="$runs" 'BEGIN { printf "%.12g", sqrt(log(40) / (2 * (n - 0.5))) }')

# number NAME: of the estimate in the last output.
number() {
  sed -n "s/.*\"estimate\": {.*\"$1\": \([-0-9.e+]*\).*/\1/p" "$scratch/out" | head -1
}

# passes MODEL QUERY EXACT KIND SEED: prints what is wrong, nothing if all is well.
passes() {
  timeout 300 "$TARN" check --quiet --json --stop runs --epsilon "$epsilon" --seed "$5" -q "$2" "$1" \
    >"$scratch/out" 2>"$scratch/err"
  if [ "$4" = refusal ]; then
    grep -q '"verdict": "refused"' "$scratch/out" "$scratch/err" || echo "it is not refused"
    return
  fi
  if ! grep -q '"verdict": "estimated"' "$scratch/out"; then
    echo "no estimate: $(cat "$scratch/err" "$scratch/out" | head -c 300)"
    return
  fi
  # The first ones of the object: the distribution has others of these names.
  sed -i 's/"distribution": {.*//; s/"sequence": {[^}]*}//' "$scratch/out"
  awk -v exact="$3" -v known="$(number exact)" -v kind="$4" -v value="$(number value)" -v low="$(number lower)" -v high="$(number upper)" \
    -v n="$(number runs)" 'BEGIN {
      if (kind == "integrated") {
        if (value - exact > 0.002 || exact - value > 0.002) print value " instead of " exact
        exit
      }
      if (known != "" && (known - exact > 2e-6 || exact - known > 2e-6)) print "exactly " known " instead of " exact
      sd = kind == "mean" ? (high - low) / 2 / 1.96 : sqrt(exact * (1 - exact) / n)
      z = sd > 0 ? (value - exact) / sd : value == exact ? 0 : 99
      if (z > 3.5 || z < -3.5) print value " instead of " exact ", z = " z
    }'
}

# table FOLDER TABLE: rows with id, model, title, query, exact answer, kind.
table() {
  awk -F '\t' 'NR > 1 { print $2 "\t" $4 "\t" $5 "\t" $6 }' "$2" >"$scratch/rows"
  while IFS="$(printf '\t')" read -r model query exact kind; do
    for format in xta xml; do
      file=$1/$model.$format
      if [ ! -f "$file" ]; then
        file=$scratch/$model.$format
        [ -f "$file" ] || "$TARN" convert --to xml "$1/$model.xta" >"$file" 2>"$scratch/err"
      fi
      wrong=$(passes "$file" "$query" "$exact" "$kind" "$seed")
      if [ -n "$wrong" ] && [ "$kind" != refusal ] && [ "$kind" != integrated ]; then
        for other in 101 102 103; do
          again=$(passes "$file" "$query" "$exact" "$kind" "$other")
          [ -z "$again" ] || break
        done
        [ -n "$again" ] || wrong=
      fi
      if [ -z "$wrong" ]; then
        echo "ok oracles/$model.$format $query"
      else
        echo "FAIL oracles/$model.$format $query: $wrong"
      fi
    done
  done <"$scratch/rows"
}

{
  table "$root/test/statistics" "$root/test/statistics/oracles.tsv"
  shared=${TARN_SHARED:-$root/../shared}
  if [ -f "$shared/smc/smc-oracles.tsv" ]; then
    table "$shared/smc/oracles" "$shared/smc/smc-oracles.tsv"
  else
    echo 'skip oracles/shared: the folder is not there'
  fi
} | tee "$scratch/all"
! grep -q '^FAIL' "$scratch/all"
