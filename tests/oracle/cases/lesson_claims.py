"""Claims of the lessons about Paddle, beside their exercises, with the lessons' own numbers."""

from ..harness import case
from ._layers import layer, leaf


def through_and_beside(paddle, forward):
    """Return w.grad of an x = 3 * 2 that is used by a layer of slope 10, and beside it."""
    w = paddle.to_tensor(3.0, stop_gradient=False)
    x = w * 2
    y = layer(paddle, forward, lambda ctx, dy: dy * 10).apply(x)
    (y + x).backward()
    return [y is x, w.grad]


@case
def lesson_5_methods_without_decorators(paddle, show):
    def forward(ctx, x):
        return x * 2

    def backward(ctx, dy):
        return dy * 2

    made = {"forward": forward, "backward": backward}
    plain = type(paddle.autograd.PyLayer)("Plain", (paddle.autograd.PyLayer,), made)
    x = leaf(paddle)
    plain.apply(x).sum().backward()
    show("dx", x.grad)
    made["forward"] = lambda self, ctx, x: x * 2
    with_self = type(paddle.autograd.PyLayer)("Self", (paddle.autograd.PyLayer,), made)
    show.raises("self", lambda: with_self.apply(x))


@case
def lesson_5_a_value_may_be_missing_for_data(paddle, show):
    def forward(ctx, x, mask):
        ctx.save_for_backward(mask)
        return x * mask

    def backward(ctx, dy):
        (mask,) = ctx.saved_tensor()
        return dy * mask

    x, mask = leaf(paddle, (1.0, 2.0)), paddle.to_tensor([1.0, 0.0])
    layer(paddle, forward, backward).apply(x, mask).sum().backward()
    show("dx", x.grad)
    mask.stop_gradient = False
    y = layer(paddle, forward, backward).apply(x, mask)
    show.raises("wanted", lambda: y.sum().backward())


@case
def lesson_6_an_attribute_is_not_watched(paddle, show):
    """Show the slope of the square of x = 3, to which 10 was added before backward."""

    def forward(ctx, x):
        ctx.x = x
        return x * x

    w = paddle.to_tensor(3.0, stop_gradient=False)
    x = w * 1.0
    y = layer(paddle, forward, lambda ctx, dy: dy * 2 * ctx.x).apply(x)
    x.add_(paddle.to_tensor(10.0))
    y.backward()
    show("dw", w.grad)


@case
def lesson_6_a_returned_input_is_taken_over(paddle, show):
    show("x itself", through_and_beside(paddle, lambda ctx, x: x))
    show("its clone", through_and_beside(paddle, lambda ctx, x: x.clone()))


@case
def lesson_6_flags_are_set_after_forward(paddle, show):
    def forward(ctx, x):
        place = x.argmax()
        place.stop_gradient = True
        return x.max(), place

    y, place = layer(paddle, forward, lambda ctx, dy, dplace: dy).apply(leaf(paddle))
    show("flags", [y.stop_gradient, place.stop_gradient])


@case
def lesson_8_softmax_step_by_step(paddle, show):
    logits = leaf(paddle, (100.0, 0.0))
    exps = paddle.exp(logits)
    p = exps / exps.sum()
    loss = -paddle.log(p[0])
    loss.backward()
    show("exps, p, loss and gradient", [exps, p, loss, logits.grad])


@case
def lesson_8_without_detach(paddle, show):
    class undetached(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, segment, x):
            ctx.segment = segment
            ctx.save_for_backward(x)
            return segment(x)

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensor()
            with paddle.enable_grad():
                y = ctx.segment(x)
            y.backward(dy)
            return x.grad

    x = leaf(paddle, (3.0,))
    undetached.apply(lambda x: x * x, x).backward()
    show("x.grad without detach", x.grad)


@case(ulps=4)
def lesson_14_the_same_seed(paddle, show):
    def forward(ctx, x):
        y = paddle.tanh(x)
        ctx.save_for_backward(y)
        return y

    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        return dy * (1 - paddle.square(y))

    paddle.seed(7)
    linear = paddle.nn.Linear(3, 2)
    x = paddle.randn([4, 3])
    loss = layer(paddle, forward, backward).apply(linear(x)).mean()
    loss.backward()
    show("weight, loss and slopes", [linear.weight, loss, linear.weight.grad])


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


@case
def lesson_16_a_slope_from_forward(paddle, show):
    def forward(ctx, x):
        ctx.save_for_backward(3 * x * x)
        return x * x * x

    def backward(ctx, dy):
        (slope,) = ctx.saved_tensor()
        return dy * slope

    early_cube = layer(paddle, forward, backward)
    x = leaf(paddle, [3.0, 1.0])
    [g] = paddle.grad(early_cube.apply(x), [x], create_graph=True)
    g.sum().backward()
    show("g and x.grad", [g, x.grad])
    [g] = paddle.grad(x * early_cube.apply(x), [x], create_graph=True)
    show("half", paddle.grad(g, [x]))
