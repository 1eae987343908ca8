"""The tape's node of a PyLayer: calls the user's backward and checks what it gives back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import events
from ...device import CPUPlace, place_of
from .. import modes, naming, refusals, source_line
from ..stop_reasons import passes
from ..tensor import (
    GradsBySlot,
    Node,
    Tensor,
    as_array,
    as_seen,
    ndarray,
    rare,
    share_version,
    tell_values,
)
from . import errors

grad_on, set_grad = modes.grad_enabled.get, modes.grad_enabled.set
HOST = CPUPlace()
NO_INPUTS: frozenset[int] = frozenset()


def wanting(grad: Tensor) -> Tensor:
    """The same gradient as a Tensor that wants one, as real Paddle's create_graph hands it on."""
    leaf = Tensor(grad._data, False)
    leaf._version = share_version(grad)
    tell_values(leaf, grad, "alias")
    return leaf


class PyLayerNode(Node):
    """Holds the context; `visit` runs backward on Tensors made of the arrived gradients."""

    __slots__ = (
        "__weakref__",
        "counts",
        "ctx",
        "many",
        "metas",
        "nones",
        "out_metas",
        "structure",
        "where",
    )

    layer: Any

    def __init__(
        self,
        edges: tuple[Any, ...],
        ctx: Any,
        inputs: Sequence[Tensor],
        counts: list[int] | None,
        structure: list[int],
        outputs: list[Tensor],
        frame: Any,
    ) -> None:
        self.onward = edges
        self.hooks = None
        self.id = self.version = 0
        self.ctx = ctx
        self.nones = NO_INPUTS  # inputs for which backward returned None
        self.counts = counts
        self.metas: list[tuple[Any, Any]] = []
        for tensor in inputs:
            a = tensor._data
            self.metas.append((a.shape, a.dtype))
        self.structure = structure
        self.many = len(outputs) > 1
        self.out_metas: list[tuple[Any, Any, Any]] = []
        for tensor in outputs:
            a = tensor._data
            place = HOST if a.__class__ is ndarray else place_of(a)
            self.out_metas.append((a.shape, a.dtype, place))
        self.where = frame.f_code, frame.f_lasti  # the line itself is slow to find

    def op_name(self) -> str:
        return str(self.layer.__name__)

    def kept_names(self) -> tuple[str, ...]:
        saved = self.ctx.container if self.ctx is not None else None
        return tuple(f"saved[{number}]" for number in range(len(saved or ())))

    # ----- the two ways to be visited -----

    def visit(self, grad: Any, retain_graph: bool) -> tuple[Any, ...]:
        grads = self.run(grad, graph=False, retain_graph=retain_graph)
        arrays: list[Any] = []
        for edge, g in zip(self.onward, grads):  # noqa: B905  (checked has made them equal)
            if g is None:
                if edge is not None:
                    self.nones |= {len(arrays)}
                arrays.append(None)
                continue
            array = g._data
            for other in arrays:
                if array is other:  # `return dy, dy`: each may be changed in place
                    array = array.copy()
                    break
            arrays.append(array)
            if g._stop and isinstance(edge, Tensor) and edge._grad is None:
                (edge._rare or rare(edge)).grad_stop = passes.number  # as in Paddle, .grad keeps it
        return tuple(arrays)

    def visit_graph(self, grad: Any) -> tuple[Any, ...]:
        return self.run(grad, graph=True, retain_graph=True)

    def run(self, grad: Any, *, graph: bool, retain_graph: bool) -> tuple[Any, ...]:
        """The gradients of all inputs, as Tensors."""
        if self.ctx is None:
            raise refusals.released(self.title)
        ctx = self.ctx
        if ctx.container:
            ctx._check_versions(self)
        arguments = self.arguments(grad)
        before = grad_on()
        try:
            set_grad(graph)
            heard = modes.gate_open and events.heard()
            call = self.call_observed if heard else self.call_user_backward
            result = call(ctx, arguments)
        finally:
            set_grad(before)
        grads = self.check(result)
        if not retain_graph:
            self.ctx = None
            ctx.container = None
        return grads

    # ----- what backward receives -----

    def arguments(self, grad: Any) -> list[Any]:
        """One argument per Tensor (or list of Tensors) that forward returned."""
        silent = self.ctx._silent  # never a real gradient, even when the loss used the output
        if not self.many and not silent:
            same = grad.__class__ is ndarray and grad.dtype is self.out_metas[0][1]
            dout = Tensor(grad, False) if same else self.dout(grad, 0)
            return [dout] if self.structure[0] == 1 else [[dout]]
        given = grad.grads if isinstance(grad, GradsBySlot) else {0: grad}
        row = iter(
            [
                self.dout(None if slot in silent else given.get(slot), slot)
                for slot in range(len(self.out_metas))
            ]
        )
        return [
            next(row) if count == 1 else [next(row) for _ in range(-count)]
            for count in self.structure
        ]

    def dout(self, grad: Any, slot: int) -> Any:
        """The gradient of one output: what arrived, in the output's dtype; or zeros; or None."""
        if grad is None:
            return Tensor(self.zeros(slot)) if self.ctx._materialize else None
        dtype = self.out_metas[slot][1]
        if isinstance(grad, Tensor):
            if grad._data.dtype != dtype and self.ctx._consistent:
                grad = grad.astype(dtype.name)  # type: ignore[attr-defined]
            return wanting(grad) if grad._stop else grad
        grad = as_array(grad)
        if grad.dtype != dtype and self.ctx._consistent:
            grad = grad.astype(dtype)
        return Tensor(grad, False)

    def zeros(self, slot: int) -> Any:
        """What stands for the gradient of an output that nobody used."""
        shape, dtype, place = self.out_metas[slot]
        return place.namespace().zeros(shape, dtype)

    def zeros_for_hooks(self, grad: GradsBySlot) -> dict[int, Any]:
        if self.ctx is None or not self.ctx._materialize:
            return {}
        slots = set(range(len(self.out_metas))) - grad.grads.keys()
        return {slot: self.zeros(slot) for slot in slots}

    # ----- the call -----

    def call_observed(self, ctx: Any, arguments: list[Any]) -> Any:
        """Call the user's backward, telling the listeners."""
        layer = self.layer
        scope, kind = naming.next_id(), "pylayer.backward"
        place = source_line.of_function(layer.backward)
        shown = tuple(as_seen(a) for a in arguments)
        call = ctx._call
        events.emit(events.ScopeEntered(scope, kind, layer.__name__, call, shown, place))
        with events.failing("scope", scope, place):
            result = self.call_user_backward(ctx, arguments)
        row = result if isinstance(result, (list, tuple)) else (result,)
        outputs = tuple(as_seen(g) for g in row)
        events.emit(events.ScopeLeft(scope, kind, layer.__name__, call, outputs))
        return result

    def call_user_backward(self, ctx: Any, arguments: list[Any]) -> Any:
        """Call the user's backward; its exceptions surface as OSError, as in Paddle."""
        try:
            return self.layer.backward(ctx, *arguments)
        except Exception as raised:  # noqa: BLE001  (another is raised)
            error = errors.explained(raised, ctx, self.op_name())
            raise errors.backward_failed(self, error, len(arguments)) from error

    def place(self) -> source_line.SourceLine:
        """The line of user code that called apply."""
        return source_line.of_spot(*self.where)

    # ----- what backward gave back -----

    def check(self, result: Any) -> tuple[Any, ...]:
        """One Tensor or None per input, checked against the input's shape and dtype."""
        if self.counts is None and len(self.metas) == 1 and isinstance(result, Tensor):
            array = result._data
            if (array.shape, array.dtype) == self.metas[0] and self.onward[0] is not None:
                return (result,)
        row = self.as_row(result)
        counts = self.counts or [0] * len(self.metas)
        if len(row) > len(counts):
            raise errors.gradient_count(self, got=len(row), wanted=len(counts))
        grads: list[Any] = []
        for position, count in enumerate(counts):
            value = row[position] if position < len(row) else _MISSING
            for item in self.items(position, value, count):
                grads.append(self.check_one(position, len(grads), item))
        return tuple(grads)

    def as_row(self, result: Any) -> list[Any]:
        """What backward returned, as one value per input position."""
        if not isinstance(result, (list, tuple)):
            return [result]
        if self.counts is not None and len(self.counts) == 1:
            inner = len(result) == 1 and isinstance(result[0], (list, tuple))
            if isinstance(result, list) and not inner:
                return [result]
        return list(result)

    def items(self, position: int, value: Any, count: int) -> list[Any]:
        """The gradients of one position: one (count 0), or those of a list of Tensors."""
        if not count:
            return [value]
        if value is None or value is _MISSING:
            return [value] * count
        if not isinstance(value, (list, tuple)):
            raise errors.no_list(self, position, value, count)
        if len(value) != count:
            raise errors.list_length(self, position, got=len(value), wanted=count)
        return list(value)

    def check_one(self, position: int, flat: int, grad: Any) -> Any:
        """The gradient of input `flat`, which belongs to argument `position`."""
        needed = self.edges[flat] is not None
        if grad is _MISSING:
            if needed:
                raise errors.missing_gradient(self, position)
            return None
        if grad is None:
            return None
        if not isinstance(grad, Tensor):
            raise errors.no_gradient(self, grad)
        if not needed:
            raise errors.unwanted_gradient(self, position, grad._data.shape)
        return self.fit(position, flat, grad)

    def fit(self, position: int, flat: int, grad: Tensor) -> Tensor:
        """The gradient in its input's dtype; its shape must be the input's."""
        shape, dtype = self.metas[flat]
        if grad._data.shape != shape:
            raise errors.gradient_shape(self, position, got=grad._data.shape, wanted=shape)
        if grad._data.dtype == dtype:
            return grad
        return grad.astype(dtype.name)  # type: ignore[attr-defined, no-any-return]


_MISSING = object()
