"""The exchange of a collective with the other ranks.

Only a call of `paddle.distributed` prepares one, and the kernel then runs it. Code that computes
a record again (a replayed trace, finite differences, a page) finds none, so nothing is sent for
which no other rank waits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any

from .. import errors

_exchange: ContextVar[Callable[[], Any] | None] = ContextVar("collective", default=None)


class meeting:
    """Block in which a collective's kernel returns what `exchange()` returns."""

    __slots__ = ("exchange", "token")

    def __init__(self, exchange: Callable[[], Any]) -> None:
        self.exchange = exchange

    def __enter__(self) -> None:
        self.token = _exchange.set(self.exchange)

    def __exit__(self, *_: object) -> None:
        _exchange.reset(self.token)


def meet(name: str, ranks: Sequence[int], alone: Callable[[], Any]) -> Any:
    """Return the result of the meeting; a group of one rank has `alone()`."""
    exchange = _exchange.get()
    if exchange is not None:
        return exchange()
    if len(ranks) < 2:
        return alone()
    raise errors.not_here(name, ranks)
