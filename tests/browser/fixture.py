"""Payloads made by hand, so that the player is tested without an engine.

`tanh()` is the documents' cus_tanh: six forward and seven backward steps, X-ray closed and open.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from viz.theme import badge_width

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
TOP = 56  # for the names of the lanes


def box(
    id: str,
    kind: str,
    label: str,
    x: float,
    y: float,
    *,
    w: float = 124,
    h: float = 46,
    detail: str = "[2, 3] float64",
    lane: str | None = None,
    badges: tuple[str, ...] = (),
    toggles: str | None = None,
) -> Json:
    side = lane or ("backward" if kind.endswith("grad") or kind == "seed" else "forward")
    shape = "pill" if kind in ("leaf", "result", "seed", "leaf_grad", "port") else "box"
    return {
        "id": id, "kind": kind, "lane": side, "x": x, "y": y + TOP, "w": w, "h": h, "label": label,
        "title": f"{label} · {detail}",
        "detail": detail, "badges": [[badge, badge_width(badge)] for badge in badges],
        "shape": shape, "tag_of": None, "toggles": toggles,
    }  # fmt: skip


def scene(boxes: list[Json], wires: list[tuple[str, str, str]], frames: list[Json]) -> Json:
    places = {each["id"]: each for each in boxes}
    everything = [*boxes, *frames]
    return {
        "width": max(part["x"] + part["w"] for part in everything) + 16,
        "height": max(part["y"] + part["h"] for part in everything) + 16,
        "boxes": boxes,
        "wires": [_wire(places[a], places[b], kind) for a, b, kind in wires],
        "frames": frames,
        "lanes": [_lane(name, boxes) for name in ("forward", "backward")],
    }


def _lane(name: str, boxes: list[Json]) -> Json:
    mine = [each for each in boxes if each["lane"] == name]
    left, right = min(each["x"] for each in mine), max(each["x"] + each["w"] for each in mine)
    return {"name": name, "column": 0, "x": left, "w": right - left}


def _wire(a: Json, b: Json, kind: str) -> Json:
    if kind == "saved":
        x, y = a["x"] + a["w"], a["y"] + a["h"] / 2
        u, v = b["x"], b["y"] + b["h"] / 2
        path = f"M{x} {y}C{x + 40} {y} {u - 40} {v} {u} {v}"
    else:
        down = b["y"] > a["y"]
        x, y = a["x"] + a["w"] / 2, a["y"] + (a["h"] if down else 0)
        u, v = b["x"] + b["w"] / 2, b["y"] + (0 if down else b["h"])
        path = f"M{x} {y}C{x} {(y + v) / 2} {u} {(y + v) / 2} {u} {v}"
    colour = {"data": "forward", "grad": "backward"}.get(kind, kind)
    return {
        "id": f"{a['id']}>{b['id']}",
        "kind": kind,
        "source": a["id"],
        "target": b["id"],
        "path": path,
        "colour": colour,
        "label": "y" if kind == "saved" else "",
        "label_at": [x + 8, y - 6],
        "title": "",
    }


def _closed() -> Json:
    boxes = [
        box("data", "leaf", "data", 30, 8),
        box("cus_tanh", "pylayer", "cus_tanh", 22, 98, w=140, h=72, badges=("saves y",),
            toggles="cus_tanh"),
        box("mean", "op", "mean", 30, 214, detail="axis=None"),
        box("loss", "result", "loss", 30, 304, detail="[] float64"),
        box("data.grad", "leaf_grad", "data.grad", 270, 8),
        box("cus_tanh_grad", "pylayer_grad", "cus_tanh backward", 246, 98, w=172, h=72,
            toggles="cus_tanh"),
        box("mean_grad", "grad", "mean_grad", 270, 214, detail="axis=None"),
        box("seed", "seed", "seed", 270, 304, detail="[] float64"),
    ]  # fmt: skip
    wires = [
        ("data", "cus_tanh", "data"), ("cus_tanh", "mean", "data"), ("mean", "loss", "data"),
        ("cus_tanh", "cus_tanh_grad", "saved"), ("seed", "mean_grad", "grad"),
        ("mean_grad", "cus_tanh_grad", "grad"), ("cus_tanh_grad", "data.grad", "grad"),
    ]  # fmt: skip
    return scene(boxes, wires, [])


UP = {
    "tanh": "cus_tanh",
    "x": "cus_tanh",
    "dy": "cus_tanh_grad",
    "square": "cus_tanh_grad",
    "one_minus": "cus_tanh_grad",
    "times": "cus_tanh_grad",
    "cus_tanh": "F",
    "cus_tanh_grad": "B",
}
NO_SIZES = {"scale": [], "below": False, "changes": []}
ENDS = {"tanh>square": ["tanh", "square", "saved"]}


def _open() -> Json:
    boxes = [
        box("data", "leaf", "data", 40, 8),
        box("x", "port", "x", 40, 124, h=32, detail=""),
        box("tanh", "op", "tanh", 40, 224),
        box("mean", "op", "mean", 40, 406, detail="axis=None"),
        box("loss", "result", "loss", 40, 492, detail="[] float64"),
        box("data.grad", "leaf_grad", "data.grad", 320, 8),
        box("times", "op", "multiply", 320, 124, lane="backward"),
        box("one_minus", "op", "1 - y²", 270, 200, lane="backward"),
        box("square", "op", "square", 270, 276, lane="backward"),
        box("dy", "port", "dy", 420, 292, w=60, h=32, detail="", lane="backward"),
        box("mean_grad", "grad", "mean_grad", 320, 406, detail="axis=None"),
        box("seed", "seed", "seed", 320, 492, detail="[] float64"),
    ]
    wires = [
        ("data", "x", "data"), ("x", "tanh", "data"), ("tanh", "mean", "data"),
        ("mean", "loss", "data"), ("tanh", "square", "saved"), ("seed", "mean_grad", "grad"),
        ("mean_grad", "dy", "grad"), ("square", "one_minus", "grad"),
        ("one_minus", "times", "grad"), ("dy", "times", "grad"), ("times", "data.grad", "grad"),
    ]  # fmt: skip
    shape = {
        "kind": "pylayer",
        "y": TOP + 76,
        "h": 272,
        "title": "cus_tanh",
        "badges": [],
        "toggles": "cus_tanh",
    }
    frames = [
        {"id": "F", "lane": "forward", "x": 14, "w": 178, "label": "cus_tanh", **shape,
         "badges": [["saves y", badge_width("saves y")]]},
        {"id": "B", "lane": "backward", "x": 250, "w": 250, "label": "cus_tanh backward", **shape},
    ]  # fmt: skip
    return scene(boxes, wires, frames)


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
    ("forward", "leaf", "data", "", 13, None, "", [("data", "output", "data", "x")],
     "data is a leaf: 2 × 3 numbers that want a gradient.", "data 是叶子：2 × 3 个需要梯度的数。"),
    ("forward", "enter", "cus_tanh x", "data>cus_tanh data>x", 15, None, "",
     [("x", "input", "x", "x")],
     "cus_tanh.apply calls your forward with x.", "cus_tanh.apply 用 x 调用你的 forward。"),
    ("forward", "op", "tanh", "x>tanh", 4, None, "y = tanh x",
     [("x", "input", "x", "x"), ("y", "output", "tanh", "y")],
     "tanh squashes every element of x into (−1, 1).", "tanh 把 x 的每个元素压到 (−1, 1) 之间。"),
    ("forward", "save", "tanh", "cus_tanh>cus_tanh_grad tanh>square", 5, None, "",
     [("y", "saved", "tanh", "y")],
     "y is kept for backward.", "为反向保存 y。"),
    ("forward", "op", "mean", "cus_tanh>mean tanh>mean", 16, None, "y = (1/n) Σ x",
     [("z", "input", "tanh", "y"), ("loss", "output", "mean", "loss")],
     "mean averages the six numbers of z.", "mean 求 z 的六个数的平均值。"),
    ("forward", "result", "loss", "mean>loss", 16, None, "",
     [("loss", "output", "loss", "loss"), ("data.grad", "grad_out", "data.grad", None)],
     "The loss is a single number; data has no gradient yet.",
     "损失是一个数；data 还没有梯度。"),
    ("backward", "seed", "seed", "", 16, None, "", [("seed", "grad_out", "seed", "seed")],
     "Backward starts with the gradient of the loss with respect to itself: 1.",
     "反向从损失对自身的梯度 1 开始。"),
    ("backward", "grad", "mean_grad", "seed>mean_grad", 16, 16, "dx = dy / n",
     [("dy", "grad_in", "seed", "seed"), ("dz", "grad_out", "mean_grad", "dy")],
     "Each of the six elements has a sixth of the say.", "六个元素各占六分之一。"),
    ("backward", "enter", "cus_tanh_grad dy", "mean_grad>cus_tanh_grad mean_grad>dy", 9, 15, "",
     [("dy", "grad_in", "dy", "dy"), ("y", "saved", "tanh", "y")],
     "Your backward is called with dy; ctx.saved_tensor() gives y back.",
     "用 dy 调用你的 backward；ctx.saved_tensor() 取回 y。"),
    ("backward", "op", "square", "tanh>square", 11, 4, "y = x²",
     [("y", "input", "tanh", "y"), ("y²", "output", "square", "y2")],
     "square: every element of y times itself.", "square：y 的每个元素自乘。"),
    ("backward", "op", "one_minus", "square>one_minus", 11, 4, "z = x − y",
     [("y²", "input", "square", "y2"), ("1 − y²", "output", "one_minus", "one")],
     "The slope of tanh at x is 1 − y².", "tanh 在 x 处的斜率是 1 − y²。"),
    ("backward", "op", "times", "one_minus>times dy>times", 11, 4, "z = x · y",
     [("dy", "input", "dy", "dy"), ("1 − y²", "input", "one_minus", "one"),
      ("dx", "output", "times", "dx")],
     "Chain rule: what comes in times the slope.", "链式法则：传入的梯度乘以斜率。"),
    ("backward", "leaf_grad", "data.grad", "cus_tanh_grad>data.grad times>data.grad", 16, 13, "",
     [("data.grad", "before", "data.grad", None), ("data.grad", "after", "data.grad", "dx")],
     "The gradient arrives in data.grad.", "梯度到达 data.grad。"),
]  # fmt: skip


def tanh() -> Json:
    """The documents' example, as the player gets it."""
    numbers = _numbers()
    order = list(numbers)
    steps = [
        {
            "phase": phase, "lane": phase, "kind": kind,
            "nodes": nodes.split(), "edges": edges.split(),
            "text": {"en": en, "zh": zh}, "line": [0, line], "formula": formula, "terms": [],
            "forward_line": origin and [0, origin],
            "shown": [{"name": name, "role": role, "node": node,
                       "value": None if number is None else order.index(number)}
                      for name, role, node, number in shown],
        }
        for phase, kind, nodes, edges, line, origin, formula, shown, en, zh in STEPS
    ]  # fmt: skip
    return {
        "format": "minipaddle-player", "version": 1, "title": "cus_tanh, forwards and backwards",
        "scenes": {"": _closed(), "cus_tanh": _open()}, "open": "", "up": UP, "ends": ENDS,
        "steps": steps,
        "values": [value(numbers[name]) for name in order],
        "sources": [{"name": "Cell [2]", "first": 1, "lines": CODE.split("\n")}], "note": "",
        "memory": {"rows": [], "live": [], "more": 0}, "odd": {}, "missing": {},
        "magnitudes": {"grad": NO_SIZES, "value": NO_SIZES}, "statistics": [], "passes": [],
    }  # fmt: skip


def chain(length: int) -> Json:
    """A long chain: `length` nodes, one step each, half of them on the way back."""
    half = length // 2
    boxes, wires, steps = [], [], []
    for at in range(length):
        back = at >= half
        x, y = (220, (length - 1 - at) * 70 + 8) if back else (20, at * 70 + 8)
        boxes.append(box(f"n{at}", "grad" if back else "op", f"op {at}", x, y))
        if at:
            wires.append((f"n{at - 1}", f"n{at}", "grad" if back else "data"))
        steps.append({
            "phase": "backward" if back else "forward", "lane": "backward" if back else "forward",
            "kind": "op", "nodes": [f"n{at}"],
            "edges": [f"n{at - 1}>n{at}"] if at else [], "text": {"en": f"Step {at}.", "zh": "步"},
            "line": [0, 1], "forward_line": None, "formula": "y = x", "terms": [],
            "shown": [{"name": "y", "role": "output", "node": f"n{at}", "value": 0}],
        })  # fmt: skip
    return {
        **tanh(),
        "title": "chain",
        "scenes": {"": scene(boxes, wires, [])},
        "open": "",
        "steps": steps,
        "values": [value(np.eye(4))],
    }
