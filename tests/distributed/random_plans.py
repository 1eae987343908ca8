"""Random programs of several ranks, in which sometimes one rank does something wrong.

Every rank draws the same plan from a seed, so it knows what all ranks do, and the results.
`python -m tests.distributed.random_plans 0 100` plays many of them and stops at the first that is
not as planned.
"""

import importlib
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import minipaddle as paddle
from minipaddle import distributed as dist
from minipaddle.distributed.watch import WATCH

from . import harness

PATIENCE = 15.0  # seconds that a rank waits for a missing one; a slow one takes less


class Step(NamedTuple):
    """A call of all ranks, and the mishap of one of them."""

    call: str
    size: int
    mishap: str = ""
    rank: int = 0


# Mishap -> (error on its rank, error on the others).
MISHAPS = {
    "argument": ("InvalidType", "right"),
    "complex": ("InvalidType", "right"),
    "pickle": ("InvalidArgument", "right"),
    "unpickle": ("InvalidArgument", "InvalidArgument"),
    "shape": ("RanksDisagree", "RanksDisagree"),
    "dtype": ("RanksDisagree", "RanksDisagree"),
    "call": ("RanksDisagree", "RanksDisagree"),
    "thread": ("right", "right"),
}
# End of a plan -> text printed by the rank itself or by those that wait for it.
ENDS = {
    "raise": "ValueError: as planned",
    "exit": "OthersMissing",
    "stay": "OthersMissing",
    "kill": "",
}


def plan(seed: int, count: int) -> list[Step]:
    """Draw the steps of a program."""
    draw = random.Random(seed)
    steps = []
    for _ in range(draw.randint(4, 12)):
        mishap = draw.choice(list(MISHAPS)) if draw.random() < 0.4 else ""
        size = draw.choice([1, 5, 5000, 200_000])
        steps.append(Step(draw.choice(list(CALLS)), size, mishap, draw.randrange(count)))
    if draw.random() < 0.5:
        steps.append(Step("all_reduce", 1, draw.choice(list(ENDS)), draw.randrange(count)))
    return steps


# ----- calls -------------------------------------------------------------------------------------


class Place(NamedTuple):
    """The place of a call: the rank, the number of ranks, and the size of the tensors."""

    rank: int
    count: int
    size: int

    def row(self, rank: int) -> Any:
        return np.arange(self.size, dtype="float64") + 10 * rank

    @property
    def rows(self) -> list[Any]:
        return [self.row(rank) for rank in range(self.count)]

    @property
    def own(self) -> Any:
        return paddle.to_tensor(self.row(self.rank))

    @property
    def tensors(self) -> list[Any]:
        return [paddle.to_tensor(row) for row in self.rows]


def same(found: Any, wanted: Any) -> bool:
    return np.array_equal(np.array([np.asarray(each) for each in found]), np.array(wanted))


def all_reduce(at: Place) -> bool:
    x = at.own
    dist.all_reduce(x)
    return same(x, sum(at.rows))


def begun(at: Place) -> bool:
    x, y = at.own, at.own
    tasks = [dist.all_reduce(x, sync_op=False), dist.broadcast(y, 0, sync_op=False)]
    for task in tasks if at.rank else reversed(tasks):
        task.wait()
    return same(x, sum(at.rows)) and same(y, at.rows[0])


def reduce(at: Place) -> bool:
    x = at.own
    dist.reduce(x, at.count - 1)
    return at.rank < at.count - 1 or same(x, sum(at.rows))


def all_gather(at: Place) -> bool:
    rows: list[Any] = []
    dist.all_gather(rows, at.own)
    return same(rows, at.rows)


def scatter(at: Place) -> bool:
    x = at.own
    dist.scatter(x, at.tensors if at.rank == 0 else None, 0)
    return same(x, at.row(at.rank))


def reduce_scatter(at: Place) -> bool:
    x = at.own
    dist.reduce_scatter(x, at.tensors)
    return same(x, at.count * at.row(at.rank))


def alltoall(at: Place) -> bool:
    rows: list[Any] = []
    dist.alltoall(rows, at.tensors)
    return same(rows, [at.row(at.rank)] * at.count)


def message(at: Place) -> bool:
    x, last = at.own, at.count - 1
    if at.rank == 0:
        dist.send(x, last)
    elif at.rank == last:
        dist.recv(x, 0)
    return at.rank not in (0, last) or same(x, at.rows[0])


def barrier(at: Place) -> bool:
    dist.barrier()
    return bool(at)


def group(at: Place) -> bool:
    x, pair = at.own, dist.new_group([0, 1])
    if pair.is_member():
        dist.all_reduce(x, group=pair)
    return at.rank > 1 or same(x, at.rows[0] + at.rows[1])


def gather_objects(at: Place) -> bool:
    rows: list[Any] = []
    dist.all_gather_object(rows, "a" * at.size + str(at.rank))
    return rows == ["a" * at.size + str(rank) for rank in range(at.count)]


def broadcast_objects(at: Place) -> bool:
    row = [at.rank, at.own]
    dist.broadcast_object_list(row, at.count - 1)
    return row[0] == at.count - 1 and same(row[1], at.rows[-1])


def scatter_objects(at: Place) -> bool:
    row: list[Any] = []
    dist.scatter_object_list(row, at.rows if at.rank == 0 else None)
    return same(row, [at.row(at.rank)])


CALLS: dict[str, Callable[[Place], bool]] = {
    each.__name__: each
    for each in (
        *(all_reduce, begun, reduce, all_gather, scatter, reduce_scatter, alltoall, message),
        *(barrier, group, gather_objects, broadcast_objects, scatter_objects),
    )
}


# ----- what one rank does wrong ------------------------------------------------------------------


class Unpicklable:
    def __reduce__(self) -> Any:
        raise TypeError("not this one")


class Undone:
    """An object that can be pickled, but not unpickled."""

    def __reduce__(self) -> Any:
        return int, ("no number",)


def mishap(step: Step, at: Place, sign: Path) -> None:
    """Do a step's mishap; if only one rank has an error, the others do not call."""
    wrong, x = step.rank == at.rank, at.own
    any_call: Any = dist.all_reduce
    if step.mishap == "argument" and wrong:
        any_call([1.0])
    elif step.mishap == "complex" and wrong:
        dist.all_reduce(x.astype("complex128"), dist.ReduceOp.MAX)
    elif step.mishap == "pickle" and wrong:
        dist.all_gather_object([], Unpicklable())
    elif step.mishap == "unpickle":
        dist.all_gather_object([], Undone() if wrong else 1)
    elif step.mishap == "shape":
        dist.all_reduce(paddle.ones([2 if wrong else 3]))
    elif step.mishap == "dtype":
        dist.broadcast(x.astype("int32") if wrong else x, 0)
    elif step.mishap == "call":
        dist.barrier() if wrong else dist.all_gather([], x)
    elif step.mishap == "thread":
        two_threads(wrong, sign)


def two_threads(here: bool, sign: Path) -> None:
    """Call from a second thread while the first waits for the others, which wait for it."""
    told: list[str] = []

    def second() -> None:
        while WATCH.doing is None:
            time.sleep(0.001)
        told.append(outcome(dist.barrier))
        sign.touch()

    thread = threading.Thread(target=second)
    if here:
        thread.start()
    while not here and not sign.exists():
        time.sleep(0.001)
    dist.barrier()
    if here:
        thread.join()
        assert told == ["PreconditionNotMet"]


def end(step: Step) -> None:
    """End this rank in the way of a step."""
    if step.mishap == "raise":
        raise ValueError("as planned")
    if step.mishap == "exit":
        sys.exit(0)
    if step.mishap == "stay":
        time.sleep(1000)
    os.kill(os.getpid(), signal.SIGKILL)


def outcome(call: Callable[[], object]) -> str:
    """Return the name of a call's error, or "right" or "wrong" without one."""
    try:
        return "wrong" if call() is False else "right"
    except Exception as error:  # noqa: BLE001
        return type(error).__name__


def play(seed: int, folder: str) -> bool:
    """Run the steps on this rank; return whether each had its planned outcome."""
    rank, count = dist.get_rank(), dist.get_world_size()
    for number, step in enumerate(plan(seed, count)):
        at = Place(rank, count, step.size)
        if step.mishap in ENDS:
            if step.rank == rank:
                end(step)
            CALLS[step.call](at)
        elif step.mishap:
            sign = Path(folder, str(number))
            found = outcome(lambda step=step, at=at, sign=sign: mishap(step, at, sign))
            wanted = MISHAPS[step.mishap][rank != step.rank]
            assert found == wanted, f"not as planned: {step} brings {found}, and not {wanted}"
        found = outcome(lambda step=step, at=at: CALLS[step.call](at))
        assert found == "right", f"not as planned: {step} brings {found}"
    return True


def faults(seed: int, count: int, folder: Path) -> list[str]:
    """Play a plan, and list all deviations."""
    begin = time.monotonic()
    ended = harness.start(count, play, seed, str(folder), patience=PATIENCE)
    last, found = plan(seed, count)[-1].mishap, []
    if ended.left:
        found.append(f"{ended.left} processes are left")
    if "not as planned" in ended.printed or ENDS.get(last, "") not in ended.printed:
        found.append("not the right error")
    well = ended.code == 0 and ended.results == [True] * count
    if well is (last in ENDS):
        found.append(f"exit status {ended.code}, results {ended.results}")
    if time.monotonic() - begin > harness.PATIENCE:
        found.append(f"took {time.monotonic() - begin:.0f} s")
    return [*found, ended.printed] if found else []


def main(first: int, many: int) -> None:
    """Play plans of 2 and 3 ranks in turn."""
    for seed in range(first, first + many):
        count = 2 + seed % 2
        with tempfile.TemporaryDirectory() as folder:
            found = faults(seed, count, Path(folder))
        print(seed, *found, sep="\n", flush=True)
        if found:
            sys.exit(f"not as planned: {plan(seed, count)}")


if __name__ == "__main__":
    importlib.import_module("tests.distributed.random_plans").main(*map(int, sys.argv[1:]))
