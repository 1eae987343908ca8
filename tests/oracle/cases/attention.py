"""Attention, the encoder, and the texts and names of layers."""

import numpy as np

from ..harness import case
from ..spread import spread
from ._texts import graded, texts

Q = spread(2, 3, 4, 5)
K = spread(2, 2, 4, 5, part=2)
V = spread(2, 2, 4, 5, part=3)
HALF = tuple(each[:1, :, :2].copy() for each in (Q, K, V))
SAME = HALF[0]
ADDED = np.array([[0.0, -1.0], [2.0, 0.5], [-0.5, 0.25]])
SEEN = np.array([[True, False], [True, True], [False, True]])
X = spread(2, 3, 4)
COTANGENT = spread(2, 3, 4, part=2)

LAYERS = (
    "Conv2D(1, 2, 3)", "Conv2D(2, 4, (3, 2), 2, [1, 2], 2, 2)", "Conv1D(1, 2, 3, 2, 'SAME')",
    "Conv2D(1, 2, 3, padding=1, padding_mode='reflect', bias_attr=False)",
    "Conv2D(1, 2, 3, bias=False)", "Conv2DTranspose(1, 2, 3, 2, 1, 1)", "Conv1DTranspose(2, 2, 3)",
    "MaxPool1D(2)", "MaxPool2D(2, 1, 1)", "AvgPool1D(2)", "AvgPool2D([2, 3], 2, 1)",
    "AdaptiveAvgPool1D(2)", "AdaptiveAvgPool2D([2, None])", "AdaptiveMaxPool1D(2)",
    "AdaptiveMaxPool2D(2, True)", "BatchNorm1D(2)", "BatchNorm2D(2, 0.5)",
    "BatchNorm2D(2, data_format='NHWC')", "BatchNorm3D(2)",
    "BatchNorm2D(2, weight_attr=False, bias_attr=False, name='q')", "LayerNorm(3)",
    "LayerNorm([2, 3])", "LayerNorm(3, bias=False)", "LayerNorm(3, elementwise_affine=False)",
    "GroupNorm(2, 4)", "InstanceNorm1D(2)", "InstanceNorm2D(2)", "Dropout2D(0.3)", "Pad1D([1, 2])",
    "Conv3D(1, 2, [1, 2, 3], padding='SAME')", "Conv3DTranspose(1, 2, 3, 2, 1, 1)",
    "MaxPool3D(2, return_mask=True)", "AvgPool3D([2, 3, 1], 2, 1)", "AdaptiveAvgPool3D(2)",
    "AdaptiveMaxPool3D([2, None, 1])", "InstanceNorm3D(2)", "Pad3D(1)", "ZeroPad1D([1, 2])",
    "ZeroPad3D(2)", "Pad2D(1)", "ZeroPad2D(2)", "CosineSimilarity()", "MultiHeadAttention(4, 2)",
    "MultiHeadAttention(4, 2, kdim=3, vdim=5)", "TransformerEncoderLayer(4, 2, 8)",
)  # fmt: skip


def made(paddle, text):
    """Return the layer that an expression makes."""
    name = text.partition("(")[0]
    return eval(text, {name: getattr(paddle.nn, name)})


@case
def texts_and_names_of_layers(paddle, show):
    for text in LAYERS:
        layer = made(paddle, text)
        show(text, repr(layer))
        shapes = [[n, list(p.shape), p.stop_gradient] for n, p in layer.named_parameters()]
        show(f"parameters of {text}", shapes)


@case(ulps=1)
def what_layers_start_with(paddle, show):
    nn = paddle.nn
    for number, make in enumerate((
        lambda: nn.Conv2D(3, 4, 3), lambda: nn.Conv2D(4, 4, [3, 2], groups=2),
        lambda: nn.Conv1D(3, 4, 5), lambda: nn.Conv2DTranspose(3, 4, 3),
        lambda: nn.Conv1DTranspose(4, 2, 3, groups=2), lambda: nn.MultiHeadAttention(4, 2),
        lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 2),
        lambda: nn.Conv3D(2, 2, [1, 2, 2]), lambda: nn.Conv3DTranspose(2, 4, [1, 2, 2], groups=2),
    )):  # fmt: skip
        paddle.seed(7 + number)
        show(f"layer {number}", list(make().parameters()))


@case(ulps=64)
def multi_head_attention(paddle, show):
    for number, options in enumerate(
        ({}, {"need_weights": True}, {"kdim": 4, "vdim": 4, "bias_attr": False})
    ):
        paddle.seed(3)
        layer = paddle.nn.MultiHeadAttention(4, 2, **options)
        x = paddle.to_tensor(X.astype("float32"), stop_gradient=False)
        outs = layer(x)
        outs = list(outs) if isinstance(outs, tuple) else [outs]
        show(f"out {number}", outs)
        (outs[0] ** 2).sum().backward()
        show(f"grads {number}", [x.grad, layer.q_proj.weight.grad])
    for name, mask in (("bool", SEEN), ("float", ADDED), ("int", SEEN.astype("int64"))):
        keys = x[:, :2]
        mask = paddle.to_tensor(mask.astype("float32") if name == "float" else mask)
        show(name, layer(x, keys, keys, mask))


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


TABLE = [
    *graded("attention", "out and gradients within 64 ulps", names=globals(), ulps=64),
    *texts("attention", "call", names=globals()),
]  # fmt: skip
