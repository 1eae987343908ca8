"""`minipaddle doctor`: installed and missing programs and packages, and what fails without them."""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from ..distributed import launch_job
from ..engine.install_advice import EXTRAS, for_a_gpu, for_many_ranks, pip_install

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CUPY = ("cupy-cuda13x", "cupy-cuda12x", "cupy")


class Finding(NamedTuple):
    """Line of the report; `cost` says what does not work if `version` is None."""

    name: str
    version: str | None
    cost: str = ""
    needed: bool = False


def main(arguments: list[str]) -> int:
    """Print the report; return 0 if the engine can work."""
    argparse.ArgumentParser(
        prog="minipaddle doctor", description="Say what is found and what is missing."
    ).parse_args(arguments)
    findings = list(examine())
    for finding in findings:
        print(describe(finding))
    broken = [finding.name for finding in findings if finding.needed and finding.version is None]
    print(
        f"\nThe engine cannot work without: {', '.join(broken)}."
        if broken
        else "\nThe engine works. What is missing is optional."
    )
    return 1 if broken else 0


def describe(finding: Finding) -> str:
    """Return the line of one finding."""
    if finding.version is not None:
        return f"  found    {finding.name:<12} {finding.version}"
    return f"  missing  {finding.name:<12} {finding.cost}"


def examine() -> Iterator[Finding]:
    """Examine everything, the engine's own dependencies first."""
    yield Finding("python", f"{platform.python_version()} on {platform.system()}", needed=True)
    yield Finding("minipaddle", distribution("minipaddle") or "a checkout, not installed")
    yield Finding("numpy", distribution("numpy"), pip_install("numpy>=2.0"), needed=True)
    yield Finding("viz", our_viz(), "another module named viz hides ours: rename or uninstall it")
    for name, cost in {
        "matplotlib": "no .png and .pdf pictures; .svg, .html and .txt work",
        "graphviz": "no DOT objects and .dot files; the built-in layout does not need it",
        "tqdm": "no progress bars",
        "ipywidgets": "no player in notebooks; the .html export works",
        "anywidget": "no player in notebooks; the .html export works",
        "jupyterlab": f"no `minipaddle lessons`; {pip_install(EXTRAS['lab'])}",
    }.items():
        yield Finding(name, distribution(name), cost)
    dot = 'engine="dot" of trace.save needs Graphviz; the built-in layout does not'
    yield Finding("dot", program(("dot",), "-V"), dot)
    yield Finding("chromium", program(BROWSERS, "--version"), "browser tests are skipped")
    yield Finding("playwright", distribution("playwright"), "browser tests are skipped")
    ranks = f"no `launch`, no paddle.distributed; {for_many_ranks()}"
    yield Finding("mpi4py", distribution("mpi4py"), ranks)
    yield Finding("mpiexec", mpiexec(), ranks)
    yield Finding("cupy", cupy(), f"everything runs on the CPU; {for_a_gpu()}")


def distribution(name: str) -> str | None:
    """Return the version of an installed Python package, without importing it."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def program(names: tuple[str, ...], option: str) -> str | None:
    """Return the version line of the first of these programs on the PATH."""
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None or os.name == "nt":  # on Windows a browser would open a window
        return path
    try:
        answer = subprocess.run(
            [path, option], capture_output=True, text=True, timeout=20, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        return f"{path}, which does not answer ({type(error).__name__})"
    return (answer.stdout or answer.stderr).strip().splitlines()[0]


def mpiexec() -> str | None:
    """Return the version of mpiexec, which may be beside Python and not on the PATH."""
    path = launch_job.path()
    return path and (launch_job.version(path).strip().splitlines() or [path])[0]


def our_viz() -> str | None:
    """Return the folder of viz if it belongs to this minipaddle, else None."""
    ours = Path(__file__).resolve().parents[2] / "viz"
    spec = importlib.util.find_spec("viz")
    origin = Path(spec.origin).resolve() if spec and spec.origin else None
    return str(ours) if origin == ours / "__init__.py" else None


def cupy() -> str | None:
    """Return CuPy's version and number of devices, or its error; None if CuPy is missing."""
    version = next(filter(None, map(distribution, CUPY)), None)
    if version is None:
        return None
    count: Callable[[], int] = importlib.import_module("cupy").cuda.runtime.getDeviceCount
    try:
        devices = count()
    except Exception as error:  # noqa: BLE001  (each CUDA library has error types of its own)
        return f"{version}, but no usable device, so all runs on the CPU ({error})"
    return f"{version} with {devices} device{'s' * (devices != 1)}"
