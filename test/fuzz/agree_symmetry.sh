#!/bin/sh
# Compares reduced with unreduced searches on COUNT random networks, and then leaves out one rule of
# the verification after the other: test/fuzz/agree_symmetry.sh COUNT. Rules are those of
# analysis/symmetry/rules.h; some of them no proposal can break, for those test/unit/analysis/test_verify.c
# has networks.
set -u
cd "$(dirname "$0")/../.." || exit 2
agree=${BUILD:-build/release}/test/fuzz/agree_symmetry
"$agree" 1 "$1" || exit 1
for rule in 4 5 6 7 8 9 10 11 12 13 14 15; do
  printf 'without rule %s: ' "$rule"
  "$agree" 1 4000 "$rule" | tail -n 1
done
