"""Linear functions, powers and limits with numbers as attributes."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...engine import modes
from ...engine.dispatch import store
from ...engine.dtypes import DType
from ...engine.errors import CheckFailed, InvalidArgument, InvalidType, ModeError, NoSuchName
from ...engine.meta import SMALL, Meta, numbers, size, unchanged
from ...engine.tensor import Tensor
from ...errors import misfit
from ..arguments import COMPLEX, is_variable, read_number, readers_for, real_reader
from ..catalog import public, publish
from ..op_spec import internal, op
from ..record import Formula, Operands, Public, Static, sample, with_options
from ..registry import REGISTRY
from ..rule_functions import GRAPH as F
from .unary import accept_only

# ----- scale · x + bias --------------------------------------------------------------------------


class Line(NamedTuple):
    """A call of scale as it was written: `factor · x`, `x + summand`, or both.

    `x * n` has no bias, and `x + n` no bias_after_scale; so `x * 1` is not shown as `x + 0`.
    """

    factor: Any
    summand: Any = None
    summand_first: bool = False

    @classmethod
    def of(cls, attrs: dict[str, Any]) -> Line:
        scale, bias, after = attrs["scale"], attrs.get("bias"), attrs.get("bias_after_scale")
        if scale == 1 and bias is not None and (bias or after is None):
            return cls(None, bias)
        return cls(scale, bias, after is False) if bias else cls(scale)


def _summand_text(summand: Any) -> str:
    """Write a summand with its sign: `+ 2`, `− 2`; `− 0` for -0.0, which `x - 0` adds."""
    if isinstance(summand, complex):
        return f"+ {write_number(summand)}"
    return f"{'−' if math.copysign(1.0, summand) < 0 else '+'} {write_number(abs(summand))}"


def write_number(n: Any) -> str:
    """Write a number in a formula: `2`, `−0.5`, `1234567`, `1e+9`, `1j`."""
    if isinstance(n, complex):
        text = f"({n:g})" if n.real else f"{n.imag:g}j"
        return text.replace("-", "−")
    short = f"{n:g}"
    exact = math.isfinite(n) and n == int(n) and abs(n) < 1e15 and float(short) != n
    text = str(int(n)) if exact else short
    return text.replace("e-0", "e-").replace("e+0", "e+").replace("-", "−")


def _formula_and_sign(attrs: dict[str, Any]) -> tuple[str, str]:
    """Return the formula of a scale and the sign in its box."""
    factor, summand, summand_first = Line.of(attrs)
    plus = "" if summand is None else f" {_summand_text(summand)}"
    if summand_first:
        return f"y = {write_number(factor)} · (x{plus})", f"({plus[1:]}) × {write_number(factor)}"
    if factor == -1:
        if summand is None:
            return "y = −x", "−"
        return f"y = {write_number(summand)} − x", f"{write_number(summand)} −"
    if factor is None:
        return f"y = x{plus}", plus[1:]
    return f"y = {write_number(factor)} · x{plus}", f"× {write_number(factor)}{plus}"


@op(
    infer=unchanged,
    canon=readers_for(real_reader, "scale", "scale", "bias", more=(complex,)),
    formula=Formula(
        lambda attrs: _formula_and_sign(attrs)[0], symbol=lambda attrs: _formula_and_sign(attrs)[1]
    ),
    samples=(
        sample((2, 3), scale=-2.5, bias=1.0),
        sample((), scale=3.0),
        sample((2,), bias=1.0),
        sample((2,), scale=3.0, bias=0.5, bias_after_scale=False),
    ),
    static=Static(
        "scale",
        extra={
            "bias": lambda attrs: float(np.float32(attrs.get("bias", 0.0))),
            "bias_after_scale": lambda attrs: attrs.get("bias_after_scale", True),
        },
    ),
)
def scale_(
    xp: Any, x: Any, *, scale: float = 1.0, bias: float = 0.0, bias_after_scale: bool = True
) -> Any:
    """scale · x + bias, or scale · (x + bias) if bias_after_scale is False."""
    if x.dtype.kind in "iub":
        return _scale_integers(x, scale, bias, bias_after_scale)
    if not bias_after_scale:
        return (x + bias) * scale
    if scale == -1:
        return bias - x if bias else -x
    if scale == 1:
        return x + bias if bias else x.copy()
    return x * scale + bias if bias else x * scale


def _scale_integers(x: Any, scale: Any, bias: Any, bias_after_scale: bool) -> Any:
    """Scale integers with numbers in the dtype of x, as Paddle does: 2.5 is 2, for bools True."""
    whole = bool if x.dtype.kind == "b" else int
    scale, bias, wide = int(whole(scale)), int(whole(bias)), x.astype(np.int64)
    out = wide * scale + bias if bias_after_scale else (wide + bias) * scale
    return out.astype(x.dtype)  # small types wrap around


scale_.grad(lambda F, dout, *, scale: F.scale(dout, scale=scale))


@public(inplace=True)
def scale(
    x: Any,
    scale: Any = 1.0,
    bias: float = 0.0,
    bias_after_scale: bool = True,
    act: str | None = None,
    name: str | None = None,
) -> Any:
    """scale · x + bias, or scale · (x + bias) if bias_after_scale is False; then `act`.

    scale may be a Tensor of one element, which gets no gradient.

    >>> import minipaddle as paddle
    >>> paddle.scale(paddle.to_tensor([1.0, -2.0]), 3.0, bias=1.0).tolist()
    [4.0, -5.0]
    """
    if hasattr(scale, "stop_gradient") and not isinstance(scale, Tensor):  # a Variable
        factor = F.cast(scale, dtype=DType.of(x.dtype))
        out = x * factor + bias if bias_after_scale else (x + bias) * factor
    else:
        out = scale_.call(x, scale=scale, bias=bias, bias_after_scale=bias_after_scale)
    if act is None:
        return out
    if not isinstance(act, str) or act not in REGISTRY:
        expected = "act, the name of an op of one input: relu, tanh, sigmoid, ..."
        fix = "call the function yourself on the result"
        raise misfit("scale", expected, NoSuchName, fix, act=act)
    return REGISTRY[act].call(out)


@public(inplace=True)
def neg(x: Any, name: str | None = None) -> Any:
    """Minus x.

    Shapes: for example x [1] gives [1].
    Dtypes: all kept; `act` takes floating ones only.
    Errors: ValueError if x is not a Tensor; RuntimeError for other dtypes with `act`.

    >>> import minipaddle as paddle
    >>> paddle.neg(paddle.ones([1])).tolist()
    [-1.0]
    """
    return scale_.call(x, scale=-1.0)


@public()
def negative(x: Any, name: str | None = None) -> Any:
    """Minus x; bools have no kernel.

    Shapes: for example x [1] gives [1].
    Dtypes: floating, complex, integers kept.
    Errors: TypeError for bool.

    >>> import minipaddle as paddle
    >>> paddle.negative(paddle.ones([1])).tolist()
    [-1.0]
    """
    _refuse_bool(x, "negative")
    return scale_.call(x, scale=-1.0)


@public(method=False)
def positive(x: Any, name: str | None = None) -> Any:
    """x itself; bools have no kernel.

    Shapes: for example x [1] gives [1].
    Dtypes: floating, complex, integers kept.
    Errors: TypeError for bool.

    >>> import minipaddle as paddle
    >>> paddle.positive(paddle.ones([1])).tolist()
    [1.0]
    """
    _refuse_bool(x, "positive")
    return x


def _refuse_bool(x: Any, name: str) -> None:
    if DType.of(x.dtype).name == "bool":
        fix = "cast it first: x.astype('int64')"
        raise misfit(name, "a tensor of numbers: a bool has no sign", InvalidType, fix, x=x)


@public()
def deg2rad(x: Any, name: str | None = None) -> Any:
    """x degrees in radians: x · π / 180.

    Shapes: for example x [1] gives [1].
    Dtypes: floating, complex kept; int32, int64 give float32.
    Errors: RuntimeError for dtypes that scale refuses.

    >>> import minipaddle as paddle
    >>> paddle.deg2rad(paddle.to_tensor([180.0])).tolist()
    [3.1415927410125732]
    """
    return scale_.call(_wide_to_float(x), scale=math.pi / 180.0)


@public()
def rad2deg(x: Any, name: str | None = None) -> Any:
    """x radians in degrees: x · 180 / π.

    Shapes: for example x [1] gives [1].
    Dtypes: floating, complex kept; int32, int64 give float32.
    Errors: RuntimeError for dtypes that scale refuses.

    >>> import minipaddle as paddle
    >>> paddle.rad2deg(paddle.zeros([1])).tolist()
    [0.0]
    """
    return scale_.call(_wide_to_float(x), scale=180.0 / math.pi)


def _wide_to_float(x: Any) -> Any:
    return F.cast(x, dtype="float32") if DType.of(x.dtype).name in ("int32", "int64") else x


# ----- powers ------------------------------------------------------------------------------------


@internal(
    infer=numbers("pow"),
    canon={"factor": read_number},
    formula=Formula("y = x^factor", symbol=lambda attrs: f"^ {attrs['factor']:g}"),
    samples=(sample((2, 3), domain=(0.3, 2.0), factor=3.0), sample((2,), factor=2)),
)
def pow_(xp: Any, x: Any, *, factor: float) -> Any:
    """Every element to the power of one number."""
    if x.dtype.kind in "fc":
        return xp.power(x, factor)
    pow_.infer(x)
    return xp.power(x, int(factor)) if factor >= 0 else 1 // xp.power(x, -factor)


@pow_.grad
def pow_grad(F: Any, dout: Any, x: Any, *, factor: float) -> Any:
    if factor in (0, 1):  # 0 · x⁻¹ would be NaN at 0
        return dout * factor if factor else F.fill_like(dout)
    return dout * (factor * F.pow(x, factor=factor - 1))


# ----- limits ------------------------------------------------------------------------------------


def _clip_infer(x: Meta, *, min: Any, max: Any) -> Meta:
    """Infer the dtype of x, or float32 if a limit of integers is a fraction."""
    numbers("clip", SMALL + COMPLEX)(x)
    if min is not None and max is not None and not min <= max:
        raise misfit("clip", "min <= max", min=min, max=max)
    fraction = x.dtype.kind == "i" and any(isinstance(limit, float) for limit in (min, max))
    return Meta(x.shape, np.dtype("float32") if fraction else x.dtype)


def _clip_formula(attrs: dict[str, Any]) -> str:
    least, most = attrs["min"], attrs["max"]
    text = "x" if least is None else f"max(x, {write_number(least)})"
    return f"y = {text}" if most is None else f"y = min({text}, {write_number(most)})"


@op(
    infer=_clip_infer,
    canon=readers_for(real_reader, "clip", "min", "max", none=True),
    formula=Formula(_clip_formula),
    samples=(sample((3, 4), min=-0.7, max=0.9), sample((4,), min=0.1), sample((4,), max=0.1)),
    public=Public(function=False, method=False, aliases=("clamp",)),
)
def clip_(xp: Any, x: Any, *, min: float | None = None, max: float | None = None) -> Any:
    """Limit every element to [min, max]; None is no limit.

    A limit may be a tensor of one element, which gets no gradient.

    >>> paddle.clip(paddle.to_tensor([-5.0, 0.5, 7.0]), min=0.0, max=1.0).tolist()
    [0.0, 0.5, 1.0]
    """
    out = x.astype(_clip_infer(x, min=min, max=max).dtype, copy=False)
    out = out if min is None else xp.maximum(out, xp.asarray(min, out.dtype))
    out = out if max is None else xp.minimum(out, xp.asarray(max, out.dtype))
    return out.copy() if out is x else out


@clip_.grad
def clip_grad(F: Any, dout: Any, x: Any, *, min: Any, max: Any) -> Any:
    dx = dout  # not multiplied: 0 · inf is NaN
    if min is not None:
        dx = F.where(x >= min, dx, F.fill_like(dx))
    if max is not None:
        dx = F.where(x <= max, dx, F.fill_like(dx))
    return dx


def clip(
    x: Any, min: Any = None, max: Any = None, name: str | None = None, *, out: Any = None
) -> Any:
    if is_variable(min):
        x, min = _limit_by_variable(x, min, above=False), None
    if is_variable(max):
        return _limit_by_variable(clip_.call(x, min=min), max, above=True)
    return store(out, clip_.call(x, min=min, max=max), "clip")


def _limit_by_variable(x: Any, limit: Any, above: bool) -> Any:
    """Limit x by a Variable."""
    limit = F.cast(F.reshape(limit, shape=()), dtype=DType.of(x.dtype))
    return F.where(x > limit if above else x < limit, limit, x)


publish(clip_, clip)


def _clip_in_place(x: Any, min: Any = None, max: Any = None, name: str | None = None) -> Any:
    """Limit every element to [min, max] in the dtype of x: for integers 2.5 is 2."""
    if isinstance(x, Tensor) and x._data.dtype.kind in "iu":
        min = _whole_limit(clip_.canonical("min", min), x)
        max = _whole_limit(clip_.canonical("max", max), x)
    return clip(x, min, max)


def _whole_limit(limit: Any, x: Any) -> Any:
    if not isinstance(limit, float) or limit != limit:
        return limit
    bounds = np.iinfo(x._data.dtype)
    return bounds.min if limit <= bounds.min else bounds.max if limit >= bounds.max else int(limit)


_clip_in_place.__name__ = "clip"
public(function=False, method=False, inplace=True, aliases=("clamp",))(_clip_in_place)


@op(
    infer=accept_only("nan_to_num", "float32", "float64", kind=CheckFailed),
    checked=True,
    operands=Operands(by_dtype=True),
    canon={
        "nan": real_reader("nan_to_num", "nan"),
        **readers_for(real_reader, "nan_to_num", "posinf", "neginf", none=True),
    },
    formula=Formula(with_options("y = nan_to_num(x)", nan=0.0, posinf=None, neginf=None)),
    samples=(sample((2, 3)), sample((), nan=1.0, posinf=2.0, neginf=-2.0), sample((0, 3))),
    public=Public(inplace=True, changes=3),
)
def nan_to_num(
    xp: Any, x: Any, *, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None
) -> Any:
    """x with numbers in place of NaN and infinities, by default 0 and the largest floats.

    >>> paddle.nan_to_num(paddle.to_tensor([float("nan"), -float("inf")]), neginf=-1.0).tolist()
    [0.0, -1.0]
    """
    kind = x.dtype.type
    largest = np.finfo(kind).max
    out = xp.where(xp.isnan(x), kind(nan), x)
    out = xp.where(out == xp.inf, kind(largest if posinf is None else posinf), out)
    return xp.where(out == -xp.inf, kind(-largest if neginf is None else neginf), out)


nan_to_num.grad(lambda F, dout, x: F.where(F.isfinite(x), dout, F.fill_like(dout)))


# ----- increment: the only op that always works in place ------------------------------------------


@internal(
    infer=numbers("increment", SMALL + COMPLEX),
    checked=True,
    canon={"value": real_reader("increment", "value")},
    formula=Formula("y = x + value"),
    samples=(sample((2, 3), value=2.5), sample(()), sample((1, 1), value=-1)),
    static=Static("increment", attrs={"value": "step"}),
)
def increment_(xp: Any, x: Any, *, value: float = 1.0) -> Any:
    """x plus a number, or for integers plus its integer part."""
    return x + x.dtype.type(value)


increment_.grad(lambda F, dout: dout)


@public()
def increment(x: Any, value: float = 1.0, name: str | None = None) -> Any:
    """Add a number to a tensor of one element in place, with the gradient of a sum.

    >>> import minipaddle as paddle
    >>> counter = paddle.zeros([1])
    >>> paddle.increment(counter).tolist(), counter.tolist()
    ([1.0], [1.0])
    """
    if size(tuple(getattr(x, "shape", ()))) > 1:
        fix = "use x + value, which makes a new tensor"
        raise misfit("increment", "x of one element", InvalidArgument, fix, x=x)
    if not isinstance(x, Tensor) and modes.is_static():
        return _append_increment(x, value)
    before = modes.grad_enabled.get()
    try:
        modes.grad_enabled.set(False)  # x keeps its history: the derivative of x + value is 1
        out = increment_.call(x, value=value)
        return x._take(out, "increment")
    finally:
        modes.grad_enabled.set(before)


def _append_increment(x: Any, value: float) -> Any:
    """Append an operator that writes into its input to a Program."""
    if not getattr(x, "stop_gradient", True):
        fix = "use x + value, which makes a new Variable"
        raise misfit("increment", "a counter, with stop_gradient True", ModeError, fix, x=x)
    builder = modes.here().builder
    return builder.append(increment_, (x,), increment_.complete({"value": value}), outputs=[x])
