"""Schedulers: the rates of many epochs, jumps, saved state, printed texts, errors."""

import contextlib
import io

import numpy as np

from ..harness import Case, case
from ._texts import texts

KINDS = {
    "noam": ("NoamDecay", {"d_model": 16, "warmup_steps": 5}),
    "noam_rate": ("NoamDecay", {"d_model": 0.25, "warmup_steps": 2.5, "learning_rate": 0.5}),
    "piecewise": ("PiecewiseDecay", {"boundaries": [3, 6, 9], "values": [1.0, 0.5, 0.25, 0.1]}),
    "natural": ("NaturalExpDecay", {"learning_rate": 0.5, "gamma": 0.1}),
    "inverse": ("InverseTimeDecay", {"learning_rate": 0.5, "gamma": 0.1}),
    "polynomial": ("PolynomialDecay", {"learning_rate": 0.5, "decay_steps": 7}),
    "polynomial_power": (
        "PolynomialDecay",
        {"learning_rate": 0.5, "decay_steps": 7, "end_lr": 0.01, "power": 2.0},
    ),
    "polynomial_cycle": (
        "PolynomialDecay", {"learning_rate": 0.5, "decay_steps": 5, "power": 1.5, "cycle": True}
    ),
    "warmup": (
        "LinearWarmup", {"learning_rate": 0.5, "warmup_steps": 6, "start_lr": 0.0, "end_lr": 0.5}
    ),
    "exponential": ("ExponentialDecay", {"learning_rate": 0.5, "gamma": 0.9}),
    "multi_step": ("MultiStepDecay", {"learning_rate": 0.5, "milestones": [2, 5, 9]}),
    "multi_step_gamma": (
        "MultiStepDecay", {"learning_rate": 0.5, "milestones": (3,), "gamma": 0.5}
    ),
    "step": ("StepDecay", {"learning_rate": 0.5, "step_size": 3}),
    "step_gamma": ("StepDecay", {"learning_rate": 0.5, "step_size": 4, "gamma": 0.7}),
    "lambda": ("LambdaDecay", {"learning_rate": 0.5, "lr_lambda": lambda e: 0.95**e}),
    "multiplicative": (
        "MultiplicativeDecay", {"learning_rate": 0.5, "lr_lambda": lambda e: 1 - 0.01 * e}
    ),
    "cosine": ("CosineAnnealingDecay", {"learning_rate": 0.5, "T_max": 4}),
    "cosine_min": ("CosineAnnealingDecay", {"learning_rate": 0.5, "T_max": 5, "eta_min": 0.1}),
    "restarts": ("CosineAnnealingWarmRestarts", {"learning_rate": 0.5, "T_0": 3}),
    "restarts_longer": (
        "CosineAnnealingWarmRestarts",
        {"learning_rate": 0.5, "T_0": 2, "T_mult": 2, "eta_min": 0.05},
    ),
    "one_cycle": ("OneCycleLR", {"max_learning_rate": 1.0, "total_steps": 16}),
    "one_cycle_linear": (
        "OneCycleLR",
        {"max_learning_rate": 1.0, "total_steps": 16, "divide_factor": 5.0,
         "anneal_strategy": "linear", "phase_pct": 0.5},
    ),
    "one_cycle_three": (
        "OneCycleLR",
        {"max_learning_rate": 1.0, "total_steps": 16, "three_phase": True, "phase_pct": 0.25,
         "end_learning_rate": 0.01},
    ),
    "cyclic": (
        "CyclicLR", {"base_learning_rate": 0.1, "max_learning_rate": 1.0, "step_size_up": 4}
    ),
    "cyclic_two": (
        "CyclicLR",
        {"base_learning_rate": 0.1, "max_learning_rate": 1.0, "step_size_up": 2,
         "step_size_down": 3, "mode": "triangular2"},
    ),
    "cyclic_exp": (
        "CyclicLR",
        {"base_learning_rate": 0.1, "max_learning_rate": 1.0, "step_size_up": 3,
         "mode": "exp_range", "exp_gamma": 0.9},
    ),
    "cyclic_own": (
        "CyclicLR",
        {"base_learning_rate": 0.1, "max_learning_rate": 1.0, "step_size_up": 3,
         "scale_fn": lambda x: 0.8**x, "scale_mode": "iterations"},
    ),
    "cyclic_own_cycle": (
        "CyclicLR",
        {"base_learning_rate": 0.1, "max_learning_rate": 1.0, "step_size_up": 3,
         "scale_fn": lambda x: 0.8**x},
    ),
    "linear": ("LinearLR", {"learning_rate": 0.5, "total_steps": 6}),
    "linear_down": (
        "LinearLR",
        {"learning_rate": 0.5, "total_steps": 6, "start_factor": 1.0, "end_factor": 0.25},
    ),
}  # fmt: skip
JUMPS = (7, 2, 11)


def made(paddle, kind, options, **more):
    return getattr(paddle.optimizer.lr, kind)(**{**options, **more})


def rates(name, kind, options):
    def run(paddle, show):
        rate, rates = made(paddle, kind, options), []
        for _ in range(16):
            rates.append(rate())
            rate.step()
        show("rates", rates)
        show("epoch", rate.last_epoch)
        for epoch in JUMPS:
            rate.step(epoch)
            show(f"jump to {epoch}", [rate(), rate.last_epoch])
        rate.step()
        show("on from there", rate())
        state = rate.state_dict()
        show("keys", list(state))
        other = made(paddle, kind, options)
        other.set_state_dict(state)
        show("taken up", [other(), other.last_epoch])
        later = made(paddle, kind, options, last_epoch=4)
        show("last_epoch", [later(), later.last_epoch])

    return Case(f"rates_of_{name}", run)


TABLE = [rates(name, *row) for name, row in KINDS.items()]


@case
def a_scheduler_after_the_warmup(paddle, show):
    lr = paddle.optimizer.lr
    inner = lr.PolynomialDecay(0.5, 10, end_lr=0.0)
    rate, rates = lr.LinearWarmup(inner, 4, 0.0, 0.5), []
    for _ in range(10):
        rates.append(rate())
        rate.step()
    show("rates", rates)
    show("keys", [sorted(rate.state_dict()), sorted(rate.state_dict()["LinearWarmup_LR"])])
    other = lr.LinearWarmup(lr.PolynomialDecay(0.5, 10, end_lr=0.0), 4, 0.0, 0.5)
    other.set_state_dict(rate.state_dict())
    other.step()
    show("taken up", other())


LOSSES = [1.0, 0.9, 0.95, 0.9, 0.89999, 0.5, 0.6, 0.7, 0.8, 0.9, 0.4, 0.41, 0.42, 0.43, 0.44]
PLATEAUS = {
    "plain": {"patience": 2},
    "none": {"patience": 0, "factor": 0.5},
    "max": {"patience": 1, "mode": "max"},
    "abs": {"patience": 1, "threshold": 0.05, "threshold_mode": "abs"},
    "max abs": {"patience": 1, "threshold": 0.05, "threshold_mode": "ABS", "mode": "MAX"},
    "cooldown": {"patience": 0, "cooldown": 2, "factor": 0.5},
    "floor": {"patience": 0, "min_lr": 0.01},
    "epsilon": {"patience": 0, "epsilon": 0.01},
}


@case
def reduce_on_plateau(paddle, show):
    for name, options in PLATEAUS.items():
        rate, rates = paddle.optimizer.lr.ReduceOnPlateau(0.5, **options), []
        for loss in LOSSES:
            rate.step(loss)
            rates.append(rate())
        show(name, rates)
        state = rate.state_dict()
        show(f"{name} state", [[key, float(value)] for key, value in state.items()])
    rate = paddle.optimizer.lr.ReduceOnPlateau(0.5, patience=0)
    rate.step(paddle.to_tensor(1.0))
    rate.step(np.array([2.0]))
    rate.step(np.float32(3.0), epoch=7)
    show("kinds of metrics", [rate(), rate.last_epoch])
    show.raises("two numbers", lambda: rate.step(paddle.ones([2])))
    show.raises("text", lambda: rate.step("good"))


@case
def what_is_printed(paddle, show):
    lr = paddle.optimizer.lr
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        rate = lr.StepDecay(0.5, 1, verbose=True)
        rate.step()
        rate.step(5)
        restarts = lr.CosineAnnealingWarmRestarts(0.5, 1, verbose=True)
        restarts.step()
        plateau = lr.ReduceOnPlateau(0.5, patience=0, verbose=True)
        for loss in (1.0, 1.0, 2.0):
            plateau.step(loss)
    show("text", text.getvalue())


@case
def a_kind_of_ones_own(paddle, show):
    class Halves(paddle.optimizer.lr.LRScheduler):
        def get_lr(self):
            return self.base_lr * 0.5**self.last_epoch

    rate = Halves(0.5)
    rate.step()
    show("rate", [rate(), rate.get_lr(), rate.last_lr, rate.base_lr, rate.last_epoch])
    show("state", rate.state_dict()["last_lr"])
    show.raises("none", lambda: paddle.optimizer.lr.LRScheduler(0.5))


@case
def what_others_refuse(paddle, show):
    lr = paddle.optimizer.lr
    wrong = {
        "mode": lambda: lr.ReduceOnPlateau(0.5, mode="best"),
        "factor": lambda: lr.ReduceOnPlateau(0.5, factor=1.0),
        "threshold": lambda: lr.ReduceOnPlateau(0.5, threshold_mode="none"),
        "plateau rate": lambda: lr.ReduceOnPlateau("a"),
        "T_max": lambda: lr.CosineAnnealingDecay(0.5, 2.5),
        "T_max 0": lambda: lr.CosineAnnealingDecay(0.5, 0),
        "eta_min": lambda: lr.CosineAnnealingDecay(0.5, 2, "a"),
        "T_0": lambda: lr.CosineAnnealingWarmRestarts(0.5, 0),
        "T_mult": lambda: lr.CosineAnnealingWarmRestarts(0.5, 1, 0),
        "restart at": lambda: lr.CosineAnnealingWarmRestarts(0.5, 1).step(-1),
        "one cycle": lambda: lr.OneCycleLR("a", 3),
        "one cycle negative": lambda: lr.OneCycleLR(-1.0, 3),
        "one cycle end": lambda: lr.OneCycleLR(1.0, 3, end_learning_rate=-1.0),
        "total": lambda: lr.OneCycleLR(1.0, 2.5),
        "total 0": lambda: lr.OneCycleLR(1.0, 0),
        "phase": lambda: lr.OneCycleLR(1.0, 3, phase_pct=1),
        "phase 2": lambda: lr.OneCycleLR(1.0, 3, phase_pct=2.0),
        "divide": lambda: lr.OneCycleLR(1.0, 3, divide_factor="a"),
        "three": lambda: lr.OneCycleLR(1.0, 9, phase_pct=0.6, three_phase=True),
        "anneal": lambda: lr.OneCycleLR(1.0, 3, anneal_strategy="sin"),
        "cyclic": lambda: lr.CyclicLR(0.1, "a", 3),
        "cyclic negative": lambda: lr.CyclicLR(0.1, -1.0, 3),
        "up": lambda: lr.CyclicLR(0.1, 1.0, 2.5),
        "up 0": lambda: lr.CyclicLR(0.1, 1.0, 0),
        "down": lambda: lr.CyclicLR(0.1, 1.0, 1, 2.5),
        "down 0": lambda: lr.CyclicLR(0.1, 1.0, 1, 0),
        "exp_gamma": lambda: lr.CyclicLR(0.1, 1.0, 1, exp_gamma=1),
        "cyclic mode": lambda: lr.CyclicLR(0.1, 1.0, 1, mode="square"),
        "scale mode": lambda: lr.CyclicLR(0.1, 1.0, 1, scale_mode="time"),
        "start factor": lambda: lr.LinearLR(0.5, 3, start_factor=0.0),
        "end factor": lambda: lr.LinearLR(0.5, 3, end_factor=1.5),
        "linear steps": lambda: lr.LinearLR(0.5, 0),
        "state": lambda: lr.StepDecay(0.5, 1).set_state_dict({"last_epoch": 3}),
    }
    for label, call in wrong.items():
        show.raises(label, call)
    rate = lr.OneCycleLR(1.0, 2, phase_pct=0.9)
    rate.step()
    rate.step()
    show.raises("too far", rate.step)


def names(paddle):
    """Return the names that the expressions use."""
    lr = paddle.optimizer.lr
    return globals() | locals()


TABLE += [*texts("schedulers", "call", names=names)]
