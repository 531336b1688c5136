#!/bin/sh
# Checks that the folders of src are the graph that doc/architecture.md draws: test/layers.sh [ROOT]
#
# The block ```folders there lists for each folder those whose files it may include, besides its own.
# The files of src itself include everything, but main.c and command include tarn.h and command
# only. model, check and search never include dbm, nor by way of others; the .c files of
# search/space may. The modules (x.h and x.c together) must not depend on each other in a circle; a
# header without a .c counts as part of whatever includes it. File names are unique in the tree.
# Prints one line for each rule: `ok layers/rule` or `FAIL layers/rule: what breaks it`.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

# result RULE: fails if there is anything in the file of that name.
result() {
  if [ -s "$scratch/$1" ]; then
    failed=1
    while IFS= read -r line; do echo "FAIL layers/$1: $line"; done <"$scratch/$1"
  else
    echo "ok layers/$1"
  fi
}

find src -name '*.[ch]' | LC_ALL=C sort >"$scratch/files"
if [ ! -s "$scratch/files" ]; then
  echo "FAIL layers/files: no sources below $PWD/src"
  exit 1
fi

# Each line: file:line "included".
xargs grep -n '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' /dev/null <"$scratch/files" |
  sed 's/^\([^:]*:[0-9]*\):[^"]*"\([^"]*\)".*/\1 \2/' >"$scratch/includes"

# Finds what breaks each rule, and writes the dependencies between modules.
awk -v out="$scratch/" '
  function folder(path) { return path ~ /\// ? substr(path, 1, index(path, "/") - 1) : "" }
  function may_see_dbm(path) { return path ~ /^search\/space\/[a-z]*\.c$/ }
  function is_allowed(from, to) {
    return from == to || from == "" || (from, to) in allowed
  }
  FILENAME ~ /architecture.md$/ {
    if (/^```/) inside = /^```folders/
    else if (inside) {
      name = $1
      sub(/:$/, "", name)
      known[name] = 1
      for (i = 2; i <= NF; i++) allowed[name, $i] = 1
    }
    next
  }
  function stem(path) { sub(/\.[ch]$/, "", path); return path }
  FILENAME ~ /files$/ {
    path = substr($1, 5)
    exists[path] = 1
    if ((folder(path) != "" && !(folder(path) in known)) || split(path, parts, "/") > 3) print $1 " is in no folder of doc/architecture.md" >(out "folders")
    name = stem(path)
    sub(/.*\//, "", name)
    if (name in where && where[name] != stem(path))
      print $1 " has the name of src/" where[name] >(out "names")
    where[name] = stem(path)
    next
  }
  {
    from = substr($1, 5)
    sub(/:[0-9]+$/, "", from)
    to = $2
    text = $1 " includes " to
    if (!(to in exists)) print text ", which is no file below src" >(out "paths")
    else if (!is_allowed(folder(from), folder(to)) && !may_see_dbm(from) && !(to == "tarn.h" && folder(from) == "command")) print text ", which the graph does not allow" >(out "order")
    if (from ~ /^(main\.c|command\/.*)$/ && to !~ /^(tarn\.h|command\/.*)$/) print text >(out "command")
    print from, to >(out "edges")
    includes[from] = includes[from] " " to
  }
  # Writes that `module` depends on the modules of what `file` includes.
  function depend(module, file, seen, count, list, i, to) {
    count = split(includes[file], list, " ")
    for (i = 1; i <= count; i++) {
      to = list[i]
      if (stem(to) == module || index(seen, " " to " ")) continue
      if ((stem(to) ".c") in exists) print module, stem(to) >(out "edges")
      else depend(module, to, seen to " ")
    }
  }
  # Writes what of dbm `start` includes by way of `file`, which is another one.
  function find_dbm(start, file, count, list, i, to) {
    count = split(includes[file], list, " ")
    for (i = 1; i <= count; i++) {
      to = list[i]
      if ((start, to) in visited) continue
      visited[start, to] = 1
      if (folder(to) != "dbm") find_dbm(start, to)
      else if (file != start) print "src/" start " includes " to " by way of " file >(out "no-dbm")
    }
  }
  END {
    for (file in exists) {
      if ((stem(file) ".c") in exists) depend(stem(file), file, " ")
      if (folder(file) ~ /^(model|check|search)$/ && !may_see_dbm(file)) find_dbm(file, file)
    }
  }
' doc/architecture.md "$scratch/files" "$scratch/includes"

if [ -s "$scratch/edges" ]; then
  # tsort names the members of each circle on stderr, below a line that ends in "loop:".
  tsort "$scratch/edges" 2>&1 >/dev/null | awk '
    /loop:$/ { if (circle) print circle; circle = ""; next }
    { sub(/^tsort: /, ""); circle = circle (circle ? " -> " : "") $0 }
    END { if (circle) print circle }' >"$scratch/circles"
fi

for rule in folders names paths order no-dbm command circles; do result "$rule"; done
exit $failed
