#!/bin/sh
# Every header of src compiles alone; what serves HTTP also where libmicrohttpd is not installed.
set -u
cd "$(dirname "$0")/.." || exit 2
failed=0
for header in $(find src -name '*.h' | LC_ALL=C sort); do
  if message=$(gcc -std=c17 -Wall -Wextra -Isrc -isystem /usr/include/libxml2 -include "$header" -fsyntax-only -x c /dev/null 2>&1); then
    echo "ok headers/${header#src/}"
  else
    echo "FAIL headers/${header#src/}: does not compile alone"
    echo "$message" | sed 's/^/    /' | head -10
    failed=1
  fi
done
# As there, without warnings: with a header that finds no library.
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/command"
sed 's/__has_include(<microhttpd.h>)/0/' src/command/http_library.h >"$scratch/command/http_library.h"
for source in $(grep -l 'HAS_HTTP\|http_library.h' src/command/*.c); do
  if message=$(gcc -std=c17 -Wall -Wextra -Wpedantic -Werror -I"$scratch" -Isrc -DTARN_VERSION='""' -DTARN_LIBXML='""' \
    -fsyntax-only "$source" 2>&1); then
    echo "ok headers/without-http/${source#src/}"
  else
    echo "FAIL headers/without-http/${source#src/}: does not compile without libmicrohttpd"
    echo "$message" | sed 's/^/    /' | head -10
    failed=1
  fi
done
exit $failed
