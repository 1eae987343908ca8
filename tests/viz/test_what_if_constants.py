"""Constants of ops can be changed: in one call, in all rounds (iterations), in Programs."""

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import events
from tests.each import each
from tests.static.world import fresh
from viz.document.history import values_of
from viz.whatif.constants import Constants
from viz.whatif.numbers import array_of

from .test_what_if import Changes, agree, near, numbers

F = paddle.nn.functional
KEYS = (
    *(("a", "scale"), ("b", "factor"), ("c", "min"), ("d", "negative_slope"), ("e", "delta")),
    *(("f", "alpha"), ("g", "bias"), ("h", "value")),
)


def several(changes: Changes) -> viz.Trace:
    """Record an op with each of the constants above, and their gradients."""
    x = paddle.to_tensor(numbers(3, 4), stop_gradient=False)
    given = {name: changes.get((name, attribute)) for name, attribute in KEYS}

    def number(name: str, recorded: float) -> Any:
        return recorded if given[name] is None else given[name]

    with viz.record() as trace:
        a = x * number("a", 2.0)
        b = paddle.exp(x) ** number("b", 1.5)
        c = paddle.clip(x, number("c", -0.5), 1.0)
        d = F.leaky_relu(x, number("d", 0.1))
        e = F.smooth_l1_loss(x, a, reduction="none", delta=number("e", 0.7))
        f = F.elu(x, number("f", 0.25))
        g = x + number("g", 1.0)
        h = F.pad(x, [1, 1], value=number("h", 0.5))[:, :4]
        loss = (a + b + c + d + e + f + g * h).sum()
        loss.backward()
    return trace


@each("key", KEYS[:7], ids=".".join)
def test_constants_follow_with_their_gradients(key: tuple[str, str]) -> None:
    agree(several, {key: 0.4})


def test_a_changed_trace_shows_the_new_number() -> None:
    changed = several({}).what_if({("a", "scale"): 3.0})
    assert "x [3, 4] is multiplied by 3, giving a [3, 4]." in changed.text()
    assert "a = 3 · x" in changed.text()


def looped(changes: Changes) -> viz.Trace:
    """Record a loop with a constant in its code and one in a layer."""
    paddle.seed(0)
    rate, epsilon = changes.get(("y", "scale"), 0.5), changes.get(("z", "epsilon"), 1e-5)
    net = paddle.nn.LayerNorm(4, epsilon=epsilon)
    sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    x = paddle.to_tensor(numbers(3, 4))
    with viz.record() as trace:
        for _ in range(3):
            z = net(x)
            y = z * rate
            loss = (y * y).mean()
            loss.backward()
            sgd.step()
            sgd.clear_grad()
    return trace


def test_a_constant_of_a_loop_changes_in_all_rounds() -> None:
    agree(looped, {("y", "scale"): 0.9, ("z", "epsilon"): 1e-3})


def test_a_single_round_has_its_own_constant() -> None:
    trace = looped({})
    alone, all_rounds = (t.what_if({("y", "scale"): 0.9}) for t in (trace.round(1), trace))
    assert alone.stale() == {}
    assert alone.rounds == ()
    assert all_rounds.rounds[2].loss != trace.rounds[2].loss


def test_dropout_keeps_its_mask() -> None:
    paddle.seed(0)
    x = paddle.to_tensor(numbers(50), stop_gradient=False)
    with viz.record() as trace:
        y = F.dropout(x, 0.5)
        y.sum().backward()
    changed = trace.what_if({("y", "p"): 0.75})
    (ran,) = [e for e in changed.events if isinstance(e, events.OpFinished) and e.op == "dropout"]
    np.testing.assert_allclose(array_of(ran.outputs[0].value), y.numpy() * 2.0, 1e-5)


def test_ops_of_a_gradient_rule_are_stale_after_a_change_of_its_constant() -> None:
    x = paddle.to_tensor([0.5], stop_gradient=False)
    with viz.record() as trace:
        y = paddle.tanh(x) * 3.0
        (g,) = paddle.grad(y, x, create_graph=True)
        g.backward()
    changed = trace.what_if({("y", "scale"): 5.0})
    assert {"g", "x.grad"} & set(changed.stale())
    for one, two in zip(trace.events, changed.events, strict=True):
        for was, now in zip(values_of(one), values_of(two), strict=True):
            if "stale" in now.data:
                near(now, was)


def test_constants_of_programs_follow_with_their_gradient_operators() -> None:
    def build(scale: float) -> tuple[viz.Trace, str]:
        with fresh() as (main, startup):
            paddle.seed(0)
            x = paddle.static.data("x", [None, 4])
            hidden = paddle.static.nn.fc(x, 3)
            y = F.leaky_relu(hidden * scale + 1.0, scale)
            paddle.optimizer.SGD(0.1).minimize((y * y).mean())
            executor = paddle.static.Executor()
            executor.run(startup)
            with viz.record() as trace:
                for _ in range(3):
                    executor.run(main, feed={"x": numbers(2, 4)}, fetch_list=[y])
        return trace, y.name

    (trace, name), (real, _) = build(0.3), build(0.6)
    changed = trace.what_if({("tmp_0", "scale"): 0.6, (name, "negative_slope"): 0.6})
    assert changed.stale() == {}
    for one, two in zip(changed.events, real.events, strict=True):
        for value, wanted in zip(values_of(one), values_of(two), strict=True):
            near(value, wanted)
    assert "tmp_0 = 0.6 · hidden" in changed.text()


def test_second_gradients_of_programs_are_stale_after_a_constant() -> None:
    with fresh() as (main, _):
        x = paddle.static.data("x", [3])
        x.stop_gradient = False
        (dx,) = paddle.static.gradients(paddle.tanh(x) * 3.0, x)
        (ddx,) = paddle.static.gradients(dx, x)
        with viz.record() as trace:
            paddle.static.Executor().run(main, feed={"x": numbers(3)}, fetch_list=[ddx])
    ((name, attribute), *_) = Constants(trace.events, [], {}).named
    assert ddx.name in trace.what_if({(name, attribute): 5.0}).stale()


ERRORS = (
    ({("a", "axis"): 1}, ValueError, "a has no constant 'axis'"),
    ({("u", "scale"): 1}, ValueError, "no op that gives 'u' has"),
    ({("a", "scale"): "two"}, TypeError, "must be a number"),
    ({("a", "scale"): True}, TypeError, "must be a number"),
)


@each(("changes", "kind", "wrong"), ERRORS)
def test_errors_name_the_constants(changes: Any, kind: Any, wrong: str) -> None:
    with pytest.raises(kind, match=wrong):
        several({}).what_if(changes)


def test_a_constant_that_the_op_rejects_raises_its_error() -> None:
    with pytest.raises(ValueError, match="min <= max"):
        several({}).what_if({("c", "min"): 5.0})


def test_integer_constants_stay_integers() -> None:
    x = paddle.to_tensor([1, 2])
    with viz.record() as trace:
        y = x * 3  # noqa: F841  (its name)
    with pytest.raises(TypeError, match="a whole number"):
        trace.what_if({("y", "scale"): 2.5})
    changed = trace.what_if({("y", "scale"): 5})
    assert array_of(changed.events[-1].outputs[0].value).tolist() == [5, 10]


def test_an_exponent_is_called_so_on_the_page_and_by_its_attribute_in_python() -> None:
    x = paddle.to_tensor([2.0, 3.0], stop_gradient=False)
    with viz.record() as trace:
        y = x**2
        y.sum().backward()
    assert trace.program is not None
    assert [named.name for named in trace.program.named(0)] == ["exponent (y)"]
    changed = trace.what_if({("y", "factor"): 3.0})
    assert "x [2] is raised to the power 3, giving y [2]." in changed.text()
