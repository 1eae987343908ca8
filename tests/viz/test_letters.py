"""Lone surrogates and huge sizes: recordings escape them, readers reject them."""

import json
import linecache
from typing import Any

import pytest

import minipaddle as paddle
import viz
from tests.each import each
from viz.trace import Trace

from ..contract.refusal import refuses

HALF = "half \ud800\udfff 名"
SPELLED = "half \\ud800\\udfff 名"
CODE = "def work(paddle, x):\n    return paddle.tanh(x)  # \udcff\n"
FILE = "/nowhere/odd\udcff.py"
BEGINS = {
    ".json": b"{", ".txt": b"half", ".html": b"<!DOCTYPE html>", ".svg": b"<svg",
    ".png": b"\x89PNG", ".pdf": b"%PDF", ".gif": b"GIF89a", ".dot": b"digraph",
}  # fmt: skip


@pytest.fixture(scope="module")
def trace() -> Trace:
    """Record a lone surrogate in the title, a name, a line of code, a file name, and an error."""
    linecache.cache[FILE] = (len(CODE), None, CODE.splitlines(keepends=True), FILE)
    space: dict[str, Any] = {}
    exec(compile(CODE.replace("\udcff", "x"), FILE, "exec"), space)

    def work() -> None:
        held = [paddle.ones([2])]  # no variable has it, so it keeps its own name
        held[0].name, held[0].stop_gradient = HALF, False
        space["work"](paddle, held[0]).sum().backward()
        raise ValueError(HALF)

    with pytest.raises(ValueError, match="half"), viz.record(HALF) as trace:
        work()
    return trace


def test_a_recording_escapes_lone_surrogates(trace: Trace) -> None:
    assert trace.title == SPELLED
    assert trace.ended is not None
    assert trace.ended.message == SPELLED
    assert any(SPELLED in step.text for step in trace.steps)
    (odd,) = [source for source in trace.sources if "odd" in source.name]
    assert odd.name == "odd\\udcff.py"
    assert odd.lines[1].endswith("# \\udcff")


def test_every_file_escapes_lone_surrogates(trace: Trace, tmp_path: Any) -> None:
    for ending, begin in BEGINS.items():
        steps = [0, 1] if ending == ".gif" else None
        path = trace.save(tmp_path / f"trace{ending}", steps=steps)
        content = path.read_bytes()
        assert content.startswith(begin), ending
        if ending in (".txt", ".html"):
            assert "half" in content.decode("utf-8")
        if ending == ".json":
            assert viz.load(path) == trace


def document() -> dict[str, Any]:
    with viz.record("x") as trace:
        x = paddle.ones([2])
        x.stop_gradient = False
        (x * 2).sum().backward()
    loaded: dict[str, Any] = json.loads(trace.dumps())
    return loaded


@each(
    "place",
    [
        ("title",),
        ("sources", 0, "name"),
        ("sources", 0, "lines", 0),
        ("events", 0, "op"),
        ("names", 0, 2),
    ],
)
def test_lone_surrogates_in_a_file_are_errors(place: tuple[Any, ...], tmp_path: Any) -> None:
    hostile = document()
    at: Any = hostile
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = "half \ud800"
    (tmp_path / "t.json").write_text(json.dumps(hostile))
    with refuses(ValueError, "not a usable trace: a text is wrong", "whole letters", "\\ud800"):
        viz.load(tmp_path / "t.json")


@each(
    ("shape", "words"),
    [
        ([1] * 65, "at most 64 sizes"),
        ([10**18] * 1_000_000, "at most 64 sizes"),
        ([0, 2**63], "a size that memory can have"),
        ([0, 2**40, 2**40], "a size that memory can have"),
        ([0, 2**64], "a list of whole numbers"),
    ],
    ids=["axes", "many axes", "a size", "a product", "a number"],
)
def test_shapes_that_no_array_can_have_are_errors(shape: list[int], words: str) -> None:
    hostile = document()
    hostile["values"][0] |= {"shape": shape, "data": None}
    with refuses(ValueError, "values[0].shape is wrong", words):
        Trace(hostile)


@each("ending", BEGINS)
def test_every_file_takes_an_empty_array_of_a_huge_shape(ending: str, tmp_path: Any) -> None:
    """Finite differences must not allocate the product of its sides."""
    hostile = document()
    for value in hostile["values"]:
        if value["shape"] == [2]:
            value |= {"shape": [0, 10**12], "data": [], "stats": {"size": 0}}
    trace = Trace(hostile)
    assert "[0, 1000000000000]" in trace.text()
    assert trace.save(tmp_path / f"trace{ending}").stat().st_size


def test_an_empty_product_that_would_fill_the_memory_is_not_measured(tmp_path: Any) -> None:
    with viz.record() as recorded:
        a, b = paddle.ones([3, 0]), paddle.ones([0, 3])
        a.stop_gradient = False
        paddle.matmul(a, b).sum().backward()
    hostile = json.loads(recorded.dumps())
    for value in hostile["values"]:
        if value["shape"] == [3, 0]:
            value |= {"shape": [10**12, 0], "data": None, "stats": {"size": 0}}
        elif value["shape"] == [0, 3]:
            value |= {"shape": [0, 10**12], "data": []}
    assert Trace(hostile).save(tmp_path / "a.html").stat().st_size


def test_printed_and_shown_texts_escape_lone_surrogates(trace: Trace) -> None:
    texts = [repr(trace), trace.text(), trace.text("zh"), str(trace.statistics())]
    texts += [trace.graphviz().source, json.dumps(trace._repr_mimebundle_(), ensure_ascii=False)]
    for text in texts:
        assert text.encode("utf-8")
    assert "\\ud800" in texts[1]
