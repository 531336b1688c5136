#!/bin/sh
# Sources that tools/switched does not list are the same text for the compiler with and without the
# switches of the modes that share objects (Makefile, ORIGIN), and there are such sources.
set -u
cd "$(dirname "$0")/.." || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
switches='TARN_PLAIN TARN_NO_CLONES TARN_LOWERED TARN_PLANTED TARN_MPI'

# text FLAGS... <FILES: what the compiler sees of them
text() {
  xargs gcc -E -std=c17 -Isrc -Itest/unit -isystem /usr/include/libxml2 -DTARN_VERSION='""' \
    -DTARN_LIBXML='""' -DTARN_LIBEDIT='""' "$@"
}

# shellcheck disable=SC2086 # separate words
tools/switched $switches | sort >"$scratch/switched"
find src test/unit -name '*.c' | sort | comm -23 - "$scratch/switched" >"$scratch/shared"
defined=$(for switch in $switches; do printf ' -D%s' "$switch"; done)
if [ ! -s "$scratch/switched" ] || [ ! -s "$scratch/shared" ]; then
  echo 'FAIL switched: no source is listed, or all are'
  exit 1
fi
# shellcheck disable=SC2086
if text <"$scratch/shared" >"$scratch/without" && text $defined <"$scratch/shared" >"$scratch/with" &&
  cmp -s "$scratch/without" "$scratch/with"; then
  echo "ok switched: $(wc -l <"$scratch/shared") sources see no switch, $(wc -l <"$scratch/switched") do"
else
  echo 'FAIL switched: a source sees a switch and is not listed'
  diff "$scratch/without" "$scratch/with" | head -20 | sed 's/^/    /'
  exit 1
fi
