"""A graph for Graphviz: DOT source and `graphviz.Digraph`.

The source needs no `dot` program. Names of tensors become escaped labels and attributes; the nodes
are named n0, n1, ...
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING

from minipaddle.engine.errors import InvalidArgument, NotFound
from minipaddle.engine.install_advice import optional_imports
from minipaddle.engine.visible import make_visible

from .. import theme
from ..layout.fold import fold, pairs
from ..layout.parts import Part, Seen
from ..model import Graph, Node, group_by_key, label_of

if TYPE_CHECKING:
    import graphviz

_SHAPES = {"accumulate": "circle"}
FORMATS = ("svg", "png", "pdf", "json", "plain")


def digraph(
    graph: Graph, open: AbstractSet[str] = frozenset(), lang: str = "en"
) -> graphviz.Digraph:
    """Return the picture as a `graphviz.Digraph` with the groups of these names open.

    >>> from viz.model import Edge, Graph, Node
    >>> nodes = (Node("x", "leaf", "x"), Node("tanh", "op", "tanh"))
    >>> print(digraph(Graph(nodes, (Edge("e", "x", "tanh"),))).source.splitlines()[-2].strip())
    n0 -> n1 [color="#2563b0" id=e]
    """
    with optional_imports():
        import graphviz

    view = fold(graph, open)
    names = {part: f"n{k}" for k, part in enumerate(view.seen.boxes)}
    picture = graphviz.Digraph(
        graph_attr={"rankdir": "TB", "bgcolor": theme.LIGHT["paper"], "newrank": "true"},
        node_attr={"fontname": "Helvetica", "fontsize": "12", "fontcolor": theme.LIGHT["ink"]},
        edge_attr={"fontname": "Helvetica", "fontsize": "9", "fontcolor": theme.LIGHT["muted"]},
    )
    picture.body += _node_lines(view.seen, names, lang)
    for part, pair in pairs(view.seen):
        if pair in names:
            picture.body.append(f"\t{{rank=same; {names[pair]}; {names[part]}}}\n")
    edges = [
        replace(thread.edge, source=names[thread.source], target=names[thread.target])
        for thread in view.threads
    ]
    lanes = {name: part.item.box.lane for part, name in names.items()}
    colours = theme.wire_colours(edges, lanes)
    for edge in edges:
        colour = colours[edge.id]
        style = {"color": theme.LIGHT[colour], "id": graphviz.escape(edge.id)}
        if edge.label:
            style["label"] = graphviz.escape(theme.shorten(edge.label, theme.SMALL, theme.WIDEST))
        ends = edge.source, edge.target
        if edge.kind == "saved":
            style |= {"style": "dashed", "constraint": "false"}
        elif lanes[edge.source] == lanes[edge.target] == "backward":
            ends, style["dir"] = ends[::-1], "back"  # gradients flow up
        picture.edge(*ends, **style)
    return picture


def source(graph: Graph, open: AbstractSet[str] = frozenset(), lang: str = "en") -> str:
    """Return the DOT source of `digraph`; no Graphviz program is needed."""
    return str(digraph(graph, open, lang).source)


def render(graph: Graph, format: str = "svg", open: AbstractSet[str] = frozenset()) -> bytes:
    """Return the picture drawn by the program `dot`; raise NotFound if there is no such program."""
    with optional_imports():
        import graphviz

    if format not in FORMATS:
        raise InvalidArgument(
            "Graphviz is asked for a format that it is not used for here.",
            expected=", ".join(FORMATS),
            received=repr(format),
            fix="choose one of these, or save without engine='dot'",
        )
    try:
        return bytes(digraph(graph, open).pipe(format=format))
    except (graphviz.ExecutableNotFound, graphviz.CalledProcessError) as error:
        missing = isinstance(error, graphviz.ExecutableNotFound)
        raise NotFound(
            "Graphviz cannot draw this graph.",
            expected="a working program `dot` of Graphviz on the PATH",
            received="no `dot` program" if missing else f"`dot` ended with: {error}",
            fix="leave engine='dot' out, the built-in layout needs no program; or install it",
        ) from error


def _node_lines(seen: Seen, names: dict[Part, str], lang: str) -> Iterator[str]:
    """Yield the lines of nodes and clusters; an opened group is a cluster."""
    lines = group_by_key(  # group -> lines of its nodes
        (part.item.container.around, _node_line(seen.node(part), names[part], lang))
        for part in seen.boxes
    )
    frames = group_by_key((frame.item.container.around, frame) for frame in seen.frames)
    yield from lines.get(None, ())
    stack: list[Part | None] = [*reversed(frames.get(None, []))]
    while stack:
        frame_or_end = stack.pop()  # None ends a cluster
        if frame_or_end is None:
            yield "\t}\n"
            continue
        group = frame_or_end.item.group
        assert group is not None
        colour = theme.LIGHT[theme.accent(group.lane)]
        yield f"\tsubgraph cluster_{seen.frames.index(frame_or_end)} {{\n"
        yield f"\t\tlabel={_quote_text(label_of(group, lang))}\n"
        yield f'\t\tcolor="{colour}" style=rounded fontname=Helvetica fontcolor="{colour}"\n'
        yield from ("\t" + line for line in lines.get(frame_or_end.item, ()))
        stack += [None, *reversed(frames.get(frame_or_end.item, []))]


def _node_line(node: Node, name: str, lang: str) -> str:
    look = theme.look(node)
    badges = " ".join(badge.text.of(lang) for badge in look.badges)
    lines = [label_of(look, lang), look.detail, badges]
    label = "\\n".join(_escape_quotes(line) for line in lines if line)
    fill, line = theme.fill(node.kind, node.lane), theme.accent(node.lane)
    shape = _SHAPES.get(node.kind, "box")
    style = "filled,rounded" if look.shape != "box" else "filled"
    wide = " peripheries=2" if theme.special(node.kind) else ""
    return (
        f'\t{name} [label="{label}" id={_quote_text(node.id)} shape={shape} style="{style}" '
        f'fillcolor="{theme.LIGHT[fill]}" color="{theme.LIGHT[line]}"{wide}]\n'
    )


def _escape_quotes(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _quote_text(text: str) -> str:
    return f'"{_escape_quotes(make_visible(text))}"'
