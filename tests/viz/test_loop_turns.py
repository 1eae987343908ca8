"""The turns of Python loops: found as Python ran them, and drawn as groups."""

import textwrap
from typing import Any

import minipaddle as paddle
import viz
from minipaddle import events
from tests.each import each
from viz.draw.form import form_of, scene_in
from viz.facts.costs import costs_of
from viz.layout.blueprint import lay_out
from viz.layout.compose import compose
from viz.layout.scene import first_open, scene_of
from viz.model import Graph, Group, around, label_of
from viz.recording.code_loops import Code

# Programs whose ops `h + number` say in which turns they run: `213` in turn 2 of the outer loop and
# turn 1 of the inner one. The last digit is the number of the op in the turn; 0 stands for no turn.
PROGRAMS = {
    "for": "for t in range(4):\n    h = h + (10 * t + 1)\n    h = h + (10 * t + 2)\nh = h + 0",
    "one op": "for t in range(4):\n    h = h + (10 * t + 1)",
    "no name": "for _ in range(3):\n    h = h + (10 * _ + 1)\n    h = h + (10 * _ + 2)",
    "zip": """
        for t, a, b in zip(range(3), [h] * 3, 'abc'):
            a = a + (10 * t + 1)
            h = a + (10 * t + 2)""",
    "objects": """
        t = 0
        for a in [h, h * 1, h * 1]:
            h = a + (10 * t + 1)
            t += 1""",
    "assigned": """
        for t, v in enumerate([h, h, h]):
            v = v + (10 * t + 1)
            v = v + (10 * t + 2)""",
    "while": """
        t = 0
        while t < 4:
            h = h + (10 * t + 1)
            h = h + (10 * t + 2)
            t += 1
        h = h + 0""",
    "while, one layer": """
        t = 0
        while t < 4:
            h = add(h, 10 * t + 1)
            t += 1""",
    "break": """
        t = 0
        while True:
            h = h + (10 * t + 1)
            if t == 2:
                break
            h = h + (10 * t + 2)
            t += 1
        h = h + 0""",
    "continue": """
        for t in range(5):
            if t % 2:
                h = h + (10 * t + 1)
                continue
            h = h + (10 * t + 2)""",
    "branches": """
        for t in range(6):
            if t % 2 == 0:
                h = h + (10 * t + 1)
            if t % 2:
                h = h + (10 * t + 2)""",
    "nested": """
        for i in range(2):
            h = h + (10 * i + 1)
            for j in 'abc':
                j = 'abc'.index(j)
                h = h + (100 * i + 10 * j + 2)
                h = h + (100 * i + 10 * j + 3)
            h = h + (10 * i + 4)""",
    "one op in both": """
        for i in range(2):
            for j in range(3):
                h = h + (100 * i + 10 * j + 1)
            for j in range(2):
                h = add(h, 100 * i + 10 * j + 2)""",
    "in functions": """
        def inner(h, i):
            for j in range(3):
                h = h + (100 * i + 10 * j + 1)
            return h
        for i in range(3):
            h = inner(h, i)""",
    "called": """
        def cell(h, t):
            h = h + (10 * t + 1)
            return h + (10 * t + 2)
        for t in range(3):
            h = cell(h, t)
        h = cell(h, 0) if False else h""",
    "comprehension": "hs = [h + (10 * t + 1) for t in range(4)]",
    "in a layer": """
        class Net(paddle.nn.Layer):
            def forward(self, h):
                for t in range(3):
                    h = add(h, 10 * t + 1)
                return h
        h = Net()(h)""",
    "try": """
        for t in range(3):
            try:
                h = h + (10 * t + 1)
                raise KeyError
            except KeyError:
                h = h + (10 * t + 2)""",
}


def test_turns_with_equal_variables_are_never_counted_as_one_in_a_folded_loop() -> None:
    code = """
        for k in [1, 1, 2, 2, 3, 3]:
            h = {call}"""
    for call in ("paddle.tanh(h)", "add(h, 1)", "(lambda h: paddle.tanh(h * 2))(h)"):
        graph = record(code.format(call=call), many=True).story.graph
        for loop in groups_of(graph, "loop"):
            assert str(loop.badges[0]) == "× 6"


class Add(paddle.nn.Layer):
    def forward(self, h: Any, number: int) -> Any:
        return h + number


def record(code: str, many: bool = False) -> Any:
    """Record a program; `many` adds enough ops for loops to be folded."""
    lines = textwrap.indent(textwrap.dedent(code).strip(), "    ")
    more = "\n".join(["    h = h * 1"] * 60 * many)
    space: dict[str, Any] = {"paddle": paddle}
    exec(f"def run(h, add):\n{lines}\n{more}\n    return h", space)
    with viz.record() as trace:
        space["run"](paddle.zeros([2]), Add())
    return trace


def turns_of_ops(trace: viz.Trace) -> list[tuple[int, list[int]]]:
    """Return the number that each op adds, and the turns in which it ran."""
    running: dict[int, int] = {}
    found = []
    for event in trace.events:
        if isinstance(event, events.LoopTurn):
            running.pop(event.loop, None)
            if event.turn >= 0:
                running[event.loop] = event.turn
        elif isinstance(event, events.OpFinished) and "bias" in event.attrs:
            found.append((int(event.attrs["bias"]), [*running.values()]))
    return found


@each("code", PROGRAMS.values(), ids=PROGRAMS)
def test_each_op_is_in_the_turns_in_which_python_ran_it(code: str) -> None:
    found = turns_of_ops(record(code))
    assert len(found) > 2
    for number, turns in found:
        own = number // 10
        digits = [int(digit) for digit in f"{own:0{len(turns)}}"] if turns else []
        assert digits == turns, (number, turns)
        assert turns or not own


# ----- groups ------------------------------------------------------------------------------------


def rnn(steps: int, weights: Any = None) -> Any:
    """Record a recurrent network written by hand, with its backward."""
    paddle.seed(0)
    wx, wh, b = weights or [paddle.rand(shape) for shape in ([3, 5], [5, 5], [5])]
    for weight in (wx, wh, b):
        weight.stop_gradient = False
    x = paddle.rand([4, steps, 3])
    with viz.record() as trace:
        h = paddle.zeros([4, 5])
        for t in range(steps):
            h = paddle.tanh(x[:, t] @ wx + h @ wh + b)
        (h * h).mean().backward()
    return trace


def groups_of(graph: Graph, kind: str, lane: str = "forward") -> list[Group]:
    return [group for group in graph.groups if (group.kind, group.lane) == (kind, lane)]


def labels_in(graph: Graph, group: Group) -> list[str]:
    """Return the labels of the ops in a group, at any depth."""
    groups = {each.id: each for each in graph.groups}
    inside = (node for node in graph.nodes if group.id in around(groups, node.group))
    return [label_of(node, "en") for node in inside if node.kind in ("op", "grad")]


def test_a_loop_is_a_group_with_a_group_for_each_turn_forward_and_backward() -> None:
    graph = rnn(8).story.graph
    (loop,) = groups_of(graph, "loop")
    assert (loop.label, str(loop.badges[0])) == ("t = 0 … 7", "× 8")
    turns = groups_of(graph, "turn")
    assert [turn.label for turn in turns] == [f"t = {t}" for t in range(8)]
    for t, turn in enumerate(turns):
        assert sorted(labels_in(graph, turn)) == sorted([f"x[:, {t}]", "@", "@", "+", "+", "tanh"])
    halves = {turn.twin: turn for turn in groups_of(graph, "turn", "backward")}
    assert [label_of(halves[turn.id], "en") for turn in turns] == [
        f"t = {t} backward" for t in range(8)
    ]
    paired = {node.id: node for node in graph.nodes}
    for turn in turns:
        inside = [node for node in graph.nodes if node.group == halves[turn.id].id and node.pair]
        assert {paired[node.pair or ""].group for node in inside} == {turn.id}
        assert sorted(labels_in(graph, halves[turn.id]))[:2] == ["add backward"] * 2


def test_the_steps_of_a_recurrent_layer_are_turns_with_names() -> None:
    """They belong to the user's line all the same. The second loop runs from the last step back.
    The code has an h and a c of its own, so that those inside have the layer's name before them.
    """
    lstm = paddle.nn.LSTM(2, 3, direction="bidirect")
    with viz.record() as trace:
        out, (h, c) = lstm(paddle.rand([2, 4, 2]))
        (out.sum() + h.sum() + c.sum()).backward()
    graph = trace.story.graph
    loops = groups_of(graph, "loop")
    assert [loop.label for loop in loops] == ["t = 0 … 3", "t = 3 … 0"]
    done = [event for event in trace.events if isinstance(event, events.OpFinished)]
    made = {out.id: op for op in done for out in op.outputs if isinstance(out, events.Seen)}
    functions = {op.place.function for op in done if op.place is not None}
    assert functions == {"test_the_steps_of_a_recurrent_layer_are_turns_with_names"}
    names = {name: number for (number, _), name in trace.names.items()}
    for back, loop in enumerate(loops):
        turns = [group for group in groups_of(graph, "turn") if group.parent == loop.id]
        for turn in turns:
            t = str(turn.label).removeprefix("t = ")
            assert labels_in(graph, turn).count("sigmoid") == 3
            product = made[names[f"lstm.h[reverse={back}, t={t}]"]]
            gate, squashed = (made[x.id] for x in product.inputs)
            assert (product.op, gate.op, squashed.op) == ("multiply", "sigmoid", "tanh")
            assert squashed.inputs[0].id == names[f"lstm.c[reverse={back}, t={t}]"]


def test_a_sum_of_gradients_from_outside_and_the_next_turn_is_in_the_turn_that_uses_it() -> None:
    """The loss reads all states, each of which the next turn reads as well."""
    gru = paddle.nn.RNN(paddle.nn.GRUCell(2, 3))
    with viz.record() as trace:
        out, _ = gru(paddle.rand([2, 4, 2]))
        (out * out).sum().backward()
    graph = trace.story.graph
    turns = {turn.id: turn.label for turn in groups_of(graph, "turn", "backward")}
    sums = [node for node in graph.nodes if node.detail.startswith("d(gru.cell.h[t=")]
    placed = {node.detail.partition("]")[0]: turns[node.group or ""] for node in sums}
    backward = {f"d(gru.cell.h[t={t}": f"t = {t} backward" for t in range(3)}
    assert {key: str(label) for key, label in placed.items()} == backward


def test_closed_turns_beside_each_other_are_one_box_that_hides_them_all() -> None:
    graph = rnn(8).story.graph
    (loop,), turns = groups_of(graph, "loop"), groups_of(graph, "turn")
    scene = scene_of(graph, {loop.id, turns[3].id})
    assert [box.label for box in scene.boxes if box.several and box.lane == "forward"] == [
        "t = 0 … 2",
        "t = 4 … 7",
    ]
    assert [frame.label for frame in scene.frames if frame.lane == "forward"] == [
        loop.label,
        "t = 3",
    ]
    before, after = (box.id for box in scene.boxes if box.several and box.lane == "forward")
    hidden = {turn.id: before if t < 3 else after for t, turn in enumerate(turns) if t != 3}
    for node in graph.nodes:
        if node.group in hidden:
            assert scene.alias.get(node.id) == hidden[node.group]
    inside = {node.id for node in graph.nodes if node.group == turns[3].id}
    states = [wire for wire in scene.wires if wire.source == before and wire.target in inside]
    assert len(states) == 1  # the state goes in from the turns before
    assert {wire.target for wire in scene.wires if wire.source in inside} - inside >= {after}


@each("turn", [0, 3, 7])
def test_wires_of_a_run_of_turns_use_the_tags_beside_its_box(turn: int) -> None:
    graph = rnn(8).story.graph
    (loop,), turns = groups_of(graph, "loop"), groups_of(graph, "turn")
    ways, rows = [], []
    for thread in compose(lay_out(graph), {loop.id, turns[turn].id}).threads:
        ways.append(thread.wire.way)
        for slim in thread.slims:
            rows.append((thread.upper.bottom, slim.top, slim.bottom, thread.lower.top))
    assert "" not in ways  # a wire that tags replace has none
    assert not [each for each in rows if not each[0] < each[1] <= each[2] < each[3]]


def test_the_first_picture_of_a_recurrent_network_shows_one_turn_and_fits_on_a_slide() -> None:
    graph = rnn(8).story.graph
    scene = scene_of(graph, first_open(graph))
    labels = [label_of(box, "en") for box in scene.boxes if box.several]
    assert labels == ["t = 1 … 7", "t = 1 … 7 backward"]
    assert scene.width < 1700
    assert scene.height < 1300
    slide = scene_in(form_of("16:9"), graph)
    assert "t = 0 … 7" in [box.label for box in slide.boxes] + [each.label for each in slide.frames]


def test_a_closed_loop_costs_as_much_as_all_its_turns() -> None:
    trace = rnn(6)
    graph = trace.story.graph
    (loop,), turns = groups_of(graph, "loop"), groups_of(graph, "turn")
    (costs,) = costs_of([(trace, 0)], [0], "flops")

    def of(names: set[str], label: str) -> float:
        scene = scene_of(graph, names)
        (box,) = (box for box in scene.boxes if label_of(box, "en") == label)
        return float(costs.at(scene)[box.id])

    each = of({loop.id, turns[2].id, turns[4].id}, "t = 3")
    assert of(set(), "t = 0 … 5") == 6 * each
    assert of({loop.id, turns[2].id}, "t = 3 … 5") == 3 * each
    assert of({loop.id, turns[2].id}, "t = 0 … 1") == 2 * each


LOOPS = {
    "no variable": (
        """
        for a in [h] * 8:
            h = paddle.tanh(h * 2 + a) * h""",
        ["iteration 1 … 8"],
    ),
    "nested": (
        """
        for i in range(3):
            for j in range(6):
                h = paddle.tanh(h * 2)
            h = h + 1""",
        ["i = 0 … 2", *["j = 0 … 5"] * 3],
    ),
    "unequal outside": (
        """
        for i in range(3):
            for j in range(6 + i):
                h = paddle.tanh(h * 2)
            h = h + 1""",
        ["j = 0 … 5", "j = 0 … 6", "j = 0 … 7"],
    ),
    "unequal": (
        """
        for t in range(9):
            h = paddle.tanh(h * 2)
            if t % 2:
                h = -h""",
        [],
    ),
    "another first turn": (
        """
        for t in range(4):
            h = paddle.tanh(h * 2 + 1) * h if t else paddle.tanh(h)""",
        ["t = 0 … 3"],
    ),
    "two equal turns after another first one": (
        """
        for t in range(3):
            h = paddle.tanh(h * 2 + 1) * h if t else paddle.tanh(h)""",
        [],
    ),
    "other shapes": (
        """
        for size in range(1, 5):
            w = paddle.ones([size]) * 0.5
            w = paddle.tanh(w * 0.9 + 0.1)""",
        ["size = 1 … 4"],
    ),
    "a turn that ends early": (
        """
        for t in range(20):
            h = paddle.tanh(h * 2 + 1)
            if t == 4:
                break
            h = h * 3""",
        ["t = 0 … 4"],
    ),
    "unknown": (
        """
        t = 0
        while t < 9:
            if t % 2:
                h = h * 3
            if not t % 2:
                h = paddle.tanh(h * 2)
            t += 1""",
        [],
    ),
    "unknown outside": (
        """
        t = 0
        while t < 4:
            for j in range(8):
                h = paddle.tanh(h * 2)
            t += 1""",
        [],
    ),
    "two": ("for t in range(2):\n" + "    h = paddle.tanh(h * 2)\n" * 9, []),
    "rounds": (
        """
        w = paddle.ones([2])
        w.stop_gradient = False
        for t in range(4):
            (paddle.tanh(w * 2) * w).mean().backward()""",
        [],
    ),
}


@each(("code", "labels"), LOOPS.values(), ids=LOOPS)
def test_equal_turns_of_a_loop_in_one_pass_are_folded(code: str, labels: list[str]) -> None:
    graph = record(code, many=True).story.graph
    assert [label_of(group, "en") for group in groups_of(graph, "loop")] == labels


def test_code_that_runs_once_before_a_break_is_not_in_the_loop() -> None:
    code = compile("for i in a:\n if b:\n  c()\n  break\n d()", "<program>", "exec")
    lines = {at: line for start, end, line in code.co_lines() for at in range(start, end, 2)}
    (loop,) = Code(code).loops
    assert {lines[at] for at in loop.body} == {1, 2, 5}
