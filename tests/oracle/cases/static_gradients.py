"""append_backward and static.gradients: names, pairs, values, missing gradients."""

from ..harness import Case, case
from ._static_worlds import X, expressions, world
from ._tables import recorded_texts

STATIC = True


def differentiated(label, text):
    """Return a case: the gradient of an expression by x, its operators and values."""

    def play(paddle, show):
        x = paddle.static.data("x", [2, 4], "float32")
        x.stop_gradient = False
        block = paddle.static.default_main_program().global_block()
        y = eval(text, {"paddle": paddle, "F": paddle.nn.functional, "x": x})
        before = len(block.ops)
        grads = paddle.static.gradients(y, x)
        show("names", [g.name for g in grads])
        show("operators", [op.type for op in block.ops[before:]])
        executor = paddle.static.Executor(paddle.CPUPlace())
        show("values", executor.run(feed={"x": X}, fetch_list=grads))

    return Case(label, play, None, 64)


TABLE = [
    *(differentiated(*row) for row in recorded_texts("static_gradients", "differentiated")),
    *expressions("static_gradients", "call"),
]  # fmt: skip


@case
def no_grad_set_and_target_gradients(paddle, show):
    x = paddle.static.data("x", [2, 4], "float32")
    x.stop_gradient = False
    a, b = x * 2.0, x * 3.0
    weights = paddle.static.data("w", [2, 4], "float32")
    executor = paddle.static.Executor(paddle.CPUPlace())

    def values(grads):
        return executor.run(feed={"x": X, "w": X * 2}, fetch_list=grads)

    show("weighted", values(paddle.static.gradients([a + b], [x], [weights])))
    show("one weight", values(paddle.static.gradients([a, b], [x], [weights, None])))
    show("set of Variables", values(paddle.static.gradients([a + b], [x], None, {a})))
    show("set of names", values(paddle.static.gradients([a + b], [x], None, {b.name})))


@case
def losses_that_are_refused_or_stopped(paddle, show):
    names = world(paddle)
    loss = paddle.mean(names["x"])
    show("no parameter", paddle.static.append_backward(loss))
    loss = paddle.mean(names["y"])
    loss.stop_gradient = True
    show("stopped", paddle.static.append_backward(loss))


@case
def text_of_gradient_operators(paddle, show):
    names = world(paddle)
    loss = paddle.mean(paddle.square(names["y"]))
    paddle.static.append_backward(loss)
    for number, op in enumerate(names["block"].ops):
        if op.type != "fill_constant":
            show(str(number), str(op))


@case(ulps=64)
def second_order_over_an_unknown_batch(paddle, show):
    x = paddle.static.data("x", [-1, 4], "float32")
    x.stop_gradient = False
    shown = []
    for y in (paddle.mean(x * x * x, axis=0), paddle.mean(x * x * x), (x * x * x)[:, 1:].mean()):
        (g,) = paddle.static.gradients(y, x)
        shown += paddle.static.gradients((g * g).mean(), x)
    executor = paddle.static.Executor(paddle.CPUPlace())
    show("values", executor.run(feed={"x": X}, fetch_list=shown))
