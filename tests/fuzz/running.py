"""Run a random program, and compare its outcome."""

import gc
import math
import re
import weakref
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import minipaddle
from minipaddle.engine.errors import MinipaddleError, PermissionDenied

from . import reference
from .programs import Program


@dataclass
class Held:
    """The final state of a tensor of a program."""

    data: np.ndarray
    stop: bool
    leaf: bool
    version: int
    grad: np.ndarray | None


@dataclass
class Outcome:
    """The tensors of a program by name, gradients in hooks, caught errors, and the final error."""

    tensors: dict[str, Held] = field(default_factory=dict)
    seen: list[tuple[str, np.ndarray]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    error: BaseException | None = None
    references: dict[str, weakref.ref[Any]] = field(default_factory=dict)

    @property
    def ended(self) -> str:
        """The name of the error's built-in class, if there is an error."""
        if self.error is None:
            return "in good order"
        return next(c.__name__ for c in type(self.error).__mro__ if c.__module__ == "builtins")


def outcome_of(program: Program, paddle: Any = minipaddle) -> Outcome:
    """Run a program's text with this module as `paddle`."""
    names: dict[str, Any] = {"paddle": paddle, "np": np, "__name__": "__main__"}
    result = Outcome()
    try:
        exec(compile(program.text, "<program>", "exec"), names)
    except Exception as error:  # noqa: BLE001  (the error is a part of the outcome)
        result.error = error
    result.seen, result.errors = names["seen"], names["errors"]
    kind = reference.Tensor if paddle is reference.paddle else paddle.Tensor
    tensors = {name: value for name, value in names.items() if isinstance(value, kind)}
    result.tensors = {name: held(tensor) for name, tensor in tensors.items()}
    result.references = {name: weakref.ref(tensor) for name, tensor in tensors.items()}
    if result.error is not None:
        forget(result.error)
    names.clear()  # the program's functions refer to the names
    return result


def nothing_left(program: Program, result: Outcome) -> None:
    """Check that no tensor of the program is alive; no other thread may collect garbage."""

    def alive() -> list[str]:
        return [name for name, tensor in result.references.items() if tensor() is not None]

    if program.may_make_circles and alive():
        gc.collect()
    assert not alive(), f"still alive after the program: {', '.join(alive())}"


def forget(error: BaseException | None) -> None:
    """Clear the frames of an error and its causes, which hold the program's variables."""
    while error is not None:
        error = error.with_traceback(None).__cause__ or error.__context__


def held(tensor: Any) -> Held:
    grad = None if tensor.grad is None else tensor.grad.numpy()
    values = tensor.numpy(), tensor.stop_gradient, tensor.is_leaf, tensor.inplace_version, grad
    return Held(*values)


# ----- Comparing ---------------------------------------------------------------------------------


def same(one: Outcome, other: Outcome) -> None:
    """Check that two outcomes are equal to the bit, errors with their texts."""
    assert one.ended == other.ended, (one.error, other.error)
    assert texts(one) == texts(other), f"{texts(one)}\nand\n{texts(other)}"
    assert one.tensors.keys() == other.tensors.keys()
    for name, left in one.tensors.items():
        right = other.tensors[name]
        state = [(t.stop, t.leaf, t.version, t.grad is None) for t in (left, right)]
        assert state[0] == state[1], (name, state)
        same_bits(name, left.data, right.data)
        if left.grad is not None:
            same_bits(f"{name}.grad", left.grad, right.grad)
    assert [name for name, _ in one.seen] == [name for name, _ in other.seen]
    for (name, a), (_, b) in zip(one.seen, other.seen, strict=True):
        same_bits(name, a, b)


def texts(outcome: Outcome) -> list[str]:
    """Return the texts of errors without the numbers of tensors, which threads share."""
    return [re.sub(r"_tensor_\d+", "_tensor", t) for t in [*outcome.errors, str(outcome.error)]]


def same_bits(name: str, a: Any, b: Any) -> None:
    assert (a.dtype, a.shape) == (b.dtype, b.shape), name
    assert a.tobytes() == b.tobytes(), f"{name}: {a.tolist()} and {b.tolist()}"


def right(result: Outcome, expected: Outcome, overwritten: bool) -> None:
    """Check that an outcome equals that of the reference, up to rounding.

    If a value that backward needs may have been overwritten, an error is right as well.
    """
    if isinstance(result.error, PermissionDenied) and overwritten:
        return
    assert result.ended == expected.ended, f"ended with {result.error!r}, not {expected.ended}"
    assert len(result.errors) == len(expected.errors)
    if result.error is not None:
        return  # the error came inside of a pass
    assert result.tensors.keys() == expected.tensors.keys()
    arrays = [t.data for t in expected.tensors.values()]
    arrays += [t.grad for t in expected.tensors.values() if t.grad is not None]
    arrays += [g for _, g in expected.seen]
    slack = tolerance(arrays)
    for name, left in result.tensors.items():
        other = expected.tensors[name]
        state = [(t.stop, t.leaf, t.version, t.grad is None) for t in (left, other)]
        assert state[0] == state[1], (name, state)
        near(name, left.data, other.data, slack)
        if left.grad is not None:
            near(f"{name}.grad", left.grad, other.grad, slack)
    in_turn = [sorted(row, key=lambda pair: pair[0]) for row in (result.seen, expected.seen)]
    assert [name for name, _ in in_turn[0]] == [name for name, _ in in_turn[1]]
    for (name, a), (_, b) in zip(*in_turn, strict=True):
        near(name, a, b, slack)


def tolerance(arrays: list[Any]) -> float:
    """Return the tolerance for rounding: a part of the largest number, by the narrowest dtype."""
    floats = [a for a in arrays if a.dtype.kind == "f"]
    digits = max((float(np.finfo(a.dtype).eps) for a in floats), default=0.0)
    largest = max((float(np.abs(a).max()) for a in floats if a.size), default=1.0)
    return 200 * digits * max(largest, 1.0)


def near(name: str, a: Any, b: Any, slack: float) -> None:
    assert (a.dtype, a.shape) == (b.dtype, b.shape), (name, a, b)
    if a.dtype.kind != "f":
        np.testing.assert_array_equal(a, b, name)
    else:
        off = float(np.abs(a - b).max()) if a.size else 0.0
        assert off <= slack or math.isnan(slack), f"{name}: {a.tolist()}, not {b.tolist()}"


def in_parts(result: Outcome) -> None:
    """Check that all errors are ours, and name the fault, the expectation, and the advice."""
    assert isinstance(result.error, MinipaddleError | None), f"no error of ours: {result.error!r}"
    for text in [*result.errors, *([str(result.error)] if result.error else [])]:
        assert all(f"\n  {part}" in text for part in ("expected", "received", "to do")), text
