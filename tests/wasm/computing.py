"""What CPython and WebAssembly both compute and compare: ops on their samples, and programs."""

from __future__ import annotations

import contextlib
import io
import runpy
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from tests.ops.drawing import call, draw, flat, sampled, tensors_of

DEMO = Path(__file__).parents[2] / "lessons" / "demo"
Packed = tuple[str, list[int], str]  # an array as JSON that keeps its bits


def drawn() -> Iterator[tuple[str, Any, Any, list[Any]]]:
    """Yield a name, an op, a sample and its arrays."""
    for op, sample, name in sampled():
        for dtype in ("float32", "float64"):
            yield f"{name}-{dtype}", op, sample, draw(op, sample, seed=3, dtype=dtype)


def samples() -> dict[str, list[list[Packed]]]:
    """Return outputs and gradients of every op, by the name of the sample."""
    return {name: results(op, sample, arrays) for name, op, sample, arrays in drawn()}


def results(op: Any, sample: Any, arrays: list[Any]) -> list[list[Packed]]:
    """Return outputs, and gradients for fixed cotangents."""
    tensors = tensors_of(arrays)
    outs = call(op, tensors, sample)
    graded = [out for out in outs if not out.stop_gradient]
    rng = np.random.default_rng(5)
    seeds = [paddle.to_tensor(rng.normal(size=out.shape), out.dtype) for out in graded]
    if graded:
        paddle.autograd.backward(graded, seeds)
    grads = [tensor.grad for tensor in flat(tensors) if tensor.grad is not None]
    return [[packed(each.numpy()) for each in group] for group in (outs, grads)]


def packed(array: Any) -> Packed:
    return array.dtype.name, list(array.shape), array.tobytes().hex()


def unpacked(array: Packed) -> Any:
    dtype, shape, content = array
    return np.frombuffer(bytes.fromhex(content), dtype).reshape(shape)


def documents() -> tuple[list[Packed], str]:
    """Return gradients of the documents' PyLayer and py_func net, and what their sum prints."""
    names = ("cus_tanh", "py_func_net", "py_func_add")
    with contextlib.redirect_stdout(io.StringIO()):
        layer, net, add = (runpy.run_path(str(DEMO / f"{name}.py")) for name in names)
        np.random.seed(1)
        paddle.enable_static()
        try:
            loss, main = net["build"](with_gradients=True), paddle.static.default_main_program()
            exe = paddle.static.Executor()
            exe.run(paddle.static.default_startup_program())
            feed = {"x": np.random.random([1, 4]).astype("float32"), "y": np.array([3])}
            fetch = [loss.name, *(f"{each.name}@GRAD" for each in main.all_parameters())]
            found = exe.run(feed=feed, fetch_list=fetch)
            empty = paddle.static.Program(), paddle.static.Program()
            with (
                paddle.static.program_guard(*empty),
                contextlib.redirect_stdout(io.StringIO()) as shown,
            ):
                add["py_func_demo"]()
        finally:
            paddle.disable_static()
    return [packed(each) for each in (layer["data"].grad.numpy(), *found)], shown.getvalue()


def saved() -> dict[str, str]:
    """Return what a trace saves, by the ending, and the text of the trace loaded again."""
    paddle.seed(1)
    table = paddle.to_tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.25]], stop_gradient=False)
    with viz.record() as trace:
        rows = paddle.nn.functional.embedding(paddle.to_tensor([2, 0, 2]), table)
        (rows * rows - rows / 3.0).max(axis=1).sum().backward()
    with tempfile.TemporaryDirectory() as folder:
        paths = {ending: Path(folder) / f"a.{ending}" for ending in ("html", "json", "svg", "txt")}
        for path in paths.values():
            trace.save(path)
        found = {ending: path.read_text(encoding="utf-8") for ending, path in paths.items()}
        return {**found, "text": trace.text(), "again": viz.load(paths["json"]).text()}
