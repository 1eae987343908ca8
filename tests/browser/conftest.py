"""A page that shows a payload, from a file, with the network cut and every complaint kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from viz.player.page import to_html

from ..patience import PATIENCE

pytest.register_assert_rewrite("tests.browser.checks")

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Show = Callable[..., "Page"]
_WATCH = """window.violations = [];
document.addEventListener('securitypolicyviolation',
  (event) => violations.push(event.blockedURI));"""


@pytest.fixture
def show(chromium: Browser, tmp_path: Path) -> Iterator[Show]:
    """`show(payload)` opens the exported page; at the end nothing may have gone wrong in it."""
    complaints: list[str] = []
    contexts = []

    def start(payload: dict[str, Any], *, edit: Callable[[str], str] = str, **context: Any) -> Page:
        options = {key: context.pop(key) for key in ("lang", "theme", "step") if key in context}
        file = tmp_path / "player.html"
        file.write_text(edit(to_html(payload, **options)), encoding="utf-8")
        contexts.append(chromium.new_context(**{"locale": "en-US", **context}))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.add_init_script(_WATCH)
        page.route("**/*", lambda route: _only(file.as_uri(), route, complaints))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("console", lambda message: complaints.append(f"console: {message.text}"))
        page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
        page.goto(file.as_uri())
        page.locator(".mp-player").wait_for()
        return page

    yield start
    for context in contexts:
        for page in context.pages:
            complaints += page.evaluate("violations")
        context.close()
    assert complaints == []


def _only(allowed: str, route: Any, complaints: list[str]) -> None:
    if route.request.url == allowed:
        route.continue_()
    else:
        complaints.append(f"request: {route.request.url}")
        route.abort()
