"""One reader for each kind of sentence: it compares every claim with the recorded events.

A reader gets the facts that the sentence is made of (`reading.read` sees to it that the sentence
says these facts and nothing else) and the moment of the raw trace that it should tell. It yields
each false claim, in words for whoever has to mend it.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import takewhile
from typing import Any

import numpy as np

import minipaddle as paddle
from minipaddle import events
from minipaddle.events import Seen, Value
from minipaddle.ops import REGISTRY
from viz.model import Fault, ShapeRow
from viz.story import steps
from viz.story.sentences import backward as backward_steps
from viz.story.sentences import forward as forward_steps
from viz.story.sentences import programs as program_steps
from viz.story.sentences.gradients import VisitStep
from viz.story.sentences.ops import SIGNS
from viz.story.sentences.wording import Mention, d

from .evidence import Call, Evidence, Moment, array, flat, target

False_ = Iterator[str]


def differs(what: str, said: Any, was: Any) -> False_:
    """Yield a fault if a claim differs from the fact."""
    if said != was:
        yield f"{what} is said to be {said!r}, and was {was!r}"


def number_is(said: str, value: Value) -> bool:
    """Say whether a number in a sentence, of four digits, is the only element of a value."""
    elements = array(value)
    if elements is None or elements.size != 1:
        return False
    element = elements.reshape(-1)[0]
    if isinstance(element, (np.bool_, np.str_)):
        return said.replace("−", "-") == str(element)
    number = float(said.replace("−", "-"))
    return bool(np.isclose(number, float(element), rtol=6e-4, atol=0, equal_nan=True))


def sums_to(wide: np.ndarray, small: np.ndarray) -> bool:
    """Say whether the sum of `wide` over the axes of broadcasting is `small`."""
    more = wide.ndim - small.ndim
    axes = [i for i in range(wide.ndim) if i < more or wide.shape[i] != small.shape[i - more]]
    total = wide.sum(axis=tuple(axes), keepdims=True).reshape(small.shape)
    size = float(np.abs(wide).sum())
    if not np.isfinite(size):
        return np.array_equal(total, small, equal_nan=True)
    return np.allclose(total, small, rtol=1e-3, atol=1e-6 * size)


def parts_of_gradients(records: Iterable[Any]) -> set[int]:
    """Return the ids of the records of gradients that are added to others in the same pass."""
    found: set[int] = set()
    passes: list[dict[Any, list[int]]] = []
    for event in records:
        match event:
            case events.BackwardStarted():
                passes.append(defaultdict(list))
            case events.BackwardFinished() | events.Failed(during="node") if passes:
                meetings = passes.pop().values()
                found.update(one for meeting in meetings if len(meeting) > 1 for one in meeting)
            case events.GradComputed() if passes and event.edge and event.grad is not None:
                passes[-1][target(event.edge)].append(id(event))
    return found


def used(said: Iterable[str], read: Iterable[str]) -> list[str]:
    """Return the variables that a sentence must name: of a gradient operator, those that it says it
    uses, and the gradient that arrives, its last."""
    names, told = [*read], {*said}
    if not any("@GRAD" in name for name in names):
        return names
    return [name for name in names if name in told or name == names[-1]]


def is_of(event: Any, program: int, index: int) -> bool:
    """Say whether an event is that of an operator that ran."""
    executed = isinstance(event, events.OperatorExecuted)
    return executed and (event.program, event.index) == (program, index)


class Readers:
    """The readers of the story of one trace, moment by moment."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.bearers: dict[tuple[str, int], set[int]] = defaultdict(set)  # (name, scope) -> tensors
        self.called: dict[int, set[str]] = defaultdict(set)  # tensor -> names in sentences
        self.held: dict[int, Value] = {}  # last recorded value of each `.grad`
        self.blocks = blocks_of(evidence)
        self.parts = parts_of_gradients(evidence.records)
        self.on_top: set[Any] = set()  # leaves whose `.grad` already held a gradient
        self.read: dict[type[steps.Facts], Callable[[Any, Moment], False_]] = {
            forward_steps.OpStep: self.op,
            forward_steps.OverwriteStep: self.overwrite,
            forward_steps.DetachStep: self.detach,
            forward_steps.EnterStep: self.enter,
            forward_steps.LeaveStep: self.leave,
            forward_steps.LayerHookStep: self.layer_hook,
            forward_steps.SaveStep: self.save,
            forward_steps.MarkStep: self.mark,
            backward_steps.IdleStep: self.idle,
            backward_steps.SeedStep: self.seed,
            VisitStep: self.visit,
            backward_steps.ReceiveStep: self.receive,
            backward_steps.ReturnStep: self.returns,
            backward_steps.AccumulateStep: self.accumulate,
            backward_steps.UnbroadcastStep: self.unbroadcast,
            backward_steps.HookStep: self.hook,
            backward_steps.LeafStep: self.leaf,
            backward_steps.ReleaseStep: self.release,
            backward_steps.UpdateStep: self.update,
            program_steps.AppendStep: self.append,
            program_steps.RunStep: self.run,
            program_steps.StartupStep: self.startup,
            program_steps.PartStep: self.part,
            program_steps.ExecuteStep: self.execute,
            program_steps.PyFuncStep: self.py_func,
            program_steps.FreeStep: self.free,
            program_steps.FinishStep: self.finish,
            backward_steps.ErrorStep: self.error,
            backward_steps.CutStep: self.cut,
        }

    # ----- names, shapes and numbers -------------------------------------------------------------

    def are_one_array(self, tensors: Iterable[int]) -> bool:
        """Return whether tensors have the same elements, as labels and their column do."""
        arrays = [np.ravel(array(self.evidence.seen[each][0].value)) for each in tensors]
        return all(np.array_equal(arrays[0], each) for each in arrays)

    def name(self, said: str, tensor: int | None, moment: Moment, *more: int) -> False_:
        """Yield a fault unless a tensor has its name in the code, and no other tensor has it."""
        if tensor is None:  # a tensor that no record shows
            yield from differs("the name of an unknown tensor", said, "?")
            return
        scopes = (*moment.scopes, *more)
        known = self.evidence.names_of(tensor, scopes)
        scope, seen = scopes[0], self.evidence.seen.get(tensor)
        if known:
            if not any(is_called(said, name) for name in known):
                yield f"{said!r} is called {known[0]} in the code (tensor {tensor})"
            scope = next(s for s in scopes if self.evidence.table.get((tensor, s)) == known[0])
        elif seen and number_is_all(said, seen[0].value):
            return  # a constant's name is its value
        else:
            yield from self.spelled(said, tensor)
        self.called[tensor].add(said)
        bearers = self.bearers[said, scope]
        bearers.add(self.evidence.same.get(tensor, tensor))
        if len(bearers) > 1 and not self.are_one_array(bearers):
            yield f"several tensors are called {said!r}: {sorted(bearers)}"

    def spelled(self, said: str, tensor: int) -> False_:
        """Yield a fault unless a nameless result is spelled by its op and the op's inputs."""
        makers = self.evidence.makers.get(tensor)
        if not makers:
            return
        known = self.words_behind(tensor) | {f"t{tensor}"}
        of = [seen.id for maker in makers for seen in maker.gradient_of if seen]
        for words in map(self.words_behind, of):  # the gradient of w is called dw
            known |= words | {"d"} | {f"d{word}" for word in words}
        if not words_in(said) <= known:
            yield f"{said!r} is made by {makers[-1].words!r} (tensor {tensor})"

    def words_behind(self, tensor: int) -> set[str]:
        """Return the names of a tensor, of its ancestors, and of the calls that made them."""
        behind, todo = set[int](), [tensor]
        words: set[str] = set()
        while todo:
            number = todo.pop()
            if number not in behind:
                behind.add(number)
                for maker in self.evidence.makers.get(number, ()):
                    words |= words_in(maker.words) | self.evidence.code.called(maker.place)
                    todo += [seen.id for seen in maker.inputs if seen]
        names = [name for (number, _), name in self.evidence.table.items() if number in behind]
        names += [name for number in behind - {tensor} for name in self.called[number]]
        return words | words_in(" ".join(names))

    def value(self, said: Mention, value: Value) -> False_:
        """Compare the shape and the number in a sentence with a value."""
        if said.shape is not None:
            yield from differs(f"the shape of {said.called}", tuple(said.shape), value.shape)
        if said.number and not number_is(said.number, value):
            yield f"{said.called} is said to be {said.number}, and was {value.data['data']}"

    def thing(self, said: Mention | None, seen: Seen | None, moment: Moment, *more: int) -> False_:
        if said is None or seen is None:
            yield from differs("an argument", said, seen)
            return
        yield from self.name(said.called, seen.id, moment, *more)
        yield from self.value(said, seen.value)

    def things(self, said: Sequence[Any], seen: Iterable[Any], moment: Moment) -> False_:
        there = list(seen)
        yield from differs("the number of tensors", len(said), len(there))
        for one, other in zip(said, there, strict=False):
            yield from self.thing(one, other, moment)

    def gradient(self, said: Any, name: Iterator[str], value: Value | None) -> False_:
        """Compare a row of gradients with a value: its owner, and whether it exists."""
        yield from name
        if said.thing is None or value is None:
            yield from differs(f"the gradient of {said.name}", said.thing, value)
        else:
            yield from differs("the name of a gradient", said.thing.called, said.name)
            yield from self.value(said.thing, value)

    def outside(self, said: Sequence[str], tensors: Sequence[Any], moment: Moment) -> False_:
        """Compare the names of arguments with those at the place of the call."""
        for name, seen in zip(said, tensors, strict=True):
            known = self.evidence.names_of(seen.id, moment.scopes[1:]) if seen else []
            if name and seen and not known:
                yield from self.spelled(name, seen.id)
            elif (name or known) and not any(is_called(name, one) for one in known):
                yield f"outside {name!r} is called {known}"

    def title(self, said: str, name: str, place: Any = None) -> False_:
        """Yield a fault unless a title is an op's name, the sign of its record, or its code."""
        record = REGISTRY.get(name)
        known = said in (name, record and record.formula.symbol)
        known |= name == "getitem" and said.endswith(tuple(self.evidence.subscripts))
        if not known and not self.evidence.code.has(said, place):
            yield f"the op {name!r} is called {said!r}"

    def word(self, said: str, name: str, place: Any) -> False_:
        """Yield a fault unless a word is an op's name or its spelling in the code."""
        if said:
            yield from self.title(said.partition("(…")[0], name, place)

    # ----- forward -------------------------------------------------------------------------------

    def op(self, facts: forward_steps.OpStep, moment: Moment) -> False_:
        event, given = moment.event, flat(moment.event.inputs)
        yield from differs("the op", facts.op, event.op)
        yield from differs("the attributes", dict(facts.attrs), dict(event.attrs))
        yield from self.word(facts.title, event.op, event.place)
        yield from self.word(facts.written, event.op, event.place)
        if re.search(r"\w_\(", facts.written):
            given = given[:1]  # the engine's own value fills it
        yield from self.things(facts.inputs, given, moment)
        yield from self.things(facts.outputs, event.outputs, moment)
        if facts.in_place and not any(w[-1] == "_" for w in self.evidence.code.called(event.place)):
            yield f"{event.op} changes nothing in place"
        if len(given) == 2 and facts.symbol in SIGNS:
            yield from differs("its sign", facts.symbol, REGISTRY[event.op].formula.symbol)
        if ", axis " in facts.symbol:
            axes = facts.symbol.rpartition(", axis ")[2].replace("−", "-")
            yield from differs("the axis", axes, str(event.attrs["axis"]))
        if event.op == "scale" and facts.inputs and facts.inputs[0]:
            yield from scaled(facts.symbol, self.evidence.calls[event.call])
            if event.place and not self.evidence.code.called(event.place):
                signs = set(facts.symbol) & set("+−×")
                more = signs - self.evidence.code.operators(event.place)
                yield from (f"{facts.symbol!r} is said, and no {sign} is there" for sign in more)

    def overwrite(self, facts: forward_steps.OverwriteStep, moment: Moment) -> False_:
        (target, value), (after,) = flat(moment.event.inputs), moment.event.outputs
        yield from self.thing(facts.target, after, moment)
        yield from self.thing(facts.value, value, moment)
        yield from differs("the tensor", target.id, after.id)
        if not np.array_equal(array(value.value), array(after.value), equal_nan=True):
            yield f"{facts.target.called} has other values than {facts.value.called}"

    def detach(self, facts: forward_steps.DetachStep, moment: Moment) -> False_:
        event = moment.event
        source, seen = event.source, event.tensor
        yield from self.thing(facts.source, source, moment)
        yield from self.thing(facts.out, seen, moment)
        by_user = {call.scope for call in self.evidence.calls.values()} & {*moment.scopes} - {0}
        cuts = not (source.stop_gradient or by_user)
        yield from differs("that a gradient is cut off", facts.cuts, cuts)
        same = np.array_equal(array(source.value), array(seen.value), equal_nan=True)
        yield from differs("the way", facts.way, event.way if same else "computed")

    def enter(self, facts: forward_steps.EnterStep, moment: Moment) -> False_:
        event = moment.event
        yield from differs("the PyLayer", facts.layer, event.name)
        yield from self.things(facts.inputs, flat(event.inputs), moment)
        yield from self.outside(facts.outside, flat(event.inputs), moment)
        yield from differs("the other arguments", facts.settings, event.settings or {})
        graded = self.evidence.calls[event.call].graded
        yield from differs("that a gradient is wanted", facts.graded, graded)

    def leave(self, facts: forward_steps.LeaveStep, moment: Moment) -> False_:
        event = moment.event
        yield from differs("the PyLayer", facts.layer, event.name)
        yield from self.things(facts.outputs, flat(event.outputs), moment)
        yield from self.outside(facts.outside, flat(event.outputs), moment)
        graded = self.evidence.calls[event.call].graded
        yield from differs("that a gradient is wanted", facts.graded, graded)

    def layer_hook(self, facts: forward_steps.LayerHookStep, moment: Moment) -> False_:
        event = moment.event
        yield from differs("the hook", (facts.name, facts.when), (event.name, event.when))
        entered = next(e for e in self.evidence.records if getattr(e, "scope", 0) == event.scope)
        kind, _, word = facts.layer.partition(" ")
        known = {entered.name.rpartition("_")[0], self.evidence.trace.layers.get(entered.name)}
        if facts.layer != entered.name and {kind, word or kind} - known:
            yield f"the layer {entered.name} is called {facts.layer!r}"
        yield from self.things(facts.given, filter(None, flat(event.given)), moment)
        yield from differs("that it changes", facts.made is not None, event.made is not None)
        yield from self.things(facts.made or (), filter(None, flat(event.made or ())), moment)

    def save(self, facts: forward_steps.SaveStep, moment: Moment) -> False_:
        node = moment.event.node
        call, made = self.evidence.call_of(node), self.evidence.nodes.get(node)
        by_user = bool(call and call.scope)
        yield from differs("that the user saved it", facts.by_user, by_user)
        name = call.name if call else made.name if made else facts.op
        yield from self.title(facts.op, name, call and call.place)
        once = {event.tensor.id: event for event in moment.parts}
        yield from differs("how many are kept", len(facts.saved), len(once))
        for said, event in zip(facts.saved, once.values(), strict=False):
            yield from self.saved(said.called, event, moment)
            yield from self.value(said, event.tensor.value)

    def saved(self, said: str, event: events.TensorSaved, moment: Moment, *more: int) -> False_:
        """Compare the name of a saved value; a nameless one has its name in the rule."""
        if said != event.slot or self.evidence.names_of(event.tensor.id, (*moment.scopes, *more)):
            yield from self.name(said, event.tensor.id, moment, *more)

    def saved_names(self, said: Sequence[str], node: int, moment: Moment) -> False_:
        """Compare the names of all values that a node saved."""
        once = {event.tensor.id: event for event in self.evidence.saved.get(node, ())}
        yield from differs("how many were kept", len(said), len(once))
        inside = self.inside(self.evidence.call_of(node))
        for name, event in zip(said, once.values(), strict=False):
            yield from self.saved(name, event, inside or moment)

    def mark(self, facts: forward_steps.MarkStep, moment: Moment) -> False_:
        event = moment.event
        yield from differs("the mark", (facts.mark, facts.value), (event.mark, event.value))
        yield from differs("the PyLayer", facts.layer, self.evidence.calls[event.call].name)
        yield from self.things(facts.marked, event.tensors, moment)

    # ----- backward ------------------------------------------------------------------------------

    def idle(self, facts: backward_steps.IdleStep, moment: Moment) -> False_:
        root = moment.event.roots[moment.index]
        yield from self.thing(facts.root, root, moment)
        yield from differs("stop_gradient", True, root.stop_gradient)

    def seed(self, facts: backward_steps.SeedStep, moment: Moment) -> False_:
        edge, value = moment.event.edges[moment.index], moment.event.seeds[moment.index]
        tensor = self.evidence.tensor_at(edge)
        if tensor is None and moment.index < len(moment.event.roots):
            tensor = moment.event.roots[moment.index].id
        yield from differs("a recorded tensor", facts.root is None, tensor is None)
        if tensor is not None and facts.root:
            yield from self.name(facts.root.called, tensor, moment)
        yield from self.value(facts.grad, value)
        if tensor in self.evidence.seen and facts.root and facts.root.number:
            yield from self.value(facts.root, self.evidence.seen[tensor][-1].value)

    def visit(self, facts: VisitStep, moment: Moment) -> False_:
        event, call = moment.event, self.evidence.call_of(moment.event.node)
        yield from self.title(facts.op, call.name if call else event.name, call and call.place)
        yield from differs("how many arrived", len(facts.arrived), len(event.arrived))
        for i, (row, value) in enumerate(zip(facts.arrived, event.arrived, strict=False)):
            tensor = self.evidence.tensor_at(events.Edge("node", event.node, i))
            came = moment.changed.get(i, value)
            yield from self.gradient(row, self.name(row.name, tensor, moment), came)
        nothing = [row.name for row in facts.arrived if row.thing is None]
        for name in facts.zeros:
            if name not in nothing:
                yield f"zeros are said to stand in for {name}"
        yield from self.saved_names(facts.uses, event.node, moment)
        if facts.sign and call and call.name == "scale":
            yield from scaled(facts.sign, call)
        called = call if call and not call.scope else None
        yield from differs("the rule", facts.rule, called.name if called else "")
        yield from differs("its attributes", facts.attrs, called.attrs if called else {})
        inputs = called.inputs if called else []
        yield from differs("how many went in", len(facts.inputs), len(inputs))
        for said, seen in zip(facts.inputs, inputs, strict=False):
            if said and seen:
                yield from self.name(said.called, seen.id, moment)
                yield from differs(f"the shape of {said.called}", said.shape, seen.value.shape)
        wide = {part.index: part.before for part in moment.parts if is_sum(part)}
        computed = [part for part in moment.parts if not is_sum(part)]
        yield from differs("how many are computed", len(facts.computed), len(computed))
        parts = {place for place, part in enumerate(computed) if id(part) in self.parts}
        yield from differs("which are parts of a gradient", set(facts.shares), parts)
        for row, part in zip(facts.computed, computed, strict=False):
            tensor = self.evidence.tensor_at(part.edge)
            value = wide.get(part.index, part.grad)
            yield from self.gradient(row, self.name(row.name, tensor, moment), value)

    def inside(self, call: Call | None) -> Moment | None:
        """Return the moment in which the names of a PyLayer's forward hold."""
        return Moment(0, "", None, (call.scope, 0)) if call and call.scope else None

    def receive(self, facts: backward_steps.ReceiveStep, moment: Moment) -> False_:
        entered, came = moment.entered, moment.event.arrived
        call = self.evidence.call_of(moment.event.node)
        outputs = call.outputs if call else []
        given = flat(entered.inputs)
        yield from differs("the PyLayer", facts.layer, entered.name)
        yield from differs("how many arrive", len(facts.arrived), len(given))
        zeros = []
        for name, output in zip(facts.outside, outputs, strict=False):
            if name and output:
                yield from self.from_outside(name, output.id)
        for i, (row, seen) in enumerate(zip(facts.arrived, given, strict=False)):
            own = self.evidence.names_of(seen.id, moment.scopes) if seen else []
            output = outputs[i] if i < len(outputs) else None
            inner = self.inside(call)
            known = self.evidence.names_of(output.id, inner.scopes) if output and inner else []
            names = [*own, *map(d, known)]
            if names and not any(is_called(row.name, name) for name in names):
                yield f"{row.name!r} is called {names}"
            yield from self.gradient(row, iter(()), seen and seen.value)
            if i < len(came) and came[i] is None and seen is not None:
                zeros += known[:1] or [row.name]
                elements = array(seen.value)
                if elements is not None and elements.any():
                    yield f"{row.name} is not zero"
        if len(zeros) != len(facts.zeros) or not all(map(is_called, facts.zeros, zeros)):
            yield f"zeros are said to stand in for {facts.zeros}, and do for {zeros}"

    def from_outside(self, said: str, tensor: int) -> False_:
        """Compare the name of a result's gradient with the result's name outside of its PyLayer."""
        known = [name for (number, _), name in self.evidence.table.items() if number == tensor]
        names = [*known, *self.called[tensor]]
        if not any(is_called(said, name) for name in names):
            yield f"{said!r} is called {names} outside"

    def returns(self, facts: backward_steps.ReturnStep, moment: Moment) -> False_:
        event, call = moment.event, self.evidence.call_of(moment.entered.event.node)
        given = flat(event.outputs)
        yield from differs("the PyLayer", facts.layer, event.name)
        yield from differs("how many it returns", len(facts.computed), len(given))
        inside, inputs = self.inside(call) or moment, call.inputs if call else []
        for i, (row, seen) in enumerate(zip(facts.computed, given, strict=False)):
            whose = inputs[i] if i < len(inputs) else None
            name = self.name(row.name, whose and whose.id, inside)
            yield from self.gradient(row, name, seen and seen.value)

    def accumulate(self, facts: backward_steps.AccumulateStep, moment: Moment) -> False_:
        event = moment.event
        tensor = self.evidence.tensor_at(event.edge)
        yield from self.name(facts.target, tensor, moment)
        for said in ("held", "added", "total"):
            yield from self.value(getattr(facts, said), getattr(event, said))
        held, added, total = map(array, (event.held, event.added, event.total))
        if held is not None and not np.allclose(held + added, total, rtol=1e-3, equal_nan=True):
            yield f"the sum at {facts.target} does not add up"
        why, before = facts.why, facts.why in ("old", "zeros")
        if moment.summand == before:
            summands = "several gradients came" if moment.summand else "only one gradient came"
            yield f"{summands} to {facts.target}, and what is said is: {why}"
        if why == "uses" and tensor is not None and self.evidence.uses[tensor] < 2:
            yield f"{facts.target} was used {self.evidence.uses[tensor]} times"
        if before and held is not None:
            yield from differs("what was held", why, "old" if held.any() else "zeros")
        if before and held is not None and held.any():
            self.on_top.add(tensor)
        if why == "old" and tensor in self.held:
            yield from self.value(facts.held, self.held[tensor])

    def unbroadcast(self, facts: backward_steps.UnbroadcastStep, moment: Moment) -> False_:
        event, call = moment.event, self.evidence.call_of(moment.event.node)
        seen = call.inputs[event.index] if call and event.index < len(call.inputs) else None
        tensor = seen.id if seen else self.evidence.goes_to(event)
        yield from self.name(facts.target, tensor, moment)
        yield from self.value(facts.before, event.before)
        yield from self.value(facts.after, event.after)
        if seen is not None and call is not None:
            yield from differs("the shape of the input", facts.after.shape, seen.value.shape)
            made = call.outputs[0]
            yield from differs("its broadcast shape", facts.before.shape, made and made.value.shape)
        before, after = array(event.before), array(event.after)
        if before is not None and not sums_to(before, after):
            yield f"the gradient of {facts.target} is not the sum"

    def hook(self, facts: backward_steps.HookStep, moment: Moment) -> False_:
        event = moment.event
        yield from differs("the hook", facts.name, event.name)
        yield from self.name(facts.target, self.evidence.tensor_at(event.edge), moment)
        before, after = event.before.data["data"], event.after.data["data"]
        answer = "other" if before != after else "equal" if event.made else "none"
        yield from differs("what the hook returns", facts.answer, answer)

    def leaf(self, facts: backward_steps.LeafStep, moment: Moment) -> False_:
        event = moment.event
        yield from self.name(facts.target, event.tensor.id, moment)
        yield from self.value(facts.grad, event.grad)
        self.held[event.tensor.id] = event.grad
        yield from differs("on an old one", facts.on_top, event.tensor.id in self.on_top)
        self.on_top.discard(event.tensor.id)

    def release(self, facts: backward_steps.ReleaseStep, moment: Moment) -> False_:
        node = moment.event.node
        call = self.evidence.call_of(node)
        name = call.name if call else self.evidence.nodes[node].name
        yield from self.title(facts.op, name, call and call.place)
        yield from self.saved_names(facts.names, node, moment)

    def update(self, facts: backward_steps.UpdateStep, moment: Moment) -> False_:
        event = moment.event
        yield from differs("the optimizer", facts.optimizer, event.optimizer)
        yield from self.thing(facts.target, event.tensor, moment)
        yield from self.value(facts.before, event.before)
        rate = self.evidence.rates.get(facts.optimizer)
        if facts.optimizer == "SGD" and rate is not None:
            before, grad, after = map(array, (event.before, event.grad, event.tensor.value))
            if not np.allclose(before - rate * grad, after, 1e-3, 1e-6, equal_nan=True):
                yield f"{facts.target.called} did not go against its gradient"

    # ----- Programs ------------------------------------------------------------------------------

    def variables(self, said: Sequence[Mention], values: Any) -> False_:
        """Compare variables in a sentence with values, in order."""
        names = [thing.called for thing in said]
        yield from differs("the variables", names, used(names, values))
        for thing in said:
            if thing.called in values:
                yield from self.value(thing, values[thing.called])

    def declared(self, said: Sequence[Mention], slots: Any) -> False_:
        """Compare variables in a sentence with their declarations."""
        there = {v.name: tuple(v.shape) for row in slots.values() for v in row if v is not None}
        names = {t.called: t.shape for t in said}
        yield from differs("the variables", names, {n: there[n] for n in used(names, there)})

    def append(self, facts: program_steps.AppendStep, moment: Moment) -> False_:
        event = moment.event
        attrs = event.kernel.attrs if event.kernel else event.attrs
        filled = attrs.get("value", attrs.get("fill_value"))
        yield from differs("the filled value", facts.fill, filled)
        for name in ("type", "role", "index"):
            yield from differs(f"its {name}", getattr(facts, name), getattr(event, name))
        if facts.by != event.mode and not self.evidence.code.has(f"{facts.by}(", event.place):
            yield f"what adds it is said to be {facts.by!r}, and was {event.mode!r}"
        yield from self.word(facts.written, event.op, event.place)
        yield from self.declared(facts.inputs, event.inputs)
        yield from self.declared(facts.outputs, event.outputs)
        origin = self.evidence.appended.get((event.program, event.forward_of))
        yield from differs("its forward operator", facts.forward, origin.type if origin else "")
        at = event.program, event.index
        yield from differs("its function", facts.function, self.function(*at))
        if origin:
            was = self.function(event.program, origin.index)
            yield from differs("the function of forward", facts.forward_function, was)
        if event.role == "backward" and event.type == "fill_constant":
            yield from differs("where gradients begin", 1.0, event.attrs.get("value"))
        if event.role == "backward" and event.type == "sum" and len(facts.inputs) < 2:
            yield "gradients from several places are one"

    def function(self, program: int, index: int) -> str:
        """Return the name of a py_func's function, from its last call or its declaration."""
        calls = [e for e in self.evidence.records if isinstance(e, events.PyFuncCalled)]
        at = [e.function for e in calls if (e.program, e.index) == (program, index)]
        return at[-1] if at else self.evidence.appended[program, index].function

    def run(self, facts: program_steps.RunStep, moment: Moment) -> False_:
        yield from self.variables(facts.fed, moment.event.feeds)
        yield from differs("what is fetched", tuple(facts.fetches), tuple(moment.event.fetches))

    def startup(self, facts: program_steps.StartupStep, moment: Moment) -> False_:
        program = moment.event.program
        ran = [e for e in self.evidence.records if isinstance(e, events.OperatorExecuted)]
        made = {name for event in ran if event.program == program for name in event.outputs}
        yield from differs("what gets a value", {thing.called for thing in facts.made}, made)

    def part(self, facts: program_steps.PartStep, moment: Moment) -> False_:
        event = moment.event
        place = event.program, event.index
        operator, part = self.evidence.appended[place], self.evidence.parts[*place, event.part]
        said = facts.type, facts.part, facts.number
        yield from differs("the part", said, (operator.type, part.name, event.turn + 1))
        if facts.pred or (part.name in ("true_fn", "false_fn") and operator.role == "forward"):
            pred = operator.inputs["Input"][0].name
            yield from differs("the condition", facts.pred, pred)
            made = (getattr(each, "outputs", {}) for each in self.evidence.run_before(event))
            values = [array(row[pred]) for row in made if pred in row]
            yield from differs("its truth", part.name == "true_fn", bool(values[0]))

    def execute(self, facts: program_steps.ExecuteStep, moment: Moment) -> False_:
        event = moment.event
        operator = self.evidence.appended[event.program, event.index]
        yield from differs("turns", facts.turns, self.turns(event))
        yield from differs("the operator", facts.type, operator.type)
        yield from self.word(facts.written, operator.op, operator.place)
        yield from self.variables(facts.inputs, event.inputs)
        yield from self.variables(facts.outputs, event.outputs)
        yield from self.lies(facts.memory, moment)

    def turns(self, event: events.OperatorExecuted) -> int | None:
        """Return how often an operator ran its parts, apart from conditions; None without parts."""
        place = event.program, event.index
        if not any(key[:2] == place for key in self.evidence.parts):
            return None
        earlier = takewhile(lambda e: not is_of(e, *place), self.evidence.run_before(event))
        entered = [e for e in earlier if isinstance(e, events.PartEntered)]
        keys = [(e.program, e.index, e.part) for e in entered]
        return sum(self.evidence.parts[key].name != "cond" for key in keys if key[:2] == place)

    def py_func(self, facts: program_steps.PyFuncStep, moment: Moment) -> False_:
        event = moment.event
        yield from differs("the function", facts.function, event.function)
        for said, rows in ((facts.arguments, event.arguments), (facts.results, event.results)):
            yield from differs("names", [row.name for row in said], [name for name, _ in rows])
            for row, (_, value) in zip(said, rows, strict=False):
                yield from self.gradient(row, iter(()), value)
        skipped = event.skipped if event.direction == "backward" else ()
        yield from differs("what is skipped", tuple(facts.skipped), tuple(skipped))
        yield from self.lies(facts.memory, moment)

    def lies(self, said: Sequence[program_steps.BlockUse], moment: Moment) -> False_:
        """Compare the memory blocks of results, and what was in them before."""
        event = moment.event
        was = {
            (block, variables_in(stay), variables_in(before) if before else "")
            for block, stay, before in self.blocks.get(planned_after(self.evidence, event), ())
            if stay.born == event.index
        }
        there = {(use.block.partition("·")[0], use.name, use.before) for use in said}
        yield from differs("where results lie", there, was)

    def free(self, facts: program_steps.FreeStep, moment: Moment) -> False_:
        names = [event.name for event in moment.parts]
        yield from differs("what is freed", list(facts.names), names)
        plan = self.blocks.get(planned_after(self.evidence, moment.event), ())
        own = {
            name: (block, stay) for block, stay, _ in plan for name in stay.names if name in names
        }
        for fate in facts.memory:
            block = fate.what.partition("·")[0]
            if fate.kind == "gone" and fate.what in own:
                yield f"{fate.what} lies in block {own[fate.what][0]}"
            elif fate.kind == "stays" and not (set(own[fate.what][1].names) - {fate.what}):
                yield f"nothing else lies where {fate.what} was"
            elif fate.kind in ("free", "over") and block not in {b for b, _ in own.values()}:
                yield f"block {block} held none of {names}"
            elif fate.kind == "over":
                whose = {variables_in(s) for b, s, _ in plan if b == block}
                if fate.whom not in whose:
                    yield f"block {block} never holds {fate.whom}"

    def finish(self, facts: program_steps.FinishStep, moment: Moment) -> False_:
        yield from self.variables(facts.fetched, moment.event.fetched)

    # ----- anywhere ------------------------------------------------------------------------------

    def error(self, facts: backward_steps.ErrorStep, moment: Moment) -> False_:
        event = moment.event
        said = facts.error, facts.message.en
        yield from differs("the error", said, (event.error, event.message))
        at = self.at_work(event)
        if at and (facts.during is None or at not in facts.during.en):
            yield f"{at} was at work, and {facts.during!r} is said"
        if facts.fault is not None:
            yield from self.fault(facts.fault, event)

    def fault(self, fault: Fault, event: Any) -> False_:
        """Yield faults unless shapes are the arguments', and each repair gives its shape."""
        failed = getattr(event, "during", "") == "op" and event.id in self.evidence.calls
        given = [s for s in self.evidence.calls[event.id].inputs if s] if failed else []
        rows = [row for row in fault.rows if row.name != "shape" and "=" not in row.name]
        for row, seen in zip(rows, given, strict=False):
            shape = tuple(int(size) for size in row.sizes if size)
            yield from differs(f"the shape of {row.name}", shape, seen.value.shape)
        for kind, text in fault.told:
            if kind != "tried" and text.en not in event.message:
                yield f"the message does not say {text.en!r}"
            elif kind == "tried":
                code, _, said = text.en.rpartition(" gives ")
                yield from differs(f"what {code} gives", said, tried(code, rows))

    def at_work(self, event: Any) -> str:
        """Return the name of the op or function that an exception left."""
        match event:
            case events.Failed(during="op", id=number) if number in self.evidence.calls:
                return self.evidence.calls[number].name
            case events.Failed(during="node", id=number):
                call = self.evidence.call_of(number)
                return call.name if call else ""
            case events.Failed(during="scope", id=number):
                scopes = (e for e in self.evidence.records if isinstance(e, events.ScopeEntered))
                return next((e.name for e in scopes if e.scope == number), "")
            case events.Failed(during="refused"):
                asked = [e for e in self.evidence.records if isinstance(e, events.OperatorRefused)]
                return asked[-1].op
            case events.Failed(during="operator", id=number):
                return next(e.type for (_, i), e in self.evidence.appended.items() if i == number)
        return ""

    def cut(self, facts: backward_steps.CutStep, moment: Moment) -> False_:
        cut = moment.event
        yield from differs("the limit", (facts.what, facts.limit), (cut.what, cut.limit))


# ----- helpers -----------------------------------------------------------------------------------


def tried(code: str, rows: Sequence[ShapeRow]) -> str:
    """Run a line of code on tensors of these shapes; return the shape of its result."""
    known = {**vars(paddle), **vars(paddle.nn.functional)}
    for k, row in enumerate(rows):
        code = re.sub(rf"(?<![\w.]){re.escape(row.name)}(?![\w#])", f"_{k}", code)
        known[f"_{k}"] = paddle.zeros([int(size) for size in row.sizes if size], row.note.en)
    try:
        return str(list(eval(code, known).shape))
    except Exception as error:  # noqa: BLE001  (a false claim)
        return type(error).__name__


def is_called(said: str, name: str) -> bool:
    """Say whether a text is this name, perhaps with a number that makes it unique: `x#2`."""
    return re.fullmatch(rf"\(?{re.escape(name)}\)?(#\d+)?|d{re.escape(name)}", said) is not None


@cache
def words_in(text: str) -> frozenset[str]:
    """Return the words in a name or formula; `Linear_0` is a Linear, `x²` has the word `x`."""
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹]", " ", text)
    return frozenset(re.sub(r"_\d+$", "", word) for word in re.findall(r"[^\W\d]\w*", text))


def is_sum(part: Any) -> bool:
    return isinstance(part, events.GradUnbroadcast)


def number_is_all(said: str, value: Value) -> bool:
    """Say whether every element of a value is this number."""
    elements = array(value)
    try:
        number = float(said.replace("−", "-"))
    except ValueError:
        return False
    return elements is not None and bool(np.allclose(elements.astype(float), number, rtol=6e-4))


N = r"[\d.]+(?:e[+−-]?\d+)?"


def scaled(symbol: str, call: Call) -> False_:
    """Compute what is said of one number and a tensor, and yield a fault if it differs."""
    x, y = (array(seen.value) if seen else None for seen in (call.inputs[0], call.outputs[0]))
    said = [float(n.replace("−", "-")) for n in re.findall(N, symbol)]
    if x is None or y is None:
        return
    match re.sub(N, "n", symbol), said:
        case "−", _:
            right = -x
        case "× n" | "n ×", [factor]:
            right = x * factor
        case "+ n", [more]:
            right = x + more
        case "− n", [less]:
            right = x - less
        case "n −", [whole]:
            right = whole - x
        case "× n + n", [factor, more]:
            right = x * factor + more
        case "× n − n", [factor, less]:
            right = x * factor - less
        case "× −n" | "−n ×", [factor]:
            right = -x * factor
        case "(+ n) × n", [more, factor]:
            right = (x + more) * factor
        case "(− n) × n", [less, factor]:
            right = (x - less) * factor
        case _:
            yield f"nobody can read the sign {symbol!r}"
            return
    if not np.allclose(right.astype(float), y.astype(float), rtol=1e-3, equal_nan=True):
        yield f"{symbol!r} does not give what came out"


def blocks_of(evidence: Evidence) -> dict[int, list[tuple[str, events.Stay, Any]]]:
    """Map each plan's position to its shared blocks: each stay and the one before it."""
    plans = {}
    for time, event in enumerate(evidence.records):
        if not isinstance(event, events.MemoryPlanned):
            continue
        kinds = ("own", "fed", "scope")
        shared = [block for block in event.blocks if block.kind not in kinds]
        plans[time] = [
            (f"b{i}", stay, before)
            for i, block in enumerate(shared)
            for stay, before in zip(block.stays, (None, *block.stays), strict=False)
        ]
    return plans


def planned_after(evidence: Evidence, event: Any) -> int:
    """Return the position of the plan of an event's run: the next plan of its Program."""
    start = next(i for i, record in enumerate(evidence.records) if record is event)
    later = enumerate(evidence.records[start:], start)
    plans = (i for i, e in later if isinstance(e, events.MemoryPlanned))
    return next((i for i in plans if evidence.records[i].program == event.program), -1)


def variables_in(stay: events.Stay) -> str:
    """Return the names of the Variables that share a value."""
    return " & ".join(stay.names[:3]) + ("…" if len(stay.names) > 3 else "")
