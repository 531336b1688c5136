#!/bin/sh
# The HTML page in a browser without a screen: test/page.sh [PICTURES]
#
# Opens pages in Chromium, presses keys, and looks at what the page then is. With a folder PICTURES
# it also takes the pictures of the guide. Skipped, visibly, where there is no chromium.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
TARN=${TARN:-$root/build/release/tarn}
case $TARN in /*) ;; *) TARN=$PWD/$TARN ;; esac
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

browser=
for name in chromium chromium-browser google-chrome; do
  command -v $name >/dev/null && browser=$name && break
done
browse() {
  HOME=$scratch timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
    --user-data-dir="$scratch/profile" "$@" 2>/dev/null
}

# wanted NAME FILE PATTERN...: each pattern is in the file; `!PATTERN` is not.
wanted() {
  name=page/$1
  file=$2
  shift 2
  for pattern; do
    case $pattern in
      !*) grep -Eq -e "${pattern#!}" "$file" || continue ;;
      *) grep -Eq -e "$pattern" "$file" && continue ;;
    esac
    echo "FAIL $name: \`$pattern\`"
    failed=1
    return
  done
  echo "ok $name"
}

# page NAME MODEL ARGUMENTS of check...
page() {
  html=$scratch/$1.html
  model=$2
  shift 2
  "$TARN" check --quiet --html "$html" "$@" "$model" >"${html%.html}.text"
}

# random NAME MODEL STEPS: the page of a random run.
random() {
  "$TARN" simulate --steps "$3" --seed 3 --json "$2" >"$scratch/$1.json"
  "$TARN" show --trace "$scratch/$1.json" --html "$scratch/$1.html" "$2"
}

cat >"$scratch/lamp.tck" <<'END'
system:lamp
event:press
clock:1:x
process:Lamp
location:Lamp:off{initial:}
location:Lamp:low{}
location:Lamp:bright{}
edge:Lamp:off:low:press{do: x = 0}
edge:Lamp:low:bright:press{provided: x < 5}
edge:Lamp:bright:off:press{}
END
cat >"$scratch/open.xta" <<'END'
clock x;
int[0, 3] n;
process P() { state a, b; init a; trans a -> b { guard x >= 5; }, b -> b { guard x >= 20; assign n++; }; }
system P;
END
cat >"$scratch/count.xta" <<'END'
int[0, 70000] n;
int more[20];
clock x;
process P() { state a; init a; trans a -> a { guard x >= 1; assign n++, x = 0; }; }
process Q() { state a, b; init a; trans a -> b { guard n == 30000; }; }
system P, Q;
END
cat >"$scratch/placed.xml" <<'END'
<nta><declaration>chan go[3];</declaration>
<template><name>Car</name><parameter>const int[0,2] id</parameter><declaration>clock x;</declaration>
  <location id="id0" x="-100" y="-50"><name x="-140" y="-80">Wait</name><label kind="invariant" x="-150" y="-40">x &lt;= 9 - id</label></location>
  <location id="id1" x="100" y="-50"><name x="110" y="-80">Drive</name></location>
  <branchpoint id="id2" x="0" y="40"/>
  <init ref="id0"/>
  <transition><source ref="id0"/><target ref="id1"/><label kind="guard" x="-40" y="-90">x &gt;= id</label>
    <label kind="assignment" x="-40" y="-75">x = 0</label><nail x="-50" y="-60"/><nail x="50" y="-60"/></transition>
  <transition><source ref="id1"/><target ref="id2"/></transition>
  <transition><source ref="id2"/><target ref="id0"/></transition>
  <transition><source ref="id2"/><target ref="id1"/></transition>
</template>
<system>system Car;</system></nta>
END
"$TARN" gen train-gate 3 >"$scratch/train.tck"
"$TARN" gen train-gate 5 >"$scratch/trains.tck"
"$TARN" gen fischer 60 >"$scratch/fischer60.tck"
train='E<> Train2.restart && Train1.away && Train3.halted && waiting == 2 && x1 > 0'
page fischer "$root/models/fischer-buggy.tck" --prefer any -l cs1,cs2
page lamp "$scratch/lamp.tck" -q 'E<> Lamp.bright' -q 'A[] x < 20' -q 'A[] x < 30'
page open "$scratch/open.xta" -q 'E<> P.nowhere' -q 'A[] n >= 0' -q 'A[] P.b imply x < 9' 2>/dev/null
page placed "$scratch/placed.xml" -q 'E<> Car(1).Drive && Car(2).Drive'
page instances "$root/models/fischer.xta" -q 'E<> P1.cs && P2.A && P3.A'
page train "$scratch/train.tck" --prefer fastest -q "$train"
random long "$scratch/trains.tck" 5000
random many "$scratch/fischer60.tck" 60
"$TARN" show --trace "$root/test/run/loop.json" --html "$scratch/loop.html" "$root/test/run/loop.tck"

page count "$scratch/count.xta" --junit "$scratch/count.xml" -q 'A[] n < 65000 || Q.a' -q 'A[] n >= 0' 2>/dev/null

# Long runs: at most 4 MB, the whole run beside.
for file in count.html count.xml; do
  if [ "$(wc -c <"$scratch/$file")" -le 4194304 ]; then
    echo "ok page/size of $file"
  else
    echo "FAIL page/size of $file: $(wc -c <"$scratch/$file") bytes"
    failed=1
  fi
  "$TARN" certify "$scratch/count.xta" "$scratch/$file.run.json" 2>&1 | cut -c 1-200 >"$scratch/certified"
  wanted "whole run beside $file" "$scratch/certified" 'the run of 65001 steps is accepted'
done
if [ ! -e "$scratch/fischer.html.run.json" ]; then
  echo 'ok page/short run: nothing beside'
else
  echo 'FAIL page/short run: nothing beside'
  failed=1
fi
wanted 'no run in the text' "$scratch/count.text" 'a value is out of the range' '!after this run' '! at 1'
wanted report "$scratch/count.xml" '^\.\.\. [0-9]+ lines are left out here' '^ +1  at 1' '^ +65001  at ' \
  'error message="[^"]*its variable">' '</testsuites>'
wanted fischer "$scratch/fischer.html" '"verdict":"satisfied"' '"zones":' '"enabled":' '</html>'
wanted train "$scratch/train.html" '"verdict":"satisfied"' '"zones":' '</html>'
if grep -v 'www.w3.org' "$scratch/fischer.html" | grep -Eq 'https?:|src=|<link|@import'; then
  echo 'FAIL page/self-contained: the page refers to something else'
  failed=1
else
  echo 'ok page/self-contained'
fi
if command -v dot >/dev/null; then
  wanted automata "$scratch/fischer.html" 'id="tarn(-|&#45;)location0"' 'id="tarn(-|&#45;)edge0"' \
    'fill="#0b6e1d"[^>]*>x1' 'fill="#1c2fb0"[^>]*>x1 = 0' 'fill="#8b1a8b"'
else
  echo 'skip page/automata: no dot'
  wanted 'automata without dot' "$scratch/fischer.html" 'Not drawn'
fi
# UPPAAL's coordinates; one drawing for a template; the texts of the file.
wanted placed "$scratch/placed.html" '<ellipse cx="-100" cy="-50"' 'd="M[-0-9.,]+ L-50.0,-60.0 L50.0,-60.0 L' \
  'x="-150.0" y="-28.0">x &lt;= 9 - id<' '<g class="edge" id="tarn-edge0-3">' '>Car, 3 processes<' '!data-drawing="1"' \
  '"drawn":\[1,2\]'
# Pictures of statistical answers need no script.
page heater "$root/models/random/heater.xta"
wanted estimates "$scratch/heater.html" '<figcaption>When the goal is reached<' '<figcaption>Histogram<' \
  '<figcaption>How the estimate converged<' '<figcaption>Heater.On<' 'band: 95 %, all at once' '> run 2 ' '!courses'
if [ -z "$browser" ]; then
  echo 'skip page/browser: no chromium'
  exit $failed
fi

# look NAME PAGE HASH PATTERN...: opens PAGE#HASH and looks for the patterns.
look() {
  name=$1
  url="file://$scratch/$2.html#$3"
  shift 3
  browse --window-size=1300,1200 --dump-dom "$url" | sed -n '1,/<script/p' >"$scratch/dom"
  wanted "$name" "$scratch/dom" 'data-ready' "$@"
}

steps=$("$TARN" check --trace concrete --prefer any -l cs1,cs2 "$root/models/fischer-buggy.tck" |
  grep -c '^ *[0-9][0-9]*  at ')
look start fischer '' '<b id="step">0</b>' "<span id=\"last\">$steps</span>" \
  'class="bar"' 'id="cursor"' 'id="polygon"' 'class="row now" data-step="0"|class="row now"' \
  'class="widened"' 'Enabled in this state'
look keys fischer ArrowRight,ArrowRight,End,ArrowLeft "<b id=\"step\">$((steps - 1))</b>"
look ends fischer End,ArrowRight,Home,ArrowLeft,ArrowRight '<b id="step">1</b>'
look sequence train axis=sequence,ArrowRight 'class="message"' 'class="step now" data-step="1"' '>Gate<title>'
look arrows train 8 '<b id="step">8</b>' 'class="sync"' 'Gate: next → taken' 'class="guard"'
if command -v dot >/dev/null; then
  look way train 8 'class="node[^"]* here|class="node[^"]*visited here' \
    'class="edge[^"]* taken firing'
fi
look 'all instances' placed End 'class="who"[^>]*>0<' 'class="who"[^>]*>1, 2<' 'class="node here' 'tarn-edge0-0" class="edge taken firing|class="edge taken firing" id="tarn-edge0-0"'
if command -v dot >/dev/null; then
  look 'all instances, laid out' instances End 'class="who"[^>]*>P1<' 'class="who"[^>]*>P2, P3<' 'P, 3 processes' 'x &gt; k &amp;&amp; id == pid'
fi
# The first query that failed; its last instant; a run that takes no time is shown by steps.
look 'the query that failed' lamp '' '<h1 id="title">lamp: A\[\] x &lt; 20'
look 'the last instant' lamp End 'The end at time 20' 'At 20: it does not hold' ', the end<'
look 'no time' lamp answer=1,1 'class="axis-name"[^>]*>step<' '>low</text>' '>bright</text>'
look plan lamp '' '<p id="plan" class="soft">engine zones: ' '<td>1</td><td>search</td><td>found: this decides</td><td>seconds ' '<tr class="skipped"><td>2</td>.*<td>not run</td>'
look 'no plan' many '' 'id="planned" style="display: none;"'
look 'no run' lamp answer=3 'A\[\] x &lt; 30'
# The first that failed has no run: the page opens at the one that has. Its zone goes on beyond the
# drawing, which holds the last instant.
look 'a query that failed with a run' open '' '<h1 id="title">open: A\[\] P.b imply x &lt; 9' '<pre id="reason"></pre>'
look 'an unbounded zone' open End 'The end at time 9' 'class="tick-name"[^>]*>10</text>' 'class="point"' \
  'points="[0-9.]*,14 644,14 '
look 'an error at run time' open answer=2 'refused \([^<]*its variable\)</td>' '<pre id="reason">[^<]' '^after this run'
look search fischer find=cs '4 steps' 'class="mark"' 'class="row found'
look title many '' '<h1 id="title">Random run of fischer_60_10'
look 'idle rows' many '' '<span id="idle-count">\(31\)' '!class="row-name"[^>]*>P4<'
look 'idle rows, shown' many idle=yes 'class="row-name"[^>]*>P4<'
look loop loop End,ArrowRight 'class="looped"' 'repeats for ever' 'round 2' '<b id="step">4</b>'
look dark fischer dark 'class="dark"'
look 'long run' long '' '<span id="last">5000</span>' 'id="window" style="left: 0px; width: [1-9]'
look 'long run, a step' long 4000 '<b id="step">4000</b>' 'data-step="4000"'
ready=$(sed -n 's/.*data-ready="\([0-9]*\)".*/\1/p' "$scratch/dom" | head -n 1)
if [ "${ready:-9999}" -lt 2000 ]; then
  echo 'ok page/long run, in two seconds'
else
  echo "FAIL page/long run, in two seconds: ready after ${ready:-?} ms"
  failed=1
fi

look 'left out' count '' '<span id="last">65001</span>' 'left out here: count.html.run.json has the whole run' \
  'a run of 65001 steps'
look 'left out, a step behind' count 64999 '<b id="step">64999</b>' '<h2>Step 64999 at time 64998</h2>' 'class="row now"'
look 'left out, an error' count answer=2 '^... [0-9]+ lines are left out here'

# picture NAME PAGE HASH WIDTH HEIGHT
picture() {
  browse --window-size="$4,$5" --screenshot="$pictures/$1.png" "file://$scratch/$2.html#$3"
}
if [ $# -gt 0 ]; then
  pictures=$1
  sed -n '/^```tck gate.tck$/,/^```$/p' "$root/doc/guide/tutorial.md" | sed '/^```/d' >"$scratch/gate.tck"
  page gate "$scratch/gate.tck" -q 'A[] Train.on imply Barrier.down'
  picture tutorial gate 2 1100 700
  picture fischer fischer 4 1100 1250
  picture train-gate train 8 1100 1250
  picture no-time lamp answer=1,1 1100 650
  picture long long 2000,find=stop 1100 780
  picture many-processes many 20 1100 900
  picture loop loop 4 1100 900
  picture dark fischer 4,dark 1100 800
  picture narrow fischer 4 420 1000
fi
exit $failed
