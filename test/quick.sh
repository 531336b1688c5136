#!/bin/sh
# The unit tests with assertions and the golden runs, on a built tree: test/quick.sh
#
# Shows what fails and a sum; the exit status is 0 if nothing failed.
set -u
cd "$(dirname "$0")/.." || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
test/unit.sh build/debug >"$scratch/units" 2>&1 &
test/run.sh gold errors >"$scratch/runs" 2>&1
wait
cat "$scratch/units" "$scratch/runs" >"$scratch/all"
grep -v '^ok ' "$scratch/all"
failed=$(grep -c '^FAIL ' "$scratch/all")
echo "$(grep -c '^ok ' "$scratch/all") passed, $failed failed"
[ "$failed" = 0 ]
