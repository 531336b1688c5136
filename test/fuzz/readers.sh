#!/bin/sh
# The libFuzzer targets of the readers, each for some seconds: test/fuzz/readers.sh [SECONDS] [NAME...]
#
# NAME: tck, xml, xta, q (UPPAAL's), query, evidence, options. Needs clang. Inputs are gathered in build/fuzz/NAME, what
# goes wrong lies there as crash-* and the like. One line each, `ok name` or `FAIL name`.
set -u
cd "$(dirname "$0")/../.." || exit 2
seconds=${1:-180}
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- tck xml xta q query evidence options
failed=0

# Good inputs to begin with.
seeds() {
  tarn=build/clang-libfuzzer/tarn
  case $1 in
    tck)
      cp models/*.tck test/run/*.tck test/run/errors/*.tck "$2"
      for seed in 1 2 3 4 5; do $tarn gen random seed=$seed diagonals=1 >"$2/random-$seed"; done
      ;;
    xml) cp test/uppaal/*.xml test/fuzz/seeds/*.xml "$2" ;;
    xta)
      cp models/*.xta test/uppaal/*.xta test/uppaal/*.ta "$2"
      for file in test/statistics/*.xta models/random/*.xta; do
        cp "$file" "$2/statistics-$(basename "$file")"
      done
      $tarn gen --format xta fischer 3 >"$2/fischer"
      ;;
    q)
      cp models/*.q test/uppaal/*.q test/fuzz/seeds/*.q "$2"
      cut -f 4 test/statistics/oracles.tsv | sort -u | split -l 20 - "$2/statistics-"
      ;;
    query)
      printf 'aE<> P.A && x>2 && v[1]==i' >"$2/one"
      printf 'bone,two' >"$2/labels"
      printf 'cA[] !(P.B imply z[0]<=3)\nE<> i+v[2]>=3 || two\n' >"$2/file"
      ;;
    evidence)
      cp test/run/certify-*.json "$2"
      $tarn check --quiet --certificate "$2/proof" test/run/certify.tck >/dev/null
      $tarn check --quiet --abstraction extra-m --certificate "$2/proof-m" test/run/certify.tck >/dev/null
      ;;
    options)
      $tarn help options | sed -n 's/^  .*--\([a-z-]*\) \([a-z]*\).*/\1 \2/p' >"$2/names"
      printf 'engine local\norder dfs\nseed 3\n' >"$2/local"
      printf 'engine zones\nbounds lazy\nabstraction closure-lu+\ncompact yes\n' >"$2/zones"
      ;;
  esac
}

make -s CC=clang MODE=libfuzzer all >build/fuzz.log 2>&1
for name; do
  target=build/clang-libfuzzer/test/fuzz/fuzz_$name
  folder=build/fuzz/$name
  mkdir -p "$folder/seeds" "$folder/found"
  if ! make -s CC=clang MODE=libfuzzer "$target" >>build/fuzz.log 2>&1; then
    echo "FAIL fuzz_$name: make failed, see build/fuzz.log"
    failed=1
    continue
  fi
  seeds "$name" "$folder/seeds"
  case $name in
    xml | xta | q) words=-dict=test/fuzz/uppaal.dict ;;
    *) words= ;;
  esac
  if "$target" $words -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2000 -max_len=20000 \
    -artifact_prefix="$folder/" "$folder/found" "$folder/seeds" >"$folder/log" 2>&1; then
    echo "ok fuzz_$name: $(grep -o 'Done .*' "$folder/log")"
  else
    echo "FAIL fuzz_$name: $(grep -m 1 -e ERROR -e 'runtime error' "$folder/log"); see $folder/log"
    failed=1
  fi
done
exit $failed
