"""Run a case on any Paddle, write its answers as JSON, and compare two sets of answers.

Nothing here imports Paddle, minipaddle or pytest: the same file serves the interpreter that records
and the test that replays.
"""

import contextlib
import importlib
import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
RECORDED = HERE / "recorded"


class WrongCase(Exception):
    """A case that uses the harness wrongly; no answer of it is recorded."""


@dataclass(frozen=True)
class Case:
    """A small Paddle program `run(paddle, show)` and how strictly its answers are compared."""

    name: str
    run: Callable[[Any, "Show"], None]
    differs: str | None = None
    ulps: int = 4


def case(
    run: Callable | None = None, *, differs: str | None = None, ulps: int = 4
) -> "Case | Callable":
    """Make a function a case; `differs` says why minipaddle's answers differ on purpose."""
    if run is None:
        return lambda function: Case(function.__name__, function, differs, ulps)
    return Case(run.__name__, run, differs, ulps)


@dataclass
class Show:
    """The interface for answers of a case: `show(label, value)` or `show.raises(label, call)`."""

    answers: dict[str, Any] = field(default_factory=dict)
    error: Exception | None = None
    refusals: list[tuple[type, str]] = field(default_factory=list)

    def __call__(self, label: str, value: Any) -> None:
        if label in self.answers:
            raise WrongCase(f"the label {label!r} is shown twice")
        self.answers[label] = encode(value)

    def raises(self, label: str, call: Callable[[], Any]) -> None:
        """State which built-in exception `call` raises, or that it raises none."""
        try:
            call()
        except Exception as error:  # noqa: BLE001  (every class is an answer)
            self(label, builtin_class(error))
        else:
            self(label, "no error")


REFUSALS: list[tuple[type, str]] = []  # (class, text) of each error that is an answer


def builtin_class(error: BaseException) -> str:
    """Return the name of the first built-in class among an error's bases."""
    REFUSALS.append((type(error), str(error)))
    return next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins")


# ----- Topics -----


def recorded(topic: str) -> dict[str, dict[str, Any]]:
    """Return real Paddle's answers to a topic's cases, by case and label."""
    return json.loads((RECORDED / f"{topic}.json").read_text(encoding="utf-8"))["cases"]


def topics() -> list[str]:
    """Return the name of every topic, one per file in `cases/`."""
    return sorted(p.stem for p in (HERE / "cases").glob("[!_]*.py"))


def load(topic: str) -> tuple[list[Case], bool]:
    """Return a topic's cases and whether they build static programs."""
    module = importlib.import_module(f".cases.{topic}", __package__)
    cases = [value for value in vars(module).values() if isinstance(value, Case)]
    cases += getattr(module, "TABLE", [])
    names = [c.name for c in cases]
    if len(set(names)) != len(names):
        raise LookupError(f"topic {topic!r} has two cases of one name")
    return cases, getattr(module, "STATIC", False)


def play(case: Case, paddle: Any, static: bool) -> Show:
    """Run one case in a fresh world; an exception that ends it is an answer too."""
    show = Show()
    REFUSALS.clear()
    with static_world(paddle) if static else contextlib.nullcontext():
        try:
            case.run(paddle, show)
        except WrongCase:
            raise
        except Exception as error:  # noqa: BLE001  (every class is an answer)
            show.error = error
            show("ends with", builtin_class(error))
    show.refusals = list(REFUSALS)
    return show


@contextlib.contextmanager
def static_world(paddle: Any) -> Iterator[None]:
    """Build in fresh programs and run in a fresh scope."""
    static = paddle.static
    paddle.enable_static()
    try:
        with (
            static.program_guard(static.Program(), static.Program()),
            static.scope_guard(static.Scope()),
        ):
            yield
    finally:
        paddle.disable_static()


# ----- Answers as JSON -----


def encode(value: Any) -> Any:
    """Convert an answer to JSON without loss: floats are written in hexadecimal."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return {"float": hexadecimal(value)}
    if isinstance(value, list | tuple):
        return {"tuple" if isinstance(value, tuple) else "list": [encode(v) for v in value]}
    if hasattr(value, "stop_gradient"):
        value = value.numpy()
    if isinstance(value, np.ndarray | np.generic):
        return encode_array(np.asarray(value))
    raise WrongCase(f"cannot show a {type(value).__name__}: show its text, or one of its values")


def encode_array(array: np.ndarray) -> dict[str, Any]:
    """Return an array as dtype, shape and one text of its elements, row by row."""
    items = array.ravel().tolist()
    words = [hexadecimal(v) if isinstance(v, float) else str(v) for v in items]
    return {"dtype": array.dtype.name, "shape": list(array.shape), "data": " ".join(words)}


def hexadecimal(value: float) -> str:
    """Return every bit of a float as a text without trailing zeros: 0x1.8p+1."""
    return re.sub(r"\.?0*p", "p", value.hex())


# ----- Comparison -----


def differences(expected: dict[str, Any], received: dict[str, Any], ulps: int) -> list[str]:
    """List the labels at which two sets of answers disagree."""
    pairs = {
        label: (expected.get(label, "nothing"), received.get(label, "nothing"))
        for label in expected | received
    }
    return [
        f"{label}: expected {left}, received {right}"
        for label, (left, right) in pairs.items()
        if (label in expected) != (label in received) or not same(left, right, ulps)
    ]


def same(expected: Any, received: Any, ulps: int) -> bool:
    """Compare two encoded answers: exactly, but for floats that may be `ulps` apart."""
    if not (isinstance(expected, dict) and isinstance(received, dict)):
        return type(expected) is type(received) and expected == received
    if expected.keys() != received.keys():
        return False
    if "float" in expected:
        return close([expected["float"]], [received["float"]], "float64", ulps)
    if "dtype" in expected:
        if any(expected[k] != received[k] for k in ("dtype", "shape")):
            return False
        floats = expected["dtype"].startswith("float")
        left, right = expected["data"].split(), received["data"].split()
        return close(left, right, expected["dtype"], ulps) if floats else left == right
    left, right = (next(iter(answer.values())) for answer in (expected, received))
    return len(left) == len(right) and all(map(same, left, right, [ulps] * len(left)))


def close(left: list[str], right: list[str], dtype: str, ulps: int) -> bool:
    """Allow each element `ulps` units in the last place of the largest finite one."""
    a, b = (np.array([float.fromhex(w) for w in words]) for words in (left, right))
    finite = np.abs(a[np.isfinite(a)])
    largest = finite.max() if finite.size else 0.0
    allowed = ulps * max(float(np.finfo(dtype).eps) * largest, math.ulp(0.0))
    with np.errstate(invalid="ignore"):
        return bool(np.all((a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= allowed)))
