#!/bin/sh
# Searches by several processes (MPI): test/machines.sh [NETWORKS [FIRST [JOBS]]]
#
# Builds with MPI=1. Random networks, all engines: two processes must say what one says, and so must
# three on half as many other networks. Their seeds begin at FIRST (1); JOBS (3) such programs run at
# a time, as they wait much. Then the command by mpirun: verdicts, counts, runs, certificates,
# limits, signals, exit status.
# The long test is test/machines.sh 2000: it shows how far it is, takes all verdicts, and adds a line to
# test/fuzz/record.tsv for each number of processes.
# Prints `ok machines/...`, `FAIL machines/...: why`, or `skip machines: why` without MPI.
set -u
cd "$(dirname "$0")/.." || exit 2
networks=${1:-6} first=${2:-1} jobs=${3:-3}
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

if ! make -s MPI=1 all build/mpi-release/test/fuzz/agree_threads build/mpi-release/bench/measure >"$scratch/log" 2>&1; then
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
    timeout 1200 mpirun --quiet --oversubscribe --bind-to none -n "$processes" "$@"
}

[ "$networks" -ge 1000 ] && is_long=1 || is_long=
chunk=20 # networks for each program

# agree PROCESSES NETWORKS FIRST: $jobs programs at a time
agree() {
  begin=$(date +%s)
  seed=$3 last=$(($3 + $2))
  : >"$scratch/sums"
  while [ "$seed" -lt $last ]; do
    job=0
    while [ $job -lt "$jobs" ] && [ "$seed" -lt $last ]; do
      many=$((last - seed < chunk ? last - seed : chunk))
      {
        ranks "$1" build/mpi-release/test/fuzz/agree_threads $many "$seed" >"$scratch/job$job" 2>&1
        echo $? >"$scratch/status$job"
      } &
      job=$((job + 1)) seed=$((seed + many))
    done
    wait
    while [ $job -gt 0 ]; do
      job=$((job - 1))
      if [ "$(cat "$scratch/status$job")" != 0 ]; then
        fail "agree-$1" "status $(cat "$scratch/status$job")" "$scratch/job$job"
        return
      fi
      tail -n 1 "$scratch/job$job" >>"$scratch/sums"
    done
    [ -z "$is_long" ] ||
      echo "# $1 processes: $((seed - $3)) of $2 networks, $(($(date +%s) - begin)) s"
  done
  sum=$(awk '{ networks += $1; for (i = 2; i < NF; i++) if ($(i + 1) ~ /^checks/) checks += $i }
    END { printf "%d networks, %d checks, all agree", networks, checks }' "$scratch/sums")
  pass "agree-$1: $sum"
  [ -z "$is_long" ] || printf '%s\tmpirun -n %s agree_threads, seeds %s to %s\t%s, %s s\n' \
    "$(cat VERSION)" "$1" "$3" $((last - 1)) "$sum" $(($(date +%s) - begin)) >>test/fuzz/record.tsv
}
agree 2 "$networks" "$first"
agree 3 $((networks / 2)) $((first + networks))

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

# Random runs are those of their numbers, whoever makes them.
pr='Pr[<=20](<> tries > 2)'
alone check --quiet --epsilon 0.02 -q "$pr" models/random/link.xta >"$scratch/one"
ranks 2 "$tarn" check --quiet --epsilon 0.02 --threads 2 -q "$pr" models/random/link.xta >"$scratch/two"
if cmp -s "$scratch/one" "$scratch/two"; then
  pass 'estimates'
else
  fail 'estimates' 'two processes give another estimate'
fi

# The list of verdicts, under some configurations: it is the starting of processes that takes time.
# The long test takes all of it.
[ -n "$is_long" ] && step=1 || step=7

# verdict PROCESSES OPTIONS: of $model and $query
verdict() {
  log=$scratch/verdict-$1-$2
  # shellcheck disable=SC2086
  alone check $2 -q "$query" "$model" </dev/null >/dev/null 2>"$log"
  expected=$?
  [ $expected = 2 ] || [ $expected = "$verdict" ] || fail verdicts "$model, $query: one says $expected" "$log"
  # shellcheck disable=SC2086
  ranks "$1" "$tarn" check $2 -q "$query" "$model" </dev/null >"$log" 2>&1
  status=$?
  [ $status = $expected ] || fail verdicts "$model, $query, $2, $1 processes: $status, not $expected" "$log"
}
count=0
while IFS="$(printf '\t')" read -r model query verdict; do
  count=$((count + 1))
  [ $((count % step)) = 0 ] || continue
  for options in '--engine zones' '--engine local' '--engine zones --symmetry off --order bfs' '--engine zones --partial-order on'; do
    [ "$step" = 1 ] || [ "$options" = '--engine zones' ] || continue
    for n in 2 3; do
      [ "$step" = 1 ] || [ $n = 2 ] || continue
      verdict $n "$options" >>"$scratch/verdicts" &
    done
  done
  wait
done <<END
$(grep -v '^#' test/run/verdicts.tsv)
END
if [ -s "$scratch/verdicts" ]; then
  failed=1
  cat "$scratch/verdicts"
else
  pass "verdicts of $((count / step)) of $count queries"
fi

rm -f "$scratch/proof"
ranks 3 "$tarn" check --partial-order on --symmetry off -q 'E<> P.end && Q.run && R.run && n == 2' --certificate "$scratch/proof" \
  test/run/partial-order.tck >"$scratch/log" 2>&1
if alone certify test/run/partial-order.tck "$scratch/proof" >>"$scratch/log" 2>&1; then
  pass 'certificate of a search with partial order'
else
  fail 'certificate of a search with partial order' 'is not accepted' "$scratch/log"
fi

# Nothing is left out of this one: then its certificate has no features (the byte behind the first line).
alone gen fischer 4 >"$scratch/model.tck"
ranks 3 "$tarn" check --partial-order on --symmetry off -q 'E<> P1.cs and P2.cs' --certificate "$scratch/proof" \
  "$scratch/model.tck" >"$scratch/log" 2>&1
if [ "$(od -An -tu1 -j19 -N1 "$scratch/proof" | tr -d ' ')" = 0 ]; then
  pass 'certificate of a search in which partial order leaves nothing out'
else
  fail 'certificate of a search in which partial order leaves nothing out' 'has features' "$scratch/log"
fi

alone gen fischer 5 >"$scratch/model.tck"
query='A[] not (P1.cs and P2.cs)'
for options in '2 --engine zones --symmetry off' '3 --engine zones --symmetry on' '3 --engine local --threads 2'; do
  rm -f "$scratch/proof"
  # shellcheck disable=SC2086
  ranks ${options%% *} "$tarn" check ${options#* } -q "$query" --certificate "$scratch/proof" \
    "$scratch/model.tck" >"$scratch/log" 2>&1
  if alone certify "$scratch/model.tck" "$scratch/proof" >>"$scratch/log" 2>&1; then
    pass "certificate, $options"
  else
    fail "certificate, $options" 'is not accepted' "$scratch/log"
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

# A certificate in many parts. Rank 0 must not keep the nodes of others: with a third of 81,035
# nodes of its own it takes 3 MB more than without a certificate; with all of them it took 24 MB more.
# The check of the written certificate, which rank 0 makes, takes 6 to 12 MB.
alone gen fischer 9 >"$scratch/model.tck"
cat >"$scratch/first" <<'END'
#!/bin/sh
# Measures rank 0, and says which process is which rank.
echo $$ >"$SCRATCH/pid.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 0 ] && [ -n "$MEASURE" ] || exec "$@"
exec "$MEASURE" 0 "$SCRATCH/out" "$@" >"$SCRATCH/cost"
END
chmod +x "$scratch/first"
export SCRATCH="$scratch" MEASURE="$PWD/build/mpi-release/bench/measure"
rm -f "$scratch/proof"
ranks 3 "$scratch/first" "$tarn" check --engine zones --symmetry off "$scratch/model.tck" 2>"$scratch/log"
without=$(awk '{ print $3 }' "$scratch/cost")
ranks 3 "$scratch/first" "$tarn" check --engine zones --symmetry off --certificate "$scratch/proof" \
  "$scratch/model.tck" 2>>"$scratch/log"
with=$(awk '{ print $3 }' "$scratch/cost")
if alone certify "$scratch/model.tck" "$scratch/proof" >>"$scratch/log" 2>&1; then
  pass 'certificate in parts'
else
  fail 'certificate in parts' 'is not accepted' "$scratch/log"
fi
if [ $((with - without)) -lt 20000 ]; then
  pass "memory of rank 0 for a certificate: $without and $with KiB"
else
  fail 'memory of rank 0 for a certificate' "$without KiB without, $with KiB with it"
fi
bytes=$(wc -c <"$scratch/proof")
head -c $((bytes / 2)) "$scratch/proof" >"$scratch/forged"
tail -c $((bytes / 3)) "$scratch/proof" >>"$scratch/forged"
alone certify "$scratch/model.tck" "$scratch/forged" >"$scratch/log" 2>&1
status=$?
if [ $status = 1 ] && grep -q rejected "$scratch/log"; then
  pass 'certificate without a part'
else
  fail 'certificate without a part' "status $status" "$scratch/log"
fi
ranks 3 "$tarn" check --engine zones --symmetry off --certificate /dev/full "$scratch/model.tck" >"$scratch/log" 2>&1
status=$?
if [ $status = 2 ] && grep -q 'No space left' "$scratch/log"; then
  pass 'certificate, full disk'
else
  fail 'certificate, full disk' "status $status" "$scratch/log"
fi
# A rank dies, or the first is interrupted, while the file is written: nothing has its name.
export MEASURE=
for end in '9 2' 'INT 0'; do
  rm -f "$scratch/proof" "$scratch/proof.part"
  ranks 3 "$scratch/first" "$tarn" check --engine zones --symmetry off --certificate "$scratch/proof" \
    "$scratch/model.tck" >"$scratch/log" 2>&1 &
  job=$!
  while [ ! -e "$scratch/proof.part" ] && kill -0 $job 2>/dev/null; do sleep 0.01; done
  kill "-${end% *}" "$(cat "$scratch/pid.${end#* }")"
  wait $job
  status=$?
  if [ $status != 0 ] && [ ! -e "$scratch/proof" ] && { [ "$end" = '9 2' ] || [ ! -e "$scratch/proof.part" ]; }; then
    pass "certificate, kill -${end% *} of rank ${end#* }"
  else
    fail "certificate, kill -${end% *} of rank ${end#* }" "status $status" "$scratch/log"
  fi
done

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
