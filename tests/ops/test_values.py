"""What no family's test has: operators with numbers, dtypes of reductions, ways to write a call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import minipaddle as paddle
from minipaddle.ops import REGISTRY
from tests.contract.refusal import refused
from tests.each import each

FLOATS = st.floats(-4, 4, width=32)


def floats(shape: Any) -> Any:
    return arrays.arrays(np.float32, shape, elements=FLOATS)


def same(tensor: Any, wanted: Any, rtol: float = 1e-5, atol: float = 1e-6) -> None:
    wanted = np.asarray(wanted)
    assert tensor.shape == list(wanted.shape)
    np.testing.assert_allclose(tensor.numpy(), wanted, rtol=rtol, atol=atol)


def test_corners_and_infinities() -> None:
    zero = paddle.to_tensor([0.0])
    assert paddle.log(zero).item() == -np.inf
    assert (1 / zero).item() == np.inf
    assert np.isnan(paddle.sqrt(zero - 1).item())
    assert paddle.nn.functional.sigmoid(paddle.to_tensor([-1000.0, 1000.0])).tolist() == [0.0, 1.0]
    assert paddle.round(paddle.to_tensor([0.5, 1.5, 2.5])).tolist() == [0.0, 2.0, 2.0]


# ----- two tensors -------------------------------------------------------------------------------

PAIRS = arrays.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3, min_side=0)


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


# ----- fewer elements ----------------------------------------------------------------------------


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


# ----- operators, numbers and indices ------------------------------------------------------------


def test_tensors_as_indices() -> None:
    t = paddle.arange(6).reshape([2, 3])
    assert t[paddle.to_tensor(1)].tolist() == [3, 4, 5]
    assert t[paddle.to_tensor([1, 1])].tolist() == [[3, 4, 5], [3, 4, 5]]
    assert t[t > 2].tolist() == [3, 4, 5]
    assert t[:, paddle.to_tensor(0) : paddle.to_tensor(2)].tolist() == [[0, 1], [3, 4]]
    assert t[[paddle.to_tensor(1), 0]].tolist() == [[3, 4, 5], [0, 1, 2]]


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


@each(
    ("call", "kind"),
    [
        (lambda t: t * [1.0], TypeError),
        (lambda t: "a" - t, TypeError),
        (lambda t: t < None, TypeError),
        (lambda t: t / "a", TypeError),
        (lambda t: paddle.tanh(2.0), ValueError),
        (lambda t: t.astype("int64") % 0, RuntimeError),
        (lambda t: ~t, RuntimeError),
        (lambda t: t.astype("int64") ** -1, ValueError),
        (lambda t: paddle.nn.functional.log_softmax(t > 0), RuntimeError),
    ],
)
def test_operators_refuse(call: Any, kind: Any) -> None:
    refused(call, kind, paddle.to_tensor([1.0, 2.0]))


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
