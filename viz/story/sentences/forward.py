"""One sentence for each step of a forward pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from minipaddle.messages import Message, Row

from ...document.op_facts import is_change
from ..steps import (
    DetachStep,
    EnterStep,
    LayerHookStep,
    LeaveStep,
    MarkStep,
    OpStep,
    OverwriteStep,
    SaveStep,
)
from .backward import shortest_needed
from .op_words import Made, part_of
from .ops import creation, phrase, scaling
from .wording import EQUALS, Thing, Words, aside, row, things


def op(step: OpStep) -> Message:
    """What an op did; without shapes where that is long."""
    return shortest_needed(op_sentences(step))


def op_sentences(step: OpStep) -> Iterator[Message]:
    said = op_sentence(step)
    yield said
    yield said.fill(**bare(said.slots))


def bare(slots: Mapping[str, Any]) -> dict[str, Any]:
    """Slots with tensors without their shapes."""
    return {name: without_shape(value) for name, value in slots.items()}


def without_shape(value: Any) -> Any:
    if isinstance(value, Row):
        return Row([without_shape(item) for item in value.items], value.between, value.last)
    return value.bare if isinstance(value, Thing) and not value.number else value


def op_sentence(step: OpStep) -> Message:
    inputs, outputs = step.inputs, step.outputs
    call = Made(step.attrs, inputs, outputs)
    if not inputs:
        return creation(step.op, step.title, call)
    x = inputs[0]
    if step.op == "scale" and len(inputs) == len(outputs) == 1 and x:
        return scaling(step.symbol, x, outputs[0])
    if step.written and x and outputs:
        return (writing if is_change(step.written) else reading)(step.written, x, step)
    return phrase(step.op, call, step.title, step.symbol)


def reading(written: str, x: Thing, step: OpStep) -> Message:
    """`h[:, 0]`: elements of a tensor."""
    out = step.outputs[0]
    part = part_of(step.attrs.get("index"), x, out) if step.op == "getitem" else None
    if part:
        return part
    if out.number and not out.called.startswith(written):
        said = Message("{out} is {written}, an element of {x}.")
    elif out.called != written:
        said = Message("{written} takes elements of {x}, giving {out}.")
    elif out.number:
        said = Message("{out} is an element of {x}.")
    else:
        said = Message("{out} has elements of {x}.")
    return said.fill(written=written, x=x, out=out)


def writing(written: str, x: Thing, step: OpStep) -> Message:
    """`h[0] = v`, `h.uniform_(…)`: a tensor is changed in place."""
    new = (step.inputs[1] if len(step.inputs) > 1 else None) or Message("new values")
    out = step.outputs[0]
    if " += " in written:
        said = Message("{written} adds {new} to elements of {x}.")
    elif out.called == x.called:
        said = Message("{written} writes {new} into {x}.")
    else:
        said = Message("{written} writes {new} into {x}, giving {out}.")
    return said.fill(written=written, new=new, x=x, out=out)


def overwrite(step: OverwriteStep) -> Message:
    """`w.set_value(v)`."""
    return Message("{x} is overwritten with {value}.", x=step.target.called, value=step.value)


TAKEN = {
    "alias": Message("{out} is {x} detached, with the same values"),
    "copy": Message("to_tensor copies {x} into {out}"),
    "numpy": Message("{out} is a copy of {x} through NumPy"),
    "computed": Message("NumPy computed {out} from {x}"),
    "cut": Message("detach_() cuts {out} off from its history"),
}


def detach(step: DetachStep) -> Message:
    """Where the user's code cuts a gradient off."""
    taken = TAKEN[step.way].fill(out=step.out, x=step.source)
    if step.cuts or step.way == "cut":
        return Message("{taken}; no gradient flows back from it.", taken=taken)
    return Message("{taken}.", taken=taken)


def numbered(base: str, name: str, differs: bool) -> Message:
    """Why a name has a number: `x#2`, after a change in place as after another assignment."""
    if differs:
        said = Message(
            "{base} stands for different values as the code runs; this one is called {name} here."
        )
    else:
        said = Message(
            "{base} names several tensors as the code runs; this one is called {name} here."
        )
    return said.fill(base=base, name=name)


def enter(step: EnterStep) -> Message:
    rows = [
        renamed_argument(thing, name) if thing else "None"
        for thing, name in zip(step.inputs, step.outside, strict=True)
    ]
    return Message(
        "{layer}.forward is called with {given}. Nothing inside is differentiated automatically: "
        "{layer}.backward does it instead.",
        layer=step.layer,
        given=row(rows),
    )


def renamed_argument(thing: Thing, outside: str) -> Words:
    """`x [2, 3]`, or `x = data [2, 3]` where the callee has a name of its own for it."""
    if not outside or outside == thing.name or not thing.name:
        return thing
    return EQUALS.fill(name=thing.name, value=Thing(outside, thing.value, thing.shape))


def leave(step: LeaveStep) -> Message:
    rows = []
    for thing, name in zip(step.outputs, step.outside, strict=True):
        rows.append(aside(thing, name if name != thing.name else "") if thing else "None")
    if step.graded:
        said = Message("{layer}.forward returns {given}.")
    else:
        said = Message(
            "{layer}.forward returns {given}; no gradient is needed here, so backward will skip it."
        )
    return said.fill(layer=step.layer, given=row(rows))


def layer_hook(step: LayerHookStep) -> Message:
    when = Message("After {layer} has run")
    if step.when == "before":
        when = Message("Before {layer} runs")
    if step.made is None:
        said = Message("{when}, its hook {name} sees {given} and leaves it as it is.")
    else:
        said = Message("{when}, its hook {name} sees {given} and puts {made} in its place.")
    when, made = when.fill(layer=step.layer), things(step.made or ())
    return said.fill(when=when, name=step.name, given=things(step.given), made=made)


def save(step: SaveStep) -> Message:
    if step.by_user:
        said = Message("ctx.save_for_backward keeps {saved} for {op}.backward.")
    else:
        said = Message("{op} keeps {saved} for backward.")
    return said.fill(op=step.op, saved=things(step.saved))


def mark(step: MarkStep) -> Message:
    said = Message("{layer} sets {mark} to {value}.")
    if step.mark == "mark_not_inplace":
        said = Message(
            "{layer} declares that it does not change {marked} in place: a new tensor comes out."
        )
    elif step.mark == "mark_non_differentiable":
        said = Message(
            "{layer} declares {marked} non-differentiable: no gradient will come back from there."
        )
    elif step.mark == "set_materialize_grads" and step.value:
        said = Message("{layer} wants zeros in place of a missing gradient.")
    elif step.mark == "set_materialize_grads":
        said = Message("{layer} wants None in place of a missing gradient.")
    return said.fill(layer=step.layer, mark=step.mark, value=step.value, marked=things(step.marked))


SENTENCES: dict[type, Callable[[Any], Message]] = {
    OpStep: op,
    OverwriteStep: overwrite,
    DetachStep: detach,
    EnterStep: enter,
    LeaveStep: leave,
    LayerHookStep: layer_hook,
    SaveStep: save,
    MarkStep: mark,
}
