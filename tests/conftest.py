"""What every test stands on: one thread of arithmetic, sealed global state, one Chromium."""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"  # read when NumPy is first imported, so before all else
os.environ["MINIPADDLE_PROGRESS"] = ""  # nothing is noted of what tests do

import asyncio
import gc
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import hypothesis
import pytest

from minipaddle import random, static
from minipaddle.distributed import launch_mpiexec
from minipaddle.engine import dtypes, modes, naming
from minipaddle.engine.errors import NotFound

from .device.worlds import devices_of, running_on
from .patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

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
        "--device",
        choices=("both", "host", "strict", "gpu"),
        default="both",
        help="where the engine's tests run: on NumPy, on the strict stand-in for CuPy, on a GPU; "
        "both (the default) is the first two, with the long tests on NumPy alone",
    )
    parser.addoption(
        "--fuzz-minutes",
        type=float,
        default=0.0,
        help="how long the tests in tests/fuzz draw programs, in minutes of the processor for all "
        "of them; 0 (the default): a few programs",
    )
    parser.addoption("--fuzz-seed", type=int, default=1107, help="which programs those are (1107)")


class Needed(NamedTuple):
    modules: tuple[str, ...]
    programs: tuple[str, ...]


# By option. Who skips for want of these cannot ask for it: whole files, and helpers of tests.
NEEDED = {
    "--require-browser": Needed(("playwright", "jupyterlab"), ("node",)),
    "--require-extras": Needed(("anywidget", "jedi", "jupytext", "nbclient", "nbformat"), ("dot",)),
}


def pytest_configure(config: pytest.Config) -> None:
    """What would skip tests ends the run where they are required."""
    for option, (modules, programs) in NEEDED.items():
        lacking = [name for name in modules if importlib.util.find_spec(name) is None]
        lacking += [name for name in programs if shutil.which(name) is None]
        if lacking and config.getoption(option):
            raise pytest.UsageError(f"{option}, but not installed: {', '.join(lacking)}")


# ----- Global state ------------------------------------------------------------------------------


def leaks() -> list[str]:
    """What is not as at the start of a process."""
    here = modes.here()
    state = {
        "gradients are switched off": not modes.grad_enabled.get(),
        "static mode is on": here.builder is not None,
        f"{len(here.listeners)} event listeners are left": here.listeners,
        "NaN checks are on": here.check_nan,
        "the default dtype is another one": dtypes.get_default().name != "float32",
        "the gate of ops is open": gate_is_open(),
    }
    return [text for text, leaked in state.items() if leaked]


def gate_is_open() -> bool:
    """Whether some context or thread that is still there records, builds or checks."""
    if not modes.gate_open or modes.here() is not modes.PLAIN:
        return False
    gc.collect()
    modes.change()  # asks again who is there
    return modes.gate_open


def start_afresh() -> None:
    """Put the state back as it is at the start of a process, with a known seed."""
    modes.grad_enabled.set(True)
    modes.change(builder=None, listeners=(), check_nan=False)
    dtypes.set_default("float32")
    naming.reset()
    static.reset_default_programs()
    static.reset_global_scope()
    random.seed(0)


@pytest.fixture(autouse=True)
def seal() -> Iterator[None]:
    """No test sees what another one left behind, and the one that leaves something fails."""
    start_afresh()
    program = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = program  # IPython puts a module of its own there, and leaves it
    left = leaks()
    start_afresh()
    assert not left, f"the test left behind: {', '.join(left)}"


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
            launch_mpiexec.find()
        except NotFound as error:
            missing(item.config, str(error), "--require-extras")


@pytest.fixture
def with_ranks() -> Callable[..., str]:
    """Runs Python on so many ranks, the first of which has the others as a pool; what it prints."""

    def run(ranks: int, *arguments: str) -> str:
        program = [sys.executable, "-m", "mpi4py.futures", *arguments]
        done = subprocess.run(
            launch_mpiexec.find().command(ranks, [], program),
            env=launch_mpiexec.environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


# ----- Devices -----------------------------------------------------------------------------------


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests of the engine run once on each device, unless they are about the host."""
    path = metafunc.definition.path.relative_to(Path(__file__).parent).as_posix()
    devices = devices_of(path, metafunc.config.getoption("--device"))
    if devices != ["host"] and metafunc.definition.get_closest_marker("host") is None:
        metafunc.parametrize("on_device", devices, indirect=True)


@pytest.fixture(autouse=True)
def on_device(request: pytest.FixtureRequest, seal: None) -> Iterator[None]:
    """New tensors are made on the device that the test is run for."""
    with running_on(getattr(request, "param", "host")):
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
