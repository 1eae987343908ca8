"""From a trace to a story: walk through the events, and let each add to the graph and the steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from minipaddle import events

from ..model import Story
from . import backward, backward_start, forward, gradients, memory, programs
from .draft import Draft
from .first_nan import flag
from .missing_gradient import missing
from .sentences.backward import cut as cut_short
from .state import World

Builder = Callable[[World, Any], None]

BUILDERS: dict[type, Builder] = {
    events.OpStarted: forward.op_started,
    events.OpFinished: forward.op_finished,
    events.GradNodeMade: forward.grad_node_made,
    events.TensorSaved: forward.tensor_saved,
    events.ContextMarked: forward.marked,
    events.LayerHookRan: forward.layer_hook,
    events.BackwardStarted: backward_start.backward_started,
    events.NodeVisited: backward.node_visited,
    events.GradComputed: backward.grad_computed,
    events.GradUnbroadcast: backward.unbroadcast,
    events.SavedReleased: backward.released,
    events.BackwardFinished: backward_start.backward_finished,
    events.GradAccumulated: gradients.accumulated,
    events.HookRan: gradients.hook_ran,
    events.LeafReached: gradients.leaf_reached,
    events.ParameterUpdated: gradients.parameter_updated,
    events.Failed: gradients.failed,
    events.MemoryPlanned: memory.planned,
    **programs.BUILDERS,
}
MEMORY: dict[type, Builder] = {  # what they tell besides
    events.TensorSaved: memory.tensor_saved,
    events.SavedReleased: memory.saved_released,
}


def story_of(trace: Any) -> Story:
    """The graph and the steps of a trace."""
    draft = Draft(trace.sources)
    world = World(draft, trace.names, trace.events)
    for event in trace.events:
        if isinstance(event, events.ScopeEntered):
            forward.scope_entered(world, event)
            if event.kind == "pylayer.backward":
                backward.backward_entered(world, event)
        elif isinstance(event, events.ScopeLeft):
            if event.kind == "pylayer.backward":
                backward.backward_left(world, event)
            forward.scope_left(world, event)
        else:
            BUILDERS[type(event)](world, event)
        if type(event) in MEMORY:
            MEMORY[type(event)](world, event)
        world.failing = isinstance(event, events.Failed)
    show_results(world)
    show_cut(world, trace.cut)
    show_end(world, trace.ended)
    odd = flag(draft)
    story = draft.story(trace.document["title"] or title_of(world), world.note)
    names = {f"t{number}": world.thing(seen).called for number, seen in world.leaves.items()}
    lost = {} if trace.cut else missing(trace.events, story.graph, names)
    held = world.memory.memory(draft.steps)
    return replace(story, memory=held, odd=odd, missing=lost)


def show_results(world: World) -> None:
    """What the user's code computed and nobody read ends in a box of its own."""
    made: dict[str, set[int]] = {}
    for tensor, box in world.produced.items():
        made.setdefault(box, set()).add(tensor)
    for seen, step in world.results.values():
        if seen.id in world.used or seen.id not in world.produced:
            continue
        if not world.name(seen.id) and made[world.produced[seen.id]] & world.used:
            continue  # beside what somebody reads, and the user did not even name it
        box = world.result(seen)
        step.edges.append(world.draft.edge(world.produced[seen.id], box, "data"))
        step.light(box)


def show_cut(world: World, cut: Any) -> None:
    """The last step of a recording that reached its limit says so."""
    if cut is None:
        return
    before = world.draft.steps[-1].nodes if world.draft.steps else []
    step = world.draft.step(world.failing_phase, "cut", cut.place, what=cut.what, limit=cut.limit)
    step.light(*before)
    world.note = cut_short(cut.what, cut.limit)[0]


def show_end(world: World, ended: Any) -> None:
    """An exception that left the block: it is the last step, if no step has told of it yet."""
    if ended is None:
        return
    world.note = f"{ended.error}: {ended.message}".split("\n")[0].rstrip(": ")
    if world.failing:
        return
    world.draft.step(
        world.failing_phase,
        "error",
        ended.place,
        error=ended.error,
        message=ended.message,
        during="",
    )


def title_of(world: World) -> str:
    """The file or cell that was recorded; or else its layers, or its ops: `Linear → cus_tanh`."""
    places = (step.place for step in world.draft.steps)
    name = next((n for n in map(world.draft.file, places) if n and n[0] != "<"), "")
    if name:
        return name.replace("\\", "/").rpartition("/")[2]
    groups = world.draft.groups.values()
    layers = [g.label for g in groups if not g.parent and g.lane == "forward"]
    ops = [call.op for call in world.calls.values() if call.group is None]
    types = [box.type for p in world.programs.values() for box in p.boxes.values()]
    found = list(dict.fromkeys(layers or ops or types))
    return " → ".join(found if len(found) <= 5 else [*found[:2], "…", *found[-2:]]) or "nothing"
