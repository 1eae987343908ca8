"""Guards that set the name scope and the device of operators built inside them."""

from __future__ import annotations

from collections import Counter
from contextvars import ContextVar
from threading import RLock

from ..engine.errors import CheckFailed
from ..engine.guard import Guard, override_variable
from ..errors import misfit
from .errors import require_type

_name_scope: ContextVar[str] = ContextVar("minipaddle_name_scope", default="/")
_op_device: ContextVar[str] = ContextVar("minipaddle_op_device", default="")
_opened: Counter[str] = Counter()  # path -> number of scopes opened
_lock = RLock()  # protects _opened

here, device = _name_scope.get, _op_device.get


def name_scope(prefix: str | None = None) -> Guard:
    """Set the `op_namescope` of the operators built inside; scopes may be nested.

    A second scope of this name is called name_1. Source: Paddle's `paddle.static.name_scope`.

    Errors: TypeError for a name that is not a str.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()):
    ...     with paddle.static.name_scope("encoder"):
    ...         y = paddle.static.data("x", [2]) * 2.0
    >>> y.block.ops[-1].attr("op_namescope")
    '/encoder/'
    >>> paddle.disable_static()
    """
    if prefix is None or prefix == "":
        expected, fix = "a name that is not empty", "with paddle.static.name_scope('encoder'):"
        raise misfit("name_scope", expected, CheckFailed, fix, prefix=prefix)
    require_type(prefix, (str,), "prefix", "name_scope")
    path = f"{_name_scope.get()}{prefix}"
    with _lock:
        number = _opened[path]
        _opened[path] += 1
    return override_variable(_name_scope, f"{path}_{number}/" if number else f"{path}/")


def device_guard(device: str | None = None) -> Guard:
    """Set the `op_device` of the operators built inside, such as "cpu" or "gpu:0".

    An Executor still runs all operators on its own place. ValueError for another name.
    Source: Paddle's `paddle.static.device_guard`.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()):
    ...     with paddle.static.device_guard("cpu"):
    ...         y = paddle.static.data("x", [2]) * 2.0
    >>> y.block.ops[-1].attr("op_device")
    'cpu'
    >>> paddle.disable_static()
    """
    name = "" if device is None else device
    require_type(name, (str,), "device", "device_guard")
    kind, _, index = name.partition(":")
    if kind not in ("", "cpu", "gpu") or (index and not (kind == "gpu" and index.isdigit())):
        raise misfit("device_guard", "'cpu', 'gpu', 'gpu:0', ..., or nothing", device=device)
    return override_variable(_op_device, name)


def reset() -> None:
    """Forget the scopes that were opened, as at the start of a process."""
    _opened.clear()
