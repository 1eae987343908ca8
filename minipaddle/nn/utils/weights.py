"""Weights that a layer computes from other tensors before each call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...engine import modes
from ...engine.errors import AlreadyExists, CheckFailed, InvalidName, InvalidType
from ...engine.grad_mode import no_grad
from ...errors import misfit, require
from ...ops.making.creation import assign
from ...ops.making.sampling import normal
from ...ops.rule_functions import GRAPH as ops
from ...static.program import default_startup_program, program_guard
from .. import functional as F
from ..common import Linear
from ..conv import Conv1DTranspose, Conv2DTranspose, Conv3DTranspose
from ..functional.norm import divide_by_norm
from ..layer import Layer
from .gradients import require_dynamic

COLUMNS_FIRST = (Conv1DTranspose, Conv2DTranspose, Conv3DTranspose, Linear)  # [in, out, ...]


class ComputedWeight(NamedTuple):
    """Hook before a layer's call: sets the weight of this name."""

    function: str
    name: str
    compute: Callable[[Any], Any]

    def __call__(self, layer: Any, _inputs: Any) -> None:
        setattr(layer, self.name, self.compute(layer))


def _number_of(layer: Any, function: str, name: str) -> int | None:
    """Return the number of the hook that this function attached to a layer's weight."""
    require(isinstance(layer, Layer), function, "a Layer", InvalidType, layer=layer)
    for number, entry in layer._before.items():
        if isinstance(entry.hook, ComputedWeight) and entry.hook[:2] == (function, name):
            return int(number)
    return None


def _weight_of(layer: Any, function: str, name: str) -> Any:
    """Return a parameter of a layer that has no such hook yet."""
    if _number_of(layer, function, name) is not None:
        fix = "call it once for each weight"
        raise misfit(function, f"no {function} yet", AlreadyExists, fix, name=name)
    known = ", ".join(layer._parameters)
    require(name in layer._parameters, function, f"one of {known}", InvalidName, name=name)
    return layer._parameters[name]


def weight_norm(layer: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """Let a layer learn the lengths g and the directions v of its weight apart: w = g · v / ‖v‖.

    Along `dim` each slice has its own length; None or −1 give the whole weight one. The parameters
    are `weight_v` and `weight_g`; `weight` is computed before each call.

    Shapes: g has one length for each slice. Dtypes: those of the weight.
    Errors: KeyError if there is no such parameter, RuntimeError for a second call, AssertionError
    if there is no such axis. Source: Paddle's `paddle.nn.utils.weight_norm`.

    >>> import minipaddle as paddle
    >>> layer = paddle.nn.utils.weight_norm(paddle.nn.Linear(3, 2))
    >>> [(name, p.shape) for name, p in layer.named_parameters() if name != "bias"]
    [('weight_v', paddle.Size([3, 2])), ('weight_g', paddle.Size([3]))]
    """
    weight = _weight_of(layer, "weight_norm", name)
    rank, own = len(weight.shape), dim not in (None, -1)
    require(-rank <= (dim or 0) < rank, "weight_norm", f"an axis of {rank}", CheckFailed, dim=dim)
    others = [axis for axis in range(rank) if not own or axis != (dim or 0) % rank]

    def lengths_of(v: Any) -> Any:
        return ops.sqrt(ops.sum(ops.square(v), axis=others, keepdim=True))

    def compute(layer: Any) -> Any:
        v, g = (getattr(layer, f"{name}_{letter}") for letter in "vg")
        lengths = ops.clip(lengths_of(v), min=1e-12)
        return v / lengths * ops.reshape(g, lengths.shape)

    delattr(layer, name)
    for letter, shape in (("v", weight.shape), ("g", [weight.shape[dim or 0]] if own else [])):
        layer.add_parameter(f"{name}_{letter}", layer.create_parameter(shape, dtype=weight.dtype))
    v, g = (layer._parameters[f"{name}_{letter}"] for letter in "vg")
    with program_guard(default_startup_program()) if modes.is_static() else no_grad():
        assign(weight, v)
        assign(ops.reshape(lengths_of(weight), g.shape), g)
    hook = ComputedWeight("weight_norm", name, compute)
    hook(layer, ())
    layer.register_forward_pre_hook(hook)
    return layer


def remove_weight_norm(layer: Any, name: str = "weight") -> Any:
    """Let a layer learn its weight as a whole again, from the numbers that it has now.

    Shapes and dtypes: those of the weight.
    Errors: ValueError if weight_norm was not called for it.
    Source: Paddle's `paddle.nn.utils.remove_weight_norm`.

    >>> import minipaddle as paddle
    >>> layer = paddle.nn.utils.weight_norm(paddle.nn.Linear(3, 2))
    >>> sorted(paddle.nn.utils.remove_weight_norm(layer).state_dict())
    ['bias', 'weight']
    """
    number = _number_of(layer, "weight_norm", name)
    require(number is not None, "remove_weight_norm", "a weight under weight_norm", name=name)
    values = layer._before.pop(number).hook.compute(layer)
    for attribute in (name, f"{name}_v", f"{name}_g"):
        delattr(layer, attribute)
    made = layer.create_parameter(values.shape, dtype=values.dtype)
    layer.add_parameter(name, made).set_value(values)
    return layer


def spectral_norm(
    layer: Any,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Any:
    """Divide a layer's weight by its largest singular value before each call.

    The value is estimated: in training mode each call improves the buffers `weight_u` and
    `weight_v` by power iterations. The parameter is `weight_orig`. The rows of the matrix are along
    `dim`: 1 for Linear and transposed convolutions, else 0.

    Dtypes: those of the weight.
    Errors: KeyError if there is no such parameter, RuntimeError for a second call or in static
    mode, ValueError unless n_power_iterations > 0.
    Source: Paddle's `paddle.nn.utils.spectral_norm`.

    >>> import minipaddle as paddle
    >>> layer = paddle.nn.utils.spectral_norm(paddle.nn.Linear(2, 2), n_power_iterations=50)
    >>> y = layer(paddle.ones([1, 2]))
    >>> round(float(paddle.linalg.svdvals(layer.weight)[0]), 3)
    1.0
    """
    require_dynamic("spectral_norm", "write the network in dynamic mode, and jit.to_static it")
    weight = _weight_of(layer, "spectral_norm", name)
    dim = int(isinstance(layer, COLUMNS_FIRST)) if dim is None else dim
    steps = {"n_power_iterations": n_power_iterations}
    require(n_power_iterations > 0, "spectral_norm", "n_power_iterations > 0", **steps)

    def compute(layer: Any) -> Any:
        weight, u, v = (getattr(layer, f"{name}_{part}") for part in ("orig", "u", "v"))
        steps = n_power_iterations if layer.training else 0
        divided, u, v = divide_by_norm(weight, u, v, dim, steps, eps)
        setattr(layer, f"{name}_u", u)
        setattr(layer, f"{name}_v", v)
        return divided

    delattr(layer, name)
    layer.add_parameter(f"{name}_orig", weight)
    setattr(layer, name, weight * 1.0)
    rows = weight.shape[dim]
    for letter, size in (("u", rows), ("v", weight.size // rows)):
        layer.create_parameter([size])  # as Paddle, for equal random numbers
        vector = F.normalize(normal(0.0, 1.0, [size]), axis=0, epsilon=eps)
        layer.register_buffer(f"{name}_{letter}", vector)
    layer.register_forward_pre_hook(ComputedWeight("spectral_norm", name, compute))
    return layer
