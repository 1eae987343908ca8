"""Players of the site: saved pages of viz, whose common code lies beside them in one file.

A saved page has 190 kB of code; without it most players have 5 to 50 kB.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

CODE = re.compile(r'codeIn\("([^"]*)"\)')
SCRIPTS = "script-src 'unsafe-inline'"  # of the page's policy
FOLLOW = (Path(__file__).parent / "in_frame.js").read_text(encoding="utf-8")
FRAME = (
    '<iframe class="player" loading="lazy" title="{title}" src="{root}players/{name}.html{at}">'
    "</iframe>"
)


def share(page: str, folder: Path, name: str = "") -> str:
    """Write a saved page without its code, and the code once; return the page's name."""
    style, script = CODE.findall(page)
    code = f'const playerStyle = "{style}", playerScript = "{script}";\n{FOLLOW}'
    file = f"code-{digest(code)}.js"
    page = page.replace(f'"{style}"', "playerStyle").replace(f'"{script}"', "playerScript")
    page = page.replace(SCRIPTS, SCRIPTS.replace(" ", " 'self' "))
    page = page.replace("<script>", f'<script src="{file}"></script>\n<script>', 1)
    name = name or digest(page)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file).write_text(code, encoding="utf-8")
    (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return name


def digest(text: str) -> str:
    """Return a short name for a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]
