#!/bin/sh
# Checks the checker: test/layers.sh must accept a small sound tree and find each fault put
# into a copy of it.
set -u
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

# include FILE HEADER...: makes the file, with these includes.
include() {
  file=$scratch/src/$1
  shift
  mkdir -p "$(dirname "$file")"
  for header; do echo "#include \"$header\""; done >"$file"
}

sound() {
  rm -rf "$scratch/src" "$scratch/doc"
  mkdir "$scratch/doc"
  cp "$here/../doc/architecture.md" "$scratch/doc"
  include base/mem.h
  include base/mem.c base/mem.h
  include dbm/dbm.h base/mem.h
  include model/net.h base/mem.h
  include check/replay.c model/net.h
  include search/space/space.h model/net.h
  include search/space/needs.c dbm/dbm.h
  include search/reach.c search/space/space.h
  include output/text2.c search/space/space.h
  include tarn.h
  include tarn.c tarn.h search/space/space.h
  include command/command.h tarn.h
  include main.c tarn.h command/command.h
}

# expect RULES: these, and no other, are found broken ("none": all are kept).
expect() {
  found=$("$here/layers.sh" "$scratch" | sed -n 's|^FAIL layers/\([^:]*\):.*|\1|p' |
    sort -u | tr '\n' ' ')
  wanted="$1 "
  [ "$1" = none ] && wanted=
  if [ "$found" = "$wanted" ]; then
    echo "ok layers-self/$1"
  else
    echo "FAIL layers-self/$1: found '$found'"
    failed=1
  fi
}

sound && expect none
sound && include base/vec.h search/space/space.h && expect order
sound && include search/option.h tarn.h && expect order
sound && include model/expr/code.c base/mem.h dbm/dbm.h && expect order
sound && include check/certify.c dbm/dbm.h && expect order
sound && include search/reach.c dbm/dbm.h && expect order
sound && include search/space/space.h dbm/dbm.h && include search/reach.c search/space/space.h && expect "no-dbm order"
sound && include main.c tarn.h base/mem.h && expect command
sound && include command/command.c tarn.h base/mem.h && expect "command order"
sound && include base/vec.c mem.h && expect paths
sound && include base/vec.c base/../base/mem.h && expect paths
sound && include semantics/zone/mem.c && expect names
sound && include tools/mem2.c && expect folders
sound && include search/a.h && include search/a.c search/a.h search/b.h &&
  include search/b.h && include search/b.c search/c.h && include search/c.h search/a.h &&
  expect circles
sound && include search/a.h search/b.h && include search/b.h search/a.h && expect circles
sound && include search/a.h && include search/a.c search/a.h search/inside.h &&
  include search/inside.h search/a.h search/b.h && include search/b.h && expect none
include search/b.c search/b.h search/a.h && expect circles
exit $failed
