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
list() { awk -v n="$1" -v s="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s%s%d", i ? "," : "", s, i }'; }

echo "chan c[1000000]; process P(const int[0,9] i) { state A; init A; trans A -> A { sync c[i]!; }; } system P;" >"$scratch/model"
try channels 2 'more than 100000 channels'
{ repeat 100000 'int x; '; echo "$body"; } >"$scratch/model"
try declared-often 2 'more errors$'
{ printf 'process P() { state '; list 200000 l; echo '; init l0; } system P;'; } >"$scratch/model"
try locations 0 'explored'
{
  printf 'process P() { state A; init A; } '
  awk 'BEGIN { for (i = 0; i < 100000; i++) printf "P%d = P();", i }'
  printf 'system '
  list 100000 P
  echo ';'
} >"$scratch/model"
try instances 2 'more than 65536 processes'
{
  echo 'typedef struct { int a; } t0;'
  awk 'BEGIN { for (i = 0; i < 70; i++) printf "typedef struct { t%d a, b; } t%d;", i, i + 1 }'
  echo "t70 v; $body"
} >"$scratch/model"
try structs 2 'this struct has more than'
{ printf 'int a['; repeat 30 '10]['; echo "10]; $body"; } >"$scratch/model"
try dimensions 2 'more than'
echo "const bool b = forall (i : int[0,30000]) forall (j : int[0,30000]) i + j >= 0; $body" >"$scratch/model"
try quantifiers 2 'does not end'
{ printf 'int x = 99999999999999999999; int[5,1] y; typedef scalar[2000000000] s; int a[s]; '; echo "$body"; } >"$scratch/model"
try numbers 2 'larger than 2147483647'
{ printf '<nta '; awk 'BEGIN { for (i = 0; i < 200000; i++) printf "a%d=\"x\" ", i }'; echo '/>'; } >"$scratch/model"
try attributes 2 'tag of more than'
printf '<nta><declaration>int x;</declaration><template><name>P</name><location id="a"/><transition><sour' >"$scratch/model"
try truncated 2 'damaged'
printf '<' >"$scratch/model"
try truncated-early 2 'not XML'
printf 'int x; /* never ends' >"$scratch/model"
try comment 2 '.'
printf 'int \377\376\303; // \200\n%s' "$body" >"$scratch/model"
try bytes 2 'expected the name'
"$TARN" check --json "$scratch/model" >"$scratch/out" 2>/dev/null
if grep -q '"text": "expected the name' "$scratch/out"; then
  echo 'ok hostile/bytes in JSON'
else
  failed=1
  echo 'FAIL hostile/bytes in JSON'
fi
# Names of models and queries in other encodings, too.
printf 'process P() { state A, B; init A; trans A -> B { }; } system P;' >"$scratch/$(printf 'caf\351').xta"
for what in check lint; do
  timeout 60 "$TARN" $what --json -q "$(printf 'A[] false imply P.A /* \351 */')" "$scratch/$(printf 'caf\351').xta" >"$scratch/out" 2>/dev/null
  if grep -q '"model": "caf?".*A\[\] false imply P.A /\* ? \*/' "$scratch/out"; then
    echo "ok hostile/encoding in JSON of $what"
  else
    failed=1
    echo "FAIL hostile/encoding in JSON of $what"
  fi
done
timeout 60 "$TARN" check --graph "$scratch/graph.json" "$scratch/$(printf 'caf\351').xta" >"$scratch/out" 2>&1
if grep -q '"model": "caf?"' "$scratch/graph.json"; then
  echo 'ok hostile/encoding in the graph'
else
  failed=1
  echo 'FAIL hostile/encoding in the graph'
fi
# So are messages about the command line: long names, and bytes that are no UTF-8.
for name in "$(repeat 9000 'é')" "$(printf 'x\377\303')"; do
  timeout 60 "$TARN" check --json --html "$scratch/none/$name" "$scratch/model" >"$scratch/out" 2>/dev/null
  if iconv -f UTF-8 -t UTF-8 "$scratch/out" >/dev/null 2>&1 && grep -q '"text": .*"results"' "$scratch/out"; then
    echo 'ok hostile/names in JSON'
  else
    failed=1
    echo 'FAIL hostile/names in JSON'
  fi
done
printf '<nta><declaration>int \377\376; // \303(</declaration><template><name>P</name><location id="a"/><init ref="a"/></template><system>system P;</system></nta>' >"$scratch/model"
try bytes-xml 2 'read as ISO-8859-1'
{ printf '<?xml version="1.0"?><!DOCTYPE nta [<!ENTITY a0 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa">'
  awk 'BEGIN { for (i = 0; i < 12; i++) { printf "<!ENTITY a%d \"", i + 1; for (k = 0; k < 30; k++) printf "&a%d;", i; printf "\">" } }'
  echo ']><nta><declaration>int x; &a12;</declaration><template><name>&a12;</name></template><system>system &a12;;</system></nta>'
} >"$scratch/model"
try laughs 2 '.'

# 100 MB of declarations: the memory limit holds while the model is read.
repeat 14000000 'int x; ' >"$scratch/model"
status=0
timeout 60 "$TARN" check --memory-limit 300 "$scratch/model" >"$scratch/out" 2>&1 </dev/null || status=$?
if [ "$status" = 3 ] && grep -q 'memory limit while the model was read' "$scratch/out"; then
  echo 'ok hostile/size'
else
  failed=1
  echo "FAIL hostile/size: exit $status"
fi
exit $failed
