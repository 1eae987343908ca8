"""What the JavaScript believes of the payload is what Python makes."""

import base64
import json
import subprocess
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.messages import Text
from viz.layout.blueprint import lay_out
from viz.model import ParameterSize, Problem, Round, Structure
from viz.player.book import Chapter, bind, book_of
from viz.player.graph import graph_of
from viz.player.pack import pack
from viz.player.payload import payload_of

from ..browser import fixture
from ..conftest import missing
from ..viz import graphs, stories
from ..viz.played import program, training
from ..viz.programs import cus_tanh
from .composing import WEB, unpacked

TSC = WEB.parents[2] / "node_modules/.bin/tsc"


def eager() -> Any:
    """A PyLayer, an optimizer, a leaf without gradient; large values, NaN and booleans."""
    x = paddle.to_tensor(np.array([[1.0, float("nan")]]), stop_gradient=False)
    large = paddle.to_tensor(np.arange(6400.0).reshape(80, 80), stop_gradient=False)
    unused = paddle.to_tensor([1.0], stop_gradient=False)
    sgd = paddle.optimizer.SGD(0.1, parameters=[x])
    with viz.record() as trace:
        cut = (unused * 1.0).detach() * paddle.cast(x > 0.0, "float64")
        (cus_tanh.apply(x).sum() + paddle.tanh(large).sum() + cut.sum()).backward()
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
    return bind("loop", chapters, told, (first, other), problems=[wrong])


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


def typed() -> Iterator[tuple[str, dict[str, Any]]]:
    """Payloads of all kinds, and the types that they are declared to be of."""
    for make in MAKERS.values():
        payload = pack(make())
        yield "Packed", payload
        yield "Payload", unpacked(payload)[0]
    trace = eager()
    yield "Packed", rounds()
    for one in (training(2), trace, trace.quiz()):
        yield "Packed", book_of(one)
    hunt = viz.bug_hunt(trace).ask
    yield "Packed", {**pack(fixture.tanh()), "ask": hunt}
    yield "Hunt", json.loads(base64.b64decode(hunt["sealed"]))
    yield "TwinPayload", pack(viz.twin(eager(), program()).payload())
    yield "RanksPayload", viz.ranks([eager(), eager()]).payload()


def complaints(folder: Path, payloads: Iterable[tuple[str, Any]]) -> list[str]:
    """What the compiler of the player's types says of payloads."""
    rows = [
        f"export const p{at}: Declared.{kind} = {json.dumps(payload)};"
        for at, (kind, payload) in enumerate(payloads)
    ]
    file = folder / "payloads.ts"
    declared = json.dumps(str(WEB / "payload.d.ts"))
    file.write_text("\n".join([f"import type * as Declared from {declared};", *rows]), "utf-8")
    options = ["--noEmit", "--strict", "--target", "es2023", "--module", "nodenext"]
    done = subprocess.run(
        [TSC, *options, "--allowImportingTsExtensions", file],
        capture_output=True, text=True, check=False, cwd=folder,
    )  # fmt: skip
    return (done.stdout + done.stderr).splitlines() if done.returncode else []


@pytest.fixture
def compiler(request: pytest.FixtureRequest) -> None:
    if not TSC.exists():
        missing(request.config, "npm's packages are not installed")


@pytest.mark.slow
@pytest.mark.usefixtures("compiler")
def test_payloads_are_of_the_declared_types(tmp_path: Path) -> None:
    assert complaints(tmp_path, typed()) == []
