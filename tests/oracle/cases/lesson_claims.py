"""Claims of the lessons about Paddle, beside their exercises, with the lessons' own numbers."""

from ..harness import case
from ._layers import leaf


@case(differs="soft labels get their gradient")
def lesson_14_soft_labels(paddle, show):
    logits, target = leaf(paddle, [[1.0, 2.0]]), leaf(paddle, [[0.5, 0.5]])
    paddle.nn.functional.cross_entropy(logits, target, soft_label=True).backward()
    show("logits", logits.grad)
    show("target", target.grad)


@case(differs="a Program is of the kind that the documents describe")
def lesson_14_the_default_mode(paddle, show):
    paddle.enable_static()
    try:
        main = paddle.static.Program()
        with paddle.static.program_guard(main):
            x = paddle.static.data("x", [2], "float32")
            x.stop_gradient = False
            paddle.static.append_backward(paddle.mean(paddle.square(x)))
        feed = {"x": [1.0, 2.0]}
        exe = paddle.static.Executor()
        show.raises("by name", lambda: exe.run(main, feed=feed, fetch_list=["x@GRAD"]))
        show.raises("for a test", lambda: main.clone(for_test=True))
        show.raises("the out of a py_func", lambda: x.block.create_var(shape=[2], dtype="float32"))
    finally:
        paddle.disable_static()


@case
def lesson_16_an_unrecorded_gradient(paddle, show):
    x = leaf(paddle, [3.0])
    [g] = paddle.grad(x**3, [x])
    show("g", [g, g.stop_gradient])
    g.backward()
    show("x.grad", x.grad)
    show("unused", paddle.grad(g, [x], allow_unused=True))
