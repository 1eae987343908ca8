"""How the kernel of a collective meets the other ranks.

Only a call that `paddle.distributed` makes does: it lays down what is to be done, and the kernel
takes it up. Whoever computes a record once more (a replayed trace, finite differences, a page)
finds nothing there, so nothing is sent that no other rank waits for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any

from .. import errors

_laid_down: ContextVar[Callable[[], Any] | None] = ContextVar("collective", default=None)


class meeting:
    """Inside the block, the next collective's kernel gives what `exchange()` gives."""

    __slots__ = ("exchange", "token")

    def __init__(self, exchange: Callable[[], Any]) -> None:
        self.exchange = exchange

    def __enter__(self) -> None:
        self.token = _laid_down.set(self.exchange)

    def __exit__(self, *_: object) -> None:
        _laid_down.reset(self.token)


def meet(name: str, ranks: Sequence[int], alone: Callable[[], Any]) -> Any:
    """Return the result of the meeting; a group of one rank has `alone()`."""
    exchange = _laid_down.get()
    if exchange is not None:
        return exchange()
    if len(ranks) < 2:
        return alone()
    raise errors.not_here(name, ranks)
