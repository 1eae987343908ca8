"""Adam and AdamW."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ..engine.errors import Unimplemented
from ..errors import misfit
from . import checks
from .optimizer import Optimizer
from .rule import (
    M_HAT,
    MEANS,
    V_HAT,
    Accumulator,
    Rule,
    State,
    single,
    update_mean,
    update_mean_square,
)


@dataclass(frozen=True)
class AdamRule(Rule):
    """Update of Adam: m and v are moving means of g and g²; p ← p − lr m̂ / (√v̂ + ε)."""

    beta1: float
    beta2: float
    epsilon: float
    amsgrad: bool = False

    type = "adam"
    empty: ClassVar = (
        "MasterParam",
        "Beta1Tensor",
        "Beta2Tensor",
        "EpsilonTensor",
        "Moment2Max",
        "SkipUpdate",
    )

    @property
    def formula(self) -> str:
        largest, square = V_HAT, "v̂"
        if self.amsgrad:
            largest, square = "u ← max(u, v), û ← u / (1 − β₂ᵗ)", "û"
        return f"{MEANS}, {M_HAT}, {largest}, p ← p − lr · m̂ / (√{square} + ε)"

    def attrs(self) -> dict[str, Any]:
        return {
            "beta1": self.beta1, "beta2": self.beta2, "epsilon": self.epsilon,
            "amsgrad": self.amsgrad, "lazy_mode": False, "min_row_size_to_use_multithread": 1000,
            "multi_precision": False, "use_global_beta_pow": False,
        }  # fmt: skip

    def accumulators(self, shape: tuple[int, ...]) -> tuple[Accumulator, ...]:
        largest = (Accumulator("Moment2Max", "moment2_max", 0.0, shape),) if self.amsgrad else ()
        return (
            Accumulator("Moment1", "moment1", 0.0, shape),
            Accumulator("Moment2", "moment2", 0.0, shape),
            *largest,
            Accumulator("Beta1Pow", "beta1_pow_acc", self.beta1, (1,), host=True),  # β₁ᵗ
            Accumulator("Beta2Pow", "beta2_pow_acc", self.beta2, (1,), host=True),
        )

    def update(self, xp: Any, param: Any, grad: Any, lr: Any, state: State, work: Any) -> None:
        m, v, *largest, beta1_pow, beta2_pow = state
        update_mean(xp, m, grad, self.beta1, work)
        update_mean_square(xp, v, grad, self.beta2, work)
        if largest:
            v = largest[0]
            xp.maximum(v, state[1], out=v)
        spread = (1.0 - beta2_pow.item()) ** 0.5
        xp.sqrt(v, out=work)
        work += self.epsilon * spread
        xp.divide(m, work, out=work)
        work *= lr * spread / (1.0 - beta1_pow.item())
        param -= work
        beta1_pow *= self.beta1
        beta2_pow *= self.beta2


class Adam(Optimizer):
    """Steps of about the learning rate, whatever the size of the gradients.

    m ← β₁ m + (1 − β₁) g and v ← β₂ v + (1 − β₂) g², then with lrₜ = lr √(1 − β₂ᵗ) / (1 − β₁ᵗ)
    p ← p − lrₜ m / (√v + ε √(1 − β₂ᵗ)). With `amsgrad` the largest v so far is used.
    InvalidArgument for β outside [0, 1) or ε < 0. `lazy_mode`, `use_multi_tensor` and
    `multi_precision` change nothing here. Source: Paddle's `paddle.optimizer.Adam`.

    Shapes and dtypes: any floating ones; state has those of the parameters.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> adam = paddle.optimizer.Adam(0.25, parameters=[w])
    >>> (w * 1000).backward(); adam.step(); w.tolist()
    [0.75]
    """

    rule: ClassVar[type[Rule]] = AdamRule

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        lazy_mode: bool = False,  # noqa: ARG002
        multi_precision: bool = False,  # noqa: ARG002
        use_multi_tensor: bool = False,  # noqa: ARG002
        amsgrad: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._options = checks.betas(beta1, beta2, epsilon)
        self._options["amsgrad"] = bool(amsgrad)


@dataclass(frozen=True)
class AdamWRule(AdamRule):
    """Update of AdamW: Adam after p ← p · (1 − lr · decay)."""

    weight_decay: float = 0.0
    with_decay: bool = True

    type = "adamw"

    @property
    def formula(self) -> str:
        before, step = super().formula.rsplit(" − lr · ", 1)
        return f"{before} − lr · ({step} + λ p)" if self.with_decay else super().formula

    def attrs(self) -> dict[str, Any]:
        more = {"coeff": self.weight_decay, "with_decay": self.with_decay, "lr_ratio": 1.0}
        return {**super().attrs(), **more}

    def update(self, xp: Any, param: Any, grad: Any, lr: Any, state: State, work: Any) -> None:
        if self.with_decay:
            xp.multiply(param, lr * single(self.weight_decay), out=work)
            param -= work
        super().update(xp, param, grad, lr, state, work)


class AdamW(Adam):
    """Adam with the weight decay outside the gradient: first p ← p · (1 − lr · decay).

    `apply_decay_param_fun(name)` says which parameters decay. The other options are as in Adam;
    `use_lowprecision_moment` changes nothing. Source: Paddle's `paddle.optimizer.AdamW`.

    Shapes and dtypes: any floating ones; state has those of the parameters.
    Errors: AttributeError without parameters; TypeError for a learning rate, parameters or
    grad_clip of another type.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> adamw = paddle.optimizer.AdamW(0.5, parameters=[w], weight_decay=0.5)
    >>> (w * 1000).backward(); adamw.step(); round(float(w), 5)
    0.25
    """

    rule = AdamWRule
    decays = False  # AdamWRule itself shrinks the parameter

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        parameters: Any = None,
        weight_decay: float = 0.01,
        use_lowprecision_moment: bool = False,  # noqa: ARG002
        lr_ratio: Any = None,
        apply_decay_param_fun: Any = None,
        grad_clip: Any = None,
        lazy_mode: bool = False,  # noqa: ARG002
        multi_precision: bool = False,  # noqa: ARG002
        amsgrad: bool = False,
        name: str | None = None,
    ) -> None:
        if lr_ratio:
            fix = "use parameter groups: {'params': [...], 'learning_rate': factor}"
            raise misfit("AdamW", "lr_ratio=None", Unimplemented, fix, lr_ratio=lr_ratio)
        options = {"grad_clip": grad_clip, "amsgrad": amsgrad, "name": name}
        super().__init__(learning_rate, beta1, beta2, epsilon, parameters, **options)
        self._options["weight_decay"] = checks.coefficient(weight_decay)
        self._decides = checks.function("apply_decay_param_fun", apply_decay_param_fun)

    def _make_rule(self, param: Any, options: dict[str, Any]) -> Rule:
        decides = self._decides
        return AdamWRule(**options, with_decay=decides is None or bool(decides(param.name)))
