"""Layers beyond the recorded answers: dropout, embeddings, errors."""

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import nn
from tests.each import each
from tests.static.world import fresh

from ..contract.refusal import refused

F = nn.functional
RNG = np.random.default_rng(5)
X = RNG.normal(size=(3, 4))


def tensor(array):
    return paddle.to_tensor(array, stop_gradient=False)


# ----- dropout -----


def test_dropout_works_in_place() -> None:
    x = tensor(X)
    h = x * 1.0
    y = nn.Dropout(0.5, inplace=True)(h)
    assert y is h
    y.sum().backward()
    np.testing.assert_array_equal(h.numpy(), X * x.grad.numpy())
    assert set(x.grad.numpy().ravel().tolist()) == {0.0, 2.0}


def test_an_embedding_may_shorten_its_rows() -> None:
    table = paddle.to_tensor([[3.0, 4.0], [0.3, 0.4], [6.0, 8.0]])
    ids = paddle.to_tensor([0, 1, 0])
    out = F.embedding(ids, table, max_norm=1.0)
    np.testing.assert_allclose(table.numpy(), [[0.6, 0.8], [0.3, 0.4], [6.0, 8.0]], rtol=1e-6)
    np.testing.assert_array_equal(out.numpy(), table.numpy()[[0, 1, 0]])
    F.embedding(paddle.to_tensor([2]), table, max_norm=7.0, norm_type=1.0)
    np.testing.assert_allclose(table.numpy()[2], [3.0, 4.0], rtol=1e-6)


def test_dropout1d_is_never_in_place() -> None:
    x = paddle.ones([1, 8, 2])
    with pytest.warns(UserWarning, match="inplace=True is ignored"):
        y = F.dropout1d(x, 0.5, inplace=True)
    assert y is not x
    assert float(x.sum()) == 16.0


def test_an_embedding_is_made_of_given_rows() -> None:
    layer = nn.Embedding(2, 2, padding_idx=0, _weight=paddle.ones([2, 2]), _freeze=True)
    assert layer.weight.tolist() == [[0.0, 0.0], [1.0, 1.0]]
    assert layer.weight.stop_gradient
    assert nn.Embedding(2, 2, dtype="float64").weight.dtype == paddle.float64


# ----- texts and refusals -----


def test_what_is_not_there_is_refused() -> None:
    refused(lambda: F.dropout(tensor(X), 0.5, inplace=True), ValueError)
    scaled = nn.Embedding(2, 2, scale_grad_by_freq=True)
    refused(scaled, NotImplementedError, paddle.to_tensor([1]))


@fresh()
def test_shortening_rows_in_a_program_is_an_error() -> None:
    ids = paddle.static.data("ids", [2], "int64")
    refused(nn.Embedding(3, 2, max_norm=0.5), NotImplementedError, ids)


@each("sparse", [True, False])
def test_a_cleared_gradient_of_a_sparse_embedding_is_none(sparse: bool) -> None:
    """As in Paddle, where no zeros are kept of rows that were read."""
    table = nn.Embedding(3, 2, sparse=sparse)
    table(paddle.to_tensor([1])).sum().backward()
    table.clear_gradients()
    assert (table.weight.grad is None) == sparse
