"""The tape's node of a PyLayer: calls the user's backward and checks what it gives back."""

from __future__ import annotations

from typing import Any

from ... import events
from ...device import CPUPlace, place_of
from .. import modes, naming, source_line
from ..errors import External, InvalidArgument
from ..stop_reasons import passes
from ..tape import released_error
from ..tensor import GradsBySlot, Node, Tensor, as_array, as_seen, ndarray, rare

grad_on, set_grad = modes.grad_enabled.get, modes.grad_enabled.set
HOST = CPUPlace()
NO_INPUTS: frozenset[int] = frozenset()


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
        edges: Any,
        ctx: Any,
        inputs: list[Tensor],
        counts: list[int] | None,
        structure: list[int],
        outputs: list[Tensor],
        frame: Any,
    ) -> None:
        self.edges = edges
        self.hooks = None
        self.id = self.version = self.expected = 0
        self.ctx = ctx
        self.nones = NO_INPUTS  # inputs for which backward returned None
        self.counts = counts
        self.metas = [(t._data.shape, t._data.dtype) for t in inputs]
        self.structure = structure
        self.many = len(outputs) > 1
        self.out_metas = [
            (d.shape, d.dtype, HOST)
            if (d := t._data).__class__ is ndarray
            else (d.shape, d.dtype, place_of(d))
            for t in outputs
        ]
        self.where = (frame.f_code, frame.f_lineno)

    def kept_names(self) -> tuple[str, ...]:
        saved = self.ctx.container if self.ctx is not None else None
        return tuple(f"saved[{number}]" for number in range(len(saved or ())))

    # ----- the two ways to be visited -----

    def visit(self, grad: Any, retain_graph: bool) -> tuple[Any, ...]:
        grads = self.run(grad, graph=False, retain_graph=retain_graph)
        arrays: list[Any] = []
        for edge, g in zip(self.edges, grads):  # noqa: B905  (checked has made them equal)
            if g is None:
                arrays.append(None)
                if edge is not None:
                    self.nones |= {len(arrays) - 1}
                continue
            array = g._data
            if arrays and any([array is other for other in arrays]):  # noqa: C419  (quicker)
                array = array.copy()  # `return dy, dy`: each may be changed in place
            arrays.append(array)
            if g._stop and isinstance(edge, Tensor) and edge._grad is None:
                rare(edge).grad_stop = passes.number  # as in Paddle, .grad keeps this flag
        return tuple(arrays)

    def visit_graph(self, grad: Any) -> tuple[Any, ...]:
        return self.run(grad, graph=True, retain_graph=True)

    def run(self, grad: Any, *, graph: bool, retain_graph: bool) -> tuple[Any, ...]:
        """The gradients of all inputs, as Tensors."""
        if self.ctx is None:
            raise released_error(self)
        ctx = self.ctx
        ctx._check_versions()
        arguments = self.arguments(grad)
        before = grad_on()
        try:
            set_grad(graph)
            result = self.call_backward(ctx, arguments)
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
            arguments = [self.dout(grad, 0)]
            return arguments if self.structure == [1] else [arguments]
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
            same = grad._data.dtype == dtype or not self.ctx._consistent
            return grad if same else grad.astype(dtype.name)  # type: ignore[attr-defined]
        if grad.__class__ is not ndarray:
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

    def call_backward(self, ctx: Any, arguments: list[Any]) -> Any:
        layer = self.layer
        if not modes.gate_open or not events.heard():
            return self.call_user_backward(ctx, arguments)
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
        except Exception as error:
            raise External(
                f"an exception in the backward of PyLayer {self.layer.__name__}: "
                f"{type(error).__name__}: {error}",
                expected=f"backward(ctx, ...) that takes {len(arguments)} gradient"
                f"{'s' if len(arguments) != 1 else ''} and returns",
                received=f"{type(error).__name__}",
                fix="repair backward; the exception above this one shows the line that failed",
                at=self.place(),
            ) from error

    def place(self) -> Any:
        """The line of user code that called apply."""
        code, line = self.where
        return source_line.SourceLine(code.co_filename, line, code.co_name)

    # ----- what backward gave back -----

    def check(self, result: Any) -> tuple[Any, ...]:
        """One Tensor or None per input, checked against the input's shape and dtype."""
        if self.counts is None and len(self.metas) == 1 and isinstance(result, Tensor):
            return (self.check_one(0, 0, result),)
        row = self.as_row(result)
        counts = self.counts or [0] * len(self.metas)
        if len(row) > len(counts):
            raise self.too_many(len(counts), len(row))
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
            raise self.wrong(
                f"argument at position {position} must be list or tuple, but got "
                f"{type(value).__name__}.",
                f"a list of {count} gradients, since forward took a list there",
                type(value).__name__,
                "return a list with one gradient per Tensor of the list",
            )
        if len(value) != count:
            raise self.wrong(
                f"the list of gradients at {position} position has the wrong length.",
                f"{count} gradients, one per Tensor of the list",
                f"{len(value)}",
                "return None for Tensors without a gradient",
            )
        return list(value)

    def check_one(self, position: int, flat: int, grad: Any) -> Any:
        """The gradient of input `flat`, which belongs to argument `position`."""
        needed = self.edges[flat] is not None
        if grad is _MISSING:
            if needed:
                raise self.wrong(
                    f"{self.title}'s backward function should not return empty at {position} "
                    "position.",
                    f"a gradient for input {position}, which needs one",
                    "fewer values than inputs",
                    "return a value for every Tensor input, None where no gradient flows",
                )
            return None
        if grad is None:
            return None
        if not isinstance(grad, Tensor):
            raise self.wrong(
                "We can only support Tensor or None for backward output, but got "
                f"{_kind(grad)}, please check your PyLayer code and make it fits.",
                "a Tensor or None for each input",
                _kind(grad),
                "wrap NumPy arrays and numbers with paddle.to_tensor(...)",
            )
        if not needed:
            raise self.wrong(
                f"{self.title}'s backward function should return None at {position} position, "
                "because it's forward Tensor's stopgradient is true.",
                f"None for input {position}",
                f"a Tensor of shape {list(grad._data.shape)}",
                "return None there, or set stop_gradient = False on that input",
            )
        return self.fit(position, flat, grad)

    def fit(self, position: int, flat: int, grad: Tensor) -> Tensor:
        """The gradient in its input's dtype; its shape must be the input's."""
        shape, dtype = self.metas[flat]
        if grad._data.shape != shape:
            raise self.wrong(
                f"the gradient that backward returned at {position} position has the wrong shape.",
                f"shape {list(shape)}, as input {position} of forward",
                f"shape {list(grad._data.shape)}",
                "sum over axes that forward broadcast, or reshape the gradient",
            )
        if grad._data.dtype == dtype:
            return grad
        return grad.astype(dtype.name)  # type: ignore[attr-defined, no-any-return]

    # ----- errors -----

    def too_many(self, wanted: int, received: int) -> Exception:
        return self.wrong(
            f"The number of outputs of `PyLayer.backward` should be {wanted}, but received "
            f"{received}.",
            f"{wanted} gradient{'s' if wanted != 1 else ''}, one per Tensor input of forward",
            f"{received} values",
            "return one gradient per Tensor that forward takes, None where there is none",
        )

    def wrong(self, what: str, expected: str, received: str, fix: str) -> Exception:
        prefix = "" if what.startswith(self.title) else f"{self.title} : "
        return InvalidArgument(
            prefix + what, expected=expected, received=received, fix=fix, at=self.place()
        )


_MISSING = object()


def _kind(value: Any) -> str:
    kind = type(value)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return f"{module}{kind.__name__}"
