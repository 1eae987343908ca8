"""Distributions: words of the generator turned into the numbers of Paddle's CPU kernels.

Every function draws from the given or the global generator; a `seed` other than 0 makes a fresh
generator for the call, as Paddle does for an op's own seed. Words are drawn strictly in order, and
none is skipped at the end of a call.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..engine.errors import InvalidArgument, NotFound, OutOfRange, PreconditionNotMet
from ..errors import misfit, require
from .generator import PIECE, Generator, Words, default_generator, integer_seed

# ----- functions of libm -------------------------------------------------------------------------

# glibc's logf (2.27 and later) divides each power of two into 16 intervals, from 0x1.66p-1 on. Each
# has 1/c for a point c near its middle; with x = z * 2**k and the small r = z/c - 1,
# log(x) = k log 2 + log c + log(1 + r). The numbers are glibc's (Arm's optimized routines).
_FIRST_BITS = 0x3F330000  # bits of the float32 at which the first interval begins
_INVERSES_HEX = """
    0x1.661ec79f8f3bep+0 0x1.571ed4aaf883dp+0 0x1.49539f0f010bp+0  0x1.3c995b0b80385p+0
    0x1.30d190c8864a5p+0 0x1.25e227b0b8eap+0  0x1.1bb4a4a1a343fp+0 0x1.12358f08ae5bap+0
    0x1.0953f419900a7p+0 0x1p+0               0x1.e608cfd9a47acp-1 0x1.ca4b31f026aap-1
    0x1.b2036576afce6p-1 0x1.9c2d163a1aa2dp-1 0x1.886e6037841edp-1 0x1.767dcf5534862p-1
"""
_INVERSES = np.array([float.fromhex(text) for text in _INVERSES_HEX.split()])
_LOGS = -np.array([math.log(inverse) for inverse in _INVERSES])
_LN2 = math.log(2)
_CUBIC_HEX = "-0x1.ffffef20a4123p-2 0x1.5575b0be00b6ap-2 -0x1.00ea348b88334p-2"
_CUBIC = [float.fromhex(text) for text in _CUBIC_HEX.split()]


def log(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return log(x) as C computes it: float32 or float64, shape (n,), every x positive and normal.

    >>> log(np.float32([1, 0.5]))
    array([ 0.       , -0.6931472], dtype=float32)
    """
    if x.dtype == np.float64:
        return np.fromiter(map(math.log, x.tolist()), np.float64, x.size)
    bits = x.view(np.int32)
    offset = bits - np.int32(_FIRST_BITS)
    power = offset >> 23
    interval = (offset >> 19) & 15
    z = (bits - (power << 23)).view(np.float32)
    r = z * _INVERSES[interval] - 1
    square, whole = r * r, power * _LN2 + _LOGS[interval]
    a, b, c = _CUBIC
    result: np.ndarray[Any, Any] = (c * square + (b * r + a)) * square + (whole + r)
    return result.astype(np.float32)


_INT32 = np.iinfo(np.int32)


# ----- Continuous -----


def uniform(
    shape: Sequence[int],
    dtype: Any = np.float32,
    low: float = 0.0,
    high: float = 1.0,
    *,
    seed: int = 0,
    generator: Generator | None = None,
) -> np.ndarray[Any, Any]:
    """Return numbers spread evenly over [low, high); the bounds are rounded to float32 first.

    Errors: RuntimeError for a dtype that is not floating.
    Source: the kernel of Paddle's `paddle.uniform`.

    >>> uniform((2,), generator=Generator(0)).tolist()
    [0.3123345971107483, 0.1266777664422989]
    """
    work = _working_type("uniform", dtype)
    low, high = _as_attribute(low, work), _as_attribute(high, work)
    numbers = np.empty(_count_elements("uniform", shape), dtype)
    for start, words in _choose_generator(seed, generator).pieces(numbers.size):
        piece = _to_unit_interval(words, work)
        piece *= high - low
        piece += low
        numbers[start : start + piece.size] = piece
    return numbers.reshape(shape)


def gaussian(
    shape: Sequence[int],
    dtype: Any = np.float32,
    mean: float = 0.0,
    std: float = 1.0,
    *,
    seed: int = 0,
    generator: Generator | None = None,
) -> np.ndarray[Any, Any]:
    """Return normal numbers by the polar method; mean and std are rounded to float32 first.

    Errors: RuntimeError for a dtype that is not floating.
    Source: the kernel of Paddle's `paddle.normal`.

    >>> gaussian((2,), generator=Generator(0)).tolist()
    [-0.7571103572845459, -0.38059189915657043]
    """
    work = _working_type("gaussian", dtype)
    size = _count_elements("gaussian", shape)
    numbers = _draw_normals(_choose_generator(seed, generator), size, work)
    numbers *= _as_attribute(std, work)
    numbers += _as_attribute(mean, work)
    return numbers.astype(dtype, copy=False).reshape(shape)


def exponential(
    shape: Sequence[int],
    dtype: Any = np.float32,
    rate: float = 1.0,
    *,
    seed: int = 0,
    generator: Generator | None = None,
) -> np.ndarray[Any, Any]:
    """Return waiting times of mean 1/rate, -log(1 - u)/rate; InvalidArgument unless rate > 0.

    Source: the kernel of Paddle's `paddle.Tensor.exponential_`.

    >>> exponential((1,), generator=Generator(0)).tolist()
    [0.3744528889656067]
    """
    require(rate > 0, "exponential", "rate > 0", rate=rate)
    work = _working_type("exponential", dtype)
    mean = -1 / _as_attribute(rate, work)
    numbers = np.empty(_count_elements("exponential", shape), dtype)
    for start, words in _choose_generator(seed, generator).pieces(numbers.size):
        numbers[start : start + words.size] = log(1 - _to_unit_interval(words, work)) * mean
    return numbers.reshape(shape)


# ----- Whole numbers -----


def randint(
    shape: Sequence[int],
    dtype: Any,
    low: int,
    high: int,
    *,
    seed: int = 0,
    generator: Generator | None = None,
) -> np.ndarray[Any, Any]:
    """Return integers spread evenly over low .. high-1; dtype int32 or int64, bounds of 32 bits.

    InvalidArgument unless low < high, OutOfRange for larger bounds, NotFound for other dtypes.

    Source: the kernel of Paddle's `paddle.randint`.

    >>> randint((4,), np.int64, 0, 10, generator=Generator(0)).tolist()
    [3, 1, 8, 5]
    """
    _require_dtype("randint", dtype, "int32", "int64")
    for name, bound in (("low", low), ("high", high)):
        if not _INT32.min <= bound <= _INT32.max:
            bounds = f"{_INT32.min} <= {name} <= {_INT32.max}"
            raise misfit("randint", bounds, OutOfRange, **{name: bound})
    require(low < high, "randint", "low < high", low=low, high=high)
    limits = np.broadcast_to(np.uint64(high - low), _count_elements("randint", shape))
    numbers = np.empty(limits.size, dtype)
    for start, drawn in _draw_below(_choose_generator(seed, generator), limits):
        numbers[start : start + drawn.size] = drawn.view(np.int64) + low
    return numbers.reshape(shape)


def randperm(
    n: int,
    dtype: Any = np.int64,
    *,
    seed: int = 0,
    generator: Generator | None = None,
) -> np.ndarray[Any, Any]:
    """Return the numbers 0 .. n-1 in the random order of C++'s std::shuffle.

    Errors: RuntimeError for a negative n.
    Source: the kernel of Paddle's `paddle.randperm`.

    >>> randperm(5, generator=Generator(0)).tolist()
    [3, 2, 4, 1, 0]
    """
    _require_dtype("randperm", dtype, "int32", "int64", "float32", "float64")
    order = list(range(_count_elements("randperm", (n,))))
    # One draw gives two swaps; if their number is odd, the first draw gives one.
    lone = n > 1 and n % 2 == 0
    firsts = np.arange(2 if lone else 1, n, 2, dtype=np.uint64)
    limits = (firsts + 1) * (firsts + 2)
    if lone:
        limits = np.insert(limits, 0, 2)
    drawn = _draw_below(_choose_generator(seed, generator), limits)
    draws = [draw for _, piece in drawn for draw in piece.tolist()]
    if lone:
        j = draws.pop(0)
        order[1], order[j] = order[j], order[1]
    for i, draw in zip(firsts.tolist(), draws, strict=True):
        j, k = divmod(draw, i + 2)
        order[i], order[j] = order[j], order[i]
        order[i + 1], order[k] = order[k], order[i + 1]
    return np.array(order, dtype)


# ----- Chances -----


def bernoulli(
    p: np.ndarray[Any, Any], *, seed: int = 0, generator: Generator | None = None
) -> np.ndarray[Any, Any]:
    """Return 1 with chance p, else 0, for each element of p; float32 or float64 as p.

    OutOfRange unless 0 <= p <= 1, NotFound for other dtypes.

    Source: the kernel of Paddle's `paddle.bernoulli`.

    >>> bernoulli(np.float32([0.5, 0.1]), generator=Generator(0))
    array([1., 0.], dtype=float32)
    """
    _require_dtype("bernoulli", p.dtype, "float32", "float64")
    bad = ~((p >= 0) & (p <= 1))
    if bad.any():
        fix = "turn the values into probabilities first, for example with sigmoid"
        raise misfit("bernoulli", "0 <= p <= 1", OutOfRange, fix, p=p[bad][0].item())
    out, chances = np.empty(p.size, p.dtype), p.reshape(-1)
    for start, words in _choose_generator(seed, generator).pieces(p.size):
        here = slice(start, start + words.size)
        out[here] = _to_unit_interval(words, p.dtype) < chances[here]
    return out.reshape(p.shape)


def dropout_mask(
    shape: Sequence[int], p: float, *, seed: int = 0, generator: Generator | None = None
) -> np.ndarray[Any, Any]:
    """Return a mask, True for elements to keep; each is dropped with chance p.

    Callers must not call this for p of 0 or 1, where Paddle draws nothing.

    Errors: none.
    Source: the kernel of Paddle's `paddle.nn.functional.dropout`.

    >>> dropout_mask((4,), 0.5, generator=Generator(0)).tolist()
    [False, False, True, True]
    """
    kept = np.empty(_count_elements("dropout", shape), bool)
    for start, words in _choose_generator(seed, generator).pieces(kept.size):
        chances = _to_unit_interval(words, np.dtype(np.float32))
        np.greater_equal(chances, np.float32(p), out=kept[start : start + words.size])
    return kept.reshape(shape)


def gamma(
    alpha: np.ndarray[Any, Any], *, seed: int = 0, generator: Generator | None = None
) -> np.ndarray[Any, Any]:
    """Return a number of the gamma distribution of shape alpha > 0 for each element of alpha.

    The method is that of Marsaglia and Tsang: a normal number is stretched, or else rejected.

    Errors: NotFound for other dtypes than float32 and float64.
    Source: the kernel of Paddle's `paddle.distribution.Dirichlet`.

    >>> gamma(np.array([0.5, 2.0]), generator=Generator(0)).round(3).tolist()
    [0.655, 0.8]
    """
    _require_dtype("gamma", alpha.dtype, "float32", "float64")
    stream = _choose_generator(seed, generator)
    with stream.lock:
        drawn = [_draw_gamma(stream, a) for a in alpha.reshape(-1)]
    least = np.finfo(alpha.dtype).tiny
    return np.maximum(np.array(drawn, alpha.dtype), least).reshape(alpha.shape)


def _draw_gamma(stream: Generator, alpha: Any) -> Any:
    """Draw one number of the gamma distribution, in the type of alpha."""
    number, dtype = alpha.dtype.type, alpha.dtype
    scale = number(1)
    if alpha < 1:  # more numbers are accepted for alpha + 1
        scale = (number(1) - _to_unit_interval(stream.raw(1), dtype)[0]) ** (number(1) / alpha)
        alpha = alpha + number(1)
    d = alpha - number(np.float32(1) / np.float32(3))
    c = number(1) / np.sqrt(number(9) * d)
    while True:
        x = _draw_normals(stream, 1, dtype)[0]
        root = number(1) + c * x
        if root <= 0:
            continue
        v = root * root * root
        u = number(1) - _to_unit_interval(stream.raw(1), dtype)[0]
        square = x * x
        if u < number(1) - number(np.float32(0.0331)) * square * square:
            return scale * d * v
        if np.log(u) < number(0.5) * square + d * (number(1) - v + np.log(v)):
            return scale * d * v


def multinomial(
    x: np.ndarray[Any, Any],
    num_samples: int = 1,
    replacement: bool = False,
    *,
    seed: int = 0,
    generator: Generator | None = None,
) -> np.ndarray[Any, Any]:
    """Return categories drawn in proportion to weights x of shape (k,) or (rows, k); int64.

    The result has shape (num_samples,) or (rows, num_samples). InvalidArgument for weights that
    are negative, not finite or all zero, and for more samples than there are categories to take.

    Source: the kernel of Paddle's `paddle.multinomial`.

    >>> multinomial(np.float32([1, 2, 7]), 2, generator=Generator(0)).tolist()
    [2, 0]
    """
    _require_dtype("multinomial", x.dtype, "float32", "float64")
    _check_weights(x, num_samples, replacement)
    rows = x.reshape(-1, x.shape[-1])
    words = _choose_generator(seed, generator).raw(len(rows) * num_samples)
    chances = _to_unit_interval(words, x.dtype).reshape(len(rows), num_samples)
    out = np.empty(chances.shape, np.int64)
    for row, row_chances, chosen in zip(rows, chances, out, strict=True):
        shares = np.cumsum(row, dtype=x.dtype)
        shares /= shares[-1]
        for s, chance in enumerate(row_chances):
            if s and not replacement:
                _remove_share(shares, chosen[s - 1])
            shares[-1] = 1
            chosen[s] = np.searchsorted(shares, chance)
    return out.reshape(*x.shape[:-1], num_samples)


def _check_weights(x: np.ndarray[Any, Any], num_samples: int, replacement: bool) -> None:
    """Raise InvalidArgument for weights that `multinomial` cannot draw from."""

    def require(holds: Any, bounds: str, fix: str, **given: Any) -> None:
        if not holds:
            raise misfit("multinomial", bounds, InvalidArgument, fix, **given)

    fix = "reshape them, one distribution a row"
    require(x.ndim in (1, 2), "weights of shape (k,) or (rows, k)", fix, x=x)
    require(num_samples >= 1, "num_samples >= 1", "ask for at least one", num_samples=num_samples)
    bad = x[~(np.isfinite(x) & (x >= 0))]
    fix = "apply softmax or exp to scores first"
    require(not bad.size, "finite weights >= 0", fix, weights=bad[:1].tolist())
    most = int(np.count_nonzero(x, axis=-1).min(initial=x.shape[-1]))
    require(most, "weights of which not all are 0", "give a category some weight", x=x)
    bounds = f"num_samples <= {most}, the categories of non-zero weight, without replacement"
    fix = "draw fewer, or pass replacement=True"
    require(replacement or num_samples <= most, bounds, fix, num_samples=num_samples)


def _remove_share(shares: np.ndarray[Any, Any], chosen: np.int64) -> None:
    """Remove the chosen category's share, and scale the others to a sum of 1."""
    share = shares[chosen] - (shares[chosen - 1] if chosen else shares.dtype.type(0))
    shares[chosen:] -= share
    # A share that rounds to 1 leaves a divisor of 0; the infinities draw as in Paddle.
    with np.errstate(divide="ignore", invalid="ignore"):
        shares /= 1 - share


# ----- From words to numbers -----


def _to_unit_interval(words: Words, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Turn each word into a number in [0, 1); one that rounds to 1 becomes the next smaller."""
    one = dtype.type(1)
    numbers = words.astype(dtype)
    numbers *= dtype.type(2.0**-64)
    np.minimum(numbers, np.nextafter(one, -one), out=numbers)
    return numbers


def _draw_normals(generator: Generator, count: int, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Draw standard normals by the polar method, from random points in the unit circle."""
    pairs, done = np.empty(((count + 1) // 2, 2), dtype), 0
    with generator.lock:
        while left := len(pairs) - done:
            ahead = min(int(1.3 * left) + 16, PIECE // 2)  # 4/pi = 1.273 points for each one inside
            points = _to_unit_interval(generator.peek(2 * ahead), dtype)
            points *= 2
            points -= 1
            x, y = points[::2], points[1::2]
            squares = x * x
            squares += y * y
            inside = np.flatnonzero((squares <= 1) & (squares > 0))[:left]
            left -= inside.size
            generator.skip(2 * (ahead if left else int(inside[-1]) + 1))
            r2 = squares[inside]
            stretch = np.sqrt(-2 * log(r2) / r2)
            found = pairs[done : done + inside.size]
            np.multiply(y[inside], stretch, out=found[:, 0])
            np.multiply(x[inside], stretch, out=found[:, 1])
            done += inside.size
    return pairs.reshape(-1)[:count]


def _draw_below(generator: Generator, limits: Words) -> Iterator[tuple[int, Words]]:
    """Draw one number below each limit by Lemire's method; reject words that would bias it.

    Yield (index of the first, numbers) in pieces.
    """
    start = 0
    with generator.lock:
        while start < len(limits):
            rest = limits[start : start + PIECE]
            if not rest.strides[0]:  # a broadcast limit: all are equal
                rest = rest[:1]
            words = generator.peek(min(PIECE, len(limits) - start))
            uneven = np.flatnonzero(words * rest < (0 - rest) % rest)
            good = int(uneven[0]) if uneven.size else len(words)
            yield start, _multiply_high(words[:good], rest[:good] if len(rest) > 1 else rest)
            generator.skip(good + (uneven.size > 0))
            start += good


def _multiply_high(a: Words, b: Words) -> Words:
    """Return the upper 64 of the 128 bits of a * b."""
    low32 = np.uint64(2**32 - 1)
    a_high, a_low, b_high, b_low = a >> 32, a & low32, b >> 32, b & low32
    middle = a_high * b_low + (a_low * b_low >> 32)
    other = a_low * b_high + (middle & low32)
    return a_high * b_high + (middle >> 32) + (other >> 32)


# ----- Arguments -----


def _choose_generator(seed: int, generator: Generator | None) -> Generator:
    """Return a fresh generator for an op's own seed, else the given or the global one."""
    if seed:
        return Generator(seed % 2**64, integer_seed)
    return generator or default_generator


def _as_attribute(value: float, dtype: np.dtype[Any]) -> Any:
    """Round a number to float32, as in attributes of Paddle's ops, and return it as `dtype`."""
    return dtype.type(np.float32(value))


def _working_type(name: str, dtype: Any) -> np.dtype[Any]:
    """Return the dtype to compute in: float32 for float16, else the given one."""
    _require_dtype(name, dtype, "float16", "float32", "float64")
    return np.promote_types(dtype, np.float32)


def _require_dtype(name: str, dtype: Any, *allowed: str) -> None:
    received = np.dtype(dtype).name
    if received not in allowed:
        fix = f"pass one of these, for example {allowed[-2]}, and cast afterwards"
        raise misfit(name, " or ".join(allowed), NotFound, fix, dtype=received)


def _count_elements(name: str, shape: Sequence[int]) -> int:
    """Return the number of elements; PreconditionNotMet, as in Paddle, for a negative dimension."""
    if any(length < 0 for length in shape):
        raise misfit(name, "sizes of at least 0", PreconditionNotMet, shape=list(shape))
    return math.prod(shape)
