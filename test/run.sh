#!/bin/sh
# Runs the command on models and compares what it says: test/run.sh [--accept] [WHAT...]
#
# WHAT is a group or the name of a case; default: every group. The groups:
#   gold      test/run/NAME.{tck,opt,gold}: command lines and their exact output
#   errors    test/run/errors/NAME.{tck,opt,gold}: the same, for input that is refused
#   verdicts  test/run/verdicts.tsv x test/run/configurations: one answer under all of them
#   counts    test/run/counts.tsv: statistics of generated models
#   reg       test/run/reg/NAME.{tck,q}, found by the random tester: one answer under all
#             configurations, and all evidence is accepted
#   evidence  the lines of verdicts, each under every second configuration in turns: every run and
#             certificate is accepted; evidence-all: under every one
#   proofs    likewise the certificates of all states of the models in test/run/counts.tsv, but
#             the largest; proofs-all: of all of them
#   compact   the lines of counts.tsv for zones, but the largest, again with --compact
#   shared    the models and counts of $TARN_SHARED/models/tchecker, where they exist
#
# A case has one line in NAME.opt for each command, as one would type it after `tarn`; it is
# run in the folder of the case. Its output may go to >/dev/full, no other file. Without NAME.opt it is `check NAME.tck`. With NAME.gen, the
# output of `tarn gen` with the arguments in it is the standard input of each command.
# NAME.gold holds for each command `$ tarn ...`, what it printed, with stderr marked `! `,
# and `exit STATUS`; times, bytes and the version are masked as `*`.
# --accept writes NAME.gold anew; look at the difference before you commit it.
#
# The command is $TARN, default build/release/tarn. Each result is one line: `ok name`,
# `FAIL name: reason` (details below it, indented) or `skip name: reason`. LABEL goes before
# each name. As many groups and cases run at once as there are processors.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
TARN=${TARN:-$root/build/release/tarn}
case $TARN in /*) ;; *) TARN=$PWD/$TARN ;; esac
SHARED=${TARN_SHARED:-$root/../shared}
LABEL=${LABEL:-}
SECONDS_PER_COMMAND=${SECONDS_PER_COMMAND:-120}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0
tab=$(printf '\t')

pass() { echo "ok $LABEL$1"; }
skip() { echo "skip $LABEL$1: $2"; }
# fail NAME REASON [FILE of details]
fail() {
  failed=1
  echo "FAIL $LABEL$1: $2"
  [ $# -lt 3 ] || sed 's/^/    /' "$3"
}

tarn() { timeout "$SECONDS_PER_COMMAND" "$TARN" "$@"; }

# What differs from run to run, and limits of stages, which some builds lower.
mask() {
  sed -e 's/\("tarn": *\)"[^"]*"/\1"*"/' \
    -e 's/\(seconds"\{0,1\}:\{0,1\}\) *[0-9][0-9.e+-]*/\1 */g' \
    -e 's/\(node_bytes"\{0,1\}:\{0,1\}\) *[0-9][0-9.e+]*/\1 */g' \
    -e 's/\(peak_bytes"\{0,1\}:\{0,1\}\) *[0-9][0-9.e+]*/\1 */g' \
    -e 's/at most [0-9]* transitions/at most * transitions/' \
    -e 's/\("max_transitions":\) *[0-9]*/\1 */g'
}

# output FOLDER NAME: runs the commands of a case, prints what belongs into its gold file.
output() {
  cd "$1" || return
  case_name=$2
  : >"$scratch/stdin"
  if [ -f "$case_name.gen" ]; then
    # shellcheck disable=SC2046 # the arguments are separate words
    tarn gen $(cat "$case_name.gen") >"$scratch/stdin" || echo "tarn gen failed"
  fi
  if [ -f "$case_name.opt" ]; then
    cat "$case_name.opt"
  else
    echo "check $case_name.tck"
  fi >"$scratch/commands"
  while IFS= read -r line <&3; do
    case $line in '' | '#'*) continue ;; esac
    eval "set -- $line"
    echo "\$ tarn $line"
    status=0
    : >"$scratch/stdout"
    case $line in
      *' >/dev/full') stdout=/dev/full ;;
      *) stdout=$scratch/stdout ;;
    esac
    tarn "$@" <"$scratch/stdin" >"$stdout" 2>"$scratch/stderr" || status=$?
    mask <"$scratch/stdout"
    mask <"$scratch/stderr" | sed 's/^/! /'
    echo "exit $status"
  done 3<"$scratch/commands"
}

# golden GROUP FOLDER NAME
golden() {
  (output "$2" "$3") >"$scratch/output"
  if $accept; then
    cp "$scratch/output" "$2/$3.gold"
    echo "accepted $1/$3"
  elif [ ! -f "$2/$3.gold" ]; then
    fail "$1/$3" "no gold file: run test/run.sh --accept $1/$3"
  elif diff -u "$2/$3.gold" "$scratch/output" >"$scratch/diff"; then
    pass "$1/$3"
  else
    fail "$1/$3" "the output differs" "$scratch/diff"
  fi
}

# cases FOLDER: the names of its cases.
cases() {
  for file in "$1"/*.tck "$1"/*.opt "$1"/*.gold; do
    [ ! -f "$file" ] || basename "${file%.*}"
  done | LC_ALL=C sort -u
}

golden_group() {
  for name in $(cases "$2"); do golden "$1" "$2" "$name"; done
}

# One answer under every configuration. Lines: model, query, verdict as an exit status.
verdicts() {
  sed -e '/^#/d' -e '/^$/d' "$root/test/run/configurations" >"$scratch/configurations"
  sed -e '/^#/d' -e '/^$/d' "$root/test/run/verdicts.tsv" >"$scratch/verdicts"
  while IFS=$tab read -r model query wanted <&3; do
    : >"$scratch/wrong"
    while IFS= read -r options <&4; do
      status=0
      # shellcheck disable=SC2086 # the options are separate words
      tarn check --quiet $options -q "$query" "$root/$model" </dev/null \
        >/dev/null 2>&1 || status=$?
      [ "$status" = "$wanted" ] || echo "exit $status with $options" >>"$scratch/wrong"
    done 4<"$scratch/configurations"
    name="verdicts/$(basename "$model" .tck) $query"
    if [ -s "$scratch/wrong" ]; then
      fail "$name" "not exit $wanted everywhere" "$scratch/wrong"
    else
      pass "$name"
    fi
  done 3<"$scratch/verdicts"
}

# certified MODEL FILE WHAT: it is accepted, or what is wrong goes to $scratch/wrong.
certified() {
  tarn certify "$1" "$2" </dev/null >"$scratch/found" 2>&1 ||
    { echo "$3" && grep -v 'warning\|^  ' "$scratch/found"; } >>"$scratch/wrong"
}

# evident NAME: the result of the checks since $scratch/wrong was emptied.
evident() {
  if [ -s "$scratch/wrong" ]; then
    fail "$1" "evidence is rejected" "$scratch/wrong"
  else
    pass "$1"
  fi
}

# evidence STEP: line i under the configurations i, i + STEP, ...
evidence() {
  sed -e '/^#/d' -e '/^$/d' "$root/test/run/verdicts.tsv" >"$scratch/verdicts"
  number=0
  while IFS=$tab read -r model query wanted <&3; do
    : >"$scratch/wrong"
    number=$((number + 1))
    sed -e '/^#/d' -e '/^$/d' "$root/test/run/configurations" |
      awk -v line=$number -v step="$1" 'NR % step == line % step' >"$scratch/configurations"
    while IFS= read -r options <&4; do
      rm -f "$scratch/proof"
      # shellcheck disable=SC2086 # the options are separate words
      tarn check --quiet $options --json --trace concrete --prefer any --certificate "$scratch/proof" \
        -q "$query" "$root/$model" </dev/null >"$scratch/run.json" 2>/dev/null
      if [ -f "$scratch/proof" ]; then
        certified "$root/$model" "$scratch/proof" "certificate with $options"
      else
        certified "$root/$model" "$scratch/run.json" "run with $options"
      fi
    done 4<"$scratch/configurations"
    evident "evidence/$(basename "$model" .tck) $query"
  done 3<"$scratch/verdicts"
}

# proofs [PATTERN of lines to leave out]
proofs() {
  sed -e '/^#/d' -e '/^$/d' "$root/test/run/counts.tsv" | grep -v "${1:-^#}" >"$scratch/counts"
  while IFS=$tab read -r family options expected <&3; do
    : >"$scratch/wrong"
    rm -f "$scratch/proof"
    # shellcheck disable=SC2086 # arguments and options are separate words
    tarn gen $family >"$scratch/model.tck"
    # shellcheck disable=SC2086
    tarn check --quiet $options --json --trace concrete --prefer any --certificate "$scratch/proof" \
      "$scratch/model.tck" >"$scratch/run.json" 2>/dev/null
    if [ -f "$scratch/proof" ]; then
      certified "$scratch/model.tck" "$scratch/proof" certificate
    else
      certified "$scratch/model.tck" "$scratch/run.json" run
    fi
    evident "proofs/$family $options"
  done 3<"$scratch/counts"
}

reg() {
  sed -e '/^#/d' -e '/^$/d' "$root/test/run/configurations" >"$scratch/configurations"
  for model in "$root"/test/run/reg/*.tck; do
    [ -f "$model" ] || continue
    : >"$scratch/wrong"
    first=
    while IFS= read -r options <&4; do
      rm -f "$scratch/proof"
      status=0
      # shellcheck disable=SC2086 # the options are separate words
      tarn check --quiet $options --json --trace concrete --prefer any --certificate "$scratch/proof" \
        "$model" </dev/null >"$scratch/run.json" 2>/dev/null || status=$?
      [ "$status" -lt 2 ] || continue # refused, or the model fails
      first=${first:-$status}
      [ "$status" = "$first" ] || echo "exit $status, not $first, with $options" >>"$scratch/wrong"
      evidence=$scratch/run.json
      [ ! -f "$scratch/proof" ] || evidence=$scratch/proof
      certified "$model" "$evidence" "evidence with $options"
    done 4<"$scratch/configurations"
    evident "reg/$(basename "$model" .tck)"
  done
}

# statistic NAME: its value in the JSON object on stdin.
statistic() { sed -n 's/.*"'"$1"'": *\([0-9]*\).*/\1/p'; }

# compare NAME EXPECTED: the JSON in $scratch/json against `name=value,name=value...`.
compare() {
  found=
  for pair in $(echo "$2" | tr ',' ' '); do
    found="$found${found:+,}${pair%%=*}=$(statistic "${pair%%=*}" <"$scratch/json")"
  done
  if [ "$found" = "$2" ]; then
    pass "$1"
  elif [ -s "$scratch/json" ]; then
    fail "$1" "found $found, expected $2"
  else
    fail "$1" "no output" "$scratch/stderr"
  fi
}

# Generated models. Lines: arguments of gen, options of check, the statistics expected.
counts() {
  sed -e '/^#/d' -e '/^$/d' "$root/test/run/counts.tsv" >"$scratch/counts"
  while IFS=$tab read -r family options expected <&3; do
    # shellcheck disable=SC2086 # arguments and options are separate words
    tarn gen $family 2>"$scratch/stderr" |
      tarn check $options --json - >"$scratch/json" 2>>"$scratch/stderr"
    compare "counts/$family $options" "$expected"
  done 3<"$scratch/counts"
}

# The same with zones in minimal form, which must not change anything.
compact() {
  sed -e '/^#/d' -e '/^$/d' -e '/--engine/d' -e '/stored=[0-9]\{6\}/d' "$root/test/run/counts.tsv" \
    >"$scratch/counts"
  while IFS=$tab read -r family options expected <&3; do
    # shellcheck disable=SC2086 # arguments and options are separate words
    tarn gen $family 2>"$scratch/stderr" |
      tarn check $options --compact --json - >"$scratch/json" 2>>"$scratch/stderr"
    compare "compact/$family $options" "$expected"
  done 3<"$scratch/counts"
}

# Models of others with the counts of TChecker's covreach; the project does not contain them.
shared() {
  folder=$SHARED/models/tchecker
  if [ ! -f "$folder/COUNTS.tsv" ]; then
    skip shared "no counts in ${TARN_SHARED:-../shared}/models/tchecker"
    return
  fi
  grep "^[^#]*${tab}covreach${tab}" "$folder/COUNTS.tsv" >"$scratch/counts"
  while IFS=$tab read -r model algorithm order visited stored transitions <&3; do
    tarn check --abstraction extra-lu+ --bounds local --order "$order" --json \
      "$folder/$model.tck" </dev/null >"$scratch/json" 2>"$scratch/stderr"
    compare "shared/$model $algorithm $order" \
      "visited=$visited,stored=$stored,transitions=$transitions"
  done 3<"$scratch/counts"
}

run() {
  case $1 in
    gold) golden_group gold "$root/test/run" ;;
    errors) golden_group errors "$root/test/run/errors" ;;
    proofs) $accept || proofs 'stored=[0-9]\{6\}' ;;
    proofs-all) $accept || proofs ;;
    evidence) $accept || evidence 2 ;;
    evidence-all) $accept || evidence 1 ;;
    verdicts | reg | counts | compact | shared) $accept || "$1" ;;
    errors/*) golden errors "$root/test/run/errors" "${1#*/}" ;;
    gold/*) golden gold "$root/test/run" "${1#*/}" ;;
    *)
      known=false
      for folder in "$root/test/run" "$root/test/run/errors"; do
        cases "$folder" | grep -Fqx -e "$1" || continue
        known=true
        case $folder in
          */errors) golden errors "$folder" "$1" ;;
          *) golden gold "$folder" "$1" ;;
        esac
      done
      $known || fail "$1" "neither a group nor a case"
      ;;
  esac
}

if [ ! -x "$TARN" ]; then
  fail run "no command at $TARN"
  exit 1
fi
accept=false
if [ "${1:-}" = --accept ]; then
  accept=true
  shift
fi
# The long ones first, for they run side by side.
[ $# -gt 0 ] || set -- proofs evidence counts compact verdicts errors reg gold shared
if [ $# = 1 ] || $accept; then
  for what; do run "$what"; done
  exit $failed
fi
export TARN LABEL
# Names may hold a slash: each job has a number.
for what; do echo "$what"; done | awk '{ print NR " " $0 }' >"$scratch/jobs"
xargs -P "$(nproc)" -L 1 sh -c '"$0" "$3" >"$1/results.$2" 2>&1' "$0" "$scratch" \
  <"$scratch/jobs" || failed=1
while read -r number what; do cat "$scratch/results.$number"; done <"$scratch/jobs"
exit $failed
