"""The user's names of tensors: from variables, from the tensors themselves, and from the code.

A tensor may have one name outside a PyLayer, `z`, and another in its forward, `y`, so a name
belongs to a scope; scope 0 is everything outside PyLayers. Code may give one name to many tensors,
in a loop for example; `distinct` makes the names distinct.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from minipaddle import Tensor, events
from minipaddle.engine.source_line import SHOWN, SourceLine, Turn, is_library_code
from minipaddle.events import Seen
from minipaddle.events.event_types import Event
from minipaddle.ops import REGISTRY

from ..model import group_by_key
from .code_names import (
    LONGEST,
    OPERATORS,
    Code,
    argument_names,
    function_name,
    is_gradient,
    is_in_paddle,
    pair_names,
    receiver,
    spell,
    spell_formula,
    unpack,
    variables_in,
)
from .sources import SourceTable

Names = dict[tuple[int, int], str]  # (tensor, scope) -> name
LayerNames = dict[str, str]  # a layer outside others, such as Linear_3 -> the user's name

Frame = tuple[str, str]  # a function's file and name
Rounds = Sequence[tuple[Turn, int, int]]  # values of loop variables, first event, event after

NOTHING: Mapping[str, str] = MappingProxyType({})
GENERATED = re.compile(r"(generated|eager)_(tensor|tmp)_\d+|\w*tmp_\d+")
COUNTED = re.compile(r"\w+_\d+\.[wb]_\d+|.*_deepcopy_\d+")  # a parameter's generated name
DETACHING = ("detach", "detach_")
VALUES_TAKEN = "taken"  # pseudo op of a tensor that took its values outside of every op
CALLED = ("layer", "pylayer.forward")  # kinds of scopes that the user's code calls


def names_for(
    log: list[Any],
    variables: Mapping[int, str],
    reached: Mapping[int, str],
    layers: Mapping[str, str],
    sources: SourceTable,
    left: Any = None,
    rounds: Rounds = (),
    around: Frame | None = None,
) -> tuple[Names, LayerNames]:
    """Return the names of tensors, by (tensor, scope), and of layers.

    The line of the function `around` that makes a tensor names it: `x` of `x = tanh(w)`, even if
    `q = x` follows. Then come names of `variables`, tensors' own names, further names in the code,
    paths `reached` from variables, and last the names of gradients after their leaves. `layers`
    maps the layers' names in events to variables. `left` is the line in which the recording was cut
    off, or None. Loop variables of `rounds` are left out of names.
    """
    known = {seen.id: seen.name for event in log for seen in tensors_of(event)}
    ends = (event for event in log if isinstance(event, events.BackwardFinished))
    asked = [result.edge for end in ends for result in end.results]  # even if no op reads them
    taken = {edge.id for edge in asked if edge.kind == "leaf"}
    names: Names = {(n, 0): name for n, name in variables.items() if n in known or n in taken}
    counted = {number: name for number, name in known.items() if COUNTED.fullmatch(name)}
    for number, name in known.items():
        if name and number not in counted and not GENERATED.fullmatch(name):
            names.setdefault((number, 0), name)
    places = [event.place for event in log if getattr(event, "place", None)]
    lines = [line for place in places for line in (place, shown_line(place))]
    files = dict.fromkeys([line.file for line in lines])
    codes = {file: sources.code(file) for file in files}
    reader = Reader(codes, names, layer_names(log), around)
    reader.read(log, left, rounds)
    own_codes = [code for file, code in codes.items() if is_library_code(file) != SHOWN]
    own_words = {word for code in own_codes for word in code.assigned}
    name_after_layers(names, reader.inside, reader.turns, own_words)
    name_turns(names, reader.turns)
    leaves = [event for event in log if isinstance(event, events.LeafReached)]
    holders = {event.holder for event in leaves}
    words = {number: name for number, name in reader.parts.items() if number not in holders}
    for number, name in (*reached.items(), *counted.items(), *words.items()):
        if number in known:
            names.setdefault((number, 0), name)
    for event in leaves:
        name_leaf(names, event.tensor.id)
        owner = names.get((event.tensor.id, 0))
        if owner and event.holder in known and names.get((event.holder, 0), owner) == owner:
            names[event.holder, 0] = f"{owner}.grad"  # also of w in clip_grad_norm_([w], 1.0)
    for number, old in changed_leaves(log).items():
        if (old, 0) in names and number in known:
            names.setdefault((number, 0), names[old, 0])
    return names, names_of_layers(reader.called, layers)


def name_after_layers(
    names: Names,
    inside: Mapping[tuple[int, int], str],
    turns: dict[tuple[int, int], Any],
    own_words: Collection[str],
) -> None:
    """Put the layer before names from the library's code that are not distinct: `lstm.h`.

    Another layer has such a name too, or the user's variables `own_words` do; a name outside of
    layers is then left out. `self._scale` becomes `scale`.
    """
    for key in inside:
        names[key] = re.sub(r"^self\._?", "", names[key])
    owners: dict[str, set[str]] = {}
    for key, name in names.items():
        owners.setdefault(name, set()).add(inside.get(key, ""))
    for key, path in inside.items():
        name = names[key]
        if not path and name in own_words:
            del names[key]
        elif path and (name in own_words or len(owners[name]) > 1):
            names[key] = f"{path}.{name}"
            turns[key] = names[key], turns[key][1] if key in turns else ()


def name_turns(names: Names, turns: Mapping[tuple[int, int], tuple[str, Turn]]) -> None:
    """Add the loop variable to the names of tensors that a loop assigns in turn: `h[t=2]`.

    The innermost loop's variable is enough, unless those of outer loops distinguish more tensors:
    `h[layer=1, t=2]`.
    """
    for name, keys in group_by_key([(name, key) for key, name in names.items()]).items():
        if len({tensor for tensor, _ in keys}) == 1:
            continue
        found = {key: turns[key][1] for key in keys if turns.get(key, ("", ()))[0] == name}
        turned = {key: turn for key, turn in found.items() if turn}
        whole = len({*turned.values()}) > len({turn[-1:] for turn in turned.values()})
        shared = Counter(pair for turn in turned.values() for pair in turn)
        for key, turn in turned.items():
            told = [pair for pair in turn[:-1] if whole and shared[pair] < len(turned)] + [turn[-1]]
            values = ", ".join([f"{of}={value!r}" for of, value in told])
            names[key] = f"{name}[{values}]"


def name_leaf(names: Names, leaf: int) -> None:
    """Give a leaf whose only name is inside a PyLayer the same name outside."""
    inside = {name for (number, _), name in names.items() if number == leaf}
    if (leaf, 0) not in names and len(inside) == 1:
        names[leaf, 0] = inside.pop()


def tensors_of(thing: Any) -> list[Seen]:
    """Return every tensor of an event, in the order of its fields."""
    inner: Iterable[Any] = ()
    if isinstance(thing, Seen):
        return [thing]
    if isinstance(thing, tuple):
        inner = thing
    elif isinstance(thing, Event):
        inner = [getattr(thing, name) for name in thing.tensor_fields]
    found: list[Seen] = []
    for each in inner:
        if each.__class__ is Seen:
            found.append(each)
        elif each:
            found += tensors_of(each)
    return found


def changed_leaves(log: Iterable[Any]) -> dict[int, int]:
    """Return tensor -> the tensor without a history that became it, changed in place."""
    same: dict[int, int] = {}
    changes = (e for e in log if isinstance(e, events.ValuesTaken) and e.way == "result")
    for event in changes:
        if event.source.stop_gradient:
            same[event.source.id] = same.get(event.tensor.id, event.tensor.id)
    return same


def repeated_numbers(log: Iterable[Any], names: Names) -> dict[int, int]:
    """Map tensors made from one number in the code to the first of them: n of `x / n` in a loop."""
    made: set[int] = set()
    numbers: dict[int, Any] = {}
    for event in log:
        made.update(seen.id for seen in tensors_of(getattr(event, "outputs", ())))
        for seen in tensors_of(getattr(event, "inputs", ())):
            if may_be_number(seen):
                numbers.setdefault(seen.id, seen.value.data.get("data"))
    same: dict[int, int] = {}
    last: dict[tuple[str, int], int] = {}
    for (tensor, scope), name in sorted(names.items()):
        before = last.get((name, scope), 0)
        last[name, scope] = tensor
        both = {tensor, before}
        if both <= numbers.keys() - made and None is not numbers[tensor] == numbers[before]:
            same[tensor] = same.get(before, before)
    return same


def may_be_number(seen: Seen) -> bool:
    """Return whether a tensor that no op made may stand for a number in the code: 2 of `x / 2`."""
    return not seen.value.shape and seen.stop_gradient and seen.kind == "tensor"


def shown_line(place: Any) -> Any:
    """Return the line of library code whose variables name tensors, or the user's line."""
    return getattr(place, "inner", None) or place


def layer_names(records: Iterable[object], called: Mapping[str, str] = NOTHING) -> dict[str, str]:
    """Return labels of layers: `MLP_3` is `MLP net` if the user calls the layer `net`.

    A layer that the user does not name is `MLP` if no other MLP runs. A Net named `net` is `net`.
    """
    names = {e.name for e in records if isinstance(e, events.ScopeEntered) and e.kind == "layer"}
    families: dict[str, list[str]] = {}
    for name in names:
        family, _, number = name.rpartition("_")
        families.setdefault(family if number.isdigit() else name, []).append(name)
    alone = {alike[0]: family for family, alike in families.items() if len(alike) == 1 and family}
    kinds = {name: family for family, alike in families.items() for name in alike}
    labels = {
        name: word if word.lower() == kinds[name].lower() else f"{kinds[name]} {word}"
        for name, word in called.items()
        if name in names
    }
    return alone | labels


def names_of_layers(called: Mapping[str, set[str]], variables: Mapping[str, str]) -> LayerNames:
    """Return the names of layers that have exactly one name, which no other layer has.

    Where the code has no lasting name for a layer, the name of a variable that holds it counts.
    """
    names = {}
    for layer, words in called.items():
        every = {word or variables.get(layer, "") for word in words}
        if len(every) == 1:
            names[layer] = every.pop()
    count = Counter(names.values())
    return {layer: name for layer, name in names.items() if name and count[name] == 1}


# ----- names in the code --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Execution:
    """An op, layer or PyLayer that ran, with its inputs and outputs."""

    op: str
    inputs: tuple[Any, ...]
    outputs: tuple[Any, ...]
    is_layer: bool = False
    parts: tuple[str, ...] = ()  # a batch's path to each output: `[0]`
    since: int | None = None  # number of tensors made before the layer began, at its end
    turn: Turn = ()  # values of the variables of the loops around

    def made(self) -> set[int]:
        """Return the new tensors, without one that `w.set_value(v)` overwrites."""
        return {s.id for s in tensors_of(self.outputs)} - {s.id for s in tensors_of(self.inputs)}

    def is_whole(self, node: ast.AST) -> bool:
        """Return whether this op or layer is surely all that an expression ran."""
        return self.is_layer or self.op == function_name(node).rstrip("_")


@dataclass(slots=True)
class Run:
    """Uninterrupted work of one part of the code: one call, or several in a loop."""

    place: SourceLine
    scope: int
    ran: list[Execution] = field(default_factory=list)


class Reader:
    """Reader of names from the parts of the code that events point to."""

    def __init__(
        self,
        codes: Mapping[str, Code],
        names: Names,
        layers: Mapping[str, str],
        around: Frame | None = None,
    ) -> None:
        self.codes, self.names = codes, names
        self.around = around  # the function whose variables `names` are
        self.lasting = set(names)  # (tensor, scope) whose names are never replaced
        self.held: dict[str, set[int]] = {}  # variable -> tensors of the ends of rounds
        for (tensor, _), name in names.items():
            self.held.setdefault(name, set()).add(tensor)
        self.settled: set[int] = set()  # tensors named by a line of `around` that made them
        self.layers = layers  # layer outside others -> its label
        self.makers: dict[int, str] = {}  # tensor -> the op that made it
        self.gradients: set[int] = set()  # tensors that a `.grad` holds
        self.sources: set[int] = set()  # tensors made from no other, as by randn
        self.made_in_shown: set[int] = set()  # tensors that shown library code has made
        self.births: dict[int, int] = {}  # tensor -> number of tensors made before it
        self.expressions: dict[int, ast.AST] = {}  # tensor -> the expression whose value it is
        self.bound: dict[tuple[str, int], int] = {}  # (name, scope) -> tensor last assigned to it
        self.called: dict[str, set[str]] = {}  # layer outside others -> its names, "" for none
        self.parts: dict[int, str] = {}  # tensor -> name to use if nothing else names it
        self.scopes: list[Any] = []  # scopes that were entered and not yet left
        self.callers: dict[ast.AST, str] = {}  # returned expression -> the callers' name for it
        self.paths: dict[int, str] = {}  # layer's scope -> path to the layer
        self.own: dict[int, dict[str, str]] = {}  # running layer's scope -> {parameter: path}
        self.inner: dict[int, dict[str, str]] = {}  # scope -> {parameter of an inner layer: path}
        self.before: dict[int, int] = {}  # layer's scope -> number of tensors made before it
        self.turns: dict[tuple[int, int], tuple[str, Turn]] = {}  # loop values at an assignment
        self.inside: dict[tuple[int, int], str] = {}  # key of a name in shown code -> its layer
        self.round: Turn = ()  # values of the loop variables of the current round
        self.run: Run | None = None
        self.shown: Run | None = None  # the run in shown library code that `run` has led to
        self.passes: list[SourceLine | None] = []  # lines that began the running backward passes
        self.passed: set[SourceLine | None] = set()  # lines that began a backward pass: `J[:]`

    def read(self, log: list[Any], left: SourceLine | None, rounds: Rounds = ()) -> None:
        """Add the names that the code gives to results, arguments and parameters."""
        bounds: dict[int, Turn] = {}
        for turn, first, last in rounds:
            if first < last:
                bounds |= {first: turn, last: ()}
        for at, event in enumerate(log):
            self.round = bounds.get(at, self.round)
            if getattr(event, "kind", "") == "control":
                # The user's functions run as if they were called directly; what was computed before
                # them is not the call's result.
                place = getattr(event, "place", None)
                self._end_run(gives=self.run is None or self.run.place != place)
                continue
            if isinstance(event, events.ScopeEntered):
                self._enter_scope(event)
            elif isinstance(event, events.OpFinished):
                parts = tuple(event.attrs.get("parts", ())) if event.op == "batch" else ()
                ran = Execution(event.op, event.inputs, event.outputs, parts=parts)
                self._add_to_run(event.place, ran)
            elif isinstance(event, events.ValuesTaken):
                self._read_values_taken(event)
            elif isinstance(event, events.ScopeLeft):
                self._leave_scope(event)
            elif isinstance(event, events.BackwardStarted):
                self.passed.add(event.place)
                self._end_run(gives=self.run is None or self.run.place != event.place)
                self.passes.append(event.place)
            elif isinstance(event, events.LeafReached):
                self.gradients.add(event.holder)
            elif isinstance(event, events.BackwardFinished):
                self._end_run()
                self._name_gradients(event)
            elif isinstance(event, events.Failed):
                self._end_run(gives=False)
                self._leave_failed(event)
        self._end_run(gives=left is None or not self._is_unfinished(left))

    def _name_gradients(self, event: events.BackwardFinished) -> None:
        """Name the gradients that `paddle.grad` returns, at the end of its backward pass."""
        place = self.passes.pop() if self.passes else None
        node = self.codes[place.file].at(place) if place else None
        target = self.codes[place.file].target(node) if place and node else None
        if target is not None:
            for name, number in pair_names(target, [each.holder for each in event.results]):
                if isinstance(number, int) and number:
                    key = number, self._naming_scope()
                    self.names.setdefault(key, name)
                    self.turns[key] = name, self._loop_values_at(place)

    def _leave_failed(self, event: events.Failed) -> None:
        """Leave the scope, or the backward pass, that an exception has left."""
        left = [at for at, scope in enumerate(self.scopes) if scope.scope == event.id]
        if event.during == "scope" and left:
            del self.scopes[left[0] :]
        elif event.during in ("node", "leaf"):
            del self.passes[-1:]

    def _loop_values_at(self, place: SourceLine | None) -> Turn:
        """Return (variable, value) of the loops around a place, without those of the round and of
        the loops around it, which the whole round has."""
        turn = getattr(place, "turn", ())
        inner = max((at for at, pair in enumerate(turn, 1) if pair in self.round), default=0)
        return tuple(turn[inner:])

    def _read_values_taken(self, event: events.ValuesTaken) -> None:
        """Note that a tensor took the values of another tensor: `x.detach()`."""
        if event.place is None:
            return
        read = () if event.way in ("numpy", "computed") else (event.source,)
        self._add_to_run(event.place, Execution(VALUES_TAKEN, read, (event.tensor,)))
        name = self._known_name(event.source, self._naming_scope())
        node = self.codes[event.place.file].at(event.place)
        if function_name(node) in (*DETACHING, "") or event.way != "alias":
            self._end_run()  # else a function that detaches its argument first
        text = f"{name}.detach()" if name else ast.unparse(node) if node else ""
        if event.way == "alias" and 0 < len(text) <= LONGEST:
            self.parts.setdefault(event.tensor.id, text)

    # ----- runs ----------------------------------------------------------------------------------

    def _enter_scope(self, event: events.ScopeEntered) -> None:
        self._extend_shown(None)
        if self.run and self.run.place != event.place:
            self._end_run()
        if event.place and event.kind in CALLED and not self._is_inner(event.place):
            ran = Execution("", event.inputs, (), True)
            self._name_operands(event.place, [ran], self._naming_scope())
        self.scopes.append(event)
        self.before[event.scope] = len(self.makers)
        if is_pylayer(event):
            self._name_arguments(event)
        elif event.kind == "layer":
            self._note_parameter_paths(event)
            self._note_layer_name(event)

    def _leave_scope(self, event: events.ScopeLeft) -> None:
        for at in range(len(self.scopes) - 1, -1, -1):
            if self.scopes[at].scope == event.scope:
                entered = self.scopes[at]
                self._extend_shown(None)
                if self.run and self.run.place != entered.place:
                    self._end_run()
                del self.scopes[at:]
                self.own.pop(event.scope, None)
                self.inner.pop(event.scope, None)
                if entered.kind in CALLED:
                    since = self.before.pop(event.scope)
                    self._add_to_run(
                        entered.place, Execution("", (), event.outputs, True, since=since)
                    )
                return

    def _add_to_run(self, place: SourceLine | None, ran: Execution) -> None:
        """Add an op or a layer to the run at its place."""
        read = tensors_of(ran.inputs)
        for seen in read:
            self._name_parameter(seen)
        for seen in tensors_of(ran.outputs):
            self.births.setdefault(seen.id, len(self.makers))
            if ran.op != VALUES_TAKEN:
                self.makers.setdefault(seen.id, ran.op)
            if ran.op not in (VALUES_TAKEN, "") and not read:
                self.sources.add(seen.id)
        scope, is_own = self._naming_scope(), place is not None and not self._is_inner(place)
        if is_own and (self.run is None or (self.run.place, self.run.scope) != (place, scope)):
            self._end_run()
        inner = getattr(place, "inner", None) if ran.op else None
        if inner or self.shown:
            self._extend_shown(inner, ran)
        if place is None or not is_own:
            return  # a running layer of the same place reports the result later
        self.run = self.run or Run(place, scope)
        turn = self._loop_values_at(place)
        self.run.ran.append(replace(ran, turn=turn) if turn else ran)

    def _extend_shown(self, place: SourceLine | None, ran: Execution | None = None) -> None:
        """Add an op to the run of a line of shown library code; end the run of another line."""
        scope = self._naming_scope()
        shown = self.shown
        if shown and (place is None or (shown.place, shown.scope) != (place, scope)):
            self.shown = None
            self._name_run(shown)
        if place is not None and ran is not None:
            self.made_in_shown |= ran.made()
            self.shown = self.shown or Run(place, scope)
            turn = self._loop_values_at(place)
            self.shown.ran.append(replace(ran, turn=turn) if turn else ran)

    def _end_run(self, gives: bool = True) -> None:
        """End the run, and that in shown code, which it led to."""
        if self.shown:
            self._extend_shown(None)
        run, self.run = self.run, None
        if run is not None:
            self._name_run(run, gives)

    def _name_run(self, run: Run, gives: bool = True) -> None:
        """Name the inputs of a run and, if it ended normally, its results."""
        code = self.codes[run.place.file]
        node = code.at(run.place)
        if node is None:
            return
        gives = gives and run.place not in self.passes[-1:]  # paddle.grad reports its own results
        for ran in run.ran:
            if ran.parts:
                self._name_batch(code, node, ran, run.scope)
        # In `x[0] += y` the same expression is first read and then written.
        reads = run.ran[0].op == "getitem" and code.writes_elements(node)
        target = None if reads else code.target(node)
        for call in calls_of(run.ran, code, node):
            if run.place not in self.passed:  # else it reads gradients
                self._name_operands(run.place, call, run.scope)
            outputs = call[-1].outputs
            if is_library_code(run.place.file) != SHOWN:
                self.made_in_shown -= call[-1].made()  # the result of the user's expression
            if len(outputs) == 1 and isinstance(outputs[0], Seen):
                self.expressions[outputs[0].id] = node
            caller = "" if run.scope else self._callers_name(run.place.file, node)
            if gives and caller and len(outputs) == 1:
                self._name_tensor(outputs[0], 0, caller, call[-1].since, run.place)
            if gives and target is not None and code.gives_tensors(node):
                if len(call) > 1 and not self._gives_last(node, target, call):
                    continue
                parts = isinstance(target, (ast.Tuple, ast.List))
                given = outputs if parts or len(outputs) != 1 else outputs[0]
                for name, thing in pair_names(target, given):
                    name = self._older_name(code, node, call[-1], run.scope) or name
                    self._name_tensor(thing, run.scope, name, call[-1].since, run.place)
                    if isinstance(thing, Seen):
                        self._forget_partial_sum(code, node, call[-1], run.scope)
                        if not parts:  # a function may return an op's results in another order
                            self._settle(thing.id, run, name)
                        self.bound[name, run.scope] = thing.id
                        self.turns[thing.id, run.scope] = name, call[-1].turn

    def _gives_last(self, node: ast.AST, target: ast.AST, call: Sequence[Execution]) -> bool:
        """Return whether the last of several ops may give what the code assigns to the target.

        `total = clip_grad_norm_(…)` returns the norm, and changes gradients last.
        """
        changes = function_name(node).endswith("_") and not call[-1].is_whole(node)
        made = {tensor for ran in call for tensor in ran.made()}
        held = self.held.get(spell(target), set()) if isinstance(target, ast.Name) else set()
        is_other = held & made and not held & call[-1].made()
        return not (is_other or changes)

    def _forget_partial_sum(self, code: Code, node: ast.AST, ran: Execution, scope: int) -> None:
        """Drop the name s of the sum of fewer rows, which the last op of `s = sum(...)` has read.

        Only the result is s.
        """
        first = next(iter(tensors_of(ran.inputs)), None)
        if first and code.calls_sum(node) and self.expressions.get(first.id) is node:
            self.names.pop((first.id, scope), None)

    def _callers_name(self, file: str, node: ast.AST) -> str:
        """Return the callers' name for a function's result, or "" if they have several or none."""
        if node not in self.callers:
            self.callers[node] = self._find_callers_name(file, node)
        return self.callers[node]

    def _find_callers_name(self, file: str, node: ast.AST) -> str:
        code = self.codes[file]
        if variable := code.loop_variable(node):
            return variable
        function, path = code.function_returning(node)
        codes = self.codes.values()
        if not function or sum(len(one.functions.get(function, ())) for one in codes) != 1:
            return ""
        is_public = is_library_code(file) == SHOWN and is_in_paddle(function)
        if is_public or any(function in one.passed for one in codes):
            return ""  # others may call it
        names = set()
        for one in codes:
            for call in one.functions_called(function):
                part, rest = unpack(one.item(call), path)
                names.add("" if rest or part is None else spell(part))
        return names.pop() if len(names) == 1 else ""

    def _name_batch(self, code: Code, node: ast.AST, batch: Execution, scope: int) -> None:
        """Name the tensors of a DataLoader's batch by the targets of a loop or an assignment.

        A part of a variable is named `data[0]` only if the code has no other name for the tensor.
        """
        target = code.item(node) if code.gives_tensors(node) else None
        for seen, path in zip(batch.outputs, batch.parts, strict=True):
            part, rest = unpack(target, path)
            name = spell(part) if part is not None else ""
            if name and not rest:
                self._name_tensor(seen, scope, name)
                self.bound[name, scope] = seen.id
            self.parts[seen.id] = name + rest if name else f"batch{path}"

    def _older_name(self, code: Code, node: ast.AST, ran: Execution, scope: int) -> str:
        """Return the known name of a tensor that `p.add_(1)` changes in place, or ""."""
        first = next(iter(tensors_of(ran.inputs)), None)
        return self._known_name(first, scope) if first and code.changed(node) is not None else ""

    def _is_inner(self, place: SourceLine) -> bool:
        """Return whether a layer that was called at the same place is still running."""
        return any(scope.place == place for scope in self.scopes)

    def _is_unfinished(self, left: SourceLine) -> bool:
        """Return whether the recording ended in a line of the run before the run was complete."""
        run = self.run
        if run is None or left.file != run.place.file:
            return False
        node = self.codes[left.file].at(run.place)
        first, last = (run.place.span or (run.place.line,) * 2)[:2]
        done = node is not None and run.ran[-1].is_whole(node)
        return first <= left.line <= last and not done

    def _naming_scope(self) -> int:
        """Return the scope whose names are valid: the innermost PyLayer, or 0."""
        return next((s.scope for s in reversed(self.scopes) if is_pylayer(s)), 0)

    def _name_tensor(
        self,
        thing: Any,
        scope: int,
        name: str,
        since: int | None = None,
        place: SourceLine | None = None,
    ) -> None:
        """Name a tensor that has no name, or that a layer has made and named after `since`.

        Names of variables that hold a tensor at the end of a round or of the recording are never
        replaced.
        """
        if isinstance(thing, Seen):
            key = thing.id, scope
            made_inside = since is not None and self.births.get(thing.id, -1) >= since
            is_shown = place is not None and is_library_code(place.file) == SHOWN
            is_better = key in self.inside and not is_shown
            if (made_inside and key not in self.lasting) or key not in self.names or is_better:
                self.names[key] = name
                self.inside.pop(key, None)
                if is_shown:
                    layers = (one.scope for one in reversed(self.scopes) if one.kind == "layer")
                    self.inside[key] = self.paths.get(next(layers, 0), "")

    def _settle(self, tensor: int, run: Run, name: str) -> None:
        """Keep the first name that a line of the function `around` gives its result.

        A variable that holds the tensor later, `q` after `q = x`, is unknown on the lines before.
        """
        own = (run.place.file, run.place.function) == self.around and not run.scope
        if own and self.makers.get(tensor) and tensor not in self.settled:
            self.settled.add(tensor)
            self.lasting.add((tensor, 0))
            self.names[tensor, 0] = name
            self.inside.pop((tensor, 0), None)

    # ----- operands ------------------------------------------------------------------------------

    def _name_operands(self, place: SourceLine, ran: Sequence[Execution], scope: int) -> None:
        """Name the inputs of the first op or layer by operands in the code that surely fit."""
        code = self.codes[place.file]
        node = code.at(place)
        operands = code.operands(node, ran[0].is_layer) if node else None
        if node is None or not operands:
            return
        read = list(tensors_of(ran[0].inputs))
        might_be = code.tensor is Tensor and code.calls_a_method(node)
        if might_be and self._is_function(ran, node, operands, read):  # type: ignore[arg-type]
            operands = operands[1:]
        if not in_order(ran, code, node):
            read, operands = self._match_known_names(ran, operands, scope, code.repeats(node))
        elif ran[0].op and len(operands) > len(read):
            gradients: list[ast.expr] = [*filter(is_gradient, operands)]  # `rate * w.grad`
            if len(gradients) == len(read):
                operands = gradients
            elif ran[0].is_whole(node):
                read, operands = read[:1], operands[:1]  # further operands may be numbers
        elif len(read) == 2 and len(operands) == 1 and code.ends_in_a_number(node):
            read = read[:1]  # the number became a tensor: 2 of `n // 2`
        if len(read) != len(operands):
            return
        pairs = [*zip(read, operands, strict=True)]
        if is_library_code(place.file) == SHOWN:  # the user's expressions keep their names
            pairs = [(seen, each) for seen, each in pairs if seen.id in self.made_in_shown]
        found = [(seen, self._spell_operand(code, place, each, seen)) for seen, each in pairs]
        if place.function == "forward" and self.scopes and self.scopes[-1].kind == "layer":
            path = self.paths[self.scopes[-1].scope]
            found = [(seen, spell_from_layer(path, name, seen)) for seen, name in found]
        known = ((self._known_name(seen, scope), seen.id) for seen in read)
        owners = {name: number for name, number in known if name}
        if all(owners.get(name, seen.id) == seen.id for seen, name in found):
            for seen, name in found:
                if name and not self._known_name(seen, scope):
                    self._name_tensor(seen, scope, name, place=place)
                    if is_library_code(place.file) == SHOWN:
                        turn = self._loop_values_at(place)
                        made_before = seen.id in self.sources  # such as the first states
                        self.turns[seen.id, scope] = name, turn[:-1] if made_before else turn

    def _is_function(
        self, ran: Sequence[Execution], call: ast.Call, operands: list[ast.expr], read: list[Seen]
    ) -> bool:
        """Return whether `ops.add(x, y)`, which looks like a tensor's method, is a function: the
        brackets hold all tensors that were read, or more arguments than a method takes.
        """
        op = REGISTRY.get(ran[0].op)
        if op is None or ran[0].is_layer or len(ran) > 1:
            return False
        given = len(call.args) + len(call.keywords)
        return given >= len(op.names) or len(operands) - 1 == len(read) > 1

    def _match_known_names(
        self, ran: Sequence[Execution], operands: list[ast.expr], scope: int, repeats: bool
    ) -> tuple[list[Seen], list[ast.expr]]:
        """Match operands of unknown order to tensors by known names; return the one tensor and the
        one operand that are left, or two empty lists.

        In code that repeats, a name may be left from another tensor.
        """
        inside = {number for one in ran for number in one.made()}
        every = {seen.id: seen for one in ran for seen in tensors_of(one.inputs)}
        read = [seen for seen in every.values() if seen.id not in inside]
        left = list({ast.dump(one): one for one in operands}.values())
        if len(read) != len(left):
            return [], []
        for seen in list(read):
            name = self._known_name(seen, scope)
            stale = repeats and self.bound.get((name, scope)) != seen.id
            names = set() if stale else {name} - {""}
            pairs = [o for o in left if self.expressions.get(seen.id) is o or spell(o) in names]
            if len(pairs) == 1:
                read.remove(seen)
                left.remove(pairs[0])
        # A call may return a list; `clip_grad_norm_(weights, 1.0)` reads the gradients of a list.
        sure = len(read) == 1 and not isinstance(left[0], ast.Call)
        sure = sure and (read[0].id not in self.gradients or is_gradient(left[0]))
        return (read, left) if sure else ([], [])

    def _spell_operand(self, code: Code, place: SourceLine, operand: ast.expr, seen: Seen) -> str:
        """Spell an operand, or return "" if its name is valid only there."""
        maker, given = self.makers.get(seen.id), self.expressions.get(seen.id)
        is_part = maker in ("getitem", "batch") or isinstance(given, ast.Subscript)
        is_result = maker and not is_part
        turn = {variable for variable, _ in self._loop_values_at(place)}
        if maker is None and may_be_number(seen) and turn.intersection(variables_in(operand)):
            return ""  # a number of one turn is called by its value, too
        leaf = operand.value if is_gradient(operand) else operand
        if (is_result or leaf is not operand or seen.kind == "parameter") and code.loop_of(leaf):
            if not self.passes:
                self.parts.setdefault(seen.id, spell(operand))  # a better name may follow
            return ""
        if (is_result or self.passes) and code.is_passing(operand):
            # A parameter's name in a function or hook, or a loop variable. Results have a better
            # one, `tanh(x)`, unless they are made from nothing: `randn()`.
            if seen.id in self.sources and not self.passes:
                if is_library_code(place.file) == SHOWN:
                    return spell(operand)
                self.parts.setdefault(seen.id, spell(operand))
            return ""
        if isinstance(operand, ast.Call) and (
            code.loop_of(receiver(operand)) or is_library_code(place.file) == SHOWN
        ):
            return ""  # `p.abs()` with a loop variable p, or a name of the library's
        if maker != "batch" and is_part and isinstance(operand, ast.Subscript):
            return ""
        layer = next(filter(is_pylayer, reversed(self.scopes)), None)
        if layer and spell(operand) in (layer.settings or ()):
            return ""  # a number is called by its value, as in x × 4
        return spell(operand) or (spell_formula(operand) if maker is None else "")

    def _known_name(self, seen: Seen, scope: int) -> str:
        return self.names.get((seen.id, scope)) or self.names.get((seen.id, 0), "")

    # ----- layers --------------------------------------------------------------------------------

    def _note_parameter_paths(self, entered: events.ScopeEntered) -> None:
        """Note the paths to a layer, and to its parameters: `hidden.weight`, `net.0.bias`."""
        outer = next((one for one in reversed(self.scopes[:-1]) if one.kind == "layer"), None)
        path = self.paths[entered.scope] = self._layer_path(entered, outer)
        held = (entered.parameters or {}).items()
        paths = [(name, attribute, f"{path}.{attribute}") for attribute, name in held]
        self.own[entered.scope] = {name: path for name, at, path in paths if "." not in at}
        self.inner[entered.scope] = {name: path for name, at, path in paths if "." in at}

    def _name_parameter(self, seen: Seen) -> None:
        """Name a parameter of a running layer by the path to the parameter.

        The parameter's own name identifies it only inside the layer: a loaded copy has it, too. An
        outer layer names it only if no inner one does, which may never be called.
        """
        if seen.name:
            for names in (*reversed(self.own.values()), *reversed(self.inner.values())):
                if seen.name in names:
                    self.names.setdefault((seen.id, 0), names[seen.name])
                    return

    def _layer_path(self, layer: events.ScopeEntered, outer: events.ScopeEntered | None) -> str:
        """Spell the path to a layer inside `outer`, if any; return a label if it has no name."""
        path = self.paths[outer.scope] if outer else ""
        _, _, role = layer.name.partition(" ")
        is_same_call = outer is not None and outer.place == layer.place
        called = "" if is_same_call else self._spell_layer(layer.place, role)
        if path and called.startswith("self."):
            return path + called.removeprefix("self")
        if called:
            return called
        if role and (path or not role.isdigit()):
            return f"{path}.{role}" if path else role
        return self.layers.get(layer.name, layer.name.partition(" ")[0])

    def _note_layer_name(self, entered: events.ScopeEntered) -> None:
        """Note the code's name of a layer; a layer inside others, or without a name, gets ""."""
        if " " not in entered.name:
            inside = any(scope.kind == "layer" for scope in self.scopes[:-1])
            word = "" if inside else self._spell_layer(entered.place, lasting=True)
            self.called.setdefault(entered.name, set()).add(word)

    def _spell_layer(self, place: SourceLine | None, role: str = "", lasting: bool = False) -> str:
        """Spell the code's name of a layer, with its role in a list: `self.body.0`."""
        if place is None:
            return ""
        code = self.codes[place.file]
        return code.callee(code.at(place), role, lasting)

    # ----- PyLayers ------------------------------------------------------------------------------

    def _name_arguments(self, scope: events.ScopeEntered) -> None:
        """Name the tensors that a PyLayer's method receives by the method's parameters."""
        name, settings, count = scope.kind.split(".")[1], scope.settings or (), len(scope.inputs)
        methods = (code.method(scope.name, name) for code in self.codes.values())
        method = next(filter(None, methods), None)
        parameters = argument_names(method, settings, count) if method else []
        call = self.codes[scope.place.file].at(scope.place) if scope.place else None
        keywords = [each.arg for each in getattr(call, "keywords", ()) if each.arg in parameters]
        parameters = [each for each in parameters if each not in keywords] + keywords
        for at, (parameter, seen) in enumerate(zip(parameters, scope.inputs, strict=False)):
            self._name_tensor(seen, scope.scope, parameter)
            if seen is None:
                self.names[absent(at), scope.scope] = parameter


def spell_from_layer(path: str, name: str, seen: Seen) -> str:
    """Replace `self` in a name by the path to the layer: `self.scales[0]` -> `net.scales.0`."""
    if not name.startswith("self."):
        return name
    rest = name.removeprefix("self")
    if seen.kind == "parameter":  # spelled as by named_parameters()
        rest = re.sub(r"\[['\"]?(\w+)['\"]?\]", r".\1", rest)
    return path + rest


def absent(position: int) -> int:
    """Return the number that stands for None, given to a PyLayer's method, in place of a tensor's.

    >>> absent(0), absent(1)
    (-1, -2)
    """
    return -1 - position


def is_pylayer(scope: Any) -> bool:
    return bool(scope.kind.startswith("pylayer."))


def calls_of(ran: Sequence[Execution], code: Code, node: ast.AST) -> list[Sequence[Execution]]:
    """Split a run of repeated code into its calls, each with the same ops."""
    if not code.repeats(node):
        return [ran]
    kinds = [(one.op, one.is_layer) for one in ran]
    sizes = (n for n in range(1, len(ran) + 1) if len(ran) % n == 0)
    period = next(n for n in sizes if kinds == kinds[:n] * (len(ran) // n))
    if period == 1 and not isinstance(node, OPERATORS) and not ran[0].is_whole(node):
        return [ran]
    return [ran[at : at + period] for at in range(0, len(ran), period)]


def in_order(ran: Sequence[Execution], code: Code, node: ast.AST) -> bool:
    """Return whether operands in the code surely have the order of the inputs.

    `index_put(x, positions, value)` reads its list last.
    """
    op = REGISTRY.get(ran[0].op)
    if op and op.takes_list and len(op.inputs) > 1:
        return False
    return ran[0].is_layer or (len(ran) == 1 and code.is_known(node))
