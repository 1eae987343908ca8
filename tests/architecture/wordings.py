"""Rules for texts in two languages: each takes what it judges and returns its complaints.

Words are used by their keys, in Python and in the player's JavaScript: `say("run", lang)`, or
put together, `say(f"column_{name}", lang)` and `words.say(`memory_${kind}`)`.
"""

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


def texts_in(sources: Iterable[Source]) -> dict[str, Text]:
    """Every `Text("…", "…")` that is written in these files, by its place."""
    return {
        f"{source.module}:{node.lineno}:{node.col_offset}": Text(*map(ast.literal_eval, node.args))
        for source in sources
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Text"
        and all(isinstance(argument, ast.Constant) for argument in node.args)
    }


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


def compared(sources: Iterable[Source]) -> list[str]:
    """Logic that hangs on what is displayed: a comparison with several words, or with Chinese."""
    return [
        f"{source.module}:{part.lineno} compares with {part.value!r}"
        for source in sources
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Compare | ast.match_case)
        for part in ast.walk(node.pattern if isinstance(node, ast.match_case) else node)
        if isinstance(part, ast.Constant)
        and isinstance(part.value, str)
        and (len(part.value.split()) > 1 or CHINESE.search(part.value))
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


# ----- keys --------------------------------------------------------------------------------------

QUOTED = re.compile(r'"(\w+)"')
PUT_TOGETHER = re.compile(r"`(\w+_)\$\{")
ASKED = re.compile(r'words\.(?:say\(|label\(\w+, )"(\w+)"')
Keys = tuple[set[str], set[str]]  # whole ones, and the beginnings and ends of others


def keys_in_python(sources: Iterable[Source]) -> Keys:
    """The texts that may be keys of words."""
    sources = list(sources)
    parts = {
        str(part.value)
        for source in sources
        for node in ast.walk(source.tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
        if isinstance(part, ast.Constant)
    }
    ends = {part for part in parts if re.fullmatch(r"[a-z]+_|_[a-z]+", part)}
    return {text for _, text in literals(sources)}, ends


def keys_in_javascript(code: str) -> Keys:
    """The same of the player."""
    return set(QUOTED.findall(code)), set(PUT_TOGETHER.findall(code))


def unused(keys: Iterable[str], *users: Keys) -> list[str]:
    """Keys that nobody names, as a whole or by their beginning or end."""
    named = {key for whole, _ in users for key in whole}
    ends = {end for _, parts in users for end in parts}
    return [
        key
        for key in keys
        if key not in named
        and not any(key.endswith(e) if e.startswith("_") else key.startswith(e) for e in ends)
    ]


def unknown(keys: Iterable[str], code: str) -> list[str]:
    """Words that the player asks for by a key that is not there."""
    return sorted(set(ASKED.findall(code)) - set(keys))
