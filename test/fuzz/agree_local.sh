#!/bin/sh
# Compares local with global time on random networks: test/fuzz/agree_local.sh [COUNT] [FIRST]
#
# COUNT networks (default 1000) from seed FIRST (default 1) on. Then, for each rule of
# doc/notes/local-time.md, 200 networks in a build that leaves it out (2000 for local-exit, which is rarely
# needed), of which some must have wrong answers: else the test would not notice; and the unit tests that leave
# rules out. The last long run is in test/fuzz/agree_local.txt.
# The program is in $BUILD, default build/release. One line each, `ok name` or `FAIL name`.
set -u
cd "$(dirname "$0")/../.." || exit 2
name=agree_local
. test/fuzz/planting.sh
program=test/fuzz/agree_local
units='semantics/test_local semantics/test_localaction answers/test_certificate'
"${BUILD:-build/release}/$program" "${2:-1}" "${1:-1000}" || failed=1

# shellcheck disable=SC2086 # separate words
make -s MODE=planted build/planted/$program $(printf 'build/planted/test/unit/%s ' $units) || exit 2
for rule in urgent ceilings synchronisable weak writes read-after read-before present entry whole; do
  notices local-$rule build/planted/$program 1 200
done
notices local-exit build/planted/$program 1 2000
for unit in $units; do
  if said=$("build/planted/test/unit/$unit" 2>&1); then
    echo "ok $name/planted, $unit"
  else
    echo "FAIL $name/planted, $unit: see below"
    echo "$said" | sed 's/^/    /'
    failed=1
  fi
done
exit $failed
