#!/bin/sh
# Random UPPAAL networks, a few thousand, and builds with bugs that the same networks must show:
# test/fuzz/agree_uppaal.sh [WHAT...]
# WHAT: agree, planted (default: both).
set -u
cd "$(dirname "$0")/../.." || exit 2
failed=0
[ $# -gt 0 ] || set -- agree planted
program=test/fuzz/agree_uppaal

agree() {
  make -s build/release/$program || exit 2
  build/release/$program 1 4000 || failed=1
}

# planted BUG FIRST COUNT: it is found on these networks.
planted() {
  if TARN_PLANTED=$1 build/planted/$program "$2" "$3" >/dev/null 2>&1; then
    echo "FAIL agree_uppaal/planted $1: it was not found"
    failed=1
  else
    echo "ok agree_uppaal/planted $1"
  fi
}

for what; do
  case $what in
    agree) agree ;;
    planted)
      make -s MODE=planted build/planted/$program || exit 2
      for bug in receiver order priority urgent split levels ranges; do planted $bug 1 400; done
      ;;
    *)
      echo "agree_uppaal.sh: unknown: $what" >&2
      exit 2
      ;;
  esac
done
exit $failed
