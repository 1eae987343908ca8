"""The gallery's pages show every picture, its code draws them; the demo's have no faults."""

import importlib
import random
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from minipaddle._cli import demo
from tests.viz.quality import faults
from viz.layout.blueprint import lay_out
from viz.layout.scene import first_open, foldable, scene_from
from viz.theme import text_width
from viz.trace import Trace

DOCS = Path(__file__).parents[2] / "docs"
GALLERY = DOCS / "gallery"
PICTURE = re.compile(
    r'<picture><source media="\(prefers-color-scheme: dark\)" srcset="(\S+)">'
    r'<img alt="([^"]+)" src="(\S+)"></picture>'
)

sys.path.insert(0, str(DOCS))
make_gallery = importlib.import_module("make_gallery")


def test_the_folder_holds_exactly_the_pictures_that_the_pages_save() -> None:
    there = sorted(path.name for path in GALLERY.iterdir())
    assert there == sorted([*make_gallery.PAGES, *make_gallery.names()])
    assert sum(path.stat().st_size for path in GALLERY.iterdir()) < 2_500_000


def test_the_pages_show_every_picture_in_light_and_in_dark() -> None:
    pages = [(GALLERY / page).read_text(encoding="utf-8") for page in make_gallery.PAGES]
    shown = PICTURE.findall("".join(pages))
    assert (
        sorted(name for dark, _, light in shown for name in (dark, light)) == make_gallery.names()
    )
    for dark, told, light in shown:
        assert dark == light.replace("-light.", "-dark.")
        assert len(told) > 20, "what one hears instead of the picture"


def test_other_documents_link_to_the_gallery() -> None:
    assert "(docs/gallery/README.md)" in (DOCS.parent / "README.md").read_text(encoding="utf-8")
    assert "(gallery/faults.md)" in (DOCS / "problems.md").read_text(encoding="utf-8")
    assert "(faults.md)" in (GALLERY / "README.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_pictures_are_what_the_code_draws_now(tmp_path: Path) -> None:
    command = [sys.executable, str(DOCS / "make_gallery.py"), "--only", "svg", "--into", tmp_path]
    subprocess.run(command, check=True, capture_output=True)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [name for name in make_gallery.names() if name.endswith(".svg")]
    for name in names:
        now, kept = said(tmp_path / name), said(GALLERY / name)
        assert now == kept, f"{name} is old: run docs/make_gallery.py"


def said(path: Path) -> list[tuple[str, str]]:
    """Return every text of a picture, and its boxes and wires by name, without positions."""
    parts = ET.parse(path).getroot().iter()
    texts = ((part.tag.rpartition("}")[2], (part.text or "").strip()) for part in parts)
    parts = ET.parse(path).getroot().iter()
    names = ((key, value) for part in parts for key, value in part.attrib.items() if "data-" in key)
    return [*texts, *names]


def test_light_and_dark_pictures_differ_only_in_colours() -> None:
    for light in GALLERY.glob("*-light.svg"):
        dark = light.with_name(light.name.replace("-light", "-dark"))
        one, other = (p.read_text(encoding="utf-8") for p in (light, dark))
        assert one.partition("</style>")[2] == other.partition("</style>")[2]
        assert "prefers-color-scheme" not in one + other
        assert ".f-paper{fill:#ffffff}" in one
        assert other.rindex(".f-paper{fill:#14181d}") > other.index(".f-paper{fill:#ffffff}")


# ----- The demo ----------------------------------------------------------------------------------


FOLDER = Path(__file__).resolve().parents[2] / "lessons" / "demo"
DEMOS = {
    "cus_tanh": demo.record_cus_tanh,
    "digits": demo.record_training,
    "py_func_net": demo.record_py_func,
}


@cache
def recorded(name: str) -> Trace:
    """Record a demo once."""
    trace: Trace = DEMOS[name](FOLDER)
    assert len(trace)
    return trace


@pytest.mark.parametrize("name", DEMOS)
def test_the_demos_pictures_have_no_fault(name: str) -> None:
    """Their groups are closed, open, as at first, and random ones open."""
    graph = recorded(name).shown.trace.story.graph
    blueprint, names = lay_out(graph), foldable(graph)
    choice = random.Random(0)
    some = [frozenset(n for n in names if choice.random() < 0.5) for _ in range(20)]
    for way in (frozenset(), frozenset(names), first_open(graph), *some):
        assert faults(scene_from(blueprint, way)) == [], way


def test_the_training_is_recorded_by_its_rounds() -> None:
    rounds = recorded("digits").rounds
    assert [each.index for each in rounds if each.kept] == list(range(0, 135, 10))
    assert dict(rounds[50].names) == {"epoch": 1, "batch": 5}
    losses = [each.loss for each in rounds]
    assert losses[-1] < losses[0] / 5


def test_sentences_fit_two_lines_of_a_narrow_window() -> None:
    for view in (view for name in DEMOS for view in recorded(name).steps):
        for lang in ("en", "zh"):
            assert text_width(view.say(lang), 16) < 2 * 730, view.say(lang)
