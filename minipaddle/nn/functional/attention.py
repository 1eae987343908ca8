"""Attention: a mean of the values for each query, weighted by its products with the keys."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ...engine.errors import CheckFailed
from ...ops.rule_functions import GRAPH as ops
from ...ops.widening import round_once
from .. import errors
from .activation import softmax
from .common import dropout

NAME = "scaled_dot_product_attention"


@round_once
def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    training: bool = True,
    backend: str | None = None,
    scale: float | None = None,
    enable_gqa: bool = True,
    name: str | None = None,
) -> Any:
    """softmax(q kᵀ · scale + mask) v for each head; tensors are [batch, length, heads, size].

    attn_mask: bools, True for the keys that a query uses, or numbers to add; it broadcasts to
    [batch, heads, query length, key length]. is_causal: no query uses later keys, and attn_mask is
    ignored, as in Paddle. `scale` is 1 / √size by default. If there are fewer heads of keys and
    values, several query heads share one. backend changes nothing.
    Source: Paddle's `paddle.nn.functional.scaled_dot_product_attention`.

    Dtypes: floating kept.
    Errors: AssertionError if the shapes do not fit; ValueError for integers, bool; RuntimeError for
    complex.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[[[1.0]], [[3.0]]]])
    >>> y = paddle.nn.functional.scaled_dot_product_attention(x, x, x, is_causal=True)
    >>> [round(v, 3) for v in y.flatten().tolist()]
    [1.0, 2.995]
    """
    rank = len(query.shape)
    if rank not in (3, 4) or {len(key.shape), len(value.shape)} != {rank}:
        expected = "[batch, length, heads, size], or all three without a batch"
        raise errors.misfit(NAME, expected, query=query, key=key, value=value)
    if rank == 3:
        query, key, value = (ops.unsqueeze(t, axis=0) for t in (query, key, value))
    keys, values = _match_heads(query, key, value, enable_gqa)
    swap, matmul = ops.transpose, ops.matmul
    q, v = swap(query, perm=(0, 2, 1, 3)), swap(values, perm=(0, 2, 1, 3))
    scaled_q = ops.scale(q, scale=1.0 / sqrt(query.shape[-1]) if scale is None else scale)
    scores = matmul(scaled_q, swap(keys, perm=(0, 2, 3, 1)))
    masked_scores = _mask_scores(scores, attn_mask, is_causal)
    weights = softmax(masked_scores)
    if dropout_p:
        weights = dropout(weights, dropout_p, training=training)
    heads = matmul(weights, v)
    out = swap(heads, perm=(0, 2, 1, 3))
    return ops.squeeze(out, axis=0) if rank == 3 else out


def _match_heads(query: Any, key: Any, value: Any, enable_gqa: bool) -> tuple[Any, Any]:
    """Return keys and values repeated to the number of heads of the queries."""
    heads, few = query.shape[2], key.shape[2]
    if heads == few == value.shape[2]:
        return key, value
    if not enable_gqa or few != value.shape[2] or heads % few:
        expected = "one number of heads, or with enable_gqa a divisor of it for key and value"
        raise errors.misfit(NAME, expected, CheckFailed, query=query, key=key, value=value)
    repeat = ops.repeat_interleave
    return repeat(key, heads // few, axis=2), repeat(value, heads // few, axis=2)


def _mask_scores(scores: Any, mask: Any, is_causal: bool) -> Any:
    """Return the scores with -inf for keys that a query must not use."""
    never = ops.full(shape=(), fill_value=-float("inf"), dtype=scores.dtype)
    if is_causal:
        ones = ops.fill_like(scores, value=1.0)
        is_later = ops.triu(ones, diagonal=1) > 0.0
        masked_scores = ops.where(is_later, never, scores)
    elif mask is None:
        masked_scores = scores
    elif str(mask.dtype).endswith("bool"):
        masked_scores = ops.where(mask, scores, never)
    else:
        masked_scores = scores + mask
    return masked_scores
