"""Adam and AdamW."""

from __future__ import annotations

import math
from typing import Any

from . import checks
from .optimizer import Accumulator, Optimizer


class Adam(Optimizer):
    """Steps of about the learning rate, whatever the size of the gradients.

    m ← β₁ m + (1 − β₁) g and v ← β₂ v + (1 − β₂) g², then with lrₜ = lr √(1 − β₂ᵗ) / (1 − β₁ᵗ)
    p ← p − lrₜ m / (√v + ε √(1 − β₂ᵗ)). InvalidArgument for β outside [0, 1) or ε < 0.
    `lazy_mode` and `use_multi_tensor` change nothing here.
    Source: Paddle's `paddle.optimizer.Adam`.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> adam = paddle.optimizer.Adam(0.25, parameters=[w])
    >>> (w * 1000).backward(); adam.step(); w.tolist()
    [0.75]
    """

    type = "adam"

    def __init__(
        self, learning_rate: Any = 0.001, beta1: float = 0.9, beta2: float = 0.999,
        epsilon: float = 1e-08, parameters: Any = None, weight_decay: Any = None,
        grad_clip: Any = None, lazy_mode: bool = False, multi_precision: bool = False,  # noqa: ARG002
        use_multi_tensor: bool = False, amsgrad: bool = False, name: str | None = None,  # noqa: ARG002
    ) -> None:  # fmt: skip
        checks.not_here(multi_precision=multi_precision, amsgrad=amsgrad)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._beta1 = checks.number("beta1", beta1, 0, 1)
        self._beta2 = checks.number("beta2", beta2, 0, 1)
        self._epsilon = checks.number("epsilon", epsilon, 0)
        self._arrays: dict[tuple[Any, str], tuple[Any, ...]] = {}

    @property
    def attrs(self) -> dict[str, Any]:
        return {"beta1": self._beta1, "beta2": self._beta2, "epsilon": self._epsilon}

    def accumulators(self, shape: tuple[int, ...]) -> tuple[Accumulator, ...]:
        return (
            Accumulator("Moment1", "moment1", 0.0, shape),
            Accumulator("Moment2", "moment2", 0.0, shape),
            Accumulator("Beta1Pow", "beta1_pow_acc", self._beta1, (1,), host=True),  # β₁ᵗ
            Accumulator("Beta2Pow", "beta2_pow_acc", self._beta2, (1,), host=True),
        )

    def update(
        self, xp: Any, param: Any, grad: Any, lr: Any, state: tuple[Any, ...], work: Any
    ) -> None:
        m, v, beta1_pow, beta2_pow = state
        beta1, rest1, beta2, rest2 = self._factors(xp, param.dtype)
        xp.multiply(grad, rest1, out=work)
        m *= beta1
        m += work
        # The order of these products is that of Paddle's kernels, which differs by type.
        if param.dtype.itemsize == 8:
            xp.multiply(grad, rest2, out=work)
            work *= grad
        else:
            xp.multiply(grad, grad, out=work)
            work *= rest2
        v *= beta2
        v += work
        spread = math.sqrt(1.0 - beta2_pow.item())
        xp.sqrt(v, out=work)
        work += self._epsilon * spread
        xp.divide(m, work, out=work)
        work *= float(lr) * spread / (1.0 - beta1_pow.item())
        param -= work
        beta1_pow *= self._beta1
        beta2_pow *= self._beta2

    def _factors(self, xp: Any, dtype: Any) -> tuple[Any, ...]:
        """β₁, 1 − β₁, β₂, 1 − β₂ as arrays of this type: ufuncs take them faster than numbers."""
        key = xp, dtype.char
        if key not in self._arrays:
            one, beta1, beta2 = (dtype.type(n) for n in (1.0, self._beta1, self._beta2))
            numbers = (beta1, one - beta1, beta2, one - beta2)
            self._arrays[key] = tuple(xp.asarray(number) for number in numbers)
        return self._arrays[key]


class AdamW(Adam):
    """Adam with the weight decay kept out of the gradient: first p ← p · (1 − lr · decay).

    Source: Paddle's `paddle.optimizer.AdamW`.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> adamw = paddle.optimizer.AdamW(0.5, parameters=[w], weight_decay=0.5)
    >>> (w * 1000).backward(); adamw.step(); round(float(w), 5)
    0.25
    """

    type = "adamw"

    def __init__(
        self, learning_rate: Any = 0.001, beta1: float = 0.9, beta2: float = 0.999,
        epsilon: float = 1e-08, parameters: Any = None, weight_decay: float = 0.01,
        use_lowprecision_moment: bool = False, lr_ratio: Any = None,
        apply_decay_param_fun: Any = None, grad_clip: Any = None, lazy_mode: bool = False,
        multi_precision: bool = False, amsgrad: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        checks.not_here(
            use_lowprecision_moment=use_lowprecision_moment, lr_ratio=lr_ratio,
            apply_decay_param_fun=apply_decay_param_fun,
        )  # fmt: skip
        super().__init__(
            learning_rate, beta1, beta2, epsilon, parameters, None, grad_clip, lazy_mode,
            multi_precision, amsgrad=amsgrad, name=name,
        )  # fmt: skip
        self._coefficient = checks.as_attribute(checks.weight_decay(weight_decay))

    @property
    def attrs(self) -> dict[str, Any]:
        return {**super().attrs, "coeff": self._coefficient, "with_decay": True, "lr_ratio": 1.0}

    def update(
        self, xp: Any, param: Any, grad: Any, lr: Any, state: tuple[Any, ...], work: Any
    ) -> None:
        xp.multiply(param, lr * self._coefficient, out=work)
        param -= work
        super().update(xp, param, grad, lr, state, work)
