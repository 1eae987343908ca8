"""Expressions that are recorded with their answers."""

from functools import partial

from ..harness import recorded


def recorded_texts(topic, group):
    """Return the names of a group's recorded cases, and the expression of each.

    Such a name is `group: expression`. To add one, write its name into the topic's file of
    `recorded/` with {} as its answers, and record the topic.
    """
    start = f"{group}: "
    return [(n, n.removeprefix(start)) for n in recorded(topic) if n.startswith(start)]


def made(module, text, names=None, **more):
    """Return the object that a call of a class makes, with arguments that the call lacks."""
    kind = text.partition("(")[0]
    return eval(text, {**(names or {}), kind: partial(getattr(module, kind), **more)})
