"""How the contract states an error: its Python class and the words that a reader needs."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def refuses(kind: type[BaseException], *words: str) -> Iterator[pytest.ExceptionInfo]:
    """The block raises exactly such an error, and its text holds every one of the words."""
    with pytest.raises(kind) as caught:
        yield caught
    text = str(caught.value)
    missing = [word for word in words if word.lower() not in text.lower()]
    assert not missing, f"the error does not say {missing}:\n{text}"
