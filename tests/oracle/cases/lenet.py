"""The example `lenet_digits.py`, which trains a network in either mode."""

from ..harness import case
from ._examples import trained


@case(ulps=2**16)
def fifty_steps_in_float64(paddle, show):
    show("losses", trained(paddle, "lenet_digits", "train_eagerly", 50))


@case(ulps=2**16)
def fifty_steps_of_a_program_in_float64(paddle, show):
    show("losses", trained(paddle, "lenet_digits", "train_a_program", 50))
