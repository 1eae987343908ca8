"""The pretend GPU that users have: what it tells of copies, and that nothing of it stays."""

import re
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import nn, static
from minipaddle.device.arrays import loaded_cupy
from minipaddle.engine import errors
from minipaddle.engine.errors import InvalidArgument
from minipaddle.testing import pretend_gpu
from tests.contract.refusal import refuses
from tests.each import each
from tests.static.world import fresh


def told(gpu: pretend_gpu) -> list[tuple[str, int]]:
    """The copies since the last question."""
    found = [(copy.to, copy.nbytes) for copy in gpu.copies]
    gpu.copies.clear()
    return found


def test_each_copy_is_reported_with_its_line() -> None:
    with pretend_gpu() as gpu:
        x = paddle.ones([3]).cuda()
        assert str(x.place) == "Place(gpu:0)"
        x.cpu()
    there, back = gpu.copies
    assert re.fullmatch(r"to gpu:0, 12 B, .*test_pretend\.py:\d+", str(there))
    assert re.fullmatch(r"to cpu, 12 B, .*test_pretend\.py:\d+", str(back))
    assert int(back.line.split(":")[-1]) == int(there.line.split(":")[-1]) + 2


READS = {
    "numpy": lambda x: x.numpy(),
    "tolist": lambda x: x.tolist(),
    "print": str,
    "array": np.array,
    "item": lambda x: x[0].item(),
    "float": lambda x: float(x[0]),
    "int": lambda x: int(x[0]),
    "bool": lambda x: bool(x[0]),
    "cpu": lambda x: x.cpu(),
}


@each("name", READS)
def test_reading_a_number_copies_it(name: str) -> None:
    with pretend_gpu() as gpu:
        paddle.set_device("gpu")
        x = paddle.ones([1], dtype="float64")
        assert told(gpu) == []
        READS[name](x)
        assert told(gpu) == [("cpu", 8)]


@pytest.mark.parametrize("kind", [paddle.optimizer.SGD, paddle.optimizer.Adam])
def test_a_step_of_training_moves_nothing(kind: Any) -> None:
    with pretend_gpu() as gpu:
        paddle.set_device("gpu")
        net, x = nn.Linear(3, 1), paddle.ones([2, 3])
        optimizer = kind(0.1, parameters=net.parameters())
        gpu.copies.clear()
        for _ in range(3):
            loss = nn.functional.mse_loss(net(x), paddle.zeros([2, 1]))
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
        assert told(gpu) == []


def test_several_devices_and_the_copies_between_them() -> None:
    with pretend_gpu(2) as gpu:
        x = paddle.ones([2]).cuda(0)
        y = x.cuda(1)
        assert told(gpu) == [("gpu:0", 8), ("gpu:1", 8)]
        with refuses(ValueError, "different devices", "gpu:0", "gpu:1") as refused:
            x + y
        assert "add()：x 和 y 不在同一个设备上。" in errors.message_of(refused.value).zh


def test_tensors_used_after_the_block_raise_with_advice() -> None:
    with pretend_gpu():
        x = paddle.ones([2]).cuda()
    for use in (lambda: x + 1, x.numpy):
        with refuses(TypeError, "inside its block: x.cpu()") as refused:
            use()
        assert "在 pretend_gpu() 的代码块里用 x.cpu() 取出" in errors.message_of(refused.value).zh


def test_a_py_func_copies_out_and_in_again() -> None:
    with fresh(), pretend_gpu() as gpu:
        x = static.data("x", [2], "float32")
        y = x.block.create_var(shape=[2], dtype="float32")
        static.py_func(np.square, x * 2, y)
        exe = static.Executor(paddle.CUDAPlace(0))
        exe.run(feed={"x": np.ones(2, "float32")}, fetch_list=[y * 2])
        assert told(gpu) == [("gpu:0", 8), ("cpu", 8), ("gpu:0", 8), ("cpu", 8)]


def test_nothing_stays_whatever_ends_the_block() -> None:
    before, count = loaded_cupy(), paddle.device.device_count()

    def failing() -> None:
        with pretend_gpu(2):
            assert paddle.device.device_count() == 2
            paddle.set_device("gpu:1")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        failing()
    assert paddle.get_device() == "cpu"
    assert loaded_cupy() is before
    assert paddle.device.device_count() == count


@each("count", [0, -1, 1.5, "2"])
def test_a_machine_has_one_device_or_more(count: Any) -> None:
    with pytest.raises(InvalidArgument) as caught:
        pretend_gpu(count)
    assert "no such number of devices" in str(caught.value)
    assert "an integer from 1 on" in str(caught.value)
    assert "pretend_gpu(2)" in str(caught.value)
