"""The machinery of `docstrings.py` works on invented docstrings, without real Paddle.

The package `paddle` of these tests is minipaddle; the answers of "real Paddle" are written out.
"""

import inspect
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.each import each

from ..patience import PATIENCE
from .docstrings import ROOT, WORKER, Example, judge, play, same_text, watch
from .example_worker import blocks, parts

DOC = inspect.cleandoc(
    """
    Say something.

    Examples:
        .. code-block:: pycon
            :name: one

            >>> import paddle
            >>> x = paddle.to_tensor([1.0, 2.0])
            >>> print(x + x)
            Tensor(shape=[2], dtype=float32, place=Place(cpu), stop_gradient=True,
            [2., 4.])
            >>> for i in range(2):
            ...     print(i)
            0
            1

        Another one:

        .. code-block:: python

            >>> # doctest: +REQUIRES(env:GPU)
            >>> import nothing
            >>> # doctest: -REQUIRES(env:GPU)
            >>> 1 + 1  # doctest: +SKIP("no")
            3
            >>> x = 2
            >>> # doctest: +SKIP("random")
            5
            >>> # doctest: -SKIP
            >>> x + 2
            4
    """
)


def example(text: str, name: str = "paddle.made_up") -> Example:
    return Example(f"{name} #1", name, parts(inspect.cleandoc(text)))


LEAVES = """
    >>> import paddle
    >>> paddle.enable_static()
    >>> paddle.set_default_dtype("float64")
    >>> kept = 1
"""
FINDS = """
    >>> import paddle
    >>> import paddle.nn.functional as F
    >>> paddle.in_dynamic_mode(), paddle.get_default_dtype(), "kept" in globals()
    (True, 'float32', False)
"""
MADE_UP = {
    "first": blocks(DOC)[0],
    "second": blocks(DOC)[1],
    "wrong": ">>> import paddle\n>>> paddle.to_tensor(1.0).item()\n2.0",
    "stale": ">>> 1 + 1\n3",
    "absent": ">>> import paddle\n>>> paddle.no_such_name\n1",
    "crash": ">>> import os\n>>> os._exit(3)",
    "leaves": LEAVES,
    "finds": FINDS,
    "good": ">>> 1 + 1\n2",
}
FAILING = {"wrong", "stale", "absent", "crash"}
EXAMPLES = {name: example(text, f"paddle.{name}") for name, text in MADE_UP.items()}


# ----- Reading -----------------------------------------------------------------------------------


def test_a_docstring_is_cut_into_blocks_and_parts() -> None:
    first, second = map(parts, map(blocks(DOC).__getitem__, (0, 1)))
    assert [part["want"].split("\n")[-1] for part in first] == ["[2., 4.])", "1"]
    assert first[1]["source"] == "for i in range(2):\n    print(i)"
    assert [part["want"] for part in second] == ["3", "5", "4"]
    assert blocks("plain text") == []
    assert len(blocks(">>> 1 + 1\n2")) == 1


@each(
    ("want", "got", "same"),
    [
        ("[0.1 , 2.]", "[0.1, 2.]", True),
        ("[1.00000000]", "[1.00000012]", True),
        ("[1.00000000]", "[1.00001000]", False),
        ("[1000., 0.00000012]", "[1000., 0.00000000]", True),
        ("[nan, inf]", "[nan, inf]", True),
        ("[1., 2.]", "[1., 2., 3.]", False),
        ("Tensor(shape=[2])", "Tensor(shape=[3])", False),
        ("a ... z", "a b z", True),
        ("<f at 0x7f00aa00bb>", "<f at 0x7f11cc22dd>", True),
        ("True", "False", False),
    ],
)
def test_texts_are_compared_by_their_numbers(want: str, got: str, same: bool) -> None:
    assert same_text(want, got) is same


# ----- Judging -----------------------------------------------------------------------------------


def answer(text: str) -> list[dict[str, Any]]:
    """Return the answers of a run of one part."""
    return [{"out": text, "last": text}]


BROKEN = [{"out": "", "last": "", "error": "AttributeError", "text": "no such name"}]


@each(
    ("ours", "live", "verdict"),
    [
        (answer("3\n"), [answer("else")], "passed"),
        (answer("2\n"), [answer("2\n")], "passed"),  # the docstring is stale
        (answer("2\n"), [answer("7\n"), answer("7\n")], "failed"),
        (answer("2\n"), [answer("7\n"), answer("8\n")], "skipped"),  # the answer differs each time
        (answer("2\n"), [BROKEN], "skipped"),
        (BROKEN, [answer("1\n")], "failed"),
        (BROKEN, [BROKEN], "skipped"),
        ([{"out": "2\n", "last": "2\n", "unchecked": True}], [answer("3\n")], "skipped"),
        ("the process ended with 3: ", [answer("3\n")], "failed"),
    ],
)
def test_an_example_is_judged_by_its_docstring_and_by_real_paddle(
    ours: Any, live: list[Any], verdict: str
) -> None:
    assert judge(EXAMPLES["stale"], ours, live)[0] == verdict


@pytest.mark.slow
def test_each_example_runs_in_a_fresh_world_and_a_crash_ends_one_only(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "ignore", str(WORKER), "run", "minipaddle"]
    examples = list(EXAMPLES.values())
    answers = play(command, examples, tmp_path, {"PYTHONPATH": str(ROOT)}, seconds=PATIENCE)
    ours = {name: answers[one.id] for name, one in EXAMPLES.items()}
    verdicts = {name: judge(EXAMPLES[name], ours[name], [answer("else")])[0] for name in ours}
    assert verdicts == {name: "failed" if name in FAILING else "passed" for name in EXAMPLES}
    assert ours["second"][0] == {"out": "", "last": "", "unchecked": True}
    assert "unchecked" in ours["second"][1]
    assert ours["absent"][0]["error"] == "AttributeError"
    assert ours["crash"].startswith("the process ended with 3")
    assert "error" not in ours["leaves"][-1]


def test_a_worker_that_stands_still_is_ended(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.touch()
    endless = [sys.executable, "-c", "import threading; threading.Event().wait()"]
    assert watch(endless, taken, None, 0.1) == "no end after 0.1 s"
