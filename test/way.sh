#!/usr/bin/env bash
# The way from `main` to the first node that is expanded: test/way.sh [--print]
#
# Builds with -finstrument-functions and runs `tarn check models/fischer.xta`. Counts the functions
# on the stack at the first expansion, and those that they called before in other files; base and
# model/expr do not count. There are at most 40 in 20 files, and doc/architecture.md lists them.
cd "$(dirname "$0")/.." || exit 2
build=build/way
expansion='next semantics/zone/engine.c' # where a node gets its successors
max_functions=40 max_files=20
hidden=-finstrument-functions-exclude-file-list=src/base/,src/model/expr/
mkdir -p $build
${CC:-gcc} -c test/way.c -o $build/way.o &&
  make -s -j"$(nproc)" MODE=debug BUILD=$build CFLAGS="-O0 -g1 -w -finstrument-functions $hidden" \
    LDFLAGS="-no-pie $PWD/$build/way.o" $build/tarn || { echo 'FAIL way: does not build'; exit 1; }

# Reads addresses, prints `ADDRESS function file` for each.
names() {
  sort -u >$build/addresses
  addr2line -f -e $build/tarn <$build/addresses | sed 's|.*/src/||; s|:.*||' | paste -d' ' - - |
    paste -d' ' $build/addresses -
}
target=$(nm $build/tarn | awk -v name="${expansion% *}" '$3 == name { print $1 }' | names |
  awk -v wanted="$expansion" '$2 " " $3 == wanted { print $1 }')
WAY_TARGET=$target $build/tarn check models/fischer.xta >$build/calls
awk '{ print $2; print $3 }' $build/calls | grep . | names >$build/names
# FILE, the functions on the stack; the others.
way=$(awk '
  FILENAME ~ /names$/ { name[$1] = $2; file[$1] = $3; next }
  $1 == "S" { on[$2] = 1; add($2); next }
  on[$2] && file[$2] != file[$3] { add($3) }
  function add(a) {
    if (a in seen) return
    seen[a] = 1
    if (!(file[a] in first)) { first[file[a]] = 1; files[++count] = file[a] }
    if (on[a]) stack[file[a]] = stack[file[a]] (stack[file[a]] ? ", " : "") name[a]
    else other[file[a]] = other[file[a]] (other[file[a]] ? ", " : "") name[a]
  }
  END {
    for (i = 1; i <= count; i++) {
      f = files[i]
      printf "%-25s %s%s\n", f, stack[f], (other[f] ? "; " other[f] : "")
    }
  }' $build/names $build/calls)
# Lines of at most 100 columns, as in the document.
folded=$(echo "$way" | awk '{
  while (length($0) > 100) {
    cut = 100
    while (substr($0, cut, 1) != " ") cut--
    print substr($0, 1, cut - 1)
    $0 = sprintf("%-28s%s", "", substr($0, cut + 1))
  }
  print
}')
if [ "$1" = --print ]; then
  echo "$folded"
  exit
fi
functions=$(echo "$way" | sed 's/^[^ ]*//' | grep -oE '[a-z_0-9]+' | wc -l)
files=$(echo "$way" | wc -l)
failed=0
if [ "$functions" -le $max_functions ] && [ "$files" -le $max_files ] && [ "$functions" -gt 10 ]; then
  echo "ok way/length"
else
  echo "FAIL way/length: $functions functions in $files files, at most $max_functions in $max_files"
  failed=1
fi
if diff <(sed -n '/^```way$/,/^```$/p' doc/architecture.md | sed '1d;$d') <(echo "$folded") >$build/diff; then
  echo "ok way/list"
else
  echo 'FAIL way/list: doc/architecture.md differs; test/way.sh --print prints the list'
  sed 's/^/    /' $build/diff
  failed=1
fi
exit $failed
