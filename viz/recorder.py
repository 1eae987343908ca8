"""Recording: listen to the engine while a block or a function runs, and make a Trace of it."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from itertools import islice
from types import FrameType, FunctionType, ModuleType, NoneType, SimpleNamespace, TracebackType
from typing import Any, NamedTuple

from minipaddle import events
from minipaddle.engine import source_line
from minipaddle.engine.errors import InvalidArgument, InvalidType
from minipaddle.engine.guard import Guard

from .document.code_names import loop_variables
from .document.document import Cut, Ended, Recording
from .frameworks.chosen import framework_among, framework_called, variables_seen_by, warn_of_nothing
from .frameworks.framework import Framework
from .recording.code_loops import PLACES, place_of
from .recording.event_log import EventLog, Listener
from .recording.filters import Filter, patterns
from .recording.layer_depth import DepthLimit
from .recording.rounds import RoundFinder
from .recording.watched_log import WatchedLog
from .trace import Trace

LIMIT = 100_000  # maximum number of events; an op and its backward make eight
MEGABYTES = 1000  # maximum size of the values
DEEPEST, MOST = 2, 1000  # depth and number of items in which names are looked for
HOLDS_NONE = frozenset({NoneType, bool, int, float, str, type, FunctionType, ModuleType})


class Saved(NamedTuple):
    """State of a recorded block until its end."""

    recording: Recording
    rounds: RoundFinder
    frame: FrameType
    passing: Collection[str]
    listening: events.listen
    before: int
    layers: list[tuple[str, Any]]  # layers in variables, with their names
    framework: Framework
    emitting: AbstractContextManager[Any]


class record(Guard):
    """Record what minipaddle does in this thread inside the block, as a `Trace`.

    The trace is complete when the block ends, also when an exception ends it: then it stops at
    the failing step, and the exception goes on. As a decorator it records each call; the latest
    trace is the function's attribute `trace`.

    `only` and `skip` choose by the names of ops, layers, PyLayers, files or modules; `*` matches
    anything, `multiply` also matches `x * 2`. `depth` is the number of levels of layers that are
    recorded; 0 shows layers as boxes. `limit` is the approximate number of recorded events,
    `megabytes` the size of their values. `rounds` and `every` choose rounds, such as training
    iterations, by their numbers from 0 on; of other rounds, and of all after a limit, only the loss
    and the sizes of parameters and gradients are recorded. `last` keeps only so many rounds, those
    before the end of the block, however long it runs. Variables name the tensors: the
    variables of the block's frame unless `variables` are given. `framework="torch"` records what
    PyTorch does instead, "paddle" what real Paddle does; None finds it out, where the block's
    variables hold things of one framework alone.

    Errors: ValueError for a limit or rounds that are no numbers, or an unknown framework; those of
    the block go on.

    >>> import minipaddle as paddle
    >>> with record("a square", skip="mean") as trace:
    ...     y = (paddle.to_tensor([3.0]) * paddle.to_tensor([3.0])).mean()
    >>> trace.title, len(trace)
    ('a square', 1)
    """

    def __init__(
        self,
        title: str = "",
        *,
        only: str | Iterable[str] = (),
        skip: str | Iterable[str] = (),
        depth: int | None = None,
        limit: int | None = LIMIT,
        megabytes: float | None = MEGABYTES,
        rounds: Collection[int] | None = None,
        every: int | None = None,
        last: int | None = None,
        variables: Mapping[str, Any] | None = None,
        framework: str | None = None,
    ) -> None:
        if not isinstance(title, str):
            raise InvalidType(
                "viz.record(): title must be text.",
                expected="viz.record() or viz.record('a title')",
                received=type(title).__name__,
                fix="as a decorator write @viz.record(), with the brackets"
                if callable(title)
                else 'write title="..."',
            )
        self.title = title
        self.only, self.skip = patterns("only", only), patterns("skip", skip)
        self.depth = None if depth is None else check_whole("depth", depth, 0)
        self.limit = float("inf") if limit is None else check_whole("limit", limit, 1)
        self.megabytes = float("inf") if megabytes is None else megabytes
        self.rounds = None if rounds is None else check_rounds(rounds)
        self.every = None if every is None else check_whole("every", every, 1)
        self.last = None if last is None else check_whole("last", last, 1)
        self.variables = variables
        self.framework = framework
        super().__init__()

    def wants(self, index: int) -> bool:
        """Return whether the steps of a round are recorded, beyond its loss and sizes."""
        chosen = self.rounds is not None and index in self.rounds
        return chosen or (self.every is not None and index % self.every == 0)

    def _save(self) -> Saved:
        frame = sys._getframe(2)  # the caller of `__enter__`
        known = self.variables or {**frame.f_globals, **frame.f_locals}
        framework = framework_called(self.framework or framework_among(known))
        recording = Recording(
            self.title,
            number_of=framework.number_of,
            framework=framework.called,
            tensor=framework.tensor,
        )
        rounds = listener_of(recording, self, outermost_frame())
        listening = events.listen(rounds)
        passing = () if self.variables else passing_variables(frame)
        variables = self.variables or frame.f_locals
        recording.before, _, layers = names_of(variables, passing, framework)
        if not self.variables:
            recording.around = frame.f_code.co_filename, frame.f_code.co_name
        held = finder_of_held(lambda: self.variables or frame.f_locals, passing, layers, framework)
        rounds.rounds.held = held
        before, emitting = listening._save(), framework.emitting()
        return Saved(
            recording, rounds, frame, passing, listening, before, layers, framework, emitting
        )

    def _change(self, saved: Saved) -> Trace:
        saved.listening._change(saved.before)
        saved.emitting.__enter__()
        return Trace(recording=saved.recording)

    def _restore(self, saved: Saved, error: BaseException | None) -> None:
        recording, rounds = saved.recording, saved.rounds
        saved.emitting.__exit__(None, None, None)
        saved.listening._restore(saved.before, error)
        self.name_things(saved)
        if error is not None:
            line = failing_line(error.__traceback__)
            texts = events.texts_of(error)
            recording.ended = Ended(type(error).__name__, place=line, **texts)
        rounds.finish(error is not None)
        recording.ranks = recording.ranks or saved.framework.ranks()
        recording.closed = True
        recording.release()
        chosen = self.only or self.skip or self.framework or recording.framework
        if error is None and not (recording.log or chosen):
            frame = saved.frame
            warn_of_nothing(self.variables or {**frame.f_globals, **frame.f_locals})

    def name_things(self, saved: Saved) -> None:
        """Note the names that tensors and layers have now."""
        recording, framework, frame = saved.recording, saved.framework, saved.frame
        variables = self.variables or frame.f_locals
        recording.names, recording.reached, now = names_of(variables, saved.passing, framework)
        recording.layers = names_of_layers([*now, *saved.layers], framework)
        recording.modules = modules_among({**frame.f_globals, **variables})

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        if isinstance(function, (staticmethod, classmethod)):
            return type(function)(self(function.__func__))
        name = getattr(function, "__name__", type(function).__name__)
        check_decorable(function, name)

        def begin(args: Any, kwargs: Any) -> record:
            block = record(self.title or name)
            vars(block).update({**vars(self), "title": block.title, "_open": []})
            block.variables = self.variables or arguments(function, args, kwargs)
            known = {**variables_seen_by(function), **block.variables}
            block.framework = self.framework or framework_among(known)
            return block

        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> Any:
            with begin(args, kwargs) as trace:
                run.trace = trace  # type: ignore[attr-defined]
                try:
                    return function(*args, **kwargs)
                finally:
                    run.trace = trace  # type: ignore[attr-defined]  # an inner call replaced it

        @functools.wraps(function)
        async def run_async(*args: Any, **kwargs: Any) -> Any:
            with begin(args, kwargs) as trace:
                run_async.trace = trace  # type: ignore[attr-defined]
                return await function(*args, **kwargs)

        return run_async if inspect.iscoroutinefunction(function) else run


def check_decorable(function: Any, name: str) -> None:
    """Raise InvalidType for anything but a function that runs from its call to its return."""
    kinds = (
        (inspect.isgeneratorfunction, "a generator", "a generator function, which runs in pieces"),
        (inspect.isasyncgenfunction, "a generator", "a generator function, which runs in pieces"),
        (inspect.isclass, "a class", "a class"),
        (lambda thing: not callable(thing), "no function", type(function).__name__),
    )
    for fits, what, received in kinds:
        if fits(function):
            raise InvalidType(
                f"viz.record() cannot decorate {name}: it is {what}.",
                expected="a function that runs from its call to its return",
                received=received,
                fix="put `with viz.record() as trace:` around the code that uses it",
            )


def arguments(function: Any, args: Any, kwargs: Any) -> Mapping[str, Any]:
    """Return the arguments by name, or none if they do not fit; the call then reports it."""
    try:
        return inspect.signature(function).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        return {}


def check_whole(name: str, number: Any, least: int) -> int:
    """Return a whole number; raise InvalidArgument if it is not one or below `least`."""
    if type(number) is not int or number < least:
        raise InvalidArgument(
            f"viz.record(): {name} must be a whole number.",
            expected=f"a number from {least} on, or None for no bound",
            received=repr(number),
        )
    return number


def check_rounds(rounds: Any) -> Collection[int]:
    """Return numbers of rounds, as a range or a set; raise InvalidArgument for others."""
    if isinstance(rounds, range) and (not rounds or min(rounds[0], rounds[-1]) >= 0):
        return rounds
    given = list(rounds) if isinstance(rounds, Collection) and not isinstance(rounds, str) else None
    if given is None or any(type(number) is not int or number < 0 for number in given):
        raise InvalidArgument(
            "viz.record(): rounds must be the numbers of rounds, counted from 0.",
            expected="a range, a list or a set of whole numbers from 0 on",
            received=f"{rounds!r:.60}",
            fix="write rounds=range(0, 100, 10), rounds=[0, 1, 99] or every=10",
        )
    return frozenset(given)


def listener_of(
    recording: Recording, settings: record | None = None, outermost: int = 0
) -> RoundFinder:
    """Return the listener that stores events in a recording, filtered by the settings.

    Loops are looked for in the frames inside of the frame with the number `outermost`.
    """
    settings = settings or record()

    def full(what: str, place: source_line.SourceLine | None) -> None:
        number = settings.limit if what == "events" else settings.megabytes
        recording.cut = Cut(what, number, place)
        if not listener.goes_on_unlogged():
            listener.finish()
            events.unlisten(listener)
            log.release()

    most = settings.limit, settings.megabytes * 1e6
    log = (WatchedLog if settings.last else EventLog)(recording.log, full, *most)
    tell: Listener = log
    if settings.only or settings.skip:
        tell = Filter(settings.only, settings.skip, tell)
    if settings.depth is not None:
        tell = DepthLimit(settings.depth, tell)
    chooses = settings.rounds is not None or settings.every is not None
    wanted = settings.wants if chooses else None
    listener = RoundFinder(recording, log, tell, wanted, outermost, settings.last)
    recording.release = log.release
    return listener


def outermost_frame() -> int:
    """Return the number of the user's frame in which a recording begins, or 0."""
    for number, frame in source_line.user_frames():
        if frame.f_globals.get("__name__") != "contextlib":
            return number
    return 0


def failing_line(traceback: TracebackType | None) -> source_line.SourceLine | None:
    """Return the innermost line of user code that an exception passed through."""
    line = None
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not source_line.is_library_code(code.co_filename):
            line = source_line.SourceLine(code.co_filename, traceback.tb_lineno, code.co_name)
        traceback = traceback.tb_next
    return line


class Found(NamedTuple):
    """Names of tensors in variables, of tensors reached through them, and of layers."""

    held: dict[int, str]
    reached: dict[int, str]
    layers: list[tuple[str, Any]]


def passing_variables(frame: FrameType) -> set[str]:
    """Return the variables left over by finished `for` loops, in a notebook of all cells."""
    places = dict(source_line.user_spots(PLACES, place_of))
    around = [places[number] for number, one in source_line.user_frames() if one is frame]
    running = {name for place in around for loop in place.loops for name in loop.variables}
    passing = {name for place in around for loop in place.code.loops for name in loop.variables}
    cells = frame.f_globals.get("In") if frame.f_locals is frame.f_globals else None
    for cell in cells if type(cells) is list else ():
        passing |= loop_variables(str(cell))
    return passing - running


def names_of(variables: Mapping[str, Any], passing: Collection[str], framework: Framework) -> Found:
    """Return short names of the tensors and layers that are reached from variables.

    A parameter is named by its path through a layer, `net.0.weight` or `layers[0].bias`, even if a
    variable holds it as well. Other tensors may be in lists, tuples, dicts and attributes:
    `rows[0]`, `batch['x']`, `self.table`. A name through one of the `passing` variables is used
    only if there is no other.
    """
    found = [
        (name in passing, *each)
        for name, thing in variables.items()
        if not name.startswith("_")
        for each in named_in(name, thing, DEEPEST, framework)
    ]

    def rank(each: tuple[bool, str, Any, Any, bool]) -> tuple[bool, bool, int, str]:
        passes, name, _, layer, _ = each
        path = "" if name.isidentifier() else name  # variables keep their order: the first assigned
        return passes, layer is None, len(path), path

    held: dict[int, str] = {}
    reached: dict[int, str] = {}
    layers: list[tuple[str, Any]] = []
    for passes, name, thing, _, is_held in sorted(found, key=rank):
        if isinstance(thing, framework.layer):
            layers.append((name, thing))
        else:
            known = held if is_held and not passes else reached
            known.setdefault(framework.give_number(thing), name)
    return Found(held, reached, layers)


def finder_of_held(
    variables: Callable[[], Mapping[str, Any]],
    passing: Collection[str],
    layers: Iterable[tuple[str, Any]],
    framework: Framework,
) -> Callable[[], dict[int, str]]:
    """Return a function that finds the names of the tensors that variables hold at its call.

    Of the layers in variables it asks only those with computed weights, as of `weight_norm`: the
    others hold the same parameters all the time.
    """
    computing = [
        (name, layer)
        for name, layer in layers
        if not all(tensor.is_leaf for _, tensor in framework.tensors_of(layer))
    ]

    def held() -> dict[int, str]:
        now, kind = variables(), framework.tensor
        few = {name: thing for name, thing in now.items() if isinstance(thing, kind)}
        few |= {name: layer for name, layer in computing if now.get(name) is layer}
        return names_of(few, passing, framework).held

    return held


def modules_among(variables: Mapping[str, Any]) -> frozenset[str]:
    """Return the names of variables that hold modules or namespaces."""
    spaces = (ModuleType, SimpleNamespace)
    return frozenset(name for name, thing in variables.items() if isinstance(thing, spaces))


def names_of_layers(found: Iterable[tuple[str, Any]], framework: Framework) -> dict[str, str]:
    """Map layers' names in events to their first names; "" if several layers share the former."""
    layers: dict[str, Any] = {}
    names: dict[str, str] = {}
    for name, layer in found:
        shown = framework.name_of(layer)
        if layers.setdefault(shown, layer) is layer:
            names.setdefault(shown, name)
        else:
            names[shown] = ""
    return names


def named_in(
    name: str, thing: Any, depth: int, framework: Framework
) -> Iterator[tuple[str, Any, Any, bool]]:
    """Yield tensors and layers that are reached from a variable, up to a depth.

    Each is a tuple: the path, the thing, the layer that holds it or None, and whether the variable
    itself or a layer holds it. Nothing is called on other objects, because they may misbehave.
    """
    kind = type(thing)
    if kind in HOLDS_NONE:  # true for most variables
        return
    items: Iterable[tuple[str, Any]] = ()
    if isinstance(thing, framework.tensor):
        yield name, thing, None, depth == DEEPEST
    elif isinstance(thing, framework.layer):
        if framework.is_complete(thing):
            yield name, thing, thing, True
        for path, value in framework.tensors_of(thing):
            yield f"{name}.{path}", value, thing, True
    elif depth and kind in (list, tuple):
        items = ((f"{name}[{at}]", item) for at, item in enumerate(thing[:MOST]))
    elif depth and kind is dict:
        few = islice(thing.items(), MOST)
        items = ((f"{name}[{key!r}]", item) for key, item in few if type(key) in (str, int))
    elif depth:
        few = islice(own_attributes(thing).items(), MOST)
        public = ((key, item) for key, item in few if type(key) is str and not key.startswith("_"))
        items = ((f"{name}.{key}", item) for key, item in public)
    for path, item in items:
        yield from named_in(path, item, depth - 1, framework)


def own_attributes(thing: Any) -> Mapping[str, Any]:
    """Return the attributes of an object, or none if it hides them."""
    try:
        held = object.__getattribute__(thing, "__dict__")
    except Exception:  # noqa: BLE001  (user code)
        return {}
    return held if type(held) is dict else {}
