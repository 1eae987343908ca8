"""What the page unpacks is what was packed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from viz.player.pack import packed
from viz.player.payload import payload_of

from .composing import unpacked
from .test_payload_types import eager, program


def brief(data: Any) -> Any:
    """Statistics travel with nine digits."""
    if isinstance(data, dict):
        return {name: brief(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [brief(value) for value in data]
    return float(f"{data:.9g}") if isinstance(data, float) else data


@pytest.mark.parametrize("make", [eager, program])
def test_a_payload_comes_out_as_it_went_in(make: Any) -> None:
    whole = payload_of(make().story)
    small = packed(whole)
    assert brief(unpacked(small)) == [brief(json.loads(json.dumps(whole)))]
    assert len(json.dumps(small)) < len(json.dumps(whole))
