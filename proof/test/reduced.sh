#!/bin/sh
# Random networks in which time often stands still, and their certificates with reduced sets:
# proof/test/reduced.sh KIND FIRST COUNT (KIND: sets, of sets.awk; still, text, near, of test/fuzz/still_print)
#
# A certificate that tarn makes is accepted, or refused because of its sets or its model: not all is proved.
# Where one is accepted, a search without partial order must give the same answer. With a build in PLANTED, of which
# a rule is left out (make MODE=planted), its false certificates must be rejected. The last line is the sum.
set -u
cd "$(dirname "$0")/../.." || exit 2
root=$PWD kind=$1 first=$2 count=$3
tarn=$(realpath "${TARN:-build/release/tarn}") proved=$PWD/build/proof/tarn-proved
print=$PWD/build/release/test/fuzz/still_print
[ -z "${PLANTED:-}" ] || PLANTED=$(realpath "$PLANTED")
rules=$(grep -v '^#' test/fuzz/partial/rules.tsv | cut -f 1 | sort -u)
[ -x "$print" ] || exit 2
work=${WORK:-build/proof/reduced}
mkdir -p "$work" && cd "$work" || exit 2
proved_count=0 refused=0 lies=0 wrong=0

complain() {
  wrong=$((wrong + 1))
  echo "wrong: $kind, seed $seed, $*"
  cp "$model" "wrong-$kind-$seed-$model"
}

# Whether this makes a certificate with reduced sets: QUERY PROGRAM...
makes() {
  rm -f cert
  makes_query=$1
  shift
  timeout 10 "$@" check --quiet --partial-order on --engine zones --certificate cert -q "$makes_query" "$model" </dev/null >answer 2>/dev/null
  [ -s cert ] && [ "$(head -c 19 cert)" = 'tarn certificate 6' ] && [ $(($(head -c 20 cert | tail -c 1 | od -An -tu1) & 16)) -ne 0 ]
}

# Whether a search without partial order gives the same answer as that of the certificate.
agrees() {
  timeout 20 "$tarn" check --quiet --partial-order off --engine zones --symmetry off -q "$1" "$model" </dev/null >full 2>/dev/null
  cmp -s answer full
}

seed=$first
while [ "$seed" -lt $((first + count)) ]; do
  if [ "$kind" = sets ]; then
    awk -v seed="$seed" -f "$root/proof/test/sets.awk" >text
  else
    (cd "$root" && "$print" "$kind" "$seed") >text
  fi
  model=model.$(sed -n '1s/^[^ ]* //p' text)
  cp text "$model"
  grep -E '^(#|//) query ' text | sed 's/^[^ ]* query //' >queries
  while IFS= read -r query <&3; do
    if makes "$query" "$tarn"; then
      if "$proved" "$model" cert >said 2>&1; then
        proved_count=$((proved_count + 1))
        agrees "$query" || complain "query $query: a false certificate is accepted"
      elif grep -q -e 'reduced sets are not proved' -e 'are not covered by the proof$' said; then
        refused=$((refused + 1))
        [ -z "${KEEP:-}" ] || cp "$model" "$KEEP/$kind-$seed-$model"
      else
        complain "query $query: $(cat said)"
      fi
    fi
    [ -n "${PLANTED:-}" ] || continue
    for rule in $rules; do
      makes "$query" env TARN_PLANTED="por-$rule" "$PLANTED" && ! agrees "$query" || continue
      lies=$((lies + 1))
      ! "$proved" "$model" cert >said 2>&1 || complain "query $query, without the rule $rule: a false certificate is accepted"
    done
  done 3<queries
  seed=$((seed + 1))
done
echo "$kind, seeds $first to $((first + count - 1)): $proved_count certificates with reduced sets are accepted," \
  "$refused refused; $lies false ones are rejected; $wrong are wrong"
[ $wrong = 0 ]
