"""One sentence for each step of a backward pass and of an optimizer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from minipaddle.messages import EMPTY, Message, Row, Text

from ...theme import text_width
from ..steps import (
    AccumulateStep,
    CutStep,
    ErrorStep,
    HookStep,
    IdleStep,
    LeafStep,
    ReceiveStep,
    ReleaseStep,
    ReturnStep,
    SeedStep,
    UnbroadcastStep,
    UpdateStep,
    VisitStep,
    Why,
)
from . import gradients
from .ops import operand, sign_of
from .wording import NamedThing, Rows, Thing, Words, followed, row, shape

LETTER, TWO_LINES = 16.0, 1440.0  # the size and the room of sentences in a narrow player


def rewritten(names: Sequence[str]) -> Message:
    """What was saved is not what backward finds, where an optimizer stepped in between."""
    return Message(
        "{names} {names:holds|hold} other values by now than in the forward pass.", names=row(names)
    )


def seed(step: SeedStep) -> Message:
    grad = step.grad
    if grad.number == "1" and step.root.number:
        said = Message("Backward starts at {name}: its own gradient is {number}.")
    elif grad.number:
        said = Message("Backward starts at {name} with the gradient {number}.")
    else:
        said = Message("Backward starts at {name} with a gradient of shape {shape}.")
    sizes = shape(grad.shape or ())
    return said.fill(name=step.root.called, number=grad.figure, shape=sizes)


def idle(step: IdleStep) -> Message:
    return Message(
        "backward() has nothing to do: {name}.stop_gradient is True, so nothing needs a gradient.",
        name=step.root.called,
    )


def visit(step: VisitStep) -> Message:
    if step.computed:
        return shortest_needed(visits(step))
    op, came = signed(step.op, step.sign), arrivals(step.arrived)
    return Message("Backward of {op} begins, with {came}.", op=op, came=came)


def signed(op: str, sign: str) -> Message | str:
    """`"× 2"`: an op whose name says less than its sign; of a call not recorded, its node."""
    if op.endswith("GradNode"):
        return Message("an unrecorded call ({op})", op=op)
    if sign:
        return Message('"{sign}"', sign=sign_of(sign))
    return Message.in_context("written", "{op}", op=op) if " = " in op else op


def visits(step: VisitStep) -> Iterator[Message]:
    """What it does to the gradient, or what it makes of what; then that without shapes."""
    op, zeros = signed(step.op, step.sign), stand_ins(step.zeros)
    for shapes in (True, False):
        if said := gradients.sentence(step, op, shapes):
            yield said
    full = brief = Message("Backward of {op}: from {came} it computes {gives}.")
    if step.uses:
        full = Message("Backward of {op}: from {came} and the saved {saved} it computes {gives}.")
    ways = (
        (full, step.arrived, step.computed),
        *(
            (said, without_shapes(step.arrived), without_shapes(step.computed))
            for said in (full, brief)
        ),
    )
    for said, arrived, computed in ways:
        came, gives = arrivals(arrived, ","), results(computed)
        yield followed(said.fill(op=op, came=came, saved=row(step.uses), gives=gives), *zeros)


def without_shapes(rows: Rows) -> Rows:
    return [NamedThing(name, thing and thing.bare) for name, thing in rows]


def stand_ins(outputs: Sequence[str]) -> list[Message]:
    """Whose gradients did not arrive, as one more sentence."""
    said = Message("No gradient arrived for {names}, so zeros are used instead.")
    return [said.fill(names=row(outputs))] if outputs else []


def shortest_needed(sentences: Iterable[Message]) -> Message:
    """The first that fits two lines of a narrow window in all languages, or else the last."""
    sentence = EMPTY
    for sentence in sentences:
        texts = sentence.by_language().values()
        if max(text_width(text, LETTER) for text in texts) < TWO_LINES:
            break
    return sentence


def receive(step: ReceiveStep) -> Message:
    of = Message("{name}, the gradient of {outside}")
    rows = [
        of.fill(name=thing or f"{name} = None", outside=outside) if outside
        else thing or f"{name} = None"
        for (name, thing), outside in zip(step.arrived, step.outside, strict=True)
    ]  # fmt: skip
    called = Message("{layer}.backward is called with {given}.", layer=step.layer, given=row(rows))
    return followed(called, *stand_ins(step.zeros))


def returns(step: ReturnStep) -> Message:
    layer, computed = step.layer, step.computed
    if computed and all(thing is None for _, thing in computed):
        return Message(
            "{layer}.backward returns None for {names}: no gradient flows on from there.",
            layer=layer,
            names=row([name for name, _ in computed]),
        )
    return Message("{layer}.backward returns {gives}.", layer=layer, gives=results(computed))


def arrivals(arrived: Rows, comma: str = "") -> Message | Row:
    """The gradients that came in: `the gradient of y [2, 3]`; None only where nothing came.

    comma: of a sentence that goes on, after the number of the last one.
    """
    arrived = [row for row in arrived if row[1] is not None] or arrived[:1]
    if not arrived:
        return Message("what arrived")
    there = [thing for _, thing in arrived if thing is not None]
    if len(there) == len(arrived) > 1:
        return whose_gradients(there)
    none = Message.in_context("arrived", "None for {name}")
    return row(
        whose_gradients([thing], comma) if thing else none.fill(name=name)
        for name, thing in arrived
    )


def whose_gradients(there: Sequence[Thing], comma: str = "") -> Message:
    """`the gradient of x [2, 3]`, `the gradients of x and y [3]`, `... of loss, which is 1,`."""
    if not there:
        return Message("nothing")
    names = row([thing.called if thing.number else thing for thing in there])
    if len(there) > 1:
        return Message("the gradients of {names}", names=names)
    if not there[0].number:
        return Message("the gradient of {name}", name=names)
    if comma:
        said = Message("the gradient of {name}, which is {number},")
    else:
        said = Message("the gradient of {name}, which is {number}")
    return said.fill(name=names, number=there[0].figure)


def results(computed: Rows) -> Message | Row:
    """The gradients that were computed; None where there is none."""
    names = [name for name, _ in computed]
    there = [thing for _, thing in computed if thing is not None]
    if len(there) == len(set(names)) == len(computed):
        return whose_gradients(there)
    rows = list[Words]()
    for name, thing in computed:
        count = names.count(name)
        if thing is None:
            rows.append(Message("None for {name} (no gradient flows there)", name=name))
        elif count > 1:
            rows.append(Message("{count} gradients of {name}", count=count, name=name))
        else:
            rows.append(whose_gradients([thing]))
    return row(rows)


# Why there is a gradient to add to.
ADDED: dict[Why, Message] = {
    "uses": Message("{x} was used in several places, so its gradients are added up"),
    "starts": Message(
        "{x} starts with a gradient and receives another, so the two are added up",
    ),
    "old": Message(
        "{x}.grad still holds an old gradient, not cleared by clear_grad(); the new one is added"
    ),
    "zeros": Message(
        "{x}.grad holds only zeros, as after clear_grad(); the new gradient is added to them"
    ),
    "stored": Message("The new gradient is added to what {x}.grad holds"),
}


def accumulate(step: AccumulateStep) -> Message:
    why, terms = ADDED[step.why].fill(x=step.target), (step.held, step.added, step.total)
    if not all(thing.number for thing in terms):
        return Message("{why} (+=).", why=why)
    held, added, total = step.held.figure, operand(step.added.figure), step.total.figure
    said = Message("{why} (+=): {held} + {added} = {total}.")
    return said.fill(why=why, held=held, added=added, total=total)


def unbroadcast(step: UnbroadcastStep) -> Message:
    return Message(
        "{x} was broadcast to {big} in forward, so its gradient is summed back to {small}.",
        x=step.target,
        big=shape(step.before.shape or ()),
        small=shape(step.after.shape or ()),
    )


def hook(step: HookStep) -> Message:
    if step.changed:
        said = Message("The hook {name} sees the gradient of {x} and replaces it.")
    else:
        said = Message("The hook {name} sees the gradient of {x} and leaves it as it is.")
    return said.fill(name=step.name, x=step.target)


def leaf(step: LeafStep) -> Message:
    grad = step.grad
    if grad.number:
        return Message("{x}.grad is now {number}.", x=step.target, number=grad.figure)
    said = Message("The gradient has reached {x}; {x}.grad {shape} holds it.")
    return said.fill(x=step.target, shape=shape(grad.shape or ()))


def release(step: ReleaseStep) -> Message:
    return Message(
        "The backward of {op} is done; the saved {names} {names:is|are} released.",
        op=signed(step.op, ""),
        names=row(step.names),
    )


def update(step: UpdateStep) -> Message:
    name, rule = step.target.called, step.optimizer
    if step.before.number == step.target.number == "nan":
        said = Message("{rule} updates {name}, using its gradient: it stays NaN.")
        return said.fill(rule=rule, name=name)
    if step.before.number and step.target.number:
        return Message(
            "{rule} updates {name}, using its gradient: from {before} to {after}.",
            rule=rule,
            name=name,
            before=step.before.figure,
            after=step.target.figure,
        )
    return Message("{rule} updates {x}, using its gradient.", rule=rule, name=name, x=step.target)


def error(step: ErrorStep) -> Message:
    first = first_lines(step.message)
    if step.during is None:
        stops = Message("It stops here with {error}", error=step.error)
    else:
        stops = Message("{error} is raised in {at}", at=step.during, error=step.error)
    if not first.en:
        return Message("{stops}.", stops=stops)
    return Message("{stops}: {message}.", stops=stops, message=first)


def first_lines(message: Message) -> Message:
    """What an exception says first, without its full stop."""
    return Text(*(text.strip().split("\n")[0].rstrip(".。") for text in message))


def cut(step: CutStep) -> Message:
    """The recording reached its limit; nothing is said of what ran then."""
    if step.what == "bytes":
        said = Message(
            "The recording ends here: it holds {limit:g} MB of values, its limit. "
            "The program went on; a larger megabytes shows more of it."
        )
    else:
        said = Message(
            "The recording ends here: it holds {limit:,} events, its limit. "
            "The program went on; a larger limit shows more of it."
        )
    return said.fill(limit=step.limit)


SENTENCES: dict[type, Callable[[Any], Message]] = {
    IdleStep: idle,
    SeedStep: seed,
    VisitStep: visit,
    ReceiveStep: receive,
    ReturnStep: returns,
    AccumulateStep: accumulate,
    UnbroadcastStep: unbroadcast,
    HookStep: hook,
    LeafStep: leaf,
    ReleaseStep: release,
    UpdateStep: update,
    ErrorStep: error,
    CutStep: cut,
}
