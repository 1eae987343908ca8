"""Write the graph that a backward pass will walk, for Graphviz."""

from __future__ import annotations

from typing import Any

from . import files, naming, refusals
from .tensor import Accumulation, Tensor, node_of


def dump(folder: str, tensors: list[Tensor]) -> None:
    """Write backward_graph_N.dot into a folder, which is made if it does not exist.

    Nodes are numbered in the order of discovery; arrows show where gradients go, each with the
    number of its input.
    """
    if not isinstance(folder, str):
        raise refusals.no_folder(folder)
    content = text([node_of(t._node or t) for t in tensors if not t._stop])
    path = f"{folder}/{naming.tensor_name('backward_graph')}.dot"
    files.write({path: content.encode("utf-8", "backslashreplace")}, make_folders=True)


def text(roots: list[Any]) -> str:
    """Return the graph behind these nodes in the DOT language."""
    numbers: dict[Any, int] = {}
    nodes, arrows = [], []
    waiting = list(dict.fromkeys(roots))
    for node in waiting:
        numbers[node] = len(numbers)
    for node in waiting:  # the list grows
        label, shape = node.name(), "ellipse"
        if isinstance(node, Accumulation):
            label, shape = f"{label}\\n{_leaf_label(node.leaf)}", "box"
        nodes.append(f'  node_{numbers[node]} [label="{label}", shape={shape}];')
        for index, following in enumerate(node.next_functions):
            if following is None:
                continue
            if following not in numbers:
                numbers[following] = len(numbers)
                waiting.append(following)
            arrows.append(f'  node_{numbers[node]} -> node_{numbers[following]} [label="{index}"];')
    return "\n".join(["digraph backward {", *nodes, *arrows, "}", ""])


def _leaf_label(leaf: Tensor) -> str:
    name = (leaf._rare and leaf._rare.name) or ""
    shape = f"{leaf._data.dtype.name} {list(leaf._data.shape)}"
    return f"{name} {shape}".strip().replace('"', "'")
