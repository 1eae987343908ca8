"""Translations of templates: one JSON file for each language, made from its PO file.

Modules that read files are imported only when another language than English is rendered.
"""

from __future__ import annotations

from functools import cache

FOLDER = ""  # folder of the catalogues; "" for the one of this file


def languages() -> tuple[str, ...]:
    """Return the languages that messages can be rendered in, English first.

    >>> languages()
    ('en', 'zh')
    """
    return _languages_in(FOLDER)


@cache
def _languages_in(folder: str) -> tuple[str, ...]:
    from pathlib import Path

    files = Path(folder or Path(__file__).parent).glob("*.json")
    return ("en", *sorted(file.stem for file in files))


def catalogue(lang: str) -> dict[str, str]:
    """Return the map from English templates to one language; {} for English."""
    return _catalogue_in(FOLDER, lang)


@cache
def _catalogue_in(folder: str, lang: str) -> dict[str, str]:
    import json
    from pathlib import Path

    if lang not in _languages_in(folder):
        return {}
    file = Path(folder or Path(__file__).parent, f"{lang}.json")
    translations: dict[str, str] = json.loads(file.read_text("utf-8"))
    return translations


def translated(template: str, lang: str, key: str = "") -> str:
    """Return a template in a language, or in English if it has no translation.

    `key` finds the translation in the catalogue; "" for the template itself.
    """
    return template if lang == "en" else catalogue(lang).get(key or template, template)
