"""Handmade payloads, which test the player without an engine.

`tanh()` is the documents' cus_tanh: six forward and seven backward steps, X-ray closed and open.
"""

from typing import Any

import numpy as np

from viz.layout.blueprint import lay_out
from viz.model import Badge, Edge, Graph, Group, Node
from viz.player.graph import graph_of

CODE = """\
class cus_tanh(PyLayer):
    @staticmethod
    def forward(ctx, x):
        y = paddle.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        y, = ctx.saved_tensor()
        return dy * (1 - paddle.square(y))  # the derivative of tanh

data = paddle.randn([2, 3], dtype="float64")
data.stop_gradient = False
z = cus_tanh.apply(data)
z.mean().backward()"""

Json = dict[str, Any]
NO_SIZES: Json = {"scale": [], "below": False, "above": False, "changes": []}
FLOAT = "[2, 3] float64"


BADGES = (Badge.same("mark", "saves y"),)


def _node(id: str, kind: str, label: str, detail: str = FLOAT, **more: Any) -> Node:
    back = kind.endswith("grad") or kind == "seed"
    return Node(id, kind, label, detail, **{"lane": "backward" if back else "forward", **more})


def tanh_graph() -> Graph:
    """Return cus_tanh between data and mean, forward and backward."""
    inside: Json = {"lane": "backward", "group": "B"}
    nodes = (
        _node("data", "leaf", "data"),
        _node("x", "port", "x", "", group="F"),
        _node("tanh", "op", "tanh", group="F"),
        _node("mean", "op", "mean", "axis=None"),
        _node("loss", "result", "loss", "[] float64"),
        _node("data.grad", "leaf_grad", "data.grad", pair="data"),
        _node("times", "op", "multiply", **inside),
        _node("one_minus", "op", "1 - y²", **inside),
        _node("square", "op", "square", **inside),
        _node("dy", "port", "dy", "", **inside),
        _node("mean_grad", "grad", "mean_grad", "axis=None", pair="mean"),
        _node("seed", "seed", "seed", "[] float64", pair="loss"),
    )
    ways = [
        ("data", "x", "data"), ("x", "tanh", "data"), ("tanh", "mean", "data"),
        ("mean", "loss", "data"), ("tanh", "square", "saved"), ("seed", "mean_grad", "grad"),
        ("mean_grad", "dy", "grad"), ("square", "one_minus", "grad"),
        ("one_minus", "times", "grad"), ("dy", "times", "grad"), ("times", "data.grad", "grad"),
    ]  # fmt: skip
    edges = (Edge(f"{a}>{b}", a, b, kind, "y" if kind == "saved" else "") for a, b, kind in ways)
    closed = _node("cus_tanh", "pylayer", "cus_tanh", badges=BADGES)
    back = _node("cus_tanh_grad", "pylayer_grad", "cus_tanh backward", pair="cus_tanh")
    groups = (
        Group("F", "pylayer", "cus_tanh", None, "forward", "cus_tanh", closed, BADGES),
        Group("B", "pylayer", "cus_tanh backward", None, "backward", "cus_tanh", back),
    )
    return Graph(nodes, tuple(edges), groups)


def value(array: Any) -> Json:
    array = np.asarray(array)
    stats = {
        "min": float(array.min()),
        "max": float(array.max()),
        "mean": float(array.mean()),
        "nan": 0,
        "inf": 0,
        "size": array.size,
    }
    data = array.tolist() if array.size <= 4096 else None
    return {"shape": list(array.shape), "dtype": str(array.dtype), "data": data, "stats": stats}


def _numbers() -> dict[str, np.ndarray[Any, Any]]:
    x = np.array([[0.52, -1.31, 0.087], [1.94, -0.46, -2.2]])
    y = np.tanh(x)
    return {
        "x": x,
        "y": y,
        "loss": np.array(y.mean()),
        "seed": np.array(1.0),
        "dy": np.full((2, 3), 1 / 6),
        "y2": y * y,
        "one": 1 - y * y,
        "dx": (1 - y * y) / 6,
    }


STEPS: list[tuple[Any, ...]] = [
    # phase, kind, nodes, edges, line, forward line, formula, shown (name, role, node, value)
    ("forward", "leaf", "data", "", 13, None, "", [("data", "output", "data", "x")]),
    ("forward", "enter", "cus_tanh x", "data>x", 15, None, "",
     [("x", "input", "x", "x")]),
    ("forward", "op", "tanh", "x>tanh", 4, None, "y = tanh x",
     [("x", "input", "x", "x"), ("y", "output", "tanh", "y")]),
    ("forward", "save", "tanh", "tanh>square", 5, None, "",
     [("y", "saved", "tanh", "y")]),
    ("forward", "op", "mean", "tanh>mean", 16, None, "y = (1/n) Σ x",
     [("z", "input", "tanh", "y"), ("loss", "output", "mean", "loss")]),
    ("forward", "result", "loss", "mean>loss", 16, None, "",
     [("loss", "output", "loss", "loss"), ("data.grad", "grad_out", "data.grad", None)]),
    ("backward", "seed", "seed", "", 16, None, "", [("seed", "grad_out", "seed", "seed")]),
    ("backward", "grad", "mean_grad", "seed>mean_grad", 16, 16, "dx = dy / n",
     [("dy", "grad_in", "seed", "seed"), ("dz", "grad_out", "mean_grad", "dy")]),
    ("backward", "enter", "cus_tanh_grad dy", "mean_grad>dy", 9, 15, "",
     [("dy", "grad_in", "dy", "dy"), ("y", "saved", "tanh", "y")]),
    ("backward", "op", "square", "tanh>square", 11, 4, "y = x²",
     [("y", "input", "tanh", "y"), ("y²", "output", "square", "y2")]),
    ("backward", "op", "one_minus", "square>one_minus", 11, 4, "z = x − y",
     [("y²", "input", "square", "y2"), ("1 − y²", "output", "one_minus", "one")]),
    ("backward", "op", "times", "one_minus>times dy>times", 11, 4, "z = x · y",
     [("dy", "input", "dy", "dy"), ("1 − y²", "input", "one_minus", "one"),
      ("dx", "output", "times", "dx")]),
    ("backward", "leaf_grad", "data.grad", "times>data.grad", 16, 13, "",
     [("data.grad", "before", "data.grad", None), ("data.grad", "after", "data.grad", "dx")]),
]  # fmt: skip


def tanh() -> Json:
    """Return the payload of the documents' example."""
    numbers = _numbers()
    order = list(numbers)
    steps = [
        {
            "phase": phase, "kind": kind,
            "nodes": nodes.split(), "edges": edges.split(),
            "text": {"en": f"Step {at}.", "zh": f"第 {at} 步。"}, "line": [0, line], "terms": [],
            "formula": [[formula]] if formula else [],
            "forward_line": origin and [0, origin],
            "shown": [{"name": name, "role": role, "node": node,
                       "value": None if number is None else order.index(number)}
                      for name, role, node, number in shown],
        }
        for at, (phase, kind, nodes, edges, line, origin, formula, shown) in enumerate(STEPS)
    ]  # fmt: skip
    return {
        "title": "cus_tanh, forwards and backwards",
        "graph": graph_of(lay_out(tanh_graph())), "open": [],
        "steps": steps,
        "values": [value(numbers[name]) for name in order],
        "sources": [{"name": "Cell [2]", "first": 1, "lines": CODE.split("\n")}],
        "note": None, "left_out": 0,
        "memory": {"rows": [], "live": [], "more": 0, "steps": []},
        "unmeasured": None, "alarms": [], "faults": {}, "missing": {},
        "magnitudes": {"grad": NO_SIZES, "value": NO_SIZES}, "statistics": [], "passes": [],
        "costs": {}, "views": {}, "boxes": [], "flows": [],
    }  # fmt: skip


def chain(length: int) -> Json:
    """Return a long chain of `length` nodes, one step each, half of them backward."""
    half = length // 2
    nodes: list[Node] = []
    edges: list[Edge] = []
    steps: list[Json] = []
    for at in range(length):
        back = at >= half
        pair = f"n{length - 1 - at}" if back else None
        nodes.append(_node(f"n{at}", "grad" if back else "op", f"op {at}", pair=pair))
        if at:
            name, kind = f"n{at - 1}>n{at}", "grad" if back else "data"
            edges.append(Edge(name, f"n{at - 1}", f"n{at}", kind))
        steps.append({
            "phase": "backward" if back else "forward", "kind": "op", "nodes": [f"n{at}"],
            "edges": [f"n{at - 1}>n{at}"] if at else [], "text": {"en": f"Step {at}.", "zh": "步"},
            "line": [0, 1], "forward_line": None, "terms": [],
            "formula": [["", "y", " = ", "x", ""]],
            "shown": [{"name": "y", "role": "output", "node": f"n{at}", "value": 0}],
        })  # fmt: skip
    return {
        **tanh(),
        "title": "chain",
        "graph": graph_of(lay_out(Graph(tuple(nodes), tuple(edges)))),
        "steps": steps,
        "values": [value(np.eye(4))],
    }
