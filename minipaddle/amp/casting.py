"""auto_cast: which dtype the inputs of an op are cast to, by Paddle's lists for level O1."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from ..engine import modes
from ..engine.dispatch import meta_of
from ..engine.errors import CheckFailed, MinipaddleError, Unimplemented
from ..engine.meta import Meta
from ..engine.tensor import Tensor
from ..errors import misfit, require
from ..messages import Message
from ..ops.errors import require_choice

# Names of operators in Programs.
WHITE = {"conv2d", "einsum", "matmul_v2", "max_pool2d_with_index"}
_BLACK = """
    acos asin atanh cosh cross_entropy2 cumprod cumsum dist erfinv exp expm1 frobenius_norm
    huber_loss interpolate layer_norm log log10 log2 log_loss log_softmax lookup_table_v2 mean
    nll_loss p_norm pow reciprocal reduce_mean reduce_prod reduce_sum rsqrt scatter
    sigmoid_cross_entropy_with_logits sinh softmax softmax_with_cross_entropy softplus square tan
    tanh_shrink
"""
BLACK = {*_BLACK.split()}
HALF, SINGLE = np.dtype("float16"), np.dtype("float32")


class auto_cast(modes.override):
    """In this block, compute the ops of the white list in float16 and those of the black one in
    float32.

    Other ops compute in float32 if one of their inputs is of it. An op that takes no float16 here,
    such as conv2d, stays in float32. Parameters keep their dtype: casts are ops with gradients.
    Lists name ops as Programs do (`matmul_v2`) or as `paddle` does. It works in dynamic mode.

    Shapes: unchanged. Dtypes: float32 and float16 are cast, others kept.
    Errors: ValueError for an unknown level, or an op in both lists; NotImplementedError for
    bfloat16 and the levels O2 and OD; AssertionError in static mode.
    Source: Paddle's `paddle.amp.auto_cast`.

    >>> import minipaddle as paddle
    >>> with paddle.amp.auto_cast():
    ...     y = paddle.matmul(paddle.ones([2, 2]), paddle.ones([2, 2]))
    ...     z = paddle.exp(y)
    >>> y.dtype.name, z.dtype.name
    ('float16', 'float32')
    """

    def __init__(
        self,
        enable: bool = True,
        custom_white_list: Collection[str] | None = None,
        custom_black_list: Collection[str] | None = None,
        level: str = "O1",
        dtype: str = "float16",
        use_promote: bool = True,
    ) -> None:
        _require_level("auto_cast", level, dtype)
        white, black = {*(custom_white_list or ())}, {*(custom_black_list or ())}
        both, expected = sorted(white & black), Message("no op in both lists")
        require(not both, "auto_cast", expected, both=both)
        casts = casting((WHITE - black) | white, (BLACK - white) | black)
        super().__init__(amp=casts if enable and level != "O0" else None)

    def _save(self) -> Any:
        fix = Message("call paddle.disable_static() before it")
        dynamic, given = not modes.is_static(), {"mode": "static"}
        require(dynamic, "auto_cast", Message("dynamic mode"), CheckFailed, fix, **given)
        return super()._save()


def casting(white: Collection[str], black: Collection[str]) -> Callable[..., Any]:
    """Make the function that casts the inputs of an op call."""

    def cast_inputs(op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> tuple[Any, ...]:
        names = {op.name, op.static.type}
        given = {x._data.dtype for x in op.flat(inputs) if isinstance(x, Tensor)} & {HALF, SINGLE}
        if not given or op.name == "cast":
            return inputs
        wide = not names.isdisjoint(black) or (names.isdisjoint(white) and SINGLE in given)
        wanted = SINGLE if wide or not takes_half(op, inputs, attrs) else HALF
        if given == {wanted}:
            return inputs
        return each(lambda x: x.astype(wanted.name) if x._data.dtype in given else x, inputs)

    return cast_inputs


def takes_half(op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> bool:
    """Return whether the op has a kernel for these inputs in float16."""
    metas = each(lambda x: x._replace(dtype=HALF) if x.dtype == SINGLE else x, meta_of(inputs))
    try:
        op.infer(*metas, **attrs)
    except MinipaddleError:
        return False
    return True


def each(change: Callable[[Any], Any], row: Any) -> Any:
    """Change each tensor or Meta, also inside lists."""
    if type(row) in (list, tuple):
        return type(row)(each(change, x) for x in row)
    return change(row) if isinstance(row, (Tensor, Meta)) else row


def _require_level(name: str, level: Any, dtype: Any) -> None:
    require_choice(name, "level", level, ("O0", "O1", "O2", "OD"))
    if level not in ("O0", "O1"):
        raise misfit(name, "level 'O0' or 'O1'", Unimplemented, level=level)
    if getattr(dtype, "name", dtype) != "float16":
        raise misfit(name, "dtype 'float16'", Unimplemented, dtype=dtype)


def decorate(models: Any, optimizers: Any = None, level: str = "O1", dtype: str = "float16") -> Any:
    """Return models and optimizers as level O1 wants them: unchanged.

    Shapes, dtypes: kept, as `auto_cast` casts at each op.
    Errors: ValueError for an unknown level; NotImplementedError for O2, which keeps parameters in
    float16. Source: Paddle's `paddle.amp.decorate`.

    >>> import minipaddle as paddle
    >>> net = paddle.nn.Linear(2, 2)
    >>> paddle.amp.decorate(net) is net
    True
    """
    _require_level("decorate", level, dtype)
    return models if optimizers is None else (models, optimizers)
