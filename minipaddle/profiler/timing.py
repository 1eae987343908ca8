"""Listener that times each op call, each visit of backward, each operator of a Program.

Without a profiler nothing listens, so nothing is slower. The times include the notification of
listeners, some microseconds for each op.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod
from time import perf_counter_ns
from typing import Any

from ..events.event_types import (
    GradComputed,
    GradNodeMade,
    NodeVisited,
    OperatorAppended,
    OperatorExecuted,
    OpFinished,
    OpStarted,
    Seen,
)
from .network_flops import flops_of


@dataclass(slots=True)
class Span:
    """Measured time span: an Operator, Backward, PythonUserDefined or ProfileStep.

    `number` counts the op calls, from 0; a Backward has the number of its op, other spans -1.
    """

    kind: str
    name: str
    start: int
    nanoseconds: int
    number: int = -1
    flops: int = 0
    parameters: int = 0
    nbytes: int = 0
    shapes: tuple[tuple[int, ...], ...] = ()


class Timing:
    """Listener that collects spans."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self._calls: dict[int, tuple[int, int]] = {}  # call -> its number, start
        self._ops: dict[int, Span] = {}  # call -> span
        self._forward: dict[int, Span] = {}  # node -> span of the call that made it
        self._visits: dict[int, tuple[str, int]] = {}
        self._gradients: dict[int, Span] = {}  # node -> span of its last visit
        self._types: dict[tuple[int, int], OperatorAppended] = {}  # (Program, index) -> event
        self._count = 0
        self._last = perf_counter_ns()  # end of the handling of the last event

    def __call__(self, event: Any) -> None:
        self._handle_event(event, perf_counter_ns())
        self._last = perf_counter_ns()

    def _handle_event(self, event: Any, now: int) -> None:
        kind = type(event)
        if kind is OpStarted:
            self._calls[event.call] = self._count, perf_counter_ns()
            self._count += 1
        elif kind is OpFinished:
            self._finish_op(event, now)
        elif kind is GradNodeMade and event.call in self._ops:
            self._forward[event.node] = self._ops[event.call]
        elif kind is NodeVisited:
            self._visits[event.node] = event.name, perf_counter_ns()
        elif kind is GradComputed:
            self._add_gradient(event, now)
        elif kind is OperatorAppended:
            self._types[event.program, event.index] = event
        elif kind is OperatorExecuted:
            self._add_operator(event, now)

    def _finish_op(self, event: OpFinished, now: int) -> None:
        number, start = self._calls.pop(event.call, (-1, now))
        if number < 0:
            return
        tensors, outputs = list(_tensors_in(event.inputs)), list(_tensors_in(event.outputs))
        shapes = tuple(tensor.value.shape for tensor in tensors)
        span = Span("Operator", event.op, start, now - start, number, shapes=shapes)
        span.flops = flops_of(event.op, shapes, [o.value.shape for o in outputs], event.attrs)
        span.nbytes = sum(each.value.nbytes for each in (*tensors, *outputs))
        weights = {t.id: t.value.shape for t in tensors if t.kind == "parameter"}
        span.parameters = sum(map(prod, weights.values()))
        self.spans.append(span)
        self._ops = {event.call: span}  # the next event may be that of its node

    def _add_gradient(self, event: GradComputed, now: int) -> None:
        name, start = self._visits.pop(event.node, ("", 0))
        op = self._forward.get(event.node)
        if name:
            number = op.number if op else -1
            span = Span("Backward", name, start, now - start, number)
            self._gradients[event.node] = span
            self.spans.append(span)
        span_of = self._gradients.get(event.node)
        if span_of and event.grad is not None:
            span_of.nbytes += event.grad.nbytes
            span_of.shapes += (event.grad.shape,)
            span_of.flops += op.flops if op else 0

    def _add_operator(self, event: OperatorExecuted, now: int) -> None:
        """Record an operator of a Program, which began when the event before it was handled.

        An operator that was appended before anybody listened has only its index.
        """
        operator = self._types.get((event.program, event.index))
        name = operator.type if operator else f"operator {event.index}"
        inputs, outputs = list(event.inputs.values()), list(event.outputs.values())
        shapes = tuple(value.shape for value in inputs)
        span = Span("Operator", name, self._last, now - self._last, shapes=shapes)
        if operator and operator.role == "forward":
            shapes_out = [value.shape for value in outputs]
            span.flops = flops_of(operator.op, shapes, shapes_out, operator.attrs)
        span.nbytes = sum(value.nbytes for value in (*inputs, *outputs))
        self.spans.append(span)


def count_spans(recorded: Iterable[Any]) -> list[tuple[Span, Any]]:
    """Return the spans of a recording's calls, without times, each with its event.

    They are in the order of their starts. A recording has no event for the start of an op.
    """
    timing = Timing()
    found: list[tuple[Span, Any]] = []
    for event in recorded:
        known = len(timing.spans)
        if type(event) is OpFinished and event.call not in timing._calls:
            timing._calls[event.call] = timing._count, perf_counter_ns()
            timing._count += 1
        timing(event)
        found += [(span, event) for span in timing.spans[known:]]
    return sorted(found, key=lambda each: each[0].start)


def _tensors_in(values: Any) -> Iterator[Seen]:
    """Yield the tensors among arguments, also in lists."""
    for value in values:
        if isinstance(value, Seen):
            yield value
        elif isinstance(value, tuple):
            yield from _tensors_in(value)
