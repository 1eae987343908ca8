"""minipaddle gives real Paddle's recorded answers, except where a case says why it does not.

With MINIPADDLE_ORACLE=<a Python that has Paddle> the record itself is checked against a live run.
"""

import json
import os
import subprocess
from functools import cache

import pytest

import minipaddle as paddle
from tests.each import each

from . import harness

ORACLE = os.environ.get("MINIPADDLE_ORACLE")
CASES = [
    pytest.param(topic, one, static, id=f"{topic}-{one.name}")
    for topic in harness.topics()
    for cases, static in [harness.load(topic)]
    for one in cases
]
LIVE = harness.topics() if ORACLE else ["every topic"]


@cache
def recorded(topic: str) -> dict:
    return json.loads((harness.RECORDED / f"{topic}.json").read_text(encoding="utf-8"))["cases"]


@each(("topic", "one", "static"), CASES)
def test_same_answers(topic: str, one: harness.Case, static: bool) -> None:
    shown = harness.play(one, paddle, static)
    differing = harness.differences(recorded(topic)[one.name], shown.answers, one.ulps)
    if one.differs is not None:
        assert differing, f"no longer differs, so remove the note: {one.differs}"
    elif differing:
        raise AssertionError("\n".join(differing)) from shown.error


@each("topic", harness.topics())
def test_record_has_exactly_the_cases(topic: str) -> None:
    assert list(recorded(topic)) == [one.name for one in harness.load(topic)[0]]


@each("topic", harness.topics())
def test_no_case_ends_in_the_middle(topic: str) -> None:
    """After an unexpected exception nothing more would be recorded or compared."""
    meant = {one.name for one in harness.load(topic)[0] if one.differs is not None}
    broken = [n for n, a in recorded(topic).items() if "ends with" in a and len(a) > 1]
    assert set(broken) <= meant


def test_record_stays_small() -> None:
    assert sum(path.stat().st_size for path in harness.RECORDED.iterdir()) < 2_850_000


@pytest.mark.oracle
@pytest.mark.skipif(ORACLE is None, reason="MINIPADDLE_ORACLE names no Python that has Paddle")
@pytest.mark.parametrize("topic", LIVE)
def test_record_equals_a_live_run(topic: str, tmp_path) -> None:
    command = [ORACLE, str(harness.HERE / "record.py"), "--out", str(tmp_path), topic]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    live = json.loads((tmp_path / f"{topic}.json").read_text(encoding="utf-8"))["cases"]
    lines = [
        f"{name}: {line}"
        for name in live | recorded(topic)
        for line in harness.differences(recorded(topic).get(name, {}), live.get(name, {}), ulps=4)
    ]
    assert not lines, "\n".join(lines)
