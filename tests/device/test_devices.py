"""Tensors stay on their device, and new ones are made on the current device."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import nn
from minipaddle.device import place_of
from minipaddle.testing.stand_in import StandIn
from tests.contract.refusal import refuses
from tests.each import each
from tests.samples import saving

from .worlds import standing_in

GPU = paddle.CUDAPlace(0)


@pytest.fixture(autouse=True)
def cupy() -> Iterator[StandIn]:
    with standing_in() as module:
        yield module


def place(*tensors: Any) -> set[str]:
    return {str(tensor.place) for tensor in tensors}


# ----- choosing a device --------------------------------------------------------------------------


def test_set_device_says_where_new_tensors_are_made() -> None:
    for name in ("gpu", "gpu:0", "cuda", "cuda:0", 0, GPU):
        assert paddle.set_device(name) == GPU
        assert (paddle.get_device(), paddle.ones([1]).place) == ("gpu:0", GPU)
    assert paddle.set_device(1) == paddle.CUDAPlace(1)
    assert place(paddle.ones([1])) == {"Place(gpu:1)"}
    paddle.set_device("cpu")
    assert place(paddle.ones([1])) == {"Place(cpu)"}


def test_a_missing_device_is_an_error() -> None:
    for device in ("gpu:2", paddle.CUDAPlace(2), 2):
        with refuses(ValueError, "there is no gpu:2", "0 to 1", "cpu, gpu:0, gpu:1", "CPUPlace()"):
            paddle.set_device(device)
    assert paddle.get_device() == "cpu"
    with refuses(TypeError, "an int", "index='a'"):
        paddle.CUDAPlace("a")


def test_device_guard_is_for_a_block() -> None:
    with paddle.device.device_guard("gpu:1"):
        assert place(paddle.ones([1])) == {"Place(gpu:1)"}
        paddle.set_device("gpu:0")
        assert place(paddle.ones([1])) == {"Place(gpu:0)"}
    assert paddle.get_device() == "cpu"


def test_another_thread_sees_the_device_but_not_the_guard() -> None:
    paddle.set_device("gpu:0")
    seen = []
    with paddle.device.device_guard("cpu"):
        thread = threading.Thread(target=lambda: seen.append(paddle.get_device()))
        thread.start()
        thread.join()
    assert seen == ["gpu:0"]


def test_devices_are_listed(cupy: StandIn) -> None:
    device = paddle.device
    assert (device.device_count(), device.cuda.device_count(), device.is_available()) == (
        2,
        2,
        True,
    )
    assert (device.get_available_device(), device.get_all_device_type()) == (
        ["gpu:0", "gpu:1"],
        ["gpu"],
    )
    assert device.is_compiled_with_cuda()
    device.synchronize("gpu:1")
    device.cuda.synchronize()
    with refuses(TypeError, "a GPU", "Place(cpu)", "leave it out"):
        device.synchronize()


def test_lists_of_places_have_all_devices() -> None:
    static = paddle.static
    assert static.cuda_places() == [GPU, paddle.CUDAPlace(1)]
    assert static.cuda_places([1]) == static.cuda_places(1) == [paddle.CUDAPlace(1)]
    assert static.cpu_places(2) == [paddle.CPUPlace()] * 2
    with standing_in(0), refuses(AssertionError, "no CUDA device", "cpu", "cpu_places()"):
        static.cuda_places()


@each("name", ["Stream", "Event", "stream_guard", "max_memory_allocated", "xyz"])
def test_an_absent_name_is_reported(name: str) -> None:
    for module in (paddle.device, paddle.device.cuda):
        with refuses(AttributeError, name, "to do"):
            getattr(module, name)


# ----- what is made -------------------------------------------------------------------------------

MADE: dict[str, Callable[[], Any]] = {
    "zeros": lambda: paddle.zeros([2]),
    "full": lambda: paddle.full([2], 1.5),
    "arange": lambda: paddle.arange(3),
    "eye": lambda: paddle.eye(2),
    "linspace": lambda: paddle.linspace(0, 1, 3),
    "rand": lambda: paddle.rand([3]),
    "randn": lambda: paddle.randn([3]),
    "randint": lambda: paddle.randint(0, 9, [3]),
    "randperm": lambda: paddle.randperm(5),
    "bernoulli": lambda: paddle.bernoulli(paddle.full([3], 0.5)),
    "to_tensor": lambda: paddle.to_tensor([1.0, 2.0]),
    "assign": lambda: paddle.assign(np.float32([1.0])),
    "a Tensor of Tensors": lambda: paddle.to_tensor([paddle.ones([1]), paddle.zeros([1])]),
    "a weight": lambda: nn.Linear(2, 3).weight,
    "a weight with normal numbers": lambda: (
        nn.Linear(2, 3, weight_attr=nn.initializer.Normal()).weight
    ),
}


@each("made", MADE)
def test_creation_follows_the_current_device(made: str) -> None:
    paddle.seed(3)
    on_host = MADE[made]()
    with paddle.device.device_guard("gpu:1"):
        paddle.seed(3)
        on_device = MADE[made]()
    assert place(on_host, on_device) == {"Place(cpu)", "Place(gpu:1)"}
    np.testing.assert_array_equal(on_host.numpy(), on_device.numpy())


# ----- from one to the other ----------------------------------------------------------------------


def test_tensors_are_moved_and_gradients_flow_back() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    y = x.cuda(1)
    z = y.to("gpu:0").to(paddle.CPUPlace())
    assert place(x, y, z) == {"Place(cpu)", "Place(gpu:1)"}
    (z * z + (y * y).cpu()).sum().backward()
    assert (str(x.grad.place), x.grad.tolist()) == ("Place(cpu)", [4.0, 8.0])
    assert y.to("gpu:1") is y
    assert place(x.to(y)) == {"Place(gpu:1)"}
    assert place(paddle.to_tensor(y), paddle.to_tensor(x, place=y.place)) == place(x, y)


def test_a_layer_moves_with_its_gradients() -> None:
    layer = nn.Linear(2, 2)
    layer(paddle.ones([1, 2])).sum().backward()
    layer.to("gpu:1")
    assert place(layer.weight, layer.bias, layer.weight.grad) == {"Place(gpu:1)"}
    layer(paddle.ones([1, 2]).cuda(1)).sum().backward()
    assert layer.bias.grad.tolist() == [2.0, 2.0]
    state = layer.state_dict()
    other = nn.Linear(2, 2)
    other.set_state_dict(state)
    assert place(other.weight) == {"Place(cpu)"}
    np.testing.assert_array_equal(other.weight.numpy(), layer.weight.numpy())


def test_reading_a_tensor() -> None:
    x = paddle.to_tensor([[1.5, 2.0]], place="gpu:0")
    assert (x.tolist(), x[0, 0].item(), x.item(0, 1), float(x[0, 0])) == (
        [[1.5, 2.0]],
        1.5,
        2.0,
        1.5,
    )
    assert type(x.numpy()) is np.ndarray
    assert np.asarray(x).tolist() == [[1.5, 2.0]]
    assert "place=Place(gpu:0)" in repr(x)
    assert "[[1.50000000, 2.        ]]" in repr(x)
    assert [row.tolist() for row in x] == [[1.5, 2.0]]
    assert bool((x > 1).all())


def test_writing_to_a_tensor() -> None:
    x = paddle.zeros([2, 2]).cuda(1)
    x[0] = 1.0
    x[:, 1] = np.float32([5.0, 6.0])
    x[1] = x[0]
    x.add_(x)
    assert (x.tolist(), place(x)) == ([[2.0, 10.0], [2.0, 10.0]], {"Place(gpu:1)"})
    x.set_value(np.ones([2, 2], "float32"))
    x.fill_(3.0)
    x[0] = paddle.zeros([2]).cuda(1)
    assert x.tolist() == [[0.0, 0.0], [3.0, 3.0]]
    x.set_value(paddle.ones([2, 2]))
    assert (x.tolist(), place(x)) == ([[1.0, 1.0], [1.0, 1.0]], {"Place(gpu:1)"})
    paddle.seed(1)
    x.uniform_()
    paddle.seed(1)
    assert x.tolist() == paddle.zeros([2, 2]).uniform_().tolist()


# ----- tensors of two devices ---------------------------------------------------------------------

MIXED: dict[str, tuple[Callable[[Any, Any], Any], str, str]] = {
    "add": (lambda x, y: x + y, "x", "y"),
    "where": (lambda x, y: paddle.where(x > 0, x, y), "condition", "y"),
    "concat": (lambda x, y: paddle.concat([x, y]), "x[0]", "x[1]"),
    "matmul": (paddle.matmul, "x", "y"),
    "maximum": (paddle.maximum, "x", "y"),
    "gather": (lambda x, y: paddle.gather(x, y.astype("int64")), "x", "index"),
}
PAIRS = [("cpu", "gpu:0"), ("gpu:0", "cpu"), ("gpu:0", "gpu:1"), ("gpu:1", "gpu:0")]


@each(("here", "there"), PAIRS)
@each("name", MIXED)
def test_tensors_of_two_devices_do_not_mix(name: str, here: str, there: str) -> None:
    call, first, second = MIXED[name]
    x, y = paddle.to_tensor([1.0, 0.0], place=here), paddle.to_tensor([1.0, 0.0], place=there)
    with refuses(
        ValueError,
        f"{first} and {second} are on different devices",
        "all tensors on one device",
        f"[2] on Place({here})",
        f"[2] on Place({there})",
        f"{first}.to('{there}') or {second}.to('{here}')",
    ):
        call(x, y)


def test_a_gradient_starts_on_the_device_of_its_tensor() -> None:
    x = paddle.to_tensor([1.0], place="gpu:0", stop_gradient=False)
    with refuses(ValueError, "different devices", "a gradient on Place(cpu)", ".to('gpu:0')"):
        (x * 2).backward(paddle.ones([1]))


# ----- training -----------------------------------------------------------------------------------


# x³, with an output that nobody uses.
Cube = saving(lambda x: (x * x * x, x + 1), lambda dy, unused, x: 3 * x * x * dy + unused, "Cube")


OPTIMIZERS = ["SGD", "Momentum", "Adam", "AdamW"]


def trained(kind: str) -> tuple[Any, Any]:
    """A few steps of a network with a PyLayer; its weights and the optimizer's state."""
    paddle.seed(0)
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    optimizer = getattr(paddle.optimizer, kind)(0.1, parameters=net.parameters(), weight_decay=0.01)
    x, label = paddle.randn([5, 3]), paddle.randint(0, 2, [5])
    for _ in range(3):
        loss = nn.functional.cross_entropy(Cube.apply(net(x))[0], label)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
    return [loss, *net.parameters()], optimizer.state_dict()


@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_training_gives_the_same_bits(kind: str) -> None:
    on_host, state = trained(kind)
    paddle.set_device("gpu:1")
    on_device, more = trained(kind)
    assert place(*on_device, *(p.grad for p in on_device[1:])) == {"Place(gpu:1)"}
    for a, b in zip([*on_host, *state.values()], [*on_device, *more.values()], strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())


def test_a_picture_shows_the_values_of_a_device() -> None:
    def lines(device: str) -> list[str]:
        with paddle.device.device_guard(device), viz.record() as trace:
            x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
            Cube.apply(x)[0].sum().backward()
        return [step.text for step in trace.steps]

    on_host = lines("cpu")
    assert lines("gpu:0") == on_host
    assert len(on_host) > 5


# ----- Programs -----------------------------------------------------------------------------------


def test_a_program_runs_on_the_device_of_its_executor() -> None:
    static = paddle.static
    paddle.enable_static()
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x = static.data("x", [None, 3])
        out = static.nn.fc(x, 2)
        back = main.global_block().create_var(name="b", shape=[-1, 2], dtype="float32")
        static.py_func(lambda a: np.array(a) * 2, out, back)
        loss = paddle.mean(out * out)
        paddle.optimizer.Adam(0.1).minimize(loss)
    results = []
    for where in (paddle.CPUPlace(), paddle.CUDAPlace(1)):
        paddle.seed(4)
        executor, scope = static.Executor(where), static.Scope()
        executor.run(startup, scope=scope)
        feed = {"x": np.ones([4, 3], "float32")}
        runs = [executor.run(main, feed, [loss, back], scope=scope) for _ in range(3)]
        held = scope.find_var("fc_0.w_0").get_tensor()
        assert place_of(held.array) == where
        if where.is_gpu_place():
            with refuses(RuntimeError, "for the host only", "Place(gpu:1)", "CPUPlace()"):
                executor.plan(main, feed, [loss], scope=scope)
        results.append([*(value for run in runs for value in run), np.array(held)])
    paddle.disable_static()
    for a, b in zip(*results, strict=True):
        np.testing.assert_array_equal(a, b)
