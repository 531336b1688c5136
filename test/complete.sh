#!/usr/bin/env bash
# What bash offers for beginnings of command lines, and whether zsh can read its script.
cd "$(dirname "$0")/.." || exit 2
TARN=${TARN:-build/release/tarn}
failed=0
source <("$TARN" help --bash)

# offers NAME WANTED WORD...: completes the last word; WANTED is among the offers.
offers() {
  local name=complete/$1 wanted=$2
  shift 2
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _tarn 2>/dev/null
  if printf '%s\n' "${COMPREPLY[@]}" | grep -qxF -e "$wanted"; then
    echo "ok $name"
  else
    echo "FAIL $name: ${COMPREPLY[*]}"
    failed=1
  fi
}

offers command simulate tarn si
offers 'another command' convert tarn con
offers topic language tarn help lang
offers option --time-limit tarn check --ti
offers value zones tarn check --engine zo
offers 'value after a letter' dfs tarn check -o d
offers family fischer tarn gen fi
offers file models/fischer.tck tarn check -q 'A[] true' models/fischer.t
offers 'option of show' --dot tarn show --d
if command -v zsh >/dev/null; then
  if "$TARN" help --zsh >build/_tarn && zsh -n build/_tarn; then
    echo 'ok complete/zsh'
  else
    echo 'FAIL complete/zsh: the script cannot be read'
    failed=1
  fi
else
  echo 'skip complete/zsh: no zsh'
fi
exit $failed
