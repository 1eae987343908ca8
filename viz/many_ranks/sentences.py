"""Sentences about collectives: the values that ranks give and get, and mismatches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from minipaddle.messages import CLAUSES, REMARKS, SENTENCES, Message, Row, Text

from ..model import DOTS, boxes_of, words
from ..story.sentences.wording import shape
from .collectives import Call, Collective, group_ranks
from .columns import sizes_of, worker
from .score import Part, Score

BY = {
    "sum": Message("the sum"),
    "max": Message("the maximum"),
    "min": Message("the minimum"),
    "prod": Message("the product"),
    "avg": Message("the mean"),
}
RANKS = Message("ranks {ranks}")
SAYS: Mapping[str, Message] = {
    "all_reduce": Message("{ranks} each give {x}, and each gets {sum} over the ranks."),
    "reduce": Message("{ranks} each give {x}; rank {dst} alone gets {sum} over the ranks."),
    "broadcast": Message("rank {src} gives {x}, and all of {ranks} get it."),
    "scatter": Message("rank {src} gives each of {ranks} a tensor of its own."),
    "gather": Message("{ranks} each give {x}; rank {dst} alone gets them all."),
    "all_gather": Message("{ranks} each give {x}, and each gets those of all."),
    "reduce_scatter": Message(
        "{ranks} each give a tensor for each rank, and each gets {sum} of those for it."
    ),
    "alltoall": Message("{ranks} each give a tensor to each rank, and each gets one from each."),
    "send": Message("rank {src} sends {x} to rank {dst}."),
    "barrier": Message("{ranks} wait for each other; no tensor goes between them."),
}
SAID_AS = {"alltoall_single": "alltoall"}
MEANWHILE = Message("It begins {steps} before it is waited for; meanwhile run: {boxes}.")
STEPS = Message("{count} {count:step|steps}")
OF_RANK = Message("{bytes} from {rank}")
OF_RANKS = Message("{bytes} from each of {rank}")
TROUBLE: Mapping[str, Message] = {
    "op": Message("The ranks do not meet. Call {number} of the group: {calls}."),
    "sizes": Message("The tensors of this {op} do not fit: {calls}."),
    "how": Message("The ranks do not agree in this {op}: {calls}."),
    "missing": Message("This {op}, call {number} of the group, is without {missing}: {last}."),
    "waits": Message("The ranks come in another order, so each waits for the others: {calls}."),
}
CALLS = Message("{rank}: {call} ({line})")
ENDS = Message("the last line of {rank} is {line}")
NOWHERE = Message("an unknown line")


def names_of(ranks: Sequence[int]) -> Message:
    """Return a text with the numbers of ranks: `rank 2`, `ranks 0 to 3`, `ranks 0, 2 and 3`.

    >>> names_of([0, 1, 2, 3]).en, names_of([1, 3]).en, names_of([2]).zh
    ('ranks 0 to 3', 'ranks 1 and 3', 'rank 2')
    """
    if len(ranks) == 1:
        return Message("rank {rank}", rank=str(ranks[0]))
    first, last = ranks[0], ranks[-1]
    if len(ranks) > 2 and last - first == len(ranks) - 1:
        return RANKS.fill(ranks=Message("{first} to {last}", first=str(first), last=str(last)))
    return RANKS.fill(ranks=Row(map(str, ranks)))


def size(count: int) -> str:
    """Return a number of bytes as text; a thousand bytes are a kilobyte.

    >>> size(24), size(1536), size(25_000_000)
    ('24 B', '1.54 kB', '25 MB')
    """
    amount, unit = float(count), "B"
    for larger in ("kB", "MB", "GB"):
        if amount < 1000:
            break
        amount, unit = amount / 1000, larger
    return f"{amount:.3g} {unit}"


def by_rank(nbytes: Mapping[int, int]) -> Message:
    """Return a text with the bytes that ranks give: `24 B from each rank`, or of each rank.

    >>> by_rank({0: 24, 1: 24}).en, by_rank({0: 8, 1: 24, 2: 8, 3: 0}).en
    ('24 B from each rank', '8 B from each of ranks 0 and 2, 24 B from rank 1')
    """
    alike = group_ranks(nbytes)
    if len(alike) == 1 < len(nbytes):
        return Message("{bytes} from each rank", bytes=size(*alike))
    rows = [
        (OF_RANK if len(ranks) == 1 else OF_RANKS).fill(bytes=size(count), rank=names_of(ranks))
        for count, ranks in alike.items()
        if count
    ]
    return Row(rows, REMARKS).message()


def sentence(score: Score, collective: Collective) -> Message:
    """Return a sentence about a collective, or about its mismatch."""
    if collective.trouble:
        return trouble(score, collective)
    kind = SAID_AS.get(collective.name, collective.name)
    calls = [call for _, call in sorted(collective.calls.items())]
    giving = next((call for call in calls if call.gives), calls[0])
    slots: dict[str, str | Message] = {
        "ranks": names_of(sorted(collective.ranks)),
        "x": names_given(score.parts[giving.rank], giving),
        "sum": BY.get(str(giving.attrs.get("op", "")), Message("the result")),
        "src": str(giving.src),
        "dst": str(giving.dst),
    }
    text = Message("{op}: {told}", op=collective.name, told=SAYS[kind].fill(**slots))
    rows = [text]
    if any(collective.nbytes.values()):
        rows.append(Message("Bytes given: {bytes}.", bytes=by_rank(collective.nbytes)))
    if calls[0].begun is not None:
        rows.append(meanwhile(score, calls[0]))
    return Row(rows, SENTENCES).message()


def meanwhile(score: Score, call: Call) -> Message:
    """Return a sentence about the steps between the beginning of a call and the wait for it."""
    part = score.parts[call.rank]
    nodes = boxes_of(part.story.graph)
    steps = score.meanwhile(call)
    working = [node for step in steps if (node := worker(step, nodes))]
    if not working:
        return Message("It begins before it is waited for, with nothing in between.")
    boxes = dict.fromkeys(words(node.label) for node in working)
    return MEANWHILE.fill(steps=STEPS.fill(count=len(steps)), boxes=Row(boxes, REMARKS))


def names_given(part: Part, call: Call) -> str:
    """Return the names and shapes of the tensors that a rank gives: `grad [8, 1]`."""
    step = part.story.steps[call.step]
    shown = [each for each in step.shown if each.role == "input" and each.value]
    names = [f"{each.name} {sizes_of(each.value)}".rstrip() for each in shown if each.value]
    sizes = [shape(seen.value.shape) for seen in call.inputs]
    return ", ".join(names or sizes)


def trouble(score: Score, collective: Collective) -> Message:
    """Return a sentence about a mismatch, with the call and line of each rank."""
    kind = collective.trouble
    slots: dict[str, str | Message] = {"number": str(collective.number), "op": collective.name}
    if kind == "missing":
        absent = collective.missing
        slots["missing"] = names_of(absent)
        slots["last"] = ends_of_traces(score, absent)
    else:
        said = {
            rank: (call_text(call, kind), where(score.parts[rank], call))
            for rank, call in sorted(collective.calls.items())
        }
        calls = [
            CALLS.fill(rank=names_of(same), call=call, line=line)
            for (call, line), same in group_ranks(said).items()
        ]
        slots["calls"] = Row(calls, CLAUSES).message()
    return TROUBLE[kind].fill(**slots)


def call_text(call: Call, kind: str) -> str:
    """Return what a rank calls, as far as the ranks differ in a kind of mismatch."""
    return {
        "op": call.op,
        "how": " ".join(call.how),
        "waits": f"{call.op} {call.attrs['number']}",
        "sizes": ", ".join(call.sizes),
    }[kind]


def where(part: Part, call: Call) -> str | Message:
    """Return the place of a call: `train.py:12`."""
    if call.line is None:
        return NOWHERE
    return part.story.code_at(call.line)[0]


def ends_of_traces(score: Score, ranks: Sequence[int]) -> Message:
    """Return a sentence about the lines at which the traces of some ranks end."""
    alike = group_ranks({rank: last_line(score.parts[rank]) for rank in ranks})
    rows = [ENDS.fill(rank=names_of(same), line=line) for line, same in alike.items()]
    return Row(rows, CLAUSES).message()


def last_line(part: Part) -> Message:
    """Return place and code of the last step of a rank."""
    line = part.steps[-1].told_line if part.steps else None
    return Text("  ".join(part.story.code_at(line))) if line else NOWHERE


def title(collective: Collective) -> Message:
    """Return the title of a bar: `all_reduce · sum · 24 B from each rank`."""
    call = collective.first
    parts: list[str | Message] = [collective.name]
    if collective.name == "send":
        parts = [f"send {call.src} → {call.dst}"]
    elif "op" in call.attrs:
        parts.append(str(call.attrs["op"]))
    if collective.name != "send":
        parts += [f"{end} {call.attrs[end]}" for end in ("src", "dst") if end in call.attrs]
    if any(collective.nbytes.values()):
        parts.append(by_rank(collective.nbytes))
    return Row(parts, DOTS).message()
