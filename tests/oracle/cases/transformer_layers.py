"""Decoders and whole transformers: values, gradients, masks, caches, names and errors."""

from functools import wraps

import numpy as np

from ..harness import case
from ..spread import spread
from ._texts import texts

SRC, TGT = spread(2, 5, 8), spread(2, 3, 8, part=2)


def digest(tensors):
    """Return one number for each tensor, its product with spread-out numbers."""
    return np.array([float((t.numpy() * spread(*t.shape)).sum()) for t in tensors])


def in_float64(run):
    """Return a case that computes in float64."""

    @wraps(run)
    def wide(paddle, show):
        paddle.set_default_dtype("float64")
        try:
            run(paddle, show)
        finally:
            paddle.set_default_dtype("float32")

    return wide


def graded(paddle, show, name, net, call, *values):
    leaves = [paddle.to_tensor(value, stop_gradient=False) for value in values]
    out = call(*leaves)
    show(f"{name}", out[0, 0])
    (out * paddle.to_tensor(spread(*out.shape, part=3))).sum().backward()
    show(f"{name} leaves", digest([leaf.grad for leaf in leaves]))
    used = [p.grad for p in net.parameters() if p.grad is not None]
    show(f"{name} parameters", digest(used))
    net.clear_gradients()


@case(ulps=2**16)
@in_float64
def a_transformer(paddle, show):
    paddle.seed(2)
    net = paddle.nn.Transformer(8, 2, 2, 1, 16, dropout=0.0)
    mask = net.generate_square_subsequent_mask(3)
    show("mask", mask)
    graded(paddle, show, "net", net, lambda s, t: net(s, t, tgt_mask=mask), SRC, TGT)
    net = paddle.nn.Transformer(8, 2, 1, 1, 16, dropout=0.3)
    paddle.seed(3)
    show("dropped", digest([net(paddle.to_tensor(SRC), paddle.to_tensor(TGT))]))


@case(ulps=2**16)
@in_float64
def step_by_step(paddle, show):
    paddle.seed(3)
    decoder = paddle.nn.TransformerDecoder(
        paddle.nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0), 2, paddle.nn.LayerNorm(8)
    )
    memory, tgt = paddle.to_tensor(SRC), paddle.to_tensor(TGT)
    cache = decoder.gen_cache(memory)
    show("static", digest([cache[0][1].k, cache[1][1].v]))
    show("zipped", [len(row) for row in decoder.gen_cache(memory, do_zip=True)])
    for at in range(3):
        out, cache = decoder(tgt[:, at : at + 1], memory, cache=cache)
        show(f"step {at}", digest([out, cache[0][0].k, cache[1][0].v]))
    mask = paddle.nn.Transformer(8, 2, 1, 1, 8).generate_square_subsequent_mask(3)
    show("at once", digest([decoder(tgt, memory, mask)[:, 2:]]))


@case
def attrs_of_parts(paddle, show):
    nn = paddle.nn
    start = [nn.initializer.Constant(value) for value in (0.25, 0.5, 0.75)]
    for count in (1, 2, 3):
        net = nn.Transformer(4, 1, 1, 1, 4, weight_attr=start[:count], bias_attr=False)
        weights = {n: float(p[0, 0]) for n, p in net.named_parameters() if len(p.shape) == 2}
        show(f"{count} weights", sorted({f"{n[:7]} {n[17:-7]} {v}" for n, v in weights.items()}))
    show.raises("four", lambda: nn.Transformer(4, 1, 1, 1, 4, weight_attr=start + start[:1]))


TABLE = texts("transformer_layers", globals())
