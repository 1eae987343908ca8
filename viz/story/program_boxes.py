"""What has been drawn of a Program: its operators' boxes, and which of them makes a variable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from minipaddle.events import Declared, Value

from .draft import StepDraft
from .ids import Box, Wire
from .py_func import Inside
from .sentences.wording import Thing
from .state import World


@dataclass(slots=True)
class Operator:
    """The box of one operator."""

    node: Box
    type: str
    op: str
    role: str
    place: Any
    forward_of: int | None
    edges: list[Wire]
    reads: list[str]
    writes: list[str]
    attrs: dict[str, Any]
    inside: Inside | None = None  # of a py_func


@dataclass(slots=True)
class ProgramBoxes:
    """What has been drawn of one Program."""

    number: int
    boxes: dict[int, Operator] = field(default_factory=dict)
    makers: dict[str, Box] = field(default_factory=dict)  # variable: the box that makes it
    leaves: dict[str, Box] = field(default_factory=dict)
    results: dict[str, Box] = field(default_factory=dict)
    shapes: dict[str, Declared] = field(default_factory=dict)
    started: Any = None
    made: dict[str, Value] = field(default_factory=dict)  # by a startup program, in this run
    told: int = -1  # the operator whose py_func call has been told
    began: StepDraft | None = None  # of the present or last run: its first step, ...
    ran: dict[int, StepDraft] = field(default_factory=dict)  # ... operator: its step, ...
    frees: dict[int, StepDraft] = field(default_factory=dict)  # ... and that of what it frees


def program_of(world: World, number: int) -> ProgramBoxes:
    found: ProgramBoxes = world.programs.setdefault(number, ProgramBoxes(number))
    return found


def named(slots: Mapping[str, Sequence[Declared | None]]) -> list[Declared]:
    """The variables of all slots in order, each once."""
    found = {v.name: v for variables in slots.values() for v in variables if v is not None}
    return list(found.values())


def declared_thing(variable: Declared) -> Thing:
    return Thing(variable.name, None, variable.shape)
