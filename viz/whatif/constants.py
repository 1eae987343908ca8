"""Constants: numbers that ops are called with beside tensors, and that can be changed.

A constant is named after its op's result and the attribute: `y = x * 2.0` has ("y", "scale"). A
page calls some attributes by another name: the exponent of a power, `factor` in Paddle. Calls of
one line in several rounds share a constant, and so do an operator of a Program, its runs and its
gradient operator.

Where a gradient rule ran as ops (`create_graph=True`, gradients of gradients), their attributes may
be computed from the forward op's constants; after a change these attributes are unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from minipaddle import events
from minipaddle.engine.errors import InvalidArgument, InvalidType

from .revive import op_of

SHOWN = 12  # names that an error lists
# (op, attribute) -> a page's name for an attribute whose name in Paddle says little.
CALLED = {("pow", "factor"): "exponent", ("p_norm", "porder"): "p"}

Place = tuple[Any, ...]  # ("call", number) or ("operator", Program, index)
Edits = Mapping[Place, Mapping[str, Any] | None]  # place -> {attribute: number}; None: unknown


@dataclass(slots=True)
class Constant:
    """One number, and the places of its calls; `derived` are ops with numbers computed from it."""

    op: Any
    attribute: str
    number: Any
    is_whole: bool  # whether the op's result is of integers
    places: list[Place] = field(default_factory=list)
    derived: list[Place] = field(default_factory=list)
    name: str = ""  # name on a page


def with_constants(event: Any, edits: Edits) -> Any:
    """Return the record of a call, or of an operator, with edited attributes."""
    kinds = (events.OpStarted, events.OpFinished, events.OperatorAppended)
    others = edits.get(place_of(event)) if isinstance(event, kinds) else None
    if not others:
        return event
    if not isinstance(event, events.OperatorAppended):
        return replace(event, attrs={**event.attrs, **others})
    op, kernel = op_of(event.op, {})[0], event.kernel
    spelled = {op.static.attrs.get(name, name): number for name, number in others.items()}
    kernel = kernel and replace(kernel, attrs={**kernel.attrs, **others})
    return replace(event, attrs={**event.attrs, **spelled}, kernel=kernel)


def place_of(event: Any) -> Place:
    """Return the place of a call, or of an operator, in a trace."""
    if isinstance(event, events.OperatorAppended):
        return "operator", event.program, event.index
    return "call", event.call


def real_attributes(event: Any, recorded: Mapping[str, Any]) -> Iterator[tuple[Any, str, Any]]:
    """Yield (op, name, number) for each attribute of an op that is a real number."""
    op, attrs = op_of(event.op, dict(recorded))
    for name in recorded:
        if attrs is None:
            return
        if name in op.real_attributes and isinstance(attrs[name], (int, float)):
            yield op, name, attrs[name]


def is_filled(kernel: events.Kernel) -> bool:
    """Return whether an operator has a float attribute other than 0 and 1, which seed gradients."""
    return any(type(value) is float and value not in (0.0, 1.0) for value in kernel.attrs.values())


class Constants:
    """All constants of a trace, by (result, attribute); `spelled` are the names of tensors."""

    def __init__(
        self, records: Sequence[Any], rounds: Sequence[Any], spelled: Mapping[int, str]
    ) -> None:
        self.spelled = spelled
        self.named: dict[tuple[str, str], Constant] = {}
        self.known: dict[Any, Constant] = {}
        self.scopes: list[str] = []
        self.calls: dict[int, int] = {}  # grad node -> its call
        self.parts: set[int] = set()  # Programs of operators, which a replay does not compute
        self.node = 0  # grad node whose gradient rule is running
        self.by_call: dict[int, list[Constant]] = {}
        spans = [(number, *row["events"]) for number, row in enumerate(rounds)]
        begins = {first: number for number, first, last in spans if first < last}
        ends = {last for _, first, last in spans if first < last}
        self.chapter, self.counts = 0, Counter[Any]()
        for at, event in enumerate(records):
            if at in begins or at in ends:
                self.chapter = -1 if at in begins else at  # rounds share constants
                self.counts.clear()
            self.read(event)

    def read(self, event: Any) -> None:
        match event:
            case events.ScopeEntered():
                self.scopes.append(event.name)
                self.node = 0
            case events.ScopeLeft():
                self.scopes = self.scopes[:-1]
            case events.GradNodeMade():
                self.calls[event.node] = event.call
            case events.NodeVisited():
                self.node = event.node
            case events.GradComputed() | events.BackwardFinished():
                self.node = 0
            case events.OpFinished() if self.node:
                self.note_derived(self.calls.get(self.node, 0), event)
            case events.OpFinished() if event.inputs and event.outputs:
                self.note_call(event)
            case events.PartAppended():
                self.parts.add(event.part)
            case events.OperatorAppended() if event.kernel and event.program not in self.parts:
                self.note_operator(event, event.kernel)

    # ----- calls -----

    def note_call(self, event: events.OpFinished) -> None:
        """Add the constants of a call; calls of one line in several rounds share constants."""
        out = event.outputs[0]
        for op, name, number in real_attributes(event, event.attrs):
            line = event.place and (event.place.file, event.place.line)
            key = self.chapter, op.name, name, number, line, tuple(self.scopes)
            self.counts[key] += 1
            again = key, self.counts[key]
            constant = self.known.get(again)
            if constant is None:
                spelled = self.spelled.get(out.id, f"t{out.id}")
                constant = self.add(spelled, op, name, number, out.value.dtype)
                self.known[again] = constant
            constant.places.append(place_of(event))
            self.by_call.setdefault(event.call, []).append(constant)

    def note_derived(self, call: int, event: events.OpFinished) -> None:
        """Note an op of a call's gradient rule, and its own rule, as derived from its constants."""
        for constant in self.by_call.get(call, ()):
            constant.derived.append(place_of(event))
            self.by_call.setdefault(event.call, []).append(constant)

    def add(self, result: str, op: Any, name: str, number: Any, dtype: str) -> Constant:
        whole = not dtype.startswith(("float", "bfloat", "complex"))
        constant = Constant(op, name, number, whole)
        text = unused_name(result, [text for text, attribute in self.named if attribute == name])
        self.named[text, name] = constant
        constant.name = f"{CALLED.get((op.name, name), name)} ({text})"
        return constant

    # ----- operators -----

    def note_operator(self, event: events.OperatorAppended, kernel: events.Kernel) -> None:
        place = place_of(event)
        if event.forward_of is not None:
            self.note_gradient(event, kernel)
        elif event.role == "backward" and kernel.kind == "op":
            if any(real_attributes(event, kernel.attrs)) or is_filled(kernel):
                for constant in self.constants_of(event.program):
                    constant.derived.append(place)
        elif kernel.kind == "op" and kernel.arguments:
            row = next(iter(event.outputs.values()), ())
            dtype = row[0].dtype if row and row[0] else ""
            for op, name, number in real_attributes(event, kernel.attrs):
                constant = self.add(str(kernel.results[0]), op, name, number, dtype)
                constant.places.append(place)

    def constants_of(self, program: int) -> Iterator[Constant]:
        for constant in self.named.values():
            if constant.places[0][:2] == ("operator", program):
                yield constant

    def note_gradient(self, event: events.OperatorAppended, kernel: events.Kernel) -> None:
        """Add a gradient operator to its operator's constants, if it computes with them."""
        forward = "operator", event.program, event.forward_of
        for constant in self.constants_of(event.program):
            own = kernel.kind == "gradient" or constant.attribute == "scale"
            if forward in constant.places and own:
                constant.places.append(place_of(event))

    def by_place(self) -> dict[Place, dict[str, Constant]]:
        """Return the constants that a page can change: place -> {attribute: constant}."""
        found: dict[Place, dict[str, Constant]] = {}
        for constant in self.named.values():
            if not constant.is_whole and not constant.derived:
                for place in constant.places:
                    found.setdefault(place, {})[constant.attribute] = constant
        return found

    # ----- changing -----

    def edits(self, name: Any, attribute: str, wanted: Any) -> Edits:
        """Return the edits that give a constant a wanted number; raise an error if impossible."""
        constant = self.named.get((name, attribute))
        if constant is None:
            raise self.unknown_error(name, attribute)
        number = constant.op.canonical(attribute, check_number(constant, name, wanted))
        there = {place: {attribute: number} for place in constant.places}
        return {**dict.fromkeys(constant.derived), **there}

    def unknown_error(self, name: Any, attribute: str) -> InvalidArgument:
        """Return the error for an unknown constant, which lists known constants."""
        own = [key for key in self.named if key[0] == name]
        listed = first_few([f'("{key[0]}", "{key[1]}")' for key in own or self.named])
        return InvalidArgument(
            f"what_if(): {name} has no constant {attribute!r:.40}."
            if own
            else f"what_if(): no op that gives {name!r:.40} has a constant {attribute!r:.40}.",
            expected=f"one of {listed}"
            if listed
            else "a trace with ops that are called with real numbers",
            received=f"({name!r:.40}, {attribute!r:.40})",
            fix="name what the op gives and the attribute, as they are listed here",
        )


def check_number(constant: Constant, name: str, wanted: Any) -> Any:
    """Return a wanted number; raise InvalidType if it is none, or not whole for integers."""
    one = getattr(wanted, "size", 0) == 1  # an element of NumPy, or a Tensor
    number = wanted.item() if one else wanted
    real = isinstance(number, (int, float)) and not isinstance(number, bool)
    if not real or (constant.is_whole and not float(number).is_integer()):
        raise InvalidType(
            f'what_if(): ("{name}", "{constant.attribute}") must be a number.',
            expected="a whole number" if constant.is_whole else "a float",
            received=f"{type(wanted).__name__} {wanted!r:.40}",
            fix=f'write {{("{name}", "{constant.attribute}"): {constant.number}}}',
        )
    return number


def unused_name(name: str, known: Collection[str]) -> str:
    """Return the name, or the first numbered one, `x#2`, that is not known yet."""
    text, count = name, 1
    while text in known:
        count += 1
        text = f"{name}#{count}"
    return text


def first_few(names: Sequence[str]) -> str:
    """Return the first names of a list as text, with "..." if there are more."""
    return ", ".join([*names[:SHOWN], *(["..."] if len(names) > SHOWN else [])])
