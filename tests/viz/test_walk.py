"""The walk of benchmarks/walk.py: counted alike every time, and the story's is not a long one."""

from __future__ import annotations

import sys
from pathlib import Path

from viz.story import ids
from viz.story.sentences import wording

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import walk

CHANGES = 266  # of file on the way from a document to its story


def test_the_way_to_a_story_changes_file_seldom() -> None:
    first, second = walk.ways(), walk.ways()
    assert first["tanh(x)"].calls < first["recorded"].calls < first["story"].calls
    assert first["story"].changes <= CHANGES
    for name, way in first.items():
        again = second[name]
        assert (way.calls, way.changes, way.files) == (again.calls, again.changes, again.files)


def test_a_change_of_file_is_a_call_in_another_file_than_the_last() -> None:
    def way() -> None:
        wording.d("x")
        wording.d("y")
        ids.op(1)
        wording.d("z")

    counted = walk.walked(way)
    assert (counted.calls, len(counted.files), counted.changes) == (4, 2, 3)
