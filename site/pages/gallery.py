"""Give each picture of the gallery its player: the same code, saved as a page."""

from __future__ import annotations

import contextlib
import html
import re
import runpy
import shutil
import tempfile
from pathlib import Path
from typing import Any

import players

import viz
from docs.make_gallery import GALLERY, PAGES, blocks, draw

SAVE = re.compile(r'(?:\.explain\(\w+\))?\.save\("(\w+)\.svg"(.*)\)$', re.MULTILINE)
UNLIKE = re.compile(r", (?:steps=\[.*\]|values=True|memory=False)")  # options of pictures
PROBLEM = "trace.problems()[0].step"
PICTURE = re.compile(r'<picture>.* alt="([^"]*)" src="([\w-]+)-light\.(\w+)"></picture>')
SHOWN = (
    '<figure><img class="only-light" loading="lazy" lang="en" alt="{alt}" src="{light}">'
    '<img class="only-dark" loading="lazy" lang="en" alt="{alt}" src="{dark}"></figure>'
)
OPENS = '<details class="player"><summary>{words}</summary>{frame}</details>'
WORDS = {"en": "Step through it", "zh": "一步步看"}


def save_players(output: Path) -> dict[str, str]:
    """Save the players; return for each the part of the address that opens its step."""
    at = {}
    for code in (code for page in PAGES for code, _ in blocks(page)):
        if call := SAVE.search(code):
            name, options = call.groups()
            trace, saved = run(
                SAVE.sub(f'.save("{name}.html"{UNLIKE.sub("", options)})', code), name
            )
            players.share(saved, output / "players", name)
            step = trace.problems()[0].step + 1 if PROBLEM in options else None
            at[name] = f"#step={step}" if step else ""
    return at


def save_pictures(output: Path) -> None:
    """Copy the pictures, and draw them in Chinese, too, except the curves."""
    into = output / "pictures"
    shutil.copytree(GALLERY, into, dirs_exist_ok=True, ignore=lambda *_: PAGES)
    shutil.copytree(into, into / "zh", dirs_exist_ok=True, ignore=shutil.ignore_patterns("zh"))
    viz.set_lang("zh")
    for code, files in (block for page in PAGES for block in blocks(page)):
        if SAVE.search(code):
            draw(code, files, into / "zh")


def run(code: str, name: str) -> tuple[Any, str]:
    """Run a block; return its trace and the page that it saves."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path(f"{name}.py").write_text(code, encoding="utf-8")
        trace = runpy.run_path(f"{name}.py").get("trace")
        return trace, Path(f"{name}.html").read_text(encoding="utf-8")


def text_of(page: str, lang: str, root: str, at: dict[str, str]) -> str:
    """Return a page of the gallery, with each picture and its player from the site's root."""

    folder = "zh/" if lang == "zh" else ""

    def shown(found: re.Match[str]) -> str:
        alt, name, kind = found.groups()
        light, dark = (
            f"{root}pictures/{folder}{name}-{theme}.{kind}" for theme in ("light", "dark")
        )
        made = SHOWN.format(alt=alt, light=light, dark=dark)
        if name not in at:
            return made
        frame = players.FRAME.format(title=html.escape(name), root=root, name=name, at=at[name])
        return f"{made}\n{OPENS.format(words=WORDS[lang], frame=frame)}"

    return PICTURE.sub(shown, (GALLERY / page).read_text(encoding="utf-8"))
