"""The example `lenet_digits.py`, which trains a network in either mode."""

import importlib.util
import sys
from pathlib import Path

from ..harness import case

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "lenet_digits.py"
STEPS = 50


def example(paddle):
    """The example as a module that uses this Paddle, also where minipaddle is there too."""
    spec = importlib.util.spec_from_file_location("lenet_digits", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get("minipaddle")
    sys.modules["minipaddle"] = paddle
    try:
        spec.loader.exec_module(module)
    finally:
        sys.modules["minipaddle"] = before
    return module


def losses(paddle, dtype, name):
    paddle.set_default_dtype(dtype)
    try:
        return getattr(example(paddle), name)(STEPS)
    finally:
        paddle.set_default_dtype("float32")


@case(ulps=2**16)
def fifty_steps_in_float64(paddle, show):
    show("losses", losses(paddle, "float64", "train_eagerly"))


@case(ulps=2**16)
def fifty_steps_of_a_program_in_float64(paddle, show):
    show("losses", losses(paddle, "float64", "train_a_program"))
