#!/bin/sh
# Both checkers on forged evidence: test/fuzz/agree_forged.sh FIRST [NETWORKS]
#
# NETWORKS, at first 20000, of UPPAAL's language from seed FIRST on, a tenth as many in which clocks are stopped, and a fifth as
# many of TChecker's language, half of those with differences of clocks; and certificates of every kind (forge_kinds.py) for one in
# a hundred. `tarn certify` and `tarn-proved` are asked about all. No false evidence may be accepted, and what was not touched has
# to be accepted by both, unless tarn-proved says that it is not covered. BUILD names the folder of the programs.
set -u
cd "$(dirname "$0")/../.." || exit 2
first=$1 count=${2:-20000} build=${BUILD:-build/release} status=0
proved=$PWD/build/proof/tarn-proved
if [ ! -x "$proved" ]; then
  echo "there is no $proved: make -C proof all"
  exit 2
fi

# forge NETWORKS OPTIONS...
forge() {
  networks=$1
  shift
  echo "forger --seed $first --count $networks $*"
  "$build/test/fuzz/forger" --seed "$first" --count "$networks" --each 12 --proved "$proved" "$@" || status=1
}

forge "$count" --language uppaal
forge $((count / 10)) --language uppaal --print proof/test/rates.py
forge $((count / 10))
FORGER_DIAGONALS=1 forge $((count / 10))
echo "forge_kinds.py $first $((count / 100))"
TARN=$build/tarn UPPAAL=$build/test/fuzz/uppaal_print COPIES=$build/test/fuzz/copies_print PROVED=$proved \
  test/fuzz/forge_kinds.py "$first" $((count / 100)) || status=1
exit $status
