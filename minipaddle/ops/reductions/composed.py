"""Functions composed of others: differences, areas, blocks, combinations, distances."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ...engine.dispatch import store
from ...engine.dtypes import DType
from ...engine.errors import CheckFailed, InvalidArgument, InvalidType, OutOfRange
from ...engine.meta import Meta, axis_of, broadcast, floats_widen
from ...engine.tensor import Tensor
from ...errors import misfit, require
from ...messages import Message
from .. import errors
from ..arguments import check_count, check_memory, meta_of, read_integer
from ..catalog import public
from ..matrices.norms import p_norm
from ..matrices.products import swap_axes
from ..op_spec import op
from ..record import Formula, Operands, sample
from ..rule_functions import GRAPH as F
from ..widening import round_once


def _counted_axis(op_name: str, x: Any, axis: int) -> int:
    """Return an axis counted from 0; raise an error for a 0-D tensor."""
    errors.require_rank(op_name, 1, None, OutOfRange, x=x)
    return axis_of(op_name, meta_of(x), axis)


def refuse_integers(op_name: str, x: Any) -> None:
    if DType.of(x.dtype).numpy.kind != "f":
        raise errors.dtype(op_name, ("float32", "float64"), x=x)


# ----- neighbours along an axis ------------------------------------------------------------------


def _neighbours(x: Any, axis: int) -> tuple[Any, Any]:
    """Return the slices without the first one, and those without the last one."""
    before = (slice(None),) * axis
    return x[(*before, slice(1, None))], x[(*before, slice(None, -1))]


@public()
def diff(
    x: Any,
    n: int = 1,
    axis: int = -1,
    prepend: Any = None,
    append: Any = None,
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """The differences of neighbours along an axis, n times; of bools, the exclusive or.

    Shapes: for example x [3] gives [2].
    Dtypes: all kept.
    Errors: ValueError if there is no such axis, or for a negative n.

    >>> paddle.diff(paddle.to_tensor([1, 4, 2])).tolist()
    [3, -2]
    """
    require(n >= 1, "diff", "n >= 1", n=n)
    where = _counted_axis("diff", x, axis)
    row = [part for part in (prepend, x, append) if part is not None]
    x = F.concat(row, axis=where) if len(row) > 1 else x
    call = F.not_equal if meta_of(x).dtype == bool else F.subtract
    for _ in range(check_count(n, "n")):
        x = call(*_neighbours(x, where))
    return store(out, x, "diff")


def _segment_areas(op_name: str, y: Any, x: Any, dx: Any, axis: int) -> tuple[Any, int]:
    """Return the area under each segment of a curve, and the axis of the segments."""
    refuse_integers(op_name, y)
    if x is not None and dx is not None:
        fix = Message("leave one of them out")
        raise misfit(op_name, "only one of x and dx", InvalidArgument, fix, x=x, dx=dx)
    where = _counted_axis(op_name, y, axis)
    high, low = _neighbours(y, where)
    width: Any = 1.0 if dx is None else dx
    if x is not None:
        width = diff(x, axis=where if len(x.shape) == len(y.shape) else -1)
    if hasattr(width, "stop_gradient") and len(width.shape) == 1:
        width = F.reshape(width, shape=[-1] + [1] * (len(y.shape) - where - 1))
    return (high + low) * width / 2.0, where


@public()
@round_once
def trapezoid(
    y: Any, x: Any = None, dx: Any = None, axis: int = -1, name: str | None = None
) -> Any:
    """The area under a curve through the points (x, y), or with steps of dx between them.

    Shapes: for example y [3] gives [].
    Dtypes: floating kept.
    Errors: ValueError if there is no such axis; TypeError for complex, integers, bool.

    >>> paddle.trapezoid(paddle.to_tensor([1.0, 4.0, 2.0])).item()
    5.5
    """
    areas, where = _segment_areas("trapezoid", y, x, dx, axis)
    return F.sum(areas, axis=where)


@public()
@round_once
def cumulative_trapezoid(
    y: Any, x: Any = None, dx: Any = None, axis: int = -1, name: str | None = None
) -> Any:
    """The area under a curve from its first point to each of the others.

    Shapes: for example y [3] gives [2].
    Dtypes: floating kept.
    Errors: ValueError if there is no such axis; TypeError for complex, integers, bool.

    >>> paddle.cumulative_trapezoid(paddle.to_tensor([1.0, 4.0, 2.0])).tolist()
    [2.5, 5.5]
    """
    areas, where = _segment_areas("cumulative_trapezoid", y, x, dx, axis)
    return F.cumsum(areas, axis=where)


@public()
def unfold(x: Any, axis: int, size: int, step: int, name: str | None = None) -> Any:
    """All windows of `size` elements along an axis, in distances of `step`; a new last axis.

    Dtypes: all kept.
    Errors: ValueError if there is no such axis.

    >>> paddle.unfold(paddle.to_tensor([1, 4, 2, 7]), 0, 2, 1).tolist()
    [[1, 4], [4, 2], [2, 7]]
    """
    where = _counted_axis("unfold", x, axis)
    size, step = read_integer(size, "unfold(): size"), read_integer(step, "unfold(): step")
    if step < 1 or not 0 <= size <= x.shape[where]:
        raise misfit("unfold", f"0 <= size <= {x.shape[where]} and step >= 1", size=size, step=step)
    starts = np.arange(0, x.shape[where] - size + 1, step)
    windows = x[(*[slice(None)] * where, starts[:, None] + np.arange(size))]
    others = [a for a in range(len(x.shape) + 1) if a != where + 1]
    return F.transpose(windows, perm=[*others, where + 1])


# ----- blocks and combinations -------------------------------------------------------------------


@public()
def vander(x: Any, n: int | None = None, increasing: bool = False, name: str | None = None) -> Any:
    """The powers of a vector as columns: xⁿ⁻¹, ..., x, 1, or with `increasing` in reverse.

    Shapes: for example x [2], n=3 gives [2, 3].
    Dtypes: all kept.
    Errors: ValueError for anything but one axis, or a negative n.

    >>> paddle.vander(paddle.to_tensor([2, 3]), 3).tolist()
    [[4, 2, 1], [9, 3, 1]]
    """
    errors.require_rank("vander", 1, 1, x=x)
    n = x.shape[0] if n is None else n
    require(n >= 0, "vander", "n >= 0", n=n)
    check_memory((check_count(n, "n"), *x.shape))
    powers = [F.fill_like(x, value=1)]
    for _ in range(n - 1):
        powers.append(powers[-1] * x)
    if n == 0:
        return F.stack(powers, axis=1)[:, :0]
    return F.stack(powers if increasing else powers[::-1], axis=1)


@public()
def block_diag(inputs: Any, name: str | None = None) -> Any:
    """A matrix with matrices along its diagonal, else zeros; a vector counts as a row.

    Shapes: for example x [1, 2] and [] gives [2, 3].
    Dtypes: all kept.
    Errors: ValueError for more than two axes.

    >>> paddle.block_diag([paddle.to_tensor([[1, 2]]), paddle.to_tensor(3)]).tolist()
    [[1, 2, 0], [0, 0, 3]]
    """
    blocks = []
    for x in inputs:
        if len(x.shape) > 2:
            raise errors.rank("block_diag", 0, 2, x=x)
        blocks.append(F.reshape_to(x, shape=[1] * (2 - len(x.shape)) + list(x.shape)))
    widths = [block.shape[1] for block in blocks]
    rows = []
    for i, block in enumerate(blocks):
        left, right = (
            F.full(shape=(block.shape[0], sum(part)), fill_value=0, dtype=DType.of(block.dtype))
            for part in (widths[:i], widths[i + 1 :])
        )
        rows.append(F.concat([left, block, right], axis=1))
    return F.concat(rows, axis=0)


@public(method=False)
def cartesian_prod(x: Any, name: str | None = None) -> Any:
    """All combinations with an element of each vector, as rows.

    Shapes: for example x [2] and [2] gives [4, 2].
    Dtypes: all kept.
    Errors: ValueError for anything but one axis.

    >>> paddle.cartesian_prod([paddle.to_tensor([1, 2]), paddle.to_tensor([3, 4])]).tolist()
    [[1, 3], [1, 4], [2, 3], [2, 4]]
    """
    for one in x:
        errors.require_rank("cartesian_prod", 1, 1, x=one)
    if len(x) == 1:
        return x[0]
    columns = [F.flatten(one) for one in F.meshgrid(list(x))]
    return F.stack(columns, axis=1)


@public()
def combinations(
    x: Any, r: int = 2, with_replacement: bool = False, name: str | None = None
) -> Any:
    """All combinations of r elements of a vector, as rows, in the order of the vector.

    Shapes: for example x [3] gives [3, 2].
    Dtypes: all kept.
    Errors: TypeError for anything but one axis; ValueError for a negative r.

    >>> paddle.combinations(paddle.to_tensor([5, 6, 7])).tolist()
    [[5, 6], [5, 7], [6, 7]]
    """
    errors.require_rank("combinations", 1, 1, InvalidType, x=x)
    require(isinstance(r, int) and r >= 0, "combinations", "r, an int of at least 0", r=r)
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    if r == 0:
        return x[:0]
    rows = list(choose(range(x.shape[0]), r))
    return x[np.array(rows, "int64").reshape(len(rows), r)]


@public(method=False)
def broadcast_shapes(*shapes: Any) -> list[int]:
    """The shape that several shapes broadcast to.

    Errors: ValueError for shapes that do not fit.

    >>> paddle.broadcast_shapes([2, 1], [3])
    [2, 3]
    """
    joint = Meta((), np.dtype("float32"))
    for shape in shapes:
        joint = joint._replace(shape=broadcast("add", joint, Meta(tuple(shape), joint.dtype)))
    return list(joint.shape)


# ----- norms -------------------------------------------------------------------------------------


@public(method=False)
@round_once
def pdist(x: Any, p: float = 2.0, name: str | None = None) -> Any:
    """The distances of all pairs of rows of a matrix.

    Shapes: for example x [3, 2] gives [3].
    Dtypes: floating kept; complex64 gives float32; complex128 gives float64.
    Errors: RuntimeError for integers, bool; AssertionError for anything but two axes.

    >>> paddle.pdist(paddle.to_tensor([[0.0, 0.0], [3.0, 4.0], [3.0, 0.0]])).tolist()
    [5.0, 3.0, 4.0]
    """
    errors.require_rank("pdist", 2, 2, CheckFailed, "paddle.cdist(x, x)", x=x)
    first, second = np.triu_indices(x.shape[0], 1)
    return p_norm.call(x[first] - x[second], porder=p, axis=-1)


@public(inplace=True)
@round_once
def renorm(x: Any, p: float, axis: int, max_norm: float) -> Any:
    """x with slices along an axis scaled so that their p-norm is at most max_norm.

    Shapes: for example x [2, 2], p=2.0, axis=0, max_norm=1.0 gives [2, 2].
    Dtypes: floating, complex kept.
    Errors: ValueError if there is no such axis; RuntimeError for integers, bool.

    >>> paddle.renorm(paddle.to_tensor([[3.0, 4.0], [0.3, 0.4]]), 2.0, 0, 1.0).round(2).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.30000001192092896, 0.4000000059604645]]
    """
    where = _counted_axis("renorm", x, axis)
    others = [a for a in range(len(x.shape)) if a != where]
    sizes = [x.shape[where], math.prod(x.shape[a] for a in others)]
    flat = F.reshape_to(F.transpose(x, perm=[where, *others]), shape=sizes)
    norm = p_norm.call(flat, porder=p, axis=1)
    high = norm > max_norm
    one = F.fill_like(norm, value=1.0)
    factor = F.where(high, max_norm / F.where(high, norm, one), one)
    shape = [-1 if a == where else 1 for a in range(len(x.shape))]
    return x * F.reshape(factor, shape=shape)


# ----- element by element ------------------------------------------------------------------------


@public(inplace=True, changes=4)
@round_once
def sinc(x: Any, name: str | None = None) -> Any:
    """sin(πx) / (πx), which is 1 at 0.

    Shapes: for example x [2] gives [2].
    Dtypes: floating kept.
    Errors: TypeError for complex, integers, bool.

    >>> paddle.sinc(paddle.to_tensor([0.0, 0.5])).tolist()
    [1.0, 0.6366197466850281]
    """
    refuse_integers("sinc", x)
    tiny = F.fill_like(x, value=1e-20)
    angle = F.where(x == 0.0, tiny, x) * math.pi
    return F.sin(angle) / angle


@op(
    infer=lambda x, test_x, **_attrs: Meta(x.shape, np.dtype(bool)),
    gradless="whether elements are equal has no derivative",
    operands=Operands(promotes=floats_widen),
    formula=Formula(lambda attrs: f"yᵢ = (xᵢ {'∉' if attrs['invert'] else '∈'} test_x)"),
    samples=(
        sample((2, 3), (4,), ints={"x": 4, "test_x": 4}),
        sample((3,), (), ints={"x": 2, "test_x": 2}, invert=True),
        sample((0, 2), (2,)),
    ),
)
def isin(xp: Any, x: Any, test_x: Any, *, assume_unique: bool = False, invert: bool = False) -> Any:
    """True for each element of x that is in test_x, or with `invert` for each that is not.

    >>> paddle.isin(paddle.to_tensor([3, 1, 2]), paddle.to_tensor([1, 3])).tolist()
    [True, True, False]
    """
    return xp.isin(x, test_x, assume_unique=assume_unique, invert=invert)


@public()
def reduce_as(x: Any, target: Any, name: str | None = None) -> Any:
    """x summed to the shape of target, which broadcasts to that of x.

    Dtypes: all kept.
    Errors: ValueError if the shapes do not fit.

    >>> paddle.reduce_as(paddle.ones([2, 3]), paddle.zeros([3])).tolist()
    [2.0, 2.0, 2.0]
    """
    shape, wanted = list(x.shape), list(target.shape)
    tail = shape[len(shape) - len(wanted) :]
    if len(wanted) > len(shape) or any(n not in (1, m) for m, n in zip(tail, wanted, strict=True)):
        raise misfit("reduce_as", f"target with the last sizes of {shape}, or 1", target=target)
    return F.sum_to(x, shape=wanted)


# ----- covariance and correlation -----------------------------------------------------------------


@public(function=False)
@round_once
def cov(
    x: Any,
    rowvar: bool = True,
    ddof: bool = True,
    fweights: Any = None,
    aweights: Any = None,
    name: str | None = None,
) -> Any:
    """The covariance matrix of the rows of x; `fweights` are the frequencies of the columns,
    `aweights` their weights.

    Shapes: for example x [2, 3] gives [2, 2].
    Dtypes: floating kept.
    Errors: TypeError for complex, integers, bool.

    >>> x = paddle.to_tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])
    >>> paddle.linalg.cov(x).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    x = _as_rows("cov", x, rowvar)
    columns = x.shape[1]
    weights = {"fweights": fweights, "aweights": aweights}
    for label, row in weights.items():
        _check_weights(label, row, columns)
    if isinstance(fweights, Tensor):
        whole_numbers = bool((fweights._data == np.round(fweights._data)).all())
        require(whole_numbers, "cov", "fweights of whole numbers", fweights=fweights)
    rows = [F.cast(row, dtype=DType.of(x.dtype)) for row in weights.values() if row is not None]
    less = int(ddof)
    if not rows:
        apart = x - F.mean(x, axis=1, keepdim=True)
        return _squeeze_single(F.matmul(apart, swap_axes(F, apart)) / max(columns - less, 0))
    weight = math.prod(rows[1:], start=rows[0])
    whole = F.sum(weight)
    count = whole
    if less:
        count = whole - F.sum(weight * rows[-1]) / whole if aweights is not None else whole - 1.0
    apart = x - F.sum(x * weight, axis=1, keepdim=True) / whole
    return _squeeze_single(F.matmul(apart * weight, swap_axes(F, apart)) / count)


def _as_rows(op_name: str, x: Any, rowvar: bool) -> Any:
    """Return x as a matrix with a row for each variable."""
    errors.require_rank(op_name, 1, 2, x=x)
    refuse_integers(op_name, x)
    if len(x.shape) == 1:
        return F.unsqueeze(x, axis=0)
    return x if rowvar or x.shape[0] == 1 else swap_axes(F, x)


def _check_weights(label: str, row: Any, columns: int) -> None:
    if row is None:
        return
    size = row.shape[0] if len(row.shape) == 1 else -1
    if size != columns and columns != -1:
        raise errors.shape("cov", (columns,), **{label: row})
    if isinstance(row, Tensor) and row._data.size and row._data.min() < 0:
        raise misfit("cov", f"{label} >= 0", **{label: row._data.min()})


def _squeeze_single(x: Any) -> Any:
    """Return a 0-D tensor for a single variable."""
    return F.reshape(x, shape=[]) if tuple(x.shape) == (1, 1) else x


@public(function=False)
@round_once
def corrcoef(x: Any, rowvar: bool = True, name: str | None = None) -> Any:
    """The correlation matrix of the rows of x, with numbers between -1 and 1.

    Shapes: for example x [2, 3] gives [2, 2].
    Dtypes: floating kept.
    Errors: TypeError for complex, integers, bool.

    >>> x = paddle.to_tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])
    >>> paddle.linalg.corrcoef(x).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    _as_rows("corrcoef", x, rowvar)
    matrix = cov(x, rowvar)
    if not matrix.shape:
        return matrix / matrix
    spread = F.sqrt(F.diagonal(matrix))
    matrix = matrix / F.unsqueeze(spread, axis=1) / F.unsqueeze(spread, axis=0)
    return F.clip(matrix, min=-1.0, max=1.0)
