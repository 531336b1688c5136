#!/bin/sh
# Random networks and certificates about their runs without end: proof/test/endless.sh FIRST COUNT
#
# For each seed a network is made, with a query A<>, E[], --> or buchi: and options that the seed
# chooses. Where no run is as asked, tarn's certificate must be accepted by both checkers; a node may
# not show to the proved one that nothing is deadlocked, which it says. Without one of its successors,
# and with other changes, the two must agree. Where there is such a run, certificates that claim the
# opposite must be rejected by both: of all states, with modes and numbers, changed or not, and of
# another query. The last line is the sum. Files of what went wrong stay.
set -u
cd "$(dirname "$0")/../.." || exit 2
first=$1 count=$2 each=${EACH:-12}
tarn=$(realpath "${TARN:-build/release/tarn}") proved=$PWD/build/proof/tarn-proved forge=$PWD/build/proof/forge
work=${WORK:-build/proof/endless}
mkdir -p "$work" && cd "$work" || exit 2
models=0 valid=0 refused=0 dropped=0 needless=0 changed=0 kept=0 lies=0 wrong=0

complain() {
  wrong=$((wrong + 1))
  echo "wrong: seed $seed, $*"
  cp model.tck "wrong-$seed.tck"
}

# Which of these files each checker accepts, as lines; and of which the proved one says that deadlocks are not excluded.
accepted() {
  "$tarn" certify model.tck "$@" 2>/dev/null | awk -v files="$*" 'BEGIN { split(files, f, " ") } { if (/certificate is accepted/) print f[NR] }' | sort >by_tarn
  "$proved" model.tck "$@" >by_proved_all 2>/dev/null
  grep -v ': rejected: ' by_proved_all | sed 's/: .*//' | sort >by_proved
  grep 'do not show to the proof' by_proved_all | sed 's/: .*//' | sort >undecided
}

options() {
  case $((seed % 9)) in
    0) echo --abstraction extra-m ;;
    1) echo --order bfs ;;
    2) echo --order bfs --abstraction extra-lu+ ;;
    3) echo --bounds global ;;
    4) echo --abstraction extra-m --order bfs ;;
    5) echo --bounds global --order bfs ;;
    6) echo --order tw --abstraction extra-m+ ;;
    *) ;;
  esac
}

query() {
  p=P$((seed / 3 % processes)) l=l$((seed / 5 % 3)) o=P$((seed / 7 % processes)) k=l$((seed / 11 % 3))
  run_if=': satisfied' # what says that there is such a run
  case $((seed / 13 % 8)) in
    0) text="A<> $p.$l" run_if=': not satisfied' ;;
    1) text="E[] not $p.$l" ;;
    2) text="$p.$l --> $o.$k" run_if=': not satisfied' ;;
    3) text="buchi: $p.$l" ;;
    4) text="buchi: $p.$l && $o.$k, ${p}_$l" ;;
    5) text="A<> ($p.$l or $o.$k)" run_if=': not satisfied' ;;
    6) text="E[] ($p.$l or $o.$k)" ;;
    *) text="not $p.$l --> ($p.$l or $o.$k)" run_if=': not satisfied' ;;
  esac
}

true_claim() {
  "$forge" "$seed" "$each" c.cert m || complain "forge fails"
  accepted c.cert $(ls | grep '^m-')
  grep -q '^c.cert$' by_tarn || complain "tarn rejects a certificate of its own: $*"
  if grep -q '^c.cert$' by_proved; then
    valid=$((valid + 1))
  elif grep -q '^c.cert$' undecided; then
    refused=$((refused + 1))
    case $(options) in *extra-m*) complain "with extra-m all tests are seen, but the proved checker refuses: $*" ;; esac
    return
  else
    complain "the proved checker rejects a valid certificate: $*"
  fi
  needless=$((needless + $(grep -c -e '-d' by_proved)))
  sort by_proved undecided | comm -23 by_tarn - >more
  [ ! -s more ] || complain "tarn accepts more: $(head -2 more | tr '\n' ' ')"
  comm -13 by_tarn by_proved >more
  [ ! -s more ] || complain "the proved checker accepts more: $(head -2 more | tr '\n' ' ')"
  dropped=$((dropped + $(ls | grep -c '^m-d') - $(grep -c -e '-d' by_proved)))
  harmless=$(grep -c '^m-f' by_proved)
  changed=$((changed + $(ls | grep -c '^m-f') - harmless)) kept=$((kept + harmless))
}

# claim QUERY: forgeries of a certificate for another query.
lie() {
  rm -f c.cert m-*
  timeout 10 "$tarn" check --quiet --symmetry off -q "$1" --certificate c.cert $(options) model.tck >/dev/null 2>&1
  [ -f c.cert ] || return
  "$forge" "$seed" "$each" c.cert m 3 "$text" || complain "forge fails"
  accepted $(ls | grep '^m-')
  for by in by_tarn by_proved; do
    [ ! -s $by ] || { complain "a false claim is accepted ($by): $(head -1 $by)"; cp "$(head -1 $by)" "wrong-$seed.cert"; }
  done
  lies=$((lies + $(ls | grep -c '^m-')))
}

for seed in $(seq "$first" $((first + count - 1))); do
  rm -f c.cert m-*
  processes=$((1 + seed % 3))
  "$tarn" gen random seed="$seed" processes=$processes clocks=$((seed / 2 % 4)) locations=$((2 + seed / 3 % 3)) \
    edges=$((3 + seed / 4 % 4)) ints=$((seed / 5 % 3)) >model.tck || exit 1
  models=$((models + 1))
  query
  timeout 10 "$tarn" check --quiet -q "$text" --certificate c.cert $(options) model.tck >answer 2>/dev/null
  if [ -f c.cert ]; then
    true_claim "$(options) $text"
  elif grep -q -e "$run_if" answer; then
    lie 'A[] true'
    lie 'buchi: false'
    lie 'false --> true'
  fi
done
echo "seeds $first to $((first + count - 1)): $models models, $valid certificates accepted by both, $refused do not show the proof that nothing is deadlocked; rejected by both:" \
  "$dropped without a successor ($needless were needless), $changed changed ($kept changed ones are valid), $lies false claims; $wrong wrong"
[ $wrong = 0 ]
