"""On which devices a test runs: the host, the strict stand-in, a real GPU."""

from collections.abc import Iterator
from contextlib import contextmanager

from minipaddle import device
from minipaddle.device import arrays
from minipaddle.testing.stand_in import StandIn

# Tests with the same outcome on every device: `--all` runs them on the strict stand-in.
TESTED_STRICTLY = (
    "contract", "nn", "optimizer", "minipaddle/test_autograd", "minipaddle/test_inplace",
    "minipaddle/test_gradient_memory",
)  # fmt: skip
# Many more of them, for `--device`.
TESTED_ON_REQUEST = (
    *TESTED_STRICTLY, "ops/test_gradients", "ops/test_values", "static/test_same_as_eager",
    "static/test_backward", "static/test_programs", "static/test_py_func", "static/test_executor",
)  # fmt: skip


@contextmanager
def standing_in(count: int = 2) -> Iterator[StandIn]:
    """The stand-in as CuPy, with so many devices."""
    before, module = arrays.loaded_cupy(), StandIn(count)
    arrays.use_cupy(module)
    try:
        yield module
    finally:
        arrays.use_cupy(before)
        device.set_device("cpu")


@contextmanager
def running_on(name: str) -> Iterator[None]:
    """New tensors are made on the device of this name, which must still be so afterwards."""
    if name == "host":
        yield
        return
    if name == "strict":
        with standing_in(), _chosen():
            yield
        return
    with _chosen():
        yield


@contextmanager
def _chosen() -> Iterator[None]:
    device.set_device("gpu:0")
    try:
        yield
        assert device.get_device() == "gpu:0", "the test left another device behind"
    finally:
        device.set_device("cpu")
