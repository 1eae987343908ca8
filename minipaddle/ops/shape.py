"""Ops that move elements: other shapes, other orders, copies."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidArgument
from ..meta import Meta, axis_of, size
from .arguments import axes, ints
from .records import Static, sample
from .registry import op

# ----- the same elements in another shape ---------------------------------------------------------


def target_shape(x: Meta, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that reshape asks for: 0 copies x's size there, one -1 is worked out."""
    wanted = tuple(x.shape[i] if n == 0 and i < len(x.shape) else n for i, n in enumerate(shape))
    total = size(x.shape)
    known = int(np.prod([n for n in wanted if n != -1], dtype=np.int64))
    fits = wanted.count(-1) <= 1 and (
        total == -1 or (known == total if -1 not in wanted else known and total % known == 0)
    )
    if not fits:
        raise InvalidArgument(
            "reshape(): The 'shape' is invalid: the number of elements would change.",
            expected=f"{total} elements, as in x {x}",
            received=f"shape {list(shape)}, which holds {known}" + " x ?" * wanted.count(-1),
            fix="let the product of the sizes stay the same; one size may be -1",
        )
    if total != -1 and -1 in wanted:
        return tuple(total // known if n == -1 else n for n in wanted)
    return wanted


def _reshape_infer(x: Meta, *, shape: tuple[int, ...]) -> Meta:
    return Meta(target_shape(x, shape), x.dtype)


@op(
    "reshape", view=True, infer=_reshape_infer, saves=("x.shape",), canon={"shape": ints},
    symbol=lambda attrs: f"reshape {list(attrs['shape'])}",
    static=Static("reshape2", prefix="reshape2"), method=False,
    samples=(sample((2, 6), shape=[3, -1]), sample((2, 3), shape=[0, 3, 1]), sample((), shape=[1])),
    formula="y = reshape(x)", grad_formula="dx = reshape(dy)",
)  # fmt: skip
def reshape(xp: Any, x: Any, *, shape: Any) -> Any:
    """The same elements in another shape; 0 keeps a size, one -1 is worked out."""
    return x.reshape(target_shape(Meta(x.shape, x.dtype), tuple(shape)))


@reshape.grad
def reshape_grad(F: Any, dout: Any, x_shape: Any) -> Any:
    return F.reshape(dout, shape=x_shape)


def _flatten_shape(x: Meta, start: int, stop: int) -> tuple[int, ...]:
    if not x.shape:
        return (1,)
    first, last = axis_of("flatten", x, start), axis_of("flatten", x, stop)
    return (*x.shape[:first], size(x.shape[first : last + 1]), *x.shape[last + 1 :])


def _flatten_infer(x: Meta, *, start_axis: int, stop_axis: int) -> Meta:
    return Meta(_flatten_shape(x, start_axis, stop_axis), x.dtype)


@op(
    "flatten", view=True, infer=_flatten_infer, saves=("x.shape",),
    static=Static("flatten_contiguous_range", prefix="flatten"),
    samples=(sample((2, 3, 2)), sample((2, 3, 2), start_axis=1), sample((2, 3), stop_axis=0)),
    formula="y = flatten(x)", grad_formula="dx = reshape(dy)",
)  # fmt: skip
def flatten(xp: Any, x: Any, *, start_axis: int = 0, stop_axis: int = -1) -> Any:
    """Make one axis of those from start_axis to stop_axis."""
    return x.reshape(_flatten_shape(Meta(x.shape, x.dtype), start_axis, stop_axis))


@flatten.grad
def flatten_grad(F: Any, dout: Any, x_shape: Any) -> Any:
    return F.reshape(dout, shape=x_shape)


def _squeeze_shape(x: Meta, axis: Any) -> tuple[int, ...]:
    """Of a size not yet known, Paddle believes that it is 1 if its axis is named, else not."""
    if axis is None or axis == ():
        return tuple(n for n in x.shape if n != 1)
    chosen = {axis_of("squeeze", x, a) for a in ints(axis)}
    return tuple(n for i, n in enumerate(x.shape) if i not in chosen or n not in (1, -1))


@op(
    "squeeze", view=True, infer=lambda x, *, axis: Meta(_squeeze_shape(x, axis), x.dtype),
    saves=("x.shape",), canon={"axis": axes},
    static=Static("squeeze2", attrs={"axis": "axes"}, prefix="squeeze2"),
    samples=(sample((1, 3, 1)), sample((1, 3, 1), axis=0), sample((2, 1), axis=[0, 1])),
    formula="y = squeeze(x)", grad_formula="dx = reshape(dy)",
)  # fmt: skip
def squeeze(xp: Any, x: Any, *, axis: Any = None) -> Any:
    """Drop axes of size 1: all of them, or those named (others named are left)."""
    return x.reshape(_squeeze_shape(Meta(x.shape, x.dtype), axis))


@squeeze.grad
def squeeze_grad(F: Any, dout: Any, x_shape: Any) -> Any:
    return F.reshape(dout, shape=x_shape)


def _unsqueeze_shape(x: Meta, axis: Any) -> tuple[int, ...]:
    if axis == -1:
        return (*x.shape, 1)
    shape = list(x.shape)
    for a in ints(axis):
        shape.insert(axis_of("unsqueeze", Meta(tuple(shape), x.dtype), a, extra=1), 1)
    return tuple(shape)


@op(
    "unsqueeze", view=True, infer=lambda x, *, axis: Meta(_unsqueeze_shape(x, axis), x.dtype),
    saves=("x.shape",), canon={"axis": axes},
    static=Static("unsqueeze2", attrs={"axis": "axes"}, prefix="unsqueeze2"),
    samples=(sample((2, 3), axis=1), sample((), axis=0), sample((2,), axis=[0, 2])),
    formula="y = unsqueeze(x)", grad_formula="dx = reshape(dy)",
)  # fmt: skip
def unsqueeze(xp: Any, x: Any, *, axis: Any) -> Any:
    """Insert axes of size 1 at these positions, one after the other."""
    return x.reshape(_unsqueeze_shape(Meta(x.shape, x.dtype), axis))


@unsqueeze.grad
def unsqueeze_grad(F: Any, dout: Any, x_shape: Any) -> Any:
    return F.reshape(dout, shape=x_shape)


# ----- another order, more copies ----------------------------------------------------------------


def _transpose_infer(x: Meta, *, perm: tuple[int, ...]) -> Meta:
    order = [axis_of("transpose", x, p) for p in perm]
    if sorted(order) != list(range(len(x.shape))):
        raise InvalidArgument(
            "transpose(): perm must name every axis of x once.",
            expected=f"a permutation of 0 to {len(x.shape) - 1} for x {x}",
            received=f"perm {list(perm)}",
            fix="list each axis once, in the new order",
        )
    return Meta(tuple(x.shape[p] for p in order), x.dtype)


@op(
    "transpose", view=True, infer=_transpose_infer, canon={"perm": ints},
    symbol=lambda attrs: f"transpose {list(attrs['perm'])}",
    static=Static("transpose2", attrs={"perm": "axis"}, prefix="transpose"),
    samples=(sample((2, 3), perm=[1, 0]), sample((2, 3, 4), perm=[2, 0, -2])),
    formula="y = transpose(x)", grad_formula="dx = transpose(dy)",
)  # fmt: skip
def transpose(xp: Any, x: Any, *, perm: Any) -> Any:
    """Put the axes into the order `perm`."""
    _transpose_infer(Meta(x.shape, x.dtype), perm=perm)
    return xp.transpose(x, perm)


@transpose.grad
def transpose_grad(F: Any, dout: Any, *, perm: Any) -> Any:
    rank = len(perm)
    back = [0] * rank
    for position, axis in enumerate(perm):
        back[axis % rank] = position
    return F.transpose(dout, perm=back)


def _expand_infer(x: Meta, *, shape: tuple[int, ...]) -> Meta:
    lead = len(shape) - len(x.shape)
    wanted = tuple(x.shape[i - lead] if n == -1 and i >= lead else n for i, n in enumerate(shape))
    fits = lead >= 0 and all(
        m in (1, -1) or n in (m, -1) for m, n in zip(x.shape, wanted[lead:], strict=True)
    )
    if not fits:
        raise InvalidArgument(
            "expand(): x cannot be repeated to this shape.",
            expected=f"sizes that equal those of x {x}, or replace a 1",
            received=f"shape {list(shape)}",
            fix="only axes of size 1, and new axes at the front, can grow",
        )
    return Meta(wanted, x.dtype)


@op(
    "expand", infer=_expand_infer, saves=("x.shape",), canon={"shape": ints},
    symbol=lambda attrs: f"expand {list(attrs['shape'])}",
    static=Static("expand_v2", prefix="expand"),
    samples=(sample((3,), shape=[2, 3]), sample((2, 1), shape=[-1, 4]), sample((), shape=[2])),
    formula="y = expand(x)", grad_formula="dx = Σ dy",
)  # fmt: skip
def expand(xp: Any, x: Any, *, shape: Any) -> Any:
    """Repeat axes of size 1 (and new leading axes) to this shape; -1 keeps a size."""
    wanted = tuple(shape)
    if -1 in wanted or len(wanted) < x.ndim:
        wanted = _expand_infer(Meta(x.shape, x.dtype), shape=wanted).shape
    out = xp.empty(wanted, x.dtype)
    out[...] = x
    return out


@expand.grad
def expand_grad(F: Any, dout: Any, x_shape: Any) -> Any:
    return F.sum_to(dout, shape=x_shape)


@op(
    "sum_to", infer=lambda x, *, shape: Meta(tuple(shape), x.dtype), saves=("x.shape",),
    canon={"shape": ints}, public=False, method=False,
    samples=(sample((2, 3), shape=[3]), sample((2, 3), shape=[2, 1]), sample((2, 3), shape=[])),
    formula="y = Σ x", grad_formula="dx = expand(dy)",
)  # fmt: skip
def sum_to(xp: Any, x: Any, *, shape: Any) -> Any:
    """Sum over the axes along which broadcasting from `shape` would repeat."""
    lead = x.ndim - len(shape)
    if lead == 1 and x.shape[1:] == shape:  # a bias: by far the most frequent
        return xp.add.reduce(x, 0)
    grown = tuple(range(lead)) + tuple(
        lead + i for i, n in enumerate(shape) if n == 1 and x.shape[lead + i] != 1
    )
    return xp.add.reduce(x, axis=grown).reshape(shape) if grown else x.copy()


@sum_to.grad
def sum_to_grad(F: Any, dout: Any, x_shape: Any) -> Any:
    return F.expand(dout, shape=x_shape)


def _tile_infer(x: Meta, *, repeat_times: tuple[int, ...]) -> Meta:
    rank = max(len(x.shape), len(repeat_times))
    a = (1,) * (rank - len(x.shape)) + x.shape
    b = (1,) * (rank - len(repeat_times)) + repeat_times
    return Meta(tuple(-1 if m == -1 else m * n for m, n in zip(a, b, strict=True)), x.dtype)


@op(
    "tile", infer=_tile_infer, saves=("x.shape",), canon={"repeat_times": ints},
    static=Static("tile", prefix="tile"),
    samples=(sample((2, 3), repeat_times=[2, 1]), sample((3,), repeat_times=[2, 2])),
    formula="y = tile(x)", grad_formula="dx = Σ dy",
)  # fmt: skip
def tile(xp: Any, x: Any, *, repeat_times: Any) -> Any:
    """Lay copies of x side by side along each axis."""
    return xp.tile(x, repeat_times)


@tile.grad
def tile_grad(F: Any, dout: Any, x_shape: Any, *, repeat_times: Any) -> Any:
    rank = max(len(x_shape), len(repeat_times))
    sizes = (1,) * (rank - len(x_shape)) + tuple(x_shape)
    times = (1,) * (rank - len(repeat_times)) + tuple(repeat_times)
    paired = [n for pair in zip(times, sizes, strict=True) for n in pair]
    copies = F.reshape(dout, shape=paired)
    return F.reshape(F.sum(copies, axis=tuple(range(0, 2 * rank, 2))), shape=x_shape)
