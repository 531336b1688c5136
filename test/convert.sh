#!/bin/sh
# Models in both languages: test/convert.sh. A generated model and what `tarn gen --format xta` and
# `tarn convert` make of it have the same counts, and so has what comes back. One line each.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
TARN=${TARN:-$root/build/release/tarn}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

counts() {
  timeout 60 "$TARN" check --engine zones --symmetry off --order bfs --stats "$1" 2>&1 </dev/null |
    grep -E '^ *(visited|stored|transitions) '
}

# same NAME FILE: the file has the counts of the original.
same() {
  counts "$2" >"$scratch/counts"
  if cmp -s "$scratch/wanted" "$scratch/counts"; then
    echo "ok convert/$1"
  else
    failed=1
    echo "FAIL convert/$1: the counts differ"
    diff "$scratch/wanted" "$scratch/counts" | sed 's/^/    /'
  fi
}

for family in 'fischer 4' 'fischer 3 buggy=1' 'fddi 3' 'train-gate 3' 'critical-region 2'; do
  name=$(echo "$family" | tr ' ' '-')
  # shellcheck disable=SC2086 # the arguments are separate words
  "$TARN" gen $family >"$scratch/model.tck" || { echo "FAIL convert/$name"; failed=1; continue; }
  counts "$scratch/model.tck" >"$scratch/wanted"
  # shellcheck disable=SC2086
  "$TARN" gen --format xta $family >"$scratch/model.xta"
  same "$name, xta" "$scratch/model.xta"
  "$TARN" convert "$scratch/model.tck" | sed 1d >"$scratch/again.xta"
  sed 1d "$scratch/model.xta" | cmp -s - "$scratch/again.xta" ||
    { echo "FAIL convert/$name: convert and gen differ"; failed=1; }
  if "$TARN" convert "$scratch/model.xta" >"$scratch/back.tck" 2>"$scratch/err"; then
    same "$name, back" "$scratch/back.tck"
  else
    echo "ok convert/$name, back: refused: $(head -1 "$scratch/err" | sed 's/.*: //')"
  fi
done
exit $failed
