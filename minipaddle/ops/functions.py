"""Public functions that are more than one record: other names, other argument orders, choices.

They are written with the records' public functions, so they work on Tensors and on Variables.
"""

from __future__ import annotations

from typing import Any

from ..errors import InvalidArgument, InvalidType
from . import index
from .catalog import public
from .scalars import SCALARS, constant

# ----- shape --------------------------------------------------------------------------------------


@public()
def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """Elements of x where the condition holds, of y elsewhere; numbers count as 0-D tensors.

    >>> import minipaddle as paddle
    >>> paddle.where(paddle.to_tensor([True, False]), paddle.ones([2]), 0.0).tolist()
    [1.0, 0.0]
    """
    if x is None or y is None:
        raise InvalidArgument(
            "where(): x and y must be given together.",
            expected="where(condition, x, y)",
            received=f"x {'missing' if x is None else 'given'}, y "
            f"{'missing' if y is None else 'given'}",
            fix="give both, or neither once paddle.nonzero exists here",
        )
    like = y if isinstance(x, SCALARS) else x
    if isinstance(like, SCALARS):
        raise InvalidType(
            "where(): x and y are both numbers.",
            expected="at least one Tensor",
            received=f"x {x!r}, y {y!r}",
            fix="wrap one: paddle.to_tensor(x)",
        )
    x = constant(x, like) if isinstance(x, SCALARS) else x
    y = constant(y, like) if isinstance(y, SCALARS) else y
    return index.where.call(condition, x, y)

