#!/bin/sh
# The release build and the reference build count the same: test/fuzz/agree_plain.sh COUNT [FIRST]
#    or test/fuzz/agree_plain.sh --model FILE...
#
# Runs agree_plain.c, in both builds, and shows where they print something else. `--show SEED` of it
# prints a model. The last long run is in test/fuzz/agree_plain.txt. BUILD=build/asan takes another
# build in place of release.
set -u
cd "$(dirname "$0")/../.." || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
name="agree_plain $1 from ${2:-1}"
[ "$1" != --model ] || name="agree_plain, $(($# - 1)) files"

fast=$(basename "${BUILD:-build/release}")
for mode in "$fast" plain; do
  if ! "build/$mode/test/fuzz/agree_plain" "$@" >"$scratch/$mode" 2>"$scratch/error"; then
    echo "FAIL $name: $mode ends with an error after this"
    tail -n 2 "$scratch/$mode" "$scratch/error" | sed 's/^/    /'
    exit 1
  fi
done
searches=$(grep -c '^  ' "$scratch/plain")
refused=$(grep -c -e ': -1 ' -e ': refused' "$scratch/plain")
short=$(grep -c '^  .*: 3 ' "$scratch/plain")
# Every line gets its model in front, so that the difference shows it.
for mode in "$fast" plain; do
  awk '/^[^ ]/ { model = $0 } /^ / { print model "\t" $0 }' "$scratch/$mode" >"$scratch/$mode.lines"
done
# Zones that are not extrapolated outgrow the range of bounds where others do not.
grep -n 'outgrows' "$scratch/plain.lines" | sed 's/:.*/d/' >"$scratch/outgrown"
for mode in "$fast" plain; do sed -i -f "$scratch/outgrown" "$scratch/$mode.lines"; done
if diff "$scratch/$fast.lines" "$scratch/plain.lines" >"$scratch/difference"; then
  echo "ok $name: $searches searches ($refused refused or failing, $short cut short)"
else
  echo "FAIL $name: $fast and plain differ; agree_plain --show SEED prints the model"
  sed 's/^/    /' "$scratch/difference"
  exit 1
fi
