"""Every example in a docstring of minipaddle and viz runs and prints what it shows."""

import builtins
import doctest
import importlib
from types import ModuleType

import numpy as np

import minipaddle
import viz
from minipaddle.ops.op_spec import Op
from tests.each import each

from .architecture.sources import load

# What a learner has at hand; examples need not repeat these imports.
NAMES = {"paddle": minipaddle, "viz": viz, "np": np}
WITH_EXAMPLES = [
    source.module for source in load("minipaddle", "viz") if "\n    >>> " in source.text
]


def failures(test: doctest.DocTest) -> str:
    """What the runner reports, empty when all is as shown."""
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    for dtype in ("bool", "float", "int"):  # `from minipaddle import *` hides Python's names
        test.globs.pop(dtype, None)
    test.globs.update(NAMES)
    hidden = vars(builtins).keys() & test.globs.keys()  # round is Python's, paddle.round is ours
    test.globs.update({name: getattr(builtins, name) for name in hidden})
    runner.run(test, out=report.append)
    return "".join(report)


def examples(module: ModuleType) -> list[doctest.DocTest]:
    """The examples of a module's functions and classes, and of the ops that it registers."""
    doctests = doctest.DocTestFinder(exclude_empty=True).find(module)
    records = [value for value in vars(module).values() if isinstance(value, Op)]
    read = doctest.DocTestParser().get_doctest
    doctests += [read(record.doc, {}, record.name, module.__file__, 0) for record in records]
    return [test for test in doctests if test.examples]


@each("module", WITH_EXAMPLES)
def test_the_examples_print_what_they_show(module: str) -> None:
    found = examples(importlib.import_module(module))
    assert found, "no object of the module owns the example"
    report = "".join(map(failures, found))
    assert not report, report


def test_a_wrong_example_is_noticed() -> None:
    wrong = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, 0)
    assert "Expected:\n    3" in failures(wrong)
