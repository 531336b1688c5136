#!/bin/sh
# Answers for programs: test/answers.sh
#
# Several models in one command, tables, reports, and all kinds of JSON against their schemas. What
# is printed on bad input is in test/run.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
TARN=${TARN:-$root/build/release/tarn}
case $TARN in /*) ;; *) TARN=$PWD/$TARN ;; esac
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
failed=0
models=$root/models

check() { # NAME: the condition before it
  if [ "$2" -eq 0 ]; then echo "ok answers/$1"; else
    echo "FAIL answers/$1"
    sed 's/^/    /' out err 2>/dev/null | head -20
    failed=1
  fi
}

tarn() { timeout 60 "$TARN" "$@" >out 2>err; }
python() { python3 - "$@" >out 2>&1; }

# All golden outputs are what the schemas say.
python3 "$root/test/schemas.py" "$root"/test/run/*.gold "$root"/test/run/*/*.gold >out 2>err
check schemas-gold $?

# One table, one report and one object for several models, of which one is missing.
tarn check --json --csv table.csv --junit report.xml "$models/coffee.xta" missing.xta "$models/lamp.tck"
status=$?
cp out models.json
[ $status -eq 2 ] && python3 "$root/test/schemas.py" models.json >out 2>err && python <<'END'
import csv, json, xml.etree.ElementTree as xml
models = json.load(open("models.json"))["models"]
assert [m["file"].split("/")[-1] for m in models] == ["coffee.xta", "missing.xta", "lamp.tck"]
rows = list(csv.DictReader(open("table.csv")))
results = [(m["file"], r) for m in models for r in m["results"]]
assert [(r["model"], r["query"], r["verdict"]) for r in rows] == \
       [(file, r["query"], r["verdict"]) for file, r in results] and len(rows) == 7
assert all(float(r["seconds"]) > 0 and float(r["cpu_seconds"]) > 0 for r in rows)
suites = xml.parse("report.xml").getroot().findall("testsuite")
assert [int(s.get("tests")) for s in suites] == [4, 1, 3], suites
assert [int(s.get("errors")) for s in suites] == [0, 1, 0]
END
check several-models $?

# The exit status: 2 before 3 before 1 before 0.
long='A[] not deadlock'
tarn check --quiet -q 'E<> Lamp.bright' "$models/lamp.xta" "$models/lamp.tck"
a=$?
tarn check --quiet -q 'E<> Lamp.bright && Lamp.off' "$models/lamp.xta" "$models/lamp.tck"
b=$?
"$TARN" gen fischer 12 >large.tck
tarn check --quiet --time-limit 0.05 --symmetry off -q "$long" "$models/lamp.tck" large.tck
c=$?
tarn check --quiet --time-limit 0.05 --symmetry off -q "$long" "$models/lamp.tck" missing.tck large.tck
d=$?
[ "$a$b$c$d" = 0132 ]
check exit-status $?

# The limit of all together: what is left is undecided, and the limit of each stays what JSON says.
tarn check --json --quiet --symmetry off --total-time-limit 0.3 -q "$long" large.tck large.tck large.tck
[ $? -eq 3 ] && python3 -c '
import json
models = json.load(open("out"))["models"]
assert [m["results"][0]["verdict"] for m in models] == ["undecided"] * 3
assert sum(m["results"][0]["stats"]["seconds"] for m in models) < 2
assert models[0]["options"]["time-limit"] == 0
' 2>err
check total-time-limit $?

# Certificates and pages of several models have their numbers.
tarn check --quiet --certificate proof.txt --html page.html -q 'E<> Lamp.bright && Lamp.off' \
  "$models/lamp.xta" "$models/lamp.tck"
[ $? -eq 1 ] && tarn certify "$models/lamp.xta" proof-1.txt && tarn certify "$models/lamp.tck" proof-2.txt &&
  [ -s page-1.html ] && [ -s page-2.html ]
check numbered-files $?

# Extreme values as numbers.
"$TARN" check --json --csv values.csv -q 'sup: x' -q 'bounds{Lamp.bright}: y, x' -q 'inf{false}: y' \
  -q 'sup{Lamp.low && x < 3}: x' "$models/lamp.xta" >values.json
python <<'END'
import csv, json
numbers = [[(n["expression"], n["kind"], n["value"], n["strict"], n["infinite"]) for n in r["numbers"]]
           for r in json.load(open("values.json"))["results"]]
assert numbers == [
    [("x", "sup", None, False, True)],
    [("y", "inf", 0, False, False), ("y", "sup", None, False, True),
     ("x", "inf", 1, False, False), ("x", "sup", None, False, True)],
    [("y", "inf", None, False, False)],
    [("x", "sup", 3, True, False)]], numbers
rows = [(r["value"], r["strict"], r["infinite"]) for r in csv.DictReader(open("values.csv"))]
assert rows == [("", "no", "yes"), ("0;;1;", "no;no;no;no", "no;yes;no;yes"), ("", "no", "no"),
                ("3", "yes", "no")], rows
END
check numbers $?

# Each value has a run that shows it, or comes within 1 of it; certify says if it does not.
"$TARN" check --json --trace concrete -q 'bounds{Lamp.low}: x, y' "$models/lamp.xta" >shown.json 2>err
tarn certify "$models/lamp.xta" shown.json && [ "$(grep -c 'is accepted' out)" -eq 4 ] &&
  grep -q '"covers": \["y grows without end"\]' shown.json &&
  sed 's/"covers": \["x >= 0"\]/"covers": ["x >= 2"]/' shown.json >other.json &&
  sed 's/x >= 0/x >= 2/g' shown.json >changed.json &&
  ! tarn certify "$models/lamp.xta" other.json && grep -q 'it does not say of the values what it shows' out &&
  ! tarn certify "$models/lamp.xta" changed.json && grep -q 'the goal does not hold' out
check numbers-shown $?

# Several runs: each is accepted, and takes an edge that those before it do not. The page has them all.
"$TARN" check --json --traces 5 --html page.html -q 'E<> Person.drinking' "$models/coffee.xta" >traces.json
tarn certify "$models/coffee.xta" traces.json && [ "$(grep -c accepted out)" -eq 4 ] && python <<'END'
import json
result = json.load(open("traces.json"))["results"][0]
used = set()
for run in result["traces"]:
    edges = {edge["index"] for step in run["steps"] for edge in step.get("edges", [])}
    assert edges - used and len(edges - used) == len(run["covers"]), run
    used |= edges
assert len(result["traces"]) == 4 and "traces_end" in result
assert open("page.html").read().count("(run ") >= 3
END
check traces $?
# A run that is changed is rejected, also if it is not the first.
sed 's/"time": "[0-9]*"/"time": "0"/4g' traces.json >forged.json
tarn certify "$models/coffee.xta" forged.json
[ $? -eq 1 ]
check traces-forged $?

# Mutants: those that are written have, by themselves, the verdicts that the table says.
for model in lamp.xta lamp.tck; do
  "$TARN" mutate --json --jobs 2 --write mutants "$models/$model" >mutants.json 2>err
  [ $? -eq 0 ] && python3 "$root/test/schemas.py" mutants.json >out 2>err && python "$TARN" <<'END'
import json, subprocess, sys
found = json.load(open("mutants.json"))
queries = [word for query in found["queries"] for word in ("-q", query["query"])]
assert found["killed"] and found["living"] and found["equivalent"]
for mutant in found["mutants"]:
    if mutant["status"] == "unreadable":
        continue
    run = subprocess.run([sys.argv[1], "check", "--json", *queries, mutant["file"]], capture_output=True)
    verdicts = [result["verdict"] for result in json.loads(run.stdout)["results"]]
    differ = [i + 1 for i, query in enumerate(found["queries"]) if verdicts[i] != query["verdict"]]
    assert differ == mutant["killed_by"], mutant
END
  check "mutants-$model" $?
done
# The same model as XML has the same table, but for edges that the formats write in another way.
"$TARN" convert --to xml "$models/lamp.xta" >lamp.xml 2>err && cp "$models/lamp.q" lamp.q
tarn mutate lamp.xml && tail -n 2 out >one && tarn mutate "$models/lamp.xta" && tail -n 2 out >other && cmp one other >err
check mutants-formats $?
tarn mutate --total-time-limit 0.000001 "$models/lamp.xta"
[ $? -eq 3 ] && grep -q '36 undecided' out
check mutants-limit $?

# Every other kind of JSON.
"$TARN" lint --json "$models/lamp.xta" >lint.json 2>err
"$TARN" sweep --json -D N=2..3 "$models/fischer-sizes.xta" >sweep.json 2>err
"$TARN" simulate --json --steps 3 "$models/lamp.xta" >run.json 2>err
"$TARN" check --json --explain --trace symbolic "$models/crossing.xta" >symbolic.json 2>err
"$TARN" check --json --trace concrete -q 'A<> false' "$models/crossing.xta" >lasso.json 2>err
echo | "$TARN" simulate --json "$models/lamp.xta" 2>err | head -1 >state.json
python3 "$root/test/schemas.py" values.json traces.json lint.json sweep.json run.json symbolic.json lasso.json state.json \
  >out 2>err
check schemas $?

# Random networks against a walk through their states; `make agree-answers` takes more.
python3 "$root/test/fuzz/agree_answers.py" "$TARN" 20 3 >out 2>err
check random $?

# Equivalent mutants reach the same states at the same times; `make agree-mutants` takes more.
python3 "$root/test/fuzz/agree_mutants.py" "$TARN" 5 3 >out 2>err
check random-mutants $?

exit $failed
