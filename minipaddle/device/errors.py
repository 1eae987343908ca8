"""Errors of devices, and of arrays that no device can compute with."""

from __future__ import annotations

from ..engine.errors import InvalidArgument, InvalidType, MinipaddleError, PreconditionNotMet
from ..errors import wrong_type
from ..messages import Message


def no_library(array: object) -> InvalidType:
    return InvalidType(
        Message("nothing that is here computes with this {kind}.", kind=type(array).__name__),
        expected=Message("a NumPy array, or one of CuPy's where CuPy finds a GPU"),
        received=f"{type(array).__module__}.{type(array).__name__}",
        fix=Message("give an array; what is on a pretended GPU is read inside its block: x.cpu()"),
    )


def not_finite(what: str, count: int, size: int) -> PreconditionNotMet:
    return PreconditionNotMet(
        f"{what} produced NaN or infinity.",
        expected="finite numbers",
        received=f"{count} of {size} are not finite",
        fix="look at the inputs of this op: a logarithm of 0, a division by 0, or growth",
    )


def no_place(device: object) -> MinipaddleError:
    what = f"The device must be a string which is like 'cpu', 'gpu' or 'gpu:x', not {device!r}."
    fix = "write paddle.set_device('cpu')"
    return wrong_type(what, device, "'cpu', 'gpu', 'gpu:0', ...", fix, InvalidArgument)


def no_gpu(device: object, advice: str) -> MinipaddleError:
    what = "The device should not be 'gpu', since no CUDA device can be used here."
    return wrong_type(what, device, "'cpu'", f"use 'cpu'; {advice}", InvalidArgument)


def no_such_gpu(name: str, count: int, advice: str) -> InvalidArgument:
    return InvalidArgument(
        f"No available device found: there is no {name}.",
        expected="a CUDA device that CuPy can use" if not count else f"0 to {count - 1}",
        received=f"{name}; the devices found are cpu" + "".join(f", gpu:{i}" for i in range(count)),
        fix=f"use paddle.CPUPlace(); {advice}",
    )
