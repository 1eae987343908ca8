"""Where everything stops: an exception, or the limit of a recording."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from minipaddle import events
from minipaddle.events.event_types import ErrorPart
from minipaddle.messages import COLON, Message, Row, Text

from ..document import older_messages
from ..document.document import Cut, Ended
from . import formulas, ids
from .draft import Draft, StepDraft, backward_of, badge
from .faults.fault import fault_of
from .faults.given import FailedCall, failed_call, given_thing
from .programs import Programs, Refusal
from .sentences.backward import CutStep, ErrorStep, first_lines
from .steps import Phase
from .tape import Call, Tape
from .tensors import Tensors
from .work import Work


def message_of(error: events.Failed | Ended[Any]) -> Message:
    """What an exception said, in both languages."""
    return Text(error.message, error.message_zh or error.message)


def parts_of(error: events.Failed | Ended[Any]) -> tuple[ErrorPart, ...]:
    """The parts of a message, as recorded; an older recording has them in its text alone."""
    return error.parts or older_messages.parts_of(error.message, error.message_zh)


@dataclass(slots=True)
class Failures:
    """Adds the steps of exceptions. `note` says why the trace ends early, if it does."""

    draft: Draft
    work: Work
    tape: Tape
    tensors: Tensors
    programs: Programs
    failing: bool = False  # the last event was an exception on its way out
    in_backward: bool = False  # an exception ended a backward pass
    note: Message | None = None

    def failed(self, event: events.Failed) -> None:
        """An exception: the innermost work that it left gets a step, the outer ones get none."""
        if not self.failing:
            message = message_of(event)
            fault = fault_of(parts_of(event), self._failed_call(event))
            facts = ErrorStep(event.error, message, self._at_work(event), fault)
            phase: Phase = "build" if event.during == "refused" else self._phase
            step = self.draft.step(facts, phase, event.place)
            if event.during == "op" and event.id in self.tape.calls:
                self._show_inputs(self.tape.calls[event.id], step)
            if refusal := self._refusal(event):
                for thing, source in refusal.sources:
                    self.draft.lead(step, source, refusal.box, label=thing.name)
            box = self._box(event)
            if box:
                step.light(box)
                self.draft.mark(box, badge("error"))
        # Nothing else tells that a scope or a pass is over when an exception leaves it.
        if event.during == "scope" and self.work.scope(event.id):
            while self.tensors.leave().number != event.id:
                pass
        elif event.during in ("node", "leaf"):
            self.in_backward = True
            self.work.finish()

    def _show_inputs(self, call: Call, step: StepDraft[ErrorStep]) -> None:
        """What the op was given that failed: their shapes tell, maybe."""
        things, sources = self.tensors.things(call.inputs), self.tensors.sources(call.inputs)
        for thing, source in zip(things, sources, strict=True):
            if thing is not None and source is not None:
                self.draft.lead(step, source, call.box, label=thing.name)
                step.show(thing, "input", call.box, holder=source)

    def _failed_call(self, event: events.Failed) -> FailedCall | None:
        """The op that could not run, with what it was given."""
        number, running = event.id, self.programs.running
        if event.during == "op" and number in self.tape.calls:
            call = self.tape.calls[number]
            things = self.tensors.things(call.inputs)
            rows = [
                None if thing is None or seen is None else given_thing(thing.called, seen.value)
                for thing, seen in zip(things, call.inputs, strict=True)
            ]
            return failed_call(call.op, rows, call.attrs)
        if event.during == "operator" and running and number in running.operators:
            return running.failed_call(running.operators[number])
        if refusal := self._refusal(event):
            return refusal.call
        return None

    def _refusal(self, event: events.Failed) -> Refusal | None:
        """The operator that a Program does not take, if this is such an error."""
        refusals = self.programs.refusals if event.during == "refused" else ()
        return refusals[-1] if refusals else None

    @property
    def _phase(self) -> Phase:
        return "run" if self.programs.running else self.work.phase

    def _box(self, event: events.Failed) -> str:
        number, visit = event.id, self.work.visit
        match event.during:
            case "op" if number in self.tape.calls:
                return self.tape.calls[number].box
            case "leaf" if number in self.tensors.latest:
                return self.tensors.leaf_box(self.tensors.latest[number])
            case "refused" if refusal := self._refusal(event):
                return refusal.box
            case "operator" if self.programs.running is not None:
                operator = self.programs.running.operators.get(number)
                return operator.box if operator else ""
            case "scope":
                scope = self.work.scope(number)
                if scope and scope.kind == "pylayer.forward":
                    call = self.tape.calls.get(scope.call)
                    return call.box if call else ""
                if scope and scope.kind == "layer":
                    return ids.closed_box(ids.layer(number))
        node = self.tape.nodes.get(number)
        if event.during == "node" and node and not (visit and visit.number == number):
            return node.call.box if node.call else ""  # of paddle.grad
        return visit.box if visit else ""

    def _at_work(self, event: events.Failed) -> Message | None:
        """What was at work: `matmul`, `cus_tanh.backward` or `log backward`."""
        node = self.tape.nodes.get(event.id)
        if event.during == "node" and node and node.call:
            return backward_of(node.call.op)
        name = self._name_at_work(event)
        return Text(name) if name else None

    def _name_at_work(self, event: events.Failed) -> str:
        number = event.id
        match event.during:
            case "op":
                call = self.tape.calls.get(number)
                things = self.tensors.things(call.inputs) if call else ()
                return formulas.written_out(call.facts, things).title if call else ""
            case "scope":
                scope = self.work.scope(number)
                kind = scope.kind.removeprefix("pylayer") if scope else ""
                return f"{scope.name}{kind if kind.startswith('.') else ''}" if scope else ""
            case "refused":
                refusal = self._refusal(event)
                return refusal.title if refusal else ""
            case "operator":
                running = self.programs.running
                operator = running.operators.get(number) if running else None
                return operator.event.type if operator else ""
            case "leaf":
                seen = self.tensors.latest.get(number)
                return f"{self.tensors.thing(seen).called}.grad" if seen else ""
        return ""

    # ----- the end of the recording --------------------------------------------------------------

    def cut(self, cut: Cut[Any]) -> None:
        """The last step of a recording that reached its limit says so."""
        before = self.draft.steps[-1].nodes if self.draft.steps else []
        facts = CutStep(cut.what, cut.limit)
        self.draft.step(facts, self._phase, cut.place).light(*before)
        self.note = facts.sentence()

    def ended(self, ended: Ended[Any]) -> None:
        """An exception that left the block: it is the last step, if no step shows it yet."""
        first = first_lines(message_of(ended))
        self.note = Text(ended.error)
        if first.en:
            self.note = Row([ended.error, first], COLON).message()
        if not self.failing:
            message = message_of(ended)
            facts = ErrorStep(ended.error, message, fault=fault_of(parts_of(ended)))
            self.draft.step(facts, self._phase, ended.place)
