"""In random programs each tensor has its name in the code, and no two have the same."""

import re
import sys
from collections import defaultdict
from types import FrameType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import minipaddle as paddle
import viz
from minipaddle import events, nn
from minipaddle.engine.source_line import SHOWN, is_library_code
from tests.each import each
from viz.document.distinct_names import base_of
from viz.story.builder import Builder
from viz.story.tensors import Tensors

from .faults import recorded

FILE = "<true names>"
NAMES = ("x", "y", "h")
HEAD = """\
def once(v):
    h = paddle.tanh(v)
    told("h", h)
    return h

def bare(v):
    return paddle.tanh(v * 2.0)

def again(v, n):
    x = v * 0.5
    told("x", x)
    return x if n == 0 else again(x, n - 1)

def closes(v):
    total = v * w
    told("total", total)
    for y in (v, total):
        heard("y", y)
        total = total + y
        told("total", total)
    return total

double = lambda v: v * 2.0
"""

name = st.sampled_from(NAMES)
given_name = st.sampled_from((*NAMES, "w"))
PLAIN = (
    "{0} = {1} * 2.0", "{0} = {1} + {2}", "{0} = 1.0 - {1}", "{0} = paddle.tanh({1})",
    "{0} = {1}.exp()", "{0} = F.mse_loss({1}, {2}) + {1}", "{0} = paddle.stack([{1}, {2}]).sum(0)",
    "{0} += {1}", "{0} = {0} * {1}", "{0} = {1}[:, 0:2]", "{0} = lin({1})",
    "{0} = nn.Linear(2, 2)({1})", "{0} = lin(nn.LayerNorm(2)({1}))", "{0} = held['a']({1})",
    "{0} = {1} if {1} is None else {1} - {2}", "{0} = F.softmax({1} @ w)", "{0}.add_({1} * 0.5)",
    "{0} = F.normalize({1})", "{0} = F.glu(paddle.concat([{1}, {2}], 1))",
    "{0} = attention({1}[None])[0]", "{0} = F.hinge_embedding_loss({1}, {2}.sign()) + {1}",
)  # fmt: skip
CALLS = (
    "{0} = once({1})", "{0} = bare({1})", "{0} = again({1}, 2)", "{0} = closes({1})",
    "{0} = double({1})", "{0} = [*map(bare, ({1}, {2}))][0]",
    "{0} = [each * 2.0 for each in ({1}, {2})][0]",
    "{0} = next(each * 3.0 for each in [{1}])", "{0} = once(bare({1}) + once({2}))",
)  # fmt: skip
ODD = (
    ("o.part = paddle.tanh({1})", ("o.part",)),
    ("d['key'] = {1} + {2}", ("d['key']",)),
    ("if ({0} := paddle.exp({1})) is None: pass", ("{0}",)),
    ("{0}, side = {1} * 3.0, {2} * 2.0", ("{0}", "side")),
    ("{0}, side = paddle.split({1} * 1.5, 2, axis=1)", ("side",)),
    ("{0} = side = {1} * 1.25", ("{0}", "side")),
)

Lines = list[str]


@st.composite
def blocks(draw: st.DrawFn, depth: int = 2) -> Lines:
    """Draw statements, each followed by the names that it assigns."""
    lines: Lines = []
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(("plain", "plain", "call", "odd", "loop")))
        names = draw(name), draw(given_name), draw(given_name)
        if kind == "loop" and depth:
            lines.append(draw(st.sampled_from(("for _ in range(2):", "for layer in layers:"))))
            inner = draw(blocks(depth - 1))
            if "layer" in lines[-1]:
                inner.append(f"{names[0]} = layer({names[1]})")
                inner.append(f"told('{names[0]}', {names[0]})")
            lines += ["    " + line for line in inner]
        elif kind == "odd":
            text, told = draw(st.sampled_from(ODD))
            lines.append(text.format(*names))
            lines += [f"told({one!r}, {one})" for one in (t.format(*names) for t in told)]
            if "split" in text:
                lines.append(f"{names[0]} = w * 0.25")
                lines.append(f"told('{names[0]}', {names[0]})")
        else:
            told = "told" if kind == "plain" else "heard"
            pool = PLAIN if kind == "plain" else CALLS
            lines.append(draw(st.sampled_from(pool)).format(*names))
            lines.append(f"{told}({names[0]!r}, {names[0]})")
    return lines


def run(lines: Lines) -> tuple[viz.Trace, dict[int, set[str]], set[int]]:
    """Return the trace, the names of each tensor, and the tensors named where they were made."""
    called: dict[int, set[str]] = defaultdict(set)
    direct: set[int] = set()

    def heard(what: str, tensor: Any) -> None:
        called[events.number_of(tensor)].add(what)

    def told(what: str, tensor: Any) -> None:
        direct.add(events.number_of(tensor))
        heard(what, tensor)

    start = {word: paddle.rand([2, 2]) for word in (*NAMES, "w")}
    space: dict[str, Any] = {
        **start, "paddle": paddle, "nn": nn, "F": nn.functional, "viz": viz, "told": told,
        "heard": heard, "lin": nn.Linear(2, 2), "held": {"a": nn.Linear(2, 2)}, "d": {},
        "attention": nn.MultiHeadAttention(2, 1), "o": SimpleNamespace(),
        "layers": [nn.Linear(2, 2), nn.Linear(2, 2)],
    }  # fmt: skip
    trace = recorded("\n".join(lines), space, HEAD, FILE)
    numbers = trace._numbers
    for word, tensor in start.items():
        called[events.number_of(tensor)].add(word)
    return (
        trace,
        {numbers[n]: names for n, names in called.items() if n in numbers},
        {numbers[n] for n in direct if n in numbers},
    )


@settings(deadline=None, max_examples=60)
@given(blocks())
def test_every_tensor_has_its_name_in_the_code_and_no_two_have_the_same(lines: Lines) -> None:
    trace, called = trace_with_true_names(lines)
    owners: dict[str, set[Any]] = defaultdict(set)
    with pytest.MonkeyPatch.context() as patch:
        watch(patch, owners)
        builder = Builder(trace)
        builder.walk()
        builder.end()
    changed = {line.strip().partition(".add_(")[0] for line in lines if ".add_(" in line}
    changed |= {word for names in called.values() if names & changed for word in names}
    shared = {base_of(text) for text, who in owners.items() if len(who) > 1}
    assert shared <= changed


def trace_with_true_names(lines: Lines) -> tuple[viz.Trace, dict[int, set[str]]]:
    trace, called, direct = run(lines)
    for (tensor, scope), found in trace.names.items():
        if tensor in called and scope == 0:
            assert base_of(found) in called[tensor] | {"each"}, (lines, found)  # comprehension
    assert not [n for n in direct if (n, 0) not in trace.names]
    return trace, called


@settings(deadline=None, max_examples=30)
@given(blocks(1))
def test_names_are_the_same_in_each_round_and_true(lines: Lines) -> None:
    assume(not any(".add_(" in line for line in lines))  # backward needs the old values
    first = [f"{name} = w * 0.5; told({name!r}, {name})" for name in NAMES]
    last = "loss = lin(x + y + h).sum(); told('loss', loss); loss.backward()"
    body = ["for _ in range(3):", *(f"    {line}" for line in (*first, *lines, last))]
    trace, _ = trace_with_true_names(body)
    rounds = [[step for step in trace.round(at).steps if step.kind == "op"] for at in range(3)]
    names = [" ".join(base_of(step.shown[-1].name) for step in steps) for steps in rounds]
    assert len({re.sub(r"_\d+", "", each) for each in names}) == 1, (lines, names)  # new layers


LAYERS = """\
import copy

at_work, held = [], defaultdict(set)

class Scale(nn.Linear):
    def __init__(self):
        super().__init__(2, 2)

    def forward(self, x):
        at_work.append(self)
        return super().forward(x)

def look(variables):
    for name, thing in list(variables.items()):
        rows = thing if isinstance(thing, list) else [thing]
        for i, one in enumerate(rows):
            if isinstance(one, Scale):
                held[name if one is thing else f"{name}[{i}]"].add(one)

def through(layer, v):
    return layer(v)

def inside(v):
    one = Scale()
    look(locals())
    return one(v)

def again(v):
    layer = copy.deepcopy(two)
    look(locals())
    return layer(v)

one, two, rows = Scale(), Scale(), [Scale(), Scale()]
look(globals())
"""
MOVES = (
    "x = one(x)", "x = two(x)", "x = one(two(x))", "x = rows[0](x)", "x = rows[1](x)",
    "x = through(one, x)", "x = through(two, x)", "x = through(rows[0], x)",
    "x = inside(x)", "x = again(x)", "one = Scale()", "one, two = two, one", "two = one",
    "two = copy.deepcopy(one)", "rows = [two, one]", "x = [f(x) for f in rows][-1]",
    "for layer in rows: x = layer(x)", "x = (one if x is None else two)(x)",
)  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(MOVES), min_size=1, max_size=8))
def test_a_layer_has_the_name_of_a_variable_that_held_it(lines: Lines) -> None:
    space: dict[str, Any] = {
        "paddle": paddle, "nn": nn, "viz": viz, "defaultdict": defaultdict,
        "x": paddle.rand([2, 2]),
    }  # fmt: skip
    body = "".join(f"{line}\nlook(globals())\n" for line in lines)
    layers = recorded(body, space, LAYERS, FILE).layers
    assert len(set(layers.values())) == len(layers)
    for event_name, name in layers.items():
        shown = {each for each in space["at_work"] if each._display_name() == event_name}
        assert shown <= space["held"][name], (lines, name)


def watch(patch: pytest.MonkeyPatch, owners: dict[str, set[Any]]) -> None:
    """Note the name of each owner; numbers, constants and formulas are noted as their values."""
    ask = Tensors.thing

    def asked(self: Any, seen: Any, *inside: Any) -> Any:
        thing = ask(self, seen, *inside)
        equal = seen.stop_gradient or not thing.name
        if thing.called != thing.number:
            owners[thing.called].add(repr(seen.value.data) if equal else seen.id)
        return thing

    patch.setattr(Tensors, "thing", asked)


# ----- library code whose variables name tensors -------------------------------------------------

F = nn.functional
COMPOSED: dict[str, Any] = {
    "attention": lambda a, b: nn.MultiHeadAttention(4, 2)(a[None], b[None]),
    "masked attention": lambda a, b: F.scaled_dot_product_attention(
        *(each.reshape([1, 2, 2, 2]) for each in (a, b, a + b)), is_causal=True
    ),
    "transformer": lambda a, b: nn.Transformer(4, 2, 1, 1, 3)(a[None], b[None]),
    "lstm": lambda a, b: nn.LSTM(4, 2)(paddle.stack([a, b], axis=1)),
    "cosine": F.cosine_similarity,
    "triplet": lambda a, b: F.triplet_margin_loss(a, b, a - b, swap=True),
    "margin": lambda a, _b: F.multi_margin_loss(a, paddle.to_tensor([0, 3]), p=2),
    "gaussian": lambda a, b: F.gaussian_nll_loss(a, b, b + 1.0),
    "poisson": lambda a, b: F.poisson_nll_loss(a, b, full=True),
    "gumbel": lambda a, _b: F.gumbel_softmax(a, hard=True),
    "normal": lambda a, b: paddle.distribution.Normal(a, b + 1.0).log_prob(b),
    "divergence": lambda a, b: paddle.distribution.kl_divergence(
        paddle.distribution.Bernoulli(a * 0.5), paddle.distribution.Bernoulli(b * 0.5)
    ),
}


@each("what", COMPOSED)
def test_names_from_library_code_are_those_of_its_variables(what: str) -> None:
    known: dict[int, set[str]] = defaultdict(set)  # tensor -> variables that held it

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        if event == "return" and is_library_code(frame.f_code.co_filename) == SHOWN:
            owner = frame.f_locals.get("self")
            held = {} if owner is None else {k.lstrip("_"): v for k, v in vars(owner).items()}
            for variable, thing in (held | frame.f_locals).items():
                if isinstance(thing, paddle.Tensor):
                    known[events.number_of(thing)].add(variable)

    space = {"call": COMPOSED[what], "viz": viz}
    space |= {name: paddle.rand([2, 4]) for name in ("left", "right")}
    sys.setprofile(note)
    try:
        trace = recorded("call(left, right)", space, "", FILE)
    finally:
        sys.setprofile(None)
    found_names = trace.names  # tensors get their numbers with it
    numbers = trace._numbers
    variables = {numbers[number]: held for number, held in known.items() if number in numbers}
    told, others = set(), set()
    for (tensor, _), found in found_names.items():
        name = base_of(found).rpartition(".")[2]
        if name in variables.get(tensor, ()):
            told.add(name)
        elif tensor in variables and not name.startswith(("weight", "bias")):
            others.add(name)
    assert len(told) > 1
    assert others <= {"left", "right"}
