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

from .sources import SourceTable

Names = dict[tuple[int, int], str]  # (tensor, scope): name

GENERATED = re.compile(r"(generated|eager)_(tensor|tmp)_\d+|\w*tmp_\d+")
ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)


def names_for(log: list[Any], variables: Mapping[int, str], sources: SourceTable) -> Names:
    """Every name that can be known, by tensor and scope."""
    known = {seen.id: seen.name for event in log for seen in tensors_of(event)}
    found: Names = {(n, 0): name for n, name in variables.items() if n in known}
    for number, name in known.items():
        if name and not GENERATED.fullmatch(name):
            found.setdefault((number, 0), name)
    reader = Reader({place.file: place for place in places_of(log)}, sources)
    for key, name in reader.names(log):
        found.setdefault(key, name)
    return found


def tensors_of(thing: Any) -> Iterator[Seen]:
    """Every tensor that a record mentions, in the order of its fields."""
    if isinstance(thing, Seen):
        yield thing
    elif type(thing) is tuple:
        for item in thing:
            yield from tensors_of(item)
    elif type(thing).__module__ == events.__name__:
        for name in type(thing).__slots__:
            yield from tensors_of(getattr(thing, name))


def places_of(log: list[Any]) -> Iterator[Any]:
    """Every place that records point to."""
    for event in log:
        place = getattr(event, "place", None)
        if place is not None:
            yield place


class Reader:
    """Reads names from the statements that the events point to."""

    def __init__(self, files: Mapping[str, Any], sources: SourceTable) -> None:
        self.statements = {file: statements(sources.text(file)) for file in files}
        self.classes: dict[str, ast.ClassDef] = {}
        for file in files:
            for found in classes(sources.text(file)):
                self.classes.setdefault(found.name, found)
        self.last: tuple[Any, Any, int] | None = None  # place, outputs, scope of the latest result

    def names(self, log: list[Any]) -> Iterator[tuple[tuple[int, int], str]]:
        """(tensor, scope) and name for every result and argument that the code names."""
        scopes: list[Any] = []
        for event in log:
            where = next((s.scope for s in reversed(scopes) if is_pylayer(s)), 0)
            if isinstance(event, events.ScopeEntered):
                scopes.append(event)
                if self.last and self.last[0] == event.place:
                    self.last = None  # it was an argument of this call
                yield from self.arguments(event)
            elif isinstance(event, events.OpFinished):
                yield from self.result(event.place, event.op, event.outputs, where)
            elif isinstance(event, events.ScopeLeft) and scopes:
                entered = scopes.pop()
                outside = next((s.scope for s in reversed(scopes) if is_pylayer(s)), 0)
                if entered.kind == "pylayer.forward":
                    yield from self.result(entered.place, "apply", event.outputs, outside)
        yield from self.leave(None)

    def result(
        self, place: Any, op: str, outputs: Any, scope: int
    ) -> Iterator[tuple[tuple[int, int], str]]:
        """Name a result at once if its op is the outermost of an assignment."""
        yield from self.leave(place)
        statement = next(
            (s for s in self.at(place) if called(getattr(s, "value", None)) == op), None
        )
        if statement is None:
            self.last = (place, outputs, scope)
        else:
            self.last = None
            yield from assigned(statement, outputs, scope)

    def leave(self, place: Any) -> Iterator[tuple[tuple[int, int], str]]:
        """When another line begins, the last result of a line is what it assigned."""
        if self.last is None or self.last[0] == place:
            return
        before, outputs, scope = self.last
        self.last = None
        found = self.at(before)
        if len(found) == 1:
            yield from assigned(found[0], outputs, scope)

    def at(self, place: Any) -> list[ast.stmt]:
        return [] if place is None else self.statements[place.file].get(place.line, [])

    def arguments(self, scope: events.ScopeEntered) -> Iterator[tuple[tuple[int, int], str]]:
        """The parameters of a PyLayer's function name the tensors that it receives."""
        made = self.classes.get(scope.name)
        if made is None or not is_pylayer(scope):
            return
        for item in made.body:
            if isinstance(item, ast.FunctionDef) and item.name == scope.kind.split(".")[1]:
                parameters = [argument.arg for argument in item.args.args[1:]]
                if len(parameters) != len(scope.inputs):
                    return  # arguments that are no tensors are not told
                for seen, name in zip(scope.inputs, parameters, strict=False):
                    if isinstance(seen, Seen):
                        yield (seen.id, scope.scope), name


def is_pylayer(scope: Any) -> bool:
    return bool(scope.kind.startswith("pylayer."))


@cache
def parsed(text: str) -> ast.Module:
    """The code as a tree; an empty one where it is no Python (a cell with magics, a lost file)."""
    plain = "\n".join("" if line.startswith(("%", "!")) else line for line in text.split("\n"))
    try:
        return ast.parse(plain)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def classes(text: str) -> Iterator[ast.ClassDef]:
    return (node for node in ast.walk(parsed(text)) if isinstance(node, ast.ClassDef))


def statements(text: str) -> dict[int, list[ast.stmt]]:
    """The simple statements on each line."""
    found: dict[int, list[ast.stmt]] = {}
    for node in ast.walk(parsed(text)):
        if isinstance(node, (*ASSIGNMENTS, ast.Expr, ast.Return)):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                found.setdefault(line, []).append(node)
    return found


def called(value: ast.expr | None) -> str | None:
    """The name of the function whose call is the outermost operation of an expression."""
    if not isinstance(value, ast.Call):
        return None
    function = value.func
    return getattr(function, "attr", None) or getattr(function, "id", None)


def assigned(
    statement: ast.stmt, outputs: Any, scope: int
) -> Iterator[tuple[tuple[int, int], str]]:
    """Pair the targets of an assignment with the tensors assigned."""
    if not isinstance(statement, ASSIGNMENTS):
        return
    target = statement.targets[-1] if isinstance(statement, ast.Assign) else statement.target
    targets = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    if len(targets) != len(outputs):
        return
    for wanted, seen in zip(targets, outputs, strict=True):
        name = spelled(wanted)
        if name and isinstance(seen, Seen):
            yield (seen.id, scope), name


def spelled(target: ast.expr) -> str:
    """`y` or `self.y`; nothing for starred targets, subscripts and a lone underscore."""
    if isinstance(target, ast.Name):
        return "" if target.id == "_" else target.id
    return ast.unparse(target) if isinstance(target, ast.Attribute) else ""
