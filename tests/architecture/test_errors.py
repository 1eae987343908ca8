"""Errors have names: a check raises one, whose text stands in the module `errors` beside it."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from .sources import Source, load

NAMED = ("nn", "optimizer", "distributed", "profiler", "testing", "utils", "paddle_names")
NAMED += ("base", "metric", "linalg", "regularizer")
MOST_LINES = 3  # of a raise that says its text itself


def long_raises(sources: Iterable[Source]) -> list[str]:
    """A raise with prose in it hides the mechanism."""
    return [
        f"{source.module}:{node.lineno} raises in {lines} lines: give the error a name"
        for source in sources
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Raise)
        and (lines := (node.end_lineno or 0) - node.lineno + 1) > MOST_LINES
    ]


def unused_errors(sources: Iterable[Source]) -> list[str]:
    """An error that nothing raises has a text that nobody checks."""
    sources = list(sources)
    used = {
        node.attr if isinstance(node, ast.Attribute) else node.id
        for source in sources
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Attribute | ast.Name)
    }
    return [
        f"{source.module}.{node.name} is never used"
        for source in sources
        if source.module.endswith(".errors")
        for node in source.tree.body
        if isinstance(node, ast.FunctionDef) and node.name not in used
    ]


def named() -> list[Source]:
    """The modules whose errors have names, and what they share."""
    places = (*NAMED, "errors")
    return [s for s in load("minipaddle") if ".".join(s.module.split(".")[1:2]) in places]


def test_errors_have_names() -> None:
    sources = named()
    assert len(sources) > 100
    assert not long_raises(sources), "\n".join(long_raises(sources))
    assert not unused_errors(sources), "\n".join(unused_errors(sources))


def test_breaches_are_noticed() -> None:
    long = Source("minipaddle.nn.a", "raise ValueError(\n    'a'\n    'b'\n    'c'\n)")
    assert long_raises([long]) == ["minipaddle.nn.a:1 raises in 5 lines: give the error a name"]
    idle = Source("minipaddle.nn.errors", "def a(): ...\ndef b(): ...")
    user = Source("minipaddle.nn.c", "raise errors.a()")
    assert unused_errors([idle, user]) == ["minipaddle.nn.errors.b is never used"]
