"""Replay of the runs of Programs, from their feeds and the scope.

Operators run one after the other over a table of values, as in the interpreter of Programs. The
result of a py_func stays as recorded, and is stale if the py_func's arguments have changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from minipaddle import events
from minipaddle.events import Kernel, Seen, Value
from minipaddle.ops.bound import names_read
from minipaddle.optimizer.recorded_rule import Update

from ..document.values import content_key
from .datum import UNSURE, Datum, changed_number, first, read_for
from .revive import DRAWS_A_MASK, by_mask, forward_of, op_of

Place = tuple[int, int]  # a Program, and an operator's index in the Program
RATE = "LearningRate"  # input slot of operators that update


class Programs:
    """Replay of runs: values of a run's Variables, and of the scope, which outlasts runs."""

    def __init__(self, replay: Any) -> None:
        self.replay = replay
        self.operators: dict[Place, events.OperatorAppended] = {}
        self.persistable: set[str] = set()
        self.rates: set[str] = set()  # Variables that Python sets to learning rates before a run
        self.made: dict[str, Place] = {}  # Variable -> the operator that makes it
        self.scope: dict[str, Datum] = {}
        self.fed: dict[Any, Datum] = {}  # (name, content) of a feed -> its value
        self.values: dict[str, Datum] = {}  # values of the current run
        # Values outside of the running part, and the arguments of the operators that run it.
        self.outside: list[tuple[dict[str, Datum], list[Datum]]] = []

    @property
    def handlers(self) -> dict[type, Callable[[Any], None]]:
        """Methods by the class of a record."""
        return {
            events.OperatorAppended: self.appended,
            events.RunStarted: self.run_started,
            events.OperatorExecuted: self.executed,
            events.PyFuncCalled: self.called,
            events.RunFinished: self.run_finished,
            events.PartEntered: self.part_entered,
            events.PartLeft: self.part_left,
        }

    # ----- building -----

    def appended(self, event: events.OperatorAppended) -> None:
        place = event.program, event.index
        self.operators[place] = event
        declared = [*variables_in(event.inputs), *variables_in(event.outputs)]
        self.persistable |= {each.name for each in declared if each.persistable}
        for row in event.outputs.values():
            self.made.update((each.name, place) for each in row if each)
        for rate in event.inputs.get(RATE, ()) if event.role == "optimize" else ():
            if rate is not None:
                self.rates.add(self.rate_behind(rate.name))

    def rate_behind(self, name: str) -> str:
        """Return the Variable of the learning rate behind a rate that is a multiple of it."""
        maker = self.operators.get(self.made[name]) if name in self.made else None
        row = maker.inputs.get("X", ()) if maker and maker.role == "optimize" else ()
        return row[0].name if row and row[0] else name

    # ----- a run -----

    def run_started(self, event: events.RunStarted) -> None:
        """Begin a run; equal feeds of one name in several runs are one input."""
        self.values, self.outside = {}, []
        for name, value in event.feeds.items():
            key = name, content_key(value.data)
            datum = self.replay.settle(value, self.fed.get(key), None, seen=variable(name, value))
            self.fed.setdefault(key, datum)
            if name in self.persistable and datum.array is not None:
                datum = self.scope[name] = datum.duplicate()  # operators may update it in place
            self.values[name] = datum

    def part_entered(self, event: events.PartEntered) -> None:
        """Begin a part, whose values stay as recorded until the operator's arguments differ.

        Other arguments may lead to another branch, or to more turns.
        """
        operator = self.operators.get((event.program, event.index))
        row = variables_in(operator.inputs) if operator else ()
        sources = [self.values[each.name] for each in row if each.name in self.values]
        self.outside.append((self.values, [*sources, *self.sources]))
        self.values = {}

    def part_left(self, _event: events.PartLeft) -> None:
        if self.outside:
            self.values, _ = self.outside.pop()

    @property
    def sources(self) -> list[Datum]:
        """All that the values of the running part may depend on."""
        return self.outside[-1][1] if self.outside else []

    def executed(self, event: events.OperatorExecuted) -> None:
        """Compute an operator; the result of one without inputs can be changed as a leaf."""
        inputs = [self.read(name, value) for name, value in event.inputs.items()] + self.sources
        operator = self.operators.get((event.program, event.index))
        made: dict[str, Datum] = {}
        why = "python"
        if operator is not None and operator.kernel is not None and not self.outside:
            attrs = operator.kernel.attrs
            now = self.replay.numbers.attributes(("operator", event.program, event.index), attrs)
            if now is not attrs:
                inputs.append(changed_number())
            if now is not None:
                made, why = self.results(operator, operator.kernel, now, event.outputs)
        for name, value in event.outputs.items():
            datum = made.get(name)
            if inputs:
                datum = self.replay.settle(value, datum, inputs, why)
            else:
                datum = self.replay.origin(value, datum, variable(name, value))
            self.write(name, datum)

    def called(self, event: events.PyFuncCalled) -> None:
        """Take the recorded results of a user's function."""
        operator = self.operators.get((event.program, event.index))
        row = operator.inputs.get("X", ()) if operator else ()
        names = [each.name if each else "" for each in row]
        names += [name for name, _ in event.arguments[len(names) :]]
        given = [
            self.read(name, value)
            for name, (_, value) in zip(names, event.arguments, strict=False)
            if value is not None
        ]
        for _, value in event.results:
            self.replay.settle(value, None, given)

    def run_finished(self, event: events.RunFinished) -> None:
        for name, value in event.fetched.items():
            self.read(name, value)

    # ----- the table of values -----

    def read(self, name: str, value: Value) -> Datum:
        """Return the value of a Variable that a record shows, and store it."""
        known, lasts = self.values.get(name), name in self.persistable and not self.outside
        datum: Datum
        if known is None and self.outside:
            datum = self.replay.settle(value, None, self.sources)
        elif known is None and name in self.rates:
            datum = self.replay.origin(value, None, variable(name, value))
        else:
            known = self.scope.get(name) if known is None and lasts else known
            datum = self.replay.settle(value, known, None, seen=variable(name, value, lasts))
        self.write(name, datum)
        return datum

    def write(self, name: str, datum: Datum) -> None:
        self.values[name] = datum
        if name in self.persistable and not self.outside:
            self.scope[name] = datum

    def argument(self, names: Any) -> Any:
        """Return the value of a kernel's argument; a list for several names."""
        if isinstance(names, tuple):
            return [self.argument(name) for name in names]
        return None if names is None else self.values.get(names, Datum(None))

    # ----- operators -----

    def results(
        self,
        operator: events.OperatorAppended,
        kernel: Kernel,
        recorded: dict[str, Any],
        outputs: Mapping[str, Value],
    ) -> tuple[dict[str, Datum], str]:
        """Compute an operator; return its results by name, and the reason for any that are missing
        or differ from the recorded ones.
        """
        arguments = [self.argument(each) for each in kernel.arguments]
        if kernel.kind == "update":
            return by_variable(kernel, self.update(kernel, *arguments)), "python"
        op, attrs = op_of(operator.op, recorded)
        place = "operator", operator.program, operator.index
        if attrs is None:
            return {}, "python"
        if kernel.kind == "gradient":
            return by_variable(kernel, self.gradient(kernel, op, place, attrs, arguments)), "python"
        if op.name in DRAWS_A_MASK and len(kernel.results) == 2 and len(outputs) == 2:
            mask = self.replay.settle(outputs[kernel.results[1]], None, [])
            bound = partial(by_mask, op)
            out = first(self.replay.compute_with(place, attrs, bound, arguments[0], mask))
            return by_variable(kernel, [out, mask]), "random"
        if op.random:
            return {}, "random"
        lasts = {*kernel.arguments[:1], *kernel.results} & self.persistable
        others, fresh = recorded is not kernel.attrs, bool(op.view and lasts)
        bound = partial(forward_of, op, checked=others, fresh=fresh)
        return by_variable(
            kernel, self.replay.compute_with(place, attrs, bound, *arguments)
        ), "python"

    def gradient(
        self, kernel: Kernel, op: Any, place: Any, attrs: dict[str, Any], arguments: list[Any]
    ) -> Sequence[Datum | None]:
        """Compute a gradient operator by the gradient rule of its op."""
        needs = [name is not None for name in kernel.results]
        reads = names_read(op)
        values = read_for(op, dict(zip(reads, arguments, strict=False)))
        values += arguments[len(reads) :]
        computed: Sequence[Any] = self.replay.gradients(place, op, attrs, needs, values, sums=True)
        return computed

    def update(self, kernel: Kernel, *datum: Datum) -> Sequence[Datum | None]:
        """Compute an update by the optimizer's rule, in the memory of parameter and state."""
        follows = kernel.follows

        def change(param: Any, grad: Any, rate: Any, *state: Any) -> Sequence[Any]:
            assert follows is not None
            Update(follows, state, param.shape, param.dtype.name).change(param, grad, rate.item())
            return (param, *state)

        kept, results = datum[:1] + datum[3:], self.replay.compute(change, *datum)
        return [after_change(source, made) for source, made in zip(kept, results, strict=False)]


def variables_in(slots: Mapping[str, Sequence[events.Declared | None]]) -> list[events.Declared]:
    """Return the Variables in an operator's slots."""
    return [each for row in slots.values() for each in row if each]


def after_change(source: Datum, made: Datum | None) -> Datum:
    """Return the new value in a memory that was changed in place."""
    source.memory.version += 1
    source.memory.stale = source.memory.stale or (made.stale if made else "")
    source.memory.mark |= made.memory.mark & UNSURE if made else 0
    return Datum(source.array, "", source.memory)


def by_variable(kernel: Kernel, results: Sequence[Datum | None]) -> dict[str, Datum]:
    """Return the results of a kernel that are computed: Variable -> result."""
    pairs = zip(kernel.results, results, strict=False)
    return {name: datum for name, datum in pairs if name is not None and datum is not None}


def variable(name: str, value: Value, leaf: bool = True) -> Seen:
    """Return a Program's Variable as a Seen, which has a name and no number."""
    return Seen(0, name, value, True, leaf, "variable")
