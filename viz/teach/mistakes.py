"""One mistake in a backward pass: the possible ones, and a trace that contains one.

A replay of the records calls every gradient rule, every sum and every `+=` in order, each as a
function on arrays. A mistake wraps one of these calls and returns other numbers of the same shape;
everything after it is computed from them by the correct rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from minipaddle import events
from minipaddle.messages import Message
from minipaddle.ops import REGISTRY
from minipaddle.ops.bound import Gradient, functions_for, names_read

from ..document.values import SMALL, LoadedValue
from ..whatif.datum import flat
from ..whatif.numbers import AsRecorded, Changed
from ..whatif.replay import Replay
from ..whatif.revive import attributes
from ..whatif.what_if import Recorded, rewrite_document

Function = Callable[..., Sequence[Any]]
Making = Callable[[Function, Sequence[Any]], Any]  # function that makes a wrong array

KINDS = ("factor", "axis", "sum", "transpose", "clear_grad", "sign")
# ops whose gradients transpose an operand
CONTRACTIONS = ("matmul", "bmm", "mv", "addmm", "baddbmm")
VISIBLE = 0.05  # least difference of a mistake, relative to the root mean square

WHAT = {
    "arrived": Message("A factor was lost: the gradient that arrived was not multiplied in."),
    "own": Message(
        "A factor was lost: what arrived was handed on without the derivative of the op itself."
    ),
    "count": Message(
        "A factor was lost: the division by the number of averaged elements ({count})."
    ),
    "operand": Message(
        "A factor was lost: one side of the product was handed on without the other."
    ),
    "axis": Message(
        "A wrong axis: the gradient was computed along axis {wrong}, the op along axis {right}."
    ),
    "sum_axis": Message(
        "A wrong axis: the sum was taken over axis {wrong} where axis {right} was broadcast."
    ),
    "first": Message(
        "A missing sum: of what was broadcast only the first part was taken, nothing was summed."
    ),
    "last": Message(
        "A missing sum: the last gradient took the place of the others, nothing was added."
    ),
    "transpose": Message("A transposed operand: the matrix was used as it is, not transposed."),
    "reshape": Message(
        "A transposed operand: the matrix was reshaped where it should have been transposed."
    ),
    "clear_grad": Message(
        "A clear_grad() was left out: the gradient of the pass before was still there."
    ),
    "sign": Message("The sign was wrong."),
}


class Slip(NamedTuple):
    """Kind of a mistake in a call, the function that makes the wrong array, and a description."""

    kind: str
    wrong: Making
    what: Message


class Site(NamedTuple):
    """Place of a possible mistake, and the first value of the records that shows it.

    at: rule (of a node), sum (that undoes broadcasting), add (a `+=`), op (inside a user's
    backward). `place` is the place of the array among the results of the call.
    """

    at: str
    record: int
    value: LoadedValue
    place: int = 0


class Mistake(NamedTuple):
    """Mistake in the call with this number; 0 means a missing clear_grad()."""

    site: Site
    slip: Slip
    call: int


class Wrong(NamedTuple):
    """Document of a trace with a mistake, the mistake, and the right array in its place."""

    document: dict[str, Any]
    mistake: Mistake
    right: Any


def with_mistake(
    trace: Recorded,
    stretches: Sequence[range],
    chance: np.random.Generator,
    kinds: Sequence[str] = KINDS,
) -> Wrong | None:
    """Return a trace with a mistake in one of the stretches of records, or None if none is visible.

    A mistake after which a value cannot be recomputed is skipped, because that value would be wrong
    as well.
    """
    records = trace.events
    before = Possible(records, stretches)
    Replay(before, records).walk()
    for kind in (kinds[k] for k in chance.permutation(len(kinds))):
        found = [each for each in before.found if each.slip.kind == kind]
        for mistake in (found[k] for k in chance.permutation(len(found))):
            after = Mistaken(before, mistake)
            Replay(after, records).walk()
            if mistake.site.value.occurrence in after.arrays and not after.stale:
                return Wrong(rewrite_document(trace, before, after), mistake, after.right)
    return None


class Mistaken(Changed):
    """Numbers of a trace with a mistake."""

    def __init__(self, before: AsRecorded, mistake: Mistake) -> None:
        super().__init__(before, {}, {})
        self.mistake = mistake
        self.right: Any = None

    def call(self, number: int, function: Function, *args: Any) -> Any:
        results = super().call(number, function, *args)
        site, slip, wrapped = self.mistake
        if number != wrapped or results is None:
            return results
        self.right = results[site.place]
        return [slip.wrong(function, args) if k == site.place else x for k, x in enumerate(results)]

    def shown(self, value: Any, held: Any) -> None:
        site, slip, wrapped = self.mistake
        if not wrapped and value.occurrence == site.value.occurrence:
            self.right, held.array = held.array, slip.wrong(list, ())
        super().shown(value, held)


# ----- places of mistakes ------------------------------------------------------------------------


class Possible(AsRecorded):
    """Numbers as recorded; the mistakes that would be visible are collected in `found`."""

    def __init__(self, records: Sequence[Any], stretches: Sequence[range]) -> None:
        super().__init__()
        self.records = records
        self.wanted = {at for stretch in stretches for at in stretch}
        self.found: list[Mistake] = []
        self.ruled: set[int] = set()  # visits whose rule was called
        self.left: dict[int, LoadedValue] = {}  # leaf -> the last value of its `.grad`
        self.visits: dict[int, int] = {}  # record of a gradient -> record of its visit
        self.parts: dict[
            tuple[int, int], int
        ] = {}  # visit and input -> first record with the value
        self.inside: set[int] = set()  # records of ops in the backward of a PyLayer
        self.nodes: dict[int, events.GradNodeMade] = {}
        self.ops: dict[int, events.OpFinished] = {}
        self._relate_records()

    def _relate_records(self) -> None:
        """Relate gradients to visits, nodes to records, and ops to PyLayers."""
        latest: dict[int, int] = {}
        scopes: list[str] = []
        for at, event in enumerate(self.records):
            match event:
                case events.GradNodeMade():
                    self.nodes[event.node] = event
                case events.OpFinished():
                    self.ops[event.call] = event
                    if "pylayer.backward" in scopes:
                        self.inside.add(at)
                case events.ScopeEntered():
                    scopes.append(event.kind)
                case events.ScopeLeft() if scopes:
                    scopes.pop()
                case events.NodeVisited():
                    latest[event.node] = at
                case events.GradUnbroadcast() | events.GradComputed() if event.node in latest:
                    self.visits[at] = latest[event.node]
                    self.parts.setdefault((latest[event.node], event.index), at)

    def call(self, number: int, function: Function, *args: Any) -> Any:
        results = super().call(number, function, *args)
        if results is not None and self.record in self.wanted:
            for site, slips in self._sites_of_call(args, results):
                right = np.asarray(results[site.place])
                for slip in slips:
                    if is_visible(slip, function, args, right):
                        self.found.append(Mistake(site, slip, number))
        return results

    def shown(self, value: Any, held: Any) -> None:
        super().shown(value, held)
        event: Any = self.records[self.record]
        kind = type(event)
        if kind is events.LeafReached and value is event.grad:
            self.left[event.tensor.id] = value
        elif kind is events.GradAccumulated and value is event.held and event.stored:
            self._note_clear(event, value, held.array)

    def _note_clear(self, event: events.GradAccumulated, value: LoadedValue, held: Any) -> None:
        """Note a possible missing clear_grad(), if the `.grad` of an earlier pass was cleared."""
        left = self.left.get(event.edge.id)
        array = None if left is None else self.arrays.get(left.occurrence)
        if self.record in self.wanted and array is not None and held is not None:
            kept = array.copy()
            slip = Slip("clear_grad", lambda _function, _args: kept.copy(), WHAT["clear_grad"])
            if not held.any() and is_visible(slip, list, (), held):
                self.found.append(Mistake(Site("add", self.record, value), slip, 0))

    def _sites_of_call(
        self, args: Sequence[Any], right: Sequence[Any]
    ) -> Iterator[tuple[Site, Iterator[Slip]]]:
        """Yield the results of a call that could be wrong, each with its mistakes."""
        event: Any = self.records[self.record]
        visit = self.visits.get(self.record)
        if visit is not None and visit not in self.ruled:
            self.ruled.add(visit)
            yield from self._sites_of_rule(args, right, visit)
        elif isinstance(event, events.GradUnbroadcast):
            yield Site("sum", self.record, event.after), slips_of_sum(args[0], right[0])  # type: ignore[arg-type]
        elif isinstance(event, events.GradAccumulated):
            yield Site("add", self.record, event.total), slips_of_addition(args[0])  # type: ignore[arg-type]
        elif self.record in self.inside and len(event.outputs) == 1:
            yield Site("op", self.record, event.outputs[0].value), slips_of_op(event.op, right[0])

    def _sites_of_rule(
        self, args: Sequence[Any], right: Sequence[Any], visit: int
    ) -> Iterator[tuple[Site, Iterator[Slip]]]:
        node = self.nodes.get(self.records[visit].node)
        event = self.ops.get(node.call) if node else None
        op = REGISTRY.get(event.op) if event else None
        if node is None or event is None or op is None:
            return
        needs = [edge is not None for edge in node.edges]
        rule = RuleOf(op, attributes(op, event.attrs), needs)
        for place, array in enumerate(right):
            at = self.parts.get((visit, place))
            if at is None or array is None:
                continue
            shown: Any = self.records[at]
            summed = type(shown) is events.GradUnbroadcast
            value = shown.before if summed else shown.grad
            if value is not None:
                yield Site("rule", at, value, place), slips_of_rule(rule, place, args, array)


def is_visible(slip: Slip, function: Function, args: Sequence[Any], right: Any) -> bool:
    """Return whether a mistake gives an array of the right shape with visibly other numbers."""
    try:
        wrong = slip.wrong(function, args)
    except Exception:  # noqa: BLE001  (the rule does not work that way)
        return False
    fits = getattr(wrong, "shape", None) == right.shape and wrong.dtype == right.dtype
    if not fits or right.dtype.kind != "f" or not 0 < right.size <= SMALL:
        return False
    if not np.isfinite(wrong).all() or not np.isfinite(right).all():
        return False
    size = max(float(np.sqrt(np.mean(np.square(each, dtype=float)))) for each in (wrong, right))
    return bool(np.abs(wrong.astype(float) - right).max() > VISIBLE * size)


# ----- kinds of mistakes -------------------------------------------------------------------------


class RuleOf(NamedTuple):
    """Gradient rule of a call, which can be run along another axis."""

    op: Any
    attrs: dict[str, Any]
    needs: list[bool]

    @property
    def reads(self) -> int:
        """Number of arguments that are saved values; the others are gradients that arrived."""
        return len(names_read(self.op))

    def along(self, axis: Any, args: Sequence[Any]) -> Sequence[Any]:
        """Return the rule's results along another axis."""
        bound = Gradient(self.op, {**self.attrs, "axis": axis}, names_read(self.op), self.needs)
        return bound.before_sums(functions_for(flat(args)), tuple(args))


def slips_of_rule(rule: RuleOf, place: int, args: Sequence[Any], right: Any) -> Iterator[Slip]:
    """Yield the mistakes that are possible in a node's gradient rule."""
    saved = rule.reads
    came = flat(args[saved:])
    yield sign_slip(place)
    yield Slip(
        "factor",
        lambda function, args: function(*args[:saved], *map(ones_like, args[saved:]))[place],
        WHAT["arrived"],
    )
    if len(came) == 1 and came[0].shape == right.shape:
        yield Slip("factor", lambda _, args: flat(args[saved:])[0].copy(), WHAT["own"])
    if rule.op.name == "mean" and came:
        count = right.size // max(1, came[0].size)
        what = WHAT["count"].fill(count=str(count))
        yield Slip("factor", lambda function, args: function(*args)[place] * count, what)
    if isinstance(axis := rule.attrs.get("axis"), int) and "axis" in rule.op.rule_extra:
        for other in range(right.ndim):
            if other != axis % max(1, right.ndim):
                what = WHAT["axis"].fill(right=str(axis), wrong=str(other))
                yield Slip("axis", lambda _, args, o=other: rule.along(o, args)[place], what)  # type: ignore[misc]
    for k in range(saved if rule.op.name in CONTRACTIONS else 0):
        if getattr(args[k], "ndim", 0) >= 2:
            square = args[k].shape[-1] == args[k].shape[-2]
            yield Slip(
                "transpose",
                lambda function, args, k=k: function(*put_in(args, k, undo_transpose))[place],  # type: ignore[misc]
                WHAT["transpose" if square else "reshape"],
            )


def slips_of_sum(before: Any, right: Any) -> Iterator[Slip]:
    """Yield the mistakes that are possible in the sum that undoes broadcasting."""
    yield sign_slip(0)
    lead = before.ndim - right.ndim
    if lead < 0:
        return
    sizes = (1,) * lead + right.shape
    summed = [axis for axis, size in enumerate(sizes) if size < before.shape[axis]]
    first = tuple(slice(0, 1) if axis in summed else slice(None) for axis in range(before.ndim))
    yield Slip("sum", lambda _, args: args[0][first].reshape(right.shape).copy(), WHAT["first"])
    for axes in combinations(range(before.ndim), len(summed)):
        left = [size for axis, size in enumerate(before.shape) if axis not in axes and size > 1]
        if [*axes] != summed and left == [size for size in right.shape if size > 1]:
            named = {"wrong": ", ".join(map(str, axes)), "right": ", ".join(map(str, summed))}
            yield Slip(
                "axis",
                lambda _, args, axes=axes: args[0].sum(axes).reshape(right.shape),  # type: ignore[misc]
                WHAT["sum_axis"].fill(**named),
            )


def slips_of_addition(held: Any) -> Iterator[Slip]:
    """Yield the mistakes that are possible in a `+=`; adding to zeros shows none."""
    if held.any():
        yield Slip("sum", lambda _, args: args[1].copy(), WHAT["last"])
        yield Slip("sign", lambda _, args: args[0] - args[1], WHAT["sign"])


def slips_of_op(name: str, right: Any) -> Iterator[Slip]:
    """Yield the mistakes that are possible in an op of a user's backward."""
    yield sign_slip(0)
    if name == "multiply":
        for k in (0, 1):
            yield Slip("factor", lambda _, args, k=k: spread(args[k], right), WHAT["operand"])  # type: ignore[misc]


def sign_slip(place: int) -> Slip:
    return Slip("sign", lambda function, args: -function(*args)[place], WHAT["sign"])


# ----- arrays ------------------------------------------------------------------------------------


def ones_like(came: Any) -> Any:
    """Return ones in place of the gradients that arrived."""
    if isinstance(came, (list, tuple)):
        return [ones_like(each) for each in came]
    return None if came is None else np.ones_like(came)


def spread(array: Any, like: Any) -> Any:
    return np.broadcast_to(array, like.shape).copy()


def undo_transpose(matrix: Any) -> Any:
    """Return a matrix whose transpose has the numbers of the given one in their order.

    >>> undo_transpose(np.array([[1, 2, 3], [4, 5, 6]])).T
    array([[1, 2],
           [3, 4],
           [5, 6]])
    """
    *outer, rows, columns = matrix.shape
    return matrix.reshape(*outer, columns, rows).swapaxes(-1, -2)


def put_in(args: Sequence[Any], place: int, by: Callable[[Any], Any]) -> list[Any]:
    return [by(each) if k == place else each for k, each in enumerate(args)]
