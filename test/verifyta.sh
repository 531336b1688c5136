#!/bin/sh
# `tarn verifyta` as scripts use it: test/verifyta.sh. One line for each case: ok or FAIL.
# The command is $TARN, default build/release/tarn; the wrappers are a few lines of Python.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
TARN=${TARN:-$root/build/release/tarn}
case $TARN in /*) ;; *) TARN=$PWD/$TARN ;; esac
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

result() { # NAME CONDITION-STATUS
  if [ "$2" = 0 ]; then
    echo "ok verifyta/$1"
  else
    failed=1
    echo "FAIL verifyta/$1"
    sed 's/^/    /' "$scratch/out" "$scratch/err"
  fi
}

run() { # options
  status=0
  "$TARN" verifyta "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
}

cd "$root/test/uppaal" || exit 2
run order.xta
[ "$status" = 0 ] && [ "$(grep -c ' -- Formula is satisfied\.$' "$scratch/out")" = 2 ] &&
  [ "$(grep -c ' -- Formula is NOT satisfied\.$' "$scratch/out")" = 2 ]
result verdicts $?

run -u -s -q order.xta order.q
[ "$status" = 0 ] && grep -q '^ -- States stored : [0-9]* states$' "$scratch/out" &&
  grep -q '^ -- States explored : ' "$scratch/out" && ! grep -q '^Options' "$scratch/out" &&
  grep -q '^Verifying formula 1 at order.q:2$' "$scratch/out"
result summary $?

# What is printed was measured: the program alone takes more than a megabyte.
grep -q '^ -- CPU user time used : [0-9]* ms$' "$scratch/out" &&
  grep -qE '^ -- Resident memory used : [0-9]{4,} KiB$' "$scratch/out" &&
  ! grep -q 'Virtual memory' "$scratch/out"
result usage $?

run -t0 -o1 -S2 -C -T order.xta
[ "$status" = 0 ] && grep -q 'uses difference bound matrices' "$scratch/out" &&
  grep -q '^Transitions:' "$scratch/out" && grep -q '( Sender.A First.A Second.A )' "$scratch/out" &&
  grep -q 'Sender.A->Sender.B { ' "$scratch/out" && grep -q 'Search order is depth first' "$scratch/out"
result trace $?

run -t 0 -f "$scratch/run" order.xta
[ "$status" = 0 ] && grep -q '^State:' "$scratch/run-4.xtr" && [ ! -e "$scratch/run-1.xtr" ] &&
  grep -q 'Writing example trace to' "$scratch/err"
result files $?

run names.xta
[ "$status" != 0 ] && grep -q '\[error\]' "$scratch/err" &&
  [ "$(grep -c ' -- Formula is' "$scratch/out")" = 4 ]
result junk $?

ln -s "$TARN" "$scratch/verifyta"
"$scratch/verifyta" order.xta >"$scratch/out" 2>"$scratch/err"
result link $?

if command -v python3 >/dev/null; then
  python3 - "$scratch/verifyta" >"$scratch/out" 2>"$scratch/err" <<'PYTHON'
import subprocess, sys
def verdicts(*options):
    done = subprocess.run([sys.argv[1], *options, "order.xta"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [" -- Formula is satisfied." in part
            for part in done.stdout.split("Verifying formula")[1:]]
wanted = [True, False, False, True]
for options in (["-t0", "-f", "/dev/null/x"][:1], ["-u"], ["-s"], ["-q"], ["-o", "0"], ["-o1"],
                ["-S", "1"], ["-C"], ["-T"], ["-t", "1", "-u", "-s", "-q"]):
    assert verdicts(*options) == wanted, options
PYTHON
  result wrapper $?
else
  echo 'skip verifyta/wrapper: there is no python3'
fi
exit $failed
