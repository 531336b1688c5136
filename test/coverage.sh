#!/bin/sh
# How often intervals hold the exact value: test/coverage.sh [CHECKS [SEED]]
#
# Repeats a check of three oracles of test/statistics with CHECKS seeds, from SEED on. UPPAAL's rule stops each
# check. Counted are the checks in which the exact value lies in UPPAAL's interval at the end, in the confidence
# sequence at the end, and in the sequence after every number of runs that the answer lists. The latter must be at
# least 95 % (less three standard deviations where there are few checks). The full number is 2000
# (`make coverage`); its last result is test/statistics/coverage.txt.
set -u
checks=${1:-60}
seed=${2:-1}
root=$(cd "$(dirname "$0")/.." && pwd)
TARN=${TARN:-$root/build/release/tarn}
case $TARN in /*) ;; *) TARN=$PWD/$TARN ;; esac
failed=0
echo "$checks checks each, seeds from $seed on; intervals of 95 % that hold the exact value:"

# cover NAME EXACT MODEL QUERY
cover() {
  k=0
  while [ $k -lt "$checks" ]; do
    "$TARN" check --quiet --json --threads 1 --seed $((seed + k)) -q "$4" "$root/test/statistics/$3"
    k=$((k + 1))
  done | awk -v name="$1" -v exact="$2" -v query="$4" '
    function number(text, key) { match(text, "\"" key "\": [-0-9.e+]+"); return substr(text, RSTART + length(key) + 4, RLENGTH - length(key) - 4) + 0 }
    /"estimate": \{/ {
      n++
      estimate = substr($0, index($0, "\"estimate\": {"))
      sequence = substr(estimate, index(estimate, "\"sequence\": {"))
      list = substr(estimate, index(estimate, "\"convergence\": [") + 16)
      sub(/\]\].*/, "", list)
      head = estimate
      sub(/"distribution": .*/, "", head)
      sub(/"sequence": \{[^}]*\}/, "", head)
      runs += number(head, "runs")
      uppaal += number(head, "lower") <= exact && exact <= number(head, "upper")
      holds = number(sequence, "lower") <= exact && exact <= number(sequence, "upper")
      at_end += holds
      count = split(list, milestones, /\], \[/)
      for (i = 1; i <= count; i++) {
        gsub(/[\[\]]/, "", milestones[i])
        split(milestones[i], m, ", ")
        if (m[3] > exact || m[4] < exact) holds = 0
      }
      always += holds
    }
    END {
      if (!n) { print "FAIL coverage/" name ": no answers"; exit 1 }
      least = n >= 2000 ? 0.95 : 0.95 - 3 * sqrt(0.95 * 0.05 / n)
      ok = always / n >= least
      printf "%s coverage/%s (%s, exactly %s, %.0f runs on average): UPPAAL %.2f %%, sequence %.2f %%, at all times %.2f %%\n",
        ok ? "ok" : "FAIL", name, query, exact, runs / n, 100 * uppaal / n, 100 * at_end / n, 100 * always / n
      exit !ok
    }' || failed=1
}

cover retry 0.75 retry.xta 'Pr[#<=1](<> S.done)'
cover repair 0.474653871 repair.xta 'Pr[<=2](<> d == 2)'
cover unlucky 0.0625 retry.xta 'Pr[#<=3](<> tries == 3)'
exit $failed
