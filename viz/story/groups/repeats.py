"""Repetitions and long rows as groups that open and close: `TransformerEncoderLayer × 12`.

A graph of few boxes is shown as it is. In a larger one layers that follow each other with the same
inside become one block; in a large one, and in one of a single round, so do ops that repeat, such
as time steps written by hand; in a large one a long row of different ops is cut into parts. A block
has a half in the forward lane and, for each backward pass, one in the backward lane, with the
gradients of its ops; the halves open and close together.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil, inf, log
from typing import NamedTuple

from minipaddle.messages import Message

from ...document.distinct_names import base_of
from ...language.words import WORDS
from ...model import GIVEN, Badge, Graph, Group, Label, Node, label_of
from ...theme import ALARMS, LASTING
from .. import ids
from ..ids import Frame
from ..numbers import INDEX

FEW = 60  # boxes: a smaller graph has no blocks, and a picture shows at most FEW at first
MANY = 300  # boxes: a graph of more has blocks of ops too
ROW = 40  # members of a block; of more it has blocks inside
FAN = 20  # blocks in a block, at most
LEAST = 4  # repetitions; of three, such as query, key and value, each is shown
LONGEST = 64  # members of what is repeated
LABEL = 20  # letters
LISTED = 38  # letters of the names that a block lists
WEIGHT = 12  # boxes in a repetition of layers, or of a round, that is worth a block
TENSORS = GIVEN | {"result"}


class Cuts(NamedTuple):
    """Sizes at which blocks begin: repeated boxes, members of a row, of a block, blocks in a
    block."""

    least: float
    few: float
    row: int
    fan: int


Unit = list[str]  # the members of one repetition: ids of nodes and of groups


def with_blocks(graph: Graph, is_part: bool = False) -> Graph:
    """Put blocks into a graph that is large enough to need them; `is_part` of a recording."""
    large = len(graph.nodes) > MANY
    least = WEIGHT if is_part else ROW + 1 if large else inf
    cuts = Cuts(least, FEW if large else inf, ROW, FAN)
    return _Blocks(graph, cuts).graph() if len(graph.nodes) > FEW else graph


def in_parts(graph: Graph, row: int) -> Graph:
    """Put at most `row` members in a row, by blocks that list theirs."""
    return _Parts(graph, Cuts(row, row, row, row)).graph()


def repetitions(signs: Sequence[object]) -> Iterator[tuple[int, int, int]]:
    """Find where a piece follows itself: (first place, length of the piece, how many times).

    >>> list(repetitions("xabababab"))
    [(1, 2, 4)]
    """
    at, count = 0, len(signs)
    while at < count:
        most = (0, 0)
        for period in range(1, min(LONGEST, (count - at) // LEAST) + 1):
            end = at + period
            while end < count and signs[end] == signs[end - period]:
                end += 1
            times = (end - at) // period
            if times >= LEAST and times * period > most[0] * most[1]:
                most = period, times
        if most[0]:
            yield at, *most
        at += most[0] * most[1] or 1


class _Blocks:
    """The groups of a graph while blocks are put around them."""

    def __init__(self, graph: Graph, cuts: Cuts) -> None:
        self.edges = graph.edges
        self.nodes = {node.id: node for node in graph.nodes}
        self.groups = {group.id: group for group in graph.groups}
        self.cuts = cuts
        self.earlier = sum(group.kind == "block" for group in graph.groups)
        self.blocks: dict[str, Group] = {}
        self.around: dict[str, str] = {}  # member: the block that it stands in
        self.units: dict[str, tuple[str, int]] = {}  # member: that block, which repetition in it
        self.starts: set[str] = set()  # the first members of repetitions and of long rows
        self.rows = self._rows()
        self.signs: dict[str, object] = {}
        self.weights: dict[str, int] = {}

    def graph(self) -> Graph:
        for (lane, parent), row in self.rows.items():
            self._cut(row, parent, lane)
        if self.blocks:
            self._take_tensors()
            self._take_gradients()
        self._warn()
        nodes = tuple(replace(n, group=self.around.get(n.id, n.group)) for n in self.nodes.values())
        groups = (*self.groups.values(), *self.blocks.values())
        groups = tuple(replace(g, parent=self.around.get(g.id, g.parent)) for g in groups)
        return Graph(nodes, self.edges, groups)

    # ----- rows -----

    def _rows(self) -> dict[tuple[str, str | None], list[str]]:
        """Return the members of each lane and surrounding group in the order of time."""
        rows: dict[tuple[str, str | None], dict[str, None]] = defaultdict(dict)
        for node in self.nodes.values():
            if node.kind in TENSORS or node.lane == "backward":
                continue
            member, outer = node.id, node.group
            while outer in self.groups:
                rows[node.lane, outer][member] = None
                member, outer = outer, self.groups[outer].parent
            rows[node.lane, None][member] = None
        return {key: list(row) for key, row in rows.items()}

    def _sign(self, member: str) -> object:
        """Return a key that members share which do the same with the same shapes."""
        if member not in self.signs:
            self.signs[member] = self._look(member)
        return self.signs[member]

    def _look(self, member: str) -> tuple[object, ...]:
        if member in self.nodes:
            node = self.nodes[member]
            return node.kind, self._name(member), node.detail.rpartition(": ")[2]
        group = self.groups[member]
        inside = self.rows.get((group.lane, member), [])
        signs = tuple(map(self._sign, inside))
        self.weights[member] = sum(self.weights.get(each, 1) for each in inside)
        return group.kind, stem(label_of(group, "en")), signs

    # ----- cutting -----

    def _cut(self, row: list[str], parent: str | None, lane: str) -> None:
        """Put blocks around what repeats in a row, and around the parts of a row that is long."""
        left: list[str] = []
        done = 0
        for start, period, times in repetitions([self._sign(member) for member in row]):
            members = row[start : start + period * times]
            if not self._worth(members):
                continue
            units = [members[k : k + period] for k in range(0, len(members), period)]
            left += [*row[done:start], self._repetition(units, parent, lane)]
            done = start + len(members)
        left += row[done:]
        if len(left) > self.cuts.few:
            self.starts.add(left[0])
            self._parts([[member] for member in left], parent, lane, 1, "")

    def _worth(self, members: list[str]) -> bool:
        weight = sum(self.weights.get(member, 1) for member in members)
        layers = any(member in self.groups for member in members)
        return weight >= (WEIGHT if layers else self.cuts.least)

    def _repetition(self, units: list[Unit], parent: str | None, lane: str) -> str:
        what, detail = self._titled(units)
        self.starts.add(units[0][0])
        name = self._block(what, detail, parent, lane, (Badge.same("repeats", f"× {len(units)}"),))
        self._parts(units, name, lane, 1, what)
        return name

    def _titled(self, units: list[Unit]) -> tuple[Label, str]:
        """Return the name of a repetition, and the line below."""
        names = list(dict.fromkeys(map(self._name, units[0])))
        what = " · ".join(names)
        if len(names) > 2 and len(what) > LABEL:
            what = f"{names[0]} · … · {names[-1]}"
        return what, self._detail(units[-1][-1])

    def _parts(
        self, units: list[Unit], parent: str | None, lane: str, first: int, title: Label
    ) -> None:
        """Put units into a block: as they are, or if they are too many in blocks of their own."""
        fits = max(1, self.cuts.row // len(units[0]))
        leaves = ceil(len(units) / fits)
        if leaves == 1:
            if parent is not None:
                self._put(units, parent, title)
            return
        deep = ceil(log(leaves) / log(self.cuts.fan))
        size = fits * ceil(leaves / ceil(leaves ** (1 / deep)))
        for k in range(0, len(units), size):
            part = units[k : k + size]
            ends = f"{first + k}–{first + k + len(part) - 1}"
            between = f"{self._name(part[0][0])} … {self._name(part[-1][-1])}"
            times = (Badge.same("repeats", f"× {len(part)}"),) if title else ()
            block = self._block(title or between, ends, parent, lane, times)
            self._parts(part, block, lane, first + k, title)

    def _put(self, units: list[Unit], block: str, title: Label) -> None:
        """Let units stand in a block, as one repetition or as several."""
        for k, unit in enumerate(units):
            self.around |= dict.fromkeys(unit, block)
            self.units |= dict.fromkeys(unit, (block, k if title else 0))

    def _block(
        self, label: Label, detail: str, parent: str | None, lane: str, badges: tuple[Badge, ...]
    ) -> Frame:
        name = ids.block(self.earlier + len(self.blocks) + 1)
        box = ids.closed_box(name)
        closed = Node(box, "op", label, detail, lane, group=parent)
        block = Group(name, "block", label, parent, lane, name, closed, badges)
        self.blocks[name] = block
        return name

    def _name(self, member: str) -> str:
        if member in self.nodes:
            label = base_of(label_of(self.nodes[member], "en"))  # each has an `x` of its own
            return "[…]" if label.startswith("[") else INDEX.sub("[…]", label)  # x[0] and x[1]
        block = self.blocks.get(member)
        return label_of(block, "en") if block else stem(label_of(self.groups[member], "en"))

    def _detail(self, member: str) -> str:
        """Return the shape that a member gives."""
        closed = self.nodes.get(member) or self.groups[member].closed
        return closed.detail.rpartition(": ")[2] if closed else ""

    def _warn(self) -> None:
        """Give the closed box of a block the alarms of what it hides."""
        for node in self.nodes.values():
            alarms = tuple(badge for badge in node.badges if badge.kind in ALARMS)
            for name in self._homes(node.id) if alarms else ():
                block = self.blocks.get(name)
                if block and block.closed:
                    badges = (*(block.closed.badges or block.badges), *alarms)
                    closed = replace(block.closed, badges=badges)
                    self.blocks[name] = replace(block, closed=closed)

    # ----- what belongs to a block -----

    def _home(self, thing: str) -> str | None:
        """Return the group in which a thing stands now."""
        if thing in self.around:
            return self.around[thing]
        if thing in self.nodes:
            return self.nodes[thing].group
        group = self.blocks.get(thing) or self.groups.get(thing)
        return group.parent if group else None

    def _homes(self, thing: str) -> list[str]:
        """Return all groups in which a thing stands now, the innermost first."""
        homes, at = list[str](), self._home(thing)
        while at is not None:
            homes.append(at)
            at = self._home(at)
        return homes

    def _shared_block(self, things: list[str], beside: str) -> str | None:
        """Return the innermost block that stands in the group of `beside` and holds all these
        things."""
        homes = [self._homes(thing) for thing in things]
        for name in homes[0] if homes else ():
            outside = (home for home in self._homes(name) if home not in self.blocks)
            shared = name in self.blocks and all(name in others for others in homes)
            if shared and next(outside, None) == self._home(beside):
                return name
        return None

    def _take_tensors(self) -> None:
        """Put a tensor that one repetition reads into its block; what is read at its start, or
        again and again, stays outside."""
        readers: dict[str, set[str]] = defaultdict(set)
        for edge in self.edges:
            source, target = self.nodes.get(edge.source), self.nodes.get(edge.target)
            if edge.kind == "data" and source and target and source.lane == target.lane:
                readers[edge.source].add(self._member(edge.target))
        for name, members in readers.items():
            if self._member(name) != name:
                continue  # it stands in a layer, and goes where that goes
            units = {self.units.get(member) for member in members}
            unit = units.pop()
            if not units and unit and self.nodes[name].kind in TENSORS:
                lasting = self.nodes[name].kind in LASTING
                if lasting or not members & self.starts:
                    self.around[name] = unit[0]

    def _member(self, thing: str) -> str:
        """Return the member of a block in which a thing stands, or the thing itself."""
        return next((at for at in (thing, *self._homes(thing)) if at in self.units), thing)

    def _take_gradients(self) -> None:
        """Put the gradients of what is in a block into its backward half."""
        forward = {g.twin: g.id for g in self.groups.values() if g.lane == "forward"}
        columns: dict[str, int] = {}
        for node in self.nodes.values():
            at = node.group
            while at in self.groups and at not in columns:
                columns[at], at = node.column, self.groups[at].parent
        for group in self.groups.values():
            owner = forward.get(group.twin, "") if group.twin else ""
            if group.lane == "backward" and owner in self.around:
                half = self._half(self.around[owner], columns.get(group.id, 0), group.parent)
                self.around[group.id] = half
        for node in self.nodes.values():
            if node.lane == "backward" and node.pair in self.around:
                half = self._half(self.around[node.pair], node.column, node.group)
                self.around[node.id] = half
        self._take_sums()

    def _take_sums(self) -> None:
        """Put sums of gradients of one half into it."""
        makers: dict[str, list[str]] = defaultdict(list)
        readers: dict[str, list[str]] = defaultdict(list)
        for edge in self.edges:
            makers[edge.target].append(edge.source)
            readers[edge.source].append(edge.target)
        left = {n.id: None for n in self.nodes.values() if n.lane == "backward" and n.pair is None}
        queue = deque(left)
        while queue:
            name = queue.popleft()
            half = self._shared_block(makers[name], name) if name in left else None
            if half:
                self.around[name] = half
                del left[name]
                queue += readers[name]  # which may stand in that half now

    def _half(self, block: str, column: int, outer: str | None) -> Frame:
        """Return the backward half of a block, made when first needed."""
        forward, whole = self.blocks[block], Frame(block)
        name = ids.backward_of(whole, column)
        if name not in self.blocks:
            parent = self._home(block)
            if parent in self.blocks:
                outer = self._half(parent, column, outer)
            said = "backwardOf" if isinstance(forward.label, str) else "backwardOfPart"
            label = WORDS[said].fill(of=forward.label)
            ends = forward.closed.detail if forward.closed and _is_range(forward.closed) else ""
            box, pair = ids.closed_box(name), ids.closed_box(whole)
            closed = Node(box, "grad", label, ends, "backward", column, pair=pair)
            self.blocks[name] = Group(
                name, "block", label, outer, "backward", block, closed, forward.badges
            )
        return name


class _Parts(_Blocks):
    """Blocks for a slide: what repeats is one, and a long row is a few, which say what is in them.

    They do not stand in each other, and none has one member.
    """

    def __init__(self, graph: Graph, cuts: Cuts) -> None:
        super().__init__(graph, cuts)
        self.learned: set[str] = set()  # ops that have a parameter, and what they stand in
        for edge in self.edges:
            source = self.nodes.get(edge.source)
            if source and source.kind == "parameter":
                self.learned |= {edge.target, *self._homes(edge.target)}

    def _cut(self, row: list[str], parent: str | None, lane: str) -> None:
        if parent not in self.groups or self.groups[parent].kind != "block":
            super()._cut(row, parent, lane)

    def _parts(
        self, units: list[Unit], parent: str | None, lane: str, _first: int, title: Label
    ) -> None:
        if title:
            if parent is not None:
                self._put(units, parent, title)
            return
        pieces = self._pieces([member for unit in units for member in unit])
        count = ceil(len(pieces) / ceil(len(pieces) / self.cuts.row))
        ends = [k * len(pieces) // count for k in range(count + 1)]
        for begin, end in pairwise(ends):
            members = [member for piece in pieces[begin:end] for member in piece]
            if len(members) > 1:
                block = self._block(*self._summary(members), parent, lane, ())
                self._put([members], block, "")

    def _pieces(self, row: list[str]) -> list[Unit]:
        """Return a row in pieces that each begin with what has parameters; else its members, one
        by one.

        Convolution, relu and pooling are one piece, and so is the linear layer after them.
        """
        pieces: list[Unit] = []
        for member in row:
            goes_on = pieces and pieces[-1][-1] in self.learned and pieces[-1][-1] in self.nodes
            if not pieces or (member in self.learned and not (goes_on and member in self.nodes)):
                pieces.append([])
            pieces[-1].append(member)
        by_parameters = len(pieces) > 1 and max(map(len, pieces)) <= self.cuts.row
        return pieces if by_parameters else [[member] for member in row]

    def _titled(self, units: list[Unit]) -> tuple[Label, str]:
        return self._summary(units[0]) if len(units[0]) > 2 else super()._titled(units)

    def _look(self, member: str) -> tuple[object, ...]:
        node = self.nodes.get(member)
        if node and node.kind == "port":  # it has the name of a tensor
            return node.kind, self._detail(member)
        return super()._look(member)

    def _summary(self, members: list[str]) -> tuple[Message, str]:
        """Name the members of a part: `3 layers`, and which: `Conv2D, ReLU, MaxPool2D`."""
        layers = [self._is_layer(member) for member in members]
        kind = "partLayers" if all(layers) else "partMixed" if any(layers) else "partOps"
        return WORDS[kind].fill(count=str(len(members))), in_short([*map(self._name, members)])

    def _is_layer(self, member: str) -> bool:
        return member in self.groups and self.groups[member].kind == "layer"


def in_short(names: Sequence[str]) -> str:
    """Return a list of names, of a long one those at both ends.

    >>> in_short(["conv2d", "relu", "max_pool2d", "conv2d", "relu", "max_pool2d"])
    'conv2d, relu, …, max_pool2d'
    """
    whole = ", ".join(names)
    if len(whole) <= LISTED or len(names) < 3:
        return whole
    first = [names[0]]
    while len(", ".join([*first, names[len(first)], "…", names[-1]])) <= LISTED:
        first.append(names[len(first)])
    return ", ".join([*first, "…", names[-1]])


def _is_range(closed: Node) -> bool:
    """Return whether the second line says which members a part has: `14–26`."""
    return closed.detail.replace("–", "").isdigit()


def stem(label: str) -> str:
    """Return `Linear` for the layer `Linear hidden`, `net` for `net_0`, `f` for `py_func: f`."""
    name = label.removeprefix("py_func: ").partition(" ")[0]
    head, _, number = name.rpartition("_")
    return head if head and number.isdigit() else name
