"""Stories and pictures as text in `goldens/`, with which the present output must agree.

`python -m tests.viz.goldens` writes them anew; read the difference line by line: whether
every sentence is true of its program, both languages say the same, and names are those of the code.
Line numbers are left out, elements of tensors too where they are not exact.
"""

from __future__ import annotations

import contextlib
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import minipaddle as paddle
import viz
from minipaddle import nn, static
from tests.static.world import fresh
from tests.viz.quality import crossings, faults
from viz.draw import memory_chart
from viz.draw.paint import Part, Words, paint
from viz.draw.transcript import fault_lines
from viz.layout.scene import Scene, first_open, foldable, scene_of
from viz.many_ranks.ranks import Ranks
from viz.model import Graph, Group, Memory, Node, Row, Stay, Step, Story
from viz.story import steps
from viz.story.groups.repeats import with_blocks
from viz.story.sentences import backward as passes
from viz.story.sentences import forward as forward_steps
from viz.story.sentences import memory as say_memory
from viz.story.sentences import ops as say_ops
from viz.story.sentences import programs as runs
from viz.story.sentences.gradients import VisitStep
from viz.story.sentences.op_words import Made
from viz.story.sentences.wording import Mention, NamedMention
from viz.story.sentences.wording import row as row_of
from viz.trace import Trace

from . import gradient_ops, graphs, programs, recordings, round_loops, sayings, stories, trainings
from .many_ranks import damage
from .many_ranks import programs as programs_of_ranks
from .many_ranks.world import World

FOLDER = Path(__file__).parent / "goldens"
LINE = re.compile(r"(\.py):\d+")
MARKS = ("mark_not_inplace", "mark_non_differentiable", "set_materialize_grads", "other")
OPS = ("new_op", "concat", "stack")
ELEMENTS = re.compile(r"^( {8}\S.*\[[\d, ]*\] \w+): .*$", re.MULTILINE)


def texts() -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield the name of every golden text, and the function that makes it."""
    for program in (*programs.ALL, *stories.ALL):
        yield program.__name__, lambda program=program: story_text(program())
    for program in recordings.WHOLE:
        yield program.__name__, lambda program=program: story_text(program(), elements=True)
    for seed in (1, 2, 4):
        drawn = partial(recordings.drawn, seed)
        yield f"drawn_{seed}", lambda drawn=drawn: story_text(drawn(), elements=True)
    for program in (*stories.TOLD, *sayings.ALL, recordings.transformer):
        yield f"told_{program.__name__}", lambda program=program: wordings(program())
    for program in (*round_loops.ALL, trainings.epochs, trainings.players, trainings.program):
        yield f"rounds_{program.__name__}", lambda program=program: sentences(program())
    yield "rare_sentences", rare_sentences
    yield "gradient_sentences", gradient_sentences
    yield "differences", differences
    yield "blocks", lambda: pictures(stories.blocks(4).story.graph)
    yield "paths", paths
    yield "failed_calls", failed_calls
    yield "much_memory", much_memory
    yield "first_views", first_views
    yield "long_rows", long_rows
    for make in (graphs.cus_tanh, graphs.two_inputs):
        yield f"graph_{make.__name__}", lambda make=make: pictures(make())
    yield "graph_chain", lambda: pictures(graphs.chain(12))
    for seed in (3, 11):
        wild = graphs.wild(random.Random(seed), 14)
        yield f"graph_wild_{seed}", lambda wild=wild: pictures(wild)
    yield "graph_damaged", damaged
    for work, count in programs_of_ranks.TOLD:
        yield (
            f"ranks_{work.__name__}",
            lambda work=work, count=count: ranks_text(programs_of_ranks.view(work, count)),
        )
    yield "ranks_mismatches", mismatches


def story_text(trace: Trace, elements: bool = False) -> str:
    """Return the transcript, the Chinese sentences, highlighted parts by step, and the pictures."""
    story, text = trace.story, LINE.sub(r"\1", trace.text())
    parts = [text if elements else ELEMENTS.sub(r"\1", text), chinese(trace.text("zh"))]
    parts += ["\n".join(lit(story, step) for step in story.steps), "\n".join(model(story))]
    parts += [chart(story), pictures(story.graph)]
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def ranks_text(view: Ranks) -> str:
    """Return the transcript of many ranks, the Chinese texts of collectives, and the picture."""
    parts = [LINE.sub(r"\1", view.text()), "\n".join(text.zh for text in view.remarks())]
    parts.append("\n".join(view.say(each, "zh") for each in view.collectives))
    parts.append("\n".join(map(part_text, view.painting().parts)))
    told = "\n\n".join(part.strip("\n") for part in parts) + "\n"
    return re.sub(r"^code: \d+ ", "code: ", told, flags=re.MULTILINE)


def mismatches() -> str:
    """Return the texts of views in which one of four ranks recorded something else."""
    traces = World(4).run(programs_of_ranks.data_parallel)
    told = []
    for change in (damage.another_op, damage.another_way, damage.another_order, damage.ends_early):
        view = damage.changed(traces, 2, change)
        told += [view.say(each, lang) for each in view.mismatches for lang in ("en", "zh")]
    return LINE.sub(r"\1", "\n".join(told)) + "\n"


def part_text(part: Part) -> str:
    """Return the kind of a part of a picture and its words: `box 0.3 pill: w.grad [2, 1] 0.5`."""
    words = " ".join(mark.text for mark in part.marks if isinstance(mark, Words))
    return f"{' '.join(filter(None, (part.role, part.id, part.kind)))}: {words}".rstrip(": ")


def wordings(trace: Trace) -> str:
    """Return the sentences in both languages, the formulas, and the labels of boxes."""
    steps = (f"{s.text.en}\n{s.text.zh}  {s.formula}".rstrip() for s in trace.story.steps)
    boxes = (f"{node.kind} {node.label}" for node in trace.story.graph.nodes)
    return LINE.sub(r"\1", "\n".join((*steps, "", *boxes))) + "\n"


def gradient_sentences() -> str:
    """Return the sentences and formulas for the backward of many ops."""
    rows = []
    for name in gradient_ops.OPS:
        steps = gradient_ops.backward_of(name).story.steps
        visits = [step for step in steps if step.kind == "visit"]
        rows += [f"{name}: {s.text.en}\n{s.text.zh}\n{s.formula}" for s in visits]
    return "\n".join(rows) + "\n"


def rare_sentences() -> str:
    """Return sentences of which facts are many or missing."""
    nothing, x = [NamedMention("dy", None)], Mention("x")
    both = [NamedMention("dw", x), *nothing]
    long = [f"softmax_with_cross_entropy_{k}.tmp_0" for k in range(9)]
    facts: list[steps.Facts] = [
        runs.FreeStep(long), runs.FreeStep(["softmax_with_cross_entropy_0.tmp_0" * 6]),
        runs.StartupStep([Mention("w", None)]), runs.PyFuncStep("f", nothing, both, []),
        runs.RunStep([], ["y"]), passes.ReleaseStep("h[i] = v", ["i"]),
        VisitStep("mul", "", [NamedMention("y", Mention("y"))], computed=nothing),
        *(forward_steps.MarkStep("layer", mark, [x], True) for mark in MARKS),
        forward_steps.MarkStep("layer", MARKS[1], [], None),
    ]  # fmt: skip
    told: list[Any] = [fact.sentence() for fact in facts]
    two = Made({}, [Mention("x", shape=(2,)), Mention("w", shape=(2,))], [Mention("y", shape=(4,))])
    told += [say_ops.phrase(op, two) for op in OPS]
    y, signs = Mention("y"), ("1 −", "× 2", "+ 3", "−", "× 2 + 3")
    told += [say_ops.scaling(sign, x, y) for sign in signs]
    told += [row_of(things) for things in ([*"abc"], ["a", "a"], [])]
    texts = [each.of(lang) for each in told for lang in ("en", "zh")]
    held = Row("h", "leaf", 48, (Stay("h", 48, 1, 3), Stay("h", 48, 6, 6)))
    texts += [say_memory.row_text(held, lang) for lang in ("en", "zh")]
    return "\n".join(texts) + "\n"


def sentences(trace: Trace) -> str:
    """Return the transcript in both languages, without code and values."""
    return "\n\n".join(chinese(trace.text(lang)) for lang in ("en", "zh")) + "\n"


def differences() -> str:
    """Return the rounds of each structure of many loops, and how it differs from the commonest."""
    loops: list[Callable[[], Trace]] = [*trainings.ALL]
    loops += [partial(trainings.drawn, seed) for seed in range(12)]
    parts = []
    for make in loops:
        for one in (trace := make()).structures:
            parts.append(f"{trace.title} {list(one.rounds)}: {one.differs.en} | {one.differs.zh}")
    return "\n".join(parts) + "\n"


def chinese(text: str) -> str:
    """Return the lines of a transcript that differ from English: sentences and memory."""
    lines = (line for line in text.splitlines() if line and not line.startswith(" " * 8))
    return LINE.sub(r"\1", "\n".join(lines))


def lit(story: Story, step: Step) -> str:
    """Return a step's highlighted parts and shown values: `3 op: t1 op1 | e2; input x op1 t1`."""
    shown = (f"{s.role} {s.name} {s.node} {s.holder}" for s in step.shown)
    rows = [f"{step.index + 1} {step.kind}: {' '.join(step.nodes)} | {' '.join(step.edges)}"]
    mirrored = step.kind in ("visit", "unbroadcast")
    other = step.line if mirrored else step.forward_line  # the line that the transcript leaves out
    rows += [code(story, other)] if other else []
    terms, grads = (sorted(name for name in names) for names in (dict(step.terms), step.grads))
    return "; ".join((*rows, *shown, *(f"term {t}" for t in terms), *(f"grad {g}" for g in grads)))


def code(story: Story, place: tuple[int, int]) -> str:
    source = story.sources[place[0]]
    return source.lines[place[1] - source.first].strip()


def model(story: Story) -> Iterator[str]:
    """Yield the graph without positions: boxes, groups, wires, missing gradients, first NaN."""
    yield from map(node_text, story.graph.nodes)
    yield from map(group_text, story.graph.groups)
    for edge in story.graph.edges:
        yield f"{edge.id} {edge.kind}: {edge.source} > {edge.target} {edge.label}".rstrip()
    yield from (f"first {what} in step {step + 1}" for what, step in story.odd.items())
    for leaf, why in story.missing.items():
        yield f"{leaf} has no gradient ({why.reason}): {' | '.join(why.text)} {why.edges}"
    for row in story.memory.rows:
        stays = (f"{s.name} {s.nbytes} {s.first}-{s.last} {s.node}" for s in row.stays)
        yield f"memory {row.label} {row.kind} {row.nbytes}: {'; '.join(stays)}"
    yield f"live {' '.join(f'{here}+{anyway}' for here, anyway in story.memory.live)}"


def chart(story: Story) -> str:
    """Return the words of the memory chart in both languages."""
    if not story.memory.rows:
        return ""
    plain = paint(scene_of(story.graph))
    charts = [memory_chart.add_chart(plain, story, lang).parts[-1].marks for lang in ("en", "zh")]
    words = ([mark.text for mark in marks if isinstance(mark, Words)] for marks in charts)
    return "\n".join(f"chart {' | '.join(texts)}" for texts in words)


def node_text(node: Node) -> str:
    more = f"pair {node.pair}" if node.pair else "", f"in {node.group}" if node.group else ""
    words = (
        node.id,
        node.kind,
        node.lane,
        node.column,
        repr(str(node.label)),
        repr(str(node.detail)),
    )
    return " ".join(map(str, (*words, *filter(None, more), *node.badges)))


def group_text(group: Group) -> str:
    words = (group.id, group.kind, group.lane, repr(str(group.label)), group.twin, group.parent)
    first = "open at first" if group.open_at_first else ""
    closed = f"closed: {node_text(group.closed)}" if group.closed else ""
    return " ".join(map(str, ("group", *words, *group.badges, first, closed)))


def pictures(graph: Graph) -> str:
    """Return the picture as first shown, and with every group open."""
    ways = dict.fromkeys((first_open(graph), frozenset(foldable(graph))))
    scenes = [scene_of(graph, way) for way in ways]
    return "\n\n".join("\n".join((*scene_rows(s), hidden(graph, s))) for s in scenes)


def hidden(graph: Graph, scene: Scene) -> str:
    """Return the visible boxes that represent hidden ones."""
    names = [thing.id for thing in (*graph.nodes, *graph.edges)]
    names += [group.closed.id for group in graph.groups if group.closed]
    return " ".join(("hidden", *(f"{n}={scene.alias.get(n)}" for n in names if scene.alias.get(n))))


def scene_rows(scene: Scene) -> Iterator[str]:
    yield f"picture {at(scene.width, scene.height)}"
    for lane in scene.lanes:
        yield f"lane {lane.name} {lane.column}: {at(lane.x, lane.w)}"
    for frame in scene.frames:
        place = f"{at(frame.x, frame.y)} {at(frame.w, frame.h)}"
        yield f"frame {frame.id}: {place} {frame.toggles} {str(frame.label)!r}"
    for box in scene.boxes:
        words = box.shape, box.fill, box.accent, box.label, box.detail, *box.badges
        yield f"{box.id}: {at(box.x, box.y)} {at(box.w, box.h)} {' | '.join(map(str, words))}"
    for wire in scene.wires:
        label = f"  {wire.label} {at(*wire.label_at)}" if wire.label else ""
        points = " ".join(at(*point) for point in wire.points)
        curves = "".join(letter for letter, _ in wire.path)
        yield f"{wire.id} {wire.source} > {wire.target}: {points} {curves} {wire.colour}{label}"
    yield f"pairs {' '.join('='.join(pair) for pair in scene.pairs)}"
    yield f"spine {' '.join(scene.spine)}"


def failed_calls() -> str:
    """Return the tables of shapes, the advice and the tried repairs of calls that fail."""
    h, w, b, wide = (paddle.ones(shape) for shape in ([4, 3], [2, 3], [4], [5, 4, 3]))
    y, image, layer = paddle.ones([4, 2]), paddle.ones([1, 8, 8, 3]), nn.Conv2D(3, 2, 3)

    def in_a_program() -> None:
        with fresh():
            p, q = static.data("p", [-1, 3]), static.data("q", [-1, 2])
            p + q

    calls: dict[str, Callable[[], Any]] = {
        "h + b": lambda: h + b,
        "h @ w": lambda: h @ w,
        "wide @ b": lambda: wide @ b,
        "h.reshape([5, 2])": lambda: h.reshape([5, 2]),
        "concat([h, y], axis=0)": lambda: paddle.concat([h, y], axis=0),
        "layer(image)": lambda: layer(image),
        "p + q": in_a_program,
    }
    told = []
    for code, call in calls.items():
        with contextlib.suppress(ValueError), viz.record(variables=locals()) as trace:
            call()
        fault = trace.story.steps[-1].fault
        assert fault is not None
        told += [code, *fault_lines(fault, "en"), *fault_lines(fault, "zh")]
    return LINE.sub(r"\1", "\n".join(told)) + "\n"


def paths() -> str:
    """Return the table of the paths of one element of a gradient."""
    x = programs.leaf([0.5, 1.0])
    with viz.record() as trace:
        loss = ((x * 3.0) ** 2 + x * 0.5).sum()
        loss.backward()
    found = trace.paths(x, 0)
    return "\n".join(found.text(lang) for lang in ("en", "zh")) + "\n"


def much_memory() -> str:
    """Return the text for more rows and values than are listed, from bytes to gibibytes."""
    stays = tuple(Stay(f"v{k}", 8, k, k + k % 2) for k in range(10))
    few = Row("b", "shared", 8, stays[:8])
    rows = (few, *(Row(f"b{k}", "own", 3 * 4**k, stays[: k + 1]) for k in range(15)))
    texts = []
    for count in (1, 43):
        memory = Memory((rows * 3)[:count], ((8, 0), (48, 24), (40, 0)))
        texts += ["\n".join(say_memory.transcript(memory, lang)) for lang in ("en", "zh")]
    return "\n".join(texts) + "\n"


def first_views() -> str:
    """Return the boxes that are first visible, of a few layers and of many."""
    parts = []
    for count in (1, 3, 6):
        graph = stories.blocks(count).story.graph
        scene = scene_of(graph, first_open(graph))
        boxes = " | ".join(" ".join(map(str, (box.label, *box.badges))) for box in scene.boxes)
        parts.append(f"{count} blocks, {len(scene.boxes)} boxes: {boxes}")
    return "\n\n".join(parts) + "\n"


def long_rows() -> str:
    """Return the blocks of long rows of ops, with and without repetitions."""
    parts = []
    for ops, shared in ((110, True), (160, False), (420, True)):
        graph = with_blocks(graphs.chain(ops, shared))
        inside = Counter(node.group for node in graph.nodes)
        rows = (f"{group_text(group)} holds {inside[group.id]}" for group in graph.groups)
        parts.append("\n".join((f"{ops} ops, {inside[None]} outside", *rows)))
    return "\n\n".join(parts) + "\n"


def damaged() -> str:
    """Return the faults that `quality.faults` finds in pictures with moved parts."""
    parts = []
    for name, graph in (("cus_tanh", graphs.cus_tanh()), ("step", programs.step().story.graph)):
        scene = scene_of(graph, frozenset(foldable(graph)))
        for seed in range(2):
            bad = scattered(scene, random.Random(seed))
            said = (f"{name} {seed}: {crossings(bad)} crossings", *faults(bad))
            parts.append("\n".join(said))
    for seed in range(6):
        scene = scene_of(graphs.wild(random.Random(seed), 14))
        met = (crossings(scene, frozenset(kinds)) for kinds in (["data"], ["grad", "saved"]))
        parts.append(f"wild {seed}: {' and '.join(map(str, met))} crossings")
    return "\n\n".join(parts) + "\n"


def scattered(scene: Scene, choice: random.Random) -> Scene:
    """Return the picture with a third of its parts moved, and some texts longer or elsewhere."""

    def off() -> int:
        return choice.choice([0, 0, 0, 0, -60, -1, 1, 25, 60])

    boxes = [replace(b, x=b.x + off(), y=b.y + off(), w=b.w + off() // 3) for b in scene.boxes]
    frames = [replace(f, x=f.x + off(), y=f.y + off(), h=f.h + off()) for f in scene.frames]
    wires = [
        replace(
            wire,
            points=tuple((x + off(), y) for x, y in wire.points),
            label=wire.label or wire.kind,
            label_at=(wire.points[0][0] + off(), wire.points[0][1] + 12),
        )
        for wire in scene.wires
    ]
    return replace(scene, boxes=tuple(boxes), frames=tuple(frames), wires=tuple(wires))


def at(x: float, y: float) -> str:
    return f"{x:g},{y:g}"


def kept(name: str) -> str:
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def write(names: Iterable[str]) -> None:
    from tests.sealing import start_afresh

    for name, make in texts():
        if name in names:
            start_afresh()
            (FOLDER / f"{name}.txt").write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    write(sys.argv[1:] or [name for name, _ in texts()])
