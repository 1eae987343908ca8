"""Layers made of layers: Sequential, LayerList."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..errors import InvalidArgument, OutOfRange
from .layer import Layer


class _Numbered(Layer):
    """Layers in order, found by position."""

    def _key(self, index: Any) -> str:
        """The name of the layer at a position, which may count from the end."""
        keys = list(self._sub_layers)
        if isinstance(index, str) and index in keys:
            return index
        if isinstance(index, int) and -len(keys) <= index < len(keys):
            return keys[index]
        raise OutOfRange(
            f"{type(self).__name__}: index {index} is out of range.",
            expected=f"an integer in range [{-len(keys)}, {len(keys)})",
            received=repr(index),
            fix="count from 0",
        )

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._of(list(self._sub_layers.items())[index])
        return self._sub_layers[self._key(index)]

    def _of(self, items: list[tuple[str, Layer]]) -> Any:
        raise NotImplementedError

    def __setitem__(self, index: Any, layer: Layer) -> None:
        self.add_sublayer(self._key(index), layer)

    def __len__(self) -> int:
        return len(self._sub_layers)

    def __iter__(self) -> Iterator[Layer]:
        return iter(self._sub_layers.values())

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

    def insert(self, index: int, layer: Layer) -> Any:
        """Put a layer before the one at `index`. Returns the container."""
        layers = list(self)
        layers.insert(index, layer)
        return self._renumber(layers)


class Sequential(_Numbered):
    """Layers applied one after another.

    Takes layers, or pairs of a name and a layer, or one ordered dict of them.
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
            elif isinstance(item, tuple) and len(item) == 2:
                self.add_sublayer(str(item[0]), item[1])
            else:
                raise InvalidArgument(
                    f"Sequential: argument {number} is neither a Layer nor a pair of a name and "
                    "a Layer.",
                    expected="Sequential(layer, layer, ...) or Sequential(('name', layer), ...)",
                    received=f"{type(item).__name__} {item!r:.40}",
                    fix="unpack a list: Sequential(*layers)",
                )

    def forward(self, x: Any) -> Any:
        for layer in self._sub_layers.values():
            x = layer(x)
        return x

    def _of(self, items: list[tuple[str, Layer]]) -> Any:
        return Sequential(*items)

    def __delitem__(self, index: Any) -> None:
        delattr(self, self._key(index))


class LayerList(_Numbered):
    """A list of layers that a layer owns.

    >>> import minipaddle as paddle
    >>> layers = paddle.nn.LayerList([paddle.nn.ReLU()])
    >>> len(layers.append(paddle.nn.Tanh()))
    2
    """

    def __init__(self, sublayers: Iterable[Layer] | None = None) -> None:
        super().__init__()
        self.extend(sublayers or ())

    def _of(self, items: list[tuple[str, Layer]]) -> Any:
        return LayerList(layer for _, layer in items)

    def __delitem__(self, index: Any) -> None:
        removed = self._key(index)
        self._renumber([layer for key, layer in self._sub_layers.items() if key != removed])
