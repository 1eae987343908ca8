"""Many recorded runs at once, on any executor of concurrent.futures."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

import minipaddle
from minipaddle.engine.errors import InvalidArgument
from minipaddle.engine.install_advice import IN_BROWSER

from .recorder import record
from .trace import Trace
from .workers import workers


def sweep(
    run: Callable[[Any], object],
    values: Iterable[Any],
    *,
    executor: Executor | None = None,
    seed: int = 0,
    **options: Any,
) -> list[Trace]:
    """Record run(value) for each of the values, such as learning rates: their traces, in order.

    Each run begins as a new program does, with fresh names of layers and the same `seed`; the
    `options` are those of `viz.record`. They run in processes, one for each core; an executor of
    concurrent.futures takes them elsewhere, such as `mpi4py.futures.MPIPoolExecutor()` to all
    ranks; a browser has one process, which runs them all. Processes import the function by its
    name: write it at the top of a file, and begin with `if __name__ == "__main__":` what starts
    them.

    Errors: ValueError for a function that other processes cannot import; those of a run go on.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> def descend(rate):
    ...     x = paddle.to_tensor(1.0, stop_gradient=False)
    ...     (x * x * rate).backward()
    >>> with ThreadPoolExecutor(1) as one_after_the_other:
    ...     slow, fast = viz.sweep(descend, [0.1, 0.5], executor=one_after_the_other)
    >>> viz.diff(slow, fast).summary("en")[1]
    '① first difference, step 3 ≠ another op: × 0.1 → × 0.5'
    """
    if executor is None and not IN_BROWSER:
        check_importable(run)
    with workers(executor) as chosen:
        waiting = [chosen.submit(recorded, run, value, seed, options) for value in values]
        return [each.result() for each in waiting]


def recorded(run: Callable[[Any], object], value: Any, seed: int, options: dict[str, Any]) -> Trace:
    """Return the trace of one run."""
    watched = record(**options)(run)
    with as_at_the_start():
        minipaddle.seed(seed)
        watched(value)
    trace: Trace = watched.trace  # type: ignore[attr-defined]
    return trace


@contextmanager
def as_at_the_start() -> Iterator[None]:
    """Give the block fresh names, Programs and values, because a worker does many runs."""
    static, dynamic = minipaddle.static, minipaddle.in_dynamic_mode()
    with (
        minipaddle.utils.unique_name.guard(),
        static.program_guard(static.Program(), static.Program()),
        static.scope_guard(static.Scope()),
    ):
        try:
            yield
        finally:
            (minipaddle.disable_static if dynamic else minipaddle.enable_static)()


def check_importable(run: Callable[[Any], object]) -> None:
    """Raise InvalidArgument for a function that cannot be sent to other processes."""
    try:
        pickle.dumps(run)
    except Exception as error:
        raise InvalidArgument(
            f"viz.sweep cannot hand {getattr(run, '__qualname__', run)} to other processes.",
            expected="a function at the top of a file, which they can import by its name",
            received=str(error).partition("\n")[0],
            fix="define it outside of functions, or give executor=ThreadPoolExecutor(1), where one "
            "follows the other",
        ) from error
