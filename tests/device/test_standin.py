"""The stand-in refuses what CuPy refuses, so a test on it fails where a GPU would."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.device import namespace, to_numpy
from minipaddle.ops import REGISTRY
from minipaddle.testing.stand_in import CUPY, StandIn, ndarray
from tests.each import each

from .record import record
from .worlds import standing_in


@pytest.fixture
def xp() -> Iterator[StandIn]:
    with standing_in() as module:
        yield module


HOST = np.ones((2, 3))

REFUSED: dict[str, tuple[Callable[[Any, Any], Any], type[Exception]]] = {
    "np.asarray": (lambda xp, x: np.asarray(x), TypeError),
    "np.array of a list of them": (lambda xp, x: np.array([x, x]), TypeError),
    "a function of NumPy's": (lambda xp, x: np.concatenate([x, x]), TypeError),
    "a ufunc of NumPy's": (lambda xp, x: np.exp(x), TypeError),
    "a NumPy array on the left": (lambda xp, x: HOST + x, TypeError),
    "a NumPy array on the right": (lambda xp, x: x + HOST, TypeError),
    "a NumPy array as an argument": (lambda xp, x: xp.maximum(x, HOST), TypeError),
    "a NumPy array among arrays": (lambda xp, x: xp.stack([x, HOST]), TypeError),
    "a NumPy array as an index": (lambda xp, x: x[np.array([0])], TypeError),
    "a NumPy array to write": (lambda xp, x: x.__setitem__(0, HOST[0]), TypeError),
    "a Tensor as an argument": (lambda xp, x: xp.add(x, paddle.ones([2, 3])), TypeError),
    "a list": (lambda xp, x: xp.sum([1.0, 2.0]), TypeError),
    "a number": (lambda xp, x: xp.sum(2.0), TypeError),
    "a list of numbers to join": (lambda xp, x: xp.concatenate([[1.0], [2.0]]), TypeError),
    "a condition that is no array": (lambda xp, x: xp.where(True, x, x), TypeError),
    "a device array as a Python index": (lambda xp, x: range(xp.asarray(3)), TypeError),
    "an argument of NumPy's alone": (lambda xp, x: xp.sum(x, where=x > 0), TypeError),
    "a method's argument of NumPy's alone": (lambda xp, x: x.item(0), TypeError),
    "a function that CuPy lacks": (lambda xp, x: xp.spacing(x), AttributeError),
    "a method that CuPy lacks": (lambda xp, x: x.setflags(), AttributeError),
    "a ufunc's method that CuPy lacks": (lambda xp, x: xp.maximum.reduce(x), NotImplementedError),
    "a scatter that CuPy lacks": (
        lambda xp, x: xp.add.at(xp.zeros(3, "int64"), xp.asarray([0]), 1), TypeError,
    ),
}  # fmt: skip


@each("case", REFUSED)
def test_calls_that_cupy_rejects_raise(xp: StandIn, case: str) -> None:
    attempt, kind = REFUSED[case]
    with pytest.raises(kind):
        attempt(xp, xp.asarray(HOST))


def test_arrays_of_two_devices_do_not_mix(xp: StandIn) -> None:
    x = xp.zeros(3)
    with xp.cuda.Device(1):
        y = xp.zeros(3)
        with pytest.raises(ValueError, match="array device = 0 while current = 1"):
            y + x
        assert (x.device.id, y.device.id, xp.asarray(x).device.id) == (0, 1, 1)
    with pytest.raises(ValueError, match="array device = 1 while current = 0"):
        y + 1


def test_results_stay_on_the_device(xp: StandIn) -> None:
    x = xp.asarray(np.float32([[1, 2], [3, 4]]))
    results = [
        x.sum(),
        xp.max(x),
        x[0, 0],
        x + 1,
        1 - x,
        x.T,
        x == x,
        xp.allclose(x, x),
        xp.count_nonzero(x),
        *xp.split(x, 2),
        *x,
        xp.linalg.norm(x),
        np.float32(2) * x,
    ]
    assert {type(result) for result in results} == {ndarray}
    assert {namespace(result) for result in results} == {xp}
    assert (x.dtype, x.shape, x.ndim, len(x)) == (np.float32, (2, 2), 2, 2)
    assert (float(x[0, 0]), int(x[1, 1]), bool(x[0, 0] > 0), x.sum().item()) == (1.0, 4, True, 10.0)


def test_indexing_is_that_of_a_gpu(xp: StandIn) -> None:
    x = xp.asarray(np.arange(6.0).reshape(2, 3))
    element = x[0, 1]
    element[...] = 9.0  # a view, where NumPy gives a number
    assert x.tolist() == [[0, 9, 2], [3, 4, 5]]
    assert x.take(xp.asarray([4, -2]), 1).tolist() == [[9, 9], [4, 4]]  # round and round
    assert x[:, xp.asarray([5])].tolist() == [[2], [5]]
    assert x[x > 4].tolist() == [9, 5]
    x += 1
    assert to_numpy(x).tolist() == [[1, 10, 3], [4, 5, 6]]


# ----- a hidden copy is found ---------------------------------------------------------------------

HIDDEN: dict[str, Callable[[Any, Any], Any]] = {
    "asarray": lambda xp, x: np.tanh(np.asarray(x)),
    "asarray and back": lambda xp, x: xp.asarray(np.tanh(np.asarray(x))),
    "NumPy's function": lambda xp, x: np.tanh(x),
    "NumPy's constant": lambda xp, x: xp.tanh(x) + np.zeros(3),
}


@each("how", HIDDEN)
def test_a_kernel_that_goes_through_the_host_fails(
    how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them passes unnoticed on NumPy."""
    tanh = REGISTRY["tanh"]
    monkeypatch.setattr(tanh, "kernel", HIDDEN[how])
    monkeypatch.setitem(tanh.__dict__, "call", type(tanh).call.func(tanh))
    host = paddle.to_tensor([0.0, 0.5, 1.0])
    assert tanh.call(host).numpy() == pytest.approx(np.tanh(host.numpy()))
    with standing_in(), pytest.raises(TypeError, match=r"tanh\(\)"):
        tanh.call(host.cuda())


def test_a_rule_that_goes_through_the_host_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        REGISTRY["tanh"].node_class,
        "rule",
        staticmethod(lambda F, dout, out: dout * (1 - np.square(out))),
    )
    for device in ("cpu", "gpu:0"):
        with standing_in():
            x = paddle.to_tensor([0.5], place=device, stop_gradient=False)
            y = paddle.tanh(x)
            if device == "cpu":
                y.backward()
            else:
                with pytest.raises(TypeError):
                    y.backward()


# ----- the record is true -------------------------------------------------------------------------


def test_the_names_are_those_of_cupy() -> None:
    """Where CuPy can be imported; a GPU is not needed for that."""
    version = pytest.importorskip("cupy", reason="CuPy is not installed").__version__
    if version != CUPY["version"]:
        pytest.skip(f"the record is of CuPy {CUPY['version']}, here is {version}")
    found = record()
    assert {part for part in found if found[part] != CUPY[part]} == set()


def test_operators_and_reflected_operators_take_operands_in_order(xp: StandIn) -> None:
    seven, two = xp.asarray(7), xp.asarray(2)
    for left, right in ((seven, two), (7, two), (seven, 2)):
        made = [*divmod(left, right), left - right, left**right, left >> right, left // right]
        assert [int(each) for each in made] == [3, 1, 5, 49, 1, 3]
