"""The work of test/mistakes.sh."""
import os
import re
import subprocess
import sys
import tempfile

TARN = os.path.abspath(os.environ.get("TARN", "build/release/tarn"))
accept = "--accept" in sys.argv
failed = False


def messages(folder, kind, text, model):
    """The messages, without excerpts and with places as LINE:COLUMN."""
    name = "m." + kind
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)
    command = [TARN, "show", name]
    if kind == "q":
        with open(os.path.join(folder, "m.xta"), "w", encoding="utf-8") as file:
            file.write(model)
        command = [TARN, "check", "--quiet", "m.xta"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=20, check=False)
    output = result.stderr if kind != "q" else result.stdout + result.stderr
    found = []
    for line in output.splitlines():
        match = re.match(r"\s*(?:tarn: )?m\.\w+:(.*)", line)
        if match:
            found.append(match.group(1))
        elif line.startswith("tarn: "):
            found.append(line[6:])
    return found or [f"nothing: exit status {result.returncode}"]


def run(path):
    global failed
    kind = os.path.basename(path)[:-4]
    with open(path, encoding="utf-8") as file:
        base, rest = file.read().split("====\n", 1)
    model = ""
    if "----\n" in base:  # queries come with a model
        model, base = base.split("----\n", 1)
    cases = re.split(r"^# ", rest, flags=re.M)[1:]
    out, good = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            lines = case.splitlines()
            old = "\n".join(line[2:] for line in lines if line.startswith("- "))
            new = "\n".join(line[2:] for line in lines if line.startswith("+ "))
            wanted = [line[2:] for line in lines if line.startswith("! ")]
            if base.count(old) < 1:
                print(f"FAIL mistakes/{kind}, {lines[0]}: the model has no `{old}`")
                failed = True
                continue
            found = messages(folder, kind, base.replace(old, new, 1), model)
            out.append("# " + lines[0] + "\n" + "".join("- " + line + "\n" for line in old.split("\n")) +
                       "".join("+ " + line + "\n" for line in new.split("\n")) +
                       "".join("! " + line + "\n" for line in found))
            if accept or found == wanted:
                good += 1
            else:
                failed = True
                print(f"FAIL mistakes/{kind}, {lines[0]}:")
                print("".join(f"    {line}\n" for line in found), end="")
    if accept:
        with open(path, "w", encoding="utf-8") as file:
            file.write((model + "----\n" if model else "") + base + "====\n" + "".join(out))
    print(f"ok mistakes/{kind}: {good} of {len(cases)}")


for name in sorted(os.listdir("test/mistakes")):
    if name.endswith(".txt"):
        run(os.path.join("test/mistakes", name))
sys.exit(failed)
