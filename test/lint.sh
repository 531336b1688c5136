#!/bin/sh
# `tarn lint`: a model with each defect, in both formats where both can have it, and models
# without any: test/lint.sh
set -u
cd "$(dirname "$0")/.." || exit 2
TARN=${TARN:-build/release/tarn}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

fail() {
  failed=1
  echo "FAIL lint/$1: $2"
  sed 's/^/    /' "$scratch/out"
}

# lint NAME STATUS WANTED OPTION...: lints the model on the standard input. WANTED is the level
# and the kind of each finding, in order.
lint() {
  name=$1 wanted=$2 findings=$3
  shift 3
  case $name in
  *.xta) model=$scratch/model.xta ;;
  *) model=$scratch/model.tck ;;
  esac
  cat >"$model"
  "$TARN" lint "$@" "$model" >"$scratch/out" 2>&1
  status=$?
  found=$(sed -n 's/.*: \(warning\|note\|undecided\): .* \[\([a-z]*\)\]$/\1 \2/p' "$scratch/out" | paste -sd ,)
  if [ "$status" != "$wanted" ]; then
    fail "$name" "exit status $status, not $wanted"
  elif [ "$found" != "$findings" ]; then
    fail "$name" "finds \`$found\`, not \`$findings\`"
  else
    echo "ok lint/$name"
  fi
}

# A model in TChecker's format: what all have, then lines of its own.
tck() {
  printf 'system:s\nevent:a\nevent:b\nclock:1:x\nprocess:P\n'
  printf 'location:P:l0{initial:}\nlocation:P:l1{}\n'
  printf 'edge:P:l0:l1:a{provided: x>=1 : do: x=0}\nedge:P:l1:l0:a{}\n'
  printf '%s\n' "$@"
}

# The same for UPPAAL: declarations, locations and edges besides, the rest of the system.
xta() {
  printf 'clock x;\n%s\nprocess P() {\nstate l0, l1%s;\n%s\ninit l0;\n' "$1" "$2" "$4"
  printf 'trans l0 -> l1 { guard x >= 1; assign x := 0; }, l1 -> l0 { }%s;\n}\nsystem P;\n' "$3"
}

tck | lint 'nothing' 0 ''
xta '' '' '' '' | lint 'nothing.xta' 0 ''

tck 'location:P:l2{}' | lint 'location without a way to it' 1 'warning location'
tck 'location:P:l2{}' 'edge:P:l0:l2:a{provided: x<0}' 'edge:P:l2:l0:a{}' |
  lint 'location behind a guard that never holds' 1 'warning location,warning edge'
tck 'location:P:l2{labels: bad}' | lint 'location with a label' 0 'note location'
tck 'location:P:l2{}' | lint 'location that a query names' 0 '' -q 'A[] !P.l2'
xta '' ', l2' '' '' | lint 'location.xta' 1 'warning location'

tck 'edge:P:l0:l1:a{provided: x<0}' | lint 'edge' 1 'warning edge'
xta '' '' ', l0 -> l1 { guard x < 0; }' '' | lint 'edge.xta' 1 'warning edge'
xta 'int[0,3] n;' '' ', l0 -> l1 { select i : int[0,3]; guard n == i; }' '' |
  lint 'edge with a choice that happens.xta' 0 ''

tck 'process:Q' 'location:Q:q{initial:}' 'edge:Q:q:q:b{}' 'event:c' 'sync:P@c:Q@b' |
  lint 'synchronisation without an edge' 1 'warning exit,warning edge,warning sync'
tck 'process:Q' 'location:Q:q{initial:}' 'edge:Q:q:q:b{provided: x<0}' 'edge:Q:q:q:a{}' \
  'edge:P:l0:l0:b{}' 'sync:P@b:Q@b' |
  lint 'synchronisation that its guards forbid' 1 'warning edge,warning edge,warning sync'
xta 'chan c;' '' ', l0 -> l0 { sync c!; }' '' |
  lint 'channel without a receiver.xta' 1 'warning sync,warning edge'
xta 'chan c[3];' '' '' '' | lint 'channels that nobody uses.xta' 0 ''

tck 'clock:1:y' 'edge:P:l1:l0:b{do: y=0}' | lint 'clock' 1 'warning clock'
xta 'struct { clock c; int n; } s;' '' '' '' |
  lint 'struct with a clock and a variable.xta' 1 'warning clock,warning variable'
tck 'int:1:0:9:0:n' 'edge:P:l1:l0:b{do: n=(n+1)%9}' | lint 'variable' 1 'warning variable'
tck 'int:1:0:9:0:n' 'edge:P:l1:l0:b{do: n=(n+1)%9}' |
  lint 'variable that a query reads' 0 '' -q 'A[] n<9'
xta 'clock y; int[0,9] n;' '' ', l1 -> l0 { assign n := (n + 1) % 9, y := 0; }' '' |
  lint 'clock and variable.xta' 1 'warning clock,warning variable'

tck 'int:1:0:3:0:n' 'edge:P:l1:l0:b{provided: n<9 : do: n=n+1}' | lint 'range' 1 'warning range'
xta 'int[0,3] n;' '' ', l1 -> l0 { guard n < 9; assign n := n + 1; }' '' |
  lint 'range.xta' 1 'warning error'
tck 'int:1:0:3:0:n' 'edge:P:l1:l0:b{provided: n<9 : do: n=1/n}' |
  lint 'division by zero' 1 'undecided edge,warning error'

tck 'location:P:l2{}' 'edge:P:l0:l2:b{}' | lint 'exit' 0 'note exit'
tck 'location:P:l2{}' 'edge:P:l0:l2:b{}' 'edge:P:l2:l0:b{provided: x<0}' |
  lint 'exit that no guard allows' 1 'warning exit,warning edge'
xta '' ', l2' ', l0 -> l2 { }' '' | lint 'exit.xta' 0 'note exit'

tck 'location:P:l2{urgent:}' 'edge:P:l1:l2:b{}' 'edge:P:l2:l0:b{provided: x>=2}' |
  lint 'urgent location' 1 'warning blocking'
tck 'location:P:l2{committed:}' 'edge:P:l1:l2:b{}' 'edge:P:l2:l0:b{provided: x>=2}' |
  lint 'committed location' 1 'warning blocking'
tck 'location:P:l2{committed:}' 'edge:P:l1:l2:b{provided: x>=2}' \
  'edge:P:l2:l0:b{provided: x>=2}' | lint 'committed location that does not block' 0 ''
xta '' ', l2' ', l1 -> l2 { }, l2 -> l0 { guard x >= 2; }' 'commit l2;' |
  lint 'committed location.xta' 1 'warning blocking'

tck | lint 'vacuous implication' 1 'warning query' -q 'A[] x<0 imply P.l1'
tck | lint 'vacuous implications' 1 'warning query' -q 'A[] (x<0 imply P.l1) and (x<0 imply P.l0)'
tck | lint 'implication' 0 '' -q 'A[] x>3 imply P.l1' -q 'A[] P.l0 imply x>=0'
tck | lint 'vacuous leads-to' 1 'warning query' -q 'x<0 --> P.l1'
tck 'location:P:l2{}' 'edge:P:l1:l2:b{}' |
  lint 'implication of deadlock' 0 '' -q 'A[] deadlock imply P.l0' -q 'A[] deadlock imply P.l2'
tck | lint 'vacuous implication of deadlock' 1 'warning query' -q 'A[] deadlock imply P.l0'
tck 'location:P:l2{}' 'edge:P:l1:l2:b{}' |
  lint 'vacuous deadlock in a place' 1 'note exit,warning query' -q 'A[] deadlock and P.l1 imply P.l0'
tck | lint 'query about nothing' 1 'warning query' -q 'A[] 1<2'
xta '' '' '' '' | lint 'vacuous implication.xta' 1 'warning query' -q 'A[] x < 0 imply P.l1'
xta 'int[0,1] n;' '' ', l0 -> l0 { assign n := 1 - n; }' '' |
  lint 'vacuous quantifier.xta' 1 'warning query' -q 'A[] forall (i : int[2,3]) n == i imply P.l1'

# A search that is cut: what is certain is told, the rest is undecided. What it sees depends on the
# machine.
cut() {
  "$TARN" lint --time-limit 0.05 "$scratch/model.tck" >"$scratch/out" 2>&1
  status=$?
  if [ $status != "$2" ]; then
    fail "search that is cut, $1" "exit status $status, not $2"
  elif ! grep -q 'the search was cut (time limit)' "$scratch/out" ||
    { [ "$2" = 1 ] && ! grep -q 'warning: no run reaches P1.never ' "$scratch/out"; } ||
    [ "$(grep -c warning: "$scratch/out")" != $(($2 == 1)) ]; then
    fail "search that is cut, $1" 'does not tell what is certain'
  else
    echo "ok lint/search that is cut, $1"
  fi
}
"$TARN" gen fischer 30 >"$scratch/model.tck"
cut 'nothing is certain' 3
echo 'location:P1:never{}' >>"$scratch/model.tck"
cut 'something is certain' 1

# JSON, and the usual faults.
tck 'clock:1:y' >"$scratch/model.tck"
"$TARN" lint --json "$scratch/model.tck" >"$scratch/out"
if ! grep -q '"kind": "clock", "level": "warning", "name": "y"' "$scratch/out" ||
  ! grep -q '"search": {"complete": true, "reason": null' "$scratch/out"; then
  fail json 'lacks the finding'
else
  echo 'ok lint/json'
fi
tck 'location:P:l2{initial: : invariant: x<0}' | sed 's/l0{initial:}/l0{}/' >"$scratch/model.tck"
"$TARN" lint "$scratch/model.tck" >"$scratch/out" 2>&1
[ $? = 2 ] && grep -q 'there is no initial state' "$scratch/out" && echo 'ok lint/no initial state' ||
  fail 'no initial state' 'is not told'
"$TARN" lint --engine zones "$scratch/model.tck" >"$scratch/out" 2>&1
[ $? = 2 ] && grep -q 'lint has no option `engine`' "$scratch/out" && echo 'ok lint/options' ||
  fail options 'of check are taken'
exit $failed
