#!/bin/sh
# Networks that compare clocks with each other, some, and builds with bugs that the same networks
# must show: test/fuzz/agree_diagonals.sh [WHAT...]
# WHAT: agree, planted (default: both).
set -u
cd "$(dirname "$0")/../.." || exit 2
failed=0
[ $# -gt 0 ] || set -- agree planted
program=test/fuzz/agree_diagonals

agree() {
  make -s build/release/$program || exit 2
  build/release/$program 1 1500 || failed=1
}

# planted BUG FIRST COUNT: it is found on these networks.
planted() {
  if TARN_PLANTED=$1 build/planted/$program "$2" "$3" >/dev/null 2>&1; then
    echo "FAIL agree_diagonals/planted $1: it was not found"
    failed=1
  else
    echo "ok agree_diagonals/planted $1"
  fi
}

# Bouyer's automaton is answered wrongly by whoever forgets a difference.
bouyer() {
  for bug in none differences-drop; do
    said=$(TARN_PLANTED=$bug build/planted/tarn check -q 'E<> P.bad' test/run/bouyer.tck)
    case "$bug: $said" in
      'none: E<> P.bad: not satisfied' | 'differences-drop: E<> P.bad: satisfied')
        echo "ok agree_diagonals/bouyer, planted: $bug" ;;
      *)
        echo "FAIL agree_diagonals/bouyer, planted: $bug: $said"
        failed=1
        ;;
    esac
  done
}

for what; do
  case $what in
    agree) agree ;;
    planted)
      make -s MODE=planted build/planted/$program build/planted/tarn || exit 2
      bouyer
      planted differences-drop 1 150
      planted differences-strict 1 150
      planted differences-shift 1 150
      ;;
    *)
      echo "agree_diagonals.sh: unknown: $what" >&2
      exit 2
      ;;
  esac
done
exit $failed
