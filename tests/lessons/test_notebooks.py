"""Every lesson runs: unsolved with only "not yet", solved in strict mode, some in a kernel."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from minipaddle._cli import lessons as command
from minipaddle.exercises import Exercise
from minipaddle.exercises.course import lessons
from tests.each import each

from ..patience import PATIENCE
from .answers import course, ran, run_here
from .conftest import LESSONS, ROOT

__all__ = ["run_here"]  # for the player's tests
UNSOLVED = {"": "○ {}: not yet", "zh": "○ {}：还没写"}
SOLVED = {"solutions": "✓ {}: right", "solutions/zh": "✓ {}：正确"}
SLOW = pytest.mark.slow


def exercises_of(of: str) -> list[str]:
    """List the names of a lesson's exercises, in its order."""
    return [part.name for part in course(of) if isinstance(part, Exercise)]


def marks(out: str, of: str) -> list[str]:
    """Find the first lines of the cards of a lesson's exercises."""
    heads = tuple(
        f"{mark} {name}{colon}" for mark in "○✗✓" for name in exercises_of(of) for colon in ":："
    )
    return [line for line in out.splitlines() if line.startswith(heads)]


# Each lesson in one language, and with `--all` in the other one.
@pytest.mark.parametrize("place", [pytest.param("", marks=SLOW), "zh"])
@each("of", lessons())
def test_an_unsolved_lesson_says_only_not_yet(place: str, of: str) -> None:
    expected = [UNSOLVED[place].format(name) for name in exercises_of(of)]
    assert marks(ran(of, place).printed, of) == expected


@pytest.mark.parametrize("place", ["solutions", pytest.param("solutions/zh", marks=SLOW)])
@each("of", lessons())
def test_a_solved_lesson_is_right_in_strict_mode(place: str, of: str) -> None:
    expected = [SOLVED[place].format(name) for name in exercises_of(of)]
    assert marks(ran(of, place).printed, of) == expected


@pytest.mark.parametrize(("place", "lang"), [("", "en"), ("zh", "zh")])
def test_the_first_page_lists_every_lesson(place: str, lang: str) -> None:
    for of in lessons():
        assert course(of).title.of(lang) in ran("00_start", place).printed


def test_a_notebook_alone_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(LESSONS / "01_one_tanh.ipynb", tmp_path)
    monkeypatch.chdir(tmp_path)
    cells = json.loads(Path("01_one_tanh.ipynb").read_text(encoding="utf-8"))["cells"]
    first = next(cell for cell in cells if "load(" in str(cell))
    variables: dict[str, Any] = {}
    exec("".join(first["source"]), variables)
    assert {"square", "gated_tanh", "record"} < {part.name for part in variables["lesson"]}


# Widgets and cards in each language; errors with lines of cells; a cell that starts a process.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "of"),
    [("zh", "01_one_tanh"), ("solutions", "11_py_func"), ("solutions/zh", "14_real_paddle")],
)
def test_a_lesson_runs_in_a_kernel_of_its_own(
    place: str, of: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Run it as a learner has it: a copy of the folder, opened by JupyterLab's kernel."""
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    import nbformat  # which nbclient brings

    monkeypatch.setenv("MINIPADDLE_STRICT", "1" if place in SOLVED else "0")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    command.copy(LESSONS, tmp_path / "mine")
    folder = tmp_path / "mine" / place
    notebook = nbformat.read(folder / f"{of}.ipynb", 4)
    client = nbclient.NotebookClient(
        notebook,
        timeout=PATIENCE,
        startup_timeout=PATIENCE,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        store_widget_state=False,
    )
    client.execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type in ("error", "stderr")]
    shown = [output.data for output in outputs if "data" in output]
    words = {**UNSOLVED, **SOLVED}[place]
    cards = "\n".join(data["text/plain"] for data in shown if "mp-check" in str(data))
    assert marks(cards, of) == [words.format(name) for name in exercises_of(of)]
    widgets = [data for data in shown if "application/vnd.jupyter.widget-view+json" in data]
    players = [data for data in widgets if "mp-check" not in str(data)]
    assert len(players) == sum(map(shows_a_picture, notebook.cells))


def shows_a_picture(cell: Any) -> bool:
    """Tell whether a cell ends with a name alone: in the lessons that is always a picture."""
    return cell.cell_type == "code" and cell.source.split("\n")[-1].isidentifier()
