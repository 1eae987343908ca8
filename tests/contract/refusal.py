"""Assertions about errors: the class, and the words that a reader needs."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from minipaddle.engine.errors import MinipaddleError

HALF_WIDTH = str.maketrans("\uff08\uff09\uff1a", "():")


@contextmanager
def refuses(kind: type[BaseException], *words: str) -> Iterator[pytest.ExceptionInfo]:
    """Expect an error of this class in the block, with each of the words in its text."""
    with pytest.raises(kind) as caught:
        yield caught
    text = str(caught.value)
    missing = [word for word in words if word.lower() not in text.lower()]
    assert not missing, f"the error does not say {missing}:\n{text}"


def refused(call: Callable[..., Any], kind: type[Exception], *arguments: Any) -> None:
    """Check that a call raises an error of this class that says what to do."""
    with refuses(kind, "\n  expected  ", "\n  to do     ") as caught:
        call(*arguments)
    assert isinstance(caught.value, MinipaddleError)


def refused_in_both(call: Callable[[], Any], kind: type[Exception], words: str) -> None:
    """Check that the error of a call has each of the words in English and in Chinese."""
    with pytest.raises(kind) as caught:
        call()
    assert isinstance(caught.value, MinipaddleError)
    told = caught.value.message
    for text in (told.en, told.zh):
        plain = text.translate(HALF_WIDTH)
        assert not [word for word in words.split() if word not in plain], plain
    assert re.search("[\u4e00-\u9fff]", told.zh.partition("\n")[0])
