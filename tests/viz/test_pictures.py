"""Pictures: scenes, SVG, PNG, PDF, DOT; what they leave out or strike out; no covered words."""

import io
import itertools
import random
import re
import zlib
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import graphviz
import matplotlib as mpl
import pytest
from matplotlib.image import imread

import minipaddle as paddle
import viz
from minipaddle import nn
from minipaddle.engine.errors import InvalidArgument
from tests.contrast import contrast
from tests.each import each
from tests.viz.pages import svg
from viz import theme
from viz.draw import dot, raster
from viz.draw.paint import Line, Words, _arrow_ends, paint
from viz.facts.magnitude import CLASSES
from viz.layout.scene import foldable, scene_of
from viz.model import Edge, Graph, Node
from viz.trace import Trace

from ..contract.refusal import refuses
from . import graphs, stories
from .pages import words


def test_skipped_arguments_are_struck_out() -> None:
    graph = stories.skipping().story.graph
    painting = paint(scene_of(graph, frozenset(foldable(graph))))
    struck = [
        words(part)[0].text
        for part in painting.parts
        if part.role == "box"
        and any(isinstance(mark, Line) for mark in part.marks)
        and part.kind == "port"
    ]
    assert struck == ["y", "out"]


def test_a_layer_in_which_nothing_ran_is_not_drawn_unless_it_failed() -> None:
    net = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.0), nn.Tanh())
    with viz.record() as trace:
        net(paddle.ones([2, 3]))
    labels = {str(group.label) for group in trace.story.graph.groups}
    assert {label for label in labels if label[-1].isdigit()} == {"Linear 0", "Tanh 2"}

    class Broken(nn.Layer):
        def forward(self, x: Any) -> Any:
            raise ValueError("no idea")

    broken = Broken()
    with pytest.raises(ValueError, match="no idea"), viz.record() as trace:
        broken(paddle.ones([2]))
    (group,) = trace.story.graph.groups
    assert (str(group.label), *map(str, group.closed.badges)) == ("broken", "error")


# ----- Scenes: wires of one product, long names, contrast of colours -----------------------------


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


# ----- SVG: deterministic, well formed, no text of a trace is markup -----------------------------


SVG = "{http://www.w3.org/2000/svg}"


def test_one_box_gives_this_text():
    picture = svg(scene_of(Graph((Node("x", "leaf", "x", "[2]"),), ())), colours="light")
    assert (
        picture[picture.index("</style>") :]
        == """\
</style>
<g class="mp-paper"><rect x="0" y="0" width="106" height="134" class="f-paper"/></g>
<g class="mp-lane" data-kind="forward"><text x="53" y="36" font-size="14" class="f-forward bold" \
text-anchor="middle">Forward ↓</text><path d="M12.5,46L93.5,46" class="none s-forward" \
stroke-width="1"/></g>
<g class="mp-box" data-node="x" data-kind="leaf"><title>x · [2]</title><rect x="24" y="64" \
width="58" height="46" rx="18" class="f-paper s-forward" stroke-width="1.4"/><text x="53" \
y="84.5" font-size="13" class="f-ink" text-anchor="middle">x</text><text x="53" y="99" \
font-size="10.5" class="f-muted mono" text-anchor="middle">[2]</text></g>
</svg>
"""
    )


def test_every_picture_is_well_formed_and_the_same_each_time():
    for make in (graphs.cus_tanh, graphs.hostile):
        one, other = svg(scene_of(make())), svg(scene_of(make()))
        assert one.encode() == other.encode()
        assert ET.fromstring(one).findtext(f"{SVG}title") == "x"


def test_hostile_names_stay_text_in_svg():
    picture = svg(scene_of(graphs.hostile()), title="</svg><script>", description="]]><b>")
    root = ET.fromstring(picture)
    allowed = {"svg", "title", "desc", "style", "g", "rect", "path", "polygon", "text"}
    assert {part.tag.removeprefix(SVG) for part in root.iter()} == allowed
    assert not any(name.startswith("on") for part in root.iter() for name in part.attrib)
    assert root.find(f"{SVG}title").text == "</svg><script>"
    assert {g.get("data-node") for g in root.iter() if g.get("data-node")} == {
        "a",
        'b"&<',
        "c",
        "d",
    }


def test_states_follow_the_contract_of_the_player():
    scene = scene_of(graphs.cus_tanh())
    root = ET.fromstring(svg(scene, states={"x": "done", "cus": "active"}))
    found = {g.get("data-node"): g for g in root.iter() if g.get("data-node")}
    assert found["x"].get("data-state") == "done"
    assert found["cus"].get("data-state") == "active"
    assert found["mean"].get("data-state") == "pending"
    plain = ET.fromstring(svg(scene))
    assert all(g.get("data-state") is None for g in plain.iter())


def test_the_legend_names_what_is_there_and_speaks_chinese():
    scene = scene_of(graphs.cus_tanh())
    assert "saved for backward" in svg(scene)
    assert "为反向保存" in svg(scene, lang="zh")
    assert "saved for backward" not in svg(scene, legend=False)
    assert "gradient" not in svg(scene_of(Graph((Node("x", "leaf", "x"),), ())))


@each(("before", "tip", "base"), [
    ((0.0, 0.0), (0.0, 20.0), (0.0, 12.0)),
    ((0.0, 20.0), (0.0, 0.0), (0.0, 8.0)),
    ((0.0, 3.0), (20.0, 0.0), (12.0, 0.0)),
    ((20.0, 3.0), (0.0, 0.0), (8.0, 0.0)),
])  # fmt: skip
def test_an_arrow_points_the_way_the_wire_comes(
    before: tuple[float, float], tip: tuple[float, float], base: tuple[float, float]
) -> None:
    assert _arrow_ends([("M", (before,)), ("L", (tip,))]) == (tip, base)


# ----- PNG, PDF and DOT --------------------------------------------------------------------------


def test_png_has_the_size_and_the_colours_of_the_scene():
    scene = scene_of(graphs.two_inputs())
    pixels = imread(io.BytesIO(raster.png_of(paint(scene, legend=False), 1)))
    assert pixels.shape[:2] == (round(scene.height), round(scene.width))
    seen = {tuple(round(255 * c) for c in colour[:3]) for row in pixels for colour in row}
    for name in ("paper", "forward-deep", "backward-deep", "forward", "backward", "saved"):
        wanted = tuple(int(theme.LIGHT[name][k : k + 2], 16) for k in (1, 3, 5))
        assert wanted in seen, name


def test_bytes_are_the_same_each_time_whatever_the_settings():
    scene = paint(scene_of(Graph((Node("x", "leaf", "x", "[2]"), Node("y", "op", "tanh")), ())))
    for draw in (raster.png_of, raster.pdf_of):
        first = draw(scene)
        with mpl.rc_context({"font.size": 30, "text.usetex": True, "lines.linewidth": 9}):
            assert draw(scene) == first
        assert draw(scene, colours="dark") != first


def test_pdf_text_is_text():
    data = raster.pdf_of(paint(scene_of(graphs.cus_tanh())))
    assert b"CreationDate" not in data
    pages = [
        zlib.decompress(body)
        for body in re.findall(rb"stream\n(.*?)\nendstream", data, re.DOTALL)
        if body[:1] == b"x"
    ]
    assert any((b"Tf" in page and b" TJ" in page) or b" Tj" in page for page in pages)
    assert b"/FontDescriptor" in data


def test_dollars_give_no_formula_and_unknown_letters_no_warning():
    graph = Graph((Node("x", "leaf", r"$\frac{$", "\U0001f9ff"),), ())
    assert raster.png_of(paint(scene_of(graph)), 1)


def test_a_picture_too_large_for_a_bitmap_is_an_error_and_fits_into_a_pdf():
    scene = paint(scene_of(graphs.chain(800)))
    with refuses(InvalidArgument, "scale=2 for 484 x"):
        raster.png_of(scene, 2)


def test_dot_source_needs_no_program_and_escapes_names():
    source = dot.source(graphs.hostile())
    assert 'label="</script><img src=x onerror=alert(1)>\\n<b>[2]</b>"' in source
    assert 'id="b\\"&<"' in source
    assert "label=<" not in source


def test_dot_turns_gradients_upwards_and_frames_opened_groups():
    picture = dot.digraph(graphs.cus_tanh(), frozenset({"cus_tanh"}))
    assert isinstance(picture, graphviz.Digraph)
    assert picture.source.count("subgraph cluster_") == 2
    assert picture.source.count("dir=back") == 7
    assert "constraint=false" in picture.source
    assert dot.source(graphs.cus_tanh()) == dot.source(graphs.cus_tanh())


def test_an_unknown_format_of_dot_is_refused():
    with refuses(InvalidArgument, "format that it is not used for", "'exe'"):
        dot.render(graphs.two_inputs(), "exe")


# ----- No words cover other words, however groups are opened -------------------------------------


def covered(line: Words) -> tuple[float, float, float, float]:
    """Return the rectangle of a line of text, a little smaller than its letters."""
    width = theme.text_width(line.text, line.size, bold=line.bold, mono=line.mono)
    start = line.x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[line.anchor]
    return start + 1, line.y - 0.6 * line.size, start + width - 1, line.y


@each(
    "make",
    [
        *(program for program in stories.ALL if program is not stories.words),
        *(lambda seed=seed: graphs.wild(random.Random(seed), 16) for seed in range(8)),
    ],
)
def test_no_words_cover_other_words(make: Callable[[], Graph | Trace]) -> None:
    made = make()
    graph = made if isinstance(made, Graph) else made.story.graph
    scene = scene_of(graph, frozenset(foldable(graph)))
    lines = words(*paint(scene).parts)
    for one, other in itertools.combinations(lines, 2):
        left, top, right, bottom = covered(one)
        begin, above, end, below = covered(other)
        apart = right <= begin or end <= left or bottom <= above or below <= top
        assert apart, (one.text, other.text)
