"""The user's names of a Program's Variables: `hidden` for `fc_0.tmp_1`.

A Variable that Paddle named has the name to which the code assigns it, if the code gives that name
to no other Variable of the Program, as a loop does. Its gradients follow: `hidden@GRAD`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from minipaddle import events
from minipaddle.events import Declared
from minipaddle.events.event_types import Kernel, MemoryBlock, Stay

from ..model import group_by_key
from .code_names import Code, pair_names
from .op_facts import facts
from .sources import SourceTable
from .values import flatten

GENERATED = re.compile(r"(?:.*[._])?tmp_\d+(?:_slice_\d+)?")
NAMED = re.compile(r"((?:grad/)*)([^@]+)(.*)", re.DOTALL)  # of gradients, base, suffix
OF_PROGRAMS = (
    events.OperatorAppended, events.OperatorRefused, events.RunStarted, events.OperatorExecuted,
    events.PyFuncCalled, events.VariableFreed, events.MemoryPlanned, events.RunFinished,
    events.PartAppended,
)  # fmt: skip
Names = Mapping[str, str]  # Paddle's name -> the user's


def names_of_variables(log: Sequence[Any], sources: SourceTable) -> dict[int, Names]:
    """Return the user's names of the Variables of each Program."""
    appended = [event for event in log if isinstance(event, events.OperatorAppended)]
    codes = {event.place.file: sources.code(event.place.file) for event in appended if event.place}
    by_program = group_by_key((event.program, event) for event in appended)
    found = {number: names_in_code(each, codes) for number, each in by_program.items()}
    for event in log:  # a part has the names outside, too
        if isinstance(event, events.PartAppended) and event.program in found:
            outside, own = found[event.program], found.get(event.part, {})
            taken = {*outside.values()}
            found[event.part] = {v: n for v, n in own.items() if n not in taken} | {**outside}
    return {number: names for number, names in found.items() if names}


def with_names(records: Sequence[Any], names: Mapping[int, Names]) -> Sequence[Any]:
    """Return events with the user's names of Variables."""
    return [rename_event(event, names) for event in records] if names else records


def names_in_code(appended: list[events.OperatorAppended], codes: Mapping[str, Code]) -> Names:
    """Return the names to which the code assigns a Program's Variables."""
    declared = (v for event in appended for v in variables_of(event.inputs, event.outputs))
    taken = {variable.name for variable in declared}
    given: dict[str, dict[str, None]] = {}  # the user's name -> Variables that have it
    for event in last_of_calls(appended):
        node = codes[event.place.file].at(event.place) if event.place else None
        target = codes[event.place.file].target(node) if event.place and node else None
        if target is None:
            continue
        made = [variable.name for variable in variables_of(event.outputs)]
        main = facts(event.op, event.attrs).main_output
        things = made[main] if made[main:] and not hasattr(target, "elts") else made
        for name, variable in pair_names(target, things):
            if isinstance(variable, str):
                given.setdefault(name, {})[variable] = None
    single = ((name, next(iter(row))) for name, row in given.items() if len(row) == 1)
    return {
        variable: name
        for name, variable in single
        if GENERATED.fullmatch(variable) and name.isidentifier() and name not in taken
    }


def last_of_calls(
    appended: Iterable[events.OperatorAppended],
) -> Iterator[events.OperatorAppended]:
    """Yield the last operator of each call in the code; a minimized loss has a role of its own."""
    last: events.OperatorAppended | None = None
    for event in (each for each in appended if each.role in ("forward", "loss")):
        if last and last.place != event.place:
            yield last
        last = event
    if last:
        yield last


def variables_of(*rows: Mapping[str, Any]) -> Iterator[Declared]:
    """Yield the Variables in an operator's slots."""
    for row in rows:
        yield from (each for each in flatten(tuple(row.values())) if each is not None)


def rename_event(event: Any, names: Mapping[int, Names]) -> Any:
    """Return an event of a Program with the user's names, another event as it is."""
    own = getattr(event, "part", 0) or getattr(event, "program", 0)
    return rename(event, names[own]) if isinstance(event, OF_PROGRAMS) and names.get(own) else event


def rename(thing: Any, names: Names) -> Any:
    """Return an event or a part of one with the user's names; values and places stay."""
    if isinstance(thing, str):
        return rename_text(thing, names)
    if type(thing) in (tuple, list):
        return type(thing)(rename(each, names) for each in thing)
    if isinstance(thing, dict):
        return {rename(key, names): rename(each, names) for key, each in thing.items()}
    if isinstance(thing, (*OF_PROGRAMS, Declared, Kernel, MemoryBlock, Stay)):
        changed = {each.name: rename(getattr(thing, each.name), names) for each in fields(thing)}
        return replace(thing, **changed)
    return thing


def rename_text(text: str, names: Names) -> str:
    """Return a Variable's name, or that of its gradient, as the user's; other texts stay.

    >>> names = {"fc_0.tmp_1": "hidden"}
    >>> rename_text("fc_0.tmp_1@GRAD", names), rename_text("grad/fc_0.tmp_1", names)
    ('hidden@GRAD', 'grad/hidden')
    >>> rename_text("fc_0.tmp_10", names)
    'fc_0.tmp_10'
    """
    match = NAMED.fullmatch(text)
    if match is None or match[2] not in names:
        return text
    return match[1] + names[match[2]] + match[3]
