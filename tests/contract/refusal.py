"""How tests state an error: its class, and the words that a reader needs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from minipaddle.engine.errors import MinipaddleError


@contextmanager
def refuses(kind: type[BaseException], *words: str) -> Iterator[pytest.ExceptionInfo]:
    """Expect such an error of the block, with every one of the words in its text."""
    with pytest.raises(kind) as caught:
        yield caught
    text = str(caught.value)
    missing = [word for word in words if word.lower() not in text.lower()]
    assert not missing, f"the error does not say {missing}:\n{text}"


def refused(call: Callable[..., Any], kind: type[Exception], *arguments: Any) -> None:
    """Check that a call raises such an error, which says what it expected and what to do."""
    with refuses(kind, "\n  expected  ", "\n  to do     ") as caught:
        call(*arguments)
    assert isinstance(caught.value, MinipaddleError)
