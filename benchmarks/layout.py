"""Quality and speed of the built-in layout beside Graphviz: `python benchmarks/layout.py`.

The graphs resemble training graphs: chains of ops with weights and residual wires ("p"), chains
with weights shared at random ("g"), and each chain with its backward half. The table compares our
crossings with dot's on the forward half, if dot finishes in time. tests/viz/quality.py counts
faults.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from viz.layout.scene import Scene, scene_of
from viz.model import Edge, Graph, Node

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.viz import quality

SEED = 20261121
LIMIT = 20  # seconds that dot may take
SIZES = (20, 200, 1000, 3000)


# ----- graphs ------------------------------------------------------------------------------------


class Maker:
    """Builder of the nodes and wires of a forward half and its backward half."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []

    def node(self, name: str, kind: str, label: str, **more: str) -> str:
        self.nodes.append(Node(name, kind, label, "[32, 64] float32", **more))
        return name

    def wire(self, source: str, target: str, kind: str = "data") -> None:
        self.edges.append(Edge(f"e{len(self.edges)}", source, target, kind))

    def graph(self) -> Graph:
        return Graph(tuple(self.nodes), tuple(self.edges))


def training(ops: int, shared: float = 0.0, backward: bool = False) -> Graph:
    """Return a chain of ops, every other one with a weight, every fifth with a residual wire.

    `shared` is the probability of using an earlier weight again.
    """
    rng = random.Random(SEED + ops)
    m = Maker()
    last = m.node("x", "leaf", "x")
    row: list[str] = []
    weights: list[str] = []
    for k in range(ops):
        heavy = k % 2 == 0
        name = m.node(f"op{k}", "op", "matmul" if heavy else "tanh")
        m.wire(last, name)
        if heavy:
            again = weights and rng.random() < shared
            weight = rng.choice(weights) if again else f"w{k}"
            if not again:
                weights.append(m.node(weight, "parameter", f"layer{k}.weight"))
            m.wire(weight, name)
        if k % 5 == 4 and k > 4:
            m.wire(row[k - 3], name)
        row.append(name)
        last = name
    m.wire(last, m.node("loss", "result", "loss"))
    if backward:
        mirror(m, row)
    return m.graph()


def mirror(m: Maker, row: list[str]) -> None:
    """Add the gradient of every op beside it, and the wires from saved values."""
    forward = list(m.edges)
    more = {"lane": "backward"}
    m.node("seed", "seed", "1", pair="loss", **more)
    for name in row:
        m.node(f"{name}'", "grad", "backward", pair=name, **more)
    leaves = [node.id for node in m.nodes if node.kind in ("leaf", "parameter")]
    for name in leaves:
        m.node(f"{name}.grad", "leaf_grad", f"{name}.grad", pair=name, **more)
    for edge in forward:
        target = f"{edge.source}'" if edge.source in set(row) else f"{edge.source}.grad"
        source = "seed" if edge.target == "loss" else f"{edge.target}'"
        m.wire(source, target, "grad")
    for name in row:
        m.wire(name, f"{name}'", "saved")


# ----- dot ---------------------------------------------------------------------------------------


def dot_crossings(scene: Scene, graph: Graph) -> int | None:
    """Return the number of crossings in dot's picture; None if dot takes too long."""
    size = {box.id: (box.w, box.h) for box in scene.boxes}
    lines = ["digraph {", "node [shape=box fixedsize=true]", "edge [arrowhead=none]"]
    lines += [
        f'"{n.id}" [width={size[n.id][0] / 72:.3f} height={size[n.id][1] / 72:.3f} label=""]'
        for n in graph.nodes
    ]
    lines += [f'"{edge.source}" -> "{edge.target}"' for edge in graph.edges]
    try:
        done = subprocess.run(
            ["dot", "-Tplain"],
            input="\n".join([*lines, "}"]),
            capture_output=True,
            text=True,
            check=True,
            timeout=LIMIT,
        )
    except subprocess.TimeoutExpired:
        return None
    wires = []
    for line in done.stdout.splitlines():
        if line.startswith("edge "):
            _, source, target, count, *rest = line.split()
            numbers = [72 * float(part) for part in rest[: 2 * int(count)]]
            start, *ends = zip(numbers[::2], numbers[1::2], strict=True)
            curves = [("C", tuple(ends[k : k + 3])) for k in range(0, len(ends), 3)]
            path = ("M", (start,)), *curves
            ends_of = {"source": source.strip('"'), "target": target.strip('"')}
            wires.append(replace(scene.wires[0], path=path, kind="data", **ends_of))
    return quality.crossings(replace(scene, wires=tuple(wires)))


# ----- the table ---------------------------------------------------------------------------------


def seconds(graph: Graph) -> float:
    """Return the median of three times of a layout."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        scene_of(graph)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="ops in the chain")
    sizes = parser.parse_args().sizes
    print("graph      boxes   wires   seconds  faults  crossings  dot")
    for shared, letter in ((0.0, "p"), (0.02, "g"), (0.3, "G")):
        for ops in sizes:
            for backward in (False, True):
                graph = training(ops, shared, backward)
                scene = scene_of(graph)
                name = f"{letter}{ops}{' both' if backward else ''}"
                there = not backward and shutil.which("dot")
                dot = dot_crossings(scene, graph) if there else None
                shown = "" if backward else "-" if dot is None else str(dot)
                print(
                    f"{name:10} {len(scene.boxes):5} {len(scene.wires):7} {seconds(graph):9.3f}"
                    f" {len(quality.faults(scene)):7} {quality.crossings(scene):10}  {shown}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
