"""Panels around the picture: code, timeline, search, values, selection, keys, notes, memory."""

import math
import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import minipaddle as paddle
import viz
from tests.each import each
from tests.viz.programs import program
from tests.viz.programs import step as layers
from viz.player.payload import payload_of

from .checks import area, at, at_each, check_step, player, through
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
    expect(page.locator(".mp-element").first).to_have_text(f"y[1, 2] = {y!r}".replace("-", "−"))


ARRAYS: list[tuple[dict[str, Any], list[str]]] = [
    ({"shape": [], "dtype": "float64", "data": 2.5}, ["2.50"]),
    ({"shape": [2], "dtype": "int64", "data": [1, -2]}, ["1", "−2"]),
    ({"shape": [2], "dtype": "bool", "data": [True, False]}, ["true", "false"]),
    ({"shape": [3], "dtype": "float32", "data": ["nan", "inf", "-inf"]}, ["NaN", "∞", "−∞"]),
    ({"shape": [2], "dtype": "float64", "data": [1e-9, 3e-12]}, ["1.00e−9", "3.00e−12"]),
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


# ----- Histograms --------------------------------------------------------------------------------


def test_large_small_and_sampled_arrays_have_bars(show: Show) -> None:
    large = paddle.to_tensor(np.linspace(-1, 1, 4800, dtype="float32").reshape(60, 80))
    small = paddle.to_tensor(np.arange(96, dtype="float32").reshape(8, 12))
    with viz.record() as trace:
        large * 2
        small * 1
        paddle.ones([100]) * 3
        paddle.randn([300, 300]) * 2
    page = show(payload_of(trace.story))
    pictures = page.locator(".mp-histogram svg")
    even = ", ".join(["200"] * 24)
    expect(pictures).to_have_count(2)
    assert (pictures.first.get_attribute("aria-label") or "").endswith(even)
    expect(page.locator(".mp-histogram .mp-zero")).to_have_count(2)
    expect(page.locator(".mp-histogram figcaption").first).to_have_text("−11")
    page.keyboard.press("ArrowRight")
    expect(pictures).to_have_count(2)
    assert (pictures.first.get_attribute("aria-label") or "").endswith(", ".join(["4"] * 24))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".mp-histogram")).to_have_count(0)
    page.keyboard.press("End")
    sampled = page.locator(".mp-histogram figcaption").first
    expect(sampled).to_contain_text("from every n-th element")


# ----- The formula of a step, filled with the numbers of one element -----------------------------


_LINE = """() => {
  const [cell] = [...document.querySelectorAll('.mp-cell[data-index="1"]')].slice(-1);
  if (!cell) return '';
  const shown = (mark) => [...document.querySelectorAll(mark)].find((e) => e.checkVisibility());
  if (!shown('.mp-element')) cell.click();
  return shown('.mp-filled')?.innerText ?? '';
}"""
FUNCTIONS = {"tanh": math.tanh, "exp": math.exp, "sqrt": math.sqrt}


def recorded() -> Any:
    x = paddle.to_tensor([0.3, -2.0], stop_gradient=False)
    w = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
    with viz.record() as trace:
        y = paddle.tanh(x)
        z = y * x - x / 2.0
        loss = (paddle.square(z) + w @ z).mean()
        loss.backward()
    return trace


def value(text: str) -> float:
    """Compute one side of a filled formula."""
    spelling = text.replace("−", "-").replace("·", "*").replace("²", "**2").replace("×", "*")
    spelling = re.sub(r"(tanh|exp|sqrt) (-?[\d.e-]+)", r"\1(\2)", spelling)
    return float(eval(spelling, {"__builtins__": {}}, FUNCTIONS))


def test_every_filled_formula_is_true(show: Show) -> None:
    trace = recorded()
    page = show(payload_of(trace.story))
    page.locator(".mp-player").press("m")  # shows the steps of memory
    lines = {step: line for step, line in enumerate(through(page, _LINE)) if line}
    told = " | ".join(lines.values())
    assert "−0.964 = tanh −2" in told
    assert " | −0.964 · (−2) | " in told  # a result without a name
    assert "2.928 = 1.928 − (−1)" in told
    assert {trace.steps[step].phase for step in lines} == {"forward", "backward"}
    assert len(lines) >= 9
    for step, text in lines.items():
        for part in filter(lambda part: " = " in part, text.split(", ")):
            left, right = part.split(" = ")
            assert value(left) == pytest.approx(value(right), rel=2e-3), (step, text)
    formulas = [trace.steps[step].formula for step in lines]
    assert "w @ z" not in formulas  # products of matrices and sums are not filled
    assert not [f for f in formulas if "Σ" in f]


def test_the_numbers_follow_the_chosen_element(show: Show) -> None:
    page = show(payload_of(recorded().story))
    line = page.locator(".mp-filled")
    assert not line.is_visible()
    page.locator('.mp-cell[data-index="0"]').first.click()
    assert line.inner_text() == "0.2913 = tanh 0.3"
    page.locator('.mp-cell[data-index="1"]').first.click()
    assert line.inner_text() == "−0.964 = tanh −2"
    page.locator('.mp-cell[data-index="1"]').first.click()
    assert not line.is_visible()


# ----- Memory ------------------------------------------------------------------------------------


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
    trace = layers()
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
