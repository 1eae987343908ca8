"""What a sentence says, as slots: of which messages it is made, and with which values."""

from collections.abc import Iterator, Mapping
from typing import Any

from minipaddle.messages import Message, Row
from viz.model import Step


def inside(thing: Any) -> Iterator[Any]:
    """Yield what stands in the slots of a message and of the messages in it, and the message."""
    yield thing
    if isinstance(thing, (Message, Row)):
        for item in thing.items if isinstance(thing, Row) else thing.slots.values():
            yield from inside(item)


def slots_of(said: Message, step: Step) -> list[Mapping[str, Any]]:
    """Return the slots of each message in a step's text that has the template of `said`."""
    return [
        each.slots
        for each in inside(step.text)
        if isinstance(each, Message) and each.template == said.template
    ]
