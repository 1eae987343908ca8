"""The playground: programs run in the browser, beside their player, with the network cut."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import viz

from ..processes import python
from .built_site import ROOT, build, serving, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ENDED = "body[data-state=done], body[data-state=error]"
ENDLESS = "import paddle\nn = 0\nwhile True:\n    print(n)\n    n += 1\n"
WRONG = """import paddle

def product(a):
    return paddle.matmul(a, a)

product(paddle.ones([2, 3]))
"""


@pytest.fixture(scope="module")
def address(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Address of the built playground."""
    with serving(build(request.config, tmp_path_factory, "play")) as site:
        yield f"{site}play/"


def opened(page: Page, link: str) -> Page:
    page.goto(link)
    page.locator("body[data-state=ready]").wait_for()
    return page


def link_to(address: str, code: str) -> str:
    """Return the link that holds a program, as the button Share makes it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(code.encode()) + packer.flush()
    return f"{address}#code={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def run(page: Page) -> str:
    """Run the program in the editor; return its output."""
    press(page, "Run")
    page.locator(ENDED).wait_for()
    return page.locator("#output").inner_text()


def test_examples_run_as_in_python_and_their_players_step(
    chromium: Browser, address: str, tmp_path: Path
) -> None:
    with visiting(chromium, address.removesuffix("play/")) as page:
        player = page.frame_locator("#player").locator(".mp-player")
        for example in ("cus_tanh", "py_func_add", "py_func_net"):
            if page.url == "about:blank":
                opened(page, f"{address}#example={example}")
            else:
                page.locator("#examples").select_option(example)
            output = run(page)
            assert page.locator("body").get_attribute("data-state") == "done", output
            program = ROOT / f"lessons/demo/{example}.py"
            saved = tmp_path / f"{example}.json"
            told = python("-m", "minipaddle", "run", "--trace", str(saved), str(program)).stdout
            if example == "cus_tanh":  # the others draw their numbers anew
                assert told.startswith(output)
            steps = len(viz.load(saved))
            expect(player.locator(".mp-count")).to_have_text(f"1 / {steps}")
            player.press("ArrowRight")
            expect(player.locator(".mp-count")).to_have_text(f"2 / {steps}")


def test_a_link_runs_only_when_run_is_pressed_and_stop_ends_an_endless_loop(
    chromium: Browser, address: str
) -> None:
    with visiting(chromium, address.removesuffix("play/")) as page:
        opened(page, link_to(address, ENDLESS))
        assert page.locator("#output").inner_text() == ""
        press(page, "Run")
        page.locator("body[data-state=running]").wait_for()
        page.locator("#output > span").first.wait_for()
        press(page, "Stop")
        page.locator("body[data-state=stopped]").wait_for(timeout=10_000)
        page.goto(link_to(address, "print(6 * 7)"))
        assert run(page) == "42\n"
        assert page.locator("#player").is_hidden()  # there is nothing to step through


def test_an_error_names_the_line_and_has_its_picture_and_a_visit_works_offline(
    chromium: Browser, address: str
) -> None:
    with visiting(chromium, address.removesuffix("play/")) as page:
        opened(page, link_to(address, WRONG))
        output = run(page)
        assert page.locator("body").get_attribute("data-state") == "error"
        assert "line 4, in product" in output
        assert "engine" not in output.replace("minipaddle.engine.errors", "")
        assert page.locator(".wrong").inner_text() == "    return paddle.matmul(a, a)"
        assert page.frame_locator("#player").get_by_text("error", exact=False).count()
        page.context.set_offline(True)
        page.reload()
        page.locator("body[data-state=ready]").wait_for()
        assert run(page) == output


def test_the_editor_completes_names_of_modules(chromium: Browser, address: str) -> None:
    with visiting(chromium, address.removesuffix("play/")) as page:
        page.goto(link_to(address, "from paddle import nn\nx = "))
        page.locator(".cm-content").click()
        page.keyboard.press("Control+End")
        page.keyboard.type("nn.functional.log_soft")
        page.get_by_role("option", name="log_softmax").first.wait_for()
