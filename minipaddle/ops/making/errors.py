"""What the ops of this folder say of wrong arguments, beside what many ops say."""

from __future__ import annotations

from typing import Any

from ...engine.dtypes import DType
from ...engine.errors import InvalidArgument, InvalidType, MinipaddleError
from ..errors import *  # noqa: F403


def no_array(x: object) -> MinipaddleError:
    """Something of which no tensor can be made."""
    return InvalidType(
        "assign(): The type of received input should be a Tensor, np.ndarray, list or number.",
        expected="a Tensor, array, list, tuple or number",
        received=type(x).__name__,
        fix="convert it to an array first",
    )


def negative_size(shape: Any) -> MinipaddleError:
    """A shape with a negative size."""
    return InvalidArgument(
        "Each value of attribute 'shape' is expected to be no less than 0.",
        expected="every dimension >= 0",
        received=f"shape {list(shape)}",
        fix="give the shape in full: nothing here can infer a -1",
    )


def no_fill_value(value: object) -> MinipaddleError:
    """Something else than one number to fill a tensor with."""
    return InvalidType(
        "The fill_value should be int, float, bool, complex, np.number, string numeric values "
        f"or Tensor, but received {type(value)}.",
        expected="one number",
        received=f"{value!r:.40}",
        fix="use paddle.to_tensor() for several values",
    )


def no_option(options: dict[str, object], indexing: object) -> MinipaddleError:
    """Options that meshgrid does not have."""
    return InvalidArgument(
        "meshgrid(): the tensors come by position, options are indexing and name.",
        expected="meshgrid(x, y, ..., indexing='ij' or 'xy')",
        received=", ".join([*options, f"indexing={indexing!r}"]),
        fix="paddle.meshgrid(x, y)",
    )


def no_step(start: object, end: object, step: object, dtype: Any) -> MinipaddleError:
    """A range that does not come forward."""
    return InvalidArgument(
        "arange(): The step of range op should not be 0.",
        expected="a step other than 0",
        received=f"start {start}, end {end}, step {step}, dtype {DType.of(dtype).name}",
        fix="use paddle.full() for a constant",
    )


def no_bound(op: str, low: object) -> MinipaddleError:
    """No integers lie below the one bound."""
    return InvalidArgument(
        f"{op}(): If high is None, low must be greater than 0.",
        expected="an upper bound > 0, or both bounds",
        received=f"low {low}, high None",
        fix=f"paddle.{op}(low={low}, high=1, ...)",
    )
