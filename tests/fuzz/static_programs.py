"""Random programs for static mode: the same statements, with leaves that are fed or trained.

The statements compute with Tensors in dynamic mode, and build operators from Variables in static
mode. `numpy_op` is a PyLayer or a py_func of the same NumPy functions.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

import minipaddle as paddle
from tests.static.world import fresh

from . import programs
from .programs import HEADER, KINDS, NUMBER, NUMBERS, Choices, Program, Statement, Writer, written

BATCH = 5  # differs from all other sizes, so that no shapes fit by chance

FUNCTIONS = """
def mixed(a, b):
    return np.tanh(a) * np.array(b)


def mixed_grad(a, b, out, dout):
    return np.array(dout) * np.array(b) * (1 - np.tanh(a) ** 2), np.array(dout) * np.tanh(a)


def half(a):
    return [np.array(a) * 0.5]


def half_grad(a, out, dout):
    return (np.array(dout) * 0.5,)


def first(a, b):
    return np.array(a) + 0 * np.array(b)


def first_grad(a, b, out, dout):
    return np.array(dout), np.zeros_like(b)
"""
EAGER = """
class NumpyOp(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, func, backward_func, *xs):
        ctx.run = backward_func
        out = func(*[x.numpy() for x in xs])
        out = paddle.to_tensor(out[0] if isinstance(out, list) else out)
        ctx.save_for_backward(*xs, out)
        return out

    @staticmethod
    def backward(ctx, dout):
        *xs, out = ctx.saved_tensor()
        grads = ctx.run(*[x.numpy() for x in xs], out.numpy(), dout.numpy())
        pairs = zip(xs, grads)
        return tuple(None if x.stop_gradient else paddle.to_tensor(g) for x, g in pairs)


numpy_op = NumpyOp.apply
"""
STATIC = """
def numpy_op(func, backward_func, *xs):
    block = paddle.static.default_main_program().current_block()
    name = f"of_numpy_{len(block.vars)}"
    out = block.create_var(name=name, dtype=xs[0].dtype, shape=xs[0].shape)
    paddle.static.py_func(func, list(xs), out, backward_func)
    return out
"""


def by_numpy(w: Writer, n: Choices) -> str:
    x = w.one(n)
    a = w.get(x)
    y = w.one(n, lambda t: t.shape == a.shape and t.dtype == a.dtype)
    calls = ["mixed, mixed_grad, {x}, {y}", "half, half_grad, {x}", "first, first_grad, {y}, {x}"]
    return f"{w.new()} = numpy_op({n.of(calls).format(x=x, y=y)})"


def rows(w: Writer, n: Choices) -> str:
    """Write a leaf with one row per example of a batch."""
    columns, start, stop = n.of([3, 1, 2]), n.of(range(12)), n.of(["False", "False", "True"])
    name = w.new("x")
    values = f"np.resize({list(NUMBERS[start:] + NUMBERS[:start])}, [{BATCH}, {columns}])"
    return f'{name} = paddle.to_tensor({values}, "{n.of(DTYPES)}", stop_gradient={stop})'


DTYPES = ("float64", "float64", "float32")
ON_ROWS = (
    *("{x}.sum(axis=0)", "{x}.mean(axis=1, keepdim=True)", "{x}.transpose([1, 0])"),
    *("paddle.nn.functional.softmax({x}, axis=-1)", "paddle.cumsum({x}, axis=1)", "{x}[:, 0]"),
    *("paddle.flip({x}, axis=1)", "paddle.matmul({x}, paddle.transpose({x}, [1, 0]))", "{x}[1:]"),
    *("paddle.concat([{x}, {x}], axis=1)", "paddle.stack([{x}, {x}], axis=0)", "{x}[::2]"),
)


def on_rows(w: Writer, n: Choices) -> str:
    x = w.one(n, lambda t: t.ndim == 2)
    return f"{w.new()} = " + str(n.of(ON_ROWS)).format(x=x)


def sliced(w: Writer, n: Choices) -> str:
    """Write an index as in eager programs, but no mask, whose result has an unknown shape."""
    x = w.one(n, programs.indexable)
    items = [item for item in programs.ITEMS[w.get(x).ndim] if ">" not in item]
    return f"{w.new()} = {x}[{n.of(items)}]"


KINDS.update({"rows": rows, "on rows": on_rows, "by numpy": by_numpy, "part": sliced})
FIXED = {
    "leaf": 2, "unary": 6, "binary": 6, "axes": 3, "joined": 2, "parts": 2, "part": 3,
    "by numpy": 2,
}  # fmt: skip
BATCHES = {"rows": 2, "unary": 6, "binary": 6, "on rows": 5, "by numpy": 2}


def static_programs(kinds: dict[str, int]) -> Any:
    """Draw programs of some kinds that begin with a leaf."""
    names = [name for name, weight in kinds.items() for _ in range(weight)]
    four = st.tuples(*[NUMBER] * 4)
    few = st.lists(st.builds(Statement, st.sampled_from(names), four), max_size=10)
    functions: dict[str, Any] = {"paddle": paddle, "np": np}
    exec(FUNCTIONS + EAGER, functions)

    @st.composite
    def program(draw: Any) -> StaticProgram:
        first = Statement(names[0], draw(four))
        return StaticProgram(written([first, *draw(few), *draw(few)], functions))

    return program()


LEAF = re.compile(r'(x\d+) = paddle.to_tensor\((.*), "(\w+)", stop_gradient=(\w+)\)')


@dataclass
class Leaf:
    """An input of a Program: its values, and whether it needs a gradient."""

    values: np.ndarray
    stop: bool


class StaticProgram:
    """The statements of a program, and its leaves."""

    def __init__(self, program: Program) -> None:
        self.program = program
        found = [LEAF.fullmatch(line) for line in program.body]
        self.leaves = {
            match[1]: Leaf(np.array(eval(match[2]), match[3]), match[4] == "True")
            for match in found
            if match
        }
        self.lines = [
            line for line, match in zip(program.body, found, strict=True) if match is None
        ]

    def without_one(self) -> Iterator[StaticProgram]:
        """Yield the program without one statement or leaf."""
        return map(StaticProgram, self.program.without_one())

    def declarations(self) -> list[str]:
        return [
            f'{name} = paddle.static.data("{name}", {self.declared(leaf)}, "{leaf.values.dtype}")\n'
            f"{name}.stop_gradient = {leaf.stop}"
            for name, leaf in self.leaves.items()
        ]

    def declared(self, leaf: Leaf) -> list[int]:
        """Return the shape of a leaf, with -1 for the size of a batch."""
        return [-1 if size == BATCH else size for size in leaf.values.shape]

    @property
    def text(self) -> str:
        """The text that builds the Program in static mode; it needs `paddle` and `np`."""
        function = [FUNCTIONS, STATIC] if any("numpy_op" in line for line in self.lines) else []
        return "\n".join([*function, *self.declarations(), *self.lines]) + "\n"

    @property
    def eager_text(self) -> str:
        """The text that runs in dynamic mode; it needs the leaves, too."""
        function = [FUNCTIONS, EAGER] if any("numpy_op" in line for line in self.lines) else []
        return "\n".join([*function, *self.lines]) + "\n"

    def __repr__(self) -> str:
        feed = ", ".join(f'"{k}": {shown(leaf.values)}' for k, leaf in self.leaves.items())
        leaves = ", ".join(name for name, leaf in self.leaves.items() if not leaf.stop)
        end = f"""
            feed = {{{feed}}}
            values = [v for k, v in sorted(globals().items()) if k[0] == "t" and k[1:].isdigit()]
            targets = [v for v in values if not v.stop_gradient]
            grads = paddle.static.gradients(targets, [{leaves}]) if targets else []
            fetch = [*values, *filter(None, grads)]
            exe = paddle.static.Executor()
            for _ in range(3):
                print(*exe.run(feed=feed, fetch_list=fetch), sep="\\n")
        """
        return f"\n\n{HEADER}\npaddle.enable_static()\n{self.text}{textwrap.dedent(end)}"

    # ----- running -----

    def arrays(self, batch: int) -> dict[str, np.ndarray]:
        """Return the values of the leaves, with `rows` rows for a batch."""
        return {
            name: np.resize(leaf.values, [batch if s == BATCH else s for s in leaf.values.shape])
            for name, leaf in self.leaves.items()
        }

    def at_once(self, batch: int = BATCH) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the values of all results in dynamic mode, and the gradients of all leaves."""
        names: dict[str, Any] = {"paddle": paddle, "np": np}
        for name, array in self.arrays(batch).items():
            names[name] = paddle.to_tensor(array, stop_gradient=self.leaves[name].stop)
        exec(compile(self.eager_text, "<program>", "exec"), names)
        results = {k: v for k, v in names.items() if isinstance(v, paddle.Tensor) and k[0] == "t"}
        # `t.astype(same)` is t in dynamic mode, but a new Variable in static mode: clone each.
        targets = [t.clone() for t in results.values() if not t.stop_gradient]
        wanted = [name for name, leaf in self.leaves.items() if not leaf.stop]
        grads: dict[str, Any] = {}
        if targets and wanted:
            found = paddle.grad(targets, [names[w] for w in wanted], allow_unused=True)
            grads = {w: g.numpy() for w, g in zip(wanted, found, strict=True) if g is not None}
        return {name: t.numpy() for name, t in results.items()}, grads

    @contextmanager
    def built(self) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        """Enter static mode with the Program; yield the Variables of all results and gradients."""
        with fresh():
            names: dict[str, Any] = {"paddle": paddle, "np": np}
            exec(compile(self.text, "<program>", "exec"), names)
            kind = paddle.static.Variable
            results = {k: v for k, v in names.items() if isinstance(v, kind) and k[0] == "t"}
            targets = [v for v in results.values() if not v.stop_gradient]
            wanted = [name for name, leaf in self.leaves.items() if not leaf.stop]
            grads: dict[str, Any] = {}
            if targets and wanted:
                found = paddle.static.gradients(targets, [names[w] for w in wanted])
                found = found or [None] * len(wanted)
                grads = {w: g for w, g in zip(wanted, found, strict=True) if g is not None}
            yield results, grads


def shown(array: np.ndarray) -> str:
    """Return an array as code."""
    return f'np.array({array.tolist()}, "{array.dtype}").reshape({list(array.shape)})'
