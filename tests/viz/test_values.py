"""Digits of numbers, and histograms of arrays that are too large to store."""

import json
from pathlib import Path

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument
from viz.document.values import BINS, FEW, SMALL, shortest, summary


def test_the_digits_of_many_float32_at_once_are_those_that_numpy_writes() -> None:
    """Powers of two and ten, their neighbours, and numbers beyond exact powers are tested."""
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**32, 300_000, dtype=np.uint32).view("float32")
    size = np.abs(bits)
    powers = np.float32([*2.0 ** np.arange(-46, 76), *10.0 ** np.arange(-13, 23)])
    rows = [
        bits[np.isfinite(bits)],
        bits[(size >= 1e-14) & (size < 1e23)],
        *(np.nextafter(powers, np.float32(to)) for to in (-np.inf, np.inf, 0)),
        powers,
        np.float32([0.0, -0.0] * FEW),
        rng.integers(0, 2**24, 10_000).astype("float32"),
        (np.arange(10_000) / 1000).astype("float32"),
        np.float32([1e-15, *range(FEW)]),
        np.float32([1e24, *range(FEW)]),
        rng.integers(0, 31_744, 10_000, dtype=np.uint16).view("float16"),
    ]
    for row in rows:
        by_text = row.astype(str).astype("float64")
        assert shortest(row).tobytes() == by_text.tobytes()


def test_the_bins_are_numpys_and_leave_out_nan_and_infinity() -> None:
    values = np.random.default_rng(0).normal(size=SMALL + 4).astype("float32")
    values[:2] = np.nan, np.inf
    wanted, _ = np.histogram(values[2:].astype("float64"), BINS)
    found = summary(values)
    assert np.abs(np.array(found["bins"]) - wanted).max() <= 1  # numbers on an edge
    assert sum(found["bins"]) == values.size - 2


def test_histograms_are_saved_and_checked(tmp_path: Path) -> None:
    x = paddle.arange(5000)
    with viz.record() as trace:
        x * 2
    file = tmp_path / "trace.json"
    trace.save(file)
    assert viz.load(file).document == trace.document
    document = json.loads(file.read_text(encoding="utf-8"))
    document["values"][0]["stats"]["bins"] = [1, "two"]
    file.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(InvalidArgument, match="whole numbers"):
        viz.load(file)
