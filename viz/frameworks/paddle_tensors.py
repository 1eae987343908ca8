"""Tensors and layers of Paddle, as events show them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

import numpy as np
import paddle
from paddle.base import core, framework
from paddle.nn.layer.layers import _convert_camel_to_snake

from minipaddle import events
from minipaddle.events import Seen, Value

from .groups import Place
from .things import ForeignThings, among

Tensor = core.eager.Tensor
GRAD = vars(Tensor)["grad"].__get__  # reads `.grad`, also while it is patched
tensors_in = partial(among, tensor=Tensor)
WIDE = ("bfloat16", "float8_e4m3fn", "float8_e5m2")  # dtypes whose `numpy()` has only bits


class Node:
    """A grad node of Paddle that a recording knows, with the nodes that its gradients go to.

    It lives as long as Paddle's node: it belongs to the tensors that the node has made, and to the
    nodes after it. So the address of a node in the table is never that of another, later one.
    """

    def __init__(self, node: Any, place: Place | None = None, leaf: int = 0) -> None:
        self.node, self.place, self.leaf = node, place, leaf
        self.following: list[Node | None] = []
        self.listed = False  # whether it computes lists of gradients, which no hook may return


@dataclass(slots=True)
class Known:
    """What a recording knows of a tensor: its number, the node that made it, and the output."""

    number: int
    node: Node | None = None
    slot: int = 0


UNKNOWN: tuple[Any, Any] = (lambda: None, None)


class PaddleThings(ForeignThings):
    """Numbers of tensors and names of layers in one recording."""

    called = "paddle"
    tensor = Tensor
    layer = paddle.nn.Layer

    def __init__(self) -> None:
        self.known: dict[int, tuple[Any, Any]] = {}  # hash of a tensor -> reference, facts
        self.named: dict[str, int] = {}  # name of a tensor -> hash of its last object
        self.nodes: WeakValueDictionary[int, Node] = WeakValueDictionary()  # address -> node
        self.holders: dict[int, tuple[int, Any]] = {}  # leaf -> number of its .grad, and state
        self.roles: WeakKeyDictionary[Any, str] = WeakKeyDictionary()  # sublayer -> its role
        self.reported: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()
        self.inside = 0  # calls of Paddle that run now, and work of the recorder

    @contextmanager
    def unseen(self) -> Iterator[None]:
        """Return a block in which no op is seen."""
        self.inside += 1
        try:
            yield
        finally:
            self.inside -= 1

    # ----- tensors -------------------------------------------------------------------------------

    def facts(self, tensor: Any) -> Known | None:
        """Return what is known of a tensor, which may have another object in Python now."""
        weak, known = self.known.get(hash(tensor), UNKNOWN)
        if weak() is tensor:
            return known
        weak, known = self.known.get(self.named.get(tensor.name, 0), UNKNOWN)
        other = weak()
        if other is None or not is_same(tensor, other):
            return None
        self.note(tensor, known)
        return known

    def note(self, tensor: Any, known: Any) -> None:
        """Remember what is known of a tensor as long as its object lives."""
        at, name = hash(tensor), tensor.name
        self.named[name] = at
        self.known[at] = ref(tensor, lambda gone: self.forget(at, name, gone)), known

    def number_of(self, tensor: Any) -> int:
        known = self.facts(tensor) if isinstance(tensor, Tensor) else None
        return 0 if known is None else known.number

    def give_number(self, tensor: Any) -> int:
        known = self.facts(tensor)
        return self.renumber(tensor) if known is None else known.number

    def renumber(self, tensor: Any, number: int = 0) -> int:
        """Give a tensor a new number: an in-place op has made it another result."""
        number = number or events.new_number()
        self.note(tensor, Known(number))
        return number

    def forget(self, at: int, name: str, gone: Any) -> None:
        """Forget a tensor that is gone, unless its place is another one's already."""
        if self.known.get(at, UNKNOWN)[0] is gone:
            del self.known[at]
            if self.named.get(name) == at:
                del self.named[name]

    def alive(self) -> list[Any]:
        """Return the known tensors that still exist."""
        return [each for each in (weak() for weak, _ in [*self.known.values()]) if each is not None]

    def seen(self, tensor: Any, copy: bool = False) -> Seen:  # noqa: ARG002
        """Return a tensor as an event shows it."""
        number, is_parameter = self.give_number(tensor), is_parameter_(tensor)
        return Seen(
            number,
            tensor.name if is_parameter else "",
            self.value_of(tensor),
            bool(tensor.stop_gradient),
            bool(tensor.is_leaf),
            "parameter" if is_parameter else "tensor",
            0 if tensor.is_selected_rows() else int(tensor.inplace_version),
        )

    def value_of(self, tensor: Any) -> Value:
        """Return a copy of the values of a tensor."""
        dtype = str(tensor.dtype).removeprefix("paddle.")
        with self.unseen(), paddle.no_grad():
            if not tensor._is_initialized() and tensor.size:
                return Value(tuple(tensor.shape), dtype)
            array = array_of(tensor, dtype)
        return Value(array.shape, dtype, array)

    def node_of(self, node: Any) -> Node:
        """Return what is known of a grad node of Paddle."""
        address = node.node_ptr()
        known = self.nodes.get(address)
        if known is None:
            known = self.nodes[address] = Node(node)
        return known

    # ----- layers --------------------------------------------------------------------------------

    def is_complete(self, layer: Any) -> bool:
        return "_sub_layers" in vars(layer)

    def tensors_of(self, layer: Any) -> list[tuple[str, Any]]:
        if self.is_complete(layer):
            self.find_roles(layer)
        return super().tensors_of(layer)

    def find_roles(self, layer: Any) -> None:
        """Note by which names the layers inside of a layer are called."""
        for role, inner in layer._sub_layers.items():
            if inner is not None and inner not in self.roles:
                self.roles[inner] = role
                self.find_roles(inner)

    def name_of(self, layer: Any) -> str:
        """Return the name of a layer, which is that of the same layer in minipaddle."""
        self.find_roles(layer)
        kind, role = type(layer).__name__, self.roles.get(layer)
        if role:
            return f"{kind} {role}"
        scope, _, number = layer._full_name.rpartition("_")
        return f"{kind}_{number}" if scope == _convert_camel_to_snake(kind) else layer._full_name

    def members(self, layer: Any) -> dict[str, str]:
        """Map paths to parameters and buffers to their names; once those of inner layers, too."""
        deep = layer not in self.reported
        self.reported[layer] = True
        named = [*layer.named_parameters(include_sublayers=deep)]
        named += layer.named_buffers(include_sublayers=False)
        return {path: each.name for path, each in named}


def is_same(one: Any, other: Any) -> bool:
    """Return whether two objects of one name are the same tensor of Paddle."""
    there = one._is_initialized() and other._is_initialized()
    return there and one.data_ptr() == other.data_ptr() and one.is_leaf == other.is_leaf


def is_parameter_(tensor: Any) -> bool:
    """Return whether a tensor is a parameter of a layer."""
    return isinstance(tensor, framework.EagerParamBase)


def array_of(tensor: Any, dtype: str) -> Any:
    """Return the numbers of a tensor as an array."""
    if tensor.is_selected_rows():  # a gradient of some rows, such as that of a sparse embedding
        parts, held = tensor._get_tensor_from_selected_rows().numpy(), tensor.get_selected_rows()
        whole = np.zeros((held.height(), *parts.shape[1:]), parts.dtype)
        np.add.at(whole, list(held.rows()), parts)
        return whole
    dense = tensor if tensor.is_dense() else tensor.to_dense()
    return (dense.astype("float32") if dtype in WIDE else dense).numpy()
