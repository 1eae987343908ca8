"""Programs: declarations, clones, and errors."""

import numpy as np
import pytest

import minipaddle as paddle
from tests.contract.refusal import refuses
from tests.each import each

from .world import data, fresh, run, start, types

pytestmark = pytest.mark.usefixtures("programs")
# ----- declarations -------------------------------------------------------------------------------


def test_the_same_name_gives_the_same_variable() -> None:
    assert data() is data()
    with refuses(ValueError, "x", "shape", "expected", "(2, 4)", "received", "(3, 4)", "to do"):
        data(shape=[3, 4])
    with refuses(ValueError, "x", "data type", "expected", "float32", "received", "int64"):
        data(dtype="int64")


def test_layers_with_one_weight_name_share_the_weight() -> None:
    attr = paddle.ParamAttr(name="W")
    for _ in range(2):
        paddle.static.nn.fc(data(), 3, weight_attr=attr, bias_attr=False)
    assert [p.name for p in paddle.static.default_main_program().all_parameters()] == ["W"]
    assert types(paddle.static.default_startup_program()) == ["uniform_random"]
    with refuses(ValueError, "W", "expected", "(4, 3)", "received", "(4, 5)"):
        paddle.static.nn.fc(data(), 5, weight_attr=attr)


def test_a_global_variable_keeps_its_value() -> None:
    total = paddle.static.create_global_var([2], 1.5, "float32", persistable=True, name="total")
    start()
    np.testing.assert_array_equal(run(total * 2.0)[0], np.float32([3, 3]))


def test_a_variable_of_another_program_is_found_by_its_name() -> None:
    with fresh():
        wide = data("x", [2, 9])
    paddle.enable_static()
    narrow = data("x", [2, 4])
    assert paddle.tanh(wide).shape == narrow.shape


# ----- copies -------------------------------------------------------------------------------------


@each("made_by", ["gradients", "append_backward", "a clone of the clone"])
@fresh()
def test_variables_removed_from_a_test_clone_cannot_be_fed(made_by: str) -> None:
    """A test clone keeps readers of gradients, and computes no gradient."""
    x = paddle.static.data("x", [2, 4])
    x.stop_gradient = False
    loss = paddle.mean(x * x)
    if made_by == "append_backward":
        loss = paddle.mean(paddle.static.nn.fc(x, 1))
        ((_, grad), *_more) = paddle.static.append_backward(loss)
    else:
        (grad,) = paddle.static.gradients(loss, x)
    moved = paddle.scale(grad, 0.1)
    main = paddle.static.default_main_program()
    test = main.clone(for_test=True)
    test = test.clone() if made_by == "a clone of the clone" else test
    executor, feed = start(), {"x": np.ones([2, 4], "float32")}
    with refuses(ValueError, "clone(for_test=True)", grad.name) as caught:
        executor.run(test, feed=feed, fetch_list=[loss.name])
    assert "feed=" not in "".join(caught.value.message)
    executor.run(main.clone(), feed=feed, fetch_list=[moved.name])
