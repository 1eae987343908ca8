"""Numbers that only a run will tell: limits of clip, sizes of new tensors, how many topk gives."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.engine.errors import InvalidType

X = np.array([[3.0, 1.0, 2.0], [0.0, 5.0, 4.0]], "float32")


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    yield
    paddle.disable_static()


def run(call: Callable[[Any, Any, Any], Any], number: float, count: int) -> list[Any]:
    """What a Program gives that `call` builds of x, a number and a count."""
    main = paddle.static.Program()
    with paddle.static.program_guard(main):
        x = paddle.static.data("x", [2, 3])
        n, k = paddle.static.data("n", []), paddle.static.data("k", [1], "int64")
        x.stop_gradient = False
        made = call(x, n, k)
    feed = {"x": X, "n": np.float32(number).reshape([]), "k": np.array([count])}
    fetch = list(made) if isinstance(made, (list, tuple)) else [made]
    return [one.tolist() for one in paddle.static.Executor().run(main, feed=feed, fetch_list=fetch)]


@pytest.mark.parametrize("limit", [0.5, 2.0, 9.0])
def test_limits_of_clip(limit: float) -> None:
    assert run(lambda x, n, _k: paddle.clip(x, n), limit, 1) == [X.clip(limit).tolist()]
    assert run(lambda x, n, _k: paddle.clip(x, max=n), limit, 1) == [X.clip(max=limit).tolist()]
    both = np.minimum(np.maximum(X, 2.5), limit)
    assert run(lambda x, n, _k: x.clip(2.5, n), limit, 1) == [both.tolist()]
    both = np.minimum(np.maximum(X, limit), 2.5)
    assert run(lambda x, n, _k: x.clip(n, 2.5), limit, 1) == [both.tolist()]


def test_the_gradient_of_clip_is_that_of_fixed_limits() -> None:
    def slopes(x: Any, n: Any, _k: Any) -> Any:
        return [
            paddle.static.gradients(x.clip(lo, hi).sum(), x)[0]
            for lo, hi in ((n, 4.0), (2.0, n * 2.0), (2.0, 4.0))
        ]

    first, second, fixed = run(slopes, 2.0, 1)
    assert first == second == fixed


@pytest.mark.parametrize("count", [1, 2, 3])
def test_sizes_of_new_tensors(count: int) -> None:
    assert run(lambda _x, _n, k: paddle.zeros(k), 0.0, count) == [[0.0] * count]
    assert run(lambda _x, _n, k: paddle.full([k, 2], 1.5), 0.0, count) == [[[1.5] * 2] * count]
    assert run(lambda _x, _n, k: paddle.ones([1, k[0]], "int64"), 0.0, count) == [[[1] * count]]
    assert run(lambda x, _n, _k: paddle.full(paddle.shape(x), 2), 0.0, count) == [[[2.0] * 3] * 2]


def test_the_value_of_a_new_tensor() -> None:
    assert run(lambda _x, n, _k: paddle.full([2], n), 2.5, 1) == [[2.5, 2.5]]
    assert run(lambda _x, n, _k: paddle.full([2], n, "int32"), 2.5, 1) == [[2, 2]]
    assert run(lambda _x, n, k: paddle.full(k, n), 2.5, 3) == [[2.5, 2.5, 2.5]]


@pytest.mark.parametrize("count", [1, 2])
def test_how_many_topk_gives(count: int) -> None:
    for axis in (0, 1, -1):
        for largest in (True, False):

            def fixed(x: Any, _n: Any, _k: Any, a: int = axis, big: bool = largest) -> Any:
                return paddle.topk(x, count, a, big)

            def told(x: Any, _n: Any, k: Any, a: int = axis, big: bool = largest) -> Any:
                return paddle.topk(x, k, a, big)

            assert run(told, 0.0, count) == run(fixed, 0.0, count)


@pytest.mark.parametrize(
    "call",
    [
        lambda _x, _n, k: paddle.randn(k),
        lambda x, _n, k: paddle.split(x, k),
        lambda x, _n, k: paddle.roll(x, k),
        lambda _x, _n, k: paddle.rand([k, 2]),
    ],
)
def test_other_sizes_must_be_known(call: Callable[[Any, Any, Any], Any]) -> None:
    with pytest.raises(InvalidType) as told:
        run(call, 0.0, 1)
    assert "this axis or size must be known when the Program is built" in str(told.value)
    assert "a Variable of shape [1]" in str(told.value)
    assert "reshape, expand, full, topk and slices" in str(told.value)


@pytest.mark.parametrize("shape", [[2, 3], [None, 3], [None, None]])
def test_how_often_a_tensor_is_tiled(shape: list[int | None]) -> None:
    for times in ([2, None], [None], [None, 3, None], [None, 1, 1]):
        with paddle.static.program_guard(paddle.static.Program()):
            x, k = paddle.static.data("x", shape), paddle.static.data("k", [1], "int64")
            x.stop_gradient = False
            tiled = paddle.tile(x, [k if n is None else n for n in times])
            gradient = paddle.static.gradients((tiled * tiled).sum(), x)[0]
            executor, feed = paddle.static.Executor(), {"x": X, "k": np.array([2])}
            for _ in range(3):  # by the interpreter, recorded, and by the plan
                value, slope = executor.run(feed=feed, fetch_list=[tiled, gradient])
                counts = [2 if n is None else n for n in times]
                np.testing.assert_array_equal(value, np.tile(X, counts))
                np.testing.assert_array_equal(slope, 2 * X * np.prod(counts))
