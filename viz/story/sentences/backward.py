"""One sentence for each step of a backward pass and of an optimizer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from minipaddle.messages import EMPTY, Message, Row, Text

from ...model import Fault
from ...theme import text_width
from ..steps import Facts
from .ops import operand, sign_of
from .wording import (
    Equals,
    Mention,
    NamedMention,
    Rows,
    Words,
    bracket,
    combine,
    d,
    kept_name,
    op_word,
    row,
    shape,
)

Why = Literal["uses", "starts", "old", "earlier", "zeros", "stored"]  # reason for adding gradients
Answer = Literal["other", "equal", "none"]  # the gradient that a hook returns
LETTER, TWO_LINES = 16.0, 1440.0  # font size, and width of two lines in a narrow player
FOUR_LINES = 2 * TWO_LINES
NAMED = re.compile(r"^\w+\(\)(?:: |：)")  # the name of the op, which the sentence has, too


def about_overwritten(names: Sequence[str]) -> Message:
    """Return the sentence on saved tensors that were overwritten, as by an optimizer's step."""
    return Message(
        "{names} {names:holds|hold} other values by now than in the forward pass.", names=row(names)
    )


@dataclass(frozen=True, slots=True)
class SeedStep(Facts):
    """Backward starts at a result."""

    kind = "seed"
    root: Mention | None  # None if no record shows it
    grad: Mention

    @property
    def is_of_itself(self) -> bool:
        """Whether all gradients of the pass are slopes of the root, as it is one number."""
        return bool(self.root and self.root.number and self.grad.number == "1")

    def sentence(self) -> Message:
        grad = self.grad
        if self.root is None:
            said = Message("Backward starts at a tensor that was not recorded.")
        elif self.is_of_itself:
            said = Message(
                "Backward starts at {name}: its gradient with respect to itself is {number}."
            )
        elif grad.number:
            said = Message("Backward starts at {name} with the gradient {number}.")
        else:
            said = Message("Backward starts at {name} with a gradient of shape {shape}.")
        sizes = shape(grad.shape or ())
        name = self.root.called if self.root else ""
        return said.fill(name=name, number=grad.figure, shape=sizes)


RETURNS = Message("paddle.grad returns {gradient} as {name}.")
NOT_ON = Message("{roots} {roots:does|do} not depend on {x}, so paddle.grad returns None for {x}.")
RETAINED = Message("{x}.grad keeps {gradient}, because of {x}.retain_grads().")
FIRST_PASS = Message("From here on, d… says how fast {root} changes with ….")
ANOTHER_PASS = Message("From here on, the gradients d… are those that come back from {roots}.")
VARIABLES = Message(
    "{names} {names:is a variable|are variables} of the code, not {names:a gradient|gradients}."
)


@dataclass(frozen=True, slots=True)
class IdleStep(Facts):
    """Backward has nothing to do."""

    kind = "idle"
    root: Mention

    def sentence(self) -> Message:
        return Message(
            "backward() has nothing to do: {name}.stop_gradient is True, so nothing needs a "
            "gradient.",
            name=bracket(self.root.called),
        )


def op_in_sentence(op: str, sign: str) -> Message | str:
    """Return an op's name in a sentence: `"× 2"` if it has a sign; an unrecorded call's node."""
    if op.endswith("GradNode"):
        return Message("an unrecorded call ({op})", op=op)
    if sign:
        return Message('"{sign}"', sign=sign_of(sign))
    return Message.in_context("written", "{op}", op=op) if " = " in op else op_word(op)


def without_shapes(rows: Rows) -> Rows:
    return [NamedMention(name, thing and thing.bare) for name, thing in rows]


def about_zeros(outputs: Sequence[str]) -> list[Message]:
    """Return a sentence on outputs whose gradients did not arrive, or []."""
    said = Message("No gradient arrived for {names}, so zeros are used instead.")
    return [said.fill(names=row(outputs))] if outputs else []


def shortest_needed(sentences: Iterable[Message]) -> Message:
    """Return the first sentence that fits two lines of a narrow window in all languages, or else
    the last one."""
    sentence = EMPTY
    for sentence in sentences:
        if fits(sentence, TWO_LINES):
            break
    return sentence


def fits(sentence: Message, width: float) -> bool:
    """Return whether a sentence is narrower than this in all languages."""
    texts = sentence.by_language().values()
    return max(text_width(text, LETTER) for text in texts) < width


@dataclass(frozen=True, slots=True)
class ReceiveStep(Facts):
    """The user's backward is called; `outside`: tensors of its arguments, in the caller's names."""

    kind = "receive"
    layer: str
    arrived: Rows
    zeros: Sequence[str]
    outside: Sequence[str]

    def sentence(self) -> Message:
        of = Message("{name} (the gradient of {outside})")
        rows = [
            of.fill(name=thing or f"{name} = None", outside=outside) if outside
            else thing or f"{name} = None"
            for (name, thing), outside in zip(self.arrived, self.outside, strict=True)
        ]  # fmt: skip
        called = Message(
            "{layer}.backward is called with {given}.", layer=self.layer, given=row(rows)
        )
        return combine(called, *about_zeros(self.zeros))


@dataclass(frozen=True, slots=True)
class ReturnStep(Facts):
    """A PyLayer's backward returns.

    shares: indices in `computed` of gradients that are only a part of a tensor's gradient, where
    forward calls the tensor as its caller does.
    """

    kind = "return"
    layer: str
    computed: Rows
    shares: set[int] = field(default_factory=set)

    def sentence(self) -> Message:
        layer, computed = self.layer, self.computed
        if computed and all(thing is None for _, thing in computed):
            return Message(
                "{layer}.backward returns None for {names}: no gradient flows on from there.",
                layer=layer,
                names=row([name for name, _ in computed]),
            )
        gives = results(computed, self.shares)
        return Message("{layer}.backward returns {gives}.", layer=layer, gives=gives)


def arrivals(arrived: Rows, comma: str = "") -> Message | Row:
    """Return the gradients that arrived: `the gradient of y [2, 3]`, or None if none did.

    comma: "," if the sentence continues after the last gradient's number.
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


def whose_gradients(there: Sequence[Mention], comma: str = "") -> Message:
    """Return `the gradient of x [2, 3]`, `the gradients of x and y`, `... of loss, which is 1,`."""
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


def results(computed: Rows, shares: Iterable[int] = (), comma: str = "") -> Message | Row:
    """Return the computed gradients for a sentence; None for a gradient that does not exist.

    shares: indices of gradients that are only a part of a tensor's gradient.
    """
    names = [name for name, _ in computed]
    there = [thing for _, thing in computed if thing is not None]
    if len(there) == len(set(names)) == len(computed) and not shares:
        return whose_gradients(there, comma)
    rows = list[Words]()
    for place, (name, thing) in enumerate(computed):
        count = names.count(name)
        if thing is None:
            rows.append(Message("None for {name} (no gradient flows there)", name=name))
        elif count > 1:
            rows.append(Message("{count} gradients of {name}", count=count, name=name))
        elif place not in shares:
            rows.append(whose_gradients([thing], comma))
        elif thing.number:
            part = Message("{number} (part of {gradient})", number=thing.figure)
            rows.append(part.fill(gradient=whose_gradients([thing.bare])))
        else:
            rows.append(Message("part of {gradient}", gradient=whose_gradients([thing])))
    return row(rows)


# Reason why gradients are added -> its text.
ADDED: dict[Why, Message] = {
    "uses": Message("{x} was used more than once, so its gradients are added up"),
    "starts": Message("{x} starts with a gradient and receives another, so the two are added up"),
    "old": Message(
        "{x}.grad still holds an old gradient, not cleared by clear_grad(); the new one is added"
    ),
    "earlier": Message(
        "{x}.grad holds the gradient of the earlier backward from {roots}; the new one is added"
    ),
    "zeros": Message(
        "{x}.grad holds only zeros, as after clear_grad(); the new gradient is added to them"
    ),
    "stored": Message("The new gradient is added to what {x}.grad holds"),
}
ADDS = Message("{why} (+=).")


@dataclass(frozen=True, slots=True)
class AccumulateStep(Facts):
    """Two gradients are added: both of this pass, or one of them the old `.grad`.

    why: uses (the tensor was used more than once), starts (backward starts there, too), old (an
    earlier gradient), earlier (that of passes of the same round, from `roots`), zeros (of
    clear_grad, or a gradient that was 0), stored (one of these three).
    """

    kind = "accumulate"
    target: str
    held: Mention
    added: Mention
    total: Mention
    why: Why
    roots: Sequence[str] = ()

    @property
    def reason(self) -> Message:
        """The sentence without the numbers."""
        roots = {"roots": row(self.roots)} if self.roots else {}
        return ADDS.fill(why=ADDED[self.why].fill(x=self.target, **roots))

    def sentence(self) -> Message:
        why, terms = self.reason.slots["why"], (self.held, self.added, self.total)
        if not all(thing.number for thing in terms):
            return self.reason
        held, added, total = (thing.figure for thing in terms)
        said = Message("{why} (+=): {held} + {added} {equals} {total}.")
        equals = Equals("+", (held, added, total))
        return said.fill(why=why, held=held, added=operand(added), equals=equals, total=total)


@dataclass(frozen=True, slots=True)
class UnbroadcastStep(Facts):
    """The gradient of a broadcast tensor is summed back to the tensor's shape."""

    kind = "unbroadcast"
    target: str
    before: Mention
    after: Mention

    def sentence(self) -> Message:
        small, big = self.after.shape or (), shape(self.before.shape or ())
        if not small:
            said = Message(
                "{x} was broadcast to {big} in forward, so the gradient is summed to one number."
            )
            return said.fill(x=self.target, big=big)
        said = Message(
            "{x} was broadcast to {big} in forward, so the gradient is summed back to {small}."
        )
        return said.fill(x=self.target, big=big, small=shape(small))


@dataclass(frozen=True, slots=True)
class HookStep(Facts):
    """A hook saw a gradient; `by`: the name of the tensor that replaces it, or ""."""

    kind = "hook"
    name: str
    target: str
    answer: Answer
    by: str = ""

    def sentence(self) -> Message:
        if self.answer == "other" and self.by:
            said = Message(
                "The hook {name} receives {dx} and replaces it by {by}; from here on, {dx} is the "
                "new one."
            )
        elif self.answer == "other":
            said = Message(
                "The hook {name} receives {dx} and replaces it; from here on, {dx} is the new one."
            )
        elif self.answer == "equal":
            said = Message(
                "The hook {name} receives the gradient of {x} and returns a new one equal to it."
            )
        else:
            said = Message("The hook {name} receives the gradient of {x} and does not replace it.")
        return said.fill(name=self.name, x=self.target, dx=d(self.target), by=self.by)


@dataclass(frozen=True, slots=True)
class LeafStep(Facts):
    """A gradient arrived in `.grad`; `on_top`: it was added to an old gradient."""

    kind = "leaf"
    target: str
    grad: Mention
    on_top: bool = False

    def sentence(self) -> Message:
        grad = self.grad
        if grad.number:
            return Message("{x}.grad is now {number}.", x=self.target, number=grad.figure)
        said = Message("The gradient has reached {x}; {x}.grad {shape} holds it.")
        if self.on_top:
            said = Message(
                "{x}.grad {shape} now holds the sum of the old gradient and the new one."
            )
        return said.fill(x=self.target, shape=shape(grad.shape or ()))


@dataclass(frozen=True, slots=True)
class ReleaseStep(Facts):
    """A grad node releases its saved tensors."""

    kind = "release"
    op: str
    names: Sequence[str]

    @property
    def of_memory(self) -> bool:
        return True

    def sentence(self) -> Message:
        return Message(
            "The backward of {op} is done; it no longer keeps {names}.",
            op=op_in_sentence(self.op, ""),
            names=row(map(kept_name, self.names)),
        )


@dataclass(frozen=True, slots=True)
class UpdateStep(Facts):
    """An optimizer changed a parameter, whose old value is `before`."""

    kind = "update"
    optimizer: str
    target: Mention
    before: Mention

    def sentence(self) -> Message:
        before, after = self.before, self.target
        if before.number == after.number == "nan":
            said = Message("{rule} updates {name}, using its gradient: it stays NaN.")
        elif before.number == after.number != "":
            said = Message("{rule} updates {name}, using its gradient: it stays {number}.")
        elif before.number and after.number:
            said = Message("{rule} updates {name}, using its gradient: from {before} to {after}.")
        else:
            said = Message("{rule} updates {x}, using its gradient.", name=after.called)
        said = said.fill(rule=self.optimizer, name=after.called, x=after)
        return said.fill(before=before.figure, number=after.figure, after=after.figure)


@dataclass(frozen=True, slots=True)
class ErrorStep(Facts):
    """An exception stopped a run; `during` names the work that it stopped, if known."""

    kind = "error"
    error: str
    message: Message
    during: Message | None = None
    fault: Fault | None = None

    def sentence(self) -> Message:
        first = first_lines(self.message)
        if self.during is None:
            stops = Message("It stops here with {error}", error=self.error)
        else:
            stops = Message("{error} is raised in {at}", at=self.during, error=self.error)
        if not first.en:
            return Message("{stops}.", stops=stops)
        return Message("{stops}: {message}.", stops=stops, message=first)


def first_lines(message: Message) -> Message:
    """Return the first line of an exception's message, without its full stop."""
    return Text(*(NAMED.sub("", text.strip().split("\n")[0].rstrip(".。")) for text in message))


@dataclass(frozen=True, slots=True)
class CutStep(Facts):
    """The recording reached its limit of events or bytes."""

    kind = "cut"
    what: str
    limit: float

    def sentence(self) -> Message:
        """Return the sentence on the limit, which claims nothing about later work."""
        if self.what == "bytes":
            said = Message(
                "The recording ends here: it holds {limit:g} MB of values, its limit. "
                "The program went on; a larger megabytes shows more of it."
            )
        else:
            said = Message(
                "The recording ends here: it holds {limit:,} events, its limit. "
                "The program went on; a larger limit shows more of it."
            )
        return said.fill(limit=self.limit)
