"""Devices of a machine without a GPU: places, the current device, errors."""

from ..harness import case

COMPILED = ("cuda", "rocm", "xpu", "cinn", "distribute")
LISTS = (
    "get_available_device",
    "get_all_device_type",
    "get_available_custom_device",
    "get_all_custom_device_type",
)
DEVICES = ("cpu", "gpu", "gpu:0", "cpu:0", "tpu", "gpu:x", "", 3, None)


@case
def places(paddle, show):
    cpu = paddle.CPUPlace()
    show("text", str(cpu))
    show("equal", cpu == paddle.CPUPlace())
    show("kinds", [cpu.is_cpu_place(), cpu.is_gpu_place(), cpu.gpu_device_id()])
    show("of a tensor", str(paddle.ones([1]).place))
    show("same", paddle.ones([1]).place == cpu)


@case
def the_current_device(paddle, show):
    show("at first", paddle.get_device())
    show("chosen", str(paddle.set_device("cpu")))
    show("by its place", str(paddle.set_device(paddle.CPUPlace())))
    show("again", paddle.device.get_device())
    paddle.device.set_default_device("cpu")
    show("default", paddle.device.get_default_device())
    with paddle.device.device_guard("cpu"):
        show("guarded", str(paddle.zeros([1]).place))


@case
def what_there_is(paddle, show):
    for name in LISTS:
        show(name, getattr(paddle.device, name)())
    show("count", [paddle.device.device_count(), paddle.device.cuda.device_count()])
    show("available", paddle.device.is_available())
    show("cuDNN", paddle.device.get_cudnn_version())
    for name in COMPILED:
        show(name, getattr(paddle, f"is_compiled_with_{name}")())
    show("custom", paddle.device.is_compiled_with_custom_device("npu"))


@case
def a_tensor_goes_to_the_host(paddle, show):
    x = paddle.to_tensor([1.0, 2.0], place="cpu", stop_gradient=False)
    y = x.cpu()
    show("another", y is x)
    show("the same", x.to("cpu") is x)
    y.sum().backward()
    show("gradient", x.grad)
    show("place given", str(paddle.to_tensor(1, place=paddle.CPUPlace()).place))


@case
def what_set_device_refuses(paddle, show):
    for device in DEVICES[1:]:
        show.raises(repr(device), lambda device=device: paddle.set_device(device))


@case
def what_place_refuses(paddle, show):
    for device in DEVICES[2:-1]:
        show.raises(repr(device), lambda device=device: paddle.to_tensor(1.0, place=device))


@case(differs="the same error as for gpu:0")
def a_place_without_number(paddle, show):
    show.raises("gpu", lambda: paddle.to_tensor(1.0, place="gpu"))


@case
def the_host_never_lags_behind(paddle, show):
    paddle.device.synchronize()


@case
def no_memory_of_a_gpu(paddle, show):
    paddle.device.cuda.memory_allocated()


@case
def no_properties_of_a_gpu(paddle, show):
    paddle.device.cuda.get_device_properties()


@case
def lists_of_places(paddle, show):
    show("two", [str(place) for place in paddle.static.cpu_places(2)])


@case
def no_cuda_places(paddle, show):
    paddle.static.cuda_places()
