"""The language of texts, and the one in which players start."""

from __future__ import annotations

from minipaddle.engine.errors import InvalidArgument
from minipaddle.messages import LIST, Message, Row, languages

_chosen_lang = ""


def set_lang(lang: str) -> None:
    """Let players start in English ("en") or Chinese ("zh"); "" leaves it to the reader's browser.

    InvalidArgument for a language that minipaddle does not speak.

    >>> import viz
    >>> viz.set_lang("zh")
    >>> viz.set_lang("")
    """
    global _chosen_lang
    _chosen_lang = lang and check_lang(lang)


def get_lang() -> str:
    """Return the language that was set, or ""."""
    return _chosen_lang


def check_lang(lang: str) -> str:
    """Return `lang`; raise InvalidArgument if there are no sentences in that language."""
    if lang not in languages():
        raise InvalidArgument(
            Message("there are no sentences in the language {lang!r}.", lang=str(lang)),
            expected=Row([f'"{each}"' for each in languages()], LIST).message(),
            received=repr(lang),
            fix=Message("choose one of these languages"),
        )
    return lang


def for_text(lang: str = "") -> str:
    """Return the language of fixed texts: `lang`, else the language that was set, else English."""
    return check_lang(lang or _chosen_lang or "en")


def for_player(lang: str = "") -> str | None:
    """Return the language in which a player starts, or None if the reader's browser decides."""
    return check_lang(lang or _chosen_lang) if lang or _chosen_lang else None
