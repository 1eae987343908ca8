"""Attention: products of queries and keys, their softmax, and means of values with these weights.

Attention is found by its ops, not by names: `softmax(A @ B) @ C`, where other ops may scale, mask
or drop elements in between. A row of the scores and weights belongs to a query, a column to a key.
Where B is a parameter, it is the weight of a layer: `Linear, Softmax, Linear` is no attention.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np

from .operations import Axis, Makers, Operand, Operation, is_elementwise, operations_of

PRODUCTS = frozenset({"bmm", "matmul"})
BETWEEN = frozenset({"assign", "cast", "dropout", "softmax"})  # besides elementwise ops
MOST = 8  # maximum number of ops from the scores to the weights


class Attention(NamedTuple):
    """The ops from the scores to the weights.

    `queries` and `keys` are the tokens, as numbers that an embedding reads, if they are sure.
    """

    ops: tuple[Operation, ...]
    queries: Operand | None
    keys: Operand | None


def attentions_in(records: Iterable[Any], earlier: int = 0) -> Iterator[Attention]:
    """Yield each attention of a recording."""
    makers = Makers()
    for operation in operations_of(records, earlier):
        if operation.op in PRODUCTS and smaller_rank(operation) >= 2:
            ops = scoring_ops(operation.inputs[0], makers)
            if ops:
                one, other = ops[0].inputs
                queries = tokens_of(one, len(one.shape) - 2, makers)
                yield Attention(ops, queries, tokens_of(other, len(other.shape) - 1, makers))
        makers.add(operation)


def smaller_rank(product: Operation) -> int:
    """Return the smaller rank of two factors."""
    return min(len(each.shape) for each in product.inputs)


def is_weight(factor: Operand, makers: Makers) -> bool:
    """Return whether a factor is a parameter or its transpose."""
    maker = makers.of(factor)
    turned = maker is not None and maker.op == "transpose" and maker.inputs[0].is_parameter
    return factor.is_parameter or turned


def scoring_ops(
    weights: Operand, makers: Makers, most: int = MOST, softmax: bool = False
) -> tuple[Operation, ...]:
    """Return the ops that computed weights, from the product on, or nothing if they are none.

    softmax: whether the weights go into a softmax.
    """
    maker = makers.of(weights)
    if not most or maker is None or maker.outputs[0].key != weights.key:
        return ()
    if maker.op in PRODUCTS:
        is_scoring = softmax and smaller_rank(maker) >= 2 and not is_weight(maker.inputs[1], makers)
        return (maker,) if is_scoring else ()
    now = maker.op == "softmax"
    in_rows = not now or maker.attrs.get("axis", -1) in (-1, len(weights.shape) - 1)
    if not (is_elementwise(maker.op) or maker.op in BETWEEN) or (now and softmax) or not in_rows:
        return ()
    given = [each for each in maker.inputs if each.shape == weights.shape]
    for each in given if softmax else given[:1]:
        before = scoring_ops(each, makers, most - 1, softmax or now)
        if before:
            return (*before, maker)
    return ()


def tokens_of(vectors: Operand, axis: int, makers: Makers) -> Operand | None:
    """Return the tokens whose embeddings the vectors along an axis come from, or None.

    Embeddings of positions, which are numbers from 0 on, are left out.
    """
    examples = {each.of.key for each in makers.origins(Axis(vectors, 0)) if not each.number}
    found = {}
    for each in makers.origins(Axis(vectors, axis)):
        shape, data = each.of.shape, each.of.data
        if data is None or not each.of.value.dtype.startswith("int"):
            continue
        if each.number != len(shape) - 1 or len(shape) > 2:
            continue
        places = np.array_equal(data, np.broadcast_to(np.arange(shape[-1]), shape))
        if not places and (prod(shape[:-1]) == 1 or each.of.key in examples):
            found[each.of.key] = each.of
    return next(iter(found.values())) if len(found) == 1 else None
