"""Every public function, class and member of Tensor says what a learner asks `help` for.

One sentence; shapes and dtypes where tensors go in; errors; Paddle's name for it; an example, which
`test_docstrings.py` runs. The names are those of `__all__`, and of `dir(paddle.Tensor)`.
"""

from __future__ import annotations

import builtins
import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest

import minipaddle
from minipaddle.engine import errors
from minipaddle.engine.errors import NoSuchName

PACKAGES = (
    "linalg nn nn.functional nn.initializer nn.utils optimizer optimizer.lr autograd io metric "
    "static static.nn device device.cuda random regularizer testing base"
).split()
ABOUT_TENSORS = ("paddle", "paddle.linalg", "paddle.nn", "paddle.nn.functional")

# ----- what is public ----------------------------------------------------------------------------


def public() -> Iterator[tuple[str, Any]]:
    """Every public callable by its first name, and every member of Tensor."""
    seen: set[int] = set()
    places = [("paddle", minipaddle)]
    places += [(f"paddle.{name}", importlib.import_module(f"minipaddle.{name}")) for name in PACKAGES]
    places += [("viz", importlib.import_module("viz"))]
    places += [("viz.plots", importlib.import_module("viz.views.plots"))]
    for path, module in places:
        for name in module.__all__:
            value = getattr(module, name)
            if callable(value) and id(value) not in seen:
                seen.add(id(value))
                yield f"{path}.{name}", value
    for name in dir(minipaddle.Tensor):
        if name[0] != "_" and name not in OF_THE_ENGINE:
            try:
                value = getattr(minipaddle.Tensor, name)
            except NoSuchName:
                continue
            if id(value) not in seen:
                seen.add(id(value))
                yield f"paddle.Tensor.{name}", value


OF_THE_ENGINE = {"edges", "hooks", "visit"}  # what backward asks of a leaf

# ----- what a docstring must say -----------------------------------------------------------------

SENTENCE = re.compile(r"[^\n]+(\n[^\n]+)*?[.:]( |\n|$)")
SHAPE = re.compile(r"\bshapes?\b|\bShapes:|\[[A-Za-z0-9*, …]+\]|\b0-D\b|\bsizes?\b|element|\baxes\b")
DTYPE = re.compile(r"\bdtypes?\b|\bDtypes:|\b(float|int|complex)\d*|\bbools?\b|floating|integer|number")
KINDS = {name for name in (*vars(errors), *vars(builtins)) if is_error(name)} if False else set()
