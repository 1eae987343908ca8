"""Values of a Program by name, its long text, and the guards of names and devices."""

import numpy as np
import pytest

import minipaddle as paddle
from tests.contract.refusal import refuses
from tests.each import each

from .world import X, fresh, start

pytestmark = pytest.mark.usefixtures("programs")
static = paddle.static


def layer():
    static.nn.fc(static.data("x", [None, 4]), 3)
    return static.default_main_program()


# ----- values -------------------------------------------------------------------------------------


def test_a_parameter_has_its_value_in_the_scope() -> None:
    weight = layer().all_parameters()[0]
    with refuses(ValueError, "Can not find Variable 'fc_0.w_0' in the Scope", "startup program"):
        weight.get_value()
    executor = start()
    weight.set_value(np.ones([4, 3]))
    assert np.array(weight.get_value()).dtype == np.float32
    (out,) = executor.run(feed={"x": X}, fetch_list=["fc_0.tmp_0"])
    np.testing.assert_allclose(out, X.sum(1, keepdims=True) @ np.ones([1, 3]), rtol=1e-6)


@each(
    ("value", "error", "words"),
    [
        (np.ones([4, 2]), ValueError, ["fc_0.w_0 expected a shape [4, 3]", "[4, 2]"]),
        ([[1.0]], TypeError, ["ndarray or DenseTensor", "list [[1.0]]"]),
        (3, TypeError, ["'value'", "int 3"]),
    ],
)
@fresh()
def test_values_that_do_not_fit_are_errors(value, error, words) -> None:
    weight = layer().all_parameters()[0]
    start()
    before = np.array(weight.get_value())
    with refuses(error, "expected", "received", "to do", *words):
        weight.set_value(value)
    np.testing.assert_array_equal(np.array(weight.get_value()), before)


def test_state_dicts_hold_parameters_and_the_state_of_an_optimizer() -> None:
    program = layer()
    paddle.optimizer.Momentum(0.1).minimize(paddle.mean(program.global_block().var("fc_0.tmp_1")))
    start()
    parameters, state = program.state_dict("param"), program.state_dict("opt")
    assert list(parameters) == ["fc_0.w_0", "fc_0.b_0"]
    assert set(state) == {"learning_rate_0", "fc_0.w_0_velocity_0", "fc_0.b_0_velocity_0"}
    assert list(program.state_dict()) == [*parameters, *state]
    assert list(program.clone(for_test=True).state_dict()) == list(parameters)
    with refuses(ValueError, "mode must be", "'foo'"):
        program.state_dict("foo")


@each(
    ("state", "reason"),
    [
        ({"nope": X}, "Because 'nope' not in the program"),
        ({"fc_0.b_0": np.ones(4)}, "fc_0.b_0 expected a shape"),
        ({"fc_0.b_0": [1, 2, 3]}, "the type of 'value' is wrong"),
    ],
)
@fresh()
def test_values_that_do_not_fit_are_skipped_with_a_warning(state, reason) -> None:
    program = layer()
    start()
    with pytest.warns(UserWarning, match="Skip loading for") as caught:
        program.set_state_dict({**state, "fc_0.w_0": np.zeros([4, 3], "float32")})
    assert reason in str(caught[0].message)
    assert caught[0].filename == __file__
    assert not np.array(program.state_dict()["fc_0.w_0"]).any()


# ----- texts --------------------------------------------------------------------------------------


def test_a_program_writes_x_minus_0_as_paddle_does() -> None:
    x = static.data("x", [2])
    _ = x - 0, x * 1.0
    text = str(static.default_main_program())
    assert "bias = -0.0" in text  # measured: Paddle 3.3.1 writes -0.0
    assert "bias = 0.0" in text


def test_the_long_text_has_every_field() -> None:
    program = layer()
    text = program.to_string(True)
    names = [line.split('"')[1] for line in text.splitlines() if line.startswith("    name:")]
    assert names[:5] == sorted(["x", "fc_0.w_0", "fc_0.b_0", "fc_0.tmp_0", "fc_0.tmp_1"])
    assert 'parameter: "X"\n      arguments: "x"' in text
    assert 'name: "x_num_col_dims"\n      type: INT\n      i: 1' in text
    detailed = program.to_string(True, with_details=True)
    assert "    trainable: True\n    optimize_attr: {'learning_rate': 1.0}" in detailed
    assert detailed.index('name: "x"') < detailed.index('name: "fc_0.b_0"')
    assert program.global_block().to_string(True) in text.replace("\n  ", "\n")[len("blocks {\n") :]


@each(
    ("value", "kind"),
    [
        (3, "INT"),
        (2.5, "FLOAT"),
        ("a", "STRING"),
        (True, "BOOL"),
        ([1, 2], "INTS"),
        ([1.5], "FLOATS"),
        (["a"], "STRINGS"),
        ([], "STRINGS"),
        ([False], "BOOLS"),
    ],
)
@fresh()
def test_attributes_have_their_types(value, kind) -> None:
    op = layer().global_block().ops[0]
    op.attrs["one"] = value
    assert str(op.attr_type("one")) == f"AttrType.{kind}"
    assert f'name: "one"\n  type: {"BOOLEAN" if kind == "BOOL" else kind}' in op.to_string(True)


def test_programs_cannot_be_read_from_bytes() -> None:
    with refuses(NotImplementedError, "cannot be read from bytes", "static.load"):
        static.Program.parse_from_string(b"abc")


# ----- guards of names and devices ----------------------------------------------------------------


@each(
    ("guard", "error", "words"),
    [
        (lambda: static.name_scope(3), TypeError, ["'prefix'", "int 3"]),
        (lambda: static.device_guard("gpu:x"), ValueError, ["'gpu:x'"]),
    ],
)
def test_wrong_arguments_of_guards_are_errors(guard, error, words) -> None:
    with refuses(error, "expected", "received", *words), guard():
        pass


# ----- parameters of a block ----------------------------------------------------------------------


def test_a_block_makes_parameters_and_fills_them_itself() -> None:
    block = static.default_main_program().global_block()
    fill = paddle.nn.initializer.Constant(3.0)
    weight = block.create_parameter(name="w", shape=[2], dtype="float32", initializer=fill)
    assert [op.type for op in block.ops] == ["fill_constant"]
    assert not static.default_startup_program().global_block().ops
    static.Executor().run()
    np.testing.assert_array_equal(np.array(weight.get_value()), np.float32([3, 3]))


def test_parameters_need_floats_or_an_initializer() -> None:
    with refuses(TypeError, "create_parameter()", "default_initializer", "int64"):
        static.create_parameter([2], "int64")
    with refuses(TypeError, "create_parameter()", "'attr'", "str"):
        static.create_parameter([2], "float32", attr="name")
    zeros = paddle.nn.initializer.Constant(0)
    assert static.create_parameter([2], "int64", default_initializer=zeros).dtype == paddle.int64


# ----- rows ---------------------------------------------------------------------------------------


def test_a_variable_of_known_size_gives_its_rows() -> None:
    first, second = static.data("pair", [2, 4])
    (out,) = start().run(feed={"pair": X}, fetch_list=[first - second])
    np.testing.assert_array_equal(out, -np.diff(X, axis=0)[0])
    for shape in ([-1, 4], []):
        with refuses(TypeError, "has no value, so iteration is impossible"):
            iter(static.data(f"x{len(shape)}", shape))
