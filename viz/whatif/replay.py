"""Replay: every value of a trace, computed once more from its leaves.

The records have the tensors of each call, the node of each gradient, the edges where gradients
meet, and the rule of each update. So kernels, gradient rules and optimizer rules can be called
again in the recorded order: on changed numbers, or on traced arrays, which list instructions.

From the recorded numbers the recorded values must follow. A value that does not (Python did
something between two ops, an op drew at random, a hook replaced a gradient) is *kept*: it stays as
recorded, and becomes stale if its sources change.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from minipaddle import events
from minipaddle.engine.errors import InvalidType, MinipaddleError
from minipaddle.events import Edge, Seen, UpdateRule, Value
from minipaddle.ops.bound import Gradient, common_dtype, functions_for, names_read
from minipaddle.optimizer.recorded_rule import Update

from ..document.values import flatten, is_zero, only
from .datum import UNSURE, Datum, Memory, arrays_of, by_name, changed_number, first, flat, read_for
from .numbers import AsRecorded
from .programs import Programs
from .revive import DRAWS_A_MASK, by_mask, forward_of, op_of

Data = list["Datum | None"]
FLOATS = ("float16", "float32", "float64")


class Replay:
    """Walk through the records of a trace that computes each value.

    `plainly`: use gradient rules as they are written, not their quicker forms for arrays.
    `lasting`: state from before the first record.
    """

    def __init__(
        self,
        numbers: AsRecorded,
        records: Sequence[Any],
        plainly: bool = False,
        lasting: Lasting | None = None,
    ) -> None:
        self.numbers, self.plainly = numbers, plainly
        self.records = records
        self.called = 0  # number of functions called so far
        self.tensors: dict[int, Datum] = {}  # tensor -> its current value
        self.calls: dict[int, Call] = {}
        self.last_call: Call | None = None
        self.nodes: dict[int, events.GradNodeMade] = {}
        self.passes = [Pass(0)]  # running backward passes, the innermost last
        self.stored: dict[int, Datum] = {}  # leaf -> its `.grad`
        self.zeros: set[int] = set()  # leaves whose `.grad` was recorded as zeros
        self.handed = {e.given: e.edge for e in records if isinstance(e, events.HookRan)}
        self.updates: dict[tuple[str, int], Update] = {}  # (optimizer, parameter) -> rule and state
        self.clipped: dict[int, Datum] = {}  # parameter -> gradient clipped in the current step
        if lasting is not None:
            self.updates |= {key: update.copy() for key, update in lasting.updates.items()}
            self.stored |= {key: Datum(array.copy()) for key, array in lasting.stored.items()}
            self.zeros |= lasting.zeros
        self.scalars: dict[float, Datum] = {}  # recorded number -> one-element tensor

    @property
    def handlers(self) -> dict[type, Callable[[Any], None]]:
        """Methods by the class of a record, made anew: a stored one would refer to its owner."""
        return {
            events.OpFinished: self.op_finished,
            events.GradNodeMade: self.grad_node_made,
            events.SavedReleased: self.saved_released,
            events.ValuesTaken: self.values_taken,
            events.BackwardStarted: self.backward_started,
            events.NodeVisited: self.node_visited,
            events.GradUnbroadcast: self.grad_unbroadcast,
            events.GradComputed: self.grad_computed,
            events.GradAccumulated: self.grad_accumulated,
            events.LeafReached: self.leaf_reached,
            events.HookRan: self.hook_ran,
            events.GradientRetained: self.gradient_retained,
            events.BackwardFinished: self.backward_finished,
            events.ScopeEntered: self.scope_entered,
            events.ScopeLeft: self.scope_left,
            events.ParameterUpdated: self.parameter_updated,
        }

    def walk(self) -> None:
        """Compute the values of each record."""
        programs = Programs(self)
        handlers = {**self.handlers, **programs.handlers}
        with np.errstate(all="ignore"):
            for at, record in enumerate(self.records):
                self.numbers.record = at
                handlers.get(type(record), self.show)(record)
        self.rates, self.operators = programs.rates, programs.operators

    def show(self, record: Any) -> None:
        """Settle the values of a record that computes nothing."""
        for name in record.tensor_fields:
            self.tensor(getattr(record, name))

    # ----- values -----

    def settle(
        self,
        value: Value | None,
        datum: Datum | None,
        made_from: Iterable[Datum | None] | None,
        why: str = "python",
        seen: Seen | None = None,
    ) -> Datum | None:
        """Return a record's value: the computed one, if any and if it fits, else the recorded one.

        made_from: sources of the value, None for any earlier value; why: the reason if the value
        cannot be computed.
        """
        if value is None:
            return None
        numbers = self.numbers
        if datum is None and made_from is None:
            datum = numbers.leaf(value, seen)
            self.show_value(value, datum)
            return datum
        fits = datum is not None and datum.array is not None
        behind = made_from or ()
        misfit = numbers.follows(value, datum.array, behind) if datum is not None and fits else why
        if datum is None or misfit:
            sources = [each for each in (*(made_from or ()), datum) if each is not None]
            differs = any(each.differs for each in sources) or (
                made_from is None and numbers.moved()
            )
            reasons = [each.stale for each in sources if each.stale]
            reasons += ["large"] if any(each.array is None for each in sources) else []
            reasons += [misfit if misfit == "size" else why]
            given = None if made_from is None else sources
            datum = Datum(numbers.kept(value, given, why), reasons[0] if differs else "")
        self.show_value(value, datum)
        return datum

    def show_value(self, value: Value, datum: Datum) -> None:
        self.numbers.shown(value, datum)
        number = telling_number(value)
        if number is not None:
            self.scalars[number] = datum

    def read_by_python(self, attrs: Any) -> list[Datum]:
        """Return the one-element tensors whose recorded numbers are among an op's attributes.

        A number in the user's code hardly equals a computed float32 in all digits by chance.
        """
        found = (self.scalars.get(each) for each in (attrs or {}).values() if type(each) is float)
        return [datum for datum in found if datum is not None]

    def tensor(self, seen: Any) -> Any:
        """Return the settled value of a tensor that a record shows; a list for several tensors."""
        if not isinstance(seen, Seen):
            return None if seen is None else [self.tensor(each) for each in seen]
        known = self.tensors.get(seen.id)
        if known is None and seen.id in self.handed:
            known = self.run.at(self.handed[seen.id])
        elif known is None:
            known = self.numbers.linked(seen, self.candidates())
        datum = self.settle(seen.value, known, None, seen=seen)
        assert datum is not None
        self.tensors[seen.id] = datum
        return datum

    def candidates(self) -> list[Datum]:
        """Return the values that a gradient rule that runs as ops may receive as new tensors."""
        call = self.call_of(self.run.node) if self.run.rule_runs else None
        given = flat([*self.run.arrived, *call.outputs, *call.inputs]) if call else []
        return [each for each in given if each.array is not None]

    def make(self, seen: Seen, datum: Datum | None, made_from: Any, why: str = "python") -> Datum:
        """Return the settled value of a tensor that a record makes, and store it."""
        made = self.settle(seen.value, datum, made_from, why)
        assert made is not None
        self.tensors[seen.id] = made
        return made

    def make_origin(self, seen: Seen, datum: Datum | None, *_: Any) -> Datum:
        """Return the value of a tensor that an op makes from attributes alone, and store it."""
        self.tensors[seen.id] = self.origin(seen.value, datum, seen)
        return self.tensors[seen.id]

    def origin(self, value: Value, datum: Datum | None, seen: Seen) -> Datum:
        """Return a value without sources, which can be changed as a leaf can."""
        leaf = self.numbers.leaf(value, seen, free=True)
        made = datum if datum is not None and leaf.array is None else leaf
        self.show_value(value, made)
        return made

    def compute(self, function: Callable[..., Sequence[Any]], *args: Any) -> Sequence[Datum | None]:
        """Return a function's results for the arrays of values, lists of values and None, or () if
        the function fails or an array is missing.
        """
        sources = flat(args)
        stale = next((each.stale for each in sources if each.stale), "")
        self.called += 1
        if any(each.array is None for each in sources):
            return ()
        try:
            results = self.numbers.call(self.called, function, *map(arrays_of, args))
        except MinipaddleError:
            if not stale:
                raise
            results = None
        if results is None:
            return ()
        arrays = [np.asarray(x) if isinstance(x, np.generic) else x for x in results]
        made = [None if x is None else Datum(x, stale, shared_memory(x, sources)) for x in arrays]
        for datum in made:
            if datum is not None:
                datum.moved = any(each.differs for each in sources)
        self.numbers.note(made, function, args)
        return made

    def compute_with(
        self, place: Any, attrs: dict[str, Any], bound: Callable[[dict[str, Any]], Any], *args: Any
    ) -> Sequence[Datum | None]:
        """Return the results of a function bound to an op's attributes, or () if it fails."""
        for each in self.numbers.attempts(place, attrs):
            results = self.compute(bound(each), *args)
            if results:
                return results
        return ()

    def gradients(
        self, place: Any, op: Any, attrs: dict[str, Any], needs: list[bool], values: Any, sums: bool
    ) -> Sequence[Datum | None]:
        """Return the gradients that an op's gradient rule computes.

        place: place of the op's call; values: the values that the rule reads, then the gradients
        that arrived; sums: whether to undo broadcasting by sums.
        """

        def bound(attrs: dict[str, Any]) -> Callable[..., Sequence[Any]]:
            def rule(*values: Any) -> Sequence[Any]:
                gradient = Gradient(op, attrs, names_read(op), needs)
                run = gradient.apply if sums else gradient.before_sums
                return run(functions_for(flat(values)), values, self.plainly)

            return rule

        return self.compute_with(place, attrs, bound, *values)

    # ----- forward -----

    def op_finished(self, event: events.OpFinished) -> None:
        own = overwritten_by(event)
        if own is not None:
            self.from_python(event.inputs)
        inputs = [self.tensor(seen) for seen in event.inputs]
        given, outs = flat(inputs), event.outputs
        op, attrs = op_of(event.op, event.attrs)
        read = self.read_by_python(attrs)
        place = "call", event.call
        recorded, attrs = attrs, self.numbers.attributes(place, attrs, read)
        given += read
        if attrs is not recorded and not read:
            given.append(changed_number())
        if op is None or attrs is None:
            make = self.make_origin if op is None and not event.inputs else self.make
            for seen in outs:
                make(seen, None, given)
            return
        if op.promotes:
            inputs = promote(op, inputs)
        if op.name in DRAWS_A_MASK and len(outs) == 2:
            mask = self.make(outs[1], None, [])
            bound = partial(by_mask, op)
            out = first(self.compute_with(place, attrs, bound, inputs[0], mask))
            outputs = [self.make(outs[0], out, given, "random"), mask]
        else:
            bound = partial(forward_of, op, checked=attrs is not recorded)
            others = op.remote and len(attrs["ranks"]) > 1
            known = not (op.random or others)
            results = self.compute_with(place, attrs, bound, *inputs) if known else ()
            row = [*results, *[None] * (len(outs) - len(results))]
            why = "random" if op.random else "ranks" if others else "python"
            if own is not None:
                overwrite(inputs[own], row[0] or Datum(None))
                row = [inputs[own]]
            make = self.make if event.inputs else self.make_origin
            pairs = zip(outs, row, strict=False)
            outputs = [make(seen, datum, given, why) for seen, datum in pairs]
            more = results[len(outs) :]  # those that the recorded framework does not return
            outputs += [datum for datum in more if datum is not None]
        self.last_call = Call(event.call, op, attrs, inputs, outputs)

    def from_python(self, inputs: Iterable[Any]) -> None:
        """Make inputs that nothing in the trace made stale, once numbers have moved.

        Python may have computed such a tensor from them: `w.set_value(w.numpy() - ...)`.
        """
        for seen in inputs:
            if isinstance(seen, Seen) and seen.id not in self.tensors and self.numbers.moved():
                self.tensors[seen.id] = Datum(self.numbers.kept(seen.value, None), "python")

    def grad_node_made(self, event: events.GradNodeMade) -> None:
        self.nodes[event.node] = event
        if self.last_call is not None and self.last_call.number == event.call:
            self.calls[event.call] = self.last_call

    def call_of(self, node: int) -> Call | None:
        """Return the call that made a grad node, or None once its saved tensors are released."""
        made = self.nodes.get(node)
        return self.calls.get(made.call) if made else None

    def saved_released(self, event: events.SavedReleased) -> None:
        """Forget a call whose gradients cannot be computed again."""
        node = self.nodes.get(event.node)
        if node is not None:
            self.calls.pop(node.call, None)

    def values_taken(self, event: events.ValuesTaken) -> None:
        """Settle a tensor that took the values of another tensor."""
        seen, known = event.tensor, self.tensors.get(event.tensor.id)
        source = self.tensor(event.source)
        if event.way == "alias":
            self.make(seen, source, [source])
            return
        if event.way in ("computed", "cut"):
            if event.way == "computed" and len(self.passes) == 1:  # else its HookRan settles it
                self.make(seen, None, [source])
            return
        if known is not None:
            if event.way == "result":
                self.keep_shadow(known)
            overwrite(known, source)
        elif source.array is not None:
            known = cast(source.duplicate(), np.dtype(seen.value.dtype))
        known = self.make(seen, known, [source])
        if event.way == "result":
            self.tensors[event.source.id] = known
            self.renumber(seen.id, event.source.id)

    def renumber(self, old: int, new: int) -> None:
        """Move gradient and optimizer state of a tensor to the tensor's new number."""
        if old in self.stored:
            self.stored[new] = self.stored.pop(old)
        if old in self.zeros:
            self.zeros.add(new)
        for optimizer, tensor in list(self.updates):
            if tensor == old:
                self.updates[optimizer, new] = self.updates.pop((optimizer, old))

    def keep_shadow(self, datum: Datum) -> None:
        """Replace a tensor among the last call's inputs by a copy, before it is overwritten."""
        if self.last_call is not None and datum.array is not None:
            shadow = datum.duplicate()
            inputs = self.last_call.inputs
            inputs[:] = [shadow if each is datum else each for each in inputs]

    # ----- backward -----

    @property
    def run(self) -> Pass:
        """The innermost running backward pass."""
        return self.passes[-1]

    def backward_started(self, event: events.BackwardStarted) -> None:
        self.show(event)
        self.passes.append(Pass(event.run))
        for place, (edge, value) in enumerate(zip(event.edges, event.seeds, strict=True)):
            given = self.tensors.get(event.given[place]) if place < len(event.given) else None
            if given is not None and given.array is not None:
                given = cast(given.duplicate(), np.dtype(value.dtype))
            root = self.root(edge)
            if given is None and root is not None and root.stale == "size":
                given = Datum(self.numbers.kept(value), "size")
            self.run.arrive(edge, self.settle(value, given, None))

    def root(self, edge: Edge) -> Datum | None:
        """Return the value from which a backward pass begins, or None if no op made it."""
        call = self.call_of(edge.id) if edge.kind == "node" else None
        return call.outputs[edge.slot] if call and edge.slot < len(call.outputs) else None

    def node_visited(self, event: events.NodeVisited) -> None:
        run = self.run
        run.node, run.computed, run.arrived, run.rule_runs = event.node, None, [], True
        for slot, value in enumerate(event.arrived):
            edge = Edge("node", event.node, slot)
            grad = self.settle(value, run.waiting.pop(edge, None), [])
            run.arrived.append(grad)
            if grad is not None:
                run.passed[edge] = grad

    def part(self, index: int) -> Datum | None:
        """Return the gradient that the visited node computes for an input, or None."""
        run = self.run
        if run.computed is None:
            call, run.computed = self.call_of(run.node), []
            if call:
                needs = [edge is not None for edge in self.nodes[run.node].edges]
                run.computed = [*call.gradients(self, run.arrived, needs)]
        return run.computed[index] if index < len(run.computed) else None

    def gradient_sources(self) -> list[Datum | None]:
        """Return the sources of the gradients that the visited node computes."""
        call = self.call_of(self.run.node)
        return [*self.run.arrived, *(flat([*call.inputs, *call.outputs]) if call else ())]

    def grad_unbroadcast(self, event: events.GradUnbroadcast) -> None:
        run = self.run
        before = self.settle(event.before, self.part(event.index), self.gradient_sources())
        shape = event.after.shape
        summed = self.compute(lambda x: [functions_for([x]).sum_to(x, shape=shape)], before)
        after = self.settle(event.after, first(summed), [before])
        assert run.computed is not None
        run.computed += [None] * (event.index + 1 - len(run.computed))
        run.computed[event.index] = after

    def grad_computed(self, event: events.GradComputed) -> None:
        self.run.rule_runs = False
        part, kind = self.part(event.index), event.grad.dtype if event.grad else ""
        if part and part.array is not None and kind in FLOATS:  # a PyLayer may return another dtype
            part = cast(part, kind)
        self.run.arrive(event.edge, self.settle(event.grad, part, self.gradient_sources()))

    def grad_accumulated(self, event: events.GradAccumulated) -> None:
        edge, run = event.edge, self.run
        held, added = run.waiting.get(edge), run.waiting.get(edge)
        if event.stored:
            held = self.stored.get(edge.id)
            if is_zero(event.held.data):  # set by clear_grad, unless recorded as zeros before
                were = [held] if held is not None and edge.id in self.zeros else []
                zeros = np.zeros(event.held.shape, event.held.dtype)
                unsure = any(each.differs for each in were)
                held = Datum(self.numbers.array(zeros, were), "python" if unsure else "")
        else:
            added = run.later[edge].pop(0) if run.later.get(edge) else None
        if held is None and event.stored:
            held = self.earlier_gradient(edge.id, event.held)
        else:
            held = self.settle(event.held, held or Datum(None), None)
        added = self.settle(event.added, added or Datum(None), None)
        total = self.compute(lambda x, y: [x + y], held, added)
        grad = self.settle(event.total, first(total), [held, added])
        assert grad is not None
        run.waiting[edge] = grad

    def earlier_gradient(self, tensor: int, value: Value) -> Datum:
        """Return the `.grad` that a tensor had before the first record, and store it."""
        seen = Seen(tensor, "", value, True, True, "gradient")
        grad = self.settle(value, None, None, seen=seen)
        assert grad is not None
        self.stored[tensor] = grad
        return grad

    def hook_ran(self, event: events.HookRan) -> None:
        run, edge = self.run, event.edge
        before = self.settle(event.before, run.at(edge), [])
        made = self.tensors.get(event.made) if event.made else before
        after = self.settle(event.after, made, [before], "hook")
        assert after is not None
        run.put(edge, after)

    def gradient_retained(self, event: events.GradientRetained) -> None:
        grad = self.run.at(event.edge)
        if grad is not None and grad.array is not None:
            self.tensors[event.holder] = grad.duplicate()

    def leaf_reached(self, event: events.LeafReached) -> None:
        self.show(event)
        leaf = event.tensor.id
        grad = self.settle(event.grad, self.run.waiting.pop(Edge("leaf", leaf), None), [])
        assert grad is not None
        own = grad.duplicate()
        self.stored[leaf] = own
        (self.zeros.add if is_zero(event.grad.data) else self.zeros.discard)(leaf)
        if event.holder:
            self.tensors[event.holder] = own

    def backward_finished(self, event: events.BackwardFinished) -> None:
        for taken in event.results:
            grad = self.run.at(taken.edge)
            if grad is not None and taken.holder not in self.tensors:
                self.tensors[taken.holder] = grad
        while len(self.passes) > 1 and self.passes.pop().number != event.run:
            pass  # an inner pass that an error ended

    # ----- PyLayers and optimizers -----

    def scope_entered(self, event: events.ScopeEntered) -> None:
        """Settle a PyLayer backward's gradients; clip the gradients of an optimizer's step."""
        if event.kind != "pylayer.backward":
            self.show(event)
            if event.kind == "optimizer":
                self.clip(event.scope)
            return
        self.run.rule_runs = False
        row = [*flatten(event.inputs)]
        arrived = [*self.run.arrived, *[None] * (len(row) - len(self.run.arrived))]
        for seen, grad in zip(row, arrived, strict=False):
            if seen is not None:
                self.make(seen, grad, [])

    def scope_left(self, event: events.ScopeLeft) -> None:
        self.show(event)
        if event.kind == "pylayer.backward":
            row = flatten(event.outputs)
            self.run.computed = [None if seen is None else self.tensors[seen.id] for seen in row]

    def clip(self, scope: int) -> None:
        """Clip the gradients in an optimizer's step, each group of parameters together."""
        self.clipped = {}
        groups: dict[int, list[tuple[UpdateRule, events.ParameterUpdated]]] = {}
        for at in range(self.numbers.record + 1, len(self.records)):
            event = self.records[at]
            if isinstance(event, events.ScopeLeft) and event.scope == scope:
                break
            if isinstance(event, events.ParameterUpdated):
                known = self.updates.get((event.optimizer, event.tensor.id))
                # Only the parameter's first update records the rule.
                follows = event.follows or (known.follows if known else None)
                if follows and follows.clip:
                    groups.setdefault(follows.group, []).append((follows, event))
        for pairs in groups.values():
            grads = [self.stored.get(event.tensor.id) for _, event in pairs]
            if None in grads:
                continue
            rules = [rule for rule, _ in pairs]
            clipped = self.compute(lambda *arrays, rules=rules: Update.clip(rules, arrays), *grads)
            for (_, event), datum in zip(pairs, clipped, strict=False):
                if datum is not None:
                    self.clipped[event.tensor.id] = datum

    def parameter_updated(self, event: events.ParameterUpdated) -> None:
        seen, key = event.tensor, (event.optimizer, event.tensor.id)
        stored = self.stored.get(seen.id)
        grad = stored or self.earlier_gradient(seen.id, event.grad)
        if stored is not None:
            grad = self.settle(event.grad, stored, None) or stored
        before = self.settle(event.before, self.tensors.get(seen.id), None, seen=seen)
        assert before is not None
        if event.follows is not None:
            self.updates[key] = self.first_update(event, event.follows, seen)
        update = self.updates.get(key)
        used = self.clipped.get(seen.id) if update and update.follows.clip else grad
        sources = [grad, before, *([used] if used is not None else [])]
        stale = next((each.stale for each in sources if each.stale), update.stale if update else "")
        if update is not None:
            update.stale = stale
        arrays = [used.array if used else None, before.array]
        if update is None or update.state is None or any(array is None for array in arrays):
            anything = "python" if self.numbers.moved() else ""
            self.make(seen, None, [Datum(grad.array, stale or anything)])
            return
        assert used is not None
        rate = self.numbers.rate(event, update.follows, before.array.dtype)
        self.called += 1
        if self.numbers.call(self.called, update.change, before.array, used.array, rate) is None:
            self.make(seen, None, sources)
            return
        before.memory.version += 1
        for each in sources:
            before.memory.mark |= each.memory.mark & UNSURE
        after = Datum(before.array, "", before.memory)
        if stale:
            after.memory.stale = after.memory.stale or stale
        self.make(seen, after, sources)

    def first_update(
        self, event: events.ParameterUpdated, follows: UpdateRule, seen: Seen
    ) -> Update:
        """Return the rule of an optimizer for a parameter, with the state that was recorded."""
        again = (event.optimizer, seen.id) in self.updates
        values = event.state or ()
        state = [self.numbers.kept(value, None if again else ()) for value in values]
        for value, array in zip(values, state, strict=True):
            self.numbers.shown(value, Datum(array))
        fresh = event.state is None
        update = Update(follows, None if fresh else state, seen.value.shape, seen.value.dtype)
        if fresh and update.state is not None:
            update.state = tuple(self.numbers.array(part) for part in update.state)
        if again and self.numbers.moved():
            update.stale = "python"
        return update


class Lasting:
    """State beside tensors that passes from one part of a trace to the next.

    The state is that of optimizers, and the gradients of leaves. `tensors` maps tensors' numbers to
    their numbers in the next part.
    """

    def __init__(self, replay: Replay, tensors: Mapping[int, int]) -> None:
        self.updates = {
            (optimizer, tensors[number]): update
            for (optimizer, number), update in replay.updates.items()
            if number in tensors
        }
        self.stored = {
            tensors[number]: grad.array
            for number, grad in replay.stored.items()
            if number in tensors and grad.array is not None
        }
        self.zeros = {tensors[number] for number in replay.zeros if number in tensors}


class Earlier(NamedTuple):
    """The first `until` records, before a part of a trace; `tensors` maps tensors to the part's."""

    records: Sequence[Any]
    until: int
    tensors: Mapping[int, int]


def lasting_of(earlier: Earlier | None) -> Lasting | None:
    """Return the state at the beginning of a part of a trace, or None if nothing is earlier."""
    if earlier is None:
        return None
    replay = Replay(AsRecorded(), earlier.records[: earlier.until])
    replay.walk()
    return Lasting(replay, earlier.tensors)


class Call(NamedTuple):
    """A call of an op whose gradients may be computed later."""

    number: int
    op: Any
    attrs: dict[str, Any]
    inputs: list[Any]
    outputs: list[Datum]

    def gradients(self, replay: Replay, arrived: Data, needs: list[bool]) -> Sequence[Datum | None]:
        """Return gradients by the op's rule, before broadcasting is undone; () without a rule."""
        op = self.op
        if op.rule is None or (len(self.outputs) < len(op.outputs) and not op.list_result):
            return ()
        arriving: list[Any] = []
        for slot in op.graded_slots(len(self.outputs)):
            grad = arrived[slot] if slot < len(arrived) else None
            known_out = self.outputs[slot].array is not None
            if grad is None and known_out and op.zeros_for_unused:
                xp = functions_for([self.outputs[slot].array])
                grad = Datum(xp.fill_like(self.outputs[slot].array, value=0.0))
            arriving.append(grad)
        values = read_for(op, by_name(op, self.inputs, self.outputs))
        values += [arriving] if op.list_result else arriving
        place = "call", self.number
        return replay.gradients(place, op, self.attrs, needs, values, sums=False)


class Pass:
    """A backward pass: gradients by the edge that they have reached, and the visited node."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.waiting: dict[Edge, Datum] = {}
        self.later: dict[Edge, list[Datum]] = {}  # further gradients at edges in `waiting`
        self.passed: dict[Edge, Datum] = {}  # gradients that arrived at visited nodes
        self.node = 0
        self.rule_runs = False  # whether the node's rule may be running as ops
        self.arrived: Data = []
        self.computed: Data | None = None  # gradients of the node's inputs

    def arrive(self, edge: Edge, grad: Datum | None) -> None:
        """Add a gradient that reaches an edge."""
        if grad is None:
            return
        if edge in self.waiting:
            self.later.setdefault(edge, []).append(grad)
        else:
            self.waiting[edge] = grad

    def at(self, edge: Edge) -> Datum | None:
        """Return the gradient at an edge, or that passed it when its node was visited."""
        return self.waiting.get(edge) or self.passed.get(edge)

    def put(self, edge: Edge, grad: Datum) -> None:
        """Replace the gradient at an edge."""
        if edge.kind == "node" and edge.id == self.node and edge not in self.waiting:
            self.arrived += [None] * (edge.slot + 1 - len(self.arrived))
            self.arrived[edge.slot] = self.passed[edge] = grad
        else:
            self.waiting[edge] = grad


def promote(op: Any, inputs: list[Any]) -> list[Any]:
    """Return the inputs with the last two cast to their common dtype."""
    *others, x, y = inputs
    if x is None or y is None or x.array is None or y.array is None:
        return inputs
    if x.array.dtype == y.array.dtype:
        return inputs
    try:
        dtype = common_dtype(op, x.array, y.array)
    except InvalidType:  # in another framework a float and a bool meet
        dtype = max(x.array.dtype, y.array.dtype, key=lambda each: "biufc".index(each.kind))
    return [*others, *(cast(each, dtype) for each in (x, y))]


def cast(datum: Datum, dtype: Any) -> Datum:
    if datum.array.dtype == dtype:
        return datum
    made = datum.duplicate()
    made.array = datum.array.astype(dtype)
    return made


# ----- arrays ------------------------------------------------------------------------------------


def shared_memory(array: Any, sources: Iterable[Datum]) -> Memory | None:
    """Return the memory of the source of which an array may be a view, or None."""
    if not isinstance(array, np.ndarray):
        return None
    same = (each for each in sources if np.may_share_memory(array, each.array))
    return next((each.memory for each in same), None)


def overwritten_by(event: events.OpFinished) -> int | None:
    """Return the position of the input that an op overwrites and returns, or None.

    >>> x, y = (Seen(at, "", Value((), "int32"), True, True, "tensor", 0) for at in (1, 2))
    >>> overwritten_by(events.OpFinished(1, "set_at", (x, y), (x,), {}, None))
    0
    """
    results = [each.id for each in event.outputs if isinstance(each, Seen)]
    for place, seen in enumerate(event.inputs):
        if isinstance(seen, Seen) and seen.id in results:
            return place
    return None


def overwrite(datum: Datum, source: Datum) -> None:
    """Write a source's numbers into the memory of a datum."""
    if datum.array is None or source.array is None or datum.array.shape != source.array.shape:
        datum.array = None
    else:
        datum.array[...] = source.array
    datum.memory.version += 1
    datum.memory.stale = datum.memory.stale or source.stale
    datum.memory.mark |= source.memory.mark


def telling_number(value: Value) -> float | None:
    """Return the recorded number of a one-element float32, or None if it is round."""
    if value.dtype != "float32" or math.prod(value.shape) != 1:
        return None
    short = only(value.data["data"])
    if not isinstance(short, float) or float(short * 64).is_integer():
        return None
    return float(np.float32(short))
