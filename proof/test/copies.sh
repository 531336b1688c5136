#!/bin/sh
# Random networks of copies of one process: proof/test/copies.sh FIRST COUNT
#
# Searches of these are reduced by symmetry. Where the query is unreachable, tarn's certificate must
# be accepted by both checkers; some renamings the proved one refuses, and says so. Without one of
# its successors, or changed in other ways, tarn must reject it if the proved checker does (but for
# renamings that this one does not prove). Where the query is reachable,
# certificates that claim the opposite, changed or not, must be rejected by both. The last line is
# the sum. Files of what went wrong stay.
set -u
cd "$(dirname "$0")/../.." || exit 2
first=$1 count=$2 each=${EACH:-12}
tarn=$(realpath "${TARN:-build/release/tarn}") proved=$PWD/build/proof/tarn-proved forge=$PWD/build/proof/forge
print=$(realpath "${PRINT:-build/release/test/fuzz/copies_print}")
work=${WORK:-build/proof/copies}
ulimit -S -s "$(ulimit -H -s)" # forge recurs on lists, and a certificate can have 5,000,000 successors
mkdir -p "$work" && cd "$work" || exit 2
reduced=0 valid=0 refused=0 dropped=0 needless=0 changed=0 kept=0 lies=0 wrong=0

# The features of a certificate: the number after its first line.
features() { head -c 20 "$1" | tail -c 1 | od -An -tu1 | tr -d ' '; }

complain() {
  wrong=$((wrong + 1))
  echo "wrong: seed $seed, $*"
  cp model.tck "wrong-$seed.tck"
}

# Which of these files each checker accepts, as lines; what the proved one says of renamings.
accepted() {
  "$tarn" certify model.tck "$@" 2>/dev/null | grep -v '^  ' | awk -v files="$*" 'BEGIN { split(files, f, " ") } { if (/certificate is accepted/) print f[NR] }' | sort >by_tarn
  "$proved" model.tck "$@" >by_proved_all 2>/dev/null
  grep -v ': rejected: ' by_proved_all | sed 's/: .*//' | sort >by_proved
  grep 'not proved to be symmetries' by_proved_all | sed 's/: .*//' | sort >unproved
}

true_claim() {
  "$forge" "$seed" "$each" c.cert m || complain "forge fails"
  accepted c.cert $(ls | grep '^m-')
  grep -q '^c.cert$' by_tarn || complain "tarn rejects a certificate of its own"
  if grep -q '^c.cert$' by_proved; then
    valid=$((valid + 1))
  elif grep -q '^c.cert$' unproved; then
    refused=$((refused + 1))
    return
  else
    complain "the proved checker rejects a valid certificate"
  fi
  # A successor in local time may be none in global time: nothing is missing without it.
  needless=$((needless + $(grep -c -e '-d' by_proved)))
  sort by_proved unproved | comm -23 by_tarn - >more
  [ ! -s more ] || complain "tarn accepts more: $(head -2 more | tr '\n' ' ')"
  dropped=$((dropped + $(ls | grep -c '^m-d') - $(grep -c -e '-d' by_proved)))
  harmless=$(grep -c '^m-f' by_proved)
  changed=$((changed + $(ls | grep -c '^m-f') - harmless)) kept=$((kept + harmless))
}

false_claim() {
  timeout 10 "$tarn" check --quiet --partial-order off -q 'A[] true' --certificate c.cert model.tck >/dev/null 2>&1
  [ $? != 124 ] || rm -f c.cert # half of one may be written
  [ -f c.cert ] || return
  "$forge" "$seed" "$each" c.cert m 1 "$query" || complain "forge fails"
  accepted $(ls | grep '^m-')
  for by in by_tarn by_proved; do
    [ ! -s $by ] || complain "a false claim is accepted ($by): $(head -1 $by)"
  done
  lies=$((lies + $(ls | grep -c '^m-')))
}

for seed in $(seq "$first" $((first + count - 1))); do
  "$print" "$seed" >model.tck
  query=$(sed -n '1s/^# //p' model.tck)
  PROCESSES=$(grep -c '^process:' model.tck)
  export PROCESSES
  for q in "$query" 'A[] true'; do # the second one is true
    rm -f c.cert m-*
    timeout 10 "$tarn" check --quiet --partial-order off -q "$q" --certificate c.cert model.tck >answer 2>/dev/null
    [ $? != 124 ] || rm -f c.cert # half of one may be written
    if [ "$q" = "$query" ] && [ ! -f c.cert ] && grep -q ': satisfied' answer; then
      false_claim
    elif [ -f c.cert ] && [ "$(features c.cert)" = 1 ]; then
      reduced=$((reduced + 1))
      true_claim
    fi
  done
done
echo "seeds $first to $((first + count - 1)): $reduced certificates with symmetry, $valid accepted by both, $refused with renamings that the proof does not cover;" \
  "rejected by both: $dropped without a successor ($needless were needless, of local time), $changed changed ($kept changed ones are valid), $lies false claims; $wrong wrong"
[ $wrong = 0 ]
