"""Helpers of the PyLayer topics."""


def leaf(paddle, data=(1.0, 2.0, 3.0), dtype="float32"):
    return paddle.to_tensor(list(data), dtype=dtype, stop_gradient=False)


def layer(paddle, forward, backward, name="Layer"):
    """Make a PyLayer from two functions."""
    body = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type(paddle.autograd.PyLayer)(name, (paddle.autograd.PyLayer,), body)


def scaled(paddle, factor, name="Scaled"):
    return layer(paddle, lambda ctx, x: x * factor, lambda ctx, dy: dy * factor, name)
