"""Einstein sums: sums of products of tensors, with letters for axes."""

from __future__ import annotations

import string
from functools import lru_cache
from typing import Any, NamedTuple

from ...engine.errors import CheckFailed
from ...engine.meta import Meta
from ...errors import misfit, require
from ..arguments import require_one_dtype, sizes_differ
from ..catalog import public
from ..op_spec import internal
from ..record import Formula, Operands, sample


class Equation(NamedTuple):
    """The letters of the axes of each operand and of the result."""

    inputs: tuple[str, ...]
    output: str

    def __str__(self) -> str:
        return f"{','.join(self.inputs)}->{self.output}"


@lru_cache(maxsize=256)
def parse(equation: str, ranks: tuple[int, ...]) -> Equation:
    """Parse an equation: expand ellipses, add a missing output, check the ranks."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(ranks):
        expected = f"{len(ranks)} groups of letters, one for each operand"
        raise misfit("einsum", expected, CheckFailed, equation=equation)
    for term in (*terms, right):
        letters = term.replace("...", "", 1)
        if letters and not (letters.isascii() and letters.isalpha()):
            expected = f"letters, a-z and A-Z, and at most one '...', not {term!r}"
            raise misfit("einsum", expected, CheckFailed, equation=equation)
    spare = [c for c in reversed(string.ascii_letters) if c not in equation]
    rest = max((n - len(t) + 3 for t, n in zip(terms, ranks, strict=True) if "..." in t), default=0)
    hidden = "".join(spare[: max(rest, 0)])
    inputs = []
    for position, (term, rank) in enumerate(zip(terms, ranks, strict=True)):
        missing = rank - len(term.replace("...", ""))
        if missing < 0 or (missing and "..." not in term):
            expected = f"{rank} letters, or '...', for the axes of operand {position}, not {term!r}"
            raise misfit("einsum", expected, CheckFailed, equation=equation)
        inputs.append(term.replace("...", hidden[len(hidden) - missing :]))
    if not arrow:
        named = left.replace(",", "").replace("...", "")
        right = "..." * bool(hidden) + "".join(sorted(c for c in named if named.count(c) == 1))
    elif hidden and "..." not in right:
        raise misfit("einsum", "'...' after -> too", CheckFailed, equation=equation)
    output = right.replace("...", hidden)
    strange = sorted(set(output) - set("".join(inputs)))
    if strange:
        expected = f"output labels that an operand has, unlike {strange[0]!r}"
        raise misfit("einsum", expected, equation=equation)
    return Equation(tuple(inputs), output)


def _letter_sizes(letters: Equation, operands: list[Meta]) -> dict[str, int]:
    """Return the size of each letter; axes of size 1 broadcast."""
    sizes: dict[str, int] = {}
    for labels, meta in zip(letters.inputs, operands, strict=True):
        for label, size in zip(labels, meta.shape, strict=True):
            known = sizes.get(label, 1)
            if sizes_differ(known, size) and 1 not in (known, size):
                expected = f"size {known}, or 1, for each axis {label!r}, as in {labels!r}"
                raise misfit("einsum", expected, operand=meta)
            if known == 1 or (known == -1 and size != 1):
                sizes[label] = size
    return sizes


def _einsum_infer(operands: list[Meta], *, equation: str) -> Meta:
    require_one_dtype("einsum", "fc", **{f"operands[{i}]": meta for i, meta in enumerate(operands)})
    letters = parse(equation, tuple(len(meta.shape) for meta in operands))
    sizes = _letter_sizes(letters, operands)
    return Meta(tuple(sizes[label] for label in letters.output), operands[0].dtype)


@internal(
    infer=_einsum_infer,
    operands=Operands(takes_list=True),
    checked=True,
    formula=Formula(
        lambda attrs: f'y = einsum("{attrs["equation"]}", x₁, x₂, …)',
        symbol=lambda attrs: attrs["equation"],
    ),
    samples=(
        sample([(2, 3), (3, 4)], equation="ij,jk->ik"),
        sample([(2, 3, 4), (4, 3)], equation="...ij,ji"),
        sample([(3, 3), (3,)], equation="ii,i->i"),
        sample([(3, 2, 3)], equation="iji->j"),
        sample([(2, 3)], equation="ij->"),
        sample([(3,)], equation="i->ii"),
        sample([(2, 1, 3), (4, 3)], equation="...i,...i->..."),
        sample([(2, 3), (3, 2), (2,)], equation="ij,jk,k"),
        sample([(1, 3), (2, 3)], equation="ab,ab->b"),
        sample([(), (2,)], equation=",i->i"),
    ),
)
def einsum_(xp: Any, operands: list[Any], *, equation: str) -> Any:
    """The sum of products in an equation with letters for axes."""
    letters, arrays = parse(equation, tuple(x.ndim for x in operands)), list(operands)
    if len(set(letters.output)) < len(letters.output):
        letters = _with_diagonals(xp, letters, arrays)
    return xp.einsum(str(letters), *arrays, optimize=len(arrays) > 1)


def _with_diagonals(xp: Any, letters: Equation, arrays: list[Any]) -> Equation:
    """Return the equation with distinct letters in the result.

    A repeated letter becomes a new one, and an identity matrix of both is added to the arrays.
    """
    sizes = _letter_sizes(letters, [Meta(x.shape, x.dtype) for x in arrays])
    inputs, output, written = list(letters.inputs), "", str(letters)
    spare = [c for c in string.ascii_letters if c not in written]
    for label in letters.output:
        if label in output:
            other = spare.pop()
            inputs.append(label + other)
            arrays.append(xp.eye(sizes[label], dtype=arrays[0].dtype))
            output += other
        else:
            output += label
    return Equation(tuple(inputs), output)


@einsum_.grad
def einsum_grad(F: Any, dout: Any, operands: Any, *, equation: str, needs: list[bool]) -> Any:
    """Compute each gradient as an einsum with dout in place of the operand.

    Ones in the shape of the operand are added if it has an axis that all others lack, or have with
    size 1.
    """
    letters = parse(equation, tuple(len(x.shape) for x in operands))
    grads: list[Any] = []
    for position, (x, labels) in enumerate(zip(operands, letters.inputs, strict=True)):
        if not needs[position]:
            grads.append(None)
            continue
        others = [i for i in range(len(operands)) if i != position]
        terms = [letters.output, *(letters.inputs[i] for i in others)]
        factors = [dout, *(operands[i] for i in others)]
        sizes: dict[str, int] = {}
        for term, factor in zip(terms, factors, strict=True):
            sizes |= {c: n for c, n in zip(term, factor.shape, strict=True) if sizes.get(c, 1) == 1}
        if any(sizes.get(c) != n for c, n in zip(labels, x.shape, strict=True)):
            terms.append(labels)
            factors.append(F.fill_like(x, value=1.0))
        grad = F.einsum(factors, equation=str(Equation(tuple(terms), labels)))
        grads.append(F.sum_to(grad, shape=tuple(x.shape)))
    return tuple(grads)


@public(method=False)
def einsum(equation: str, *operands: Any) -> Any:
    """The sum of products in an equation with letters for axes.

    Letters that the result lacks are summed over; '...' stands for all other axes.

    Shapes: for example equation='ij,jk->ik', operands [2, 3] and [3, 4] gives [2, 4].
    Dtypes: floating, complex kept.
    Errors: ValueError if an operand is not a Tensor, if the shapes do not fit; RuntimeError for
    integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.einsum("ij,jk->ik", paddle.ones([2, 3]), paddle.ones([3, 4])).shape
    paddle.Size([2, 4])
    """
    require(operands, "einsum", "at least one operand", CheckFailed, operands=operands)
    return einsum_.call(list(operands), equation=equation)
