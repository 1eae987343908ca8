"""The claims of a whole story: names, memory, the first NaN, missing gradients."""

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise, permutations
from types import FrameType
from typing import Any, Self

import minipaddle as paddle
from minipaddle import events
from minipaddle.engine.reasons import Reason
from minipaddle.ops import REGISTRY
from viz.model import Memory, Row
from viz.story import ids
from viz.story.sentences import memory as say_memory
from viz.story.sentences.wording import shape
from viz.trace import Stretch, Trace

from .code import ROOT
from .evidence import Evidence, Moment, bytes_of, flat
from .readers import is_called
from .slots import NUMBER, Told

# ----- names -------------------------------------------------------------------------------------


HERE = str(ROOT / "tests" / "viz")


class Bindings:
    """The tensors that each variable held while a block ran, line by line.

    `sys.settrace` observes them; viz is not asked.
    """

    def __init__(self) -> None:
        self.seen: dict[tuple[str, int], Any] = {}  # (name, identity) -> object
        self.held: set[tuple[str, int]] = set()  # (name, number in this process)

    def __enter__(self) -> Self:
        self.before = sys.gettrace()
        sys.settrace(self._called)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.settrace(self.before)
        self.held |= {(name, events.number_of(one)) for (name, _), one in self.seen.items()}

    def _called(self, frame: FrameType, *_event: object) -> Any:
        code = frame.f_code  # a layer is incomplete while its __init__ runs
        ours = code.co_filename.startswith(HERE) and code.co_name != "__init__"
        return self._look if ours else None

    def _look(self, frame: FrameType, *_event: object) -> Any:
        for name, thing in frame.f_locals.items():
            for path, one in named(name, thing):
                self.seen[path, id(one)] = one
                held = path, events.number_of(one)  # the variable may be rebound later
                if held not in self.held:  # assigned in this iteration of the loops
                    self.held |= {(f"{path}{turn}", held[1]) for turn in turns(frame.f_locals)}
                self.held.add(held)
        return self._look


def turns(variables: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts for an iteration that variables allow: `[t=2]`, `[i=1, t=2]`."""
    pairs = [f"{name}={x!r}" for name, x in variables.items() if type(x) in (int, str)]
    for some in (*permutations(pairs, 1), *permutations(pairs, 2)):
        yield f"[{', '.join(some)}]"


def named(name: str, thing: Any) -> Iterator[tuple[str, Any]]:
    """Yield tensors with names: that of the variable, or a path into a list or layer."""
    if isinstance(thing, paddle.Tensor):
        yield name, thing
        if thing.grad is not None:
            yield f"{name}.grad", thing.grad
    elif isinstance(thing, (list, tuple)):
        for i, item in enumerate(thing):
            yield from named(f"{name}[{i}]", item)
    elif isinstance(thing, paddle.nn.Layer):
        yield from ((f"{name}.{path}", each) for path, each in thing.named_parameters())


def name_faults(evidence: Evidence, held: AbstractSet[tuple[str, int]]) -> Iterator[str]:
    """Yield names of the table that no variable of this tensor had, and that are not code."""
    numbers = numbers_of(evidence.trace)
    was = {(name, numbers[number]) for name, number in held if number in numbers}
    for (tensor, _), name in evidence.table.items():
        calls = evidence.calls.values()
        places = [c.place for c in calls if tensor in tensors_of([*c.inputs, *c.outputs])]
        spelled = not name.isidentifier() and any(evidence.code.has(name, p) for p in places)
        if tensor > 0 and (name, tensor) not in was and not spelled:  # below 0: a None
            yield f"tensor {tensor} is called {name!r}, and no variable of this name held it"


def numbers_of(trace: Trace) -> Mapping[int, int]:
    """Map the numbers of tensors in the process to their numbers in a trace."""
    if not isinstance(trace, Stretch):
        return trace._numbers
    known = trace._excerpt.tensors
    return {old: known[new] for old, new in trace._whole._numbers.items() if new in known}


# ----- boxes -------------------------------------------------------------------------------------

DETAIL = re.compile(r"(?:.*: )?(\[[\d?, ]*\]) (\w+)")


def box_faults(trace: Trace, evidence: Evidence) -> Iterator[str]:
    """Yield boxes whose shape and dtype no value of theirs has, and leaves with a wrong name."""
    known = values_of_boxes(evidence)
    for node in trace.story.graph.nodes:
        told = DETAIL.fullmatch(node.detail)
        was = known.get(node.id)
        if told and was is not None and told.groups() not in was:
            yield f"the box {node.id} ({node.label!s}) says {node.detail!r}, of {was}"
        number = node.id.removeprefix("t")
        if number.isdigit():
            names = evidence.names_of(int(number), {scope for _, scope in evidence.table})
            if names and not any(is_called(str(node.label), name) for name in names):
                yield f"the box of {names} says {str(node.label)!r}"


def values_of_boxes(evidence: Evidence) -> dict[str, set[tuple[str, str]]]:
    """Map the id of each box to the shapes and dtypes of its values."""
    boxes: dict[str, set[tuple[str, str]]] = {}

    def belongs(box: str, shape_and_dtype: Any) -> None:
        sizes = shape(shape_and_dtype.shape)
        boxes.setdefault(box, set()).add((sizes, shape_and_dtype.dtype))

    for number, call in evidence.calls.items():
        for one in filter(None, call.outputs):
            belongs(ids.pylayer(number) if call.scope else ids.op(number), one.value)
    for number, seen in evidence.seen.items():
        for one in seen:
            belongs(ids.tensor(number), one.value)
            belongs(ids.result(number), one.value)
    passes = -1
    visits: Counter[int] = Counter()
    for event in evidence.records:
        match event:
            case events.BackwardStarted(edges=edges) if edges:
                passes += 1
            case events.NodeVisited(node=node):
                visits[node] += 1
            case events.GradComputed(node=node, grad=grad) if grad is not None:
                belongs(ids.grad(node, visits[node]), grad)
            case events.LeafReached():
                belongs(ids.leaf_grad(ids.tensor(event.tensor.id), passes), event.grad)
            case events.OperatorAppended():
                for one in (v for row in event.outputs.values() for v in row if v is not None):
                    belongs(ids.operator(event.program, event.index), one)
            case events.OperatorExecuted():
                for one in event.outputs.values():
                    belongs(ids.operator(event.program, event.index), one)
    return boxes


# ----- NaN and infinity --------------------------------------------------------------------------


def odd_faults(
    story: Sequence[Told], moments: Sequence[Moment], values: Any, before: AbstractSet[str]
) -> Iterator[str]:
    """Yield faults unless the first NaN and infinity are reported where they occur, counted.

    Those that occurred `before` are not reported.
    """
    for kind, word in (("nan", "NaN"), ("inf", "Inf")):
        counts = [[(v["stats"].get(kind) or 0) for v in values(moment)] for moment in moments]
        seen = (i for i, row in enumerate(counts) if any(row))
        first = None if kind in before else next(seen, None)
        told = [i for i, one in enumerate(story) for aside in one.asides if word in aside.en]
        if told != ([] if first is None else [first]):
            yield f"the first {word} is told of in steps {told}, and was in {first}"
        for i in told:
            texts = next(aside for aside in story[i].asides if word in aside.en)
            shown = [s.name for s in story[i].step.shown if count_of(s.value, kind)]
            for text in texts:
                said = {int(n) for n in NUMBER.findall(text) if n.isdigit()}
                if not said & {c for c in counts[i] if c}:
                    yield f"{text!r} counts another number than {counts[i]}"
                if not any(name in text for name in shown):
                    yield f"{text!r} names none of {shown}"


def count_of(value: Any, kind: str) -> int:
    return (value["stats"].get(kind) or 0) if value else 0


# ----- missing gradients -------------------------------------------------------------------------


def missing_faults(trace: Trace, evidence: Evidence) -> Iterator[str]:
    """Yield leaves that are said to have no gradient but got one, or lack it for another reason."""
    reached_leaves = {e.tensor.id for e in evidence.records if isinstance(e, events.LeafReached)}
    reached_leaves |= {*(evidence.before.reached or ())}
    began = any(isinstance(e, events.BackwardStarted) and e.edges for e in evidence.records)
    began |= evidence.before.reached is not None
    nones = {e.edge.id for e in evidence.records
             if isinstance(e, events.GradComputed) and e.grad is None and e.edge}  # fmt: skip
    labels = {node.id: str(node.label) for node in trace.story.graph.nodes}
    for box, missing in trace.story.missing.items():
        number = int(box.removeprefix("t"))
        first = evidence.seen[number][0]
        if number in reached_leaves:
            yield f"{labels[box]} has a gradient"
        for text in missing.text:
            if labels[box] not in text:
                yield f"{text!r} does not name {labels[box]}"
        calls = [call for call in evidence.calls.values() if number in tensors_of(call.inputs)]
        so = {
            Reason.STOP_GRADIENT: first.stop_gradient,
            Reason.INTEGER: first.stop_gradient and first.value.dtype.startswith(("int", "bool")),
            Reason.NOT_A_LEAF: not first.leaf,
            Reason.NO_BACKWARD: not began,
            Reason.NO_GRAD: (began and not all(call.graded for call in calls)) or began,
            Reason.RETURNED_NONE: number in nones or bool(nones),
        }
        if not so.get(missing.reason, began and not first.stop_gradient):
            yield f"{labels[box]} has no gradient, but not because of {missing.reason}"


def tensors_of(tensors: Sequence[Any]) -> set[int]:
    return {seen.id for seen in tensors if seen}


# ----- memory ------------------------------------------------------------------------------------


def memory_faults(memory: Memory, evidence: Evidence) -> Iterator[str]:
    """Yield rows of memory whose place, time or size differs from the records, and wrong sums."""
    moments = evidence.moments
    said = Counter(
        (stay.nbytes, stay.first, stay.last)
        for row in memory.rows if row.kind != "scope" for stay in row.stays
    )  # fmt: skip
    was = Counter([*saved_stays(evidence), *run_stays(evidence)])
    if said != was:
        yield f"in memory (bytes, from step, to step) is said {said - was}, and was {was - said}"
    for number, live in enumerate(memory.live):
        there = sum(bytes_at(row, number) for row in memory.rows)
        if there != sum(live):
            yield f"at step {number} {sum(live)} bytes are said to be there, of {there}"
    if memory.rows:
        totals = [sum(live) for live in memory.live]
        largest = max(totals)
        for lang in ("en", "zh"):
            text = say_memory.most(memory).of(lang)
            if say_memory.size(largest) not in text or not re.search(
                rf"(?<!\d){totals.index(largest) + 1}(?!\d)", text
            ):
                yield f"{text!r}: most, {largest} bytes, is at step {totals.index(largest) + 1}"
    if len(memory.live) not in (0, len(moments)):
        yield f"memory is told of {len(memory.live)} steps"


def bytes_at(row: Row, step: int) -> int:
    """Return the bytes of a row at a step; a block that changes hands then counts once."""
    held = [stay.nbytes for stay in row.stays if stay.first <= step <= stay.last]
    return max(held, default=0) if row.kind == "shared" else sum(held)


def owners(evidence: Evidence) -> dict[int, int]:
    """Map each view to the tensor that owns its memory."""
    lies_in: dict[int, int] = {}
    for event in evidence.records:
        if isinstance(event, events.OpFinished) and getattr(REGISTRY.get(event.op), "view", False):
            whole = flat(event.inputs)[0]
            if whole:
                lies_in |= {s.id: lies_in.get(whole.id, whole.id) for s in event.outputs}
    return lies_in


def saved_stays(evidence: Evidence) -> Iterator[tuple[int, int, int]]:
    """Yield each saved tensor with its stay on the tape, from its first node to its last."""
    step_of = {id(moment.event): i for i, moment in enumerate(evidence.moments)}
    lies_in = owners(evidence)
    holders: dict[tuple[int, int, int], set[int]] = {}
    since: dict[tuple[int, int, int], tuple[int, int]] = {}
    kept_at = {m.event.node: i for i, m in enumerate(evidence.moments) if m.kind == "save"}
    for event in evidence.records:
        if isinstance(event, events.TensorSaved):
            number, size = event.tensor.id, bytes_of(event.tensor.value)
            key = lies_in.get(number, number), event.tensor.version, size
            if not holders.setdefault(key, set()):
                since[key] = size, kept_at.get(event.node, 0)  # 0: before the recording
            holders[key].add(event.node)
        elif isinstance(event, events.SavedReleased):
            for key, nodes in holders.items():
                if event.node in nodes:
                    nodes.remove(event.node)
                    if not nodes:
                        nbytes, first = since[key]
                        yield nbytes, first, max(first, step_of[id(event)] - 1)
    for key, nodes in holders.items():
        if nodes:
            yield *since[key], len(evidence.moments) - 1


def run_stays(evidence: Evidence) -> Iterator[tuple[int, int, int]]:
    """Yield the stays of values in a run, from the operator that makes them, by the run's plan."""
    for began, ended in pairwise_runs(evidence):
        program, records = evidence.records[began].program, evidence.records[began:ended]
        plan = next((e for e in evidence.records[began:ended + 1]
                     if isinstance(e, events.MemoryPlanned)), None)  # fmt: skip
        if plan is None or program in evidence.startup:
            continue
        inside = {id(event) for event in records}
        at = [(i, m) for i, m in enumerate(evidence.moments) if id(m.event) in inside]
        start = next(i for i, m in at if m.kind == "run")
        end = next((i for i, m in at if m.kind == "finish"), len(evidence.moments) - 1)
        own = ((i, m) for i, m in at if getattr(m.event, "program", 0) == program)
        steps = {m.event.index: i for i, m in own if m.kind in ("execute", "py_func")}
        for block in plan.blocks:
            for stay in block.stays:
                first = steps.get(stay.born, start)
                last = first if stay.freed < 0 else steps.get(stay.freed, end)
                if block.kind != "scope":
                    yield max(stay.nbytes, 0), first, max(first, last)


def pairwise_runs(evidence: Evidence) -> Iterator[tuple[int, int]]:
    """Yield the position at which each run begins, and that of the next run."""
    begins = [i for i, e in enumerate(evidence.records) if isinstance(e, events.RunStarted)]
    yield from pairwise((*begins, len(evidence.records)))


def sizes_faults(evidence: Evidence) -> Iterator[str]:
    """Yield values whose bytes in a plan differ from those computed."""
    for began, ended in pairwise_runs(evidence):
        computed: dict[str, int] = {}
        for event in evidence.records[began:ended]:
            if isinstance(event, events.OperatorExecuted):
                computed |= {n: bytes_of(v) for n, v in (event.inputs | event.outputs).items()}
            elif isinstance(event, events.MemoryPlanned):
                for stay in (s for block in event.blocks for s in block.stays):
                    sizes = {computed[name] for name in stay.names if name in computed}
                    if stay.nbytes > 0 and sizes and max(sizes) != stay.nbytes:
                        yield f"{stay.names} has {stay.nbytes} bytes, and is {sizes}"
