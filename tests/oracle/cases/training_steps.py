"""Training steps of `to_static`, and functions that are recomputed."""

import importlib

import numpy as np

from ..harness import case

DATA = np.linspace(-1, 1, 12).reshape(3, 4).astype("float32")


def network(paddle):
    net = paddle.nn.Sequential(
        paddle.nn.Linear(4, 3), paddle.nn.Tanh(), paddle.nn.Dropout(0.5), paddle.nn.Linear(3, 2)
    )
    for parameter in net.parameters():
        size = int(np.prod(parameter.shape))
        values = np.cos(np.arange(size, dtype="float32")).reshape(parameter.shape)
        parameter.set_value(values)
    return net


@case(ulps=16)
def recomputed(paddle, show):
    utils = importlib.import_module(f"{paddle.__name__}.distributed.fleet.utils")
    for name, how in (("inner backward", {}), ("hooks", {"use_reentrant": False})):
        net = network(paddle)
        x = paddle.to_tensor(DATA, stop_gradient=False)
        paddle.seed(3)
        y = utils.recompute(lambda a, b, scale, net=net: net(a * b) * scale, x, x * 0.5, 3.0, **how)
        (y * y).sum().backward()
        show(name, [y, x.grad, *(p.grad for p in net.parameters())])
        show(f"draws after {name}", paddle.rand([2]))
        data = utils.recompute(net, x.detach(), **how)
        show(f"data, {name}", data.stop_gradient)
    show.raises("no function", lambda: utils.recompute(3, x))
