"""Explains why a tensor has no gradient, from the graph and the engine's records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .. import events
from ..device import to_numpy
from ..errors import misfit
from ..messages import Message
from . import source_line
from .errors import InvalidType
from .pylayer.pylayer import PyLayerNode
from .reasons import (
    LAST_USE,
    LOSS_STOPPED,
    RESULT_STOPPED,
    THE_LOSS,
    THE_TENSOR,
    WORDINGS,
    Wording,
)
from .stop_reasons import Reason, Stop, cut_results, passes
from .tensor import Parameter, Tensor, as_seen, node_of


@dataclass(frozen=True, slots=True)
class Explanation:
    """The texts of a reason, and the values of their slots."""

    wording: Wording
    facts: Mapping[str, str | Message]

    def happened(self, **others: str | Message) -> Message:
        """Return the text of what happened; `others` replace facts, as x the name of the tensor."""
        return self.wording.happened.fill(**{**self.facts, **others})

    @property
    def advice(self) -> Message:
        """The text that says what to do."""
        return self.wording.advice

    @property
    def mark(self) -> Message:
        """The mark in a picture where the gradient ends."""
        return self.wording.mark.fill(**self.facts)


@dataclass(frozen=True, slots=True)
class Why:
    """An answer of `why_no_grad`: `text` says what happened, `fix` what to do.

    `where` is the op, layer or node concerned, or "". `message` has `text` and `fix` in all
    languages.
    """

    reason: Reason
    tensor: Tensor
    where: str
    text: str
    fix: str
    message: Explanation = field(repr=False)

    def __str__(self) -> str:
        return f"{self.text} {self.fix}".strip()


def why_no_grad(t: Tensor, loss: Tensor | None = None) -> Why:
    """Return the reason why `t.grad` is None, or zero.

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
            fix = "pass the tensor whose .grad is None"
            raise misfit("why_no_grad", f"{what}, a Tensor", InvalidType, fix, **{what: value})
    gradient = t._grad
    if gradient is not None and to_numpy(gradient._data).any():
        return _answer_by_reason(Reason.HAS_GRADIENT, t, x="t")
    roots = [loss] if loss is not None else [root() for root in passes.roots]
    return _reason_in_tensor(t) or _reason_in_backward(
        t, [root for root in roots if root is not None]
    )


def emit_missed_gradient(t: Tensor) -> None:
    """Notify listeners that the user read the `.grad` of this tensor, which is None."""
    why = why_no_grad(t)
    happened, advice = why.message.happened(x="{x}"), why.message.advice
    place = source_line.here()
    texts = [(text.of("en"), text.of("zh")) for text in (happened, advice)]
    events.emit(events.GradMissed(as_seen(t), why.reason.value, texts[0], texts[1], place))


# ----- answers -----------------------------------------------------------------------------------


def _answer_by_reason(reason: Reason, t: Tensor, where: str = "", /, **facts: str | Message) -> Why:
    """Return the answer in the words of the catalogue."""
    return _fill_wording(WORDINGS[reason], reason, t, where, **facts)


def _fill_wording(
    wording: Wording, reason: Reason, t: Tensor, where: str, /, **facts: str | Message
) -> Why:
    message = Explanation(wording, {"x": name_in_text(t), "by": where, **facts})
    return Why(reason, t, where, str(message.happened()), str(message.advice), message)


def name_in_text(t: Tensor) -> str | Message:
    """Return how a text names the tensor."""
    return t.name if isinstance(t, Parameter) else THE_TENSOR  # type: ignore[attr-defined]


# ----- the tensor itself -------------------------------------------------------------------------


def _reason_in_tensor(t: Tensor) -> Why | None:
    """Return a reason that lies in the tensor, whatever backward did, or None."""
    if t._stop:
        return _why_stopped(t)
    if t._node is None:
        return None
    if t._node.retains(t):
        return None
    node = node_of(t._node)
    name, by = node.name(), node.op_name()
    if int(t._version):
        return _answer_by_reason(Reason.OVERWRITTEN, t, name, by=by)
    return _answer_by_reason(Reason.NOT_A_LEAF, t, name, by=by)


def _why_stopped(t: Tensor, **facts: str | Message) -> Why:
    """Return the reason why stop_gradient is True."""
    why = t._stop
    if isinstance(why, Stop):
        return _answer_by_reason(why.reason, t, why.by, **facts)
    if t._data.dtype.kind in "iub":
        return _answer_by_reason(Reason.INTEGER, t, dtype=t._data.dtype.name, **facts)
    if t._node is not None:
        node = node_of(t._node)
        by = {"by": node.op_name(), **facts}
        return _fill_wording(RESULT_STOPPED, Reason.STOP_GRADIENT, t, node.name(), **by)
    return _answer_by_reason(Reason.STOP_GRADIENT, t, **facts)


# ----- what backward did -------------------------------------------------------------------------


def _reason_in_backward(t: Tensor, roots: list[Tensor]) -> Why:
    """Return the reason that lies in the last backward, or the backward from these roots."""
    if not passes.number:
        return _answer_by_reason(Reason.NO_BACKWARD, t)
    if t._rare is not None and t._rare.cleared == passes.number:
        return _answer_by_reason(Reason.CLEARED, t)
    edge = t._node or t
    if roots and not reaches(_edges_of(roots), edge):
        return _why_not_reached(t, edge, roots)
    if node := _find_none_layer(_edges_of(roots), edge):
        layer, place = node.op_name(), str(node.place())
        return _answer_by_reason(Reason.RETURNED_NONE, t, node.name(), by=layer, place=place)
    if t._grad is not None:
        return _answer_by_reason(Reason.ZERO, t)
    if not roots:
        return _why_not_reached(t, edge, roots)
    return _answer_by_reason(Reason.INTERRUPTED, t)


def _why_not_reached(t: Tensor, edge: Any, roots: list[Tensor]) -> Why:
    """Return why backward did not reach a tensor: its root, a cut, or a way that does not exist."""
    for root in roots:
        if root._stop:
            why = _why_stopped(root, x=THE_LOSS)
            return _answer_by_cause(LOSS_STOPPED, t, why)
    if cut := _last_cut(t, edge):
        return _answer_by_cause(LAST_USE, t, _answer_by_reason(cut.reason, t, cut.by))
    return _answer_by_reason(Reason.NOT_REACHED, t)


def _answer_by_cause(happened: Message, t: Tensor, why: Why) -> Why:
    """Return an answer for this tensor whose cause is the answer for another one."""
    wording = replace(why.message.wording, happened=happened)
    return _fill_wording(wording, why.reason, t, why.where, cause=why.message.happened())


def _last_cut(t: Tensor, edge: Any) -> Stop | None:
    """Return the last use that gives no gradient, of this tensor or of a result of it."""
    if t._rare is not None and t._rare.cut is not None:
        return t._rare.cut
    latest: list[Any] = [*cut_results][::-1]  # a copy: other threads append
    for result in (ref() for ref in latest):
        cause: Stop | None = None if result is None or result._rare is None else result._rare.cut
        if cause is not None and reaches(_edges_of([result]), edge):
            return cause
    return None


# ----- walking -----------------------------------------------------------------------------------


def _edges_of(tensors: Iterable[Tensor]) -> list[Any]:
    return [t._node or t for t in tensors if not t._stop]


def _walk_from(start: list[Any], follow: Callable[[Any, int], bool]) -> dict[Any, Any]:
    """Return all nodes and leaves reached from `start`, each with the node before it."""
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
    """Return whether gradients that start at `start` reach this node or leaf."""
    return edge in _walk_from(start, lambda node, number: True)  # noqa: ARG005


def _find_none_layer(start: list[Any], edge: Any) -> Any:
    """Return the PyLayer node whose None kept all gradients from a node or leaf, or None."""

    def gave(node: Any, number: int) -> bool:
        return not (isinstance(node, PyLayerNode) and number in node.nones)

    if edge in _walk_from(start, gave):
        return None
    came = _walk_from(start, lambda node, number: True)  # noqa: ARG005
    while came.get(edge) is not None:
        node = came[edge]
        if isinstance(node, PyLayerNode) and any(
            node.edges[number] is edge for number in node.nones
        ):
            return node
        edge = node
    return None


__all__ = ["Message", "Reason", "Why", "why_no_grad"]
