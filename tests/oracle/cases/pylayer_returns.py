"""Results of a PyLayer's forward: inputs, marked inputs, one tensor twice, other objects."""

from functools import partial

from ..harness import Case, builtin_class, case
from ._layers import layer


def leaf(paddle):
    return paddle.to_tensor([1.0, 2.0], stop_gradient=False)


def inner(paddle):
    return leaf(paddle) * 1.0


def stopped(paddle):
    return paddle.to_tensor([3.0, 4.0])


def seen(value):
    """Describe a result without its values."""
    if isinstance(value, list | tuple):
        return [seen(item) for item in value]
    if not hasattr(value, "stop_gradient"):
        return type(value).__name__
    return [value.stop_gradient, value.is_leaf, str(value.tolist())]


def run(paddle, show, forward, makers, backward, used=0):
    inputs = [make(paddle) for make in makers]
    try:
        result = layer(paddle, forward, backward).apply(*inputs)
    except Exception as error:  # noqa: BLE001  (every class is an answer)
        show("refused", builtin_class(error))
        return
    row = list(result) if isinstance(result, list | tuple) else [result]
    show("type", isinstance(result, tuple))
    show("results", seen(row))
    show("same", [[item is x for x in inputs] for item in row])
    graded = [t for t in row if hasattr(t, "stop_gradient") and not t.stop_gradient]
    if graded:
        show.raises("backward", lambda: (graded[used] * 2.0).sum().backward())
    for number, x in enumerate(inputs):
        show(f"input {number}", [x.stop_gradient, x.is_leaf, x.inplace_version, x.grad])


def one(ctx, g, *_rest):
    return g * 10.0


def second(ctx, _g, h):
    return h * 10.0


def first_alone(ctx, g, _h):
    return g * 10.0, None


def each(ctx, g, h):
    return g * 10.0, h * 10.0


def both(ctx, g, h):
    return g + h


def marked(ctx, x):
    ctx.mark_non_differentiable(x)
    return x


def marked_first(ctx, x):
    ctx.mark_non_differentiable(x)
    return x, x * 2.0


def marked_last(ctx, x):
    ctx.mark_non_differentiable(x)
    return x * 2.0, x


def other_marked(ctx, x, y):
    ctx.mark_non_differentiable(y)
    return x * 2.0, y


def other(ctx, x, y):
    return x * 2.0, y


def twice(ctx, x):
    y = x * 2.0
    return y, y


def twice_marked(ctx, x):
    y = x * 2.0
    ctx.mark_non_differentiable(y)
    return y, y


PROGRAMS = {
    "a marked leaf": (marked, [leaf], one),
    "a marked inner tensor": (marked, [inner], one),
    "a marked stopped tensor": (marked, [stopped], one),
    "a marked leaf first": (marked_first, [leaf], second),
    "a marked leaf last": (marked_last, [leaf], one),
    "no gradient for a marked leaf": (marked_last, [leaf], lambda ctx, g, h: None),
    "another leaf marked": (other_marked, [leaf, leaf], each),
    "another leaf marked, no gradient": (other_marked, [leaf, leaf], first_alone),
    "another inner tensor marked": (other_marked, [leaf, inner], each),
    "another inner tensor marked, no gradient": (other_marked, [leaf, inner], first_alone),
    "another stopped tensor marked": (other_marked, [leaf, stopped], first_alone),
    "another leaf": (other, [leaf, leaf], each),
    "another inner tensor": (other, [leaf, inner], each),
    "another stopped tensor": (other, [leaf, stopped], first_alone),
    "a leaf": (lambda ctx, x: x, [leaf], one),
    "an inner tensor": (lambda ctx, x: x, [inner], one),
    "a stopped tensor": (lambda ctx, x: x, [stopped], one),
    "one tensor twice": (twice, [leaf], both),
    "one tensor twice, marked": (twice_marked, [leaf], both),
    "an inner tensor twice": (lambda ctx, x: (x, x), [inner], both),
    "a view": (lambda ctx, x: x[0:1], [leaf], lambda ctx, g: g.expand([2])),
    "None": (lambda ctx, x: None, [leaf], one),
    "a number": (lambda ctx, x: 3, [leaf], one),
    "other things beside it": (lambda ctx, x: (x * 2.0, None, 3, "a"), [leaf], one),
    "None before it": (lambda ctx, x: (None, x * 2.0), [leaf], one),
    "a list of one": (lambda ctx, x: [x * 2.0], [leaf], one),
    "a list": (lambda ctx, x: [x * 2.0, x * 3.0], [leaf], both),
    "a list inside": (lambda ctx, x: [[x * 2.0, x * 3.0]], [leaf], one),
    "a list in a list inside": (lambda ctx, x: (x * 2.0, [[x * 3.0]]), [leaf], one),
    "a dict": (lambda ctx, x: {"a": x * 2.0}, [leaf], one),
    "a dict beside it": (lambda ctx, x: (x * 2.0, {"a": x * 3.0}), [leaf], one),
    "an empty tuple": (lambda ctx, x: (), [leaf], one),
    "an empty list beside it": (lambda ctx, x: (x * 2.0, []), [leaf], one),
    "a generator": (lambda ctx, x: (t for t in [x * 2.0]), [leaf], one),
    "bools beside it": (lambda ctx, x: (x * 2.0, x > 1.0), [leaf], one),
}
TABLE = [
    Case(name, partial(run, forward=forward, makers=makers, backward=backward))
    for name, (forward, makers, backward) in PROGRAMS.items()
]


@case(differs="a detached input is a tensor of its own; Paddle takes it for the input")
def a_detached_input(paddle, show):
    run(paddle, show, lambda ctx, x: x.detach(), [leaf], one)
