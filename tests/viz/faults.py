"""Small programs with one fault each, and their repaired forms.

A program takes `repaired` and returns its trace. One program of each kind is on the gallery's page
of faults; those here are found in other ways.
"""

# ruff: noqa: B007, F841  (what is assigned here gives tensors and rounds their names)

import linecache
import re
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from typing import Any, NamedTuple

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import nn
from tests.samples import Product
from tests.static.world import fresh
from viz.trace import Trace

from .trainings import descend

F = nn.functional
Program = Callable[[bool], Trace]
FAULTS: dict[str, list[Program]] = {}
PAGE = Path(__file__).parents[2] / "docs" / "gallery" / "faults.md"
# The page's quotation, the code, the kind of problem, and the lines that repair it.
ENTRY = re.compile(
    r"((?:^> [^\n]*\n)+).*?^```python\n(.*?)^trace\.save\(\"fault_(\w+)\.svg.*?^```diff\n(.*?)^```",
    re.MULTILINE | re.DOTALL,
)


def fault(kind: str) -> Callable[[Program], Program]:
    """Register a program with a problem of this kind."""

    def add(program: Program) -> Program:
        FAULTS.setdefault(kind, []).append(program)
        return program

    return add


class OnPage(NamedTuple):
    """A program of the gallery's page, and the fault that the page names."""

    told: str
    code: str
    kind: str
    repair: str

    def __call__(self, repaired: bool) -> Trace:
        code, lines = self.code, self.repair.splitlines(keepends=True)
        if repaired:
            old, new = ("".join(x[1:] for x in lines if x[0] in (" ", sign)) for sign in "-+")
            assert code.count(old) == 1, "the page mends what is there"
            code = code.replace(old, new)
        names: dict[str, Any] = {}
        run_code(code, f"<{self.kind}>", names)
        trace: Trace = names["trace"]
        return trace


def run_code(code: str, name: str, names: dict[str, Any]) -> None:
    """Run code as a file of this name, so that its lines are known."""
    linecache.cache[name] = len(code), None, code.splitlines(keepends=True), name
    exec(compile(code, name, "exec"), names)


def recorded(code: str, names: dict[str, Any], before: str = "", file: str = "") -> Trace:
    """Run code, then record other code, both in a file of their own."""
    text = f"{before}\nwith viz.record() as trace:\n{indent(code.strip(), '    ')}\n"
    run_code(text, file or f"<program {hash(text)}>", names)
    trace: Trace = names["trace"]
    return trace


def of_the_page() -> dict[str, OnPage]:
    """Return the programs of the page by the kind of problem."""
    entries = (OnPage(*found) for found in ENTRY.findall(PAGE.read_text(encoding="utf-8")))
    return {entry.kind: entry for entry in entries}


ON_PAGE = of_the_page()
for program in ON_PAGE.values():
    fault(program.kind)(program)


def rows(count: int, width: int, seed: int = 0) -> Any:
    made = np.random.default_rng(seed).normal(size=(count, width)).astype("float32")
    return paddle.to_tensor(made)


def leaf(data: Any, dtype: str = "float32") -> Any:
    return paddle.to_tensor(np.array(data, dtype), stop_gradient=False)


def small_net() -> Any:
    paddle.seed(0)
    return nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))


def train(net: Any, opt: Any, turns: int, x: Any = None, y: Any = None, **settings: Any) -> Trace:
    """Record a loop of training."""
    x = rows(8, 3) if x is None else x
    y = x.sum(axis=1, keepdim=True) if y is None else y
    return descend(opt, lambda _: ((net(x) - y) ** 2).mean(), turns, **settings)


# ----- NaN and infinity --------------------------------------------------------------------------


@fault("nan")
def nothing_by_nothing(repaired: bool) -> Trace:
    x = leaf([0.0, 0.0])
    with viz.record() as trace:
        length = x.square().sum()
        (x / (length + 1e-6 if repaired else length)).sum().backward()
    return trace


@fault("inf")
def large_exponents(repaired: bool) -> Trace:
    scores = paddle.to_tensor([90.0, 1.0])
    with viz.record() as trace:
        mask = paddle.full([2], -float("inf"))  # an intended infinity, as in attention: no problem
        nothing = F.softmax(paddle.concat([scores, mask]))
        y = paddle.exp(scores - scores.max() if repaired else scores)
    return trace


# ----- gradients that are None -------------------------------------------------------------------


@fault("no_gradient")
def data_without_gradient(repaired: bool) -> Trace:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=not repaired)
    with viz.record() as trace:
        y = (x * x).sum()
        y.backward()
    return trace


@fault("no_gradient")
def result_without_gradient(repaired: bool) -> Trace:
    x = leaf([1.0, 2.0])
    with viz.record() as trace:
        h = x * 2.0
        if repaired:
            h.retain_grads()
        h.sum().backward()
        print(h.grad)
    return trace


@fault("no_gradient")
def detached(repaired: bool) -> Trace:
    w = leaf([1.0, 2.0])
    v = leaf([1.0, 2.0])
    with viz.record() as trace:
        h = w * 2.0
        loss = ((h if repaired else h.detach()) * v).sum()
        loss.backward()
        print(w.grad)
    return trace


# ----- missing updates ---------------------------------------------------------------------------


@fault("changed_between")
def set_before_a_pylayers_backward(repaired: bool) -> Trace:
    x, w = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    with viz.record() as trace:
        loss = Product.apply(x, w).sum()
        if repaired:
            loss.backward()
        w.detach().set_value(np.float32([5.0, 6.0]))
        if not repaired:
            loss.backward()
    return trace


@fault("no_gradient")
def layer_that_forward_forgets(repaired: bool) -> Trace:
    """A layer that forward forgets, in a network in a network that returns a dict."""

    class Block(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.mid, self.last = nn.Linear(3, 3), nn.Linear(3, 3), nn.Linear(3, 1)

        def forward(self, x: Any) -> Any:
            x = paddle.tanh(self.first(x))
            return {"y": self.last(self.mid(x) if repaired else x)}

    net = nn.Sequential(Block())
    opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    x = rows(8, 3)
    with viz.record() as trace:
        for turn in range(3):
            loss = net(x)["y"].square().mean()
            loss.backward()
            opt.step()
            opt.clear_grad()
    return trace


@fault("no_gradient")
def rebuilt_by_an_update(repaired: bool) -> Trace:
    w, x = leaf([[1.0], [2.0], [3.0]]), rows(4, 3)
    with viz.record() as trace:
        for turn in range(2):
            loss = (x @ w).square().mean()
            loss.backward()
            with paddle.no_grad():
                if repaired:
                    w.subtract_(0.1 * w.grad)
                elif not turn:
                    w -= 0.1 * w.grad
            w.clear_grad()
    return trace


# ----- direction and loss ------------------------------------------------------------------------


@fault("uphill")
def assigned_uphill(repaired: bool) -> Trace:
    """Every parameter goes uphill, in a network whose loss has no name."""
    net, x = small_net(), rows(8, 3)
    rate = -0.05 if repaired else 0.05
    with viz.record() as trace:
        for turn in range(2):
            F.mse_loss(net(x), paddle.ones([8, 1])).backward()
            with paddle.no_grad():
                for parameter in net.parameters():
                    parameter.set_value(parameter + rate * parameter.grad)
                    parameter.clear_grad()
    return trace


@fault("uphill")
def made_anew_uphill(repaired: bool) -> Trace:
    """Functional training: paddle.grad gives gradients; each round makes new parameters."""
    given = [leaf([[0.1], [0.2], [0.3]]), leaf([0.0])]
    x, rate = rows(8, 3), paddle.to_tensor(0.1)
    with viz.record() as trace:
        for turn in range(3):
            loss = ((x @ given[0] + given[1] - 1.0) ** 2).mean()
            grads = paddle.grad(loss, given)
            moved = [p - rate * (g if repaired else -g) for p, g in zip(given, grads, strict=True)]
            given = [each.detach() for each in moved]
            for each in given:
                each.stop_gradient = False
    return trace


@fault("softmax_twice")
def network_that_ends_in_softmax(repaired: bool) -> Trace:
    paddle.seed(0)
    last = [] if repaired else [nn.Softmax()]
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 3), *last)
    opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    x, label = rows(8, 3), paddle.to_tensor([0, 1, 2, 0, 1, 2, 0, 1])
    with viz.record() as trace:
        for turn in range(3):
            out = {"likely": net(x).reshape([2, 4, 3])}
            loss = nn.CrossEntropyLoss()(out["likely"].reshape([8, 3]), label)
            loss.backward()
            opt.step()
            opt.clear_grad()
    return trace


@fault("softmax_twice")
def softmax_in_a_program(repaired: bool) -> Trace:
    static = paddle.static
    with viz.record() as trace, fresh():
        h = static.nn.fc(static.data("x", [None, 3]), 3)
        likely = h if repaired else F.softmax(h)
        loss = F.cross_entropy(likely, static.data("label", [None, 1], "int64"))
        paddle.optimizer.SGD(0.1).minimize(loss)
    return trace


@fault("nan")
def mean_of_nothing(repaired: bool) -> Trace:
    x = leaf([[1.0], [2.0]])
    with viz.record() as trace:
        kept = x[x[:, 0] > (1.5 if repaired else 2.5)]
        loss = kept.mean()
        loss.backward()
    return trace


# ----- sizes of gradients ------------------------------------------------------------------------


@fault("exploding")
def diverges(repaired: bool) -> Trace:
    net = nn.Linear(3, 1)
    rate = 0.1 if repaired else 3.0
    return train(net, paddle.optimizer.SGD(rate, parameters=net.parameters()), 8)


# ----- units and elements ------------------------------------------------------------------------


# ----- training that does not train --------------------------------------------------------------


@fault("loss_still")
def rate_too_small(repaired: bool) -> Trace:
    net = small_net()
    rate = 0.1 if repaired else 1e-8
    return train(net, paddle.optimizer.SGD(rate, parameters=net.parameters()), 10)


@fault("loss_still")
def never_stepped(repaired: bool) -> Trace:
    net, x = small_net(), rows(8, 3)
    opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    with viz.record() as trace:
        for turn in viz.rounds(range(10)):
            loss = (net(x) - 1.0).square().mean()
            loss.backward()
            if repaired:
                opt.step()
            opt.clear_grad()
    return trace
