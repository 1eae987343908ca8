"""README.zh.md has the code, commands and links of README.md, and all links lead somewhere."""

import re
from pathlib import Path

from tests.each import each

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "README.zh.md")  # each leads to the other
CODE = re.compile(r"^```python\n[\s\S]*?^```$|^ {4}.+$", re.MULTILINE)
COMMENT = re.compile(r" *# .+$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)]+)\)")


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def test_both_languages_have_the_same_code_and_links() -> None:
    english, chinese = ([COMMENT.sub("", code) for code in CODE.findall(read(p))] for p in PAGES)
    assert english == chinese
    links = [[link for link in LINK.findall(read(page)) if link not in PAGES] for page in PAGES]
    assert sorted(links[0]) == sorted(links[1])


@each("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    links = LINK.findall(read(page))
    assert {*PAGES} & {*links} == {*PAGES} - {page}
    for target in links:
        assert (ROOT / target).exists(), target
