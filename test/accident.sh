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

# Runs that are shown: the bug of Fischer's protocol takes 6 steps, whatever the search found.
"$TARN" gen fischer 10 buggy=1 >"$scratch/fischer.tck"
for symmetry in auto off; do
  expect "a shortest run, symmetry $symmetry" 1 '^a shortest run that breaks it' \
    "$TARN" check --symmetry $symmetry --trace concrete -q 'A[] !(P1.cs && P2.cs)' "$scratch/fischer.tck"
  [ "$(grep -c '^ *[0-9][0-9]*  at ' "$scratch/out")" = 6 ] && ok "six steps, symmetry $symmetry" ||
    fail "six steps, symmetry $symmetry" 'the run has another length'
done
"$TARN" gen fischer 24 buggy=1 >"$scratch/fischer.tck"
expect 'any run where a shortest one is dear' 1 'breaks it (there may be shorter ones)' \
  "$TARN" check --symmetry off --order hunt --trace concrete -q 'A[] !(P1.cs && P24.cs)' "$scratch/fischer.tck"
expect 'any run, JSON' 1 '"preferred": "any"' "$TARN" check --symmetry off --order hunt --json \
  --trace concrete -q 'A[] !(P1.cs && P24.cs)' "$scratch/fischer.tck"

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
"$TARN" gen fischer 4 >"$scratch/fischer.tck"
expect 'hunts that find nothing' 0 'satisfied' "$TARN" check --order hunt --threads 3 \
  -q 'A[] P1.cs + P2.cs + P3.cs + P4.cs <= 1' "$scratch/fischer.tck"
"$TARN" gen fischer 60 >"$scratch/fischer.tck"
expect 'hunts within a limit' 3 'time limit' "$TARN" check --order hunt --threads 3 --time-limit 0.3 \
  -q "$query" "$scratch/fischer.tck"
exit $failed
