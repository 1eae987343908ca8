"""Shared part of all pictures of one graph: computed once, then composed as groups open.

The tree holds the row of each item in its container, the order from left to right, the blocks of
items placed above each other, the straight wires, and the slim items that each wire passes. Nothing
in a blueprint depends on which groups are open.
"""

from __future__ import annotations

from dataclasses import dataclass

from .. import theme
from ..model import Graph
from .items import Wire
from .labels import Texts, texts_of
from .leaves import add_tags, reach
from .nest import nest
from .ranks import rank
from .tree import Tree, tree_of


@dataclass(frozen=True, slots=True)
class Blueprint:
    """Graph after every search of the layout, ready to be composed."""

    tree: Tree
    colours: dict[str, str]  # id of an edge -> colour
    texts: dict[str, Texts]  # label of an edge -> its text and shorter ones


def lay_out(graph: Graph, sizes: theme.Sizes = theme.SCREEN) -> Blueprint:
    """Compute everything that does not depend on which groups are open."""
    tree = tree_of(graph, sizes)
    rank(tree, tree.wires)
    if add_tags(tree):
        ends = [(wire, reach(wire)) for wire in tree.drawable()]
        rank(tree, [Wire(wire.edge, wire.number, *both) for wire, both in ends if both])
    nest(tree)
    lanes = {wire.edge.source: wire.source.box.lane for wire in tree.wires}
    colours = theme.wire_colours([wire.edge for wire in tree.wires], lanes)
    labels = {wire.edge.label for wire in tree.wires if wire.edge.label}
    texts = {label: texts_of(label) for label in sorted(labels)}
    return Blueprint(tree, colours, texts)
