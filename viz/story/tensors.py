"""The tensors of a trace: their names, the boxes that they come from, and those that were read."""

from __future__ import annotations

import re
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from minipaddle.events import Edge, Seen, Value
from minipaddle.ops.expression import is_composite

from ..document.distinct_names import OwnNames, base_of
from ..document.values import content_key
from ..model import label_of
from . import ids
from .draft import FORWARD, OPTIMIZE, AnyStep, Draft, Where
from .ids import Box
from .sentences.forward import numbered
from .sentences.ops import SIGNS, spell
from .sentences.wording import Mention, Things, d, detail, digits, length
from .tape import Arguments, Call, Tape, TapeNode
from .work import Scope, Work

LONGEST = 30  # letters of a formula that may serve as a name
FEW = 4  # numbers of a list that may serve as a name
UNKNOWN = "?"  # a tensor that no record shows


def few_numbers(value: Value) -> str:
    """Return the numbers of a short list as code has them, `[2, 0]`; "" for other tensors."""
    data = value.data["data"]
    if len(value.shape) != 1 or not isinstance(data, list) or not 0 < len(data) <= FEW:
        return ""
    return f"[{', '.join(map(digits, data))}]"


class Result(NamedTuple):
    """A result of the user's own code, and the step that computed it."""

    seen: Seen
    step: AnyStep


class StoredGrad(NamedTuple):
    """The value of a `.grad`, and its box."""

    box: Box
    value: Value


class GradNames(NamedTuple):
    """Names of a gradient's tensor in sentences, and of the gradient, `dy`, if the user named
    it."""

    called: str
    gradient: str


@dataclass(slots=True)
class Tensors:
    """Names and boxes by the numbers of the tensors."""

    draft: Draft
    work: Work
    tape: Tape
    names: Mapping[tuple[int, int], str]  # by tensor and scope
    formulas: dict[int, str] = field(default_factory=dict)  # for tensors without a name
    taken: set[str] = field(init=False)  # that formulas do not use for something else
    own: OwnNames = field(init=False)  # of the names and of the formulas
    produced: dict[int, Box] = field(default_factory=dict)  # the box that each comes from
    used: set[int] = field(default_factory=set)
    results: dict[int, Result] = field(default_factory=dict)
    leaves: dict[int, Seen] = field(default_factory=dict)  # what no recorded op made
    latest: dict[int, Seen] = field(default_factory=dict)  # as it was seen last
    rewritten: dict[int, Seen] = field(default_factory=dict)  # with values outside of its history
    # By tensor and version: the version whose memory it lies in, where values were written there.
    first_version: dict[tuple[int, int], int] = field(default_factory=dict)
    latest_grads: dict[int, StoredGrad] = field(
        default_factory=dict
    )  # by leaf: its latest gradient
    grads: dict[int, StoredGrad] = field(default_factory=dict)  # the same by the gradient's number
    buffers: set[int] = field(default_factory=set)  # what an op keeps up to date: running means
    numbers_explained: bool = False  # what `x#2` means
    first_values: dict[str, Any] = field(
        default_factory=dict
    )  # by what it is called: its first value

    # ----- names ---------------------------------------------------------------------------------

    def __post_init__(self) -> None:
        self.own = OwnNames(self.names)
        self.taken = set(map(base_of, self.names.values()))

    def name(self, tensor: int) -> str:
        """Return the user's name for a tensor here; "" if it has none."""
        return self._name(tensor, self.work.scopes)

    def _name(self, tensor: int, scopes: list[Scope]) -> str:
        for scope in reversed(scopes):
            if (tensor, scope.number) in self.names:
                return self.names[tensor, scope.number]
            call = self.tape.calls.get(scope.call)  # backward sees the names that forward gave
            if call is not None and (tensor, call.scope) in self.names:
                return self.names[tensor, call.scope]
        return self.names.get((tensor, 0), "")

    def outside(self, scope: Scope, tensors: Arguments) -> list[str]:
        """Return the names of tensors outside a scope that has names of its own for them."""
        outer = self.work.scopes[: self.work.scopes.index(scope)]
        return ["" if seen is None else self._name(seen.id, outer) for seen in tensors]

    def called_leaves(self) -> dict[str, str]:
        """Return the labels of tensors that no op made, by their boxes."""
        boxes = map(ids.tensor, self.leaves)
        nodes = self.draft.nodes
        return {box: label_of(nodes[box], "en") for box in boxes if box in nodes}

    def call_by(self, tensor: int, formula: str, content: Hashable = None) -> str:
        """Call a tensor without a name by this formula from now on, or by one that no other has."""
        name = self.formulas[tensor] = self.own.give(formula, tensor, content)
        return name

    def explain_number(self, thing: Mention, step: AnyStep) -> None:
        """Explain the number in a tensor's name where the first one has it."""
        base, before = base_of(thing.called), self.first_values.get(base_of(thing.called))
        self.first_values.setdefault(thing.called, thing.value)
        if base != thing.called and not self.numbers_explained:
            self.numbers_explained = True
            differs = None not in (before, thing.value) and before != thing.value
            step.asides.append(numbered(base, thing.called, differs))

    def derive(self, seen: Seen, sign: str, inputs: Arguments) -> None:
        """Let an unnamed result be called by its formula; what is long in it is left out."""
        if self.name(seen.id):
            return
        things = self.things(inputs)
        squared = sign == "×" and len({each and each.id for each in inputs}) == 1
        if squared and things[0] and "(" in things[0].called:  # tanh(z)²
            sign, inputs, things = "^ 2", inputs[:1], things[:1]
        whole = [thing.called if thing else "None" for thing in things]
        given = [t for t, seen in zip(whole, inputs, strict=True) if not is_parameter(seen)]
        part = [t.called if t and t.name else abridge(t.called if t else "None") for t in things]
        short = sign.partition(" [")[0]
        texts = [spell(sign, whole), spell(short, whole)]
        if given and texts[1] == f"{short}({', '.join(whole)})":
            texts.append(spell(short, given))
        if short in SIGNS and len(whole) == 2:
            texts += [spell(short, [whole[0], part[1]]), spell(short, [part[0], whole[1]])]
        texts.append(spell(short, part))
        if short in SIGNS and len(whole) == 2:
            sides = [(whole[0], "…"), ("…", whole[1]), (part[0], "…"), ("…", part[1])]
            texts += [spell(short, both) for both in sides]
        texts.append(spell(short, ["…"] * (len(whole) if short in SIGNS else 1)))
        content = content_key(seen.value.data) if seen.stop_gradient else None
        self.call_by(seen.id, next((t for t in texts if length(t) <= LONGEST), texts[-1]), content)

    def name_results(
        self,
        outputs: Iterable[Seen],
        signs: Sequence[str],
        inputs: Arguments,
        main: int,
        named: Container[int] = (),
    ) -> list[Mention]:
        """Return results, called by formulas with these signs where the user has no name for them.

        One that the op is not called for is one of the first input: the mean of x, not of scale.
        """
        things = []
        for i, seen in enumerate(outputs):
            if i < len(signs) and seen.id not in named:
                self.derive(seen, signs[i], inputs if i == main else inputs[:1])
            things.append(self.thing(seen))
        return things

    def thing(self, seen: Seen, inside: Call | None = None) -> Mention:
        """Return a tensor as sentences speak of it, by the name that it has inside a PyLayer."""
        own = self.names.get((seen.id, inside.scope)) if inside and inside.scope else None
        fallback = self.formulas.get(seen.id, f"t{seen.id}")
        return Mention.recorded(own or self.name(seen.id), seen.value, fallback)

    def things(self, tensors: Arguments) -> list[Mention | None]:
        return [None if seen is None else self.thing(seen) for seen in tensors]

    def behind(self, edge: Edge) -> Seen | None:
        """Return the tensor whose gradient travels along an edge."""
        if edge.kind == "leaf":
            return self.leaves.get(edge.id) or self.latest.get(edge.id)
        node = self.tape.nodes.get(edge.id)
        if node is None or node.call is None:
            return self.tape.read.get((edge.id, edge.slot))
        outputs = node.call.outputs
        return self.as_now(outputs[edge.slot]) if 0 <= edge.slot < len(outputs) else None

    def outputs(self, node: int, count: int) -> list[Mention | None]:
        """Return the tensors that a node's gradients belong to, as far as they are known."""
        return self.things(tuple([self.behind(Edge("node", node, i)) for i in range(count)]))

    def grad_names(self, edge: Edge) -> GradNames:
        """Return the names of an edge's tensor; `?` if it was never seen in the recording."""
        seen = self.behind(edge)
        if seen is None:
            name = self.name(edge.id) if edge.kind == "leaf" else ""
            unknown = f"t{edge.id}" if edge.kind == "leaf" else UNKNOWN
            return GradNames(name or unknown, d(name) if name else "")
        thing = self.thing(seen)
        return GradNames(thing.called, d(thing.name) if thing.name else "")

    def rewrite(self, seen: Seen) -> None:
        """Note that a tensor has other values in the same memory."""
        before = seen.version - 1
        self.rewritten[seen.id] = seen
        first = self.first_version.get((seen.id, before), before)
        self.first_version[seen.id, seen.version] = first

    def as_now(self, seen: Seen | None) -> Seen | None:
        """Return a tensor with the values that backward finds in its memory."""
        now = self.rewritten.get(seen.id) if seen else None
        return now if seen and now and now.version > seen.version else seen

    def changed(self, node: TapeNode) -> list[str]:
        """Return the names of saved tensors that have other values by now, each once."""
        saved = [s.tensor for s in node.saved if self.as_now(s.tensor) is not s.tensor]
        return list({self.thing(seen, node.call).called: None for seen in saved})

    def saved_names(self, node: TapeNode) -> list[str]:
        """Return the names of a node's saved tensors, each once."""
        names = {self.thing(s.tensor, node.call).called: None for s in node.saved}
        return list(names)

    # ----- boxes ---------------------------------------------------------------------------------

    def source(self, seen: Seen, cut: bool = False) -> Box:
        """Return the box that a tensor comes from; a tensor never seen before gets one.

        `cut`: whatever reads it hands no gradient back.
        """
        self.used.add(seen.id)
        self.latest[seen.id] = seen
        if seen.id not in self.produced:
            self.produced[seen.id] = self._leaf(seen, cut)
        box = self.produced[seen.id]
        if not (cut or seen.stop_gradient) and self.draft.nodes[box].kind == "data":
            self.draft.change(box, kind="leaf")  # it wants a gradient from now on
        return box

    def sources(self, tensors: Arguments) -> list[Box | None]:
        return [None if seen is None else self.source(seen) for seen in tensors]

    def _leaf(self, seen: Seen, cut: bool) -> Box:
        """Return the box of a tensor that no recorded op made."""
        work = self.work
        kept = self._gradient(seen)
        if kept is not None:
            return kept
        if work.current:
            visit = work.current.visit
            given = visit.arrived if visit and visit.computing else work.current.given
            for gradient in reversed(given):
                if gradient.value.data == seen.value.data:
                    self.formulas[seen.id] = d(gradient.name)  # as wherever gradients are shown
                    return gradient.box
        kind = "parameter" if seen.kind == "parameter" else "leaf"
        if seen.id in self.buffers:
            kind = "buffer"
        if kind == "leaf" and (cut or (seen.stop_gradient and seen.leaf)):
            kind = "data"
        where = FORWARD
        if work.current:
            where = work.where
        elif kind in ("parameter", "buffer"):
            where = Where(group=work.layer_group)
        name = self.names.get((seen.id, 0)) or self.name(seen.id)  # it comes from outside
        if kind == "data" and not name and (numbers := few_numbers(seen.value)):
            self.call_by(seen.id, numbers, numbers)
        thing = Mention.recorded(name, seen.value, self.formulas.get(seen.id, f"t{seen.id}"))
        label = thing.name or (kind == "data" and thing.number) or thing.fallback
        shape, box = detail(seen.value), ids.tensor(seen.id)
        self.leaves[seen.id] = seen
        if label == thing.number:
            self.formulas[seen.id] = label  # a constant: it is called by its value
        self.draft.node(box, kind, label, shape, where)
        return box

    def begin_anew(self, seen: Seen, sign: str, source: Seen, where: Where) -> Box:
        """Return the box of a leaf that has the values of another tensor, and not its history."""
        self.derive(seen, sign, (source,))
        label, shape = self.thing(seen).called, detail(seen.value)
        box = self.draft.node(ids.tensor(seen.id), "data", label, shape, where)
        self.produced[seen.id], self.leaves[seen.id] = box, seen
        return box

    def _gradient(self, seen: Seen) -> Box | None:
        """Return the box of the `.grad` that is read here, if it is known which.

        Of one that has no number of its own the code's `w.grad` and the numbers in it tell.
        """
        if seen.id in self.grads:
            candidates = [self.grads[seen.id]]
        else:
            name = self.name(seen.id)
            read = ".grad" in name and base_of(name).endswith(".grad")
            candidates = list(self.latest_grads.values()) if read else []
        boxes = {k.box for k in candidates if k.value.data == seen.value.data}
        return boxes.pop() if len(boxes) == 1 else None

    def leaf_box(self, seen: Seen) -> Box:
        """Return the box of a leaf, wherever the work is now."""
        box = ids.tensor(seen.id)
        return box if box in self.draft.nodes else self.source(seen)

    def result(self, seen: Seen) -> Box:
        """Return the box of a result."""
        thing = self.thing(seen)
        label = thing.name or thing.number or thing.called
        maker = self.draft.nodes.get(self.produced.get(seen.id, ids.result(seen.id)))
        where = OPTIMIZE if maker and maker.lane == "optimize" else FORWARD
        return self.draft.node(ids.result(seen.id), "result", label, detail(seen.value), where)

    def end(self, seen: Seen, step: AnyStep) -> Box:
        """Return the box of a result, with a wire from what made it if it has not been read."""
        box = self.result(seen)
        if seen.id in self.produced and seen.id not in self.used:
            step.edges.append(self.draft.edge(self.produced[seen.id], box))
            self.used.add(seen.id)
        return box

    def wire(self, step: AnyStep, seen: Seen, target: Box) -> None:
        """Lead a tensor into a box, as part of a step."""
        source = self.source(seen)
        self.draft.lead(step, source, target, label=self.name(seen.id))

    def lead_in(
        self, step: AnyStep, inputs: Things, sources: Iterable[Box | None], target: Box
    ) -> None:
        """Lead what goes into a box there, each from its source, and show it."""
        for thing, source in zip(inputs, sources, strict=True):
            if thing is not None and source is not None:
                self.draft.lead(step, source, target, label=thing.name)
                step.show(thing, "input", target, holder=source)

    def produce(self, seen: Seen, box: Box, step: AnyStep | None) -> None:
        """Let a tensor come from that box from now on.

        If it is a value of the user's own code that will not be read, it is a result.
        """
        self.produced[seen.id] = box
        work = self.work
        inside = any(scope.kind.startswith(("pylayer", "optimizer")) for scope in work.scopes)
        if step is not None and not inside and not work.current:
            self.results[seen.id] = Result(seen, step)
            self.used.discard(seen.id)

    # ----- scopes --------------------------------------------------------------------------------

    def shadow(self, scope: Scope, tensor: int, box: Box) -> None:
        """Let a tensor come from a port of the scope's border while inside."""
        scope.shadowed.setdefault(tensor, self.produced.get(tensor))
        self.produced[tensor] = box

    def leave(self) -> Scope:
        """Leave a scope: its arguments come again from where they came before."""
        scope = self.work.scopes.pop()
        for tensor, box in scope.shadowed.items():
            if box is None:
                self.produced.pop(tensor, None)
            else:
                self.produced[tensor] = box
        return scope

    # ----- saved values --------------------------------------------------------------------------

    def saved_source(self, call: Call | None, seen: Seen) -> Box:
        """Return the box of a saved value: a port or op of its PyLayer, or the op that saved it."""
        if call is None:
            return self.source(seen)
        if not call.scope:
            return call.box
        sides: tuple[tuple[ids.Side, Arguments], ...]
        sides = (("out", call.outputs), ("in", call.inputs))
        for side, tensors in sides:
            for i, tensor in enumerate(tensors):
                if tensor is not None and tensor.id == seen.id:
                    return ids.port(call.box, side, i)
        return self.source(seen)


@dataclass(slots=True)
class Drawing:
    """Base of the builders of parts of the picture: what they share."""

    draft: Draft
    work: Work
    tape: Tape
    tensors: Tensors


def is_parameter(seen: Seen | None) -> bool:
    return seen is not None and seen.kind == "parameter"


def abridge(formula: str) -> str:
    """Shorten a part of a longer formula: keep a name, and of a call its function.

    >>> abridge("x"), abridge("tanh(x × y)"), abridge("f(x) @ w"), abridge("f(x)[0]")
    ('x', 'tanh(…)', '…', '…')
    """
    if is_composite(formula):
        return "…"
    head, bracket, rest = formula.partition("(")
    is_call = head and rest.endswith(")") and ")" not in without_brackets(rest[:-1])
    return f"{head}(…)" if is_call else "…" if bracket else formula


def without_brackets(text: str) -> str:
    """Return the text without its pairs of brackets and what they hold."""
    shorter = re.sub(r"\([^()]*\)", "", text)
    return text if shorter == text else without_brackets(shorter)
