"""Handmade graphs, whose pictures judge the layout."""

import random
from itertools import pairwise

from viz.model import Badge, Edge, Graph, Group, Node


def said(*texts: str) -> tuple[Badge, ...]:
    """Return badges with the same text in both languages."""
    return tuple(Badge.same("mark", text) for text in texts)


class Maker:
    """A short notation for nodes and edges."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.groups: list[Group] = []

    def node(self, name: str, kind: str, label: str, detail: str = "", **more: object) -> str:
        if kind in ("leaf_grad", "seed", "grad", "pylayer_grad", "accumulate", "unbroadcast"):
            more.setdefault("lane", "backward")
        if kind == "update":
            more.setdefault("lane", "optimize")
        self.nodes.append(Node(name, kind, label, detail, **more))  # type: ignore[arg-type]
        return name

    def wires(self, kind: str, *ends: tuple[str, str] | tuple[str, str, str]) -> None:
        for source, target, *label in ends:
            name = f"{kind}{len(self.edges)}"
            self.edges.append(Edge(name, source, target, kind, *label))

    def lead(self, kind: str, *ways: str) -> None:
        """Add wires along each way: `x tanh y` gives x to tanh, and tanh to y."""
        for way in ways:
            self.wires(kind, *pairwise(way.split()))

    def graph(self) -> Graph:
        return Graph(tuple(self.nodes), tuple(self.edges), tuple(self.groups))


def cus_tanh() -> Graph:
    """Return x -> cus_tanh (a PyLayer: tanh; square, rsub, mul) -> mean, and back."""
    m = Maker()
    f = "[2, 3] float64"
    m.node("x", "leaf", "x", f)
    m.node("in", "port", "x", f, group="cus.f")
    m.node("tanh", "op", "tanh", f, group="cus.f")
    m.node("out", "port", "y", f, group="cus.f")
    m.node("mean", "op", "mean", "[] float64")
    m.node("loss", "result", "z", "[] float64")
    m.node("seed", "seed", "1.0", "[] float64", pair="loss")
    m.node("mean'", "grad", "mean_grad", f, pair="mean")
    m.node("dy", "port", "dy", f, lane="backward", group="cus.b", pair="out")
    m.node("square", "op", "square", f, lane="backward", group="cus.b")
    m.node("rsub", "op", "1 - y²", f, lane="backward", group="cus.b")
    m.node("mul", "op", "multiply", f, lane="backward", group="cus.b")
    m.node("dx", "port", "dx", f, lane="backward", group="cus.b", pair="in")
    m.node("x.grad", "leaf_grad", "x.grad", f, pair="x")
    m.lead("data", "x in tanh out mean loss")
    m.lead("grad", "seed mean' dy mul", "square rsub mul dx x.grad")
    m.wires("saved", ("out", "square", "y"))
    m.groups += _cus_tanh_halves(f)
    return m.graph()


def _cus_tanh_halves(detail: str) -> list[Group]:
    marks = said("saves y")
    one = Node("cus", "pylayer", "cus_tanh", detail, badges=marks)
    other = Node("cus'", "pylayer_grad", "cus_tanh backward", detail, lane="backward", pair="cus")
    halves = {"twin": "cus_tanh", "open_at_first": True}
    return [
        Group("cus.f", "pylayer", "cus_tanh · forward", closed=one, badges=marks, **halves),
        Group("cus.b", "pylayer", "cus_tanh · backward", lane="backward", closed=other, **halves),
    ]


def two_inputs() -> Graph:
    """Return a PyLayer of two inputs whose backward returns None for the second."""
    m = Maker()
    f = "[4] float64"
    for name in ("a", "b"):
        m.node(name, "leaf", name, f)
    m.node("pair", "pylayer", "scaled_add", f, badges=said("mark_not_inplace", "saves a"))
    m.node("sum", "op", "sum", "[] float64")
    m.node("loss", "result", "loss", "[] float64")
    m.node("seed", "seed", "1.0", "", pair="loss")
    m.node("sum'", "grad", "sum_grad", f, pair="sum")
    m.node("pair'", "pylayer_grad", "scaled_add backward", f, pair="pair", badges=said("db: None"))
    m.node("a.grad", "leaf_grad", "a.grad", f, pair="a")
    m.node("b.grad", "leaf_grad", "b.grad", "None", pair="b", badges=said("no gradient"))
    m.wires("data", ("a", "pair", "[4]"), ("b", "pair", "[4]"))
    m.wires("data", ("pair", "sum", "[4]"), ("sum", "loss", "[]"))
    m.lead("grad", "seed sum' pair' a.grad", "pair' b.grad")
    m.wires("saved", ("a", "pair'", "a"))
    return m.graph()


def chain(ops: int, shared: bool = True) -> Graph:
    """Return `ops` / 2 pairs (multiply by one shared weight, sin), forward and backward."""
    m = Maker()
    m.node("x", "leaf", "x", "[8]")
    m.node("w", "parameter", "w", "[8]")
    m.node("w.grad", "leaf_grad", "w.grad", "[8]", pair="w")
    m.node("x.grad", "leaf_grad", "x.grad", "[8]", pair="x")
    before, back = "x", "x.grad"
    for k in range(ops):
        multiply = k % 2 == 0 and shared
        m.node(f"n{k}", "op", "multiply" if multiply else "sin", "[8]")
        m.node(f"g{k}", "grad", "multiply_grad" if multiply else "sin_grad", "[8]", pair=f"n{k}")
        m.wires("data", (before, f"n{k}"))
        m.wires("grad", (f"g{k}", back))
        m.wires("saved", (before, f"g{k}"))
        if multiply:
            m.wires("data", ("w", f"n{k}"))
            m.wires("saved", ("w", f"g{k}"))
            m.wires("grad", (f"g{k}", "w.grad"))
        before, back = f"n{k}", f"g{k}"
    m.node("seed", "seed", "1.0", pair=None)
    m.wires("grad", ("seed", back))
    return m.graph()


def hostile() -> Graph:
    """Return names that look like markup, are very long, are Chinese, or reverse the line."""
    m = Maker()
    m.node("a", "leaf", "</script><img src=x onerror=alert(1)>", "<b>[2]</b>")
    m.node('b"&<', "op", "a_very_long_name_" * 12, "[" + "1024, " * 40 + "1]")
    m.node(
        "c", "pylayer", "自定义双曲正切函数的前向传播", "[2, 3] 单精度", badges=said("标记", "<i>")
    )
    m.node("d", "op", "\u202eright to left\x00\x1b[31m", "\ud800")
    m.wires("data", ("a", 'b"&<', "<svg/onload=1>"), ('b"&<', "c"), ("c", "d", "]]>"))
    return m.graph()


def wild(choice: random.Random, size: int) -> Graph:
    """Return a random forward DAG with groups, gradients, saved values and hostile wires."""
    m = Maker()
    groups = [f"g{k}" for k in range(choice.randrange(4))]
    halves: dict[str | None, str | None] = {None: None}  # group -> its backward half
    for k, name in enumerate(groups):
        parent = choice.choice([None, *groups[:k]])
        twin = choice.choice([None, f"t{k}"]) if parent in halves else None
        m.groups.append(Group(name, "layer", name, parent, twin=twin))
        if twin:
            halves[name] = f"{name}'"
            outer = halves[parent]
            m.groups.append(Group(f"{name}'", "layer", name, outer, lane="backward", twin=twin))
    for k in range(size):
        kind = choice.choice(["leaf", "parameter", "op", "op", "pylayer", "accumulate"])
        m.node(
            f"n{k}",
            kind,
            choice.choice(["a", "a longer name"]),
            choice.choice(["", "[2, 3]"]),
            group=choice.choice([None, *groups]),
            lane="forward",
        )
        for other in choice.sample(range(k), min(k, choice.randrange(4))):
            m.wires("data", (f"n{other}", f"n{k}", choice.choice(["", "[8]"])))
    for k in range(size):
        if choice.random() < 0.7:
            group = choice.choice([None, *(f"{g}'" for g in groups)])
            if group not in {g.id for g in m.groups}:
                group = None
            kind = choice.choice(["grad", "leaf_grad", "accumulate", "hook"])
            column = choice.choice([0, 0, 0, 1])
            m.node(
                f"d{k}",
                kind,
                "d",
                pair=choice.choice([f"n{k}", f"n{k}", None]),
                group=group,
                lane="backward",
                column=column,
            )
    there = [node.id for node in m.nodes if node.lane == "backward"]
    for edge in list(m.edges):
        one, other = f"d{edge.target[1:]}", f"d{edge.source[1:]}"
        if one in there and other in there:
            m.wires("grad", (one, other))
        if one in there and choice.random() < 0.5:
            m.wires("saved", (edge.source, one))
    if there:
        m.node("u", "update", "SGD")
        m.wires("data", (choice.choice(there), "u"), ("n0", "u"))
        m.wires("order", (choice.choice(there), choice.choice(there)))
    return m.graph()
