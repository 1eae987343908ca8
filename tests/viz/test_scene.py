"""Folding, aliases and the scenes that a player is given."""

from __future__ import annotations

import sys
from pathlib import Path

from viz import theme
from viz.layout.scene import scene_of
from viz.model import Edge, Graph, Group, Node
from viz.statistics.magnitude import CLASSES

sys.path.insert(0, str(Path(__file__).parent))
import graphs


def test_a_wire_inside_a_backward_has_the_colour_of_what_it_carries():
    lanes = {"dz": "seed", "dy": "port", "y": "port", "square": "op", "times": "op", "dx": "port"}
    nodes = tuple(Node(name, kind, name, lane="backward") for name, kind in lanes.items())
    ways = [
        ("dz", "dy", "grad"),
        ("y", "square", "data"),
        ("square", "times", "data"),
        ("dy", "times", "data"),
        ("times", "dx", "data"),
    ]
    edges = tuple(Edge(f"{one}>{two}", one, two, kind) for one, two, kind in ways)
    assert {wire.id: wire.colour for wire in scene_of(Graph(nodes, edges)).wires} == {
        "dz>dy": "backward",
        "y>square": "forward",
        "square>times": "forward",
        "dy>times": "backward",
        "times>dx": "backward",
    }


def test_hidden_nodes_and_merged_wires_have_an_alias():
    scene = scene_of(graphs.cus_tanh())
    assert scene.alias.get("tanh") == scene.alias.get("out") == "cus"
    assert scene.alias.get("square") == "cus'"
    nodes = tuple(Node(name, "op", name, group="g" if name in "ab" else None) for name in "xab")
    edges = (Edge("one", "x", "a"), Edge("two", "x", "b"), Edge("in", "a", "b"))
    merged = scene_of(Graph(nodes, edges, (Group("g", "layer", "g"),)))
    assert [wire.id for wire in merged.wires] == ["one"]
    assert [merged.alias.get(name) for name in ("a", "b", "two", "one")] == ["g", "g", "one", ""]


def test_two_wires_of_one_product_stay_two():
    nodes = (Node("x", "leaf", "x"), Node("m", "op", "multiply"))
    scene = scene_of(Graph(nodes, (Edge("e", "x", "m"), Edge("f", "x", "m"))))
    assert [wire.id for wire in scene.wires] == ["e", "f"]
    assert scene.wires[0].points[-1] != scene.wires[1].points[-1]


def test_a_nested_group_is_hidden_by_the_closed_one_around_it():
    nodes = (Node("a", "op", "a", group="in"), Node("b", "op", "b", group="out"))
    groups = (Group("out", "block", "out"), Group("in", "layer", "in", parent="out"))
    graph = Graph(nodes, (Edge("e", "a", "b"),), groups)
    assert [box.id for box in scene_of(graph, frozenset({"in"})).boxes] == ["out"]
    assert {box.id for box in scene_of(graph, frozenset({"out"})).boxes} == {"in", "b"}
    both = scene_of(graph, frozenset({"in", "out"}))
    assert [frame.id for frame in both.frames] == ["out", "in"]


def test_long_names_lose_their_middle_and_keep_their_title():
    box = next(box for box in scene_of(graphs.hostile()).boxes if box.id == 'b"&<')
    head, tail = box.label.split("…")
    whole = "a_very_long_name_" * 12
    assert box.title.en.startswith(whole)
    assert len(head) > 12
    assert len(tail) > 12
    assert whole.startswith(head)
    assert whole.endswith(tail)
    assert theme.text_width(str(box.label), theme.LABEL, bold=True) <= theme.WIDEST


def test_marks_that_turn_the_line_around_are_shown_as_unknown_letters():
    assert theme.shorten("\u202eab\x00c\n d", 13, 200) == "\ufffdab\ufffdc d"


def test_wide_letters_count_as_wide():
    assert theme.text_width("自定义", 10) > 30
    assert theme.text_width("自定义", 10) > 1.4 * theme.text_width("abc", 10)


def test_colours_have_enough_contrast_in_both_themes():
    for palette in (theme.LIGHT, theme.DARK):
        for ground in (
            name for name in palette if name == "paper" or name[-4:] in ("fill", "deep")
        ):
            assert theme.contrast(palette["ink"], palette[ground]) >= 4.5, ground
            assert theme.contrast(palette["muted"], palette[ground]) >= 4.5, ground
        for k in range(CLASSES):
            assert theme.contrast(palette[f"ramp-{k}"], palette[f"ramp-ink-{k}"]) >= 4.5, k
        ramp = [theme.contrast(palette[f"ramp-{k}"], palette["paper"]) for k in range(CLASSES)]
        assert ramp == sorted(ramp), "the largest stands out"
        assert theme.contrast(palette["ink"], palette["alert-fill"]) >= 7
        for ground in ("paper", "alert-fill"):
            assert theme.contrast(palette["alert"], palette[ground]) >= 4.5, ground
        for accent in ("forward", "backward", "saved", "optimize", "build", "run", "muted"):
            assert theme.contrast(palette[accent], palette["paper"]) >= 4.5, accent
            assert theme.contrast(palette[accent], palette["plain"]) >= 4.5, accent
