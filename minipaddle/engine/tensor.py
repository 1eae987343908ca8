"""The bare Tensor and the bare node of the tape: their fields, and what backward needs.

A Tensor with `_node` None is a leaf; a leaf ends the graph, so it can itself be visited by
backward: it runs its hooks and adds to its gradient. `eager` gives Tensor its methods.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any
from weakref import ref

import numpy as np

from .. import events
from ..device import namespace
from ..messages import Message
from . import modes, naming, refusals, source_line
from .source_line import SourceLine
from .stop_reasons import DETACHED, Change, Stop, Version, cut_results, passes
from .structures import items_in

ndarray = np.ndarray
new = object.__new__
change_numbers = count()  # numbers of in-place changes


class Hooked:
    """Base of the holders of hooks: nodes, and records of leaves."""

    __slots__ = ()
    hooks: dict[int, Any] | None

    def add_hook(self, hook: Any) -> tuple[dict[int, Any], int]:
        """Add a hook that is called with the gradient; return all hooks, and its number."""
        if self.hooks is None:
            self.hooks = {}  # type: ignore[misc]
        number = naming.next_id()
        self.hooks[number] = hook
        return self.hooks, number


class Rare(Hooked):
    """Record of what few tensors have: name, hooks, id in events, notes on gradients."""

    __slots__ = (
        "after",
        "changed",
        "cleared",
        "cut",
        "grad_stop",
        "hooks",
        "id",
        "name",
        "note_cell",
        "note_series",
        "persistable",
        "sparse",
        "uncounted",
        "zeros",
    )

    def __init__(self) -> None:
        self.name: str | None = None
        self.persistable: bool | None = None  # None: never set
        self.sparse = False  # rows were read (embedding): Paddle's gradient is sparse
        self.id = 0
        self.hooks = None
        self.after: Any = None  # hook called with the leaf once its gradient is added up
        self.grad_stop = 0  # number of the pass in which `.grad` gets stop_gradient True
        self.cut: Stop | None = None  # last use of this tensor that gives no gradient
        self.cleared = -1  # number of passes when the gradient was cleared
        self.note_cell: Any = None  # cell of this tensor in the last note
        self.note_series = -1  # series of that note
        self.zeros: Any = None  # weak reference to the zeros that a Program left as gradient
        # `uncounted` and `changed` as in `Version`, which holds them if there is one
        self.uncounted = 0
        self.changed: Change | None = None


class Tensor:
    """An array with an autograd history; see `minipaddle.to_tensor` for how to make one.

    Shapes: any, [] included. Dtypes: bool, uint8, int8 to int64, float16 to float64, complex64 and
    complex128.
    Errors: those of `paddle.to_tensor`, which makes one. Source: Paddle's `paddle.Tensor`.

    >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> (x * x).sum().backward()
    >>> x.grad.tolist()
    [2.0, 4.0]
    """

    __slots__ = ("__weakref__", "_data", "_grad", "_node", "_rare", "_stop", "_version")

    edges: tuple[Any, ...] = ()  # a leaf ends the graph
    hooks = None  # hooks of a leaf are in _rare
    _data: Any
    _grad: Tensor | None
    _node: Node | None
    _rare: Rare | None
    _stop: bool | Stop  # False: it wants a gradient; a Stop says why it has none
    _version: Any  # an int, or a Version that views share

    _construct: Any  # defined in `eager`

    def __init__(
        self,
        data: Any = (),
        stop: bool | Stop = True,
        node: Node | None = None,
        *sizes: Any,
        **given: Any,
    ) -> None:
        self._data = data
        self._stop = stop
        self._node = node
        self._version = 0
        self._grad = None
        self._rare = None
        if data.__class__ is not ndarray or given:  # a user's call, or an array of a GPU
            self._construct(sizes, given)

    def _event_id(self) -> int:
        """Return the number by which events refer to this tensor."""
        return tensor_id(self)

    def visit(
        self,
        grad: Any,
        retain_graph: bool,  # noqa: ARG002  (a node's signature)
        hooked: bool = False,
    ) -> tuple[()]:
        """Run this leaf's hooks, add the gradient, and call `after`; if `hooked`, only add."""
        record, stop, after = self._rare, False, None
        if record is not None:
            if not hooked:
                if record.hooks:
                    grad = run_hooks(self, record.hooks, grad)
                after = record.after
            stop = record.grad_stop == passes.number
        held = self._grad
        if held is None:
            new = grad.__class__ is ndarray
            self._grad = new_tensor(grad, stop) if new else as_tensor(grad, stop)
        elif isinstance(grad, Tensor):
            self._grad = held + grad  # type: ignore[operator]  # keeps the graph of gradients
        else:
            self._grad = new_tensor(as_array(held._data + grad), held._stop)
        if after is not None:
            after(self)
        return ()


def new_tensor(data: Any, stop: bool | Stop = True, node: Node | None = None) -> Tensor:
    """Return `Tensor(data, stop, node)` for an array of the engine, which needs no check."""
    tensor = new(Tensor)
    tensor._data = data
    tensor._stop = stop
    tensor._node = node
    tensor._version = 0
    tensor._grad = tensor._rare = None
    return tensor


class Parameter(Tensor):
    """A Tensor that a Layer owns and an optimizer trains."""

    __slots__ = ("need_clip", "optimize_attr", "regularizer")

    def __init__(self, data: Any, name: str, trainable: bool = True) -> None:
        super().__init__(data, not trainable)
        rare(self).name = name
        self.optimize_attr = {"learning_rate": 1.0}
        self.regularizer: Any = None
        self.need_clip = True

    @property
    def trainable(self) -> bool:
        """The opposite of stop_gradient."""
        return not self._stop

    @trainable.setter
    def trainable(self, wanted: bool) -> None:
        if not isinstance(wanted, bool):
            raise refusals.not_trainable(wanted)
        self._stop = not wanted


class Node(Hooked):
    """One step of the tape: it computes gradients, and refers to the nodes that get them.

    `edges[i]` is the node or leaf that receives the gradient of input i, or the OutputSlot of a
    node with several outputs; None where no gradient is wanted. Subclasses say what they save and
    how `visit` uses it.
    """

    __slots__ = ("edges", "hooks", "id", "version")

    title = "GradNode"
    id: int
    version: Any  # how often the output was changed in place; a node that saved it checks this
    edges: tuple[Any, ...]

    def __init__(self, edges: tuple[Any, ...]) -> None:
        self.edges = edges
        self.hooks = None
        self.id = self.version = 0

    def name(self) -> str:
        """Return the node's name as Paddle writes it: TanhGradNode, GradNodePyLayer_cus_tanh."""
        return self.title

    def node_ptr(self) -> int:
        """Return the node's address, for tools that walk `next_functions`."""
        return id(self)

    def op_name(self) -> str:
        """Return the name of the op or PyLayer whose gradients this node computes: cus_tanh."""
        return self.title

    def saved_names(self) -> tuple[str, ...]:
        """Return the names of the values saved for backward; () once they are released."""
        return ()

    @property
    def next_functions(self) -> list[Any]:
        """Nodes that get the gradients of the inputs; None for an input without gradient."""
        return [node_of(edge) for edge in self.edges]

    def visit(self, grad: Any, retain_graph: bool) -> tuple[Any, ...]:
        """Return the gradients of the inputs from the gradient of the output, arrays to arrays."""
        raise NotImplementedError

    def visit_graph(self, grad: Any) -> tuple[Any, ...]:
        """Return the gradients of the inputs as Tensors, with the graph of the next derivative."""
        raise NotImplementedError

    def hooks_and_visit(
        self, grad: Any, retain_graph: bool, graph: bool
    ) -> tuple[Any, tuple[Any, ...]]:
        """Run the hooks, then visit; return the gradient after hooks, and those of the inputs."""
        if self.hooks:
            grad = self.run_hooks(grad)
        if graph:
            return grad, self.visit_graph(grad)
        return grad, self.visit(grad, retain_graph)

    def output_moved(self, old: Any, new: Any, version: Any) -> None:  # noqa: ARG002
        """Record that the output is in other memory now, with this version."""
        self.version = version

    def retains(self, tensor: Tensor) -> bool:
        """Return whether retain_grads was called on this output of the node."""
        hooks = (self.hooks or {}).values()
        kept = (each.hook if each.__class__ is HookOfSlot else each for each in hooks)
        return any(hook.__class__ is RetainGrad and hook.tensor() is tensor for hook in kept)

    def run_hooks(self, grad: Any) -> Any:
        """Run the hooks of the tensors that this node made, in the order of their making."""
        if grad.__class__ is not GradsBySlot:
            return run_hooks(self, self.hooks, grad)  # type: ignore[arg-type]
        grads, unused = dict(grad.grads), self.zeros_for_hooks(grad)
        graph = isinstance(next(iter(grads.values())), Tensor)
        for number, each in list(self.hooks.items()):  # type: ignore[union-attr]
            slot = each.slot
            if slot in grads:
                before = grads[slot]
            elif slot in unused:
                before = Tensor(unused[slot]) if graph else unused[slot]
            else:
                continue
            after = run_hooks(OutputSlot(self, slot), {number: each.hook}, before)
            if after is not before:
                grads[slot] = after
        return GradsBySlot(grads)

    def zeros_for_hooks(self, grad: GradsBySlot) -> dict[int, Any]:  # noqa: ARG002
        """Return the gradients that hooks of unused outputs see, by slot: zeros, as in Paddle."""
        return {}


class HookOfSlot:
    """A hook on one output of a node that has several."""

    __slots__ = ("hook", "slot")

    def __init__(self, slot: int, hook: Any) -> None:
        self.slot, self.hook = slot, hook


class RetainGrad:
    """The hook of retain_grads: it stores the gradient as the hooks before it left it."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = ref(tensor)

    def keep(self, grad: Any) -> Tensor | None:
        """Set `.grad` of the tensor and return it; None if the tensor no longer exists."""
        tensor = self.tensor()
        if tensor is None:
            return None
        new = isinstance(grad, Tensor)  # replaces the last one, as in Paddle; arrays are copied
        tensor._grad = grad if new else Tensor(as_array(grad).copy(), False)
        return tensor._grad


class Accumulation:
    """Node of a leaf that users see, where its gradients are added up."""

    __slots__ = ("leaf",)

    def __init__(self, leaf: Tensor) -> None:
        self.leaf = leaf

    @property
    def next_functions(self) -> list[Any]:
        """Nothing comes after a leaf."""
        return [None]

    def name(self) -> str:
        """Return the name as Paddle writes it."""
        return "GradNodeAccumulation"

    def node_ptr(self) -> int:
        """Return the address of the leaf, which stays the same."""
        return id(self.leaf)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Accumulation) and other.leaf is self.leaf

    def __hash__(self) -> int:
        return hash(self.leaf)


class GradsBySlot:
    """The gradients of a node with several outputs, as far as they have arrived."""

    __slots__ = ("grads",)

    def __init__(self, grads: dict[int, Any]) -> None:
        self.grads = grads

    def __add__(self, other: GradsBySlot) -> GradsBySlot:
        grads = dict(self.grads)
        for slot, grad in other.grads.items():
            grads[slot] = grads[slot] + grad if slot in grads else grad
        return GradsBySlot(grads)


class OutputSlot(Node):
    """One output of a node that has several: an edge to that node, which backward visits."""

    __slots__ = ("node", "slot")

    title = "OutputSlot"

    def __init__(self, node: Node, slot: int) -> None:
        super().__init__((node,))
        self.node, self.slot = node, slot

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, OutputSlot) and other.node is self.node
        return same and other.slot == self.slot  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((self.node, self.slot))

    def add_hook(self, hook: Any) -> tuple[dict[int, Any], int]:
        return self.node.add_hook(HookOfSlot(self.slot, hook))

    def retains(self, tensor: Tensor) -> bool:
        return self.node.retains(tensor)

    def grads(self, grad: Any) -> Any:
        """Return the gradient of this output as a GradsBySlot; None stays None."""
        return None if grad is None else GradsBySlot({self.slot: grad})


# ----- helpers that every floor above uses -------------------------------------------------------


def as_array(value: Any) -> Any:
    """Return a NumPy scalar, the result of 0-d arithmetic, as a 0-d array; arrays unchanged."""
    return np.asarray(value) if isinstance(value, np.generic) else value


def as_tensor(grad: Any, stop: bool) -> Tensor:
    """Return a gradient, an array or a Tensor, as a Tensor."""
    return grad if isinstance(grad, Tensor) else new_tensor(as_array(grad), stop)


def array_of(value: Any) -> Any:
    """Return the array of a Tensor; an array unchanged, a NumPy scalar as a 0-d array."""
    return value._data if isinstance(value, Tensor) else as_array(value)


def namespace_of(grad: Any) -> Any:
    """Return the namespace of a gradient: an array, a Tensor or a GradsBySlot."""
    some = next(iter(grad.grads.values())) if isinstance(grad, GradsBySlot) else grad
    return namespace(array_of(some))


def rare(tensor: Tensor) -> Rare:
    """Return a tensor's record of rare properties, made on demand."""
    if tensor._rare is None:
        tensor._rare = Rare()
    return tensor._rare


def edge_of(tensor: Tensor) -> Any:
    """Return what gets a tensor's gradient: its node, or a leaf itself; None if nothing does."""
    return None if tensor._stop else tensor._node or tensor


def node_of(edge: Any) -> Any:
    """Return the node that users see for an edge: that of a slot, or a leaf's Accumulation."""
    if isinstance(edge, Tensor):
        return Accumulation(edge)
    return edge.node if isinstance(edge, OutputSlot) else edge


def record_cut(tensor: Tensor, why: Stop) -> None:
    """Record that a use of a tensor gives it no gradient, although it requires one."""
    (tensor._rare or rare(tensor)).cut = why
    if tensor._node is not None:
        cut_results.append(ref(tensor))


def saved_output(array: Any, stop: Any, node: Node | None, known: Rare | None) -> Tensor:
    """Return an output that a node saved as a Tensor, connected for its own derivative.

    `known` is the record of the output: recordings then show the same tensor.
    """
    tensor = new_tensor(array, stop, node)
    if known is not None:
        rare(tensor).name, rare(tensor).id = known.name, known.id
    return tensor


# ----- changes in place --------------------------------------------------------------------------


def share_version(tensor: Tensor) -> Version:
    """Return the tensor's Version, which takes the place of its number: views share it."""
    if not isinstance(tensor._version, Version):
        record = tensor._rare
        tensor._version = version = Version(tensor._version)
        if record is not None:
            version.uncounted, version.changed = record.uncounted, record.changed
            record.uncounted = 0
        if tensor._node is not None:
            tensor._node.version = tensor._version
    return tensor._version


def count_together(view: Tensor, tensor: Tensor) -> None:
    """Make a view and the tensor that it shows count their changes in place together."""
    view._version = share_version(tensor)
    if view._node is not None:
        view._node.version = view._version


def changed_in_place(
    tensor: Tensor,
    note: Any = None,
    counts: int = 1,
    by: str = "",
    spot: Any = None,
) -> None:
    """Count an in-place change of the tensor's memory, so that nodes that saved it notice.

    `counts` is the amount by which Paddle raises the version: 0 for a change that it does not call
    in-place, such as a step of an optimizer. An error names the op `by` and the `spot` in the code.
    `note` reports the change to listeners; without it the change is part of a reported op.
    """
    version: Any = tensor._version
    if tensor._node is not None:
        version = tensor._node.version = share_version(tensor)
    if version.__class__ is int:
        about: Any = tensor._rare or rare(tensor)
        tensor._version = version + counts
    else:
        about = version
        version.count += counts
    if counts:
        about.changed = next(change_numbers), by, spot or source_line.spot()
    else:
        about.uncounted += 1
    if note is not None:
        taker = events.note_taker()
        taker.begin(note)
        now = cell_of(tensor, taker.keep)
        taker.take((events.notes.op_finished, note, (), 0, "", 0, now))


def last_change(holder: Any) -> Change | None:
    """Return the last in-place change of a tensor or a Version."""
    version = getattr(holder, "_version", holder)
    about = version if isinstance(version, Version) else getattr(holder, "_rare", None)
    return getattr(about, "changed", None)


def describe_change(holder: Any) -> Message:
    """Return the words of errors for the last in-place change: the op, the line and its code."""
    change = last_change(holder)
    _, op, spot = change or (0, "", None)
    if spot is None:
        return Message("other values in the same memory")
    place = source_line.of_spot(*spot)
    code = source_line.code_at(place)
    at = f"{place}: {code}" if code else str(place)
    if not op:
        return Message("other values in the same memory, written in {at}", at=at)
    return Message("other values in the same memory, written by {op}, in {at}", op=op, at=at)


def changed_since_saved(
    holder: Any, then: int, op: str | Message, name: str | None = "", shape: Sequence[int] = ()
) -> Exception:
    """Make the error of a change of a value that an op or a PyLayer saved at version `then`.

    `holder` is the tensor, or its version.
    """
    version = holder
    if isinstance(holder, Tensor):
        name = holder._rare.name if holder._rare else ""
        shape, version = holder._data.shape, holder._version
    which = refusals.tensor_called(name or "", tuple(shape))
    change = describe_change(holder)
    return refusals.changed_since_saved(which, op, now=int(version), then=then, change=change)


WHOLE: tuple[str, dict[str, Any]] = "set_at", {"index": Ellipsis}  # x[...] = value


def change_of(op: str, attrs: dict[str, Any], *inputs: Any) -> Any:
    """Return a note for a change of values off the tape, or None while nobody listens.

    With it `changed_in_place` reports a call of this op on these inputs, which results in the
    changed tensor.
    """
    if not modes.gate_open or not events.heard():
        return None
    taker, call = events.note_taker(), naming.next_id()
    note = events.notes.op_started, call, op, attrs, taker.here(call)
    return *note, *cells_of_tensors(inputs, taker.keep)


def detach(tensor: Tensor, asked: bool = False) -> Any:
    """Return a new leaf in the same memory, cut off by detach; `asked` as in `emit_values`."""
    if not tensor._stop:
        record_cut(tensor, DETACHED)
    return alias(tensor, DETACHED, asked)


def alias(tensor: Tensor, stop: Any, asked: bool = False) -> Any:
    """Return a leaf in the memory of a tensor; `asked` as in `emit_values`."""
    out = Tensor(tensor._data, stop)
    out._version = share_version(tensor)
    emit_values(out, tensor, "alias", asked)
    return out


def emit_values(tensor: Tensor, source: Tensor, way: str, asked: bool = False) -> None:
    """Notify listeners of values that a tensor got from another one outside of ops.

    `asked`: whether the user's code asked for the tensor, so that its line is reported.
    """
    if events.heard():
        place = events.note_taker().here(naming.next_id()) if asked else None
        (seen, given) = as_seen((tensor, source))
        events.emit(events.ValuesTaken(seen, given, way, place))


# Arrays returned by `x.numpy()` while somebody listened:
# id -> (weak reference, number of the `listen` block, cell of the tensor, line of the call).
_given_arrays: dict[int, tuple[Any, int, Any, SourceLine | None]] = {}


class _RecentArrays(threading.local):
    """The last arrays that this thread got from `x.numpy()`, as the values of `_given_arrays`."""

    def __init__(self) -> None:
        self.last: deque[tuple[Any, int, Any, SourceLine | None]] = deque(maxlen=16)


_recent_arrays = _RecentArrays()


def remember_array(tensor: Tensor, array: Any) -> None:
    """Remember which tensor an array of the user comes from, while somebody listens."""
    if events.heard():
        taker, number = events.note_taker(), id(array)
        cell = cell_of(tensor, taker.keep, taker.series)
        alive = ref(array, lambda _: _given_arrays.pop(number, None))
        given = alive, modes.here().hearing, cell, source_line.here()
        _given_arrays[number] = given
        _recent_arrays.last.append(given)


def emit_array_origin(tensor: Tensor, array: Any) -> None:
    """Notify listeners which tensors' arrays went into `array`, of which `tensor` is made.

    `array` is one that `x.numpy()` returned or a view of it, or `x.numpy()` was called inside the
    call that makes the tensor: `to_tensor(x.numpy() * 2)`.
    """
    recent, hearing = _recent_arrays.last, modes.here().hearing
    if not (recent and recent[-1][1] == hearing and events.heard()):
        return  # the user got no array since the listeners began
    place = events.note_taker().here(naming.next_id())
    found = [("numpy", _given_arrays[id(array)])] if id(array) in _given_arrays else []
    while not found and (array := getattr(array, "base", None)) is not None:
        found += [("computed", given) for given in [_given_arrays.get(id(array))] if given]
    inside = [given for given in _recent_arrays.last if is_inside(given[3], place)]
    found += [("computed", given) for given in inside if not found]
    if inside:  # these are reported now: forget them
        others = [given for given in _recent_arrays.last if not is_inside(given[3], place)]
        _recent_arrays.last.clear()
        _recent_arrays.last.extend(others)
    for way, (_, heard_by, cell, _) in found:
        if heard_by == hearing:
            seen, (source,) = as_seen(tensor), events.notes.tensors((cell,))
            events.emit(events.ValuesTaken(seen, source, way, place))


def is_inside(inner: SourceLine | None, outer: SourceLine | None) -> bool:
    """Return whether a part of the user's code is within another."""
    if not (inner and outer and inner.span and outer.span and inner.file == outer.file):
        return False
    (first, last, left, right), (top, bottom, start, end) = inner.span, outer.span
    return (top, start) <= (first, left) and (last, right) <= (bottom, end)


# ----- hooks -------------------------------------------------------------------------------------


def run_hooks(owner: Any, hooks: dict[int, Any], grad: Any) -> Any:
    """Call each hook with the gradient; return the gradient, replaced by the hooks' results."""
    graph = isinstance(grad, Tensor)
    for hook in list(hooks.values()):
        if hook.__class__ is RetainGrad:
            kept = hook.keep(grad)
            if kept is not None and events.heard():
                where: Any = as_edge(owner)
                events.emit(events.GradientRetained(where, tensor_id(kept)))
            continue
        before = as_tensor(grad, False)
        try:
            after = hook(before)
        except Exception as error:
            raise refusals.hook_failed(hook, error) from error
        if after is not None and not isinstance(after, Tensor):
            raise refusals.hook_gave_no_tensor(hook, after)
        if after is not None:
            _check_replacement(hook, before, after)
        if events.heard():
            edge: Any = as_edge(owner)
            seen_value = value_of(before)
            values = seen_value, seen_value if after is None else value_of(after)
            numbers = tensor_id(before), 0 if after is None else tensor_id(after)
            place = source_line.of_user(hook)
            events.emit(events.HookRan(edge, refusals.name_of(hook), *values, place, *numbers))
        if after is not None:
            grad = after if graph else after._data
    return grad


def _check_replacement(hook: Any, before: Tensor, after: Tensor) -> None:
    """Raise an error for a hook's result of another dtype or shape than the gradient."""
    was, now = before._data, after._data
    if was.dtype != now.dtype:
        raise refusals.hook_changed_dtype(hook, now=now.dtype.name, was=was.dtype.name)
    if was.shape != now.shape:
        raise refusals.hook_changed_shape(hook, now=now.shape, was=was.shape)


# ----- tensors and edges in events ---------------------------------------------------------------


def tensor_id(tensor: Tensor) -> int:
    """Return the small number by which events refer to this tensor."""
    record = tensor._rare
    if record is None:
        record = tensor._rare = Rare()
    if not record.id:
        record.id = naming.next_id()
    return record.id


def node_id(node: Node) -> int:
    """Return the small number by which events refer to this node."""
    if not node.id:
        node.id = naming.next_id()
    return node.id


def value_of(array: Any) -> events.Value:
    """Return an array as events show it."""
    return events.notes.live(array_of(array))


def as_seen(tensor: Any) -> Any:
    """Return a tensor as events show it, a tuple for a list, None for anything else."""
    return events.notes.tensors(cells_of_tensors((tensor,), events.notes.live))[0]


def run_in_frame(kind: str, name: str, function: Callable[[], Any]) -> Any:
    """Return function(); listeners see its ops in a scope of this kind and name."""
    if not events.heard():
        return function()
    with events.scope(kind, name, 0, (), source_line.here()) as made:
        results = function()
        made += [as_seen(item) for item in items_in(results) if isinstance(item, Tensor)]
    return results


def as_edge(edge: Any) -> events.Edge | None:
    """Return the edge of a gradient as events show it."""
    return None if edge is None else events.notes.edge(*cells_of_edge(edge))


def cells_of_tensors(things: Any, keep: Any, series: int = 0) -> list[Any]:
    """Return the cell of each tensor for a note; a list for a list, None for anything else."""
    cells: list[Any] = []
    for x in things:
        if x.__class__ is Tensor or isinstance(x, Tensor):
            cells.append(cell_of(x, keep, series))
        else:
            several = isinstance(x, (list, tuple))
            cells.append(cells_of_tensors(x, keep, series) if several else None)
    return cells


def cell_of(x: Tensor, keep: Any, series: int = 0) -> Any:
    """Return the cell of a note that describes a tensor; `keep` converts its array.

    The cell is a tuple of the fields of Seen, or a Seen if records are made at once. Within a
    numbered `series` of notes an unchanged tensor gets the same tuple again.
    """
    record = x._rare
    if record is None:
        record = x._rare = Rare()
    version = x._version
    if version.__class__ is int:
        version += record.uncounted
    else:  # a Version
        version = version.count + version.uncounted
    name, goes, leaf = record.name or "", not x._stop, x._node is None
    if record.note_series == series:
        cell = record.note_cell
        same = cell[6] == version and cell[3] is not goes and cell[4] is leaf
        if same and cell[1] == name:
            return cell
    number = record.id = record.id or naming.next_id()
    kind = "parameter" if isinstance(x, Parameter) else "tensor"
    cell = number, name, keep(x._data, number), not goes, leaf, kind, version
    if series:
        record.note_cell, record.note_series = cell, series
        return cell
    return events.Seen(*cell) if keep is events.notes.live else cell


def cells_of_edge(edge: Any) -> tuple[int, int]:
    """Return an edge as two cells of a note: id of the node, slot; (id, -1) for a leaf."""
    if edge is None:
        return 0, 0
    if isinstance(edge, Tensor):
        return tensor_id(edge), -1
    if edge.__class__ is OutputSlot:
        return node_id(edge.node), edge.slot
    return edge.id or node_id(edge), 0


def cells_of_edges(node: Any) -> Sequence[int]:
    """Return the cells of all edges of a node; zeros for an edge that is None."""
    cells: list[int] = []
    for edge in node.edges:
        cells += cells_of_edge(edge)
    return cells
