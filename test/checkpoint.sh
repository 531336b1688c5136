#!/bin/sh
# Checkpoints: test/checkpoint.sh [KILLS [SIZE [EVERY [LONGEST [ENGINES]]]]]
#
# A search (Fischer with SIZE processes) is killed KILLS times at random moments, LONGEST seconds
# after its start at most, and resumed each time, until it ends: it must store what a search at one
# go stores. If it ends before the last kill, the next one begins. SIGTERM must leave a checkpoint.
# Then runs and certificates of resumed searches, and checkpoints that must be refused: of other
# searches, cut off, with a changed byte. The long test is test/checkpoint.sh 100 12 0.5 4 zones.
# Prints `ok checkpoint/...` or `FAIL checkpoint/...: why`.
set -u
cd "$(dirname "$0")/.." || exit 2
tarn=${TARN:-build/release/tarn}
kills=${1:-5} size=${2:-9} every=${3:-0.02} longest=${4:-0.3} engines=${5:-zones local}
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

# moment: a random one, in seconds
moment() {
  od -An -N2 -tu2 /dev/urandom | awk -v longest="$longest" '{ print $1 / 65536 * longest }'
}

# killed ENGINE: at random moments
killed() {
  options="--engine $1 --symmetry off"
  # shellcheck disable=SC2086 # separate words
  wanted=$("$tarn" check $options "$model" | stored)
  mkdir "$scratch/$1"
  resume=
  count=0 starts=0 resumed=0 ends=0 status=137
  while [ $count -lt "$kills" ] || [ $status != 0 ]; do
    # shellcheck disable=SC2086
    "$tarn" check $options $resume --checkpoint "$scratch/$1" --every "$every" "$model" \
      >"$scratch/out" 2>"$scratch/log" &
    process=$!
    starts=$((starts + 1))
    [ -z "$resume" ] || resumed=$((resumed + 1))
    if [ $count -lt "$kills" ] && [ $starts -lt $((20 * kills)) ]; then
      sleep "$(moment)"
      kill -KILL $process 2>/dev/null
    fi
    wait $process 2>/dev/null
    status=$?
    case $status in
      137) count=$((count + 1)) ;;
      0)
        found=$(stored <"$scratch/out")
        if [ "$found" != "$wanted" ]; then
          fail "killed, $1" "stored $found, not $wanted" "$scratch/log"
          return
        fi
        ends=$((ends + 1))
        rm "$scratch/$1"/*
        [ $starts -lt $((20 * kills)) ] || break
        ;;
      *)
        fail "killed, $1" "status $status" "$scratch/log"
        return
        ;;
    esac
    [ -f "$scratch/$1/tarn.checkpoint" ] && resume="--resume $scratch/$1" || resume=
  done
  pass "killed, $1: $count times, resumed $resumed times, ended $ends times with $wanted stored"
}
for engine in $engines; do
  killed "$engine"
done

# SIGTERM writes a checkpoint: it has the nodes that the search had when it ended.
mkdir "$scratch/term"
larger=$scratch/larger.tck
"$tarn" gen fischer 12 >"$larger"
"$tarn" check --engine zones --symmetry off --checkpoint "$scratch/term" --every 0.02 "$larger" \
  >"$scratch/out" 2>"$scratch/log" &
process=$!
while [ ! -f "$scratch/term/tarn.checkpoint" ] && kill -0 $process 2>/dev/null; do
  sleep 0.02
done
kill -TERM $process
wait $process
status=$?
"$tarn" check --engine zones --symmetry off --resume "$scratch/term" --time-limit 0.001 "$larger" \
  >"$scratch/again" 2>"$scratch/log"
nodes=$(stored <"$scratch/out")
if [ $status = 3 ] && grep -q "goes on .* $nodes stored" "$scratch/log"; then
  pass "SIGTERM"
else
  fail "SIGTERM" "status $status, stored '$nodes'" "$scratch/log"
fi

# A limit leaves a checkpoint; from there on evidence is made as ever.
half="$scratch/half"
mkdir "$half"
"$tarn" gen fischer 9 >"$model"
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
