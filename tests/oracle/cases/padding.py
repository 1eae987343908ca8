"""Padding in every mode and form; masks and labels; likeness."""

import numpy as np

from ..spread import spread
from ._calls import row as calls
from .ops import row

CUBE, FIVE = spread(1, 2, 3, 4), spread(1, 1, 2, 3, 4)
TABLE_ = CUBE[0, 0].copy()
MODES = ("constant", "reflect", "replicate", "circular")
A = np.array([[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]])
B = np.array([[1.0, 0.5, -2.0], [0.75, -1.5, 3.0]])


def padded(x, pad, **options):
    return row(
        f"pad {x.shape} {pad} {options}", lambda q, t: q.nn.functional.pad(t, pad, **options), x
    )


def refused(shape, pad, dtype="float32", **options):
    return lambda q: q.nn.functional.pad(q.ones(shape, dtype), pad, **options).shape


TABLE = [
    *(padded(CUBE, pad, mode=mode) for mode in MODES
      for pad in ([1, 2, 2, 1], [0, 0, 1, 0], [3, 0, 0, 2])),
    *(padded(CUBE[0], [2, 1], mode=mode) for mode in MODES),
    *(padded(FIVE, [1, 2, 2, 0, 0, 1], mode=mode) for mode in MODES),
    *(padded(CUBE, [1, 2, 1, 0], mode=mode, data_format="NHWC") for mode in MODES),
    *(padded(CUBE[0], [1, 1], mode=mode, data_format="NLC") for mode in MODES),
    *(padded(CUBE, [-1, 0, 0, -1], mode=mode) for mode in MODES),
    padded(CUBE, [5, 6, 0, 0], mode="circular"), padded(CUBE, [5, 0, 4, 4], mode="replicate"),
    padded(CUBE, [1, 0, 0, 2], value=-3.5), padded(CUBE, [1, 2]), padded(CUBE, [1]),
    padded(CUBE, [1, 2, 3]), padded(CUBE, [1, 0, 0, 1, 2, 0]),
    padded(CUBE, [0, 1, 1, 0, 2, 0, 0, 2]), padded(CUBE, [0] * 8),
    padded(CUBE, [0, 1, 1, 0, 2, 0, 0, 2], pad_from_left_axis=False),
    padded(TABLE_, [1, 2]), padded(TABLE_, [1, 2, 0, 1]),
    padded(TABLE_, [1, 2, 0, 1], pad_from_left_axis=False), padded(TABLE_[0], [1, 2], value=2.0),
    row("zeropad2d", lambda q, x: q.nn.functional.zeropad2d(x, [1, 2, 0, 3]), CUBE),
    calls("pad forms",
        lambda q: q.nn.functional.pad(q.ones([1, 1, 2, 2], "int32"), [1, 0, 0, 1], value=7),
        lambda q: q.nn.functional.pad(q.ones([1, 1, 2, 2], "int64"), [1, 0, 0, 1], mode="reflect"),
        lambda q: q.nn.functional.pad(q.ones([1, 1, 2, 2]),
                                      q.to_tensor([1, 0, 0, 1], dtype="int32")),
        lambda q: q.nn.functional.pad(q.ones([1, 1, 2, 2]), (1, 0, 0, 1))),
    calls("pad refused",
        refused([1, 1, 2, 2], [1, 0, 0, 1], mode="mirror"),
        refused([1, 1, 2, 2], [1, 0], mode="reflect"),
        refused([1, 1, 2, 2], [2, 0, 0, 0], mode="reflect"),
        refused([2, 2], [1, 0], mode="reflect"),
        refused([1, 1, 2, 2], [1, 0, 0, 1], data_format="NCL"), refused([1, 1, 2, 2], [-1, 0]),
        refused([1, 1, 2, 2], [1, 0, 0, 1], "bool"),
        refused([1, 1, 2, 2], [1, 0, 0, 1], "float16")),
    calls("sequence_mask",
        lambda q: q.nn.functional.sequence_mask(q.to_tensor([1, 3, 0])),
        lambda q: q.nn.functional.sequence_mask(q.to_tensor([[1], [3]]), 4, "float32"),
        lambda q: q.nn.functional.sequence_mask(q.to_tensor([1, 3]), 2, "bool"),
        lambda q: q.nn.functional.sequence_mask(q.to_tensor([1.5, 3.0]), 4),
        lambda q: q.nn.functional.sequence_mask(q.to_tensor([1, 3]), q.to_tensor(5), "int32"),
        lambda q: q.nn.functional.sequence_mask(q.to_tensor(2), 4)),
    row("label_smooth", lambda q, x: q.nn.functional.label_smooth(x), A),
    row("label_smooth half", lambda q, x: q.nn.functional.label_smooth(x, epsilon=0.5), A),
    row("label_smooth prior",
        lambda q, x: q.nn.functional.label_smooth(x, x.detach()[0:1], epsilon=0.25), A),
    calls("label_smooth refused",
        lambda q: q.nn.functional.label_smooth(q.ones([2, 2]), epsilon=1.5),
        lambda q: q.nn.functional.label_smooth(q.ones([2, 2], "int32"))),
    *(row(f"cosine_similarity {axis}",
          lambda q, x, y, a=axis: q.nn.functional.cosine_similarity(x, y, a), A, B)
      for axis in (0, 1, -1)),
    row("cosine_similarity broadcast",
        lambda q, x, y: q.nn.functional.cosine_similarity(x, y, -1), A, B[:1]),
    row("cosine_similarity of zeros",
        lambda q, x, y: q.nn.functional.cosine_similarity(x, y), A * 0, B),
]  # fmt: skip
