"""Messages to the reader: English templates with slots, and their translations.

`message.py` renders a message in a language, by its translation in `zh.json`,
which `python3 run.py messages` makes of `zh.po`.
"""

# ruff: noqa: F401
# mypy: implicit-reexport

from __future__ import annotations

from .message import (
    CLAUSES,
    COLON,
    EMPTY,
    LIST,
    OR,
    REMARKS,
    SENTENCES,
    Message,
    Row,
    Text,
    languages,
    parsed,
)
