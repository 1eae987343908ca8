"""Programs of beginners: the names of their tensors, and the places that cut gradients.

Each program lists names that must occur; no tensor may be called `t7`, or by the name of a module
or of a variable that an earlier loop left.
"""

import contextlib
import re
from collections.abc import Callable
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import nn
from tests.each import each
from tests.static.world import fresh

from .faults import recorded

HEAD = """
import types
import minipaddle as paddle, viz
from minipaddle import nn
F = nn.functional
class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc1, self.bn, self.fc2 = nn.Linear(3, 4), nn.BatchNorm1D(4), nn.Linear(4, 2)
    def forward(self, x):
        x = F.relu(self.bn(self.fc1(x)))
        x = self.fc2(x)
        return x
x, y = paddle.randn([2, 3]), paddle.to_tensor([0, 1])
"""
# Code before the recording, recorded code, required names.
PROGRAMS: dict[str, tuple[str, str, str]] = {
    "linear regression by hand": (
        """
features, labels = paddle.randn([4, 2]), paddle.randn([4, 1])
w, b = paddle.randn([2, 1]), paddle.zeros([1])
w.stop_gradient = b.stop_gradient = False
def data_iter(size):
    for i in range(0, 4, size):
        rows = paddle.to_tensor(list(range(i, i + size)))
        yield features[rows], labels[rows]
def squared_loss(y_hat, y):
    return (y_hat - y.reshape(y_hat.shape)) ** 2 / 2
def sgd(params, lr):
    with paddle.no_grad():
        for param in params:
            param.set_value(param - lr * param.grad)
            param.clear_gradient()
""",
        """
for X, target in data_iter(2):
    l = squared_loss(X @ w + b, target)
    l.sum().backward()
    sgd([w, b], 0.1)
""",
        "X X#2 target target#2 l l#2 w.grad b.grad",
    ),
    "a DataLoader with transforms": (
        """
class Digits(paddle.io.Dataset):
    def __init__(self): self.images = paddle.randn([4, 3])
    def __getitem__(self, i): return (self.images[i] - 0.5) / 0.5, i % 2
    def __len__(self): return 4
loader = paddle.io.DataLoader(Digits(), batch_size=2)
pairs = paddle.io.DataLoader(Digits(), batch_size=2, collate_fn=lambda rows: {
    "image": paddle.stack([row[0] for row in rows]), "label": [row[1] for row in rows]})
net = Net()
""",
        """
for i, (img, label) in enumerate(loader()):
    loss = F.cross_entropy(net(img), label)
for data in loader: pass
for batch in pairs:
    net(batch["image"])
""",
        "img img#2 label label#2 data[0] data[1] batch['image'] loss[i=0] loss[i=1]",
    ),
    "lists, dicts and buffers of layers": (
        """
class Heads(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = nn.LayerList([nn.Linear(3, 3), nn.Linear(3, 3)])
        self.heads = nn.LayerDict({"cls": nn.Linear(3, 2), "reg": nn.Linear(3, 1)})
        self.scales = nn.ParameterList([self.create_parameter([1])])
        self.register_buffer("offset", paddle.ones([3]))
        self.body[1].weight = self.body[0].weight
    def forward(self, x):
        for layer in self.body: x = layer(x)
        x = x + self.offset
        return self.heads["cls"](x) * self.scales[0], self.heads["reg"](x)
def main():
    model = Heads()
    logits, value = model(x)
    l2 = sum((p ** 2).sum() for p in model.parameters())
""",
        "main()",
        "logits l2 model.body.0.weight model.body.1.bias model.heads.reg.bias model.scales.0",
    ),
    "namespaces are no tensors": (
        """
tt = paddle
ops = types.SimpleNamespace(matmul=paddle.matmul, sum=paddle.sum)
class Block(nn.Layer):
    def __init__(self):
        super().__init__()
        self.F, self.act = ops, nn.functional
        self.w = self.create_parameter([3, 1])
    def forward(self, v):
        return self.act.relu(self.F.matmul(v, self.w))
def given(tools, a, c):
    return tools.matmul(a, c)
block, w2 = Block(), paddle.ones([3, 1])
""",
        """
for X in (paddle.randn([2, 3]), paddle.randn([2, 3])):
    out = ops.matmul(X, w2)
    tt.tanh(out)
    ops.sum(out)
    given(ops, X, w2)
    block(X)
""",
        "X X#2 w2 block.w",
    ),
}
NAMELESS = re.compile(r"\bt\d+\b|\b(ops|tt|tools|self\.F|self\.act|deepcopy)\b")


@each("program", PROGRAMS)
def test_tensors_have_the_names_of_the_program(program: str) -> None:
    before, code, names = PROGRAMS[program]
    trace = recorded(code, {}, HEAD + before)
    assert set(names.split()) <= set(trace.names.values()), sorted(trace.names.values())
    said = [step.say() for step in trace.steps]
    assert not [text for text in said if NAMELESS.search(text)]


CUTS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "detach": (lambda h: h.detach(), "alias"),
    "to_tensor": (paddle.to_tensor, "copy"),
    "numpy": (lambda h: paddle.to_tensor(h.numpy()), "numpy"),
    "a part": (lambda h: paddle.to_tensor(h.numpy()[:1]), "computed"),
    "computed": (lambda h: paddle.to_tensor(h.numpy() * 2), "computed"),
    "data": (lambda h: h.data, "alias"),
    "detach_": (lambda h: h.detach_(), "cut"),
}


@each("way", CUTS)
def test_a_cut_is_a_step_with_a_wire(way: str) -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    with viz.record() as trace:
        h = x * 3.0
        out = CUTS[way][0](h)
        out + 1.0
    (step,) = [step for step in trace.steps if step.kind == "detach"]
    event = next(event for event in trace.events if type(event).__name__ == "ValuesTaken")
    assert event.way == CUTS[way][1]
    assert "no gradient flows back" in step.say()
    wires = {(edge.source, edge.target) for edge in trace.story.graph.edges}
    op = next(node.id for node in trace.story.graph.nodes if str(node.label) == "× 3")
    assert (op, step.step.nodes[-1]) in wires or step.step.nodes == (op,)


def test_a_loader_is_one_box_for_each_batch() -> None:
    rows = paddle.io.TensorDataset([paddle.randn([6, 3]), paddle.arange(6) % 2])
    net = nn.Linear(3, 2)
    with viz.record() as trace:
        for x, y in paddle.io.DataLoader(rows, batch_size=2, shuffle=True):
            nn.functional.cross_entropy(net(x), y).backward()
    ops = [event.op for event in trace.events if type(event).__name__ == "OpFinished"]
    assert ops.count("batch") == 3
    assert not {"getitem", "stack", "pick"} & set(ops)
    assert trace.what_if({"x": paddle.zeros([2, 3]).numpy()}).stale() == {}


def test_a_loaders_error_is_at_its_box() -> None:
    class Broken(paddle.io.Dataset):
        def __len__(self) -> int:
            return 2

        def __getitem__(self, i: int) -> Any:
            return paddle.ones([2]) + paddle.ones([3 + i])

    with contextlib.suppress(ValueError), viz.record() as trace:
        next(iter(paddle.io.DataLoader(Broken())))
    assert [step.kind for step in trace.steps] == ["error"]
    assert "batch" in trace.steps[0].say()


def test_a_notebooks_loops_in_other_cells_leave_no_names() -> None:
    net = nn.Linear(3, 2)
    space: dict[str, Any] = {"viz": viz, "net": net, "x": paddle.ones([1, 3])}
    cells = ["%matplotlib inline\nfor layer, p in zip([net], net.parameters()): pass"]
    space |= {"layer": net, "p": net.bias, "rows": [paddle.ones([2])], "In": cells}
    exec("for r in rows: pass\nwith viz.record() as trace:\n    net(x)", space)
    assert {"net.weight", "net.bias"} <= set(space["trace"].names.values())


def test_variables_of_a_program_have_the_names_of_the_code() -> None:
    with fresh() as (main, startup), viz.record() as trace:
        x = paddle.static.data("x", [2, 4])
        hidden = paddle.static.nn.fc(x, 4)
        left, right = paddle.split(hidden, 2, axis=1)
        for _ in range(2):
            turned = paddle.tanh(left * 2)
        x = turned + right  # `x` is the name of another Variable
        loss = paddle.mean(x)
        paddle.optimizer.SGD(0.1).minimize(loss)
        with viz.record() as run:  # `minimize` has changed the role of the loss
            executor = paddle.static.Executor()
            executor.run(startup)
            for _ in range(2):
                executor.run(main, feed={"x": np.ones([2, 4], "float32")}, fetch_list=[loss])
    assert "and fetches loss." in run.text()
    formulas = [each.formula for each in run.steps if each.text.startswith("reduce_mean runs")]
    assert [text.partition(" Σ")[0] for text in formulas] == ["loss = (1/4)"] * 2
    text = trace.text()
    assert "it will compute hidden [2, 4] from fc_0.tmp_0 [2, 4]" in text
    assert "[left, right] = split(hidden, 2, axis=1)" in text
    assert "loss@GRAD is 1" in text
    [names] = trace.variables.values()
    assert "tanh_0.tmp_0" in text
    assert not {"turned", "x"} & {*names.values()}
    assert names[loss.name] == "loss"
    assert loss.name in {name for event in trace.events for name in str(event).split("'")}
    assert viz.Trace(trace.document).text() == text
