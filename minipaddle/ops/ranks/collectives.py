"""Collectives: what all ranks of a group do together.

`ranks` are the members' numbers in the whole, `rank` is that of this process, `group` the group's
own, and `number` counts the group's calls from 1: by these, calls of several ranks are matched.
The gradients are real Paddle's, which knows nothing of the other ranks; the true ones are in
`paddle.distributed.functional`.
"""

from __future__ import annotations

from typing import Any

from ...engine.meta import unchanged
from ..op_spec import op
from ..record import Formula, Results, sample
from .meeting import meet

REMOTE = Results(remote=True)
BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
JOINED = {"sum": "Σᵣ xᵣ", "prod": "Πᵣ xᵣ", "max": "maxᵣ xᵣ", "min": "minᵣ xᵣ"}


def of_rank(rank: int) -> str:
    """The tensor of one rank, in formulas.

    >>> of_rank(12)
    'x₁₂'
    """
    return f"x{str(rank).translate(BELOW)}"


def joined(attrs: dict[str, Any]) -> str:
    """What comes of joining the tensors of all ranks."""
    if attrs["op"] == "avg":
        return f"{JOINED['sum']} / {len(attrs['ranks'])}"
    return JOINED[attrs["op"]]


def among(**attrs: Any) -> dict[str, Any]:
    """What a record of a collective has, beside its inference and formula."""
    return {"canon": {"ranks": tuple}, "results": REMOTE, "public": None, **attrs}


@op(
    "all_reduce",
    infer=unchanged,
    formula=Formula(lambda attrs: f"y = {joined(attrs)}", "dx = dy"),
    samples=(sample((2, 3)), sample((2, 3), op="avg")),
    **among(),
)
def all_reduce(
    xp: Any,
    x: Any,
    *,
    op: str = "sum",
    ranks: Any = (0,),
    rank: int = 0,
    group: int = 0,
    number: int = 1,
) -> Any:
    """The sum (or what `op` says) of the tensors of all ranks, on each of them."""
    return meet("all_reduce", ranks, x.copy)


@all_reduce.grad
def all_reduce_grad(F: Any, dout: Any) -> Any:
    return dout


@op(
    "broadcast",
    infer=unchanged,
    formula=Formula(lambda attrs: f"y = {of_rank(attrs['src'])}", "dx = dy"),
    samples=(sample((2, 3)),),
    **among(),
)
def broadcast(
    xp: Any,
    x: Any,
    *,
    src: int = 0,
    ranks: Any = (0,),
    rank: int = 0,
    group: int = 0,
    number: int = 1,
) -> Any:
    """The tensor of rank `src`, on every rank."""
    return meet("broadcast", ranks, x.copy)


@broadcast.grad
def broadcast_grad(F: Any, dout: Any) -> Any:
    return dout
