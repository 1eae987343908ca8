"""Facts are worded in one place, in both languages, and every wording is used."""

from __future__ import annotations

from dataclasses import fields

import pytest

from minipaddle.engine.bilingual import Text
from minipaddle.engine.reasons import WORDINGS, Reason, Wording
from viz.language.words import WORDS

from . import wordings
from .sources import ROOT, Source, load

CATALOGUE = "minipaddle.engine.reasons"
NOTHING_TO_SAY = {f"{Reason.HAS_GRADIENT}.advice", f"{Reason.HAS_GRADIENT}.mark"}


def parts(name: str, wording: Wording) -> dict[str, Text]:
    texts = {f"{name}.{field.name}": getattr(wording, field.name) for field in fields(wording)}
    return {key: text for key, text in texts.items() if text is not None}


def texts_of_reasons() -> dict[str, Text]:
    texts: dict[str, Text] = {}
    for reason, wording in WORDINGS.items():
        texts |= parts(reason, wording)
    return {key: text for key, text in texts.items() if key not in NOTHING_TO_SAY}


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    return load("minipaddle", "viz")


def test_every_text_is_there_in_both_languages(sources: list[Source]) -> None:
    silent = {Text("", ""), WORDS["stepEnd"]}
    other_language = {WORDS["language"], WORDS["languageName"]}
    texts = wordings.texts_in(sources)
    assert {WORDS["open"], WORDINGS[Reason.ZERO].happened} <= set(texts.values())
    said = {key: text for key, text in texts.items() if text not in silent | other_language}
    assert wordings.one_sided(said) == []


def test_every_reason_is_worded() -> None:
    assert set(WORDINGS) == set(Reason)
    assert all(text != ("", "") for text in texts_of_reasons().values())


def test_no_reason_is_worded_twice(sources: list[Source]) -> None:
    texts = list(texts_of_reasons().values())
    assert len(texts) == len(set(texts))
    others = [source for source in sources if source.module != CATALOGUE]
    assert wordings.worded_again(texts_of_reasons(), others) == []


def test_no_logic_hangs_on_a_displayed_text(sources: list[Source]) -> None:
    assert wordings.compared(sources) == []


def test_every_reason_is_given_by_the_engine(sources: list[Source]) -> None:
    engine = [s for s in sources if s.module.startswith("minipaddle.") and s.module != CATALOGUE]
    assert wordings.attributes_of("Reason", engine) == {reason.name for reason in Reason}


def test_what_a_recording_tells_is_what_a_recording_can_find(sources: list[Source]) -> None:
    story = [s for s in sources if s.module == "viz.story.missing_gradient"]
    told = {reason.name for reason, wording in WORDINGS.items() if wording.recorded}
    assert wordings.attributes_of("Reason", story) == told


# ----- the words of pictures, tables and the player -----------------------------------------------


def player() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("viz/player/web/*.js"))


def test_every_word_is_used_and_the_player_asks_for_no_other(sources: list[Source]) -> None:
    python = [
        s for s in sources if s.module.startswith("viz.") and s.module != "viz.language.words"
    ]
    users = wordings.keys_in_python(python), wordings.keys_in_javascript(player())
    assert wordings.unused(WORDS, *users) == []
    assert wordings.unknown(WORDS, player()) == []


# ----- the rules see what they are for ------------------------------------------------------------


def test_a_missing_or_mixed_language_is_seen() -> None:
    texts = {
        "right": Text("{x} is 0", "{x} 是 0"),
        "half": Text("zero", ""),
        "mixed": Text("0 是零", "零"),
        "open": Text("{x} is 0", "{y} 是 0"),
    }
    assert wordings.one_sided(texts) == [
        "half lacks a language",
        "mixed speaks Chinese in English",
        "open is filled with ['{x}'] and ['{y}']",
    ]


def test_texts_are_found_where_they_are_written() -> None:
    source = Source("viz.some", 'A = {"x": Text("a", "甲")}\nB = Text(one, other)\n')
    assert wordings.texts_in([source]) == {"viz.some:1:10": Text("a", "甲")}


def test_a_second_wording_is_seen() -> None:
    texts = {"detached.happened": WORDINGS[Reason.DETACHED].happened}
    again = Source("viz.again", 'A = f"{x}: detach() 使结果脱离计算图。"\nB = "detach"\n')
    assert wordings.worded_again(texts, [again]) == [
        "viz.again:1 says 'detach() 使结果脱离计算图。', as detached.happened does"
    ]
    told = Source("viz.told", 'def f():\n    """detach() 使结果脱离计算图。"""\n')
    assert wordings.worded_again(texts, [told]) == []


def test_a_comparison_with_a_displayed_text_is_seen() -> None:
    code = 'a = why.text == "not a leaf"\nb = word in ("梯度", "x")\nc = kind == "leaf_grad"\n'
    code += 'match why.text:\n    case "no backward":\n        pass\n'
    assert wordings.compared([Source("viz.some", code)]) == [
        "viz.some:1 compares with 'not a leaf'",
        "viz.some:2 compares with '梯度'",
        "viz.some:5 compares with 'no backward'",
    ]


def test_unused_and_unknown_keys_are_seen() -> None:
    code = 'words.say("open"); words.label(html("b"), "keys"); words.say(`row_${kind}`);'
    keys = ["open", "keys", "row_leaf", "in_short", "column_name", "gone"]
    python = Source("viz.some", 'A = f"{role}_short", f"column_{name}"')
    users = wordings.keys_in_python([python]), wordings.keys_in_javascript(code)
    assert wordings.unused(keys, *users) == ["gone"]
    assert wordings.unknown(keys[1:], code) == ["open"]
