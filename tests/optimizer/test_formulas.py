"""Each optimizer against its formula in NumPy, step by step."""

import math

import numpy as np
import pytest

import minipaddle as paddle
from tests.each import each

RNG = np.random.default_rng(3)
START = RNG.normal(size=(3, 4))
GRADS = RNG.normal(size=(20, 3, 4))
LR = 0.05


def f32(value: float) -> float:
    return float(np.float32(value))


def sgd(p, g, s, t, decay=0.0):
    return p - LR * (g + decay * p)


def momentum(p, g, s, t, mu=0.9, nesterov=False, decay=0.0):
    g = g + f32(decay) * p
    s["v"] = f32(mu) * s.get("v", 0.0) + g
    return p - LR * (g + f32(mu) * s["v"] if nesterov else s["v"])


def adam(p, g, s, t, beta1=0.9, beta2=0.999, epsilon=1e-8, decay=0.0):
    g = g + decay * p
    s["m"] = beta1 * s.get("m", 0.0) + (1 - beta1) * g
    s["v"] = beta2 * s.get("v", 0.0) + (1 - beta2) * g * g
    spread = math.sqrt(1 - beta2**t)
    rate = LR * spread / (1 - beta1**t)
    return p - rate * s["m"] / (np.sqrt(s["v"]) + epsilon * spread)


def adamw(p, g, s, t, decay=0.01):
    return adam(p - LR * f32(decay) * p, g, s, t)


TABLE = {
    "SGD": ("SGD", {}, sgd, {}),
    "SGD with decay": ("SGD", {"weight_decay": 0.1}, sgd, {"decay": 0.1}),
    "Momentum": ("Momentum", {"momentum": 0.8}, momentum, {"mu": 0.8}),
    "Nesterov": ("Momentum", {"use_nesterov": True}, momentum, {"nesterov": True}),
    "Momentum with decay": ("Momentum", {"weight_decay": 0.1}, momentum, {"decay": 0.1}),
    "Adam": ("Adam", {}, adam, {}),
    "Adam with all": (
        "Adam", {"beta1": 0.7, "beta2": 0.9, "epsilon": 0.1, "weight_decay": 0.2},
        adam, {"beta1": 0.7, "beta2": 0.9, "epsilon": 0.1, "decay": 0.2},
    ),
    "AdamW": ("AdamW", {}, adamw, {}),
    "AdamW with decay": ("AdamW", {"weight_decay": 0.3}, adamw, {"decay": 0.3}),
}  # fmt: skip


def trajectory(kind: str, options: dict, dtype: str) -> list[np.ndarray]:
    w = paddle.to_tensor(START.astype(dtype), stop_gradient=False)
    optimizer = getattr(paddle.optimizer, kind)(learning_rate=LR, parameters=[w], **options)
    points = []
    for grad in GRADS.astype(dtype):
        (w * paddle.to_tensor(grad)).sum().backward()
        optimizer.step()
        optimizer.clear_grad()
        points.append(w.numpy())
    return points


@each("row", TABLE.values(), ids=TABLE)
@each(("dtype", "tolerance"), [("float64", 1e-13), ("float32", 2e-5)])
def test_follows_the_formula(row, dtype: str, tolerance: float) -> None:
    kind, options, formula, numbers = row
    wanted, memory = START, {}
    found = trajectory(kind, options, dtype)
    for step, grad in enumerate(GRADS):
        wanted = formula(wanted, grad, memory, step + 1, **numbers)
        assert found[step].dtype == dtype
        np.testing.assert_allclose(found[step], wanted, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("decay", [0.0, 0.25])
def test_sgd_is_exact_in_float32(decay: float) -> None:
    found = trajectory("SGD", {"weight_decay": decay}, "float32")
    p = START.astype("float32")
    for step, grad in enumerate(GRADS.astype("float32")):
        p = p - np.float32(LR) * (grad + np.float32(decay) * p)
        assert np.array_equal(found[step], p)


def test_the_first_step_of_adam_is_the_learning_rate() -> None:
    w = paddle.to_tensor([1.0, 1.0], dtype="float64", stop_gradient=False)
    adam = paddle.optimizer.Adam(0.25, epsilon=0.0, parameters=[w])
    (w * paddle.to_tensor([1e-9, -1e9], dtype="float64")).sum().backward()
    adam.step()
    np.testing.assert_allclose(w.numpy(), [0.75, 1.25], rtol=1e-12)


CORRECTED = ("m̂", "v̂", "û")  # means that began at zero


@each("kind", ["Adam", "AMSGrad", "AdamW", "Lamb", "NAdam", "RAdam"])
def test_a_formula_says_what_its_corrected_means_are(kind: str) -> None:
    w = paddle.to_tensor([1.0], stop_gradient=False)
    name, options = ("Adam", {"amsgrad": True}) if kind == "AMSGrad" else (kind, {})
    formula = getattr(paddle.optimizer, name)(0.1, parameters=[w], **options).rule_for(w).formula
    used = {letter for letter in CORRECTED if letter in formula}
    assert used
    assert used <= {part.split(", ")[-1].strip() for part in formula.split("←")[:-1]}
