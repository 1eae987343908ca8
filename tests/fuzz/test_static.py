"""Random Programs give the results of eager mode, bit for bit, in every way of running."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument, MinipaddleError
from tests.sealing import leaks, start_afresh

from .running import same_bits, tolerance
from .static_programs import BATCH, BATCHES, FIXED, StaticProgram, static_programs

pytestmark = pytest.mark.slow


def compared(results: dict[str, Any], expected: dict[str, Any]) -> None:
    for name, value in results.items():
        same_bits(name, value, expected[name])


def near(grads: dict[str, Any], expected: dict[str, Any], slack: float) -> None:
    """Compare up to rounding, because the modes add several gradients in different orders."""
    assert grads.keys() == expected.keys()
    for name, grad in grads.items():
        assert (grad.dtype, grad.shape) == (expected[name].dtype, expected[name].shape), name
        np.testing.assert_allclose(grad, expected[name], rtol=0, atol=slack, err_msg=name)


def at_once(program: StaticProgram, sizes: list[int]) -> dict[int, Any]:
    """Return the results of eager mode for each size of the batch that it accepts.

    A slice of a slice of BATCH rows may have the size of another axis.
    """
    found = {BATCH: program.at_once(BATCH)}
    for size in set(sizes) - {BATCH}:
        with suppress(InvalidArgument):
            found[size] = program.at_once(size)
    return found


@pytest.mark.parametrize("kinds", [FIXED, BATCHES], ids=["fixed", "batches"])
def test_every_run_of_a_program_equals_eager_mode(fuzz: Callable, kinds: Any) -> None:
    sizes = [BATCH, BATCH, 2, BATCH, 2, 1, BATCH] if kinds is BATCHES else [BATCH] * 4

    def check(program: StaticProgram) -> None:
        start_afresh()
        expected = at_once(program, sizes)
        with program.built() as (results, grads):
            executor = paddle.static.Executor()
            fetch = [*results.values(), *grads.values()]
            if not fetch:
                return

            def run(size: int) -> list[Any]:
                return executor.run(feed=program.arrays(size), fetch_list=fetch)

            with viz.record() as trace:
                watched = run(BATCH)
            runs = [(BATCH, watched)]
            for size in sizes:
                if size in expected:
                    runs.append((size, run(size)))
                else:
                    with pytest.raises(MinipaddleError):
                        run(size)
            for size, values in runs:
                wanted, wanted_grads = expected[size]
                slack = tolerance([*wanted.values(), *wanted_grads.values()])
                compared(dict(zip(results, values, strict=False)), wanted)
                near(dict(zip(grads, values[len(results) :], strict=True)), wanted_grads, slack)
                first = next(values for other, values in runs if other == size)
                compared(dict(enumerate(values)), dict(enumerate(first)))
            for_test = paddle.static.default_main_program().clone(for_test=True)
            values = executor.run(
                for_test, feed=program.arrays(BATCH), fetch_list=[v.name for v in results.values()]
            )
            compared(dict(zip(results, values, strict=True)), expected[BATCH][0])
        assert trace.text()
        assert not leaks(), leaks()

    fuzz(check, static_programs(kinds), 25, part=0.16)
