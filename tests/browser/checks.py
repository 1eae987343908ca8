"""The expected content of the page at a step, computed anew from the payload alone."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import FloatRect, Locator, Page, expect

from minipaddle.messages import Text
from viz.document.values import only
from viz.story.sentences.wording import digits

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
# Texts of boxes whose parts are outside of them, or on each other.
OUTSIDE = """() => [...document.querySelectorAll('.mp-box')].filter((box) => {
  const [shape, ...lines] = ['.mp-shape', '.mp-label', '.mp-detail', '.mp-picture', '.mp-badge']
    .flatMap((each) => [...box.querySelectorAll(':scope > ' + each)])
    .map((each) => each.getBoundingClientRect());
  return lines.some((line, k) => line.left < shape.left || line.right > shape.right ||
    line.top < shape.top - 1 || line.bottom > shape.bottom + 1 ||
    lines.slice(k + 1).some((other) => other.top < line.bottom - 4 && line.top < other.bottom - 4 &&
      other.left < line.right && line.left < other.right));
}).map((box) => box.textContent)"""
_CHANGES = """async ([count, watched]) => {
  const observer = new MutationObserver(() => {});
  observer.observe(document.querySelector(watched),
    { attributes: true, childList: true, subtree: true });
  const changes = [];
  for (let n = 0; n < count; n += 1) {
    document.querySelector('.mp-player').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    changes.push(observer.takeRecords().length);
    await new Promise(requestAnimationFrame);
  }
  return changes;
}"""
_SETTLED = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches ? 3 : 10;
  const places = () => [...document.querySelectorAll('.mp-player :not(svg, svg *)')]
    .map((part) => [part.scrollLeft, part.scrollTop]).join();
  let [last, same] = ['', 0];
  while (same < still) {
    const isMotion = ({ timeline }) => timeline === document.timeline; // or follows a scroll bar
    const moving = document.getAnimations().filter(isMotion);
    await Promise.allSettled(moving.map((one) => one.finished));
    await frame();
    const now = places();
    same = now === last ? same + 1 : 0;
    last = now;
  }
}"""


def at_each(page: Page, keys: Sequence[str], read: str, argument: Any = None) -> list[Any]:
    """Press keys on the player, and return a function of the page after each; "" presses none.

    All keys share one call to the browser, because a call costs more than the function.
    """
    found: list[Any] = page.evaluate(
        f"""async ([keys, argument]) => {{
          const look = {read};
          const found = [];
          for (const key of keys) {{
            if (key) document.querySelector('.mp-player').dispatchEvent(
              new KeyboardEvent('keydown', {{ key, bubbles: true, cancelable: true }}));
            found.push(await look(argument));
          }}
          return found;
        }}""",
        [keys, argument],
    )
    return found


def through(page: Page, read: str) -> list[Any]:
    """Go from the first step of all rounds to the last; return what `read` gives at each."""
    found: list[Any] = page.evaluate(f"""() => {{
      const press = (mark, key) => document.querySelector(mark)?.dispatchEvent(
        new KeyboardEvent('keydown', {{ key, bubbles: true, cancelable: true }}));
      const next = document.querySelector('[data-action=next]');
      const look = {read};
      press('.mp-round-track', 'Home');
      press('.mp-player', 'Home');
      const found = [look()];
      while (next.getAttribute('aria-disabled') !== 'true') {{
        press('.mp-player', 'ArrowRight');
        found.push(look());
      }}
      return found;
    }}""")
    return found


def changes_by_step(page: Page, count: int, watched: str) -> list[int]:
    """Go some steps to the right; return how many changes each made below `watched`."""
    changes: list[int] = page.evaluate(_CHANGES, [count, watched])
    return changes


def area(part: Locator) -> FloatRect:
    """Return the place and size of a part of the page, which must be drawn."""
    box = part.bounding_box()
    assert box is not None
    return box


def reopened(page: Page, link: str) -> None:
    """Load the page again under an address with this link."""
    page.evaluate("(link) => { location.hash = link; }", link)
    page.reload()
    player(page).wait_for()


def settled(page: Page) -> None:
    """Wait until no transition runs and no pane has scrolled for some frames."""
    page.evaluate(_SETTLED)


def scene_of(payload: Json, key: str = "") -> Json:
    """Return the scene with the groups of `key` open (joined by `+`), as Node.js composes it."""
    return scenes_of(payload, [key])[key]


def scenes_of(payload: Json, keys: Collection[str]) -> dict[str, Json]:
    """Return the scene for each of the keys."""
    asked = [name for step in payload["steps"] for name in (*step["nodes"], *step["edges"])]
    known = _SCENES.setdefault(json.dumps([payload["graph"], asked]), {})
    new = sorted({*keys} - {*known})
    if new:
        opens = [[name for name in key.split("+") if name] for key in new]
        known.update(zip(new, composed(payload["graph"], opens, asked), strict=True))
    return known


_SCENES: dict[str, dict[str, Json]] = {}


def followed(payload: Json, step: int) -> set[str]:
    """Return the groups that following opens at a step: those around its boxes, unless the groups
    of the step before show them."""
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


def states(payload: Json, scene: Json, step: int) -> dict[str, str]:
    """Return the state of every visible node and edge of a scene.

    Parts that were active while a Program was built are pending again when it runs.
    """
    visible = {part["id"] for part in (*scene["boxes"], *scene["wires"], *scene["frames"])}
    tags = {box["id"]: box["tag_of"] for box in scene["boxes"] if box["tag_of"]}
    wires = {wire["id"]: wire for wire in scene["wires"]}

    def seen(at: int, far: bool) -> set[str]:
        """Return what a step visits: tags, and also the far boxes that they repeat if `far`."""
        now = payload["steps"][at]
        lines = {scene["resolved"][name] for name in now["edges"]} & {*wires}
        sources = {wires[line]["source"] for line in lines} & {*tags}
        targets = {wires[line]["target"] for line in lines} & {*tags} if far else set()
        left = set() if far else {tags[tag] for tag in sources}
        boxes = {scene["resolved"][name] for name in {*now["nodes"]} - left} - {None}
        return boxes | lines | sources | targets

    def act(at: int) -> str:
        phase = payload["steps"][at]["phase"]
        return phase if phase in ("build", "run") else "eager"

    active = seen(step, far=False)
    done = set().union(*(seen(at, far=True) for at in range(step) if act(at) == act(step)))
    return {
        name: "active" if name in active else "done" if name in done else "pending"
        for name in visible
    }


@dataclass(frozen=True)
class Counted:
    """Join several values of a slot in one text."""

    text: str
    count: int

    def __len__(self) -> int:
        return self.count

    def of(self, _lang: str) -> str:
        return self.text


def said(told: Any, lang: str, values: Sequence[Json] = ()) -> str:
    """Return a text of a payload: words common to both languages, or a message."""
    match told:
        case {"value": int(at)}:
            return digits(only(values[at]["data"]))
        case {"constant": constant}:
            return str(constant)
        case {"en": en, "zh": zh, **more}:
            slots = more.get("slots", {}).items()
            return (
                Text(en, zh)
                .fill(**{name: held(slot, lang, values) for name, slot in slots})
                .of(lang)
            )
    return str(told)


def held(slot: Any, lang: str, values: Sequence[Json]) -> Any:
    """Return the content of a slot in a message of a payload."""
    match slot:
        case {"count": count, "row": row}:
            return Counted(said(row, lang, values), count)
        case int():
            return slot
    return said(slot, lang, values)


def check_step(
    page: Page, payload: Json, step: int, *, key: str = "", lang: str = "en", follow: bool = True
) -> None:
    """Raise AssertionError unless the page shows all of a step; `key` names the groups that are
    open without following."""
    key = opened_at(payload, step, key) if follow else key
    check_state(page.evaluate(_READ), payload, step, scene_of(payload, key), lang)


def opened_at(payload: Json, step: int, key: str) -> str:
    """Return the groups that are open at a step: those of the key, and those of following."""
    return "+".join(sorted({*filter(None, key.split("+")), *followed(payload, step)}))


def check_state(found: Json, payload: Json, step: int, scene: Json, lang: str = "en") -> None:
    """Raise AssertionError unless the state read from a page is that of a step of a scene."""
    now = payload["steps"][step]
    expected = states(payload, scene, step)
    assert found["step"] == str(step)
    assert found["steps"] == str(len(payload["steps"]))
    assert found["phase"] == now["phase"]
    assert found["say"] == said(now["text"], lang, payload["values"])
    assert found["nodes"] == {box["id"]: expected[box["id"]] for box in scene["boxes"]}
    assert found["edges"] == {wire["id"]: expected[wire["id"]] for wire in scene["wires"]}
    assert found["labels"] == {box["id"]: said(box["label"], lang) for box in scene["boxes"]}
    assert all(area > 100 for area in found["areas"])
    assert found["line"] == ([now["line"]] if now["line"] else [])
    forward = [] if now["forward_line"] in (None, now["line"]) else [now["forward_line"]]
    assert found["forward"] == forward
    names = [entry["name"] for entry in now["shown"]]
    factors = {name for name, _ in now["terms"]} - {*names}  # stand between gradients
    shown = [name for name in found["values"] if name not in factors]
    assert sorted(shown) == sorted(names)  # an equation has the order of its formula


def walk(
    page: Page, payload: Json, *, key: str = "", lang: str = "en", follow: bool = True
) -> None:
    """Go through all steps except memory steps and back with the arrow keys, checking each."""
    told = [k for k in range(len(payload["steps"])) if k not in payload["memory"]["steps"]]
    keys = {step: opened_at(payload, step, key) if follow else key for step in told}
    scenes = scenes_of(payload, {*keys.values()})
    pressed = ["Home", *["ArrowRight"] * len(told), *["ArrowLeft"] * len(told)]
    steps = [*told, *reversed(told), told[0]]  # the last step and the first one have no neighbour
    for step, found in zip(steps, at_each(page, pressed, _READ), strict=True):
        check_state(found, payload, step, scenes[keys[step]], lang)


def player(page: Page) -> Locator:
    """Return the player, which takes keys."""
    return page.locator(".mp-player")


def at(page: Page, step: int) -> None:
    """Wait until the player is at a step."""
    expect(player(page)).to_have_attribute("data-step", str(step))
