"""In-place changes: results, versions, dtypes, shapes, gradients, errors."""

from ._texts import texts


def t(paddle, *args, **kwargs):
    return paddle.to_tensor(*args, **kwargs)


DATA = [[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]]
OTHER = [[1.0, 0.5, -2.0], [2.0, -1.5, 3.0]]


TABLE = texts("inplace", globals())
