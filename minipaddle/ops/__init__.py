"""The ops: one record each, in modules by family. Importing a family registers its ops."""

from __future__ import annotations

from . import catalog, operators
from .elementwise import (  # noqa: F401
    arithmetic,
    comparison,
    exponential,
    gamma,
    options,
    pairs,
    predicates,
    rounding,
    scaling,
    special,
    trigonometry,
)
from .indexing import (  # noqa: F401
    along,
    gathering,
    index,
    join_at,
    masking,
    picking,
    positions,
    scattering,
)
from .making import (  # noqa: F401
    convert,
    creation,
    patterns,
    properties,
    ranges,
    sampling,
    transfer,
)
from .matrices import (  # noqa: F401
    contraction,
    decompositions,
    einsum,
    linalg,
    norms,
    products,
)
from .networks import (  # noqa: F401
    activations,
    classes,
    convolution,
    forms,
    losses,
    neural,
    normalization,
    padding,
    pooling,
    rectifiers,
    rows,
    windows,
)
from .op_spec import Op, op
from .ranks import collectives  # noqa: F401
from .record import Sample, Static, sample
from .reductions import (  # noqa: F401
    composed,
    counts,
    covariance,
    lines,
    ordering,
    quantiles,
    reduction,
    scan,
    searching,
    statistics,
)
from .registry import REGISTRY
from .shapes import (  # noqa: F401
    diagonals,
    parts,
    rearrange,
    repeating,
    shape,
    slicing,
)

__all__ = ["REGISTRY", "Op", "Sample", "Static", "catalog", "op", "operators", "sample"]
