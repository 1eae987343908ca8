"""Units and scales of the player, against those of pictures."""

import random

import pytest

from viz.facts.costs import BY, with_unit
from viz.facts.magnitude import scale_of
from viz.player.payload import scale_entry

from .composing import evaluated

PROGRAM = """
import { readFileSync } from "node:fs";
const [{ costText }, { scaleOf }] = await Promise.all(
  ["units", "colour"].map((name) => import(`file://${process.argv[1]}/${name}.js`)));
const { amounts, sets } = JSON.parse(readFileSync(0, "utf8"));
const texts = Object.entries(amounts).map(([by, some]) => [by, some.map((x) => costText(by, x))]);
console.log(JSON.stringify({ texts: Object.fromEntries(texts), scales: sets.map(scaleOf) }));
"""


def test_pages_write_amounts_and_scales_as_pictures_do(pytestconfig: pytest.Config) -> None:
    numbers = random.Random(7)
    whole = [round(10 ** numbers.uniform(0, 14)) for _ in range(800)]
    ties = [k * step for k in range(1, 300) for step in (5, 125, 128, 256)]
    parts = [10 ** numbers.uniform(-1, 13) for _ in range(800)]
    edges = [k * 10**power for k in (9.994, 9.995, 99.94, 99.95, 999.4, 999.6) for power in (0, 3)]
    amounts = {by: [*whole, *ties, *parts, *edges] for by in BY}
    sets = [numbers.sample(whole + parts, count) for count in (1, 2, 7, 19, 20, 21, 60, 200)]
    found = evaluated(pytestconfig, PROGRAM, {"amounts": amounts, "sets": sets})
    for by, some in amounts.items():
        wanted = [with_unit(by, float(amount)) for amount in some]
        assert [pair for pair in zip(some, found["texts"][by], wanted, strict=True)
                if pair[1] != pair[2]] == []  # fmt: skip
    for sizes, entry in zip(sets, found["scales"], strict=True):
        scale = scale_of(float(size) for size in sizes)
        assert scale is not None
        assert entry == scale_entry(scale)
