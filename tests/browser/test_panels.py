"""The panels around the picture: code, timeline, search, values, selection, keys, notes."""

from typing import Any

import pytest
from playwright.sync_api import expect

from .checks import area, at, check_step, player
from .conftest import Show
from .fixture import tanh


def test_play_runs_to_the_end_and_a_key_stops_it(show: Show) -> None:
    page = show(tanh(), step=10)
    page.locator(".mp-speed").select_option("4")
    player(page).focus()
    play = page.locator("[data-action=play]")
    play.evaluate("""(button) => {  // each state is kept: a busy machine may be late to look
      window.pressed = [];
      new MutationObserver(() => pressed.push(button.getAttribute('aria-pressed')))
        .observe(button, { attributeFilter: ['aria-pressed'] });
    }""")
    page.keyboard.press("Space")
    page.wait_for_function("() => String(pressed) === 'true,false'")
    at(page, 12)
    page.keyboard.press("Space")  # at the end it starts anew
    page.keyboard.press("End")
    page.wait_for_function("() => String(pressed) === 'true,false,true,false'")
    at(page, 12)


def test_code_and_timeline_lead_to_steps_and_x_ray_keeps_the_step(show: Show) -> None:
    page = show(tanh())
    line = page.locator(".mp-code .mp-line[data-line='11']")
    for step in (9, 10, 11, 9):
        line.click()
        check_step(page, tanh(), step)

    player(page).press("f")
    page.locator("[data-node='cus_tanh_grad'] .mp-toggle").click()
    check_step(page, tanh(), 9, key="cus_tanh", follow=False)
    page.get_by_role("button", name="Close cus_tanh", exact=True).press("Space")
    check_step(page, tanh(), 9, follow=False)
    focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused == "Open cus_tanh"

    slider = page.get_by_role("slider", name="Timeline")
    box = area(slider)
    page.mouse.move(box["x"] + 2, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 7.5 / 13, box["y"] + 5)
    page.mouse.up()
    check_step(page, tanh(), 7, follow=False)
    expect(slider).to_have_attribute("aria-valuenow", "8")
    slider.press("ArrowRight")
    at(page, 8)


def test_search_finds_names_and_escape_clears(show: Show) -> None:
    page = show(tanh())
    player(page).focus()
    page.keyboard.press("/")
    page.keyboard.type("grad")
    expect(page.locator(".mp-box[data-hit]")).to_have_count(2)
    page.keyboard.press("Enter")
    expect(page.locator(".mp-found")).to_have_text("1/2")
    expect(page.locator("[data-selected]")).to_have_attribute("data-node", "data.grad")
    page.locator(".mp-query").fill("square")  # hidden in the closed PyLayer
    expect(page.locator(".mp-box[data-hit]")).to_have_attribute("data-node", "cus_tanh_grad")
    page.locator(".mp-query").fill("no such node")
    expect(page.locator(".mp-found")).to_have_text("none")
    page.keyboard.press("Escape")
    expect(page.locator(".mp-box[data-hit]")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    at(page, 1)
    page.keyboard.press("Escape")
    expect(page.locator("[data-selected]")).to_have_count(0)

    page.keyboard.press("Home")
    page.locator(".mp-toggle").first.click()
    page.locator(".mp-query").fill("cus_tanh backward")
    page.keyboard.press("Enter")
    expect(page.locator(".mp-frame[data-hit][data-selected]")).to_have_attribute("data-group", "B")
    expect(page.locator(".mp-selection b").first).to_have_text("Selected: cus_tanh backward")


# ----- values ------------------------------------------------------------------------------------


def test_an_element_is_chosen_by_pointer_and_by_keyboard(show: Show) -> None:
    page = show(tanh(), step=9)
    page.locator(".mp-inspector").focus()
    for key in ("Tab", "ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    chosen = page.locator(".mp-cell[data-chosen]")
    expect(chosen.first).to_have_attribute("data-index", "1,1")
    at(page, 9)
    page.keyboard.press("Escape")
    expect(chosen).to_have_count(0)

    page.locator(".mp-cell[data-index='1,2']").first.click()
    expect(chosen).to_have_count(2)  # in every array of its shape
    page.keyboard.press("ArrowRight")  # arrow keys still step
    at(page, 10)
    page.keyboard.press("ArrowLeft")
    y = tanh()["values"][1]["data"][1][2]
    expect(page.locator(".mp-element").first).to_have_text(f"y[1, 2] = {y!r}")


ARRAYS: list[tuple[dict[str, Any], list[str]]] = [
    ({"shape": [], "dtype": "float64", "data": 2.5}, ["2.50"]),
    ({"shape": [2], "dtype": "int64", "data": [1, -2]}, ["1", "-2"]),
    ({"shape": [2], "dtype": "bool", "data": [True, False]}, ["true", "false"]),
    ({"shape": [3], "dtype": "float32", "data": ["nan", "inf", "-inf"]}, ["NaN", "∞", "−∞"]),
    ({"shape": [2], "dtype": "float64", "data": [1e-9, 3e-12]}, ["1.00e-9", "3.00e-12"]),
    ({"shape": [2, 1, 2], "dtype": "int8", "data": [[[1, 2]], [[3, 4]]]}, list("1234")),
    ({"shape": [0, 3], "dtype": "float32", "data": []}, []),
    ({"shape": [100, 100], "dtype": "float32", "data": None}, []),
]


def test_values_of_every_kind_are_shown(show: Show, subtests: pytest.Subtests) -> None:
    payload = tanh()
    payload["values"] = [
        {"stats": {"nan": 1, "inf": 0, "min": None}, **array} for array, _ in ARRAYS
    ]
    stats = {"min": False, "mean": 0.9, "max": True, "nan": 0, "inf": 0}
    flags = {"shape": [20], "dtype": "bool", "data": [True] * 18 + [False] * 2}
    payload["values"].append({**flags, "stats": stats})
    for number, step in enumerate(payload["steps"]):
        given = number if number < len(payload["values"]) else None
        step["shown"] = [{"name": "x", "role": "output", "node": "x", "value": given}]
    page = show(payload)
    for array, cells in ARRAYS:
        with subtests.test(dtype=array["dtype"], shape=array["shape"]):
            assert page.locator(".mp-cell").all_inner_texts() == cells
            expect(page.locator(".mp-flag")).to_have_text("NaN × 1")
            expect(page.locator(".mp-meta").first).to_contain_text(array["dtype"])
        page.keyboard.press("ArrowRight")
    told = "True × 18 · 20 elements"
    expect(page.locator(".mp-stats")).to_have_text(told)


# ----- notes -------------------------------------------------------------------------------------


def test_a_page_reports_left_out_values_and_an_empty_recording(show: Show) -> None:
    page = show({**tanh(), "left_out": 7})
    note = page.locator(".mp-note[role=note]")
    expect(note).to_contain_text("7 values are shown only as statistics")
    page.get_by_role("button", name="切换到中文").click()
    expect(note).to_contain_text("7 个值只给出统计量")

    empty = {"steps": [], "values": [], "sources": [], "note": {"en": "stopped at once"}}
    page = show({**tanh(), **empty})
    player(page).focus()
    for key in ("ArrowRight", "Space", "End"):
        page.keyboard.press(key)
    expect(player(page)).to_have_attribute("data-steps", "0")
    expect(page.locator(".mp-say")).to_have_text(
        "Nothing was recorded: no Paddle operation ran inside the with block."
    )
    expect(page.locator(".mp-note[role=note]")).to_have_text("stopped at once")


# ----- what is selected --------------------------------------------------------------------------


def test_the_selected_box_is_shown_below_the_numbers_of_the_step(show: Show) -> None:
    page = show(tanh(), step=9, lang="zh")
    page.locator("[data-node='data']").click()
    card = page.locator(".mp-selection")
    expect(card.locator("header").first).to_contain_text("按 Esc 关闭")
    expect(card.locator(".mp-value b")).to_have_text("data")
    check_step(page, tanh(), 9, lang="zh")
    page.keyboard.press("ArrowRight")
    numbers = area(page.locator(".mp-inspector > .mp-cards"))
    assert area(page.locator(".mp-inspector"))["y"] <= numbers["y"]
    assert numbers["y"] + numbers["height"] <= area(card)["y"]
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)


def test_a_pylayer_shows_its_inputs_and_outputs_closed_and_open(show: Show) -> None:
    page = show(tanh(), step=12)
    player(page).press("f")

    def check() -> None:
        roles = page.locator(".mp-selection .mp-value .mp-role")
        expect(roles.first).to_have_text("gradient in")
        names = page.locator(".mp-selection .mp-value b").all_text_contents()
        assert "dy" in names
        assert "y²" not in names

    page.locator("[data-node='cus_tanh_grad'] .mp-label").click()
    check()
    page.keyboard.press("Escape")
    expect(page.locator(".mp-selection")).to_have_count(0)
    page.locator(".mp-toggle").first.click()
    page.locator(".mp-frame-head .mp-label", has_text="backward").click()
    check()


def test_a_box_without_values_says_so_once_it_ran(show: Show) -> None:
    payload = tanh()
    for step in payload["steps"]:
        step["shown"] = []
    page = show(payload, step=1)
    player(page).press("f")
    page.locator("[data-node='cus_tanh_grad'] .mp-label").click()
    silent = page.locator(".mp-selection .mp-absent")
    expect(silent).to_have_text("not computed yet")
    page.keyboard.press("End")
    expect(silent).to_have_text(
        "This box has no value of its own; open it to see the nodes inside."
    )
    page.get_by_role("button", name="切换到中文").click()
    expect(silent).to_have_text("这个方框本身没有数值；展开后可查看里面的节点。")


# ----- keys and code -----------------------------------------------------------------------------


def test_the_keys_are_listed_and_escape_closes_the_list(show: Show) -> None:
    page = show(tanh(), lang="zh")
    keys = page.get_by_role("dialog", name="快捷键")
    expect(keys).to_have_count(0)
    page.keyboard.press("?")
    expect(keys.locator("dd").first).to_have_text("下一步")
    page.keyboard.press("ArrowRight")
    at(page, 1)
    page.keyboard.press("Escape")
    expect(keys).to_have_count(0)
    page.get_by_role("button", name="快捷键 (?)").click()
    expect(keys).to_be_visible()
    keys.get_by_role("button").click()
    expect(keys).to_have_count(0)
    page.keyboard.press("ArrowRight")
    at(page, 2)


def test_shapes_stay_on_one_line_and_code_wraps(show: Show) -> None:
    payload = tanh()
    text = "x [2, 3] and [4, 5] <b>make</b> [6]."
    payload["steps"][0]["text"] = {"en": text, "zh": text}
    payload["sources"][0]["lines"][0] = "x = " + "1 + " * 60 + "1"
    payload["title"] = "Cell [2]"
    page = show(payload, viewport={"width": 1280, "height": 800}, lang="zh")
    expect(page.locator(".mp-say")).to_have_text(text)
    whole = page.locator(".mp-say > *")
    expect(whole).to_have_text(["[2, 3]", "[4, 5]", "[6]"])
    expect(whole.first).to_have_css("white-space", "nowrap")

    expect(page.locator(".mp-source")).to_have_text("单元格 [2]")
    expect(page.locator(".mp-title")).to_have_text("单元格 [2]")
    expect(page.locator(".mp-player")).to_have_attribute("aria-label", "单元格 [2]")
    code = page.locator(".mp-code")
    assert code.evaluate("(e) => e.scrollWidth <= e.clientWidth")
    lines = code.locator(".mp-line").evaluate_all("(all) => all.map((e) => e.clientHeight)")
    assert lines[0] > 2 * lines[1]
    assert code.evaluate("(e) => e.clientHeight") > 8 * lines[1] + 26
