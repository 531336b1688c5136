#!/bin/sh
# Builds the proved checker and tests it: proof/test.sh [PART...]
#
#   theorem   the theorems compile, and assume nothing
#   readers   models are read as `tarn show` prints them
#   suite     certificates of the test suite are accepted: rows of test/run/verdicts.tsv, each
#             with some of the configurations, and small rows of test/run/counts.tsv
#   symmetric certificates of searches that are reduced by symmetry
#   runs      runs of the suite are accepted, and changed ones rejected
#   hook      tarn certify --proved
#   limits    limits of time and memory end the check, with status 3
#   forged    false evidence that was accepted once, or could be, is rejected
#   rules     certificates by hand, each of which breaks one rule of the format, are rejected by both checkers
#   slips     what must not be taken silently: other verdicts, output that is lost, names with two meanings, misspelt attributes
#   claims    what is said to be proved is what the query asks, however it is written
#   names     queries with quantifiers, and those that name processes as P(1).l
#   deadlocks certificates of deadlock freedom; and false ones, of models with a deadlock
#   endless   certificates about infinite runs: accepted, and forged ones rejected
#   points    certificates of points: accepted, and changed ones as tarn certify says
#   gaps      certificates in which differences of clocks matter: accepted, and changed ones as tarn certify says
#   overflow  integers of UPPAAL's models wrap around
#   effects   calls and assignments inside of expressions: what they do, in which order
#   units     large constants, with a common divisor and without
#   lassos    infinite runs and to deadlocks: accepted, and changed ones as tarn certify says
#   rounds    infinite runs with a part that repeats at other times in each round
#   values    extreme values: certificates and their runs are accepted, changed ones as tarn certify says
#   deep      a state with many transitions, with the stack that programs get by default
#   uppaal    models of UPPAAL: read as `tarn show` prints them, certificates and runs of their queries are accepted, changed
#             certificates as tarn certify says; what is not covered is refused by name; the same for random networks
#   constructs each construct of both languages in a model of its own, and the models of test/uppaal: evidence is accepted
#   programs  random guards and updates of UPPAAL's language: read and evaluated as by tarn
#   evidence  random networks of both languages with queries of every kind: evidence is accepted, false claims are rejected
#   errors    guards and invariants in which a part is an error that another part may hide
#   reduced   certificates with reduced sets of partial order are accepted, where the rules are proved; false ones are rejected
#   forgets   certificates with dead variables are accepted; with other lists, or changed in other ways, they are judged as by tarn certify
#   random    certificates of random networks are accepted, changed ones rejected
#   copies    likewise of random networks of copies of one process, reduced by symmetry
#   all       the suite, all rows of counts.tsv whose certificate takes less than a minute
#
# Without a part: all but the last. Where Coq or OCaml is not installed all is skipped.
set -u
cd "$(dirname "$0")/.." || exit 2
parts=${*:-theorem readers suite symmetric runs hook limits forged rules slips claims names deadlocks endless overflow effects units lassos rounds values points gaps deep uppaal constructs programs evidence errors reduced forgets random copies}
out=build/proof
tarn=${TARN:-build/release/tarn}
tab=$(printf '\t')
failed=0

pass() { echo "ok proof/$1"; }
fail() {
  failed=1
  echo "FAIL proof/$1: $2"
  [ ! -s "${3:-/dev/null}" ] || sed 's/^/    /' "$3" | head -20
}

for tool in coqc ocamlfind ocamlopt; do
  if ! command -v $tool >/dev/null; then
    echo "skip proof: $tool is not installed (tools/deps proof)"
    exit 0
  fi
done
mkdir -p $out
if ! make -s -C proof >$out/log 2>&1; then
  fail build 'make -C proof failed' $out/log
  exit 1
fi
[ -x "$tarn" ] || make -s -j"$(nproc)" "$tarn" || exit 1
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

theorem() {
  # One line for each theorem.
  if [ "$(grep -c '^Theorem' proof/Theorem.v) $(sort $out/Theorem.out | uniq -c | sed 's/^ *//')" = \
    '11 11 Closed under the global context' ]; then
    pass 'the theorems assume nothing'
  else
    fail 'the theorems assume nothing' 'Print Assumptions says otherwise' $out/Theorem.out
  fi
  if grep -nE '\b(Admitted|admit|Axiom|Parameter|Conjecture|Unset Guard|bypass_check)\b' proof/*.v >"$scratch/found"; then
    fail 'nothing is left out' 'a proof is not complete' "$scratch/found"
  else
    pass 'nothing is left out'
  fi
  if $out/numbers >"$scratch/found"; then
    pass 'numbers are right, or there are none'
  else
    fail numbers 'what is extracted has wrong ones' "$scratch/found"
  fi
  # What the specification says of examples.
  while IFS='|' read -r example said; do
    if cp "proof/test/$example.v" "$scratch" && (cd $out && coqc -q -Q . Tarn "$scratch/$example.v") >"$scratch/found" 2>&1; then
      pass "the specification: $said"
    else
      fail 'the specification' "proof/test/$example.v does not compile" "$scratch/found"
    fi
  done <<'EOF'
Late|a run may wait too long, and be stuck then
Diverges|a run may be endless, and take one unit of time
EOF
}

# same MODEL NAME
same() {
  if "$tarn" show "$1" >"$scratch/a" 2>/dev/null; then
    $out/tarn-proved --show "$1" >"$scratch/b" 2>&1
    if diff "$scratch/a" "$scratch/b" >"$scratch/found"; then
      read_same=$((read_same + 1))
    elif grep -q ': the number [0-9]* is too large$' "$scratch/b"; then
      read_refused=$((read_refused + 1)) # clock constants above 2^26 are not covered
    else
      fail "readers/$2" 'not read as tarn show prints it' "$scratch/found"
    fi
  fi
}

readers() {
  read_same=0 read_refused=0
  for model in models/*.tck test/run/*.tck test/run/reg/*.tck proof/test/*.tck; do same "$model" "$model"; done
  for family in fischer lynch csma fddi critical-region blowup flexray a1 a2 a3 fig1 corsso philosophers parallel \
    poll lcm darts-example vikings tasks 'critical-region 3 variant=local' 'csma 3 variant=nonconvex' 'csma 3 variant=relay'; do
    # shellcheck disable=SC2086 # separate words
    "$tarn" gen $family >"$scratch/model.tck" && same "$scratch/model.tck" "$family"
  done
  pass "readers: $read_same models are read as tarn show prints them; $read_refused have numbers that are too large"
}

# The features of a certificate: the number after its first line.
features() { head -c 20 "$1" | tail -c 1 | od -An -tu1 | tr -d ' '; }

# certify MODEL OPTIONS...: counts the certificates that tarn writes, with symmetry (if that makes
# another one) and without. They must be accepted, but for renamings that the proof does not cover.
certify() {
  for symmetry in off auto; do
    rm -f "$scratch/cert"
    timeout "${LIMIT:-20}" "$tarn" check --quiet --partial-order off --symmetry $symmetry --certificate "$scratch/cert" "$@" </dev/null >"$scratch/answer" 2>&1
    [ $? -lt 2 ] && [ -f "$scratch/cert" ] || return # what takes too long leaves half a file
    if [ $symmetry = auto ] && [ "$(features "$scratch/cert")" != 1 ]; then return; fi
    for model; do :; done
    if $out/tarn-proved "$model" "$scratch/cert" >"$scratch/found" 2>&1; then
      accepted=$((accepted + 1))
      [ $symmetry = off ] || reduced=$((reduced + 1))
    elif grep -q 'not proved to be symmetries' "$scratch/found"; then
      refused=$((refused + 1))
    else
      fail "suite/--symmetry $symmetry $*" 'the certificate is not accepted' "$scratch/found"
    fi
  done
}

suite() {
  accepted=0 reduced=0 refused=0 line=0
  sed -e '/^#/d' -e '/^$/d' test/run/verdicts.tsv >"$scratch/rows"
  sed -e '/^#/d' -e '/^$/d' test/run/configurations >"$scratch/configurations"
  total=$(wc -l <"$scratch/configurations")
  while IFS=$tab read -r model query _ <&3; do
    case $model in *.tck) ;; *) continue ;; esac
    for k in 0 17 34; do
      line=$(((line * 7 + k + 1) % total + 1))
      # shellcheck disable=SC2046 # separate words
      certify $(sed -n "${line}p" "$scratch/configurations") -q "$query" "$model"
    done
  done 3<"$scratch/rows"
  counts '^(fischer [1-6]|csma [1-7]|fddi [1-8]|critical-region [1-3]|lynch [1-4]|blowup|flexray|a[1-3]|fig1|corsso [1-3]|philosophers [1-7]|parallel)[[:space:]]'
  pass "suite: $accepted certificates are accepted, $reduced of them with symmetry; $refused with renamings that the proof does not cover"
}

# Rows of counts.tsv: all states of a model.
counts() {
  sed -e '/^#/d' -e '/^$/d' test/run/counts.tsv | cut -f1,2 | sort -u | grep -E "$1" >"$scratch/rows"
  while IFS=$tab read -r family options <&3; do
    # shellcheck disable=SC2086
    "$tarn" gen $family >"$scratch/model.tck" || continue
    # shellcheck disable=SC2086
    certify $options "$scratch/model.tck"
  done 3<"$scratch/rows"
}

all() {
  accepted=0 reduced=0 refused=0
  LIMIT=60
  counts .
  pass "all: $accepted certificates of all states are accepted, $reduced of them with symmetry; $refused with renamings that the proof does not cover"
}

# Families whose searches are reduced, and a query that tells processes apart.
symmetric() {
  accepted=0 reduced=0 refused=0
  for family in 'fischer 8' 'csma 6' 'lynch 4' 'philosophers 6' 'corsso 3' 'poll' 'parallel 5' 'train-gate 5' \
    'train-crossing 3' 'darts-fischer 4' 'critical-region 3'; do
    # shellcheck disable=SC2086 # separate words
    "$tarn" gen $family >"$scratch/model.tck" && certify "$scratch/model.tck"
  done
  "$tarn" gen fischer 6 >"$scratch/model.tck"
  certify -l cs1,cs2 "$scratch/model.tck"
  certify -q 'E<> P1.cs && P2.cs' "$scratch/model.tck"
  certify -q 'A[] P1.cs + P2.cs + P3.cs + P4.cs + P5.cs + P6.cs <= 1' "$scratch/model.tck"
  [ $((reduced + refused)) = 14 ] || fail symmetric "$reduced and $refused certificates are with symmetry, not 14"
  # A sum that counts one process twice has not these symmetries.
  sed -b 's/P6.cs <= 1/P5.cs <= 1/' "$scratch/cert" >"$scratch/odd"
  rejects_sum=$($out/tarn-proved "$scratch/model.tck" "$scratch/odd" 2>&1) && fail symmetric 'another sum is accepted'
  case $rejects_sum in *'not proved to be symmetries'*) ;; *) fail symmetric "another sum: $rejects_sum" ;; esac
  # Invariants that read variables; and the same certificate for a model in which one process has another invariant, with its hash.
  for bound in d 'd+1' 'v[#]'; do
    {
      printf 'system:s\nevent:a\nint:1:0:3:0:id\nint:1:1:9:3:d\nint:4:1:9:4:v\n'
      for i in 1 2 3; do
        printf 'clock:1:x%s\nprocess:P%s\nlocation:P%s:A{initial:}\nlocation:P%s:req{invariant:x%s<=%s}\nlocation:P%s:wait{}\nlocation:P%s:cs{}\n' \
          $i $i $i $i $i "$(echo "$bound" | sed "s/#/$i/")" $i $i
        printf 'edge:P%s:A:req:a{provided:id==0 : do:x%s=0}\nedge:P%s:req:wait:a{provided:x%s<=d : do:x%s=0;id=%s}\nedge:P%s:wait:cs:a{provided:id==%s&&x%s>d}\nedge:P%s:cs:A:a{do:id=0}\n' \
          $i $i $i $i $i $i $i $i $i $i
      done
      printf 'event:b\nprocess:D\nlocation:D:s{initial:}\nedge:D:s:s:b{provided:id==0&&d<3 : do:d=d+1}\nedge:D:s:s:b{provided:id==0&&d>2 : do:d=d-1}\n'
    } >"$scratch/model.tck"
    before=$reduced
    certify -q 'A[] P1.cs + P2.cs + P3.cs <= 1' "$scratch/model.tck"
    [ $reduced = $((before + 1)) ] || fail symmetric "no certificate with symmetry is accepted with the invariant $bound"
    sed 's/^\(location:P3:req{invariant:x3<=\).*/\1d+2}/' "$scratch/model.tck" >"$scratch/other.tck"
    {
      head -c 20 "$scratch/cert"
      for byte in $("$tarn" show "$scratch/other.tck" | tail -n +2 | sha256sum | cut -c 1-64 | sed 's/../& /g'); do printf "\\$(printf %o "0x$byte")"; done
      tail -c +53 "$scratch/cert"
    } >"$scratch/odd"
    if $out/tarn-proved "$scratch/other.tck" "$scratch/odd" >"$scratch/found" 2>&1 || ! grep -q 'not proved to be symmetries' "$scratch/found"; then
      fail symmetric "another invariant than $bound is accepted" "$scratch/found"
    fi
    "$tarn" certify "$scratch/other.tck" "$scratch/odd" >"$scratch/found" 2>&1 && fail symmetric "tarn certify accepts another invariant than $bound" "$scratch/found"
  done
  pass "symmetric: $reduced certificates with symmetry are accepted; $refused with renamings that the proof does not cover"
}

# Runs of the rows that have one; then with a time, a location or a variable changed.
runs() {
  accepted=0 rejected=0
  sed -e '/^#/d' -e '/^$/d' test/run/verdicts.tsv >"$scratch/rows"
  while IFS=$tab read -r model query _ <&3; do
    case $model in *.tck) ;; *) continue ;; esac
    "$tarn" check --json --trace concrete -q "$query" "$model" </dev/null >"$scratch/run" 2>/dev/null
    grep -q '"steps": \[' "$scratch/run" || continue
    if $out/tarn-proved "$model" "$scratch/run" >"$scratch/found"; then
      accepted=$((accepted + 1))
    else
      fail "runs/$model $query" 'the run is not accepted' "$scratch/found"
    fi
    for change in 's/"end_time": "\([0-9]*\)/"end_time": "9\1/' 's/"time": "0"/"time": "1"/' 's/"index": [0-9]*/"index": 77/' \
      's/"locations": {"\([^"]*\)": "[^"]*"/"locations": {"\1": "nowhere"/' 's/, {"edges.*}], "end_time"/], "end_time"/' \
      's/"end_time": "[^"]*"/"end_time": "-1"/' 's/\("clocks": {"[^"]*": "\)/\13/' \
      's/"verdict": "satisfied"/"verdict": "not satisfied"/;t;s/"verdict": "not satisfied"/"verdict": "satisfied"/'; do
      sed "$change" "$scratch/run" >"$scratch/changed"
      cmp -s "$scratch/run" "$scratch/changed" && continue
      "$tarn" certify "$model" "$scratch/changed" >/dev/null 2>&1
      by_tarn=$?
      $out/tarn-proved "$model" "$scratch/changed" >"$scratch/found" 2>&1
      by_proved=$?
      case $by_tarn,$by_proved in
        0,0 | [12],[12]) rejected=$((rejected + (by_proved != 0))) ;;
        *) fail "runs/$model $query, $change" "status $by_tarn of tarn, $by_proved of the proved replayer" "$scratch/found" ;;
      esac
    done
  done 3<"$scratch/rows"
  pass "runs: $accepted are accepted, $rejected changed ones rejected"
}

# tarn certify --proved calls the program that is installed.
hook() {
  # With partial order, which leaves nothing out here: the certificate has no reduced sets.
  "$tarn" check --quiet --symmetry off --certificate "$scratch/cert" -q 'E<> P1.cs && P2.cs' models/fischer.tck >/dev/null
  PATH=$PWD/$out:$PATH "$tarn" certify --proved models/fischer.tck "$scratch/cert" >"$scratch/found" 2>&1
  case $?,$(cat "$scratch/found") in
    0,*'proved: not E<> P1.cs && P2.cs'*) pass 'tarn certify --proved' ;;
    *) fail 'tarn certify --proved' 'it does not say what is proved' "$scratch/found" ;;
  esac
  PATH=/nowhere "$tarn" certify --proved models/fischer.tck "$scratch/cert" >"$scratch/found" 2>&1
  if [ $? = 2 ] && grep -q 'not installed' "$scratch/found"; then
    pass 'tarn certify --proved without tarn-proved'
  else
    fail 'tarn certify --proved without tarn-proved' 'no error' "$scratch/found"
  fi
}

# expect_limit NAME STATUS TEXT COMMAND...: what it says, with which status.
expect_limit() {
  limit_name=$1 limit_status=$2 limit_text=$3
  shift 3
  "$@" >"$scratch/found" 2>&1
  limit_found=$?
  if [ $limit_found = "$limit_status" ] && grep -q -e "$limit_text" "$scratch/found"; then
    pass "limits/$limit_name"
  else
    fail "limits/$limit_name" "status $limit_found, or it does not say $limit_text" "$scratch/found"
  fi
}

# A limit ends the check wherever it is; --proved passes it on.
limits() {
  "$tarn" gen fischer 8 >"$scratch/model.tck"
  "$tarn" check --quiet --symmetry off --partial-order off --certificate "$scratch/cert" -l cs1,cs2 "$scratch/model.tck" >/dev/null
  expect_limit time 3 '^tarn-proved: undecided: time limit$' $out/tarn-proved --time-limit 0.05 "$scratch/model.tck" "$scratch/cert"
  expect_limit memory 3 '^tarn-proved: undecided: memory limit$' $out/tarn-proved --memory-limit 16 "$scratch/model.tck" "$scratch/cert"
  expect_limit both 0 ': proved: ' $out/tarn-proved --memory-limit 4000 --time-limit 100 "$scratch/model.tck" "$scratch/cert"
  expect_limit none 0 ': proved: ' $out/tarn-proved --memory-limit 0 --time-limit 0 "$scratch/model.tck" "$scratch/cert"
  expect_limit seconds 2 'needs a number from 0 to 1000000000, not `-1`' $out/tarn-proved --time-limit -1 "$scratch/model.tck" "$scratch/cert"
  expect_limit mib 2 'needs a whole number from 0 to 1000000000, not `1.5`' $out/tarn-proved --memory-limit 1.5 "$scratch/model.tck" "$scratch/cert"
  limits_path=$PATH PATH=$PWD/$out:$PATH
  expect_limit passed 3 'undecided: time limit' "$tarn" certify --time-limit=0.05 --proved "$scratch/model.tck" "$scratch/cert"
  expect_limit passed-memory 3 'undecided: memory limit' "$tarn" certify --proved "$scratch/model.tck" --memory-limit 16 "$scratch/cert"
  PATH=$limits_path
  # Wherever memory ends, also in the middle of a collection.
  ended=0 wrong=0
  for mib in 18 20 22 24 26 28 30 32; do
    $out/tarn-proved --memory-limit $mib "$scratch/model.tck" "$scratch/cert" >"$scratch/found" 2>&1
    case $?,$(cat "$scratch/found") in
      0,*': proved: '*) ;;
      3,'tarn-proved: undecided: memory limit') ended=$((ended + 1)) ;;
      *) wrong=$((wrong + 1)) && fail "limits/$mib MiB" 'it does not end with a message' "$scratch/found" ;;
    esac
  done
  [ $wrong -gt 0 ] || pass "limits: $ended of 8 memory limits end the check"
  # A function without an end, and one that needs memory without an end, are met by the reader of the model.
  cat >"$scratch/loop.xta" <<'END'
int f() { int[0, 10000000] i = 0; int n = 0; while (i < 10000000) { i++; for (k : int[0, 100000]) n = k % 7; } return n; }
const int c = f();
process P() { state A; init A; }
system P;
END
  expect_limit model 3 'undecided: time limit' $out/tarn-proved --time-limit 0.2 "$scratch/loop.xta" "$scratch/cert"
}

# Whoever accepts one of these is wrong: proof/test/NAME.tck and certificates NAME*.cert.
forged() {
  for cert in proof/test/*.cert; do
    model=$(basename "$cert" .cert | sed 's/-forged.*//')
    if $out/tarn-proved "proof/test/$model.tck" "$cert" >"$scratch/found" 2>&1; then
      fail "forged/$cert" 'false evidence is accepted' "$scratch/found"
    elif ! grep -q ': rejected: ' "$scratch/found"; then
      fail "forged/$cert" 'it is not said to be rejected' "$scratch/found"
    else
      pass "forged/$(basename "$cert") is rejected"
    fi
  done
  for cert in no-start late-start; do
    $out/tarn-proved proof/test/$cert.tck proof/test/$cert-forged.cert >"$scratch/found" 2>&1
    if grep -q 'rejected: the model has no initial state' "$scratch/found"; then
      pass "forged/$cert: no initial state"
    else
      fail "forged/$cert" 'another reason is given' "$scratch/found"
    fi
  done
  # A run that waits too long is stuck; where the edge is possible as long as time may pass there is none.
  for line in 'late|A<> P.l1' 'late-lead|P.l1 --> P.l2'; do
    model=${line%|*} query=${line#*|}
    sed '/^edge/s/x<=3/x<=5/' "proof/test/$model.tck" >"$scratch/model.tck"
    "$tarn" check --quiet --partial-order off -q "$query" --certificate "$scratch/cert" "$scratch/model.tck" </dev/null >/dev/null 2>&1
    if ! $out/tarn-proved "$scratch/model.tck" "$scratch/cert" >"$scratch/found" 2>&1; then
      fail "forged/$model" 'the certificate of another model is not accepted' "$scratch/found"
    elif $out/tarn-proved "proof/test/$model.tck" "$scratch/cert" >"$scratch/found" 2>&1 || ! grep -q ': rejected: ' "$scratch/found"; then
      fail "forged/$model" 'false evidence is not rejected' "$scratch/found"
    else
      pass "forged/$model: $query"
    fi
  done
  # Other formats.
  "$tarn" check --quiet --certificate "$scratch/made" --symmetry off proof/test/late.tck >/dev/null 2>&1
  for features in 3 6 12 18 24 34 48 64; do
    { head -n 1 "$scratch/made"; printf '%b' "\\0$(printf %o $features)"; tail -n +2 "$scratch/made" | tail -c +2; } >"$scratch/cert"
    $out/tarn-proved proof/test/late.tck "$scratch/cert" >"$scratch/found" 2>&1
    if [ $? = 1 ] && grep -q "rejected: a certificate with features ($features) that the proof does not cover" "$scratch/found"; then
      pass "forged/features $features are not covered"
    else
      fail "forged/features $features" 'another reason is given' "$scratch/found"
    fi
  done
}

# refused NAME STATUS SAID MODEL FILE...
refused() {
  name=$1 expected=$2 said=$3
  shift 3
  $out/tarn-proved "$@" >"$scratch/found" 2>&1
  if [ $? = "$expected" ] && grep -qF -e "$said" "$scratch/found" && ! grep -q ': proved: ' "$scratch/found"; then
    pass "slips/$name"
  else
    fail "slips/$name" "not refused with status $expected: $said" "$scratch/found"
  fi
}

slips() {
  run=$scratch/run model=proof/test/late.tck
  for line in 'E<> P.l1|not satisfied' 'A[] !P.l1|satisfied'; do
    "$tarn" check --json --trace concrete -q "${line%|*}" $model </dev/null >"$run" 2>/dev/null
    $out/tarn-proved $model "$run" >"$scratch/found" || fail "slips/${line%|*}" 'the run is not accepted' "$scratch/found"
    sed "s/\"verdict\": \"[^\"]*\"/\"verdict\": \"${line#*|}\"/" "$run" >"$scratch/changed"
    refused "${line%|*}, verdict ${line#*|}" 1 'and the run shows the opposite' $model "$scratch/changed"
  done
  sed 's/"query": "/&E<> P.l0\\nrun is proved /' "$run" >"$scratch/changed"
  refused 'a query of two lines' 1 'E<> P.l0\nrun is proved' $model "$scratch/changed"
  sed 's/"query": /"query": "E<> P.l0", &/' "$run" >"$scratch/changed"
  refused 'two queries' 1 'the name `query` occurs twice' $model "$scratch/changed"
  # What is written is lost.
  for words in "$model $run" "--show $model"; do
    # shellcheck disable=SC2086 # separate words
    $out/tarn-proved $words >/dev/full 2>"$scratch/found"
    full=$?
    # shellcheck disable=SC2086
    $out/tarn-proved $words >&- 2>>"$scratch/found"
    case $full,$? in
      2,2) pass "slips/output is lost, ${words%% *}" ;;
      *) fail "slips/output is lost, ${words%% *}" 'the status is not 2' "$scratch/found" ;;
    esac
  done
  # Two meanings: tarn warns, and takes one of them.
  for line in 'int:1:0:5:0:P.l1|x' 'clock:1:P.l1|x' '|P.l1' 'int:1:0:5:0:lab|lab'; do
    printf 'system:s\nevent:a\n%s\nprocess:P\nlocation:P:l0{initial: : labels: %s}\nlocation:P:l1\n' "${line%|*}" "${line#*|}" >"$scratch/model.tck"
    query='E<> P.l1'
    case $line in clock*) query='E<> P.l1<0' ;; *lab) query='E<> lab' ;; esac
    rm -f "$scratch/cert"
    "$tarn" check --quiet --partial-order off --certificate "$scratch/cert" -q "$query" "$scratch/model.tck" </dev/null >/dev/null 2>&1
    refused "two meanings, $line" 1 'has more than one meaning' "$scratch/model.tck" "$scratch/cert"
  done
  # Attributes: both readers refuse the same ones.
  agreed=0 kept=0
  for key in initial invariant labels urgent committed provided 'do' invarient invariants Invariant INITIAL intial inital lables urgnt \
    comitted commited guard Guard when update assign inv init label provide provided_ Do od da don doo d if invar note colour probability speed; do
    for where in location edge sync; do
      l='' e='' s=''
      case $where in location) l=": $key: " ;; edge) e="{$key: }" ;; sync) s="{$key: x}" ;; esac
      printf 'system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:l0{initial: %s}\nedge:P:l0:l0:a%s\nsync:P@a%s\n' "$l" "$e" "$s" >"$scratch/model.tck"
      "$tarn" show "$scratch/model.tck" >/dev/null 2>"$scratch/answer"
      by_tarn=$?
      $out/tarn-proved --show "$scratch/model.tck" >/dev/null 2>"$scratch/found"
      by_proved=$?
      agreed=$((agreed + (by_proved == 2))) kept=$((kept + (by_proved == 0)))
      [ $by_tarn = $by_proved ] || fail "slips/$where $key" "status $by_tarn of tarn, $by_proved of tarn-proved" "$scratch/answer"
    done
  done
  printf 'system:s\nprocess:P\nlocation:P:l0{initial: urgent}\n' >"$scratch/model.tck"
  refused 'a colon is missing' 2 'is missing between the attributes `initial` and `urgent`' --show "$scratch/model.tck"
  pass "slips: $agreed attributes are refused by both readers, $kept by none"
  printf 'process P() { state a; init a; }\nsystem P; /* a comment\nprocess Q() { }\n' >"$scratch/model.xta"
  refused 'a comment without an end' 2 'this comment does not end' --show "$scratch/model.xta"
  for change in 's/ref="here"/ref="point"/|has no initial location' 's/system P;/system P; int z;/|expected the end'; do
    printf '<nta><declaration>int n;</declaration><template><name>P</name><location id="here"><name>a</name></location>
<branchpoint id="point"/><init ref="here"/></template><system>system P; progress { n; }</system></nta>\n' >"$scratch/good.xml"
    $out/tarn-proved --show "$scratch/good.xml" >"$scratch/found" 2>&1 || fail "slips/$change" 'the model is refused' "$scratch/found"
    sed "${change%|*}" "$scratch/good.xml" >"$scratch/model.xml"
    refused "${change%|*}" 2 "${change#*|}" --show "$scratch/model.xml"
  done
  # An index that would be computed twice, and effects below a quantifier.
  for line in 'v[change()] += 1|calls in the index of what is changed' 'k = forall (i : int[0,1]) (j = i) > 0|effects below a quantifier'; do
    printf 'int v[3], j, k;\nint change() { j = 1; return 5; }\nprocess P() { state a; init a; trans a -> a { assign %s; }; }\nsystem P;\n' \
      "${line%|*}" >"$scratch/model.xta"
    refused "${line%|*}" 2 "${line#*|} are not covered" --show "$scratch/model.xta"
  done
  # Rows of an array are assigned to each other; not where an index is read from what is assigned.
  for update in 'm[m[0][0]] = m[1]' 'm[0] = m[m[1][1]]' 's.row = s.rows[s.row[0]]' 'm[m[0][0]] = m[m[1][0]]'; do
    printf 'int[0,1] m[2][2];\nstruct { int[0,1] row[2]; int[0,1] rows[2][2]; } s;\nprocess P() { state a; init a; trans a -> a { assign %s; }; }\nsystem P;\n' \
      "$update" >"$scratch/model.xta"
    refused "$update" 2 'arrays or structs that are assigned to parts of themselves are not covered' --show "$scratch/model.xta"
  done
  # Rates count where something tests the clock: those that are 0 or 1 stop it, others are refused.
  sed 's/guard x >= 2/guard e >= 2/' proof/test/rates.xta >"$scratch/model.xta"
  refused 'a rate is 2' 2 'rates other than 0 and 1 of clocks that are tested are not covered' --show "$scratch/model.xta"
  for change in 's/f\[1\] = x/x = f[1]/' 's/x <= 5/f[0] <= 5/'; do
    sed "$change" proof/test/rates.xta >"$scratch/model.xta"
    "$tarn" show "$scratch/model.xta" >"$scratch/a" 2>/dev/null
    $out/tarn-proved --show "$scratch/model.xta" >"$scratch/b" 2>&1
    cmp -s "$scratch/a" "$scratch/b" || fail "slips/$change" 'it is read in another way' "$scratch/b"
  done
  "$tarn" check --json --trace concrete -q 'E<> Q.b' proof/test/rates.xta </dev/null 2>/dev/null | sed 's/E<> Q.b/E<> Q.b \&\& e >= 0/' >"$run"
  refused 'a query tests it' 1 'rates other than 0 and 1 of clocks that are tested are not covered' proof/test/rates.xta "$run"
}

# claim QUERY SAID: of models/fischer.tck, a certificate or a run.
claim() {
  rm -f "$scratch/cert"
  "$tarn" check --partial-order off --json --trace concrete --symmetry off --certificate "$scratch/cert" -q "$1" models/fischer.tck </dev/null >"$scratch/run" 2>/dev/null
  [ -f "$scratch/cert" ] || cp "$scratch/run" "$scratch/cert"
  $out/tarn-proved models/fischer.tck "$scratch/cert" >"$scratch/found" 2>&1
  case $?,$(cat "$scratch/found") in
    "0,$scratch/cert: proved: $2 ("*) said=$((said + 1)) ;;
    *) fail "claims/$2" 'something else is said' "$scratch/found" ;;
  esac
}

claims() {
  said=0
  newline='
'
  for blank in '' ' ' "$tab" "$newline" "  $newline$tab "; do
    claim "${blank}A[] !(P1.cs && P2.cs)$blank" 'A[] !(P1.cs && P2.cs)'
    claim "${blank}E<> P1.cs && P2.cs$blank" 'not E<> P1.cs && P2.cs'
    claim "${blank}A[] !P1.cs$blank" 'not A[] !P1.cs'
    claim "${blank}E<> P1.cs$blank" 'reachable: E<> P1.cs'
  done
  claim "A${newline}[]${tab}!(P1.cs && P2.cs)" 'A\n[]\t!(P1.cs && P2.cs)'
  claim "A${newline}[]${tab}!P1.cs" 'not A\n[]\t!P1.cs'
  # What stands in a comment is not asked, and not said.
  printf 'int n, z;\nprocess P() { state a, b; init a; trans a -> b { assign n = 3, z = 9; }; }\nsystem P;\n' >"$scratch/model.xta"
  while IFS='|' read -r query what; do
    rm -f "$scratch/cert"
    "$tarn" check --quiet --partial-order off -q "$query" --certificate "$scratch/cert" "$scratch/model.xta" </dev/null >/dev/null 2>&1
    $out/tarn-proved "$scratch/model.xta" "$scratch/cert" >"$scratch/found" 2>&1
    case $(tr -s ' ' <"$scratch/found") in
      "$scratch/cert: proved: $what ("*) said=$((said + 1)) ;;
      *) fail "claims/$query" 'something else is said' "$scratch/found" ;;
    esac
  done <<'EOF'
sup /* : z, */ : n|sup : n: n <= 3
sup: n /* , z */, z|sup: n , z: n <= 3, z <= 9
A[] z <= 9 // && not P.b|A[] z <= 9
EOF
  pass "claims: $said are said as the query asks"
}

# Family, query, a false claim of the same length. Both checkers accept the evidence, and reject it for the false claim.
names() {
  accepted=0 rejected=0
  while IFS='|' read -r family query lie <&3; do
    rm -f "$scratch/cert" "$scratch"/lie-*
    # shellcheck disable=SC2086 # separate words
    "$tarn" gen $family >"$scratch/model.tck"
    [ ${#query} = ${#lie} ] || fail "names/$query" 'the false claim has another length'
    for symmetry in off auto; do
      "$tarn" check --quiet --json --trace concrete --partial-order off --symmetry $symmetry -q "$query" --certificate "$scratch/cert" "$scratch/model.tck" \
        </dev/null >"$scratch/run" 2>/dev/null
      evidence=$scratch/cert
      [ -f "$evidence" ] || evidence=$scratch/run
      from=$(printf '%s' "$query" | sed 's/[][*.]/\\&/g')
      LC_ALL=C sed -b "s/$from/$lie/" "$evidence" >"$scratch/lie"
      for checker in "$tarn certify" $out/tarn-proved; do
        # shellcheck disable=SC2086 # separate words
        if $checker "$scratch/model.tck" "$evidence" >"$scratch/found" 2>&1; then
          accepted=$((accepted + 1))
        else
          fail "names/$query, $checker" 'the evidence is not accepted' "$scratch/found"
        fi
        # shellcheck disable=SC2086 # separate words
        if $checker "$scratch/model.tck" "$scratch/lie" >"$scratch/found" 2>&1 || cmp -s "$evidence" "$scratch/lie"; then
          fail "names/$lie, $checker" 'a false claim is accepted' "$scratch/found"
        else
          rejected=$((rejected + 1))
        fi
      done
    done
  done 3<<'EOF'
fischer 3|A[] not (P(1).cs and P(2).cs)|A[] not (P(1).cs and P(1).cs)
fischer 3|A[] forall (i : int[1,3]) forall (j : int[1,3]) (P(i).cs and P(j).cs imply i == j)|A[] forall (i : int[1,3]) forall (j : int[1,3]) (P(i).cs and P(j).cs imply i != j)
fischer 3|A[] forall (i : int[1,3]) (P(i).cs imply id == i)|A[] forall (i : int[1,3]) (P(i).cs imply id != i)
fischer 3|A[] sum (i : int[1,3]) P(i).cs <= 1|A[] sum (i : int[1,3]) P(i).cs <= 0
fischer 3|E<> sum (i : int[1,3]) P(i).wait == 3|E<> sum (i : int[1,3]) P(i).wait == 4
fischer 3|E<> exists (i : int[1,3]) P(i).cs|E<> exists (i : int[0,0]) 1 == 00
fischer 3|E<> P(2 - 1).cs and id == 1|E<> P(2 - 1).cs and id == 2
fischer 3|E[] forall (i : int[1,3]) not P(i).cs|E[] exists (i : int[1,3]) not 0 == 00
fischer 3|P(1).req --> exists (i : int[1,3]) P(i).cs|P(1).req --> exists (i : int[1,3]) 1 != 00
fischer 3|buchi: exists (i : int[1,3]) P(i).cs|buchi: exists (i : int[1,3]) id == 4
fischer 3|A[] forall (i : int[1,3]) not deadlock or P(i).cs|A[] forall (i : int[1,3]) not P(i).req or P(i).cs
EOF
  # Numbers that no process has, names with two meanings, and what is no constant are refused.
  "$tarn" gen fischer 2 | sed 's/^process:P1/int:1:0:9:3:P\nint:1:0:9:3:P_2.cs\n&/' >"$scratch/model.tck"
  "$tarn" check --json --trace concrete -q 'E<> P1.cs' "$scratch/model.tck" </dev/null >"$scratch/run" 2>/dev/null
  for line in 'P(-1).cs == 3|must be a constant' 'P(3).cs|there is neither' 'P(P).cs|must be a constant' 'P(2).cs|there are both' 'P(1)[0]|expected `.`' \
    'forall (i : int[2,1]) P(i).cs|is empty' 'forall (i : int[1,P]) P(i).cs|must be constant' 'exists (i : int[1,1]) i.cs|neither a location' \
    'exists (i : int[0,99999]) P == 3|too many values' 'exists (i : int[0,299]) exists (j : int[0,299]) P == 3|too many values' 'exists (true : int[1,1]) true|the name of a variable'; do
    sed "s/E<> P1.cs/E<> ${line%|*}/" "$scratch/run" >"$scratch/changed"
    refused "${line%|*}" 1 "${line#*|}" "$scratch/model.tck" "$scratch/changed"
  done
  pass "names: $accepted times evidence is accepted, $rejected times a false claim rejected"
}

deadlocks() {
  accepted=0 rejected=0
  for family in 'fischer 5' 'lynch 3' poll 'parallel 4' 'vikings 2' 'philosophers 4' 'train-gate 4' 'train-crossing 2' 'fddi 3' flexray \
    'philosophers 4,--abstraction extra-m' 'train-crossing 2,--abstraction extra-m' 'fddi 3,--abstraction extra-m' \
    'flexray,--abstraction extra-m' 'csma 3' 'critical-region 2' 'corsso 2' tasks 'lcm 3' blowup a1 fig1; do
    more=
    case $family in *,*) more=${family#*,} family=${family%,*} ;; esac
    rm -f "$scratch/cert" "$scratch"/lie-*
    # shellcheck disable=SC2086 # separate words
    "$tarn" gen $family >"$scratch/model.tck"
    # shellcheck disable=SC2086
    "$tarn" check --quiet --partial-order off --symmetry off $more -q 'A[] not deadlock' --certificate "$scratch/cert" "$scratch/model.tck" </dev/null >/dev/null 2>&1
    if [ -f "$scratch/cert" ]; then
      if $out/tarn-proved "$scratch/model.tck" "$scratch/cert" >"$scratch/found" 2>&1; then
        accepted=$((accepted + 1))
        grep -q ': proved: A\[\] not deadlock (' "$scratch/found" || fail "deadlocks/$family" 'something else is said' "$scratch/found"
      else
        fail "deadlocks/$family" 'the certificate is not accepted' "$scratch/found"
      fi
    else # the model has one: what is written about all its states does not say otherwise
      "$tarn" check --quiet --partial-order off --symmetry off --certificate "$scratch/cert" "$scratch/model.tck" </dev/null >/dev/null 2>&1
      $out/forge 7 20 "$scratch/cert" "$scratch/lie" 1 'A[] not deadlock'
      for lie in "$scratch"/lie-*; do
        if $out/tarn-proved "$scratch/model.tck" "$lie" >"$scratch/found" 2>&1; then
          fail "deadlocks/$family" 'a false claim is accepted' "$scratch/found"
        else
          rejected=$((rejected + 1))
        fi
      done
    fi
  done
  # In conditions: family, query, a false claim.
  while IFS='|' read -r family query lie <&3; do
    rm -f "$scratch/cert" "$scratch"/lie-*
    # shellcheck disable=SC2086 # separate words
    "$tarn" gen $family >"$scratch/model.tck"
    "$tarn" check --quiet --json --trace concrete --symmetry off -q "$query" --certificate "$scratch/cert" "$scratch/model.tck" </dev/null >"$scratch/run" 2>/dev/null
    evidence=$scratch/cert
    [ -f "$evidence" ] || evidence=$scratch/run
    if $out/tarn-proved "$scratch/model.tck" "$evidence" >"$scratch/found" 2>&1; then
      accepted=$((accepted + 1))
    else
      fail "deadlocks/$family $query" 'the evidence is not accepted' "$scratch/found"
    fi
    if [ -f "$scratch/cert" ]; then
      $out/forge 7 10 "$scratch/cert" "$scratch/lie" 1 "$lie"
    else
      sed "s/\"query\": \"[^\"]*\"/\"query\": \"$lie\"/" "$scratch/run" >"$scratch/lie-1"
    fi
    for file in "$scratch"/lie-*; do
      if $out/tarn-proved "$scratch/model.tck" "$file" >"$scratch/found" 2>&1; then
        fail "deadlocks/$family $lie" 'a false claim is accepted' "$scratch/found"
      else
        rejected=$((rejected + 1))
      fi
    done
  done 3<<'EOF'
fischer 3|E<> deadlock && P1.req|E<> !deadlock \&\& P1.req
fischer 3|A[] (deadlock imply P1.cs)|A[] (P1.req imply deadlock)
fischer 3|A[] not (deadlock or P1.cs and P2.cs)|A[] not (deadlock or P1.cs)
tasks|E<> deadlock|A[] deadlock
lcm 3|A[] (deadlock imply false)|A[] (deadlock imply true)
EOF
  # With renamings: what is alive, and the conditions, must be the same under the other names. False claims have the same length.
  cat >"$scratch/two.tck" <<'EOF'
system:two
event:go
int:1:0:2:0:id
process:P1
location:P1:a{initial:}
location:P1:d{}
edge:P1:a:d:go{provided:id==0 : do:id=1}
process:P2
location:P2:a{initial:}
location:P2:d{}
edge:P2:a:d:go{provided:id==0 : do:id=2}
EOF
  while IFS='|' read -r family query claimed lie <&3; do
    rm -f "$scratch/cert"
    # shellcheck disable=SC2086 # separate words
    if [ "$family" = two ]; then cp "$scratch/two.tck" "$scratch/model.tck"; else "$tarn" gen $family >"$scratch/model.tck"; fi
    "$tarn" check --quiet --partial-order off --symmetry on -q "$query" --certificate "$scratch/cert" "$scratch/model.tck" </dev/null >/dev/null 2>&1
    [ "$(features "$scratch/cert")" = 1 ] || fail "deadlocks/symmetric $family $query" 'the certificate has no renamings'
    if $out/tarn-proved "$scratch/model.tck" "$scratch/cert" >"$scratch/found" 2>&1; then
      accepted=$((accepted + 1))
    else
      fail "deadlocks/symmetric $family $query" 'the certificate is not accepted' "$scratch/found"
    fi
    [ "$lie" ] || continue
    sed -b "s/$claimed/$lie/" "$scratch/cert" >"$scratch/lie"
    if $out/tarn-proved "$scratch/model.tck" "$scratch/lie" >"$scratch/found" 2>&1; then
      fail "deadlocks/symmetric $family $lie" 'a false claim is accepted' "$scratch/found"
    else
      rejected=$((rejected + 1))
    fi
  done 3<<'EOF'
fischer 5|A[] not deadlock
lynch 3|A[] not deadlock
parallel 4|A[] not deadlock
philosophers 4|A[] not deadlock
train-gate 4|A[] not deadlock
two|A[] (deadlock imply (P1.d or P2.d))|P1.d or P2.d|P1.d or P1.d
two|A[] (deadlock imply (P1.d or P2.d))|P1.d or P2.d|P2.d or P2.d
csma 3|A[] true or true|true or true|not deadlock
EOF
  pass "deadlocks: $accepted certificates are accepted, $rejected false ones rejected"
}

# One claim of each kind; and the same certificate for another query, with and without a run.
endless() {
  accepted=0 rejected=0
  while IFS='|' read -r family query lie <&3; do
    rm -f "$scratch/cert" "$scratch"/lie-*
    # shellcheck disable=SC2086 # separate words
    "$tarn" gen $family >"$scratch/model.tck"
    "$tarn" check --quiet --partial-order off -q "$query" --certificate "$scratch/cert" "$scratch/model.tck" </dev/null >/dev/null 2>&1
    case $query in E* | buchi*) said="not $query" ;; *) said=$query ;; esac
    if $out/tarn-proved "$scratch/model.tck" "$scratch/cert" >"$scratch/found" 2>&1 && grep -qF ": proved: $said (" "$scratch/found"; then
      accepted=$((accepted + 1))
    else
      fail "endless/$family $query" 'the certificate is not accepted' "$scratch/found"
    fi
    $out/forge 5 10 "$scratch/cert" "$scratch/lie" 1 "$lie"
    for file in "$scratch"/lie-*; do
      if $out/tarn-proved "$scratch/model.tck" "$file" >"$scratch/found" 2>&1; then
        fail "endless/$family $lie" 'a false claim is accepted' "$scratch/found"
      else
        rejected=$((rejected + 1))
      fi
    done
  done 3<<'EOF'
fischer 5|P1.req --> P1.wait|P1.wait --> P1.cs
fischer 6|buchi: cs1 && cs2|buchi: cs1, cs2
fischer 4|E[] P1.req|E[] P1.A
train-gate 3|Train1.halted --> Train1.bridge|Train1.bridge --> Train1.halted
lynch 3|buchi: cs1, cs1 && cs2|buchi: cs1
fischer 4|A<> true|A<> P1.cs
fischer 3|A<> P1.A|A[] P1.A
fischer 4|P1.req --> (P1.wait and x1 < 1 or x1 > 1)|P1.wait --> (P1.cs and x1 > 1)
fischer 3|E[] (x1 < 1 or x1 > 1 and P2.A)|E[] (x1 <= 2 or x2 > 2)
train-gate 3|Train1.restart --> (Train1.bridge and x1 <= 0)|Train1.halted --> x1 > 20
train-gate 2|Train1.near --> (x1 >= 10 or Train1.halted)|A<> (Train1.bridge or x1 >= 3 and Train1.near)
EOF
  pass "endless: $accepted certificates are accepted, $rejected false ones rejected"
  if TARN=$tarn WORK=$scratch/endless proof/test/endless.sh 1000 "${ENDLESS:-40}" >"$scratch/found"; then
    pass "endless: $(tail -n 1 "$scratch/found")"
  else
    fail endless "$(tail -n 1 "$scratch/found")" "$scratch/found"
  fi
  if TARN=$tarn WORK=$scratch/timed TIMED=1 proof/test/endless.sh 1000 "${ENDLESS:-40}" >"$scratch/found"; then
    pass "endless: with clocks: $(tail -n 1 "$scratch/found")"
  else
    fail 'endless: with clocks' "$(tail -n 1 "$scratch/found")" "$scratch/found"
  fi
  for timed in 0 1; do
    if TARN=$tarn WORK=$scratch/diverging TIMED=$timed NON_ZENO=1 proof/test/endless.sh 1000 "${ENDLESS:-40}" >"$scratch/found"; then
      pass "endless: time diverges: $(tail -n 1 "$scratch/found")"
    else
      fail 'endless: time diverges' "$(tail -n 1 "$scratch/found")" "$scratch/found"
    fi
  done
  "$tarn" gen fischer 2 >"$scratch/fischer.tck"
  cat >"$scratch/large.xta" <<'EOF'
clock x, y;
process P() { state A { x <= 300000000 }, B; init A; trans A -> A { guard y >= 200000000; assign y = 0; }, A -> B { guard x < 100000000; }; }
system P;
EOF
  while IFS='|' read -r model query said; do
    rm -f "$scratch/cert"
    "$tarn" check --json --trace concrete --non-zeno -q "$query" --certificate "$scratch/cert" "$scratch/$model" </dev/null >"$scratch/run" 2>/dev/null
    [ -f "$scratch/cert" ] || cp "$scratch/run" "$scratch/cert"
    if PATH=$PWD/$out:$PATH "$tarn" certify --proved "$scratch/$model" "$scratch/cert" >"$scratch/found" 2>&1 && grep -qF ": proved: $said (" "$scratch/found"; then
      pass "endless: --non-zeno: $said"
    else
      fail "endless: --non-zeno: $query" 'the evidence is not accepted' "$scratch/found"
    fi
  done <<'EOF'
fischer.tck|P1.req --> x1 >= 1|no run in which time diverges breaks P1.req --> x1 >= 1
fischer.tck|A<> P1.cs|not A<> P1.cs, by a run in which time diverges
fischer.tck|buchi: cs1|buchi: cs1, by a run in which time diverges
large.xta|E[] P.A|no run in which time diverges shows E[] P.A
large.xta|E[] x <= 200000000|no run in which time diverges shows E[] x <= 200000000
EOF
}

# weighed NAME MODEL FILE: what both checkers say of a changed certificate. The proved one may reject more.
weighed() {
  "$tarn" certify "$2" "$3" >/dev/null 2>&1
  by_tarn=$?
  $out/tarn-proved "$2" "$3" >"$scratch/found" 2>&1
  by_proved=$?
  case $by_tarn,$by_proved in
    0,0) valid=$((valid + 1)) ;;
    0,1) stricter=$((stricter + 1)) ;;
    [12],[12]) rejected=$((rejected + 1)) ;;
    *) fail "$1" "status $by_tarn of tarn, $by_proved of the proved checker" "$scratch/found" ;;
  esac
}

# With one number changed, both checkers must say the same; nearly always that it is wrong.
# Integers of UPPAAL's models wrap around.
overflow() {
  for change in 's/XX//' 's/> 0/< 0/'; do
    rm -f "$scratch/cert"
    sed "$change" proof/test/overflow.xta >"$scratch/model.xta"
    "$tarn" check --json --trace concrete -q 'E<> Q.b' --certificate "$scratch/cert" "$scratch/model.xta" </dev/null >"$scratch/run" 2>/dev/null
    [ -f "$scratch/cert" ] || cp "$scratch/run" "$scratch/cert"
    if $out/tarn-proved "$scratch/model.xta" "$scratch/cert" >"$scratch/found" 2>&1; then
      pass "overflow: $(sed 's/.*proved: //' "$scratch/found")"
    else
      fail overflow 'the evidence is not accepted' "$scratch/found"
    fi
  done
  # But not those that are claimed: here j >= 2^39, which would be 0.
  if $out/tarn-proved proof/test/large-claim.xta proof/test/large-claim.proof >"$scratch/found" 2>&1; then
    fail overflow/large-claim 'a claim that does not fit is accepted' "$scratch/found"
  else
    pass overflow/large-claim
  fi
}
lassos() {
  accepted=0 rejected=0 stricter=0 looser=0
  while IFS='|' read -r family query <&3; do
    # shellcheck disable=SC2086 # separate words
    "$tarn" gen $family >"$scratch/model.tck"
    "$tarn" check --json --trace concrete -q "$query" "$scratch/model.tck" </dev/null >"$scratch/run" 2>/dev/null
    case $query in E* | buchi*) said=$query ;; *) said="not $query" ;; esac
    if $out/tarn-proved "$scratch/model.tck" "$scratch/run" >"$scratch/found" && grep -qF ": proved: $said (" "$scratch/found"; then
      accepted=$((accepted + 1))
    else
      fail "lassos/$family $query" 'the run is not accepted' "$scratch/found"
    fi
    for change in 's/"from": 0/"from": 1/;t;s/"from": [0-9]*/"from": 0/' 's/"from": [0-9]*/"from": 77/' 's/, "loop": {[^}]*}//' \
      's/"end_clocks": {[^}]*}/&, "loop": {"from": 0}/' 's/\("time": "\)\([1-9][0-9]*"\)/\11\2/2' 's/\(.*\)"time": "\([0-9]*\)"/\1"time": "1\2"/' \
      's/, {"edges.*}], "end_time"/], "end_time"/' 's/"index": [0-9]*/"index": 77/' \
      's/"verdict": "satisfied"/"verdict": "not satisfied"/;t;s/"verdict": "not satisfied"/"verdict": "satisfied"/' \
      's/"query": "[^"]*"/"query": "A<> true"/' 's/"query": "[^"]*"/"query": "E[] false"/' 's/"query": "[^"]*"/"query": "true --> true"/' \
      's/"query": "[^"]*"/"query": "buchi: false"/' 's/"query": "[^"]*"/"query": "A[] not deadlock"/'; do
      sed "$change" "$scratch/run" >"$scratch/changed"
      cmp -s "$scratch/run" "$scratch/changed" && continue
      "$tarn" certify "$scratch/model.tck" "$scratch/changed" >/dev/null 2>&1
      by_tarn=$?
      $out/tarn-proved "$scratch/model.tck" "$scratch/changed" >"$scratch/found" 2>&1
      by_proved=$?
      case $by_tarn,$by_proved in
        0,0) ;;
        0,1) stricter=$((stricter + 1)) ;;
        1,0) # it may repeat after more rounds
          case $change in *from*) looser=$((looser + 1)) ;; *) fail "lassos/$family $query, $change" 'only the proved replayer accepts it' "$scratch/found" ;; esac ;;
        [12],[12]) rejected=$((rejected + 1)) ;;
        *) fail "lassos/$family $query, $change" "status $by_tarn of tarn, $by_proved of the proved replayer" "$scratch/found" ;;
      esac
    done
  done 3<<'EOF'
fischer 3|A<> P1.cs
fischer 3|E[] not P1.cs
fischer 3|P1.req --> P1.cs
fischer 3|P1.wait --> P1.A
fischer 3|buchi: cs1
fischer 3|buchi: cs1, cs2
train-gate 3|Train1.near --> Train1.halted
train-gate 2|A<> Train1.bridge
train-gate 2|E[] not Train1.bridge
csma 2|A<> false
critical-region 2|E[] true
lcm 3|A[] not deadlock
tasks|A[] not deadlock
corsso 2|A[] not deadlock
lynch 2|E[] true
EOF
  # Time is stopped by an urgent synchronisation that is not possible: no run waits until the condition is false. And where the rates
  # of clocks are errors no run waits at all; nor does anything go on below a priority whose guard is an error.
  for name in urged misrated two-rates higher-error; do
    for checker in "$tarn certify" $out/tarn-proved; do
      # shellcheck disable=SC2086 # separate words
      if $checker proof/test/$name.xta proof/test/$name.json >"$scratch/found" 2>/dev/null; then
        fail "lassos/$name, $checker" 'a false run is accepted' "$scratch/found"
      fi
    done
  done
  pass "lassos: $accepted runs are accepted, $rejected changed ones rejected; $stricter changed ones are valid for tarn only, $looser for the proof only"
}
# What statements do twice, by tarn and by the proof; a run with another value of a variable in the end is rejected by both.
effects() {
  accepted=0 rejected=0
  while IFS= read -r statement <&3; do
    cat >"$scratch/model.xta" <<EOF
int[0,3] q[3] = {1, 0, 2}, r[3] = {2, 1, 0};
int[0,9] head, tail, n, x, y;
int[0,30] z;
typedef struct { int[0,3] a[2], b; } S;
S s, t[3] = {{{0, 1}, 3}, {{2, 0}, 2}, {{1, 2}, 1}};
clock c, w[3];
int pop() { int v = q[0]; head = (head + 1) % 3; q[0] = q[1]; q[1] = q[2]; q[2] = v; return v; }
bool has() { n = (n + 1) % 3; return n > 1; }
void put(int v) { q[tail] = v; tail = (tail + 1) % 3; }
S mk(int k) { S m; m.a[0] = k; m.a[1] = n; m.b = k; return m; }
typedef int[0,3] A3[3];
A3 arr() { A3 v; v[n] = 2; return v; }
int f() { $statement return 0; }
process P() { state a; init a; trans a -> a { guard z < 2; assign z = z + 1, y = f() % 10; }; }
system P;
EOF
    "$tarn" show "$scratch/model.xta" >"$scratch/a" 2>&1
    $out/tarn-proved --show "$scratch/model.xta" >"$scratch/b" 2>&1
    cmp -s "$scratch/a" "$scratch/b" || fail "effects/$statement" 'it is not read as tarn show prints it' "$scratch/b"
    "$tarn" check --json --trace concrete -q 'E<> z == 2' "$scratch/model.xta" </dev/null >"$scratch/run" 2>/dev/null
    "$tarn" check --quiet --partial-order off -q 'E<> z > 2' --certificate "$scratch/cert" "$scratch/model.xta" </dev/null >/dev/null 2>&1
    for file in "$scratch/run" "$scratch/cert"; do
      if $out/tarn-proved "$scratch/model.xta" "$file" >"$scratch/found" 2>&1; then
        accepted=$((accepted + 1))
      else
        fail "effects/$statement" 'the evidence is not accepted' "$scratch/found"
      fi
    done
    for name in head tail n x y 'q\[1\]' 's\.b'; do
      sed "s/\(.*\"$name\": \)\([0-9]*\)/\11\2/" "$scratch/run" >"$scratch/changed"
      cmp -s "$scratch/run" "$scratch/changed" && continue
      for checker in "$tarn certify" $out/tarn-proved; do
        # shellcheck disable=SC2086 # separate words
        if $checker "$scratch/model.xta" "$scratch/changed" >"$scratch/found" 2>&1; then
          fail "effects/$statement, $name" "$checker accepts another value" "$scratch/found"
        else
          rejected=$((rejected + 1))
        fi
      done
    done
  done 3<proof/test/effects.txt
  pass "effects: $accepted runs and certificates are accepted, $rejected times a run with another value rejected"
}
# Large constants: tarn counts in another unit if they have a common divisor. Model, query, a false claim of certificates.
units() {
  accepted=0 rejected=0 valid=0 stricter=0
  sed 's/6 \* MS/600000001/' proof/test/units.xta >"$scratch/wide.xta"
  while IFS='|' read -r model query lie <&3; do
    case $model in wide*) model=$scratch/$model ;; *) model=proof/test/$model ;; esac
    rm -f "$scratch/cert" "$scratch"/lie-*
    "$tarn" check --json --trace concrete --partial-order off -q "$query" --certificate "$scratch/cert" "$model" </dev/null >"$scratch/run" 2>/dev/null
    evidence=$scratch/cert
    [ -f "$evidence" ] || evidence=$scratch/run
    for checker in "$tarn certify" $out/tarn-proved; do
      # shellcheck disable=SC2086 # separate words
      $checker "$model" "$evidence" >"$scratch/found" 2>&1 || fail "units/$model $query, $checker" 'the evidence is not accepted' "$scratch/found"
    done
    accepted=$((accepted + 1))
    [ -f "$scratch/cert" ] || continue
    $out/forge 5 "${UNITS:-12}" "$scratch/cert" "$scratch/lie"
    for file in "$scratch"/lie-*; do
      weighed "units/$model $query" "$model" "$file"
    done
    [ -n "$lie" ] || continue
    rm -f "$scratch"/lie-*
    $out/forge 5 "${UNITS:-12}" "$scratch/cert" "$scratch/lie" 1 "$lie"
    for file in "$scratch"/lie-*; do
      if $out/tarn-proved "$model" "$file" >"$scratch/found" 2>&1; then
        fail "units/$model $lie" 'a false claim is accepted' "$scratch/found"
      fi
      rejected=$((rejected + 1))
    done
  done 3<<'EOF'
units.tck|E<> P.D and y >= 700000000|E<> P.D and y >= 699999999
units.tck|A[] P.A imply x - y <= 0|A[] P.A imply x - y < 0
units.tck|A[] not (P.A and x > 200000000)|A[] not (P.A and x > 199999999)
units.tck|A[] not (P.A and x >= 200000001)|A[] not (P.A and x >= 1)
units.tck|A[] not (P.A and deadlock)|A[] not (P.D and deadlock)
units.tck|sup{P.A}: x|
units.tck|inf{P.B}: y|
units.tck|A<> P.C|
units.xta|A[] not (P.c and n < 3)|A[] not (P.c and n < 4)
units.xta|A[] P.b imply y >= 600000000|A[] P.b imply y > 600000000
units.xta|bounds{P.b}: n|
units.xta|sup{P.a}: x|
wide.xta|A[] P.b imply y >= 600000001|A[] P.b imply y > 600000001
wide.xta|A[] not (P.c and n < 3)|A[] not (P.c and n < 4)
EOF
  pass "units: evidence for $accepted queries is accepted, $rejected changed certificates rejected; $valid changed ones are valid for both, $stricter for tarn only"
}
# Parts that repeat at other times in each round, by hand and as tarn writes them.
rounds() {
  if ! command -v python3 >/dev/null; then
    echo 'skip proof/rounds: python3 is not installed'
  elif PROVED=$out/tarn-proved TARN=$tarn proof/test/rounds.py >"$scratch/found"; then
    pass "$(tail -n 1 "$scratch/found")"
  else
    fail rounds "$(tail -n 1 "$scratch/found")" "$scratch/found"
  fi
}
values() {
  accepted=0 rejected=0 valid=0 stricter=0
  while IFS='|' read -r model query <&3; do
    rm -f "$scratch"/value*
    # shellcheck disable=SC2086 # separate words
    case $model in */*) cp "$model" "$scratch/model.${model##*.}" && model=$scratch/model.${model##*.} ;; *) "$tarn" gen $model >"$scratch/model.tck" && model=$scratch/model.tck ;; esac
    "$tarn" check --quiet -q "$query" --certificate "$scratch/value.cert" "$model" </dev/null >/dev/null 2>&1
    if $out/tarn-proved "$model" "$scratch/value.cert" >"$scratch/found" 2>&1; then
      accepted=$((accepted + 1))
    else
      fail "values/$query" 'the certificate is not accepted' "$scratch/found"
      continue
    fi
    $out/forge 3 "${VALUES:-20}" "$scratch/value.cert" "$scratch/value"
    for file in "$scratch"/value-*; do
      weighed "values/$query" "$model" "$file"
    done
  done 3<<'EOF'
models/crossing.tck|sup{asked == 1}: w
models/crossing.tck|inf{Walkers.green}: w
models/crossing.tck|bounds{asked == 1}: w, asked
models/crossing.tck|inf: w
models/crossing.tck|bounds: w
models/fischer.xta|sup: id
models/fischer.xta|bounds{P1.cs}: id
train-gate 3|sup{Train1.bridge}: x1
train-gate 3|bounds{Train1.bridge && Train2.bridge}: x1
csma 2|inf: x1
proof/test/grows.tck|bounds: c[0]
EOF
  pass "values: $accepted certificates are accepted, $rejected changed ones rejected; $valid changed ones are valid for both, $stricter for tarn only"
}
points() {
  accepted=0 rejected=0 kept=0
  "$tarn" gen lcm 7 >"$scratch/model.tck"
  "$tarn" check --quiet --partial-order off --engine darts --certificate "$scratch/cert" "$scratch/model.tck" </dev/null >/dev/null 2>&1
  if $out/tarn-proved "$scratch/model.tck" "$scratch/cert" >"$scratch/found" 2>&1 && grep -q ' points)$' "$scratch/found"; then
    accepted=$((accepted + 1))
  else
    fail 'points/lcm 7' 'the certificate is not accepted' "$scratch/found"
  fi
  rm -f "$scratch"/lie-*
  $out/forge 7 8 "$scratch/cert" "$scratch/lie"
  for file in "$scratch"/lie-*; do
    "$tarn" certify "$scratch/model.tck" "$file" >/dev/null 2>&1
    by_tarn=$?
    $out/tarn-proved "$scratch/model.tck" "$file" >"$scratch/found" 2>&1
    case $by_tarn,$? in
      0,0) kept=$((kept + 1)) ;;
      [12],[12]) rejected=$((rejected + 1)) ;;
      *) fail 'points/lcm 7' "a changed certificate has status $by_tarn of tarn" "$scratch/found" ;;
    esac
  done
  pass "points: $accepted certificate is accepted, $rejected changed ones rejected ($kept are valid)"
}

# 202,500 joint transitions in one state: more than recursion on lists does in 8 MB.
deep() {
  awk 'BEGIN { print "system:deep\nevent:a"; split("P Q", p, " ")
    for (i = 1; i <= 2; i++) {
      printf "process:%s\nlocation:%s:A{initial:}\n", p[i], p[i]
      for (k = 0; k < 450; k++) printf "edge:%s:A:A:a\n", p[i]
    }
    print "sync:P@a:Q@a" }' >"$scratch/model.tck"
  "$tarn" check --quiet --partial-order off --symmetry off --certificate "$scratch/cert" "$scratch/model.tck" >/dev/null
  if (ulimit -S -s 8192 && $out/tarn-proved "$scratch/model.tck" "$scratch/cert") >"$scratch/found" 2>&1; then
    pass 'deep: a state with 202500 transitions'
  else
    fail deep 'the certificate is not accepted' "$scratch/found"
  fi
  if (ulimit -S -s 8192 && TARN_PROVED_STACK=1 $out/tarn-proved "$scratch/model.tck" "$scratch/cert") >"$scratch/found" 2>&1 ||
    ! grep -q 'the stack is too small' "$scratch/found"; then
    fail deep 'it is not too deep for a small stack' "$scratch/found"
  fi
}

# judged MODEL FILE: both checkers must say the same of a changed certificate.
judged() {
  "$tarn" certify "$1" "$2" >/dev/null 2>&1
  by_tarn=$?
  $out/tarn-proved "$1" "$2" >"$scratch/found" 2>&1
  case $by_tarn,$? in
    0,0) kept=$((kept + 1)) ;;
    [12],[12]) rejected=$((rejected + 1)) ;;
    *) fail "uppaal/$1" "a changed certificate has status $by_tarn of tarn" "$scratch/found" ;;
  esac
}

constructs() {
  if TARN=$tarn PROVED=$out/tarn-proved python3 proof/test/constructs.py >"$scratch/found"; then
    pass "constructs: $(tail -n 1 "$scratch/found")"
  else
    fail constructs "$(tail -n 1 "$scratch/found")" "$scratch/found"
  fi
}

programs() {
  make -s build/release/test/fuzz/agree_programs >/dev/null || exit 1
  if TARN=$tarn WORK=$scratch/programs proof/test/programs.py 100 5 >"$scratch/found"; then
    pass "programs: $(tail -n 1 "$scratch/found")"
  else
    fail programs "$(tail -n 1 "$scratch/found")" "$scratch/found"
  fi
}

uppaal() {
  read_same=0 read_refused=0 accepted=0 rejected=0 kept=0
  for model in models/*.xta test/run/*.xta test/run/reg/*.xta test/run/reg/*.xml proof/test/*.xta proof/test/*.xml; do
    [ -f "$model" ] && "$tarn" show "$model" >"$scratch/a" 2>/dev/null || continue
    $out/tarn-proved --show "$model" >"$scratch/b" 2>&1
    if cmp -s "$scratch/a" "$scratch/b"; then
      read_same=$((read_same + 1))
    elif grep -q 'are not covered by the proof$' "$scratch/b"; then
      read_refused=$((read_refused + 1))
    else
      diff "$scratch/a" "$scratch/b" >"$scratch/found"
      fail "uppaal/$model" 'not read as tarn show prints it' "$scratch/found"
    fi
  done
  pass "uppaal: $read_same models are read as tarn show prints them; $read_refused are refused by name"
  for model in models/*.xta proof/test/*.xta proof/test/*.xml; do
    "$tarn" show --queries "$model" >"$scratch/queries" 2>/dev/null
    while IFS= read -r query <&3; do
      rm -f "$scratch/cert" "$scratch"/lie-*
      "$tarn" check --json --trace concrete --partial-order off --certificate "$scratch/cert" -q "$query" "$model" </dev/null >"$scratch/run" 2>/dev/null
      file=$scratch/run
      [ ! -f "$scratch/cert" ] || file=$scratch/cert
      if $out/tarn-proved "$model" "$file" >"$scratch/found" 2>&1; then
        accepted=$((accepted + 1))
      else
        fail "uppaal/$model $query" 'the evidence is not accepted' "$scratch/found"
      fi
      [ "$file" = "$scratch/cert" ] || continue
      $out/forge $((accepted + 7)) 3 "$scratch/cert" "$scratch/lie"
      for lie in "$scratch"/lie-*; do judged "$model" "$lie"; done
    done 3<"$scratch/queries"
  done
  pass "uppaal: evidence for $accepted queries is accepted; $rejected changed certificates are rejected by both checkers ($kept are valid)"
  make -s build/release/test/fuzz/uppaal_print >/dev/null || exit 1
  if TARN=$tarn WORK=$scratch/uppaal proof/test/uppaal.sh 1000 "${UPPAAL:-40}" >"$scratch/found"; then
    pass "uppaal: $(tail -n 1 "$scratch/found")"
  else
    fail uppaal "$(tail -n 1 "$scratch/found")" "$scratch/found"
  fi
  if PRINT=proof/test/rates.py TARN=$tarn WORK=$scratch/stopped proof/test/uppaal.sh 1000 "${STOPPED:-20}" >"$scratch/found"; then
    pass "uppaal: stopped clocks: $(tail -n 1 "$scratch/found")"
  else
    fail uppaal "stopped clocks: $(tail -n 1 "$scratch/found")" "$scratch/found"
  fi
}

# Certificates that break one rule of doc/notes/certificates.md each.
rules() {
  if TARN=$tarn PROVED=$out/tarn-proved python3 test/rules.py >"$scratch/found" 2>&1; then
    pass "rules: $(tail -n 1 "$scratch/found" | sed 's/^ok [^:]*: //')"
  else
    fail rules 'a certificate is not judged as it should be' "$scratch/found"
  fi
}

# Where tarn meets no error its certificate must be accepted: the specification meets none either.
evidence() {
  if ! command -v python3 >/dev/null; then
    echo 'skip proof/evidence: python3 is not installed'
    return
  fi
  for language in tck gaps uppaal 'tck 1' 'uppaal 1'; do
    if NON_ZENO=${language#* } PROVED=$out/tarn-proved FORGE=$out/forge TARN=$tarn WORK=$scratch/evidence proof/test/evidence.py "${language% *}" 500 "${EVIDENCE:-8}" 4 >"$scratch/found"; then
      pass "evidence: $(tail -n 1 "$scratch/found")"
    else
      fail "evidence $language" "$(tail -n 1 "$scratch/found")" "$scratch/found"
    fi
  done
}
# Models that compare clocks with each other; of the certificates with lists of differences some are changed.
gaps() {
  accepted=0 rejected=0 kept=0 more=0
  for line in 'cex 2|' 'fischer 3|E<> P1.cs && P2.cs' 'shop 2|' 'bouyer|E<> P.bad' 'bouyer|sup{P.bad}: x1'; do
    model=${line%|*} query=${line#*|}
    # shellcheck disable=SC2086 # separate words
    case $model in
      bouyer) cp test/run/bouyer.tck "$scratch/model.tck" ;;
      *) bench/diagonals $model >"$scratch/model.tck" ;;
    esac
    rm -f "$scratch/cert" "$scratch"/lie-*
    "$tarn" check --quiet ${query:+-q "$query"} --certificate "$scratch/cert" "$scratch/model.tck" </dev/null >"$scratch/found" 2>&1
    case $(features "$scratch/cert") in 4 | 36) ;; *) fail "gaps/$line" 'no differences are listed' "$scratch/found" ;; esac
    if $out/tarn-proved "$scratch/model.tck" "$scratch/cert" >"$scratch/claim" 2>&1; then
      accepted=$((accepted + 1))
    else
      fail "gaps/$line" 'the certificate is not accepted' "$scratch/claim"
    fi
    claimed=$(sed 's/^[^:]*: //' "$scratch/claim")
    $out/forge 7 10 "$scratch/cert" "$scratch/lie"
    for file in "$scratch"/lie-*; do
      "$tarn" certify "$scratch/model.tck" "$file" >/dev/null 2>&1
      by_tarn=$?
      $out/tarn-proved "$scratch/model.tck" "$file" >"$scratch/found" 2>&1
      case $by_tarn,$? in
        0,0) kept=$((kept + 1)) ;;
        [12],[12]) rejected=$((rejected + 1)) ;;
        # Some differences that it need not know the proved checker sees to follow; what is claimed must be as before.
        1,0) [ "$(sed 's/^[^:]*: //' "$scratch/found")" = "$claimed" ] && more=$((more + 1)) || fail "gaps/$line" 'another claim is accepted' "$scratch/found" ;;
        *) fail "gaps/$line" "a changed certificate has status $by_tarn of tarn" "$scratch/found" ;;
      esac
    done
  done
  pass "gaps: $accepted certificates are accepted, $rejected changed ones rejected ($kept are valid for both, $more for the proved checker only)"
}

errors() {
  accepted=0 met=0
  while IFS= read -r condition <&3; do
    for where in guard invariant; do
      guard='' invariant=''
      if [ $where = guard ]; then guard="provided: $condition : "; else invariant="invariant: $condition"; fi
      printf 'system:s\nevent:a\nclock:1:x\nclock:2:c\nint:1:0:9:0:n\nint:1:0:9:2:m\nint:1:-3:9:3:k\nint:2:0:5:0:v\nprocess:P
location:P:A{initial:}\nlocation:P:B{%s}\nedge:P:A:B:a{%sdo: x=0}\n' "$invariant" "$guard" >"$scratch/model.tck"
      "$tarn" check --quiet --partial-order off --certificate "$scratch/cert" "$scratch/model.tck" >"$scratch/answer" 2>&1
      case $? in
        0)
          accepted=$((accepted + 1))
          $out/tarn-proved "$scratch/model.tck" "$scratch/cert" >"$scratch/found" 2>&1 ||
            fail "errors/$where $condition" 'the certificate is not accepted' "$scratch/found"
          ;;
        *)
          met=$((met + 1))
          grep -q 'divided by zero' "$scratch/answer" || fail "errors/$where $condition" 'another error' "$scratch/answer"
          ;;
      esac
    done
  done 3<proof/test/errors.txt
  pass "errors: $accepted certificates are accepted, $met conditions fail"
}

# with_sets QUERY MODEL: a certificate with reduced sets, and with no other feature.
with_sets() {
  rm -f "$scratch/cert"
  "$tarn" check --quiet --partial-order on --engine zones --symmetry off -q "$1" --certificate "$scratch/cert" "$2" </dev/null >/dev/null 2>&1
  [ "$(features "$scratch/cert")" = 16 ] || fail "reduced/$2" "the certificate of $1 has no reduced sets"
}

reduced() {
  sets_accepted=0 sets_rejected=0 sets_refused=0
  while IFS=$tab read -r model query; do
    with_sets "$query" "$model"
    if $out/tarn-proved "$model" "$scratch/cert" >"$scratch/found" 2>&1; then
      sets_accepted=$((sets_accepted + 1))
    else
      fail "reduced/$model" 'a certificate is not accepted' "$scratch/found"
    fi
  done <proof/test/reduced/accepted.tsv
  # What the intervals do not show: the index, what is divided by.
  for change in 's/last = (last + 1) % N/last = last < 3 ? last + 1 : 0/' 's/count % 5/7 \/ (count - 9)/'; do
    sed "$change" proof/test/reduced/ranges.xta >"$scratch/model.xta"
    with_sets 'A[] last < 4' "$scratch/model.xta"
    if ! $out/tarn-proved "$scratch/model.xta" "$scratch/cert" >"$scratch/found" 2>&1 && grep -q 'its reduced sets are not proved to be right' "$scratch/found"; then
      sets_refused=$((sets_refused + 1))
    else
      fail "reduced/$change" 'what could fail is not seen' "$scratch/found"
    fi
  done
  # With symmetry as well.
  "$tarn" gen philosophers 4 >"$scratch/model.tck"
  "$tarn" check --quiet --partial-order on --engine zones --symmetry on -q 'A[] not deadlock' --certificate "$scratch/cert" "$scratch/model.tck" </dev/null >/dev/null 2>&1
  if [ "$(features "$scratch/cert")" = 17 ] && $out/tarn-proved "$scratch/model.tck" "$scratch/cert" >"$scratch/found" 2>&1; then
    sets_accepted=$((sets_accepted + 1))
  else
    fail reduced/symmetry 'a certificate with renamings and reduced sets is not accepted' "$scratch/found"
  fi
  # Made by copies of tarn without one of the rules: what they claim is false.
  for cert in proof/test/reduced/*.cert; do
    $out/tarn-proved "test/fuzz/partial/$(basename "$cert" .cert).tck" "$cert" >"$scratch/found" 2>&1
    if [ $? = 1 ] && grep -q 'its reduced sets are not proved to be right' "$scratch/found"; then
      sets_rejected=$((sets_rejected + 1))
    else
      fail "reduced/$cert" 'a false certificate is not rejected because of its sets' "$scratch/found"
    fi
  done
  pass "reduced: $sets_accepted certificates are accepted, $sets_rejected false ones rejected, $sets_refused refused because of what could fail"
  make -s build/release/test/fuzz/still_print >/dev/null || exit 1
  for kind in sets near still text; do
    if TARN=$tarn WORK=$scratch/reduced proof/test/reduced.sh $kind 1 "${REDUCED:-40}" >"$scratch/found" 2>&1; then
      pass "reduced: $(tail -n 1 "$scratch/found")"
    else
      fail reduced "$(tail -n 1 "$scratch/found")" "$scratch/found"
    fi
  done
}

# Each with a claim that is false.
forgets() {
  accepted=0 rejected=0 kept=0
  while IFS='|' read -r model lie query; do
    model=$model.xta
    LOCATIONS=$("$tarn" show "$model" 2>/dev/null | grep -c '^location:')
    export LOCATIONS
    rm -f "$scratch/cert" "$scratch"/lie-* "$scratch"/false-*
    "$tarn" check --quiet --symmetry off --certificate "$scratch/cert" -q "$query" "$model" </dev/null >"$scratch/found" 2>&1
    case $(head -c 21 "$scratch/cert" | tail -c 2 | od -An -tu1 | tr -d ' ') in
      1284 | 1444) ;;
      *) fail "forgets/$query" 'nothing is said to be dead' "$scratch/found" ;;
    esac
    if $out/tarn-proved "$model" "$scratch/cert" >"$scratch/found" 2>&1; then
      accepted=$((accepted + 1))
    else
      fail "forgets/$query" 'the certificate is not accepted' "$scratch/found"
    fi
    $out/forge 7 "${FORGETS:-12}" "$scratch/cert" "$scratch/lie"
    $out/forge 7 "${FORGETS:-12}" "$scratch/cert" "$scratch/false" 1 "$lie"
    for file in "$scratch"/lie-* "$scratch"/false-*; do
      "$tarn" certify "$model" "$file" >/dev/null 2>&1
      by_tarn=$?
      $out/tarn-proved "$model" "$file" >"$scratch/found" 2>&1
      case $by_tarn,$?,$file in
        0,0,*/lie-*) kept=$((kept + 1)) ;;
        [12],[12],*) rejected=$((rejected + 1)) ;;
        0,1,*/lie-*) grep -q 'its reduced sets are not proved' "$scratch/found" || fail "forgets/$query" "$(basename "$file") is rejected" "$scratch/found" ;;
        *) fail "forgets/$query" "$(basename "$file") has status $by_tarn of tarn" "$scratch/found" ;;
      esac
    done
  done <<EOF
test/evidence/dead|E<> sum == 2|E<> sum == 3
test/evidence/dead|E<> P(3).d == 11|A[] forall (i : id_t) forall (j : id_t) P(i).busy_ && P(j).busy_ imply i == j
test/evidence/dead|E<> P(2).done|A[] not deadlock
test/evidence/dead-meta|E<> P(3).near|A[] forall (i : id_t) P(i).far imply turn == i
proof/test/forgets|E<> P(1).e == 1|E<> P(0).z
proof/test/forgets|E<> P(3).d == 7|E<> P(1).c && P(0).e == 2
proof/test/forgets|E<> P(2).c|A[] not deadlock
EOF
  pass "forgets: $accepted certificates are accepted; $rejected changed ones are rejected by both checkers ($kept are valid)"
}

random() {
  if TARN=$tarn WORK=$scratch/random proof/test/random.sh 1000 "${COUNT:-100}" >"$scratch/found"; then
    pass "random: $(tail -n 1 "$scratch/found")"
  else
    fail random "$(tail -n 1 "$scratch/found")" "$scratch/found"
  fi
}

copies() {
  make -s build/release/test/fuzz/copies_print >/dev/null || exit 1
  if TARN=$tarn WORK=$scratch/copies proof/test/copies.sh 1000 "${COPIES:-60}" >"$scratch/found"; then
    pass "copies: $(tail -n 1 "$scratch/found")"
  else
    fail copies "$(tail -n 1 "$scratch/found")" "$scratch/found"
  fi
}

for part in $parts; do $part; done
exit $failed
