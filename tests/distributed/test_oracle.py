"""Two ranks give real Paddle's recorded answers, unless a case says why they do not."""

import json
import os
import subprocess
import sys
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import minipaddle as paddle
from tests.each import each
from tests.oracle import harness
from tests.oracle.record_ranks import RECORD, TOPIC, answers

from .harness import ROOT, ranks, run

ORACLE = os.environ.get("MINIPADDLE_ORACLE")
CASES = harness.load(TOPIC)[0]


def ours() -> dict[str, Any]:
    return answers(paddle)


@cache
def received() -> list[dict[str, Any]]:
    return run(2, ours)


@cache
def recorded() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found["cases"]  # type: ignore[no-any-return]


@ranks
@pytest.mark.slow
@each("one", CASES, ids=lambda one: one.name)
def test_two_ranks_give_real_paddles_answers(one: harness.Case) -> None:
    differing = [
        f"rank {rank}: {line}"
        for rank, expected in enumerate(recorded()[one.name])
        for line in harness.differences(expected, received()[rank][one.name], one.ulps)
    ]
    if one.differs is not None:
        assert differing, f"no longer differs, so remove the note: {one.differs}"
    else:
        assert not differing, "\n".join(differing)


def test_the_record_has_exactly_the_cases_and_no_case_ends_in_the_middle() -> None:
    assert list(recorded()) == [one.name for one in CASES]
    assert not any("ends with" in each for rows in recorded().values() for each in rows)


def test_ranks_are_available_where_mpi4py_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Real Paddle always has ranks, so no case tests this."""
    installed = ModuleType("mpi4py")
    installed.__spec__ = ModuleSpec("mpi4py", None)
    monkeypatch.setitem(sys.modules, "mpi4py", installed)
    assert paddle.distributed.is_available()
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    assert not paddle.distributed.is_available()


@pytest.mark.oracle
@pytest.mark.skipif(ORACLE is None, reason="MINIPADDLE_ORACLE names no Python that has Paddle")
def test_the_record_equals_a_live_run(tmp_path: Path) -> None:
    script, live = ROOT / "tests/oracle/record_ranks.py", tmp_path / "live.json"
    launcher = ["-m", "paddle.distributed.launch", "--nproc_per_node", "2"]
    command = [str(ORACLE), *launcher, "--log_dir", str(tmp_path / "logs"), str(script)]
    settings = {**os.environ, "MINIPADDLE_RECORD": str(live)}
    subprocess.run(command, env=settings, check=True, capture_output=True, timeout=300)
    assert json.loads(live.read_text(encoding="utf-8"))["cases"] == recorded()
