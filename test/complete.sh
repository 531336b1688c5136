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
offers 'option of lint' --time-limit tarn lint --ti
offers 'value of gen' xta tarn gen --format x
# zsh_offers NAME LINE WANTED: at a terminal, a tab after LINE makes WANTED of it.
zsh_offers() {
  if timeout 60 zsh -f -c '
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell "fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; PATH=$2:\$PATH; bindkey -e"
    zpty -w shell "print re\ady"
    zpty -r shell output "*ready*" || exit 1
    zpty -w -n shell "$3"$'"'\\t'"'
    zpty -r shell output "*$4*"' zsh "$PWD/build/zsh" "$(realpath "$(dirname "$TARN")")" "$2" "$3"; then
    echo "ok complete/zsh $1"
  else
    echo "FAIL complete/zsh $1: no offer of $3"
    failed=1
  fi
}

if command -v zsh >/dev/null; then
  mkdir -p build/zsh
  if "$TARN" help --zsh >build/zsh/_tarn && zsh -n build/zsh/_tarn; then
    echo 'ok complete/zsh'
  else
    echo 'FAIL complete/zsh: the script cannot be read'
    failed=1
  fi
  zsh_offers command 'tarn sim' simulate
  zsh_offers option 'tarn check --time-l' time-limit
  zsh_offers 'option of simulate' 'tarn simulate --ste' steps
  zsh_offers value 'tarn check --engine poi' points
  zsh_offers file 'tarn check models/fischer-b' fischer-buggy.tck
else
  echo 'skip complete/zsh: no zsh'
fi
exit $failed
