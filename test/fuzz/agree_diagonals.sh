#!/bin/sh
# Networks that compare clocks with each other, some, and builds with bugs that the same networks
# must show: test/fuzz/agree_diagonals.sh [WHAT...]
# WHAT: agree, planted (default: both).
set -u
cd "$(dirname "$0")/../.." || exit 2
name=agree_diagonals
. test/fuzz/planting.sh
[ $# -gt 0 ] || set -- agree planted
program=test/fuzz/agree_diagonals

agree() {
  make -s build/release/$program || exit 2
  build/release/$program 1 1500 || failed=1
}

for what; do
  case $what in
    agree) agree ;;
    planted)
      make -s MODE=planted build/planted/$program build/planted/tarn || exit 2
      # Bouyer's automaton is answered wrongly by whoever forgets a difference.
      answers bouyer none 'E<> P.bad: not satisfied' build/planted/tarn check -q 'E<> P.bad' test/run/bouyer.tck
      answers bouyer differences-drop 'E<> P.bad: satisfied' build/planted/tarn check -q 'E<> P.bad' test/run/bouyer.tck
      notices differences-drop build/planted/$program 1 150
      notices differences-strict build/planted/$program 1 150
      notices differences-shift build/planted/$program 1 150
      ;;
    *)
      echo "agree_diagonals.sh: unknown: $what" >&2
      exit 2
      ;;
  esac
done
exit $failed
