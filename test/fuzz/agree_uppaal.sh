#!/bin/sh
# Random UPPAAL networks, 2000 of the 20000 of make agree-uppaal, and builds with bugs that the same networks must show:
# test/fuzz/agree_uppaal.sh [WHAT...]
# WHAT: agree, planted (default: both).
set -u
cd "$(dirname "$0")/../.." || exit 2
name=agree_uppaal
. test/fuzz/planting.sh
[ $# -gt 0 ] || set -- agree planted
program=test/fuzz/agree_uppaal

agree() {
  make -s build/release/$program || exit 2
  build/release/$program 1 2000 || failed=1
}

for what; do
  case $what in
    agree) agree ;;
    planted)
      make -s MODE=planted build/planted/$program || exit 2
      for bug in receiver order priority urgent split levels ranges stops; do
        notices $bug build/planted/$program 1 700
      done
      notices offers build/planted/$program 1801 300
      notices changes build/planted/$program 2001 600
      ;;
    *)
      echo "agree_uppaal.sh: unknown: $what" >&2
      exit 2
      ;;
  esac
done
exit $failed
