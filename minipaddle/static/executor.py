"""Executor: runs a Program."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, NoReturn

from .. import events, modes, places
from ..core import value_of
from ..device import Place, to_numpy
from ..errors import InvalidType, NoSuchName, NotFound, PreconditionNotMet
from .builder import Running
from .checks import require_static
from .dense import DenseTensor
from .feeds import checked_feeds, fetch_names
from .interpreter import Steps, run, run_told
from .program import Block, Program, default_main_program
from .scope import Scope, global_scope


class Executor:
    """Runs Programs: `run(startup)` once, then `run(main, feed, fetch_list)`.

    All operators run in order; parameters live in the Scope. Source: Paddle's
    `paddle.static.Executor`.

    >>> import numpy as np, minipaddle as paddle
    >>> paddle.enable_static()
    >>> main = paddle.static.Program()
    >>> with paddle.static.program_guard(main):
    ...     y = paddle.static.data("x", [None]) * 2.0
    >>> exe = paddle.static.Executor(paddle.CPUPlace())
    >>> exe.run(main, feed={"x": np.float32([1, 2])}, fetch_list=[y])
    [array([2., 4.], dtype=float32)]
    >>> paddle.disable_static()
    """

    def __init__(self, place: Any = None) -> None:
        if place is not None and not isinstance(place, Place):
            raise InvalidType(
                "Executor(): the type of 'place' is wrong.",
                expected="paddle.CPUPlace(), or nothing",
                received=f"{type(place).__name__} {place!r:.40}",
                fix="write paddle.static.Executor(paddle.CPUPlace())",
            )
        if place is not None and "cpu" not in repr(place):
            raise PreconditionNotMet(
                "Executor(): Programs run on the CPU here.",
                expected="paddle.CPUPlace()",
                received=repr(place),
                fix="write paddle.static.Executor(paddle.CPUPlace())",
            )
        self._closed = False

    def close(self) -> None:
        """A closed Executor runs nothing more."""
        self._closed = True

    def run(
        self, program: Program | None = None, feed: Any = None, fetch_list: Any = None, *,
        scope: Scope | None = None, return_numpy: bool = True,
    ) -> list[Any]:  # fmt: skip
        """Run every operator of a Program; the fetched values in order.

        `feed`: arrays by name, checked before anything runs. `fetch_list`: Variables or names.
        """
        require_static("Executor.run")
        program = default_main_program() if program is None else program
        self._check(program)
        block = program.global_block()
        names = fetch_names(block, fetch_list)
        steps = _prepared(program, names)
        scope = global_scope() if scope is None else scope
        arrays = checked_feeds(block, feed, steps.must_feed)
        values = _start(steps, arrays, scope, block)
        told = events.heard()
        if told:
            fed = {name: value_of(array) for name, array in arrays.items()}
            events.emit(events.RunStarted(program.number, fed, names, places.here()))
        with modes.changed(builder=Running()) if steps.calls_python else nullcontext():
            if told:
                run_told(steps, values, scope, program.number)
            else:
                run(steps, values, scope)
        fetched = [
            _fetched(name, values[slot]) for name, slot in zip(names, steps.fetched, strict=True)
        ]
        if told:
            shown = {n: value_of(a) for n, a in zip(names, fetched, strict=True)}
            events.emit(events.RunFinished(program.number, shown))
        return fetched if return_numpy else [DenseTensor(array) for array in fetched]

    def _check(self, program: Any) -> None:
        if self._closed:
            raise NotFound(
                "Attempted to use a closed Executor.",
                expected="an Executor that is open",
                received="one after close()",
                fix="make a new one: paddle.static.Executor(paddle.CPUPlace())",
            )
        if not isinstance(program, Program):
            raise NoSuchName(
                "Executor.run: 'program' is no Program.",
                expected="a paddle.static.Program",
                received=f"{type(program).__name__} {program!r:.60}",
                fix="run(program, feed=..., fetch_list=[...])",
            )


def _prepared(program: Program, names: tuple[str, ...]) -> Steps:
    """The Program with every kernel bound, made once per fetch list until it changes."""
    found = program.prepared.get(names)
    if found is None:
        found = program.prepared[names] = Steps(program.global_block(), names)
    return found


def _start(steps: Steps, arrays: dict[str, Any], scope: Scope, block: Block) -> list[Any]:
    """The table of values as a run begins: feeds and persistable values."""
    values: list[Any] = [None] * len(steps.slots)
    for name, array in arrays.items():
        if name in steps.slots:
            values[steps.slots[name]] = array
    for name, slot in steps.kept:
        if name in arrays:
            values[slot] = arrays[name].copy()  # an update in place must not reach the user's
            continue
        values[slot] = scope.read(name)
        if values[slot] is None and name in steps.must_exist:
            _uninitialized(block, name)
    return values


def _uninitialized(block: Block, name: str) -> NoReturn:
    raise PreconditionNotMet(
        f"Executor.run: '{name}' has not been initialized.",
        expected=f"a value for {block.vars[name]!r} in the scope",
        received="nothing",
        fix="run the startup program first, exe.run(paddle.static.default_startup_program()), "
        "after optimizer.minimize, and in the same scope",
    )


def _fetched(name: str, value: Any) -> Any:
    """A copy of a result: the arrays of a run may be used again."""
    if value is None:
        raise NotFound(
            f"Executor.run: '{name}' has no value to fetch.",
            expected="a Variable that was fed, computed or initialized",
            received="one that no operator of this Program writes",
            fix="feed it, or fetch something else",
        )
    return to_numpy(value).copy()
