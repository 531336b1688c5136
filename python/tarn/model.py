"""Models, checks and their results."""

from __future__ import annotations

import ctypes
import enum
import importlib
import itertools
import json
import os
import signal
import threading
import warnings
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from types import TracebackType
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence

from ._library import TERMINATE, MutantText, Option, lib
from .errors import Error
from .run import Choice, Run, run_chart, run_from_json

OptionValue = str | int | bool | os.PathLike[str]


class Verdict(enum.Enum):
    NOT_SATISFIED = "not satisfied"
    SATISFIED = "satisfied"
    EXPLORED = "explored"  # there was no query
    UNDECIDED = "undecided"  # a limit or an interrupt
    ESTIMATED = "estimated"  # a statistical query got a number: see Result.estimate
    REFUSED = "refused"  # no engine decides it on this model; in check_all also: it has a mistake


def _array(rows: list[Any], columns: int) -> Any:
    """An array of numpy if that is installed, else the rows."""
    try:
        import numpy
    except ImportError:
        return rows
    return numpy.array(rows, dtype=float).reshape(len(rows), columns)  # has its columns without rows, too


@dataclass(frozen=True)
class Number:
    """An extreme value of an expression. `value` is None if it is infinite, or if no state counts."""

    expression: str
    kind: str  # "sup" or "inf"
    value: int | None
    strict: bool  # the value is approached, not reached
    infinite: bool


@dataclass(frozen=True, repr=False)
class Result:
    """The answer to one query. It is true in a condition if the query is satisfied."""

    query: str | None
    verdict: Verdict
    reason: str | None  # why it is undecided or refused
    engine: str | None
    stats: Mapping[str, float]
    run: Run | None
    json: Mapping[str, Any]  # as `tarn check --json` prints it, with this result only

    def __bool__(self) -> bool:
        return self.verdict in (Verdict.SATISFIED, Verdict.EXPLORED)

    def __repr__(self) -> str:
        query = " ".join(self.query.split()) if self.query is not None else "all states"
        if len(query) > 60:
            query = query[:57] + "..."
        run = f", run of {len(self.run.steps) - 1} steps" if self.run else ""
        return f"<{query}: {self.verdict.value}{run}>"

    def _repr_html_(self) -> str:
        """The verdict and the run as a chart, for notebooks."""
        chart = run_chart(self.run) if self.run else ""
        return f"<p><b>{escape(self.query or 'all states')}</b>: {self.verdict.value}</p>{chart}"

    @property
    def numbers(self) -> list[Number]:
        """Of `sup`, `inf` and `bounds`: the values."""
        return [Number(**number) for number in self.json["results"][0].get("numbers", [])]

    @property
    def runs(self) -> list[Run]:
        """All runs that were asked for with `traces`; the first one is `run`."""
        traces = self.json["results"][0].get("traces")
        return [run_from_json(t) for t in traces] if traces else [self.run] if self.run else []

    @property
    def estimate(self) -> Mapping[str, Any] | None:
        """Of a statistical query: value, lower, upper, runs, satisfied and so on (`tarn help json`)."""
        found: Mapping[str, Any] | None = self.json["results"][0].get("estimate")
        return found

    def courses(self) -> dict[str, list[Any]]:
        """Of `simulate`: for each expression one array a run, with columns for time and value.

        The arrays are those of numpy if it is installed, lists of pairs otherwise.
        """
        estimate = self.estimate or {}
        return {
            name: [_array([[p[0], p[1 + i]] for p in course["points"]], 2) for course in estimate.get("courses", [])]
            for i, name in enumerate(estimate.get("expressions", []))
        }

    def distribution(self) -> Any:
        """Of `Pr` and `E`: an array with columns for value, share of all runs, lower and upper end of the band."""
        found = (self.estimate or {}).get("distribution", {"shares": [], "band": 0})
        band = found["band"]
        return _array([[v, s, max(s - band, 0.0), min(s + band, 1.0)] for v, s in found["shares"]], 4)

    def histogram(self) -> Any:
        """Of `Pr` and `E`: an array with columns for the ends of each bar and its number of runs."""
        found = (self.estimate or {}).get("distribution", {}).get("histogram", {"low": 0, "width": 0, "bars": []})
        low, width = found["low"], found["width"]
        return _array([[low + k * width, low + (k + 1) * width, n] for k, n in enumerate(found["bars"])], 3)

    def convergence(self) -> Any:
        """Of `Pr` and `E`: an array with columns for runs, estimate, lower and upper end of its interval."""
        return _array((self.estimate or {}).get("convergence", []), 4)


@dataclass(frozen=True)
class Certification:
    """Whether evidence was accepted, and what it shows or what is wrong with it."""

    accepted: bool
    finding: str

    def __bool__(self) -> bool:
        return self.accepted


@dataclass(frozen=True, repr=False)
class Suite:
    """A test suite: runs that together use what `goal` names."""

    goal: str
    percent: float
    runs: list[Run]
    unreachable: list[str]
    undecided: list[str]
    json: Mapping[str, Any]  # as `tarn cover --json` prints it

    def __repr__(self) -> str:
        return f"<{self.percent:g} % of the {self.goal} by {len(self.runs)} runs>"


@dataclass(frozen=True, repr=False)
class Mutant:
    """The model with one mistake, and which queries notice it."""

    operator: str
    line: int
    column: int
    before: str
    after: str
    text: str  # the whole model
    status: str  # killed, living, equivalent, undecided, unreadable
    killed_by: list[str]  # queries

    def __repr__(self) -> str:
        change = f"{self.before!r:.30} -> {self.after!r:.30}"
        return f"<{self.line}:{self.column} {self.operator} {change}: {self.status}>"


class Rows(list[dict[str, Any]]):
    """The rows of a sweep: constants, query, verdict, seconds and so on."""

    def frame(self) -> Any:
        """The rows as a frame of pandas, which must be installed."""
        return importlib.import_module("pandas").DataFrame(list(self))


def _text(value: OptionValue) -> bytes:
    if isinstance(value, bool):
        return b"yes" if value else b"no"
    return os.fsencode(value) if isinstance(value, os.PathLike) else str(value).encode()


def options() -> dict[str, str | None]:
    """The names of the options of `check`, written with `_`, and their defaults."""
    found: dict[str, str | None] = {}
    entry = Option()
    index = 0
    while lib.tarn_option(index, ctypes.byref(entry)) == 0:
        if entry.is_engine:
            initial = entry.initial.decode() if entry.initial is not None else None
            found[entry.name.decode().replace("-", "_")] = initial
        index += 1
    return found


class _Interrupts:
    """While a search runs in the main thread, Ctrl-C ends it instead of killing the process.

    Python runs signal handlers only between its own instructions. The library polls a callback
    that is written in Python: there the handler gets its turn.
    """

    def __init__(self, handle: int, poll: Callable[[], bool] | None) -> None:
        self.is_interrupted = False
        self.failure: BaseException | None = None
        self._handle = handle
        self._poll = poll
        self._before: Any = None

    def _terminate(self, _state: object) -> int:
        try:
            return int(self.is_interrupted or bool(self._poll and self._poll()))
        except BaseException as failure:  # must not cross the library
            self.failure = failure
            return 1

    def _note(self, _number: int, _frame: object) -> None:
        self.is_interrupted = True

    def __enter__(self) -> _Interrupts:
        self._callback = TERMINATE(self._terminate)
        lib.tarn_set_terminate(self._handle, None, self._callback)
        if (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is not None
        ):
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        lib.tarn_set_terminate(self._handle, None, TERMINATE(0))
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        if error is None and self.failure is not None:
            raise self.failure
        if error is None and self.is_interrupted:
            if callable(self._before) and self._before is not signal.default_int_handler:
                self._before(signal.SIGINT, None)
            else:
                raise KeyboardInterrupt


class Model:
    """A model, and the answers about it. Use `load` or `loads` to make one.

    Options of the constructor hold for all checks; options of a check for that one. They are those
    of `tarn check`, with `_` for `-`: `order="dfs"`, `time_limit=10`.

    Threads may share a model: it does one thing at a time, the others wait. For checks at the same
    time, each thread needs a model of its own.
    """

    def __init__(self, **settings: OptionValue) -> None:
        self._lock = threading.RLock()
        self._is_checking = False
        self._pointer: int = lib.tarn_init()
        if not self._pointer:
            raise MemoryError
        self._is_loaded = False
        self._constants: Mapping[str, int | bool] = {}
        self._source: tuple[str, ...] = ()  # a path, or a text and its language
        self._settings = settings
        self._apply({})

    def __del__(self) -> None:
        if hasattr(self, "_pointer"):  # else the constructor failed
            self.close()

    def close(self) -> None:
        """Gives the memory back. The model cannot be used any more."""
        with self._lock:
            if self._pointer:
                lib.tarn_release(self._handle)
            self._pointer = 0

    @property
    def _handle(self) -> int:
        if not self._pointer:
            raise ValueError("the model is closed")
        if self._is_checking:
            raise RuntimeError("`poll` uses the model that is being checked")
        return self._pointer

    @property
    def _loaded(self) -> int:
        if not self._is_loaded:
            raise ValueError("there is no model: use tarn.load or tarn.loads")
        return self._handle

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *_unused: object) -> None:
        self.close()

    def _error(self) -> Error:
        return Error(lib.tarn_error(self._handle).decode(errors="replace"))

    def _call(self, function: Callable[..., int], *arguments: object) -> int:
        """Calls the library, warns, and raises its error."""
        with self._lock:
            return self._require(function(self._handle, *arguments))

    def _require(self, result: int) -> int:
        text = lib.tarn_warnings(self._handle).decode(errors="replace").strip()
        if text:
            warnings.warn(text, stacklevel=4)
        if result < 0:
            raise self._error()
        return result

    def _apply(self, settings: Mapping[str, OptionValue]) -> None:
        lib.tarn_set(self._handle, None, None)
        for name, value in {**self._settings, **settings}.items():
            if lib.tarn_set(self._handle, name.replace("_", "-").encode(), _text(value)) < 0:
                raise self._error()

    def _write(self, what: str, form: str) -> str:
        words = what.encode(), form.encode()
        with self._lock:
            size = self._require(lib.tarn_write_buffer(self._loaded, None, 0, *words))
            buffer = ctypes.create_string_buffer(size + 1)
            self._require(lib.tarn_write_buffer(self._loaded, buffer, size + 1, *words))
        return buffer.raw[:size].decode(errors="replace")

    @property
    def queries(self) -> list[str]:
        """The queries that came with the model, in its file or in the .q file beside it."""
        with self._lock:
            count = lib.tarn_query_count(self._loaded)
            return [lib.tarn_query(self._loaded, i).decode() for i in range(count)]

    def check(
        self,
        query: str | None = None,
        *,
        poll: Callable[[], bool] | None = None,
        **settings: OptionValue,
    ) -> Result:
        """Decides a query; without one, explores all states.

        `poll` is called now and then; if it returns true the search ends, undecided. A mistake in
        the query raises an `Error`; so does a query of a kind that tarn does not know.
        """
        with self._lock:
            self._apply(settings)
            if query is None:
                return self._check(None, poll, settings)
            asked = lib.tarn_query_new(self._loaded, query.encode())
            try:
                if lib.tarn_parse_query(self._handle, asked) < 0:
                    raise self._error()
                return self._check(asked, poll, settings)
            finally:
                lib.tarn_query_release(self._handle, asked)

    def check_labels(
        self,
        labels: str,
        *,
        poll: Callable[[], bool] | None = None,
        **settings: OptionValue,
    ) -> Result:
        """Is there a reachable state whose locations carry all the labels "a,b"?"""
        with self._lock:
            asked = lib.tarn_query_labels(self._loaded, labels.encode())
            try:
                return self._check(asked, poll, settings)
            finally:
                lib.tarn_query_release(self._handle, asked)

    def check_all(self, **settings: OptionValue) -> Iterator[Result]:
        """Decides the queries that came with the model, one after the other.

        One with a mistake in it does not stop the others: its verdict is REFUSED.
        """
        for i in range(len(self.queries)):
            with self._lock:
                result = self._check(lib.tarn_query_at(self._loaded, i), None, settings)
            yield result

    def _check(
        self,
        asked: int | None,
        poll: Callable[[], bool] | None,
        settings: Mapping[str, OptionValue],
    ) -> Result:
        with self._lock:
            self._apply(settings)
            handle = self._loaded
            with _Interrupts(handle, poll):
                self._is_checking = True
                try:
                    verdict = lib.tarn_check_query(handle, asked)
                finally:
                    self._is_checking = False
            self._require(verdict)
            answer = json.loads(self._write("answer", "json"))
        result = answer["results"][0]
        trace = result.get("trace")
        return Result(
            query=result["query"],
            verdict=Verdict(result["verdict"]),
            reason=result.get("reason"),
            engine=result.get("engine"),
            stats={k: v for k, v in result["stats"].items() if v is not None},
            run=run_from_json(trace) if trace else None,
            json=answer,
        )

    def with_constants(self, **constants: int | bool) -> Model:
        """The model with other values of its constants. It is read again."""
        return _read(self._source, constants, self._settings)

    def traces(
        self, k: int, query: str | None = None, *, differ: str = "edges", **settings: OptionValue
    ) -> list[Run]:
        """Up to k runs that show the query (default: the first of the model), each with something new."""
        asked = self.queries[0] if query is None else query
        chosen: dict[str, Any] = {"trace": "concrete", "traces": k, "differ": differ, **settings}
        return self.check(asked, **chosen).runs

    def mutants(
        self,
        operators: str | None = None,
        queries: Iterable[str] | None = None,
        *,
        compare: int = 2000,
        time_limit: OptionValue = 10,
        **settings: OptionValue,
    ) -> list[Mutant]:
        """Mutants of the model, each checked with all queries, as `tarn mutate` does it."""
        chosen: dict[str, OptionValue] = {**settings, "time_limit": time_limit}
        texts = list(self.queries if queries is None else queries)
        expected = {q: _outcome(self, q, chosen) for q in texts}
        expected = {q: o for q, o in expected.items() if o not in ("open", "error")}
        found: list[Mutant] = []
        with self._lock:
            self._apply(chosen)
            words = None if operators is None else operators.encode()
            count = self._require(lib.tarn_mutate(self._loaded, words))
            language = lib.tarn_language(self._loaded).decode()
            described = [self._mutant(i) for i in range(count)]
        for kind, line, column, before, after, text in described:
            killers: list[str] = []
            try:
                mutant = _read((text, language), self._constants, {**self._settings, **chosen})
            except Error:
                status = "unreadable"
            else:
                outcomes = {q: _outcome(mutant, q, chosen) for q in expected}
                killers = [q for q, o in outcomes.items() if o != "open" and o != expected[q]]
                is_open = "open" in outcomes.values()
                status = "killed" if killers else "undecided" if is_open else "living"
                if status == "living" and compare and self._is_alike(mutant, compare, chosen):
                    status = "equivalent"
            found.append(Mutant(kind, line, column, before, after, text, status, killers))
        return found

    def _mutant(self, index: int) -> tuple[str, int, int, str, str, str]:
        m = MutantText()
        lib.tarn_mutant(self._loaded, index, ctypes.byref(m))
        before, after, text = (t.decode(errors="replace") for t in (m.before, m.after, m.text))
        return m.kind.decode(), m.line, m.column, before, after, text

    def _is_alike(self, other: Model, count: int, settings: Mapping[str, OptionValue]) -> bool:
        states, is_all = ctypes.c_size_t(count), ctypes.c_int()
        with self._lock, other._lock:
            self._apply(settings)
            with _Interrupts(self._loaded, None):
                found = lib.tarn_is_alike(
                    self._loaded, other._loaded, ctypes.byref(states), ctypes.byref(is_all)
                )
        return bool(found == 1)

    def cover(self, goal: str = "edges", **settings: OptionValue) -> Suite:
        """Few runs that together use all edges, locations, pairs or queries that any run uses."""
        with self._lock:
            self._apply(settings)
            with _Interrupts(self._loaded, None):
                found = lib.tarn_cover(self._loaded, goal.encode())
            self._require(found)
            suite = json.loads(self._write("cover", "json"))
        names: dict[str, list[str]] = {"covered": [], "unreachable": [], "undecided": []}
        for item in suite["items"]:
            names[item["status"]].append(item["name"])
        return Suite(
            goal=goal,
            percent=suite["percent"],
            runs=[run_from_json(result["trace"]) for result in suite["results"]],
            unreachable=names["unreachable"],
            undecided=names["undecided"],
            json=suite,
        )

    def certify(self, evidence: str | os.PathLike[str] | Result) -> Certification:
        """Checks a run or a certificate, in a file or in a result, with code of its own."""
        with self._lock:
            accepted = self._require(
                lib.tarn_certify_text(self._loaded, json.dumps(evidence.json).encode())
                if isinstance(evidence, Result)
                else lib.tarn_certify(self._loaded, os.fsencode(evidence))
            )
            return Certification(accepted == 1, lib.tarn_finding(self._handle).decode().strip())

    def simulate(
        self, run: str | os.PathLike[str] | None = None, *, symbolic: bool = False
    ) -> Simulation:
        """Starts a simulation, at the beginning or at the end of a run in a file.

        A symbolic one, from the beginning, has zones in place of times: a choice is what some
        state of the zone allows.
        """
        return Simulation(self, run, symbolic)

    def random_run(self, steps: int, seed: int = 1) -> Run:
        """A random run of at most so many steps."""
        with self._lock:
            simulation = self.simulate()
            simulation.randomly(steps, seed)
            return simulation.run

    @property
    def text(self) -> str:
        """The model as it was read, in TChecker's format."""
        return self._write("model", "text")

    @property
    def dot(self) -> str:
        """The processes as graphs for graphviz."""
        return self._write("model", "dot")

    @property
    def html(self) -> str:
        """All answers so far as a page for a browser; runs are shown if they are concrete."""
        return self._write("answers", "html")


class Simulation:
    """A run that is made step by step. A model has one at a time."""

    def __init__(
        self, model: Model, run: str | os.PathLike[str] | None = None, symbolic: bool = False
    ) -> None:
        self._model = model
        path = None if run is None else os.fsencode(run)
        if path is not None and symbolic:
            raise ValueError("a symbolic simulation begins at the beginning")
        with model._lock:
            if symbolic:
                model._require(lib.tarn_simulate_symbolically(model._loaded))
            else:
                model._require(lib.tarn_simulate(model._loaded, path))

    def _state(self) -> dict[str, Any]:
        state: dict[str, Any] = json.loads(self._model._write("simulation", "json"))
        return state

    @property
    def time(self) -> Fraction:
        return Fraction(self._state()["time"])

    @property
    def zone(self) -> str:
        """All clock values that are possible after the transitions so far."""
        zone: str = self._state()["zone"]
        return zone

    @property
    def choices(self) -> list[Choice]:
        """The transitions that are possible now, after a delay or at once."""
        return [
            Choice(
                index,
                choice["transition"],
                choice["guard"],
                choice["update"],
                Fraction(choice.get("low", 0)),
                Fraction(choice["high"]) if "high" in choice else None,
                choice.get("low_strict", False),
                choice.get("high_strict", False),
            )
            for index, choice in enumerate(self._state()["choices"])
        ]

    def step(self, choice: Choice | int, delay: Fraction | int | None = None) -> None:
        """Takes a choice after a delay; by default as early as possible."""
        index = choice.index if isinstance(choice, Choice) else choice
        text = None if delay is None else str(Fraction(delay)).encode()
        self._model._call(lib.tarn_step, index, text)

    def wait(self, delay: Fraction | int) -> None:
        """Lets time pass without a transition."""
        self._model._call(lib.tarn_wait, str(Fraction(delay)).encode())

    def back(self) -> None:
        """Takes the last step or delay back."""
        self._model._call(lib.tarn_step_back)

    def go(self, step: int) -> None:
        """Goes to a step of the run, also to one that was taken back."""
        self._model._call(lib.tarn_step_to, step)

    @property
    def stuck(self) -> str | None:
        """Whether this is a deadlock or a time-lock, and why; None if it can go on."""
        with self._model._lock:
            why = lib.tarn_stuck(self._model._handle)
            return None if why is None else why.decode()

    def randomly(self, steps: int, seed: int = 1) -> int:
        """Up to so many random steps; returns how many there were."""
        return self._model._call(lib.tarn_step_randomly, steps, seed)

    @property
    def run(self) -> Run:
        """The run so far."""
        answer = json.loads(self._model._write("run", "json"))
        return run_from_json(answer["results"][0]["trace"])


def _outcome(model: Model, query: str, settings: Mapping[str, Any]) -> str:
    """What a mutant is compared by: the verdict and the values; `open` if there is no verdict."""
    try:
        result = model.check(query, **settings)
    except Error:
        return "error"
    if result.verdict in (Verdict.UNDECIDED, Verdict.REFUSED, Verdict.ESTIMATED):
        return "open"
    return f"{result.verdict.value} {result.json['results'][0].get('values', '')}"


def _read(
    source: tuple[str, ...],
    constants: Mapping[str, int | bool],
    settings: Mapping[str, OptionValue],
) -> Model:
    model = Model(**settings)
    for name, value in constants.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if lib.tarn_set(model._handle, b"define", f"{name}={text}".encode()) < 0:
            raise model._error()
    if len(source) == 1:
        model._call(lib.tarn_read, os.fsencode(source[0]))
    else:
        model._call(lib.tarn_read_text, source[0].encode(), source[1].encode())
    model._is_loaded = True
    model._source = source
    model._constants = dict(constants)
    return model


def load(path: str | os.PathLike[str], **settings: OptionValue) -> Model:
    """Reads a model from a file, and the queries in it or beside it."""
    return _read((os.fsdecode(path),), {}, settings)


def loads(text: str, language: str = "tchecker", **settings: OptionValue) -> Model:
    """Reads a model from a text."""
    return _read((text, language), {}, settings)


def sweep(
    path: str | os.PathLike[str],
    constants: Mapping[str, Iterable[int | bool]],
    queries: Sequence[str] | None = None,
    **settings: OptionValue,
) -> Rows:
    """Checks the model with every combination of values of its constants: one row for each query."""
    rows = Rows()
    for values in itertools.product(*constants.values()):
        chosen = dict(zip(constants, values))
        with _read((os.fsdecode(path),), chosen, settings) as model:
            asked = model.check_all() if queries is None else map(model.check, queries)
            for result in asked:
                row: dict[str, Any] = {**chosen, "query": result.query, "verdict": result.verdict.value}
                row.update(reason=result.reason, engine=result.engine)
                for name in ("seconds", "cpu_seconds", "stored", "visited", "peak_bytes"):
                    row[name] = result.stats.get(name)
                numbers = result.numbers
                row["value"] = numbers[0].value if len(numbers) == 1 else None
                rows.append(row)
    return rows


def generate(family: str, n: int | None = None, **parameters: int | str) -> str:
    """The text of a model of a known family, as `tarn gen` writes it."""
    words = [str(n)] if n is not None else []
    words += [f"{name}={value}" for name, value in parameters.items()]
    arguments = (ctypes.c_char_p * len(words))(*(word.encode() for word in words))
    model = Model()
    size = 1 << 16
    while True:
        buffer = ctypes.create_string_buffer(size)
        length = model._call(
            lib.tarn_generate_buffer, buffer, size, family.encode(), len(words), arguments
        )
        if length < size:
            return buffer.raw[:length].decode()
        size = length + 1
