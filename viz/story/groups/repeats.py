"""Repetitions and long rows as groups that open and close: `TransformerEncoderLayer × 12`.

A graph of up to 60 boxes is shown as it is. In a larger graph, successive layers with the same
inside become one block. In a graph of over 300 boxes, or of a single round, so do ops that repeat,
such as time steps written by hand. In a graph of over 300 boxes, a long row of different ops is cut
into parts. A block has a half in the forward lane and, for each backward pass, a half with the
gradients in the backward lane; the halves open and close together.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise, takewhile
from math import ceil, inf, log
from types import MappingProxyType
from typing import NamedTuple

from minipaddle.messages import Message

from ...document.distinct_names import base_of
from ...language.words import WORDS
from ...model import GIVEN, SERIES, Badge, Graph, Group, Label, Node, between, label_of
from ...theme import ALARMS, LASTING
from .. import ids
from ..ids import Frame
from ..numbers import INDEX
from .turns import Around, Turn

FEW = 60  # boxes: a smaller graph has no blocks, and a picture shows at most FEW at first
MANY = 300  # boxes above which a graph has blocks of ops, too
ROW = 40  # most members of a block without blocks inside
FAN = 20  # most blocks in a block
LEAST_TURNS, MOST_TURNS = 3, 200  # turns of a Python loop with a frame for each
LEAST = 4  # fewest repetitions; three, such as query, key and value, are shown singly
LONGEST = 64  # most members of one repetition
LABEL = 20  # letters above which a label of several names is abbreviated
LISTED = 38  # most letters of the names that a block lists
WEIGHT = 12  # fewest boxes of a block of layers, or of ops in a single round
TENSORS = GIVEN | {"result"}
WEIGHTS = GIVEN - {"data"}
BLOCKS = {"block", "row", "loop", "turn"}  # kinds of groups that no layer or function makes


class Cuts(NamedTuple):
    """Limits for blocks: `least` repeated boxes of a block; `few` members above which a row is cut;
    most members (`row`) and blocks (`fan`) in a block."""

    least: float
    few: float
    row: int
    fan: int


Unit = list[str]  # members of one repetition: ids of nodes and of groups


def with_blocks(
    graph: Graph, is_part: bool = False, turns: Mapping[str, Around] = MappingProxyType({})
) -> Graph:
    """Return a graph with blocks if it is large; `is_part`: of a part of a recording.

    `turns` are the turns of Python loops around the ops.
    """
    large = len(graph.nodes) > MANY
    least = WEIGHT if is_part else ROW + 1 if large else inf
    cuts = Cuts(least, FEW if large else inf, ROW, FAN)
    return _Blocks(graph, cuts, turns).graph() if len(graph.nodes) > FEW else graph


def in_parts(graph: Graph, row: int) -> Graph:
    """Return a graph with at most `row` members in a row, by blocks that list their members."""
    return _Parts(graph, Cuts(row, row, row, row)).graph()


def repetitions(signs: Sequence[object]) -> Iterator[tuple[int, int, int]]:
    """Yield the repetitions: (first index, length of the repeated piece, number of repetitions).

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
    """Builder of blocks around nodes and groups of a graph."""

    def __init__(
        self, graph: Graph, cuts: Cuts, turns: Mapping[str, Around] = MappingProxyType({})
    ) -> None:
        self.edges = graph.edges
        self.nodes = {node.id: node for node in graph.nodes}
        self.groups = {group.id: group for group in graph.groups}
        self.cuts, self.turns = cuts, dict(turns)
        self.earlier = sum(group.kind in BLOCKS for group in graph.groups)
        self.blocks: dict[str, Group] = {}
        self.around: dict[str, str] = {}  # member -> the block around it
        self.units: dict[str, tuple[str, int]] = {}  # member -> (block, index of the repetition)
        self.starts: set[str] = set()  # first members of repetitions and of long rows
        self.rows = self._list_rows()
        self.signs: dict[str, object] = {}
        self.weights: dict[str, int] = {}

    def graph(self) -> Graph:
        for (lane, parent), row in self.rows.items():
            around = self._turns_around(lane, parent) if parent else ()
            self._cut_row(self._fold_loops(row, len(around), parent, lane), parent, lane)
        if self.blocks:
            self._take_tensors()
            self._take_gradients()
        self._copy_alarms()
        nodes = tuple(replace(n, group=self.around.get(n.id, n.group)) for n in self.nodes.values())
        groups = (*self.groups.values(), *self.blocks.values())
        groups = tuple(replace(g, parent=self.around.get(g.id, g.parent)) for g in groups)
        return Graph(nodes, self.edges, groups)

    # ----- rows -----

    def _list_rows(self) -> dict[tuple[str, str | None], list[str]]:
        """Return (lane, surrounding group) -> members in order of time."""
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

    def _member_sign(self, member: str) -> object:
        """Return a key that is equal for members that do the same with the same shapes."""
        if member not in self.signs:
            self.signs[member] = self._compute_sign(member)
        return self.signs[member]

    def _compute_sign(self, member: str) -> tuple[object, ...]:
        if member in self.nodes:
            node = self.nodes[member]
            return node.kind, self._member_name(member), node.detail.rpartition(": ")[2]
        group = self.groups[member]
        inside = self.rows.get((group.lane, member), [])
        signs = tuple(map(self._member_sign, inside))
        self.weights[member] = sum(self.weights.get(each, 1) for each in inside)
        return group.kind, stem(label_of(group, "en")), signs

    def _name_ops(self, member: str) -> tuple[object, ...]:
        """Return a key that is equal for members that run the same ops, of any shapes."""
        if member in self.nodes:
            name = self._member_name(member)
            method = name.partition("(")[0].rpartition(".")  # `w.set_value(…)`
            return self.nodes[member].kind, method[2] if name.endswith(")") else name
        group = self.groups[member]
        inside = self.rows.get((group.lane, member), [])
        return group.kind, stem(label_of(group, "en")), *map(self._name_ops, inside)

    # ----- loops -----

    def _turns_around(self, lane: str, member: str) -> Around:
        """Return the turns of loops around a member: those around all that is in it."""
        if member not in self.turns:
            inside = [self._turns_around(lane, each) for each in self.rows.get((lane, member), ())]
            same = takewhile(lambda each: len({*each}) == 1, zip(*inside, strict=False))
            self.turns[member] = tuple(each[0] for each in same)
        return self.turns[member]

    def _fold_loops(self, row: list[str], depth: int, parent: str | None, lane: str) -> list[str]:
        """Return a row with a block in place of each loop whose turns are equal but for its ends.

        `depth` is the number of loops around the row.
        """

        def turn_of(member: str) -> Turn | None:
            around = self._turns_around(lane, member)
            return around[depth] if len(around) > depth else None

        def loop_of(member: str) -> int:
            turn = turn_of(member)
            return turn.loop if turn else 0

        folded: list[str] = []
        for loop, members in groupby(row, loop_of):
            if not loop:
                folded += members
                continue
            turns = [(turn, [*unit]) for turn, unit in groupby(members, turn_of) if turn]
            if self._is_worth_loop(lane, depth, [unit for _, unit in turns]):
                folded.append(self._add_loop(turns, depth, parent, lane))
            else:
                for _, unit in turns:
                    folded += self._fold_loops(unit, depth + 1, parent, lane)
        return folded

    def _is_worth_loop(self, lane: str, depth: int, units: list[Unit]) -> bool:
        """Return whether the turns of a loop are many and equal, also in their inner loops.

        Equal turns run the same ops, of any shapes: a loop over parameters has others in each. The
        first may differ, which often makes what the others add to, and the last, which a `break`
        may end. Turns of one op or layer each make a block without frames for turns.
        """
        if not LEAST_TURNS <= len(units) <= MOST_TURNS or all(len(unit) == 1 for unit in units):
            return False

        def sign(unit: Unit) -> list[object]:
            first: dict[int, int] = {}  # inner loop -> its number in the turn
            inner = [self._turns_around(lane, member)[depth + 1 :] for member in unit]
            return [
                (
                    self._name_ops(m),
                    [(first.setdefault(t.loop, len(first)), t.number) for t in at],
                )
                for m, at in zip(unit, inner, strict=True)
            ]

        signs = list(map(sign, units))
        same = [each == signs[1] for each in signs]
        weight = self._weigh(units[1]) * len(units)
        return all(same[1:-1]) and sum(same) >= LEAST_TURNS and weight >= WEIGHT

    def _add_loop(
        self, turns: list[tuple[Turn, Unit]], depth: int, parent: str | None, lane: str
    ) -> str:
        """Add the block of a loop, with a block in it for each turn."""
        named = all(turn.name for turn, _ in turns)
        names: list[Label] = [
            turn.name if named else WORDS["turn"].fill(number=str(turn.number + 1))
            for turn, _ in turns
        ]
        times = (Badge.same("repeats", f"× {len(turns)}"),)
        shapes = {self._member_shape(unit[-1]) for _, unit in turns}
        shape = shapes.pop() if len(shapes) == 1 else ""  # that of closed turns beside each other
        what = between(names[0], names[-1])
        loop = self._add_block(what, shape, parent, lane, times, "loop")
        for name, (_, unit) in zip(names, turns, strict=True):
            block = self._add_block(name, shape, loop, lane, (), "turn")
            members = self._fold_loops(unit, depth + 1, block, lane)
            self._put_units([members], block, "")
        self.starts.update(turns[0][1])
        ends = [*turns[0][1], *turns[-1][1]]
        self.signs[loop] = "loop", len(turns), *map(self._member_sign, ends)
        self.weights[loop] = self._weigh([member for _, unit in turns for member in unit])
        return loop

    def _weigh(self, members: list[str]) -> int:
        return sum(self.weights.get(member, 1) for member in members)

    # ----- cutting -----

    def _cut_row(self, row: list[str], parent: str | None, lane: str) -> None:
        """Put blocks around repetitions in a row, and around parts of a row that is still long."""
        if parent in self.groups and self.groups[parent].kind in SERIES:
            return  # the turns of a loop of a Program
        left: list[str] = []
        done = 0
        for start, period, times in repetitions([self._member_sign(member) for member in row]):
            members = row[start : start + period * times]
            if not self._is_worth_block(members):
                continue
            units = [members[k : k + period] for k in range(0, len(members), period)]
            left += [*row[done:start], self._add_repetition(units, parent, lane)]
            done = start + len(members)
        left += row[done:]
        if len(left) > self.cuts.few:
            self.starts.add(left[0])
            self._split_units([[member] for member in left], parent, lane, 1, "")

    def _is_worth_block(self, members: list[str]) -> bool:
        layers = any(member in self.groups for member in members)
        return self._weigh(members) >= (WEIGHT if layers else self.cuts.least)

    def _add_repetition(self, units: list[Unit], parent: str | None, lane: str) -> str:
        what, detail = self._name_repetition(units)
        self.starts.add(units[0][0])
        groups = all(len(unit) == 1 and unit[0] in self.groups for unit in units)
        kind = "row" if groups and len(units) <= self.cuts.row else "block"
        times = (Badge.same("repeats", f"× {len(units)}"),)
        name = self._add_block(what, detail, parent, lane, times, kind)
        self._split_units(units, name, lane, 1, what)
        return name

    def _name_repetition(self, units: list[Unit]) -> tuple[Label, str]:
        """Return the label and the second line of a repetition's block."""
        names = list(dict.fromkeys(map(self._member_name, units[0])))
        what = " · ".join(names)
        if len(names) > 2 and len(what) > LABEL:
            what = f"{names[0]} · … · {names[-1]}"
        return what, self._member_shape(units[-1][-1])

    def _split_units(
        self, units: list[Unit], parent: str | None, lane: str, first: int, title: Label
    ) -> None:
        """Put units into a block, directly or, if they are too many, in inner blocks."""
        fits = max(1, self.cuts.row // len(units[0]))
        leaves = ceil(len(units) / fits)
        if leaves == 1:
            if parent is not None:
                self._put_units(units, parent, title)
            return
        deep = ceil(log(leaves) / log(self.cuts.fan))
        size = fits * ceil(leaves / ceil(leaves ** (1 / deep)))
        for k in range(0, len(units), size):
            part = units[k : k + size]
            ends = f"{first + k}–{first + k + len(part) - 1}"
            between = f"{self._member_name(part[0][0])} … {self._member_name(part[-1][-1])}"
            times = (Badge.same("repeats", f"× {len(part)}"),) if title else ()
            block = self._add_block(title or between, ends, parent, lane, times)
            self._split_units(part, block, lane, first + k, title)

    def _put_units(self, units: list[Unit], block: str, title: Label) -> None:
        """Assign units to a block; without a title they count as one repetition."""
        for k, unit in enumerate(units):
            self.around |= dict.fromkeys(unit, block)
            self.units |= dict.fromkeys(unit, (block, k if title else 0))

    def _add_block(
        self,
        label: Label,
        detail: str,
        parent: str | None,
        lane: str,
        badges: tuple[Badge, ...],
        kind: str = "block",
    ) -> Frame:
        name = ids.block(self.earlier + len(self.blocks) + 1)
        box = ids.closed_box(name)
        closed = Node(box, "op", label, detail, lane, group=parent)
        block = Group(name, kind, label, parent, lane, name, closed, badges)
        self.blocks[name] = block
        return name

    def _member_name(self, member: str) -> str:
        if member in self.nodes:
            label = base_of(label_of(self.nodes[member], "en"))  # `x` for x#2
            return "[…]" if label.startswith("[") else INDEX.sub("[…]", label)  # `x[…]` for x[0]
        group = self.blocks.get(member) or self.groups[member]
        label = label_of(group, "en")
        return label if group.kind in BLOCKS else stem(label)

    def _member_shape(self, member: str) -> str:
        """Return the shape and dtype of a member's result as text, or ""."""
        closed = self.nodes.get(member) or (self.groups | self.blocks)[member].closed
        return closed.detail.rpartition(": ")[2] if closed else ""

    def _copy_alarms(self) -> None:
        """Give the closed boxes of blocks the alarms of the boxes that they hide."""
        for node in self.nodes.values():
            alarms = tuple(badge for badge in node.badges if badge.kind in ALARMS)
            for name in self._groups_around(node.id) if alarms else ():
                block = self.blocks.get(name)
                if block and block.closed:
                    badges = (*(block.closed.badges or block.badges), *alarms)
                    closed = replace(block.closed, badges=badges)
                    self.blocks[name] = replace(block, closed=closed)

    # ----- members of blocks -----

    def _group_around(self, thing: str) -> str | None:
        """Return the block or group directly around a node or group, or None."""
        if thing in self.around:
            return self.around[thing]
        if thing in self.nodes:
            return self.nodes[thing].group
        group = self.blocks.get(thing) or self.groups.get(thing)
        return group.parent if group else None

    def _groups_around(self, thing: str) -> list[str]:
        """Return all blocks and groups around a node or group, the innermost first."""
        homes, at = list[str](), self._group_around(thing)
        while at is not None:
            homes.append(at)
            at = self._group_around(at)
        return homes

    def _shared_block(self, things: list[str], beside: str) -> str | None:
        """Return the innermost block around all things and in the group of `beside`, or None."""
        homes = [self._groups_around(thing) for thing in things]
        for name in homes[0] if homes else ():
            outside = (home for home in self._groups_around(name) if home not in self.blocks)
            shared = name in self.blocks and all(name in others for others in homes)
            if shared and next(outside, None) == self._group_around(beside):
                return name
        return None

    def _take_tensors(self) -> None:
        """Put each tensor that only one repetition reads into the block, and weights of a loop into
        it; other tensors that the first members read stay outside, unless they are lasting."""
        readers: dict[str, set[str]] = defaultdict(set)
        for edge in self.edges:
            source, target = self.nodes.get(edge.source), self.nodes.get(edge.target)
            if edge.kind == "data" and source and target and source.lane == target.lane:
                readers[edge.source].add(self._outer_member(edge.target))
        for name, members in readers.items():
            if self._outer_member(name) != name:
                continue  # the tensor is in a layer that is a member
            units = {self.units.get(member) for member in members}
            if len(units) > 1 and self.nodes[name].kind in WEIGHTS:
                self._put_into_loop(name, [self._groups_around(member) for member in members])
            unit = units.pop()
            if not units and unit and self.nodes[name].kind in TENSORS:
                lasting = self.nodes[name].kind in LASTING
                if lasting or not members & self.starts:
                    self.around[name] = unit[0]

    def _put_into_loop(self, weight: str, homes: list[list[str]]) -> None:
        """Put a weight that only turns of one loop read into the loop's frame, like a layer's."""
        for name in homes[0]:
            block = self.blocks.get(name)
            if block and block.kind == "loop" and all(name in others for others in homes):
                self.around[weight] = name
                return

    def _outer_member(self, thing: str) -> str:
        """Return the member of a block that contains a thing, or the thing itself."""
        return next((at for at in (thing, *self._groups_around(thing)) if at in self.units), thing)

    def _take_gradients(self) -> None:
        """Put the gradients of a block's members into its backward half."""
        forward = {g.twin: g.id for g in self.groups.values() if g.lane == "forward"}
        columns: dict[str, int] = {}
        for node in self.nodes.values():
            at = node.group
            while at in self.groups and at not in columns:
                columns[at], at = node.column, self.groups[at].parent
        for group in self.groups.values():
            owner = forward.get(group.twin, "") if group.twin else ""
            if group.lane == "backward" and owner in self.around:
                block, column = self.around[owner], columns.get(group.id, 0)
                self.around[group.id] = self._backward_half(block, column, group.parent)
        for node in self.nodes.values():
            if node.lane == "backward" and node.pair in self.around:
                block = self.around[node.pair]
                self.around[node.id] = self._backward_half(block, node.column, node.group)
        self._take_sums()

    def _take_sums(self) -> None:
        """Put sums of gradients that all come from one half into that half.

        A sum of gradients from turns of a loop, and perhaps from outside, goes to the turn that
        uses it, if only one.
        """
        makers: dict[str, list[str]] = defaultdict(list)
        readers: dict[str, list[str]] = defaultdict(list)
        for edge in self.edges:
            makers[edge.target].append(edge.source)
            readers[edge.source].append(edge.target)
        left = {n.id: None for n in self.nodes.values() if n.lane == "backward" and n.pair is None}
        queue = deque(left)
        while queue:
            name = queue.popleft()
            if name not in left:
                continue
            half = self._shared_block(makers[name], name)
            inner = self._shared_block(readers[name], name)
            if inner and self.blocks[inner].kind == "turn":
                loop = self._group_around(inner)
                if any(loop in self._groups_around(maker) for maker in makers[name]):
                    half = inner
            if half:
                self.around[name] = half
                del left[name]
                queue += readers[name]  # readers may belong to the half, too

    def _backward_half(self, block: str, column: int, outer: str | None) -> Frame:
        """Return the backward half of a block, which is added when first needed."""
        forward, whole = self.blocks[block], Frame(block)
        name = ids.backward_of(whole, column)
        if name not in self.blocks:
            parent = self._group_around(block)
            if parent in self.blocks:
                outer = self._backward_half(parent, column, outer)
            said = "backwardOf" if isinstance(forward.label, str) else "backwardOfPart"
            label = WORDS[said].fill(of=forward.label)
            detail = forward.closed.detail if forward.closed else ""
            ends = detail if detail.replace("–", "").isdigit() else ""  # of a range: `14–26`
            box, pair = ids.closed_box(name), ids.closed_box(whole)
            closed = Node(box, "grad", label, ends, "backward", column, pair=pair)
            self.blocks[name] = Group(
                name, forward.kind, label, outer, "backward", block, closed, forward.badges
            )
        return name


class _Parts(_Blocks):
    """Builder of blocks for a slide: one for each repetition, and a few for a long row.

    Blocks list their members, are not nested, and have more than one member.
    """

    def __init__(self, graph: Graph, cuts: Cuts) -> None:
        super().__init__(graph, cuts)
        self.learned: set[str] = set()  # ops that read a parameter, and the groups around them
        for edge in self.edges:
            source = self.nodes.get(edge.source)
            if source and source.kind == "parameter":
                self.learned |= {edge.target, *self._groups_around(edge.target)}

    def _cut_row(self, row: list[str], parent: str | None, lane: str) -> None:
        if parent not in self.groups or self.groups[parent].kind not in BLOCKS:
            super()._cut_row(row, parent, lane)

    def _split_units(
        self, units: list[Unit], parent: str | None, lane: str, _first: int, title: Label
    ) -> None:
        if title:
            if parent is not None:
                self._put_units(units, parent, title)
            return
        pieces = self._cut_at_parameters([member for unit in units for member in unit])
        count = ceil(len(pieces) / ceil(len(pieces) / self.cuts.row))
        ends = [k * len(pieces) // count for k in range(count + 1)]
        for begin, end in pairwise(ends):
            members = [member for piece in pieces[begin:end] for member in piece]
            if len(members) > 1:
                block = self._add_block(*self._summarize_members(members), parent, lane, ())
                self._put_units([members], block, "")

    def _cut_at_parameters(self, row: list[str]) -> list[Unit]:
        """Return a row cut before each member with parameters, or into single members.

        Convolution, relu and pooling are one piece; the linear layer after them begins another one.
        """
        pieces: list[Unit] = []
        for member in row:
            goes_on = pieces and pieces[-1][-1] in self.learned and pieces[-1][-1] in self.nodes
            if not pieces or (member in self.learned and not (goes_on and member in self.nodes)):
                pieces.append([])
            pieces[-1].append(member)
        by_parameters = len(pieces) > 1 and max(map(len, pieces)) <= self.cuts.row
        return pieces if by_parameters else [[member] for member in row]

    def _name_repetition(self, units: list[Unit]) -> tuple[Label, str]:
        if len(units[0]) > 2:
            return self._summarize_members(units[0])
        return super()._name_repetition(units)

    def _compute_sign(self, member: str) -> tuple[object, ...]:
        node = self.nodes.get(member)
        if node and node.kind == "port":  # labels of ports are names of tensors, which differ
            return node.kind, self._member_shape(member)
        return super()._compute_sign(member)

    def _summarize_members(self, members: list[str]) -> tuple[Message, str]:
        """Return a part's label, `3 layers`, and its members, `Conv2D, ReLU, MaxPool2D`."""
        groups = [self.groups.get(member) for member in members]
        layers = [group is not None and group.kind == "layer" for group in groups]
        kind = "partLayers" if all(layers) else "partMixed" if any(layers) else "partOps"
        names = in_short([*map(self._member_name, members)])
        return WORDS[kind].fill(count=str(len(members))), names


def in_short(names: Sequence[str]) -> str:
    """Return names as text, of a long list only those at both ends.

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


def stem(label: str) -> str:
    """Return the base of a label: `Linear` of `Linear hidden`, `net` of `net_0`."""
    name = label.removeprefix("py_func: ").partition(" ")[0]
    head, _, number = name.rpartition("_")
    return head if head and number.isdigit() else name
