"""Values, numbers and formulas of the transcript; goldens have the sentences."""

from tests.each import each
from viz.draw.transcript import value
from viz.model import Shown
from viz.story.sentences import ops
from viz.story.sentences.wording import digits, shape


def test_large_values_are_shown_as_their_range() -> None:
    stats = {"min": 0.0, "max": 2.0, "mean": 1.0, "nan": 3, "inf": 0, "size": 5000}
    rows = {"shape": [5000], "dtype": "float32", "data": None, "stats": stats}
    told = value(Shown("x", "input", rows), "en")
    assert told == "in x [5000] float32: min 0, max 2, mean 1, 3 nan"


@each(
    ("number", "text"),
    [(0.5, "0.5"), (-1.25, "−1.25"), (1e-8, "1e−8"), (3, "3"), (True, "True"), ("nan", "nan")],
)
def test_numbers_are_short(number: object, text: str) -> None:
    assert digits(number) == text
    assert shape([2, -1]) == "[2, ?]"


@each(
    ("symbol", "given", "text"),
    [
        ("1 −", ["s"], "1 − s"),
        ("× 2", ["a + b"], "(a + b) × 2"),
        ("(+ 1) × 2", ["x"], "(x + 1) × 2"),
        ("tanh", ["x"], "tanh(x)"),
        ("−", ["a", "b"], "a − b"),
        ("concat", ["a", "b"], "concat(a, b)"),
        ("−", ["x"], "−x"),
        ("⁻¹", ["a @ b"], "(a @ b)⁻¹"),
    ],
)
def test_results_without_a_name_are_named_by_their_formula(
    symbol: str, given: list[str], text: str
) -> None:
    assert ops.spell(symbol, given) == text
