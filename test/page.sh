#!/bin/sh
# The HTML page in a browser without a screen: test/page.sh [PICTURES]
#
# Opens pages of two runs in Chromium, presses keys, and looks at what the page then is. With a
# folder PICTURES it also takes the pictures that the README shows. Skipped, visibly, where there
# is no chromium.
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

# wanted NAME FILE PATTERN...: each pattern is in the file.
wanted() {
  name=page/$1
  file=$2
  shift 2
  for pattern; do
    grep -Eq -e "$pattern" "$file" && continue
    echo "FAIL $name: no \`$pattern\`"
    failed=1
    return
  done
  echo "ok $name"
}

"$TARN" check --quiet --html "$scratch/fischer.html" -l cs1,cs2 "$root/models/fischer-buggy.tck" \
  >"$scratch/text"
"$TARN" gen train-gate 3 >"$scratch/train.tck"
train='E<> Train2.restart && Train1.away && Train3.halted && waiting == 2 && x1 > 0'
"$TARN" check --quiet --json --trace concrete --prefer fastest -q "$train" "$scratch/train.tck" \
  >"$scratch/run.json"
"$TARN" show --trace "$scratch/run.json" --html "$scratch/train.html" "$scratch/train.tck"

wanted fischer "$scratch/fischer.html" '"verdict":"satisfied"' '"zones":' '</html>'
wanted train "$scratch/train.html" '"verdict":"satisfied"' '"zones":' '</html>'
if grep -v 'www.w3.org' "$scratch/fischer.html" | grep -Eq 'https?:|src=|<link|@import'; then
  echo 'FAIL page/self-contained: the page refers to something else'
  failed=1
else
  echo 'ok page/self-contained'
fi
if command -v dot >/dev/null; then
  wanted automata "$scratch/fischer.html" 'id="tarn(-|&#45;)location0"' 'id="tarn(-|&#45;)edge0"'
else
  echo 'skip page/automata: no dot'
  wanted 'automata without dot' "$scratch/fischer.html" 'Not drawn'
fi
if [ -z "$browser" ]; then
  echo 'skip page/browser: no chromium'
  exit $failed
fi

steps=$(grep -c '^ *[0-9][0-9]*  at ' "$scratch/text")
browse --dump-dom "file://$scratch/fischer.html" >"$scratch/start.dom"
wanted start "$scratch/start.dom" '<b id="step">0</b>' "<span id=\"last\">$steps</span>" \
  'class="bar"' 'id="cursor"' 'id="polygon"' 'class="now"'
browse --dump-dom "file://$scratch/fischer.html#ArrowRight,ArrowRight,End,ArrowLeft" \
  >"$scratch/keys.dom"
wanted keys "$scratch/keys.dom" "<b id=\"step\">$((steps - 1))</b>"
browse --dump-dom "file://$scratch/fischer.html#End,ArrowRight,Home,ArrowLeft,ArrowRight" \
  >"$scratch/ends.dom"
wanted ends "$scratch/ends.dom" '<b id="step">1</b>'
browse --dump-dom "file://$scratch/train.html#8" >"$scratch/train.dom"
wanted arrows "$scratch/train.dom" '<b id="step">8</b>' 'class="sync"' 'Gate: next → taken'
if command -v dot >/dev/null; then
  wanted way "$scratch/train.dom" 'class="node[^"]* here"' 'class="edge[^"]* taken firing"'
fi

if [ $# -gt 0 ]; then
  browse --window-size=1100,1180 --screenshot="$1/fischer.png" "file://$scratch/fischer.html#4"
  browse --window-size=1100,1180 --screenshot="$1/train-gate.png" "file://$scratch/train.html#8"
fi
exit $failed
