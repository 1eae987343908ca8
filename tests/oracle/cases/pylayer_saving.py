"""PyLayer: the values that forward passes to backward through the context."""

from ..harness import case
from ._layers import layer, leaf


@case
def save_takes_no_names(paddle, show):
    def forward(ctx, x):
        ctx.save_for_backward(x=x)

    show.raises("name", lambda: layer(paddle, forward, None).apply(leaf(paddle)))


@case(differs="the document: save_for_backward is called at most once")
def save_twice(paddle, show):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_backward(x * 10)
        return x * 2

    x = leaf(paddle)
    double = layer(paddle, forward, lambda ctx, dy: dy * ctx.saved_tensor()[0])
    double.apply(x).sum().backward()
    show("grad", x.grad)


@case(differs="the document: save_for_backward is called inside forward only")
def save_outside_forward(paddle, show):
    contexts = []

    def forward(ctx, x):
        contexts.append(ctx)
        return x * 2

    x = leaf(paddle)
    layer(paddle, forward, None).apply(x)
    contexts[0].save_for_backward(x)
    show("saved", contexts[0].saved_tensor()[0])


@case(differs="an in-place change of a saved tensor gives wrong gradients, so it is an error")
def saved_tensor_changed_in_place(paddle, show):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    x = leaf(paddle)
    h = x * 1
    y = layer(paddle, forward, lambda ctx, dy: dy * ctx.saved_tensor()[0]).apply(h)
    h.scale_(100.0)
    y.sum().backward()
    show("grad", x.grad)
