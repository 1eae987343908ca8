"""Schedulers: the rates of many epochs, jumps, saved state, printed texts, errors."""

import contextlib
import io

import numpy as np

from ..harness import Case, case
from ._tables import made, recorded_texts
from ._texts import texts

JUMPS = (7, 2, 11)


def rates(name, text):
    def run(paddle, show):
        rate, rates = made(paddle.optimizer.lr, text), []
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
        other = made(paddle.optimizer.lr, text)
        other.set_state_dict(state)
        show("taken up", [other(), other.last_epoch])
        later = made(paddle.optimizer.lr, text, last_epoch=4)
        show("last_epoch", [later(), later.last_epoch])

    return Case(name, run)


TABLE = [rates(*row) for row in recorded_texts("schedulers", "rates")]


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
def what_others_refuse(paddle, show):
    lr = paddle.optimizer.lr
    rate = lr.OneCycleLR(1.0, 2, phase_pct=0.9)
    rate.step()
    rate.step()
    show.raises("too far", rate.step)


def names(paddle):
    """Return the names that the expressions use."""
    lr = paddle.optimizer.lr
    return globals() | locals()


TABLE += texts("schedulers", names, skip=["rates"])
