"""A sentence in both languages of the lessons."""

from __future__ import annotations

from typing import NamedTuple


class Say(NamedTuple):
    """The same sentence in English and in Chinese; names in braces are filled in later."""

    en: str
    zh: str

    def fill(self, **values: object) -> Say:
        """Put values into both sentences."""
        return Say(self.en.format(**values), self.zh.format(**values))

    def of(self, lang: str) -> str:
        """The sentence in one language."""
        return self.zh if lang == "zh" else self.en
