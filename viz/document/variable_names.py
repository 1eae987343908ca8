"""What the user calls a tensor: from the variables of the recorded frame, its own name, the code.

A tensor may have one name outside and another inside a PyLayer (`z` out there, `y` in forward),
so a name belongs to a scope; scope 0 is everything outside PyLayers.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from minipaddle import events
from minipaddle.events import Seen
from minipaddle.events.event_types import Event

from .sources import SourceTable

Names = dict[tuple[int, int], str]  # (tensor, scope): name

GENERATED = re.compile(r"(generated|eager)_(tensor|tmp)_\d+|\w*tmp_\d+")
COUNTED = re.compile(r"\w+_\d+\.[wb]_\d+")  # a parameter that nobody named
LOOK_AHEAD = 60  # events
MODULES = {"paddle", "minipaddle", "viz", "nn", "F", "np"}  # imported in another cell, maybe
ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)


def names_for(
    log: list[Any], variables: Mapping[int, str], sources: SourceTable, left: Any = None
) -> Names:
    """Every name that can be known, by tensor and scope.

    `left` is the place where the recording ended before the line did; None: there was none.
    """
    known = {seen.id: seen.name for event in log for seen in tensors_of(event)}
    names: Names = {(n, 0): name for n, name in variables.items() if n in known}
    counted = {}
    for number, name in known.items():
        if COUNTED.fullmatch(name):
            counted[number] = name
        elif name and not GENERATED.fullmatch(name):
            names.setdefault((number, 0), name)
    reader = Reader({place.file: place for place in places_of(log)}, sources, names)
    for key, name in reader.names(log, left):
        names.setdefault(key, name)
    for number, name in counted.items():
        names.setdefault((number, 0), reader.paths.get(name, name))
    for number, name in reader.received.items():
        names.setdefault((number, 0), name)
    return names


def tensors_of(thing: Any) -> Iterator[Seen]:
    """Every tensor that an event mentions, in the order of its fields."""
    if isinstance(thing, Seen):
        yield thing
    elif isinstance(thing, tuple):
        for item in thing:
            yield from tensors_of(item)
    elif isinstance(thing, Event):
        for name in thing.tensor_fields:
            yield from tensors_of(getattr(thing, name))


def places_of(log: list[Any]) -> Iterator[Any]:
    """Every place that records point to."""
    for event in log:
        place = getattr(event, "place", None)
        if place is not None:
            yield place


class Reader:
    """Reads names from the statements that the events point to."""

    def __init__(
        self, files: Mapping[str, Any], sources: SourceTable, named: Mapping[tuple[int, int], str]
    ) -> None:
        self.named = named
        self.paths: dict[str, str] = {}  # parameter: how one reaches it, `hidden.weight`
        self.received: dict[int, str] = {}  # tensor: what a layer's forward calls it
        self.made: set[int] = set()
        self.statements = {file: statements(sources.text(file)) for file in files}
        self.imported = {file: set(imports(sources.text(file))) for file in files}
        self.classes: dict[str, ast.ClassDef] = {}
        for file in files:
            for user_class in classes(sources.text(file)):
                self.classes.setdefault(user_class.name, user_class)
        self.last: tuple[Any, Any, int] | None = None  # place, outputs, scope of the latest result

    def names(self, log: list[Any], left: Any) -> Iterator[tuple[tuple[int, int], str]]:
        """(tensor, scope) and name for every result and argument that the code names."""
        scopes: list[Any] = []
        for at, event in enumerate(log):
            where = inner(scopes)
            if isinstance(event, events.ScopeEntered):
                if self.last and self.last[0] == event.place:
                    self.last = None  # it was an argument of this call
                yield from self.leave(event.place, scopes)
                yield from self.line_inputs(log, at, where)
                scopes.append(event)
                yield from self.arguments(event)
                self.parameters(scopes)
            elif isinstance(event, events.OpFinished):
                yield from self.leave(event.place, scopes)
                yield from self.line_inputs(log, at, where)
                yield from self.result(event.place, event.op, event.outputs, where)
            elif isinstance(event, events.ScopeLeft) and scopes:
                entered = scopes.pop()
                if entered.kind in ("layer", "pylayer.forward"):
                    yield from self.leave(entered.place, scopes)
                    op = "apply" if entered.kind != "layer" else ""
                    yield from self.result(entered.place, op, event.outputs, inner(scopes))
            elif isinstance(event, events.Failed):
                self.last = None  # its line has assigned nothing
        if self.last and self.last[0] != left:
            yield from self.leave(None, scopes)

    def line_inputs(
        self, log: list[Any], at: int, scope: int
    ) -> Iterator[tuple[tuple[int, int], str]]:
        """Name what a line reads and no recorded op made, by the names on it not yet taken."""
        place = log[at].place
        fresh = self.unknown(log[at].inputs, scope)
        on_line = self.at(place) if fresh else []
        if len(on_line) != 1:
            return
        if isinstance(log[at], events.ScopeEntered):
            calls = [c.args for c in calls_in(on_line[0]) if len(c.args) == len(log[at].inputs)]
            whole = [[a.id for a in args if isinstance(a, ast.Name)] for args in calls]
            if len(whole) == 1 and len(whole[0]) == len(log[at].inputs):
                pairs = zip(log[at].inputs, whole[0], strict=True)
                yield from (((s.id, scope), n) for s, n in pairs if s in fresh)
                return
        seen = list(read_on_line(log, at))
        fresh = self.unknown(seen, scope)
        known = {self.named.get((s.id, scope)) or self.named.get((s.id, 0)) for s in seen}
        skip = known | self.imported[place.file] | set(self.classes) | MODULES
        for names in (operands(on_line[0]), operands(on_line[0], owners=True)):
            candidates = [name for name in dict.fromkeys(names) if name not in skip]
            if len(candidates) == len(fresh):
                yield from (((s.id, scope), n) for s, n in zip(fresh, candidates, strict=True))
                return

    def unknown(self, tensors: Any, scope: int) -> list[Seen]:
        """Those that have neither a maker nor a name, each once."""
        fresh = {
            seen.id: seen
            for seen in tensors_of(tuple(tensors))
            if seen.id not in self.made
            and (seen.id, scope) not in self.named
            and (seen.id, 0) not in self.named
            and not COUNTED.fullmatch(seen.name)
        }
        return list(fresh.values())

    def parameters(self, scopes: list[Any]) -> None:
        """How one reaches what the layer just entered holds: `hidden.weight`, `net.0.bias`."""
        layers = [scope for scope in scopes if scope.kind == "layer"]
        if not layers or layers[-1] is not scopes[-1]:
            return
        path = [role_of(layer) for layer in layers if role_of(layer)]
        if not path or path[0].isdigit():
            owner = [name for s in self.at(layers[0].place) for name in callees(s)]
            path[:0] = owner if len(owner) == 1 else []
        for attribute, name in (layers[-1].parameters or {}).items():
            spelling = ".".join((*path, attribute))
            if path and spelling not in self.paths.values():
                self.paths.setdefault(name, spelling)

    def result(
        self, place: Any, op: str, outputs: Any, scope: int
    ) -> Iterator[tuple[tuple[int, int], str]]:
        """Name a result at once if its op is the outermost of an assignment."""
        self.made |= {seen.id for seen in tensors_of(tuple(outputs))}
        statement = next(
            (s for s in self.at(place) if outermost_call(getattr(s, "value", None)) == op), None
        )
        if statement is None:
            self.last = (place, outputs, scope)
        else:
            self.last = None
            yield from pair_targets(statement, outputs, scope)

    def leave(self, place: Any, scopes: list[Any]) -> Iterator[tuple[tuple[int, int], str]]:
        """When another line begins, the last result of a line is what it assigned.

        Not while something that the line called still runs, a hook of a layer for example.
        """
        if self.last is None or self.last[0] == place:
            return
        before, outputs, scope = self.last
        self.last = None
        on_line = self.at(before)
        if len(on_line) == 1 and all(scope.place != before for scope in scopes):
            yield from pair_targets(on_line[0], outputs, scope)

    def at(self, place: Any) -> list[ast.stmt]:
        return [] if place is None else self.statements[place.file].get(place.line, [])

    def arguments(self, scope: events.ScopeEntered) -> Iterator[tuple[tuple[int, int], str]]:
        """The parameters of the user's function name the tensors that it receives."""
        user_class = (
            self.classes.get(scope.name) if is_pylayer(scope) else self.class_of(scope.name)
        )
        if user_class is None:
            return
        for item in user_class.body:
            method = scope.kind.split(".")[1] if is_pylayer(scope) else "forward"
            if isinstance(item, ast.FunctionDef) and item.name == method:
                parameters = [argument.arg for argument in item.args.args[1:]]
                if len(parameters) != len(scope.inputs):
                    return  # arguments that are not tensors are not recorded
                for seen, name in zip(scope.inputs, parameters, strict=False):
                    if isinstance(seen, Seen) and is_pylayer(scope):
                        yield (seen.id, scope.scope), name
                    elif isinstance(seen, Seen) and seen.id not in self.made:
                        self.received.setdefault(seen.id, name)

    def class_of(self, layer: str) -> ast.ClassDef | None:
        """The user's class of a layer that is called `Net hidden`, or `my_net_1`."""
        kind, space, _ = layer.partition(" ")
        name = kind if space else layer.rpartition("_")[0].replace("_", "")
        fitting = (c for n, c in self.classes.items() if name in (n, n.lower().replace("_", "")))
        return next(fitting, None)


def read_on_line(log: list[Any], at: int) -> Iterator[Seen]:
    """What the events from `at` on read and have not made, as long as they stay on the line."""
    made: set[int] = set()
    for event in log[at : at + LOOK_AHEAD]:
        if isinstance(event, (events.OpFinished, events.ScopeEntered)):
            if event.place != log[at].place:
                return
            yield from (seen for seen in tensors_of(event.inputs) if seen.id not in made)
        made |= {seen.id for seen in tensors_of(getattr(event, "outputs", ()))}


def inner(scopes: list[Any]) -> int:
    """The scope whose names hold: the innermost PyLayer, or 0."""
    return next((s.scope for s in reversed(scopes) if is_pylayer(s)), 0)


def role_of(layer: events.ScopeEntered) -> str:
    """The attribute that holds a layer, empty for one that stands alone."""
    return layer.name.partition(" ")[2]


def is_pylayer(scope: Any) -> bool:
    return bool(scope.kind.startswith("pylayer."))


@cache
def parse(text: str) -> ast.Module:
    """The code as a tree; an empty one where it is not Python (a cell with magics, a lost file)."""
    plain = "\n".join("" if line.startswith(("%", "!")) else line for line in text.split("\n"))
    try:
        return ast.parse(plain)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def classes(text: str) -> Iterator[ast.ClassDef]:
    return (node for node in ast.walk(parse(text)) if isinstance(node, ast.ClassDef))


def statements(text: str) -> dict[int, list[ast.stmt]]:
    """The simple statements on each line."""
    by_line: dict[int, list[ast.stmt]] = {}
    for node in ast.walk(parse(text)):
        if isinstance(node, (*ASSIGNMENTS, ast.Expr, ast.Return)):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                by_line.setdefault(line, []).append(node)
    return by_line


def imports(text: str) -> Iterator[str]:
    """The names that a file imports."""
    for node in ast.walk(parse(text)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from ((alias.asname or alias.name).split(".")[0] for alias in node.names)


def calls_in(statement: ast.stmt) -> Iterator[ast.Call]:
    return (node for node in ast.walk(statement) if isinstance(node, ast.Call))


def callees(statement: ast.stmt) -> Iterator[str]:
    """The plain names that a statement calls: `net` in `net(x)`."""
    return (call.func.id for call in calls_in(statement) if isinstance(call.func, ast.Name))


def operands(node: ast.AST, owners: bool = False) -> Iterator[str]:
    """The names that a statement reads as values, from left to right.

    With `owners` also those whose methods it calls, as `x` in `x.sum()`.
    """
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Name):
            called_by = isinstance(node, ast.Call) and child is node.func
            owner = isinstance(node, ast.Attribute) and not owners
            if isinstance(child.ctx, ast.Load) and not called_by and not owner:
                yield child.id
        else:
            yield from operands(child, owners)


def outermost_call(value: ast.expr | None) -> str | None:
    """The name of the function whose call is the outermost operation of an expression."""
    if not isinstance(value, ast.Call):
        return None
    function = value.func
    return getattr(function, "attr", None) or getattr(function, "id", None)


def pair_targets(
    statement: ast.stmt, outputs: Any, scope: int
) -> Iterator[tuple[tuple[int, int], str]]:
    """Pair the targets of an assignment with the tensors assigned."""
    if not isinstance(statement, ASSIGNMENTS):
        return
    target = statement.targets[-1] if isinstance(statement, ast.Assign) else statement.target
    targets = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    if len(targets) != len(outputs):
        return
    for place, seen in zip(targets, outputs, strict=True):
        name = spell(place)
        if name and isinstance(seen, Seen):
            yield (seen.id, scope), name


def spell(target: ast.expr) -> str:
    """`y` or `self.y`; nothing for starred targets, subscripts and a lone underscore."""
    if isinstance(target, ast.Name):
        return "" if target.id == "_" else target.id
    return ast.unparse(target) if isinstance(target, ast.Attribute) else ""
