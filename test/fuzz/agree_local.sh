#!/bin/sh
# Compares local with global time on random networks: test/fuzz/agree_local.sh [COUNT] [FIRST]
#
# COUNT networks (default 1000) from seed FIRST (default 1) on; then, for each rule of local time, 200
# networks with that rule left out (2000 for LOCAL_EXIT, which is rarely needed), of which some
# must have wrong answers: else the test would not notice. The last long run is in test/fuzz/agree_local.txt.
# The programs are in $BUILD, default build/release. One line each, `ok name` or `FAIL name`.
set -u
cd "$(dirname "$0")/../.." || exit 2
agree=${BUILD:-build/release}/test/fuzz/agree_local
failed=0
"$agree" "${2:-1}" "${1:-1000}" || failed=1
for rule in 1 2 4 8 16 32 64 128 256 512 1024; do
  count=200
  [ "$rule" != 512 ] || count=2000
  if line=$("$agree" 1 "$count" "$rule"); then
    echo "$line"
  else
    echo "FAIL agree_local/$rule: nothing goes wrong without this rule"
    failed=1
  fi
done
exit $failed
