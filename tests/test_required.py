"""Where tests are required, what they need may not be missing."""

import re
from pathlib import Path

import pytest

from . import conftest

HERE = Path(__file__).parent
# What CI does not install: a GPU's library, and parts of Python that Windows has not.
ELSEWHERE = {"cupy", "pty", "resource"}
SKIPS = re.compile(r"importorskip\(\s*\"([\w.]+)\"(, reason=\")?|\bwhich\(\"(\w+)\"\)")


@pytest.fixture(params=conftest.NEEDED)
def option(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """One of the options, for which something is missing."""
    name: str = request.param
    needed = conftest.Needed(("pytest", "no_such_module"), ("no_such_program",), ("only_with_all",))
    monkeypatch.setattr(conftest, "NEEDED", {name: needed})
    monkeypatch.setattr(request.config.option, name.strip("-").replace("-", "_"), False)
    monkeypatch.setattr(request.config.option, "all", False)
    return name


def test_what_is_missing_ends_a_run_that_requires_it(
    option: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request.config.option, option.strip("-").replace("-", "_"), True)
    with pytest.raises(pytest.UsageError) as error:
        conftest.pytest_configure(request.config)
    assert str(error.value) == f"{option}, but not installed: no_such_module, no_such_program"
    monkeypatch.setattr(request.config.option, "all", True)
    with pytest.raises(pytest.UsageError, match="no_such_module, only_with_all, no_such_program"):
        conftest.pytest_configure(request.config)


def test_a_run_on_a_gpu_needs_one(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request.config.option, "device", "gpu")
    monkeypatch.setattr(conftest, "device_count", lambda: 0)
    with pytest.raises(pytest.UsageError, match="finds no usable CUDA device"):
        conftest.pytest_configure(request.config)
    monkeypatch.setattr(conftest, "device_count", lambda: 1)
    conftest.pytest_configure(request.config)


def test_a_run_without_the_option_goes_on(option: str, request: pytest.FixtureRequest) -> None:
    conftest.pytest_configure(request.config)


def test_all_that_ci_installs_is_required_there_and_each_skip_says_why() -> None:
    needed = {name for group in conftest.NEEDED.values() for names in group for name in names}
    ci = (HERE.parent / ".ci" / "run").read_text(encoding="utf-8")
    assert all(option in ci for option in conftest.NEEDED)
    found: set[str] = set()
    for path in HERE.rglob("*.py"):
        for module, reason, program in SKIPS.findall(path.read_text(encoding="utf-8")):
            found.add(program or module.partition(".")[0])
            assert program or reason, f"{path.name}: importorskip({module!r}) gives no reason"
    assert found >= {"playwright", "nbclient", "dot"}
    assert found <= needed | ELSEWHERE
