"""tarn: a model checker for networks of timed automata.

    import tarn

    model = tarn.load("fischer.tck")
    for result in model.check_all():
        print(result.query, result.verdict.value)

    result = model.check("A[] !(P1.cs && P2.cs)", trace="concrete", time_limit=60)
    if result.run:
        for step in result.run.steps:
            print(step.time, step)

A model is loaded once and asked many times. Faults in a model, a query or an option raise
`tarn.Error`, which knows their places. Ctrl-C during a search raises `KeyboardInterrupt`. Delays,
times and clock values are `fractions.Fraction`.
"""

from ._library import library_path, version
from .errors import Diagnostic, Error
from .model import (
    Certification,
    Model,
    Mutant,
    Number,
    Result,
    Rows,
    Simulation,
    Suite,
    Verdict,
    generate,
    load,
    loads,
    options,
    sweep,
)
from .run import Choice, Edge, Run, Step

__version__ = version()
__all__ = [
    "Certification",
    "Choice",
    "Diagnostic",
    "Edge",
    "Error",
    "Model",
    "Mutant",
    "Number",
    "Result",
    "Rows",
    "Run",
    "Simulation",
    "Step",
    "Suite",
    "Verdict",
    "generate",
    "library_path",
    "load",
    "loads",
    "options",
    "sweep",
    "version",
]
