#!/bin/sh
# The tests of the Python package, with the release build's shared library: test/python.sh
#
# Uses the first python3 that has pytest: $PYTHON, the one in the PATH, Debian's. Skipped, visibly,
# where there is none. The annotations are checked where there is mypy.
set -u
cd "$(dirname "$0")/.." || exit 2
export PYTHONPATH="$PWD/python" PYTHONDONTWRITEBYTECODE=1
export TARN_LIBRARY="${TARN_LIBRARY:-$PWD/build/release/libtarn.so}"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

python=
for candidate in "${PYTHON:-python3}" python3 /usr/bin/python3; do
  "$candidate" -c 'import pytest, sys; assert sys.version_info >= (3, 10)' 2>/dev/null &&
    python=$candidate && break
done
if [ -z "$python" ]; then
  echo 'skip python: no python3 (3.10 or later) with pytest; tools/deps python installs it'
  exit 0
fi

"$python" -m pytest -q -rA -p no:cacheprovider python/tests >"$scratch/log" 2>&1
status=$?
sed -n -e 's/^PASSED .*::\([^ ]*\).*/ok python\/\1/p' \
  -e 's/^\(FAILED\|ERROR\) .*::\([^ ]*\) - \(.*\)/FAIL python\/\2: \3/p' \
  -e 's/^\(FAILED\|ERROR\) .*::\([^ ]*\)$/FAIL python\/\2: see below/p' \
  -e 's/^SKIPPED \(.*\)/skip python: \1/p' "$scratch/log"
if [ $status != 0 ]; then
  grep -q '^\(FAILED\|ERROR\) ' "$scratch/log" || echo "FAIL python: pytest ended with $status"
  sed 's/^/    /' "$scratch/log" | head -60
fi
if "$python" -c 'import mypy' 2>/dev/null; then
  if (cd python && "$python" -m mypy --strict --cache-dir="$scratch/mypy" tarn) >"$scratch/mypy.log" 2>&1; then
    echo 'ok python/types'
  else
    echo 'FAIL python/types: mypy'
    sed 's/^/    /' "$scratch/mypy.log"
    status=1
  fi
else
  echo 'skip python/types: no mypy'
fi

# Two threads use one model, 200 times, under the sanitizers, where these builds are.
cat >"$scratch/threads.py" <<'END'
import threading, tarn

text = tarn.generate("fischer", 4)

def ask():
    result = model.check("A[] !(P1.cs && P2.cs)", engine="zones", symmetry="off")
    good.append(bool(result) and "system:" in model.text)

for _ in range(200):
    model, good = tarn.loads(text), []
    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert good == [True, True], good
END
for mode in asan tsan; do
  if [ ! -e build/$mode/libtarn.so ]; then
    echo "skip python/threads, $mode: no build/$mode/libtarn.so"
  elif LD_PRELOAD=$(gcc -print-file-name=lib$mode.so) ASAN_OPTIONS=detect_leaks=0 \
    TARN_LIBRARY=build/$mode/libtarn.so "$python" "$scratch/threads.py" >"$scratch/log" 2>&1; then
    echo "ok python/threads, $mode"
  else
    echo "FAIL python/threads, $mode"
    sed 's/^/    /' "$scratch/log" | head -60
    status=1
  fi
done

# The wheel, installed into an empty folder and used from outside the tree. What it needs besides is
# glibc, not newer than its name says.
if /usr/bin/env -u TARN_LIBRARY -u PYTHONPATH tools/wheel >"$scratch/wheel" 2>&1; then
  model=$PWD/models/fischer.tck
  if "$python" -m pip install --quiet --no-index --no-deps --target "$scratch/site" "$PWD/$(cat "$scratch/wheel")" \
    >"$scratch/log" 2>&1 && (cd "$scratch" && env -u TARN_LIBRARY PYTHONPATH="$scratch/site" "$python" -c '
import sys, tarn
assert tarn.__file__.startswith(sys.argv[2])
assert tarn.load(sys.argv[1]).check("A[] !(P1.cs && P2.cs)")' "$model" "$scratch/site") >>"$scratch/log" 2>&1; then
    echo 'ok python/wheel'
    if [ "$(PYTHONPATH=$scratch/site "$scratch/site/bin/tarn" --version 2>&1)" = "$(build/release/tarn --version)" ] &&
      "$python" - "$scratch/site/tarn" "$(cat "$scratch/wheel")" >"$scratch/log" 2>&1 <<'END'
import pathlib, re, subprocess, sys
folder, wheel = pathlib.Path(sys.argv[1]), sys.argv[2]
files = [f for f in folder.rglob("*") if f.is_file() and f.read_bytes()[:4] == b"\x7fELF"]
inside = {f.name for f in files}
glibc = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1"}
versions = set()
for file in files:
    head = subprocess.run(["objdump", "-p", file], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"NEEDED +(\S+)", head))
    outside = {n for n in needed - inside - glibc if not n.startswith("ld-linux")}
    assert not outside, (file, outside)
    symbols = subprocess.run(["objdump", "-T", file], capture_output=True, text=True, check=True).stdout
    versions |= {tuple(map(int, v)) for v in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols)}
tag = tuple(map(int, re.search(r"manylinux_(\d+)_(\d+)_", wheel).groups()))
assert tag == max(versions), (tag, max(versions))
assert {"tarn", "libtarn.so.0", "libjansson.so.4", "libxml2.so.2"} <= inside, inside
END
    then
      echo 'ok python/wheel-libraries'
    else
      echo 'FAIL python/wheel-libraries'
      sed 's/^/    /' "$scratch/log"
      status=1
    fi
  else
    echo 'FAIL python/wheel: it cannot be used'
    sed 's/^/    /' "$scratch/log"
    status=1
  fi
elif grep -q 'tools/deps python installs it' "$scratch/wheel"; then
  echo 'skip python/wheel: no patchelf, or no python3 with pip, setuptools and wheel'
else
  echo 'FAIL python/wheel: it cannot be made'
  sed 's/^/    /' "$scratch/wheel"
  status=1
fi
exit $status
