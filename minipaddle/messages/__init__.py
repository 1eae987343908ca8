"""Messages to the reader: English templates with slots, and their translations.

`message.py` renders a message in a language; `catalogue.py` finds its translation in `zh.json`,
which `python3 run.py messages` makes of `zh.po`.
"""

from __future__ import annotations

from .catalogue import languages
from .message import CLAUSES, COLON, EMPTY, LIST, OR, REMARKS, SENTENCES, Message, Row, Text, parsed

__all__ = [
    "CLAUSES",
    "COLON",
    "EMPTY",
    "LIST",
    "OR",
    "REMARKS",
    "SENTENCES",
    "Message",
    "Row",
    "Text",
    "languages",
    "parsed",
]
