"""Errors of `paddle.Model`: each function makes one, and the caller raises it."""

from __future__ import annotations

from typing import Any

from ..engine.errors import (
    CheckFailed,
    InvalidArgument,
    MinipaddleError,
    ModeError,
    PreconditionNotMet,
    Unimplemented,
)
from ..errors import misfit, wrong_mode
from ..messages import Message

PREPARE = "model.prepare(optimizer, paddle.nn.CrossEntropyLoss(), paddle.metric.Accuracy())"


def static_mode() -> MinipaddleError:
    what = "paddle.Model runs in dynamic mode here."
    fix = "call paddle.disable_static() before it"
    return wrong_mode(what, wanted="dynamic", fix=fix, kind=ModeError)


def many_ranks(count: int) -> MinipaddleError:
    fix = Message("write the loop yourself, with paddle.DataParallel")
    return misfit("Model.prepare", Message("one process"), Unimplemented, fix, ranks=count)


def mixed_precision(amp_configs: Any) -> MinipaddleError:
    return misfit("Model.prepare", "None or 'O0'", Unimplemented, amp_configs=amp_configs)


def not_prepared(lacks: str) -> MinipaddleError:
    return CheckFailed(
        Message("model not ready: it has no {lacks}.", lacks=lacks),
        expected=Message("model.prepare(...) before the first batch"),
        received=Message("no {lacks}", lacks=lacks),
        fix=PREPARE,
    )


def too_few(values: int, inputs: int) -> MinipaddleError:
    fix = Message("give one value for each input of forward, or paddle.Model(net, inputs=[...])")
    return misfit(
        "Model",
        Message("at least {count} {count:value|values}", count=inputs),
        CheckFailed,
        fix,
        values=values,
    )


def unnamed_spec(spec: Any) -> MinipaddleError:
    fix = 'paddle.static.InputSpec([None, 784], "float32", "x")'
    return misfit("Model", Message("an InputSpec with a name"), InvalidArgument, fix, inputs=spec)


def no_inputs() -> MinipaddleError:
    return PreconditionNotMet(
        Message("Model.save(): saving for inference needs the shapes of the inputs."),
        expected=Message("inputs of the Model, or a batch that it has run"),
        received=Message("neither"),
        fix='paddle.Model(net, inputs=paddle.static.InputSpec([None, 784], "float32", "x"))',
    )


def no_weights(path: str) -> MinipaddleError:
    fix = Message("give the path that model.save received")
    return misfit("Model.load", Message("a file with parameters"), CheckFailed, fix, path=path)


def does_not_match(key: str, shape: list[int], saved: list[int] | None) -> MinipaddleError:
    what = Message("Model.load(): {key} does not match the file.", key=key)
    received = Message("shape {shape}", shape=saved) if saved is not None else Message("nothing")
    return InvalidArgument(
        what,
        expected=Message("shape {shape}", shape=shape),
        received=received,
        fix=Message("build the same network, or load(path, skip_mismatch=True)"),
    )


def no_callback(value: Any) -> MinipaddleError:
    fix = Message("derive a class from paddle.callbacks.Callback, and give an object")
    expected = Message("objects of classes derived from Callback")
    return misfit("Model", expected, InvalidArgument, fix, callbacks=value)
