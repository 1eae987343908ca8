"""The language in which exercises speak, and texts that may be given in one language or in two."""

from __future__ import annotations

from ..engine.errors import InvalidArgument, both
from ..messages import Message, Text

_chosen = "en"


def set_lang(lang: str) -> None:
    """Let exercises speak English ("en") or Chinese ("zh").

    Errors: InvalidArgument for any other language.

    >>> from minipaddle import exercises
    >>> exercises.set_lang("en")
    """
    global _chosen
    if lang not in ("en", "zh"):
        raise InvalidArgument(
            f"Exercises do not speak {lang!r}.",
            expected='"en" or "zh"',
            received=repr(lang),
            fix='call exercises.set_lang("en") or exercises.set_lang("zh")',
        )
    _chosen = lang


def spoken() -> str:
    """The language that was set."""
    return _chosen


def text(words: object) -> Message:
    """A text in two languages: a Text as it is, a pair of them, or one for both."""
    return Text(*words) if isinstance(words, tuple) and len(words) == 2 else both(words)
