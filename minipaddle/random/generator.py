"""The generator: mt19937_64 of the C++ standard, seeded as in Paddle, computed on whole arrays.

The recurrence makes word n+312 from the words n, n+1 and n+156. Its part for words n and n+1 is
computed for 311 new words at once, as it needs known words only. The state is the last 312 words,
without a position inside a block, so it does not depend on how earlier draws were split.
"""

from __future__ import annotations

import operator
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..engine.errors import InvalidArgument, InvalidType
from ..errors import misfit, wrong_type

Words: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]

SIZE, MIDDLE = 312, 156
STEP = SIZE - 1
PIECE = 64 * STEP  # words of a piece, which fits into the cache
# Arrays, because NumPy converts numbers at each call.
_UPPER, _TWIST, _ONE = (np.array(n, np.uint64) for n in (2**64 - 2**31, 0xB5026F5AA96619E9, 1))
_MASK32, _MASK64 = 2**32 - 1, 2**64 - 1
FROM_GET = "pass what get_state() or get_rng_state() returned"
SEEDS = "an int with 0 <= seed < 2**64"


# ----- Seeding: one integer to 312 words -----


def sequence_seed(seed: int) -> Words:
    """Return the words that `paddle.seed` starts from: C++'s seed_seq of the low 32 bits of `seed`.

    Errors: none.
    Source: the generator of Paddle's CPU kernels.

    >>> hex(sequence_seed(0)[0]) == hex(sequence_seed(2**32)[0])
    True
    """
    pool = [0x8B8B8B8B] * (2 * SIZE)
    size, low = len(pool), seed & _MASK32
    for k in range(size):
        near, far = (k + 306) % size, (k + 317) % size
        mix = pool[k] ^ pool[near] ^ pool[k - 1]
        first = 1664525 * (mix ^ mix >> 27) & _MASK32
        second = first + (k if k > 1 else 1 + k * low) & _MASK32
        pool[near] = pool[near] + first & _MASK32
        pool[far] = pool[far] + second & _MASK32
        pool[k] = second
    for k in range(size):
        near, far = (k + 306) % size, (k + 317) % size
        mix = pool[k] + pool[near] + pool[k - 1] & _MASK32
        first = 1566083941 * (mix ^ mix >> 27) & _MASK32
        second = first - k & _MASK32
        pool[near] ^= first
        pool[far] ^= second
        pool[k] = second
    halves = np.array(pool, np.uint64)
    return halves[::2] | halves[1::2] << np.uint64(32)


def integer_seed(seed: int) -> Words:
    """Return the words that an op's own `seed` starts from: the ordinary seeding of mt19937_64.

    Errors: none.
    Source: the generator of Paddle's CPU kernels.

    >>> int(integer_seed(5489)[0])
    5489
    """
    words = [seed & _MASK64]
    for i in range(1, SIZE):
        last = words[-1]
        words.append(6364136223846793005 * (last ^ last >> 62) + i & _MASK64)
    return np.array(words, np.uint64)


# ----- The generator -----


class GeneratorState(NamedTuple):
    """An exact copy of a generator's state; equal states give equal streams.

    Errors: none.
    Source: the generator of Paddle's CPU kernels.

    >>> Generator(7).get_state() == Generator(7).get_state()
    True
    """

    seed: int
    words: bytes

    def __repr__(self) -> str:
        return f"GeneratorState(seed={self.seed})"

    def current_seed(self) -> int:
        """Return the seed that the generator had been given.

        >>> Generator(7).get_state().current_seed()
        7
        """
        return self.seed


class Generator:
    """A stream of 64-bit words, drawn strictly in order; the system gives a missing seed.

    `spread` turns the seed into the first 312 words: `sequence_seed` as in `paddle.seed`, or
    `integer_seed` as in an op's own `seed`.

    Errors: none.
    Source: the generator of Paddle's CPU kernels.

    >>> Generator(2023).manual_seed(0).random()
    5761556218444793869
    """

    __slots__ = ("_made_words", "_seed", "_words_of_seed", "lock")

    def __init__(
        self, seed: int | None = None, spread: Callable[[int], Words] = sequence_seed
    ) -> None:
        # Held by a distribution between `peek` and `skip`.
        self.lock = threading.RLock()
        self._words_of_seed = spread
        self._seed: int
        self._made_words: Words | None = None
        if seed is None:
            self.seed()
        else:
            self.manual_seed(seed)

    @property
    def _words(self) -> Words:
        """The state and the words made ahead; made from the seed when first needed."""
        if self._made_words is None:
            self._made_words = self._words_of_seed(self._seed)
        return self._made_words

    @_words.setter
    def _words(self, words: Words) -> None:
        self._made_words = words

    def manual_seed(self, seed: int) -> Generator:
        """Start the stream that belongs to `seed`, 0 <= seed < 2**64, and return the generator.

        As in Paddle only `seed` modulo 2**32 matters to the stream of `paddle.seed`.

        >>> Generator().manual_seed(42).initial_seed()
        42
        """
        with self.lock:
            self._seed = _check_seed(seed)
            self._made_words = None
        return self

    def seed(self) -> int:
        """Start an unpredictable stream and return its seed.

        >>> generator = Generator(1)
        >>> generator.seed() == generator.initial_seed()
        True
        """
        fresh = int.from_bytes(os.urandom(8), "little") >> 11  # 53 bits, as in Paddle
        self.manual_seed(fresh)
        return fresh

    def initial_seed(self) -> int:
        """Return the seed that the present stream was started from.

        >>> Generator(5).initial_seed()
        5
        """
        return self._seed

    def get_state(self) -> GeneratorState:
        """Return the state, which `set_state` restores.

        >>> generator = Generator(5)
        >>> before = generator.get_state()
        >>> first = generator.random()
        >>> generator.set_state(before)
        >>> generator.random() == first
        True
        """
        with self.lock:
            return GeneratorState(self._seed, self._words[:SIZE].tobytes())

    def set_state(self, state: GeneratorState) -> None:
        """Restore a state that `get_state` returned; InvalidType for anything else.

        >>> generator = Generator(5)
        >>> generator.set_state(Generator(6).get_state())
        >>> generator.initial_seed()
        6
        """
        if not isinstance(state, GeneratorState):
            raise wrong_type("set_state() takes a state.", state, "a GeneratorState", FROM_GET)
        with self.lock:
            self._seed = state.seed
            self._words = np.frombuffer(state.words, np.uint64).copy()

    def random(self) -> int:
        """Return the next word as a Python int, 0 <= word < 2**64.

        >>> Generator(0).random()
        5761556218444793869
        """
        return int(self.raw(1)[0])

    def raw(self, count: int) -> Words:
        """Return the next `count` words, uint64, shape (count,).

        >>> Generator(0).raw(2).tolist()[0] == Generator(0).random()
        True
        """
        words = np.empty(count, np.uint64)
        for start, piece in self.pieces(count):
            words[start : start + len(piece)] = piece
        return words

    def pieces(self, count: int) -> Iterator[tuple[int, Words]]:
        """Yield (index of the first word, words) of the next `count` words in pieces.

        >>> [(start, len(piece)) for start, piece in Generator(0).pieces(3)]
        [(0, 3)]
        """
        with self.lock:
            for start in range(0, count, PIECE):
                piece = self.peek(min(PIECE, count - start))
                self.skip(len(piece))
                yield start, piece

    def peek(self, count: int) -> Words:
        """Return the next `count` words without drawing them; hold `lock` until `skip`.

        >>> generator = Generator(0)
        >>> bool(generator.peek(3)[0] == generator.random())
        True
        """
        missing = SIZE + count - len(self._words)
        if missing > 0:
            self._words = _make_words(self._words, missing)
        return _temper_words(self._words[SIZE : SIZE + count])

    def skip(self, count: int) -> None:
        """Draw `count` words that `peek` has returned.

        >>> generator, other = Generator(0), Generator(0)
        >>> second = generator.peek(2)[1]
        >>> generator.skip(1)
        >>> bool(generator.random() == second)
        True
        """
        # At most 312 words made ahead are retained: more are cheap to make again, and a long
        # tail would be copied at every small draw.
        self._words = self._words[count : count + 2 * SIZE].copy()


def _check_seed(seed: Any) -> int:
    """Return `seed` as a Python int; raise an error if it is no seed."""
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if not 0 <= number < 2**64:
        what = "a random seed must be a whole number of 64 bits."
        raise wrong_type(what, seed, SEEDS, "pass such a number, for example 2023")
    return number


def _make_words(words: Words, missing: int) -> Words:
    """Return `words` followed by at least `missing` new words."""
    known = len(words)
    longer = np.empty(known - (-missing // STEP) * STEP, np.uint64)
    longer[:known] = words
    mixed, twist = np.empty(STEP, np.uint64), np.empty(STEP, np.uint64)
    for end in range(known, len(longer), STEP):
        old, next_ = longer[end - SIZE : end - 1], longer[end - STEP : end]
        np.bitwise_xor(old, next_, out=mixed)
        np.bitwise_and(mixed, _UPPER, out=mixed)
        np.bitwise_xor(mixed, next_, out=mixed)  # upper bits of `old`, lower bits of `next_`
        np.bitwise_and(mixed, _ONE, out=twist)
        np.multiply(twist, _TWIST, out=twist)
        np.right_shift(mixed, _ONE, out=mixed)
        np.bitwise_xor(mixed, twist, out=mixed)
        middle = end + MIDDLE
        np.bitwise_xor(longer[end - MIDDLE : end], mixed[:MIDDLE], out=longer[end:middle])
        rest = longer[middle : end + STEP]
        np.bitwise_xor(longer[end : middle - 1], mixed[MIDDLE:], out=rest)
    return longer


# Shift, number of bits, mask of the bits to flip: the steps of tempering but the last.
_TEMPERING = [
    (np.right_shift, np.array(29, np.uint64), np.array(0x5555555555555555, np.uint64)),
    (np.left_shift, np.array(17, np.uint64), np.array(0x71D67FFFEDA60000, np.uint64)),
    (np.left_shift, np.array(37, np.uint64), np.array(0xFFF7EEE000000000, np.uint64)),
]
_LAST_SHIFT = np.array(43, np.uint64)


def _temper_words(words: Words) -> Words:
    """Return the output words of state words, by the tempering of the Mersenne twister."""
    out, moved = words.copy(), np.empty_like(words)
    for move, by, chosen in _TEMPERING:
        move(out, by, out=moved)
        np.bitwise_and(moved, chosen, out=moved)
        np.bitwise_xor(out, moved, out=out)
    np.right_shift(out, _LAST_SHIFT, out=moved)
    np.bitwise_xor(out, moved, out=out)
    return out


# ----- The global generator -----

default_generator = Generator()


def seed(seed: Any) -> Generator:
    """Seed the global generator with int(seed), 0 <= int(seed) < 2**64, and return it.

    InvalidArgument or InvalidType where int() refuses, InvalidType outside that range.

    Source: Paddle's `paddle.seed`.

    >>> seed("5").initial_seed()
    5
    """
    try:
        number = int(seed)
    except (TypeError, ValueError, OverflowError) as error:
        kind = InvalidType if isinstance(error, TypeError) else InvalidArgument
        what = "paddle.seed() could not read its argument as a whole number."
        raise wrong_type(what, seed, SEEDS, "write for example paddle.seed(2023)", kind) from None
    return default_generator.manual_seed(number)


def get_rng_state(device: str | None = None) -> list[GeneratorState]:
    """Return the state of the global generator, as Paddle's list of one; it serves all devices.

    Errors: none.
    Source: Paddle's `paddle.get_rng_state`.

    >>> len(get_rng_state())
    1
    """
    _check_device(device)
    return [default_generator.get_state()]


def set_rng_state(state_list: list[GeneratorState], device: str | None = None) -> None:
    """Restore a state of the global generator that `get_rng_state` returned.

    Errors: TypeError for anything but that list.
    Source: Paddle's `paddle.set_rng_state`.

    >>> states = get_rng_state()
    >>> first = default_generator.random()
    >>> set_rng_state(states)
    >>> default_generator.random() == first
    True
    """
    _check_device(device)
    many = isinstance(state_list, list | tuple)
    if not many or len(state_list) != 1:
        what = "set_rng_state() takes the list of one state that get_rng_state() returns."
        kind = InvalidArgument if many else InvalidType
        raise wrong_type(what, state_list, "a list of one GeneratorState", FROM_GET, kind)
    default_generator.set_state(state_list[0])


def _check_device(device: str | None) -> None:
    """Raise an error for an unknown device; one generator on the host serves all devices."""
    if device is not None and str(device).partition(":")[0] not in ("cpu", "gpu", "cuda"):
        bounds = "a device: None, 'cpu', 'gpu' or 'gpu:x'"
        raise misfit("get_rng_state", bounds, device=device)
