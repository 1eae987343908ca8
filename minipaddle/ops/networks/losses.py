"""Losses element by element: binary cross entropy, divergence, Huber loss, log loss."""

from __future__ import annotations

from typing import Any

from ...engine.errors import InvalidArgument
from ...engine.meta import Meta, floats_widen, no_kernel
from ...errors import misfit
from .. import errors
from ..arguments import read_number, shapes_differ
from ..op_spec import internal
from ..record import Formula, Operands, Static, sample
from ..rule_functions import host_check

OPEN = (0.2, 0.8)  # keeps probabilities away from 0 and 1
PAIR = (
    sample((2, 3), (2, 3), domain=OPEN),
    sample((), (), domain=OPEN),
    sample((0, 2), (0, 2), domain=OPEN),
)


def _check_label_shape(name: str, x: Meta, label: Meta) -> None:
    """Raise an error unless the label has the shape of the input."""
    if shapes_differ(x.shape, label.shape):
        raise errors.shape(name, x.shape, label=label, input=x)


def _loss_inference(name: str) -> Any:
    """Return the inference of a loss whose label has shape and dtype of the input."""

    def infer(x: Meta, label: Meta, **_attrs: Any) -> Meta:
        if x.dtype.kind != "f":
            raise no_kernel(name, "input", x)
        _check_label_shape(name, x, label)
        if label.dtype != x.dtype:
            raise errors.other_dtype(name, input=x, label=label)
        return x

    return infer


# ----- two classes -------------------------------------------------------------------------------

LOWEST = -100.0  # replaces the logarithm of 0


@host_check(same_between=lambda x: (x, 0, 1))
def _check_probabilities(xp: Any, x: Any) -> None:
    if x.size and (float(x.min()) < 0 or float(x.max()) > 1):
        low = float(x.min())
        fix = "take sigmoid of it first, or use binary_cross_entropy_with_logits"
        found = low if low < 0 else float(x.max())
        bounds = "probabilities, 0 <= input <= 1"
        raise misfit("binary_cross_entropy", bounds, InvalidArgument, fix, input=found)


@internal(
    infer=_loss_inference("binary_cross_entropy"),
    checked=True,
    formula=Formula(
        "loss = −label · ln x − (1 − label) · ln(1 − x)",
        "dx = dloss · (x − label) / (x · (1 − x)), dlabel = dloss · (ln(1 − x) − ln x)",
        node="BceLoss",
    ),
    samples=PAIR,
    static=Static("bce_loss"),
)
def binary_cross_entropy(xp: Any, x: Any, label: Any) -> Any:
    """Binary cross entropy of probabilities and labels between 0 and 1."""
    _check_probabilities(xp, x)
    yes, no = xp.maximum(xp.log(x), LOWEST), xp.maximum(xp.log(1.0 - x), LOWEST)
    return (label - 1.0) * no - label * yes


@binary_cross_entropy.grad
def binary_cross_entropy_grad(F: Any, dout: Any, x: Any, label: Any, *, needs: list[bool]) -> Any:
    dlabel = None
    if needs[1]:
        dlabel = dout * (F.clip(F.log(1.0 - x), min=LOWEST) - F.clip(F.log(x), min=LOWEST))
    return dout * (x - label) / F.clip((1.0 - x) * x, min=1e-12), dlabel


@internal(
    infer=_loss_inference("binary_cross_entropy_with_logits"),
    checked=True,
    formula=Formula(
        "loss = −label · ln(sigmoid(x)) − (1 − label) · ln(1 − sigmoid(x))",
        "dx = dloss · (sigmoid(x) − label), dlabel = −dloss · x",
        symbol="sigmoid + cross entropy",
        node="SigmoidCrossEntropyWithLogits",
    ),
    samples=PAIR,
    static=Static(
        "sigmoid_cross_entropy_with_logits",
        extra={"normalize": False, "ignore_index": -100},
        prefix="sigmoid_cross_entropy",
    ),
)
def binary_cross_entropy_with_logits(xp: Any, x: Any, label: Any) -> Any:
    """Binary cross entropy of sigmoid(x) and labels between 0 and 1; 0 for a label of -100."""
    loss = xp.maximum(x, 0.0) - x * label + xp.log1p(xp.exp(-xp.abs(x)))
    return xp.where(label != -100.0, loss, xp.zeros((), loss.dtype))


@binary_cross_entropy_with_logits.grad
def binary_cross_entropy_with_logits_grad(
    F: Any, dout: Any, x: Any, label: Any, *, needs: list[bool]
) -> Any:
    counted, zero = label != -100.0, F.fill_like(dout)
    dlabel = F.where(counted, -dout * x, zero) if needs[1] else None
    return F.where(counted, dout * (F.sigmoid(x) - label), zero), dlabel


# ----- distributions -----------------------------------------------------------------------------


@internal(
    infer=_loss_inference("kl_div"),
    checked=True,
    formula=Formula(
        lambda attrs: (
            "loss = e^label · (label − x)"
            if attrs["log_target"]
            else "loss = label · (ln label − x)"
        ),
        lambda attrs: (
            "dx = −dloss · e^label, dlabel = dloss · e^label · (label − x + 1)"
            if attrs["log_target"]
            else "dx = −dloss · label · [label > 0], "
            "dlabel = dloss · (ln label − x + 1) · [label > 0]"
        ),
        node="KldivLoss",
    ),
    samples=(*PAIR, sample((2, 3), (2, 3), log_target=True)),
    static=Static(
        "kldiv_loss", slots={"label": "Target", "out": "Loss"}, extra={"reduction": "none"}
    ),
)
def kl_div(xp: Any, x: Any, label: Any, *, log_target: bool = False) -> Any:
    """Kullback-Leibler divergence of labels from log-probabilities x; 0 for labels of at most 0."""
    if log_target:
        return xp.exp(label) * (label - x)
    some = label > 0
    cost = label * (xp.log(xp.where(some, label, xp.ones_like(label))) - x)
    return xp.where(some, cost, xp.zeros((), cost.dtype))


@kl_div.grad
def kl_div_grad(
    F: Any, dout: Any, x: Any, label: Any, *, log_target: bool, needs: list[bool]
) -> Any:
    dlabel = None
    if log_target:
        share = F.exp(label)
        if needs[1]:
            dlabel = dout * share * (label - x + 1.0)
        return -dout * share, dlabel
    some, zero = label > 0.0, F.fill_like(dout)
    if needs[1]:
        slope = F.log(F.where(some, label, F.fill_like(label, value=1.0))) - x + 1.0
        dlabel = F.where(some, dout * slope, zero)
    return F.where(some, -dout * label, zero), dlabel


# ----- distances ---------------------------------------------------------------------------------


def _huber_infer(x: Meta, y: Meta, *, delta: float) -> Meta:
    if x.dtype.kind != "f":
        raise no_kernel("smooth_l1_loss", "input", x)
    _check_label_shape("smooth_l1_loss", x, y)
    return x


@internal(
    infer=_huber_infer,
    checked=True,
    canon={"delta": read_number},
    operands=Operands(promotes=floats_widen),
    formula=Formula(
        "loss = ½ d² · [|d| ≤ δ] + δ · (|d| − δ / 2) · [|d| > δ], d = x − y",
        symbol="smooth_l1_loss",
        node="HuberLoss",
    ),
    samples=(
        sample((2, 3), (2, 3), domain=(0.1, 0.5)),
        sample((2, 3), (2, 3), delta=0.01),
        sample((), (), delta=5.0),
        sample((0, 2), (0, 2)),
    ),
    static=Static("huber_loss"),
)
def smooth_l1_loss(xp: Any, x: Any, y: Any, *, delta: float = 1.0) -> Any:
    """Half the squared difference, but a line where it is larger than delta."""
    size = xp.abs(x - y)
    small = xp.minimum(size, delta)
    return small * (size - 0.5 * small)


@smooth_l1_loss.grad
def smooth_l1_loss_grad(F: Any, dout: Any, x: Any, y: Any, *, delta: float) -> Any:
    slope = dout * F.clip(x - y, min=-delta, max=delta)
    return slope, -slope


def _log_infer(x: Meta, label: Meta, *, epsilon: float) -> Meta:
    _loss_inference("log_loss")(x, label)
    if len(x.shape) != 2 or x.shape[1] not in (1, -1):
        raise errors.shape("log_loss", ("N", 1), input=x)
    return x


@internal(
    infer=_log_infer,
    checked=True,
    canon={"epsilon": read_number},
    formula=Formula("loss = −label · ln(x + ε) − (1 − label) · ln(1 − x + ε)", symbol="log loss"),
    samples=(sample((3, 1), (3, 1), domain=OPEN), sample((2, 1), (2, 1), epsilon=0.1, domain=OPEN)),
    static=Static("log_loss", slots={"x": "Predicted", "label": "Labels", "out": "Loss"}),
)
def log_loss(xp: Any, x: Any, label: Any, *, epsilon: float = 1e-4) -> Any:
    """Binary cross entropy of probabilities and labels, with epsilon against infinities."""
    return (label - 1.0) * xp.log(1.0 - x + epsilon) - label * xp.log(x + epsilon)


@log_loss.grad
def log_loss_grad(
    F: Any, dout: Any, x: Any, label: Any, *, epsilon: float, needs: list[bool]
) -> Any:
    yes, no = x + epsilon, 1.0 - x + epsilon
    dlabel = dout * (F.log(no) - F.log(yes)) if needs[1] else None
    return dout * ((1.0 - label) / no - label / yes), dlabel
