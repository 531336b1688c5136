#!/bin/sh
# `tarn serve`: strangers, limits, killed processes, many requests; and some seconds of damaged ones.
#
# test/serve.sh [SECONDS]; `make fuzz-serve` takes ten minutes (test/fuzz/serve.txt).
set -u
cd "$(dirname "$0")/.." || exit 2
tarn=${TARN:-build/release/tarn}
if $tarn serve nowhere.xta 2>&1 | grep -q libmicrohttpd; then
  echo "skip serve: $($tarn serve nowhere.xta 2>&1)"
  exit 0
fi
status=0
python3 test/serve.py "$tarn" || status=1
if [ -x build/asan/tarn ]; then tarn=build/asan/tarn; fi
python3 test/serve.py "$tarn" --fuzz "${1:-5}" --seed 37 || status=1
exit $status
