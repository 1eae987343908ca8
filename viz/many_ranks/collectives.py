"""Collectives of many ranks: the calls in their traces, matched by group and order."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from minipaddle import events

from ..document.variable_names import tensors_of
from ..model import Line, Story, group_by_key

Key = TypeVar("Key", bound=Hashable)


class Flow(NamedTuple):
    """Givers and receivers of a collective: "all" ranks, "none", or an attribute with the rank."""

    gives: str
    gets: str


FLOWS: Mapping[str, Flow] = {
    "all_reduce": Flow("all", "all"),
    "reduce": Flow("all", "dst"),
    "broadcast": Flow("src", "all"),
    "scatter": Flow("src", "all"),
    "gather": Flow("all", "dst"),
    "all_gather": Flow("all", "all"),
    "reduce_scatter": Flow("all", "all"),
    "alltoall": Flow("all", "all"),
    "alltoall_single": Flow("all", "all"),
    "send": Flow("src", "dst"),
    "recv": Flow("src", "dst"),
    "barrier": Flow("none", "none"),
}
DISTRIBUTED = "dist_"  # prefix of collective ops whose names other ops have, too
PAIRS = frozenset({"send", "recv"})  # ops between one rank and another


@dataclass(frozen=True, slots=True)
class Call:
    """Part of one rank in a collective.

    `step` is the number of its step in the rank's story; `finished`: whether it ended. `begun` is
    the last step before it began (-1: none), or None if the rank waited at once.
    """

    rank: int
    step: int
    op: str
    attrs: Mapping[str, Any]
    inputs: tuple[events.Seen, ...]
    outputs: tuple[events.Seen, ...]
    finished: bool
    line: Line | None
    begun: int | None = None

    @property
    def ranks(self) -> tuple[int, ...]:
        """Ranks that take part: the group, or the two ranks of a pair."""
        return (self.src, self.dst) if self.op in PAIRS else tuple(self.attrs["ranks"])

    @property
    def src(self) -> int:
        """The only rank that gives, or -1."""
        return self.rank if self.op == "send" else int(self.attrs.get("src", -1))

    @property
    def dst(self) -> int:
        """The only rank that gets, or -1."""
        return self.rank if self.op == "recv" else int(self.attrs.get("dst", -1))

    @property
    def key(self) -> tuple[Any, ...]:
        """Key that all calls of one collective share: its group and its number in the group."""
        kind = "pair" if self.op in PAIRS else "group"
        return kind, self.ranks, tuple(self.attrs["ranks"]), int(self.attrs["number"])

    @property
    def gives(self) -> bool:
        """Whether this rank's own numbers go into the collective."""
        gives = FLOWS[self.op].gives
        return gives == "all" or (gives == "src" and self.src == self.rank)

    @property
    def gets(self) -> bool:
        """Whether this rank gets numbers."""
        gets = FLOWS[self.op].gets
        return gets == "all" or (gets == "dst" and self.dst == self.rank)

    @property
    def nbytes(self) -> int:
        """Number of bytes that this rank gives."""
        return sum(seen.value.nbytes for seen in self.inputs) if self.gives else 0

    @property
    def sizes(self) -> tuple[str, ...]:
        """Shapes and dtypes of the tensors, which must be equal on all ranks."""
        met = self.inputs or self.outputs
        sizes = (f"{list(each.value.shape)} {each.value.dtype}" for each in met)
        return tuple(dict.fromkeys(sizes))

    @property
    def how(self) -> tuple[str, ...]:
        """Options that must be equal on all ranks: the reduction, the source, the destination."""
        said = (f"{x} {self.attrs[x]}" for x in ("op", "src", "dst") if x in self.attrs)
        return () if self.op in PAIRS else tuple(each.removeprefix("op ") for each in said)


@dataclass(frozen=True, eq=False)
class Collective:
    """Collective of ranks: the calls of the ranks that came, by rank.

    `missing` are ranks of the group whose traces end before the collective; `trouble` is the kind
    of mismatch: missing, op, sizes, how, waits, or "" if there is none.
    """

    id: str
    calls: Mapping[int, Call]
    missing: tuple[int, ...] = ()
    waits: bool = False

    def __repr__(self) -> str:
        wrong = f": {self.trouble}" if self.trouble else ""
        return f"<{self.name} {self.number} of ranks {list(self.ranks)}{wrong}>"

    @cached_property
    def first(self) -> Call:
        """Call of the lowest rank that came."""
        return self.calls[min(self.calls)]

    @property
    def name(self) -> str:
        """Name of the op, such as `all_reduce`; `send` for a pair."""
        return "send" if self.first.op in PAIRS else self.first.op

    @property
    def ranks(self) -> tuple[int, ...]:
        """Ranks that should take part."""
        return self.first.ranks

    @property
    def number(self) -> int:
        """Number of the collective in its group, counted from 1."""
        return int(self.first.attrs["number"])

    @property
    def nbytes(self) -> dict[int, int]:
        """Rank -> number of bytes that it gives."""
        return {rank: call.nbytes for rank, call in self.calls.items()}

    @property
    def trouble(self) -> str:
        """Kind of the gravest mismatch, or ""."""
        calls = [call for _, call in sorted(self.calls.items())]
        if len({"" if call.op in PAIRS else call.op for call in calls}) > 1:
            return "op"
        if self.missing:
            return "missing"
        if self.waits:
            return "waits"
        if len({call.how for call in calls}) > 1:
            return "how"
        # A rank that neither gives nor gets has no sizes.
        return "sizes" if len({call.sizes for call in calls if call.sizes}) > 1 else ""


def calls_of(story: Story, records: Sequence[Any], rank: int) -> Iterator[Call]:
    """Yield the calls of one rank, in order; a call that did not end has no outputs."""
    steps = [step for step in story.steps if not step.of_memory]
    at_record = {step.record: step for step in steps}
    finished = {e.call for e in records if isinstance(e, events.OpFinished)}
    begun: dict[Any, int] = {}
    for at, event in enumerate(records):
        if isinstance(event, events.CollectiveBegun):
            before = [step.index for step in steps if step.record < at]
            begun[beginning(event)] = max(before, default=-1)
        done = isinstance(event, events.OpFinished)
        under_way = isinstance(event, events.OpStarted) and event.call not in finished
        if not (done or under_way) or "ranks" not in event.attrs:
            continue
        op = event.op.removeprefix(DISTRIBUTED)
        step = at_record.get(at) or (steps[-1] if under_way and steps else None)
        if op in FLOWS and step is not None:
            met = tuple(tensors_of(event.inputs)), tuple(tensors_of(event.outputs) if done else ())
            call = Call(rank, step.index, op, event.attrs, *met, done, step.line)
            yield replace(call, begun=begun.pop(ending(call), None))


def beginning(event: events.CollectiveBegun) -> tuple[Any, ...]:
    """Return the key by which the beginning of a collective matches the op that ends it."""
    return event.op, tuple(event.ranks), event.number, event.partner


def ending(call: Call) -> tuple[Any, ...]:
    """Return the key by which the op that ends a collective matches its beginning."""
    partner = call.src if call.op == "recv" else None
    return call.op, tuple(call.attrs["ranks"]), call.attrs["number"], partner


def match_calls(calls: Mapping[int, Sequence[Call]]) -> list[Collective]:
    """Return the collectives of some ranks, those of the lowest rank first, in their order."""
    together: dict[tuple[Any, ...], dict[int, Call]] = {}
    for rank in sorted(calls):
        for call in calls[rank]:
            together.setdefault(call.key, {})[rank] = call
    return [
        Collective(f"c{number}", found, absent(found, calls))
        for number, found in enumerate(together.values(), 1)
    ]


def absent(found: Mapping[int, Call], calls: Mapping[int, Sequence[Call]]) -> tuple[int, ...]:
    """Return the ranks that did not come, of those in the group whose traces are known."""
    return tuple(r for r in next(iter(found.values())).ranks if r in calls and r not in found)


def group_ranks(facts: Mapping[int, Key]) -> dict[Key, list[int]]:
    """Return the ranks by their facts, by first appearance.

    >>> group_ranks({0: "a", 1: "b", 2: "a"})
    {'a': [0, 2], 'b': [1]}
    """
    return group_by_key((fact, rank) for rank, fact in facts.items())
