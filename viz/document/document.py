"""The document of a trace: versioned JSON whose bytes are the same on every run.

Tensors, calls and nodes are numbered from 1 by first appearance, a table holds each value once, and
places are cells or paths relative to the working folder: no clock, no process, no home folder.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from minipaddle import Tensor
from minipaddle.engine import source_line
from minipaddle.engine.source_line import SourceLine
from minipaddle.events import among, notes, number_of
from minipaddle.events.event_types import ErrorPart, LeafReached

from .codec import Decoder, Encoder
from .history import Before
from .program_names import names_of_variables
from .rounds import Excerpt, RoundEntry, RoundMark
from .sources import LoadedLine, SourceTable, whole_letters
from .values import ValueTable
from .variable_names import names_for

FORMAT = "minipaddle-trace"
VERSION = 1

Place = TypeVar("Place", SourceLine, LoadedLine)  # a recorded place, or one from a document


@dataclass(frozen=True, slots=True)
class Ended(Generic[Place]):
    """Exception that ended the recorded block, and the user's line that raised it."""

    error: str
    message: str
    place: Place | None
    message_zh: str = ""
    parts: tuple[ErrorPart, ...] = ()


@dataclass(frozen=True, slots=True)
class Cut(Generic[Place]):
    """Limit that ended a recording; `what` is events or bytes, `place` the line that reached it."""

    what: str
    limit: float
    place: Place | None


@dataclass(slots=True)
class Recording:
    """Result of the recorder: events with copies of their small arrays, and names."""

    title: str = ""
    log: list[Any] = field(default_factory=list)
    before: dict[int, str] = field(default_factory=dict)  # tensor -> its variable at the beginning
    names: dict[int, str] = field(default_factory=dict)  # tensor -> its variable at the end
    reached: dict[int, str] = field(default_factory=dict)  # tensor -> its path from a variable
    layers: dict[str, str] = field(default_factory=dict)  # layer -> the variable that holds it
    modules: frozenset[str] = frozenset()  # variables that hold modules or namespaces
    around: tuple[str, str] | None = None  # file and name of the function with these variables
    rounds: list[RoundMark] = field(default_factory=list)
    ended: Ended[SourceLine] | None = None
    cut: Cut[SourceLine] | None = None
    closed: bool = False
    release: Callable[[], None] = lambda: None  # makes the listener free the log
    number_of: Callable[[Any], int] = number_of  # number of a tensor in events
    tensor: type = Tensor  # class of tensors
    framework: str = ""  # whose program ran; "" for minipaddle
    ranks: tuple[int, int] | None = field(default_factory=among)  # our rank, number of ranks
    folder: str = field(default_factory=source_line.folder)  # working folder at the beginning


def encode(recording: Recording) -> tuple[dict[str, Any], dict[int, int], dict[int, int]]:
    """Return a recording as a document, and two tables by numbers of tensors in this process.

    The first has the numbers in the document; the second has, for each tensor that was the `.grad`
    of a leaf, the last record in which it was.
    """
    values = ValueTable()
    sources = SourceTable(recording.folder, recording.modules, recording.tensor)
    log, rounds = records_of(recording)
    encoder = Encoder(values, sources, log)
    rows = encoder.events(log)
    ended, cut = recording.ended, recording.cut
    left = ended or cut
    left_at = left and left.place
    variables = dict(recording.names)
    for held in (*[mark.held for mark in reversed(recording.rounds)], recording.before):
        variables |= held  # the earliest variable that holds a tensor names it
    turns = [(mark.names, first, last) for mark, first, last in rounds]
    known = variables, recording.reached, recording.layers
    names, layers = names_for(log, *known, sources, left_at, turns, recording.around)
    document = {
        "format": FORMAT,
        "version": VERSION,
        "title": whole_letters(recording.title),
        "events": rows,
        "values": values.entries,
        "names": sorted(
            [encoder.tensor_or_none(x), at and encoder.number("scope", at), whole_letters(name)]
            for (x, at), name in names.items()
        ),
        "ended": ended and encoder.fields(ended),
    }
    if len(rounds) > 1:  # a single round is not listed
        entries = (
            RoundEntry(mark.kind, (first, last), mark.names, mark.loss, tuple(mark.sizes))
            for mark, first, last in rounds
        )
        document["rounds"] = [encoder.fields(entry) for entry in entries]
    if variables_named := names_of_variables(log, sources):
        document["variables"] = [
            [encoder.number("program", program), name, whole_letters(given)]
            for program, row in variables_named.items()
            for name, given in row.items()
        ]
    if recording.framework:
        document["framework"] = recording.framework
    if layers:
        document["layers"] = {layer: whole_letters(name) for layer, name in layers.items()}
    if recording.ranks:
        document["rank"], document["world_size"] = recording.ranks
    if cut:
        document["cut"] = encoder.fields(cut)
    document["sources"] = sources.entries()
    holders = {e.holder: at for at, e in enumerate(log) if isinstance(e, LeafReached)}
    return document, encoder.family("tensor"), holders


def encode_excerpt(
    part: Excerpt,
    names: Mapping[tuple[int, int], str],
    whole: Mapping[str, Any],
    before: Before,
    last: bool,
) -> dict[str, Any]:
    """Return an excerpt as a document; the last excerpt also says how the recording ended."""
    values = ValueTable()
    encoder = Encoder(values, SourceTable(), part.records)
    document = {
        "format": FORMAT,
        "version": VERSION,
        "events": encoder.events(part.records),
        "values": values.entries,
        "names": sorted([x, at, name] for (x, at), name in names.items()),
        "layers": whole.get("layers", {}),
        "variables": [
            [encoder.number("program", part.programs[program]), name, given]
            for program, name, given in whole.get("variables", [])
            if program in part.programs
        ],
        "sources": whole["sources"],
        "before": encoder.fields(before),
        "ended": whole["ended"] if last else None,
    }
    more = ("framework", "cut") if last else ("framework",)
    return {**document, **{name: whole[name] for name in more if whole.get(name)}}


def records_of(recording: Recording) -> tuple[list[Any], list[tuple[RoundMark, int, int]]]:
    """Return a recording's events, and its rounds: (mark, first event, event after the last)."""
    log = recording.log
    records: list[Any] = []
    rounds = []
    at = 0
    for mark in recording.rounds:
        records += notes.records_of(log[at : mark.first])
        first, at = len(records), mark.last
        records += notes.records_of(log[mark.first : at])
        rounds.append((mark, first, len(records)))
    records += notes.records_of(log[at:])
    return records, rounds


def decode(document: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the records of a document."""
    return Decoder(document["values"], document["sources"]).events(document["events"])


def decode_ended(ended: Mapping[str, Any]) -> Ended[LoadedLine]:
    """Return the exception that ended a recorded block; its place is not checked."""
    place = ended["place"] and LoadedLine(*ended["place"])
    read: Ended[LoadedLine] = Decoder([], []).fields(Ended, {**ended, "place": None}, "ended")
    return replace(read, place=place)


def decode_before(document: Mapping[str, Any]) -> Before | None:
    """Return the facts from before a document that is a part of another document, else None."""
    entry = document.get("before")
    return entry and Decoder([], []).fields(Before, entry, "before")


def dumps(document: Mapping[str, Any]) -> str:
    """Return canonical JSON: sorted keys, plain ASCII, one line for each event or value."""
    compact = {"sort_keys": True, "separators": (",", ":"), "allow_nan": False}
    rows = []
    for key in sorted(document):
        item = document[key]
        if key in ("events", "rounds", "sources", "values") and item:
            inner = ",\n".join(json.dumps(row, **compact) for row in item)  # type: ignore[arg-type]
            rows.append(f"{json.dumps(key)}:[\n{inner}\n]")
        else:
            rows.append(f"{json.dumps(key)}:{json.dumps(item, **compact)}")  # type: ignore[arg-type]
    return "{" + ",\n".join(rows) + "}\n"
