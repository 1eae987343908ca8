"""Where tests are required, what they need may not be missing."""

from __future__ import annotations

import pytest

from . import conftest


@pytest.fixture
def config(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> pytest.Config:
    monkeypatch.setattr(conftest, "PLAYER_MODULES", ("pytest", "no_such_module"))
    monkeypatch.setattr(conftest, "PLAYER_PROGRAMS", ("no_such_program",))
    monkeypatch.setattr(request.config.option, "require_browser", False)
    return request.config


def test_what_is_missing_ends_a_run_that_requires_the_browser(
    config: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config.option, "require_browser", True)
    with pytest.raises(pytest.UsageError) as error:
        conftest.pytest_configure(config)
    assert (
        str(error.value) == "--require-browser, but not installed: no_such_module, no_such_program"
    )


def test_without_the_option_it_is_skipped(config: pytest.Config) -> None:
    conftest.pytest_configure(config)
