"""Programs: their texts in Paddle's format, their names and numbers, and their declarations."""

import numpy as np
import pytest

import minipaddle as paddle
from tests.contract.refusal import refuses
from tests.each import each

from .world import data, declared, fresh, run, start, types

pytestmark = pytest.mark.usefixtures("programs")
COMMON = "op_device = , op_namescope = /, op_role = 0, op_role_var = [], with_quant_attr = False"


# ----- texts --------------------------------------------------------------------------------------


def test_the_text_of_an_empty_program() -> None:
    head = "{ // block_idx:0  parent_idx:-1  forward_idx:-1  backward_idx:-1\n\n}"
    main = paddle.static.default_main_program()
    assert str(main) == head + "\n"
    assert str(main.global_block()) == head


def test_the_texts_of_variables() -> None:
    text = "var x : DENSE_TENSOR.shape(-1, 4).dtype(float32).stop_gradient(True)"
    assert str(paddle.static.data("x", [None, 4])) == text
    text = "var o : DENSE_TENSOR.shape(2,).dtype(int64).stop_gradient(False)"
    assert str(declared("o", [2], "int64")) == text
    weight = paddle.static.create_parameter([2, 3], "float32", name="w")
    text = "persist trainable param w : DENSE_TENSOR.shape(2, 3).dtype(float32)"
    assert str(weight) == text + ".stop_gradient(False)"


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


def test_a_program_reads_variables_then_a_blank_line_then_operators() -> None:
    data(shape=[2]) * 2.0
    lines = str(paddle.static.default_main_program()).splitlines()
    assert [line.strip()[:5] for line in lines] == ["{ // ", "var x", "var t", "", "{Out=", "}"]
    assert [line.startswith("    ") for line in lines] == [False, True, True, False, True, False]


# ----- names --------------------------------------------------------------------------------------


def test_layers_and_ops_number_their_parameters_and_outputs() -> None:
    x = data()
    paddle.static.nn.fc(x, 3, activation="relu")
    paddle.static.nn.fc(x, 3, name="mine", bias_attr=False)
    paddle.mean(paddle.mean(x))
    assert list(x.block.vars) == [
        "x",
        "fc_0.w_0",
        "fc_0.tmp_0",
        "fc_0.b_0",
        "fc_0.tmp_1",
        "fc_0.tmp_2",
        "mine.w_0",
        "mine.tmp_0",
        "mean_0.tmp_0",
        "mean_1.tmp_0",
    ]


@each(
    ("build", "name"),
    [
        (lambda x: x + x, "tmp_0"),
        (lambda x: 2.0 * x, "tmp_0"),
        (lambda x: -x, "tmp_0"),
        (lambda x: x.astype("float64"), "tmp_0"),
        (lambda x: x[0], "x_slice_0"),
        (lambda x: x.T, "x.tmp_0"),
        (lambda x: x.clone(), "x_clone_0"),
        (lambda x: x.detach(), "detach_x_0"),
        (lambda x: paddle.add(x, x), "elementwise_add_0.tmp_0"),
        (paddle.tanh, "tanh_0.tmp_0"),
        (lambda x: x.tanh(), "tanh_0.tmp_0"),
        (lambda x: paddle.cast(x, "int64"), "cast_0.tmp_0"),
        (lambda x: paddle.concat([x, x]), "concat_0.tmp_0"),
    ],
)
@fresh()
def test_names_tell_how_an_output_was_written(build, name) -> None:
    assert build(data()).name == name


def test_every_program_numbers_for_itself_and_goes_on_where_it_was() -> None:
    def layer(program):
        with paddle.static.program_guard(program, paddle.static.Program()):
            return paddle.static.nn.fc(paddle.static.data("x", [2, 4]), 1).name

    one, two = paddle.static.Program(), paddle.static.Program()
    assert [layer(one), layer(two), layer(one)] == ["fc_0.tmp_1", "fc_0.tmp_1", "fc_1.tmp_1"]


def test_nameless_variables_are_numbered() -> None:
    block = paddle.static.default_main_program().current_block()
    names = [block.create_var(shape=[1], dtype="int32").name for _ in range(2)]
    assert names == ["_generated_var_0", "_generated_var_1"]


# ----- declarations -------------------------------------------------------------------------------


def test_data_is_an_input_without_gradient() -> None:
    x = paddle.static.data("x", [None, 4])
    assert (x.shape, x.dtype, x.ndim) == ((-1, 4), paddle.float32, 2)
    assert (x.stop_gradient, x.is_data, x.persistable) == (True, True, False)


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


def test_parameters_take_a_name_and_an_initializer() -> None:
    initializer = paddle.nn.initializer.Constant(0.5)
    attr = paddle.ParamAttr(name="W", initializer=initializer, learning_rate=0.5, trainable=False)
    paddle.static.nn.fc(data(), 3, weight_attr=attr, bias_attr=False)
    (weight,) = paddle.static.default_main_program().all_parameters()
    assert (weight.name, weight.shape, weight.stop_gradient) == ("W", (4, 3), True)
    assert weight.optimize_attr == {"learning_rate": 0.5}
    assert str(weight).startswith("persist param W :")
    start()
    np.testing.assert_array_equal(run("W")[0], np.full([4, 3], 0.5, "float32"))


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
    with refuses(TypeError, "InputSpec()", "`shape`", "NoneType", "expected", "to do"):
        paddle.static.InputSpec(None)
    with refuses(ValueError, "from_tensor", "should be a Tensor", "int 3"):
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


def test_a_clone_is_another_program_with_the_same_text() -> None:
    loss = paddle.mean(paddle.static.nn.fc(data(), 3))
    paddle.static.append_backward(loss)
    main = paddle.static.default_main_program()
    copy = main.clone()
    assert copy != main
    assert str(copy) == str(main)
    with paddle.static.program_guard(copy):
        loss_of_copy = copy.global_block().var(loss.name) * 2.0
    assert loss_of_copy.name not in main.global_block().vars
    assert all(var.block is copy.global_block() for var in copy.list_vars())


def test_a_clone_for_a_test_has_no_gradients_and_no_dropout() -> None:
    x = data()
    out = paddle.nn.functional.dropout(x, 0.5)
    loss = paddle.mean(paddle.static.nn.fc(out, 1))
    paddle.optimizer.SGD(0.1).minimize(loss)
    main = paddle.static.default_main_program()
    test = main.clone(for_test=True)
    assert types(test) == ["dropout", "mul", "elementwise_add", "reduce_mean"]
    assert not [name for name in test.global_block().vars if "@GRAD" in name]
    executor = start()
    ones = np.ones([2, 4], "float32")
    (kept,) = executor.run(test, feed={"x": ones}, fetch_list=[out.name])
    np.testing.assert_array_equal(kept, ones)
    (dropped,) = executor.run(main, feed={"x": ones}, fetch_list=[out.name])
    assert set(np.unique(dropped)) == {0.0, 2.0}


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


# ----- seeds --------------------------------------------------------------------------------------


def test_a_programs_own_seed_goes_into_its_initializers() -> None:
    paddle.static.default_startup_program().random_seed = 90
    for size in (3, 3):
        paddle.static.nn.fc(data(), size, bias_attr=False)
    ops = paddle.static.default_startup_program().global_block().ops
    assert [op.attr("seed") for op in ops] == [90, 90]
    start(seed=1)
    first, second = run("fc_0.w_0", "fc_1.w_0")
    np.testing.assert_array_equal(first, second)


def test_a_programs_own_seed_makes_dropout_repeat() -> None:
    paddle.static.default_main_program().random_seed = 90
    out = paddle.nn.functional.dropout(data(shape=[50]), 0.5)
    ones = np.ones([50], "float32")
    np.testing.assert_array_equal(run(out, x=ones)[0], run(out, x=ones)[0])
