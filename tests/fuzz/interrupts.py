"""Interrupting a program, at a chosen place or after a time, and asking what it left behind."""

from __future__ import annotations

import dis
import itertools
import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle.engine import dtypes, modes, naming
from viz import language

Place = tuple[tuple[CodeType, int], ...]  # the innermost frames, and where each is
static = paddle.static
OURS = ("minipaddle.", "viz.", "contextlib", "tests.fuzz.interrupted_programs")
RESUME = dis.opmap["RESUME"]
DEEP = 5  # frames that tell one place from another


# ----- at a chosen place


class Interrupter:
    """Raises KeyboardInterrupt where a signal could: where a function begins, or a call returns.

    Python looks for signals there and where a loop begins again, nowhere else.
    """

    def __init__(self, wanted: Place | None = None) -> None:
        self.wanted = wanted
        self.places: dict[Place, None] = {}
        self.hit = False
        self.error: KeyboardInterrupt | None = None  # kept with its traceback, as a shell does

    def run(self, program: Callable[[], None]) -> None:
        """Run the program; whether it was interrupted stands in `hit`."""
        sys.setprofile(self.look)
        try:
            program()
        except KeyboardInterrupt as error:
            if not self.hit:
                raise
            self.error = error
        finally:
            sys.setprofile(None)

    def look(self, frame: FrameType, event: str, _what: Any) -> None:
        if event not in ("call", "c_return"):
            return
        if not frame.f_globals.get("__name__", "").startswith(OURS):
            return
        code, at = frame.f_code, frame.f_lasti
        if event == "call" and code.co_code[at] != RESUME:
            return  # an exception is thrown into a generator
        place = place_of(frame)
        if self.wanted is None:
            self.places[place] = None
        elif place == self.wanted:
            self.hit = True
            sys.setprofile(None)
            raise KeyboardInterrupt


def place_of(frame: FrameType | None) -> Place:
    """Where a frame is, and its callers."""
    found = []
    while frame is not None and len(found) < DEEP and frame.f_code is not Interrupter.run.__code__:
        found.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return tuple(found)


def places_in(program: Callable[[], None]) -> list[Place]:
    """Every place of a program where a signal could interrupt it."""
    program()  # what is made when it is first used is made now
    looking = Interrupter()
    looking.run(program)
    return list(looking.places)


def named(place: Place) -> str:
    """A place in words, innermost first."""
    lines = []
    for code, at in place:
        line = next((p[0] for p in itertools.islice(code.co_positions(), at // 2, None)), 0)
        lines.append(f"{code.co_qualname} ({code.co_filename.rpartition('/')[2]}:{line})")
    return " < ".join(lines)


# ----- what is asked afterwards


def condition() -> dict[str, Any]:
    """What the library does now: equal to what it did at the start, or something was left."""
    paddle.disable_static()
    here = modes.here()
    found: dict[str, Any] = {
        "modes": [getattr(here, name) for name in ("builder", "listeners", "check_nan")],
        "hooks": here.saved_hooks,
        "grad": modes.grad_enabled.get(),
        "main": static.default_main_program(),
        "operators": len(static.default_main_program().global_block().ops),
        "startup": static.default_startup_program(),
        "scope": static.global_scope(),
        "names": naming.counters(),
        "dtype": dtypes.get_default(),
        "language": language.get_lang(),
        "place": paddle.device.current_place(),
    }
    found["gradients"] = gradients()
    found["gate"] = modes.gate_open
    found["program"] = program()
    found["trace"] = trace()
    found["thread"] = in_a_thread()
    found["gate again"] = modes.gate_open
    return found


def gradients() -> Any:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    layer = paddle.nn.Linear(2, 1, weight_attr=paddle.nn.initializer.Constant(0.5))
    layer(paddle.tanh(x) * x).sum().backward()
    return x.grad.numpy().tolist(), layer.weight.grad.numpy().tolist()


def program() -> Any:
    paddle.enable_static()
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup), static.scope_guard(static.Scope()):
        x = static.data("x", [1, 2])
        out = main.current_block().create_var(name="out", shape=[1, 2], dtype="float32")
        static.py_func(lambda a: np.array(a) + 1.0, x, out)
        loss = paddle.mean(static.nn.fc(out, 1))
        pairs = static.append_backward(loss)
        static.Executor().run(startup)
        made = static.Executor().run(main, {"x": np.float32([[1, 2]])}, [pairs[0][1]])
    paddle.disable_static()
    return str(main), made[0].tolist()


def trace() -> Any:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    with viz.record() as trace:
        paddle.tanh(x).sum().backward()
    return trace.text()


def in_a_thread() -> Any:
    """No lock is held: another thread draws, names and records."""
    done: list[Any] = []

    def work() -> None:
        paddle.seed(1)
        done.append((paddle.rand([2]).tolist(), trace()))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(10)
    return done


def differences(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    return [
        f"{k}: {now[k]!r:.100} instead of {before[k]!r:.100}" for k in now if now[k] != before[k]
    ]
