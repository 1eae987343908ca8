"""Settings of a layer and all its sublayers: mode, dtype, device, trainable parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from ..device import place_named
from ..engine.dtypes import DType
from ..engine.errors import InvalidArgument
from ..ops.arguments import as_list
from . import errors
from .support import convert
from .tree import Tree


class Settings(Tree):
    """Base class with the methods of Layer that change the layer and all its sublayers."""

    def train(self, mode: bool = True) -> Self:
        """Set training mode, in which dropout drops. Returns the layer."""
        for layer in self.sublayers(include_self=True):
            layer.__dict__["training"] = mode
        return self

    def eval(self) -> Self:
        """Set eval mode, in which dropout keeps everything. Returns the layer."""
        return self.train(False)

    def apply(self, fn: Callable[[Any], Any]) -> Self:
        """Call `fn(layer)` for every sublayer, then for this layer."""
        for layer in self._sub_layers.values():
            layer.apply(fn)
        fn(self)
        return self

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Train all parameters, or with False none. Returns the layer."""
        for parameter in self.parameters():
            parameter.stop_gradient = not requires_grad
        return self

    def clear_gradients(self, set_to_zero: bool = True) -> None:
        """Set the gradients of all parameters to zeros, or with False to None."""
        for parameter in self.parameters():
            parameter.clear_gradient(set_to_zero)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set the gradients of all parameters to None, or with False to zeros."""
        self.clear_gradients(not set_to_none)

    # ----- dtype and device -----

    def to(
        self,
        device: Any = None,
        dtype: Any = None,
        blocking: bool | None = None,  # noqa: ARG002
        non_blocking: bool | None = None,  # noqa: ARG002
    ) -> Self:
        """Move every parameter and buffer to this device, and those of floats to this dtype, in
        place. Returns the layer."""
        place = None if device is None else place_named(device)
        self._convert_layers(place, None if dtype is None else DType.of(dtype), ())
        return self

    def _convert_layers(self, place: Any, kind: DType | None, without: tuple[Any, ...]) -> None:
        for layer in self.sublayers(include_self=True):
            if isinstance(layer, without) or any(layer is one for one in without):
                continue
            layer.__dict__["_dtype"] = kind or layer._dtype
            for value in (*layer._parameters.values(), *layer._buffers.values()):
                if value is not None:
                    convert(value, place, kind)

    def astype(self, dtype: Any = None) -> Self:
        """Convert floating-point parameters and buffers to this dtype. Returns the layer."""
        if dtype is None:
            raise errors.wrong_type(
                "astype(): dtype is missing.", None, "a dtype", "name it", InvalidArgument
            )
        return self.to(dtype=dtype)

    def type(self, dst_type: Any) -> Self:
        """Do what `astype` does."""
        return self.astype(dst_type)

    def _convert_to_float(self, dtype: str, excluded: Any) -> Self:
        """Convert all layers but the ones of excluded classes."""
        kinds = () if excluded is None else tuple(as_list(excluded))
        if not all(isinstance(kind, type) for kind in kinds):
            what = "excluded_layers must be a class of layers, or a list of them."
            expected, fix = "for example [paddle.nn.BatchNorm2D]", "give the class, not a layer"
            raise errors.wrong_type(what, excluded, expected, fix, InvalidArgument)
        self._convert_layers(None, DType.of(dtype), kinds)
        return self

    def float(self, excluded_layers: Any = None) -> Self:
        """Convert floating-point parameters and buffers to float32. Returns the layer."""
        return self._convert_to_float("float32", excluded_layers)

    def float16(self, excluded_layers: Any = None) -> Self:
        """Convert floating-point parameters and buffers to float16. Returns the layer."""
        return self._convert_to_float("float16", excluded_layers)

    def half(self) -> Self:
        """Do what `float16` does."""
        return self._convert_to_float("float16", None)

    def double(self) -> Self:
        """Convert floating-point parameters and buffers to float64. Returns the layer."""
        return self._convert_to_float("float64", None)

    def cpu(self) -> Self:
        """Move every parameter and buffer to the host. Returns the layer."""
        return self.to("cpu")

    def cuda(self, device: Any = None) -> Self:
        """Move every parameter and buffer to a CUDA device. Returns the layer."""
        return self.to(f"gpu:{device or 0}" if isinstance(device, (int, type(None))) else device)
