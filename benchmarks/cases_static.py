"""Cases in static mode, for minipaddle and for Paddle. The mode stays on."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from shapes import BATCH, SIZES, WIDE, WIDE_BATCH


def cases(library: str) -> dict[str, Callable[[], Any]]:
    """Return a function for each case, which runs a Program once."""
    paddle = importlib.import_module(library)
    static = importlib.import_module(f"{library}.static")
    paddle.enable_static()
    rng = np.random.default_rng(0)
    exe = static.Executor(paddle.CPUPlace())

    def training(sizes: tuple[int, ...], rows: int) -> Callable[[], Any]:
        main, startup, scope = static.Program(), static.Program(), static.Scope()
        with static.program_guard(main, startup):
            x = h = static.data("x", [None, sizes[0]])
            label = static.data("label", [None, 1], "int64")
            for _, size in pairwise(sizes[:-1]):
                h = static.nn.fc(h, size, activation="tanh")
            logits = static.nn.fc(h, sizes[-1])
            loss = paddle.nn.functional.cross_entropy(logits, label)
            paddle.optimizer.SGD(learning_rate=0.01).minimize(loss)
        exe.run(startup, scope=scope)
        feed = {
            x.name: rng.standard_normal((rows, sizes[0])).astype("float32"),
            label.name: rng.integers(0, sizes[-1], (rows, 1)),
        }
        return lambda: exe.run(main, feed=feed, fetch_list=[loss], scope=scope)

    def py_funcs(count: int) -> Callable[[], Any]:
        """Return a case that runs a Program of `count` py_funcs, which return an existing array."""
        main = static.Program()
        array = np.zeros([2], "float32")
        with static.program_guard(main, static.Program()):
            x = static.data("x", [2])
            for number in range(count):
                name = f"out{number}"
                out = main.current_block().create_var(name=name, shape=[2], dtype="float32")
                x = static.py_func(lambda _given: array, x, out)
        return lambda: exe.run(main, feed={"x": array}, fetch_list=[x])

    return {
        "static mlp": training(SIZES, BATCH),
        "static wide mlp": training(WIDE, WIDE_BATCH),
        "py_func 1": py_funcs(1),
        "py_func 11": py_funcs(11),
    }
