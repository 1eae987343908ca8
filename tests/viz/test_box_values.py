"""The numbers in boxes are the engine's, from the step that computes them on."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageSequence

import minipaddle as paddle
import viz
from tests.each import each
from viz.draw.film_strip import film
from viz.draw.form import Form
from viz.draw.gif import gif
from viz.facts.last_values import last_values, moved_values
from viz.trace import Trace

from . import programs, stories

NUMBER = re.compile(r"−?\d[\d.]*(?:e[−+]?\d+)?")
BINARY = ("x + y", "x * y", "x - y", "x @ y")
UNARY = ("paddle.tanh(x)", "x * x", "paddle.exp(x)", "x + x.sum()", "x * 0.5")


def program(choice: random.Random, path: Path) -> tuple[Trace, dict[str, Any]]:
    """Record a random program; return its arrays by name, and those of gradients."""
    size = choice.choice([1, 2, 3])
    scope: dict[str, Any] = {"paddle": paddle}
    numbers = np.random.default_rng(choice.randrange(10**6))
    for name in "ab":
        array = numbers.normal(size=(size, size)).astype("float32")
        scope[name] = paddle.to_tensor(array, stop_gradient=False)
    lines: list[str] = []
    for name in "cdefg":
        known = [each for each in scope if each != "paddle"] + list("cdefg"[: len(lines)])
        code = choice.choice(BINARY if choice.random() < 0.6 else UNARY)
        code = re.sub(r"\bx\b", choice.choice(known), code)
        lines.append(f"{name} = " + re.sub(r"\by\b", choice.choice("ab"), code))
    lines.append("loss = " + " + ".join(f"{name}.mean()" for name in "abcdefg"))
    path.write_text("\n".join(lines))
    with viz.record() as trace:
        exec(compile(path.read_text(), path, "exec"), scope)
        scope["loss"].backward()
    found = {name: scope[name].numpy() for name in [*"abcdefg", "loss"]}
    return trace, found | {f"{name}.grad": scope[name].grad.numpy() for name in "ab"}


def written(line: str) -> list[float]:
    """Return the numbers of a line without its name and its shape."""
    text = line.partition(" = ")[2] or line
    text = re.sub(r"^\[[\d, ]*\] (?=.* … )", "", text)
    return [float(number.replace("−", "-")) for number in NUMBER.findall(text)]


@each("seed", range(40), quick=8)
def test_each_box_has_the_numbers_that_were_computed(seed: int, tmp_path: Path) -> None:
    trace, arrays = program(random.Random(seed), tmp_path / f"program{seed}.py")
    story = trace.story
    values = last_values(story)
    at_end = values.at(len(trace))
    boxes = {str(node.label): node for node in story.graph.nodes if node.tag_of is None}
    boxes |= {n.detail.partition(":")[0]: n for n in story.graph.nodes if n.lane == "forward"}
    checked = 0
    for name, array in arrays.items():
        if name not in boxes or boxes[name].id not in at_end:
            continue
        node = boxes[name]
        own = [s.index for s in story.steps for v in s.shown if v.node == node.id]
        assert node.kind == "leaf" or node.id not in values.at(own[0] - 1)
        found = written(at_end[node.id].line)
        whole = array.reshape(-1) if array.size <= 4 else [array.min(), array.max()]
        if len(found) == array.size:
            whole = array.reshape(-1)
        np.testing.assert_allclose(found, whole, rtol=0.051, atol=1e-12)
        assert (at_end[node.id].picture is None) == (array.size <= 4)
        checked += 1
    assert checked >= 8


def test_gradients_that_meet_are_added_in_a_film() -> None:
    x = paddle.to_tensor(3.0, stop_gradient=False)
    with viz.record() as trace:
        y = x * 2.0 + x * x
        y.backward()
    assert x.grad is not None
    step = next(s.index for s in trace.steps if s.kind == "accumulate")
    frames = list(film(trace, [step], "en", form=Form(values=True), moving=True))
    chips = [[m.text for p in f.parts if p.role == "chip" for m in p.marks if hasattr(m, "text")]
             for f in frames]  # fmt: skip
    assert [frame.brief for frame in frames] == [True] * (len(frames) - 1) + [False]
    held, added = (each.value["data"] for each in trace.steps[step].shown[:2])
    assert chips[0] == [f"{added:g}", f"{held:g}"]
    assert chips[-2] == [f"{added:g} + {held:g}"]
    assert chips[-1] == []
    with Image.open(BytesIO(gif(trace, steps=[step], form=Form(values=True)))) as picture:
        times = [frame.info["duration"] for frame in ImageSequence.Iterator(picture)]
    assert times[:5] == [50] * 5
    assert times[5:] == [400, 3600]  # equal frames are one


def test_an_image_in_a_gif_has_dark_and_light_greys() -> None:
    x = paddle.linspace(0.0, 1.0, 784).reshape([28, 28])
    with viz.record() as trace:
        x * 2.0
    with Image.open(BytesIO(gif(trace, form=Form(values=True)))) as picture:
        picture.seek(1)
        pixels = np.asarray(picture.convert("RGB")).reshape(-1, 3)
    greys = {int(each[0]) for each in pixels if len({*each.tolist()}) == 1}
    assert len([grey for grey in greys if 0 < grey < 128]) >= 7
    assert len([grey for grey in greys if 128 < grey < 255]) >= 7


@each("program", [*programs.ALL, stories.many_uses, stories.hooks, stories.adam], quick=4)
def test_a_wire_carries_the_value_of_the_box_that_it_leaves(program: Callable[[], Trace]) -> None:
    story = program().story
    edges = {edge.id: edge for edge in story.graph.edges}
    for step in story.steps:
        carried = dict(moved_values(edges, step))
        for name, place in carried.items():
            assert step.shown[place].holder in (None, edges[name].source)
        if step.kind in ("op", "visit", "accumulate", "leaf", "seed"):
            wires = [edges[name] for name in step.edges if edges[name].kind != "saved"]
            into = [wire for wire in wires if wire.source not in step.nodes or step.kind != "op"]
            assert {wire.id for wire in into} <= {*carried}
