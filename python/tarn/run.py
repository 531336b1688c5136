"""Runs: what happens, when, and the states in between."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any, Iterator, Mapping


@dataclass(frozen=True)
class Edge:
    """One participant of a transition. `index` is its place among the edges of the model."""

    process: str
    source: str
    target: str
    event: str
    index: int

    def __str__(self) -> str:
        return f"{self.process}: {self.source} -> {self.target} ({self.event})"


@dataclass(frozen=True)
class Step:
    """A transition and the state after it; the first step of a run is the initial state.

    `delay` is the time that passed since the step before. In symbolic runs there are no times
    and clocks, but a zone, as text.
    """

    index: int
    edges: tuple[Edge, ...]
    locations: Mapping[str, str]
    variables: Mapping[str, int]
    time: Fraction | None = None
    delay: Fraction | None = None
    clocks: Mapping[str, Fraction] | None = None
    zone: str | None = None

    def __str__(self) -> str:
        return ", ".join(map(str, self.edges)) or "initial state"


@dataclass(frozen=True)
class Choice:
    """A transition that is possible in a simulation, after a delay in an interval.

    `high` is None if there is no upper end; a strict end does not belong to the interval.
    `transition` is None if only time passes.
    """

    index: int
    transition: str | None
    guard: str
    update: str
    low: Fraction
    high: Fraction | None
    low_strict: bool = False
    high_strict: bool = False


@dataclass(frozen=True)
class Run:
    """A run of the model. `loop` is the number of the step after which the rest repeats for ever.

    With `loop_to` what follows that step up to this one repeats, any number of times, and then the rest follows.
    """

    steps: tuple[Step, ...]
    end_time: Fraction | None = None
    end_clocks: Mapping[str, Fraction] | None = None
    loop: int | None = None
    loop_to: int | None = None

    @property
    def is_concrete(self) -> bool:
        return self.end_time is not None

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __len__(self) -> int:
        """The number of transitions."""
        return len(self.steps) - 1

    def states_of(self, process: str) -> Iterator[tuple[Fraction | None, str]]:
        """The locations of a process and when it entered them."""
        last = None
        for step in self.steps:
            where = step.locations[process]
            if where != last:
                yield step.time, where
            last = where


def _fractions(values: Mapping[str, Any] | None) -> dict[str, Fraction] | None:
    return None if values is None else {name: Fraction(v) for name, v in values.items()}


def run_from_json(trace: Mapping[str, Any]) -> Run:
    """The object under `trace` in the JSON of an answer."""
    steps = []
    before = Fraction(0)
    for index, step in enumerate(trace["steps"]):
        time = Fraction(step["time"]) if "time" in step else None
        edges = tuple(
            Edge(e["process"], e["source"], e["target"], e["event"], e["index"])
            for e in step.get("edges", ())
        )
        delay = None if time is None else time - before
        clocks = _fractions(step.get("clocks"))
        zone = step.get("zone")
        steps.append(
            Step(index, edges, step["locations"], step["variables"], time, delay, clocks, zone)
        )
        if time is not None:
            before = time
    end = trace.get("end_time")
    loop = trace.get("loop")
    return Run(
        tuple(steps),
        None if end is None else Fraction(end),
        _fractions(trace.get("end_clocks")),
        None if loop is None else loop["from"],
        None if loop is None else loop.get("to"),
    )


def run_chart(run: Run) -> str:
    """The locations of the processes over the steps of a run, as an SVG picture."""
    names = list(run.steps[0].locations)
    left, width, height = 90, 70, 22
    parts = []
    for row, name in enumerate(names):
        y = height * (row + 1)
        parts.append(f'<text x="0" y="{y + 15}">{escape(name)}</text>')
        first = 0
        for column in range(1, len(run.steps) + 1):
            here = run.steps[first].locations[name]
            if column < len(run.steps) and run.steps[column].locations[name] == here:
                continue
            x, size = left + width * first, width * (column - first)
            parts.append(
                f'<rect x="{x}" y="{y}" width="{size - 2}" height="{height - 4}" rx="3" fill="#2a6fb0" '
                f'opacity=".25"/><text x="{x + 4}" y="{y + 14}">{escape(here)}</text>'
            )
            first = column
    for column, step in enumerate(run.steps):
        if step.time is not None:
            parts.append(f'<text x="{left + width * column + 4}" y="14">{step.time}</text>')
    extent = f'width="{left + width * len(run.steps)}" height="{height * (len(names) + 1)}"'
    return f'<svg {extent} font-size="12" font-family="sans-serif">{"".join(parts)}</svg>'
