"""Filters of a recording: names of ops, layers, PyLayers, files and modules.

Unwanted work is not recorded at all: neither a call, nor its node, nor its gradients. A group is
recorded if something inside the group is.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from minipaddle import events
from minipaddle.engine.errors import InvalidType
from minipaddle.engine.source_line import SourceLine, display_name
from minipaddle.events import Edge

from ..document import op_facts
from ..document.variable_names import tensors_of

Patterns = tuple[str, ...]

# Kinds of events about a grad node, an edge, a leaf, or an operator of a Program.
OF_NODES = events.TensorSaved, events.GradComputed, events.GradUnbroadcast, events.SavedReleased
AT_EDGES = events.GradAccumulated, events.HookRan, events.GradientRetained
OF_LEAVES = events.LeafReached, events.GradMissed
OF_OPERATORS = events.OperatorExecuted, events.PartEntered, events.PartLeft, events.PyFuncCalled


def patterns(name: str, value: str | Iterable[str]) -> Patterns:
    """Return the names in a filter's value, one or several; raise InvalidType for other types."""
    names = (value,) if isinstance(value, str) else tuple(value)
    for item in names:
        if not isinstance(item, str):
            raise InvalidType(
                f"viz.record(): {name} takes names.",
                expected="the name of an op, a layer, a PyLayer, a file or a module, or several",
                received=repr(item),
                fix=f'write {name}="Linear" or {name}=["tanh", "model.py"]',
            )
    return tuple(map(plain, names))


def plain(name: str) -> str:
    """Return a name in lower case without underscores: `MyNet` and `my_net` become equal."""
    return name.replace("_", "").lower()


def fits(names: Patterns, words: Iterable[str]) -> bool:
    """Return whether any of the words matches one of the names, which may have wildcards `*`."""
    plain_words = set(map(plain, words))
    return any(
        name in plain_words or any(fnmatchcase(word, name) for word in plain_words)
        for name in names
    )


def words_of(name: str) -> list[str]:
    """List the names of a layer: also `hidden` for `Linear hidden`, `my_net` for `my_net_1`."""
    head, _, number = name.rpartition("_")
    return [name, *name.split(" "), head if number.isdigit() else name]


def words_of_call(op: str, attrs: Mapping[str, Any], place: SourceLine | None) -> set[str]:
    """Return the names of a call: of the op, the function in the code, the Python operator."""
    line = linecache.getline(place.file, place.line) if place else ""
    return {*words_of(op), *op_facts.names(op, attrs, line)}


@cache
def words_at(file: str) -> frozenset[str]:
    """Return the names of a file and of its module, including the packages around."""
    path = Path(file)
    dotted, folder = path.stem, path.parent
    while (folder / "__init__.py").is_file():
        dotted, folder = f"{folder.name}.{dotted}", folder.parent
    parts = dotted.split(".")
    names = {file, display_name(file), path.name, path.stem}
    return frozenset(names | {".".join(parts[: n + 1]) for n in range(len(parts))})


@dataclass(slots=True)
class Group:
    """A running layer or PyLayer: whether `only` asks for it, `skip` has it, it is recorded."""

    entered: events.ScopeEntered
    asked: bool
    left_out: bool
    announced: bool = False


class Filter:
    """Listener that passes wanted events on to another listener."""

    def __init__(self, only: Patterns, skip: Patterns, tell: Callable[[Any], None]) -> None:
        self.only, self.skip, self.tell = only, skip, tell
        self.groups: list[Group] = []
        self.calls: dict[int, bool] = {}  # call of an op or a PyLayer -> whether it is recorded
        self.nodes: dict[int, bool] = {}
        self.operators: dict[tuple[int, int], bool] = {}
        self.parts: dict[int, bool] = {}  # part of an operator -> whether the operator is kept
        self.visiting = True  # whether the grad node that backward visits is recorded
        self.kept: set[int] = set()  # tensors that wanted work has touched
        self.other: set[int] = set()  # tensors that unwanted work has touched
        self.handlers: dict[type, Callable[[Any], bool]] = {
            events.OpStarted: self.on_op,
            events.OpFinished: self.on_op,
            events.GradNodeMade: self.on_node_made,
            events.ScopeEntered: self.on_entered,
            events.ScopeLeft: self.on_left,
            events.LayerHookRan: self.on_layer_hook,
            events.ContextMarked: lambda e: self.calls.get(e.call, True),
            events.NodeVisited: self.on_visited,
            events.BackwardFinished: self.on_finished,
            events.ValuesTaken: lambda e: self.leaf(e.source.id),
            events.ParameterUpdated: self.on_updated,
            events.OperatorAppended: self.on_appended,
            events.PartAppended: self.on_part,
            events.Failed: self.on_failed,
            **dict.fromkeys(OF_NODES, lambda e: self.node(e.node)),
            **dict.fromkeys(AT_EDGES, lambda e: self.at(e.edge)),
            **dict.fromkeys(OF_LEAVES, lambda e: self.leaf(e.tensor.id)),
            **dict.fromkeys(OF_OPERATORS, self.on_operator),
        }

    def __call__(self, event: Any) -> None:
        """Pass an event on if it is wanted."""
        handler = self.handlers.get(event.__class__)
        if handler is None or handler(event):
            self.tell(event)

    # ----- work -----

    def is_wanted(
        self, words: Iterable[str], place: SourceLine | None, within: bool = True
    ) -> bool:
        """Return whether work with these names, at this place, is asked for and not skipped."""
        asked, left_out = self.match(words, place)
        return within and asked and not left_out

    def match(self, words: Iterable[str], place: SourceLine | None) -> tuple[bool, bool]:
        """Return whether `only`, and whether `skip`, has a name, the place or the group around."""
        words = {*words, *(words_at(place.file) if place else ())}
        group = self.groups[-1] if self.groups else None
        asked = not self.only or bool(group and group.asked) or fits(self.only, words)
        return asked, bool(group and group.left_out) or fits(self.skip, words)

    def on_op(self, event: events.OpStarted | events.OpFinished) -> bool:
        keep = self.calls.get(event.call)
        if keep is None:
            words = words_of_call(event.op, event.attrs, event.place)
            keep = self.is_wanted(words, event.place, self.visiting)
            self.calls[event.call] = keep
        self.touch(event.inputs, keep)
        self.touch(getattr(event, "outputs", ()), keep)
        return self.announce(keep)

    def touch(self, tensors: Any, keep: bool) -> None:
        (self.kept if keep else self.other).update(seen.id for seen in tensors_of(tensors))

    def announce(self, keep: bool) -> bool:
        """Pass on the begin of each group around work that is kept, once; return `keep`."""
        if keep:
            for group in self.groups:
                if not group.announced:
                    group.announced = True
                    self.tell(group.entered)
        return keep

    def on_entered(self, event: events.ScopeEntered) -> bool:
        asked, left_out = self.match(words_of(event.name), event.place)
        left_out = left_out or not self.visiting
        self.groups.append(Group(event, asked, left_out))
        if event.kind.startswith("pylayer"):  # a wanted PyLayer is recorded even if it is empty
            keep = asked and not left_out
            self.calls.setdefault(event.call, keep)
            self.touch(event.inputs, keep)
            self.announce(keep)
        return False

    def on_left(self, event: events.ScopeLeft) -> bool:
        while self.groups:
            group = self.groups.pop()
            if group.entered.scope == event.scope:
                if event.kind == "pylayer.forward":
                    self.calls[event.call] = group.announced
                    self.touch(event.outputs, group.announced)
                return group.announced
        return False

    def on_layer_hook(self, event: events.LayerHookRan) -> bool:
        return self.announce(self.is_wanted([event.name], event.place, self.visiting))

    # ----- gradients -----

    def on_node_made(self, event: events.GradNodeMade) -> bool:
        keep = self.nodes[event.node] = self.calls.get(event.call, not self.only)
        return keep

    def node(self, number: int) -> bool:
        """Return whether a node is wanted; an unknown, earlier node is, unless there is `only`."""
        return self.nodes.get(number, not self.only)

    def on_visited(self, event: events.NodeVisited) -> bool:
        self.visiting = self.node(event.node)
        return self.visiting

    def on_finished(self, _event: events.BackwardFinished) -> bool:
        self.visiting = True
        return True

    def leaf(self, tensor: int) -> bool:
        return tensor in self.kept or (tensor not in self.other and not self.only)

    def at(self, edge: Edge) -> bool:
        return self.node(edge.id) if edge.kind == "node" else self.leaf(edge.id)

    def on_updated(self, event: events.ParameterUpdated) -> bool:
        inside = self.leaf(event.tensor.id) or self.is_wanted([event.optimizer], None)
        return self.announce(inside and not fits(self.skip, [event.optimizer]))

    # ----- static Programs -----

    def on_appended(self, event: events.OperatorAppended) -> bool:
        words = words_of_call(event.op, event.attrs, event.place)
        words |= {event.type, event.type.removesuffix("_grad")}
        keep = self.is_wanted(words, event.place)
        if event.program in self.parts:
            keep = self.parts[event.program] and not fits(self.skip, words)
        self.operators[event.program, event.index] = keep
        return keep

    def on_part(self, event: events.PartAppended) -> bool:
        """Keep all inside an operator that is kept."""
        keep = self.parts[event.part] = self.on_operator(event)
        return keep

    def on_operator(self, event: Any) -> bool:
        return self.operators.get((event.program, event.index), not self.only)

    def on_failed(self, event: events.Failed) -> bool:
        """Leave the work that an error ends; every error is passed on."""
        if event.during == "scope":
            while self.groups and self.groups.pop().entered.scope != event.id:
                pass
        elif event.during == "node":
            self.visiting = True
        return True
