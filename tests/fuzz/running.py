"""Run a random program, and compare its outcome."""

import gc
import re
import weakref
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import minipaddle as paddle
from minipaddle.engine.errors import MinipaddleError

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


def outcome_of(program: Program) -> Outcome:
    """Run a program's text."""
    names: dict[str, Any] = {"paddle": paddle, "np": np, "__name__": "__main__"}
    result = Outcome()
    try:
        exec(compile(program.text, "<program>", "exec"), names)
    except Exception as error:  # noqa: BLE001  (the error is a part of the outcome)
        result.error = error
    result.seen, result.errors = names["seen"], names["errors"]
    tensors = {name: value for name, value in names.items() if isinstance(value, paddle.Tensor)}
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


def agrees(ours: Outcome, told: dict[str, Any]) -> None:
    """Check that a program ended in the way and in the state that `worker` told, up to rounding."""
    ended = told["ended"].partition("\n")[0]
    assert ours.ended == ended, f"{ours.error!r}; wanted: {told['ended']}"
    assert len(ours.errors) == told["errors"], ours.errors
    if ours.error is not None:
        return  # the error came inside of a pass
    arrays = [t.data for t in ours.tensors.values()]
    arrays += [t.grad for t in ours.tensors.values() if t.grad is not None]
    slack = 10 * tolerance([*arrays, *(g for _, g in ours.seen)])
    assert ours.tensors.keys() == told["tensors"].keys()
    for name, held in ours.tensors.items():
        stop, leaf, version, data, grad = told["tensors"][name]
        assert (held.stop, held.version) == (stop, version), name
        assert leaf in (None, held.leaf), name
        near(name, held.data, data, slack)
        assert (held.grad is None) == (grad is None), f"{name}.grad"
        if grad is not None:
            near(f"{name}.grad", held.grad, grad, slack)
    rows = [sorted(seen, key=lambda pair: pair[0]) for seen in (ours.seen, told["seen"])]
    assert [name for name, _ in rows[0]] == [name for name, _ in rows[1]]
    for (name, a), (_, b) in zip(*rows, strict=True):
        near(name, a, b, slack)


def near(name: str, array: Any, told: list[Any], slack: float) -> None:
    dtype, shape, numbers = told
    assert (array.dtype.name, list(array.shape)) == (dtype, shape), name
    np.testing.assert_allclose(array.ravel(), numbers, rtol=1e-8, atol=slack, err_msg=name)


def tolerance(arrays: list[Any]) -> float:
    """Return the tolerance for rounding: a part of the largest number, by the narrowest dtype."""
    floats = [a for a in arrays if a.dtype.kind == "f"]
    digits = max((float(np.finfo(a.dtype).eps) for a in floats), default=0.0)
    largest = max((float(np.abs(a).max()) for a in floats if a.size), default=1.0)
    return 200 * digits * max(largest, 1.0)


def in_parts(result: Outcome) -> None:
    """Check that all errors are ours, and name the fault, the expectation, and the advice."""
    assert isinstance(result.error, MinipaddleError | None), f"no error of ours: {result.error!r}"
    for text in [*result.errors, *([str(result.error)] if result.error else [])]:
        assert all(f"\n  {part}" in text for part in ("expected", "received", "to do")), text
