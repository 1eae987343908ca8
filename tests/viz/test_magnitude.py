"""Magnitudes: their boxes, their scale, and the pictures that they colour."""

import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument
from tests.each import each
from viz import theme
from viz.document.values import summary
from viz.draw import magnitude_tint
from viz.facts import magnitude
from viz.facts.magnitude import colouring, scale_of, size_of
from viz.language import words
from viz.layout.scene import scene_of
from viz.model import Node
from viz.trace import Trace

from . import played, programs

SVG = "{http://www.w3.org/2000/svg}"


class Net(paddle.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.first = paddle.nn.Linear(3, 4)
        self.second = paddle.nn.Linear(4, 2)

    def forward(self, x: Any) -> Any:
        return self.second(paddle.tanh(self.first(x)))


def rms(array: Any) -> float:
    return float(np.sqrt(np.mean(np.square(np.asarray(array, dtype=np.float64)))))


def trained() -> tuple[Trace, Net, Any]:
    paddle.seed(3)
    net = Net()
    x = paddle.randn([5, 3])
    x.stop_gradient = False
    with viz.record() as trace:
        h = paddle.tanh(net.first(x))
        y = net.second(h)
        loss = (y * y).mean()
        loss.backward()
    seen = {"h": h.numpy(), "y": y.numpy(), "x": x.numpy()}
    return trace, net, seen


def sizes(trace: Trace, by: str, step: int = -1) -> dict[str, Any]:
    """Return the sizes by id after a step, also of parts that closed boxes hide."""
    last = step % len(trace)
    return {name: size for k, name, size in colouring(trace.story, by).changes if k <= last}


def box(trace: Trace, label: str, kind: str = "", detail: str = "") -> Node:
    nodes = trace.story.graph.nodes
    return next(
        n for n in nodes if str(n.label) == label and kind in ("", n.kind) and detail in n.detail
    )


def close(found: Any, expected: float) -> None:
    assert isinstance(found, float)
    assert found == pytest.approx(expected, rel=6e-4)


# ----- one size ----------------------------------------------------------------------------------


def test_the_size_is_the_root_mean_square() -> None:
    for rows in ([3.0, -4.0], [[1.0, 2.0], [3.0, 5.0]], [7.0], [True, False, True, True]):
        close(size_of({"stats": summary(np.array(rows))}), rms(rows))


@each("scale", [1e-300, 1e-170, 1.0, 1e170, 1e300])
def test_sizes_are_right_although_squares_overflow(scale: float) -> None:
    close(size_of({"stats": summary(np.array([3.0, -4.0]) * scale)}), rms([3.0, -4.0]) * scale)


def test_numbers_whose_sum_overflows_have_a_size() -> None:
    with np.errstate(over="ignore"):
        assert size_of({"stats": summary(np.full(3, 1.7e308))}) == 1.7e308


def test_zero_nan_and_infinity_have_their_own_marks() -> None:
    rows = {"nan": [1.0, math.nan, math.inf], "inf": [1.0, -math.inf]}
    for kind, elements in rows.items():
        assert size_of({"stats": summary(np.array(elements))}) == kind
    assert size_of({"stats": summary(np.zeros(3))}) == 0.0
    assert size_of({"stats": summary(np.zeros(0))}) is None
    assert size_of({"stats": summary(np.array([1j]))}) is None
    assert size_of({"stats": {}}) is None
    assert size_of({"stats": {"mean": "nan", "std": 1.0, "min": "nan", "max": "inf"}}) is None
    assert size_of({"stats": {"mean": 1.0, "std": 1.0, "min": None, "max": 2.0}}) is None
    assert size_of(None) is None


# ----- boxes -------------------------------------------------------------------------------------


def check_gradients(trace: Trace, net: Net) -> None:
    """Raise AssertionError unless parameters and their `.grad` have the sizes that Paddle has."""
    found = sizes(trace, "grad")
    for name, parameter in net.named_parameters():
        node = box(trace, f"net.{name}")
        close(found[node.id], rms(parameter.grad.numpy()))
        close(found[box(trace, f"net.{name}.grad").id], rms(parameter.grad.numpy()))


def check_outputs(trace: Trace, net: Net, seen: dict[str, Any]) -> None:
    """Check the gradients with respect to outputs, and those that backward boxes compute."""
    found = sizes(trace, "grad")
    dy = seen["y"] * 2 / seen["y"].size
    dh = dy @ net.second.weight.numpy().T
    close(found[box(trace, "tanh").id], rms(dh))
    close(found[box(trace, "tanh backward").id], rms(dh * (1 - seen["h"] ** 2)))
    matmul = box(trace, "matmul backward")
    close(found[matmul.id], max(rms(dh), rms(seen["h"].T @ dy)))  # the larger of its two gradients
    assert found[box(trace, "mean").id] == 1.0


def test_sizes_of_gradients_are_those_of_the_network() -> None:
    trace, net, seen = trained()
    check_gradients(trace, net)
    check_outputs(trace, net, seen)
    values = sizes(trace, "value")
    close(values[box(trace, "tanh").id], rms(seen["h"]))
    close(values[box(trace, "x").id], rms(seen["x"]))
    close(values[box(trace, "net.second.weight").id], rms(net.second.weight.numpy()))
    assert box(trace, "tanh backward").id not in values


def test_a_gradient_has_no_size_before_its_step() -> None:
    trace, _, _ = trained()
    steps = trace.story.steps
    weight = box(trace, "net.first.weight")
    arrives = next(s.index for s in steps if s.kind == "leaf" and weight.label in s.text.en)
    assert weight.id not in sizes(trace, "grad", arrives - 1)
    assert weight.id in sizes(trace, "grad", arrives)
    first = next(s.index for s in steps if s.phase == "backward")
    assert not sizes(trace, "grad", first - 1)


def test_a_program_has_the_same_sizes_as_the_tape() -> None:
    program, x = played.program(), paddle.to_tensor([[0.5, -1.0]], "float64", stop_gradient=False)
    with viz.record() as tape:
        paddle.tanh(x).sum().backward()
    one, other = (sizes(trace, "grad")[box(trace, "x").id] for trace in (program, tape))
    assert one == other
    built = next(s.index for s in program.story.steps if s.phase == "run")
    assert not sizes(program, "grad", built - 1)


def test_a_closed_box_takes_the_largest_of_what_it_hides() -> None:
    trace, net, _ = trained()
    closed = scene_of(trace.story.graph)
    found = colouring(trace.story, "grad").at(closed, len(trace) - 1)
    everything = sizes(trace, "grad")
    for item in closed.boxes:
        hidden = [n for n in everything if closed.alias.get(n) == item.id]
        own = [everything[n] for n in (hidden or [item.id]) if n in everything]
        assert found.get(item.id) == (max(own) if own else None)
    layer = next(b for b in closed.boxes if str(b.label) == "Linear second")
    parameters = [net.second.weight, net.second.bias]
    assert found[layer.id] >= max(float(f"{rms(p.grad.numpy()):.4g}") for p in parameters) * 0.999


def test_a_pylayer_gives_its_gradients_to_its_borders() -> None:
    trace = programs.tanh()
    found = sizes(trace, "grad")
    ports = {
        str(n.label): found[n.id]
        for n in trace.story.graph.nodes
        if n.kind == "port" and n.id in found
    }
    assert ports.keys() == {"dy", "y", "dx", "x"}
    assert ports["dy"] == ports["y"] == pytest.approx(1 / 6, rel=1e-3)
    assert ports["dx"] == ports["x"] == found[box(trace, "data").id]
    assert box(trace, "tanh").id not in found  # inside forward the tape records nothing


def shared_weight() -> Trace:
    """Record a leaf that six products read, so that tags repeat it beside them."""
    w = paddle.to_tensor([0.9, 1.1], stop_gradient=False)
    with viz.record() as trace:
        y = w
        for _ in range(6):
            y = paddle.sin(y * w)
        y.sum().backward()
    return trace


def test_a_tag_has_the_size_of_its_leaf() -> None:
    trace = shared_weight()
    scene = trace.picture
    tags = [b for b in scene.boxes if b.tag_of]
    found = colouring(trace.story, "grad").at(scene, len(trace) - 1)
    assert tags
    assert {found[tag.id] for tag in tags} == {found[box(trace, "w").id]}


# ----- the scale ---------------------------------------------------------------------------------


def test_the_scale_has_parts_of_one_width_on_a_logarithmic_axis() -> None:
    scale = scale_of([1e-4, 1e3, 0.0, "nan"])
    assert scale is not None
    assert (scale.low, scale.high, scale.below) == (1e-4, 1e3, False)
    assert scale.edges == tuple(float(f"1e{k}") for k in range(-3, 3))
    marks = [scale.mark(size) for size in (1e-9, 1e-4, 9.9e-4, 1e-3, 0.5, 1e3, 1e9)]
    assert marks == ["0", "0", "0", "1", "3", "6", "6"]
    assert [scale.mark(size) for size in (0.0, "nan", "inf")] == ["zero", "nan", "inf"]


def test_rounding_errors_do_not_stretch_the_scale() -> None:
    scale = scale_of([1e-17, *np.linspace(0.1, 1, 40).tolist()])
    assert scale is not None
    assert scale.below
    assert scale.low > 0.05
    assert scale.mark(1e-17) == "0"


def test_outliers_and_the_seed_do_not_stretch_the_scale() -> None:
    sizes = [1e-9, 1e-8, *np.linspace(0.01, 1, 40).tolist(), 1e6]
    scale = scale_of(sizes, sizes)
    assert scale is not None
    assert (scale.below, scale.above) == (True, True)
    assert 0.01 < scale.low < scale.high == 1.0
    x = paddle.to_tensor([[1e-4, 2e-4]] * 8, stop_gradient=False)
    with viz.record() as trace:
        (x * 1e-4).sum(axis=0).mean().backward()
    found = colouring(trace.story, "grad").scale
    assert found is not None
    assert found.high < 1
    assert found.above  # the seed is 1


def test_no_size_is_beyond_an_end_that_only_rounding_moves() -> None:
    scale = scale_of([1234.67, 123446.0])
    assert scale is not None
    assert scale.low > 1234.67
    assert scale.high < 123446.0
    assert (scale.below, scale.above) == (False, False)


def test_boxes_without_numbers_give_no_scale() -> None:
    assert scale_of([]) is None
    assert scale_of([0.0, "nan"]) is None


# ----- colours -----------------------------------------------------------------------------------


def lightness(colour: str) -> float:
    """Return L* of a colour, from 0 to 100."""
    parts = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    light = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(116 * (light @ [0.2126, 0.7152, 0.0722]) ** (1 / 3) - 16)


def test_colours_get_darker_by_equal_steps() -> None:
    """Their order can be seen without telling hues apart."""
    steps = [lightness(one) - lightness(other) for one, other in pairwise(theme.RAMP)]
    assert min(steps) > 7
    assert max(steps) - min(steps) < 0.6


# ----- pictures ----------------------------------------------------------------------------------


def odd() -> Trace:
    """Record zeros and NaN among the gradients, and a leaf that gets none."""
    x = paddle.to_tensor([0.0, 1.0, -1.0], stop_gradient=False)
    unused = paddle.to_tensor([2.0], stop_gradient=False)
    with viz.record() as trace:
        y = paddle.sqrt(x)
        z = y * paddle.zeros([3]) + paddle.exp(x) + unused.detach()
        z.sum().backward()
    return trace


def drawn(path: Path) -> dict[str, str]:
    root = ET.parse(path).getroot()
    return {
        g.get("data-node", ""): g.get("data-magnitude", "")
        for g in root.iter(f"{SVG}g")
        if g.get("data-magnitude") is not None
    }


@each("by", magnitude.BY)
@each("make", [odd, programs.tanh, programs.program])
def test_the_svg_has_the_colours_of_the_sizes(
    make: Callable[[], Trace], by: str, tmp_path: Path
) -> None:
    trace = make()
    file = trace.save(tmp_path / "t.svg", color_by=by)
    colours = colouring(trace.story, by)
    assert colours.scale is not None
    sizes = colours.at(trace.picture, len(trace) - 1)
    assert drawn(file) == {name: colours.scale.mark(size) for name, size in sizes.items()}
    text = file.read_text(encoding="utf-8")
    assert words.say(magnitude_tint.NAMES[by], "en") in text
    assert colours.text_of(colours.scale.low) in text
    assert colours.text_of(colours.scale.high) in text


def test_the_description_states_the_sizes(tmp_path: Path) -> None:
    trace = odd()
    file = trace.save(tmp_path / "t.svg", color_by="grad")
    said = ET.parse(file).getroot().find(f"{SVG}desc")
    assert said is not None
    assert "x NaN" in (said.text or "")
    assert "multiply backward 0;" in (said.text or "")
    assert "梯度：各元素的均方根" in trace.save(
        tmp_path / "zh.svg", color_by="grad", lang="zh"
    ).read_text(encoding="utf-8")


def test_a_strip_colours_each_step_by_the_gradients_computed_so_far(tmp_path: Path) -> None:
    trace = programs.tanh()
    file = trace.save(tmp_path / "t.svg", steps=[2], color_by="grad")
    assert drawn(file) == {}
    assert words.say(magnitude_tint.NAMES["grad"], "en") in file.read_text(encoding="utf-8")
    assert drawn(trace.save(tmp_path / "t.svg", steps=[-1], color_by="grad"))


def test_wrong_colours_are_refused(tmp_path: Path) -> None:
    for name, options, told in (
        ("t.svg", {"color_by": "loss"}, "cannot be coloured by 'loss'"),
        ("t.json", {"color_by": "grad"}, "cannot be coloured by magnitude"),
        ("t.svg", {"color_by": "grad", "engine": "dot"}, "cannot be coloured by magnitude"),
    ):
        with pytest.raises(InvalidArgument, match=told):
            programs.tanh().save(tmp_path / name, **options)
    assert not list(tmp_path.iterdir())


def test_boxes_without_a_number_have_a_sign(tmp_path: Path) -> None:
    text = odd().save(tmp_path / "t.svg", color_by="grad").read_text(encoding="utf-8")
    marked = drawn(tmp_path / "t.svg")
    assert set(marked.values()) > {"zero", "nan"}
    assert text.count(">NaN</text>") == sum(m == "nan" for m in marked.values()) + 1  # the legend
    assert text.count(">0</text>") >= sum(m == "zero" for m in marked.values()) + 1
