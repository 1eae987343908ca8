"""A progress bar."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 2.0  # seconds before the bar appears


def with_bar(things: Sequence[T], what: str, unit: str) -> Iterator[T]:
    """Yield the things, with a progress bar if they take longer than two seconds.

    The bar is not made earlier, because in a notebook it consists of widgets, which are saved.
    """
    bar = None
    begin = time.monotonic() if find_spec("tqdm") else math.inf  # a browser has no tqdm
    try:
        for number, thing in enumerate(things):
            yield thing
            if bar is not None:
                bar.update()
            elif time.monotonic() - begin > PATIENCE:
                from tqdm.auto import tqdm  # imports IPython's display

                bar = tqdm(desc=what, unit=unit, total=len(things), initial=number, leave=False)
    finally:
        if bar is not None:
            bar.close()
