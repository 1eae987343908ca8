"""Initializers: Paddle's recorded numbers, descriptions as ops, errors."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import nn
from minipaddle.engine import dtypes
from minipaddle.ops import REGISTRY
from tests.each import each

from ..contract.refusal import refused, refuses

init = nn.initializer
GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "rng.json").read_text(encoding="utf-8"))
MAKERS = {
    "linear_4_5_weight": lambda: nn.Linear(4, 5).weight,
    "embedding_6_3_weight": lambda: nn.Embedding(6, 3).weight,
    "conv2d_2_3_k3_weight": lambda: nn.Conv2D(2, 3, 3).weight,
    "xavier_normal_4_5": lambda: nn.Linear(4, 5, weight_attr=init.XavierNormal()).weight,
    "kaiming_uniform_4_5": lambda: nn.Linear(4, 5, weight_attr=init.KaimingUniform()).weight,
}
# float32 normals hang on the last place of a logarithm
ULPS = {"xavier_normal_4_5": 3, "conv2d_2_3_k3_weight": 3}


@each("name", MAKERS)
@each("seed", GOLDEN)
def test_the_numbers_are_paddles(seed: str, name: str) -> None:
    paddle.seed(int(seed))
    weight = MAKERS[name]().numpy()
    golden = GOLDEN[seed][name]
    wanted = np.array([float.fromhex(v) for v in golden["values"]], golden["dtype"])
    assert list(weight.shape) == golden["shape"]
    if name in ULPS:
        np.testing.assert_array_max_ulp(weight.ravel(), wanted, ULPS[name])
    else:
        assert np.array_equal(weight.ravel(), wanted)


FLOAT = dtypes.DType.of("float32")


@each(
    ("initializer", "shape", "op", "numbers"),
    [
        (init.Constant(2.5), (2,), "full", {"fill_value": 2.5}),
        (init.Uniform(), (2,), "uniform", {"min": -1.0, "max": 1.0}),
        (init.Normal(1.0, 3.0), (2,), "gaussian", {"mean": 1.0, "std": 3.0}),
        (init.XavierUniform(), (4, 2), "uniform", {"min": -1.0, "max": 1.0}),
        (init.XavierUniform(), (3,), "uniform", {"max": 1.0}),
        (init.XavierUniform(gain=2.0), (4, 2), "uniform", {"max": 2.0}),
        (init.XavierUniform(fan_in=5, fan_out=1), (9, 9), "uniform", {"max": 1.0}),
        (init.XavierNormal(), (5, 3), "gaussian", {"std": 0.5}),
        (init.XavierNormal(), (2, 1, 2, 2), "gaussian", {"std": math.sqrt(2 / 12)}),
        (init.KaimingUniform(), (6, 2), "uniform", {"max": 1.0}),
        (init.KaimingUniform(mode="fan_out"), (6, 24), "uniform", {"max": 0.5}),
        (init.KaimingNormal(), (8, 3), "gaussian", {"mean": 0.0, "std": 0.5}),
        (init.KaimingNormal(fan_in=2), (8, 3), "gaussian", {"std": 1.0}),
        (init.KaimingNormal(nonlinearity="tanh"), (25, 1), "gaussian", {"std": 1 / 3}),
        (
            init.KaimingNormal(negative_slope=1.0, nonlinearity="leaky_relu"),
            (4, 1),
            "gaussian",
            {"std": 0.5},
        ),
    ],
)
def test_initializers_are_described_as_ops(initializer, shape, op: str, numbers: dict) -> None:
    name, attrs = initializer.describe(shape, FLOAT)
    assert name == op
    assert attrs["shape"] == shape
    assert attrs["dtype"] is FLOAT
    for key, value in numbers.items():
        assert attrs[key] == pytest.approx(value, rel=1e-15)
    paddle.seed(9)
    array = initializer.array(shape, FLOAT)
    paddle.seed(9)
    assert np.array_equal(array, REGISTRY[name].call(**attrs).numpy())  # like a startup Program


def test_assign_copies_its_values() -> None:
    array = np.float32([[1.0, 2.0]])
    weight = nn.Linear(1, 2, weight_attr=init.Assign(array)).weight
    array[:] = 0
    assert weight.tolist() == [[1.0, 2.0]]


def test_wrong_arguments_of_initializers_are_errors() -> None:
    refused(lambda: nn.Linear(1, 2, weight_attr=init.Assign([1.0, 2.0, 3.0])), ValueError)
    refused(lambda: init.KaimingUniform(nonlinearity="swoosh"), ValueError)


def test_assigned_values_may_be_flat() -> None:
    row = np.arange(6, dtype="float32")
    for values in (row, row.tolist(), row.reshape(1, 6), row.reshape(2, 1, 3)):
        weight = nn.Linear(2, 3, weight_attr=init.Assign(values)).weight
        np.testing.assert_array_equal(weight.numpy(), row.reshape(2, 3))
    with refuses(ValueError, "Assign", "[2, 3], or of 6 values in one row", "[3, 2]", "transpose"):
        nn.Linear(2, 3, weight_attr=init.Assign(row.reshape(3, 2)))
