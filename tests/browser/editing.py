"""Small recordings for edits on the page, and functions that make the edits."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

import minipaddle as paddle
import viz
from viz.player.book import book_of

from .checks import player, through

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Json = dict[str, Any]
W = [[0.5, -0.2], [0.1, 0.7]]
ROUNDS = 6
_NUMBERS = """() => Object.fromEntries(
  [...document.querySelectorAll('.mp-value')].map((value) => [value.dataset.name,
    [...value.querySelectorAll('.mp-cell')].map((cell) => Number(cell.dataset.number))]))"""
_TOLD = """() => ['.mp-sentence', '.mp-inspector', '.mp-rounds', '.mp-statistics']
  .map((part) => document.querySelector(part)?.innerText)"""

# ----- recordings --------------------------------------------------------------------------------


def layer(w: Any) -> Any:
    """Run a layer, its loss, and backward."""
    x = paddle.to_tensor([[1.0, -0.5], [0.3, 0.8]])
    w = paddle.to_tensor(w, stop_gradient=False)
    t = paddle.to_tensor([[1.0, 0.0], [0.0, 1.0]])
    y = paddle.tanh(x @ w)
    loss = ((y - t) ** 2).mean()
    loss.backward()
    return {"y": y, "loss": loss, "w.grad": w.grad}


def book() -> Json:
    """Return the page of the recorded layer."""
    shown: Json = json.loads(_layer())
    return shown


@cache
def _layer() -> str:
    with viz.record() as trace:
        layer(W)
    return json.dumps(book_of(trace))


def trained(rate: float) -> tuple[list[float], paddle.nn.Linear]:
    """Run a small training; return its losses and its layer."""
    paddle.seed(1)
    x, t = paddle.randn([4, 3]), paddle.randn([4, 2])
    linear = paddle.nn.Linear(3, 2)
    sgd = paddle.optimizer.SGD(rate, parameters=linear.parameters())
    losses = []
    for _ in range(ROUNDS):
        loss = ((paddle.tanh(linear(x)) - t) ** 2).mean()
        loss.backward()
        sgd.step()
        sgd.clear_grad()
        losses.append(loss.item())
    return losses, linear


def rounds() -> Json:
    """Return the page of the recorded training."""
    shown: Json = json.loads(_training())
    return shown


@cache
def _training() -> str:
    with viz.record() as trace:
        trained(0.3)
    return json.dumps(book_of(trace))


# ----- hands and eyes ----------------------------------------------------------------------------


def value(page: Page, name: str) -> Locator:
    """Return the card of a value of the step, not of the selected box."""
    return page.locator(f".mp-cards:not(.mp-selection *) .mp-value[data-name='{name}']").first


def cell(page: Page, name: str, index: str) -> Locator:
    """Return the cell of one number of a value."""
    return value(page, name).locator(f".mp-cell[data-index='{index}']")


def field(page: Page) -> Locator:
    """Return the input field for a number."""
    return page.locator(".mp-edit")


def changed(page: Page, count: int) -> None:
    """Wait until `count` numbers are changed and their consequences are shown."""
    expect(player(page)).to_have_attribute("data-changed", str(count))
    expect(player(page)).to_have_attribute("aria-busy", "false")


def put(page: Page, name: str, index: str, number: str, count: int = 1) -> None:
    """Type a new number into a cell, so that `count` numbers are changed."""
    cell(page, name, index).dblclick()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type(number)
    page.keyboard.press("Enter")
    changed(page, count)


def reset(page: Page) -> None:
    """Revert all changes, and leave the chosen number."""
    page.keyboard.press("r")
    changed(page, 0)
    page.keyboard.press("Escape")  # leave the nudge
    page.keyboard.press("Escape")  # leave the chosen number


def gathered(page: Page) -> dict[str, list[float]]:
    """Return the last numbers of each name over all steps."""
    return {name: row for step in through(page, _NUMBERS) for name, row in step.items()}


def told(page: Page) -> list[Any]:
    """Return the texts of the page about numbers, step by step."""
    return through(page, _TOLD)
