"""Attention, the encoder, and the texts and names of layers."""

import numpy as np

from ..harness import Case, case
from ..spread import spread
from ._tables import recorded_texts
from ._texts import texts

Q = spread(2, 3, 4, 5)
K = spread(2, 2, 4, 5, part=2)
V = spread(2, 2, 4, 5, part=3)
HALF = tuple(each[:1, :, :2].copy() for each in (Q, K, V))
SAME = HALF[0]
ADDED = np.array([[0.0, -1.0], [2.0, 0.5], [-0.5, 0.25]])
SEEN = np.array([[True, False], [True, True], [False, True]])
X = spread(2, 3, 4)
COTANGENT = spread(2, 3, 4, part=2)


def layer(name, text):
    """Return a case of the text and the parameters of a layer."""

    def run(paddle, show):
        layer = eval(text, dict(vars(paddle.nn)))
        show("text", repr(layer))
        shapes = [[n, list(p.shape), p.stop_gradient] for n, p in layer.named_parameters()]
        show("parameters", shapes)

    return Case(name, run)


@case(ulps=64)
def caches(paddle, show):
    paddle.seed(3)
    layer = paddle.nn.MultiHeadAttention(4, 2)
    x = paddle.to_tensor(X.astype("float32"))
    cache = layer.gen_cache(x)
    show("empty", [list(t.shape) for t in cache])
    for step in range(3):
        out, cache = layer(x[:, step : step + 1], cache=cache)
        show(f"out {step}", out)
        show(f"cache {step}", list(cache))
    still = layer.gen_cache(x, x, type=paddle.nn.MultiHeadAttention.StaticCache)
    show("static", list(still))
    out, same = layer(x[:, :1], x, x, None, still)
    show("with it", out)
    show("kinds", [type(cache).__name__, type(same).__name__])


@case(ulps=256)
def encoders(paddle, show):
    nn = paddle.nn
    for number, options in enumerate(
        (
            {"dropout": 0.0},
            {"dropout": 0.0, "normalize_before": True, "activation": "tanh"},
            {"dropout": 0.3},
            {"dropout": 0.0, "attn_dropout": 0.5, "act_dropout": 0.2},
        )
    ):
        paddle.seed(5)
        encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(4, 2, 8, **options), 2, nn.LayerNorm(4)
        )
        x = paddle.to_tensor(X.astype("float32"), stop_gradient=False)
        out = encoder(x, paddle.to_tensor(np.tril(np.ones((3, 3))) > 0))
        show(f"out {number}", out)
        (out * paddle.to_tensor(COTANGENT.astype("float32"))).sum().backward()
        show(f"grad {number}", x.grad)
        encoder.eval()
        show(f"use {number}", encoder(x))
        again, cached = encoder(x, cache=encoder.gen_cache(x))
        show(f"cached {number}", again)
        show(f"caches {number}", [list(c.k.shape) for c in cached])


TABLE = [layer(*row) for row in recorded_texts("attention", "layer")]
TABLE += texts("attention", globals(), skip=["layer"])
