"""The memory ribbon in Chromium: bytes at each step, their holders, blocks as rows."""

from playwright.sync_api import Page, expect

from tests.each import each
from tests.viz.programs import program, step
from viz.player.payload import payload_of

from .checks import area, at, at_each, player
from .conftest import Show
from .fixture import tanh

MEMORY = "Memory: its steps, one row for each block (m)"
GROWN = 23  # 0-based step of the program that makes two gradients
WHERE = """() => ['.mp-track', '.mp-transport', '.mp-playhead', '.mp-count'].map((name) => {
  const box = document.querySelector(name).getBoundingClientRect();
  return [Math.round(box.left), Math.round(box.top), Math.round(box.width)];
})"""


def held(page: Page) -> list[str]:
    """Return the inspector's text about the memory of the step."""
    return page.locator(".mp-memory li").all_text_contents()


def test_a_page_without_memory_has_no_ribbon(show: Show) -> None:
    page = show(tanh())
    expect(page.locator(".mp-held")).to_have_count(0)
    expect(page.get_by_role("button", name=MEMORY)).to_have_count(0)
    player(page).press("m")
    at(page, 0)


def test_the_inspector_says_who_holds_the_bytes_of_a_step(show: Show) -> None:
    payload = payload_of(program().story)
    page = show(payload, step=GROWN)
    total = sum(payload["memory"]["live"][GROWN])
    expect(page.locator(".mp-memory header")).to_have_text(f"Memory {total} B")
    player(page).press("m")
    found = held(page)
    assert found[0].startswith("new") or found[0].startswith("gone")
    assert any("fc_0.b_0@GRAD 8 B · b3" in entry for entry in found)
    assert any("fc_0.w_0 24 B · persistable" in entry for entry in found)
    player(page).press("ArrowRight")
    assert any(entry.startswith("gone fc_0.tmp_0 16 B · b0") for entry in held(page))
    page.get_by_role("button", name="fc_0.w_0", exact=True).click()
    expect(page.locator("[data-selected]")).to_have_count(1)


def test_rows_open_by_key_and_button_without_moving_other_parts(show: Show) -> None:
    page = show(payload_of(program().story), step=12)
    button = page.get_by_role("button", name=MEMORY)
    expect(page.locator(".mp-row").first).to_be_hidden()
    before = page.evaluate(WHERE)
    player(page).press("m")
    expect(page.locator(".mp-row").first).to_be_visible()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert page.locator(".mp-row-name").first.text_content() == "b0"
    assert [row[:2] for row in page.evaluate(WHERE)[:2]] == [row[:2] for row in before[:2]]
    assert page.evaluate(WHERE)[0][2] == before[0][2]
    button.click()
    expect(page.locator(".mp-row").first).to_be_hidden()
    assert page.evaluate(WHERE) == before


def test_steps_move_no_part_of_the_page(show: Show) -> None:
    page = show(payload_of(program().story))
    places = at_each(page, ["", *["ArrowRight"] * 20], WHERE)
    assert all(row[1:] == places[0][k][1:] for place in places for k, row in enumerate(place))


@each("lang, said", [
    ("en", "fc_0.tmp_0 · 16 B · b0 (24 B) · steps 14–24"),
    ("zh", "fc_0.tmp_0 · 16 B · b0 (24 B) · 第 14–24 步"),
])  # fmt: skip
def test_a_row_names_the_holder_of_the_block_under_the_pointer(
    show: Show, lang: str, said: str
) -> None:
    page = show(payload_of(program().story), lang=lang)
    player(page).press("m")
    row = area(page.locator(".mp-row[data-row='0']"))
    count = 32
    page.mouse.move(row["x"] + row["width"] * 18.5 / count, row["y"] + 6)
    expect(page.locator(".mp-tip")).to_have_text(said)
    ribbon = area(page.locator(".mp-held"))
    page.mouse.move(ribbon["x"] + ribbon["width"] * 21.5 / count, ribbon["y"] + 9)
    expect(page.locator(".mp-tip")).to_contain_text("128 B")
    page.mouse.move(5, 400)
    expect(page.locator(".mp-tip")).to_be_hidden()


def test_an_eager_step_shows_the_values_saved_for_backward(show: Show) -> None:
    trace = step()
    payload = payload_of(trace.story)
    page = show(payload)
    player(page).press("m")
    player(page).press("End")
    expect(page.locator(".mp-memory header")).to_have_text("Memory 0 B")
    saving = next(s.index for s in trace.steps if s.kind == "save" and " y [" in s.text)
    at_each(page, ["ArrowLeft"] * (len(trace) - 1 - saving), "() => 0")
    at(page, saving)
    found = held(page)
    assert found[0].startswith("new y 16 B · saved")
    assert any("x 24 B · input" in entry for entry in found)
