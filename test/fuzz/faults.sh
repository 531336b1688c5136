#!/bin/sh
# Plants faults in the dart engine and checks that the comparison of engines on random networks
# (agree.c) finds each: test/fuzz/faults.sh [BUILD], default build/release, which must be built.
#
# One line for each fault: `ok faults/name: found after N networks`, or `FAIL`.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${1:-build/release}
most=4000 # networks
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

# The archive has a darts.o too; the linker does not take it, as darts.c defines its names.
make -s "$build/units.a" || exit 1
libs=$(make -s libs)

# shellcheck disable=SC2086 # a list of libraries
if ! ${CC:-gcc} -std=c17 -O2 -Isrc -DTARN_PLANTED -o "$scratch/agree" test/fuzz/agree.c \
  test/fuzz/sample.c src/semantics/discrete/darts.c "$build/units.a" $libs; then
  echo "FAIL faults: not built"
  exit 1
fi

# fault BUG NAME [NETWORKS]: the bug as src/semantics/discrete/darts.c calls it (base/testbuild.h); or none.
fault() {
  status=0
  TARN_PLANTED=$1 "$scratch/agree" "${3:-$most}" >"$scratch/out" 2>&1 || status=$?
  networks=$(tail -n 1 "$scratch/out" | sed 's/ networks.*//')
  if [ "$1" = none ] && [ "$status" = 0 ]; then
    echo "ok faults/$2: nothing found in $networks networks"
  elif [ "$1" != none ] && [ "$status" = 1 ]; then
    echo "ok faults/$2: found after $networks networks"
  else
    failed=1
    echo "FAIL faults/$2: exit $status after $networks networks"
  fi
}

fault none none 500 # make agree takes 20000
fault darts-constant 'a constant one too small'
fault darts-one 'one dart where the loop over distances is needed'
fault darts-saturation 'plain saturation with diagonals'
exit $failed
