"""Shape (-1: not yet known) and dtype of an array before it exists.

The inference functions below say what each kind of op makes of its inputs. They raise the
errors of mismatched arguments, at build time for a Program and after a failed kernel in eager
mode, so that each mistake has one text.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from ..messages import Message, Row
from . import refusals
from .errors import InvalidArgument, MinipaddleError, NotFound


class VarType(IntEnum):
    """What kind of thing a Variable or Tensor is: always a tensor here."""

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
    """Same shape and dtype as the first input."""
    return x


def floating(x: Meta, **_attrs: Any) -> Meta:
    """Same shape; integers become the default float, as Paddle's transcendental ops do."""
    return x if x.dtype.kind in "fc" else Meta(x.shape, np.dtype("float32"))


SMALL = "bBh"  # int8, uint8, int16: many of Paddle's ops exist for int32 and int64 alone


def integers_to_float(op: str, refused: str = "") -> Callable[..., Meta]:
    """Same shape; integers become float32; bools and the letters in `refused` have no kernel."""
    check = numbers(op, refused)

    def infer(x: Meta, **_attrs: Any) -> Meta:
        check(x)
        return x if x.dtype.kind in "fc" else Meta(x.shape, np.dtype("float32"))

    return infer


def numbers(op: str, refused: str = SMALL) -> Callable[..., Any]:
    """Same shape and dtype; bools and the letters in `refused` have no kernel.

    Where NumPy would compute all the same, the kernel asks too, with its array.
    """
    refused = "?" + refused

    def infer(x: Any, **_attrs: Any) -> Any:
        if x.dtype.char in refused:
            raise no_kernel(op, "x", Meta(x.shape, x.dtype), other_than(refused))
        return x

    return infer


NOR = Message.in_context("other than", "{row} or {next}")


def other_than(refused: str) -> Message:
    """Return every dtype but these, which are given by their letters."""
    names = Row([np.dtype(letter).name for letter in refused], NOR)
    return Message("a dtype other than {names}", names=names)


def floats_only(op: str) -> Callable[..., Meta]:
    """Same shape and dtype, for an op that Paddle has for floating-point numbers alone."""

    def infer(x: Meta, **_attrs: Any) -> Meta:
        if x.dtype.kind not in "fc":
            raise no_kernel(op, "x", x)
        return x

    return infer


FLOATING = Message("a floating-point tensor")


def no_kernel(
    op: str, name: str, x: Meta, wanted: Message = FLOATING, cast: str = "float32"
) -> Exception:
    """Make the error of an op that does not exist for this dtype."""
    fix = Message("cast it first: {name}.astype('{cast}')", name=name, cast=cast)
    return _unknown_dtype(op, x.dtype.name, wanted, f"{name} {x}", fix)


def no_kernel_giving(op: str, dtype: str, wanted: Message, instead: str) -> Exception:
    """Make the error of an op that cannot give a result of the dtype that it is asked for."""
    fix = Message("pass dtype='{instead}'", instead=instead)
    return _unknown_dtype(op, dtype, wanted, f"dtype {dtype}", fix)


def _unknown_dtype(op: str, dtype: str, wanted: Message, received: str, fix: Message) -> Exception:
    what = Message("{op}(): there is no kernel for {dtype}.", op=op, dtype=dtype)
    return NotFound(what, expected=wanted, received=received, fix=fix)


def boolean(x: Meta, **_attrs: Any) -> Meta:
    """Same shape, bool."""
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
        # An unknown size against a known one that is not 1 can only be that size (or 1).
        shape.append(n if m == 1 or (m == -1 and n != 1) else m)
    return tuple(shape)


def axis_of(
    op: str, x: Meta, axis: int, extra: int = 0, error: type[MinipaddleError] = InvalidArgument
) -> int:
    """Return a non-negative axis of x (`extra`: one past the end is allowed); 0-D counts as one
    axis."""
    rank = len(x.shape) + extra
    axes = max(rank, 1)
    if not -axes <= axis < axes:
        raise refusals.axis_out_of_range(error, op, x, axis, axes)
    return axis % axes


def axes_of(op: str, x: Meta, axis: Any) -> tuple[int, ...]:
    """Return the axes to reduce, sorted; None and () mean all of them."""
    if axis is None or axis == ():
        return tuple(range(len(x.shape)))
    axes = (axis,) if isinstance(axis, int) else axis
    counted = sorted(axis_of(op, x, one) for one in axes)
    if len(set(counted)) < len(counted):
        raise refusals.axis_twice(op, axes, x)
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
