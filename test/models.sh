#!/bin/sh
# The worked examples in models/: test/models.sh [NAME...]
#
# Each model in both formats gives the answers that its queries expect, and `tarn certify` accepts
# the runs.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
TARN=${TARN:-$root/build/release/tarn}
case $TARN in /*) ;; *) TARN=$PWD/$TARN ;; esac
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$root/models" || exit 2
failed=0

complain() {
  echo "FAIL models/$1: $2"
  failed=1
}

for queries in *.q; do
  name=${queries%.q}
  case " $* " in *" $name "* | '  ') ;; *) continue ;; esac
  sed -n 's/.*EXPECT:\([TF]\).*/\1/p' "$queries" | sed -e 's/T/satisfied/' -e 's/F/not satisfied/' >"$scratch/wanted"
  if [ "$(grep -c '^[EA]' "$queries")" != "$(wc -l <"$scratch/wanted")" ]; then
    complain "$name" 'a query without EXPECT'
    continue
  fi
  for model in "$name.tck" "$name.xta"; do
    if [ ! -f "$model" ]; then
      complain "$model" 'there is no such file'
      continue
    fi
    timeout 60 "$TARN" check --quiet --json --trace concrete "$model" >"$scratch/run.json" 2>"$scratch/err"
    status=$?
    grep -o '"verdict": "[a-z ]*"' "$scratch/run.json" | cut -d '"' -f 4 >"$scratch/found"
    if [ $status -gt 1 ] || ! diff "$scratch/wanted" "$scratch/found" >"$scratch/diff"; then
      complain "$model" "other answers, exit status $status"
      sed 's/^/    /' "$scratch/diff" "$scratch/err"
    elif ! timeout 60 "$TARN" certify "$model" "$scratch/run.json" >"$scratch/out" 2>&1; then
      complain "$model" 'a run is rejected'
      sed 's/^/    /' "$scratch/out"
    else
      echo "ok models/$model"
    fi
  done
done
exit $failed
