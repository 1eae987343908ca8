"""README.zh.md is README.md in Chinese: the same blocks, commands, code, links and names."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.each import each

ROOT = Path(__file__).resolve().parents[1]
ENGLISH, CHINESE = (
    (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh.md")
)
HAN = re.compile(r"[\u4e00-\u9fff]")
# What may stand in a page: a block of code, a command, a row, an item, a heading, or prose.
BLOCK = re.compile(
    r"(?P<code>^```python\n[\s\S]*?^```$)|(?P<command>^ {4}.+$)|(?P<row>^\|.+$)|(?P<item>^- .+$)"
    r"|(?P<heading>^#+ .+$)|(?P<prose>^(?:.+\n)+)",
    re.MULTILINE,
)
COMMENT = re.compile(r" {2,}# .+$")
LINK = re.compile(r"\]\(([^)]+)\)")
NAME = re.compile(r"`[^`]+`")
OTHER = {"README.md", "README.zh.md"}  # each leads to the other


class Block(NamedTuple):
    """A piece of a page, without what is said in one language."""

    kind: str
    code: str
    links: list[str]
    names: list[str]


def blocks(page: str) -> list[Block]:
    """The pieces of a page, in their order."""
    return [block(match.lastgroup or "", match[0]) for match in BLOCK.finditer(page)]


def block(kind: str, text: str) -> Block:
    """What is the same in both languages."""
    if kind == "code":
        return Block(kind, without_comments(text.strip("`").removeprefix("python\n")), [], [])
    if kind == "command":
        return Block(kind, COMMENT.sub("", text), [], [])
    level = text[: text.index(" ")] if kind == "heading" else ""
    links = [target for target in LINK.findall(text) if target not in OTHER]
    return Block(kind, level, links, sorted(set(NAME.findall(text))))


def without_comments(code: str) -> str:
    """The words of some code."""
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return " ".join(token.string for token in tokens if token.type != tokenize.COMMENT)


def test_both_say_the_same() -> None:
    for ours, theirs in zip(blocks(ENGLISH), blocks(CHINESE), strict=True):
        assert ours == theirs


@pytest.mark.parametrize("page", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_every_link_leads_somewhere(page: str) -> None:
    other = "README.md" if page is CHINESE else "README.zh.md"
    assert OTHER & {*LINK.findall(page)} == {other}
    for target in LINK.findall(page):
        assert (ROOT / target).exists(), target


def test_the_chinese_page_is_chinese() -> None:
    for match in BLOCK.finditer(CHINESE):
        text = match[0].strip()
        if match.lastgroup == "prose" and not text.startswith("[English]"):
            assert HAN.search(text), text
            assert "\n" not in text, f"a line break inside a sentence becomes a space: {text}"
        for comment in re.findall(r"# (.+)$", text, re.MULTILINE):
            assert HAN.search(comment) or comment == "minipaddle", comment


@each(
    ("old", "new"),
    [
        ("python3 run.py demo ", "python3 run.py"),
        ("docs/gallery/README.md", "docs/README.md"),
        ("return dy * (1", "return dy + (1"),
        ("`docs/contract.md`", "docs/contract.md"),
        ("\n## ", "\n### "),
        ("| 图片 |", "| 图片 |\n| marimo |"),
        ("- [CHANGELOG.md](CHANGELOG.md)\n", ""),
    ],
)
def test_what_is_changed_in_one_alone_is_noticed(old: str, new: str) -> None:
    changed = CHINESE.replace(old, new, 1)
    assert changed != CHINESE
    assert blocks(changed) != blocks(ENGLISH)
