"""Messages, their rendering, and catalogues with exactly the templates of the code."""

import ast
import re
from string import Formatter

import pytest

from docs.catalogue import FOLDER, ROOT, as_json, update
from minipaddle.messages import CLAUSES, LIST, Message, Row, Text, languages
from minipaddle.messages.message import joined, render
from tests.each import each

TRANSLATED = [lang for lang in languages() if lang != "en"]


@each("lang", TRANSLATED)
def test_a_catalogue_has_every_template_and_no_other(lang: str) -> None:
    """`python3 run.py messages` repairs the catalogues."""
    file = FOLDER / f"{lang}.po"
    catalogue = update(file)
    assert [entry.id for entry in catalogue if entry.id and not entry.string] == []
    assert not [entry.id for entry in catalogue if re.search("[\u4e00-\u9fff]", str(entry.id))]
    assert "#~" not in file.read_text(encoding="utf-8")  # an entry that no code uses
    assert file.with_suffix(".json").read_text(encoding="utf-8") == as_json(catalogue)


def slots_of(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def slots_given() -> dict[str, set[str]]:
    """Return the slots that the code fills in addition to those of a template, by template."""
    given: dict[str, set[str]] = {}
    for package in ("minipaddle", "viz"):
        for module in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and node.args and node.keywords:
                    template = node.args[-1]
                    if isinstance(template, ast.Constant) and isinstance(template.value, str):
                        names = {str(keyword.arg) for keyword in node.keywords}
                        given[template.value] = given.get(template.value, set()) | names
    return given


@each("lang", TRANSLATED)
def test_a_translation_has_no_slot_that_the_code_does_not_fill(lang: str) -> None:
    given = slots_given()
    for entry in update(FOLDER / f"{lang}.po"):
        if template := str(entry.id):
            filled = slots_of(template) | given.get(template, set())
            assert slots_of(str(entry.string)) <= filled, template


@each(
    ("left", "right", "both"),
    [
        ("把", "x", "把 x"),
        ("把 ", "空", "把空"),
        ("x ", "，", "x，"),
        ("（", "x", "（x"),
        ("变为 ", "−2", "变为 −2"),
        ("", "x", "x"),
        ("\n", "x", "\nx"),
    ],
)
def test_chinese_has_one_space_beside_other_letters(left: str, right: str, both: str) -> None:
    assert joined(left, right, "zh") == both
    assert joined(left, right, "en") == left + right


def test_slots_take_messages_rows_numbers_and_forms() -> None:
    inner = Text("nothing", "空")
    message = Message("{row} {row:is|are} {x} {n:.2f} {name!r}", row=Row(["a", inner]), x=inner)
    filled = message.fill(n=0.5, name="w")
    assert filled.of("en") == "a and nothing are nothing 0.50 'w'"
    assert render("{n:is|are}", {"n": 1}, "en") == "is"
    assert Row(["a", "b", "c"], CLAUSES).of("zh") == "a；b；c"
    assert Row([], LIST).of("en") == ""


def test_a_message_takes_long_lists() -> None:
    assert Row(["x"] * 5000, LIST).of("zh").count("x") == 5000


def test_changes_of_a_message_are_applied_when_it_is_rendered() -> None:
    shorter = Text("nothing", "空值").changed(lambda text: text[:1])
    assert (*shorter,) == ("n", "空")
    assert shorter == Text("none", "空无").changed(lambda text: text[:1]) != Text("n", "空")
    assert len({shorter, Text("none", "空无").changed(lambda text: text[:1])}) == 1


def test_a_text_may_have_further_languages() -> None:
    text = Text("nothing of {x}", "没有 {x}", fr="rien de {x}").fill(x="w")
    assert [text.of(lang) for lang in ("en", "zh", "fr", "de")] == [
        "nothing of w", "没有 w", "rien de w", "nothing of w",
    ]  # fmt: skip
    assert Text("w", "w") == Text("w") != Message("w")


def test_a_message_without_slots_keeps_its_braces() -> None:
    assert Message("{}").en == "{}"
    with pytest.raises(KeyError):
        Message("{x} and {y}").fill(x="x").of("en")
