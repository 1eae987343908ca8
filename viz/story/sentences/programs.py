"""One sentence for each step of building and running a Program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from minipaddle.messages import CLAUSES, LIST, Message, Row

from ..steps import (
    AppendStep,
    BlockUse,
    ExecuteStep,
    Fate,
    FinishStep,
    FreeStep,
    PyFuncStep,
    RunStep,
    StartupStep,
)
from .backward import shortest_needed, without_shapes
from .wording import Rows, Thing, followed, row, things


def append(step: AppendStep) -> Message:
    """The full sentence, or one without shapes, or one that names only what is computed."""
    inputs, outputs = step.inputs, step.outputs
    read, made = [t.bare for t in inputs], [t.bare for t in outputs]
    ways: Sequence[tuple[Sequence[Thing], Sequence[Thing]]]
    ways = ((inputs, outputs), (read, made), ((), made))
    return shortest_needed(append_sentence(step, got, out) for got, out in ways)


def operator(type: str, function: str = "", written: str = "") -> Message | str:
    """`py_func (calling tanh)`, `slice (x[0])`: an operator and what the user knows it by."""
    if function:
        return Message("{type} (calling {function})", type=type, function=function)
    return Message("{type} ({written})", type=type, written=written) if written else type


def makes(inputs: Sequence[Thing], outputs: Sequence[Thing]) -> Message:
    """What an operator will do when the Program runs."""
    if not outputs:
        said = Message("it will read {inputs} and output nothing")
    elif not inputs:
        said = Message("it will compute {outputs}")
    else:
        said = Message("it will compute {outputs} from {inputs}")
    return said.fill(inputs=things(inputs), outputs=things(outputs))


def append_sentence(step: AppendStep, inputs: Sequence[Thing], outputs: Sequence[Thing]) -> Message:
    by = {"build": "Program", "gradients": "static.gradients"}.get(step.by, step.by)
    root: Message | str = Message("the loss")
    if inputs and inputs[0].called:
        root = inputs[0].called
    of = [thing.called.partition("@GRAD")[0] for thing in outputs]
    slots = {
        "by": Message("The Program") if by == "Program" else by,
        "op": operator(step.type, step.function, step.written),
        "forward": operator(step.forward, "", step.forward_function),
        "index": step.index,
        "count": len(outputs),
        "names": row(of),
        "inputs": things(inputs),
        "outputs": things(outputs),
        "root": root,
        "work": makes(inputs, outputs),
    }
    return append_template(step, bool(inputs)).fill(**slots)


def append_template(step: AppendStep, reads: bool) -> Message:
    """What it is added for; without what it reads, whose gradients a gradient operator gives."""
    if step.forward and not reads:
        return Message("{by} adds {op}, for the {count:gradient|gradients} of {names}.")
    if step.forward:
        return Message("{by} adds {op}, the gradient of {forward}: {work}.")
    if step.role == "backward" and step.type in ("fill_constant", "fill_any_like"):
        return Message(
            "{by} begins with {op}: {outputs} is 1, the gradient of {root} with respect to itself."
        )
    if step.role == "backward" and step.type == "sum" and not reads:
        return Message(
            "{by} adds sum: gradients from several places are added up, giving {outputs}."
        )
    if step.role == "backward" and step.type == "sum":
        return Message(
            "{by} adds sum: gradients from several places, {inputs}, are added up, "
            "giving {outputs}."
        )
    if step.role == "optimize":
        return Message("{by} adds the update operator {op}: {work}.")
    return Message("Operator {index}, {op}, is added to the Program: {work}.")


def run(step: RunStep) -> Message:
    given = Message("with {fed}", fed=things(step.fed)) if step.fed else Message("with nothing")
    wanted = Message("fetches nothing")
    if step.fetches:
        wanted = Message("fetches {names}", names=row(step.fetches))
    said = Message("The Executor runs the Program {given} and {wanted}.")
    return said.fill(given=given, wanted=wanted)


def startup(step: StartupStep) -> Message:
    return Message(
        "The Executor runs the startup program: {count} "
        "{count:variable gets its initial value|variables get their initial values}.",
        count=len(step.made),
    )


def execute(step: ExecuteStep) -> Message:
    """The full sentence, or one without shapes, or one that only counts what is read."""
    inputs, outputs, several = step.inputs, step.outputs, len(step.outputs) > 1
    op = operator(step.type, "", step.written)
    if not inputs:
        short = Message("{op} runs and makes {made}.", op=op, made=things(outputs))
        return shortest_needed(with_memory([short], step.memory, several))
    read, made = [t.bare for t in inputs], [t.bare for t in outputs]
    short = Message("{op} runs and gives {made}.", op=op, made=things(made))
    said = Message("{op} runs: {given} {given:gives|give} {made}.", op=op)
    full = [
        said.fill(given=things(got), made=things(out))
        for got, out in ((inputs, outputs), (read, made))
    ]
    return shortest_needed((*with_memory(full, step.memory, several), short))


def with_memory(
    sentences: Sequence[Message], memory: Sequence[BlockUse], several: bool
) -> list[Message]:
    """First those that also say where the results lie, then those that do not."""
    if not memory:
        return list(sentences)
    where = block_sentence(memory, several)
    return [*(followed(sentence, where) for sentence in sentences), *sentences]


def block_sentence(memory: Sequence[BlockUse], several: bool) -> Message:
    """In which blocks of memory results lie: new ones, or where other values were."""
    rows = []
    for name, block, before in memory:
        if before:
            said = Message("{name} goes into memory block {block}, where {before} was")
        else:
            said = Message("{name} goes into the new memory block {block}")
        it = name if several else Message("It")
        rows.append(said.fill(name=it, block=block, before=before))
    return Message("{clauses}.", clauses=Row(rows, CLAUSES))


def py_func(step: PyFuncStep) -> Message:
    """The full sentence, or one without shapes."""
    short = without_shapes(step.arguments), without_shapes(step.results)
    calls = [
        py_func_sentence(step.function, given, back, step.skipped)
        for given, back in ((step.arguments, step.results), short)
    ]
    return shortest_needed(with_memory(calls, step.memory, len(step.results) > 1))


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
    return Message("{call}; it returns {back}.", call=call, back=named(back))


def named(rows: Rows) -> Message | Row:
    return row(thing or Message("None for {name}", name=name) for name, thing in rows)


def free(step: FreeStep) -> Message:
    """Which values go, or, where that would be long, how many; and what becomes of their memory."""
    count = len(set(step.names))
    ways = (
        Message("{names} {names:is|are} no longer needed; {what}."),
        Message("{count} {count:variable is|variables are} no longer needed; {what}."),
    )
    slots = {"names": row(step.names), "count": count, "what": fates(step.memory, count)}
    return shortest_needed(said.fill(**slots) for said in ways)


def fates(memory: Sequence[Fate], count: int) -> Row:
    """`block b1 is free`."""
    rows = [fate for fate in memory if fate.kind != "gone"]
    if not rows:
        return Row([Message("{count:its|their} memory is free", count=count)])
    return Row(clauses(memory, rows), CLAUSES)


def clauses(memory: Sequence[Fate], rows: Sequence[Fate]) -> Iterable[Message]:
    """What becomes of the values without a block, of the blocks, and of what stays."""
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


def finish(step: FinishStep) -> Message:
    if not step.fetched:
        return Message("The run is over; nothing was fetched.")
    said = Message("The run is over; the Executor returns {fetched}.")
    return said.fill(fetched=things(step.fetched))


SENTENCES: dict[type, Callable[[Any], Message]] = {
    AppendStep: append,
    RunStep: run,
    StartupStep: startup,
    ExecuteStep: execute,
    PyFuncStep: py_func,
    FreeStep: free,
    FinishStep: finish,
}
