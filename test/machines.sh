#!/bin/sh
# Searches by several processes (MPI): test/machines.sh [NETWORKS]
#
# Builds with MPI=1. Random networks, all engines: two and three processes must say what one says.
# Then the command by mpirun: verdicts, counts, runs, certificates, limits, signals, exit status.
# Prints `ok machines/...`, `FAIL machines/...: why`, or `skip machines: why` without MPI.
set -u
cd "$(dirname "$0")/.." || exit 2
networks=${1:-6}
if ! command -v mpicc >/dev/null || ! command -v mpirun >/dev/null; then
  echo 'skip machines: no mpicc and mpirun; tools/deps mpi installs them'
  exit 0
fi
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0
fail() {
  failed=1
  echo "FAIL machines/$1: $2"
  [ $# -lt 3 ] || sed 's/^/    /' "$3"
}
pass() { echo "ok machines/$1"; }

if ! make -s MPI=1 all build/mpi-release/test/fuzz/agree_threads >"$scratch/log" 2>&1; then
  fail build 'does not build' "$scratch/log"
  exit 1
fi
pass build

tarn=$PWD/build/mpi-release/tarn
alone() { "$tarn" "$@"; }
# ranks N COMMAND...
ranks() {
  processes=$1
  shift
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
    timeout 300 mpirun --quiet --oversubscribe -n "$processes" "$@"
}

for count in 2 3; do
  # Processes that wait are busy: three on two cores take long.
  if ranks $count build/mpi-release/test/fuzz/agree_threads $((networks / (count - 1))) >"$scratch/log" 2>&1; then
    pass "agree-$count"
  else
    fail "agree-$count" 'see below' "$scratch/log"
  fi
done

stored() { awk '$1 == "stored" { print $2 }'; }
for model in 'fischer 7' 'csma 6' 'philosophers 5' 'critical-region 3'; do
  # shellcheck disable=SC2086 # separate words
  alone gen $model >"$scratch/model.tck"
  for options in '--engine zones --symmetry off' '--engine local'; do
    # shellcheck disable=SC2086
    one=$(alone check $options "$scratch/model.tck" | stored)
    # shellcheck disable=SC2086
    two=$(ranks 2 "$tarn" check --threads 2 $options "$scratch/model.tck" | stored)
    if [ -n "$one" ] && [ "$one" = "$two" ]; then
      pass "stored, $model $options"
    else
      fail "stored, $model $options" "one process stores '$one', two store '$two'"
    fi
  done
done

# The list of verdicts, under some configurations: it is the starting of processes that takes time.
# A number of networks above 1000 stands for all of it.
[ "$networks" -ge 1000 ] && step=1 || step=7
count=0
while IFS="$(printf '\t')" read -r model query verdict; do
  count=$((count + 1))
  [ $((count % step)) = 0 ] || continue
  for options in '--engine zones' '--engine local' '--engine zones --symmetry off --order bfs'; do
    [ $step = 1 ] || [ "$options" = '--engine zones' ] || continue
    for n in 2 3; do
      [ $step = 1 ] || [ $n = 2 ] || continue
      # shellcheck disable=SC2086
      alone check $options -q "$query" "$model" </dev/null >/dev/null 2>"$scratch/log"
      expected=$?
      [ $expected = 2 ] || [ $expected = "$verdict" ] || fail verdicts "$model, $query: one says $expected"
      # shellcheck disable=SC2086
      ranks $n "$tarn" check $options -q "$query" "$model" </dev/null >"$scratch/log" 2>&1
      status=$?
      [ $status = $expected ] ||
        fail verdicts "$model, $query, $options, $n processes: $status, not $expected" "$scratch/log"
    done
  done
done <<END
$(grep -v '^#' test/run/verdicts.tsv)
END
[ "$failed" = 1 ] || pass "verdicts of $((count / step)) of $count queries"

alone gen fischer 5 >"$scratch/model.tck"
query='A[] not (P1.cs and P2.cs)'
for engine in zones local; do
  ranks 3 "$tarn" check --engine $engine --symmetry off -q "$query" --certificate "$scratch/proof" \
    "$scratch/model.tck" >"$scratch/log" 2>&1
  if alone certify "$scratch/model.tck" "$scratch/proof" >>"$scratch/log" 2>&1; then
    pass "certificate, $engine"
  else
    fail "certificate, $engine" 'is not accepted' "$scratch/log"
  fi
done
ranks 3 "$tarn" check --symmetry off -q 'E<> P3.cs and P1.A' --trace concrete --json \
  "$scratch/model.tck" >"$scratch/run.json" 2>"$scratch/log"
if alone certify "$scratch/model.tck" "$scratch/run.json" >>"$scratch/log" 2>&1; then
  pass 'run'
else
  fail run 'is not accepted' "$scratch/log"
fi

# Rank 0 alone prints, its status is that of all, and a file that is not there is one error.
ranks 3 "$tarn" check -q 'E<> P1.cs and P2.cs' "$scratch/model.tck" >"$scratch/log" 2>&1
status=$?
if [ $status = 1 ] && [ "$(grep -c 'not satisfied' "$scratch/log")" = 1 ]; then
  pass 'one answer'
else
  fail 'one answer' "status $status" "$scratch/log"
fi
ranks 2 "$tarn" check "$scratch/none.tck" >"$scratch/log" 2>&1
status=$?
if [ $status = 2 ] && [ "$(grep -c 'none.tck' "$scratch/log")" = 1 ]; then
  pass 'one error'
else
  fail 'one error' "status $status" "$scratch/log"
fi

alone gen fischer 13 >"$scratch/model.tck"
for limit in '--time-limit 0.5' '--memory-limit 30'; do
  # shellcheck disable=SC2086
  ranks 2 "$tarn" check --symmetry off $limit "$scratch/model.tck" >"$scratch/log" 2>&1
  status=$?
  if [ $status = 3 ] && [ "$(stored <"$scratch/log")" -gt 1000 ]; then
    pass "limit, $limit"
  else
    fail "limit, $limit" "status $status" "$scratch/log"
  fi
done

# The libraries of MPI alone are more than the limit: what is stored goes to the file, and the search ends.
alone gen fischer 10 >"$scratch/model.tck"
one=$(alone check --engine zones --symmetry off "$scratch/model.tck" | stored)
ranks 2 "$tarn" check --engine zones --symmetry off --memory-limit 16 --disk "$scratch" "$scratch/model.tck" \
  >"$scratch/log" 2>&1
status=$?
if [ $status = 0 ] && [ "$(stored <"$scratch/log")" = "$one" ]; then
  pass disk
else
  fail disk "status $status, not $one stored" "$scratch/log"
fi
exit $failed
