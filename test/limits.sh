#!/bin/sh
# Limits and interrupts take hold within 0.1 s of processor time, wherever the search happens to be,
# and within a second where models multiply: test/limits.sh. Processor time, because the machine may be busy with other things.
set -u
cd "$(dirname "$0")/.." || exit 2
TARN=${TARN:-build/release/tarn}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

fail() {
  failed=1
  echo "FAIL limits/$1: $2"
  sed 's/^/    /' "$scratch/out"
}

# Puts the processor time of all commands that have ended, in hundredths of a second, into $used.
used() {
  times >"$scratch/times"
  used=$(awk -F '[ms ]+' 'NR == 2 { printf "%.0f", 100 * ($1 * 60 + $2 + $3 * 60 + $4) }' \
    "$scratch/times")
}

# once COMMAND...: its exit status in $status, what it took in $took.
once() {
  used
  before=$used
  timeout -k 1 60 "$@" >"$scratch/out" 2>&1
  status=$?
  used
  took=$((used - before))
}

# limit NAME STATUS WORDS MOST COMMAND...: the command ends with the status, says the words, and
# takes at most so many hundredths of a second. What others do on the machine only adds to it:
# the least of three runs counts.
limit() {
  name=$1 wanted=$2 words=$3 most=$4
  shift 4
  once "$@"
  [ "$took" -le "$most" ] || once "$@"
  [ "$took" -le "$most" ] || once "$@"
  if [ "$status" != "$wanted" ]; then
    fail "$name" "exit status $status, not $wanted"
  elif ! grep -q "$words" "$scratch/out"; then
    fail "$name" "does not say \`$words\`"
  elif [ "$took" -gt "$most" ]; then
    fail "$name" "took $took hundredths of a second, more than $most"
  else
    echo "ok limits/$name"
  fi
}

# A hundred stations notice a collision together, each in one of two ways: one node has 2^100
# successors.
"$TARN" gen csma 100 >"$scratch/csma.tck"
sed 's/<26/<=25/; s/<52/<=51/' "$scratch/csma.tck" >"$scratch/closed.tck"
for engine in zones local darts points; do
  limit "many successors, $engine" 3 'time limit' 62 \
    "$TARN" check --symmetry off --engine $engine --time-limit 0.5 "$scratch/closed.tck"
done
limit 'many successors, threads' 3 'time limit' 180 \
  "$TARN" check --symmetry off --threads 3 --time-limit 0.5 "$scratch/csma.tck"
limit 'many successors, random order' 3 'time limit' 62 \
  "$TARN" check --symmetry off --seed 3 --time-limit 0.5 "$scratch/csma.tck"
limit 'many successors, interrupt' 3 'interrupted' 62 \
  timeout --preserve-status -s INT 0.5 sh -c 'trap "" INT; exec "$0" "$@"' "$TARN" check --symmetry off "$scratch/csma.tck"
limit 'many successors, memory' 3 'memory limit' 6000 \
  "$TARN" check --symmetry off --memory-limit 50 "$scratch/csma.tck"

limit 'many successors, a graph' 3 'some of it is not shown' 130 \
  "$TARN" check --symmetry off --time-limit 0.5 --graph "$scratch/graph.dot" "$scratch/csma.tck"
tail -n 1 "$scratch/graph.dot" | grep -qx '}' || fail 'a graph that was cut' 'is not whole'
for query in 'A[] not deadlock' 'sup: x1' 'Bus.Collision --> Bus.Idle'; do
  limit "many successors, $query" 3 'time limit' 62 \
    "$TARN" check --symmetry off --time-limit 0.5 -q "$query" "$scratch/csma.tck"
done

# One transition counts a clock up 200,000 times: each update is followed once, not all before it.
cat >"$scratch/count.tck" <<'END'
system:count
event:up
event:down
process:P
clock:1:x
clock:1:y
int:1:0:200000:0:i
location:P:low{initial:}
location:P:high{invariant:x<=300000}
edge:P:low:high:up{provided:y<=3 : do:i=0; while i<200000 do x=x+1; i=i+1 end}
edge:P:high:low:down{provided:x>=250000&&y<=300000 : do:x=0; y=0; i=0}
END
# And one copies a clock less 1 as often.
sed 's/x=x+1/y=x+(0-1)*v/; s/y<=3 /x>=3 /; s/^process/int:1:0:3:1:v\n&/' "$scratch/count.tck" >"$scratch/copy.tck"
for engine in zones local; do
  for model in count copy; do
    limit "many updates of a clock, $model, $engine" 0 'explored' 30 \
      "$TARN" check --engine $engine "$scratch/$model.tck"
  done
done

# Time cannot pass, and each of 24 edges needs another clock between two numbers: what they leave of
# the states has 2^24 parts.
awk 'BEGIN {
  print "system:parts\nevent:a"
  for (p = 1; p <= 24; p++)
    print "clock:1:x" p "\nprocess:P" p "\nlocation:P" p ":u{initial: : urgent:}\nlocation:P" p ":v\n" \
      "edge:P" p ":u:v:a{provided: x" p ">=" p " && x" p "<=" p + 1 "}"
}' >"$scratch/parts.tck"
limit 'many parts, A[] not deadlock' 3 'time limit' 62 \
  "$TARN" check --symmetry off --time-limit 0.5 -q 'A[] not deadlock' "$scratch/parts.tck"

# What comes before the search: processes are compared with each other, the model is read again.
awk 'BEGIN {
  print "system:large\nevent:a\nclock:1:x\nint:1:0:1:0:v"
  for (p = 0; p < 300; p++) {
    print "process:P" p
    for (l = 0; l < 150; l++)
      print "location:P" p ":l" l (l ? "{invariant: x<=5}" : "{initial:}")
    for (l = 0; l < 150; l++)
      print "edge:P" p ":l" l ":l" (l + 1) % 150 ":a{provided: x>=1 && v==0 : do: x=0}"
  }
}' >"$scratch/large.tck"
used
before=$used
"$TARN" show "$scratch/large.tck" >/dev/null
used
reading=$((used - before))
# The time for reading counts.
enough=$(awk -v r=$reading 'BEGIN { print (6 * r + 50) / 100 }')
limit 'symmetry of a large model' 3 'time limit' $((6 * reading + 100)) \
  "$TARN" check --time-limit "$enough" "$scratch/large.tck"
limit 'a large model, read again' 3 'time limit' $((6 * reading + 100)) \
  "$TARN" check --symmetry off --time-limit "$enough" -q 'sup: x' "$scratch/large.tck"
limit 'a large model, reading' 3 'time limit while the model was read' 40 \
  "$TARN" check --time-limit 0.05 "$scratch/large.tck"

# Models whose edges, synchronisations or clocks multiply: reading is within the limit, too, and so
# is each operation on a zone. A second more is for memory that goes back to the system.
cat >"$scratch/selects.xta" <<'END'
int x;
process P() { state A, B; init A; trans A -> B { select i : int[0,2000], j : int[0,2000]; guard i == j; assign x = 1; }; }
system P;
END
cat >"$scratch/scalars.xta" <<'END'
typedef scalar[300] S; S a[S]; chan c[S];
process P(const S i) {
  state A, B; init A;
  trans A -> B { select j : S; guard a[j] != i; sync c[j]!; assign a[j] = i; },
        B -> A { select j : S; sync c[j]?; assign a[i] = j; };
}
system P;
END
cat >"$scratch/pairs.xta" <<'END'
chan a;
process P(const int[0,9999] id) { state A, B; init A; trans A -> B { sync a!; }, B -> A { sync a?; }; }
system P;
END
cat >"$scratch/broadcasts.xta" <<'END'
broadcast chan c[100];
process P(const int[0,199] i) {
  state A, B; init A;
  trans A -> B { select j : int[0,99]; sync c[j]!; },
        B -> A { select j : int[0,99], k : int[0,20]; sync c[j]?; };
}
system P;
END
cat >"$scratch/array.xta" <<'END'
int a[4000][4000];
process P() { state A, B; init A; trans A -> B { select i : int[0,3999]; assign a[i][i] = 1; }, B -> A { }; }
system P;
END
# A fast machine may read some of them in time: then the query ends at the limit.
for model in selects scalars pairs broadcasts array; do
  limit "reading, $model" 3 'time limit' 150 \
    "$TARN" check --time-limit 0.5 -q 'A[] not deadlock' "$scratch/$model.xta"
done
for command in show convert simulate lint; do
  limit "reading, $command" 3 'time limit while the model was read' 150 \
    "$TARN" $command --time-limit 0.5 "$scratch/selects.xta"
done
# A certificate of a few bytes with 2^25 points.
printf 'system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\nedge:P:A:A:a{provided: x<=1}\n' >"$scratch/points.tck"
printf 'tarn certificate 5\n\0\0\0\1\1\1\0\377\377\377\017\1\0\377\377\377\017' >"$scratch/points.proof"
limit 'a hostile certificate' 3 'time limit while the evidence was checked' 150 \
  "$TARN" certify --time-limit 0.5 "$scratch/points.tck" "$scratch/points.proof"
limit 'reading, certify' 3 'time limit while the model was read' 150 \
  "$TARN" certify --time-limit 0.5 "$scratch/selects.xta" missing
limit 'choices of a simulation' 3 'time limit while the choices were found' 150 \
  "$TARN" simulate --time-limit 0.5 --steps 100000 "$scratch/csma.tck"
limit 'reading, memory' 3 'memory limit: .* while the model was read' 600 \
  sh -c 'ulimit -v 300000; exec "$0" "$@"' "$TARN" check "$scratch/scalars.xta"
# One of 40,000 channels is looked for among all synchronisations once, not for each.
cat >"$scratch/channels.xta" <<'END'
chan c[200][200];
process P(const int[0,199] i) {
  state A, B; init A;
  trans A -> B { select j : int[0,199]; sync c[i][j]!; }, B -> A { select j : int[0,199]; sync c[j][i]?; };
}
system P;
END
limit 'lint of many channels' 1 'saw every state' 300 "$TARN" lint --time-limit 50 "$scratch/channels.xta"
limit 'show of many channels' 0 'sync:P' 300 "$TARN" show "$scratch/channels.xta"
# And places of findings are found in one pass over the text.
awk 'BEGIN {
  print "process P() { clock x[300];\nstate"
  for (i = 0; i < 3000; i++) print "L" i (i < 2999 ? "," : ";")
  print "init L0; trans"
  for (i = 0; i < 30000; i++)
    print "L" i % 3000 " -> L" (i * 7 + 1) % 3000 " { guard x[" i % 300 "] > " i % 100 "; }" (i < 29999 ? "," : ";")
  print "} system P;"
}' >"$scratch/findings.xta"
limit 'lint with many findings' 1 'undecided' 600 "$TARN" lint --time-limit 4 "$scratch/findings.xta"
cat >"$scratch/clocks.xta" <<'END'
clock c[10000];
process P() { state A, B; init A; trans A -> B { guard c[9999] > 3; }; }
system P;
END
# With each constraint the zone is tightened.
cat >"$scratch/guards.xta" <<'END'
clock c[3000];
process P() {
  state A { c[0] <= 5 }, B; init A;
  trans A -> B { guard forall (i : int[0,2999]) c[i] >= 1 && c[i] <= 7; assign c[3] = 0; },
        B -> A { guard forall (i : int[0,2999]) c[i] >= 2; assign c[0] = 0, c[1] = 0; };
}
system P;
END
for model in clocks guards; do
  limit "large zones, $model" 3 'time limit' 150 \
    "$TARN" check --time-limit 0.5 -q 'A[] not deadlock' "$scratch/$model.xta"
done
limit 'large zones, differences' 3 'time limit' 150 \
  "$TARN" check --time-limit 0.5 -q 'E<> P.B and c[5] - c[6] > 3' "$scratch/guards.xta"

# Initial states whose invariant does not hold.
{
  printf 'system:initial\nevent:a\nclock:1:x\nint:1:0:1:0:v\n'
  for p in $(seq 40); do
    printf 'process:P%d\nlocation:P%d:a{initial:}\nlocation:P%d:b{initial:}\n' "$p" "$p" "$p"
  done
  printf 'process:Q\nlocation:Q:a{initial: : invariant: v==1}\n'
} >"$scratch/initial.tck"
for engine in zones local darts points; do
  limit "initial states, $engine" 3 'time limit' 62 \
    "$TARN" check --engine $engine --time-limit 0.5 "$scratch/initial.tck"
done

# Loops in statements.
cat >"$scratch/loop.tck" <<'END'
system:loop
event:a
int:1:0:100000000:0:i
int:1:0:100000000:0:k
process:P
location:P:l{initial:}
edge:P:l:l:a{do: i = 0; while (i < 5000000) do i = i + 1 end; k = k + 1}
END
for engine in zones local darts points; do
  limit "loops, $engine" 3 'time limit' 62 \
    "$TARN" check --engine $engine --time-limit 0.5 "$scratch/loop.tck"
done

# Without --memory-limit it is a share of what there is.
limit 'memory that is available' 3 'memory limit: .* 85 % of what was available' 6000 \
  sh -c 'ulimit -v 300000; exec "$0" "$@"' "$TARN" check --symmetry off --engine zones "$scratch/csma.tck"
limit 'a model without end' 2 'more than 256 MiB are not read' 6000 "$TARN" check /dev/zero
limit 'a certificate that cannot be written' 2 'cannot be written' 62 \
  "$TARN" check --certificate "$scratch/missing/proof" "$scratch/csma.tck"

# Sixty processes hear a broadcast, each or not as its clock says. While another process is
# committed, nobody may send it. Afterwards there are 2^60 ways.
cat >"$scratch/receivers.xta" <<'END'
broadcast chan go;
process C() { state c, d; commit c; init c; trans c -> d { }; }
process S() { state a; init a; trans a -> a { sync go!; }; }
process R(const int[1, 60] i) { clock x; state a, b; init a; trans a -> b { guard x >= i; sync go?; }; }
system C, S, R;
END
limit 'a broadcast that nobody may send' 0 'E<> C.d: satisfied' 62 \
  "$TARN" check --symmetry off --order bfs --time-limit 0.5 -q 'E<> C.d' "$scratch/receivers.xta"
limit 'ways to hear a broadcast' 3 'time limit' 62 \
  "$TARN" check --symmetry off --order bfs --time-limit 0.5 -q 'A[] not deadlock' "$scratch/receivers.xta"

# A bug in a large model: --order hunt finds it within a second, whatever the seed.
"$TARN" gen fischer 60 buggy=1 >"$scratch/fischer.tck"
query="A[] $(seq -s ' + ' -f 'P%g.cs' 60) <= 1"
found=0
for seed in $(seq 20); do
  "$TARN" check --quiet --order hunt --seed "$seed" --time-limit 1 -q "$query" \
    "$scratch/fischer.tck" >"$scratch/out" 2>&1
  [ $? != 1 ] || found=$((found + 1))
done
if [ $found -ge 19 ]; then
  echo 'ok limits/hunt'
else
  fail hunt "found by $found of 20 seeds"
fi
# The default order makes such searches beside the main one, once that is long.
if "$TARN" check --quiet --symmetry off --time-limit 60 -q "$query" "$scratch/fischer.tck" 2>&1 |
  grep -q 'not satisfied'; then
  echo 'ok limits/hunts beside the search'
else
  fail 'hunts beside the search' 'the bug was not found'
fi
exit $failed
