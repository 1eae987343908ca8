"""After edits each number that a page shows is the one that minipaddle computes.

Node compares hundreds of edits of the same pages (tests/javascript/test_what_if_pages.py). Here a
few go through links and the keyboard, and are read where learners read them.
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")

from tests.each import each

from ..javascript import what_if_pages
from ..javascript.what_if_pages import Edit, Tally, flat, near
from ..javascript.what_if_traces import JUDGED
from .checks import player
from .conftest import Show

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from viz.trace import Trace

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Json = dict[str, Any]

PAGES = ("the demo's PyLayer", "a trained Program")
EDITS = 8
STEPS = 2  # that are looked at after each
TYPED = 5  # one of so many is typed, the others come by a link
KEYS = ("Home", "End", "ArrowRight", "ArrowLeft", "[", "]")

_READ = """async () => {
  const root = document.querySelector('.mp-player');
  while (root.getAttribute('aria-busy') === 'true') await new Promise(requestAnimationFrame);
  return {
    step: Number(root.dataset.step), changed: Number(root.dataset.changed),
    cards: [...document.querySelectorAll('.mp-cards:not(.mp-selection *) .mp-value')]
      .map((value) => ({
        name: value.dataset.name, role: value.dataset.role,
        stale: 'stale' in value.dataset, kink: !!value.querySelector('[data-remark=kink]'),
        summary: value.querySelector('.mp-stats')?.textContent ?? '',
        cells: [...value.querySelectorAll('.mp-cell')]
          .map((cell) => [cell.dataset.index, cell.dataset.number]),
      })),
  };
}"""
_FOLLOW = """async (link) => {
  const followed = new Promise((go) => addEventListener('hashchange', go, { once: true }));
  location.hash = link;
  await followed;
}"""
_FOCUS = """([card, index]) => {
  const values = document.querySelectorAll('.mp-cards:not(.mp-selection *) .mp-value');
  const cell = values[card].querySelector(`.mp-cell[data-index="${index}"]`);
  cell?.focus();
  return !!cell;
}"""


class Judge:
    """A page in the browser, and what it should say."""

    def __init__(self, trace: Trace, show: Show, edit: Callable[[Json], Json] = dict) -> None:
        self.told = what_if_pages.Page(trace)
        self.page: Page = show(edit(self.told.book))
        self.choice = random.Random(1)
        self.links = self.typed = 0
        self.steps = len(trace.steps)

    def tally(self, count: int) -> Tally:
        """What was compared after so many edits; each that can be read is right."""
        found = Tally(0, 0, 0)
        for number in range(count):
            edits = self.told.edits(self.choice)
            changed = self.told.changed(edits)
            if changed is None:
                continue
            typed = number % TYPED == 0 and self.type(edits)
            for _ in range(STEPS):
                if typed:
                    self.press(self.choice.choice(KEYS))
                else:
                    self.follow(self.choice.randrange(self.steps), edits)
                found = Tally(*map(sum, zip(found, self.compare(edits, changed), strict=True)))
        return found

    # ----- hands -----

    def follow(self, step: int, edits: list[Edit]) -> None:
        """Open a link; its number makes it another one than the one before."""
        self.links += 1
        link = "/".join(",".join(map(str, edit.on_page()[0])) for edit in edits)
        self.page.evaluate(_FOLLOW, f"step={step + 1}&edits={link}&link={self.links}")

    def press(self, key: str) -> None:
        player(self.page).evaluate("(player) => player.focus()")
        self.page.keyboard.press(key)

    def type(self, edits: list[Edit]) -> bool:
        """Type the last of the edits where its number stands, if the page has room for it."""
        *others, last = edits
        step, card = self.told.card_of(last.place)
        self.follow(step, others)
        self.page.evaluate(_READ)
        if not self.page.evaluate(_FOCUS, [card, ",".join(map(str, last.index))]):
            return False
        self.page.keyboard.type(str(last.number))
        self.page.keyboard.press("Enter")
        self.typed += 1
        return True

    # ----- eyes -----

    def compare(self, edits: list[Edit], changed: Trace) -> Tally:
        """The numbers of the step that the page shows now."""
        seen = self.page.evaluate(_READ)
        step = changed.steps[seen["step"]]
        assert seen["changed"] == len(edits), (edits, seen["step"])
        compared = stale = unsure = 0
        names = {entry.name for entry in step.shown}
        own = [card for card in seen["cards"] if card["role"] != "saved" or card["name"] in names]
        own = own[: len(step.shown)]  # rates and constants follow
        for card, entry in zip(own, step.shown, strict=True):
            where = (edits, seen["step"], entry.name, entry.role)
            assert card["role"] == entry.role, where
            if not any(edit.place.is_one for edit in edits):  # names may tell of those as recorded
                assert card["name"] == entry.name, where
            stale += card["stale"]
            unsure += card["kink"]
            if entry.value is None or card["stale"]:
                continue
            assert "stale" not in entry.value, where  # nobody knows what it would be
            if card["kink"]:
                continue
            assert summarizes(card["summary"], entry.value["stats"]), where
            if entry.value.get("data") is None:
                continue
            whole = np.reshape(flat(entry.value["data"]), entry.value["shape"])
            ours = [number_of(number) for _, number in card["cells"]]
            theirs = [whole[place_in(index)] for index, _ in card["cells"]]
            compared += 1
            assert near(ours, theirs, whole.ravel()), where
        return Tally(compared, stale, unsure)


def place_in(index: str) -> tuple[int, ...]:
    """A place as its cell has it; a single number has none."""
    return tuple(map(int, index.split(","))) if index else ()


def summarizes(text: str, stats: Json) -> bool:
    """Whether `min -1.5 · mean 0.2 · max 3` is true, as far as its four digits say."""
    told = re.findall(r"(min|mean|max) (\S+)", text)
    known = [stats.get(name) for name in ("mean", "std")]
    size = np.hypot(*known) if all(isinstance(each, float) for each in known) else 0.0
    return all(
        number_of(number) == pytest.approx(stats[name], rel=6e-4, abs=1e-4 * size)
        for name, number in told
    )


def number_of(text: str) -> float:
    """A number as its cell has it."""
    return float({"true": 1, "false": 0}.get(text, text))


@each("name", PAGES)
def test_a_page_shows_what_minipaddle_computes_after_edits(name: str, show: Show) -> None:
    judge = Judge(JUDGED[name](), show)
    tally = judge.tally(EDITS)
    assert tally.compared > EDITS
    assert judge.typed
    assert not tally.stale
    assert tally.unsure <= tally.compared / 5


def test_a_page_with_one_wrong_instruction_is_found_out(show: Show) -> None:
    judge = Judge(JUDGED["the demo's PyLayer"](), show, spoilt)
    with pytest.raises(AssertionError, match="False = near"):
        judge.tally(EDITS)


def spoilt(book: Json) -> Json:
    """The page computes with a sum where a product should be."""
    code = book["what_if"]["codes"][0]["code"]
    (product, *_) = [each for each in code if each[:3:2] == ["map", "multiply"]]
    product[2] = "add"
    return book
