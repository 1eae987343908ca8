"""Results of linear algebra satisfy their identities."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import minipaddle as paddle
from minipaddle import linalg

SIZES = st.integers(1, 4)
SEEDS = st.integers(0, 99)


def numbers(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=shape)


def square(n: int, seed: int = 0) -> Any:
    return numbers(n, n, seed=seed) + 4.0 * np.eye(n)


def tensor(array: Any) -> Any:
    return paddle.to_tensor(array, stop_gradient=False)


def close(made: Any, wanted: Any, tolerance: float = 1e-10) -> None:
    assert list(made.shape) == list(np.shape(wanted))
    np.testing.assert_allclose(made.numpy(), wanted, rtol=tolerance, atol=tolerance)


# ----- identities --------------------------------------------------------------------------------


@given(SIZES, SEEDS)
def test_solving_undoes_a_product(n: int, seed: int) -> None:
    a, b = square(n, seed), numbers(n, 2, seed=seed)
    x = tensor(a)
    close(linalg.solve(x, x @ tensor(b)), b)
    close(linalg.solve(x, tensor(b.T) @ x, left=False), b.T)
    close(linalg.solve(x, tensor(b[:, 0])), np.linalg.solve(a, b[:, 0]))
    close(linalg.inv(x) @ x, np.eye(n))
    close(linalg.matrix_power(x, -2) @ x @ x, np.eye(n))
    close(linalg.det(x) * linalg.det(linalg.inv(x)), 1.0)
    sign, size = linalg.slogdet(x)
    close(sign * paddle.exp(size), np.linalg.det(a))


@given(SIZES, SEEDS)
def test_triangular_and_cholesky_solvers_solve(n: int, seed: int) -> None:
    a, b = square(n, seed), numbers(n, 2, seed=seed)
    for upper, part in ((True, np.triu(a)), (False, np.tril(a))):
        for transpose, turned in ((False, part), (True, part.T)):
            made = linalg.triangular_solve(tensor(a), tensor(turned @ b), upper, transpose)
            close(made, b)
    positive = a @ a.T
    lower = linalg.cholesky(tensor(positive))
    close(lower @ lower.T, positive)
    close(linalg.cholesky(tensor(positive), upper=True), lower.numpy().T)
    close(linalg.cholesky_solve(tensor(positive @ b), lower), b, 1e-8)
    close(linalg.cholesky_solve(tensor(positive @ b), lower.T, upper=True), b, 1e-8)


@given(SIZES, SIZES, SEEDS)
def test_factors_give_the_matrix_back(m: int, n: int, seed: int) -> None:
    a = numbers(m, n, seed=seed)
    q, r = linalg.qr(tensor(a))
    close(q @ r, a)
    close(q.T @ q, np.eye(min(m, n)))
    u, s, vh = linalg.svd(tensor(a))
    close(u * s @ vh, a)
    close(linalg.svdvals(tensor(a)), s.numpy())
    close(linalg.pinv(tensor(a)), np.linalg.pinv(a), 1e-6)
    assert linalg.matrix_rank(tensor(a)).item() == min(m, n)
    whole, upper = linalg.qr(tensor(a), "complete")
    close(whole @ upper, a)
    assert (whole.stop_gradient, list(whole.shape)) == (True, [m, m])
    assert [list(one.shape) for one in linalg.svd(tensor(a), True)] == [[m, m], [min(m, n)], [n, n]]


@given(SIZES, SEEDS)
def test_eigenvectors_keep_their_direction(n: int, seed: int) -> None:
    a = numbers(n, n, seed=seed)
    a = a + a.T
    w, v = linalg.eigh(tensor(a))
    close(tensor(a) @ v, v.numpy() * w.numpy())
    close(paddle.eigvalsh(tensor(a)), w.numpy())
