"""Lies planted in true stories and in the records beside them, to see whether the machine notices.

A lie is told consistently, in both languages, unless the lie is in one of the sentences.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Sequence
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
from viz.story.sentences import backward as passes
from viz.story.sentences import memory as say_memory
from viz.story.sentences import ops, wording
from viz.story.sentences import programs as runs
from viz.story.sentences.forward import OverwriteStep
from viz.story.sentences.gradients import VisitStep
from viz.story.sentences.wording import Mention, NamedMention, followed
from viz.story.steps import Facts
from viz.story.tape import Tape
from viz.story.tensors import Tensors
from viz.trace import Trace

from .slots import Told

Story = list[Told]


class Lie(NamedTuple):
    """What is said, in which recording; `tell` gives the story with the lie."""

    name: str
    recording: str
    tell: Callable[[Story], Story]


class Forgery(NamedTuple):
    """Another record beside a true story; `write` changes the document."""

    name: str
    recording: str
    write: Callable[[Any], None]


# ----- how to lie --------------------------------------------------------------------------------


def retold(one: Told, facts: Any) -> Told:
    """The step with other facts and the sentences that they make."""
    text = followed(facts.sentence(), *one.asides)
    return replace(one, facts=facts, step=replace(one.step, text=text))


def of_kind(story: Story, kind: str, wanted: Callable[[Any], bool] = lambda _: True) -> int:
    """The first step of a kind."""
    return next(i for i, one in enumerate(story) if one.facts.kind == kind and wanted(one.facts))


def saying(kind: str, change: Callable[[Any], Facts], wanted: Any = lambda _: True) -> Any:
    """Let the first step of a kind have other facts."""

    def tell(story: Story) -> Story:
        at = of_kind(story, kind, wanted)
        return [*story[:at], retold(story[at], change(story[at].facts)), *story[at + 1 :]]

    return tell


def misquoted(kind: str, lang: str, word: str, other: str, wanted: Any = lambda _: True) -> Any:
    """Let one sentence say another word."""

    def tell(story: Story) -> Story:
        at = of_kind(story, kind, wanted)
        said = story[at].step.text.by_language()
        assert word in said[lang], said
        text = Text(**{**said, lang: said[lang].replace(word, other, 1)})
        one = replace(story[at], step=replace(story[at].step, text=text))
        return [*story[:at], one, *story[at + 1 :]]

    return tell


def exchanged(kind: str) -> Any:
    """Let two steps of a kind change places."""

    def tell(story: Story) -> Story:
        first = of_kind(story, kind)
        second = next(i for i in range(first + 1, len(story)) if story[i].facts.kind == kind)
        story = list(story)
        story[first], story[second] = story[second], story[first]
        return story

    return tell


def left_out(kind: str) -> Any:
    return lambda story: [*story[: of_kind(story, kind)], *story[of_kind(story, kind) + 1 :]]


def told_twice(kind: str) -> Any:
    return lambda story: [*story[: of_kind(story, kind) + 1], *story[of_kind(story, kind) :]]


def sentence_of_another(kind: str, change: Callable[[Any], Any]) -> Any:
    """Let the sentences be those of other facts, and the facts be true."""

    def tell(story: Story) -> Story:
        at = of_kind(story, kind)
        wrong = retold(story[at], change(story[at].facts))
        return [*story[:at], replace(story[at], step=wrong.step), *story[at + 1 :]]

    return tell


def placed(kind: str, further: int) -> Any:
    """Let a step point at another line."""

    def tell(story: Story) -> Story:
        at = of_kind(story, kind)
        step = story[at].step
        assert step.line
        moved = replace(step, line=Line(step.line.source, step.line.number + further))
        return [*story[:at], replace(story[at], step=moved), *story[at + 1 :]]

    return tell


def showing_another(kind: str) -> Any:
    """Let the inspector show a value of another step."""

    def tell(story: Story) -> Story:
        at = of_kind(story, kind)
        step = story[at].step
        other = next(
            shown.value for one in story for shown in one.step.shown
            if shown.value and shown.value not in [s.value for s in step.shown]
        )  # fmt: skip
        shown = (replace(step.shown[0], value=other), *step.shown[1:])
        return [
            *story[:at], replace(story[at], step=replace(step, shown=shown)), *story[at + 1 :]
        ]  # fmt: skip

    return tell


def renamed(thing: Mention | None, name: str = "somebody") -> Mention:
    assert thing
    return replace(thing, name=name)


def resized(thing: Mention | None) -> Mention:
    """With one more row."""
    assert thing
    assert thing.shape
    sizes = [thing.shape[0] + 1, *thing.shape[1:]]
    value = {**thing.value, "shape": sizes} if thing.value else None
    return replace(thing, value=value, shape=tuple(sizes))


def larger(thing: Mention | None) -> Mention:
    """A number, and one more."""
    assert thing
    assert thing.value
    number = thing.value["data"]
    while isinstance(number, list):
        (number,) = number
    return replace(thing, value={**thing.value, "data": number + 1.0})


def other_row(rows: Sequence[NamedMention]) -> list[NamedMention]:
    """The first gradient under another name."""
    name, thing = rows[0]
    return [NamedMention(f"{name}_2", thing and renamed(thing, f"{name}_2")), *rows[1:]]


def nothing_there(rows: Sequence[NamedMention]) -> list[NamedMention]:
    return [NamedMention(rows[0].name, None), *rows[1:]]


def with_fewer(facts: Any, field: str) -> Any:
    return replace(facts, **{field: list(getattr(facts, field))[:-1]})


def for_another_reason(facts: Any) -> Any:
    """Gradients that meet, where one was there before; or the other way round."""
    return replace(facts, why="uses" if facts.why == "old" else "old")


def is_op(name: str) -> Any:
    return lambda facts: facts.op == name


def told_of_fault(kind: str, text: str) -> Any:
    """An error of which something else is said."""

    def change(facts: passes.ErrorStep) -> passes.ErrorStep:
        assert facts.fault is not None
        row = kind, Text(text, text)
        told = tuple(row if own[0] == kind else own for own in facts.fault.told)
        return replace(facts, fault=replace(facts.fault, told=told))

    return saying("error", change)


def other_shape(facts: passes.ErrorStep) -> passes.ErrorStep:
    """An error whose first shape is another one."""
    assert facts.fault is not None
    first, *rest = facts.fault.rows
    return replace(
        facts, fault=replace(facts.fault, rows=(first._replace(sizes=("7", "7")), *rest))
    )


LIES: tuple[Lie, ...] = (
    # what there is to see of an error
    Lie("a repair that does not run", "fails_at_shapes", told_of_fault(
        "tried", "h + b.unsqueeze(0) gives [4, 3]")),
    Lie("a repair that gives another shape", "fails_at_shapes", told_of_fault(
        "tried", "h + b.unsqueeze(1) gives [3, 4]")),
    Lie("the message said something else", "fails_at_shapes", told_of_fault("todo", "give up")),
    Lie("another shape met", "fails_at_shapes", saying("error", other_shape)),
    # names and order
    Lie("inputs change places", "shown_in_order", saying(
        "op", lambda f: replace(f, inputs=f.inputs[::-1]), is_op("subtract"))),
    Lie("a result has another name", "fan_out", saying(
        "op", lambda f: replace(f, outputs=[renamed(f.outputs[0])]))),
    Lie("a result has the name of an input", "fan_out", saying(
        "op", lambda f: replace(f, outputs=[renamed(f.outputs[0], f.inputs[0].called)]))),
    Lie("another op", "pylayer", saying("op", lambda f: replace(f, op="exp"))),
    Lie("another function", "one_number", saying("visit", lambda f: replace(f, op="tanh"))),
    Lie("two ops change places", "fan_out", exchanged("op")),
    Lie("two gradients change places", "fan_out", exchanged("visit")),
    Lie("two operators change places", "program_runs", exchanged("append")),
    Lie("a step is left out", "pylayer", left_out("save")),
    Lie("a step is told twice", "fan_out", told_twice("accumulate")),
    # shapes and numbers
    Lie("a shape", "fan_out", saying("op", lambda f: replace(f, outputs=[resized(f.outputs[0])]))),
    Lie("an input's shape", "broadcast", saying(
        "op", lambda f: replace(f, inputs=[f.inputs[0], resized(f.inputs[1])]))),
    Lie("a number", "one_number", saying(
        "op", lambda f: replace(f, outputs=[larger(f.outputs[0])]))),
    Lie("a factor", "one_number", saying(
        "op", lambda f: replace(f, symbol="× 3"), lambda f: f.symbol == "× 2")),
    Lie("a sign", "one_number", saying(
        "op", lambda f: replace(f, symbol="−"), lambda f: f.op in ("add", "multiply"))),
    Lie("how it was called", "shown_in_order", saying(
        "op", lambda f: replace(f, attrs={**f.attrs, "axis": 7}), lambda f: "axis" in f.attrs)),
    Lie("the rule of a gradient", "fan_out", saying("visit", lambda f: replace(f, rule="sin"))),
    Lie("what an op read, in backward", "fan_out", saying(
        "visit", lambda f: replace(f, inputs=[renamed(f.inputs[0]), *f.inputs[1:]]))),
    Lie("how it was called, in backward", "fan_out", saying(
        "visit", lambda f: replace(f, attrs={"scale": 7.0}))),
    Lie("where backward starts", "fan_out", saying(
        "seed", lambda f: replace(f, root=renamed(f.root)))),
    Lie("with what backward starts", "fan_out", saying(
        "seed", lambda f: replace(f, grad=larger(f.grad)))),
    # PyLayers
    Lie("the name outside", "pylayer", saying("enter", lambda f: replace(f, outside=["z"]))),
    Lie("the PyLayer", "pylayer", saying("enter", lambda f: replace(f, layer="cus_exp"))),
    Lie("that no gradient is wanted", "pylayer", saying(
        "leave", lambda f: replace(f, graded=False))),
    Lie("what is kept", "pylayer", saying(
        "save", lambda f: replace(f, saved=[renamed(f.saved[0])]))),
    Lie("how many are kept", "pylayer_parts", saying("save", lambda f: with_fewer(f, "saved"))),
    Lie("who keeps it", "pylayer", saying("save", lambda f: replace(f, by_user=False))),
    Lie("the mark", "pylayer_parts", saying("mark", lambda f: replace(f, mark="mark_not_inplace"))),
    Lie("what is marked", "pylayer_parts", saying(
        "mark", lambda f: replace(f, marked=[renamed(f.marked[0])]))),
    Lie("whose gradient it is outside", "pylayer_parts", saying(
        "receive", lambda f: replace(f, outside=["u", *f.outside[1:]]))),
    Lie("that nothing arrived", "pylayer_parts", saying(
        "receive", lambda f: replace(f, arrived=nothing_there(f.arrived)))),
    Lie("that something arrived for all", "pylayer_parts", saying(
        "receive", lambda f: replace(f, zeros=[]))),
    Lie("for what zeros stand in", "pylayer_parts", saying(
        "receive", lambda f: replace(f, zeros=["product"]))),
    Lie("that a gradient came back", "pylayer_parts", saying(
        "return", lambda f: replace(
            f, computed=[f.computed[0], NamedMention("b", f.computed[0].thing)]),
        lambda f: f.layer == "Parts")),
    Lie("what is let go of", "pylayer_parts", saying("release", lambda f: with_fewer(f, "names"))),
    # gradients
    Lie("that there is a fan-out", "kept_gradients", saying(
        "accumulate", for_another_reason)),
    Lie("that a gradient was there", "fan_out", saying(
        "accumulate", for_another_reason)),
    Lie("what is added up", "one_number", saying(
        "accumulate", lambda f: replace(f, held=larger(f.held)))),
    Lie("whose gradients meet", "fan_out", saying(
        "accumulate", lambda f: replace(f, target="left"))),
    Lie("whose gradient is computed", "fan_out", saying(
        "visit", lambda f: replace(f, computed=other_row(f.computed)))),
    Lie("that no gradient flows there", "fan_out", saying(
        "visit", lambda f: replace(f, computed=nothing_there(f.computed)))),
    Lie("how many gradients there are", "fan_out", saying(
        "visit", lambda f: with_fewer(f, "computed"), lambda f: len(f.computed) > 1)),
    Lie("what backward reads", "fan_out", saying("visit", lambda f: replace(f, uses=("loss",)))),
    Lie("what was broadcast", "broadcast", saying(
        "unbroadcast", lambda f: replace(f, target="table"))),
    Lie("how far it was broadcast", "broadcast", saying(
        "unbroadcast", lambda f: replace(f, before=resized(f.before)))),
    Lie("that a hook changes nothing", "hooks", saying(
        "hook", lambda f: replace(f, changed=not f.changed))),
    Lie("which hook it is", "hooks", saying("hook", lambda f: replace(f, name="tripled"))),
    Lie("where a gradient arrives", "fan_out", saying("leaf", lambda f: replace(f, target="y"))),
    Lie("the shape of what arrives", "fan_out", saying(
        "leaf", lambda f: replace(f, grad=resized(f.grad)))),
    Lie("what overwrites", "overwritten", saying(
        "op", lambda f: replace(f, value=f.target), lambda f: isinstance(f, OverwriteStep))),
    Lie("what is overwritten", "overwritten", saying(
        "op", lambda f: replace(f, target=f.value), lambda f: isinstance(f, OverwriteStep))),
    Lie("that a gradient is cut off", "cut_off", saying(
        "detach", lambda f: replace(f, cuts=not f.cuts))),
    Lie("from what it is cut off", "cut_off", saying("detach", lambda f: replace(f, source=f.out))),
    Lie("the optimizer", "mlp_sgd", saying("update", lambda f: replace(f, optimizer="Adam"))),
    Lie("what is updated", "mlp_sgd", saying(
        "update", lambda f: replace(f, target=renamed(f.target, "net.2.weight")))),
    Lie("to what it is updated", "mlp_adam", saying(
        "update", lambda f: replace(f, target=larger(f.target)), lambda f: f.target.number)),
    # Programs
    Lie("the operator's number", "program", saying(
        "append", lambda f: replace(f, index=f.index + 1))),
    Lie("the operator's reads", "program", saying("append", lambda f: with_fewer(f, "inputs"))),
    Lie("the forward operator", "program", saying(
        "append", lambda f: replace(f, forward="tanh"), lambda f: f.forward)),
    Lie("a declared shape", "program_runs", saying(
        "append", lambda f: replace(f, outputs=[resized(f.outputs[0])]))),
    Lie("what is fetched", "program_runs", saying("run", lambda f: replace(f, fetches=("x",)))),
    Lie("how many rows are fed", "program_runs", saying(
        "run", lambda f: replace(f, fed=[resized(f.fed[0])]))),
    Lie("how many get a value", "program", saying("startup", lambda f: with_fewer(f, "made"))),
    Lie("which operator runs", "program", saying("execute", lambda f: replace(f, type="mul2"))),
    Lie("how many rows come out", "program_runs", saying(
        "execute", lambda f: replace(f, outputs=[resized(f.outputs[0])]))),
    Lie("in which block it lies", "program_runs", saying(
        "execute", lambda f: replace(f, memory=[runs.BlockUse(f.memory[0].name, "b9", "")]),
        lambda f: f.memory)),
    Lie("what lay there before", "program_runs", saying(
        "execute", lambda f: replace(f, memory=[f.memory[0]._replace(before="x")]),
        lambda f: f.memory)),
    Lie("the function of a py_func", "program", saying(
        "py_func", lambda f: replace(f, function="halved"))),
    Lie("what a py_func gets", "program", saying(
        "py_func", lambda f: replace(f, arguments=other_row(f.arguments)))),
    Lie("what is freed", "program", saying("free", lambda f: replace(f, names=["x"]))),
    Lie("what comes back", "program_runs", saying("finish", lambda f: replace(f, fetched=[]))),
    # where it ends
    Lie("what failed", "fails_forward", saying(
        "error", lambda f: replace(f, during=Text("tanh", "tanh")))),
    Lie("with what it failed", "fails_backward", saying(
        "error", lambda f: replace(f, error="KeyError"))),
    Lie("where the recording ends", "cut_short", saying("cut", lambda f: replace(f, limit=7))),
    # in a sentence
    Lie("another name", "fan_out", misquoted("op", "en", "giving y", "giving w")),
    Lie("the sentence of a fan-out", "kept_gradients", sentence_of_another(
        "accumulate", for_another_reason)),
    Lie("how many are NaN", "odd_numbers", misquoted(
        "op", "en", "1 element", "2 elements", is_op("sqrt"))),
    # places and values
    Lie("another line", "fan_out", placed("op", 1)),
    Lie("another line of backward", "fan_out", placed("seed", -1)),
    Lie("another line of a Program", "program", placed("append", 1)),
    Lie("another value", "fan_out", showing_another("op")),
    Lie("another gradient", "fan_out", showing_another("visit")),
)  # fmt: skip


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
    Mutant("English divides the other way", "shown_in_order", ops.WORDS, "divide",
           lambda words: backwards(words, True)),
    Mutant("another axis", "shown_in_order", ops, "over_axes",
           lambda over: lambda symbol: over(symbol.replace("1", "3"))),
    Mutant("shapes are turned round", "fan_out", wording, "shape",
           lambda shape: lambda sizes: shape(sizes[::-1])),
    Mutant("numbers lose their digits", "one_number", wording, "digits",
           lambda digits: lambda number: digits(float(f"{number:.1g}"))),
    Mutant("one more gets a value", "program", runs.StartupStep, "sentence", one_more),
    Mutant("one more gradient", "shared", VisitStep, "sentence", one_more),
    Mutant("the next operator", "program", runs.AppendStep, "sentence", one_more),
    Mutant("names are lost", "fan_out", Tensors, "name", lambda _: lambda *_: ""),
    Mutant("names come from everywhere", "pylayer", Tensors, "_name",
           lambda _: lambda self, tensor, _scopes: self.names.get((tensor, 0), "")),
    Mutant("the other edge of a node", "one_number", Tensors, "behind",
           lambda behind: lambda self, edge: behind(self, edge) and next(
               iter(self.latest.values()))),
    Mutant("a node's number is a tensor's", "from_the_middle", Tensors, "behind",
           lambda behind: lambda self, edge: (
               behind(self, edge) if edge.kind == "leaf" or edge.id in self.tape.nodes else None)),
    Mutant("values are larger in memory", "fan_out", story_memory, "bytes_of",
           lambda size: lambda *given: size(*given) + 1),
    Mutant("values stay longer", "fan_out", story_memory, "number_stay",
           lambda stay: lambda held, end: replace(stay(held, end), last=end)),
    Mutant("most memory is at the next step", "fan_out", say_memory, "most",
           lambda most: lambda memory: most(memory).changed(lambda text: re.sub(
               r"(?<=step )\d+|(?<=第 )\d+", lambda n: str(int(n[0]) + 1), text))),
    Mutant("the next line", "fan_out", Draft, "line",
           lambda line: lambda self, place: (found := line(self, place)) and found._replace(
               number=found.number + 1)),
    Mutant("the line of another op", "fan_out", Tape, "node",
           lambda node: lambda self, *given: setattr(
               made := node(self, *given), "place", self.calls[1].place) or made),
    Mutant("boxes have another dtype", "dtypes", story_forward, "detail",
           lambda detail: lambda *given: detail(*given).replace("float16", "float32")),
    Mutant("one more NaN", "odd_numbers", first_nan, "count_of",
           lambda count: lambda *given: count(*given) and count(*given) + 1),
    Mutant("a hook replaces nothing", "hooks", passes.HookStep, "sentence",
           lambda hook: lambda facts: hook(replace(facts, changed=False))),
    Mutant("nothing was at work", "fails_forward", Failures, "_stop",
           lambda stop: lambda *given: stop(*given)._replace(work=None)),
    Mutant("the wrong reason", "cut_off", missing_gradient, "stop_reason",
           lambda _: lambda *_: Reason.RETURNED_NONE),
)  # fmt: skip


# ----- other records -----------------------------------------------------------------------------


def forged(trace: Trace, write: Callable[[Any], None]) -> Trace:
    """The trace with another record."""
    document = copy.deepcopy(json.loads(trace.dumps()))
    write(document)
    return Trace(document)


def record_of(document: Any, kind: str, wanted: Callable[[Any], bool] = lambda _: True) -> Any:
    return next(e for e in document["events"] if e["event"] == kind and wanted(e))


def values_changed(document: Any, record: str, field: str) -> None:
    """Another number in the table, for one field of a record alone."""
    row = record_of(document, record)
    entry = copy.deepcopy(document["values"][row[field]])
    entry["data"] = [number + 1.0 for number in entry["data"]]
    row[field] = len(document["values"])
    document["values"].append(entry)


def exchange_names(document: Any) -> None:
    rows = [row for row in document["names"] if row[1] == 0]
    rows[0][2], rows[1][2] = rows[1][2], rows[0][2]


def change(kind: str, **fields: Any) -> Callable[[Any], None]:
    """Let the first record of a kind say something else."""
    return lambda document: record_of(document, kind).update(fields)


def remove(kind: str) -> Callable[[Any], None]:
    return lambda document: document["events"].remove(record_of(document, kind))


FORGERIES: tuple[Forgery, ...] = (
    Forgery("names change places", "fan_out", exchange_names),
    Forgery("another op ran", "fan_out", change("OpFinished", op="add")),
    Forgery("an op ran once less", "fan_out", remove("OpFinished")),
    Forgery("nothing was kept", "pylayer", remove("TensorSaved")),
    Forgery("a hook had another name", "hooks", change("HookRan", name="looks")),
    Forgery("gradients met elsewhere", "fan_out", lambda document: record_of(
        document, "GradAccumulated")["edge"].update(id=1, kind="leaf")),
    Forgery("another sum", "kept_gradients", lambda document: values_changed(
        document, "GradAccumulated", "total")),
    Forgery("another gradient arrived", "kept_gradients", lambda document: values_changed(
        document, "LeafReached", "grad")),
    Forgery("a gradient went elsewhere", "fan_out", lambda document: record_of(
        document, "GradComputed")["edge"].update(kind="leaf", id=1)),
    Forgery("another line", "fan_out", lambda document: record_of(
        document, "OpFinished")["place"].__setitem__(1, 1)),
    Forgery("another optimizer", "mlp_sgd", change("ParameterUpdated", optimizer="Adam")),
    Forgery("a larger block", "program_runs", lambda document: record_of(
        document, "MemoryPlanned", lambda e: e["program"] == 1)["blocks"][0]["stays"][0].update(
            nbytes=1)),
    Forgery("another operator", "program", lambda document: record_of(
        document, "OperatorAppended", lambda e: e["type"] == "mul").update(type="mul2")),
    Forgery("other fetches", "program_runs", lambda document: record_of(
        document, "RunStarted", lambda e: e["feeds"]).update(fetches=["x"])),
    Forgery("another error", "fails_forward", change("Failed", error="KeyError")),
)  # fmt: skip
