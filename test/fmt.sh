#!/bin/sh
# `tarn fmt`: what it makes of texts, that only white space changes, and that laying out twice is
# laying out once: test/fmt.sh. The models are ours and, if the folder is there, every
# fifth of the corpus; TARN_ALL=1 takes all of them.
set -u
cd "$(dirname "$0")/.." || exit 2
TARN=${TARN:-build/release/tarn}
shared=${TARN_SHARED:-../shared}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

fail() {
  failed=1
  echo "FAIL fmt/$1: $2"
}

# keeps NAME FILE: the file, laid out, has the same characters and is shown as the same model; laid
# out again it is the same.
keeps() {
  copy=$scratch/$(basename "$2")
  cp "$2" "$copy"
  if ! "$TARN" fmt "$copy" 2>"$scratch/err"; then
    fail "$1" "$(head -1 "$scratch/err")"
  elif ! "$TARN" fmt --check "$copy" >/dev/null; then
    fail "$1" 'laid out twice it is not the same'
  elif [ "$(tr -d ' \t\r\n' <"$2" | cksum)" != "$(tr -d ' \t\r\n' <"$copy" | cksum)" ]; then
    fail "$1" 'more than white space has changed'
  elif [ "${2%.q}" = "$2" ] && timeout 60 "$TARN" show "$2" >"$scratch/old" 2>/dev/null &&
    ! { "$TARN" show "$copy" 2>/dev/null | cmp -s - "$scratch/old"; }; then
    fail "$1" 'the model is another one'
  else
    kept=$((kept + 1))
  fi
}

kept=0
for file in models/*.tck models/*.xta models/*.q test/run/*.tck test/run/*.xta test/run/*.xml; do
  [ -e "$file" ] && keeps "$file" "$file"
done
echo "ok fmt/own models: $kept"
if [ -d "$shared/corpus" ]; then
  kept=0
  number=0
  for file in "$shared"/corpus/*.xml "$shared"/corpus/*.xta "$shared"/corpus/*.ta "$shared"/corpus/*.q; do
    number=$((number + 1))
    [ "${TARN_ALL:-0}" = 0 ] && [ $((number % 5)) != 0 ] && continue
    keeps "$(basename "$file")" "$file"
  done
  echo "ok fmt/corpus: $kept"
else
  echo "skip fmt/corpus: no folder $shared/corpus"
fi

# The models of the tree are laid out.
"$TARN" fmt --check models/*.tck models/*.xta models/*.q >"$scratch/out" &&
  echo 'ok fmt/models are laid out' || fail 'models are laid out' "$(cat "$scratch/out")"

# A verdict does not change.
cp models/fischer.xta models/fischer.q "$scratch"
sed -i 's/ = /  =/' "$scratch/fischer.xta"
"$TARN" fmt "$scratch/fischer.xta" "$scratch/fischer.q"
"$TARN" check models/fischer.xta >"$scratch/old"
"$TARN" check "$scratch/fischer.xta" | cmp -s - "$scratch/old" && echo 'ok fmt/verdicts' ||
  fail verdicts 'they differ'

# status NAME STATUS ARGUMENT...
status() {
  name=$1 wanted=$2
  shift 2
  "$TARN" fmt "$@" </dev/null >"$scratch/out" 2>&1
  found=$?
  [ "$found" = "$wanted" ] && echo "ok fmt/$name" || fail "$name" "exit status $found"
}
printf 'clock   x ;' >"$scratch/a.xta"
status 'check says 1' 1 --check "$scratch/a.xta"
status 'lays out' 0 "$scratch/a.xta"
status 'check says 0' 0 --check "$scratch/a.xta"
status 'no file' 2 "$scratch/b.xta"
status 'no name' 2
status 'no option' 2 --foo "$scratch/a.xta"
[ "$(printf 'int a=1;' | "$TARN" fmt -)" = 'int a = 1;' ] && echo 'ok fmt/standard input' ||
  fail 'standard input' 'another text'
exit $failed
