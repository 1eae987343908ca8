"""float16 on the CPU: real Paddle's kernels compute in float32 and round once."""

import numpy as np

from ._texts import texts


def half(paddle, values, stop=False):
    return paddle.to_tensor(np.asarray(values, "float16"), stop_gradient=stop)


DIFFERS = {
    "narrow sums": "there trace and index_add add up in float16",
}  # fmt: skip
TABLE = texts("half", globals(), DIFFERS)
