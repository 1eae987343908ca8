"""Adam and its variants: AdamW, Adamax, NAdam, RAdam and Lamb."""

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
    MOMENTS,
    V_HAT,
    Accumulator,
    Rule,
    State,
    single,
    update_mean,
    update_mean_square,
)


@dataclass(frozen=True)
class MomentsRule(Rule):
    """Base class of the rules with the hyper-parameters of Adam."""

    beta1: float
    beta2: float
    epsilon: float

    state: ClassVar[tuple[tuple[str, str, float], ...]] = MOMENTS

    def _powers(self) -> tuple[Accumulator, Accumulator]:
        """Return the accumulators of β₁ᵗ and β₂ᵗ."""
        return (
            Accumulator("Beta1Pow", "beta1_pow_acc", self.beta1, (1,), host=True),
            Accumulator("Beta2Pow", "beta2_pow_acc", self.beta2, (1,), host=True),
        )


@dataclass(frozen=True)
class AdamRule(MomentsRule):
    """Update of Adam: m and v are moving means of g and g²; p ← p − lr m̂ / (√v̂ + ε)."""

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
        return (*super().accumulators(shape), *largest, *self._powers())

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


# ----- variants of Adam --------------------------------------------------------------------------


@dataclass(frozen=True)
class AdamaxRule(MomentsRule):
    """Update of Adamax, m the mean of g: u ← max(|g|, β₂ u + ε); p ← p − lr / (1 − β₁ᵗ) · m / u."""

    type = "adamax"
    formula = "m ← β₁ m + (1 − β₁) g, u ← max(|g|, β₂ u + ε), p ← p − lr / (1 − β₁ᵗ) · m / u"

    def accumulators(self, shape: tuple[int, ...]) -> tuple[Accumulator, ...]:
        return (
            Accumulator("Moment", "moment", 0.0, shape),
            Accumulator("InfNorm", "inf_norm", 0.0, shape),
            self._powers()[0],
        )

    def update(self, xp: Any, param: Any, grad: Any, lr: Any, state: State, work: Any) -> None:
        moment, largest, beta1_pow = state
        update_mean(xp, moment, grad, single(self.beta1), work)
        largest *= single(self.beta2)
        largest += single(self.epsilon)
        xp.maximum(xp.absolute(grad), largest, out=largest)
        param -= moment / largest * (lr / (1.0 - beta1_pow.item()))
        beta1_pow *= self.beta1


class _Moments(Optimizer):
    """An optimizer with the hyper-parameters of Adam and no others."""

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._options = checks.betas(beta1, beta2, epsilon)


class Adamax(_Moments):
    """Adam with the largest recent gradient in place of the mean square: u ← max(|g|, β₂ u + ε),
    p ← p − lr / (1 − β₁ᵗ) · m / u.

    Source: Paddle's `paddle.optimizer.Adamax`.

    Shapes and dtypes: any floating ones; state has those of the parameters.
    Errors: AttributeError without parameters; TypeError for a learning rate, parameters or
    grad_clip of another type.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> adamax = paddle.optimizer.Adamax(0.25, parameters=[w])
    >>> (w * 1000).backward(); adamax.step(); round(float(w), 5)
    0.75
    """

    rule = AdamaxRule


@dataclass(frozen=True)
class LambRule(MomentsRule):
    """The direction of AdamW, scaled to the length of the parameter: p ← p − lr ‖p‖ d̂."""

    weight_decay: float
    always_adapt: bool

    type = "lamb"
    empty: ClassVar = ("MasterParam", "SkipUpdate")

    @property
    def formula(self) -> str:
        adapts = self.always_adapt or single(self.weight_decay) > 0
        step = "‖p‖ / ‖d‖ · d" if adapts else "d"
        return f"{MEANS}, {M_HAT}, {V_HAT}, d ← m̂ / (√v̂ + ε) + λ p, p ← p − lr · {step}"

    def accumulators(self, shape: tuple[int, ...]) -> tuple[Accumulator, ...]:
        return (*super().accumulators(shape), *self._powers())

    def update(self, xp: Any, param: Any, grad: Any, lr: Any, state: State, work: Any) -> None:
        m, v, beta1_pow, beta2_pow = state
        beta1, beta2, decay = single(self.beta1), single(self.beta2), single(self.weight_decay)
        update_mean(xp, m, grad, beta1, work)
        update_mean_square(xp, v, grad, beta2, work)
        step = xp.sqrt(v * (1.0 / (1.0 - beta2_pow.item())))
        step += single(self.epsilon)
        step = m * (1.0 / (1.0 - beta1_pow.item())) / step + param * decay
        if self.always_adapt or decay > 0:
            long, short = (xp.sqrt((x * x).sum()) for x in (param, step))
            step *= xp.where((long > 0) & (short > 0), long / short, xp.ones_like(long))
        param -= step * lr
        beta1_pow *= beta1
        beta2_pow *= beta2


class Lamb(Optimizer):
    """AdamW's direction d, scaled to the length of the parameter, for large batches:

    p ← p − lr · ‖p‖ / ‖d‖ · d. Parameters for which `exclude_from_weight_decay_fn(p)` is true do
    not decay; without decay ‖p‖ / ‖d‖ is left out, unless `always_adapt`. `multi_precision`
    changes nothing here. Source: Paddle's `paddle.optimizer.Lamb`.

    Shapes and dtypes: any floating ones; state has those of the parameters.
    Errors: AttributeError without parameters; TypeError for a learning rate, parameters or
    grad_clip of another type.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([4.0], stop_gradient=False)
    >>> lamb = paddle.optimizer.Lamb(0.25, parameters=[w])
    >>> (w * 1000).backward(); lamb.step(); round(float(w), 5)
    3.0
    """

    rule = LambRule

    def __init__(
        self,
        learning_rate: Any = 0.001,
        lamb_weight_decay: float = 0.01,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-06,
        parameters: Any = None,
        grad_clip: Any = None,
        exclude_from_weight_decay_fn: Any = None,
        multi_precision: bool = False,  # noqa: ARG002
        always_adapt: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameters, None, grad_clip, name)
        self._options = checks.betas(beta1, beta2, epsilon)
        self._options["lamb_weight_decay"] = checks.coefficient(lamb_weight_decay)
        self._options["always_adapt"] = bool(always_adapt)
        name = "exclude_from_weight_decay_fn"
        self._options[name] = checks.function(name, exclude_from_weight_decay_fn)

    def _make_rule(self, param: Any, options: dict[str, Any]) -> Rule:
        decay = options.pop("lamb_weight_decay")
        excluded = options.pop("exclude_from_weight_decay_fn")
        if excluded is not None and excluded(param):
            decay = 0.0
        return LambRule(**options, weight_decay=decay)


@dataclass(frozen=True)
class NAdamRule(MomentsRule):
    """Update of NAdam: m̂ mixes the mean with the gradient of this step."""

    momentum_decay: float

    type = "nadam"
    state = (
        ("MomentumDecayPow", "momentum_decay_pow", 1.0),  # 0.96ᵗ
        ("Beta2Pow", "beta2_pow", 1.0),
        ("MuProduct", "mu_product", 1.0),
        *MOMENTS,
    )

    @property
    def formula(self) -> str:
        now = "μₜ ← β₁ (1 − ½ · (0.96 ^ ψ)ᵗ), M ← μₜ M"
        mean = "m̂ ← μₜ₊₁ m / (1 − M μₜ₊₁) + (1 − μₜ) g / (1 − M)"
        return f"{now}, {MEANS}, {mean}, {V_HAT}, p ← p − lr · m̂ / (√v̂ + ε)"

    def update(self, xp: Any, param: Any, grad: Any, lr: Any, state: State, work: Any) -> None:
        decay_pow, beta2_pow, product, m, v = state
        beta1, beta2, decay = single(self.beta1), single(self.beta2), single(self.momentum_decay)
        decay_pow *= 0.96
        beta2_pow *= beta2
        now = beta1 * (1.0 - 0.5 * decay_pow**decay)
        ahead = beta1 * (1.0 - 0.5 * decay_pow**decay * 0.96**decay)
        product *= now
        update_mean(xp, m, grad, beta1, work)
        update_mean_square(xp, v, grad, beta2, work)
        step = ahead * m / (1.0 - product * ahead) + (1.0 - now) * grad / (1.0 - product)
        param -= step * lr / (xp.sqrt(v / (1.0 - beta2_pow)) + single(self.epsilon))


class NAdam(Optimizer):
    """Adam with Nesterov's momentum: the step uses an estimate of the next mean gradient.

    `momentum_decay` (ψ) lets the momentum grow: μₜ = β₁ (1 − 0.96^(t ψ) / 2).
    Source: Paddle's `paddle.optimizer.NAdam`.

    Shapes and dtypes: any floating ones; state has those of the parameters.
    Errors: AttributeError without parameters; TypeError for a learning rate, parameters or
    grad_clip of another type.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> nadam = paddle.optimizer.NAdam(0.25, parameters=[w])
    >>> (w * 1000).backward(); nadam.step(); float(w) < 0.9
    True
    """

    rule = NAdamRule

    def __init__(
        self,
        learning_rate: Any = 0.002,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        momentum_decay: float = 0.004,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._options = checks.betas(beta1, beta2, epsilon)
        self._options |= checks.numbers(0, momentum_decay=momentum_decay)


@dataclass(frozen=True)
class RAdamRule(MomentsRule):
    """Update of RAdam: it divides by √v once v averages enough gradients."""

    type = "radam"
    state = (
        ("Beta1Pow", "beta1_pow", 1.0),
        ("Beta2Pow", "beta2_pow", 1.0),
        ("Rho", "rho", 1.0),
        *MOMENTS,
    )

    @property
    def formula(self) -> str:
        share = "s ← (ρₜ > 5) · r · √(1 − β₂ᵗ) / (√v + ε) + (ρₜ ≤ 5)"
        return f"{MEANS}, {M_HAT}, {share}, p ← p − lr · s m̂"

    def update(self, xp: Any, param: Any, grad: Any, lr: Any, state: State, work: Any) -> None:
        beta1_pow, beta2_pow, rho, m, v = state
        beta1, beta2 = single(self.beta1), single(self.beta2)
        beta1_pow *= beta1
        beta2_pow *= beta2
        rho *= beta2 - beta2_pow  # gives t β₂ᵗ / (1 − β₂ᵗ) without counting steps
        rho += beta2_pow
        rho /= 1.0 - beta2_pow
        update_mean(xp, m, grad, beta1, work)
        update_mean_square(xp, v, grad, beta2, work)
        limit = 2.0 / (1.0 - beta2) - 1.0
        length = limit - 2.0 * rho
        known = xp.maximum(length, 5.0)  # above 5, v averages enough gradients
        share = (known - 4.0) * (known - 2.0) * limit / ((limit - 4.0) * (limit - 2.0) * known)
        spread = xp.sqrt(v) + single(self.epsilon)
        scaled = xp.sqrt(share) * xp.sqrt(1.0 - beta2_pow) / spread
        step = xp.where(length > 5.0, scaled, xp.ones_like(scaled)) * m / (1.0 - beta1_pow)
        param -= step * lr


class RAdam(_Moments):
    """Adam that starts as momentum and divides by √v once v averages enough gradients.

    Source: Paddle's `paddle.optimizer.RAdam`.

    Shapes and dtypes: any floating ones; state has those of the parameters.
    Errors: AttributeError without parameters; TypeError for a learning rate, parameters or
    grad_clip of another type.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> radam = paddle.optimizer.RAdam(0.25, parameters=[w])
    >>> (w * 2).backward(); radam.step(); w.tolist()
    [0.5]
    """

    rule = RAdamRule
