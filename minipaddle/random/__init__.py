"""Random numbers: the bits of Paddle's CPU streams, on plain NumPy arrays.

`generator` draws 64-bit words, `distributions` turns them into numbers, `libm` is the logarithm on
whose last digit the normals depend.
"""

from ..paddle_names import absent
from .distributions import (
    bernoulli,
    dropout_mask,
    exponential,
    gamma,
    gaussian,
    multinomial,
    randint,
    randperm,
    uniform,
)
from .generator import (
    Generator,
    GeneratorState,
    default_generator,
    get_rng_state,
    integer_seed,
    seed,
    sequence_seed,
    set_rng_state,
)

__all__ = [
    "seed", "get_rng_state", "set_rng_state",
    "Generator", "GeneratorState", "default_generator", "integer_seed", "sequence_seed",
    "uniform", "gaussian", "randint", "randperm",
    "bernoulli", "dropout_mask", "multinomial", "exponential", "gamma",
]  # fmt: skip

__getattr__ = absent.names(__name__)
