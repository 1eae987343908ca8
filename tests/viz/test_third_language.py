"""A third language needs a catalogue and no change of code.

The pseudo-language is made from the existing templates: each letter outside of their slots gets an
accent. A shown word with letters without accents is in no message.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import viz
from minipaddle.messages import languages, message
from tests.each import each
from viz.language.words import by_language
from viz.player.book import book_of
from viz.player.page import script
from viz.terminal.stepper import Stepper
from viz.trace import Trace

from . import faults, programs, stories, trainings
from .test_foreign_words import CODE, KNOWN, WORD, names_of, shown

LANG = "qq"
PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
ACCENTED = "áƀćđéƒǵĥíĵḱĺḿńóṕɋŕśťúṽẃẋýźÁɃĆĐÉƑǴĤÍĴḰĹḾŃÓṔɊŔŚŤÚṼẂẊÝŹ"
LETTERS = str.maketrans(PLAIN, ACCENTED)
SLOT = re.compile(r"(\{\w+(?:!r|:[^{}|]*)?\}|\{\w+:|\})")


def accented(template: str) -> str:
    """Give each letter between the slots an accent.

    >>> accented("{count:rank|ranks} of {x:.3g}")
    '{count:ŕáńḱ|ŕáńḱś} óƒ {x:.3g}'
    """
    pieces = SLOT.split(template)
    pieces[::2] = [piece.translate(LETTERS) for piece in pieces[::2]]
    return "".join(pieces)


@pytest.fixture
def pseudo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Install the pseudo-language, whose catalogue is beside the existing ones."""
    keys = message.catalogue("zh")
    (tmp_path / "zh.json").write_text(json.dumps(keys), encoding="utf-8")
    made = {key: accented(key.rpartition("\x04")[2]) for key in keys}
    (tmp_path / f"{LANG}.json").write_text(json.dumps(made), encoding="utf-8")
    monkeypatch.setattr(message, "FOLDER", str(tmp_path))
    return LANG


def english(texts: Iterable[str], names: set[str]) -> list[str]:
    """Return the words without accents that are neither names nor code, each with its text."""
    own = {word for name in names for word in WORD.findall(name)} | KNOWN
    return [
        f"{word} in {text!r}"
        for text in texts
        for word in WORD.findall(CODE.sub(" ", re.sub("[\xc0-\u024f\u1e00-\u1eff]+", " ", text)))
        if word not in own
    ]


def of_page(part: Any) -> Iterator[str]:
    """Yield all texts of a page, each in all languages."""
    if isinstance(part, dict) and "en" in part:
        assert part.keys() >= {*languages()}
        said = part[LANG]
        yield said if isinstance(said, str) else " ".join(map(str, said))
        yield from of_page(part.get("slots"))
    elif isinstance(part, dict | list | tuple):
        for each_part in part.values() if isinstance(part, dict) else part:
            yield from of_page(each_part)


@each(
    "program",
    [
        programs.tanh, programs.program, programs.hooked, programs.zeros, stories.marks,
        trainings.accumulated, trainings.program, lambda: faults.ON_PAGE["vanishing"](False),
    ],
)  # fmt: skip
def test_no_shown_text_is_english(program: Callable[[], Trace], pseudo: str) -> None:
    trace = program()
    names = names_of(trace)
    assert english(shown(trace, pseudo), names) == []
    assert english(of_page(book_of(trace)), names) == []


def test_the_words_of_a_page_exist_in_all_languages(pseudo: str) -> None:
    words = by_language()
    assert tuple(words) == languages() == ("en", pseudo, "zh")
    assert english(words[pseudo].values(), set()) == []
    assert f'"{pseudo}":{{' in script()


def test_every_lang_argument_takes_the_third_language(pseudo: str, tmp_path: Path) -> None:
    trace = programs.tanh()
    viz.set_lang(pseudo)
    try:
        page = trace.save(tmp_path / "t.html").read_text(encoding="utf-8")
    finally:
        viz.set_lang("")
    assert f'<html lang="{pseudo}"' in page
    twin, diff = viz.diff(trace, trace), viz.slopes(trace, pseudo)
    assert english([twin.text(pseudo), diff], names_of(trace)) == []
    stepper, seen = Stepper(trace, "en"), []
    for _ in languages():
        stepper.press("l")
        seen.append(stepper.lang)
        assert stepper.help(80)
    assert seen == [pseudo, "zh", "en"]
