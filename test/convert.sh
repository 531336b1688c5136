#!/bin/sh
# Models in both languages: test/convert.sh. A generated model and what `tarn gen --format xta` and
# `tarn convert` make of it have the same counts, and so has what comes back. One line each.
# TARN_ALL=1 takes all models of the corpus, else it is every fifth.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
TARN=${TARN:-$root/build/release/tarn}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

# More options for the search, see below.
bounds=
counts() {
  # shellcheck disable=SC2086 # several options
  timeout 60 "$TARN" check $bounds --engine zones --symmetry off --order bfs --stats "$1" 2>&1 </dev/null |
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

# Synchronisations of more than two processes are broadcasts, whose sender has all guards. It tests the
# clocks of the others wherever they are, so clock bounds of single locations differ; global ones do not.
bounds='--bounds global'
cat >"$scratch/three.tck" <<'EOF'
system:three
event:go
event:tau
clock:2:x
int:1:0:3:0:v
process:P
location:P:A{initial: : invariant: x[0]<=4}
location:P:B{invariant: x[0]<=6}
edge:P:A:B:go{provided: x[0]>=2 : do: v=(v+1)%4;x[0]=0}
edge:P:B:A:go{provided: v!=2}
edge:P:A:A:tau{provided: x[0]>=3 : do: x[0]=0}
process:Q
location:Q:A{initial:}
location:Q:B{}
location:Q:C{}
edge:Q:A:B:go{provided: x[1]<=5 && v<=2 : do: x[1]=0}
edge:Q:B:B:go{provided: v==1}
edge:Q:B:C:go{provided: v>=1 : do: v=(v+2)%4}
edge:Q:C:A:tau{provided: x[1]>=1}
process:R
location:R:A{initial:}
location:R:B{committed:}
edge:R:A:B:go{do: v=(v*3)%4}
edge:R:B:A:tau{}
sync:P@go:Q@go:R@go
EOF
for family in 'csma 3' 'csma 4' three; do
  name=$(echo "$family" | tr ' ' '-')
  # shellcheck disable=SC2086
  [ "$family" = three ] || "$TARN" gen $family >"$scratch/$name.tck"
  counts "$scratch/$name.tck" >"$scratch/wanted"
  "$TARN" convert "$scratch/$name.tck" >"$scratch/$name.xta"
  same "$name, xta" "$scratch/$name.xta"
done

# refused NAME WHY CHANGE: the model, changed, is not converted.
refused() {
  sed "$3" "$scratch/three.tck" >"$scratch/refused.tck"
  if "$TARN" convert "$scratch/refused.tck" 2>&1 | grep -q "$2"; then
    echo "ok convert/$1: refused"
  else
    failed=1
    echo "FAIL convert/$1: it is not refused, or for another reason"
  fi
}
refused 'updates in another order' 'would run in another order' 's/^sync.*/sync:P@go:R@go:Q@go/'
refused 'two clock guards' 'several edges from one location' 's/provided: v==1/provided: x[1]<=1/'
refused 'a name that is needed' 'at_Q. is needed' 's|^int:1:0:3:0:v|int:1:0:3:0:at_Q\n&|'
refused 'a range that is left' 'can leave their ranges' 's/do: v=(v\*3)%4/do: v=v+1/'
refused 'a number that is too large' 'at most 2147483647' 's/x\[0\]<=4/x[0]<=4000000000/'

# Between .xml and .xta, there and back: the same model, the same drawing; what is written follows UPPAAL's
# format. The model has the name of its file, so all have one.
coordinates() { grep -o ' x="[-0-9]*" y="[-0-9]*"' "$1"; }
valid() {
  xmllint --nonet --noout --dtdvalid test/uppaal/nta.dtd "$1" >"$scratch/err" 2>&1
  ! grep -v "$2" "$scratch/err" | grep -q 'validity error\|parser error'
}
# around NAME FILE
around() {
  folder=$scratch/around
  rm -rf "$folder"
  mkdir "$folder"
  model=$folder/m.${2##*.}
  cp "$2" "$model"
  timeout 60 "$TARN" show "$model" >"$scratch/wanted" 2>/dev/null || return
  shown=$((shown + 1))
  why=
  repeated='no such message' # an id that the model has twice
  [ -z "$(grep -o '<location[^>]* id="[^"]*"' "$model" | sed 's/.*id=//' | sort | uniq -d)" ] || repeated='already defined'
  mkdir "$folder/a" "$folder/b" "$folder/c"
  if ! "$TARN" convert --to xta "$model" -o "$folder/a/m.xta" 2>"$scratch/err"; then
    grep -q 'is not a name in .xta' "$scratch/err" && named=$((named + 1)) && return
    why="not written as .xta: $(head -1 "$scratch/err")"
  elif ! "$TARN" convert --to xml "$folder/a/m.xta" -o "$folder/b/m.xml" 2>"$scratch/err"; then
    why="not written as .xml: $(head -1 "$scratch/err")"
  elif ! "$TARN" show "$folder/a/m.xta" 2>/dev/null | cmp -s - "$scratch/wanted"; then
    why='as .xta it is another model'
  elif ! "$TARN" show "$folder/b/m.xml" 2>/dev/null | cmp -s - "$scratch/wanted"; then
    why='as .xml it is another model'
  elif ! "$TARN" fmt --check "$folder/a/m.xta" >/dev/null; then
    why='the .xta is not laid out'
  elif [ "$xmllint" = yes ] && ! valid "$folder/b/m.xml" "$repeated"; then
    why="not valid: $(head -1 "$scratch/err")"
  elif "$TARN" convert --to xml "$model" -o "$folder/c/m.xml" 2>/dev/null && [ "${2##*.}" = xml ] &&
    [ "$(coordinates "$folder/b/m.xml" | cksum)" != "$(coordinates "$folder/c/m.xml" | cksum)" ]; then
    why='the drawing is another one'
  fi
  [ -z "$why" ] && good=$((good + 1)) && return
  failed=1
  echo "FAIL convert/around, $1: $why"
}
cd "$root" || exit 2
xmllint=no
command -v xmllint >/dev/null && xmllint=yes || echo 'skip convert/valid: xmllint is not installed'
shown=0 good=0 named=0
for file in models/*.xta test/uppaal/*.xml test/run/*.xml test/run/*.xta; do
  [ -e "$file" ] && around "$file" "$file"
done
echo "ok convert/around, own models: $good of $shown"
shared=${TARN_SHARED:-../shared}
if [ -d "$shared/corpus" ]; then
  shown=0 good=0 named=0
  number=0
  for file in "$shared"/corpus/*.xml "$shared"/corpus/*.xta "$shared"/corpus/*.ta; do
    number=$((number + 1))
    [ "${TARN_ALL:-0}" = 0 ] && [ $((number % 5)) != 0 ] && continue
    around "$(basename "$file")" "$file"
  done
  echo "ok convert/around, corpus: $good of $shown, $named with a word of .xta as a name"
else
  echo "skip convert/around, corpus: no folder $shared/corpus"
fi

# Without graphviz there are places, too, and no two locations have the same.
mkdir "$scratch/empty"
PATH=$scratch/empty "$TARN" convert --to xml models/train-gate.xta -o "$scratch/layers.xml"
if [ "$(grep -c '<location' "$scratch/layers.xml")" = "$(grep -o '<location.* x=.* y=.*' "$scratch/layers.xml" |
  sed 's/ id="[^"]*"//' | sort | uniq -c | wc -l)" ] || [ "$(grep -c '<location.*x=' "$scratch/layers.xml")" = 8 ]; then
  echo 'ok convert/layers'
else
  echo 'FAIL convert/layers: places are missing'
  failed=1
fi

# A model of TChecker's language as XML, by way of .xta.
"$TARN" convert --to xml models/fischer.tck >"$scratch/fischer.xml" && "$TARN" check "$scratch/fischer.xml" >/dev/null &&
  echo 'ok convert/tck to xml' || { echo 'FAIL convert/tck to xml'; failed=1; }
exit $failed
