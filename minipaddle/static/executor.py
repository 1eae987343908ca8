"""Executor: runs a Program."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any
from weakref import ref

import numpy as np

from .. import events
from ..device import (
    CPUPlace,
    CUDAPlace,
    Place,
    current_place,
    device_count,
    device_guard,
    place_named,
)
from ..engine import modes
from ..engine.dtypes import NARROW
from ..engine.errors import NoSuchName
from ..engine.guard import combine_guards
from ..engine.install_advice import for_a_gpu
from ..engine.python_messages import in_our_words
from ..engine.tensor import Tensor
from ..ops.arguments import as_list
from . import errors
from .block import Block
from .errors import fits, require_static, require_type
from .interpreter import Steps, fetch, run, start
from .minimize import write_rates
from .mode import Running
from .observed_run import run_observed
from .operator import Operator
from .plan import Plan
from .program import Program, default_main_program
from .scope import DenseTensor, Scope, scope_or_global
from .variable import Variable

MOST_PLANS = 8  # plans of a Program and fetch list; each has memory of its own


class BuildStrategy:
    """Hints for a compiler, which change nothing here: see `Executor.plan`.

    Errors: none.
    Source: Paddle's `paddle.static.BuildStrategy`.

    >>> strategy = BuildStrategy()
    >>> strategy.fuse_elewise_add_act_ops = True
    """

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__[name] = value


class CompiledProgram:
    """Program with a build strategy, which `exe.run` runs like the Program itself.

    TypeError for anything but a Program. Source: Paddle's `paddle.static.CompiledProgram`.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> main = paddle.static.Program()
    >>> with paddle.static.program_guard(main):
    ...     y = paddle.static.data("x", [1]) * 2.0
    >>> compiled = paddle.static.CompiledProgram(main)
    >>> paddle.static.Executor().run(compiled, {"x": np.ones(1, "float32")}, [y])
    [array([2.], dtype=float32)]
    >>> paddle.disable_static()
    """

    def __init__(
        self, program_or_graph: Program, build_strategy: BuildStrategy | None = None
    ) -> None:
        require_type(program_or_graph, (Program,), "program_to_graph", "CompiledProgram")
        self.program = program_or_graph
        self.build_strategy = build_strategy


class Executor:
    """Executor of Programs: `run(startup)` once, then `run(main, feed, fetch_list)`.

    All operators run in order on the device `place`, by default the current one; parameters are in
    the Scope. Source: Paddle's `paddle.static.Executor`.

    Errors: TypeError for an unknown place; AssertionError outside static mode;
    ValueError for a wrong feed.

    >>> import numpy as np, minipaddle as paddle
    >>> paddle.enable_static()
    >>> main = paddle.static.Program()
    >>> with paddle.static.program_guard(main):
    ...     y = paddle.static.data("x", [None]) * 2.0
    >>> exe = paddle.static.Executor(paddle.CPUPlace())
    >>> exe.run(main, feed={"x": np.float32([1, 2])}, fetch_list=[y])
    [array([2., 4.], dtype=float32)]
    >>> paddle.disable_static()
    """

    def __init__(self, place: Any = None) -> None:
        self.place = current_place() if place is None else _read_place(place)
        self.place.namespace()  # raises an error for a missing device
        self._closed = False

    def close(self) -> None:
        """Close the Executor: it runs nothing from now on."""
        self._closed = True

    def run(
        self,
        program: Program | CompiledProgram | None = None,
        feed: Any = None,
        fetch_list: Any = None,
        feed_var_name: str = "feed",  # noqa: ARG002
        fetch_var_name: str = "fetch",  # noqa: ARG002
        scope: Scope | None = None,
        return_numpy: bool = True,
        use_program_cache: bool = False,  # noqa: ARG002
        use_prune: bool = False,
    ) -> list[Any]:
        """Run every operator of a Program; return the fetched values in order.

        `feed`: arrays by name, checked before anything runs. `fetch_list`: Variables or names,
        also in lists.
        feed_var_name, fetch_var_name and use_program_cache change nothing.
        """
        steps, scope = self._prepare_run("Executor.run", program, fetch_list, scope)
        if use_prune:
            raise errors.pruned()
        results = self.run_steps(steps, feed, scope)
        return results if return_numpy else [DenseTensor(array) for array in results]

    def run_steps(self, steps: Steps, feed: Any, scope: Scope) -> list[Any]:
        """Run a bound Program, by its plan if there is one; return the fetched values."""
        results = self._run_plan(steps, feed, scope)
        if results is None:
            arrays = check_feeds(steps.block, feed, steps.must_feed)
            results = self._run_plan(steps, arrays, scope)
            if results is None:
                with self._context_of_run(steps):
                    results = self._run_without_plan(steps, arrays, scope)
        return results

    def plan(
        self,
        program: Program | None = None,
        feed: Any = None,
        fetch_list: Any = None,
        *,
        scope: Scope | None = None,
    ) -> Plan:
        """Run as `run` does, and return the plan of such runs; printing it shows its source.

        From the second run with feeds of the same shapes a Program runs by its plan: NumPy calls
        one after the other, in memory that is allocated once.
        """
        steps, scope = self._prepare_run("Executor.plan", program, fetch_list, scope)
        arrays = check_feeds(steps.block, feed, steps.must_feed)
        if not self.place.is_cpu_place():
            raise errors.no_plan_there(self.place)
        with self._context_of_run(steps):
            return self._record_plan(steps, arrays, scope)[0]

    def _context_of_run(self, steps: Steps) -> AbstractContextManager[Any]:
        """Return the context of a run: its device, and a builder that raises inside py_funcs."""
        there = self.place == current_place()
        if not steps.calls_python:
            return nullcontext() if there else device_guard(self.place)
        running = Running()
        alone = modes.override(builder=running)
        run = alone if there else combine_guards(device_guard(self.place), alone)
        running.run = ref(run)
        return run

    def _run_plan(self, steps: Steps, feed: Any, scope: Scope) -> list[Any] | None:
        """Run the plan for feeds of this kind; None if it is missing or busy, or with listeners."""
        plan = self._find_plan(steps, feed)
        if plan is None or (modes.gate_open and events.heard()):
            return None
        this = object()  # identity of this run
        try:
            with plan.lock:
                if plan.at_work is None:
                    plan.at_work = this
            if plan.at_work is not this:
                return None
            if not steps.calls_python and current_place().kind == "cpu":  # no context needed
                return plan.run(feed, scope)
            with self._context_of_run(steps):
                return plan.run(feed, scope)
        finally:
            if plan.at_work is this:
                plan.at_work = None

    def _run_without_plan(self, steps: Steps, arrays: dict[str, Any], scope: Scope) -> list[Any]:
        """Run without a plan: observed, on a device, or the first or second run of its kind."""
        if events.heard():
            return run_observed(steps, arrays, scope, steps.block.program.number)
        if self.place.is_cpu_place() and not _fed_state(steps, arrays):
            if _kind_of(arrays) in steps.plans.get(self, {}):
                return self._record_plan(steps, arrays, scope)[1]
            self._store_plan(steps, arrays, None)  # most startup Programs never run again
        values = start(steps, arrays, scope)
        run(steps, values, scope.write)
        return fetch(steps, values)

    def _record_plan(
        self, steps: Steps, arrays: dict[str, Any], scope: Scope
    ) -> tuple[Plan, list[Any]]:
        """Make a plan by recording a run; return it with the results of that run."""
        values = start(steps, arrays, scope)
        plan = Plan(steps, values, scope)
        if not _fed_state(steps, arrays):
            self._store_plan(steps, arrays, plan)
        return plan, fetch(steps, values)

    def _find_plan(self, steps: Steps, feed: Any) -> Plan | None:
        """Return the plan for feeds of this kind, which need no further check, or None."""
        plans = steps.plans.get(self)
        if not plans or feed.__class__ is not dict:
            return None
        try:
            return plans.get(_kind_of(feed))
        except AttributeError:  # a feed is no array
            return None

    def _store_plan(self, steps: Steps, arrays: dict[str, Any], plan: Plan | None) -> None:
        """Store a plan, or None, for a kind of run; drop the oldest kind beyond MOST_PLANS."""
        plans = steps.plans.setdefault(self, {})
        plans[_kind_of(arrays)] = plan
        if len(plans) > MOST_PLANS:
            plans.pop(next(iter(plans)), None)

    def _prepare_run(
        self, function: str, program: Any, fetch_list: Any, scope: Scope | None
    ) -> tuple[Steps, Scope]:
        """Prepare a run: check the arguments, bind the Program, update its learning rates."""
        require_static(function)
        if self._closed:
            raise errors.closed()
        if isinstance(program, CompiledProgram):
            program = program.program
        program = default_main_program() if program is None else program
        require_type(program, (Program,), "program", "Executor.run", NoSuchName)
        scope = scope_or_global(scope, function)
        steps = steps_for(program, fetch_names(program.global_block(), fetch_list))
        write_rates(program, scope)
        return steps, scope


def steps_for(program: Program, fetches: tuple[str, ...]) -> Steps:
    """Return the steps of a Program, made once per fetch list until the Program changes."""
    steps: Steps | None = program.prepared.get(fetches)
    if steps is None:
        steps = program.prepared[fetches] = Steps(program.global_block(), fetches)
    return steps


def _read_place(place: Any) -> Place:
    """Return the place that is given itself or by name: cpu, gpu, gpu:0."""
    if isinstance(place, Place):
        return place
    if isinstance(place, str):
        return place_named(place.lower())
    expected = "paddle.CPUPlace(), paddle.CUDAPlace(0), 'cpu', 'gpu:0', or nothing"
    fix = "write paddle.static.Executor('cpu')"
    raise errors.wrong_argument("Executor", "place", place, expected, fix)


def _kind_of(arrays: dict[str, Any]) -> Any:
    """Return the key of a plan: names, classes, shapes, strides and dtypes of the feeds.

    Strides matter, because a sum in another order rounds differently; classes matter, because a
    masked array or a matrix computes differently.
    """
    return tuple([(name, a.__class__, a.shape, a.strides, a.dtype) for name, a in arrays.items()])


def _fed_state(steps: Steps, arrays: dict[str, Any]) -> bool:
    """Return whether a persistable value is fed; plans read such values from the scope."""
    return any(name in arrays for name, _ in steps.kept)


# ----- places ------------------------------------------------------------------------------------


def cpu_places(device_count: int | None = None) -> list[CPUPlace]:
    """Return the host `device_count` times, by default as often as CPU_NUM says.

    Source: Paddle's `paddle.static.cpu_places`.

    Errors: TypeError for a number that is not an int.

    >>> cpu_places(2)
    [Place(cpu), Place(cpu)]
    """
    require_type(device_count, (int, type(None)), "device_count", "cpu_places")
    count = int(os.environ.get("CPU_NUM", "1")) if device_count is None else device_count
    return [CPUPlace()] * count


def cuda_places(device_ids: Any = None) -> list[CUDAPlace]:
    """Return the CUDA devices of these numbers, by default all.

    CheckFailed (AssertionError) without a usable CUDA device. Source: Paddle's
    `paddle.static.cuda_places`.

    >>> import minipaddle as paddle
    >>> len(cuda_places() if paddle.is_compiled_with_cuda() else []) == paddle.device.device_count()
    True
    """
    if not device_count():
        raise errors.no_cuda(for_a_gpu())
    numbers = range(device_count()) if device_ids is None else device_ids
    return [CUDAPlace(number) for number in ([numbers] if isinstance(numbers, int) else numbers)]


# ----- feeds and fetch lists, checked before anything runs ---------------------------------------


def check_feeds(block: Block, feed: Any, needed: Iterable[str]) -> dict[str, Any]:
    """Return the fed arrays by name; like Paddle, ignore names that the Program lacks."""
    if feed is None:
        feed = {}
    if isinstance(feed, (list, tuple)) and len(feed) == 1:
        feed = feed[0]  # Paddle's form: a list of one feed per device
    require_type(feed, (dict,), "feed", "Executor.run")
    named = {k if isinstance(k, str) else getattr(k, "name", k): v for k, v in feed.items()}
    arrays = {
        name: _check_feed(block.vars[name], v) for name, v in named.items() if name in block.vars
    }
    for name in needed:
        if name not in arrays and name in block.program.left_out:
            reader = next((op.type for op in block.ops if name in op.reads), None)
            raise errors.left_out_of_clone(name, reader)
        if name not in arrays:
            raise errors.not_fed(block.vars[name], sorted(map(str, named)))
    return arrays


def _check_feed(var: Variable, value: Any) -> Any:
    dtype = var.dtype.numpy
    if isinstance(value, DenseTensor):
        value = np.array(value)
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        if NARROW and dtype == np.int64 and array.dtype == np.intp:
            array = array.astype(dtype)  # np.array([3]) has 64 bits elsewhere
        if array.dtype != dtype:
            raise errors.fed_dtype(var.name, dtype.name, array.dtype.name)
    elif value is None or isinstance(value, (Tensor, Variable, dict, str)):
        raise errors.not_an_array(var, value)
    else:
        array = _feed_from_list(var, value)
    array = _add_missing_axes(var, array)
    if not fits(var.shape, array.shape):
        raise errors.fed_shape(var, array.shape)
    return array


def _add_missing_axes(var: Variable, array: Any) -> Any:
    """Add missing axes of size 1: labels [3] for a Variable [None, 1]."""
    long = tuple(n for n in var.shape if n != 1)
    if not (array.ndim < len(var.shape) and fits(long, array.shape)):
        return array
    sizes = iter(array.shape)
    return array.reshape([1 if n == 1 else next(sizes) for n in var.shape])


def _feed_from_list(var: Variable, value: Any) -> Any:
    try:
        return np.asarray(value, dtype=var.dtype.numpy)
    except (ValueError, TypeError, OverflowError) as error:
        raise errors.not_regular(var, value, in_our_words(error).en) from error


def fetch_names(block: Block, fetch_list: Any) -> tuple[str, ...]:
    """Return the names to fetch, in order, also from inner lists."""
    names: list[str] = []
    for position, row in enumerate([] if fetch_list is None else as_list(fetch_list)):
        for item in as_list(row):
            if not isinstance(item, (str, Variable)):
                where = f"fetch_list[{position}]"
                raise errors.not_to_fetch(where, item, isinstance(item, Operator))
            names.append(item if isinstance(item, str) else item.name)
    for name in names:
        if name not in block.vars:
            raise errors.unknown_fetch(name)
    return tuple(names)
