#!/bin/sh
# Every model that is there, laid out and converted: test/roundtrips.sh, or make roundtrips.
# test/fmt.sh and test/convert.sh on the whole corpus; then
# - the coordinates of .xml -> .xta -> .xml are those of the file;
# - `tarn fmt` of queries changes no verdict;
# - between TChecker's language and UPPAAL's all conversions that are not refused have the same counts of states.
# A search has one second; what takes longer is counted as skipped.
set -u
cd "$(dirname "$0")/.." || exit 2
TARN=${TARN:-build/release/tarn}
shared=${TARN_SHARED:-../shared}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0
TARN_ALL=1 test/fmt.sh | grep -v '^ok fmt/[^oc]' || failed=1
TARN_ALL=1 test/convert.sh | grep -e '^FAIL' -e around || failed=1

fail() {
  failed=1
  echo "FAIL roundtrips/$1: $2"
}

# The drawing: places of locations, nails, names and labels. Empty ones are not drawn; charts of `<lsc>` are not
# converted, which tarn says.
drawing() {
  tr '\r\n' '  ' <"$1" | sed -E 's/<lsc>.*<\/lsc>//; s/<(name|label)[^<>]*\/>//g; s/<(name|label)[^<>]*> *<\///g' | grep -oE '<(location|branchpoint|nail|label|name)[^<>]*>' |
    grep -oE '^<[a-z]+| x="-?[0-9]+"| y="-?[0-9]+"' | sed 's/="0*\([0-9]\)/="\1/' | tr -d '\n' | sed 's/</\n/g' | grep ' x='
}
same=0 refused=0
for file in "$shared"/corpus/*.xml; do
  [ -e "$file" ] || continue
  "$TARN" show "$file" >/dev/null 2>&1 || continue
  if ! "$TARN" convert --to xta "$file" -o "$scratch/a.xta" 2>"$scratch/err" ||
    ! "$TARN" convert --to xml "$scratch/a.xta" -o "$scratch/b.xml" 2>"$scratch/err"; then
    grep -q 'is not a name in .xta' "$scratch/err" && refused=$((refused + 1)) && continue
    fail "$file" "$(head -1 "$scratch/err")"
    continue
  fi
  drawing "$file" | sort >"$scratch/old"
  drawing "$scratch/b.xml" | sort >"$scratch/new"
  # What the file has no place for gets one.
  if comm -23 "$scratch/old" "$scratch/new" | grep -q .; then
    fail "$file" "the drawing lost $(comm -23 "$scratch/old" "$scratch/new" | head -2 | tr '\n' ' ')"
  else
    same=$((same + 1))
  fi
done
echo "ok roundtrips/coordinates of the file: $same, refused for a name: $refused"

verdicts() { timeout 60 "$TARN" check --quiet --time-limit 1 --memory-limit 500 "$1" 2>/dev/null </dev/null | grep -oE ': (satisfied|not satisfied|undecided|refused|estimated)[^:]*$'; }
same=0
for file in models/*.xta "$shared"/corpus/*.xml "$shared"/corpus/*.xta; do
  grep -q '<formula>' "$file" 2>/dev/null || [ -e "${file%.*}.q" ] || continue
  cp "$file" "$scratch/m.${file##*.}"
  rm -f "$scratch/m.q"
  [ -e "${file%.*}.q" ] && cp "${file%.*}.q" "$scratch/m.q"
  verdicts "$scratch/m.${file##*.}" >"$scratch/old"
  [ -s "$scratch/old" ] || continue
  "$TARN" fmt "$scratch/m.${file##*.}" || fail "$file" 'fmt'
  [ ! -e "$scratch/m.q" ] || "$TARN" fmt "$scratch/m.q" || fail "$file" 'fmt of its queries'
  verdicts "$scratch/m.${file##*.}" >"$scratch/new"
  # A limit may come earlier or later.
  if paste "$scratch/old" "$scratch/new" | grep -v undecided | awk -F'\t' '$1 != $2 { bad = 1 } END { exit !bad }'; then
    fail "$file" 'fmt changes a verdict'
  else
    same=$((same + 1))
  fi
  rm -f "$scratch/m.${file##*.}"
done
echo "ok roundtrips/verdicts after fmt: $same models"
rm -f "$scratch/m.q" # the conversions have the same name

counts() {
  timeout 20 "$TARN" check --time-limit 1 --memory-limit 500 --bounds global --engine zones --symmetry off --order bfs \
    --partial-order off --stats "$1" 2>&1 </dev/null | grep -E '^ *(visited|stored|transitions) |limit|undecided'
}
# converted FILE TO
converted() {
  if ! timeout 20 "$TARN" convert --to "$2" "$1" -o "$scratch/m.$2" 2>"$scratch/err"; then
    refused=$((refused + 1))
    [ -s "$scratch/err" ] || fail "$1 to $2" 'it is refused without a reason'
    return
  fi
  sed '/<queries>/,/<\/queries>/d' "$1" >"$scratch/o.${1##*.}"
  sed -i '/<queries>/,/<\/queries>/d' "$scratch/m.$2"
  counts "$scratch/o.${1##*.}" >"$scratch/old"
  counts "$scratch/m.$2" >"$scratch/new"
  if grep -q 'limit\|undecided' "$scratch/old" "$scratch/new" || [ ! -s "$scratch/old" ]; then
    skipped=$((skipped + 1)) # or the model has a mistake that appears during the search
  elif cmp -s "$scratch/old" "$scratch/new"; then
    same=$((same + 1))
  else
    fail "$1 to $2" 'the counts differ'
  fi
}
same=0 skipped=0 refused=0
for file in models/*.xta test/run/*.xta "$shared"/corpus/*.xml "$shared"/corpus/*.xta "$shared"/corpus/*.ta; do
  [ -e "$file" ] && converted "$file" tck
done
echo "ok roundtrips/to tck: $same, skipped $skipped, refused $refused"
same=0 skipped=0 refused=0
for file in models/*.tck test/run/*.tck $(find "$shared/models" -name '*.tck' 2>/dev/null); do
  converted "$file" xta
  converted "$file" xml
done
echo "ok roundtrips/from tck: $same, skipped $skipped, refused $refused"
exit $failed
