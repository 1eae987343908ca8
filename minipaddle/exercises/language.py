"""The language in which exercises speak, and texts that may be given in one language or in two."""

from __future__ import annotations

from collections.abc import Iterable

from ..engine.errors import both
from ..messages import EMPTY, SENTENCES, Message, Row, Text, languages
from . import errors

_chosen = "en"


def set_lang(lang: str) -> None:
    """Let exercises speak English ("en"), Chinese ("zh"), or what else messages are translated to.

    Errors: InvalidArgument for any other language.

    >>> from minipaddle import exercises
    >>> exercises.set_lang("en")
    """
    global _chosen
    if lang not in languages():
        raise errors.unknown_language(lang, languages())
    _chosen = lang


def spoken() -> str:
    """Return the language that was set."""
    return _chosen


def text(words: object) -> Message:
    """Return a text in two languages: a Text as it is, a pair of them, or one for both."""
    return Text(*words) if isinstance(words, tuple) and len(words) == 2 else both(words)


def sentences(texts: Iterable[Message]) -> Message:
    """Sentences, one after the other; none where a text is empty."""
    return Row([each for each in texts if each != EMPTY], SENTENCES).message()
