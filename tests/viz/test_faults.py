"""An error as a picture: a table of shapes, advice, and repairs that were tried."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import nn, static
from minipaddle.engine import modes
from minipaddle.engine.errors import InvalidArgument
from minipaddle.engine.visible import make_visible
from minipaddle.messages import Text
from tests.each import each
from tests.static.world import fresh
from viz.draw.transcript import fault_lines
from viz.model import Fault
from viz.player.book import book_of
from viz.player.payload import payload_of
from viz.story.faults.call import Argument, FailedCall
from viz.story.faults.repairs import ROOM, repairs_of
from viz.terminal.stepper import Stepper

F = nn.functional


def numbers(*shape: int, dtype: str = "float32") -> Any:
    return paddle.to_tensor(np.arange(np.prod(shape)).reshape(shape).astype(dtype))


def failing(run: Callable[[], Any], **options: Any) -> viz.Trace:
    """Record a failing call and return its trace."""
    with pytest.raises(Exception, match=r"."), viz.record(**options) as trace:
        run()
    return trace


def fault_in(trace: viz.Trace) -> Fault:
    """Return the fault of the last step of a trace."""
    fault = trace.story.steps[-1].fault
    assert fault is not None
    return fault


def text_of(trace: viz.Trace, lang: str = "en") -> str:
    return "\n".join(fault_lines(fault_in(trace), lang))


def broadcast() -> viz.Trace:
    h, b = numbers(4, 3), numbers(4)
    return failing(lambda: h + b, variables={"h": h, "b": b})


def product() -> viz.Trace:
    h, w = numbers(4, 3), numbers(2, 3)
    return failing(lambda: h @ w, variables={"h": h, "w": w})


# ----- texts -------------------------------------------------------------------------------------


def test_an_operator_that_a_program_rejects_is_drawn() -> None:
    with fresh():
        x, w = static.data("x", [4, 3]), static.data("w", [2, 3])
        trace = failing(lambda: paddle.tanh(x) @ w)
    assert "tried: tanh_0.tmp_0 @ w.t() gives [4, 2]" in text_of(trace)
    edges = {(edge.source, edge.target) for edge in trace.story.graph.edges}
    assert {target for _, target in edges if "refused" in target} == {"p1.refused1"}
    assert len([source for source, target in edges if target == "p1.refused1"]) == 2
    assert viz.trace.Trace(trace.document).text() == trace.text()


def test_an_error_of_the_users_code_has_a_line_and_no_table() -> None:
    def run() -> None:
        numbers(2) * 2.0
        raise ValueError("mine")

    trace = failing(run)
    assert trace.story.note
    assert trace.steps[-1].text == "It stops here with ValueError: mine."
    assert trace.steps[-1].line is not None
    assert [kind for kind, _ in fault_in(trace).told] == ["where"]
    assert not fault_in(trace).rows


def test_parts_of_a_message_are_recorded_and_never_read_from_its_text() -> None:
    inner = InvalidArgument("no.", received="this is not the answer", fix="nor this")

    def run() -> None:
        raise InvalidArgument(f"no.\n{inner}", expected="a\n  received  b", fix=Text("do", "做"))

    trace = failing(run)
    told = [("expected", "a\n  received  b", "a\n  received  b"), ("todo", "do", "做")]
    assert [(kind, text.en, text.zh) for kind, text in fault_in(trace).told] == told
    again = fault_in(viz.trace.Trace(trace.document))
    assert [(kind, text.en, text.zh) for kind, text in again.told] == told


def test_an_exception_without_a_message_is_named_by_its_class() -> None:
    with pytest.raises(KeyboardInterrupt), viz.record() as trace:  # noqa: PT012
        numbers(2) * 2.0
        raise KeyboardInterrupt
    assert trace.steps[-1].text == "It stops here with KeyboardInterrupt."
    assert tuple(trace.story.note) == ("KeyboardInterrupt", "KeyboardInterrupt")


def test_no_control_character_of_an_exception_reaches_a_terminal() -> None:
    hostile = "\x1b]0;owned\x07\r\u202e" + "y" * 10**6

    def run() -> None:
        paddle.tanh(numbers(1))
        raise ValueError(hostile)

    trace = failing(run, title=f"a {hostile}")
    last = trace.steps[-1]
    for text in (repr(trace), trace.text(), trace.text("zh"), repr(last), last.text):
        assert "owned" in text
        assert make_visible(text, keep="\n") == text
        assert len(text) < 30_000


# ----- repairs -----------------------------------------------------------------------------------


def call(name: str, *shapes: tuple[int, ...], **attrs: Any) -> FailedCall:
    return FailedCall(name, [Argument("xyz"[k], s, "float32") for k, s in enumerate(shapes)], attrs)


def test_nothing_is_tried_that_is_too_large() -> None:
    assert [r.code for r in repairs_of(call("matmul", (4, 3), (2, 3)))] == ["x @ y.t()"]
    assert repairs_of(call("matmul", (ROOM, 3), (2, 3))) == []
    outer = call("add", (ROOM // 4,), (ROOM // 4 - 1,))
    assert repairs_of(outer) == []  # x.unsqueeze(1) + y would be too large, and is not made


def test_a_tried_repair_changes_no_state() -> None:
    trace = product()
    paddle.seed(3)
    state = paddle.get_rng_state()
    heard: list[Any] = []
    with fresh() as (main, _):
        with paddle.no_grad(), viz.record() as other:
            assert "tried" in trace.text()
        heard += other.events
        assert not main.global_block().ops
    assert not heard
    assert str(paddle.get_rng_state()) == str(state)
    assert modes.here() is modes.PLAIN


def test_only_repairs_that_ran_are_suggested(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arrays: Any) -> Any:
        raise ValueError("a kernel that fails although the shapes fit")

    trace = product()
    monkeypatch.setattr("viz.whatif.revive.Forward", lambda *_given: broken)
    assert "tried" not in text_of(trace)


# ----- exports -----------------------------------------------------------------------------------


@each(("lang", "expected", "error"), [("en", "expected", "error"), ("zh", "要求", "出错")])
def test_every_export_shows_the_table_and_the_error(
    lang: str, expected: str, error: str, tmp_path: Path
) -> None:
    trace = broadcast()
    svg = trace.save(tmp_path / "a.svg", lang=lang).read_text(encoding="utf-8")
    for row in ("h + b.unsqueeze(1)", expected, trace.say(len(trace) - 1, lang)[:12]):
        assert row in svg
    assert error in trace.save(tmp_path / "a.dot", lang=lang).read_text(encoding="utf-8")
    slide = trace.save(tmp_path / "b.svg", aspect="16:9", lang=lang).read_text(encoding="utf-8")
    assert "b.unsqueeze(1)" in slide
    for ending in (".png", ".gif"):
        assert trace.save(tmp_path / f"a{ending}", lang=lang).stat().st_size > 1000


def test_a_page_opens_at_the_failing_step(tmp_path: Path) -> None:
    trace = broadcast()
    last = len(trace) - 1
    page = trace.save(tmp_path / "a.html").read_text(encoding="utf-8")
    assert f'"step":{last}' in page
    assert trace.opens_at == Stepper(trace).step == last
    assert Stepper(trace, step=0).step == 0
    faults = payload_of(trace.story)["faults"]
    assert faults[str(last)]["rows"][1]["clash"] == [1]
    with viz.record() as healthy:
        paddle.tanh(numbers(2))
    assert healthy.opens_at == 0


# ----- random programs ---------------------------------------------------------------------------


def random_call(draw: random.Random) -> Any:
    """Return a random call, most of which fail."""
    sizes = [1, 2, 3, 4]

    def tensor() -> Any:
        shape = [draw.choice(sizes) for _ in range(draw.randint(0, 4))]
        dtype = draw.choice(["float32", "float64", "int64", "bool"])
        x = paddle.ones(shape, dtype)
        x.stop_gradient = draw.random() < 0.5 or not dtype.startswith("float")
        return x

    x, y, axis = tensor(), tensor(), draw.randint(-5, 5)
    calls: list[Callable[[], Any]] = [
        lambda: x + y,
        lambda: x @ y,
        lambda: paddle.where(x > 0, x, y),
        lambda: x.reshape([draw.choice([*sizes, 0, -1]) for _ in range(draw.randint(0, 4))]),
        lambda: paddle.concat([x, y, x], axis=axis),
        lambda: paddle.stack([x, y], axis=axis),
        lambda: x.sum(axis=axis),
        lambda: paddle.transpose(x, [draw.randint(-3, 3) for _ in range(draw.randint(0, 4))]),
        lambda: F.softmax(x, axis=axis),
        lambda: F.conv2d(x, y),
        lambda: F.embedding(x, y),
        lambda: F.cross_entropy(x, y),
        lambda: F.layer_norm(x, [draw.choice(sizes)]),
        lambda: paddle.bmm(x, y),
        lambda: x[axis],
        lambda: paddle.gather(x, y, axis=axis),
        lambda: paddle.einsum("ij,jk->ik", x, y),
        lambda: (x * 2.0).backward(y),
        lambda: F.linear(x, y, x),
        lambda: paddle.split(x, draw.randint(0, 5), axis=axis),
    ]
    return draw.choice(calls)()


@each("seed", range(8), quick=3)
def test_random_failures_are_drawn_without_a_second_error(seed: int) -> None:
    draw, failed = random.Random(seed), 0
    for _ in range(25):
        try:
            with viz.record() as trace:
                random_call(draw)
        except Exception:  # noqa: BLE001
            failed += 1
        if not trace.ended:
            continue
        assert trace.steps[-1].kind == "error"
        for lang in ("en", "zh"):
            assert trace.text(lang)
        assert viz.trace.Trace(trace.document).text() == trace.text()
        book_of(trace)
        assert modes.here() is modes.PLAIN
    assert failed
