#!/bin/sh
# Modes that share objects (Makefile, ORIGIN) do so rightly: test/switched.sh [BUILD]
#
# A source can see a switch only if its name is in the source or in a header that the compiler read for
# it, which the build has written down (BUILD/*.d, default build/debug). No such source is missing from
# what tools/switched lists. Two sources, one of each kind, are also compared as text for the compiler.
set -u
cd "$(dirname "$0")/.." || exit 2
build=${1:-build/debug}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
switches='TARN_PLAIN TARN_NO_CLONES TARN_LOWERED TARN_PLANTED TARN_MPI'

# shellcheck disable=SC2086 # separate words
tools/switched $switches | sort >"$scratch/switched"
find src test/unit -name '*.c' | sort >"$scratch/sources"
comm -23 "$scratch/sources" "$scratch/switched" >"$scratch/shared"
# Files that have a switch's name, and sources that the compiler reads one of them for.
grep -rlE "$(echo "$switches" | tr ' ' '|')" src test/unit --include='*.[ch]' >"$scratch/naming"
while read -r source; do
  echo "$source $build/${source%.c}.d"
done <"$scratch/sources" >"$scratch/lists"
missing=$(while read -r source list; do [ -f "$list" ] || echo "$source"; done <"$scratch/lists")
if [ -n "$missing" ]; then
  echo "FAIL switched: not built in $build: $(echo "$missing" | head -3 | tr '\n' ' ')"
  exit 1
fi
awk -v lists="$scratch/lists" -v naming="$scratch/naming" 'BEGIN {
  while ((getline path <naming) > 0) names[path] = 1
  while ((getline line <lists) > 0) {
    split(line, part, " ")
    sees = 0
    while ((getline text <part[2]) > 0) {
      n = split(text, file, " ")
      for (i = 1; i <= n; i++) if (file[i] in names) sees = 1
    }
    close(part[2])
    if (sees) print part[1]
  }
}' | sort >"$scratch/seeing"

# differs FILE: the compiler sees other text with all switches.
differs() {
  for defined in '' "$(for switch in $switches; do printf ' -D%s' "$switch"; done)"; do
    # shellcheck disable=SC2086
    gcc -E -std=c17 -Isrc $defined "$1" | cksum
  done | uniq | wc -l | grep -q 2
}
wrong=$(comm -23 "$scratch/seeing" "$scratch/switched")
if [ ! -s "$scratch/seeing" ] || [ ! -s "$scratch/shared" ]; then
  echo 'FAIL switched: no source is listed, or all are'
elif [ -n "$wrong" ]; then
  echo "FAIL switched: a source sees a switch and is not listed: $(echo "$wrong" | tr '\n' ' ')"
elif ! differs src/search/passed/store.c || differs src/base/arena.c; then
  echo 'FAIL switched: store.c should see a switch, and arena.c none'
else
  echo "ok switched: $(wc -l <"$scratch/shared") sources see no switch, $(wc -l <"$scratch/switched") do"
  exit 0
fi
exit 1
