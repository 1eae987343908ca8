"""viz.set_lang sets the language in which players and pages start."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument
from viz.player import display, places


@pytest.fixture(autouse=True)
def undecided() -> Iterator[None]:
    yield
    viz.set_lang("")


@pytest.fixture
def trace() -> viz.Trace:
    with viz.record() as trace:
        paddle.tanh(paddle.to_tensor([0.5]))
    return trace


def shown(trace: viz.Trace, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Return the player's language, and the picture for notebooks without players."""
    started: list[str] = []

    class Player:
        def __init__(self, code: object, told: object, *, lang: str, **_start: object) -> None:
            started.append(lang)

        def view(self) -> dict[str, str]:
            return {}

    monkeypatch.setattr(places, "Player", Player)
    picture = display.mimebundle(trace)["image/svg+xml"]
    return started[0], "前向" if "前向" in picture else "Forward"


def test_a_notebook_shows_the_language_that_was_set(
    trace: viz.Trace, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shown(trace, monkeypatch) == ("", "Forward")
    viz.set_lang("zh")
    assert shown(trace, monkeypatch) == ("zh", "前向")


def test_a_saved_page_starts_in_the_set_language_and_the_document_is_unchanged(
    trace: viz.Trace, tmp_path: Path
) -> None:
    before = trace.dumps()
    viz.set_lang("zh")
    page = trace.save(tmp_path / "tanh.html").read_text(encoding="utf-8")
    assert '<html lang="zh' in page
    assert trace.dumps() == before


def test_views_are_saved_in_the_set_language_unless_another_is_given(
    trace: viz.Trace, tmp_path: Path
) -> None:
    x = paddle.to_tensor([1.0], stop_gradient=False)
    viz.set_lang("zh")
    for view in (viz.diff(trace, trace), viz.explain(x)):
        assert str(view) == view.text("zh") != view.text("en")
        assert view._repr_mimebundle_()["text/plain"] == view.text("zh")
        file = view.save(tmp_path / "view.txt")
        assert file.read_text(encoding="utf-8") == view.text("zh")
        view.save(file, lang="en")
        assert file.read_text(encoding="utf-8") == view.text("en")


def test_an_unknown_language_is_an_error() -> None:
    with pytest.raises(InvalidArgument, match="no sentences in the language 'fr'"):
        viz.set_lang("fr")


def test_views_refuse_a_language_without_sentences(trace: viz.Trace) -> None:
    x = paddle.to_tensor([1.0], stop_gradient=False)
    diff, explained = viz.diff(trace, trace), viz.explain(x)
    for asked in (
        trace.text,
        diff.text,
        diff.svg,
        diff.html,
        explained.text,
        explained.svg,
        lambda lang: viz.slopes(trace, lang),
        lambda lang: viz.plots.loss([1.0], lang=lang),
    ):
        with pytest.raises(InvalidArgument, match="no sentences in the language 'fr'"):
            asked("fr")
