"""Docstrings of layers: their lines about shapes, dtypes, errors and source are derived."""

from __future__ import annotations

import inspect
import re

from ..ops.reference import add_facts

FACTS = ("Shapes", "Dtypes", "Errors")
FACT = re.compile(rf"^({'|'.join(FACTS)}): .*\n?(?:(?!\w+: ).+\n?)*", re.MULTILINE)


def complete(layer: type, other: str | None) -> str:
    """Return a layer's docstring, with the facts it lacks from another docstring."""
    doc = inspect.cleandoc(layer.__doc__ or "")
    facts = {**read_facts(other or ""), **read_facts(doc)}
    lines = [facts[label] for label in FACTS if label in facts]
    source = f"Source: Paddle's `paddle.nn.{layer.__name__}`."
    return add_facts(FACT.sub("", doc), [*lines, source])


def read_facts(doc: str) -> dict[str, str]:
    """Return the lines of a docstring about shapes, dtypes and errors.

    >>> read_facts("Add one.\\n\\nDtypes: all kept.\\nErrors: none.\\n")
    {'Dtypes': 'Dtypes: all kept.', 'Errors': 'Errors: none.'}
    """
    return {found[1]: found[0].rstrip() for found in FACT.finditer(doc)}
