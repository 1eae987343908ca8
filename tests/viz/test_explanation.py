"""An explanation says why a gradient is None or zero: its text, path, and mark in the picture."""

from xml.etree import ElementTree as ET

import numpy as np

import minipaddle as paddle
import viz
from minipaddle.engine import stop_reasons
from tests.each import each
from tests.samples import pylayer
from tests.viz import quality
from viz.draw import explanation as explanation_picture
from viz.layout.scene import scene_of

KEPT: list[object] = []  # losses that must stay alive, so that the engine knows them
ROWS = [[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]]


GivesNone = pylayer(lambda ctx, a, b: a * b, lambda ctx, dy: (dy, None), "GivesNone")


def leaf(stop=False):
    return paddle.to_tensor(np.array(ROWS), stop_gradient=stop)


def stopped():
    x, w = leaf(stop=True), leaf()
    with viz.record() as trace:
        loss = paddle.tanh(x * w).sum()
        loss.backward()
    return trace, x


def under_no_grad():
    x, w = leaf(), leaf()
    with viz.record() as trace:
        y = x * 2
        with paddle.no_grad():
            z = paddle.exp(y)
        loss = (z * w).mean()
        loss.backward()
    KEPT[:] = [y, z, loss]
    return trace, x


def not_a_leaf():
    x = leaf()
    with viz.record() as trace:
        y = x * 2
        paddle.tanh(y).sum().backward()
    return trace, y


def elsewhere():
    x, u = leaf(), leaf()
    with viz.record() as trace:
        _ = u * 3
        loss = (x * x).sum()
        loss.backward()
    return trace, u


def gave_none():
    a, b = leaf(), leaf()
    with viz.record() as trace:
        loss = GivesNone.apply(a, b * 2).sum()
        loss.backward()
    KEPT[:] = [loss]
    return trace, b


def all_zero():
    x = leaf()
    with viz.record() as trace:
        (paddle.nn.functional.relu(x - 10) * 3).sum().backward()
    return trace, x


def there():
    x = leaf()
    with viz.record() as trace:
        (x * x).sum().backward()
    return trace, x


ALL = (stopped, under_no_grad, not_a_leaf, elsewhere, gave_none, all_zero, there)


def graph_of(explanation):
    reason = explanation.why.reason
    return explanation_picture.graph_of(explanation.path, explanation.name, reason)


def cut_of(explanation):
    """Return the wire that is cut, as the labels of its two boxes."""
    graph = graph_of(explanation)
    labels = {node.id: str(node.label) for node in graph.nodes}
    found = [
        (labels[e.source], labels[e.target]) for e in graph.edges if e.id == explanation_picture.CUT
    ]
    return found[0] if found else None


@each(
    ("make", "reason", "cut"),
    [
        (stopped, "stop_gradient", ("multiply backward", "x.grad = None")),
        (under_no_grad, "no_grad", ("multiply backward", "x.grad = None")),
        (not_a_leaf, "not a leaf", ("× 2 backward", "y.grad = None")),
        (elsewhere, "not reached", ("sum backward", "u.grad = None")),
        (gave_none, "returned None", ("GivesNone.backward", "b.grad = None")),
        (all_zero, "zero", ("relu backward", "− 10 backward")),
        (there, "has gradient", None),
    ],
)
def test_the_picture_is_cut_where_the_gradient_ends(make, reason, cut):
    trace, tensor = make()
    explanation = trace.explain(tensor)
    assert explanation.why.reason.value == reason
    assert cut_of(explanation) == cut


@each("make", ALL)
def test_the_picture_has_no_faults_and_its_text_is_there(make):
    trace, tensor = make()
    explanation = trace.explain(tensor)
    scene = scene_of(graph_of(explanation))
    assert quality.faults(scene) == []
    for lang in ("en", "zh"):
        root = ET.fromstring(explanation.svg(lang))
        words = "".join(t.text for t in root.iter("{http://www.w3.org/2000/svg}text"))
        for line in explanation.lines(lang):
            assert "".join(line.split()) in "".join(words.split())
        assert explanation.why.message.mark.of(lang) in words


def test_an_explanation_without_a_trace_draws_only_its_reason():
    x, w = leaf(), leaf()
    with paddle.no_grad():
        y = paddle.exp(x)
    (y * w).sum().backward()
    explanation = viz.explain(x)
    assert explanation.name == "x"  # the caller's variable
    assert [str(box.label) for box in explanation.path.boxes] == ["x", "exp", "…", "loss"]
    assert cut_of(explanation) == ("…", "x.grad = None")
    assert "exp ran under paddle.no_grad()" in str(explanation)


def test_the_cut_is_at_the_start_of_a_backward_that_has_not_run(monkeypatch):
    monkeypatch.setattr(stop_reasons.passes, "number", 0)
    x = leaf()
    with viz.record() as trace:
        _ = (x * x).sum()
    explanation = trace.explain(x)
    assert explanation.why.reason.value == "no backward"
    assert cut_of(explanation) == ("backward()", "x.grad = None")


def test_a_long_path_is_shortened_in_its_middle():
    x = leaf(stop=True)
    with viz.record() as trace:
        y = x * leaf()
        for _ in range(30):
            y = paddle.tanh(y)
        y.sum().backward()
    boxes = trace.explain(x).path.boxes
    assert len(boxes) <= 7
    assert any("…" in str(box.label) for box in boxes)
