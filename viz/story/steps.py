"""What each kind of step knows: exactly what its sentence says, and its kind in the story."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

from minipaddle.messages import Message

from ..model import Fault
from .sentences.wording import NamedThing, Rows, Thing, Things

Phase = Literal["forward", "backward", "optimize", "build", "run"]
Why = Literal["uses", "starts", "old", "zeros", "stored"]  # there is a gradient to add to


class Facts:
    """What one kind of step tells."""

    __slots__ = ()
    kind: ClassVar[str]

    @property
    def of_memory(self) -> bool:
        """Whether the step tells of memory alone."""
        return False

    @property
    def fault(self) -> Fault | None:
        """What there is to see of an error, beside its sentence."""
        return None


# ----- forward -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpStep(Facts):
    """An op computed; `title` is what it is called, `written` is `h[0]` or `h[0] = v`.

    attrs: with which attributes it was called.
    """

    kind = "op"
    op: str
    symbol: str
    title: str
    written: str
    inputs: Things
    outputs: Sequence[Thing]
    attrs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OverwriteStep(Facts):
    """A tensor took other values, as by `set_value`: no op has made it anew."""

    kind = "op"
    target: Thing
    value: Thing


@dataclass(frozen=True, slots=True)
class DetachStep(Facts):
    """A tensor took the values of another without its history; `cuts`: that wants a gradient, which
    no PyLayer's backward computes.

    way: as in ValuesTaken.
    """

    SIGNS: ClassVar[dict[str, str]] = {
        "alias": "detach", "copy": "to_tensor", "numpy": "numpy", "computed": "numpy",
        "cut": "detach_",
    }  # fmt: skip
    kind = "detach"
    way: str
    source: Thing
    out: Thing
    cuts: bool


@dataclass(frozen=True, slots=True)
class EnterStep(Facts):
    """The forward of a PyLayer is called; `outside` are the names of its arguments there."""

    kind = "enter"
    layer: str
    inputs: Things
    outside: Sequence[str]


@dataclass(frozen=True, slots=True)
class LeaveStep(Facts):
    """It returns."""

    kind = "leave"
    layer: str
    outputs: Things
    graded: bool
    outside: Sequence[str]


@dataclass(frozen=True, slots=True)
class LayerHookStep(Facts):
    """A hook of a layer ran, before or after it; `made` replaces what was given."""

    kind = "layer_hook"
    name: str
    layer: str
    when: str
    given: Sequence[Thing]
    made: Sequence[Thing] | None


@dataclass(frozen=True, slots=True)
class SaveStep(Facts):
    """An op, or the user's forward, keeps values for backward, one after the other."""

    kind = "save"
    op: str
    by_user: bool = False
    saved: list[Thing] = field(default_factory=list)

    @property
    def of_memory(self) -> bool:
        """What the user's own line does is a step of their program."""
        return not self.by_user


@dataclass(frozen=True, slots=True)
class MarkStep(Facts):
    """A PyLayer marks its context."""

    kind = "mark"
    layer: str
    mark: str
    marked: Sequence[Thing]
    value: Any


# ----- backward ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IdleStep(Facts):
    """backward() has nothing to do."""

    kind = "idle"
    root: Thing


@dataclass(frozen=True, slots=True)
class SeedStep(Facts):
    """Backward starts at a result."""

    kind = "seed"
    root: Thing
    grad: Thing


@dataclass(frozen=True, slots=True)
class VisitStep(Facts):
    """A node of the tape computes, one gradient after the other, with what it saved.

    sign: of an op whose name says less, `× 2` of scale. zeros: outputs whose gradients did not
    arrive, so that zeros stand in for them. rule: the op by its own name, `inputs` and `attrs`
    what it was called with; nothing where the call was not recorded.
    """

    kind = "visit"
    op: str
    sign: str
    arrived: Rows
    uses: Sequence[str] = ()
    zeros: Sequence[str] = ()
    rule: str = ""
    inputs: Things = ()
    attrs: Mapping[str, Any] = field(default_factory=dict)
    computed: list[NamedThing] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ReceiveStep(Facts):
    """The user's backward is called; `outside`: whose gradients its arguments are there."""

    kind = "receive"
    layer: str
    arrived: Rows
    zeros: Sequence[str]
    outside: Sequence[str]


@dataclass(frozen=True, slots=True)
class ReturnStep(Facts):
    """It returns."""

    kind = "return"
    layer: str
    computed: Rows


@dataclass(frozen=True, slots=True)
class AccumulateStep(Facts):
    """Two gradients are added: both of this pass, or one that `.grad` held before it.

    why: uses (the tensor was used more than once), starts (backward starts there, too), old (an
    earlier gradient), zeros (of clear_grad, or a gradient that was 0), stored (one of these two).
    """

    kind = "accumulate"
    target: str
    held: Thing
    added: Thing
    total: Thing
    why: Why


@dataclass(frozen=True, slots=True)
class UnbroadcastStep(Facts):
    """A gradient is summed back to the shape of its tensor."""

    kind = "unbroadcast"
    target: str
    before: Thing
    after: Thing


@dataclass(frozen=True, slots=True)
class HookStep(Facts):
    """A hook saw a gradient."""

    kind = "hook"
    name: str
    target: str
    changed: bool


@dataclass(frozen=True, slots=True)
class LeafStep(Facts):
    """A gradient arrived in `.grad`."""

    kind = "leaf"
    target: str
    grad: Thing


@dataclass(frozen=True, slots=True)
class ReleaseStep(Facts):
    """A node lets go of what it saved."""

    kind = "release"
    op: str
    names: Sequence[str]

    @property
    def of_memory(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class UpdateStep(Facts):
    """An optimizer changed a parameter, which was `before`."""

    kind = "update"
    optimizer: str
    target: Thing
    before: Thing


# ----- Programs ----------------------------------------------------------------------------------


class BlockUse(NamedTuple):
    """A result in a block of memory, and what was there before it."""

    name: str
    block: str
    before: str


class Fate(NamedTuple):
    """What becomes of the memory of a value that is freed.

    stays: what (the value) goes, but whom lies there too. over: what (the block) already holds
    whom. free: what (the block) may be used again. gone: what (the value) has no block.
    """

    kind: Literal["stays", "over", "free", "gone"]
    what: str
    whom: str = ""


@dataclass(frozen=True, slots=True)
class AppendStep(Facts):
    """A Program gets an operator; `forward` is the one whose gradient it computes.

    by: the function that adds it. written: `x[0]`, where the user wrote that.
    """

    kind = "append"
    type: str
    role: str
    index: int
    inputs: Sequence[Thing]
    outputs: Sequence[Thing]
    forward: str
    by: str
    function: str
    forward_function: str
    written: str


@dataclass(frozen=True, slots=True)
class RunStep(Facts):
    """An Executor starts to run a Program."""

    kind = "run"
    fed: Sequence[Thing]
    fetches: Sequence[str]


@dataclass(frozen=True, slots=True)
class StartupStep(Facts):
    """It ran the startup program."""

    kind = "startup"
    made: Sequence[Thing]


@dataclass(frozen=True, slots=True)
class ExecuteStep(Facts):
    """It ran an operator; where the results lie is known when the run is over."""

    kind = "execute"
    type: str
    written: str
    inputs: Sequence[Thing]
    outputs: Sequence[Thing]
    memory: list[BlockUse] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PyFuncStep(Facts):
    """A py_func called the user's function, without the arguments that are skipped."""

    kind = "py_func"
    function: str
    arguments: Rows
    results: Rows
    skipped: Sequence[str]
    memory: list[BlockUse] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FreeStep(Facts):
    """Variables without a further reader go, one after the other."""

    kind = "free"
    names: list[str]
    memory: list[Fate] = field(default_factory=list)

    @property
    def of_memory(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class FinishStep(Facts):
    """The run is over."""

    kind = "finish"
    fetched: Sequence[Thing]


# ----- anywhere ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ErrorStep(Facts):
    """An exception stopped the work; `during` is what was at work, if that is known."""

    kind = "error"
    error: str
    message: Message
    during: Message | None = None
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class CutStep(Facts):
    """The recording reached its limit of events or bytes."""

    kind = "cut"
    what: str
    limit: float
