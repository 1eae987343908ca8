"""Arguments from which no random number can come are refused, and the error says what to do."""

from collections.abc import Callable

import numpy as np
import pytest

from minipaddle import random
from minipaddle.engine import errors
from minipaddle.random import Generator
from tests.each import each

F = np.float32
SEED = "an int with 0 <= seed < 2**64"
BITS = ("a random seed must be a whole number of 64 bits.", SEED)
NUMBER = "pass such a number, for example 2023"
STATE = "pass what get_state() returned"
STATES = ("a list of one GeneratorState", "pass what get_rng_state() returned")
SIGMOID = "turn the values into probabilities first, for example with sigmoid"
P = ("bernoulli: every probability must lie between 0 and 1.", "0 <= p <= 1")
WEIGHT = ("multinomial: a weight is negative or not finite.", "finite weights >= 0")
SOFTMAX = "apply softmax or exp to scores first"
CAST = "pass one of these, for example {}, and cast afterwards"
SHAPE = "every dimension >= 0"
IN_FULL = "give the shape in full: nothing here can infer a -1"
SWAP = "swap the bounds, or raise high: it is not itself drawn"

# The class that Paddle raises, the call, and the four lines: what, expected, received, to do.
WRONG: list[tuple[type, Callable[[], object], str, str, str, str]] = [
    # ----- Seeds and states -----
    (TypeError, lambda: Generator().manual_seed(-1), *BITS, "-1", NUMBER),
    (TypeError, lambda: Generator().manual_seed(3.7), *BITS, "3.7", NUMBER),
    (TypeError, lambda: random.seed(2**64), *BITS, "18446744073709551616", NUMBER),
    (
        ValueError,
        lambda: random.seed("x"),
        "paddle.seed() could not read its argument as a whole number.",
        SEED,
        "'x'",
        "pass such a number, for example paddle.seed(2023)",
    ),
    (
        TypeError,
        lambda: random.seed(None),
        "paddle.seed() could not read its argument as a whole number.",
        SEED,
        "None",
        "pass such a number, for example paddle.seed(2023)",
    ),
    (
        TypeError,
        lambda: Generator().set_state(3),
        "set_state() takes a generator's state.",
        "a GeneratorState",
        "int",
        STATE,
    ),
    (
        TypeError,
        lambda: random.set_rng_state(3),
        "set_rng_state() takes the list that get_rng_state() returns.",
        STATES[0],
        "int",
        STATES[1],
    ),
    (
        ValueError,
        lambda: random.set_rng_state([]),
        "set_rng_state() needs the state of exactly one CPU generator.",
        STATES[0],
        "a list of 0",
        STATES[1],
    ),
    # ----- Data types and shapes -----
    (
        RuntimeError,
        lambda: random.uniform((2,), "int32"),
        "uniform is not made for this data type.",
        "float16 or float32 or float64",
        "int32",
        CAST.format("float32"),
    ),
    (
        RuntimeError,
        lambda: random.randint((2,), "float32", 0, 2),
        "randint is not made for this data type.",
        "int32 or int64",
        "float32",
        CAST.format("int32"),
    ),
    (
        RuntimeError,
        lambda: random.bernoulli(np.array([1])),
        "bernoulli is not made for this data type.",
        "float32 or float64",
        "int64",
        CAST.format("float32"),
    ),
    (
        RuntimeError,
        lambda: random.gaussian((2, -2)),
        "gaussian: a dimension is negative.",
        SHAPE,
        "shape [2, -2]",
        IN_FULL,
    ),
    (
        RuntimeError,
        lambda: random.randperm(-1),
        "randperm: a dimension is negative.",
        SHAPE,
        "shape [-1]",
        IN_FULL,
    ),
    # ----- Parameters of a distribution -----
    (
        ValueError,
        lambda: random.exponential((2,), rate=0),
        "exponential: the rate must be positive.",
        "rate > 0",
        "rate = 0",
        "pass one over the mean waiting time",
    ),
    (
        ValueError,
        lambda: random.randint((2,), "int64", 5, 5),
        "randint: the range is empty.",
        "low < high",
        "low = 5, high = 5",
        SWAP,
    ),
    (
        IndexError,
        lambda: random.randint((2,), "int64", 0, 2**40),
        "randint: high does not fit into 32 bits.",
        "-2147483648 <= high <= 2147483647",
        "high = 1099511627776",
        "use smaller bounds",
    ),
    (IndexError, lambda: random.bernoulli(F([0.5, 1.5])), *P, "1.5", SIGMOID),
    (IndexError, lambda: random.bernoulli(np.array(-1, F)), *P, "-1.0", SIGMOID),
    (IndexError, lambda: random.bernoulli(F([np.nan])), *P, "nan", SIGMOID),
    (ValueError, lambda: random.multinomial(F([2, -1])), *WEIGHT, "-1.0", SOFTMAX),
    (ValueError, lambda: random.multinomial(F([2, np.inf])), *WEIGHT, "inf", SOFTMAX),
    (
        ValueError,
        lambda: random.multinomial(F([[1, 2], [0, 0]])),
        "multinomial: all weights of a row are 0.",
        "a sum > 0",
        "0",
        "give a category some weight",
    ),
    (
        ValueError,
        lambda: random.multinomial(F([1, 0, 2]), 3),
        "multinomial: not enough categories to draw from without replacement.",
        "num_samples <= 2, the categories of non-zero weight",
        "3",
        "draw fewer or pass replacement=True",
    ),
    (
        ValueError,
        lambda: random.multinomial(F([1, 2]), 0),
        "multinomial: nothing to draw.",
        "num_samples >= 1",
        "0",
        "ask for a sample or more",
    ),
    (
        ValueError,
        lambda: random.multinomial(F([[[1]]])),
        "multinomial: the weights must be one row or several.",
        "shape (k,) or (rows, k)",
        "shape (1, 1, 1)",
        "reshape them, one distribution a row",
    ),
]


@each(("kind", "call", "what", "expected", "received", "fix"), WRONG)
def test_refused(
    kind: type, call: Callable[[], object], what: str, expected: str, received: str, fix: str
) -> None:
    state = random.default_generator.get_state()
    with pytest.raises(kind) as caught:
        call()
    assert isinstance(caught.value, errors.MinipaddleError)
    assert str(caught.value).startswith(
        f"{what}\n  expected  {expected}\n  received  {received}\n  to do     {fix}"
    )
    assert random.default_generator.get_state() == state, "a refused call must draw nothing"
