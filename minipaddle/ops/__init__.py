"""The ops: a registry of records, and one module per family.

The families below are loaded at once; every other one when a name of it is first used. A new
family needs no line here: `python -m tests.architecture.later` writes its names into `later.py`.
"""

from __future__ import annotations

import importlib
from typing import Any

from . import (
    catalog,
    operators,
)
from .elementwise import (  # noqa: F401  (importing a family registers it)
    arithmetic,
    comparison,
    exponential,
    options,
    scaling,
    trigonometry,
)
from .indexing import (  # noqa: F401  (importing a family registers it)
    index,
)
from .later import FAMILIES
from .making import (  # noqa: F401  (importing a family registers it)
    convert,
    creation,
)
from .matrices import (  # noqa: F401  (importing a family registers it)
    products,
)
from .op_spec import Op, get, op
from .reductions import (  # noqa: F401  (importing a family registers it)
    reduction,
)
from .registry import REGISTRY, Sample, Static, sample
from .shapes import (  # noqa: F401  (importing a family registers it)
    shape,
)

__all__ = [
    "REGISTRY",
    "Op",
    "Sample",
    "Static",
    "catalog",
    "get",
    "op",
    "operators",
    "sample",
]


def __getattr__(name: str) -> Any:
    """A family that is loaded later."""
    if name not in FAMILIES:
        raise AttributeError(name)
    return importlib.import_module(f".{name}", __name__)
