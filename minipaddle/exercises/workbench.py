"""Tools for the `use` of an experiment: named leaves, layers of functions, static mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import Tensor, static, to_tensor
from ..autograd import PyLayer
from ..engine import modes
from ..engine.guard import Guard, combine_guards
from ..static.mode import BUILDER


def named(array: Any, name: str, stop_gradient: bool = False) -> Tensor:
    """Return a leaf Tensor with a name for pictures.

    >>> from minipaddle.exercises.workbench import named
    >>> named([1.0, 2.0], "x").name
    'x'
    """
    made = to_tensor(array, stop_gradient=stop_gradient)
    made.name = name
    return made


def layer(name: str, forward: Callable[..., Any], backward: Callable[..., Any]) -> type[Any]:
    """Return a PyLayer with these functions as forward and backward.

    >>> from minipaddle.exercises.workbench import layer
    >>> twice = layer("twice", lambda ctx, x: x * 2, lambda ctx, dy: dy * 2)
    >>> twice.apply(paddle.ones([2])).tolist()
    [2.0, 2.0]
    """
    methods = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type(name, (PyLayer,), methods)


def static_mode() -> Guard:
    """Return a block in static mode with its own Programs and scope.

    >>> from minipaddle.exercises.workbench import static_mode
    >>> with static_mode():
    ...     x = paddle.static.data("x", [-1, 3])
    >>> paddle.in_dynamic_mode()
    True
    """
    return combine_guards(
        modes.override(builder=BUILDER),
        static.program_guard(static.Program(), static.Program()),
        static.scope_guard(static.Scope()),
    )
