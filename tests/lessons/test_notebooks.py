"""Every lesson runs: unsolved with only "not yet", solved in strict mode, in a kernel too."""

from __future__ import annotations

import json
import linecache
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import minipaddle as paddle
import viz
from minipaddle._cli import lessons as command

from ..patience import PATIENCE
from .conftest import LESSONS, ROOT

PLACES = ["", "zh", "solutions", "solutions/zh"]
STUDENT, SOLVED = PLACES[:2], PLACES[2:]
LESSON = "01_one_tanh.ipynb"
NOT_YET = {"": "○ {}: not yet", "zh": "○ {}：还没写"}
RIGHT = {"solutions": "✓ {}: right", "solutions/zh": "✓ {}：正确"}
EXERCISES = ("square", "gated_tanh", "record")


def run_here(place: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run the code cells in this process, in the notebook's folder; give back its variables."""
    monkeypatch.chdir(LESSONS / place)
    variables: dict[str, Any] = {}
    for cell in json.loads(Path(LESSON).read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            code, name = "".join(cell["source"]), f"{cell['id']}.py"
            lines = code.splitlines(keepends=True)
            monkeypatch.setitem(linecache.cache, name, (len(code), None, lines, name))
            exec(compile(code, name, "exec"), variables)
    return variables


@pytest.mark.parametrize("place", STUDENT)
def test_unsolved_there_is_only_not_yet(
    place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_here(place, monkeypatch)
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line[0] in "○✗✓"] == [
        NOT_YET[place].format(name) for name in EXERCISES
    ]


@pytest.mark.parametrize("place", SOLVED)
def test_solved_in_strict_mode(
    place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MINIPADDLE_STRICT", "1")
    variables = run_here(place, monkeypatch)
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line[0] in "○✗✓"] == [
        RIGHT[place].format(name) for name in EXERCISES
    ]
    nudged, backward = map(float, re.findall(r"[:：] (\S+)$", out, re.MULTILINE)[:2])
    assert nudged == pytest.approx(backward, rel=1e-6)
    [saved] = [step.text for step in variables["gated"].steps if "for gated_tanh" in step.text]
    assert saved.startswith("ctx.save_for_backward keeps a [3] and t")


def test_what_the_text_says_about_the_player_is_so(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = run_here("", monkeypatch)["trace"]
    assert isinstance(trace, viz.Trace)
    told = [step.text for step in trace.steps]
    [called] = [step for step in trace.steps if step.text.startswith("cus_tanh.backward is called")]
    assert any("keeps y" in text for text in told)
    assert any("the saved y is released" in text for text in told)
    numbers = trace.text().split(called.text)[1].split("\n", 3)[2]
    assert re.search(r"arrives d[yz]\b.*\[\[0\.1667, 0\.1667, 0\.1667\]", numbers)
    assert "gives dz [2, 3] float64: [[0.1667" in trace.text()
    assert re.search(r"keeps y .*\n.*  ctx\.save_for_backward\(y\)\n", trace.text())
    inner = [text for text in told[called.index :] if "giving" in text or "comes" in text]
    assert len(inner) == 3  # y * y, 1 - ..., times dy


def test_without_stop_gradient_false_the_player_shows_no_backward_of_the_layer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gated_tanh = run_here("solutions", monkeypatch)["gated_tanh"]
    a, b = paddle.randn([3]), paddle.randn([3])
    for wanted in (False, True):
        with viz.record() as trace:
            gated_tanh.apply(a, b).mean().backward()
        called = [step for step in trace.steps if "gated_tanh.backward is called" in step.text]
        assert bool(called) is wanted
        a.stop_gradient = b.stop_gradient = False


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_in_a_kernel_of_its_own(
    place: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As a learner has it: a copy of the folder, opened by JupyterLab's kernel."""
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    monkeypatch.setenv("MINIPADDLE_STRICT", "1" if place in SOLVED else "0")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    command.copy(LESSONS, tmp_path / "mine")
    folder = tmp_path / "mine" / place
    notebook = nbformat.read(folder / LESSON, 4)
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
    marks = [data["text/plain"].splitlines()[0] for data in shown if "mp-check" in str(data)]
    words = {**NOT_YET, **RIGHT}[place]
    assert marks == [words.format(name) for name in EXERCISES]
    widgets = [data for data in shown if "application/vnd.jupyter.widget-view+json" in data]
    players = [data for data in widgets if "mp-check" not in str(data)]
    assert len(players) == (3 if place in SOLVED else 2)


# ----- the command -------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_command_finds_it(lang: str, tmp_path: Path) -> None:
    command.copy(LESSONS, tmp_path / "mine")
    found = command.find_lesson(tmp_path / "mine", 1, lang)
    assert found == tmp_path / "mine" / ("zh" if lang == "zh" else "") / LESSON


def test_a_notebook_alone_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(LESSONS / LESSON, tmp_path)
    monkeypatch.chdir(tmp_path)
    first = next(
        cell for cell in json.loads(Path(LESSON).read_text())["cells"] if "load(" in str(cell)
    )
    variables: dict[str, Any] = {}
    exec("".join(first["source"]), variables)
    assert [exercise.name for exercise in variables["lesson"]] == list(EXERCISES)
