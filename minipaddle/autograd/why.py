"""Why a tensor has no gradient: the engine's answer, from the graph and what it remembers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ..device import to_numpy
from ..engine.errors import InvalidType
from ..engine.pylayer.node import PyLayerNode
from ..engine.stop_reasons import Stop, cut_results, passes
from ..engine.tensor import Parameter, Tensor, node_of


class Reason(Enum):
    """What keeps a gradient from a tensor."""

    HAS_GRADIENT = "has gradient"
    STOP_GRADIENT = "stop_gradient"
    INTEGER = "integer"
    NO_GRAD = "no_grad"
    DETACHED = "detached"
    GRADLESS_OP = "gradless op"
    NON_DIFFERENTIABLE = "non-differentiable"
    NOT_A_LEAF = "not a leaf"
    OVERWRITTEN = "overwritten"
    NO_BACKWARD = "no backward"
    CLEARED = "cleared"
    NOT_REACHED = "not reached"
    RETURNED_NONE = "returned None"
    INTERRUPTED = "interrupted"
    ZERO = "zero"


@dataclass(frozen=True, slots=True)
class Why:
    """An answer of `why_no_grad`: `text` says what happened, `fix` what to do.

    `where` is the op, layer or node concerned, empty where there is none.
    """

    reason: Reason
    tensor: Tensor
    where: str
    text: str
    fix: str

    def __str__(self) -> str:
        return f"{self.text} {self.fix}".strip()


def why_no_grad(t: Tensor, loss: Tensor | None = None) -> Why:
    """The reason why `t.grad` is None, or zero.

    `loss` is the tensor that backward started from; without it the last backward counts.
    InvalidType (TypeError) for anything but a Tensor.

    Source: minipaddle's own.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([1.0, 2.0])
    >>> (x * 2).sum().backward()
    >>> paddle.autograd.why_no_grad(x).reason.value
    'stop_gradient'
    """
    for what, value in (("t", t), ("loss", loss)):
        if not isinstance(value, Tensor) and (what == "t" or value is not None):
            raise InvalidType(
                f"why_no_grad(): {what} must be a Tensor.",
                expected="a Tensor (dynamic mode)",
                received=type(value).__name__,
                fix="pass the tensor whose .grad is None",
            )
    gradient = t._grad
    if gradient is not None and to_numpy(gradient._data).any():
        return Why(Reason.HAS_GRADIENT, t, "", "t.grad holds a gradient that is not zero.", "")
    roots = [loss] if loss is not None else [root() for root in passes.roots]
    return _of_itself(t) or _of_backward(t, [root for root in roots if root is not None])


# ----- the tensor itself -------------------------------------------------------------------------

WANTED = "Set stop_gradient = False on the tensors that shall have gradients, then compute."


def called(t: Tensor) -> str:
    """How a text names the tensor."""
    return t.name if isinstance(t, Parameter) else "the tensor"  # type: ignore[attr-defined]


def _of_itself(t: Tensor) -> Why | None:
    """Reasons that lie in the tensor, whatever backward did."""
    if t._stop:
        return _stopped(t)
    if t._node is None:
        return None
    kept = any(getattr(h, "tensor", lambda: None)() is t for h in (t._node.hooks or {}).values())
    if kept:
        return None
    name, x = node_of(t._node).name(), called(t)
    if int(t._version):
        return Why(
            Reason.OVERWRITTEN,
            t,
            name,
            f"{x} has been overwritten in place ({int(t._version)} times): it is no leaf any more "
            f"but the result of {name}, and only leaves keep gradients.",
            "Compute a new tensor instead, or call retain_grads() on it before backward.",
        )
    return Why(
        Reason.NOT_A_LEAF,
        t,
        name,
        f"{x} is not a leaf but the result of {name}: backward hands its gradient on and does not "
        "keep it.",
        "Call retain_grads() on it before backward. A parameter must stay a leaf: change it in "
        "place inside `with paddle.no_grad():`, and do not bind its name to a result.",
    )


def _stopped(t: Tensor, x: str = "") -> Why:
    """stop_gradient is True: since when?"""
    x = x or called(t)
    why = t._stop
    if isinstance(why, Stop):
        reason, text, fix = STOPPED[why.reason]
        return Why(reason, t, why.by, text.format(by=why.by), fix)
    if t._data.dtype.kind in "iub":
        return Why(
            Reason.INTEGER,
            t,
            "",
            f"{x} holds {t._data.dtype.name} values, which do not vary continuously, and its "
            "stop_gradient is True.",
            "Use floating-point values: paddle.to_tensor(..., dtype='float32').",
        )
    if t._node is not None:
        name = node_of(t._node).name()
        return Why(
            Reason.STOP_GRADIENT,
            t,
            name,
            f"{x} is the result of {name}, but its stop_gradient has been set to True.",
            "Leave stop_gradient of results alone, or set it back to False.",
        )
    text = (
        f"stop_gradient of {x} is True, as it is for what to_tensor() makes and for what is "
        "computed from such tensors only."
    )
    return Why(Reason.STOP_GRADIENT, t, "", text, WANTED)


STOPPED: dict[str, tuple[Reason, str, str]] = {
    "no_grad": (
        Reason.NO_GRAD,
        "{by} ran under paddle.no_grad(), where nothing is recorded.",
        "Compute outside the no_grad block, or inside `with paddle.enable_grad():`.",
    ),
    "detached": (
        Reason.DETACHED,
        "detach() cut the history off.",
        "Leave detach() out where a gradient should flow.",
    ),
    "gradless_op": (
        Reason.GRADLESS_OP,
        "{by} has no gradient, so none comes from its result.",
        "Use a differentiable function in its place, for example softmax instead of argmax.",
    ),
    "non_differentiable": (
        Reason.NON_DIFFERENTIABLE,
        "this output of {by} is marked non-differentiable.",
        "Take the gradient of another output, or leave the mark out.",
    ),
}


# ----- what backward did -------------------------------------------------------------------------


def _of_backward(t: Tensor, roots: list[Tensor]) -> Why:
    """Reasons that lie in the last backward, or in that of these roots."""
    if not passes.number:
        return Why(
            Reason.NO_BACKWARD,
            t,
            "",
            "No backward has run yet.",
            "Call loss.backward(). paddle.grad() gives gradients back and does not store them.",
        )
    if t._rare is not None and t._rare.cleared == passes.number:
        return Why(
            Reason.CLEARED,
            t,
            "",
            "The gradient has been cleared since the last backward.",
            "Look at it before clear_grad() or .grad = None, or call backward() again.",
        )
    edge = t._node or t
    if roots and not reaches(_edges(roots), edge):
        return _not_reached(t, edge, roots)
    if node := _none_on_the_way(_edges(roots), edge):
        return Why(
            Reason.RETURNED_NONE,
            t,
            node.name(),
            f"backward of {node.layer.__name__}, applied at {node.place()}, returned None where "
            f"the gradient of {called(t)} would come from.",
            "Return a Tensor there: None says that no gradient flows to that input.",
        )
    if t._grad is not None:
        return Why(
            Reason.ZERO,
            t,
            "",
            "The gradient has arrived, and every element of it is zero.",
            "Look for functions that are flat there (relu of negative numbers, clip, max), a "
            "sum of softmax, or a factor of zero.",
        )
    if not roots:
        return _not_reached(t, edge, roots)
    return Why(
        Reason.INTERRUPTED,
        t,
        "",
        f"The loss depends on {called(t)}, but the last backward ended before it arrived there: an "
        "exception stopped it.",
        "Repair what it complained of and call backward() again.",
    )


def _not_reached(t: Tensor, edge: Any, roots: list[Tensor]) -> Why:
    """The last backward did not come here: because of its start, a cut, or for no known reason."""
    for root in roots:
        if root._stop:
            why = _stopped(root, "the loss")
            text = f"The last backward did nothing, because its loss wants no gradient: {why.text}"
            return Why(why.reason, t, why.where, text, why.fix)
    x = called(t)
    if cause := _cut(t, edge):
        reason, text, fix = STOPPED[cause.reason]
        text = f"The loss does not depend on {x}, whose last use without gradients was this: " + (
            text.format(by=cause.by)
        )
        return Why(reason, t, cause.by, text, fix)
    return Why(
        Reason.NOT_REACHED,
        t,
        "",
        f"The last backward did not reach {x}: the loss it started from does not depend on it.",
        "Look whether it is used at all, and whether values go through NumPy, item() or "
        "to_tensor() on the way: those cut the history.",
    )


def _cut(t: Tensor, edge: Any) -> Stop | None:
    """The last use of this tensor, or of a result of it, that no gradient comes from."""
    if t._rare is not None and t._rare.cut is not None:
        return t._rare.cut
    for result in (ref() for ref in reversed(cut_results)):
        cause: Stop | None = None if result is None or result._rare is None else result._rare.cut
        if cause is not None and reaches(_edges([result]), edge):
            return cause
    return None


# ----- walking -----------------------------------------------------------------------------------


def _edges(tensors: Iterable[Tensor]) -> list[Any]:
    return [t._node or t for t in tensors if not t._stop]


def _walk(start: list[Any], follow: Callable[[Any, int], bool]) -> dict[Any, Any]:
    """All that these edges lead to, each with the node it was reached from."""
    came: dict[Any, Any] = dict.fromkeys(start)
    stack = list(start)
    while stack:
        node = stack.pop()
        for number, edge in enumerate(node.edges):
            if edge is not None and edge not in came and follow(node, number):
                came[edge] = node
                stack.append(edge)
    return came


def reaches(start: list[Any], edge: Any) -> bool:
    """Whether a gradient that starts there can come to this node or leaf."""
    return edge in _walk(start, lambda node, number: True)  # noqa: ARG005


def _none_on_the_way(start: list[Any], edge: Any) -> Any:
    """The PyLayer whose None kept every gradient from this node or leaf; None if none did."""

    def gave(node: Any, number: int) -> bool:
        return not (isinstance(node, PyLayerNode) and number in node.nones)

    if edge in _walk(start, gave):
        return None
    came = _walk(start, lambda node, number: True)  # noqa: ARG005
    while came.get(edge) is not None:
        node = came[edge]
        if isinstance(node, PyLayerNode) and any(
            node.edges[number] is edge for number in node.nones
        ):
            return node
        edge = node
    return None


__all__ = ["Reason", "Why", "why_no_grad"]
