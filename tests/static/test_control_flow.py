"""Branches and loops: a Program computes what dynamic mode computes, and its gradients."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.engine.errors import MinipaddleError
from tests.each import each

nn = paddle.static.nn
Function = Callable[..., Any]


def chosen(x: Any, w: Any) -> Any:
    return nn.cond(x.sum() > 0, lambda: x * w, lambda: paddle.tanh(x) - w * w)


def nested(x: Any, w: Any) -> Any:
    def outer() -> Any:
        y = x * 2.0
        return nn.cond(y.max() > 3, lambda: y * w, lambda: y - x)

    return nn.cond(x.sum() > 0, outer, lambda: w * 1.0)


def structured(x: Any, w: Any) -> Any:
    made = nn.cond(
        x.sum() > 0,
        lambda: {"a": x * w, "b": [x + 1.0, w]},
        lambda: {"a": x - w, "b": [w * w, x]},
    )
    return made["a"] * made["b"][0] + made["b"][1]


def repeated(x: Any, w: Any) -> Any:
    def turn(i: Any, y: Any) -> Any:
        return [i + 1, paddle.tanh(y * w) + x]

    _, y = nn.while_loop(lambda i, y: i < 3, turn, [paddle.full([], 0, "int64"), x])
    return y


def until_large(x: Any, w: Any) -> Any:
    (y,) = nn.while_loop(lambda y: y.abs().max() < 20.0, lambda y: [y * y + w], [x])
    return y


def never(x: Any, w: Any) -> Any:
    (y,) = nn.while_loop(lambda y: y.max() > 1e9, lambda y: [y * w], [x])
    return y * w


def several(x: Any, w: Any) -> Any:
    pairs = [(x.sum() < -1, lambda: x * w), (x.sum() < 1, lambda: x - w)]
    return nn.case(pairs, default=lambda: w * w)


def switched(x: Any, w: Any) -> Any:
    index = (x.sum() > 0).astype("int32") + (x.sum() > 5).astype("int32")
    return nn.switch_case(index, [lambda: x * w, lambda: x + w, lambda: x - w])


def loop_with_a_branch(x: Any, w: Any) -> Any:
    def turn(i: Any, y: Any) -> Any:
        return [i + 1, nn.cond(y.sum() > 0, lambda: y - w, lambda: y * w)]

    return nn.while_loop(lambda i, y: i < 4, turn, [paddle.full([], 0, "int64"), x * 1.0])[1]


FUNCTIONS = [
    chosen, nested, structured, repeated, until_large, never, several, switched, loop_with_a_branch
]  # fmt: skip
FEEDS = [np.float64(row) for row in ([1.0, 2.5], [-1.0, -0.5], [0.2, 0.1], [4.0, 3.0])]
WEIGHT = np.float64([1.5, -0.5])


def dynamically(function: Function, array: Any) -> list[Any]:
    x, w = (paddle.to_tensor(a, stop_gradient=False) for a in (array, WEIGHT))
    y = function(x, w)
    grads = paddle.grad((y * y).sum(), [x, w], allow_unused=True)
    zeros = np.zeros([2])
    return [y.numpy(), *(zeros if grad is None else grad.numpy() for grad in grads)]


@each("function", FUNCTIONS)
def test_a_program_computes_what_dynamic_mode_computes(function: Function) -> None:
    expected = [dynamically(function, array) for array in FEEDS]
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program()):
        x, w = (paddle.static.data(name, [2], "float64") for name in "xw")
        x.stop_gradient = w.stop_gradient = False
        y = function(x, w)
        grads = paddle.static.gradients((y * y).sum(), [x, w])
        executor = paddle.static.Executor()
        for _ in range(2):  # each kind of feed runs by the interpreter, then by its plan
            for array, wanted in zip(FEEDS, expected, strict=True):
                fetches = [y, *(grad for grad in grads if grad is not None)]
                got = executor.run(feed={"x": array, "w": WEIGHT}, fetch_list=fetches)
                present = [wanted[0]]
                present += [g for g, v in zip(wanted[1:], grads, strict=True) if v is not None]
                for value, right in zip(got, present, strict=True):
                    np.testing.assert_allclose(value, right, rtol=1e-13)
    paddle.disable_static()


@each("function", FUNCTIONS)
def test_to_static_computes_what_dynamic_mode_computes(function: Function) -> None:
    weight = paddle.to_tensor(WEIGHT, stop_gradient=False)
    static = paddle.jit.to_static(lambda x: function(x, weight), full_graph=True)
    for array in FEEDS:
        x = paddle.to_tensor(array, stop_gradient=False)
        y = static(x)
        grads = paddle.grad((y * y).sum(), [x, weight], allow_unused=True)
        for value, right in zip([y, *grads], dynamically(function, array), strict=True):
            value = np.zeros([2]) if value is None else value.numpy()
            np.testing.assert_allclose(value, right, rtol=1e-13)


def test_parameters_of_a_branch_belong_to_the_program() -> None:
    paddle.enable_static()
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup):
        x = paddle.static.data("x", [None, 2])
        y = nn.cond(x.sum() > 0, lambda: nn.fc(x, 1), lambda: nn.fc(x, 1))
        loss = paddle.mean(y * y)
        paddle.optimizer.SGD(0.1).minimize(loss)
    assert len(main.all_parameters()) == 4
    executor = paddle.static.Executor()
    executor.run(startup)
    for sign in (1.0, -1.0):
        feed = {"x": np.full([3, 2], sign, "float32")}
        losses = [executor.run(main, feed, [loss])[0].item() for _ in range(4)]
        assert losses == sorted(losses, reverse=True)
        assert losses[0] > losses[-1]
    paddle.disable_static()


def run(build: Function, feed: Any, test: bool = False) -> list[Any]:
    """Build a Program of x [2], with the gradient of its result; return both."""
    paddle.enable_static()
    main = paddle.static.Program()
    with paddle.static.program_guard(main):
        x = paddle.static.data("x", [2], "float64")
        x.stop_gradient = False
        y = build(x)
        fetches = [y, *paddle.static.gradients(y, x)] if not test else [y]
        main = main.clone(for_test=True) if test else main
        results = paddle.static.Executor().run(main, {"x": np.float64(feed)}, fetches)
    paddle.disable_static()
    return results


def test_a_loop_variable_may_begin_without_a_gradient() -> None:
    def powers(x: Any) -> Any:
        start = [paddle.full([], 0, "int64"), paddle.full([2], 1.0, "float64")]
        return nn.while_loop(lambda i, t: i < 3, lambda i, t: [i + 1, t * x], start)[1]

    y, dx = run(powers, [3.0, 2.0])
    np.testing.assert_allclose([y, dx], [[27.0, 8.0], [27.0, 12.0]])


def test_dicts_of_both_branches_may_have_another_order() -> None:
    def chosen_dict(x: Any) -> Any:
        made = nn.cond(
            x.sum() > 0,
            lambda: {"a": x + 1.0, "b": x + 2.0},
            lambda: {"b": x + 20.0, "a": x + 10.0},
        )
        return made["a"] * 100.0 + made["b"]

    for feed, a, b in (([1.0, 1.0], 2.0, 3.0), ([-1.0, -1.0], 9.0, 19.0)):
        np.testing.assert_allclose(run(chosen_dict, feed)[0], np.full(2, a * 100.0 + b))


def test_a_branch_in_test_mode_drops_nothing() -> None:
    def dropped(x: Any) -> Any:
        wide = paddle.concat([x] * 50)
        dropout = paddle.nn.functional.dropout
        return nn.cond(x.sum() > 0, lambda: dropout(wide, 0.5, training=True), lambda: wide * 1.0)

    (y,) = run(dropped, [1.0, 1.0], test=True)
    np.testing.assert_allclose(y, np.ones(100))
    try:
        with pytest.raises(MinipaddleError, match="dropout"):
            run(dropped, [1.0, 1.0])
    finally:
        paddle.disable_static()


def build(function: Function) -> None:
    """Build a Program of a function of x [2], and its gradient."""
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program()):
        x = paddle.static.data("x", [2], "float32")
        x.stop_gradient = False
        y = function(x)
        (dx,) = paddle.static.gradients(y, x)
        feed = {"x": np.ones(2, "float32")}
        paddle.static.Executor().run(feed=feed, fetch_list=[y, dx])


def branch(first: Function, second: Function = lambda x: x) -> Function:
    """Return a function with a branch between two functions of x."""
    return lambda x: nn.cond(x.sum() > 0, lambda: first(x), lambda: second(x))


def short_turn(x: Any) -> Any:
    return nn.while_loop(lambda a, b: a.sum() < 3, lambda a, b: [a], [x, x])


MISTAKES: dict[str, tuple[Function, str]] = {
    "two elements": (lambda x: nn.cond(x > 0, lambda: x, lambda: x), "pred"),
    "no bool": (lambda x: nn.cond(x.sum(), lambda: x, lambda: x), "pred"),
    "no function": (lambda x: nn.cond(x.sum() > 0, x, x), "function"),
    "other count": (branch(lambda x: [x, x]), "results"),
    "other dtype": (branch(lambda x: x > 0), "bool"),
    "other rank": (branch(paddle.sum), "axes"),
    "a turn too short": (short_turn, "arity"),
    "no loop_vars": (lambda x: nn.while_loop(lambda: True, lambda: [x], []), "loop_vars"),
    "python's if": (branch(lambda x: x if x.max() > 0 else -x), "bool"),
    "written outside": (branch(lambda x: paddle.assign(x, x)), "outside"),
    "random": (branch(lambda x: x * paddle.rand([2])), "random"),
    "gradients": (lambda x: nn.static_pylayer(lambda a: a, [x], lambda d: [d, d]), "backward_fn"),
    "captured": (lambda x: nn.static_pylayer(lambda a: a * x, [x], lambda d: d * x), "outside"),
}


@each("mistake", list(MISTAKES))
def test_mistakes_are_refused(mistake: str) -> None:
    function, word = MISTAKES[mistake]
    try:
        with pytest.raises(MinipaddleError, match=word):
            build(function)
    finally:
        paddle.disable_static()


def test_dynamic_mode_takes_only_conditions_of_one_element() -> None:
    x = paddle.ones([2])
    with pytest.raises(TypeError, match="pred"):
        nn.cond(x > 0, lambda: x, lambda: x)
    with pytest.raises(AssertionError, match="PyLayer"):
        nn.static_pylayer(lambda a: a, [x])


def test_a_recording_tells_one_step_for_each_operator() -> None:
    with viz.record() as trace:
        build(lambda x: chosen(x, x))
    paddle.disable_static()
    kinds = [step.kind for step in trace.steps]
    assert kinds.count("run") == 1
    assert [line for line in trace.text().splitlines() if "cond_grad" in line]
