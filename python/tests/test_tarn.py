"""The Python package: models, checks, runs, limits, interrupts, errors."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import typing
from fractions import Fraction

import pytest

import tarn

ROOT = pathlib.Path(__file__).resolve().parents[2]
FISCHER = ROOT / "models" / "fischer.tck"
BUGGY = ROOT / "models" / "fischer-buggy.tck"
MUTEX = "A[] !(P1.cs && P2.cs)"

LAMP = """
system:lamp
event:press
clock:1:x
int:1:0:3:0:n
process:Lamp
location:Lamp:off{initial:}
location:Lamp:low{}
location:Lamp:bright{labels: on}
edge:Lamp:off:low:press{do: x = 0; n = 1}
edge:Lamp:low:bright:press{provided: x > 1 && x < 5}
edge:Lamp:bright:off:press{do: n = 0}
"""


def test_version() -> None:
    version = (ROOT / "VERSION").read_text().strip()
    assert tarn.version() == tarn.__version__ == version
    assert f'version = "{version}"' in (ROOT / "python" / "pyproject.toml").read_text()


def test_verdicts() -> None:
    good = tarn.load(FISCHER).check(MUTEX)
    assert good and good.verdict is tarn.Verdict.SATISFIED and good.run is None
    assert good.stats["visited"] > 0 and good.engine in ("zones", "local")
    bad = tarn.load(BUGGY).check(MUTEX)
    assert not bad and bad.verdict is tarn.Verdict.NOT_SATISFIED and bad.query == MUTEX
    explored = tarn.load(FISCHER).check()
    assert explored and explored.verdict is tarn.Verdict.EXPLORED and explored.query is None


def test_queries_of_the_model(tmp_path: pathlib.Path) -> None:
    (tmp_path / "lamp.tck").write_text(LAMP)
    (tmp_path / "lamp.q").write_text("E<> Lamp.bright\nA[] n < 3\nA[] !Lamp.bright\n")
    model = tarn.load(tmp_path / "lamp.tck")
    assert model.queries == ["E<> Lamp.bright", "A[] n < 3", "A[] !Lamp.bright"]
    assert [bool(result) for result in model.check_all()] == [True, True, False]
    (tmp_path / "lamp.q").write_text("E<> Lamp.green\nE<> Lamp.bright\n")
    wrong, right = tarn.load(tmp_path / "lamp.tck").check_all()
    assert wrong.verdict is tarn.Verdict.REFUSED and "lamp.q:1" in (wrong.reason or "") and right


def test_runs_are_exact() -> None:
    model = tarn.loads(LAMP)
    result = model.check_labels("on", trace="concrete")
    run = result.run
    assert run is not None and run.is_concrete and len(run) == 2 and run.loop is None
    start, press, again = run.steps
    assert start.edges == () and start.time == 0 and start.locations == {"Lamp": "off"}
    assert press.variables == {"n": 1} and press.edges[0].event == "press"
    assert isinstance(again.delay, Fraction) and 1 < again.delay < 5
    assert again.time == press.delay + again.delay
    assert again.clocks == {"x": again.delay}
    assert run.end_time is not None and run.end_time >= again.time
    assert [where for _, where in run.states_of("Lamp")] == ["off", "low", "bright"]
    assert str(again) == "Lamp: low -> bright (press)"
    accepted = model.certify(result)
    assert accepted and "accepted" in accepted.finding


def test_symbolic_run() -> None:
    run = tarn.loads(LAMP).check("E<> Lamp.bright", trace="symbolic").run
    assert run is not None and not run.is_concrete
    assert run.steps[1].time is None and run.steps[2].zone


def test_options_are_of_one_check() -> None:
    model = tarn.loads(LAMP, trace="concrete")
    assert model.check("E<> Lamp.low").run is not None
    assert model.check("E<> Lamp.low", trace="none").run is None
    assert model.check("E<> Lamp.low").run is not None
    assert model.check("E<> Lamp.low", order="dfs", compact=True, engine="zones").engine == "zones"
    assert "time_limit" in tarn.options()
    with pytest.raises(tarn.Error, match="did you mean `order`"):
        model.check("E<> Lamp.low", ordr="dfs")


def test_certificates(tmp_path: pathlib.Path) -> None:
    model = tarn.load(FISCHER)
    proof = tmp_path / "proof.txt"
    assert model.check(MUTEX, certificate=proof)
    assert model.certify(proof).accepted
    proof.write_bytes(proof.read_bytes().replace(b"P1", b"P2", 1))
    try:
        assert not model.certify(proof).accepted
    except tarn.Error:
        pass  # not even readable


def test_errors_have_places() -> None:
    with pytest.raises(tarn.Error) as caught:
        tarn.loads("system:s\nprocess:P\nlocation:P:A{initial: : invariant: y < 3}\n")
    error = caught.value
    assert (error.file, error.line, error.column) == ("<text>", 3, 36)
    assert error.diagnostics[0].message == "`y` is not declared"
    assert error.diagnostics[0].excerpt.endswith("^")
    with pytest.raises(tarn.Error) as caught:
        tarn.loads(LAMP).check("E<> Lamp.brigth")
    assert caught.value.line == 1 and caught.value.column is not None
    with pytest.raises(tarn.Error, match="no-such-file"):
        tarn.load("no-such-file.tck")
    with pytest.raises(tarn.Error, match="language"):
        tarn.loads(LAMP, language="klingon")


UPPAAL = "process P() { clock x; state A, B; init A; trans A -> B { guard x > 2; }; }\nsystem P;\n"


def test_mistakes_in_queries(tmp_path: pathlib.Path) -> None:
    """They are errors, in UPPAAL's models, too: a verdict would be false like a failed property."""
    model = tarn.loads(UPPAAL, language="uppaal")
    with pytest.raises(tarn.Error, match="C") as caught:
        model.check("A[] !P.C")
    assert caught.value.line == 1
    assert model.check("E<> P.B")
    (tmp_path / "p.xta").write_text(UPPAAL)
    (tmp_path / "p.q").write_text("A[] !P.C\nE<> P.B\n")
    first, second = tarn.load(tmp_path / "p.xta").check_all()
    assert first.verdict is tarn.Verdict.REFUSED and first.reason and second


def test_warnings() -> None:
    model = "system:s\nprocess:P\nlocation:P:A{initial: : colour: red}\n"
    with pytest.warns(UserWarning, match="colour"):
        assert tarn.loads(model).check("A[] P.A")


def test_no_initial_state() -> None:
    empty = "system:s\nclock:1:x\nprocess:P\nlocation:P:A{initial: : invariant: x < 0}\n"
    with pytest.raises(tarn.Error, match="initial"):
        tarn.loads(empty).check("A[] P.A")


def test_misuse_raises() -> None:
    model = tarn.loads(LAMP)
    model.close()
    with pytest.raises(ValueError, match="closed"):
        model.check()
    with pytest.raises(ValueError, match="no model"):
        tarn.Model().check()
    with tarn.loads(LAMP) as other:
        assert other.check()


def large() -> tarn.Model:
    return tarn.loads(tarn.generate("fischer", 14, k=3), symmetry="off")


def test_limits() -> None:
    result = large().check(time_limit=1)
    assert result.verdict is tarn.Verdict.UNDECIDED and result.reason == "time limit"
    result = large().check(memory_limit=20)
    assert result.verdict is tarn.Verdict.UNDECIDED and result.reason == "memory limit"


def test_poll() -> None:
    began = time.monotonic()
    result = large().check(poll=lambda: time.monotonic() - began > 0.3)
    assert result.verdict is tarn.Verdict.UNDECIDED and time.monotonic() - began < 5

    def fails() -> bool:
        raise RuntimeError("from the callback")

    with pytest.raises(RuntimeError, match="from the callback"):
        large().check(poll=fails)


def test_poll_does_not_use_the_model() -> None:
    model = large()
    for use in (model.check, model.close, lambda: model.text):
        with pytest.raises(RuntimeError, match="`poll` uses"):
            model.check(poll=lambda: bool(use()))
    assert model.check("E<> P1.cs")


def test_threads_share_a_model() -> None:
    """One at a time: each gets the answer to its own question, with its own options."""
    model = tarn.loads(tarn.generate("fischer", 5), symmetry="off", engine="zones")
    questions = [("A[] !(P1.cs && P2.cs)", "bfs"), ("E<> P1.cs && P2.req", "dfs")] * 2
    answers: dict[int, set[tuple[object, ...]]] = {i: set() for i in range(len(questions))}

    def ask(i: int, query: str, order: str) -> None:
        for _ in range(20):
            result = model.check(query, order=order)
            asked = result.json["options"]["order"]
            answers[i].add((result.query, result.verdict, asked, result.stats["visited"]))
            assert "system:" in model.text and not model.queries
            assert model.random_run(3).steps

    threads = [threading.Thread(target=ask, args=(i, *q)) for i, q in enumerate(questions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(len(found) == 1 for found in answers.values())
    assert answers[0] == answers[2] and answers[1] == answers[3]
    for i, (query, order) in enumerate(questions):
        assert [entry[0::2][:2] for entry in answers[i]] == [(query, order)]


def test_interrupt() -> None:
    """Ctrl-C during a search raises KeyboardInterrupt, and the model can be used again."""
    program = (
        "import tarn, sys\n"
        "model = tarn.loads(tarn.generate('fischer', 14, k=3), symmetry='off')\n"
        "print('ready', flush=True)\n"
        "try:\n"
        "    model.check()\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', bool(model.check('E<> P1.cs')))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=30)
    assert out == "interrupted True\n" and err == "" and child.returncode == 0


def test_simulation() -> None:
    simulation = tarn.loads(LAMP).simulate()
    assert [c.transition for c in simulation.choices] == ["<Lamp.off->low> via press"]
    simulation.step(0, 2)
    choice = simulation.choices[0]
    assert (choice.low, choice.high, choice.low_strict, choice.high_strict) == (1, 5, True, True)
    simulation.step(choice, Fraction(5, 2))
    assert simulation.time == Fraction(9, 2)
    assert simulation.run.steps[-1].locations == {"Lamp": "bright"}
    simulation.back()
    with pytest.raises(tarn.Error, match="not possible after this delay"):
        simulation.step(choice, 7)
    assert choice.guard == "x > 1 && x < 5" and simulation.stuck is None
    assert len(tarn.loads(LAMP).random_run(20, seed=4)) == 20
    simulation.go(0)
    simulation.go(1)
    simulation.wait(Fraction(9, 2))
    assert simulation.choices[0].low == 0
    simulation.wait(4)
    assert simulation.stuck is not None and simulation.stuck.startswith("deadlock")


def test_writers() -> None:
    model = tarn.loads(LAMP)
    assert tarn.loads(model.text).text == model.text
    assert model.dot.startswith("digraph")
    model.check("E<> Lamp.bright", trace="concrete")
    assert model.html.rstrip().endswith("</html>")


def test_generate() -> None:
    assert tarn.generate("fischer", 3, k=7).startswith("#") or "system:" in tarn.generate("fischer")
    assert len(tarn.generate("fischer", 400)) > 1 << 16
    with pytest.raises(tarn.Error, match="fisher"):
        tarn.generate("fisher", 3)


def test_annotations() -> None:
    for kind in (tarn.Model, tarn.Result, tarn.Run, tarn.Step, tarn.Simulation):
        for name, member in vars(kind).items():
            if callable(member) and not name.startswith("_"):
                assert "return" in typing.get_type_hints(member), f"{kind.__name__}.{name}"


def test_example(tmp_path: pathlib.Path) -> None:
    """The sweep of the guide."""
    pytest.importorskip("matplotlib")
    picture = tmp_path / "sweep.png"
    environment = dict(os.environ, MPLBACKEND="Agg", MPLCONFIGDIR=str(tmp_path))
    done = subprocess.run(
        [sys.executable, str(ROOT / "python" / "examples" / "sweep.py"), str(picture)],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "k = 10" in done.stdout


LINK = """
clock x; int tries = 0;
process S() { state send { x <= 1 }, done; branchpoint b; init send;
trans send -> b { guard x >= 1; assign tries = tries + 1, x = 0; },
b -> done { probability 3; }, b -> send { probability 1; }; }
system S;
"""


def test_estimates() -> None:
    model = tarn.loads(LINK, "uppaal")
    result = model.check("Pr[<=1](<> S.done)")
    assert result.verdict is tarn.Verdict.ESTIMATED and result.estimate is not None
    assert result.estimate["lower"] <= 0.75 <= result.estimate["upper"]
    value, share, lower, upper = result.distribution()[-1]
    assert value <= 1 and lower < share < upper and abs(share - result.estimate["value"]) < 1e-5
    assert sum(bar[2] for bar in result.histogram()) == result.estimate["satisfied"]
    assert result.convergence()[0][0] == 1
    assert model.check("Pr[<=9](<> S.done) >= 0.9")
    courses = model.check("simulate [<=5; 2] { tries }").courses()
    assert len(courses["tries"]) == 2 and courses["tries"][0][0][0] == 0


def test_arrays() -> None:
    numpy = pytest.importorskip("numpy", reason="no numpy; tools/deps python installs it")
    model = tarn.loads(LINK, "uppaal")
    result = model.check("Pr[<=20; 500](<> S.done)")
    distribution, histogram, convergence = result.distribution(), result.histogram(), result.convergence()
    for array, columns in (distribution, 4), (histogram, 3), (convergence, 4):
        assert isinstance(array, numpy.ndarray) and array.dtype == float and array.shape[1] == columns and len(array)
    assert (numpy.diff(distribution[:, 0]) >= 0).all() and (numpy.diff(distribution[:, 1]) > 0).all()
    assert (distribution[:, 2] <= distribution[:, 1]).all() and (distribution[:, 1] <= distribution[:, 3]).all()
    assert histogram[:, 2].sum() == 500 and numpy.allclose(histogram[1:, 0], histogram[:-1, 1])
    assert (convergence[:, 2] <= convergence[:, 3]).all() and (numpy.diff(convergence[:, 0]) > 0).all()
    (course,) = model.check("simulate [<=5; 1] { tries }").courses()["tries"]
    assert isinstance(course, numpy.ndarray) and course.shape[1] == 2 and (numpy.diff(course[:, 0]) >= 0).all()
    # Columns are there without rows, too.
    never = model.check("Pr[<=20](<> tries < 0)")
    assert never.distribution().shape == (0, 4) and never.histogram().shape == (0, 3)
    assert model.check("A[] true").convergence().shape == (0, 4)


def test_lists_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    result = tarn.loads(LINK, "uppaal").check("Pr[<=20; 500](<> S.done)")
    for rows in result.distribution(), result.histogram(), result.convergence():
        assert type(rows) is list and type(rows[0]) is list
    courses = tarn.loads(LINK, "uppaal").check("simulate [<=5; 2] { tries }").courses()
    assert type(courses["tries"][0]) is list


def test_symbolic_simulation() -> None:
    simulation = tarn.loads(LAMP).simulate(symbolic=True)
    assert simulation.choices and simulation.zone
    simulation.step(0)
    with pytest.raises(tarn.Error):
        simulation.wait(1)
    assert simulation.randomly(10) == 10
    assert len(simulation.run.steps) == 12
    assert simulation.run.is_concrete


def test_constants_and_sweep() -> None:
    path = ROOT / "models" / "fischer-sizes.xta"
    model = tarn.load(path)
    small = model.with_constants(N=2)
    assert small.check("E<> P(2).cs")
    with pytest.raises(tarn.Error):
        model.with_constants(NOBODY=2)
    rows = tarn.sweep(path, {"N": range(2, 4), "WAIT": [9, 11]}, ["E<> P(1).cs", "sup: P(1).x"])
    assert [(row["N"], row["WAIT"]) for row in rows[::2]] == [(2, 9), (2, 11), (3, 9), (3, 11)]
    assert rows[0]["verdict"] == "satisfied" and rows[0]["seconds"] > 0


def test_numbers() -> None:
    model = tarn.loads(LAMP)
    (number,) = model.check("sup{Lamp.bright}: n").numbers
    assert (number.kind, number.value, number.strict, number.infinite) == ("sup", 1, False, False)
    (number,) = model.check("sup{Lamp.low && x < 3}: x").numbers
    assert number.value == 3 and number.strict
    (number,) = model.check("sup: x").numbers
    assert number.value is None and number.infinite


def test_runs_and_suites() -> None:
    model = tarn.load(ROOT / "models" / "coffee.xta")
    used: set[int] = set()
    runs = model.traces(9, "E<> Person.drinking")
    for run in runs:
        edges = {edge.index for step in run for edge in step.edges}
        assert edges - used
        used |= edges
    assert len(runs) == 4
    suite = model.cover()
    assert suite.percent == 100 and not suite.undecided and "100 % of the edges" in repr(suite)
    assert {e.index for run in suite.runs for step in run for e in step.edges} == set(range(12))
    with pytest.raises(tarn.Error):
        model.cover("words")


def test_mutants() -> None:
    model = tarn.load(ROOT / "models" / "lamp.xta")
    mutants = model.mutants()
    counts = [sum(m.status == s for m in mutants) for s in ("killed", "living", "equivalent")]
    assert len(mutants) == 36 and counts == [13, 19, 4]  # as `tarn mutate`
    first = mutants[0]
    assert first.killed_by == ["A[] Lamp.bright imply x >= 1"]
    assert repr(first) == "<10:16 target 'low' -> 'bright': killed>"
    assert "low -> bright" in model.mutants("edge", ["E<> Lamp.bright"])[0].text
    with pytest.raises(tarn.Error):
        model.mutants("edges")


def test_shown() -> None:
    result = tarn.loads(LAMP).check("E<> Lamp.bright", trace="concrete")
    assert repr(result) == "<E<> Lamp.bright: satisfied, run of 2 steps>"
    long = repr(tarn.loads(LAMP).check("E<> Lamp.bright &&\n" + " && ".join(["n < 3"] * 40)))
    assert len(long) < 100 and "\n" not in long
    assert "<svg" in result._repr_html_() and "satisfied" in result._repr_html_()
