"""SGD and Momentum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..errors import misfit
from ..regularizer import L1Decay, L2Decay
from . import checks
from .optimizer import Optimizer
from .rule import Accumulator, Rule, State, single


@dataclass(frozen=True)
class SGDRule(Rule):
    """p ← p − lr · g."""

    type = "sgd"
    formula = "p ← p − lr · g"

    def update(self, xp: Any, param: Any, grad: Any, lr: Any, state: State, work: Any) -> None:  # noqa: ARG002
        xp.multiply(grad, lr, out=work)
        xp.subtract(param, work, out=param)


class SGD(Optimizer):
    """p ← p − lr · g.

    `weight_decay`: the coefficient of an L2 penalty, or a regularizer, whose gradient is added.
    `multi_precision` changes nothing: it is about float16. Source: Paddle's
    `paddle.optimizer.SGD`.

    Shapes and dtypes: any floating ones; state has those of the parameters.
    Errors: AttributeError without parameters; TypeError for a learning rate, parameters or
    grad_clip of another type.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> sgd = paddle.optimizer.SGD(0.25, parameters=[w], weight_decay=2.0)
    >>> (w * 2).backward(); sgd.step(); w.tolist()
    [0.0]
    """

    rule = SGDRule

    def __init__(
        self,
        learning_rate: Any = 0.001,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        multi_precision: bool = False,  # noqa: ARG002
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)


@dataclass(frozen=True)
class MomentumRule(Rule):
    """v ← μ v + g, p ← p − lr · v, with the L2 penalty as a part of it."""

    momentum: float
    use_nesterov: bool
    rescale_grad: float
    decay: float | None = None

    type = "momentum"
    state = (("Velocity", "velocity", 0.0),)

    @property
    def formula(self) -> str:
        parts = ["g ← c g"] if self.rescale_grad != 1 else []
        parts += ["g ← g + λ p"] if self.decay else []
        last = "p ← p − lr · (g + μ v)" if self.use_nesterov else "p ← p − lr · v"
        return ", ".join([*parts, "v ← μ v + g", last])

    def attrs(self) -> dict[str, Any]:
        return {
            "mu": self.momentum, "use_nesterov": bool(self.use_nesterov), "multi_precision": False,
            "regularization_method": "" if self.decay is None else "l2_decay",
            "regularization_coeff": self.decay or 0.0, "rescale_grad": float(self.rescale_grad),
        }  # fmt: skip

    def update(self, xp: Any, param: Any, grad: Any, lr: Any, state: State, work: Any) -> None:
        (velocity,), momentum = state, single(self.momentum)
        if self.rescale_grad != 1:
            grad = grad * single(self.rescale_grad)
        if self.decay:
            grad = grad + param * single(self.decay)
        velocity *= momentum
        velocity += grad
        if self.use_nesterov:
            xp.multiply(velocity, momentum, out=work)
            work += grad
            work *= lr
        else:
            xp.multiply(velocity, lr, out=work)
        param -= work


class Momentum(Optimizer):
    """v ← μ v + g, then p ← p − lr · v; with Nesterov p ← p − lr · (g + μ v).

    `rescale_grad` multiplies gradients first. `use_multi_tensor` and `multi_precision` change
    nothing here. Source: Paddle's `paddle.optimizer.Momentum`.

    Shapes and dtypes: any floating ones; state has those of the parameters.
    Errors: AttributeError without parameters; TypeError for a learning rate, parameters or
    grad_clip of another type.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> momentum = paddle.optimizer.Momentum(0.25, momentum=0.5, parameters=[w])
    >>> (w * 2).backward(); momentum.step(); momentum.step(); w.tolist()
    [-0.25]
    """

    rule = MomentumRule

    def __init__(
        self,
        learning_rate: Any = 0.001,
        momentum: float = 0.9,
        parameters: Any = None,
        use_nesterov: bool = False,
        weight_decay: Any = None,
        grad_clip: Any = None,
        multi_precision: bool = False,  # noqa: ARG002
        rescale_grad: float = 1.0,
        use_multi_tensor: bool = False,  # noqa: ARG002
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._options = checks.numbers(momentum=momentum, rescale_grad=rescale_grad)
        self._options["use_nesterov"] = bool(use_nesterov)

    def _make_rule(self, param: Any, options: dict[str, Any]) -> Rule:
        """Return the rule; as in Paddle's operator the L2 penalty is one of its attributes."""
        decay = super()._penalty_of(param)
        return MomentumRule(**options, decay=decay._coeff if isinstance(decay, L2Decay) else None)

    def _penalty_of(self, param: Any) -> Any:
        """Return the penalty that the operator does not add; as in Paddle, a group's L2 penalty
        does not replace the optimizer's L1 penalty."""
        decay = super()._penalty_of(param)
        if not isinstance(decay, L2Decay):
            return decay
        whole = self.regularization if param in self._group_of else None
        return whole if isinstance(whole, L1Decay) else None


# ----- ASGD averages the last gradients, Rprop uses only their signs -----------------------------


@dataclass(frozen=True)
class ASGDRule(Rule):
    """Update of ASGD: d is the sum of the last n gradients; p ← p − lr · d / n."""

    batch_num: int

    type = "asgd"
    formula = "d ← d + g − gₜ₋ₙ, p ← p − lr · d / n"

    def attrs(self) -> dict[str, Any]:
        return {"multi_precision": False}

    def accumulators(self, shape: tuple[int, ...]) -> tuple[Accumulator, ...]:
        return (
            Accumulator("D", "d", 0.0, shape),
            Accumulator("Y", "y", 0.0, (self.batch_num, *shape)),
            Accumulator("N", "m", 0.0, (1,), host=True, dtype="int64"),
        )

    def update(self, xp: Any, param: Any, grad: Any, lr: Any, state: State, work: Any) -> None:  # noqa: ARG002
        total, last, count = state
        place = int(count.item()) % self.batch_num
        count += 1
        total -= last[place]
        total += grad
        last[place] = grad
        param -= total * lr / min(int(count.item()), self.batch_num)


class ASGD(Optimizer):
    """Steps along the mean of the last `batch_num` gradients: those of one pass over the data.

    `multi_precision` changes nothing here. Source: Paddle's `paddle.optimizer.ASGD`.

    Shapes and dtypes: any floating ones; state has those of the parameters.
    Errors: AttributeError without parameters; TypeError for a learning rate, parameters or
    grad_clip of another type.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> asgd = paddle.optimizer.ASGD(0.25, batch_num=2, parameters=[w])
    >>> (w * 2).backward(); asgd.step(); asgd.step(); w.tolist()
    [0.0]
    """

    rule = ASGDRule

    def __init__(
        self,
        learning_rate: Any = 0.001,
        batch_num: int = 1,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        multi_precision: bool = False,  # noqa: ARG002
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        if not isinstance(batch_num, int) or batch_num <= 0:
            raise misfit("ASGD", "batch_num, an int above 0", batch_num=batch_num)
        self._options = {"batch_num": batch_num}


@dataclass(frozen=True)
class RpropRule(Rule):
    """Update of Rprop: the step of an element grows while its gradient keeps its sign."""

    initial: float
    smallest: float
    largest: float
    slower: float
    faster: float

    type = "rprop"
    formula = "r ← η r, g ← g · (g · gₜ₋₁ ≥ 0), p ← p − r · sign(g)"

    def attrs(self) -> dict[str, Any]:
        return {"multi_precision": False}

    def accumulators(self, shape: tuple[int, ...]) -> tuple[Accumulator, ...]:
        return (
            Accumulator("Prev", "prevs", 0.0, shape),
            Accumulator("LearningRates", "learning_rates", self.initial, shape),
        )

    def update(self, xp: Any, param: Any, grad: Any, lr: Any, state: State, work: Any) -> None:  # noqa: ARG002
        previous, rates = state
        signs = grad * previous
        same, turned = signs > 0, signs < 0
        rates *= xp.where(same, self.faster, xp.where(turned, self.slower, 1.0)).astype(rates.dtype)
        xp.clip(rates, self.smallest, self.largest, out=rates)
        previous[...] = xp.where(turned, xp.zeros_like(grad), grad)
        param -= xp.sign(previous) * rates


class Rprop(Optimizer):
    """Steps along the sign of the gradient: longer while it stays, shorter when it changes.

    The first step is `learning_rate`; each later one is multiplied by one of `etas` (shorter,
    longer) and limited to `learning_rate_range`. `multi_precision` changes nothing here.
    Source: Paddle's `paddle.optimizer.Rprop`.

    Shapes and dtypes: any floating ones; state has those of the parameters.
    Errors: AttributeError without parameters; TypeError for a learning rate, parameters or
    grad_clip of another type.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> rprop = paddle.optimizer.Rprop(0.25, parameters=[w], etas=(0.5, 2.0))
    >>> (w * 1000).backward(); rprop.step(); rprop.step(); w.tolist()
    [0.25]
    """

    rule = RpropRule

    def __init__(
        self,
        learning_rate: Any = 0.001,
        learning_rate_range: tuple[float, float] = (1e-05, 50),
        parameters: Any = None,
        etas: tuple[float, float] = (0.5, 1.2),
        grad_clip: Any = None,
        multi_precision: bool = False,  # noqa: ARG002
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameters, None, grad_clip, name)
        low, high = (checks.number("learning_rate_range", n, 0) for n in learning_rate_range)
        slower, faster = (checks.number("etas", n, 0) for n in etas)
        if not (0 < low <= float(self.get_lr()) <= high and 0 < slower < 1 < faster):
            bounds = "low <= learning_rate <= high, and 0 < etas[0] < 1 < etas[1]"
            arguments = {"learning_rate_range": learning_rate_range, "etas": etas}
            raise misfit("Rprop", bounds, learning_rate=self.get_lr(), **arguments)
        self._options = {"smallest": low, "largest": high, "slower": slower, "faster": faster}

    def _make_rule(self, param: Any, options: dict[str, Any]) -> Rule:  # noqa: ARG002
        return RpropRule(float(self.get_lr()), **options)
