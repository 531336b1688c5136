#!/bin/sh
# Evidence for every verdict: the worked examples and the models of test/evidence, with their queries.
#
# bench/evidence asks each query with --certificate and --trace concrete; `tarn certify` must accept
# what it writes.
set -u
cd "$(dirname "$0")/.." || exit 2
if ! command -v python3 >/dev/null; then
  echo 'skip evidence: python3 is not installed (tools/deps)'
  exit 0
fi
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
if PROVED=/nonexistent bench/evidence --limit 20 models/*.xta test/evidence/*.xta >"$scratch/table" 2>&1 &&
  grep -q '^0 without accepted evidence' "$scratch/table" && grep -q '^all  *[1-9]' "$scratch/table"; then
  echo "ok evidence: $(awk '/^all / { print $2 }' "$scratch/table") verdicts have evidence that is accepted"
else
  echo 'FAIL evidence: a verdict has no evidence'
  sed 's/^/    /' "$scratch/table"
  exit 1
fi
# The verdict stays where the search for the run to show meets an error first.
${TARN:-build/release/tarn} check --trace concrete --prefer any -q 'E[] true' - <test/evidence/error-behind.model \
  >"$scratch/answer" 2>"$scratch/reason"
status=$?
if [ $status = 2 ] && grep -q ': satisfied' "$scratch/answer" && grep -q 'there is no run to show' "$scratch/reason"; then
  echo 'ok evidence: an error behind a run'
else
  echo "FAIL evidence: an error behind a run: exit status $status"
  sed 's/^/    /' "$scratch/answer" "$scratch/reason"
  exit 1
fi
