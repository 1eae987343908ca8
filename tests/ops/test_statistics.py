"""Statistics of a Program need not know the batch."""

from typing import Any

import numpy as np

import minipaddle as paddle
from tests.each import each
from tests.static.world import fresh

BATCH = np.array([[3.0, 1.0, 2.0], [0.5, 4.0, 1.0], [2.5, 0.0, 7.0], [9.0, 8.0, 6.0]], "float32")
FORMULAS: dict[str, Any] = {
    "var": lambda x: paddle.var(x, 0), "std": paddle.std,
    "median": lambda x: paddle.median(x, 0), "nanmean": lambda x: paddle.nanmean(x, 0),
    "lower median": lambda x: paddle.median(x, 0, mode="min")[0],
    "quantile down": lambda x: paddle.quantile(x, 0.3, axis=0),
    "quantile of all": lambda x: paddle.quantile(x, 0.3),
    "quantile": lambda x: paddle.quantile(x, [0.25, 0.5], axis=1),
    "cumsum": paddle.cumsum, "cumprod": lambda x: paddle.cumprod(x, 0),
    "sort": lambda x: paddle.sort(x, axis=0), "topk": lambda x: paddle.topk(x, 2, axis=0)[0],
    "prod": lambda x: paddle.prod(x, axis=0), "mode": lambda x: paddle.mode(x, 0)[0],
}  # fmt: skip


@each("name", FORMULAS)
def test_a_program_need_not_know_the_batch(name: str) -> None:
    call = FORMULAS[name]
    x = paddle.to_tensor(BATCH, stop_gradient=False)
    y = call(x)
    (y * y).sum().backward()
    with fresh():
        data = paddle.static.data("x", [-1, 3], "float32")
        data.stop_gradient = False
        out = call(data)
        (grad,) = paddle.static.gradients((out * out).sum(), data)
        found = paddle.static.Executor().run(feed={"x": BATCH}, fetch_list=[out, grad])
    np.testing.assert_array_equal(found[0], y.numpy())
    np.testing.assert_array_equal(found[1], x.grad.numpy())
