#!/bin/sh
# Runs the unit tests of one build: test/unit.sh [BUILD], default build/debug.
#
# One line for each test case, `ok name` or `FAIL name: reason`; a program that ends
# before its last case, or with a status that its cases do not explain, is one failure more.
set -u
build=${1:-build/debug}
cd "$(dirname "$0")/.." || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

if [ ! -d "$build/test/unit" ]; then
  echo "FAIL $(basename "$build"): no unit tests there: make MODE=... units"
  exit 1
fi
for source in test/unit/test_*.c; do
  module=$(basename "$source" .c)
  name="$(basename "$build")/${module#test_}"
  if [ ! -x "$build/test/unit/$module" ]; then
    echo "FAIL $name: not built"
    failed=1
    continue
  fi
  status=0
  CMOCKA_MESSAGE_OUTPUT=TAP timeout 300 "$build/test/unit/$module" >"$scratch/out" 2>&1 ||
    status=$?
  # cmocka prints the plan `1..N`, then `ok I - case`, `not ok I - case` or
  # `not ok I # SKIP case`, and comments.
  awk -v name="$name" -v status="$status" '
    /^1\.\.[0-9]+$/ { planned += substr($0, 4) }
    /^(not )?ok [0-9]+ / { seen++ }
    sub(/^ok [0-9]+ - /, "") { print "ok " name "/" $0 }
    sub(/^not ok [0-9]+ # SKIP /, "") { print "skip " name "/" $0 ": as the test says" }
    sub(/^not ok [0-9]+ - /, "") { print "FAIL " name "/" $0 ": see below"; bad++ }
    END {
      if (seen < planned || !planned)
        print "FAIL " name ": " seen + 0 " of " planned + 0 " cases ran, exit status " status
      else if (status && !bad)
        print "FAIL " name ": exit status " status
      else
        exit bad != 0
      exit 1
    }' "$scratch/out" || {
    failed=1
    grep -v '^ok ' "$scratch/out" | sed 's/^/    /'
  }
done
exit $failed
