"""Mistakes with paddle.text; what it computes and reads is in `tests/oracle/cases/text.py`."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest

import minipaddle as paddle
from minipaddle.vision.datasets import download
from tests.each import each

MISSING: dict[str, Callable[[Any], Any]] = {
    "UCIHousing": paddle.text.UCIHousing,
    "Imdb": paddle.text.Imdb,
    "Imikolov": lambda path: paddle.text.Imikolov(path, window_size=2),
}


@each("name", MISSING)
def test_a_missing_file_is_asked_for(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nothing"):
        MISSING[name](str(tmp_path / "nothing"))


@each("name", MISSING)
def test_without_a_name_the_file_is_downloaded(name: str, tmp_path: Path, monkeypatch: Any) -> None:
    """The bytes are wrong: the error shows that the right file was asked for, and checked."""
    asked: list[str] = []

    class Answer(io.BytesIO):
        length = 3

    def urlopen(url: str, timeout: float) -> Answer:
        asked.append(url)
        if len(asked) == 1:
            raise URLError("no route")
        return Answer(b"bad")

    monkeypatch.setattr(download, "urlopen", urlopen)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    url, folder = getattr(paddle.text, name).URL, getattr(paddle.text, name).FOLDER
    path = tmp_path / ".cache" / "paddle" / "dataset" / folder / url.rpartition("/")[2]
    for told in ("no route", "3 bytes"):
        with pytest.raises(RuntimeError, match=told) as caught:
            MISSING[name](None)
        assert str(path) in str(caught.value)
        assert "Digits" not in str(caught.value)
    assert asked == [url, url]
    assert not path.exists()


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
