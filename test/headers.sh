#!/bin/sh
# Every header of src compiles alone.
set -u
cd "$(dirname "$0")/.." || exit 2
failed=0
for header in $(find src -name '*.h' | LC_ALL=C sort); do
  if message=$(gcc -std=c17 -Wall -Wextra -Isrc -isystem /usr/include/libxml2 -include "$header" -fsyntax-only -x c /dev/null 2>&1); then
    echo "ok headers/${header#src/}"
  else
    echo "FAIL headers/${header#src/}: does not compile alone"
    echo "$message" | sed 's/^/    /' | head -10
    failed=1
  fi
done
exit $failed
