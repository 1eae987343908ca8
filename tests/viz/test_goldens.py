"""Stories and pictures of small programs equal their golden texts."""

from collections.abc import Callable

from tests.each import each

from . import goldens

TEXTS = dict(goldens.texts())


@each(("name", "make"), TEXTS.items(), ids=TEXTS)
def test_a_story_equals_its_golden_text(name: str, make: Callable[[], str]) -> None:
    assert make() == goldens.kept(name), "if this is meant: python -m tests.viz.goldens"


def test_every_golden_text_has_its_program() -> None:
    kept = {path.stem for path in goldens.FOLDER.iterdir()}
    assert kept == set(TEXTS)
    assert sum(path.stat().st_size for path in goldens.FOLDER.iterdir()) < 970_000
