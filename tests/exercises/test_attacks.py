"""No notebook gets points, secrets, or a hold outside of its walls, whatever it tries."""

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("IPython", reason="IPython is not installed")

from minipaddle._cli import grade as grade_command
from minipaddle.exercises.grading import sandbox
from minipaddle.exercises.grading.grade import Row, grade
from minipaddle.exercises.grading.sandbox import Limits
from minipaddle.exercises.grading.worker import Worker

from ..notebooks import write_notebook
from .attacks import ATTACKS, FORGES, SEARCHES
from .kernels import need
from .notebooks import DOUBLE, GUESS, LOAD, ONE, folder, graded, outcomes, table_of

__all__ = ["folder"]
pytestmark = pytest.mark.slow
SECRETS = ("a whole number", "isinstance(n, int)", "checks.value", "secret of bob")
TEACHER = """
from minipaddle.exercises import load
gates = load("gates.py")
gates.one.hide("a whole number", lambda n: isinstance(n, int))
gates.one.solution = gates.one.solution.__class__("the secret of bob")
"""
FOUND = f"""
from minipaddle.exercises import Exercise
secrets = {SECRETS}
found = Exercise(
    "found", points=0, check=lambda found: not any(secret in str(found) for secret in secrets)
)
"""
SECONDS = 8.0


@pytest.fixture
def listening() -> Iterator[int]:
    """Return the port of a server that says a secret, and counts who asks."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            while True:
                try:
                    line, _ = server.accept()
                except OSError:
                    return
                line.sendall(b"the secret of bob")
                line.close()

        threading.Thread(target=answer, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


def attacked(folder: Path, port: int, walls: str, names: list[str]) -> dict[str, dict[str, Row]]:
    """Grade a notebook for each attack, beside two that are right."""
    (folder / "teacher.py").write_text(TEACHER + FOUND, encoding="utf-8")
    copies = folder / "copies"
    write_notebook(copies / "000 right.ipynb", LOAD, ONE, DOUBLE, GUESS)
    write_notebook(copies / "bob" / "bob.ipynb", "kept = 'secret of bob'")
    write_notebook(copies / "zzz right.ipynb", LOAD, ONE, DOUBLE, GUESS)
    places = [str(folder), str(copies), "/proc/1/root" + str(folder)]
    values = {
        "places": places,
        "copies": str(copies),
        "teacher": str(folder / "teacher.py"),
        "mark": str(folder / "mark"),
        "port": port,
    }
    for name in names:
        own = copies / name
        cells = [filled(cell, values) for cell in ATTACKS[name]]
        write_notebook(own / "a.ipynb", LOAD, "one = 5", DOUBLE, *cells)
        if "link" in name:
            (own / "link").symlink_to(folder)
        (own / "gates.py").write_text((folder / "gates.py").read_text())
    limits = Limits(seconds=SECONDS, memory=512)
    return graded(folder, exercises=folder / "teacher.py", limits=limits, walls=walls)


def filled(cell: str, values: dict[str, object]) -> str:
    """Return a cell with the places that this test has."""
    for name, value in values.items():
        cell = cell.replace(f"<{name}>", repr(value))
    return cell


@pytest.mark.parametrize("walls", ["bubblewrap", "namespaces"])
def test_no_attack_succeeds(
    folder: Path, listening: int, walls: str, request: pytest.FixtureRequest
) -> None:
    need(walls, request.config)
    import psutil

    before = {str(path) for path in folder.rglob("*")}
    rows = attacked(folder, listening, walls, list(ATTACKS))
    for name in ("000 right.ipynb", "zzz right.ipynb"):
        assert outcomes(rows[name])[:3] == ["right"] * 3, rows[name]
    for name in ATTACKS:
        own = rows[f"{name}/a.ipynb"]
        assert not own["one"].points, (name, own["one"])
        assert own["one"].max == 2
        assert own["found"].outcome != "wrong", (name, own["found"])  # it holds no secret
        said = " ".join(f"{row.reason} {row.notes}" for row in own.values())
        assert not [secret for secret in SECRETS[1:] if secret in said], (name, said)
        assert own["one"].seconds < 6 * SECONDS, (name, own["one"])
    after = {str(path) for path in folder.rglob("*") if "copies" not in path.parts}
    assert after <= before
    commands = [process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"])]
    assert ["sleep", "98765"] not in commands


@pytest.mark.parametrize("walls", ["bubblewrap", "namespaces"])
def test_exercises_of_a_copy_reach_no_other_notebook(
    folder: Path, walls: str, request: pytest.FixtureRequest
) -> None:
    need(walls, request.config)
    for name, own in (("a", FORGES), ("b", SEARCHES)):
        write_notebook(folder / "copies" / name / "it.ipynb", LOAD)
        (folder / "copies" / name / "gates.py").write_text(own, encoding="utf-8")
    for name in ("c", "d"):
        write_notebook(folder / "copies" / f"{name}.ipynb", LOAD, "one = 0")
    rows = table_of(grade(folder / "copies", walls=walls))
    for name in ("c", "d"):
        assert outcomes(rows[f"{name}.ipynb"]) == ["wrong", "not yet", "not yet"]
    # The judge has three sockets of its own, no rights, and is not the first process.
    assert "ValueError: 3 0 -1 False" in rows["b/it.ipynb"]["one"].notes


def test_bubblewrap_alone_is_a_wall(
    folder: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """Where nothing else may make namespaces, each notebook has a bubblewrap of its own."""
    need("bubblewrap", request.config)
    monkeypatch.setattr(sandbox, "works", lambda kind: kind == "bubblewrap")
    (folder / "teacher.py").write_text(TEACHER + FOUND, encoding="utf-8")
    places = {"places": [str(folder), "/proc/1/root" + str(folder)]}
    (folder / "staged").mkdir()
    ours, line = socket.socketpair()
    with ours, line:
        about = {
            "walls": "bubblewrap",
            "hidden": [str(folder / "teacher.py")],
            "limits": {"seconds": 4 * SECONDS, "memory": 512},
            "seed": 7,
            "folder": str(folder / "staged"),
            "exercises": str(folder / "teacher.py"),
        }
        worker = Worker(line, about)
        for name in ("reads the hidden checks", "kills all processes", "fills the disk"):
            staged = folder / "staged" / name
            cells = [filled(cell, places) for cell in ATTACKS[name]]
            write_notebook(staged / "work" / "a.ipynb", LOAD, "one = 5", *cells)
            task = {"name": "a.ipynb", "staged": str(staged), "work": str(staged / "work")}
            rows = worker.judge(task)["rows"]
            assert all(rows[part]["outcome"] != "wrong" for part in rows if part == "found"), name
            assert not any(row["points"] for row in rows.values()), name
        # Exercises that came with a copy are the learner's code, which has no wall here.
        worker.parts = None
        write_notebook(folder / "staged" / "own" / "work" / "a.ipynb", LOAD)
        own = folder / "staged" / "own"
        task = {"name": "a.ipynb", "staged": str(own), "work": str(own / "work")}
        assert "gates.py came with the notebook" in worker.judge(task)["errors"][0]
        worker.end_zygote()


def test_the_report_says_what_was_possible_without_walls(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = attacked(folder, 1, "none", ["reads the hidden checks", "patches the judge and NumPy"])
    read = rows["reads the hidden checks/a.ipynb"]
    assert read["found"].outcome == "wrong"  # it holds secrets, since nothing keeps it from them
    # What is judged outside cannot be forged even so.
    assert not any(own["one"].points for file, own in rows.items() if file.endswith("/a.ipynb"))
    every = [row for own in rows.values() for row in own.values()]
    assert {row.isolation for row in every} == {"none"}
    [warning] = grade_command.warnings(every, "none")
    assert f"{len(rows)} of {len(rows)} notebooks ran without isolation: --isolation" in warning
    if sandbox.strongest()[0] != "none":
        assert "ran on another machine, or in" in grade_command.warnings(every, "")[0]


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "works", lambda kind: False)
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: None)
    sandbox.strongest.cache_clear()
    try:
        kind, why = sandbox.strongest()
    finally:
        sandbox.strongest.cache_clear()
    assert kind == "none"
    assert "bubblewrap" in str(why)
