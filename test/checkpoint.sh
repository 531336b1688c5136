#!/bin/sh
# Checkpoints: test/checkpoint.sh [KILLS [SIZE [EVERY [LONGEST [ENGINES [WAYS]]]]]]
#
# A search (Fischer with SIZE processes) is killed KILLS times at random moments, after LONGEST seconds
# of processor time at most, and resumed each time, until it ends: it must store what a search at one
# go stores. If it ends before the last kill, the next one begins. WAYS are numbers of threads (t2)
# and of processes (r2, of which one is killed or all), or `mixed`: another one each time it is
# resumed. SIGTERM must leave a checkpoint.
# Then runs and certificates of resumed searches, and checkpoints that must be refused: of other
# searches, cut off, with a changed byte. The long test is test/checkpoint.sh 100 12 0.5 4 zones 't1 t2 r2'. From
# 20 kills on it shows how far it is; with 100, a line for each way goes to test/fuzz/record.tsv.
# Prints `ok checkpoint/...` or `FAIL checkpoint/...: why`.
set -u
cd "$(dirname "$0")/.." || exit 2
tarn=${TARN:-build/release/tarn}
kills=${1:-3} size=${2:-9} every=${3:-0.02} longest=${4:-0.15} engines=${5:-zones local} ways=${6:-t1 mixed}
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

# moment: a random one, in hundredths of seconds
moment() {
  od -An -N2 -tu2 /dev/urandom | awk -v longest="$longest" '{ print int($1 / 65536 * longest * 100) }'
}

# spend TICKS: waits until the processes have taken so much processor time, or ended
spend() {
  until=$1 sum=0
  while [ "$sum" -lt "$until" ] && kill -0 $process 2>/dev/null; do
    sleep 0.02
    sum=0
    children=
    read -r children <"/proc/$process/task/$process/children" || :
    for pid in $process $children; do
      read -r stat <"/proc/$pid/stat" || continue
      # shellcheck disable=SC2086 # fields
      set -- $stat
      sum=$((sum + ${14} + ${15}))
    done
  done 2>/dev/null
}

mpi=${TARN_MPI:-build/mpi-release/tarn}
has_mpi() { command -v mpirun >/dev/null && [ -x "$mpi" ]; }

# way WAY: that way, or for `mixed` a random one
way() {
  [ "$1" = mixed ] || { echo "$1" && return; }
  case $(od -An -N1 -tu1 /dev/urandom | awk '{ print $1 % 4 }') in
    0) echo t1 ;;
    1) echo t2 ;;
    2) echo t3 ;;
    3) has_mpi && echo r2 || echo t4 ;;
  esac
}

# start WAY OPTIONS...: in the background; its process id is $process
start() {
  how=$(way "$1")
  shift
  case $how in
    t*) "$tarn" check --threads "${how#t}" "$@" >"$scratch/out" 2>"$scratch/log" & ;;
    r*)
      OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        mpirun --quiet --oversubscribe -n "${how#r}" "$mpi" check "$@" >"$scratch/out" 2>"$scratch/log" &
      ;;
  esac
  process=$!
}

# slay: kills it. Of several processes one, or all of them.
slay() {
  ranks=$(ps -o pid= --ppid $process)
  [ $((count % 2)) = 0 ] && victims=$(echo "$ranks" | shuf -n 1) || victims="$ranks $process"
  # shellcheck disable=SC2086
  kill -KILL ${victims:-$process} 2>/dev/null
}

# gone: waits until none of them is left, and says so if they were killed
gone() {
  wait $process 2>/dev/null
  status=$?
  for pid in $ranks; do
    while kill -0 "$pid" 2>/dev/null; do sleep 0.02; done
  done
  # mpirun says 137 or an error of its own if a process was killed
  [ -z "$ranks" ] || [ $status = 0 ] || ! grep -q 'signal 9\|^$' "$scratch/log" || status=137
}

# options_of ENGINE: `compact` is zones in minimal form, `rank` and `wait` are zones in that order,
# `fly` and `lazy` with such bounds
options_of() {
  case $1 in
    compact) echo "--engine zones --compact" ;;
    rank | wait) echo "--engine zones --order $1" ;;
    fly | lazy) echo "--engine zones --bounds $1" ;;
    points | darts) echo "--engine $1 --bounds global" ;;
    *) echo "--engine $1" ;;
  esac
}

# model_of ENGINE: engines that count time in whole units take no strict constraints
model_of() {
  case $1 in
    points | darts) echo "$scratch/vikings.tck" ;;
    *) echo "$scratch/model.tck" ;;
  esac
}
"$tarn" gen vikings 6 >"$scratch/vikings.tck"

# killed ENGINE WAY: at random moments
killed() {
  test="killed, $1, $2"
  model=$(model_of "$1")
  options="$(options_of "$1") --symmetry off"
  # shellcheck disable=SC2086 # separate words
  wanted=$("$tarn" check $options "$model" | stored)
  folder="$scratch/$1-$2"
  mkdir "$folder"
  resume=
  count=0 starts=0 resumed=0 ends=0 status=137 begin=$(date +%s)
  while [ $count -lt "$kills" ] || [ $status != 0 ]; do
    ranks=
    # shellcheck disable=SC2086
    start "$2" $options $resume --checkpoint "$folder" --every "$every" "$model"
    starts=$((starts + 1))
    [ -z "$resume" ] || resumed=$((resumed + 1))
    if [ $count -lt "$kills" ] && [ $starts -lt $((20 * kills)) ]; then
      spend "$(moment)"
      slay
    fi
    gone
    case $status in
      137)
        count=$((count + 1))
        [ "$kills" -lt 20 ] || [ $((count % 10)) != 0 ] ||
          echo "# $test: $count of $kills times, ended $ends times, $(($(date +%s) - begin)) s"
        ;;
      0)
        found=$(stored <"$scratch/out")
        if [ "$found" != "$wanted" ]; then
          fail "$test" "stored $found, not $wanted" "$scratch/log"
          return
        fi
        ends=$((ends + 1))
        rm -f "$folder"/*
        [ $starts -lt $((20 * kills)) ] || break
        ;;
      *)
        fail "$test" "status $status" "$scratch/log"
        return
        ;;
    esac
    [ -f "$folder/tarn.checkpoint" ] && resume="--resume $folder" || resume=
  done
  [ $count -gt 0 ] || fail "$test" 'it always ended before it was killed'
  sum="$count times, resumed $resumed times, ended $ends times with $wanted stored"
  pass "$test: $sum"
  [ "$kills" -lt 100 ] || printf '%s\tcheckpoint.sh, fischer %s, --every %s, %s\t%s, %s s\n' \
    "$(cat VERSION)" "$size" "$every" "$test" "$sum" $(($(date +%s) - begin)) >>test/fuzz/record.tsv
}
for engine in $engines; do
  for workers in $ways; do
    case $workers in
      r*) has_mpi || { echo "skip checkpoint/killed, $engine, $workers: no MPI, or not built" && continue; } ;;
    esac
    killed "$engine" "$workers"
  done
done
[ $# -gt 4 ] || {
  for engine in compact rank wait fly lazy darts; do
    killed $engine t1
  done
  killed points mixed
}
model=$scratch/model.tck

# SIGTERM writes a checkpoint: it has the nodes that the search had when it ended.
larger=$scratch/larger.tck
"$tarn" gen fischer 11 >"$larger"
# term WAY
term() {
  larger=$scratch/larger.tck
  case $1 in
    r*)
      has_mpi || { echo "skip checkpoint/SIGTERM, $1: no MPI, or not built" && return; }
      # mpirun takes its time to hand the signal on: the search must not end by itself.
      larger=$scratch/largest.tck
      "$tarn" gen fischer 12 >"$larger"
      ;;
  esac
  folder=$scratch/term-$1
  mkdir "$folder"
  start "$1" --engine zones --symmetry off --checkpoint "$folder" --every 0.02 "$larger"
  while [ ! -f "$folder/tarn.checkpoint" ] && kill -0 $process 2>/dev/null; do
    sleep 0.02
  done
  kill -TERM $process
  wait $process
  status=$?
  "$tarn" check --engine zones --symmetry off --resume "$folder" "$larger" >"$scratch/again" 2>"$scratch/log"
  nodes=$(stored <"$scratch/out")
  # mpirun has a status of its own if it gets the signal
  case $1 in r*) status=3 ;; esac
  if [ $status = 3 ] && grep -q "goes on .* $nodes stored" "$scratch/log"; then
    pass "SIGTERM, $1"
  else
    fail "SIGTERM, $1" "status $status, stored '$nodes'" "$scratch/log"
  fi
}
for workers in r2 t2 t1; do
  term $workers
done

# Before memory runs out one is written, too: also if a table that doubles is the last straw, or
# many threads need what is left to read their mail.
for case in 1:80 2:80 1:104 8:80; do
  threads=${case%:*} megabytes=${case#*:}
  folder=$scratch/memory-$case
  mkdir "$folder"
  "$tarn" check --engine zones --symmetry off --threads "$threads" --memory-limit "$megabytes" --checkpoint "$folder" "$larger" \
    >"$scratch/out" 2>"$scratch/log"
  status=$?
  "$tarn" check --engine zones --symmetry off --resume "$folder" --memory-limit "$megabytes" "$larger" >"$scratch/out" 2>"$scratch/log"
  if [ $status = 3 ] && grep -q 'goes on' "$scratch/log"; then
    pass "memory limit, t$case"
  else
    fail "memory limit, t$case" "status $status" "$scratch/log"
  fi
done

# A limit leaves a checkpoint; from there on evidence is made as ever.
half="$scratch/half"
mkdir "$half"
"$tarn" gen fischer 9 >"$model"
query='A[] not (P1.cs and P2.cs)'
common="--engine zones --symmetry off --order stages"
# shellcheck disable=SC2086
"$tarn" check $common -q "$query" --checkpoint "$half" --time-limit 0.05 "$model" >"$scratch/out"
for workers in t1 t3 r2; do
  case $workers in
    r*) has_mpi || { echo "skip checkpoint/certificate, $workers: no MPI, or not built" && continue; } ;;
  esac
  # shellcheck disable=SC2086
  start $workers $common -q "$query" --resume "$half" --certificate "$scratch/proof" "$model"
  wait $process
  status=$?
  if [ $status = 0 ] && "$tarn" certify "$model" "$scratch/proof" >"$scratch/log" 2>&1; then
    pass "certificate, $workers"
  else
    fail "certificate, $workers" "status $status" "$scratch/log"
  fi
done

# The same with zones in minimal form, and with bounds found during the search.
for engine in compact lazy; do
  folder=$scratch/half-$engine
  mkdir "$folder"
  common_of="$(options_of $engine) --symmetry off --order stages"
  # shellcheck disable=SC2086
  "$tarn" check $common_of -q "$query" --checkpoint "$folder" --time-limit 0.05 "$model" >"$scratch/out"
  # shellcheck disable=SC2086
  "$tarn" check $common_of -q "$query" --resume "$folder" --certificate "$scratch/proof" "$model" \
    >"$scratch/out" 2>"$scratch/log"
  status=$?
  if [ $status = 0 ] && grep -q 'goes on' "$scratch/log" && "$tarn" certify "$model" "$scratch/proof" >"$scratch/log" 2>&1; then
    pass "certificate, $engine"
  else
    fail "certificate, $engine" "status $status" "$scratch/log"
  fi
done

# Deadlocks: the search goes on, also the second one, with M bounds, that follows where the first is in doubt.
"$tarn" gen fischer 6 >"$scratch/smaller.tck"
# deadlock ABSTRACTION MODEL
deadlock() {
  folder=$scratch/deadlock-$1
  mkdir "$folder"
  set -- "$1" "$2" --engine zones --symmetry off -q 'A[] not deadlock'
  test=$1 asked=$2
  shift 2
  wanted=$("$tarn" check "$@" --abstraction "$test" "$asked" | stored)
  "$tarn" check "$@" --abstraction "$test" --checkpoint "$folder" --time-limit 0.01 "$asked" >"$scratch/out"
  "$tarn" check "$@" --resume "$folder" "$asked" >"$scratch/out" 2>"$scratch/log"
  status=$?
  if [ $status = 0 ] && grep -q 'goes on' "$scratch/log" && [ "$(stored <"$scratch/out")" = "$wanted" ]; then
    pass "deadlock, $test"
  else
    fail "deadlock, $test" "status $status" "$scratch/log"
  fi
}
deadlock alu "$model"
deadlock am "$scratch/smaller.tck"

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
  refused 'compact' 'it is of `compact' $common --compact -q "$query"
}
"$tarn" check --checkpoint "$half" -q 'A<> P1.cs' "$model" >"$scratch/out" 2>"$scratch/log"
if grep -q 'no checkpoints for this query' "$scratch/out"; then
  pass 'refused, liveness'
else
  fail 'refused, liveness' 'it was not' "$scratch/out"
fi
"$tarn" check --checkpoint "$scratch/none/here" "$model" >"$scratch/out" 2>"$scratch/log"
status=$?
if [ $status = 2 ] && grep -q 'none/here: this folder cannot be made: No such file' "$scratch/log"; then
  pass 'refused, no folder'
else
  fail 'refused, no folder' "status $status" "$scratch/log"
fi
# flip FILE PLACE: changes a bit there
flip() {
  byte=$(od -An -j"$2" -N1 -tu1 "$1")
  # shellcheck disable=SC2059
  printf "\\$(printf %o $((byte ^ 16)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
# Every file of it: cut off, with a changed byte, and gone.
for file in "$half"/*; do
  case $file in
    *.checkpoint) kind=manifest ;;
    *) kind=part ;;
  esac
  cp "$file" "$scratch/good"
  size=$(wc -c <"$file")
  head -c $((size / 2)) "$scratch/good" >"$file"
  # shellcheck disable=SC2086
  refused "$kind cut off" damaged $common -q "$query"
  cp "$scratch/good" "$file"
  flip "$file" $((size / 3))
  # shellcheck disable=SC2086
  refused "$kind with a changed bit" damaged $common -q "$query"
  rm "$file"
  # shellcheck disable=SC2086
  refused "$kind gone" 'No such file' $common -q "$query"
  cp "$scratch/good" "$file"
done

# An error of the model that a resumed search finds has a run, although the checkpoint has none.
folder=$scratch/failure failing=$scratch/failing.tck
mkdir "$folder"
sed -e 's/^process:V1$/int:1:0:10:0:z\nprocess:V1/' \
  -e 's/^\(edge:V6:back:unsafe:rel1{provided:[^}]*\)}/\1 : do: z=1\/z}/' "$scratch/vikings.tck" >"$failing"
common="--engine points --bounds global --symmetry off"
# shellcheck disable=SC2086
{
  "$tarn" check $common --checkpoint "$folder" --time-limit 0.001 "$failing" >"$scratch/out"
  "$tarn" check $common --resume "$folder" "$failing" >"$scratch/out" 2>"$scratch/log"
}
status=$?
if [ $status = 2 ] && grep -q 'goes on' "$scratch/log" && grep -q 'divided by zero' "$scratch/log" &&
  grep -q 'after this run' "$scratch/log"; then
  pass 'an error of the model'
else
  fail 'an error of the model' "status $status" "$scratch/log"
fi

# The same for what other passed lists write: a bit of a part, and runs that were not kept.
half=$scratch/half-points model=$scratch/vikings.tck
mkdir "$half"
common="--engine points --bounds global --symmetry off"
# shellcheck disable=SC2086
{
  "$tarn" check $common --checkpoint "$half" --time-limit 0.05 "$model" >"$scratch/out"
  refused 'points without runs' 'written with --trace none' $common --trace concrete
  for file in "$half"/*.0; do
    flip "$file" $(($(wc -c <"$file") / 2))
  done
  refused 'points with a changed bit' damaged $common
}
exit $failed
