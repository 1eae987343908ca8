"""Draw the pictures of docs/gallery again: `.venv/bin/python docs/make_gallery.py`.

Every Python block of its pages is run as it stands, in a folder of its own; each picture that it
saves is kept in light and in dark. `--into FOLDER` puts them elsewhere, `--only svg` leaves out
the curves, whose bytes depend on Matplotlib and its fonts.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import runpy
import tempfile
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

GALLERY = Path(__file__).parent / "gallery"
PAGES = ("README.md", "faults.md")
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAVED = re.compile(r'(?:save|savefig)\("(\w+\.(?:svg|png))"')
# A picture that follows its reader's system: the colours of light, then those of dark.
DARK = re.compile(r"@media \(prefers-color-scheme:dark\)\{\n(.*?)\}\n(?=</style>)", re.DOTALL)
CURVES = {"font.family": "DejaVu Sans", "savefig.dpi": 72, "savefig.bbox": "tight"}


def blocks(page: str) -> list[tuple[str, list[str]]]:
    """The code of a page, and the files that each piece of it saves."""
    text = (GALLERY / page).read_text(encoding="utf-8")
    return [(code, SAVED.findall(code)) for code in BLOCK.findall(text)]


def names() -> list[str]:
    """Every file of the gallery, but its pages."""
    saved = [Path(file) for page in PAGES for _, files in blocks(page) for file in files]
    return sorted(f"{p.stem}-{theme}{p.suffix}" for p in saved for theme in ("light", "dark"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=GALLERY, metavar="FOLDER")
    parser.add_argument("--only", choices=["svg", "png"], default="")
    asked = parser.parse_args()
    folder = asked.into.resolve()
    folder.mkdir(exist_ok=True)
    for code, files in (block for page in PAGES for block in blocks(page)):
        if files[0].endswith(asked.only):
            draw(code, files, folder)
    for path in sorted(folder.iterdir()):
        print(f"{path.name}  {path.stat().st_size / 1000:.0f} kB")


def draw(code: str, files: list[str], folder: Path) -> None:
    """Run a block and keep what it saves: curves are drawn for each theme, an SVG has both."""
    if files[0].endswith(".svg"):
        (text,) = (content.decode("utf-8") for content in run(code, files, "default"))
        name = Path(files[0]).stem
        (folder / f"{name}-light.svg").write_text(in_theme(text, dark=False), encoding="utf-8")
        (folder / f"{name}-dark.svg").write_text(in_theme(text, dark=True), encoding="utf-8")
        return
    for theme, style in (("light", "default"), ("dark", "dark_background")):
        for file, content in zip(files, run(code, files, style), strict=True):
            (folder / f"{Path(file).stem}-{theme}.png").write_bytes(content)


def run(code: str, files: list[str], style: str) -> list[bytes]:
    """What the block saves, in this style of Matplotlib."""
    with working_folder() as here, plt.style.context(style), mpl.rc_context(CURVES):
        script = Path(f"{Path(files[0]).stem}.py")
        script.write_text(code, encoding="utf-8")
        runpy.run_path(str(script))
        plt.close("all")
        return [(here / file).read_bytes() for file in files]


def in_theme(text: str, dark: bool) -> str:
    """An SVG in one theme: a page on GitHub has a switch of its own, which pictures do not hear."""
    made, count = DARK.subn(lambda found: found[1] if dark else "", text)
    assert count == 1, "an SVG of viz has one rule for dark readers"
    return made


@contextlib.contextmanager
def working_folder() -> Iterator[Path]:
    """An empty folder in which the block runs."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)


if __name__ == "__main__":
    main()
