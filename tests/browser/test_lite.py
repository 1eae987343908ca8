"""The course in JupyterLite: a learner takes lesson 1, with no network beyond the site."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from ..lessons.answers import source
from .built_site import build, serving, visiting

LESSON = "lab/notebooks/index.html?path=01_one_tanh.ipynb"
ACTIVE = ".jp-Cell.jp-mod-active"
STORED = """async (path) => {
  const opened = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  for (const { name } of await indexedDB.databases()) {
    const database = await opened(indexedDB.open(name));
    if (!database.objectStoreNames.contains('files')) continue;
    const files = database.transaction('files').objectStore('files');
    return (await opened(files.get(path)))?.content;
  }
}"""


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a site with the course."""
    with serving(build(request.config, tmp_path_factory, "lab", "jupyterlite_core")) as address:
        yield address


def idle(page: Page) -> None:
    """Wait until the kernel has run every cell."""
    page.wait_for_function(
        "![...document.querySelectorAll('.jp-InputPrompt')].some((e) => e.textContent[1] === '*')"
    )
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for()


def run_up_to(page: Page, code: str) -> None:
    """Run cells until the active one is a cell with this code."""
    for _ in range(20):
        if code in page.locator(f"{ACTIVE} .jp-InputArea-editor").inner_text():
            return
        page.keyboard.press("Shift+Enter")
        idle(page)
    raise AssertionError(f"there is no cell with {code}")


def leave_output(page: Page) -> None:
    """Give the keys to the notebook again, with the same cell active."""
    page.locator(f"{ACTIVE} .cm-content").click()
    page.keyboard.press("Escape")


def write(page: Page, code: str) -> None:
    """Replace the code of the active cell, and run it."""
    for key in ("Enter", "ControlOrMeta+a"):
        page.keyboard.press(key)
    page.keyboard.insert_text(code)
    page.keyboard.press("Shift+Enter")
    idle(page)


def test_a_learner_takes_lesson_1(chromium: Browser, site: str) -> None:
    missing = "404 (File not found)"  # JupyterLite asks for files that need not be there
    with visiting(chromium, site, missing, locale="en-US") as page:
        take_lesson_1(page, site)


def take_lesson_1(page: Page, site: str) -> None:
    page.goto(f"{site}lab/")
    page.wait_for_url("**/index.html?path=00_start.ipynb")
    page.goto(site + LESSON)
    page.locator(".jp-Notebook .jp-Cell").first.click()
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for()
    active = page.locator(ACTIVE)

    # A prediction is locked, and the player steps.
    run_up_to(page, "lesson.first_back.ask()")
    page.keyboard.press("ControlOrMeta+Enter")
    active.get_by_text("that of mean").click()
    active.get_by_role("button", name="Lock my answer").click()
    expect(active).to_contain_text("first_back: locked")
    leave_output(page)
    run_up_to(page, "viz.record()")
    page.keyboard.press("ControlOrMeta+Enter")
    active.locator(".mp-player [data-action=next]").click()
    expect(active.locator(".mp-player")).to_have_attribute("data-step", "1")

    # A wrong answer gets the hint for its mistake, and a right one passes.
    leave_output(page)
    run_up_to(page, "class square(PyLayer)")
    write(page, source("(x,) = ctx.saved_tensor(); return dy * x"))
    page.keyboard.press("ControlOrMeta+Enter")
    expect(active).to_contain_text("square: wrong")
    expect(active).to_contain_text("Every number is half of what it should be.")
    active.get_by_role("button", name="Hint 1").click()
    expect(active).to_contain_text("Think of one element")
    leave_output(page)
    page.keyboard.press("ArrowUp")
    write(page, source("(x,) = ctx.saved_tensor(); return dy * 2 * x"))
    page.keyboard.press("ControlOrMeta+Enter")
    expect(active).to_contain_text("square: right")

    # A mode lasts from one cell to the next.
    leave_output(page)
    page.keyboard.press("ArrowUp")
    write(page, "paddle.enable_static()")
    write(page, "print('dynamic:', paddle.in_dynamic_mode())")
    page.keyboard.press("ArrowUp")
    expect(active).to_contain_text("dynamic: False")

    # Progress lies in the browser's storage, which outlives the page.
    page.reload()
    stored = page.evaluate(STORED, "progress.jsonl")
    assert re.findall(r'"what": "(\w+)', stored) == ["that", "wrong", "1", "right"]
