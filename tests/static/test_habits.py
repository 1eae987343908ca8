"""Wrong fetches, fed parameters, isinstance of Variables, in-place names."""

import numpy as np
import pytest

import minipaddle as paddle
from tests.contract.refusal import refuses

from .world import X, data, declared, run, start

pytestmark = pytest.mark.usefixtures("programs")
static = paddle.static


def test_wrong_elements_of_a_fetch_list_are_errors() -> None:
    x = data()
    loss = static.nn.fc(x, 1).mean()
    operators, _ = paddle.optimizer.SGD(0.1).minimize(loss)
    with refuses(TypeError, "fetch_list[1]", "expected", "or a list of these", "received  list"):
        run(loss, [loss, [x]])
    with refuses(TypeError, "fetch_list[0]", "received  NoneType"):
        run([None])
    with refuses(TypeError, "fetch_list[0]", "Operator", "fetch Variables only", "all operators"):
        run(operators)
    with refuses(RuntimeError, "'nope' cannot be fetched"):
        run([x, "nope"])


def test_a_value_that_is_fed_for_a_parameter_stays() -> None:
    y = static.nn.fc(data(), 1, bias_attr=False)
    executor, weight = start(), np.ones([4, 1], "float32")
    fed = executor.run(feed={"x": X, "fc_0.w_0": weight}, fetch_list=[y])[0]
    np.testing.assert_allclose(fed, X @ weight, rtol=1e-6)
    for _ in range(3):
        np.testing.assert_array_equal(executor.run(feed={"x": X}, fetch_list=[y])[0], fed)
    weight[...] = 9.0
    np.testing.assert_array_equal(executor.run(feed={"x": X}, fetch_list=[y])[0], fed)


def test_isinstance_of_a_variable_depends_on_the_mode() -> None:
    x, weight = data(), static.create_parameter([2], "float32")
    paddle.disable_static()
    tensor, own = paddle.ones([1]), paddle.nn.Linear(1, 1).weight
    assert isinstance(tensor, static.Variable)
    assert isinstance(own, static.Parameter)
    assert not isinstance(tensor, static.Parameter)
    assert not issubclass(paddle.Tensor, static.Variable)
    paddle.enable_static()
    assert [isinstance(v, static.Variable) for v in (x, weight, own)] == [True, True, False]
    assert [isinstance(v, static.Parameter) for v in (x, weight, own)] == [False, True, False]
    assert [paddle.is_tensor(v) for v in (x, weight, static.InputSpec([2]))] == [True, True, False]


def test_a_tensor_is_still_not_changed_in_place_while_a_program_is_built() -> None:
    paddle.disable_static()
    tensor = paddle.ones([1])
    paddle.enable_static()
    with refuses(AssertionError, "tanh_()", "dynamic mode only", "disable_static()"):
        paddle.tanh_(tensor)


def test_a_form_in_place_takes_a_name_in_a_program() -> None:
    x = declared("x")
    with pytest.warns(UserWarning, match="does not perform inplace"):
        out = paddle.tanh_(x, name="squashed")
    assert out is not x


def test_data_feeders_take_only_variables() -> None:
    x = declared("o")
    assert paddle.base.DataFeeder([x], None).feed_names == ["o"]
    paddle.disable_static()
    tensor = paddle.ones([1])
    with refuses(TypeError, "Variables or their names", "Variables or their names"):
        paddle.base.DataFeeder([tensor], None)
    paddle.enable_static()
