"""The kinds of events: records of what happened, with its tensors and the line of user code.

Each kind names its fields that hold tensors and those that hold values, so that code that stores
events need not know the kinds. Ids are small integers, unique in the process; stored traces are
renumbered.

An event never changes once it is made. A frozen class would make an event cost 0.5 us instead of
0.1, and an op emits ten; a test checks it instead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import prod
from typing import Annotated, Any, ClassVar

from ..engine.source_line import SourceLine


@dataclass(slots=True)
class Value:
    """An array at one moment: shape, dtype and data, which are valid only during the event.

    `kept`: the data are a copy made for a listener, valid for good.
    """

    shape: tuple[int, ...]
    dtype: str
    data: Any = field(default=None, repr=False)
    kept: bool = field(default=False, repr=False, compare=False)

    @property
    def nbytes(self) -> int:
        """Size in bytes, also of dtypes that NumPy lacks, as bfloat16.

        >>> Value((2, 3), "bfloat16").nbytes, Value((2, 3), "bool").nbytes
        (12, 6)
        """
        bits = re.search("[0-9]+", self.dtype)
        return prod(self.shape) * (int(bits[0]) // 8 if bits else 1)


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
    """The target of a gradient: output `slot` of a grad node, or a leaf's `.grad`."""

    kind: str  # node or leaf
    id: int
    slot: int = 0


SELDOM: dict[str, Any] = {"seldom": True}  # metadata of a field: stored only if not the default
UNSTORED: dict[str, Any] = {"unstored": True}  # metadata of a field that only listeners see
TensorNumber = Annotated[int, "the number of a tensor; 0 for one that nothing else shows"]
Argument = Annotated[Any, "a Seen, a tuple of Seen (a list of tensors), None (an absent input)"]
Names = Annotated[Any, "the name of a Variable, a tuple of names, None (an absent one)"]


class Event:
    """Base of the kinds of events, which declare their fields with tensors and with values.

    tensor_fields: each holds a Seen, None, or a tuple of these, nested like the user's lists.
    value_fields: each holds a Value, None, or tuples or a mapping of these.
    Classes of this file that are no Event, such as Seen, are parts of events.
    """

    __slots__ = ()
    tensor_fields: ClassVar[tuple[str, ...]] = ()
    value_fields: ClassVar[tuple[str, ...]] = ()


@dataclass(slots=True)
class GradientTaken:
    """paddle.grad returned the gradient at an edge, as the tensor `holder`; 0: it returned None."""

    edge: Edge
    holder: TensorNumber


@dataclass(slots=True)
class UpdateRule:
    """The rule by which an optimizer changes a parameter, with hyper-parameters by name.

    `factor` is the parameter's factor of the learning rate. `penalty` is added to the gradient
    after `clip`, which sees the gradients of all parameters of the same `group` that it `clips`.
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
    """An op has computed its outputs.

    A change of values off the tape, such as `w.set_value(v)`, is reported as the op that would do
    the same; its output is w itself, at the next version.
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
    """The tape got the node of a call; an edge is None for an input without gradient."""

    node: int
    name: str
    call: int
    edges: tuple[Edge | None, ...]


@dataclass(slots=True)
class TensorSaved(Event):
    """A value was saved for backward, under its name in the gradient rule."""

    tensor_fields = ("tensor",)

    node: int
    slot: str
    tensor: Seen
    place: SourceLine | None = None  # line of save_for_backward in a PyLayer


@dataclass(slots=True)
class ScopeEntered(Event):
    """Work begins inside a group.

    kind: layer, pylayer.forward, pylayer.backward, optimizer, control (of cond and while_loop) or
    update (a function that changes gradients, such as clip_grad_norm_).
    For forward and backward of a PyLayer `call` is the number of its apply; `inputs` are the
    tensors (or None for a gradient that was not materialized) given to the user's function.
    `parameters` maps attributes of a layer to the names of their parameters; the first reported
    call of a layer also has those of its sublayers, by their paths. For an optimizer's step it has
    the parameters without a gradient, by number. `training` says whether a layer is in training
    mode. `settings` maps parameters of a PyLayer's forward to the arguments without Tensors, as
    code. These are None for other kinds, and in recordings without them.
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
    settings: dict[str, str] | None = field(default=None, metadata=SELDOM)


@dataclass(slots=True)
class ScopeLeft(Event):
    """Work inside the group is over; `outputs` are the results of the function."""

    tensor_fields = ("outputs",)

    scope: int
    kind: str
    name: str
    call: int
    outputs: tuple[Argument, ...]


@dataclass(slots=True)
class LayerHookRan(Event):
    """A hook of a layer saw the inputs (when: before) or the outputs (when: after), `given`.

    `made` replaces them; None if the hook changed nothing.
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
    """A collective has begun, beside other work; the op with its group and number ends it.

    `partner` is the rank that a message comes from; None for a collective of the whole group.
    """

    op: str
    ranks: tuple[int, ...]
    number: int
    partner: int | None
    place: SourceLine | None


@dataclass(slots=True)
class LoopTurn(Event):
    """A turn (iteration) of a Python loop in the user's code begins, as a recorder finds out.

    `loop` numbers the run of the loop, `turn` counts its turns from 0; OVER: the loop has ended;
    UNKNOWN: its turns, also the earlier ones, cannot be told apart. `name` is the loop's variable
    with its value, `t = 3`, or "".
    """

    OVER: ClassVar[int] = -1
    UNKNOWN: ClassVar[int] = -2

    loop: int
    turn: int
    name: str = ""


@dataclass(slots=True)
class ValuesTaken(Event):
    """A tensor got the values of another one, outside of ops.

    way: "copy" (running statistics, `to_tensor(x)`), "alias" (a tensor in the memory of `source`:
    detach), "numpy" (a copy of the array of `x.numpy()`), "computed" (computed by Python from such
    an array), "cut" (`x.detach_()`: the source is the tensor itself), or "result" (an in-place op
    wrote its result into memory that others may share; the tensor takes the result's number).
    `place` is the line that asked for the tensor; None if the engine made it by itself.
    """

    tensor_fields = ("tensor", "source")

    tensor: Seen
    source: Seen
    way: str
    place: SourceLine | None = field(default=None, metadata=SELDOM)


# ----- backward ----------------------------------------------------------------------------------


@dataclass(slots=True)
class BackwardStarted(Event):
    """A backward pass begins at `roots` with the gradients `seeds`, copies of tensors `given`.

    `loss` is the last single number from which it begins, if any; recordings do not have it.
    """

    tensor_fields = ("roots",)
    value_fields = ("seeds",)

    run: int
    roots: tuple[Seen, ...]
    seeds: tuple[Value, ...]
    edges: tuple[Edge, ...]
    place: SourceLine | None
    given: tuple[TensorNumber, ...] = field(default=(), metadata=SELDOM)
    loss: float | None = field(default=None, metadata=UNSTORED)


@dataclass(slots=True)
class NodeVisited(Event):
    """All gradients of a node's outputs have arrived (None: no gradient), and it computes."""

    value_fields = ("arrived",)

    node: int
    name: str
    arrived: tuple[Value | None, ...]


@dataclass(slots=True)
class GradComputed(Event):
    """A node computed the gradient of its input number `index`, or None: there is none."""

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
    """Two gradients were added, `held += added`, at a node's output or in a leaf's `.grad`.

    `stored`: `held` was in `.grad` before this pass, not on its way; None in recordings without it.
    """

    value_fields = ("held", "added", "total")

    edge: Edge
    held: Value
    added: Value
    total: Value
    stored: bool | None = None


@dataclass(slots=True)
class LeafReached(Event):
    """A leaf's `.grad`, the tensor `holder`, now has the value `grad`."""

    tensor_fields = ("tensor",)
    value_fields = ("grad",)

    tensor: Seen
    grad: Value
    holder: TensorNumber = field(default=0, metadata=SELDOM)


@dataclass(slots=True)
class GradMissed(Event):
    """The user read a `.grad` that is None.

    `reason` is that of `why_no_grad`; `happened` and `advice` are its texts, in English and
    Chinese, with {x} for the name of the tensor.
    """

    tensor_fields = ("tensor",)

    tensor: Seen
    reason: str
    happened: tuple[str, str]
    advice: tuple[str, str]
    place: SourceLine | None


@dataclass(slots=True)
class HookRan(Event):
    """A hook of a tensor saw the gradient, as tensor `given`; `made` (0: none) replaces it."""

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
    """`retain_grads` stored the present gradient at an edge in the tensor `holder`."""

    edge: Edge
    holder: TensorNumber


@dataclass(slots=True)
class SavedReleased(Event):
    """A node released its saved values."""

    node: int
    slots: tuple[str, ...]


@dataclass(slots=True)
class BackwardFinished(Event):
    """The backward pass is over; `results` are the gradients that paddle.grad returns."""

    run: int
    results: tuple[GradientTaken, ...] = field(default=(), metadata=SELDOM)


@dataclass(slots=True)
class ParameterUpdated(Event):
    """An optimizer changed a parameter.

    `grad` is its `.grad`, before clipping and penalties. `formula` describes the update of the
    parameter p by its gradient g, and ends in `p ← p − ...`; "" if the optimizer has none; lr in it
    is `rate`. The first reported update of a parameter also has its rule, `follows`, and the state
    of the rule before the update (None: no state yet).
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
    """A Variable of a Program, as known before a run (-1: a size not yet known)."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    stop_gradient: bool
    persistable: bool
    kind: str  # data, parameter or variable


@dataclass(slots=True)
class Kernel:
    """The computation of an operator, in terms of the record of its `op`.

    kind: op (the record's kernel), gradient (its gradient rule) or update (by the rule `follows`).
    `attrs` have the record's names; arguments and results are Variables, in the kernel's order.
    """

    kind: str
    attrs: dict[str, Any]
    arguments: tuple[Names, ...]
    results: tuple[Names, ...]
    follows: UpdateRule | None = field(default=None, metadata=SELDOM)


@dataclass(slots=True)
class OperatorAppended(Event):
    """A Program got an Operator.

    role: forward, loss, backward or optimize. `forward_of` of a gradient operator is the index of
    the operator whose gradient it computes. `mode` names the call that appended it: build,
    append_backward, gradients or minimize. `formula` of an update is as in ParameterUpdated.
    `kernel` is None for an operator that runs a user's function, which `function` names.
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
class PartAppended(Event):
    """An operator has a Program of its own, `part`: a branch, or what a loop repeats.

    name: true_fn, false_fn, cond, body, forward_fn or backward_fn, also of a Program that computes
    the gradients of one. `takes` pairs each argument of the operator with its name in the part,
    `gives` each result; "" stands for one that is missing. A condition gives nothing.
    """

    program: int
    index: int
    part: int
    name: str
    takes: tuple[tuple[str, str], ...]
    gives: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class PartEntered(Event):
    """An operator that runs begins to run a part; `turn` of a loop counts from 0, else -1.

    What follows until PartLeft is of the part, except for the OperatorAppended of parts.
    """

    program: int
    index: int
    part: int
    turn: int


@dataclass(slots=True)
class PartLeft(Event):
    """The part has run."""

    program: int
    index: int
    part: int
    turn: int


@dataclass(slots=True)
class OperatorRefused(Event):
    """A Program rejected an operator whose arguments do not fit; a Failed follows.

    `index` is the index that it would have had. `inputs` are its Variables (None: another value) in
    the order of the record of its `op`; lists are flattened.
    """

    program: int
    index: int
    op: str
    inputs: tuple[Declared | None, ...]
    attrs: dict[str, Any]
    place: SourceLine | None


@dataclass(slots=True)
class RunStarted(Event):
    """An Executor begins to run a Program with `feeds`."""

    value_fields = ("feeds",)

    program: int
    feeds: dict[str, Value]
    fetches: tuple[str, ...]
    place: SourceLine | None


@dataclass(slots=True)
class OperatorExecuted(Event):
    """An Operator ran; `inputs` and `outputs` map names of Variables to values."""

    value_fields = ("inputs", "outputs")

    program: int
    index: int
    inputs: dict[str, Value]
    outputs: dict[str, Value]


@dataclass(slots=True)
class PyFuncCalled(Event):
    """A py_func operator called the user's function.

    direction: forward or backward. `arguments` and `results` are (variable name, value or None) in
    order. `skipped`: the names that skip_vars_in_backward_input removed from the arguments.
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
    """A temporary Variable has no further reader, and its buffer is free for others."""

    program: int
    name: str


@dataclass(slots=True)
class Stay:
    """A value's time in memory: from the operator that makes it to the last one that needs it.

    `names` are its Variables, views included. `born` is -1 if the value exists before the run;
    `freed` is the number of operators if it exists after the run.
    """

    names: tuple[str, ...]
    nbytes: int
    born: int
    freed: int


@dataclass(slots=True)
class MemoryBlock:
    """A piece of memory, and the values that it holds one after the other.

    kind: shared (temporary values, reused), own (a temporary value that others, such as a py_func,
    may refer to, so never reused), fed (the user's array), scope (a persistable value).
    """

    kind: str
    nbytes: int
    stays: tuple[Stay, ...]


@dataclass(slots=True)
class MemoryPlanned(Event):
    """The plan by which values of a run share memory, with their sizes in this run."""

    program: int
    blocks: tuple[MemoryBlock, ...]


@dataclass(slots=True)
class RunFinished(Event):
    """The run is over; `fetched` maps names to values."""

    value_fields = ("fetched",)

    program: int
    fetched: dict[str, Value]


# ----- anywhere ----------------------------------------------------------------------------------


@dataclass(slots=True)
class ErrorPart:
    """A part of an error's message. name: what, expected, received or fix."""

    name: str
    text: str
    text_zh: str = ""  # Chinese text, if it differs


@dataclass(slots=True)
class Failed(Event):
    """An exception left the running step.

    during: op, scope, node, leaf, operator (that ran) or refused (that should have been appended).
    """

    during: str
    id: int  # id of the call, scope, node or leaf; index of the operator
    error: str
    message: str
    place: SourceLine | None
    message_zh: str = ""
    parts: tuple[ErrorPart, ...] = field(default=(), metadata=SELDOM)  # own errors
