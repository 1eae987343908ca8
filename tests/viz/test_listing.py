"""NumPy's calls are listed as instructions, or the op says why they cannot be."""

from typing import Any

import numpy as np
import pytest

from minipaddle.ops.recording_arrays import RECORDING, Untraceable, record_with
from minipaddle.ops.rule_functions import host_check
from tests.each import each
from viz.whatif.listing import Listing


def code_of(work: Any, *arrays: Any) -> list[list[Any]]:
    """Return the instructions of some work on leaves, without those of the leaves."""
    listing = Listing()
    with record_with(listing):
        work(*[listing.leaf(np.asarray(array)) for array in arrays])
    code: list[list[Any]] = listing.as_json()["code"]
    return [each for each in code if each[0] != "leaf"]


SINGLE = np.ones((2, 3), "float32")


def test_a_plain_number_is_as_exact_as_the_array_beside_it() -> None:
    single = float(np.float32(0.1))
    assert code_of(lambda x: x > 0.1, SINGLE) == [["map", 1, "greater", [0, [single]]]]
    assert code_of(lambda x: x > 0.1, np.ones(2)) == [["map", 1, "greater", [0, [0.1]]]]
    assert code_of(lambda x: x * 0.1, [1, 2]) == [["map", 1, "multiply", [0, [0.1]]]]


def test_a_comparison_has_the_bounds_between_which_its_answer_holds() -> None:
    inside = host_check(lambda _xp, x: bool((x < 5).all()), same_between=lambda x: (x, 0, 4))
    other = host_check(lambda _xp, x: bool(x.any()))

    def asks(x: Any) -> None:
        inside(RECORDING, x)
        other(RECORDING, x)

    assert code_of(asks, [1, 2]) == [["asked", 0, 0, 4], ["asked", 0, None, None]]
    assert code_of(asks, [1, 7])[0] == ["asked", 0, None, None]  # the other answer


@each(
    ("work", "why"),
    [
        (lambda x: RECORDING.nonzero(x, x), "np.nonzero"),
        (lambda x: RECORDING.nextafter(x, x), "np.nextafter()"),
        (lambda x: RECORDING.asnumpy(x, x), "xp.asnumpy"),
        (lambda x: RECORDING.add.reduce(x, initial=2.0), "np.add.reduce(initial=)"),
        (lambda x: x.astype("float16"), "arrays of float16"),
        (lambda x: x[x > 0], "the shape of x[mask] depends on the mask"),
        (lambda x: bool(x.any()), "the kernel asks for a value"),
        (lambda x: RECORDING.einsum("...i->...", x), "np.einsum of '...i->...'"),
        (lambda x: x.reshape(6, order="F"), "elements in another order"),
    ],
)
def test_an_op_that_cannot_be_listed_says_so(work: Any, why: str) -> None:
    with pytest.raises(Untraceable) as told:
        code_of(work, SINGLE)
    assert str(told.value) == why
