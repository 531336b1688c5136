#!/bin/sh
# Random networks, their certificates, and forged ones: proof/test/random.sh FIRST COUNT
#
# For each seed a network is made, with a query and options that the seed chooses. The proved
# checker must read it as `tarn show` does. Where the query is unreachable, tarn's certificate must
# be accepted by both checkers, and be rejected by both without any one of its successors (of a
# search in local time: without any one that is possible in global time); with other changes the
# two must agree. Where it is reachable, forged certificates that claim the opposite must be
# rejected by both, and the run be accepted. The last line is the sum. Files of what went wrong
# stay.
set -u
cd "$(dirname "$0")/../.." || exit 2
first=$1 count=$2 each=${EACH:-12}
tarn=$(realpath "${TARN:-build/release/tarn}") proved=$PWD/build/proof/tarn-proved forge=$PWD/build/proof/forge
work=${WORK:-build/proof/random}
mkdir -p "$work" && cd "$work" || exit 2
models=0 valid=0 dropped=0 needless=0 same=0 harmless=0 lies=0 runs=0 wrong=0

complain() {
  wrong=$((wrong + 1))
  echo "wrong: seed $seed, $*"
  cp model.tck "wrong-$seed.tck"
}

# Which of these files each checker accepts, as lines; both get them all at once.
accepted() {
  "$tarn" certify model.tck "$@" 2>/dev/null | grep -v '^  ' | awk -v files="$*" 'BEGIN { split(files, f, " ") } { if (/certificate is accepted/) print f[NR] }' | sort >by_tarn
  "$proved" model.tck "$@" 2>/dev/null | grep -v ': rejected: ' | sed 's/: .*//' | sort >by_proved
}

# options: as a word list; the last is the seed's business
options() {
  # Differences of clocks that a node lists are not in the format that the proved checker reads.
  if [ $((seed % 17)) -eq 0 ]; then
    echo --abstraction none
    return
  fi
  case $((seed % 16)) in
    0) echo --bounds fly ;;
    1) echo --bounds lazy ;;
    2) echo --bounds global ;;
    3) echo --abstraction extra-lu+ ;;
    4) echo --abstraction extra-m ;;
    5) echo --abstraction closure ;;
    6) echo --abstraction am ;;
    7) echo --delay before ;;
    8) echo --abstraction extra-lu --bounds global ;;
    9) echo --bounds lazy --order dfs ;;
    10) echo --bounds fly --order bfs ;;
    11) echo --abstraction extra-m+ ;;
    12) echo --engine local ;;
    13) echo --engine local --abstraction extra-lu+ ;;
    14) echo --engine local --bounds global --order dfs ;;
    *) echo --bounds local ;;
  esac
}

query() {
  p=P$((seed / 3 % processes)) l=l$((seed / 5 % 3)) c=$((seed / 7 % 6))
  case $((seed / 13 % 6)) in
    0) kind=0 text= ;;
    1) kind=2 text=${p}_$l ;;
    2) kind=1 text="E<> $p.$l && x0 > $c" ;;
    3) kind=1 text="A[] ($p.$l imply x0 <= $c) || x0 == 2" ;;
    4) kind=1 text="E<> $p.$l and not (x0 < $c or v0 >= 1)" ;;
    *) kind=1 text="E<> $p.$l && x0 >= $c && x1 != $c" ;;
  esac
}

# The certificate and its forgeries.
true_claim() {
  valid=$((valid + 1))
  "$forge" "$seed" "$each" c.cert m || complain "forge fails"
  accepted c.cert $(ls | grep '^m-')
  grep -q '^c.cert$' by_tarn || complain "tarn rejects a certificate of its own: $*"
  grep -q '^c.cert$' by_proved || complain "the proved checker rejects a valid certificate: $*"
  # A successor in local time may be none in global time: nothing is missing without it.
  case $(options) in
    *local*) needless=$((needless + $(grep -c -e '-d' by_proved))) ;;
    *)
      grep -q -e '-d' by_tarn && complain "tarn accepts without a successor: $(grep -e -d by_tarn | head -1)"
      grep -q -e '-d' by_proved && complain "the proved checker accepts without a successor: $(grep -e -d by_proved | head -1)"
      ;;
  esac
  cmp -s by_tarn by_proved || complain "they disagree ($*): $(diff by_tarn by_proved | grep '^[<>]' | head -2 | tr '\n' ' ')"
  dropped=$((dropped + $(ls | grep -c '^m-d') - $(grep -c -e '-d' by_proved)))
  forged=$(ls | grep -c '^m-f')
  kept=$(grep -c '^m-f' by_proved)
  harmless=$((harmless + kept)) same=$((same + forged - kept))
}

# The query is reachable: both replay the run.
run() {
  timeout 10 "$tarn" check --quiet --json --trace concrete "$@" $(options) model.tck >run.json 2>/dev/null
  grep -q '"steps": \[' run.json || return
  runs=$((runs + 1))
  "$tarn" certify model.tck run.json >/dev/null 2>&1 || complain "tarn rejects a run of its own"
  "$proved" model.tck run.json >found 2>&1 || complain "the proved replayer rejects a run: $(cat found)"
}

# And no certificate says otherwise.
false_claim() {
  timeout 10 "$tarn" check --quiet --partial-order off -q 'A[] true' --certificate c.cert $(options) model.tck >/dev/null 2>&1
  [ $? != 124 ] || rm -f c.cert # half of one may be written
  [ -f c.cert ] || return
  "$forge" "$seed" "$each" c.cert m "$kind" "$text" || complain "forge fails"
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
    edges=$((3 + seed / 4 % 4)) ints=$((seed / 5 % 3)) faults=$((seed % 11 == 0)) diagonals=$((seed % 17 == 0)) >model.tck || exit 1
  models=$((models + 1))
  "$tarn" show model.tck >by_tarn 2>/dev/null
  "$proved" --show model.tck >by_proved 2>&1
  cmp -s by_tarn by_proved || complain "the readers disagree"
  query
  case $kind in
    0) set -- ;;
    1) set -- -q "$text" ;;
    2) set -- -l "$text" ;;
  esac
  timeout 10 "$tarn" check --quiet --partial-order off "$@" --certificate c.cert $(options) model.tck >answer 2>/dev/null
  [ $? != 124 ] || rm -f c.cert # half of one may be written
  if [ -f c.cert ]; then
    true_claim "$(options) $text"
  elif [ "$kind" != 0 ] && grep -q satisfied answer; then
    run "$@"
    false_claim
  fi
done
echo "seeds $first to $((first + count - 1)): $models models, $valid certificates and $runs runs accepted by both; rejected by both:" \
  "$dropped without a successor ($needless were needless, of local time), $same changed ($harmless changed ones are valid), $lies false claims; $wrong wrong"
[ $wrong = 0 ]
