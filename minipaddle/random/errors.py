"""What is wrong with a seed, a generator's state, or a distribution."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine.errors import (
    InvalidArgument,
    InvalidType,
    MinipaddleError,
    NotFound,
    OutOfRange,
    PreconditionNotMet,
)


def no_rate(rate: float) -> InvalidArgument:
    return InvalidArgument(
        "exponential: the rate must be positive.",
        expected="rate > 0",
        received=f"rate = {rate}",
        fix="pass one over the mean waiting time",
    )


def bound_too_large(name: str, bound: int, lowest: int, highest: int) -> OutOfRange:
    return OutOfRange(
        f"randint: {name} does not fit into 32 bits.",
        expected=f"{lowest} <= {name} <= {highest}",
        received=f"{name} = {bound}",
        fix="use smaller bounds",
    )


def empty_range(low: int, high: int) -> InvalidArgument:
    return InvalidArgument(
        "randint: the range is empty.",
        expected="low < high",
        received=f"low = {low}, high = {high}",
        fix="swap the bounds, or raise high: it is not itself drawn",
    )


def no_probability(p: object) -> OutOfRange:
    return OutOfRange(
        "bernoulli: every probability must lie between 0 and 1.",
        expected="0 <= p <= 1",
        received=f"{p}",
        fix="turn the values into probabilities first, for example with sigmoid",
    )


def no_such_dtype(name: str, received: str, allowed: Sequence[str]) -> NotFound:
    return NotFound(
        f"{name} is not made for this data type.",
        expected=" or ".join(allowed),
        received=received,
        fix=f"pass one of these, for example {allowed[-2]}, and cast afterwards",
    )


def negative_size(name: str, shape: Sequence[int]) -> PreconditionNotMet:
    return PreconditionNotMet(
        f"{name}: a dimension is negative.",
        expected="every dimension >= 0",
        received=f"shape {list(shape)}",
        fix="give the shape in full: nothing here can infer a -1",
    )


def no_seed(seed: object) -> InvalidType:
    return InvalidType(
        "a random seed must be a whole number of 64 bits.",
        expected="an int with 0 <= seed < 2**64",
        received=repr(seed),
        fix="pass such a number, for example 2023",
    )


def no_states(value: object) -> InvalidType:
    return InvalidType(
        "set_rng_state() takes the list that get_rng_state() returns.",
        expected="a list of one GeneratorState",
        received=type(value).__name__,
        fix="pass what get_rng_state() returned",
    )


def several_states(count: int) -> InvalidArgument:
    return InvalidArgument(
        "set_rng_state() needs the state of exactly one CPU generator.",
        expected="a list of one GeneratorState",
        received=f"a list of {count}",
        fix="pass what get_rng_state() returned",
    )


def no_device(device: object) -> InvalidArgument:
    return InvalidArgument(
        "get_rng_state and set_rng_state know the devices cpu and gpu.",
        expected="None, 'cpu', 'gpu' or 'gpu:x'",
        received=repr(device),
        fix="leave the argument out",
    )


def no_state(state: object) -> InvalidType:
    return InvalidType(
        "set_state() takes a generator's state.",
        expected="a GeneratorState",
        received=type(state).__name__,
        fix="pass what get_state() returned",
    )


def unreadable_seed(kind: type[MinipaddleError], seed: object) -> MinipaddleError:
    return kind(
        "paddle.seed() could not read its argument as a whole number.",
        expected="an int with 0 <= seed < 2**64",
        received=repr(seed),
        fix="pass such a number, for example paddle.seed(2023)",
    )
