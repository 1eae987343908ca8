"""After a mishap of one rank, each rank has the right error, and all end in time."""

from pathlib import Path

import pytest

from . import random_plans
from .harness import ranks
from .random_plans import ENDS, MISHAPS, plan

pytestmark = [ranks, pytest.mark.slow]

# Plans with many mishaps, by how many ranks play them: seeds of every mishap, and of most ends.
SEEDS = {17: 3, 41: 3, 53: 3, 56: 2}


def test_the_plans_have_every_mishap() -> None:
    found = {step.mishap for seed, count in SEEDS.items() for step in plan(seed, count)}
    assert found >= {"", *MISHAPS, *ENDS} - {"stay"}


@pytest.mark.parametrize("seed", SEEDS)
def test_every_step_has_its_planned_outcome(seed: int, tmp_path: Path) -> None:
    assert random_plans.faults(seed, SEEDS[seed], tmp_path) == []
