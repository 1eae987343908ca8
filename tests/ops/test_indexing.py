"""x[...] and x[...] = value against NumPy: every kind of index, gradients in both directions."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import minipaddle as paddle
from minipaddle.engine import errors
from tests.each import each
from tests.static.world import data, fresh, run

SHAPES = hnp.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=4)


def numbers(shape: Any) -> Any:
    """Different values everywhere."""
    return np.arange(np.prod(shape), dtype="float64").reshape(shape) + 1.0


def basic_items(shape: Any) -> Any:
    """Indices of integers, slices, None and the ellipsis."""
    return hnp.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True)


def position_items(shape: Any) -> Any:
    """Indices of arrays of integers for the first axes, and masks."""
    arrays = hnp.integer_array_indices(shape, result_shape=hnp.array_shapes(max_dims=2, max_side=3))
    masks = hnp.arrays(bool, shape)
    return st.one_of(arrays, masks)


def weights_like(array: Any) -> Any:
    return np.random.default_rng(1).normal(size=array.shape)


def check_read(x: Any, item: Any) -> None:
    """Check the values, and the gradient, which adds up all reads of each element."""
    tensor = paddle.to_tensor(x, stop_gradient=False)
    out, expected = tensor[item], x[item]
    assert out.shape == list(expected.shape)
    assert out.numpy().tobytes() == np.ascontiguousarray(expected).tobytes()
    weights = weights_like(expected)
    (out * paddle.to_tensor(weights)).sum().backward()
    wanted = np.zeros_like(x)
    np.add.at(wanted, item, weights)
    np.testing.assert_allclose(tensor.grad.numpy(), wanted, rtol=1e-12, atol=1e-12)


def check_write(x: Any, item: Any, value: Any) -> None:
    """Check the values, and both gradients: an element's goes to the last value written."""
    tensor, source = (paddle.to_tensor(a, stop_gradient=False) for a in (x, value))
    out = tensor * 1.0
    out[item] = source
    expected = x.copy()
    expected[item] = value
    assert out.numpy().tobytes() == expected.tobytes()
    weights = weights_like(x)
    (out * paddle.to_tensor(weights)).sum().backward()
    origin = np.full(x.shape, -1)  # position -> index of the value's element
    origin[item] = np.arange(value.size).reshape(value.shape)
    dvalue = np.zeros(value.size)
    np.add.at(dvalue, origin[origin >= 0], weights[origin >= 0])
    np.testing.assert_array_equal(tensor.grad.numpy(), np.where(origin < 0, weights, 0.0))
    np.testing.assert_allclose(source.grad.numpy().ravel(), dvalue, rtol=1e-12, atol=1e-12)


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_reading_by_integers_and_slices_equals_numpys(case: Any) -> None:
    shape = case.draw(SHAPES)
    check_read(numbers(shape), case.draw(basic_items(shape)))


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_reading_by_positions_and_masks_equals_numpys(case: Any) -> None:
    shape = case.draw(SHAPES)
    check_read(numbers(shape), case.draw(position_items(shape)))


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_writing_by_any_index_equals_numpys(case: Any) -> None:
    """The value has the shape of the part, or one that broadcasts to it."""
    shape = case.draw(SHAPES)
    x = numbers(shape)
    item = case.draw(st.one_of(basic_items(shape), position_items(shape)))
    part = x[item].shape
    kept = [case.draw(st.booleans()) for _ in part]
    small = tuple(n if keep else 1 for n, keep in zip(part, kept, strict=True))
    cut = case.draw(st.integers(0, len(small)))
    if all(n == 1 for n in small[:cut]):
        small = small[cut:]
    check_write(x, item, -numbers(small))


def test_a_value_of_another_dtype_is_cast_and_its_gradient_is_cast_back() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    value = paddle.to_tensor(0.5, dtype="float64", stop_gradient=False)
    filled = paddle.masked_fill(x, x > 1.0, value)
    filled.sum().backward()
    assert (filled.dtype, filled.tolist()) == (paddle.float32, [1.0, 0.5])
    assert (value.grad.dtype, value.grad.tolist()) == (paddle.float64, 1.0)


def test_an_index_that_changes_before_backward_is_noticed() -> None:
    x, index = paddle.ones([3]), paddle.to_tensor([0, 1])
    x.stop_gradient = False
    y = x[index]
    index[0] = 2
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        y.sum().backward()


# ----- errors ------------------------------------------------------------------------------------


# ----- in a Program ------------------------------------------------------------------------------

X = numbers((3, 4)).astype("float32")
TWO, ONE = np.array([2, 0]), np.array(1)
PROGRAMS = [
    ("x[i]", lambda x, i: x[i], TWO, lambda x, i: x[i], [-1, 4]),
    ("x[:, i]", lambda x, i: x[:, i], TWO, lambda x, i: x[:, i], [-1, -1]),
    ("x[1, i]", lambda x, i: x[1, i], TWO, lambda x, i: x[1, i], [-1]),
    ("x[j]", lambda x, j: x[j], ONE, lambda x, j: x[j], [4]),
    ("x[j, 1:]", lambda x, j: x[j, 1:], ONE, lambda x, j: x[j, 1:], [3]),
    ("x[j:]", lambda x, j: x[j:], ONE, lambda x, j: x[int(j) :], [-1, 4]),
    ("x[:, j:3]", lambda x, j: x[:, j:3], ONE, lambda x, j: x[:, int(j) : 3], [-1, -1]),
    ("x[::-j, 0]", lambda x, j: x[::-j, 0], ONE, lambda x, _: x[::-1, 0], [-1]),
    ("x[x > 5]", lambda x, _: x[x > 5.0], ONE, lambda x, _: x[x > 5.0], [-1]),
    ("x[x[:, 0] > 3]", lambda x, _: x[x[:, 0] > 3.0], ONE, lambda x, _: x[x[:, 0] > 3], [-1, 4]),
    ("x[[0, 2]]", lambda x, _: x[[0, 2]], ONE, lambda x, _: x[[0, 2]], [2, 4]),
]


@each(
    ("build", "index", "wanted", "declared"),
    [p[1:] for p in PROGRAMS],
    ids=[p[0] for p in PROGRAMS],
)
def test_a_program_takes_an_index_that_only_the_run_knows(
    build: Any, index: Any, wanted: Any, declared: Any
) -> None:
    """Values and gradients are right although sizes are unknown."""
    with fresh():
        x = data("x", [-1, 4], needs=True)
        i = data("i", [-1] * index.ndim, index.dtype.name)
        out = build(x, i)
        assert list(out.shape) == declared
        (dx,) = paddle.static.gradients([(out * out).sum()], [x])
        values = run(out, dx, x=X, i=index)
    expected = wanted(X, index)
    np.testing.assert_array_equal(values[0], expected)
    touched = np.zeros_like(X)
    np.add.at(touched.reshape(-1), expected.astype(int).ravel() - 1, 2.0 * expected.ravel())
    np.testing.assert_array_equal(values[1], touched)


@each(
    ("item", "value"),
    [
        (lambda i, j: 0, 7.0),
        (lambda i, j: i, 7.0),
        (lambda i, j: (slice(j, None), 2), -1.0),
        (lambda i, j: (j, i), np.array([5.0, 6.0])),
    ],
)
def test_setitem_works_in_a_program(item: Any, value: Any) -> None:
    with fresh():
        x, i, j = data("x", [-1, 4]), data("i", [2], "int64"), data("j", [], "int64")
        out = paddle.static.setitem(x, item(i, j), value)
        (got,) = run(out, x=X, i=TWO, j=ONE)
    expected = X.copy()
    expected[item(TWO, 1)] = value
    np.testing.assert_array_equal(got, expected)


def test_setitem_in_a_program_has_gradients() -> None:
    with fresh():
        x, value = data("x", [-1, 4], needs=True), data("v", [4], needs=True)
        i = data("i", [-1], "int64")
        out = paddle.static.setitem(x, i, value)
        grads = paddle.static.gradients([(out * out).sum()], [x, value])
        dx, dvalue = run(*grads, x=X, v=np.float32([1, 2, 3, 4]), i=TWO)
    np.testing.assert_array_equal(dx, [[0] * 4, 2 * X[1], [0] * 4])
    np.testing.assert_array_equal(dvalue, [4, 8, 12, 16])


def test_a_variable_is_not_written_in_place() -> None:
    with fresh():
        x = data("x", [-1, 4])
        with pytest.raises(RuntimeError, match="should not be used") as caught:
            x[0] = 1.0
    assert "paddle.static.setitem(x, indices, values)" in str(caught.value)
    assert isinstance(caught.value, errors.PreconditionNotMet)


def test_an_index_out_of_range_is_an_error_when_the_program_runs() -> None:
    with fresh():
        out = data("x", [-1, 4])[data("i", [1], "int64")]
        with pytest.raises(IndexError, match="the index 9 is out of bounds for axis 0 with size 3"):
            run(out, x=X, i=np.array([9]))
