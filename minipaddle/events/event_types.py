"""The kinds of events: what happened, to which tensors, at which line of the user's code.

An event is a small record. Each kind says which of its fields hold tensors and which hold values,
so that whoever keeps events need not know them one by one. Ids are small integers given once per
process; whoever keeps a trace renumbers them.

Nobody changes an event once it is made. The classes are not frozen only because that makes each
event cost 0.5 us instead of 0.1, and an op tells ten of them; a test watches instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from ..engine.source_line import SourceLine


@dataclass(slots=True)
class Value:
    """An array at one moment: its shape, dtype and, alive only during the event, the data.

    `kept`: a listener has put a copy, which stays, in the place of the engine's array.
    """

    shape: tuple[int, ...]
    dtype: str
    data: Any = field(default=None, repr=False)
    kept: bool = field(default=False, repr=False, compare=False)


@dataclass(slots=True)
class Seen:
    """A tensor at one moment; `kind` is tensor, parameter or variable."""

    id: int
    name: str
    value: Value
    stop_gradient: bool
    leaf: bool
    kind: str = "tensor"
    version: int = 0


@dataclass(slots=True, unsafe_hash=True)
class Edge:
    """Where a gradient goes: to output `slot` of another grad node, or into a leaf's `.grad`."""

    kind: str  # "node" or "leaf"
    id: int
    slot: int = 0


SELDOM: dict[str, Any] = {"seldom": True}  # of a field: written only where it says something
TensorNumber = Annotated[int, "the number of a tensor; 0 for one that nothing else shows"]
Argument = Annotated[Any, "a Seen, a tuple of Seen (a list of tensors), None (an absent input)"]
Names = Annotated[Any, "the name of a Variable, a tuple of names, None (an absent one)"]


class Event:
    """What every kind of event declares: which of its fields hold tensors, and which values.

    tensor_fields: each holds a Seen, None, or a tuple of these, as deep as the user's lists go.
    value_fields: each holds a Value, None, or tuples or a mapping in which these stand.
    A class of this file that is no Event, like those above, is a part of events.
    """

    __slots__ = ()
    tensor_fields: ClassVar[tuple[str, ...]] = ()
    value_fields: ClassVar[tuple[str, ...]] = ()


@dataclass(slots=True)
class GradientTaken:
    """The gradient at an edge is in the user's hands, as this tensor."""

    edge: Edge
    holder: TensorNumber


@dataclass(slots=True)
class UpdateRule:
    """By what an optimizer changes a parameter: the rule and its hyper-parameters, by name.

    `factor` is the parameter's own, of the learning rate; `penalty` is added to the gradient after
    `clip`, which sees the gradients of all parameters with the same `group` that it `clips`.
    """

    rule: str
    options: dict[str, Any]
    factor: float
    penalty: str
    strength: float
    clip: str
    bounds: dict[str, Any]
    clips: bool
    group: int


# ----- forward -----------------------------------------------------------------------------------


@dataclass(slots=True)
class OpStarted(Event):
    """An op was called; `call` is the number by which later records refer to this call."""

    tensor_fields = ("inputs",)

    call: int
    op: str
    inputs: tuple[Argument, ...]
    attrs: dict[str, Any]
    place: SourceLine | None


@dataclass(slots=True)
class OpFinished(Event):
    """The op has its outputs.

    A change of values that is no part of the tape, such as `w.set_value(v)`, is told as the op that
    would do the same; its output is w itself, at the next version.
    """

    tensor_fields = ("inputs", "outputs")

    call: int
    op: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Seen, ...]
    attrs: dict[str, Any]
    place: SourceLine | None


@dataclass(slots=True)
class GradNodeMade(Event):
    """The tape got a node that will compute the gradients of one call; None: no gradient there."""

    node: int
    name: str
    call: int
    edges: tuple[Edge | None, ...]


@dataclass(slots=True)
class TensorSaved(Event):
    """A value was kept for backward under the name that the gradient rule gives it."""

    tensor_fields = ("tensor",)

    node: int
    slot: str
    tensor: Seen
    place: SourceLine | None = None  # of save_for_backward, where a PyLayer saved it


@dataclass(slots=True)
class ScopeEntered(Event):
    """Work begins inside a group: kind is layer, pylayer.forward, pylayer.backward or optimizer.

    For the two halves of a PyLayer `call` is the number of its apply; their arguments are the
    tensors (or None, a gradient that was not materialized) handed to the user's function.
    `parameters` maps the attributes of a layer to the names of the parameters they hold; with its
    first call that is heard come those of the layers in it, by their paths. Of an
    optimizer's step they are those that lack a gradient, by number. `training` says whether a
    layer behaves as in training. None of what has no such thing, and in a recording that does not
    say.
    """

    tensor_fields = ("inputs",)

    scope: int
    kind: str
    name: str
    call: int
    inputs: tuple[Argument, ...]
    place: SourceLine | None
    parameters: dict[str, str] | None = None
    training: bool | None = None


@dataclass(slots=True)
class ScopeLeft(Event):
    """Work inside the group is over; outputs as the function returned them."""

    tensor_fields = ("outputs",)

    scope: int
    kind: str
    name: str
    call: int
    outputs: tuple[Argument, ...]


@dataclass(slots=True)
class LayerHookRan(Event):
    """A hook of a layer saw what goes in (when: before) or comes out (when: after).

    `made` is what it puts in the place of that, None if it leaves things as they are.
    """

    tensor_fields = ("given", "made")

    scope: int
    name: str
    when: str
    given: tuple[Argument, ...]
    made: tuple[Argument, ...] | None
    place: SourceLine | None


@dataclass(slots=True)
class ContextMarked(Event):
    """A PyLayer's forward marked its context.

    mark: mark_not_inplace, mark_non_differentiable, set_materialize_grads or
    set_grad_in_dtype_consistent; `value` is the argument of the last two.
    """

    tensor_fields = ("tensors",)

    call: int
    mark: str
    tensors: tuple[Seen, ...]
    value: Any
    place: SourceLine | None


@dataclass(slots=True)
class CollectiveBegun(Event):
    """A collective has begun, and other work goes on: the op with its group and number ends it.

    `partner` is the one rank that a message comes from; None of a whole group.
    """

    op: str
    ranks: tuple[int, ...]
    number: int
    partner: int | None
    place: SourceLine | None


@dataclass(slots=True)
class ValuesTaken(Event):
    """Outside of every op a tensor got the values of another.

    way: "copy" (running statistics, `to_tensor(x)`), "alias" (it is a tensor in the memory of the
    other: detach), "numpy" (a copy of what `x.numpy()` gave), "computed" (Python computed it from
    that), "cut" (`x.detach_()`: the source is the tensor itself), or "result" (an in-place op wrote
    its result into memory that others may know; the tensor goes on under the number of the result).
    `place` is where the user's code asks for a tensor of its own; None: the engine needs it.
    """

    tensor_fields = ("tensor", "source")

    tensor: Seen
    source: Seen
    way: str
    place: SourceLine | None = field(default=None, metadata=SELDOM)


# ----- backward ----------------------------------------------------------------------------------


@dataclass(slots=True)
class BackwardStarted(Event):
    """A backward pass begins at these tensors with these seed gradients, from tensors `given`."""

    tensor_fields = ("roots",)
    value_fields = ("seeds",)

    run: int
    roots: tuple[Seen, ...]
    seeds: tuple[Value, ...]
    edges: tuple[Edge, ...]
    place: SourceLine | None
    given: tuple[TensorNumber, ...] = field(default=(), metadata=SELDOM)


@dataclass(slots=True)
class NodeVisited(Event):
    """All gradients of a node's outputs have arrived; it computes now (None: no gradient came)."""

    value_fields = ("arrived",)

    node: int
    name: str
    arrived: tuple[Value | None, ...]


@dataclass(slots=True)
class GradComputed(Event):
    """A node computed the gradient of its input number `index` (None: it said there is none)."""

    value_fields = ("grad",)

    node: int
    index: int
    edge: Edge
    grad: Value | None


@dataclass(slots=True)
class GradUnbroadcast(Event):
    """A gradient was summed back to the shape that its input had before broadcasting."""

    value_fields = ("before", "after")

    node: int
    index: int
    before: Value
    after: Value


@dataclass(slots=True)
class GradAccumulated(Event):
    """`held += added` where several gradients meet: at a node's output or in a leaf's `.grad`.

    `stored`: what was held is what `.grad` had before this pass, and not on its way; None in a
    recording that does not say.
    """

    value_fields = ("held", "added", "total")

    edge: Edge
    held: Value
    added: Value
    total: Value
    stored: bool | None = None


@dataclass(slots=True)
class LeafReached(Event):
    """A leaf's `.grad`, the tensor `holder`, now holds this."""

    tensor_fields = ("tensor",)
    value_fields = ("grad",)

    tensor: Seen
    grad: Value
    holder: TensorNumber = field(default=0, metadata=SELDOM)


@dataclass(slots=True)
class GradMissed(Event):
    """The user asked for a `.grad` that is None, and why it is.

    `reason` is that of `why_no_grad`; the texts are its answer and its advice, with {x} for the
    name of the tensor.
    """

    tensor_fields = ("tensor",)

    tensor: Seen
    reason: str
    happened: tuple[str, str]
    advice: tuple[str, str]
    place: SourceLine | None


@dataclass(slots=True)
class HookRan(Event):
    """A hook of a tensor saw its gradient, as the tensor `given`, and perhaps replaced it."""

    value_fields = ("before", "after")

    edge: Edge
    name: str
    before: Value
    after: Value
    place: SourceLine | None
    given: TensorNumber = field(default=0, metadata=SELDOM)
    made: TensorNumber = field(default=0, metadata=SELDOM)


@dataclass(slots=True)
class GradientRetained(Event):
    """`retain_grads` keeps the gradient at this edge, as it is now, in this tensor."""

    edge: Edge
    holder: TensorNumber


@dataclass(slots=True)
class SavedReleased(Event):
    """A node let go of what it had saved."""

    node: int
    slots: tuple[str, ...]


@dataclass(slots=True)
class BackwardFinished(Event):
    """The backward pass is over; `results` are what paddle.grad gives."""

    run: int
    results: tuple[GradientTaken, ...] = field(default=(), metadata=SELDOM)


@dataclass(slots=True)
class ParameterUpdated(Event):
    """An optimizer changed a parameter.

    `grad` is its `.grad`, before clipping and penalties. `formula` says what happened to p, the
    parameter, and to g, its gradient, and ends in `p ← p − ...`, or is empty where the optimizer
    does not tell; lr in it is `rate`. With the first update of a parameter that is heard comes
    what the others follow as well: the rule, and what it remembered before (None: nothing yet).
    """

    tensor_fields = ("tensor",)
    value_fields = ("grad", "before", "state")

    optimizer: str
    tensor: Seen
    grad: Value
    before: Value
    place: SourceLine | None
    formula: str = ""
    rate: float = 0.0
    follows: UpdateRule | None = field(default=None, metadata=SELDOM)
    state: tuple[Value, ...] | None = field(default=None, metadata=SELDOM)


# ----- static Programs ---------------------------------------------------------------------------


@dataclass(slots=True)
class Declared:
    """A Variable of a Program: what is known of it before anything runs (-1: not yet known)."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    stop_gradient: bool
    persistable: bool
    kind: str  # "data", "parameter" or "variable"


@dataclass(slots=True)
class Kernel:
    """What an operator computes, as the record of its `op` has it.

    kind: op (the record's kernel), gradient (its gradient rule) or update (`follows` says by what);
    `attrs` by the record's names; arguments and results are Variables, in the kernel's order.
    """

    kind: str
    attrs: dict[str, Any]
    arguments: tuple[Names, ...]
    results: tuple[Names, ...]
    follows: UpdateRule | None = field(default=None, metadata=SELDOM)


@dataclass(slots=True)
class OperatorAppended(Event):
    """A Program got an Operator.

    role: forward, loss, backward or optimize; for a gradient operator `forward_of` is the index
    of the operator whose gradient it computes; `mode` says by what it was appended: build,
    append_backward, gradients, or minimize. `formula`: of an update, as in ParameterUpdated;
    `kernel`: of an operator that no user's function computes; else `function`: what that is called.
    """

    program: int
    index: int
    type: str
    inputs: dict[str, tuple[Declared | None, ...]]
    outputs: dict[str, tuple[Declared | None, ...]]
    attrs: dict[str, Any]
    role: str
    forward_of: int | None
    op: str
    place: SourceLine | None
    mode: str = "build"
    formula: str = ""
    kernel: Kernel | None = field(default=None, metadata=SELDOM)
    function: str = field(default="", metadata=SELDOM)


@dataclass(slots=True)
class OperatorRefused(Event):
    """A Program does not take an operator, for its arguments do not fit; a Failed follows.

    `index` is the place that it was to have, `inputs` are its Variables (None: something else), in
    the order of the record of its `op`, those of lists one after the other.
    """

    program: int
    index: int
    op: str
    inputs: tuple[Declared | None, ...]
    attrs: dict[str, Any]
    place: SourceLine | None


@dataclass(slots=True)
class RunStarted(Event):
    """An Executor begins to run a Program with these feeds."""

    value_fields = ("feeds",)

    program: int
    feeds: dict[str, Value]
    fetches: tuple[str, ...]
    place: SourceLine | None


@dataclass(slots=True)
class OperatorExecuted(Event):
    """An Operator ran; values by variable name."""

    value_fields = ("inputs", "outputs")

    program: int
    index: int
    inputs: dict[str, Value]
    outputs: dict[str, Value]


@dataclass(slots=True)
class PyFuncCalled(Event):
    """A py_func operator called the user's function.

    direction: forward or backward; arguments in order as (variable name, value or None);
    skipped: the names that skip_vars_in_backward_input took out of the order.
    """

    value_fields = ("arguments", "results")

    program: int
    index: int
    direction: str
    function: str
    defined: SourceLine | None
    arguments: tuple[tuple[str, Value | None], ...]
    skipped: tuple[str, ...]
    results: tuple[tuple[str, Value | None], ...]


@dataclass(slots=True)
class VariableFreed(Event):
    """A temporary variable has no further reader; its buffer is free again."""

    program: int
    name: str


@dataclass(slots=True)
class Stay:
    """A value in memory: from the operator that makes it to the last one that needs it.

    `names` are the Variables that it is, views of it included. `born` is -1 for what was there as
    the run began; `freed` is the number of operators for what is there when it ends.
    """

    names: tuple[str, ...]
    nbytes: int
    born: int
    freed: int


@dataclass(slots=True)
class MemoryBlock:
    """A piece of memory, and the values it holds one after the other.

    kind: shared (of temporary values, used again), own (a temporary value that others may keep,
    such as a py_func, so nothing takes its place), fed (the user's array), scope (persistable).
    """

    kind: str
    nbytes: int
    stays: tuple[Stay, ...]


@dataclass(slots=True)
class MemoryPlanned(Event):
    """How the values of a run share memory, with their sizes in this run."""

    program: int
    blocks: tuple[MemoryBlock, ...]


@dataclass(slots=True)
class RunFinished(Event):
    """The run is over; fetched values by name."""

    value_fields = ("fetched",)

    program: int
    fetched: dict[str, Value]


# ----- anywhere ----------------------------------------------------------------------------------


@dataclass(slots=True)
class ErrorPart:
    """A part of an error's message. name: what, expected, received or fix."""

    name: str
    text: str
    text_zh: str = ""  # in Chinese, where there is a text of its own


@dataclass(slots=True)
class Failed(Event):
    """An exception left the step that was under way: an op, a scope, a node or an operator.

    during: op, scope, node, leaf, operator (that runs) or refused (that was to be appended).
    """

    during: str
    id: int  # the call, scope, node, leaf, or operator's index
    error: str
    message: str
    place: SourceLine | None
    message_zh: str = ""
    parts: tuple[ErrorPart, ...] = field(default=(), metadata=SELDOM)  # of minipaddle's own errors
