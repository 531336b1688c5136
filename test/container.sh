#!/bin/sh
# The container file and the wheel, in a clean Debian: test/container.sh
#
# Makes a root with mmdebstrap, runs the commands of packaging/Containerfile in it, then the entry
# point on models; installs the wheel with pip in the same root and uses it. Skipped, visibly,
# where there is no mmdebstrap, no network, or no right to make a root and a namespace of mounts.
set -u
cd "$(dirname "$0")/.." || exit 2
skip() {
  echo "skip container: $1"
  exit 0
}
command -v mmdebstrap >/dev/null || skip 'no mmdebstrap; tools/deps python installs it'
[ "$(id -u)" = 0 ] && unshare --mount true 2>/dev/null || skip 'only root can make a root'
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
root=$scratch/root
failed=0

check() { # NAME: the condition before it
  if [ "$2" -eq 0 ]; then echo "ok container/$1"; else
    echo "FAIL container/$1"
    tail -n 20 "$scratch/log" | sed 's/^/    /'
    failed=1
  fi
}

# Where the image's Debian comes from: the mirror of this machine, if it has that.
release=$(sed -n 's/^FROM debian:\([a-z]*\).*/\1/p' packaging/Containerfile)
timeout 300 mmdebstrap --quiet --variant=apt --dpkgopt=force-unsafe-io "$release" "$root" >"$scratch/log" 2>&1 ||
  skip "mmdebstrap makes no root here: $(tail -n 1 "$scratch/log")"

# The packages: those that are built, or new ones.
context=$scratch/context
mkdir "$context"
# Other tests make packages at the same time, in their own folders.
export DEB_OUT=build/container/deb WHEEL_OUT=build/container/wheel
mkdir -p build/container
tools/deb >"$scratch/log" 2>&1 || skip "tools/deb makes no packages: $(tail -n 1 "$scratch/log")"
cp "$DEB_OUT"/*.deb "$context"

# The commands of the container file, one after the other.
python3 - "$context" "$root" >"$scratch/log" 2>&1 <<'END'
import glob, json, os, re, shutil, subprocess, sys
context, root = sys.argv[1:]
text = open("packaging/Containerfile").read()
lines = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.M)).splitlines()
variables, folder, entry = {"DEBIAN_FRONTEND": "noninteractive"}, "/", None
for line in filter(None, map(str.strip, lines)):
    word, rest = line.split(None, 1)
    print("+", line, flush=True)
    if word == "ARG" or word == "ENV":
        name, _, value = rest.partition("=")
        variables[name] = value
    elif word == "COPY":
        *sources, target = rest.split()
        os.makedirs(root + target, exist_ok=True)
        for source in sources:
            found = glob.glob(os.path.join(context, source))
            assert found, f"nothing is {source}"
            for path in found:
                shutil.copy(path, root + target)
    elif word == "RUN":
        subprocess.run(["chroot", root, "/bin/sh", "-ec", rest], check=True, stdin=subprocess.DEVNULL,
                       env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", **variables})
    elif word == "WORKDIR":
        folder = rest
        os.makedirs(root + folder, exist_ok=True)
    elif word == "ENTRYPOINT":
        entry = json.loads(rest)
    else:
        assert word == "FROM", word
open(os.path.join(context, "entry"), "w").write(" ".join(entry) + " " + folder)
END
check file $?
read -r entry folder <"$context/entry" || folder=/work entry=tarn
cp -r models "$root$folder"
# A command in the root, with /proc, which goes with the command.
within() { unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$root" "$@" >"$scratch/log" 2>&1; }
# The entry point, in the folder that a user mounts.
run() { within /bin/sh -c "cd $folder && exec $entry \"\$@\"" sh "$@"; }
run check models/fischer.tck
check check $?
build/release/tarn convert --to xml models/lamp.xta >"$root$folder/lamp.xml" 2>"$scratch/log" &&
  run check --junit report.xml -q 'E<> Lamp.bright' lamp.xml && grep -q '<testsuite' "$root$folder/report.xml"
check xml $?
run check --quiet -q 'E<> Lamp.bright && Lamp.off' lamp.xml
[ $? -eq 1 ]
check status $?

# The wheel needs nothing but Python and glibc.
if tools/wheel >"$scratch/wheel" 2>"$scratch/log"; then
  wheel=$(cat "$scratch/wheel")
  cp "$wheel" "$root/tmp"
  within /bin/sh -ec "apt-get update -q && apt-get purge -y -q tarn && apt-get autoremove -y -q
    apt-get install -y -q --no-install-recommends python3-pip
    ! ls /usr/lib/*/libxml2.so.2 /usr/lib/*/libjansson.so.4
    pip install --no-index --break-system-packages /tmp/$(basename "$wheel")"
  check wheel-installed $?
  entry=tarn
  run check models/fischer.tck && run check -q 'E<> Lamp.bright' lamp.xml
  check wheel-command $?
  # Encodings that libxml2 knows, and those that it leaves to iconv and ICU.
  for encoding in UTF-16 ISO-8859-1 WINDOWS-1252 SHIFT_JIS; do
    sed "1s/encoding=\"[^\"]*\"/encoding=\"$encoding\"/" "$root$folder/lamp.xml" |
      iconv -f UTF-8 -t $encoding >"$root$folder/$encoding.xml"
    run check -q 'E<> Lamp.bright' $encoding.xml
    check "wheel-encoding-$encoding" $?
  done
  cat >"$root$folder/use.py" <<'END'
import tarn
model = tarn.load("lamp.xml")
assert model.check("E<> Lamp.bright")
assert model.cover().percent == 100 and len(model.mutants()) > 10
rows = tarn.sweep("models/fischer-sizes.xta", {"N": [2, 3]}, ["E<> P(1).cs"])
assert [row["verdict"] for row in rows] == ["satisfied"] * 2
assert tarn.library_path().startswith("/usr/local/lib/python3"), tarn.library_path()
END
  within /bin/sh -c "cd $folder && python3 use.py"
  check wheel-package $?
else
  echo "skip container/wheel: $(tail -n 1 "$scratch/log")"
fi
exit $failed
