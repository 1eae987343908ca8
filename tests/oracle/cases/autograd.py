"""backward, paddle.grad, hooks, no_grad and in-place rules."""

from ..harness import case
from ._texts import texts


def leaf(paddle, data=(1.0, 2.0, 3.0)):
    return paddle.to_tensor(list(data), stop_gradient=False)


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


TABLE = texts("autograd", globals())
