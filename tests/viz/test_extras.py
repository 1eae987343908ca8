"""Features with optional packages: films, and graphs for NetworkX."""

import importlib.util
import re
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

from minipaddle.engine.errors import External, NotFound
from minipaddle.engine.install_advice import pip_install
from tests.processes import python
from viz.draw import video
from viz.trace import Trace

from ..conftest import missing
from ..contract.refusal import refuses
from . import programs


@pytest.fixture
def trace() -> Trace:
    return programs.tanh()


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
