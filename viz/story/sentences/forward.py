"""One sentence for each step of a forward pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from minipaddle.messages import Message, Row
from minipaddle.ops.expression import is_composite

from ...document.distinct_names import base_of
from ...document.op_facts import is_change
from ...document.values import flatten
from ..steps import Facts
from .backward import TWO_LINES, fits
from .op_words import Made, part_of, reversed_axes
from .ops import creation, over_axes, phrase, scaling
from .wording import (
    EQUALS,
    Mention,
    Things,
    Words,
    aside,
    coded,
    combine,
    is_list,
    kept_name,
    op_word,
    row,
    things,
)  # fmt: skip

NEW_VALUE, CHANGED = Message("the new {x}"), Message("This changes {x} in place.")


def without_shape(value: Any) -> Any:
    """Return a slot's value with tensors' shapes left out."""
    if isinstance(value, Row):
        return Row([without_shape(item) for item in value.items], value.between, value.last)
    return value.bare if isinstance(value, Mention) and not value.number else value


UNDONE = Message("{x} is summed over the axes along which {of} was broadcast, giving {out}.")


@dataclass(frozen=True, slots=True)
class OpStep(Facts):
    """An op computed; `title` is its name, `written` is `h[0]` or `h[0] = v`, or ""."""

    kind = "op"
    op: str
    symbol: str
    title: str
    written: str
    inputs: Things
    outputs: Sequence[Mention]
    attrs: Mapping[str, Any] = field(default_factory=dict)
    in_place: bool = False  # whether the first input takes the result, as in `x.add_(y)`
    broadcast: str = ""  # tensor whose broadcasting a sum_to undoes

    def sentence(self) -> Message:
        """Return the sentence on an op's call, without shapes if it is long."""
        said = self._full_sentence()
        if fits(said, TWO_LINES):
            return said
        return said.fill(**{name: without_shape(value) for name, value in said.slots.items()})

    def _full_sentence(self) -> Message:
        """Return the sentence with shapes."""
        inputs, outputs = self.inputs, self.outputs
        call = Made(self.attrs, inputs, outputs)
        if not inputs:
            return creation(self.op, self.title, call)
        x = inputs[0]
        if self.written and x and outputs:
            if is_change(self.written):
                return self._writing_sentence(x)
            return self._reading_sentence(x)
        if self.op == "scale" and len(inputs) == len(outputs) == 1 and x:
            said = scaling(self.symbol, x, outputs[0])
        else:
            said = phrase(self.op, call, self.title, self.symbol)
        if self.broadcast and x and x.shape != outputs[0].shape:
            said = UNDONE.fill(x=x, of=self.broadcast, out=outputs[0])
        if self.in_place and x:
            if outputs[0].called == x.called and isinstance(said.slots.get("out"), (Mention, Row)):
                said = said.fill(out=NEW_VALUE.fill(x=outputs[0]))
            said = combine(said, CHANGED.fill(x=base_of(x.called)))
        return said

    def _reading_sentence(self, x: Mention) -> Message:
        """Return the sentence on elements of a tensor that were read, as by `h[:, 0]`."""
        out, written = self.outputs[0], self.written
        part = part_of(self.attrs.get("index"), x, out) if self.op == "getitem" else None
        if part:
            return part
        if self.op == "pick" and not out.number:
            said = Message("{out} has the elements of {x} that {places} {places:picks|pick}.")
            axes = self.attrs.get("axes") if len(x.shape or ()) == 2 else None
            if axes == [0]:
                said = Message("{out} has the rows of {x} that {places} {places:picks|pick}.")
            elif axes == [1]:
                said = Message("{out} has the columns of {x} that {places} {places:picks|pick}.")
            return said.fill(out=out, x=x, places=things(self.inputs[1:]))
        turned = None
        if self.op == "getitem":
            turned = reversed_axes(self.attrs.get("index"), x.shape or ())
        if turned is not None:
            said = Message("{out} has all elements of {x}.")
            if turned:
                said = Message("{out} has all elements of {x}, in reverse order{over}.")
            return said.fill(out=out, x=x, over=over_axes(turned))
        is_element = out.number and not out.shape
        if is_element and out.called not in (written, out.number):
            said = Message("{out} is {written}, an element of {x}.")
        elif out.called != written:
            said = Message("{out} is {written}, a part of {x}.")
        elif is_element:
            said = Message("{out} is an element of {x}.")
        else:
            said = Message("{out} is a part of {x}.")
        return said.fill(written=written, x=x, out=out)

    def _writing_sentence(self, x: Mention) -> Message:
        """Return the sentence on a tensor changed in place, as by `h[0] = v`, `h.uniform_(…)`."""
        out, written = self.outputs[0], self.written
        filled = {*flatten([(out.value or {}).get("data")])} - {None}
        if (written.endswith(".zero_()") or ".fill_(" in written) and len(filled) == 1:
            said = Message("{written} changes {x} in place: all its elements become {number}.")
            if out.called != x.called:
                said = Message(
                    "{written} changes {x} in place, giving {out}: all its elements are {number}."
                )
            number = coded(filled.pop())
            return said.fill(written=written, x=x.called, number=number, out=out.called)
        new = (self.inputs[1] if len(self.inputs) > 1 else None) or Message("new values")
        if " += " in written:
            said = Message("{written} adds {new} to elements of {x}, in place.")
        elif out.called == x.called:
            said = Message("{written} writes {new} into {x}, in place.")
        else:
            said = Message("{written} writes {new} into {x}, in place, giving {out}.")
        return said.fill(written=written, new=new, x=x, out=out)


@dataclass(frozen=True, slots=True)
class OverwriteStep(Facts):
    """A tensor was overwritten, as by `set_value`; it is no new tensor."""

    kind = "op"
    target: Mention
    value: Mention

    def sentence(self) -> Message:
        """Return the sentence on `w.set_value(v)`."""
        return Message("{x} is overwritten with {value}.", x=self.target.called, value=self.value)


TAKEN = {
    "alias": Message("{out} is {x} detached, with the same values"),
    "copy": Message("to_tensor copies {x} into {out}"),
    "numpy": Message("{out} is a copy of {x} through NumPy"),
    "computed": Message("NumPy computed {out} from {x}"),
    "cut": Message("detach_() cuts {out} off from its history"),
}


@dataclass(frozen=True, slots=True)
class DetachStep(Facts):
    """A tensor took another's values without its history; `cuts`: this cuts off a gradient that the
    source needs, outside of PyLayers.

    way: as in ValuesTaken.
    """

    SIGNS: ClassVar[dict[str, str]] = {
        "alias": "detach", "copy": "to_tensor", "numpy": "numpy", "computed": "numpy",
        "cut": "detach_",
    }  # fmt: skip
    kind = "detach"
    way: str
    source: Mention
    out: Mention
    cuts: bool

    def sentence(self) -> Message:
        """Return the sentence on the tensor, and that no gradient flows back if that is so."""
        taken = TAKEN[self.way].fill(out=self.out, x=self.source)
        if self.cuts or self.way == "cut":
            return Message("{taken}; no gradient flows back from it.", taken=taken)
        return Message("{taken}.", taken=taken)


def differentiable_again(name: str) -> Message:
    """Return the sentence that explains the name of a gradient that is a tensor of the graph."""
    said = Message(
        "∂ marks a gradient that is recorded as a tensor: {name} is {gradient}, and the gradients "
        "computed from it can be differentiated again."
    )
    return said.fill(name=name, gradient=f"d{name[1:]}")


TENSORS = Message(
    "{bases} {bases:stands|stand} for more than one tensor as the code runs; {bases:this one is|"
    "these are} called {names} here."
)
VALUES = Message(
    "{bases} {bases:stands|stand} for different values as the code runs; {bases:this one is|these "
    "are} called {names} here."
)


def numbered(base: str, name: str, differs: bool, apart: bool = False) -> Message:
    """Return the sentence that explains the number of `x#2`.

    differs: the values differ. apart: it is a variable of its own, in a PyLayer or a function.
    """
    said = VALUES if differs else TENSORS
    if apart:
        said = Message(
            "{bases:Another variable is|Other variables are} called {bases}, too; "
            "{bases:this one is|these are} called {names} here."
        )
    elif "…" in base:
        said = Message(
            "{bases} {bases:is|are} short for several results; {bases:this one is|these are} "
            "called {names} here."
        )
    elif is_composite(base) or base.endswith((")", "ᵀ")):
        said = Message(
            "Several results are {bases}; {bases:this one is|these are} called {names} here."
        )
    return said.fill(bases=row([base]), names=row([name]))


def add_numbered(asides: list[Message], said: Message) -> None:
    """Add a sentence of `numbered` to others, as one sentence with one that says the same."""
    alike = {TENSORS.key, VALUES.key} if said.key in (TENSORS.key, VALUES.key) else {said.key}
    at = next((at for at, each in enumerate(asides) if each.key in alike), None)
    if at is None:
        asides.append(said)
        return
    before = asides[at]
    both = before if before.key == said.key else TENSORS  # true of different values, too
    rows = {key: Row([*before.slots[key].items, *said.slots[key].items]) for key in said.slots}
    asides[at] = both.fill(**rows)


@dataclass(frozen=True, slots=True)
class EnterStep(Facts):
    """A PyLayer's forward is called.

    `outside` are the names of its Tensors in the caller, `settings` its other arguments as code.
    """

    kind = "enter"
    layer: str
    inputs: Things
    outside: Sequence[str]
    settings: Mapping[str, str]
    graded: bool

    def sentence(self) -> Message:
        pairs = zip(self.inputs, self.outside, strict=True)
        rows = [renamed_argument(thing, name) if thing else "None" for thing, name in pairs]
        rows += [EQUALS.fill(name=name, value=code) for name, code in self.settings.items()]
        said = Message("{layer}.forward is called with {given}.")
        if self.graded:
            said = Message(
                "{layer}.forward is called with {given}. Nothing inside is differentiated "
                "automatically: {layer}.backward does it instead."
            )
        return said.fill(layer=self.layer, given=row(rows))


def renamed_argument(thing: Mention, outside: str) -> Words:
    """Return `x [2, 3]`, or `x = data [2, 3]` if the callee has its own name for the argument."""
    if not outside or outside == thing.name or not thing.name:
        return thing
    return EQUALS.fill(name=thing.name, value=Mention(outside, thing.value, thing.shape))


@dataclass(frozen=True, slots=True)
class LeaveStep(Facts):
    """A PyLayer's forward returns."""

    kind = "leave"
    layer: str
    outputs: Things
    graded: bool
    outside: Sequence[str]

    def sentence(self) -> Message:
        rows = []
        for thing, name in zip(self.outputs, self.outside, strict=True):
            rows.append(aside(thing, name if name != thing.name else "") if thing else "None")
        if self.graded:
            said = Message("{layer}.forward returns {given}.")
        else:
            said = Message(
                "{layer}.forward returns {given}; no gradient is needed here, so backward will "
                "skip it."
            )
        return said.fill(layer=self.layer, given=row(rows))


@dataclass(frozen=True, slots=True)
class LayerHookStep(Facts):
    """A hook ran before or after its layer; `made` replaces the tensors that it was given."""

    kind = "layer_hook"
    name: str
    layer: str
    when: str
    given: Sequence[Mention]
    made: Sequence[Mention] | None

    def sentence(self) -> Message:
        when = Message("After {layer} has run")
        if self.when == "before":
            when = Message("Before {layer} runs")
        if self.made is None:
            said = Message("{when}, its hook {name} sees {given} and does not replace it.")
        else:
            said = Message("{when}, its hook {name} sees {given} and puts {made} in its place.")
        when, made = when.fill(layer=self.layer), things(self.made or ())
        return said.fill(when=when, name=self.name, given=things(self.given), made=made)


INV_STD = Message("inv_std(…) is 1 ÷ √(variance + {epsilon}).")


@dataclass(frozen=True, slots=True)
class SaveStep(Facts):
    """An op, or the user's forward, saves tensors for backward."""

    kind = "save"
    op: str
    by_user: bool = False
    saved: list[Mention] = field(default_factory=list)

    @property
    def of_memory(self) -> bool:
        """Whether the step reports memory alone: not if a line of the user's code saves."""
        return not self.by_user

    def sentence(self) -> Message:
        if self.by_user:
            said = Message(
                "When forward returns, {saved} {saved:is|are} kept for {op}.backward, as "
                "ctx.save_for_backward has asked."
            )
        else:
            said = Message("{op} keeps {saved} for backward.")
        saved = [
            Mention(kept_name(x.called), None, x.shape) if is_list(x.called) else x
            for x in self.saved
        ]
        return said.fill(op=op_word(self.op), saved=things(saved))


@dataclass(frozen=True, slots=True)
class MarkStep(Facts):
    """A PyLayer marks its context."""

    kind = "mark"
    layer: str
    mark: str
    marked: Sequence[Mention]
    value: Any

    def sentence(self) -> Message:
        said = Message("{layer} sets {mark} to {value}.")
        if self.mark.startswith("mark_") and not self.marked:
            said = Message("{layer} calls {mark}() without a tensor, so it marks none.")
        elif self.mark == "mark_not_inplace":
            said = Message(
                "{layer} declares that it does not change {marked} in place: a new tensor comes "
                "out."
            )
        elif self.mark == "mark_non_differentiable":
            said = Message(
                "{layer} declares {marked} non-differentiable: no gradient will come back from "
                "there."
            )
        elif self.mark == "set_materialize_grads" and self.value:
            said = Message("{layer} wants zeros in place of a missing gradient.")
        elif self.mark == "set_materialize_grads":
            said = Message("{layer} wants None in place of a missing gradient.")
        return said.fill(
            layer=self.layer, mark=self.mark, value=self.value, marked=things(self.marked)
        )
