"""Whole matrices of derivatives: Jacobian and Hessian, computed row by row when asked for."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from ..engine.errors import InvalidArgument, InvalidType, NoSuchName, OutOfRange
from ..engine.grad import grad
from ..engine.tensor import Tensor
from ..errors import misfit
from ..messages import Message
from ..ops import REGISTRY
from ..ops.arguments import is_variable
from ..static import Variable, gradients

_stack = REGISTRY["stack"].call
_reshape = REGISTRY["reshape"].call
_fill_like = REGISTRY["fill_like"].call


class Jacobian:
    """The derivatives of each element of `ys` by each element of `xs`, as a lazy matrix.

    A row (one element of `ys`, or one per sample of the batch) costs one backward pass; an index
    computes the rows that it needs, once. Operators and Tensor's methods compute all of them.
    Source: what Paddle's `paddle.autograd.jacobian` returns.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
    >>> J = paddle.autograd.jacobian(x * x, x)
    >>> J.shape, J[1].tolist(), float(J[2, 2])
    ([3, 3], [0.0, 4.0, 0.0], 6.0)
    >>> J
    Jacobian(shape=[3, 3], 2 of 3 rows computed)
    """

    def __init__(self, ys: Any, xs: Any, is_batched: bool = False) -> None:
        low, high = (1, 2) if is_batched else (0, 1)
        for name, value in (("ys", ys), ("xs", xs)):
            if not isinstance(value, (Tensor, Variable)):
                expected = f"{name}, a Tensor, or a list or tuple of them"
                fix = Message("give the tensor that was computed, and the one it was computed from")
                raise misfit(type(self).__name__, expected, InvalidType, fix, **{name: value})
            shape = list(value.shape)  # type: ignore[union-attr]
            if not low <= len(shape) <= high:
                expected = f"{name} of {low} or {high} axes" + ", the first the batch" * is_batched
                raise misfit(type(self).__name__, expected, **{name: value})
        self._ys, self._xs = ys, xs
        self._rows_done: dict[int, Any] = {}
        batch = [xs.shape[0]] if is_batched else []
        own = list(ys.shape)[len(batch) :]
        self._row_axis = len(batch) if own else None  # the axis of rows: one pass for each
        self._row_count = own[0] if own else 1
        self.shape = [*batch, *own, *list(xs.shape)[len(batch) :]]

    def __repr__(self) -> str:
        done = f"{len(self._rows_done)} of {self._row_count} rows computed"
        return f"{type(self).__name__}(shape={self.shape}, {done})"

    def __getitem__(self, index: Any) -> Any:
        """Return a part of the matrix; compute only the rows that it needs."""
        if not self.shape:
            expected, fix = "no index: it is one number", Message("compute with it directly")
            raise misfit(type(self).__name__, expected, OutOfRange, fix, index=index)
        parts = [self._read_item(axis, item) for axis, item in enumerate(self._split_index(index))]
        axis = self._row_axis
        if axis is None:
            return self._row(0)[tuple(parts)]
        lines = parts[axis]
        if isinstance(lines, int):
            rest = parts[:axis] + parts[axis + 1 :]
            row = self._row(lines)
            return row[tuple(rest)] if rest else row
        numbers = range(self._row_count)[lines]
        parts[axis] = slice(None) if numbers else slice(0)
        rows = [self._row(line) for line in numbers or (0,)]
        return _stack(rows, axis=axis)[tuple(parts)]

    def _split_index(self, index: Any) -> list[Any]:
        items = list(index) if isinstance(index, tuple) else [index]
        if any(item is Ellipsis for item in items):
            expected = "an integer or a slice for each axis"
            fix = Message("write a `:` for each axis")
            raise misfit(type(self).__name__, expected, OutOfRange, fix, index=index)
        if len(items) > len(self.shape):
            expected = f"at most {len(self.shape)} indices, for shape {self.shape}"
            fix = Message("leave the last ones out")
            raise misfit(type(self).__name__, expected, OutOfRange, fix, index=index)
        return items + [slice(None)] * (len(self.shape) - len(items))

    def _read_item(self, axis: int, item: Any) -> Any:
        """Return one index as a slice or a non-negative integer; raise an error for others."""
        if isinstance(item, slice):
            return item
        try:
            number = operator.index(item)
        except TypeError:
            fix, expected = "index the whole matrix: J[:][...]", "an integer or a slice"
            raise misfit(type(self).__name__, expected, InvalidType, fix, index=item) from None
        size = self.shape[axis]
        if not -size <= number < size:
            bounds = f"{-size} <= index < {size} in axis {axis}"
            raise misfit(type(self).__name__, bounds, OutOfRange, index=number)
        return number % size

    def _row(self, line: int) -> Any:
        """Return the derivatives of one element of ys (of each sample), in the shape of xs."""
        if line not in self._rows_done:
            index = (slice(None),) * (self._row_axis or 0) + (line,)
            y = self._ys if self._row_axis is None or not self._row_count else self._ys[index]
            self._rows_done[line] = _derive_sum(y, self._xs)
        return self._rows_done[line]

    def _whole(self) -> Any:
        """Return the whole matrix as a Tensor."""
        return self[:] if self.shape else self._row(0)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self._whole().__array__(dtype, copy)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # unset attributes, and protocols of others
            what = f"a {type(self).__name__} has no '{name}'."
            raise NoSuchName(what, fix="compute the whole matrix first: J[:]")
        return getattr(self._whole(), name)


class Hessian(Jacobian):
    """The second derivatives of one number by each two elements of `xs`, as a lazy matrix."""


def jacobian(ys: Any, xs: Any, batch_axis: int | None = None) -> Any:
    """Return the derivatives of every element of `ys` by every element of `xs`.

    Shapes [M] and [N] give [M, N]; with batch_axis=0, [B, M] and [B, N] give [B, M, N]; an axis
    that is missing in `ys` or `xs` is missing in the result. Lists or tuples give tuples, one
    entry per `ys`, in it one per `xs`. InvalidArgument (ValueError) for other shapes.
    Source: Paddle's `paddle.autograd.jacobian`.

    Dtypes: floating; that of `xs`.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> paddle.autograd.jacobian(x[0] * x, x)[:].tolist()
    [[2.0, 0.0], [2.0, 1.0]]
    """
    if batch_axis is not None and (batch_axis != 0 or isinstance(batch_axis, bool)):
        raise misfit("jacobian", "None, or 0", batch_axis=batch_axis)
    return _make_matrices(Jacobian, ys, xs, batch_axis is not None)


def hessian(ys: Any, xs: Any, batch_axis: int | None = None) -> Any:
    """Return the second derivatives of one number `ys` by every two elements of `xs`.

    `xs` of shape [N] gives [N, N]; with batch_axis=0, `ys` of shape [B] and `xs` [B, N] give
    [B, N, N]. A list or tuple of `xs` gives a tuple of tuples. The first derivative is computed
    at once, the second row by row. Source: Paddle's `paddle.autograd.hessian`.

    Dtypes: floating; that of `xs`.
    Errors: TypeError for anything but Tensors; ValueError for a `ys` of more than one number.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> paddle.autograd.hessian((x * x * x).sum(), x)[:].tolist()
    [[6.0, 0.0], [0.0, 12.0]]
    """
    if not isinstance(ys, (Tensor, Variable)):
        expected = "a Tensor with one element (one per sample with batch_axis=0)"
        fix = "add several results up, or call hessian() for each"
        raise misfit("hessian", expected, InvalidType, fix, ys=ys)
    if batch_axis is not None and (not isinstance(batch_axis, int) or batch_axis != 0):
        raise misfit("hessian", "None, or 0", batch_axis=batch_axis)
    batched = batch_axis is not None
    shape = list(ys.shape)  # type: ignore[union-attr]
    if any(size != 1 for size in shape[batched:]):
        when = "one element per sample" if batched else "one element"
        fix = "reduce ys first, for example with .sum(), or use jacobian() twice"
        raise misfit("hessian", f"ys with {when}: a number to derive", InvalidArgument, fix, ys=ys)
    ys = _reshape(ys, [-1] if batched else [])
    firsts = _make_matrices(Jacobian, ys, xs, batched)
    if isinstance(firsts, Jacobian):
        return Hessian(firsts._whole(), xs, batched)
    return tuple(_make_matrices(Hessian, first._whole(), xs, batched) for first in firsts)


# ----- helpers -----------------------------------------------------------------------------------


def _make_matrices(kind: Callable[..., Any], ys: Any, xs: Any, batched: bool) -> Any:
    """Return one matrix; a tuple for a sequence of ys, and in it for a sequence of xs."""
    if isinstance(ys, Sequence):
        return tuple(_make_matrices(kind, y, xs, batched) for y in ys)
    if isinstance(xs, Sequence):
        return tuple(kind(ys, x, batched) for x in xs)
    return kind(ys, xs, batched)


def _derive_sum(y: Any, x: Any) -> Any:
    """Return a differentiable dy/dx of the sum of y; zeros if y does not depend on x."""
    if is_variable(y):
        derivative = gradients(y, x)[0]
    else:
        derivative = None if y.stop_gradient or x.stop_gradient else _tensor_grad(y, x)
    if derivative is None:
        derivative = _fill_like(x, value=0.0)
        derivative.stop_gradient = x.stop_gradient
    return derivative


def _tensor_grad(y: Any, x: Any) -> Any:
    return grad(y, x, create_graph=True, allow_unused=True)[0]


def _matrix_operator(name: str) -> Callable[[Any, Any], Any]:
    """Return the method of an operator that works on the whole matrix."""
    work = getattr(operator, name)

    def method(self: Jacobian, other: Any) -> Any:
        return work(self._whole(), other._whole() if isinstance(other, Jacobian) else other)

    return method


OPERATORS = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow",
    "matmul", "eq", "ne", "lt", "le", "gt", "ge",
)  # fmt: skip
for _name in OPERATORS:
    setattr(Jacobian, f"__{_name}__", _matrix_operator(_name))
Jacobian.__hash__ = None  # type: ignore[assignment]
