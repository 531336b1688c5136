#!/bin/sh
# Reports what is large: test/sizes.sh [ROOT]
#
# Files of src above 500 lines, functions above 60, structs above 30 fields, folders with more than
# 26 modules. This is advice: files follow meaning, and nothing fails.
# A function is what ends with a `}` in the first column, as clang-format writes it.
# Prints one line for each rule, with how many there are, and then these.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

find src -name '*.[ch]' | LC_ALL=C sort >"$scratch/files"
xargs awk '
  function fields(text, count) { # of one declaration: its commas outside brackets, and one
    gsub(/\([^()]*\)/, "", text)
    gsub(/\([^()]*\)/, "", text)
    gsub(/\[[^]]*\]/, "", text)
    return gsub(/,/, "", text) + 1
  }
  FNR == 1 { inside = 0; depth = 0 }
  { size[FILENAME] = FNR; line = $0; sub(/ *\/\/.*/, "", line) }
  !inside && /^[A-Za-z_]/ { start = FNR; head = line }
  !inside && line ~ /\{$/ && line !~ /^extern/ { inside = 1; is_struct = head ~ /^(typedef )?(struct|union)/ && head !~ /\(/; count = 0; declaration = ""; next }
  inside && /^}/ {
    inside = 0
    if ($0 == "}" && !is_struct && FNR - start + 1 > 60) {
      name = head
      sub(/\(.*/, "", name)
      sub(/.*[ *]/, "", name)
      print "functions", FILENAME, name, FNR - start + 1, "lines"
    }
    if (is_struct && count > 30) {
      name = head
      sub(/ *\{$/, "", name)
      sub(/.* /, "", name)
      print "structs", FILENAME, name, count, "fields"
    }
    next
  }
  inside && is_struct {
    declaration = declaration " " line
    if (line ~ /;$/ && line !~ /^ *}/) { count += fields(declaration); declaration = "" }
    else if (line ~ /\{$/) declaration = ""
    else if (line ~ /;$/) { count += fields(declaration); declaration = "" }
  }
  END { for (file in size) if (size[file] > 500) print "files", file, file, size[file], "lines" }
' <"$scratch/files" >"$scratch/found"
# A module is a name with or without .c and .h.
sed 's/\.[ch]$//' "$scratch/files" | sort -u | sed 's|/[^/]*$||' | sort | uniq -c |
  awk '$1 > 26 { print "folders", $2, $2, $1, "modules" }' >>"$scratch/found"

for rule in files functions structs folders; do
  echo "ok sizes/$rule: $(grep -c "^$rule " "$scratch/found") large"
  awk -v rule="$rule" '$1 == rule { print "  " $2 ($3 == $2 ? "" : " " $3) " has " $4 " " $5 }' \
    "$scratch/found" | LC_ALL=C sort
done
