"""MPI's own starter: find it, its vendor and its options."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

from . import errors

NAMES = ("mpiexec", "mpirun")
PATIENCE = 60  # seconds that it may take to say its version
OPEN_MPI = "Open MPI"  # what its version says
# It refuses to run as root, and to start more ranks than there are cores.
ROOT, FEW_CORES = "--allow-run-as-root", "--oversubscribe"
# It kills ranks a second after it has asked them to end; they may be writing their traces.
SECONDS_TO_END = {"PRTE_MCA_odls_base_sigkill_timeout": "10"}
# On one machine ranks share memory, so none of them needs to listen on its network: no TCP of
# Open MPI's, and only the loopback interface for UCX and libfabric, which MPICH uses.
LOOPBACK = "lo" if sys.platform == "linux" else "lo0"
ON_ONE_MACHINE = {"OMPI_MCA_btl": "^tcp", "UCX_NET_DEVICES": LOOPBACK, "FI_TCP_IFACE": LOOPBACK}


def path() -> str | None:
    """Return the starter that belongs to this Python, else the first on the PATH.

    Packages of MPI put theirs beside the Python of their environment, which need not be active.
    """
    beside = str(Path(sys.executable).parent)
    found = [shutil.which(name, path=beside) for name in NAMES] + [*map(shutil.which, NAMES)]
    return next(filter(None, found), None)


def find() -> list[str]:
    """Return the words that start ranks: the starter, and options that it needs everywhere.

    Errors: NotFound with what to install.
    """
    starter = path()
    lacking = [] if importlib.util.find_spec("mpi4py") else ["mpi4py"]
    lacking += [] if starter else [NAMES[0]]
    if starter is None or lacking:
        raise errors.mpi_missing(lacking)
    if OPEN_MPI not in version(starter):
        return [starter]
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [starter, *([ROOT] if is_root else []), FEW_CORES]


def version(starter: str) -> str:
    """Return what a starter says of its version, "" if nothing."""
    try:
        answer = subprocess.run(
            [starter, "--version"], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout + answer.stderr


def environment(on_one_machine: bool = True) -> dict[str, str]:
    """Return the environment that ranks begin with: one thread of arithmetic each, unless chosen.

    Those on one machine listen on no other interface than loopback.
    """
    apart = ON_ONE_MACHINE if on_one_machine else {}
    return {"OMP_NUM_THREADS": "1", **SECONDS_TO_END, **apart, **os.environ}
