"""The map of a large graph, and fingers on the graph pane."""

from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

import viz

from .checks import area, player, settled
from .conftest import Show
from .fixture import chain, tanh
from .test_views import eager, program

_SEEN = """() => {
  const pane = document.querySelector('.mp-viewport');
  const canvas = document.querySelector('.mp-svg').getBoundingClientRect();
  const map = document.querySelector('.mp-minimap');
  const view = document.querySelector('.mp-minimap-view');
  const [w, h] = [parseFloat(map.style.width), parseFloat(map.style.height)];
  const part = (name, whole) => parseFloat(view.style[name]) / whole;
  return {
    map: [part('left', w), part('top', h), part('width', w), part('height', h)],
    pane: [pane.scrollLeft / canvas.width, pane.scrollTop / canvas.height,
      Math.min(1, pane.clientWidth / canvas.width), Math.min(1, pane.clientHeight / canvas.height)],
  };
}"""


def check_frame(page: Page) -> None:
    """Check that the frame in the map is the visible part of the drawing."""
    settled(page)
    seen = page.evaluate(_SEEN)
    assert seen["map"] == pytest.approx(seen["pane"], abs=0.01)


def large(show: Show, **more: Any) -> Page:
    page = show(chain(80), viewport={"width": 820, "height": 600}, reduced_motion="reduce", **more)
    expect(page.locator(".mp-minimap")).to_be_visible()
    return page


def test_a_small_graph_has_no_map(show: Show) -> None:
    page = show(tanh(), viewport={"width": 1400, "height": 900})
    expect(page.locator(".mp-minimap")).to_be_hidden()
    button = page.locator(".mp-zoom .mp-map-knob")
    expect(button).to_have_count(1)
    expect(button).to_be_hidden()
    player(page).press("o")
    expect(page.locator(".mp-minimap")).to_be_hidden()
    for _ in range(8):
        player(page).press("+")
    expect(page.locator(".mp-minimap")).to_be_visible()  # now the drawing is large
    player(page).press("0")
    expect(page.locator(".mp-minimap")).to_be_hidden()


def test_the_frame_follows_the_pane_and_can_be_dragged(show: Show) -> None:
    page = large(show)
    check_frame(page)
    frame, panel = page.locator(".mp-minimap-view"), page.locator(".mp-minimap")
    inner, outer = area(frame), area(panel)
    page.mouse.move(inner["x"] + 5, inner["y"] + 3)
    page.mouse.down()
    page.mouse.move(inner["x"] + 5, inner["y"] + 3 + outer["height"] / 2, steps=4)
    page.mouse.up()
    check_frame(page)
    seen = page.evaluate(_SEEN)["pane"]
    assert seen[1] == pytest.approx(0.5, abs=0.03)  # half of the drawing further down
    page.mouse.click(outer["x"] + outer["width"] / 2, outer["y"] + outer["height"] - 4)
    check_frame(page)
    seen = page.evaluate(_SEEN)["pane"]
    assert seen[1] + seen[3] == pytest.approx(1, abs=0.01)

    for key in ("End", "Shift+ArrowDown", "+", "+", "-", "Home"):
        player(page).press(key)
        check_frame(page)
    page.set_viewport_size({"width": 1200, "height": 800})
    check_frame(page)


def test_the_map_shows_every_box_marks_the_active_ones_and_can_be_turned_off(show: Show) -> None:
    page = large(show)
    paths = page.locator(".mp-minimap svg:first-child path")
    expect(paths).to_have_count(2)  # forward and backward
    drawn = paths.evaluate_all("(all) => all.map((path) => path.getAttribute('d'))")
    assert "".join(drawn).count("M") == 80
    active = page.locator(".mp-minimap-active")
    before = active.get_attribute("d")
    assert before
    assert before.count("M") == 1
    player(page).press("ArrowRight")
    expect(active).not_to_have_attribute("d", before)

    panel = page.locator(".mp-minimap")
    button = page.get_by_role("button", name="Map of the whole graph (o)")
    expect(panel).to_have_attribute("aria-hidden", "true")
    expect(button).to_have_attribute("aria-pressed", "true")
    player(page).press("o")
    expect(panel).to_be_hidden()
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(panel).to_be_visible()
    page.locator(".mp-more").click()
    page.locator("[data-action=language]").click()
    expect(page.get_by_role("button", name="全图缩略图 (o)")).to_be_visible()


def test_each_of_two_graphs_has_its_map_and_colours(show: Show) -> None:
    both = viz.twin(eager(), program())
    page = show(html=both.html())
    expect(page.locator(".mp-minimap")).to_have_count(2)
    page.locator(".mp-colour").first.select_option("grad")
    page.locator("[data-action=last]").click()
    expect(page.locator(".mp-twin-side").first.locator("[data-magnitude]")).not_to_have_count(0)
    expect(page.locator(".mp-twin-side").last.locator(".mp-box[data-magnitude]")).to_have_count(0)


# ----- fingers -----------------------------------------------------------------------------------


def touch(session: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    places = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]
    session.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": places})


def fingers(show: Show) -> tuple[Page, CDPSession, dict[str, float]]:
    page = large(show, has_touch=True)
    box = area(page.locator(".mp-viewport"))
    return page, page.context.new_cdp_session(page), dict(box)


def scale(page: Page) -> float:
    return float(page.locator(".mp-svg").evaluate("(e) => e.width.baseVal.value"))


def test_two_fingers_zoom_at_their_place(show: Show) -> None:
    page, session, box = fingers(show)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = scale(page)
    under = """([x, y]) => {
      const canvas = document.querySelector('.mp-svg').getBoundingClientRect();
      return [(x - canvas.left) / canvas.width, (y - canvas.top) / canvas.height];
    }"""
    place = page.evaluate(under, [x, y])
    touch(session, "Start", (x - 30, y))
    touch(session, "Start", (x - 30, y), (x + 30, y))
    for k in range(1, 7):
        touch(session, "Move", (x - 30 - 5 * k, y), (x + 30 + 5 * k, y))
    touch(session, "End")
    assert scale(page) == pytest.approx(2 * before, rel=0.02)
    assert page.evaluate(under, [x, y])[1] == pytest.approx(place[1], abs=0.01)
    assert page.evaluate("visualViewport.scale") == 1  # the page itself does not zoom
    touch(session, "Start", (x - 60, y), (x + 60, y))
    for k in range(1, 7):
        touch(session, "Move", (x - 60 + 5 * k, y), (x + 60 - 5 * k, y))
    touch(session, "End")
    assert scale(page) == pytest.approx(before, rel=0.03)
    expect(page.locator("[data-selected]")).to_have_count(0)


def test_one_finger_moves_the_picture_and_a_second_one_may_join(show: Show) -> None:
    page, session, box = fingers(show)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 40
    before = scale(page)
    touch(session, "Start", (x, y))
    for k in range(1, 13):
        touch(session, "Move", (x, y - 10 * k))
    page.wait_for_function("() => document.querySelector('.mp-viewport').scrollTop > 60")
    assert scale(page) == before
    y -= 120
    touch(session, "Start", (x, y), (x + 60, y))
    for k in range(1, 7):
        touch(session, "Move", (x - 5 * k, y), (x + 60 + 5 * k, y))
    touch(session, "End")
    assert scale(page) == pytest.approx(2 * before, rel=0.05)
