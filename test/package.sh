#!/bin/sh
# The archive, the static binary and the Debian packages: made, looked at by lintian, installed into
# an empty root and used there. What needs dpkg-dev, lintian or root rights is skipped, visibly,
# where they are absent.
set -u
cd "$(dirname "$0")/.." || exit 2
project=$PWD
version=$(cat VERSION)
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

# check NAME COMMAND...: a test that passes if the command succeeds.
check() {
  name=package/$1
  shift
  if "$@" >"$scratch/output" 2>&1; then
    echo "ok $name"
  else
    echo "FAIL $name: $*"
    sed 's/^/    /' "$scratch/output" | head -20
    failed=1
  fi
}

# The archive has what the commit has, and make works in it.
if git rev-parse -q --verify HEAD >/dev/null 2>&1; then
  check dist make -s dist
  tar -xzf "build/tarn-$version.tar.gz" -C "$scratch"
  git ls-tree -r --name-only HEAD | sort >"$scratch/committed"
  (cd "$scratch/tarn-$version" && find . -type f -o -type l) | sed 's|^\./||' | sort >"$scratch/packed"
  check 'dist is complete' diff "$scratch/committed" "$scratch/packed"
  check 'dist has a Makefile' make -s -n -C "$scratch/tarn-$version" all
else
  echo 'skip package/dist: not a git repository'
fi

query='A[] !(P1.cs && P2.cs)'
if make -s static >"$scratch/output" 2>&1; then
  check 'static binary' sh -c "build/release/tarn-static check -q '$query' models/fischer.tck | grep ': satisfied'"
  check 'static binary, no libraries' sh -c '! ldd build/release/tarn-static 2>/dev/null | grep "=>"'
else
  echo "skip package/static: $(grep -m 1 -e 'cannot find' -e error "$scratch/output" || echo 'make static failed')"
fi

for tool in dpkg-deb dpkg-shlibdeps dpkg-gencontrol; do
  command -v $tool >/dev/null || {
    echo "skip package/deb: no $tool; tools/deps deb installs it"
    exit $failed
  }
done
check deb make -s deb
if command -v lintian >/dev/null; then
  check lintian lintian --allow-root --fail-on error,warning build/deb/*.deb
  check 'lintian says nothing' sh -c "! grep -q '^[EW]:' '$scratch/output'"
else
  echo 'skip package/lintian: no lintian'
fi

# An empty root: nothing but the packages, and the shared libraries of the system that they need.
root=$scratch/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/triggers"
: >"$root/var/lib/dpkg/status"
if [ "$(id -u)" != 0 ] || ! chroot / true 2>/dev/null; then
  echo 'skip package/clean root: needs root rights'
  exit $failed
fi
check install dpkg --root="$root" --force-depends --log=/dev/null -i build/deb/*.deb
libdir=$root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null)
for library in $(ldd "$root/usr/bin/tarn" "$libdir/libtarn.so.0" | grep -o '/[^ )]*' | sort -u); do
  case $library in "$root"* | *:) continue ;; esac
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
cp models/fischer.tck models/fischer-buggy.tck "$root/"
check version sh -c "chroot '$root' /usr/bin/tarn --version | grep -F '$version'"
check 'a proof' sh -c "chroot '$root' /usr/bin/tarn check -q '$query' /fischer.tck | grep ': satisfied'"
check 'a run, its page and its report' sh -c "chroot '$root' /usr/bin/tarn check -q '$query' \
  --html /page.html --junit /report.xml /fischer-buggy.tck | grep ': not satisfied'
  grep -q '</html>' '$root/page.html' && grep -q '<failure' '$root/report.xml'"
check manual sh -c "gzip -dc '$root/usr/share/man/man1/tarn.1.gz' | grep -q '^\.TH TARN'"
check completion bash -c "source '$root/usr/share/bash-completion/completions/tarn' && complete -p tarn"
check 'zsh completion' grep -q '^#compdef tarn' "$root/usr/share/zsh/vendor-completions/_tarn"

# A program against the development files.
sed -n '/^```c check.c$/,/^```$/p' doc/guide/library.md | sed '/^```/d' >"$scratch/example.c"
check compile gcc -I"$root/usr/include" "$scratch/example.c" -L"$libdir" -ltarn -o "$root/example"
check 'the program' sh -c "chroot '$root' /example /fischer.tck '$query' | grep ': satisfied'"
check 'pkg-config file' grep -q "^libdir=/usr/lib/" "$libdir/pkgconfig/tarn.pc"

# Python, from outside, but with the package and the library of the root only.
python=/usr/bin/python3
[ -x $python ] || python=python3
check python env -i PATH="$PATH" PYTHONDONTWRITEBYTECODE=1 TARN_LIBRARY="$libdir/libtarn.so.0" \
  PYTHONPATH="$root/usr/lib/python3/dist-packages" $python -c "
import tarn
assert tarn.__file__.startswith('$root') and tarn.library_path().startswith('$root')
assert tarn.load('$project/models/fischer.tck').check('$query')"

check remove dpkg --root="$root" --force-depends --log=/dev/null -P tarn libtarn0 libtarn-dev python3-tarn
check 'nothing is left' test -z "$(find "$root" -path '*/usr/*tarn*' -print -quit)"
exit $failed
