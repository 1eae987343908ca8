"""Paddle programs, recorded where an interpreter has Paddle, and as minipaddle records them.

The environment variable MINIPADDLE_ORACLE names a Python with Paddle and NumPy.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import minipaddle
import viz
from tests.each import each

from . import paddle_programs
from .test_torch import needs, run_module

HERE = Path(__file__).parent
HAS_PADDLE = importlib.util.find_spec("paddle") is not None
PYTHON = os.environ.get("MINIPADDLE_ORACLE", sys.executable if HAS_PADDLE else "")
live = needs(PYTHON, "no Paddle: set MINIPADDLE_ORACLE to a Python with it")
PROGRAMS = paddle_programs.PROGRAMS


def run(*arguments: str) -> Any:
    """Run the checks with Paddle, and return what they print."""
    return run_module("paddle_checks", *arguments, python=PYTHON)


# ----- live --------------------------------------------------------------------------------------


@live
def test_recordings_match_what_ran_and_what_minipaddle_records() -> None:
    complaints = {name: found for name, found in run().items() if found}
    assert not complaints, json.dumps(complaints, indent=1)


@live
def test_nothing_is_left_behind() -> None:
    assert run("--edges") == []


# ----- beside minipaddle -------------------------------------------------------------------------


@each("name", ["mlp", "cnn", "py_layers", "in_place"])
def test_minipaddle_explains_the_program_in_the_same_sentences(name: str) -> None:
    with viz.record(name) as trace:
        PROGRAMS[name](minipaddle)
    theirs = viz.load(HERE / "traces" / "paddle" / f"{name}.json")
    # What the nodes keep differs: Paddle's max_pool2d also keeps its result.
    ours, said = (
        [step.text for step in one.steps if not re.search(" keeps? | kept ", step.text)]
        for one in (trace, theirs)
    )
    assert ours == said


@each("name", ["in_place", "py_layers"])
def test_recordings_of_paddle_and_minipaddle_compare(name: str) -> None:
    with viz.record() as trace:
        PROGRAMS[name](minipaddle)
    theirs = viz.load(HERE / "traces" / "paddle" / f"{name}.json")
    found = viz.diff(trace, theirs)
    assert not found, found.text()
    assert viz.diff(trace, viz.load(HERE / "traces" / "paddle" / "mlp.json"))


@pytest.mark.skipif(HAS_PADDLE, reason="Paddle is installed")
def test_paddle_is_not_installed() -> None:
    with pytest.raises(ImportError) as raised, viz.record(framework="paddle"):
        pass
    assert 'pip install "paddlepaddle==3.3.1"' in str(raised.value)


def test_minipaddle_in_place_of_paddle_records_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "paddle", minipaddle)  # as under `minipaddle run`
    with viz.record(framework="paddle") as trace:
        minipaddle.tanh(minipaddle.ones([2]))
    assert trace.framework == ""
    assert len(trace) == 2
