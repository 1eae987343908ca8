"""Shape (-1: not yet known) and dtype of an array before it exists.

The inference functions below return shape and dtype of an op's result. They raise the errors of
mismatched arguments, at build time for a Program and after a failed kernel in eager
mode, so that each mistake has one text.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from ..errors import misfit
from ..messages import Message, Row
from . import refusals
from .errors import InvalidArgument, MinipaddleError, NotFound


class VarType(IntEnum):
    """Paddle's kinds of Variables, of which there is one here: the dense tensor."""

    DENSE_TENSOR = 7

    def __str__(self) -> str:
        return f"VarType.{self.name}"


class Meta(NamedTuple):
    """Shape and dtype of an array."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    def __str__(self) -> str:
        return f"{self.dtype.name} {list(self.shape)}"


def unchanged(x: Meta, *_others: Meta, **_attrs: Any) -> Meta:
    """Return the shape and dtype of the first input."""
    return x


def floating(x: Meta, **_attrs: Any) -> Meta:
    """Return the same shape; integers become float32, as in Paddle's transcendental ops."""
    return x if x.dtype.kind in "fc" else Meta(x.shape, np.dtype("float32"))


SMALL = "bBh"  # int8, uint8, int16: many of Paddle's ops have no kernel for them


def integers_to_float(op: str, refused: str = "") -> Callable[..., Meta]:
    """Make an inference: same shape, integers become float32, no bools or dtypes of `refused`."""
    check = numbers(op, refused)

    def infer(x: Meta, **_attrs: Any) -> Meta:
        check(x)
        return x if x.dtype.kind in "fc" else Meta(x.shape, np.dtype("float32"))

    return infer


def numbers(op: str, refused: str = SMALL) -> Callable[..., Any]:
    """Make an inference: same shape and dtype, no bools or dtypes of `refused` (letters).

    A kernel calls it with its array if NumPy would compute these dtypes.
    """
    refused = "?" + refused

    def infer(x: Any, **_attrs: Any) -> Any:
        if x.dtype.char in refused:
            raise no_kernel(op, "x", Meta(x.shape, x.dtype), other_than(refused))
        return x

    return infer


NOR = Message.in_context("other than", "{row} or {next}")


def other_than(refused: str) -> Message:
    """Return the words "a dtype other than ..."; `refused` has the letters of the others."""
    names = Row([np.dtype(letter).name for letter in refused], NOR)
    return Message("a dtype other than {names}", names=names)


def floats_only(op: str, kinds: str = "f") -> Callable[..., Meta]:
    """Make an inference: same shape and dtype, which is floating-point or another of `kinds`."""

    def infer(x: Meta, **_attrs: Any) -> Meta:
        if x.dtype.kind not in kinds:
            raise no_kernel(op, "x", x)
        return x

    return infer


FLOATING = Message("a floating-point tensor")


def no_kernel(
    op: str, name: str, x: Meta, wanted: Message = FLOATING, cast: str = "float32"
) -> Exception:
    """Make the error of an op without a kernel for the dtype of x."""
    fix = Message("cast it first: {name}.astype('{cast}')", name=name, cast=cast)
    return _no_kernel_error(op, x.dtype.name, wanted, f"{name} {x}", fix)


def no_kernel_giving(op: str, dtype: str, wanted: Message, instead: str) -> Exception:
    """Make the error of an op that cannot give the requested dtype."""
    fix = Message("pass dtype='{instead}'", instead=instead)
    return _no_kernel_error(op, dtype, wanted, f"dtype {dtype}", fix)


def _no_kernel_error(
    op: str, dtype: str, wanted: Message, received: str, fix: Message
) -> Exception:
    what = Message("{op}(): there is no kernel for {dtype}.", op=op, dtype=dtype)
    return NotFound(what, expected=wanted, received=received, fix=fix)


def boolean(x: Meta, **_attrs: Any) -> Meta:
    """Return the same shape with dtype bool."""
    return Meta(x.shape, np.dtype(bool))


def broadcast(op: str, x: Meta, y: Meta) -> tuple[int, ...]:
    """Return the shape that two shapes broadcast to."""
    rank = max(len(x.shape), len(y.shape))
    a = (1,) * (rank - len(x.shape)) + x.shape
    b = (1,) * (rank - len(y.shape)) + y.shape
    shape = []
    for axis, (m, n) in enumerate(zip(a, b, strict=True)):
        if m != n and 1 not in (m, n) and -1 not in (m, n):
            of_x, of_y = axis - rank + len(x.shape), axis - rank + len(y.shape)
            raise refusals.shapes_do_not_broadcast(op, x, y, of_x, of_y)
        # An unknown size beside a known one other than 1 must be that size, or 1.
        shape.append(n if m == 1 or (m == -1 and n != 1) else m)
    return tuple(shape)


def axis_of(
    op: str, x: Meta, axis: int, extra: int = 0, error: type[MinipaddleError] = InvalidArgument
) -> int:
    """Return a non-negative axis of x; a 0-D tensor counts as having one axis.

    `extra` allows so many axes past the end.
    """
    rank = len(x.shape) + extra
    axes = max(rank, 1)
    if not -axes <= axis < axes:
        raise refusals.axis_out_of_range(error, op, x, axis, axes)
    return axis % axes


def axes_of(op: str, x: Meta, axis: Any) -> tuple[int, ...]:
    """Return the axes to reduce, sorted; None and () mean all axes."""
    if axis is None or axis == ():
        return tuple(range(len(x.shape)))
    axes = (axis,) if isinstance(axis, int) else axis
    counted = sorted(axis_of(op, x, one) for one in axes)
    if len(set(counted)) < len(counted):
        fix = Message("name each of them once")
        raise misfit(op, "each axis once", InvalidArgument, fix, axes=list(axes), x=x)
    return tuple(counted)


def reduced_shape(op: str, x: Meta, axis: Any, keepdim: bool) -> tuple[int, ...]:
    """Return the shape after reducing over `axis`."""
    gone = axes_of(op, x, axis)
    if keepdim:
        return tuple(1 if i in gone else n for i, n in enumerate(x.shape))
    return tuple(n for i, n in enumerate(x.shape) if i not in gone)


def size(shape: tuple[int, ...]) -> int:
    """Return the number of elements, or -1 when a dimension is not yet known."""
    total = 1
    for n in shape:
        if n < 0:
            return -1
        total *= n
    return total


# ----- promotion of dtypes -----------------------------------------------------------------------


# Kind of a dtype -> its rank: a higher kind represents the lower ones.
RANKS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
WIDE = {np.dtype("float64"), np.dtype("complex128")}


def floats_widen(x: Meta, y: Meta) -> np.dtype[Any] | None:
    """Floats widen, and everything becomes complex beside complex."""
    a, b = x.dtype, y.dtype
    mix = a == b or a.kind == b.kind == "f" or "c" in (a.kind, b.kind)
    return _wider_dtype(a, b) if mix else None


def zero_d_is_a_number(x: Meta, y: Meta) -> np.dtype[Any] | None:
    """Floats widen, everything becomes complex beside complex, a 0-D tensor counts as a number."""
    if x.shape and y.shape:
        return floats_widen(x, y)
    if (x.shape or y.shape) and RANKS[x.dtype.kind] == RANKS[y.dtype.kind]:
        return x.dtype if x.shape else y.dtype
    return _wider_dtype(x.dtype, y.dtype)


def zero_d_widens(x: Meta, y: Meta) -> np.dtype[Any] | None:
    """Floats widen, everything becomes complex beside complex, a 0-D tensor mixes with all."""
    return floats_widen(x, y) if x.shape and y.shape else _wider_dtype(x.dtype, y.dtype)


def _wider_dtype(a: np.dtype[Any], b: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of the higher kind, or the wider of one kind (int64, float32: float32)."""
    if "c" in (a.kind, b.kind):
        return np.dtype("complex128" if {a, b} & WIDE else "complex64")
    if RANKS[a.kind] == RANKS[b.kind]:
        return np.promote_types(a, b)
    return max(a, b, key=lambda dtype: RANKS[dtype.kind])


def meet(op: Any, x: Meta, y: Meta) -> np.dtype[Any]:
    """Return the common dtype by an op's rule; raise an error if the dtypes do not mix."""
    dtype: np.dtype[Any] | None = op.promotes(x, y)
    if dtype is None:
        wider = _wider_dtype(x.dtype, y.dtype)
        cast = [f"{n}.astype('{wider}')" for n, m in (("x", x), ("y", y)) if m.dtype != wider]
        raise refusals.types_do_not_mix(op.name, x, y, cast)
    return dtype
