"""Errors of check_grad and pretend_gpu: each function makes one, and the caller raises it."""

from __future__ import annotations

from collections.abc import Iterable

from ..engine.errors import InvalidArgument, InvalidType
from ..messages import Message
from .numeric import count


def not_callable(func: object) -> InvalidType:
    what, fix = "check_grad(): func cannot be called.", "pass the class or the function itself"
    expected = "a PyLayer, or a function of Tensors (of arrays with backward_func)"
    return InvalidType(what, expected=expected, received=type(func).__name__, fix=fix)


def no_differentiable_input(inputs: Iterable[object]) -> InvalidArgument:
    what = "check_grad(): no input can have a gradient."
    expected = "an array, Tensor or number with floating-point values"
    received = ", ".join(type(value).__name__ for value in inputs) or "no inputs"
    fix = "pass the inputs as a list: check_grad(f, [x, y])"
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


def no_output_with_gradient(function: str, outputs: int) -> InvalidArgument:
    what = f"check_grad(): no output of {function} has a gradient."
    expected = "an output with stop_gradient False"
    received = f"{count(outputs, 'output')} with stop_gradient True"
    fix = (
        "look for detach(), no_grad() or NumPy inside; a function of NumPy arrays "
        "needs backward_func=..."
    )
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


def no_tensor_returned(function: str, outputs: object) -> InvalidType:
    what = f"check_grad(): {function} returned no Tensor."
    expected = "a Tensor, or a list or tuple with Tensors"
    fix = "a function of NumPy arrays needs backward_func=..."
    return InvalidType(what, expected=expected, received=type(outputs).__name__, fix=fix)


def other_values_each_time(function: str) -> InvalidArgument:
    what, expected = "gives other values each time", "the same outputs for the same inputs"
    fix = "take randomness out, or call paddle.seed(...) inside the function"
    return _no_differences(function, what, expected, fix)


def outputs_not_finite(function: str) -> InvalidArgument:
    what, fix = "is not finite at these inputs", "choose other inputs"
    return _no_differences(function, what, "finite outputs", fix)


def _no_differences(function: str, what: str, expected: str, fix: str) -> InvalidArgument:
    what = f"check_grad(): {function} {what}, so finite differences say nothing."
    received = "outputs for which that does not hold"
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


def no_number_of_devices(value: object) -> InvalidArgument:
    what = Message("pretend_gpu(): there is no such number of devices.")
    expected = Message("an integer from 1 on")
    fix = Message("write pretend_gpu() for one device, pretend_gpu(2) for two")
    return InvalidArgument(what, expected=expected, received=repr(value), fix=fix)
