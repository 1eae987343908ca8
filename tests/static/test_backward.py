"""append_backward, gradients and minimize: the operators they add, and their names."""

import numpy as np
import pytest

import minipaddle as paddle
from tests.contract.refusal import refuses

from .world import X, data, start

pytestmark = pytest.mark.usefixtures("programs")


def network():
    """Return the mean of a layer of three tanh units over x."""
    hidden = paddle.static.nn.fc(data(), 3, activation="tanh")
    return hidden, paddle.mean(hidden)


def ops(program=None):
    return (program or paddle.static.default_main_program()).global_block().ops


# ----- append_backward ----------------------------------------------------------------------------


def test_the_pairs_are_those_of_the_listed_variables() -> None:
    x = paddle.static.data("x", [2])
    noise = paddle.rand([2])
    noise.stop_gradient = False
    w, v, unused = (paddle.create_parameter([2], "float32") for _ in range(3))
    y = x * w
    loss = paddle.mean(y + v + noise)
    pairs = paddle.static.append_backward(loss, parameter_list=[v, y, x, noise, unused, w, loss])
    assert [one.name for one, _ in pairs] == [one.name for one in (v, y, noise, w, loss)]
    assert [grad.name for _, grad in pairs] == [f"{one.name}@GRAD" for one, _ in pairs]


def test_callbacks_see_each_gradient_operator() -> None:
    seen = []

    def note(block, context) -> None:
        operator = context.pop("__current_op_desc__")
        assert block.ops[-1] is operator
        seen.append((operator.type, context))

    _, loss = network()
    paddle.static.append_backward(loss, callbacks=[note])
    assert [kind for kind, _ in seen] == [op.type for op in ops() if op.type.endswith("_grad")]
    originals = {grad: name for _, context in seen for grad, name in context.items()}
    assert originals["fc_0.w_0@GRAD"] == "fc_0.w_0"
    with refuses(ValueError, "'callbacks'", "a list of functions"):
        paddle.static.append_backward(loss, callbacks=[3])


def test_sets_of_names_are_taken_like_lists() -> None:
    _, loss = network()
    with refuses(NotImplementedError, "checkpoints=None", "leave it out"):
        paddle.static.append_backward(loss, checkpoints=[loss])
    with refuses(TypeError, "append_backward()", "'no_grad_set'", "received", "str", "[...]"):
        paddle.static.append_backward(loss, no_grad_set="fc_0.w_0")


# ----- gradients ----------------------------------------------------------------------------------


def test_weights_must_fit_their_targets() -> None:
    x = data(needs=True)
    y = x * 2.0
    with refuses(ValueError, "target_gradient", "[2, 4]", "[3]"):
        paddle.static.gradients(y, x, target_gradients=data("w", [3]))
    with refuses(ValueError, "expected  1 target_gradients"):
        paddle.static.gradients(y, x, target_gradients=[y, y])
    with refuses(ValueError, "'targets' is empty", "to do"):
        paddle.static.gradients([], x)
    with refuses(TypeError, "'inputs'", "Variable", "received", "str"):
        paddle.static.gradients(y, "x")


# ----- minimize -----------------------------------------------------------------------------------


def test_a_view_of_a_weight_keeps_its_value_after_an_update() -> None:
    x = data()
    weight = paddle.static.create_parameter([4, 3], "float32", name="w")
    view = paddle.transpose(weight, [1, 0])
    paddle.optimizer.SGD(0.5).minimize(paddle.mean(x @ weight))
    executor = start()
    before = np.array(paddle.static.global_scope().find_var("w").get_tensor())
    (value,) = executor.run(feed={"x": X}, fetch_list=[view])
    np.testing.assert_array_equal(value, before.T)
