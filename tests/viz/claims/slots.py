"""The slots of a step's sentence: each must be a field of the step's facts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from math import prod
from typing import Any

from minipaddle.messages import Message, Row, languages
from viz.document.document import decode_before
from viz.document.history import Before
from viz.story.builder import Builder
from viz.story.draft import StepDraft
from viz.story.sentences import backward as backward_steps
from viz.story.sentences import forward as forward_steps
from viz.story.sentences import programs as program_steps
from viz.story.sentences.gradients import VisitStep
from viz.story.sentences.wording import Constant, Figure, Mention, OneLess, d, digits, followed
from viz.story.steps import Facts
from viz.trace import Step, Trace

NUMBER = re.compile(r"(?<![\w.])[−-]?\d[\d.,]*(?:e[−+]?\d+)?(?![\w])")


@dataclass(frozen=True)
class Told:
    """One step of a story, the facts in its sentence, and its further sentences."""

    facts: Any
    step: Step
    asides: tuple[Message, ...] = ()


def told(trace: Trace) -> list[Told]:
    """Return the steps of a trace with their facts."""
    before = before_of(trace)
    builder = Builder(trace)
    builder.walk(before.events)
    builder.end()
    builder.story("", before.odd)
    drafts: list[StepDraft[Facts]] = builder.draft.steps
    rows = zip(drafts, trace.story.steps, strict=True)
    return [Told(draft.facts, step, tuple(draft.asides)) for draft, step in rows]


def before_of(trace: Trace) -> Before:
    """Return what was known before a part of a recording; nothing for a whole recording."""
    return decode_before(trace.document) or Before(0, (), None)


def slot_faults(one: Told) -> Iterator[str]:
    """Compare the sentence of a step with its facts."""
    sentence = one.facts.sentence()
    if one.step.text != followed(sentence, *one.asides):
        yield f"{one.step.text.en!r} is not what these facts say: {sentence.en!r}"
    things, words = [*things_in(one.facts)], words_of(one.facts)
    for slot in slots_of(sentence):
        match slot:
            case Mention():
                own = [thing for thing in things if thing.called == slot.called]
                known = own or (things if slot.called in words else [])  # or a name outside
                if not any(slot.text in texts_of(thing, slot.called) for thing in known):
                    yield f"nothing is {slot.text!r}"
            case Figure():
                if slot.digits not in {thing.number for thing in things}:
                    yield f"nothing has the number {slot.digits}"
            case Constant():
                if slot.digits not in " ".join(words):
                    yield f"no constant is {slot.digits}"
            case OneLess():
                if slot.constant not in " ".join(words):
                    yield f"no constant is {slot.constant}"
            case str() | int() | float():
                if str(slot) not in words | counts(one.facts):
                    yield f"no fact is {slot!r}"
            case _:
                yield f"nobody knows a slot like {slot!r}"


def slots_of(message: Any) -> Iterator[Any]:
    """Yield the values of the slots of a message and of the messages in it."""
    match message:
        case Message():
            templates = "".join(map(message.template_in, languages()))
            for name, value in message.slots.items():
                if re.search(rf"\{{{name}\W", templates):
                    yield from slots_of(value)
        case Row():
            for item in message.items:
                yield from slots_of(item)
        case _:
            yield message


def texts_of(thing: Mention, called: str) -> set[str]:
    """Return what a sentence may say of a tensor: its name, with its number or its shape."""
    shaped = {f"{called} {shape_of(thing)}", f"({called}) {shape_of(thing)}"}
    return {called, f"{called} = {thing.number}"} | ({thing.number} if thing.number else shaped)


def shape_of(thing: Mention) -> str:
    return "[" + ", ".join("?" if n < 0 else str(n) for n in thing.shape or ()) + "]"


def words_of(facts: Any) -> set[str]:
    """Return every text in facts, and the shapes of their tensors."""
    words: set[str] = {"None"}
    for thing in things_in(facts):
        words |= {shape_of(thing), *texts_of(thing, thing.called), thing.called.split("@")[0]}
        words.add(thing.called.removesuffix("ᵀ"))
    texts = {*texts_in(facts)}
    if isinstance(facts, VisitStep):  # gradients have names, also in brackets
        words |= {d(thing.called) for thing in things_in(facts)}
        words |= {f"({thing.called})" for thing in things_in(facts)} | numbers_in(facts.attrs)
    if isinstance(facts, forward_steps.OpStep):
        words |= {f"({thing.called})" for thing in things_in(facts)} | numbers_in(facts.attrs)
        words |= {*facts.symbol.split()}
    words |= {part for text in texts for part in text.split(", ")}
    words |= {f"static.{facts.by}"} if isinstance(facts, program_steps.AppendStep) else set()
    return words | texts | {f"{text} = None" for text in texts}


def texts_in(facts: Any) -> Iterator[str]:
    """Yield the texts in facts; for a message, the texts of its slots."""
    match facts:
        case str():
            yield facts
        case Message():
            yield from (facts.en, facts.en.partition("\n")[0])
            yield from (slot for slot in slots_of(facts) if isinstance(slot, str))
        case list() | tuple():
            for item in facts:
                yield from texts_in(item)
        case dict():
            yield from texts_in([*facts.items()])
        case _ if is_dataclass(facts) and not isinstance(facts, Mention):
            for field in fields(facts):
                yield from texts_in(getattr(facts, field.name))


def counts(facts: Any) -> set[str]:
    """Return the numbers that a sentence may say besides those of its tensors."""
    match facts:
        case forward_steps.OpStep():  # numbers of the call
            said = {n.rstrip(",.") for n in NUMBER.findall(facts.symbol.replace("-", "−"))}
            return said | numbers_in(facts.attrs) | sizes_of(facts)
        case VisitStep():
            names = [row.name for row in facts.computed]
            sizes = [prod(thing.shape or ()) for thing in things_in(facts)]
            shares = {str(sizes[i] // n) for i in range(len(sizes)) for n in sizes if n}
            return {str(names.count(name)) for name in names} | shares | numbers_in(facts.attrs)
        case program_steps.AppendStep():
            return {str(facts.index), str(len(facts.outputs))}
        case program_steps.PartStep():
            return {str(facts.number)}
        case program_steps.ExecuteStep():
            return {str(facts.turns)}
        case program_steps.StartupStep():
            return {str(len(facts.made))}
        case program_steps.FreeStep():
            return {str(len({*facts.names}))}
        case backward_steps.CutStep():
            return {f"{facts.limit:,}", str(facts.limit), f"{facts.limit:g}"}
    return set()


def numbers_in(attrs: Any) -> set[str]:
    """Return the numbers and words of attributes, as sentences write them; windows as `2×2`."""
    match attrs:
        case dict():
            return {word for value in attrs.values() for word in numbers_in(value)}
        case list() | tuple():
            return {word for value in attrs for word in numbers_in(value)} | {window(attrs)}
    return {attrs if isinstance(attrs, str) else digits(attrs)}


def window(sizes: Any) -> str:
    return "×".join(map(str, sizes))


def sizes_of(facts: forward_steps.OpStep) -> set[str]:
    """Return the numbers that shapes imply: filters, rows counted from the end, more axes."""
    shapes = [tuple(thing.shape or ()) for thing in things_in(facts)]
    more = {str(abs(len(one) - len(other))) for one in shapes for other in shapes}
    if facts.op == "conv2d":
        return {str(shapes[1][0]), window(shapes[1][2:])}
    if facts.op == "layer_norm":
        return {str(len(shapes[0]) - facts.attrs["begin_norm_axis"])}
    index = facts.attrs.get("index")
    places = [n for n in (index if isinstance(index, list) else [index]) if isinstance(n, int)]
    return more | {str(n + size) for n in places for size in shapes[0] if n < 0}


def things_in(facts: Any) -> Iterator[Mention]:
    """Yield every tensor and gradient in facts."""
    if isinstance(facts, Mention):
        yield facts
    elif isinstance(facts, (list, tuple)):
        for item in facts:
            yield from things_in(item)
    elif is_dataclass(facts):
        for field in fields(facts):
            yield from things_in(getattr(facts, field.name))
