"""The flight recorder with PyTorch: planted problems are found, and memory stays flat."""

from __future__ import annotations

import json

from .test_torch import live, run_module


@live
def test_a_planted_nan_is_named_by_round_line_and_op() -> None:
    assert run_module("flight_programs", "2", "1") == {}


@live
def test_the_recorder_leaves_the_program_alone() -> None:
    found = run_module("flight_checks")
    assert not found, json.dumps(found, indent=1)
