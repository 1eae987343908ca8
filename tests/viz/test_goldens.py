"""Stories and pictures of small programs equal their golden texts."""

from collections.abc import Callable
from dataclasses import fields

from tests.each import each
from viz.story import steps
from viz.story.builder import Builder
from viz.story.sentences import backward, forward, gradients
from viz.story.sentences import programs as of_programs
from viz.trace import Trace

from . import goldens, programs, recordings, sayings, stories
from .programs import kept

TEXTS = dict(goldens.texts())
TOLD = (*programs.ALL, *stories.ALL, *stories.TOLD, *sayings.ALL, *recordings.ALL)
KINDS = [
    kind
    for module in (forward, backward, gradients, of_programs)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, steps.Facts) and kind is not steps.Facts
]


@each(("name", "make"), TEXTS.items(), ids=TEXTS)
def test_a_story_equals_its_golden_text(name: str, make: Callable[[], str]) -> None:
    assert make() == goldens.kept(name), "if this is meant: python -m tests.viz.goldens"


def test_every_golden_text_has_its_program() -> None:
    kept = {path.stem for path in goldens.FOLDER.iterdir()}
    assert kept == set(TEXTS)
    assert sum(path.stat().st_size for path in goldens.FOLDER.iterdir()) < 1_700_000


def test_golden_texts_have_every_kind_of_facts_with_both_values_of_each_flag() -> None:
    told = [facts for program in TOLD for facts in facts_of(program)]
    for kind in KINDS:
        some = [facts for facts in told if type(facts) is kind]
        assert some, f"no golden text has a sentence of {kind.__name__}"
        for flag in (field.name for field in fields(kind) if field.type == "bool"):
            assert {getattr(facts, flag) for facts in some} == {False, True}, (kind, flag)


def facts_of(program: Callable[[], Trace]) -> list[steps.Facts]:
    """Return what the sentences of a story say."""
    builder = Builder(kept(program))
    builder.walk(0)
    builder.end()
    return [step.facts for step in builder.draft.steps]
