"""Colours by magnitude and cost, and the table of statistics, agree with Python."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import minipaddle as paddle
import viz
from minipaddle import profiler
from tests.contrast import contrast
from tests.each import each
from viz import theme
from viz.draw import magnitude_tint
from viz.facts import magnitude
from viz.facts.costs import BY, Costs, check_times, costs_of, on_one_scale
from viz.facts.magnitude import colouring
from viz.facts.table import COLUMNS, NOT_YET, Row
from viz.layout.scene import foldable, scene_of
from viz.player.book import book_of
from viz.player.payload import payload_of

from ..viz import round_loops
from ..viz.played import program
from ..viz.programs import step as layers
from ..viz.programs import tanh as pylayer
from ..viz.test_magnitude import odd
from .checks import OUTSIDE, at, at_each, changes_by_step, player, settled
from .conftest import Show
from .editing import book, put
from .fixture import NO_SIZES, chain
from .test_recorded import training

_MARKS = """() => Object.fromEntries([...document.querySelectorAll('.mp-box')].map((box) =>
  [box.dataset.node, [box.dataset.magnitude ?? null, box.querySelector('title').textContent,
    box.querySelectorAll('.mp-size-sign').length]]))"""
_ROWS = """() => [...document.querySelectorAll('.mp-statistics tbody tr')].map((row) =>
  [...row.children].map((cell) => cell.textContent))"""


# ----- colours -----------------------------------------------------------------------------------


def check_colours(marks: Any, colours: Any, scene: Any, step: int) -> None:
    """Raise AssertionError unless each box has Python's colour and title."""
    sizes = colours.at(scene, step)
    assert marks.keys() == {box.id for box in scene.boxes}
    for box in scene.boxes:
        mark, title, signs = marks[box.id]
        size = sizes.get(box.id)
        expected = None
        if size is not None:
            expected = colours.scale.mark(size) if colours.scale else size or "zero"
        assert mark == expected, (box.label, step)
        assert signs == (expected in magnitude_tint.SIGNS), box.label
        assert title.startswith(box.title.en)
        assert ("root mean square" in title) == (size is not None)


def walk_colours(page: Page, trace: Any, by: str, key: str) -> None:
    """Compare every step forward, and some backward."""
    player(page).press("m")  # with the steps of memory
    steps = [*range(len(trace)), len(trace) - 2, 0, 1]
    keys = ["Home", *["ArrowRight"] * (len(trace) - 1), "ArrowLeft", "Home", "ArrowRight"]
    colours = colouring(trace.story, by)
    scene = scene_of(trace.story.graph, frozenset(key.split("+")))
    for step, marks in zip(steps, at_each(page, keys, _MARKS), strict=True):
        check_colours(marks, colours, scene, step)
    player(page).press("m")


@each("make", [pylayer, program, odd])
def test_every_box_has_its_colour_at_every_step(show: Show, make: Callable[[], Any]) -> None:
    trace = make()
    payload = payload_of(trace.story)
    page = show(payload, reduced_motion="reduce")
    player(page).press("f")
    for by in magnitude.BY:
        page.locator(".mp-colour").select_option(by)
        walk_colours(page, trace, by, "+".join(payload["open"]))


def test_closed_boxes_take_the_largest_hidden_size(show: Show) -> None:
    trace = layers()
    payload = payload_of(trace.story)
    names = foldable(trace.story.graph)
    for some in ([], names[:1], names):
        page = show({**payload, "open": list(some)}, reduced_motion="reduce")
        player(page).press("f")
        player(page).press("c")
        walk_colours(page, trace, "grad", "+".join(some))


def test_the_legend_names_quantity_scale_and_ends(show: Show) -> None:
    trace = odd()
    payload = payload_of(trace.story)
    page = show(payload)
    legend = page.locator(".mp-magnitudes")
    expect(legend).to_be_hidden()
    player(page).press("c")
    expect(legend).to_contain_text("Gradient: root mean square of its elements, logarithmic scale")
    scale = colouring(trace.story, "grad").scale
    assert scale is not None
    ends = legend.locator(".mp-scale-ends > span:not(.mp-ramp)").all_text_contents()
    assert [float(end.removeprefix("≤ ")) for end in ends] == [scale.low, scale.high]
    expect(legend.locator(".mp-ramp .mp-step")).to_have_count(magnitude.CLASSES)
    for text in ("not computed", "all zero", "has NaN or Inf", "closed box: the largest inside"):
        expect(legend).to_contain_text(text)
    page.get_by_role("button", name="切换到中文").click()
    expect(legend).to_contain_text("含 NaN 或 Inf")
    title = page.locator(".mp-box[data-magnitude='nan'] title").first
    page.keyboard.press("End")
    expect(title).to_contain_text("梯度（均方根） NaN")


def test_the_key_cycles_and_the_choice_outlives_a_new_scene(show: Show) -> None:
    page = show(payload_of(pylayer().story))
    graph = page.locator(".mp-graph")
    player(page).press("End")
    for by in ("grad", "value"):
        player(page).press("c")
        expect(graph).to_have_attribute("data-color-by", by)
        expect(page.locator(".mp-colour")).to_have_value(by)
        page.locator(".mp-toggle").first.click()
        assert page.locator(".mp-box[data-magnitude]").count() > 2
    player(page).press("c")
    assert graph.get_attribute("data-color-by") is None
    expect(page.locator(".mp-box[data-magnitude]")).to_have_count(0)
    expect(page.locator(".mp-size-sign")).to_have_count(0)
    assert "root mean square" not in page.locator(".mp-box title").first.text_content()


@each("colours", ["light", "dark"])
def test_the_colours_are_those_of_the_theme_and_texts_can_be_read(
    show: Show, tmp_path: Any, colours: str
) -> None:
    saved = layers().save(tmp_path / "t.html", color_by="grad").read_text(encoding="utf-8")
    page = show(html=saved, color_scheme=colours)
    player(page).press("End")
    settled(page)  # fill colours are animated
    palette = theme.DARK if colours == "dark" else theme.LIGHT
    seen = page.evaluate("""() => [...document.querySelectorAll('.mp-box[data-magnitude]')]
      .map((box) => [box.dataset.magnitude, getComputedStyle(box.querySelector('.mp-shape')).fill,
        ...[...box.querySelectorAll(':scope > text')].map((t) => getComputedStyle(t).fill)])""")
    assert len({mark for mark, *_ in seen}) > 2
    for mark, fill, *inks in seen:
        assert hexed(fill) == palette[f"ramp-{mark}"]
        assert inks
        for ink in inks:
            assert contrast(hexed(ink), hexed(fill)) >= 4.5


def hexed(colour: str) -> str:
    red, green, blue = (int(part) for part in re.findall(r"\d+", colour)[:3])
    return f"#{red:02x}{green:02x}{blue:02x}"


# ----- statistics --------------------------------------------------------------------------------


def written(row: Row, column: str) -> Any:
    """Return the content of a cell, with numbers as numbers."""
    cell = getattr(row, column)
    if column == "grad" and cell in (None, NOT_YET):
        return {None: "None", NOT_YET: "not computed"}[cell]
    if column == "shape":
        return "[" + ", ".join(map(str, cell)) + "]"
    if cell is None:
        return "–"
    if column == "zeros":
        return float(f"{100 * cell:.3g}")
    if isinstance(cell, str):
        return {"nan": "NaN", "inf": "Inf"}.get(cell, cell)
    return float(f"{float(cell):.4g}")


def read(text: str) -> Any:
    try:
        return "NaN" if text == "NaN" else float(text.removesuffix("%").replace("−", "-"))
    except ValueError:
        return {"∞": "Inf"}.get(text, text)


def check_rows(rows: Any, trace: Any, step: int) -> None:
    """Raise AssertionError unless the table has Python's rows."""
    expected = [[written(row, c) for c in COLUMNS] for row in trace.statistics(step)]
    assert [[cells[0], *map(read, cells[1:])] for cells in rows] == [
        [str(row[0]), *row[1:]] for row in expected
    ]


@each("make", [pylayer, program, training, odd, layers])
def test_the_table_equals_pythons_at_every_step(show: Show, make: Callable[[], Any]) -> None:
    trace = make()
    page = show(payload_of(trace.story), reduced_motion="reduce")
    player(page).press("m")  # with the steps of memory
    player(page).press("t")
    expect(page.locator(".mp-statistics")).to_be_focused()
    keys = ["Home", *["ArrowRight"] * (len(trace) - 1), "Home"]  # and the first step again
    for step, rows in zip([*range(len(trace)), 0], at_each(page, keys, _ROWS), strict=True):
        check_rows(rows, trace, step)


def test_columns_sort_by_mouse_and_by_keyboard(show: Show) -> None:
    trace = layers()
    page = show(payload_of(trace.story))
    player(page).press("End")
    player(page).press("t")
    head = page.locator("th[data-column='grad']")
    grads = [row.grad for row in trace.statistics() if isinstance(row.grad, float)]

    def shown(column: str) -> list[Any]:
        place = COLUMNS.index(column)
        return [read(cells[place]) for cells in page.evaluate(_ROWS)]

    table = page.get_by_role("table", name="Statistics of parameters and activations · after step")
    expect(table.locator("thead th[scope='col']")).to_have_count(len(COLUMNS))
    expect(table.locator("tbody th[scope='row']")).to_have_count(len(trace.statistics().rows))
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    assert shown("grad")[: len(grads)] == sorted(grads, reverse=True)
    head.get_by_role("button").press("Enter")
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert shown("grad")[: len(grads)] == sorted(grads)
    head.get_by_role("button").press("Space")
    assert head.get_attribute("aria-sort") is None
    check_rows(page.evaluate(_ROWS), trace, len(trace) - 1)
    page.locator("th[data-column='name'] button").click()
    names = [str(name) for name in shown("name")]
    assert names == page.evaluate("(n) => [...n].sort((a, b) => a.localeCompare(b))", names)
    assert set(shown("update")) > {"–"}
    at(page, len(trace) - 1)


def test_a_row_selects_its_box(show: Show) -> None:
    trace = layers()
    page = show({**payload_of(trace.story), "open": ""}, step=len(trace) - 1)
    player(page).press("t")
    row = page.locator(".mp-statistics tbody tr").filter(has_text="net.0.weight").first
    row.locator("td").nth(3).click()
    chosen = page.locator(".mp-box[data-selected]")
    expect(chosen).to_have_count(1)
    expect(row).to_have_attribute("data-chosen", "")
    expect(row.get_by_role("button")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".mp-selection b").first).to_contain_text("Selected:")
    other = page.locator(".mp-statistics tbody tr").last
    other.get_by_role("button").press("Enter")
    expect(other).to_have_attribute("data-chosen", "")
    page.keyboard.press("Escape")
    expect(page.locator(".mp-statistics tr[data-chosen]")).to_have_count(0)
    page.keyboard.press("t")
    expect(page.locator(".mp-statistics")).to_be_hidden()


def test_very_many_rows_are_not_all_drawn(show: Show) -> None:
    page = show(long(350), step=349)
    player(page).press("t")
    expect(page.locator(".mp-statistics tbody tr")).to_have_count(300)
    expect(page.locator(".mp-statistics .mp-hint")).to_contain_text("50")


# ----- speed -------------------------------------------------------------------------------------


def long(length: int) -> dict[str, Any]:
    """Return the chain of fixture.py with a size for every box and a row for every step."""
    payload = chain(length)
    payload["values"][0]["stats"] |= {"std": 0.4, "zeros": 12}
    changes = [[k, f"n{k}", float(f"{10 ** (-6 + 6 * k / length):.4g}")] for k in range(length)]
    payload["magnitudes"] = {
        "grad": NO_SIZES | {"scale": [10.0 ** (k - 6) for k in range(8)], "changes": changes},
        "value": NO_SIZES,
    }
    payload["statistics"] = [
        {"kind": "activation", "name": f"y{k}", "node": f"n{k}", "values": [[k, 0]],
         "grads": [[k, 1.0]], "updates": []}
        for k in range(length)
    ]  # fmt: skip
    payload["passes"] = []
    return payload


def test_a_step_among_many_boxes_touches_only_what_changes(show: Show) -> None:
    page = show(long(600), reduced_motion="reduce")
    expect(page.locator(".mp-minimap")).to_be_visible()
    assert 0 < max(changes_by_step(page, 20, ".mp-minimap")) < 40
    player(page).press("c")
    assert 0 < max(changes_by_step(page, 20, ".mp-svg")) < 40
    at(page, 40)


# ----- Costs -------------------------------------------------------------------------------------


_BOXES = """() => Object.fromEntries([...document.querySelectorAll('.mp-box')].map((box) =>
  [box.dataset.node, [box.dataset.magnitude ?? null, box.querySelector('title').textContent,
    box.querySelector(':scope > .mp-detail')?.textContent ?? '']]))"""


@cache
def lenet() -> tuple[Any, Any]:
    net = round_loops.LeNet()
    with profiler.Profiler(on_trace_ready=lambda _: None) as prof, viz.record() as trace:
        net(paddle.randn([2, 1, 8, 8])).mean().backward()
    return trace, prof


def costs(trace: Any, by: str, opened: frozenset[str], times: Any = None) -> tuple[Costs, Any]:
    scene = scene_of(trace.story.graph, opened)
    (own,) = costs_of([(trace, 0)], [0], by, check_times(by, times))
    return on_one_scale([(own, scene)])[0], scene


def check_boxes(page: Page, trace: Any, by: str, opened: frozenset[str], times: Any = None) -> None:
    """Raise AssertionError unless each box has Python's cost and the colour for it."""
    own, scene = costs(trace, by, opened, times)
    amounts = own.at(scene)
    found = page.evaluate(_BOXES)
    assert found.keys() == {box.id for box in scene.boxes}
    assert amounts
    assert own.scale
    for box in scene.boxes:
        mark, title, detail = found[box.id]
        if box.id not in amounts:
            assert (mark, title, detail) == (None, box.title.en, box.detail)
            continue
        told = own.text_of(amounts[box.id])
        assert (mark, detail) == (own.scale.mark(amounts[box.id]), told)
        assert title.startswith(box.title.en)
        assert title.endswith(f" {told}")


@cache
def lenet_book() -> dict[str, Any]:
    trace, prof = lenet()
    return book_of(trace, check_times("time", prof))


def test_lenet_opened_and_closed_costs_what_python_counts(
    show: Show, subtests: pytest.Subtests
) -> None:
    trace, prof = lenet()
    names = foldable(trace.story.graph)
    for opened in ((), (names[0],), names):
        shown = {**lenet_book()["graphs"][0], "open": list(opened)}
        page = show({**lenet_book(), "graphs": [shown]}, reduced_motion="reduce")
        for key in ("f", "Home"):  # all opened groups, and no others
            player(page).press(key)
        for by in BY:
            with subtests.test(opened=opened, by=by):
                page.locator(".mp-colour").select_option(by)
                times = prof if by == "time" else None
                check_boxes(page, trace, by, frozenset(opened), times)
                assert page.evaluate(OUTSIDE) == []
        player(page).press("End")
        check_boxes(page, trace, BY[-1], frozenset(opened))


def test_edited_numbers_cost_the_same(show: Show) -> None:
    page = show(book(), reduced_motion="reduce")
    page.locator(".mp-colour").select_option("flops")
    before = page.evaluate(_BOXES)
    assert any(row[0] for row in before.values())
    put(page, "w", "1,0", "300")
    assert page.evaluate(_BOXES) == before
