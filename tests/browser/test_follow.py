"""What is open and in view at a step: following, the overview, turns, folds, updates as sums."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import minipaddle as paddle
import viz
from minipaddle import nn
from tests.each import each
from tests.viz import programs
from tests.viz.recordings import transformer
from tests.viz.sayings import twice_derived
from tests.viz.test_blocks import loop
from tests.viz.test_loop_turns import rnn
from tests.viz.trainings import accumulated, descend
from viz.model import around
from viz.player.payload import payload_of
from viz.theme import PILLS

from .checks import area, at, check_step, player, reopened, said, scene_of, settled, through
from .conftest import Axe, Show
from .fixture import tanh

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from .conftest import Show

Json = dict[str, Any]
FOLLOW = "Follow: open the box that the step is in (f)"
MEMORY = "Memory: its steps, one row for each block (m)"


def trained(rounds: int, **more: Any) -> viz.Trace:
    """Train a small network by SGD, with a tall matrix that is not recorded whole."""
    net = paddle.nn.Sequential(paddle.nn.Linear(2, 3), paddle.nn.Linear(3, 1))
    sgd = paddle.optimizer.SGD(0.125, parameters=net.parameters(), **more)
    x = paddle.ones([4, 2])
    return descend(sgd, lambda _: net(x).square().mean(), rounds)


# ----- following ---------------------------------------------------------------------------------


def test_following_can_be_switched_off_and_the_page_remembers_it(show: Show) -> None:
    page = show(tanh(), step=2)
    button = page.get_by_role("button", name=FOLLOW)
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    check_step(page, tanh(), 2, follow=False)
    page.wait_for_url("**#follow=off*")
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "false")
    check_step(page, tanh(), 2, follow=False)
    player(page).press("f")
    check_step(page, tanh(), 2)
    assert "follow=" not in page.url


# ----- steps of memory ---------------------------------------------------------------------------


def test_steps_of_memory_are_skipped_until_they_are_switched_on(show: Show) -> None:
    payload = payload_of(programs.program().story)
    hidden, count = payload["memory"]["steps"], len(payload["steps"])
    last = max({*range(count)} - {*hidden}) + 1
    page = show(payload)
    counter = page.locator(".mp-count")
    expect(counter).to_have_text(f"1 / {count}")
    player(page).press("End")
    expect(counter).to_have_text(f"{last} / {count}")
    expect(page.get_by_role("button", name="Next step")).to_be_disabled()
    slider = page.get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuenow", str(last))
    page.get_by_role("button", name=MEMORY).click()
    expect(counter).to_have_text(f"{last} / {count}")
    expect(slider).to_have_attribute("aria-valuemax", str(count))
    player(page).press("ArrowLeft")
    at(page, hidden[-1])
    player(page).press("m")
    at(page, hidden[-1] - 1)


def test_a_link_to_a_step_of_memory_shows_the_step_and_is_unchanged(show: Show) -> None:
    payload = payload_of(programs.program().story)
    hidden = payload["memory"]["steps"][2]
    page = show(payload)
    first, count = payload["memory"]["steps"][0], len(payload["steps"])
    box = area(page.get_by_role("slider"))
    page.mouse.click(box["x"] + box["width"] * (first + 0.5) / count, box["y"] + 5)
    at(page, first - 1)  # a pointer stops only at visible steps
    reopened(page, f"step={hidden + 1}")
    at(page, hidden)
    expect(page.locator(".mp-say")).to_have_text(
        said(payload["steps"][hidden]["text"], "en", payload["values"])
    )
    expect(page.get_by_role("button", name=MEMORY)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".mp-count")).to_have_text(f"{hidden + 1} / {len(payload['steps'])}")
    reopened(page, f"step={hidden + 2}&memory=")
    at(page, hidden + 1)
    expect(page.get_by_role("button", name=MEMORY)).to_have_attribute("aria-pressed", "false")


# ----- updates -----------------------------------------------------------------------------------


def test_the_parts_of_an_update_are_side_by_side(show: Show) -> None:
    trace = trained(1)
    step = next(s for s in trace.steps if s.kind == "update")
    page = show(payload_of(trace.story), step=step.index, viewport={"width": 1280, "height": 800})
    expect(page.locator(".mp-phase")).to_have_text("Parameter update")
    parts = page.locator(".mp-sum > .mp-value")
    expect(parts).to_have_count(3)
    assert page.locator(".mp-sum .mp-plus").all_text_contents() == ["− 0.125 ×", "="]
    assert len({round(area(part)["y"]) for part in parts.all()}) == 1
    page.locator(".mp-sum .mp-cell[data-index='1,2']").first.click()
    told = page.locator(".mp-filled").text_content() or ""
    before, grad, after = (s.value["data"][1][2] for s in step.shown)
    numbers = [float(x) for x in told.replace("−", "-").replace("(", "").replace(")", "").split()
               if x not in ("-", "×", "=")]  # fmt: skip
    assert numbers == pytest.approx([before, 0.125, grad, after], rel=1e-3)
    page.get_by_role("button", name="切换到中文").click()
    expect(page.locator(".mp-phase")).to_have_text("参数更新")


def tops(page: Page, mark: str) -> list[int]:
    """Return the top of each of the three parts of an update's sum."""
    parts = page.locator(f".mp-sum {mark}").all()
    assert len(parts) == 3
    return [round(area(part)["y"]) for part in parts]


def updated(net: Any, optimizer: Any) -> tuple[Json, int]:
    """Record a step of training; return its page and its first update."""
    with viz.record() as trace:
        net(paddle.ones([2, net.weight.shape[0]])).mean().backward()
        optimizer.step()
    return payload_of(trace.story), next(s for s in trace.steps if s.kind == "update").index


WIDTHS = (1280, 800, 600, 390)


def test_a_large_parameter_is_beside_its_gradient(show: Show, subtests: pytest.Subtests) -> None:
    net = paddle.nn.Linear(32, 10)
    payload, step = updated(net, paddle.optimizer.SGD(0.1, parameters=net.parameters()))
    page = show(payload, step=step, reduced_motion="reduce")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        settled(page)
        with subtests.test(width=width):
            assert len(set(tops(page, ".mp-heat-map"))) == 1
    names = page.locator(".mp-sum header b").all_text_contents()
    assert names == ["net.weight", "net.weight.grad", "net.weight"]


def test_an_update_of_a_large_parameter_is_reported_as_unknown(show: Show) -> None:
    net = paddle.nn.Linear(70, 70)
    payload, step = updated(net, paddle.optimizer.Adam(0.5, parameters=net.parameters()))
    page = show(payload, step=step)
    expect(page.locator("[data-role='taken'] .mp-absent")).to_contain_text("Not known element")


# ----- The overview, and the trail that leads out of layers --------------------------------------


SCREENS = [{"width": 1280, "height": 800}, {"width": 390, "height": 844}]


def frames(page: Page) -> list[Any]:
    return page.locator('.mp-frame-head[data-lane="forward"] .mp-label').all_text_contents()


def crumbs(page: Page) -> list[str]:
    return [text.strip() for text in page.locator(".mp-crumb").all_text_contents()]


@each("screen", SCREENS)
def test_a_page_opens_on_the_whole_network_and_a_step_leads_in(
    show: Show, axe: Axe, screen: dict[str, int]
) -> None:
    page = show(payload_of(convolutional().story), viewport=screen, reduced_motion="reduce")
    settled(page)
    assert frames(page) == ["Sequential net"]
    pane, canvas = (area(page.locator(mark)) for mark in (".mp-viewport", ".mp-svg"))
    assert canvas["width"] <= pane["width"]
    assert canvas["height"] <= pane["height"]
    expect(page.locator(".mp-trail .mp-hint")).to_contain_text("→")
    assert crumbs(page) == ["Overview"]
    assert axe(page) == []
    player(page).press("ArrowRight")
    at(page, 2)  # the second one is of memory
    expect(page.locator(".mp-trail .mp-hint")).to_have_count(0)
    assert crumbs(page) == ["Overview", "net", "Sequential 0", "Conv2D 0"]
    assert frames(page)[:3] == ["Sequential net", "Sequential 0", "Conv2D 0"]


_NAMES = """() => [...document.querySelectorAll('.mp-box > .mp-label')].map((label) => {
  const [text, box] = [label, label.parentElement.querySelector('.mp-shape')]
    .map((part) => part.getBoundingClientRect());
  const scale = document.querySelector('.mp-svg').getScreenCTM().a;
  const high = parseFloat(getComputedStyle(label).fontSize) * scale;
  return [text.left >= box.left, text.right <= box.right, high >= 9.99].every(Boolean)
    ? '' : label.textContent;
}).filter(Boolean)"""


def test_names_of_a_far_picture_are_legible_and_inside_their_boxes(show: Show) -> None:
    page = show(payload_of(fitted().story), viewport=SCREENS[0], reduced_motion="reduce")
    settled(page)
    assert crumbs(page) == ["Overview"]
    assert page.evaluate(_NAMES) == []
    expect(page.locator(".mp-detail").first).to_be_hidden()
    player(page).press("v")  # numbers in boxes need their room
    settled(page)
    expect(page.locator(".mp-detail").first).to_be_visible()
    player(page).press("v")
    player(page).press("ArrowRight")
    at(page, 1)
    expect(page.locator(".mp-detail").first).to_be_visible()


def test_the_trail_leads_out_by_buttons_and_by_key(show: Show) -> None:
    page = show(payload_of(convolutional().story), step=2, reduced_motion="reduce")
    player(page).press("b")
    assert frames(page) == ["Sequential net", "Sequential 0"]
    assert crumbs(page)[1:] == ["net", "Sequential 0"]
    page.get_by_role("button", name="net", exact=True).press("Enter")
    assert frames(page) == ["Sequential net"]
    expect(page.get_by_role("button", name="Sequential net", exact=True)).to_be_focused()
    page.keyboard.press("b")
    expect(page.locator(".mp-crumb")).to_be_focused()
    assert crumbs(page) == ["Overview"]
    page.get_by_role("button", name="Open Sequential 0", exact=True).press("Enter")
    assert crumbs(page)[1:] == ["net", "Sequential 0"]
    player(page).press("Home")
    at(page, 0)
    assert crumbs(page)[-1] == "Conv2D 0"


def test_a_small_picture_opens_at_its_first_step(show: Show) -> None:
    page = show(payload_of(programs.nested().story), viewport=SCREENS[0])
    expect(page.locator(".mp-trail")).to_be_hidden()
    assert page.locator(".mp-frame").count()


# ----- The turns of a Python loop ----------------------------------------------------------------


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


# ----- Folded repetitions ------------------------------------------------------------------------


def test_search_opens_the_block_that_hides_a_hit_and_fit_shows_all(show: Show) -> None:
    page = show(payload_of(loop(100).story))
    page.locator(".mp-player").press("f")
    expect(page.locator(".mp-frame")).to_have_count(0)
    page.locator(".mp-query").fill("tanh h:")  # text of the ops, not of their blocks
    page.keyboard.press("Enter")
    expect(page.locator(".mp-box[data-selected] .mp-label")).to_have_text("tanh")
    assert page.locator(".mp-frame").count() >= 2

    page.locator(".mp-viewport").focus()
    page.keyboard.press("0")
    room = page.locator(".mp-viewport").evaluate("(v) => [v.clientWidth, v.clientHeight]")
    size = page.locator(".mp-svg").evaluate(
        "(svg) => [svg.getBoundingClientRect().width, svg.getBoundingClientRect().height]"
    )
    assert size[0] <= room[0] + 1
    assert size[1] <= room[1] + 1


# ----- The op of each step is in view -------------------------------------------------------------


_SHARES = """() => {
  const pane = document.querySelector('.mp-viewport').getBoundingClientRect();
  const shares = {};
  for (const box of document.querySelectorAll('.mp-box[data-state=active]')) {
    const { left, right, top, bottom, width, height } = box.getBoundingClientRect();
    const across = Math.min(right, pane.right) - Math.max(left, pane.left);
    const down = Math.min(bottom, pane.bottom) - Math.max(top, pane.top);
    shares[box.dataset.node] = Math.max(0, across) * Math.max(0, down) / (width * height);
  }
  return [Number(document.querySelector('.mp-player').dataset.step), shares];
}"""


def convolutional() -> viz.Trace:
    """Run a small LeNet with batch norm on two pictures."""
    first = nn.Sequential(nn.Conv2D(1, 2, 5), nn.BatchNorm2D(2), nn.ReLU(), nn.MaxPool2D(4))
    net = nn.Sequential(first, nn.Flatten(), nn.Linear(72, 5), nn.Linear(5, 3))
    x, label = paddle.rand([2, 1, 28, 28]), paddle.to_tensor([0, 2])
    with viz.record() as trace:
        nn.functional.cross_entropy(net(x), label).backward()
    return trace


def fitted() -> viz.Trace:
    """Record a step of training whose loss has a tail of many ops."""
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    optimizer = paddle.optimizer.AdamW(0.1, parameters=net.parameters())
    with viz.record() as trace:
        p = nn.functional.softmax(net(paddle.rand([4, 3])))
        entropy = -(p * paddle.log(p + 1e-6)).sum(axis=1).mean()
        loss = nn.functional.binary_cross_entropy(p, paddle.rand([4, 2])) - 0.1 * entropy
        loss.backward()
        optimizer.step()
    return trace


PROGRAMS = [
    lambda: rnn(8), twice_derived, accumulated, programs.step, transformer, convolutional,
    programs.program,
]  # fmt: skip


def ops_of(payload: dict[str, Any], kinds: dict[str, str]) -> list[str | None]:
    """Return the op of each step: its last box that is no tensor, or else the last one."""
    found = []
    for step in payload["steps"]:
        boxes = [node for node in step["nodes"] if node in kinds]
        ops = [node for node in boxes if kinds[node] not in PILLS]
        found.append([*boxes[-1:], *ops[-1:]][-1] if boxes else None)
    return found


@each("make", PROGRAMS)
def test_the_op_of_each_step_is_in_view(show: Show, make: Callable[[], viz.Trace]) -> None:
    story = make().story
    payload = payload_of(story)
    ops = ops_of(payload, {node.id: node.kind for node in story.graph.nodes})
    for screen in SCREENS:
        page = show(payload, viewport=screen, reduced_motion="reduce")
        seen = through(page, _SHARES)
        assert len(seen) > 10
        hidden = [step for step, shares in seen if ops[step] and shares[ops[step]] < 0.5]
        assert hidden == [], screen


def test_a_closed_layer_is_in_view_while_its_ops_run(show: Show) -> None:
    story = transformer().story
    payload = {**payload_of(story), "open": []}
    resolved = scene_of(payload)["resolved"]
    ops = ops_of(payload, {node.id: node.kind for node in story.graph.nodes})
    page = show(payload, viewport={"width": 390, "height": 500}, reduced_motion="reduce")
    player(page).press("f")
    seen = through(page, _SHARES)
    assert [at for at, shares in seen if ops[at] and shares[resolved[ops[at]]] < 0.5] == []
