"""Fresh programs and scopes for the tests of static mode, and the calls they share."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle

X = np.float32([[1.0, -2.0, 0.5, 4.0], [0.25, 3.0, -1.5, 2.0]])


@contextmanager
def fresh() -> Iterator[tuple[Any, Any]]:
    """Enter static mode with new Programs and a new scope."""
    static = paddle.static
    main, startup = static.Program(), static.Program()
    paddle.enable_static()
    try:
        with static.program_guard(main, startup), static.scope_guard(static.Scope()):
            yield main, startup
    finally:
        paddle.disable_static()


@pytest.fixture
def programs() -> Iterator[tuple[Any, Any]]:
    """Yield the main and the startup Program of a test."""
    with fresh() as both:
        yield both


def data(name: str = "x", shape: Any = (2, 4), dtype: str = "float32", needs: bool = False) -> Any:
    var = paddle.static.data(name, list(shape), dtype)
    var.stop_gradient = not needs
    return var


def declared(name: str = "o", shape: Any = (2, 4), dtype: str = "float32") -> Any:
    block = paddle.static.default_main_program().current_block()
    return block.create_var(name=name, shape=list(shape), dtype=dtype)


def run(*fetch: Any, **feed: Any) -> list[Any]:
    """Run the main Program with these feeds, x by default."""
    executor = paddle.static.Executor(paddle.CPUPlace())
    return executor.run(feed=feed or {"x": X}, fetch_list=list(fetch))


def start(seed: int = 1) -> Any:
    """Initialize the parameters; return the Executor."""
    paddle.seed(seed)
    executor = paddle.static.Executor(paddle.CPUPlace())
    executor.run(paddle.static.default_startup_program())
    return executor


def bits(values: list[Any]) -> list[Any]:
    return [(type(v), v.dtype, v.shape, v.tobytes()) for v in values]


def as_interpreted(program: Any, feeds: list[Any], fetch: list[Any]) -> None:
    """Check that one Executor gives in each run the bits that a new one gives."""
    executor = paddle.static.Executor()
    for number, feed in enumerate(feeds):
        expected = paddle.static.Executor().run(program, feed, fetch)
        assert bits(executor.run(program, feed, fetch)) == bits(expected), f"run {number}"


def types(program: Any) -> list[str]:
    return [op.type for op in program.global_block().ops]
