"""Clipping of the gradients of parameters, in place."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ...device import namespace
from ...engine import modes
from ...engine.dtypes import DType
from ...engine.errors import CheckFailed, NotFound, OutOfRange, PreconditionNotMet
from ...engine.grad_mode import no_grad
from ...engine.tensor import Tensor, change_of, changed_in_place, run_in_frame
from ...ops.rule_functions import GRAPH as ops
from ...ops.rule_functions import array_functions
from ...ops.widening import wider_dtype
from .. import errors
from ..clip import norm_to_clip

NORMS = (math.inf, 0, 1, 2)


def clip_grad_norm_(
    parameters: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False
) -> Any:
    """Scale the gradients by one factor, so that their global norm is at most max_norm.

    Call it between `backward()` and `step()`. Returns the norm before: of order `norm_type`, one
    of inf, 0, 1 and 2. NotFound (RuntimeError) for a norm that is inf or nan, if
    `error_if_nonfinite`. Source: Paddle's `paddle.nn.utils.clip_grad_norm_`.

    Dtypes: floating; gradients keep shape and dtype.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([0.0, 0.0], stop_gradient=False)
    >>> (w * paddle.to_tensor([3.0, 4.0])).sum().backward()
    >>> float(paddle.nn.utils.clip_grad_norm_([w], max_norm=2.5))
    5.0
    >>> [round(g, 4) for g in w.grad.tolist()]
    [1.5, 2.0]
    """
    require_dynamic("clip_grad_norm_")
    limit = norm_to_clip("clip_grad_norm_", "max_norm", max_norm)
    errors.require_choice("clip_grad_norm_", "norm_type", norm_type, NORMS)
    grads = _gradients_of(parameters)
    if not grads:
        return ops.full(shape=[], fill_value=0.0, dtype="float32")

    def clip() -> Any:
        with no_grad():
            total = _global_norm(grads, float(norm_type))
            if error_if_nonfinite and not math.isfinite(float(total)):
                fix = "look for inf and nan in the loss, or set error_if_nonfinite=False"
                found = {"norm": float(total)}
                raise errors.misfit("clip_grad_norm_", "a finite norm", NotFound, fix, **found)
            factor = ops.clip(limit / (total + 1e-6), max=1.0)
        for grad in grads:
            change = change_of("multiply", {}, grad, factor)
            grad._data *= factor._data
            changed_in_place(grad, change, by="clip_grad_norm_")
        return total.astype(grads[0].dtype)

    return run_in_frame("update", "clip_grad_norm_", clip)


def clip_grad_value_(parameters: Any, clip_value: float) -> None:
    """Limit every element of the gradients to [-clip_value, clip_value].

    Source: Paddle's `paddle.nn.utils.clip_grad_value_`.

    Dtypes: floating; gradients keep shape and dtype.
    Errors: TypeError for parameters that are not Tensors.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([0.0, 0.0], stop_gradient=False)
    >>> (w * paddle.to_tensor([3.0, -0.25])).sum().backward()
    >>> paddle.nn.utils.clip_grad_value_([w], 0.5)
    >>> w.grad.tolist()
    [0.5, -0.25]
    """
    require_dynamic("clip_grad_value_")
    limit = float(clip_value)

    def clip() -> None:
        for grad in _gradients_of(parameters):
            F = array_functions(namespace(grad._data))
            change = change_of("clip", {"min": -limit, "max": limit}, grad)
            grad._data[...] = F.clip(grad._data, min=-limit, max=limit)
            changed_in_place(grad, change, by="clip_grad_value_")

    run_in_frame("update", "clip_grad_value_", clip)


def _gradients_of(parameters: Any) -> list[Any]:
    listed: Iterable[Any] = [parameters] if isinstance(parameters, Tensor) else parameters
    return [param._grad for param in listed if param._grad is not None]


def _global_norm(grads: list[Any], order: float) -> Any:
    """Return the global norm of all gradients: the norm of their norms."""
    kind = DType.of(wider_dtype(grads[0]._data.dtype))
    norms = [ops.p_norm(grad.astype(kind), porder=order) for grad in grads]
    return ops.p_norm(ops.stack(norms), porder=order)


CLIP = "give the optimizer grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0)"


def require_dynamic(name: str, fix: str = CLIP) -> None:
    """Raise an error in static mode."""
    if modes.is_static():
        what = f"{name}: this API can only run in dynamic mode."
        raise errors.wrong_mode(what, wanted="dynamic", fix=fix, kind=PreconditionNotMet)


# ----- parameters as one vector ------------------------------------------------------------------


def parameters_to_vector(parameters: Any, name: str | None = None) -> Any:  # noqa: ARG001
    """Return the values of all parameters one after the other, as a new leaf of one dimension.

    Source: Paddle's `paddle.nn.utils.parameters_to_vector`.

    Dtypes: that of the parameters.
    Errors: TypeError for anything that has no elements.

    >>> import minipaddle as paddle
    >>> layer = paddle.nn.Linear(3, 2)
    >>> paddle.nn.utils.parameters_to_vector(layer.parameters()).shape
    paddle.Size([8])
    """
    arrays = [param._data.reshape(-1) for param in parameters]
    if not arrays:
        expected = "at least one parameter"
        raise errors.misfit("parameters_to_vector", expected, OutOfRange, parameters=[])
    return Tensor(namespace(arrays[0]).concatenate(arrays), False)


def vector_to_parameters(vec: Any, parameters: Any, name: str | None = None) -> None:  # noqa: ARG001
    """Set the values of the parameters from a vector; elements left over at its end are unused.

    ValueError if the vector is too short. Source: Paddle's
    `paddle.nn.utils.vector_to_parameters`.

    Shapes: [n] with as many elements as the parameters have. Dtypes: theirs.

    >>> import minipaddle as paddle
    >>> layer = paddle.nn.Linear(1, 2)
    >>> paddle.nn.utils.vector_to_parameters(paddle.arange(4.0), layer.parameters())
    >>> layer.bias.tolist()
    [2.0, 3.0]
    """
    parameters = list(parameters)
    errors.require_rank("vector_to_parameters", 1, 1, CheckFailed, vec=vec)
    size = sum(param._data.size for param in parameters)
    if size > vec.shape[0]:
        raise errors.misfit("vector_to_parameters", f"at least {size} elements", vec=vec)
    start = 0
    for param in parameters:
        end = start + param._data.size
        param.set_value(Tensor(vec._data[start:end].reshape(param._data.shape)))
        start = end
