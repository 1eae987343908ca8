"""backward, paddle.grad, hooks, no_grad and in-place rules."""

from ..harness import case
from ._texts import texts


def leaf(paddle, data=(1.0, 2.0, 3.0)):
    return paddle.to_tensor(list(data), stop_gradient=False)


@case
def gradients_accumulate(paddle, show):
    x = leaf(paddle)
    for _ in range(3):
        (x * 2).sum().backward()
    show("grad", x.grad)
    x.clear_grad()
    show("after clear_grad", x.grad)
    x.clear_gradient(False)
    show("after clear_gradient(False)", x.grad)
    show("gradient()", x.gradient())


@case
def backward_seeds(paddle, show):
    x = leaf(paddle)
    (x * 2).backward()
    show("ones", x.grad)
    (x * 2).backward(paddle.to_tensor([1.0, 10.0, 100.0]))
    show("given", x.grad)
    y = leaf(paddle)
    y.backward()
    show("leaf", y.grad)


@case
def sequences_of_backward(paddle, show):
    def run(letters):
        x = leaf(paddle)
        y = paddle.tanh(x).sum()
        for letter in letters:
            if letter in "gG":
                paddle.grad(y, [x], retain_graph=letter == "G" or None)
            else:
                y.backward(retain_graph=letter == "B")

    for letters in ("gg", "gb", "Gg", "Bb", "BB", "bg", "bb", "Bbb"):
        show.raises(letters, lambda letters=letters: run(letters))


@case
def names_of_nodes(paddle, show):
    x = paddle.ones([2, 2])
    x.stop_gradient = False
    results = {
        "x*2": x * 2, "x+1": x + 1, "-x": -x, "x+x": x + x, "x*x": x * x, "x-x": x - x,
        "x/x": x / x, "x**2": x**2, "tanh": x.tanh(), "exp": x.exp(), "square": x.square(),
        "sum": x.sum(), "mean": x.mean(), "matmul": x @ x, "reshape": x.reshape([4]), "T": x.T,
        "slice": x[0], "concat": paddle.concat([x, x]), "cast": x.astype("float64"),
        "clone": x.clone(), "relu": paddle.nn.functional.relu(x),
        "softmax": paddle.nn.functional.softmax(x),
    }  # fmt: skip
    for label, result in results.items():
        show(label, result.grad_fn.name())


@case
def grad_options(paddle, show):
    x, y = leaf(paddle), leaf(paddle)
    z = paddle.square(x)
    show.raises("duplicate", lambda: paddle.grad(z, [x, x]))
    h = x * y
    show("no_grad_vars", paddle.grad(h + x, [x], no_grad_vars=[h]))


@case
def autograd_backward(paddle, show):
    backward = paddle.autograd.backward
    x = leaf(paddle)
    a, b = x * 2, x * 3
    backward([a, b], [paddle.to_tensor([1.0, 2.0, 3.0]), None])
    show("grad", x.grad)
    backward(x * 5)
    show("single", x.grad)
    c = x * 2
    show.raises("duplicate", lambda: backward([c, c]))


@case
def grad_modes(paddle, show):
    x = leaf(paddle)
    with paddle.no_grad():
        show("inside", [(x * 2).stop_gradient, paddle.is_grad_enabled()])
        with paddle.enable_grad():
            show("enabled again", (x * 2).stop_gradient)

    @paddle.no_grad()
    def decorated():
        return (x * 2).stop_gradient

    show("decorated", decorated())
    with paddle.set_grad_enabled(False):
        show("set", paddle.is_grad_enabled())

    def failing():
        with paddle.no_grad():
            raise KeyError("mine")

    show.raises("exception", failing)


@case
def hooks(paddle, show):
    x = leaf(paddle)
    y = x * 2
    seen = []
    y.register_hook(lambda g: seen.append(g.numpy()))
    handle = y.register_hook(lambda g: g * 10)
    y.register_hook(lambda g: g + 1)
    (y * 3).sum().backward()
    show("seen", seen)
    show("grad", x.grad)
    show("removal", [handle.remove(), handle.remove()])
    show.raises("stopped", lambda: paddle.ones([1]).register_hook(lambda g: g))


@case
def hooks_that_change_the_dtype(paddle, show):
    for dtype in ("bool", "float64", "int64"):
        x = leaf(paddle)
        x.register_hook(lambda g, dtype=dtype: g.astype(dtype))
        show.raises(dtype, lambda x=x: (x * 2).sum().backward())


@case
def detach_and_clone(paddle, show):
    x = leaf(paddle)
    (x.detach() * x + x.clone()).sum().backward()
    show("grad", x.grad)
    show("detached", [x.detach().stop_gradient, x.clone().stop_gradient])


@case
def subgradients(paddle, show):
    def at(function, *values):
        x = leaf(paddle, values)
        function(x).sum().backward()
        return x.grad

    F = paddle.nn.functional
    show("relu", at(F.relu, -1.0, 0.0, 1.0))
    show("abs", at(paddle.abs, -1.0, 0.0, 1.0))
    show("sqrt", at(paddle.sqrt, 0.0, 4.0))
    show("clip", at(lambda x: paddle.clip(x, -1.0, 1.0), -2.0, -1.0, 0.0, 1.0, 2.0))
    show("max", at(paddle.max, 1.0, 3.0, 3.0))
    show("maximum", at(lambda x: paddle.maximum(x, paddle.ones([3])), 0.0, 1.0, 2.0))


TABLE = texts("autograd", globals())
