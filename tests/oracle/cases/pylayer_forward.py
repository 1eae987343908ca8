"""PyLayer: the class, and the arguments and results of apply."""

from ..harness import case
from ._layers import layer, leaf, scaled  # noqa: F401  (of recorded expressions)
from ._texts import texts

# ----- The class and the call -----


# ----- Inputs -----


@case
def a_list_of_tensors_is_one_position(paddle, show):
    def apply(returned):
        a, b = leaf(paddle), leaf(paddle)
        both = layer(paddle, lambda ctx, pair: pair[0] + pair[1], lambda ctx, dy: returned(dy))
        both.apply([a, b]).sum().backward()
        return a.grad, b.grad

    show("list", apply(lambda dy: [dy, dy * 2]))
    show("list in tuple", apply(lambda dy: ([dy, dy * 2],)))
    show("tuple in tuple", apply(lambda dy: ((dy, dy * 2),)))
    show("None inside", apply(lambda dy: [dy, None]))
    show.raises("bare Tensor", lambda: apply(lambda dy: dy))


# ----- Forward -----


# ----- Outputs -----


@case
def input_changed_in_place(paddle, show):
    def forward(ctx, x):
        x.scale_(2.0)
        return x

    x = leaf(paddle)
    y = layer(paddle, forward, lambda ctx, dy: dy * 2).apply(x * 3)
    y.sum().backward()
    show("y", y)
    show("grad", x.grad)


@case
def input_saved_by_an_earlier_op(paddle, show):
    x = leaf(paddle)
    h = x * 3
    z = paddle.square(h)
    y = layer(paddle, lambda ctx, x: x, lambda ctx, dy: dy).apply(h)
    show.raises("stale", lambda: (z + y).sum().backward())


@case(differs="the document: the returned tensor is new and connected; the input keeps its history")
def mark_not_inplace(paddle, show):
    def forward(ctx, x):
        ctx.mark_not_inplace(x)
        return x

    x = leaf(paddle)
    y = layer(paddle, forward, lambda ctx, dy: dy * 5).apply(x)
    show("new", y is not x)
    y.sum().backward()
    show("grad", x.grad)
    show("leaf", x.is_leaf)


TABLE = texts("pylayer_forward", globals())
