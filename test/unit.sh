#!/bin/sh
# Runs the unit tests of one build: test/unit.sh [BUILD], default build/debug.
#
# One line for each test case, `ok name` or `FAIL name: reason`; a program that ends
# before its last case, or with a status that its cases do not explain, is one failure more.
# As many programs run at once as there are processors.
set -u
build=${1:-build/debug}
cd "$(dirname "$0")/.." || exit 2
# Models of others beside the tree, if they are there, with which test_gen compares.
if [ -z "${TARN_SHARED:-}" ] && [ -d ../shared/models/papers-orders ]; then
  export TARN_SHARED="$PWD/../shared"
fi

# run FOLDER/test_MODULE: one program; its result goes to $scratch/FOLDER/test_MODULE.
run() {
  name="$(basename "$build")/$(basename "$1" | sed 's/^test_//')"
  if [ ! -x "$build/test/unit/$1" ]; then
    echo "FAIL $name: not built"
    return
  fi
  status=0
  CMOCKA_MESSAGE_OUTPUT=TAP timeout 300 "$build/test/unit/$1" >"$scratch/$1.out" 2>&1 ||
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
    }' "$scratch/$1.out" || grep -v '^ok ' "$scratch/$1.out" | sed 's/^/    /'
}

if [ $# = 3 ]; then # called by itself, below
  scratch=$3
  run "$2" >"$scratch/$2" 2>&1
  exit 0
fi

if [ ! -d "$build/test/unit" ]; then
  echo "FAIL $(basename "$build"): no unit tests there: make MODE=... units"
  exit 1
fi
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
for source in test/unit/test_*.c test/unit/*/test_*.c; do
  source=${source#test/unit/}
  mkdir -p "$scratch/$(dirname "$source")"
  echo "${source%.c}"
done >"$scratch/modules"
xargs -P "$(nproc)" -I '{}' test/unit.sh "$build" '{}' "$scratch" <"$scratch/modules"
while read -r module; do cat "$scratch/$module"; done <"$scratch/modules" >"$scratch/results"
cat "$scratch/results"
! grep -q '^FAIL ' "$scratch/results"
