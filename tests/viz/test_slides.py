"""Pictures for a lecture hall: one half, numbers, no memory, legible text."""

from collections import Counter
from functools import cache
from io import BytesIO
from math import ceil

import numpy as np
import pytest
from PIL import Image

import minipaddle as paddle
import viz
from minipaddle import nn
from minipaddle.engine.errors import InvalidArgument
from tests.each import each
from viz import theme
from viz.draw.film_strip import film, with_room
from viz.draw.form import LEGIBLE, Form, form_of
from viz.draw.frames import Stage
from viz.draw.paint import Painting, Part, Rect
from viz.draw.raster import png_of
from viz.export import Wish, painting_of
from viz.facts.last_values import value_line
from viz.story.groups.repeats import in_parts
from viz.trace import Trace

from . import played, programs, trainings
from .pages import words
from .programs import cus_tanh, leaf


def chain(length: int) -> Trace:
    """Record a long row of ops that are all different, forward and backward."""
    x = leaf()
    with viz.record() as trace:
        y = x
        for k in range(length):
            y = (paddle.tanh, paddle.exp, paddle.sin, paddle.abs, paddle.sqrt)[k % 5](y)
        y.sum().backward()
    return trace


MAKERS = {
    "pylayer": programs.tanh,
    "chain": lambda: chain(40),
    "training": trainings.epochs,
    "program": played.program,
    "long": lambda: chain(400),
}


@cache
def made(name: str) -> Trace:
    """Return the trace of a program by name, recorded once."""
    return MAKERS[name]()


def check_legible(painting: Painting, ratio: float) -> None:
    """Check that no text is too small, and that all text is on the slide."""
    assert painting.width / painting.height == pytest.approx(ratio)
    for mark in words(*painting.parts):
        assert mark.size >= painting.height / LEGIBLE - 1e-6, mark
        assert 0 < mark.y < painting.height, mark
        assert 0 < mark.x < painting.width, mark
    for part in painting.parts:
        if part.role == "box":
            check_texts_inside(part)


def check_texts_inside(part: Part) -> None:
    """Check that the texts of a box are inside of it, and do not touch on a line."""
    box = part.marks[0]
    assert isinstance(box, Rect)
    lines: dict[float, list[tuple[float, float]]] = {}
    for mark in words(part):
        wide = theme.text_width(mark.text, mark.size, mono=mark.mono, bold=mark.bold)
        left = mark.x - {"start": 0.0, "middle": wide / 2}[mark.anchor]
        lines.setdefault(mark.y, []).append((left, left + wide))
    for y, texts in lines.items():
        assert box.y < y < box.y + box.h, part
        ends = [box.x, *(end for text in sorted(texts) for end in text), box.x + box.w]
        assert ends == sorted(ends), part


@each("name", MAKERS, quick=2)
def test_nothing_on_a_slide_is_too_small_to_read(name):
    trace = made(name)
    for number, halves in enumerate(("both", "forward", "backward") * 2):
        form = form_of("16:9", halves, number > 2, values=True)
        wish = Wish(None, ("en", "zh")[number % 2], ("", "grad")[number % 4 > 1], form)
        painting = painting_of(trace, wish)
        check_legible(painting, 16 / 9)
        assert sum(part.role == "box" for part in painting.parts) >= 2


@each("name", MAKERS)
def test_each_step_is_a_slide_with_its_sentence_and_its_line_of_code(name):
    trace = made(name)
    steps = range(0, len(trace), max(1, len(trace) // 7))
    for at, painting in zip(steps, film(trace, steps, "en", form=form_of("16:9")), strict=True):
        check_legible(painting, 16 / 9)
        (caption,) = (part for part in painting.parts if part.role == "caption")
        told = " ".join(mark.text for mark in words(caption))
        assert " ".join(trace.steps[at].text.split()) in " ".join(told.split())
        place = trace.steps[at].line
        if place is not None:
            source = trace.chapter_at(at).trace.story.sources[place.source]
            assert source.lines[place.number - source.first].strip()[:30] in told


def labels(trace: Trace, aspect: str = "16:9", halves: str = "both", lang: str = "en") -> list[str]:
    """Return the first text of each box of a slide, from top to bottom."""
    painting = painting_of(trace, Wish(None, lang, form=form_of(aspect, halves)))
    boxes = sorted((p for p in painting.parts if p.role == "box"), key=lambda p: p.marks[0].y)
    return [next(mark.text for mark in words(p) if not mark.mono) for p in boxes]


def regression() -> Trace:
    """Record six ops, one of them a PyLayer, forward and backward."""
    x, y = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]), paddle.to_tensor([[1.0], [0.0]])
    w = paddle.to_tensor([[0.1], [0.2]], stop_gradient=False)
    b = paddle.to_tensor([0.0], stop_gradient=False)
    with viz.record() as trace:
        h = cus_tanh.apply(x @ w + b)
        ((h - y) ** 2).mean().backward()
    return trace


def lenet() -> Trace:
    layers = [nn.Conv2D(1, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2D(2, 2)]
    layers += [nn.Conv2D(6, 16, 5), nn.ReLU(), nn.MaxPool2D(2, 2), nn.Flatten()]
    net = nn.Sequential(*layers, nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10))
    with viz.record() as trace:
        loss = nn.functional.cross_entropy(net(paddle.ones([1, 1, 28, 28])), paddle.to_tensor([3]))
        loss.backward()
    return trace


def test_a_folded_box_reaches_from_one_layer_with_parameters_to_the_next():
    trace = lenet()
    shown = labels(trace, halves="forward")
    assert [label for label in shown if "Linear" in label or "layers" in label] == [
        "3 layers", "4 layers", "Linear 7", "Linear 8", "Linear 9",
    ]  # fmt: skip
    painting = painting_of(trace, Wish(form=form_of("16:9", "forward")))
    told = {mark.text for mark in words(*painting.parts)}
    assert {"Conv2D, ReLU, MaxPool2D", "Conv2D, ReLU, MaxPool2D, Flatten"} <= told
    assert {"backward of 3 layers", "backward of 4 layers"} <= {*labels(trace)}
    assert {"3 个层", "3 个层的反向"} <= {*labels(trace, lang="zh")}


@each("make", [*(lambda name=name: made(name) for name in MAKERS), regression, lenet])
def test_every_block_of_a_slide_has_several_parts(make):
    whole = make().story.graph
    for row in (2, 3, 5, 8):
        graph = in_parts(whole, row)
        inside = Counter(thing.group for thing in graph.nodes if thing.kind != "leaf")
        inside += Counter(group.parent for group in graph.groups)
        blocks = [group.id for group in graph.groups if group.kind == "block"]
        assert not [block for block in blocks if inside[block] == 1 and "backward" not in block]


@each(
    ("array", "told"),
    [
        ([0.123456, -2.0], "[0.123, −2]"),
        (1234567.0, "1.23e+6"),
        ([[1, 2], [3, 4]], "[[1, 2], [3, 4]]"),
        ([0.0] * 3 + [float("nan")], "[0, 0, 0, nan]"),
        (list(range(100)), "[100] 0 … 99"),
        ([True, False], "[True, False]"),
    ],
)
def test_a_value_is_written_in_one_short_line(array, told):
    x = paddle.to_tensor(array)
    with viz.record() as trace:
        paddle.assign(x)
    shown = trace.steps[0].shown[0]
    assert value_line(shown.value) == told


@each(("ending", "dark"), [("svg", False), ("png", True), ("pdf", True), ("svg", True)])
def test_slides_are_written_in_every_form(ending, dark, tmp_path):
    path = made("pylayer").save(tmp_path / f"x.{ending}", aspect="4:3", dark=dark, values=True)
    content = path.read_bytes()
    if ending == "png":
        with Image.open(path) as image:
            assert image.size == (1440, 1080)
            assert image.getpixel((2, 2))[:3] == (20, 24, 29)
    elif ending == "svg":
        assert (b"prefers-color-scheme" in content) != dark
        assert b"#14181d" in content
        assert (b"f-paper{fill:#ffffff}" in content) != dark
    else:
        assert content[:4] == b"%PDF"


@each(
    ("path", "options", "told"),
    [
        ("x.png", {"aspect": "16/9"}, "cannot have this aspect"),
        ("x.png", {"aspect": "100:1"}, "cannot have this aspect"),
        ("x.png", {"aspect": 1.6}, "cannot have this aspect"),
        ("x.png", {"halves": "left"}, "no half 'left'"),
        ("x.png", {"aspect": "16:9", "steps": [1, 2]}, "a slide shows one step"),
        ("x.html", {"values": True}, "the form of the picture cannot be chosen in this file"),
    ],
)
def test_an_impossible_form_is_an_error(path, options, told, tmp_path):
    with pytest.raises(InvalidArgument, match=told):
        made("pylayer").save(tmp_path / path, **options)
    assert not list(tmp_path.iterdir())


def test_a_missing_half_is_an_error():
    with viz.record() as trace:
        paddle.tanh(leaf())
    with pytest.raises(InvalidArgument, match="there is no backward half to draw"):
        trace.save("x.png", halves="backward")


# ----- moving pictures ---------------------------------------------------------------------------


@each(
    ("name", "form"),
    [
        ("pylayer", Form(values=True)),
        ("training", form_of("16:9")),
        ("training", Form(dark=True)),
        ("pylayer", Form()),
    ],
    quick=1,
)
def test_a_frame_from_cached_tiles_equals_the_picture_drawn_whole(name, form):
    trace = made(name)
    steps = [0, 3, len(trace.shown.trace) - 2]
    stage = Stage(0.6, form.colours)
    for painting in film(trace, steps, "en", form=form, moving=True):
        # Whole pixels, because a PNG is stretched to them.
        even = with_room(
            painting, *(10 * ceil(side / 10) for side in (painting.width, painting.height))
        )
        frame = np.asarray(stage.draw(even))
        assert (frame == np.asarray(Stage(0.6, form.colours).draw(even))).all()
    with Image.open(BytesIO(png_of(even, 0.6, form.colours))) as image:
        drawn = np.asarray(image.convert("RGB")).astype(int)
    assert np.abs(drawn - frame).mean() < 1.0


def test_a_frame_shows_the_line_of_code_the_sentence_and_the_numbers():
    x = paddle.to_tensor([0.5, -1.0], stop_gradient=False)
    with viz.record() as trace:
        y = x * 2.0
        y.sum().backward()
    first, *_ = film(trace, range(len(trace)), "en", moving=True)
    (caption,) = (part for part in first.parts if part.role == "caption")
    told = words(caption)
    assert told[0].text == "y = x * 2.0"
    assert told[1].text == f"1  {trace.steps[0].text}"
    assert "in x = [0.5, −1]" in told[2].text
    assert "out y = [1, −2]" in " ".join(mark.text for mark in told)
    assert all(mark.size >= first.height / LEGIBLE for mark in told)
    room = [theme.text_width(mark.text, mark.size, mono=mark.mono) + mark.x for mark in told]
    assert max(room) <= first.left + first.width


def test_too_many_boxes_side_by_side_are_an_error():
    many = [paddle.to_tensor([float(k)]) for k in range(40)]
    with viz.record() as trace:
        paddle.concat(many)
    with pytest.raises(InvalidArgument, match="too large for a slide"):
        trace.save("x.png", aspect="1:4")
