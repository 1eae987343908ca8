"""Ops that join tensors, and cut them into pieces."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidArgument
from ..meta import Meta, axis_of
from .arguments import number, sections
from .records import Static, sample
from .registry import op


def _concat_infer(x: list[Meta], *, axis: int) -> Meta:
    first = x[0]
    where = axis_of("concat", first, axis)
    for i, other in enumerate(x):
        same_rank = len(other.shape) == len(first.shape)
        if (
            other.dtype != first.dtype
            or not same_rank
            or any(
                m != n and -1 not in (m, n) and j != where
                for j, (m, n) in enumerate(zip(first.shape, other.shape, strict=False))
            )
        ):
            raise InvalidArgument(
                f"concat(): tensor {i} of the list does not fit to tensor 0.",
                expected=f"{first.dtype.name} and the sizes of {list(first.shape)} "
                f"on every axis but {where}",
                received=f"{other}",
                fix="cast or reshape it first",
            )
    sizes = [m.shape[where] for m in x]
    joined = -1 if -1 in sizes else sum(sizes)
    return Meta((*first.shape[:where], joined, *first.shape[where + 1 :]), first.dtype)


@op(
    "concat", infer=_concat_infer, saves=("x.shape",), canon={"axis": number},
    static=Static("concat", prefix="concat"), method=False,
    samples=(sample([(2, 3), (1, 3)]), sample([(2, 1), (2, 2)], axis=-1)),
    formula="y = [x₁, x₂, …]", grad_formula="[dx₁, dx₂, …] = dy",
)  # fmt: skip
def concat(xp: Any, x: list[Any], *, axis: int = 0) -> Any:
    """Join tensors end to end along an axis."""
    if len({a.dtype for a in x}) > 1:
        _concat_infer([Meta(a.shape, a.dtype) for a in x], axis=axis)
    return xp.concatenate(x, axis)


@concat.grad
def concat_grad(F: Any, dout: Any, x_shape: Any, *, axis: int) -> Any:
    sizes = [shape[axis] for shape in x_shape]
    return F.split(dout, num_or_sections=sizes, axis=axis)


def _stack_infer(x: list[Meta], *, axis: int) -> Meta:
    for i, other in enumerate(x):
        if len(other.shape) != len(x[0].shape) or any(
            m != n and -1 not in (m, n) for m, n in zip(x[0].shape, other.shape, strict=True)
        ):
            raise InvalidArgument(
                f"stack(): tensor {i} of the list has another shape than tensor 0.",
                expected=f"{list(x[0].shape)} for every tensor",
                received=f"{list(other.shape)}",
                fix="reshape them first, or use concat",
            )
    where = axis_of("stack", x[0], axis, extra=1)
    shape = x[0].shape
    dtype = np.result_type(*(m.dtype for m in x))
    return Meta((*shape[:where], len(x), *shape[where:]), dtype)


@op(
    "stack", infer=_stack_infer, canon={"axis": number}, static=Static("stack", prefix="stack"),
    method=False, samples=(sample([(2, 3), (2, 3)]), sample([(2,), (2,), (2,)], axis=-1)),
    formula="y = stack(x₁, x₂, …)", grad_formula="dxᵢ = dy[i]",
)  # fmt: skip
def stack(xp: Any, x: list[Any], *, axis: int = 0) -> Any:
    """Join tensors of one shape along a new axis."""
    return xp.stack(x, axis)


@stack.grad
def stack_grad(F: Any, dout: Any, *, axis: int) -> Any:
    return F.unbind(dout, axis=axis)


def _section_sizes(x: Meta, parts: Any, axis: int) -> list[int]:
    where = axis_of("split", x, axis)
    n = x.shape[where]
    if isinstance(parts, int):
        if n == -1:
            return [-1] * parts
        fits, sizes = parts > 0 and n % parts == 0, [n // max(parts, 1)] * parts
    else:
        sizes = list(parts)
        if sizes.count(-1) == 1 and n != -1:
            sizes[sizes.index(-1)] = n - sum(sizes) - 1
        fits = n == -1 or (sum(sizes) == n and min(sizes) >= 0)
    if not fits:
        raise InvalidArgument(
            "split(): the axis cannot be cut this way.",
            expected=f"pieces that add up to {n}, the size of axis {where} of x {x}",
            received=f"num_or_sections={parts!r}",
            fix="give a number that divides the size, or a list of sizes",
        )
    return sizes


def _split_infer(x: Meta, *, num_or_sections: Any, axis: int) -> list[Meta]:
    where = axis_of("split", x, axis)
    return [
        Meta((*x.shape[:where], n, *x.shape[where + 1 :]), x.dtype)
        for n in _section_sizes(x, num_or_sections, axis)
    ]


@op(
    "split", infer=_split_infer, canon={"num_or_sections": sections, "axis": number},
    outputs=("outs",), list_result=True, static=Static("split", prefix="split"),
    samples=(sample((4, 3), num_or_sections=2), sample((2, 5), num_or_sections=[1, -1], axis=1)),
    formula="[y₁, y₂, …] = x", grad_formula="dx = [dy₁, dy₂, …]",
)  # fmt: skip
def split(xp: Any, x: Any, *, num_or_sections: Any, axis: int = 0) -> Any:
    """Cut x into pieces along an axis: a number of equal ones, or a list of sizes."""
    sizes = _section_sizes(Meta(x.shape, x.dtype), num_or_sections, axis)
    return [piece.copy() for piece in xp.split(x, np.cumsum(sizes)[:-1].tolist(), axis)]


@split.grad
def split_grad(F: Any, douts: Any, *, axis: int) -> Any:
    return F.concat(list(douts), axis=axis)


@op(
    "unbind", canon={"axis": number},
    infer=lambda x, *, axis: [
        Meta(tuple(n for i, n in enumerate(x.shape) if i != axis_of("unbind", x, axis)), x.dtype)
    ] * x.shape[axis],
    outputs=("outs",), list_result=True, static=Static("unbind", prefix="unbind"),
    samples=(sample((3, 2)), sample((2, 3), axis=1)),
    formula="yᵢ = x[i]", grad_formula="dx = stack(dy₁, dy₂, …)",
)  # fmt: skip
def unbind(xp: Any, x: Any, *, axis: int = 0) -> Any:
    """The slices of x along an axis, as a list, without that axis."""
    return [piece.copy() for piece in xp.moveaxis(x, axis, 0)]


@unbind.grad
def unbind_grad(F: Any, douts: Any, *, axis: int) -> Any:
    return F.stack(list(douts), axis=axis)
