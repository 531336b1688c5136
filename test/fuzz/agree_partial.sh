#!/bin/sh
# Partial order on some random networks, and builds in which a rule of it is left out:
# test/fuzz/agree_partial.sh [WHAT...]
# WHAT: agree, planted, rests (default: all). `make agree-partial` takes 20000 networks of each kind.
#
# test/fuzz/partial/rules.tsv has a model for each rule, with another answer if the rule is left
# out. Random networks near these models notice it, too (`near`).
set -u
cd "$(dirname "$0")/../.." || exit 2
name=agree_partial
. test/fuzz/planting.sh
[ $# -gt 0 ] || set -- agree planted rests
program=test/fuzz/agree_partial
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

agree() {
  make -s build/release/$program || exit 2
  for kind in 'random 400' 'still 800' 'text 400' 'uppaal 150' 'near 2000'; do
    # shellcheck disable=SC2086
    if said=$(build/release/$program $kind | tail -n 1); then
      echo "ok agree_partial/$said"
    else
      echo "FAIL agree_partial/$said"
      failed=1
    fi
  done
}

# decide BUG: what the model of the present rule is said to be; an error at run time is `failed`.
decide() {
  # shellcheck disable=SC2086
  said=$(TARN_PLANTED=$1 build/planted/tarn check --partial-order $2 --engine zones $options -q "$query" \
    "test/fuzz/partial/$model" 2>/dev/null) || [ $? -lt 2 ] || said=failed
  echo "$said"
}

# A certificate of the wrong answer, made and accepted without the rule, is rejected with it.
rejects() {
  case $wrong in *": satisfied" | *": not satisfied") ;; *) return ;; esac
  # shellcheck disable=SC2086
  said=$(TARN_PLANTED=por-$rule build/planted/tarn check --partial-order on --engine zones --certificate "$scratch/proof" \
    $options -q "$query" "test/fuzz/partial/$model" 2>/dev/null) || [ $? -lt 2 ] || said=failed
  [ "$said" != "$full" ] || return # with these options certificates are not reduced
  if [ ! -s "$scratch/proof" ]; then
    echo "FAIL agree_partial/$model: without the rule $rule there is no certificate"
    failed=1
  elif build/planted/tarn certify "test/fuzz/partial/$model" "$scratch/proof" >/dev/null 2>&1; then
    echo "FAIL agree_partial/$model: a false certificate is accepted"
    failed=1
  else
    echo "ok agree_partial/$model: a certificate that breaks the rule $rule is rejected"
  fi
  rm -f "$scratch/proof"
}

rules() {
  tab=$(printf '\t')
  while IFS=$tab read -r rule model query options; do
    case $rule in '#'*) continue ;; esac
    full=$(decide none off) reduced=$(decide none on) wrong=$(decide "por-$rule" on)
    if [ "$full" != "$reduced" ]; then
      echo "FAIL agree_partial/$model: $reduced, without partial order $full"
      failed=1
    elif [ "$wrong" = "$full" ]; then
      echo "FAIL agree_partial/$model: without the rule $rule the answer is the same"
      failed=1
    else
      echo "ok agree_partial/$model shows why there is the rule $rule"
      rejects
    fi
  done <test/fuzz/partial/rules.tsv
}

# By default a search rests where little is left out; with `on` it never does.
rests() {
  make -s build/release/tarn || exit 2
  build/release/tarn gen philosophers 6 >"$scratch/model.tck"
  for wanted in 'auto 4639 2992' 'on 4723 8991'; do
    # shellcheck disable=SC2086
    set -- $wanted
    build/release/tarn check --stats --symmetry off --partial-order "$1" -q 'A[] not deadlock' "$scratch/model.tck" >"$scratch/out"
    found="$1 $(awk '$1 == "stored" || $1 == "left_out" { printf "%s ", $2 }' "$scratch/out")"
    if [ "$found" = "$wanted " ] && grep -q ': satisfied' "$scratch/out"; then
      echo "ok agree_partial/rests: $wanted"
    else
      echo "FAIL agree_partial/rests: $found, not $wanted (stored, left out)"
      failed=1
    fi
  done
}

for what; do
  case $what in
    rests) rests ;;
    agree) agree ;;
    planted)
      make -s MODE=planted build/planted/tarn build/planted/$program || exit 2
      rules
      for bug in disabled goal key stuck faults; do
        notices por-$bug build/planted/$program still 1200 # faults: number 999
      done
      for bug in $(grep -v '^#' test/fuzz/partial/rules.tsv | cut -f 1 | sort -u); do
        notices por-$bug build/planted/$program near 600
      done
      ;;
    *)
      echo "agree_partial.sh: unknown: $what" >&2
      exit 2
      ;;
  esac
done
exit $failed
