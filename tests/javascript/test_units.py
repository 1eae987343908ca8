"""Units and scales of the player, against those of pictures."""

import json
import random
import shutil
import subprocess

import pytest

from viz.facts.costs import BY, with_unit
from viz.facts.magnitude import scale_of
from viz.player.payload import scale_entry

from ..conftest import missing
from .composing import WEB

PROGRAM = """
import { readFileSync } from "node:fs";
const [{ costText }, { scaleOf }] = await Promise.all(
  ["units", "colour"].map((name) => import(`file://${process.argv[1]}/${name}.js`)));
const { amounts, sets } = JSON.parse(readFileSync(0, "utf8"));
const texts = Object.entries(amounts).map(([by, some]) => [by, some.map((x) => costText(by, x))]);
console.log(JSON.stringify({ texts: Object.fromEntries(texts), scales: sets.map(scaleOf) }));
"""


def test_pages_write_amounts_and_scales_as_pictures_do(request: pytest.FixtureRequest) -> None:
    node = shutil.which("node") or missing(request.config, "Node.js is not installed")
    numbers = random.Random(7)
    whole = [round(10 ** numbers.uniform(0, 14)) for _ in range(800)]
    ties = [k * step for k in range(1, 300) for step in (5, 125, 128, 256)]
    parts = [10 ** numbers.uniform(-1, 13) for _ in range(800)]
    edges = [k * 10**power for k in (9.994, 9.995, 99.94, 99.95, 999.4, 999.6) for power in (0, 3)]
    amounts = {by: [*whole, *ties, *parts, *edges] for by in BY}
    sets = [numbers.sample(whole + parts, count) for count in (1, 2, 7, 19, 20, 21, 60, 200)]
    command = [node, "--input-type=module", "-e", PROGRAM, str(WEB)]
    given = json.dumps({"amounts": amounts, "sets": sets})
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    for by, some in amounts.items():
        wanted = [with_unit(by, float(amount)) for amount in some]
        assert [pair for pair in zip(some, found["texts"][by], wanted, strict=True)
                if pair[1] != pair[2]] == []  # fmt: skip
    for sizes, entry in zip(sets, found["scales"], strict=True):
        scale = scale_of(float(size) for size in sizes)
        assert scale is not None
        assert entry == scale_entry(scale)
