"""A page that shows a payload from a file, without a network, and records every error.

A new browser window costs four times as much as its page. So tests share one window of each kind,
and load each page into it.

Every test of this folder has the marker `browser`, and `slow` unless it is in `test_player.py`.
Without Playwright there are none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from viz.player.page import to_html

from ..conftest import missing
from ..patience import PATIENCE

pytest.register_assert_rewrite("tests.browser.built_site", "tests.browser.checks")
collect_ignore_glob = [] if find_spec("playwright") else ["test_*.py"]

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Show = Callable[..., "Page"]
Axe = Callable[["Page"], list[Any]]
AXE = Path("node_modules/axe-core/axe.min.js")  # a development tool of package.json
VIEWPORT = {"width": 1280, "height": 720}
MEDIA = {"color_scheme": "light", "reduced_motion": "no-preference"}
OF_PAGES = ("lang", "theme", "step")
_WATCH = """window.violations = [];
document.addEventListener('securitypolicyviolation',
  (event) => violations.push(event.blockedURI));"""
_LEAVE = """() => {
  try { localStorage.clear(); } catch { /* a page without storage */ }
  return window.violations;
}"""

_RUN = """() => axe.run(document, { resultTypes: ['violations'], preload: false })
  .then(({ violations }) => violations.flatMap(({ id, impact, nodes }) =>
    nodes.map((node) => [impact, id, node.target.join(' ')])))"""


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker("browser")
    if item.path.name != "test_player.py":
        item.add_marker("slow")


class Window:
    """A browser window that records the errors of its pages."""

    def __init__(self, browser: Browser, **context: Any) -> None:
        self.context = browser.new_context(viewport=VIEWPORT, **context)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.address = ""
        self.page.set_default_timeout(PATIENCE * 1000)
        self.page.add_init_script(_WATCH)
        self.page.route("**/*", self._only_the_page)
        told = {"pageerror": "error", "console": "console", "dialog": "dialog", "crash": "crash"}
        for event, name in told.items():
            self.page.on(event, lambda about, name=name: self._complain(name, about))

    def show(self, file: Path, viewport: dict[str, int] = VIEWPORT, **media: str) -> Page:
        """Load a file whose name was not shown before."""
        self._leave()
        if self.page.viewport_size != viewport:
            self.page.set_viewport_size(viewport)  # type: ignore[arg-type]
        self.page.emulate_media(**{**MEDIA, **media})  # type: ignore[arg-type]
        self.address = file.as_uri()
        self.page.mouse.move(0, 0)
        self.page.goto(self.address)
        self.page.locator(".mp-player").wait_for()
        return self.page

    def close_page(self) -> list[str]:
        """Return the errors since the last call."""
        self._leave()
        self.address = ""
        complaints, self.complaints = self.complaints, []
        return complaints

    def _leave(self) -> None:
        if self.address:
            self.complaints += self.page.evaluate(_LEAVE)

    def _only_the_page(self, route: Any) -> None:
        if route.request.url == self.address:
            route.continue_()
        else:
            self.complaints.append(f"request: {route.request.url}")
            route.abort()

    def _complain(self, name: str, about: Any) -> None:
        text = about.message if name == "dialog" else getattr(about, "text", about)
        self.complaints.append(f"{name}: {text}")


@pytest.fixture(scope="session")
def windows(chromium: Browser) -> Iterator[dict[str, Window]]:
    """Yield the open windows by kind."""
    opened: dict[str, Window] = {}
    yield opened
    for window in opened.values():
        window.context.close()


@pytest.fixture
def show(chromium: Browser, windows: dict[str, Window], tmp_path: Path) -> Iterator[Show]:
    """`show(payload)` opens the exported page, `show(html=...)` a saved one, which must have no
    errors at the end. The next page replaces it."""
    used: dict[str, Window] = {}
    count = 0

    def start(
        payload: dict[str, Any] | None = None,
        *,
        html: str = "",
        edit: Callable[[str], str] = str,
        locale: str = "en-US",
        has_touch: bool = False,
        **given: Any,
    ) -> Page:
        nonlocal count
        count += 1
        options = {key: given.pop(key) for key in OF_PAGES if key in given}
        file = tmp_path / f"player{count}.html"
        file.write_text(edit(html or to_html(payload or {}, **options)), encoding="utf-8")
        kind = f"{locale}, {has_touch=}"
        if kind not in windows:
            windows[kind] = Window(chromium, locale=locale, has_touch=has_touch)
        used[kind] = windows[kind]
        return windows[kind].show(file, **given)

    yield start
    complaints = []
    for kind, window in used.items():
        try:
            complaints += window.close_page()
        except Exception:
            del windows[kind]
            raise
    assert complaints == []


@pytest.fixture(scope="session")
def axe(request: pytest.FixtureRequest) -> Axe:
    """`axe(page)` lists the violations that axe-core finds in the present state of a page."""
    file = request.config.rootpath / AXE
    if not file.exists():
        missing(request.config, "axe-core is not installed (npm install)")
    text = file.read_text(encoding="utf-8")

    def run(page: Page) -> list[Any]:
        if page.evaluate("!window.axe"):
            page.evaluate(text)
        found: list[Any] = page.evaluate(_RUN)
        return found

    return run
