"""Language of the exercises, and texts in one language or two."""

from __future__ import annotations

from collections.abc import Iterable

from ..engine.errors import both
from ..messages import EMPTY, SENTENCES, Message, Row, Text, languages
from ..ops.errors import choice

_chosen_language = "en"


def set_lang(lang: str) -> None:
    """Set the language of exercises: English ("en"), Chinese ("zh"), or another translated one.

    Errors: InvalidArgument for any other language.

    >>> from minipaddle import exercises
    >>> exercises.set_lang("en")
    """
    global _chosen_language
    if lang not in languages():
        raise choice("set_lang", "lang", lang, languages())
    _chosen_language = lang


def spoken() -> str:
    """Return the current language."""
    return _chosen_language


def text(words: object) -> Message:
    """Return a text in both languages: a Text unchanged, a pair of texts, or one text for both."""
    return Text(*words) if isinstance(words, tuple) and len(words) == 2 else both(words)


def sentences(texts: Iterable[Message]) -> Message:
    """Join sentences, without the empty ones."""
    return Row([each for each in texts if each != EMPTY], SENTENCES).message()
