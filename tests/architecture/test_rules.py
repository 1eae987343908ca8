"""Each rule holds for the code base, and each one notices the breach it is there for."""

import re
import sys
from collections.abc import Callable, Collection, Iterable

import pytest

from minipaddle.engine.reasons import WORDINGS, Reason
from minipaddle.messages import Text
from tests.each import each
from viz.language.words import PAGE_WORDS, WORDS_OF_PICTURES

from . import rules
from .sources import ROOT, Source, load

Rule = Callable[[Iterable[Source]], list[str]]


def outward(sources: Iterable[Source]) -> list[str]:
    return rules.outward(sources, sys.stdlib_module_names)


RULES: list[Rule] = [
    *(rules.floors, outward, rules.viz_inward, rules.cycles, rules.rooms),
    *(rules.dynamic_imports, rules.unstable_ids, rules.one_language),
    *(rules.long_raises, rules.unused_errors),
]


@pytest.fixture(scope="module")
def packages() -> list[Source]:
    return load("minipaddle", "viz")


@each("rule", RULES)
def test_the_packages_keep_the_rule(rule: Rule, packages: list[Source]) -> None:
    complaints = rule(packages)
    assert not complaints, "\n".join(complaints)


def test_every_module_of_viz_is_in_a_room(packages: list[Source]) -> None:
    named = {name for row in rules.ROOMS for name in row}
    assert {rules.room(source.module) for source in packages if "viz." in source.module} == named


# ----- A breach of each rule ---------------------------------------------------------------------

EMPTY = [
    Source("minipaddle", "", is_package=True),
    Source("minipaddle.eager", "", is_package=True),
    Source("minipaddle.static", "", is_package=True),
    Source("minipaddle.ops", "", is_package=True),
]

BREACHES: list[tuple[Rule, str, str, str]] = [
    (rules.floors, "minipaddle.engine.dtypes", "from ..ops import math", "from floor 2"),
    (rules.floors, "minipaddle.ops.math", "import minipaddle", "from floor 5"),
    (
        rules.floors,
        "minipaddle.engine.tensor",
        "def f():\n    from .. import eager",
        "from floor 3",
    ),
    (rules.floors, "minipaddle.eager.tensor", "from .. import static", "side by side"),
    (rules.floors, "minipaddle.nn.layer", "from minipaddle._cli import doctor", "from floor 5"),
    (outward, "minipaddle.nn.layer", "import viz.layout", "imports viz.layout"),
    (outward, "minipaddle._cli.demo", "from viz import record", "imports viz"),
    (outward, "viz.trace", "import lessons.check", "imports lessons.check"),
    (outward, "minipaddle.engine.naming", "import matplotlib", "floor 0"),
    (rules.viz_inward, "viz.trace", "from minipaddle.eager.tensor import Tensor", "eager"),
    (rules.viz_inward, "viz.trace", "from minipaddle import static", "static"),
    (rules.cycles, "minipaddle.a", "from . import a", "minipaddle.a <- minipaddle.a"),
    (rules.rooms, "viz.story.draft", "from ..player import page", "viz.story imports viz.player"),
    (rules.dynamic_imports, "viz.a", "import_module('json')", "imports by name"),
    (
        rules.dynamic_imports,
        "viz.a",
        "def f(name):\n    return importlib.import_module(name)",
        "viz.a:2 imports by name",
    ),
    (rules.unstable_ids, "viz.a", "name = str(id(node))", "calls id()"),
    (rules.one_language, "viz.a", "a = Text('zero', '零')", "viz.a:1 is no Message"),
    (rules.long_raises, "minipaddle.eager.a", "raise E(\n1,\n2\n)", "eager.a:1 raises in 4 lines"),
    (rules.unused_errors, "minipaddle.nn.errors", "def a(): ...", "nn.errors.a is never used"),
]


@each(("rule", "module", "text", "complaint"), BREACHES)
def test_a_breach_is_noticed(rule: Rule, module: str, text: str, complaint: str) -> None:
    complaints = rule([*EMPTY, Source(module, text)])
    assert len(complaints) == 1
    assert complaint in complaints[0]


def test_a_cycle_through_three_modules_is_noticed() -> None:
    ring = ("a", "from .b import x"), ("b", "from . import c"), ("c", "def f():\n    import viz.a")
    sources = [Source(f"viz.{name}", text) for name, text in ring]
    assert len(rules.cycles(sources)) == 1
    assert rules.cycles(sources[:2]) == []


def test_the_rules_allow_what_is_right() -> None:
    allowed = [
        *EMPTY,
        Source("minipaddle.nn", "from ..eager import tensor\nfrom .. import ops", is_package=False),
        Source(
            "minipaddle.static.executor",
            "from ..ops import registry\nfrom ..engine.errors import E",
        ),
        Source("viz", "def __getattr__(n): return importlib.import_module(n)", is_package=True),
        Source("viz.trace", "import minipaddle as paddle\nfrom minipaddle.events import OpStarted"),
        Source("minipaddle._cli.demo", "viz = importlib.import_module('viz')\nid(viz)"),
        Source("viz.b", "a = Text('w', 'w')\nb = Text(one, other)\nc = Text('x')"),
    ]
    for rule in RULES:
        assert rule(allowed) == [], rule


# ----- The words of pictures and of the player ---------------------------------------------------

QUOTED = re.compile(r"[\"'](\w+)[\"']")
NAMED = re.compile(r"\w+(?=[\"':])")  # in quotes, or a key as in `{ min: 1 }`
BEGUN = re.compile(r"[\"`](\w+_)\$?\{")  # f"column_{name}", `row_${kind}`
ENDED = re.compile(r"\}(_\w+)[\"`]")
ASKED = re.compile(r'words\.(?:say|text)\("(\w+)"')


def code_of(files: str) -> str:
    """Return the code of some files of viz, but for that of the words themselves."""
    found = (ROOT / "viz").glob(files)
    return "\n".join(f.read_text(encoding="utf-8") for f in found if f.name != "words.py")


@each(
    ("words", "files", "read"),
    [(PAGE_WORDS, "player/web/**/*.js", NAMED), (WORDS_OF_PICTURES, "**/*.py", QUOTED)],
    ids=["page", "pictures"],
)
def test_every_word_is_used(words: Collection[str], files: str, read: re.Pattern[str]) -> None:
    code = code_of(files)
    ends = (*BEGUN.findall(code), *ENDED.findall(code))
    unused = [k for k in words if not any(k.startswith(e) or k.endswith(e) for e in ends)]
    assert set(unused) <= {*read.findall(code)}


def test_the_player_asks_for_no_other_word() -> None:
    asked = set(ASKED.findall(code_of("player/web/**/*.js")))
    assert len(asked) > 50
    assert asked <= PAGE_WORDS.keys()


def test_every_reason_for_a_missing_gradient_has_its_texts() -> None:
    assert set(WORDINGS) == set(Reason)
    assert all(wording.happened != Text("", "") for wording in WORDINGS.values())
