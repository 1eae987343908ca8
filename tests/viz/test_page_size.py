"""Pages stay small, and cheap to make: the next feature that every page pays for is noticed here.

A limit is what a page took when it was written, and some per cent; whoever raises one says why.
"""

from __future__ import annotations

import gc
import os
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest

import minipaddle as paddle
import viz
from minipaddle import nn
from viz.player.book import book_of
from viz.player.page import to_html
from viz.trace import Trace

from . import programs
from .counting import calls_during

HERE = tuple(f"{Path(package.__file__).parent}{os.sep}" for package in (paddle, viz))


def chain(count: int) -> Trace:
    y = x = paddle.to_tensor([0.5], stop_gradient=False)
    with viz.record() as trace:
        for _ in range(count):
            y = paddle.tanh(y)
        y.backward()
    assert x.grad is not None
    return trace


def training(rounds: int) -> Trace:
    paddle.seed(0)
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    opt = paddle.optimizer.Adam(0.01, parameters=net.parameters())
    x, y = paddle.randn([6, 4]), paddle.randn([6, 1])
    with viz.record() as trace:
        for _ in range(rounds):
            ((net(x) - y) ** 2).mean().backward()
            opt.step()
            opt.clear_grad()
    return trace


def images() -> Trace:
    paddle.seed(0)
    net = nn.Sequential(nn.Conv2D(1, 2, 3), nn.BatchNorm2D(2), nn.ReLU(), nn.MaxPool2D(2))
    x = paddle.randn([2, 1, 6, 6])
    with viz.record() as trace:
        net(x).mean().backward()
    return trace


PAGES: dict[str, tuple[Callable[[], Trace], float]] = {  # program, most kilobytes
    "a PyLayer": (programs.tanh, 198.5),
    "a step of training": (lambda: training(1), 211),
    "a hundred ops": (lambda: chain(100), 224.5),
    "images": (images, 211.5),
    "rounds": (lambda: training(20), 300),
}


@pytest.mark.parametrize("name", PAGES)
def test_the_size_of_a_page_is_limited(name: str) -> None:
    make, most = PAGES[name]
    assert len(to_html(book_of(make()))) <= 1000 * most


@pytest.mark.parametrize("make", [lambda: chain(3), lambda: training(3)])
def test_a_trace_is_freed_with_its_last_name(make: Callable[[], Trace]) -> None:
    """The collector of cycles seldom runs beside pages, so a trace must not wait for it."""
    trace = make()
    to_html(book_of(trace))
    trace.problems()
    ends = [weakref.ref(each) for each in (trace, trace.chapters[-1].trace)]
    gc.disable()
    try:
        del trace
        assert [end() for end in ends] == [None, None]
    finally:
        gc.enable()


def test_the_calls_for_a_step_are_limited() -> None:
    to_html(book_of(chain(100)))  # what is made once
    trace = chain(100)
    calls = calls_during(
        lambda: to_html(book_of(trace)),
        lambda frame: frame.f_code.co_filename.startswith(HERE),
    )
    assert 0 < calls / len(trace) <= 790
