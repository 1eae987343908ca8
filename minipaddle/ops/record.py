"""Parts of an op's record, beside its kernel and its gradient rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..engine.meta import Meta

Rule = Callable[[Meta, Meta], np.dtype[Any] | None]
Text = str | Callable[[dict[str, Any]], str]  # a text, or what makes one of the attributes


class Formula(NamedTuple):
    """What a learner reads: in the player, in the transcript and in `help`."""

    forward: Text = ""  # y = eˣ
    backward: Text = ""  # dx = dy · y, where that reads better than what the rule gives
    symbol: Text = ""  # the sign in the op's box: the op's name, if this is empty
    node: str = ""  # Paddle's name for the gradient node, if the op's name does not give it
    written: Text = ""  # the call in Python, where that is no function: x[0], x[0] = value
    # The letters of the inputs, those of a list's items one by one.
    inputs: Callable[[dict[str, Any]], tuple[str, ...]] | None = None


class Operands(NamedTuple):
    """How tensors go in: shapes of two are broadcast, the dtypes of the last two promoted, and
    float16 is computed in float32."""

    broadcasts: bool = False  # so that gradients are summed back to the inputs' shapes
    promotes: Rule | None = None  # a rule of `engine/promotion.py`; None: they are left
    by_dtype: bool = False  # values depend on the dtype, so float16 goes in as it is
    takes_list: bool = False  # the last operand is a list of tensors


class Results(NamedTuple):
    """What a call gives back."""

    names: tuple[str, ...] = ("out",)
    stopped: tuple[str, ...] = ()  # outputs that have no gradient
    is_list: bool = False  # a list of tensors, as many as the arguments ask for
    updates: dict[str, str] = {}  # noqa: RUF012  # output -> the input whose new value it is
    zeros_for_unused: bool = True  # or None, as the gradient of an output that nobody used
    view: bool = False  # the output may share the input's memory
    random: bool = False  # each call draws other numbers
    remote: bool = False  # other ranks have a part in it, so nobody can compute it again


class Public(NamedTuple):
    """Where users find an op, or a function written with ops."""

    function: bool = True  # paddle.exp(x)
    method: bool = True  # x.exp()
    inplace: bool = False  # x.exp_()
    functional: bool = False  # paddle.nn.functional.elu(x)
    aliases: tuple[str, ...] = ()  # other names of all these
    view: bool = False  # of a written function: x.name_() may have another shape
    changes: int | Callable[..., int] = 1  # how many in-place changes x.name_() is in Paddle


class Static(NamedTuple):
    """How Paddle's static graph spells the op."""

    type: str  # the operator's
    slots: dict[str, str] = {}  # noqa: RUF012  # input or output -> slot; X, Y, Out otherwise
    attrs: dict[str, str] = {}  # noqa: RUF012  # attribute -> Paddle's name for it
    extra: dict[str, Any] = {}  # noqa: RUF012  # attributes that are always there
    prefix: str = ""  # of the output's name, if not the type: `mean` gives mean_0.tmp_0


class Sample(NamedTuple):
    """Inputs for the tests of an op.

    `shapes`: one shape per tensor (a list of shapes for a list of tensors, None for an absent
    one); values are drawn from `domain`; `ints` gives the upper bound of integer inputs by name;
    `prepare` makes of the arrays those that the op is for, such as invertible matrices.
    """

    shapes: tuple[Any, ...]
    attrs: dict[str, Any] = {}  # noqa: RUF012  (read only)
    domain: tuple[float, float] = (-2.0, 2.0)
    ints: dict[str, int] = {}  # noqa: RUF012
    prepare: Callable[[list[Any]], list[Any]] = list


def sample(
    *shapes: Any,
    domain: tuple[float, float] = (-2.0, 2.0),
    ints: dict[str, int] | None = None,
    prepare: Callable[[list[Any]], list[Any]] = list,
    **attrs: Any,
) -> Sample:
    """Return a sample with inputs of these shapes, float but for those named in `ints`."""
    return Sample(shapes, attrs, domain, ints or {}, prepare)
