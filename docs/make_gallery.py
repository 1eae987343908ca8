"""Draw the pictures of docs/gallery again: `.venv/bin/python docs/make_gallery.py`.

It runs every Python block of its pages in a separate folder, and stores each saved picture in
light and in dark colours. `--into FOLDER` stores them elsewhere, `--only svg` leaves out
the curves, whose bytes depend on Matplotlib and its fonts.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import runpy
import tempfile
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

GALLERY = Path(__file__).parent / "gallery"
PAGES = ("README.md", "faults.md")
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAVED = re.compile(r'(?:save|savefig)\("(\w+\.(?:svg|png))"')
# Picture that follows the reader's system: light colours, then dark ones.
DARK = re.compile(r"@media \(prefers-color-scheme:dark\)\{\n(.*?)\}\n(?=</style>)", re.DOTALL)
CURVES = {"font.family": "DejaVu Sans", "savefig.dpi": 72, "savefig.bbox": "tight"}


def blocks(page: str) -> list[tuple[str, list[str]]]:
    """Return the blocks of code of a page, each with the files that it saves."""
    text = (GALLERY / page).read_text(encoding="utf-8")
    return [(code, SAVED.findall(code)) for code in BLOCK.findall(text)]


def names() -> list[str]:
    """Return the names of all files of the gallery except its pages."""
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
    """Run a block and store its pictures: curves once per theme, an SVG once for both themes."""
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
    """Run a block in a Matplotlib style; return its pictures."""
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        plt.style.context(style),
        mpl.rc_context(CURVES),
    ):
        script = Path(f"{Path(files[0]).stem}.py")
        script.write_text(code, encoding="utf-8")
        runpy.run_path(str(script))
        plt.close("all")
        return [Path(file).read_bytes() for file in files]


def in_theme(text: str, dark: bool) -> str:
    """Return an SVG with one theme's colours, since GitHub's theme switch does not affect SVGs."""
    made, count = DARK.subn(lambda found: found[1] if dark else "", text)
    assert count == 1, "an SVG of viz has one rule for dark readers"
    return made


if __name__ == "__main__":
    main()
