"""Interrupting a program, at a chosen place or by a signal, and asking what it left behind."""

from __future__ import annotations

import dis
import gc
import itertools
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle.engine import dtypes, modes, naming
from viz import language

from ..patience import PATIENCE
from .interrupted_programs import SAVED

Program = Callable[[], None]
Place = tuple[tuple[CodeType, int], ...]  # the innermost frames, and the instruction of each
static = paddle.static

OURS = ("minipaddle.", "viz.", "contextlib", "tests.fuzz.interrupted_programs")
RESUME = dis.opmap["RESUME"]
DEEP = 5  # frames that tell one place from another


# ----- at a chosen place


class Interrupter:
    """Raises KeyboardInterrupt where a signal could: where a function begins, or a call returns.

    Python looks for signals there and where a loop begins again, nowhere else. `hit` says whether
    the place was reached; `error` is kept with its traceback, as an interactive shell keeps it.
    """

    def __init__(self, wanted: Place | None = None) -> None:
        self.wanted = wanted
        self.places: dict[Place, None] = {}
        self.hit = False
        self.error: KeyboardInterrupt | None = None

    def run(self, program: Program) -> None:
        """Run the program until the wanted place; without one, note all places."""
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
        """What Python calls at each of these places."""
        if event not in ("call", "c_return"):
            return
        if not frame.f_globals.get("__name__", "").startswith(OURS):
            return
        if event == "call" and frame.f_code.co_code[frame.f_lasti] != RESUME:
            return  # an exception is thrown into a generator
        place = place_of(frame)
        if self.wanted is None:
            self.places[place] = None
        elif place == self.wanted:
            self.hit = True
            sys.setprofile(None)
            raise KeyboardInterrupt


def place_of(frame: FrameType | None) -> Place:
    """Where a frame is, and where its callers are."""
    found: list[tuple[CodeType, int]] = []
    while frame is not None and frame.f_code is not Interrupter.run.__code__ and len(found) < DEEP:
        found.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return tuple(found)


def places_in(program: Program) -> list[Place]:
    """Every place of a program where a signal could interrupt it."""
    program()  # what is made when it is first used is made now
    looking = Interrupter()
    looking.run(program)
    return list(looking.places)


def named(place: Place) -> str:
    """A place in words, innermost first."""
    words = []
    for code, at in place:
        line = next(itertools.islice(code.co_positions(), at // 2, None))[0]
        words.append(f"{code.co_qualname} ({Path(code.co_filename).name}:{line})")
    return " < ".join(words)


# ----- by a signal


class Sender:
    """Another process, which sends SIGINT to this one after a time."""

    LOOP = (
        "import os, signal, sys, time\n"
        "for seconds in sys.stdin:\n"
        "    time.sleep(float(seconds))\n"
        "    os.kill(os.getppid(), signal.SIGINT)\n"
    )

    def __init__(self) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's `&` ignores it
        self.reader, self.writer = os.pipe()  # gets a byte where a signal comes
        os.set_blocking(self.reader, False)
        os.set_blocking(self.writer, False)
        self.wakeup_before = signal.set_wakeup_fd(self.writer)
        command = [sys.executable, "-S", "-E", "-c", self.LOOP]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, text=True)

    def interrupt(self, program: Program, seconds: float) -> KeyboardInterrupt | None:
        """Run the program, again and again, until the signal has come.

        None where no KeyboardInterrupt came of it: in a callback of the garbage collector.
        """
        assert self.process.stdin is not None
        try:
            print(seconds, file=self.process.stdin, flush=True)
            while not self.has_come():
                program()
        except KeyboardInterrupt as error:
            self.has_come()
            return error
        return None

    def has_come(self) -> bool:
        """Whether a signal has come since this was asked last.

        `Popen.poll` would take a lock here, and a signal can come before it is given back.
        """
        assert os.waitpid(self.process.pid, os.WNOHANG) == (0, 0), "who sends signals has ended"
        try:
            return bool(os.read(self.reader, 1))
        except BlockingIOError:
            return False

    def stop(self) -> None:
        """No more signals."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()
        signal.set_wakeup_fd(self.wakeup_before)
        os.close(self.reader)
        os.close(self.writer)


def moments(number: int, longest: float = 0.005) -> Any:
    """Times after which a program is interrupted, without end."""
    draw = random.Random(number)
    while True:
        yield draw.uniform(0.0, longest)


# ----- what is asked afterwards


def condition() -> dict[str, Any]:
    """What the library does now; what it does in a fresh process, if nothing was left behind."""
    paddle.disable_static()
    here, main = modes.here(), static.default_main_program()
    return {
        "modes": [getattr(here, name) for name in modes.GIVEN if name != "note_taker"],
        "grad mode": modes.grad_enabled.get(),
        "main": (main, len(main.global_block().ops), main.marks),
        "startup": static.default_startup_program(),
        "scope": static.global_scope(),
        "names": naming.generator(),
        "dtype": dtypes.get_default(),
        "language": language.get_lang(),
        "place": paddle.device.current_place(),
        "gradients": gradients(),
        "program": program_and_run(),
        "trace": trace(),
        "thread": in_a_thread(),
        "file": file_loads(),
    }


def gradients() -> Any:
    """A layer and a tensor that is used twice."""
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    layer = paddle.nn.Linear(2, 1, weight_attr=paddle.nn.initializer.Constant(0.5))
    layer(paddle.tanh(x) * x).sum().backward()
    return x.grad.numpy().tolist(), layer.weight.grad.numpy().tolist()


def program_and_run() -> Any:
    """A Program with a py_func, its text, and a gradient that it computes."""
    paddle.enable_static()
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup), static.scope_guard(static.Scope()):
        x = static.data("x", [1, 2])
        out = main.current_block().create_var(name="out", shape=[1, 2], dtype="float32")
        static.py_func(lambda a: np.array(a) + 1.0, x, out)
        pairs = static.append_backward(paddle.mean(static.nn.fc(out, 1)))
        static.Executor().run(startup)
        made = static.Executor().run(main, {"x": np.float32([[1, 2]])}, [pairs[0][1]])
    paddle.disable_static()
    return str(main), made[0].tolist()


def trace() -> Any:
    """What a recording tells."""
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    with viz.record() as trace:
        paddle.tanh(x).sum().backward()
    return trace.text()


def in_a_thread() -> Any:
    """Another thread draws, names and records: no lock is held."""
    done: list[Any] = []

    def work() -> None:
        paddle.seed(1)
        done.append((paddle.rand([2]).tolist(), trace()))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    return done


def file_loads() -> Any:
    """A file that was being saved is whole."""
    return not Path(SAVED).exists() or paddle.load(SAVED)["w"].tolist() == [1.0, 1.0, 1.0]


def gate_is_closed() -> bool:
    """Ops ask no more than in a fresh process, once the interrupt itself is forgotten."""
    gc.collect()  # its traceback knows the frame that has kept it
    paddle.ones([1]) + 1.0
    return not modes.gate_open


def differences(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """What is not as it was."""
    return [
        f"{name}: {value!r:.200} instead of {before[name]!r:.200}"
        for name, value in now.items()
        if value != before[name]
    ]
