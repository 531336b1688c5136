#!/bin/sh
# How often tests of hypotheses are wrong: test/hypotheses.sh [CHECKS [SEED]]
#
# Repeats each query with CHECKS seeds, from SEED on. The exact probabilities are known, and most lie at the
# border of the region of indifference, where errors are most frequent. A true hypothesis may be rejected in at
# most `--alpha` of the checks, a false one accepted in at most `--beta`, and three standard deviations more. The
# two differ in most rows, so they cannot be taken for each other. The full number is 2000 (`make hypotheses`);
# its last result is test/statistics/hypotheses.txt.
set -u
checks=${1:-60}
seed=${2:-1}
root=$(cd "$(dirname "$0")/.." && pwd)
TARN=${TARN:-$root/build/release/tarn}
case $TARN in /*) ;; *) TARN=$PWD/$TARN ;; esac
failed=0
echo "$checks checks each, seeds from $seed on; how many are wrong, and how many may be:"

# wrong TRUTH ERROR MODEL QUERY OPTION...: TRUTH is what the answer should be, ERROR how often it may not be so.
wrong() {
  truth=$1 error=$2 model=$3 query=$4
  shift 4
  k=0
  while [ $k -lt "$checks" ]; do
    "$TARN" check --quiet --json --threads 1 --exact off "$@" --seed $((seed + k)) -q "$query" "$root/test/statistics/$model"
    k=$((k + 1))
  done | awk -v truth="$truth" -v error="$error" -v query="$query" -v model="$model" -v options="$*" -v checks="$checks" '
    match($0, /"verdict": "[a-z ]*"/) {
      verdict = substr($0, RSTART + 12, RLENGTH - 13)
      n += verdict == "satisfied" || verdict == "not satisfied"
      bad += verdict != truth
      if (match($0, /"runs": [0-9]+/)) runs += substr($0, RSTART + 8, RLENGTH - 8)
    }
    END {
      most = error * checks + 3 * sqrt(checks * error * (1 - error))
      ok = n == checks && bad <= most
      printf "%s hypotheses/%s %s%s, %s: %.2f %% of at most %g %%, %.0f runs on average%s\n", ok ? "ok" : "FAIL", model,
        query, options ? " " options : "", truth, 100 * bad / checks, 100 * error, runs / checks, n == checks ? "" : ", " checks - n " without an answer"
      exit !ok
    }' || failed=1
}

# A true hypothesis is rejected: at most alpha. A false one is accepted: at most beta.
true() { wrong satisfied "$@"; }
false() { wrong 'not satisfied' "$@"; }

# Exactly 0.75, 0.0625, 1 - 1/4 at each bound; the region reaches up to it, then down to it.
true 0.2 retry.xta 'Pr[#<=1](<> S.done) >= 0.73' --upper-delta 0.02 --lower-delta 0.02 --alpha 0.2 --beta 0.02
false 0.02 retry.xta 'Pr[#<=1](<> S.done) >= 0.77' --upper-delta 0.02 --lower-delta 0.02 --alpha 0.2 --beta 0.02
true 0.02 retry.xta 'Pr[#<=1](<> S.done) >= 0.73' --upper-delta 0.02 --lower-delta 0.02 --alpha 0.02 --beta 0.2
false 0.2 retry.xta 'Pr[#<=1](<> S.done) >= 0.77' --upper-delta 0.02 --lower-delta 0.02 --alpha 0.02 --beta 0.2
# The region is not symmetric.
true 0.05 retry.xta 'Pr[#<=1](<> S.done) >= 0.7' --upper-delta 0.05 --lower-delta 0.01
false 0.05 retry.xta 'Pr[#<=1](<> S.done) >= 0.76' --upper-delta 0.05 --lower-delta 0.01
true 0.05 retry.xta 'Pr[#<=3](<> tries == 3) >= 0.0525'
false 0.05 retry.xta 'Pr[#<=3](<> tries == 3) >= 0.0725'
# `<= p` is the test of the complement with 1 - p.
true 0.2 retry.xta 'Pr[#<=1](<> S.done) <= 0.77' --upper-delta 0.02 --lower-delta 0.02 --alpha 0.2 --beta 0.02
false 0.02 retry.xta 'Pr[#<=1](<> S.done) <= 0.73' --upper-delta 0.02 --lower-delta 0.02 --alpha 0.2 --beta 0.02
true 0.05 retry.xta 'Pr[#<=1]([] S.send) >= 0.23' --upper-delta 0.02 --lower-delta 0.02
false 0.05 retry.xta 'Pr[#<=1]([] S.send) <= 0.23' --upper-delta 0.02 --lower-delta 0.02
# Random delays: 0.474653871, 0.511268184 and 5/9.
true 0.05 repair.xta 'Pr[<=2](<> d == 2) >= 0.454653871' --upper-delta 0.02 --lower-delta 0.02
false 0.05 repair.xta 'Pr[<=2](<> d == 2) >= 0.494653871' --upper-delta 0.02 --lower-delta 0.02
true 0.1 hyper.xta 'Pr[<=1](<> P.d) <= 0.541268184' --upper-delta 0.03 --lower-delta 0.03 --alpha 0.1 --beta 0.01
false 0.01 hyper.xta 'Pr[<=1](<> P.d) <= 0.481268184' --upper-delta 0.03 --lower-delta 0.03 --alpha 0.1 --beta 0.01
# Comparisons: the odds of P are 5/4 of those of Q, those of Q 4/3 of those of the race.
true 0.2 odds.xta 'Pr[<=50](<> P.won) >= Pr[<=50](<> Q.won)' --u1 1.25 --u0 0.8 --alpha 0.2 --beta 0.02
false 0.02 odds.xta 'Pr[<=50](<> Q.won) >= Pr[<=50](<> P.won)' --u1 1.25 --u0 0.8 --alpha 0.2 --beta 0.02
true 0.02 odds.xta 'Pr[<=50](<> P.won) >= Pr[<=50](<> Q.won)' --u1 1.25 --u0 0.8 --alpha 0.02 --beta 0.2
false 0.2 odds.xta 'Pr[<=50](<> Q.won) >= Pr[<=50](<> P.won)' --u1 1.25 --u0 0.8 --alpha 0.02 --beta 0.2
true 0.05 odds.xta 'Pr[<=50]([] !Q.lost) >= Pr[<=90](<> w == 1)' --u1 1.3333333 --u0 0.9
false 0.05 odds.xta 'Pr[<=90](<> w == 1) >= Pr[<=50]([] !Q.lost)' --u1 1.1 --u0 0.75
exit $failed
