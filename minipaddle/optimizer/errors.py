"""Errors of optimizers: each function makes one, and the caller raises it."""

from __future__ import annotations

from ..engine.errors import MinipaddleError, ModeError, NoSuchName, Unimplemented
from ..errors import wrong_mode

RATE = "a float, or a scheduler of paddle.optimizer.lr"
PARAMETERS = "pass parameters=net.parameters()"
DECAY = "pass for example weight_decay=0.01"
SEE_HELP = "see help(paddle.optimizer.lr)"


def no_parameters() -> NoSuchName:
    return NoSuchName(
        "parameters argument given to the Optimizer should not be None in dygraph mode.",
        expected="the parameters to train",
        received="None",
        fix=PARAMETERS,
    )


def called_in_program(method: str, fix: str) -> ModeError:
    return ModeError(
        f"We only support '{method}()' in dynamic graph mode.",
        expected="dynamic mode",
        received=f"{method}() in static mode",
        fix=f"{fix}, or paddle.disable_static() for the dynamic mode",
    )


def minimized_outside_program() -> MinipaddleError:
    what = "minimize(): the loss is a Variable of a Program, but the mode is dynamic."
    fix = "call paddle.enable_static() first, and minimize inside program_guard"
    return wrong_mode(what, wanted="static", fix=fix, kind=ModeError)


def no_get_lr(scheduler: object) -> Unimplemented:
    name = type(scheduler).__name__
    return Unimplemented(
        f"{name} has no get_lr.",
        expected=f"a method get_lr(self) in {name}, your subclass of LRScheduler",
        received="none",
        fix="return the rate of the epoch self.last_epoch from get_lr",
    )
