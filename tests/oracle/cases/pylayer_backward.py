"""PyLayer: the arguments and results of backward, and other parts of autograd."""

from ..harness import case
from ._layers import layer, leaf, scaled
from ._texts import texts


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


# ----- Arguments of backward -----


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


# ----- Results of backward -----


@case(differs="the document: backward may return a list")
def list_return(paddle, show):
    show("grads", two_inputs(paddle, lambda dy: [dy, dy * 2]))


@case(differs="None means that no gradient flows; real Paddle dies of it in exp")
def none_into_exp(paddle, show):
    nothing = layer(paddle, lambda ctx, x: x * 2, lambda ctx, dy: None)
    nothing.apply(paddle.exp(leaf(paddle))).sum().backward()
    show("done", True)


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


@case(differs="the result of a hook on a PyLayer's output replaces the gradient, as everywhere")
def hook_on_the_output(paddle, show):
    x = leaf(paddle)
    y = scaled(paddle, 2.0).apply(x)
    y.register_hook(lambda g: g * 100)
    y.sum().backward()
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
def flag_of_the_gradient(paddle, show):
    def flag(backward):
        x = leaf(paddle)
        layer(paddle, lambda ctx, x: x * 2, backward).apply(x).sum().backward()
        return x.grad.stop_gradient

    show("computed in backward", flag(lambda ctx, dy: dy * 2))
    show("passed through", flag(lambda ctx, dy: dy))


DIFFERS = {
    "wrong shape": "a gradient of the wrong shape is an error",
    "wrong dtype for a leaf": "the gradient of a leaf has the dtype of the leaf, too",
}  # fmt: skip
TABLE = texts("pylayer_backward", globals(), DIFFERS)
