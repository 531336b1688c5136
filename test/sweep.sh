#!/bin/sh
# `tarn sweep`: test/sweep.sh
#
# Tables, files that are continued, interrupts, limits, thresholds. What is printed on bad input is
# in test/run/sweep.gold.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
TARN=${TARN:-$root/build/release/tarn}
case $TARN in /*) ;; *) TARN=$PWD/$TARN ;; esac
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
failed=0
safe='A[] forall (i : id_t) forall (j : id_t) P(i).cs && P(j).cs imply i == j'
model=$root/models/fischer-sizes.xta

check() { # NAME: the condition before it
  if [ "$2" -eq 0 ]; then echo "ok sweep/$1"; else
    echo "FAIL sweep/$1"
    sed 's/^/    /' out err 2>/dev/null | head -20
    failed=1
  fi
}

sweep() { timeout 60 "$TARN" sweep "$@" >out 2>err; }
verdicts() { tail -n +2 "$1" | cut -d , -f "$2"; }

# The counts are those of the checks.
sweep -D N=2..6 -q "$safe" --csv a.csv "$model"
status=$?
for n in 2 3 4 5 6; do
  stored=$("$TARN" check --stats -D N=$n -q "$safe" "$model" | sed -n 's/^ *stored *//p')
  printf '%s,satisfied,%s\n' $n "$stored"
done >wanted
tail -n +2 a.csv | cut -d , -f 1,3,7 | diff - wanted >out
check counts $((status + $?))

# Cells come in the same order with several jobs.
sweep -D N=2..6 -D WAIT=9,10 -q "$safe" -q 'E<> P(1).cs' --csv 1.csv "$model" &&
  sweep -D N=2..6 -D WAIT=9,10 -q "$safe" -q 'E<> P(1).cs' --jobs 3 --csv 3.csv --json --html page.html "$model" &&
  [ "$(cut -d , -f 1-4,8,9 1.csv)" = "$(cut -d , -f 1-4,8,9 3.csv)" ] && [ "$(wc -l <1.csv)" -eq 21 ] &&
  grep -q '"rows"' out && grep -q '<svg' page.html
check jobs $?

# A file that ends in the middle of a line is continued, and has all rows once.
head -c 700 1.csv >cut.csv
sweep -D N=2..6 -D WAIT=9,10 -q "$safe" -q 'E<> P(1).cs' --csv cut.csv --resume "$model" &&
  [ "$(cut -d , -f 1-4 1.csv)" = "$(cut -d , -f 1-4 cut.csv)" ]
check resume $?
sweep -D N=2..6 -q "$safe" --csv cut.csv --resume "$model"
[ $? -eq 2 ] && grep -q 'another sweep' err
check resume-other $?

sweep -D N=2..6 -D WAIT=9,10 -q "$safe" -q 'E<> P(2).cs' --csv cut.csv --resume "$model"
[ $? -eq 2 ] && grep -q 'answers to other queries' err
check resume-other-queries $?
# All rows are in JSON and on the page, and count for the exit status, those that were there before, too.
head -n 8 1.csv >cut.csv
sweep -D N=2..6 -D WAIT=9,10 -q "$safe" -q 'E<> P(1).cs' --csv cut.csv --resume --json --html resumed.html "$model" &&
  [ "$(grep -c '"verdict"' out)" -eq 20 ] && python3 "$root/test/schemas.py" out >err 2>&1 &&
  [ "$(grep -o '<circle' resumed.html | wc -l)" -eq "$(grep -o '<circle' page.html | wc -l)" ]
check resume-rows $?
cp "$model" changed.xta
sweep -D N=2..3 -q "$safe" --csv changed.csv changed.xta && sleep 0.02 && echo >>changed.xta
sweep -D N=2..4 -q "$safe" --csv changed.csv --resume changed.xta
[ $? -eq 2 ] && grep -q 'was changed after changed.csv' err
check resume-changed-model $?

# An interrupt leaves a valid file, whose rows are of cells that were decided.
"$TARN" sweep -D N=2..40 --engine zones --symmetry off -q "$safe" --csv int.csv "$model" >out 2>err &
sleep 1
kill -INT $!
wait $!
[ $? -eq 3 ] && [ "$(tail -c 1 int.csv)" = '' ] && [ "$(verdicts int.csv 3 | sort -u)" = satisfied ]
check interrupt $?
sweep -D N=2..40 --engine zones --symmetry off --total-time-limit 1 -q "$safe" --csv total.csv "$model"
[ $? -eq 3 ] && [ "$(verdicts total.csv 3 | sort -u)" = satisfied ]
check total-time-limit $?
sweep -D N=30 --engine zones --symmetry off --time-limit 0.3 -q "$safe" --csv limit.csv "$model"
[ $? -eq 3 ] && [ "$(verdicts limit.csv 3)" = undecided ]
check time-limit $?

# The classic condition of Fischer's protocol, with evidence for both sides.
sweep --threshold WAIT=1..1000 -D WRITE=37 -q "$safe" --evidence kept "$model" &&
  grep -q 'from WAIT = 37 on, assumed monotone; the largest WAIT for which it does not is 36' out &&
  [ "$(grep -c 'checked and accepted' out)" -eq 2 ] && [ "$(find kept -type f | wc -l)" -eq 2 ]
check threshold $?
sweep --threshold WAIT=1..40 -D WRITE=37 -q "$safe" --json --csv tried.csv --html tried.html "$model" &&
  python3 "$root/test/schemas.py" out >err 2>&1 && grep -q '"outcome": "changes"' out && grep -q '"value": "37"' out &&
  [ "$(wc -l <tried.csv)" -ge 21 ] && grep -q '<svg' tried.html
check threshold-json $?
"$TARN" certify --quiet --report report.json -D WAIT=36 -D WRITE=37 "$model" kept/cell-36-query-1 >out 2>err &&
  python3 "$root/test/schemas.py" report.json >out 2>&1
check threshold-evidence $?
sweep --threshold WAIT=1..40 "$model"
[ $? -eq 2 ] && grep -q 'has no queries' err
check threshold-no-queries $?
cat >parity.xta <<'END'
const int K = 1;
process P() { state a, b; init a; trans a -> b { guard K / 300 % 2 == 1; }; }
system P;
END
sweep --threshold K=1..1000 -q 'E<> P.b' parity.xta &&
  [ "$(sed -n 's/^  \([0-9]* to [0-9]*: .*\)/\1/p' out)" = '1 to 299: not satisfied
300 to 599: satisfied
600 to 899: not satisfied
900 to 1000: satisfied' ]
check not-monotone $?
sweep --threshold K=1..1000 --monotone -q 'E<> P.b' parity.xta
[ $? -eq 2 ]
check monotone $?
# What is tried for one query shows a second change of another one.
cat >both.xta <<'END'
const int K = 3;
process P() { state a, b, c; init a; trans a -> b { guard K >= 50; }, a -> c { guard K == 50; }; }
system P;
END
sweep --threshold K=1..100 -q 'E<> P.c' -q 'E<> P.b' both.xta && grep -q 'it is not monotone' out && grep -q '50 to 50: satisfied' out &&
  grep -q 'it holds from K = 50 on' out
check change-between-probes $?
sweep --threshold K=1..100 --monotone -q 'E<> P.c' -q 'E<> P.b' both.xta
[ $? -eq 2 ]
check monotone-between-probes $?
# Evidence that cannot be written is an error; the verdicts that were found stay.
mkdir -p full/cell-49-query-1
sweep --threshold K=1..100 --evidence full -q 'A[] not P.b' both.xta
[ $? -eq 2 ] && grep -q 'the largest K for which it holds is 49' out && grep -q 'K = 49: satisfied; no evidence could be made: full/cell-49' out
check threshold-no-evidence $?
sweep --threshold K=1..100 --evidence both.xta -q 'E<> P.b' both.xta
[ $? -eq 2 ] && grep -q 'this folder cannot be made' err && ! [ -s out ]
check threshold-folder $?
sweep --threshold K=1..100 -q 'E<> P.none' both.xta
[ $? -eq 2 ] && grep -q 'K = 1: refused' out
check threshold-refused $?
exit $failed
