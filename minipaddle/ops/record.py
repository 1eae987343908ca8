"""Parts of an op's record besides its kernel and its gradient rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..engine.meta import Meta

Rule = Callable[[Meta, Meta], np.dtype[Any] | None]
Text = str | Callable[[dict[str, Any]], str]  # a text, or a function of the attributes


class Formula(NamedTuple):
    """Formulas of an op, for the player, the transcript and `help`."""

    forward: Text = ""  # y = eˣ
    backward: Text = ""  # dx = dy · y, if it reads better than the derived one
    symbol: Text = ""  # sign in the op's box, the op's name if empty
    node: str = ""  # Paddle's name of the gradient node, if not from the op's name
    written: Text = ""  # call in Python if it is no function: x[0], x[0] = value
    # Letters of the inputs; one for each item of a list.
    inputs: Callable[[dict[str, Any]], tuple[str, ...]] | None = None


def each_of(texts: Callable[[dict[str, Any]], tuple[str, str]]) -> tuple[Text, Text]:
    """Split a function that returns two texts into two functions that return one each."""
    return lambda attrs: texts(attrs)[0], lambda attrs: texts(attrs)[1]


def with_options(call: str, **usual: Any) -> Callable[[dict[str, Any]], str]:
    """Return a function that returns a formula's call with the attributes that are not usual.

    >>> with_options("y = diag(x)", offset=0, fill=0.0)({"offset": 0, "fill": 3.5})
    'y = diag(x, fill=3.5)'
    """

    def formula(attrs: dict[str, Any]) -> str:
        unusual = [
            (key, attrs[key]) for key, value in usual.items() if attrs.get(key, value) != value
        ]
        texts = [f", {key}={x:g}" if type(x) is float else f", {key}={x}" for key, x in unusual]
        return f"{call[:-1]}{''.join(texts)})"

    return formula


def at_axis(formula: str, axis: str = "axis") -> Callable[[dict[str, Any]], str]:
    """Return a formula whose subscripts are at the position of the axis: `[:, i]`, `[..., i]`."""

    def filled(attrs: dict[str, Any]) -> str:
        at = attrs[axis]
        before, after = (":, " * at, "") if at >= 0 else ("..., ", ", :" * (-1 - at))
        return formula.replace("[", f"[{before}").replace("]", f"{after}]")

    return filled


def of_elements(formula: str) -> Callable[[dict[str, Any]], str]:
    """Return a formula of elements: `@` is a subscript, `[i, j]`, and `§` the place to which
    indices point along the axis, `[i, indices[i, j]]`. Indices that lost the axis have one letter
    less: `[i, indices[i]]`."""

    def filled(attrs: dict[str, Any]) -> str:
        letters = [*"ijklmn"[: attrs.get("rank", 2)]]
        own = [*letters]
        if not attrs.get("keepdim", True):
            del own[attrs["axis"]]
        at = f"[{', '.join(own)}]" if own else ""
        letters[attrs["axis"]] = f"indices{at}"
        return formula.replace("@", at).replace("§", f"[{', '.join(letters)}]")

    return filled


class Operands(NamedTuple):
    """Treatment of the inputs: broadcasting of two shapes, promotion of the dtypes of the last two,
    and computation of float16 in float32."""

    broadcasts: bool = False  # inputs broadcast; gradients are summed to their shapes
    promotes: Rule | None = None  # a rule of `engine/meta.py`; None: no promotion
    by_dtype: bool = False  # float16 is not widened, as values depend on the dtype
    takes_list: bool = False  # the last operand is a list of tensors


class Results(NamedTuple):
    """Outputs of an op."""

    names: tuple[str, ...] = ("out",)
    stopped: tuple[str, ...] = ()  # outputs without a gradient
    is_list: bool = False  # a list of tensors, whose number depends on the arguments
    updates: dict[str, str] = {}  # noqa: RUF012  # output -> the input whose new value it is
    zeros_for_unused: bool = True  # gradients of unused outputs are zeros, not None
    view: bool = False  # the output may share the input's memory
    random: bool = False  # each call draws random numbers
    remote: bool = False  # other ranks take part, so the op cannot be recomputed


class Public(NamedTuple):
    """Public names of an op, or of a function written with ops."""

    function: bool = True  # paddle.exp(x)
    method: bool = True  # x.exp()
    inplace: bool = False  # x.exp_()
    functional: bool = False  # paddle.nn.functional.elu(x)
    aliases: tuple[str, ...] = ()  # other names in the same places
    view: bool = False  # hand-written function only: x.name_() may change the shape
    changes: int | Callable[..., int] = 1  # in-place changes that x.name_() counts


class Static(NamedTuple):
    """Spelling of an op in Paddle's static graph."""

    type: str  # type of the operator
    slots: dict[str, str] = {}  # noqa: RUF012  # input or output -> slot, if not its capital form
    attrs: dict[str, str] = {}  # noqa: RUF012  # attribute -> Paddle's name for it
    extra: dict[str, Any] = {}  # noqa: RUF012  # attributes that are always there
    prefix: str = ""  # prefix of the output's name, if not the type: `mean` gives mean_0.tmp_0


class Sample(NamedTuple):
    """Inputs for the tests of an op.

    `shapes`: one shape per tensor (a list of shapes for a list of tensors, None for an absent
    one); values are drawn from `domain`; `ints` holds the upper bounds of integer inputs by name;
    `prepare` turns the arrays into valid inputs, such as invertible matrices; `dtype` is complex64
    if the op takes no real numbers.
    """

    shapes: tuple[Any, ...]
    attrs: dict[str, Any] = {}  # noqa: RUF012  (read only)
    domain: tuple[float, float] = (-2.0, 2.0)
    ints: dict[str, int] = {}  # noqa: RUF012
    prepare: Callable[[list[Any]], list[Any]] = list
    dtype: np.dtype[Any] = np.dtype("float32")


def sample(
    *shapes: Any,
    domain: tuple[float, float] = (-2.0, 2.0),
    ints: dict[str, int] | None = None,
    prepare: Callable[[list[Any]], list[Any]] = list,
    real: bool = True,
    **attrs: Any,
) -> Sample:
    """Return a sample with inputs of these shapes, of floats except those named in `ints`."""
    dtype = np.dtype("float32" if real else "complex64")
    return Sample(shapes, attrs, domain, ints or {}, prepare, dtype)


def deeper(samples: tuple[Sample, ...]) -> tuple[Sample, ...]:
    """Return samples of images as samples of volumes: the first spatial axis is there twice."""
    return tuple(
        one._replace(
            shapes=tuple((*shape[:3], *shape[2:]) for shape in one.shapes),
            attrs={k: (v[0], *v) if isinstance(v, tuple) else v for k, v in one.attrs.items()},
        )
        for one in samples
    )
