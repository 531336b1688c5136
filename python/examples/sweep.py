"""Sweeps a parameter of a model and plots the result: sweep.py [PICTURE.png]

In Fischer's protocol a process writes its number within 10 time units and then waits. Mutual
exclusion holds if it waits longer than a write may take. Which waiting times are long enough, and
how many zones does tarn store to find out?
"""

import sys

import matplotlib.pyplot as plt

import tarn

text = tarn.generate("fischer", 3, k=10)
waits = list(range(6, 16))
stored, verdicts = [], []
for wait in waits:
    model = tarn.loads(text.replace(">10&&", f">{wait}&&"))
    result = model.check("A[] !(P1.cs && P2.cs)", engine="zones", time_limit=60)
    stored.append(result.stats["stored"])
    verdicts.append(bool(result))
    print(f"k = {wait}: {result.verdict.value}")

colours = ["tab:green" if good else "tab:red" for good in verdicts]
plt.bar(waits, stored, color=colours)
plt.xlabel("waiting time k")
plt.ylabel("zones stored")
plt.title("Fischer's protocol: mutual exclusion holds (green) or not (red)")
plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "sweep.png", dpi=120)
