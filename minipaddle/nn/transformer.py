"""Transformers: layers of attention and linear layers, with an encoder and a decoder of them."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from math import inf
from typing import Any, ClassVar

from ..engine import dtypes
from ..engine.errors import CheckFailed
from ..ops.arguments import check_count
from ..ops.making.creation import full
from ..ops.rule_functions import GRAPH as ops
from ..parameters.initializers import ParamAttr
from . import errors
from . import functional as F
from .attention import MultiHeadAttention, StaticCache, additive_mask, require_positive
from .common import Dropout, Linear
from .container import LayerList
from .function_layer import complete
from .layer import Layer
from .norm import LayerNorm

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
        require_positive(name, d_model=d_model, nhead=nhead, dim_feedforward=dim_feedforward)
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
        made = attention(query, memory, memory, additive_mask(mask, memory.dtype), cache)
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
        return self._run(src, (additive_mask(src_mask, src.dtype),), cache)


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
        masks = additive_mask(tgt_mask, tgt.dtype), additive_mask(memory_mask, memory.dtype)
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
        require_positive(
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
        memory = self.encoder(src, src_mask=additive_mask(src_mask, src.dtype))
        masks = {"tgt_mask": tgt_mask, "memory_mask": memory_mask}
        masks = {name: additive_mask(mask, tgt.dtype) for name, mask in masks.items()}
        return self.decoder(tgt, memory, **masks)

    def generate_square_subsequent_mask(self, length: Any) -> Any:
        """Return a mask that hides later positions: 0, and −∞ right of the diagonal."""
        return ops.triu(full([length, length], -inf, dtypes.get_default()), diagonal=1)
