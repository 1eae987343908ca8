"""Forward half of the picture: ops, layers, PyLayers, and tensors that they save and mark."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from minipaddle import events
from minipaddle.events import Seen
from minipaddle.messages import LIST, Row

from ..document import op_facts
from ..document.distinct_names import base_of
from ..document.op_facts import OpFacts
from ..document.values import flatten
from ..language.words import WORDS
from ..model import LAYERS, UPDATES, Badge
from . import formulas, ids
from .draft import OPTIMIZE, StepDraft, Where, badge
from .foresight import CallsAhead
from .sentences import forward as said
from .sentences.op_words import of_two_middles, uses_running_statistics
from .sentences.wording import Constant, Mention, Things, coded, d, detail, differentiable, length
from .steps import Facts
from .tape import Arguments, Call, SavedValue, TapeNode
from .tensors import LONGEST, UNKNOWN, Drawing
from .work import InnerResult, Scope, Visit

Saving = StepDraft[said.SaveStep]


@dataclass(slots=True)
class Forward(Drawing):
    """Draws calls, and notes the box from which each tensor comes.

    `layers` are the labels of layers, `ahead` has facts about calls from later events.
    """

    layers: Mapping[str, str]
    ahead: CallsAhead

    # ----- ops -----------------------------------------------------------------------------------

    def op_started(self, event: events.OpStarted | events.OpFinished) -> Call:
        given = flatten(event.inputs)
        first = given[0].value if given and given[0] else None
        of_first = (len(first.shape), first.dtype) if first else (0, "")
        functions = self.draft.functions(event.place)
        facts = op_facts.facts(event.op, event.attrs, functions, *of_first)
        box, by_hand = ids.op(event.call), event.call in self.ahead.updates
        where = OPTIMIZE if by_hand and not self.work.optimizing else self.work.where
        self.draft.node(box, "op", facts.label, where=where)
        group = self.draft.nodes[box].group
        call = Call(box, event.op, facts, given, event.place, group, attrs=event.attrs)
        call.inside = self.work.in_pylayer
        self.tape.calls[event.call] = call
        return call

    def op_finished(self, event: events.OpFinished) -> None:
        call = self.tape.calls.get(event.call)
        # The log has a start only if something ran between start and end.
        if call is None or call.box not in self.draft.nodes:
            call = self.op_started(event)
        call.outputs, call.done = event.outputs, True
        for each in (call, *self._running_pylayers()):
            each.ops.append(event)
        tensors, draft, facts = self.tensors, self.draft, call.facts
        if facts.updates and len(call.inputs) == len(facts.inputs):
            pairs = zip(facts.inputs, call.inputs, strict=True)
            tensors.buffers |= {seen.id for slot, seen in pairs if seen and slot in facts.updates}
        given = call.inputs[:1] if facts.title in op_facts.FILLS else call.inputs
        if facts.written:
            self._call_by_value(given[1:])
        sources = tensors.sources(given)  # before `things`, since it may name a new tensor
        inputs = tensors.things(given)
        facts = self._as_in_code(call, inputs)
        outputs = self._name_results(event, call, facts, inputs)
        in_place = self._is_in_place(event, inputs, outputs)
        operands = tensors.things(tensors.with_labels(given))
        formula = formulas.of_op(facts, operands, outputs, tensors.taken, in_place)
        called = facts.symbol, facts.title, facts.written
        step_facts: Facts = said.OpStep(
            event.op, *called, inputs, outputs, event.attrs, in_place, self._broadcast(event)
        )
        known = [thing for thing in inputs if thing]
        if facts.changes and len(known) == 2 and is_overwritten(event):
            step_facts = said.OverwriteStep(*known)
        if outputs:
            main = min(facts.main_output, len(outputs) - 1)
            shape = detail(event.outputs[main].value, outputs[main].name)
            draft.change(call.box, detail=shape)
        phase = "optimize" if event.call in self.ahead.updates else self.work.phase
        step = call.step = draft.step(step_facts, phase, event.place)
        step.formula = formula
        tensors.lead_in(step, inputs, sources, call.box)
        for thing in filter(None, inputs):
            tensors.explain_number(thing, step)
        step.light(call.box)
        only_read = uses_running_statistics(event.attrs)
        for thing in outputs[:1] + outputs[4:] if only_read else outputs:
            step.show(thing, "output", call.box)
            tensors.explain_number(thing, step)
        if visit := self.work.visit:
            if visit.node.call and visit.node.call.scope:
                self._compose_tree(visit, call, inputs, event.outputs)
            step.forward_place = visit.step.forward_place
            visit.made += [InnerResult(seen.value, call.box) for seen in event.outputs]
        if is_overwritten(event):
            tensors.rewrite(event.outputs[0])
        for seen in event.outputs:
            tensors.latest[seen.id] = seen
            tensors.produce(seen, call.box, step)

    def _as_in_code(self, call: Call, inputs: Things) -> OpFacts:
        """Return the facts of a call whose sign is in the order of the code: `3 ×`, `h[0] = v`."""
        facts, first = call.facts, inputs[0] if inputs else None
        if facts.written:
            numbers = {*flatten([seen.value.data.get("data") for seen in call.outputs if seen])}
            if facts.written == "x.fill_(…)" and len(numbers) == 1:
                facts = replace(facts, written=f"x.fill_({coded(numbers.pop())})")
            facts = call.facts = formulas.write_out(facts, inputs)
            self.draft.change(call.box, label=facts.label)
        elif call.op == "scale" and first:
            sign = op_facts.as_written(facts.symbol, self.draft.code(call.place), first.called)
            formula = f"y = {sign} x" if sign.endswith(" +") else facts.formula  # 1 + x
            facts = replace(facts, symbol=sign, formula=formula)
        return facts

    def _is_in_place(
        self, event: events.OpFinished, inputs: Things, outputs: Sequence[Mention]
    ) -> bool:
        """Return whether a call changes the first input in place, as `x.add_(y)` does: that takes
        the result's values, or the result has its name, perhaps with another number."""
        if not inputs or not inputs[0] or len(outputs) != 1:
            return False
        taker = self.ahead.taken.get(event.outputs[0].id)
        if taker in [seen.id for seen in flatten(event.inputs)[:1]]:
            return True
        if taker is None and not re.search(r"\w_\(", self.draft.code(event.place)):
            return False
        return base_of(inputs[0].called) == base_of(outputs[0].called)

    def _name_results(
        self, event: events.OpFinished, call: Call, facts: OpFacts, inputs: Things
    ) -> list[Mention]:
        """Name the results of a call, from the code, the call that will use them or the formula."""
        tensors, first = self.tensors, inputs[0] if inputs else None
        if facts.written:
            self._call_as_written(call, facts, first)
            for seen in event.outputs:
                self._call_ahead(seen, event)
            return [tensors.thing(seen) for seen in event.outputs]
        slots = facts.outputs if len(event.outputs) != 1 else ("out",)
        sign = facts.result or facts.symbol
        said = ("out", "loss") if facts.result else ("out",)
        signs = [sign if slot in said else STATISTICS.get(slot, slot) for slot in slots]
        if event.op == "nanmedian" and first and event.outputs:
            sizes = first.shape or (), event.outputs[0].value.shape
            if which := of_two_middles(event.attrs, *sizes):
                signs = [f"{which}_middle", f"{which}_index"]
        named = {seen.id for seen in event.outputs if self._call_ahead(seen, event)}
        if uses_running_statistics(event.attrs) and len(inputs) == len(slots):
            named |= self._call_by_running_statistics(event, inputs)
        if facts.record and facts.record.list_result and first:
            signs = []
            for i, seen in enumerate(event.outputs):
                if seen.id not in named and not tensors.name(seen.id):
                    whole = f"{sign}({first.called})[{i}]"
                    is_long = length(whole) > LONGEST
                    tensors.call_by(seen.id, f"{sign}(…)[{i}]" if is_long else whole)
        of = tensors.with_labels(call.inputs[: len(inputs)])
        done = event.call not in self.ahead.visited
        return tensors.name_results(event.outputs, signs, of, facts, named, done)

    def _call_as_written(self, call: Call, facts: OpFacts, first: Mention | None) -> None:
        """Name the unnamed results of a call without a function as the code does: `h[0]`."""
        for seen in filter(None, call.outputs):
            if not self.tensors.name(seen.id):
                read = seen.stop_gradient and not facts.changes and call.inputs[0]
                content = (read.id, read.version, facts.title) if read else None  # read again
                text = (first.called if first else "") if facts.changes else facts.title
                self.tensors.call_by(seen.id, text, content)

    def _call_ahead(self, seen: Seen, event: events.OpFinished) -> bool:
        """Name an unnamed result by what it will be, and return whether that is known.

        It may be a layer's result, a gradient, `∂x`, or the labels that a loss smooths.
        """
        visit, layer = self.work.visit, self.work.scope(self.ahead.layers.get(seen.id, 0))
        if self.tensors.name(seen.id):
            return False
        call = visit.node.call if visit else None
        given = visit.ahead.results.get(seen.id) if visit and not (call and call.scope) else None
        if visit and given and given.index not in visit.ahead.shares:
            name = self.tensors.grad_names(given.edge).called
            self.tensors.call_by(seen.id, differentiable(d(name)))
            return name != UNKNOWN
        first = next(iter(flatten(event.inputs)), None)
        if event.op == "unsqueeze" and seen.id in self.ahead.labels and first:
            self.tensors.labels[seen.id] = first
        if event.op == "hot_rows" and event.attrs.get("off") and first:
            (of,) = self.tensors.things(self.tensors.with_labels((first,)))
            self.tensors.call_by(seen.id, f"label_smooth(one_hot({of and of.called}))")
            return True
        if layer:
            self._call_by_layer(seen, layer)
        return layer is not None

    def _broadcast(self, event: events.OpFinished) -> str:
        """Return the name of the tensor whose broadcasting a sum_to undoes, or "" if in doubt."""
        visit = self.work.current.visit if self.work.current else None
        if event.op != "sum_to" or visit is None or visit.node.call is None:
            return ""
        (result,) = self.tensors.things(event.outputs)
        things = filter(None, self.tensors.things(visit.node.call.inputs))
        names = {thing.called for thing in things if result and thing.shape == result.shape}
        return names.pop() if len(names) == 1 else ""

    def _call_by_running_statistics(self, event: events.OpFinished, inputs: Things) -> set[int]:
        """Name the results of a batch norm that it only read; return their numbers."""
        _, mean, variance = (thing.called if thing else UNKNOWN for thing in inputs[:3])
        names = mean, variance, mean, f"inv_std({variance})"
        self.tensors.formulas |= {
            seen.id: name for seen, name in zip(event.outputs[1:], names, strict=True)
        }
        return {seen.id for seen in event.outputs[1:]}

    def _call_by_layer(self, seen: Seen, layer: Scope) -> None:
        """Call an unnamed result after its layer: `enc(x)`."""
        kind, _, role = self.layers.get(layer.name, layer.name).partition(" ")
        sign = kind if role.isdigit() else role or kind
        self.tensors.derive(seen, sign, layer.inputs)

    def _running_pylayers(self) -> Iterator[Call]:
        """Yield the calls of PyLayers whose forward is running."""
        for scope in self.work.scopes:
            if scope.kind == "pylayer.forward" and scope.call in self.tape.calls:
                yield self.tape.calls[scope.call]

    def _compose_tree(self, visit: Visit, call: Call, inputs: Things, outputs: Arguments) -> None:
        """Note a result inside a user's backward as an expression of backward's arguments."""
        given = {seen.id: thing for seen, thing in zip(call.inputs, inputs, strict=False) if seen}
        visit.known &= not any(seen and seen.id in given for seen in outputs)  # changed in place
        if len(outputs) == 1 and outputs[0]:
            tree = formulas.compose(call.facts, call.inputs, given, visit.trees)
            visit.trees |= {outputs[0].id: tree} if tree else {}

    def _call_by_value(self, positions: Arguments) -> None:
        """Name an unnamed list of positions that no op made by its content: `[0, 2]`."""
        for seen in positions:
            if seen and not self.tensors.name(seen.id) and seen.id not in self.tensors.produced:
                text = listed(seen.value.data)
                if text:
                    self.tensors.call_by(seen.id, text, text)

    # ----- scopes --------------------------------------------------------------------------------

    def scope_entered(self, event: events.ScopeEntered) -> None:
        inputs = flatten(event.inputs)
        scope = Scope(event.scope, event.kind, event.name, event.call, event.place, inputs)
        scope.settings = event.settings or {}
        parent = self.work.where
        if event.kind == "pylayer.forward":
            call = self._draw_pylayer(scope, parent)
            self.work.scopes.append(scope)
            self._add_enter_step(scope, call)
            return
        if event.kind in LAYERS:
            self._draw_layer(scope, parent)
        elif event.kind in UPDATES:
            frame = ids.optimizer(event.scope)
            scope.group = self.draft.group(frame, "optimizer", event.name, Where("optimize"))
        self.work.scopes.append(scope)

    def _draw_layer(self, scope: Scope, parent: Where) -> None:
        if parent.lane != "forward":
            scope.group = parent.group
            return
        label = self.layers.get(scope.name, scope.name)
        frame = ids.layer(scope.number)
        closed = parent.node(ids.closed_box(frame), "op", label)
        scope.group = self.draft.group(frame, scope.kind, label, parent, ids.halves(frame), closed)

    def _draw_pylayer(self, scope: Scope, parent: Where) -> Call:
        """Draw a PyLayer's forward half, a group, and return the call."""
        box = ids.pylayer(scope.call)
        closed = parent.node(box, "pylayer", scope.name)
        frame, twins = ids.pylayer_forward(box), ids.pylayer_halves(scope.call)
        scope.group = self.draft.group(frame, "pylayer", scope.name, parent, twins, closed)
        facts = op_facts.facts(scope.name, {})
        call = Call(box, scope.name, facts, scope.inputs, scope.place, parent.group, scope.number)
        call.inside = self.work.in_pylayer
        self.tape.calls[scope.call] = call
        return call

    def _add_enter_step(self, scope: Scope, call: Call) -> None:
        """Add the step of entering a PyLayer, with a port for each argument."""
        draft = self.draft
        things = self.tensors.things(call.inputs)
        names = self.tensors.outside(scope, call.inputs)
        unnamed = self.tensors.formulas
        called = [
            name or unnamed.get(seen.id, "") if seen else ""
            for seen, name in zip(call.inputs, names, strict=True)
        ]
        graded = scope.call in self.ahead.graded
        facts = said.EnterStep(scope.name, things, called, scope.settings, graded)
        step = call.step = draft.step(facts, self.work.phase, scope.place)
        sources = self.tensors.sources(call.inputs)
        for i, (seen, thing, source) in enumerate(zip(call.inputs, things, sources, strict=True)):
            port = self._draw_port(call, "in", i, seen, thing)
            if seen is not None and thing is not None and source is not None:
                step.edges.append(draft.edge(source, port, label=names[i]))
                step.light(source)
                step.show(thing, "input", port, holder=source)
                self.tensors.explain_number(thing, step)
                self.tensors.shadow(scope, seen.id, port)
            step.light(port)
        step.light(call.box)

    def _draw_port(
        self, call: Call, side: ids.Side, index: int, seen: Seen | None, thing: Mention | None
    ) -> ids.Box:
        """Draw the box of an argument or result at the border of a PyLayer's forward half."""
        label, shape = thing.called if thing else "None", detail(seen.value) if seen else ""
        box = ids.port(call.box, side, index)
        return self.draft.node(box, "port", label, shape, self.work.where)

    def scope_left(self, event: events.ScopeLeft) -> None:
        scope, outputs = self.work.scope(event.scope), flatten(event.outputs)
        if scope is None:
            return
        call = self.tape.calls.get(event.call) if event.kind == "pylayer.forward" else None
        if call is not None:
            self._add_leave_step(scope, call, outputs)
        while self.tensors.leave() is not scope:
            pass
        if event.kind in LAYERS:
            self._name_layer_result(scope, outputs)
        if call is not None:
            for i, seen in enumerate(outputs):
                if seen is not None:
                    self.tensors.produce(seen, ids.port(call.box, "out", i), call.step)
                    if len(outputs) == 1:
                        self.tensors.derive(seen, call.op, call.inputs)

    def _name_layer_result(self, scope: Scope, outputs: Arguments) -> None:
        """Put the shape of a layer's result into its closed box, and name it after the layer.

        A result that is an input (of a Dropout in eval mode) keeps its name.
        """
        came = {seen.id for seen in scope.inputs if seen is not None}
        is_layer = scope.kind == "layer"
        if is_layer and len(outputs) == 1 and outputs[0] and outputs[0].id not in came:
            self._call_by_layer(outputs[0], scope)
        first = next((seen for seen in outputs if seen is not None), None)
        if first is not None and scope.group == ids.layer(scope.number):
            shape = detail(first.value, self.tensors.name(first.id))
            self.draft.close_with(scope.group, shape)

    def _add_leave_step(self, scope: Scope, call: Call, outputs: Arguments) -> None:
        """Add the steps of saving, if any, and of returning, with a port for each result."""
        call.outputs, call.done = outputs, True
        first_saved = self.ahead.first_saved.get(scope.call)
        if first_saved is not None:
            call.keeping = self._add_save_step(call, scope.name, first_saved)
        things = self.tensors.things(outputs)
        outside = self.tensors.outside(scope, outputs)
        facts = said.LeaveStep(scope.name, things, scope.call in self.ahead.graded, outside)
        step = call.step = self.draft.step(facts, self.work.phase, scope.place)
        step.light(call.box)
        for i, (seen, thing) in enumerate(zip(outputs, things, strict=True)):
            port = self._draw_port(call, "out", i, seen, thing)
            if seen is not None and thing is not None:
                self.tensors.wire(step, seen, port)
                step.show(thing, "output", port)
            step.light(port)
        first = next((seen for seen in outputs if seen is not None), None)
        if first is not None and scope.group:
            self.draft.close_with(scope.group, detail(first.value))

    def layer_hook(self, event: events.LayerHookRan) -> None:
        """Draw a hook of a layer, which reads the layer's inputs or outputs. Tensors that replace
        them, drawn by the hook's ops, come from the hook."""
        scope = self.work.scope(event.scope)
        inputs = [seen for seen in flatten(event.given) if seen]
        things, results = [self.tensors.thing(seen) for seen in inputs], None
        made = [seen for seen in flatten(event.made or ()) if seen]
        if event.made is not None:
            results = [self.tensors.thing(seen) for seen in made]
        layer = self.layers.get(scope.name, scope.name) if scope else ""
        facts = said.LayerHookStep(event.name, layer, event.when, things, results)
        step = self.draft.step(facts, self.work.phase, event.place)
        step.forward_place = scope.place if scope else None
        box = ids.hook(self.draft.next_number("hook"))
        shape = detail(inputs[0].value) if inputs else ""
        self.draft.node(box, "hook", event.name, shape, self.work.where)
        step.light(box)
        for seen, thing in zip(inputs, things, strict=True):
            read = seen.id in self.tensors.used
            self.tensors.wire(step, seen, box)
            if not read:
                self.tensors.used.discard(seen.id)  # a hook that looks at a result is no use of it
            step.show(thing, "input" if results is None else "before", box)
        for seen in made:
            if seen.id not in {each.id for each in inputs}:
                self.tensors.wire(step, seen, box)
                self.tensors.produce(seen, box, step)
        for thing in results or ():
            step.show(thing, "after", box)

    def marked(self, event: events.ContextMarked) -> None:
        call = self.tape.calls.get(event.call)
        if call is None:
            return
        things = [self.tensors.thing(seen) for seen in event.tensors]
        facts = said.MarkStep(call.op, event.mark, things, event.value)
        step = self.draft.step(facts, self.work.phase, event.place)
        step.light(call.box)
        for seen, thing in zip(event.tensors, things, strict=True):
            step.light(self.tensors.source(seen))
            step.show(thing, "input", call.box)
        if event.mark == "mark_not_inplace":
            call.spared |= {seen.id for seen in event.tensors}
        frame = ids.pylayer_forward(call.box)
        if frame in self.draft.groups:
            self.draft.badge(frame, badge_of(event.mark, event.value, things))

    def values_taken(self, event: events.ValuesTaken) -> None:
        """Give an input that a PyLayer returns unchanged the input's box.

        A tensor that the user's code takes out of the graph gets a new leaf.
        """
        scope = self.work.scopes[-1] if self.work.scopes else None
        call = self.tape.calls.get(scope.call) if scope else None
        seen, source = event.tensor, event.source
        if event.way == "alias":
            for each in self._running_pylayers():
                each.same[seen.id] = each.same.get(source.id, source.id)
        if self.work.visit and event.way == "result":
            self.work.visit.known = False  # a tensor in an expression has changed
        made = self.tensors.produced.get(source.id)
        if event.way == "result" and made and seen.id in self.tensors.grads:  # a clipped `.grad`
            before = self.tensors.results.pop(source.id, None)
            self.tensors.produce(seen, made, before and before.step)
        if call is not None and source.id in call.spared:
            self.tensors.produce(seen, self.tensors.source(source), None)
        elif event.place and not self.work.current and source.id not in self.tensors.grads:
            self._add_detach_step(event)
        elif event.way == "alias" and source.id in self.tensors.produced:
            self.tensors.produced[seen.id] = self.tensors.produced[source.id]

    def _add_detach_step(self, event: events.ValuesTaken) -> None:
        """Add the step at which values leave the graph: draw a leaf, unless the tensor is its own
        source."""
        tensors, seen, source = self.tensors, event.tensor, event.source
        origin = tensors.source(source, cut=True)
        updates = self.draft.nodes[origin].lane == "optimize"
        if seen.id == source.id:
            box = origin
        else:
            where = OPTIMIZE if updates else self.work.where
            box = tensors.begin_anew(seen, said.DetachStep.SIGNS[event.way], source, where)
        taken, given = tensors.thing(source), tensors.thing(seen)
        changed = event.way == "numpy" and seen.value.data != source.value.data
        way = "computed" if changed else event.way
        by_user = any(self._running_pylayers())
        facts = said.DetachStep(way, taken, given, not (source.stop_gradient or by_user))
        phase = "optimize" if updates else self.work.phase
        step = self.draft.step(facts, phase, event.place)
        if box != origin:
            self.draft.lead(step, origin, box, label=said.DetachStep.SIGNS[event.way])
            step.show(taken, "input", box, holder=origin)
        step.light(box)
        step.show(given, "output", box)
        tensors.explain_number(given, step)

    # ----- the tape ------------------------------------------------------------------------------

    def grad_node_made(self, event: events.GradNodeMade) -> None:
        self.tape.node(event.node, event.name, event.call, event.edges)

    def tensor_saved(self, event: events.TensorSaved) -> None:
        """Add a saved tensor to the one step of all tensors that the grad node saves."""
        node = self.tape.nodes.get(event.node)
        if node is None:
            return
        call, number = node.call, event.tensor.id
        already_saved = number in [saved.tensor.id for saved in node.saved]
        thing = self.tensors.thing(event.tensor, call)
        source = self.tensors.saved_source(call, event.tensor)
        if node.keeping is None:
            node.keeping = (call and call.keeping) or self._add_save_step(call, node.name, event)
        node.saved.append(SavedValue(event.tensor, source, thing.called))
        if already_saved:
            return
        step = node.keeping
        step.facts.saved.append(thing)
        if thing.called.startswith("inv_std(") and "inv_std" not in self.tensors.explained:
            self.tensors.explained.add("inv_std")
            attrs = call.attrs if call else {}
            epsilon = Constant(coded(attrs.get("epsilon", 1e-5)))
            step.asides.append(said.INV_STD.fill(epsilon=epsilon))
        step.show(thing, "saved", source)
        step.light(source, *([call.box] if call else []))
        step.edges += self._draw_saved_wires(event.node, node, thing.called)

    def _add_save_step(self, call: Call | None, name: str, event: events.TensorSaved) -> Saving:
        """Add the step in which a call saves tensors."""
        by_user = bool(call and call.scope)
        if call is None:
            facts, applied = said.SaveStep(op_facts.facts(name, {}).title), None
        else:
            facts, applied = said.SaveStep(call.facts.title, by_user), call.place
        step = self.draft.step(facts, self.work.phase, event.place or applied)
        step.forward_place = applied if event.place else None
        return step

    def _draw_saved_wires(self, number: int, node: TapeNode, name: str) -> list[ids.Wire]:
        """Draw the wires from the value saved last to every visit that will read it."""
        last = len(node.saved) - 1
        source = node.saved[last].source
        wires: list[ids.Wire] = []
        for nth, visit in enumerate(node.ahead, 1):
            box = ids.grad(number, nth)
            if visit.recorded:
                port = ids.port(box, "saved", last)
                wires.append(self.draft.edge(source, port, "saved", name))
            elif last == 0:
                node.wires[nth] = self.draft.edge(source, box, "saved", name)
                wires.append(node.wires[nth])
            else:
                self.draft.relabel(node.wires[nth], name)
        return wires


STATISTICS = {  # results of a batch norm beside the main one -> what they hold
    "mean_out": "new_running_mean",
    "variance_out": "new_running_variance",
    "saved_mean": "channel_mean",
    "saved_variance": "inv_std",
}


def is_overwritten(event: events.OpFinished) -> bool:
    """Return whether an op's result is its first input, as after `w.set_value(v)`."""
    first = next(iter(flatten(event.inputs)), None)
    return first is not None and [seen.id for seen in event.outputs] == [first.id]


def listed(value: Mapping[str, Any] | None) -> str:
    """Return a short list of numbers as Python writes it, `[0, 2]`, or "" for anything else."""
    data = value and value.get("data")
    if not isinstance(data, list) or any(isinstance(each, list) for each in data):
        return ""
    text = f"[{', '.join(map(coded, data))}]"
    return text if length(text) <= formulas.LONGEST_CALL else ""


SETTINGS = {
    ("set_materialize_grads", True): "materialize",
    ("set_materialize_grads", False): "no_materialize",
    ("set_grad_in_dtype_consistent", True): "dtype",
    ("set_grad_in_dtype_consistent", False): "no_dtype",
}


def badge_of(mark: str, value: Any, marked: list[Mention]) -> Badge:
    """Return the badge for a PyLayer's mark: `non-differentiable: y`."""
    kind = SETTINGS.get((mark, bool(value)), mark)
    if f"badge_{kind}" not in WORDS:
        return Badge.same("mark", mark)  # a mark of a later minipaddle
    names = [thing.called for thing in marked]
    return badge(kind, Row(names, LIST).message() if names else None)
