"""The site's own pages: players that live, search, links, phones, both languages.

They are built once, with one lesson, and served here; any request to another host fails the test.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import expect

from ..processes import python
from ..test_public_face import PUBLIC
from .built_site import made_once, need, serving, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Open = Callable[..., "Page"]
ROOT = Path(__file__).resolve().parents[2]
BUILD = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import pages
pages.build(Path(sys.argv[2]), None, "", lessons=1)
"""
LESSON = "lessons/01_one_tanh.html"
PHONE = {"width": 390, "height": 844}
OTHER_PARTS = ("play", "lab")  # built by other modules
HAN = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the built pages."""
    need(request.config, "sphinx", "furo", "myst_nb", "nbclient", "ipykernel", "jupytext")
    return made_once(tmp_path_factory, "pages", build)


def build(folder: Path) -> None:
    done = python("-c", BUILD, str(ROOT / "site"), str(folder))
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with serving(site) as address:
        yield address


@pytest.fixture
def visit(chromium: Browser, address: str) -> Iterator[Open]:
    """`visit(path)` opens a page, which must cause no error and no request to another host."""
    with ExitStack() as opened:

        def start(path: str, **options: object) -> Page:
            options = {"locale": "en-US", "color_scheme": "light", **options}
            page = opened.enter_context(visiting(chromium, address, **options))
            page.goto(address + path)
            return page

        yield start


def step_once(page: Page) -> None:
    """Check that the first player of the page goes to its next step."""
    page.locator("iframe.player").first.scroll_into_view_if_needed()
    player = page.frame_locator("iframe.player").first.locator(".mp-player")
    start = int(player.get_attribute("data-step") or "")
    player.locator("[data-action=next]").click()
    expect(player).to_have_attribute("data-step", str(start + 1))


def test_the_first_page_has_a_player_that_steps(visit: Open) -> None:
    page = visit("index.html")
    step_once(page)
    player = page.frame_locator("iframe.player").locator(".mp-player")
    expect(player).to_have_attribute("data-theme", "light")
    expect(player).to_contain_text("Forward")
    page.locator(".theme-toggle-content button").click()  # from the system's theme to another
    expect(player).to_have_attribute("data-theme", "dark")
    assert page.locator('a[href="play/"], a[href="lab/"]').count() >= 4


def test_a_chinese_page_has_a_chinese_player_and_leads_to_the_english_one(visit: Open) -> None:
    page = visit("zh/index.html", viewport=PHONE)
    step_once(page)
    player = page.frame_locator("iframe.player").locator(".mp-player")
    expect(player).to_contain_text("前向")
    page.locator(".site-bar .language").click()
    expect(page.locator("h1")).to_contain_text("Paddle code")
    page.locator(".site-bar .language").click()
    expect(page.locator("h1")).to_contain_text("看得见")


def test_the_gallery_opens_players_where_they_are_asked_for(visit: Open) -> None:
    page = visit("zh/docs/gallery/faults.html")
    assert [frame.url for frame in page.frames if "/players/" in frame.url] == []
    page.locator("details.player summary").first.click()
    player = page.frame_locator("details.player iframe").first.locator(".mp-player")
    expect(player).to_have_attribute("data-step", "9")  # the problem's step
    for text in page.locator("article p, article h2").all_inner_texts():
        assert HAN.search(text) or not text.strip(), text


def test_a_lesson_has_its_players_and_solutions(visit: Open) -> None:
    page = visit(LESSON)
    step_once(page)
    solution = page.locator("details.hide").first
    assert "return dy * 2 * x" not in page.locator("article").inner_text()
    solution.locator("summary").click()
    expect(solution).to_contain_text("return dy * 2 * x")
    page.locator("details.answer summary").first.click()
    expect(page.locator("details.answer").first).to_contain_text("that of mean")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("search.html?q=PyLayer", "paddle.autograd.PyLayer"),
        ("zh/search.html?q=反向传播", "课程"),
        ("zh/search.html?q=PyLayer", "PyLayer"),
    ],
)
def test_search_finds_names_and_words(visit: Open, query: str, found: str) -> None:
    page = visit(query)
    expect(page.locator("#search-results li a", has_text=found).first).to_be_visible()


@pytest.mark.parametrize(
    "path",
    ["index.html", LESSON, "api/paddle.nn.html", "docs/contract.html", "zh/docs/notebooks.html"],
)
def test_no_page_is_wider_than_a_phone(visit: Open, path: str) -> None:
    page = visit(path, viewport=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


# ----- files -------------------------------------------------------------------------------------


class Links(HTMLParser):
    """The links and ids of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value and tag != "use":
                self.links.append(value)
            if name in ("id", "name") and value:
                self.ids.add(value)


def test_no_internal_link_is_broken(site: Path) -> None:
    pages = {
        path: Links(path.read_text(encoding="utf-8"))
        for path in site.rglob("*.html")
        if path.parent.name != "players"
    }
    assert len(pages) > 100
    broken = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                assert parts.scheme in ("https", "data"), link
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if any(target.is_relative_to(site / other) for other in OTHER_PARTS):
                continue
            ids = {"", *pages[target].ids} if target in pages else {unquote(parts.fragment)}
            if not target.is_file() or unquote(parts.fragment) not in ids:
                broken.append(f"{path.relative_to(site)}: {link}")
    assert broken == []


def test_the_reference_has_every_public_name(site: Path) -> None:
    ids = {i for path in (site / "api").glob("*.html") for i in Links(path.read_text("utf-8")).ids}
    assert [name for name in PUBLIC if name not in ids] == []


def test_nothing_is_loaded_from_another_host(site: Path) -> None:
    loads = re.compile(r'<(?:script|link|img|iframe)\b[^>]*(?:src|href)="(?:https?:)?//[^"]*"')
    for path in site.rglob("*.html"):
        assert not loads.search(path.read_text(encoding="utf-8")), path
