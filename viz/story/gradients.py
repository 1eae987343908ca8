"""Gradients outside of nodes: sums, hooks, `.grad` of leaves and updates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from minipaddle import events
from minipaddle.events import Edge, Value

from ..document.distinct_names import base_of
from ..document.values import is_zero
from . import ids
from .draft import OPTIMIZE, AnyStep, Where
from .ids import Box, Frame
from .sentences import backward as steps
from .sentences.forward import OpStep
from .sentences.wording import Mention, NamedMention, d, detail
from .tensors import UNKNOWN, Drawing, StoredGrad
from .updates import Update, show_update
from .work import Arrival, Pass, Visit


@dataclass(slots=True)
class Gradients(Drawing):
    """Draws gradients outside of the nodes that compute them.

    `reserved`: a sum does not show where an old `.grad` came from, nor claim that it is right.
    `part`: all passes are of one round, whose gradients are meant to be added.
    """

    reserved: bool = False
    part: bool = False

    def accumulated(self, event: events.GradAccumulated) -> None:
        """Draw one `+=`: all sums for one edge share one box; a sum with zeros is not drawn."""
        current = self.work.current or self.work.begin()
        edge = event.edge
        names = self.tensors.grad_names(edge)
        name, short = names.called, d(names.called)
        values = event.held, event.added, event.total
        held, added, total = (Mention.recorded(name, value) for value in values)
        waiting, came = current.waiting.setdefault(edge, []), current.uses.get(edge, [])
        is_known = len(came) == len(waiting) > 1
        uses = dict(zip(("before", "grad_in"), came, strict=False)) if is_known else {}
        current.uses[edge] = ["", *came[2:]]
        sources, stored = waiting[:2], bool(event.stored)
        kept = self.tensors.stored_grad(edge.id) if stored and not self.reserved else None
        kept = kept if kept and kept.value.data == event.held.data else None  # of the last pass
        why = self._why_added(event.held, stored, sources)
        roots = kept.roots if kept and self.part and why == "old" else ()
        facts = steps.AccumulateStep(name, held, added, total, "earlier" if roots else why, roots)
        if self.reserved:
            facts = steps.AccumulateStep(name, held.bare, added.bare, total.bare, why)
        if recorded := self._recorded_sum(event, sources):
            step, box = recorded
            step.asides.append(facts.reason)
            current.waiting[edge] = [box, *waiting[2:]]
            current.given.append(Arrival(event.total, box, name))
            return
        step = self.draft.step(facts, "backward", current.place)
        if why == "old":
            current.on_top[edge] = roots
        if why == "zeros":
            seen = self.tensors.tensor_at(edge)
            leaf = self.tensors.leaf_box(seen) if seen else ids.tensor(edge.id)
            box = self._draw_leaf_grad(current, edge, leaf, name, event.total)
            self.draft.gather(step, sources, box, names.gradient)
        else:
            label = f"{name}.grad" if stored else names.gradient
            box = self._draw_sum(current, event, sources, detail(event.total, label))
            if kept:
                step.edges.append(self.draft.edge(kept.box, box, "grad"))
            self.draft.gather(step, [each for each in sources if each != box], box, "")
        current.waiting[edge] = [box, *waiting[2:]]
        current.given.append(Arrival(event.total, box, name))
        step.light(box)
        kept_in = f"{name}.grad" if stored else short
        for thing, role, sign, called in (
            (held, "before", "", kept_in), (added, "grad_in", "+", short),
            (total, "after", "≟" if self.reserved else "=", kept_in),
        ):  # fmt: skip
            step.show(thing, role, box, name=called, sign=sign, use=uses.get(role, ""))

    def _recorded_sum(
        self, event: events.GradAccumulated, sources: Sequence[Box]
    ) -> tuple[AnyStep, Box] | None:
        """Return the step and the box of the op that computed a sum, as create_graph records it.

        The wires of the gradients that arrive replace those of the op's inputs.
        """
        step = self.draft.steps[-1] if self.draft.steps else None
        values = [value.data for value in (event.held, event.added, event.total)]
        if step is None or not isinstance(step.facts, OpStep) or step.facts.op != "add":
            return None
        if event.stored or len(sources) < 2 or [each.value for each in step.shown] != values:
            return None
        box = Box(step.shown[-1].node or "")
        wires = [wire for wire in step.edges if self.draft.edges[wire].target == box]
        for wire, source in zip(wires, sources, strict=False):
            self.draft.redirect(wire, source=source, kind="grad")
        return step, box

    def _draw_sum(
        self, current: Pass, event: events.GradAccumulated, sources: Sequence[Box], shape: str
    ) -> Box:
        """Return the box in which an edge's gradients are added, drawn if it is new."""
        box = current.sums.get(event.edge)
        if box is None or box not in sources:
            box = current.sums[event.edge] = ids.accumulation(current.column, len(current.sums) + 1)
            where = Where(
                "backward", current.column, self._find_group(current, event.edge, sources)
            )
            self.draft.node(box, "accumulate", "+=", shape, where)
        return box

    def _why_added(self, held: Value, stored: bool, sources: Sequence[Box]) -> steps.Why:
        """Return why a gradient is added: to an old or zero `.grad`, a seed, or another use's."""
        if stored:
            return "stored" if self.reserved else "zeros" if is_zero(held.data) else "old"
        seeds = [source for source in sources if self.draft.nodes[source].kind == "seed"]
        return "starts" if seeds else "uses"

    def _find_group(self, current: Pass, edge: Edge, sources: Sequence[Box]) -> str | None:
        """Return the group in which to draw an edge's gradient, or None: the backward half of a
        parameter's layer, or else the innermost layer from which all summands come."""
        draft = self.draft
        if edge.kind == "leaf":
            leaf = draft.nodes.get(ids.tensor(edge.id))
            if leaf is None or leaf.group is None:
                return None
            half = ids.backward_of(Frame(leaf.group), current.column)
            if half in draft.groups:
                return half
        if any(source not in draft.nodes for source in sources):
            return None
        ways = [draft.around(draft.nodes[source].group) for source in sources]
        shared = (name for name in (ways[0] if ways else ()) if all(name in way for way in ways))
        return next((name for name in shared if draft.groups[name].kind == "layer"), None)

    def leaf_reached(self, event: events.LeafReached) -> None:
        current, seen = self.work.current or self.work.begin(), event.tensor
        self.tensors.latest.setdefault(seen.id, seen)
        thing = self.tensors.thing(seen)
        name, label = f"{thing.called}.grad", d(thing.name) if thing.name else ""
        grad = Mention.recorded(thing.called, event.grad)
        leaf = self.tensors.leaf_box(seen)
        edge = Edge("leaf", seen.id)
        facts = steps.LeafStep(thing.called, grad, edge in current.on_top)
        step = self.draft.step(facts, "backward", current.place)
        box = self._draw_leaf_grad(current, edge, leaf, thing.called, event.grad)
        waiting = current.waiting.pop(edge, [])
        self.draft.gather(step, [each for each in waiting if each != box], box, label)
        step.light(box)
        step.show(grad, "grad_out", box, name=name)
        before = current.on_top.get(edge)
        is_known = before != () and UNKNOWN not in current.roots
        roots = [*(before or ()), *current.roots] if is_known else ()
        stored = StoredGrad(box, event.grad, event.holder, roots)
        self.tensors.latest_grads[seen.id] = self.tensors.grads[event.holder] = stored
        self.tensors.formulas[event.holder] = name  # for code that has no name for it

    def _draw_leaf_grad(self, current: Pass, edge: Edge, leaf: Box, name: str, grad: Value) -> Box:
        """Return the box of a leaf's `.grad`, drawn if it is new."""
        home = self._find_group(current, edge, current.waiting.get(edge, []))
        where, box = Where("backward", current.column, home), ids.leaf_grad(leaf, current.column)
        return self.draft.node(box, "leaf_grad", f"{name}.grad", detail(grad), where, leaf)

    def retained(self, event: events.GradientRetained) -> None:
        """Say in the last step that `retain_grads` keeps the gradient that has just arrived."""
        name = self.tensors.grad_names(event.edge).called
        if name != UNKNOWN and self.draft.steps:
            self.draft.steps[-1].asides.append(
                steps.RETAINED.fill(x=base_of(name), gradient=d(name))
            )

    # ----- hooks ---------------------------------------------------------------------------------

    def hook_ran(self, event: events.HookRan) -> None:
        current, edge = self.work.current or self.work.begin(), event.edge
        names, same = self.tensors.grad_names(edge), event.before.data == event.after.data
        short, shape = d(names.called), detail(event.after)
        before, after = Mention.recorded(short, event.before), Mention.recorded(short, event.after)
        answer: steps.Answer = "other" if not same else "equal" if event.made else "none"
        made = self.tensors.latest.get(event.made) if answer == "other" else None
        by = self.tensors.thing(made).called if made else UNKNOWN
        facts = steps.HookStep(event.name, names.called, answer, "" if by == UNKNOWN else by)
        step = self.draft.step(facts, "backward", event.place)
        box, where = ids.hook(self.draft.next_number("hook")), Where("backward", current.column)
        self.draft.node(box, "hook", event.name, shape, where)
        step.light(box)
        step.show(before, "before", box)
        step.show(after, "after", box)
        visit = current.visit
        if visit and visit.computing and edge.kind == "node" and visit.number == edge.id:
            self._insert_before_visit(visit, event, box, step)
        else:
            maker = visit.maker(event.after) if visit else None
            self.draft.gather(step, current.waiting.get(edge, []), box, names.gradient)
            current.waiting[edge] = [box]
            if maker is not None:
                step.edges.append(self.draft.edge(maker, box))

    def _insert_before_visit(
        self, visit: Visit, event: events.HookRan, box: Box, step: AnyStep
    ) -> None:
        """Insert an op's hook between the wires of the arriving gradient and the visit."""
        draft, slot, visit_step = self.draft, event.edge.slot, visit.step
        wires = visit.coming.get(slot, [])
        door = Box(draft.edges[wires[-1]].target) if wires else visit.box
        for wire in wires:
            draft.redirect(wire, target=box)
        step.edges += wires
        visit.coming[slot] = [draft.edge(box, door, "grad")]
        edges = [wire for wire in visit_step.edges if wire not in wires]
        visit_step.edges = [*edges, *visit.coming[slot]]
        if slot < len(visit.rows):
            name = visit.rows[slot].name
            visit.rows[slot] = NamedMention(name, Mention.recorded(name, event.after))
        for i, shown in enumerate(visit_step.shown):
            if shown.role == "grad_in" and shown.value == event.before.data:
                visit_step.shown[i] = replace(shown, value=event.after.data)
        maker = visit.maker(event.after)
        if maker is not None:
            step.edges.append(draft.edge(maker, box))
        if slot < len(visit.grads):
            visit.grads[slot] = event.after
        visit.hooks -= 1
        if not visit.hooks:  # the node runs after its last hook
            draft.steps.append(visit_step)

    # ----- optimizers ----------------------------------------------------------------------------

    def parameter_updated(self, event: events.ParameterUpdated) -> None:
        seen, optimizer = event.tensor, event.optimizer
        thing, leaf = self.tensors.thing(seen), self.tensors.leaf_box(seen)
        self.tensors.rewrite(seen)
        name, shape = thing.called, detail(seen.value)
        before = Mention.recorded(name, event.before)
        grad = Mention.recorded(f"{name}.grad", event.grad)
        facts = steps.UpdateStep(optimizer, thing, before)
        step = self.draft.step(facts, "optimize", event.place)
        number = self.draft.next_number("update", leaf)
        scopes = self.work.scopes
        group = next((scope.group for scope in scopes if scope.kind == "optimizer"), None)
        where, label = replace(OPTIMIZE, group=group), f"{optimizer}: {name}"
        box = self.draft.node(ids.update(leaf, number), "update", label, shape, where, leaf)
        if stored := self.tensors.stored_grad(seen.id):
            changed = self.draft.nodes[stored.box].lane == "optimize"  # as by clipping
            called = f"{name}.grad" if changed else d(name)
            step.edges.append(self.draft.edge(stored.box, box, "grad", called))
            self.tensors.used.add(stored.holder)
        step.light(box)
        told = bool(event.formula)
        update = Update(before, grad, thing, event.formula, event.rate if told else None)
        show_update(step, update, box, leaf, others=self.tensors.taken)
