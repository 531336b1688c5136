#!/bin/sh
# Beginners' mistakes and what tarn says of them: test/mistakes.sh [--accept]
#
# test/mistakes/NAME.txt has a model that is right, up to the line `====`, and mistakes. Each is `# its name`, the words
# that it replaces (`-`) by others (`+`), and the messages (`!`). --accept writes the messages that there are now.
set -u
cd "$(dirname "$0")/.." || exit 2
TARN=${TARN:-build/release/tarn} exec python3 test/mistakes.py "$@"
