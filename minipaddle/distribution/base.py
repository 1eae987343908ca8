"""The base of all distributions, and the table of divergences between two of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np

from ..eager.creation import to_tensor
from ..engine import modes
from ..engine.errors import InvalidType, MinipaddleError, Unimplemented
from ..engine.grad import grad
from ..engine.grad_mode import no_grad
from ..errors import misfit, require
from ..messages import Message
from ..ops.errors import no_tensor
from ..ops.rule_functions import GRAPH as ops
from ..static.backward import gradients

MEMBERS = {  # what a family may lack
    *("mean", "variance", "rsample", "entropy", "log_prob"),
    *("_natural_parameters", "_log_normalizer", "_mean_carrier_measure"),
}


class Distribution:
    """A family of random tensors; a subclass defines the members that its family has.

    `batch_shape` counts independent distributions, `event_shape` is the shape of one draw of each:
    `sample(shape)` has the shape shape + batch_shape + event_shape.

    Dtypes: those of the parameters. Errors: NotImplementedError for what a family lacks.
    Source: Paddle's `paddle.distribution.Distribution`.

    >>> import minipaddle as paddle
    >>> class Constant(paddle.distribution.Distribution):
    ...     def rsample(self, shape=()):
    ...         return paddle.ones(self._extend_shape(shape))
    >>> Constant(batch_shape=[2]).sample([3]).shape
    paddle.Size([3, 2])
    """

    def __init__(self, batch_shape: Sequence[int] = (), event_shape: Sequence[int] = ()) -> None:
        self._batch_shape, self._event_shape = tuple(batch_shape), tuple(event_shape)

    batch_shape = property(lambda self: self._batch_shape)
    event_shape = property(lambda self: self._event_shape)

    def __getattr__(self, name: str) -> Any:
        if name in MEMBERS:
            family, fix = type(self).__name__, Message("derive a class that defines it")
            expected = Message("a family that has {member}", member=name)
            raise misfit(f"{family}.{name}", expected, Unimplemented, fix, family=family)
        raise AttributeError(f"{type(self).__name__} has no {name}")

    def sample(self, shape: Sequence[int] = ()) -> Any:
        """Draw random tensors; no gradient flows back to the parameters."""
        with no_grad():
            return self.rsample(shape)

    def prob(self, value: Any) -> Any:
        """Return the probability of a value, or the density there."""
        return self.log_prob(value).exp()

    def kl_divergence(self, other: Distribution) -> Any:
        """Return what `paddle.distribution.kl_divergence(self, other)` returns."""
        return kl_divergence(self, other)

    def _extend_shape(self, shape: Any) -> tuple[int, ...]:
        """Return the shape of a draw."""
        require(isinstance(shape, Iterable), "sample", "a list of sizes", InvalidType, shape=shape)
        return (*map(int, shape), *self._batch_shape, *self._event_shape)

    def _tensors(self, mixed: bool = False, **values: Any) -> list[Any]:
        """Return parameters as Tensors of one shape; `mixed` allows Tensors beside numbers."""
        name, given = type(self).__name__, [_is_tensor(value) for value in values.values()]
        expected = Message("all parameters as Tensors, or none")
        require(mixed or all(given) or not any(given), name, expected, **values)
        read = [_read(name, *item) for item in values.items()]
        alike = len({tuple(tensor.shape) for tensor in read}) == 1
        return read if alike else list(ops.broadcast_tensors(read))

    def _value(self, value: Any, like: Any) -> Any:
        """Return a value in the dtype of the parameters."""
        if not _is_tensor(value):
            raise no_tensor(f"{type(self).__name__}.log_prob", "value", value)
        return value if value.dtype == like.dtype else value.astype(like.dtype)

    def _number(self, value: Any, like: Any) -> Any:
        """Return a number as a Tensor too, in the dtype of the parameters."""
        known = isinstance(value, (int, float))
        return to_tensor(value, like.dtype) if known else self._value(value, like)


class ExponentialFamily(Distribution):
    """A family of densities exp(⟨t(x), θ⟩ − F(θ) + k(x)); base of those that define F and θ.

    A subclass defines θ as `_natural_parameters`, F as `_log_normalizer(*θ)`, and the mean of k as
    `_mean_carrier_measure`. Entropy and `kl_divergence` follow from the slope of F; as in Paddle no
    gradient of the entropy reaches the parameters.

    Shapes, dtypes: those of the parameters. Errors: NotImplementedError for what a family lacks.
    Source: Paddle's `paddle.distribution.ExponentialFamily`.

    >>> import minipaddle as paddle
    >>> class Waiting(paddle.distribution.ExponentialFamily):
    ...     _natural_parameters, _mean_carrier_measure = (paddle.to_tensor(-4.0),), 0.0
    ...     def _log_normalizer(self, x):
    ...         return -(-x).log()
    >>> float(Waiting().entropy()) == float(paddle.distribution.Exponential(4.0).entropy())
    True
    """

    def entropy(self) -> Any:
        entropy, parameters, slopes = self._slopes()
        entropy = entropy - self._mean_carrier_measure
        for parameter, slope in zip(parameters, slopes, strict=True):
            entropy = entropy - parameter * slope
        return entropy

    def _slopes(self) -> tuple[Any, list[Any], list[Any]]:
        """Return F, the natural parameters, detached, and the slopes of F by them."""
        parameters = [parameter.detach() for parameter in self._natural_parameters]
        for parameter in parameters:
            parameter.stop_gradient = False
        value = self._log_normalizer(*parameters)
        if modes.is_static():
            return value, parameters, gradients(value.sum(), parameters)
        return value, parameters, grad(value.sum(), parameters, create_graph=True)


def sum_rightmost(value: Any, n: int) -> Any:
    """Sum over the last n axes."""
    return value.sum(list(range(-n, 0))) if n > 0 else value


def _is_tensor(value: Any) -> bool:
    return hasattr(value, "stop_gradient")


def _read(name: str, argument: str, value: Any) -> Any:
    """Return a parameter as a Tensor; float64 passes through float32, as in Paddle."""
    if _is_tensor(value):
        return value
    array = np.asarray(value)
    expected = Message("a number, list, numpy.ndarray or Tensor")
    require(array.dtype.kind in "fiub", name, expected, InvalidType, **{argument: value})
    wide = isinstance(value, np.ndarray) and array.dtype == "float64"
    return to_tensor(array.astype("float32").astype("float64" if wide else "float32"))


# ----- the divergence of two distributions --------------------------------------------------------

RULES: dict[tuple[type, type], Callable[[Any, Any], Any]] = {}


def register_kl(cls_p: type, cls_q: type) -> Callable[[Any], Any]:
    """Make a function the rule of `kl_divergence` for two families and their subclasses.

    Shapes, dtypes: those of what the function returns.
    Errors: TypeError for a class that is no Distribution.
    Source: Paddle's `paddle.distribution.register_kl`.

    >>> import minipaddle as paddle
    >>> class Mine(paddle.distribution.Normal):
    ...     pass
    >>> @paddle.distribution.register_kl(Mine, Mine)
    ... def of_mine(p, q):
    ...     return p.loc - q.loc
    >>> float(paddle.distribution.kl_divergence(Mine(3.0, 1.0), Mine(2.0, 1.0)))
    1.0
    """
    for cls in (cls_p, cls_q):
        if not (isinstance(cls, type) and issubclass(cls, Distribution)):
            raise misfit("register_kl", "a subclass of Distribution", InvalidType, cls=cls)

    def register(rule: Any) -> Any:
        RULES[cls_p, cls_q] = rule
        return rule

    return register


def kl_divergence(p: Any, q: Any) -> Any:
    """∫ p log(p / q): how much is lost where q stands for p; 0 only if both are equal.

    Shapes: those of the batches, broadcast; Categorical keeps its last axis with 1 element.
    Dtypes: those of the parameters. Errors: NotImplementedError for a pair without a rule.
    Source: Paddle's `paddle.distribution.kl_divergence`.

    >>> import minipaddle as paddle
    >>> Normal = paddle.distribution.Normal
    >>> float(paddle.distribution.kl_divergence(Normal(0.0, 1.0), Normal(1.0, 1.0)))
    0.5
    """
    for pair in product(type(p).__mro__, type(q).__mro__):
        if pair in RULES:
            return RULES[pair](p, q)
    raise _no_rule(p, q)


def _no_rule(p: Any, q: Any) -> MinipaddleError:
    kinds = f"{type(p).__name__}, {type(q).__name__}"
    fix = Message("write one: {line}", line=f"@paddle.distribution.register_kl({kinds})")
    expected = Message("two distributions of one family, or a registered pair")
    return misfit("kl_divergence", expected, Unimplemented, fix, classes=kinds)


@register_kl(ExponentialFamily, ExponentialFamily)
def _within_a_family(p: Any, q: Any) -> Any:
    """Return the Bregman divergence of F between the natural parameters."""
    if type(p) is not type(q):
        raise _no_rule(p, q)
    value, parameters, slopes = p._slopes()
    result = q._log_normalizer(*q._natural_parameters) - value
    for own, other, slope in zip(parameters, q._natural_parameters, slopes, strict=True):
        result = result - sum_rightmost((other - own) * slope, len(q.event_shape))
    return result
