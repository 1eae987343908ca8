"""Copies of values: in another dtype, in new memory, or from a list."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine import modes
from ...engine.dtypes import DType
from ...engine.meta import Meta, unchanged
from ...engine.tensor import Tensor
from ...errors import wrong_type
from .. import errors
from ..catalog import public
from ..op_spec import internal, op
from ..record import Formula, Public, Static, sample
from .creation import assign_value


def _cast_infer(x: Meta, *, dtype: Any) -> Meta:
    return Meta(x.shape, DType.of(dtype).numpy)


@op(
    infer=_cast_infer,
    canon={"dtype": DType.of},
    formula=Formula(
        "y = cast(x)", "dx = cast(dy)", symbol=lambda attrs: f"→ {DType.of(attrs['dtype']).name}"
    ),
    samples=(sample((2, 3), dtype="float64"), sample((), dtype="float64")),
    public=Public(inplace=True),
    static=Static("cast", attrs={"dtype": "out_dtype"}),
)
def cast(xp: Any, x: Any, *, dtype: Any) -> Any:
    """x in another dtype; its gradient has the dtype of x.

    >>> paddle.cast(paddle.ones([1]), "int64").tolist()
    [1]
    """
    kind = DType.of(dtype).numpy
    return (x.real if x.dtype.kind == "c" and kind.kind not in "cb" else x).astype(kind)


cast.grad(lambda F, dout, x_dtype: F.cast(dout, dtype=x_dtype))


@internal(infer=unchanged, formula=Formula("y = x"), samples=(sample((2, 3)), sample(())))
def assign_(xp: Any, x: Any) -> Any:
    """A copy of x, connected to the graph."""
    return x.copy()


assign_.grad(lambda F, dout: dout)


@public()
def clone(x: Any, name: str | None = None) -> Any:
    """A copy of x, connected to the graph.

    Shapes: for example x [1] gives [1].
    Dtypes: all kept.
    Errors: ValueError if x is not a Tensor.

    >>> import minipaddle as paddle
    >>> paddle.clone(paddle.ones([1])).tolist()
    [1.0]
    """
    return assign_.call(x)


@public(method=False)
def assign(x: Any, output: Any = None) -> Any:
    """A copy of x, a tensor, array, list or number, connected to the graph; with `output` the
    values and the history are written into that tensor, in a Program by the operator.

    >>> import minipaddle as paddle
    >>> paddle.assign([1, 2]).tolist()
    [1, 2]
    """
    builder = modes.here().builder
    connected = hasattr(x, "stop_gradient")
    if builder is not None and hasattr(output, "block"):  # a Variable
        if connected:
            return builder.append(assign_, (x,), {}, outputs=[output])
        return builder.append(assign_value, (), _value_attrs(x), outputs=[output])
    copy = assign_.call(x) if connected else assign_value.call(**_value_attrs(x))
    if output is None:
        return copy
    if not isinstance(output, Tensor):
        raise errors.no_tensor("assign", "output", output)
    return output._take(copy, "assign")  # type: ignore[attr-defined]


def _value_attrs(x: Any) -> dict[str, Any]:
    """Return the attributes of `assign_value`; a number becomes one element, as in Paddle."""
    if x is None or isinstance(x, (str, dict)):
        expected = "a Tensor, array, list, tuple or number"
        raise wrong_type("assign(): x is no array.", x, expected, "convert it to an array first")
    array = np.atleast_1d(np.asarray(x)) if np.isscalar(x) else np.asarray(x)
    return {"values": array, "shape": list(array.shape), "dtype": DType.of(array.dtype)}
