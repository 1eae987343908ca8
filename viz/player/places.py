"""The players of a running notebook: one for each place that shows a trace.

A place is a cell. When it runs again, the players of its last run are closed, with the widgets that
no other player needs. If no front end says which cell is running (nbconvert), each run is a place.
Outside of Jupyter's kernels each player has widgets of its own.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from ..facts.costs import PLAIN, Colours
from .book import Playable
from .widget import Code, Player, Told


@dataclass(frozen=True, slots=True)
class Place:
    """Cell, and the id of the message that made it run."""

    cell: str
    run: str


_shown: list[tuple[Place, Player]] = []


def player(trace: Playable, step: int, lang: str, colours: Colours = PLAIN) -> Player:
    """Return a new player for the running cell, in place of those of its last run."""
    start: dict[str, Any] = {"step": step, "lang": lang, "color_by": colours.by}
    times = colours.times
    place = _running_place()
    if place is None:
        return Player(Code(), Told(trace, times), **start)
    before = [other for _, other in _shown if _is_alive(other)]
    code = next((other.code for other in before if _is_alive(other.code)), None)
    alike = [each.told for each in before if each.told.trace is trace and each.told.times == times]
    new = Player(code or Code(), alike[0] if alike else Told(trace, times), **start)
    _shown.append((place, new))
    _close_all_but([(at, each) for at, each in _shown if at.cell != place.cell or at == place])
    return new


def _close_all_but(kept: list[tuple[Place, Player]]) -> None:
    """Close all players but those in `kept`, and the widgets that none of these needs."""
    needed = {thing for _, each in kept for thing in (each, each.code, each.told)}
    for _, each in _shown:
        for thing in (each, each.code, each.told):
            if thing not in needed:
                thing.close()
    _shown[:] = [(place, each) for place, each in kept if _is_alive(each)]


def _is_alive(widget: Any) -> bool:
    return widget.comm is not None


def _running_place() -> Place | None:
    """Return the place of the running code, or None outside of Jupyter's kernels."""
    shell: Any = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if not hasattr(shell, "get_parent"):
        return None
    request = shell.get_parent()
    run = request["header"]["msg_id"]
    return Place(request.get("metadata", {}).get("cellId", run), run)
