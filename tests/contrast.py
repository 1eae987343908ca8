"""Contrast of two colours, as WCAG counts it."""

from collections.abc import Sequence

SHARES = (0.2126, 0.7152, 0.0722)


def contrast(one: str | Sequence[int], other: str | Sequence[int]) -> float:
    """Return the ratio, from 1 to 21; a colour is "#rrggbb" or its red, green and blue bytes."""
    low, high = sorted(map(_luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str | Sequence[int]) -> float:
    parts = bytes.fromhex(colour[1:]) if isinstance(colour, str) else colour[:3]
    return sum(share * _linear(part / 255) for part, share in zip(parts, SHARES, strict=True))


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
