"""The page composes the same scenes as Python does, for any groups that are open."""

import random
import re
from collections.abc import Callable
from typing import Any

from minipaddle.messages import Message
from tests.each import each
from viz.layout.blueprint import lay_out
from viz.layout.curves import text
from viz.layout.scene import Scene, first_open, foldable, scene_from
from viz.model import Graph
from viz.player.graph import graph_of
from viz.trace import Trace

from ..viz import graphs, programs, test_loop_turns
from .composing import composed

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
BOX = ("id", "kind", "lane", "label", "detail", "shape", "tag_of", "title")
WIRE = ("id", "kind", "source", "target", "label", "colour", "title")
FRAME = ("id", "kind", "lane", "label", "toggles", "title")


def numbers(scene: Scene, made: dict[str, Any]) -> list[tuple[str, float, float]]:
    """Every place of the one scene and of the other."""
    found = [(side, getattr(scene, side), made[side]) for side in ("width", "height")]
    for part in ("boxes", "frames"):
        for one, other in zip(getattr(scene, part), made[part], strict=True):
            found += [(f"{one.id} {side}", getattr(one, side), other[side]) for side in "xywh"]
    for lane, other in zip(scene.lanes, made["lanes"], strict=True):
        found += [(lane.name, lane.x, other["x"]), (lane.name, lane.w, other["w"])]
    for wire, other in zip(scene.wires, made["wires"], strict=True):
        paths = (map(float, NUMBER.findall(path)) for path in (text(wire.path), other["path"]))
        found += [(wire.id, a, b) for a, b in zip(*paths, strict=True)]
        found += [(wire.id, *both) for both in zip(wire.label_at, other["label_at"], strict=True)]
    return found


def said(thing: Any, name: str) -> Any:
    """As a payload has it: a text, or all languages where they differ."""
    words = getattr(thing, name)
    if not isinstance(words, Message):
        return words
    return words.by_language() if words.own("zh") else words.en


def words(scene: Scene, made: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """Every text of the one scene and of the other."""
    one, other = [], []
    for part, fields in (("boxes", BOX), ("wires", WIRE), ("frames", FRAME)):
        drawn = getattr(scene, part)
        one += [tuple(said(thing, name) for name in fields) for thing in drawn]
        other += [tuple(thing[name] for name in fields) for thing in made[part]]
    one += [NUMBER.sub("", text(wire.path)) for wire in scene.wires]
    other += [NUMBER.sub("", wire["path"]) for wire in made["wires"]]
    return one, other


def check(graph: Graph, choice: random.Random, count: int = 3) -> None:
    blueprint = lay_out(graph)
    names = foldable(graph)
    opens = [frozenset(n for n in names if choice.random() < 0.6) for _ in range(count)]
    opens += [frozenset(), frozenset(names), first_open(graph)]
    opens = list(dict.fromkeys(opens))
    ids = [thing.id for thing in (*graph.nodes, *graph.edges)]
    for some, made in zip(opens, composed(graph_of(blueprint), opens, ids), strict=True):
        scene = scene_from(blueprint, some)
        one, other = words(scene, made)
        assert one == other
        # A tenth of a pixel: the two languages round the middle between two tenths differently.
        assert [each for each in numbers(scene, made) if abs(each[1] - each[2]) > 0.11] == []
        hidden = {name: made["resolved"][name] for name in ids if scene.alias.get(name)}
        frames = {frame.id for frame in scene.frames}
        assert {n: s for n, s in hidden.items() if s not in frames} == {
            name: scene.alias.get(name) for name, shown in hidden.items() if shown not in frames
        }


@each(
    "make",
    [graphs.cus_tanh, graphs.two_inputs, graphs.hostile, lambda: graphs.chain(20)],
)
def test_handmade_graphs_are_composed_as_in_python(make: Callable[[], Graph]) -> None:
    check(make(), random.Random(0))


@each("code", [test_loop_turns.LOOPS[name][0] for name in ("no variable", "nested")])
def test_loops_with_any_turns_open_are_composed_as_in_python(code: str) -> None:
    graph = test_loop_turns.record(code, many=True).story.graph
    assert any(group.kind == "turn" for group in graph.groups)
    check(graph, random.Random(0), 6)


def test_a_recurrent_network_is_composed_as_in_python() -> None:
    check(test_loop_turns.rnn(6).story.graph, random.Random(1), 6)


@each("seed", range(30), quick=4)
def test_random_graphs_are_composed_as_in_python(seed: int) -> None:
    choice = random.Random(seed)
    check(graphs.wild(choice, choice.randrange(1, 23)), choice)


@each("program", programs.ALL, quick=4)
def test_recorded_programs_are_composed_as_in_python(program: Callable[[], Trace]) -> None:
    check(program().story.graph, random.Random(1))
