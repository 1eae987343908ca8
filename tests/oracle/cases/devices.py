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


@case
def a_tensor_goes_to_the_host(paddle, show):
    x = paddle.to_tensor([1.0, 2.0], place="cpu", stop_gradient=False)
    y = x.cpu()
    show("another", y is x)
    show("the same", x.to("cpu") is x)
    y.sum().backward()
    show("gradient", x.grad)
    show("place given", str(paddle.to_tensor(1, place=paddle.CPUPlace()).place))


DIFFERS = {
    "a place without number": "the same error as for gpu:0",
}  # fmt: skip
TABLE = texts("devices", globals(), DIFFERS)
