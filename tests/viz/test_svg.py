"""SVG pictures are deterministic and well formed; no text of a trace is markup."""

from xml.etree import ElementTree as ET

from tests.each import each
from tests.viz.pages import svg
from viz.draw.paint import _arrow_ends
from viz.layout.scene import scene_of
from viz.model import Graph, Node

from . import graphs

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
