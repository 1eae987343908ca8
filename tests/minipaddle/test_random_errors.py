"""Wrong arguments of random functions are errors, and nothing is drawn."""

from collections.abc import Callable

import numpy as np

from minipaddle import random
from minipaddle.random import Generator
from tests.contract.refusal import refused
from tests.each import each

F = np.float32
WRONG: list[tuple[type[Exception], Callable[[], object]]] = [
    # seeds and states
    (TypeError, lambda: Generator().manual_seed(-1)),
    (TypeError, lambda: Generator().manual_seed(3.7)),
    (TypeError, lambda: random.seed(2**64)),
    (ValueError, lambda: random.seed("x")),
    (TypeError, lambda: random.seed(None)),
    (TypeError, lambda: Generator().set_state(3)),
    (TypeError, lambda: random.set_rng_state(3)),
    (ValueError, lambda: random.set_rng_state([])),
    # data types and shapes
    (RuntimeError, lambda: random.uniform((2,), "int32")),
    (RuntimeError, lambda: random.randint((2,), "float32", 0, 2)),
    (RuntimeError, lambda: random.bernoulli(np.array([1]))),
    (RuntimeError, lambda: random.gaussian((2, -2))),
    (RuntimeError, lambda: random.randperm(-1)),
    # parameters of a distribution
    (ValueError, lambda: random.exponential((2,), rate=0)),
    (ValueError, lambda: random.randint((2,), "int64", 5, 5)),
    (IndexError, lambda: random.randint((2,), "int64", 0, 2**40)),
    (IndexError, lambda: random.bernoulli(F([0.5, 1.5]))),
    (IndexError, lambda: random.bernoulli(np.array(-1, F))),
    (IndexError, lambda: random.bernoulli(F([np.nan]))),
    (ValueError, lambda: random.multinomial(F([2, -1]))),
    (ValueError, lambda: random.multinomial(F([2, np.inf]))),
    (ValueError, lambda: random.multinomial(F([[1, 2], [0, 0]]))),
    (ValueError, lambda: random.multinomial(F([1, 0, 2]), 3)),
    (ValueError, lambda: random.multinomial(F([1, 2]), 0)),
    (ValueError, lambda: random.multinomial(F([[[1]]]))),
]


@each(("kind", "call"), WRONG)
def test_wrong_arguments_raise_without_a_draw(
    kind: type[Exception], call: Callable[[], object]
) -> None:
    state = random.default_generator.get_state()
    refused(call, kind)
    assert random.default_generator.get_state() == state
