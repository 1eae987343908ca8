"""The random streams equal Paddle's, bit for bit."""

import json
import math
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from minipaddle import random
from minipaddle.random import Generator, distributions
from tests.each import each
from tests.nn.test_initializers import MAKERS as WEIGHTS

GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "rng.json").read_text(encoding="utf-8"))
SEEDS = st.integers(0, 2**64 - 1)


def bits(array: np.ndarray) -> tuple:
    """Return dtype, shape and bits of an array, for exact comparisons."""
    return array.dtype.str, array.shape, array.tobytes()


def numbers(values: list) -> list:
    return [float.fromhex(value) if isinstance(value, str) else value for value in values]


# ----- Recorded streams -----


def dropped_out(x: np.ndarray, p: float, gen: Generator) -> np.ndarray:
    kept = np.where(random.dropout_mask(x.shape, p, generator=gen), x, 0)
    return (kept / x.dtype.type(1 - np.float32(p))).astype(x.dtype)


DRAWS: dict[str, Callable[[Generator], np.ndarray]] = {
    "randn_f32_7": lambda g: random.gaussian((7,), "float32", generator=g),
    "randn_f64_7": lambda g: random.gaussian((7,), "float64", generator=g),
    "rand_f32_5": lambda g: random.uniform((5,), "float32", generator=g),
    "rand_f64_5": lambda g: random.uniform((5,), "float64", generator=g),
    "uniform_m1_1_f32_5": lambda g: random.uniform((5,), "float32", -1, 1, generator=g),
    "uniform_0.1_0.3_f64_5": lambda g: random.uniform((5,), "float64", 0.1, 0.3, generator=g),
    "normal_0.5_2_f32_5": lambda g: random.gaussian((5,), "float32", 0.5, 2, generator=g),
    "randint_0_10_i64_8": lambda g: random.randint((8,), "int64", 0, 10, generator=g),
    "randint_m5_1000_i32_8": lambda g: random.randint((8,), "int32", -5, 1000, generator=g),
    "randperm_10": lambda g: random.randperm(10, generator=g),
    "randperm_7": lambda g: random.randperm(7, generator=g),
    "bernoulli_0.3_10": lambda g: random.bernoulli(np.full(10, 0.3, np.float32), generator=g),
    "dropout_0.5_ones10": lambda g: dropped_out(np.ones(10, np.float32), 0.5, g),
}
SEQUENCE = "sequence_randn3_rand2_randint3"


@each("seed", GOLDEN)
@each("name", DRAWS)
def test_a_stream_equals_its_recording(name: str, seed: str) -> None:
    record = GOLDEN[seed][name]
    values = np.array(numbers(record["values"]), record["dtype"]).reshape(record["shape"])
    assert bits(DRAWS[name](Generator(int(seed)))) == bits(values)


def test_every_recorded_stream_is_tested() -> None:
    assert {name for record in GOLDEN.values() for name in record} == {*DRAWS, *WEIGHTS, SEQUENCE}


@each("seed", GOLDEN)
def test_ops_share_one_stream(seed: str) -> None:
    g = random.seed(seed)
    assert g is random.default_generator
    drawn = {
        "randn": random.gaussian((3,)).tolist(),
        "rand": random.uniform((2,)).tolist(),
        "randint": random.randint((3,), "int64", 0, 100).tolist(),
    }
    recorded = GOLDEN[seed][SEQUENCE]
    assert drawn == {name: numbers(values) for name, values in recorded.items()}


# ----- The engine -----


def test_ten_thousandth_word_is_the_standard_one() -> None:
    assert Generator(5489, random.integer_seed).raw(10_000)[-1] == 9981545732273789042


@given(SEEDS, st.lists(st.integers(0, 700), max_size=6))
def test_split_draws_equal_one_draw(seed: int, parts: list[int]) -> None:
    split, whole = Generator(seed), Generator(seed)
    pieces = [split.raw(part) for part in parts]
    assert np.concatenate([np.empty(0, np.uint64), *pieces]).tolist() == (
        whole.raw(sum(parts)).tolist()
    )
    assert split.get_state() == whole.get_state()


@given(SEEDS, st.integers(0, 700), st.integers(1, 700))
def test_state_brings_the_stream_back(seed: int, before: int, after: int) -> None:
    g = Generator(seed)
    g.raw(before)
    state = g.get_state()
    drawn = g.raw(after).tolist()
    g.seed()
    g.set_state(state)
    assert g.raw(after).tolist() == drawn
    assert g.initial_seed() == state.current_seed() == seed


def test_an_op_seed_leaves_the_global_stream_alone() -> None:
    expected = Generator(8).random()
    random.seed(8)
    first, second = (random.uniform((3,), seed=42) for _ in range(2))
    assert bits(first) == bits(second)
    # Recorded from Paddle: paddle.uniform([2], seed=-1) and seed=2**31-1.
    np.testing.assert_allclose(random.uniform((2,), seed=-1), [0.02591386, 0.71791178], rtol=1e-6)
    np.testing.assert_allclose(
        random.uniform((2,), seed=2**31 - 1), [0.16803269, 0.32332471], rtol=1e-6
    )
    assert random.default_generator.random() == expected


# ----- Distributions -----


@given(SEEDS, st.lists(st.integers(1, 2**64 - 1), min_size=1, max_size=8))
def test_bounded_numbers_follow_lemire(seed: int, limits: list[int]) -> None:
    g, model = Generator(seed), Generator(seed)

    def below(limit: int) -> int:
        product = model.random() * limit
        while product % 2**64 < (2**64 - limit) % limit:
            product = model.random() * limit
        return product >> 64

    pieces = distributions._draw_below(g, np.array(limits, np.uint64))
    drawn = [word for _, piece in pieces for word in piece.tolist()]
    assert drawn == [below(limit) for limit in limits]
    assert g.get_state() == model.get_state()


@given(SEEDS, st.integers(0, 200))
def test_normals_take_two_words_for_each_point(seed: int, count: int) -> None:
    g, model = Generator(seed), Generator(seed)
    drawn = random.gaussian((count,), "float64", generator=g)
    expected: list[float] = []
    while len(expected) < count:
        x, y = (2 * (model.random() * 2.0**-64) - 1 for _ in range(2))
        r2 = x * x + y * y
        if 0 < r2 <= 1:
            stretch = math.sqrt(-2 * math.log(r2) / r2)
            expected += [y * stretch, x * stretch]
    assert drawn.tolist() == expected[:count]
    assert g.get_state() == model.get_state()


def test_large_draws_in_pieces_continue_exactly() -> None:
    g, small = Generator(1), Generator(1)
    whole = random.gaussian((100_000,), generator=g)
    parts = [random.gaussian((size,), generator=small) for size in (10, 99_990)]
    assert bits(whole) == bits(np.concatenate(parts))
    assert g.get_state() == small.get_state()
    assert abs(whole.mean()) < 0.02
    assert abs(whole.std() - 1) < 0.02


def test_draws_do_not_depend_on_their_pieces() -> None:
    """45,000 words take more than two pieces; the model draws them one hundred at a time."""
    chances, limits = np.full(100, 0.3, "f4"), np.full(45_000, 3 * 2**62, np.uint64)
    for draw in (
        partial(random.uniform, low=-1.0, high=3.0), random.exponential,
        lambda shape, **g: random.randint(shape, "int32", -5, 2**30, **g),
        lambda shape, **g: random.dropout_mask(shape, 0.3, **g),
        lambda shape, **g: random.bernoulli(np.resize(chances, shape), **g),
    ):  # fmt: skip
        g, small = Generator(4), Generator(4)
        whole = draw((450, 100), generator=g)
        rows = [draw((100,), generator=small) for _ in range(450)]
        assert bits(whole) == bits(np.stack(rows))
        assert g.get_state() == small.get_state()
    g, small = Generator(4), Generator(4)
    whole = np.concatenate([piece for _, piece in distributions._draw_below(g, limits)])
    rows = [np.concatenate([p for _, p in distributions._draw_below(small, limits[i : i + 100])])
            for i in range(0, 45_000, 100)]  # fmt: skip
    assert bits(whole) == bits(np.concatenate(rows))
    assert g.get_state() == small.get_state()


def test_the_largest_word_gives_the_number_just_below_one() -> None:
    words = np.array([2**64 - 1, 0], np.uint64)
    assert distributions._to_unit_interval(words, np.dtype("float32")).tolist() == [1 - 2**-24, 0]
    assert distributions._to_unit_interval(words, np.dtype("float64")).tolist() == [1 - 2**-53, 0]


LOGF = {
    "0x1.e6a32cp-1": "-0x1.a03290p-5",
    "0x1.f42f7ep-1": "-0x1.7e7e62p-6",
    "0x1.97d4e4p-1": "-0x1.d1dbf0p-3",
    "0x1.f2c1bep-1": "-0x1.ad5bfap-6",
    "0x1.e48b90p-2": "-0x1.7f1c16p-1",
    "0x1.060d7ap-1": "-0x1.56ed4ep-1",
    "0x1.000000p+0": "0x0p+0",
    "0x1.000000p-1": "-0x1.62e430p-1",
    "0x1.000000p-45": "-0x1.f310e4p+4",
    "0x1.fffffep-1": "-0x1.000000p-24",
}


def test_log_float32_is_the_c_librarys() -> None:
    # Results of glibc; the first four are not the correctly rounded values.
    x, logs = np.float32(numbers([*LOGF])), np.float32(numbers([*LOGF.values()]))
    assert bits(distributions.log(x)) == bits(logs)
    rounded = np.log(x.astype(np.float64)).astype(np.float32)
    assert (rounded != logs).tolist() == [True] * 4 + [False] * 6
