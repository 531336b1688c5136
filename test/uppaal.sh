#!/bin/sh
# Checks UPPAAL models: test/uppaal.sh [NAME...]
#
# Each model in test/uppaal says in its queries what to expect (EXPECT: or <expect>): it passes if
# `tarn check` finds just that. Each result is one line, `ok uppaal/NAME` or `FAIL uppaal/NAME: why`.
# The command is $TARN, default build/release/tarn.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
TARN=${TARN:-$root/build/release/tarn}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

for model in "$root"/test/uppaal/*.xta "$root"/test/uppaal/*.xml "$root"/test/uppaal/*.ta; do
  [ -f "$model" ] || continue
  name=$(basename "$model")
  case " $* " in *" $name "* | '  ') ;; *) continue ;; esac
  status=0
  timeout 60 "$TARN" check "$model" >"$scratch/out" 2>&1 || status=$?
  if [ "$status" != 0 ] || ! grep -q ' expectations met$' "$scratch/out"; then
    failed=1
    echo "FAIL uppaal/$name: exit $status"
    sed 's/^/    /' "$scratch/out"
  else
    echo "ok uppaal/$name"
  fi
done

# Long discrete states are folded. Seven steps of up to two of ten robots: 1 + 10 * 7 + 45 * 49 states.
if [ $# = 0 ]; then
  model=$root/test/uppaal/long-states.xta
  for options in '--order bfs' '--order dfs' '--order rank' '--bounds lazy' '--threads 2' '--engine local' \
    '--engine points' '--engine darts' '--engine points --threads 3'; do
    # shellcheck disable=SC2086 # several options
    found=$("$TARN" check --stats $options - <"$model" 2>&1 | awk '/^  (stored|transitions) /{printf "%s ", $2}')
    if [ "$found" != '2276 5120 ' ]; then
      failed=1
      echo "FAIL uppaal/long-states $options: $found"
    else
      echo "ok uppaal/long-states $options"
    fi
  done
fi

# Clock bounds know the values of a process's variables in each location: 24,529 states without that.
if [ $# = 0 ]; then
  model=$root/test/uppaal/local-ranges.xta
  found=$("$TARN" check --stats --order bfs --query 'A[] not (M1.Processing && M1.x > 10)' "$model" 2>&1 |
    awk '/^  stored /{print $2}')
  if [ "$found" = 3472 ]; then
    echo 'ok uppaal/local-ranges states'
  else
    failed=1
    echo "FAIL uppaal/local-ranges states: $found"
  fi
fi

# Both formats have the same groups.
if [ $# = 0 ]; then
  for family in fischer lynch csma train-gate parallel poll corsso train-crossing philosophers critical-region vikings 'csma 4 variant=relay'; do
    case $family in *' '*) words=$family ;; *) words="$family 4" ;; esac
    # shellcheck disable=SC2086 # several words
    "$TARN" gen $words >"$scratch/model.tck" && "$TARN" gen --format xta $words >"$scratch/model.xta"
    in_tck=$("$TARN" show --symmetry "$scratch/model.tck") in_xta=$("$TARN" show --symmetry "$scratch/model.xta")
    case $family in
      philosophers | critical-region) wanted=C_4 ;;
      vikings | *relay) wanted=none ;;
      *) wanted=S_4 ;;
    esac
    if [ "$in_tck" = "$in_xta" ] && [ "${in_tck%% *}" = $wanted ]; then
      echo "ok uppaal/group of $words"
    else
      failed=1
      echo "FAIL uppaal/group of $words: $in_tck, $in_xta"
    fi
  done
fi

# met MODEL COUNT ENGINE...: all its queries are answered as expected, by each engine
met() {
  model=$1 count=$2
  shift 2
  for engine; do
    # shellcheck disable=SC2086 # several options
    if "$TARN" check --engine $engine "$root/test/uppaal/$model.xta" 2>&1 | grep -q "^$count of $count expectations met$"; then
      echo "ok uppaal/$model --engine $engine"
    else
      failed=1
      echo "FAIL uppaal/$model --engine $engine"
    fi
  done
}
# Urgent channels whose guards have variables, and urgent channels in local time.
if [ $# = 0 ]; then
  met urgent-variable 4 local points darts 'darts --bounds global'
  met urgent-local 8 zones local
fi

# The certificate of a search with lazy bounds, depth first.
if [ $# = 0 ]; then
  model=$root/test/uppaal/lazy-open.xta
  "$TARN" check --symmetry off --engine zones --bounds lazy --order dfs --certificate "$scratch/proof" "$model" >"$scratch/out" 2>&1
  if "$TARN" certify "$model" "$scratch/proof" >>"$scratch/out" 2>&1; then
    echo 'ok uppaal/lazy-open certificate'
  else
    failed=1
    echo 'FAIL uppaal/lazy-open certificate'
    sed 's/^/    /' "$scratch/out"
  fi
fi

# A certificate compares states with meta variables that the answer compares them without.
if [ $# = 0 ]; then
  "$TARN" check --certificate "$scratch/proof" -q 'A[] not deadlock' "$root/test/uppaal/meta-deadlock.xta" >"$scratch/out" 2>&1
  if [ $? = 2 ] && [ ! -e "$scratch/proof" ] && grep -q 'with all meta variables, and the answer does not' "$scratch/out"; then
    echo 'ok uppaal/meta-deadlock no certificate'
  else
    failed=1
    echo 'FAIL uppaal/meta-deadlock no certificate'
    sed 's/^/    /' "$scratch/out"
  fi
fi
exit $failed
