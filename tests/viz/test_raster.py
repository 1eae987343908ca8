"""Pictures as PNG, PDF and DOT."""

import io
import re
import zlib

import graphviz
import matplotlib as mpl
from matplotlib.image import imread

from minipaddle.engine.errors import InvalidArgument
from viz import theme
from viz.draw import dot, raster
from viz.draw.paint import paint
from viz.layout.scene import scene_of
from viz.model import Graph, Node

from ..contract.refusal import refuses
from . import graphs


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
