"""Set up every test run: tiers, one thread of arithmetic, sealed state, devices, one Chromium."""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"  # read when NumPy is first imported, so before all else
os.environ["MINIPADDLE_PROGRESS"] = ""  # nothing is noted of what tests do

import asyncio
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import hypothesis
import pytest

from minipaddle.device import device_count
from minipaddle.distributed import launch_job
from minipaddle.engine.errors import NotFound

from .device.worlds import TESTED_ON_REQUEST, TESTED_STRICTLY, running_on
from .patience import PATIENCE
from .sealing import sealed

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HERE = Path(__file__).parent
SLOW_MARKERS = ("slow", "ranks", "gpu")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER_OPTIONS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage"),
    *("--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]

# The same examples at each run; a slow machine is no failure.
UNHURRIED = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
hypothesis.settings.register_profile("minipaddle", derandomize=True, database=None, **UNHURRIED)
hypothesis.settings.load_profile("minipaddle")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--require-browser",
        action="store_true",
        help="the player's tests fail, not skip, where Chromium, Playwright, JupyterLab, Node.js "
        "or axe-core is missing",
    )
    parser.addoption(
        "--require-documents",
        action="store_true",
        help="the tests of Paddle's documents fail, not skip, where MINIPADDLE_DOCUMENTS names no "
        "folder",
    )
    parser.addoption(
        "--require-extras",
        action="store_true",
        help="the tests of films, of NetworkX, of Graphviz's layouts, of notebooks, of editors and "
        "of several ranks fail, not skip, where what they need is not installed, a font with "
        "Chinese letters too",
    )
    parser.addoption(
        "--require-wasm",
        action="store_true",
        help="the tests in WebAssembly fail, not skip, where Node.js is missing or "
        "MINIPADDLE_PYODIDE names no folder",
    )
    parser.addoption(
        "--all",
        action="store_true",
        help="also the slow tests, every sample, and the engine's tests on the strict stand-in "
        "for CuPy; without it the quick tier runs, on NumPy",
    )
    parser.addoption(
        "--rest",
        action="store_true",
        help="with --all: leave out the tests that the quick tier runs in the same way, if all is "
        "installed that they need",
    )
    parser.addoption(
        "--case",
        metavar="TEXT",
        default="",
        help="of the tests that loop over cases, run the cases whose name contains TEXT",
    )
    parser.addoption(
        "--device",
        choices=("host", "strict", "gpu"),
        help="run all of the engine's tests on NumPy, on the strict stand-in for CuPy, or on a GPU",
    )
    parser.addoption(
        "--fuzz-minutes",
        type=float,
        help="how long the tests in tests/fuzz draw programs, in minutes of the processor for all "
        "of them (half of one with --all); 0: a few programs",
    )
    parser.addoption("--fuzz-seed", type=int, default=1107, help="which programs those are (1107)")


class Needed(NamedTuple):
    modules: tuple[str, ...]
    programs: tuple[str, ...]
    with_all: tuple[str, ...] = ()  # modules that only `--all` needs


# What an option insists on, beside the tests that ask for it by `missing`.
NEEDED = {
    "--require-browser": Needed(("playwright",), ("node",), ("jupyterlab",)),
    "--require-wasm": Needed((), ("node",)),
    "--require-extras": Needed(("jedi",), ("dot", "bwrap"), ("IPython", "ipykernel", "nbclient")),
}


def pytest_configure(config: pytest.Config) -> None:
    """End a run that requires what is not installed, or a GPU where there is none."""
    for option, needed in NEEDED.items():
        modules = needed.modules + (needed.with_all if config.getoption("--all") else ())
        lacking = [name for name in modules if importlib.util.find_spec(name) is None]
        lacking += [name for name in needed.programs if shutil.which(name) is None]
        if lacking and config.getoption(option):
            raise pytest.UsageError(f"{option}, but not installed: {', '.join(lacking)}")
    if config.getoption("--device") == "gpu" and not device_count():
        raise pytest.UsageError("--device gpu, but CuPy finds no usable CUDA device")


# ----- Tiers -------------------------------------------------------------------------------------


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """With `--all`, run one worker more than cores: kernels, ranks and browsers mostly wait."""
    return (os.cpu_count() or 1) + 1 if config.getoption("--all") else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the slow tests to `--all`, except those that the command names one by one; leave out
    those that the quick tier runs in the same way, with `--rest`."""
    left: list[pytest.Item] = []
    if config.getoption("--rest"):
        left = [item for item in items if is_run_alike(item)]
    elif not config.getoption("--all") and not any("::" in argument for argument in config.args):
        left = [item for item in items if is_slow(item)]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in set(left)]


def is_slow(item: pytest.Item) -> bool:
    return any(map(item.get_closest_marker, SLOW_MARKERS))


def is_run_alike(item: pytest.Item) -> bool:
    """Return whether `--all` runs a test as the quick tier does: on the host, the same cases."""
    loop = getattr(getattr(item, "function", None), "loop", None)
    some_cases = loop is not None and loop.quick is not None
    strictly = item.path.relative_to(HERE).as_posix().startswith(TESTED_STRICTLY)
    return not (is_slow(item) or some_cases or strictly)


# ----- Global state ------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def seal() -> Iterator[None]:
    """Start each test in a fresh state; fail a test that leaves another state behind."""
    with sealed():
        yield


@pytest.fixture(autouse=True)
def close_figures() -> Iterator[None]:
    """Close what a test has plotted: matplotlib warns of many open figures."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


@pytest.fixture(autouse=True)
def no_loop_of_the_browser(request: pytest.FixtureRequest) -> Iterator[None]:
    """Chromium's driver leaves its event loop running in this thread: others start their own."""
    if "chromium" in request.fixturenames:
        yield
        return
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(running)


# ----- What may be missing -----------------------------------------------------------------------


def missing(config: pytest.Config, reason: str, option: str = "--require-browser") -> NoReturn:
    """Skip for this reason, or fail where the option requires these tests."""
    stop = pytest.fail if config.getoption(option) else pytest.skip
    stop(reason)


# ----- Ranks -------------------------------------------------------------------------------------


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Tests of several ranks need MPI."""
    if item.get_closest_marker("ranks") is not None:
        try:
            launch_job.find()
        except NotFound as error:
            missing(item.config, str(error), "--require-extras")


@pytest.fixture
def with_ranks() -> Callable[..., str]:
    """Runs Python on so many ranks, the first of which has the others as a pool; what it prints."""

    def run(ranks: int, *arguments: str, pool: bool = True) -> str:
        program = [sys.executable, *(["-m", "mpi4py.futures"] if pool else []), *arguments]
        done = subprocess.run(
            [*launch_job.find(), "-n", str(ranks), *program],
            env=launch_job.environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


# ----- Devices -----------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def on_device(request: pytest.FixtureRequest, seal: None) -> Iterator[None]:
    """Create new tensors on the device that this run tests."""
    wanted = request.config.getoption("--device")
    node = request.node
    if wanted is None:  # the tests of the quick tier run on the host there, so strictly here
        slow = node.get_closest_marker("slow") is not None
        wanted = "strict" if request.config.getoption("--all") and not slow else "host"
        tested = TESTED_STRICTLY
    else:
        tested = TESTED_ON_REQUEST
    path = node.path.relative_to(HERE).as_posix()
    about_host = node.get_closest_marker("host") is not None
    with running_on(wanted if path.startswith(tested) and not about_host else "host"):
        yield


# ----- The browser -------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def chromium(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """The system's own Chromium; nothing is ever downloaded."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        missing(request.config, "Chromium is not installed")
    if importlib.util.find_spec("playwright") is None:
        missing(request.config, "Playwright for Python is not installed")
    from playwright.sync_api import expect, sync_playwright

    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE * 1000)
        browser = playwright.chromium.launch(
            executable_path=path, args=BROWSER_OPTIONS, timeout=PATIENCE * 1000
        )
        yield browser
        browser.close()
