"""The one op of Paddle that always works in place: adding a number to a counter."""

from __future__ import annotations

from typing import Any

from ...engine import modes
from ...engine.errors import InvalidArgument, ModeError
from ...engine.meta import SMALL, numbers, size
from ...engine.tensor import Tensor
from ..arguments import real
from ..catalog import public
from ..op_spec import op
from ..record import Formula, Static, sample

_infer = numbers("increment", SMALL + "FD")


@op(
    "increment",
    infer=_infer,
    canon={"value": real("increment", "value")},
    formula=Formula(lambda attrs: f"y = x + {attrs['value']:g}", "dx = dy"),
    samples=(sample((2, 3), value=2.5), sample(()), sample((1, 1), value=-1)),
    public=None,
    static=Static("increment", attrs={"value": "step"}),
)
def added(xp: Any, x: Any, *, value: float = 1.0) -> Any:
    """x plus a number; to integers, its integer part."""
    return _infer(x) + x.dtype.type(value)


@added.grad
def added_grad(F: Any, dout: Any) -> Any:
    return dout


@public()
def increment(x: Any, value: float = 1.0, name: str | None = None) -> Any:
    """Add a number to a tensor of one element, in place; gradients pass as through a sum.

    >>> import minipaddle as paddle
    >>> counter = paddle.zeros([1])
    >>> paddle.increment(counter).tolist(), counter.tolist()
    ([1.0], [1.0])
    """
    if size(tuple(getattr(x, "shape", ()))) > 1:
        raise InvalidArgument(
            "increment(): x must have one element.",
            expected="shape [1] or []",
            received=f"shape {list(x.shape)}",
            fix="use x + value, which makes a new tensor",
        )
    if not isinstance(x, Tensor) and modes.is_static():
        return _in_program(x, value)
    token = modes.grad_enabled.set(False)  # x keeps its history: the slope of x + value is 1
    try:
        out = added.call(x, value=value)
        return x._take(out, "increment")
    finally:
        modes.grad_enabled.reset(token)


def _in_program(x: Any, value: float) -> Any:
    """An operator that writes into the Variable it reads."""
    if not getattr(x, "stop_gradient", True):
        raise ModeError(
            "increment(): a Variable that wants a gradient is not changed in place.",
            expected="a counter, with stop_gradient True",
            received=f"{x!r:.80}",
            fix="use x + value, which makes a new Variable",
        )
    builder = modes.here().builder
    return builder.append(added, (x,), added.complete({"value": value}), outputs=[x])
