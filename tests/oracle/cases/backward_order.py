"""The order in which backward runs hooks and PyLayers."""

from functools import partial

from ..harness import Case, case
from ._random_graphs import RandomGraph

PROGRAMS = 300


@case
def random_programs(paddle, show):
    for first in range(0, PROGRAMS, 50):
        orders = [RandomGraph(paddle, seed).run() for seed in range(first, first + 50)]
        show(f"programs {first} to {first + 49}", " ".join(orders))


def hooked(paddle, order, names, shape=(2,)):
    """Return leaves with hooks that write their names."""
    leaves = [paddle.full(shape, 0.25 * (i + 1)) for i in range(len(names))]
    for leaf, name in zip(leaves, names, strict=True):
        leaf.stop_gradient = False
        leaf.register_hook(partial(write, order, name))
    return leaves


def write(order, name, _grad):
    order.append(name)


def hook(order, name, tensor):
    tensor.register_hook(partial(write, order, name))
    return tensor


def case_of(name, shapes, call):
    """Return a case: the order in which an op's gradients reach its leaf inputs."""

    def run(paddle, show):
        order = []
        leaves = [hooked(paddle, order, n, shape)[0] for n, shape in zip("abcde", shapes)]  # noqa: B905
        call(paddle, *leaves).sum().backward()
        show("order", "".join(order))

    return Case(f"leaves_of_{name}", run)


M, V = (2, 2), (2,)
TABLE = [
    case_of("linear", (M, M, V), lambda p, x, w, b: p.nn.functional.linear(x, w, b)),
    case_of("layer_norm", (M, V, V), lambda p, x, w, b: p.nn.functional.layer_norm(x, 2, w, b)),
    case_of(
        "conv2d",
        ((1, 1, 2, 2), (2, 1, 2, 2), V),
        lambda p, x, w, b: p.nn.functional.conv2d(x, w, b),
    ),
    case_of("addmm", (M, M, M), lambda p, x, y, z: p.addmm(x, y, z)),
    case_of("where", (M, M), lambda p, x, y: p.where(x > 0.0, x, y)),
    case_of("concat", (M, M, M), lambda p, *xs: p.concat(xs)),
    case_of("stack", (M, M, M), lambda p, *xs: p.stack(xs)),
    case_of("mse_loss", (M, M), lambda p, x, y: p.nn.functional.mse_loss(x, y)),
    case_of("index_add", (M, (1, 2)), lambda p, x, y: p.index_add(x, p.to_tensor([0]), 0, y)),
]


def grad_order(paddle, inputs, joined):
    order = []
    a, b = hooked(paddle, order, "ab")
    e = hook(order, "e", paddle.tanh(a))
    h = hook(order, "h", b * 2.0)
    f = hook(order, "f", joined(e, h))
    k = hook(order, "k", f * 2.0)
    every = {"a": a, "b": b, "e": e, "h": h}
    paddle.grad(k, [every[name] for name in inputs])
    return "".join(order)


@case(differs="what leads nowhere wanted is not visited; Paddle goes there from ops of lists")
def gradients_asked_for_behind_a_list(paddle, show):
    show("a", grad_order(paddle, "a", lambda e, h: paddle.concat([e, h])))


@case(differs="instance_norm and bilinear are composed of other ops")
def leaves_of_composed_ops(paddle, show):
    order = []
    x, w, b = (hooked(paddle, order, n, s)[0] for n, s in zip("xwb", ((3, 2, 2), V, V)))  # noqa: B905
    paddle.nn.functional.instance_norm(x, None, None, w, b).sum().backward()
    show("order", "".join(order))
