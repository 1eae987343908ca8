"""Collectives: ops in which all ranks of a group take part.

`ranks` are the global numbers of the members, `rank` is that of this process, `group` is the number
of the group, and `number` counts the calls in the group from 1: they match the calls of several
ranks. The gradients are those of Paddle, which writes the result into memory without recording it:
the gradient of the result is returned unchanged. `paddle.distributed.functional` has true ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from functools import partial
from typing import Any

from ...engine.meta import Meta, unchanged
from .. import errors
from ..arguments import read_integer
from ..op_spec import Kernel, Op, op
from ..record import Formula, Operands, Results, sample

# ----- meeting of ranks --------------------------------------------------------------------------

_exchange: ContextVar[Callable[[], Any] | None] = ContextVar("collective", default=None)


class meeting:
    """Context in which the kernel of a collective returns the result of `exchange()`."""

    __slots__ = ("exchange", "token")

    def __init__(self, exchange: Callable[[], Any]) -> None:
        self.exchange = exchange

    def __enter__(self) -> None:
        self.token = _exchange.set(self.exchange)

    def __exit__(self, *_: object) -> None:
        _exchange.reset(self.token)


def meet(name: str, ranks: Sequence[int], alone: Callable[[], Any]) -> Any:
    """Return the result of the exchange; for a group of one rank that of `alone()`."""
    exchange = _exchange.get()
    if exchange is not None:
        return exchange()
    if len(ranks) < 2:
        return alone()
    raise errors.not_here(name, ranks)


# ----- collectives with a gradient ---------------------------------------------------------------


TENSORS = Operands(takes_list=True)
REMOTE, LIST = Results(remote=True), Results(remote=True, is_list=True)
MEMBERS = {"ranks": (0,), "rank": 0, "group": 0, "number": 1}  # attributes of all collectives
BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
JOINT = {"sum": "Σᵣ xᵣ", "prod": "Πᵣ xᵣ", "max": "maxᵣ xᵣ", "min": "minᵣ xᵣ"}


def letter_of_rank(rank: int) -> str:
    """Return the letter of the tensor of a rank in formulas.

    >>> letter_of_rank(12)
    'x₁₂'
    """
    return f"x{str(rank).translate(BELOW)}"


def reduction_formula(attrs: dict[str, Any]) -> str:
    """Return the formula of the reduction of the tensors of all ranks."""
    if attrs["op"] == "avg":
        return f"{JOINT['sum']} / {len(attrs['ranks'])}"
    return JOINT[attrs["op"]]


def collective(attributes: dict[str, Any] | None = None, **record: Any) -> Callable[[Kernel], Op]:
    """Register a collective, which is public in `paddle.distributed`, with further attributes."""
    canon = {"ranks": tuple, "src": read_integer, "dst": read_integer}
    usual = {"infer": unchanged, "canon": canon, "results": REMOTE, "public": None}
    usual["samples"] = (sample((2, 3)),)
    return op(attributes={**(attributes or {}), **MEMBERS}, **{**usual, **record})


def item_formula(attrs: dict[str, Any]) -> str:
    """Return the formula of this rank's item of a list."""
    return f"tensors[{list(attrs['ranks']).index(attrs['rank'])}]"


def letters_of(name: str, ranks: Any) -> str:
    """Return the letters of the tensors of all ranks in formulas."""
    return ", ".join(f"{name}{str(rank).translate(BELOW)}" for rank in ranks)


@collective(
    {"op": "sum"},
    formula=Formula(lambda attrs: f"y = {reduction_formula(attrs)}"),
    samples=(sample((2, 3)), sample((2, 3), op="avg")),
)
def all_reduce(xp: Any, x: Any, *, ranks: Any, **_: Any) -> Any:
    """The sum (or another reduction `op`) of the tensors of all ranks, on every rank."""
    return meet("all_reduce", ranks, x.copy)


@all_reduce.grad
def all_reduce_grad(F: Any, dout: Any) -> Any:
    return dout


@collective(
    {"src": 0},
    formula=Formula(lambda attrs: f"y = {letter_of_rank(attrs['src'])}"),
)
def broadcast(xp: Any, x: Any, *, ranks: Any, **_: Any) -> Any:
    """The tensor of rank `src`, on every rank."""
    return meet("broadcast", ranks, x.copy)


broadcast.grad(all_reduce_grad)


@collective(
    {"op": "sum", "dst": 0},
    formula=Formula(
        lambda attrs: f"y = {reduction_formula(attrs) if attrs['rank'] == attrs['dst'] else 'x'}"
    ),
)
def reduce(xp: Any, x: Any, *, ranks: Any, **_: Any) -> Any:
    """The sum (or another reduction `op`) of the tensors of all ranks, on rank `dst`; else x."""
    return meet("reduce", ranks, x.copy)


reduce.grad(all_reduce_grad)


# ----- without a gradient, as in Paddle ----------------------------------------------------------

one_way = partial(
    collective, gradless="it comes from other ranks, to which Paddle hands no gradient"
)


def _one_per_rank(x: Meta, *, ranks: Any, **_: Any) -> list[Meta]:
    return [x] * len(ranks)


def _at_dst(x: Meta, *, ranks: Any, rank: int, dst: int, **_: Any) -> list[Meta]:
    return [x] * len(ranks) if rank == dst else []


def _first_only(tensors: list[Meta], **_: Any) -> Meta:
    return tensors[0]


def _one_per_tensor(tensors: list[Meta], **_: Any) -> list[Meta]:
    return tensors


def _no_result(*_metas: Meta, **_: Any) -> list[Meta]:
    return []


@one_way(
    infer=_one_per_rank,
    formula=Formula(lambda attrs: f"y = [{letters_of('x', attrs['ranks'])}]"),
    results=LIST,
)
def all_gather(xp: Any, x: Any, *, ranks: Any, **_: Any) -> Any:
    """The tensors of all ranks, on every rank."""
    return meet("all_gather", ranks, lambda: [x.copy()])


@one_way(
    {"dst": 0},
    infer=_at_dst,
    formula=Formula(lambda attrs: f"y = [{letters_of('x', attrs['ranks'])}]", symbol="gather"),
    results=LIST,
)
def dist_gather(xp: Any, x: Any, *, ranks: Any, **_: Any) -> Any:
    """The tensors of all ranks, on rank `dst`; an empty list on others."""
    return meet("gather", ranks, lambda: [x.copy()])


@one_way(
    {"src": 0},
    operands=TENSORS,
    infer=_first_only,
    formula=Formula(
        lambda attrs: f"y = {item_formula(attrs)} of rank {attrs['src']}", symbol="scatter"
    ),
    samples=(sample([(2, 3)]),),
)
def dist_scatter(xp: Any, tensors: list[Any], *, ranks: Any, **_: Any) -> Any:
    """The tensor for this rank among the `tensors` of rank `src`."""
    return meet("scatter", ranks, tensors[0].copy)


@one_way(
    {"op": "sum"},
    operands=TENSORS,
    infer=_first_only,
    formula=Formula(
        lambda attrs: f"y = {reduction_formula(attrs)}, xᵣ = {item_formula(attrs)} of rank r"
    ),
    samples=(sample([(2, 3)]),),
)
def reduce_scatter(xp: Any, tensors: list[Any], *, ranks: Any, **_: Any) -> Any:
    """The sum (or another reduction `op`) of the tensors of all ranks for this rank."""
    return meet("reduce_scatter", ranks, tensors[0].copy)


@one_way(
    operands=TENSORS,
    infer=_one_per_tensor,
    formula=Formula(lambda attrs: f"y[r] = {item_formula(attrs)} of rank r"),
    samples=(sample([(2, 3)]),),
    results=LIST,
)
def alltoall(xp: Any, tensors: list[Any], *, ranks: Any, **_: Any) -> Any:
    """The tensors of all ranks for this rank: ranks and positions are exchanged."""
    return meet("alltoall", ranks, lambda: [x.copy() for x in tensors])


@one_way(
    {"dst": 0},
    infer=_no_result,
    formula=Formula(lambda attrs: f"x → rank {attrs['dst']}"),
    results=LIST,
)
def send(xp: Any, x: Any, *, ranks: Any, **_: Any) -> Any:
    """Send the tensor to rank `dst`."""
    return meet("send", ranks, list)


@one_way(
    {"src": 0},
    formula=Formula(lambda attrs: f"y = {letter_of_rank(attrs['src'])}"),
)
def recv(xp: Any, x: Any, *, ranks: Any, **_: Any) -> Any:
    """The tensor that rank `src` sends, in place of x."""
    return meet("recv", ranks, x.copy)


@one_way(
    infer=_no_result,
    formula=Formula(lambda attrs: f"{{{letters_of('r', attrs['ranks'])}}}"),
    samples=(sample(),),
    results=LIST,
)
def barrier(xp: Any, *, ranks: Any, **_: Any) -> Any:
    """Wait until every rank of the group has called barrier."""
    return meet("barrier", ranks, list)
