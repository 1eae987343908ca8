"""Ops, whose gradients' sentences are golden texts: each with the shapes of its inputs."""

from collections.abc import Callable
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from viz.trace import Trace

F = paddle.nn.functional
ROWS = paddle.to_tensor([2, 0, 2])
TRUE = paddle.to_tensor([[True, False, True], [False, False, True]])
OPS: dict[str, tuple[Callable[..., Any], tuple[tuple[int, ...], ...]]] = {
    "abs": (abs, ((2, 3),)),
    "x * x": (lambda x: x * x, ((3,),)),
    "pow 2": (lambda x: x**2, ((3,),)),
    "sqrt": (lambda x: (x * x).sqrt(), ((3,),)),
    "log1p": (lambda x: paddle.log1p(x * x), ((3,),)),
    "leaky_relu": (lambda x: F.leaky_relu(x, 0.2), ((2, 3),)),
    "clip": (lambda x: x.clip(-0.5, 0.5), ((2, 3),)),
    "softmax": (F.softmax, ((2, 3),)),
    "max": (lambda x: x.max(axis=1), ((2, 3),)),
    "where": (lambda x, y: paddle.where(TRUE, x, y), ((2, 3), (2, 3))),
    "where, first": (lambda x: paddle.where(TRUE, x, x.detach()), ((2, 3),)),
    "embedding": (lambda x: F.embedding(ROWS, x), ((4, 2),)),
    "topk": (lambda x: paddle.topk(x, 1)[0], ((2, 3),)),
    "stack": (lambda x, y: paddle.stack([x, y]), ((3,), (3,))),
    "max pool": (lambda x: F.max_pool2d(x, 2), ((1, 1, 4, 4),)),
    "conv": (F.conv2d, ((1, 1, 4, 4), (1, 1, 2, 2))),
    "norm": (paddle.linalg.norm, ((3,),)),
    "matmul, vector and matrix": (lambda x, y: x @ y, ((3,), (3, 2))),
    "matmul, matrix and vector": (lambda x, y: x @ y, ((2, 3), (3,))),
    "matmul, vectors": (lambda x, y: x @ y, ((3,), (3,))),
    "matmul, batch and matrix": (lambda x, y: x @ y, ((2, 4, 3), (3, 2))),
    "matrix and vector": (paddle.mv, ((2, 3), (3,))),
    "variance": (lambda x: x.var(axis=1), ((2, 3),)),
    "variance of four": (lambda x: x.var(axis=1, unbiased=False), ((2, 4),)),
    "trace": (lambda x: x.trace(), ((2, 2),)),
    "determinant": (paddle.linalg.det, ((2, 2),)),
    "linear system": (paddle.linalg.solve, ((2, 2), (2, 1))),
    "border": (lambda x: F.pad(x, [1, 1], data_format="NCL"), ((1, 2, 3),)),
    "conv of a volume": (F.conv3d, ((1, 1, 2, 3, 3), (1, 1, 2, 2, 2))),
    "max pool of a volume": (lambda x: F.max_pool3d(x, 2), ((1, 1, 2, 4, 2),)),
    "mean pool of a volume": (lambda x: F.avg_pool3d(x, [1, 2, 2]), ((1, 1, 2, 2, 2),)),
    "mean pool": (lambda x: F.avg_pool2d(x, 2), ((1, 1, 4, 4),)),
    "prelu": (F.prelu, ((2, 3), (1,))),
    "Huber's loss": (
        lambda x: F.smooth_l1_loss(x, paddle.zeros([3], "float64"), reduction="none"), ((3,),),
    ),
    "layer norm": (lambda x, y: F.layer_norm(x, [3], weight=y), ((2, 3), (3,))),
    "layer norm, weight and bias": (
        lambda x, y: F.layer_norm(x, [3], weight=y[0], bias=y[1]), ((2, 3), (2, 3)),
    ),
    "parts": (lambda x: paddle.concat(paddle.split(x, [1, 2], axis=1), axis=1), ((2, 3),)),
    "one part of three": (lambda x: paddle.unbind(x, axis=1)[1], ((2, 3),)),
    "order": (lambda x: paddle.sort(x, axis=1), ((2, 3),)),
    "equal minima": (lambda x: paddle.min(paddle.concat([x, x])), ((3,),)),
    "places along an axis": (
        lambda x: paddle.take_along_axis(x, paddle.to_tensor([[2], [0]]), 1), ((2, 3),),
    ),
    "rows written": (lambda x, y: paddle.scatter(x, paddle.to_tensor([2, 0]), y), ((3, 2), (2, 2))),
    "masked": (
        lambda x: paddle.masked_fill(x, paddle.to_tensor([True, False, False]), 7.0), ((3,),),
    ),
    "windows of any size": (lambda x: F.adaptive_avg_pool2d(x, (1, 2)), ((1, 1, 2, 4),)),
    "products of letters": (lambda x, y: paddle.einsum("ij,kj->ik", x, y), ((2, 3), (4, 3))),
    "a quadratic form": (lambda x, y: paddle.einsum("i,ij,j->", x, y, x), ((2,), (2, 2))),
    "one tensor twice": (lambda x: paddle.einsum("ij,kj->ik", x, x), ((2, 3),)),
    "a product added": (
        lambda x, y: paddle.addmm(x @ y, x, y, beta=0.5, alpha=2.0), ((2, 2), (2, 2)),
    ),
    "products added": (
        lambda x, y: paddle.baddbmm(paddle.ones([2, 4, 2], "float64"), x, y),
        ((2, 4, 3), (2, 3, 2)),
    ),
    "mean pool with padding": (lambda x: F.avg_pool2d(x, 2, stride=2, padding=1), ((1, 1, 2, 2),)),
    "sums of letters": (lambda x: paddle.einsum("ij->j", x), ((2, 3),)),
    "letters in another order": (lambda x: paddle.einsum("ij->ji", x), ((2, 3),)),
    "softmax of columns": (lambda x: F.softmax(x, axis=0), ((3, 2),)),
    "median": (lambda x: x.median(axis=1), ((2, 3),)),
    "several equal maxima": (lambda x: paddle.amax(paddle.concat([x, x])), ((3,),)),
    "products so far": (lambda x: paddle.cumprod(x, dim=0), ((3,),)),
    "divergence": (
        lambda x, y: F.kl_div(x, F.softmax(y), reduction="none"), ((3,), (3,)),
    ),
    "logarithms of probabilities": (F.log_softmax, ((2, 3),)),
    "between limits": (paddle.nn.functional.hardtanh, ((2, 3),)),
    "kth value": (lambda x: paddle.kthvalue(x, 2, axis=1)[0], ((2, 3),)),
    "steps": (paddle.floor, ((2, 3),)),
    "pairs of matrices": (paddle.bmm, ((2, 4, 3), (2, 3, 2))),
    "inverse": (paddle.linalg.inv, ((2, 2),)),
    "lower triangle": (paddle.tril, ((3, 3),)),
    "layer norm over two axes": (lambda x: F.layer_norm(x, [2, 3]), ((2, 2, 3),)),
    "matmul, batches": (lambda x, y: x @ y, ((2, 4, 3), (2, 3, 2))),
}  # fmt: skip


def backward_of(name: str) -> Trace:
    """Record an op of leaves x and y, and its backward."""
    op, shapes = OPS[name]
    draws = np.random.default_rng(len(name))
    leaves = [paddle.to_tensor(draws.normal(size=s), stop_gradient=False) for s in shapes]
    x, y = leaves[0], leaves[-1]
    with viz.record() as trace:
        out = op(x) if len(leaves) == 1 else op(x, y)
        out.backward(paddle.to_tensor(draws.normal(size=out.shape)))
    return trace
