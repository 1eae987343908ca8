"""A wrong call of anything public ends soon: in an answer, or in an error of minipaddle."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import minipaddle as paddle

from .wrong_calls import Call, complaint, good_calls, public, wrong_calls

SEED, SHARE = 0, 0.4
ALL = list(public())


def every_call(of: list[tuple[str, object]]) -> Iterator[tuple[str, Call]]:
    """The wrong calls of these names; those of `paddle.static` while a Program is built."""
    for name, value in of:
        for good in good_calls(name, value):
            static = name.startswith("static.")
            (paddle.enable_static if static else paddle.disable_static)()
            with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
                for what, call in wrong_calls(good):
                    yield f"{name}, {what}", call
        paddle.disable_static()


def complaints(calls: Iterator[tuple[str, Call]]) -> list[str]:
    told = ((name, complaint(call)) for name, call in calls)
    return [f"{name}: {words}" for name, words in told if words]


def test_most_public_names_have_an_example_to_begin_with() -> None:
    assert len(ALL) > 600
    assert sum(any(True for _ in good_calls(*each)) for each in ALL[::20]) > 0.7 * len(ALL[::20])


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some calls write files named by a wrong argument."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.filterwarnings("ignore")
def test_some_wrong_calls_raise_explained_errors() -> None:
    draw = random.Random(SEED)
    some = draw.sample(ALL, 40)
    assert not complaints(each for each in every_call(some) if draw.random() < SHARE)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_all_wrong_calls_raise_explained_errors() -> None:
    assert not complaints(every_call(ALL))
