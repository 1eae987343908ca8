"""Python calls as a measure of work that does not depend on the speed of the machine."""

import sys
from collections.abc import Callable
from types import FrameType


def calls_during(
    work: Callable[[], object], counts: Callable[[FrameType], bool] = lambda _: True
) -> int:
    """Do some work; return the number of its calls, or of those whose frame counts."""
    calls = 0

    def note(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call" and counts(frame)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls
