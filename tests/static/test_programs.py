"""Programs: texts of operators, declarations, lookups, and what is told of mistakes."""

import numpy as np
import pytest

import minipaddle as paddle
from tests.contract.refusal import refuses
from tests.each import each

from .world import data, declared, fresh, run, start, types

pytestmark = pytest.mark.usefixtures("programs")
COMMON = "op_device = , op_namescope = /, op_role = 0, op_role_var = [], with_quant_attr = False"


# ----- texts --------------------------------------------------------------------------------------


def test_the_text_of_operators() -> None:
    hidden = paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 3)
    paddle.mean(hidden, axis=1)
    block = paddle.static.default_main_program().global_block()
    mul, add, mean = (str(op) for op in block.ops)
    assert mul == (
        "{Out=['fc_0.tmp_0']} = mul(inputs={X=['x'], Y=['fc_0.w_0']}, "
        f"{COMMON}, x_num_col_dims = 1, y_num_col_dims = 1)"
    )
    assert add == (
        "{Out=['fc_0.tmp_1']} = elementwise_add(inputs={X=['fc_0.tmp_0'], Y=['fc_0.b_0']}, "
        f"axis = 1, {COMMON})"
    )
    assert mean == (
        "{Out=['mean_0.tmp_0']} = reduce_mean(inputs={X=['fc_0.tmp_1']}, dim = [1], in_dtype = -1, "
        "keep_dim = False, op_device = , op_namescope = /, op_role = 0, op_role_var = [], "
        "out_dtype = -1, reduce_all = False, with_quant_attr = False)"
    )


def test_the_text_of_a_py_func() -> None:
    x, out = data(shape=[2]), declared(shape=[2])
    paddle.static.py_func(np.tanh, x, out, np.tanh, x)
    (op,) = out.block.ops
    assert str(op) == (
        "{Out=['o']} = py_func(inputs={X=['x']}, backward_callable_id = 1, "
        f"backward_skip_vars = ['x'], forward_callable_id = 0, {COMMON})"
    )


# ----- declarations -------------------------------------------------------------------------------


def test_the_same_name_gives_the_same_variable() -> None:
    assert data() is data()
    with refuses(ValueError, "x", "shape", "expected", "(2, 4)", "received", "(3, 4)", "to do"):
        data(shape=[3, 4])
    with refuses(ValueError, "x", "data type", "expected", "float32", "received", "int64"):
        data(dtype="int64")


@each(
    ("shape", "error", "words"),
    [
        ([-2], ValueError, ["Only -1 can be used", "received", "-2", "to do"]),
        (2, TypeError, ["shape", "list or tuple", "int 2", "to do"]),
        (["a"], TypeError, ["no integer", "expected", "received", "'a'", "to do"]),
    ],
)
@fresh()
def test_wrong_shapes_are_told(shape, error, words) -> None:
    with refuses(error, "data()", *words):
        paddle.static.data("x", shape)


def test_wrong_names_and_dtypes_are_told() -> None:
    with refuses(TypeError, "data()", "'name'", "expected", "str", "received", "int 3"):
        paddle.static.data(3, [2])
    with refuses(TypeError, "'foo'", "expected", "float32", "to do"):
        paddle.static.data("x", [2], "foo")


def test_one_name_is_one_weight() -> None:
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


def test_input_specs_describe_an_input() -> None:
    spec = paddle.static.InputSpec([None, 4], "int64", "ids")
    assert (spec.shape, spec.dtype, spec.name) == ((-1, 4), paddle.int64, "ids")
    assert spec == paddle.static.InputSpec((-1, 4), "int64", "ids")
    assert spec != paddle.static.InputSpec((-1, 4), "int32", "ids")
    with refuses(TypeError, "InputSpec()", "'shape'", "NoneType", "expected", "to do"):
        paddle.static.InputSpec(None)
    with refuses(ValueError, "from_tensor", "Tensor or Variable", "int 3"):
        paddle.static.InputSpec.from_tensor(3)
    with refuses(TypeError, "from_numpy", "'ndarray'", "int 3"):
        paddle.static.InputSpec.from_numpy(3)
    with refuses(ValueError, "unbatch", "len(shape) == 0"):
        paddle.static.InputSpec([]).unbatch()
    with refuses(ValueError, "Length of batch_size", "2 sizes"):
        spec.batch([2, 3])
    assert spec.batch(2).shape == (2, -1, 4)
    assert paddle.static.InputSpec.from_tensor(data()).name == "x"


# ----- looking things up --------------------------------------------------------------------------


def test_lookups_that_fail_say_what_there_is() -> None:
    paddle.static.nn.fc(data(), 3)
    block = paddle.static.default_main_program().global_block()
    mul = block.ops[0]
    assert (mul.input("X"), mul.output("Out"), mul.attr("x_num_col_dims")) == (
        ["x"],
        ["fc_0.tmp_0"],
        1,
    )
    with refuses(ValueError, "var nope not in this block", "received", "'nope'"):
        block.var("nope")
    with refuses(RuntimeError, "Attribute foo", "mul", "x_num_col_dims"):
        mul.attr("foo")
    with refuses(RuntimeError, "Input Foo", "mul", "X, Y"):
        mul.input("Foo")
    with refuses(IndexError, "one block", "expected", "0", "received", "1"):
        paddle.static.default_main_program().block(1)


# ----- copies -------------------------------------------------------------------------------------


@each("made_by", ["gradients", "append_backward", "a clone of the clone"])
@fresh()
def test_what_a_clone_for_a_test_left_out_is_nothing_to_feed(made_by: str) -> None:
    """It keeps what reads a gradient, and computes none."""
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
