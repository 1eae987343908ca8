"""Op calls become Operators: inference, and Variables of other Programs."""

import numpy as np
import pytest

import minipaddle as paddle
from tests.each import each

from .world import data, fresh

pytestmark = pytest.mark.usefixtures("programs")


@each(
    ("build", "shape"),
    [
        (lambda x: x + 1.0, (-1, 4)),
        (lambda x: x @ paddle.ones([4, 3]), (-1, 3)),
        (lambda x: paddle.reshape(x, [-1, 2]), (-1, 2)),
        (lambda x: paddle.transpose(x, [1, 0]), (4, -1)),
        (lambda x: x.sum(), ()),
        (lambda x: x.mean(axis=0), (4,)),
        (lambda x: paddle.concat([x, x], axis=1), (-1, 8)),
        (lambda x: paddle.stack([x, x]), (2, -1, 4)),
        (lambda x: x[:, 1], (-1,)),
        (paddle.zeros_like, (-1, 4)),
        (lambda x: paddle.unsqueeze(x, 0), (1, -1, 4)),
        (lambda x: paddle.static.nn.fc(x, 5), (-1, 5)),
    ],
)
@fresh()
def test_unknown_sizes_stay_unknown_in_results(build, shape) -> None:
    out = build(paddle.static.data("x", [None, 4]))
    assert out.shape == shape
    executor = paddle.static.Executor()
    executor.run(paddle.static.default_startup_program())
    for rows in (1, 6):
        (value,) = executor.run(feed={"x": np.ones([rows, 4], "float32")}, fetch_list=[out])
        fits = [m in (n, -1) for m, n in zip(shape, value.shape, strict=True)]
        assert all(fits), (shape, value.shape)


def test_a_variable_of_another_program_is_found_by_its_name() -> None:
    with fresh():
        wide = data("x", [2, 9])
    paddle.enable_static()
    narrow = data("x", [2, 4])
    assert paddle.tanh(wide).shape == narrow.shape
