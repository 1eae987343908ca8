"""Weights that layers compute before each call: weight norm and spectral norm."""

import numpy as np

from ._texts import texts

X = np.array([[1.0, -0.5, 2.0], [0.25, 3.0, -1.5]])
IMAGE = np.linspace(-1.0, 2.0, 18).reshape(1, 2, 3, 3) ** 2


def observe(paddle, layer, values):
    """Return the sums of two results of a layer, its parameters, and the sizes of gradients."""
    x = paddle.to_tensor(values.astype("float32"))
    results = [layer(x).sum(), layer(x).square().sum()]
    results[-1].backward()
    named = [
        [name, p.name.split(".")[1], p.shape, p.grad.norm()] for name, p in layer.named_parameters()
    ]
    return [results, named, sorted(layer.state_dict()), layer.weight]


def weight_norm(paddle, make, values, **how):
    """Return what weight norm makes of a layer, and the layer without it."""
    paddle.seed(3)
    layer = paddle.nn.utils.weight_norm(make(paddle.nn), **how)
    seen = [observe(paddle, layer, values), paddle.rand([2])]
    paddle.nn.utils.remove_weight_norm(layer)
    return [seen, observe(paddle, layer, values), paddle.rand([2])]


def spectral_norm(paddle, make, values, **how):
    """Return what spectral norm makes of a layer, in training and in eval mode."""
    paddle.seed(3)
    layer = paddle.nn.utils.spectral_norm(make(paddle.nn), **how)
    seen = [observe(paddle, layer, values), paddle.rand([2])]
    layer.eval()
    layer.clear_gradients()
    return [seen, observe(paddle, layer, values), layer.weight_u, layer.weight_v]


def linear(nn):
    return nn.Linear(3, 2)


def conv(nn):
    return nn.Conv2D(2, 3, 2)


def transposed(nn):
    return nn.Conv2DTranspose(2, 3, 2)


def normed_weight(paddle, values, *sizes, **how):
    """Return what a SpectralNorm makes of a weight, and its vectors."""
    paddle.seed(3)
    layer = paddle.nn.SpectralNorm(*sizes, **how)
    out = layer(paddle.to_tensor(values.astype("float32")))
    named = [[name, p.name, p.stop_gradient] for name, p in layer.named_parameters()]
    return [out, named, layer.weight_u, sorted(layer.state_dict())]


def slope_of_norm(paddle):
    """Return the gradient of a weight that a SpectralNorm divides."""
    paddle.seed(3)
    weight = paddle.to_tensor([[1.0, 2.0]], stop_gradient=False)
    (paddle.nn.SpectralNorm([1, 2])(weight) * paddle.to_tensor([1.0, 3.0])).sum().backward()
    return weight.grad


DIFFERS = {"call, its slope": "real Paddle multiplies Σ w by the gradient, not w by it"}
TABLE = texts("computed_weights", globals(), DIFFERS)
