"""A page shows in its boxes what Python's pictures do."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from viz.facts.last_values import last_values
from viz.player.book import book_of
from viz.trace import Trace

from ..viz import programs, stories
from ..viz.played import training
from .composing import values

SHAPES = [(), (1,), (1, 1, 1), (2,), (2, 2), (4, 1), (5,), (3, 7), (64, 8), (12, 12), (2, 3, 4),
          (1, 28, 28), (2, 3, 8, 8), (1, 6, 9, 9), (0,), (70, 70)]  # fmt: skip
SCALES = [1.0, 1e-7, 1e12, 3e4]
DTYPES = ["float32", "float64", "int64", "bool"]


def arrays() -> Trace:
    """Arrays of many shapes, scales and dtypes, as leaves and as results."""
    random = np.random.default_rng(0)
    given = [
        paddle.to_tensor((random.normal(size=shape) * scale).astype(dtype))
        for k, shape in enumerate(SHAPES)
        for scale, dtype in zip(SCALES, DTYPES[k % 4 :] + DTYPES[: k % 4], strict=True)
    ]
    halves = [0.0625, 0.3125, 2.5, -0.125, 1e5, 0.00012345, 99999.5, 1234.5]  # ties, long numbers
    given += [paddle.to_tensor(halves[k : k + 4]) for k in range(5)]
    given += [paddle.to_tensor(each) for each in ([float("nan"), 1.0] * 3, [np.inf, -np.inf])]
    given += [paddle.to_tensor([1.0, -1e9, 0.5, 2.0, 3.0])]
    given += [paddle.to_tensor(random.uniform(size=(28, 28)).astype("float32"))]
    with viz.record() as trace:
        for each in given:
            paddle.assign(each)
    return trace


def test_boxes_have_the_same_values_as_in_python() -> None:
    traces = [arrays(), training(3), stories.many_uses(), stories.hooks(), stories.adam()]
    traces += [make() for make in programs.ALL]
    pages = values([json.loads(json.dumps(book_of(trace))) for trace in traces])
    pictures = 0
    for trace, page in zip(traces, pages, strict=True):
        for chapter, shown in zip(trace.chapters, page, strict=True):
            faces: list[Any] = []
            for step, box, (line, picture) in last_values(chapter.trace.story).changes:
                drawn = picture and [picture.w, picture.h, *picture.pixels]
                faces.append([step, box, line, drawn])
                pictures += picture is not None
            assert sorted(shown) == sorted(faces)
    assert pictures > 60
