"""The reference for random programs: a tiny tape that shares no code with minipaddle.

It has as much of Paddle's interface as random programs use, so the same text runs on it. It is the
plainest way to take derivatives: every op keeps copies of what it read, so nothing can overwrite
them; rules are written with the ops themselves, so gradients have gradients; a pass goes back in
the order in which the nodes were made. History belongs to a Tensor, memory may be shared.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np


class Unsuitable(Exception):
    """A statement without an exact result: a kink, or too large a number."""


class State:
    """State: gradients on or off, the unpacking of saved tensors, and reads of changed ones."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.on = True
        self.unpacked: Callable[[Tensor], Any] = lambda saved: saved
        self.overwritten = False
        self.numbers = itertools.count(1)


state = State()


@contextmanager
def gradients(on: bool) -> Iterator[None]:
    before, state.on = state.on, on
    try:
        yield
    finally:
        state.on = before


class Version:
    """The number of changes of some memory, which views share."""

    def __init__(self) -> None:
        self.count = 0
        self.is_kept = False  # whether backward needs the memory


class Node:
    """One step: the targets of its gradients, and the rule that computes them."""

    def __init__(self, edges: Iterable[Any], rule: Callable[..., Any], watched: Any = ()) -> None:
        self.number = next(state.numbers)
        self.edges = list(edges)
        self.rule = rule
        self.watched = [as_read(t) for t in watched]
        self.out: Tensor | None = None  # the copy of the result that the rule reads
        self.hooks: dict[int, Any] = {}
        self.picks: list[OutputSlot] = []
        self.used = False


class OutputSlot(Node):
    """One output of a node that has several, and the gradient for hooks if it is unused."""

    def __init__(self, node: Node, slot: int, unused: Tensor | None) -> None:
        super().__init__([node], None)  # type: ignore[arg-type]
        self.slot = slot
        self.unused = unused
        node.picks.append(self)


class Tensor:
    """An array with a history, as described in the module."""

    def __init__(self, data: Any, stop: bool = True, node: Node | None = None) -> None:
        self.data = np.asarray(data)
        self.stop = stop
        self.node = node
        self.number = next(state.numbers)
        self.version = Version()
        self.read: tuple[Version, int] | None = None  # (source, its version) of a copy
        self.grad: Any = None
        self.hooks: dict[int, Any] = {}
        self.edges: list[Any] = []
        self.copy_of: Tensor | None = None  # the leaf of a saved copy

    # ----- what it is -----

    shape = property(lambda self: list(self.data.shape))
    ndim = property(lambda self: self.data.ndim)
    dtype = property(lambda self: self.data.dtype.name)
    is_leaf = property(lambda self: self.node is None)
    inplace_version = property(lambda self: self.version.count)

    @property
    def stop_gradient(self) -> bool:
        return self.stop

    @stop_gradient.setter
    def stop_gradient(self, stop: bool) -> None:
        self.stop = stop

    def numpy(self) -> Any:
        return self.data.copy()

    # ----- operators -----

    def __add__(self, other: Any) -> Tensor:
        return add(self, other)

    def __radd__(self, other: Any) -> Tensor:
        return add(self, other)

    def __sub__(self, other: Any) -> Tensor:
        return add(self, multiply(other, -1.0) if isinstance(other, Tensor) else -other)

    def __rsub__(self, other: Any) -> Tensor:
        return add(multiply(self, -1.0), other)

    def __mul__(self, other: Any) -> Tensor:
        return multiply(self, other)

    def __rmul__(self, other: Any) -> Tensor:
        return multiply(self, other)

    def __truediv__(self, other: Any) -> Tensor:
        return multiply(self, power(other, -1.0) if isinstance(other, Tensor) else 1.0 / other)

    def __rtruediv__(self, other: float) -> Tensor:
        return multiply(power(self, -1.0), other)

    def __neg__(self) -> Tensor:
        return multiply(self, -1.0)

    def __pow__(self, exponent: float) -> Tensor:
        return power(self, float(exponent))

    def __gt__(self, other: float) -> Tensor:
        return Tensor(at_no_kink(self.data - other) > 0)

    def __getitem__(self, item: Any) -> Tensor:
        return getitem(self, array_of(item))

    def __setitem__(self, item: Any, value: Any) -> None:
        item = array_of(item)
        in_place(self, lambda x: write(x, item, value))

    # ----- the rest -----

    def clone(self) -> Tensor:
        return multiply(self, 1.0)

    def detach(self) -> Tensor:
        return view_of(self, self.data)

    def astype(self, dtype: str) -> Tensor:
        return self if self.dtype == dtype else cast(self, dtype)

    def sum(self, axis: Any = None, keepdim: bool = False) -> Tensor:
        return total(self, axis, keepdim)

    def mean(self, axis: Any = None, keepdim: bool = False) -> Tensor:
        return mean(self, axis, keepdim)

    def reshape(self, shape: Any) -> Tensor:
        return self if list(shape) == self.shape else reshape(self, shape)

    def transpose(self, perm: Any) -> Tensor:
        return transpose(self, perm)

    def set_value(self, value: Any) -> None:
        array = value.data if isinstance(value, Tensor) else value
        if array.shape != self.data.shape or array.dtype != self.data.dtype:
            raise AssertionError
        if self.version.is_kept:  # backward reads the new numbers without an error, as in Paddle
            raise Unsuitable
        self.data[...] = array

    def register_hook(self, hook: Any) -> Any:
        if self.stop:
            raise RuntimeError
        hooks = self.hooks if self.node is None else self.node.hooks
        number = next(state.numbers)
        hooks[number] = hook
        return SimpleNamespace(remove=lambda: hooks.pop(number, None) is not None)

    def retain_grads(self) -> None:
        if self.node is not None and not self.stop and state.on:
            kept = self.node.hooks
            if not any(isinstance(hook, Retain) and hook.tensor is self for hook in kept.values()):
                kept[next(state.numbers)] = Retain(self)

    def clear_grad(self, set_to_zero: bool = True) -> None:
        if self.grad is None or not set_to_zero:
            self.grad = None
        else:
            self.grad = Tensor(np.zeros_like(self.grad.data), self.grad.stop)

    clear_gradient = clear_grad

    def backward(self, grad_tensor: Any = None, retain_graph: bool = False) -> None:
        backward([self], [grad_tensor], retain_graph)

    def scale_(self, scale: float = 1.0, bias: float = 0.0) -> Tensor:
        return in_place(self, lambda x: x * scale + bias)

    def add_(self, y: Any) -> Tensor:
        return in_place(self, lambda x: x + y)

    def subtract_(self, y: Any) -> Tensor:
        return in_place(self, lambda x: x - y)

    def multiply_(self, y: Any) -> Tensor:
        return in_place(self, lambda x: x * y)

    def tanh_(self) -> Tensor:
        return in_place(self, tanh)

    def exp_(self) -> Tensor:
        return in_place(self, exp)

    def sigmoid_(self) -> Tensor:
        return in_place(self, sigmoid)

    def zero_(self) -> Tensor:
        return self.fill_(0.0)

    def fill_(self, value: float) -> Tensor:
        return in_place(self, lambda x: write(x, ..., value))

    def reshape_(self, shape: Any) -> Tensor:
        return in_place(self, lambda x: reshape(x, shape), view=True)


class Retain:
    """The mark of retain_grads at a node."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor


# ----- making an op ------------------------------------------------------------------------------


def edge_of(x: Any) -> Any:
    if not isinstance(x, Tensor) or x.stop:
        return None
    return x.node or x.copy_of or x


def kept(x: Tensor) -> Tensor:
    """Return a private copy at the same place of the graph."""
    copy = Tensor(x.data.copy(), x.stop, x.node)
    copy.copy_of = None if x.node else x.copy_of or x
    copy.read = as_read(x)
    copy.read[0].is_kept = True
    return copy


def as_read(x: Tensor) -> tuple[Version, int]:
    """Return the memory that a value was read from, and its number of earlier changes."""
    return x.read or (x.version, x.version.count)


def made(data: Any, inputs: Any, rule: Callable[..., Any], view: Tensor | None = None) -> Tensor:
    """Return the result of an op; `rule(g, out)` gives a gradient for each input."""
    data = np.asarray(data)
    with np.errstate(all="ignore"):
        if data.dtype.kind == "f" and not np.all(np.abs(data) < 100):
            raise Unsuitable
    edges = [edge_of(x) for x in inputs]
    out = Tensor(data) if view is None else view_of(view, data)
    if state.on and any(edge is not None for edge in edges):
        out.stop = False
        watched = [x for x in inputs if isinstance(x, Tensor)]
        out.node = Node(edges, lambda g: rule(g, snapshot), [*watched, out])
        out.node.out = snapshot = kept(out)
    return out


def array_of(item: Any) -> Any:
    return item.data if isinstance(item, Tensor) else item


def view_of(x: Tensor, data: Any) -> Tensor:
    out = Tensor(data)
    out.version, out.read = x.version, x.read
    return out


def again(g: Tensor) -> Tensor:
    """Return a gradient with a graph: the same memory at the same place of the graph."""
    out = view_of(g, g.data)
    out.stop, out.node = g.stop, g.node
    return out


def as_pair(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Convert two operands to one dtype; a number takes the tensor's."""
    if not isinstance(x, Tensor):
        x = Tensor(np.asarray(x, y.dtype))
    if not isinstance(y, Tensor):
        y = Tensor(np.asarray(y, x.dtype))
    if x.dtype != y.dtype:
        if 0 in (x.ndim, y.ndim):
            raise Unsuitable  # promotion of 0-D tensors is not modelled
        x, y = cast(x, "float64"), cast(y, "float64")
    return x, y


def sum_to(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Sum over the axes that broadcasting has repeated."""
    extra = x.ndim - len(shape)
    axes = tuple(
        i for i in range(x.ndim) if i < extra or (shape[i - extra] == 1 and x.data.shape[i] != 1)
    )
    return reshape(total(x, axes, True), shape) if axes else x


def add(x: Any, y: Any) -> Tensor:
    x, y = as_pair(x, y)
    a, b = x.data.shape, y.data.shape
    return made(x.data + y.data, [x, y], lambda g, _: (sum_to(g, a), sum_to(g, b)))


def multiply(x: Any, y: Any) -> Tensor:
    x, y = as_pair(x, y)
    a, b = kept(x), kept(y)
    return made(
        a.data * b.data,
        [x, y],
        lambda g, _: (sum_to(g * b, a.data.shape), sum_to(g * a, b.data.shape)),
    )


def elementwise(
    function: Any, slope: Callable[[Tensor, Tensor], Any]
) -> Callable[[Tensor], Tensor]:
    def op(x: Tensor) -> Tensor:
        a = kept(x)
        with np.errstate(all="ignore"):
            return made(function(a.data), [x], lambda g, out: (g * slope(a, out),))

    return op


def at_no_kink(array: Any) -> Any:
    if np.any(np.abs(array) < 1e-4):
        raise Unsuitable
    return array


def rectified(array: Any) -> Any:
    return np.maximum(at_no_kink(array), 0)


def constant(array: Any, like: Tensor) -> Tensor:
    return Tensor(np.asarray(array, like.dtype))


tanh = elementwise(np.tanh, lambda _, out: 1.0 - out * out)
exp = elementwise(np.exp, lambda _, out: out)
sin = elementwise(np.sin, lambda x, _: cos(x))
cos = elementwise(np.cos, lambda x, _: -sin(x))
square = elementwise(np.square, lambda x, _: x * 2.0)
sigmoid = elementwise(lambda a: 1 / (1 + np.exp(-a)), lambda _, out: out * (1.0 - out))
sign = elementwise(np.sign, lambda x, _: constant(0, x))
absolute = elementwise(lambda a: np.abs(at_no_kink(a)), lambda x, _: sign(x))
relu = elementwise(rectified, lambda x, _: constant(x.data > 0, x))


def power(x: Tensor, exponent: float) -> Tensor:
    return elementwise(
        lambda a: (at_no_kink(a) if exponent < 0 else a) ** np.asarray(exponent, a.dtype),
        lambda a, _: power(a, exponent - 1) * exponent if exponent != 1 else constant(1, a),
    )(x)


def maximum(x: Tensor, y: Tensor) -> Tensor:
    x, y = as_pair(x, y)
    at_no_kink(x.data - y.data)
    larger = constant(x.data > y.data, x)
    out = x * larger + y * (1.0 - larger)
    if out.node:
        out.node.watched += map(as_read, (x, y))
    return out


def where(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    holds = constant(condition.data, x)
    return x * holds + y * (1.0 - holds)


def cast(x: Tensor, dtype: Any) -> Tensor:
    before = x.dtype
    return made(x.data.astype(dtype), [x], lambda g, _: (cast(g, before),))


def reshape(x: Tensor, shape: Any) -> Tensor:
    before = x.data.shape
    return made(x.data.reshape(shape), [x], lambda g, _: (reshape(g, before),), x)


def transpose(x: Tensor, perm: Any) -> Tensor:
    back = np.argsort(perm)
    return made(x.data.transpose(perm), [x], lambda g, _: (transpose(g, back),), x)


def total(x: Tensor, axis: Any = None, keepdim: bool = False) -> Tensor:
    shape = x.data.shape
    axis = tuple(axis) if isinstance(axis, list) else axis
    kept_shape = x.data.sum(axis, keepdims=True).shape
    return made(
        x.data.sum(axis, keepdims=keepdim, dtype=x.data.dtype),
        [x],
        lambda g, _: (expand(reshape(g, kept_shape), shape),),
    )


def mean(x: Tensor, axis: Any = None, keepdim: bool = False) -> Tensor:
    result = total(x, axis, keepdim)
    if not x.data.size:
        raise Unsuitable
    return result * (max(result.data.size, 1) / x.data.size)


def expand(x: Tensor, shape: Any) -> Tensor:
    before = x.data.shape
    return made(np.broadcast_to(x.data, shape).copy(), [x], lambda g, _: (sum_to(g, before),))


def getitem(x: Tensor, item: Any) -> Tensor:
    shape = x.data.shape
    if isinstance(item, np.ndarray):
        return made(x.data[item], [x], lambda g, _: (put(g, item, shape),))
    row = item if isinstance(item, tuple) else (item,)
    whole = () if ... in row else (...,)  # makes NumPy return a view of one element, too
    return made(x.data[(*row, *whole)], [x], lambda g, _: (put(g, item, shape),), x)


def put(x: Tensor, item: Any, shape: Any) -> Tensor:
    data = np.zeros(shape, x.dtype)
    data[item] = x.data
    return made(data, [x], lambda g, _: (getitem(g, item),))


def write(x: Tensor, item: Any, value: Any) -> Tensor:
    """Return x with a value at some places."""
    if not isinstance(value, Tensor):
        value = Tensor(np.asarray(value, x.dtype))
    value = cast(value, x.dtype) if value.dtype != x.dtype else value
    data = x.data.copy()
    data[item] = value.data
    rest = np.ones(data.shape, data.dtype)
    rest[item] = 0
    stays, shape = Tensor(rest), value.data.shape
    return made(data, [x, value], lambda g, _: (g * stays, sum_to(getitem(g, item), shape)))


def concat(xs: list[Tensor], axis: int = 0) -> Tensor:
    ends = np.cumsum([0, *(x.data.shape[axis] for x in xs)])

    def rule(g: Tensor, _: Tensor) -> list[Tensor]:
        lead = (slice(None),) * (axis % g.ndim)
        return [getitem(g, (*lead, slice(a, b))) for a, b in itertools.pairwise(ends)]

    return made(np.concatenate([x.data for x in xs], axis), xs, rule)


def stack(xs: list[Tensor], axis: int = 0) -> Tensor:
    return concat([reshape(x, (1, *x.data.shape)) for x in xs], 0)


def split(x: Tensor, count: int, axis: int = 0) -> list[Tensor]:
    size = x.data.shape[axis] // count
    lead = (slice(None),) * (axis % x.ndim)
    items = [(*lead, slice(i * size, (i + 1) * size)) for i in range(count)]
    shape, dtype = x.data.shape, x.dtype
    if edge_of(x) is None or not state.on:
        return [Tensor(x.data[item].copy()) for item in items]

    def rule(grads: dict[int, Tensor]) -> list[Tensor]:
        parts = [put(g, items[slot], shape) for slot, g in grads.items()]
        return [sum(parts, Tensor(np.zeros(shape, dtype)))]

    node = Node([edge_of(x)], rule)
    parts = [x.data[item].copy() for item in items]
    picks = [OutputSlot(node, i, Tensor(np.zeros_like(part))) for i, part in enumerate(parts)]
    return [Tensor(part, False, pick) for part, pick in zip(parts, picks, strict=True)]


def matmul(x: Tensor, y: Tensor) -> Tensor:
    x, y = as_pair(x, y)
    a, b = kept(x), kept(y)
    turn = [1, 0]
    return made(
        a.data @ b.data,
        [x, y],
        lambda g, _: (matmul(g, transpose(b, turn)), matmul(transpose(a, turn), g)),
    )


def softmax(x: Tensor, axis: int = -1) -> Tensor:
    powers = exp(x)
    return powers * power(total(powers, axis, True), -1.0)


def cumsum(x: Tensor, axis: int = 0) -> Tensor:
    return made(
        np.cumsum(x.data, axis, dtype=x.data.dtype),
        [x],
        lambda g, _: (flip(cumsum(flip(g, axis), axis), axis),),
    )


def flip(x: Tensor, axis: int) -> Tensor:
    return made(np.flip(x.data, axis).copy(), [x], lambda g, _: (flip(g, axis),))


def in_place(x: Tensor, op: Callable[[Tensor], Tensor], view: bool = False) -> Tensor:
    """Give x the values and the history of a result."""
    if x.node is None and not x.stop and state.on:
        raise ValueError
    if view and not state.on and not x.stop:
        raise Unsuitable  # the history has another shape
    shadow = Tensor(x.data if view else x.data.copy(), x.stop, x.node)
    out = op(shadow)
    if view:
        x.data = out.data
    elif out.data.shape != x.data.shape or out.dtype != x.dtype:
        raise ValueError
    else:
        x.data[...] = out.data
    x.version.count += 1
    if out.node is not None:
        watched = [v for v in out.node.watched if v[0] is not out.version]
        out.node.watched = [*watched, as_read(x)]
        if out.node.out is not None:
            out.node.out.read = as_read(x)
        x.node, x.stop = out.node, False
    elif state.on:
        x.node, x.stop = None, out.stop
    return x


# ----- going back --------------------------------------------------------------------------------


def seed_of(t: Tensor, given: Any) -> Tensor:
    if given is None:
        return Tensor(np.ones(t.data.shape, t.dtype))
    if given.data.shape != t.data.shape:
        raise AssertionError
    return cast(given, t.dtype) if given.dtype != t.dtype else given


def behind(starts: Iterable[Any]) -> list[Any]:
    """Return all nodes and leaves that gradients can reach, the youngest first."""
    found: dict[int, Any] = {}
    stack = [edge for edge in starts if edge is not None]
    while stack:
        edge = stack.pop()
        if id(edge) not in found:
            found[id(edge)] = edge
            stack += [e for e in edge.edges if e is not None]
    return sorted(found.values(), key=lambda edge: -edge.number)


def run_hooks(hooks: dict[int, Any], g: Tensor) -> Tensor:
    for hook in list(hooks.values()):
        if isinstance(hook, Retain):
            hook.tensor.grad = again(g) if state.on else Tensor(g.data.copy(), False)
        else:
            after = hook(Tensor(g.data, g.stop, g.node))
            g = g if after is None else after
    return g


def run_hooks_of_outputs(node: Node, grads: dict[int, Tensor]) -> dict[int, Tensor]:
    """Run the hooks on a node's outputs, and put their results into `grads`."""
    for pick in node.picks:
        g = grads.get(pick.slot, pick.unused if pick.hooks else None)
        if g is not None:
            grads[pick.slot] = run_hooks(pick.hooks, g)
    return {id(pick): grads[pick.slot] for pick in node.picks if pick.slot in grads}


def sweep(roots: Any, seeds: Any, retain: bool, wanted: Any = None) -> dict[int, Tensor]:
    """Visit all nodes behind the roots; return the gradients that arrived at wanted tensors."""
    order = behind(roots)
    if wanted is not None:
        targets = {id(edge) for edge in wanted}
        on_the_way: set[int] = set()
        for edge in reversed(order):
            if id(edge) in targets or any(id(e) in on_the_way for e in edge.edges):
                on_the_way.add(id(edge))
        # The hooks of an output run when its node is visited.
        on_the_way |= {id(edge.edges[0]) for edge in wanted if isinstance(edge, OutputSlot)}
        order = [edge for edge in order if id(edge) in on_the_way]
    sums: dict[int, Any] = {}

    def arrive(edge: Any, g: Any) -> None:
        held = sums.get(id(edge))
        if held is None or g is None:
            sums[id(edge)] = g if held is None else held
        elif isinstance(g, dict):
            both = {slot: held[slot] + g[slot] for slot in held.keys() & g.keys()}
            sums[id(edge)] = {**held, **g, **both}
        else:
            sums[id(edge)] = held + g

    for root, seed in zip(roots, seeds, strict=True):
        arrive(root, seed)
    for edge in order:
        g = sums.get(id(edge))
        if g is None:
            continue
        leaf = isinstance(edge, Tensor)
        if isinstance(g, dict):
            sums |= run_hooks_of_outputs(edge, g)
        elif not isinstance(edge, OutputSlot) and not (leaf and wanted is not None):
            g = sums[id(edge)] = run_hooks(edge.hooks, g)
        if leaf:
            if wanted is None:
                accumulate(edge, g)
        elif wanted is None or any(id(e) in on_the_way for e in edge.edges if e is not None):
            if edge.used:
                for node in order:  # minipaddle may find the other error first
                    look_for_changes(node)
                raise SystemError
            for following, part in zip(edge.edges, visit(edge, g, retain), strict=True):
                if following is not None and (wanted is None or id(following) in on_the_way):
                    arrive(following, part)
    return sums


def visit(node: Node, g: Any, retain: bool) -> Any:
    if isinstance(node, OutputSlot):
        return [{node.slot: g}]
    look_for_changes(node)
    node.used = not retain
    return node.rule(g)


def look_for_changes(node: Node | Tensor) -> None:
    watched = node.watched if isinstance(node, Node) else ()
    if any(version.count != count for version, count in watched):
        state.overwritten = True


def accumulate(leaf: Tensor, g: Tensor) -> None:
    if leaf.grad is None:
        leaf.grad = Tensor(g.data.copy(), False)
    else:
        leaf.grad = Tensor(leaf.grad.data + g.data, leaf.grad.stop)


def backward(tensors: Any, grad_tensors: Any = None, retain_graph: bool = False) -> None:
    given = grad_tensors or [None] * len(tensors)
    pairs = [(t, seed_of(t, g)) for t, g in zip(tensors, given, strict=True)]
    pairs = [(t, g) for t, g in pairs if not t.stop]
    with gradients(False):
        sweep([edge_of(t) for t, _ in pairs], [g for _, g in pairs], retain_graph)


def grad(
    outputs: Any, inputs: Any, create_graph: bool = False, allow_unused: bool = False
) -> list[Any]:
    outputs = outputs if isinstance(outputs, list) else [outputs]
    inputs = inputs if isinstance(inputs, list) else [inputs]
    if all(t.stop for t in outputs) and not allow_unused:
        raise ValueError
    started = [t for t in outputs if not t.stop]
    wanted = [edge_of(t) for t in inputs]
    with gradients(create_graph):
        seeds = [seed_of(t, None) for t in started]
        sums = sweep([edge_of(t) for t in started], seeds, True, [w for w in wanted if w])
    found = [None if edge is None else sums.get(id(edge)) for edge in wanted]
    if not allow_unused and any(g is None for g in found):
        raise ValueError
    if create_graph and any(g is not None and g.node is None for g in found):
        raise Unsuitable  # a constant; rules decide whether it counts as a leaf
    return [g and (again(g) if create_graph else Tensor(g.data)) for g in found]


# ----- PyLayer -----------------------------------------------------------------------------------


class Context:
    """The context that forward passes to backward."""

    def __init__(self) -> None:
        self.kept: Any = ()
        self.silent: Any = ()
        self.spared: Any = ()
        self.materialize = True

    def save_for_backward(self, *tensors: Any) -> None:
        self.kept = [(t, kept(t)) for t in tensors]
        self.unpacked = state.unpacked

    def saved_tensor(self) -> Any:
        return tuple(self.unpacked(copy) for _, copy in self.kept)

    def mark_non_differentiable(self, *tensors: Any) -> None:
        self.silent = tensors

    def mark_not_inplace(self, *tensors: Any) -> None:
        self.spared = tensors

    def set_materialize_grads(self, value: bool) -> None:
        self.materialize = value


def among(tensors: Any, wanted: Tensor) -> bool:
    return any(t is wanted for t in tensors)


class PyLayer:
    """A user's own forward and backward."""

    @classmethod
    def apply(cls, *args: Any) -> Any:
        ctx = Context()
        with gradients(False):
            given = cls.forward(ctx, *args)  # type: ignore[attr-defined]
        inputs = [t for a in args for t in (a if isinstance(a, list) else [a])]
        inputs = [t for t in inputs if isinstance(t, Tensor)]
        row = list(given) if isinstance(given, (tuple, list)) else [given]
        needed = state.on and not all(t.stop for t in inputs)
        edges = [edge_of(t) for t in inputs]
        for position, out in enumerate(row):
            if among(ctx.spared, out):
                row[position] = view_of(out, out.data)
                row[position].stop = out.stop
            elif needed and isinstance(out, Tensor) and among(inputs, out):
                if out.node is None:
                    raise ValueError
                out.version.count += 1
        outs = [out for out in row if isinstance(out, Tensor)]
        if needed:
            cls.connect(ctx, args, edges, outs, [t.dtype for t in inputs])
        return type(given)(row) if isinstance(given, (tuple, list)) else row[0]

    @classmethod
    def connect(
        cls, ctx: Context, args: Any, edges: list[Any], outs: list[Tensor], dtypes: list[str]
    ) -> None:
        likes = [Tensor(np.zeros_like(out.data)) for out in outs]

        def rule(g: Any) -> list[Any]:
            arrived = g if isinstance(g, dict) else {0: g}
            empty = likes if ctx.materialize else [None] * len(likes)
            grads = [arrived.get(slot, nothing) for slot, nothing in enumerate(empty)]
            result = cls.backward(ctx, *grads)  # type: ignore[attr-defined]
            result = list(result) if isinstance(result, (tuple, list)) else [result]
            if any(isinstance(a, list) for a in args) and isinstance(result[0], (list, tuple)):
                result = [*result[0], *result[1:]]
            pairs = zip(result, dtypes, strict=True)
            return [g if g is None or g.dtype == dtype else cast(g, dtype) for g, dtype in pairs]

        node = Node(edges, rule)
        for slot, out in enumerate(outs):
            silent = among(ctx.silent, out)
            out.stop = silent
            unused = likes[slot] if ctx.materialize else None
            out.node = OutputSlot(node, slot, unused) if len(outs) > 1 else node
        for t, copy in ctx.kept:
            if among(outs, t):  # an output belongs to this node
                copy.node, copy.copy_of, copy.stop = t.node, None, t.stop
                copy.read = as_read(t)
        node.watched = [as_read(copy) for _, copy in ctx.kept]


# ----- the module that random programs call `paddle` ---------------------------------------------


def to_tensor(data: Any, dtype: Any = None, stop_gradient: bool = True) -> Tensor:
    kept_dtype = data.dtype if isinstance(data, np.ndarray) else "float32"
    return Tensor(np.array(data, dtype or kept_dtype), stop_gradient)


@contextmanager
def set_grad_enabled(on: bool) -> Iterator[None]:
    with gradients(on):
        yield


@contextmanager
def saved_tensors_hooks(pack: Callable[..., Any], unpack: Callable[..., Any]) -> Iterator[None]:
    """Apply both hooks to tensors saved by PyLayers; tensors saved by ops keep their history."""
    before, state.unpacked = state.unpacked, lambda saved: unpack(pack(saved))
    try:
        yield
    finally:
        state.unpacked = before


paddle = SimpleNamespace(
    abs=absolute,
    add=add,
    clone=Tensor.clone,
    concat=concat,
    cos=cos,
    cumsum=cumsum,
    exp=exp,
    expand=expand,
    flip=flip,
    grad=grad,
    matmul=matmul,
    maximum=maximum,
    multiply=multiply,
    relu=relu,
    sin=sin,
    reshape=Tensor.reshape,
    set_grad_enabled=set_grad_enabled,
    sigmoid=sigmoid,
    split=split,
    square=square,
    stack=stack,
    subtract=Tensor.__sub__,
    tanh=tanh,
    to_tensor=to_tensor,
    transpose=transpose,
    where=where,
    assign=lambda x: x.clone(),
    autograd=SimpleNamespace(
        PyLayer=PyLayer, backward=backward, saved_tensors_hooks=saved_tensors_hooks
    ),
    enable_grad=lambda: gradients(True),
    full=lambda shape, value, dtype: Tensor(np.full(shape, value, dtype)),
    nn=SimpleNamespace(functional=SimpleNamespace(relu=relu, softmax=softmax)),
    no_grad=lambda: gradients(False),
    ones_like=lambda x: Tensor(np.ones_like(x.data)),
    sum=total,
    mean=mean,
)
