"""docs/what_if.md lists the ops that a page cannot compute anew, and the list only shrinks."""

from __future__ import annotations

from docs import make_what_if

MOST = 56  # lower it with the list


def test_the_page_is_what_the_script_writes() -> None:
    again = "write it again: python -m docs.make_what_if"
    assert make_what_if.PAGE.read_text(encoding="utf-8") == make_what_if.text(), again


def test_the_list_only_shrinks() -> None:
    listed = len(make_what_if.hindered())
    assert listed <= MOST, "an op that could be computed anew no longer can"
    assert listed == MOST, "the list is shorter now: lower MOST"
