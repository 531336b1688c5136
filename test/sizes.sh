#!/bin/sh
# Checks the sizes that keep the tree readable: test/sizes.sh [ROOT]
#
# No file of src above 500 lines, no function above 60, no struct above 30 fields, no folder with
# more than 26 modules. The one exception is listed by name below.
# A function is what ends with a `}` in the first column, as clang-format writes it.
# Prints one line for each rule: `ok sizes/rule` or `FAIL sizes/rule: what breaks it`.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

# The interpreter is one loop over all instructions.
cat >"$scratch/allowed" <<'LIST'
functions src/expr/vm.c run_code
LIST

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
  awk -v rule="$rule" -v found="$scratch/found" '
    { allowed[$1 " " $2 " " $3] = 1 }
    END {
      while ((getline line <found) > 0) {
        split(line, word, " ")
        if (word[1] != rule) continue
        key = word[1] " " word[2] " " word[3]
        if (!(key in allowed))
          print "FAIL sizes/" rule ": " word[2] (word[3] == word[2] ? "" : " " word[3]) " has " word[4] " " word[5]
      }
    }' "$scratch/allowed" >"$scratch/bad"
  if [ -s "$scratch/bad" ]; then
    LC_ALL=C sort "$scratch/bad"
    failed=1
  else
    echo "ok sizes/$rule"
  fi
done
exit $failed
