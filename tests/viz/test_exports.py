"""Film strips, films, Graphviz and NetworkX objects; the bytes of every export."""

import hashlib
import importlib.util
import re
import subprocess
import sys
from io import BytesIO
from itertools import pairwise
from xml.etree import ElementTree as ET

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

from minipaddle.engine.errors import External, InvalidArgument, NotFound
from minipaddle.engine.install_advice import pip_install
from tests.processes import python
from viz.draw import gif, video
from viz.layout import scene

from ..conftest import missing
from ..contract.refusal import refuses
from . import programs

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def trace():
    return programs.tanh()


def test_a_trace_lays_out_its_first_picture_once(tmp_path, monkeypatch):
    graphs = []
    lay_out = scene.lay_out
    monkeypatch.setattr(scene, "lay_out", lambda graph: graphs.append(graph) or lay_out(graph))
    trace = programs.tanh()
    for name in ("a.svg", "again.svg", "a.png"):
        trace.save(tmp_path / name)
    trace.save(tmp_path / "steps.svg", steps=[0, 1])
    assert len(graphs) == 1


# ----- steps -------------------------------------------------------------------------------------


def test_a_film_strip_shows_chosen_steps_with_their_sentences(trace, tmp_path):
    root = ET.parse(trace.save(tmp_path / "t.svg", steps=[-1, 1, 1])).getroot()
    texts = [t.text for t in root.iter(f"{SVG}text")]
    said = " ".join(texts)
    assert "2  tanh squashes x [2, 3]" in said
    assert "14  The gradient has reached data" in said
    panels = [g for g in root.iter(f"{SVG}g") if g.get("class") == "mp-panel"]
    assert len(panels) == 2
    seen = [(g.get("data-node"), g.get("data-state")) for g in root.iter() if g.get("data-state")]
    assert ("t1", "done") in seen
    assert root.find(f"{SVG}desc").text.startswith("2: tanh squashes")


def test_steps_that_cannot_be_drawn_are_refused(trace, tmp_path):
    for steps, name in (([14], "t.svg"), ([], "t.svg"), ([0], "t.json")):
        with pytest.raises(InvalidArgument, match="cannot draw a picture of these steps"):
            trace.save(tmp_path / name, steps=steps)
    assert not list(tmp_path.iterdir())


# ----- GIF ---------------------------------------------------------------------------------------


def test_a_moving_picture_has_a_frame_for_each_step(trace):
    data = gif.gif(trace, steps=[0, 5, 9], seconds=0.5, scale=0.5)
    with Image.open(BytesIO(data)) as picture:
        assert picture.format == "GIF"
        assert picture.n_frames == 3
        assert picture.info["loop"] == 0
        times, contents = [], set()
        for k in range(3):
            picture.seek(k)
            times.append(picture.info["duration"])
            contents.add(picture.convert("RGB").tobytes())
    assert times == [500, 500, 1500]
    assert len(contents) == 3


def test_a_large_moving_picture_is_made_smaller():
    trace = programs.step()
    data = gif.gif(trace, steps=[0, 1], scale=9.0)
    with Image.open(BytesIO(data)) as picture:
        assert max(picture.size) <= gif.SIDE


def test_too_many_frames_and_none_are_refused(trace, monkeypatch):
    monkeypatch.setattr(gif, "FRAMES", 3)
    for steps in (None, []):
        with pytest.raises(InvalidArgument, match="do not make a moving picture"):
            gif.gif(trace, steps=steps)


# ----- the same bytes ----------------------------------------------------------------------------


def digests():
    """Write each export into the working folder, and return the digests of their bytes."""
    for ending in (".json", ".txt", ".svg", ".html", ".dot", ".gif", ".png", ".pdf"):
        steps = [0, 5] if ending == ".gif" else None
        content = programs.tanh().save(f"t{ending}", steps=steps).read_bytes()
        yield f"{ending} {hashlib.sha256(content).hexdigest()}"


@pytest.mark.slow
def test_every_export_has_the_same_bytes_in_another_process_and_home(tmp_path, monkeypatch):
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    monkeypatch.chdir(here)
    homes = {"HOME": str(there), "MPLCONFIGDIR": mpl.get_cachedir()}  # this folder knows the fonts
    code = "from tests.viz import test_exports; print(*test_exports.digests(), sep='\\n')"
    done = python("-c", code, cwd=there, PYTHONHASHSEED="1", **homes)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:-1] == list(digests())
    assert str(tmp_path) not in (here / "t.json").read_text(encoding="utf-8")


# ----- Features with optional packages ------------------------------------------------------------


def need(config: pytest.Config, module: str) -> None:
    """Skip the test if a module is not installed, or fail if it must be."""
    if importlib.util.find_spec(module) is None:
        extra = {"imageio_ffmpeg": "video"}.get(module, module)
        missing(config, f"{module} is not installed: the extra `{extra}`", "--require-extras")


# ----- films -------------------------------------------------------------------------------------


def frames_of(path) -> list[np.ndarray]:
    """Return the frames of a film, as ffmpeg reads them."""
    program = video.ffmpeg()
    run = [program, "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    done = subprocess.run(run, capture_output=True, check=True)
    sizes = re.search(rb"Video: .* (\d+)x(\d+)", done.stderr)
    width, height = (int(side) for side in sizes.groups())
    return list(np.frombuffer(done.stdout, np.uint8).reshape(-1, height, width, 3))


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".mp4", ".webm"])
def test_a_film_shows_every_step_for_its_time(trace, tmp_path, pytestconfig, ending):
    need(pytestconfig, "imageio_ffmpeg")
    content = video.video(trace, ending, steps=[0, 5, 9], seconds=0.6, scale=0.5)
    path = tmp_path / f"x{ending}"
    path.write_bytes(content)
    frames = frames_of(path)
    assert len(frames) == 3 + 3 + 9
    moments = [frames[k].astype(int) for k in (1, 4, 10)]
    assert np.abs(moments[0] - frames[2]).mean() < 1.0
    for one, other in pairwise(moments):
        assert (np.abs(one - other) > 40).mean() > 0.001
    assert all(side % 2 == 0 for side in frames[0].shape[:2])


@pytest.mark.slow
def test_a_film_is_saved_like_any_picture(trace, tmp_path, pytestconfig):
    need(pytestconfig, "imageio_ffmpeg")
    path = trace.save(tmp_path / "x.mp4", steps=[0, 1], aspect="16:9", values=True, dark=True)
    first, *_ = frames_of(path)
    height, width, _ = first.shape
    assert abs(width / height - 16 / 9) < 0.01
    assert first[3, 3].max() < 60  # the dark ground
    assert list(tmp_path.iterdir()) == [path]


def test_a_film_without_ffmpeg_says_what_to_install(trace, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    advice = pip_install("imageio-ffmpeg>=0.6")
    with refuses(NotFound, "films are written by ffmpeg", advice):
        trace.save(tmp_path / "x.mp4")
    assert not list(tmp_path.iterdir())


def test_an_error_of_ffmpeg_is_shown(trace, monkeypatch, pytestconfig):
    need(pytestconfig, "imageio_ffmpeg")
    monkeypatch.setitem(video.CODECS, ".mp4", ("nonsense",))
    told = "2 steps of ", "nonsense", "to do     save as .gif"
    with refuses(External, "ffmpeg could not write this film", *told):
        video.video(trace, ".mp4", steps=[0, 1], scale=0.5)


# ----- NetworkX ----------------------------------------------------------------------------------


def test_the_networkx_graph_has_the_boxes_wires_and_texts_of_the_picture(pytestconfig):
    need(pytestconfig, "networkx")
    import networkx as nx

    trace = programs.fan_in()
    graph = trace.to_networkx()
    story = trace.story.graph
    assert isinstance(graph, nx.MultiDiGraph)
    assert list(graph) == [node.id for node in story.nodes]
    edges = [(e.source, e.target, e.id) for e in story.edges]
    assert sorted(graph.edges(keys=True)) == sorted(edges)
    assert graph.graph["title"] == trace.title
    (leaf,) = (name for name, kind in graph.nodes(data="kind") if kind == "leaf")
    assert graph.nodes[leaf]["label"] == "x"
    assert graph.nodes[leaf]["detail"] == "[2, 3] float64"
    twice = [n for n in graph.successors(leaf) if graph.number_of_edges(leaf, n) == 2]
    assert len(twice) == 1  # x * x has two wires
    (kept,) = (name for name, kind in graph.nodes(data="kind") if kind == "leaf_grad")
    assert graph.nodes[kept]["lane"] == "backward"
    assert nx.has_path(graph, leaf, kept)
    assert all(graph.nodes[name]["pos"][1] < 0 for name in graph)


def test_an_error_without_networkx_says_what_to_install(trace, monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with refuses(NotFound, "the graph is made by NetworkX", pip_install("networkx>=3.4")):
        trace.to_networkx()


def test_importing_viz_imports_no_optional_package():
    names = {"networkx", "imageio_ffmpeg", "ipywidgets", "anywidget"}
    done = python("-c", f"import sys, viz, viz.player.page; print({names} & set(sys.modules))")
    assert done.stdout == "set()\n"
