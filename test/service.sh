#!/bin/sh
# The language server: every request from a client of our own, random edits, and Neovim where it is
# installed: test/service.sh. TARN_EDITS=20000 makes that many edits, of the corpus too.
set -u
cd "$(dirname "$0")/.." || exit 2
TARN=${TARN:-build/release/tarn}
shared=${TARN_SHARED:-../shared}
edits=${TARN_EDITS:-2000}
failed=0
files='models/train-gate.xta models/fischer.tck models/csma.q test/uppaal/template.xml'
if [ "$edits" -gt 2000 ] && [ -d "$shared/corpus" ]; then
  files="$files $(find "$shared/corpus" -size -60k \( -name '*.xml' -o -name '*.xta' -o -name '*.q' \) | sort)"
fi
# shellcheck disable=SC2086 # several files
timeout 3600 python3 test/lsp_client.py "$TARN" --edits "$edits" --seed "${TARN_SEED:-1}" $files || failed=1

if command -v nvim >/dev/null; then
  test/nvim.sh || failed=1
else
  echo 'skip service/Neovim: nvim is not installed'
fi
exit $failed
