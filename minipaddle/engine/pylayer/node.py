"""The tape's node of a PyLayer: calls the user's backward and checks what it gives back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import events
from ...device import CPUPlace, place_of
from .. import modes, naming, source_line
from ..bilingual import Text
from ..errors import External, InvalidArgument, told
from ..stop_reasons import passes
from ..tape import released_error
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
            raise released_error(self)
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
            error = ctx._explained(raised)
            count, kind = len(arguments), type(error).__name__
            raise External(
                Text(
                    f"an exception in the backward of PyLayer {self.op_name()}: {kind}: {error}",
                    f"PyLayer {self.op_name()} 的 backward 中抛出异常：{kind}：{told(error).zh}",
                ),
                expected=Text(
                    f"backward(ctx, ...) that takes {count} gradient{'s' if count != 1 else ''} "
                    "and runs to its end",
                    f"backward(ctx, ...) 接收 {count} 个梯度，并能正常返回",
                ),
                received=kind,
                fix=Text(
                    "repair backward; the exception that caused this one shows where it failed",
                    "修改 backward；引起它的那个异常指出了出错的一行",
                ),
                at=self.place(),
            ) from error

    def place(self) -> Any:
        """The line of user code that called apply."""
        code, instruction = self.where
        spans = code.co_lines()
        line = next((line for start, end, line in spans if start <= instruction < end), None)
        return source_line.SourceLine(code.co_filename, line or code.co_firstlineno, code.co_name)

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
                Text(
                    f"argument at position {position} must be list or tuple, but got "
                    f"{type(value).__name__}.",
                    f"backward 的第 {position} 个返回值必须是 list 或 tuple。",
                ),
                Text(
                    f"a list of {count} gradients, since forward took a list there",
                    f"{count} 个梯度组成的 list，因为 forward 在那里接收的是 list",
                ),
                type(value).__name__,
                Text(
                    "return a list with one gradient per Tensor of the list",
                    "返回一个 list，其中每个 Tensor 对应一个梯度",
                ),
            )
        if len(value) != count:
            raise self.wrong(
                Text(
                    f"the list of gradients at {position} position has the wrong length.",
                    f"backward 第 {position} 个返回值的长度不对。",
                ),
                Text(
                    f"{count} gradients, one per Tensor of the list",
                    f"{count} 个梯度，list 中每个 Tensor 一个",
                ),
                f"{len(value)}",
                Text(
                    "return None for Tensors without a gradient",
                    "没有梯度的 Tensor 对应返回 None",
                ),
            )
        return list(value)

    def check_one(self, position: int, flat: int, grad: Any) -> Any:
        """The gradient of input `flat`, which belongs to argument `position`."""
        needed = self.edges[flat] is not None
        if grad is _MISSING:
            if needed:
                raise self.wrong(
                    Text(
                        f"{self.title}'s backward function should not return empty at {position} "
                        "position.",
                        f"backward 少返回了第 {position} 个梯度（从 0 数起）。",
                    ),
                    Text(
                        f"a gradient for input {position}, which needs one",
                        f"forward 的输入 {position} 需要梯度，要为它返回一个",
                    ),
                    Text("fewer values than inputs", "返回值比输入少"),
                    Text(
                        "return a value for every Tensor input, None where no gradient flows",
                        "为每个 Tensor 输入返回一个值，没有梯度的地方返回 None",
                    ),
                )
            return None
        if grad is None:
            return None
        if not isinstance(grad, Tensor):
            raise self.wrong(
                Text(
                    "We can only support Tensor or None for backward output, but got "
                    f"{_kind(grad)}, please check your PyLayer code and make it fits.",
                    f"backward 只能返回 Tensor 或 None，却返回了 {_kind(grad)}。",
                ),
                Text("a Tensor or None for each input", "每个输入对应一个 Tensor 或 None"),
                _kind(grad),
                Text(
                    "wrap NumPy arrays and numbers with paddle.to_tensor(...)",
                    "用 paddle.to_tensor(...) 把 NumPy 数组或数转换成 Tensor",
                ),
            )
        if not needed:
            sizes = list(grad._data.shape)
            raise self.wrong(
                Text(
                    f"{self.title}'s backward function should return None at {position} position, "
                    "because it's forward Tensor's stopgradient is true.",
                    f"backward 的第 {position} 个返回值（从 0 数起）应为 None，因为 forward 的"
                    "对应输入 stop_gradient 为 True。",
                ),
                Text(f"None for input {position}", f"输入 {position} 对应 None"),
                Text(f"a Tensor of shape {sizes}", f"形状为 {sizes} 的 Tensor"),
                Text(
                    "return None there, or set stop_gradient = False on that input",
                    "在那里返回 None，或把该输入的 stop_gradient 设为 False",
                ),
            )
        return self.fit(position, flat, grad)

    def fit(self, position: int, flat: int, grad: Tensor) -> Tensor:
        """The gradient in its input's dtype; its shape must be the input's."""
        shape, dtype = self.metas[flat]
        if grad._data.shape != shape:
            raise self.wrong(
                Text(
                    f"the gradient that backward returned at {position} position has the wrong "
                    "shape.",
                    f"backward 返回的第 {position} 个梯度（从 0 数起）形状不对。",
                ),
                Text(
                    f"shape {list(shape)}, as input {position} of forward",
                    f"形状 {list(shape)}，与 forward 的输入 {position} 相同",
                ),
                Text(f"shape {list(grad._data.shape)}", f"形状 {list(grad._data.shape)}"),
                Text(
                    "sum over axes that forward broadcast, or reshape the gradient",
                    "沿 forward 中被广播的维度求和，或用 reshape 改变梯度的形状",
                ),
            )
        if grad._data.dtype == dtype:
            return grad
        return grad.astype(dtype.name)  # type: ignore[attr-defined, no-any-return]

    # ----- errors -----

    def too_many(self, wanted: int, received: int) -> Exception:
        return self.wrong(
            Text(
                f"The number of outputs of `PyLayer.backward` should be {wanted}, but received "
                f"{received}.",
                f"backward 应返回 {wanted} 个值，却返回了 {received} 个。",
            ),
            Text(
                f"{wanted} gradient{'s' if wanted != 1 else ''}, one per Tensor input of forward",
                f"{wanted} 个梯度，forward 的每个 Tensor 输入一个",
            ),
            Text(f"{received} values", f"{received} 个值"),
            Text(
                "return one gradient per Tensor that forward takes, None where there is none",
                "forward 接收几个 Tensor，就返回几个梯度，没有梯度的返回 None",
            ),
        )

    def wrong(self, what: Text, expected: Text, received: str | Text, fix: Text) -> Exception:
        prefix = "" if what.en.startswith(self.title) else f"{self.title} : "
        return InvalidArgument(
            Text(prefix + what.en, f"{self.op_name()}：{what.zh}"),
            expected=expected,
            received=received,
            fix=fix,
            at=self.place(),
        )


_MISSING = object()


def _kind(value: Any) -> str:
    kind = type(value)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return f"{module}{kind.__name__}"
