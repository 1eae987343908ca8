"""py_func beyond its contract: its functions' arguments, its warning, its notes."""

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.static import DenseTensor
from tests.contract.refusal import refuses
from tests.each import each

from .world import X, data, declared, run

pytestmark = pytest.mark.usefixtures("programs")


def py_func(func, backward=None, **options):
    """Add a py_func of x with one output, and return that output."""
    out = declared(**options)
    paddle.static.py_func(func, data(needs=backward is not None), out, backward)
    return out


# ----- what functions receive ---------------------------------------------------------------------


@each(
    ("array", "shown"),
    [
        (np.float64([0.1, 1e-7, 123456789.0]), "[0.1 1e-07 1.23457e+08]"),
        (np.int64([[1, -2]]), "[1 -2]"),
        (np.array([True, False]), "[1 0]"),
        (np.float32([np.nan, np.inf]), "[nan inf]"),
    ],
)
def test_printing_shows_all_elements_as_paddle_does(array, shown) -> None:
    text = (
        f"  - shape: {list(array.shape)}\n  - layout: NCHW\n  - place: Place(cpu)\n"
        f"  - dtype: {array.dtype.name}\n  - data: {shown}"
    )
    assert str(DenseTensor(array)) == text
    assert (
        repr(DenseTensor(array)) == f"DenseTensor(shape={list(array.shape)}, dtype={array.dtype})"
    )


def test_numpy_works_on_an_input_and_arrays_take_it_as_an_operand() -> None:
    x = DenseTensor(X)
    np.testing.assert_array_equal(np.add(x, x), X + X)
    np.testing.assert_array_equal(np.concatenate([x, x]), np.concatenate([X, X]))
    np.testing.assert_array_equal(np.dot(x, X.T), X @ X.T)
    np.testing.assert_array_equal(X + x, X + X)
    np.testing.assert_array_equal(x - X, X - X)
    np.testing.assert_array_equal(np.float32(2) * x, 2 * X)
    np.testing.assert_array_equal(np.array(x[1]), X[1:2])
    assert np.array(x, dtype="float64").dtype == np.float64


def test_an_input_cannot_be_overwritten() -> None:
    with refuses(RuntimeError, "cannot be changed", "return the new values"):
        run(py_func(lambda x: x.set(X)))
    with refuses(TypeError, "shares its memory with nobody"):
        np.array(DenseTensor(X), copy=False)


# ----- what they return ---------------------------------------------------------------------------


def test_the_warning_points_at_the_function() -> None:
    def func(x):
        return np.array(x, "float64")

    out = py_func(func)
    with pytest.warns(paddle.static.DeclarationWarning, match="'func'") as caught:
        run(out)
    assert (caught[0].filename, caught[0].lineno) == (
        func.__code__.co_filename,
        func.__code__.co_firstlineno,
    )


@pytest.mark.parametrize(
    ("func", "backward", "note"),
    [
        (lambda: X, None, "with 1 array: x"),
        (np.array, lambda do: do, "with 3 arrays, x, out, out@GRAD: the inputs, the outputs, then"),
    ],
)
def test_an_error_for_too_few_parameters_lists_the_arguments(func, backward, note) -> None:
    wrong = backward or func
    word = f"{'backward_func' if backward else 'func'} '<lambda>'"
    out = py_func(func, backward, name="out")
    grads = paddle.static.gradients(out, out.block.var("x")) if backward else [out]
    with pytest.raises(TypeError, match="positional argument") as caught:
        run(*grads)
    (told,) = caught.value.__notes__
    assert told.startswith(f"  py_func calls {word} (")
    assert f"test_py_func.py:{wrong.__code__.co_firstlineno}) {note}" in told


# ----- building -----------------------------------------------------------------------------------


def test_an_output_is_a_variable() -> None:
    with refuses(TypeError, "py_func()", "'out'", "create_var", "int 3"):
        paddle.static.py_func(np.tanh, None, 3)


def test_the_gradient_operator_names_its_function() -> None:
    x, y = data(needs=True), data("y")
    a, b = declared("a"), declared("b")
    paddle.static.py_func(lambda x, y: (x, y), [x, y], [a, b], lambda *v: (v[0], None), [y])
    paddle.static.append_backward(paddle.mean(a))
    forward, gradient = (op for op in a.block.ops if op.type == "py_func")
    assert forward.attr("backward_callable_id") == gradient.attr("forward_callable_id") == 1
    assert gradient.input("X") == ["x", "a", "b", "a@GRAD", "@EMPTY@"]
    assert gradient.output("Out") == ["x@GRAD", "@EMPTY@"]
    assert gradient.forward is forward
