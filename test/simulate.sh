#!/bin/sh
# The prompt of `tarn simulate`: lines from a pipe, and from a terminal with libedit.
set -u
cd "$(dirname "$0")/.." || exit 2
TARN=${TARN:-build/release/tarn}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

# expect NAME FILE PATTERN...: each pattern is in the file.
expect() {
  name=simulate/$1
  file=$2
  shift 2
  for pattern; do
    grep -Eq -e "$pattern" "$file" && continue
    echo "FAIL $name: no \`$pattern\`"
    sed 's/^/    /' "$file" | head -30
    failed=1
    return
  done
  echo "ok $name"
}

cat >"$scratch/lamp.tck" <<'END'
system:lamp
event:press
clock:1:x
process:Lamp
location:Lamp:off{initial:}
location:Lamp:low{invariant: x <= 9}
location:Lamp:bright{invariant: x <= 20}
edge:Lamp:off:low:press{do: x = 0}
edge:Lamp:low:bright:press{provided: x > 1 && x < 5}
edge:Lamp:low:off:press{provided: x >= 5}
END
lamp=$scratch/lamp.tck

printf 'd 3/2\n0\nd 2\ng 0\ng 1\n0 3\n0\ng 7\nd\nz\ns %s/run.json\ns %s/run.html\n' "$scratch" "$scratch" |
  "$TARN" simulate "$lamp" >"$scratch/out" 2>&1
expect 'guards and updates' "$scratch/out" \
  '0: <Lamp.off->low> via press after \[0, ...\)  do x = 0' \
  '0: <Lamp.low->bright> via press after \(1, 5\)  when x > 1 && x < 5'
expect 'time without a transition' "$scratch/out" '^step 0, time 3/2$' '^step 1, time 7/2$' \
  'via press after \[0, 3\)  when'
expect 'steps again' "$scratch/out" '^step 0, time 0$' '^step 1, time 3/2$' 'there is no step 7'
expect 'time-lock' "$scratch/out" 'time-lock: no transition is possible, and invariants let time pass for only 17 more'
expect 'mistakes' "$scratch/out" 'which delay' 'd DELAY    let time pass'
expect 'saved run' "$scratch/run.json" '"reason": "simulated"'
expect 'saved page' "$scratch/run.html" 'Simulated run of lamp' '</html>'
"$TARN" certify "$lamp" "$scratch/run.json" >"$scratch/out" 2>&1
expect 'saved run is accepted' "$scratch/out" 'the run of 2 steps is accepted'
"$TARN" simulate --steps 50 --seed 2 --html "$scratch/random.html" "$lamp" >"$scratch/out" 2>&1
expect 'why it ended' "$scratch/out" 'after [0-9]+ of 50 steps: time-lock'
expect 'page of a random run' "$scratch/random.html" 'Random run of lamp'

if ! ldconfig -p 2>/dev/null | grep -q 'libedit\.so'; then
  echo 'skip simulate/history: libedit is not installed'
elif ! command -v script >/dev/null; then
  echo 'skip simulate/history: no script'
else
  # Take choice 0; recall that line, replace its digit, and take choice 2.
  { sleep 1; printf '0\n'; sleep 1; printf '\033[A\0102\n'; sleep 1; printf 'q\n'; } |
    script -qec "$TARN simulate models/fischer.tck" /dev/null >"$scratch/out" 2>&1
  expect history "$scratch/out" '^step 2, time 0' 'P3: A -> req'
fi
exit $failed
