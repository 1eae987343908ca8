"""Penalties on the size of parameters, which optimizers add to gradients."""

from __future__ import annotations

from typing import Any

from .engine.errors import CheckFailed, InvalidArgument
from .errors import misfit
from .ops.boundary import publish as _publish
from .paddle_names import absent

__all__ = ["L1Decay", "L2Decay"]

__getattr__ = absent.names(__name__)


class WeightDecayRegularizer:
    """The base class: a penalty of strength `coeff`.

    An optimizer adds the penalty's gradient to the gradient of the loss, after clipping it.
    """

    def __init__(self, coeff: float = 0.0) -> None:
        kind = type(self).__name__
        error = CheckFailed if coeff is None else InvalidArgument
        if not isinstance(coeff, (int, float)):
            raise misfit(kind, "a float", error, f"write {kind}(0.01)", coeff=coeff)
        self._coeff = coeff

    _formula = "g ← g + r(p)"  # text for an optimizer's formula

    def term(self, F: Any, param: Any) -> Any:
        """Return the gradient of the penalty on an array or a Variable, by the functions F."""
        raise NotImplementedError

    def __str__(self) -> str:
        return f"{type(self).__name__}, coeff={self._coeff:f}"


class L1Decay(WeightDecayRegularizer):
    """coeff · Σ|p|: adds coeff · sign(p) to the gradient of p.

    As `weight_decay` it is for all parameters of an optimizer, in a `ParamAttr` for one, which
    comes first. Source: Paddle's `paddle.regularizer.L1Decay`.

    Errors: ValueError for a coeff that is not a number.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([3.0, -3.0], stop_gradient=False)
    >>> decay = paddle.regularizer.L1Decay(0.5)
    >>> sgd = paddle.optimizer.SGD(1.0, parameters=[w], weight_decay=decay)
    >>> (w * 0).sum().backward(); sgd.step(); w.tolist()
    [2.5, -2.5]
    """

    _formula = "g ← g + λ sign(p)"

    def term(self, F: Any, param: Any) -> Any:
        return F.scale(F.sign(param), scale=self._coeff)


class L2Decay(WeightDecayRegularizer):
    """coeff/2 · Σp²: adds coeff · p to the gradient of p.

    As `weight_decay` it is for all parameters of an optimizer (so is a plain number), in a
    `ParamAttr` for one, which comes first. Source: Paddle's `paddle.regularizer.L2Decay`.

    Errors: ValueError for a coeff that is not a number.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([4.0], stop_gradient=False)
    >>> decay = paddle.regularizer.L2Decay(0.5)
    >>> sgd = paddle.optimizer.SGD(1.0, parameters=[w], weight_decay=decay)
    >>> (w * 0).sum().backward(); sgd.step(); w.tolist()
    [2.0]
    """

    _formula = "g ← g + λ p"

    def term(self, F: Any, param: Any) -> Any:
        return F.scale(param, scale=self._coeff)


_publish(globals(), __all__)
