#!/bin/sh
# Searches at which limits are reached that only large ones reach otherwise: test/lowered.sh [BUILD]
#
# In the build with lowered limits (src/base/testbuild.h, make MODE=lowered), default build/lowered:
# location vectors are forgotten and numbered anew, transformers are numbered in the other way,
# memories are given up, tables grow from a few entries, zones are dropped, references of nodes end,
# searches for runs and deadlocks are tried with hulls.
# Verdicts and counts must be those of other builds, by 1 to 5 threads. One line each, `ok name`
# or `FAIL name`.
set -u
cd "$(dirname "$0")/.." || exit 2
build=${1:-build/lowered}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

# run NAME COMMAND...: its last line is shown; all of it if it fails.
run() {
  name=$1
  shift
  if "$@" >"$scratch/log" 2>&1; then
    echo "ok lowered/$name: $(tail -n 1 "$scratch/log")"
  else
    echo "FAIL lowered/$name: $(tail -n 1 "$scratch/log")"
    sed 's/^/    /' "$scratch/log"
    failed=1
  fi
}

run agree "$build/test/fuzz/agree" 150
run agree_orders "$build/test/fuzz/agree_orders" 30
run agree_threads "$build/test/fuzz/agree_threads" 30
run agree_local "$build/test/fuzz/agree_local" 1 150
run agree_queries "$build/test/fuzz/agree_queries" 120

# Where references of nodes end there is no answer, and no wrong one.
"$build/tarn" gen fischer 9 >"$scratch/fischer.tck" || exit 2
for threads in 1 2 5; do
  "$build/tarn" check --symmetry off --engine zones --threads $threads -q 'A[] !(P1.cs && P2.cs)' \
    "$scratch/fischer.tck" >"$scratch/out" 2>&1
  status=$?
  if [ $status = 3 ] && grep -q ': undecided' "$scratch/out"; then
    echo "ok lowered/references-$threads"
  else
    echo "FAIL lowered/references-$threads: exit status $status"
    sed 's/^/    /' "$scratch/out"
    failed=1
  fi
done

# Resources without a cycle are stored when another node is current: their zones have sketches, too.
"$build/tarn" gen critical-region 3 >"$scratch/region.tck" || exit 2
run sketches sh -c '"$0" check --symmetry off --order dfs -q "counter.I --> false" "$1"; [ $? = 1 ]' \
  "$build/tarn" "$scratch/region.tck"

# Certificates that are made of hulls.
"$build/tarn" check -q 'P.busy --> P.idle || P.late' --certificate "$scratch/hulls.tarn" \
  test/run/queries.tck >"$scratch/out" 2>&1
run hulls "$build/tarn" certify test/run/queries.tck "$scratch/hulls.tarn"
"$build/tarn" gen fischer 3 >"$scratch/small.tck" || exit 2
run hulls/deadlock sh -c '"$0" check --explain --symmetry off --partial-order off -q "A[] not deadlock" --certificate "$2" "$1" >"$2.out" &&
  grep -q "hulls:.*this decides" "$2.out" && "$0" certify "$1" "$2"' "$build/tarn" "$scratch/small.tck" "$scratch/deadlock.tarn"

TARN=$build/tarn LABEL=lowered/ test/run.sh gold verdicts || failed=1
exit $failed
