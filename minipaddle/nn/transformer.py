"""Multi-head attention, and transformers made of it."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from math import inf
from typing import Any, ClassVar, NamedTuple

from ..engine import dtypes
from ..engine.errors import CheckFailed
from ..ops.arguments import check_count
from ..ops.making.creation import full
from ..ops.rule_functions import GRAPH as ops
from ..parameters.initializers import ParamAttr
from . import errors
from . import functional as F
from .common import Dropout, Linear
from .container import LayerList
from .function_layer import complete
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
        errors.require(size > 0, layer, f"{name} > 0", CheckFailed, **{name: size})


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


# ----- layers of a transformer -------------------------------------------------------------------


def _attrs_of_parts(layer: str, attr: Any, count: int) -> list[Any]:
    """Return a copy of attr for each part of a layer; copies of a named attr get other names."""
    if isinstance(attr, Sequence) and not isinstance(attr, str):
        if len(attr) != count:
            expected = f"{count} attrs in a list: one for each attention, and one for the rest"
            raise errors.misfit(layer, expected, CheckFailed, attrs=attr)
        return list(attr)
    shared = ParamAttr.of(attr)
    if shared is None:
        return [False] * count
    copies = [copy.copy(shared) for _ in range(count)]
    for number, one in enumerate(copies):
        one.name = one.name and f"{one.name}_{number}"
    return copies


class _TransformerLayer(Layer):
    """Base class of layers of attentions, then two linear layers, each with a residual connection.

    `normalize_before`: the layer norms come before these parts, not after the additions.

    Dtypes: those of its parameters, float32 by default.
    Errors: ValueError for a dtype that is not the weight's, or if the shapes do not fit.
    """

    _attentions: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, attentions: tuple[str, ...] = ()) -> None:
        super().__init_subclass__()
        if attentions:
            cls._attentions = attentions
            cls.__doc__ = complete(cls, inspect.getdoc(cls.__base__))

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
        name, parts = type(self).__name__, range(1, len(self._attentions) + 2)
        _require_positive(name, d_model=d_model, nhead=nhead, dim_feedforward=dim_feedforward)
        weights = _attrs_of_parts(name, weight_attr, len(parts))
        biases = _attrs_of_parts(name, bias_attr, len(parts))
        inner = dropout if attn_dropout is None else attn_dropout
        self.normalize_before = normalize_before
        for role, weight, bias in zip(self._attentions, weights, biases, strict=False):
            made = MultiHeadAttention(d_model, nhead, inner, weight_attr=weight, bias_attr=bias)
            setattr(self, role, made)
        self.linear1 = Linear(d_model, dim_feedforward, weights[-1], biases[-1])
        self.dropout = Dropout(dropout if act_dropout is None else act_dropout)
        self.linear2 = Linear(dim_feedforward, d_model, weights[-1], biases[-1])
        for part in parts:
            setattr(self, f"norm{part}", LayerNorm(d_model, layer_norm_eps))
        for part in parts:
            setattr(self, f"dropout{part}", Dropout(dropout))
        self.activation = getattr(F, activation)

    def _attend(self, part: int, x: Any, memory: Any, mask: Any, cache: Any) -> tuple[Any, Any]:
        """Add attention to memory, or of x to itself. Return the new cache, too."""
        query = self._begin(part, x)
        memory = query if memory is None else memory
        attention = getattr(self, self._attentions[part - 1])
        made = attention(query, memory, memory, _additive_mask(mask, memory.dtype), cache)
        made, cache = (made, None) if cache is None else made
        return self._end(part, x, made), cache

    def _feed_forward(self, x: Any) -> Any:
        """Add the two linear layers."""
        part = len(self._attentions) + 1
        hidden = self.activation(self.linear1(self._begin(part, x)))
        return self._end(part, x, self.linear2(self.dropout(hidden)))

    def _begin(self, part: int, x: Any) -> Any:
        return getattr(self, f"norm{part}")(x) if self.normalize_before else x

    def _end(self, part: int, x: Any, made: Any) -> Any:
        x = x + getattr(self, f"dropout{part}")(made)
        return x if self.normalize_before else getattr(self, f"norm{part}")(x)


class TransformerEncoderLayer(_TransformerLayer, attentions=("self_attn",)):
    """Self-attention, then two linear layers, both with a residual connection.

    `normalize_before`: the layer norms come before both, not after the additions.

    Shapes: for example src [1, 5, 8] gives [1, 5, 8].

    >>> import minipaddle as paddle
    >>> paddle.nn.TransformerEncoderLayer(8, 2, 16)(paddle.rand([1, 5, 8])).shape
    paddle.Size([1, 5, 8])
    """

    def gen_cache(self, src: Any) -> Any:
        """Return an empty cache for the batch of src."""
        return self.self_attn.gen_cache(src)

    def forward(self, src: Any, src_mask: Any = None, cache: Any = None) -> Any:
        """Compute the output, and the new cache if one was given."""
        x, renewed = self._attend(1, src, None, src_mask, cache)
        y = self._feed_forward(x)
        return y if cache is None else (y, renewed)


class TransformerDecoderLayer(_TransformerLayer, attentions=("self_attn", "cross_attn")):
    """Self-attention, attention to an encoder's output, then two linear layers.

    Each has a residual connection; `normalize_before`: the layer norms come before them, not after
    the additions. A cache is a pair: of self-attention, and of the encoder's output.

    Shapes: for example tgt [1, 3, 8], memory [1, 5, 8] gives [1, 3, 8].

    >>> import minipaddle as paddle
    >>> layer = paddle.nn.TransformerDecoderLayer(8, 2, 16)
    >>> layer(paddle.rand([1, 3, 8]), paddle.rand([1, 5, 8])).shape
    paddle.Size([1, 3, 8])
    """

    def gen_cache(self, memory: Any) -> tuple[Any, Any]:
        """Return an empty cache, and one of the keys and values of memory."""
        static = self.cross_attn.gen_cache(memory, memory, StaticCache)
        return self.self_attn.gen_cache(memory), static

    def forward(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        cache: Any = None,
    ) -> Any:
        """Compute the output, and the new caches if they were given."""
        own, static = (None, None) if cache is None else cache
        x, own = self._attend(1, tgt, None, tgt_mask, own)
        x, static = self._attend(2, x, memory, memory_mask, static)
        y = self._feed_forward(x)
        return y if cache is None else (y, (own, static))


# ----- chains of layers --------------------------------------------------------------------------


class _Chain(Layer):
    """Base class of chains of layers like a first one, with a norm at the end."""

    def _build(self, first: Any, num_layers: int, norm: Layer | None) -> None:
        super().__init__()
        count = check_count(num_layers, "num_layers", 10_000)
        others = (type(first)(**first._config) for _ in range(count - 1))
        self.layers = LayerList([first, *others][:count])
        self.num_layers, self.norm = num_layers, norm

    def _run(self, x: Any, others: tuple[Any, ...], cache: Any) -> Any:
        """Return what the layers make of x, and the list of new caches if one was given."""
        caches = []
        for number, layer in enumerate(self.layers):
            x = layer(x, *others, None if cache is None else cache[number])
            if cache is not None:
                x, renewed = x
                caches.append(renewed)
        x = x if self.norm is None else self.norm(x)
        return x if cache is None else (x, caches)


class TransformerEncoder(_Chain):
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
        self._build(encoder_layer, num_layers, norm)

    def gen_cache(self, src: Any) -> list[Any]:
        """Return an empty cache for each layer."""
        return [layer.gen_cache(src) for layer in self.layers]

    def forward(self, src: Any, src_mask: Any = None, cache: Any = None) -> Any:
        """Compute the output, and the list of new caches if one was given."""
        return self._run(src, (_additive_mask(src_mask, src.dtype),), cache)


class TransformerDecoder(_Chain):
    """A chain of num_layers decoder layers: `decoder_layer` and new layers like it.

    Shapes: for example tgt [1, 3, 8], memory [1, 5, 8] gives [1, 3, 8].
    Dtypes: those of its parameters, float32 by default.
    Errors: ValueError for a dtype that is not the weight's, or if the shapes do not fit.
    Source: Paddle's `paddle.nn.TransformerDecoder`.

    >>> import minipaddle as paddle
    >>> decoder = paddle.nn.TransformerDecoder(paddle.nn.TransformerDecoderLayer(8, 2, 16), 2)
    >>> memory = paddle.rand([1, 5, 8])
    >>> y, cache = decoder(paddle.rand([1, 1, 8]), memory, cache=decoder.gen_cache(memory))
    >>> y.shape
    paddle.Size([1, 1, 8])
    """

    def __init__(
        self, decoder_layer: TransformerDecoderLayer, num_layers: int, norm: Layer | None = None
    ) -> None:
        self._build(decoder_layer, num_layers, norm)

    def gen_cache(self, memory: Any, do_zip: bool = False) -> list[Any]:
        """Return the caches of each layer, a pair; with `do_zip` two tuples of all layers."""
        caches = [layer.gen_cache(memory) for layer in self.layers]
        return list(zip(*caches, strict=True)) if do_zip else caches

    def forward(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        cache: Any = None,
    ) -> Any:
        """Compute the output, and the list of new caches if one was given."""
        masks = _additive_mask(tgt_mask, tgt.dtype), _additive_mask(memory_mask, memory.dtype)
        return self._run(tgt, (memory, *masks), cache)


def _attrs_of_both(name: str, attr: Any) -> tuple[Any, Any]:
    """Return the attrs of encoder layers, and of decoder layers, from a list of up to three."""
    if not isinstance(attr, (list, tuple)):
        return attr, attr
    parts = {1: ((0, 0), (0, 0, 0)), 2: ((0, 1), (0, 0, 1)), 3: ((0, 2), (0, 1, 2))}
    if len(attr) not in parts:
        raise errors.misfit("Transformer", "1, 2 or 3 attrs in a list", CheckFailed, **{name: attr})
    encoder, decoder = ([attr[part] for part in row] for row in parts[len(attr)])
    return encoder, decoder


class Transformer(Layer):
    """An encoder, and a decoder that attends to the encoder's output.

    `weight_attr` and `bias_attr` may be lists of attrs: of self-attention, cross-attention and
    linear layers.

    Shapes: for example src [1, 5, 8], tgt [1, 3, 8] gives [1, 3, 8].
    Dtypes: those of its parameters, float32 by default.
    Errors: ValueError for a dtype that is not the weight's, or if the shapes do not fit;
    AssertionError for a size that is not positive.
    Source: Paddle's `paddle.nn.Transformer`.

    >>> import minipaddle as paddle
    >>> net = paddle.nn.Transformer(8, 2, 1, 1, 16)
    >>> mask = net.generate_square_subsequent_mask(3)
    >>> net(paddle.rand([1, 5, 8]), paddle.rand([1, 3, 8]), tgt_mask=mask).shape
    paddle.Size([1, 3, 8])
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str = "relu",
        attn_dropout: float | None = None,
        act_dropout: float | None = None,
        normalize_before: bool = False,
        weight_attr: Any = None,
        bias_attr: Any = None,
        custom_encoder: Any = None,
        custom_decoder: Any = None,
    ) -> None:
        super().__init__()
        weights = _attrs_of_both("weight_attr", weight_attr)
        biases = _attrs_of_both("bias_attr", bias_attr)
        _require_positive(
            "Transformer", d_model=d_model, nhead=nhead, dim_feedforward=dim_feedforward
        )
        settings = (
            *(d_model, nhead, dim_feedforward, dropout, activation),
            *(attn_dropout, act_dropout, normalize_before),
        )
        if custom_encoder is None:
            layer = TransformerEncoderLayer(*settings, weights[0], biases[0])
            custom_encoder = TransformerEncoder(layer, num_encoder_layers, LayerNorm(d_model))
        self.encoder = custom_encoder
        if custom_decoder is None:
            last = TransformerDecoderLayer(*settings, weights[1], biases[1])
            custom_decoder = TransformerDecoder(last, num_decoder_layers, LayerNorm(d_model))
        self.decoder = custom_decoder
        self.d_model, self.nhead = d_model, nhead

    def forward(
        self,
        src: Any,
        tgt: Any,
        src_mask: Any = None,
        tgt_mask: Any = None,
        memory_mask: Any = None,
    ) -> Any:
        memory = self.encoder(src, src_mask=_additive_mask(src_mask, src.dtype))
        masks = {"tgt_mask": tgt_mask, "memory_mask": memory_mask}
        masks = {name: _additive_mask(mask, tgt.dtype) for name, mask in masks.items()}
        return self.decoder(tgt, memory, **masks)

    def generate_square_subsequent_mask(self, length: Any) -> Any:
        """Return a mask that hides later positions: 0, and −∞ right of the diagonal."""
        return ops.triu(full([length, length], -inf, dtypes.get_default()), diagonal=1)
