#!/bin/sh
# Both checkers on forged evidence: test/fuzz/agree_forged.sh FIRST [NETWORKS]
#
# NETWORKS, at first 20000, of UPPAAL's language from seed FIRST on, a tenth as many in which clocks are stopped, and as many of
# TChecker's language, once more with differences of clocks; and certificates of every kind (forge_kinds.py) for one in a hundred.
# `tarn certify` and `tarn-proved` are asked about all. No false evidence may be accepted, and what was not touched has to be
# accepted by both, unless tarn-proved says that it is not covered. The sums are printed, and what is odd.
# TARN, PROVED, BUILD name the programs and the folder of the others; LOG keeps what each part says.
set -u
cd "$(dirname "$0")/../.." || exit 2
first=$1 count=${2:-20000} build=${BUILD:-build/release} status=0
proved=$(realpath "${PROVED:-build/proof/tarn-proved}")
log=${LOG:-$(mktemp)}
if [ ! -x "$proved" ]; then
  echo "there is no $proved: make -C proof all"
  exit 2
fi

# The sums of what the parts said.
sums='
function add(words, text, k, i) { k = split(text, w, " "); for (i = 1; i <= k; i++) if (w[i] ~ /^[0-9]+,?$/) sum[words, i] += w[i]; shape[words] = text; size[words] = k }
function show(words, i, text, k) {
  k = split(shape[words], w, " ")
  for (i = 1; i <= k; i++) text = text (i > 1 ? " " : "") ((words, i) in sum ? sum[words, i] (w[i] ~ /,$/ ? "," : "") : w[i])
  print text
}
/^seed / { print; next }
/^tarn-proved: / { add("second", $0) }
/networks from seed/ { sub(/ from seed [0-9]*, /, ", "); sub(/, none false, .*/, ""); add("first", $0) }
END { if (("first", 1) in sum) show("first"); if (("second", 2) in sum) show("second") }'

# forge NETWORKS OPTIONS...: in parts of 500, so that each is a process of its own
forge() {
  networks=$1 seed=$first
  shift
  : >"$log.part"
  while [ "$networks" -gt 0 ]; do
    now=$((networks < 500 ? networks : 500))
    "$build/test/fuzz/forger" --seed "$seed" --count "$now" --each 12 --proved "$proved" "$@" >>"$log.part" || status=1
    seed=$((seed + now)) networks=$((networks - now))
  done
  echo "forger --seed $first${FORGER_DIAGONALS:+, with differences of clocks} $*"
  awk "$sums" "$log.part"
  cat "$log.part" >>"$log"
}

: >"$log"
forge "$count" --language uppaal
forge $((count / 10)) --language uppaal --print proof/test/rates.py
forge $((count / 10))
FORGER_DIAGONALS=1
export FORGER_DIAGONALS
forge $((count / 10))
unset FORGER_DIAGONALS
echo "forge_kinds.py $first $((count / 100))"
TARN=${TARN:-$build/tarn} UPPAAL=$build/test/fuzz/uppaal_print COPIES=$build/test/fuzz/copies_print PROVED=$proved \
  test/fuzz/forge_kinds.py "$first" $((count / 100)) || status=1
rm -f "$log.part"
[ -n "${LOG:-}" ] || rm -f "$log"
exit $status
