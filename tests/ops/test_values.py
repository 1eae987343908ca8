"""What the ops compute: NumPy's values, Paddle's dtypes, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import minipaddle as paddle
from minipaddle.engine import errors
from minipaddle.ops import REGISTRY
from tests.each import each

FLOATS = st.floats(-4, 4, width=32)
POSITIVE = st.floats(0.25, 4, width=32)
SHAPES = arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)


def floats(shape: Any = SHAPES, elements: Any = FLOATS) -> Any:
    return arrays.arrays(np.float32, shape, elements=elements)


# ----- one tensor --------------------------------------------------------------------------------

UNARY: dict[str, Any] = {
    "tanh": np.tanh, "exp": np.exp, "square": np.square, "sin": np.sin, "cos": np.cos,
    "abs": np.abs, "sign": np.sign, "floor": np.floor, "ceil": np.ceil, "round": np.round,
    "isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x.astype(np.float64))),
    "relu": lambda x: np.maximum(x, 0), "assign": np.copy, "logical_not": np.logical_not,
}  # fmt: skip
UNARY_POSITIVE: dict[str, Any] = {
    "log": np.log,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "reciprocal": lambda x: 1 / x,
}


def same(tensor: Any, wanted: Any, rtol: float = 1e-5, atol: float = 1e-6) -> None:
    wanted = np.asarray(wanted)
    assert tensor.shape == list(wanted.shape)
    np.testing.assert_allclose(tensor.numpy(), wanted, rtol=rtol, atol=atol)


@given(st.sampled_from(sorted(UNARY)), floats())
def test_unary_ops(name: str, array: Any) -> None:
    same(REGISTRY[name].call(paddle.to_tensor(array)), UNARY[name](array))


@given(st.sampled_from(sorted(UNARY_POSITIVE)), floats(elements=POSITIVE))
def test_unary_ops_of_positive_numbers(name: str, array: Any) -> None:
    same(REGISTRY[name].call(paddle.to_tensor(array)), UNARY_POSITIVE[name](array))


def test_corners_and_infinities() -> None:
    zero = paddle.to_tensor([0.0])
    assert paddle.log(zero).item() == -np.inf
    assert (1 / zero).item() == np.inf
    assert np.isnan(paddle.sqrt(zero - 1).item())
    assert paddle.nn.functional.sigmoid(paddle.to_tensor([-1000.0, 1000.0])).tolist() == [0.0, 1.0]
    assert paddle.round(paddle.to_tensor([0.5, 1.5, 2.5])).tolist() == [0.0, 2.0, 2.0]


@each(
    ("call", "at", "slope"),
    [
        (paddle.nn.functional.relu, 0.0, 0.0),
        (paddle.abs, 0.0, 0.0),
        (paddle.sqrt, 0.0, np.inf),
        (lambda x: paddle.clip(x, -1.0, 1.0), 1.0, 1.0),
        (lambda x: paddle.clip(x, -1.0, 1.0), -1.0, 1.0),
        (lambda x: paddle.clip(x, -1.0, 1.0), 1.5, 0.0),
        (lambda x: paddle.maximum(x, paddle.to_tensor(2.0)), 2.0, 0.5),
        (lambda x: paddle.minimum(x, paddle.to_tensor(2.0)), 2.0, 0.5),
        (lambda x: x**0, 3.0, 0.0),
        (lambda x: x**1, 0.0, 1.0),
        (lambda x: x**2, 0.0, 0.0),
    ],
)
def test_slopes_at_the_corners(call: Any, at: float, slope: float) -> None:
    x = paddle.to_tensor(at, stop_gradient=False)
    call(x).backward()
    assert x.grad.item() == slope


@pytest.mark.parametrize("name", ["max", "min"])
def test_ties_share_the_gradient(name: str) -> None:
    x = paddle.to_tensor([[3.0, 3.0, 3.0], [3.0, 3.0, 3.0]], stop_gradient=False)
    getattr(paddle, name)(x, axis=1).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), np.full((2, 3), 1 / 3), rtol=1e-6)


# ----- two tensors -------------------------------------------------------------------------------

BINARY: dict[str, Any] = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide,
    "maximum": np.maximum, "minimum": np.minimum, "floor_divide": np.floor_divide,
    "remainder": np.remainder, "pow": np.power, "equal": np.equal, "not_equal": np.not_equal,
    "less_than": np.less, "less_equal": np.less_equal, "greater_than": np.greater,
    "greater_equal": np.greater_equal, "logical_and": np.logical_and,
    "logical_or": np.logical_or, "logical_xor": np.logical_xor,
}  # fmt: skip
PAIRS = arrays.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3, min_side=0)


@given(st.sampled_from(sorted(BINARY)), PAIRS, st.data())
def test_binary_ops_broadcast(name: str, shapes: Any, data: Any) -> None:
    x, y = (data.draw(floats(shape, POSITIVE)) for shape in shapes.input_shapes)
    out = getattr(paddle, name)(paddle.to_tensor(x), paddle.to_tensor(y))
    same(out, BINARY[name](x, y))


@given(PAIRS, st.data())
def test_gradients_have_the_inputs_shapes_and_sums(shapes: Any, data: Any) -> None:
    """d sum(w * (x + y)): each input gets w summed over where it was repeated."""
    x, y = (
        paddle.to_tensor(data.draw(floats(shape)), stop_gradient=False)
        for shape in shapes.input_shapes
    )
    w = data.draw(floats(shapes.result_shape))
    (paddle.to_tensor(w) * (x + y)).sum().backward()
    for t in (x, y):
        lead = len(shapes.result_shape) - t.ndim
        axes = tuple(range(lead)) + tuple(
            lead + i for i, n in enumerate(t.shape) if n != shapes.result_shape[lead + i]
        )
        same(t.grad, w.sum(axis=axes).reshape(t.shape), atol=1e-4)


@given(st.sampled_from(["bitwise_and", "bitwise_or", "bitwise_xor"]), st.data())
def test_bits(name: str, data: Any) -> None:
    kind = data.draw(st.sampled_from([np.int32, np.int64, np.uint8, np.bool_]))
    x, y = (data.draw(arrays.arrays(kind, 3)) for _ in range(2))
    out = getattr(paddle, name)(paddle.to_tensor(x), paddle.to_tensor(y))
    assert out.tolist() == getattr(np, name)(x, y).tolist()
    assert paddle.bitwise_not(paddle.to_tensor(x)).tolist() == np.invert(x).tolist()


@given(st.data())
def test_matmul(data: Any) -> None:
    n, k, m = (data.draw(st.integers(0, 3)) for _ in range(3))
    lead = data.draw(arrays.mutually_broadcastable_shapes(num_shapes=2, max_dims=2, max_side=2))
    left, right = lead.input_shapes
    x = data.draw(floats(data.draw(st.sampled_from([(*left, n, k), (k,)]))))
    y = data.draw(floats(data.draw(st.sampled_from([(*right, k, m), (k,)]))))
    same(paddle.matmul(paddle.to_tensor(x), paddle.to_tensor(y)), np.matmul(x, y), atol=1e-4)


def test_matmul_with_transposes() -> None:
    x, y = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(4, 3)
    got = paddle.matmul(paddle.to_tensor(x), paddle.to_tensor(y), transpose_y=True)
    same(got, x @ y.T)
    got = paddle.matmul(paddle.to_tensor(x), paddle.to_tensor(x), transpose_x=True)
    same(got, x.T @ x)


# ----- fewer elements ----------------------------------------------------------------------------

REDUCTIONS: dict[str, Any] = {
    "sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min, "prod": np.prod,
    "all": np.all, "any": np.any,
    "logsumexp": lambda x, **how: np.log(np.sum(np.exp(x.astype(np.float64)), **how)),
    "std": lambda x, **how: np.std(x.astype(np.float64), **how),
    "norm": lambda x, **how: np.sqrt(np.sum(np.square(x), **how)),
}  # fmt: skip


@given(st.sampled_from(sorted(REDUCTIONS)), st.data())
def test_reductions_over_any_axes(name: str, data: Any) -> None:
    array = data.draw(floats(arrays.array_shapes(min_dims=0, max_dims=3, max_side=3)))
    some = data.draw(st.sets(st.integers(0, max(array.ndim - 1, 0)), max_size=array.ndim))
    signed = [a - array.ndim if data.draw(st.booleans()) else a for a in sorted(some)]
    axis = data.draw(st.sampled_from([None, signed or None, *signed]))
    keepdim = data.draw(st.booleans())
    how = {"axis": tuple(axis) if isinstance(axis, list) else axis, "keepdims": keepdim}
    more = {"unbiased": False} if name == "std" else {}
    out = getattr(paddle, name)(paddle.to_tensor(array), axis=axis, keepdim=keepdim, **more)
    same(out, REDUCTIONS[name](array, **how), rtol=1e-4, atol=1e-4)


@given(st.sampled_from(["argmax", "argmin"]), st.data())
def test_positions_of_extremes(name: str, data: Any) -> None:
    array = data.draw(floats(arrays.array_shapes(max_dims=3, max_side=3)))
    axis = data.draw(st.sampled_from([None, *range(-array.ndim, array.ndim)]))
    out = getattr(paddle, name)(paddle.to_tensor(array), axis=axis)
    assert out.tolist() == getattr(np, name)(array, axis=axis).tolist()
    assert out.dtype == paddle.int64


def test_reductions_of_nothing() -> None:
    empty = paddle.zeros([0])
    assert paddle.sum(empty).item() == 0.0
    assert np.isnan(paddle.mean(empty).item())
    with pytest.raises(ValueError, match=r"max\(\)"):
        paddle.max(empty)
    x = paddle.zeros([0, 3])
    x.stop_gradient = False
    x.mean().backward()
    assert x.grad.shape == [0, 3]


@each(
    ("call", "wanted"),
    [
        (lambda t: paddle.sum(t.astype("int32")), ("int64", 3)),
        (lambda t: paddle.sum(t.astype("bool")), ("int64", 2)),
        (lambda t: paddle.sum(t, dtype="float64"), ("float64", 3.0)),
        (lambda t: paddle.mean(t.astype("int64")), ("int64", 1)),
        (lambda t: paddle.prod(t.astype("int32")), ("int32", 2)),
        (lambda t: paddle.max(t.astype("int32")), ("int32", 2)),
        (paddle.var, ("float32", 0.5)),
        (lambda t: paddle.norm(t, p=1), ("float32", 3.0)),
        (lambda t: paddle.norm(t, p=np.inf), ("float32", 2.0)),
        (lambda t: paddle.norm(t, p=3), ("float32", pytest.approx(9 ** (1 / 3)))),
        (lambda t: paddle.dot(t, t), ("float32", 5.0)),
    ],
)
def test_dtypes_of_reductions(call: Any, wanted: Any) -> None:
    out = call(paddle.to_tensor([1.0, 2.0]))
    assert (out.dtype.name, out.item()) == wanted


# ----- shapes ------------------------------------------------------------------------------------


@given(st.data())
def test_shape_ops_are_numpys(data: Any) -> None:
    array = data.draw(floats(arrays.array_shapes(min_dims=1, max_dims=3, max_side=3)))
    t = paddle.to_tensor(array)
    perm = data.draw(st.permutations(range(array.ndim)))
    same(t.transpose(perm), array.transpose(perm))
    same(t.flatten(), array.reshape(-1))
    same(t.reshape([-1, array.shape[-1]]), array.reshape(-1, array.shape[-1]))
    axis = data.draw(st.integers(-array.ndim - 1, array.ndim))
    same(t.unsqueeze(axis), np.expand_dims(array, axis))
    same(t.unsqueeze(axis).squeeze(axis), array)
    same(paddle.concat([t, t, t], axis=array.ndim - 1), np.concatenate([array] * 3, -1))
    same(paddle.stack([t, t], axis=axis), np.stack([array, array], axis))
    times = data.draw(st.lists(st.integers(1, 2), min_size=1, max_size=3))
    same(paddle.tile(t, times), np.tile(array, times))
    same(paddle.expand(t, [2, *array.shape]), np.broadcast_to(array, (2, *array.shape)))
    pieces = paddle.unbind(t, axis=0)
    assert [p.tolist() for p in pieces] == array.tolist()
    halves = paddle.split(paddle.concat([t, t]), 2)
    assert all(half.tolist() == array.tolist() for half in halves)


def test_split_by_sizes() -> None:
    parts = paddle.split(paddle.arange(10), [2, -1, 3])
    assert [p.shape for p in parts] == [[2], [5], [3]]
    assert paddle.chunk(paddle.arange(4), 2)[1].tolist() == [2, 3]
    assert parts[1].tolist() == [2, 3, 4, 5, 6]


INDICES = [
    0, -1, slice(1, None), slice(None, None, -1), slice(-2, None), None, Ellipsis, (0, 1), (..., 0),
    (None, slice(None), 2), [1, 0], ([0, 1], [2, 0]), np.array([1]), (slice(0, 2), [0, 2]),
    np.array([True, False]), (0, slice(None, None, 2), None),
]  # fmt: skip


@each("index", INDICES, ids=repr)
def test_indices_are_numpys(index: Any) -> None:
    array = np.arange(24, dtype="float32").reshape(2, 3, 4)
    x = paddle.to_tensor(array, stop_gradient=False)
    part = x[index]
    same(part, array[index])
    part.sum().backward()
    count = np.zeros_like(array)
    np.add.at(count, index, 1)
    same(x.grad, count)


def test_tensors_as_indices() -> None:
    t = paddle.arange(6).reshape([2, 3])
    assert t[paddle.to_tensor(1)].tolist() == [3, 4, 5]
    assert t[paddle.to_tensor([1, 1])].tolist() == [[3, 4, 5], [3, 4, 5]]
    assert t[t > 2].tolist() == [3, 4, 5]
    assert t[:, paddle.to_tensor(0) : paddle.to_tensor(2)].tolist() == [[0, 1], [3, 4]]
    assert t[[paddle.to_tensor(1), 0]].tolist() == [[3, 4, 5], [0, 1, 2]]


def test_patterns() -> None:
    square = paddle.arange(1, 10).reshape([3, 3])
    same(paddle.tril(square), np.tril(square.numpy()))
    same(paddle.triu(square, 1), np.triu(square.numpy(), 1))
    same(paddle.eye(2, 3), np.eye(2, 3))
    same(paddle.linspace(0, 1, 5), np.linspace(0, 1, 5))
    assert paddle.arange(5, 0, -2).tolist() == [5, 3, 1]
    assert (paddle.arange(3).dtype, paddle.arange(3.0).dtype) == (paddle.int64, paddle.float32)
    assert (paddle.full([2], 3).dtype, paddle.full([], True).dtype) == (
        paddle.float32,
        paddle.bool,
    )
    assert paddle.rank(square).item() == 2


def test_close_and_equal() -> None:
    x = paddle.to_tensor([1.0, np.nan, np.inf])
    assert paddle.isclose(x, x).tolist() == [True, False, True]
    assert paddle.isclose(x, x, equal_nan=True).tolist() == [True, True, True]
    assert bool(paddle.allclose(x[:1], x[:1] + 1e-6))
    assert not bool(paddle.allclose(x[:1], x[:1] + 1e-3))
    assert bool(paddle.equal_all(x[:1], x[:1]))
    assert not bool(paddle.equal_all(x[:1], x[2:]))


# ----- operators and numbers ---------------------------------------------------------------------

F, I, B = [4.0, 9.0], [4, 9], [True, False]  # noqa: E741
OPERATORS = [
    (lambda t: t + 1, F, "float32", [5, 10]),
    (lambda t: 1 + t, I, "int64", [5, 10]),
    (lambda t: t + 1.5, I, "float32", [5.5, 10.5]),
    (lambda t: t + True, I, "int64", [5, 10]),
    (lambda t: t + 1, B, "int64", [2, 1]),
    (lambda t: t * 2.0, B, "float32", [2, 0]),
    (lambda t: t - 1, F, "float32", [3, 8]),
    (lambda t: 1 - t, I, "int64", [-3, -8]),
    (lambda t: 1.5 - t, I, "float32", [-2.5, -7.5]),
    (lambda t: t * 3, I, "int64", [12, 27]),
    (lambda t: 3 * t, F, "float32", [12, 27]),
    (lambda t: t / 2, I, "float32", [2, 4.5]),
    (lambda t: 36 / t, I, "float32", [9, 4]),
    (lambda t: t // 2, I, "int64", [2, 4]),
    (lambda t: t // 2.0, F, "float32", [2, 4]),
    (lambda t: -7 // t, I, "int64", [-2, -1]),
    (lambda t: t % 5, I, "int64", [4, 4]),
    (lambda t: -7 % t, I, "int64", [1, 2]),
    (lambda t: t**2, I, "int64", [16, 81]),
    (lambda t: t**0.5, I, "float32", [2, 3]),
    (lambda t: t**2, B, "int64", [1, 0]),
    (lambda t: 2**t, I, "int64", [16, 512]),
    (lambda t: 0.5**t, F, "float32", [0.0625, 0.001953125]),
    (lambda t: t @ t, I, "int64", 97),
    (lambda t: -t, I, "int64", [-4, -9]),
    (lambda t: abs(-t), F, "float32", [4, 9]),
    (lambda t: ~t, I, "int64", [-5, -10]),
    (lambda t: ~t, B, "bool", [False, True]),
    (lambda t: 1 & t, I, "int64", [0, 1]),
    (lambda t: 1 | t, I, "int64", [5, 9]),
    (lambda t: t << 1, I, "int64", [8, 18]),
    (lambda t: 36 >> t, I, "int64", [2, 0]),
    (lambda t: +t, I, "int64", [4, 9]),
    (lambda t: t ^ t, B, "bool", [False, False]),
    (lambda t: t < 5, I, "bool", [True, False]),
    (lambda t: t >= 4.5, I, "bool", [False, True]),
    (lambda t: t == 4, F, "bool", [True, False]),
    (lambda t: t != 4, I, "bool", [False, True]),
    (lambda t: t < 5, F, "bool", [True, False]),
    (lambda t: t + 1j, F, "complex64", [4 + 1j, 9 + 1j]),
    (lambda t: 2j * t, I, "complex64", [8j, 18j]),
    (lambda t: t.astype("uint8") - 5, I, "uint8", [255, 4]),
    (lambda t: t.astype("float16") * 2, I, "float16", [8, 18]),
    (lambda t: t.astype("float64") + 1.5, I, "float64", [5.5, 10.5]),
    (lambda t: t + np.float64(1), F, "float32", [5, 10]),
    (lambda t: np.int64(3) * t, I, "int64", [12, 27]),
    (lambda t: t.mod(paddle.to_tensor([3, 2])), I, "int64", [1, 1]),
    (lambda t: paddle.clip(t, 5, 8), I, "int64", [5, 8]),
    (lambda t: paddle.clip(t, 4.5), I, "float32", [4.5, 9]),
]  # fmt: skip


@each(("call", "data", "dtype", "wanted"), OPERATORS)
def test_operators_with_numbers(call: Any, data: Any, dtype: str, wanted: Any) -> None:
    out = call(paddle.to_tensor(data))
    assert (out.dtype.name, out.tolist()) == (dtype, wanted)


@each("name", ["tanh", "exp", "log", "sqrt", "sin", "rsqrt", "reciprocal"])
@each("kind", ["int32", "int64"])
def test_transcendental_functions_of_integers_are_float32(name: str, kind: str) -> None:
    """Computed in float32, as Paddle does, not in the float that NumPy picks."""
    t = paddle.to_tensor([1, 2, 3], dtype=kind)
    out = getattr(paddle, name)(t)
    assert out.dtype == paddle.float32
    assert out.tolist() == getattr(paddle, name)(t.astype("float32")).tolist()


@each(
    ("x", "y", "wide"),
    [
        ("float16", "float32", "float32"),
        ("float32", "float64", "float64"),
        ("float64", "float16", "float64"),
        ("int32", "int32", "int32"),
        ("float32", "complex64", "complex64"),
    ],
)
def test_floats_widen(x: str, y: str, wide: str) -> None:
    out = paddle.ones([2], x) + paddle.ones([2], y)
    assert out.dtype.name == wide


@each("op", ["add", "multiply", "equal", "less_than", "maximum", "divide"])
@each(
    ("x", "y"), [("int32", "float32"), ("int64", "int32"), ("bool", "float32"), ("bool", "int64")]
)
def test_other_dtypes_do_not_mix(op: str, x: str, y: str) -> None:
    with pytest.raises(TypeError, match=rf"{op}\(\): Type promotion only support") as caught:
        getattr(paddle, op)(paddle.ones([2], x), paddle.ones([2], y))
    assert f"received  x {x} [2] and y {y} [2]" in str(caught.value)
    assert f"x.astype('{y}') or y.astype('{x}')" in str(caught.value)


@each(
    ("call", "kind", "text"),
    [
        (lambda t: t + None, TypeError, r"__add__\(\): argument .* but got NoneType"),
        (lambda t: t * [1.0], TypeError, r"__mul__\(\): argument .* but got list"),
        (lambda t: "a" - t, TypeError, r"__rsub__\(\): argument .* but got str"),
        (lambda t: t < None, TypeError, r"__lt__\(\): argument .* but got NoneType"),
        (lambda t: t / "a", TypeError, r"__truediv__\(\): argument .* but got str"),
        (lambda t: paddle.add(t, 2.0), ValueError, r"add\(\): argument 'y' \(position 1\) must be"),
        (lambda t: paddle.tanh(2.0), ValueError, r"tanh\(\): argument 'x' .* but got float"),
        (lambda t: t.astype("int64") // 0, RuntimeError, "Integer division by zero encountered"),
        (lambda t: t.astype("int64") % 0, RuntimeError, r"remainder\(\): Integer division by zero"),
        (lambda t: (t > 0) - (t > 0), RuntimeError, r"subtract\(\): there is no kernel for bool"),
        (lambda t: ~t, RuntimeError, r"bitwise_not\(\): there is no kernel for float32"),
        (lambda t: t.astype("int64") ** -1, ValueError, "negative integer powers are not allowed"),
    ],
)
def test_operators_refuse(call: Any, kind: Any, text: str) -> None:
    with pytest.raises(kind, match=text) as caught:
        call(paddle.to_tensor([1.0, 2.0]))
    assert isinstance(caught.value, errors.MinipaddleError)
    assert "to do" in str(caught.value)


@each("name", ["relu", "softmax", "log_softmax"])
@each("kind", ["int64", "bool"])
def test_functions_of_floats_refuse_integers(name: str, kind: str) -> None:
    with pytest.raises(RuntimeError, match=rf"{name}\(\): there is no kernel for {kind}") as caught:
        getattr(paddle.nn.functional, name)(paddle.ones([2], kind))
    assert "x.astype('float32')" in str(caught.value)


# ----- arguments ---------------------------------------------------------------------------------


def test_attributes_by_position_by_name_and_as_tensors() -> None:
    t = paddle.arange(6).reshape([2, 3])
    for out in (
        paddle.sum(t, 1),
        paddle.sum(t, axis=1),
        paddle.sum(t, axis=paddle.to_tensor(1)),
        paddle.sum(t, [1]),
        t.sum(1),
        t.sum(axis=(1,)),
        t.sum(axis=np.int64(1)),
    ):
        assert out.tolist() == [3, 12]
    assert paddle.sum(x=t, name="total").item() == 15
    assert t.reshape(3, 2).shape == [3, 2]
    assert t.reshape(paddle.to_tensor([3, 2])).shape == [3, 2]
    assert t.transpose(perm=[1, 0]).shape == [3, 2]


@each(
    ("call", "text"),
    [
        (lambda t: paddle.sum(t, 0, None, False, "n", 7), r"sum\(\) takes 4 arguments but 6 were"),
        (lambda t: paddle.sum(t, axes=1), r"sum\(\) got an unexpected keyword argument 'axes'"),
        (lambda t: paddle.tanh(t, t, t), "tanh"),
        (lambda t: paddle.sum(t, 1, axis=1), "got multiple values for argument 'axis'"),
        (paddle.transpose, "missing .*'perm'"),
        (lambda t: paddle.concat(), "missing .*'x'"),
    ],
)
def test_a_wrong_call_is_a_type_error(call: Any, text: str) -> None:
    with pytest.raises(TypeError, match=text):
        call(paddle.ones([2, 2]))


@each(
    ("attrs", "forward", "backward"),
    [
        ({"scale": 1.0, "bias": 2.0}, "y = x + 2", "dx = dy"),
        ({"scale": 1.0, "bias": -0.5}, "y = x − 0.5", "dx = dy"),
        ({"scale": -1.0, "bias": 1}, "y = 1 − x", "dx = −dy"),
        ({"scale": -1.0, "bias": 0.0}, "y = −x", "dx = −dy"),
        ({"scale": 3.0, "bias": 0.0}, "y = 3 · x", "dx = 3 · dy"),
        ({"scale": 3.0, "bias": -1.0}, "y = 3 · x − 1", "dx = 3 · dy"),
    ],
)
def test_the_formula_of_scale_is_what_the_user_wrote(
    attrs: dict[str, float], forward: str, backward: str
) -> None:
    scale: Any = REGISTRY["scale"]
    assert (scale.formula.forward(attrs), scale.formula.backward(attrs)) == (forward, backward)
