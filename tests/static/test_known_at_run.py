"""Numbers that only a run knows: limits of clip, sizes of new tensors, k of topk."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.engine.errors import InvalidType
from tests.contract.refusal import refused
from tests.each import each

from .world import fresh

X = np.array([[3.0, 1.0, 2.0], [0.0, 5.0, 4.0]], "float32")


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    yield
    paddle.disable_static()


def run(call: Callable[[Any, Any, Any], Any], number: float, count: int) -> list[Any]:
    """Run a Program that `call` builds of x, a number and a count; return its results."""
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
def test_limits_of_clip_may_be_variables(limit: float) -> None:
    assert run(lambda x, n, _k: paddle.clip(x, n), limit, 1) == [X.clip(limit).tolist()]
    assert run(lambda x, n, _k: paddle.clip(x, max=n), limit, 1) == [X.clip(max=limit).tolist()]
    both = np.minimum(np.maximum(X, 2.5), limit)
    assert run(lambda x, n, _k: x.clip(2.5, n), limit, 1) == [both.tolist()]
    both = np.minimum(np.maximum(X, limit), 2.5)
    assert run(lambda x, n, _k: x.clip(n, 2.5), limit, 1) == [both.tolist()]


def test_the_gradient_of_clip_equals_that_of_fixed_limits() -> None:
    def slopes(x: Any, n: Any, _k: Any) -> Any:
        return [
            paddle.static.gradients(x.clip(lo, hi).sum(), x)[0]
            for lo, hi in ((n, 4.0), (2.0, n * 2.0), (2.0, 4.0))
        ]

    first, second, fixed = run(slopes, 2.0, 1)
    assert first == second == fixed


def test_ranges_counts_and_padding_may_be_variables() -> None:
    assert run(lambda _x, _n, k: paddle.linspace(0, 1, k), 0.0, 3) == [[0.0, 0.5, 1.0]]
    assert run(lambda _x, n, _k: paddle.linspace(1, n, 3), 2.0, 1) == [[1.0, 1.5, 2.0]]
    ones = np.array([1, 1])
    assert run(lambda _x, _n, k: paddle.bincount(paddle.assign(ones), minlength=k), 0.0, 3) == [
        [0, 2, 0]
    ]

    def padded(x: Any, _n: Any, k: Any) -> Any:
        row = x[:1].unsqueeze(0)
        out = paddle.nn.functional.pad(row, [1, k], mode="replicate")
        return out, paddle.static.gradients(out, x)[0]

    out, slope = run(padded, 0.0, 2)
    assert out == [[[3.0, 3.0, 1.0, 2.0, 2.0, 2.0]]]
    assert slope == [[2.0, 1.0, 3.0], [0.0, 0.0, 0.0]]


def test_sizes_of_interpolate_may_be_variables() -> None:
    def enlarged(x: Any, _n: Any, k: Any) -> Any:
        line = x[:1].unsqueeze(0)
        out = paddle.nn.functional.interpolate(line, k, mode="linear", data_format="NCW")
        return out, paddle.static.gradients(out, x)[0]

    out, slope = run(enlarged, 0.0, 6)
    assert out == [[[3.0, 2.5, 1.5, 1.25, 1.75, 2.0]]]
    assert slope == [[2.0, 2.0, 2.0], [0.0, 0.0, 0.0]]


def test_the_value_of_a_new_tensor_may_be_a_variable() -> None:
    assert run(lambda _x, n, _k: paddle.full([2], n), 2.5, 1) == [[2.5, 2.5]]
    assert run(lambda _x, n, _k: paddle.full([2], n, "int32"), 2.5, 1) == [[2, 2]]
    assert run(lambda _x, n, k: paddle.full(k, n), 2.5, 3) == [[2.5, 2.5, 2.5]]


@pytest.mark.parametrize("count", [1, 2])
def test_k_of_topk_may_be_a_variable(count: int) -> None:
    for axis in (0, 1, -1):
        for largest in (True, False):

            def fixed(x: Any, _n: Any, _k: Any, a: int = axis, big: bool = largest) -> Any:
                return paddle.topk(x, count, a, big)

            def told(x: Any, _n: Any, k: Any, a: int = axis, big: bool = largest) -> Any:
                return paddle.topk(x, k, a, big)

            assert run(told, 0.0, count) == run(fixed, 0.0, count)


@each(
    "call",
    [
        lambda x, _n, k: paddle.squeeze(x, k),
        lambda x, _n, k: paddle.stack([x, x], k),
        lambda x, _n, k: paddle.split(x, 1, k),
        lambda _x, _n, k: paddle.randint(0, k),
        lambda _x, _n, k: paddle.randperm(k),
        lambda x, _n, k: paddle.multinomial(x, k),
        lambda _x, n, _k: paddle.logspace(n, 3, 4),
    ],
)
@fresh()
def test_other_numbers_must_be_known(call: Callable[[Any, Any, Any], Any]) -> None:
    refused(lambda: run(call, 0.0, 1), InvalidType)


@each(
    ("shape", "dtype", "call"),
    [
        ([None], "int64", paddle.randn),
        ([2, 2], "int64", paddle.zeros),
        ([1], "float32", lambda v: paddle.reshape(paddle.ones([2]), [v])),
        ([2], "int64", paddle.eye),
        ([2], "int64", lambda v: paddle.randn([v, 2])),
    ],
)
@fresh()
def test_variables_of_wrong_dtype_or_shape_are_no_sizes(
    shape: list[int | None], dtype: str, call: Callable[[Any], Any]
) -> None:
    refused(call, InvalidType, paddle.static.data("sizes", shape, dtype))


DRAWN: dict[str, Callable[[Any], Any]] = {
    "rand": paddle.rand,
    "uniform": lambda s: paddle.uniform(s, "float64", min=-2.0, max=3.0),
    "randn": paddle.randn,
    "normal": lambda s: paddle.normal(1.0, 2.0, s),
    "standard_normal": paddle.standard_normal,
    "randint": lambda s: paddle.randint(-3, 9, s),
    "zeros": paddle.zeros,
    "ones": lambda s: paddle.ones(s, "int32"),
    "full": lambda s: paddle.full(s, 2.5),
    "empty": paddle.empty,
    "eye": lambda s: paddle.eye(*s) if isinstance(s, list) else paddle.eye(s[0], s[1]),
}


@each("name", DRAWN)
@each("form", ["list", "mixed", "one Variable"])
@fresh()
def test_shapes_may_be_variables(name: str, form: str) -> None:
    """The numbers equal those for a fixed shape in every run, also of the plan."""
    main = paddle.static.Program()
    with paddle.static.program_guard(main):
        k, n = paddle.static.data("k", [], "int32"), paddle.static.data("n", [1], "int64")
        both = paddle.static.data("both", [2], "int64")
        made = DRAWN[name]({"list": [k, n], "mixed": [k, 3], "one Variable": both}[form])
    assert made.shape == ((-1, 3) if form == "mixed" else (-1, -1))
    assert made.stop_gradient
    executor, sizes = paddle.static.Executor(), [(2, 3), (2, 3), (2, 3), (4, 3), (4, 3), (0, 3)]
    feeds = [{"k": np.int32(a), "n": np.array([b]), "both": np.array([a, b])} for a, b in sizes]
    paddle.seed(11)
    values = [executor.run(main, feed=feed, fetch_list=[made])[0] for feed in feeds]
    paddle.disable_static()
    paddle.seed(11)
    for size, value in zip(sizes, values, strict=True):
        expected = DRAWN[name](list(size)).numpy()
        assert value.dtype == expected.dtype
        np.testing.assert_array_equal(value, expected)
