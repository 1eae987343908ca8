"""The trace document is canonical and complete, saved whole, and checked when loaded."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument, NotFound
from tests.each import each
from viz.trace import Trace

from ..contract.refusal import refuses
from . import programs

ROOT = Path(__file__).parents[2]


# ----- the same bytes ----------------------------------------------------------------------------


def test_sources_are_relative_to_the_working_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (source,) = programs.fan_in().sources
    assert source.name == "tests/viz/programs.py"


# ----- values ------------------------------------------------------------------------------------


def test_float32_keeps_its_short_digits_and_nan_and_infinity_are_text() -> None:
    x = paddle.to_tensor(np.array([0.1, np.nan, np.inf, -np.inf], "float32"))
    with viz.record() as trace:
        x + x
    value = trace.document["values"][0]
    assert value["data"] == [0.1, "nan", "inf", "-inf"]
    assert value["stats"] == {
        "min": 0.1,
        "max": 0.1,
        "mean": pytest.approx(0.1),
        "std": 0.0,
        "nan": 1,
        "inf": 2,
        "zeros": 0,
        "size": 4,
    }
    json.loads(trace.dumps(), parse_constant=pytest.fail)


# ----- loading -----------------------------------------------------------------------------------


@each(
    ("content", "told"),
    [
        (b"", "an empty file"),
        (b"{", "JSONDecodeError"),
        (b"\xff\xfe\x00", "UnicodeDecodeError"),
        (b'{"a": NaN}', "NaN is not a JSON number"),
        (b"[" * 200_000, "RecursionError"),
        (b'{"a":' * 50_000, "RecursionError"),
        (b"1" * 5000, "ValueError"),
        (b'{"format":"minipaddle-trace","version":1e999}', "ValueError"),
    ],
)
def test_a_file_without_json_is_an_error(content: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with refuses(InvalidArgument, "it is not valid JSON", told, "to do"):
        viz.load(path)


def test_a_foreign_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"format": "something-else"}')
    with refuses(InvalidArgument, "not a trace of minipaddle", "received  something-else"):
        viz.load(path)


def test_another_version_is_an_error() -> None:
    document = programs.fan_in().document
    for version, told in (
        (2, "load it with the minipaddle that wrote it"),
        ("1", "record the trace"),
    ):
        with refuses(InvalidArgument, "another version", told):
            Trace({**document, "version": version})


MISSING = object()


@each(
    ("where", "wrong", "told"),
    [
        (("values", 0, "shape"), [9], r"values\[0\].data is wrong"),
        (("values", 0, "data"), [[1, 2, "x"], [1, 2]], r"values\[0\].data is wrong"),
        (("values", 0, "stats"), [], r"values\[0\].stats is wrong"),
        (("values", 0, "stats", "size"), "5", r"values\[0\].stats.size is wrong"),
        (("values", 0, "data"), MISSING, r"values\[0\].data is wrong"),
        (("ended",), MISSING, "ended is wrong"),
        (("events", 0, "inputs"), 7, r"events\[0\].inputs is wrong"),
        (("events", 0, "call"), "1", r"events\[0\].call is wrong"),
        (("events", 0, "event"), 5, r"events\[0\].event is wrong"),
        (("events", 0, "place"), [99, 1, "f"], r"events\[0\].place is wrong"),
        (("events", 0, "inputs", 0, "value"), 10**9, r"events\[0\].inputs.*value is wrong"),
        (("sources", 0, "lines"), [1], r"sources\[0\].lines\[0\] is wrong"),
        (("names",), [["a", "b"]], r"names\[0\] is wrong"),
        (("layers",), ["Linear_0"], "layers is wrong"),
        (("layers",), {"Linear_0": 3}, r"layers\.Linear_0 is wrong"),
        (("ended",), 1, "ended is wrong"),
        (("title",), None, "title is wrong"),
    ],
)
def test_an_error_names_the_wrong_field(where: Any, wrong: Any, told: str) -> None:
    document = json.loads(programs.fan_in().dumps())
    at = document
    for key in where[:-1]:
        at = at[key]
    if wrong is MISSING:
        del at[where[-1]]
    else:
        at[where[-1]] = wrong
    with pytest.raises(InvalidArgument, match=told):
        Trace(document)


# ----- saving ------------------------------------------------------------------------------------


def test_an_unknown_ending_is_named(tmp_path: Path) -> None:
    with refuses(InvalidArgument, "the ending .xyz is not known", ".html"):
        programs.fan_in().save(tmp_path / "t.xyz")
    with pytest.raises(InvalidArgument, match="the name has no ending"):
        programs.fan_in().save(tmp_path / "t")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_and_a_folder_as_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="its folder does not exist"):
        programs.fan_in().save(tmp_path / "no" / "t.json")
    (tmp_path / "t.json").mkdir()
    with pytest.raises(InvalidArgument, match="it is a folder"):
        programs.fan_in().save(tmp_path / "t.json")


# ----- reading -----------------------------------------------------------------------------------


def test_dot_lays_out_a_picture_where_its_program_is(tmp_path: Path) -> None:
    if shutil.which("dot") is None:
        pytest.skip("the Graphviz program dot is not installed")
    picture = programs.ALL[0]().save(tmp_path / "t.svg", engine="dot").read_text()
    assert "Generated by graphviz" in picture


def test_nothing_is_written_without_dot(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotFound, match="no `dot` program"):
        programs.ALL[0]().save(tmp_path / "t.svg", engine="dot")
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_layout_engine_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="there is no layout engine 'neato'"):
        programs.ALL[0]().save(tmp_path / "t.svg", engine="neato")


# ----- Documents of earlier versions -------------------------------------------------------------


TRACES = Path(__file__).parents[1] / "data" / "traces"
STEPS = {
    "chain": (22, "tanh squashes x = 0.3 into (−1, 1), giving y = 0.2913."),
    "pylayer": (15, "TwoWays.forward is called with a = u [2, 3] and b = v [2, 3]."),
    "control": (30, "Operator 0, reduce_max, is added to the Program: it will compute max_0.tmp_0"),
    "program": (32, "Operator 0, mul, is added to the Program: it will compute fc_0.tmp_0 [2, 2]"),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_stored_trace_is_read_as_it_was(name: str, tmp_path: Path) -> None:
    file = TRACES / f"{name}.json"
    trace = viz.load(file)
    count, first = STEPS[name]
    assert len(trace) == count
    assert trace.say(0).startswith(first)
    assert trace.dumps() == file.read_text(encoding="utf-8")
    for ending in ("html", "svg", "txt", "dot"):
        assert trace.save(tmp_path / f"{name}.{ending}").stat().st_size > 500


def test_a_branch_and_a_loop_of_a_trace_without_their_inside_are_closed_boxes() -> None:
    trace = viz.load(TRACES / "control.json")
    told = [step.text for step in trace.story.steps if step.kind == "execute"]
    texts = [text.en for text in told]
    assert any(text.startswith("big is true, so cond runs true_fn:") for text in texts)
    assert any(text.startswith("while repeats its body until its") for text in texts)
    assert any(text.startswith("cond_grad goes back through the function") for text in texts)
    assert any(text.zh.startswith("big 为真，cond 执行 true_fn：") for text in told)
    assert not trace.story.graph.groups
