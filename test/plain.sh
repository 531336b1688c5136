#!/bin/sh
# The reference build leaves out what only serves speed: test/plain.sh
#
# Modules whose headers begin with `// SPEED:` say what replaces them with MODE=plain. This runs
# build/plain/tarn on a small model in several ways, under callgrind, and looks which functions of
# these modules (in their .c) were called: none but those listed here, which do nothing then, only prepare, or
# are what replaces the rest. One line each, `ok name` or `FAIL name`.
set -u
cd "$(dirname "$0")/.." || exit 2
if ! command -v valgrind >/dev/null; then
  echo 'skip plain/speed: no valgrind; tools/deps bench installs it'
  exit 0
fi
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
allowed=' prefetch_stage prefetch_successors memo_init memo_release offsetstep_can probe_bytes probe_init
 probe_make probe_take probe_bounds probe_scan_covered probe_scan_covers find_covering find_covered
 probe_is_covered probe_covers test_covered test_covers is_covered is_covering covered_any covers_any
 is_inside closure_fails probe_is_true is_true copy_rows whole_entries image_entries has_kernel
 sift_walk sift_walk_next '
allowed=$(echo "$allowed" | tr '\n' ' ')
modules=$(grep -l '^// SPEED:' $(find src -name '*.h') | sed -e 's/.*\///' -e 's/\.h$//' | grep -v libxml | tr '\n' ' ')
build/plain/tarn gen fischer 4 >"$scratch/model.tck" || exit 2
failed=0
number=0
while IFS= read -r options; do
  number=$((number + 1))
  # shellcheck disable=SC2086 # separate words
  if ! valgrind --tool=callgrind --callgrind-out-file="$scratch/out" build/plain/tarn check $options \
    "$scratch/model.tck" >"$scratch/log" 2>&1; then
    echo "FAIL plain/speed-$number: $(tail -n 1 "$scratch/log")"
    failed=1
    continue
  fi
  callgrind_annotate --threshold=100 "$scratch/out" >"$scratch/functions"
  found=$(awk -v modules=" $modules" -v allowed="$allowed" '
    match($0, /[^ ]*\.c:[A-Za-z_0-9]+/) {
      split(substr($0, RSTART, RLENGTH), part, ":")
      name = part[1]
      sub(/.*\//, "", name)
      sub(/\.c$/, "", name)
      if (index(modules, " " name " ") && !index(allowed, " " part[2] " ")) printf " %s.%s", name, part[2]
    }' "$scratch/functions")
  if [ -z "$found" ]; then
    echo "ok plain/speed: $options"
  else
    echo "FAIL plain/speed: $options:$found"
    failed=1
  fi
done <<'END'
--engine zones -a alu -o bfs --symmetry off
--engine zones -a extra-lu+ -o dfs
--engine local
--engine zones --compact --symmetry off
--engine zones --threads 3 --symmetry off
--engine zones --bounds lazy
END
exit $failed
