"""Sweeps and pictures on executors give what they give one after the other."""

import importlib
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import static
from minipaddle.engine.errors import InvalidArgument, NotFound
from tests.each import each
from viz.sweeps import recorded

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "many.md").read_text(encoding="utf-8")
RATES, RANKS = re.findall(r"^```python\n(.+?)^```$", PAGE, re.MULTILINE | re.DOTALL)
[PRINTED] = re.findall(r"^```text\n(.+?)^```$", PAGE, re.MULTILINE | re.DOTALL)
# Python 3.12 warns when a process with threads is forked; those of pytest-xdist have threads.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


def train(rate: float) -> None:
    """Two steps of a layer whose weights are drawn."""
    layer = paddle.nn.Linear(2, 1)
    optimizer = paddle.optimizer.SGD(rate, parameters=layer.parameters())
    for _ in range(2):
        loss = layer(paddle.randn([4, 2])).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()


def compute(number: float) -> None:
    """Compute in static mode, and leave it on."""
    paddle.enable_static()
    x = static.data("x", [1, 2], "float32")
    y = static.nn.fc(x * number, 1)
    executor = static.Executor()
    executor.run(static.default_startup_program())
    executor.run(feed={"x": np.ones([1, 2], "float32")}, fetch_list=[y])


def fail(number: int) -> None:
    """Raise for 1."""
    paddle.ones([2 + number]) + paddle.ones([2])


@pytest.fixture
def trace() -> viz.Trace:
    """Return a small trace."""
    return recorded(train, 0.1, 0, {})


def test_a_trace_reaches_another_process_unchanged(trace: viz.Trace) -> None:
    for one in (trace, trace.what_if({("lr", 0): 0.5}), trace.round(1)):
        again = pickle.loads(pickle.dumps(one))
        assert again.dumps() == one.dumps()
        assert again.text() == one.text()


@each("run", [train, compute])
def test_each_run_of_a_sweep_equals_a_run_in_a_new_process(run: Callable[[float], None]) -> None:
    values = [0.1, 0.5, 0.1]
    traces = viz.sweep(run, values)
    with ThreadPoolExecutor(1) as one_after_the_other:
        again = viz.sweep(run, values, executor=one_after_the_other)
        assert one_after_the_other.submit(paddle.in_dynamic_mode).result()
    assert paddle.in_dynamic_mode()
    assert [one.dumps() for one in traces] == [one.dumps() for one in again]
    first, other, same = traces
    assert first.dumps() == same.dumps() != other.dumps()
    paddle.seed(0)
    alone = viz.record()(run)
    try:
        alone(0.1)
    finally:
        paddle.disable_static()
    assert first.dumps() == alone.trace.dumps()  # type: ignore[attr-defined]


def test_a_sweep_takes_a_seed_and_what_record_takes() -> None:
    (chosen,) = viz.sweep(train, [0.1], seed=1, rounds=[1])
    (usual,) = viz.sweep(train, [0.1])
    assert [one.loss for one in chosen.rounds] != [one.loss for one in usual.rounds]
    assert len(chosen.chapters) < len(usual.chapters)


def test_an_error_of_a_run_reaches_the_caller() -> None:
    with pytest.raises(InvalidArgument, match=r"\[3\]"):
        viz.sweep(fail, [0, 1])


def test_a_function_that_cannot_be_sent_is_named() -> None:
    with pytest.raises(InvalidArgument, match=r"cannot hand .*<lambda> to other proc"):
        viz.sweep(lambda rate: None, [0.1])


def test_pictures_made_in_parallel_equal_those_made_one_by_one(
    trace: viz.Trace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = trace.save(tmp_path / "kept.json")
    monkeypatch.setattr("viz.language._chosen_lang", "zh")
    alone = trace.save(tmp_path / "alone.svg", values=True).read_bytes()
    paths = viz.save_all(
        {tmp_path / "a.svg": trace, str(tmp_path / "b.svg"): str(kept)}, values=True
    )
    assert paths == [tmp_path / "a.svg", tmp_path / "b.svg"]
    assert [path.read_bytes() for path in paths] == [alone, alone]
    assert "前向" in alone.decode()


def test_an_impossible_file_name_leaves_nothing_written(trace: viz.Trace, tmp_path: Path) -> None:
    for name, error in (("b.xyz", InvalidArgument), (Path("gone", "b.svg"), NotFound)):
        with pytest.raises(error, match="cannot save to"):
            viz.save_all({tmp_path / "a.svg": trace, tmp_path / name: trace})
    assert list(tmp_path.iterdir()) == []


def test_an_error_of_a_picture_reaches_the_caller(trace: viz.Trace, tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="cannot draw a picture of these steps"):
        viz.save_all({tmp_path / "a.svg": trace}, steps=[10**6])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which the programs of the page are and run."""
    for name, code in (("rates.py", RATES), ("ranks.py", RANKS)):
        (tmp_path / name).write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


@pytest.mark.slow
def test_the_page_prints_what_it_says(folder: Path) -> None:
    done = subprocess.run([sys.executable, "rates.py"], capture_output=True, text=True, check=True)
    assert done.stdout == PRINTED


@pytest.mark.slow
@pytest.mark.ranks
def test_ranks_of_mpi_give_the_same(
    folder: Path, with_ranks: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_ranks(3, "ranks.py")
    monkeypatch.syspath_prepend(folder)
    rates = importlib.import_module("rates")
    for rate, trace in zip(rates.RATES, viz.sweep(rates.train, rates.RATES), strict=True):
        trace.save(f"here {rate}.svg")
    for rate in ("0.01", "0.03", "0.1"):
        assert Path(f"{rate}.svg").read_bytes() == Path(f"here {rate}.svg").read_bytes()
