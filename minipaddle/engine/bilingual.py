"""A text in the two languages that learners read."""

from __future__ import annotations

from typing import NamedTuple


class Text(NamedTuple):
    """The same in English and in Chinese; names in braces are filled in later.

    >>> Text("{by} has no gradient", "{by} 没有梯度").fill(by="argmax").of("zh")
    'argmax 没有梯度'
    """

    en: str
    zh: str

    def fill(self, **values: str | Text) -> Text:
        """Put values into both; of a value that is a Text, each language takes its own."""
        chinese = {k: v.zh if isinstance(v, Text) else v for k, v in values.items()}
        english = {k: v.en if isinstance(v, Text) else v for k, v in values.items()}
        return Text(self.en.format(**english), self.zh.format(**chinese))

    def own_zh(self) -> str:
        """The Chinese, or "" where it is only the English once more."""
        return self.zh if self.zh != self.en else ""

    def of(self, lang: str) -> str:
        """The text in one language: "en" or "zh"."""
        return self.zh if lang == "zh" else self.en
