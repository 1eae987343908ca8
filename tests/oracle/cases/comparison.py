"""Comparisons, logic, bits: values, dtypes, `out`, numbers, isclose and equality."""

import numpy as np

from ._texts import texts

NAN, INF = np.nan, np.inf
SPECIAL = np.array([1, INF, INF, -INF, NAN, 1, 0.0], "float32")
OTHERS = np.array([1 + 1e-6, INF, -INF, -INF, NAN, INF, 1e-9], "float32")
TABLE = texts("comparison", globals())
