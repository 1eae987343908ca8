"""check_grad accepts right gradients, and finds, names and explains wrong ones."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minipaddle as paddle
from minipaddle.engine import errors
from minipaddle.engine.errors import WrongGradient
from minipaddle.testing import check_grad
from tests.each import each
from tests.samples import saving

RNG = np.random.default_rng(3)
X, Y = RNG.standard_normal((2, 3)), RNG.standard_normal((2, 3))


def product(rule: Any) -> Any:
    """Return x * y as a PyLayer with this backward."""
    return saving(lambda x, y: x * y, rule, "Product")


def wrong(func: Any, inputs: Any, **options: Any) -> WrongGradient:
    with pytest.raises(WrongGradient) as caught:
        check_grad(func, inputs, **options)
    return caught.value


# ----- right gradients ---------------------------------------------------------------------------


@each(
    ("func", "inputs"),
    [
        (paddle.tanh, X),
        (lambda x: x.exp().sum(), [X]),
        (lambda x, y: paddle.matmul(x, y, transpose_y=True), [X, Y]),
        (lambda x: (x.sum(0), [x * x, paddle.argmax(x)], "text"), [X]),
        (lambda x, n: x**n, [np.abs(X) + 1, 3]),
        (lambda x: x * 2, 1.5),
        (paddle.gather, [X, np.array([1, 0, 1])]),
        (lambda x: x.scale_(3.0) * x, [X]),
        (lambda x: paddle.zeros([2, 3]) + paddle.matmul(x, paddle.ones([3, 3])), [X]),
    ],
)
def test_right_functions_pass(func: Any, inputs: Any) -> None:
    assert str(check_grad(func, inputs)).startswith("right: ")


def test_float32_is_checked_in_float64() -> None:
    seen = []

    def f(x: Any) -> Any:
        seen.append(x.dtype)
        return paddle.tanh(x)

    check_grad(f, [paddle.to_tensor(X, dtype="float32", stop_gradient=False)])
    assert set(seen) == {paddle.float64}
    assert paddle.get_default_dtype() == "float32"
    check_grad(lambda x: paddle.tanh(x.astype("float32")), [X])  # float32 takes longer steps
    with pytest.raises(WrongGradient):
        check_grad(lambda x: x.astype("float32").detach() * x.astype("float32"), [X])


def test_inputs_that_stop_gradients_are_constants() -> None:
    constant = paddle.to_tensor(Y)
    report = check_grad(product(lambda d, x, y: (d * y, None)), [X, constant])
    assert (report.inputs, report.elements) == (1, 6)
    both = check_grad(lambda x, y: x * y, [paddle.to_tensor(X), constant])
    assert both.inputs == 2, "where no input asks for a gradient, all have one"


def test_functions_of_numpy_can_be_checked() -> None:
    assert check_grad(np.sin, [X], backward_func=lambda x, y, dy: dy * np.cos(x)).elements == 6
    two = check_grad(
        lambda x, n: (np.tanh(x), x.sum() + n),
        [X, 2],
        backward_func=lambda x, n, y, s, dy, ds: (dy * (1 - y * y) + ds, None),
    )
    assert (two.inputs, two.outputs) == (1, 2)
    only = check_grad(lambda x, n: x * n, [X, 2], backward_func=lambda x, n, y, dy: dy * n)
    assert only.inputs == 1


# ----- kinks -------------------------------------------------------------------------------------


def test_kinks_are_distinguished_from_mistakes() -> None:
    x = np.array([-1.0, 0.0, 2.0])
    report = check_grad(paddle.nn.functional.relu, [x])
    assert report.kinks == ((0, (1,)),)
    assert "3 elements, 1 of them at a kink" in str(report)
    assert check_grad(paddle.abs, [x]).kinks == ((0, (1,)),)
    assert check_grad(paddle.nn.functional.relu, [x + 0.5]).kinks == ()


def test_a_kink_excuses_nothing_beyond_it() -> None:
    def relu(slope_at_0: float) -> Any:
        def backward(dy: Any, x: Any) -> Any:
            return dy * ((x > 0).astype(dy.dtype) + (x == 0).astype(dy.dtype) * slope_at_0)

        return saving(paddle.nn.functional.relu, backward)

    x = np.array([0.0, 1.0, -1.0])
    assert check_grad(relu(0.5), [x]).kinks == ((0, (0,)),)
    error = wrong(relu(1.5), [x])
    assert (error.input, error.index) == (0, (0,))


# ----- wrong gradients ---------------------------------------------------------------------------

MISTAKES = {
    "zero": (lambda d, x, y: (d * y, d * x * 0), "it is zero everywhere"),
    "negated": (lambda d, x, y: (d * y, -d * x), "it has the wrong sign"),
    "factor": (lambda d, x, y: (d * y, d * x * 2), "the right one is 0.5 times as large"),
    "no dout": (lambda d, x, y: (d * y, x), "it does not depend on dout"),
    "order": (lambda d, x, y: (d * x, d * y), "they are right, but in another order"),
    "none": (lambda d, x, y: (d * y, None), "backward returns None"),
    "unknown": (lambda d, x, y: (d * y, d * x + x), "work the derivative out again"),
}


@each("name", MISTAKES)
def test_usual_mistakes_are_named(name: str) -> None:
    rule, hint = MISTAKES[name]
    error = wrong(product(rule), [X, Y])
    assert hint in str(error)
    assert error.input == (0 if name == "order" else 1)
    assert error.index == (0, 0)
    assert f"The gradient of Product is wrong at input {error.input}, element [0, 0]." in str(error)


def test_a_transposed_gradient_is_named() -> None:
    square = RNG.standard_normal((3, 3))
    error = wrong(np.square, [square], backward_func=lambda x, y, dy: (2 * x * dy).T)
    assert "it is transposed" in str(error)
    tall = wrong(np.square, [X], backward_func=lambda x, y, dy: (2 * x * dy).T)
    assert "it is transposed" in str(tall)
    assert "expected  shape [2, 3]" in str(tall)
    assert "received  shape [3, 2]" in str(tall)


def test_a_gradient_that_is_not_summed_is_named() -> None:
    error = wrong(lambda x, b: x + b, [X, Y[0]], backward_func=lambda x, b, y, dy: (dy, dy))
    assert "input 1: another shape" in str(error)
    assert "sum over the axes along which forward broadcast the input" in str(error)


def test_a_large_input_is_searched_to_its_first_wrong_element() -> None:
    x = RNG.standard_normal(5000)

    def spoiled(x: Any, y: Any, dy: Any) -> Any:
        dx = dy * np.cos(x)
        dx[7] *= -1
        return dx

    assert wrong(np.sin, [x], backward_func=spoiled).index == (7,)


@given(
    st.integers(0, 5),
    st.sampled_from(["zero", "negated", "doubled", "shifted"]),
    st.integers(0, 10**6),
)
def test_every_spoiled_element_is_found(place: int, how: str, seed: int) -> None:
    def spoiled(x: Any, y: Any, dy: Any) -> Any:
        dx = (dy * 2 * x).ravel()
        dx[place] = {"zero": 0, "negated": -1, "doubled": 2, "shifted": 1}[how] * dx[place]
        dx[place] += how == "shifted"
        return dx.reshape(x.shape)

    x = np.random.default_rng(seed).uniform(0.5, 2.0, (2, 3))
    assert wrong(np.square, [x], backward_func=spoiled, seed=seed).index == divmod(place, 3)


# ----- what cannot be checked --------------------------------------------------------------------


@each(
    ("func", "inputs", "kind", "text"),
    [
        (3.0, [X], TypeError, "func cannot be called"),
        (paddle.tanh, [3], ValueError, "no input can have a gradient"),
        (lambda x: x.detach(), [X], ValueError, "no output of <lambda> has a gradient"),
        (lambda x: x.numpy(), [X], TypeError, "<lambda> returned no Tensor"),
        (lambda x: x * paddle.rand([3]), [X], ValueError, "<lambda> gives other values each time"),
        (paddle.log, [np.zeros(2)], ValueError, "log is not finite at these inputs"),
    ],
)
def test_a_function_that_cannot_be_checked_raises(
    func: Any, inputs: Any, kind: Any, text: str
) -> None:
    with pytest.raises(kind) as caught:
        check_grad(func, inputs)
    assert text in str(caught.value)
    assert isinstance(caught.value, errors.MinipaddleError)
    assert not isinstance(caught.value, WrongGradient)


def test_errors_of_the_function_reach_the_caller() -> None:
    with pytest.raises(OSError, match="an exception in the backward of PyLayer Product"):
        check_grad(product(lambda d, x, y: 1 / 0), [X, Y])
    assert paddle.get_default_dtype() == "float32"
    assert paddle.is_grad_enabled()


def test_the_edge_of_the_domain_is_no_mistake() -> None:
    report = check_grad(lambda x: paddle.sqrt(x) * x, [np.array([0.0, 1.0])])
    assert report.elements == 2
