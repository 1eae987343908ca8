"""Errors without MPI, or while it starts."""

import faulthandler
import sys
from types import ModuleType
from typing import Any

import pytest

from minipaddle.distributed import mpi
from minipaddle.engine.errors import Unimplemented
from minipaddle.engine.install_advice import for_many_ranks


class WithoutALibrary(ModuleType):
    """mpi4py as it is without an MPI library."""

    def __getattr__(self, _name: str) -> object:
        raise RuntimeError("cannot load MPI library\nlibmpi.so.12: no such file")


@pytest.mark.parametrize(
    ("found", "received"),
    [
        (None, "import of mpi4py halted; None in sys.modules"),
        (WithoutALibrary("mpi4py"), "cannot load MPI library"),
    ],
)
def test_an_error_without_mpi_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, found: ModuleType | None, received: str
) -> None:
    monkeypatch.setitem(sys.modules, "mpi4py", found)  # type: ignore[arg-type]
    with pytest.raises(Unimplemented) as told:
        mpi.module.__wrapped__()
    assert str(told.value).splitlines()[:4] == [
        "paddle.distributed needs MPI.",
        "  expected  mpi4py and an MPI library",
        f"  received  {received}",
        f"  to do     {for_many_ranks()}",
    ]


def test_the_start_of_mpi_ends_if_another_rank_never_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    later = lambda seconds, **how: calls.append((seconds, how["exit"]))  # noqa: E731
    monkeypatch.setattr(faulthandler, "dump_traceback_later", later)
    monkeypatch.setattr(faulthandler, "cancel_dump_traceback_later", lambda: calls.append("over"))
    monkeypatch.setitem(sys.modules, "mpi4py", WithoutALibrary("mpi4py"))
    for milliseconds, seconds in (("500", mpi.LEAST_START_TIMEOUT), ("90000", 90.0)):
        monkeypatch.setenv(mpi.TIMEOUT_VARIABLE, milliseconds)
        with pytest.raises(Unimplemented):
            mpi.module.__wrapped__()
        assert calls == [(seconds, True), "over"]
        calls.clear()
