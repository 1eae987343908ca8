"""Translations of templates: one JSON file for each language, made of its PO file.

What reads them is imported only where another language than English is read.
"""

from __future__ import annotations

from functools import cache


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that messages can be rendered in, English first.

    >>> languages()
    ('en', 'zh')
    """
    from pathlib import Path

    return ("en", *sorted(file.stem for file in Path(__file__).parent.glob("*.json")))


@cache
def catalogue(lang: str) -> dict[str, str]:
    """Return the translations of one language, by their English templates; none for English."""
    import json
    from pathlib import Path

    if lang not in languages():
        return {}
    text = Path(__file__).with_name(f"{lang}.json").read_text(encoding="utf-8")
    translations: dict[str, str] = json.loads(text)
    return translations


def translated(template: str, lang: str, key: str = "") -> str:
    """Return the template in this language, or in English where there is no translation.

    `key`: what the catalogue has it under, if not under the template itself.
    """
    return template if lang == "en" else catalogue(lang).get(key or template, template)
