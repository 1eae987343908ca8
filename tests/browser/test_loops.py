"""The turns of a Python loop in the page: one is shown, that of the step or of the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.viz.test_loop_turns import rnn
from viz.model import around
from viz.player.payload import payload_of

from .checks import at, player

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from .conftest import Show

STEPS = 5
HEAD = ".mp-frame-head[data-lane=forward]"


def turns_of_steps(trace: Any) -> list[str]:
    """Return for each step the name of the turn of its last box, or ""."""
    graph = trace.story.graph
    groups = {group.id: group for group in graph.groups}
    nodes = {node.id: node for node in graph.nodes}
    found = []
    for step in trace.story.steps:
        outer = around(groups, nodes[step.nodes[-1]].group) if step.nodes else []
        turn = next((groups[name] for name in outer if groups[name].kind == "turn"), None)
        found.append(str(groups[turn.twin or ""].label) if turn else "")
    return found


def shown_turn(page: Page) -> Locator:
    return page.locator(f"{HEAD} > .mp-label").filter(has_text="t = ").filter(has_not_text="…")


def test_stepping_shows_the_turn_of_the_step(show: Show) -> None:
    trace = rnn(STEPS)
    page = show(payload_of(trace.story), step=0)
    names = turns_of_steps(trace)
    page.emulate_media(reduced_motion="reduce")
    visited = set()
    for step in range(len(names)):
        if trace.story.steps[step].of_memory:
            continue
        at(page, step)
        if names[step]:
            expect(shown_turn(page)).to_have_text([names[step]])
            visited.add(names[step])
        player(page).press("ArrowRight")
    assert visited == {f"t = {t}" for t in range(STEPS)}


def test_buttons_at_the_frame_and_boxes_of_other_turns_lead_to_them(show: Show) -> None:
    trace = rnn(STEPS)
    page = show(payload_of(trace.story), step=turns_of_steps(trace).index("t = 1"))
    page.locator(HEAD).get_by_role("button", name="Open t = 2").click()
    expect(shown_turn(page)).to_have_text(["t = 2"])
    page.keyboard.press("Enter")  # the button keeps the focus
    expect(shown_turn(page)).to_have_text(["t = 3"])
    page.locator(".mp-box[data-lane=forward]", has_text="t = 0 … 2").locator(".mp-toggle").click()
    expect(shown_turn(page)).to_have_text(["t = 2"])  # the nearest one
    box = page.locator(".mp-box[data-lane=forward]", has_text="t = 3 … 4")
    expect(box).to_have_count(1)
    box.click(position={"x": 20, "y": 30})
    expect(page.locator(".mp-selection header b")).to_contain_text("t = 3 … 4")
    player(page).press("ArrowRight")  # the step's own turn comes back
    expect(shown_turn(page)).to_have_text(["t = 1"])
