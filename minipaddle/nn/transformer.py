"""Multi-head attention, and a transformer encoder."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..engine.errors import CheckFailed
from ..ops.arguments import how_many
from ..ops.rule_functions import GRAPH as ops
from ..parameters.initializers import ParamAttr
from . import errors
from . import functional as F
from .common import Dropout, Linear
from .container import LayerList
from .layer import Layer
from .norm import LayerNorm


class Cache(NamedTuple):
    """Keys and values of earlier positions, [batch, heads, length, size]; each call adds some."""

    k: Any
    v: Any


class StaticCache(NamedTuple):
    """Keys and values that never change, such as those of an encoder's output."""

    k: Any
    v: Any


def _require_positive(layer: str, **sizes: int) -> None:
    for name, size in sizes.items():
        if size <= 0:
            raise errors.misfit(layer, f"{name} > 0", CheckFailed, **{name: size})


def _additive_mask(mask: Any, dtype: Any) -> Any:
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
        _require_positive("MultiHeadAttention", embed_dim=embed_dim, num_heads=num_heads)
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
        split = ops.reshape(x, shape=(0, 0, self.num_heads, self.head_dim))
        return ops.transpose(split, perm=(0, 2, 1, 3))

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
        turned = ops.transpose(k, perm=(0, 1, 3, 2))
        scores = ops.matmul(q * self.head_dim**-0.5, turned)
        mask = _additive_mask(attn_mask, scores.dtype)
        weights = F.softmax(scores if mask is None else scores + mask)
        if self.dropout:
            weights = F.dropout(weights, self.dropout, training=self.training)
        out = ops.transpose(ops.matmul(weights, v), perm=(0, 2, 1, 3))
        out = self.out_proj(ops.reshape(out, shape=(0, 0, self.embed_dim)))
        more = [weights] if self.need_weights else []
        more += [] if cache is None else [cache]
        return (out, *more) if more else out


# ----- the encoder -------------------------------------------------------------------------------


def _attrs_of_parts(attr: Any, count: int) -> list[Any]:
    """Return a copy of attr for each part of a layer; copies of a named attr get other names."""
    if isinstance(attr, Sequence) and not isinstance(attr, str):
        if len(attr) != count:
            expected = f"{count} attrs in a list: attention, and the two linear layers"
            raise errors.misfit("TransformerEncoderLayer", expected, CheckFailed, attrs=attr)
        return list(attr)
    shared = ParamAttr.of(attr)
    if shared is None:
        return [False] * count
    copies = [copy.copy(shared) for _ in range(count)]
    for number, one in enumerate(copies):
        one.name = one.name and f"{one.name}_{number}"
    return copies


class TransformerEncoderLayer(Layer):
    """Self-attention, then two linear layers, both with a residual connection.

    `normalize_before`: the layer norms come before both, not after the additions.

    Shapes: for example src [1, 5, 8] gives [1, 5, 8].
    Dtypes: those of its parameters, float32 by default.
    Errors: ValueError for a dtype that is not the weight's, or if the shapes do not fit.
    Source: Paddle's `paddle.nn.TransformerEncoderLayer`.

    >>> import minipaddle as paddle
    >>> paddle.nn.TransformerEncoderLayer(8, 2, 16)(paddle.rand([1, 5, 8])).shape
    paddle.Size([1, 5, 8])
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int,
        dropout: float = 0.1,
        activation: str = "relu",
        attn_dropout: float | None = None,
        act_dropout: float | None = None,
        normalize_before: bool = False,
        weight_attr: Any = None,
        bias_attr: Any = None,
        layer_norm_eps: float = 1e-5,
    ) -> None:
        arguments = dict(locals())
        super().__init__()
        self._config = {k: v for k, v in arguments.items() if k not in ("self", "__class__")}
        _require_positive(
            "TransformerEncoderLayer", d_model=d_model, nhead=nhead, dim_feedforward=dim_feedforward
        )
        weights, biases = _attrs_of_parts(weight_attr, 2), _attrs_of_parts(bias_attr, 2)
        inner = dropout if attn_dropout is None else attn_dropout
        self.normalize_before = normalize_before
        self.self_attn = MultiHeadAttention(
            d_model, nhead, inner, weight_attr=weights[0], bias_attr=biases[0]
        )
        self.linear1 = Linear(d_model, dim_feedforward, weights[1], biases[1])
        self.dropout = Dropout(dropout if act_dropout is None else act_dropout)
        self.linear2 = Linear(dim_feedforward, d_model, weights[1], biases[1])
        self.norm1 = LayerNorm(d_model, layer_norm_eps)
        self.norm2 = LayerNorm(d_model, layer_norm_eps)
        self.dropout1, self.dropout2 = Dropout(dropout), Dropout(dropout)
        self.activation = getattr(F, activation)

    def gen_cache(self, src: Any) -> Any:
        """Return an empty cache for the batch of src."""
        return self.self_attn.gen_cache(src)

    def forward(self, src: Any, src_mask: Any = None, cache: Any = None) -> Any:
        """Compute the output, and the new cache if one was given."""
        x = self.norm1(src) if self.normalize_before else src
        attended = self.self_attn(x, x, x, _additive_mask(src_mask, src.dtype), cache)
        if cache is not None:
            attended, cache = attended
        x = src + self.dropout1(attended)
        x = x if self.normalize_before else self.norm1(x)
        y = self.norm2(x) if self.normalize_before else x
        y = x + self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(y)))))
        y = y if self.normalize_before else self.norm2(y)
        return y if cache is None else (y, cache)


class TransformerEncoder(Layer):
    """A chain of num_layers encoder layers: `encoder_layer` and new layers like it.

    Shapes: for example src [1, 5, 8] gives [1, 5, 8].
    Dtypes: those of its parameters, float32 by default.
    Errors: ValueError for a dtype that is not the weight's, or if the shapes do not fit.
    Source: Paddle's `paddle.nn.TransformerEncoder`.

    >>> import minipaddle as paddle
    >>> layer = paddle.nn.TransformerEncoderLayer(8, 2, 16)
    >>> paddle.nn.TransformerEncoder(layer, 2)(paddle.rand([1, 5, 8])).shape
    paddle.Size([1, 5, 8])
    """

    def __init__(
        self, encoder_layer: TransformerEncoderLayer, num_layers: int, norm: Layer | None = None
    ) -> None:
        super().__init__()
        count = how_many(num_layers, "num_layers", 10_000)
        others = [type(encoder_layer)(**encoder_layer._config) for _ in range(count - 1)]
        self.layers = LayerList([encoder_layer, *others])
        self.num_layers, self.norm = num_layers, norm

    def gen_cache(self, src: Any) -> list[Any]:
        """Return an empty cache for each layer."""
        return [layer.gen_cache(src) for layer in self.layers]

    def forward(self, src: Any, src_mask: Any = None, cache: Any = None) -> Any:
        """Compute the output, and the list of new caches if one was given."""
        mask, x, caches = _additive_mask(src_mask, src.dtype), src, []
        for number, layer in enumerate(self.layers):
            x = layer(x, mask, None if cache is None else cache[number])
            if cache is not None:
                x, renewed = x
                caches.append(renewed)
        x = x if self.norm is None else self.norm(x)
        return x if cache is None else (x, caches)
