"""The ops of a trace and the operators of its Programs in one form, and the axes that they keep."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any, NamedTuple

from minipaddle import events
from minipaddle.events import Value
from minipaddle.ops import REGISTRY

from ..document.values import flatten
from ..story import ids

# Modules of ops that compute each element of a result from the elements at the same place.
ELEMENTWISE = tuple(
    f"minipaddle.ops.{name}"
    for name in ("elementwise", "networks.activations", "networks.rectifiers")
)
BROADCASTING = frozenset({"masked_fill", "tril", "triu", "where"})
# Further ops whose first result has each element, row or example in the place of the first input's.
KEEPING = frozenset(
    ("assign", "batch_norm", "cast", "copy_to", "dropout", "layer_norm", "log_softmax", "softmax")
)
OF_EXAMPLES = frozenset(
    f"{name}{axes}d{end}"
    for name, end in (("avg_pool", ""), ("conv", ""), ("conv", "_transpose"), ("max_pool", ""))
    for axes in (2, 3)
)
PARTING = frozenset({"split", "unbind"})
RESHAPING = frozenset({"flatten", "reshape", "reshape_to", "squeeze", "unsqueeze"})
REDUCING = frozenset({"amax", "amin", "max", "mean", "min", "sum"})


class Operand(NamedTuple):
    """Value that an op reads or makes, and the key of its tensor or of its Program's Variable."""

    key: object
    value: Value
    is_parameter: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.value.shape)

    @property
    def data(self) -> Any:
        """All elements as nested lists, or None if they were not recorded."""
        return self.value.data["data"]


class Operation(NamedTuple):
    """Call of an op, or run of an operator of a Program, and its box."""

    box: str
    op: str
    inputs: list[Operand]
    outputs: list[Operand]
    attrs: Mapping[str, Any]


class Axis(NamedTuple):
    """Axis of a tensor."""

    of: Operand
    number: int


def operations_of(records: Iterable[Any], earlier: int = 0) -> Iterator[Operation]:
    """Yield the ops and the operators of Programs that ran, in their order.

    The first `earlier` records belong to earlier parts, which may have built a Program.
    """
    appended: dict[tuple[int, int], events.OperatorAppended] = {}
    for at, event in enumerate(records):
        if at < earlier and not isinstance(event, events.OperatorAppended):
            continue
        match event:
            case events.OpFinished():
                both = event.inputs, event.outputs
                rows = [
                    [Operand(x.id, x.value, x.kind == "parameter") for x in flatten(row) if x]
                    for row in both
                ]
                yield Operation(ids.op(event.call), event.op, rows[0], rows[1], event.attrs)
            case events.OperatorAppended():
                appended[event.program, event.index] = event
            case events.OperatorExecuted():
                known = appended.get((event.program, event.index))
                if known and known.kernel and known.kernel.kind == "op":
                    box, kernel = ids.operator(event.program, event.index), known.kernel
                    declared = filter(None, flatten([*known.inputs.values()]))
                    learned = {each.name for each in declared if each.kind == "parameter"}
                    inputs = variables(event.program, kernel.arguments, event.inputs, learned)
                    outputs = variables(event.program, kernel.results, event.outputs, learned)
                    yield Operation(box, known.op, inputs, outputs, kernel.attrs)


def variables(
    program: int, names: Any, values: Mapping[str, Value], learned: Collection[str]
) -> list[Operand]:
    """Return the known values of a Program's Variables; `learned` are its parameters."""
    known = [name for name in flatten(names) if name in values]
    return [Operand((program, name), values[name], name in learned) for name in known]


def is_elementwise(name: str) -> bool:
    """Return whether an op computes each element of its result from those at the same place."""
    record = REGISTRY.get(name)
    inside = record is not None and record.definition.__module__.startswith(ELEMENTWISE)
    return inside or name in BROADCASTING


def sources_of(operation: Operation, axis: int) -> Iterator[Axis]:
    """Yield the axes of inputs along which the first result's `axis` is computed place by place.

    Nothing is yielded for an op that may move places, or is unknown here.
    """
    name, inputs, attrs = operation.op, operation.inputs, operation.attrs
    shape = operation.outputs[0].shape
    size, last = shape[axis], len(shape) - 1
    found: list[Axis] = []
    aligned = [Axis(each, axis - len(shape) + len(each.shape)) for each in inputs]
    if is_elementwise(name):
        found = aligned if name in BROADCASTING or REGISTRY[name].broadcasts else aligned[:1]
    elif name in KEEPING:
        found = aligned[:1]
    elif name == "matmul" and min(len(each.shape) for each in inputs) > 1:
        found = aligned[: 1 if axis == last - 1 else 2 if axis < last - 1 else 0]
    elif name == "transpose":
        found = [Axis(inputs[0], attrs["perm"][axis])]
    elif name in OF_EXAMPLES or name == "embedding":
        found = [Axis(inputs[0], axis)] if axis == 0 or name == "embedding" else []
    elif name == "concat":
        found = [Axis(each, axis) for each in inputs if attrs["axis"] % len(shape) != axis]
    elif name in PARTING:
        at = attrs["axis"] % len(inputs[0].shape)
        moved = axis + (name == "unbind" and axis >= at)
        found = [Axis(inputs[0], moved)] if moved != at else []
    elif name == "getitem":
        kept = whole_axes(attrs["index"], len(inputs[0].shape))
        found = [Axis(inputs[0], kept[axis])] if len(kept) == len(shape) else []
    elif name in RESHAPING:
        given = inputs[0].shape
        starts = [prod(given[:k]) for k in range(len(given))]
        same = [k for k, start in enumerate(starts) if start == prod(shape[:axis])]
        found = [Axis(inputs[0], k) for k in same if given[k] == size][:1]
    elif name in REDUCING:
        rank = len(inputs[0].shape)
        axes = attrs["axis"]
        gone = {*range(rank)} if axes is None else {k % rank for k in flatten([axes])}
        kept = [k for k in range(rank) if attrs["keepdim"] or k not in gone]
        found = [Axis(inputs[0], kept[axis])] if kept[axis] not in gone else []
    for each in found:
        shape = each.of.shape
        if 0 <= each.number < len(shape) and shape[each.number] == size:
            yield each


def whole_axes(index: Any, rank: int) -> list[int]:
    """Return the axes that an index of whole numbers, `:` and `...` leaves; none for another one.

    >>> whole_axes(0, 3), whole_axes([":", 0], 3), whole_axes(["...", 1], 3), whole_axes("1:3", 2)
    ([1, 2], [0, 2], [0, 1], [])
    """
    parts = index if isinstance(index, list) else [index]
    if not all(type(part) is int or part in (":", "...") for part in parts):
        return []
    at = parts.index("...") if "..." in parts else len(parts)
    rest = parts[at + 1 :]
    parts = [*parts[:at], *":" * (rank - at - len(rest)), *rest]
    return [axis for axis, part in enumerate(parts) if part == ":"]


@dataclass(slots=True)
class Makers:
    """The operations so far, by the tensors that they made last."""

    _made: dict[object, Operation] = field(default_factory=dict)

    def add(self, operation: Operation) -> None:
        self._made |= {each.key: operation for each in operation.outputs}

    def of(self, operand: Operand) -> Operation | None:
        """Return the operation that made a tensor, or None for one that was given."""
        return self._made.get(operand.key)

    def origins(self, start: Axis) -> Iterator[Axis]:
        """Yield the axes whose places are those of `start`, which is the first."""
        todo, known = [start], {(start.of.key, start.number)}
        for axis in todo:
            yield axis
            maker = self.of(axis.of)
            first = maker is not None and maker.outputs[0].key == axis.of.key
            if maker is None or not (first or maker.op in PARTING):
                continue
            for source in sources_of(maker, axis.number):
                if (source.of.key, source.number) not in known:
                    known.add((source.of.key, source.number))
                    todo.append(source)
