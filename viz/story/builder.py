"""From a trace to a story: each event adds to the graph and the steps."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any

from minipaddle import events
from minipaddle.messages import Message

from ..document.history import Before
from ..document.program_names import with_names
from ..document.variable_names import layer_names, tensors_of
from ..language.dialects import spelled
from ..language.progress import with_bar
from ..model import Story, formula_text, group_by_key, label_of
from . import foresight
from .backward import Backward
from .chapters import Recorded
from .draft import Draft
from .failures import Failures
from .first_nan import mark_origins
from .forward import Forward
from .gradients import Gradients
from .memory import MemoryKeeper
from .missing_gradient import missing_gradients
from .parts import parts_of
from .programs import Programs
from .sentences.backward import TWO_LINES, fits
from .sentences.wording import combine, names_of_the_user
from .tape import Tape
from .tensors import Tensors
from .work import Work

Handler = Callable[[Any], object]
FAMILIAR = r"ᵀ @|@ \S+ᵀ"  # explained only where there is room
ABOUT = {  # what a formula contains -> sentence on it
    r"(?:^|[ (])\[(?:[^][]|\[[^]]*\])+ [<>≤≥≠=]+ [^]]": Message(  # [x > 0], [s[0] ≠ 0]
        "In the formula, [condition] is 1 where the condition is true, and 0 elsewhere."
    ),
    r"\bcopies\(i\)": Message("In the formula, copies(i) are the copies of element i."),
    r"\bwindowᵢ": Message("In the formula, windowᵢ is the window of element i of the result."),
    r"· mask\(": Message("In the formula, mask(…) is 1 where an element is kept, and 0 elsewhere."),
    FAMILIAR: Message("In the formula, ᵀ turns rows into columns."),
    r"· shape\(": Message(
        "In the formula, i and j have one index for each axis, as shape(…) has one size for each."
    ),
}


def story_of(
    trace: Recorded, title: str = "", part: Before | None = None, reserved: bool = False
) -> Story:
    """Return the graph and the steps of a trace.

    `part` has the earlier facts of a part of a recording. Its first `part.events` records happened
    before: they draw boxes, and have no steps. `reserved`: sentences do not say whether sums are
    right, since readers are to find out.
    """
    before = part or Before(0, (), None)
    builder = Builder(trace, reserved)
    with names_of_the_user(trace.names, only_made(trace.events)):
        builder.walk(before.events)
        builder.end()
        story = builder.story(title, before.odd, part is not None)
    if builder.cut:  # later events are not known
        return story
    updates, leaves = builder.calls.updates, builder.tensors.called_leaves()
    numbered = builder.tape.calls.items()
    outside = (call for number, call in numbered if not call.inside and number not in updates)
    calls = [call for call in outside if call.done]
    unasked = foresight.gradients(builder.records, builder.tensors.names)
    began = before.reached is not None or builder.work.columns > 0
    stopped, reached = builder.failures.in_backward, before.reached or ()
    found = missing_gradients(calls, story.graph, leaves, unasked, began, stopped, reached)
    missing = {
        box: replace(each, text=spelled(each.text, trace.framework)) for box, each in found.items()
    }
    return replace(story, missing=missing)


def only_made(log: Iterable[Any]) -> set[int]:
    """Return the results of ops that no `backward` of a PyLayer receives or returns."""
    made: set[int] = set()
    given: set[int] = set()
    for event in log:
        if isinstance(event, events.OpFinished):
            made.update(seen.id for seen in event.outputs)
        elif getattr(event, "kind", "") == "pylayer.backward":
            given.update(seen.id for seen in tensors_of(event))
    return made - given


class Builder:
    """Owner of all state while a story is built, and table of the methods that handle events.

    Each part of the picture has its own builder, which receives the state that it changes.
    """

    def __init__(self, trace: Recorded, reserved: bool = False) -> None:
        self.cut, self.exception = trace.cut, trace.ended
        records = self.records = with_names(trace.events, trace.variables)
        names = trace.names
        draft = self.draft = Draft(trace.sources, trace.framework)
        work = self.work = Work(draft)
        visits = foresight.visits(records)
        tape = self.tape = Tape(visits)
        labels, calls = layer_names(records, trace.layers), foresight.calls(records, names, visits)
        self.calls = calls
        startup = foresight.startup_programs(records)
        functions, shapes = foresight.functions(records), foresight.run_shapes(records)
        tensors = self.tensors = Tensors(draft, work, tape, names)
        drawing = draft, work, tape, tensors
        forward = Forward(*drawing, labels, calls)
        backward, gradients = Backward(*drawing), Gradients(*drawing, reserved, trace.part)
        programs = self.programs = Programs(draft, startup, functions, shapes, parts_of(records))
        memory = self.memory = MemoryKeeper(draft, tape, tensors, programs)
        failures = self.failures = Failures(*drawing, programs)
        self.handlers: dict[type, tuple[Handler, ...]] = {
            events.OpStarted: (forward.op_started,),
            events.OpFinished: (forward.op_finished, memory.op_finished),
            events.GradNodeMade: (forward.grad_node_made,),
            events.TensorSaved: (forward.tensor_saved, memory.tensor_saved),
            events.ScopeEntered: (forward.scope_entered, backward.backward_entered),
            events.ScopeLeft: (backward.backward_left, forward.scope_left),
            events.ContextMarked: (forward.marked,),
            events.LayerHookRan: (forward.layer_hook,),
            events.BackwardStarted: (draft.turns.leave_out_loops, backward.backward_started),
            events.NodeVisited: (backward.node_visited,),
            events.GradComputed: (backward.grad_computed,),
            events.GradUnbroadcast: (backward.unbroadcast,),
            events.SavedReleased: (backward.released, memory.saved_released),
            events.BackwardFinished: (backward.backward_finished,),
            events.GradAccumulated: (gradients.accumulated,),
            events.HookRan: (gradients.hook_ran,),
            events.LeafReached: (gradients.leaf_reached,),
            events.ParameterUpdated: (gradients.parameter_updated,),
            events.CollectiveBegun: (),  # read by `viz/many_ranks`; here the op's end is enough
            events.LoopTurn: (draft.turns.note_turn,),
            events.GradMissed: (),  # read by `viz/facts/problems`
            events.OperatorAppended: (programs.appended,),
            events.OperatorRefused: (programs.refused,),
            events.PartAppended: (),  # read ahead
            events.PartEntered: (programs.part_entered,),
            events.PartLeft: (programs.part_left,),
            events.RunStarted: (programs.run_started,),
            events.OperatorExecuted: (programs.executed,),
            events.PyFuncCalled: (programs.py_func_called,),
            events.VariableFreed: (programs.freed,),
            events.RunFinished: (programs.run_finished, memory.run_finished),
            events.MemoryPlanned: (memory.planned,),
            events.Failed: (failures.failed,),
            events.ValuesTaken: (forward.values_taken, memory.values_taken),
            events.GradientRetained: (gradients.retained,),
        }

    def walk(self, given: int = 0) -> None:
        """Handle every event, but discard the steps of the first `given` events."""
        for number, event in enumerate(with_bar(self.records, "story", "event")):
            if number == given:
                self.draft.steps.clear()
                self.tensors.explained.clear()
            self.draft.record = number
            for handle in self.handlers[type(event)]:
                handle(event)
            self.failures.failing = isinstance(event, events.Failed)

    def end(self) -> None:
        """Draw unread results, and add a last step for a limit or an exception."""
        self._show_results()
        formulas = [(step, formula_text(step.formula)) for step in self.draft.steps]
        for part, about in ABOUT.items():
            having = [step for step, text in formulas if re.search(part, text)]
            fitting = (s for s in having if fits(combine(s.facts.sentence(), about), TWO_LINES))
            needed = having[0] if having and part != FAMILIAR else None
            if step := next(fitting, needed):
                step.asides.append(about)
        if self.cut is not None:
            self.failures.cut(self.cut)
        if self.exception is not None:
            self.failures.ended(self.exception)

    def story(self, title: str, flagged: Collection[str] = (), is_part: bool = False) -> Story:
        title = title or self._default_title()
        odd = mark_origins(self.draft, flagged)
        story = self.draft.story(title, self.failures.note, is_part)
        return replace(story, odd=odd, memory=self.memory.memory())

    def _show_results(self) -> None:
        """Draw a box for each result that is never read."""
        tensors, draft = self.tensors, self.draft
        tensors_of_box = group_by_key([(box, tensor) for tensor, box in tensors.produced.items()])
        for result in tensors.results.values():
            number = result.seen.id
            if number in tensors.used or number not in tensors.produced:
                continue
            source = tensors.produced[number]
            if not tensors.name(number) and any(
                other in tensors.used or tensors.name(other) for other in tensors_of_box[source]
            ):
                continue  # another result of the same box is read, or has the user's name
            box = tensors.result(result.seen)
            result.step.edges.append(draft.edge(source, box, "data"))
            result.step.light(box)

    def _default_title(self) -> str:
        """Return the recorded file or cell, or else its layers or ops: `Linear → cus_tanh`.

        Return "" if nothing ran.
        """
        draft = self.draft
        file = draft.file()
        if file:
            return file.replace("\\", "/").rpartition("/")[2]
        groups = draft.groups.values()
        layers = [label_of(g, "en") for g in groups if not g.parent and g.lane == "forward"]
        ops = [call.op for call in self.tape.calls.values() if call.group is None]
        types = [each.event.type for p in self.programs for each in p.operators.values()]
        parts = list(dict.fromkeys(layers or ops or types))
        if len(parts) > 5:
            parts = [*parts[:2], "…", *parts[-2:]]
        return " → ".join(parts)
