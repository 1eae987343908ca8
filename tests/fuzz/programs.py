"""Random programs: small statements as data, written as ordinary Paddle code.

A statement is a kind and a few numbers that choose among the tensors so far. While it is written,
the text runs, so a kind knows shapes and flags of gradients. Statements that fit no tensor, or
lead to large numbers, are left out.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

import minipaddle as paddle
from minipaddle.engine.errors import External, PermissionDenied

HEADER = "import numpy as np\n\nimport minipaddle as paddle\n"
NUMBERS = (0.5, -1.25, 0.75, 1.5, -0.35, 0.9, -0.6, 1.1, -1.45, 0.2, -0.85, 1.3, 0.4)
LARGEST = 100.0  # of all numbers in a program
MOST = 60  # more than the choices of any statement
NUMBER = st.integers(0, MOST - 1)
SHAPES = ((3,), (2, 3), (), (1,), (2, 1), (1, 3), (2, 2), (0, 3), (0,), (2, 1, 3))


@dataclass(frozen=True)
class Statement:
    """A kind of statement, the numbers of its choices, and its mode of gradients."""

    kind: str
    choices: tuple[int, ...]
    mode: int = 0


class Program:
    """A program: the text of its statements, the names of its PyLayers, and given variables."""

    def __init__(self, given: dict[str, Any] | None = None) -> None:
        self.body: list[str] = []
        self.layers: list[str] = []
        self.given = given or {}

    @property
    def text(self) -> str:
        """The source text, which needs `paddle` and `np`."""
        parts = [LAYERS[name] + "\n" for name in sorted(self.layers)]
        return "\n".join([*parts, "seen, errors = [], []", *self.body]) + "\n"

    @property
    def may_make_circles(self) -> bool:
        """Say whether the program may make reference cycles, which only the collector frees.

        Examples: `x.add_(y)` after y was computed from x; a gradient whose graph begins at its
        own tensor.
        """
        return bool(re.search(r"\w_\(|\] =|InPlace|create_graph", "\n".join(self.body)))

    def without_one(self) -> Iterator[Program]:
        """Yield the program without one statement, the last ones first, if the rest still runs."""
        end = self.end()
        for position in reversed(range(len(self.body))):
            smaller = Program(self.given)
            smaller.body = self.body[:position] + self.body[position + 1 :]
            smaller.layers = [
                name for name in self.layers if f"{name}.apply(" in "\n".join(smaller.body)
            ]
            if smaller.end() == end:
                yield smaller

    def end(self) -> str:
        """Return the class of the error that ends it; a missing statement is a NameError."""
        try:
            exec(self.text, {"paddle": paddle, "np": np, **self.given})
        except Exception as error:  # noqa: BLE001  (every class is an answer)
            return type(error).__name__
        return ""

    def __repr__(self) -> str:
        return f"\n\n{HEADER}\n{self.text}"


class Choices:
    """The numbers of a statement in order; 0 chooses the first item."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers = iter(numbers)

    def of(self, things: Sequence[Any]) -> Any:
        return things[next(self.numbers, 0) % len(things)]


class NothingFits(Exception):
    """No tensor fits a kind of statement."""


class Writer:
    """A writer of statements, which runs each one to know the tensors so far."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.program = Program(given)
        self.given = given
        self.made = 0
        self.begin()

    def begin(self) -> None:
        """Run the statements so far from their start."""
        self.names: dict[str, Any] = {"paddle": paddle, "np": np, **self.given}
        exec(self.program.text, self.names)

    def new(self, letter: str = "t") -> str:
        self.made += 1
        return f"{letter}{self.made}"

    def one(self, n: Choices, fits: Callable[[Any], bool] = lambda t: True) -> str:
        """Return the name of a tensor that fits; 0 chooses the newest."""
        found = [
            name
            for name, value in self.names.items()
            if isinstance(value, paddle.Tensor) and value.dtype != paddle.bool and fits(value)
        ]
        if not found:
            raise NothingFits
        return n.of(found[::-1])

    def get(self, name: str) -> Any:
        return self.names[name]

    def add(self, statement: Statement) -> bool:
        """Write a statement, if it fits; return False if it must be the last."""
        layers, made = list(self.program.layers), self.made
        try:
            text = KINDS[statement.kind](self, Choices(statement.choices))
        except NothingFits:
            self.program.layers, self.made = layers, made
            return True
        if statement.mode:
            text = f"with {MODES[statement.mode]}:\n" + textwrap.indent(text, "    ")
        self.program.body.append(text)
        try:
            for name in set(self.program.layers) - set(layers):
                exec(LAYERS[name], self.names)
            exec(text, self.names)
        except (SystemError, External, PermissionDenied):  # only some gradients have arrived
            return False
        except Exception as error:  # noqa: BLE001  (the program expects it)
            kind = next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins")
            self.program.body[-1] = (
                f"try:\n{textwrap.indent(text, '    ')}\n"
                f"except {kind} as error:\n    errors.append(str(error))"
            )
        if any(is_large(value) for value in self.names.values()):
            self.program.body.pop()
            self.program.layers = layers
            self.begin()
        return True


def is_large(value: Any) -> bool:
    """Say whether a variable has a number, or a gradient, beyond the largest."""
    if not isinstance(value, paddle.Tensor):
        return False
    array = np.asarray(value.numpy(), float)
    return not bool((np.abs(array) < LARGEST).all()) or is_large(value.grad)


def written(statements: Sequence[Statement], given: dict[str, Any] | None = None) -> Program:
    """Return the program of some statements; further variables may be given."""
    writer = Writer(given or {})
    for statement in statements:
        if not writer.add(statement):
            break
    return writer.program


def programs(kinds: dict[str, int], modes: bool = True) -> Any:
    """Draw programs of kinds, weighted by their numbers; each program begins with a leaf.

    Without modes, no statement stands in a block that changes what is recorded or saved.
    """
    names = [name for name, weight in kinds.items() for _ in range(weight)]
    four = st.tuples(*[NUMBER] * 4)
    mode = st.sampled_from([0] * 17 + list(range(1, len(MODES)))) if modes else st.just(0)
    statement = st.builds(Statement, st.sampled_from(names), four, mode)
    few = st.lists(statement, max_size=10)  # five on average

    @st.composite  # hypothesis then shows the program, not its draws
    def program(draw: Any) -> Program:
        first = Statement(names[0], draw(four))
        return written([first, *draw(few), *draw(few), *draw(few)])

    return program()


MODES = (
    *("", "paddle.no_grad()", "paddle.enable_grad()", "paddle.set_grad_enabled(False)"),
    "paddle.autograd.saved_tensors_hooks(lambda t: t.numpy(), paddle.to_tensor)",
    "paddle.autograd.saved_tensors_hooks(lambda t: t, lambda t: t)",
)

# ----- Kinds of statement ------------------------------------------------------------------------


def array_text(shape: Sequence[int], start: int) -> str:
    """Return numbers of a shape as nested lists."""
    count = int(np.prod(shape))
    numbers = [NUMBERS[(start + i) % len(NUMBERS)] for i in range(count)]
    return str(np.array(numbers).reshape(shape).tolist())


def leaf(w: Writer, n: Choices) -> str:
    shape, start = n.of(SHAPES), n.of(range(12))
    dtype = n.of(["float64", "float64", "float64", "float32"])
    stop = n.of(["False", "False", "False", "True"])
    name = w.new("x")
    array = f"np.array({array_text(shape, start)}).reshape({list(shape)})"
    literal = array if 0 in shape else array_text(shape, start)
    return f'{name} = paddle.to_tensor({literal}, "{dtype}", stop_gradient={stop})'


UNARY = (
    *("paddle.tanh({x})", "{x} * {x}", "{x} * 0.5 + 1.0", "{x}.clone()", "paddle.sin({x})"),
    *("paddle.exp({x} * 0.5)", "paddle.square({x})", "paddle.sigmoid({x})", "paddle.abs({x})"),
    *("{x}.sum()", "{x}.mean()", "{x}.detach()", "-{x}", "{x} ** 2", "{x} ** 3", "1.0 - {x}"),
    *("1.0 / ({x} * {x} + 1.0)", "paddle.nn.functional.relu({x})", "paddle.assign({x})"),
    *("{x} / 4.0", "paddle.cos({x})", "2.0 * {x} - {x}", '{x}.astype("float64")'),
    *('{x}.astype("float32")', "{x}.reshape([-1])", "{x} + 0.0"),
)


def unary(w: Writer, n: Choices) -> str:
    return f"{w.new()} = " + n.of(UNARY).format(x=w.one(n))


BINARY = (
    *("{x} + {y}", "{x} * {y}", "{x} + {y}", "{x} - {y}", "{x} / ({y} * {y} + 1.0)"),
    *("paddle.maximum({x}, {y})", "paddle.add({x}, {y})", "{x} * {y} + {x}"),
    "paddle.where({x} > 0.3, {x}, {y})",
)


def binary(w: Writer, n: Choices) -> str:
    x = w.one(n)
    a = w.get(x)

    def fits(b: Any) -> bool:
        if a.dtype != b.dtype and 0 in (a.ndim, b.ndim):
            return False
        pairs = zip(a.shape[::-1], b.shape[::-1], strict=False)
        return all(p == q or 1 in (p, q) for p, q in pairs)

    y = w.one(n, fits)
    call = n.of(BINARY)
    if "where" in call and (a.dtype != w.get(y).dtype):
        call = "{x} - {y}"
    return f"{w.new()} = " + call.format(x=x, y=y)


ON_MATRICES = (
    *("{x}.sum(axis=0)", "{x}.mean(axis=1, keepdim=True)", "{x}.transpose([1, 0])"),
    *("paddle.nn.functional.softmax({x}, axis=-1)", "paddle.cumsum({x}, axis=1)"),
    *("paddle.flip({x}, axis=1)", "paddle.matmul({x}, paddle.transpose({x}, [1, 0]))"),
    *("paddle.expand({x}, [2, {rows}, {columns}])", "{x}.reshape([{columns}, {rows}])"),
    *("{x}.reshape([-1])", "{x}.reshape({x}.shape)", "paddle.sum({x}, axis=[0, 1])"),
)


def axes(w: Writer, n: Choices) -> str:
    """Write an op on a matrix, or along an axis."""
    x = w.one(n, lambda t: t.ndim == 2 and 0 not in t.shape)
    shape = w.get(x).shape
    return f"{w.new()} = " + n.of(ON_MATRICES).format(x=x, rows=shape[0], columns=shape[1])


def joined(w: Writer, n: Choices) -> str:
    x = w.one(n, lambda t: t.ndim > 0)
    a = w.get(x)
    y = w.one(n, lambda b: b.shape == a.shape and b.dtype == a.dtype)
    return f"{w.new()} = paddle.{n.of(['concat', 'stack'])}([{x}, {y}], axis=0)"


def parts(w: Writer, n: Choices) -> str:
    x = w.one(n, lambda t: t.ndim > 0 and t.shape[0] == 2)
    return f"{w.new()}, {w.new()} = paddle.split({x}, 2, axis=0)"


ITEMS: dict[int, tuple[str, ...]] = {
    0: ("...",),
    1: ("0", "1:", "...", "-1", ":1", "::-1", "{x} > 0.3", "None"),
    2: ("0", ":, 0", "0, 0", "1:", ":, ::-1", "..., 0", "{x} > 0.3", ":, 1:"),
    3: ("0", "..., 0", ":, 0", "0, 0"),
}


def item_of(w: Writer, n: Choices, x: str) -> str:
    return str(n.of(ITEMS[w.get(x).ndim])).format(x=x)


def indexable(t: Any) -> bool:
    return t.ndim < 4 and 0 not in t.shape


def sliced(w: Writer, n: Choices) -> str:
    x = w.one(n, indexable)
    return f"{w.new()} = {x}[{item_of(w, n, x)}]"


def written_into(w: Writer, n: Choices) -> str:
    """Write `x[item] = value`, a number or a tensor that is broadcast."""
    x = w.one(n, lambda t: indexable(t) and (not t.is_leaf or t.stop_gradient))
    item = item_of(w, n, x)
    item = "..." if item == "None" else item
    if ">" in item or n.of([0, 1]):
        return f"{x}[{item}] = {n.of([0.25, 2.0, -1.5])}"
    place = eval(f"np.ones({w.get(x).shape})[{item}]").shape

    def fits(t: Any) -> bool:
        sizes = zip(t.shape[::-1], place[::-1], strict=False)
        return t.ndim <= len(place) and all(p in (1, q) for p, q in sizes)

    return f"{x}[{item}] = {w.one(n, fits)}"


CHANGES = (
    *("{x}.scale_(0.5)", "{x}.add_({y})", "{x}.multiply_({y})", "{x}.tanh_()"),
    *("{x}.subtract_({y})", "{x}.zero_()", "{x}.fill_(0.75)", "{x}.sigmoid_()"),
    *("{x}.reshape_([-1])", "{x}.scale_(2.0, bias=0.25)", "{x}.exp_()"),
)


def changed(w: Writer, n: Choices) -> str:
    """Write an in-place op; rarely on a leaf, which is an error."""
    rarely = n.of([0, 0, 0, 0, 0, 1])
    x = w.one(n, lambda t: bool(rarely) or not t.is_leaf or t.stop_gradient)
    a = w.get(x)
    call = n.of(CHANGES)
    if "{y}" not in call:
        return str(call.format(x=x))
    y = w.one(n, lambda b: b.dtype == a.dtype and b.shape in (a.shape, [1]))
    return str(call.format(x=x, y=y))


def set_value(w: Writer, n: Choices) -> str:
    x = w.one(n)
    a = w.get(x)
    values = f'np.array({array_text(a.shape, n.of(range(12)))}, "{a.dtype.name}")'
    return f"{x}.set_value({values}{f'.reshape({a.shape})' if 0 in a.shape else ''})"


def flipped(w: Writer, n: Choices) -> str:
    return f"{w.one(n)}.stop_gradient = {n.of(['True', 'False'])}"


def hook(w: Writer, n: Choices) -> str:
    x = w.one(n, lambda t: not t.stop_gradient)
    name = w.new("hook")
    says = f'seen.append(("{name}", g.numpy()))'
    body = n.of([says, "return g * 2.0", f"{says}\n    return paddle.tanh(g)", "return -g"])
    if n.of([0, 0, 1]):
        body = f"handle_{name}.remove()\n    {body}"
    return f"def {name}(g):\n    {body}\n\nhandle_{name} = {x}.register_hook({name})"


def retained(w: Writer, n: Choices) -> str:
    return f"{w.one(n, lambda t: not t.stop_gradient)}.retain_grads()"


def cleared(w: Writer, n: Choices) -> str:
    x = w.one(n, lambda t: t.grad is not None)
    return str(n.of(["{x}.clear_grad()", "{x}.clear_gradient(False)", "{x}.grad = None"])).format(
        x=x
    )


def grad_used(w: Writer, n: Choices) -> str:
    """Use a gradient as a tensor: held, read, or changed in place."""
    x = w.one(n, lambda t: t.grad is not None)
    use = n.of(
        [
            f"{w.new()} = {{x}}.grad.detach()",
            "{x}.grad.set_value(np.asarray({x}.grad.numpy() * 2.0))",
            "with paddle.no_grad():\n    {x}.grad.scale_(2.0)",
            f"{w.new()} = {{x}}.grad.detach() * 0.5",
        ]
    )
    return str(use).format(x=x)


def shared(w: Writer, n: Choices) -> str:
    """Write one gradient for two leaves; a change of one must not change the other."""
    x = w.one(n, lambda t: t.is_leaf and not t.stop_gradient)
    a = w.get(x)
    y = w.one(n, lambda b: b is not a and wants_same(a, b))
    add = f"with paddle.enable_grad():\n    ({x} + {y}).backward()"
    return f"{add}\nwith paddle.no_grad():\n    {x}.grad.scale_(2.0)"


def wants_same(a: Any, b: Any) -> bool:
    return b.is_leaf and not b.stop_gradient and b.shape == a.shape and b.dtype == a.dtype


def wants(t: Any) -> bool:
    return not t.stop_gradient and not t.is_leaf


def backward(w: Writer, n: Choices) -> str:
    x = w.one(n, wants)
    kept = n.of(["retain_graph=True", "", "retain_graph=True", "retain_graph=True"])
    weights = f'paddle.to_tensor({array_text(w.get(x).shape, 3)}, "{w.get(x).dtype.name}")'
    seed = "" if 0 in w.get(x).shape else weights
    call = n.of(
        [f"{x}.sum().backward({kept})", f"{x}.backward({', '.join(filter(None, [seed, kept]))})"]
    )
    return str(call)


def several(w: Writer, n: Choices) -> str:
    x = w.one(n, wants)
    y = w.one(n, lambda t: wants(t) and t is not w.get(x))
    return f"paddle.autograd.backward([{x}, {y}], retain_graph={n.of(['True', 'True', 'False'])})"


def asked(w: Writer, n: Choices) -> str:
    """Write a call of paddle.grad, perhaps with create_graph."""
    y = w.one(n, wants)
    x = w.one(n, lambda t: not t.stop_gradient)
    name = w.new("g")
    graph = n.of(["create_graph=True, ", ""])
    call = f"paddle.grad({y}, {x}, {graph}allow_unused=True)"
    return f"({name},) = {call}"


def layer(w: Writer, n: Choices) -> str:
    name = n.of(sorted(LAYERS))
    x = w.one(n, lambda t: not t.stop_gradient)  # a gradient for a tensor that stops is an error
    a = w.get(x)
    same = lambda b: not b.stop_gradient and b.shape == a.shape and b.dtype == a.dtype  # noqa: E731
    call = CALLS[name]
    y = w.one(n, same) if "{y}" in call else ""
    w.program.layers = [*{*w.program.layers, name}]
    return str(call.format(x=x, y=y, a=w.new(), b=w.new() if "{b}" in call else ""))


KINDS: dict[str, Callable[[Writer, Choices], str]] = {
    "leaf": leaf, "unary": unary, "binary": binary, "axes": axes, "joined": joined, "parts": parts,
    "sliced": sliced, "write": written_into, "change": changed, "set_value": set_value,
    "flip": flipped, "hook": hook, "retain": retained, "clear": cleared, "grad": grad_used,
    "shared": shared, "backward": backward, "several": several, "ask": asked, "layer": layer,
}  # fmt: skip
EAGER = {
    "leaf": 3, "unary": 8, "binary": 8, "axes": 3, "joined": 2, "parts": 2, "sliced": 4, "write": 4,
    "change": 7, "set_value": 1, "flip": 1, "hook": 4, "retain": 2, "clear": 2, "grad": 5,
    "shared": 3, "backward": 7, "several": 2, "ask": 4, "layer": 5,
}  # fmt: skip

# ----- PyLayers ----------------------------------------------------------------------------------

CALLS = {
    "Wave": "{a}, {b} = Wave.apply({x}, {y})",
    "InPlace": "{a} = InPlace.apply({x})",
    "Same": "{a} = Same.apply({x})",
    "Signs": "{a}, {b} = Signs.apply({x})",
    "Raw": "{a}, {b} = Raw.apply({x}, {y})",
    "NoneSecond": "{a} = NoneSecond.apply({x}, {y})",
    "Listed": "{a} = Listed.apply([{x}, {y}], {x})",
    "Noted": "{a}, _ = Noted.apply({x}, 3.0, None)",
    "Wide": "{a} = Wide.apply({x})",
    "SavedOut": "{a} = SavedOut.apply({x})",
    "Inside": "{a} = Inside.apply({x})",
}


def layer_text(name: str, given: str, forward: list[str], grads: str, backward: list[str]) -> str:
    """Return the source of a PyLayer, whose methods get these arguments after the context."""
    methods = ("forward", given, forward), ("backward", grads, backward)
    parts = [
        "\n".join(
            ["@staticmethod", f"def {method}(ctx, {names}):", *(f"    {row}" for row in body)]
        )
        for method, names, body in methods
    ]
    text = textwrap.indent("\n\n".join(parts), "    ")
    return f"class {name}(paddle.autograd.PyLayer):\n{text}\n"


# Name -> arguments and body of forward, arguments and body of backward.
METHODS: dict[str, tuple[str, list[str], str, list[str]]] = {
    "Wave": (
        "x, y",
        ["wave = paddle.sin(y)", "ctx.save_for_backward(x, y, wave)", "return x * wave, wave"],
        "dz, dwave",
        [
            "x, y, wave = ctx.saved_tensor()",
            "return dz * wave, (dz * x + dwave) * paddle.cos(y)",
        ],
    ),
    "InPlace": ("x", ["x.scale_(2.0)", "return x"], "dy", ["return dy * 2.0"]),
    "Same": ("x", ["ctx.mark_not_inplace(x)", "return x"], "dy", ["return [dy]"]),
    "Signs": (
        "x",
        [
            "large = paddle.nn.functional.relu(x)",
            "ctx.mark_non_differentiable(large)",
            "return x * 3.0, large",
        ],
        "dy, dlarge",
        ["return dy * 3.0 + dlarge"],
    ),
    "Raw": (
        "x, y",
        [
            "ctx.set_materialize_grads(False)",
            "ctx.save_for_backward(x, y)",
            "return x * y, y * 0.5",
        ],
        "da, db",
        [
            "x, y = ctx.saved_tensor()",
            "dx = None if da is None else da * y",
            "dy = None if db is None else db * 0.5",
            "if da is not None:",
            "    dy = da * x if dy is None else da * x + dy",
            "    dx = dx * 3.0 if db is None else dx",
            "return dx, dy",
        ],
    ),
    "NoneSecond": ("x, y", ["return x + y"], "dz", ["return dz, None"]),
    "Listed": (
        "xs, y",
        ["return xs[0] + xs[1] * 2.0 + y * 3.0"],
        "dz",
        ["return [dz, dz * 2.0], dz * 3.0"],
    ),
    "Noted": (
        "x, factor, nothing",
        ["ctx.factor = factor", 'return x * factor, "a note"'],
        "dy",
        ["return (dy * ctx.factor,)"],
    ),
    "Wide": ("x", ['return x.astype("float64") * 2.0'], "dy", ["return dy * 2.0"]),
    "SavedOut": (
        "x",
        ["y = paddle.exp(x * 0.5)", "ctx.save_for_backward(y)", "return y"],
        "dy",
        ["(y,) = ctx.saved_tensor()", "return dy * y * 0.5"],
    ),
    "Inside": ("x", ["return Once.apply(x) * 4.0"], "dy", ["return Once.apply(dy) * 4.0"]),
}
ONCE = layer_text("Once", "x", ["return x * 0.5"], "dy", ["return dy * 0.5"])
LAYERS = {name: layer_text(name, *methods) for name, methods in METHODS.items()}
LAYERS["Inside"] = f"{ONCE}\n\n{LAYERS['Inside']}"
