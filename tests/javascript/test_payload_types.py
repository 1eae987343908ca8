"""What the JavaScript believes of the payload is what Python makes."""

from __future__ import annotations

import base64
import copy
import json
from collections.abc import Callable
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle.autograd import PyLayer
from minipaddle.messages import Text
from tests.each import each
from viz.layout.blueprint import lay_out
from viz.many_ranks.page import payload_of as page_of_ranks
from viz.model import ParameterSize, Problem, Round, Structure
from viz.player.book import Chapter, book_of, bound
from viz.player.graph import graph_of
from viz.player.pack import packed
from viz.player.payload import payload_of

from ..browser import fixture
from ..viz import graphs, stories
from ..viz.played import program, training
from .declarations import payload_types


class Doubled(PyLayer):
    """A layer with an inside."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        y = x * 2.0
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return dy * 2.0


def eager() -> Any:
    """A PyLayer, an optimizer, a leaf without gradient; large values, NaN and booleans."""
    x = paddle.to_tensor(np.array([[1.0, float("nan")]]), stop_gradient=False)
    large = paddle.to_tensor(np.arange(6400.0).reshape(80, 80), stop_gradient=False)
    unused = paddle.to_tensor([1.0], stop_gradient=False)
    sgd = paddle.optimizer.SGD(0.1, parameters=[x])
    with viz.record() as trace:
        cut = (unused * 1.0).detach() * paddle.cast(x > 0.0, "float64")
        (Doubled.apply(x).sum() + paddle.tanh(large).sum() + cut.sum()).backward()
        sgd.step()
    return trace


def rounds() -> dict[str, Any]:
    """Two rounds of three, and what ran before them, as they travel."""
    stories = [eager().story, program().story]
    size = ParameterSize("w", 0.5, "nan")
    told = [
        Round(0, "training", {"epoch": 1}, 0.5, (size,), 0, 0, len(stories[0].steps) - 1),
        Round(1, "training", {"epoch": 2}, 0.4, (size,)),
        Round(2, "evaluation", {}, None, (), 1, len(stories[0].steps)),
    ]
    chapters = [Chapter(stories[0], 0, 0), Chapter(stories[1], len(stories[0].steps), 2)]
    first = Structure((0,), Text("", ""), stories[0].graph)
    other = Structure((2,), Text("evaluation", "评估"), stories[1].graph)
    wrong = Problem("nan", 0, "op1", Text("why", "为什么"), Text("what", "怎么办"))
    return bound("loop", chapters, told, (first, other), problems=[wrong])


def compared() -> dict[str, Any]:
    trace = eager()
    return payload_of(trace.story, marked=[trace.story.graph.nodes[0].id])


MAKERS: dict[str, Callable[[], dict[str, Any]]] = {
    "eager": lambda: payload_of(eager().story),
    "program": lambda: payload_of(program().story),
    "compared": compared,
    "failed": lambda: payload_of(stories.failing().story),
    "by hand": fixture.tanh,
    "long names": lambda: {**fixture.tanh(), "graph": graph_of(lay_out(graphs.hostile()))},
}


@each("name", MAKERS)
def test_a_payload_is_of_the_declared_type(name: str) -> None:
    payload = MAKERS[name]()
    assert payload_types().complaints(payload, "Payload", "payload") == []
    assert payload_types().complaints(packed(payload), "Packed", "packed") == []


def test_no_field_is_declared_that_no_payload_has() -> None:
    types = payload_types()
    for make in MAKERS.values():
        payload = make()
        types.complaints(payload, "Payload", "payload")
        types.complaints(packed(payload), "Packed", "packed")
    assert types.complaints(rounds(), "Packed", "book") == []
    trace = eager()
    for one in (training(2), trace):
        assert types.complaints(book_of(one), "Packed", "book") == []
    assert types.complaints(book_of(trace.quiz()), "Packed", "quiz") == []
    hunt = viz.bug_hunt(trace).ask
    assert types.complaints({**packed(fixture.tanh()), "ask": hunt}, "Packed", "hunt") == []
    sealed = json.loads(base64.b64decode(hunt["sealed"]))
    assert types.complaints(sealed, "Hunt", "sealed") == []
    twin = packed(viz.twin(eager(), program()).payload())
    assert types.complaints(twin, "TwinPayload", "twin") == []
    many = page_of_ranks(viz.ranks([eager(), eager()]))
    assert types.complaints(many, "RanksPayload", "ranks") == []
    declared = {name: set(fields) for name, fields in types.interfaces.items()}
    assert types.seen == declared


def test_what_does_not_fit_is_told() -> None:
    types, payload = payload_types(), fixture.tanh()
    spoilt = copy.deepcopy(payload)
    spoilt["steps"][3]["line"] = [0, "5"]
    spoilt["graph"]["looks"][2]["color"] = "red"
    del spoilt["values"][1]["dtype"]
    told = types.complaints(spoilt, "Payload", "payload")
    assert len(told) == 3
    assert "payload.graph.looks[2]: BoxLook has no field color" in told
    assert "payload.values[1]: Value lacks dtype" in told
    assert told[1].startswith("payload.steps[3].line: [0, '5'] fits none of")
