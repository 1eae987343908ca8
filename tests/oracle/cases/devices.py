"""Devices of a machine without a GPU: places, the current device, errors."""

from ..harness import case
from ._texts import texts

DEVICES = ("cpu", "gpu", "gpu:0", "cpu:0", "tpu", "gpu:x", "", 3, None)


@case
def the_current_device(paddle, show):
    paddle.device.set_default_device("cpu")
    show("default", paddle.device.get_default_device())
    with paddle.device.device_guard("cpu"):
        show("guarded", str(paddle.zeros([1]).place))


DIFFERS = {
    "a place without number": "the same error as for gpu:0",
}  # fmt: skip
TABLE = texts("devices", globals(), DIFFERS)
