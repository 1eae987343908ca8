"""Lies planted in true stories, and code that lies, to see whether the machine notices."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from minipaddle.engine.reasons import Reason
from minipaddle.messages import Message, Text
from viz.model import Line
from viz.story import first_nan, missing_gradient
from viz.story import forward as story_forward
from viz.story import memory as story_memory
from viz.story.draft import Draft
from viz.story.failures import Failures
from viz.story.sentences import memory as say_memory
from viz.story.sentences import ops, wording
from viz.story.sentences import programs as runs
from viz.story.sentences.wording import Mention, NamedMention, followed
from viz.story.tape import Tape
from viz.story.tensors import Tensors

from .slots import Told

Story = list[Told]

# ----- facts that are not so ---------------------------------------------------------------------


def with_facts(story: Story, at: int, facts: Any) -> Story:
    """Return a story in which one step has other facts, and the sentence that they make."""
    one = story[at]
    text = followed(facts.sentence(), *one.asides)
    return [
        *story[:at],
        replace(one, facts=facts, step=replace(one.step, text=text)),
        *story[at + 1 :],
    ]


def resize(thing: Mention) -> Mention:
    """Add a row to the shape."""
    if not thing.shape:
        return thing
    sizes = [thing.shape[0] + 1, *thing.shape[1:]]
    value = {**thing.value, "shape": sizes} if thing.value else None
    return replace(thing, value=value, shape=tuple(sizes))


def enlarge(thing: Mention) -> Mention:
    """Add 1 to a single number."""
    if not thing.number or not thing.value:
        return thing
    number = float(thing.number.replace("−", "-")) if thing.number[-1].isdigit() else 0.0
    return replace(thing, value={**thing.value, "data": number + 1.0})


def change_first(fact: Any, change: Callable[[Mention], Mention]) -> Any:
    """Change the first tensor of which a fact speaks."""
    match fact:
        case Mention():
            return change(fact)
        case NamedMention():
            return fact._replace(thing=change_first(fact.thing, change))
        case list() | tuple() if fact and type(fact) in (list, tuple):
            return type(fact)([change_first(fact[0], change), *fact[1:]])
    return fact


def lies_about(facts: Any, field: str, other: Any) -> Iterator[Any]:
    """Yield facts of which one field is false.

    It is the field of `other` facts of this kind, or another word, number or answer, or its first
    tensor has another shape or number.
    """
    fact = getattr(facts, field)
    false = [getattr(other, field), change_first(fact, resize), change_first(fact, enlarge)]
    match fact:
        case bool():
            false.append(not fact)
        case int() | float():
            false.append(fact + 1)
        case str():
            false.append(f"{fact}_2")
    yield from (replace(facts, **{field: each}) for each in false if repr(each) != repr(fact))


# ----- steps that are not so ---------------------------------------------------------------------


def with_step(story: Story, at: int, **changed: Any) -> Story:
    """Return a story in which one step says, shows or points at something else."""
    return [
        *story[:at],
        replace(story[at], step=replace(story[at].step, **changed)),
        *story[at + 1 :],
    ]


def false_stories(story: Story, kind: str) -> dict[str, Story]:
    """Return stories in which the first step of a kind is false as a step."""
    at, second, *_ = (i for i, one in enumerate(story) if one.facts.kind == kind)
    step, other = story[at].step, story[second].step
    said = step.text.by_language()
    exchanged = list(story)
    exchanged[at], exchanged[second] = story[second], story[at]
    assert step.line
    return {
        "left out": [*story[:at], *story[at + 1 :]],
        "twice": [*story[: at + 1], *story[at:]],
        "exchanged": exchanged,
        "the sentence of another": with_step(story, at, text=other.text),
        "another sentence in Chinese": with_step(
            story, at, text=Text(said["en"], other.text.by_language()["zh"])
        ),
        "another line": with_step(story, at, line=Line(step.line.source, step.line.number - 1)),
        "another value": with_step(
            story, at, shown=(replace(step.shown[0], value=other.shown[-1].value), *step.shown[1:])
        ),
    }


# ----- code that lies ----------------------------------------------------------------------------


class Mutant(NamedTuple):
    """A part of viz that does something else; `change` gets what it was."""

    name: str
    recording: str
    owner: Any
    attribute: str
    change: Callable[[Any], Any]


def backwards(words: Message, english: bool) -> Message:
    """The words of an op with the inputs exchanged in one language."""
    en, zh = (words.template_in(lang) for lang in ("en", "zh"))
    one = en if english else zh
    turned = one.replace("{x}", "{}").replace("{y}", "{x}").replace("{}", "{y}")
    return Text(turned, zh) if english else Text(en, turned)


def one_more(sentence: Callable[[Any], Message]) -> Any:
    """Every count in a sentence is one too large."""

    def say(facts: Any) -> Message:
        said = sentence(facts)
        counts = {name: n + 1 for name, n in said.slots.items() if isinstance(n, int)}
        return said.fill(**counts) if counts else said

    return say


MUTANTS: tuple[Mutant, ...] = (
    Mutant("English takes the other from it", "shown_in_order", ops.WORDS, "subtract",
           lambda words: backwards(words, True)),
    Mutant("Chinese takes the other from it", "shown_in_order", ops.WORDS, "subtract",
           lambda words: backwards(words, False)),
    Mutant("shapes are turned round", "stories.many_uses", wording, "shape",
           lambda shape: lambda sizes: shape(sizes[::-1])),
    Mutant("numbers lose their digits", "stories.single", wording, "digits",
           lambda digits: lambda number: digits(float(f"{number:.1g}"))),
    Mutant("one more gets a value", "programs.program", runs.StartupStep, "sentence", one_more),
    Mutant("names are lost", "stories.many_uses", Tensors, "name", lambda _: lambda *_: ""),
    Mutant("a node's number is a tensor's", "from_the_middle", Tensors, "behind",
           lambda behind: lambda self, edge: (
               behind(self, edge) if edge.kind == "leaf" or edge.id in self.tape.nodes else None)),
    Mutant("values are larger in memory", "stories.many_uses", story_memory, "bytes_of",
           lambda size: lambda *given: size(*given) + 1),
    Mutant("most memory is at the next step", "stories.many_uses", say_memory, "most",
           lambda most: lambda memory: most(memory).changed(lambda text: re.sub(
               r"(?<=step )\d+|(?<=第 )\d+", lambda n: str(int(n[0]) + 1), text))),
    Mutant("the next line", "stories.many_uses", Draft, "line",
           lambda line: lambda self, place: (found := line(self, place)) and found._replace(
               number=found.number + 1)),
    Mutant("the line of another op", "stories.many_uses", Tape, "node",
           lambda node: lambda self, *given: setattr(
               made := node(self, *given), "place", self.calls[1].place) or made),
    Mutant("boxes have another dtype", "dtypes", story_forward, "detail",
           lambda detail: lambda *given: detail(*given).replace("float16", "float32")),
    Mutant("one more NaN", "stories.odd", first_nan, "count_of",
           lambda count: lambda *given: count(*given) and count(*given) + 1),
    Mutant("nothing was at work", "stories.failing", Failures, "_stop",
           lambda stop: lambda *given: stop(*given)._replace(work=None)),
    Mutant("the wrong reason", "cut_off", missing_gradient, "stop_reason",
           lambda _: lambda *_: Reason.RETURNED_NONE),
)  # fmt: skip
