#!/bin/sh
# Checks UPPAAL models: test/uppaal.sh [NAME...]
#
# Each model in test/uppaal says in its queries what to expect (EXPECT: or <expect>): it passes if
# `tarn check` finds just that. Each result is one line, `ok uppaal/NAME` or `FAIL uppaal/NAME: why`.
# The command is $TARN, default build/release/tarn.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
TARN=${TARN:-$root/build/release/tarn}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

for model in "$root"/test/uppaal/*.xta "$root"/test/uppaal/*.xml "$root"/test/uppaal/*.ta; do
  [ -f "$model" ] || continue
  name=$(basename "$model")
  case " $* " in *" $name "* | '  ') ;; *) continue ;; esac
  status=0
  timeout 60 "$TARN" check "$model" >"$scratch/out" 2>&1 || status=$?
  if [ "$status" != 0 ] || ! grep -q ' expectations met$' "$scratch/out"; then
    failed=1
    echo "FAIL uppaal/$name: exit $status"
    sed 's/^/    /' "$scratch/out"
  else
    echo "ok uppaal/$name"
  fi
done
exit $failed
