#!/bin/sh
# Checkpoints: test/checkpoint.sh [KILLS [SIZE [EVERY]]]
#
# A search (Fischer with SIZE processes) is killed KILLS times at random moments and resumed each
# time, until it ends: it must store what a search at one go stores. Then runs and certificates of
# resumed searches, and checkpoints that must be refused: of other searches, cut off, with a changed
# byte. Prints `ok checkpoint/...` or `FAIL checkpoint/...: why`.
set -u
cd "$(dirname "$0")/.." || exit 2
tarn=${TARN:-build/release/tarn}
kills=${1:-5} size=${2:-9} every=${3:-0.02}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0
fail() {
  failed=1
  echo "FAIL checkpoint/$1: $2"
  [ $# -lt 3 ] || sed 's/^/    /' "$3"
}
pass() { echo "ok checkpoint/$1"; }
stored() { awk '$1 == "stored" { print $2 }'; }
model=$scratch/model.tck
"$tarn" gen fischer "$size" >"$model"

# killed ENGINE KILLS: at random moments of a search, as long as there is one
killed() {
  options="--engine $1 --symmetry off"
  # shellcheck disable=SC2086 # separate words
  wanted=$("$tarn" check $options "$model" | stored)
  rm -rf "$scratch/folder"
  mkdir "$scratch/folder"
  resume=
  count=0
  while [ $count -lt "$2" ]; do
    # shellcheck disable=SC2086
    "$tarn" check $options $resume --checkpoint "$scratch/folder" --every "$every" "$model" \
      >"$scratch/out" 2>"$scratch/log" &
    process=$!
    sleep "0.$(od -An -N1 -tu1 /dev/urandom | tr -d ' ')"
    kill -KILL $process 2>/dev/null
    wait $process 2>/dev/null
    status=$?
    if [ $status != 137 ] && [ $status != 0 ]; then
      fail "killed, $1" "status $status" "$scratch/log"
      return
    fi
    count=$((count + 1))
    [ ! -f "$scratch/folder/tarn.checkpoint" ] || resume="--resume $scratch/folder"
    [ $status = 137 ] || break
  done
  # shellcheck disable=SC2086
  found=$("$tarn" check $options $resume "$model" 2>"$scratch/log" | stored)
  if [ "$found" = "$wanted" ]; then
    pass "killed, $1: $count times, $found stored"
  else
    fail "killed, $1" "stored $found, not $wanted" "$scratch/log"
  fi
}
killed zones "$kills"
killed local "$kills"

# A limit leaves a checkpoint; from there on evidence is made as ever.
half="$scratch/half"
mkdir "$half"
query='A[] not (P1.cs and P2.cs)'
common="--engine zones --symmetry off --order stages"
# shellcheck disable=SC2086
"$tarn" check $common -q "$query" --checkpoint "$half" --time-limit 0.05 "$model" >"$scratch/out"
# shellcheck disable=SC2086
"$tarn" check $common -q "$query" --resume "$half" --certificate "$scratch/proof" "$model" \
  >"$scratch/out" 2>"$scratch/log"
status=$?
if [ $status = 0 ] && "$tarn" certify "$model" "$scratch/proof" >"$scratch/log" 2>&1; then
  pass certificate
else
  fail certificate "status $status" "$scratch/log"
fi

# refused WHAT TEXT OPTIONS...: must say so
refused() {
  what=$1 text=$2
  shift 2
  "$tarn" check --resume "$half" "$@" "$model" >"$scratch/out" 2>"$scratch/log"
  status=$?
  if [ $status = 2 ] && grep -q "$text" "$scratch/log"; then
    pass "refused, $what"
  else
    fail "refused, $what" "status $status" "$scratch/log"
  fi
}
# shellcheck disable=SC2086
{
  refused 'another order' 'it is of `order stages`' --engine zones --symmetry off --order bfs -q "$query"
  refused 'another query' 'it is of `query' $common -q 'E<> P1.cs'
  refused 'several threads' 'one thread' $common --threads 2 -q "$query"
}
cp "$half/tarn.checkpoint" "$scratch/good"
size=$(wc -c <"$scratch/good")
head -c $((size / 2)) "$scratch/good" >"$half/tarn.checkpoint"
# shellcheck disable=SC2086
refused 'cut off' damaged $common -q "$query"
cp "$scratch/good" "$half/tarn.checkpoint"
printf '\377' | dd of="$half/tarn.checkpoint" bs=1 seek=$((size / 3)) conv=notrunc 2>/dev/null
cmp -s "$scratch/good" "$half/tarn.checkpoint" ||
  # shellcheck disable=SC2086
  refused 'a changed byte' damaged $common -q "$query"
exit $failed
