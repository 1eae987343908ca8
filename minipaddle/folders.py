"""Where minipaddle itself lies, and the lessons that come with it."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parent


def lessons_folder() -> Path:
    """Return the folder of the lessons: in the checkout, or inside the installed wheel."""
    in_place = (CHECKOUT / "pyproject.toml").exists()
    return CHECKOUT / "lessons" if in_place else PACKAGE / "_lessons"
