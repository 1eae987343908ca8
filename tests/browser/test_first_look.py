"""The first view has a fitted picture, everything important on one screen, whole lines of code.

Tests compare rectangles at the widths of a desktop, half a desktop, a notebook and a phone.
"""

from functools import cache
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

import viz
from tests.each import each
from tests.viz.recordings import transformer
from viz.player.payload import payload_of

from .checks import area, at_each, player, scene_of, settled
from .conftest import Show
from .fixture import chain, tanh
from .test_recorded import training
from .test_views import eager, program

Json = dict[str, Any]
SCREENS = [(1280, 800), (800, 800), (600, 800), (390, 844)]
NAME = 13  # pixel height of a box's name at scale 1
_BOXES = """(marks) => marks.map((mark) => {
  const { left, top, right, bottom } = document.querySelector(mark).getBoundingClientRect();
  return [left, top, right, bottom];
})"""
_INSIDE = """(mark) => {
  const pane = document.querySelector('.mp-viewport').getBoundingClientRect();
  return [...document.querySelectorAll(mark)].every((part) => {
    const box = part.getBoundingClientRect();
    return box.width > 0 && pane.left <= box.left + 1 && pane.top <= box.top + 1
      && box.right <= pane.right + 1 && box.bottom <= pane.bottom + 1;
  });
}"""
_SCALE = """() => {
  const canvas = document.querySelector('.mp-svg');
  return canvas.width.baseVal.value / canvas.viewBox.baseVal.width;
}"""


def opened() -> Json:
    """Record an open PyLayer, as in the first lesson."""
    return {**tanh(), "open": ["cus_tanh"]}


@cache
def encoder() -> Json:
    """Record a layer of a transformer, whose picture fits in no pane."""
    return payload_of(transformer().story)


def in_a_notebook(html: str) -> str:
    """Put a player into a page like a notebook's output, as wide as the window."""
    edited = html.replace('"page":true', '"page":false')
    edited = edited.replace('<body class="mp-page">', '<body style="margin:0">')
    assert edited != html
    return edited


def boxes(page: Page, *marks: str) -> dict[str, list[float]]:
    return dict(zip(marks, page.evaluate(_BOXES, list(marks)), strict=True))


def fitted(page: Page) -> bool:
    settled(page)
    return bool(page.evaluate(_INSIDE, ".mp-svg"))


def test_graph_sentence_values_and_buttons_are_seen_at_once(
    show: Show, subtests: pytest.Subtests
) -> None:
    for payload, lang in ((opened(), "en"), (payload_of(training().story), "zh")):
        page = show(payload, lang=lang, step=4, reduced_motion="reduce")
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            settled(page)
            with subtests.test(lang=lang, width=width):
                check_screen(page, width, height)


def check_screen(page: Page, width: int, height: int) -> None:
    """Raise AssertionError unless everything important is on the screen without overlaps."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    marks = [".mp-viewport", ".mp-sentence", ".mp-inspector", ".mp-transport"]
    places = boxes(page, *marks)
    for mark, (left, top, right, bottom) in places.items():
        assert left >= 0, mark
        assert top >= 0, mark
        assert right <= width, mark
        assert bottom <= height, mark
    graph, sentence, values, buttons = places.values()
    assert graph[3] - graph[1] >= 250
    assert values[3] - values[1] >= 150
    for one, other in [(graph, sentence), (sentence, values), (values, buttons)]:
        assert one[3] <= other[1] + 1 or other[3] <= one[1] + 1 or one[2] <= other[0] + 1
    between = max(graph[1], sentence[1]) - min(graph[3], sentence[3])
    assert between < 50, "nothing but a row of buttons stands between graph and sentence"


def test_the_step_buttons_stay_at_the_bottom_of_a_narrow_page(show: Show) -> None:
    page = show(opened(), viewport={"width": 600, "height": 660}, reduced_motion="reduce")
    for width in (600, 390):
        page.set_viewport_size({"width": width, "height": 660})
        for down in (0, 120):
            page.evaluate("(down) => scrollTo(0, down)", down)
            settled(page)
            _, top, _, bottom = boxes(page, ".mp-drive")[".mp-drive"]
            assert bottom == pytest.approx(660, abs=1)
            assert bottom - top < 100


@each("width", [800, 390])
def test_rare_options_are_behind_a_button(show: Show, width: int) -> None:
    page = show(opened(), viewport={"width": width, "height": 844})
    tools, legend = page.locator(".mp-tools"), page.locator(".mp-legend")
    more = page.get_by_role("button", name="Search, tables, keys, language")
    key = page.get_by_role("button", name="Legend")
    for knob, panel in [(more, tools), (key, legend)]:
        expect(panel).to_be_hidden()
        expect(knob).to_have_attribute("aria-expanded", "false")
        before = boxes(page, ".mp-viewport", ".mp-inspector")
        knob.click()
        expect(panel).to_be_visible()
        expect(knob).to_have_attribute("aria-expanded", "true")
        assert boxes(page, ".mp-viewport", ".mp-inspector") == before
        [(left, _, right, _)] = boxes(page, f".{panel.get_attribute('class')}").values()
        assert left >= 0
        assert right <= width
        knob.click()
        expect(panel).to_be_hidden()
    player(page).press("/")
    expect(page.locator(".mp-query")).to_be_focused()
    page.keyboard.press("Escape")  # leave the search
    page.keyboard.press("Escape")
    expect(tools).to_be_hidden()
    more.click()
    page.get_by_role("button", name="Light or dark").focus()
    page.keyboard.press("Escape")
    expect(more).to_be_focused()
    page.locator(".mp-box").first.click()
    key.click()
    page.keyboard.press("Escape")
    expect(legend).to_be_hidden()
    expect(page.locator(".mp-box[data-selected]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".mp-box[data-selected]")).to_have_count(0)


# ----- the picture -------------------------------------------------------------------------------


@each("width", [1280, 846, 700])
def test_the_first_picture_of_a_notebook_is_fitted(show: Show, width: int) -> None:
    page = show(
        opened(), edit=in_a_notebook, viewport={"width": width, "height": 800},
        reduced_motion="reduce",
    )  # fmt: skip
    assert fitted(page)
    assert page.evaluate(_SCALE) * NAME >= 8.9
    [(_, top, _, bottom)] = boxes(page, ".mp-player").values()
    assert bottom - top <= 678  # JupyterLab's part of the window


@each("screen", SCREENS)
def test_a_large_picture_opens_legible_where_the_step_is(
    show: Show, screen: tuple[int, int]
) -> None:
    page = show(
        encoder(), viewport=dict(zip(("width", "height"), screen, strict=True)),
        reduced_motion="reduce", step=len(encoder()["steps"]) // 2,
    )  # fmt: skip
    settled(page)
    assert page.evaluate(_SCALE) * NAME >= 9
    assert page.evaluate(_INSIDE, ".mp-box[data-state=active]")
    assert not page.evaluate(_INSIDE, ".mp-svg")
    assert page.locator(".mp-shade").get_attribute("data-more")  # more beyond the pane
    expect(page.locator(".mp-minimap")).to_be_visible()


_SMALLEST = """() => {
  const matrix = document.querySelector('.mp-svg').getScreenCTM();
  const texts = [...document.querySelectorAll('.mp-svg text')];
  const sizes = texts.filter((text) => text.checkVisibility()).map((text) =>
    [parseFloat(getComputedStyle(text).fontSize), getComputedStyle(text).scale.split(' ').at(-1)])
    .map(([size, high]) => size * (parseFloat(high) || 1));
  return matrix.a * Math.min(...sizes);
}"""


def test_text_is_never_small_and_larger_on_a_large_screen(show: Show) -> None:
    found = []
    for payload in (opened(), encoder(), payload_of(training().story)):
        page = show(payload, viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        for step in range(3):
            settled(page)
            found.append(page.evaluate(_SMALLEST))
            at_each(page, ["ArrowRight"] * (1 + 9 * step), "() => 0")
        page.set_viewport_size({"width": 1920, "height": 1080})
        settled(page)
        assert page.evaluate(_SMALLEST) > found[-1]
    assert min(found) >= 9.99


def test_a_player_is_fitted_when_it_gets_its_size(show: Show) -> None:
    late = "const host = document.createElement('div');"
    late += "setTimeout(() => document.body.append(host));\nconst options"

    def edit(html: str) -> str:
        edited = html.replace("const host = document.body, options", late, 1)
        assert edited != html
        return in_a_notebook(edited)

    page = show(opened(), edit=edit, viewport={"width": 846, "height": 800})
    assert fitted(page)
    page.locator(".mp-player").evaluate("(e) => { e.parentElement.style.width = '0'; }")
    settled(page)
    page.locator(".mp-player").evaluate("(e) => { e.parentElement.style.width = '760px'; }")
    assert fitted(page)


def test_a_new_size_fits_an_unmoved_picture_again(show: Show) -> None:
    page = show(tanh(), viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    for width in (900, 1280, 390, 600, 800):
        page.set_viewport_size({"width": width, "height": 844})
        assert fitted(page), width
    player(page).press("+")
    by_hand = page.evaluate(_SCALE)
    page.set_viewport_size({"width": 1280, "height": 844})
    settled(page)
    assert page.evaluate(_SCALE) == pytest.approx(by_hand)
    player(page).press("0")
    assert fitted(page)


def test_a_moved_picture_stays_until_the_next_step(show: Show) -> None:
    page = show(chain(80), viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    top = "document.querySelector('.mp-viewport').scrollTop"
    player(page).focus()
    for _ in range(6):
        page.keyboard.press("Shift+ArrowDown")
    settled(page)
    assert page.evaluate(top) > 300
    page.set_viewport_size({"width": 1200, "height": 800})
    settled(page)
    assert page.evaluate(top) > 300
    page.keyboard.press("ArrowRight")
    settled(page)
    assert page.evaluate(_INSIDE, ".mp-box[data-state=active]")


# ----- the map -----------------------------------------------------------------------------------

_COVERED = """async (joined) => {
  if (Number(document.querySelector('.mp-player').dataset.step) % 3) return null;
  for (let n = 0; n < 2; n += 1) await new Promise(requestAnimationFrame);
  const map = document.querySelector('.mp-minimap');
  if (map.hidden) return null;
  const boxes = [...document.querySelectorAll('.mp-box')];
  const byName = new Map(boxes.map((box) => [box.dataset.node, box]));
  const active = boxes.filter((box) => box.dataset.state === 'active')
    .map((box) => box.dataset.node);
  const m = map.getBoundingClientRect();
  return active.flatMap((name) => [name, ...(joined[name] ?? [])]).filter((name) => {
    const b = byName.get(name)?.getBoundingClientRect();
    return b && b.right > m.left && b.left < m.right && b.bottom > m.top && b.top < m.bottom;
  });
}"""


def test_the_map_keeps_off_the_active_boxes_and_their_neighbours(show: Show) -> None:
    scene = scene_of(encoder(), "+".join(encoder()["open"]))
    joined: dict[str, list[str]] = {box["id"]: [] for box in scene["boxes"]}
    for wire in scene["wires"]:
        joined[wire["source"]].append(wire["target"])
        joined[wire["target"]].append(wire["source"])
    page = show(encoder(), viewport={"width": 800, "height": 800}, reduced_motion="reduce")
    count = len(encoder()["steps"])
    covered = at_each(page, ["", *["ArrowRight"] * count], _COVERED, joined)
    assert [names for names in covered if names] == []
    assert covered.count([]) > count / 6


# ----- the code ----------------------------------------------------------------------------------

_LINES = """() => {
  const pane = document.querySelector('.mp-code');
  const frame = pane.getBoundingClientRect();
  const start = frame.top + pane.clientTop;
  const [top, bottom] = [start + pane.querySelector('.mp-source').offsetHeight,
    start + pane.clientHeight];
  const text = [...pane.querySelectorAll('.mp-line code')].flatMap((code) => {
    const range = document.createRange();
    range.selectNodeContents(code);
    return [...range.getClientRects()].map((row) => (row.top + row.bottom) / 2);
  });
  const half = parseFloat(getComputedStyle(pane).lineHeight) / 2;
  const lines = [...pane.querySelectorAll('.mp-line')];
  const lit = lines.findIndex((line) => line.hasAttribute('aria-current'));
  const seen = (y) => y >= top - 0.6 && y <= bottom + 0.6;
  const box = lines[lit].getBoundingClientRect();
  return {
    rows: (bottom - top) / (2 * half),
    cut: text.filter((y) => Math.abs(y - top) < half - 0.6 || Math.abs(y - bottom) < half - 0.6),
    lit: seen(box.top) && seen(box.bottom),
    around: [!lit || seen(box.top - 2 * half),
      lit === lines.length - 1 || seen(box.bottom + 2 * half)],
  };
}"""


def listing() -> Json:
    """Return a payload of sixty lines of code, some of them wrapped, and a step for each."""
    payload = chain(60)
    long = " + ".join(f"value_{n}" for n in range(14))
    lines = [f"y_{n} = {long if n % 7 == 3 else n}" for n in range(60)]
    for n, step in enumerate(payload["steps"]):
        step["line"] = [0, n + 1]
    return {**payload, "sources": [{"name": "Cell [2]", "first": 1, "lines": lines}]}


def test_no_line_of_code_is_cut_in_half(show: Show, subtests: pytest.Subtests) -> None:
    page = show(listing(), reduced_motion="reduce")
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        at_each(page, ["Home"], "() => 0")
        for presses in (0, 9, 1, 12):
            at_each(page, ["ArrowRight"] * presses, "() => new Promise(requestAnimationFrame)")
            settled(page)
            with subtests.test(width=width, presses=presses):
                seen = page.evaluate(_LINES)
                assert seen["rows"] == pytest.approx(round(seen["rows"]), abs=0.02)
                assert seen["rows"] >= 5
                assert seen["cut"] == []
                assert seen["lit"]
                assert seen["around"] == [True, True]


# ----- The map of a large graph, and fingers -----------------------------------------------------


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
