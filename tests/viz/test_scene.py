"""Scenes: wires of one product, long names, contrast of colours."""

from tests.contrast import contrast
from viz import theme
from viz.facts.magnitude import CLASSES
from viz.layout.scene import scene_of
from viz.model import Edge, Graph, Node

from . import graphs


def test_two_wires_of_one_product_are_drawn_apart():
    nodes = (Node("x", "leaf", "x"), Node("m", "op", "multiply"))
    scene = scene_of(Graph(nodes, (Edge("e", "x", "m"), Edge("f", "x", "m"))))
    assert [wire.id for wire in scene.wires] == ["e", "f"]
    assert scene.wires[0].points[-1] != scene.wires[1].points[-1]


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


def test_colours_have_enough_contrast_in_both_themes():
    for palette in (theme.LIGHT, theme.DARK):
        for ground in (
            name for name in palette if name == "paper" or name[-4:] in ("fill", "deep")
        ):
            assert contrast(palette["ink"], palette[ground]) >= 4.5, ground
            assert contrast(palette["muted"], palette[ground]) >= 4.5, ground
        for k in range(CLASSES):
            assert contrast(palette[f"ramp-{k}"], palette[f"ramp-ink-{k}"]) >= 4.5, k
        ramp = [contrast(palette[f"ramp-{k}"], palette["paper"]) for k in range(CLASSES)]
        assert ramp == sorted(ramp), "the largest stands out"
        assert contrast(palette["ink"], palette["alert-fill"]) >= 7
        for ground in ("paper", "alert-fill"):
            assert contrast(palette["alert"], palette[ground]) >= 4.5, ground
        for accent in ("forward", "backward", "saved", "optimize", "build", "run", "muted"):
            assert contrast(palette[accent], palette["paper"]) >= 4.5, accent
            assert contrast(palette[accent], palette["plain"]) >= 4.5, accent
