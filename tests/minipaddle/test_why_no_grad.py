"""Why a tensor has no gradient: one test per reason, with its text."""

from __future__ import annotations

from typing import Any

import pytest

import minipaddle as paddle
from minipaddle.autograd import PyLayer, why_no_grad
from minipaddle.engine import stop_reasons
from minipaddle.engine.why_no_grad import Reason
from tests.each import each

from ..samples import leaf


@pytest.fixture(autouse=True)
def _no_passes_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stop_reasons.passes, "number", 0)
    monkeypatch.setattr(stop_reasons.passes, "roots", ())
    stop_reasons.cut_results.clear()


def asked(t: Any, loss: Any = None) -> tuple[Reason, str, str]:
    why = why_no_grad(t, loss)
    assert why.tensor is t
    told = why.message.happened(), why.message.advice
    assert (why.text, why.fix) == tuple(text.en for text in told)
    assert not any("{" in text.zh for text in told)
    return why.reason, why.where, why.text


class Half(PyLayer):
    """Gives a gradient to its first input only."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        return x + y

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return dy, None


# ----- reasons in the tensor itself --------------------------------------------------------------


def test_a_gradient_that_is_there() -> None:
    x = leaf(1.0)
    (x * 2).backward()
    assert asked(x) == (Reason.HAS_GRADIENT, "", "t.grad holds a gradient that is not zero.")


def test_stop_gradient_of_a_leaf() -> None:
    x = paddle.to_tensor([1.0])
    (x * 2).backward()
    why = why_no_grad(x)
    assert why.reason is Reason.STOP_GRADIENT
    assert str(why) == (
        "stop_gradient of the tensor is True, as it is for whatever to_tensor() makes and for "
        "whatever is computed only from such tensors. "
        "Set stop_gradient = False on the tensors that need gradients before computing with them."
    )


def test_stop_gradient_set_on_a_result() -> None:
    y = leaf(1.0) * 2
    y.stop_gradient = True
    assert asked(y) == (
        Reason.STOP_GRADIENT,
        "ScaleGradNode",
        "the tensor is the result of scale, but its stop_gradient has been set to True.",
    )


def test_integers() -> None:
    reason, where, text = asked(paddle.to_tensor([1, 2]))
    assert (reason, where) == (Reason.INTEGER, "")
    assert text == (
        "the tensor holds int64 values, which do not vary continuously, and its stop_gradient "
        "is True."
    )


@pytest.mark.parametrize(
    "make",
    [paddle.tanh, lambda x: x * x, lambda x: x.sum(), lambda x: paddle.concat([x, x])],
)
def test_a_result_under_no_grad(make: Any) -> None:
    x = leaf(1.0, 2.0)
    with paddle.no_grad():
        y = make(x)
    reason, where, text = asked(y)
    assert reason is Reason.NO_GRAD
    assert text == f"{where} ran under paddle.no_grad(), where nothing is recorded."
    assert where in ("tanh", "multiply", "sum", "concat")
    assert "A parameter is changed in place under no_grad" in why_no_grad(y).fix
    assert asked(y * 2)[:2] == (Reason.NO_GRAD, where), "the reason goes on to what is computed"
    assert asked(y + paddle.ones([1]))[:2] == (Reason.NO_GRAD, where)
    assert asked(paddle.ones([1]) + y)[:2] == (Reason.NO_GRAD, where)


def test_detached() -> None:
    d = leaf(1.0).detach()
    assert asked(d) == (
        Reason.DETACHED,
        "detach",
        "detach() cut it off from the computation that made it.",
    )
    assert asked(paddle.exp(d) * 2)[0] is Reason.DETACHED
    assert d.stop_gradient is True


def test_the_result_of_an_op_without_gradient() -> None:
    x = leaf(1.0, 2.0)
    assert asked(paddle.argmax(x)) == (
        Reason.GRADLESS_OP,
        "argmax",
        "argmax has no gradient, so none comes from its result.",
    )
    assert asked((x > 1).astype("float32"))[:2] == (Reason.GRADLESS_OP, "greater_than")


def test_a_marked_output() -> None:
    class Sorted(PyLayer):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            order = paddle.argmax(x).astype("float32")
            ctx.mark_non_differentiable(order)
            return x * 1, order

        @staticmethod
        def backward(ctx: Any, dy: Any, d_order: Any) -> Any:
            return dy

    _, order = Sorted.apply(leaf(1.0, 2.0))
    assert asked(order) == (
        Reason.NON_DIFFERENTIABLE,
        "Sorted",
        "this output of Sorted is marked non-differentiable.",
    )


def test_not_a_leaf() -> None:
    y = leaf(1.0) * 2
    (y * 3).backward()
    reason, where, text = asked(y)
    assert (reason, where) == (Reason.NOT_A_LEAF, "ScaleGradNode")
    assert text == (
        "the tensor is not a leaf but the result of scale: backward hands its gradient "
        "on and does not keep it."
    )
    kept = leaf(1.0) * 2
    kept.retain_grads()
    (kept * 3).backward()
    assert asked(kept)[0] is Reason.HAS_GRADIENT


def test_a_parameter_is_called_by_its_name() -> None:
    weight = paddle.nn.Linear(2, 1).weight
    (leaf(1.0) * 2).backward()
    assert asked(weight)[2] == (
        f"The last backward did not reach {weight.name}: the loss it started from does not "
        "depend on it."
    )


def test_overwritten_in_place() -> None:
    x = paddle.to_tensor([1.0, 2.0])
    x.scale_(2.0)
    x.add_(leaf(1.0, 1.0))
    (x * 3).sum().backward()
    reason, where, text = asked(x)
    assert (reason, where) == (Reason.OVERWRITTEN, "AddGradNode")
    assert text == (
        "the tensor has been overwritten in place (2 times): it is no longer a leaf but the "
        "result of add, and only leaves keep gradients."
    )


# ----- reasons in what backward did --------------------------------------------------------------


def test_no_backward_yet() -> None:
    x = leaf(1.0)
    loss = x * 2
    assert asked(x) == (Reason.NO_BACKWARD, "", "No backward has run yet.")
    paddle.grad(loss, x)
    why = why_no_grad(x)
    assert why.reason is Reason.NO_BACKWARD
    assert "paddle.grad() gives gradients back and does not store them" in why.fix


@pytest.mark.parametrize(
    "clear",
    [
        lambda x: x.clear_grad(),
        lambda x: x.clear_gradient(False),
        lambda x: setattr(x, "grad", None),
    ],
)
def test_cleared(clear: Any) -> None:
    x = leaf(1.0)
    (x * 2).backward()
    clear(x)
    text = "The gradient has been cleared since the last backward."
    assert asked(x) == (Reason.CLEARED, "", text)
    loss = leaf(1.0) * 2
    loss.backward()
    assert asked(x)[0] is Reason.NOT_REACHED


def test_the_loss_does_not_depend_on_it() -> None:
    x, w = leaf(1.0), leaf(2.0)
    loss = x * 2
    loss.backward()
    assert asked(w) == (
        Reason.NOT_REACHED,
        "",
        (
            "The last backward did not reach the tensor: the loss it started from does not depend "
            "on it."
        ),
    )
    other = w * 2
    assert asked(w, loss)[0] is Reason.NOT_REACHED
    assert asked(w, other)[0] is Reason.INTERRUPTED


def test_a_loss_that_is_gone_is_no_hindrance() -> None:
    w = leaf(2.0)
    (leaf(1.0) * 2).backward()
    assert asked(w)[0] is Reason.NOT_REACHED


@pytest.mark.parametrize(
    ("loss_of", "reason", "where"),
    [
        (lambda w: paddle.argmax(w * 2).astype("float32"), Reason.GRADLESS_OP, "argmax"),
        (lambda w: (w * 2).detach().sum(), Reason.DETACHED, "detach"),
        (paddle.no_grad()(paddle.sum), Reason.NO_GRAD, "sum"),
    ],
)
def test_a_loss_without_history(loss_of: Any, reason: Reason, where: str) -> None:
    w = leaf(1.0, 2.0)
    loss = loss_of(w)
    loss.backward()
    found = asked(w)
    assert found[:2] == (reason, where)
    assert found[2].startswith(
        "The last backward did nothing, because its loss wants no gradient: "
    )


@each(
    ("cut", "reason", "where"),
    [
        (lambda w: w.detach(), Reason.DETACHED, "detach"),
        (paddle.no_grad()(paddle.tanh), Reason.NO_GRAD, "tanh"),
        (lambda w: (w > 1).astype("float32"), Reason.GRADLESS_OP, "greater_than"),
    ],
)
@each("deep", [False, True])
def test_a_cut_on_the_way(cut: Any, reason: Reason, where: str, deep: bool) -> None:
    """The loss depends on another tensor, but the way to this one is cut."""
    w, other = leaf(1.0, 2.0), leaf(3.0, 4.0)
    h = w * 2 if deep else w
    loss = (cut(h) * other).sum()
    loss.backward()
    found = asked(w)
    assert found[:2] == (reason, where)
    assert found[2].startswith(
        "The loss does not depend on the tensor, whose last use without gradients was this: "
    )
    assert asked(other)[0] is Reason.HAS_GRADIENT


def test_a_forward_of_a_layer_is_no_cut() -> None:
    """A PyLayer computes off the tape, and that is nobody's mistake."""
    w, x = leaf(1.0), leaf(2.0)
    unused = Half.apply(w, x)
    loss = x * 2
    loss.backward()
    assert asked(w)[0] is Reason.NOT_REACHED
    del unused


@pytest.mark.parametrize("inner", [False, True])
def test_a_backward_that_returned_none(inner: bool) -> None:
    x, w = leaf(1.0), leaf(2.0)
    loss = Half.apply(x, w * 3 if inner else w) * 2
    loss.backward()
    reason, where, text = asked(w)
    assert (reason, where) == (Reason.RETURNED_NONE, "GradNodePyLayer_Half")
    assert text.startswith("backward of Half, applied at ")
    assert "test_why_no_grad.py:" in text
    assert text.endswith("returned None where the gradient of the tensor would come from.")
    assert asked(x)[0] is Reason.HAS_GRADIENT


def test_an_interrupted_backward() -> None:
    class Broken(PyLayer):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            raise ZeroDivisionError

    x = leaf(1.0)
    loss = Broken.apply(x)
    with pytest.raises(OSError, match="ZeroDivisionError"):
        loss.backward()
    assert asked(x) == (
        Reason.INTERRUPTED,
        "",
        (
            "The loss depends on the tensor, but the last backward ended before it arrived "
            "there: an exception stopped it."
        ),
    )


def test_zero() -> None:
    x = leaf(-1.0, -2.0)
    loss = paddle.nn.functional.relu(x).sum()
    loss.backward()
    text = "The gradient has arrived, and every element of it is zero."
    assert asked(x) == (Reason.ZERO, "", text)


def test_several_roots() -> None:
    x, y = leaf(-1.0), leaf(2.0)
    a, b = paddle.nn.functional.relu(x), y * 2
    paddle.autograd.backward([a, b])
    assert [asked(t)[0] for t in (x, y)] == [Reason.ZERO, Reason.HAS_GRADIENT]


def test_chinese_tells_the_same_under_another_name() -> None:
    x = leaf(1.0)
    with paddle.no_grad():
        y = x * 2
    (y * leaf(2.0)).backward()
    told = why_no_grad(x).message.happened(x="x")
    assert told.en == (
        "The loss does not depend on x, whose last use without gradients was this: scale ran "
        "under paddle.no_grad(), where nothing is recorded."
    )
    assert told.zh == (
        "损失不依赖 x，它最近一次不带梯度的使用是：scale 在 paddle.no_grad() 里运行，"
        "那里什么都不记录。"
    )


def test_only_tensors() -> None:
    with pytest.raises(TypeError, match=r"why_no_grad\(\): t must be a Tensor"):
        why_no_grad(3.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"why_no_grad\(\): loss must be a Tensor"):
        why_no_grad(leaf(1.0), 3.0)  # type: ignore[arg-type]


def test_nothing_is_kept_alive() -> None:
    x = leaf(1.0)
    for _ in range(200):
        (x * 2).detach()
    assert len(stop_reasons.cut_results) <= 64
    assert all(ref() is None for ref in stop_reasons.cut_results)


def test_the_result_of_a_pylayer_that_wanted_no_gradient() -> None:
    """A PyLayer whose inputs want no gradient is left out of the tape; so is what it computed."""

    class Left(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx: Any, a: Any) -> Any:
            return a * 2

        @staticmethod
        def backward(ctx: Any, dout: Any) -> Any:
            return dout

    y = Left.apply(paddle.to_tensor([1.0]))
    why = paddle.autograd.why_no_grad(y)
    assert why.reason.value == "stop_gradient"
    assert "whatever is computed only from such tensors" in why.text
