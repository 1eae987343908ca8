"""Numbers for cases that are the same, to the last bit, on every processor."""

import math

import numpy as np


def spread(*shape: int, part: int = 1) -> np.ndarray:
    """Return an array of numbers between -2 and 2, no two of them equal.

    They are powers modulo a prime, divided by a power of two: NumPy's sin, exp and random.normal
    have other last digits where the processor has other instructions. Each `part` gives other
    numbers.
    """
    powers = range(1000 * part, 1000 * part + math.prod(shape))
    integers = [pow(48271, power, 2**31 - 1) for power in powers]
    return np.array(integers).reshape(shape) / 2.0**29 - 2.0
