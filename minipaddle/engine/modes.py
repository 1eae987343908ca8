"""The modes of this thread or task: gradients on or off, static building, listeners, NaN checks.

Modes are context variables, so that each thread or task has its own. `gate_open` is global to the
process: ops read it before anything else, because nothing is quicker to read.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from threading import RLock
from typing import Any, NoReturn
from weakref import ref

from .guard import Guard

grad_enabled: ContextVar[bool | int] = ContextVar("minipaddle_grad_enabled", default=True)
SWITCHED_OFF = 0  # value of `grad_enabled` in no_grad; False: in the engine's own work


class Modes:
    """The modes of a context, which change what an op call does; immutable."""

    __slots__ = (
        "__weakref__",
        "amp",
        "builder",
        "check_nan",
        "hearing",
        "listeners",
        "note_taker",
        "only_heard",
        "saved_hooks",
    )
    builder: Any
    listeners: tuple[Callable[[Any], None], ...]
    check_nan: bool
    hearing: int
    note_taker: Any
    only_heard: bool
    saved_hooks: tuple[Callable[[Any], Any], Callable[[Any], Any]] | None
    amp: Callable[..., Any] | None

    def __init__(
        self,
        builder: Any = None,
        listeners: tuple[Callable[[Any], None], ...] = (),
        check_nan: bool = False,
        saved_hooks: tuple[Callable[[Any], Any], Callable[[Any], Any]] | None = None,
        hearing: int = 0,
        note_taker: Any = None,
        amp: Callable[..., Any] | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "builder", builder)  # static mode: turns op calls into Operators
        put(self, "listeners", listeners)
        put(self, "check_nan", check_nan)
        put(self, "saved_hooks", saved_hooks)  # (pack, unpack)
        plain = builder is None and not check_nan and saved_hooks is None
        put(self, "only_heard", plain and bool(listeners))
        put(self, "note_taker", note_taker)  # receives the notes for the listeners
        put(self, "amp", amp)  # casts the inputs of an op call
        put(self, "hearing", hearing)  # number of this `listen` block

    def __setattr__(self, name: str, _value: object) -> NoReturn:
        raise AttributeError(f"Modes are never changed; make others with replace({name}=...)")

    def replace(self, **what: Any) -> Modes:
        """Return these modes with some of them changed."""
        mine = {name: getattr(self, name) for name in FIELDS}
        return Modes(**{**mine, **what})


FIELDS = tuple(name for name in Modes.__slots__ if name not in ("__weakref__", "only_heard"))
NEED_THE_GATE = "builder", "listeners", "check_nan", "saved_hooks", "amp"
PLAIN = Modes()
_here: ContextVar[Modes] = ContextVar("minipaddle_modes", default=PLAIN)
_unusual: list[ref[Modes]] = []  # modes that some context still refers to
_lock = RLock()  # counting and setting are one step, or the gate closes on another thread

gate_open = False  # whether some context has modes other than PLAIN

here = _here.get  # returns the modes of this thread or task


def change(**what: Any) -> None:
    """Change some of the modes of this context from now on.

    An interrupt finds them changed or not, and never a closed gate beside unusual modes.
    """
    global gate_open
    modes = _here.get().replace(**what)
    with _lock:
        if not any(getattr(modes, name) for name in NEED_THE_GATE):
            modes = PLAIN
        else:
            _unusual.append(ref(modes))
            gate_open = True
        _here.set(modes)
        close_gate()


def close_gate() -> None:
    """Close the gate if no context has unusual modes any more."""
    global gate_open
    with _lock:
        _unusual[:] = [modes for modes in _unusual if modes() is not None]
        gate_open = bool(_unusual)


class override(Guard):
    """Guard that changes some of the modes."""

    def __init__(self, **what: Any) -> None:
        super().__init__()
        self.what = what

    def _save(self) -> list[Modes]:
        return [_here.get()]

    def _change(self, saved: list[Modes]) -> None:
        change(**self.what)
        saved.append(_here.get())

    def _restore(self, saved: list[Modes], _error: BaseException | None) -> None:
        before = saved[0]
        if _here.get() is saved[-1]:
            _here.set(before)
            del saved[1:]  # a reference would keep the gate open
            close_gate()
        else:  # a change of other modes inside the block stays
            change(**{name: getattr(before, name) for name in self.what})


def tracer() -> Any:
    """Return the builder that traces a function of to_static here, or None."""
    builder = _here.get().builder if gate_open else None
    return builder if builder is not None and builder.traces else None


def refuse_if_traced(what: str) -> None:
    """Raise an error in a function of to_static, where this would happen once, not in each call."""
    builder = tracer()
    if builder is not None:
        builder.refuse(what)


def is_static() -> bool:
    """Return whether op calls build Operators here instead of computing."""
    return _here.get().builder is not None
