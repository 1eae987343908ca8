"""Errors of optimizers: each function makes one, and the caller raises it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..engine.errors import (
    CheckFailed,
    InvalidArgument,
    InvalidType,
    MinipaddleError,
    ModeError,
    NoSuchName,
    NotFound,
    Unimplemented,
)
from ..errors import describe_value, wrong_mode, wrong_type

RATE = "a float, or a scheduler of paddle.optimizer.lr"
SEE_HELP = "see help(paddle.optimizer.lr)"

# ----- hyper-parameters --------------------------------------------------------------------------


def no_learning_rate() -> InvalidArgument:
    return InvalidArgument(
        "learning_rate is not set.",
        expected=RATE,
        received="None",
        fix="pass for example learning_rate=0.01",
    )


def learning_rate_type(value: object) -> MinipaddleError:
    what = f"learning rate should be float or LRScheduler, got {type(value)} here."
    fix = f"write {float(value)}" if isinstance(value, int) else "pass a number such as 0.01"
    return wrong_type(what, value, expected=RATE, fix=fix)


def not_a_number(argument: str, value: object) -> MinipaddleError:
    what = f"{argument} is not set." if value is None else f"{argument} must be a number."
    fix = f"leave {argument} out for its default"
    return wrong_type(what, value, expected="a float", fix=fix, kind=InvalidArgument)


def out_of_bounds(argument: str, value: object, low: float, high: float | None) -> InvalidArgument:
    expected = f"{argument} >= {low:g}"
    if high is not None:
        expected = f"{argument} in [{low:g},{high:g})"
    return InvalidArgument(
        f"Invalid value of {argument}, expect {expected}.",
        expected=expected,
        received=f"{argument}={value}",
        fix=f"leave {argument} out for its default",
    )


def coefficient_type(value: object) -> MinipaddleError:
    return wrong_type(
        "weight_decay should be int, float or Tensor.",
        value,
        expected="a float: how much of the parameter each step takes away",
        fix="pass for example weight_decay=0.01",
    )


def weight_decay_type(value: object) -> MinipaddleError:
    return wrong_type(
        "weight_decay should be a float or a regularizer.",
        value,
        expected="a float: the coefficient of the L2 penalty; or paddle.regularizer.L1Decay",
        fix="pass for example weight_decay=0.01",
    )


def grad_clip_type(value: object) -> MinipaddleError:
    return wrong_type(
        "'grad_clip' should be an instance of GradientClipBase's derived class.",
        value,
        expected="None, or a ClipGradByValue, ClipGradByNorm or ClipGradByGlobalNorm",
        fix="write for example grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0)",
    )


def not_a_function(argument: str, value: object) -> MinipaddleError:
    what, fix = (
        f"{argument} should be a function.",
        "write for example lambda name: 'bias' not in name",
    )
    return wrong_type(what, value, expected="a function of a parameter, or None", fix=fix)


def option_not_here(option: str, value: object) -> Unimplemented:
    return Unimplemented(
        f"'{option}' is unimplemented in CPU.",
        expected="None",
        received=f"{option}={value!r:.40}",
        fix="use parameter groups: {'params': [...], 'learning_rate': factor}",
    )


def batch_num_not_positive(value: object) -> MinipaddleError:
    what, fix = (
        "batch_num should be greater than 0.",
        "pass the number of batches of one pass over the data",
    )
    return wrong_type(what, value, expected="an int above 0", fix=fix, kind=InvalidArgument)


def steps_of_rprop(rate: float, rates: object, etas: object) -> InvalidArgument:
    return InvalidArgument(
        "Rprop: the learning rate and the etas do not fit.",
        expected="low <= learning_rate <= high, and 0 < etas[0] < 1 < etas[1]",
        received=f"learning_rate={rate}, learning_rate_range={rates}, etas={etas}",
        fix="leave learning_rate_range and etas out for their defaults",
    )


# ----- parameters and their groups ---------------------------------------------------------------


def no_parameters() -> NoSuchName:
    return NoSuchName(
        "parameters argument given to the Optimizer should not be None in dygraph mode.",
        expected="the parameters to train",
        received="None",
        fix="pass parameters=net.parameters()",
    )


def parameters_not_in_list(value: object) -> InvalidType:
    return InvalidType(
        "`parameters` argument given to the optimizer should be an iterable of paddle Tensors, "
        f"but got argument type is `{type(value)}`.",
        expected="a list of parameters, or a list of dicts: parameter groups",
        received=type(value).__name__,
        fix="pass parameters=net.parameters(), or put one parameter into a list",
    )


def not_a_parameter(of: str, position: int, item: object) -> MinipaddleError:
    what, fix = f"{of}: the element at {position} is no Tensor.", "pass parameters=net.parameters()"
    return wrong_type(what, item, expected="Tensors", fix=fix, kind=NoSuchName)


def group_without_params(number: int, row: object) -> CheckFailed:
    return CheckFailed(
        "params should be set in parameters if parameter groups are optimized in different "
        "options.",
        expected="dicts such as {'params': layer.parameters(), 'learning_rate': 0.1}",
        received=f"{row!r:.60} as group {number}",
        fix="put the group's parameters under the key 'params'",
    )


def params_without_order(number: int) -> InvalidType:
    return InvalidType(
        "optimizer parameters should be in ordered collections, but received set.",
        expected="a list",
        received=f"set in group {number}",
        fix="use a list instead",
    )


def in_two_groups(name: str, number: int) -> InvalidArgument:
    return InvalidArgument(
        "some parameters appear in more than one parameter group.",
        expected="each parameter in one group, once",
        received=f"'{name}' again in group {number}",
        fix="take it out of one of them",
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


def loss_no_tensor(loss: object) -> MinipaddleError:
    what, expected = "The loss should be an Tensor.", "a Tensor, or a Variable in static mode"
    fix = "pass what the loss function returned"
    return wrong_type(what, loss, expected=expected, fix=fix, kind=CheckFailed)


def no_rule() -> Unimplemented:
    return Unimplemented(
        'Class "Optimizer" cannot be used directly as an optimizer.',
        expected='one of its subclasses, such as "Adam"',
        received="a step of the base class, which has no rule",
        fix="write paddle.optimizer.SGD(...), or another kind",
    )


def set_lr_type(value: object) -> MinipaddleError:
    what = f"The type of 'value' in optimizer.set_lr must be float, but received {type(value)}."
    return wrong_type(what, value, expected="a float", fix="pass a number such as 0.01")


def rate_has_scheduler(scheduler: object) -> NotFound:
    return NotFound(
        "optimizer's learning rate can't be LRScheduler when invoke this API, because "
        "this will lead to conflict.",
        expected="an optimizer whose learning rate is a number",
        received=f"one with the scheduler {type(scheduler).__name__}",
        fix="let the scheduler set it, or use set_lr_scheduler",
    )


def not_a_scheduler(value: object) -> MinipaddleError:
    return wrong_type(
        "The type of 'scheduler' in optimizer.set_lr_scheduler must be LRScheduler, but "
        f"received {type(value)}.",
        value,
        expected="a scheduler of paddle.optimizer.lr",
        fix="for a number use set_lr",
    )


def rate_not_float(value: object) -> MinipaddleError:
    what = "The type of learning rate must be float."
    return wrong_type(what, value, expected="a float", fix=SEE_HELP)


def rate_negative(value: float) -> InvalidArgument:
    return InvalidArgument(
        f"Invalid learning rate: {value}.",
        expected="at least 0",
        received=describe_value(value),
        fix=SEE_HELP,
    )


def warmed_up_rate(value: object) -> MinipaddleError:
    what = "the type of learning_rate should be [int, float or LRScheduler]."
    return wrong_type(what, value, expected="a number or a scheduler", fix=SEE_HELP)


def too_few_values(values: Sequence[float], boundaries: Sequence[int]) -> InvalidArgument:
    return InvalidArgument(
        "The values have one more element than boundaries.",
        expected=f"{len(boundaries) + 1} values for {len(boundaries)} boundaries",
        received=describe_value(values),
        fix=SEE_HELP,
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


def saved_shape(name: str, shape: Iterable[int], wanted: Iterable[int]) -> CheckFailed:
    return CheckFailed(
        f"optimizer Tensor {name} does not fit.",
        expected=f"an array of shape {list(wanted)}",
        received=f"shape {list(shape)}",
        fix="load the state that was saved for the same network",
    )


def no_scheduler_in_state(keys: Iterable[str]) -> CheckFailed:
    return CheckFailed(
        "LR_Scheduler state must be included in the state dict except LambdaDecay.",
        expected="'LR_Scheduler' among the keys",
        received=f"{', '.join(keys) or 'nothing':.80}",
        fix="load what state_dict() of an optimizer with a scheduler gave",
    )


def state_not_dict(state: object) -> MinipaddleError:
    return wrong_type(
        "set_state_dict(): the state is no dict.",
        state,
        expected="what state_dict() returned, or paddle.load of it",
        fix="optimizer.set_state_dict(paddle.load('model.pdopt'))",
        kind=CheckFailed,
    )
