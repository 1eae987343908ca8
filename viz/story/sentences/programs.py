"""One sentence for each step of building and running a Program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from minipaddle.messages import CLAUSES, EMPTY, LIST, Message, Row

from ..steps import Facts
from .backward import TWO_LINES, fits, shortest_needed, without_shapes
from .wording import Constant, Mention, Rows, combine, digits, row, things

FEW = 3  # most freed variables that a sentence names


class BlockUse(NamedTuple):
    """A result in a block of memory, and the variables in the block before, or ""."""

    name: str
    block: str
    before: str


class Fate(NamedTuple):
    """Use of the memory of a freed value from then on.

    stays: other values, `whom`, share the memory of the value `what`. over: the block `what`
    already holds `whom`. free: the block `what` may be used again. gone: the value `what` has no
    block.
    """

    kind: Literal["stays", "over", "free", "gone"]
    what: str
    whom: str = ""


def one_part(name: str, whole: str) -> Message:
    """Return the sentence that explains the name of a part of a gradient."""
    said = Message(
        "{name} is one part of {whole}: {x} is used more than once, and sum will add the parts."
    )
    return said.fill(name=name, whole=whole, x=whole.removesuffix("@GRAD"))


@dataclass(frozen=True, slots=True)
class AppendStep(Facts):
    """A Program gets an operator; `forward` is the operator whose gradient it computes.

    by: the function that adds the operator. written: the user's code, such as `x[0]`, or "".
    fill: the value that an operator fills a gradient with, or None. slots: output -> its slot.
    scope: name scope of what minimize adds: "gradient_clip", "regularization" or another one.
    """

    kind = "append"
    type: str
    role: str
    index: int
    inputs: Sequence[Mention]
    outputs: Sequence[Mention]
    forward: str
    by: str
    function: str
    forward_function: str
    written: str
    fill: float | None = None
    slots: Mapping[str, str] = field(default_factory=dict)
    scope: str = ""
    epsilon: float = 1e-5

    def sentence(self) -> Message:
        """Return the full sentence, or one without shapes, or one that names only outputs."""
        read, made = [t.bare for t in self.inputs], [t.bare for t in self.outputs]
        ways = (self.inputs, self.outputs), (read, made), ((), made)
        full = (self._fill_sentence(got, out, self.slots) for got, out in ways)
        changed = {t.called for t in self.inputs} & {t.called for t in self.outputs}
        slots = self.slots if changed else {}  # which must not be said to be computed only
        return shortest_needed((*full, self._fill_sentence((), made, slots)))

    def _fill_sentence(
        self, inputs: Sequence[Mention], outputs: Sequence[Mention], slots: Mapping[str, str]
    ) -> Message:
        by = {"build": "Program", "gradients": "static.gradients"}.get(self.by, self.by)
        root: Message | str = Message("the loss")
        if inputs and inputs[0].called:
            root = inputs[0].called
        of = [thing.called.partition("@GRAD")[0] for thing in outputs]
        return self._choose_template(bool(inputs)).fill(
            by=Message("The Program") if by == "Program" else by,
            op=operator(self.type, self.function, self.written),
            forward=operator(self.forward, "", self.forward_function),
            index=self.index,
            count=len(outputs),
            names=row(of),
            inputs=things(inputs),
            outputs=things(outputs),
            root=root,
            work=self._work(inputs, with_roles(outputs, slots, self.epsilon), outputs),
        )

    def _work(
        self, inputs: Sequence[Mention], named: Row | Message, outputs: Sequence[Mention]
    ) -> Message:
        """Return the clause on what the operator will do when the Program runs."""
        if not outputs:
            said = Message("it will read {inputs} and output nothing")
        elif {t.called for t in outputs} <= {t.called for t in self.inputs}:
            names = {t.called for t in outputs}
            rest = [t for t in inputs if t.called not in names]
            said = Message("it will update {outputs}, using {inputs}", inputs=things(rest))
            if not rest and self.role == "optimize" and len(outputs) > 1:  # too many to name
                said = Message(
                    "it will update {x} and the {n} values that the optimizer keeps for it, using "
                    "its gradient and the learning rate",
                    x=outputs[0],
                    n=len(outputs) - 1,
                )
            elif not rest:
                said = Message("it will update {outputs}")
        elif inputs:
            said = Message("it will compute {outputs} from {inputs}")
        else:
            said = Message("it will compute {outputs}")
        slots = {"inputs": things(inputs), "outputs": named}
        return said.fill(**{**slots, **said.slots})

    def _choose_template(self, reads: bool) -> Message:
        """Return the sentence's template, for an operator with inputs or none to name."""
        if self.forward and not reads:
            return Message("{by} adds {op}, for the {count:gradient|gradients} of {names}.")
        if self.forward:
            return Message("{by} adds {op}, the gradient of {forward}: {work}.")
        if self.role == "backward" and self.fill == 0:
            return Message("{by} adds {op}: {outputs} is 0, as no gradient arrives at {names}.")
        if self.role == "backward" and self.type in ("fill_constant", "fill_any_like"):
            return Message(
                "{by} begins with {op}: {outputs} is 1, the gradient of {root} with respect to "
                "itself."
            )
        if self.role == "backward" and self.type == "sum" and not reads:
            return Message(
                "{by} adds sum: gradients from several places are added up, giving {outputs}."
            )
        if self.role == "backward" and self.type == "sum":
            return Message(
                "{by} adds sum: gradients from several places, {inputs}, are added up, "
                "giving {outputs}."
            )
        if self.role == "optimize":
            return PURPOSES.get(self.scope, UPDATE)
        return Message("Operator {index}, {op}, is added to the Program: {work}.")


UPDATE = Message("{by} adds the update operator {op}: {work}.")
PURPOSES = {  # name scope -> what an operator is for, before the update
    "gradient_clip": Message("{by} adds {op}, to clip gradients: {work}."),
    "regularization": Message("{by} adds {op}, for the penalty on a parameter: {work}."),
    "scale_with_param_lr": Message(
        "{by} adds {op}, for the learning rate of one parameter: {work}."
    ),
}


def operator(type: str, function: str = "", written: str = "") -> Message | str:
    """Return an operator's name, with the user's function or code: `py_func (calling tanh)`."""
    if function:
        return Message("{type} (calling {function})", type=type, function=function)
    return Message("{type} ({written})", type=type, written=written) if written else type


ROLES = {  # slot of an output that its name does not explain -> what the output is
    "Softmax": Message("the softmax"),
    "Loss": Message("the loss of each row"),
    "MeanOut": Message("the running mean, updated"),
    "VarianceOut": Message("the running variance, updated"),
    "MeanKept": Message("the running mean, unchanged"),
    "VarianceKept": Message("the running variance, unchanged"),
    "SavedMean": Message("the mean"),
    "SavedVariance": Message("1 ÷ √(variance + {epsilon})"),
    "Correct": Message("the right ones"),
    "Total": Message("all of them"),
}


def with_roles(
    outputs: Sequence[Mention], slots: Mapping[str, str], epsilon: float
) -> Row | Message:
    """Return outputs as a list in words, with what they are if only their slots say that."""
    noted, number = Message("{name} ({role})"), Constant(digits(epsilon))
    roles = [ROLES.get(slots.get(thing.called, "")) for thing in outputs]
    pairs = zip(outputs, roles, strict=True)
    return row(
        [
            noted.fill(name=thing, role=role.fill(epsilon=number)) if role else thing
            for thing, role in pairs
        ]
    )


@dataclass(frozen=True, slots=True)
class RunStep(Facts):
    """An Executor starts to run a Program."""

    kind = "run"
    fed: Sequence[Mention]
    fetches: Sequence[str]
    is_empty: bool = False

    def sentence(self) -> Message:
        if self.is_empty:
            return Message(
                "The Executor runs a Program of which no operator is recorded; the startup Program "
                "of a Program without parameters has none."
            )
        given = Message("with {fed}", fed=things(self.fed)) if self.fed else Message("with nothing")
        wanted = Message("fetches nothing")
        if self.fetches:
            wanted = Message("fetches {names}", names=row(self.fetches))
        said = Message("The Executor runs the Program {given} and {wanted}.")
        return said.fill(given=given, wanted=wanted)


@dataclass(frozen=True, slots=True)
class StartupStep(Facts):
    """An Executor ran the startup program."""

    kind = "startup"
    made: Sequence[Mention]

    def sentence(self) -> Message:
        return Message(
            "The Executor runs the startup program: {count} "
            "{count:variable gets its initial value|variables get their initial values}.",
            count=len(self.made),
        )


RUNS = Message("{op} runs")
WAYS = {  # operator, or the value of its condition -> how it runs
    "True": Message("{pred} is true, so {op} runs true_fn"),
    "False": Message("{pred} is false, so {op} runs false_fn"),
    "while": Message("{op} repeats its body until its condition is false"),
    "cond_grad": Message("{op} goes back through the function that cond ran"),
    "while_grad": Message("{op} goes back through all rounds of the loop"),
}


ENTERS = {
    "true_fn": Message("{pred} is true, so {op} runs true_fn."),
    "false_fn": Message("{pred} is false, so {op} runs false_fn."),
    "cond": Message("{op} begins: it repeats its body as long as its condition is true."),
    "body": Message("The condition is true: iteration {number} of {op} begins{carried}."),
    "forward_fn": Message("{op} runs the function for forward."),
    "backward_fn": Message("{op} runs the function for backward."),
}
CARRIED, WITH = Message("{name} = {value}"), Message(" with {values}")
GOES_BACK = Message(
    "{op} goes back through {part}{carried}: the values inside are computed once more, then their "
    "gradients."
)
OF_TURN = Message(
    "{names} {names:is|are} of iteration {number}; {op} will add those of all iterations."
)
OF_FIRST_TURN = Message("{names} {names:is|are} {own} of iteration 1.")
SUMS = Message("{names} {names:is the sum|are the sums} of {own} over the {count} iterations.")
ENDS = Message(
    "The condition is false: {op} ends after {count} {count:iteration|iterations} and gives {made}."
)


@dataclass(frozen=True, slots=True)
class PartStep(Facts):
    """An operator begins to run a part; `number` counts the turns of a loop from 1, or is 0.

    pred: the condition by which a branch was chosen, or "". carried: each variable of a loop with
    its new value, which the iteration before made, or each gradient that arrives.
    """

    kind = "part"
    type: str
    part: str
    pred: str
    number: int
    carried: Sequence[tuple[str, str]] = ()

    def sentence(self) -> Message:
        carried = [CARRIED.fill(name=name, value=value) for name, value in self.carried]
        said, part = ENTERS[self.part], Message("iteration {number}", number=self.number)
        if self.type.endswith("_grad") and self.part != "backward_fn":
            said = GOES_BACK.fill(part=part if self.number else self.part)
        said = said.fill(op=self.type, pred=self.pred, number=self.number, carried=EMPTY)
        return said.fill(carried=WITH.fill(values=Row(carried, LIST))) if carried else said


@dataclass(frozen=True, slots=True)
class ExecuteStep(Facts):
    """An Executor ran an operator; `memory` is added when the run is over.

    turns: how many parts are recorded that it ran, apart from conditions; None if it has none.
    """

    kind = "execute"
    type: str
    written: str
    inputs: Sequence[Mention]
    outputs: Sequence[Mention]
    slots: Mapping[str, str] = field(default_factory=dict)
    turns: int | None = None
    epsilon: float = 1e-5
    memory: list[BlockUse] = field(default_factory=list)

    def sentence(self) -> Message:
        """Return the full sentence, or one without shapes, or one without inputs."""
        inputs, outputs, several = self.inputs, self.outputs, len(self.outputs) > 1
        op = operator(self.type, "", self.written)
        if not inputs:
            short = Message("{op} runs and makes {made}.", op=op, made=self._results(outputs))
            return with_memory([short], short, self.memory, several)
        if {t.called for t in outputs} <= {t.called for t in inputs}:
            return self._updating_sentence(op)
        read, made = [t.bare for t in inputs], [t.bare for t in outputs]
        kind = inputs[0].number if self.type == "cond" else self.type
        way = WAYS.get(kind, RUNS).fill(op=op, pred=inputs[0].called)
        short = Message("{way} and gives {made}.", way=way, made=self._results(made))
        said = Message("{way}: {given} {given:gives|give} {made}.", way=way)
        if self.type == "mul":
            said = Message("{op} runs: the matrix product of {given} gives {made}.", op=op)
        if self.turns is not None:  # steps of its own have told what it ran
            said = Message("{op} is done and gives {made}.", op=op)
            said = ENDS.fill(op=op, count=self.turns) if self.type == "while" else said
        ways = (inputs, outputs), (read, outputs), (read, made)
        full = [said.fill(given=things(got), made=self._results(out)) for got, out in ways]
        return with_memory(full, short, self.memory, several)

    def _results(self, outputs: Sequence[Mention]) -> Row | Message:
        return with_roles(outputs, self.slots, self.epsilon)

    def _updating_sentence(self, op: Message | str) -> Message:
        """Return the sentence on an operator whose outputs are inputs: an optimizer's."""
        names = {t.called for t in self.outputs}
        rest = [t for t in self.inputs if t.called not in names]
        old = {t.called: t for t in self.inputs}
        moved = Message("{name} from {before} to {after}")
        changed = [new for new in self.outputs if new.value != old[new.called].value]
        made = row(
            moved.fill(name=new.called, before=old[new.called].figure, after=new.figure)
            if new.number and old[new.called].number
            else new
            for new in changed or self.outputs
        )
        short = Message("{op} runs and updates {made}.", op=op, made=made)
        said = Message("{op} runs: it updates {made}, using {given}.", op=op)
        said = said.fill(made=made, given=things(rest)) if rest else short
        return with_memory([said], short, self.memory, len(names) > 1)


def with_memory(
    sentences: Sequence[Message], short: Message, memory: Sequence[BlockUse], several: bool
) -> Message:
    """Return the first sentence that is short enough, with the results' memory blocks if possible,
    and what they held before; with those of several results rather than with the inputs."""
    if not memory:
        return shortest_needed((*sentences, short))
    bare = [use._replace(before="") for use in memory]
    where = [block_sentence(uses, several) for uses in (memory, bare)]
    ways = (*sentences, short) if several else sentences
    said = [combine(sentence, blocks) for blocks in where for sentence in ways]
    return shortest_needed((*said, *sentences, short))


def block_sentence(memory: Sequence[BlockUse], several: bool) -> Message:
    """Return the sentence on the memory blocks of results, new or used before."""
    rows = []
    for name, block, before in memory:
        if before:
            said = Message(
                "{name} goes into memory block {block}, where {before} {before:was|were}"
            )
        else:
            said = Message("{name} goes into memory block {block}")
        it = name if several else Message("It")
        rows.append(said.fill(name=it, block=block, before=row(before.split(" & "))))
    return Message("{clauses}.", clauses=Row(rows, CLAUSES))


@dataclass(frozen=True, slots=True)
class PyFuncStep(Facts):
    """A py_func called the user's function, without the arguments that are skipped."""

    kind = "py_func"
    function: str
    arguments: Rows
    results: Rows
    skipped: Sequence[str]
    memory: list[BlockUse] = field(default_factory=list)

    def sentence(self) -> Message:
        """Return the full sentence, or one without shapes."""
        short = without_shapes(self.arguments), without_shapes(self.results)
        calls = [
            py_func_sentence(self.function, given, back, self.skipped)
            for given, back in ((self.arguments, self.results), short)
        ]
        return with_memory(calls[:1], calls[1], self.memory, len(self.results) > 1)


def py_func_sentence(function: str, given: Rows, back: Rows, skipped: Sequence[str]) -> Message:
    if skipped:
        call = Message(
            "py_func calls {function} with {given}, but without {skipped}, "
            "which skip_vars_in_backward_input leaves out"
        )
    else:
        call = Message("py_func calls {function} with {given}")
    call = call.fill(function=function, given=named(given), skipped=row(skipped))
    if not back:
        return Message("{call}; it returns nothing.", call=call)
    said = Message("{call}; it returns {back}.")
    unused = [name.removesuffix("@GRAD") for name, thing in back if thing is None]
    if unused:  # a gradient that is needed is never None
        said = Message(
            "{call}; it returns {back}. What it returns for {unused} is not used, since {unused} "
            "{unused:needs|need} no gradient."
        )
    return said.fill(call=call, back=things([each for _, each in back if each]), unused=row(unused))


def named(rows: Rows) -> Message | Row:
    return row(thing or Message("None for {name}", name=name) for name, thing in rows)


@dataclass(frozen=True, slots=True)
class FreeStep(Facts):
    """Variables without a further reader are freed."""

    kind = "free"
    names: list[str]
    memory: list[Fate] = field(default_factory=list)

    @property
    def of_memory(self) -> bool:
        return True

    def sentence(self) -> Message:
        """Return the sentence on freed values, with names or a count, and on their memory."""
        count = len(set(self.names))
        named = Message("{names} {names:is|are} no longer needed; {what}.")
        counted = Message("{count} {count:variable is|variables are} no longer needed; {what}.")
        slots = {"names": row(self.names), "count": count, "what": fates(self.memory, count)}
        named, counted = named.fill(**slots), counted.fill(**slots)
        return named if count <= FEW and fits(named, TWO_LINES) else counted


def fates(memory: Sequence[Fate], count: int) -> Row:
    """Return clauses on what becomes of memory: `block b1 is free`."""
    rows = [fate for fate in memory if fate.kind != "gone"]
    if not rows:
        return Row([Message("{count:its|their} memory is free", count=count)])
    return Row(clauses(memory, rows), CLAUSES)


def clauses(memory: Sequence[Fate], rows: Sequence[Fate]) -> Iterable[Message]:
    """Yield clauses on values without a block, free blocks, and memory in use."""
    gone = [fate.what for fate in memory if fate.kind == "gone"]
    if gone:
        yield Message("the memory of {names} is free", names=row(gone))
    blocks = [fate.what for fate in rows if fate.kind == "free"]
    if blocks:
        said = Message("{blocks:block|blocks} {blocks} {blocks:is|are} free again")
        yield said.fill(blocks=row(blocks))
    for kind, what, whom in rows:
        others = whom.split(", ")
        if kind == "over":
            said = Message("block {block} already holds {names}")
            yield said.fill(block=what, names=Row(others, LIST))
        elif kind == "stays":
            said = Message("the memory of {name} stays: it is shared with {names}")
            yield said.fill(name=what, names=row(others))


@dataclass(frozen=True, slots=True)
class FinishStep(Facts):
    """The run is over."""

    kind = "finish"
    fetched: Sequence[Mention]

    def sentence(self) -> Message:
        if not self.fetched:
            return Message("The run is over; nothing was fetched.")
        said = Message("The run is over; the Executor returns {fetched}.")
        return said.fill(fetched=things(self.fetched))
