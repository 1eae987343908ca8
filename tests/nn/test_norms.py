"""Normalization and attention: values, running statistics in both modes, texts of errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.engine import errors
from tests.each import each
from tests.static.world import fresh

nn, F = paddle.nn, paddle.nn.functional
RNG = np.random.default_rng(1)


def normal(*shape: int) -> Any:
    return RNG.normal(size=shape).astype("float32")


# ----- batch norm --------------------------------------------------------------------------------


def test_running_statistics_follow_the_batches() -> None:
    layer = nn.BatchNorm2D(3, momentum=0.8)
    mean, variance = np.zeros(3), np.ones(3)
    for _ in range(3):
        x = normal(4, 3, 2, 2) * 2.0 + 1.0
        layer(paddle.to_tensor(x))
        mean = 0.8 * mean + 0.2 * x.mean((0, 2, 3))
        variance = 0.8 * variance + 0.2 * x.var((0, 2, 3))
    np.testing.assert_allclose(layer._mean.numpy(), mean, rtol=1e-5)
    np.testing.assert_allclose(layer._variance.numpy(), variance, rtol=1e-5)
    layer.eval()
    before = layer._mean.numpy()
    got = layer(paddle.to_tensor(x)).numpy()
    shape = (1, 3, 1, 1)
    wanted = (x - mean.reshape(shape)) / np.sqrt(variance.reshape(shape) + 1e-5)
    np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-5)
    np.testing.assert_array_equal(layer._mean.numpy(), before)


def test_training_after_a_result_in_use_keeps_its_gradient() -> None:
    """The running mean is changed in place; what a graph saved of it is a copy."""
    layer = nn.BatchNorm1D(2)
    x = paddle.to_tensor(normal(4, 2), stop_gradient=False)
    layer.eval()
    out = layer(x)
    layer.train()
    layer(paddle.to_tensor(normal(4, 2) + 100.0))
    out.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), np.ones((4, 2)), rtol=1e-4)
    np.testing.assert_allclose(layer.weight.grad.numpy(), x.numpy().sum(0), rtol=1e-4)


def test_a_program_keeps_running_statistics_as_eager_mode_does() -> None:
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


def test_norms_have_mean_0_and_variance_1() -> None:
    x = paddle.to_tensor(normal(2, 4, 3, 3) * 5.0 + 2.0)
    for got, axes in (
        (F.layer_norm(x, [4, 3, 3]), (1, 2, 3)),
        (F.layer_norm(x, 3), (3,)),
        (F.instance_norm(x), (2, 3)),
        (F.group_norm(x, 4), (2, 3)),
    ):
        np.testing.assert_allclose(got.numpy().mean(axes), 0.0, atol=1e-5)
        np.testing.assert_allclose(got.numpy().var(axes), 1.0, atol=1e-2)


def test_attention_is_a_weighed_mean_of_the_values() -> None:
    q, k, v = (normal(2, n, 3, 4) for n in (5, 6, 6))
    got = F.scaled_dot_product_attention(*map(paddle.to_tensor, (q, k, v))).numpy()
    scores = np.einsum("bqhd,bkhd->bhqk", q, k) / 2.0
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    np.testing.assert_allclose(got, np.einsum("bhqk,bkhd->bqhd", weights, v), rtol=1e-4, atol=1e-5)


def test_a_causal_mask_hides_what_comes_later() -> None:
    x = normal(1, 4, 2, 3)
    changed = x.copy()
    changed[:, 3] += 10.0
    outs = [
        F.scaled_dot_product_attention(*[paddle.to_tensor(a)] * 3, is_causal=True).numpy()
        for a in (x, changed)
    ]
    np.testing.assert_array_equal(outs[0][:, :3], outs[1][:, :3])
    assert not np.array_equal(outs[0][:, 3], outs[1][:, 3])


def test_attention_and_an_encoder_in_a_program() -> None:
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


def test_dropping_channels_drops_them_whole() -> None:
    paddle.seed(0)
    out = F.dropout2d(paddle.ones([8, 8, 3, 3]), 0.5).numpy()
    assert set(np.unique(out)) == {0.0, 2.0}
    assert (out == out[:, :, :1, :1]).all()


# ----- errors ------------------------------------------------------------------------------------

ONES = paddle.ones
REFUSED = {
    "features": (
        lambda: nn.BatchNorm1D(4)(ONES([2, 3])),
        "batch_norm(): running_mean does not have one number for each feature", "float32 [3]",
    ),
    "dimensions": (
        lambda: nn.BatchNorm2D(3)(ONES([2, 3])),
        "BatchNorm2D: expected 4D input (got 2D input)", "x of shape [2, 3]",
    ),
    "shape": (
        lambda: F.layer_norm(ONES([2, 3]), 4),
        "Given normalized_shape is [4], expected input with shape [*, 4], but got input shape [2",
    ),
    "whole": (lambda: F.layer_norm(ONES([2, 3]), [2, 3]), "one axis at least must stay apart."),
    "epsilon": (
        lambda: F.layer_norm(ONES([2, 3]), 3, epsilon=0.1),
        "epsilon must be between 0.0 and 0.001.", "epsilon=0.1",
    ),
    "groups": (
        lambda: F.group_norm(ONES([2, 4]), 3),
        "the number of channels must be divisible by num_groups.", "a divisor of 4",
    ),
    "layout": (
        lambda: F.batch_norm(ONES([2, 3]), ONES([3]), ONES([3]), data_format="CN"),
        "data_format must be one of 'NC'", "'CN'",
    ),
    "heads": (
        lambda: F.scaled_dot_product_attention(ONES([1, 2, 4, 2]), *[ONES([1, 2, 3, 2])] * 2),
        "the 4 heads of query do not fit the 3 of key and the 3 of value.",
    ),
    "axes": (
        lambda: F.scaled_dot_product_attention(*[ONES([2, 2])] * 3),
        "query, key and value must be 4-D.", "[2, 2], [2, 2], [2, 2]",
    ),
    "size": (
        lambda: nn.MultiHeadAttention(5, 2), "embed_dim must be divisible by num_heads",
        "embed_dim=5",
    ),
    "nothing": (
        lambda: nn.MultiHeadAttention(0, 2),
        "Expected embed_dim to be greater than 0, but received 0",
    ),
    "attrs": (
        lambda: nn.TransformerEncoderLayer(4, 2, 8, weight_attr=[None]),
        "length of param_attr should be 2 when it is a list/tuple",
    ),
    "mode": (
        lambda: nn.Conv2D(1, 1, 3, padding_mode="mirror"),
        "padding_mode must be one of", "'mirror'",
    ),
    "mode and padding": (
        lambda: nn.Conv2D(1, 1, 3, padding=[1, 2], padding_mode="reflect"),
        "with padding_mode 'reflect' the type of padding must be int.",
    ),
    "smoothing": (
        lambda: F.label_smooth(ONES([2, 2]), epsilon=2.0),
        "The value of epsilon must be between 0 and 1.",
    ),
}  # fmt: skip


@each("name", REFUSED)
def test_an_error_says_what_does_not_fit(name: str) -> None:
    call, *texts = REFUSED[name]
    with pytest.raises(errors.MinipaddleError) as caught:
        call()
    for text in texts:
        assert text in str(caught.value)


STATIC_REFUSED = {
    "channels": (
        lambda s: s.nn.conv2d(s.data("x", [None, None, 4, 4]), 2, 3),
        "conv2d(): the size of axis 1 of the input is not known.",
    ),
    "groups": (
        lambda s: s.nn.conv2d(s.data("x", [None, 3, 4, 4]), 2, 3, groups=2),
        "must be divisible by groups.",
    ),
    "dtype": (
        lambda s: s.nn.layer_norm(s.data("x", [None, 3], "int64")),
        "layer_norm(): The data type of 'input' is wrong.",
    ),
    "rows": (
        lambda s: s.nn.embedding(s.data("x", [3], "int64"), [4, 2], padding_idx=7),
        "padding_idx must be within [-4, 4).",
    ),
    "activation": (
        lambda s: s.nn.batch_norm(s.data("x", [None, 3]), act="quiet"),
        "batch_norm(): there is no activation 'quiet'.",
    ),
}


@each("name", STATIC_REFUSED)
def test_an_error_of_a_layer_in_a_program(name: str) -> None:
    call, text = STATIC_REFUSED[name]
    with fresh(), pytest.raises(errors.MinipaddleError) as caught:
        call(paddle.static)
    assert text in str(caught.value)
