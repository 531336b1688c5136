#!/bin/sh
# The language server: every request from a client of our own and from one that is made of VS Code's parts
# (where npm can install them), random edits, and Neovim where it is installed: test/service.sh.
# TARN_EDITS=20000 makes that many edits with each client, of the corpus too.
set -u
cd "$(dirname "$0")/.." || exit 2
TARN=${TARN:-build/release/tarn}
shared=${TARN_SHARED:-../shared}
edits=${TARN_EDITS:-1000}
failed=0
files='models/train-gate.xta models/fischer.tck models/csma.q test/uppaal/template.xml'
if [ "$edits" -gt 1000 ] && [ -d "$shared/corpus" ]; then
  files="$files $(find "$shared/corpus" -size -60k \( -name '*.xml' -o -name '*.xta' -o -name '*.q' \) | sort)"
fi
# shellcheck disable=SC2086 # several files
timeout 3600 python3 test/lsp_client.py "$TARN" --edits "$edits" --seed "${TARN_SEED:-1}" $files || failed=1

# `tarn mcp`.
timeout 300 python3 test/mcp_client.py "$TARN" || failed=1

timeout 100 python3 test/messages.py "$TARN" 3 || failed=1

# `tarn watch`: the verdicts, what changes, and mistakes.
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cp models/lamp.xta models/lamp.q "$scratch"
"$TARN" watch "$scratch/lamp.xta" >"$scratch/out" 2>&1 &
watch=$!
# printed NAME WORDS: they come within ten seconds.
printed() {
  for _ in $(seq 100); do
    grep -q "$2" "$scratch/out" && echo "ok watch/$1" && return
    sleep 0.1
  done
  failed=1
  echo "FAIL watch/$1: $(cat "$scratch/out")"
}
printed 'the first time' 'queries, [1-9][0-9]* changed'
printf 'E<> false\n' >"$scratch/lamp.q"
printed 'other queries' 'E<> false: not satisfied'
printf 'E<> true\n' >"$scratch/lamp.q"
printed 'another answer' 'E<> true: satisfied'
printf 'Pr[<=10](<> P.b)\n' >"$scratch/lamp.q"
echo 'clock x; process P() { state a { x <= 5 }, b; init a; trans a -> b { guard x >= 2; }; } system P;' >"$scratch/lamp.xta"
printed 'an estimate' 'Pr\[<=10\](<> P.b): estimated'
echo 'clock' >"$scratch/lamp.xta"
printed 'a mistake' 'lamp.xta:2:1: expected'
kill "$watch"
wait "$watch" && echo 'ok watch/the end' || { failed=1; echo "FAIL watch/the end: exit status $?"; }

# A client made of the parts of VS Code's own.
corpus=
[ -d "$shared/corpus" ] && corpus=$(find "$shared/corpus" -size -60k \( -name '*.xml' -o -name '*.xta' -o -name '*.q' \) | sort)
if ! command -v npm >/dev/null; then
  echo 'skip service/Node: npm is not installed'
elif [ ! -d test/node/node_modules ] && ! (cd test/node && timeout 120 npm ci --no-audit --no-fund >/dev/null 2>&1); then
  echo 'skip service/Node: npm cannot install its packages'
else
  # shellcheck disable=SC2086 # several files
  timeout 3600 node test/node/lsp.mjs "$TARN" --edits "$edits" --seed "${TARN_SEED:-1}" models/*.xta models/*.tck models/*.q $corpus || failed=1
fi

if command -v nvim >/dev/null; then
  test/nvim.sh || failed=1
else
  echo 'skip service/Neovim: nvim is not installed'
fi
exit $failed
