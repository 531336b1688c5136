#!/usr/bin/env python3
"""Estimates beside exact values on random models: agree_chains.py TARN COUNT SEED

Models without clocks in guards: exponential delays, committed and urgent locations, branch points with
weights that are computed, `select`, broadcasts with several receivers, arrays of channels with computed
indices. tarn computes their probabilities by uniformisation, in code of its own (answers/statistics/uniform),
and estimates them from runs. An estimate may be off by 3.7 standard deviations; then it is tried with another
seed. Prints the models that fail.
"""
import json, math, random, subprocess, sys, tempfile

RUNS = 20000
EPSILON = "%.12g" % math.sqrt(math.log(40) / (2 * (RUNS - 0.5)))  # --stop runs: that many


class Template:
    """A process: its text, and what goals can ask of it."""

    def __init__(self, rng, number, channels):
        self.rng, self.channels = rng, channels
        self.name = "P%d" % number
        self.locations = ["l%d" % k for k in range(rng.randint(2, 4))]
        self.kinds = {l: rng.choice(["waits"] * 6 + ["committed", "urgent"]) for l in self.locations}
        self.has_branch = rng.random() < 0.4

    def update(self, selected=None):
        for _ in range(self.rng.choice([0, 1, 1, 2])):
            variable = self.rng.choice(["n", "m"])
            values = ["(%s + 1) %% 4" % variable, str(self.rng.randint(0, 3)), selected or "1", "(n + m) % 4"]
            yield "%s = %s" % (variable, self.rng.choice(values))

    def guard(self, selected=None):
        if self.rng.random() < 0.35:
            yield self.rng.choice(["n <= 2", "m != 1", "n != m", "n >= 1", "m <= n + 1"])
        if selected and self.rng.random() < 0.4:
            yield "%s != n" % selected

    def labels(self, guard, sync, update):
        parts = ["guard %s;" % " && ".join(guard)] if guard else []
        parts += ["sync %s;" % sync] if sync else []
        parts += ["assign %s;" % ", ".join(update)] if update else []
        return " ".join(parts)

    def output(self, source, is_free):
        target = self.rng.choice(self.locations)
        if self.kinds[source] != "waits" and target == source:  # it would go on for ever
            target = self.locations[(self.locations.index(source) + 1) % len(self.locations)]
        if self.has_branch and self.rng.random() < 0.3:
            target = "b"
        selected = "i" if self.rng.random() < 0.15 else None
        guard = [] if is_free else list(self.guard(selected))
        sync = self.rng.choice(self.channels) + "!" if self.channels and self.rng.random() < 0.35 else None
        head = "select i : int[0,%d]; " % self.rng.randint(1, 2) if selected else ""
        return "%s -> %s { %s%s }" % (source, target, head, self.labels(guard, sync, list(self.update(selected))))

    def inputs(self, source):
        for _ in range(self.rng.choice([0, 1, 1, 2]) if self.channels and self.kinds[source] != "committed" else 0):
            sync = self.rng.choice(self.channels) + "?"
            target = self.rng.choice(self.locations + ["b"] * self.has_branch)
            yield "%s -> %s { %s }" % (source, target, self.labels(list(self.guard()), sync, list(self.update())))

    def branches(self):
        waiting = [l for l in self.locations if self.kinds[l] != "committed"] or self.locations
        for k in range(self.rng.randint(2, 3) if self.has_branch else 0):
            weight = self.rng.choice(["1", "2", "3", "0.5", "n", "m + 1", "0"] if k else ["1", "2", "m + 1"])
            update = self.labels([], None, list(self.update()))
            yield "b -> %s { probability %s; %s }" % (self.rng.choice(waiting), weight, update)

    def text(self):
        rates = ["1", "2", "3", "2:3", "n + 1", "m + 1", "0.7"]
        states = [l + (" { ; %s }" % self.rng.choice(rates) if self.kinds[l] == "waits" else "") for l in self.locations]
        edges = []
        for source in self.locations:
            edges += [self.output(source, k == 0) for k in range(self.rng.choice([1, 1, 2, 3]))]
            edges += self.inputs(source)
        edges += self.branches()
        lines = ["process %s() { state %s;" % (self.name, ", ".join(states))]
        lines += ["branchpoint b;"] if self.has_branch else []
        for kind, word in (("committed", "commit"), ("urgent", "urgent")):
            chosen = [l for l in self.locations if self.kinds[l] == kind]
            lines += ["%s %s;" % (word, ", ".join(chosen))] if chosen else []
        return "\n".join(lines + ["init l0;", "trans", ",\n".join(edges) + "; }"])


def model(rng):
    channels = ["c%d" % k for k in range(rng.randint(0, 2))]
    declarations = ["int n = 0; int m = %d;" % rng.randint(0, 2)] + ["broadcast chan %s;" % c for c in channels]
    if rng.random() < 0.5:
        declarations.append("broadcast chan a[4];")
        channels += ["a[n]", "a[m]", "a[2]"]
    processes = [Template(rng, k, channels) for k in range(rng.randint(1, 4))]
    texts = [p.text() for p in processes]
    goals = []
    for _ in range(4):
        process = rng.choice(processes)
        atoms = ["%s.%s" % (process.name, rng.choice(process.locations)), "n == %d" % rng.randint(1, 3), "n > m"]
        goal, limit = rng.choice(atoms), rng.choice([0.5, 1, 2, 4])
        path = rng.choice(["(<> %s)", "(<> %s)", "([] !(%s))", "(m < 3 U %s)"]) % goal
        goals.append("Pr[<=%d]%s" % (max(1, limit), path))
    return "\n".join(declarations + texts + ["system %s;" % ", ".join(p.name for p in processes)]) + "\n", goals


def answer(tarn, path, query, seed):
    command = [tarn, "check", "--quiet", "--json", "--threads", "1", "--stop", "runs", "--epsilon", EPSILON,
               "--time-limit", "20", "--seed", str(seed), "-q", query, path]
    done = subprocess.run(command, capture_output=True, check=False)
    try:
        return json.loads(done.stdout)["results"][0].get("estimate")
    except (ValueError, KeyError, IndexError):
        return None


def off(estimate):
    """In standard deviations; the exact value is printed with six digits."""
    exact, runs = estimate["exact"], estimate["runs"]
    room = abs(estimate["value"] - exact) - 1e-6
    return 0 if room <= 0 or not runs else room / math.sqrt(max(exact * (1 - exact), 1e-12) / runs)


def main():
    tarn, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    compared, others, failed = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(seed, seed + count):
            text, queries = model(random.Random(number))
            path = "%s/model.xta" % folder
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
            for query in queries:
                estimates = [answer(tarn, path, query, 1)]
                if not estimates[0] or "exact" not in estimates[0]:
                    others += 1
                    continue
                compared += 1
                if off(estimates[0]) > 3.7:
                    estimates.append(answer(tarn, path, query, 999))
                if all(off(e) > 3.7 for e in estimates):
                    failed += 1
                    print("%s: %s, exactly %s (model %d)\n%s" % (query, estimates[0]["value"], estimates[0]["exact"], number, text))
    print("%d models from %d on: %d estimates beside exact values, %d differ; %d without an exact value" % (count, seed, compared, failed, others))
    sys.exit(failed > 0 or compared < count)


main()
