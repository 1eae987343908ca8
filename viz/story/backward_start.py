"""Where a backward pass begins, and why it may have nothing to do."""

from __future__ import annotations

from minipaddle import events
from minipaddle.events import Edge, Seen, Value

from . import ids
from .backward import key, target_tensor
from .draft import content, detail
from .sentences.wording import Thing, d
from .state import Run, World


def backward_started(world: World, event: events.BackwardStarted) -> None:
    if not event.edges:
        idle(world, event)
    run = Run(world.columns, event.place)
    world.columns += bool(event.edges)
    world.runs.append(run)
    for i, (edge, value) in enumerate(zip(event.edges, event.seeds, strict=False)):
        root = target_tensor(world, edge)
        if root is None and i < len(event.roots):
            root = event.roots[i]
        seed(world, run, event, i, edge, value, root)


def idle(world: World, event: events.BackwardStarted) -> None:
    """Backward was called on a tensor that wants no gradient: nothing happens."""
    for root in event.roots:
        thing = world.thing(root)
        step = world.draft.step("backward", "idle", event.place, root=thing)
        box = world.leaf_box(root) if root.leaf and root.id not in world.produced else None
        if box is None:
            box = world.result(root)
            if root.id in world.produced and root.id not in world.used:
                step.edges.append(world.draft.edge(world.produced[root.id], box, "data"))
                world.used.add(root.id)
        step.light(box)
        step.show(thing, "input", box)


def seed(
    world: World,
    run: Run,
    event: events.BackwardStarted,
    i: int,
    edge: Edge,
    value: Value,
    root: Seen | None,
) -> None:
    """The gradient that backward starts with, at the height of the result it belongs to."""
    draft, pair = world.draft, None
    thing = world.thing(root) if root else Thing("the result", None)
    grad = Thing("", content(value), value.shape)
    step = draft.step("backward", "seed", event.place, root=thing, grad=grad)
    if root is not None:
        pair = world.leaf_box(root) if edge.kind == "leaf" else world.result(root)
        if edge.kind != "leaf" and root.id in world.produced and root.id not in world.used:
            step.edges.append(draft.edge(world.produced[root.id], pair, "data"))
            world.used.add(root.id)
        step.light(pair)
        step.show(thing, "input", pair)
    box = draft.node(
        ids.seed(run.column, i),
        "seed",
        grad.number or d(thing.called),
        detail=detail(value, d(thing.called) if grad.number else ""),
        lane="backward",
        column=run.column,
        pair=pair,
    )
    step.light(box)
    step.show(Thing(d(thing.called), content(value)), "grad_out", box)
    run.waiting.setdefault(key(edge), []).append(box)


def backward_finished(world: World, event: events.BackwardFinished) -> None:  # noqa: ARG001
    if world.runs:
        world.runs.pop()
