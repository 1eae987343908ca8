"""Exchanges of collectives with other ranks.

A call of `paddle.distributed` prepares an exchange, and the kernel runs it. Code that recomputes
an op, such as a replay, finite differences or a page, prepares none: it sends nothing, as no other
rank waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any

from .. import errors

_exchange: ContextVar[Callable[[], Any] | None] = ContextVar("collective", default=None)


class meeting:
    """Context in which the kernel of a collective returns the result of `exchange()`."""

    __slots__ = ("exchange", "token")

    def __init__(self, exchange: Callable[[], Any]) -> None:
        self.exchange = exchange

    def __enter__(self) -> None:
        self.token = _exchange.set(self.exchange)

    def __exit__(self, *_: object) -> None:
        _exchange.reset(self.token)


def meet(name: str, ranks: Sequence[int], alone: Callable[[], Any]) -> Any:
    """Return the result of the exchange; for a group of one rank that of `alone()`."""
    exchange = _exchange.get()
    if exchange is not None:
        return exchange()
    if len(ranks) < 2:
        return alone()
    raise errors.not_here(name, ranks)
