"""The methods of Tensor, which `install` copies onto the bare class of `engine.tensor`."""

from __future__ import annotations

from typing import Any
from weakref import ref

from .. import events
from ..device import namespace, place_of
from ..engine import backward, modes, naming, refusals
from ..engine.backward_events import emit_empty_pass
from ..engine.dtypes import DType
from ..engine.grad import dump_graph
from ..engine.meta import VarType
from ..engine.stop_reasons import passes
from ..engine.tensor import (
    Accumulation,
    Parameter,
    RetainGrad,
    Tensor,
    alias,
    detach,
    node_of,
    rare,
)
from ..ops import REGISTRY, catalog, operators
from . import drawing, errors, inplace, printing
from .creation import construct
from .memory import Memory
from .values import Size, Values


class TensorMethods:
    """Methods and properties of a Tensor that are no ops of the registry."""

    _data: Any
    _node: Any
    _grad: Any
    _rare: Any
    _stop: bool
    _version: Any

    # ----- properties -----

    @property
    def shape(self) -> Size:
        """The sizes of the axes.

        Dtypes: all. Errors: none. Source: Paddle's `paddle.Tensor.shape`.

        >>> paddle.ones([2, 3]).shape
        paddle.Size([2, 3])
        """
        return Size(self._data.shape)

    @property
    def dtype(self) -> DType:
        """The type of the elements.

        Shapes: any. Dtypes: all. Errors: none. Source: Paddle's `paddle.Tensor.dtype`.

        >>> paddle.ones([2]).dtype
        paddle.float32
        """
        return DType.of(self._data.dtype)

    @property
    def ndim(self) -> int:
        """The number of axes.

        Shapes: [2, 3] gives 2. Dtypes: all. Errors: none.
        Source: Paddle's `paddle.Tensor.ndim`.

        >>> paddle.ones([2, 3]).ndim
        2
        """
        return int(self._data.ndim)

    @property
    def size(self) -> int:
        """The number of elements.

        Shapes: [2, 3] gives 6. Dtypes: all. Errors: none.
        Source: Paddle's `paddle.Tensor.size`.

        >>> paddle.ones([2, 3]).size
        6
        """
        return int(self._data.size)

    @property
    def place(self) -> Any:
        """The device that holds the values.

        Shapes and dtypes do not matter. Errors: none. Source: Paddle's `paddle.Tensor.place`.

        >>> paddle.ones([1]).cpu().place
        Place(cpu)
        """
        return place_of(self._data)

    @property
    def T(self) -> Any:
        """The tensor with its axes in reverse order; the tensor itself if it has one axis.

        Shapes: for example [2, 3] gives [3, 2]. Dtypes: all kept. Errors: none.
        Source: Paddle's `paddle.Tensor.T`.

        >>> paddle.ones([2, 3]).T.shape
        paddle.Size([3, 2])
        """
        if self._data.ndim == 1:
            return self
        return REGISTRY["transpose"].call(self, perm=tuple(range(self._data.ndim))[::-1])

    @property
    def name(self) -> str:
        """The tensor's name, made when it is first asked for.

        Shapes and dtypes do not matter. Errors: TypeError if it is set to anything but a str or
        None.
        Source: Paddle's `paddle.Tensor.name`.

        >>> x = paddle.ones([1])
        >>> x.name = "weight"
        >>> x.name
        'weight'
        """
        record = self._rare or rare(self)  # type: ignore[arg-type]
        if record.name is None:
            record.name = naming.tensor_name("eager_tmp")
        return record.name

    @name.setter
    def name(self, name: str | None) -> None:
        if name is not None and not isinstance(name, str):
            raise errors.no_name(name)
        rare(self).name = name or None  # type: ignore[arg-type]

    @property
    def stop_gradient(self) -> bool:
        """Whether backward stops here; False for a result if it is False for an input of the op.

        Shapes and dtypes do not matter. Errors: TypeError if it is set to anything but a bool.
        Source: Paddle's `paddle.Tensor.stop_gradient`.

        >>> x = paddle.to_tensor([3.0])
        >>> x.stop_gradient = False
        >>> (x * 2).stop_gradient
        False
        """
        return bool(self._stop)

    @stop_gradient.setter
    def stop_gradient(self, stop: bool) -> None:
        if not isinstance(stop, bool):
            raise refusals.no_bool("stop_gradient", stop, "x.stop_gradient = False")
        self._stop = stop

    @property
    def persistable(self) -> bool:
        """Whether the tensor persists from run to run: True for parameters, unless set.

        Nothing depends on it in dynamic mode. Shapes and dtypes do not matter.
        Errors: TypeError if it is set to anything but a bool.
        Source: Paddle's `paddle.Tensor.persistable`.

        >>> paddle.nn.Linear(2, 2).weight.persistable, paddle.ones([1]).persistable
        (True, False)
        """
        said = self._rare.persistable if self._rare else None
        return isinstance(self, Parameter) if said is None else bool(said)

    @persistable.setter
    def persistable(self, kept: bool) -> None:
        if not isinstance(kept, bool):
            raise refusals.no_bool("persistable", kept, "x.persistable = True")
        rare(self).persistable = kept  # type: ignore[arg-type]

    @property
    def type(self) -> int:
        """The kind of tensor: always dense here.

        Shapes and dtypes do not matter. Errors: none. Source: Paddle's `paddle.Tensor.type`.

        >>> print(paddle.ones([1]).type)
        VarType.DENSE_TENSOR
        """
        return VarType.DENSE_TENSOR

    @property
    def requires_grad(self) -> bool:
        """The opposite of stop_gradient.

        Shapes and dtypes do not matter. Errors: TypeError if it is set to anything but a bool.
        Source: Paddle's `paddle.Tensor.requires_grad`.

        >>> paddle.to_tensor([3.0], stop_gradient=False).requires_grad
        True
        """
        return not self._stop

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        self.stop_gradient = not wanted

    @property
    def is_leaf(self) -> bool:
        """Whether this tensor is a leaf: no op with a gradient made it.

        Shapes and dtypes do not matter. Errors: none. Source: Paddle's `paddle.Tensor.is_leaf`.

        >>> x = paddle.to_tensor([3.0], stop_gradient=False)
        >>> x.is_leaf, (x * 2).is_leaf
        (True, False)
        """
        return self._node is None

    @property
    def inplace_version(self) -> int:
        """The number of in-place changes of the values.

        Shapes and dtypes do not matter. Errors: none.
        Source: Paddle's `paddle.Tensor.inplace_version`.

        >>> x = paddle.zeros([2])
        >>> x.add_(paddle.ones([2])).inplace_version
        1
        """
        return int(self._version)

    @property
    def grad_fn(self) -> Any:
        """The node of the tape that made this tensor; None without a gradient.

        Shapes and dtypes do not matter. Errors: none. Source: Paddle's `paddle.Tensor.grad_fn`.

        >>> x = paddle.to_tensor([3.0], stop_gradient=False)
        >>> paddle.tanh(x).grad_fn.name(), x.grad_fn.name()
        ('TanhGradNode', 'GradNodeAccumulation')
        """
        if self._node is None:
            return None if self._stop else Accumulation(self)  # type: ignore[arg-type]
        return node_of(self._node)

    def dim(self) -> int:
        """Return the number of axes.

        Shapes: [2, 3] gives 2. Dtypes: all. Errors: none. Source: Paddle's `paddle.Tensor.dim`.

        >>> paddle.ones([2, 3]).dim()
        2
        """
        return self.ndim

    # ----- gradients -----

    @property
    def grad(self) -> Any:
        """The gradient that backward has added up; None before.

        Shapes and dtypes: those of this tensor. Errors: ValueError if it is set to anything but a
        Tensor or None. Source: Paddle's `paddle.Tensor.grad`.

        >>> x = paddle.to_tensor([3.0], stop_gradient=False)
        >>> (x * x).backward()
        >>> x.grad.tolist()
        [6.0]
        """
        tracer = modes.tracer()
        if tracer is not None:
            return tracer.training.read(self)
        gradient = self._grad
        if gradient is None and events.heard():
            from ..engine.why_no_grad import emit_missed_gradient  # a large module, rarely needed

            emit_missed_gradient(self)  # type: ignore[arg-type]
        return gradient

    @grad.setter
    def grad(self, value: Any) -> None:
        modes.refuse_if_traced("x.grad = ...")
        if value is not None and not isinstance(value, Tensor):
            raise errors.no_tensor(
                "grad", value, "a Tensor or None", "wrap it: paddle.to_tensor(...)"
            )
        if value is None:
            rare(self).cleared = passes.number  # type: ignore[arg-type]
        elif self._grad is not None and value._stop and not self._grad._stop:
            value = alias(value, False)  # stop_gradient False, as the old gradient has
        self._grad = value

    def backward(
        self,
        grad_tensor: Any = None,
        retain_graph: bool = False,
        *,
        dump_backward_graph_path: str | None = None,
    ) -> None:
        """Add d(this)/d(leaf) to the `.grad` of every leaf that this tensor depends on.

        With `dump_backward_graph_path` the graph is also written there, for Graphviz.

        Shapes and dtypes: grad_tensor has those of this tensor; None stands for ones.
        Errors: AssertionError if grad_tensor is not a Tensor of this shape; SystemError, as in
        Paddle, for a second backward through a graph that was not retained.
        Source: Paddle's `paddle.Tensor.backward`.

        >>> x = paddle.to_tensor([3.0], stop_gradient=False)
        >>> (x * x).backward()
        >>> x.grad.tolist()
        [6.0]
        """
        if grad_tensor is not None and not isinstance(grad_tensor, Tensor):
            raise errors.no_tensor_to_start_with(grad_tensor)
        seed = backward.make_seed(self, grad_tensor)  # type: ignore[arg-type]
        if dump_backward_graph_path is not None:
            dump_graph(dump_backward_graph_path, [self])  # type: ignore[list-item]
        passes.number += 1
        passes.roots = (ref(self),)
        if not self._stop:
            given = None if grad_tensor is None else [grad_tensor]
            backward.run([self], [seed], retain_graph, given)
        elif events.heard():
            emit_empty_pass(self)  # type: ignore[arg-type]

    def gradient(self) -> Any:
        """Return the gradient as a NumPy array, or None.

        Shapes and dtypes: those of this tensor. Errors: none.
        Source: Paddle's `paddle.Tensor.gradient`.

        >>> x = paddle.to_tensor([3.0], stop_gradient=False)
        >>> (x * x).backward()
        >>> x.gradient().tolist()
        [6.0]
        """
        grad = self.grad
        return None if grad is None else grad.numpy()

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Set the gradient to zeros; to None with False, or for the weight of a sparse embedding.

        Shapes and dtypes: zeros have those of the gradient. Errors: none.
        Source: Paddle's `paddle.Tensor.clear_grad`.

        >>> x = paddle.to_tensor([3.0], stop_gradient=False)
        >>> (x * x).backward()
        >>> x.clear_grad()
        >>> x.grad.tolist()
        [0.0]
        """
        tracer = modes.tracer()
        if tracer is not None:
            tracer.training.clear(self, set_to_zero)
            return
        record = self._rare or rare(self)  # type: ignore[arg-type]
        record.cleared = passes.number
        if self._grad is not None and set_to_zero and not record.sparse:
            held = self._grad._data
            self._grad = Tensor(namespace(held).zeros_like(held), self._grad._stop)
        else:
            self._grad = None

    clear_gradient = clear_grad

    def register_hook(self, hook: Any) -> Any:
        """Call `hook(grad)` when this tensor's gradient is complete; a result replaces it.

        Shapes and dtypes: a result has those of the gradient.
        Errors: RuntimeError for a tensor that wants no gradient; in backward TypeError for a result
        that is no Tensor, RuntimeError for another dtype, ValueError for another shape.
        Source: Paddle's `paddle.Tensor.register_hook`.

        >>> x = paddle.to_tensor([3.0], stop_gradient=False)
        >>> handle = x.register_hook(lambda grad: grad * 10)
        >>> (x * x).backward()
        >>> x.grad.tolist(), handle.remove()
        ([60.0], True)
        """
        if self._stop:
            raise errors.no_gradient_to_hook(self._data.shape)
        modes.refuse_if_traced("register_hook")
        owner = rare(self) if self._node is None else self._node  # type: ignore[arg-type]
        return TensorHookRemoveHelper(*owner.add_hook(hook))

    def retain_grads(self) -> None:
        """Store the gradient of a tensor that is not a leaf, too; under `no_grad` do nothing.

        Shapes and dtypes: the gradient has those of this tensor. Errors: none.
        Source: Paddle's `paddle.Tensor.retain_grads`.

        >>> y = paddle.to_tensor([3.0], stop_gradient=False) * 2
        >>> y.retain_grads()
        >>> (y * y).backward()
        >>> y.grad.tolist()
        [12.0]
        """
        wanted = self._node is not None and not self._stop and modes.grad_enabled.get()
        if wanted and not self._node.retains(self):
            self._node.add_hook(RetainGrad(self))  # type: ignore[arg-type]

    def detach(self) -> Any:
        """Return a new leaf in the same memory, outside the graph.

        Shapes and dtypes: all kept. Errors: none. Source: Paddle's `paddle.Tensor.detach`.

        >>> x = paddle.to_tensor([1.0], stop_gradient=False)
        >>> (x * 2).detach().stop_gradient
        True
        """
        return detach(self, asked=True)  # type: ignore[arg-type]

    # ----- text -----

    def __repr__(self) -> str:
        return printing.tensor_text(self)  # type: ignore[arg-type]


class TensorHookRemoveHelper:
    """Handle of a registered hook, which can remove it."""

    def __init__(self, hooks: dict[int, Any], number: int) -> None:
        self._hooks = hooks
        self._hook_number = number

    def remove(self) -> bool:
        """Remove the hook; return whether it was still there."""
        return self._hooks.pop(self._hook_number, None) is not None


IN_EVERY_CLASS = {"__dict__", "__weakref__", "__module__", "__doc__", "__annotations__"}


def install() -> None:
    """Give Tensor its methods: those of this package, the operators, and every public op."""
    for methods in (TensorMethods, Values, Memory):
        for name, member in vars(methods).items():
            if name not in IN_EVERY_CLASS:
                setattr(Tensor, name, member)
    Tensor._construct = construct
    operators.install(Tensor)
    inplace.install(Tensor)
    drawing.install(Tensor)
    catalog.install(Tensor)


install()
