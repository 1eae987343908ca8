"""paddle.distributed in one process that was not launched with others."""

import warnings
from collections.abc import Callable
from typing import Any

from ..harness import Show, case
from ._texts import texts


def warned(show: Show, label: str, call: Callable[[], Any]) -> None:
    """Show the result of a call and the warnings that come with it."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        show(label, call())
    show(f"{label} warns", [str(each.message) for each in heard])


@case
def beginning_alone(paddle: Any, show: Show) -> None:
    dist = paddle.distributed
    warned(show, "init", dist.init_parallel_env)
    show("initialized", dist.is_initialized())
    warned(show, "group", lambda: dist.get_group(7))


def names(paddle):
    """Return the names that the expressions use."""
    dist = paddle.distributed
    env = dist.ParallelEnv()
    x = paddle.ones([1])
    return globals() | locals()


DIFFERS = {
    "a group before it begins": "there it gives a group that nothing can be done with",
}  # fmt: skip
TABLE = texts("one_rank", names, DIFFERS)
