"""SGD and Momentum."""

from __future__ import annotations

from typing import Any

from . import checks
from .optimizer import Accumulator, Optimizer


class SGD(Optimizer):
    """p ← p − lr · g.

    `weight_decay`: the coefficient of an L2 penalty, added to the gradient.
    Source: Paddle's `paddle.optimizer.SGD`.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> sgd = paddle.optimizer.SGD(0.25, parameters=[w], weight_decay=2.0)
    >>> (w * 2).backward(); sgd.step(); w.tolist()
    [0.0]
    """

    type = "sgd"

    def __init__(
        self, learning_rate: Any = 0.001, parameters: Any = None, weight_decay: Any = None,
        grad_clip: Any = None, multi_precision: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        checks.not_here(multi_precision=multi_precision)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)

    def update(
        self, xp: Any, param: Any, grad: Any, lr: Any, state: tuple[Any, ...], work: Any  # noqa: ARG002
    ) -> None:  # fmt: skip
        xp.multiply(grad, lr, out=work)
        xp.subtract(param, work, out=param)


class Momentum(Optimizer):
    """v ← μ v + g, then p ← p − lr · v; with Nesterov p ← p − lr · (g + μ v).

    `use_multi_tensor` changes nothing here.
    Source: Paddle's `paddle.optimizer.Momentum`.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> momentum = paddle.optimizer.Momentum(0.25, momentum=0.5, parameters=[w])
    >>> (w * 2).backward(); momentum.step(); momentum.step(); w.tolist()
    [-0.25]
    """

    type = "momentum"

    def __init__(
        self, learning_rate: Any = 0.001, momentum: float = 0.9, parameters: Any = None,
        use_nesterov: bool = False, weight_decay: Any = None, grad_clip: Any = None,
        multi_precision: bool = False, rescale_grad: float = 1.0,
        use_multi_tensor: bool = False, name: str | None = None,  # noqa: ARG002
    ) -> None:  # fmt: skip
        checks.not_here(multi_precision=multi_precision, rescale_grad=rescale_grad != 1.0)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self.decay = checks.as_attribute(self.decay)  # an attribute of Paddle's operator, too
        self._momentum = checks.as_attribute(checks.number("momentum", momentum, float("-inf")))
        self._nesterov = bool(use_nesterov)

    @property
    def attrs(self) -> dict[str, Any]:
        return {"mu": self._momentum, "use_nesterov": self._nesterov}

    def accumulators(self, shape: tuple[int, ...]) -> tuple[Accumulator, ...]:
        return (Accumulator("Velocity", "velocity", 0.0, shape),)

    def update(
        self, xp: Any, param: Any, grad: Any, lr: Any, state: tuple[Any, ...], work: Any
    ) -> None:
        (velocity,) = state
        velocity *= self._momentum
        velocity += grad
        if self._nesterov:
            xp.multiply(velocity, self._momentum, out=work)
            work += grad
            work *= lr
        else:
            xp.multiply(velocity, lr, out=work)
        param -= work
