"""Errors of optimizers: each function makes one, and the caller raises it."""

from __future__ import annotations

from collections.abc import Iterable

from ..engine.errors import (
    CheckFailed,
    MinipaddleError,
    ModeError,
    NoSuchName,
    NotFound,
    Unimplemented,
)
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
        fix="pass parameters=net.parameters()",
    )


# ----- steps and schedulers ----------------------------------------------------------------------


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


def no_rule() -> Unimplemented:
    return Unimplemented(
        'Class "Optimizer" cannot be used directly as an optimizer.',
        expected='one of its subclasses, such as "Adam"',
        received="a step of the base class, which has no rule",
        fix="write paddle.optimizer.SGD(...), or another kind",
    )


def rate_has_scheduler(scheduler: object) -> NotFound:
    return NotFound(
        "optimizer's learning rate can't be LRScheduler when invoke this API, because "
        "this will lead to conflict.",
        expected="an optimizer whose learning rate is a number",
        received=f"one with the scheduler {type(scheduler).__name__}",
        fix="let the scheduler set it, or use set_lr_scheduler",
    )


def key_not_in_state(key: str, keys: Iterable[str], state: Iterable[str]) -> NotFound:
    return NotFound(
        "Please check whether state_dict is correct for optimizer. "
        f"Can't find [ {key} ] in state_dict.",
        expected=f"the keys {', '.join(keys)}",
        received=", ".join(state) or "nothing",
        fix=SEE_HELP,
    )


def no_get_lr(scheduler: object) -> Unimplemented:
    name = type(scheduler).__name__
    return Unimplemented(
        f"{name} has no get_lr.",
        expected=f"a method get_lr(self) in {name}, your subclass of LRScheduler",
        received="none",
        fix="return the rate of the epoch self.last_epoch from get_lr",
    )


# ----- saved state -------------------------------------------------------------------------------


def not_in_state(name: str, shape: Iterable[int], keys: Iterable[str]) -> CheckFailed:
    return CheckFailed(
        f"optimizer Tensor {name} not found.",
        expected=f"an array of shape {list(shape)} under that name",
        received=f"{', '.join(keys) or 'nothing':.80}",
        fix="load the state that this kind of optimizer saved for the same network",
    )


def no_scheduler_in_state(keys: Iterable[str]) -> CheckFailed:
    return CheckFailed(
        "LR_Scheduler state must be included in the state dict except LambdaDecay.",
        expected="'LR_Scheduler' among the keys",
        received=f"{', '.join(keys) or 'nothing':.80}",
        fix="load what state_dict() of an optimizer with a scheduler gave",
    )
