"""Transforms of random tensors, and the distributions of what they return.

A transform says how it stretches space: `forward_log_det_jacobian` is log |det dy/dx|, with which a
density of x becomes one of y. Elementwise ones have a number for each element; others have one for
each event, of `_in_rank` axes in x and `_out_rank` axes in y.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import Any

from ..engine.errors import InvalidType, Unimplemented
from ..errors import misfit, require
from ..nn import functional as F
from ..ops.errors import no_tensor, require_rank
from ..ops.reductions.composed import broadcast_shapes
from ..ops.rule_functions import GRAPH as ops
from .base import Distribution, sum_rightmost


def _check(transform: Any, argument: str, value: Any, rank: int) -> Any:
    """Return a value; raise an error for one that is no Tensor of at least `rank` axes."""
    if not hasattr(value, "stop_gradient"):
        raise no_tensor(type(transform).__name__, argument, value)
    require_rank(type(transform).__name__, rank, None, **{argument: value})
    return value


def _check_shape(transform: Any, shape: Any, event: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Return a shape; raise an error for one that does not end with this event shape."""
    name = type(transform).__name__
    require(isinstance(shape, Sequence), name, "a list of sizes", InvalidType, shape=shape)
    ends = tuple(shape)[len(shape) - len(event) :] == event if len(shape) >= len(event) else False
    require(ends, name, f"a shape that ends with {list(event)}", shape=list(shape))
    return tuple(shape)


def _check_transforms(name: str, transforms: Any) -> None:
    """Raise an error for anything but a list of transforms."""
    known = isinstance(transforms, Sequence) and all(isinstance(t, Transform) for t in transforms)
    require(known, name, "a list of Transforms", InvalidType, transforms=transforms)


class Transform:
    """A map y = f(x) of random tensors; base of those that define `_forward` and `_inverse`.

    A subclass also defines `_forward_log_det_jacobian` or `_inverse_log_det_jacobian`, and, if it
    changes shapes, `_forward_shape` and `_inverse_shape`. Calling a transform with a Distribution
    gives a TransformedDistribution, with another transform a ChainTransform.

    Dtypes: those of the tensors. Errors: NotImplementedError for what a transform lacks; TypeError
    for a value that is no Tensor, ValueError for one with too few axes.
    Source: Paddle's `paddle.distribution.Transform`.

    >>> import minipaddle as paddle
    >>> class Twice(paddle.distribution.Transform):
    ...     def _forward(self, x):
    ...         return 2.0 * x
    >>> float(Twice()(paddle.to_tensor(3.0)))
    6.0
    """

    _injective, _in_rank, _out_rank = True, 0, 0

    def __getattr__(self, name: str) -> Any:
        if name in ("_forward", "_inverse", "_forward_log_det_jacobian"):
            kind, expected = type(self).__name__, f"a transform that has {name}"
            fix = "derive a class that defines it"
            raise misfit(kind, expected, Unimplemented, fix, transform=kind)
        raise AttributeError(f"{type(self).__name__} has no {name}")

    def __call__(self, input: Any) -> Any:
        if isinstance(input, Distribution):
            return TransformedDistribution(input, [self])
        if isinstance(input, Transform):
            return ChainTransform([self, input])
        return self.forward(input)

    def forward(self, x: Any) -> Any:
        """Return y = f(x)."""
        return self._forward(_check(self, "x", x, self._in_rank))

    def inverse(self, y: Any) -> Any:
        """Return x with f(x) = y."""
        return self._inverse(_check(self, "y", y, self._out_rank))

    def forward_log_det_jacobian(self, x: Any) -> Any:
        """Return log |det dy/dx| at x."""
        _check(self, "x", x, self._in_rank)
        name, expected = type(self).__name__, "a transform that is injective"
        require(self._injective, name, expected, Unimplemented, transform=name)
        by_inverse = hasattr(type(self), "_inverse_log_det_jacobian")
        if by_inverse and not hasattr(type(self), "_forward_log_det_jacobian"):
            return -self._inverse_log_det_jacobian(self.forward(x))
        return self._forward_log_det_jacobian(x)

    def inverse_log_det_jacobian(self, y: Any) -> Any:
        """Return log |det dx/dy| at y."""
        _check(self, "y", y, self._out_rank)
        if hasattr(type(self), "_inverse_log_det_jacobian"):
            return self._inverse_log_det_jacobian(y)
        return -self._forward_log_det_jacobian(self._inverse(y))

    def forward_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Return the shape of y for a shape of x."""
        return self._forward_shape(_check_shape(self, shape))

    def inverse_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Return the shape of x for a shape of y."""
        return self._inverse_shape(_check_shape(self, shape))

    def _forward_shape(self, shape: Any) -> Any:
        return shape

    def _inverse_shape(self, shape: Any) -> Any:
        return self._forward_shape(shape)


# ----- element by element -------------------------------------------------------------------------


class AbsTransform(Transform):
    """y = |x|, whose inverse is the pair (−y, y).

    Shapes: that of x. Dtypes: float32, float64.
    Errors: NotImplementedError for `forward_log_det_jacobian`.
    Source: Paddle's `paddle.distribution.AbsTransform`.

    >>> import minipaddle as paddle
    >>> paddle.distribution.AbsTransform().forward(paddle.to_tensor([-2.0, 1.0])).tolist()
    [2.0, 1.0]
    """

    _injective = False

    def _forward(self, x: Any) -> Any:
        return x.abs()

    def _inverse(self, y: Any) -> Any:
        return -y, y

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        zero = ops.full(shape=[], fill_value=0.0, dtype=y.dtype)
        return zero, zero


class AffineTransform(Transform):
    """y = loc + scale · x.

    Shapes: those of x, loc and scale, broadcast. Dtypes: float32, float64.
    Errors: TypeError for a loc or scale that is no Tensor.
    Source: Paddle's `paddle.distribution.AffineTransform`.

    >>> import minipaddle as paddle
    >>> shift = paddle.distribution.AffineTransform(paddle.to_tensor(1.0), paddle.to_tensor(2.0))
    >>> shift.forward(paddle.to_tensor([0.0, 3.0])).tolist()
    [1.0, 7.0]
    """

    def __init__(self, loc: Any, scale: Any) -> None:
        self.loc, self.scale = _check(self, "loc", loc, 0), _check(self, "scale", scale, 0)

    def _forward(self, x: Any) -> Any:
        return self.loc + self.scale * x

    def _inverse(self, y: Any) -> Any:
        return (y - self.loc) / self.scale

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return self.scale.abs().log()

    def _forward_shape(self, shape: Any) -> Any:
        return tuple(broadcast_shapes(shape, self.loc.shape, self.scale.shape))


class ExpTransform(Transform):
    """y = eˣ.

    Shapes: that of x. Dtypes: float32, float64. Errors: those of Transform.
    Source: Paddle's `paddle.distribution.ExpTransform`.

    >>> import minipaddle as paddle
    >>> paddle.distribution.ExpTransform().forward(paddle.to_tensor([0.0])).tolist()
    [1.0]
    """

    def _forward(self, x: Any) -> Any:
        return x.exp()

    def _inverse(self, y: Any) -> Any:
        return y.log()

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return x


class PowerTransform(Transform):
    """y = x to the power `power`, for x > 0.

    Shapes: those of x and power, broadcast. Dtypes: float32, float64.
    Errors: TypeError for a power that is no Tensor.
    Source: Paddle's `paddle.distribution.PowerTransform`.

    >>> import minipaddle as paddle
    >>> square = paddle.distribution.PowerTransform(paddle.to_tensor(2.0))
    >>> square.inverse(paddle.to_tensor([9.0])).tolist()
    [3.0]
    """

    def __init__(self, power: Any) -> None:
        self.power = _check(self, "power", power, 0)

    def _forward(self, x: Any) -> Any:
        return x.pow(self.power)

    def _inverse(self, y: Any) -> Any:
        return y.pow(1 / self.power)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return (self.power * x.pow(self.power - 1)).abs().log()

    def _forward_shape(self, shape: Any) -> Any:
        return tuple(broadcast_shapes(shape, self.power.shape))


class SigmoidTransform(Transform):
    """y = sigmoid(x).

    Shapes: that of x. Dtypes: float32, float64. Errors: those of Transform.
    Source: Paddle's `paddle.distribution.SigmoidTransform`.

    >>> import minipaddle as paddle
    >>> paddle.distribution.SigmoidTransform().forward(paddle.to_tensor([0.0])).tolist()
    [0.5]
    """

    def _forward(self, x: Any) -> Any:
        return F.sigmoid(x)

    def _inverse(self, y: Any) -> Any:
        return y.log() - (-y).log1p()

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -F.softplus(-x) - F.softplus(x)


class TanhTransform(Transform):
    """y = tanh(x).

    Shapes: that of x. Dtypes: float32, float64. Errors: those of Transform.
    Source: Paddle's `paddle.distribution.TanhTransform`.

    >>> import minipaddle as paddle
    >>> paddle.distribution.TanhTransform().forward(paddle.to_tensor([0.0])).tolist()
    [0.0]
    """

    def _forward(self, x: Any) -> Any:
        return x.tanh()

    def _inverse(self, y: Any) -> Any:
        return y.atanh()

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return 2.0 * (math.log(2.0) - x - F.softplus(-2.0 * x))  # keeps its digits for large x


# ----- of whole events ----------------------------------------------------------------------------


class SoftmaxTransform(Transform):
    """y = softmax(x) along the last axis.

    Shapes: that of x. Dtypes: float32, float64.
    Errors: NotImplementedError for the determinants, as many x have one y.
    Source: Paddle's `paddle.distribution.SoftmaxTransform`.

    >>> import minipaddle as paddle
    >>> paddle.distribution.SoftmaxTransform().forward(paddle.to_tensor([1.0, 1.0])).tolist()
    [0.5, 0.5]
    """

    _injective, _in_rank, _out_rank = False, 1, 1

    def _forward(self, x: Any) -> Any:
        return F.softmax(x)

    def _inverse(self, y: Any) -> Any:
        return y.log()

    def _forward_shape(self, shape: Any) -> Any:
        require(len(shape) > 0, "SoftmaxTransform", "a shape [..., k]", shape=list(shape))
        return shape


class StickBreakingTransform(Transform):
    """k numbers become k + 1 shares of 1: each breaks a part off what the ones before left.

    Shapes: x [..., k] gives [..., k + 1]. Dtypes: float32, float64. Errors: those of Transform.
    Source: Paddle's `paddle.distribution.StickBreakingTransform`.

    >>> import minipaddle as paddle
    >>> paddle.distribution.StickBreakingTransform().forward(paddle.to_tensor([0.0])).tolist()
    [0.5, 0.5]
    """

    _in_rank = _out_rank = 1

    def _offsets(self, like: Any) -> Any:
        """Return log k, …, log 2, log 1: x = 0 makes equal shares."""
        return ops.arange(start=like.shape[-1], end=0, step=-1, dtype=like.dtype).log()

    def _forward(self, x: Any) -> Any:
        broken, one = F.sigmoid(x - self._offsets(x)), ops.fill_like(x[..., :1], value=1.0)
        left = (1 - broken).cumprod(-1)
        return ops.concat([broken, one], axis=-1) * ops.concat([one, left], axis=-1)

    def _inverse(self, y: Any) -> Any:
        shares = y[..., :-1]
        return shares.log() - (1 - shares.cumsum(-1)).log() + self._offsets(shares)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        moved, shares = x - self._offsets(x), self._forward(x)[..., :-1]
        return (F.log_sigmoid(moved) - moved + shares.log()).sum(-1)

    def _forward_shape(self, shape: Any, more: int = 1) -> Any:
        require(len(shape) > 0, "StickBreakingTransform", "a shape [..., k]", shape=list(shape))
        return (*shape[:-1], shape[-1] + more)

    def _inverse_shape(self, shape: Any) -> Any:
        return self._forward_shape(shape, -1)


class ReshapeTransform(Transform):
    """Events of another shape.

    Shapes: x [..., *in_event_shape] gives [..., *out_event_shape]. Dtypes: all kept.
    Errors: TypeError for a shape that is no list, ValueError for shapes of different sizes.
    Source: Paddle's `paddle.distribution.ReshapeTransform`.

    >>> import minipaddle as paddle
    >>> paddle.distribution.ReshapeTransform((2, 3), (3, 2)).forward_shape((5, 2, 3))
    (5, 3, 2)
    """

    def __init__(self, in_event_shape: Sequence[int], out_event_shape: Sequence[int]) -> None:
        self.in_event_shape = _check_shape(self, in_event_shape)
        self.out_event_shape = _check_shape(self, out_event_shape)
        shapes = {"in_event_shape": self.in_event_shape, "out_event_shape": self.out_event_shape}
        alike = math.prod(self.in_event_shape) == math.prod(self.out_event_shape)
        require(alike, "ReshapeTransform", "shapes of equal size", **shapes)
        self._in_rank, self._out_rank = len(self.in_event_shape), len(self.out_event_shape)

    def _forward(self, x: Any) -> Any:
        return x.reshape((*x.shape[: len(x.shape) - self._in_rank], *self.out_event_shape))

    def _inverse(self, y: Any) -> Any:
        return y.reshape((*y.shape[: len(y.shape) - self._out_rank], *self.in_event_shape))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        batch = x.shape[: len(x.shape) - self._in_rank]
        return ops.full(shape=list(batch), fill_value=0.0, dtype=x.dtype)

    def _forward_shape(self, shape: Any) -> Any:
        _check_shape(self, shape, self.in_event_shape)
        return shape[: len(shape) - self._in_rank] + self.out_event_shape

    def _inverse_shape(self, shape: Any) -> Any:
        _check_shape(self, shape, self.out_event_shape)
        return shape[: len(shape) - self._out_rank] + self.in_event_shape


# ----- made of others -----------------------------------------------------------------------------


class ChainTransform(Transform):
    """Transforms one after the other, the first one first.

    Shapes, dtypes: those of the transforms.
    Errors: TypeError for anything but a list of transforms.
    Source: Paddle's `paddle.distribution.ChainTransform`.

    >>> import minipaddle as paddle
    >>> D = paddle.distribution
    >>> chain = D.ChainTransform([D.ExpTransform(), D.PowerTransform(paddle.to_tensor(2.0))])
    >>> chain.forward(paddle.to_tensor([0.0])).tolist()
    [1.0]
    """

    def __init__(self, transforms: Sequence[Transform]) -> None:
        _check_transforms("ChainTransform", transforms)
        self.transforms = transforms
        self._injective = all(t._injective for t in transforms)
        for t in reversed(transforms):
            self._in_rank = max(self._in_rank + t._in_rank - t._out_rank, t._in_rank)
        for t in transforms:
            self._out_rank = max(self._out_rank + t._out_rank - t._in_rank, t._out_rank)

    def _forward(self, x: Any) -> Any:
        return reduce(lambda x, t: t.forward(x), self.transforms, x)

    def _inverse(self, y: Any) -> Any:
        return reduce(lambda y, t: t.inverse(y), reversed(self.transforms), y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        total, rank = 0.0, self._in_rank
        for t in self.transforms:
            total = total + sum_rightmost(t.forward_log_det_jacobian(x), rank - t._in_rank)
            x, rank = t.forward(x), rank + t._out_rank - t._in_rank
        return total

    def _forward_shape(self, shape: Any) -> Any:
        return reduce(lambda shape, t: t.forward_shape(shape), self.transforms, shape)

    def _inverse_shape(self, shape: Any) -> Any:
        return reduce(lambda shape, t: t.inverse_shape(shape), reversed(self.transforms), shape)


class IndependentTransform(Transform):
    """A transform whose last batch axes count as axes of the event.

    Shapes, dtypes: those of `base`.
    Errors: TypeError for a base that is no transform, ValueError unless the number is above 0.
    Source: Paddle's `paddle.distribution.IndependentTransform`.

    >>> import minipaddle as paddle
    >>> rows = paddle.distribution.IndependentTransform(paddle.distribution.ExpTransform(), 1)
    >>> rows.forward_log_det_jacobian(paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [3.0, 7.0]
    """

    def __init__(self, base: Transform, reinterpreted_batch_rank: int) -> None:
        name, rank = "IndependentTransform", reinterpreted_batch_rank
        require(isinstance(base, Transform), name, "a Transform", InvalidType, base=base)
        expected = "reinterpreted_batch_rank > 0"
        require(rank > 0, name, expected, reinterpreted_batch_rank=rank)
        self._base, self._reinterpreted_batch_rank = base, rank
        self._injective = base._injective
        self._in_rank, self._out_rank = base._in_rank + rank, base._out_rank + rank

    def _forward(self, x: Any) -> Any:
        return self._base.forward(x)

    def _inverse(self, y: Any) -> Any:
        return self._base.inverse(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        made = self._base.forward_log_det_jacobian(x)
        return sum_rightmost(made, self._reinterpreted_batch_rank)

    def _forward_shape(self, shape: Any) -> Any:
        return self._base.forward_shape(shape)

    def _inverse_shape(self, shape: Any) -> Any:
        return self._base.inverse_shape(shape)


class StackTransform(Transform):
    """A transform for each slice along an axis.

    Shapes: that of x, whose size along the axis is the number of transforms.
    Dtypes: those of the transforms. Errors: TypeError for anything but a list of transforms and an
    int; ValueError for x of another size.
    Source: Paddle's `paddle.distribution.StackTransform`.

    >>> import minipaddle as paddle
    >>> D = paddle.distribution
    >>> both = D.StackTransform([D.ExpTransform(), D.TanhTransform()], axis=0)
    >>> both.forward(paddle.to_tensor([[0.0], [0.0]])).tolist()
    [[1.0], [0.0]]
    """

    def __init__(self, transforms: Sequence[Transform], axis: int = 0) -> None:
        _check_transforms("StackTransform", transforms)
        require(transforms, "StackTransform", "transforms", InvalidType, transforms=transforms)
        require(isinstance(axis, int), "StackTransform", "an int", InvalidType, axis=axis)
        self.transforms, self.axis = transforms, axis
        self._injective = all(t._injective for t in transforms)
        self._in_rank = max(t._in_rank for t in transforms)
        self._out_rank = max(t._out_rank for t in transforms)

    def _each(self, method: str, x: Any) -> Any:
        """Stack what a method of each transform returns for its slice."""
        count, rank = len(self.transforms), len(x.shape)
        fits = -rank <= self.axis < rank and x.shape[self.axis] == count
        expected = f"{count} slices along axis {self.axis}"
        require(fits, "StackTransform", expected, x=x)
        pairs = zip(self.transforms, ops.unbind(x, axis=self.axis), strict=True)
        return ops.stack([getattr(t, method)(part) for t, part in pairs], axis=self.axis)

    def _forward(self, x: Any) -> Any:
        return self._each("forward", x)

    def _inverse(self, y: Any) -> Any:
        return self._each("inverse", y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return self._each("forward_log_det_jacobian", x)


# ----- distributions ------------------------------------------------------------------------------


class Independent(Distribution):
    """A distribution whose last batch axes count as axes of one event.

    So `log_prob` and `entropy` are sums over these axes.

    Shapes, dtypes: those of `base`.
    Errors: TypeError for a base that is no Distribution, ValueError for more axes than it has.
    Source: Paddle's `paddle.distribution.Independent`.

    >>> import minipaddle as paddle
    >>> D = paddle.distribution
    >>> D.Independent(D.Bernoulli(paddle.to_tensor([0.5, 0.5])), 1).event_shape
    (2,)
    """

    def __init__(self, base: Distribution, reinterpreted_batch_rank: int) -> None:
        require(
            isinstance(base, Distribution), "Independent", "a Distribution", InvalidType, base=base
        )
        axes, rank = len(base.batch_shape), reinterpreted_batch_rank
        expected = f"0 < reinterpreted_batch_rank <= {axes}, the axes of the batch"
        require(0 < rank <= axes, "Independent", expected, reinterpreted_batch_rank=rank)
        self._base, self._reinterpreted_batch_rank = base, rank
        shape = base.batch_shape + base.event_shape
        super().__init__(shape[: axes - rank], shape[axes - rank :])

    mean = property(lambda self: self._base.mean)
    variance = property(lambda self: self._base.variance)

    def sample(self, shape: Sequence[int] = ()) -> Any:
        return self._base.sample(shape)

    def log_prob(self, value: Any) -> Any:
        return sum_rightmost(self._base.log_prob(value), self._reinterpreted_batch_rank)

    def entropy(self) -> Any:
        return sum_rightmost(self._base.entropy(), self._reinterpreted_batch_rank)


class TransformedDistribution(Distribution):
    """The distribution of what transforms make of the draws of `base`.

    Shapes: those of the transforms. Dtypes: those of `base`.
    Errors: TypeError for other arguments than a Distribution and a list of transforms, ValueError
    for draws with too few axes; NotImplementedError where a transform has no determinant.
    Source: Paddle's `paddle.distribution.TransformedDistribution`.

    >>> import minipaddle as paddle
    >>> D = paddle.distribution
    >>> log_uniform = D.TransformedDistribution(D.Uniform(0.0, 1.0), [D.ExpTransform()])
    >>> log_uniform.prob(paddle.to_tensor([2.0])).tolist()
    [0.5]
    """

    def __init__(self, base: Distribution, transforms: Sequence[Transform]) -> None:
        name = "TransformedDistribution"
        require(isinstance(base, Distribution), name, "a Distribution", InvalidType, base=base)
        _check_transforms(name, transforms)
        self._base, self._transforms = base, transforms
        chain, shape = ChainTransform(transforms), base.batch_shape + base.event_shape
        expected = f"a base whose draws have at least {chain._in_rank} axes"
        require(len(shape) >= chain._in_rank, name, expected, shape=list(shape))
        event = max(len(base.event_shape), chain._in_rank) - chain._in_rank + chain._out_rank
        shape = chain.forward_shape(shape)
        super().__init__(shape[: len(shape) - event], shape[len(shape) - event :])

    def sample(self, shape: Sequence[int] = ()) -> Any:
        return ChainTransform(self._transforms).forward(self._base.sample(shape))

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        return ChainTransform(self._transforms).forward(self._base.rsample(shape))

    def log_prob(self, value: Any) -> Any:
        total, rank = 0.0, len(self.event_shape)
        for t in reversed(self._transforms):
            value, rank = t.inverse(value), rank + t._in_rank - t._out_rank
            total = total - sum_rightmost(t.forward_log_det_jacobian(value), rank - t._in_rank)
        inner = self._base.log_prob(value)
        return total + sum_rightmost(inner, rank - len(self._base.event_shape))
