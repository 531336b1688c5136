#!/usr/bin/env bash
# Nothing passes by accident: what a new user tried, and what he must get: test/accident.sh
set -u
cd "$(dirname "$0")/.." || exit 2
TARN=${TARN:-build/release/tarn}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

ok() { echo "ok accident/$1"; }

fail() {
  failed=1
  echo "FAIL accident/$1: $2"
  head -20 "$scratch/out" | cut -c 1-200 | sed 's/^/    /'
}

# expect NAME STATUS WORDS COMMAND...: the command ends with the status and prints the words.
expect() {
  local name=$1 wanted=$2 words=$3 status
  shift 3
  timeout 120 "$@" >"$scratch/out" 2>&1 </dev/null
  status=$?
  if [ $status != "$wanted" ]; then
    fail "$name" "exit status $status, not $wanted"
  elif ! grep -q -e "$words" "$scratch/out"; then
    fail "$name" "does not say \`$words\`"
  else
    ok "$name"
  fi
}

# lacks NAME WORDS: what was printed last does not have the words.
lacks() {
  if grep -q -e "$2" "$scratch/out"; then fail "$1" "says \`$2\`"; else ok "$1"; fi
}

# Where standard error is closed, no file that is opened takes its place: messages would go into it.
if [ -d /proc/self/fd ]; then
  "$TARN" gen fischer 12 >"$scratch/fischer.tck"
  "$TARN" check --symmetry off --disk "$scratch" --time-limit 20 "$scratch/fischer.tck" >/dev/null 2>&- &
  process=$! tries=0
  until [ -h /proc/$process/fd/4 ] || [ $tries = 500 ]; do
    tries=$((tries + 1))
    sleep 0.01
  done
  where=$(readlink /proc/$process/fd/2)
  kill $process
  wait $process 2>/dev/null
  if [ "$where" = /dev/null ]; then ok 'standard error closed'; else fail 'standard error closed' "it is $where"; fi
fi

# Runs that are shown: the bug of Fischer's protocol takes 6 steps, whatever the search found.
"$TARN" gen fischer 10 buggy=1 >"$scratch/fischer.tck"
for symmetry in auto off; do
  expect "a shortest run, symmetry $symmetry" 1 '^a shortest run that breaks it' \
    "$TARN" check --symmetry $symmetry --trace concrete -q 'A[] !(P1.cs && P2.cs)' "$scratch/fischer.tck"
  [ "$(grep -c '^ *[0-9][0-9]*  at ' "$scratch/out")" = 6 ] && ok "six steps, symmetry $symmetry" ||
    fail "six steps, symmetry $symmetry" 'the run has another length'
done
"$TARN" gen fischer 24 buggy=1 >"$scratch/fischer.tck"
query="A[] $(seq -s ' + ' -f 'P%g.cs' 24) <= 1"
expect 'any run where a shortest one is dear' 1 'breaks it (there may be shorter ones)' \
  "$TARN" check --symmetry off --order hunt --trace concrete -q "$query" "$scratch/fischer.tck"
expect 'any run, JSON' 1 '"preferred": "any"' "$TARN" check --symmetry off --order hunt --json \
  --trace concrete -q "$query" "$scratch/fischer.tck"

# A model without an initial state is an error with its place, in both formats.
printf 'clock x;\nprocess P() {\nstate l0 { x < 0 };\ninit l0;\n}\nsystem P;\n' >"$scratch/model.xta"
expect 'no initial state, UPPAAL' 2 'model.xta:3:7: there is no initial state' \
  "$TARN" check -q 'A[] false' "$scratch/model.xta"
lacks 'no initial state, UPPAAL, no verdict' 'satisfied\|refused'
expect 'no initial state, UPPAAL, JSON' 2 '"errors": \[{"command": "tarn", "file": ".*", "line": 3, "column": 7' \
  "$TARN" check --json -q 'A[] false' "$scratch/model.xta"
printf 'system:s\nclock:1:x\nprocess:P\nlocation:P:l0{initial: : invariant: x<0}\n' >"$scratch/model.tck"
for query in 'A[] false' 'A<> false' 'P.l0 --> false' 'buchi: P.l0' 'sup: x' 'A[] not deadlock'; do
  expect "no initial state, TChecker, $query" 2 'model.tck:4:12: there is no initial state' \
    "$TARN" check -q "$query" "$scratch/model.tck"
done

# Evidence from a device without end.
printf 'process P() { state l0; init l0; }\nsystem P;\n' >"$scratch/model.xta"
endless() { # ARGUMENT...
  expect "$1 /dev/zero" 2 '^tarn: /dev/zero: this is not text' sh -c 'ulimit -t 5; exec "$@"' - "$TARN" "$@"
}
endless certify "$scratch/model.xta" /dev/zero
endless show --trace /dev/zero "$scratch/model.xta"
endless simulate --from /dev/zero "$scratch/model.xta"

# Certificates come through pipes, too, with a name or without.
"$TARN" check --certificate "$scratch/proof" -q 'A[] P.l0' "$scratch/model.xta" >"$scratch/out"
expect 'a certificate through a pipe' 0 accepted sh -c 'cat "$1" | "$2" certify "$3" -' - \
  "$scratch/proof" "$TARN" "$scratch/model.xta"
mkfifo "$scratch/pipe"
expect 'a certificate through a named pipe' 0 accepted \
  sh -c 'cat "$1" >"$2" & sleep 0.1; exec timeout 10 "$3" certify "$4" "$2"' - \
  "$scratch/proof" "$scratch/pipe" "$TARN" "$scratch/model.xta"

# All errors of an UPPAAL file in one run, up to 20; each names the command.
count() { # NAME NUMBER: of errors in the file
  local found
  found=$(grep -c '^tarn: [^ ]*model\.[a-z]*:[0-9]' "$scratch/out")
  [ "$found" = "$2" ] && ok "$1" || fail "$1" "$found errors, not $2"
}
{
  printf 'int a = b;\nint e = zz;\nprocess P() {\nint q = ww;\nstate l0 { x <= 1 }, l1;\ninit l0;\n'
  printf 'trans l0 -> l1 { guard n == 1; }, l0 -> l2 { }, l1 -> l0 { sync c!; };\n}\nsystem P, R;\n'
} >"$scratch/model.xta"
expect 'all errors, .xta' 2 'there is no template or process `R`' "$TARN" check "$scratch/model.xta"
count 'all errors, .xta, their number' 8
{
  printf '<nta><declaration>int a = b;</declaration><template><name>P</name>\n<location id="i">'
  printf '<label kind="invariant">x &lt; 1</label></location>\n<init ref="i"/><transition>'
  printf '<source ref="i"/><target ref="i"/>\n<label kind="guard">n == 1</label></transition>\n'
  printf '</template><system>system P, R;</system></nta>\n'
} >"$scratch/model.xml"
expect 'all errors, .xml' 2 'there is no template or process `R`' "$TARN" check "$scratch/model.xml"
count 'all errors, .xml, their number' 4
{
  awk 'BEGIN { for (i = 1; i <= 30; i++) printf "int v%d = w%d;\n", i, i }'
  printf 'process P() {\nstate l0;\ninit l0;\n}\nsystem P;\n'
} >"$scratch/model.xta"
expect 'not more than 20 errors' 2 '^tarn: and 10 more errors' \
  "$TARN" check "$scratch/model.xta"
count 'not more than 20 errors, their number' 20
expect 'a misspelt command' 2 'did you mean `check`?' "$TARN" chekc "$scratch/model.xta"
expect 'a misspelt lint' 2 'did you mean `lint`?' "$TARN" lnit "$scratch/model.xta"

# What TChecker reads, tarn reads. read NAME STATUS WORDS LINE...: a model with these lines.
reads() {
  local name=$1 status=$2 words=$3
  shift 3
  {
    printf 'system:s\nevent:a\nevent:b\nclock:1:x\nclock:2:y\nint:1:0:3:0:n\nint:2:0:3:0:v\n'
    printf 'process:P\nlocation:P:A{initial:}\nlocation:P:B{}\n'
    printf '%s\n' "$@"
  } >"$scratch/model.tck"
  expect "$name" "$status" "$words" "$TARN" check -q 'E<> P.B' "$scratch/model.tck"
}
reads 'a process without locations' 2 'warning: process `Q` has no location' 'process:Q'
reads 'a process without locations is no pass' 2 'process `Q` has no initial location' 'process:Q'
reads 'a process without an initial location' 2 'warning: process `Q` has no initial location' \
  'process:Q' 'location:Q:q{}'
expect 'such a process is read' 0 'location:Q:q' "$TARN" show "$scratch/model.tck"
reads 'a clock in the condition of if' 2 'write one edge for each case' \
  'edge:P:A:B:a{do: if x<=1 then n=1 end}'
reads 'a clock in the condition of while' 2 'write one edge for each case' \
  'edge:P:A:B:a{do: while x<=1 do n=1 end}'
reads 'labels with blanks' 0 'warning: this label contains blanks' \
  'location:P:C{labels: one two}' 'edge:P:A:B:a{}'
reads 'a local variable that hides a clock' 0 'hides a clock' 'edge:P:A:B:a{do: local x = 1; n=x}'
reads 'a synchronisation of one process' 0 'a synchronisation of one process' \
  'edge:P:A:B:a{}' 'sync:P@a'
for code in 'v[7]=1' 'y[7]=0' 'x[1]=0' 'n[1]=0' 'n=v[7]' 'n=n/0' 'n=n%0'; do
  reads "$code in code that never runs" 0 'satisfied' "edge:P:A:B:a{do: if n==3 then $code end}"
  reads "$code in code that runs" 2 'after this run\|is out of the bounds\|by zero' \
    "edge:P:A:B:a{do: if n==0 then $code end}"
done
for test in 'v[7]==1' 'y[7]<=1' '1/0==1'; do
  reads "$test behind a test that never holds" 0 'satisfied' "edge:P:A:B:a{provided: n==3 && $test}" \
    'edge:P:A:B:b{}'
  reads "$test that is evaluated" 2 'is out of the bounds\|by zero' "edge:P:A:B:a{provided: $test}"
done

# Large clock constants: divided by what they have in common, and multiplied back.
large() { # CONSTANT: one of TChecker's examples, with that as its unit
  printf 'system:ad94\nevent:a\nevent:b\nevent:c\nevent:d\nclock:1:x\nclock:1:y\nprocess:P\n'
  printf 'location:P:l0{initial:}\nlocation:P:l1{}\nlocation:P:l2{}\nlocation:P:l3{}\n'
  printf 'edge:P:l0:l1:a{do:y=0}\nedge:P:l1:l2:b{provided: y==%s}\n' "$1"
  printf 'edge:P:l1:l3:c{provided: x<%s}\nedge:P:l2:l3:c{provided: x<%s}\n' "$1" "$1"
  printf 'edge:P:l3:l1:a{provided: y<%s : do:y=0}\nedge:P:l3:l3:d{provided: x>%s}\n' "$1" "$1"
}
big=10000000000
large $big >"$scratch/large.tck"
expect 'a constant of 10,000,000,000' 0 'visited      4' "$TARN" check "$scratch/large.tck"
expect 'its run' 0 'P.l3  x=20000000000 y=20000000000' "$TARN" check --trace concrete \
  -q "E<> P.l3 && x > $big" "$scratch/large.tck"
expect 'its zones' 0 "x-y<$big" "$TARN" check --trace symbolic -q "E<> P.l3 && x > $big" "$scratch/large.tck"
expect 'its extreme values' 0 "y >= $big" "$TARN" check -q 'inf{P.l2}: y' "$scratch/large.tck"
expect 'shown again' 0 "provided: y == $big" "$TARN" show "$scratch/large.tck"
expect 'its proof' 0 'satisfied' "$TARN" check --certificate "$scratch/proof" \
  -q "A[] P.l2 imply y >= $big" "$scratch/large.tck"
expect 'its proof, checked' 0 'the certificate is accepted' "$TARN" certify "$scratch/large.tck" "$scratch/proof"
expect 'a query of another unit' 0 'at 7500000000  it holds' "$TARN" check --trace concrete \
  -q 'E<> P.l1 && x == 7500000000' -q "E<> x >= $big" "$scratch/large.tck"
expect 'a query that fits no unit' 0 'engine  *wide' "$TARN" check --stats -q 'E<> x > 7' "$scratch/large.tck"
printf '0 %s\n0\nq\n' $big >"$scratch/steps"
expect 'its simulation' 0 "step 2, time 20000000000" \
  sh -c '"$0" simulate "$1" <"$2"' "$TARN" "$scratch/large.tck" "$scratch/steps"
sed "s/y==$big/y==10000000001/" "$scratch/large.tck" >"$scratch/odd.tck"
expect 'constants without a common divisor' 0 'engine  *wide' "$TARN" check --stats "$scratch/odd.tck"
printf 'clock x := 300000000;\nprocess P() {\nstate l0 { x <= 500000000 };\ninit l0;\n}\nsystem P;\n' \
  >"$scratch/large.xta"
expect 'large constants, UPPAAL' 0 'x <= 500000000' "$TARN" check -q 'sup: x' "$scratch/large.xta"

# Bounds that are found during the search: a chain takes time that is linear in its length.
chain() { # LENGTH
  printf 'system:chain\nevent:a\nclock:1:x\nclock:1:y\nprocess:P\nlocation:P:l0{initial:}\n'
  awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++)
    printf "location:P:l%d{}\nedge:P:l%d:l%d:a{provided: x>=%d && y<=%d}\n", i, i - 1, i, i, i + 3 }'
}
chain 40000 >"$scratch/chain.tck"
for bounds in fly lazy; do
  expect "a chain of 40000 locations, bounds $bounds" 0 'visited      40001' \
    sh -c 'ulimit -t 5; exec "$@"' - "$TARN" check --bounds $bounds "$scratch/chain.tck"
done

"$TARN" convert "$scratch/chain.tck" >"$scratch/chain.xta"
expect 'a chain of 40000 locations, UPPAAL' 0 'visited      40001' \
  sh -c 'ulimit -t 5; exec "$@"' - "$TARN" check --bounds fly "$scratch/chain.xta"

# A bug in a model that is too large to explore: hunts in several threads, each with its own seeds.
# (test/limits.sh tries 20 seeds in one thread.)
"$TARN" gen fischer 60 buggy=1 >"$scratch/fischer.tck"
query="A[] $(seq -s ' + ' -f 'P%g.cs' 60) <= 1"
found=0
for seed in $(seq 20); do
  (ulimit -t 2 && exec "$TARN" check --quiet --order hunt --threads 2 --seed "$seed" -q "$query" \
    "$scratch/fischer.tck") >"$scratch/out" 2>&1
  [ $? != 1 ] || found=$((found + 1))
done
[ $found -ge 19 ] && ok 'hunts in two threads' || fail 'hunts in two threads' "found by $found of 20 seeds"
# Two of the 60 processes, which do not meet by chance: every second hunt lets them go first.
for symmetry in auto off; do
  found=0
  for seed in $(seq 0 19); do
    (ulimit -t 1 && exec "$TARN" check --quiet --order hunt --symmetry $symmetry --seed "$seed" \
      -q 'A[] !(P1.cs && P2.cs)' "$scratch/fischer.tck") >"$scratch/out" 2>&1
    [ $? != 1 ] || found=$((found + 1))
  done
  [ $found -ge 19 ] && ok "hunts for a pair, symmetry $symmetry" ||
    fail "hunts for a pair, symmetry $symmetry" "found by $found of 20 seeds"
done
expect 'hunts use symmetry' 0 'symmetry *S_60' "$TARN" check --order hunt --stats -q 'E<> P1.cs && P2.cs' \
  "$scratch/fischer.tck"
"$TARN" gen fischer 4 >"$scratch/fischer.tck"
expect 'hunts that find nothing' 0 'satisfied' "$TARN" check --order hunt --threads 3 \
  -q 'A[] P1.cs + P2.cs + P3.cs + P4.cs <= 1' "$scratch/fischer.tck"
"$TARN" gen fischer 60 >"$scratch/fischer.tck"
expect 'hunts within a limit' 3 'time limit' "$TARN" check --order hunt --symmetry off --threads 3 --time-limit 0.3 \
  -q "$query" "$scratch/fischer.tck"

# Memory: without --memory-limit a search ends undecided before the system ends it.
"$TARN" gen csma 100 >"$scratch/csma.tck"
expect 'ulimit -v of 1 GB' 3 'undecided (memory limit: [0-9]* MiB, 85 % of what was available)' \
  sh -c 'ulimit -v 1000000; exec "$@"' - "$TARN" check --symmetry off --engine zones "$scratch/csma.tck"
grep -q '^  visited  *[1-9]' "$scratch/out" && ok 'ulimit -v of 1 GB, statistics' ||
  fail 'ulimit -v of 1 GB, statistics' 'are missing'
# A cgroup of 1 GB, where one can be made: by hand as root, of version 2 or 1, else by systemd.
name='a cgroup of 1 GB'
words='undecided (memory limit: [78][0-9][0-9] MiB, 85 % of what was available)'
search=("$TARN" check --symmetry off --engine zones "$scratch/csma.tck")
group=
for limit in /sys/fs/cgroup/tarn-$$/memory.max /sys/fs/cgroup/memory/tarn-$$/memory.limit_in_bytes; do
  [ -e "$(dirname "$(dirname "$limit")")/cgroup.procs" ] && mkdir "$(dirname "$limit")" 2>/dev/null || continue
  { echo 1000000000 >"$limit"; } 2>/dev/null && group=$(dirname "$limit") && break
  rmdir "$(dirname "$limit")"
done
if [ -n "$group" ]; then
  expect "$name" 3 "$words" sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "${search[@]}"
  rmdir "$group"
elif systemd-run --user --scope -q true 2>/dev/null; then
  expect "$name" 3 "$words" systemd-run --user --scope -q -p MemoryMax=1000000000 "${search[@]}"
else
  echo "skip accident/$name: no cgroup can be made here"
fi

# Progress: one line that is rewritten on a terminal, lines at growing intervals elsewhere.
if command -v python3 >/dev/null; then
  cat >"$scratch/terminal.py" <<'PY'
import os, pty, sys
child, terminal = pty.fork()
if not child:
    os.execv(sys.argv[1], sys.argv[1:])
output = b""
try:
    while data := os.read(terminal, 1024):
        output += data
except OSError:
    pass
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
lines = output.decode(errors="replace")
shown = lines.count("visited,")
cleared = lines.count("\r\033[K")
print(f"status {status}, shown {shown > 1}, rewritten {cleared >= shown > 0}",
      f"in one line {'visited,' not in lines.splitlines()[-1] or cleared > 0}")
PY
  expect 'progress on a terminal' 0 'status 3, shown True, rewritten True in one line True' \
    python3 "$scratch/terminal.py" "$TARN" check --symmetry off --engine zones --time-limit 2.2 \
    "$scratch/csma.tck"
else
  echo 'skip accident/progress on a terminal: no python3'
fi
expect 'progress elsewhere' 3 '^[0-9.]* s: [0-9]* visited, .* successors/s, .*% of the time' \
  "$TARN" check --progress --symmetry off --engine zones --time-limit 4.5 "$scratch/csma.tck"
awk '/ s: .*visited,/ { if (n++ && $1 - last < gap - 0.01) bad = 1; if (n > 1) gap = $1 - last; last = $1 }
  END { exit bad || n < 2 }' "$scratch/out" && ok 'progress elsewhere, at growing intervals' ||
  fail 'progress elsewhere, at growing intervals' 'they do not grow'
# Hulls of zones show that there is no deadlock; what the search before met is told all the same.
{
  printf 'system:ranges\nevent:e\nint:1:0:1500:0:c\nint:1:0:1:0:n\nprocess:Q\nlocation:Q:q{initial:}\n'
  printf 'edge:Q:q:q:e{do: n=n+1}\n'
  for p in 1 2 3 4; do
    printf 'clock:1:x%d\nprocess:P%d\nlocation:P%d:a{initial: : invariant: x%d<=%d}\n' $p $p $p $p $((7 + 3 * p))
    printf 'edge:P%d:a:a:e{provided: x%d>=%d : do: x%d=0; c=(c+%d)%%1501}\n' $p $p $((1 + 2 * p)) $p $((p == 1))
  done
} >"$scratch/ranges.tck"
expect 'ranges, decided by hulls' 2 'out of the range' \
  "$TARN" check --strict -q 'A[] not deadlock' "$scratch/ranges.tck"
# Hulls have states that no zone has. Time passes from these, too, or the certificate does not hold.
expect 'a certificate of hulls' 0 'satisfied' "$TARN" check --certificate "$scratch/hulls.proof" -q 'P(1).L1 --> P(1).L1' test/run/hull-delays.xta
expect 'a certificate of hulls that holds' 0 'accepted' "$TARN" certify test/run/hull-delays.xta "$scratch/hulls.proof"

exit $failed
