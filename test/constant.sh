#!/bin/sh
# The network does not change after reading. The compiler checks the rest (-Wcast-qual).
#
# - No cast drops const from a Net.
# - Outside of the readers and the model, who has a Net that is not const has made it: a copy or a
#   view for a query, a slice or a symmetry.
# - A session and a check see the network that was read through a pointer to const.
cd "$(dirname "$0")/.." || exit 2
src=${1:-src}
failed=0
# none NAME LINES: there must be none.
none() {
  if [ -n "$2" ]; then
    echo "FAIL constant/$1:"
    echo "$2" | sed 's/^/    /'
    failed=1
  else
    echo "ok constant/$1"
  fi
}
none casts "$(grep -rnE '\((struct )?Net \*(const)?\) *[a-z&(]' "$src" --include='*.[ch]')"
none copies "$(grep -rnE '\bNet (\*+ ?)?[a-z_]+' "$src" --include='*.[ch]' |
  grep -vE 'const (struct )?Net |^[^:]*:[0-9]*: *//|// .*\bNet [a-z]' |
  grep -vE "^$src/(language|model)/" |
  # their own copies
  grep -vE "^$src/(analysis/(slice|forget|symmetry/widening)|semantics/zone/setup|answers/runs/(alike|cover|differ)|answers/certificates/proof|output/convert|plan/taken|check/meaning)\.[ch]:" |
  grep -vE "^$src/plan/(certain|checking|compose|conclude|evidence|slices)\.c:" |
  grep -vE "^$src/plan/service/service_document\.h:" | # read there, for an editor
  grep -vE "^$src/plan/checking\.h:.* Net \*slice;" |
  grep -vE "^$src/plan/session\.h:.* Net loaded;")"
# Only reading and releasing touch what was read, and only by this name.
none loaded "$(grep -rnE '[>.]loaded\b' "$src" --include='*.c' |
  grep -vE "net_init\(&tarn->loaded|tarn->net = &tarn->loaded|tck_read\)\(&tarn->loaded" |
  grep -vE "^$src/plan/load\.c:[0-9]*:  tarn->loaded\.origin\.define = ")" # what to read
exit $failed
