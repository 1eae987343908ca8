"""Forms of a call, the formula of scale, and ops that refuse empty tensors or bools."""

from typing import Any

import pytest

import minipaddle as paddle
from minipaddle.engine import errors
from minipaddle.ops import REGISTRY
from minipaddle.ops.symbols import forward_formula, gradient_formula
from tests.contract.refusal import refused
from tests.each import each
from tests.static.world import fresh


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
        ({"scale": 3.0, "bias": -1.0, "bias_after_scale": False}, "y = 3 · (x − 1)", "dx = 3 · dy"),
    ],
)
def test_the_formula_of_scale_is_what_the_user_wrote(
    attrs: dict[str, float], forward: str, backward: str
) -> None:
    scale: Any = REGISTRY["scale"]
    x = ((2,), "float32")
    assert forward_formula(scale, attrs) == forward
    assert gradient_formula(scale, attrs, [x], [x]) == backward


@each("name", ["max", "min", "amax", "amin", "argmax", "argmin"])
def test_nothing_has_no_extreme(name: str) -> None:
    call = getattr(paddle, name)
    refused(lambda: call(paddle.zeros([2, 0]), axis=1), errors.InvalidArgument)


@each("name", ["subtract", "maximum", "fmax", "floor_divide", "remainder"])
def test_an_op_without_a_kernel_for_bools_says_so_also_in_a_program(name: str) -> None:
    with fresh():
        x = paddle.static.data("x", [2], "bool")
        with pytest.raises(RuntimeError, match="no kernel for bool"):
            REGISTRY[name].call(x, x)
