"""The files of `examples/` as modules that use one Paddle or the other."""

import importlib.util
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / "examples"


def example(paddle, name):
    """Return an example as a module that uses this Paddle, even if minipaddle is installed."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get("minipaddle")
    sys.modules["minipaddle"] = paddle
    try:
        spec.loader.exec_module(module)
    finally:
        sys.modules["minipaddle"] = before
    return module


def trained(paddle, name, how, steps):
    """Return the result of an example's function `how` after some steps in float64."""
    paddle.set_default_dtype("float64")
    try:
        return getattr(example(paddle, name), how)(steps)
    finally:
        paddle.set_default_dtype("float32")
