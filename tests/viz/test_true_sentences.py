"""Sentences and values of steps in random programs agree with the engine."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from minipaddle import events
from minipaddle.messages import Message, Row
from tests.each import each
from viz.story.sentences.wording import Figure, Mention

from .recordings import drawn


def mentions_in(message: Any) -> Iterator[Mention | Figure]:
    """Yield the tensors and numbers in the slots of a message and of the messages in it."""
    if isinstance(message, (Mention, Figure)):
        yield message
    elif isinstance(message, (Message, Row)):
        inner = message.items if isinstance(message, Row) else message.slots.values()
        for item in inner:
            yield from mentions_in(item)


def elements(value: Any) -> Any:
    """Return the elements of an array in an event, or of a value that a step shows."""
    return value["data"] if isinstance(value, dict) else np.asarray(value.data).tolist()


@each("seed", range(30), quick=8)
def test_every_tensor_in_a_sentence_has_its_own_value(seed: int) -> None:
    known: defaultdict[str, list[Any]] = defaultdict(list)
    for step in drawn(seed).steps:
        shown = [one.value for one in step.shown]
        for one in step.shown:
            for name in one.name.split(" = "):
                known[name].append(one.value)
        for mention in mentions_in(step.step.text):
            if mention.value is None:
                continue
            if isinstance(mention, Figure):
                assert mention.value in shown, step.text
            else:  # a backward returns the gradient of the tensor that it names
                named = known[mention.called] + known[f"d{mention.called}"] * (
                    step.kind == "return"
                )
                assert mention.value in named, (step.text, mention.called)


@each("seed", range(30), quick=8)
def test_every_step_shows_the_arrays_of_the_engine(seed: int) -> None:
    arrays: list[list[list[Any]]] = []
    computed: list[Any] = []

    def listen(event: events.Event) -> None:
        if isinstance(event, events.OpFinished):
            sides = event.inputs, event.outputs
            rows = [{one.id: elements(one.value) for one in side if one} for side in sides]
            arrays.append([list(row.values()) for row in rows])
        if isinstance(event, events.GradComputed) and event.grad is not None:
            computed.append(elements(event.grad))
        if isinstance(event, events.GradUnbroadcast):
            computed.append(elements(event.before))

    with events.listen(listen):
        trace = drawn(seed)
    told = [step.shown for step in trace.steps if step.kind == "op"]
    for shown, row in zip(told, arrays[-len(told) :], strict=True):  # before: the first tensors
        for role, side in zip(("input", "output"), row, strict=True):
            own = [elements(one.value) for one in shown if one.role == role]
            assert len(own) == len(side)
            assert all(map(is_close, own, side))
    visits = [step.shown for step in trace.steps if step.kind == "visit"]
    for one in (one for shown in visits for one in shown if one.role == "grad_out"):
        assert any(is_close(elements(one.value), grad) for grad in computed), one.name


def is_close(shown: Any, array: Any) -> bool:
    """Compare shown digits, which are the shortest that stand for a float32, with an array."""
    return np.shape(shown) == np.shape(array) and np.allclose(shown, array, rtol=1e-6)
