#!/bin/sh
# All random tests of the proved checker, on networks from FIRST on: proof/test/campaign.sh FIRST [SCALE]
#
# With SCALE 1 these are 3,000 networks with questions about runs and deadlocks, 600 of copies of a process and
# 2,000 with questions about states, 2,000 in UPPAAL's language, and, if POINTS names a tarn that is built with FEW_ZONES = 0 (proof/test/points.sh), 3,000
# with certificates of points. What each finds is one line, for record.tsv.
set -u
cd "$(dirname "$0")/../.." || exit 2
first=$1 scale=${2:-1}
export EACH="${EACH:-4}"
status=0
proof/test/endless.sh "$first" $((3000 * scale)) || status=1
proof/test/copies.sh "$first" $((600 * scale)) || status=1
proof/test/random.sh "$first" $((2000 * scale)) || status=1
proof/test/uppaal.sh "$first" $((2000 * scale)) || status=1
if [ -n "${POINTS:-}" ]; then TARN=$POINTS proof/test/points.sh "$first" $((3000 * scale)) || status=1; fi
exit $status
