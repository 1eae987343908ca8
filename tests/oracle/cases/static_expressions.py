"""Operators and functions on Variables: names, shapes, dtypes, operator types and values."""

from ._static_worlds import expressions

STATIC = True
NUMBERS = "a power is one operator, a quotient is what it is in eager mode"
NAMES = "outputs are numbered by the op that the function is made of"

TABLE = [
    *expressions("static_expressions", "operator", run=True),
    *expressions("static_expressions", "function", ulps=16),
    *expressions("static_expressions", "number", run=True, differs=NUMBERS),
    *expressions("static_expressions", "name", differs=NAMES),
    *expressions("static_expressions", "part"),
    *expressions("static_expressions", "part of parts", run=True),
]
