#!/bin/sh
# Hostile UPPAAL models get an error or a limit, soon, and no crash: test/hostile.sh
# One line for each, ok or FAIL. The command is $TARN, default build/release/tarn.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
TARN=${TARN:-$root/build/release/tarn}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

# try NAME STATUS PATTERN: the model is in $scratch/model; what it says must match.
try() {
  status=0
  timeout 60 "$TARN" check --memory-limit 2000 "$scratch/model" >"$scratch/out" 2>&1 </dev/null || status=$?
  if [ "$status" = "$2" ] && grep -q "$3" "$scratch/out"; then
    echo "ok hostile/$1"
  else
    failed=1
    echo "FAIL hostile/$1: exit $status"
    head -c 2000 "$scratch/out" | sed 's/^/    /'
  fi
}

repeat() { awk -v n="$1" -v s="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", s }'; }
body='process P() { state A; init A; } system P;'

{ printf 'int x = '; repeat 100000 '('; printf '1'; repeat 100000 ')'; echo "; $body"; } >"$scratch/model"
try parentheses 2 'nested more than'
{ printf 'int x = '; repeat 100000 '1+'; echo "1; $body"; } >"$scratch/model"
try chain 2 'nested more than'
{ printf 'void f() '; repeat 100000 '{'; repeat 100000 '}'; echo "$body"; } >"$scratch/model"
try blocks 2 'nested more than'
{ printf '<nta>'; repeat 100000 '<template>'; } >"$scratch/model"
try elements 2 '.'
echo "int a[1000000][1000000]; $body" >"$scratch/model"
try array 2 'more than\|too large'
echo "int[0,2147483647] a; int b[int[0,2147483647]]; $body" >"$scratch/model"
try index-type 2 'too large'
echo "typedef struct { t x; } t; typedef u u; t v; $body" >"$scratch/model"
try typedef 2 'no type'
echo "int f(int n) { return g(n); } int g(int n) { return f(n); } const int x = f(1); $body" >"$scratch/model"
try recursion 2 'no function\|calls itself'
echo "int f(int n) { return f(n); } const int x = f(1); $body" >"$scratch/model"
try self 2 'calls itself'
echo "int f() { while (true) { } return 1; } const int x = f(); $body" >"$scratch/model"
try endless-constant 2 'does not end'
cat >"$scratch/model" <<'END'
int x;
void f() { while (true) x = 1 - x; }
process P() { state A, B; init A; trans A -> B { assign f(); }; }
system P;
END
status=0
timeout 60 "$TARN" check -q 'E<> P.B' "$scratch/model" >"$scratch/out" 2>&1 || status=$?
if [ "$status" = 2 ] && grep -q 'does not end' "$scratch/out"; then
  echo 'ok hostile/endless-update'
else
  failed=1
  echo "FAIL hostile/endless-update: exit $status"
fi
echo 'process P(int[0,1000] a, int[0,1000] b) { state A; init A; } system P;' >"$scratch/model"
try processes 2 'processes'
cat >"$scratch/model" <<'END'
process P() { state A; init A; trans A -> A { select i : int[0,2000000000]; }; }
system P;
END
try select 2 'choices'
cat >"$scratch/model" <<'END'
process P() { state A; init A; trans A -> A { select i : int[0,30000], j : int[0,30000]; }; }
system P;
END
try selects 2 'edges'
cat >"$scratch/model" <<'END'
<?xml version="1.0"?><!DOCTYPE nta [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">
<!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;"><!ENTITY f SYSTEM "file:///etc/passwd">]>
<nta><declaration>int x; &e; &f;</declaration><system>system &e;;</system></nta>
END
try entities 2 '.'
exit $failed
