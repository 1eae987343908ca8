"""The parameters of a network as one vector, and back."""

from __future__ import annotations

from typing import Any

from ...device import namespace
from ...engine.errors import CheckFailed, OutOfRange
from ...engine.tensor import Tensor
from .. import errors


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
    if len(vec.shape) != 1:
        raise errors.rank("vector_to_parameters", 1, 1, CheckFailed, vec=vec)
    size = sum(param._data.size for param in parameters)
    if size > vec.shape[0]:
        raise errors.misfit("vector_to_parameters", f"at least {size} elements", vec=vec)
    start = 0
    for param in parameters:
        end = start + param._data.size
        param.set_value(Tensor(vec._data[start:end].reshape(param._data.shape)))
        start = end
