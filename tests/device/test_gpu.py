"""On a real GPU: what the stand-in cannot show, because there NumPy does the arithmetic."""

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.device import cuda, device_count
from minipaddle.ops import REGISTRY
from tests.contract.refusal import refuses
from tests.ops.drawing import draw

from .test_devices import OPTIMIZERS, place, trained
from .test_records import SAMPLES, results
from .worlds import running_on

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not device_count(), reason="CuPy finds no usable CUDA device"),
]


@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_training_on_a_gpu_is_that_on_the_host(kind: str) -> None:
    on_host, state = trained(kind)
    with running_on("gpu"):
        on_device, more = trained(kind)
        assert place(*on_device) == {"Place(gpu:0)"}
    for a, b in zip([*on_host, *state.values()], [*on_device, *more.values()], strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=2e-5, atol=2e-6)


# One skipped test says as much as a thousand.
@pytest.mark.parametrize(("op", "sample"), SAMPLES if device_count() else SAMPLES[:1])
def test_a_record_on_a_gpu_gives_what_it_gives_on_the_host(op: Any, sample: Any) -> None:
    arrays = draw(op, sample)
    on_host = results(op, sample, arrays, "cpu")
    with running_on("gpu"):
        on_device = results(op, sample, arrays, "gpu:0")
    for a, b in zip(on_host, on_device, strict=True):
        assert (a is None) == (b is None)
        if a is not None:
            assert (a.shape, a.dtype) == (b.shape, b.dtype)
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-10)


def test_random_numbers_on_a_gpu_are_those_of_the_host() -> None:
    for name in ("uniform", "gaussian", "randint", "randperm"):
        op = REGISTRY[name]
        paddle.seed(1)
        on_host = op.call(**op.samples[0].attrs).numpy()
        with running_on("gpu"):
            paddle.seed(1)
            np.testing.assert_array_equal(op.call(**op.samples[0].attrs).numpy(), on_host)


def test_tensors_go_to_a_gpu_and_gradients_come_back() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    y = x.cuda()
    (y * y).sum().cpu().backward()
    assert (str(y.place), str(x.grad.place)) == ("Place(gpu:0)", "Place(cpu)")
    assert x.grad.tolist() == [2.0, 4.0]
    assert y.cpu().tolist() == y.numpy().tolist() == [1.0, 2.0]


def test_host_and_gpu_do_not_mix() -> None:
    x, y = paddle.ones([2]), paddle.ones([2]).cuda()
    for call in (lambda: x + y, lambda: y + x, lambda: paddle.concat([x, y])):
        with refuses(ValueError, "different devices", "Place(cpu)", "Place(gpu:0)"):
            call()


def test_positions_out_of_range_are_errors_on_a_gpu() -> None:
    """CuPy itself would go round and round."""
    x = paddle.arange(3).cuda()
    with pytest.raises((IndexError, ValueError)):
        x[5]
    with pytest.raises((IndexError, ValueError)):
        paddle.gather(x, paddle.to_tensor([5]).cuda())


def test_a_gpu_has_properties() -> None:
    held = paddle.ones([1000]).cuda()
    assert cuda.memory_reserved() >= cuda.memory_allocated() >= held.size * 4
    found = cuda.get_device_properties(0)
    assert found.total_memory > 0
    assert (cuda.get_device_name(), cuda.get_device_capability()) == (found.name, found[1:3])
    cuda.empty_cache()
    paddle.device.synchronize("gpu:0")
