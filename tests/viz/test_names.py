"""Names of tensors, from variables, from the user, from the code; names that clash."""

import re
from types import SimpleNamespace
from typing import Any

import pytest

import minipaddle as paddle
import viz
from minipaddle import events, nn
from minipaddle.autograd import PyLayer
from tests.each import each
from tests.samples import leaf
from viz.document.code_names import TRAINING
from viz.story.sentences.wording import d
from viz.trace import Trace

from . import programs
from .faults import recorded
from .told import inside


def test_the_methods_of_models_are_listed() -> None:
    methods = {name for name in vars(paddle.Model) if not hasattr(nn.Layer, name)}
    assert {name for name in methods if not name.startswith("_")} == TRAINING


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
    "paddle.ones([2, 3]); paddle.full([2], 2.5); paddle.randn([2])": [
        "ones([2, 3])",
        "full([2], 2.5)",
        "randn()",
    ],
    """def inner(img):
    return paddle.tanh(img)
inner(paddle.randn([2])); inner(paddle.exp(x))""": ["img", "tanh(img)", "exp(x)", "tanh(exp(x))"],
    "w.add_(w)\nw[0] = 5.0": ["w", "w"],
    "h = x * 1.0\nh[1] += 2.0": ["h", "h[1]", "h[1] + 2", "h#2"],
    "hidden = cus_tanh.apply(x + x)": ["x + x", "y"],
    """paddle.tanh(x @ held.the_projection_of_all_the_queries)
paddle.tanh(held.the_projection_of_all_the_queries + x[0])""": [
        *("x @ …", "tanh(x @ …)", "x[0]", "… + x[0]", "tanh(… + x[0])")
    ],
    "paddle.tanh(paddle.to_tensor([0.0]))": ["tanh(0)"],  # a module name is left out
    "paddle.eye(2); paddle.eye(2, 3)": ["eye(2)", "eye(2, 3)"],
    "w[[0, 1]]; w[[0, 1]] * 2.0": ["w[[0, 1]]", "w[[0, 1]]", "w[[0, 1]] × 2"],
    "loss = F.nll_loss(x, paddle.to_tensor([2, 0]))": [
        *("unsqueeze([2, 0])", "losses(x, [2, 0])", "loss")
    ],
    "loss, p = F.softmax_with_cross_entropy(w, w, return_softmax=True, soft_label=True)": ["loss"],
    "first = w * 3.0\nalias = first\na = alias + 1.0": ["first", "a"],
    """for t in range(3):
    loss = w * t
    if t == 1:
        best = loss""": ["loss[t=0]", "loss[t=1]", "loss[t=2]"],
    """i, h = paddle.static.nn.while_loop(
    lambda i, h: i < 2, lambda i, h: [i + 1, paddle.tanh(h) * x], [paddle.to_tensor(0), x])
h.sum()""": [
        *("i < 2", "i#2", "tanh(x)", "h", "i#2 < 2", "i#3", "tanh(h)", "h#2", "i#3 < 2", "sum(h#2)")
    ],
    """def body(k, g):
    return (k + 1, paddle.tanh(g))
_, last = paddle.static.nn.while_loop(lambda k, g: k < 2, body=body,
                                      loop_vars=[paddle.to_tensor(0), x])""": [
        *("k < 2", "k#2", "g", "k#2 < 2", "k#3", "last", "k#3 < 2")
    ],
    "s = sum(row.sum() for row in [x, x])": ["sum(x)", "0 + sum(x)", "sum(x)", "s"],
    "f = lambda v: (v - w, v * w)\nfor _ in 'ab': d, m = f(w)": ["d", "m", "d#2", "m#2"],
    "paddle.exp(paddle.tanh(paddle.cos(w + 2.0 * w))) * 1.5": [
        *("2 × w", "w + 2 × w", "cos(w + 2 × w)", "tanh(cos(w + 2 × w))"),
        *("exp(tanh(cos(w + 2 × w)))", "… × 1.5"),
    ],
    "f = lambda v: v * v\nm = f(w)\nrow = [*map(f, [x])]": ["m", "row[0]"],
    "s = sum([w, w])\ns = sum([s, w])": ["0 + w", "s", "0 + s", "s#2"],
}


@each(
    "code",
    [
        "paddle.linalg.cov(x / x.sum())", "paddle.cdist(w[None], 2 * w[None] - 1)",
        "paddle.quantile(x, 0.25)", "paddle.nn.MultiHeadAttention(2, 1)(w.reshape([1, 1, 2]))",
    ],
)  # fmt: skip
def test_a_short_name_has_a_word_of_the_code_or_the_op_or_a_number(code: str) -> None:
    """The name of a long expression leaves out operands, but not all that it is made of."""
    names = called(recorded_code(code, {"x": programs.leaf(), "w": paddle.ones([2])}))
    short = [name for name in names if "…" in name]
    assert short
    assert all(re.search(r"[^\W\d]|…\W* \d", name) for name in short), short


@each("code", CALLED)
def test_results_have_the_names_of_the_code(code: str) -> None:
    long = {"the_projection_of_all_the_queries": paddle.ones([3, 3], dtype="float64")}
    held = SimpleNamespace(**long)  # a name that is too long for a formula
    space: dict[str, Any] = {"x": programs.leaf(), "w": paddle.ones([2]), "held": held}
    trace = recorded_code(code, {**space, "cus_tanh": programs.cus_tanh})
    assert called(trace) == CALLED[code]


FUNCTIONS = {
    "paddle.sort(x), paddle.argsort(x)": ["sort", "argsort"],
    "paddle.uniform([2]) * paddle.rand([2])  # not randn([2])": ["uniform", "rand", "×"],
    "(paddle.full([2], 1.0),\n paddle.ones([2]),\n paddle.zeros([2]))": ["full", "ones", "zeros"],
    "paddle.masked_select(x, x > 0) + x[x > 0]": [">", "masked_select", ">", "x[x > 0]", "+"],
    "s = paddle.rand\ns([2]) / paddle.uniform([2])": ["uniform", "uniform", "÷"],
}


@each("code", FUNCTIONS)
def test_a_box_has_the_function_that_its_call_calls(code: str, tmp_path: Any) -> None:
    """A trace that is loaded has it, too, though it has no code but the line."""
    trace = recorded_code(code, {"x": paddle.to_tensor([2.0, 1.0])})
    trace.save(tmp_path / "trace.json")
    for each_trace in (trace, viz.load(tmp_path / "trace.json")):
        boxes = each_trace.story.graph.nodes
        assert [str(box.label) for box in boxes if box.kind == "op"] == FUNCTIONS[code]


LOSSES = {
    "loss_fn(x, paddle.to_tensor([1, 0])).backward()": "loss_fn(x, [1, 0])",
    "paddle.mean(x * x).backward()": "mean(x × x)",
    "paddle.tanh(x.sum()).backward()": "tanh(x.sum())",
}


@each("code", LOSSES)
def test_a_loss_without_a_name_has_the_title_that_its_gradient_is_of(code: str) -> None:
    space = {"x": programs.leaf(), "w": paddle.ones([2]), "loss_fn": nn.CrossEntropyLoss()}
    trace = recorded_code(code, space)
    boxes = {box.kind: box for box in trace.story.graph.nodes}
    loss, seed = boxes["result"], boxes["seed"]
    assert (loss.label, seed.pair) == (LOSSES[code], loss.id)
    (shown,) = [each for each in trace.steps if each.kind == "seed"]
    assert shown.shown[-1].name == d(LOSSES[code])


def recorded_code(code: str, space: dict[str, Any]) -> viz.Trace:
    return recorded(code, space | {"paddle": paddle, "viz": viz, "F": paddle.nn.functional})


def test_a_variable_names_what_its_own_line_makes() -> None:
    """A jacobian runs ops and backward passes on a line that assigns only the last result."""
    code = "q = x\nJ = paddle.autograd.jacobian(paddle.tanh(q), x)\nfor _ in (1, 2): JJ = J[:]"
    trace = recorded_code(code, {"x": paddle.to_tensor([0.5], stop_gradient=False)})
    names = called(trace)
    assert names[:2] == ["tanh(x)", "tanh(x)[0]"]
    assert "J" not in trace.names.values()
    assert [name for name in names if name.startswith("JJ")] == ["JJ", "JJ#2"]


def test_a_lazy_matrix_of_derivatives_names_none_of_the_tensors_that_it_makes() -> None:
    code = "H = paddle.autograd.hessian(v @ v, v)\nfirst = H[0]\nmore = H[0, 1]\nwhole = H[:]"
    trace = recorded_code(code, {"v": paddle.to_tensor([1.0, 2.0], stop_gradient=False)})
    shown = {each.name for step in trace.steps for each in step.shown}
    assert {"first", "more", "whole", "stack(dv, dv#2)"} <= shown
    assert not [name for name in shown if re.search(r"\bd?H\b|\bt\d+\b", name)]


def test_a_number_has_one_name_each_time_it_becomes_a_tensor() -> None:
    code = "n = 12\nfor p in (x, w): y = p / n\nn = 3\nz = x / n"
    trace = recorded_code(code, {"x": paddle.ones([2]), "w": paddle.ones([2])})
    assert [step.shown[1].name for step in trace.steps] == ["n", "n", "n#2"]


def test_a_number_that_differs_in_each_turn_of_a_loop_is_called_by_its_value() -> None:
    code = "for k in range(2):\n    y = x / (k + 2)\n    z = x == k"
    trace = recorded_code(code, {"x": paddle.ones([2])})
    expected = ["y[k=0] = x / 2", "z[k=0] = x == 0", "y[k=1] = x / 3", "z[k=1] = x == 1"]
    assert [step.formula for step in trace.steps] == expected


def test_a_tensor_that_no_op_reads_has_its_name() -> None:
    code = "a, b = paddle.grad(v * v, [v, other], allow_unused=True)"
    space = {name: paddle.to_tensor([1.0], stop_gradient=False) for name in ("v", "other")}
    assert "does not depend on other" in recorded_code(code, space).steps[-1].say()
    space["other"].stop_gradient = True
    assert recorded_code(code, space).steps[-1].say().endswith("1 + 1 = 2.")


def test_the_second_transpose_of_a_tensor_is_explained() -> None:
    code = "paddle.t(v) * 2.0\ny = (paddle.t(v) * 3.0).sum()\ny.backward()"
    told = recorded_code(code, {"v": programs.leaf()}).steps
    named = [step.say() for step in told if "this one is called vᵀ#2 here" in step.say()]
    assert len(named) == 1
    assert "Several results are vᵀ;" in named[0]


def test_sums_and_products_of_quotients_have_brackets() -> None:
    code = "a = (x / (1 + x)).prod()\nb = (x / (1 + x)).sum()"
    told = [step.formula for step in recorded_code(code, {"x": programs.leaf()}).steps]
    assert "a = Π (x ÷ (1 + x))" in told
    assert "b = Σ (x ÷ (1 + x))" in told


def test_a_number_that_is_given_to_a_function_has_the_parameters_name() -> None:
    code = "def halve(n):\n    while n > 1:\n        n = n // 2\nhalve(paddle.to_tensor(3))"
    first, second, *_ = recorded_code(code, {}).steps
    assert first.say() == "n > 1: 3 > 1 is True."
    assert second.say().startswith("n#2 = n // 2 = 3 // 2 = 1.")


def test_the_result_of_a_call_that_returns_no_tensor_names_none() -> None:
    rows = paddle.io.TensorDataset([paddle.ones([3, 2])])
    model = paddle.Model(paddle.nn.Linear(2, 1))
    model.prepare()
    trace = recorded_code("out = model.predict(rows, verbose=0)", {"model": model, "rows": rows})
    assert "batch[0]" in called(trace)
    assert not any("out" in name for name in called(trace))


def test_a_result_without_a_short_formula_is_called_after_the_layer_that_made_it() -> None:
    layer = paddle.nn.Transformer(2, 1, 1, 1, 3)
    names = called(recorded_code("layer(x, x)", {"layer": layer, "x": paddle.ones([1, 2, 2])}))
    short = [name for name in names if name.partition("#")[0].endswith("matmul(…)")]
    roles = {path.rpartition(".")[2] for path, _ in layer.named_sublayers()}
    assert short
    assert {name.partition(".")[0] for name in short} <= roles


ATTENTION = ["q", "k", "v", "scaled_q", "scores", "weights", "heads", "joined"]


@each(
    ("code", "expected"),
    [
        ("attention(x)", ATTENTION),
        ("scores = x + 1.0\nattention(scores)", ["scores", *ATTENTION[:4], "attention.scores"]),
        ("F.cosine_similarity(x[0], 2.0 * x[0])", ["squared_norms", "norms", "dot"]),
        ("norms = F.cosine_similarity(x[0], x[0])\nnorms * 2.0", ["squared_norms", "dot", "norms"]),
        ("F.hinge_embedding_loss(2.0 * x, x)", ["2 × x", "similar", "dissimilar"]),
        ("def f(a):\n    h = F.normalize(a)\n    return F.normalize(a * 2.0) + h\nf(x)", ["h"]),
        ("D.Normal(x, 2.0 * x).rsample()", ["2 × x", "noise", "noise × (2 × x)"]),
        ("F.kl_div(F.log_softmax(2.0 * x), x)", ["log_softmax(2 × x)", "losses"]),
        ("F.softmax(x)\nF.one_hot(paddle.to_tensor([1]), 3)", ["one_hot(1)"]),
    ],
)
def test_variables_of_composed_functions_name_what_the_user_does_not(
    code: str, expected: list[str]
) -> None:
    space = {"attention": paddle.nn.MultiHeadAttention(2, 1), "x": paddle.rand([1, 2, 2])}
    space["D"] = paddle.distribution
    names = called(recorded_code(code, space))
    assert [name for name in names if name in expected] == expected, names


def test_of_variables_that_hold_a_tensor_the_first_assigned_names_it() -> None:
    trace = recorded_code("first = paddle.to_tensor([0.5])\na = first\ny = a * 2.0", {})
    assert sorted(trace.names.values()) == ["first", "y"]


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
        "thing": SimpleNamespace(enc=paddle.nn.Linear(3, 3)),
        "inside": Inside(),
        "layers": [paddle.nn.Linear(3, 3) for _ in range(2)],
        "held": {"key": paddle.nn.Linear(3, 3)},
    }
    nodes = recorded_code(code, space).story.graph.nodes
    first = next(str(node.label) for node in nodes if node.kind == "parameter")
    assert first.removeprefix("inside.") == expected


def test_each_result_that_gets_a_gradient_has_a_name_of_its_own() -> None:
    layer, x = nn.LSTM(2, 2), paddle.randn([1, 3, 2])
    with viz.record() as trace:
        layer(x)[0].sum().backward()
    made = [
        (step.shown[-1].name, step.shown[-1].value) for step in trace.steps if step.kind == "op"
    ]
    whole = {name for name, value in made if value and not value["dtype"].startswith("int")}
    assert len(whole) == len(made)


PYLAYERS = {  # forward, backward and call -> names inside
    "forward = staticmethod(lambda ctx, u: u * 2.0)\n"
    "    backward = staticmethod(lambda ctx, dv: dv * 2.0)\nz = Own.apply(x)": ["u", "dv", "du"],
    "forward = staticmethod(twice)\n"
    "    backward = lambda *all: all[1] * 2.0\nz = Own.apply(x)": ["v", "all[1]", "dv"],
    "def forward(ctx, *row):\n        a, b = row\n        return a * b\n"
    "    def backward(ctx, *row):\n        (g,) = row\n        return g * 2.0, g * 3.0\n"
    "z = Own.apply(x, w)": ["a", "b", "g", "da", "db"],
    "def forward(ctx, a, *row, b):\n        return (a - row[1] + b) * row[0]\n"
    "    def backward(ctx, *row):\n        return row[0] * 2.0, row[0], -row[0]\n"
    "z = Own.apply(x, 3.0, w, b=v)": [
        *("a", "row[1]", "b", "row[0]", "da", "d(row[1])", "db")
    ],
    "def forward(ctx, a, b):\n        return a - b\n"
    "    def backward(ctx, dz):\n        return -dz, dz\n"
    "z = Own.apply(b=w, a=x)": ["b", "a", "dz", "db", "da"],
}  # fmt: skip


@each("code", PYLAYERS)
def test_arguments_of_a_pylayer_have_the_names_in_its_methods(code: str) -> None:
    """Of lambdas, of items of `*args`, and in the order of keywords in the call, too."""
    space = {name: paddle.to_tensor([2.0], stop_gradient=False) for name in "vxw"}
    head = "def twice(ctx, v):\n    return v * 2.0\nclass Own(paddle.autograd.PyLayer):\n    "
    trace = recorded_code(f"{head}{code}\nz.sum().backward()", space)
    inside = [step for step in trace.steps if step.kind in ("enter", "receive", "return")]
    names = [each.name.partition(" = ")[0] for step in inside for each in step.shown]
    assert names == PYLAYERS[code]


def test_a_pylayer_of_the_library_has_the_names_and_lines_of_the_user() -> None:
    code = "y = recompute(lambda x: x * x, x)\ny.sum().backward()"
    space = {"x": leaf(2.0, 3.0), "recompute": paddle.distributed.fleet.utils.recompute}
    trace = recorded_code(code, space)
    texts = [step.text for step in trace.steps if step.kind in ("enter", "receive", "return")]
    assert texts[0].startswith("RecomputeFunction.forward is called with x [2]. ")
    assert texts[1:] == [
        "RecomputeFunction.backward is called with dy [2].",
        "RecomputeFunction.backward returns the gradient of x [2].",
    ]
    assert len(trace.story.sources) == 1  # no file of the library


def test_a_distribution_names_no_result_by_a_call_on_its_own_variable() -> None:
    code = "beta = paddle.distribution.Beta(a, a)\np = beta.log_prob(x)"
    trace = recorded_code(code, {"a": leaf(0.5, 2.0), "x": paddle.to_tensor([0.2, 0.7])})
    texts = [step.text for step in trace.steps]
    assert not [text for text in texts if re.search(r"\b(x|value)\.\w+\(", text)]
    assert texts[0].endswith("giving concentration [2, 2].")  # not beta, which is no tensor
    assert any("lgamma(concentration)" in text for text in texts)


def test_numbered_names_of_one_step_are_explained_in_one_sentence() -> None:
    """One that has other values and one that is only another tensor are told together, too."""
    code = "a, b = w.topk(2)\na, b = (w * 2).topk(2)"
    trace = recorded_code(code, {"w": paddle.to_tensor([1.0, 2.0])})
    told = [
        [each.slots for each in inside(step.step.text) if "bases" in getattr(each, "slots", ())]
        for step in trace.steps
    ]
    rows = [[[*slots[key].items] for key in ("bases", "names")] for (slots,) in filter(None, told)]
    assert rows == [[["a", "b"], ["a#2", "b#2"]]]


# ----- numbers -----------------------------------------------------------------------------------


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
    ran = [event for event in trace.events if isinstance(event, events.OpFinished)]
    inputs = (seen for event in ran for seen in event.inputs if isinstance(seen, events.Seen))
    made = {seen.id for event in ran for seen in event.outputs}
    assert {seen.id for seen in inputs if not seen.leaf} <= made
    assert not re.search(r"\bt\d+\b", trace.text())


TURNS = {
    "for t in range(3): h = h @ w": "h[t=0] h[t=1] h[t=2]",
    "for i in (0, 1):\n    for t in (0, 1): h = h @ w": (
        "h[i=0, t=0] h[i=0, t=1] h[i=1, t=0] h[i=1, t=1]"
    ),
    "for i in (1, 2):\n    for t in (i, 5 * i): y = h @ w": "y[t=1] y[t=5] y[t=2] y[t=10]",
    "for t in range(4):\n    if t % 2: h += 1\n    else: y = h * 2": "y[t=0] h[t=1] y[t=2] h[t=3]",
    "for i, row in enumerate(w):\n    h = h * row": "row h[i=0] row#2 h[i=1]",
    "for kind in 'ab': h = h @ w": "h[kind='a'] h[kind='b']",
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


IN_ROUNDS = {
    "q = (lambda a: a * 3.0)(p)": "q",
    "q = paddle.static.nn.cond(p.mean() > 9.0, lambda: p * 2.0, lambda: p / 2.0)": "q",
    "q, acc = p, paddle.metric.accuracy(F.softmax(p), paddle.to_tensor([[0]]))": "acc",
    "q = normed(p)": "normed.weight",
}


@each("code", IN_ROUNDS)
def test_a_variable_names_its_tensor_in_every_round(code: str) -> None:
    """Also if the lines around do not tell which op gives the result that the variable holds."""
    turn = "p = lin(x)", code, "F.mse_loss(q, x).backward()", "opt.step(); opt.clear_grad(False)"
    layers = {"lin": nn.Linear(2, 2), "normed": nn.utils.weight_norm(nn.Linear(2, 2))}
    parameters = [each for layer in layers.values() for each in layer.parameters()]
    space = {"x": paddle.ones([1, 2]), "opt": paddle.optimizer.SGD(0.1, parameters), **layers}
    trace = recorded_code("\n    ".join(("for i in range(3):", *turn)), space)
    assert all(IN_ROUNDS[code] in trace.round(at).names.values() for at in range(3))
    assert len(trace.structures) == 1


def test_names_in_a_round_have_no_loops_around_the_round() -> None:
    code = """for kind in ("SGD", "Adam"):
    opt = getattr(paddle.optimizer, kind)(0.1, parameters=[v])
    for epoch in range(2):
        for t in range(2): h = v * t
        loss = h.sum()
        loss.backward()
        opt.step()"""
    trace = recorded_code(code, {"v": paddle.to_tensor([0.5], stop_gradient=False)})
    for at in range(4):
        assert called(trace.round(at)) == ["h[t=0]", "h[t=1]", "loss"]


def test_the_name_of_a_gradient_is_no_other_word() -> None:
    found = [d(name) for name in ("x", "x#2", "dt", "d", "im", "data", "x[0]")]
    assert found == ["dx", "dx#2", "d(dt)", "d(d)", "d(im)", "d(data)", "d(x[0])"]


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


# ----- Names and letters that mean several things ------------------------------------------------


def formulas(trace: Trace, *kinds: str) -> list[str]:
    return [step.formula for step in trace.story.steps if step.formula and step.kind in kinds]


def test_a_recurrent_layers_names_have_its_path_where_the_code_assigns_the_same() -> None:
    lstm, cell = nn.LSTM(3, 2), nn.GRUCell(2, 2)
    with viz.record() as trace:
        h, _ = lstm(paddle.rand([1, 2, 3]))
        o = h[:, 0]
        for t in range(2):
            o, _ = cell(h[:, t], o)
    made = [text.partition(" = ")[0] for text in formulas(trace, "op")]
    assert [name for name in made if name.startswith("lstm.o[")] == ["lstm.o[t=0]", "lstm.o[t=1]"]


def test_a_tensor_transposed_twice_gets_two_different_terms() -> None:
    table = paddle.rand([4, 3])
    table.stop_gradient = False
    with viz.record() as trace:
        first = paddle.matmul(paddle.ones([2, 3]), table, transpose_y=True)
        second = paddle.matmul(paddle.rand([2, 3]), table, transpose_y=True)
        (first + second).sum().backward()
    terms = [text for text in formulas(trace, "visit") if text.startswith("dtable += ")]
    assert sorted(terms) == ["dtable += d(tableᵀ#2)ᵀ", "dtable += d(tableᵀ)ᵀ"]


class Square(PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        (x,) = ctx.saved_tensor()
        dx = 2 * x * dy
        return dx  # noqa: RET504


def test_the_gradient_of_a_numbered_x_is_no_variable_dx() -> None:
    a = paddle.to_tensor([1.0, 3.0], stop_gradient=False)
    with viz.record() as trace:
        Square.apply(Square.apply(a)).sum().backward()
    made = [text.partition(" = ")[0] for text in formulas(trace, "return")]
    assert made == ["d(x#2)", "d(x)"]
    own = [text.partition(" = ")[0] for text in formulas(trace, "op")]
    assert [name for name in own if name.startswith("dx")] == ["dx", "dx#2"]


class Masked(PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        mask = x > 0.5
        ctx.save_for_backward(mask)
        return x * 2.0, mask

    @staticmethod
    def backward(ctx: Any, dy: Any, _dmask: Any) -> Any:
        (mask,) = ctx.saved_tensor()
        return paddle.where(mask, dy, paddle.zeros_like(dy))


def test_a_condition_that_is_saved_and_returned_keeps_its_name() -> None:
    x = paddle.to_tensor([0.2, 0.7], stop_gradient=False)
    with viz.record() as trace:
        y, _ = Masked.apply(x)
        y.sum().backward()
    assert formulas(trace, "return")[-1:] == ["dx = dy · mask"]


@pytest.mark.parametrize(("name", "letter"), [("m", "m′"), ("model", "m")])
def test_letters_of_an_optimizer_step_aside_for_the_users(name: str, letter: str) -> None:
    layers = {name: nn.Linear(2, 1)}
    adam = paddle.optimizer.Adam(0.1, parameters=layers[name].parameters())
    with viz.record(variables=layers) as trace:
        layers[name](paddle.ones([1, 2])).sum().backward()
        adam.step()
    update = formulas(trace, "update")[0]
    assert f"{letter} ← 0.9 {letter} + " in update


def test_indices_have_letters_that_are_no_tensors_of_the_user() -> None:
    x, k, i = paddle.rand([2, 3]), paddle.to_tensor([0, 2]), paddle.to_tensor([1, 0])
    with viz.record() as trace:
        paddle.cumsum(x[i], axis=0)
        nn.functional.cross_entropy(x, k)
    sums, losses = formulas(trace, "op")[1], next(f for f in formulas(trace, "op") if "ln" in f)
    assert "[k]" not in sums.replace("x[k]", "")
    assert "softmax(x)[i," not in losses
