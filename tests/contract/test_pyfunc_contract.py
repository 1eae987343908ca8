"""The rules of py_func: its five arguments, and what its two functions receive and return."""

from functools import partial

import numpy as np
import pytest

import minipaddle as paddle
from tests.static import world
from tests.static.world import fresh

from .refusal import refuses

X = np.float32([[1.0, -2.0, 0.5], [0.25, 3.0, -1.5]])


@pytest.fixture(autouse=True)
def static_mode():
    """Give each test static mode with new Programs."""
    with fresh():
        yield


data = partial(world.data, shape=(2, 3))
output = partial(world.declared, shape=(2, 3))


def run(*fetch, **feed):
    return world.run(*fetch, **(feed or {"x": X}))


def forward(func, out=None):
    """Run a py_func of one input and one output."""
    out = output() if out is None else out
    paddle.static.py_func(func, data(), out)
    return run(out)[0]


def gradient(backward_func, func=np.tanh, **options):
    """Return d sum(func(x)) / dx."""
    x, out = data(needs=True), output()
    paddle.static.py_func(func, x, out, backward_func=backward_func, **options)
    return run(*paddle.static.gradients(out, x))[0]


# ----- What it is -----


def test_func_computes_the_output_at_each_run():
    out = output()
    paddle.static.py_func(np.tanh, data(), out)
    np.testing.assert_allclose(run(out)[0], np.tanh(X), rtol=1e-6)
    np.testing.assert_allclose(run(out, x=X * 2)[0], np.tanh(X * 2), rtol=1e-6)


def test_func_does_not_run_while_the_program_is_built():
    calls = []
    paddle.static.py_func(lambda x: calls.append(1), data(), None)
    assert calls == []
    run()
    assert calls == [1]


def test_both_modules_offer_the_same_function():
    assert paddle.static.py_func is paddle.static.nn.py_func


def test_py_func_returns_out_as_given():
    a, b = output("a"), output("b")
    x = data()
    assert paddle.static.py_func(np.tanh, x, a) is a
    outs = [a, b]
    assert paddle.static.py_func(lambda x: (x, x), x, outs) is outs
    assert paddle.static.py_func(lambda x: None, x, None) is None


# ----- func -----


def test_func_must_be_callable():
    with refuses(TypeError, "py_func", "func", "expected", "callable", "received", "int"):
        paddle.static.py_func(3, data(), output())


def test_func_is_called_with_the_inputs_in_order():
    x, y, out = data(), data("y"), output()
    paddle.static.py_func(lambda a, b, factor=2: np.array(a) - factor * np.array(b), [x, y], out)
    np.testing.assert_allclose(run(out, x=X, y=X * 5)[0], X - X * 10)


@pytest.mark.parametrize("function", [np.tanh, np.square, np.abs, np.negative])
def test_numpy_functions_take_the_input_directly(function):
    np.testing.assert_allclose(forward(function), function(X), rtol=1e-6)


def test_the_input_becomes_an_array():
    def func(x):
        array = np.array(x)
        seen.append((array.shape, array.dtype))
        return array + 1

    seen = []
    np.testing.assert_array_equal(forward(func), X + 1)
    assert seen == [((2, 3), np.float32)]


def test_writing_into_the_array_leaves_the_input_alone():
    def func(x):
        np.asarray(x)[:] = 0
        return np.array(x)

    np.testing.assert_array_equal(forward(func), X)


@pytest.mark.parametrize(
    "operation", [lambda x: x + 1, lambda x: 2 - x, lambda x: -x, lambda x: x * x, lambda x: x < 1]
)
def test_operators_need_an_array_and_the_error_says_so(operation):
    with refuses(TypeError, "np.array(x)"):
        forward(operation)


def test_shape_is_a_method_as_in_paddle():
    seen = []
    forward(lambda x: seen.append(list(x.shape())) or np.array(x))
    assert seen == [[2, 3]]


def test_printing_the_input_shows_shape_dtype_and_data(capsys):
    paddle.static.py_func(print, data(), None)
    run()
    assert capsys.readouterr().out == (
        "  - shape: [2, 3]\n  - layout: NCHW\n  - place: Place(cpu)\n"
        "  - dtype: float32\n  - data: [1 -2 0.5 0.25 3 -1.5]\n"
    )


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        (lambda x: np.array(x) * 2, X * 2),
        (lambda x: x, X),
        (lambda x: (np.array(x) * 3,), X * 3),
        (lambda x: [np.array(x) * 4], X * 4),
    ],
)
def test_func_may_return_an_array_or_a_tensor_or_a_list(returned, expected):
    np.testing.assert_array_equal(forward(returned), expected)


def test_func_may_return_a_number():
    result = forward(lambda x: float(np.sum(x)), output(shape=(1,)))
    assert float(np.squeeze(result)) == X.sum()


def test_an_error_in_func_passes_unchanged():
    mine = ZeroDivisionError("mine")

    def func(x):
        raise mine

    with pytest.raises(ZeroDivisionError) as caught:
        forward(func)
    assert caught.value is mine


def test_paddle_inside_func_is_an_error_that_names_numpy():
    before = []

    def func(x):
        before.append(len(paddle.static.default_main_program().global_block().ops))
        return paddle.ones([2, 3])

    with refuses(RuntimeError, "func", "NumPy", "paddle"):
        forward(func)
    assert before == [len(paddle.static.default_main_program().global_block().ops)]


def test_paddle_inside_backward_func_is_an_error():
    with refuses(RuntimeError, "backward_func", "NumPy"):
        gradient(lambda x, out, dout: paddle.ones([2, 3]))


# ----- x -----


@pytest.mark.parametrize("container", [tuple, list])
def test_several_inputs_are_given_in_a_tuple_or_a_list(container):
    inputs, out = container([data(), data("y")]), output()
    paddle.static.py_func(lambda x, y: np.array(x) * np.array(y), inputs, out)
    np.testing.assert_allclose(run(out, x=X, y=X + 1)[0], X * (X + 1))


def test_x_must_be_a_variable():
    with refuses(TypeError, "py_func", "x", "expected", "Variable", "received", "ndarray"):
        paddle.static.py_func(np.tanh, X, output())
    with refuses(TypeError, "py_func", "x", "expected", "Variable", "received", "ndarray"):
        paddle.static.py_func(np.tanh, [data(), X], output())


def test_a_batch_size_may_be_unknown():
    x, out = data(shape=(-1, 3)), output(shape=(-1, 3))
    paddle.static.py_func(np.tanh, x, out)
    for rows in (1, 4):
        assert run(out, x=np.ones([rows, 3], "float32"))[0].shape == (rows, 3)


# ----- out -----


@pytest.mark.parametrize("container", [tuple, list])
def test_several_outputs_are_given_in_a_tuple_or_a_list(container):
    a, b = output("a"), output("b", dtype="int64")
    paddle.static.py_func(
        lambda x: (np.tanh(x), np.sign(x).astype("int64")), data(), container([a, b])
    )
    first, second = run(a, b)
    np.testing.assert_allclose(first, np.tanh(X), rtol=1e-6)
    np.testing.assert_array_equal(second, np.sign(X).astype("int64"))


def test_an_array_as_out_is_filled_at_each_run_and_returned():
    array = np.zeros([2, 3], "float32")
    assert paddle.static.py_func(lambda x: np.array(x) * 2, data(), array) is array
    assert not array.any()
    run()
    np.testing.assert_array_equal(array, X * 2)
    run(x=X + 1)
    np.testing.assert_array_equal(array, X * 2 + 2)


def test_arrays_and_variables_may_mix_as_out():
    array, variable = np.zeros([2, 3], "float32"), output()
    paddle.static.py_func(lambda x: (np.array(x), np.array(x) * 3), data(), [array, variable])
    np.testing.assert_array_equal(run(variable)[0], X * 3)
    np.testing.assert_array_equal(array, X)


def test_a_result_that_does_not_fit_the_array_is_an_error():
    paddle.static.py_func(lambda x: np.ones([3, 2]), data(), np.zeros([2, 3], "float32"))
    with refuses(ValueError, "py_func", "out", "shape", "expected", "[2, 3]", "received", "[3, 2]"):
        run()


def test_an_array_as_out_gives_no_gradient_without_backward_func():
    x, array = data(needs=True), np.zeros([2, 3], "float32")
    paddle.static.py_func(np.array, x, array)
    (dx,) = paddle.static.gradients(paddle.mean(x * 6.0), x)
    np.testing.assert_allclose(run(dx)[0], np.ones([2, 3]), rtol=1e-6)


def test_out_may_be_left_out_to_debug_a_running_network():
    seen = []
    x = data()
    hidden = x * 2.0
    paddle.static.py_func(lambda h: seen.append(np.array(h)), hidden, None)
    loss = paddle.mean(hidden)
    assert run(loss)[0] == pytest.approx(np.mean(X * 2))
    np.testing.assert_array_equal(seen, [X * 2])


def test_x_or_out_must_exist():
    with refuses(ValueError, "py_func", "x", "out"):
        paddle.static.py_func(np.tanh, None, None)


@pytest.mark.parametrize("given", [{"dtype": "float32"}, {"shape": [2, 3]}, {}])
def test_shape_and_dtype_of_out_are_declared_before(given):
    block = paddle.static.default_main_program().current_block()
    bare = block.create_var(name="bare", **given)
    missing = "dtype" if "shape" in given else "shape"
    with refuses(ValueError, "py_func", "bare", missing, "create_var"):
        paddle.static.py_func(np.tanh, data(), bare)


@pytest.mark.parametrize(("returned", "received"), [(lambda x: (X, X), "2"), (lambda x: (), "0")])
def test_func_returns_as_many_values_as_there_are_outputs(returned, received):
    with refuses(ValueError, "py_func", "expected", "1", "received", received):
        forward(returned)


def test_func_returns_none_for_no_output():
    with refuses(ValueError, "py_func", "'o'", "expected", "float32 [2, 3]", "received", "None"):
        forward(lambda x: None)


def test_nothing_may_be_returned_without_out():
    paddle.static.py_func(lambda x: X, data(), None)
    with refuses(ValueError, "py_func", "out", "expected", "None", "received"):
        run()


def test_a_result_that_is_no_array_is_an_error():
    with refuses(ValueError, "py_func", "expected", "received", "str"):
        forward(lambda x: "text")


# ----- backward_func -----


def test_backward_func_computes_the_gradient():
    dx = gradient(lambda x, y, dy: np.array(dy) * (1 - np.square(y)))
    np.testing.assert_allclose(dx, 1 - np.tanh(X) ** 2, rtol=1e-5)


def test_backward_func_receives_inputs_then_outputs_then_gradients():
    received = []
    x, y = data(needs=True), data("y", needs=True)
    a, b = output("a"), output("b")

    def backward(*values):
        received.extend(np.array(v) for v in values)
        return X, X

    def func(x, y):
        return np.array(x) + 10, np.array(y) + 20

    paddle.static.py_func(func, [x, y], [a, b], backward_func=backward)
    loss = paddle.mean(a * 6.0 + b * 12.0)
    run(*paddle.static.gradients(loss, [x, y]), x=X, y=X + 1)
    ones = np.ones([2, 3])
    np.testing.assert_allclose(received, [X, X + 1, X + 10, X + 21, ones, 2 * ones], rtol=1e-6)


def test_no_gradient_flows_without_backward_func():
    x, out = data(needs=True), output()
    paddle.static.py_func(np.tanh, x, out)
    assert paddle.static.gradients(paddle.mean(out * 1.0), x) == []


def test_backward_func_is_not_called_without_a_backward_pass():
    calls = []
    out = output()
    paddle.static.py_func(np.tanh, data(needs=True), out, backward_func=lambda *v: calls.append(v))
    run(out)
    assert calls == []


def test_backward_func_must_be_callable():
    with refuses(TypeError, "py_func", "backward_func", "expected", "callable", "received", "int"):
        paddle.static.py_func(np.tanh, data(), output(), backward_func=3)


def test_an_output_without_gradient_arrives_as_none():
    received = []
    x, a, b = data(needs=True), output("a"), output("b")

    def backward(x, a, b, da, db):
        received.append(db)
        return np.array(da)

    paddle.static.py_func(lambda x: (x, x), x, [a, b], backward_func=backward)
    run(*paddle.static.gradients(a, x))
    assert received == [None]


def test_backward_func_returns_none_for_an_input_without_gradient():
    x, y, out = data(needs=True), data("y"), output()

    def backward(x, y, out, dout):
        return np.array(dout) * np.array(y), None

    paddle.static.py_func(lambda x, y: np.array(x) * np.array(y), [x, y], out, backward)
    np.testing.assert_allclose(run(*paddle.static.gradients(out, x), x=X, y=X + 1)[0], X + 1)


def test_none_for_an_input_that_needs_a_gradient_is_an_error():
    with refuses(ValueError, "backward_func", "x", "expected", "received", "None"):
        gradient(lambda x, out, dout: None)


def test_backward_func_returns_a_value_for_each_input():
    with refuses(ValueError, "backward_func", "expected", "1", "received", "2"):
        gradient(lambda x, out, dout: (np.array(dout), np.array(dout)))


def test_a_gradient_of_the_wrong_shape_names_the_input():
    with refuses(ValueError, "backward_func", "x", "expected", "[2, 3]", "received", "[5]"):
        gradient(lambda x, out, dout: np.ones([5]))


def test_gradients_take_shape_and_dtype_of_their_variables():
    x, out = data(needs=True), output()
    paddle.static.py_func(np.tanh, x, out, backward_func=lambda x, o, do: np.array(do, "float64"))
    (dx,) = paddle.static.gradients(out, x)
    assert (tuple(dx.shape), dx.dtype) == (tuple(x.shape), x.dtype)
    assert run(dx)[0].dtype == np.float32


def test_an_error_in_backward_func_passes_unchanged():
    mine = KeyError("mine")

    def backward(x, out, dout):
        raise mine

    with pytest.raises(KeyError) as caught:
        gradient(backward)
    assert caught.value is mine


def test_training_goes_through_both_functions():
    hidden = paddle.static.nn.fc(data(shape=(-1, 3)), 2)
    out = output(shape=(-1, 2))
    paddle.static.py_func(
        np.tanh, hidden, out, lambda y, dy: np.array(dy) * (1 - np.square(y)), hidden
    )
    loss = paddle.mean(paddle.square(out - 0.5))
    paddle.optimizer.SGD(learning_rate=0.2).minimize(loss)
    executor = paddle.static.Executor(paddle.CPUPlace())
    executor.run(paddle.static.default_startup_program())
    losses = [float(executor.run(feed={"x": X}, fetch_list=[loss])[0]) for _ in range(30)]
    assert losses[-1] < losses[0] / 4


# ----- skip_vars_in_backward_input -----


@pytest.mark.parametrize("container", [lambda v: v, lambda v: (v,), lambda v: [v]])
def test_a_skipped_variable_is_not_passed(container):
    x, out = data(needs=True), output()

    def backward(y, dy):
        return np.array(dy) * (1 - np.square(y))

    paddle.static.py_func(np.tanh, x, out, backward, container(x))
    dx = run(*paddle.static.gradients(out, x))[0]
    np.testing.assert_allclose(dx, 1 - np.tanh(X) ** 2, rtol=1e-5)


def test_outputs_can_be_skipped():
    x, out = data(needs=True), output()
    counts = []

    def backward(*values):
        counts.append(len(values))
        return np.array(values[-1])

    paddle.static.py_func(
        np.tanh, x, out, backward_func=backward, skip_vars_in_backward_input=[x, out]
    )
    run(*paddle.static.gradients(out, x))
    assert counts == [1]


def test_nothing_is_skipped_by_default():
    counts = []
    gradient(lambda *values: counts.append(len(values)) or np.array(values[-1]))
    assert counts == [3]


def test_only_inputs_and_outputs_can_be_skipped():
    x, out, stranger = data(), output(), data("stranger")
    with refuses(ValueError, "skip_vars_in_backward_input", "stranger", "x", "o"):
        paddle.static.py_func(np.tanh, x, out, np.tanh, stranger)


def test_gradients_cannot_be_skipped():
    x, hidden, out = data(needs=True), output("h"), output()
    hidden.stop_gradient = False
    (dh,) = paddle.static.gradients(hidden * 2.0, hidden)
    with refuses(ValueError, "skip_vars_in_backward_input", dh.name):
        paddle.static.py_func(np.tanh, x, out, np.tanh, dh)


def test_skipping_means_nothing_without_backward_func():
    out = output()
    paddle.static.py_func(np.tanh, data(), out, skip_vars_in_backward_input=data("stranger"))
    np.testing.assert_allclose(run(out, x=X, stranger=X)[0], np.tanh(X), rtol=1e-6)


# ----- The mode -----


def test_dynamic_mode_has_no_py_func():
    x, out = data(), output()
    paddle.disable_static()
    with refuses(AssertionError, "py_func", "enable_static"):
        paddle.static.py_func(np.tanh, x, out)
