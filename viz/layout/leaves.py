"""Small tags at far uses of a tensor, so that a shared weight needs no long wires.

A closed group is drawn as the user of the tensors used inside it. So the distance is checked for
the user and for every group around it, and each of them may get a tag.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace

from minipaddle.messages import Text

from .. import theme
from ..model import GIVEN, Label, words
from .items import Item, Wire
from .tree import Tree, meeting, until

FAR = 4  # maximum number of rows between a leaf and a use that is drawn with a wire
SINKS = frozenset({"accumulate", "leaf_grad"})
LEADS_ON = Text("{sink} → {end}")  # label of a tag at the source of a summed gradient


def add_tags(tree: Tree) -> bool:
    """Add tags that repeat leaves at far uses and sinks of gradients at far sources.

    Return whether there are any.
    """
    tags: dict[tuple[Item, Item], Item] = {}
    _repeat_leaves(tree, tags)
    _move_saved(tree, tags)
    _repeat_sinks(tree, tags)
    for tag in tags.values():
        tag.first = len(tree.items)
        tree.items.append(tag)
        tag.container.items.append(tag)
    return bool(tags)


def far(leaf: Item, user: Item) -> bool:
    """Return whether a user is not close below a leaf."""
    above, below = meeting(leaf, user)
    rows = below.top - above.top
    if rows <= 0:
        return True
    for item in until(leaf, above):
        rows += item.container.space.count - 1 - item.top
    for item in until(user, below):
        rows += item.top
    return rows > FAR


def reach(wire: Wire) -> tuple[Item, Item] | None:
    """Return the innermost ends of a wire that is drawn, or None if tags always replace it."""
    leaf = wire.leaf
    if leaf is None or wire.edge.kind == "saved":
        return wire.source, wire.target
    user = wire.target if leaf is wire.source else wire.source
    if meeting(leaf, user)[0] is leaf:  # visible whenever its users are
        near = [item for item in _item_and_groups(user, leaf) if item not in wire.tagged]
        if not near:
            return None
        user = near[0]
    return (leaf, user) if leaf is wire.source else (user, leaf)


def _item_and_groups(item: Item, other: Item) -> Iterator[Item]:
    """Yield an item, and the groups around it that are not around the other one."""
    last = meeting(item, other)[0]
    yield from until(item, last)
    yield last


def _repeat_leaves(tree: Tree, tags: dict[tuple[Item, Item], Item]) -> None:
    """Make a tag for each far use of a leaf."""
    data = [wire for wire in tree.wires if wire.edge.kind == "data"]
    uses = Counter(wire.source for wire in data)
    for wire in data:
        leaf = wire.source
        if leaf.group or leaf.box.kind not in GIVEN or uses[leaf] < 2:
            continue
        if leaf.container.key != wire.target.container.key:
            continue
        for user in _item_and_groups(wire.target, leaf):
            if far(leaf, user):
                if (leaf, user) not in tags:
                    tags[leaf, user] = _make_tag(leaf, user, leaf.box.label, tree.sizes)
                wire.leaf = leaf
                wire.tagged[user] = _short_wire(wire, tags[leaf, user], user)


def _move_saved(tree: Tree, tags: dict[tuple[Item, Item], Item]) -> None:
    """Connect a saved leaf's backward op to the tag beside the op that saved the leaf."""
    for wire in tree.wires:
        if wire.edge.kind != "saved":
            continue
        for user in _item_and_groups(wire.target, wire.source):
            if user.pair is not None and (wire.source, user.pair) in tags:
                wire.leaf = wire.source
                wire.tagged[user] = _short_wire(wire, tags[wire.source, user.pair], user)


def _repeat_sinks(tree: Tree, tags: dict[tuple[Item, Item], Item]) -> None:
    """Make a tag at each far source of a gradient that is summed or stored."""
    into: dict[Item, list[Wire]] = defaultdict(list)
    onward: dict[Item, Item] = {}
    for wire in tree.wires:
        sink, source = wire.target, wire.source
        onward.setdefault(source, sink)
        same = sink.container.key == source.container.key
        if wire.edge.kind == "grad" and sink.box.kind in SINKS and not sink.group and same:
            into[sink].append(wire)
    for sink, uses in into.items():
        end = onward.get(sink, sink) if sink.box.kind == "accumulate" else sink
        label = sink.box.label
        if end is not sink:
            label = LEADS_ON.fill(sink=words(label), end=words(end.box.label))
        for wire in uses if len(uses) > 1 else ():
            if wire.source.box.kind == "accumulate":
                continue
            for source in _item_and_groups(wire.source, sink):
                if far(sink, source):
                    if (sink, source) not in tags:
                        tags[sink, source] = _make_tag(sink, source, label, tree.sizes)
                    wire.leaf = sink
                    wire.tagged[source] = _short_wire(wire, source, tags[sink, source])


def _make_tag(leaf: Item, beside: Item, label: Label, sizes: theme.Sizes) -> Item:
    """Return a tag that repeats a leaf, in the container of the box `beside` it."""
    ends = (leaf, beside) if leaf.container.key.direction != "backward" else (beside, leaf)
    names = [end.box.id for end in ends]
    node = replace(
        leaf.box,
        id="~".join(names),
        label=label,
        detail="",
        badges=(),
        pair=None,
        group=beside.box.group,
        tag_of=leaf.box.id,
    )
    look = theme.look(node, sizes)
    half = look.w / 2
    return Item(
        beside.first, beside.container, node, look, leaf=leaf, beside=beside, left=half, right=half
    )


def _short_wire(wire: Wire, source: Item, target: Item) -> Wire:
    return Wire(wire.edge, wire.number, source, target)
