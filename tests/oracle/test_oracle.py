"""minipaddle gives real Paddle's recorded answers, except where a case says why it does not.

With MINIPADDLE_ORACLE=<a Python that has Paddle> the record itself is checked against a live run.
"""

import json
import os
import re
import subprocess
from functools import cache

import pytest

import minipaddle as paddle

from . import harness

ORACLE = os.environ.get("MINIPADDLE_ORACLE")
CASES = [
    pytest.param(topic, one, static, id=f"{topic}-{one.name}")
    for topic in harness.topics()
    for cases, static in [harness.load(topic)]
    for one in cases
]


# What real Paddle has and minipaddle has not; a case that needs one of them is skipped.
ABSENT: tuple[str, ...] = ()


@cache
def recorded(topic: str) -> dict:
    return json.loads((harness.RECORDED / f"{topic}.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize(("topic", "one", "static"), CASES)
def test_same_answers(topic: str, one: harness.Case, static: bool) -> None:
    shown = harness.play(one, paddle, static)
    found = harness.differences(recorded(topic)[one.name], shown.answers, one.ulps)
    if one.differs is not None:
        assert found, f"no longer differs, so remove the note: {one.differs}"
    elif found and name_that_is_missing(shown.error) in {n.split(".")[-1] for n in ABSENT}:
        pytest.skip(f"minipaddle has no {name_that_is_missing(shown.error)}")
    elif found:
        raise AssertionError("\n".join(found)) from shown.error


def name_that_is_missing(error: Exception | None) -> str | None:
    """Return the name that an AttributeError complains of, None for any other end of a case."""
    if not isinstance(error, AttributeError):
        return None
    return re.findall(r"'(\w+)'", str(error).splitlines()[0])[-1]


@pytest.mark.parametrize("name", ABSENT)
def test_absent_names_are_absent(name: str) -> None:
    *path, last = name.split(".")
    place = paddle
    for step in path:
        place = getattr(place, step)
    assert not hasattr(place, last), f"minipaddle has {name} now: take it out of ABSENT"


@pytest.mark.parametrize("topic", harness.topics())
def test_record_has_exactly_the_cases(topic: str) -> None:
    assert list(recorded(topic)) == [one.name for one in harness.load(topic)[0]]


def test_record_stays_small() -> None:
    assert sum(path.stat().st_size for path in harness.RECORDED.iterdir()) < 4_000_000


@pytest.mark.oracle
@pytest.mark.skipif(ORACLE is None, reason="MINIPADDLE_ORACLE names no Python that has Paddle")
@pytest.mark.parametrize("topic", harness.topics())
def test_record_equals_a_live_run(topic: str, tmp_path) -> None:
    command = [ORACLE, str(harness.HERE / "record.py"), "--out", str(tmp_path), topic]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    live = json.loads((tmp_path / f"{topic}.json").read_text(encoding="utf-8"))["cases"]
    found = [
        f"{name}: {line}"
        for name in live | recorded(topic)
        for line in harness.differences(recorded(topic).get(name, {}), live.get(name, {}), ulps=4)
    ]
    assert not found, "\n".join(found)
