"""mpiexec: its path, version, options and environment."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

from . import errors

NAMES = ("mpiexec", "mpirun")
VERSION_TIMEOUT = 60  # seconds for `mpiexec --version`
OPEN_MPI = "Open MPI"  # text in the version of Open MPI
# Without these options Open MPI refuses to run as root, and to start more ranks than cores.
ROOT, FEW_CORES = "--allow-run-as-root", "--oversubscribe"
# Open MPI kills ranks one second after asking them to end, while they may write their traces.
SECONDS_TO_END = {"PRTE_MCA_odls_base_sigkill_timeout": "10"}
# On one machine ranks share memory and need no network. These variables turn off Open MPI's TCP,
# and leave UCX and libfabric, which MPICH uses, only the loopback interface.
LOOPBACK = "lo" if sys.platform == "linux" else "lo0"
ON_ONE_MACHINE = {"OMPI_MCA_btl": "^tcp", "UCX_NET_DEVICES": LOOPBACK, "FI_TCP_IFACE": LOOPBACK}


def path() -> str | None:
    """Return the mpiexec beside this Python, else the first on the PATH.

    Packages of MPI install it beside the Python of their environment, which need not be active.
    """
    beside = str(Path(sys.executable).parent)
    found = [shutil.which(name, path=beside) for name in NAMES] + [*map(shutil.which, NAMES)]
    return next(filter(None, found), None)


def find() -> list[str]:
    """Return the command that starts ranks: mpiexec with the options that it always needs.

    Errors: NotFound, with what to install.
    """
    mpiexec = path()
    lacking = [] if importlib.util.find_spec("mpi4py") else ["mpi4py"]
    lacking += [] if mpiexec else [NAMES[0]]
    if mpiexec is None or lacking:
        raise errors.mpi_missing(lacking)
    if OPEN_MPI not in version(mpiexec):
        return [mpiexec]
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [mpiexec, *([ROOT] if is_root else []), FEW_CORES]


def version(mpiexec: str) -> str:
    """Return the output of `mpiexec --version`, "" if it fails."""
    command = [mpiexec, "--version"]
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=VERSION_TIMEOUT, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout + answer.stderr


def environment(on_one_machine: bool = True) -> dict[str, str]:
    """Return the environment of ranks: one thread of arithmetic each, unless chosen otherwise.

    Ranks on one machine listen on no interface but loopback.
    """
    apart = ON_ONE_MACHINE if on_one_machine else {}
    return {"OMP_NUM_THREADS": "1", **SECONDS_TO_END, **apart, **os.environ}
