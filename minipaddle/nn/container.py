"""Containers of layers, in order or by name: Sequential, LayerList, LayerDict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from typing import Any, ClassVar, Generic, TypeVar

from ..engine.errors import CheckFailed, InvalidArgument, InvalidType, OutOfRange
from . import errors
from .layer import Layer

Member = TypeVar("Member")


def pairs(name: str, items: Any) -> list[tuple[str, Any]]:
    """Return pairs of a name and a value, from a mapping or from a list of pairs."""
    if hasattr(items, "items"):
        return list(items.items())
    if not isinstance(items, Iterable):
        raise errors.no_pairs(name, items, CheckFailed)
    row = list(items)
    for item in row:
        if not isinstance(item, Sized):
            raise errors.no_pairs(name, item, InvalidType)
        if len(item) != 2:
            raise errors.no_pairs(name, item)
    return [(key, value) for key, value in row]


class _Numbered(Layer):
    """Base class of containers whose layers are found by position."""

    def _key_at(self, index: Any) -> str:
        """Return the name of the layer at a position; negative positions count from the end."""
        keys = list(self._sub_layers)
        if isinstance(index, str) and index in keys:
            return index
        if not isinstance(index, int):
            raise errors.no_such_key(self, index, keys)
        if -len(keys) <= index < len(keys):
            return keys[index]
        bounds = f"{-len(keys)} <= index < {len(keys)}"
        raise errors.misfit(type(self).__name__, bounds, OutOfRange, index=index)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._make_slice(list(self._sub_layers.items())[index])
        return self._sub_layers[self._key_at(index)]

    def _make_slice(self, items: list[tuple[str, Layer]]) -> Any:
        raise NotImplementedError

    def __setitem__(self, index: Any, layer: Layer) -> None:
        self.add_sublayer(self._key_at(index), layer)

    def __len__(self) -> int:
        return len(self._sub_layers)

    def __iter__(self) -> Iterator[Layer]:
        return iter(self._sub_layers.values())

    def _names_at(self, index: Any) -> list[str]:
        """Return the names of the layers at a position or in a slice."""
        keys = list(self._sub_layers)
        return keys[index] if isinstance(index, slice) else [self._key_at(index)]

    def _renumber(self, layers: list[Layer]) -> Any:
        for key in list(self._sub_layers):
            delattr(self, key)
        for number, layer in enumerate(layers):
            self.add_sublayer(str(number), layer)
        return self

    def append(self, layer: Layer) -> Any:
        """Add a layer at the end. Returns the container."""
        self.add_sublayer(str(len(self)), layer)
        return self

    def extend(self, layers: Iterable[Layer]) -> Any:
        """Add layers at the end. Returns the container."""
        for layer in layers:
            self.append(layer)
        return self

    def _insert_layer(self, index: int, layer: Layer) -> None:
        if not isinstance(index, int) or not -len(self) <= index <= len(self):
            bounds = f"an int, {-len(self)} <= index <= {len(self)}"
            raise errors.misfit(f"{type(self).__name__}.insert", bounds, CheckFailed, index=index)
        layers = list(self)
        layers.insert(index, layer)
        self._renumber(layers)


class Sequential(_Numbered):
    """Layers applied one after another.

    Takes layers, or pairs of a name and a layer, or one ordered dict of them.
    Dtypes: parameters are float32 by default; shapes are for `forward` to say.
    Errors: ValueError for an argument that is neither a Layer nor a pair of a name and a Layer.
    Source: Paddle's `paddle.nn.Sequential`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Sequential(paddle.nn.Linear(2, 3), paddle.nn.Tanh())
    Sequential(
      (0): Linear(in_features=2, out_features=3, dtype=float32)
      (1): Tanh()
    )
    """

    def __init__(self, *layers: Any) -> None:
        super().__init__()
        if len(layers) == 1 and isinstance(layers[0], Mapping):
            layers = tuple(layers[0].items())
        for number, item in enumerate(layers):
            if isinstance(item, Layer):
                self.add_sublayer(str(number), item)
            elif isinstance(item, (tuple, list)) and len(item) == 2:
                self.add_sublayer(str(item[0]), item[1])
            else:
                what = f"Sequential: argument {number} is neither a Layer nor a pair."
                expected = "Sequential(layer, layer, ...) or Sequential(('name', layer), ...)"
                fix = "unpack a list: Sequential(*layers)"
                raise errors.wrong_type(what, item, expected, fix, InvalidArgument)

    def forward(self, input: Any) -> Any:
        for layer in self._sub_layers.values():
            input = layer(input)
        return input

    def _make_slice(self, items: list[tuple[str, Layer]]) -> Any:
        return Sequential(*items)

    def __delitem__(self, index: Any) -> None:
        for key in self._names_at(index):
            delattr(self, key)

    def insert(self, index: int, module: Layer) -> Sequential:
        """Put a layer before the one at `index`. Returns the container."""
        self._insert_layer(index, module)
        return self


class LayerList(_Numbered):
    """A list of sublayers.

    Dtypes: parameters are float32 by default; shapes are for `forward` to say.
    Errors: AssertionError for an element that is not a Layer; IndexError for a number that is not
    there.
    Source: Paddle's `paddle.nn.LayerList`.

    >>> import minipaddle as paddle
    >>> layers = paddle.nn.LayerList([paddle.nn.ReLU()])
    >>> len(layers.append(paddle.nn.Tanh()))
    2
    """

    def __init__(self, sublayers: Iterable[Layer] | None = None) -> None:
        super().__init__()
        self.extend(sublayers or ())

    def _make_slice(self, items: list[tuple[str, Layer]]) -> Any:
        return LayerList(layer for _, layer in items)

    def __delitem__(self, index: Any) -> None:
        gone = self._names_at(index)
        self._renumber([layer for key, layer in self._sub_layers.items() if key not in gone])

    def insert(self, index: int, sublayer: Layer) -> None:
        """Put a layer before the one at `index`."""
        self._insert_layer(index, sublayer)

    def pop(self, index: int = -1) -> Layer:
        """Take a layer out, the last one by default, and return it."""
        layer: Layer = self[index]
        del self[index]
        return layer


class NamedMembers(Layer, Generic[Member]):
    """Base class of containers whose members are found by name."""

    _table: ClassVar[str]  # attribute that holds the members

    def __getitem__(self, key: str) -> Member:
        members: dict[str, Member] = getattr(self, self._table)
        if key not in members:
            raise errors.no_such_key(self, key, members)
        return members[key]

    def __len__(self) -> int:
        return len(getattr(self, self._table))

    def __iter__(self) -> Iterator[str]:
        return iter(getattr(self, self._table))

    def __contains__(self, key: object) -> bool:
        return key in getattr(self, self._table)


class LayerDict(NamedMembers[Layer]):
    """Layers by name, in the order in which they came.

    Dtypes: parameters are float32 by default; shapes are for `forward` to say.
    Errors: AssertionError for a value that is not a Layer; KeyError for a name that is not there.
    Source: Paddle's `paddle.nn.LayerDict`.

    >>> import minipaddle as paddle
    >>> layers = paddle.nn.LayerDict({"act": paddle.nn.ReLU()})
    >>> layers["out"] = paddle.nn.Tanh()
    >>> list(layers)
    ['act', 'out']
    """

    _table = "_sub_layers"

    def __init__(self, sublayers: Any = None) -> None:
        super().__init__()
        if sublayers is not None:
            self.update(sublayers)

    def __setitem__(self, key: str, sublayer: Layer) -> None:
        self.add_sublayer(key, sublayer)

    def __delitem__(self, key: str) -> None:
        self.pop(key)

    def clear(self) -> None:
        """Take all layers out."""
        for key in list(self._sub_layers):
            delattr(self, key)

    def pop(self, key: str) -> Layer:
        """Take a layer out and return it; KeyError for a name that is not there."""
        layer = self[key]
        delattr(self, key)
        return layer

    def keys(self) -> Any:
        """Return the names."""
        return self._sub_layers.keys()

    def values(self) -> Any:
        """Return the layers."""
        return self._sub_layers.values()

    def items(self) -> Any:
        """Return pairs of name and layer."""
        return self._sub_layers.items()

    def update(self, sublayers: Any) -> None:
        """Add the layers of a dict, of pairs or of another LayerDict."""
        for key, layer in pairs("LayerDict", sublayers):
            self.add_sublayer(key, layer)
