"""Make the site's own pages: first page, gallery, lessons, documents and reference.

Sphinx reads a folder with the layout of the repository, once in each language, so that the links
between documents lead to pages. Chinese pages have the same addresses inside `zh/`; one without a
translation leads to the English page. Both languages share the players in `players/`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = Path(__file__).resolve().parent / "pages"
sys.path[:0] = [str(ROOT), str(SOURCES)]

import gallery  # noqa: E402
import reading  # noqa: E402
import reference  # noqa: E402

from lessons import build as course  # noqa: E402

DOCUMENTS = (
    *("teaching", "notebooks", "what_if", "problems", "costs", "many", "many_ranks"),
    *("distributed", "contract", "differences"),
)
FOLDERS = {"en": "", "zh": "zh/"}  # of the languages, in the output
TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
ENTRY = re.compile(r"^(.+) <(.+)>$", re.MULTILINE)  # of a table of contents
TABLE = re.compile(r"^\|.*\|$(?:\n\|.*\|$)+", re.MULTILINE)


def build(output: Path, wheel: Path | None, pyodide: str, lessons: int | None = None) -> None:
    """Write the pages into a folder; `lessons` limits the number of lessons, for a quick test."""
    del wheel, pyodide  # other parts need them
    shutil.rmtree(output / "players", ignore_errors=True)
    with tempfile.TemporaryDirectory() as temporary, ProcessPoolExecutor(2) as pool:
        stage = Path(temporary)
        saved = [pool.submit(do, output) for do in (gallery.save_players, gallery.save_pictures)]
        chosen = course.sources()[1:][:lessons]
        for lang, folder in FOLDERS.items():
            root = "../" * bool(folder)
            reading.write(lang, chosen, stage / lang / "lessons", output, f"../{root}")
        at, _ = (each.result() for each in saved)
        for lang, folder in FOLDERS.items():
            write_sources(stage / lang, lang, "../" * bool(folder), at)
        write_missing(stage)
        shutil.copytree(
            SOURCES / "locale", stage / "locale"
        )  # Sphinx compiles the catalogues there
        runs = [subprocess.Popen(sphinx(stage, lang)) for lang in FOLDERS]
        statuses = [run.wait() for run in runs]
        if any(statuses):
            sys.exit("Sphinx could not build the pages; the lines above say why.")
        ignored = shutil.ignore_patterns(".buildinfo", "_sources")
        for lang, folder in FOLDERS.items():
            shutil.copytree(
                stage / "built" / lang, output / folder, ignore=ignored, dirs_exist_ok=True
            )


def write_sources(stage: Path, lang: str, root: str, at: dict[str, str]) -> None:
    """Write what Sphinx reads in one language, besides the lessons; `root` leads to the output."""
    (stage / "docs/gallery").mkdir(parents=True)
    for page in gallery.PAGES:
        text = gallery.text_of(page, lang, f"../../{root}", at)
        (stage / "docs/gallery" / page).write_text(text, encoding="utf-8")
    shutil.copy(SOURCES / lang / "index.md", stage)
    start = course.notebook(course.read_cells(course.sources()[0]), lang, False)
    table = next(found for cell in start.cells if (found := TABLE.search(cell.source)))
    text = (SOURCES / lang / "lessons.md").read_text(encoding="utf-8")
    (stage / "lessons/index.md").write_text(text.replace("TABLE", table[0]), encoding="utf-8")
    if lang == "en":
        reference.write(stage / "api")
        for name in ("CHANGELOG", *(f"docs/{name}" for name in DOCUMENTS)):
            shutil.copy(ROOT / f"{name}.md", stage / f"{name}.md")


def write_missing(stage: Path) -> None:
    """Write a Chinese page that leads to the English one, wherever there is no other."""
    template = (SOURCES / "zh/untranslated.md").read_text(encoding="utf-8")
    entries = ENTRY.findall((SOURCES / "zh/index.md").read_text(encoding="utf-8"))
    chinese = {name: title for title, name in entries}
    for page in (stage / "en").rglob("*.md"):
        name = page.relative_to(stage / "en")
        here = stage / "zh" / name
        if not here.exists():
            here.parent.mkdir(parents=True, exist_ok=True)
            title = TITLE.search(page.read_text(encoding="utf-8"))[1]
            slots = {
                "english": title,
                "title": chinese.get(name.with_suffix("").as_posix(), title),
                "address": "../" * len(name.parts) + name.with_suffix(".html").as_posix(),
            }
            here.write_text(template.format(**slots), encoding="utf-8")


def sphinx(stage: Path, lang: str) -> list[str | Path]:
    """Return the command that builds the pages of one language; a warning is an error."""
    settings = [f"language={'zh_CN' if lang == 'zh' else 'en'}", f"locale_dirs={stage / 'locale'}"]
    options = [part for setting in settings for part in ("-D", setting)]
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going"]
    doctrees = ["-d", stage / f"doctrees-{lang}"]
    return [*command, *doctrees, "-c", SOURCES, *options, stage / lang, stage / "built" / lang]
