"""Programs of ranks; each function runs on all ranks and returns plain values."""

import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, suppress
from pathlib import Path
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import distributed as dist
from minipaddle.distributed import agreement, functional, mpi, watch
from minipaddle.distributed.agreement import Checks
from minipaddle.distributed.watch import WATCH

from ..patience import PATIENCE

OPS = ("SUM", "MAX", "MIN", "PROD", "AVG")


def here() -> tuple[int, int]:
    return dist.get_rank(), dist.get_world_size()


def drawn(rank: int, *shape: int) -> Any:
    """Return numbers of a rank, which every other rank can draw, too."""
    return np.random.default_rng(rank).standard_normal(shape)


def tensor(rank: int, *shape: int, leaf: bool = True) -> Any:
    return paddle.to_tensor(drawn(rank, *shape), stop_gradient=not leaf)


def caught(call: Callable[[], Any]) -> tuple[str, str]:
    """Return the class and the text of a call's error."""
    try:
        call()
    except Exception as error:  # noqa: BLE001
        return type(error).__name__, str(error)
    return "", ""


# ----- values ------------------------------------------------------------------------------------


def values() -> dict[str, Any]:
    """Return the results of collectives; `lists` has more of those that take lists."""
    rank, count = here()
    told: dict[str, Any] = {}
    for op in OPS:
        x = tensor(rank, 2, 3, leaf=False)
        dist.all_reduce(x, op=getattr(dist.ReduceOp, op))
        told[f"all_reduce {op}"] = x.numpy()
    last = count - 1
    x = tensor(rank, 2, 3, leaf=False)
    dist.reduce(x, dst=last)
    told["reduce"] = x.numpy()
    x = tensor(rank, 2, 3, leaf=False)
    dist.broadcast(x, src=last)
    told["broadcast"] = x.numpy()
    x = tensor(rank, 2, 3, leaf=False).transpose([1, 0])  # not contiguous
    dist.broadcast(x, src=0)
    told["broadcast of a view"] = x.numpy()
    empty: list[Any] = []
    dist.alltoall(empty, [tensor(10 * rank + to, 2, leaf=False) for to in range(count)])
    told["alltoall"] = [each.numpy() for each in empty]
    return told


def messages() -> dict[str, Any]:
    """Return the messages from rank 0 to rank 1."""
    rank, _ = here()
    told: dict[str, Any] = {}
    for number, size in enumerate((3, 200_000)):  # MPI cannot buffer the second
        x = tensor(rank, size, leaf=False)
        if rank == 0:
            dist.send(x, dst=1)
        if rank == 1:
            dist.recv(x, src=0)
            told[f"recv {number}"] = bool((x.numpy() == drawn(0, size)).all())
    x = tensor(rank, 4, leaf=False)
    if rank == 0:
        task = dist.isend(x, dst=1)
        x[:] = 0.0  # the message was already sent
        told["isend"] = task.wait()
    if rank == 1:
        task = dist.irecv(x, src=0)
        told["before"] = x.numpy()
        told["irecv"] = task.wait(), x.numpy(), task.is_completed()
    if rank == 0:
        dist.send_object_list([1, {"a": None}], dst=1)
    if rank == 1:
        objects: list[Any] = []
        dist.recv_object_list(objects, src=0)
        told["objects"] = objects
    return told


def objects() -> dict[str, Any]:
    rank, count = here()
    gathered: list[Any] = ["before"]
    dist.all_gather_object(gathered, {"rank": rank})
    spread = [rank, "a"]
    dist.broadcast_object_list(spread, src=count - 1)
    one: list[Any] = []
    dist.scatter_object_list(one, list("abcd")[:count] if rank == 0 else None)
    return {"all_gather": gathered, "broadcast": spread, "scatter": one}


def tasks() -> dict[str, Any]:
    """Begin two collectives, and wait for them in the other order."""
    rank, _ = here()
    x, y = tensor(rank, 3, leaf=False), tensor(10 + rank, 3, leaf=False)
    before = x.numpy()
    first = dist.all_reduce(x, sync_op=False)
    second = dist.all_reduce(y, sync_op=False)
    unchanged = (x.numpy() == before).all()
    waited = second.wait(), first.wait()
    z = tensor(rank, 3, leaf=False)
    dist.all_reduce(z, sync_op=False)
    dist.wait(z)
    return {
        "unchanged": bool(unchanged),
        "waited": waited,
        "sums": (x.numpy(), y.numpy(), z.numpy()),
        "completed": first.is_completed(),
        "version": int(x.inplace_version),
    }


def groups() -> dict[str, Any]:
    rank, count = here()
    pair, alone = dist.new_group([count - 1, 0]), dist.new_group([1])
    x = paddle.to_tensor([1.0 + rank])
    if pair.is_member():
        dist.all_reduce(x, group=pair)
    y = paddle.to_tensor([1.0 + rank])
    if rank == 1:
        dist.all_reduce(y, group=alone)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        given = dist.all_reduce(x, group=alone) if rank == 0 else None
        dist.barrier(alone)
    told = {
        "outside": (given, [str(each.message) for each in heard]),
        "texts": (str(dist.get_group()), str(pair), str(alone)),
        "sums": (x.tolist(), y.tolist()),
        "ranks": (dist.get_rank(pair), dist.get_world_size(pair), pair.get_group_rank(count - 1)),
        "same": dist.get_group(pair.id) is pair and dist.init_parallel_env() is dist.get_group(),
        "backend": dist.get_backend(pair),
    }
    dist.destroy_process_group(pair)
    told["gone"] = dist.get_group(0) is not None
    return told


# ----- gradients ---------------------------------------------------------------------------------


def checked(count: int) -> dict[str, Callable[..., Any]]:
    """Return functions with the true gradient, and the number of tensors that each takes."""
    rank, _ = here()
    ops = {op: getattr(dist.ReduceOp, op) for op in OPS}
    one = {f"all_reduce {op}": lambda x, n=n: functional.all_reduce(x, n) for op, n in ops.items()}
    last = count - 1

    def stages(x: Any) -> Any:
        if rank == 0:
            return functional.send(paddle.sin(x), dst=last)
        return functional.recv(x, src=0) if rank == last else x * 2

    return {
        **one,
        "reduce": lambda x: functional.reduce(x, dst=last),
        "reduce AVG": lambda x: functional.reduce(x, 0, dist.ReduceOp.AVG),
        "broadcast": lambda x: functional.broadcast(x, src=last),
        "all_gather": functional.all_gather,
        "gather": lambda x: functional.gather(x, dst=last),
        "send and recv": stages,
        "scatter *": lambda *xs: functional.scatter(xs, src=last),
        "reduce_scatter *": lambda *xs: functional.reduce_scatter(xs),
        "reduce_scatter AVG *": lambda *xs: functional.reduce_scatter(xs, dist.ReduceOp.AVG),
        "reduce_scatter MAX *": lambda *xs: functional.reduce_scatter(xs, dist.ReduceOp.MAX),
        "alltoall *": lambda *xs: functional.alltoall(xs),
    }


def true_gradients() -> dict[str, str]:
    """Compare each function, followed by a nonlinear one, with differences across ranks."""
    rank, count = here()
    told = {}
    for name, function in checked(count).items():
        inputs = [drawn(100 * rank + n, 2) for n in range(count if "*" in name else 1)]

        def curved(*xs: Any, of: Callable[..., Any] = function) -> Any:
            found = of(*xs)
            rows = found if isinstance(found, list) else [found]
            return [y if y.ndim == 0 else y * y * (1.0 + rank) for y in rows]

        told[name] = str(paddle.testing.check_grad(curved, inputs, group=dist.get_group()))
    return told


def second_derivative() -> tuple[float, float]:
    """Return the second derivative of the square of a sum of squares."""
    rank, _ = here()
    x = paddle.to_tensor([1.0 + rank], dtype="float64", stop_gradient=False)
    y = functional.all_reduce(x * x)
    (first,) = paddle.grad((y * y).sum(), x, create_graph=True)
    first.sum().backward()
    return float(first), float(x.grad)


def wrong_gradients() -> dict[str, Any]:
    rank, _ = here()

    def default(x: Any) -> Any:
        y = x * 2
        dist.all_reduce(y)
        return y

    class Twice(paddle.autograd.PyLayer):  # type: ignore[misc]
        """A gradient that is wrong only on the last rank."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return functional.all_reduce(x)

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            dx = functional.all_reduce(dy)
            return dx * 2 if rank == 1 else dx

    inputs, group = [drawn(rank, 2)], dist.get_group()
    check = paddle.testing.check_grad
    return {
        "default": caught(lambda: check(default, inputs, group=group)),
        "twice": caught(lambda: check(Twice, inputs, group=group)),
        "kink": str(check(paddle.nn.functional.relu, [np.array([0.0, 1.0])], group=group)),
        "after": dist.barrier(),
    }


# ----- what is told ------------------------------------------------------------------------------


def trace() -> dict[str, Any]:
    """Record a collective of each kind."""
    rank, _ = here()
    with viz.record() as recorded:
        x = paddle.to_tensor([1.0 + rank, 2.0], stop_gradient=False)
        y = x * 2
        dist.all_reduce(y)
        (y * y).sum().backward()
        w = paddle.to_tensor([5.0 + rank], stop_gradient=False)
        dist.broadcast(w, src=1)
        rows: list[Any] = []
        dist.all_gather(rows, w)
        if rank == 0:
            dist.send(w, dst=1)
        else:
            dist.recv(w, src=0)
        functional.all_reduce(w).backward()
        dist.barrier()
    return recorded.document  # type: ignore[no-any-return]


def failed_trace() -> str:
    """Record a collective on whose arguments the ranks disagree."""
    rank, _ = here()
    with suppress(RuntimeError), viz.record() as recorded:
        dist.all_reduce(paddle.ones([2 + rank]))
    return recorded.text()


# ----- what goes wrong ---------------------------------------------------------------------------


class Undone:
    """An object that can be pickled, but not unpickled."""

    def __reduce__(self) -> Any:
        return int, ("no number",)


def mistakes() -> dict[str, tuple[str, str]]:
    """Return the errors of wrong arguments, and of calls that do not fit together."""
    rank, count = here()
    one, two, local = paddle.ones([1]), paddle.ones([2]), lambda: None
    z, ReduceOp = paddle.ones([1]).astype("complex128"), dist.ReduceOp
    any_call: Any = dist.all_reduce
    told = {
        "not a tensor": caught(lambda: any_call([1.0])),
        "op": caught(lambda: any_call(one, op=9)),
        "op as text": caught(lambda: any_call(one, op="sum")),
        "root": caught(lambda: dist.broadcast(one, src=7)),
        "no group": caught(lambda: any_call(one, group=3)),
        "list": caught(lambda: dist.reduce_scatter(one, [one] * (count + 1))),
        "list of others": caught(lambda: dist.reduce_scatter(one, [two] * count)),
        "no list": caught(lambda: dist.all_gather((), one)),  # type: ignore[arg-type]
        "full list": caught(lambda: dist.all_gather([two] * count, one)),
        "group": caught(lambda: dist.new_group([0, 9])),
        "objects": caught(lambda: dist.scatter_object_list([], [1] * 9, src=rank)),
        "complex": caught(lambda: dist.all_reduce(one.astype("complex64"), op=ReduceOp.MAX)),
        "complex parts": caught(lambda: dist.reduce_scatter(z, [z] * count, op=ReduceOp.MIN)),
        "complex with a gradient": caught(lambda: functional.all_reduce(z, ReduceOp.MAX)),
        "pickle": caught(lambda: dist.all_gather_object([], local)),
        "pickle a list": caught(lambda: dist.broadcast_object_list([local], src=rank)),
        "pickle a part": caught(lambda: dist.scatter_object_list([], [local] * count, src=rank)),
        "pickle a message": caught(lambda: dist.send_object_list([local], dst=1 - rank)),
        "unpickle": caught(lambda: dist.all_gather_object([], 1 if rank else Undone())),
        "shape": caught(lambda: dist.all_reduce(paddle.ones([2 + rank]))),
        "dtype": caught(lambda: dist.all_reduce(one if rank else one.astype("int32"))),
        "order": caught(lambda: dist.all_reduce(one) if rank else dist.broadcast(one, 0)),
        "kind": caught(lambda: dist.all_reduce(one, sync_op=rank == 0)),
        "letter": caught(
            lambda: dist.recv(two, 0) if rank else dist.send(paddle.ones([100_000]), 1)
        ),
    }
    paddle.enable_static()
    told["static"] = caught(dist.barrier)
    paddle.disable_static()
    x = paddle.ones([1])
    dist.all_reduce(x)
    told["after"] = "", str(x.item())
    return told


def unchecked() -> float:
    """Run a collective without headers."""
    rank, _ = here()
    assert not Checks.on
    x = paddle.to_tensor([1.0 + rank])
    dist.all_reduce(x)
    y = paddle.to_tensor([0.0])
    dist.send(x, 1) if rank == 0 else dist.recv(y, 0) if rank == 1 else None
    return float(x) + float(y)


def one_is_missing(folder: str) -> dict[str, tuple[str, str]]:
    """Rank 0 waits for a call that the others never make; they stay until it has its error."""
    rank, _ = here()
    watch.ANSWER_TIMEOUT = PATIENCE
    end = Path(folder, "end")
    if rank == 0:
        told = {
            "all_reduce": caught(lambda: dist.all_reduce(paddle.ones([1]))),
            "recv": caught(lambda: dist.recv(paddle.ones([1]), src=1)),
            "send": caught(lambda: dist.send(paddle.ones([200_000]), dst=1)),
        }
        end.touch()
        told["left"] = "", str(len(mpi.ABANDONED))
        return told
    while not end.exists():
        time.sleep(0.01)
    return {}


def one_is_slow(folder: str) -> tuple[float, str]:
    """Rank 0 waits for others that come after its message about waiting."""
    rank, _ = here()
    agreement.REPORT_AFTER, watch.ANSWER_TIMEOUT = 0.2, PATIENCE
    said, x = Path(folder, "said"), paddle.to_tensor([1.0 + rank])
    if rank == 0:
        with said.open("w") as words, redirect_stderr(words):
            dist.all_reduce(x)
        return x.item(), said.read_text()
    while not (said.exists() and said.read_text().endswith("\n")):
        threading.Event().wait(0.01)
    time.sleep(5 * agreement.REPORT_AFTER)
    dist.all_reduce(x)
    return x.item(), ""


def two_threads_call(folder: str) -> tuple[str, str]:
    """Rank 0 calls from a second thread while its first one waits for the other rank."""
    rank, _ = here()
    end, told = Path(folder, "end"), ("", "")

    def second() -> None:
        nonlocal told
        while WATCH.doing is None:
            time.sleep(0.001)
        told = caught(dist.barrier)
        end.touch()

    thread = threading.Thread(target=second)
    if rank == 0:
        thread.start()
    while rank and not end.exists():
        time.sleep(0.001)
    dist.barrier()
    if rank == 0:
        thread.join()
    return told


def one_never_comes() -> None:
    """Wait without headers: MPI itself waits, and no Python error can interrupt it."""
    rank, _ = here()
    if rank == 1:
        time.sleep(1000)
    dist.all_reduce(paddle.ones([1]))


def one_raises() -> None:
    rank, _ = here()
    if rank == 1:
        raise ValueError("the second rank cannot go on")
    dist.all_reduce(paddle.ones([1]))


def one_is_killed() -> None:
    rank, _ = here()
    if rank == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    dist.all_reduce(paddle.ones([1]))


def one_ends(destroys: bool) -> Any:
    """Rank 0 waits for a rank that has ended, or has destroyed its groups."""
    rank, _ = here()
    if rank == 0:
        return caught(lambda: dist.all_reduce(paddle.ones([1])))
    return caught(dist.destroy_process_group) if destroys else ("", "")


# ----- after the end -----------------------------------------------------------------------------


def recorded_by() -> tuple[Any, Any]:
    """Return the rank and the number of ranks that a recording contains."""
    with viz.record() as recorded:
        paddle.ones([1])
    return recorded.document.get("rank"), recorded.document.get("world_size")


def ends_and_begins() -> dict[str, Any]:
    """Destroy all groups, begin once more, and destroy them again."""
    rank, _ = here()
    null, one = mpi.module().COMM_NULL, paddle.to_tensor([1.0 + rank])
    group, own = dist.get_group(), dist.new_group([0, 1])
    carriers = [group._communicator, WATCH.communicator]  # type: ignore[union-attr]
    told: dict[str, Any] = {"among": recorded_by()}
    dist.destroy_process_group()
    alone = sys.excepthook
    told["alone"] = recorded_by()
    told["freed"] = [carrier == null for carrier in carriers]
    told["begun"] = dist.is_initialized()
    dist.init_parallel_env()
    told["hooked"] = sys.excepthook is not alone
    told["old"] = caught(lambda: dist.all_reduce(one, group=group))
    told["old of users"] = caught(lambda: dist.barrier(own))
    dist.all_reduce(one)
    told["sum"], told["among again"] = one.item(), recorded_by()
    dist.destroy_process_group()
    told["unhooked"] = sys.excepthook is alone
    return told
