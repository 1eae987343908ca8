"""What a teacher asks of a picture: nothing crosses without need, every box says what it is."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import minipaddle as paddle
import viz
from minipaddle import nn
from minipaddle.autograd import PyLayer
from viz import theme
from viz.draw.paint import Words, paint
from viz.layout.labels import Label
from viz.layout.quality import crossings, faults
from viz.layout.scene import Box, Scene, foldable, scene_of
from viz.layout.sides import exchange_neighbours
from viz.model import Graph, Node

GRADS = frozenset({"grad", "data"})


class Scaled(PyLayer):
    """Two inputs; the second is saved and gets no gradient."""

    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(scale)
        return x * scale

    @staticmethod
    def backward(ctx, dout):
        (scale,) = ctx.saved_tensor()
        return dout * scale, None


class Both(PyLayer):
    """Two results, of which the first is saved."""

    @staticmethod
    def forward(ctx, x):
        y, rest = x * 2.0, x * 3.0
        ctx.save_for_backward(y)
        return y, rest

    @staticmethod
    def backward(ctx, dy, drest):
        (y,) = ctx.saved_tensor()
        return dy * y + drest


class Net(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.0), nn.Tanh())

    def forward(self, x: Any) -> Any:
        return self.body(x)


def leaf(*numbers: float) -> paddle.Tensor:
    return paddle.to_tensor(list(numbers), stop_gradient=False)


def scaled() -> viz.Trace:
    x, scale = leaf(1.0, 2.0), leaf(0.5)
    with viz.record() as trace:
        loss = Scaled.apply(x, scale).sum()
        loss.backward()
    return trace


def network(x: paddle.Tensor | None = None) -> viz.Trace:
    net, x = Net(), paddle.ones([2, 3]) if x is None else x
    with viz.record() as trace:
        y = net(x)
        loss = y.mean()
        loss.backward()
    return trace


def titled(scene: Scene, label: str) -> Box:
    return next(box for box in scene.boxes if str(box.label) == label and box.group is None)


# ----- wires -------------------------------------------------------------------------------------


def test_a_leaf_stands_on_the_side_of_its_port() -> None:
    scene = scaled().picture
    assert titled(scene, "x").x < titled(scene, "scale").x
    assert crossings(scene) == 0
    assert faults(scene) == []


def test_the_result_that_is_saved_has_a_straight_way_to_backward() -> None:
    x = leaf(1.0, 2.0)
    with viz.record() as trace:
        y, rest = Both.apply(x)
        (y.sum() + rest.sum()).backward()
    scene = trace.picture
    (wire,) = (wire for wire in scene.wires if wire.kind == "saved")
    first, second = wire.points[:2]
    (frame,) = (frame for frame in scene.frames if frame.lane == "forward")
    assert first[1] == second[1]
    assert second[0] > frame.x + frame.w, "it leaves the frame before it bends"


def test_a_gradient_used_twice_is_added_up_without_a_crossing() -> None:
    x, w = leaf(1.0, 4.0), leaf(2.0, 3.0)
    with viz.record() as trace:
        root = paddle.sqrt(x)
        y = root * w
        loss = (y / root).mean()
        loss.backward()
    assert crossings(trace.picture, GRADS) == 0


def test_neighbours_change_places_only_where_that_saves_crossings() -> None:
    upper, lower, below = [1, 2], [3, 4], {1: [4], 2: [3]}
    same, turned, both = [upper, lower], [[2, 1], lower], {1, 2}
    assert exchange_neighbours([[1, 2], [3, 4]], below, both, set(), set()) == turned
    assert exchange_neighbours([[1, 2], [3, 4]], {1: [3], 2: [4]}, both, set(), set()) == same
    kept = exchange_neighbours([[1, 2], [3, 4]], below, {1, 2, 3, 4}, {1, 3}, set())
    assert kept == same, "its way to another lane would be blocked"
    assert exchange_neighbours([[1, 2], [3, 4]], below, both, both, both) == turned
    tall = exchange_neighbours([[1, 2], [1, 2], [3, 4]], below, both, set(), set())
    assert tall[:2] == [upper, upper]


def test_labels_of_saved_wires_have_room_between_the_frames() -> None:
    trace = network()
    scene = scene_of(trace.story.graph, frozenset(foldable(trace.story.graph)))
    labels = [wire for wire in scene.wires if wire.kind == "saved" and wire.label]
    assert {wire.label for wire in labels} >= {"x, net.body.0.weight"}
    for wire in labels:
        left, _, right, _ = Label(wire.label, wire.label_at).area()
        sides = [side for frame in scene.frames for side in (frame.x, frame.x + frame.w)]
        assert not [side for side in sides if left < side < right], wire.label


# ----- boxes -------------------------------------------------------------------------------------


def test_closed_layers_say_what_they_give_and_what_gradient_they_hand_on() -> None:
    x = paddle.ones([2, 3])
    x.stop_gradient = False
    graph = network(x).story.graph
    closed = {str(group.label): group.closed.detail for group in graph.groups if group.closed}
    assert closed["net"] == "y: [2, 4] float32"
    assert closed["Linear 0"] == "[2, 4] float32"
    assert closed["Tanh 2 backward"] == "[2, 4] float32"
    assert closed["Linear 0 backward"] == "[2, 3] float32"
    assert closed["net backward"] == "[2, 3] float32"
    given = {str(g.label): g.closed.detail for g in network().story.graph.groups if g.closed}
    assert given["net backward"] == "", "only gradients of weights leave it"


def test_a_layer_in_which_nothing_ran_is_not_drawn_unless_it_failed() -> None:
    assert not [g for g in network().story.graph.groups if "Dropout" in str(g.label)]

    class Broken(nn.Layer):
        def forward(self, x: Any) -> Any:
            raise ValueError("no idea")

    broken = Broken()
    with pytest.raises(ValueError, match="no idea"), viz.record() as trace:
        broken(paddle.ones([2]))
    (group,) = trace.story.graph.groups
    assert (str(group.label), *map(str, group.closed.badges)) == ("broken", "error")


def test_a_layer_is_called_by_its_class_and_the_name_that_the_code_has_for_it() -> None:
    class LeNet(nn.Layer):
        def forward(self, x: Any) -> Any:
            return x * 2.0

    def labels(trace: viz.Trace) -> list[str]:
        return [str(group.label) for group in trace.story.graph.groups]

    one, lenet, named = LeNet(), LeNet(), LeNet("reader")
    with viz.record() as trace:
        named(lenet(one(paddle.ones([1]))))
    assert labels(trace) == ["LeNet one", "lenet", "reader named"]
    with viz.record() as trace:
        LeNet()(paddle.ones([1]))
    assert labels(trace) == ["LeNet"]
    with viz.record() as trace:
        LeNet()(LeNet()(paddle.ones([1])))
    first, second = labels(trace)
    assert first != second
    assert first.startswith("LeNet_")
    assert second.startswith("LeNet_")


def test_layers_that_the_code_calls_alike_have_no_name_in_common() -> None:
    policy = nn.Linear(1, 1)
    copied = copy.deepcopy(policy)
    x = paddle.ones([1, 1])

    def through(layer: nn.Linear) -> None:
        layer(x)

    with viz.record() as trace:
        policy(x)
    assert trace.layers == {policy._shown_name(): "policy"}
    with viz.record() as trace:
        through(copied)
    assert not trace.layers, "it may be policy, which it is a copy of"
    del copied
    with viz.record() as trace:
        through(policy)
    assert trace.layers == {policy._shown_name(): "policy"}
    with viz.record() as trace:
        for _ in range(2):
            fresh = nn.Linear(1, 1)
            fresh(x)
    assert not trace.layers


def test_a_gradient_that_is_none_stands_back_and_a_nan_stands_out() -> None:
    (none,) = (box for box in scaled().picture.boxes if box.detail == "None")
    assert (str(none.label), none.fill, none.accent) == ("dscale", "plain", "line")
    x = leaf(0.0)
    with viz.record() as trace:
        paddle.sqrt(x).backward()
    (inf,) = (box for box in trace.picture.boxes if "first Inf" in map(str, box.badges))
    assert (str(inf.label), inf.fill, inf.accent) == ("sqrt backward", "alert-fill", "alert")


def test_a_long_name_of_a_layer_keeps_its_end() -> None:
    look = theme.look(Node("a", "grad", "MultiHeadAttention self_attn backward"))
    assert look.label.endswith("backward")


# ----- around them -------------------------------------------------------------------------------


def test_the_lanes_say_which_way_they_go() -> None:
    words = [
        mark.text
        for part in paint(scaled().picture).parts
        for mark in part.marks
        if part.role == "lane" and isinstance(mark, Words)
    ]
    assert words == ["Forward ↓", "Backward ↑"]
    alone = paint(scene_of(Graph((Node("x", "leaf", "x"),), ())), lang="zh")
    assert "前向 ↓" in [
        mark.text for part in alone.parts for mark in part.marks if isinstance(mark, Words)
    ]
