"""Names of tensors: from variables, from the user, from the code."""

import linecache
import re
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import events
from tests.each import each

from . import programs, stories


def called(trace: viz.Trace) -> list[str]:
    return [view.shown[-1].name for view in trace.steps if view.kind == "op"]


CALLED = {
    "y = paddle.tanh(x)": ["y"],
    """def inner(x):
    h = paddle.exp(paddle.tanh(x))
    return h * 2.0
result = inner(x)""": ["tanh(x)", "h", "result"],
    """def inner(x):
    for _ in range(2):
        x = paddle.tanh(x)
    total = x * x + x
    return total
inner(x).sum()""": ["x#2", "x#3", "x#3 × x#3", "total", "sum(total)"],
    """def inner(v):
    rest = {}
    a, b = paddle.exp(v), v * 2.0
    rest["c"] = a - b
    if (d := paddle.tanh(rest["c"])) is not None:
        d += a
inner(x)""": ["a", "b", "rest['c']", "d", "d#2"],
    "paddle.ones([2, 3]); paddle.full([2], 2.5); paddle.randn([2])": ["1", "2.5", "randn()"],
    """def inner(img):
    return paddle.tanh(img)
inner(paddle.randn([2])); inner(paddle.exp(x))""": ["img", "tanh(img)", "exp(x)", "tanh(exp(x))"],
    "w.add_(w)\nw[0] = 5.0": ["w#2", "w#3"],
    "h = x * 1.0\nh[1] += 2.0": ["h", "h[1]", "h[1] + 2", "h#2"],
    "hidden = cus_tanh.apply(x + x)": ["x + x", "y"],
    """paddle.tanh(x @ held.the_projection_of_all_the_queries)
paddle.tanh(held.the_projection_of_all_the_queries + x[0])""": [
        *("x @ …", "tanh(x @ …)", "x[0]", "… + x[0]", "tanh(… + x[0])")
    ],
    "paddle.tanh(paddle.to_tensor([0.0]))": ["tanh(0)"],  # a module name is left out
}


class LongNames:
    """A holder of a tensor under a name too long for a formula."""

    def __init__(self) -> None:
        self.the_projection_of_all_the_queries = paddle.ones([3, 3], dtype="float64")


@each("code", CALLED)
def test_results_have_the_names_of_the_code(code: str) -> None:
    space: dict[str, Any] = {"x": programs.leaf(), "w": paddle.ones([2]), "held": LongNames()}
    trace = recorded_code(code, {**space, "cus_tanh": programs.cus_tanh})
    assert called(trace) == CALLED[code]


def recorded_code(code: str, space: dict[str, Any]) -> viz.Trace:
    """Record code as a file of its own, so that its lines are known."""
    text = "with viz.record() as trace:\n" + textwrap.indent(code, "    ") + "\n"
    file = f"<{code[:40]}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space |= {"paddle": paddle, "viz": viz}
    exec(compile(text, file, "exec"), space)
    trace: viz.Trace = space["trace"]
    return trace


class Pair(paddle.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.inner = paddle.nn.Linear(3, 2)
        self.scale = self.create_parameter([2])

    def forward(self, pixels: paddle.Tensor) -> paddle.Tensor:
        return self.inner(pixels) * self.scale


def trained(net: Pair, batch: paddle.Tensor, wanted: paddle.Tensor) -> paddle.Tensor:
    result = net(batch)
    return paddle.nn.functional.mse_loss(result, wanted)


def labels_of(trace: viz.Trace) -> dict[str, str]:
    return {node.id: str(node.label) for node in trace.story.graph.nodes}


def test_a_tensor_without_an_op_is_named_by_the_line_that_reads_it() -> None:
    given = [programs.leaf(), programs.leaf(), Pair()]

    def inner(first: paddle.Tensor, second: paddle.Tensor) -> paddle.Tensor:
        return first * second

    rows = [paddle.ones([2, 3])]
    with viz.record() as trace:
        inner(*given[:2])
        trained(given[2], rows[0], paddle.ones([2, 2]))
    found = labels_of(trace)
    assert (found["t1"], found["t2"]) == ("first", "second")
    assert "batch" in found.values()


def test_an_ambiguous_line_gives_no_variable_name() -> None:
    def inner(one: object, other: object) -> paddle.Tensor:
        return one * other

    for given, at in (((programs.leaf(), 2.0), 0), ((2.0, programs.leaf()), 1)):
        with viz.record() as trace:
            inner(*given)
        assert labels_of(trace)["t1"] == f"given[{at}]"


def test_a_line_that_failed_gives_no_name() -> None:
    def fails(x: paddle.Tensor) -> None:
        z = x @ paddle.exp(x)  # noqa: F841

    def breaks(x: paddle.Tensor) -> None:
        z = paddle.exp(x), 1 / 0  # noqa: F841

    def goes_on(x: paddle.Tensor) -> None:
        for act in (fails, breaks):
            with pytest.raises(ArithmeticError if act is breaks else ValueError):
                act(x)
        paddle.tanh(x)

    for act, error in ((fails, ValueError), (breaks, ZeroDivisionError)):
        with pytest.raises(error), viz.record() as trace:
            act(programs.leaf())
        assert called(trace) == ["exp(x)"]
    with viz.record() as trace:
        goes_on(programs.leaf())
    assert called(trace)[0] == "exp(x)"


def parameters_in(trace: viz.Trace) -> list[str]:
    return [str(n.label) for n in trace.story.graph.nodes if n.kind == "parameter"]


def test_an_unnamed_layer_takes_no_name_of_a_result() -> None:
    enc, x = paddle.nn.Linear(3, 2), paddle.ones([2, 3])
    with viz.record() as trace:
        h = enc(paddle.nn.LayerNorm(3)(x))  # noqa: F841
    mine = ["enc.weight", "enc.bias"]
    assert parameters_in(trace) == ["LayerNorm.weight", "LayerNorm.bias", *mine]


def test_unnamed_layers_have_different_names() -> None:
    def twice(x: paddle.Tensor) -> paddle.Tensor:
        return paddle.nn.Linear(3, 3)(x) + paddle.nn.Linear(3, 3)(x)

    with viz.record() as trace:
        twice(paddle.ones([2, 3]))
    found = parameters_in(trace)
    assert len(set(found)) == 4
    assert all(label.startswith("Linear_") for label in found)


class Held:
    """An object that holds a layer and is none."""

    def __init__(self) -> None:
        self.enc = paddle.nn.Linear(3, 3)


@each(
    ("code", "expected"),
    [
        ("paddle.nn.Sequential(paddle.nn.Linear(3, 3))(x)", "Sequential.0.weight"),
        ("layers[1](x)", "layers[1].weight"),
        ("held['key'](x)", "held['key'].weight"),
        ("thing.enc(x)", "thing.enc.weight"),
        ("(lambda layer: layer(x))(paddle.nn.Linear(3, 3))", "layer.weight"),
        ("[layer(x) for layer in [paddle.nn.Linear(3, 3)]]", "layer.weight"),
        ("list(map(paddle.nn.Linear(3, 3), [x]))", "Linear.weight"),
        ("inside(x)", "ls[0].weight"),
    ],
)
def test_parameters_have_the_path_of_the_code_as_their_name(code: str, expected: str) -> None:
    class Inside(paddle.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.ls = [paddle.nn.Linear(3, 3)]

        def forward(self, x: paddle.Tensor) -> paddle.Tensor:
            return self.ls[0](x)

    space: dict[str, Any] = {
        "x": paddle.ones([2, 3]),
        "thing": Held(),
        "inside": Inside(),
        "layers": [paddle.nn.Linear(3, 3) for _ in range(2)],
        "held": {"key": paddle.nn.Linear(3, 3)},
    }
    trace = recorded_code(code, space)
    assert parameters_in(trace)[0].removeprefix("inside.") == expected


def test_a_rebound_name_has_a_number_everywhere() -> None:
    x = programs.leaf()
    with viz.record() as trace:
        x = x * 2.0
        x = paddle.square(x)
    first, last = (view for view in trace.steps if view.kind == "op")
    assert (first.formula, last.formula) == ("x#2 = 2 · x", "x#3 = (x#2)²")
    assert "giving x#2 [2, 3]" in first.text
    assert [shown.name for shown in last.shown] == ["x#2", "x#3"]
    assert {"x", "x#3"} <= set(labels_of(trace).values())
    for text in (trace.text(), trace.graphviz().source):
        assert "x#3" in text


def test_a_tensor_takes_no_name_from_a_function_that_reads_it() -> None:
    def inner(v: paddle.Tensor) -> paddle.Tensor:
        return paddle.nn.functional.cross_entropy(paddle.tanh(v), labels)

    labels = paddle.to_tensor([0, 1])
    given = [programs.leaf()]
    with viz.record() as trace:
        inner(given[0] * 2.0)
    text = trace.text()
    assert "labels" in text
    assert "given[0] × 2" in text
    assert " v " not in text


def test_a_saved_value_keeps_its_name() -> None:
    data = [programs.leaf()]

    def inner(x: paddle.Tensor) -> paddle.Tensor:
        return (data[0].detach() * paddle.exp(x)).sum()

    with viz.record() as trace:
        inner(programs.leaf())
    saved = [s.name for v in trace.steps if v.kind == "save" for s in v.shown]
    assert saved == ["exp(x)", "data[0].detach()", "exp(x)"]


def kinds_in(trace: viz.Trace) -> dict[str, str]:
    return {str(node.label): node.kind for node in trace.story.graph.nodes}


def test_running_statistics_are_buffers() -> None:
    bn, x = paddle.nn.BatchNorm1D(3), paddle.randn([4, 3])
    for mode in (bn.train, bn.eval):
        mode()
        with viz.record() as trace:
            y = bn(x)  # noqa: F841
        found = kinds_in(trace)
        assert (found["bn._mean"], found["bn._variance"]) == ("buffer", "buffer")
        assert (found["bn.weight"], found["bn.bias"]) == ("parameter", "parameter")
    assert {row.name: row.kind for row in trace.statistics()}["bn._mean"] == "buffer"
    frozen = paddle.nn.Linear(3, 3)
    frozen.weight.stop_gradient = True
    with viz.record() as trace:
        frozen(x)
    assert kinds_in(trace)["frozen.weight"] == "parameter"


def test_the_boxes_of_a_program_show_the_shapes_of_its_runs() -> None:
    with stories.programs() as (main, startup), viz.record() as trace:
        x = paddle.static.data("x", [-1, 3], "float32")
        y = paddle.tanh(x)
        executor = paddle.static.Executor()
        executor.run(startup)
        executor.run(main, feed={"x": np.ones((5, 3), "float32")}, fetch_list=[y])
    details = {str(node.label): node.detail for node in trace.story.graph.nodes}
    assert details["x"] == "[?=5, 3] float32"
    assert details["tanh"].endswith(": [?=5, 3] float32")
    assert details["y"] == "[?=5, 3] float32"
    assert "[?, 3]" in next(view.text for view in trace.steps if view.kind == "append")


@each("depth", [0, 1, 2])
def test_no_box_is_in_a_frame_of_its_own_name(depth: int) -> None:
    net = paddle.nn.Sequential(Pair(), paddle.nn.ReLU(), paddle.nn.Linear(2, 2))
    with viz.record(depth=depth) as trace:
        net(paddle.ones([2, 3])).sum().backward()
    graph = trace.story.graph
    frames = {group.id: str(group.label) for group in graph.groups}
    for node in graph.nodes:
        assert str(node.label) != frames.get(node.group or "", "")
        assert node.kind not in ("op", "grad") or not frames.get(node.group or "", "").startswith(
            f"{node.label} "
        )
    labels = [str(node.label) for node in graph.nodes]
    assert {0: "Sequential net", 1: "Linear 2", 2: "Linear inner"}[depth] in labels
    assert {0: "Sequential net", 1: "Linear 2", 2: "Linear inner"}[depth] + " backward" in labels


# ----- numbers ------------------------------------------------------------------------------------


def test_a_gradient_times_a_rate_has_the_spelling_of_the_code() -> None:
    w, rate = paddle.ones([2]), 0.5
    w.stop_gradient = False
    with viz.record() as trace:
        w.sum().backward()
        with paddle.no_grad():
            w = w - rate * w.grad
    scaled = next(view for view in trace.steps if "multiplied" in view.text)
    assert scaled.text == "w.grad [2] is multiplied by 0.5, giving 0.5 × w.grad [2]."
    graph = trace.story.graph
    box = next(edge.source for edge in graph.edges if edge.target == scaled.step.nodes[-1])
    assert next(node.kind for node in graph.nodes if node.id == box) == "leaf_grad"


def test_a_gradient_has_the_name_of_its_leaf_if_the_code_is_unknown() -> None:
    names: dict[str, Any] = {"paddle": paddle, "viz": viz}
    code = """
emb = paddle.nn.Embedding(5, 2)
with viz.record() as trace:
    emb(paddle.to_tensor([1, 3, 1])).sum().backward()
    emb.weight.set_value(emb.weight - 0.1 * emb.weight.grad)
"""
    exec(code, names)  # without a file name, so the lines are unknown
    nodes = {str(node.label): node for node in names["trace"].story.graph.nodes}
    assert nodes["emb.weight.grad"].kind == "leaf_grad"
    assert not any(re.fullmatch(r"t\d+", label) for label in nodes if label != "t1")


def test_a_gradient_with_a_name_of_its_own_is_the_box_of_its_leaf() -> None:
    w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    with viz.record() as trace:
        (w * w).sum().backward()
        g = w.grad
        w.set_value(w - 0.1 * g)
    told = [step for step in trace.steps if not step.of_memory]
    assert told[-3].text.startswith("g [2] is multiplied by 0.1")
    assert {step.phase for step in told[-3:]} == {"optimize"}
    assert [str(node.label) for node in trace.story.graph.nodes].count("g") == 0


@each("make", [*programs.ALL, *stories.ALL, *stories.TOLD])
def test_a_number_in_a_name_is_explained_where_it_first_occurs(
    make: Callable[[], viz.Trace],
) -> None:
    explained = False
    for view in programs.kept(make).steps:
        names = [each.name for each in view.shown if each.role in ("input", "output", "grad_in")]
        numbered = [name for name in names if re.match(r"\w+#\d+\b", name)]
        explained |= re.search("; this one is .* here", view.text) is not None
        assert explained or not numbered, view.text


def test_only_values_that_differ_are_called_different() -> None:
    same, other = "x stands for more than one tensor", "x stands for different values"
    for factor, words in ((1.0, same), (2.0, other)):
        x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        with viz.record() as trace:
            x = x * factor
        (text,) = (view.text for view in trace.steps if "x#2" in view.text)
        assert words in text


@each("op", ["tanh", "exp", "sigmoid", "softmax", "max", "sqrt"])
def test_a_saved_result_that_comes_back_is_the_tensor_it_was(op: str) -> None:
    """The gradient rule in a graph of gradients reads it under its own name."""
    x = paddle.to_tensor([0.5, 1.0], stop_gradient=False)
    with viz.record() as trace:
        h = x * 1.5
        y = getattr(paddle if hasattr(paddle, op) else paddle.nn.functional, op)(h)
        (g,) = paddle.grad((y * y * x).sum(), [x], create_graph=True)
        loss = g.sum()
        loss.backward()
    made = {
        seen.id
        for event in trace.events
        if isinstance(event, events.OpFinished)
        for seen in event.outputs
    }
    read = {
        seen.id
        for event in trace.events
        if isinstance(event, events.OpFinished)
        for seen in event.inputs
        if isinstance(seen, events.Seen) and not seen.leaf
    }
    assert read <= made
    assert not re.search(r"\bt\d+\b", trace.text())


def test_a_tensor_that_a_layer_returns_unchanged_keeps_its_name() -> None:
    linear, dropout = paddle.nn.Linear, paddle.nn.Dropout
    net = paddle.nn.Sequential(linear(2, 2), dropout(0.5), linear(2, 1))
    net.eval()
    with viz.record() as trace:
        net(paddle.ones([1, 2])).sum().backward()
    assert "Linear(" in trace.text()
    assert "Dropout(" not in trace.text()


TURNS = {
    "for t in range(3): h = h @ w": "h[t=0] h[t=1] h[t=2]",
    "for i in (0, 1):\n    for t in (0, 1): h = h @ w": (
        "h[i=0, t=0] h[i=0, t=1] h[i=1, t=0] h[i=1, t=1]"
    ),
    "for i in (1, 2):\n    for t in (i, 5 * i): y = h @ w": "y[t=1] y[t=5] y[t=2] y[t=10]",
    "for t in range(4):\n    if t % 2: h += 1\n    else: y = h * 2": "y[t=0] h[t=1] y[t=2] h[t=3]",
    "for i, row in enumerate(w):\n    h = h * row": "row h[i=0] row#2 h[i=1]",
    "for kind in 'ab': h = h @ w": "h[kind=a] h[kind=b]",
    "for t in range(2): h += 1": "h[t=0] h[t=1]",
    "for t in range(2):\n    h = h + 1\n    h = h * 2": "h[t=0] h[t=0]#2 h[t=1] h[t=1]#2",
    "for t in range(2): a, b = h + 1, h * 2": "a[t=0] b[t=0] a[t=1] b[t=1]",
    "for t in range(1): y = h + 1": "y",
    "for _ in range(2): h = h + 1": "h#2 h#3",
    "for t in (0.5, 1.5): h = h * t": "h#2 h#3",
    "t = 0\nwhile t < 2: h, t = h + 1, t + 1": "h#2 h#3",
    "for t in range(2): y = h @ w\ny = y * 2": "y[t=0] y[t=1] y",
}


@each("code", TURNS)
def test_names_assigned_in_a_loop_have_the_loop_variables(code: str) -> None:
    space = {"h": paddle.ones([2]), "w": paddle.ones([2, 2])}
    assert " ".join(called(recorded_code(code, space))) == TURNS[code]


def test_names_leave_out_loop_variables_of_rounds() -> None:
    space = {"w": paddle.ones([2, 2])}
    space["w"].stop_gradient = False
    space["opt"] = paddle.optimizer.SGD(0.1, parameters=[space["w"]])
    inner = "h = paddle.ones([2])\nfor t in (0, 1): h = h @ w\n"
    turn = textwrap.indent(f"{inner}loss = h.sum()\nloss.backward()\nopt.step()", "    ")
    trace = recorded_code(f"for step in range(2):\n{turn}", space)
    assert len(trace.rounds) == 2
    for number in (0, 1):
        names = set(trace.round(number).names.values())
        assert {"h", "h[t=0]", "h[t=1]", "loss", "w"} <= names


def test_only_results_of_paddle_grad_have_the_names_of_the_code() -> None:
    space = {"x": paddle.ones([4, 3]), "w": paddle.ones([3, 6])}
    space["x"].stop_gradient = space["w"].stop_gradient = False
    code = """def penalty():
    (slope,) = paddle.grad(paddle.tanh(x @ w).sum(), x, create_graph=True)
    return (slope ** 2).sum()
gradients = paddle.grad((w * w).sum(), w, create_graph=True)
penalty().backward()"""
    trace = recorded_code(code, space)
    shown = [each for view in trace.steps for each in view.shown]
    assert not [each.name for each in shown if "slope#" in each.name]
    (made,) = [each for each in shown if (each.name, each.role) == ("slope", "output")]
    assert made.value is not None
    assert tuple(made.value["shape"]) == (4, 3)


def test_a_line_that_a_limit_cuts_gives_no_name() -> None:
    def act(x: paddle.Tensor) -> None:
        z = paddle.tanh(paddle.exp(x))  # noqa: F841

    with viz.record(limit=3) as trace:
        act(programs.leaf())
    assert trace.cut
    assert called(trace) == ["exp(x)"]


def test_running_statistics_of_a_program_are_buffers() -> None:
    with stories.programs(), viz.record() as trace:
        x = paddle.static.data("x", [-1, 3], "float32")
        paddle.nn.BatchNorm1D(3)(x)
    found = [kind for kind in kinds_in(trace).values() if kind in ("buffer", "parameter")]
    assert found == ["buffer", "buffer", "parameter", "parameter"]


def test_names_have_their_loop_variables_everywhere() -> None:
    space = {"h": paddle.ones([2]), "w": paddle.ones([2, 2])}
    space["w"].stop_gradient = False
    trace = recorded_code("for t in (0, 1): h = paddle.tanh(h @ w)\nh.sum().backward()", space)
    text = trace.text()
    assert "h[t=1] = tanh(h[t=0] @ w)" in text
    assert "d(h[t=0] @ w) = " in text
    assert "h stands for different values as the code runs; this one is called h[t=0] here." in text
    labels = {edge.label for edge in trace.story.graph.edges}
    assert {"h", "h[t=0]", "d(h[t=0])"} <= labels


def test_a_number_in_the_code_of_a_layer_is_drawn_in_the_layer() -> None:
    class Halved(paddle.nn.Layer):
        def forward(self, x: Any, by: Any) -> Any:
            return x / 2.5 / by

    layer = Halved()
    with viz.record() as trace:
        layer(paddle.ones([2]), paddle.to_tensor(3.0))
    (group,) = (each.id for each in trace.story.graph.groups)
    found = {str(n.label): n.group for n in trace.story.graph.nodes if n.kind == "data"}
    assert found == {"2.5": group, "by": None}
