#!/bin/sh
# A bounded part of the random tester: test/fuzz.sh [WHAT...]
#
# WHAT: release, asan: some networks with that build must show no disagreement; planted: in a
# build with a bug on purpose the tester must find it, and shrink it to ten declarations; forger:
# forged evidence, under the sanitizers, must be rejected; readers: changed UPPAAL models and
# queries, under the sanitizers, must not crash their readers.
# `make fuzz` goes on until it is stopped. test/fuzz/record.tsv lists longer runs.
set -u
cd "$(dirname "$0")/.." || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

# Where the proved checker is built (make proof), it checks all evidence too.
[ ! -x build/proof/tarn-proved ] || export TARN_PROVED="$PWD/build/proof/tarn-proved"

# networks MODE SEED COUNT
networks() {
  name="fuzz/$1, $3 networks from seed $2"
  if ! make -s -j"$(nproc)" MODE="$1" "build/$1/test/fuzz/networks" >"$scratch/log" 2>&1; then
    echo "FAIL $name: make failed"
    failed=1
  elif "build/$1/test/fuzz/networks" --seed "$2" --count "$3" --out "$scratch" \
    >"$scratch/log" 2>&1; then
    echo "ok $name"
    return
  else
    echo "FAIL $name: a disagreement"
    failed=1
  fi
  sed 's/^/    /' "$scratch/log"
}

planted() {
  name='fuzz/planted bug'
  if ! make -s -j"$(nproc)" MODE=planted build/planted/test/fuzz/networks >"$scratch/log" 2>&1; then
    echo "FAIL $name: make failed"
  else
    TARN_PLANTED=bounds build/planted/test/fuzz/networks --seed 1 --count 60 --out "$scratch" >"$scratch/log" 2>&1
    least=$(sed -n 's/^shrunk to \([0-9]*\) declarations$/\1/p' "$scratch/log" | sort -n | head -1)
    if [ -z "$least" ]; then
      echo "FAIL $name: it was not found"
    elif [ "$least" -gt 10 ]; then
      echo "FAIL $name: found, but only shrunk to $least declarations"
    else
      echo "ok $name"
      return
    fi
  fi
  failed=1
  sed 's/^/    /' "$scratch/log"
}

# forger SEED COUNT LANGUAGE
forger() {
  name="fuzz/forger, $2 networks of $3 from seed $1"
  if ! make -s -j"$(nproc)" MODE=asan build/asan/test/fuzz/forger >"$scratch/log" 2>&1; then
    echo "FAIL $name: make failed"
  elif build/asan/test/fuzz/forger --seed "$1" --count "$2" --language "$3" ${TARN_PROVED:+--proved "$TARN_PROVED"} \
    >"$scratch/log" 2>&1; then
    echo "ok $name"
    return
  else
    echo "FAIL $name: forged evidence is accepted, or a crash"
  fi
  failed=1
  sed 's/^/    /' "$scratch/log"
}

# readers NAME COUNT FILE...
readers() {
  name="fuzz/readers, $2 of $1" target=build/asan/test/fuzz/mutate_$1 count=$2
  shift 2
  if ! make -s -j"$(nproc)" MODE=asan "$target" >"$scratch/log" 2>&1; then
    echo "FAIL $name: make failed"
  elif timeout 100 "$target" 1 "$count" test/fuzz/uppaal.dict "$@" >"$scratch/log" 2>&1; then
    echo "ok $name"
    return
  else
    echo "FAIL $name: a crash, or no end"
  fi
  failed=1
  tr '\r' '\n' <"$scratch/log" | tail -n 20 | sed 's/^/    /'
}

[ $# -gt 0 ] || set -- release asan planted forger readers
for what; do
  case $what in
    release) networks release 1 300 ;;
    asan) networks asan 100000 40 ;;
    planted) planted ;;
    forger)
      forger 1 150 tchecker
      forger 1 50 uppaal
      export FORGER_DIAGONALS=1 # format 4
      forger 5000 60 tchecker
      unset FORGER_DIAGONALS
      ;;
    readers)
      readers xml 2000 test/uppaal/*.xml test/fuzz/seeds/*.xml
      readers xta 4000 models/*.xta test/uppaal/*.xta test/uppaal/*.ta test/statistics/*.xta models/random/*.xta
      readers q 3000 models/*.q test/uppaal/*.q test/fuzz/seeds/*.q
      ;;
    *) echo "FAIL fuzz/$what: no such part" && failed=1 ;;
  esac
done
exit $failed
