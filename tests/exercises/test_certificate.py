"""Certificates: what they say, who can make and check them, and that every change is seen."""

import json
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from minipaddle import __main__ as command_line
from minipaddle.engine.errors import InvalidArgument
from minipaddle.exercises.grading.certificate import check_page, make_certificates
from tests.each import each

from .test_class_page import row

KEY = b"a key that nobody can guess"
COURSE = {"en": "Gates", "zh": "门"}
ROWS = [
    row("ada.ipynb", "cube", "right", course=COURSE, points=2.0, max=2.0),
    row("ada.ipynb", "slope", "wrong", course=COURSE),
    row("ada.ipynb", "<b>", "not judged", points=None),
    row("bo.ipynb", "cube", "error", max=2.0),
    row("bo.ipynb", "slope", "right", course=COURSE),
    row("cy.ipynb", "", "error"),
]


def pages(rows: Any = ROWS, lang: str = "en", **people: Any) -> dict[str, str]:
    made, _ = make_certificates(rows, KEY, "2026-11-30", lang, **people)
    return {name: page.decode() for name, page in made.items()}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with grades, a key, and a signed page, which is the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "grades.json").write_text(json.dumps({"rows": ROWS}), encoding="utf-8")
    assert command_line.main(["certificate", "--new-key", "key.txt"]) == 0
    assert command_line.main(["certificate", "grades.json", "--key", "key.txt"]) == 0
    return tmp_path


def test_a_page_says_what_was_done_and_what_it_proves() -> None:
    made = pages()
    assert list(made) == ["ada.html", "bo.html"]
    ada, bo = made.values()
    assert "<h1>ada</h1><p>1 of 3 exercises are solved, with 2 of 4 points.</p>" in ada
    assert "<h2>Gates: 1 of 2</h2>" in ada
    assert "<li><span>✓ cube</span><span>2 points</span></li>" in ada
    assert "slope" not in ada
    assert "<h2>Gates: 1 of 2</h2>" in bo  # a notebook that did not run has no title of its own
    assert "<span>1 point</span>" in bo
    for words in ("Signed on 2026-11-30.", "a learner alone has no key", "--check PAGE --key KEY"):
        assert words in ada
    assert not re.search(r"src=|href=|<script|@import|url\(", ada)
    chinese = pages(lang="zh")["ada.html"]
    assert "3 题中解出 1 题，得 2 分（满分 4 分）" in chinese
    assert "门：2 题中解出 1 题" in chinese
    assert not re.search(r">[^<]*(?:solved|points|Signed)", chinese.split("<body>")[1])


def test_names_are_those_of_the_roster_and_do_no_harm() -> None:
    people = [{"name": "A/../<b>", "id": "1", "email": "", "file": "ada"},
              {"name": "A/../<b>", "id": "2", "email": "", "file": "bo"}]  # fmt: skip
    made, reports = make_certificates(ROWS, KEY, "2026-11-30", "en", people, "roster.csv")
    assert list(made) == ["A_b_.html", "A_b__.html"]
    assert all(b"<h1>A/../&lt;b&gt;</h1>" in page for page in made.values())
    assert [str(each) for each in reports] == [
        "cy.ipynb is nobody's in roster.csv, so it is left out."
    ]
    twice = [row("bo/2.ipynb", "slope", "right"), row("bo/1.ipynb", "slope", "wrong")]
    assert "<p>1 of 1 exercises are solved" in pages(twice * 2, people=people)["A_b_.html"]


def test_every_change_of_a_page_is_seen(tmp_path: Path) -> None:
    file, page = tmp_path / "page.html", pages()["ada.html"].encode()
    file.write_bytes(page.replace(b"\n", b"\r\n"))  # as a mail may change it
    assert check_page(file, KEY).startswith("ada: 1 of 3 exercises are solved, with 2 of 4 points.")
    words = "signed with this key", "is no certificate", "altered after"
    for at in range(0, len(page), 7):
        file.write_bytes(page[:at] + bytes([page[at] ^ 1]) + page[at + 1 :])
        with pytest.raises(InvalidArgument, match="|".join(words)):
            check_page(file, KEY)
    for changed in (page + b" ", page[:-1], page.replace(b"2 of 4", b"4 of 4"), b"\xff" + page):
        file.write_bytes(changed)
        with pytest.raises(InvalidArgument, match="altered after it was signed"):
            check_page(file, KEY)


def test_the_command_makes_a_key_signs_and_checks(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert stat.S_IMODE((folder / "key.txt").stat().st_mode) == 0o600
    assert len(set((folder / "key.txt").read_text().strip())) > 8
    capsys.readouterr()
    ada = "certificates/ada.html"
    assert command_line.main(["certificate", "--check", ada, "--key", "key.txt"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{ada} is as it was signed with this key.\nada: 1 of 3 exercises")


@each(
    ("words", "message"),
    [
        ("--check certificates/ada.html --key no.txt", "There is no key no.txt."),
        ("--check certificates/ada.html --key other.txt", "was not signed with this key."),
        ("--check eve.html --key key.txt", "eve.html was altered after it was signed."),
        ("--check grades.json --key key.txt", "grades.json is no certificate."),
        ("--check no.html --key key.txt", "There is no page no.html."),
        ("grades.json --key weak.txt", "weak.txt is no key."),
        ("other.txt --key key.txt", "other.txt has no grades."),
        ("grades.json --key key.txt --out grades.json", "a file has its name."),
        ("--new-key no/key.txt", "there is no folder for no/key.txt."),
        ("--new-key key.txt", "key.txt is there already, and stays as it is."),
    ],
)
def test_each_mistake_has_its_own_error(
    folder: Path, capsys: pytest.CaptureFixture[str], words: str, message: str
) -> None:
    before = (folder / "key.txt").read_text()
    (folder / "other.txt").write_text("another key, that is as long")
    (folder / "weak.txt").write_text(" 1234 \n")
    page = (folder / "certificates" / "ada.html").read_text(encoding="utf-8")
    (folder / "eve.html").write_text(page.replace("<h1>ada<", "<h1>eve<"), encoding="utf-8")
    assert command_line.main(["certificate", *words.split()]) == 1
    assert message in capsys.readouterr().err
    assert (folder / "key.txt").read_text() == before


@each("words", ["", "grades.json", "grades.json --check certificates/ada.html --key key.txt"])
def test_options_that_do_not_fit_are_refused(folder: Path, words: str) -> None:
    with pytest.raises(SystemExit):
        command_line.main(["certificate", *words.split()])
