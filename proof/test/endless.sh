#!/bin/sh
# Random networks and certificates about their infinite runs and deadlocks: proof/test/endless.sh FIRST COUNT
#
# For each seed a network is made, with eight queries A<>, E[], -->, buchi: and A[] not deadlock, and options
# that the seed chooses. Where no run is as asked, tarn's certificate must be accepted by both
# checkers; a node may not show to the proved one that nothing is deadlocked, which it says. Without one of
# its successors, and with other changes, the two must agree. Where there is such a run, certificates
# that claim the opposite must be rejected by both: of all states, with modes and numbers, changed or not, and
# of another query. The last line is the sum. Files of what went wrong stay.
#
# With TIMED=1 the queries compare clocks; then certificates of some of them are said to be of others, too. Of a changed
# certificate whose claim is true the proved checker may accept more there: it sees that two tests of clocks exclude each other
# though the bounds of a node do not show it.
#
# With NON_ZENO=1 only runs count in which time diverges. Where there is none, but another run, certificates without the feature are lies.
set -u
cd "$(dirname "$0")/../.." || exit 2
first=$1 count=$2 each=${EACH:-12}
tarn=$(realpath "${TARN:-build/release/tarn}") proved=$(realpath "${PROVED:-build/proof/tarn-proved}") forge=$(realpath "${FORGE:-build/proof/forge}")
work=${WORK:-build/proof/endless} timed=${TIMED:-0} non_zeno=${NON_ZENO:-0}
mkdir -p "$work" && cd "$work" || exit 2
models=0 valid=0 refused=0 dropped=0 needless=0 changed=0 kept=0 lies=0 wrong=0 zeno=0

options() {
  [ "$non_zeno" = 0 ] || echo --non-zeno
  case $((seed % 9)) in
    0) echo --abstraction extra-m ;;
    1) echo --order bfs ;;
    2) echo --order bfs --abstraction extra-lu+ ;;
    3) echo --bounds global ;;
    4) echo --abstraction extra-m --order bfs ;;
    5) echo --bounds global --order bfs ;;
    6) echo --order tw --abstraction extra-m+ ;;
    *) ;;
  esac
}

# The text of query $1; 10 to 12 are true of every model and serve the forgeries.
query() {
  [ "$timed" = 0 ] || case $1 in
    1) text="A<> $p.$l || $x > $c" ;;
    2) text="E[] $x <= $c" ;;
    3) text="$p.$l --> $y >= $c" ;;
    4) text="E[] ($x < $c || $x > $d)" ;;
    5) text="$x >= 1 --> ($o.$k && $y < $d || $x > $d)" ;;
    6) text="A<> ($p.$l && $x >= $c or $o.$k && $y < $d)" ;;
    7) text="E[] (not $p.$l or $x <= $c or $y >= $d and $y != $((d + 1)))" ;;
    8) text="$p.$l --> ($x >= $c && $y <= $((c + 2)))" ;;
    9) text="A<> ($x == $c || $x > $d && $o.$k)" ;;
    *) timed=0; query "$1"; timed=1 ;;
  esac
  [ "$timed" = 0 ] || return 0
  case $1 in
    1) text="A<> $p.$l" ;;
    2) text="E[] not $p.$l" ;;
    3) text="$p.$l --> $o.$k" ;;
    4) text="buchi: $p.$l" ;;
    5) text="buchi: $p.$l && $o.$k, ${p}_$l" ;;
    6) text="A<> ($p.$l or $o.$k)" ;;
    7) text="E[] ($p.$l or $o.$k)" ;;
    8) text="not $p.$l --> ($p.$l or $o.$k)" ;;
    9) text='A[] not deadlock' ;;
    10) text='A[] true' ;;
    11) text='buchi: false' ;;
    12) text='false --> true' ;;
  esac
}

# Certificates that claim that there is no run of query $1, where there is one.
lie() {
  query "$1"
  base=c-$((10 + (seed + $1) % 3)).cert kind=3
  if [ "$timed$non_zeno" != 00 ] && ! { [ "$timed" = 0 ] && [ "$1" = 9 ]; }; then
    kind=$((4 + ${2:-$non_zeno}))
    for other in 1 2 3 4 5 6 7 8 9; do
      [ ! -f c-$other.cert ] || "$forge" $((seed * 9 + $1)) 4 c-$other.cert "l$1$other" $kind "$text"
    done
  elif [ "$1" = 9 ]; then
    base=c-10.cert kind=1
  fi
  [ ! -f $base ] || "$forge" $((seed * 9 + $1)) "$each" $base "l$1" $kind "$text"
}

# The numbers of the queries of which there is a run: A and --> that are not satisfied, others that are.
with_run() { awk 'NR < 10 && (/^A|-->/ ? /: not satisfied/ : /: satisfied/) { print NR }' "$1"; }

# What each checker says of the files, one by one: lines of what is wrong, and then the sums.
judge() {
  "$tarn" certify model.tck "$@" 2>/dev/null >by_tarn
  "$proved" model.tck "$@" 2>/dev/null >by_proved
  awk -v files="$*" -v timed=$((timed || non_zeno)) '
    FNR == 1 { file++; count = split(files, f, " ") }
    file == 1 { tarn[f[FNR]] = /certificate is accepted/ }
    file == 2 { proved[f[FNR]] = !/: rejected: /; unclear[f[FNR]] = /do not show to the proof/ }
    function complain(why) { wrong++; print "wrong: " why }
    END {
      for (i = 1; i <= count; i++) {
        name = f[i]; t = tarn[name]; p = proved[name]; u = unclear[name]
        split(name, part, "-")
        if (name ~ /^c/) {
          sub(/[.]cert/, "", part[2])
          if (!t) complain("tarn rejects a certificate of its own: " name)
          if (p) valid++
          else if (u) { refused++; skipped["m" part[2]] = 1 }
          else complain("the proved checker rejects a valid certificate: " name)
        } else if (name ~ /^l/) {
          if (t || p) complain("a false claim is accepted (tarn " t ", proved " p "): " name); else lies++
        } else if (!(part[1] in skipped)) {
          if (p != t && !(t && u) && !(timed && p)) complain("they disagree (tarn " t ", proved " p "): " name)
          if (part[2] ~ /^d/) { if (p || u) needless++; else dropped++ }
          else if (p || u) kept++
          else changed++
        }
      }
      print valid + 0, refused + 0, dropped + 0, needless + 0, changed + 0, kept + 0, lies + 0, wrong + 0
    }' by_tarn by_proved >judged
  grep wrong judged | sed "s/wrong/wrong: seed $seed/"
  ! grep -q wrong judged || cp model.tck "wrong-$seed.tck"
  read -r a b c d e f g h <<EOF
$(tail -n 1 judged)
EOF
  valid=$((valid + a)) refused=$((refused + b)) dropped=$((dropped + c)) needless=$((needless + d))
  changed=$((changed + e)) kept=$((kept + f)) lies=$((lies + g)) wrong=$((wrong + h))
}

for seed in $(seq "$first" $((first + count - 1))); do
  rm -f c-*.cert m*-* l*-*
  processes=$((1 + seed % 3))
  "$tarn" gen random seed="$seed" processes=$processes clocks=$((seed / 2 % 4)) locations=$((2 + seed / 3 % 3)) \
    edges=$((3 + seed / 4 % 4)) ints=$((seed / 5 % 3)) >model.tck || exit 1
  p=P$((seed / 3 % processes)) l=l$((seed / 5 % 3)) o=P$((seed / 7 % processes)) k=l$((seed / 11 % 3))
  x=x0 y=x$((seed / 2 % 4 > 1)) c=$((seed % 5)) d=$((seed % 5 + seed / 5 % 4))
  [ "$timed" = 0 ] || [ $((seed / 2 % 4)) != 0 ] || continue
  models=$((models + 1))
  set --
  for i in 1 2 3 4 5 6 7 8 9 10 11 12; do query $i; set -- "$@" -q "$text"; done
  timeout 20 "$tarn" check --quiet --symmetry off "$@" --certificate c.cert $(options) model.tck >answer 2>/dev/null
  [ $? != 124 ] || rm -f c-*.cert # half of one may be written
  for i in $(with_run answer); do lie "$i"; done
  # A run in which time does not diverge.
  if [ "$non_zeno" = 1 ]; then
    timeout 20 "$tarn" check --quiet --symmetry off --trace none "$@" model.tck >answer-all 2>/dev/null
    with_run answer >some
    for i in $(with_run answer-all); do
      if [ -f "c-$i.cert" ] && ! grep -qx "$i" some; then lie "$i" 0; zeno=$((zeno + 1)); fi
    done
  fi
  for i in 1 2 3 4 5 6 7 8 9; do [ ! -f c-$i.cert ] || "$forge" $((seed * 9 + i)) "$each" c-$i.cert m$i; done
  rm -f c-1[012].cert
  set -- c-*.cert m*-* l*-*
  found=
  for file; do [ ! -f "$file" ] || found="$found $file"; done
  # shellcheck disable=SC2086 # separate words
  [ -z "$found" ] || judge $found
done
echo "seeds $first to $((first + count - 1)): $models models, $valid certificates accepted by both, $refused do not show the proof that nothing is deadlocked; rejected by both:" \
  "$dropped without a successor ($needless were needless), $changed changed ($kept changed ones are valid), $lies false claims; $wrong wrong$([ "$non_zeno" = 0 ] || echo " ($zeno times there were only other runs)")"
[ $wrong = 0 ]
