"""The rules of py_func: its five arguments, and what its two functions receive and return."""

from functools import partial

import numpy as np
import pytest

import minipaddle as paddle
from tests.each import each
from tests.static import world
from tests.static.world import fresh

from .refusal import refuses

X = np.float32([[1.0, -2.0, 0.5], [0.25, 3.0, -1.5]])
PREPARED = paddle.ones([2, 3])


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


def test_func_receives_each_input_as_a_tensor_that_numpy_takes():
    seen = []
    calls = paddle.static.py_func(
        lambda x: seen.append((list(x.shape()), np.array(x), np.tanh(x))), data(), None
    )
    assert (calls, seen) == (None, [])  # func does not run while the Program is built
    run()
    ((shape, array, squashed),) = seen
    assert (shape, array.dtype) == ([2, 3], np.float32)
    np.testing.assert_array_equal(array, X)
    np.testing.assert_allclose(squashed, np.tanh(X), rtol=1e-6)


def test_func_is_called_with_the_inputs_in_order():
    x, y, out = data(), data("y"), output()
    paddle.static.py_func(lambda a, b, factor=2: np.array(a) - factor * np.array(b), [x, y], out)
    np.testing.assert_allclose(run(out, x=X, y=X * 5)[0], X - X * 10)


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


@each(
    ("name", "use"),
    [
        ("full", lambda x: paddle.ones([2, 3])),
        ("add", lambda x: PREPARED + PREPARED),
        ("data", lambda x: paddle.static.data("new", [2])),
        ("disable_static", lambda x: paddle.disable_static()),
        ("fc", lambda x: paddle.static.nn.fc(x, 2)),
    ],
)
@fresh()
def test_paddle_inside_func_is_an_error_that_names_numpy(name, use):
    out = output()
    paddle.static.py_func(use, data(), out)
    before = str(out.block.program)
    with refuses(RuntimeError, f"paddle's '{name}'", "inside func '<lambda>'", "np.array(x)"):
        run(out)
    assert str(out.block.program) == before
    with fresh(), refuses(RuntimeError, "backward_func", "NumPy"):
        gradient(lambda x, out, dout: use(x))


# ----- mistakes that are seen while the Program is built -----


def bare(**given):
    block = paddle.static.default_main_program().current_block()
    return block.create_var(name="bare", **given)


def of_a_hidden():
    """Return the gradient of a Variable of its own."""
    hidden = output("h")
    hidden.stop_gradient = False
    return paddle.static.gradients(hidden * 2.0, hidden)[0]


MISTAKES = {
    "func": (lambda x, o: (3, x, o), TypeError, ["func", "callable", "int"]),
    "an array": (lambda x, o: (np.tanh, X, o), TypeError, ["x", "Variable", "ndarray"]),
    "an array in a list": (lambda x, o: (np.tanh, [x, X], o), TypeError, ["x", "ndarray"]),
    "nothing": (lambda x, o: (np.tanh, None, None), ValueError, ["x", "out"]),
    "no shape": (
        lambda x, o: (np.tanh, x, bare(dtype="float32")), ValueError,
        ["bare", "shape", "create_var"],
    ),
    "no dtype": (lambda x, o: (np.tanh, x, bare(shape=[2, 3])), ValueError, ["bare", "dtype"]),
    "backward_func": (
        lambda x, o: (np.tanh, x, o, 3), TypeError, ["backward_func", "callable", "int"]
    ),
    "a stranger": (
        lambda x, o: (np.tanh, x, o, np.tanh, data("stranger")), ValueError,
        ["skip_vars_in_backward_input", "stranger", "x", "o"],
    ),
    "a gradient": (
        lambda x, o: (np.tanh, x, o, np.tanh, of_a_hidden()), ValueError,
        ["skip_vars_in_backward_input", "h@GRAD"],
    ),
}  # fmt: skip


@each("name", MISTAKES)
@fresh()
def test_mistakes_are_errors_while_the_program_is_built(name):
    arguments, kind, words = MISTAKES[name]
    with refuses(kind, "py_func", "expected", "received", *words):
        paddle.static.py_func(*arguments(data(), output()))


# ----- x -----


@pytest.mark.parametrize("container", [tuple, list])
def test_several_inputs_are_given_in_a_tuple_or_a_list(container):
    inputs, out = container([data(), data("y")]), output()
    paddle.static.py_func(lambda x, y: np.array(x) * np.array(y), inputs, out)
    np.testing.assert_allclose(run(out, x=X, y=X + 1)[0], X * (X + 1))


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


def test_nothing_may_be_returned_without_out():
    paddle.static.py_func(lambda x: X, data(), None)
    with refuses(ValueError, "py_func", "out", "expected", "None", "received"):
        run()


# ----- results and errors in each kind of run -----

RUNS = 4  # interpreted, recorded, and twice by the plan


def in_turn(failing, usual, unusual):
    """Return a function that calls `unusual` in one run, and `usual` in the others."""
    turn = iter(range(RUNS))

    def called(*given):
        return unusual(*given) if next(turn) == failing else usual(*given)

    return called


def each_run(fetch):
    executor = paddle.static.Executor(paddle.CPUPlace())
    for _ in range(RUNS):
        executor.run(feed={"x": X}, fetch_list=fetch)


@each(
    ("result", "words"),
    [
        ((X, X), ["expected", "1: the output o", "received", "2"]),
        ((), ["expected", "1", "received", "0"]),
        (None, ["returned None", "'o'", "expected", "float32 [2, 3]"]),
        ("text", ["no array", "'o'", "str"]),
        ([{}], ["no array", "dict"]),
        ([[[1.0], [1.0, 2.0]]], ["no array", "list"]),
    ],
)
@each("failing", range(RUNS))
@fresh()
def test_unusable_results_name_function_line_and_output(result, words, failing):
    func = in_turn(failing, np.array, lambda x: result)
    out = output()
    paddle.static.py_func(func, data(), out)
    line = f"test_pyfunc_contract.py:{func.__code__.co_firstlineno}"
    with refuses(ValueError, "py_func: func", line, *words):
        each_run([out])


@each(
    ("result", "words"),
    [
        (None, ["returned None", "'x'", "needs one"]),
        (np.ones(5), ["wrong shape", "'x'", "[2, 3]", "[5]"]),
        ((X, X), ["wrong number", "gradient for the input x", "2"]),
        ("text", ["no array", "'x'", "str"]),
    ],
)
@each("failing", range(RUNS))
@fresh()
def test_unusable_gradients_name_function_line_and_input(result, words, failing):
    backward = in_turn(failing, lambda x, o, do: np.array(do), lambda x, o, do: result)
    x, out = data(needs=True), output()
    paddle.static.py_func(np.array, x, out, backward)
    line = f"test_pyfunc_contract.py:{backward.__code__.co_firstlineno}"
    with refuses(ValueError, "py_func: backward_func", line, *words):
        each_run(paddle.static.gradients(out, x))


@each("failing", range(RUNS))
@fresh()
def test_an_error_in_func_passes_unchanged(failing):
    mine = ZeroDivisionError("mine")

    def fail(x):
        raise mine

    out = output()
    paddle.static.py_func(in_turn(failing, np.array, fail), data() * 1.0, out)
    executor = paddle.static.Executor()
    for number in range(RUNS):
        if number == failing:
            with pytest.raises(ZeroDivisionError) as caught:
                executor.run(feed={"x": X}, fetch_list=[out])
            assert caught.value is mine
        else:
            np.testing.assert_array_equal(executor.run(feed={"x": X}, fetch_list=[out])[0], X)
    assert not paddle.in_dynamic_mode()


# ----- backward_func -----


def test_backward_func_computes_the_gradient():
    dx = gradient(lambda x, y, dy: np.array(dy) * (1 - np.square(y)))
    np.testing.assert_allclose(dx, 1 - np.tanh(X) ** 2, rtol=1e-5)


def test_backward_func_receives_inputs_then_outputs_then_gradients():
    received = []
    x, y = data(needs=True), data("y", needs=True)
    a, b = output("a"), output("b")

    def backward(*values):
        x, y, _, _, da, db = map(np.array, values)
        received.append([np.array(v) for v in values])
        return da * y, db * x

    def func(x, y):
        return np.array(x) + 10, np.array(y) + 20

    paddle.static.py_func(func, [x, y], [a, b], backward_func=backward)
    grads = paddle.static.gradients([a * 6.0 + b * 12.0], [x, y])
    executor, ones = paddle.static.Executor(), np.ones([2, 3])
    for n in range(1, RUNS + 1):
        x, y = X * n, X + n
        found = executor.run(feed={"x": x, "y": y}, fetch_list=[a, b, *grads])
        np.testing.assert_array_equal(found, [x + 10, y + 20, y * 6, x * 12])
        np.testing.assert_array_equal(received.pop(), [x, y, x + 10, y + 20, ones * 6, ones * 12])
    assert received == []


def test_no_gradient_flows_without_backward_func():
    x, out = data(needs=True), output()
    paddle.static.py_func(np.tanh, x, out)
    assert paddle.static.gradients(paddle.mean(out * 1.0), x) == []


def test_an_output_without_gradient_arrives_as_none():
    received = []
    x, a, b = data(needs=True), output("a"), output("b")

    def backward(x, a, b, da, db):
        received.append(db)
        return np.array(da)

    paddle.static.py_func(lambda x: (x, x), x, [a, b], backward_func=backward)
    each_run(paddle.static.gradients(a, x))
    assert received == [None] * RUNS


def test_backward_func_returns_none_for_an_input_without_gradient():
    x, y, out = data(needs=True), data("y"), output()

    def backward(x, y, out, dout):
        return np.array(dout) * np.array(y), None

    paddle.static.py_func(lambda x, y: np.array(x) * np.array(y), [x, y], out, backward)
    np.testing.assert_allclose(run(*paddle.static.gradients(out, x), x=X, y=X + 1)[0], X + 1)


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


@each(
    ("skipped", "names"),
    [
        (lambda x, o: None, ["x", "o", "do"]),
        (lambda x, o: x, ["o", "do"]),
        (lambda x, o: (x,), ["o", "do"]),
        (lambda x, o: [x], ["o", "do"]),
        (lambda x, o: [x, o], ["do"]),
    ],
)
@fresh()
def test_skipped_variables_are_not_passed(skipped, names):
    values = {"x": X, "o": X * 2, "do": np.ones([2, 3])}
    received = []
    x, out = data(needs=True), output()

    def backward(*given):
        received.extend(map(np.array, given))
        return given[-1]

    paddle.static.py_func(lambda x: np.array(x) * 2, x, out, backward, skipped(x, out))
    each_run(paddle.static.gradients(out, x))
    np.testing.assert_array_equal(received, [values[name] for name in names] * RUNS)


def test_without_a_backward_pass_backward_func_and_what_it_skips_mean_nothing():
    calls, out, other = [], output(), output("other")
    paddle.static.py_func(np.tanh, data(needs=True), out, backward_func=lambda *v: calls.append(v))
    paddle.static.py_func(np.tanh, data(), other, skip_vars_in_backward_input=data("stranger"))
    np.testing.assert_allclose(run(out, other, x=X, stranger=X), [np.tanh(X)] * 2, rtol=1e-6)
    assert calls == []


# ----- The mode -----


def test_dynamic_mode_has_no_py_func():
    x, out = data(), output()
    paddle.disable_static()
    with refuses(AssertionError, "py_func", "enable_static"):
        paddle.static.py_func(np.tanh, x, out)
