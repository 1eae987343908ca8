"""Lessons to read: run once with the answers filled in, their players kept as pages."""

from __future__ import annotations

import hashlib
import html
import os
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import players
from nbclient import NotebookClient
from nbformat import NotebookNode, v4

from lessons import build as course

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / "out/site-lessons"
SETUP = (Path(__file__).parent / "in_kernel.py").read_text(encoding="utf-8")
FRAME = re.compile(
    r'<div style="display:grid">.*?<iframe title="(.*?)".*? srcdoc="(.*?)".*?</iframe></div>',
    re.DOTALL,
)
KEPT = ("text/html", "image/svg+xml", "image/png", "text/plain")  # the first that there is
SOLUTION = {"en": ("Solution", "Hide the solution"), "zh": ("参考答案", "收起参考答案")}
NOTE = {
    "en": "This page is for reading: each solution is below its exercise, and every player can be "
    'stepped through. To answer yourself, open the <a href="{root}lab/">course</a>.',
    "zh": "本页供阅读：练习的下面就是参考答案，每个播放器都可以一步步地看。"
    '想自己动手，请打开<a href="{root}lab/">课程</a>。',
}


def sources_hash() -> str:
    """Return a hash of all that a lesson's outputs depend on besides the lesson."""
    kinds = {".py", ".js", ".css", ".json", ".gz"}
    folders = ("minipaddle", "viz", "lessons/exercises", "lessons/data")
    files = (path for folder in folders for path in sorted((ROOT / folder).rglob("*")))
    whole = hashlib.sha256(SETUP.encode())
    for path in files:
        if path.suffix in kinds:
            whole.update(path.read_bytes())
    return whole.hexdigest()


def write(lang: str, sources: list[Path], folder: Path, output: Path, root: str) -> None:
    """Write the lessons of one language as run notebooks, and their players."""
    folder.mkdir(parents=True)
    around = sources_hash()

    def read(source: Path) -> None:
        cells = course.read_cells(source)
        asked, solved = (course.notebook(cells, lang, answers) for answers in (False, True))
        ran = executed(solved, around)
        page = reading(asked, ran, lang, root)
        for output_of_cell in (o for cell in page.cells for o in cell.get("outputs", [])):
            keep_players(output_of_cell, output, root)
        nbformat.write(page, folder / f"{source.stem}.ipynb")

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(read, sources))


def executed(solved: NotebookNode, around: str) -> NotebookNode:
    """Return a solved notebook that has run, from the cache if nothing has changed."""
    name = hashlib.sha256(around.encode() + nbformat.writes(solved).encode()).hexdigest()
    kept = CACHE / f"{name}.ipynb"
    if not kept.exists():
        solved.cells.insert(0, v4.new_code_cell(SETUP))
        with tempfile.TemporaryDirectory() as folder:
            options = {"timeout": 300, "extra_arguments": ["--log-level=ERROR"]}
            NotebookClient(solved, resources={"metadata": {"path": folder}}, **options).execute()
        del solved.cells[0]
        CACHE.mkdir(parents=True, exist_ok=True)
        nbformat.write(solved, kept)
    return nbformat.read(kept, as_version=4)


def reading(asked: NotebookNode, ran: NotebookNode, lang: str, root: str) -> NotebookNode:
    """Return the run notebook with each exercise as it is asked, and its solution to open."""
    show, hide = SOLUTION[lang]
    title, *rest = ran.cells
    cells = [title, v4.new_markdown_cell(f'<p class="reading">{NOTE[lang].format(root=root)}</p>')]
    questions = {cell.id: cell for cell in asked.cells}
    for cell in rest:
        if "exercise" in cell.metadata:
            cells.append(v4.new_code_cell(questions[cell.id].source))
            cell.metadata |= {"tags": ["hide-input"]}
            cell.metadata["mystnb"] = {"code_prompt_show": show, "code_prompt_hide": hide}
        cells.append(cell)
    return v4.new_notebook(cells=cells, metadata={"kernelspec": course.KERNEL})


def keep_players(output_of_cell: NotebookNode, output: Path, root: str) -> None:
    """Reduce an output to one form; replace each player in it by a frame with a page."""

    def framed(found: re.Match[str]) -> str:
        name = players.share(html.unescape(found[2]), output / "players")
        return players.FRAME.format(title=found[1], root=root, name=name, at="")

    data = output_of_cell.get("data", {})
    for kind in [kind for kind in data if kind != next(k for k in KEPT if k in data)]:
        del data[kind]
    if "text/html" in data:
        data["text/html"] = FRAME.sub(framed, data["text/html"])
