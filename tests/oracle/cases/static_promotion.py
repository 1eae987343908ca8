"""The dtype of a Program's operator of two Variables, also of 0-D ones."""

import itertools
import operator

import numpy as np

from ..harness import Case

STATIC = True

DTYPES = ["bool", "int32", "int64", "float32", "float64"]
RANKS = {"both [2]": ([2], [2]), "y 0-D": ([2], []), "x 0-D": ([], [2]), "both 0-D": ([], [])}


def table(name, call, differs=None):
    """Return a case: a word per left dtype, with a letter per result, T for TypeError."""

    def run(paddle, show):
        feed, results = {}, []
        for shapes in RANKS.values():
            for pair in itertools.product(DTYPES, DTYPES):
                arrays = [np.ones(shape, dtype) for shape, dtype in zip(shapes, pair, strict=True)]
                inputs = [
                    paddle.static.data(f"v{len(feed) + i}", array.shape, array.dtype.name)
                    for i, array in enumerate(arrays)
                ]
                feed |= {v.name: array for v, array in zip(inputs, arrays, strict=True)}
                try:
                    results.append(call(*inputs))
                except TypeError:
                    results.append("T")
        made = [value for value in results if not isinstance(value, str)]
        values = iter(paddle.static.Executor().run(feed=feed, fetch_list=made))
        dtypes = [v if isinstance(v, str) else next(values).dtype.name for v in results]
        letters = iter([d if d == "T" else np.dtype(d).char for d in dtypes])
        for label in RANKS:
            words = ["".join(next(letters) for _ in DTYPES) for _ in DTYPES]
            show(label, " ".join(words))

    return Case(name, run, differs)


TABLE = [table("plus", operator.add), table("times", operator.mul)]
