#!/bin/sh
# `tarn cover`: test/cover.sh [MODELS]
#
# MODELS: how many of the corpus, 4 unless given; 20 take half a minute.
#
# The worked models and, where it is present, models of the corpus: every reachable edge is covered,
# every run is accepted by `tarn certify`, and what is not covered is unreachable by a certificate of
# all states, which other code checks. There are fewer than half as many runs as edges.
set -u
models=${1:-4}
root=$(cd "$(dirname "$0")/.." && pwd)
TARN=${TARN:-$root/build/release/tarn}
case $TARN in /*) ;; *) TARN=$PWD/$TARN ;; esac
shared=${TARN_SHARED:-$root/../shared}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
failed=0

check() { # NAME: the condition before it
  if [ "$2" -eq 0 ]; then echo "ok cover/$1"; else
    echo "FAIL cover/$1"
    sed 's/^/    /' out err 2>/dev/null | head -20
    failed=1
  fi
}

# whole MODEL: the suite is complete, its runs are accepted; edges and runs go to `sizes`.
whole() {
  rm -f proof
  timeout 20 "$TARN" cover --quiet --json --time-limit 1 --memory-limit 500 --certificate proof "$1" \
    >suite.json 2>err || return 2
  ! grep -q '"reason": "a limit was reached"' suite.json || return 2 # so that there is no certificate
  "$TARN" certify --quiet "$1" suite.json >out 2>err || return 1
  python3 "$root/test/schemas.py" suite.json >out 2>&1 || return 1
  [ ! -f proof ] || "$TARN" certify --quiet "$1" proof >out 2>err || return 1
  python3 - >>sizes 2>err <<'END'
import json
suite = json.load(open("suite.json"))
used = [{e["index"] for s in r["trace"]["steps"] for e in s.get("edges", [])} for r in suite["results"]]
for item in suite["items"]:
    if item["status"] == "covered":
        assert item["index"] in used[item["run"] - 1], item
        assert not any(item["index"] in run for run in used[:item["run"] - 1]), item
    else:
        assert item["status"] == "unreachable" and not any(item["index"] in run for run in used), item
assert suite["percent"] == 100 and suite["undecided"] == 0
assert (suite["unreachable"] == 0) == (suite["certificate"] is None)
print(suite["covered"], len(suite["results"]))
END
}

few() { awk '{ ratio += $2 / $1; n++ } END { printf "%d models, runs for each edge: %.3f\n", n, ratio / n
  exit !(n >= wanted && ratio / n < 0.5) }' wanted="$1" sizes >out; }

: >sizes
bad=0
for model in "$root"/models/*.xta "$root"/models/*.tck; do
  whole "$model" || { echo "$model" >>err && bad=1 && break; }
done
check models $bad
few 10
check few-runs $?

for goal in locations pairs queries; do
  bad=0
  for model in "$root"/models/*.xta; do
    [ -f "${model%.xta}.q" ] || continue
    "$TARN" cover --quiet --goal $goal --json "$model" >suite.json 2>err &&
      python3 "$root/test/schemas.py" suite.json >out 2>&1 &&
      "$TARN" certify --quiet "$model" suite.json >out 2>err || { bad=1 && break; }
  done
  check $goal $bad
done

# The sizes of the papers, within 5 s each.
for family in 'fddi 10' 'fischer 6' 'train-gate 5'; do
  # shellcheck disable=SC2086 # arguments are separate words
  "$TARN" gen $family >model.tck
  timeout 5 "$TARN" cover --json model.tck >suite.json 2>err && "$TARN" certify model.tck suite.json >out 2>err
  check "$family" $?
done

# The sequences: what Machine receives and sends, with the delays between.
"$TARN" cover --quiet --output suite --processes Machine "$root/models/coffee.xta" >out 2>err &&
  grep -q '^in coin?$' suite/run-1.txt && grep -q '^out refund!$' suite/run-1.txt &&
  grep -q '^delay 15$' suite/run-1.txt && ! grep -qv '^in \|^out \|^do Machine\|^delay ' suite/run-1.txt
check sequences $?
"$TARN" cover --quiet --require 100 "$root/models/lamp.xta" >out 2>err
check require $?
"$TARN" cover --goal pairs --certificate proof "$root/models/csma.xta" >out 2>err &&
  grep -q '^18 unreachable; the certificates proof-1 to 3 were checked' out &&
  for n in 1 2 3; do "$TARN" certify "$root/models/csma.xta" proof-$n; done >out 2>err &&
  [ "$(grep -c '^  .* -> .* -> ' out)" -eq 18 ] && "$TARN" certify "$root/models/fischer.xta" proof-1 >out 2>err
[ $? -eq 1 ]
check pairs-certificates $?
"$TARN" gen fischer 9 >large.tck
"$TARN" cover --quiet --time-limit 0.02 --goal pairs --require 99 large.tck >out 2>err
[ $? -eq 1 ] && "$TARN" cover --quiet --time-limit 0.02 --goal pairs large.tck >out 2>err
[ $? -eq 3 ] && grep -q 'undecided, time limit' out
check limit $?
"$TARN" cover --quiet --memory-limit 3 --goal pairs --json large.tck >suite.json 2>err
[ $? -eq 3 ] && grep -q '"memory limit' suite.json && grep -q '"covered": *[1-9]' suite.json &&
  "$TARN" certify --quiet large.tck suite.json >out 2>err
check memory-limit $?

# A certificate that is asked for and cannot be made is an error.
echo "clock x; process P() { state a, b; init a; trans a -> b { guard x > 1 && x < 1; }; } system P;" >never.xta
"$TARN" cover --quiet --certificate none/proof never.xta >out 2>err
[ $? -eq 2 ] && grep -q 'none/proof' err
check no-certificate $?
# What a check refuses to search is refused here, and what lint sees is not all.
echo "clock x, y; process P() { state a, b { x' == 0 }; init a; trans a -> b { guard x > 1; }, b -> a { guard x < 1 && x - y > 0; }; } system P;" >stopped.xta
"$TARN" cover --quiet --certificate stopped.proof stopped.xta >out 2>err
[ $? -eq 2 ] && grep -q 'two clocks cannot be compared with each other where clocks are stopped' err && ! [ -e stopped.proof ]
check stopped $?
"$TARN" lint stopped.xta >out 2>err
[ $? -eq 3 ] && grep -q 'two clocks cannot be compared' out && grep -q 'undecided: no run takes' out
check stopped-lint $?

if [ -d "$shared/corpus" ]; then
  : >sizes
  bad=0
  for model in "$shared"/corpus/*.xml; do
    [ "$(wc -l <sizes)" -lt "$models" ] || break
    [ "$(wc -c <"$model")" -lt 12000 ] || continue # the others may take long
    whole "$model"
    [ $? -ne 1 ] || { echo "$model" >>err && bad=1 && break; }
  done
  check corpus $bad
  few "$models"
  check corpus-few-runs $?
  cat out
else
  echo "skip cover/corpus: no folder $shared/corpus"
fi
exit $failed
