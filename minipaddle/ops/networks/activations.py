"""Smooth activations (elu, gelu, softplus and the like), and softmax along an axis."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...engine.errors import DivisionByZero, InvalidArgument, InvalidType, MinipaddleError
from ...engine.meta import Meta, axis_of, floats_only
from ...errors import misfit
from ..arguments import float32_reader, read_number, real_reader
from ..catalog import public
from ..errors import choice, require_choice
from ..making.creation import cast
from ..op_spec import Kernel, Op, internal, op
from ..record import Formula, Public, Static, sample
from ..reductions.reduction import over_axes
from ..registry import REGISTRY

ANY = (sample((2, 3)), sample(()), sample((0, 3)))
SIDES = (
    sample((2, 3), domain=(0.3, 2.0)),
    sample((4,), domain=(-2.0, -0.3)),
    sample((0, 3)),
    sample((), domain=(0.3, 2.0)),
)

# ----- the registration --------------------------------------------------------------------------


def activation(
    *,
    spelling: str = "",
    attrs: dict[str, str] | None = None,
    extra: dict[str, Any] | None = None,
    **record: Any,
) -> Callable[[Kernel], Op]:
    """Register an activation, an op on floats in `nn.functional`; `spelling`, `attrs` and `extra`
    are its spelling in a Program."""

    def register(kernel: Kernel) -> Op:
        name = kernel.__name__.strip("_")
        usual: dict[str, Any] = {
            "infer": floats_only(name),
            "public": Public(function=False, method=False, functional=True),
            "static": Static(spelling or name, attrs=attrs or {}, extra=extra or {}, prefix=name),
        }
        return op(**usual | record)(kernel)

    return register


def bounded_reader(
    op: str,
    bounds: str,
    holds: Callable[[float], bool],
    read: Callable[..., Any] = float32_reader,
    kind: type[MinipaddleError] = InvalidArgument,
) -> Callable[[Any], Any]:
    """Return a reader of the number that `bounds` begins with; it raises an error outside them."""
    argument = bounds.split(maxsplit=1)[0]
    canon = read(op, argument)

    def checked(value: Any) -> Any:
        number = canon(value)
        if not holds(number):
            raise misfit(op, bounds, kind, **{argument: number})
        return number

    return checked


# ----- exponential below 0 -----------------------------------------------------------------------


@activation(
    canon={"alpha": real_reader("elu", "alpha")},
    formula=Formula(
        "y = x · [x > 0] + α · (eˣ − 1) · [x ≤ 0]", "dx = dy · ([x > 0] + α · eˣ · [x ≤ 0])"
    ),
    samples=(*SIDES, sample((3,), domain=(-2.0, -0.3), alpha=0.5)),
)
def elu(xp: Any, x: Any, *, alpha: float = 1.0) -> Any:
    """x where x is positive, else alpha · (eˣ - 1).

    >>> paddle.nn.functional.elu(paddle.to_tensor([-100.0, 2.0])).tolist()
    [-1.0, 2.0]
    """
    return xp.where(x > 0, x, xp.expm1(xp.minimum(x, 0.0)) * alpha)


@elu.grad
def elu_grad(F: Any, dout: Any, x: Any, *, alpha: float) -> Any:
    curved = dout * F.exp(F.clip(x, max=0.0)) * alpha
    return F.where(x > 0, dout, curved)


SCALE, ALPHA = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717


@activation(
    canon={
        "scale": bounded_reader("selu", "scale > 1", lambda scale: scale > 1),
        "alpha": bounded_reader("selu", "alpha >= 0", lambda alpha: alpha >= 0),
    },
    formula=Formula(
        "y = scale · (x · [x > 0] + α · (eˣ − 1) · [x ≤ 0])",
        "dx = dy · scale · ([x > 0] + α · eˣ · [x ≤ 0])",
    ),
    samples=(*SIDES, sample((3,), scale=1.5, alpha=1.0)),
)
def selu(xp: Any, x: Any, *, scale: float = SCALE, alpha: float = ALPHA) -> Any:
    """A scaled elu that keeps values near mean 0 and variance 1 from layer to layer.

    >>> paddle.nn.functional.selu(paddle.to_tensor([0.0, 1.0])).tolist()
    [0.0, 1.0507010221481323]
    """
    return xp.where(x > 0, x, xp.expm1(xp.minimum(x, 0.0)) * alpha) * scale


@selu.grad
def selu_grad(F: Any, dout: Any, x: Any, *, scale: float, alpha: float) -> Any:
    curved = dout * F.exp(F.clip(x, max=0.0)) * (scale * alpha)
    return F.where(x > 0, dout * scale, curved)


@activation(
    canon={
        "alpha": bounded_reader("celu", "alpha != 0", lambda alpha: alpha != 0, kind=DivisionByZero)
    },
    formula=Formula(
        "y = max(0, x) + min(0, α · (e^(x/α) − 1))", "dx = dy · ([x > 0] + e^(x/α) · [x ≤ 0])"
    ),
    samples=(*SIDES, sample((3,), domain=(-2.0, -0.3), alpha=1.5)),
)
def celu(xp: Any, x: Any, *, alpha: float = 1.0) -> Any:
    """elu with a slope of 1 at 0 for every alpha.

    >>> paddle.nn.functional.celu(paddle.to_tensor([-100.0, 2.0]), 0.5).tolist()
    [-0.5, 2.0]
    """
    bent = xp.expm1(xp.minimum(x, 0.0) / alpha) * alpha
    return xp.where(x > 0, x, bent)


@celu.grad
def celu_grad(F: Any, dout: Any, x: Any, *, alpha: float) -> Any:
    return F.where(x > 0, dout, dout * F.exp(F.clip(x, max=0.0) / alpha))


# ----- x times a gate ----------------------------------------------------------------------------

ROOT_HALF, ROOT_2_OVER_PI, CUBIC = math.sqrt(0.5), math.sqrt(2.0 / math.pi), 0.044715


def _gelu_formula(attrs: dict[str, Any]) -> str:
    if attrs["approximate"]:
        return "y = ½ x · (1 + tanh(√(2/π) · (x + 0.044715 x³)))"
    return "y = ½ x · (1 + erf(x / √2))"


def _is_by_tanh(approximate: Any) -> bool:
    """Return whether a tanh approximates: True or "tanh", not False or "none"."""
    if approximate is None or isinstance(approximate, bool):
        return bool(approximate)
    words = "tanh", "none"
    if not isinstance(approximate, str):
        raise choice("gelu", "approximate", approximate, (True, False, *words), InvalidType)
    require_choice("gelu", "approximate", approximate, words)
    return approximate == "tanh"


@activation(
    canon={"approximate": _is_by_tanh},
    formula=Formula(_gelu_formula),
    samples=(*ANY, sample((2, 3), approximate=True)),
)
def gelu(xp: Any, x: Any, *, approximate: bool | str = False) -> Any:
    """x · Φ(x), Φ the standard normal distribution function; approximately by a tanh.

    >>> paddle.nn.functional.gelu(paddle.to_tensor([-9.0, 0.0, 9.0])).tolist()
    [-0.0, 0.0, 9.0]
    """
    if approximate:
        return x * 0.5 * (1.0 + xp.tanh(ROOT_2_OVER_PI * (x + CUBIC * x * x * x)))
    return x * 0.5 * (1.0 + REGISTRY["erf"].kernel(xp, x * ROOT_HALF))


@gelu.grad
def gelu_grad(F: Any, dout: Any, x: Any, *, approximate: bool) -> Any:
    if approximate:
        t = F.tanh((x + x * x * x * CUBIC) * ROOT_2_OVER_PI)
        slope = (x * x * (3.0 * CUBIC) + 1.0) * (0.5 * ROOT_2_OVER_PI)
        return dout * ((t + 1.0) * 0.5 + x * (1.0 - t * t) * slope)
    below = (F.erf(x * ROOT_HALF) + 1.0) * 0.5
    return dout * (below + x * F.exp(x * x * -0.5) * (ROOT_HALF / math.sqrt(math.pi)))


@activation(
    infer=floats_only("silu", "fc"),
    formula=Formula("y = x · sigmoid(x)"),
    samples=ANY,
    public=None,
)
def silu_(xp: Any, x: Any) -> Any:
    """x · sigmoid(x)."""
    return x / (1.0 + xp.exp(-x))


@silu_.grad
def silu_grad(F: Any, dout: Any, x: Any) -> Any:
    gate = F.sigmoid(x)
    return dout * (gate + gate * (1.0 - gate) * x)


@activation(extra={"beta": 1.0}, formula=Formula("y = x · sigmoid(x)"), samples=ANY)
def swish(xp: Any, x: Any) -> Any:
    """x · sigmoid(x), another name of silu.

    >>> paddle.nn.functional.swish(paddle.to_tensor([0.0, 100.0])).tolist()
    [0.0, 100.0]
    """
    return silu_.kernel(xp, x)


swish.grad(silu_grad)


@activation(extra={"threshold": 20.0}, formula=Formula("y = x · tanh(ln(1 + eˣ))"), samples=ANY)
def mish(xp: Any, x: Any) -> Any:
    """x · tanh(softplus(x)).

    >>> paddle.nn.functional.mish(paddle.to_tensor([0.0, 100.0])).tolist()
    [0.0, 100.0]
    """
    return x * xp.tanh(softplus.kernel(xp, x))


@mish.grad
def mish_grad(F: Any, dout: Any, x: Any) -> Any:
    t = F.tanh(F.softplus(x))
    return dout * (t + x * (1.0 - t * t) * F.sigmoid(x))


# ----- softplus and its kind ---------------------------------------------------------------------


@activation(
    infer=floats_only("softplus", "fc"),
    canon={"beta": read_number, "threshold": read_number},
    formula=Formula("y = ln(1 + e^(β · x)) / β · [β · x ≤ threshold] + x · [β · x > threshold]"),
    samples=(
        *ANY,
        sample((3,), beta=2, threshold=10),
        sample((3,), domain=(1.2, 2.0), threshold=1),
    ),
)
def softplus(xp: Any, x: Any, *, beta: float = 1, threshold: float = 20) -> Any:
    """A smooth relu: ln(1 + e^(beta · x)) / beta.

    >>> paddle.nn.functional.softplus(paddle.to_tensor([-200.0, 100.0])).tolist()
    [0.0, 100.0]
    """
    z = x * beta
    bent = xp.log1p(xp.exp(xp.minimum(z, threshold))) / beta
    return xp.where(z > threshold, x, bent)


@softplus.grad
def softplus_grad(F: Any, dout: Any, x: Any, *, beta: float, threshold: float) -> Any:
    z = x * beta
    return F.where(z > threshold, dout, dout * F.sigmoid(z))


@activation(
    infer=floats_only("softsign", "fc"),
    formula=Formula("y = x / (1 + |x|)"),
    samples=SIDES,
)
def softsign(xp: Any, x: Any) -> Any:
    """x / (1 + |x|), in (-1, 1).

    >>> paddle.nn.functional.softsign(paddle.to_tensor([-1.0, 3.0])).tolist()
    [-0.5, 0.75]
    """
    return x / (1.0 + xp.abs(x))


@softsign.grad
def softsign_grad(F: Any, dout: Any, x: Any) -> Any:
    width = F.abs(x) + 1.0
    return dout / (width * width)


@activation(
    spelling="logsigmoid",
    public=Public(function=False, method=False, functional=True, aliases=("logsigmoid",)),
    formula=Formula("y = ln(sigmoid(x))", node="Logsigmoid"),
    samples=ANY,
)
def log_sigmoid(xp: Any, x: Any) -> Any:
    """The logarithm of sigmoid, without overflow.

    >>> paddle.nn.functional.log_sigmoid(paddle.to_tensor([-1000.0, 1000.0])).tolist()
    [-1000.0, 0.0]
    """
    return xp.minimum(x, 0.0) - xp.log1p(xp.exp(-xp.abs(x)))


log_sigmoid.grad(lambda F, dout, x: dout * F.sigmoid(-x))


@activation(
    spelling="tanh_shrink",
    formula=Formula("y = x − tanh x", node="TanhShrink"),
    samples=ANY,
)
def tanhshrink(xp: Any, x: Any) -> Any:
    """x - tanh x.

    >>> paddle.nn.functional.tanhshrink(paddle.to_tensor([0.0, 100.0])).tolist()
    [0.0, 99.0]
    """
    return x - xp.tanh(x)


@tanhshrink.grad
def tanhshrink_grad(F: Any, dout: Any, x: Any) -> Any:
    t = F.tanh(x)
    return dout * t * t


# ----- along an axis -----------------------------------------------------------------------------


SHORT = 16  # elements of a row
ROWS = (sample((2, 3)), sample((3, 4), axis=0), sample((2, 3, 2), axis=1))


def _along_inference(name: str) -> Any:
    floats = floats_only(name)

    def infer(x: Meta, *, axis: int) -> Meta:
        axis_of(name, x, axis)
        return floats(x)

    return infer


def max_along(xp: Any, x: Any, axis: int = -1) -> Any:
    """Return the maxima along `axis`, which keeps size 1.

    NumPy compares the elements of a row one by one, which is slow. For many short rows comparing
    whole columns takes a tenth of the time; for long rows argmax takes half of it.
    """
    row = x.shape[axis]
    few = 32 * row if row <= SHORT else 4096
    if x.size < few or axis not in (-1, x.ndim - 1) or row < 2:
        return x.max(axis=axis, keepdims=True)
    if row <= SHORT:
        return x.reshape(-1, row).T.copy().max(axis=0).reshape(*x.shape[:-1], 1)
    places = x.reshape(-1, row).argmax(axis=-1) + xp.arange(0, x.size, row)
    return x.reshape(-1).take(places).reshape(*x.shape[:-1], 1)


@internal(
    infer=_along_inference("softmax"),
    canon={"axis": read_number},
    formula=Formula(over_axes("y = eˣ / Σ eˣ"), over_axes("dx = y · (dy − Σ (dy · y))")),
    samples=ROWS,
)
def softmax_(xp: Any, x: Any, *, axis: int = -1) -> Any:
    """Positive numbers that sum to 1 along `axis`, in the ratios of exp(x)."""
    if not (x.ndim and x.size):
        return xp.ones_like(x)
    e = x - max_along(xp, x, axis)  # no overflow, same ratios
    xp.exp(e, out=e)
    e /= xp.add.reduce(e, axis=axis, keepdims=True)
    return e


@softmax_.grad
def softmax_grad(F: Any, dout: Any, out: Any, *, axis: int) -> Any:
    weighted = dout * out
    if not out.ndim:
        return weighted * 0.0
    return weighted - out * F.sum(weighted, axis=axis, keepdim=True)


@softmax_.fused
def softmax_fused(F: Any, dout: Any, out: Any, *, axis: int) -> Any:
    weighted = dout * out
    if not out.ndim:
        return weighted * 0.0
    weighted -= out * F.sum(weighted, axis=axis, keepdim=True)
    return weighted


@internal(
    infer=_along_inference("log_softmax"),
    canon={"axis": read_number},
    formula=Formula(over_axes("y = x − ln Σ eˣ")),
    samples=ROWS,
)
def log_softmax_(xp: Any, x: Any, *, axis: int = -1) -> Any:
    """The logarithm of softmax along `axis`, without overflow."""
    if not (x.ndim and x.size):
        return xp.zeros_like(x)
    shifted = x - max_along(xp, x, axis)
    return shifted - xp.log(xp.add.reduce(xp.exp(shifted), axis=axis, keepdims=True))


@log_softmax_.grad
def log_softmax_grad(F: Any, dout: Any, out: Any, *, axis: int) -> Any:
    if not out.ndim:
        return dout * 0.0
    return dout - F.exp(out) * F.sum(dout, axis=axis, keepdim=True)


@public()
def softmax(input: Any, dim: int | None = None, dtype: Any = None, *, out: Any = None) -> Any:
    """Positive numbers that sum to 1 along `dim`, by default the first axis of a tensor with 0, 1
    or 3 axes, the second of others. In `nn.functional.softmax` the last axis is the default.

    Shapes: for example input [2] gives [2].
    Dtypes: floating kept.
    Errors: RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.softmax(paddle.zeros([2])).tolist()
    [0.5, 0.5]
    """
    axis = int(len(input.shape) not in (0, 1, 3)) if dim is None else dim
    x = input if dtype is None else cast.call(input, dtype)
    return softmax_.call(x, axis=axis, out=out)
