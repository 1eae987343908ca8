"""Translations of templates: one JSON file for each language, made of its PO file.

What reads them is imported only where another language than English is read.
"""

from __future__ import annotations

import os
from functools import cache

FOLDER = os.path.dirname(__file__)  # of the catalogues; a test puts another one in its place


def languages() -> tuple[str, ...]:
    """Return the languages that messages can be rendered in, English first.

    >>> languages()
    ('en', 'zh')
    """
    return _languages_in(FOLDER)


@cache
def _languages_in(folder: str) -> tuple[str, ...]:
    from pathlib import Path

    return ("en", *sorted(file.stem for file in Path(folder).glob("*.json")))


def catalogue(lang: str) -> dict[str, str]:
    """Return the translations of one language, by their English templates; none for English."""
    return _catalogue_in(FOLDER, lang)


@cache
def _catalogue_in(folder: str, lang: str) -> dict[str, str]:
    import json
    from pathlib import Path

    if lang not in _languages_in(folder):
        return {}
    translations: dict[str, str] = json.loads(Path(folder, f"{lang}.json").read_text("utf-8"))
    return translations


def translated(template: str, lang: str, key: str = "") -> str:
    """Return the template in this language, or in English where there is no translation.

    `key`: what the catalogue has it under, if not under the template itself.
    """
    return template if lang == "en" else catalogue(lang).get(key or template, template)
