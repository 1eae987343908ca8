"""Mistakes with paddle.text; what it computes and reads is in `tests/oracle/cases/text.py`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import minipaddle as paddle
from tests.each import each

MISSING: dict[str, Callable[[Any], Any]] = {
    "UCIHousing": paddle.text.UCIHousing,
    "Imdb": paddle.text.Imdb,
    "Imikolov": lambda path: paddle.text.Imikolov(path, window_size=2),
}


@each("name", MISSING)
def test_a_missing_file_is_asked_for(name: str, tmp_path: Path) -> None:
    for path in (None, str(tmp_path / "nothing")):
        with pytest.raises(FileNotFoundError, match="give its path") as caught:
            MISSING[name](path)
        assert "自行下载" in str(caught.value.message.zh)


@each("length", [0, 4])
def test_a_sequence_has_from_one_step_to_all(length: int) -> None:
    lengths = paddle.to_tensor([2, length])
    with pytest.raises(ValueError, match=f"lengths=.2, {length}.") as caught:
        paddle.text.viterbi_decode(paddle.ones([2, 3, 2]), paddle.ones([2, 2]), lengths)
    assert "steps=3" in str(caught.value)


def test_paths_are_found_in_dynamic_mode() -> None:
    paddle.enable_static()
    x = paddle.static.data("x", [2, 3, 2])
    with pytest.raises(AssertionError, match="dynamic mode"):
        paddle.text.viterbi_decode(x, x[0], x[0, 0])
    paddle.disable_static()
