#!/bin/sh
# tools/demo ends well, also the second time, and shows both verdicts and the run.
set -u
cd "$(dirname "$0")/.." || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

fail() {
  echo "FAIL $1: $2"
  sed 's/^/    /' "$scratch/output"
  failed=1
}

for turn in first second; do
  if tools/demo >"$scratch/output" 2>&1; then
    echo "ok demo/$turn"
  else
    fail "demo/$turn" "exit status $?"
  fi
done
for text in 'satisfied' 'not satisfied' 'visited' 'P1' 'cs'; do
  if grep -q "$text" "$scratch/output"; then
    echo "ok demo/shows $text"
  else
    fail "demo/shows $text" "it does not"
  fi
done
exit $failed
