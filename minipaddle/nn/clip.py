"""Clipping of gradients, before an optimizer uses them."""

from __future__ import annotations

import math
from typing import Any

from ..engine.dtypes import DType
from ..engine.errors import CheckFailed, InvalidArgument
from ..engine.grad_mode import no_grad
from ..ops.arguments import as_list
from ..ops.expression import number, write
from ..ops.rule_functions import GRAPH
from ..ops.widening import wider_dtype
from ..paddle_names import absent
from . import errors

__all__ = ["ClipGradBase", "ClipGradByGlobalNorm", "ClipGradByNorm", "ClipGradByValue"]

__getattr__ = absent.names(__name__)

Pairs = list[tuple[Any, Any]]  # pairs of a parameter and its gradient
SMALLEST = math.ulp(0.0)


class ClipGradBase:
    """Base class of the values of an optimizer's `grad_clip`.

    Parameters with `need_clip=False` in their ParamAttr keep their gradients.
    """

    def __call__(self, params_grads: Any) -> Pairs:
        """Return the pairs of parameter and gradient with clipped copies of the gradients.

        Pairs without a gradient are dropped. In static mode this adds operators to the Program.
        Errors: TypeError for anything but a list of pairs.

        >>> import minipaddle as paddle
        >>> w, grad = paddle.zeros([2]), paddle.to_tensor([3.0, 4.0])
        >>> [(_, clipped)] = paddle.nn.ClipGradByNorm(1.0)([(w, grad)])
        >>> [round(number, 2) for number in clipped.tolist()]
        [0.6, 0.8]
        """
        with no_grad():
            return self.clip(GRAPH, _with_gradients(type(self).__name__, params_grads))

    def clip(self, F: Any, pairs: Pairs) -> Pairs:
        """Return the pairs with clipped gradients; F computes with arrays or Variables."""
        clippable = [getattr(param, "need_clip", True) for param, _ in pairs]
        chosen = [grad for (_, grad), clips in zip(pairs, clippable, strict=True) if clips]
        clipped = iter(self._clip_gradients(F, chosen) if chosen else ())
        return [
            (param, next(clipped) if clips else grad)
            for (param, grad), clips in zip(pairs, clippable, strict=True)
        ]

    @property
    def _formula(self) -> str:
        """Text for an optimizer's formula."""
        return "g ← clip(g)"

    def _clip_gradients(self, F: Any, grads: list[Any]) -> list[Any]:
        raise NotImplementedError


class ClipGradByValue(ClipGradBase):
    """Clipping of each element of a gradient to [min, max]; min is -max by default.

    Dtypes: those of the gradients, as their shapes.
    Errors: ValueError for a bound that is not a number.
    Source: Paddle's `paddle.nn.ClipGradByValue`.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([0.0, 0.0], stop_gradient=False)
    >>> clip = paddle.nn.ClipGradByValue(0.5)
    >>> sgd = paddle.optimizer.SGD(1.0, parameters=[w], grad_clip=clip)
    >>> (w * paddle.to_tensor([3.0, -0.25])).sum().backward(); sgd.step(); w.tolist()
    [-0.5, 0.25]
    """

    def __init__(self, max: float, min: float | None = None) -> None:
        high = _read_number("ClipGradByValue", "max", max)
        if min is None and high <= 0:
            raise errors.misfit("ClipGradByValue", "max > 0 without min", CheckFailed, max=max)
        self.max = high
        self.min = -high if min is None else _read_number("ClipGradByValue", "min", min)

    def __str__(self) -> str:
        return f"Clip Gradient By Value, min = {self.min:f}, max={self.max:f}"

    @property
    def _formula(self) -> str:
        low, high = (write(number(bound)) for bound in (self.min, self.max))
        return f"g ← clip(g, {low}, {high})"

    def _clip_gradients(self, F: Any, grads: list[Any]) -> list[Any]:
        return [F.clip(grad, min=self.min, max=self.max) for grad in grads]


class ClipGradByNorm(ClipGradBase):
    """Scaling of each gradient with a norm above clip_norm to that norm.

    Dtypes: those of the gradients, as their shapes.
    Errors: ValueError for a norm that is not a number above 0.
    Source: Paddle's `paddle.nn.ClipGradByNorm`.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([0.0, 0.0], stop_gradient=False)
    >>> clip = paddle.nn.ClipGradByNorm(1.0)
    >>> sgd = paddle.optimizer.SGD(1.0, parameters=[w], grad_clip=clip)
    >>> (w * paddle.to_tensor([0.0, 4.0])).sum().backward(); sgd.step(); w.tolist()
    [0.0, -1.0]
    """

    def __init__(self, clip_norm: float) -> None:
        self.clip_norm = norm_to_clip("ClipGradByNorm", "clip_norm", clip_norm, least=SMALLEST)

    def __str__(self) -> str:
        return f"Gradient Clip By Norm, clip_norm={self.clip_norm:f}"

    @property
    def _formula(self) -> str:
        most = write(number(self.clip_norm))
        return f"g ← {most} · g / max(‖g‖, {most})"

    def _clip_gradients(self, F: Any, grads: list[Any]) -> list[Any]:
        return [F.clip_by_norm(grad, max_norm=self.clip_norm) for grad in grads]


class ClipGradByGlobalNorm(ClipGradBase):
    """Scaling of all gradients by one factor, so that their global norm is at most clip_norm.

    `group_name` and `auto_skip_clip` change nothing: a factor of 1 is exact.
    Dtypes: those of the gradients, as their shapes.
    Errors: ValueError for a norm that is not a number, or below 0.
    Source: Paddle's `paddle.nn.ClipGradByGlobalNorm`.

    >>> import minipaddle as paddle
    >>> v, w = (paddle.to_tensor([0.0], stop_gradient=False) for _ in "vw")
    >>> clip = paddle.nn.ClipGradByGlobalNorm(2.5)
    >>> sgd = paddle.optimizer.SGD(1.0, parameters=[v, w], grad_clip=clip)
    >>> (v * 3 + w * 4).backward(); sgd.step(); v.tolist(), w.tolist()
    ([-1.5], [-2.0])
    """

    def __init__(
        self, clip_norm: float, group_name: str = "default_group", auto_skip_clip: bool = False
    ) -> None:
        if not isinstance(auto_skip_clip, bool):
            raise errors.misfit("", "True or False", CheckFailed, auto_skip_clip=auto_skip_clip)
        self.clip_norm = norm_to_clip("ClipGradByGlobalNorm", "clip_norm", clip_norm)
        self.group_name = group_name
        self.auto_skip_clip = auto_skip_clip

    def __str__(self) -> str:
        return f"Gradient Clip By GlobalNorm, global_norm={self.clip_norm:f}"

    @property
    def _formula(self) -> str:
        most = write(number(self.clip_norm))
        return f"g ← {most} · g / max(‖∇‖, {most})"  # ∇: all gradients together

    def _clip_gradients(self, F: Any, grads: list[Any]) -> list[Any]:
        kinds = [DType.of(wider_dtype(DType.of(grad.dtype).numpy)) for grad in grads]
        kind = max(kinds, key=lambda dtype: dtype.numpy.itemsize)
        wide = [_cast(own, grad) for own, grad in zip(kinds, grads, strict=True)]
        squares = [_cast(kind, F.squared_l2_norm(grad)) for grad in wide]
        norm = F.sqrt(F.add_n(squares))
        limit = F.full(shape=(1,), fill_value=self.clip_norm, dtype=DType.of(kind))
        factor = F.divide(limit, F.maximum(norm, limit))
        clipped = [F.multiply(grad, _cast(grad.dtype, factor)) for grad in wide]
        return [_cast(grad.dtype, new) for grad, new in zip(grads, clipped, strict=True)]


def _with_gradients(kind: str, pairs: Any) -> Pairs:
    """Return the pairs that have a gradient; raise an error for other values."""
    for pair in as_list(pairs):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            what = f"{kind}(): params_grads must be pairs of parameters and gradients."
            fix = "clip([(p, p.grad) for p in model.parameters()])"
            raise errors.wrong_type(what, pair, "[(parameter, gradient), ...]", fix)
    return [(param, grad) for param, grad in pairs if grad is not None]


def _cast(dtype: Any, value: Any) -> Any:
    kind = DType.of(dtype)
    return value if DType.of(value.dtype) is kind else value.astype(kind.numpy)


def norm_to_clip(kind: str, name: str, value: Any, least: float = 0.0) -> float:
    """Return a norm to clip to; raise an error below `least`: norms below 0 reverse gradients."""
    norm = _read_number(kind, name, value)
    if norm < least:
        bounds = f"{name} > 0" if least else f"{name} >= 0"
        raise errors.misfit(kind, bounds, **{name: value})
    return norm


def _read_number(kind: str, name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise errors.misfit(kind, "a float", InvalidArgument, **{name: value}) from error
