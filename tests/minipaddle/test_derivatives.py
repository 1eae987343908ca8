"""Jacobian and Hessian beyond real Paddle's recorded answers."""

from typing import Any

import numpy as np

import minipaddle as paddle
from minipaddle.autograd import hessian, jacobian
from tests.contract.refusal import refused
from tests.each import each
from tests.samples import saving
from tests.static.world import fresh


def leaf(values: Any) -> Any:
    return paddle.to_tensor(np.array(values, "float64"), stop_gradient=False)


def test_the_repr_of_a_jacobian_says_what_is_computed() -> None:
    x = leaf([1.0, 2.0, 3.0])
    J = jacobian(x * x, x)
    assert repr(J) == "Jacobian(shape=[3, 3], 0 of 3 rows computed)"
    assert J[1:].shape == [2, 3]
    assert repr(J) == "Jacobian(shape=[3, 3], 2 of 3 rows computed)"
    assert repr(hessian(x.sum(), x)) == "Hessian(shape=[3, 3], 0 of 3 rows computed)"


@each(
    ("call", "kind"),
    [(lambda x: jacobian(x, 2.0), TypeError), (lambda x: hessian([x], x), TypeError)],
)
def test_wrong_arguments_are_errors(call: Any, kind: Any) -> None:
    refused(call, kind, leaf([1.0, 2.0, 3.0]))


def test_jacobian_and_hessian_work_in_a_program() -> None:
    with fresh() as (program, _):
        x = paddle.static.data("x", [3], "float32")
        x.stop_gradient = False
        J = jacobian(x * x, x)
        H = hessian((x * x * x).sum(), x)
        assert (J.shape, H.shape) == ([3, 3], [3, 3])
        fetches = [J[:], J[1], H[:]]
        exe = paddle.static.Executor()
        found = exe.run(program, feed={"x": np.float32([1, 2, 3])}, fetch_list=fetches)
        np.testing.assert_allclose(found[0], np.diag([2, 4, 6]))
        np.testing.assert_allclose(found[1], [0, 4, 0])
        np.testing.assert_allclose(found[2], np.diag([6, 12, 18]))


def test_derivatives_of_functions_are_the_same_in_a_program() -> None:
    of = paddle.incubate.autograd

    def results(x: Any, v: Any) -> list[Any]:
        ys, (dx, unused) = of.vjp(lambda x, v: x * x * x, [x, v])
        hessian = of.Hessian(lambda x: (x * x * x).sum(), x)[:]
        return [*of.jvp(paddle.tanh, x, v), ys, dx, unused, of.Jacobian(paddle.exp, x)[1:], hessian]

    values = {"x": np.array([1.0, 2.0, 3.0]), "v": np.array([0.5, -1.0, 2.0])}
    eager = results(*map(leaf, values.values()))
    with fresh():
        fetches = results(*(paddle.static.data(name, [3], "float64") for name in values))
        found = paddle.static.Executor().run(feed=values, fetch_list=fetches)
    for left, right in zip(eager, found, strict=True):
        np.testing.assert_allclose(left.numpy(), right, rtol=1e-12)


# The cube of a tensor, whose gradient is a PyLayer, too.
CubeGrad = saving(lambda dy, x: 3 * x * x * dy, lambda g, dy, x: (3 * x * x * g, 6 * x * dy * g))
Cube = saving(lambda x: x * x * x, CubeGrad.apply)


def test_a_gradient_given_by_the_user_stays_unchanged_under_create_graph() -> None:
    x, given = leaf([1.0, 2.0]), paddle.ones([2], "float64")
    (dx,) = paddle.grad([Cube.apply(x)], [x], [given], create_graph=True)
    assert given.stop_gradient
    dx.sum().backward()
    assert given.grad is None
