"""Steps at which a run stops: an exception, or the limit of a recording."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from minipaddle import events
from minipaddle.messages import CLAUSES, COLON, Message, Row, Text

from ..document.document import Cut, Ended
from ..model import LAYERS, Fault
from . import formulas, ids
from .draft import backward_of, badge
from .faults.call import FailedCall, argument_of, failed_call, rows_of
from .faults.repairs import repairs_of
from .ids import Box
from .programs import Programs
from .sentences.backward import CutStep, ErrorStep, first_lines
from .sentences.wording import Things, shape
from .steps import Phase
from .tensors import Drawing

# Part of an error's message -> kind in Fault.told; the sentence itself is no part.
KINDS = {"expected": "expected", "received": "received", "fix": "todo"}
GIVES = Message("{code} gives {shape}")
OWN = Message("No recorded op failed; this line of the program raised the error.")


def message_of(error: events.Failed | Ended[Any]) -> Message:
    """Return the message of an exception in both languages."""
    return Text(error.message, error.message_zh or error.message)


def fault_of(error: events.Failed | Ended[Any], call: FailedCall | None = None) -> Fault:
    """Return the parts of an error's message, and shapes and repairs of a failed call."""
    parts: list[tuple[str, Message]] = [
        (KINDS[part.name], Text(part.text, part.text_zh or part.text))
        for part in error.parts
        if part.name in KINDS
    ]
    for repair in repairs_of(call) if call else ():
        parts.append(("tried", GIVES.fill(code=repair.code, shape=shape(repair.shape))))
    return Fault(rows_of(call) if call else (), tuple(parts))


class Stop(NamedTuple):
    """Work that an exception stopped: its box, its name in sentences, and an op's failed call."""

    box: Box | None
    work: Message | None = None
    call: FailedCall | None = None


def letters_in(said: str, letters: Sequence[str], things: Things) -> list[Message]:
    """Return a sentence on the tensors for which a message has letters of the op, or []."""
    rows = [
        Message("{letter} is {tensor}", letter=letter, tensor=thing)
        for letter, thing in zip(letters, things, strict=False)
        if thing and thing.called != letter and re.search(rf"\b{letter}\b", said)
    ]
    return [Message("Here {rows}.", rows=Row(rows, CLAUSES))] if rows else []


@dataclass(slots=True)
class Failures(Drawing):
    """Adds the steps of exceptions; `note` is the reason why the trace ends early, or None."""

    programs: Programs
    failing: bool = False  # whether the last event was an exception that leaves some work
    in_backward: bool = False  # whether an exception ended a backward pass
    note: Message | None = None

    def failed(self, event: events.Failed) -> None:
        """Add a step for the innermost work that an exception leaves, but not for outer work."""
        if not self.failing:
            message = message_of(event)
            stop = self._find_stop(event)
            fault = fault_of(event, stop.call)
            facts = ErrorStep(event.error, message, stop.work, fault)
            phase: Phase = "build" if event.during == "refused" else self._current_phase
            step = self.draft.step(facts, phase, event.place)
            if event.during == "op" and event.id in self.tape.calls:
                call = self.tape.calls[event.id]  # show its inputs, whose shapes may be the cause
                things = self.tensors.things(call.inputs)
                self.tensors.lead_in(step, things, self.tensors.sources(call.inputs), call.box)
                step.asides += letters_in(first_lines(message).en, call.facts.inputs, things)
            if event.during == "refused" and stop.box:
                for thing, source in self.programs.refusals[-1].sources:
                    self.draft.lead(step, source, stop.box, label=thing.name)
            if stop.box:
                step.light(stop.box)
                self.draft.mark(stop.box, badge("error"))
        # When an exception leaves a scope or a pass, no other event ends that.
        if event.during == "scope" and self.work.scope(event.id):
            while self.tensors.leave().number != event.id:
                pass
        elif event.during == "operator":
            self.programs.part_left(event)
        elif event.during in ("node", "leaf"):
            self.in_backward = True
            self.work.finish()

    @property
    def _current_phase(self) -> Phase:
        return "run" if self.programs.running else self.work.phase

    def _find_stop(self, event: events.Failed) -> Stop:
        """Return the work that an exception stopped."""
        number, visit, running = event.id, self.work.visit, self.programs.running
        around = visit.box if visit else None
        match event.during:
            case "op" if call := self.tape.calls.get(number):
                things = self.tensors.things(call.inputs)
                rows = [
                    None if thing is None or seen is None else argument_of(thing.called, seen.value)
                    for thing, seen in zip(things, call.inputs, strict=True)
                ]
                title = formulas.write_out(call.facts, things).title
                return Stop(call.box, Text(title), failed_call(call.op, rows, call.attrs))
            case "leaf" if seen := self.tensors.latest.get(number):
                name = Text(f"{self.tensors.thing(seen).called}.grad")
                return Stop(self.tensors.leaf_box(seen), name)
            case "refused" if self.programs.refusals:
                box, title, failed, _ = self.programs.refusals[-1]
                return Stop(box, Text(title), failed)
            case "operator" if running and (operator := running.operators.get(number)):
                name = Text(operator.event.type)
                return Stop(operator.box, name, running.failed_call(operator))
            case "scope" if scope := self.work.scope(number):
                if scope.kind == "pylayer.forward":
                    call = self.tape.calls.get(scope.call)
                    around = call.box if call else None
                elif scope.kind in LAYERS:
                    around = ids.closed_box(ids.layer(number))
                _, dot, half = scope.kind.partition(".")
                return Stop(around, Text(f"{scope.name}{dot}{half}"))
            case "node" if node := self.tape.nodes.get(number):
                if not (visit and visit.number == number):  # a node of paddle.grad
                    around = node.call.box if node.call else None
                return Stop(around, backward_of(node.call.op) if node.call else None)
        return Stop(around)

    # ----- the end of the recording --------------------------------------------------------------

    def cut(self, cut: Cut[Any]) -> None:
        """Add the last step of a recording that reached its limit."""
        before = self.draft.steps[-1].nodes if self.draft.steps else []
        facts = CutStep(cut.what, cut.limit)
        self.draft.step(facts, self._current_phase, cut.place).light(*before)
        self.note = facts.sentence()

    def ended(self, ended: Ended[Any]) -> None:
        """Add a last step for an exception that left the block, if no step shows it yet."""
        first = first_lines(message_of(ended))
        self.note = Text(ended.error)
        if first.en:
            self.note = Row([ended.error, first], COLON).message()
        if not self.failing:
            message = message_of(ended)
            fault = fault_of(ended)
            if not ended.parts:
                fault = replace(fault, told=(("where", OWN), *fault.told))
            facts = ErrorStep(ended.error, message, fault=fault)
            self.draft.step(facts, self._current_phase, ended.place)
