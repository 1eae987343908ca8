"""Gradients are compared with finite differences: they agree, differ, or cannot be measured."""

from dataclasses import replace

import numpy as np

import minipaddle as paddle
import viz
from minipaddle.autograd import PyLayer
from minipaddle.ops import REGISTRY
from tests.each import each
from viz.model import Shown
from viz.player.payload import payload_of
from viz.story import finite_differences as fd
from viz.story.finite_differences import MOST, measure, sentence_about

from ..samples import Product, pylayer
from . import programs, stories


class Wrong(PyLayer):
    """A square whose backward forgets the factor of two, for one element only."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        return dy * x * paddle.to_tensor([[2.0, 2.0, 2.0], [2.0, 1.0, 2.0]], dtype=x.dtype)


class ByHand(PyLayer):
    """A PyLayer that computes with NumPy, of which no op is recorded."""

    @staticmethod
    def forward(ctx, x):
        return paddle.to_tensor(x.numpy() * 2)

    @staticmethod
    def backward(ctx, dy):
        return dy * 2


def unchanged(ctx, x):
    """Return the input as a new tensor."""
    ctx.mark_not_inplace(x)
    return x


Unchanged = pylayer(unchanged, lambda ctx, dy: dy * 10, "Unchanged")
# It has tensors in the memory of others, which no op makes.
Detached = pylayer(lambda ctx, x: (x.detach() * 2).detach(), lambda ctx, dy: dy * 2)


def recorded(function, *rows: object) -> viz.Trace:
    inputs = [programs.leaf(item) for item in rows] or [programs.leaf()]
    with viz.record() as trace:
        function(*inputs).sum().backward()
    return trace


def probed(trace: viz.Trace) -> list[Shown]:
    """Return the values of a story that can be measured."""
    return [s for step in trace.story.steps for s in step.shown if s.probe is not None]


def found(trace: viz.Trace) -> list[tuple[str, object]]:
    return [(shown.name, measure(shown.probe)) for shown in probed(trace)]


def sentence(trace: viz.Trace, lang: str = "en") -> str:
    shown = probed(trace)[-1]
    about = sentence_about(measure(shown.probe), shown.probe, shown.name)
    return about.of(lang)


# ----- agreement ---------------------------------------------------------------------------------


@each("make", [p for p in programs.ALL if p not in (programs.nested, programs.program)])
def test_right_gradients_agree_with_slopes(make):
    results = found(make())
    assert results
    for name, result in results:
        assert result.agrees is True, (name, result)


@each(
    "function",
    [
        lambda x: paddle.nn.functional.softmax(x) * x,
        lambda x: paddle.concat([x, x * x], axis=1),
        lambda x: x.astype("float32").exp(),
        lambda x: x[0] * x[1, 1:2],
        lambda x: x.T @ x,
    ],
)
def test_gradients_of_op_families_agree_with_slopes(function):
    results = [result for _, result in found(recorded(function))]
    measurable = [r for r in results if r.agrees is not None]
    assert measurable
    assert all(r.agrees for r in measurable), results


# ----- differences -------------------------------------------------------------------------------


def test_a_wrong_backward_is_found_with_its_element():
    trace = recorded(Wrong.apply)
    result = found(trace)[-1][1]
    assert result.agrees is False
    assert result.worst == (1, 1)
    assert result.got == 0.25
    for lang in (0, 1):
        for part in ("dx[1, 1]", "0.25", "Wrong", "0.5"):
            assert part in sentence(trace, lang)


def test_tensors_in_the_memory_of_others_are_followed_through_a_forward():
    wrong = found(recorded(Unchanged.apply))[-1][1]
    assert (wrong.agrees, wrong.got) == (False, 10.0)
    np.testing.assert_allclose(wrong.slopes, 1)
    assert sentence(recorded(Unchanged.apply, 2.0)).startswith("Unchanged.backward returns 10")
    assert found(recorded(Detached.apply))[-1][1].agrees is True


def test_a_corner_is_named_and_is_no_difference():
    trace = recorded(paddle.nn.functional.relu, [-1.0, 0.0, 2.0])
    result = found(trace)[-1][1]
    assert result.corners == ((1,),)
    assert result.agrees is True
    assert "1 element left out" in sentence(trace)
    assert sentence(trace).isascii()


def test_a_single_number_may_be_a_corner():
    result = found(recorded(paddle.nn.functional.relu, 0.0))[-1][1]
    assert (result.corners, result.agrees) == (((),), True)


# ----- reasons for no measurement ----------------------------------------------------------------


@each(
    ("function", "rows", "reason"),
    [
        (
            lambda x: paddle.nn.functional.dropout(x, 0.5),
            programs.ROWS,
            fd.RANDOM.fill(about="dropout"),
        ),
        (ByHand.apply, programs.ROWS, fd.IN_PYTHON),
        (paddle.tanh, np.zeros(MOST + 1), fd.TOO_LARGE),
        (paddle.log, [0.0, 1.0], fd.ODD),
        (lambda x: x[0], [1.0, float("nan")], fd.ODD_INPUT),
        (lambda x: Product.apply(x, x), programs.ROWS, fd.TWICE),
    ],
)
def test_an_unmeasured_gradient_has_a_reason(function, rows, reason):
    trace = recorded(function, rows)
    results = [r for _, r in found(trace) if r.slopes is None]
    assert reason.template in [r.reason.template for r in results], results
    assert all(sentence_about(results[0], None, "dx"))


def test_the_function_of_a_py_func_is_not_called_again_and_the_step_says_so(tmp_path):
    calls = []

    def square(x):
        calls.append(1)
        return np.array(x) ** 2

    with stories.programs() as (main, _):
        x = paddle.static.data("x", [2, 3])
        x.stop_gradient = False
        y = main.global_block().create_var(name="y", shape=[2, 3], dtype="float32")
        wrong = lambda x, y, dy: np.array(dy) * np.array(y)  # noqa: E731
        paddle.static.py_func(square, x, y, backward_func=wrong)
        paddle.static.append_backward(paddle.mean(y))
        with viz.record() as trace:
            paddle.static.Executor().run(main, {"x": np.array(programs.ROWS, "float32")}, [y])
    for lang in ("en", "zh"):
        (told,) = viz.slopes(trace, lang).splitlines()
        assert "square" in told
        assert "paddle.testing.check_grad" in told
    assert [finding.name for finding in viz.slopes(trace).findings] == ["x@GRAD"]
    viz.load(trace.save(tmp_path / "t.json")).problems()
    assert len(calls) == 1


def test_measuring_draws_no_random_number():
    trace = recorded(lambda x: paddle.nn.functional.dropout(x, 0.5))
    state = paddle.get_rng_state()
    viz.slopes(trace)
    assert str(paddle.get_rng_state()) == str(state)


def test_the_time_for_measuring_is_limited():
    assert measure(probed(programs.tanh())[-1].probe, room=3).reason == fd.NO_ROOM


def test_a_damaged_file_cannot_ask_for_a_huge_array(monkeypatch):
    trace = recorded(lambda x: paddle.tile(x, [2, 1]), np.ones([2, 3]))
    probe = next(shown.probe for shown in probed(trace) if shown.probe.name == "tile")
    assert measure(probe).agrees
    (op,) = probe.ops
    made = []
    monkeypatch.setattr(REGISTRY["tile"], "kernel", lambda *args, **attrs: made.append(attrs))
    huge = replace(op, attrs={**op.attrs, "repeat_times": (10**9, 10**9)})
    measured = measure(replace(probe, ops=(huge,)))
    assert measured.reason == fd.TOO_LARGE
    assert not made


def test_a_page_names_only_unmeasured_gradients():
    assert payload_of(recorded(Wrong.apply).story)["unmeasured"] is None
    told = payload_of(recorded(ByHand.apply).story)["unmeasured"]
    assert "dx" in told["en"]
    assert "dx" in told["zh"]


# ----- output ------------------------------------------------------------------------------------


def test_slopes_are_data_of_a_trace():
    with viz.record() as trace:
        x = paddle.to_tensor(programs.ROWS, stop_gradient=False)
        (Wrong.apply(x) + paddle.nn.functional.dropout(x, 0.5)).sum().backward()
    told = viz.slopes(trace)
    signs = {True: "✓", False: "≠", None: "–"}
    rows = [f"{item.step + 1:>4}  {signs[item.agrees]}" for item in told.findings]
    assert rows == [row[:7] for row in told.splitlines()]
    assert {item.agrees for item in told.findings} == {True, False, None}
    for item in told.findings:
        assert item.name in [shown.name for shown in trace.steps[item.step].shown]
