"""Registration and samples of ops on every element of a tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...engine.errors import InvalidType
from ...engine.meta import integers_to_float
from .. import errors
from ..op_spec import Kernel, Op, op
from ..record import Formula, Public, Text, sample

ANY = (sample((2, 3)), sample(()), sample((0, 3)))
POSITIVE = (sample((2, 3), domain=(0.2, 3.0)), sample((), domain=(0.2, 3.0)))
AWAY_FROM_0 = (sample((2, 3), domain=(0.3, 2.0)), sample((4,), domain=(-2.0, -0.3)))
UNIT = (sample((2, 3), domain=(-0.9, 0.9)), sample((), domain=(-0.9, 0.9)), sample((0, 3)))


def accept_only(name: str, *wanted: str, kind: errors.Kind = InvalidType) -> Callable[..., Any]:
    """Make the inference of an op for these dtypes, which it keeps; float16 counts as float32."""

    def infer(x: Any, **_attrs: Any) -> Any:
        if x.dtype.kind == "f" or x.dtype.name in wanted:
            return x
        raise errors.dtype(name, wanted, kind, x=x)

    return infer


def unary(formula: Text | Formula, refused: str = "", **record: Any) -> Callable[[Kernel], Op]:
    """Register an op on every element, with a form in place.

    Integers give float32; bools and the dtypes with letters in `refused` have no kernel.
    """

    def register(kernel: Kernel) -> Op:
        usual: dict[str, Any] = {
            "infer": integers_to_float(kernel.__name__, refused),
            "formula": formula if isinstance(formula, Formula) else Formula(formula),
            "samples": ANY,
            "public": Public(inplace=True),
        }
        return op(**usual | record)(kernel)

    return register
