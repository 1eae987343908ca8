"""What the checks of recorded programs share, whatever framework runs the programs."""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import viz
from minipaddle import events
from minipaddle.ops.program_ops import find_op
from viz.whatif.numbers import AsRecorded, computed_by
from viz.whatif.replay import Replay

RANDOM = ("dropout",)
PADDLE = r"(?i)paddle|to_tensor|stop_gradient|clear_grad"  # words that PyTorch does not have
COARSE = ("bfloat16",)  # dtypes whose values are not computed again


def same(one: Any, other: Any) -> bool:
    is_float = one.dtype.kind == "f"
    return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=is_float)


def numbers(value: Any) -> Any:
    """Return a recorded value as an array."""
    data = value.data["data"] if isinstance(value.data, dict) else value.data
    dtype = "float32" if value.dtype == "bfloat16" else value.dtype
    return np.array(data, dtype).reshape(value.shape)


def sums_that_do_not_arrive(records: Any) -> Iterator[str]:
    """Yield the nodes at which another gradient arrives than the last recorded sum."""
    waiting: dict[Any, Any] = {}
    for event in records:
        if isinstance(event, events.GradAccumulated) and not event.stored:
            waiting[event.edge] = numbers(event.total)
        elif isinstance(event, events.NodeVisited):
            for slot, value in enumerate(event.arrived):
                total = waiting.pop(events.Edge("node", event.node, slot), None)
                if total is not None and not np.allclose(total, numbers(value), equal_nan=True):
                    yield f"{event.name} gets {numbers(value)}, not the sum {total}"


def renderings(trace: Any) -> Iterator[str]:
    """Yield the parts of a trace that fail."""
    for index, each in enumerate(trace.steps):
        said = each.text, each.say("zh")
        if not all(said):
            yield f"step {index} says nothing"
        if trace.framework == "torch":
            yield from (f"step {index}: {text}" for text in said if re.search(PADDLE, text))
    trace.problems()
    if len(trace):
        trace.statistics()
        with TemporaryDirectory() as folder:
            trace.save(Path(folder) / "trace.html")
    if stale := trace.what_if({}).stale():
        yield f"what-if computes otherwise: {stale}"


def computed_otherwise(records: Any) -> Iterator[str]:
    """Yield the ops whose record computes other values or gradients than the framework."""
    recorded = AsRecorded()
    with computed_by("another framework"):
        Replay(recorded, records).walk()
    ops: dict[int, str] = {}
    calls: dict[int, str] = {}
    for event in records:
        if isinstance(event, events.OpFinished):
            calls[event.call] = event.op
            values = [seen.value for seen in event.outputs]
        elif isinstance(event, events.GradNodeMade):
            ops[event.node] = calls.get(event.call, "")
            continue
        elif isinstance(event, events.GradComputed) and event.grad is not None:
            values = [event.grad]
        else:
            continue
        op = event.op if isinstance(event, events.OpFinished) else ops.get(event.node, "")
        if find_op(op) is None or op in RANDOM or event.__class__ is events.OpStarted:
            continue
        for value in values:
            if value.occurrence in recorded.kept_as_recorded and value.dtype not in COARSE:
                yield f"{op} computes {type(event).__name__} otherwise"


def store(
    folder: Path, framework: str, programs: Mapping[str, Callable[[], Any]], names: Iterable[str],
    prepare: Callable[[], None],
) -> None:  # fmt: skip
    """Write traces and their sentences into a folder, as test data."""
    for name in names:
        prepare()
        with viz.record(name, framework=framework) as trace:
            programs[name]()
        trace.save(folder / f"{name}.json")
        said = "\n".join(step.text for step in trace.steps)
        (folder / f"{name}.txt").write_text(said + "\n", encoding="utf-8")


def answer(
    arguments: list[str], framework: str, programs: Mapping[str, Callable[[], Any]],
    complaints_about: Callable[[str], Iterator[str]], edges: Callable[[], Iterator[str]],
    stored: Iterable[str], prepare: Callable[[], None] = lambda: None,
) -> str:  # fmt: skip
    """Check the chosen programs, or all; `--edges`: others; `--store`: write test data."""
    if arguments == ["--store"]:
        store(Path(__file__).parent / "traces" / framework, framework, programs, stored, prepare)
        return ""
    if arguments == ["--edges"]:
        return json.dumps([*edges()], indent=1)
    found = {}
    for name in arguments or programs:
        try:
            found[name] = list(complaints_about(name))
        except Exception:  # noqa: BLE001  (reported as a complaint)
            found[name] = [traceback.format_exc()]
    return json.dumps(found, indent=1)
