"""Linear algebra and norms: values against NumPy and identities, corners, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import minipaddle as paddle
from minipaddle import linalg
from tests.contract.refusal import refused
from tests.each import each

SIZES = st.integers(1, 4)
SEEDS = st.integers(0, 99)
ORDERS = [2, 1, 0, 3, 0.5, np.inf, -np.inf]
MATRIX_ORDERS = ["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf]


def numbers(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=shape)


def square(n: int, seed: int = 0) -> Any:
    return numbers(n, n, seed=seed) + 4.0 * np.eye(n)


def tensor(array: Any) -> Any:
    return paddle.to_tensor(array, stop_gradient=False)


def close(made: Any, wanted: Any, tolerance: float = 1e-10) -> None:
    assert list(made.shape) == list(np.shape(wanted))
    np.testing.assert_allclose(made.numpy(), wanted, rtol=tolerance, atol=tolerance)


# ----- norms -------------------------------------------------------------------------------------


@each("p", ORDERS)
@each("keepdim", [False, True])
def test_norms_of_vectors_are_numpys(p: Any, keepdim: bool) -> None:
    x = numbers(3, 4)
    close(paddle.norm(tensor(x), p), np.linalg.norm(x.ravel(), p))
    for axis in (0, -1):
        wanted = np.linalg.norm(x, p, axis=axis, keepdims=keepdim)
        close(paddle.norm(tensor(x), p, axis=axis, keepdim=keepdim), wanted)
        close(linalg.vector_norm(tensor(x), p, axis, keepdim), wanted)


@each("p", MATRIX_ORDERS)
@each("axis", [(0, 1), (2, 0), (-1, -2)])
@each("keepdim", [False, True])
def test_norms_of_matrices_are_numpys(p: Any, axis: Any, keepdim: bool) -> None:
    x = numbers(2, 3, 4)
    wanted = np.linalg.norm(x, p, axis=axis, keepdims=keepdim)
    close(paddle.norm(tensor(x), p, axis=list(axis), keepdim=keepdim), wanted)
    close(linalg.matrix_norm(tensor(x), p, axis, keepdim), wanted)


def test_a_matrix_norm_without_p_is_frobenius() -> None:
    x = numbers(2, 3)
    close(paddle.norm(tensor(x), axis=[0, 1]), np.linalg.norm(x))


@each("p", [1, 2, 3, np.inf, -np.inf, 0])
def test_the_gradient_at_the_origin_is_0(p: Any) -> None:
    x = paddle.zeros([3])
    x.stop_gradient = False
    paddle.norm(x, p).backward()
    assert x.grad.tolist() == [0.0, 0.0, 0.0]


def test_distances() -> None:
    x, y = numbers(3, 4), numbers(2, 4, seed=1)
    wanted = np.linalg.norm(x[:, None] - y, axis=-1)
    close(paddle.cdist(tensor(x), tensor(y)), wanted)
    close(paddle.dist(tensor(x), tensor(y[0]), 1), np.abs(x - y[0]).sum())


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
def test_triangles_and_cholesky(n: int, seed: int) -> None:
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


@each("p", [None, *MATRIX_ORDERS])
def test_the_condition_is_numpys(p: Any) -> None:
    a = square(3)
    close(linalg.cond(tensor(a), p), np.linalg.cond(a, p))


def test_a_batch_is_each_of_its_matrices() -> None:
    a = np.stack([square(3), square(3, 1)])
    for call in (linalg.inv, linalg.det, linalg.pinv, linalg.svdvals):
        made = call(tensor(a))
        close(made, np.stack([call(tensor(one)).numpy() for one in a]))
    b = numbers(2, 3)  # one vector for each matrix
    close(linalg.solve(tensor(a), tensor(b)), np.stack(list(map(np.linalg.solve, a, b))))


def test_the_determinant_of_a_singular_matrix_has_gradient_0() -> None:
    x = tensor(np.array([[1.0, 2.0], [2.0, 4.0]]))
    linalg.det(x).backward()
    assert x.grad.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    y = tensor(np.array([[1.0, 2.0], [2.0, 4.0]]))
    linalg.slogdet(y)[1].backward()
    assert np.isnan(y.grad.numpy()).all()


def test_the_gradient_of_a_symmetric_matrix_is_symmetric() -> None:
    a = square(3)
    for call in (linalg.cholesky, lambda x: linalg.eigh(x)[1], paddle.eigvalsh):
        x = tensor(a @ a.T)
        made = call(x)
        made.backward(paddle.to_tensor(numbers(*made.shape, seed=3)))
        np.testing.assert_allclose(x.grad.numpy(), x.grad.numpy().T, rtol=1e-9, atol=1e-12)


def test_of_a_matrix_that_is_not_symmetric_the_symmetric_part_counts() -> None:
    a = square(3) @ square(3).T
    crooked = a + np.triu(numbers(3, 3), 1) * 0.1
    half = (crooked + crooked.T) / 2
    close(paddle.eigvalsh(tensor(crooked)), np.linalg.eigvalsh(half))
    close(linalg.eigh(tensor(crooked), "U")[0], np.linalg.eigvalsh(half))
    close(linalg.cholesky(tensor(crooked)), np.linalg.cholesky(half))


def test_names_stand_where_paddle_has_them() -> None:
    x = tensor(square(2))
    assert x.slogdet().shape == [2]
    assert x.matrix_power(2).shape == [2, 2]
    assert x.solve(paddle.ones([2], "float64")).shape == [2]
    assert x.pinv().shape == x.inverse().shape == x.cholesky_solve(x).shape == [2, 2]
    for name in ("det", "svd", "eigh", "inv"):
        assert hasattr(paddle.linalg, name)
        assert not hasattr(paddle, name)


# ----- refusals ----------------------------------------------------------------------------------

ones, eye = paddle.ones, paddle.eye


@each(
    ("call", "kind"),
    [
        (lambda: linalg.triangular_solve(paddle.zeros([2, 2]), ones([2, 1])), ValueError),
        (lambda: linalg.matrix_norm(eye(2), "fro", 1), ValueError),
        (lambda: paddle.cdist(ones([2]), ones([2])), ValueError),
    ],
)
def test_refusals(call: Any, kind: Any) -> None:
    refused(call, kind)


@each("name", ["inv", "det", "slogdet", "cholesky", "eigvalsh", "pinv", "svd", "qr", "svdvals"])
def test_linear_algebra_has_no_float16(name: str) -> None:
    refused(getattr(linalg, name), RuntimeError, eye(2, dtype="float16"))
