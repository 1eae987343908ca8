"""ParamAttr: the name, the initializer and the training options of a parameter."""

from __future__ import annotations

from typing import Any

from ..engine.errors import InvalidType
from ..errors import misfit
from .initializers import Initializer


class ParamAttr:
    """The name, initializer and training options of one parameter of a layer.

    `learning_rate` multiplies the optimizer's; `trainable=False` freezes the parameter.
    Source: Paddle's `paddle.ParamAttr`.

    Errors: none here; the layer that uses it finds what is wrong.

    >>> import minipaddle as paddle
    >>> attr = paddle.ParamAttr(name="W", initializer=paddle.nn.initializer.Constant(2.0))
    >>> paddle.nn.Linear(1, 1, weight_attr=attr).weight.name
    'W'
    """

    def __init__(
        self,
        name: str | None = None,
        initializer: Initializer | None = None,
        learning_rate: float = 1.0,
        regularizer: Any = None,
        trainable: bool = True,
        do_model_average: bool = True,
        need_clip: bool = True,
    ) -> None:
        self.name = name
        self.initializer = initializer
        self.learning_rate = learning_rate
        self.regularizer = regularizer
        self.trainable = trainable
        self.do_model_average = do_model_average
        self.need_clip = need_clip

    @staticmethod
    def of(attr: Any) -> ParamAttr | None:
        """Return the ParamAttr of a `weight_attr` argument; None for False, no parameter."""
        if attr is False:
            return None
        if attr is None or attr is True:
            return ParamAttr()
        if isinstance(attr, ParamAttr):
            return attr
        if isinstance(attr, str):
            return ParamAttr(name=attr)
        if isinstance(attr, Initializer):
            return ParamAttr(initializer=attr)
        expected = "None, False (no parameter), a name, an Initializer or a ParamAttr"
        fix = "write paddle.ParamAttr(name=..., initializer=...)"
        raise misfit("ParamAttr", expected, InvalidType, fix, attr=attr)
