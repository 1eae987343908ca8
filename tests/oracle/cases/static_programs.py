"""Programs, the executor, and gradients of static graphs."""

import numpy as np

from ..harness import case
from ._static_worlds import expressions

STATIC = True
X = np.float32([[1.0, -2.0, 0.5, 4.0], [0.25, 3.0, -1.5, 2.0]])


def network(paddle):
    """Build a layer of three units over x of shape [-1, 4], and the mean of its squares."""
    x = paddle.static.data("x", [-1, 4], "float32")
    y = paddle.static.nn.fc(x, 3, activation="tanh")
    return x, y, paddle.mean(paddle.square(y))


def started(paddle, seed=1):
    paddle.seed(seed)
    executor = paddle.static.Executor(paddle.CPUPlace())
    executor.run(paddle.static.default_startup_program())
    return executor


def op_types(program):
    return [op.type for op in program.global_block().ops]


# ----- Texts and names -----


@case
def text_of_a_program(paddle, show):
    show("empty", str(paddle.static.default_main_program()))
    network(paddle)
    show("main", str(paddle.static.default_main_program()))
    show("startup", str(paddle.static.default_startup_program()))


@case
def text_of_a_py_func(paddle, show):
    x = paddle.static.data("x", [2], "float32")
    block = paddle.static.default_main_program().current_block()
    out = block.create_var(name="o", shape=[2], dtype="float32")
    paddle.static.py_func(np.tanh, x, out, backward_func=np.tanh, skip_vars_in_backward_input=x)
    show("variable", str(out))
    (op,) = block.ops
    show("type", op.type)
    show("slots", [op.input("X"), op.output("Out")])
    show("skipped", op.attr("backward_skip_vars"))


@case
def names_of_variables(paddle, show):
    x, _, loss = network(paddle)
    paddle.static.nn.fc(x, 2, name="mine")
    block = paddle.static.default_main_program().global_block()
    show("names", list(block.vars))
    show("parameters", [(p.name, list(p.shape)) for p in block.all_parameters()])
    show("loss", [loss.name, list(loss.shape), loss.stop_gradient])


@case
def attributes_of_variables(paddle, show):
    x = paddle.static.data("x", [None, 4], "float32")
    show("data", [x.name, x.shape, x.stop_gradient, x.is_data, x.persistable, str(x.dtype), x.ndim])
    block = paddle.static.default_main_program().current_block()
    out = block.create_var(name="o", shape=[2], dtype="int64")
    show("var", [out.name, out.shape, out.stop_gradient, out.is_data, out.persistable])


# ----- Building errors -----


@case
def refused_while_building(paddle, show):
    data = paddle.static.data
    data("a", [2], "float32")
    show.raises("again, same", lambda: data("a", [2], "float32"))
    show.raises("again, other shape", lambda: data("a", [3], "float32"))
    show.raises("minus two", lambda: data("b", [-2], "float32"))
    show.raises("int as shape", lambda: data("c", 2, "float32"))
    show.raises("int as name", lambda: data(3, [2], "float32"))
    show.raises("dtype", lambda: data("d", [2], "foo"))
    integers = data("n", [2, 2], "int64")
    show.raises("integers into fc", lambda: paddle.static.nn.fc(integers, 3))
    show.raises("guard", lambda: paddle.static.program_guard(3).__enter__())
    show.raises("loss", lambda: paddle.static.append_backward("loss"))


@case
def wrong_mode(paddle, show):
    x = paddle.static.data("x", [2], "float32")
    show("mode", paddle.in_dynamic_mode())
    show.raises("backward", x.backward)
    show.raises("numpy", x.numpy)
    show.raises("float", lambda: float(x))
    show.raises("len", lambda: len(x))
    paddle.disable_static()
    show("dynamic", paddle.in_dynamic_mode())
    show.raises("data", lambda: paddle.static.data("y", [2], "float32"))
    show.raises("fc", lambda: paddle.static.nn.fc(x, 2))


# ----- Running -----


@case
def results(paddle, show):
    _, y, loss = network(paddle)
    executor = started(paddle)
    show("startup", executor.run(paddle.static.default_startup_program()))
    executor = started(paddle)
    feed = {"x": X}
    show("list", executor.run(feed=feed, fetch_list=[y, loss]))
    show("names", executor.run(feed=feed, fetch_list=[loss.name, "fc_0.w_0", "x"]))
    show("single", executor.run(feed=feed, fetch_list=loss))
    show("none", executor.run(feed=feed))
    show("extra feed", executor.run(feed={**feed, "z": X}, fetch_list=[loss]))
    show("list feed", executor.run(feed={"x": X.tolist()}, fetch_list=[loss]))
    (raw,) = executor.run(feed=feed, fetch_list=[loss], return_numpy=False)
    show("raw", np.array(raw))


@case
def refused_while_running(paddle, show):
    _, _, loss = network(paddle)
    executor = started(paddle)

    def run(feed, fetch=loss):
        executor.run(feed=feed, fetch_list=[fetch])

    show.raises("no feed", lambda: run({}))
    show.raises("shape", lambda: run({"x": np.ones([2, 5], "float32")}))
    show.raises("dtype", lambda: run({"x": X.astype("float64")}))
    show.raises("ragged", lambda: run({"x": [[1.0], [1.0, 2.0]]}))
    show.raises("None", lambda: run({"x": None}))
    show.raises("feed is no dict", lambda: run(X))
    show.raises("unknown name", lambda: run({"x": X}, "nope"))
    show.raises("number", lambda: run({"x": X}, 3))
    show.raises("program", lambda: executor.run(3))
    executor.close()
    show.raises("closed", lambda: run({"x": X}))


@case
def scopes(paddle, show):
    _, y, _ = network(paddle)
    executor = started(paddle)
    executor.run(feed={"x": X}, fetch_list=[])
    scope = paddle.static.global_scope()
    show("parameter", np.array(scope.find_var("fc_0.w_0").get_tensor()))
    show("unknown", scope.find_var("nope"))
    scope.find_var("fc_0.b_0").get_tensor().set(np.float32([1, 2, 3]), paddle.CPUPlace())
    show("changed", executor.run(feed={"x": X}, fetch_list=[y]))


@case
def clone_for_test(paddle, show):
    x = paddle.static.data("x", [2, 3], "float32")
    y = paddle.nn.functional.dropout(x, 0.5)
    test = paddle.static.default_main_program().clone(for_test=True)
    loss = paddle.mean(paddle.static.nn.fc(y, 1))
    paddle.optimizer.SGD(0.1).minimize(loss)
    later = paddle.static.default_main_program().clone(for_test=True)
    show("forward only", op_types(later))
    executor = paddle.static.Executor(paddle.CPUPlace())
    ones = np.ones([2, 3], "float32")
    show("no dropout", executor.run(test, feed={"x": ones}, fetch_list=[y.name]))


# ----- Gradients -----


@case(ulps=256)
def append_backward(paddle, show):
    _, _, loss = network(paddle)
    pairs = paddle.static.append_backward(loss)
    show("pairs", [(p.name, g.name) for p, g in pairs])
    show("ops", op_types(paddle.static.default_main_program()))
    executor = started(paddle)
    show("values", executor.run(feed={"x": X}, fetch_list=[g for _, g in pairs]))


@case
def text_after_append_backward(paddle, show):
    x = paddle.static.data("x", [2, 3], "float32")
    loss = paddle.mean(paddle.static.nn.fc(x, 1))
    paddle.static.append_backward(loss)
    show("main", str(paddle.static.default_main_program()))


@case
def gradients_without_a_path(paddle, show):
    x = paddle.static.data("x", [2], "float32")
    y = paddle.static.data("y", [2], "float32")
    stopped = paddle.static.gradients(paddle.mean(x * 2.0), x)
    show("stopped", stopped)
    x.stop_gradient = y.stop_gradient = False
    grads = paddle.static.gradients(paddle.mean(x * 2.0), [x, y])
    show("one of two", [g is None for g in grads])
    show("none of one", paddle.static.gradients(paddle.mean(x * 2.0), [y]))


@case
def fan_out(paddle, show):
    x = paddle.static.data("x", [2], "float32")
    x.stop_gradient = False
    y = paddle.square(x) + x * 3.0 + x
    (dx,) = paddle.static.gradients(y, x)
    show("ops", op_types(paddle.static.default_main_program()))
    executor = paddle.static.Executor(paddle.CPUPlace())
    show("dx", executor.run(feed={"x": np.float32([1, 2])}, fetch_list=[dx]))


@case
def ops_of_minimize(paddle, show):
    _, _, loss = network(paddle)
    paddle.optimizer.SGD(0.1).minimize(loss)
    main = paddle.static.default_main_program()
    show("main", op_types(main))
    show("startup", op_types(paddle.static.default_startup_program()))
    show("roles", [op.attr("op_role") for op in main.global_block().ops])


@case
def random_ops_continue_the_stream(paddle, show):
    y = paddle.rand([3])
    executor = started(paddle, seed=11)
    show("runs", [executor.run(fetch_list=[y])[0] for _ in range(2)])


TABLE = [
    *expressions("static_programs", "call"),
]  # fmt: skip
