"""Weight norm in Programs and in copies, and the slope of spectral norm.

What real Paddle computes is in `tests/oracle/cases/computed_weights.py`.
"""

import copy

import numpy as np

import minipaddle as paddle
from tests.contract.refusal import refuses
from tests.static.world import data, fresh

utils = paddle.nn.utils
X = np.array([[1.0, -2.0, 0.5], [0.25, 3.0, -1.5]], "float32")


def test_a_program_trains_lengths_and_directions() -> None:
    with fresh() as (_, startup):
        layer = utils.weight_norm(paddle.nn.Linear(3, 2), dim=1)
        loss = layer(data("x", [2, 3])).square().mean()
        paddle.optimizer.SGD(0.05).minimize(loss)
        executor = paddle.static.Executor()
        executor.run(startup)
        fetched = [loss, layer.weight_g]
        rounds = [executor.run(feed={"x": X}, fetch_list=fetched) for _ in range(20)]
    assert rounds[-1][0] < 0.5 * rounds[0][0]
    assert rounds[0][1].shape == (2,)
    assert (rounds[0][1] != rounds[-1][1]).all()


def test_a_copy_computes_its_own_weight() -> None:
    layer = utils.weight_norm(paddle.nn.Linear(3, 2), dim=None)
    other = copy.deepcopy(layer)
    other.weight_g.set_value(layer.weight_g * 2.0)
    x = paddle.to_tensor(X)
    np.testing.assert_allclose(other(x).numpy(), 2.0 * layer(x).numpy(), rtol=1e-5)


def test_spectral_norm_has_the_slope_of_its_estimate() -> None:
    layer = utils.spectral_norm(paddle.nn.Linear(3, 2)).to(dtype="float64")
    layer.eval()  # u and v stay
    x = paddle.to_tensor(X).astype("float64")

    def loss(weight: paddle.Tensor) -> paddle.Tensor:
        layer._parameters["weight_orig"] = layer.__dict__["weight_orig"] = weight
        return layer(x).square().sum()

    paddle.testing.check_grad(loss, layer.weight_orig.detach())


def test_spectral_norm_is_refused_in_programs() -> None:
    with fresh(), refuses(RuntimeError, "spectral_norm", "dynamic mode", "to_static"):
        utils.spectral_norm(paddle.nn.Linear(3, 2))
