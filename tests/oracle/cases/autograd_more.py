"""Hooks, saved_tensors_hooks, grad modes, flags and nodes, in detail."""

import numpy as np

from ..harness import case
from ._layers import layer
from ._texts import texts


def leaf(paddle, data=(1.0, 2.0)):
    return paddle.to_tensor(np.array(data, "float32"), stop_gradient=False)


# ----- saved_tensors_hooks -----


def hooks(paddle, calls):
    def pack(tensor):
        calls.append(
            ["pack", tensor.numpy(), tensor.stop_gradient, tensor.is_leaf, paddle.is_grad_enabled()]
        )
        return tensor.numpy()

    def unpack(array):
        calls.append(["unpack", np.array(array), paddle.is_grad_enabled()])
        return paddle.to_tensor(array)

    return paddle.autograd.saved_tensors_hooks(pack, unpack)


OPS = {
    "multiply": (2, lambda p, x, y: x * y),
    "tanh": (1, lambda p, x: p.tanh(x)),
    "square": (1, lambda p, x: p.square(x)),
    "scale": (1, lambda p, x: x * 2),
    "sum": (1, lambda p, x: p.sum(x)),
    "mean": (1, lambda p, x: p.mean(x)),
    "add": (2, lambda p, x, y: x + y),
    "matmul": (2, lambda p, x, y: x @ y),
    "sigmoid": (1, lambda p, x: p.nn.functional.sigmoid(x)),
    "relu": (1, lambda p, x: p.nn.functional.relu(x)),
    "softmax": (1, lambda p, x: p.nn.functional.softmax(x)),
    "reshape": (1, lambda p, x: x.reshape([2, 1])),
    "concat": (2, lambda p, x, y: p.concat([x, y])),
    "pow": (1, lambda p, x: x**3),
}


@case(ulps=16)  # the slope 1 - y² of tanh has fewer digits than y, which is near 1
def hooks_of_ops(paddle, show):
    for name, (count, op) in OPS.items():
        calls = []
        inputs = [leaf(paddle, (1.5, 2.5 + n)) for n in range(count)]
        with hooks(paddle, calls):
            y = op(paddle, *inputs)
            calls.append("built")
        y.sum().backward()
        show(f"{name}: calls", calls)
        show(f"{name}: gradients", [x.grad.numpy() for x in inputs])


@case
def hooks_and_in_place_changes(paddle, show):
    for name, op in (("input", paddle.square), ("output", paddle.tanh)):
        x, calls = leaf(paddle), []
        h = x * 1
        with hooks(paddle, calls):
            y = op(h)
        (h if name == "input" else y).scale_(2.0)
        y.sum().backward()
        show(f"{name}: calls", calls)
        show(f"{name}: grad", x.grad)


@case
def hooks_nested(paddle, show):
    calls = []
    x = leaf(paddle)

    def nested():
        with hooks(paddle, calls), hooks(paddle, calls):
            paddle.square(x)

    show.raises("nested", nested)
    paddle.square(x).sum().backward()
    show("after", [len(calls), x.grad.numpy()])


def pair(paddle, pack, unpack, op):
    def run():
        paddle.set_grad_enabled(True)  # Paddle does not restore the mode when a hook fails
        x = leaf(paddle)
        with paddle.autograd.saved_tensors_hooks(pack, unpack):
            y = op(x)
        y.sum().backward()

    return run


@case(differs="only Tensors are packed, as documented")
def hooks_and_other_things(paddle, show):
    calls = []

    def forward(ctx, x):
        ctx.save_for_backward(x, None)
        return x * 2

    mixed = layer(paddle, forward, lambda ctx, dy: dy * 2)
    with hooks(paddle, calls):
        show.raises("apply", lambda: mixed.apply(leaf(paddle)))
    paddle.set_grad_enabled(True)


# ----- flags and nodes -----


# ----- arguments of grad and backward -----


# ----- modes -----


@case(differs="a generator's mode holds only while its own code runs")
def mode_of_a_generator_outside(paddle, show):
    @paddle.no_grad()
    def steps():
        yield paddle.is_grad_enabled()

    made = steps()
    next(made)
    show("outside", paddle.is_grad_enabled())
    made.close()
    paddle.set_grad_enabled(True)


@case(differs="one no_grad object may be entered again inside its own block")
def a_block_entered_twice(paddle, show):
    block = paddle.no_grad()
    with block, block:
        pass
    show("after", paddle.is_grad_enabled())
    paddle.set_grad_enabled(True)


@case(differs="a decorated function runs in the mode that it was decorated with")
def set_grad_enabled_decorates(paddle, show):
    off = paddle.set_grad_enabled(False)(paddle.is_grad_enabled)
    paddle.set_grad_enabled(True)
    show("called", [off(), paddle.is_grad_enabled()])


# ----- retained gradients -----


@case(differs="hooks run wherever a gradient arrives")
def the_gradient_of_a_tensor_by_itself(paddle, show):
    m = leaf(paddle) * 3.0
    m.register_hook(lambda g: g * 2.0)
    show("itself", paddle.grad(m, m, retain_graph=True)[0])


@case(differs="the gradient to start with counts where another one arrives")
def a_root_behind_another(paddle, show):
    m = leaf(paddle) * 3.0
    m.register_hook(lambda g: g * 2.0)
    show("both", paddle.grad([m, m * 3.0], m)[0])


@case(differs="nothing is behind a gradient that depends on nothing")
def a_constant_gradient_is_a_leaf(paddle, show):
    x = leaf(paddle)
    (g,) = paddle.grad((x * 2.0).sum(), x, create_graph=True)
    show("leaf", g.is_leaf)


@case(differs="clear_grad takes set_to_zero, as clear_gradient does")
def clear_grad_with_an_argument(paddle, show):
    x = leaf(paddle)
    (x * 2.0).sum().backward()
    show.raises("call", lambda: x.clear_grad(False))


@case(differs="each gradient has memory of its own")
def gradients_that_somebody_holds(paddle, show):
    x = leaf(paddle)
    (x * 2.0).sum().backward()
    held = x.grad.detach()
    (x * 2.0).sum().backward()
    show("held", held)


@case
def gradients_of_whole_numbers(paddle, show):
    for dtype in ("int32", "int64"):
        x = paddle.to_tensor([1, 2], dtype=dtype, stop_gradient=False)
        (x * 2).sum().backward()
        show(dtype, x.grad)


@case(differs="x[:] is a result of x; in Paddle another handle of the same leaf, with one gradient")
def all_of_a_leaf(paddle, show):
    x = leaf(paddle)
    y = x[:]
    (y * 2.0).sum().backward()
    show("leaf", y.is_leaf)
    show("gradient", y.grad)


def second(paddle, function, *inputs):
    """Return the gradients of the first gradient by each input."""
    (slope,) = paddle.grad(function(*inputs), inputs[0], create_graph=True)
    return paddle.grad(slope.sum(), list(inputs), allow_unused=True)


@case(differs="a tie has the slope that the first gradient gives it")
def second_gradients_at_ties(paddle, show):
    def slope(name, call):
        x = paddle.to_tensor([1.0, 2.0, 0.0], stop_gradient=False)
        w = paddle.to_tensor([2.0, 3.0, 4.0], stop_gradient=False)
        (dx,) = paddle.grad(call(x) * w, x, create_graph=True)
        show(name, [dx, paddle.grad(dx.sum(), w)[0]])

    y = paddle.to_tensor([1.0, 1.0, 1.0])
    slope("maximum", lambda x: paddle.maximum(x, y))
    slope("minimum", lambda x: paddle.minimum(x, y))
    slope("leaky_relu", paddle.nn.functional.leaky_relu)


def names(paddle):
    """Return the names that the expressions use."""
    x = leaf(paddle)
    y = x * x
    grad = paddle.grad
    return globals() | locals()


DIFFERS = {
    "backward from another shape": "a gradient to start with has the shape of its tensor",
    "second gradients that are zero":
        "where nothing leads the gradient is None; abs leads over sign, which gives zeros",
    "second gradients that fail": "every op with a derivative has a second one",
}  # fmt: skip
TABLE = texts("autograd_more", names, DIFFERS)
