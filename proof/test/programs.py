#!/usr/bin/env python3
"""Random programs, by tarn and by the proved checker: proof/test/programs.py FIRST COUNT

The models are those of test/fuzz/agree_programs. Each guard and each update of one stands alone in a model of its own, on an
edge that leads to the only other location. tarn-proved must read it as `tarn show` prints it, or refuse it by name, and accept
the evidence of whether the location is reachable; a run states the values that the update made. The last line is the sum.
Models of what went wrong stay in WORK (default: build/proof/programs). TARN, PROVED and PROGRAMS name the programs.
"""
import os, re, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TARN = os.path.abspath(os.environ.get("TARN", ROOT + "/build/release/tarn"))
PROVED = os.path.abspath(os.environ.get("PROVED", ROOT + "/build/proof/tarn-proved"))
PROGRAMS = os.path.abspath(os.environ.get("PROGRAMS", ROOT + "/build/release/test/fuzz/agree_programs"))
count = dict.fromkeys(["programs", "refused", "errors", "runs", "certificates", "wrong"], 0)


def run(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return None, "", "it took too long"


def parts(text):
    """Models with one guard or one update each."""
    # Structs with clocks are not covered.
    text = text.replace("struct { clock c; int[-9,99] v; } rt, ru;", "clock rt_c; int[-9,99] rt_v;")
    text = text.replace("rt.v", "rt_v").replace("rt.c", "rt_c")
    head, rest = text[:text.index("  state A")], text[text.index("trans ") + 6:]
    end = rest.index(";\n}")
    for edge in rest[:end].split(",\n"):
        found = re.match(r"\w -> \w \{ (select [^;]*; )?(guard .*?; )?(sync [^;]*; )?(assign .*; )?\}$", edge.strip(), re.S)
        for label in found and (found.group(2), found.group(4)) or ():
            if label:
                yield "%s  state A, B;\n  init A;\n  trans A -> B { %s%s}%s" % (head, found.group(1) or "", label, rest[end:])


def one(name, text):
    def complain(why):
        count["wrong"] += 1
        print("wrong: %s: %s" % (name, why), flush=True)
        with open("wrong-%s.xta" % name, "w") as file:
            file.write(text)

    with open("model.xta", "w") as file:
        file.write(text)
    status, shown, _ = run(TARN, "show", "model.xta")
    if status != 0:
        return
    count["programs"] += 1
    status, read, err = run(PROVED, "--show", "model.xta")
    if status != 0 and "not covered" in err:
        count["refused"] += 1
        return
    if read != shown:
        return complain("it is read in another way")
    if os.path.exists("evidence"):
        os.remove("evidence")
    _, out, _ = run(TARN, "check", "--json", "--quiet", "--trace", "concrete", "--symmetry", "off", "--partial-order", "off",
                    "--certificate", "evidence", "-q", "E<> P1.B", "model.xta")
    kind = "certificates" if os.path.exists("evidence") else "runs"
    if kind == "runs":
        if '"steps"' not in out: # an update or a guard fails: there is no evidence
            count["errors"] += 1
            return
        with open("evidence", "w") as file:
            file.write(out)
    status, out, err = run(PROVED, "model.xta", "evidence")
    if status != 0:
        return complain((out + err).strip())
    count[kind] += 1


def main():
    first, number = int(sys.argv[1]), int(sys.argv[2])
    work = os.environ.get("WORK", ROOT + "/build/proof/programs")
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    for seed in range(first, first + number):
        for k, text in enumerate(parts(run(PROGRAMS, "--print", str(seed))[1])):
            one("%d-%d" % (seed, k), text)
    print("seeds %d to %d: %d programs, %d refused by name, %d with an error; %d runs and %d certificates accepted; %d wrong" %
          ((first, first + number - 1) + tuple(count[k] for k in ("programs", "refused", "errors", "runs", "certificates", "wrong"))))
    return count["wrong"] > 0


sys.exit(main())
