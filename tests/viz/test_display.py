"""The output that a notebook stores for a trace, and the players of a running notebook."""

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import IPython
import pytest

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument
from viz.player import display, places

from . import programs


@pytest.fixture(autouse=True)
def as_widgets() -> Iterator[None]:
    yield
    viz.set_output("widget")


class Kernel:
    """Stand-in for ipykernel's shell, which knows the running cell."""

    compile = None

    def __init__(self) -> None:
        self.requests = 0

    def run(self, cell: str | None) -> None:
        self.requests += 1
        self.metadata = {"cellId": cell} if cell else {}

    def get_parent(self) -> dict[str, Any]:
        return {"header": {"msg_id": f"message {self.requests}"}, "metadata": self.metadata}


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    kernel = Kernel()
    monkeypatch.setattr(IPython, "get_ipython", lambda: kernel)
    yield kernel
    places._close_all_but([])


def alive() -> list[int]:
    """Return the numbers of players, codes and stories that this kernel holds open."""
    players = [player for _, player in places._shown]
    kinds = (players, [p.code for p in players], [p.told for p in players])
    return [len({id(thing) for thing in kind if thing.comm is not None}) for kind in kinds]


def test_a_cell_that_runs_again_closes_its_old_players(kernel: Kernel) -> None:
    old = []
    for _ in range(10):
        trace = programs.fan_in()
        kernel.run("a cell")
        trace._repr_mimebundle_()
        trace._repr_mimebundle_()
        assert alive() == [2, 1, 1]
        old += [player for _, player in places._shown]
    assert all(player.comm is None and player.told.comm is None for player in old[:-2])


def test_cells_have_players_of_their_own_and_share_what_they_can(kernel: Kernel) -> None:
    trace = programs.fan_in()
    for cell in ("a", "b", "a"):
        kernel.run(cell)
        trace._repr_mimebundle_()
    assert alive() == [2, 1, 1]
    kernel.run("c")
    programs.fan_in()._repr_mimebundle_()
    assert alive() == [3, 1, 2]


# ----- pictures ----------------------------------------------------------------------------------


def test_the_picture_has_its_colours_without_a_style_sheet() -> None:
    trace = programs.fan_in()
    bare = trace._repr_mimebundle_()["image/svg+xml"]
    root = ET.fromstring(bare)
    names = {name for element in root.iter() for name in element.attrib}
    assert not names & {"class", "style", "id"}
    assert not any(name.startswith("data-") for name in names)
    assert not list(root.iter("{http://www.w3.org/2000/svg}style"))
    drawn = [e for e in root.iter() if e.tag.split("}")[1] in ("rect", "polygon", "text")]
    assert drawn
    assert all(element.get("fill") for element in drawn)


def test_a_large_picture_is_left_out() -> None:
    with viz.record("many") as trace:
        x = paddle.to_tensor([1.0])
        for k in range(display.BOXES + 1):
            x = paddle.tanh(x) if k % 2 else paddle.exp(x)
    assert set(trace._repr_mimebundle_()) == {
        "application/vnd.jupyter.widget-view+json",
        "text/plain",
    }
    assert "<img" not in display.Frame(trace, 0)._repr_html_()
    assert "picture" not in trace._made  # it was not even laid out


# ----- options -----------------------------------------------------------------------------------


def test_frames_can_be_the_output() -> None:
    trace = programs.fan_in()
    viz.set_output("frame")
    data = trace._repr_mimebundle_()
    assert set(data) == {"text/html", "image/svg+xml", "text/plain"}
    assert "<iframe " in data["text/html"]
    shown = trace.show()
    assert shown is not None
    assert shown._repr_html_() == data["text/html"] == trace._repr_mimebundle_()["text/html"]
    assert repr(shown) == "<Frame of programs.py>"
    viz.set_output("widget")
    assert "<iframe " not in trace._repr_mimebundle_()["text/html"]


def test_another_output_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="a trace cannot be shown as 'iframe'"):
        viz.set_output("iframe")


def test_a_terminal_gets_the_transcript(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Formatter:
        active_types = ("text/plain",)

    monkeypatch.setattr(kernel, "display_formatter", Formatter, raising=False)
    trace = programs.fan_in()
    trace.show()
    assert capsys.readouterr().out == trace.text()


def test_players_that_somebody_closed_are_made_anew(kernel: Kernel) -> None:
    trace = programs.fan_in()
    kernel.run("a")
    trace._repr_mimebundle_()
    [(_, first)] = places._shown
    for widget in (first, first.code, first.told):
        widget.close()
    kernel.run("b")
    trace._repr_mimebundle_()
    assert alive() == [1, 1, 1]
