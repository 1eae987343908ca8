"""What the page must show at a step, worked out here once more from the payload alone."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Locator, Page, expect

from ..javascript.composing import composed

Json = dict[str, Any]

_READ = """() => {
  const root = document.querySelector('.mp-player');
  const lines = (mark) => [...root.querySelectorAll(`.mp-code .mp-line${mark}`)]
    .map((line) => [Number(line.dataset.source), Number(line.dataset.line)]);
  const states = (mark, id) => Object.fromEntries([...root.querySelectorAll(mark)]
    .map((part) => [part.dataset[id], part.dataset.state]));
  return {
    step: root.dataset.step, steps: root.dataset.steps, phase: root.dataset.phase,
    say: root.querySelector('.mp-say[aria-live]').textContent,
    nodes: states('[data-node]', 'node'), edges: states('[data-edge]', 'edge'),
    labels: Object.fromEntries([...root.querySelectorAll('[data-node]')]
      .map((part) => [part.dataset.node, part.querySelector('.mp-label').textContent])),
    areas: [...root.querySelectorAll('[data-node]')].map((part) => {
      const box = part.getBoundingClientRect();
      return box.width * box.height;
    }),
    line: lines('[aria-current="step"]'), forward: lines('[data-forward]'),
    values: [...root.querySelectorAll('.mp-cards:not(.mp-selection *) .mp-value')]
      .filter((value) => !['constant', 'rate'].includes(value.dataset.role))
      .flatMap((value) => [...value.querySelectorAll('header b')])
      .map((name) => name.textContent),
  };
}"""


def stepped(page: Page, count: int, watched: str) -> Json:
    """Steps to the right: how many changes each made below `watched`, and the times they took."""
    took: Json = page.evaluate(
        """async ([count, watched]) => {
      const observer = new MutationObserver(() => {});
      observer.observe(document.querySelector(watched),
        { attributes: true, childList: true, subtree: true });
      const press = () => document.querySelector('.mp-player').dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
      const [changes, times] = [[], []];
      for (let n = 0; n < count; n += 1) {
        const start = performance.now();
        press();
        document.querySelector('.mp-viewport').getBoundingClientRect();
        times.push(performance.now() - start);
        changes.push(observer.takeRecords().length);
        await new Promise(requestAnimationFrame);
      }
      return { changes, times: times.sort((a, b) => a - b) };
    }""",
        [count, watched],
    )
    print(f"median {took['times'][count // 2]:.1f} ms, worst {took['times'][-1]:.1f} ms a step")
    return took


def settled(page: Page) -> None:
    """Wait until nothing moves: no transition runs, and no pane has scrolled for some frames."""
    page.evaluate("""async () => {
      const frame = () => new Promise(requestAnimationFrame);
      const places = () => JSON.stringify([...document.querySelectorAll('.mp-player *')]
        .map((part) => [part.scrollLeft, part.scrollTop]));
      let [last, same] = ['', 0];
      while (same < 10) {
        await Promise.allSettled(document.getAnimations().map((one) => one.finished));
        await frame();
        const now = places();
        same = now === last ? same + 1 : 0;
        last = now;
      }
    }""")


def scene_of(payload: Json, key: str = "") -> Json:
    """The scene with the groups open that `key` names, joined by `+`, as Node.js composes it."""
    names = [name for name in key.split("+") if name]
    asked = [name for step in payload["steps"] for name in (*step["nodes"], *step["edges"])]
    whole = json.dumps([payload["graph"], names, asked])
    if whole not in _SCENES:
        (_SCENES[whole],) = composed(payload["graph"], [names], asked)
    return _SCENES[whole]


_SCENES: dict[str, Json] = {}


def followed(payload: Json, step: int) -> set[str]:
    """The groups that following has open at a step: those around its boxes, unless these are open
    with the groups of the step before."""
    graph = payload["graph"]
    container = {
        item: k
        for k, each in enumerate(graph["containers"])
        for row in each["rows"]
        for item in ([row] if isinstance(row, int) else row)
    }

    def around(item: int) -> set[str]:
        group = graph["containers"][container[item]]["group"]
        if group is None:
            return set()
        return {graph["groups"][group]["toggles"]} | around(graph["groups"][group]["item"])

    numbers = {name: k for k, name in enumerate(graph["ids"])}
    held: set[str] = set()
    for at in set(range(step + 1)) - set(payload["memory"]["steps"]):
        now = payload["steps"][at]
        boxes = [each["node"] for each in now["shown"] if each["node"]] or now["nodes"][-1:]
        names = set().union(*(around(numbers[box]) for box in boxes if box in numbers))
        if not names <= held:
            held = names
    return held


def states(payload: Json, key: str, step: int) -> dict[str, str]:
    """The state of every visible node and edge when `key` is the scene shown.

    What a Program's building made active is pending again when the Program runs.
    """
    scene = scene_of(payload, key)
    visible = {part["id"] for part in (*scene["boxes"], *scene["wires"], *scene["frames"])}
    tags = {box["id"] for box in scene["boxes"] if box["tag_of"]}
    ends = {wire["id"]: {wire["source"], wire["target"]} & tags for wire in scene["wires"]}

    def seen(at: int) -> set[str]:
        ids = [*payload["steps"][at]["nodes"], *payload["steps"][at]["edges"]]
        boxes = {scene["resolved"][name] for name in ids} - {None}
        return boxes.union(*(ends.get(name, set()) for name in boxes))

    def act(at: int) -> str:
        phase = payload["steps"][at]["phase"]
        return phase if phase in ("build", "run") else "eager"

    active = seen(step)
    done = set().union(*(seen(at) for at in range(step) if act(at) == act(step)))
    return {
        name: "active" if name in active else "done" if name in done else "pending"
        for name in visible
    }


def said(text: str | dict[str, str], lang: str) -> str:
    """A text of a payload; one that is the same in both languages is a string."""
    return text if isinstance(text, str) else text[lang]


def check_step(
    page: Page,
    payload: Json,
    step: int,
    *,
    key: str = "",
    lang: str = "en",
    follow: bool = True,
) -> None:
    """Raise AssertionError unless the page shows this step, all of it; `key` names the groups that
    are open without following."""
    if follow:
        key = "+".join(sorted({*filter(None, key.split("+")), *followed(payload, step)}))
    page_state = page.evaluate(_READ)
    now = payload["steps"][step]
    scene = scene_of(payload, key)
    expected = states(payload, key, step)
    assert page_state["step"] == str(step)
    assert page_state["steps"] == str(len(payload["steps"]))
    assert page_state["phase"] == now["phase"]
    assert page_state["say"] == now["text"][lang]
    assert page_state["nodes"] == {box["id"]: expected[box["id"]] for box in scene["boxes"]}
    assert page_state["edges"] == {wire["id"]: expected[wire["id"]] for wire in scene["wires"]}
    assert page_state["labels"] == {box["id"]: said(box["label"], lang) for box in scene["boxes"]}
    assert all(area > 100 for area in page_state["areas"])
    assert page_state["line"] == ([now["line"]] if now["line"] else [])
    forward = [] if now["forward_line"] in (None, now["line"]) else [now["forward_line"]]
    assert page_state["forward"] == forward
    assert page_state["values"] == [entry["name"] for entry in now["shown"]]


def walk(
    page: Page, payload: Json, *, key: str = "", lang: str = "en", follow: bool = True
) -> None:
    """Go through all steps but those of memory and back with the arrow keys, checking each."""
    told = [k for k in range(len(payload["steps"])) if k not in payload["memory"]["steps"]]
    page.locator(".mp-player").focus()
    page.keyboard.press("Home")
    for keys, steps in (("ArrowRight", told), ("ArrowLeft", reversed(told))):
        for step in steps:
            check_step(page, payload, step, key=key, lang=lang, follow=follow)
            page.keyboard.press(keys)


def player(page: Page) -> Locator:
    """The player itself, to press keys on."""
    return page.locator(".mp-player")


def at(page: Page, step: int) -> None:
    """Wait until the player is at this step."""
    expect(player(page)).to_have_attribute("data-step", str(step))
