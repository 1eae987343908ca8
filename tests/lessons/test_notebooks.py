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
from minipaddle import exercises
from minipaddle._cli import lessons as command
from minipaddle.exercises import Exercise
from minipaddle.exercises.course import lessons

from ..patience import PATIENCE
from .conftest import LESSONS, ROOT

PLACES = ["", "zh", "solutions", "solutions/zh"]
STUDENT, SOLVED = PLACES[:2], PLACES[2:]
LESSON = "01_one_tanh"
NOT_YET = {"": "○ {}: not yet", "zh": "○ {}：还没写"}
RIGHT = {"solutions": "✓ {}: right", "solutions/zh": "✓ {}：正确"}
EACH_LESSON = pytest.mark.parametrize("of", lessons())


def exercises_of(of: str) -> list[str]:
    """The names of a lesson's exercises, in its order."""
    return [each.name for each in exercises.load(of) if isinstance(each, Exercise)]


def run_here(place: str, monkeypatch: pytest.MonkeyPatch, lesson: str = LESSON) -> dict[str, Any]:
    """Run the code cells in this process, in the notebook's folder; give back its variables."""
    monkeypatch.chdir(LESSONS / place)
    variables: dict[str, Any] = {}
    for cell in json.loads(Path(f"{lesson}.ipynb").read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            code, name = "".join(cell["source"]), f"{cell['id']}.py"
            lines = code.splitlines(keepends=True)
            monkeypatch.setitem(linecache.cache, name, (len(code), None, lines, name))
            exec(compile(code, name, "exec"), variables)
    return variables


@EACH_LESSON
@pytest.mark.parametrize("place", STUDENT)
def test_unsolved_there_is_only_not_yet(
    place: str, of: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_here(place, monkeypatch, of)
    assert marks(capsys.readouterr().out, of) == [
        NOT_YET[place].format(name) for name in exercises_of(of)
    ]
    assert paddle.in_dynamic_mode()


@EACH_LESSON
@pytest.mark.parametrize("place", SOLVED)
def test_solved_in_strict_mode(
    place: str, of: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MINIPADDLE_STRICT", "1")
    run_here(place, monkeypatch, of)
    assert marks(capsys.readouterr().out, of) == [
        RIGHT[place].format(name) for name in exercises_of(of)
    ]
    assert paddle.in_dynamic_mode()


def marks(out: str, of: str) -> list[str]:
    """The first lines of the cards of a lesson's exercises."""
    heads = tuple(
        f"{mark} {name}{colon}" for mark in "○✗✓" for name in exercises_of(of) for colon in ":："
    )
    return [line for line in out.splitlines() if line.startswith(heads)]


@pytest.mark.parametrize("place", SOLVED)
def test_what_lesson_1_says_of_its_numbers_is_so(
    place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    variables = run_here(place, monkeypatch)
    out = capsys.readouterr().out
    nudged, backward = map(float, re.findall(r"[:：] (\d\S+)$", out, re.MULTILINE)[:2])
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


def test_what_lesson_2_says_of_its_pictures_is_so(monkeypatch: pytest.MonkeyPatch) -> None:
    variables = run_here("", monkeypatch, "02_leaves")
    trace, halved = told(variables["trace"]), told(variables["halved"])
    assert "it computes the gradient of a [3]" in the(trace, "Backward of add")
    assert "it computes the gradient of w [3]" in the(trace, "Backward of multiply")
    assert not [text for text in trace if 'Backward of "× 2"' in text]
    assert len([text for text in trace if "Backward of " in text]) == 3
    assert "it computes the gradient of x" in the(halved, "Backward of multiply")
    assert [text for text in halved if "fixed" in text and "detach" in text] == []
    w = paddle.to_tensor([4.0], stop_gradient=False) * 0.1
    w.retain_grads()
    w.backward()
    assert "w.grad holds a gradient" in viz.explain(w).text()


def test_what_lesson_3_says_of_its_picture_is_so(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = told(run_here("", monkeypatch, "03_the_tape")["trace"])
    sums = [text for text in texts if "(+=)" in text]
    assert "1 + 0.42 = 1.42" in sums[0]
    at = [
        texts.index(the(texts, words))
        for words in ("Backward of tanh", "1 + 0.42 = 1.42", "gradient of b, which is 1.42")
    ]
    assert at == sorted(at)


def test_what_lesson_4_says_of_its_pictures_is_so(monkeypatch: pytest.MonkeyPatch) -> None:
    variables = run_here("", monkeypatch, "04_order_and_sums")
    order, meeting = told(variables["trace"]), told(variables["meeting"])
    assert "0.7616 + 0.42" in the(order, "(+=)")
    called = [str(box.label) for box in variables["trace"].story.graph.nodes]
    assert called.count("announce") == 4
    assert [text[-10:] for text in meeting if "(+=)" in text] == ["3 + 3 = 6.", "6 + 2 = 8."]
    assert "summed back to [3]" in the(told(variables["spread"]), "row was broadcast to [2, 3]")
    boxes = variables["spread"].story.graph.nodes
    details = {str(box.label): box.detail for box in boxes}
    assert details["add backward"] == "[2, 3] float32"
    assert details["Σ"] == "[3] float32"
    twice = told(variables["twice"])
    assert twice.index(the(twice, "the saved x is released")) < twice.index(
        the(twice, "It stops here in multiply backward")
    )
    retained = told(variables["retained"])
    assert "6 + 6 = 12" in the(retained, "x.grad still holds an old gradient")
    graph = variables["retained"].story.graph
    boxes = {box.id: str(box.label) for box in graph.nodes}
    assert ("x.grad", "+=") in [(boxes[wire.source], boxes[wire.target]) for wire in graph.edges]


def told(trace: viz.Trace) -> list[str]:
    """What the steps say."""
    return [step.text for step in trace.steps]


def the(texts: list[str], words: str) -> str:
    """The one text with these words in it."""
    [found] = [text for text in texts if words in text]
    return found


@pytest.mark.parametrize("place", STUDENT)
def test_the_first_page_lists_every_lesson(
    place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_here(place, monkeypatch, "00_start")
    out = capsys.readouterr().out
    lang = "zh" if place == "zh" else "en"
    for of in lessons():
        assert exercises.load(of).title.of(lang) in out


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
@EACH_LESSON
@pytest.mark.parametrize("place", PLACES)
def test_in_a_kernel_of_its_own(
    place: str, of: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As a learner has it: a copy of the folder, opened by JupyterLab's kernel."""
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
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
    words = {**NOT_YET, **RIGHT}[place]
    cards = "\n".join(data["text/plain"] for data in shown if "mp-check" in str(data))
    assert marks(cards, of) == [words.format(name) for name in exercises_of(of)]
    widgets = [data for data in shown if "application/vnd.jupyter.widget-view+json" in data]
    players = [data for data in widgets if "mp-check" not in str(data)]
    assert len(players) == sum(map(shows_a_trace, notebook.cells))


def shows_a_trace(cell: Any) -> bool:
    """Whether a cell ends with a name alone: in the lessons that is always a recording."""
    return cell.cell_type == "code" and cell.source.split("\n")[-1].isidentifier()


# ----- the command -------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_command_finds_it(lang: str, tmp_path: Path) -> None:
    command.copy(LESSONS, tmp_path / "mine")
    found = command.find_lesson(tmp_path / "mine", 1, lang)
    assert found == tmp_path / "mine" / ("zh" if lang == "zh" else "") / f"{LESSON}.ipynb"


def test_a_notebook_alone_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(LESSONS / f"{LESSON}.ipynb", tmp_path)
    monkeypatch.chdir(tmp_path)
    cells = json.loads(Path(f"{LESSON}.ipynb").read_text(encoding="utf-8"))["cells"]
    first = next(cell for cell in cells if "load(" in str(cell))
    variables: dict[str, Any] = {}
    exec("".join(first["source"]), variables)
    assert {"square", "gated_tanh", "record"} < {each.name for each in variables["lesson"]}
