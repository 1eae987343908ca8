"""minipaddle gives real Paddle's recorded answers, except where a case says why it does not.

With MINIPADDLE_ORACLE=<a Python that has Paddle> the record itself is checked against a live run.
"""

import json
import os
import subprocess
from functools import cache

import pytest

import minipaddle as paddle
from minipaddle.engine.errors import MinipaddleError
from tests.each import each

from . import harness

ORACLE = os.environ.get("MINIPADDLE_ORACLE")
CASES = [
    pytest.param(topic, one, static, id=f"{topic}-{one.name}")
    for topic in harness.topics()
    for cases, static in [harness.load(topic)]
    for one in cases
]
# Texts of Python's own errors, and errors of the case's own code, which pass unchanged.
NOT_OURS = {
    "inner_modules call: importlib.import_module(f'{paddle.__name__}.nn.layer.nothing')",
    "jacobian_hessian call: -J", "jacobian_hessian call: 1 + J", "jacobian_hessian call: hash(J)",
    "jacobian_hessian call: len(J)", "layers assigning",
    "layers call: delattr(net_of(paddle), 'nope')",
    "metrics area_under_the_curve", "metrics call: paddle.metric.Metric()", "parameters flags",
    "pylayer_forward call: scaled(paddle, 2.0)()(leaf(paddle))",
    "pylayer_saving save_takes_no_names",
    "static_objects operator: op.to_string()", "static_objects program: main.to_string()",
    "static_objects variable: [1, 2][x]", "static_objects variable: x.to_string()",
    "tensor_attributes x within 0 ulps: hash(x.shape)",
    "tensor_attributes x within 0 ulps: x.astype()",
    "tensor_attributes x within 0 ulps: x.shape[9]", "unique_names mistakes",
}  # fmt: skip
PARTS = ("\n  expected  ", "\n  to do     ")
LIVE = harness.topics() if ORACLE else ["every topic"]


recorded = cache(harness.recorded)


@each(("topic", "one", "static"), CASES)
def test_same_answers(topic: str, one: harness.Case, static: bool) -> None:
    shown = harness.play(one, paddle, static)
    differing = harness.differences(recorded(topic)[one.name], shown.answers, one.ulps)
    if one.differs is not None:
        assert differing, f"no longer differs, so remove the note: {one.differs}"
    elif differing:
        raise AssertionError("\n".join(differing)) from shown.error
    told = [f"{kind.__name__}: {text}" for kind, text in shown.refusals if not ours(kind, text)]
    assert told == [] or f"{topic} {one.name}" in NOT_OURS


def ours(kind: type, text: str) -> bool:
    """Say whether an error states what was expected and what to do."""
    return issubclass(kind, MinipaddleError) and all(part in text for part in PARTS)


@each("topic", harness.topics())
def test_record_has_exactly_the_cases(topic: str) -> None:
    assert recorded(topic).keys() == {one.name for one in harness.load(topic)[0]}


@each("topic", harness.topics())
def test_no_case_ends_in_the_middle(topic: str) -> None:
    """An unexpected exception would end a case before its remaining answers."""
    meant = {one.name for one in harness.load(topic)[0] if one.differs is not None}
    broken = [n for n, a in recorded(topic).items() if "ends with" in a and len(a) > 1]
    assert set(broken) <= meant


def test_record_stays_small() -> None:
    assert sum(path.stat().st_size for path in harness.RECORDED.iterdir()) < 2_960_000


# Cases in which Paddle draws without a seed, or reads memory that nothing has written.
CHANCE = ("a size of two elements: paddle.randn", "extremes of nothing")


@pytest.mark.oracle
@pytest.mark.skipif(ORACLE is None, reason="MINIPADDLE_ORACLE names no Python that has Paddle")
@pytest.mark.parametrize("topic", LIVE)
def test_record_equals_a_live_run(topic: str, tmp_path) -> None:
    command = [ORACLE, str(harness.HERE / "record.py"), "--out", str(tmp_path), topic]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    live = json.loads((tmp_path / f"{topic}.json").read_text(encoding="utf-8"))["cases"]
    lines = [
        f"{one.name}: {line}"
        for one in harness.load(topic)[0]
        if not one.name.startswith(CHANCE)
        for line in harness.differences(recorded(topic)[one.name], live[one.name], max(4, one.ulps))
    ]
    assert not lines, "\n".join(lines)
