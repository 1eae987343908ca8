"""Derivatives of functions: products with vectors, and whole matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from math import prod
from typing import Any

from ..autograd import derivatives
from ..engine.errors import InvalidType, PreconditionNotMet
from ..engine.grad import grad as _grad_of
from ..engine.tensor import Tensor
from ..errors import misfit
from ..ops.arguments import is_variable as _is_variable
from ..ops.boundary import publish as _publish
from ..ops.rule_functions import GRAPH as _ops
from ..paddle_names import absent
from ..static import Variable
from ..static import gradients as _gradients_of


def _as_row(xs: Any) -> tuple[Any, ...]:
    return tuple(xs) if isinstance(xs, Sequence) else (xs,)


def _check(name: str, func: Any, **tensors: Any) -> None:
    if not callable(func):
        raise misfit(name, "func, a function of Tensors", InvalidType, func=func)
    for key, value in tensors.items():
        if not all(isinstance(each, (Tensor, Variable)) for each in _as_row(value)):
            raise misfit(name, f"{key}, a Tensor or several", InvalidType, **{key: value})


def _check_shapes(name: str, v: Any, like: Any) -> None:
    """Raise an error unless v has the shapes of other tensors."""
    given, wanted = ([list(each.shape) for each in _as_row(row)] for row in (v, like))
    if given != wanted:
        raise misfit(name, f"v of shapes {wanted}", PreconditionNotMet, v=given)


def _separate(xs: Any) -> Any:
    """Return tensors with the values of xs and a gradient of their own."""
    row = []
    for x in _as_row(xs):
        row.append(x.detach() if x.stop_gradient else _ops.assign(x))
        row[-1].stop_gradient = False
    return tuple(row) if isinstance(xs, Sequence) else row[0]


def _gradients(ys: Any, xs: Any, v: Any) -> Any:
    """Return differentiable gradients in the structure of xs; zeros for one that is unused."""
    if _is_variable(_as_row(xs)[0]):
        found = _gradients_of(ys, xs, v) or [None] * len(_as_row(xs))
    else:
        found = _grad_of(ys, xs, v, create_graph=True, allow_unused=True)
    rows = zip(found, _as_row(xs), strict=True)
    full = [_ops.fill_like(x, value=0.0) if each is None else each for each, x in rows]
    return tuple(full) if isinstance(xs, Sequence) else full[0]


def vjp(func: Callable[..., Any], xs: Any, v: Any = None) -> tuple[Any, Any]:
    """Return func(xs), and the product of v with its derivatives: the gradients of xs.

    v has the shapes of the results; it is full of ones by default.
    Source: Paddle's `paddle.incubate.autograd.vjp`.

    Shapes: those of the results, and of xs.
    Dtypes: floating kept.
    Errors: TypeError for what is no function or Tensor; RuntimeError for a v of other shapes.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([1.0, 2.0])
    >>> y, dx = paddle.incubate.autograd.vjp(paddle.square, x)
    >>> dx.tolist()
    [2.0, 4.0]
    """
    _check("vjp", func, xs=xs, **({} if v is None else {"v": v}))
    xs, v = _separate(xs), v if v is None else _separate(v)
    ys = func(*_as_row(xs))
    if v is not None:
        _check_shapes("vjp", v, ys)
    return ys, _gradients(ys, xs, v)


def jvp(func: Callable[..., Any], xs: Any, v: Any = None) -> tuple[Any, Any]:
    """Return func(xs), and the product of its derivatives with v: how it changes along v.

    v has the shapes of xs; it is full of ones by default. The gradient of xs is linear in the
    gradient of the results, and its own gradient is the product.
    Source: Paddle's `paddle.incubate.autograd.jvp`.

    Shapes: those of the results, twice.
    Dtypes: floating kept.
    Errors: TypeError for what is no function or Tensor; RuntimeError for a v of other shapes.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([1.0, 2.0])
    >>> y, dy = paddle.incubate.autograd.jvp(paddle.square, x, paddle.to_tensor([1.0, 0.5]))
    >>> dy.tolist()
    [2.0, 2.0]
    """
    _check("jvp", func, xs=xs, **({} if v is None else {"v": v}))
    xs, v = _separate(xs), v if v is None else _separate(v)
    ys = func(*_as_row(xs))
    if v is not None:
        _check_shapes("jvp", v, xs)
    zeros = [_ops.fill_like(y, value=0.0) for y in _as_row(ys)]
    for each in zeros:
        each.stop_gradient = False
    dys = tuple(zeros) if isinstance(ys, Sequence) else zeros[0]
    return ys, _gradients(_gradients(ys, xs, dys), dys, v)


# ----- matrices ----------------------------------------------------------------------------------


def _flatten(row: Any, is_batched: bool) -> Any:
    """Return tensors as one vector, or as one for each sample."""
    flat = [
        _ops.reshape(each, shape=(each.shape[0], -1) if is_batched else (-1,))
        for each in _as_row(row)
    ]
    return _ops.concat(flat, axis=int(is_batched))


class Jacobian(derivatives.Jacobian):
    """The derivatives of all elements of func(xs) by all elements of xs, as a lazy matrix.

    Several tensors, of any shapes, are one vector; with `is_batched` one for each sample.
    Source: Paddle's `paddle.incubate.autograd.Jacobian`.

    Shapes: [M, N], or [batch, M, N].
    Dtypes: floating; that of xs.
    Errors: TypeError for what is no function or Tensor; IndexError for `...` as an index.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> J = paddle.incubate.autograd.Jacobian(lambda x: x.sum(0), x)
    >>> J.shape, J[0].tolist()
    ((2, 4), [1.0, 0.0, 1.0, 0.0])
    """

    def __init__(self, func: Callable[..., Any], xs: Any, is_batched: bool = False) -> None:
        _check(type(self).__name__, func, xs=xs)
        row = _as_row(xs)
        flat = _separate(_flatten(row, is_batched))
        ends = [0, *accumulate(prod(x.shape[int(is_batched) :]) for x in row)]
        parts = [flat[..., start:end] for start, end in pairwise(ends)]
        own = [_ops.reshape(p, shape=tuple(x.shape)) for p, x in zip(parts, row, strict=True)]
        super().__init__(_flatten(func(*own), is_batched), flat, is_batched)
        self.shape: Any = tuple(self.shape)


class Hessian(Jacobian):
    """The second derivatives of func(xs), one number or one for each sample, as a lazy matrix.

    Source: Paddle's `paddle.incubate.autograd.Hessian`.

    Shapes: [N, N], or [batch, N, N].
    Dtypes: floating; that of xs.
    Errors: TypeError for what is no function or Tensor; RuntimeError for several results.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([1.0, 2.0])
    >>> paddle.incubate.autograd.Hessian(lambda x: (x * x * x).sum(), x)[:].tolist()
    [[6.0, 0.0], [0.0, 12.0]]
    """

    def __init__(self, func: Callable[..., Any], xs: Any, is_batched: bool = False) -> None:
        def first(*xs: Any) -> Any:
            rows = Jacobian(func, xs, is_batched)
            if rows.shape[-2] != 1:
                expected, count = "func with one number as its result", rows.shape[-2]
                raise misfit("Hessian", expected, PreconditionNotMet, results=count)
            return rows[:, 0] if is_batched else rows[0]

        super().__init__(first, xs, is_batched)


__all__ = ["Hessian", "Jacobian", "jvp", "vjp"]

__getattr__ = absent.names(__name__)

_publish(globals(), __all__)
