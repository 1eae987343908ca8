"""Normalization and attention: Programs, saved statistics, errors."""

from typing import Any

import numpy as np

import minipaddle as paddle
from minipaddle.engine import errors
from tests.contract.refusal import refused
from tests.each import each
from tests.static.world import fresh

nn, F = paddle.nn, paddle.nn.functional
RNG = np.random.default_rng(1)


def normal(*shape: int) -> Any:
    return RNG.normal(size=shape).astype("float32")


# ----- batch norm --------------------------------------------------------------------------------


def test_training_after_an_evaluation_keeps_the_evaluations_gradient() -> None:
    """The running mean is changed in place; the graph saves a copy of it."""
    layer = nn.BatchNorm1D(2)
    x = paddle.to_tensor(normal(4, 2), stop_gradient=False)
    layer.eval()
    out = layer(x)
    layer.train()
    layer(paddle.to_tensor(normal(4, 2) + 100.0))
    out.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), np.ones((4, 2)), rtol=1e-4)
    np.testing.assert_allclose(layer.weight.grad.numpy(), x.numpy().sum(0), rtol=1e-4)


def test_a_program_updates_running_statistics_as_dynamic_mode_does() -> None:
    batches = [normal(5, 3, 2, 2) + step for step in range(5)]
    eager = nn.BatchNorm2D(3)
    outs = [eager(paddle.to_tensor(x)).numpy() for x in batches]
    with fresh() as (main, startup):
        x = paddle.static.data("x", [None, 3, 2, 2])
        layer = nn.BatchNorm2D(3)
        out = layer(x)
        test = main.clone(for_test=True)
        executor = paddle.static.Executor()
        executor.run(startup)
        kept = [layer._mean.name, layer._variance.name]
        for batch, wanted in zip(batches, outs, strict=True):
            (got,) = executor.run(main, {"x": batch}, [out])
            np.testing.assert_array_equal(got, wanted)
        after = executor.run(main, {"x": batches[0]}, kept)
        assert [op.attr("is_test") for op in test.global_block().ops] == [True]
        used = executor.run(test, {"x": batches[0]}, [out.name, *kept])
        again = executor.run(test, {"x": batches[0]}, [out.name, *kept])
    eager(paddle.to_tensor(batches[0]))
    for value, statistic in zip(after, (eager._mean, eager._variance), strict=True):
        np.testing.assert_array_equal(value, statistic.numpy())
    eager.eval()
    np.testing.assert_array_equal(used[0], eager(paddle.to_tensor(batches[0])).numpy())
    for one, two in zip(used, again, strict=True):
        np.testing.assert_array_equal(one, two)


def test_the_operator_writes_the_variables_that_it_reads() -> None:
    with fresh() as (main, _):
        paddle.static.nn.batch_norm(paddle.static.data("x", [None, 3]))
        (op,) = main.global_block().ops
        assert op.output("MeanOut") == op.input("Mean") == ["batch_norm_0.w_1"]
        assert op.output("VarianceOut") == op.input("Variance") == ["batch_norm_0.w_2"]


# ----- the others --------------------------------------------------------------------------------


def test_a_causal_mask_hides_later_positions() -> None:
    x = normal(1, 4, 2, 3)
    changed = x.copy()
    changed[:, 3] += 10.0
    outs = [
        F.scaled_dot_product_attention(*[paddle.to_tensor(a)] * 3, is_causal=True).numpy()
        for a in (x, changed)
    ]
    np.testing.assert_array_equal(outs[0][:, :3], outs[1][:, :3])
    assert not np.array_equal(outs[0][:, 3], outs[1][:, 3])


def test_attention_and_an_encoder_work_in_a_program() -> None:
    """Batch and length are not known while it is built."""
    x = normal(2, 5, 4)
    paddle.seed(4)
    eager = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0)
    wanted = [eager(paddle.to_tensor(x)), _causal(paddle.to_tensor(x))]
    with fresh() as (main, startup):
        given = paddle.static.data("x", [None, None, 4])
        layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0)
        outs = [layer(given), _causal(given)]
        paddle.seed(4)
        executor = paddle.static.Executor()
        executor.run(startup)
        found = executor.run(main, {"x": x}, outs)
    for got, value in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(got, value.numpy())


def _causal(x: Any) -> Any:
    heads = paddle.unsqueeze(x, 2)
    return F.scaled_dot_product_attention(heads, heads, heads, is_causal=True)


# ----- errors ------------------------------------------------------------------------------------

REFUSED = [lambda: nn.TransformerEncoderLayer(4, 2, 8, weight_attr=[None])]


@each("call", REFUSED)
def test_mismatched_shapes_are_errors(call: Any) -> None:
    refused(call, errors.MinipaddleError)


STATIC_REFUSED = [
    lambda s: s.nn.layer_norm(s.data("x", [None, 3], "int64")),
    lambda s: s.nn.embedding(s.data("x", [3], "int64"), [4, 2], padding_idx=7),
    lambda s: s.nn.batch_norm(s.data("x", [None, 3]), act="quiet"),
]


@each("call", STATIC_REFUSED)
@fresh()
def test_mismatched_shapes_are_errors_in_a_program(call: Any) -> None:
    refused(call, errors.MinipaddleError, paddle.static)
