#!/bin/sh
# Statistical queries on the command line: test/statistics.sh
#
# Verdicts and exit statuses, the same bytes for any number of threads, limits, files of values, and
# models that must end with an error: rates and weights that are no numbers, infinite runs.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
TARN=${TARN:-$root/build/release/tarn}
case $TARN in /*) ;; *) TARN=$PWD/$TARN ;; esac
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
failed=0

# expect NAME STATUS PATTERN COMMAND...: what a command prints, and how it ends.
expect() {
  name=$1 wanted=$2 pattern=$3
  shift 3
  timeout 60 "$@" >out 2>&1
  status=$?
  if [ "$status" -ne "$wanted" ] || ! grep -q -e "$pattern" out; then
    echo "FAIL statistics/$name: exit status $status"
    head -5 out | cut -c 1-200 | sed 's/^/    /'
    failed=1
  else
    echo "ok statistics/$name"
  fi
}

# A model with one location, its rate, and what its edge does.
model() {
  printf 'clock x; int n = 0; double d = 0.0;\nvoid loop() { while (true) { n = n; } }\n' >model.xta
  printf 'process P() { state s { %s }; init s; trans s -> s { %s }; }\nsystem P;\n' "$1" "$2" >>model.xta
}

link=$root/models/random/link.xta
gate=$root/models/random/gate.xta
expect estimated 0 ': estimated$' "$TARN" check --quiet -q 'Pr[<=20](<> Sender.Done)' "$link"
expect never 0 'in \[0, 0.0499441\] (95 %); 0 of 72 runs' "$TARN" check --quiet --exact off -q 'Pr[<=20](<> tries > 9)' "$link"
expect satisfied 0 ': satisfied$' "$TARN" check --quiet -q 'Pr[<=20](<> Sender.Done) >= 0.9' "$link"
expect not-satisfied 1 ': not satisfied$' "$TARN" check --quiet -q 'Pr[<=20](<> Sender.Done) <= 0.9' "$link"
expect compared 0 ': satisfied$' "$TARN" check --quiet \
  -q 'Pr[<=40](<> Train(2).Cross) >= Pr[<=40](<> Train(0).Cross)' "$gate"
expect sequence 0 'estimate' "$TARN" check --quiet --stop sequence -q 'Pr[<=20](<> tries > 1)' "$link"
expect relative 0 'estimate' "$TARN" check --quiet --stop relative --epsilon 0.2 -q 'Pr[<=20](<> tries > 2)' "$link"
expect mitl 0 ': estimated$' "$TARN" check --quiet -q 'Pr(<>[0,3] ([][0,1] Sender.Done))' "$link"
expect simulate 0 'run 2 ' "$TARN" check --quiet -q 'simulate [<=5; 3] { tries }' "$link"
for filter in 'simulate [<=20; 100] { tries } : 2 : tries > 1' 'simulate 100 [<=20] { tries } : tries > 1'; do
  expect simulate-filter 0 'estimate .*, in \[0.*; 2[0-9] of 100 runs' "$TARN" check --quiet -q "$filter" "$link"
  echo "$filter" >filter.q
  expect simulate-filter-uppaal 0 '^ -- Result: (2[0-9]/100 runs) Pr(<> …) in \[0.*(95% CI)$' "$TARN" verifyta -q "$link" filter.q
done
expect simulate-kept 0 '^\[1\]: (0,0) ' "$TARN" verifyta -q "$link" filter.q
# What symbolic queries ignore is told once, with the first of them.
expect not-ignored 0 'estimated' "$TARN" check --strict -q 'Pr[<=20](<> Sender.Done)' "$link"
expect ignored 0 'probability weights are ignored: they are for statistical queries' "$TARN" check -q 'Pr[<=20](<> Sender.Done)' \
  -q 'E<> Sender.Done' -q 'E<> tries > 1' "$link"
[ "$(grep -c 'are ignored' out)" = 1 ] || { echo 'FAIL statistics/ignored: not once'; failed=1; }
printf 'Pr[<=20](<> tries > 0)\n' >one.q
expect verifyta 0 ' -- Result: (72/72 runs) Pr(<> …) in \[0.950056,1\] (95% CI)' "$TARN" verifyta -q -a 0.05 -r 7 "$link" one.q
expect limit 3 'undecided (time limit)' "$TARN" check --quiet --exact off --time-limit 0.3 -q 'Pr[<=2000; 100000000](<> false)' "$gate"
expect limit-interval 3 'in \[0, ' "$TARN" check --quiet --exact off --time-limit 0.3 --threads 2 -q 'Pr[<=2000; 100000000](<> false)' "$gate"
expect parameters 2 'must lie between 0 and 1' "$TARN" check --quiet --alpha 0 -q 'Pr[<=20](<> Sender.Done)' "$link"

# What needs no runs: 0 and 1 by the zone engine, chains in continuous time by uniformisation.
queue=$root/models/random/queue.xta
expect zero 0 'exactly     0: the zone engine .*; no runs are needed' "$TARN" check --quiet -q 'Pr[<=20](<> tries > 9)' "$link"
expect zero-in-time 0 'exactly     0: ' "$TARN" check --quiet -q 'Pr[<=3](<> tries == 4)' "$link"
expect one 0 'exactly     1: the zone engine .* every run reaches' "$TARN" check --quiet -q 'Pr[<=2](<> tries >= 1)' "$link"
expect not-one 0 'estimate    1, in' "$TARN" check --quiet -q 'Pr[<=20](<> Sender.Done)' "$link"
expect always-one 0 'exactly     1: .*no run leaves it; no runs' "$TARN" check --quiet -q 'Pr[<=20]([] tries < 9)' "$link"
expect zero-test 1 'exactly     0: ' "$TARN" check --quiet -q 'Pr[<=20](<> tries > 9) >= 0.5' "$link"
expect chain 0 'exactly     3.76335993e-06: uniformisation' "$TARN" check --quiet -q 'Pr[<=1000; 100](<> n >= 12)' "$queue"
expect exact-off 0 '0 of 100 runs' "$TARN" check --quiet --exact off -q 'Pr[<=1000; 100](<> n >= 12)' "$queue"

# Rare events: the exact value is 2 / (3^12 - 1).
"$TARN" check --quiet --exact off --levels auto --json -q 'Pr[<=1000](<> n >= 12)' "$queue" >levels.json
python3 - <<'END'
import json, sys
e = json.load(open('levels.json'))['results'][0]['estimate']
exact = 2 / (3 ** 12 - 1)
half = (e['upper'] - e['lower']) / 2
good = abs(e['value'] - exact) < 2 * half and half < 0.2 * exact and len(e['levels']) == 11
print('ok statistics/levels' if good else 'FAIL statistics/levels: %s' % e['value'])
sys.exit(not good)
END
[ $? = 0 ] || failed=1
expect levels-named 0 'levels      2: ' "$TARN" check --quiet --levels n -q 'Pr[<=1000; 100](<> n >= 12)' "$queue"
expect levels-clock 2 'must not depend on clocks' "$TARN" check --quiet --levels x -q 'Pr[<=20](<> tries > 2)' "$link"
expect levels-auto 2 'needs a goal such as' "$TARN" check --quiet --levels auto -q 'Pr[<=20](<> Sender.Done)' "$link"
expect few-hits 0 'carry this estimate: make more, or use --levels' "$TARN" check --quiet --exact off -q 'Pr[<=1000; 2000](<> n >= 6)' "$queue"

# --explain: laws of delays and choices, and what may surprise.
cat >odd.xta <<'END'
double d = random(3.0); clock x; broadcast chan c;
process P() { state s { x <= 5; 2 }; init s;
  trans s -> s { guard x >= 1 && x <= 2; sync c!; assign x = 0; }, s -> s { guard x >= 4; assign x = 0; }; }
process Q() { state s, t { ; 1:3 }; init s; trans s -> t { sync c?; }, s -> s { sync c?; }, t -> s { }; }
system P, Q;
END
explain() { expect "explain-$1" 0 "$2" "$TARN" check --explain -q 'Pr[<=2; 9](<> Q.t)' odd.xta; }
explain uniform 'P.s: uniform, from the first edge that opens to the end of x <= 5; the rate is ignored'
explain exponential 'Q.t: exponential with the rate 0.333333'
explain once 'this random number is drawn once'
explain rate 'warning: P.s: the rate is ignored'
explain gap 'warning: P.s: the guards leave a gap'
explain inputs 'warning: Q.s: several edges may receive'
expect error-option 0 'has no effect: steps are chosen such that the error of each is below 1e-12' "$TARN" check \
  --discretization 0.1 --truncation-error 1e-12 -q 'Pr[<=5; 9](<> T > 30)' "$root/models/random/heater.xta"

for threads in 1 2 8; do
  "$TARN" check --quiet --threads $threads --epsilon 0.01 --data data-$threads -q 'Pr[<=20](<> tries > 2)' \
    -q 'E[<=20; 3000](max: tries)' "$link" >out-$threads
  "$TARN" check --quiet --threads $threads --data more-$threads -q 'Pr[<=60; 3000](<> Train(2).Cross)' "$gate" >>out-$threads
  "$TARN" check --quiet --threads $threads --data heat-$threads -q 'E[<=60; 300](min: T)' "$root/models/random/heater.xta" >>out-$threads
done
if cmp -s out-1 out-2 && cmp -s out-1 out-8 && diff -r data-1 data-8 >diffs && diff -r more-1 more-8 >diffs &&
  diff -r more-1 more-2 >diffs && diff -r heat-1 heat-2 >diffs && diff -r heat-1 heat-8 >diffs; then
  echo 'ok statistics/threads'
else
  echo 'FAIL statistics/threads: the answers differ'
  failed=1
fi
expect data 0 'run,seed,value' head -1 data-1/1-values.csv

# Runs that answers name: shown, replayed, and rejected if they are forged.
expect run 0 'at .* Sender: Send -> Done' "$TARN" simulate --quiet --run 3 -q 'Pr[<=20](<> Sender.Done)' "$link"
expect run-steps 0 '^ *5 *at' "$TARN" simulate --quiet --run 1 --seed 7 --steps 5 "$gate"
expect run-query 2 'only statistical queries' "$TARN" simulate --quiet --run 1 -q 'A[] true' "$gate"
"$TARN" simulate --quiet --run 42 --json -q 'Pr[<=20](<> Sender.Done)' "$link" >run.json
expect replayed 0 'accepted, with exact times' "$TARN" certify --quiet "$link" run.json
sed 's/"satisfied":true/"satisfied":false/' run.json >forged.json
expect forged 1 'rejected' "$TARN" certify --quiet "$link" forged.json
# With few steps the replayer's integration leaves the real numbers: it must not stop there.
prey=$root/test/statistics/volterra.xta
"$TARN" simulate --quiet --run 7 --json -q 'E[<=10; 1](max: x)' "$prey" >run.json
expect integrated-long 0 'accepted, each within' "$TARN" certify --quiet "$prey" run.json
# A goal that holds for a moment within a delay: the replay looks there, too.
printf 'clock x; process P() { state a { x <= 10 }, b; init a; trans a -> b { guard x >= 9; }; } system P;\n' >wait.xta
"$TARN" simulate --quiet --run 1 --json -q 'Pr[<=12](<> x >= 40)' wait.xta >run.json
sed 's/x >= 40/x >= 3 \&\& x <= 3.0001/' run.json >forged.json
expect within-a-delay 1 'should have ended before' "$TARN" certify --quiet wait.xta forged.json
# An urgent edge whose guard holds for a moment within a delay: time may not pass.
printf 'clock x; %%s broadcast chan c; process P() { state a { x <= 10 }, b, d; init a; trans a -> b { guard x >= 9; }, a -> d { guard x >= 2 && x <= 2.01; sync c!; }; } system P;\n' >window.txt
sed 's/%s//' window.txt >plain.xta
sed 's/%s/urgent/' window.txt >urgent.xta
"$TARN" simulate --quiet --run 1 --json -q 'Pr[<=12](<> P.b)' plain.xta >window.json
expect not-urgent 0 'accepted' "$TARN" certify --quiet plain.xta window.json
expect urgent-within-a-delay 1 'can send on an urgent channel' "$TARN" certify --quiet urgent.xta window.json
expect whole-delay 0 'accepted, with exact times and clocks$' "$TARN" certify --quiet wait.xta run.json
heater=$root/models/random/heater.xta
"$TARN" simulate --quiet --run 2 --json "$heater" >run.json
expect integrated 0 'accepted, each within 1e-' "$TARN" certify --quiet "$heater" run.json

# In a committed state a sender outside acts only if a committed process listens: S may send c, not d,
# and A may not move alone. So the listener ends in `ok` in every run, and A and d never come first.
cat >committed.xta <<'END'
broadcast chan c, d;
int early = 0;
process R() { state w, ok; commit w; init w; trans w -> ok { sync c?; }; }
process L() { state s; init s; trans s -> s { sync d?; }; }
process S() { state s { ; 1 }; init s; trans s -> s { guard early == 0; sync d!; assign early = 1; },
  s -> s { sync c!; assign early = early == 0 ? 2 : early; }; }
process A() { state s { ; 1 }; init s; trans s -> s { assign early = early == 0 ? 3 : early; }; }
system R, L, S, A;
END
expect committed 0 '300 of 300 runs' "$TARN" check --quiet -q 'Pr[#<=1; 300](<> early == 2 && R.ok)' committed.xta

query='Pr[<=10](<> n == -1)'
hostile() { # NAME LOCATION EDGE PATTERN
  model "$2" "$3"
  expect "$1" "${5:-2}" "$4" "$TARN" check --quiet -q "$query" model.xta
}
hostile no-rate '' '' 'neither an invariant bounds it nor is there a rate, in P.s at time 0 (run 0 of seed 1)'
hostile fast-rate ' ; 1e300' '' 'probably Zeno'
hostile negative-rate ' ; -1' '' 'the rate of the delay is -1'
hostile nan-rate ' ; d / d' '' 'zero'
hostile endless-function ' ; 1' 'assign loop();' 'loop\|steps'
hostile zeno 'x <= 0' '' 'probably Zeno'
hostile lock 'x <= 3' 'guard x > 5;' 'time-lock'
hostile range ' ; 5' 'assign n = n + 2147483647;' 'out of the range'
hostile curve "x' == x * x * x + 1.0; 0.0001" '' 'cannot be solved'
printf 'clock x; process P() { state s { x%s == 2 }; init s; }\nprocess Q() { state s { x%s == 3 }; init s; } system P, Q;\n' "'" "'" >two.xta
expect two-rates 2 'clock x has the rate 3, and another location gives it 2, in Q.s at time 0' "$TARN" check --quiet -q 'E[<=5; 1](max: x)' two.xta
# A fast oscillation over a long delay: limits count within the integration, too.
printf "clock x = 1.0, y; urgent broadcast chan u; process P() { state s { x' == 1000000 * y && y' == -1000000 * x }, f;\n" >fast.xta
printf 'init s; trans s -> f { guard x >= 5; sync u!; }; } process Q() { state s { ; 1 }; init s; trans s -> s { }; } system P, Q;\n' >>fast.xta
expect fast-curve 3 'undecided (time limit)' "$TARN" check --quiet --time-limit 0.5 -q 'Pr[<=100](<> P.f)' fast.xta
# A ball that comes to rest: ever shorter delays, up to a moment.
printf "clock p = 1.0, v; urgent broadcast chan b; process P() { state s { p' == v && v' == -9.81 }; init s;\n" >rest.xta
printf 'trans s -> s { guard p == 0 && v < 0; sync b!; assign v = -0.5 * v; }; }\nsystem P;\n' >>rest.xta
expect rest 2 'probably Zeno: 1000 delays in a row took almost no time at time 1.354' "$TARN" check --quiet -q 'E[<=5; 1](max: p)' rest.xta
printf 'process P(const int[0,999999] i) { state s { ; 1 }; init s; trans s -> s { }; }\nsystem P;\n' >many.xta
expect many 2 'processes' "$TARN" check --quiet -q 'Pr[<=1](<> false)' many.xta
[ $failed = 0 ]
