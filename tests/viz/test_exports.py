"""Film strips, moving pictures and Graphviz objects; the bytes of every export."""

import hashlib
from io import BytesIO
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest
from PIL import Image

from minipaddle.engine.errors import InvalidArgument
from tests.processes import python
from viz.draw import gif
from viz.layout import scene

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
