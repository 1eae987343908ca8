"""Labels without the numbers that change from round to round."""

from __future__ import annotations

import re
from functools import lru_cache

INDEX = re.compile(r"(?<=[\w)\]])\[[^\[\]]*\]")  # an index, `[8:16]` of `x[8:16]`, but no shape
ONE = r"\d[\d.]*(?:e[−+-]?\d+)?"
OPERAND = re.compile(rf"(?<![\w.#])−?{ONE}(?= [×+−/])|(?<=[×+−/] )−?{ONE}")
NUMBER = re.compile(r"\d[\d.]*")
WHOLE = re.compile(rf"−?(?:{ONE}|inf|nan)")  # label of a result without a name: its number


@lru_cache(maxsize=4096)
def without_numbers(text: str) -> str:
    """Return a label without the numbers that may change from round to round; shapes stay.

    >>> without_numbers("X[8:16]"), without_numbers("x: [8, 4] float32"), without_numbers("x × 0.5")
    ('X[…:…]', 'x: [8, 4] float32', 'x × …')
    >>> without_numbers("0.8234")
    '…'
    """
    if WHOLE.fullmatch(text):
        return "…"
    text = INDEX.sub(lambda index: NUMBER.sub("…", index[0]), text)
    return OPERAND.sub("…", text)
