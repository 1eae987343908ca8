"""Rules for texts in two languages: each takes what it judges and returns its complaints."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

from minipaddle.engine.bilingual import Text

from .sources import Source

BRACES = re.compile(r"\{\w*\}")
CHINESE = re.compile(r"[\u4e00-\u9fff]")
LONG = 25  # letters that two texts have in common by copying only


def one_sided(texts: Mapping[str, Text]) -> list[str]:
    """Texts that lack a language, or are filled with other things in one than in the other."""
    complaints = []
    for key, text in texts.items():
        if not all(text):
            complaints.append(f"{key} lacks a language")
        if CHINESE.search(text.en):
            complaints.append(f"{key} speaks Chinese in English")
        english, chinese = (set(BRACES.findall(part)) for part in text)
        if english != chinese:
            complaints.append(f"{key} is filled with {sorted(english)} and {sorted(chinese)}")
    return complaints


def literals(sources: Iterable[Source]) -> Iterator[tuple[str, str]]:
    """Every text in these files, with the place where it stands; docstrings are left out."""
    for source in sources:
        documented = {
            node.body[0].value
            for node in ast.walk(source.tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        for node in ast.walk(source.tree):
            text = isinstance(node, ast.Constant) and isinstance(node.value, str)
            if text and node not in documented:
                yield f"{source.module}:{node.lineno}", node.value


def worded_again(texts: Mapping[str, Text], sources: Iterable[Source]) -> list[str]:
    """Places outside of a catalogue that say what it says."""
    phrases = {
        phrase: key
        for key, text in texts.items()
        for part in text
        for phrase in BRACES.split(part)
        if len(phrase) >= (LONG if phrase.isascii() else LONG // 3)
    }
    return [
        f"{place} says {phrase!r}, as {key} does"
        for place, literal in literals(sources)
        for phrase, key in phrases.items()
        if phrase in literal
    ]


def attributes_of(name: str, sources: Iterable[Source]) -> set[str]:
    """What these files ask of something called so: `Reason.ZERO`, `Reason.INTEGER`."""
    return {
        node.attr
        for source in sources
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == name
    }
