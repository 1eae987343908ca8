"""Notebooks for grading: made of cells, as a learner would hand them in."""

from __future__ import annotations

import json
from pathlib import Path


def write(file: Path, *cells: str) -> Path:
    """A notebook with these code cells."""
    code = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": text,
        }
        for number, text in enumerate(cells)
    ]
    content = {"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content), encoding="utf-8")
    return file
