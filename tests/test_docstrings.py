"""Every example in a docstring of minipaddle and viz runs and prints what it shows."""

from __future__ import annotations

import doctest
import importlib

import numpy as np
import pytest

import minipaddle
import viz

from .architecture.sources import load

# What a learner has at hand; examples need not repeat these imports.
NAMES = {"paddle": minipaddle, "viz": viz, "np": np}


def examples() -> list[doctest.DocTest]:
    modules = [source.module for source in load("minipaddle", "viz")]
    modules.remove("minipaddle.__main__")
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [test for name in modules for test in finder.find(importlib.import_module(name))]
    return [test for test in found if test.examples]


def failures(test: doctest.DocTest) -> str:
    """What the runner reports, empty when all is as shown."""
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    test.globs.update(NAMES)
    runner.run(test, out=report.append)
    return "".join(report)


@pytest.mark.parametrize("test", examples(), ids=lambda test: test.name)
def test_the_example_prints_what_it_shows(test: doctest.DocTest) -> None:
    assert failures(test) == ""


def test_a_wrong_example_is_noticed() -> None:
    wrong = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, 0)
    assert "Expected:\n    3" in failures(wrong)
