"""recompute: a part of a network that runs again in backward instead of keeping its values."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from ...autograd import PyLayer, backward
from ...engine import modes
from ...engine.grad_mode import enable_grad
from ...engine.guard import Guard, combine_guards, restore_value
from ...engine.saved_tensors_hooks import saved_tensors_hooks
from ...engine.structures import items_in, map_structure
from ...engine.tensor import Tensor
from ...ops.boundary import publish
from ...paddle_names import absent
from ...random import get_rng_state, set_rng_state
from .. import errors

__all__ = ["recompute"]

__getattr__ = absent.names(__name__)

STREAMS: tuple[tuple[Callable[[], Any], Callable[[Any], Any]], ...] = (
    (get_rng_state, set_rng_state),
    (np.random.get_state, np.random.set_state),
    (random.getstate, random.setstate),
)


class Rerun(Guard):
    """Guard for a second run, with the casts and, if wanted, the random numbers of the first."""

    def __init__(self, same_random_numbers: bool) -> None:
        super().__init__()
        self.amp = modes.here().amp
        self.states = [(get, put, get()) for get, put in STREAMS if same_random_numbers]

    def _save(self) -> Guard:
        back = [restore_value(get, put) for get, put, _ in self.states]
        return combine_guards(enable_grad(), modes.override(amp=self.amp), *back)

    def _change(self, saved: Guard) -> None:
        saved.__enter__()
        for _, put, state in self.states:
            put(state)

    def _restore(self, saved: Guard, error: BaseException | None) -> None:
        saved.__exit__(type(error), error)


class RecomputeFunction(PyLayer):
    """Node of the tape for a whole function, which keeps only the function's inputs."""

    @staticmethod
    def forward(ctx: Any, call: Callable[..., Any], again: Rerun, *tensors: Tensor) -> Any:
        ctx.call, ctx.again = call, again
        ctx.save_for_backward(*tensors)
        return call(*tensors)

    @staticmethod
    def backward(ctx: Any, *douts: Any) -> Any:
        inputs = [tensor.detach() for tensor in ctx.saved_tensor()]
        for leaf, tensor in zip(inputs, ctx.saved_tensor(), strict=True):
            leaf.stop_gradient = tensor.stop_gradient
        with ctx.again:
            outs = items_in(ctx.call(*inputs))
            pairs = [(out, dout) for out, dout in zip(outs, douts, strict=True) if not out._stop]
            if not pairs:
                raise errors.nothing_to_recompute()
            backward([out for out, _ in pairs], [dout for _, dout in pairs])
        return tuple(leaf.grad for leaf in inputs)


def recompute(
    function: Callable[..., Any],
    *args: Any,
    preserve_rng_state: bool = True,
    use_reentrant: bool = True,
    **kwargs: Any,
) -> Any:
    """Return `function(*args, **kwargs)`; backward runs it once more instead of keeping its values.

    This saves memory and costs time. With `preserve_rng_state` both runs draw the same random
    numbers. With `use_reentrant` the function is a PyLayer whose backward runs an inner backward,
    so some Tensor among the arguments must want a gradient; without it the values that the
    function's ops save are computed again when backward asks for the first.
    Source: Paddle's `paddle.distributed.fleet.utils.recompute`.

    Shapes and dtypes: those of the function's results.
    Errors: TypeError for anything but a function; in backward OSError, as in Paddle, if no result
    has a gradient.

    >>> from minipaddle.distributed.fleet.utils import recompute
    >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> recompute(lambda x: paddle.square(paddle.square(x)).sum(), x).backward()
    >>> x.grad.tolist()
    [4.0, 32.0]
    """
    if modes.is_static() or not modes.grad_enabled.get():
        return function(*args, **kwargs)
    again = Rerun(preserve_rng_state)
    if not use_reentrant:
        return without_inner_backward(lambda: function(*args, **kwargs), again)
    tensors = [item for item in items_in((args, kwargs)) if isinstance(item, Tensor)]

    def call(*given: Tensor) -> Any:
        rest = iter(given)
        inner_args, inner_kwargs = map_structure(
            lambda item: next(rest) if isinstance(item, Tensor) else item, (args, kwargs)
        )
        return function(*inner_args, **inner_kwargs)

    return RecomputeFunction.apply(call, again, *tensors)


def without_inner_backward(call: Callable[[], Any], again: Rerun) -> Any:
    """Run a function whose saved values backward computes again, all when it needs the first."""
    count = 0
    values: dict[int, Tensor] = {}

    def pack(_tensor: Tensor) -> int:
        nonlocal count
        count += 1
        return count - 1

    def pack_again(tensor: Tensor) -> None:
        values[len(values)] = tensor

    def unpack(number: int) -> Tensor:
        if number not in values:
            values.clear()
            with again, saved_tensors_hooks(pack_again, lambda _: None):
                call()
            if len(values) != count:
                raise errors.recomputed_otherwise(count, len(values))
        return values.pop(number)

    with saved_tensors_hooks(pack, unpack):
        return call()


publish(globals(), {*__all__})
