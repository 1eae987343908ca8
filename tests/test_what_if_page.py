"""docs/what_if.md lists the ops that a page cannot compute anew."""

from docs import make_what_if


def test_the_page_is_what_the_script_writes() -> None:
    again = "write it again: python -m docs.make_what_if"
    assert make_what_if.PAGE.read_text(encoding="utf-8") == make_what_if.text(), again
