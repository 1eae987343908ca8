"""PyLayer: what backward receives and may return, and the rest of autograd around it."""

from ..harness import case
from ._layers import layer, leaf, scaled


def one_input(paddle, returned):
    """Return x.grad after a layer of one input whose backward returns `returned(dy)`."""
    x = leaf(paddle)
    wrong = layer(paddle, lambda ctx, x: x * 2, lambda ctx, dy: returned(dy))
    wrong.apply(x).sum().backward()
    return x.grad


def two_inputs(paddle, returned, second_needs=True):
    """Return both gradients after a layer of two inputs whose backward returns `returned(dy)`."""
    a, b = leaf(paddle), leaf(paddle)
    b.stop_gradient = not second_needs
    both = layer(paddle, lambda ctx, a, b: a + b, lambda ctx, dy: returned(dy))
    both.apply(a, b).sum().backward()
    return a.grad, b.grad


# ----- What backward receives -----


@case
def what_backward_sees(paddle, show):
    seen = []

    def backward(ctx, dy, dz):
        seen.extend([paddle.is_grad_enabled(), dy.stop_gradient, dz.stop_gradient])
        seen.extend([dy.numpy(), dz.numpy()])
        return dy

    x = leaf(paddle)
    y, _ = layer(paddle, lambda ctx, x: (x * 2, x * 3), backward).apply(x)
    (y * 4).sum().backward()
    show("grad enabled, flags, gradients", seen)
    show("grad", x.grad)


@case
def gradients_of_other_dtypes_are_cast(paddle, show):
    seen = []

    def backward(ctx, dy):
        seen.append(dy.numpy())
        return dy

    x = leaf(paddle)
    y = layer(paddle, lambda ctx, x: x * 2, backward).apply(x)
    (y.astype("float64") * 3).sum().backward()
    show("received", seen[0])


@case
def without_materialized_gradients(paddle, show):
    seen = []

    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    def backward(ctx, dy, dz):
        seen.append(dz)
        return dy

    layer(paddle, forward, backward).apply(leaf(paddle))[0].sum().backward()
    show("unused", seen)


@case
def materialize_takes_a_bool(paddle, show):
    def forward(ctx, x):
        ctx.set_materialize_grads(1)

    show.raises("int", lambda: layer(paddle, forward, None).apply(leaf(paddle)))


@case
def non_differentiable_outputs(paddle, show):
    seen = []

    def forward(ctx, x):
        a, b = x * 2, x * 3
        ctx.mark_non_differentiable(a)
        return a, b

    def backward(ctx, da, db):
        seen.extend([da.numpy(), db.numpy()])
        return db * 3

    x = leaf(paddle)
    a, b = layer(paddle, forward, backward).apply(x)
    show("flags", [a.stop_gradient, b.stop_gradient])
    (a * 5 + b).sum().backward()
    show("gradients", seen)
    show("grad", x.grad)


# ----- What backward returns -----


@case
def accepted_returns(paddle, show):
    show("Tensor", one_input(paddle, lambda dy: dy * 3))
    show("tuple of one", one_input(paddle, lambda dy: (dy * 3,)))
    show("tuple of two", two_inputs(paddle, lambda dy: (dy * 3, dy * 4)))
    show("None for a leaf", one_input(paddle, lambda dy: None))
    show("one None of two", two_inputs(paddle, lambda dy: (dy, None)))
    show("second needs none", two_inputs(paddle, lambda dy: (dy, None), False))
    show("missing, needs none", two_inputs(paddle, lambda dy: dy, False))


@case(differs="the document: backward may return a list")
def list_return(paddle, show):
    show("grads", two_inputs(paddle, lambda dy: [dy, dy * 2]))


@case
def refused_returns(paddle, show):
    show.raises("array", lambda: one_input(paddle, lambda dy: dy.numpy()))
    show.raises("number", lambda: one_input(paddle, lambda dy: 1.0))
    show.raises("text", lambda: one_input(paddle, lambda dy: "dy"))
    show.raises("too many", lambda: one_input(paddle, lambda dy: (dy, dy)))
    show.raises("too many, None", lambda: one_input(paddle, lambda dy: (dy, None)))
    show.raises("too few", lambda: two_inputs(paddle, lambda dy: dy))
    show.raises("unwanted", lambda: two_inputs(paddle, lambda dy: (dy, dy), False))


@case
def none_for_a_tensor_with_a_history(paddle, show):
    nothing = layer(paddle, lambda ctx, x: x * 2, lambda ctx, dy: None)
    x = leaf(paddle)
    (nothing.apply(x + x) + x).sum().backward()
    show("other path remains", x.grad)


@case(differs="None means that no gradient flows; real Paddle dies of it in exp")
def none_into_exp(paddle, show):
    nothing = layer(paddle, lambda ctx, x: x * 2, lambda ctx, dy: None)
    nothing.apply(paddle.exp(leaf(paddle))).sum().backward()
    show("done", True)


@case(differs="a gradient of the wrong shape is an error")
def wrong_shape(paddle, show):
    show("grad", one_input(paddle, lambda dy: dy.sum()))


@case
def wrong_dtype_is_cast(paddle, show):
    x = leaf(paddle)
    wider = layer(paddle, lambda ctx, x: x * 2, lambda ctx, dy: dy.astype("float64"))
    wider.apply(x * 3).sum().backward()
    show("grad", x.grad)


@case(differs="the gradient of a leaf has the dtype of the leaf, too")
def wrong_dtype_for_a_leaf(paddle, show):
    show("grad", one_input(paddle, lambda dy: dy.astype("float64") * 0.5))


@case
def backward_error(paddle, show):
    def backward(ctx, dy):
        raise KeyError("mine")

    y = layer(paddle, lambda ctx, x: x * 2, backward, "Fails").apply(leaf(paddle))
    try:
        y.sum().backward()
    except OSError as error:
        show("names the layer", "Fails" in str(error))
        show("keeps the text", "mine" in str(error))
    show("grad enabled after", paddle.is_grad_enabled())
    wrong = layer(paddle, lambda ctx, x: x * 2, lambda ctx: None)
    show.raises("wrong arity", lambda: wrong.apply(leaf(paddle)).sum().backward())


@case(differs="KeyboardInterrupt passes unchanged")
def keyboard_interrupt(paddle, show):
    def backward(ctx, dy):
        raise KeyboardInterrupt

    y = layer(paddle, lambda ctx, x: x * 2, backward).apply(leaf(paddle))
    try:
        y.sum().backward()
    except KeyboardInterrupt:
        show("passed", True)
    except OSError:
        show("passed", False)


# ----- With the rest of autograd -----


@case
def nested_layers(paddle, show):
    calls = []
    inner = layer(paddle, lambda ctx, x: x * 2, lambda ctx, dy: calls.append("inner") or dy)

    def forward(ctx, x):
        return inner.apply(x)

    def backward(ctx, dy):
        calls.append("outer")
        return inner.apply(dy)

    x = leaf(paddle)
    layer(paddle, forward, backward).apply(x).sum().backward()
    show("calls", calls)
    show("grad", x.grad)


@case
def higher_derivatives_of_a_saved_input(paddle, show):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        return dy * x * x * 3

    x = leaf(paddle)
    y = layer(paddle, forward, backward).apply(x)
    for order in ("first", "second", "third"):
        (y,) = paddle.grad(y.sum(), [x], create_graph=True)
        show(order, y)


@case
def higher_derivatives_of_a_saved_output(paddle, show):
    def forward(ctx, x):
        y = paddle.exp(x)
        ctx.save_for_backward(y)
        return y

    enabled = []

    def backward(ctx, dy):
        enabled.append(paddle.is_grad_enabled())
        return dy * ctx.saved_tensor()[0]

    x = leaf(paddle, (0.0, 1.0))
    y = layer(paddle, forward, backward).apply(x)
    (first,) = paddle.grad(y.sum(), [x], create_graph=True)
    (second,) = paddle.grad(first.sum(), [x])
    show("first", first)
    show("second", second)
    show("enabled", enabled)


@case
def once_differentiable(paddle, show):
    from_module = paddle.autograd.py_layer.once_differentiable

    class Cube(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x * x

        @staticmethod
        @from_module
        def backward(ctx, dy):
            (x,) = ctx.saved_tensor()
            return dy * x * x * 3

    x = leaf(paddle)
    (first,) = paddle.grad(Cube.apply(x).sum(), [x], create_graph=True)
    show("first", first)
    show.raises("second", lambda: paddle.grad(first.sum(), [x]))


@case
def grad_twice(paddle, show):
    x = leaf(paddle)
    y = scaled(paddle, 2.0).apply(x).sum()
    show("first", paddle.grad(y, [x], retain_graph=True)[0])
    show("second", paddle.grad(y, [x])[0])


@case
def backward_twice(paddle, show):
    y = scaled(paddle, 2.0).apply(leaf(paddle)).sum()
    y.backward()
    show.raises("again", y.backward)


@case
def order_of_hooks(paddle, show):
    calls = []
    x = leaf(paddle)
    x.register_hook(lambda g: calls.append("input"))

    def backward(ctx, dy):
        calls.append("backward")
        return dy

    y = layer(paddle, lambda ctx, x: x * 2, backward).apply(x)
    y.register_hook(lambda g: calls.append("output"))
    y.sum().backward()
    show("calls", calls)


@case(differs="the result of a hook on a PyLayer's output replaces the gradient, as everywhere")
def hook_on_the_output(paddle, show):
    x = leaf(paddle)
    y = scaled(paddle, 2.0).apply(x)
    y.register_hook(lambda g: g * 100)
    y.sum().backward()
    show("grad", x.grad)


@case
def hook_on_the_input(paddle, show):
    x = leaf(paddle)
    x.register_hook(lambda g: g * 100)
    scaled(paddle, 2.0).apply(x).sum().backward()
    show("grad", x.grad)


@case
def retained_gradient_of_the_output(paddle, show):
    x = leaf(paddle)
    y, z = (scaled(paddle, 2.0).apply(x) for _ in range(2))
    y.retain_grads()
    (y * 3 + z).sum().backward()
    show("retained", y.grad)
    show("not retained", z.grad)


@case
def cut_after_apply(paddle, show):
    x = leaf(paddle)
    y = scaled(paddle, 2.0).apply(x)
    y.stop_gradient = True
    (y + x).sum().backward()
    show("grad", x.grad)


@case
def flag_of_the_gradient(paddle, show):
    def flag(backward):
        x = leaf(paddle)
        layer(paddle, lambda ctx, x: x * 2, backward).apply(x).sum().backward()
        return x.grad.stop_gradient

    show("computed in backward", flag(lambda ctx, dy: dy * 2))
    show("passed through", flag(lambda ctx, dy: dy))


@case
def layers_in_a_chain(paddle, show):
    x = leaf(paddle)
    y = x
    for factor in (2.0, 3.0, 5.0):
        y = paddle.tanh(scaled(paddle, factor).apply(y) * 0.1)
    y.sum().backward()
    show("y", y)
    show("grad", x.grad)


@case
def the_seed_example(paddle, show):
    def forward(ctx, x):
        y = paddle.tanh(x)
        ctx.save_for_backward(y)
        return y

    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        return dy * (1 - paddle.square(y))

    paddle.seed(2023)
    x = paddle.randn([2, 3], dtype="float64")
    x.stop_gradient = False
    layer(paddle, forward, backward).apply(x).mean().backward()
    show("printed", str(x.grad))
