"""Backward half of the picture: where a pass begins, and gradients at the nodes of the tape."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from minipaddle import events
from minipaddle.events import Edge, Seen, Value
from minipaddle.messages import Message

from ..document import op_facts
from ..document.distinct_names import base_of
from ..document.values import flatten
from ..document.variable_names import absent
from ..model import LAYERS, NONE
from . import formulas, ids
from .draft import StepDraft, Where, backward_of, badge
from .finite_differences import Probe
from .foresight import VisitAhead
from .ids import Box, Frame
from .sentences import backward as steps
from .sentences.backward import about_overwritten
from .sentences.gradients import VisitStep
from .sentences.wording import Mention, NamedMention, Things, d, detail, like_gradients, row
from .tape import Arguments, Call
from .tensors import UNKNOWN, Drawing
from .work import Arrival, Pass, Visit


@dataclass(slots=True)
class Backward(Drawing):
    """Draws backward passes and the visits of nodes."""

    # ----- a pass --------------------------------------------------------------------------------

    def backward_started(self, event: events.BackwardStarted) -> None:
        if not event.edges:
            self._draw_idle(event)
        current, roots = self.work.begin(event.place, column=bool(event.edges)), list[str]()
        for i, (edge, value) in enumerate(zip(event.edges, event.seeds, strict=False)):
            root = self.tensors.tensor_at(edge)
            if root is None and i < len(event.roots):
                root = event.roots[i]
            roots.append(self.tensors.thing(root).called if root else UNKNOWN)
            self._draw_seed(current, i, edge, value, root)
        current.roots = roots
        explained, this = self.tensors.explained, f"pass of {roots}"
        others = [each for each in explained - {this} if each.startswith("pass of ")]
        if roots and UNKNOWN not in roots and others:
            self.draft.steps[-1].asides.append(steps.ANOTHER_PASS.fill(roots=row(roots)))
            there = {base_of(self.tensors.names.get((seen, 0), "")) for seen in self.tensors.latest}
            if names := [each for each in like_gradients() if each in there - explained]:
                self.draft.steps[-1].asides.append(steps.VARIABLES.fill(names=row(names)))
                explained.update(names)
        elif len(roots) == 1 and this not in explained:
            seed = self.draft.steps[-1]
            if isinstance(seed.facts, steps.SeedStep) and seed.facts.is_of_itself:
                seed.asides.append(steps.FIRST_PASS.fill(root=roots[0]))
        explained.add(this)

    def _draw_idle(self, event: events.BackwardStarted) -> None:
        """Add the step of a backward that does nothing, as its tensor needs no gradient."""
        for root in event.roots:
            thing = self.tensors.thing(root)
            step = self.draft.step(steps.IdleStep(thing), "backward", event.place)
            given = root.leaf and root.id not in self.tensors.produced
            box = self.tensors.leaf_box(root) if given else self.tensors.end(root, step)
            step.light(box)
            step.show(thing, "input", box)

    def _draw_seed(
        self, current: Pass, i: int, edge: Edge, value: Value, root: Seen | None
    ) -> None:
        """Draw the gradient that backward starts with, at the height of the tensor."""
        thing, grad = self.tensors.thing(root) if root else None, Mention.recorded("", value)
        name = d(thing.called) if thing else ""
        shape = detail(value, name if grad.number else "")
        step, pair = self.draft.step(steps.SeedStep(thing, grad), "backward", current.place), None
        if root and thing:
            leaf = edge.kind == "leaf"
            pair = self.tensors.leaf_box(root) if leaf else self.tensors.end(root, step)
            step.light(pair)
            step.show(thing, "input", pair)
        box, where = ids.seed(current.column, i), Where("backward", current.column)
        self.draft.node(box, "seed", grad.number or name or UNKNOWN, shape, where, pair)
        step.light(box)
        step.show(grad, "grad_out", box, name=name)
        current.waiting.setdefault(edge, []).append(box)
        current.seeds.append(Arrival(value, box, thing.called if thing else UNKNOWN))

    def backward_finished(self, event: events.BackwardFinished) -> None:
        """Say in the last step what `paddle.grad` returns, unless an op has said it."""
        roots = self.work.current.roots if self.work.current else ()
        for edge, holder in ((taken.edge, taken.holder) for taken in event.results):
            called, name = self.tensors.grad_names(edge).called, self.tensors.name(holder)
            boxes = self.work.current.waiting.get(edge, []) if self.work.current else []
            if holder and len(boxes) == 1:  # what reads the result is drawn below its gradient
                self.tensors.produced.setdefault(holder, boxes[0])
            if self.draft.steps and not holder:
                self.draft.steps[-1].asides.append(steps.NOT_ON.fill(roots=row(roots), x=called))
            elif (
                self.draft.steps
                and name
                and called != UNKNOWN
                and holder not in self.tensors.latest
            ):
                said = steps.RETURNS.fill(gradient=d(called), name=name)
                self.draft.steps[-1].asides.append(said)
            elif holder and not name and called != UNKNOWN and holder not in self.tensors.formulas:
                self.tensors.call_by(holder, d(called))
        self.work.finish()

    # ----- a node --------------------------------------------------------------------------------

    def node_visited(self, event: events.NodeVisited) -> None:
        current = self.work.current or self.work.begin()  # only a damaged trace has no pass here
        node = self.tape.nodes.get(event.node) or self.tape.node(event.node, event.name, 0, ())
        node.visits += 1
        call, nth, box = node.call, node.visits, ids.grad(event.node, node.visits)
        now = tuple(map(self.tensors.as_now, call.inputs)) if call else ()
        inputs = self.tensors.things(now)
        outputs = self.tensors.outputs(event.node, len(event.arrived))
        uses = self.tensors.saved_names(node)
        arrived = arrivals(event.arrived, outputs)
        facts = call.facts if call else op_facts.facts(node.name, {})
        title, sign = facts.title, facts.sign
        filled = op_facts.filled_slots(call.op, len(arrived)) if call else []
        slots = zip(range(len(arrived)), arrived, outputs, strict=False)
        zeros = [thing for i, one, thing in slots if i in filled and thing and one.thing is None]
        visited = VisitStep(title, sign, arrived, uses, [thing.called for thing in zeros])
        if call and not call.scope:
            visited = replace(visited, rule=call.op, inputs=inputs, attrs=call.attrs)
        record = self.draft.record
        step = StepDraft(visited, "backward", current.place, node.place, record=record)
        changed = self.tensors.changed(node)
        if changed:
            step.asides.append(about_overwritten(changed))
        for thing in zeros:
            short = d(thing.called)
            step.show(Mention.zeros(short, thing), "zeros", box)
        ahead = node.ahead[nth - 1] if nth <= len(node.ahead) else VisitAhead()
        state = None
        # A formula states dy · f′; of complex numbers the gradient is dy · conj(f′).
        values = (*event.arrived, *((seen and seen.value for seen in call.inputs) if call else ()))
        inner = event.arrived[len(call.outputs) :] if call else ()  # come to a part of an op
        is_complex = any(value and value.dtype.startswith("complex") for value in values)
        if call and not any(inner) and not is_complex:
            given = ahead.gives.keys() - ahead.unasked or range(len(node.edges))
            nobody = [i for i, edge in enumerate(node.edges) if edge is None or i not in given]
            taken, there = self.tensors.taken, [value is not None for value in event.arrived]
            outputs = [*outputs, *self.tensors.things(call.outputs[len(outputs) :])]  # of integers
            users = self.tensors.things(self.tensors.with_labels(now))
            state = partial(
                formulas.of_gradients, call.facts, users, outputs, shares=ahead.shares,
                others=taken, arrived=there,
            )  # fmt: skip
            step.formula = state(nobody, summed=False)
            step.set_terms((*inputs, *outputs))
        where = self._where_beside(current, call)
        grads = list(event.arrived)
        visit = Visit(event.node, node, box, where, step, ahead, arrived, grads, state)
        current.visit = visit
        named = backward_of(sign or title)
        label = f"{call.op}.backward" if call and call.scope else named
        visit.hooks = ahead.hooks
        if not visit.hooks:  # else the step follows the last hook's step
            self.draft.steps.append(step)
        if ahead.recorded:
            self._open_visit(visit, label)
        else:
            self.draft.node(box, "grad", label, where=where, pair=call.box if call else None)
        self._lead_arrivals(current, visit, event.arrived, outputs)
        step.edges += [node.wires[nth]] if nth in node.wires else []

    def _where_beside(self, current: Pass, call: Call | None) -> Where:
        """Return the place of boxes for a call's gradients, in the backward half of its layer."""
        half = self._layer_half(current, call.group if call else None)
        return Where("backward", current.column, half)

    def _layer_half(self, current: Pass, name: str | None) -> Frame | None:
        """Return the backward half of a layer's frame, drawn when first needed, or None."""
        forward = self.draft.groups.get(name) if name else None
        if forward is None or forward.kind not in LAYERS or forward.lane != "forward":
            return None
        half = ids.backward_of(Frame(forward.id), current.column)
        if half not in self.draft.groups:
            where = Where("backward", current.column, self._layer_half(current, forward.parent))
            label, pair = backward_of(forward.label), forward.closed.id if forward.closed else None
            bare = Where("backward", current.column)
            closed = bare.node(ids.closed_box(half), "grad", label, pair=pair)
            twins = ids.halves(Frame(forward.id))
            self.draft.group(half, forward.kind, label, where, twins, closed)
        return half

    def _open_visit(self, visit: Visit, label: str | Message) -> None:
        """Draw a visit with recorded work inside as a group, such as a PyLayer's backward half."""
        node, draft, frame = visit.node, self.draft, ids.visit_inside(visit.box)
        call = node.call
        if call and call.scope:
            closed = visit.where.node(visit.box, "pylayer_grad", label, pair=call.box)
            badges = draft.groups[ids.pylayer_forward(call.box)].badges
            twins = ids.pylayer_halves(node.number)
            draft.group(frame, "pylayer", label, visit.where, twins, closed, badges)
        else:
            closed = visit.where.node(visit.box, "grad", label, pair=call.box if call else None)
            draft.group(frame, "block", label, visit.where, closed=closed)
        visit.group = frame
        for i, saved in enumerate(node.saved):
            name = self.tensors.thing(saved.tensor, call).called
            port = ids.port(visit.box, "saved", i)
            draft.node(port, "port", name, detail(saved.tensor.value), visit.inside)

    def _lead_arrivals(
        self, current: Pass, visit: Visit, values: tuple[Value | None, ...], outputs: Things
    ) -> None:
        """Draw the wires of arrived gradients into a visit, through ports if it is a group."""
        step = visit.step
        for i, (value, (name, thing)) in enumerate(zip(values, visit.rows, strict=True)):
            box, short = visit.box, d(name)
            waiting = current.waiting.pop(Edge("node", visit.number, i), [])
            if value is not None and waiting:
                visit.arrived.append(Arrival(value, waiting[-1], name))
            if visit.group:
                shape, pair = detail(value) or NONE, self._forward_port(visit, "out", i)
                box = ids.port(visit.box, "in", i)
                self.draft.node(box, "port", short, shape, visit.inside, pair)
                step.light(box)
                if value is not None:
                    visit.arrived.append(Arrival(value, box, name))
            output = outputs[i] if i < len(outputs) else None
            label = short if output and output.name else ""
            visit.coming[i] = self.draft.gather(step, waiting, box, label)
            if thing is not None:
                step.show(thing, "grad_in", box, name=short)
        step.light(visit.box)

    def _forward_port(self, visit: Visit, side: ids.Side, index: int) -> Box | None:
        """Return the forward half's port that a port of a PyLayer's backward half belongs to."""
        call = visit.node.call
        port = ids.port(call.box, side, index) if call else None
        return port if port in self.draft.nodes else None

    # ----- inside a PyLayer's backward -----------------------------------------------------------

    def backward_entered(self, event: events.ScopeEntered) -> None:
        """Let the visit's step report the call of the user's `backward`, and its arguments."""
        visit = self.work.visit
        if event.kind != "pylayer.backward" or visit is None or visit.group is None:
            return
        scope, call, step = self.work.scopes[-1], visit.node.call, visit.step
        scope.group = visit.group
        came = [thing for _, thing in visit.rows]
        rows: list[NamedMention] = []
        zeros: list[str] = []
        others: list[str] = []
        step.shown = []
        for i, seen in enumerate(flatten(event.inputs)):
            inside = self._inner_name(call, call.outputs if call else (), i)
            known = self.tensors.name(seen.id if seen else absent(i))
            label = known or d(inside)
            if seen and not known:
                label = self.tensors.call_by(seen.id, label)  # an item of `*grads`
            outer = came[i] if i < len(came) else None
            others.append(outer.called if outer and d(outer.called) != label else "")
            port = ids.port(visit.box, "in", i)
            if port in self.draft.nodes:
                shape = detail(seen.value) if seen else NONE
                self.draft.change(port, label=label, detail=shape)
            zero = bool(seen) and i < len(came) and outer is None
            thing = Mention.recorded(label, seen.value) if seen else None
            rows.append(NamedMention(label, thing))
            name = f"{label} = {d(others[-1])}" if others[-1] else label
            role = "zeros" if zero else "grad_in"
            step.show(thing or Mention(label), role, port, name=name)
            if seen is not None:
                self.tensors.shadow(scope, seen.id, port)
            if zero:
                zeros.append(inside)
                self.draft.mark(port, badge("zeros"))
        visit.rows = rows
        step.facts = steps.ReceiveStep(event.name, rows, zeros, others)
        step.place = event.place or step.place
        step.formula, step.terms = (), ()
        for _, thing in rows:
            if thing is not None:
                self.tensors.explain_number(thing, step)
        for i, saved in enumerate(visit.node.saved):
            port = ids.port(visit.box, "saved", i)
            self.tensors.shadow(scope, saved.tensor.id, port)
            step.light(port)

    def backward_left(self, event: events.ScopeLeft) -> None:
        """Add the step in which the user's `backward` returns, with a port for every gradient, even
        None."""
        visit = self.work.visit
        if event.kind != "pylayer.backward" or visit is None or not visit.group:
            return
        call, draft = visit.node.call, self.draft
        rows: list[NamedMention] = []
        facts = steps.ReturnStep(event.name, rows)
        step = draft.step(facts, "backward", visit.step.place)
        step.forward_place = visit.node.place
        where = visit.inside
        for i, seen in enumerate(flatten(event.outputs)):
            name = self._inner_name(call, call.inputs if call else (), i)
            short, port = d(name), ids.port(visit.box, "out", i)
            shape = detail(seen.value) if seen else NONE
            draft.node(port, "port", short, shape, where, self._forward_port(visit, "in", i))
            thing = Mention.recorded(name, seen.value) if seen else None
            rows.append(NamedMention(name, thing))
            if i in visit.ahead.shares and call and name == self.tensors.outer_name(call.inputs[i]):
                facts.shares.add(i)
            if seen is not None:
                self.tensors.wire(step, seen, port)
            probe = self._make_probe(visit, i) if seen else None
            step.show(thing or Mention(name), "grad_out", port, short, probe=probe)
            step.light(port)
            visit.sources[i] = port
        step.light(visit.box)
        if visit.known:
            trees = {
                d(row.name): visit.trees.get(seen.id) or self.tensors.name(seen.id)
                for row, seen in zip(rows, flatten(event.outputs), strict=True)
                if seen
            }
            added = {d(rows[i].name) for i in facts.shares}
            step.formula = formulas.of_backward(trees, self.tensors.taken, added)
            saved = (self.tensors.thing(each.tensor, call) for each in visit.node.saved)
            read = [*(row.thing for row in visit.rows), *saved]
            step.set_terms(read)
        visit.step = step

    def _inner_name(self, call: Call | None, tensors: Arguments, i: int) -> str:
        """Return the name of a tensor inside the PyLayer that it enters or leaves."""
        seen = tensors[i] if i < len(tensors) else None
        return self.tensors.thing(seen, call).called if seen else f"#{i}"

    # ----- gradients that nodes compute ----------------------------------------------------------

    def grad_computed(self, event: events.GradComputed) -> None:
        node, current = self.tape.nodes.get(event.node), self.work.current
        if event.grad is None and node and node.call:
            node.call.nones.add(event.index)
        visit = self.work.visit_of(event.node)
        if current is None or visit is None:
            return
        visit.computing = False
        if event.index in visit.ahead.unasked:
            return
        source = self._add_gradient(visit, event)
        if event.grad is None:
            return
        current.waiting.setdefault(event.edge, []).append(source)
        current.uses.setdefault(event.edge, []).append(self._name_of_use(visit, event.edge))
        name = self.tensors.grad_names(event.edge).called
        current.given.append(Arrival(event.grad, source, name))
        shape = detail(event.grad)
        if visit.group:
            self.draft.close_with(visit.group, shape)
        elif not self.draft.nodes[visit.box].detail:
            computed = visit.wide.get(event.index) or event.grad  # the gradient before a sum
            self.draft.change(visit.box, detail=detail(computed))
        self._note_leaving_shape(visit, event.edge, shape)

    def _name_of_use(self, visit: Visit, edge: Edge) -> str:
        """Return the name of a result through which a gradient came: `y`, or `y (2)` if the result
        has used the tensor before, as in x × x."""
        call, node = visit.node.call, visit.node
        made = next((seen for seen in (call.outputs if call else ()) if seen), None)
        if made is None:
            return ""
        name = self.tensors.thing(made).called
        if [*node.edges].count(edge) < 2:
            return name
        before = self.work.current.uses.get(edge, []) if self.work.current else []
        return f"{name} ({1 + sum(each.startswith(f'{name} (') for each in before)})"

    def _add_gradient(self, visit: Visit, event: events.GradComputed) -> Box:
        """Add a gradient to the visit's step; return the box that the gradient comes from."""
        index, facts = event.index, visit.step.facts
        source = visit.sources.get(index, visit.box)
        if not isinstance(facts, VisitStep):
            return source  # the step of the user's return has shown the gradient already
        wide = visit.wide.get(index)  # the gradient before a sum, which is measured after that
        probe = None if wide else self._make_probe(visit, index)
        grad, name = wide or event.grad, self.tensors.grad_names(event.edge).called
        thing, short = None if grad is None else Mention.recorded(name, grad), d(name)
        if index in visit.ahead.shares:
            facts.shares.add(len(facts.computed))
        facts.computed.append(NamedMention(name, thing))
        if visit.group and index not in visit.sources and event.grad is not None:
            source = self._draw_out_port(visit, index, event.grad, name)
        if thing is not None:
            box = visit.box if wide else source
            visit.step.show(thing, "grad_out", box, short, probe=probe)
        return source

    def _make_probe(self, visit: Visit, index: int) -> Probe | None:
        """Return the data to measure a visit's gradient for an input, or None if it is unknown."""
        call, gives = visit.node.call, visit.ahead.gives.get(index)
        if call is None or gives is None or gives.grad is None or index >= len(call.inputs):
            return None
        if self.tensors.changed(visit.node):
            return None  # finite differences would use the values of forward
        known = call.op, tuple(call.ops), call.inputs, call.outputs, not call.scope, call.same
        return Probe(*known, tuple(visit.grads), index, gives.grad)

    def _note_leaving_shape(self, visit: Visit, edge: Edge, shape: str) -> None:
        """Put a gradient's shape into the closed boxes of the layers that the gradient leaves."""
        draft = self.draft
        frame = visit.group or draft.nodes[visit.box].group
        if frame is None:
            return
        goal = None
        if edge.kind == "node":
            node = self.tape.nodes.get(edge.id)
            goal = node.call.group if node and node.call else None
        else:
            leaf = draft.nodes.get(ids.tensor(edge.id))
            if leaf is not None and leaf.kind == "parameter":
                return
        staying = {draft.groups[name].twin for name in draft.around(goal)}
        for name in draft.around(frame):
            group = draft.groups[name]
            if group.kind in LAYERS and group.twin not in staying:
                draft.close_with(name, shape)

    def _draw_out_port(self, visit: Visit, index: int, value: Value, name: str) -> Box:
        """Draw a port for a gradient that leaves an opened visit, wired to its op."""
        box = ids.port(visit.box, "out", index)
        self.draft.node(box, "port", d(name), detail(value), visit.inside)
        source = visit.maker(value)
        if source is not None:
            visit.step.edges.append(self.draft.edge(source, box))
        visit.step.light(box)
        visit.sources[index] = box
        return box

    def unbroadcast(self, event: events.GradUnbroadcast) -> None:
        current, visit = self.work.current, self.work.visit_of(event.node)
        if current is None or visit is None:
            return
        visit.computing = False
        if event.index in visit.ahead.unasked:
            return
        visit.wide[event.index] = event.before
        call, place = visit.node.call, visit.node.place
        seen = call.inputs[event.index] if call and event.index < len(call.inputs) else None
        gives = visit.ahead.gives.get(event.index)
        name = self.tensors.grad_names(gives.edge).called if gives else UNKNOWN
        name = self.tensors.thing(seen).called if seen else name
        before, after = Mention.recorded(name, event.before), Mention.recorded(name, event.after)
        short, shape = d(name), detail(event.after)
        facts = steps.UnbroadcastStep(name, before, after)
        step = self.draft.step(facts, "backward", current.place)
        step.forward_place = place
        box = ids.unbroadcast(visit.box, event.index)
        self.draft.node(box, "unbroadcast", "Σ", shape, self._where_beside(current, call))
        source = visit.box
        if visit.group:
            source = self._draw_out_port(visit, event.index, event.before, name)
        step.edges.append(self.draft.edge(source, box, "grad", short))
        visit.sources[event.index] = box
        step.light(box)
        if visit.state and call:
            step.formula = visit.state([i for i in range(len(call.inputs)) if i != event.index])
        step.show(before, "before", box, name=short)
        step.show(after, "after", box, short, probe=self._make_probe(visit, event.index))

    def released(self, event: events.SavedReleased) -> None:
        node, current = self.tape.nodes.get(event.node), self.work.current
        if node is None or not node.saved:
            return
        title = node.call.facts.title if node.call else op_facts.facts(node.name, {}).title
        facts = steps.ReleaseStep(title, self.tensors.saved_names(node))
        box = ids.grad(event.node, max(node.visits, 1))
        step = self.draft.step(facts, "backward", current.place if current else None)
        step.forward_place = node.place
        step.light(box)


def arrivals(values: tuple[Value | None, ...], outputs: Things) -> list[NamedMention]:
    """Return the gradients that arrived, with the names of the tensors that they belong to."""
    rows = []
    for i, value in enumerate(values):
        output = outputs[i] if i < len(outputs) else None
        name = output.called if output else UNKNOWN
        rows.append(NamedMention(name, None if value is None else Mention.recorded(name, value)))
    return rows
