"""Multi-head attention; its variables name the tensors in a picture."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..engine.errors import CheckFailed
from ..ops.rule_functions import GRAPH as ops
from . import errors
from . import functional as F
from .common import Linear
from .layer import Layer


class Cache(NamedTuple):
    """Keys and values of earlier positions, [batch, heads, length, size]; each call adds some."""

    k: Any
    v: Any


class StaticCache(NamedTuple):
    """Keys and values that never change, such as those of an encoder's output."""

    k: Any
    v: Any


def require_positive(layer: str, **sizes: int) -> None:
    for name, size in sizes.items():
        errors.require(size > 0, layer, f"{name} > 0", CheckFailed, **{name: size})


def additive_mask(mask: Any, dtype: Any) -> Any:
    """Return a mask as numbers to add; False and 0 forbid a position."""
    if mask is None or mask.dtype == dtype:
        return mask
    kind = str(mask.dtype)
    mask = ops.cast(mask, dtype=dtype)
    return (mask - 1.0) * 1e9 if "bool" in kind or "int" in kind else mask


class MultiHeadAttention(Layer):
    """Attention in num_heads heads, each with its own projections.

    Queries, keys and values are [batch, length, embed_dim], kdim, vdim. A mask broadcasts to
    [batch, heads, query length, key length]. Returns the output, then the weights with
    `need_weights`, then the new cache if one was given.
    Source: Paddle's `paddle.nn.MultiHeadAttention`.

    Dtypes: those of its parameters, float32 by default.
    Errors: ValueError for a dtype that is not the weight's, or if the shapes do not fit.

    >>> import minipaddle as paddle
    >>> paddle.nn.MultiHeadAttention(8, 2)(paddle.rand([1, 5, 8])).shape
    paddle.Size([1, 5, 8])
    """

    Cache, StaticCache = Cache, StaticCache

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        kdim: int | None = None,
        vdim: int | None = None,
        need_weights: bool = False,
        weight_attr: Any = None,
        bias_attr: Any = None,
    ) -> None:
        super().__init__()
        require_positive("MultiHeadAttention", embed_dim=embed_dim, num_heads=num_heads)
        self.embed_dim, self.num_heads, self.dropout = embed_dim, num_heads, dropout
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.need_weights, self.head_dim = need_weights, embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            sizes = {"embed_dim": embed_dim, "num_heads": num_heads}
            expected = "embed_dim to be a multiple of num_heads"
            raise errors.misfit("MultiHeadAttention", expected, CheckFailed, **sizes)
        attrs = weight_attr, bias_attr
        self.q_proj = Linear(embed_dim, embed_dim, *attrs)
        self.k_proj = Linear(self.kdim, embed_dim, *attrs)
        self.v_proj = Linear(self.vdim, embed_dim, *attrs)
        self.out_proj = Linear(embed_dim, embed_dim, *attrs)

    def _split_heads(self, x: Any) -> Any:
        """Reshape [batch, length, features] to [batch, heads, length, features of one head]."""
        shape = 0, 0, self.num_heads, self.head_dim
        return ops.transpose(ops.reshape(x, shape=shape), perm=(0, 2, 1, 3))

    def compute_kv(self, key: Any, value: Any) -> tuple[Any, Any]:
        """Return the projected keys and values of all heads."""
        return self._split_heads(self.k_proj(key)), self._split_heads(self.v_proj(value))

    def gen_cache(self, key: Any, value: Any = None, type: Any = Cache) -> Any:
        """Return a new cache.

        A StaticCache projects key and value; a Cache takes projected ones, and without a value it
        is empty, for the batch of `key`.
        """
        if type is StaticCache:
            return StaticCache(*self.compute_kv(key, key if value is None else value))
        if value is not None:
            return Cache(key, value)
        shape = (key.shape[0], self.num_heads, 0, self.head_dim)
        pair = [ops.full(shape=shape, fill_value=0.0, dtype=key.dtype) for _ in "kv"]
        return Cache(*pair)

    def forward(
        self,
        query: Any,
        key: Any = None,
        value: Any = None,
        attn_mask: Any = None,
        cache: Any = None,
    ) -> Any:
        """Compute the output, and the weights and cache that the class describes."""
        key = query if key is None else key
        value = query if value is None else value
        q = self._split_heads(self.q_proj(query))
        if isinstance(cache, StaticCache):
            k, v = cache
        else:
            k, v = self.compute_kv(key, value)
        if isinstance(cache, Cache):
            join = ops.concat
            cache = Cache(join([cache.k, k], axis=2), join([cache.v, v], axis=2))
            k, v = cache
        scaled_q = ops.scale(q, scale=self.head_dim**-0.5)
        scores = ops.matmul(scaled_q, ops.transpose(k, perm=(0, 1, 3, 2)))
        mask = additive_mask(attn_mask, scores.dtype)
        masked_scores = scores if mask is None else scores + mask
        weights = F.softmax(masked_scores)
        if self.dropout:
            weights = F.dropout(weights, self.dropout, training=self.training)
        heads = ops.matmul(weights, v)
        joined = ops.reshape(ops.transpose(heads, perm=(0, 2, 1, 3)), shape=(0, 0, self.embed_dim))
        out = self.out_proj(joined)
        more = [weights] if self.need_weights else []
        more += [] if cache is None else [cache]
        return (out, *more) if more else out
