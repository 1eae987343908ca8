"""Reasons why a tensor has no gradient: one test per reason, with the op that cuts it."""

from typing import Any

import pytest

import minipaddle as paddle
from minipaddle.autograd import why_no_grad
from minipaddle.engine import stop_reasons
from minipaddle.engine.why_no_grad import Reason
from tests.contract.refusal import refused
from tests.each import each

from ..samples import leaf, pylayer


@pytest.fixture(autouse=True)
def _forget_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stop_reasons.passes, "number", 0)
    monkeypatch.setattr(stop_reasons.passes, "roots", ())
    stop_reasons.cut_results.clear()


def asked(t: Any, loss: Any = None) -> tuple[Reason, str]:
    why = why_no_grad(t, loss)
    assert why.tensor is t
    told = why.message.happened(), why.message.advice
    assert (why.text, why.fix) == tuple(text.en for text in told)
    assert not any("{" in text for both in told for text in both)
    assert why.where.removesuffix("GradNode").lower() in f"{why.text} {why.fix}".lower()
    return why.reason, why.where


# A PyLayer that gives a gradient only to its first input.
Half = pylayer(lambda ctx, x, y: x + y, lambda ctx, dy: (dy, None), "Half")


# ----- reasons in the tensor itself --------------------------------------------------------------


def test_stop_gradient_set_on_a_result_is_a_reason() -> None:
    y = leaf(1.0) * 2
    y.stop_gradient = True
    assert asked(y) == (Reason.STOP_GRADIENT, "ScaleGradNode")


def test_an_integer_dtype_is_a_reason() -> None:
    x = paddle.to_tensor([1, 2])
    assert asked(x) == (Reason.INTEGER, "")
    assert "int64" in why_no_grad(x).text


@each(
    ("make", "where"),
    [
        (paddle.tanh, "tanh"),
        (lambda x: x * x, "multiply"),
        (lambda x: x.sum(), "sum"),
        (lambda x: paddle.concat([x, x]), "concat"),
    ],
)
def test_no_grad_is_a_reason(make: Any, where: str) -> None:
    x = leaf(1.0, 2.0)
    with paddle.no_grad():
        y = make(x)
    assert asked(y) == (Reason.NO_GRAD, where)
    assert asked(y * 2) == (Reason.NO_GRAD, where), "the reason goes on to what is computed"
    assert asked(y + paddle.ones([1])) == (Reason.NO_GRAD, where)
    assert asked(paddle.ones([1]) + y) == (Reason.NO_GRAD, where)


def test_an_op_without_gradient_is_a_reason() -> None:
    x = leaf(1.0, 2.0)
    assert asked(paddle.argmax(x)) == (Reason.GRADLESS_OP, "argmax")
    assert asked((x > 1).astype("float32")) == (Reason.GRADLESS_OP, "greater_than")


def test_a_mark_of_the_output_is_a_reason() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        order = paddle.argmax(x).astype("float32")
        ctx.mark_non_differentiable(order)
        return x * 1, order

    _, order = pylayer(forward, name="Sorted").apply(leaf(1.0, 2.0))
    assert asked(order) == (Reason.NON_DIFFERENTIABLE, "Sorted")


def test_a_result_is_not_a_leaf() -> None:
    y = leaf(1.0) * 2
    (y * 3).backward()
    assert asked(y) == (Reason.NOT_A_LEAF, "ScaleGradNode")
    kept = leaf(1.0) * 2
    kept.retain_grads()
    (kept * 3).backward()
    assert asked(kept)[0] is Reason.HAS_GRADIENT


def test_an_in_place_overwrite_is_a_reason() -> None:
    x = paddle.to_tensor([1.0, 2.0])
    x.scale_(2.0)
    x.add_(leaf(1.0, 1.0))
    (x * 3).sum().backward()
    assert asked(x) == (Reason.OVERWRITTEN, "AddGradNode")
    assert "no longer a leaf but the result of add" in why_no_grad(x).text


# ----- reasons in what backward did --------------------------------------------------------------


def test_a_missing_backward_is_a_reason() -> None:
    x = leaf(1.0)
    loss = x * 2
    assert asked(x) == (Reason.NO_BACKWARD, "")
    paddle.grad(loss, x)
    assert asked(x) == (Reason.NO_BACKWARD, "")


@each(
    "clear",
    [
        lambda x: x.clear_grad(),
        lambda x: x.clear_gradient(False),
        lambda x: setattr(x, "grad", None),
    ],
)
def test_clearing_is_a_reason(clear: Any) -> None:
    x = leaf(1.0)
    (x * 2).backward()
    clear(x)
    assert asked(x) == (Reason.CLEARED, "")
    loss = leaf(1.0) * 2
    loss.backward()
    assert asked(x)[0] is Reason.NOT_REACHED


def test_independence_of_the_loss_is_a_reason() -> None:
    x, w = leaf(1.0), leaf(2.0)
    loss = x * 2
    loss.backward()
    assert asked(w) == (Reason.NOT_REACHED, "")
    other = w * 2
    assert asked(w, loss)[0] is Reason.NOT_REACHED
    assert asked(w, other)[0] is Reason.INTERRUPTED


def test_a_reason_is_found_without_the_deleted_loss() -> None:
    w = leaf(2.0)
    (leaf(1.0) * 2).backward()
    assert asked(w)[0] is Reason.NOT_REACHED


@each(
    ("loss_of", "reason", "where"),
    [
        (lambda w: paddle.argmax(w * 2).astype("float32"), Reason.GRADLESS_OP, "argmax"),
        (lambda w: (w * 2).detach().sum(), Reason.DETACHED, "detach"),
        (paddle.no_grad()(paddle.sum), Reason.NO_GRAD, "sum"),
    ],
)
def test_a_loss_without_history_is_a_reason(loss_of: Any, reason: Reason, where: str) -> None:
    w = leaf(1.0, 2.0)
    loss = loss_of(w)
    loss.backward()
    assert asked(w) == (reason, where)


@each(
    ("cut", "reason", "where"),
    [
        (lambda w: w.detach(), Reason.DETACHED, "detach"),
        (paddle.no_grad()(paddle.tanh), Reason.NO_GRAD, "tanh"),
        (lambda w: (w > 1).astype("float32"), Reason.GRADLESS_OP, "greater_than"),
    ],
)
@each("deep", [False, True])
def test_a_cut_on_the_path_is_a_reason(cut: Any, reason: Reason, where: str, deep: bool) -> None:
    """The loss depends on another tensor, but the path to this one is cut."""
    w, other = leaf(1.0, 2.0), leaf(3.0, 4.0)
    h = w * 2 if deep else w
    loss = (cut(h) * other).sum()
    loss.backward()
    assert asked(w) == (reason, where)
    assert asked(other)[0] is Reason.HAS_GRADIENT


def test_the_forward_of_a_layer_is_no_cut() -> None:
    """A PyLayer computes off the tape by design."""
    w, x = leaf(1.0), leaf(2.0)
    unused = Half.apply(w, x)
    loss = x * 2
    loss.backward()
    assert asked(w)[0] is Reason.NOT_REACHED
    del unused


@each("inner", [False, True])
def test_a_backward_that_returned_none_is_a_reason(inner: bool) -> None:
    x, w = leaf(1.0), leaf(2.0)
    loss = Half.apply(x, w * 3 if inner else w) * 2
    loss.backward()
    why = why_no_grad(w)
    assert (why.reason, why.where) == (Reason.RETURNED_NONE, "GradNodePyLayer_Half")
    assert "backward of Half" in why.text
    assert "test_why_no_grad.py:" in why.text
    assert asked(x)[0] is Reason.HAS_GRADIENT


def test_a_zero_gradient_is_reported_as_zero() -> None:
    x = leaf(-1.0, -2.0)
    loss = paddle.nn.functional.relu(x).sum()
    loss.backward()
    assert asked(x) == (Reason.ZERO, "")


def test_only_tensors_are_taken() -> None:
    refused(why_no_grad, TypeError, 3.0)
    refused(why_no_grad, TypeError, leaf(1.0), 3.0)


def test_explaining_keeps_nothing_alive() -> None:
    x = leaf(1.0)
    for _ in range(200):
        (x * 2).detach()
    assert len(stop_reasons.cut_results) <= 64
    assert all(ref() is None for ref in stop_reasons.cut_results)


def test_a_pylayer_without_inputs_that_need_a_gradient_is_a_reason() -> None:
    """A PyLayer whose inputs need no gradient is not on the tape; neither are its results."""

    Left = pylayer(lambda ctx, a: a * 2, lambda ctx, dout: dout, "Left")

    y = Left.apply(paddle.to_tensor([1.0]))
    assert asked(y) == (Reason.STOP_GRADIENT, "")
