"""What a recording asks about the things of a framework; minipaddle's answers."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

import minipaddle
from minipaddle import Tensor, events


class Framework:
    """What a recording asks about things in variables; this one knows minipaddle's.

    `called` is its name in documents; `tensor` and `layer` are the classes of tensors and layers.
    """

    called = ""
    tensor: Any = Tensor
    layer: Any = minipaddle.nn.Layer

    def emitting(self) -> AbstractContextManager[Any]:
        """Return a block inside which the framework emits events; the engine always does."""
        return nullcontext()

    def ranks(self) -> tuple[int, int] | None:
        """Return the rank of this process and the number of ranks; None for a lone process."""
        return events.among()

    def can_stop(self) -> bool:
        """Return whether the block of `emitting` can end now, where it does not stand."""
        return True

    def number_of(self, tensor: Any) -> int:
        """Return the number by which events refer to a tensor; 0 if no event has shown it."""
        return events.number_of(tensor)

    def give_number(self, tensor: Any) -> int:
        """Return the number by which events refer to a tensor, given now if it has none."""
        return events.give_number(tensor)

    def is_complete(self, layer: Any) -> bool:
        """Return whether a layer's class has called `super().__init__()`."""
        return hasattr(layer, "_full_name")

    def name_of(self, layer: Any) -> str:
        """Return the name of a layer in events."""
        return str(layer._display_name())

    def tensors_of(self, layer: Any) -> list[tuple[str, Any]]:
        """Return a layer's parameters and buffers, but not the variables of a Program.

        Return none if the layer raises, for example because it did not call `super().__init__()`.
        """
        with suppress(Exception):
            named = [*layer.named_parameters(), *layer.named_buffers()]
            return [(path, value) for path, value in named if isinstance(value, self.tensor)]
        return []
