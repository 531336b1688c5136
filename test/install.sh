#!/bin/sh
# Installs the release build into a temporary folder and uses it from outside: the files,
# the exported names, the pkg-config file, and the example of the guide against the shared
# and the static library.
set -u
cd "$(dirname "$0")/.." || exit 2
root=$PWD
version=$(cat VERSION)
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

# check NAME COMMAND...: a test that passes if the command succeeds.
check() {
  name=install/$1
  shift
  if "$@" >"$scratch/output" 2>&1; then
    echo "ok $name"
  else
    echo "FAIL $name: $*"
    sed 's/^/    /' "$scratch/output" | head -20
    failed=1
  fi
}

prefix=$scratch/prefix
check into-prefix make -s install PREFIX="$prefix"
check into-destdir make -s install PREFIX=/usr DESTDIR="$scratch/stage"
check same-files diff -r --exclude=tarn.pc "$prefix" "$scratch/stage/usr"
for file in bin/tarn lib/libtarn.a lib/libtarn.so "lib/libtarn.so.${version%%.*}" \
  "lib/libtarn.so.$version" include/tarn.h lib/pkgconfig/tarn.pc share/man/man1/tarn.1 \
  share/bash-completion/completions/tarn share/zsh/site-functions/_tarn; do
  check "$file" test -s "$prefix/$file"
done
check version sh -c "'$prefix/bin/tarn' --version | grep -F '$version'"
# These are loaded when they are needed (src/command/lazymath.c says why).
check late-libraries sh -c "! objdump -p '$prefix/bin/tarn' |
  grep -E 'NEEDED +lib(m|xml2|edit|microhttpd)[.]'"
for macro in MAJOR MINOR PATCH; do
  sed -n "s/^#define TARN_VERSION_$macro //p" "$prefix/include/tarn.h"
done | paste -sd. >"$scratch/macros"
check version-macros test "$(cat "$scratch/macros")" = "$version"
check citation grep -qx "version: $version" CITATION.cff
check man-page grep -q '^\.TH TARN 1' "$prefix/share/man/man1/tarn.1"

# Only tarn_* is exported.
foreign_names() { nm "$@" | awk 'NF == 3 { print $3 }' | sort -u | grep -v '^tarn_'; }
check exports-something \
  sh -c "nm -D --defined-only '$prefix/lib/libtarn.so' | grep ' T tarn_init$'"
for library in libtarn.so libtarn.a; do
  case $library in *.so) option=-D ;; *) option=-g ;; esac
  foreign=$(foreign_names $option --defined-only "$prefix/lib/$library" | tr '\n' ' ')
  check "$library exports only tarn_*" test -z "$foreign"
done

# The pkg-config file, read without pkg-config: its assignments are those of the shell.
flags() (
  eval "$(grep '^[a-z]*=' "$prefix/lib/pkgconfig/tarn.pc")"
  eval "echo $(sed -n "s/^$1: *//p" "$prefix/lib/pkgconfig/tarn.pc")"
)
check pc-version test "$(flags Version)" = "$version"
sed -n '/^```c check.c$/,/^```$/p' doc/guide/library.md | sed '/^```/d' >"$scratch/example.c"
check example-extracted test -s "$scratch/example.c"
compile="gcc -std=c17 -Wall -Wextra -Werror $(flags Cflags) $scratch/example.c"
# shellcheck disable=SC2046,SC2086 # flags are separate words
check example-shared $compile -o "$scratch/shared" $(flags Libs) -Wl,-rpath,"$prefix/lib"
# shellcheck disable=SC2046,SC2086
check example-static $compile -o "$scratch/static" "$prefix/lib/libtarn.a" $(flags Libs.private)
for kind in shared static; do
  example="'$scratch/$kind' '$root/models/MODEL' 'A[] !(P1.cs && P2.cs)'"
  check "example-$kind runs" \
    sh -c "$(echo "$example" | sed s/MODEL/fischer.tck/) | grep ': satisfied'"
  check "example-$kind finds the bug" \
    sh -c "$(echo "$example" | sed s/MODEL/fischer-buggy.tck/) | grep ': not satisfied'"
done

check uninstall make -s uninstall PREFIX="$prefix"
check nothing-left test -z "$(find "$prefix" ! -type d)"
exit $failed
