#!/bin/sh
# Certificates of slices on some random networks, and builds in which a rule is left out, which these or certificates by hand must
# show: test/fuzz/agree_slices.sh [WHAT...]
# WHAT: agree, planted, options (default: all). The last asks the command with random options, in a build that takes slices of small
# networks, too. `make agree-slices` takes many more networks.
set -u
cd "$(dirname "$0")/../.." || exit 2
name=agree_slices
. test/fuzz/planting.sh
[ $# -gt 0 ] || set -- agree planted options
program=test/fuzz/agree_slices

agree() {
  make -s build/release/$program || exit 2
  for kind in 'loose 1000' 'uppaal 1000' 'channels 1000' 'bursts 200' 'lines 500'; do
    # shellcheck disable=SC2086
    if said=$(build/release/$program $kind | tail -n 1); then
      echo "ok agree_slices/$said"
    else
      echo "FAIL agree_slices/$said"
      failed=1
    fi
  done
}

options() {
  make -s MODE=planted build/planted/tarn && make -s build/release/test/fuzz/loose_print build/release/test/fuzz/copies_print || exit 2
  if said=$(TARN_PLANTED=short-proofs TARN=build/planted/tarn UPPAAL=build/release/test/fuzz/loose_print COPIES=build/release/test/fuzz/copies_print \
    test/fuzz/agree_evidence.py 1 40); then
    echo "ok agree_slices/$(echo "$said" | tail -n 1)"
  else
    echo "FAIL agree_slices/$said"
    failed=1
  fi
}

for what; do
  case $what in
    agree) agree ;;
    options) options ;;
    planted)
      make -s MODE=planted build/planted/tarn build/planted/$program || exit 2
      for bug in places chains guards faults query ready still committed; do
        notices sliced-$bug build/planted/$program loose 1000
      done
      for bug in idle locals places chains guards updates faults invariants deadlocks query priorities hooks rates start ready commits \
        still committed blocks; do
        notices sliced-$bug env TARN=build/planted/tarn PROVED=/nonexistent test/rules.py sliced
      done
      ;;
    *)
      echo "agree_slices.sh: unknown: $what" >&2
      exit 2
      ;;
  esac
done
exit $failed
