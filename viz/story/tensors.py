"""The tensors of a trace: their names, the boxes that they come from, and whether they are read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, NamedTuple

from minipaddle.events import Edge, Seen, Value

from ..document.distinct_names import OwnNames, base_of
from ..document.op_facts import OpFacts
from ..document.values import content_key, only
from ..language.dialects import maker
from ..model import formula_text, label_of
from . import formulas, ids
from .draft import FORWARD, OPTIMIZE, AnyStep, Draft, Where
from .ids import Box
from .sentences.forward import add_numbered, differentiable_again, numbered
from .sentences.ops import SIGNS, spell
from .sentences.wording import Mention, Things, coded, d, detail, differentiable, length
from .tape import Arguments, Call, Tape, TapeNode
from .work import Scope, Work

LONGEST = 30  # most letters of a formula that serves as a name
TELLING = re.compile(r"\b(?!(inf|nan)\b)[^\W\d]")  # a word that is no number
WORDS = re.compile(r"[^\W\d][\w.]*")  # names in code, and parts of objects: `self.h`
ROOTS = re.compile(r"(?:^|(?<=\[))[^\W\d]\w*")  # m of m.weight, h and t of h[t=2]
ASSIGNED = re.compile(r"[\w\s,()+*/@-]+")  # left side of an assignment to variables
FEW = 4  # most numbers of a list that serves as a name
UNKNOWN = "?"  # name of a tensor that no record shows


def few_numbers(value: Value) -> str:
    """Return a short list or table as in code, `[2, 0]`, `[[3], [7]]`, or "" for other tensors."""
    data = value.data["data"]
    if len(value.shape) not in (1, 2) or not isinstance(data, list):
        return ""
    return listed_numbers(data) if 0 < prod(value.shape) <= FEW else ""


def listed_numbers(data: Any) -> str:
    """Return numbers in nested lists as in code."""
    return f"[{', '.join(map(listed_numbers, data))}]" if isinstance(data, list) else coded(data)


class Result(NamedTuple):
    """A result of the user's own code, and the step that computed it."""

    seen: Seen
    step: AnyStep


class StoredGrad(NamedTuple):
    """The value of a `.grad`, its box, and the tensor that holds it (0: unknown).

    `roots` are the tensors at which the passes began that gave it, none if others had a part in it.
    """

    box: Box
    value: Value
    holder: int
    roots: Sequence[str] = ()


class GradNames(NamedTuple):
    """Name of a gradient's tensor in sentences, and of the gradient, `dy`, or "" if unnamed."""

    called: str
    gradient: str


@dataclass(slots=True)
class Tensors:
    """Names and boxes of tensors, by number."""

    draft: Draft
    work: Work
    tape: Tape
    names: Mapping[tuple[int, int], str]  # (tensor, scope) -> the user's name
    formulas: dict[int, str] = field(default_factory=dict)  # unnamed tensor -> its formula
    taken: set[str] = field(init=False)  # the user's names, which formulas use for nothing else
    words: set[str] = field(init=False)  # names in the user's code
    apart: set[str] = field(init=False)  # numbered names of different variables
    own: OwnNames = field(init=False)  # distinct names and formulas
    inner: dict[int, str] = field(init=False)  # tensor -> its name inside of a function or PyLayer
    produced: dict[int, Box] = field(default_factory=dict)  # tensor -> box that it comes from
    used: set[int] = field(default_factory=set)
    results: dict[int, Result] = field(default_factory=dict)
    labels: dict[int, Seen] = field(default_factory=dict)  # labels that a loss reshaped -> before
    leaves: dict[int, Seen] = field(default_factory=dict)  # tensors that no recorded op made
    latest: dict[int, Seen] = field(default_factory=dict)  # tensor -> its latest record
    rewritten: dict[int, Seen] = field(default_factory=dict)  # tensors with overwritten values
    latest_grads: dict[int, StoredGrad] = field(default_factory=dict)  # leaf -> latest gradient
    grads: dict[int, StoredGrad] = field(default_factory=dict)  # gradient's number -> gradient
    buffers: set[int] = field(default_factory=set)  # running statistics, which an op updates
    explained: set[str] = field(default_factory=set)  # names, or kinds of names, like `x#2`
    first_values: dict[str, Any] = field(default_factory=dict)  # name -> first value
    owners: dict[str, Hashable] = field(default_factory=dict)  # name -> function that assigns it

    # ----- names ---------------------------------------------------------------------------------

    def __post_init__(self) -> None:
        self.own = OwnNames(self.names)
        lines = (line for source in self.draft.sources for line in source.lines)
        self.words = {word for line in lines for word in WORDS.findall(line)}
        roots = (root for name in self.names.values() for root in ROOTS.findall(name))
        self.taken = {*map(base_of, self.names.values()), *roots}
        scopes: dict[tuple[str, int], set[str]] = {}
        for (_, scope), name in self.names.items():
            scopes.setdefault((base_of(name), scope), set()).add(name)
        several = {name for group in scopes.values() if len(group) > 1 for name in group}
        bases = Counter(map(base_of, {*self.names.values()}))
        shared = {name for name in self.names.values() if bases[base_of(name)] > 1}
        self.apart = shared - several
        outer = {name for (_, scope), name in self.names.items() if not scope}
        self.inner = {each: name for (each, _), name in self.names.items() if name not in outer}

    def name(self, tensor: int) -> str:
        """Return the user's name for a tensor in the current scope, or ""."""
        return self._name_in_scopes(tensor, self.work.scopes)

    def _name_in_scopes(self, tensor: int, scopes: list[Scope]) -> str:
        for scope in reversed(scopes):
            if (tensor, scope.number) in self.names:
                return self.names[tensor, scope.number]
            call = self.tape.calls.get(scope.call)  # names of forward are valid in backward, too
            if call is not None and (tensor, call.scope) in self.names:
                return self.names[tensor, call.scope]
        return self.names.get((tensor, 0), "")

    def outer_name(self, seen: Seen | None) -> str:
        """Return the name of a tensor outside of all scopes, or ""."""
        return self._name_in_scopes(seen.id, []) if seen else ""

    def outside(self, scope: Scope, tensors: Arguments) -> list[str]:
        """Return the names that tensors have outside a scope, or ""."""
        outer = self.work.scopes[: self.work.scopes.index(scope)]
        return ["" if seen is None else self._name_in_scopes(seen.id, outer) for seen in tensors]

    def called_leaves(self) -> dict[str, str]:
        """Return box -> label, for tensors that no op made."""
        boxes = map(ids.tensor, self.leaves)
        nodes = self.draft.nodes
        return {box: label_of(nodes[box], "en") for box in boxes if box in nodes}

    def call_by(self, tensor: int, formula: str, content: Hashable = None) -> str:
        """Name an unnamed tensor by a formula, made distinct, from now on; return the name."""
        name = self.formulas[tensor] = self.own.give(formula, tensor, content)
        return name

    def explain_number(self, thing: Mention, step: AnyStep) -> None:
        """Add a sentence to a step that explains a numbered name, if it is the first of its kind.

        `x#2` is explained once for each variable of the user's code, `h[t=2]` once, and
        `(a + b)#2` once in each phase.
        """
        base, apart = base_of(thing.called), thing.called in self.apart
        before, function = self.first_values.get(base), self._function_assigning(base, step)
        if thing.called == base and function:
            self.owners.setdefault(base, function)
        self.first_values.setdefault(thing.called, thing.value)
        apart = apart or bool(function and self.owners.get(base, function) != function)
        is_transpose = base.endswith("ᵀ")
        if WORDS.fullmatch(base) and base not in self.words and not is_transpose:
            return
        in_turns = thing.called.startswith(f"{base}[")
        if in_turns and base.isidentifier() and not self._is_assigned(base):
            return
        kind = base if base.isidentifier() and not is_transpose else f"{step.phase}()"
        kind = "[" if in_turns else kind
        kind += " apart" if apart else ""
        known = {kind, thing.called} & self.explained
        if base != thing.called and not known and is_mentioned(thing.called, step):
            self.explained |= {kind, thing.called}
            differs = None not in (before, thing.value) and before != thing.value
            add_numbered(step.asides, numbered(base, thing.called, differs, apart))
        if thing.called.startswith("∂") and "∂" not in self.explained:
            self.explained.add("∂")
            step.asides.append(differentiable_again(thing.called))

    def _is_assigned(self, name: str) -> bool:
        """Return whether the user's code assigns a variable, not only a layer of the library."""
        lines = (line for source in self.draft.sources for line in source.lines)
        return any(assigns(line, name) for line in lines)

    def _function_assigning(self, name: str, step: AnyStep) -> tuple[Hashable, str] | None:
        """Return the function in which a step's line assigns a variable: `h, c = ...`.

        Return None if the line does not assign it, or if functions may share variables. A lambda
        assigns nothing: its line does.
        """
        place = step.place
        if not place or place.function.endswith("<lambda>"):
            return None
        if not assigns(self.draft.code(place), name):
            return None
        is_shared = self.words & {"global", "nonlocal"}
        return None if is_shared else (place.file, place.function)

    def derive(
        self,
        seen: Seen,
        sign: str,
        inputs: Arguments,
        op: OpFacts | None = None,
        done: bool = False,
    ) -> None:
        """Name an unnamed result by its formula, or a long one by the op's name.

        done: no backward pass computes the gradient, so results with equal content share a name.
        """
        if self.name(seen.id):
            return
        things = self.things(inputs)
        squared = sign == "×" and len({each and each.id for each in inputs}) == 1
        if squared and things[0] and "(" in things[0].called:  # written as tanh(z)²
            sign, inputs, things = "^ 2", inputs[:1], things[:1]
        word = op.word if op else ""
        for text in expressions(sign, things, [is_parameter(seen) for seen in inputs], word):
            if length(text) <= LONGEST:
                break
        if text == f"{word}(…)":
            text = self._layer_before() + text
        same = (seen.stop_gradient or done) and "…" not in text
        content = content_key(seen.value.data) if same else None
        if op and text.endswith(")") and self.own.is_taken(text, seen.id, content):
            # Other arguments tell the results apart.
            full = spell(sign, [each.called if each else "None" for each in things])
            longer = [each for each in (formulas.spell_in_full(op, things), full) if each != text]
            told = (each for each in longer if length(each) <= formulas.LONGEST_CALL)
            text = next((each for each in told if each.startswith(f"{text[:-1]}, ")), text)
        self.call_by(seen.id, text, content)

    def _layer_before(self) -> str:
        """Return the role of the innermost running layer and a dot, `self_attn.`, or ""."""
        names = [scope.name for scope in self.work.scopes if scope.kind == "layer"]
        _, _, role = names[-1].partition(" ") if names else ("", "", "")
        return "" if not role or role.isdigit() else f"{role}."

    def name_results(
        self,
        outputs: Sequence[Seen],
        signs: Sequence[str],
        inputs: Arguments,
        op: OpFacts,
        named: Container[int] = (),
        done: bool = False,
    ) -> list[Mention]:
        """Return an op's results, with formulas of these signs for names if the user has none.

        Formulas of results other than the main one have only the first input: the mean of x.
        """
        things = []
        main = min(op.main_output, len(outputs) - 1)
        for i, seen in enumerate(outputs):
            if i < len(signs) and seen.id not in named:
                self.derive(seen, signs[i], inputs if i == main else inputs[:1], op, done)
            things.append(self.thing(seen))
        return things

    def thing(self, seen: Seen, inside: Call | None = None) -> Mention:
        """Return a tensor for sentences, with its name inside a PyLayer's call if given."""
        own = self.names.get((seen.id, inside.scope)) if inside and inside.scope else None
        fallback = self.formulas.get(seen.id) or self.inner.get(seen.id, f"t{seen.id}")
        return Mention.recorded(own or self.name(seen.id), seen.value, fallback)

    def things(self, tensors: Arguments) -> list[Mention | None]:
        return [None if seen is None else self.thing(seen) for seen in tensors]

    def with_labels(self, tensors: Arguments) -> Arguments:
        """Return tensors, for names and formulas, with the user's labels that a loss reshaped."""
        return tuple([seen and self.labels.get(seen.id, seen) for seen in tensors])

    def tensor_at(self, edge: Edge) -> Seen | None:
        """Return the tensor whose gradient travels along an edge, or None if it is unknown."""
        if edge.kind == "leaf":
            return self.leaves.get(edge.id) or self.latest.get(edge.id)
        node = self.tape.nodes.get(edge.id)
        if node is None or node.call is None:
            return self.tape.read.get((edge.id, edge.slot))
        outputs = node.call.outputs
        return self.as_now(outputs[edge.slot]) if 0 <= edge.slot < len(outputs) else None

    def outputs(self, node: int, count: int) -> list[Mention | None]:
        """Return the outputs of a grad node's call, None for unknown ones."""
        return self.things(tuple([self.tensor_at(Edge("node", node, i)) for i in range(count)]))

    def grad_names(self, edge: Edge) -> GradNames:
        """Return the names of an edge's tensor; `?` if no record shows it."""
        seen = self.tensor_at(edge)
        if seen is None:
            name = self.name(edge.id) if edge.kind == "leaf" else ""
            unknown = f"t{edge.id}" if edge.kind == "leaf" else UNKNOWN
            return GradNames(name or unknown, d(name) if name else "")
        thing = self.thing(seen)
        return GradNames(thing.called, d(thing.name) if thing.name else "")

    def rewrite(self, seen: Seen) -> None:
        """Note that a tensor's values were overwritten in its memory."""
        self.rewritten[seen.id] = seen

    def as_now(self, seen: Seen | None) -> Seen | None:
        """Return a tensor with the values that backward finds in its memory."""
        now = self.rewritten.get(seen.id) if seen else None
        return now if seen and now and now.version > seen.version else seen

    def changed(self, node: TapeNode) -> list[str]:
        """Return the distinct names of saved tensors that were overwritten since."""
        saved = [s.tensor for s in node.saved if self.as_now(s.tensor) is not s.tensor]
        return list({self.thing(seen, node.call).called: None for seen in saved})

    def saved_names(self, node: TapeNode) -> list[str]:
        """Return the distinct names of a grad node's saved tensors."""
        names = {self.thing(s.tensor, node.call).called: None for s in node.saved}
        return list(names)

    # ----- boxes ---------------------------------------------------------------------------------

    def source(self, seen: Seen, cut: bool = False) -> Box:
        """Return the box that a tensor comes from; draw one for a new tensor.

        `cut`: the reader gives the tensor no gradient.
        """
        self.used.add(seen.id)
        self.latest[seen.id] = seen
        if seen.id not in self.produced:
            self.produced[seen.id] = self._draw_leaf(seen, cut)
        box = self.produced[seen.id]
        if not (cut or seen.stop_gradient) and self.draft.nodes[box].kind == "data":
            self.draft.change(box, kind="leaf")  # since the tensor needs a gradient
        return box

    def sources(self, tensors: Arguments) -> list[Box | None]:
        return [None if seen is None else self.source(seen) for seen in tensors]

    def _draw_leaf(self, seen: Seen, cut: bool) -> Box:
        """Draw and return the box of a tensor that no recorded op made, or a gradient's box."""
        work = self.work
        kept = self._find_gradient_box(seen)
        if kept is not None:
            return kept
        if work.current:
            visit = work.current.visit
            given = visit.arrived if visit and visit.computing else work.current.given
            for gradient in reversed(given):
                if gradient.value.data == seen.value.data:
                    call = visit and visit.computing and visit.node.call
                    by_rule = visit and not visit.hooks and call and not call.scope
                    self.formulas[seen.id] = d(gradient.name)
                    if by_rule:  # one tensor may have come unchanged to several inputs of `+`
                        same = [one for one in work.current.seeds if one.value == gradient.value]
                        name = d((same[0] if len(same) == 1 else gradient).name)
                        self.formulas[seen.id] = differentiable(name)
                    return gradient.box
        kind = "parameter" if seen.kind == "parameter" else "leaf"
        if seen.id in self.buffers:
            kind = "buffer"
        if kind == "leaf" and (cut or (seen.stop_gradient and seen.leaf)):
            kind = "data"
        name = self.names.get((seen.id, 0)) or self.name(seen.id)  # the outer name is preferred
        where = FORWARD
        if work.current or (kind == "data" and work.optimizing):
            where = work.where
        elif kind in ("parameter", "buffer") or (kind == "data" and self._is_number_in_layer(seen)):
            where = Where(group=work.layer_group)
        if kind == "data" and not name:
            number, numbers = only(seen.value.data.get("data")), few_numbers(seen.value)
            if number is not None:
                self.formulas[seen.id] = coded(number)  # a constant is named by its value
            else:
                made = f"{maker(self.draft.framework)}(…)"
                self.call_by(seen.id, numbers or made, numbers or None)
        thing = Mention.recorded(name, seen.value, self.formulas.get(seen.id, f"t{seen.id}"))
        label = thing.called
        shape, box = detail(seen.value), ids.tensor(seen.id)
        self.leaves[seen.id] = seen
        self.draft.node(box, kind, label, shape, where)
        return box

    def _is_number_in_layer(self, seen: Seen) -> bool:
        """Return whether a tensor without a name is a number in the code of a running layer."""
        given = (each for scope in self.work.scopes for each in scope.inputs if each)
        named = self.names.get((seen.id, 0)) or self.name(seen.id)
        return not (named or seen.value.shape or any(each.id == seen.id for each in given))

    def begin_anew(self, seen: Seen, sign: str, source: Seen, where: Where) -> Box:
        """Draw and return the box of a leaf with the values, but no history, of another tensor."""
        self.derive(seen, sign, (source,))
        label, shape = self.thing(seen).called, detail(seen.value)
        box = self.draft.node(ids.tensor(seen.id), "data", label, shape, where)
        self.produced[seen.id], self.leaves[seen.id] = box, seen
        return box

    def stored_grad(self, leaf: int) -> StoredGrad | None:
        """Return the `.grad` of a leaf as it is now, or None."""
        stored = self.latest_grads.get(leaf)
        return self.grads[stored.holder] if stored and stored.holder else stored

    def _find_gradient_box(self, seen: Seen) -> Box | None:
        """Return the box of the `.grad` that a tensor is, or None.

        A `.grad` with an unknown number is found by its name `w.grad` and by its values.
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
        """Return the box of a leaf, drawn if it is new."""
        box = ids.tensor(seen.id)
        return box if box in self.draft.nodes else self.source(seen)

    def result(self, seen: Seen) -> Box:
        """Return the box of a result, drawn if it is new."""
        label = self.thing(seen).called
        maker = self.draft.nodes.get(self.produced.get(seen.id, ids.result(seen.id)))
        where = OPTIMIZE if maker and maker.lane == "optimize" else FORWARD
        return self.draft.node(ids.result(seen.id), "result", label, detail(seen.value), where)

    def end(self, seen: Seen, step: AnyStep) -> Box:
        """Return the box of a result; add a wire into it if the tensor has not been read."""
        box = self.result(seen)
        if seen.id in self.produced and seen.id not in self.used:
            step.edges.append(self.draft.edge(self.produced[seen.id], box))
            self.used.add(seen.id)
        return box

    def wire(self, step: AnyStep, seen: Seen, target: Box) -> None:
        """Draw a wire from a tensor's box to a target, as part of a step."""
        source = self.source(seen)
        self.draft.lead(step, source, target, label=self.name(seen.id))

    def lead_in(
        self, step: AnyStep, inputs: Things, sources: Iterable[Box | None], target: Box
    ) -> None:
        """Draw wires from the sources of inputs to a box, and show the inputs."""
        for thing, source in zip(inputs, sources, strict=True):
            if thing is not None and source is not None:
                self.draft.lead(step, source, target, label=thing.name)
                step.show(thing, "input", target, holder=source)

    def produce(self, seen: Seen, box: Box, step: AnyStep | None) -> None:
        """Let a tensor come from a box from now on.

        A tensor made by the user's code is a result, unless it is read later.
        """
        self.produced[seen.id] = box
        if seen.id in self.grads:  # changed in place, as by clipping
            self.grads[seen.id] = StoredGrad(box, seen.value, seen.id)
        work = self.work
        inside = any(scope.kind.startswith(("pylayer", "optimizer")) for scope in work.scopes)
        if step is not None and not inside and not work.current:
            self.results[seen.id] = Result(seen, step)
            self.used.discard(seen.id)

    # ----- scopes --------------------------------------------------------------------------------

    def shadow(self, scope: Scope, tensor: int, box: Box) -> None:
        """Let a tensor come from a port of a scope's border until the scope is left."""
        scope.shadowed.setdefault(tensor, self.produced.get(tensor))
        self.produced[tensor] = box

    def leave(self) -> Scope:
        """Leave the innermost scope, restore the boxes of its arguments, and return it."""
        scope = self.work.scopes.pop()
        for tensor, box in scope.shadowed.items():
            if box is None:
                self.produced.pop(tensor, None)
            else:
                self.produced[tensor] = box
        return scope

    # ----- saved values --------------------------------------------------------------------------

    def saved_source(self, call: Call | None, seen: Seen) -> Box:
        """Return the box of a saved value: of the op that saved it, or a PyLayer's port or op."""
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
    """Base of the builders of parts of the picture, with the shared state."""

    draft: Draft
    work: Work
    tape: Tape
    tensors: Tensors


def is_parameter(seen: Seen | None) -> bool:
    return seen is not None and seen.kind == "parameter"


def expressions(sign: str, things: Things, parameters: Sequence[bool], word: str) -> Iterator[str]:
    """Yield expressions of a result, those that say most first and the shortest last.

    The last is `word(…)`, with the op's name, or `… × 2`. Others leave out only some parts, never
    of a part.
    """
    whole = [thing.called if thing else "None" for thing in things]
    short = re.sub(r"(, axis=| )\[.*", "", sign)
    yield spell(sign, whole)
    yield spell(short, whole)
    if spell(short, whole) == f"{short}({', '.join(whole)})" and not all(parameters):
        pairs = zip(whole, parameters, strict=True)
        yield spell(short, [text for text, is_parameter in pairs if not is_parameter])
    telling = ["…" not in text and TELLING.search(text) is not None for text in whole]
    choices = [[telling[0], False], [False, telling[1]]] if len(whole) == 2 else [telling]
    for kept in choices if len(whole) == 2 or short.isidentifier() else ():
        if any(kept):
            pairs = zip(whole, kept, strict=True)
            yield spell(short, [text if is_kept else "…" for text, is_kept in pairs])
    is_word = re.match(r"[^\W\d]", short) and short not in SIGNS
    tells = is_word or (len(whole) == 1 and re.search(r"\b\d", short))  # `× 2`
    yield spell(short, ["…"]) if tells else f"{word}(…)"


def assigns(code: str, name: str) -> bool:
    """Return whether a line of code assigns a variable: `h, c = cell(x)`."""
    left, sign, right = code.partition("=")
    is_whole = ASSIGNED.fullmatch(left) and left.count("(") == left.count(")")
    return bool(sign and is_whole) and right[:1] != "=" and name in WORDS.findall(left)


def is_mentioned(name: str, step: AnyStep) -> bool:
    """Return whether a name stands in a step's sentence or formula."""
    return name in step.facts.sentence().en or name in formula_text(step.formula)
