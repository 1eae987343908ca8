"""What lesson 13 says of places and copies is so, on a machine without a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.testing import pretend_gpu

from .test_notebooks import run_here, the, told

LESSON = "13_devices"


@pytest.fixture(scope="module")
def lesson_13() -> Any:
    """The variables of the solved lesson, and all that it prints."""
    with pytest.MonkeyPatch.context() as patch:
        texts: list[str] = []
        patch.setattr("builtins.print", lambda *words, **_: texts.append(" ".join(map(str, words))))
        yield {**run_here("solutions", patch, LESSON), "printed": texts}


def copies(lesson: dict[str, Any], place: str) -> list[str]:
    """The copies to a place that were printed, in order."""
    return [text for text in lesson["printed"] if text.startswith(f"to {place}, ")]


@pytest.mark.parametrize("place", ["", "solutions", "solutions/zh"])
def test_the_lesson_leaves_the_host_as_the_device(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_here(place, monkeypatch, LESSON)
    assert paddle.get_device() == "cpu"


@pytest.mark.skipif(
    paddle.device.device_count() > 0, reason="it tells what is said where there is no GPU"
)
def test_without_a_gpu_the_device_is_refused(lesson_13: dict[str, Any]) -> None:
    assert lesson_13["printed"][0] == "GPUs: 0"
    assert "no CUDA device can be used here" in lesson_13["printed"][2]


def test_results_stay_with_their_tensors(lesson_13: dict[str, Any]) -> None:
    printed = lesson_13["printed"]
    assert "a: Place(gpu:0)  b: Place(cpu)" in printed
    assert "a * 2: Place(gpu:0)  b * 2: Place(cpu)" in printed
    assert copies(lesson_13, "cpu")[0].startswith("to cpu, 12 B, ")


def test_two_places_do_not_mix_and_a_copy_has_a_backward(lesson_13: dict[str, Any]) -> None:
    assert the(lesson_13["printed"], "x and y are on different devices")
    assert "weight.grad: Place(cpu)" in lesson_13["printed"]
    moved = lesson_13["moved"]
    assert "to gpu:0" in [str(box.label) for box in moved.story.graph.nodes]
    assert the(told(moved), "weight [3] is copied to another device, giving near [3]")
    assert the(told(moved), "Backward of copy_to")


def test_a_quiet_round_moves_nothing_and_a_look_moves_little(lesson_13: dict[str, Any]) -> None:
    printed = lesson_13["printed"]
    assert "copies: 0" in printed
    at = printed.index(the(printed, "loss: "))
    kinds = [text.rsplit(", ", 1)[0] for text in printed[at + 1 : at + 4]]
    assert kinds == ["to cpu, 4 B", "to gpu:0, 4 B", "to cpu, 1 B"]


def test_who_asks_for_numbers_copies(lesson_13: dict[str, Any]) -> None:
    rows = [
        text.rsplit(maxsplit=1)
        for text in lesson_13["printed"]
        if text.startswith(("z.", "z ", "str("))
    ]
    found = {line.strip(): int(count) for line, count in rows}
    assert found == {
        "z.numpy()": 1,
        "z.item()": 1,
        "z.tolist()": 1,
        "str(z)": 1,
        "z.shape": 0,
        "z.detach()": 0,
        "z + 1": 0,
    }


def test_numpy_in_the_middle_goes_there_and_back(lesson_13: dict[str, Any]) -> None:
    of_the_layer = [text for text in lesson_13["printed"] if ", 1024 B, " in text]
    assert [text.split(",")[0] for text in of_the_layer] == [
        "to cpu",
        "to gpu:0",
        "to cpu",
        "to cpu",
        "to gpu:0",
    ]
    assert "['gpu:0', 'cpu', 'gpu:0', 'cpu']" in lesson_13["printed"]


def test_the_picture_of_numpy_in_the_middle_has_a_hole(lesson_13: dict[str, Any]) -> None:
    graph = lesson_13["interrupted"].story.graph
    taken = {box.id for box in graph.nodes if box.kind == "port" and box.label == "x"}
    assert len(taken) == 2
    assert not taken & {edge.source for edge in graph.edges if edge.kind == "data"}
    assert "+=" not in {box.label for box in graph.nodes}
    details = [box.detail for box in lesson_13["by_py_func"].story.graph.nodes]
    assert details.count("NumPy") == 1


def test_data_in_float64_is_twice_as_large(lesson_13: dict[str, Any]) -> None:
    sizes = [int(text.split()[2]) for text in copies(lesson_13, "gpu:0")[-4:]]
    assert sizes == [401408, 200704, 512, 512]


def test_what_minipaddle_copies_by_itself() -> None:
    with pretend_gpu() as gpu:
        paddle.set_device("gpu")
        x, labels = paddle.ones([4, 3]), paddle.to_tensor(np.zeros(4, "int64"))
        gpu.copies.clear()
        paddle.nn.functional.dropout(x, 0.5)
        assert {copy.to for copy in gpu.copies} == {"gpu:0"}
        gpu.copies.clear()
        paddle.nn.functional.cross_entropy(x, labels)
        assert {copy.to for copy in gpu.copies} == {"cpu"}


def test_the_clock_waits_for_the_device(lesson_13: dict[str, Any]) -> None:
    calls: list[int] = []
    with pretend_gpu():
        paddle.set_device("gpu")
        assert lesson_13["seconds"](lambda: calls.append(1), count=3) >= 0
    assert len(calls) == 4
    with pytest.raises(TypeError, match="device should be gpu"):
        paddle.device.synchronize()
