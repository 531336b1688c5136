#!/bin/sh
# Random networks and their certificates of points: TARN=... proof/test/points.sh FIRST COUNT
#
# tarn writes points where zones are many. So that small networks have them, TARN has to be one that is
# built with FEW_ZONES = 0 (src/answers/certificates/proof.c); with another one there are few certificates to try. What it writes must be accepted by
# both checkers; with one number changed the two must agree. Where the query is reachable, changed certificates that
# claim the opposite must be rejected by both. The last line is the sum. Files of what went wrong stay.
set -u
cd "$(dirname "$0")/../.." || exit 2
first=$1 count=$2 each=${EACH:-12}
tarn=$(realpath "${TARN:-build/release/tarn}") proved=$PWD/build/proof/tarn-proved forge=$PWD/build/proof/forge
work=${WORK:-build/proof/points}
mkdir -p "$work" && cd "$work" || exit 2
models=0 valid=0 changed=0 kept=0 lies=0 wrong=0

# The features of a certificate: the number after its first line.
features() { head -c 20 "$1" | tail -c 1 | od -An -tu1 | tr -d ' '; }

complain() {
  wrong=$((wrong + 1))
  echo "wrong: seed $seed, $*"
  cp model.tck "wrong-$seed.tck"
}

for seed in $(seq "$first" $((first + count - 1))); do
  rm -f c-*.cert m*-* l*-*
  processes=$((1 + seed % 3))
  "$tarn" gen random seed="$seed" closed=1 processes=$processes clocks=$((1 + seed / 2 % 3)) locations=$((2 + seed / 3 % 3)) \
    edges=$((3 + seed / 4 % 4)) ints=$((seed / 5 % 3)) >model.tck || exit 1
  models=$((models + 1))
  p=P$((seed / 3 % processes)) l=l$((seed / 5 % 3)) x=$((seed / 7 % 4))
  set -- "A[] true" "E<> $p.$l" "A[] ($p.$l imply x0 <= $x)" "E<> $p.$l && x0 >= $x && x1 <= 2"
  timeout 20 "$tarn" check --quiet --partial-order off --symmetry off --engine darts -q "$1" -q "$2" -q "$3" -q "$4" --certificate c.cert model.tck >answer 2>/dev/null
  [ $? != 124 ] || rm -f c-*.cert # half of one may be written
  i=0 files=
  for text; do
    i=$((i + 1))
    if [ -f c-$i.cert ]; then
      [ "$(features c-$i.cert)" = 8 ] || continue
      "$forge" $((seed * 4 + i)) "$each" c-$i.cert m$i
      files="$files c-$i.cert $(ls | grep "^m$i-" | tr '\n' ' ')"
    elif [ -f c-1.cert ] && [ "$(features c-1.cert)" = 8 ] && sed -n "${i}p" answer | grep -q satisfied; then
      "$forge" $((seed * 4 + i)) "$each" c-1.cert l$i 1 "$text"
      files="$files $(ls | grep "^l$i-" | tr '\n' ' ')"
    fi
  done
  [ -n "$files" ] || continue
  # shellcheck disable=SC2086 # separate words
  for file in $files; do "$tarn" certify model.tck $file 2>/dev/null | grep -c 'certificate is accepted'; done >by_tarn
  # shellcheck disable=SC2086
  "$proved" model.tck $files 2>/dev/null | awk '{ print !/: rejected: / }' >by_proved
  # shellcheck disable=SC2086
  paste -d ' ' by_tarn by_proved >both
  for file in $files; do
    read -r t q <&3
    case $file,$t,$q in
      c-*,1,1) valid=$((valid + 1)) ;;
      c-*) complain "a certificate of tarn is rejected (tarn $t, proved $q): $file" ;;
      m*,1,1) kept=$((kept + 1)) ;;
      m*,0,0) changed=$((changed + 1)) ;;
      m*) complain "they disagree (tarn $t, proved $q): $file" ;;
      *,0,0) lies=$((lies + 1)) ;;
      *) complain "a false claim is accepted (tarn $t, proved $q): $file" ;;
    esac
  done 3<both
done
echo "seeds $first to $((first + count - 1)): $models models, $valid certificates of points accepted by both; rejected by both:" \
  "$changed changed ($kept changed ones are valid), $lies false claims; $wrong wrong"
[ $wrong = 0 ]
