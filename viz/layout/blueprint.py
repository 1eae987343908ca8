"""What all pictures of one graph share: found once, then `compose` adds it up as groups open.

A blueprint holds the containers (lanes first, then the insides of groups, each after what is around
it), the items in them and the wires. Everything that needs a search is in it: the row of each item
in its container, the order from left to right, the blocks that stand above each other, which wires
are straight, and by which slim items each wire goes. Nothing in it depends on what is open.
"""

from __future__ import annotations

from dataclasses import dataclass

from .. import theme
from ..model import Graph
from .items import Container, Item, Wire
from .labels import Texts, texts_of
from .leaves import add_tags, reach
from .nest import nest
from .ranks import rank
from .tree import tree_of


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A graph, ready to be composed; the first `lanes` of the containers are the lanes."""

    graph: Graph
    lanes: int
    containers: list[Container]
    items: list[Item]  # without slim ones
    groups: list[Item]  # in the order of the graph
    wires: list[Wire]
    colours: dict[str, str]  # by the id of an edge
    texts: dict[str, Texts]  # by the label of an edge
    named: dict[str, Item]  # by the id of a node or a closed group
    sizes: theme.Sizes = theme.SCREEN


def lay_out(graph: Graph, sizes: theme.Sizes = theme.SCREEN) -> Blueprint:
    """Find everything that does not depend on which groups are open."""
    tree = tree_of(graph, sizes)
    rank(tree, tree.wires)
    if add_tags(tree):
        ends = [(wire, reach(wire)) for wire in tree.drawn()]
        rank(tree, [Wire(wire.edge, wire.number, *both) for wire, both in ends if both])
    nest(tree)
    lanes = {wire.edge.source: wire.source.box.lane for wire in tree.wires}
    colours = theme.wire_colours([wire.edge for wire in tree.wires], lanes)
    labels = {wire.edge.label for wire in tree.wires if wire.edge.label}
    return Blueprint(
        graph,
        len(tree.strip_of),
        tree.containers,
        tree.items,
        tree.groups,
        tree.wires,
        colours,
        {label: texts_of(label) for label in sorted(labels)},
        tree.named,
        sizes,
    )
